//! The lines that a kind's house minds may say, and which of them occur in a text.

use crate::speech::is_line;
use engine::parts::lines::LineId;
use serde_json::Value;
use std::collections::BTreeMap;

/// Lines are indexed by this many consecutive words; a line without that many between its slots is never found.
const ROW: usize = 3;

/// Lines with unfilled slots, indexed by a run of words that occurs in them whatever the slots hold.
#[derive(Default)]
pub(crate) struct Lines(BTreeMap<String, Vec<String>>);

impl Lines {
    /// Every string in these JSON files.
    pub(crate) fn of(files: &[&str]) -> Self {
        let mut lines = Lines::default();
        for file in files {
            lines.add(&serde_json::from_str(file).expect("the files are part of the program and a test reads them"));
        }
        lines
    }

    /// Adds every string in a file, at any depth.
    pub(crate) fn add(&mut self, file: &Value) {
        match file {
            Value::String(line) => {
                if let Some(row) = row_of(line) {
                    self.0.entry(row).or_default().push(line.clone());
                }
            }
            Value::Array(all) => all.iter().for_each(|one| self.add(one)),
            Value::Object(all) => all.values().for_each(|one| self.add(one)),
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }

    /// The lines that occur in a text, whatever was filled into their slots and whatever surrounds them.
    pub(crate) fn ids_in(&self, text: &str) -> Vec<LineId> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let likely = words.windows(ROW).filter_map(|row| self.0.get(&row.join(" "))).flatten();
        let found = likely.filter(|line| is_line(&format!("{{before}}{line}{{after}}"), text));
        found.map(|line| LineId::of(line)).collect()
    }
}

/// The first words of the longest stretch between a line's slots. A word that touches a slot does not count, since the slot's value becomes
/// part of it.
fn row_of(line: &str) -> Option<String> {
    let pieces = line.split('{').enumerate().map(|(place, piece)| {
        let text = if place == 0 { piece } else { piece.split_once('}').map_or("", |(_, text)| text) };
        let starts = if place == 0 { 0 } else { text.find(char::is_whitespace).unwrap_or(text.len()) };
        (place, &text[starts..])
    });
    let slots = line.matches('{').count();
    let whole = pieces.map(|(place, text)| {
        let ends = if place == slots { text.len() } else { text.rfind(char::is_whitespace).unwrap_or(0) };
        text[..ends].split_whitespace().collect::<Vec<_>>()
    });
    let longest = whole.max_by_key(Vec::len)?;
    (longest.len() >= ROW).then(|| longest[..ROW].join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = r#"{"a": ["I stay with {side} because of {point} and nothing else.", "Two words."],
        "b": {"c": "{point}이(가) 남는 한 저는 {side}에 머무르겠습니다.", "d": "Plain words without a slot."}}"#;

    #[test]
    fn a_line_is_found_in_a_text_whatever_stands_in_its_slots_and_around_it() {
        let lines = Lines::of(&[FILE]);
        let ids = |text: &str| lines.ids_in(text);
        let stay = LineId::of("I stay with {side} because of {point} and nothing else.");
        assert_eq!(ids("I stay with the defence because of the bread and nothing else."), [stay]);
        assert_eq!(ids("Well. I stay with guilt because of it and nothing else. So there."), [stay]);
        assert_eq!(ids("I stay with the defence, and nothing else."), []);
        let both = ids("기록이 남는 한 저는 유죄에 머무르겠습니다. Plain words without a slot.");
        assert_eq!(both.len(), 2, "{both:?}");
        assert_eq!(ids("Two words."), [], "too short to be known again");
    }
}
