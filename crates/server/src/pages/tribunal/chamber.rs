//! The tribunal as a picture: the bench above, the dock on the left, the prosecution on the right, and twelve jurors who lean to one of
//! them. From the view alone, so that it says nothing the view does not.

use crate::locale::Words;
use crate::pages::shared::people::{Person, is_wide};
use crate::pages::tribunal::record::{charged, name_of, people, signed};
use crate::pages::trolley::board::{Size, classes, fitted, font_share, n};
use askama::Template;
use games::tribunal::{JURORS, Verdict, View};

const HEIGHT: u32 = 248;
/// Where the attacked character stands, and where the others stand behind.
const FRONT: (f32, f32) = (73.0, 73.0);
const BEHIND: [(f32, f32); 3] = [(117.0, 79.0), (29.0, 79.0), (99.0, 55.0)];
/// The line in which the accused stand while nobody is attacked: its middle, the distance between two, and how high it is.
const IN_LINE: (f32, f32, f32) = (73.0, 44.0, 73.0);
const PROSECUTOR: (f32, f32) = (334.0, 74.0);
const BENCH: (f32, f32) = (200.0, 23.0);
/// The jury box: the first juror, the distance between two, and where each row stands.
const BOX: (f32, f32) = (50.0, 60.0);
const ROWS: [f32; 2] = [193.0, 236.0];
const IN_ROW: usize = JURORS / 2;
/// How far a juror tilts for each step that it leans, in degrees.
const TILT: f32 = 6.0;
/// The bar above the box: where it begins, and how wide a twelfth of it is.
const BAR: (f32, f32) = (50.0, 25.0);
/// How many half-wide letters fit in one line of the middle, and how many lines there are.
const LINE_LEN_MAX: usize = 21;
const LINES_MAX: usize = 2;
/// The papers pinned to the dock: the first one, and the distance between two.
const PAPERS: (f32, f32) = (19.0, 15.5);

#[derive(Template, Clone, Debug)]
#[template(path = "tribunal/chamber.html")]
pub struct Chamber {
    id: String,
    height: u32,
    title: String,
    desc: String,
    /// Whether it has names, and is described in words.
    full: bool,
    /// Whether the jurors have not been dealt yet.
    waiting: bool,
    bench: Option<Place>,
    bench_name: String,
    prosecutor: Option<Place>,
    /// Those behind first, so that the one in front is drawn over them.
    dock: Vec<Place>,
    /// The name of the one in front.
    plaque: String,
    /// A sign for each claim: where, its class, the sign.
    papers: Vec<(String, &'static str, &'static str)>,
    /// The lines in the middle of the room: how high, which class, what.
    floor: Vec<(f32, &'static str, String)>,
    jurors: Vec<Juror>,
    /// The twelve twelfths of the bar, from those who acquit to those who condemn.
    bar: Vec<(String, &'static str)>,
    /// How many acquit, are undecided, condemn, in words.
    counts: [String; 3],
}

#[derive(Clone, Debug)]
struct Place {
    agent: String,
    class: String,
    at: (String, String),
    scale: &'static str,
    mark: String,
    font: String,
    title: String,
    name: String,
    awaited: bool,
    house: bool,
}

#[derive(Clone, Debug)]
struct Juror {
    number: usize,
    class: &'static str,
    at: (String, String),
    tilt: String,
    lean: String,
    /// Moved just now: `right` or `left`.
    moved: Option<&'static str>,
    title: String,
}

impl Chamber {
    /// Draws the view. `id` must be unique on the page.
    pub fn draw(w: &Words, view: &View, size: Size, id: &str) -> Chamber {
        let people = people(view);
        let of = |role: &str| people.iter().find(|person| person.role == role);
        let waiting = view.jurors.is_empty();
        let mut leans: Vec<i8> = view.jurors.clone();
        leans.sort_unstable();
        let bench = of("bench").map(|person| place(w, view, person, BENCH, ".86"));
        Chamber {
            id: id.to_owned(),
            height: HEIGHT,
            title: w.t("dock-title"),
            desc: describe(w, view, &people),
            full: size == Size::Full,
            waiting,
            bench_name: bench.as_ref().map_or(String::new(), |bench| fitted(&bench.name, 100.0)),
            bench,
            prosecutor: of("prosecutor").map(|person| place(w, view, person, PROSECUTOR, "1")),
            dock: dock(w, view),
            plaque: fitted(name_of(view, attacked(view).unwrap_or_default()), 122.0),
            papers: papers(view),
            floor: floor(w, view),
            jurors: (0..JURORS).map(|index| juror(w, view, index)).collect(),
            bar: leans
                .iter()
                .enumerate()
                .map(|(index, lean)| (n(BAR.0 + BAR.1 * index as f32), lean_class(*lean)))
                .collect(),
            counts: [
                w.n("count-acquit", view.acquit),
                w.n("count-undecided", view.undecided),
                w.n("count-condemn", view.condemn),
            ],
        }
    }
}

/// The id of the character who is attacked, or was last.
pub fn attacked(view: &View) -> Option<&str> {
    view.exchanges_log.last().map(|exchange| exchange.character_id.as_str())
}

/// The jurors that the last closed exchange moved, and by how much.
pub fn last_closed(view: &View) -> Option<(&[u8], i8)> {
    let last = view.exchanges_log.iter().rev().find(|exchange| exchange.total_shift.is_some())?;
    Some((&last.moved, last.total_shift?))
}

/// `a3` acquits for certain, `u0` is undecided, `c3` condemns for certain.
pub fn lean_class(lean: i8) -> &'static str {
    match lean {
        ..=-3 => "a3",
        -2 => "a2",
        -1 => "a1",
        0 => "u0",
        1 => "c1",
        2 => "c2",
        3.. => "c3",
    }
}

/// What a claim's paper shows.
pub fn sign(status: &str) -> &'static str {
    match status {
        "proved" => "✓",
        "withdrawn" => "↩",
        "struck" => "✕",
        _ => "?",
    }
}

