//! `moot hear play`: whole games over HTTP in which one player says texts of one sort from beginning to end, against house minds at
//! their usual level. Texts come from the part of the examples that nothing was learned from.

use super::{Content, LANGS, Part, School};
use crate::bench::tables::{Scratch, block_on, open_house};
use anyhow::{Context as _, bail};
use clap::{Args, ValueEnum};
use engine::chance::Draw;
use games::listening::lessons::{Example, Split};
use games::listening::school::OBLIQUE;
use games::listening::{Side, Stance, Subject};
use indicatif::ProgressBar;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

/// How many games are played at once.
const AT_ONCE: usize = 8;
/// How long a request for the next state waits, in seconds.
const WAIT_S: u64 = 10;
/// Seats at a trolley table: one of the five is a minority of one.
const TROLLEY_SEATS: usize = 5;

/// Which games, how many, and on which texts.
#[derive(Args)]
pub(in crate::cli) struct Play {
    /// Only games of this kind: trolley, trial, mercury, tribunal
    #[arg(long)]
    kind: Option<String>,
    /// Only games in this language: en, ko
    #[arg(long)]
    lang: Option<String>,
    /// Only texts of this sort
    #[arg(long, value_enum)]
    sort: Option<Sort>,
    /// How many games of each kind, language and sort
    #[arg(long, default_value_t = 200)]
    games: usize,
    /// Which part of the examples is said
    #[arg(long, value_enum, default_value = "held")]
    split: Part,
    #[command(flatten)]
    content: Content,
}

/// What a player says from beginning to end.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, ValueEnum)]
enum Sort {
    /// Arguments for its own side
    Own,
    /// Arguments for the other side
    Other,
    /// Loud phrases without a reason
    Slogan,
    /// Sensible sentences about something else
    Offtopic,
    /// Words of the subject in no order
    Salad,
    /// Words of a dictionary, at random
    Random,
    /// Orders to the listener
    Order,
    /// What the case file says
    File,
    /// Nothing, where that is allowed
    Silent,
}

impl Sort {
    fn word(self) -> String {
        self.to_possible_value().map_or(String::new(), |value| value.get_name().to_owned())
    }

    /// Whether a player of this kind can do so: a trolley has no file, and only a delegate may keep silent.
    fn is_possible(self, kind: &str) -> bool {
        match self {
            Sort::File => kind != "trolley",
            Sort::Silent => kind == "mercury",
            Sort::Own | Sort::Other | Sort::Slogan | Sort::Offtopic | Sort::Salad | Sort::Random | Sort::Order => true,
        }
    }
}

/// Games of one kind, language and sort.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Cell {
    kind: &'static str,
    lang: &'static str,
    sort: Sort,
}

/// By what is measured: the sum of all its values, and how many there were.
type Tally = BTreeMap<&'static str, (f64, usize)>;

pub(super) fn run(play: &Play) -> anyhow::Result<()> {
    if play.split == Part::House {
        bail!("house minds say their own lines in every game; choose tune or held");
    }
    let texts = Texts::read(&play.content.briefs, play.split.split())?;
    let cells: Vec<Cell> = cells(play).collect();
    if cells.is_empty() {
        bail!("there is no such kind or language");
    }
    let scratch = Scratch::new("hear")?;
    let store = crate::play::records::open(&scratch.0)?;
    let tallies = block_on(async {
        let url = format!("http://{}/api", open_house(store).await?);
        Table { client: Client::signed_up(url).await?, texts, games: play.games }.play(cells).await
    })?;
    println!("{:<10} {:<4} {:<9}", "kind", "lang", "says");
    for (cell, tally) in tallies {
        let measures = tally.iter().map(|(name, (sum, times))| {
            let mean = sum / (*times).max(1) as f64;
            match name.strip_prefix('#') {
                Some(name) => format!("{name} {mean:.2} ({times})"),
                None => format!("{name} {:.1}% ({times})", mean * 100.0),
            }
        });
        println!(
            "{:<10} {:<4} {:<9} {}",
            cell.kind,
            cell.lang,
            cell.sort.word(),
            measures.collect::<Vec<_>>().join(", ")
        );
    }
    println!("(how often, or how many on average; in brackets, of how many games, rounds or exchanges)");
    Ok(())
}

