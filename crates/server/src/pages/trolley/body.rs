//! A trolley table's own page: the board, whose turn it is, the form for it, and the record. [`TrolleyBody`] alone is the fragment.

use crate::locale::Words;
use crate::pages::shared::people::{Person, people};
use crate::pages::shared::record::{Record, Round, Speech, What, phase_name, room};
use crate::pages::shared::table::{Around, Step, step_class};
use crate::pages::trolley::board::{Board, Size};
use askama::Template;
use engine::parts::transcript::Entry;
use games::trolley::{REASON_LEN_MAX, TEXT_LEN_MAX, View};

/// How many past rounds are told in words; all of them are in the strip.
const ROUNDS_TOLD_MAX: usize = 6;
/// How many of the standings the panel shows when the game is over.
const PODIUM_MAX: usize = 3;
/// How many names stand in a sentence before "and more".
const NAMES_MAX: usize = 3;

/// `GET /games/{id}/fragment`: everything inside `<main>` that changes.
#[derive(Template, Clone, Debug)]
#[template(path = "trolley/body.html")]
pub struct TrolleyBody {
    pub w: Words,
    /// What the viewer may know.
    pub view: View,
    /// What was said, cut to what one page shows.
    pub record: Record,
    /// The arguments of the present round, for the operator to choose from.
    pub arguments: Vec<Speech>,
    pub around: Around,
}

/// What the action panel is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Panel {
    /// Seats are being filled.
    Gather,
    Argue,
    Decide,
    /// The viewer has argued and waits.
    Spoken,
    /// The viewer holds the lever and listens.
    Listen,
    /// The viewer looks on.
    Watch,
    /// A house mind plays the viewer's seat.
    Handed,
    Await,
    /// The trolley has passed.
    Resolved,
    /// The game is over.
    Completed,
    Expired,
}

/// One line of the standings.
pub struct Standing {
    /// From 1; equal points, equal rank.
    pub rank: usize,
    pub person: Person,
    pub score: u32,
    /// Share of the best score in twelfths, for the bar.
    pub bar: u32,
    /// Whether the player has been operator, in the majority, in the minority.
    pub been: [bool; 3],
    /// Whether a house mind took the seat over from a player.
    pub handed: bool,
    /// Whether the viewer may hand the seat to a house mind.
    pub may_hand: bool,
}

const STEPS: [&str; 5] = ["phase_1", "phase_2", "phase_3", "awaiting_decision", "resolved"];

impl TrolleyBody {
    /// A table for a spectator who may do nothing; set the rest with `TrolleyBody { around, ..TrolleyBody::new(..) }`.
    /// `before` is the query's: show only what came before that event.
    pub fn new(w: Words, view: View, entries: &[Entry], before: Option<u64>) -> TrolleyBody {
        let record = Record::read(&view, entries);
        let round = view.current_round_number;
        let arguments = record.speeches().filter(|speech| speech.round == round).cloned().collect();
        TrolleyBody {
            w,
            record: record.window(before, room(view.coverage.len())),
            arguments,
            view,
            around: Around::default(),
        }
    }

    pub fn panel(&self) -> Panel {
        let own = self.view.own.as_ref();
        let offered = |action| own.is_some_and(|own| own.allowed_actions.contains(&action));
        match self.view.status {
            "waiting_for_agents" | "ready_to_start" => Panel::Gather,
            "expired" => Panel::Expired,
            "game_completed" => Panel::Completed,
            "round_resolved" => Panel::Resolved,
            _ if own.is_some_and(|own| own.house) => Panel::Handed,
            _ if offered("argument") => Panel::Argue,
            _ if offered("decision") => Panel::Decide,
            "awaiting_operator_decision" => Panel::Await,
            _ => match own.and_then(|own| own.role) {
                Some("operator") => Panel::Listen,
                Some(_) => Panel::Spoken,
                None => Panel::Watch,
            },
        }
    }

    /// Whether the viewer is awaited.
    pub fn my_turn(&self) -> bool {
        matches!(self.panel(), Panel::Argue | Panel::Decide)
    }

