//! A trial's own page: the courtroom, whose turn it is, the form for it, the case and the transcript.

use crate::locale::Words;
use crate::pages::shared::people::Person;
use crate::pages::shared::record::{Record, What, phase_name};
use crate::pages::shared::table::{Around, Step, step_class};
use crate::pages::shared::timeline::{self, Timeline};
use crate::pages::trial::courtroom::{Courtroom, awaited, verdict};
use crate::pages::trial::record::{people, phase_class, read, verdict_class};
use crate::pages::trolley::board::Size;
use askama::Template;
use engine::parts::transcript::Entry;
use games::trial::{ParticipantView, ROUNDS, SEATS, TEXT_LEN_MAX, View};

/// How many names stand in a sentence before "and more".
const NAMES_MAX: usize = 3;
/// How many bytes of record the page shows: a whole trial, as long as its speeches may be.
const WINDOW_BYTES_MAX: usize = 40_000;
/// The first event worth showing again: the deal.
const OPENING: &str = "court_opened";

/// `GET /games/{id}/fragment` of a trial.
#[derive(Template, Clone, Debug)]
#[template(path = "trial/body.html")]
pub struct TrialBody {
    pub w: Words,
    /// What the viewer may know.
    pub view: View,
    /// What was said, cut to what one page shows.
    pub record: Record,
    /// The title of the case that was asked for, while the court has not opened.
    pub case_wanted: Option<String>,
    pub around: Around,
}

/// `GET /games/{id}/replay/fragment?at=SEQ` of a trial.
#[derive(Template, Clone, Debug)]
#[template(path = "trial/replay.html")]
pub struct TrialReplay {
    pub w: Words,
    /// The court as it was.
    pub table: TrialBody,
    pub timeline: Timeline,
}

/// What the action panel is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Panel {
    /// Seats are being filled.
    Gather,
    Speak,
    Vote,
    /// The viewer has done its part and waits.
    Done,
    /// The viewer has no part in this phase.
    Idle,
    /// The viewer looks on.
    Watch,
    /// A house mind plays the viewer's seat.
    Handed,
    /// The trial is over.
    Ended,
    /// The table was closed before it began.
    Expired,
}

/// One line of the people in the court.
pub struct Member {
    pub person: Person,
    /// `guilty` or `not_guilty`, once it is known.
    pub vote: Option<&'static str>,
    /// Why, in the juror's words.
    pub reason: Option<String>,
    /// The points that the trial brought, once it is over.
    pub points: Option<u32>,
    /// Whether a house mind took the seat over from a player.
    pub handed: bool,
    /// Whether the viewer may hand the seat to a house mind.
    pub may_hand: bool,
}

const STEPS: [&str; 5] = ["opening", "argument", "rebuttal", "jury_vote", "verdict"];
/// How the court is read out: the bench, the bar, the box.
const ORDER: [&str; 5] = ["judge", "prosecutor", "defense", "juror", ""];

impl TrialBody {
    /// A court for a spectator who may do nothing; set the rest with `TrialBody { around, ..TrialBody::new(..) }`.
    /// `before` is the query's: show only what came before that event.
    pub fn new(w: Words, view: View, entries: &[Entry], before: Option<u64>) -> TrialBody {
        let record = read(&view, entries).window(before, WINDOW_BYTES_MAX);
        TrialBody { w, view, record, case_wanted: None, around: Around::default() }
    }

    pub fn panel(&self) -> Panel {
        match (self.view.status, &self.view.own) {
            ("waiting_for_agents" | "ready_to_start", _) => Panel::Gather,
            ("expired", _) => Panel::Expired,
            ("end", _) => Panel::Ended,
            (_, None) => Panel::Watch,
            (_, Some(own)) if own.house => Panel::Handed,
            (_, Some(_)) => match self.view.expected_action {
                "speak" => Panel::Speak,
                "vote" => Panel::Vote,
                "pass" => Panel::Idle,
                _ => Panel::Done,
            },
        }
    }

