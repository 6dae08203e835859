//! The market of arguments, an account's own arguments, and the moderators' queue of flagged ones.

pub mod authors;
pub mod case;
pub mod labels;
pub mod packs;
pub mod public;
pub mod purchase;
pub mod thrones;

use crate::api::market::{self as api, Listing, MarketQuery, NewDecision, Shown};
use crate::corpus::dockets;
use crate::http::extract::{Path, Query};
use crate::locale::{Arg, Words, t};
use crate::pages::market::labels as tell;
use crate::pages::market::packs::PackCard;
use crate::pages::market::purchase::{Deal, Receipt};
use crate::pages::shared::frame::{Again, Frame};
use crate::pages::tables::Fields;
use crate::pages::{Visit, again, rendered, see_other};
use crate::problem::{Answer, Problem};
use askama::Template;
use axum::http::StatusCode;
use axum::response::Response;
use commons::corpus::effectiveness::{WINDOW, interval};
use commons::corpus::novelty::Freshness;
use engine::roster::Lang;
use engine::time::Timestamp;
use games::tribunal::docket::docket;
use serde::Deserialize;
use std::collections::BTreeSet;
use store::corpus::cases::{Champion, Done, Side};
use store::corpus::listings::{Own, Put, State};
use store::corpus::market::{Figures, Listed, Sort};
use store::corpus::moderation::Flagged;

/// How many rows a page shows.
const ROWS: usize = 25;

/// `GET /market`, and `POST /market` when refused or when a moderator has to look first.
#[derive(Template, Clone, Debug)]
#[template(path = "market/market.html")]
pub struct MarketPage {
    pub frame: Frame,
    /// The time, for "3 minutes ago".
    pub now: Timestamp,
    pub rows: Vec<MarketRow>,
    pub sort: Sort,
    /// Whether the greatest comes first.
    pub descending: bool,
    pub shown: Shown,
    /// Whom an argument may be against.
    pub cases: Vec<CaseChoice>,
    /// Against whom those shown are: `case`, `case/character`, or empty for all.
    pub against: String,
    /// Whether this is a later page.
    pub later: bool,
    /// Where the next page begins.
    pub next: Option<String>,
    /// The packs that are for sale, if they are asked for.
    pub packs: Option<Vec<PackCard>>,
    /// What was done just now.
    pub done: Option<&'static str>,
    /// Why an argument waits, or is not put up.
    pub reasons: Vec<String>,
    pub again: Again,
}

/// A case and who is charged in it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CaseChoice {
    pub id: String,
    pub title: String,
    pub characters: Vec<(String, String)>,
}

/// An argument on the market.
#[derive(Clone, PartialEq, Debug)]
pub struct MarketRow {
    /// What it is about.
    pub label: String,
    /// What tells it apart from others with the same label.
    pub number: String,
    pub case: String,
    /// Whom it is against.
    pub name: String,
    pub author: Option<String>,
    /// Whether the viewer wrote it.
    pub own: bool,
    /// Who took its title, if it was taken.
    pub champion: Option<Champion>,
    /// What its words cost, or the words.
    pub deal: Deal,
    pub listed_at: Timestamp,
    pub last_used_at: Option<Timestamp>,
    /// How often it forced a claim that fell.
    pub lands: i64,
    /// The IA it has won.
    pub ia: i64,
    pub pill: Pill,
}

impl MarketRow {
    fn of(listed: Listed, lang: Lang, receipt: &Receipt, letters: usize) -> Self {
        let anchor = format!("row-{}", listed.place.n);
        let pill = Pill::of(&listed.figures);
        MarketRow {
            case: case_title(lang, &listed.case_id),
            name: name(lang, &listed.case_id, &listed.target_character),
            label: tell::label(lang, listed.label),
            number: tell::number(&listed.arg_hash, letters),
            author: listed.author,
            own: listed.own,
            champion: listed.champion,
            deal: Deal {
                ware: "attack",
                target: listed.arg_hash,
                case_id: listed.case_id,
                character: listed.target_character,
                price: Some(listed.price),
                foreign: tell::foreign(lang, listed.written_in),
                preview: listed.preview,
                percent: (pill.uses > 0).then_some(pill.percent),
                text: listed.text,
                said: receipt.of(&anchor),
                anchor,
            },
            listed_at: listed.listed_at,
            last_used_at: listed.figures.last_used_at,
            lands: listed.figures.trap_lands,
            ia: listed.figures.total_ia_won,
            pill,
        }
    }

    /// What it is called without its other columns beside it.
    fn named(&self) -> String {
        format!("{} {}", self.label, self.number)
    }
}

