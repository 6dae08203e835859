//! The reference tables of the meeting: opening variants, excerpts of the assessment, the Chair's script and the issues. Those that ship
//! with Moot are compiled in; a server may replace any of them when it starts. A new meeting names the tables it is played by; a server
//! keeps every table that was ever named.

use super::content::{Content, Excerpt, IssueText, shipped_stances};
use super::stance::Stance;
use super::words::{Choice, Issue, Role};
use engine::reference::Reference;
use engine::roster::Lang;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{OnceLock, RwLock};

/// Most rows of one table.
const ROWS_MAX: usize = 500;
/// Longest text in a row, in characters.
const TEXT_LEN_MAX: usize = 1_200;
const LANGS: [Lang; 2] = [Lang::En, Lang::Ko];

/// A reference table, by the name it has in the database; its file is `NAME.LANGUAGE.json`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Table {
    OpeningVariants,
    ImaExcerpts,
    JapanScripts,
    IssueDefinitions,
}

impl Table {
    pub const ALL: [Table; 4] =
        [Table::OpeningVariants, Table::ImaExcerpts, Table::JapanScripts, Table::IssueDefinitions];

    pub fn word(self) -> &'static str {
        match self {
            Table::OpeningVariants => "opening_variants",
            Table::ImaExcerpts => "ima_excerpts",
            Table::JapanScripts => "japan_scripts",
            Table::IssueDefinitions => "issue_definitions",
        }
    }

    fn shipped(self, lang: Lang) -> &'static str {
        macro_rules! file {
            ($table:literal) => {
                match lang {
                    Lang::En => include_str!(concat!("../../../../briefs/mercury/", $table, ".en.json")),
                    Lang::Ko => include_str!(concat!("../../../../briefs/mercury/", $table, ".ko.json")),
                }
            };
        }
        match self {
            Table::OpeningVariants => file!("opening_variants"),
            Table::ImaExcerpts => file!("ima_excerpts"),
            Table::JapanScripts => file!("japan_scripts"),
            Table::IssueDefinitions => file!("issue_definitions"),
        }
    }
}

/// The tables of one meeting, by their hashes.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Tables {
    pub opening_variants: String,
    pub ima_excerpts: String,
    pub japan_scripts: String,
    pub issue_definitions: String,
}

impl Tables {
    fn of(&self, table: Table) -> &str {
        match table {
            Table::OpeningVariants => &self.opening_variants,
            Table::ImaExcerpts => &self.ima_excerpts,
            Table::JapanScripts => &self.japan_scripts,
            Table::IssueDefinitions => &self.issue_definitions,
        }
    }

    fn naming(name: impl Fn(Table) -> String) -> Tables {
        Tables {
            opening_variants: name(Table::OpeningVariants),
            ima_excerpts: name(Table::ImaExcerpts),
            japan_scripts: name(Table::JapanScripts),
            issue_definitions: name(Table::IssueDefinitions),
        }
    }
}

/// An opening with the stances it starts from.
#[derive(Clone, PartialEq, Debug)]
pub struct Variant {
    pub id: String,
    pub role: Role,
    pub text: String,
    /// What the role wants of its private talks.
    pub interests: Vec<String>,
    /// By issue.
    pub stances: Vec<Stance>,
}

/// Everything a meeting looks up, as the rows say it.
pub(super) struct Rows {
    pub(super) openings: Vec<Variant>,
    pub(super) excerpts: Vec<Excerpt>,
    pub(super) chair: BTreeMap<String, Vec<String>>,
    pub(super) issues: Vec<IssueText>,
}

#[derive(Deserialize)]
struct VariantRow {
    id: String,
    role_id: Role,
    opening_text: String,
    #[serde(default)]
    interests: Vec<String>,
    initial_stances: BTreeMap<String, StanceRow>,
}

#[derive(Deserialize)]
struct ScriptRow {
    key: String,
    text: String,
}

/// A stance as the file has it, from 0 to 1.
#[derive(Deserialize)]
struct StanceRow {
    preferred: Choice,
    acceptance: BTreeMap<Choice, Option<f64>>,
    firmness: f64,
    fallbacks: Vec<Choice>,
    conditions: Vec<String>,
}