    /// Whether the viewer is awaited.
    pub fn my_turn(&self) -> bool {
        matches!(self.panel(), Panel::Speak | Panel::Vote)
    }

    /// Names the turn: a form with the same key is the same form, and is left alone while the viewer types into it.
    pub fn key(&self) -> String {
        let panel = format!("{:?}", self.panel()).to_lowercase();
        let own = self.view.own.as_ref().map_or("", |own| own.id.as_str());
        let may = self.around.may;
        let more = match self.panel() {
            // Who sits decides which buttons there are.
            Panel::Gather => format!("{}{}{}", may.sit, may.fill, self.around.account_needed),
            _ => String::new(),
        };
        format!("{}.{}.{panel}.{own}.{more}", phase_class(self.view.phase, self.view.round.into()), self.view.round)
    }

    /// Whose turn it is, in one sentence.
    pub fn status(&self) -> String {
        let w = &self.w;
        let seated = self.view.participants.len();
        match self.panel() {
            Panel::Gather => w.t2("status-waiting", "seated", seated, "needed", SEATS),
            Panel::Speak => w.t1("status-speak", "role", w.of("role", self.own_role())),
            Panel::Vote => w.t("status-vote"),
            Panel::Done if self.view.phase == "jury_vote" => w.t("status-voted"),
            Panel::Done => w.t("status-spoken"),
            Panel::Idle => w.t("status-idle"),
            Panel::Watch => self.waiting(),
            Panel::Handed => w.t("status-handed"),
            Panel::Ended => self.found(),
            Panel::Expired => w.t("status-expired"),
        }
    }

    /// What may be done now, in one sentence.
    pub fn hint(&self) -> String {
        let w = &self.w;
        match self.panel() {
            Panel::Gather if self.view.own.is_some() && self.around.may.fill => w.t("hint-court-seated"),
            Panel::Gather if self.around.may.sit => w.t("hint-court-sit"),
            Panel::Gather => w.t("hint-court-gather"),
            Panel::Speak => w.t(&self.advice()),
            Panel::Vote => w.t("hint-vote"),
            Panel::Done | Panel::Idle => self.waiting(),
            Panel::Watch => w.t("hint-watch"),
            Panel::Handed => w.t("hint-handed"),
            Panel::Ended => self.brought(),
            Panel::Expired => w.t("hint-expired"),
        }
    }

    /// The key of the hint on what to say in this role and phase.
    fn advice(&self) -> String {
        let which = match self.view.phase {
            "verdict" => verdict(&self.view).unwrap_or("guilty"),
            _ => self.own_role(),
        };
        format!("hint-{}-{which}", self.view.phase).replace('_', "-")
    }

    fn waiting(&self) -> String {
        let silent = awaited(&self.view);
        self.w.t1(
            "status-waiting-for",
            "names",
            self.w.names(silent.iter().map(|person| person.name.as_str()), NAMES_MAX),
        )
    }

    /// How the trial ended.
    pub fn found(&self) -> String {
        let Some(found) = verdict(&self.view) else { return String::new() };
        let votes = self.view.participants.iter().filter_map(|one| one.vote);
        let (most, rest): (Vec<&str>, Vec<&str>) = votes.partition(|vote| verdict_class(vote) == found);
        let key = format!("status-found-{}", found.replace('_', "-"));
        self.w.t2(&key, "most", most.len(), "rest", rest.len())
    }

    fn brought(&self) -> String {
        match self.view.result.as_ref().and_then(|result| result.points) {
            Some(points) => self.w.n("hint-points", points),
            None => self.w.t("hint-ended"),
        }
    }