/// How an argument has done, at a glance.
#[derive(Clone, PartialEq, Debug)]
pub struct Pill {
    /// From 0 to 100.
    pub percent: i64,
    /// What it is ranked by.
    pub worked: Worked,
    pub uses: i64,
    /// The key of the words for how fresh it is; empty for a defense.
    pub fresh: &'static str,
    /// How many trials ago it last landed, if `fresh` is `last-landed`.
    pub trials_ago: u64,
    /// How it has changed lately, as class and text; nothing before five uses.
    pub decay: Option<(&'static str, String)>,
    /// Claims that fell and claims that were forced, if any were.
    pub conversion: Option<(u64, u64)>,
    /// Hearers of the house that a use brought over on average, with a sign.
    pub lift: Option<String>,
}

impl Pill {
    pub fn of(figures: &Figures) -> Self {
        let pill = figures.pill();
        let (fresh, trials_ago) = match pill.freshness {
            Freshness::NeverUsed => ("never-used", 0),
            Freshness::NeverReused => ("never-reused", 0),
            Freshness::LastLanded { trials_ago } => ("last-landed", trials_ago),
            Freshness::NeverLanded => ("never-landed", 0),
        };
        let veteran = figures.recent_uses >= WINDOW as i64;
        Pill {
            percent: (figures.effectiveness_e4 + 50) / 100,
            worked: Worked::of(figures.worked, figures.uses),
            uses: figures.uses,
            fresh,
            trials_ago,
            decay: veteran.then(|| changed(figures.recent_change_e4)),
            conversion: Some((pill.conversion.lands, pill.conversion.triggers)).filter(|(_, triggers)| *triggers > 0),
            lift: figures.lift.map(tenths),
        }
    }

    /// The pill of an attack, or the shorter one of a defense.
    pub fn of_done(done: &Done) -> Self {
        match done {
            Done::Attack(figures) => Pill::of(figures),
            Done::Defense { uses, proved, effectiveness_e4, .. } => Pill::plain(*effectiveness_e4, *proved, *uses),
        }
    }

    /// Only how effective it is, and how often it was used and worked.
    pub fn plain(effectiveness_e4: i64, worked: i64, uses: i64) -> Self {
        Pill {
            percent: (effectiveness_e4 + 50) / 100,
            worked: Worked::of(worked, uses),
            uses,
            fresh: "",
            trials_ago: 0,
            decay: None,
            conversion: None,
            lift: None,
        }
    }

    /// How fresh it is, in words.
    pub fn freshness(&self, w: &Words) -> String {
        match self.fresh {
            "last-landed" => w.n("fresh-last-landed", self.trials_ago),
            other => w.of("fresh", other),
        }
    }
}

/// How often something worked in how many uses, and between which ends the true share lies: everything is ranked by the lower one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Worked {
    pub worked: i64,
    pub uses: i64,
    /// In whole percent, rounded outwards: an interval never looks narrower than it is.
    pub low: i64,
    pub high: i64,
}

impl Worked {
    pub fn of(worked: i64, uses: i64) -> Self {
        let count = |number: i64| u64::try_from(number).unwrap_or(0);
        let (low, high) = interval(count(worked), count(uses));
        Worked { worked, uses, low: low.0 / 100, high: (high.0 + 99) / 100 }
    }

    /// In a few words.
    pub fn said(&self, w: &Words) -> String {
        let args = [("worked", self.worked), ("n", self.uses), ("low", self.low), ("high", self.high)];
        match self.uses {
            0 => w.t("worked-untried"),
            _ => t(w.0, "worked", &args.map(|(name, number)| (name, Arg::Count(number)))),
        }
    }
}

/// Who holds a title that was taken, in a sentence.
pub fn held(w: &Words, champion: &Champion) -> String {
    match champion {
        Champion::Account(name) => w.t1("case-champion", "name", name),
        Champion::House => w.t("case-champion-house"),
    }
}

/// A change in ten-thousandths as whole percent, with an arrow and a sign: `↘ −12%`.
fn changed(e4: i64) -> (&'static str, String) {
    let percent = (e4.abs() + 50) / 100;
    match (percent, e4 < 0) {
        (0, _) => ("level", "→ 0%".to_owned()),
        (percent, true) => ("down", format!("↘ −{percent}%")),
        (percent, false) => ("up", format!("↗ +{percent}%")),
    }
}

