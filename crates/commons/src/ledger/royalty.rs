//! Who is paid when something is bought: shares, caps and limits. What nobody is paid stays with the house.

use super::terms::Terms;
use super::ware::Ware;

/// The authors' share of what was paid for a ware without bonus, rounded down.
pub fn share_of(terms: &Terms, ware: Ware, plain: u64) -> u64 {
    plain * ware.share(terms) / 100
}

/// As much of a share as the cap leaves.
pub fn within_cap(terms: &Terms, share: u64, paid_before: u64) -> u64 {
    share.min(terms.cap_ia.saturating_sub(paid_before))
}

/// Divides a sum by weight into whole parts, by largest remainder; among equal ones the first gets more. If all weights are zero, they
/// count as equal.
pub fn divided(sum: u64, weights: &[u64]) -> Vec<u64> {
    let same = vec![1; weights.len()];
    let weights = if weights.iter().all(|weight| *weight == 0) { &same } else { weights };
    let all: u128 = weights.iter().map(|weight| u128::from(*weight)).sum();
    if all == 0 {
        return vec![];
    }
    let exact: Vec<u128> = weights.iter().map(|weight| u128::from(sum) * u128::from(*weight)).collect();
    let mut parts: Vec<u64> =
        exact.iter().map(|part| u64::try_from(part / all).expect("a part is not more than the sum")).collect();
    let left = sum - parts.iter().sum::<u64>();
    let mut order: Vec<usize> = (0..parts.len()).collect();
    order.sort_by_key(|index| (std::cmp::Reverse(exact[*index] % all), *index));
    for index in order.into_iter().take(usize::try_from(left).expect("fewer are left than there are parts")) {
        parts[index] += 1;
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn share_of(ware: Ware, plain: u64) -> u64 {
        super::share_of(&Terms::default(), ware, plain)
    }

    fn within_cap(share: u64, paid_before: u64) -> u64 {
        super::within_cap(&Terms::default(), share, paid_before)
    }

    #[test]
    fn an_author_gets_two_fifths_and_the_house_what_is_left_over() {
        assert_eq!([5, 6, 8, 10, 12, 25].map(|plain| share_of(Ware::Attack, plain)), [2, 2, 3, 4, 4, 10]);
        assert_eq!([50, 49, 1].map(|plain| share_of(Ware::Pack, plain)), [25, 24, 0]);
        assert_eq!(share_of(Ware::Consult, 15), 0);
    }

    #[test]
    fn the_payment_that_reaches_the_cap_is_cut_to_fit_and_none_follows() {
        assert_eq!([within_cap(4, 0), within_cap(4, 996), within_cap(4, 998), within_cap(4, 1_000)], [4, 4, 2, 0]);
    }

    #[test]
    fn the_largest_remainders_get_what_is_left() {
        assert_eq!(divided(25, &[8_000, 8_000, 4_000]), [10, 10, 5]);
        assert_eq!(divided(10, &[1, 1, 1]), [4, 3, 3]);
        assert_eq!(divided(1, &[3, 5]), [0, 1]);
        assert_eq!(divided(7, &[0, 0]), [4, 3]);
        assert_eq!(divided(7, &[]), [] as [u64; 0]);
    }

    proptest! {
        #[test]
        fn parts_add_up_and_are_off_by_less_than_one(sum in 0u64..100_000, weights in prop::collection::vec(0u64..20_000, 1..40)) {
            let parts = divided(sum, &weights);
            prop_assert_eq!(parts.iter().sum::<u64>(), sum);
            let all: u64 = weights.iter().sum();
            if all > 0 {
                for (part, weight) in parts.iter().zip(&weights) {
                    prop_assert!(part * all < sum * weight + all && sum * weight < part * all + all);
                }
            }
        }
    }
}
