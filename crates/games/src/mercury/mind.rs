//! The house minds of the meeting: each delegation speaks from its own library, holds its line, answers, trades and gives way;
//! and a mind for the player's seat, which moves the meeting on by the same events as a person.
//!
//! A mind reads its own stance, its own lines and what its seat has heard, and nothing else of the state.

use super::Mercury;
use super::content::{Content, Excerpt, PrivateText, RoleText};
use super::hearing;
use super::stance::Stance;
use super::state::{Phase, State};
use super::words::{Choice, Issue, Role, TALK_TURNS, TEXT_LEN_MAX, Vote};
use crate::listening::Stance as Taken;
use crate::speech::{fill, is_line};
use engine::chance::Draw;
use engine::game::Hall;
use engine::id::Seat;
use engine::parts::lines::{Known, LineId};
use engine::parts::transcript::Entry;
use engine::rules::{Actor, MindKey, Rules as _};
use serde_json::{Value, json};

/// How often a speaker first answers a delegation that argued the other way, in percent.
const ANSWERS_PERCENT: usize = 45;
/// How often it reads from the assessment, in percent; less often when no fitting excerpt is left.
const CITES_PERCENT: usize = 15;
/// How many messages a mind in the player's seat sends in a private talk.
const PRIVATE_MESSAGES: u8 = 3;

pub(super) fn speak(hall: &Hall<'_, Mercury>, said: &[Entry], seat: Seat, mut key: MindKey) -> Value {
    let Some(state) = hall.state else { return json!({}) };
    let called = state.called.map(|(role, _)| role).filter(|role| state.seat(*role) == seat);
    match (called, state.role(seat)) {
        (Some(role), _) => {
            let room = Room::new(state, said, hall.known, role);
            let text = match state.phase {
                Phase::Talking => room.reply(&mut key.turn),
                _ => room.speech(&mut key.turn),
            };
            json!({"type": "STATEMENT", "text": text})
        }
        (None, role) if seat == Seat(0) => play(hall, said, role, key),
        (None, _) => json!({}),
    }
}

/// What one mind has before it.
struct Room<'a> {
    state: &'a State,
    content: &'static Content,
    role: Role,
    own: &'static RoleText,
    said: &'a [Entry],
    known: &'a Known,
}

impl<'a> Room<'a> {
    fn new(state: &'a State, said: &'a [Entry], known: &'a Known, role: Role) -> Self {
        let content = state.content();
        Room { state, content, role, own: &content.roles[role.index()], said, known }
    }

    fn stance(&self, issue: Issue) -> Option<&Stance> {
        self.state.stance(self.role, issue)
    }

    fn used(&self, line: &str) -> bool {
        self.said.iter().any(|entry| entry.line.text.as_deref().is_some_and(|text| text.ends_with(line)))
    }

