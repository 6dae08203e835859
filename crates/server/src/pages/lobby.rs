//! The lobby: what is being played right now, where one may sit down, and what is worth reading again.

use super::board::{Board, Size};
use super::chrome::{Chrome, Words};
use super::people::{Person, people};
use super::record::Speech;
use super::table::phase_name;
use askama::Template;
use engine::time::Timestamp;
use games::trolley::View;

/// How many tokens a card shows before it counts the rest.
const TOKENS_MAX: usize = 8;
/// How much of a speech a card quotes, in characters.
const QUOTE_LEN_MAX: usize = 150;

/// `GET /`.
#[derive(Template, Clone, Debug)]
#[template(path = "lobby.html")]
pub struct LobbyPage {
    /// The frame.
    pub chrome: Chrome,
    /// Everything that changes.
    pub lobby: Lobby,
    /// The address of this house, for the example, without a slash at the end.
    pub base_url: String,
}

/// `GET /fragment`: everything in the lobby that changes.
#[derive(Template, Clone, Debug)]
#[template(path = "lobby_body.html")]
pub struct Lobby {
    /// The words.
    pub w: Words,
    /// The time, for "3 minutes ago".
    pub now: Timestamp,
    /// Games being played, liveliest first.
    pub live: Vec<TableCard>,
    /// Tables with free seats.
    pub waiting: Vec<TableCard>,
    /// Finished games.
    pub finished: Vec<TableCard>,
}

/// One table in a list.
#[derive(Clone, Debug)]
pub struct TableCard {
    /// The game's id.
    pub id: String,
    /// The kind, such as `trolley`.
    pub kind: &'static str,
    /// The table's name, if it has one.
    pub title: Option<String>,
    /// What a spectator may know.
    pub view: View,
    /// The last speech; [`super::record::Record::latest`] has it.
    pub latest: Option<Speech>,
    /// How many look on.
    pub watchers: usize,
    /// Whether it plays itself for spectators.
    pub demo: bool,
    /// When it was created.
    pub created_at: Timestamp,
}

impl TableCard {
    fn board(&self, w: &Words) -> Board {
        Board::draw(w, &self.view, Size::Mini, &format!("b{}", self.id))
    }

    fn heading(&self, w: &Words) -> String {
        match (&self.title, self.view.current_round_number, self.view.rounds_total) {
            (_, round @ 1.., Some(total)) => w.t2("round-of", "round", round, "total", total),
            (Some(title), _, _) => title.clone(),
            (None, _, _) => w.t(&format!("kind-{}", self.kind)),
        }
    }

    fn phase(&self, w: &Words) -> String {
        self.view.current_phase.map_or(String::new(), |phase| phase_name(w, phase))
    }

    fn people(&self) -> Vec<Person> {
        let mut people = people(&self.view);
        people.truncate(TOKENS_MAX);
        people
    }

    fn people_more(&self) -> usize {
        self.view.coverage.len().saturating_sub(TOKENS_MAX)
    }

    fn names(&self, w: &Words) -> String {
        w.names(self.view.coverage.iter().map(|agent| agent.display_name.as_str()), 4)
    }

    fn quote(&self) -> Option<(&Speech, String)> {
        self.latest.as_ref().map(|speech| (speech, speech.excerpt(QUOTE_LEN_MAX)))
    }

    fn seats_needed(&self) -> usize {
        usize::from(self.view.min_players).saturating_sub(self.view.coverage.len())
    }

    /// Who came first, and with how many points.
    fn winners(&self, w: &Words) -> String {
        let best = self.view.scores.values().copied().max().unwrap_or(0);
        let first = self.view.coverage.iter().filter(|agent| self.view.scores.get(&agent.agent_id) == Some(&best));
        let names: Vec<&str> = first.map(|agent| agent.display_name.as_str()).collect();
        let key = if names.len() == 1 { "status-won" } else { "status-shared" };
        w.n1(key, best, "names", w.names(names, 3))
    }
}
