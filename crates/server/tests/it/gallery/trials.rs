//! Trials played through the real rules, for pages to show.

use super::plays::NOW;
use engine::chance::Seed;
use engine::game::{Command, Game, Logged};
use engine::id::{AccountId, GameId, Seat};
use engine::parts::transcript::Entry;
use engine::roster::{Holder, TableCommand, Terms};
use engine::rules::{Actor, Rules, Viewer};
use engine::time::Timestamp;
use games::trial::{Trial, View};
use serde_json::json;
use uuid::Uuid;

const EN: [&str; 6] = ["Ines Abara", "Bram", "Mei-Lin", "Otto Wagenknecht-Sörensen", "Hypatia", "Noor"];
const KO: [&str; 6] = ["김지우", "하늘", "박서연", "도윤이네 고양이", "Minjun", "나래"];

/// The seats that house minds take.
const HOUSE: [usize; 2] = [1, 3];

pub struct Trying {
    pub game: Game<Trial>,
    pub entries: Vec<Entry>,
    log: Vec<Logged>,
    seed: Seed,
    now: Timestamp,
}

impl Trying {
    /// A table at which this many sit, house minds in the seats of [`HOUSE`]. With six it has begun.
    pub fn table(ko: bool, number: u128, seated: usize) -> Trying {
        let setup = Trial::setup(&json!({"lang": if ko { "ko" } else { "en" }})).expect("valid");
        let id = GameId(Uuid::from_u128(0x0190_4f2a_0000_7000_8000_0000_0000_0000 | (number * 0x1_0203_0405)));
        let now = Timestamp(NOW.0 - 900_000);
        let seed = Seed::chosen(&format!("gallery {number}"));
        let (game, first) = Game::found(id, seed, setup, Terms::default(), now);
        let mut trying = Trying { game, entries: vec![], log: vec![], seed, now };
        trying.keep(vec![first]);
        for (index, name) in (if ko { KO } else { EN }).into_iter().enumerate().take(seated) {
            let command = if !HOUSE.contains(&index) {
                let holder = Holder::Account(AccountId(Uuid::from_u128(index as u128 + 1)));
                TableCommand::Sit { name: name.into(), holder }
            } else {
                TableCommand::Fill { names: vec![name.into()] }
            };
            trying.ask(Actor::Host, Command::Table(command));
        }
        trying
    }

    fn keep(&mut self, logged: Vec<Logged>) {
        self.log.extend(logged.iter().cloned());
        for row in logged {
            let entry = row.line.map(|line| Entry { seq: row.mark.seq, at: row.mark.at, name: row.name.into(), line });
            self.entries.extend(entry);
        }
    }

    fn ask(&mut self, actor: Actor, command: Command<games::trial::Act>) {
        self.now = self.now.plus_s(3);
        let logged = self.game.apply(actor, &command, self.now).expect("the gallery plays by the rules");
        self.keep(logged);
    }

    /// The next awaited seat says what a house mind would.
    fn step(&mut self) {
        let Some(Actor::Seat(seat)) = self.game.turns().first().map(|turn| turn.who) else { return };
        let body = self.game.mind(seat, &self.entries);
        self.ask(Actor::Seat(seat), Command::Act(Trial::act(&body).expect("an act")));
    }

    /// This many speeches, each by the next awaited seat.
    pub fn speak(mut self, times: usize) -> Trying {
        (0..times).for_each(|_| self.step());
        self
    }

    /// Everything up to the vote.
    pub fn until_vote(mut self) -> Trying {
        while self.game.status() != "jury_vote" {
            self.step();
        }
        self
    }

    pub fn vote(mut self, votes: usize) -> Trying {
        for verdict in ["GUILTY", "NOT_GUILTY", "GUILTY"].into_iter().take(votes) {
            let who = self.game.turns().first().expect("jurors are awaited").who;
            self.ask(who, Command::Act(Trial::act(&json!({"type": "vote", "verdict": verdict})).expect("an act")));
        }
        self
    }

    /// To the end.
    pub fn whole(self) -> Trying {
        let mut trying = self.until_vote().vote(3);
        while !trying.game.turns().is_empty() {
            trying.step();
        }
        trying
    }

    pub fn view(&self, viewer: Viewer) -> View {
        self.game.view(viewer, &self.entries)
    }

    /// A spectator's view right after that event.
    pub fn view_at(&self, seq: u64) -> View {
        let first = &self.log[0];
        let (mut game, _) =
            Game::<Trial>::replay_first(self.game.id, self.seed, first.mark.at, &first.body, first.hash).expect("ours");
        for row in self.log.iter().skip(1).take_while(|row| row.mark.seq.0 <= seq) {
            game.replay(row.mark, row.body.clone(), row.hash).expect("ours");
        }
        let past: Vec<Entry> = self.entries.iter().filter(|entry| entry.seq.0 <= seq).cloned().collect();
        game.view(Viewer::Spectator, &past)
    }

    /// A seat that is awaited and is not a house mind's.
    pub fn awaited(&self) -> Viewer {
        let turns = self.game.turns();
        let person =
            |seat: &Seat| turns.iter().any(|turn| turn.who == Actor::Seat(*seat)) && !HOUSE.contains(&seat.index());
        Viewer::Seat((0..self.game.roster().len()).map(Seat::at).find(person).expect("somebody is awaited"))
    }

    pub fn is_awaited(&self, agent_id: &str) -> bool {
        let seat = self.game.roster().seat_of(self.game.id, agent_id).expect("seated");
        self.game.turns().iter().any(|turn| turn.who == Actor::Seat(seat))
    }

    pub fn seat_of(&self, role: &str) -> Seat {
        let view = self.view(Viewer::Spectator);
        let index = view.participants.iter().position(|one| one.role == Some(role)).expect("all roles are dealt");
        Seat::at(index)
    }
}
