//! A meeting's own page: the horseshoe, what the player may do now, the issues, the votes and the transcript.

use crate::locale::Words;
use crate::pages::mercury::horseshoe::{Emblem, Horseshoe, on_turn, vote_class};
use crate::pages::mercury::record::{delegation, private_talk, read, short_name};
use crate::pages::mercury::trend::Trend;
use crate::pages::shared::people::{Person, marks};
use crate::pages::shared::record::{Record, Speech, What};
use crate::pages::shared::table::{Around, Step, step_class};
use crate::pages::shared::timeline::{self, Timeline};
use crate::pages::trolley::board::Size;
use askama::Template;
use engine::parts::transcript::Entry;
use games::mercury::{Issue, Placement, Role, SEATS, TEXT_LEN_MAX, View};

/// How many bytes of record the page shows; the whole page stays under 100 KB whatever is said.
const WINDOW_BYTES_MAX: usize = 21_000;
/// The first event worth showing again: the player has its delegation.
const OPENING: &str = "role_confirmed";
/// Messages of each side before the Chair interrupts.
const TALK_TURNS: u8 = 5;

/// `GET /games/{id}/fragment` of a meeting.
#[derive(Template, Clone, Debug)]
#[template(path = "mercury/body.html")]
pub struct MercuryBody {
    pub w: Words,
    /// What the viewer may know.
    pub view: View,
    /// What was said, cut to what one page shows.
    pub record: Record,
    /// What was said in the private talk that is under way.
    pub talk: Vec<Speech>,
    /// How stances moved, for the player of a finished meeting.
    pub trends: Vec<Trend>,
    pub around: Around,
}

/// `GET /games/{id}/replay/fragment?at=SEQ` of a meeting.
#[derive(Template, Clone, Debug)]
#[template(path = "mercury/replay.html")]
pub struct MercuryReplay {
    pub w: Words,
    /// The meeting as it was.
    pub table: MercuryBody,
    pub timeline: Timeline,
    record: Record,
}

/// What the action panel is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Panel {
    /// Seats are being filled.
    Gather,
    /// The viewer chooses its delegation.
    Role,
    /// The viewer moves the meeting on.
    Go(Go),
    /// The viewer gives its opening statement.
    Opening,
    /// The viewer chooses whom to talk with.
    Partner,
    /// The viewer talks in private.
    Room,
    /// The viewer opens an issue.
    Issue,
    /// The viewer speaks in the debate.
    Debate,
    Vote,
    /// The viewer's delegation, which is not the player's, is called on.
    Statement,
    /// The viewer's partner in a private talk is called on.
    RoomWait,
    /// Another delegation is called on.
    Wait,
    /// The viewer looks on.
    Watch,
    /// A house mind plays the viewer's seat.
    Handed,
    /// The meeting is over.
    Review,
    /// The table was closed before it began.
    Expired,
}

/// How the player moves the meeting on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "the words say where it leads")]
pub enum Go {
    Openings,
    Opening,
    Talks,
    Plenary,
    Debate,
    Speaker,
    Proposal,
    Ballot,
    Onward,
}

impl Go {
    /// As the keys of the words spell it.
    pub fn word(self) -> &'static str {
        match self {
            Go::Openings => "openings",
            Go::Opening => "opening",
            Go::Talks => "talks",
            Go::Plenary => "plenary",
            Go::Debate => "debate",
            Go::Speaker => "speaker",
            Go::Proposal => "proposal",
            Go::Ballot => "ballot",
            Go::Onward => "onward",
        }
    }

    /// The event it sends.
    pub fn event(self) -> &'static str {
        match self {
            Go::Openings => "ROUND_1_READY",
            Go::Opening => "ROUND_1_STEP",
            Go::Talks => "ROUND_2_READY",
            Go::Plenary => "ROUND_2_WRAP_READY",
            Go::Debate => "ISSUE_INTRO_CONTINUE",
            Go::Speaker | Go::Proposal | Go::Ballot => "ISSUE_DEBATE_STEP",
            Go::Onward => "ISSUE_RESOLUTION_CONTINUE",
        }
    }
}

