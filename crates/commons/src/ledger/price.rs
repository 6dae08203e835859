//! What things cost.

/// What a new account is given, as a bonus.
pub const WELCOME_IA: u64 = 100;
/// What it costs to consult the archive in a trial.
pub const CONSULT_IA: u64 = 15;
/// What a pack costs unless its curator says otherwise.
pub const PACK_IA: u64 = 50;
/// The most a pack may cost.
pub const PACK_IA_MAX: u64 = 1_000;
/// How much an account earns in play on one day at most.
pub const EARNED_A_DAY_MAX: u64 = 300;

/// The least that a text costs, and how much more a perfect one does.
const TEXT_IA_MIN: u64 = 5;
const TEXT_IA_MORE: u64 = 20;
/// One, as effectiveness is stored.
const ONE: u64 = 10_000;

/// What the text of an attack or a defence costs: 5 + 20 e^3, halves upwards, for an effectiveness in ten-thousandths.
pub fn text_price(effectiveness_e4: i64) -> u64 {
    let e = u64::try_from(effectiveness_e4).unwrap_or(0).min(ONE);
    let cube = ONE.pow(3);
    TEXT_IA_MIN + (2 * TEXT_IA_MORE * e.pow(3) + cube) / (2 * cube)
}

/// What play really brings: what was claimed, as far as the day's limit allows.
pub fn earned(claimed: u64, earned_today: u64) -> u64 {
    claimed.min(EARNED_A_DAY_MAX.saturating_sub(earned_today))
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
    fn a_day_brings_three_hundred_at_most() {
        assert_eq!([earned(22, 0), earned(22, 290), earned(22, 300), earned(22, 400)], [22, 10, 0, 0]);
    }
}
