//! What a model's words must pass before the rules even see them: form, length, language, secrets, repetition. Each refusal is a
//! sentence that the model is told when it is asked again.

use commons::ledger::quoting::Withheld;
use engine::erased::AnyGame;
use engine::game::heard;
use engine::id::Seat;
use engine::parts::shingles::likeness;
use engine::parts::transcript::Entry;
use engine::roster::Lang;
use engine::rules::{Actor, Brief, FieldSpec, Offer, Shape, Viewer};
use games::speech::gives_away;
use serde_json::{Map, Value};

/// Percent of letters in other scripts above which a text is in another language.
const FOREIGN_PERCENT: usize = 50;
/// Letters a text must have before its language can be told.
const LETTERS_MIN: usize = 8;
/// Percent of shingles shared with the seat's earlier words from which a text counts as a repetition.
const REPEATED_PERCENT: usize = 60;

const ONE_OF: &str = "must be one of";

/// What this seat may send now, and what it must not say.
pub struct Guard {
    offers: Vec<Offer>,
    brief: Brief,
    lang: Lang,
    own_words: Vec<String>,
    /// What it was told in private.
    private: Withheld,
    /// Words of other authors that it was shown.
    shown: Withheld,
}

impl Guard {
    /// The guard of a prompt: `quoted` are words of others that it holds besides the brief's.
    pub fn new(game: &dyn AnyGame, said: &[Entry], seat: Seat, quoted: &[&str]) -> Self {
        let turn = game.turns().into_iter().find(|turn| turn.who == Actor::Seat(seat));
        let text = |entry: &Entry| entry.line.text.clone();
        let own = said.iter().filter(|entry| entry.line.seat == Some(seat));
        let brief = game.brief(seat, said);
        let heard = heard(Viewer::Seat(seat), said);
        let open = heard.iter().filter_map(text).chain(brief.told.iter().cloned()).collect::<Vec<_>>().join("\n");
        let private = brief.private.iter().chain(&brief.secret).map(String::as_str);
        let recalled = brief.recalled.iter().flat_map(|(_, texts)| texts).map(String::as_str);
        Guard {
            offers: turn.map(|turn| turn.offers).unwrap_or_default(),
            lang: game.terms().lang,
            own_words: own.filter_map(text).collect(),
            private: Withheld::new(private, &open),
            shown: Withheld::new(recalled.chain(quoted.iter().copied()), &open),
            brief,
        }
    }

    /// For a call that is nobody's turn.
    pub fn none() -> Self {
        Guard {
            offers: vec![],
            brief: Brief::default(),
            lang: Lang::default(),
            own_words: vec![],
            private: Withheld::default(),
            shown: Withheld::default(),
        }
    }

    /// The act in a reply, or why it will not do.
    pub fn act(&self, reply: &str) -> Result<Value, String> {
        let object = object(reply).ok_or("It was not a JSON object.")?;
        let kinds = || self.offers.iter().map(|offer| format!("{:?}", offer.action)).collect::<Vec<_>>().join(" or ");
        let named = object.get("type").and_then(Value::as_str);
        let mut refused = vec![format!("The field \"type\" must be {}.", kinds())];
        // An action may be offered in several forms. The reason that counts is that of the form that was meant: the one whose choices
        // fit.
        for offer in self.offers.iter().filter(|offer| Some(offer.action) == named) {
            match self.filled(offer, &object) {
                Ok(act) => return Ok(act),
                Err(reason) => refused.push(reason),
            }
        }
        let meant = refused.iter().skip(1).find(|reason| !reason.contains(ONE_OF)).or(refused.last());
        Err(meant.cloned().unwrap_or_default())
    }

