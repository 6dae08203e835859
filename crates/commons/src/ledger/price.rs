//! What things cost.

use super::terms::Terms;

/// One, as effectiveness is stored.
const ONE: u128 = 10_000;

/// What words cost that were used: by default 5 + 20 e^3, halves upwards, for an effectiveness in ten-thousandths. Words that were never used
/// have a price of their own: nobody knows what they are worth.
pub fn text_price(terms: &Terms, effectiveness_e4: i64, uses: i64) -> u64 {
    if uses == 0 {
        return terms.untried_ia;
    }
    let e = u128::try_from(effectiveness_e4).unwrap_or(0).min(ONE);
    let cube = ONE.pow(3);
    let more = (2 * u128::from(terms.text_ia_more) * e.pow(3) + cube) / (2 * cube);
    terms.text_ia_min + u64::try_from(more).expect("it is no more than the most that a perfect text adds")
}

/// What a pack of texts with this effectiveness costs unless its curator sets a price: never more than they cost one by one.
pub fn pack_price(terms: &Terms, effectiveness_e4: impl IntoIterator<Item = i64>) -> u64 {
    terms.pack_ia.min(effectiveness_e4.into_iter().map(|e4| text_price(terms, e4, 1)).sum())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn price(e4: i64) -> u64 {
        text_price(&Terms::default(), e4, 1)
    }

    #[test]
    fn a_used_text_costs_five_to_twenty_five_a_first_kill_ten_and_an_untried_one_five() {
        let prices = [0, 3_000, 5_000, 6_250, 8_000, 9_000, 10_000].map(price);
        assert_eq!(prices, [5, 6, 8, 10, 15, 20, 25]);
        assert_eq!([price(-1), price(20_000)], [5, 25], "what cannot be costs what is nearest");
        assert_eq!(text_price(&Terms::default(), 5_000, 0), 5);
    }

    #[test]
    fn halves_go_upwards_and_a_better_text_never_costs_less() {
        // 20 e^3 is half of one at e = 0.29240: above it the price is six.
        assert_eq!([price(2_924), price(2_925)], [5, 6]);
        assert!((0..10_000).all(|e| price(e) <= price(e + 1)));
    }

    #[test]
    fn the_largest_terms_still_give_a_price() {
        let terms = Terms { text_ia_min: 1_000_000_000, text_ia_more: 1_000_000_000, ..Terms::default() };
        assert_eq!(text_price(&terms, 10_000, 1), 2_000_000_000);
    }

    #[test]
    fn a_pack_costs_no_more_than_what_is_in_it() {
        let pack = |e4: &[i64]| pack_price(&Terms::default(), e4.iter().copied());
        assert_eq!([pack(&[5_000, 5_000]), pack(&[9_000; 20]), pack(&[])], [16, 50, 0]);
    }
}
