//! The moving average, its slope and its interval.

use crate::{plain, trap};
use commons::corpus::effectiveness::{Score, Standing, TenThousandths, Track, interval};
use commons::corpus::stats::{JURY_SHIFT_MAX, Use};
use engine::facts::Fate;
use proptest::prelude::*;

fn of(uses: &[Use]) -> Standing {
    Track::of(uses.iter().map(Score::of_use)).standing()
}

#[test]
fn everything_begins_at_a_half() {
    let standing = of(&[]);
    assert_eq!((standing.uses, standing.effectiveness.0, standing.decay_slope.0), (0, 5_000, 0));
    assert_eq!((standing.recent_uses, standing.recent_change.0), (0, 0));
}

#[test]
fn a_use_is_scored_by_trap_and_jury_within_0_and_1() {
    // After one use the average is 0.375 + s / 4.
    for (used, average) in [
        (plain(0), 3_750),
        (plain(12), 6_250),
        (plain(-4), 3_750),
        // 1/12 is 0.083333, a quarter of it 0.020833.
        (plain(1), 3_958),
        (Use { triggered: true, ..plain(0) }, 5_000),
        (Use { triggered: true, ..plain(-3) }, 4_375),
        (trap(0, Fate::Failed), 6_250),
        // 1 + 0.5 - 1.
        (trap(-12, Fate::Withdrawn), 5_000),
        // 0.5 - 0.5.
        (trap(-6, Fate::Proved), 3_750),
        (trap(2, Fate::Proved), 5_417),
    ] {
        assert_eq!(of(&[used]).effectiveness, TenThousandths(average), "{used:?}");
    }
}

#[test]
fn an_argument_that_stops_landing_decays_and_says_how_steeply() {
    let mut uses = vec![trap(6, Fate::Failed); 5];
    let risen = of(&uses);
    // 1 - 0.5 * 0.75^5 = 0.88135.
    assert_eq!((risen.effectiveness.0, risen.recent_change.0, risen.decay_slope.0), (8_813, 3_813, 763));
    uses.extend([trap(-6, Fate::Proved); 3]);
    let fallen = of(&uses);
    // 0.88135 * 0.75^3 = 0.37182; five uses before it was 1 - 0.5 * 0.75^3 = 0.78906.
    assert_eq!((fallen.effectiveness.0, fallen.recent_change.0, fallen.decay_slope.0), (3_718, -4_172, -834));
    assert_eq!((fallen.uses, fallen.recent_uses), (8, 5));
}

#[test]
fn the_slope_of_fewer_than_five_uses_is_since_the_start() {
    // 0.5, 0.375, 0.28125: the change of -2187.5 is rounded up, since halves are, and the slope of -1093.75 to the nearest.
    let standing = of(&[plain(0), plain(0)]);
    assert_eq!((standing.recent_uses, standing.recent_change.0, standing.decay_slope.0), (2, -2_187, -1_094));
}

#[test]
fn a_defense_is_measured_by_how_often_it_is_proved() {
    let rate = |verdicts: &[Fate]| Track::of(verdicts.iter().copied().map(Score::of_defense)).standing();
    assert_eq!(rate(&[Fate::Proved]).effectiveness.0, 6_250);
    assert_eq!(rate(&[Fate::Withdrawn]).effectiveness.0, 3_750);
    assert_eq!(rate(&[Fate::Failed]).effectiveness.0, 3_750);
    assert!(rate(&[Fate::Proved; 5]).effectiveness.0 > 7_000, "five proofs in a row are a high rate");
}

#[test]
fn the_interval_is_that_of_the_share_of_uses_that_worked() {
    // By hand, with z = 1.96: 1 of 1 lies between 0.20655 and 1, 0 of 1 between 0 and 0.79345, 5 of 10 between 0.23659 and 0.76341.
    assert_eq!(interval(1, 1), (TenThousandths(2_060), TenThousandths(10_000)));
    assert_eq!(interval(0, 1), (TenThousandths(0), TenThousandths(7_940)));
    assert_eq!(interval(5, 10), (TenThousandths(2_360), TenThousandths(7_640)));
    assert_eq!(interval(0, 0), (TenThousandths(0), TenThousandths(10_000)), "nothing is known before the first use");
    let low = |worked, uses| interval(worked, uses).0;
    assert!(low(9, 10) > low(1, 1), "ten uses say more than one");
    assert!(low(90, 100) > low(9, 10) && low(9, 10) > low(5, 10));
}