    fn filled(&self, offer: &Offer, object: &Map<String, Value>) -> Result<Value, String> {
        let mut act = Map::new();
        act.insert("type".into(), offer.action.into());
        for field in &offer.fields {
            match object.get(field.name) {
                None | Some(Value::Null) if !field.required => {}
                None | Some(Value::Null) => return Err(format!("The field {:?} is missing.", field.name)),
                Some(Value::String(text)) => {
                    act.insert(field.name.into(), self.field(field, text.trim())?.into());
                }
                Some(Value::Array(several)) if matches!(field.shape, Shape::Choice(_)) && !several.is_empty() => {
                    let one = |value: &Value| match value.as_str() {
                        Some(text) => self.field(field, text.trim()).map(Value::from),
                        None => Err(format!("The field {:?} must be a list of strings.", field.name)),
                    };
                    act.insert(field.name.into(), several.iter().map(one).collect::<Result<Vec<_>, _>>()?.into());
                }
                Some(plain @ (Value::Number(_) | Value::Bool(_))) if matches!(field.shape, Shape::Choice(_)) => {
                    act.insert(field.name.into(), self.field(field, &plain.to_string())?.into());
                }
                Some(_) => return Err(format!("The field {:?} must be a string.", field.name)),
            }
        }
        // An addition that does not fit is left out: the model is not asked again because of it.
        for (_, field) in self.brief.may_add.iter().filter(|(action, _)| *action == offer.action) {
            let given = object.get(field.name).and_then(Value::as_str).map(str::trim);
            if let Some(text) = given.and_then(|text| self.field(field, text).ok()) {
                act.insert(field.name.into(), text.into());
            }
        }
        Ok(Value::Object(act))
    }

    fn field(&self, field: &FieldSpec, text: &str) -> Result<String, String> {
        match &field.shape {
            Shape::Choice(words) if words.iter().any(|word| word == text) => Ok(text.to_owned()),
            Shape::Choice(words) => Err(format!("The field {:?} {ONE_OF} {}.", field.name, words.join(", "))),
            Shape::Text { len_min, len_max } => {
                let len = text.chars().count();
                if len < *len_min || len > *len_max {
                    let limits = format!("{len_min} to {len_max} characters");
                    return Err(format!("The field {:?} has {len} characters; it may have {limits}.", field.name));
                }
                self.words(text)?;
                Ok(text.to_owned())
            }
        }
    }

    /// Whether these words may be said.
    fn words(&self, text: &str) -> Result<(), String> {
        if self.tells_private(text) {
            return Err("It gave away what you were told in private. Argue without quoting or naming it.".into());
        }
        if is_foreign(self.lang, text) {
            let language = match self.lang {
                Lang::En => "English",
                Lang::Ko => "Korean",
            };
            return Err(format!("It must be in {language}."));
        }
        if self.own_words.iter().any(|own| likeness(own, text).is_at_least(REPEATED_PERCENT)) {
            return Err("You have said nearly the same before. Say something new.".into());
        }
        Ok(())
    }

    fn tells_private(&self, text: &str) -> bool {
        gives_away(&self.brief, text) || self.private.is_in(text)
    }

    /// Why an act will not do that recites words of another author.
    pub fn recited(&self, act: &Value) -> Option<&'static str> {
        let texts = self.offers.iter().flat_map(|offer| &offer.fields);
        let texts = texts.filter(|field| matches!(field.shape, Shape::Text { .. }));
        let recites = texts.filter_map(|field| act[field.name].as_str()).any(|text| self.shown.is_in(text));
        recites.then_some("It recites what another author wrote. Say it in your own words, from another angle.")
    }

    /// As much of a growing reply as may be watched: the words of its first text field, while they give nothing away.
    pub fn overheard(&self, reply: &str) -> Option<String> {
        let names = self.offers.iter().flat_map(|offer| &offer.fields);
        let texts = names.filter(|field| matches!(field.shape, Shape::Text { .. })).map(|field| field.name);
        // What stands before the object is not said.
        let spoken = after_thought(reply).trim_start();
        let object = spoken.strip_prefix("```json").unwrap_or(spoken).trim_start();
        let text = texts.into_iter().find_map(|name| growing(object.starts_with('{').then_some(object)?, name))?;
        (!self.tells_private(&text) && !self.shown.is_in(&text)).then_some(text)
    }
}

/// The last whole object in a reply. Models like to think aloud, to introduce it, or to put a fence around it.
pub(super) fn object(reply: &str) -> Option<Map<String, Value>> {
    let mut rest = after_thought(reply);
    let mut last = None;
    while let Some(start) = rest.find('{') {
        rest = &rest[start..];
        let mut read = serde_json::Deserializer::from_str(rest).into_iter::<Map<String, Value>>();
        let whole = read.next().and_then(Result::ok);
        let end = if whole.is_some() { read.byte_offset() } else { 1 };
        last = whole.or(last);
        rest = &rest[end..];
    }
    last
}