    /// One of these lines that this seat has not heard yet; lines that the player does not know from earlier meetings come first.
    fn fresh(&self, lines: &'static [String], draw: &mut Draw) -> Option<&'static str> {
        let mut order: Vec<&'static String> = lines.iter().filter(|line| !self.used(line)).collect();
        draw.shuffle(&mut order);
        order.sort_by_key(|line| self.known.has(LineId::of(line)));
        order.first().map(|line| line.as_str())
    }

    fn issue(&self) -> Option<Issue> {
        match &self.state.phase {
            Phase::Debate { floor, .. } => Some(floor.issue),
            _ => None,
        }
    }

    /// Where it stands on an issue once it has given way to what it has heard, as it will when it speaks.
    fn settled(&self, issue: Issue) -> Option<Stance> {
        let mut stance = self.stance(issue)?.clone();
        let pull = self.state.heard.get(self.role.index());
        if let Some(made) = pull.and_then(|pull| stance.moved(self.role, issue, pull, "")) {
            stance.apply(&made);
        }
        Some(stance)
    }

    /// A speech in the debate. The second one tells how it will vote: it gives way, withholds its vote or holds its line.
    fn speech(&self, draw: &mut Draw) -> String {
        let Some(issue) = self.issue() else { return String::new() };
        let name = issue.0.to_string();
        let Some(stance) = self.settled(issue) else { return String::new() };
        let second = matches!(self.state.phase, Phase::Debate { round: 2, .. });
        let best = stance.best(issue);
        let other = issue.options().filter(|option| *option != best).max_by_key(|option| stance.of(*option));
        let gives_way = second && other.is_some_and(|option| stance.accepts(option));
        let withholds = second && self.role.votes() && !stance.accepts(best);
        let debate = &self.own.debate[&name];
        let sides: [&'static [String]; 4] = [
            if gives_way { &self.own.moved[&name] } else { &[] },
            if withholds { self.still_wanted(issue) } else { &[] },
            &debate[&best].r#for,
            other.map_or(&[], |option| &debate[&option].against),
        ];
        let line = sides.into_iter().find_map(|lines| self.fresh(lines, draw)).unwrap_or_default();
        let line = fill(line, &[("option", self.content.option(best).said.as_str())]);
        // A delegation that gives way or withholds its vote neither answers nor cites.
        if gives_way || withholds {
            return line;
        }
        let answer = self.opponent(issue, best).filter(|_| draw.odds(ANSWERS_PERCENT, 100));
        let answer = answer.and_then(|(speaker, option)| {
            let fresh: Vec<&String> = self.own.answers.iter().filter(|line| !self.has_begun_with(line)).collect();
            let fresh = self.known.new_among(fresh, |line| line);
            let answer = (!fresh.is_empty()).then(|| *draw.pick(&fresh))?;
            Some(self.content.naming(answer, ("speaker", speaker), &[("option", &self.content.option(option).said)]))
        });
        let line = self.with_citation(best, line, draw);
        match answer {
            Some(answer) => before(&answer, &line),
            None => line,
        }
    }

    /// The lines with which it withholds its vote on an issue: the one for its first unmet condition, or all if every condition is met.
    fn still_wanted(&self, issue: Issue) -> &'static [String] {
        let name = issue.0.to_string();
        let is_met = |id: &str| {
            self.state.met.iter().any(|(role, of, met)| (*role, *of, met.as_str()) == (self.role, issue, id))
        };
        let wanted = self.own.conditions[&name].iter().position(|condition| !is_met(&condition.id));
        let lines = &self.own.withheld[&name];
        wanted.and_then(|place| lines.get(place)).map_or(lines, std::slice::from_ref)
    }

    /// Whether an earlier speech began with this line, with any names in its slots.
    fn has_begun_with(&self, line: &str) -> bool {
        let begins = format!("{line}{{rest}}");
        self.said.iter().filter_map(|entry| entry.line.text.as_deref()).any(|text| is_line(&begins, text))
    }

    /// Now and then puts an excerpt of the assessment before what is said, if one serves this option and this seat has not heard it.
    fn with_citation(&self, option: Choice, said: String, draw: &mut Draw) -> String {
        let heard =
            |text: &str| self.said.iter().any(|entry| entry.line.text.as_deref().is_some_and(|it| it.contains(text)));
        if said.is_empty() || !draw.odds(CITES_PERCENT, 100) {
            return said;
        }
        let fits = |excerpt: &&Excerpt| excerpt.serves.contains(&option) && !heard(&excerpt.text);
        let fitting: Vec<&Excerpt> = self.content.excerpts.iter().filter(fits).collect();
        if fitting.is_empty() {
            return said;
        }
        let fitting = self.known.new_among(fitting, |excerpt| &excerpt.text);
        let (excerpt, lead) = (*draw.pick(&fitting), draw.pick(&self.content.cites).as_str());
        before(&fill(lead, &[("excerpt", &excerpt.text)]), &said)
    }

