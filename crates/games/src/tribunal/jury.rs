//! The twelve jurors: how they are dealt, how a shift moves them, what they find, and what that is worth to the prosecutor.

use super::words::{JURORS, LEAN_MAX, SHIFT_MAX, Verdict};
use engine::chance::Draw;
use engine::facts::Fate;
use engine::rates::Rates;

/// How many must lean one way for a verdict.
const MAJORITY: usize = 7;
/// What the end of a claim adds to the ruling.
const PROVED_SHIFT: i32 = -6;
const WITHDRAWN_SHIFT: i32 = 2;
const FAILED_SHIFT: i32 = 4;
/// How far from zero the sum of a fresh jury may be.
const DEAL_SUM_MAX: i8 = 1;
/// How many deals are tried before all jurors start undecided.
const DEALS_MAX: usize = 100;

/// A jury that leans neither way as a whole.
pub(super) fn deal(draw: &mut Draw) -> [i8; JURORS] {
    for _ in 0..DEALS_MAX {
        let jurors: [i8; JURORS] = std::array::from_fn(|_| *draw.pick(&[-1, 0, 1]));
        if jurors.iter().sum::<i8>().abs() <= DEAL_SUM_MAX && verdict(&jurors) == Verdict::Hung {
            return jurors;
        }
    }
    [0; JURORS]
}

/// Ruling and burden together.
pub(super) fn total(ruling: i8, burden: Option<Fate>) -> i8 {
    let burden = match burden {
        None => 0,
        Some(Fate::Proved) => PROVED_SHIFT,
        Some(Fate::Withdrawn) => WITHDRAWN_SHIFT,
        Some(Fate::Failed) => FAILED_SHIFT,
    };
    let bound = i32::from(SHIFT_MAX);
    (i32::from(ruling) + burden).clamp(-bound, bound) as i8
}

/// Moves the jury: the least convinced up, or the most convinced down, by one each. Returns who moved, by number from 1.
pub(super) fn shift(leans: &[i8; JURORS], by: i8) -> ([i8; JURORS], Vec<u8>) {
    let step = by.signum();
    let mut order: Vec<usize> = (0..JURORS).filter(|juror| leans[*juror] * step < LEAN_MAX).collect();
    // A stable sort: ties go by number.
    order.sort_by_key(|juror| leans[*juror] * step);
    order.truncate(usize::from(by.unsigned_abs()));
    order.sort_unstable();
    let mut after = *leans;
    order.iter().for_each(|juror| after[*juror] += step);
    (after, order.into_iter().map(|juror| juror as u8 + 1).collect())
}

pub(super) fn verdict(leans: &[i8; JURORS]) -> Verdict {
    let (condemn, acquit) = sides(leans);
    if condemn >= MAJORITY {
        Verdict::Condemned
    } else if acquit >= MAJORITY {
        Verdict::Acquitted
    } else {
        Verdict::Hung
    }
}

/// Whether all twelve lean one way.
pub(super) fn is_of_one_mind(leans: &[i8; JURORS]) -> bool {
    let (condemn, acquit) = sides(leans);
    condemn == JURORS || acquit == JURORS
}

/// How many lean to condemn, and how many to acquit.
pub(super) fn sides(leans: &[i8; JURORS]) -> (usize, usize) {
    let leaning = |way: i8| leans.iter().filter(|lean| lean.signum() == way).count();
    (leaning(1), leaning(-1))
}

