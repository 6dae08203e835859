//! What moved the verdict: finished games between house minds, played again with one speech left out.

use engine::chance::Seed;
use engine::game::{Command, Game, Logged, Progress, occasion};
use engine::id::{GameId, Seat};
use engine::influence::{Influence, Level, Unknown, influence};
use engine::laws::entries;
use engine::parts::lines::LineId;
use engine::roster::{Lang, TableCommand, Terms};
use engine::rules::{Actor, Mark, Rules};
use engine::time::Timestamp;
use games::mercury::Mercury;
use games::trial::Trial;
use games::tribunal::Tribunal;
use games::trolley::Trolley;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::sync::Arc;
use uuid::Uuid;

/// Fields of an act that hold words chosen by a mind.
const WORDED: [&str; 4] = ["text", "content", "reasons", "reason"];

/// A finished game between house minds, with its log.
pub struct Finished<R: Rules> {
    pub game: Game<R>,
    seed: Seed,
    pub log: Vec<Logged>,
}

impl<R: Rules> Finished<R> {
    fn played(number: u128, options: &Value, seats: usize) -> Self {
        Self::played_to(&[], number, options, seats)
    }

    /// The same with players who know these lines.
    pub fn played_to(known: &[LineId], number: u128, options: &Value, seats: usize) -> Self {
        let (id, seed) = (GameId(Uuid::from_u128(number)), Seed::chosen(&number.to_string()));
        let Ok(setup) = R::setup(options) else { panic!("the options are good") };
        let mut now = Timestamp(1_800_000_000_000);
        let lang = if options["lang"] == "ko" { Lang::Ko } else { Lang::En };
        let (mut game, first) = Game::<R>::found(id, seed, setup, Terms { lang, ..Terms::default() }, now);
        let mut log = vec![first];
        if !known.is_empty() {
            let remember = TableCommand::Remember { lines: known.to_vec() };
            log.extend(game.apply(Actor::Host, &Command::Table(remember), now).expect("it is told before the start"));
        }
        let names: Vec<Arc<str>> = (0..seats).map(|seat| Arc::from(format!("Mind {seat}"))).collect();
        log.extend(game.apply(Actor::Host, &Command::Table(TableCommand::Fill { names }), now).expect("seats"));
        if game.progress() == Progress::Table {
            log.extend(game.apply(Actor::Host, &Command::Table(TableCommand::Start), now).expect("it starts"));
        }
        let mut occasions = BTreeSet::new();
        while game.progress() != Progress::Over {
            now = Timestamp(now.0 + 250);
            let state = game.state().expect("it is played");
            let seat = game.turns().into_iter().find_map(|turn| match turn.who {
                Actor::Seat(seat) => Some(seat),
                Actor::Host | Actor::Clock => None,
            });
            let (actor, body) = match (seat, R::alarm(state)) {
                (Some(seat), _) => (Actor::Seat(seat), game.mind(seat, &entries(&log))),
                (None, Some(alarm)) => (Actor::Clock, alarm.act),
                (None, None) => (Actor::Host, json!({"type": "advance", "action": "next_phase"})),
            };
            if let Some(seat) = seat.filter(|_| WORDED.iter().any(|field| body[field].is_string())) {
                let occasion = occasion(seat, &entries(&log));
                assert!(
                    occasions.insert((seat, occasion.clone())),
                    "{}: {seat:?} draws twice at {occasion}",
                    R::META.name
                );
            }
            let Ok(act) = R::act(&body) else { panic!("{body}") };
            let rows = game.apply(actor, &Command::Act(act), now);
            log.extend(rows.unwrap_or_else(|refused| panic!("{body}: {}", refused.sentence)));
        }
        Finished { game, seed, log }
    }

    fn rows(&self) -> Vec<(Mark, Vec<u8>)> {
        self.log.iter().map(|row| (row.mark, row.body.clone())).collect()
    }

    fn influence(&self, level: Level) -> Influence {
        let found = influence::<R>(self.game.id, self.seed, &self.rows(), level);
        found.unwrap_or_else(|unknown| panic!("{unknown:?}"))
    }
}

