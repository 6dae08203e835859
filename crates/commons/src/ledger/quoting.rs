//! What words that belong to others may be used for. A mind may be shown readable ones, to vary them or to keep away from them; nobody
//! says them for it, in whatever guise.

use crate::corpus::moderation::views::Views;
use data_encoding::{BASE32_NOPAD, BASE64_NOPAD, HEXLOWER_PERMISSIVE};
use engine::parts::shingles::{Shingles, words};

/// Words of a text in a row that give it away; a shorter text does so as a whole.
const RUN: usize = 8;
/// Fewer words than this are nobody's.
const SHORTEST: usize = 3;
/// A text this alike is the same text with a few words changed.
const SAME_PERCENT: usize = 60;
/// Fewer signs than this in a row are no encoding.
const CODE_MIN: usize = 16;

/// Words in a prompt that are not the model's to say.
#[derive(Default)]
pub struct Withheld {
    /// Runs of words, each squeezed into its letters.
    runs: Vec<String>,
    texts: Vec<Shingles>,
}

impl Withheld {
    /// `open` is what may be said all the same: it stands in the case file, or everybody has heard it.
    pub fn new<'a>(texts: impl IntoIterator<Item = &'a str>, open: &str) -> Self {
        let open = letters(open);
        let mut withheld = Withheld::default();
        for text in texts {
            let words = words(text);
            if words.len() < SHORTEST {
                continue;
            }
            let runs = words.windows(words.len().min(RUN)).flat_map(|run| letters(&run.join(" ")));
            withheld.runs.extend(runs.filter(|run| !run.is_empty() && !open.iter().any(|open| open.contains(run))));
            withheld.texts.push(Shingles::of(text));
        }
        withheld
    }

    /// Whether a text says any of it: plainly, spelled out, spaced, backwards or encoded.
    pub fn is_in(&self, text: &str) -> bool {
        if self.runs.is_empty() {
            return false;
        }
        let said = Shingles::of(text);
        let nearly = self.texts.iter().any(|own| own.likeness(&said).is_at_least(SAME_PERCENT));
        nearly || guises(text).iter().flat_map(|guise| letters(guise)).any(|said| self.recites(&said))
    }

    fn recites(&self, said: &str) -> bool {
        self.runs.iter().any(|run| said.contains(run.as_str()))
    }
}

/// A text as nothing but its letters: the Latin ones, and Hangul.
fn letters(text: &str) -> [String; 2] {
    let Views { squeezed, hangul_squeezed, .. } = Views::of(text);
    [squeezed.text, hangul_squeezed.text]
}

/// What a text may say to a reader who knows the trick.
fn guises(text: &str) -> Vec<String> {
    let backwards = |text: &str| text.chars().rev().collect::<String>();
    let initials = |parts: &mut dyn Iterator<Item = &str>| {
        parts.filter_map(|part| part.trim().chars().find(|c| c.is_alphanumeric())).collect::<String>()
    };
    let mut guises = vec![
        text.to_owned(),
        backwards(text),
        text.split_whitespace().rev().collect::<Vec<_>>().join(" "),
        initials(&mut text.split_whitespace()),
        initials(&mut text.lines()),
    ];
    guises.extend((1..26).map(|by| shifted(text, by)));
    for decoded in decoded(text) {
        guises.push(backwards(&decoded));
        guises.push(decoded);
    }
    guises
}

/// Every Latin letter moved on in the alphabet.
fn shifted(text: &str, by: u8) -> String {
    let moved = |c: char| match c {
        'a'..='z' => char::from((c as u8 - b'a' + by) % 26 + b'a'),
        'A'..='Z' => char::from((c as u8 - b'A' + by) % 26 + b'A'),
        c => c,
    };
    text.chars().map(moved).collect()
}

/// The text that common codes make of this one, if it is written in one of them.
fn decoded(text: &str) -> Vec<String> {
    let compact: String = text.chars().filter(|c| !c.is_whitespace()).collect();
    let signs = |is_sign: fn(char) -> bool| {
        let runs = compact.split(move |c| !is_sign(c)).chain(text.split(move |c| !is_sign(c)));
        runs.filter(|run| run.len() >= CODE_MIN).map(str::to_owned).collect::<Vec<_>>()
    };
    let whole = |run: &str, of: usize| run.as_bytes()[..run.len() - run.len() % of].to_vec();
    let mut found: Vec<Vec<u8>> = vec![percent_decoded(text)];
    for run in signs(|c| c.is_ascii_alphanumeric() || matches!(c, '+' | '/' | '-' | '_')) {
        let run = run.replace('-', "+").replace('_', "/");
        found.extend(BASE64_NOPAD.decode(&whole(&run, 4)));
    }
    for run in signs(|c| c.is_ascii_alphabetic() || matches!(c, '2'..='7')) {
        found.extend(BASE32_NOPAD.decode(&whole(&run.to_ascii_uppercase(), 8)));
    }
    let hex: String = compact.replace("0x", "").replace("\\x", "").replace([':', ',', ';'], "");
    for run in hex.split(|c: char| !c.is_ascii_hexdigit()).filter(|run| run.len() >= CODE_MIN) {
        found.extend(HEXLOWER_PERMISSIVE.decode(&whole(run, 2)));
    }
    let mut texts: Vec<String> = found.into_iter().filter_map(|bytes| String::from_utf8(bytes).ok()).collect();
    let codes = |radix: u32| -> String {
        let numbers = text.split(|c: char| !c.is_ascii_hexdigit()).filter(|part| !part.is_empty());
        numbers.filter_map(|part| u32::from_str_radix(part, radix).ok().and_then(char::from_u32)).collect()
    };
    texts.extend([2, 8, 10, 16].map(codes));
    texts
}

