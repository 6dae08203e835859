//! The people at a table as pages show them: a name, a mark of one or two letters, and the shape of the role.

use engine::id::GameId;
use engine::roster::{Holder, Roster};
use games::trolley::View;
use std::collections::BTreeSet;

/// A player, a delegation or a character at a table.
#[derive(Clone, PartialEq, Debug)]
pub struct Person {
    pub id: String,
    pub name: String,
    /// One or two letters, different for everybody at the table.
    pub mark: String,
    /// As the stylesheet spells it, such as `operator`, `juror` or `country`; or empty.
    pub role: &'static str,
    /// Whether a house mind plays the seat.
    pub house: bool,
    /// Whether it is the viewer's own seat.
    pub you: bool,
}

impl Person {
    /// Whether the mark is in letters as wide as they are high, such as Hangul.
    pub fn wide(&self) -> bool {
        self.mark.chars().any(is_wide)
    }
}

/// Whether the letter takes a whole em: Hangul, ideographs, emoji.
pub fn is_wide(letter: char) -> bool {
    u32::from(letter) >= 0x1100
}

/// The name, for iterators in templates.
pub fn name(person: &Person) -> &str {
    &person.name
}

/// Everybody at a trolley table, in the order of the seats, with their roles in the present round.
pub fn people(view: &View) -> Vec<Person> {
    let marks = marks(view.coverage.iter().map(|agent| agent.display_name.as_str()));
    let in_round: Vec<_> = view.operator.iter().chain(&view.majority_agents).chain(&view.minority_agents).collect();
    let own = view.own.as_ref().map(|own| own.agent_id.as_str());
    let person = |(agent, mark): (&games::trolley::CoverageView, String)| {
        let dealt = in_round.iter().find(|dealt| dealt.id == agent.agent_id);
        Person {
            id: agent.agent_id.clone(),
            name: agent.display_name.clone(),
            mark,
            role: dealt.map_or("", |dealt| dealt.role),
            house: dealt.is_some_and(|dealt| dealt.house),
            you: own == Some(agent.agent_id.as_str()),
        }
    };
    view.coverage.iter().zip(marks).map(person).collect()
}

/// A mark for each name: initials of two words, else two letters of the first, else a letter and a number.
pub fn marks<'a>(names: impl Iterator<Item = &'a str>) -> Vec<String> {
    let mut taken = BTreeSet::new();
    names
        .map(|name| {
            let mark = candidates(name).into_iter().find(|mark| !taken.contains(mark));
            let first = name.chars().find(|c| c.is_alphanumeric()).unwrap_or('?').to_uppercase().next().unwrap_or('?');
            let numbered = || {
                let free = (2..).map(|n| format!("{first}{n}")).find(|mark| !taken.contains(mark));
                free.expect("there are more numbers than seats")
            };
            let mark = mark.unwrap_or_else(numbered);
            taken.insert(mark.clone());
            mark
        })
        .collect()
}

fn candidates(name: &str) -> Vec<String> {
    let words: Vec<Vec<char>> = name
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(|word| word.chars().collect())
        .collect();
    let Some(first) = words.first() else {
        // A name of emoji or punctuation only: its first character.
        return name.chars().find(|c| !c.is_whitespace()).map(String::from).into_iter().collect();
    };
    let head: String = first[0].to_uppercase().collect();
    let rest = words.get(1..).unwrap_or_default().iter().map(|word| word[0].to_uppercase().to_string());
    let letters = first.iter().skip(1).map(ToString::to_string);
    let mut found: Vec<String> = rest.chain(letters).map(|second| format!("{head}{second}")).collect();
    if found.is_empty() {
        found.push(head);
    }
    found
}

/// An occupied seat, for the list of seats.
#[derive(Clone, PartialEq, Debug)]
pub struct Sitter {
    pub agent_id: String,
    pub name: String,
    /// Whether a house mind plays the seat now.
    pub house: bool,
    /// Whether a house mind took the seat over from a player.
    pub handed: bool,
    /// Whether the viewer may hand it to a house mind now.
    pub may_hand: bool,
}

impl Sitter {
    /// Everybody on the roster; the caller sets `may_hand`.
    pub fn all(game: GameId, roster: &Roster) -> Vec<Sitter> {
        roster
            .iter()
            .map(|(seat, occupied)| Sitter {
                agent_id: roster.agent_id(game, seat),
                name: occupied.name.to_string(),
                house: occupied.house,
                handed: occupied.house && occupied.holder != Holder::House,
                may_hand: false,
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_short_and_all_different() {
        let names =
            ["Ada Lovelace", "Alan", "Alan", "Alan", "A", "A", "지우", "지우", "<script>alert(1)</script>", "!!"];
        let marks = marks(names.into_iter());
        assert_eq!(marks, ["AL", "Al", "Aa", "An", "A", "A2", "지우", "지2", "SA", "!"]);
        assert_eq!(marks.iter().collect::<BTreeSet<_>>().len(), names.len());
    }
}
