//! How a kind looks on pages. Each kind has one face, in its own folder; a kind without one is shown by the generic face.

use super::frame::Again;
use super::table::Around;
use crate::corpus::treasury::Pay;
use crate::locale::Words;
use crate::pages::generic::GENERIC;
use crate::pages::lobby::{Listing, TableCard};
use crate::pages::tables::Fields;
use crate::problem::{Answer, Problem};
use askama::Template;
use engine::erased::AnyGame;
use engine::game::Game;
use engine::influence::Without;
use engine::needs::Supply;
use engine::parts::transcript::Entry;
use engine::rules::{Rules, Viewer};
use games::mercury::Mercury;
use games::trial::Trial;
use games::tribunal::Tribunal;
use games::trolley::Trolley;
use serde_json::{Map, Value};
use store::Row;

/// The faces of the kinds that ship with Moot: one line each.
pub const FACES: &[AnyFace] = &[face::<Trolley>(), face::<Trial>(), face::<Mercury>(), face::<Tribunal>()];

/// The face of the kind with that name.
pub fn of(kind: &str) -> &'static AnyFace {
    FACES.iter().find(|face| face.kind == kind).unwrap_or(&GENERIC)
}

/// What a kind brings to pages: at least its look and the body of its page. For the rest the generic face stands in.
pub trait Face: Rules {
    /// Its stylesheets, its emblem and the like.
    const LOOK: Look;

    /// The part of a game's page that changes.
    fn body(w: Words, game: &Game<Self>, seen: Seen<'_>) -> Answer<Body>;
    /// The moment of a finished game to replay: the one asked for, or its beginning.
    fn moment(entries: &[Entry], asked: Option<u64>) -> u64 {
        (GENERIC.moment)(entries, asked)
    }
    /// A finished game as it was at `at`; `then` is the game at that event, `entries` are all that its reader may hear.
    fn replay(w: Words, then: &Game<Self>, entries: &[Entry], at: u64) -> Answer<String> {
        (GENERIC.replay)(w, then, entries, at)
    }
    /// The game on a card of the lobby; `said` is the end of what spectators may hear.
    fn card(w: &Words, game: &Game<Self>, said: &[Entry], listing: Listing) -> TableCard {
        (GENERIC.card)(w, game, said, listing)
    }

    /// The kind's own fields on the form for a new table.
    fn new_fields(w: Words, again: &Again) -> Answer<String> {
        (GENERIC.new_fields)(w, again)
    }
    /// What those fields ask for; `sits` says whether the creator plays.
    fn asked(fields: &Fields, sits: bool) -> Wished {
        (GENERIC.asked)(fields, sits)
    }
    /// The field that a refusal is about: one of [`Face::new_fields`], or one of the form at the table.
    fn refused_field(code: &str) -> Option<&'static str> {
        refused_text(code)
    }

    /// The name of a hearer, from [`engine::rules::Lean::who`].
    fn who_leans(w: &Words, game: &dyn AnyGame, who: &str) -> String {
        (GENERIC.who_leans)(w, game, who)
    }
    /// What would have been different without a speech.
    fn without(w: &Words, game: &dyn AnyGame, outcome: &Value, without: &Without) -> Otherwise {
        (GENERIC.without)(w, game, outcome, without)
    }
}

/// What is the same on all pages of a kind.
#[derive(Clone, Copy, Debug)]
pub struct Look {
    /// The stylesheets of its pages, the one for its picture first: cards in the lobby have that one too.
    pub styles: &'static [&'static str],
    /// Its emblem, as the inside of an `<svg viewBox="0 0 48 48">`.
    pub emblem: &'static str,
    /// Whether it invents trials of real people, which every card of it says.
    pub fiction: bool,
    /// Whether the page on influence names the role of each speaker.
    pub tells_roles: bool,
    /// The cases to choose from in the lobby, where their archives are linked: ids and titles.
    pub cases: fn(Words) -> Vec<(String, String)>,
    /// The fields of its forms that take several values.
    pub lists: &'static [&'static str],
    /// The fields of its forms that are boxes to check.
    pub boxes: &'static [&'static str],
}