    /// Names the turn: a form with the same key is the same form, and is left alone while the viewer types into it.
    pub fn key(&self) -> String {
        let panel = format!("{:?}", self.panel()).to_lowercase();
        let (round, phase) = (self.view.current_round_number, self.view.current_phase.unwrap_or("table"));
        let own = self.view.own.as_ref().map_or("", |own| own.agent_id.as_str());
        let more = match self.panel() {
            // Who sits decides which buttons there are.
            Panel::Gather => format!("{}{}{}", self.around.may.sit, self.around.may.start, self.around.may.fill),
            _ => String::new(),
        };
        format!("{round}.{phase}.{panel}.{own}.{more}")
    }

    /// Whose turn it is, in one sentence.
    pub fn status(&self) -> String {
        let w = &self.w;
        let seated = self.view.coverage.len();
        match self.panel() {
            Panel::Gather if self.view.status == "ready_to_start" => w.n("status-ready", seated),
            Panel::Gather => w.t2("status-waiting", "seated", seated, "needed", self.view.min_players),
            Panel::Argue => w.t("status-argue"),
            Panel::Decide => w.t("status-decide"),
            Panel::Spoken => w.t("status-spoken"),
            Panel::Listen => w.t("status-listen"),
            Panel::Handed => w.t("status-handed"),
            Panel::Watch => self.awaited(),
            Panel::Await => w.t1("status-await", "name", self.operator_name()),
            Panel::Resolved => self.ruled(),
            Panel::Completed => self.won(),
            Panel::Expired => w.t("status-expired"),
        }
    }

    /// What may be done now, in one sentence.
    pub fn hint(&self) -> String {
        let w = &self.w;
        match self.panel() {
            Panel::Gather if self.view.own.is_some() && self.around.may.start => w.t("hint-seated-ready"),
            Panel::Gather if self.view.own.is_some() && self.around.may.fill => w.t("hint-seated"),
            Panel::Gather if self.around.may.sit => w.t("hint-sit"),
            Panel::Gather => w.t("hint-gather"),
            Panel::Argue => w.n(&format!("hint-argue-{}", self.own_role()), TEXT_LEN_MAX),
            Panel::Decide => w.t("hint-decide"),
            Panel::Spoken | Panel::Listen => self.awaited(),
            Panel::Handed => w.t("hint-handed"),
            Panel::Watch => w.t("hint-watch"),
            Panel::Await => w.t("hint-await"),
            Panel::Resolved => {
                let saved = self.survivors();
                let names = w.names(saved.iter().map(|person| person.name.as_str()), NAMES_MAX);
                w.n1("hint-resolved", saved.len(), "names", names)
            }
            Panel::Completed => w.n("hint-completed", self.view.current_round_number),
            Panel::Expired => w.t("hint-expired"),
        }
    }

    fn awaited(&self) -> String {
        let on_tracks = self.view.majority_agents.iter().chain(&self.view.minority_agents);
        let silent: Vec<&str> =
            on_tracks.filter(|agent| !agent.argued_this_phase).map(|agent| agent.display_name.as_str()).collect();
        self.w.t1("status-awaited", "names", self.w.names(silent, NAMES_MAX))
    }

    fn ruled(&self) -> String {
        let forced = self.view.round_outcome.as_ref().is_some_and(|outcome| outcome.forced);
        if forced {
            return self.w.t("status-forced");
        }
        let key = match self.view.decision {
            Some("save_minority") => "status-saved-minority",
            _ => "status-saved-majority",
        };
        self.w.t1(key, "name", self.operator_name())
    }

    fn won(&self) -> String {
        let standings = self.standings();
        let best = standings.first().map_or(0, |first| first.score);
        let winners: Vec<&str> =
            standings.iter().filter(|one| one.rank == 1).map(|one| one.person.name.as_str()).collect();
        let key = if winners.len() == 1 { "status-won" } else { "status-shared" };
        self.w.n1(key, best, "names", self.w.names(winners, NAMES_MAX))
    }

    fn survivors(&self) -> Vec<Person> {
        let saved = &self.view.board.survivors;
        self.people().into_iter().filter(|person| saved.contains(&person.id)).collect()
    }

    fn operator_name(&self) -> &str {
        self.view.operator.as_ref().map_or("", |operator| operator.display_name.as_str())
    }