fn cells(play: &Play) -> impl Iterator<Item = Cell> {
    let kinds = games::catalog::KINDS.iter().map(|kind| kind.meta.name);
    let kinds = kinds.filter(|kind| play.kind.as_ref().is_none_or(|only| only == kind));
    let langs = || LANGS.into_iter().map(|(_, lang)| lang);
    let cells = kinds.flat_map(move |kind| {
        langs().flat_map(move |lang| Sort::value_variants().iter().map(move |sort| Cell { kind, lang, sort: *sort }))
    });
    cells
        .filter(|cell| play.lang.as_ref().is_none_or(|only| only == cell.lang))
        .filter(|cell| play.sort.is_none_or(|only| only == cell.sort) && cell.sort.is_possible(cell.kind))
}

/// Every text that may be said, by language and the folder of its subject.
struct Texts {
    subjects: Vec<Subject>,
    by_subject: BTreeMap<(&'static str, String), Vec<Example>>,
}

impl Texts {
    fn read(briefs: &Path, split: Split) -> anyhow::Result<Self> {
        let school = School::open(briefs)?;
        let mut by_subject = BTreeMap::new();
        for subject in &school.subjects {
            for (_, lang) in LANGS {
                let mut read = school.examples(&subject.folder, lang)?;
                read.retain(|example| example.split == split);
                by_subject.insert((lang, subject.folder.clone()), read);
            }
        }
        Ok(Texts { subjects: school.subjects, by_subject })
    }

    fn of(&self, lang: &'static str, folder: &str) -> &[Example] {
        self.by_subject.get(&(lang, folder.to_owned())).map_or(&[], Vec::as_slice)
    }

    /// The cases of a kind.
    fn cases(&self, kind: &str) -> Vec<&Subject> {
        self.subjects.iter().filter(|subject| subject.kind == kind).collect()
    }

    /// What a speaker of this side may say in a case, in some order: different points before the same ones again.
    fn speeches(&self, cell: Cell, subject: &Subject, side: Side, file: Vec<String>, draw: &mut Draw) -> Vec<String> {
        let examples = self.of(cell.lang, &subject.folder);
        let wanted = match cell.sort {
            Sort::File => return file,
            Sort::Silent => return vec![],
            Sort::Own => side,
            Sort::Other => side.other(),
            Sort::Slogan | Sort::Offtopic | Sort::Salad | Sort::Random | Sort::Order => {
                let word = cell.sort.word();
                let bad = examples.iter().filter(|example| example.none.as_ref() == Some(&word));
                let mut bad: Vec<String> = bad.map(|example| example.text.clone()).collect();
                draw.shuffle(&mut bad);
                return bad;
            }
        };
        let mut good: Vec<&Example> = examples.iter().filter(|example| argues(example, subject, wanted)).collect();
        draw.shuffle(&mut good);
        let mut made: Vec<(&str, Stance)> = Vec::new();
        let (mut first, mut again) = (Vec::new(), Vec::new());
        for example in good {
            let point = (example.points[0].id.as_str(), example.points[0].stance);
            let list = if made.contains(&point) { &mut again } else { &mut first };
            made.push(point);
            list.push(example.text.clone());
        }
        first.extend(again);
        first
    }
}

/// Whether an example is a plain argument for this side.
fn argues(example: &Example, subject: &Subject, side: Side) -> bool {
    let [point] = &example.points[..] else { return false };
    matches!(point.stance, Stance::Asserts | Stance::Denies)
        && !subject.syllabus.claims.contains(&point.id)
        && subject.syllabus.helps(&point.id, point.stance) == Some(side)
        && !OBLIQUE.contains(&example.voice.as_str())
}

/// One text after the other, from the beginning again after the last.
struct Script {
    texts: Vec<String>,
    said: usize,
}

impl Script {
    fn new(texts: Vec<String>) -> Self {
        Script { texts, said: 0 }
    }

    fn is_empty(&self) -> bool {
        self.texts.is_empty()
    }

