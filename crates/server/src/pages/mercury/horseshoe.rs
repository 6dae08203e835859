//! The meeting room as a picture: a horseshoe seen from above, from the view alone, so that it says nothing the view does not.

use crate::locale::Words;
use crate::pages::mercury::record::{delegation, short_name};
use crate::pages::shared::people::is_wide;
use crate::pages::trolley::board::{Size, classes, n};
use askama::Template;
use games::mercury::{Role, View, Vote};

const HEIGHT: u32 = 268;
/// Where the countries sit along the outside, so that a vote goes round the table: the arms, and how high each seat is.
const ARMS: (f32, f32) = (46.0, 354.0);
const ROWS: [f32; 3] = [196.0, 136.0, 76.0];
/// Where their cards lie on the table.
const CARDS: (f32, f32) = (98.0, 302.0);
/// The bench of the organisations: the first seat, the distance between two, and how high it stands.
const BENCH: (f32, f32, f32) = (140.0, 60.0, 230.0);
/// How many half-wide letters fit in one line on the floor.
const LINE_LEN_MAX: usize = 25;
const LINES_MAX: usize = 2;

/// A delegation's sign, drawn in our own shapes around the middle.
#[derive(Template, Clone, Debug)]
#[template(path = "mercury/emblem.html")]
pub struct Emblem {
    /// `CAN` and so on; `JPN` is the Chair.
    pub code: &'static str,
}