/// A delegation to choose.
pub struct Offered {
    /// `CAN` and so on.
    pub code: &'static str,
    pub emblem: Emblem,
    pub name: String,
    pub class: &'static str,
    /// What everybody knows of it.
    pub known: String,
}

const PLACES: [Placement; 3] = [Placement::First, Placement::Random, Placement::Skip];

impl MercuryBody {
    /// A meeting for a spectator who may do nothing; set the rest with `MercuryBody { around, ..MercuryBody::new(..) }`.
    /// `before` is the query's: show only what came before that event.
    pub fn new(w: Words, view: View, entries: &[Entry], before: Option<u64>) -> MercuryBody {
        let record = read(&w, &view, entries).window(before, WINDOW_BYTES_MAX);
        let talk = private_talk(&w, &view, entries);
        MercuryBody { w, view, record, talk, trends: vec![], around: Around::default() }
    }

    pub fn panel(&self) -> Panel {
        match self.view.status {
            "waiting_for_agents" | "ready_to_start" => return Panel::Gather,
            "expired" => return Panel::Expired,
            "REVIEW" => return Panel::Review,
            _ if self.around.may.take_back => return Panel::Handed,
            _ => {}
        }
        match self.view.allowed_events.first().copied() {
            Some("ROLE_CONFIRMED") => Panel::Role,
            Some("HUMAN_OPENING_STATEMENT") => Panel::Opening,
            Some("CONVO_1_SELECTED" | "CONVO_2_SELECTED") => Panel::Partner,
            Some("CONVO_MESSAGE") => Panel::Room,
            Some("ROUND_3_START_ISSUE") => Panel::Issue,
            Some("HUMAN_DEBATE_MESSAGE") => Panel::Debate,
            Some("HUMAN_VOTE") => Panel::Vote,
            Some("STATEMENT") => Panel::Statement,
            Some(event) => self.go(event).map_or(Panel::Wait, Panel::Go),
            None if self.view.own_role_id.is_none() => Panel::Watch,
            None if self.view.round2.active_convo_index.is_some() => Panel::RoomWait,
            None => Panel::Wait,
        }
    }

    fn go(&self, event: &str) -> Option<Go> {
        match (event, self.view.status) {
            ("ROUND_1_READY", _) => Some(Go::Openings),
            ("ROUND_1_STEP", _) => Some(Go::Opening),
            ("ROUND_2_READY", _) => Some(Go::Talks),
            ("ROUND_2_WRAP_READY", _) => Some(Go::Plenary),
            ("ISSUE_INTRO_CONTINUE", _) => Some(Go::Debate),
            ("ISSUE_DEBATE_STEP", "ISSUE_POSITION_FINALIZATION") => Some(Go::Proposal),
            ("ISSUE_DEBATE_STEP", "ISSUE_VOTE") => Some(Go::Ballot),
            ("ISSUE_DEBATE_STEP", _) => Some(Go::Speaker),
            ("ISSUE_RESOLUTION_CONTINUE", _) => Some(Go::Onward),
            _ => None,
        }
    }

    /// Whether the viewer is awaited with words, a choice or a vote; moving the meeting on is not a turn.
    pub fn my_turn(&self) -> bool {
        use Panel as P;
        match self.panel() {
            P::Role | P::Opening | P::Partner | P::Room | P::Issue | P::Debate | P::Vote | P::Statement => true,
            P::Gather | P::Go(_) | P::RoomWait | P::Wait | P::Watch | P::Handed | P::Review | P::Expired => false,
        }
    }

    /// Names the turn: a form with the same key is the same form, and is left alone while the viewer types into it.
    pub fn key(&self) -> String {
        let may = self.around.may;
        match self.panel() {
            // Who sits decides which buttons there are.
            Panel::Gather => format!("gather.{}{}{}", may.sit, may.fill, self.around.account_needed),
            panel => format!("{}.{panel:?}.{}", self.view.status, self.view.version),
        }
    }