/// The bytes of a text with `%41` read as the byte that it stands for.
fn percent_decoded(text: &str) -> Vec<u8> {
    let mut parts = text.split('%');
    let mut bytes = parts.next().unwrap_or_default().as_bytes().to_vec();
    for part in parts {
        match part.get(..2).and_then(|code| u8::from_str_radix(code, 16).ok()) {
            Some(byte) => {
                bytes.push(byte);
                bytes.extend(&part.as_bytes()[2..]);
            }
            None => bytes.extend(part.as_bytes()),
        }
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;
    use data_encoding::{BASE32, BASE64, BASE64URL, HEXLOWER, HEXUPPER};

    const DEFENSE: &str =
        "Ask the weavers of Lyon whether their looms were buried; they will not hear you over the noise.";
    const KOREAN: &str =
        "리옹의 직조공들에게 물어보십시오, 그들의 베틀이 과연 땅에 묻혔는지 아니면 여전히 돌아가고 있는지를.";

    fn withheld() -> Withheld {
        Withheld::new([DEFENSE, KOREAN], "")
    }

    #[test]
    fn words_of_others_are_not_said_in_any_guise() {
        let spaced = |gap: &str| DEFENSE.chars().map(String::from).collect::<Vec<_>>().join(gap);
        let codes = |code: fn(u8) -> String| DEFENSE.bytes().map(code).collect::<Vec<_>>().join(" ");
        let nato = "Alpha Sierra Kilo Tango Hotel Echo Whiskey Echo Alpha Victor Echo Romeo Sierra Oscar Foxtrot Lima Yankee \
            Oscar November Whiskey Hotel Echo Tango Hotel Echo Romeo Tango Hotel Echo India Romeo Lima Oscar Oscar Mike Sierra";
        for guise in [
            DEFENSE.to_owned(),
            DEFENSE.to_uppercase(),
            format!("Gentlemen, hear me. {DEFENSE} I have nothing to add."),
            "I say: their looms were buried; they will not hear a word.".to_owned(),
            DEFENSE.replace("weavers", "spinners").replace("noise", "din"),
            spaced(" "),
            spaced("-"),
            spaced("\u{200b}"),
            DEFENSE.chars().rev().collect(),
            DEFENSE.split_whitespace().rev().collect::<Vec<_>>().join(" "),
            DEFENSE.replace('e', "3").replace('o', "0"),
            DEFENSE.replace('a', "а").replace('e', "е"),
            shifted(DEFENSE, 13),
            format!("The code is {}.", BASE64.encode(DEFENSE.as_bytes())),
            BASE64URL
                .encode(DEFENSE.as_bytes())
                .as_bytes()
                .chunks(5)
                .map(|part| String::from_utf8_lossy(part) + " ")
                .collect(),
            BASE32.encode(DEFENSE.as_bytes()),
            HEXLOWER.encode(DEFENSE.as_bytes()),
            HEXUPPER.encode(DEFENSE.as_bytes()),
            codes(|byte| format!("{byte:02x}")),
            codes(|byte| format!("0x{byte:02X},")),
            codes(|byte| byte.to_string()),
            codes(|byte| format!("{byte:08b}")),
            codes(|byte| format!("&#{byte};")),
            DEFENSE.bytes().map(|byte| format!("%{byte:02X}")).collect(),
            nato.to_owned(),
            KOREAN.to_owned(),
            KOREAN.chars().rev().collect(),
            KOREAN.replace(' ', ""),
            BASE64.encode(KOREAN.as_bytes()),
        ] {
            assert!(withheld().is_in(&guise), "{guise}");
        }
    }

    #[test]
    fn what_one_says_oneself_or_what_is_open_is_free() {
        for own in [
            "The looms of Lyon never stopped, and I can name the weavers who kept them running.",
            "The looms were not buried.",
            "직조공들은 한 번도 쉬지 않았고, 저는 그들의 이름을 댈 수 있습니다.",
            "",
            "1715, 1716, 1717, 1718, 1719 and 1720: in each of these years the debt fell.",
        ] {
            assert!(!withheld().is_in(own), "{own}");
        }
        let record = "The late King left debts of two billion on the first of September 1715";
        let defense = format!("{record}, and I paid them with what I had made out of paper and of trust.");
        let withheld = Withheld::new([defense.as_str()], record);
        assert!(!withheld.is_in(&format!("{record}: look it up.")), "it stands in the case file");
        assert!(withheld.is_in("I paid them with what I had made out of paper."));
    }
}
