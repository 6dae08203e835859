//! Who sits where: seats, their credentials, and the minds that play for them. Rules see nothing of this but names.

use crate::chain::Hash;
use crate::chance::Draw;
use crate::id::{AccountId, AgentId, GameId, Inner, Seat, Seq};
use crate::parts::lines::{LINES_KNOWN, LineId};
use crate::rates::Rates;
use crate::rules::{Fault, Refuse};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;

/// How long a display name may be.
pub const NAME_LEN_MAX: usize = 40;
/// How often an owner may take a seat back: coming and going must not hold up a game for ever.
pub const TAKE_BACKS_MAX: u32 = 3;
/// How long a game must be without an event before a fellow player may hand an awaited seat to a house mind.
pub const SILENCE_S: u32 = 120;

/// What a game was founded on; the first event of every log.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Charter<S> {
    /// The kind of game.
    pub kind: String,
    /// The version of its rules.
    pub rules: u32,
    /// The kind's own options.
    pub setup: S,
    pub terms: Terms,
    /// The hash of the models by which the house hears it: see [`crate::rules::Rules::ear`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ear: Option<String>,
}

/// Options that every kind has.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Terms {
    /// The account that runs the table.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub host: Option<AccountId>,
    /// Created without a credential: its seats may be played by id alone.
    #[serde(default, skip_serializing_if = "is_false")]
    pub open: bool,
    /// Reached by link only.
    #[serde(default, skip_serializing_if = "is_false")]
    pub unlisted: bool,
    /// Its creator chose the seed, or how strong house minds are: unrated, no IA, nothing to the corpus.
    #[serde(default, skip_serializing_if = "is_false")]
    pub practice: bool,
    /// Made by matchmaking: results count, seats are for accounts, and an account sits at it only once.
    #[serde(default, skip_serializing_if = "is_false")]
    pub rated: bool,
    /// Plays itself for spectators.
    #[serde(default, skip_serializing_if = "is_false")]
    pub demo: bool,
    /// How long a seat may be silent before a house mind plays its turn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turn_limit_s: Option<u32>,
    /// How long house minds wait before they act, so that people can follow.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub pace_ms: u32,
    /// The language house minds speak.
    #[serde(default)]
    pub lang: Lang,
    /// How strong its house minds are, if the creator chose it: such a game counts for nothing. Dealt from the seed otherwise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub level: Option<Level>,
    /// What plays its AI seats, if the creator chose it. Only a name: the server knows what it stands for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mind: Option<Arc<str>>,
    /// The same for single seats.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub minds: BTreeMap<Seat, Arc<str>>,
    /// What play brings and costs in it.
    #[serde(default, skip_serializing_if = "Rates::are_usual")]
    pub rates: Rates,
}

impl Terms {
    /// Whether a game on these terms counts for ratings: rated, not practice, and no seat held by the house but the first `house_seats`,
    /// which always are.
    pub fn counts(&self, roster: &Roster, house_seats: usize) -> bool {
        let mut players = roster.iter().filter(|(seat, _)| seat.index() >= house_seats);
        self.rated && !self.practice && players.all(|(_, seat)| seat.holder != Holder::House)
    }
}

fn is_false(flag: &bool) -> bool {
    !flag
}

fn is_zero(number: &u32) -> bool {
    *number == 0
}

/// How strong a house mind is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Level {
    /// Pleads without an argument about every second time.
    Novice,
    /// The strength of half the seats.
    Usual,
    /// Hardly ever speaks without an argument.
    Expert,
}

impl Level {
    /// All of them, weakest first.
    pub const ALL: [Level; 3] = [Level::Novice, Level::Usual, Level::Expert];

    /// A level for a seat: half of them are usual.
    pub fn dealt(persona: &mut Draw) -> Level {
        match persona.below(4) {
            0 => Level::Novice,
            1 | 2 => Level::Usual,
            _ => Level::Expert,
        }
    }