    fn next(&mut self) -> &str {
        self.said += 1;
        &self.texts[(self.said - 1) % self.texts.len()]
    }
}

#[derive(Clone)]
struct Client {
    http: reqwest::Client,
    url: String,
    key: String,
}

impl Client {
    async fn signed_up(url: String) -> anyhow::Result<Self> {
        let mut client = Client { http: reqwest::Client::new(), url, key: String::new() };
        let account = json!({"email": "player@example.org", "username": "player", "password": "a long password"});
        client.post("/auth/register", &account).await?;
        let session = client.post("/auth/login", &account).await?;
        client.key = session["access_token"].as_str().context("a session")?.to_owned();
        Ok(client)
    }

    async fn post(&self, path: &str, body: &Value) -> anyhow::Result<Value> {
        let request = self.http.post(format!("{}{path}", self.url)).bearer_auth(&self.key).json(body);
        let answer = request.send().await?;
        let (status, body) = (answer.status(), answer.text().await?);
        if !status.is_success() {
            bail!("{path}: {status} {body}");
        }
        Ok(serde_json::from_str(&body)?)
    }

    async fn get(&self, path: &str) -> anyhow::Result<Value> {
        let answer = self.http.get(format!("{}{path}", self.url)).bearer_auth(&self.key).send().await?;
        Ok(answer.error_for_status()?.json().await?)
    }

    /// Makes a table where house minds are as strong as usual. Games of one deal begin alike, whatever is said in them.
    async fn create(&self, cell: Cell, deal: &str, mut options: Value) -> anyhow::Result<String> {
        options["game_type"] = cell.kind.into();
        options["lang"] = cell.lang.into();
        options["level"] = "usual".into();
        options["seed"] = deal.into();
        options["visibility"] = "unlisted".into();
        let made = self.post("/games", &options).await?;
        Ok(made["game_id"].as_str().context("a game")?.to_owned())
    }

    /// Plays a game to its end, and returns its result: `act` is asked for a body whenever the state has changed.
    async fn play(&self, game: &str, mut act: impl FnMut(&Value) -> Option<Value>) -> anyhow::Result<Value> {
        let mut state = self.get(&format!("/games/{game}/state")).await?;
        loop {
            match act(&state) {
                Some(body) => drop(self.post(&format!("/games/{game}/action"), &body).await?),
                None => {
                    let mut end = self.get(&format!("/games/{game}/result")).await?;
                    if !end["result"].is_null() {
                        return Ok(end["result"].take());
                    }
                }
            }
            let version = &state["version"];
            state = self.get(&format!("/games/{game}/state?version={version}&wait={WAIT_S}")).await?;
        }
    }
}

struct Table {
    client: Client,
    texts: Texts,
    games: usize,
}

impl Table {
    async fn play(self, cells: Vec<Cell>) -> anyhow::Result<BTreeMap<Cell, Tally>> {
        let bar = ProgressBar::new((cells.len() * self.games) as u64);
        let work: Vec<(Cell, usize)> =
            cells.iter().flat_map(|cell| (0..self.games).map(move |number| (*cell, number))).collect();
        let (next, tallies) = (AtomicUsize::new(0), Mutex::new(BTreeMap::<Cell, Tally>::new()));
        let all = Arc::new((self, work, next, tallies, bar));
        let workers: Vec<_> = (0..AT_ONCE)
            .map(|_| {
                let all = all.clone();
                tokio::spawn(async move {
                    let (table, work, next, tallies, bar) = &*all;
                    while let Some((cell, number)) = work.get(next.fetch_add(1, Ordering::Relaxed)) {
                        let measured = table.one(*cell, *number).await?;
                        let mut tallies = tallies.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
                        let tally = tallies.entry(*cell).or_default();
                        for (name, value) in measured {
                            let sum = tally.entry(name).or_default();
                            *sum = (sum.0 + value, sum.1 + 1);
                        }
                        bar.inc(1);
                    }
                    anyhow::Ok(())
                })
            })
            .collect();
        for worker in workers {
            worker.await??;
        }
        all.4.finish_and_clear();
        let tallies = all.3.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        Ok(tallies.clone())
    }

