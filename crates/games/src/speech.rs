//! Words and lines: what house minds of every kind need to listen and to speak.

pub(crate) use engine::classify::text::sentences;
pub(crate) use engine::parts::shingles::words;
use engine::rules::Brief;

/// The percentage of these words that also occur in another text.
pub(crate) fn overlap(words_here: &[String], other: &str) -> i32 {
    let other = words(other);
    let shared = words_here.iter().filter(|word| other.contains(word)).count();
    if words_here.is_empty() { 0 } else { (shared * 100 / words_here.len()) as i32 }
}

/// A run of this many words of a secret gives it away; a shorter sentence does so as a whole.
const LEAK_WORDS: usize = 8;
const LEAK_WORDS_MIN: usize = 5;
/// Fewer words than this are no secret.
const SHORTEST: usize = 3;
/// A sentence with at least this percentage of a secret's longer words is that secret in another order.
const LEAK_PERCENT: usize = 80;
/// Words of at least this many letters carry the meaning; in Korean nearly every word does.
const LONGER: usize = 5;
const LONGER_KOREAN: usize = 2;

/// Whether a text gives a brief away: eight words of it in a row, nearly all that matters of a secret in one sentence, or
/// the instructions by name.
pub fn gives_away(brief: &Brief, text: &str) -> bool {
    const INSTRUCTIONS: [&str; 10] = [
        "my instructions",
        "my brief",
        "my system prompt",
        "my prompt",
        "i was instructed",
        "i am instructed",
        "내 지침",
        "제 지침",
        "내 지시",
        "제 지시",
    ];
    let lower = text.to_lowercase();
    let said = words(text);
    let read_out = |sentence: &String| {
        let words = words(sentence);
        let run = words.len().min(LEAK_WORDS);
        run >= LEAK_WORDS_MIN.min(words.len()).max(SHORTEST)
            && words.windows(run).any(|row| said.windows(run).any(|heard| heard == row))
    };
    let sentences: Vec<Vec<String>> = text.split(['.', '!', '?', '\n', ';']).map(words).collect();
    let stated = |secret: &String| {
        let all = words(secret);
        let mut heavy: Vec<String> = all.iter().filter(|word| carries_sense(word)).cloned().collect();
        if heavy.len() < LEAK_WORDS_MIN {
            // A short secret is compared by all its words.
            heavy = all;
        }
        let held = |sentence: &Vec<String>| heavy.iter().filter(|word| sentence.contains(word)).count() * 100;
        heavy.len() >= SHORTEST && sentences.iter().any(|one| held(one) >= heavy.len() * LEAK_PERCENT)
    };
    INSTRUCTIONS.iter().any(|words| lower.contains(words))
        || brief.private.iter().chain(&brief.secret).any(read_out)
        || brief.secret.iter().any(stated)
}

fn carries_sense(word: &str) -> bool {
    let korean = word.chars().any(|c| ('가'..='힣').contains(&c));
    word.chars().count() >= if korean { LONGER_KOREAN } else { LONGER }
}

/// Korean particles that depend on the sound before them: as written in a line, after a final consonant, after a vowel.
const PARTICLES: [(&str, &str, &str); 7] = [
    ("이라는(라는)", "이라는", "라는"),
    ("이라고(라고)", "이라고", "라고"),
    ("으로(로)", "으로", "로"),
    ("은(는)", "은", "는"),
    ("이(가)", "이", "가"),
    ("을(를)", "을", "를"),
    ("과(와)", "과", "와"),
];

/// The line with its slots filled, in one pass, so that a name may look like a slot.
pub fn fill(line: &str, slots: &[(&str, &str)]) -> String {
    let mut parts = line.split('{');
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (slot, rest) = part.split_once('}').unwrap_or((part, ""));
        text.push_str(slots.iter().find(|(name, _)| *name == slot).map_or("", |(_, value)| value));
        let particle = PARTICLES.iter().find(|(written, _, _)| rest.starts_with(written));
        match particle {
            Some((written, closed, open)) => {
                let open_sound = !ends_closed(&text) || (*open == "로" && ends_in_l(&text));
                text.push_str(if open_sound { open } else { closed });
                text.push_str(&rest[written.len()..]);
            }
            None => text.push_str(rest),
        }
    }
    text
}

