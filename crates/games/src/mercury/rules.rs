//! The rulebook of the Mercury Game: what each event leads to, who is called on, how stances move, what is put to the vote.

use super::cite::excerpt_guard;
use super::content::Content;
use super::hearing::{self, Meaning};
use super::helper;
use super::reference::Variant;
use super::refusal::Refusal;
use super::stance::{Push, Stance};
use super::state::{Floor, Phase, Placement, State, Talk};
use super::turns::home;
use super::words::{Act, Choice, Event, Issue, Move, Opening, Resolved, Role, TEXT_LEN_MAX, Vote};
use crate::listening::Stance as Taken;
use crate::speech::fill;
use engine::id::Seat;
use engine::parts::field::Field;
use engine::parts::text;
use engine::rules::{Actor, Ears, Moment};

/// How far a plea pulls at its listener, in hundredths: in private, repeated there, in the debate, and where it meets a condition.
const PLEA_PRIVATE: i32 = 6;
const PLEA_AGAIN: i32 = 2;
const PLEA_PUBLIC: i32 = 3;
const MET_PRIVATE: i32 = 10;
const MET_PUBLIC: i32 = 7;
/// How far the player's own words in the debate pull at its own stance, in hundredths.
const OWN_WORDS: i32 = 10;
/// How far an adoption pulls countries towards a compromise on the next issue, in hundredths.
const AFTER_VOTE: i32 = 3;

pub(super) fn decide(state: &State, actor: Actor, act: &Act, moment: &Moment<'_>) -> Result<Vec<Event>, Refusal> {
    let mut decision = Decision { now: state.clone(), events: Vec::new(), moment };
    match (actor, act) {
        (Actor::Clock, Act::MindFailed) => decision.mind_failed()?,
        (Actor::Clock, Act::HelperResult(result)) => decision.events.extend(helper::weighed(&decision.now, result)),
        (_, Act::MindFailed | Act::HelperResult(_)) => return Err(Refusal::UnknownAct),
        (Actor::Seat(seat), Act::Statement { text }) => decision.statement(seat, text)?,
        (Actor::Seat(Seat(0)), _) => decision.player(act)?,
        (Actor::Seat(_) | Actor::Host | Actor::Clock, _) => return Err(Refusal::NotThePlayer),
    }
    Ok(decision.events)
}

/// A decision being made: events are recorded on a copy as they are decided, so that each follows from those before it.
struct Decision<'a> {
    now: State,
    events: Vec<Event>,
    moment: &'a Moment<'a>,
}

