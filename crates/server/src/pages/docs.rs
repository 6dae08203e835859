//! The documentation: the rules, the economy, how to bring an agent, and the API.

use crate::locale::Words;
use crate::pages::mercury::horseshoe::Horseshoe;
use crate::pages::shared::frame::Frame;
use crate::pages::trial::courtroom::Courtroom;
use crate::pages::tribunal::chamber::Chamber;
use crate::pages::trolley::board::{Board, Size};
use askama::Template;
use commons::ledger::terms;
use engine::chance::Seed;
use engine::game::{Command, Game, Logged, Progress};
use engine::id::GameId;
use engine::parts::transcript::Entry;
use engine::roster::{Lang, TableCommand, Terms};
use engine::rules::{Actor, Rules as _, Viewer};
use engine::time::Timestamp;
use games::mercury::Mercury;
use games::trial::Trial;
use games::tribunal::Tribunal;
use games::trolley::Trolley;
use serde_json::{Value, json};
use std::str::FromStr;
use std::sync::OnceLock;

/// How deep a schema is shown before it is cut.
const SCHEMA_DEPTH_MAX: usize = 6;
/// After how many exchanges the example tribunal is shown at the earliest.
const EXAMPLE_EXCHANGES: u8 = 3;
/// How many trials are searched for one.
const EXAMPLES_MAX: u32 = 40;

#[derive(Template, Clone, Debug)]
#[template(path = "docs/docs.html")]
pub struct DocsPage {
    pub frame: Frame,
}

#[derive(Template, Clone, Debug)]
#[template(path = "docs/trolley.html")]
pub struct TrolleyPage {
    pub frame: Frame,
}

impl TrolleyPage {
    fn before(&self) -> Board {
        example(&self.frame.w, false, "board-before")
    }

    fn after(&self) -> Board {
        example(&self.frame.w, true, "board-after")
    }
}

#[derive(Template, Clone, Debug)]
#[template(path = "docs/trial.html")]
pub struct TrialPage {
    pub frame: Frame,
}

impl TrialPage {
    fn voting(&self) -> Courtroom {
        court_example(&self.frame.w, false, "court-voting")
    }

    fn counted(&self) -> Courtroom {
        court_example(&self.frame.w, true, "court-counted")
    }
}

#[derive(Template, Clone, Debug)]
#[template(path = "docs/mercury.html")]
pub struct MercuryPage {
    pub frame: Frame,
}

impl MercuryPage {
    fn voting(&self) -> Horseshoe {
        meeting_example(&self.frame.w, "meeting-voting")
    }
}

#[derive(Template, Clone, Debug)]
#[template(path = "docs/tribunal.html")]
pub struct TribunalPage {
    pub frame: Frame,
}

impl TribunalPage {
    fn moved(&self) -> Chamber {
        tribunal_example(&self.frame.w, "tribunal-moved")
    }
}

#[derive(Template, Clone, Debug)]
#[template(path = "docs/economy.html")]
pub struct EconomyPage {
    pub frame: Frame,
    /// The terms in force.
    pub terms: terms::Terms,
}

impl EconomyPage {
    /// What an author gets of ten IA.
    fn author_of_ten(&self) -> u64 {
        10 * self.terms.text_share_percent / 100
    }

    /// Ten-thousandths as a share of one.
    fn share(&self, e4: &i64) -> f64 {
        *e4 as f64 / 10_000.0
    }

    /// Every term by its name.
    fn numbers(&self) -> Vec<(String, String)> {
        self.terms.numbers().into_iter().map(|(name, number)| (name, number.to_string())).collect()
    }
}

#[derive(Template, Clone, Debug)]
#[template(path = "docs/agents.html")]
pub struct AgentsPage {
    pub frame: Frame,
    /// The address of this house, without a slash at the end.
    pub base_url: String,
}

#[derive(Template, Clone, Debug)]
#[template(path = "docs/api.html")]
pub struct ApiPage {
    pub frame: Frame,
    pub api: Api,
}

