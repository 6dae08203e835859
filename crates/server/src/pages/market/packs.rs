//! Packs of defenses: the cards on the shelf, and the page of one pack.

use crate::api::packs as api;
use crate::corpus::dockets as names;
use crate::corpus::packs::shown_words;
use crate::http::extract::{Path, Query};
use crate::pages::market::Worked;
use crate::pages::market::labels as tell;
use crate::pages::market::purchase::{Receipt, Said};
use crate::pages::shared::frame::Frame;
use crate::pages::shared::people::{is_wide, marks};
use crate::pages::{Visit, render};
use crate::problem::Answer;
use askama::Template;
use axum::response::Response;
use engine::chain::Hash;
use engine::facts::Manner;
use engine::roster::Lang;
use serde::Deserialize;
use store::ledger::packs::{Pack, Packed};

/// How many rails the picture of a pack has, and how high they are at most.
const RAILS: usize = 9;
const RAIL_HEIGHT: u8 = 22;

/// A pack on the shelf.
#[derive(Clone, PartialEq, Debug)]
pub struct PackCard {
    pub id: String,
    pub name: String,
    pub description: String,
    /// The case, by its id and its headline.
    pub case: (String, String),
    /// Whose defenses they are.
    pub character: String,
    pub price: u64,
    pub defenses: i64,
    /// How many defenses are not in the reader's language, and which language they are in.
    pub foreign: Option<(i64, &'static str)>,
    /// How well they did on average when they were chosen, from 0 to 100.
    pub percent: i64,
    /// The tag that it gives the buyer's intern.
    pub tag: String,
    /// Whether the viewer has bought it.
    pub owned: bool,
    pub picture: Picture,
}

/// A picture of a character: its mark over a stack of papers, and rails drawn from the hash of its id.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Picture {
    /// One or two letters.
    pub mark: String,
    /// Whether they are as wide as they are high.
    pub wide: bool,
    /// Each rail from the left: where it stands and where it begins, for `M x y V`.
    pub rails: Vec<(usize, u8)>,
}

impl Picture {
    /// The picture of a character.
    pub fn of(id: &str, name: &str) -> Self {
        let mark = marks([name].into_iter()).pop().unwrap_or_default();
        let draw = Hash::of(id.as_bytes()).0;
        let rails = (0..RAILS).map(|rail| (14 + rail * 8, 66 - draw[rail] % RAIL_HEIGHT - 2)).collect();
        Picture { wide: mark.chars().any(is_wide), mark, rails }
    }
}

impl PackCard {
    /// The card of a pack in the reader's language.
    pub fn of(pack: Pack, lang: Lang) -> Self {
        let case = names::case(lang, &pack.case_id).map_or(&pack.case_id, |case| &case.title).clone();
        let (name, description) = shown_words(
            lang,
            (&pack.case_id, &pack.character),
            (&pack.name, &pack.description),
            &pack.metadata,
            usize::try_from(pack.defenses).unwrap_or(0),
        );
        let character = names::character(lang, &pack.case_id, &pack.character);
        let character = character.map_or(&pack.character, |one| &one.name).clone();
        PackCard {
            picture: Picture::of(&pack.character, &character),
            case: (pack.case_id, case),
            character,
            id: pack.id,
            name,
            description,
            price: pack.price,
            foreign: foreign(lang, pack.defenses, pack.korean),
            defenses: pack.defenses,
            percent: (pack.effectiveness_e4 + 50) / 100,
            tag: pack.tag,
            owned: pack.owned,
        }
    }
}

/// How many of a pack's defenses a reader of this language has to read in the other one.
fn foreign(lang: Lang, defenses: i64, korean: i64) -> Option<(i64, &'static str)> {
    let foreign = match lang {
        Lang::En => (korean, "ko"),
        Lang::Ko => (defenses - korean, "en"),
    };
    Some(foreign).filter(|(count, _)| *count > 0)
}

#[derive(Template, Clone, Debug)]
#[template(path = "market/pack.html")]
pub struct PackPage {
    pub frame: Frame,
    pub pack: PackCard,
    pub items: Vec<PackedRow>,
    pub said: Said,
}

/// A defense in a pack.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PackedRow {
    /// What it is about.
    pub label: String,
    /// What tells it apart from others with the same label.
    pub number: String,
    /// Whether it would prove, withdraw or defend a claim.
    pub mode: Option<Manner>,
    /// How well it did when it was chosen, from 0 to 100.
    pub percent: i64,
    /// How often it was given, and proved.
    pub worked: Worked,
    /// The language of its words, if it is not the reader's.
    pub foreign: Option<&'static str>,
    /// The words, if the viewer owns them.
    pub text: Option<String>,
    /// The ids of the facts it cites, if the viewer owns it.
    pub evidence: Vec<String>,
}

impl PackedRow {
    fn of(packed: Packed, lang: Lang, letters: usize) -> Self {
        PackedRow {
            label: tell::label(lang, packed.label),
            foreign: tell::foreign(lang, packed.written_in),
            number: tell::number(&packed.hash, letters),
            mode: packed.mode,
            percent: (packed.effectiveness_e4 + 50) / 100,
            worked: Worked::of(packed.proved, packed.uses),
            text: packed.text,
            evidence: packed
                .evidence
                .unwrap_or_default()
                .split(',')
                .filter(|id| !id.is_empty())
                .map(Into::into)
                .collect(),
        }
    }
}

/// The query of `/packs/{id}`.
#[derive(Deserialize)]
pub(crate) struct PackLink {
    unlocked: Option<String>,
    refused: Option<String>,
    why: Option<String>,
}

pub(crate) async fn pack(visit: Visit, Path(id): Path<String>, Query(link): Query<PackLink>) -> Response {
    let page = page(&visit, id, link).await;
    visit.show(page)
}

async fn page(visit: &Visit, id: String, link: PackLink) -> Answer<Response> {
    let (pack, items) = api::opened(&visit.house, visit.caller.account_id(), id).await?;
    let receipt = Receipt { unlocked: link.unlocked, refused: link.refused, why: link.why };
    let said = receipt.of("pack");
    let pack = PackCard::of(pack, visit.lang);
    let frame = Frame { moved: said == Said::Unlocked, ..visit.frame(pack.name.clone()).await };
    let letters = tell::letters(items.iter().map(|packed| packed.hash.as_str()));
    let items = items.into_iter().map(|packed| PackedRow::of(packed, visit.lang, letters)).collect();
    render(&PackPage { frame, pack, items, said })
}