    /// The last delegation that spoke only against the best option or for others on this issue, and the option it wanted.
    fn opponent(&self, issue: Issue, best: Choice) -> Option<(Role, Choice)> {
        let debate = self.said.iter().rev().take_while(|entry| entry.name != "issue_opened");
        let spoke = debate.filter(|entry| entry.name == "debate");
        let mut yielded = vec![];
        spoke.take(SPEECHES_REMEMBERED).find_map(|entry| {
            let role = entry.line.seat.and_then(|seat| self.state.role(seat)).filter(|role| *role != self.role)?;
            let text = entry.line.text.as_deref()?;
            // A delegation that has given way is not an opponent, whatever it said before.
            if self.content.roles[role.index()].moved[&issue.0.to_string()].iter().any(|line| is_line(line, text)) {
                yielded.push(role);
            }
            if yielded.contains(&role) {
                return None;
            }
            let says = hearing::understand(self.state, Some(issue), text).says;
            let otherwise = |says: &hearing::Says| if says.option == best { says.pull() < 0 } else { says.favours() };
            let wanted = says.iter().find(|says| says.option != best && says.stance == Taken::Asserts)?;
            says.iter().all(otherwise).then_some((role, wanted.option))
        })
    }

    /// A message in the private talk.
    fn reply(&self, draw: &mut Draw) -> String {
        let Some(talk) = self.state.talk() else { return String::new() };
        let private = &self.own.private;
        if talk.ai_turns >= TALK_TURNS {
            return self.fresh(&private.last, draw).unwrap_or_default().to_owned();
        }
        let heard = self.said.iter().rev().find(|entry| entry.name == "talk" && entry.line.seat == Some(Seat(0)));
        let words = heard.filter(|_| talk.human_turns > 0).and_then(|entry| entry.line.text.as_deref());
        let Some(words) = words else { return self.first_words(draw) };
        let meaning = hearing::understand(self.state, None, words);
        let met =
            |issue: Issue| !hearing::conditions_met(self.state.lang, self.role, issue, &meaning.offers).is_empty();
        let about = meaning.issues.iter().copied();
        let Some(issue) = about.clone().find(|issue| met(*issue)).or_else(|| about.clone().next()) else {
            return self.fresh(&private.unclear, draw).map_or_else(|| self.first_words(draw), str::to_owned);
        };
        let name = issue.0.to_string();
        let Some(stance) = self.stance(issue) else { return String::new() };
        let says: Vec<&hearing::Says> = meaning.says.iter().filter(|says| says.option.issue == issue).collect();
        let agrees = |says: &&hearing::Says| says.favours() && stance.accepts(says.option);
        let presses = |says: &&hearing::Says| says.pull() != 0;
        // A message on several issues is a trade, and is answered with terms.
        let trades = meaning.issues.len() > 1;
        let PrivateText { position, ask, offer, agreed, unmoved, .. } = private;
        let order: [&'static [String]; 4] = if met(issue) {
            [&private.met[&name], &offer[&name], &ask[&name], &position[&name]]
        } else if !trades && says.iter().any(agrees) {
            [&agreed[&name], &offer[&name], &ask[&name], &position[&name]]
        } else if !trades && says.iter().any(presses) {
            [&unmoved[&name], &ask[&name], &offer[&name], &position[&name]]
        } else {
            [&offer[&name], &ask[&name], &position[&name], &unmoved[&name]]
        };
        let mut order = order.into_iter().chain([&private.greet[..], &private.unclear[..]]);
        let line = order.find_map(|lines| self.fresh(lines, draw)).unwrap_or_default().to_owned();
        if met(issue) { line } else { self.with_citation(stance.best(issue), line, draw) }
    }

