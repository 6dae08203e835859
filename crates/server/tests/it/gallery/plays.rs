//! Trolley games played through the real rules, for pages to show.

use engine::chance::Seed;
use engine::game::{Command, Game, Logged};
use engine::id::{GameId, Seat};
use engine::parts::transcript::Entry;
use engine::roster::{Holder, TableCommand, Terms};
use engine::rules::{Actor, Rules, Viewer};
use engine::time::Timestamp;
use games::trolley::{Trolley, View};
use moot::pages::shared::people::Sitter;
use serde_json::json;
use uuid::Uuid;

/// A quarter past nine on some Sunday.
pub const NOW: Timestamp = Timestamp(1_794_734_100_000);

const SPEECHES_EN: [&str; 9] = [
    "Count the people. That is not cold arithmetic; it is the only way to treat each of us as worth the same.",
    "If numbers always win, the few are never safe anywhere. You would not build a town on that promise.",
    "I have nobody to replace me in the clinic on Monday. Ask what is lost with us, not how many of us there are.",
    "My neighbour argues from sympathy. Sympathy is what we feel for the one we can see; there are more of us you cannot.",
    "Pulling the lever makes it your act. Leave it, and the trolley did what trolleys do.",
    "We were put on this branch by a draw. A rule you would only accept from the other branch is no rule at all.",
    "Last round you saved the few and said that duty outweighs the sum. Say the same now, or say what has changed.",
    "I will not beg. I only ask that whoever decides can explain it tomorrow to the families of the side that lost, in one sentence, without looking away, and without telling them that a number was larger than another number. If you cannot do that for us, then you cannot do it for them either, and the honest thing is to admit that the choice rests on something other than the count: on promises made, on who was warned, on who came here knowing the risk. We did not.",
    "Short and plain: more of us, more tomorrows.",
];
const SPEECHES_KO: [&str; 9] = [
    "사람 수를 세어 보십시오. 차가운 셈이 아니라, 우리 모두를 똑같이 귀하게 여기는 유일한 방법입니다.",
    "언제나 수가 이긴다면 소수는 어디에서도 안전하지 않습니다. 그런 약속 위에 마을을 세우지는 않으시겠지요.",
    "월요일 진료소에는 저를 대신할 사람이 없습니다. 몇 명인지가 아니라 무엇을 잃는지를 물어 주십시오.",
    "동정은 눈앞의 한 사람에게 느끼는 감정입니다. 보이지 않는 우리가 더 많습니다.",
    "레버를 당기면 그것은 당신의 행위가 됩니다.",
    "우리는 제비뽑기로 이 선로에 섰습니다. 반대편에 서 있을 때만 받아들일 규칙은 규칙이 아닙니다.",
    "지난 라운드에는 의무가 합계보다 무겁다고 하셨습니다. 지금도 그렇게 말씀하시든지, 무엇이 달라졌는지 말씀해 주십시오.",
    "애원하지 않겠습니다. 다만 결정하는 분이 내일 희생된 쪽의 가족에게 눈을 피하지 않고 한 문장으로 설명할 수 있기를 바랍니다. 숫자가 더 컸다는 말 말고요. 그럴 수 없다면 이 선택은 셈이 아닌 다른 것, 곧 약속과 경고와 각오에 기대고 있다는 사실을 인정해야 합니다.",
    "짧게 말하겠습니다. 우리가 더 많고, 내일도 더 많습니다.",
];

pub struct Play {
    pub game: Game<Trolley>,
    pub entries: Vec<Entry>,
    log: Vec<Logged>,
    seed: Seed,
    ko: bool,
    said: usize,
    now: Timestamp,
}

impl Play {
    pub fn table(number: u128, ko: bool, min_players: u16, names: &[&str], house_from: usize, terms: Terms) -> Play {
        let setup = Trolley::setup(&json!({"min_players": min_players, "auto_advance_s": 12})).expect("valid");
        let id = GameId(Uuid::from_u128(0x0190_4f2a_0000_7000_8000_0000_0000_0000 | (number * 0x1_0203_0405)));
        let now = Timestamp(NOW.0 - 900_000);
        let seed = Seed::chosen(&format!("gallery {number}"));
        let (game, first) = Game::found(id, seed, setup, terms, now);
        let mut play = Play { game, entries: vec![], log: vec![], seed, ko, said: number as usize, now };
        play.keep(vec![first]);
        for (index, name) in names.iter().enumerate() {
            let name = (*name).into();
            let command = if index >= house_from {
                TableCommand::Fill { names: vec![name] }
            } else {
                TableCommand::Sit { name, holder: Holder::Open }
            };
            play.ask(Actor::Host, Command::Table(command));
        }
        play
    }

    fn keep(&mut self, logged: Vec<Logged>) {
        self.log.extend(logged.iter().cloned());
        for row in logged {
            let entry = row.line.map(|line| Entry { seq: row.mark.seq, at: row.mark.at, name: row.name.into(), line });
            self.entries.extend(entry);
        }
    }