    /// As clients read it.
    pub fn word(self) -> &'static str {
        match self {
            Level::Novice => "novice",
            Level::Usual => "usual",
            Level::Expert => "expert",
        }
    }
}

/// A language people and house minds use.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Lang {
    #[default]
    En,
    Ko,
}

/// Whose credential plays a seat.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Holder {
    /// Anyone who names the agent's id.
    Open,
    /// The bearer of the token with this hash, which counts in this game only.
    Token(Hash),
    Account(AccountId),
    /// One of an account's agents.
    Agent {
        /// Whose agent it is.
        account: AccountId,
        agent: AgentId,
    },
    /// A house mind, from the start.
    House,
}

impl Holder {
    /// The account behind it, if there is one.
    pub fn account(self) -> Option<AccountId> {
        match self {
            Holder::Account(account) | Holder::Agent { account, .. } => Some(account),
            Holder::Open | Holder::Token(_) | Holder::House => None,
        }
    }
}

/// What happens around the play.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum TableEvent {
    /// A player or a house mind sat down. The agent's id is derived from the event's number.
    SeatTaken {
        /// As everybody sees it.
        name: Arc<str>,
        holder: Holder,
    },
    /// A seat was left before the start and is free again.
    SeatLeft {
        /// The event that seated it.
        agent: Seq,
    },
    Started,
    /// A house mind plays this seat from now on.
    SeatHanded {
        seat: Seat,
        why: Handed,
    },
    /// Its owner plays this seat again.
    SeatTakenBack {
        seat: Seat,
    },
    /// The seat was silent too long; a house mind plays this one turn.
    TurnExpired {
        seat: Seat,
    },
    /// Nobody started it in time.
    TableExpired,
    /// Lines of the house that the account about to sit down has heard in earlier games: minds say others first. Never shown to anybody.
    LinesKnown {
        /// Sorted, each once.
        lines: Vec<LineId>,
    },
    /// The program was replaced while the game was under way: from here on the house hears it by the models with this hash.
    RulesChanged {
        ear: String,
    },
}

/// Why a house mind took over a player's seat.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Handed {
    /// Handed over by the host, by a fellow player after [`SILENCE_S`], or at a rated table by the turn limit.
    Silent,
    Left,
}

impl TableEvent {
    /// What happened, in a word.
    pub fn name(&self) -> &'static str {
        match self {
            TableEvent::SeatTaken { .. } => "agent_registered",
            TableEvent::SeatLeft { .. } => "agent_left",
            TableEvent::Started => "game_started",
            TableEvent::SeatHanded { .. } => "seat_handed",
            TableEvent::SeatTakenBack { .. } => "seat_taken_back",
            TableEvent::TurnExpired { .. } => "turn_expired",
            TableEvent::TableExpired => "table_expired",
            TableEvent::LinesKnown { .. } => LINES_KNOWN,
            TableEvent::RulesChanged { .. } => "rules_changed",
        }
    }
}

/// A command around the play.
#[derive(Clone, PartialEq, Debug)]
pub enum TableCommand {
    Sit {
        /// The display name, already checked.
        name: Arc<str>,
        /// Whose seat it will be.
        holder: Holder,
    },
    /// Record that the account about to sit down has heard these lines of the house before.
    Remember {
        /// Sorted, each once.
        lines: Vec<LineId>,
    },
    /// House minds with these names take free seats, as many as there are names.
    Fill {
        names: Vec<Arc<str>>,
    },
    Leave {
        seat: Seat,
    },
    Start,
    /// Let a house mind play a silent seat.
    Hand {
        seat: Seat,
        /// Whether it happens at once, as for the host or the turn limit; others must wait for [`SILENCE_S`].
        by_host: bool,
    },
    /// The owner plays its seat again.
    TakeBack {
        seat: Seat,
    },
    /// Close a table that nobody started.
    Expire,
}