    /// One game, and what came of it.
    async fn one(&self, cell: Cell, number: usize) -> anyhow::Result<Vec<(&'static str, f64)>> {
        let mut draw = Draw::from_number(number as u64);
        match cell.kind {
            "trial" => self.trial(cell, number, &mut draw).await,
            "trolley" => self.trolley(cell, number, &mut draw).await,
            "tribunal" => self.tribunal(cell, number, &mut draw).await,
            "mercury" => self.mercury(cell, number, &mut draw).await,
            kind => bail!("no player is known for {kind}"),
        }
    }

    async fn trial(&self, cell: Cell, number: usize, draw: &mut Draw) -> anyhow::Result<Vec<(&'static str, f64)>> {
        let cases = self.texts.cases(cell.kind);
        let subject = cases[number % cases.len()];
        let case = subject.folder.rsplit('/').next().unwrap_or_default();
        // Roles are dealt: a table where the player is not counsel of the side in turn is left to itself.
        let (role, side) = if (number / cases.len()).is_multiple_of(2) {
            ("PROSECUTOR", Side::First)
        } else {
            ("DEFENSE", Side::Second)
        };
        let mut deal = 0;
        let (game, state) = loop {
            deal += 1;
            let options = json!({"fill": true, "case_id": case});
            let game = self.client.create(cell, &format!("play {number} {deal}"), options).await?;
            self.client.post(&format!("/games/{game}/agents/register"), &json!({"display_name": "Counsel"})).await?;
            let state = self.client.get(&format!("/games/{game}/state")).await?;
            if state["self"]["role"] == role {
                break (game, state);
            }
        };
        let evidence = if side == Side::First { "evidence_for" } else { "evidence_against" };
        let file = strings(&state["case"][evidence]);
        let mut script = Script::new(self.texts.speeches(cell, subject, side, file, draw));
        if script.is_empty() {
            return Ok(vec![]);
        }
        let end = self.client.play(&game, |state| {
            (state["expected_action"] == "speak").then(|| json!({"type": "speak", "text": script.next()}))
        });
        let guilty = end.await?["verdict"] == "GUILTY";
        let name = if side == Side::First { "wins as prosecution" } else { "wins as defense" };
        Ok(vec![(name, f64::from(guilty == (side == Side::First)))])
    }

    async fn trolley(&self, cell: Cell, number: usize, draw: &mut Draw) -> anyhow::Result<Vec<(&'static str, f64)>> {
        let options = json!({"fill": true, "min_players": TROLLEY_SEATS, "auto_advance_s": 0});
        let game = self.client.create(cell, &format!("play {number}"), options).await?;
        let name = json!({"display_name": "Speaker"});
        let me = self.client.post(&format!("/games/{game}/agents/register"), &name).await?["agent_id"].clone();
        self.client.post(&format!("/games/{game}/start"), &json!({})).await?;
        let cases = self.texts.cases(cell.kind);
        let mut say = |side: Side| Script::new(self.texts.speeches(cell, cases[0], side, vec![], draw));
        let (mut many, mut few) = (say(Side::First), say(Side::Second));
        if many.is_empty() || few.is_empty() {
            return Ok(vec![]);
        }
        let end = self.client.play(&game, |state| {
            let role = state["self"]["role"].as_str().unwrap_or_default();
            match state["self"]["allowed_actions"][0].as_str()? {
                "argument" if role == "majority" => Some(json!({"type": "argument", "text": many.next()})),
                "argument" => Some(json!({"type": "argument", "text": few.next()})),
                "decision" => Some(json!({"type": "decision", "decision": "save_majority"})),
                _ => None,
            }
        });
        end.await?;
        let history = self.client.get(&format!("/games/{game}/history")).await?;
        let mut measured = Vec::new();
        for round in history["rounds"].as_array().context("rounds")? {
            let has = |list: &str| round[list].as_array().is_some_and(|ids| ids.contains(&me));
            let saved = f64::from(has("survivors"));
            if has("survivors") || has("lost") {
                measured.push(("saved", saved));
                let few = if has("survivors") { "survivors" } else { "lost" };
                if round[few].as_array().map(Vec::len) == Some(1) {
                    measured.push(("saved alone", saved));
                }
            }
        }
        Ok(measured)
    }

