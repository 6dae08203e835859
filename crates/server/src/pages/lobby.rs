//! The lobby: what is being played right now, where there are free seats, and what is worth reading again.

use crate::locale::Words;
use crate::pages::shared::faces::{self, Look};
use crate::pages::shared::frame::Again;
use crate::pages::shared::frame::Frame;
use crate::pages::shared::people::{Person, name};
use crate::pages::shared::record::Speech;
use crate::problem::Answer;
use askama::Template;
use engine::erased::Kind;
use engine::time::Timestamp;
use games::catalog::Catalog;
use serde_json::json;

/// How many tokens a card shows before it counts the rest.
const TOKENS_MAX: usize = 8;
/// How much of a speech a card quotes, in characters.
const QUOTE_LEN_MAX: usize = 150;
/// How many bytes the cards of live games may weigh; the whole page stays under 100 KB however many play.
const LIVE_BYTES_MAX: usize = 34_000;
/// What a card weighs besides its picture.
const CARD_BYTES: usize = 900;

#[derive(Template, Clone, Debug)]
#[template(path = "lobby.html")]
pub struct LobbyPage {
    pub frame: Frame,
    pub lobby: Lobby,
    pub kinds: Vec<Offered>,
    /// The address of this house, for the example, without a slash at the end.
    pub base_url: String,
}

/// A kind that is offered.
#[derive(Clone, Debug)]
pub struct Offered {
    pub kind: &'static str,
    pub look: Look,
    /// Whether only accounts play it.
    pub accounts_only: bool,
    /// The cases to choose from: ids and titles.
    pub cases: Vec<(String, String)>,
    /// Its own fields on the form for a new table; empty in the lobby.
    pub fields: String,
}

impl Offered {
    /// Every kind in a catalog.
    pub fn all(catalog: Catalog, w: Words) -> Answer<Vec<Offered>> {
        let offered = |kind: Kind| {
            let look = faces::of(kind.meta.name).look;
            let accounts_only = (kind.seating)(&json!({}))?.accounts_only;
            Ok(Offered { kind: kind.meta.name, look, accounts_only, cases: (look.cases)(w), fields: String::new() })
        };
        catalog.iter().map(offered).collect()
    }

    /// The same, each with its fields on the form for a new table.
    pub fn with_fields(catalog: Catalog, w: Words, again: &Again) -> Answer<Vec<Offered>> {
        let mut all = Self::all(catalog, w)?;
        for one in &mut all {
            one.fields = (faces::of(one.kind).new_fields)(w, again)?;
        }
        Ok(all)
    }
}

/// `GET /fragment`: everything in the lobby that changes.
#[derive(Template, Clone, Debug)]
#[template(path = "lobby_body.html")]
pub struct Lobby {
    pub w: Words,
    /// The time, for "3 minutes ago".
    pub now: Timestamp,
    /// Games being played, liveliest first.
    pub live: Vec<TableCard>,
    /// Tables with free seats.
    pub waiting: Vec<TableCard>,
    pub finished: Vec<TableCard>,
}

/// One table in a list, of any kind.
#[derive(Clone, Debug)]
pub struct TableCard {
    /// The kind, such as `trolley`.
    pub kind: &'static str,
    pub picture: String,
    /// The heading before the game is over.
    pub heading: String,
    /// Where the game stands.
    pub phase: String,
    pub people: Vec<Person>,
    pub latest: Option<Speech>,
    /// Whether its seats need no credential.
    pub open: bool,
    /// Whether spectators may not read what is said there.
    pub sealed: bool,
    /// How many players are missing before it may start.
    pub seats_needed: usize,
    /// The heading once the game is over, such as who won.
    pub outcome: String,
    /// Once it is over: what else to say, such as how many rounds it took.
    pub aftermath: String,
    pub listing: Listing,
}

/// What the list knows of a table without asking its kind.
#[derive(Clone, Debug)]
pub struct Listing {
    pub id: String,
    /// How many clients follow it now.
    pub watchers: usize,
    /// Whether it plays itself for spectators.
    pub demo: bool,
    pub created_at: Timestamp,
}

impl Lobby {
    /// The first cards, as many as fit on one page.
    pub fn fitting(cards: Vec<TableCard>) -> Vec<TableCard> {
        let mut weight = 0;
        let fits = |card: &TableCard| {
            weight += card.picture.len() + CARD_BYTES;
            weight <= LIVE_BYTES_MAX
        };
        cards.into_iter().take_while(fits).collect()
    }
}

impl TableCard {
    fn fiction(&self) -> bool {
        faces::of(self.kind).look.fiction
    }

    fn people(&self) -> &[Person] {
        &self.people[..self.people.len().min(TOKENS_MAX)]
    }

    fn people_more(&self) -> usize {
        self.people.len().saturating_sub(TOKENS_MAX)
    }

    fn names(&self, w: &Words) -> String {
        w.names(self.people.iter().map(name), 4)
    }

    fn quote(&self) -> Option<(&Speech, String)> {
        self.latest.as_ref().map(|speech| (speech, speech.excerpt(QUOTE_LEN_MAX)))
    }
}
