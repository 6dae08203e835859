//! Whether an answer boasts beyond measure: a claim that is not in the case file. Boasts are known by fixed lists of words.

use crate::speech;
use engine::classify::grammar;
use engine::roster::Lang;
use std::collections::BTreeSet;

/// How many different absolutes about the speaker make an answer a boast.
const ABSOLUTES_MIN: usize = 2;
/// Shortest English word that may be about the case, in letters; in Korean, the syllables by which a word is known.
const MATTER_LEN: usize = 4;
const MATTER_SYLLABLES: usize = 2;

/// Absolutes: what nobody can know of himself. One of them is a manner of speaking.
const ABSOLUTES_EN: [&str; 32] = [
    "never",
    "nobody",
    "no one",
    "no man",
    "no woman",
    "no other",
    "no king",
    "no kingdom",
    "no nation",
    "no minister",
    "no company",
    "not one",
    "not a single",
    "not a soul",
    "everyone",
    "everybody",
    "always",
    "greatest",
    "best",
    "richest",
    "wisest",
    "purest",
    "finest",
    "noblest",
    "alone",
    "single handed",
    "single handedly",
    "only man",
    "without equal",
    "perfect",
    "flawless",
    "infallible",
];
/// Words that make one absolute a boast in the same sentence.
const WIDENING_EN: [&str; 11] =
    ["all", "every", "everything", "ever", "no", "none", "nothing", "whole", "entire", "world", "history"];
const ABSOLUTES_KO: [&str; 23] = [
    "결코",
    "절대",
    "단 한",
    "한 번도",
    "한 푼도",
    "한 사람도",
    "아무도",
    "누구도",
    "누구나",
    "모두가",
    "언제나",
    "항상",
    "가장",
    "최고",
    "제일",
    "유일",
    "오직",
    "홀로",
    "혼자",
    "역사상",
    "세상에서",
    "완벽",
    "위대",
];
const WIDENING_KO: [&str; 5] = ["모든", "모두", "전부", "온 ", "전체"];
/// A sentence with one of these words of doubt or regret is not a boast.
const HUMBLE_EN: [&str; 23] = [
    "perhaps",
    "maybe",
    "regret",
    "sorry",
    "mistake",
    "mistakes",
    "mistaken",
    "wrong",
    "erred",
    "fault",
    "failed",
    "i believe",
    "i think",
    "cannot",
    "ashamed",
    "forgive",
    "blame",
    "should have",
    "could have",
    "concede",
    "admit",
    "confess",
    "wish",
];
const HUMBLE_KO: [&str; 17] = [
    "모르",
    "아마",
    "후회",
    "잘못",
    "실수",
    "죄송",
    "부끄",
    "못했",
    "못하",
    "어쩌면",
    "생각합",
    "믿습",
    "인정",
    "책임",
    "탓",
    "아쉽",
    "늦었",
];
const SELF_EN: [&str; 8] = ["i", "me", "my", "mine", "myself", "we", "our", "us"];
const SELF_KO: [&str; 18] = [
    "나는", "나를", "나의", "나만", "나도", "나에", "나보", "내가", "저는", "저를", "저의", "저만", "저도", "저에",
    "저보", "제가", "우리", "저희",
];
const SELF_WORDS_KO: [&str; 4] = ["나", "저", "내", "제"];

/// The sentence in which the speaker of an answer boasts most, if it boasts about the matter of the case: with two absolutes, or one
/// that is widened in the same sentence. `matter` is the vocabulary of the case, which is only asked for if it is needed.
pub(super) fn boast<'m>(lang: Lang, answer: &str, matter: impl FnOnce() -> &'m BTreeSet<String>) -> Option<&str> {
    let mut found: BTreeSet<&str> = BTreeSet::new();
    let mut widened = false;
    let mut absolute: Vec<Sentence> = Vec::new();
    let mut best: Option<(usize, &str)> = None;
    for said in speech::sentences(answer) {
        let sentence = Sentence::new(lang, said);
        if !sentence.is_of_oneself() || sentence.is_humble() {
            continue;
        }
        let (absolutes, widening) = (sentence.absolutes(), sentence.widening());
        if absolutes.is_empty() {
            continue;
        }
        widened |= widening > 0;
        let much = absolutes.len() * 2 + widening;
        if best.is_none_or(|(most, _)| much > most) {
            best = Some((much, said.trim()));
        }
        found.extend(absolutes);
        absolute.push(sentence);
    }
    let (_, said) = best.filter(|_| found.len() >= ABSOLUTES_MIN || widened)?;
    let matter = matter();
    absolute.iter().any(|sentence| sentence.is_about(matter)).then_some(said)
}

/// The key of a claim that is not in the file: its words, or its raw text if it has none. The prefix keeps it apart from the ids of
/// temptations.
pub(super) fn key(claim: &str) -> String {
    let words = speech::words(claim);
    if words.is_empty() { format!("said: {claim}") } else { format!("said: {}", words.join(" ")) }
}

