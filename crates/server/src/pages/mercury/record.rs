//! The minutes of a meeting on mercury: its delegations, and its transcript read as a record.

use crate::locale::Words;
use crate::pages::shared::people::Person;
use crate::pages::shared::record::{Moment, Outcome, Record, Speech, What};
use engine::id::{GameId, Inner};
use engine::parts::transcript::{Entry, SeenBy};
use games::mercury::{Role, View};
use serde_json::Value;
use std::str::FromStr;

/// A delegation as a person at the table.
pub fn delegation(w: &Words, view: &View, role: Role) -> Person {
    Person {
        id: role.word().to_owned(),
        name: short_name(w, role),
        mark: mark(role).to_owned(),
        role: if role.votes() { "country" } else { "organisation" },
        house: false,
        you: view.own_role_id == Some(role),
    }
}

/// All nine, countries first.
pub fn delegations(w: &Words, view: &View) -> Vec<Person> {
    Role::ALL.into_iter().map(|role| delegation(w, view, role)).collect()
}

pub fn chair(w: &Words) -> Person {
    Person {
        id: "JPN".to_owned(),
        name: w.t("delegation-jpn"),
        mark: "JP".to_owned(),
        role: "chair",
        house: false,
        you: false,
    }
}

/// What a delegation is called at the table, in the language of the page.
pub fn short_name(w: &Words, role: Role) -> String {
    w.of("delegation", role.word().to_lowercase())
}

fn mark(role: Role) -> &'static str {
    match role {
        Role::Bra => "BR",
        Role::Can => "CA",
        Role::Chn => "CN",
        Role::Eu => "EU",
        Role::Tza => "TZ",
        Role::Usa => "US",
        Role::Amap => "AM",
        Role::Mff => "MF",
        Role::Wcpa => "WC",
    }
}

/// Reads the transcript of a meeting, as much of it as the entries tell. Entries must be in order and may begin anywhere.
pub fn read(w: &Words, view: &View, entries: &[Entry]) -> Record {
    let reader = Reader { w, view, game: GameId::from_str(&view.game_id).ok() };
    let mut record = Record::default();
    for entry in entries {
        let what = reader.told(entry);
        record.moments.extend(what.map(|what| Moment { seq: entry.seq.0, round: entry.line.round, what }));
    }
    record
}

/// What has been said in the private talk that is under way, for those in it.
pub fn private_talk(w: &Words, view: &View, entries: &[Entry]) -> Vec<Speech> {
    if view.round2.active_convo_index.is_none() {
        return vec![];
    }
    let from = entries.iter().rposition(|entry| entry.name == "talk_opened").unwrap_or(entries.len());
    let reader = Reader { w, view, game: GameId::from_str(&view.game_id).ok() };
    entries[from..].iter().filter(|entry| entry.name == "talk").filter_map(|entry| reader.speech(entry)).collect()
}

struct Reader<'a> {
    w: &'a Words,
    view: &'a View,
    game: Option<GameId>,
}

impl Reader<'_> {
    fn told(&self, entry: &Entry) -> Option<What> {
        let nothing = Value::Null;
        let payload = entry.line.payload.as_ref().unwrap_or(&nothing);
        let part = |word: &str, name: String| Some(What::Part { word: word.to_owned(), name });
        let heading = |phase: String| Some(What::Phase { phase, first: false });
        let note = |name: &str, who: String| Some(What::Note { name: name.to_owned(), who });
        match entry.name.as_ref() {
            "opening" | "debate" | "talk" => self.speech(entry).map(What::Speech),
            "chair" => {
                let private = entry.line.seen_by != SeenBy::All;
                entry.line.text.clone().map(|text| What::Chair { by: chair(self.w), text, private })
            }
            "role_confirmed" => note("role_confirmed", self.name(&payload["human_role_id"])?),
            "round_1_opened" => part("round_1", self.w.t("part-round-1")),
            "round_2_opened" => part("round_2", self.w.t("part-round-2")),
            "talk_opened" => note("talk_opened", self.name(&payload["partner_role"])?),
            "issue_opened" => {
                let number = payload["issue_id"].as_u64()?;
                part(&format!("issue_{number}"), self.issue_name(number))
            }
            "debate_opened" => heading(format!("debate_{}", payload["debate_round"].as_u64()?)),
            "proposed" => heading("ballot".to_owned()),
            "voted" if payload["vote"] == "YES" => note("voted_yes", self.name(&payload["role_id"])?),
            "voted" => note("voted_no", self.name(&payload["role_id"])?),
            "issue_resolved" => self.outcome(payload).map(What::Outcome),
            "review_opened" => part("review", self.w.t("part-review")),
            name @ ("seat_handed" | "seat_taken_back" | "turn_expired" | "rules_changed" | "table_expired") => {
                note(name, payload["display_name"].as_str().unwrap_or_default().to_owned())
            }
            _ => None,
        }
    }

    fn name(&self, code: &Value) -> Option<String> {
        code.as_str().and_then(Role::named).map(|role| short_name(self.w, role))
    }

    fn issue_name(&self, number: u64) -> String {
        let issue = self.view.round3.issues.iter().find(|issue| u64::from(issue.issue_id.0) == number);
        self.w.t2("part-issue", "number", number, "title", issue.map_or("", |issue| &issue.issue_title))
    }

    fn speech(&self, entry: &Entry) -> Option<Speech> {
        let role = entry.line.payload.as_ref()?["role_id"].as_str().and_then(Role::named)?;
        let id = |game| Inner::Argument.name(game, entry.seq.0);
        Some(Speech {
            id: self.game.map_or_else(|| format!("arg-{}", entry.seq), id),
            seq: entry.seq.0,
            by: delegation(self.w, self.view, role),
            round: entry.line.round.unwrap_or(0),
            phase: entry.line.phase.as_ref().map(ToString::to_string).unwrap_or_default(),
            text: entry.line.text.clone()?,
            at: entry.at.to_string(),
            private: entry.line.seen_by != SeenBy::All,
            manner: None,
            heard: None,
            misheard: false,
        })
    }

    fn outcome(&self, payload: &Value) -> Option<Outcome> {
        let option = payload["option_id"].as_str()?;
        let options = self.view.round3.issues.iter().flat_map(|issue| &issue.options);
        let label = options.into_iter().find(|one| one.option_id.to_string() == option)?.label.clone();
        let against = payload["votes"].as_array().into_iter().flatten().filter(|vote| vote["vote"] == "NO");
        Some(Outcome {
            option: format!("{option} {label}"),
            adopted: payload["adopted"].as_bool()?,
            against: against.filter_map(|vote| self.name(&vote["role_id"])).collect(),
        })
    }
}
