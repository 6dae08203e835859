//! What every page has around it: the language, the header's data, and what a form shows again after a refusal.

use crate::locale::Words;
use engine::roster::Lang;
use std::fmt::Display;

/// The frame of a page.
#[derive(Clone, Debug)]
pub struct Frame {
    /// The words of the page's language.
    pub w: Words,
    /// What the browser's tab says, without the name of the house.
    pub title: String,
    /// The signed-in account's name.
    pub user: Option<String>,
    /// Whether the page is the same for everybody, so that it cannot say who is signed in.
    pub shared: bool,
    /// Whether the signed-in account may open `/admin`.
    pub admin: bool,
    /// Its balance, in IA.
    pub balance: Option<u64>,
    /// For how long a purchase can be given back, in minutes.
    pub return_minutes: u64,
    /// Whether the balance has just changed.
    pub moved: bool,
    /// This page's path and query, to come back to after switching language or signing in.
    pub path: String,
}

impl Frame {
    /// The frame for a visitor who has not signed in.
    pub fn new(lang: Lang, title: impl Into<String>, path: impl Into<String>) -> Self {
        Frame {
            w: Words(lang),
            title: title.into(),
            user: None,
            shared: false,
            admin: false,
            balance: None,
            return_minutes: 0,
            moved: false,
            path: path.into(),
        }
    }

    /// What would be left of the balance after paying this much; none if it is not enough.
    pub fn left_after(&self, price: u64) -> Option<u64> {
        self.balance?.checked_sub(price)
    }
}

/// A refusal shown beside the field it is about, with what had been typed.
#[derive(Clone, Debug, Default)]
pub struct Refusal {
    /// The API's stable code, such as `ALREADY_ACTED`.
    pub code: String,
    /// The form field it is about; none means the whole form.
    pub field: Option<String>,
    /// The API's English sentence.
    pub sentence: String,
    /// What the form held, by field name, so that nothing typed is lost.
    pub draft: Vec<(String, String)>,
}

impl Refusal {
    /// What had been typed into that field.
    pub fn typed(&self, field: &str) -> Option<&str> {
        self.draft.iter().find(|(name, _)| name == field).map(|(_, value)| value.as_str())
    }

    /// Whether it is about that field.
    pub fn about(&self, field: &str) -> bool {
        self.field.as_deref() == Some(field)
    }

    /// The sentence in the page's language.
    pub fn say(&self, w: &Words) -> String {
        w.refused(&self.code, self.field.as_deref(), &self.sentence)
    }
}

/// What a form shows again after a refusal, and where it shows the refusal.
#[derive(Clone, Debug, Default)]
pub struct Again(pub Option<Refusal>);

impl Again {
    /// What had been typed into that field, else nothing.
    pub fn typed(&self, field: &str) -> &str {
        self.0.as_ref().and_then(|refusal| refusal.typed(field)).unwrap_or("")
    }

    /// What had been typed into that field, else this.
    pub fn typed_or<'a>(&'a self, field: &str, or: &'a str) -> &'a str {
        self.0.as_ref().and_then(|refusal| refusal.typed(field)).unwrap_or(or)
    }

    /// Whether this was one of the choices made in that field.
    pub fn chose(&self, field: &str, value: impl Display) -> bool {
        let value = value.to_string();
        let draft = self.0.as_ref().map_or(&[][..], |refusal| &refusal.draft);
        draft.iter().any(|(name, chosen)| name == field && *chosen == value)
    }

    /// Whether what had been chosen in that field ends like this.
    pub fn holds(&self, field: &str, end: impl Display) -> bool {
        self.typed(field).ends_with(&end.to_string())
    }

    /// The sentence to show beside that field, when it is about it.
    pub fn beside(&self, w: &Words, field: &str) -> Option<String> {
        self.0.as_ref().filter(|refusal| refusal.about(field)).map(|refusal| refusal.say(w))
    }

    /// The sentence to show above the form, when it is about none of these fields.
    pub fn above(&self, w: &Words, fields: impl AsRef<[&'static str]>) -> Option<String> {
        let elsewhere = |refusal: &&Refusal| !fields.as_ref().iter().any(|field| refusal.about(field));
        self.0.as_ref().filter(elsewhere).map(|refusal| refusal.say(w))
    }
}