impl Look {
    /// Nothing of its own.
    pub const PLAIN: Look =
        Look { styles: &[], emblem: "", fiction: false, tells_roles: false, cases: |_| vec![], lists: &[], boxes: &[] };
}

/// The part of a table's page that changes.
pub struct Body {
    pub html: String,
    pub heading: String,
}

/// What the page of a game is made of.
pub struct Seen<'a> {
    pub viewer: Viewer,
    /// What this viewer may hear.
    pub said: &'a [Entry],
    /// How the page was asked for.
    pub asked: Asked,
    /// What was looked up for this viewer's view.
    pub supply: Option<Supply>,
    /// What a finished game has paid this viewer.
    pub pay: Option<Pay>,
    /// Speeches whose authors say that they were misheard, by their events.
    pub misheard: Vec<u64>,
    /// The log of a finished game, for the one player who may know what moved everybody; else empty.
    pub log: Vec<Row>,
    /// Who sits there, what the viewer may do, where to invite.
    pub around: Around,
}

/// How a page was asked for.
#[derive(Default)]
pub struct Asked {
    /// Show only what came before this event.
    pub before: Option<u64>,
    /// The character against whom a draft is wanted.
    pub draft: Option<String>,
    /// The hash of an archived argument to put into the form.
    pub archived: Option<String>,
}

/// What a form for a new table asks for: the options of the kind, and whether house minds take the free seats.
pub type Wished = (Map<String, Value>, bool);
/// What would have been different without a speech, in sentences, and whether the game would have ended otherwise.
pub type Otherwise = (Vec<String>, bool);

/// A face with the type of its kind erased.
#[derive(Clone, Copy)]
pub struct AnyFace {
    /// The name of the kind; empty for the generic face.
    pub kind: &'static str,
    pub look: Look,
    pub body: fn(Words, &dyn AnyGame, Seen<'_>) -> Answer<Body>,
    pub moment: fn(&[Entry], Option<u64>) -> u64,
    pub replay: fn(Words, &dyn AnyGame, &[Entry], u64) -> Answer<String>,
    pub card: fn(&Words, &dyn AnyGame, &[Entry], Listing) -> TableCard,
    pub new_fields: fn(Words, &Again) -> Answer<String>,
    pub asked: fn(&Fields, bool) -> Wished,
    pub refused_field: fn(&str) -> Option<&'static str>,
    pub who_leans: fn(&Words, &dyn AnyGame, &str) -> String,
    pub without: fn(&Words, &dyn AnyGame, &Value, &Without) -> Otherwise,
}

const fn face<R: Face>() -> AnyFace {
    AnyFace {
        kind: R::META.name,
        look: R::LOOK,
        body: |w, game, seen| R::body(w, Game::of(game), seen),
        moment: R::moment,
        replay: |w, game, entries, at| R::replay(w, Game::of(game), entries, at),
        card: |w, game, said, listing| R::card(w, Game::of(game), said, listing),
        new_fields: R::new_fields,
        asked: R::asked,
        refused_field: R::refused_field,
        who_leans: R::who_leans,
        without: R::without,
    }
}

/// The field for words, if a refusal of any kind is about them.
pub fn refused_text(code: &str) -> Option<&'static str> {
    matches!(code, "ALREADY_ACTED" | "NOT_DEBATING" | "WRONG_ACTION").then_some("text")
}

/// A part of a page, rendered.
pub fn html(page: &impl Template) -> Answer<String> {
    page.render().map_err(Problem::ours)
}

/// What was written into a field, if anything was.
pub fn word(fields: &Fields, field: &str) -> Option<Value> {
    Some(fields.get(field)).filter(|word| !word.is_empty()).map(Value::from)
}

/// A number from a field; anything else is passed on as text, for the rules to refuse in their own words.
pub fn number(fields: &Fields, field: &str) -> Value {
    let text = fields.get(field);
    text.trim().parse::<u64>().map_or_else(|_| Value::from(text), Value::from)
}
