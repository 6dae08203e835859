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
pub const FACES: [AnyFace; 4] = [face::<Trolley>(), face::<Trial>(), face::<Mercury>(), face::<Tribunal>()];

/// The face of the kind of that name.
pub fn of(kind: &str) -> &'static AnyFace {
    FACES.iter().find(|face| face.kind == kind).unwrap_or(&GENERIC)
}

/// What a kind brings to pages.
pub trait Face: Rules {
    /// Its stylesheets, its emblem and the like.
    const LOOK: Look;

    /// What changes on the page of a game.
    fn body(w: Words, game: &Game<Self>, seen: Seen<'_>) -> Answer<Body>;
    /// The moment of a finished game to replay: the one asked for, or its beginning.
    fn moment(entries: &[Entry], asked: Option<u64>) -> u64;
    /// A finished game as it was at `at`; `then` is the game at that event, `entries` are all that its reader may hear.
    fn replay(w: Words, then: &Game<Self>, entries: &[Entry], at: u64) -> Answer<String>;
    /// The game on a card of the lobby; `said` is the end of what spectators may hear.
    fn card(w: &Words, game: &Game<Self>, said: &[Entry], listing: Listing) -> TableCard;

    /// The kind's own fields on the form for a new table.
    fn new_fields(w: Words, again: &Again) -> Answer<String>;
    /// The options that those fields ask for, and whether house minds take the free seats; `sits` says whether the creator plays.
    fn asked(fields: &Fields, sits: bool) -> Wished;
    /// The field of that form that a refusal is about.
    fn refused_field(_code: &str) -> Option<&'static str> {
        None
    }

    /// Who leans, by the name that [`engine::rules::Lean`] has for it.
    fn who_leans(w: &Words, game: &dyn AnyGame, who: &str) -> String {
        let _ = w;
        let seat = game.roster().seat_of(game.id(), who);
        seat.map_or(who, |seat| game.roster().name(seat)).to_owned()
    }
    /// What would have been different without a speech, in sentences, and whether the game would have ended otherwise.
    fn without(w: &Words, game: &dyn AnyGame, outcome: &Value, without: &Without) -> Otherwise;
}

/// What a kind brings besides what it shows.
#[derive(Clone, Copy, Debug)]
pub struct Look {
    /// The stylesheets of its pages, the one for its picture first: cards in the lobby have that one too.
    pub styles: &'static [&'static str],
    /// Its emblem, as the inside of an `<svg viewBox="0 0 48 48">`.
    pub emblem: &'static str,
    /// Whether its people are real ones in an invented trial, which every card of it says.
    pub fiction: bool,
    /// Whether a speaker's role is told beside what it moved.
    pub tells_roles: bool,
    /// The cases that can be chosen where it is offered, and whose archives are linked there.
    pub cases: fn(Words) -> Vec<(String, String)>,
}

impl Look {
    /// Nothing of its own.
    pub const PLAIN: Look = Look { styles: &[], emblem: "", fiction: false, tells_roles: false, cases: |_| vec![] };
}

/// What changes on a table's page.
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
    /// The log of a finished game, for the player who alone may know how it moved everybody.
    pub log: Vec<Row>,
    /// Who sits there, what the viewer may do, where to invite.
    pub around: Around,
}

/// How a page was asked for.
#[derive(Default)]
pub struct Asked {
    /// Where to read on in the past.
    pub before: Option<u64>,
    /// Against whom a draft is wanted.
    pub draft: Option<String>,
    /// Which argument from other games is wanted, by its hash.
    pub archived: Option<String>,
}

/// What a form for a new table asks for: the options of the kind, and whether house minds take the free seats.
pub type Wished = (Map<String, Value>, bool);
/// What would have been different without a speech, in sentences, and whether the game would have ended otherwise.
pub type Otherwise = (Vec<String>, bool);

/// A face with its kind forgotten.
#[derive(Clone, Copy)]
pub struct AnyFace {
    /// The name of the kind; empty for the generic face.
    pub kind: &'static str,
    /// What it brings besides what it shows.
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

/// A part of a page, rendered.
pub fn html(page: &impl Template) -> Answer<String> {
    page.render().map_err(Problem::ours)
}

/// What was written into a field, if anything was.
pub fn word(fields: &Fields, field: &str) -> Option<Value> {
    Some(fields.get(field)).filter(|word| !word.is_empty()).map(Value::from)
}

/// A number from a field; what is no number is sent on as it is, for the rules to refuse in their own words.
pub fn number(fields: &Fields, field: &str) -> Value {
    let text = fields.get(field);
    text.trim().parse::<u64>().map_or_else(|_| Value::from(text), Value::from)
}
