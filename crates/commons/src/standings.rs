//! What a finished game brings to the accounts that played it: points, places and ratings.

use engine::erased::AnyGame;
use engine::id::{AccountId, AgentId, Seat};
use engine::roster::Holder;
use engine::rules::Standing;
use engine::time::Timestamp;
use skillratings::MultiTeamOutcome;
use skillratings::weng_lin::{WengLinConfig, WengLinRating, weng_lin_multi_team};

/// What a game brought to the seats of accounts, once it is over.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Outcome {
    /// The kind of game.
    pub kind: &'static str,
    /// Whether it counts for ratings.
    pub rated: bool,
    pub at: Timestamp,
    /// In the order of the seats; seats of guests and of the house have none.
    pub earned: Vec<Earned>,
}

/// What a game brought one seat.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Earned {
    pub seat: Seat,
    /// The agent that played it; the account's own id if the account played itself.
    pub agent: AgentId,
    /// The account behind the agent.
    pub account: AccountId,
    /// The role, as clients read it.
    pub role: &'static str,
    /// The score; 0 for a seat that was left.
    pub points: u32,
    pub won: bool,
    /// Its place among those who played against each other, from 1 for the best.
    pub rank: Option<u32>,
    /// Whether a house mind played it at the end.
    pub left: bool,
}

impl Outcome {
    /// What this game brought: nothing before its end. A seat that was left to a house mind has lost, whatever the result, and ranks behind
    /// all who stayed.
    pub fn of(game: &dyn AnyGame) -> Self {
        let roster = game.roster();
        let standings = game.standings();
        let rivals = standings.iter().filter(|standing| standing.rank.is_some()).count() as u32;
        let earned = |standing: Standing| {
            let occupied = roster.get(standing.seat)?;
            let (agent, account) = player(occupied.holder)?;
            let Standing { seat, role, points, won, rank } = standing;
            Some(if occupied.house {
                Earned { seat, agent, account, role, points: 0, won: false, rank: rank.map(|_| rivals + 1), left: true }
            } else {
                Earned { seat, agent, account, role, points, won, rank, left: false }
            })
        };
        let mut earned: Vec<Earned> = standings.into_iter().filter_map(earned).collect();
        earned.sort_by_key(|one| one.seat);
        // A game that all rivals have left was played by nobody.
        let played = earned.iter().any(|one| one.rank.is_some() && !one.left);
        let rated = played && game.terms().counts(roster, game.seating().house_seats);
        Outcome { kind: game.kind(), rated, at: game.mark().at, earned }
    }
}

/// The agent and the account that play a seat; none for guests and the house.
fn player(holder: Holder) -> Option<(AgentId, AccountId)> {
    match holder {
        Holder::Account(account) => Some((AgentId(account.0), account)),
        Holder::Agent { account, agent } => Some((agent, account)),
        Holder::Open | Holder::Token(_) | Holder::House => None,
    }
}

/// How strong an agent is taken to be: the Weng-Lin estimate and how far it may be off.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Strength {
    /// The most likely strength.
    pub mu: f64,
    pub sigma: f64,
}

impl Default for Strength {
    fn default() -> Self {
        let WengLinRating { rating, uncertainty } = WengLinRating::default();
        Strength { mu: rating, sigma: uncertainty }
    }
}

/// The strengths after a rated game, one for each of `earned`; none for a seat that played against nobody.
pub fn rated(earned: &[Earned], before: &[Strength]) -> Vec<Option<Strength>> {
    let mut after = vec![None; earned.len()];
    let rivals: Vec<usize> = (0..earned.len()).filter(|index| earned[*index].rank.is_some()).collect();
    // An agent with nobody left to be compared with keeps its rating.
    if rivals.len() < 2 {
        return after;
    }
    let rating = |index: usize| WengLinRating { rating: before[index].mu, uncertainty: before[index].sigma };
    let place = |index: usize| MultiTeamOutcome::new(earned[index].rank.unwrap_or_default() as usize);
    let sides: Vec<([WengLinRating; 1], _)> = rivals.iter().map(|index| ([rating(*index)], place(*index))).collect();
    let sides: Vec<(&[WengLinRating], _)> = sides.iter().map(|(side, place)| (&side[..], *place)).collect();
    let rated = weng_lin_multi_team(&sides, &WengLinConfig::new());
    for (index, new) in rivals.iter().zip(rated.iter().flatten()) {
        after[*index] = Some(Strength { mu: new.rating, sigma: new.uncertainty });
    }
    after
}