    fn own_role(&self) -> &'static str {
        self.own().map_or("juror", |own| own.role)
    }

    fn own(&self) -> Option<Person> {
        people(&self.view).into_iter().find(|person| person.you)
    }

    fn seated(&self) -> Vec<Person> {
        people(&self.view)
    }

    pub(crate) fn board(&self) -> Courtroom {
        Courtroom::draw(&self.w, &self.view, Size::Full, "board")
    }

    /// Changes when the picture has moved: when the votes are turned over.
    pub(crate) fn scene(&self) -> &'static str {
        verdict(&self.view).unwrap_or("open")
    }

    /// The case, or the name of the game before there is one.
    pub fn heading(&self) -> String {
        match (&self.view.case, &self.case_wanted) {
            (Some(case), _) => case.title.clone(),
            (None, Some(wanted)) => wanted.clone(),
            (None, None) => self.w.t("kind-trial"),
        }
    }

    /// The phases, the argument with its rounds.
    pub fn steps(&self) -> Vec<Step> {
        let over = self.view.phase == "end";
        let now = STEPS.iter().position(|step| *step == self.view.phase).or(over.then_some(STEPS.len()));
        let rounds = |word: &str, class: &str| match word {
            "argument" => (1..=ROUNDS).map(|round| (round, class == "now" && round == self.view.round)).collect(),
            _ => vec![],
        };
        let step = |(index, word): (usize, &&'static str)| {
            let class = step_class(index, now);
            Step { word, name: phase_name(&self.w, word), class, rounds: rounds(word, class) }
        };
        STEPS.iter().enumerate().map(step).collect()
    }

    /// Everybody: the bench, the bar, the box.
    pub fn members(&self) -> Vec<Member> {
        let member = |(person, one): (Person, &ParticipantView)| {
            let sitter = self.around.sitters.iter().find(|sitter| sitter.agent_id == person.id);
            Member {
                vote: one.vote.map(verdict_class),
                reason: one.reason.clone(),
                points: one.points,
                handed: sitter.is_some_and(|sitter| sitter.handed),
                may_hand: sitter.is_some_and(|sitter| sitter.may_hand),
                person,
            }
        };
        let mut members: Vec<Member> =
            people(&self.view).into_iter().zip(&self.view.participants).map(member).collect();
        members.sort_by_key(|member| ORDER.iter().position(|role| *role == member.person.role));
        members
    }

    /// Whether the case is shown above the record: only where that begins.
    fn case_first(&self) -> bool {
        self.record.earlier.is_none()
    }

    fn started(&self) -> bool {
        self.view.case.is_some()
    }

    fn over(&self) -> bool {
        matches!(self.panel(), Panel::Ended | Panel::Expired)
    }

    fn opens_with_scores(&self) -> bool {
        self.panel() == Panel::Ended
    }

    fn seats_to_fill(&self) -> bool {
        self.view.participants.len() < SEATS
    }

    fn text_len_max(&self) -> usize {
        TEXT_LEN_MAX
    }

    fn refused_text(&self) -> Option<String> {
        self.around.beside_text(&self.w, "text", TEXT_LEN_MAX)
    }

    /// A refusal that no field of the shown form is about.
    fn refused_at_large(&self) -> Option<String> {
        let fields: &[&str] = match self.panel() {
            Panel::Gather => &["display_name"],
            Panel::Speak => &["text"],
            Panel::Vote => &["verdict"],
            _ => &[],
        };
        self.around.again.above(&self.w, fields)
    }
}

impl TrialReplay {
    /// The moment to show for what the query asked.
    pub fn moment(entries: &[Entry], asked: Option<u64>) -> u64 {
        timeline::moment(entries, OPENING, asked)
    }

    /// The trial at `at`, which [`TrialReplay::moment`] gave; `view` is a spectator's at that event, `entries` are the whole trial's.
    /// Nothing that came later is shown, and so no vote before the count.
    pub fn new(w: Words, view: View, entries: &[Entry], at: u64) -> TrialReplay {
        let whole = read(&view, entries);
        let parts = whole.parts(|what, _| match what {
            What::Phase { phase, .. } => Some(w.of("tick", phase)),
            _ => None,
        });
        let timeline = Timeline::new(&view.game_id, entries, OPENING, whole.stops(), parts, at);
        let past = timeline::past(entries, at);
        let mut table = TrialBody::new(w, view, &past, None);
        table.record.at = Some(at);
        TrialReplay { w, table, timeline }
    }

    fn parts_name(&self) -> String {
        self.w.t("replay-phases")
    }
}
