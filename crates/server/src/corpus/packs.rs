//! Packs of defenses: having one made, and what a pack is called if nobody has named it.

use crate::corpus::dockets::{case, character};
use crate::http::extract::cut;
use crate::locale::{Arg, Words, t};
use crate::problem::{Answer, Problem};
use axum::http::StatusCode;
use engine::id::AccountId;
use engine::parts::text;
use engine::roster::Lang;
use engine::time::Timestamp;
use serde_json::{Value, json};
use store::Store;
use store::StoreError;
use store::games::answers::Once;
use store::games::answers::{self, Earlier};
use store::ledger::packs::{self, Made, NewPack};

/// Longest name and description of a pack.
const NAME_LEN_MAX: usize = 80;
const DESCRIPTION_LEN_MAX: usize = 300;

/// The pack that a curator asks for.
#[derive(Clone, Debug, Default)]
pub struct Wish {
    pub case_id: String,
    pub character_id: String,
    /// In IA; by default 50, or what its defenses cost one by one if that is less.
    pub price: Option<u64>,
    pub name: Option<String>,
    pub description: Option<String>,
}

/// Makes a pack, or finds the one that has just these defenses: the same for the command line and the API.
pub async fn make(
    store: &Store,
    wish: Wish,
    curator: Option<AccountId>,
    once: Option<Once>,
    at: Timestamp,
) -> Answer<Made> {
    let wrong = |detail: String| Problem::bad("INVALID_BODY", detail);
    if case(Lang::En, &wish.case_id).is_none() {
        let detail = format!("The field \"case_id\" is wrong: there is no case {:?}.", cut(&wish.case_id));
        return Err(Problem::bad("UNKNOWN_CASE", detail));
    }
    let Some(accused) = character(Lang::En, &wish.case_id, &wish.character_id) else {
        let detail =
            format!("The field \"character_id\" is wrong: nobody called {:?} is charged.", cut(&wish.character_id));
        return Err(Problem::bad("UNKNOWN_TARGET", detail));
    };
    let most = store.terms().pack_ia_max;
    if let Some(price) = wish.price.filter(|price| *price > most) {
        return Err(wrong(format!("The field \"price\" must be 0 to {most} IA, not {price}.")));
    }
    let line = |field: &str, given: Option<String>, len_max: usize| {
        given.map(|given| text::checked_line(field, &given, 1..=len_max).map_err(wrong)).transpose()
    };
    let pack = NewPack {
        case_id: wish.case_id,
        character_id: wish.character_id,
        name: line("name", wish.name, NAME_LEN_MAX)?,
        description: line("description", wish.description, DESCRIPTION_LEN_MAX)?,
        price: wish.price,
        usual_words: english_words,
        curator,
        at,
    };
    let done = store.write(move |db| {
        match once.as_ref().map(|once| answers::earlier(db, once)).transpose()?.flatten() {
            Some(Earlier::Same(answer)) => {
                let made = serde_json::from_slice(&answer).map_err(|error| StoreError::Broken(error.to_string()))?;
                return Ok(Ok(made));
            }
            Some(Earlier::Other) => return Ok(Err(Problem::key_reused())),
            None => {}
        }
        let Some(made) = packs::make(db, &pack)? else { return Ok(Err(nothing_proved(&accused.name))) };
        if let Some(once) = &once {
            answers::remember(db, once, json!(made).to_string().as_bytes(), at)?;
        }
        Ok(Ok(made))
    });
    done.await?
}

fn nothing_proved(name: &str) -> Problem {
    let detail = format!(
        "No defense of {name} has been proved yet that may be read and was not said in an open trial, so there is nothing to put into a pack."
    );
    Problem::new(StatusCode::CONFLICT, "NOTHING_PROVED", detail)
}

/// What a pack is called and said to contain if nobody has named it.
pub fn usual_words(lang: Lang, case_id: &str, character_id: &str, edition: i64, defenses: usize) -> (String, String) {
    let w = Words(lang);
    let name = character(lang, case_id, character_id).map_or(character_id, |one| one.name.as_str());
    let title = case(lang, case_id).map_or(case_id, |case| case.title.as_str());
    let called = match edition {
        1 => w.t1("pack-name", "name", name),
        later => w.t2("pack-name-edition", "name", name, "edition", later),
    };
    let about = [
        ("name", Arg::Word(name.to_owned())),
        ("case", Arg::Word(title.to_owned())),
        ("n", Arg::Count(defenses as i64)),
    ];
    (called, t(lang, "pack-description", &about))
}

/// The same in English, which is what is stored.
pub fn english_words(case_id: &str, character_id: &str, edition: i64, defenses: usize) -> (String, String) {
    usual_words(Lang::En, case_id, character_id, edition, defenses)
}

/// A pack's name and description as this reader gets them: as the curator wrote them, else in the reader's language.
pub fn shown_words(
    lang: Lang,
    (case_id, character_id): (&str, &str),
    (name, description): (&str, &str),
    metadata: &Value,
    defenses: usize,
) -> (String, String) {
    let edition = metadata["edition"].as_i64().unwrap_or(1);
    let usual = usual_words(lang, case_id, character_id, edition, defenses);
    let chosen = |flag: &str, usual: String, given: &str| if metadata[flag] == true { usual } else { given.to_owned() };
    (chosen("usual_name", usual.0, name), chosen("usual_description", usual.1, description))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pack_nobody_named_is_called_by_the_readers_language() {
        let (name, description) = usual_words(Lang::En, "john_locke", "locke", 1, 20);
        assert_eq!(name, "John Locke Defense Pack");
        assert!(description.starts_with("20 defenses"), "{description}");
        assert!(usual_words(Lang::En, "john_locke", "locke", 2, 20).0.ends_with("edition 2"));
        let metadata = json!({"edition": 1, "usual_name": true, "usual_description": false});
        let shown = shown_words(Lang::Ko, ("john_locke", "locke"), ("John Locke Defense Pack", "Mine."), &metadata, 20);
        assert_eq!(shown, ("존 로크 변론 모음".to_owned(), "Mine.".to_owned()));
    }
}