/// Hundredths rounded to one decimal, with a sign.
fn tenths(hundredths: i64) -> String {
    let tenths = (hundredths.abs() + 5) / 10;
    let sign = match (tenths, hundredths < 0) {
        (0, _) => "",
        (_, true) => "−",
        (_, false) => "+",
    };
    format!("{sign}{}.{}", tenths / 10, tenths % 10)
}

/// The columns that can be sorted by.
const COLUMNS: [Sort; 7] =
    [Sort::Rank, Sort::Effectiveness, Sort::Uses, Sort::Lands, Sort::Ia, Sort::Recency, Sort::Newest];
/// Those that tell arguments apart that were never tried.
const UNTRIED_COLUMNS: [Sort; 1] = [Sort::Newest];
/// The parts of the market.
const PARTS: [Shown; 3] = [Shown::Tried, Shown::Featured, Shown::Untried];

impl MarketPage {
    fn columns(&self) -> &'static [Sort] {
        if self.shown == Shown::Untried { &UNTRIED_COLUMNS } else { &COLUMNS }
    }

    fn parts(&self) -> [Shown; 3] {
        PARTS
    }

    fn untried(&self) -> bool {
        self.shown == Shown::Untried
    }

    fn sorted_by(&self, sort: &Sort) -> bool {
        self.shown != Shown::Featured && self.sort == *sort
    }

    /// Where a click on a column's head leads: sorted by it, and the other way round on a second click.
    fn sort_link(&self, sort: &Sort) -> String {
        let order = if self.sorted_by(sort) && self.descending { "asc" } else { "desc" };
        self.link(&[("action", self.sorted_among()), ("sort", sort.word()), ("order", order)])
    }

    fn next_link(&self, next: &str) -> String {
        if self.shown == Shown::Featured {
            return self.link(&[("action", self.shown.word()), ("cursor", next)]);
        }
        let order = if self.descending { "desc" } else { "asc" };
        self.link(&[("action", self.shown.word()), ("sort", self.sort.word()), ("order", order), ("cursor", next)])
    }

    /// What is featured has its own order; sorted by another column, it is everything again.
    fn sorted_among(&self) -> &'static str {
        if self.shown == Shown::Untried { self.shown.word() } else { Shown::Tried.word() }
    }

    fn shows_part(&self, part: &Shown) -> bool {
        self.packs.is_none() && self.shown == *part
    }

    /// Where the page of one part leads.
    fn part_link(&self, part: &Shown) -> String {
        if *part == Shown::Tried { self.link(&[]) } else { self.link(&[("action", part.word())]) }
    }

    /// The market with these choices, against the same case or character.
    fn link(&self, choices: &[(&str, &str)]) -> String {
        let mut query = plain_query(choices);
        if !self.against.is_empty() {
            query.extend(plain_query(&[("against", &self.against)]));
        }
        if query.is_empty() { "/market".to_owned() } else { format!("/market?{}", query.join("&")) }
    }

    fn shows(&self, case: &str) -> bool {
        self.against == case
    }

    fn shows_one(&self, case: &str, character: &str) -> bool {
        self.against.split_once('/') == Some((case, character))
    }

    fn typed(&self, case: &str, character: &str) -> bool {
        let typed = self.again.typed_or("against", &self.against);
        typed.split_once('/') == Some((case, character))
    }
}

/// Pairs as a query has them. Ids and cursors need no escaping; characters that they cannot have are dropped.
pub(crate) fn plain_query(pairs: &[(&str, &str)]) -> Vec<String> {
    let plain = |c: &char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | '/' | ':');
    pairs.iter().map(|(name, value)| format!("{name}={}", value.chars().filter(plain).collect::<String>())).collect()
}

/// An attack or a defense of the account's own, on its page.
#[derive(Clone, PartialEq, Debug)]
pub struct OwnRow {
    /// Whether it is an attack or a defense.
    pub side: Side,
    pub hash: String,
    pub text: String,
    /// What it is about.
    pub label: String,
    /// The case, by its id and its headline.
    pub case: (String, String),
    /// Against or by whom, by id and name.
    pub character: (String, String),
    /// Whether it is listed, waiting, rejected, unlisted or archived.
    pub state: &'static str,
    /// Whether its author can put it up.
    pub may_list: bool,
    /// Whether its author can take it back.
    pub may_unlist: bool,
    pub reasons: Vec<String>,
    /// What a moderator wrote.
    pub note: String,
    pub pill: Pill,
}