/// Why a command around the play is refused.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum TableRefusal {
    /// Too late to sit down or start.
    #[error("Game already started")]
    AlreadyStarted,
    /// The table was closed.
    #[error("This table has expired; create a new game.")]
    Expired,
    #[error("Game not started yet")]
    NotStarted,
    #[error("Game already completed")]
    Over,
    #[error("This game starts by itself when all {seats} seats are taken.")]
    StartsWhenFull { seats: usize },
    #[error("Not enough players")]
    NotEnoughPlayers { seated: usize, needed: usize },
    #[error("The table is full: all {seats} seats are taken.")]
    Full { seats: usize },
    /// Nobody plays two seats with one credential.
    #[error("You already have a seat at this table.")]
    AlreadySeated,
    /// Agents of one owner do not meet where results count.
    #[error("Another agent of yours sits at this rated table.")]
    OwnAgentSeated,
    /// Some games are played by accounts only.
    #[error("A seat at this table needs an account: register, then send your API key.")]
    AccountNeeded,
    #[error("No such agent in this game")]
    NoSuchSeat,
    /// It is not that seat's turn.
    #[error("That seat is not awaited, so there is nothing to hand over.")]
    NotAwaited,
    #[error("That seat has been silent for {silent_s} s; it can be handed over after {SILENCE_S} s.")]
    NotSilentYet { silent_s: u32 },
    #[error("A house mind already plays that seat.")]
    AlreadyHanded,
    #[error("You are playing this seat yourself.")]
    NotHanded,
    #[error("Whoever has left a rated game cannot come back to it.")]
    LeftForGood,
    #[error("You have taken this seat back {TAKE_BACKS_MAX} times; the house mind plays it to the end.")]
    TakenBackTooOften,
}

impl Refuse for TableRefusal {
    fn code(&self) -> &'static str {
        match self {
            TableRefusal::AlreadyStarted => "ALREADY_STARTED",
            TableRefusal::Expired => "TABLE_EXPIRED",
            TableRefusal::NotStarted => "NOT_STARTED",
            TableRefusal::Over => "GAME_OVER",
            TableRefusal::StartsWhenFull { .. } => "STARTS_WHEN_FULL",
            TableRefusal::NotEnoughPlayers { .. } => "NOT_ENOUGH_PLAYERS",
            TableRefusal::Full { .. } => "TABLE_FULL",
            TableRefusal::AlreadySeated => "ALREADY_SEATED",
            TableRefusal::OwnAgentSeated => "OWN_AGENT_SEATED",
            TableRefusal::AccountNeeded => "ACCOUNT_NEEDED",
            TableRefusal::NoSuchSeat => "UNKNOWN_AGENT",
            TableRefusal::NotAwaited => "NOT_AWAITED",
            TableRefusal::NotSilentYet { .. } => "NOT_SILENT_YET",
            TableRefusal::AlreadyHanded => "ALREADY_HANDED",
            TableRefusal::NotHanded => "NOT_HANDED",
            TableRefusal::LeftForGood => "LEFT_FOR_GOOD",
            TableRefusal::TakenBackTooOften => "TAKEN_BACK_TOO_OFTEN",
        }
    }

    fn fault(&self) -> Fault {
        match self {
            TableRefusal::NoSuchSeat => Fault::Unknown,
            TableRefusal::AccountNeeded => Fault::NoAccount,
            TableRefusal::AlreadyStarted
            | TableRefusal::Expired
            | TableRefusal::NotStarted
            | TableRefusal::Over
            | TableRefusal::StartsWhenFull { .. }
            | TableRefusal::NotEnoughPlayers { .. }
            | TableRefusal::Full { .. }
            | TableRefusal::AlreadySeated
            | TableRefusal::OwnAgentSeated
            | TableRefusal::NotAwaited
            | TableRefusal::NotSilentYet { .. }
            | TableRefusal::AlreadyHanded
            | TableRefusal::NotHanded
            | TableRefusal::LeftForGood
            | TableRefusal::TakenBackTooOften => Fault::Broken,
        }
    }
}

