//! A tribunal's own page: the dock and the jury, whose turn it is, the form for it, the board of claims, the case and the record.

use crate::corpus::treasury::Pay;
use crate::locale::Words;
use crate::pages::market::Worked;
use crate::pages::shared::people::Person;
use crate::pages::shared::record::{Record, What};
use crate::pages::shared::table::{Around, Step, step_class};
use crate::pages::shared::timeline::{self, Timeline};
use crate::pages::tribunal::chamber::{Chamber, attacked, last_closed};
use crate::pages::tribunal::record::{charged, moved_sentence, name_of, people, read};
use crate::pages::trolley::board::Size;
use askama::Template;
use engine::facts::Manner;
use engine::parts::transcript::Entry;
use games::tribunal::docket::Exhibit;
use games::tribunal::{ATTACK_LEN, SEATS, TEXT_LEN_MAX, View};

/// How many bytes the record and the case may weigh together; the whole page stays under 100 KB whatever is said.
const WINDOW_BYTES_MAX: usize = 25_000;
/// What a fact of the record weighs on the page besides its words.
const FACT_BYTES: usize = 190;
/// What an attack from the archive weighs besides its words.
const FOUND_BYTES: usize = 700;
/// What a claim weighs besides its words: its paper on the dock and its line among the rounds.
const CLAIM_BYTES: usize = 300;
/// The least that is left for the record.
const RECORD_BYTES_MIN: usize = 9_000;
/// The first event worth showing again: the jurors are dealt.
const OPENING: &str = "court_opened";

/// `GET /games/{id}/fragment` of a tribunal.
#[derive(Template, Clone, Debug)]
#[template(path = "tribunal/body.html")]
pub struct TribunalBody {
    pub w: Words,
    /// What the viewer may know.
    pub view: View,
    /// What was said, cut to what one page shows.
    pub record: Record,
    /// The title of the case that was asked for, while the court has not opened.
    pub case_wanted: Option<String>,
    /// The character that the intern's draft in the field attacks, if one was asked for.
    pub draft_of: Option<String>,
    /// The hash of the attack from the archive in the field, if one was asked for.
    pub archived: Option<String>,
    /// What the viewer was paid, if it prosecuted and the trial is over.
    pub pay: Option<Pay>,
    pub around: Around,
}

/// `GET /games/{id}/replay/fragment?at=SEQ` of a tribunal.
#[derive(Template, Clone, Debug)]
#[template(path = "tribunal/replay.html")]
pub struct TribunalReplay {
    pub w: Words,
    /// The tribunal as it was.
    pub table: TribunalBody,
    pub timeline: Timeline,
    record: Record,
}

/// What the action panel is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Panel {
    /// Seats are being filled.
    Gather,
    Argue,
    Answer,
    /// The viewer must prove, withdraw or defend a claim.
    Burden,
    /// Another seat is awaited.
    Wait,
    /// The viewer looks on.
    Watch,
    /// A house mind plays the viewer's seat.
    Handed,
    /// The trial is over.
    Ended,
    /// The table was closed before it began.
    Expired,
}

/// An attack from the archive.
pub struct Shown<'a> {
    pub arg_hash: &'a str,
    pub text: &'a str,
    /// What it is about.
    pub label: &'a str,
    /// How well it worked, from 0 to 100.
    pub percent: u32,
    /// How often it was used, and worked, in words.
    pub worked: String,
}

pub struct Target {
    pub id: String,
    pub name: String,
    pub office: String,
    /// What the intern would say against this character.
    pub draft: Option<String>,
    pub chosen: bool,
}

const STEPS: [&str; 4] = ["attack", "answer", "ruling", "burden"];

impl TribunalBody {
    /// A tribunal for a spectator who may do nothing; set the rest with `TribunalBody { around, ..TribunalBody::new(..) }`.
    /// `before` is the query's: show only what came before that event.
    pub fn new(w: Words, view: View, entries: &[Entry], before: Option<u64>) -> TribunalBody {
        let record = read(&w, &view, entries).window(before, room(&view));
        let around = Around::default();
        TribunalBody { w, view, record, case_wanted: None, draft_of: None, archived: None, pay: None, around }
    }

    pub fn panel(&self) -> Panel {
        match (self.view.status, &self.view.own) {
            ("waiting_for_agents" | "ready_to_start", _) => Panel::Gather,
            ("expired", _) => Panel::Expired,
            ("completed", _) => Panel::Ended,
            (_, None) => Panel::Watch,
            (_, Some(own)) if own.house => Panel::Handed,
            (_, Some(own)) => match own.allowed_actions.first().copied() {
                Some("argue") => Panel::Argue,
                Some("answer") => Panel::Answer,
                Some("prove") => Panel::Burden,
                _ => Panel::Wait,
            },
        }
    }

