//! The archive of a case: every attack tried in it and every defense given, sorted by a click, and what reading one costs.

use crate::api::cases::{self as api, ArchiveQuery};
use crate::corpus::dockets as names;
use crate::http::extract::{Path, Query};
use crate::pages::market::labels as tell;
use crate::pages::market::packs::PackCard;
use crate::pages::market::purchase::{Deal, Receipt};
use crate::pages::market::{Pill, plain_query};
use crate::pages::shared::frame::Frame;
use crate::pages::{Visit, render};
use crate::problem::{Answer, Problem};
use askama::Template;
use axum::response::Response;
use engine::facts::Manner;
use engine::roster::Lang;
use engine::time::Timestamp;
use games::tribunal::docket::Exhibit;
use serde::Deserialize;
use store::corpus::cases::{Champion, Done, Kept, Side, Sort};
use store::ledger::packs;

/// How many rows a page shows.
const ROWS: usize = 25;

/// Which tab is open.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Tab {
    /// What was put to the accused.
    Attacks,
    /// What the accused answered.
    Defenses,
    Packs,
}

impl Tab {
    pub const ALL: [Tab; 3] = [Tab::Attacks, Tab::Defenses, Tab::Packs];

    /// As links spell it.
    pub fn word(&self) -> &'static str {
        match self {
            Tab::Attacks => "attacks",
            Tab::Defenses => "defenses",
            Tab::Packs => "packs",
        }
    }

    fn side(self) -> Option<Side> {
        match self {
            Tab::Attacks => Some(Side::Attack),
            Tab::Defenses => Some(Side::Defense),
            Tab::Packs => None,
        }
    }
}

#[derive(Template, Clone, Debug)]
#[template(path = "market/case.html")]
pub struct CasePage {
    pub frame: Frame,
    /// The time, for "3 minutes ago".
    pub now: Timestamp,
    pub id: String,
    pub title: String,
    /// When and where it happened.
    pub when: String,
    /// What the characters are charged with.
    pub charge: String,
    pub summary: String,
    /// The facts, with their dates and sources.
    pub record: Vec<Exhibit>,
    /// Who is charged: ids and names.
    pub characters: Vec<(String, String)>,
    /// The id of the one that is shown; everybody if empty.
    pub character: String,
    pub tab: Tab,
    pub killers: Vec<CaseRow>,
    pub rows: Vec<CaseRow>,
    pub sort: Sort,
    /// Whether the greatest comes first.
    pub descending: bool,
    /// Whether this is a later page.
    pub later: bool,
    /// Where the next page begins.
    pub next: Option<String>,
    pub packs: Vec<PackCard>,
}

/// An attack or a defense in the archive.
#[derive(Clone, PartialEq, Debug)]
pub struct CaseRow {
    /// What it is about.
    pub label: String,
    /// What tells it apart from others with the same label.
    pub number: String,
    /// Whether a defense would prove, withdraw or defend a claim.
    pub mode: Option<Manner>,
    /// Against or by whom.
    pub name: String,
    /// How it has done, at a glance; only attacks have all of it.
    pub pill: Pill,
    /// Whether it is an attack.
    pub attack: bool,
    /// Claims that fell and claims that were forced, or how often a defense was proved and given.
    pub conversion: (i64, i64),
    /// The IA it has won; 0 for a defense.
    pub ia: i64,
    pub last_used_at: Option<Timestamp>,
    pub author: Option<String>,
    /// Whether its author has put it up on the market.
    pub listed: bool,
    /// Who took its title, if it was taken.
    pub champion: Option<Champion>,
    /// What its words cost, or the words.
    pub deal: Deal,
}

impl CaseRow {
    fn of(kept: Kept, case_id: &str, lang: Lang, anchor: &str, receipt: &Receipt, letters: usize) -> Self {
        let anchor = format!("{anchor}{}", kept.place.n);
        let name = names::character(lang, case_id, &kept.character).map_or(&kept.character, |one| &one.name).clone();
        let (side, pill) = (kept.done.side(), Pill::of_done(&kept.done));
        let (conversion, ia, last_used_at, mode) = match &kept.done {
            Done::Attack(figures) => {
                let traps = (figures.trap_lands, figures.trap_triggers);
                (traps, figures.total_ia_won, figures.last_used_at, None)
            }
            Done::Defense { uses, proved, used_at, mode, .. } => ((*proved, *uses), 0, Some(*used_at), *mode),
        };
        let number = tell::number(&kept.hash, letters);
        let deal = Deal {
            ware: side.word(),
            target: kept.hash,
            case_id: case_id.to_owned(),
            character: kept.character,
            price: kept.price,
            foreign: tell::foreign(lang, kept.written_in),
            preview: kept.preview,
            percent: (pill.uses > 0).then_some(pill.percent),
            text: kept.text,
            said: receipt.of(&anchor),
            anchor,
        };
        CaseRow {
            label: tell::label(lang, kept.label),
            number,
            mode,
            name,
            pill,
            attack: side == Side::Attack,
            conversion,
            ia,
            last_used_at,
            author: kept.author,
            listed: kept.listed,
            champion: kept.champion,
            deal,
        }
    }

    /// What it is called without its other columns beside it.
    fn named(&self) -> String {
        format!("{} {}", self.label, self.number)
    }
}

impl CasePage {
    fn tabs(&self) -> [Tab; 3] {
        Tab::ALL
    }

    fn opens(&self, tab: &Tab) -> bool {
        self.tab == *tab
    }