impl Decision<'_> {
    fn then(&mut self, event: Event) {
        self.now.evolve(&event);
        self.events.push(event);
    }

    fn content(&self) -> &'static Content {
        self.now.content()
    }

    fn chair(&mut self, key: &str, slots: &[(&str, &str)], private: Option<Role>) {
        self.chair_says(key, |line| fill(line, slots), private);
    }

    /// Like `chair`, with a delegation named in a slot.
    fn chair_of(&mut self, key: &str, named: (&str, Role), private: Option<Role>) {
        let content = self.content();
        self.chair_says(key, |line| content.naming(line, named, &[]), private);
    }

    fn chair_says(&mut self, key: &str, filled: impl Fn(&str) -> String, private: Option<Role>) {
        let lines = self.content().chair(key);
        if lines.is_empty() {
            return;
        }
        let line = self.moment.chance.draw("chair", u64::from(self.now.chair_lines)).pick(lines);
        self.then(Event::ChairSaid { key: key.to_owned(), text: filled(line), private });
    }

    fn player(&mut self, act: &Act) -> Result<(), Refusal> {
        let human = self.now.human;
        match (self.now.phase.clone(), act) {
            (Phase::RoleSelection, Act::RoleConfirmed { human_role_id }) => self.confirm(human_role_id),
            (Phase::Round1Setup, Act::Round1Ready) => {
                self.then(Event::Round1Opened);
                self.chair("round1_open", &[], None);
                self.call_opener(0);
                Ok(())
            }
            (Phase::Round1Openings { cursor }, Act::Round1Step) => self.opening(cursor, None),
            (Phase::Round1Openings { cursor }, Act::HumanOpeningStatement { text }) => {
                if self.now.order.get(usize::from(cursor)).copied() != human {
                    return Err(self.not_your_turn(self.now.order.get(usize::from(cursor)), "ROUND_1_STEP"));
                }
                let text = said("text", text)?;
                self.opening(cursor, Some(text))
            }
            (Phase::Round2Setup, Act::Round2Ready) => {
                self.then(Event::Round2Opened);
                self.chair("round2_open", &[], None);
                Ok(())
            }
            (Phase::SelectTalk1, Act::ConvoSelected { first: true, partner_role_id, partner_starts })
            | (Phase::SelectTalk2, Act::ConvoSelected { first: false, partner_role_id, partner_starts }) => {
                self.open_talk(partner_role_id, partner_starts)
            }
            (Phase::SelectTalk2, Act::Convo2Skipped) => {
                self.then(Event::TalkSkipped);
                self.chair("convo_skipped", &[], None);
                Ok(())
            }
            (Phase::Talking, Act::ConvoMessage { content }) => self.human_message(content),
            (Phase::Talking, Act::ConvoEndEarly) => {
                if self.now.called.is_some() {
                    return Err(self.not_your_turn(self.now.called.map(|(role, _)| role).as_ref(), "nothing"));
                }
                self.close_talk();
                Ok(())
            }
            (Phase::Round2WrapUp, Act::Round2WrapReady) => {
                self.then(Event::Round2Closed);
                self.chair("round2_close", &[], None);
                self.chair("round3_open", &[], None);
                Ok(())
            }
            (Phase::Round3Setup, Act::Round3StartIssue { issue_id, human_placement }) => {
                self.open_issue(issue_id, human_placement)
            }
            (Phase::IssueIntro(floor), Act::IssueIntroContinue) => {
                self.open_debate(floor.issue, 1);
                Ok(())
            }
            (Phase::Debate { floor, round, cursor }, Act::IssueDebateStep) => self.debate_step(&floor, round, cursor),
            (Phase::Debate { floor, round, cursor }, Act::HumanDebateMessage { .. } | Act::HumanDebateSkip) => {
                let next = floor.queues[usize::from(round) - 1].get(usize::from(cursor)).copied();
                let Some(role) = next.filter(|next| Some(*next) == human) else {
                    return Err(self.not_your_turn(next.as_ref(), "ISSUE_DEBATE_STEP"));
                };
                match act {
                    Act::HumanDebateMessage { text } => {
                        let text = said("text", text)?;
                        self.debate_said(role, text);
                    }
                    _ => self.debate_skipped(role, false),
                }
                Ok(())
            }
            (Phase::Positions(floor), Act::IssueDebateStep) => {
                self.propose(floor.issue);
                Ok(())
            }
            (Phase::Voting { votes, .. }, Act::IssueDebateStep) => {
                let next = Role::COUNTRIES[votes.len()];
                if Some(next) == human {
                    return Err(Refusal::YourTurn { instead: "HUMAN_VOTE" });
                }
                self.vote(next, None);
                Ok(())
            }
            (Phase::Voting { votes, .. }, Act::HumanVote { vote }) => {
                if human.is_some_and(|role| !role.votes()) {
                    return Err(Refusal::NoVote);
                }
                let next = Role::COUNTRIES[votes.len()];
                if Some(next) != human {
                    return Err(self.not_your_turn(Some(&next), "ISSUE_DEBATE_STEP"));
                }
                let vote = match vote {
                    Field::Given(word) if word == Vote::Yes.word() => Vote::Yes,
                    Field::Given(word) if word == Vote::No.word() => Vote::No,
                    Field::Given(_) | Field::Missing | Field::Wrong(_) => return Err(Refusal::BadVote),
                };
                self.vote(next, Some(vote));
                Ok(())
            }
            // Accepted, and changes nothing: the result stands.
            (Phase::Resolution { .. }, Act::IssueDebateStep) => Ok(()),
            (Phase::Resolution { issue }, Act::IssueResolutionContinue) => {
                let title = self.content().issue(issue).title.as_str();
                self.chair("issue_closed", &[("issue", title)], None);
                if self.now.next_issue().is_some() {
                    self.then(Event::IssueClosed { issue });
                } else {
                    self.then(Event::ReviewOpened);
                    self.chair("review_open", &[], None);
                }
                Ok(())
            }
            (_, act) => Err(Refusal::WrongState { event: act.word(), state: home(act) }),
        }
    }

    fn not_your_turn(&self, next: Option<&Role>, step: &'static str) -> Refusal {
        Refusal::NotYourTurn { next: next.map_or("nobody", |role| role.word()), step }
    }

    // ---- round 1 ----

    fn confirm(&mut self, role: &Field<String>) -> Result<(), Refusal> {
        let Field::Given(word) = role else { return Err(Refusal::NoSuchRole) };
        let role = Role::named(word).ok_or(Refusal::NoSuchRole)?;
        self.then(Event::RoleConfirmed { role });
        let order = self.opening_order(role);
        let drawn = self.draw_openings();
        let opening = |one: &&Variant| Opening { role: one.role, variant_id: one.id.clone(), text: one.text.clone() };
        let openings = drawn.iter().map(opening).collect();
        let starts = drawn.iter().map(|one| one.stances.clone()).collect();
        self.then(Event::OpeningsDrawn { order, openings, stances: starts });
        self.chair_of("role_confirmed", ("role", role), None);
        Ok(())
    }

    /// Countries shuffled, then organisations; the player is never first in its group.
    fn opening_order(&self, human: Role) -> Vec<Role> {
        let mut order = Vec::new();
        for (purpose, group) in [("openings 1", &Role::COUNTRIES[..]), ("openings 2", &Role::ORGANISATIONS[..])] {
            let mut group = group.to_vec();
            let mut draw = self.moment.chance.draw(purpose, 0);
            draw.shuffle(&mut group);
            if group.first() == Some(&human) {
                let place = 1 + draw.below(group.len() - 1);
                group.swap(0, place);
            }
            order.extend(group);
        }
        order
    }

    /// One variant for each role, from candidates in the order of their ids.
    fn draw_openings(&self) -> Vec<&'static Variant> {
        let content = self.content();
        let one = |role: Role| {
            let candidates: Vec<&Variant> = content.openings(role).collect();
            *self.moment.chance.draw("opening", role.index() as u64).pick(&candidates)
        };
        Role::ALL.into_iter().map(one).collect()
    }

    /// The Chair calls on whoever opens next.
    fn call_opener(&mut self, cursor: usize) {
        if let Some(next) = self.now.order.get(cursor).copied() {
            self.chair_of("round1_next", ("role", next), None);
        }
    }

    fn opening(&mut self, cursor: u8, own: Option<String>) -> Result<(), Refusal> {
        let Some(role) = self.now.order.get(usize::from(cursor)).copied() else { return Ok(()) };
        let prepared = self.now.openings[role.index()].clone();
        let event = match own {
            Some(text) => Event::OpeningGiven { role, text, variant_id: None },
            None => Event::OpeningGiven { role, text: prepared.text, variant_id: Some(prepared.variant_id) },
        };
        self.then(event);
        if usize::from(cursor) + 1 == self.now.order.len() {
            self.chair("round1_close", &[], None);
            self.then(Event::Round1Closed);
        } else {
            self.call_opener(usize::from(cursor) + 1);
        }
        Ok(())
    }

    // ---- round 2 ----

    fn open_talk(&mut self, partner: &Field<String>, starts: &Field<bool>) -> Result<(), Refusal> {
        let Field::Given(word) = partner else { return Err(Refusal::NoSuchPartner) };
        let partner = Role::named(word).ok_or(Refusal::NoSuchPartner)?;
        let again = self.now.talks.iter().any(|talk| talk.partner == partner);
        if Some(partner) == self.now.human || again {
            return Err(Refusal::NoSuchPartner);
        }
        let partner_starts =
            starts.optional("partner_starts", "true or false").map_err(Refusal::Body)?.copied().unwrap_or(false);
        let talk = Talk { partner, partner_starts, human_turns: 0, ai_turns: 0, interrupted: false, closed: false };
        self.then(Event::TalkOpened { talk });
        self.chair_of("convo_start", ("partner", partner), Some(partner));
        if partner_starts {
            self.then(Event::Called { role: partner, private: true });
        }
        Ok(())
    }

    fn human_message(&mut self, message: &Field<String>) -> Result<(), Refusal> {
        let talk = self.now.talk().cloned();
        let (Some(human), Some(talk)) = (self.now.human, talk) else { return Ok(()) };
        if self.now.called.is_some() || !talk.human_next() {
            return Err(self.not_your_turn(Some(&talk.partner), "nothing, and wait"));
        }
        let text = said("content", message)?;
        self.talk_said(human, talk.partner, text);
        Ok(())
    }

    /// What a message means to those who hear it.
    fn understand(&self, about: Option<Issue>, text: &str) -> Meaning {
        match self.moment.ears {
            Ears::Open => hearing::understand(&self.now, about, text),
            Ears::Closed => Meaning::default(),
        }
    }

    /// Records a message of a private talk and all that follows from it.
    fn talk_said(&mut self, speaker: Role, listener: Role, text: String) {
        let meaning = self.understand(None, &text);
        let partner = if Some(speaker) == self.now.human { listener } else { speaker };
        self.then(Event::TalkSaid { partner, role: speaker, text: text.clone() });
        let weighed = self.private_moves(speaker, listener, &meaning);
        self.then(weighed);
        self.after_message(partner);
    }

    /// What follows once a turn of a private talk is used up.
    fn after_message(&mut self, partner: Role) {
        let Some(talk) = self.now.talk().cloned() else { return };
        if talk.to_interrupt() {
            self.then(Event::TalkInterrupted { partner });
            self.chair("convo_interrupt", &[], Some(partner));
        }
        let Some(talk) = self.now.talk().cloned() else { return };
        if talk.spent() {
            self.close_talk();
        } else if talk.partner_next() {
            self.then(Event::Called { role: talk.partner, private: true });
        }
    }

    /// How the listener moves: only on what the message is about, more where it meets a condition.
    fn private_moves(&self, speaker: Role, listener: Role, meaning: &Meaning) -> Event {
        let (mut moves, mut met) = (Vec::new(), Vec::new());
        for issue in &meaning.issues {
            let Some(stance) = self.now.stance(listener, *issue) else { continue };
            let mut push = Push::default();
            let new = self.newly_met(listener, *issue, meaning);
            for says in meaning.says.iter().filter(|says| says.option.issue == *issue) {
                let weight = match says.favours() && !new.is_empty() {
                    true => MET_PRIVATE,
                    false if self.has_pleaded(speaker, listener, says.option) => PLEA_AGAIN,
                    false => PLEA_PRIVATE,
                };
                push.add(says.option, weight * says.pull() / 100);
            }
            let open_offer = meaning.says.iter().all(|says| says.option.issue != *issue) && !new.is_empty();
            if open_offer && let Some(target) = softest(stance, *issue) {
                push.add(target, MET_PRIVATE);
            }
            push.firmness = if new.is_empty() { 0 } else { -3 };
            let reason = match new.first() {
                Some(condition) => format!("{}: {condition}", met_by(speaker)),
                None => match meaning.says.iter().find(|says| says.option.issue == *issue) {
                    Some(says) => format!("{} on {}", heard_in_private(speaker), says.option),
                    None => heard_in_private(speaker),
                },
            };
            moves.extend(stance.moved(listener, *issue, &push, reason));
            met.extend(new.into_iter().map(|condition| (listener, *issue, condition)));
        }
        Event::Weighed { pushes: vec![], met, moves }
    }

    /// Whether this speaker has moved this listener on the option in private before.
    fn has_pleaded(&self, speaker: Role, listener: Role, option: Choice) -> bool {
        let by = [heard_in_private(speaker), met_by(speaker)];
        let moved = self.now.moved.iter().filter(|made| made.role == listener);
        moved
            .filter(|made| by.iter().any(|by| made.reason.starts_with(by)))
            .any(|made| made.acceptance.iter().any(|(moved, _)| *moved == option))
    }

    fn newly_met(&self, role: Role, issue: Issue, meaning: &Meaning) -> Vec<String> {
        let known = |condition: &String| {
            self.now.met.iter().any(|(whose, what, met)| (*whose, *what, met) == (role, issue, condition))
        };
        let met = hearing::conditions_met(self.now.lang, role, issue, &meaning.offers);
        met.into_iter().filter(|condition| !known(condition)).collect()
    }

    fn close_talk(&mut self) {
        let Some(partner) = self.now.talk().map(|talk| talk.partner) else { return };
        self.chair_of("convo_end", ("partner", partner), Some(partner));
        self.then(Event::TalkClosed { partner });
    }

    // ---- round 3 ----

    fn open_issue(&mut self, issue: &Field<String>, placement: &Field<String>) -> Result<(), Refusal> {
        let Some(next) = self.now.next_issue() else { return Ok(()) };
        match issue {
            Field::Given(id) if *id == next.0.to_string() => {}
            Field::Given(_) | Field::Missing | Field::Wrong(_) => return Err(Refusal::WrongIssue { next: next.0 }),
        }
        let Field::Given(word) = placement else { return Err(Refusal::BadPlacement) };
        let placement = Placement::named(word).ok_or(Refusal::BadPlacement)?;
        let queues = [1, 2].map(|round| self.queue(next, round, placement));
        self.then(Event::IssueOpened { floor: Floor { issue: next, placement, queues } });
        let title = self.content().issue(next).title.as_str();
        self.chair("issue_intro", &[("issue", title)], None);
        Ok(())
    }

    /// Countries, then organisations, each shuffled; the player's place in its group is the one it asked for.
    fn queue(&self, issue: Issue, round: u64, placement: Placement) -> Vec<Role> {
        let human = self.now.human;
        let mut queue = Vec::new();
        for (group, number) in [(&Role::COUNTRIES[..], 0), (&Role::ORGANISATIONS[..], 1)] {
            let mut group: Vec<Role> = group.to_vec();
            let key = u64::from(issue.0) * 8 + round * 2 + number;
            self.moment.chance.draw("debate", key).shuffle(&mut group);
            let own = group.iter().position(|role| Some(*role) == human);
            match (own, placement) {
                (Some(at), Placement::First) => group[..=at].rotate_right(1),
                (Some(at), Placement::Skip) => drop(group.remove(at)),
                (Some(_), Placement::Random) | (None, _) => {}
            }
            queue.extend(group);
        }
        queue
    }

    fn open_debate(&mut self, issue: Issue, round: u8) {
        self.then(Event::DebateOpened { round });
        let title = self.content().issue(issue).title.as_str();
        self.chair(if round == 1 { "debate1_open" } else { "debate2_open" }, &[("issue", title)], None);
        self.call_speaker();
    }

    /// The Chair gives the floor to whoever speaks next in the debate.
    fn call_speaker(&mut self) {
        let Phase::Debate { floor, round, cursor } = &self.now.phase else { return };
        if let Some(next) = floor.queues[usize::from(*round) - 1].get(usize::from(*cursor)).copied() {
            self.chair_of("next_speaker", ("role", next), None);
        }
    }

    fn debate_step(&mut self, floor: &Floor, round: u8, cursor: u8) -> Result<(), Refusal> {
        // The delegation that has been called on is still awaited.
        if self.now.called.is_some() {
            return Ok(());
        }
        let next = floor.queues[usize::from(round) - 1].get(usize::from(cursor)).copied();
        match next {
            Some(role) if Some(role) == self.now.human => {
                Err(Refusal::YourTurn { instead: "HUMAN_DEBATE_MESSAGE or HUMAN_DEBATE_SKIP" })
            }
            Some(role) => {
                self.then(Event::Called { role, private: false });
                Ok(())
            }
            None => Ok(()),
        }
    }

    /// Records a speech: the speaker gives way to what it has heard, and the others have something new to weigh.
    fn debate_said(&mut self, role: Role, text: String) {
        let Phase::Debate { floor, .. } = self.now.phase.clone() else { return };
        let issue = floor.issue;
        let meaning = self.understand(Some(issue), &text);
        let weighed = self.weighed(role, issue, &meaning);
        self.then(Event::DebateSaid { role, text });
        self.then(weighed);
        self.after_speech(&floor);
    }

    fn own_move(&self, role: Role, issue: Issue, meaning: &Meaning) -> Option<Move> {
        let stance = self.now.stance(role, issue)?;
        let mut push = self.now.heard[role.index()].clone();
        if Some(role) == self.now.human {
            for says in meaning.says.iter().filter(|says| says.option.issue == issue) {
                push.add(says.option, OWN_WORDS * says.pull() / 100);
            }
        }
        let heard = push.most.map(|(speaker, option, _)| format!("heard {} on {option}", speaker.word()));
        stance.moved(role, issue, &push, heard.as_deref().unwrap_or("weighed its own words"))
    }

    fn weighed(&self, speaker: Role, issue: Issue, meaning: &Meaning) -> Event {
        let moves = self.own_move(speaker, issue, meaning).into_iter().collect();
        let mut pushes = Vec::new();
        let mut met = Vec::new();
        for listener in Role::ALL.into_iter().filter(|role| *role != speaker) {
            let mut push = Push::default();
            let new = self.newly_met(listener, issue, meaning);
            for says in meaning.says.iter().filter(|says| says.option.issue == issue) {
                let weight = if new.is_empty() || !says.favours() { PLEA_PUBLIC } else { MET_PUBLIC };
                push.add(says.option, weight * says.pull() / 100);
                // To speak for one thing is to speak a little against the others.
                let plainly = says.stance == Taken::Asserts;
                for other in issue.options().filter(|other| *other != says.option && plainly) {
                    push.add(other, -1);
                }
            }
            met.extend(new.into_iter().map(|condition| (listener, issue, condition)));
            let pulled = issue.options().max_by_key(|option| push.of(*option).unsigned_abs());
            push.most = pulled.map(|option| (speaker, option, push.of(option).unsigned_abs()));
            if push.options != [0; 3] {
                pushes.push((listener, push));
            }
        }
        Event::Weighed { pushes, met, moves }
    }

    fn debate_skipped(&mut self, role: Role, failed: bool) {
        let Phase::Debate { floor, .. } = self.now.phase.clone() else { return };
        self.then(Event::DebateSkipped { role, failed });
        self.chair_of(if failed { "ai_failed" } else { "skipped" }, ("role", role), None);
        self.after_speech(&floor);
    }

    fn after_speech(&mut self, floor: &Floor) {
        let Phase::Debate { round, cursor, .. } = self.now.phase else { return };
        if usize::from(cursor) < floor.queues[usize::from(round) - 1].len() {
            self.call_speaker();
            return;
        }
        if round == 1 {
            self.open_debate(floor.issue, 2);
        } else {
            self.then(Event::PositionsFinalized);
            let title = self.content().issue(floor.issue).title.as_str();
            self.chair("positions_final", &[("issue", title)], None);
        }
    }

    fn propose(&mut self, issue: Issue) {
        self.then(Event::ProposalOpened);
        // Most support; the lowest number among equals.
        let support = |option: &Choice| (self.now.support(*option), std::cmp::Reverse(option.number));
        let Some(option) = issue.options().max_by_key(support) else { return };
        let support = self.now.support(option);
        let content = self.content();
        let (title, label) = (content.issue(issue).title.as_str(), content.option(option).label.as_str());
        self.then(Event::Proposed { option, support });
        self.chair("proposal", &[("issue", title), ("option", label)], None);
        self.chair("vote_open", &[("option", label)], None);
        self.chair_of("vote_call", ("role", Role::COUNTRIES[0]), None);
    }

    fn vote(&mut self, role: Role, own: Option<Vote>) {
        let Phase::Voting { option, .. } = self.now.phase else { return };
        let accepts = self.now.stance(role, option.issue).is_some_and(|stance| stance.accepts(option));
        let vote = own.unwrap_or(if accepts { Vote::Yes } else { Vote::No });
        self.then(Event::Voted { role, vote });
        let Phase::Voting { votes, .. } = self.now.phase.clone() else { return };
        match Role::COUNTRIES.get(votes.len()) {
            Some(next) => self.chair_of("vote_call", ("role", *next), None),
            None => self.resolve(option, votes),
        }
    }

    fn resolve(&mut self, option: Choice, votes: Vec<(Role, Vote)>) {
        let issue = option.issue;
        let adopted = votes.iter().all(|(_, vote)| *vote == Vote::Yes);
        let content = self.content();
        let against: Vec<&str> =
            votes.iter().filter(|(_, vote)| *vote == Vote::No).map(|(role, _)| content.name(*role)).collect();
        let against = against.join(", ");
        let (title, label) = (content.issue(issue).title.as_str(), content.option(option).label.as_str());
        self.then(Event::IssueResolved(Resolved { issue, option, adopted, votes }));
        let slots = [("issue", title), ("option", label), ("against", against.as_str())];
        self.chair(if adopted { "adopted" } else { "failed" }, &slots, None);
        let moves = self.after_vote(adopted);
        self.then(Event::Weighed { pushes: vec![], met: vec![], moves });
    }

    /// An adoption makes the six countries a little readier to compromise on the next issue; a failure, a little less.
    fn after_vote(&self, adopted: bool) -> Vec<Move> {
        let Some(next) = self.now.next_issue() else { return vec![] };
        let one = |role: Role| {
            let stance = self.now.stance(role, next)?;
            let target = softest(stance, next)?;
            let mut push = Push::default();
            push.add(target, if adopted { AFTER_VOTE } else { -1 });
            let reason = if adopted { "the last issue was adopted" } else { "the last issue failed" };
            stance.moved(role, next, &push, reason)
        };
        Role::COUNTRIES.into_iter().filter_map(one).collect()
    }

    // ---- minds ----

    fn statement(&mut self, seat: Seat, words: &Field<String>) -> Result<(), Refusal> {
        let role = self.now.role(seat).ok_or(Refusal::NotCalled)?;
        if self.now.called.map(|(called, _)| called) != Some(role) {
            return Err(Refusal::NotCalled);
        }
        let text = said("text", words)?;
        excerpt_guard(self.content(), self.now.lang, &text)?;
        match (self.now.phase.clone(), self.now.human) {
            (Phase::Talking, Some(human)) => self.talk_said(role, human, text),
            _ => self.debate_said(role, text),
        }
        Ok(())
    }

    /// After the house has tried three times: skips the turn, with a line of the Chair.
    fn mind_failed(&mut self) -> Result<(), Refusal> {
        let Some((role, _)) = self.now.called else { return Err(Refusal::NotCalled) };
        match self.now.phase {
            Phase::Talking => {
                self.chair_of("ai_failed", ("role", role), Some(role));
                self.then(Event::TalkPassed { partner: role, role });
                self.after_message(role);
            }
            _ => self.debate_skipped(role, true),
        }
        Ok(())
    }
}

/// Why a role moved in private. `has_pleaded` recognizes a move by this prefix.
fn heard_in_private(speaker: Role) -> String {
    format!("heard {} in private", speaker.word())
}

fn met_by(speaker: Role) -> String {
    format!("{} met a condition", speaker.word())
}

/// The option a role could come round to: the most acceptable one that is not its favourite, what it can live with before anything else.
fn softest(stance: &Stance, issue: Issue) -> Option<Choice> {
    issue
        .options()
        .filter(|option| *option != stance.preferred && stance.of(*option).is_some())
        .max_by_key(|option| (stance.fallbacks.contains(option), stance.of(*option)))
}

fn said(name: &str, words: &Field<String>) -> Result<String, Refusal> {
    let words = words.required(name, "a string of 1 to 1200 characters").map_err(Refusal::Body)?;
    text::checked(name, words, 1..=TEXT_LEN_MAX).map_err(Refusal::Body)
}
