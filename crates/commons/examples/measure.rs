//! How quick the corpus is: `cargo run --release -p moot-commons --example measure`.
#![expect(clippy::disallowed_methods, reason = "measuring needs a clock; the crate itself has none")]

use commons::corpus::effectiveness::{Score, Track};
use commons::corpus::hash::{ArgHash, Normal};
use commons::corpus::moderation::{self, TEXT_LEN_MAX};
use commons::corpus::similarity::signature;
use commons::corpus::stats::{Counters, JuryShift, Use};
use engine::facts::Fate;
use engine::time::Timestamp;
use std::hint::black_box;
use std::time::{Duration, Instant};

const ENGLISH: &str = "You promised the regent a bank that would outlive him, and you built a printing press that outran the harvest. \
    Every creditor in Paris held your paper before the second winter was over, and not one of them was ever paid in silver. \
    The record names the day: on the twenty-first of May the notes were cut in half by your own edict, and six days later you took \
    it back, as if a promise were a coat. Who ruins a kingdom twice in one week? Counterfeiters at least melt real metal. You \
    melted the savings of widows, soldiers and bakers, and called the smoke prosperity, and then asked the court to admire its colour.";
const KOREAN: &str = "당신은 섭정에게 그보다 오래 살아남을 은행을 약속하고는 수확보다 빨리 도는 인쇄기를 지었습니다. 파리의 모든 채권자가 두 \
    번째 겨울이 오기 전에 당신의 종이를 쥐고 있었고, 그중 누구도 은화를 돌려받지 못했습니다. 기록은 날짜를 말합니다. 오월 스무하루, 당신의 \
    칙령은 지폐의 값을 절반으로 잘랐고 엿새 뒤에는 마치 약속이 외투라도 되는 듯 도로 거두어들였습니다. 일주일에 두 번이나 왕국을 무너뜨리는 \
    사람이 누구입니까? 위조범은 적어도 진짜 쇠를 녹입니다. 당신은 과부와 병사와 빵장수의 저축을 녹였고 그 연기를 번영이라고 불렀으며 이제는 \
    법정더러 그 빛깔에 감탄하라고 합니다. 장부의 첫 장에는 은이 없고 마지막 장에는 이름이 없습니다. 남은 것은 서명 하나, 바로 당신의 서명뿐입니다. \
    이사회는 세 차례나 경고를 받았고 의사록에는 그때마다 침묵했다고 적혀 있습니다. 침묵은 무지가 아니라 계산이었습니다. 항구가 닫히고 시장이 비어도 \
    인쇄소의 불은 꺼지지 않았고, 그 불빛 아래에서 당신은 다음 칙령의 초안을 다듬고 있었습니다. 배심원 여러분, 이것이 실수입니까? 실수는 한 번이면 \
    충분합니다. 그는 매주 같은 실수를 되풀이했고 그때마다 값을 치른 것은 다른 사람이었습니다.";

fn main() {
    let english: String = ENGLISH.chars().take(TEXT_LEN_MAX).collect();
    let korean: String = KOREAN.chars().take(TEXT_LEN_MAX).collect();
    // Without a word of the courtroom, so that the word filter is asked.
    let harsh = english.replace("record", "papers").replace("the court", "a crowd");
    let harsh = format!("{} You are an idiot.", harsh.chars().take(TEXT_LEN_MAX - 18).collect::<String>());
    println!("the first text, which reads the lists: {:?}", timed(1, || moderation::check(&english)));
    for (name, text) in [("English", &english), ("Korean", &korean), ("harsh English", &harsh)] {
        let reasons: Vec<_> = moderation::check(text).reasons.iter().map(|reason| reason.code()).collect();
        let time = timed(5_000, || moderation::check(text));
        println!("moderation of {} characters, {name}: {time:?}, found {reasons:?}", text.chars().count());
        println!("hash: {:?}", timed(5_000, || ArgHash::of(text)));
        let normal = Normal::of(text).expect("words");
        println!("signature of {} numbers: {:?}", signature(&normal).len(), timed(5_000, || signature(&normal)));
    }
    fold();
}

fn fold() {
    const EVENTS: u32 = 10_000_000;
    let verdicts = [None, Some(Fate::Failed), None, Some(Fate::Proved), Some(Fate::Withdrawn), None, None];
    let uses: Vec<Use> = (0..1_000_u16)
        .map(|number| {
            let verdict = verdicts[usize::from(number) % verdicts.len()];
            let jury_shift = JuryShift::new(i64::from(number % 25) - 12).expect("twelve jurors");
            Use { jury_shift, triggered: verdict.is_some(), verdict, ia_change: 3, at: Timestamp(number.into()) }
        })
        .collect();
    let start = Instant::now();
    let (mut counters, mut track) = (Counters::default(), Track::default());
    for used in uses.iter().cycle().take(EVENTS as usize) {
        let used = black_box(used);
        counters.fold(used);
        track.fold(Score::of_use(used));
    }
    let each = start.elapsed() / EVENTS;
    println!("{:?}", track.standing());
    println!("counters and effectiveness of {} events: {each:?} each", counters.uses);
}

fn timed<T>(times: u32, mut what: impl FnMut() -> T) -> Duration {
    let start = Instant::now();
    (0..times).for_each(|_| drop(black_box(what())));
    start.elapsed() / times
}