    fn on_packs(&self) -> bool {
        self.tab == Tab::Packs
    }

    fn columns(&self) -> Vec<Sort> {
        let side = self.tab.side().unwrap_or(Side::Attack);
        let columns = [Sort::Rank, Sort::Effectiveness, Sort::Conversion, Sort::Ia, Sort::Recency, Sort::Author];
        columns.into_iter().filter(|sort| sort.fits(side)).collect()
    }

    fn column(&self, sort: &Sort) -> String {
        match (self.tab, sort) {
            (Tab::Defenses, Sort::Conversion) => self.frame.w.t("case-col-proved"),
            (Tab::Attacks | Tab::Defenses | Tab::Packs, _) => self.frame.w.of("case-col", sort.word()),
        }
    }

    fn sorted_by(&self, sort: &Sort) -> bool {
        self.sort == *sort
    }

    fn shows(&self, id: &str) -> bool {
        self.character == id
    }

    fn tab_link(&self, tab: &Tab) -> String {
        self.link(*tab, &[])
    }

    /// Where a click on a column's head leads: sorted by it, and the other way round on a second click.
    fn sort_link(&self, sort: &Sort) -> String {
        let descending = if self.sorted_by(sort) { !self.descending } else { sort.usually_descends() };
        self.link(self.tab, &[("sort", sort.word()), ("order", order(descending))])
    }

    fn next_link(&self, next: &str) -> String {
        self.link(self.tab, &[("sort", self.sort.word()), ("order", order(self.descending)), ("cursor", next)])
    }

    fn top_link(&self) -> String {
        self.link(self.tab, &[("sort", self.sort.word()), ("order", order(self.descending))])
    }

    fn link(&self, tab: Tab, choices: &[(&str, &str)]) -> String {
        let mut query = plain_query(&[("show", tab.word())]);
        if !self.character.is_empty() {
            query.extend(plain_query(&[("character", &self.character)]));
        }
        query.extend(plain_query(choices));
        format!("/case/{}?{}", self.id, query.join("&"))
    }
}

fn order(descending: bool) -> &'static str {
    if descending { "desc" } else { "asc" }
}

/// The query of `/case/{id}`.
#[derive(Deserialize)]
pub(crate) struct CaseLink {
    show: Option<String>,
    character: Option<String>,
    sort: Option<String>,
    order: Option<String>,
    cursor: Option<String>,
    unlocked: Option<String>,
    refused: Option<String>,
    why: Option<String>,
}

pub(crate) async fn case(visit: Visit, Path(id): Path<String>, Query(link): Query<CaseLink>) -> Response {
    let page = page(&visit, &id, link).await;
    visit.show(page)
}

async fn page(visit: &Visit, id: &str, link: CaseLink) -> Answer<Response> {
    let lang = visit.lang;
    let case = names::case(lang, id).ok_or_else(|| Problem::not_found("CASE_NOT_FOUND", "There is no such case."))?;
    // A form sends an empty text for what was not chosen.
    let given = |field: Option<String>| field.filter(|text| !text.is_empty());
    let shown = given(link.show);
    let tab = Tab::ALL.into_iter().find(|tab| Some(tab.word()) == shown.as_deref()).unwrap_or(Tab::Attacks);
    let receipt = Receipt { unlocked: link.unlocked, refused: link.refused, why: link.why };
    let query = ArchiveQuery {
        case_id: Some(case.case_id.clone()),
        character_id: given(link.character),
        side: tab.side().map(|side| side.word().to_owned()),
        sort: given(link.sort),
        order: given(link.order),
        cursor: given(link.cursor),
        ..ArchiveQuery::default()
    };
    let viewer = visit.caller.account_id();
    let kept = match tab {
        Tab::Attacks | Tab::Defenses => api::page(&visit.house, &query, viewer, ROWS).await?,
        Tab::Packs => api::Page::empty(),
    };
    let killers = match tab {
        Tab::Attacks => api::killers(&visit.house, id, query.character_id.clone(), viewer).await?,
        Tab::Defenses | Tab::Packs => vec![],
    };
    let packs = match tab {
        Tab::Packs => {
            let case_id = case.case_id.clone();
            visit.house.store.read(move |db| packs::packs(db, viewer, Some(&case_id))).await?
        }
        Tab::Attacks | Tab::Defenses => vec![],
    };
    let letters = tell::letters(kept.kept.iter().chain(&killers).map(|kept| kept.hash.as_str()));
    let row = |anchor: &'static str| {
        let receipt = &receipt;
        move |kept: Kept| CaseRow::of(kept, id, lang, anchor, receipt, letters)
    };
    let page = CasePage {
        frame: Frame { moved: receipt.unlocked.is_some(), ..visit.frame(case.title.clone()).await },
        now: visit.house.now(),
        id: case.case_id.clone(),
        title: case.title.clone(),
        when: format!("{} · {}", case.when, case.r#where),
        charge: case.charge.clone(),
        summary: case.summary.clone(),
        record: case.record.clone(),
        characters: case.characters.iter().map(|one| (one.id.clone(), one.name.clone())).collect(),
        character: query.character_id.unwrap_or_default(),
        tab,
        killers: killers.into_iter().map(row("top-")).collect(),
        rows: kept.kept.into_iter().map(row("row-")).collect(),
        sort: kept.sort,
        descending: kept.descending,
        later: query.cursor.is_some(),
        next: kept.next,
        packs: packs.into_iter().map(|pack| PackCard::of(pack, lang)).collect(),
    };
    render(&page)
}
