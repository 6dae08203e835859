//! Pages that are forms: start a table, sign in, register, your account, report.

use crate::pages::lobby::{Offered, TableCard};
use crate::pages::market::OwnRow;
use crate::pages::people::purse::PursePanel;
use crate::pages::shared::faces;
use crate::pages::shared::frame::{Again, Frame};
use askama::Template;
use engine::game::Progress;
use engine::time::Timestamp;

/// Turn limits to choose from, in seconds; 0 is none.
pub const TURN_LIMITS_S: [u32; 6] = [0, 30, 60, 120, 300, 3600];

/// The refusals of a new table that may be about a field of its kind.
const REFUSALS: [&str; 2] = ["INVALID_PLAYERS", "UNKNOWN_CASE"];

/// `GET /new`, and `POST /new` when refused.
#[derive(Template, Clone, Debug)]
#[template(path = "people/new.html")]
pub struct NewPage {
    pub frame: Frame,
    /// The name to suggest.
    pub own_name: String,
    /// The kind that is chosen, such as `trolley`.
    pub kind: &'static str,
    /// The kinds to choose from, each with its own fields.
    pub kinds: Vec<Offered>,
    /// The minds that may play AI seats.
    pub minds: Vec<String>,
    /// The one that plays them if none is chosen.
    pub preferred: String,
    pub again: Again,
}

/// `GET /play`: the visitor may sit down at once, or needs an account first.
#[derive(Template, Clone, Debug)]
#[template(path = "people/play.html")]
pub struct PlayPage {
    pub frame: Frame,
    /// The kind that is to be played.
    pub kind: &'static str,
    /// Whether a seat needs an account, and there is none.
    pub account_needed: bool,
}

impl NewPage {
    /// The fields that show their own refusals.
    fn fields(&self) -> Vec<&'static str> {
        let refusable = |kind: &Offered| REFUSALS.into_iter().filter_map(faces::of(kind.kind).refused_field);
        self.kinds.iter().flat_map(refusable).chain(["display_name"]).collect()
    }

    fn is(&self, kind: &str) -> bool {
        self.kind == kind
    }

    fn span(&self, seconds: &u32) -> String {
        if *seconds == 0 { self.frame.w.t("choice-none") } else { self.frame.w.span(*seconds) }
    }

    fn chosen(&self, field: &str, value: &u32, usual: &str) -> bool {
        self.again.typed_or(field, usual) == value.to_string()
    }
}

/// `GET /login`, and `POST /login` when refused.
#[derive(Template, Clone, Debug)]
#[template(path = "people/login.html")]
pub struct LoginPage {
    pub frame: Frame,
    /// Where to go afterwards; a path of this house.
    pub next: String,
    /// Why the visitor is asked to sign in: `seat` if a seat needs an account.
    pub why: String,
    /// What was refused just now. Never put the password into its draft.
    pub again: Again,
}

/// `GET /register`, and `POST /register` when refused.
#[derive(Template, Clone, Debug)]
#[template(path = "people/register.html")]
pub struct RegisterPage {
    pub frame: Frame,
    /// Where to go afterwards; a path of this house.
    pub next: String,
    /// Why the visitor is asked to register: `seat` if a seat needs an account.
    pub why: String,
    /// What was refused just now. Never put the password into its draft.
    pub again: Again,
}

#[derive(Template, Clone, Debug)]
#[template(path = "people/account.html")]
pub struct AccountPage {
    pub frame: Frame,
    pub name: String,
    pub email: String,
    /// Its keys, newest first.
    pub keys: Vec<KeyRow>,
    /// A key that was made just now, shown this once.
    pub fresh_key: Option<String>,
    /// Its games, newest first.
    pub games: Vec<GameRow>,
    /// Its IA: what it has, earned and spent.
    pub purse: PursePanel,
    /// Its arguments, newest first.
    pub arguments: Vec<OwnRow>,
    /// The time, for "3 minutes ago".
    pub now: Timestamp,
    /// What was done just now: `password-changed` or `key-revoked`.
    pub done: Option<&'static str>,
    /// What was refused just now; its field says in which form.
    pub again: Again,
}

/// One API key, without its secret.
#[derive(Clone, PartialEq, Debug)]
pub struct KeyRow {
    /// The id that revokes it.
    pub id: String,
    /// What its owner called it.
    pub label: String,
    pub hint: String,
    pub created_at: Timestamp,
    /// Whether it may report games played elsewhere to the corpus.
    pub corpus: bool,
    pub trusted: bool,
}

/// One game of an account.
#[derive(Clone, PartialEq, Debug)]
pub struct GameRow {
    pub id: String,
    pub kind: &'static str,
    pub progress: Progress,
    /// Whether it ended at its table, before it began.
    pub expired: bool,
    pub created_at: Timestamp,
    /// Whether it waits for this account.
    pub my_turn: bool,
    /// What it is about and, once it is over, what came of it.
    pub about: String,
}

impl GameRow {
    /// Adds what its card in the lobby says; a table that has not begun, or has expired, is about nothing yet.
    pub(crate) fn told_by(self, card: TableCard) -> GameRow {
        let about = match self.state() {
            "over" => format!("{} · {}", card.outcome, card.aftermath),
            "playing" => card.heading,
            _ => String::new(),
        };
        GameRow { about, ..self }
    }

    fn over(&self) -> bool {
        self.state() == "over"
    }

    fn state(&self) -> &'static str {
        match self.progress {
            Progress::Table => "waiting",
            Progress::Playing => "playing",
            Progress::Over if self.expired => "expired",
            Progress::Over => "over",
        }
    }
}

/// `GET /report?game_id=&agent_id=&item_id=`, and `POST /report` when refused or done.
#[derive(Template, Clone, Debug)]
#[template(path = "people/report.html")]
pub struct ReportPage {
    pub frame: Frame,
    pub game_id: String,
    /// The agent whose name is reported, or empty.
    pub agent_id: String,
    /// The speech that is reported, or empty.
    pub item_id: String,
    /// The name or the words in question, or empty for a whole table.
    pub quote: String,
    /// Whether it has been sent.
    pub done: bool,
    pub again: Again,
}
