//! The kinds of game where the server must tell them apart. Matched without a wildcard, so that a new one shows every such place.

use engine::erased::AnyGame;
use engine::roster::{Lang, TableCommand};

/// Which kind is played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Played {
    /// Trolley Problem Arena.
    Trolley,
    /// Mock Trial.
    Trial,
    /// The Mercury Game.
    Mercury,
    /// The Tribunal.
    Tribunal,
}

impl Played {
    /// In the order of the catalog.
    pub const ALL: [Played; games::catalog::KINDS.len()] =
        [Played::Trolley, Played::Trial, Played::Mercury, Played::Tribunal];

    /// As clients read it.
    pub fn word(self) -> &'static str {
        match self {
            Played::Trolley => "trolley",
            Played::Trial => "trial",
            Played::Mercury => "mercury",
            Played::Tribunal => "tribunal",
        }
    }

    /// The kind of that name.
    pub fn named(name: &str) -> Option<Played> {
        Played::ALL.into_iter().find(|kind| kind.word() == name)
    }

    /// The kind of this game.
    pub fn of(game: &dyn AnyGame) -> Played {
        Played::named(game.kind()).expect("a test holds this list against the catalog")
    }

    /// Whether whoever creates a game plays in it, with house minds around: one sits down, the rest is filled.
    pub fn is_for_one(self) -> bool {
        match self {
            Played::Mercury | Played::Tribunal => true,
            Played::Trolley | Played::Trial => false,
        }
    }

    /// Who sits there before anybody else can.
    pub fn first_seated(self, lang: Lang) -> Option<TableCommand> {
        match self {
            Played::Tribunal => {
                let name = match lang {
                    Lang::En => "The bench",
                    Lang::Ko => "재판부",
                };
                Some(TableCommand::Fill { names: vec![name.into()] })
            }
            Played::Trolley | Played::Trial | Played::Mercury => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_the_catalog_is_known() {
        assert_eq!(Played::ALL.map(Played::word), games::catalog::KINDS.map(|kind| kind.name));
    }
}