impl OwnRow {
    pub fn of(own: Own, lang: Lang) -> Self {
        let (case, character) = (case_title(lang, &own.case_id), name(lang, &own.case_id, &own.character));
        let known = dockets::character(lang, &own.case_id, &own.character).is_some();
        let side = own.done.side();
        OwnRow {
            side,
            state: own.state.word(),
            may_list: known && matches!(own.state, State::Unlisted | State::Archived),
            may_unlist: own.state == State::Listed || side == Side::Attack && own.state == State::Waiting,
            reasons: own.reasons.iter().map(|reason| reason.sentence(lang)).collect(),
            pill: Pill::of_done(&own.done),
            case: (own.case_id, case),
            character: (own.character, character),
            hash: own.hash,
            text: own.text,
            label: tell::label(lang, own.label),
            note: own.note,
        }
    }
}

/// An argument that a moderator has to look at.
#[derive(Clone, PartialEq, Debug)]
pub struct FlaggedRow {
    pub hash: String,
    pub text: String,
    /// What it is about.
    pub label: String,
    pub side: String,
    /// The author's name, or empty.
    pub author: String,
    /// Whether the author waits for it to be listed.
    pub wanted: bool,
    pub reasons: Vec<String>,
    pub at: Timestamp,
}

impl FlaggedRow {
    pub fn of(flagged: Flagged, lang: Lang) -> Self {
        FlaggedRow {
            reasons: flagged.reasons.iter().map(|reason| reason.sentence(lang)).collect(),
            hash: flagged.hash,
            text: flagged.text,
            label: tell::label(lang, flagged.label),
            side: flagged.side,
            author: flagged.author.unwrap_or_default(),
            wanted: flagged.wanted,
            at: flagged.created_at,
        }
    }
}

fn case_title(lang: Lang, id: &str) -> String {
    dockets::case(lang, id).map_or(id, |case| &case.title).to_owned()
}

fn name(lang: Lang, case: &str, id: &str) -> String {
    dockets::character(lang, case, id).map_or(id, |character| &character.name).to_owned()
}

/// Every case that is tried, in this language if it exists in it.
fn cases(lang: Lang) -> Vec<CaseChoice> {
    let both = docket().cases(Lang::En).iter().chain(docket().cases(Lang::Ko));
    let ids: BTreeSet<&str> = both.map(|case| case.case_id.as_str()).collect();
    let choice = |id: &str| {
        let case = dockets::case(lang, id)?;
        let characters = case.characters.iter().map(|one| (one.id.clone(), one.name.clone())).collect();
        Some(CaseChoice { id: id.to_owned(), title: case.title.clone(), characters })
    };
    ids.into_iter().filter_map(choice).collect()
}

/// The query of `/market`.
#[derive(Deserialize, Default)]
pub(crate) struct MarketLink {
    action: Option<String>,
    sort: Option<String>,
    order: Option<String>,
    against: Option<String>,
    cursor: Option<String>,
    done: Option<String>,
    unlocked: Option<String>,
    refused: Option<String>,
    why: Option<String>,
}

/// What the page shows besides its usual contents.
#[derive(Default)]
struct Said {
    done: Option<&'static str>,
    reasons: Vec<String>,
    again: Again,
}

pub(crate) async fn market(visit: Visit, Query(link): Query<MarketLink>) -> Response {
    let done = ["listed", "unsold"].into_iter().find(|done| link.done.as_deref() == Some(done));
    let page = market_page(&visit, StatusCode::OK, link, Said { done, ..Said::default() }).await;
    visit.show(page)
}

async fn market_page(visit: &Visit, status: StatusCode, link: MarketLink, said: Said) -> Answer<Response> {
    // A form sends an empty text for what was not chosen.
    let given = |field: Option<String>| field.filter(|text| !text.is_empty());
    let against = given(link.against).unwrap_or_default();
    let (case, character) = match against.split_once('/') {
        Some((case, character)) => (Some(case.to_owned()), Some(character.to_owned())),
        None => (Some(against.clone()).filter(|case| !case.is_empty()), None),
    };
    let action = given(link.action);
    let wants_packs = action.as_deref() == Some("packs");
    let receipt = Receipt { unlocked: link.unlocked, refused: link.refused, why: link.why };
    let query = MarketQuery {
        action: action.filter(|_| !wants_packs),
        case_id: case,
        character_id: character,
        sort: given(link.sort),
        order: given(link.order),
        cursor: given(link.cursor),
        limit: None,
    };
    let lang = visit.lang;
    let page = api::page(&visit.house, &query, visit.caller.account_id(), ROWS).await?;
    let viewer = visit.caller.account_id();
    let packs = match wants_packs {
        true => Some(visit.house.store.read(move |db| store::ledger::packs::packs(db, viewer, None)).await?),
        false => None,
    };
    let letters = tell::letters(page.listed.iter().map(|listed| listed.arg_hash.as_str()));
    let page = MarketPage {
        frame: Frame { moved: receipt.unlocked.is_some(), ..visit.frame(visit.words().t("market-title")).await },
        now: visit.house.now(),
        rows: page.listed.into_iter().map(|listed| MarketRow::of(listed, lang, &receipt, letters)).collect(),
        sort: page.sort,
        descending: page.descending,
        shown: page.shown,
        cases: cases(lang),
        against,
        later: query.cursor.is_some(),
        next: page.next,
        packs: packs.map(|packs| packs.into_iter().map(|pack| PackCard::of(pack, lang)).collect()),
        done: said.done,
        reasons: said.reasons,
        again: said.again,
    };
    rendered(status, &page)
}