impl StanceRow {
    fn stance(&self, issue: Issue) -> Result<Stance, String> {
        let unit = |value: f64| match (0.0..=1.0).contains(&value) {
            true => Ok((value * 100.0).round() as u8),
            false => Err(format!("{value} is not from 0 to 1")),
        };
        let all: Vec<Choice> = issue.options().collect();
        let foreign = [&self.preferred].into_iter().chain(&self.fallbacks).chain(self.acceptance.keys());
        if let Some(option) = foreign.into_iter().find(|option| !all.contains(option)) {
            return Err(format!("{option} is no option of issue {}", issue.0));
        }
        let acceptance = all.iter().map(|option| match self.acceptance.get(option) {
            Some(value) => value.map(unit).transpose(),
            None => Err(format!("acceptance says nothing of {option}")),
        });
        let acceptance = acceptance.collect::<Result<Vec<_>, _>>()?;
        if acceptance[usize::from(self.preferred.number) - 1].is_none() {
            return Err(format!("{} is preferred and a red line", self.preferred));
        }
        Ok(Stance {
            preferred: self.preferred,
            acceptance,
            firmness: unit(self.firmness)?,
            fallbacks: self.fallbacks.clone(),
            conditions: self.conditions.clone(),
        })
    }
}

/// A table from the text of its file: a list of rows or, of the Chair's script, lines by key.
pub fn read(table: Table, lang: Lang, text: &str) -> Result<Reference, String> {
    let file: Value = serde_json::from_str(text).map_err(|error| error.to_string())?;
    let rows: Vec<Value> = match (table, file) {
        (Table::JapanScripts, Value::Object(by_key)) => script_rows(by_key)?,
        (Table::JapanScripts, _) => return Err("it must be an object of lists of lines, by key".to_owned()),
        (_, Value::Array(rows)) => rows,
        (_, _) => return Err("it must be a list of rows".to_owned()),
    };
    if rows.is_empty() || rows.len() > ROWS_MAX {
        return Err(format!("it has {} rows; it may have 1 to {ROWS_MAX}", rows.len()));
    }
    let rows = rows.into_iter().map(|row| if table == Table::OpeningVariants { with_stances(row) } else { row });
    Ok(Reference { table: table.word().to_owned(), lang, rows: rows.map(|row| row.to_string()).collect() })
}

fn script_rows(by_key: Map<String, Value>) -> Result<Vec<Value>, String> {
    let mut rows = Vec::new();
    for (key, lines) in by_key {
        let lines = lines.as_array().filter(|lines| !lines.is_empty() && lines.iter().all(Value::is_string));
        let lines = lines.ok_or_else(|| format!("{key} must be a list of lines"))?;
        rows.extend(lines.iter().map(|line| serde_json::json!({"key": key, "text": line})));
    }
    Ok(rows)
}

/// A variant without stances of its own starts from those of the shipped one with its id.
fn with_stances(mut row: Value) -> Value {
    if let Some(fields) = row.as_object_mut().filter(|fields| !fields.contains_key("initial_stances"))
        && let Some(stances) = fields.get("id").and_then(Value::as_str).and_then(shipped_stances)
    {
        fields.insert("initial_stances".into(), stances);
    }
    row
}

fn rows<T: for<'a> Deserialize<'a>>(reference: &Reference) -> Result<Vec<T>, String> {
    let row = |(row, number): (&String, usize)| {
        serde_json::from_str(row).map_err(|error| format!("row {number} of {}: {error}", reference.table))
    };
    reference.rows.iter().zip(1..).map(row).collect()
}

fn openings(reference: &Reference) -> Result<Vec<Variant>, String> {
    let variant = |row: VariantRow| {
        let stance = |issue: Issue| {
            let stance = row.initial_stances.get(&issue.0.to_string());
            let stance = stance.ok_or_else(|| format!("no stance on issue {}", issue.0))?;
            stance.stance(issue)
        };
        let stances: Result<Vec<Stance>, String> = Issue::ALL.into_iter().map(stance).collect();
        let stances = stances.map_err(|wrong| format!("opening {}: {wrong}", row.id))?;
        Ok(Variant { id: row.id, role: row.role_id, text: row.opening_text, interests: row.interests, stances })
    };
    let variants = rows(reference)?.into_iter().map(variant).collect::<Result<Vec<Variant>, String>>()?;
    once(variants.iter().map(|variant| &variant.id), "opening")?;
    for role in Role::ALL {
        if !variants.iter().any(|variant| variant.role == role) {
            return Err(format!("{} has no opening", role.word()));
        }
    }
    sized(variants.iter().map(|variant| &variant.text))?;
    Ok(variants)
}

fn excerpts(reference: &Reference) -> Result<Vec<Excerpt>, String> {
    let excerpts: Vec<Excerpt> = rows(reference)?;
    once(excerpts.iter().map(|excerpt| &excerpt.id), "excerpt")?;
    sized(excerpts.iter().map(|excerpt| &excerpt.text))?;
    Ok(excerpts)
}