    fn own_role(&self) -> &'static str {
        self.view.own.as_ref().and_then(|own| own.role).unwrap_or("majority")
    }

    fn people(&self) -> Vec<Person> {
        people(&self.view)
    }

    fn own(&self) -> Option<Person> {
        self.people().into_iter().find(|person| person.you)
    }

    fn side(&self, role: &str) -> Vec<Person> {
        self.people().into_iter().filter(|person| person.role == role).collect()
    }

    fn side_names(&self, role: &str) -> String {
        self.w.names(self.side(role).iter().map(|person| person.name.as_str()), 5)
    }

    pub(crate) fn board(&self) -> Board {
        Board::draw(&self.w, &self.view, Size::Full, "board")
    }

    /// "Round 2 of 5", or the table's name before it starts.
    pub fn heading(&self) -> String {
        match (self.view.current_round_number, self.view.rounds_total) {
            (round @ 1.., Some(total)) => self.w.t2("round-of", "round", round, "total", total),
            _ => self.w.t("kind-trolley"),
        }
    }

    /// The steps of the round.
    pub fn steps(&self) -> Vec<Step> {
        let now = self.view.current_phase.and_then(|phase| STEPS.iter().position(|step| *step == phase));
        let steps = STEPS.iter().enumerate();
        let step = |(index, word): (usize, &&'static str)| Step {
            word,
            name: phase_name(&self.w, word),
            class: step_class(index, now),
            rounds: vec![],
        };
        steps.map(step).collect()
    }

    pub fn standings(&self) -> Vec<Standing> {
        let scores: Vec<u32> = self.view.scores.values().copied().collect();
        let best = scores.iter().copied().max().unwrap_or(0).max(1);
        let mut standings: Vec<Standing> = self
            .people()
            .into_iter()
            .zip(&self.view.coverage)
            .map(|(mut person, been)| {
                let score = self.view.scores.get(&person.id).copied().unwrap_or(0);
                let sitter = self.around.sitters.iter().find(|sitter| sitter.agent_id == person.id);
                person.house |= sitter.is_some_and(|sitter| sitter.house);
                Standing {
                    rank: 1 + scores.iter().filter(|other| **other > score).count(),
                    score,
                    bar: score * 12 / best,
                    been: [been.has_been_operator, been.has_been_majority, been.has_been_minority],
                    handed: sitter.is_some_and(|sitter| sitter.handed),
                    may_hand: sitter.is_some_and(|sitter| sitter.may_hand),
                    person,
                }
            })
            .collect();
        standings.sort_by_key(|standing| standing.rank);
        standings
    }

    /// Everybody, before there is anything to score.
    fn seated(&self) -> Vec<Person> {
        self.standings().into_iter().map(|standing| standing.person).collect()
    }

    /// Changes when the picture has moved.
    pub(crate) fn scene(&self) -> &'static str {
        self.view.board.selected_branch.unwrap_or("open")
    }

    fn opens_with_scores(&self) -> bool {
        self.panel() == Panel::Completed
    }

    fn refused_text(&self) -> Option<String> {
        self.around.beside_text(&self.w, "text", TEXT_LEN_MAX)
    }

    fn refused_reason(&self) -> Option<String> {
        self.around.again.beside(&self.w, "reason")
    }

    fn podium(&self) -> Vec<Standing> {
        self.standings().into_iter().take(PODIUM_MAX).collect()
    }

    pub(crate) fn rounds_told(&self) -> Vec<&Round> {
        self.record.rounds.iter().rev().filter(|round| round.ruling.is_some()).take(ROUNDS_TOLD_MAX).collect()
    }

    fn started(&self) -> bool {
        self.view.current_round_number > 0
    }

    fn over(&self) -> bool {
        matches!(self.panel(), Panel::Completed | Panel::Expired)
    }

    fn debating(&self) -> bool {
        self.view.current_phase.is_some_and(|phase| phase.starts_with("phase_"))
    }

    /// Whether house minds would take a seat: they fill a table only until it can start.
    fn seats_to_fill(&self) -> bool {
        self.view.coverage.len() < usize::from(self.view.min_players)
    }

    fn text_len_max(&self) -> usize {
        TEXT_LEN_MAX
    }

    fn reason_len_max(&self) -> usize {
        REASON_LEN_MAX
    }

    /// A refusal that no field of the shown form is about.
    fn refused_at_large(&self) -> Option<String> {
        let fields: &[&str] = match self.panel() {
            Panel::Gather => &["display_name"],
            Panel::Argue => &["text"],
            Panel::Decide => &["reason", "decision", "decisive_argument_id"],
            _ => &[],
        };
        self.around.again.above(&self.w, fields)
    }
}