    /// Whose turn it is, in one sentence.
    pub fn status(&self) -> String {
        let w = &self.w;
        match self.panel() {
            Panel::Gather => w.t2("status-waiting", "seated", self.around.sitters.len(), "needed", SEATS),
            Panel::Role => w.t("status-role"),
            Panel::Go(go) => w.t1(&format!("status-go-{}", go.word()), "name", self.next_name()),
            Panel::Opening => w.t("status-opening"),
            Panel::Partner => w.of("status-partner", self.talk_number()),
            Panel::Room | Panel::RoomWait => w.t1("status-room", "name", self.other_name()),
            Panel::Issue => w.t1("status-issue", "title", self.next_title()),
            Panel::Debate => w.t("status-debate"),
            Panel::Vote => w.t1("status-ballot", "option", self.tabled()),
            Panel::Statement => w.t("status-statement"),
            Panel::Wait | Panel::Watch => self.going_on(),
            Panel::Handed => w.t("status-handed"),
            Panel::Review => w.n("status-review", self.view.votes.iter().filter(|one| one.adopted).count()),
            Panel::Expired => w.t("status-expired"),
        }
    }

    /// What may be done now, in one sentence.
    pub fn hint(&self) -> String {
        let w = &self.w;
        match self.panel() {
            Panel::Gather => w.t("hint-meeting-gather"),
            Panel::Role => w.t("hint-role"),
            Panel::Go(Go::Onward) => self.resolved(),
            Panel::Go(Go::Debate) => {
                self.view.round3.active_issue.as_ref().map_or(String::new(), |active| active.ui_prompt.clone())
            }
            Panel::Go(go) => w.of("hint-go", go.word()),
            Panel::Opening => w.t("hint-own-opening"),
            Panel::Partner => w.t("hint-partner"),
            Panel::Room | Panel::RoomWait => self.counter(),
            Panel::Issue => w.t("hint-issue"),
            Panel::Debate => w.t("hint-debate"),
            Panel::Vote => w.t("hint-ballot"),
            Panel::Statement => w.t("hint-statement"),
            Panel::Wait => w.t("hint-called"),
            Panel::Watch => w.t("hint-meeting-watch"),
            Panel::Handed => w.t("hint-handed"),
            Panel::Review => w.t("hint-review"),
            Panel::Expired => w.t("hint-expired"),
        }
    }

    /// The text on the button that moves the meeting on.
    pub fn go_button(&self, go: &Go) -> String {
        let review = *go == Go::Onward && self.view.round3.closed_issues.len() == Issue::ALL.len();
        let word = if review { "review" } else { go.word() };
        self.w.t1(&format!("go-{word}"), "name", self.next_name())
    }

    fn next_name(&self) -> String {
        on_turn(&self.view).map_or(String::new(), |role| short_name(&self.w, role))
    }

    fn going_on(&self) -> String {
        let called = self.view.called_role_id.or_else(|| on_turn(&self.view));
        match called.filter(|_| self.view.status != "ROUND_2_CONVERSATION_ACTIVE") {
            Some(role) if self.view.status == "ISSUE_VOTE" => {
                self.w.t1("status-votes", "name", short_name(&self.w, role))
            }
            Some(role) => self.w.t1("status-floor", "name", short_name(&self.w, role)),
            None => self.step_name(),
        }
    }

    /// Where the meeting stands, in two or three words.
    pub fn step_name(&self) -> String {
        self.w.of("step", self.view.status.to_lowercase())
    }

    fn talk_number(&self) -> u8 {
        if self.view.round2.convo1.is_none() { 1 } else { 2 }
    }

    /// The other delegation in the private talk, as the viewer sees it.
    fn other(&self) -> Option<Role> {
        let view = &self.view;
        let talk = [&view.round2.convo1, &view.round2.convo2].into_iter().flatten().last()?;
        if view.own_role_id == view.human_role_id { Some(talk.partner_role) } else { view.human_role_id }
    }

    fn other_name(&self) -> String {
        self.other().map_or(String::new(), |role| short_name(&self.w, role))
    }