fn chair(reference: &Reference) -> Result<BTreeMap<String, Vec<String>>, String> {
    let mut by_key: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for ScriptRow { key, text } in rows(reference)? {
        by_key.entry(key).or_default().push(text);
    }
    sized(by_key.values().flatten())?;
    Ok(by_key)
}

fn issues(reference: &Reference) -> Result<Vec<IssueText>, String> {
    let issues: Vec<IssueText> = rows(reference)?;
    let wanted: Vec<String> = Issue::ALL.iter().map(|issue| issue.0.to_string()).collect();
    if issues.iter().map(|issue| &issue.issue_id).ne(&wanted) {
        return Err("the issues must be 1 to 4, in this order: the rules have no others".to_owned());
    }
    for (issue, text) in Issue::ALL.into_iter().zip(&issues) {
        if text.options.iter().map(|option| option.option_id).ne(issue.options()) {
            let ids: Vec<String> = issue.options().map(|option| option.to_string()).collect();
            return Err(format!("issue {} must have the options {}, in this order", issue.0, ids.join(", ")));
        }
        if let Some(missing) = issue.options().find(|option| !text.ai_notes.contains_key(option)) {
            return Err(format!("ai_notes of issue {} say nothing of {missing}", issue.0));
        }
    }
    Ok(issues)
}

fn once<'a>(ids: impl Iterator<Item = &'a String>, what: &str) -> Result<(), String> {
    let mut seen = BTreeSet::new();
    match ids.into_iter().find(|id| id.is_empty() || !seen.insert(*id)) {
        Some(id) => Err(format!("{what} {id:?} has no id, or one that is there already")),
        None => Ok(()),
    }
}

fn sized<'a>(texts: impl Iterator<Item = &'a String>) -> Result<(), String> {
    let is_wrong = |text: &&String| text.trim().is_empty() || text.chars().count() > TEXT_LEN_MAX;
    match texts.into_iter().find(is_wrong) {
        Some(text) => {
            let begins: String = text.chars().take(40).collect();
            Err(format!("a text must have 1 to {TEXT_LEN_MAX} characters, and {begins:?} has not"))
        }
        None => Ok(()),
    }
}

/// What is known of tables: every one that was shipped, added or read from a database.
#[derive(Default)]
struct Library {
    by_hash: BTreeMap<String, Reference>,
    /// Made once for each combination and never dropped: there are about as many as files were edited.
    contents: Vec<(Tables, &'static Content)>,
}

static LIBRARY: RwLock<Library> = RwLock::new(Library { by_hash: BTreeMap::new(), contents: Vec::new() });
/// The tables of new meetings, in English and in Korean.
static CURRENT: OnceLock<[(Tables, Vec<Reference>); 2]> = OnceLock::new();

fn shipped(lang: Lang) -> BTreeMap<Table, Reference> {
    let one = |table: Table| {
        let read = read(table, lang, table.shipped(lang));
        (table, read.expect("the tables are part of the program and a test reads them"))
    };
    Table::ALL.into_iter().map(one).collect()
}

/// The texts of the shipped files.
pub(super) fn texts(lang: Lang) -> [&'static str; 4] {
    Table::ALL.map(|table| table.shipped(lang))
}

fn named(tables: &BTreeMap<Table, Reference>) -> Tables {
    Tables::naming(|table| tables[&table].hash().to_string())
}

/// The shipped tables, in the order of [`LANGS`].
fn all_shipped() -> [(Tables, Vec<Reference>); 2] {
    LANGS.map(|lang| {
        let tables = shipped(lang);
        (named(&tables), tables.into_values().collect())
    })
}

/// Has new meetings played by these tables instead of the shipped ones of the same name and language. To be called before the first
/// meeting; says what is wrong with them.
pub fn replace(own: &[Reference]) -> Result<(), String> {
    let mut wrong = None;
    let current = LANGS.map(|lang| {
        let mut tables = shipped(lang);
        for table in Table::ALL {
            let mine = own.iter().find(|one| one.lang == lang && one.table == table.word());
            if let Some(mine) = mine {
                tables.insert(table, mine.clone());
            }
        }
        let read = Rows::read(&tables).and_then(|rows| Content::checked(lang, rows).map(drop));
        wrong = wrong.take().or(read.err());
        (named(&tables), tables.into_values().collect())
    });
    match wrong {
        Some(wrong) => Err(wrong),
        None => CURRENT.set(current).map_err(|_| "a meeting was held already".to_owned()),
    }
}

/// The tables of new meetings, to be kept.
pub(super) fn in_use() -> Vec<Reference> {
    CURRENT.get_or_init(all_shipped).iter().flat_map(|(_, tables)| tables.clone()).collect()
}

/// Takes in tables that a database has kept.
pub(super) fn know(kept: &[Reference]) {
    let mut library = LIBRARY.write().expect("no holder panics");
    for reference in kept.iter().filter(|one| Table::ALL.iter().any(|table| table.word() == one.table)) {
        library.by_hash.entry(reference.hash().to_string()).or_insert_with(|| reference.clone());
    }
}

/// The names of the tables by which a new meeting is played.
pub(super) fn tables(lang: Lang) -> Tables {
    let place = LANGS.iter().position(|known| *known == lang).unwrap_or_default();
    CURRENT.get_or_init(all_shipped)[place].0.clone()
}

impl Rows {
    fn read(tables: &BTreeMap<Table, Reference>) -> Result<Rows, String> {
        Ok(Rows {
            openings: openings(&tables[&Table::OpeningVariants])?,
            excerpts: excerpts(&tables[&Table::ImaExcerpts])?,
            chair: chair(&tables[&Table::JapanScripts])?,
            issues: issues(&tables[&Table::IssueDefinitions])?,
        })
    }