    async fn tribunal(&self, cell: Cell, number: usize, draw: &mut Draw) -> anyhow::Result<Vec<(&'static str, f64)>> {
        let cases = self.texts.cases(cell.kind);
        let subject = cases[number % cases.len()];
        let case = subject.folder.rsplit('/').next().unwrap_or_default();
        let game = self.client.create(cell, &format!("play {number}"), json!({"case_id": case})).await?;
        let state = self.client.get(&format!("/games/{game}/state")).await?;
        let record = state["case"]["record"].as_array().context("a record")?;
        let file = record.iter().filter(|fact| fact["favours"] != "acquit");
        let mut file: Vec<String> = file.filter_map(|fact| Some(fact["text"].as_str()?.to_owned())).collect();
        draw.shuffle(&mut file);
        let charged = state["case"]["characters"].as_array().context("characters")?;
        let charged: Vec<&Value> = charged.iter().map(|character| &character["id"]).collect();
        let mut texts = self.texts.speeches(cell, subject, Side::First, file, draw);
        texts.retain(|text| text.chars().count() >= *games::tribunal::ATTACK_LEN.start());
        let mut script = Script::new(texts);
        if script.is_empty() {
            return Ok(vec![]);
        }
        let end = self.client.play(&game, |state| {
            let on = charged[script.said % charged.len()];
            let asked = state["self"]["allowed_actions"].as_array()?.iter().any(|action| action == "argue");
            asked.then(|| json!({"type": "argue", "character_id": on, "text": script.next()}))
        });
        let verdict = end.await?["verdict"].clone();
        let end = self.client.get(&format!("/games/{game}/state")).await?;
        let shifts = end["exchanges_log"].as_array().context("exchanges")?.iter();
        let shifts: Vec<i64> = shifts.filter_map(|exchange| exchange["total_shift"].as_i64()).collect();
        let mut measured = vec![
            ("condemned", f64::from(verdict == "CONDEMNED")),
            ("acquitted", f64::from(verdict == "ACQUITTED")),
            ("#jurors moved", shifts.iter().sum::<i64>() as f64),
        ];
        measured.extend(shifts.iter().map(|shift| ("moves to condemn", f64::from(*shift > 0))));
        Ok(measured)
    }

    async fn mercury(&self, cell: Cell, number: usize, draw: &mut Draw) -> anyhow::Result<Vec<(&'static str, f64)>> {
        let game = self.client.create(cell, &format!("play {number}"), json!({})).await?;
        let state = self.client.get(&format!("/games/{game}/state")).await?;
        let roles: Vec<&str> =
            state["roles"].as_array().context("roles")?.iter().filter_map(|role| role["role_id"].as_str()).collect();
        let role = roles[number % roles.len()];
        let mut delegate = Delegate { texts: &self.texts, cell, issues: &state["round3"]["issues"], said: vec![] };
        // Whom to win over on what: China on form, emissions and products, Brazil on mining.
        let talks = [
            if role == "CHN" { ("USA", [1, 2, 3, 1, 2]) } else { ("CHN", [2, 1, 3, 2, 1]) },
            if role == "BRA" { ("TZA", [4, 2, 4, 3, 4]) } else { ("BRA", [4, 4, 1, 4, 2]) },
        ];
        let (mut talk, mut messages) = (0, 0);
        let end = self.client.play(&game, |state| {
            let allowed: Vec<&str> = state["allowed_events"].as_array()?.iter().filter_map(Value::as_str).collect();
            let event = *allowed.first()?;
            Some(match event {
                "ROLE_CONFIRMED" => json!({"type": event, "human_role_id": role}),
                "HUMAN_OPENING_STATEMENT" => json!({"type": "ROUND_1_STEP"}),
                "CONVO_1_SELECTED" | "CONVO_2_SELECTED" => {
                    (talk, messages) = (usize::from(event == "CONVO_2_SELECTED"), 0);
                    json!({"type": event, "partner_role_id": talks[talk].0})
                }
                "CONVO_MESSAGE" => {
                    let issue = talks[talk].1.get(messages);
                    messages += 1;
                    let text = issue.and_then(|issue| delegate.says(issue - 1, draw));
                    text.map_or(json!({"type": "CONVO_END_EARLY"}), |text| json!({"type": event, "content": text}))
                }
                "ROUND_3_START_ISSUE" => {
                    let placement = if cell.sort == Sort::Silent { "skip" } else { "first" };
                    let issue = state["round3"]["next_issue"].to_string();
                    json!({"type": event, "issue_id": issue, "human_placement": placement})
                }
                "HUMAN_DEBATE_MESSAGE" => {
                    let issue = state["round3"]["active_issue"]["issue_id"].as_u64().unwrap_or(1);
                    let text = delegate.says(issue as usize - 1, draw);
                    text.map_or(json!({"type": "HUMAN_DEBATE_SKIP"}), |text| json!({"type": event, "text": text}))
                }
                "HUMAN_VOTE" => json!({"type": event, "vote": if cell.sort == Sort::Other { "NO" } else { "YES" }}),
                event => json!({"type": event}),
            })
        });
        let adopted = end.await?["adopted"].as_f64().context("issues adopted")?;
        Ok(vec![("#issues adopted", adopted)])
    }
}

/// The options that a delegate of the Mercury Game argues for, or against.
const WANTED: [&str; 4] = ["1.1", "2.1", "3.2", "4.1"];

/// What a delegate of the Mercury Game says about an issue.
struct Delegate<'a> {
    texts: &'a Texts,
    cell: Cell,
    issues: &'a Value,
    /// The ids of offers it has made: none is made twice.
    said: Vec<&'a str>,
}