fn dock(w: &Words, view: &View) -> Vec<Place> {
    let characters = view.case.as_ref().map_or(&[][..], |case| &case.characters);
    let front = attacked(view);
    let all: Vec<(&str, Person)> = characters.iter().map(|one| one.id.as_str()).zip(charged(view)).collect();
    let Some(front) = front else {
        let from = IN_LINE.0 - IN_LINE.1 * (all.len().max(1) - 1) as f32 / 2.0;
        let stand = |(index, (_, person)): (usize, &(&str, Person))| {
            let at = (from + IN_LINE.1 * index as f32, IN_LINE.2);
            place(w, view, &Person { id: String::new(), ..person.clone() }, at, "1")
        };
        return all.iter().enumerate().map(stand).collect();
    };
    let others = all.iter().filter(|(id, _)| *id != front).zip(BEHIND);
    let mut places: Vec<Place> = others
        .map(|((_, person), at)| {
            // One seat speaks for all of them, and is shown as the character in front.
            let behind = Person { id: String::new(), you: false, house: false, ..person.clone() };
            let place = place(w, view, &behind, at, ".72");
            Place { class: format!("{} behind", place.class), ..place }
        })
        .collect();
    let first = all.iter().find(|(id, _)| *id == front);
    places.extend(first.map(|(_, person)| place(w, view, person, FRONT, "1")));
    places
}

fn place(w: &Words, view: &View, person: &Person, (x, y): (f32, f32), scale: &'static str) -> Place {
    let awaited = !person.id.is_empty() && view.turn.as_ref().is_some_and(|turn| turn.role == person.role);
    let mut title = vec![person.name.clone(), w.of("role", person.role)];
    title.extend(person.you.then(|| w.t("you")));
    title.extend(person.house.then(|| w.t("house-mind")));
    Place {
        agent: person.id.clone(),
        class: classes(&[
            person.role,
            if awaited { "waited" } else { "" },
            if speaker(view) == Some(person.id.as_str()) { "lit" } else { "" },
            if person.you { "you" } else { "" },
        ]),
        at: (n(x), n(y)),
        scale,
        mark: person.mark.clone(),
        font: n(15.0 * font_share(&person.mark)),
        title: title.join(" · "),
        name: fitted(&person.name, 108.0),
        awaited,
        house: person.house,
    }
}

/// The id of the seat that spoke last: the one before the seat that is awaited.
fn speaker(view: &View) -> Option<&str> {
    let role = match view.status {
        "answer" => "prosecutor",
        "ruling" | "burden_ruling" => "accused",
        "burden" => "bench",
        _ => return None,
    };
    view.participants.iter().find(|one| one.role == role).map(|one| one.id.as_str())
}

