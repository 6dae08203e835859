//! Content that a database keeps in tables, so that a game is read later by what it was played by, whatever has become of the files.

use crate::chain::Hash;
use crate::roster::Lang;

/// The rows of one table in one language. It is named by its hash and never changes; an edited file makes another one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reference {
    pub table: String,
    pub lang: Lang,
    /// JSON objects, in their order.
    pub rows: Vec<String>,
}

impl Reference {
    /// Its name: the hash of its rows, with their table and language.
    pub fn hash(&self) -> Hash {
        let lang = match self.lang {
            Lang::En => "en",
            Lang::Ko => "ko",
        };
        let mut bytes = format!("{}\n{lang}", self.table);
        for row in &self.rows {
            bytes.push('\n');
            bytes.push_str(row);
        }
        Hash::of(bytes.as_bytes())
    }
}