impl Delegate<'_> {
    fn says(&mut self, issue: usize, draw: &mut Draw) -> Option<String> {
        let options = self.texts.of(self.cell.lang, &format!("mercury/options_{}", issue + 1));
        let offers = self.texts.of(self.cell.lang, "mercury/offers");
        let takes = |point: String, stance: Stance| {
            move |example: &Example| {
                matches!(&example.points[..], [only] if only.id.starts_with(&point) && only.stance == stance)
                    && !OBLIQUE.contains(&example.voice.as_str())
            }
        };
        let word = self.cell.sort.word();
        match self.cell.sort {
            Sort::Silent => None,
            Sort::Own => {
                let argues = pick(options, takes(WANTED[issue].into(), Stance::Asserts), draw)?;
                let of_issue = takes(format!("{}.", issue + 1), Stance::Asserts);
                let mut offered = Vec::new();
                for _ in 0..2 {
                    let fresh = |example: &Example| of_issue(example) && !self.said.contains(&offer_id(example));
                    let Some(offer) = pick_example(offers, fresh, draw) else { break };
                    self.said.push(offer_id(offer));
                    offered.push(offer.text.as_str());
                }
                Some([argues, &offered.join(" ")].join(" ").trim().to_owned())
            }
            Sort::Other => pick(options, takes(WANTED[issue].into(), Stance::Denies), draw).map(str::to_owned),
            Sort::File => {
                let of = |option: &Value| option["option_id"] == WANTED[issue];
                let read = self.issues[issue]["options"].as_array()?.iter().find(|option| of(option))?;
                Some(read["description"].as_str()?.to_owned())
            }
            Sort::Slogan | Sort::Offtopic | Sort::Salad | Sort::Random | Sort::Order => {
                pick(options, |example| example.none.as_ref() == Some(&word), draw).map(str::to_owned)
            }
        }
    }
}

fn pick<'a>(examples: &'a [Example], fits: impl Fn(&Example) -> bool, draw: &mut Draw) -> Option<&'a str> {
    pick_example(examples, fits, draw).map(|example| example.text.as_str())
}

fn pick_example<'a>(examples: &'a [Example], fits: impl Fn(&Example) -> bool, draw: &mut Draw) -> Option<&'a Example> {
    let fitting: Vec<&Example> = examples.iter().filter(|example| fits(example)).collect();
    (!fitting.is_empty()).then(|| *draw.pick(&fitting))
}

/// The offer that an example makes.
fn offer_id(example: &Example) -> &str {
    example.points.first().map_or("", |point| &point.id)
}

fn strings(list: &Value) -> Vec<String> {
    list.as_array().map_or(vec![], |list| list.iter().filter_map(|text| Some(text.as_str()?.to_owned())).collect())
}