fn papers(view: &View) -> Vec<(String, &'static str, &'static str)> {
    let paper = |(index, status): (usize, &'static str)| (n(PAPERS.0 + PAPERS.1 * index as f32), status, sign(status));
    view.commitments.iter().map(|made| made.status).enumerate().map(paper).collect()
}

fn juror(w: &Words, view: &View, index: usize) -> Juror {
    let lean = view.jurors.get(index).copied().unwrap_or(0);
    let number = index + 1;
    let (row, column) = (index / IN_ROW, index % IN_ROW);
    let last = last_closed(view).filter(|(moved, _)| moved.contains(&(number as u8)));
    let moved = last.map(|(_, shift)| if shift > 0 { "right" } else { "left" });
    let mut title = w.t2("juror-leans", "number", number, "lean", lean_words(w, lean));
    if moved.is_some() {
        title = format!("{title} · {}", w.t("juror-moved"));
    }
    Juror {
        number,
        class: if view.jurors.is_empty() { "unseated" } else { lean_class(lean) },
        at: (n(BOX.0 + BOX.1 * column as f32), n(ROWS[row])),
        tilt: n(TILT * f32::from(lean)),
        lean: signed(lean.into()),
        moved,
        title,
    }
}

/// A lean with its sign and its meaning.
pub fn lean_words(w: &Words, lean: i8) -> String {
    let side = match lean {
        0 => return w.t("lean-undecided"),
        1.. => "lean-condemn",
        _ => "lean-acquit",
    };
    w.t1(side, "lean", signed(lean.into()))
}

/// What stands in the middle of the room.
fn floor(w: &Words, view: &View) -> Vec<(f32, &'static str, String)> {
    let mut lines = vec![];
    if let Some(result) = &view.result {
        let verdict = result.verdict.word().to_lowercase();
        lines.push((90.0, "kicker", w.t("the-jury-finds")));
        let class = match result.verdict {
            Verdict::Condemned => "found condemned",
            Verdict::Acquitted => "found acquitted",
            Verdict::Hung => "found hung",
        };
        lines.push((116.0, class, w.of("found", verdict)));
        return lines;
    }
    let Some(now) = view.exchanges_log.last() else {
        if view.case.is_some() {
            lines.push((100.0, "kicker", w.t2("exchange-of", "number", 1, "total", view.exchanges)));
        }
        return lines;
    };
    let kicker = match now.total_shift {
        Some(_) => w.t("exchange-last"),
        None => w.t2("exchange-of", "number", now.exchange, "total", view.exchanges),
    };
    lines.push((81.0, "kicker", kicker));
    let mut y = 81.0;
    let what = if now.consulted { w.t("archive-consulted") } else { now.label.clone() };
    for line in wrapped(&what) {
        y += 15.0;
        lines.push((y, "what", line));
    }
    if now.consulted {
        // A visit to the archive moves no juror.
    } else if let Some(shift) = now.total_shift {
        lines.push((y + 22.0, if shift == 0 { "figure yet" } else { "figure" }, signed(shift.into())));
    } else if let Some(ruling) = &now.ruling {
        lines.push((y + 22.0, "figure yet", signed(ruling.jury_shift.into())));
    }
    lines
}

/// The words in at most two lines, the second cut where it is too long.
fn wrapped(text: &str) -> Vec<String> {
    let wide = |word: &str| word.chars().map(|c| if is_wide(c) { 2 } else { 1 }).sum::<usize>();
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        let full = lines.len() == LINES_MAX;
        match lines.last_mut() {
            Some(line) if wide(line) + 1 + wide(word) <= LINE_LEN_MAX => *line = format!("{line} {word}"),
            Some(line) if full => {
                line.push('…');
                break;
            }
            Some(_) | None => lines.push(word.to_owned()),
        }
    }
    lines
}

fn describe(w: &Words, view: &View, people: &[Person]) -> String {
    let of = |role: &str| people.iter().find(|person| person.role == role).map(|person| person.name.clone());
    let Some(case) = &view.case else {
        return w.t1(
            "dock-desc-waiting",
            "names",
            w.names(people.iter().map(crate::pages::shared::people::name), JURORS),
        );
    };
    let mut told = vec![w.t1("dock-desc-prosecutor", "name", of("prosecutor").unwrap_or_default())];
    let names: Vec<&str> = case.characters.iter().map(|one| one.name.as_str()).collect();
    told.push(w.t1("dock-desc-dock", "names", w.names(names, JURORS)));
    if let Some(front) = attacked(view) {
        told.push(w.t1("dock-desc-attacked", "name", name_of(view, front)));
    }
    told.push(w.t2("dock-desc-jury", "condemn", view.condemn, "acquit", view.acquit));
    let leans = view.jurors.iter().enumerate();
    told.extend(
        leans.map(|(index, lean)| w.t2("juror-leans", "number", index + 1, "lean", lean_words(w, *lean)) + "."),
    );
    if let Some((moved, shift)) = last_closed(view) {
        let moved: Vec<String> = moved.iter().map(ToString::to_string).collect();
        told.push(crate::pages::tribunal::record::moved_sentence(w, &moved, shift.into()) + ".");
    }
    told.join(" ")
}
