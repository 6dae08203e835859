//! How well an argument or a defense does by now: a moving average over its uses, and how it has been changing.
//!
//! Everything is in fixed point, in millionths, so that every machine and every run gives the same bytes: recomputing from the
//! first event gives what folding one by one gave. Three roundings, each to the nearest with halves upwards: a score
//! ([`Score::of_use`]), a step of the average ([`Track::fold`]) and what is stored ([`TenThousandths`]). A step is off by
//! half a millionth at most and the average forgets a quarter of that with each use, so that all of them together stay below
//! three millionths, and a stored digit is a hundred.

use super::stats::Use;
use engine::facts::Fate;

/// One, in the fixed point of this file.
const ONE: i64 = 1_000_000;
/// How many millionths are one ten-thousandth, the last digit that is stored.
const STORED: i64 = 100;
/// The average before the first use.
const START: i64 = ONE / 2;
/// The newest use has one part in this many of the weight, everything before it the rest: a = 0.25.
const PARTS: i64 = 4;
/// Over how many uses a change is measured.
pub const WINDOW: usize = 5;

/// How well one use went: from 0 to 1, in millionths.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Score(i64);

impl Score {
    /// `clamp01(landed + 0.5 * triggered + jury_shift / 12)`. A twelfth is rounded once, with the sum.
    pub fn of_use(used: &Use) -> Self {
        let trap = i64::from(used.is_landed()) * ONE + i64::from(used.triggered) * ONE / 2;
        Score((trap + rounded(used.jury_shift.jurors() * ONE, 12)).clamp(0, ONE))
    }

    /// A defense did well if the claim was proved, and in no other case.
    pub fn of_defense(verdict: Fate) -> Self {
        match verdict {
            Fate::Proved => Score(ONE),
            Fate::Withdrawn | Fate::Failed => Score(0),
        }
    }

    /// An attack did well against a defense if the claim fell; one that was given up in time was not beaten.
    pub fn against_defense(verdict: Fate) -> Self {
        match verdict {
            Fate::Failed => Score(ONE),
            Fate::Proved | Fate::Withdrawn => Score(0),
        }
    }

    /// Whether the use worked: at least half of what one can do.
    pub fn has_worked(self) -> bool {
        self.0 >= ONE / 2
    }

    pub fn stored(self) -> TenThousandths {
        TenThousandths::of(self.0)
    }
}

/// A stored figure: ten-thousandths, the nearest, halves upwards.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct TenThousandths(pub i64);

impl TenThousandths {
    fn of(millionths: i64) -> Self {
        TenThousandths(rounded(millionths, STORED))
    }
}

/// The moving average of one argument or defense: what is kept while its uses stream by, in their order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Track {
    uses: u64,
    worked: u64,
    average: i64,
    /// The averages before the last uses; the one before use `n`, counted from 0, is at `n % WINDOW`.
    before: [i64; WINDOW],
}

impl Default for Track {
    fn default() -> Self {
        Track { uses: 0, worked: 0, average: START, before: [START; WINDOW] }
    }
}

impl Track {
    /// One more use: `e = 0.75 e + 0.25 s`.
    pub fn fold(&mut self, score: Score) {
        self.before[self.slot()] = self.average;
        self.average = rounded((PARTS - 1) * self.average + score.0, PARTS);
        self.uses += 1;
        self.worked += u64::from(score.has_worked());
    }

    /// The track of all of these, in their order.
    pub fn of(scores: impl IntoIterator<Item = Score>) -> Self {
        let mut track = Track::default();
        scores.into_iter().for_each(|score| track.fold(score));
        track
    }

    /// What is stored and shown of it.
    pub fn standing(&self) -> Standing {
        // With fewer uses than the window has, the change is since the start.
        let window = self.uses.min(WINDOW as u64);
        let since = if self.uses < WINDOW as u64 { START } else { self.before[self.slot()] };
        let change = self.average - since;
        let slope_by = i64::try_from(window.max(1)).expect("a window is of a few uses");
        let (low, high) = interval(self.worked, self.uses);
        Standing {
            uses: self.uses,
            effectiveness: TenThousandths::of(self.average),
            decay_slope: TenThousandths(rounded(change, slope_by * STORED)),
            recent_change: TenThousandths::of(change),
            recent_uses: window,
            low,
            high,
        }
    }

    /// Where the average before the next use will be kept; until then, the average `WINDOW` uses ago is there.
    fn slot(&self) -> usize {
        (self.uses % WINDOW as u64) as usize
    }
}

/// How an argument or a defense stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Standing {
    /// How many uses are behind it.
    pub uses: u64,
    /// The moving average; for a defense, its proved rate.
    pub effectiveness: TenThousandths,
    /// The change of the average per use, over the last five uses.
    pub decay_slope: TenThousandths,
    /// The whole change over these uses.
    pub recent_change: TenThousandths,
    /// How many these are: five, or all if there are fewer.
    pub recent_uses: u64,
    /// The lower end of the interval around the share of uses that worked: what is ranked by.
    pub low: TenThousandths,
    pub high: TenThousandths,
}

/// Wilson's score interval at 95% around the share of uses that worked, in thousandths: the lower end rounded down, the upper end up. Both are
/// given in ten-thousandths, like every stored figure. This is the one interval that is shown and ranked by.
pub fn interval(worked: u64, uses: u64) -> (TenThousandths, TenThousandths) {
    /// 1.96 in hundredths, for 95%.
    const Z: i128 = 196;
    const THOUSANDTH: i128 = 1_000;
    if uses == 0 {
        return (TenThousandths(0), TenThousandths(10_000));
    }
    // With v = z^2 / n the ends are (p + v/2 +- sqrt(v (p (1 - p) + v/4))) / (1 + v).
    let (one, uses) = (i128::from(ONE), i128::from(uses));
    let p = i128::from(worked).min(uses) * one / uses;
    let v = Z * Z * one / (10_000 * uses);
    let root = (v * (p * (one - p) + v * one / 4) / one).isqrt();
    let low = (p + v / 2 - root) * one / (one + v);
    let high = (p + v / 2 + root) * one / (one + v);
    let low = low.clamp(0, one).div_euclid(THOUSANDTH);
    let high = (high.clamp(0, one) + THOUSANDTH - 1).div_euclid(THOUSANDTH);
    let stored = |thousandths: i128| TenThousandths(10 * i64::try_from(thousandths).expect("it is a thousand at most"));
    (stored(low), stored(high))
}

/// The nearest whole number to `number / by`, halves upwards.
fn rounded(number: i64, by: i64) -> i64 {
    (2 * number + by).div_euclid(2 * by)
}
