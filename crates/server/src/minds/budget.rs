//! What models may cost. A call is paid for before it is made, at the most it can cost; what it did not need is given back. So no
//! limit is passed, however many calls are under way.

use super::choice::{Micros, MindSettings};
use super::wire::{Code, Failure};
use crate::house::House;
use crate::live::Table;
use crate::store::traces;
use engine::id::GameId;
use std::collections::HashMap;
use std::sync::Mutex;

/// Everybody's spending.
#[derive(Default)]
pub struct Budget(Mutex<Accounts>);

#[derive(Default)]
struct Accounts {
    /// Which day it is, and what it has cost; nothing before the first look.
    today: Option<(i64, Micros)>,
    /// What is set aside, in all and for each game with calls under way.
    set_aside: i64,
    games: HashMap<GameId, i64>,
}

/// Money set aside for one call. Given back when it is dropped; what was spent is in the store by then.
pub struct SetAside {
    house: House,
    game: GameId,
    most: Micros,
}

impl Budget {
    /// Sets aside the most that a call can cost, or says which limit it would pass.
    pub fn set_aside(house: &House, table: &Table, most: Micros) -> Result<SetAside, Failure> {
        let MindSettings { limit_game, limit_day, .. } = house.settings.minds;
        let now = house.now();
        let no = table.no;
        let mut accounts = house.minds.budget.0.lock().expect("no holder panics");
        let read = house.store.read_now(|db| Ok((traces::sum(db, no)?.cost, traces::spent_on_day(db, now)?)));
        let (game_spent, stored) = read.map_err(|_| Failure::new(Code::Budget, "What was spent cannot be read."))?;
        let today = traces::day(now);
        let day_spent = match accounts.today {
            Some((day, spent)) if day == today => spent.max(stored),
            Some(_) | None => stored,
        };
        accounts.today = Some((today, day_spent));
        let game_aside = accounts.games.get(&table.id).copied().unwrap_or(0);
        let over = |spent: Micros, aside: i64, limit: Micros| spent.0 + aside + most.0 > limit.0;
        if over(game_spent, game_aside, limit_game) {
            return Err(Failure::new(Code::Budget, format!("The game's limit of {limit_game} is reached.")));
        }
        if over(day_spent, accounts.set_aside, limit_day) {
            return Err(Failure::new(Code::Budget, format!("The day's limit of {limit_day} is reached.")));
        }
        accounts.set_aside += most.0;
        *accounts.games.entry(table.id).or_default() += most.0;
        Ok(SetAside { house: house.clone(), game: table.id, most })
    }
}

impl Drop for SetAside {
    fn drop(&mut self) {
        let mut accounts = self.house.minds.budget.0.lock().expect("no holder panics");
        accounts.set_aside -= self.most.0;
        let left = accounts.games.get(&self.game).map_or(0, |aside| aside - self.most.0);
        if left > 0 {
            accounts.games.insert(self.game, left);
        } else {
            accounts.games.remove(&self.game);
        }
    }
}
