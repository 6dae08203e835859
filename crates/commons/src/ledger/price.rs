//! What things cost.

use super::terms::{PACK_IA, TEXT_IA_MIN, TEXT_IA_MORE};

/// One, as effectiveness is stored.
const ONE: u64 = 10_000;

/// What the text of an attack or a defense costs: 5 + 20 e^3, halves upwards, for an effectiveness in ten-thousandths.
pub fn text_price(effectiveness_e4: i64) -> u64 {
    let e = u64::try_from(effectiveness_e4).unwrap_or(0).min(ONE);
    let cube = ONE.pow(3);
    TEXT_IA_MIN + (2 * TEXT_IA_MORE * e.pow(3) + cube) / (2 * cube)
}

/// What a pack of texts with this effectiveness costs unless its curator sets a price: never more than they cost one by one.
pub fn pack_price(effectiveness_e4: impl IntoIterator<Item = i64>) -> u64 {
    PACK_IA.min(effectiveness_e4.into_iter().map(text_price).sum())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_costs_five_to_twenty_five_and_a_first_kill_ten() {
        let prices = [0, 3_000, 5_000, 6_250, 8_000, 9_000, 10_000].map(text_price);
        assert_eq!(prices, [5, 6, 8, 10, 15, 20, 25]);
        assert_eq!([text_price(-1), text_price(20_000)], [5, 25], "what cannot be costs what is nearest");
    }

    #[test]
    fn halves_go_upwards_and_a_better_text_never_costs_less() {
        // 20 e^3 is half of one at e = 0.29240: above it the price is six.
        assert_eq!([text_price(2_924), text_price(2_925)], [5, 6]);
        assert!((0..10_000).all(|e| text_price(e) <= text_price(e + 1)));
    }

    #[test]
    fn a_pack_costs_no_more_than_what_is_in_it() {
        assert_eq!([pack_price([5_000, 5_000]), pack_price([9_000; 20]), pack_price([])], [16, 50, 0]);
    }
}
