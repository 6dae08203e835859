//! Tribunals played through the real rules, for pages to show.

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
use games::tribunal::{Act, SEATS, Tribunal, View};
use moot::corpus::treasury::Pay;
use moot::locale::Words;
use moot::pages::shared::faces;
use moot::pages::shared::table::{May, TablePage};
use moot::pages::shared::timeline::ReplayPage;
use moot::pages::tribunal::body::{TribunalBody, TribunalReplay};
use serde_json::{Value, json};
use uuid::Uuid;

/// More steps than a tribunal has.
const STEPS_MAX: usize = 200;
/// How many tables are tried until one reaches the wanted status.
const TABLES_MAX: u128 = 40;
const NUMBER: u128 = 7_100;
const PROSECUTOR: Viewer = Viewer::Seat(Seat(1));
const ACCUSED: Viewer = Viewer::Seat(Seat(2));

pub struct Tried {
    pub game: Game<Tribunal>,
    pub entries: Vec<Entry>,
    log: Vec<Logged>,
    seed: Seed,
    now: Timestamp,
}

impl Tried {
    /// A table at which this many sit, the bench first. With three it has begun.
    pub fn table(ko: bool, number: u128, case: &str, open: bool, seated: usize) -> Tried {
        let options = json!({"lang": if ko { "ko" } else { "en" }, "case_id": case, "open": open});
        let setup = Tribunal::setup(&options).expect("valid");
        let id = GameId(Uuid::from_u128(0x0190_4f2a_0000_7000_8000_0000_0000_0000 | (number * 0x1_0203_0405)));
        let now = Timestamp(NOW.0 - 900_000);
        let seed = Seed::chosen(&format!("gallery {number}"));
        let (game, first) = Game::found(id, seed, setup, Terms::default(), now);
        let mut tried = Tried { game, entries: vec![], log: vec![], seed, now };
        tried.keep(vec![first]);
        let bench = if ko { "재판부" } else { "The bench" };
        tried.ask(Actor::Host, Command::Table(TableCommand::Fill { names: vec![bench.into()] }));
        let names = if ko { ["김지우", "하늘"] } else { ["Ines Abara", "Marlow"] };
        tried.sit(&names[..seated.saturating_sub(1)]);
        tried
    }

    /// An open trial of John Law between two players with these names.
    fn named(ko: bool, number: u128, names: [&str; 2]) -> Tried {
        let mut tried = Tried::table(ko, number, "john_law", true, 1);
        tried.sit(&names);
        tried
    }

    fn sit(&mut self, names: &[&str]) {
        for name in names {
            self.ask(Actor::Host, Command::Table(TableCommand::Sit { name: (*name).into(), holder: Holder::Open }));
        }
    }

    fn keep(&mut self, logged: Vec<Logged>) {
        self.log.extend(logged.iter().cloned());
        for row in logged {
            let entry = row.line.map(|line| Entry { seq: row.mark.seq, at: row.mark.at, name: row.name.into(), line });
            self.entries.extend(entry);
        }
    }

    fn ask(&mut self, actor: Actor, command: Command<Act>) {
        self.now = self.now.plus_s(3);
        let logged = self.game.apply(actor, &command, self.now).expect("the gallery plays by the rules");
        self.keep(logged);
    }

    /// House minds play every seat until this holds.
    pub fn until(mut self, so: impl Fn(&View) -> bool) -> Tried {
        for _ in 0..STEPS_MAX {
            let Some(turn) = self.game.turns().into_iter().next().filter(|_| !so(&self.view(PROSECUTOR))) else {
                return self;
            };
            let body = match turn.who {
                Actor::Seat(seat) => self.game.mind(seat, &heard(Viewer::Seat(seat), &self.entries)),
                Actor::Host | Actor::Clock => json!({"type": "recall"}),
            };
            self.act(turn.who, &body);
        }
        panic!("it never came to that");
    }

    fn act(&mut self, who: Actor, body: &Value) {
        self.ask(who, Command::Act(Tribunal::act(body).expect("an act")));
    }

    /// Plays until the exchange with this number is to begin.
    pub fn exchange(self, number: u8) -> Tried {
        self.until(|view| view.exchange == number && view.status == "attack")
    }

    pub fn at(self, status: &str) -> Tried {
        self.until(|view| view.status == status)
    }

    /// The first of these tables that reaches this status.
    pub fn first(table: impl Fn(u128) -> Tried, status: &str) -> Tried {
        let mut tables = (NUMBER..NUMBER + TABLES_MAX).map(|number| table(number).at(status));
        tables.find(|tried| tried.game.status() == status).expect("one of so many comes to that")
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
            Game::<Tribunal>::replay_first(self.game.id, self.seed, first.mark.at, &first.body, first.hash)
                .expect("ours");
        for row in self.log.iter().skip(1).take_while(|row| row.mark.seq.0 <= seq) {
            game.replay(row.mark, row.body.clone(), row.hash).expect("ours");
        }
        let past: Vec<Entry> = self.heard(Viewer::Spectator).into_iter().filter(|entry| entry.seq.0 <= seq).collect();
        game.view(Viewer::Spectator, &past)
    }
}

fn paid(paid: i64) -> Pay {
    Pay::Paid { paid, a_day_max: 300 }
}