    fn ask(&mut self, actor: Actor, command: Command<games::trolley::Act>) {
        self.now = self.now.plus_s(3);
        let logged = self.game.apply(actor, &command, self.now).expect("the gallery plays by the rules");
        self.keep(logged);
    }

    pub fn start(mut self) -> Play {
        self.ask(Actor::Host, Command::Table(TableCommand::Start));
        self
    }

    pub fn expire(mut self) -> Play {
        self.ask(Actor::Host, Command::Table(TableCommand::Expire));
        self
    }

    /// This many arguments, in the order of the seats.
    pub fn argue(mut self, times: usize) -> Play {
        for _ in 0..times {
            let turn = self.game.turns().into_iter().find(|turn| matches!(turn.who, Actor::Seat(_)));
            let Some(turn) = turn.filter(|turn| turn.offers[0].action == "argument") else { break };
            let speeches = if self.ko { SPEECHES_KO } else { SPEECHES_EN };
            let body = json!({"type": "argument", "text": speeches[self.said % speeches.len()]});
            self.said += 4;
            self.ask(turn.who, Command::Act(Trolley::act(&body).expect("an act")));
        }
        self
    }

    /// Every awaited seat but this one argues.
    pub fn argue_others(mut self, but: Seat) -> Play {
        for turn in self.game.turns() {
            if matches!(turn.who, Actor::Seat(seat) if seat != but) {
                let body = json!({"type": "argument", "text": SPEECHES_EN[self.said % SPEECHES_EN.len()]});
                self.said += 1;
                self.ask(turn.who, Command::Act(Trolley::act(&body).expect("an act")));
            }
        }
        self
    }

    pub fn decide(mut self, decision: &str, reason: Option<&str>) -> Play {
        let operator = self.game.state().expect("started").roles.operator;
        let decisive = self.entries.iter().rev().find(|entry| entry.name == "argument").map(|entry| entry.seq);
        let decisive = decisive.map(|seq| engine::id::Inner::Argument.name(self.game.id, seq.0));
        let mut body = json!({"type": "decision", "decision": decision, "reason": reason});
        if reason.is_some() {
            body["decisive_argument_id"] = json!(decisive);
        }
        self.ask(Actor::Seat(operator), Command::Act(Trolley::act(&body).expect("an act")));
        self
    }

    pub fn next(mut self) -> Play {
        let body = json!({"type": "advance", "action": "next_phase"});
        self.ask(Actor::Host, Command::Act(Trolley::act(&body).expect("an act")));
        self
    }

    /// A whole round, and the next one opened unless it was the last.
    pub fn round(self, decision: &str) -> Play {
        let reason = if self.ko {
            "약속의 무게를 더 무겁게 보았습니다."
        } else {
            "A promise weighs more than a head count."
        };
        let play = self.argue(500).decide(decision, Some(reason));
        if play.game.status() == "game_completed" { play } else { play.next() }
    }

    pub fn whole(mut self) -> Play {
        let mut round = 0;
        while self.game.status() != "game_completed" {
            self = self.round(if round % 3 == 1 { "save_minority" } else { "save_majority" });
            round += 1;
        }
        self
    }

    pub fn hand(mut self, seat: Seat) -> Play {
        self.ask(Actor::Host, Command::Table(TableCommand::Hand { seat, by_host: true }));
        self
    }

    pub fn view(&self, viewer: Viewer) -> View {
        self.game.view(viewer, &self.entries)
    }

    /// A spectator's view right after that event.
    pub fn view_at(&self, seq: u64) -> View {
        let first = &self.log[0];
        let (mut game, _) =
            Game::<Trolley>::replay_first(self.game.id, self.seed, first.mark.at, &first.body, first.hash)
                .expect("ours");
        for row in self.log.iter().skip(1).take_while(|row| row.mark.seq.0 <= seq) {
            game.replay(row.mark, row.body.clone(), row.hash).expect("ours");
        }
        game.view(Viewer::Spectator, &[])
    }

    pub fn operator(&self) -> Seat {
        self.game.state().expect("started").roles.operator
    }

    /// A seat on a track that has, or has not, argued.
    pub fn on_track(&self, argued: bool) -> Seat {
        let fits = |seat: &Seat| {
            let view = self.view(Viewer::Seat(*seat));
            let own = view.own.expect("seated");
            !own.house && own.role != Some("operator") && view.phase_activity.contains(&own.agent_id) == argued
        };
        (0..self.game.roster().len()).map(Seat::at).find(fits).expect("the gallery stops in mid-phase")
    }

    pub fn sitters(&self) -> Vec<Sitter> {
        Sitter::all(self.game.id, self.game.roster())
    }
}

pub fn many_names(count: usize) -> Vec<String> {
    let first = ["Ada", "Boethius", "Chloe", "Dmitri", "Esi", "Farid", "Greta", "Hana", "Ivo", "Jun", "Kofi", "Lucía"];
    (0..count)
        .map(|index| {
            let name = first[index % first.len()];
            if index < first.len() { name.to_owned() } else { format!("{name} {}", index / first.len() + 1) }
        })
        .collect()
}
