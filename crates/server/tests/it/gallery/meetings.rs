//! Meetings on mercury played through the real rules, for pages to show.

use super::plays::NOW;
use engine::chance::Seed;
use engine::game::{Command, Game, Logged, heard};
use engine::id::{GameId, Seat};
use engine::parts::transcript::Entry;
use engine::roster::{Holder, TableCommand, Terms};
use engine::rules::{Actor, Rules, Viewer};
use engine::time::Timestamp;
use games::mercury::{Mercury, SEATS, View};
use serde_json::{Value, json};
use uuid::Uuid;

/// More steps than a meeting has.
const STEPS_MAX: usize = 2_000;

pub struct Meet {
    pub game: Game<Mercury>,
    pub entries: Vec<Entry>,
    log: Vec<Logged>,
    seed: Seed,
    now: Timestamp,
}

impl Meet {
    /// A table at which so many sit, the player first. With nine it has begun.
    pub fn table(ko: bool, number: u128, seated: usize) -> Meet {
        let setup = Mercury::setup(&json!({"lang": if ko { "ko" } else { "en" }})).expect("valid");
        let id = GameId(Uuid::from_u128(0x0190_4f2a_0000_7000_8000_0000_0000_0000 | (number * 0x1_0203_0405)));
        let now = Timestamp(NOW.0 - 900_000);
        let seed = Seed::chosen(&format!("gallery {number}"));
        let (game, first) = Game::found(id, seed, setup, Terms::default(), now);
        let mut meet = Meet { game, entries: vec![], log: vec![], seed, now };
        meet.keep(vec![first]);
        let name = if ko { "김지우" } else { "Ines Abara" };
        meet.ask(Actor::Host, Command::Table(TableCommand::Sit { name: name.into(), holder: Holder::Open }));
        let names = (1..seated).map(|n| format!("House {n}").into()).collect();
        meet.ask(Actor::Host, Command::Table(TableCommand::Fill { names }));
        meet
    }

    /// A meeting of nine whose player leads this delegation.
    pub fn of(ko: bool, number: u128, role: &str) -> Meet {
        Meet::table(ko, number, SEATS).act(json!({"type": "ROLE_CONFIRMED", "human_role_id": role}))
    }

    fn keep(&mut self, logged: Vec<Logged>) {
        self.log.extend(logged.iter().cloned());
        for row in logged {
            let entry = row.line.map(|line| Entry { seq: row.mark.seq, at: row.mark.at, name: row.name.into(), line });
            self.entries.extend(entry);
        }
    }

    fn ask(&mut self, actor: Actor, command: Command<games::mercury::Act>) {
        self.now = self.now.plus_s(3);
        let logged = self.game.apply(actor, &command, self.now).expect("the gallery plays by the rules");
        self.keep(logged);
    }

    /// The player does this.
    pub fn act(mut self, body: Value) -> Meet {
        self.ask(Actor::Seat(Seat(0)), Command::Act(Mercury::act(&body).expect("an act")));
        self
    }

    /// House minds play every seat until this is so.
    pub fn until(mut self, so: impl Fn(&View) -> bool) -> Meet {
        for _ in 0..STEPS_MAX {
            let Some(turn) = self.game.turns().into_iter().next().filter(|_| !so(&self.view(Viewer::Seat(Seat(0)))))
            else {
                return self;
            };
            let Actor::Seat(seat) = turn.who else { return self };
            let said = heard(Viewer::Seat(seat), &self.entries).into_owned();
            let body = self.game.mind(seat, &said);
            self.ask(turn.who, Command::Act(Mercury::act(&body).expect("an act")));
        }
        panic!("it never came to that");
    }

    pub fn at(self, status: &str) -> Meet {
        self.until(|view| view.status == status)
    }

    /// Until the player may do this.
    pub fn asks(self, event: &str) -> Meet {
        self.until(|view| view.allowed_events.contains(&event))
    }

    pub fn heard(&self, viewer: Viewer) -> Vec<Entry> {
        heard(viewer, &self.entries).into_owned()
    }

    pub fn view(&self, viewer: Viewer) -> View {
        self.game.view(viewer, &self.heard(viewer))
    }

    /// A spectator's view right after that event.
    pub fn view_at(&self, seq: u64) -> View {
        let first = &self.log[0];
        let (mut game, _) =
            Game::<Mercury>::replay_first(self.game.id, self.seed, first.mark.at, &first.body, first.hash)
                .expect("ours");
        for row in self.log.iter().skip(1).take_while(|row| row.mark.seq.0 <= seq) {
            game.replay(row.mark, row.body.clone(), row.hash).expect("ours");
        }
        let past: Vec<Entry> = self.heard(Viewer::Spectator).into_iter().filter(|entry| entry.seq.0 <= seq).collect();
        game.view(Viewer::Spectator, &past)
    }
}