#[test]
fn a_use_worked_if_it_did_at_least_half_of_what_it_could() {
    let worked = |used: Use| Score::of_use(&used).has_worked();
    assert!(worked(trap(0, Fate::Failed)) && worked(plain(6)) && worked(Use { triggered: true, ..plain(0) }));
    assert!(!worked(plain(5)) && !worked(trap(-6, Fate::Proved)));
    let standing = of(&[trap(4, Fate::Failed), plain(-2), plain(2)]);
    assert_eq!((standing.low, standing.high), interval(1, 3));
}

fn any_use() -> impl Strategy<Value = Use> {
    let shift = i64::from(-JURY_SHIFT_MAX)..=i64::from(JURY_SHIFT_MAX);
    let verdict = prop_oneof![Just(None), prop::sample::select(&Fate::ALL[..]).prop_map(Some)];
    (shift, any::<bool>(), verdict).prop_map(|(jurors, triggered, verdict)| Use {
        triggered: triggered || verdict.is_some(),
        verdict,
        ..plain(jurors)
    })
}

/// The documented formula, in floats.
fn by_formula(uses: &[Use]) -> Vec<f64> {
    let mut averages = vec![0.5];
    for used in uses {
        let landed = f64::from(u8::from(matches!(used.verdict, Some(Fate::Withdrawn | Fate::Failed))));
        let s = landed + 0.5 * f64::from(u8::from(used.triggered)) + used.jury_shift.jurors() as f64 / 12.0;
        averages.push(0.75 * averages[averages.len() - 1] + 0.25 * s.clamp(0.0, 1.0));
    }
    averages
}

proptest! {
    #[test]
    fn fixed_point_never_strays_from_the_formula(uses in prop::collection::vec(any_use(), 0..60)) {
        let standing = of(&uses);
        let averages = by_formula(&uses);
        let now = averages[averages.len() - 1];
        // Half a stored digit, and the few millionths that the steps may be off.
        prop_assert!((standing.effectiveness.0 as f64 - now * 10_000.0).abs() < 0.53, "{:?} {}", standing, now);
        let window = uses.len().min(5);
        let slope = if window == 0 { 0.0 } else { (now - averages[averages.len() - 1 - window]) / window as f64 };
        prop_assert!((standing.decay_slope.0 as f64 - slope * 10_000.0).abs() < 0.56, "{:?} {}", standing, slope);
    }

    #[test]
    fn folding_on_from_where_it_stopped_gives_what_folding_from_scratch_gives(
        uses in prop::collection::vec(any_use(), 0..30),
        cut in any::<prop::sample::Index>(),
    ) {
        let (early, late) = uses.split_at(cut.index(uses.len() + 1));
        let mut track = Track::of(early.iter().map(Score::of_use));
        late.iter().for_each(|used| track.fold(Score::of_use(used)));
        prop_assert_eq!(track.standing(), of(&uses));
    }

    #[test]
    fn the_share_lies_in_its_interval_and_more_uses_make_it_narrower(worked in 0u64..200, more in 0u64..200) {
        let uses = (worked + more).max(1);
        let (TenThousandths(low), TenThousandths(high)) = interval(worked, uses);
        let share = (worked * 10_000 / uses) as i64;
        prop_assert!(0 <= low && low <= share + 1 && share <= high && high <= 10_000);
        prop_assert!(low % 10 == 0 && high % 10 == 0, "in thousandths");
        let (TenThousandths(closer_low), TenThousandths(closer_high)) = interval(4 * worked, 4 * uses);
        prop_assert!(low <= closer_low && closer_high <= high);
    }
}