    /// How much of the private talk is used up.
    pub fn counter(&self) -> String {
        let view = &self.view;
        let talk = [&view.round2.convo1, &view.round2.convo2].into_iter().flatten().last();
        let Some(talk) = talk else { return String::new() };
        let own = view.own_role_id == view.human_role_id;
        let used = if own { talk.human_turns_used } else { talk.ai_turns_used };
        match (self.panel(), talk.phase) {
            (Panel::RoomWait, _) => self.w.t1("hint-room-wait", "name", self.other_name()),
            (_, "FINAL") => self.w.t("hint-room-last"),
            _ => self.w.t2("hint-room", "number", (used + 1).min(TALK_TURNS), "most", TALK_TURNS),
        }
    }

    fn next_title(&self) -> String {
        let next = self.view.round3.next_issue;
        let issue = self.view.round3.issues.iter().find(|issue| Some(issue.issue_id) == next);
        issue.map_or(String::new(), |issue| {
            self.w.t2("part-issue", "number", issue.issue_id.0, "title", &issue.issue_title)
        })
    }

    /// The option that is put to the vote, with its label.
    pub fn tabled(&self) -> String {
        let Some(active) = &self.view.round3.active_issue else { return String::new() };
        let option = active.options.iter().find(|option| Some(option.option_id) == active.proposed_option_id);
        option.map_or(String::new(), |option| format!("{} {}", option.option_id, option.label))
    }

    fn resolved(&self) -> String {
        let Some(last) = self.view.votes.last() else { return String::new() };
        let key = if last.adopted { "hint-adopted" } else { "hint-failed" };
        let against = last.votes.iter().filter(|vote| vote_class(vote.vote) == "no");
        let names: Vec<String> = against.map(|vote| short_name(&self.w, vote.role_id)).collect();
        let names = self.w.names(names.iter().map(String::as_str), 5);
        self.w.t2(key, "option", self.tabled(), "names", names)
    }

    fn own(&self) -> Option<Person> {
        self.view.own_role_id.map(|role| delegation(&self.w, &self.view, role))
    }

    fn seated(&self) -> Vec<Person> {
        let sitters = &self.around.sitters;
        let marks = marks(sitters.iter().map(|sitter| sitter.name.as_str()));
        let person = |(sitter, mark): (&crate::pages::shared::people::Sitter, String)| Person {
            id: sitter.agent_id.clone(),
            name: sitter.name.clone(),
            mark,
            role: "",
            house: sitter.house,
            you: false,
        };
        sitters.iter().zip(marks).map(person).collect()
    }

    pub(crate) fn board(&self) -> Horseshoe {
        Horseshoe::draw(&self.w, &self.view, Size::Full, "board")
    }

    /// Changes when the picture has moved: when a vote is laid on the table.
    pub(crate) fn scene(&self) -> String {
        let cast = self.view.round3.active_issue.as_ref().map_or(0, |active| active.votes.len());
        format!("{}.{cast}", self.view.votes.len())
    }

    /// The issue under debate, or the name of the game.
    pub fn heading(&self) -> String {
        match &self.view.round3.active_issue {
            Some(active) => active.issue_title.clone(),
            None => self.w.t("kind-mercury"),
        }
    }

    /// The rounds and the issues.
    pub fn steps(&self) -> Vec<Step> {
        let closed = self.view.round3.closed_issues.len();
        let now = match self.view.status {
            status if status.starts_with("ROUND_2") => 1,
            "REVIEW" => 3,
            status if status.starts_with("ROUND_3") || status.starts_with("ISSUE") => 2,
            _ => 0,
        };
        let active = self.view.round3.active_issue.as_ref().map(|active| active.issue_id);
        let present = active.or(self.view.round3.next_issue).map_or(closed as u8, |issue| issue.0);
        let step = |(index, word): (usize, &'static str)| Step {
            word,
            name: self.w.of("tick", word),
            class: step_class(index, Some(now)),
            rounds: match word {
                "issues" => Issue::ALL.map(|issue| (issue.0, now == 2 && issue.0 == present)).to_vec(),
                _ => vec![],
            },
        };
        ["round_1", "round_2", "issues", "review"].into_iter().enumerate().map(step).collect()
    }