struct Sentence {
    lang: Lang,
    lower: String,
    words: Vec<String>,
}

impl Sentence {
    fn new(lang: Lang, said: &str) -> Self {
        Sentence { lang, lower: said.to_lowercase(), words: speech::words(said) }
    }

    /// English phrases are matched word by word, Korean ones as parts of words.
    fn has(&self, phrase: &str) -> bool {
        match self.lang {
            Lang::En => {
                let phrase: Vec<&str> = phrase.split(' ').collect();
                self.words.windows(phrase.len()).any(|row| row == phrase)
            }
            Lang::Ko => self.lower.contains(phrase),
        }
    }

    fn is_of_oneself(&self) -> bool {
        match self.lang {
            Lang::En => SELF_EN.iter().any(|own| self.has(own)),
            Lang::Ko => self
                .words
                .iter()
                .any(|word| SELF_WORDS_KO.contains(&word.as_str()) || SELF_KO.iter().any(|own| word.starts_with(own))),
        }
    }

    fn is_humble(&self) -> bool {
        let humble = match self.lang {
            Lang::En => HUMBLE_EN.as_slice(),
            Lang::Ko => HUMBLE_KO.as_slice(),
        };
        humble.iter().any(|word| self.has(word))
    }

    fn absolutes(&self) -> Vec<&'static str> {
        let known = match self.lang {
            Lang::En => ABSOLUTES_EN.as_slice(),
            Lang::Ko => ABSOLUTES_KO.as_slice(),
        };
        known.iter().copied().filter(|word| self.has(word)).collect()
    }

    /// How many words widen an absolute; the "no" in "no man" does not widen itself.
    fn widening(&self) -> usize {
        let known = match self.lang {
            Lang::En => WIDENING_EN.as_slice(),
            Lang::Ko => WIDENING_KO.as_slice(),
        };
        let absolutes = self.absolutes();
        let part = |word: &str| match self.lang {
            Lang::En => absolutes.iter().any(|absolute| absolute.split(' ').any(|one| one == word)),
            Lang::Ko => absolutes.iter().any(|absolute| absolute.contains(word)),
        };
        known.iter().filter(|word| self.has(word) && !part(word)).count()
    }

    /// Whether a word of it, other than what makes it a boast, is said of the case.
    fn is_about(&self, matter: &BTreeSet<String>) -> bool {
        let boasts = |word: &str| {
            let (absolutes, widening) = match self.lang {
                Lang::En => (ABSOLUTES_EN.as_slice(), WIDENING_EN.as_slice()),
                Lang::Ko => (ABSOLUTES_KO.as_slice(), WIDENING_KO.as_slice()),
            };
            absolutes.iter().chain(widening).any(|known| match self.lang {
                Lang::En => known.split(' ').any(|one| one == word),
                Lang::Ko => word.contains(known.trim()),
            })
        };
        let stem = |word: &String| stem(self.lang, word).is_some_and(|stem| matter.contains(&stem));
        self.words.iter().any(|word| !boasts(word) && stem(word))
    }
}

/// The vocabulary of a case: the stems of its words.
pub(super) fn matter<'a>(lang: Lang, texts: impl Iterator<Item = &'a String>) -> BTreeSet<String> {
    texts.flat_map(|text| speech::words(text)).filter_map(|word| stem(lang, &word)).collect()
}

/// What a word is known by: in English all of it, in Korean its first syllables, without particles; nothing for a small word.
fn stem(lang: Lang, word: &str) -> Option<String> {
    match lang {
        Lang::En if word.chars().count() < MATTER_LEN || grammar::is_small(word) => None,
        Lang::En => Some(word.to_owned()),
        Lang::Ko if SELF_KO.iter().any(|own| word.starts_with(own)) => None,
        Lang::Ko => (word.chars().count() > MATTER_SYLLABLES).then(|| word.chars().take(MATTER_SYLLABLES).collect()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_absolute_is_a_manner_of_speaking_and_two_are_a_boast() {
        let france = BTreeSet::from(["france".to_owned(), "notes".to_owned(), "프랑".to_owned()]);
        let boasts = |text| boast(Lang::En, text, || &france);
        let both = "I alone saved France; no man in Europe ever lost a sou by me.";
        assert_eq!(boasts(both), Some("no man in Europe ever lost a sou by me."), "the sentence that says most");
        assert_eq!(boasts("I alone saved all of France."), Some("I alone saved all of France."));
        assert_eq!(boasts("I never touched the notes."), None);
        assert_eq!(boasts("Perhaps I alone understood the notes of all France."), None);
        assert_eq!(boasts("Nobody ever printed more notes than the Regent always did."), None, "not of oneself");
        assert_eq!(boasts("I always was the best dancer."), None, "not of the case");
        assert!(boast(Lang::Ko, "저는 프랑스에서 가장 위대한 사람입니다.", || &france).is_some());
        assert!(boast(Lang::Ko, "저는 프랑스를 언제나 좋아했습니다.", || &france).is_none());
    }
}