/// Played again unchanged, a game between house minds ends as it did; and some of what was said mattered.
fn moves_something<R: Rules>(options: &Value, seats: usize, games: u128) {
    let (mut leaned, mut turned) = (0, 0);
    for number in 0..games {
        let finished = Finished::<R>::played(number, options, seats);
        for level in Level::ALL {
            let found = finished.influence(level);
            assert_eq!(Some(&found.outcome), finished.game.result().as_ref());
            assert!(!found.speeches.is_empty());
            leaned += found.speeches.iter().filter(|without| !without.leans.is_empty()).count();
            turned += found.speeches.iter().filter(|without| without.outcome.is_some()).count();
            assert!(found.speeches.iter().all(|without| without.diverged_at.is_none()), "the house fits in");
        }
    }
    println!("{}: {leaned} speeches moved somebody, {turned} the outcome", R::META.name);
    assert!(leaned > 0 && turned > 0, "{}: {leaned} {turned}", R::META.name);
}

#[test]
fn a_finished_game_of_any_kind_tells_what_moved_it() {
    for lang in ["en", "ko"] {
        moves_something::<Trial>(&json!({"lang": lang}), 6, 4);
        moves_something::<Tribunal>(&json!({"lang": lang}), 3, 4);
        moves_something::<Mercury>(&json!({"lang": lang}), 9, 3);
    }
    moves_something::<Trolley>(&json!({"rounds": 3}), 6, 4);
}

#[test]
fn without_the_speech_that_decided_it_the_verdict_turns() {
    let decided = (0..40).find_map(|number| {
        let finished = Finished::<Trial>::played(number, &json!({}), 6);
        let found = finished.influence(Level::Revote);
        let verdict = found.outcome["verdict"].clone();
        let turns = |outcome: &Value| outcome["verdict"] != verdict;
        let turned = found.speeches.into_iter().find(|without| without.outcome.as_ref().is_some_and(turns))?;
        Some((finished, turned))
    });
    let (finished, turned) = decided.expect("some trial hangs on one speech");
    // Worked out by hand: every juror is asked again without having heard the speech.
    let mut said = entries(&finished.log);
    let speech = said.iter_mut().find(|entry| entry.seq == turned.speech).expect("it was made");
    speech.line.text = Some(String::new());
    let mut game = None;
    for row in &finished.log {
        match &mut game {
            None => {
                let first =
                    Game::<Trial>::replay_first(finished.game.id, finished.seed, row.mark.at, &row.body, row.hash);
                game = Some(first.expect("its own log").0);
            }
            Some(game) => {
                if game.status() == "jury_vote" {
                    break;
                }
                game.replay(row.mark, row.body.clone(), row.hash).expect("its own log");
            }
        }
    }
    let game = game.expect("a log");
    assert_eq!(game.status(), "jury_vote");
    let heard: Vec<_> = said.into_iter().filter(|entry| entry.seq <= game.mark().seq).collect();
    let mut verdicts = Vec::new();
    for seat in (0..6).map(Seat) {
        if game.role(seat) == Some("JUROR") {
            verdicts.push(game.mind(seat, &heard)["verdict"].clone());
        }
    }
    let guilty = verdicts.iter().filter(|verdict| *verdict == "GUILTY").count();
    let now = if guilty >= 2 { "GUILTY" } else { "NOT_GUILTY" };
    assert_ne!(finished.game.result().expect("over")["verdict"], now, "the verdict turns");
    assert_eq!(turned.outcome.expect("it turned")["verdict"], now);
}

#[test]
fn a_juror_who_speaks_moves_no_vote_and_a_game_that_goes_on_says_nothing() {
    let finished = Finished::<Trial>::played(5, &json!({}), 6);
    for without in finished.influence(Level::Revote).speeches {
        let role = finished.game.role(without.by);
        let counsel = matches!(role, Some("PROSECUTOR" | "DEFENSE"));
        assert!(counsel || without.decisions.is_empty() && without.leans.is_empty(), "{role:?} {without:?}");
    }
    let rows = finished.rows();
    let early = influence::<Trial>(finished.game.id, finished.seed, &rows[..rows.len() - 2], Level::Revote);
    assert_eq!(early, Err(Unknown::GoesOn));
}