/// The argument that a form puts up or takes back.
fn listing(fields: &Fields) -> Listing {
    let given = |name: &str| Some(fields.get(name).to_owned()).filter(|text| !text.trim().is_empty());
    let (case, character) = fields.get("against").split_once('/').unwrap_or_default();
    Listing {
        text: given("text"),
        arg_hash: given("arg_hash"),
        case_id: case.to_owned(),
        character_id: character.to_owned(),
        label: given("label"),
    }
}

pub(crate) async fn put_up(visit: Visit, fields: Fields) -> Response {
    let Ok(account) = visit.caller.account() else { return see_other("/login?next=/market") };
    let put = api::list(&visit.house, account.id, &listing(&fields), visit.lang).await;
    let newest = || MarketLink { action: Some("untried".into()), ..MarketLink::default() };
    let page = match put {
        Ok((_, Put { state: State::Waiting, reasons, .. })) => {
            let reasons = reasons.iter().map(|reason| reason.sentence(visit.lang)).collect();
            let said = Said { done: Some("waiting"), reasons, again: Again::default() };
            market_page(&visit, StatusCode::ACCEPTED, newest(), said).await
        }
        // What was tried and moved nobody stands under the account's own arguments, but is not for sale.
        Ok((_, Put { for_sale: false, .. })) => Ok(see_other("/market?done=unsold#list-h")),
        Ok(_) => Ok(see_other("/market?action=untried&done=listed")),
        Err(problem) => {
            let field = match problem.error {
                "UNFIT_LABEL" => "label",
                "UNKNOWN_CASE" | "UNKNOWN_TARGET" => "against",
                "INVALID_BODY" if problem.detail.contains("\"label\"") => "label",
                _ => "text",
            };
            let said = Said { done: None, reasons: told(&problem), again: again(&problem, Some(field), &fields.0) };
            market_page(&visit, problem.status, newest(), said).await
        }
    };
    visit.show(page)
}

/// The reasons that a refusal names.
fn told(problem: &Problem) -> Vec<String> {
    let reasons = problem.extra.get("reasons").and_then(|reasons| reasons.as_array()).into_iter().flatten();
    reasons.filter_map(|reason| reason["sentence"].as_str().map(str::to_owned)).collect()
}

pub(crate) async fn take_back(visit: Visit, fields: Fields) -> Response {
    let Ok(account) = visit.caller.account() else { return see_other("/login?next=/account") };
    let taken = api::unlist(&visit.house, account.id, &listing(&fields)).await;
    visit.show(taken.map(|_| see_other("/account#arguments-h")))
}

pub(crate) async fn decide(visit: Visit, Path(hash): Path<String>, fields: Fields) -> Response {
    let body = NewDecision {
        decision: fields.get("decision").to_owned(),
        note: Some(fields.get("note").to_owned()).filter(|note| !note.is_empty()),
    };
    let decided = api::settle(&visit.house, &visit.caller, &hash, &body).await;
    visit.show(decided.map(|_| see_other("/admin#flagged-h")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn how_often_it_worked_stands_with_its_interval_rounded_outwards() {
        let worked = Worked::of(5, 10);
        assert_eq!((worked.low, worked.high), (23, 77));
        assert_eq!(worked.said(&Words(Lang::En)), "worked in 5 of 10 uses, so in 23% to 77%");
        assert_eq!(Worked::of(0, 0).said(&Words(Lang::En)), "never tried");
        assert_eq!(Pill::plain(7_100, 5, 10).worked, worked);
    }

    #[test]
    fn a_change_has_an_arrow_a_sign_and_whole_percent() {
        let said = |e4| changed(e4).1;
        assert_eq!(
            [said(-1_234), said(-1_250), said(870), said(49), said(-50)],
            ["↘ −12%", "↘ −13%", "↗ +9%", "→ 0%", "↘ −1%"]
        );
    }
}