/// What an exchange brings or costs the prosecutor, in IA. It may cost more than the prosecutor has: neither the trial's sum nor the
/// account goes below zero.
pub(super) fn ia_change(rates: &Rates, by: i8, moved: usize, burden: Option<Fate>) -> i32 {
    let claim = match burden {
        None => 0,
        Some(Fate::Proved) => -i64::from(rates.proved_ia),
        Some(Fate::Withdrawn | Fate::Failed) => i64::from(rates.landed_ia),
    };
    let jurors = if by > 0 { i64::from(rates.juror_ia) * moved as i64 } else { 0 };
    i32::try_from(claim + jurors).expect("rates are at most a million, and twelve jurors listen")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ia_change(by: i8, moved: usize, burden: Option<Fate>) -> i32 {
        super::ia_change(&Rates::default(), by, moved, burden)
    }

    const MIXED: [i8; JURORS] = [0, -1, 1, 0, -1, 1, 0, 0, 3, 3, -3, -3];

    #[test]
    fn plus_k_raises_the_k_least_convinced_and_ties_go_by_number() {
        assert_eq!(shift(&MIXED, 3), ([0, 0, 1, 0, -1, 1, 0, 0, 3, 3, -2, -2], vec![2, 11, 12]));
        assert_eq!(shift(&MIXED, 6).1, [1, 2, 4, 5, 11, 12], "of the four at zero the first two");
    }

    #[test]
    fn minus_k_lowers_the_k_most_convinced_and_ties_go_by_number() {
        assert_eq!(shift(&MIXED, -3), ([0, -1, 0, 0, -1, 1, 0, 0, 2, 2, -3, -3], vec![3, 9, 10]));
        assert_eq!(shift(&MIXED, -5).1, [1, 3, 6, 9, 10]);
    }

    #[test]
    fn nobody_moves_beyond_three_and_nought_moves_nobody() {
        let (after, moved) = shift(&MIXED, 12);
        assert_eq!((after, moved.len()), ([1, 0, 2, 1, 0, 2, 1, 1, 3, 3, -2, -2], 10));
        assert_eq!(shift(&[3; JURORS], 12), ([3; JURORS], vec![]));
        assert_eq!(shift(&[-3; JURORS], -12), ([-3; JURORS], vec![]));
        assert_eq!(shift(&MIXED, 0), (MIXED, vec![]));
    }

    #[test]
    fn the_end_of_a_claim_is_added_to_the_ruling_and_the_sum_is_clamped() {
        assert_eq!(total(3, None), 3);
        assert_eq!(total(3, Some(Fate::Proved)), -3);
        assert_eq!(total(3, Some(Fate::Withdrawn)), 5);
        assert_eq!(total(3, Some(Fate::Failed)), 7);
        assert_eq!(total(12, Some(Fate::Failed)), 12);
        assert_eq!(total(-12, Some(Fate::Proved)), -12);
    }

    #[test]
    fn seven_of_twelve_decide_and_nought_is_undecided() {
        let jury = |condemn: usize, acquit: usize| -> [i8; JURORS] {
            std::array::from_fn(|juror| match juror {
                juror if juror < condemn => 1,
                juror if juror < condemn + acquit => -2,
                _ => 0,
            })
        };
        assert_eq!(verdict(&jury(7, 5)), Verdict::Condemned);
        assert_eq!(verdict(&jury(6, 6)), Verdict::Hung);
        assert_eq!(verdict(&jury(6, 0)), Verdict::Hung);
        assert_eq!(verdict(&jury(5, 7)), Verdict::Acquitted);
        assert!(is_of_one_mind(&jury(12, 0)) && is_of_one_mind(&jury(0, 12)));
        assert!(!is_of_one_mind(&jury(11, 0)) && !is_of_one_mind(&jury(0, 0)));
    }

    #[test]
    fn a_trap_that_lands_pays_and_a_claim_that_stands_costs_but_never_below_zero() {
        assert_eq!(ia_change(7, 7, Some(Fate::Failed)), 17);
        assert_eq!(ia_change(5, 4, Some(Fate::Withdrawn)), 14, "a juror who could not move pays nothing");
        assert_eq!(ia_change(-3, 3, Some(Fate::Proved)), -5, "jurors lost cost nothing");
        assert_eq!(ia_change(-3, 3, None), 0);
        assert_eq!(ia_change(2, 2, Some(Fate::Proved)), -3, "5 against 2");
    }

    #[test]
    fn a_fresh_jury_leans_neither_way_and_no_two_are_alike() {
        let mut seen = std::collections::BTreeSet::new();
        for number in 0..500 {
            let jurors = deal(&mut Draw::from_number(number));
            assert!(jurors.iter().all(|lean| (-1..=1).contains(lean)));
            assert!((-1..=1).contains(&jurors.iter().sum::<i8>()));
            assert_eq!(verdict(&jurors), Verdict::Hung);
            seen.insert(jurors);
        }
        assert!(seen.len() > 450, "{}", seen.len());
    }
}