    /// Whether the viewer is awaited.
    pub fn my_turn(&self) -> bool {
        matches!(self.panel(), Panel::Argue | Panel::Answer | Panel::Burden)
    }

    /// Names the turn: a form with the same key is the same form, and is left alone while the viewer types into it.
    pub fn key(&self) -> String {
        let panel = format!("{:?}", self.panel()).to_lowercase();
        let own = self.view.own.as_ref().map_or("", |own| own.id.as_str());
        let may = self.around.may;
        let more = match self.panel() {
            // Who sits decides which buttons there are.
            Panel::Gather => format!("{}{}{}", may.sit, may.fill, self.view.participants.len()),
            _ => String::new(),
        };
        format!("{}.{}.{panel}.{own}.{more}", self.view.status, self.view.exchange)
    }

    /// Whose turn it is, in one sentence.
    pub fn status(&self) -> String {
        let w = &self.w;
        match self.panel() {
            Panel::Gather => w.t2("status-waiting", "seated", self.view.participants.len(), "needed", SEATS),
            Panel::Argue => w.t("status-attack"),
            Panel::Answer => w.t1("status-answer", "name", self.attacked_name()),
            Panel::Burden => w.t("status-burden"),
            Panel::Wait | Panel::Watch => self.going_on(),
            Panel::Handed => w.t("status-handed"),
            Panel::Ended => self.found(),
            Panel::Expired => w.t("status-expired"),
        }
    }

    /// What may be done now, in one sentence.
    pub fn hint(&self) -> String {
        let w = &self.w;
        match self.panel() {
            Panel::Gather if self.view.own.is_some() => w.t("hint-dock-seated"),
            Panel::Gather if self.view.participants.len() == 1 => w.t("hint-dock-prosecute"),
            Panel::Gather => w.t("hint-dock-accused"),
            Panel::Argue if self.consulting() => w.t("hint-consulted"),
            Panel::Argue => self.last_moved().unwrap_or_else(|| w.t("hint-attack")),
            Panel::Answer => w.t("hint-answer"),
            Panel::Burden => w.t("hint-burden"),
            Panel::Wait => self.last_moved().unwrap_or_else(|| w.t("hint-dock-wait")),
            Panel::Watch if self.sealed() => w.t("sealed-words"),
            Panel::Watch => w.t("hint-watch"),
            Panel::Handed => w.t("hint-handed"),
            Panel::Ended => self.brought(),
            Panel::Expired => w.t("hint-expired"),
        }
    }

    /// Whether the viewer may not read the words here.
    pub fn sealed(&self) -> bool {
        !self.view.open && self.view.own.is_none()
    }

    fn going_on(&self) -> String {
        let role = self.view.turn.as_ref().map_or("", |turn| turn.role);
        let name = match role {
            "accused" => self.attacked_name().to_owned(),
            _ => {
                self.view.participants.iter().find(|one| one.role == role).map_or(String::new(), |one| one.name.clone())
            }
        };
        self.w.t1(&format!("status-at-{}", self.view.status.replace('_', "-")), "name", name)
    }

    fn attacked_name(&self) -> &str {
        name_of(&self.view, attacked(&self.view).unwrap_or_default())
    }

    /// Whom the exchange before this one moved.
    fn last_moved(&self) -> Option<String> {
        let closed = self.view.exchanges_log.last().is_some_and(|last| last.total_shift.is_some());
        let (moved, shift) = last_closed(&self.view).filter(|_| closed)?;
        let moved: Vec<String> = moved.iter().map(ToString::to_string).collect();
        Some(self.w.t1("hint-last-moved", "moved", moved_sentence(&self.w, &moved, shift.into())))
    }

    /// What the jury found, in one sentence.
    pub fn found(&self) -> String {
        let Some(result) = &self.view.result else { return String::new() };
        let verdict = result.verdict.word().to_lowercase();
        self.w.t2(&format!("status-{verdict}"), "condemn", result.condemn, "acquit", result.acquit)
    }

    /// What the trial has brought the viewer: the rulings give a score, and not all of it is always paid.
    fn brought(&self) -> String {
        let (w, score) = (&self.w, self.view.ia_won);
        match self.pay {
            None => w.t("hint-ended-tribunal"),
            Some(Pay::Guest) => w.n("hint-ia-guest", score),
            Some(Pay::Unpaid) => w.n("hint-ia-unpaid", score),
            Some(Pay::Paid { paid, .. }) if paid == i64::from(score) => w.n("hint-ia", score),
            Some(Pay::Paid { paid: paid @ ..0, .. }) => {
                w.t2("hint-ia-cost", "score", score, "cost", paid.unsigned_abs())
            }
            Some(Pay::Paid { paid, a_day_max }) => {
                let limit = w.n("hint-ia-limits", a_day_max);
                format!("{} {limit}", w.t2("hint-ia-part", "score", score, "paid", paid))
            }
        }
    }