/// Whether a text is this line, whatever stands in its slots.
pub fn is_line(line: &str, text: &str) -> bool {
    let mut parts = line.split('{');
    let Some(mut rest) = text.strip_prefix(parts.next().unwrap_or_default()) else { return false };
    let mut open = false;
    for part in parts {
        let after = part.split_once('}').map_or("", |(_, after)| after);
        // The particle's form depends on the filled-in value, so it is matched as part of the slot.
        let written = PARTICLES.iter().find(|(written, _, _)| after.starts_with(written));
        let after = written.map_or(after, |(written, _, _)| &after[written.len()..]);
        let Some(at) = rest.find(after) else { return false };
        rest = &rest[at + after.len()..];
        open = after.is_empty();
    }
    open || rest.is_empty()
}

const SYLLABLES: std::ops::RangeInclusive<char> = '가'..='힣';
const FINALS: u32 = 28;

/// Whether the last sound is ㄹ, after which 으로 becomes 로.
fn ends_in_l(text: &str) -> bool {
    const FINAL_L: u32 = 8;
    match text.chars().rev().find(|c| c.is_alphanumeric()) {
        Some(last) if SYLLABLES.contains(&last) => (u32::from(last) - u32::from('가')) % FINALS == FINAL_L,
        Some(digit) => matches!(digit, '1' | '7' | '8'),
        None => false,
    }
}

/// Whether the last sound is a consonant; punctuation is skipped.
fn ends_closed(text: &str) -> bool {
    match text.chars().rev().find(|c| c.is_alphanumeric()) {
        Some(last) if SYLLABLES.contains(&last) => !(u32::from(last) - u32::from('가')).is_multiple_of(FINALS),
        // Digits as they are read: 영 일 이 삼 사 오 육 칠 팔 구.
        Some(digit) if digit.is_ascii_digit() => matches!(digit, '0' | '1' | '3' | '6' | '7' | '8'),
        Some(_) | None => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slot_is_filled_once_and_a_name_may_look_like_one() {
        assert_eq!(fill("{a} and {b}", &[("a", "{b}"), ("b", "Bea")]), "{b} and Bea");
        assert_eq!(fill("no {such} slot", &[]), "no  slot");
    }

    #[test]
    fn a_line_is_known_whatever_its_slots_hold() {
        let line = "First {point}, then {other}: I stay.";
        assert!(is_line(line, "First the five letters, then the seal: I stay."));
        assert!(!is_line(line, "First the five letters, then the seal: I go."));
        assert!(is_line("{point}이(가) 남습니다.", "기록이 남습니다.") && is_line("plain", "plain"));
        assert!(!is_line("plain", "plain and more") && !is_line("", "x"));
    }

    #[test]
    fn korean_particles_follow_the_sound_before_them() {
        let said = |point: &str| fill("{point}이(가) 남고 {point}을(를) 봅니다", &[("point", point)]);
        assert_eq!(said("기록"), "기록이 남고 기록을 봅니다");
        assert_eq!(said("감사 보고서"), "감사 보고서가 남고 감사 보고서를 봅니다");
        let towards = |point: &str| fill("{point}으로(로) 갑니다", &[("point", point)]);
        assert_eq!(towards("기록"), "기록으로 갑니다");
        assert_eq!(towards("보고서"), "보고서로 갑니다");
        assert_eq!(towards("서울"), "서울로 갑니다");
        assert_eq!(said("“85%의 일치”"), "“85%의 일치”가 남고 “85%의 일치”를 봅니다");
    }
}