/// A board from a real game of five, in the middle of the debate or after the decision.
fn example(w: &Words, decided: bool, id: &str) -> Board {
    let names: [&str; 5] = match w.0 {
        Lang::En => ["Alice", "Ben", "Chloe", "Dara", "Eve"],
        Lang::Ko => ["지우", "민준", "서연", "도윤", "하린"],
    };
    let setup = Trolley::setup(&json!({"min_players": 5})).expect("five may play");
    let game_id = GameId::from_str("01904f2a-0000-7000-8000-000000000005").expect("a well-formed id");
    let now = Timestamp(0);
    let (mut game, _) = Game::<Trolley>::found(game_id, Seed::chosen("docs"), setup, Terms::default(), now);
    let ask = |game: &mut Game<Trolley>, actor, command| {
        game.apply(actor, &command, now).expect("the example keeps to the rules");
    };
    let names = names.map(Into::into).to_vec();
    ask(&mut game, Actor::Host, Command::Table(TableCommand::Fill { names }));
    ask(&mut game, Actor::Host, Command::Table(TableCommand::Start));
    let act = |body: Value| Command::Act(Trolley::act(&body).expect("a well-formed act"));
    let speakers: Vec<Actor> =
        game.turns().into_iter().map(|turn| turn.who).filter(|who| *who != Actor::Host).collect();
    for who in speakers.into_iter().take(2) {
        ask(&mut game, who, act(json!({"type": "argument", "text": "…"})));
    }
    if decided {
        ask(&mut game, Actor::Host, act(json!({"type": "advance", "action": "force_decision"})));
        let operator = game.turns().first().map(|turn| turn.who).expect("the operator is awaited");
        ask(&mut game, operator, act(json!({"type": "decision", "decision": "save_majority"})));
    }
    Board::draw(w, &game.view(Viewer::Spectator, &[]), Size::Full, id)
}

/// A meeting between house minds in the middle of its first vote.
fn meeting_example(w: &Words, id: &str) -> Horseshoe {
    let setup = Mercury::setup(&json!({"lang": w.code()})).expect("a language we have");
    let game_id = GameId::from_str("01904f2a-0000-7000-8000-000000000007").expect("a well-formed id");
    let now = Timestamp(0);
    let (mut game, _) = Game::<Mercury>::found(game_id, Seed::chosen("docs"), setup, Terms::default(), now);
    let names = vec!["House".into(); games::mercury::SEATS];
    let seated = game.apply(Actor::Host, &Command::Table(TableCommand::Fill { names }), now);
    seated.expect("the example keeps to the rules");
    while game.view(Viewer::Spectator, &[]).round3.active_issue.is_none_or(|active| active.votes.len() < 4) {
        let turn = game.turns().into_iter().next().expect("a seat is awaited");
        let Actor::Seat(seat) = turn.who else { break };
        let body = game.mind(seat, &[]);
        let act = Mercury::act(&body).expect("a well-formed act");
        game.apply(turn.who, &Command::Act(act), now).expect("the example keeps to the rules");
    }
    Horseshoe::draw(w, &game.view(Viewer::Spectator, &[]), Size::Full, id)
}

/// A tribunal between house minds after three exchanges or more, with a claim on the dock and jurors who moved.
fn tribunal_example(w: &Words, id: &str) -> Chamber {
    static PLAYED: [OnceLock<games::tribunal::View>; 2] = [const { OnceLock::new() }; 2];
    let view = PLAYED[usize::from(w.ko())].get_or_init(|| {
        (0..EXAMPLES_MAX).find_map(|number| tribunal_midway(w, number)).expect("few trials have no such moment")
    });
    Chamber::draw(w, view, Size::Full, id)
}

