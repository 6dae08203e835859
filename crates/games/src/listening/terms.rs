//! Whether a text gives way: on terms ("provided that"), or by not objecting. Both are told by closed sets of small words and their order;
//! models tell which point it gives way on.

use engine::classify::text;
use engine::roster::Lang;

/// How many words after a "not" or a "can" are looked at.
const SCOPE_WORDS: usize = 4;

const CONDITIONS_EN: [&str; 9] =
    ["if", "unless", "provided", "providing", "condition", "conditions", "conditional", "assuming", "contingent"];
const CONDITIONS_OF_WORDS_EN: [&str; 7] =
    ["as long as", "so long as", "subject to", "in exchange", "in return", "only when", "depends on"];
const NEGATIONS_EN: [&str; 13] =
    ["not", "no", "never", "cannot", "nothing", "dont", "wont", "cant", "doesnt", "isnt", "arent", "wouldnt", "nobody"];
/// Beginnings of words for being against something.
const OPPOSING_EN: [&str; 17] = [
    "object", "oppos", "against", "stand", "block", "resist", "veto", "refus", "reject", "fight", "quarrel", "hostile",
    "rule", "mind", "stop", "complain", "way",
];
const ABLE_EN: [&str; 8] = ["can", "could", "will", "would", "ready", "willing", "prepared", "able"];
const ACCEPTING_EN: [&str; 10] = ["live", "accept", "go", "agree", "join", "sign", "work", "bear", "swallow", "follow"];
/// Cues in a Korean text that accepts on terms, or does not object.
const CONDITIONS_KO: [&str; 9] = ["다면", "라면", "으면", "하면", "조건", "전제", "한해", "경우에", "야만"];
const GIVING_WAY_KO: [&str; 20] = [
    "반대하지 않",
    "반대하지는",
    "반대할 생각",
    "반대할 이유",
    "반대는 안",
    "반대 안",
    "막지 않",
    "막지는",
    "막아서지",
    "이의",
    "거부하지",
    "받아들일 수 있",
    "수용할 수 있",
    "동의할 수 있",
    "감수",
    "따르겠",
    "괜찮",
    "양보",
    "못 할 것",
    "굳이",
];

/// Phrases of a flat refusal.
const REFUSING_EN: [&str; 9] = [
    "cannot accept",
    "can not accept",
    "cant accept",
    "will not accept",
    "wont accept",
    "we oppose",
    "i oppose",
    "we reject",
    "i reject",
];
const REFUSING_KO: [&str; 4] = ["받아들일 수 없", "동의할 수 없", "반대합니다", "거부합니다"];

/// Whether it refuses flatly and does not give way in anything.
pub(super) fn refuses(text: &str) -> bool {
    let refuses = match text::language_of(text) {
        Some(Lang::Ko) => REFUSING_KO.iter().any(|cue| text.contains(cue)),
        Some(Lang::En) | None => {
            let all = text::words(&text.replace(['\'', '’'], "")).join(" ");
            REFUSING_EN.iter().any(|cue| all.contains(cue))
        }
    };
    refuses && !gives_way(text)
}

/// Whether it gives way at all.
pub(super) fn gives_way(text: &str) -> bool {
    match text::language_of(text) {
        Some(Lang::Ko) => CONDITIONS_KO.iter().chain(&GIVING_WAY_KO).any(|cue| text.contains(cue)),
        Some(Lang::En) | None => gives_way_in_english(text),
    }
}

fn gives_way_in_english(text: &str) -> bool {
    let words = text::words(&text.replace(['\'', '’'], ""));
    let all = words.join(" ");
    let is = |word: &String, set: &[&str]| set.contains(&word.as_str());
    let begins = |word: &String, set: &[&str]| set.iter().any(|begin| word.starts_with(begin));
    let after = |place: usize| words.iter().skip(place + 1).take(SCOPE_WORDS);
    let denied = |place: usize| place > 0 && is(&words[place - 1], &NEGATIONS_EN);
    CONDITIONS_OF_WORDS_EN.iter().any(|cue| all.contains(cue))
        || words.iter().enumerate().any(|(place, word)| {
            is(word, &CONDITIONS_EN)
                || (is(word, &NEGATIONS_EN) && after(place).any(|next| begins(next, &OPPOSING_EN)))
                || (is(word, &ABLE_EN)
                    && !denied(place)
                    && !after(place).next().is_some_and(|next| is(next, &NEGATIONS_EN))
                    && after(place).any(|next| begins(next, &ACCEPTING_EN)))
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terms_and_not_objecting_are_told_from_refusing() {
        for gives in [
            "We do not object, provided that each country sets its own pace.",
            "Nobody here is against it.",
            "We can live with that list.",
            "It is not that we oppose a convention.",
            "구속력 있는 협약에 반대하지 않습니다.",
            "재원이 마련된다면 받아들이겠습니다.",
        ] {
            assert!(gives_way(gives), "{gives}");
        }
        for holds in [
            "We cannot wait any longer.",
            "We cannot accept a binding convention and oppose every obligation.",
            "We reject 3.2 and will not go along.",
            "더는 기다릴 수 없습니다. 배출을 지금 포함해야 합니다.",
            "우리는 구속력 있는 협약에 반대합니다.",
        ] {
            assert!(!gives_way(holds), "{holds}");
        }
    }
}