#[derive(Template, Clone, Debug)]
#[template(path = "mercury/horseshoe.html")]
pub struct Horseshoe {
    id: String,
    /// Whether it is described in words, for those who do not see it.
    full: bool,
    height: u32,
    title: String,
    desc: String,
    /// Whether the Chair has the floor, its name and its sign.
    chair: (bool, Option<String>, Emblem),
    seats: Vec<Place>,
    /// The curve between the two who talk in private.
    link: Option<String>,
    /// The lines on the floor: how high, which class, what.
    floor: Vec<(f32, &'static str, String)>,
}

#[derive(Clone, Debug)]
struct Place {
    code: &'static str,
    emblem: Emblem,
    class: String,
    country: bool,
    at: (String, String),
    title: String,
    name: Option<String>,
    done: bool,
    called: bool,
    card: Option<(String, Card)>,
}

/// A vote on the table.
#[derive(Clone, Debug)]
enum Card {
    /// There is room for one.
    Slot,
    /// Its class and its word.
    Up(&'static str, String),
}

impl Horseshoe {
    /// Draws the view. `id` must be unique on the page.
    pub fn draw(w: &Words, view: &View, size: Size, id: &str) -> Horseshoe {
        let named = size == Size::Full;
        Horseshoe {
            id: id.to_owned(),
            full: size == Size::Full,
            height: HEIGHT,
            title: w.t("meeting-title"),
            desc: describe(w, view),
            chair: (chair_has_floor(view), named.then(|| w.t("chair-name")), Emblem { code: "JPN" }),
            seats: Role::ALL.into_iter().map(|role| place(w, view, role, named)).collect(),
            link: link(view),
            floor: floor(w, view),
        }
    }
}

/// Who has the floor or the vote; in a private talk only those in it are told.
pub fn on_turn(view: &View) -> Option<Role> {
    let talks = [&view.round2.convo1, &view.round2.convo2].into_iter().flatten();
    let active = view.round3.active_issue.as_ref();
    match view.status {
        "ROUND_1_OPENING_STATEMENTS" => view.round1.speaker_order.get(view.round1.cursor).copied(),
        "ROUND_2_CONVERSATION_ACTIVE" => {
            let talk = talks.last()?;
            let partner = talk.your_turn != (view.own_role_id == view.human_role_id);
            if partner { Some(talk.partner_role) } else { view.human_role_id }
        }
        "ISSUE_DEBATE_ROUND_1" | "ISSUE_DEBATE_ROUND_2" => {
            active.and_then(|active| active.debate_queue.get(usize::from(active.debate_cursor)).copied())
        }
        "ISSUE_VOTE" => active.and_then(|active| active.vote_order.get(active.next_voter_index).copied()),
        _ => None,
    }
}

/// Who has had a turn in this round.
pub fn heard(view: &View) -> Vec<Role> {
    match view.status {
        "ROUND_1_OPENING_STATEMENTS" => view.round1.speaker_order.iter().take(view.round1.cursor).copied().collect(),
        "ISSUE_DEBATE_ROUND_1" | "ISSUE_DEBATE_ROUND_2" => {
            let active = view.round3.active_issue.as_ref();
            active.map_or(vec![], |active| {
                active.debate_queue.iter().take(active.debate_cursor.into()).copied().collect()
            })
        }
        _ => vec![],
    }
}

fn chair_has_floor(view: &View) -> bool {
    matches!(view.status, "ISSUE_INTRO" | "ISSUE_POSITION_FINALIZATION" | "ISSUE_PROPOSAL_SELECTION")
}

fn seat(role: Role) -> (f32, f32) {
    let index = role.index();
    match index {
        0..3 => (ARMS.0, ROWS[index]),
        3..6 => (ARMS.1, ROWS[5 - index]),
        _ => (BENCH.0 + BENCH.1 * (index as f32 - 6.0), BENCH.2),
    }
}

fn place(w: &Words, view: &View, role: Role, named: bool) -> Place {
    let person = delegation(w, view, role);
    let (x, y) = seat(role);
    let heard = heard(view);
    let human = view.human_role_id == Some(role);
    let card = card(w, view, role).map(|card| (n(if x < 200.0 { CARDS.0 } else { CARDS.1 }), card));
    let mut title = vec![full_name(view, role)];
    title.push(w.of("role", person.role));
    title.extend(person.you.then(|| w.t("you")));
    title.extend((human && !person.you).then(|| w.t("the-player")));
    Place {
        code: role.word(),
        emblem: Emblem { code: role.word() },
        class: classes(&[
            person.role,
            if on_turn(view) == Some(role) { "turn" } else { "" },
            if heard.last() == Some(&role) { "lit" } else { "" },
            if person.you { "you" } else { "" },
            if human { "human" } else { "" },
        ]),
        country: role.votes(),
        at: (n(x), n(y)),
        title: title.join(" · "),
        name: named.then_some(person.name),
        done: heard.contains(&role),
        called: view.called_role_id == Some(role),
        card,
    }
}

fn full_name(view: &View, role: Role) -> String {
    view.roles.iter().find(|one| one.role_id == role).map_or(String::new(), |one| one.name.clone())
}

fn card(w: &Words, view: &View, role: Role) -> Option<Card> {
    let active = view.round3.active_issue.as_ref().filter(|active| active.proposed_option_id.is_some())?;
    if !role.votes() {
        return None;
    }
    let cast = active.votes.iter().find(|vote| vote.role_id == role);
    Some(cast.map_or(Card::Slot, |cast| Card::Up(vote_class(cast.vote), w.of("ballot", vote_class(cast.vote)))))
}

/// A vote as the stylesheet and the words spell it.
pub fn vote_class(vote: Vote) -> &'static str {
    match vote {
        Vote::Yes => "yes",
        Vote::No => "no",
    }
}

fn link(view: &View) -> Option<String> {
    let talk = [&view.round2.convo1, &view.round2.convo2].into_iter().flatten().last()?;
    if view.status != "ROUND_2_CONVERSATION_ACTIVE" {
        return None;
    }
    let ((x1, y1), (x2, y2)) = (seat(view.human_role_id?), seat(talk.partner_role));
    Some(format!("M{} {}Q200 148 {} {}", n(x1), n(y1), n(x2), n(y2)))
}

/// What the meeting is dealing with, in the middle of the room.
fn floor(w: &Words, view: &View) -> Vec<(f32, &'static str, String)> {
    let mut lines = vec![];
    let Some(active) = &view.round3.active_issue else {
        let adopted = view.votes.iter().filter(|one| one.adopted).count();
        if view.status == "REVIEW" {
            lines.push((140.0, "figure", format!("{adopted} / {}", view.votes.len())));
            lines.push((160.0, "what", w.t("floor-adopted")));
        } else if view.human_role_id.is_some() {
            lines.push((140.0, "what", w.of("step", view.status.to_lowercase())));
        }
        return lines;
    };
    lines.push((108.0, "kicker", w.t1("step-issue", "number", active.issue_id.0)));
    for (index, line) in wrapped(&active.issue_title).into_iter().enumerate() {
        lines.push((125.0 + 15.0 * index as f32, "what", line));
    }
    if let Some(option) = active.proposed_option_id {
        let yes = active.votes.iter().filter(|vote| vote.vote == Vote::Yes).count();
        lines.push((168.0, "figure", option.to_string()));
        let tally = w.t2("floor-tally", "yes", yes, "no", active.votes.len() - yes);
        lines.push((184.0, "kicker", if active.votes.is_empty() { w.t("floor-tabled") } else { tally }));
    } else if let Some(round) = active.debate_round {
        lines.push((165.0, "kicker", w.of("phase-debate", round)));
    }
    lines
}

/// The words in at most two lines.
fn wrapped(text: &str) -> Vec<String> {
    let wide = |word: &str| word.chars().map(|c| if is_wide(c) { 2 } else { 1 }).sum::<usize>();
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        let full = lines.last().is_none_or(|line| wide(line) + wide(word) >= LINE_LEN_MAX);
        let room = lines.len() < LINES_MAX;
        match lines.last_mut() {
            Some(line) if !(full && room) => {
                line.push(' ');
                line.push_str(word);
            }
            Some(_) | None => lines.push(word.to_owned()),
        }
    }
    lines
}

fn describe(w: &Words, view: &View) -> String {
    let join = |roles: &[Role]| roles.iter().map(|role| short_name(w, *role)).collect::<Vec<_>>().join(", ");
    let mut told =
        vec![w.t2("meeting-desc", "countries", join(&Role::COUNTRIES), "organisations", join(&Role::ORGANISATIONS))];
    let heard = heard(view);
    if !heard.is_empty() {
        told.push(w.t1("meeting-desc-heard", "names", join(&heard)));
    }
    if let Some(role) = on_turn(view) {
        told.push(w.t1("meeting-desc-turn", "name", short_name(w, role)));
    }
    let votes = view.round3.active_issue.as_ref().map_or(&[][..], |active| &active.votes);
    for vote in votes {
        let word = w.of("ballot", vote_class(vote.vote));
        told.push(w.t2("meeting-desc-vote", "name", short_name(w, vote.role_id), "vote", word));
    }
    told.join(" ")
}
