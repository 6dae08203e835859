//! The table around the play: sitting down, starting, leaving, handing a seat over.

use crate::chance::{Chance, Draw};
use crate::game::{Game, Recorded, Stage};
use crate::id::{Inner, Seat, Seq};
use crate::roster::{Handed, Holder, SILENCE_S, TAKE_BACKS_MAX, TableCommand, TableEvent, TableRefusal};
use crate::rules::{Actor, Rules};
use crate::time::Timestamp;
use serde_json::{Map, Value, json};
use std::sync::Arc;

impl<R: Rules> Game<R> {
    /// What the names of house minds that sit down now are drawn from: the same seed seats the same company.
    pub fn company(&self) -> Draw {
        Chance(&self.seed).draw("company", self.mark.seq.0)
    }

    fn at_table(&self) -> Result<(), TableRefusal> {
        match &self.stage {
            Stage::Table => Ok(()),
            Stage::Expired => Err(TableRefusal::Expired),
            Stage::Play(_) => Err(TableRefusal::AlreadyStarted),
        }
    }

    pub(crate) fn decide_table(
        &self,
        command: &TableCommand,
        now: Timestamp,
    ) -> Result<Vec<Recorded<R>>, TableRefusal> {
        let seating = R::seating(&self.charter.setup);
        match command {
            TableCommand::Sit { name, holder } => {
                self.at_table()?;
                let account = holder.account();
                if (seating.accounts_only || self.charter.terms.rated) && account.is_none() {
                    return Err(TableRefusal::AccountNeeded);
                }
                let by_credential = !matches!(holder, Holder::Open | Holder::House);
                if by_credential && self.roster.seat_held_by(*holder).is_some() {
                    return Err(TableRefusal::AlreadySeated);
                }
                let own = account.and_then(|account| self.roster.seats_of(account).next());
                if self.charter.terms.rated && own.is_some() {
                    return Err(TableRefusal::OwnAgentSeated);
                }
                self.seat(vec![(name.clone(), *holder)], now)
            }
            TableCommand::Remember { lines } => {
                self.at_table()?;
                Ok(vec![Recorded::Table(TableEvent::LinesKnown { lines: lines.clone() })])
            }
            TableCommand::Fill { names } => {
                self.at_table()?;
                self.seat(names.iter().map(|name| (name.clone(), Holder::House)).collect(), now)
            }
            TableCommand::Start => {
                self.at_table()?;
                if seating.starts_when_full {
                    return Err(TableRefusal::StartsWhenFull { seats: seating.seats_max });
                }
                let seated = self.roster.len();
                if seated < seating.seats_min {
                    return Err(TableRefusal::NotEnoughPlayers { seated, needed: seating.seats_min });
                }
                Ok(self.start(seated, now))
            }
            TableCommand::Leave { seat } => self.leave(*seat),
            TableCommand::Hand { seat, by_host } => self.hand(*seat, *by_host, now),
            TableCommand::TakeBack { seat } => {
                self.going_on()?;
                let occupied = self.roster.get(*seat).ok_or(TableRefusal::NoSuchSeat)?;
                if !occupied.house || occupied.holder == Holder::House {
                    return Err(TableRefusal::NotHanded);
                }
                if self.charter.terms.rated {
                    return Err(TableRefusal::LeftForGood);
                }
                if occupied.taken_back >= TAKE_BACKS_MAX {
                    return Err(TableRefusal::TakenBackTooOften);
                }
                Ok(vec![Recorded::Table(TableEvent::SeatTakenBack { seat: *seat })])
            }
            TableCommand::Expire => {
                self.at_table()?;
                Ok(vec![Recorded::Table(TableEvent::TableExpired)])
            }
        }
    }