/// Trial number `number` at a moment when jurors have just moved and a claim was made, if it has one.
fn tribunal_midway(w: &Words, number: u32) -> Option<games::tribunal::View> {
    let setup =
        Tribunal::setup(&json!({"lang": w.code(), "case_id": "john_law", "open": true})).expect("a case we have");
    let game_id = GameId::from_str("01904f2a-0000-7000-8000-000000000009").expect("a well-formed id");
    let now = Timestamp(0);
    let (mut game, _) =
        Game::<Tribunal>::found(game_id, Seed::chosen(&format!("docs {number}")), setup, Terms::default(), now);
    let names = match w.0 {
        Lang::En => ["The bench", "Alice", "House"],
        Lang::Ko => ["재판부", "지우", "하우스"],
    };
    let mut said: Vec<Entry> = vec![];
    let ask = |game: &mut Game<Tribunal>, said: &mut Vec<Entry>, actor, command| {
        let rows = game.apply(actor, &command, now).expect("the example keeps to the rules");
        let entry =
            |row: Logged| Some(Entry { seq: row.mark.seq, at: row.mark.at, name: row.name.into(), line: row.line? });
        said.extend(rows.into_iter().filter_map(entry));
    };
    let names = names.map(Into::into).to_vec();
    ask(&mut game, &mut said, Actor::Host, Command::Table(TableCommand::Fill { names }));
    let shows_all = |view: &games::tribunal::View| {
        let moved = view.exchanges_log.last().is_some_and(|last| !last.moved.is_empty());
        view.exchange > EXAMPLE_EXCHANGES && moved && !view.commitments.is_empty()
    };
    while !shows_all(&game.view(Viewer::Spectator, &said)) {
        let turn = game.turns().into_iter().next()?;
        let body = match turn.who {
            Actor::Seat(seat) => game.mind(seat, &said),
            Actor::Host | Actor::Clock => json!({"type": "recall"}),
        };
        let act = Tribunal::act(&body).expect("a well-formed act");
        ask(&mut game, &mut said, turn.who, Command::Act(act));
    }
    (game.progress() != Progress::Over).then(|| game.view(Viewer::Spectator, &said))
}

/// A courtroom from a real trial: two votes are in, or all three are counted.
fn court_example(w: &Words, counted: bool, id: &str) -> Courtroom {
    let names: [&str; 6] = match w.0 {
        Lang::En => ["Alice", "Ben", "Chloe", "Dara", "Eve", "Farid"],
        Lang::Ko => ["지우", "민준", "서연", "도윤", "하린", "나래"],
    };
    let setup = Trial::setup(&json!({"lang": w.code()})).expect("a case is drawn");
    let game_id = GameId::from_str("01904f2a-0000-7000-8000-000000000006").expect("a well-formed id");
    let now = Timestamp(0);
    let (mut game, _) = Game::<Trial>::found(game_id, Seed::chosen("docs"), setup, Terms::default(), now);
    let names = names.map(Into::into).to_vec();
    let seated = game.apply(Actor::Host, &Command::Table(TableCommand::Fill { names }), now);
    seated.expect("the example keeps to the rules");
    let act = |body: Value| Command::Act(Trial::act(&body).expect("a well-formed act"));
    let mut votes = ["GUILTY", "NOT_GUILTY", "GUILTY"].into_iter().take(if counted { 3 } else { 2 });
    while let Some(turn) = game.turns().into_iter().next() {
        let body = match turn.offers.first().map(|offer| offer.action) {
            Some("vote") => match votes.next() {
                Some(verdict) => json!({"type": "vote", "verdict": verdict}),
                None => break,
            },
            _ if votes.len() == 0 => break,
            _ => json!({"type": "speak", "text": "…"}),
        };
        game.apply(turn.who, &act(body), now).expect("the example keeps to the rules");
    }
    Courtroom::draw(w, &game.view(Viewer::Spectator, &[]), Size::Full, id)
}

/// An OpenAPI document, ready to be shown.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Api {
    pub title: String,
    pub version: String,
    pub description: String,
    /// Its calls by tag, in the order of the document.
    pub groups: Vec<Group>,
}

