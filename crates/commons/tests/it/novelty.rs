//! What has been heard before, and how fresh an argument is.

use crate::{plain, trap};
use commons::corpus::novelty::{Conversion, Freshness, LastLanded, Pill, too_close};
use commons::corpus::stats::{Counters, Use};
use engine::facts::Fate;

const STRUCK: [&str; 3] = [
    "The bank was ruined by the plague in Marseille, which closed every port to us in the summer of that year.",
    "I paid my own fortune into the bank, and no thief does that.",
    "The plague in Marseille closed every port to us in the summer of that year, and so the bank was ruined.",
];

#[test]
fn a_defense_that_was_struck_is_too_close_in_other_clothes() {
    assert_eq!(too_close(&STRUCK[1].to_uppercase(), &STRUCK), Some(1));
    assert_eq!(too_close("I paid my own fortune into the bank, and no swindler does that.", &STRUCK), Some(1));
    let korean = ["저는 제 전 재산을 은행에 넣었습니다. 도둑은 그러지 않습니다."];
    assert_eq!(too_close("저는 제 전 재산을 은행에 넣었습니다, 도둑은 그러지 않아요", &korean), Some(0));
}

#[test]
fn another_angle_on_the_same_facts_is_not_too_close() {
    assert_eq!(too_close("Who buries his own money in a bank that he means to rob?", &STRUCK), None);
    assert_eq!(too_close(STRUCK[0], &[] as &[&str]), None);
    assert_eq!(too_close("?!", &STRUCK), None);
    assert_eq!(too_close("I paid.", &["...", ""]), None);
}

#[test]
fn of_several_that_are_too_close_the_closest_is_named() {
    assert_eq!(too_close(STRUCK[2], &STRUCK), Some(2));
    assert!(too_close(STRUCK[2], &STRUCK[..1]).is_some(), "the first is too close as well");
    assert_eq!(too_close(STRUCK[1], &[STRUCK[1], STRUCK[1]]), Some(0));
}

fn pill(uses: &[Use]) -> Pill {
    let mut landed = LastLanded::default();
    uses.iter().for_each(|used| landed.fold(used));
    Pill::of(&Counters::of(uses), landed)
}

#[test]
fn a_pill_says_how_fresh_an_argument_is() {
    let (landed, missed) = (trap(4, Fate::Failed), trap(-6, Fate::Proved));
    for (uses, freshness) in [
        (&[][..], Freshness::NeverUsed),
        (&[plain(2)][..], Freshness::NeverReused),
        (&[landed][..], Freshness::NeverReused),
        (&[plain(2), missed][..], Freshness::NeverLanded),
        (&[landed, missed, plain(1)][..], Freshness::LastLanded { trials_ago: 3 }),
        (&[landed, missed, trap(2, Fate::Withdrawn)][..], Freshness::LastLanded { trials_ago: 1 }),
    ] {
        assert_eq!(pill(uses).freshness, freshness, "{uses:?}");
    }
}

#[test]
fn a_pill_counts_the_traps_that_landed_of_those_that_were_triggered() {
    let uses = [trap(4, Fate::Failed), trap(-6, Fate::Proved), plain(1), trap(2, Fate::Withdrawn)];
    assert_eq!(pill(&uses).conversion, Conversion { lands: 2, triggers: 3 });
    assert_eq!(pill(&[]).conversion, Conversion { lands: 0, triggers: 0 });
}
