//! The Hall of Throne of a case: what does best there and who is paid for it, and every title that changed hands. Never a text.

use crate::corpus::dockets as cases;
use crate::http::extract::{Path, Query};
use crate::locale::{Arg, Words, t};
use crate::pages::market::Worked;
use crate::pages::market::labels as tell;
use crate::pages::shared::frame::Frame;
use crate::pages::{Visit, render};
use crate::problem::Problem;
use askama::Template;
use axum::response::Response;
use commons::ledger::terms::Terms;
use engine::facts::Manner;
use engine::roster::Lang;
use engine::time::Timestamp;
use serde::Deserialize;
use store::ledger::thrones::{self, Alias, Asset, Change, Reign};

/// How many changes a page shows.
const CHANGES: usize = 50;

#[derive(Template)]
#[template(path = "market/throne.html")]
pub struct ThronePage {
    pub frame: Frame,
    /// The time, for "3 minutes ago".
    pub now: Timestamp,
    pub case_id: String,
    pub case: String,
    /// Who is charged in it.
    pub characters: Vec<CharacterTitles>,
    /// When a title changes hands, in a sentence.
    pub rule: String,
    /// Titles that changed hands, newest first.
    pub changes: Vec<ChangeRow>,
    /// Whether this is a later page of them.
    pub later: bool,
    /// Where the next page begins.
    pub next: Option<i64>,
}

/// The titles that concern one character.
pub struct CharacterTitles {
    pub name: String,
    /// Attacks on them, then defenses of theirs.
    pub parts: [(Asset, Vec<ReignRow>); 2],
}

pub struct ReignRow {
    /// What it is about.
    pub label: String,
    /// What tells it apart from others with the same label.
    pub number: String,
    /// Whether a defense would prove, withdraw or defend a claim.
    pub mode: Option<Manner>,
    /// How well it does, from 0 to 100.
    pub percent: i64,
    pub worked: Worked,
    /// Who is paid for it.
    pub champion: Alias,
    pub since: Timestamp,
    /// Whether the title was taken from an earlier holder.
    pub taken: bool,
}

impl ReignRow {
    fn of(reign: Reign, lang: Lang, letters: usize) -> Self {
        ReignRow {
            label: tell::label(lang, reign.label),
            number: tell::number(&reign.hash, letters),
            mode: reign.mode,
            percent: percent(reign.effectiveness_e4),
            worked: Worked::of(reign.worked, reign.uses),
            champion: reign.champion,
            since: reign.since,
            taken: reign.taken,
        }
    }
}

/// One title that changed hands.
pub struct ChangeRow {
    id: i64,
    name: String,
    asset: Asset,
    label: String,
    challenger: String,
    previous: Alias,
    new: Alias,
    percent: i64,
    challenger_percent: i64,
    uses: i64,
    trigger: i64,
    at: Timestamp,
}

impl ChangeRow {
    pub fn of(change: Change, lang: Lang, letters: usize) -> Self {
        let named = |label: &str, hash: &str| {
            format!("{} {}", tell::label(lang, label.to_owned()), tell::number(hash, letters))
        };
        ChangeRow {
            id: change.id,
            name: character(lang, &change.title.case_id, &change.title.character_id),
            asset: change.title.asset,
            label: named(&change.label, &change.hash),
            challenger: named(&change.challenger_label, &change.challenger_hash),
            previous: change.previous,
            new: change.new,
            percent: percent(change.effectiveness_e4),
            challenger_percent: percent(change.challenger_e4),
            uses: change.challenger_uses,
            trigger: change.trigger_event_id,
            at: change.at,
        }
    }

    /// What happened, in a sentence.
    fn told(&self, w: &Words) -> String {
        let (new, previous) = (said(w, &self.new), said(w, &self.previous));
        let key = match self.asset {
            Asset::Attack => "throne-took-attack",
            Asset::Defense => "throne-took-defense",
        };
        let told = w.t2(key, "new", &new, "previous", &previous);
        match self.new {
            // A name is spelt as its owner spells it.
            Alias::Player(_) => told,
            Alias::House | Alias::Deleted => capital(&told),
        }
    }