    /// The rows that ship with Moot.
    pub(super) fn shipped(lang: Lang) -> Rows {
        Rows::read(&shipped(lang)).expect("the tables are part of the program and a test reads them")
    }
}

/// What a meeting of these tables looks up; nothing if one of them is known nowhere.
pub(super) fn content_by(lang: Lang, tables: &Tables) -> Option<&'static Content> {
    let known = {
        let library = LIBRARY.read().expect("no holder panics");
        if let Some((_, content)) = library.contents.iter().find(|(known, _)| known == tables) {
            return Some(content);
        }
        let in_use = in_use();
        let find = |table: Table| {
            let hash = tables.of(table);
            let used = || in_use.iter().find(|one| one.hash().to_string() == hash);
            Some((table, library.by_hash.get(hash).or_else(used)?.clone()))
        };
        Table::ALL.into_iter().map(find).collect::<Option<BTreeMap<Table, Reference>>>()?
    };
    // Not checked again: what a meeting was played by may lack what later ones have.
    let content = Content::of(lang, Rows::read(&known).ok()?);
    let mut library = LIBRARY.write().expect("no holder panics");
    let content = &*Box::leak(Box::new(content));
    library.contents.push((tables.clone(), content));
    Some(content)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shipped_tables_read_and_an_edited_one_has_another_name() {
        for lang in LANGS {
            let tables = shipped(lang);
            Rows::read(&tables).expect("they read");
            for table in Table::ALL {
                let text = table.shipped(lang);
                let again = read(table, lang, &text.replace("\n", "\n ")).expect("it reads");
                assert_eq!(again.hash(), tables[&table].hash(), "white space is no edit");
                let edited =
                    read(table, lang, &text.replacen(". ", "! ", 1).replacen("다.", "다!", 1)).expect("it reads");
                assert_ne!(edited.hash(), tables[&table].hash(), "{table:?}");
            }
        }
    }

    #[test]
    fn a_wrong_table_is_refused_with_the_reason() {
        let shipped_text = |table: Table| table.shipped(Lang::En).to_owned();
        let check = |table: Table, text: &str| {
            let mut tables = shipped(Lang::En);
            tables.insert(table, read(table, Lang::En, text)?);
            Content::checked(Lang::En, Rows::read(&tables)?).map(drop)
        };
        let openings = shipped_text(Table::OpeningVariants);
        let only = |keep: &str| {
            let rows: Vec<Value> = serde_json::from_str(&openings).expect("it reads");
            let kept: Vec<Value> = rows.into_iter().filter(|row| row["role_id"] != keep).collect();
            Value::from(kept).to_string()
        };
        for (table, text, why) in [
            (Table::OpeningVariants, only("TZA"), "TZA has no opening"),
            (Table::OpeningVariants, openings.replacen("\"BRA-2\"", "\"BRA-1\"", 1), "there already"),
            (Table::OpeningVariants, openings.replacen("\"BRA-1\"", "\"BRA-9\"", 1), "initial_stances"),
            (
                Table::IssueDefinitions,
                shipped_text(Table::IssueDefinitions).replacen("\"1.2\"", "\"1.3\"", 1),
                "no such option",
            ),
            (Table::JapanScripts, "{}".into(), "0 rows"),
            (Table::JapanScripts, "{\"proposal\": [\"Only this.\"]}".into(), "has no line for"),
            (Table::ImaExcerpts, "[{\"id\": \"a\"}]".into(), "missing field"),
            (Table::ImaExcerpts, "nothing".into(), "expected"),
        ] {
            let said = check(table, &text).expect_err(why);
            assert!(said.contains(why), "{said}");
        }
    }
}
