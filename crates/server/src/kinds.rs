//! The kinds of game where the server must tell them apart. Matched without a wildcard, so that a new one shows every such place.

use commons::corpus::hash::Normal;
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

    /// How many can sit there.
    pub fn seats_max(self) -> usize {
        match self {
            Played::Trolley => games::trolley::PLAYERS_MAX,
            Played::Trial => games::trial::SEATS,
            Played::Mercury => games::mercury::SEATS,
            Played::Tribunal => games::tribunal::SEATS,
        }
    }

    /// Who sits there before anybody else can.
    pub fn first_seated(self, lang: Lang) -> Option<TableCommand> {
        match self {
            Played::Tribunal => Some(TableCommand::Fill { names: vec![bench_name(lang).into()] }),
            Played::Trolley | Played::Trial | Played::Mercury => None,
        }
    }

    /// Whether a name is the house's alone: nobody's words should look like a ruling.
    pub fn is_reserved(self, name: &str) -> bool {
        match self {
            Played::Tribunal => {
                [Lang::En, Lang::Ko].into_iter().any(|lang| Normal::of(bench_name(lang)) == Normal::of(name))
            }
            Played::Trolley | Played::Trial | Played::Mercury => false,
        }
    }
}

fn bench_name(lang: Lang) -> &'static str {
    match lang {
        Lang::En => "The bench",
        Lang::Ko => "재판부",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_the_catalog_is_known() {
        assert_eq!(Played::ALL.map(Played::word), games::catalog::KINDS.map(|kind| kind.meta.name));
    }
}