    /// Why, in a sentence.
    fn why(&self, w: &Words) -> String {
        let key = match self.asset {
            Asset::Attack => "throne-why-attack",
            Asset::Defense => "throne-why-defense",
        };
        let sentence = w.t2(key, "label", &self.label, "challenger", &self.challenger);
        let figures = w.n1("throne-figures", self.uses, "percent", self.challenger_percent);
        let fallen = w.t1("throne-fallen", "percent", self.percent);
        format!("{sentence} {figures} {fallen}")
    }
}

/// How a page names the holder of a title.
pub fn said(w: &Words, alias: &Alias) -> String {
    match alias {
        Alias::House => w.t("alias-house"),
        Alias::Deleted => w.t("alias-deleted"),
        Alias::Player(name) => name.clone(),
    }
}

/// The sentence with a capital at its beginning.
fn capital(sentence: &str) -> String {
    let mut rest = sentence.chars();
    rest.next().map(|first| first.to_uppercase().chain(rest).collect()).unwrap_or_default()
}

/// When a title changes hands.
fn rule(w: Words, terms: &Terms) -> String {
    let numbers = [
        ("fallen", percent(terms.fallen_e4)),
        ("risen", percent(terms.risen_e4)),
        ("uses", terms.challenge_uses_min as i64),
        ("opponents", terms.challenge_opponents_min as i64),
    ];
    t(w.0, "throne-rule", &numbers.map(|(name, number)| (name, Arg::Count(number))))
}

/// Ten-thousandths as whole percent.
pub fn percent(e4: i64) -> i64 {
    (e4 + 50) / 100
}

/// The name of a character, or the id if it is unknown.
pub fn character(lang: Lang, case_id: &str, id: &str) -> String {
    cases::character(lang, case_id, id).map_or(id, |one| &one.name).to_owned()
}

pub fn no_case() -> Problem {
    Problem::not_found("CASE_NOT_FOUND", "There is no such case.")
}

/// The query of a later page: changes before this id.
#[derive(Deserialize)]
pub(crate) struct Before {
    before: Option<i64>,
}

pub(crate) async fn throne(visit: Visit, Path(id): Path<String>, Query(query): Query<Before>) -> Response {
    let page = async {
        let case = cases::case(visit.lang, &id).ok_or_else(no_case)?;
        let (case_id, ids) = (case.case_id.clone(), cases::characters(&id));
        let before = query.before.unwrap_or(i64::MAX);
        let read = move |db: &_| {
            let changes = thrones::changes(db, Some(&case_id), before, CHANGES)?;
            Ok((thrones::hall(db, &case_id, &ids)?, changes))
        };
        let (hall, changes) = visit.house.store.read(read).await?;
        let next = changes.last().filter(|_| changes.len() == CHANGES).map(|last| last.id);
        let changed = changes.iter().flat_map(|change| [change.hash.as_str(), change.challenger_hash.as_str()]);
        let letters = tell::letters(hall.iter().map(|reign| reign.hash.as_str()).chain(changed));
        let of = |character: &str, asset: Asset| {
            let here = |reign: &&Reign| reign.title.character_id == character && reign.title.asset == asset;
            (asset, hall.iter().filter(here).cloned().map(|reign| ReignRow::of(reign, visit.lang, letters)).collect())
        };
        let characters = case
            .characters
            .iter()
            .map(|one| CharacterTitles { name: one.name.clone(), parts: Asset::ALL.map(|asset| of(&one.id, asset)) });
        render(&ThronePage {
            frame: visit.frame(visit.words().t1("throne-of", "case", &case.title)).await,
            now: visit.house.now(),
            case_id: case.case_id.clone(),
            case: case.title.clone(),
            characters: characters.collect(),
            rule: rule(visit.words(), visit.house.store.terms()),
            changes: changes.into_iter().map(|change| ChangeRow::of(change, visit.lang, letters)).collect(),
            later: query.before.is_some(),
            next,
        })
    };
    visit.show(page.await)
}