    /// The delegations that the player may choose from.
    pub fn offered(&self) -> Vec<Offered> {
        let roles = self.view.roles.iter().map(|role| Offered {
            code: role.role_id.word(),
            emblem: Emblem { code: role.role_id.word() },
            name: role.name.clone(),
            class: if role.votes { "country" } else { "organisation" },
            known: self.w.of("known", role.role_id.word().to_lowercase()),
        });
        roles.collect()
    }

    /// With whom the player may still talk.
    pub fn partners(&self) -> Vec<Person> {
        let talked = self.view.round2.convo1.as_ref().map(|talk| talk.partner_role);
        let free = |role: &Role| Some(*role) != self.view.human_role_id && Some(*role) != talked;
        Role::ALL.into_iter().filter(free).map(|role| delegation(&self.w, &self.view, role)).collect()
    }

    /// Which event chooses a partner now.
    pub fn partner_event(&self) -> &'static str {
        if self.talk_number() == 1 { "CONVO_1_SELECTED" } else { "CONVO_2_SELECTED" }
    }

    fn next_issue_id(&self) -> u8 {
        self.view.round3.next_issue.map_or(0, |issue| issue.0)
    }

    fn places(&self) -> [&'static str; 3] {
        PLACES.map(Placement::word)
    }

    fn started(&self) -> bool {
        !matches!(self.panel(), Panel::Gather | Panel::Expired)
    }

    fn over(&self) -> bool {
        matches!(self.panel(), Panel::Review | Panel::Expired)
    }

    fn opens_with_scores(&self) -> bool {
        self.panel() == Panel::Review
    }

    fn seats_to_fill(&self) -> bool {
        self.around.sitters.len() < SEATS
    }

    fn text_len_max(&self) -> usize {
        TEXT_LEN_MAX
    }

    /// The name of the text field, and the event that sends it.
    fn words_field(&self) -> (&'static str, &'static str) {
        match self.panel() {
            Panel::Room => ("content", "CONVO_MESSAGE"),
            Panel::Debate => ("text", "HUMAN_DEBATE_MESSAGE"),
            Panel::Statement => ("text", "STATEMENT"),
            _ => ("text", "HUMAN_OPENING_STATEMENT"),
        }
    }

    /// The statement that was prepared for the viewer, while it may be given.
    fn prepared(&self) -> Option<&str> {
        let own = self.view.round1.own_opening.as_ref();
        own.filter(|_| self.panel() == Panel::Opening).map(|own| own.text.as_str())
    }

    fn refused_text(&self) -> Option<String> {
        self.around.beside_text(&self.w, self.words_field().0, TEXT_LEN_MAX)
    }

    /// A refusal that no field of the shown form is about.
    fn refused_at_large(&self) -> Option<String> {
        let fields: &[&str] = match self.panel() {
            Panel::Gather => &["display_name"],
            Panel::Opening | Panel::Debate | Panel::Statement => &["text"],
            Panel::Room => &["content"],
            _ => &[],
        };
        self.around.again.above(&self.w, fields)
    }
}

impl MercuryReplay {
    /// The moment to show for what the query asked.
    pub fn moment(entries: &[Entry], asked: Option<u64>) -> u64 {
        timeline::moment(entries, OPENING, asked)
    }

    /// The meeting at `at`, which [`MercuryReplay::moment`] gave; `view` is a spectator's at that event, `entries` are all
    /// that spectators may hear.
    pub fn new(w: Words, view: View, entries: &[Entry], at: u64) -> MercuryReplay {
        let whole = read(&w, &view, entries);
        let parts = whole.parts(|what, _| match what {
            What::Part { word, .. } => Some(w.of("tick", word)),
            _ => None,
        });
        let timeline = Timeline::new(&view.game_id, entries, OPENING, whole.stops(), parts, at);
        let past = timeline::past(entries, at);
        let record = whole.around(at, WINDOW_BYTES_MAX);
        MercuryReplay { w, table: MercuryBody::new(w, view, &past, None), timeline, record }
    }

    fn parts_name(&self) -> String {
        self.w.t("replay-phases")
    }
}
