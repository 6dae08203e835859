//! The moving average, its slope and its interval.

use crate::{plain, trap};
use commons::corpus::effectiveness::{Score, Standing, TenThousandths, Track};
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
fn the_interval_is_wide_at_first_and_narrows_as_uses_come() {
    let half = Use { triggered: true, ..plain(0) };
    let standing = |uses: usize| {
        let standing = of(&vec![half; uses]);
        assert_eq!(standing.effectiveness.0, 5_000, "half a point each keeps it in the middle");
        standing
    };
    // By hand, with z = 1.96: an average of 0.5 over 1 value lies between 0.05462 and 0.94538, over 7 between 0.20237 and 0.79763.
    let (none, many) = (standing(0), standing(100));
    assert_eq!((none.low.0, none.high.0), (546, 9_454));
    assert_eq!((many.low.0, many.high.0), (2_023, 7_977));
    let widths: Vec<i64> =
        [0, 1, 2, 3, 5, 8, 20].into_iter().map(|uses| standing(uses).high.0 - standing(uses).low.0).collect();
    assert!(widths.is_sorted_by(|wider, narrower| wider > narrower), "{widths:?}");
    assert!(of(&[half; 9]).is_of_few_uses() && !of(&[half; 10]).is_of_few_uses());
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
    fn the_figure_lies_in_its_interval_and_both_between_0_and_1(uses in prop::collection::vec(any_use(), 0..30)) {
        let Standing { low, effectiveness, high, .. } = of(&uses);
        prop_assert!(TenThousandths(0) <= low && low <= effectiveness && effectiveness <= high);
        prop_assert!(high <= TenThousandths(10_000));
    }
}

#[test]
fn the_interval_of_a_stored_figure_is_that_of_its_track_to_a_digit() {
    for number in 0..12 {
        let uses: Vec<Use> = (0..number).map(|n| if n % 3 == 0 { plain(-2) } else { trap(4, Fate::Failed) }).collect();
        let standing = of(&uses);
        let (low, high) = standing.effectiveness.interval(standing.uses);
        assert!(
            (low.0 - standing.low.0).abs() <= 1 && (high.0 - standing.high.0).abs() <= 1,
            "{standing:?} {low:?} {high:?}"
        );
        let few = standing.effectiveness.interval_of_few(standing.uses);
        assert_eq!(few, standing.is_of_few_uses().then_some((low, high)));
    }
    // The average rests on 1.6 values after one use, on 2.4 after two: the more uses, the narrower.
    let width = |uses| {
        let (low, high) = TenThousandths(8_000).interval(uses);
        high.0 - low.0
    };
    assert!(width(1) > width(2) && width(2) > width(5) && width(5) > width(20));
}