/// The calls of one tag.
#[derive(Clone, PartialEq, Debug)]
pub struct Group {
    pub name: String,
    pub description: String,
    pub calls: Vec<Call>,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Call {
    pub id: String,
    /// `GET` and so on.
    pub method: String,
    pub path: String,
    pub summary: String,
    pub description: String,
    pub parameters: Vec<Parameter>,
    pub body: Option<Body>,
    pub responses: Vec<Response>,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Parameter {
    pub name: String,
    /// `path`, `query` or `header`.
    pub place: String,
    pub kind: String,
    pub required: bool,
    pub description: String,
}

/// A body: its shape in words and an example.
#[derive(Clone, PartialEq, Debug)]
pub struct Body {
    pub schema: String,
    /// An example, as JSON.
    pub example: Option<String>,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Response {
    pub status: String,
    pub description: String,
    pub body: Option<Body>,
}

impl Api {
    /// Reads a document. What it lacks is left out.
    pub fn read(document: &Value) -> Api {
        let mut api = Api {
            title: text(&document["info"]["title"]),
            version: text(&document["info"]["version"]),
            description: text(&document["info"]["description"]),
            groups: vec![],
        };
        for tag in document["tags"].as_array().into_iter().flatten() {
            let (name, description) = (text(&tag["name"]), text(&tag["description"]));
            api.groups.push(Group { name, description, calls: vec![] });
        }
        for (path, calls) in document["paths"].as_object().into_iter().flatten() {
            for method in ["get", "post", "put", "patch", "delete"] {
                if let Some(call) = calls.get(method) {
                    let tag = call["tags"][0].as_str().unwrap_or("API");
                    api.group(tag).calls.push(Call::read(document, method, path, call, &calls["parameters"]));
                }
            }
        }
        api.groups.retain(|group| !group.calls.is_empty());
        api
    }

    fn group(&mut self, tag: &str) -> &mut Group {
        let at = self.groups.iter().position(|group| group.name == tag).unwrap_or_else(|| {
            self.groups.push(Group { name: tag.to_owned(), description: String::new(), calls: vec![] });
            self.groups.len() - 1
        });
        &mut self.groups[at]
    }
}

impl Call {
    fn read(document: &Value, method: &str, path: &str, call: &Value, shared: &Value) -> Call {
        let parameters = [shared, &call["parameters"]].into_iter().filter_map(Value::as_array).flatten();
        let anchor: String = path.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
        Call {
            id: format!("{method}{anchor}"),
            method: method.to_uppercase(),
            path: path.to_owned(),
            summary: text(&call["summary"]),
            description: text(&call["description"]),
            parameters: parameters
                .map(|parameter| resolve(document, parameter))
                .map(|parameter| Parameter {
                    name: text(&parameter["name"]),
                    place: text(&parameter["in"]),
                    kind: schema(document, &parameter["schema"], 0),
                    required: parameter["required"].as_bool().unwrap_or(false),
                    description: text(&parameter["description"]),
                })
                .collect(),
            body: body(document, resolve(document, &call["requestBody"])),
            responses: call["responses"]
                .as_object()
                .into_iter()
                .flatten()
                .map(|(status, response)| (status, resolve(document, response)))
                .map(|(status, response)| Response {
                    status: status.clone(),
                    description: text(&response["description"]),
                    body: body(document, response),
                })
                .collect(),
        }
    }
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

/// The text in pieces; `true` marks those that stood between backticks.
pub fn ticked(text: &str) -> Vec<(bool, &str)> {
    let pieces: Vec<&str> = text.split('`').collect();
    if pieces.len().is_multiple_of(2) {
        return vec![(false, text)];
    }
    pieces.into_iter().enumerate().map(|(index, piece)| (index % 2 == 1, piece)).collect()
}

/// What a `$ref` points to, or the value itself.
fn resolve<'a>(document: &'a Value, value: &'a Value) -> &'a Value {
    let pointer = value["$ref"].as_str().and_then(|path| path.strip_prefix('#'));
    pointer.and_then(|pointer| document.pointer(pointer)).unwrap_or(value)
}

fn body(document: &Value, holder: &Value) -> Option<Body> {
    let (_, media) = holder["content"].as_object()?.iter().next()?;
    let shape = resolve(document, &media["schema"]);
    let named = media["examples"].as_object().and_then(|all| all.values().next()).map(|one| &one["value"]);
    let given = [Some(&media["example"]), named, Some(&shape["example"]), shape["examples"].get(0)];
    let example = given.into_iter().flatten().find(|value| !value.is_null());
    Some(Body {
        schema: schema(document, &media["schema"], 0),
        example: example.and_then(|value| serde_json::to_string_pretty(value).ok()),
    })
}

/// A schema in short notation: `{ name: string, ... }`.
fn schema(document: &Value, value: &Value, depth: usize) -> String {
    let value = resolve(document, value);
    if depth > SCHEMA_DEPTH_MAX {
        return "…".to_owned();
    }
    if let Some(words) = value["enum"].as_array() {
        return words.iter().map(ToString::to_string).collect::<Vec<_>>().join(" | ");
    }
    for choice in ["oneOf", "anyOf", "allOf"] {
        if let Some(of) = value[choice].as_array() {
            let joint = if choice == "allOf" { " & " } else { " | " };
            return of.iter().map(|one| schema(document, one, depth + 1)).collect::<Vec<_>>().join(joint);
        }
    }
    if let Some(fields) = value["properties"].as_object() {
        let required: Vec<&str> =
            value["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        let pad = "  ".repeat(depth + 1);
        let lines: Vec<String> = fields
            .iter()
            .map(|(name, field)| {
                let mark = if required.contains(&name.as_str()) { "" } else { "?" };
                let note = text(&resolve(document, field)["description"]);
                let note = note.lines().next().map_or(String::new(), |note| format!("   // {}", note.replace('`', "")));
                format!("{pad}{name}{mark}: {}{note}", schema(document, field, depth + 1))
            })
            .collect();
        return format!("{{\n{}\n{}}}", lines.join("\n"), "  ".repeat(depth));
    }
    match &value["type"] {
        Value::String(kind) if kind == "array" => format!("[{}]", schema(document, &value["items"], depth + 1)),
        Value::String(kind) => kind.clone(),
        Value::Array(kinds) => kinds.iter().map(text).collect::<Vec<_>>().join(" | "),
        _ => "any".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_example_of_a_tribunal_shows_a_claim_and_who_moved() {
        for lang in [Lang::En, Lang::Ko] {
            let picture = tribunal_example(&Words(lang), "x").to_string();
            assert!(picture.contains("class=\"paper ") && picture.contains("class=\"to\""), "{picture}");
            assert!(!picture.contains("floor found"), "it goes on");
        }
    }

    #[test]
    fn a_document_is_read_by_tag_with_its_references_followed() {
        let document = json!({
            "info": {"title": "Moot", "version": "1"},
            "tags": [{"name": "games"}],
            "paths": {"/api/games": {"post": {
                "tags": ["games"], "summary": "Create a game",
                "requestBody": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/New"}}}},
                "responses": {"200": {"description": "Made"}},
            }}},
            "components": {"schemas": {"New": {"properties": {"min_players": {"type": "integer"}}, "example": {"min_players": 3}}}},
        });
        let api = Api::read(&document);
        let call = &api.groups[0].calls[0];
        assert_eq!((call.method.as_str(), call.path.as_str()), ("POST", "/api/games"));
        let body = call.body.as_ref().expect("a body");
        assert!(body.schema.contains("min_players?: integer"));
        assert!(body.example.as_ref().expect("an example").contains("3"));
    }
}