    fn seat(&self, sitters: Vec<(Arc<str>, Holder)>, now: Timestamp) -> Result<Vec<Recorded<R>>, TableRefusal> {
        let seating = R::seating(&self.charter.setup);
        let seated = self.roster.len() + sitters.len();
        if seated > seating.seats_max {
            return Err(TableRefusal::Full { seats: seating.seats_max });
        }
        let mut events: Vec<Recorded<R>> =
            sitters.into_iter().map(|(name, holder)| Recorded::Table(TableEvent::SeatTaken { name, holder })).collect();
        if seating.starts_when_full && seated == seating.seats_max {
            events.extend(self.start(seated, now));
        }
        Ok(events)
    }

    pub(crate) fn start(&self, seats: usize, now: Timestamp) -> Vec<Recorded<R>> {
        let state = R::begin(&self.charter.setup, seats, self.charter.terms.rates);
        let mut events = vec![Recorded::Table(TableEvent::Started)];
        events.extend(R::opening(&state, &self.moment(now)).into_iter().map(Recorded::Play));
        events
    }

    fn going_on(&self) -> Result<&R::State, TableRefusal> {
        let state = self.playing()?;
        if R::is_over(state) { Err(TableRefusal::Over) } else { Ok(state) }
    }

    fn leave(&self, seat: Seat) -> Result<Vec<Recorded<R>>, TableRefusal> {
        let occupied = self.roster.get(seat).ok_or(TableRefusal::NoSuchSeat)?;
        let event = match &self.stage {
            Stage::Table => TableEvent::SeatLeft { agent: occupied.agent },
            Stage::Play(_) | Stage::Expired => {
                self.going_on()?;
                if occupied.house {
                    return Err(TableRefusal::AlreadyHanded);
                }
                TableEvent::SeatHanded { seat, why: Handed::Left }
            }
        };
        Ok(vec![Recorded::Table(event)])
    }

    fn hand(&self, seat: Seat, by_host: bool, now: Timestamp) -> Result<Vec<Recorded<R>>, TableRefusal> {
        let state = self.going_on()?;
        let occupied = self.roster.get(seat).ok_or(TableRefusal::NoSuchSeat)?;
        if occupied.house {
            return Err(TableRefusal::AlreadyHanded);
        }
        if !R::turns(state).iter().any(|turn| turn.who == Actor::Seat(seat)) {
            return Err(TableRefusal::NotAwaited);
        }
        let silent_s = u32::try_from((now.0 - self.mark.at.0) / 1000).unwrap_or(u32::MAX);
        if !by_host && silent_s < SILENCE_S {
            return Err(TableRefusal::NotSilentYet { silent_s });
        }
        Ok(vec![Recorded::Table(TableEvent::SeatHanded { seat, why: Handed::Silent })])
    }

    /// What everybody is told of a table event, made only from what never changes about it; none if nobody may know of it.
    pub(crate) fn tell_table(&self, event: &TableEvent, seq: Seq) -> Option<Map<String, Value>> {
        let agent = |seat: &Seat| (self.roster.agent_id(self.id, *seat), self.roster.name(*seat).to_owned());
        let told = match event {
            TableEvent::SeatTaken { name, holder } => json!({
                "type": event.name(), "agent_id": Inner::Agent.name(self.id, seq.0),
                "display_name": name, "house": *holder == Holder::House,
            }),
            TableEvent::SeatLeft { agent } => {
                json!({"type": event.name(), "agent_id": Inner::Agent.name(self.id, agent.0)})
            }
            TableEvent::SeatHanded { seat, why } => {
                let (agent_id, display_name) = agent(seat);
                json!({"type": event.name(), "agent_id": agent_id, "display_name": display_name, "reason": why})
            }
            TableEvent::SeatTakenBack { seat } | TableEvent::TurnExpired { seat } => {
                let (agent_id, display_name) = agent(seat);
                json!({"type": event.name(), "agent_id": agent_id, "display_name": display_name})
            }
            TableEvent::Started | TableEvent::TableExpired | TableEvent::RulesChanged { .. } => {
                json!({"type": event.name()})
            }
            TableEvent::LinesKnown { .. } => Value::Null,
        };
        match told {
            Value::Object(told) => Some(told),
            _ => None,
        }
    }
}
