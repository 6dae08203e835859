//! The courtroom as a picture: bench, bar and jury box, from the view alone, so that it says nothing the view does not.

use crate::locale::Words;
use crate::pages::shared::people::Person;
use crate::pages::trial::record::{people, verdict_class};
use crate::pages::trolley::board::{Size, classes, fitted, font_share, n};
use askama::Template;
use games::trial::{SEATS, View};

const HEIGHT: u32 = 258;
/// The row in which people wait for their roles: its first seat, the distance between two, and how high it stands.
const ROW: (f32, f32, f32) = (50.0, 60.0, 150.0);
/// The beam of the scales: its left and right end, how high it is when level, and how far an end sinks.
const BEAM: (f32, f32, f32) = (168.0, 232.0, 116.0);
const SINKS: f32 = 8.0;
/// Where the jurors sit.
const JURY_X: [f32; 3] = [108.0, 200.0, 292.0];

#[derive(Template, Clone, Debug)]
#[template(path = "trial/courtroom.html")]
pub struct Courtroom {
    id: String,
    /// Whether it is described in words, for those who do not see it.
    full: bool,
    height: u32,
    title: String,
    desc: String,
    /// Whether the roles are dealt; before that nobody is at the bar.
    dealt: bool,
    seats: Vec<Place>,
    vacant: Vec<(String, String)>,
    /// The left and the right end of the beam.
    scales: [(String, String); 2],
    /// `guilty` or `not_guilty`, and its word.
    verdict: Option<(&'static str, String)>,
}

#[derive(Clone, Debug)]
struct Place {
    agent: String,
    class: String,
    role: &'static str,
    at: (String, String),
    mark: String,
    font: String,
    title: String,
    /// Name and role below the token: how far below, and what.
    lines: Vec<(f32, &'static str, String)>,
    done: bool,
    awaited: bool,
    house: bool,
    card: Option<Card>,
}

/// A vote on the rail of the jury box.
#[derive(Clone, Debug)]
enum Card {
    /// There is room for one.
    Slot,
    Down,
    /// Turned over: its class and its word.
    Up(&'static str, String),
}

impl Courtroom {
    /// Draws the view. `id` must be unique on the page.
    pub fn draw(w: &Words, view: &View, size: Size, id: &str) -> Courtroom {
        let people = people(view);
        let dealt = people.iter().any(|person| !person.role.is_empty());
        let named = size == Size::Full;
        let mut jurors = JURY_X.into_iter();
        let seats = people.iter().enumerate().map(|(index, person)| {
            let at = match person.role {
                "judge" => (200.0, 32.0),
                "prosecutor" => (72.0, 112.0),
                "defense" => (328.0, 112.0),
                "juror" => (jurors.next().unwrap_or(JURY_X[2]), 192.0),
                _ => (ROW.0 + ROW.1 * index as f32, ROW.2),
            };
            place(w, view, person, at, named)
        });
        let verdict = verdict(view);
        Courtroom {
            id: id.to_owned(),
            full: size == Size::Full,
            height: HEIGHT,
            title: w.t("court-title"),
            desc: describe(w, view, &people),
            dealt,
            seats: seats.collect(),
            vacant: (if dealt { SEATS } else { people.len() }..SEATS)
                .map(|index| (n(ROW.0 + ROW.1 * index as f32), n(ROW.2)))
                .collect(),
            scales: scales(verdict),
            verdict: verdict.map(|found| (found, w.of("verdict", found))),
        }
    }
}

/// What the jury found, once its votes are counted.
pub fn verdict(view: &View) -> Option<&'static str> {
    let votes: Vec<&str> = view.participants.iter().filter_map(|participant| participant.vote).collect();
    let guilty = votes.iter().filter(|vote| **vote == "GUILTY").count();
    if votes.is_empty() { None } else { Some(if guilty * 2 > votes.len() { "guilty" } else { "not_guilty" }) }
}

/// Whether this role speaks or votes in the phase.
fn has_part(phase: &str, role: &str) -> bool {
    match phase {
        "opening" | "argument" => !role.is_empty(),
        "rebuttal" => matches!(role, "prosecutor" | "defense"),
        "jury_vote" => role == "juror",
        "verdict" => role == "judge",
        _ => false,
    }
}

pub fn awaited(view: &View) -> Vec<Person> {
    let silent = |person: &Person| !submitted(view, &person.id) && has_part(view.phase, person.role);
    people(view).into_iter().filter(silent).collect()
}

/// The id of the seat that spoke last. While the jury votes nobody speaks.
fn speaker(view: &View) -> Option<&str> {
    if view.phase == "jury_vote" {
        return None;
    }
    // The type of a chapter is private to the rules, so its speeches are read from the JSON that clients get.
    let last = serde_json::to_value(view.history.last()?).ok()?;
    let id = last["speeches"].as_array()?.last()?["agent_id"].as_str()?.to_owned();
    view.participants.iter().map(|participant| participant.id.as_str()).find(|one| *one == id)
}

fn submitted(view: &View, id: &str) -> bool {
    view.participants.iter().any(|participant| participant.id == id && participant.submitted)
}

fn place(w: &Words, view: &View, person: &Person, (x, y): (f32, f32), named: bool) -> Place {
    let done = submitted(view, &person.id);
    let awaited = !done && has_part(view.phase, person.role);
    let lit = speaker(view) == Some(person.id.as_str());
    let role = w.of("role", person.role);
    let (room, lines) = match person.role {
        "judge" => (126.0, vec![(43.0, "name"), (56.0, "role")]),
        "juror" => (76.0, vec![(37.0, "name"), (51.0, "role")]),
        "" => (48.0, vec![(35.0, "name")]),
        _ => (92.0, vec![(40.0, "name"), (53.0, "role")]),
    };
    let card = card(w, view, person);
    let line = |(below, what): (f32, &'static str)| {
        let text = if what == "name" { fitted(&person.name, room) } else { role.clone() };
        (below, what, text)
    };
    let shown = lines.into_iter().filter(|(_, what)| named && !(card.is_some() && *what == "role"));
    Place {
        agent: person.id.clone(),
        class: classes(&[
            if person.role.is_empty() { "none" } else { person.role },
            if lit { "lit" } else { "" },
            if awaited { "waited" } else { "" },
            if person.you { "you" } else { "" },
        ]),
        role: person.role,
        at: (n(x), n(y)),
        mark: person.mark.clone(),
        font: n(15.0 * font_share(&person.mark)),
        title: tooltip(w, person, done),
        lines: shown.map(line).collect(),
        done,
        awaited,
        house: person.house,
        card,
    }
}

fn card(w: &Words, view: &View, person: &Person) -> Option<Card> {
    let participant = view.participants.iter().find(|participant| participant.id == person.id)?;
    match (person.role, view.phase, participant.vote) {
        ("juror", _, Some(vote)) => {
            let vote = verdict_class(vote);
            Some(Card::Up(vote, w.of("verdict", vote)))
        }
        ("juror", "jury_vote", None) => Some(if participant.submitted { Card::Down } else { Card::Slot }),
        _ => None,
    }
}

fn scales(verdict: Option<&str>) -> [(String, String); 2] {
    let sunk = match verdict {
        None => 0.0,
        Some("guilty") => SINKS,
        Some(_) => -SINKS,
    };
    [(n(BEAM.0), n(BEAM.2 + sunk)), (n(BEAM.1), n(BEAM.2 - sunk))]
}

fn tooltip(w: &Words, person: &Person, done: bool) -> String {
    let you = if person.you { format!(" ({})", w.t("you")) } else { String::new() };
    let mut more = vec![];
    if !person.role.is_empty() {
        more.push(w.of("role", person.role));
    }
    if person.house {
        more.push(w.t("house-mind"));
    }
    if done {
        more.push(w.t("court-done"));
    }
    let more: String = more.into_iter().map(|part| format!(" · {part}")).collect();
    format!("{}{you}{more}", person.name)
}

fn describe(w: &Words, view: &View, people: &[Person]) -> String {
    let join = |people: Vec<&Person>| people.iter().map(|person| person.name.as_str()).collect::<Vec<_>>().join(", ");
    let of = |role: &str| join(people.iter().filter(|person| person.role == role).collect());
    if of("judge").is_empty() {
        let names = join(people.iter().collect());
        return if names.is_empty() { w.t("court-desc-empty") } else { w.t1("court-desc-waiting", "names", names) };
    }
    let mut told = vec![
        w.t1("court-desc-judge", "name", of("judge")),
        w.t2("court-desc-bar", "prosecutor", of("prosecutor"), "defense", of("defense")),
        w.t1("court-desc-jury", "names", of("juror")),
    ];
    if let Some(found) = verdict(view) {
        for vote in ["guilty", "not_guilty"] {
            let voted = |person: &&Person| {
                view.participants.iter().any(|one| one.id == person.id && one.vote.map(verdict_class) == Some(vote))
            };
            let names = join(people.iter().filter(voted).collect());
            if !names.is_empty() {
                told.push(w.t2("court-desc-voted", "verdict", w.of("verdict", vote), "names", names));
            }
        }
        told.push(w.of("court-desc-found", found));
        return told.join(" ");
    }
    let done = join(people.iter().filter(|person| submitted(view, &person.id)).collect());
    if !done.is_empty() {
        let key = if view.phase == "jury_vote" { "court-desc-sealed" } else { "court-desc-spoke" };
        told.push(w.t1(key, "names", done));
    }
    let silent = awaited(view);
    if !silent.is_empty() {
        told.push(w.t1("court-desc-awaited", "names", join(silent.iter().collect())));
    }
    told.join(" ")
}
