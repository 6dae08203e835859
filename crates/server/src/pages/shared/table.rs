//! What every table's page has around the play, whatever is played there: who sits, what the viewer may do, where to invite.

use crate::api::seats;
use crate::locale::Words;
use crate::pages::Visit;
use crate::pages::shared::frame::{Again, Frame};
use crate::pages::shared::people::Sitter;
use crate::play::live;
use askama::Template;
use engine::erased::AnyGame;
use engine::game::Progress;
use engine::roster::{Holder, SILENCE_S};
use engine::rules::{Actor, Viewer};
use store::games::mind_calls::{self, Sum};

#[derive(Template, Clone, Debug)]
#[template(path = "shared/table.html")]
pub struct TablePage {
    pub frame: Frame,
    /// The stylesheets of the kind.
    pub styles: &'static [&'static str],
    /// Whether words are bought here, so that a balance may change.
    pub sells: bool,
    /// Everything that changes, as the kind's own template wrote it.
    pub body: String,
}

/// What a table's page has beside the play.
#[derive(Clone, Debug, Default)]
pub struct Around {
    /// Everybody who sits here; from [`Sitter::all`].
    pub sitters: Vec<Sitter>,
    pub may: May,
    /// The absolute address to send to others.
    pub invite_url: String,
    /// How many clients follow the table now.
    pub watchers: usize,
    /// Whether it plays itself for spectators.
    pub demo: bool,
    /// After how many seconds of silence a house mind plays the turn.
    pub turn_limit_s: Option<u32>,
    /// Whether it is reached by link only.
    pub unlisted: bool,
    /// The name to suggest in the seat form.
    pub own_name: String,
    /// Whether seats are for accounts, and the viewer has none.
    pub account_needed: bool,
    /// What language models have cost here: for the host, if any played.
    pub costs: Option<Sum>,
    /// The viewer's balance in IA, if it has an account.
    pub balance: Option<u64>,
    pub again: Again,
}

/// What a viewer may do besides playing its turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct May {
    pub sit: bool,
    /// Let house minds take free seats.
    pub fill: bool,
    pub start: bool,
    /// Move the table on as its host.
    pub advance: bool,
    /// Leave the viewer's own seat.
    pub leave: bool,
    /// Take the viewer's own seat back from a house mind.
    pub take_back: bool,
}

/// One step of the progress line above the picture.
pub struct Step {
    /// `phase_1`, `opening` and so on.
    pub word: &'static str,
    pub name: String,
    /// `done`, `now` or empty.
    pub class: &'static str,
    /// Its rounds, if it has any: the number and whether it is the present one.
    pub rounds: Vec<(u8, bool)>,
}

impl Around {
    /// What this visitor sees around the table.
    pub(crate) async fn find(
        visit: &Visit,
        table: &live::Table,
        game: &dyn AnyGame,
        viewer: Viewer,
        again: Again,
    ) -> Around {
        let account = visit.caller.account.as_ref();
        let terms = game.terms();
        Around {
            sitters: sitters(visit, game),
            may: May::find(visit, game, viewer),
            invite_url: format!("{}/games/{}", visit.base_url, game.id()),
            watchers: table.watchers(),
            demo: terms.demo,
            turn_limit_s: terms.turn_limit_s,
            unlisted: terms.unlisted,
            own_name: account.map_or(String::new(), |account| account.username.clone()),
            account_needed: (game.seating().accounts_only || terms.rated) && account.is_none(),
            costs: costs(visit, table, game).await,
            balance: visit.balance().await,
            again,
        }
    }

    /// The refusal to show beside a text field of at most `len_max` characters.
    pub fn beside_text(&self, w: &Words, field: &str, len_max: usize) -> Option<String> {
        let wrong_length =
            self.again.0.as_ref().filter(|refusal| refusal.about(field) && refusal.code == "INVALID_BODY");
        match wrong_length {
            Some(_) if w.ko() => Some(w.n("refused-length", len_max)),
            _ => self.again.beside(w, field),
        }
    }
}

/// Only the host may know counts and cost; a look-up by key.
async fn costs(visit: &Visit, table: &live::Table, game: &dyn AnyGame) -> Option<Sum> {
    visit.caller.may_host(game).ok()?;
    let no = table.no;
    let sum = visit.house.store.read(move |db| mind_calls::sum(db, no)).await.ok()?;
    (sum.calls > 0).then_some(sum)
}

fn sitters(visit: &Visit, game: &dyn AnyGame) -> Vec<Sitter> {
    let mut sitters = Sitter::all(game.id(), game.roster());
    let silent_ms = visit.house.now().0 - game.mark().at.0;
    let long_enough = silent_ms >= i64::from(SILENCE_S) * 1000;
    let may_hand = seats::may_hand(&visit.caller, game).is_ok_and(|at_once| at_once || long_enough);
    if may_hand && game.progress() == Progress::Playing {
        let seat = |turn: &engine::rules::Turn| match turn.who {
            Actor::Seat(seat) => Some(game.roster().agent_id(game.id(), seat)),
            Actor::Host | Actor::Clock => None,
        };
        let awaited: Vec<String> = game.turns().iter().filter_map(seat).collect();
        for sitter in sitters.iter_mut().filter(|sitter| !sitter.house && awaited.contains(&sitter.agent_id)) {
            sitter.may_hand = true;
        }
    }
    sitters
}

impl May {
    fn find(visit: &Visit, game: &dyn AnyGame, viewer: Viewer) -> May {
        let seat = match viewer {
            Viewer::Seat(seat) => game.roster().get(seat),
            Viewer::Spectator => None,
        };
        let waiting = game.progress() == Progress::Table;
        let hosts = visit.caller.may_host(game).is_ok();
        let playing = game.progress() == Progress::Playing;
        let full = game.roster().len() >= game.seating().seats_max;
        May {
            sit: waiting && seat.is_none() && !full,
            fill: waiting && hosts,
            start: hosts && game.status() == "ready_to_start",
            advance: playing && hosts && !game.terms().rated,
            leave: seat.is_some_and(|seat| !seat.house) && (waiting || playing),
            take_back: playing
                && !game.terms().rated
                && seat.is_some_and(|seat| seat.house && seat.holder != Holder::House),
        }
    }
}

/// The class of the step at `index` when the one at `now` is the present one.
pub(crate) fn step_class(index: usize, now: Option<usize>) -> &'static str {
    match now {
        Some(now) if index < now => "done",
        Some(now) if index == now => "now",
        Some(_) | None => "",
    }
}
