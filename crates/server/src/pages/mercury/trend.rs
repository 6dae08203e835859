//! How stances moved over a meeting, drawn for its player when it is over: one small picture for each issue that was voted on.

use engine::game::Game;
use engine::id::Seq;
use games::mercury::{Choice, Mercury, Move, Role, YES};

const WIDTH: f64 = 240.0;
const HEIGHT: f64 = 100.0;
/// Above and below the lines.
const MARGIN: f64 = 6.0;

/// One issue's picture: how acceptable the option that was put to the vote was to each country, from left to right.
#[derive(Clone, PartialEq, Debug)]
pub struct Trend {
    pub number: u8,
    /// What was put to the vote.
    pub option: String,
    /// Where a country begins to vote yes, from the top.
    pub yes_y: String,
    /// How far the picture reaches down: to a little below its lowest line.
    pub height: String,
    /// A line for each country that has no red line at this option.
    pub lines: Vec<TrendLine>,
}

#[derive(Clone, PartialEq, Debug)]
pub struct TrendLine {
    /// The country's code.
    pub code: &'static str,
    /// Whether it is the player's own.
    pub you: bool,
    pub points: String,
    /// The lowest value, in hundredths.
    pub lowest: i32,
    /// The first and the last value, in hundredths.
    pub from_to: (u8, u8),
}

/// The pictures of a finished meeting from its moves, in the order in which they were made. A viewer who may not know the moves gets
/// no pictures: even the end of a line reveals a stance.
pub fn trends(game: &Game<Mercury>, moves: &[(Seq, Move)]) -> Vec<Trend> {
    let Some(state) = game.state().filter(|_| !moves.is_empty()) else { return vec![] };
    let end = game.mark().seq.0.max(1) as f64;
    let picture = |resolved: &games::mercury::Resolved| {
        let option = resolved.option;
        let line = |role: Role| {
            let last = state.stance(role, resolved.issue)?.of(option)?;
            let steps = steps(role, option, moves);
            let first = i32::from(last) - steps.iter().map(|(_, by)| by).sum::<i32>();
            let mut points = point(0.0, first);
            let (mut value, mut lowest) = (first, first);
            for (seq, by) in &steps {
                let x = *seq as f64 / end * WIDTH;
                points += &format!(" {} {}", point(x, value), point(x, value + by));
                value += by;
                lowest = lowest.min(value);
            }
            points += &format!(" {}", point(WIDTH, value));
            let from_to = (first.clamp(0, 100) as u8, last);
            Some(TrendLine { code: role.word(), you: state.human == Some(role), points, lowest, from_to })
        };
        let lines: Vec<TrendLine> = Role::COUNTRIES.into_iter().filter_map(line).collect();
        let lowest = lines.iter().map(|line| line.lowest).min().unwrap_or(0).min(i32::from(YES));
        Trend {
            number: resolved.issue.0,
            option: option.to_string(),
            yes_y: y(i32::from(YES)),
            height: format!("{:.1}", HEIGHT - f64::from(lowest) / 100.0 * HEIGHT + MARGIN * 2.0),
            lines,
        }
    };
    state.resolved.iter().map(picture).collect()
}

fn steps(role: Role, option: Choice, moves: &[(Seq, Move)]) -> Vec<(u64, i32)> {
    let of_role = moves.iter().filter(|(_, made)| made.role == role);
    let step = |(seq, made): &(Seq, Move)| {
        let by = made.acceptance.iter().find(|(moved, _)| *moved == option)?.1;
        Some((seq.0, i32::from(by)))
    };
    of_role.filter_map(step).collect()
}

fn point(x: f64, value: i32) -> String {
    format!("{x:.1},{}", y(value))
}

fn y(value: i32) -> String {
    format!("{:.1}", HEIGHT - f64::from(value) / 100.0 * HEIGHT)
}