/// Everybody at a table. Before the start, a seat's number changes when an earlier seat is left; an agent's id never does.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Roster {
    seats: Vec<Occupied>,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Occupied {
    /// The event that seated it.
    pub agent: Seq,
    /// As everybody sees it.
    pub name: Arc<str>,
    pub holder: Holder,
    /// Whether a house mind plays it now.
    pub house: bool,
    /// How often its owner has taken it back.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub taken_back: u32,
}

impl Roster {
    /// How many seats are taken.
    pub fn len(&self) -> usize {
        self.seats.len()
    }

    pub fn is_empty(&self) -> bool {
        self.seats.is_empty()
    }

    /// Every taken seat, in order.
    pub fn iter(&self) -> impl Iterator<Item = (Seat, &Occupied)> {
        self.seats.iter().enumerate().map(|(index, seat)| (Seat::at(index), seat))
    }

    /// The seat, if it is taken.
    pub fn get(&self, seat: Seat) -> Option<&Occupied> {
        self.seats.get(seat.index())
    }

    /// The display name in this seat, which must be taken.
    pub fn name(&self, seat: Seat) -> &str {
        &self.seats[seat.index()].name
    }

    /// The public id of the agent in this seat, which must be taken.
    pub fn agent_id(&self, game: GameId, seat: Seat) -> String {
        Inner::Agent.name(game, self.seats[seat.index()].agent.0)
    }

    /// The seat that an agent id names.
    pub fn seat_of(&self, game: GameId, agent_id: &str) -> Option<Seat> {
        let number = Inner::Agent.number(game, agent_id)?;
        self.iter().find(|(_, seat)| seat.agent.0 == number).map(|(seat, _)| seat)
    }

    /// The seats that this account and its agents hold.
    pub fn seats_of(&self, account: AccountId) -> impl Iterator<Item = Seat> {
        self.iter().filter(move |(_, seat)| seat.holder.account() == Some(account)).map(|(seat, _)| seat)
    }

    /// The first seat with this holder.
    pub fn seat_held_by(&self, holder: Holder) -> Option<Seat> {
        self.iter().find(|(_, seat)| seat.holder == holder).map(|(seat, _)| seat)
    }

    /// Whether a house mind plays the seat now.
    pub fn is_house(&self, seat: Seat) -> bool {
        self.get(seat).is_some_and(|seat| seat.house)
    }

    /// Whether its player may still take the seat back from a house mind.
    pub fn may_be_taken_back(&self, seat: Seat) -> bool {
        self.get(seat).is_some_and(|seat| seat.taken_back < TAKE_BACKS_MAX)
    }

    /// The same people with other credentials; for the laws.
    pub(crate) fn with_holders(&mut self, holder: impl Fn(usize) -> Holder) {
        for (index, seat) in self.seats.iter_mut().enumerate() {
            seat.holder = holder(index);
        }
    }

    /// Records what happened at the table.
    pub(crate) fn evolve(&mut self, event: &TableEvent, seq: Seq) {
        match event {
            TableEvent::SeatTaken { name, holder } => self.seats.push(Occupied {
                agent: seq,
                name: name.clone(),
                holder: *holder,
                house: *holder == Holder::House,
                taken_back: 0,
            }),
            TableEvent::SeatLeft { agent } => self.seats.retain(|seat| seat.agent != *agent),
            TableEvent::SeatHanded { seat, .. } => self.seats[seat.index()].house = true,
            TableEvent::SeatTakenBack { seat } => {
                let seat = &mut self.seats[seat.index()];
                (seat.house, seat.taken_back) = (false, seat.taken_back + 1);
            }
            TableEvent::Started
            | TableEvent::TurnExpired { .. }
            | TableEvent::TableExpired
            | TableEvent::LinesKnown { .. }
            | TableEvent::RulesChanged { .. } => {}
        }
    }
}