    fn first_words(&self, draw: &mut Draw) -> String {
        let firmest = Issue::ALL.into_iter().max_by_key(|issue| self.stance(*issue).map(|stance| stance.firmness));
        let name = firmest.map_or("1".to_owned(), |issue| issue.0.to_string());
        let private = &self.own.private;
        let lines: [&'static [String]; 3] = [&private.greet, &private.position[&name], &private.ask[&name]];
        lines.into_iter().find_map(|lines| self.fresh(lines, draw)).unwrap_or_default().to_owned()
    }
}

/// Both, or only the second where both would be too long. The second must come last: a line counts as used if a text ends with it.
fn before(first: &str, second: &str) -> String {
    let both = format!("{first} {second}");
    if both.chars().count() <= TEXT_LEN_MAX { both.trim().to_owned() } else { second.to_owned() }
}

const SPEECHES_REMEMBERED: usize = 6;

/// What a mind in the player's seat sends: the next event, with its own role's words where words are asked for.
fn play(hall: &Hall<'_, Mercury>, said: &[Entry], role: Option<Role>, mut key: MindKey) -> Value {
    let Some(state) = hall.state else { return json!({}) };
    let Some(role) = role else {
        let chosen = *key.persona.pick(&Role::ALL);
        return json!({"type": "ROLE_CONFIRMED", "human_role_id": chosen});
    };
    let room = Room::new(state, said, hall.known, role);
    let turns = Mercury::turns(state);
    let offers = turns.into_iter().find(|turn| turn.who == Actor::Seat(Seat(0))).map(|turn| turn.offers);
    let Some(first) = offers.as_ref().and_then(|offers| offers.first()) else { return json!({}) };
    match first.action {
        "HUMAN_OPENING_STATEMENT" => json!({"type": "ROUND_1_STEP"}),
        "CONVO_1_SELECTED" | "CONVO_2_SELECTED" => {
            let others: Vec<Role> = Role::ALL
                .into_iter()
                .filter(|other| *other != role && !state.talks.iter().any(|talk| talk.partner == *other))
                .collect();
            json!({"type": first.action, "partner_role_id": key.turn.pick(&others)})
        }
        "CONVO_MESSAGE" => match room.proposal(&mut key.turn).filter(|_| room.has_more_to_say()) {
            Some(content) => json!({"type": "CONVO_MESSAGE", "content": content}),
            None => json!({"type": "CONVO_END_EARLY"}),
        },
        "ROUND_3_START_ISSUE" => {
            let next = state.next_issue().map(|issue| issue.0.to_string());
            json!({"type": first.action, "issue_id": next, "human_placement": "random"})
        }
        "HUMAN_DEBATE_MESSAGE" => {
            let text = room.speech(&mut key.turn);
            if text.is_empty() {
                json!({"type": "HUMAN_DEBATE_SKIP"})
            } else {
                json!({"type": first.action, "text": text})
            }
        }
        "HUMAN_VOTE" => json!({"type": first.action, "vote": room.vote()}),
        action => json!({"type": action}),
    }
}

impl Room<'_> {
    /// What a mind in the player's seat says in private: an offer or a question on one issue after another, until none is left.
    fn proposal(&self, draw: &mut Draw) -> Option<&'static str> {
        let private = &self.own.private;
        let mut issues = Issue::ALL.to_vec();
        draw.shuffle(&mut issues);
        issues.into_iter().find_map(|issue| {
            let name = issue.0.to_string();
            self.fresh(&private.offer[&name], draw).or_else(|| self.fresh(&private.ask[&name], draw))
        })
    }

    /// Nobody else hears a private talk, so a mind that is watched keeps it short.
    fn has_more_to_say(&self) -> bool {
        self.state.talk().is_some_and(|talk| talk.human_turns < PRIVATE_MESSAGES)
    }

    fn vote(&self) -> Vote {
        match &self.state.phase {
            Phase::Voting { option, .. } if self.stance(option.issue).is_some_and(|stance| stance.accepts(*option)) => {
                Vote::Yes
            }
            _ => Vote::No,
        }
    }
}