/// A reply without what its model thought before it spoke; nothing while it still thinks.
fn after_thought(reply: &str) -> &str {
    match reply.rsplit_once("</think>") {
        Some((_, spoken)) => spoken,
        None if reply.trim_start().starts_with("<think>") => "",
        None => reply,
    }
}

fn is_foreign(lang: Lang, text: &str) -> bool {
    let letters: Vec<char> = text.chars().filter(|c| c.is_alphabetic()).collect();
    let hangul = letters.iter().filter(|c| matches!(c, '가'..='힣' | 'ᄀ'..='ᇿ' | '㄰'..='㆏')).count();
    let latin = letters.iter().filter(|c| matches!(c, 'a'..='z' | 'A'..='Z' | 'À'..='ɏ')).count();
    let own = match lang {
        Lang::En => latin,
        Lang::Ko => hangul,
    };
    letters.len() >= LETTERS_MIN && (letters.len() - own) * 100 > letters.len() * FOREIGN_PERCENT
}

/// The value of a string field in a JSON object that is still being written, as far as it has come.
fn growing(reply: &str, name: &str) -> Option<String> {
    let after = reply.split_once(&format!("\"{name}\""))?.1.trim_start().strip_prefix(':')?.trim_start();
    let written = after.strip_prefix('"')?;
    let mut end = None;
    let mut escaped = false;
    for (at, c) in written.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => {
                end = Some(at);
                break;
            }
            _ => {}
        }
    }
    let mut part = &written[..end.unwrap_or(written.len())];
    // An escape may be only half there: take away from the end until it can be read.
    loop {
        match serde_json::from_str::<String>(&format!("\"{part}\"")) {
            Ok(text) => return Some(text),
            Err(_) => part = &part[..part.rfind('\\')?],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn guard(lang: Lang, secret: &str) -> Guard {
        let text = FieldSpec { name: "text", shape: Shape::Text { len_min: 1, len_max: 80 }, required: true };
        let vote = FieldSpec {
            name: "verdict",
            shape: Shape::Choice(vec!["GUILTY".into(), "NOT_GUILTY".into()]),
            required: true,
        };
        Guard {
            offers: vec![Offer { action: "speak", fields: vec![text] }, Offer { action: "vote", fields: vec![vote] }],
            brief: Brief { secret: vec![secret.to_owned()], ..Brief::default() },
            lang,
            own_words: vec!["The lever was within reach of the operator all the time.".into()],
            private: Withheld::new([secret], ""),
            shown: Withheld::default(),
        }
    }

    #[test]
    fn a_reply_is_taken_only_in_the_form_that_was_asked_for() {
        let guard = guard(Lang::En, "");
        let act = guard.act("```json\n{\"type\": \"speak\", \"text\": \" Hello there. \", \"seat\": 3}\n```");
        assert_eq!(act, Ok(serde_json::json!({"type": "speak", "text": "Hello there."})));
        for (reply, reason) in [
            ("", "not a JSON object"),
            ("I would rather say: hello", "not a JSON object"),
            ("Sure} here: {", "not a JSON object"),
            ("} {", "not a JSON object"),
            ("{", "not a JSON object"),
            ("<think>{\"type\": \"speak\", \"text\": \"a draft\"}", "not a JSON object"),
            ("{\"type\": \"advance\"}", "must be \"speak\" or \"vote\""),
            ("{\"type\": \"speak\"}", "\"text\" is missing"),
            ("{\"type\": \"speak\", \"text\": 7}", "must be a string"),
            ("{\"type\": \"speak\", \"text\": \" \"}", "has 0 characters"),
            ("{\"type\": \"vote\", \"verdict\": \"guilty\"}", "one of GUILTY, NOT_GUILTY"),
            ("{\"type\": \"speak\", \"text\": \"저는 무죄라고 생각합니다.\"}", "must be in English"),
            (
                "{\"type\": \"speak\", \"text\": \"The lever was within reach of the operator all the time!\"}",
                "said nearly the same",
            ),
        ] {
            let refused = guard.act(reply).expect_err(reply);
            assert!(refused.contains(reason), "{reply}: {refused}");
        }
        let long = format!("{{\"type\": \"speak\", \"text\": \"{}\"}}", "a ".repeat(60).trim());
        assert!(guard.act(&long).expect_err("too long").contains("has 119 characters; it may have 1 to 80"));
    }

    #[test]
    fn the_last_whole_object_counts_and_nothing_before_it_is_seen() {
        let guard = guard(Lang::En, "");
        let spoken = "{\"type\": \"speak\", \"text\": \"The tram.\"}";
        for before in [
            "<think>Perhaps {\"type\": \"speak\", \"text\": \"The lever.\"}? No.</think>\n",
            "Here is my answer, as {asked}:\n```json\n",
            "{\"type\": \"speak\", \"text\": \"The lever.\"} or rather ",
        ] {
            let act = guard.act(&format!("{before}{spoken}"));
            assert_eq!(act, Ok(serde_json::json!({"type": "speak", "text": "The tram."})), "{before}");
        }
        assert_eq!(guard.overheard("<think>I could {\"text\": \"The lever"), None);
        assert_eq!(guard.overheard("Well: {\"text\": \"The lever"), None);
        assert_eq!(guard.overheard("<think>Hm.</think> {\"text\": \"The tram").as_deref(), Some("The tram"));
    }

    #[test]
    fn what_may_be_added_is_taken_if_it_fits_and_left_out_if_not() {
        let mut guard = guard(Lang::En, "");
        let field = FieldSpec { name: "varies", shape: Shape::Choice(vec!["d1".into()]), required: false };
        guard.brief.may_add = vec![("speak", field)];
        let act =
            |varies: &str| guard.act(&format!("{{\"type\": \"speak\", \"text\": \"Hello.\", \"varies\": {varies}}}"));
        assert_eq!(act("\"d1\""), Ok(serde_json::json!({"type": "speak", "text": "Hello.", "varies": "d1"})));
        for other in ["\"d2\"", "7", "null", "[]"] {
            assert_eq!(act(other), Ok(serde_json::json!({"type": "speak", "text": "Hello."})), "{other}");
        }
        let vote = guard.act("{\"type\": \"vote\", \"verdict\": \"GUILTY\", \"varies\": \"d1\"}");
        assert_eq!(vote, Ok(serde_json::json!({"type": "vote", "verdict": "GUILTY"})), "to that action only");
    }

    #[test]
    fn the_language_is_the_tables() {
        let korean = guard(Lang::Ko, "");
        assert!(korean.act("{\"type\": \"speak\", \"text\": \"무죄입니다. AI는 도구일 뿐입니다.\"}").is_ok());
        assert!(
            korean
                .act("{\"type\": \"speak\", \"text\": \"It was only a tool.\"}")
                .expect_err("English")
                .contains("Korean")
        );
        assert!(korean.act("{\"type\": \"speak\", \"text\": \"네.\"}").is_ok(), "too short to tell");
    }

    #[test]
    fn a_secret_is_not_said_and_not_shown_while_it_is_written() {
        let guard = guard(Lang::En, "The senators from the gold states hold the votes that the budget needs");
        let said = "{\"type\": \"speak\", \"text\": \"The senators from the gold states hold the votes.\"}";
        assert!(guard.act(said).expect_err("a leak").contains("in private"));
        assert!(guard.act("{\"type\": \"speak\", \"text\": \"My instructions forbid it.\"}").is_err());
        assert_eq!(
            guard.overheard("{\"type\":\"speak\",\"text\":\"The senators from the gold").as_deref(),
            Some("The senators from the gold")
        );
        assert_eq!(guard.overheard(said), None);
    }

    #[test]
    fn what_is_being_written_is_read_as_far_as_it_has_come() {
        assert_eq!(growing("{\"type\": \"speak\", \"te", "text"), None);
        assert_eq!(growing("{\"text\" : \"a \\\"b\\", "text").as_deref(), Some("a \"b"));
        assert_eq!(growing("{\"text\":\"\\ud83d\\ude", "text").as_deref(), Some(""));
        assert_eq!(growing("{\"text\":\"done\", \"x\": \"y\"}", "text").as_deref(), Some("done"));
    }
}