    fn own(&self) -> Option<Person> {
        let own = people(&self.view).into_iter().find(|person| person.you)?;
        let as_whom = (own.role == "accused").then(|| self.attacked_name()).filter(|name| !name.is_empty());
        let as_whom = as_whom.and_then(|name| charged(&self.view).into_iter().find(|person| person.name == name));
        Some(as_whom.unwrap_or(own))
    }

    fn seated(&self) -> Vec<Person> {
        people(&self.view)
    }

    pub(crate) fn board(&self) -> Chamber {
        Chamber::draw(&self.w, &self.view, Size::Full, "board")
    }

    /// Changes when the picture has moved: when the jury has.
    pub(crate) fn scene(&self) -> String {
        let closed = self.view.exchanges_log.iter().filter(|exchange| exchange.total_shift.is_some()).count();
        closed.to_string()
    }

    /// The case, or the name of the game before there is one.
    pub fn heading(&self) -> String {
        match (&self.view.case, &self.case_wanted) {
            (Some(case), _) => case.title.clone(),
            (None, Some(wanted)) => wanted.clone(),
            (None, None) => self.w.t("kind-tribunal"),
        }
    }

    /// Which exchange it is, of how many.
    pub fn exchange_name(&self) -> String {
        self.w.t2("exchange-of", "number", self.view.exchange, "total", self.view.exchanges)
    }

    /// Where the trial stands, in a few words.
    pub fn step_name(&self) -> String {
        self.w.of("step", self.view.status)
    }

    /// The steps of one exchange.
    pub fn steps(&self) -> Vec<Step> {
        let status = if self.view.status == "burden_ruling" { "burden" } else { self.view.status };
        let over = self.view.status == "completed";
        let now = STEPS.iter().position(|step| *step == status).or(over.then_some(STEPS.len()));
        let step = |(index, word): (usize, &&'static str)| Step {
            word,
            name: self.w.of("step", word),
            class: step_class(index, now),
            rounds: vec![],
        };
        STEPS.iter().enumerate().map(step).collect()
    }

    /// Whom the viewer may attack.
    pub fn targets(&self) -> Vec<Target> {
        let (Some(case), Some(own)) = (&self.view.case, &self.view.own) else { return vec![] };
        let usual = self.draft_of.as_deref().or(attacked(&self.view)).or(case.characters.first().map(|one| &*one.id));
        let chosen = self.around.again.typed_or("character_id", usual.unwrap_or_default()).to_owned();
        let target = case.characters.iter().map(|character| Target {
            id: character.id.clone(),
            name: character.name.clone(),
            office: character.office.clone(),
            draft: own.intern.get(&character.id).cloned(),
            chosen: character.id == chosen,
        });
        target.collect()
    }

    /// What the text field holds: what was typed, or the archived attack or the intern's draft that was asked for.
    fn typed(&self) -> &str {
        let intern = self.view.own.as_ref().map(|own| &own.intern);
        let draft = self.draft_of.as_ref().and_then(|id| intern?.get(id)).map(String::as_str);
        let hash = self.archived.as_deref();
        let archived = self.view.consulted.iter().find(|one| Some(one.arg_hash.as_str()) == hash);
        let words = archived.map(|one| one.text.as_str()).or(draft).unwrap_or_default();
        self.around.again.typed_or("text", words)
    }

    /// Whether the archive shows the viewer anything.
    fn consulting(&self) -> bool {
        !self.view.consulted.is_empty()
    }

    /// Whether its dialog opens by itself: not once the viewer has copied something out of it, or was refused something.
    fn archive_open(&self) -> bool {
        self.archived.is_none() && self.around.again.0.is_none()
    }

    fn consulted_name(&self) -> &str {
        self.attacked_name()
    }

