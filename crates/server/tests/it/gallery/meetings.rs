//! Meetings on mercury played through the real rules, for pages to show.

use super::plays::NOW;
use super::{frame, refusal};
use askama::Template;
use engine::chance::Seed;
use engine::game::{Command, Game, Logged, heard};
use engine::id::{GameId, Seat};
use engine::parts::transcript::Entry;
use engine::roster::{Holder, Lang, TableCommand, Terms};
use engine::rules::{Actor, Rules, Viewer};
use engine::time::Timestamp;
use games::mercury::{Mercury, SEATS, View};
use moot::locale::Words;
use moot::pages::mercury::body::{MercuryBody, MercuryReplay};
use moot::pages::shared::faces;
use moot::pages::shared::table::{May, TablePage};
use moot::pages::shared::timeline::ReplayPage;
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
    /// A table at which this many sit, the player first. With nine it has begun.
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

    /// House minds play every seat until this holds.
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

    /// Plays until the player may send this event.
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

fn meeting(lang: Lang, meet: &Meet, viewer: Viewer, change: impl FnOnce(&mut MercuryBody)) -> String {
    let mut meeting = MercuryBody::new(Words(lang), meet.view(viewer), &meet.heard(viewer), None);
    meeting.around.sitters = moot::pages::shared::people::Sitter::all(meet.game.id, meet.game.roster());
    meeting.around.invite_url = format!("https://moot.example/games/{}", meet.game.id);
    change(&mut meeting);
    let frame = frame(lang, &meeting.heading(), "/games/x");
    TablePage {
        frame,
        styles: faces::of("mercury").look.styles,
        sells: false,
        body: meeting.render().expect("rendered"),
    }
    .render()
    .expect("rendered")
}

/// The page of a meeting in its main states.
pub fn pages(lang: Lang) -> Vec<(String, String)> {
    let ko = lang == Lang::Ko;
    let mut pages = vec![];
    let mut add = |name: &str, html: String| pages.push((name.to_owned(), html));
    let (mine, spectator) = (Viewer::Seat(engine::id::Seat(0)), Viewer::Spectator);
    let canada = || Meet::of(ko, 51, "CAN");
    let waiting = Meet::table(ko, 51, 3);
    add(
        "waiting",
        meeting(lang, &waiting, spectator, |m| m.around.may = May { sit: true, fill: true, ..May::default() }),
    );
    add("role", meeting(lang, &Meet::table(ko, 51, 9), mine, |_| {}));
    add("opening", meeting(lang, &canada().asks("HUMAN_OPENING_STATEMENT"), mine, |_| {}));
    add("openings", meeting(lang, &canada().until(|view| view.round1.cursor == 7), mine, |_| {}));
    add("partner", meeting(lang, &canada().at("ROUND_2_SELECT_CONVO_1"), mine, |_| {}));
    let talking = canada().until(|view| view.round2.convo1.as_ref().is_some_and(|talk| talk.ai_turns_used == 2));
    add("room", meeting(lang, &talking, mine, |_| {}));
    let called = canada().until(|view| view.round2.active_convo_index.is_some() && view.called_role_id.is_some());
    add("room-wait", meeting(lang, &called, mine, |_| {}));
    add("room-watched", meeting(lang, &talking, spectator, |_| {}));
    add("partner-2", meeting(lang, &canada().at("ROUND_2_SELECT_CONVO_2"), mine, |_| {}));
    add("issue", meeting(lang, &canada().at("ROUND_3_SETUP"), mine, |_| {}));
    add("intro", meeting(lang, &canada().at("ISSUE_INTRO"), mine, |_| {}));
    let debating = canada().until(|view| view.votes.len() == 2).asks("HUMAN_DEBATE_MESSAGE");
    let long = "x".repeat(1201);
    add("debate", meeting(lang, &debating, mine, |_| {}));
    add(
        "debate-refused",
        meeting(lang, &debating, mine, |m| {
            let sentence = "The field \"text\" has 1201 characters; at most 1200 are allowed.";
            m.around.again = refusal("INVALID_BODY", "text", sentence, &[("text", &long)]);
        }),
    );
    let called = debating.until(|view| view.status == "ISSUE_DEBATE_ROUND_2" && view.called_role_id.is_some());
    add("called", meeting(lang, &called, mine, |_| {}));
    add("called-watched", meeting(lang, &called, spectator, |_| {}));
    let voting = called.asks("HUMAN_VOTE");
    add("vote", meeting(lang, &voting, mine, |_| {}));
    add("result", meeting(lang, &voting.at("ISSUE_RESOLUTION"), mine, |_| {}));
    let whole = canada().at("REVIEW");
    add("review", meeting(lang, &whole, mine, |_| {}));
    let all = whole.heard(spectator);
    for (name, share) in [("replay-middle", 2), ("replay", 1)] {
        let at = MercuryReplay::moment(&all, Some(all[all.len() / share - 1].seq.0));
        let replay = MercuryReplay::new(Words(lang), whole.view_at(at), &all, at);
        let frame = frame(lang, &Words(lang).t("replay"), "/games/x/replay");
        let body = replay.render().expect("rendered");
        add(name, ReplayPage { frame, styles: faces::of("mercury").look.styles, body }.render().expect("rendered"));
    }
    pages
}