fn hearing(lang: Lang, tried: &Tried, viewer: Viewer, change: impl FnOnce(&mut TribunalBody)) -> String {
    let mut hearing = TribunalBody::new(Words(lang), tried.view(viewer), &tried.heard(viewer), None);
    hearing.around.sitters = moot::pages::shared::people::Sitter::all(tried.game.id, tried.game.roster());
    hearing.around.invite_url = format!("https://moot.example/games/{}", tried.game.id);
    change(&mut hearing);
    let frame = frame(lang, &hearing.heading(), "/games/x");
    TablePage {
        frame,
        styles: faces::of("tribunal").look.styles,
        sells: true,
        body: hearing.render().expect("rendered"),
    }
    .render()
    .expect("rendered")
}

fn replay(lang: Lang, whole: &Tried, share: usize) -> String {
    let all = whole.heard(Viewer::Spectator);
    let at = TribunalReplay::moment(&all, Some(all[all.len() / share - 1].seq.0));
    let replay = TribunalReplay::new(Words(lang), whole.view_at(at), &all, at);
    let frame = frame(lang, &Words(lang).t("replay"), "/games/x/replay");
    ReplayPage { frame, styles: faces::of("tribunal").look.styles, body: replay.render().expect("rendered") }
        .render()
        .expect("rendered")
}

/// The page of a tribunal in its main states.
pub fn pages(lang: Lang) -> Vec<(String, String)> {
    let ko = lang == Lang::Ko;
    let mut pages = vec![];
    let mut add = |name: &str, html: String| pages.push((name.to_owned(), html));
    let spectator = Viewer::Spectator;
    let law = |open| Tried::table(ko, 71, "john_law", open, SEATS);
    let sit = May { sit: true, fill: true, ..May::default() };
    add("waiting", hearing(lang, &Tried::table(ko, 71, "john_law", false, 1), spectator, |h| h.around.may = sit));
    let waiting = Tried::table(ko, 71, "john_law", false, 2);
    add("waiting-accused", hearing(lang, &waiting, spectator, |h| h.around.may = sit));
    add("attack-first", hearing(lang, &law(false), PROSECUTOR, |_| {}));
    add("attack-draft", hearing(lang, &law(false), PROSECUTOR, |h| h.draft_of = Some("orleans".into())));
    let third = law(false).exchange(3);
    add("attack", hearing(lang, &third, PROSECUTOR, |_| {}));
    add(
        "attack-refused",
        hearing(lang, &third, PROSECUTOR, |h| {
            let sentence = "The field \"text\" has 9 characters; write at least 20.";
            let draft = [("text", "Too short"), ("character_id", "orleans")];
            h.around.again = refusal("INVALID_BODY", "text", sentence, &draft);
        }),
    );
    add("wait", hearing(lang, &third.at("answer"), PROSECUTOR, |_| {}));
    let mut remembered = law(true).exchange(2).at("answer");
    remembered.act(Actor::Clock, &json!({"type": "recall"}));
    add("answering", hearing(lang, &remembered, ACCUSED, |_| {}));
    let burden = Tried::first(|number| Tried::table(ko, number, "john_law", false, SEATS), "burden");
    add("burden", hearing(lang, &burden, ACCUSED, |_| {}));
    add(
        "burden-refused",
        hearing(lang, &burden, ACCUSED, |h| {
            let sentence = "The field \"evidence\" must name 1 to 4 facts.";
            let draft = [("type", "prove"), ("text", "The sums speak for themselves."), ("evidence", "E1")];
            h.around.again = refusal("INVALID_BODY", "evidence", sentence, &draft);
        }),
    );
    add("burden-watched", hearing(lang, &burden, spectator, |_| {}));
    for (name, open) in [("open", true), ("closed", false)] {
        let middle = Tried::first(|number| Tried::table(ko, number, "john_law", open, SEATS).exchange(3), "burden");
        add(&format!("watched-{name}"), hearing(lang, &middle, spectator, |h| h.around.demo = open));
        let whole = law(open).at("completed");
        let brought = |h: &mut TribunalBody| h.pay = open.then(|| paid(h.view.ia_won.into()));
        add(&format!("end-{name}"), hearing(lang, &whole, if open { PROSECUTOR } else { spectator }, brought));
        add(&format!("replay-{name}"), replay(lang, &whole, 1));
        add(&format!("replay-middle-{name}"), replay(lang, &whole, 2));
    }
    let mut nasty = Tried::named(ko, 75, ["<script>alert(1)</script>", "\"' onload=x"]);
    let words = "<img src=x onerror=alert(1)> \"quoted\" & 'single' </blockquote><script>alert(2)</script>";
    nasty.act(Actor::Seat(Seat(1)), &json!({"type": "argue", "character_id": "law", "text": words}));
    nasty.act(Actor::Clock, &json!({"type": "recall"}));
    nasty.act(Actor::Seat(Seat(2)), &json!({"type": "answer", "text": words}));
    add("nasty", hearing(lang, &nasty, spectator, |_| {}));
    let ends = [
        (72, "john_locke", paid(1)),
        (73, "robert_clive", paid(-5)),
        (74, "thomas_midgley", Pay::Unpaid),
        (76, "john_law", Pay::Guest),
    ];
    for (number, case, pay) in ends {
        let whole = Tried::table(ko, number, case, true, SEATS).at("completed");
        add(&format!("end-{case}"), hearing(lang, &whole, PROSECUTOR, |h| h.pay = Some(pay)));
    }
    pages
}