    /// What the archive shows.
    fn shown(&self) -> Vec<Shown<'_>> {
        let shown = self.view.consulted.iter().map(|one| Shown {
            arg_hash: &one.arg_hash,
            text: &one.text,
            label: &one.label,
            percent: (one.effectiveness * 100.0).round() as u32,
            worked: match one.worked {
                Some(worked) => Worked::of(worked as i64, one.uses as i64).said(&self.w),
                None => self.w.n("archive-uses", one.uses),
            },
        });
        shown.collect()
    }

    /// Whether the viewer may still open the trial to spectators.
    fn may_open(&self) -> bool {
        self.view.own.as_ref().is_some_and(|own| own.allowed_actions.contains(&"open_trial"))
    }

    /// The facts that the attacked character may cite.
    pub fn citable(&self) -> Vec<&Exhibit> {
        let (Some(case), Some(own)) = (&self.view.case, &self.view.own) else { return vec![] };
        case.record.iter().filter(|fact| own.evidence.contains(&fact.id)).collect()
    }

    /// The attack that is to be answered.
    fn put(&self) -> Option<&str> {
        self.view.exchanges_log.last()?.argument.as_deref()
    }

    /// The claim to be proved, withdrawn or defended: what it is about, and what it says.
    fn claimed(&self) -> Option<(&str, Option<&str>)> {
        let made = self.view.commitments.last()?;
        Some((&made.label, made.claim.as_deref()))
    }

    fn modes(&self) -> [&'static str; 3] {
        Manner::ALL.map(Manner::word)
    }

    fn mode_chosen(&self, mode: &str) -> bool {
        self.around.again.typed_or("type", Manner::Prove.word()) == mode
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

    /// How long the words of the shown form may be.
    fn len(&self) -> (usize, usize) {
        match self.panel() {
            Panel::Argue => (*ATTACK_LEN.start(), *ATTACK_LEN.end()),
            _ => (1, TEXT_LEN_MAX),
        }
    }

    fn refused_text(&self) -> Option<String> {
        let (least, most) = self.len();
        let length = || self.w.t2("refused-length-between", "least", least, "most", most);
        self.refused("text", length)
    }

    fn refused_evidence(&self) -> Option<String> {
        self.refused("evidence", || self.w.t("refused-invalid-body-evidence"))
    }

    /// The refusal to show beside a field; in the words of `asked` if its content has the wrong form.
    fn refused(&self, field: &str, asked: impl FnOnce() -> String) -> Option<String> {
        let again = &self.around.again;
        let wrong = again.0.as_ref().is_some_and(|one| one.about(field) && one.code == "INVALID_BODY");
        if wrong { Some(asked()) } else { again.beside(&self.w, field) }
    }

    /// A refusal that no field of the shown form is about.
    fn refused_at_large(&self) -> Option<String> {
        let fields: &[&str] = match self.panel() {
            Panel::Gather => &["display_name"],
            Panel::Argue => &["text", "character_id"],
            Panel::Answer => &["text"],
            Panel::Burden => &["text", "evidence"],
            Panel::Wait | Panel::Watch | Panel::Handed | Panel::Ended | Panel::Expired => &[],
        };
        self.around.again.above(&self.w, fields)
    }
}

/// How many bytes are left for the record beside everything else.
fn room(view: &View) -> usize {
    let Some(case) = &view.case else { return WINDOW_BYTES_MAX };
    let weight = |fact: &Exhibit| FACT_BYTES + fact.text.len() + fact.label.len() + fact.source.len() + fact.date.len();
    let record: usize = case.record.iter().map(weight).sum();
    let burdened = view.own.as_ref().is_some_and(|own| own.allowed_actions.contains(&Manner::Prove.word()));
    let shown = if burdened { record * 2 } else { record };
    let found: usize = view.consulted.iter().map(|one| FOUND_BYTES + one.text.len() + one.label.len()).sum();
    let claims: usize = view
        .commitments
        .iter()
        .map(|made| CLAIM_BYTES + made.claim.as_ref().map_or(0, String::len) + made.label.len())
        .sum();
    WINDOW_BYTES_MAX.saturating_sub(shown + found + claims + case.summary.len()).max(RECORD_BYTES_MIN)
}

impl TribunalReplay {
    /// The moment to show for what the query asked.
    pub fn moment(entries: &[Entry], asked: Option<u64>) -> u64 {
        timeline::moment(entries, OPENING, asked)
    }

    /// The tribunal at `at`, which [`TribunalReplay::moment`] gave; `view` is a spectator's at that event, `entries` are all that the
    /// reader may read, which may be more.
    pub fn new(w: Words, view: View, entries: &[Entry], at: u64) -> TribunalReplay {
        let whole = read(&w, &view, entries);
        let parts = whole.parts(|what, round| match what {
            What::Part { .. } => round.map(|round| round.to_string()),
            What::Held(holding) if holding.class == "end" => Some(w.t("step-completed")),
            _ => None,
        });
        let timeline = Timeline::new(&view.game_id, entries, OPENING, whole.stops(), parts, at);
        let record = whole.around(at, room(&view));
        let past = timeline::past(entries, at);
        TribunalReplay { w, table: TribunalBody::new(w, view, &past, None), timeline, record }
    }

    fn parts_name(&self) -> String {
        self.w.t("replay-exchanges")
    }
}
