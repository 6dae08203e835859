//! A small adaptive range coder: many small whole numbers in few bytes. Models are stored with it, so it must never change.

/// Bits of a probability, and its pace: each coded bit moves it 1/2^`PACE` of the way.
const BITS: u32 = 12;
const PACE: u32 = 6;
/// Below this the range is widened by a byte.
const TOP: u32 = 1 << 24;
/// A number beyond this magnitude is not written.
const MAGNITUDE_MAX: u32 = 15;
/// The most bits that a gap has.
const GAP_BITS_MAX: usize = 32;
/// More nonzero numbers in a row than this make no further difference.
const BUSY_MAX: usize = 3;

/// How likely the next bit is a zero, as learned so far.
#[derive(Clone, Copy)]
struct Chance(u16);

impl Chance {
    const EVEN: Chance = Chance(1 << (BITS - 1));

    fn learn(&mut self, bit: bool) {
        if bit {
            self.0 -= self.0 >> PACE;
        } else {
            self.0 += ((1 << BITS) - self.0) >> PACE;
        }
    }
}

/// What is learned about numbers of one sort.
#[derive(Clone)]
pub(super) struct Sort {
    zero: [Chance; BUSY_MAX + 1],
    sign: Chance,
    more: [Chance; MAGNITUDE_MAX as usize],
}

impl Sort {
    pub(super) fn new() -> Self {
        Sort { zero: [Chance::EVEN; BUSY_MAX + 1], sign: Chance::EVEN, more: [Chance::EVEN; MAGNITUDE_MAX as usize] }
    }
}

/// What is learned about gaps: how many bits they have.
pub(super) struct Gaps([Chance; GAP_BITS_MAX + 1]);

impl Gaps {
    pub(super) fn new() -> Self {
        Gaps([Chance::EVEN; GAP_BITS_MAX + 1])
    }
}

/// Writes numbers from -15 to 15, with separate probabilities for each sort.
pub(super) struct Writer {
    low: u64,
    range: u32,
    cache: u8,
    pending: u64,
    bytes: Vec<u8>,
}

impl Writer {
    pub(super) fn new() -> Self {
        Writer { low: 0, range: u32::MAX, cache: 0, pending: 1, bytes: Vec::new() }
    }

    /// Writes a number; `busy` counts the nonzero numbers before it in its row.
    pub(super) fn number(&mut self, sort: &mut Sort, busy: usize, number: i8) {
        let magnitude = u32::from(number.unsigned_abs()).min(MAGNITUDE_MAX);
        self.bit(&mut sort.zero[busy.min(BUSY_MAX)], magnitude != 0);
        if magnitude == 0 {
            return;
        }
        self.bit(&mut sort.sign, number < 0);
        for step in 1..MAGNITUDE_MAX {
            self.bit(&mut sort.more[step as usize], magnitude > step);
            if magnitude == step {
                break;
            }
        }
    }

    /// Writes a number of any size; small ones take fewer bits.
    pub(super) fn gap(&mut self, gaps: &mut Gaps, gap: u32) {
        let bits = GAP_BITS_MAX - gap.leading_zeros() as usize;
        for len in 0..bits {
            self.bit(&mut gaps.0[len], true);
        }
        if bits < GAP_BITS_MAX {
            self.bit(&mut gaps.0[bits], false);
        }
        for at in (0..bits.saturating_sub(1)).rev() {
            self.bit(&mut Chance::EVEN.clone(), gap >> at & 1 == 1);
        }
    }

    fn bit(&mut self, chance: &mut Chance, bit: bool) {
        let bound = (self.range >> BITS) * u32::from(chance.0);
        if bit {
            self.low += u64::from(bound);
            self.range -= bound;
        } else {
            self.range = bound;
        }
        chance.learn(bit);
        while self.range < TOP {
            self.range <<= 8;
            self.shift();
        }
    }

    fn shift(&mut self) {
        if self.low < 0xff00_0000 || self.low > u64::from(u32::MAX) {
            let carry = (self.low >> 32) as u8;
            let mut byte = self.cache;
            while self.pending > 0 {
                self.bytes.push(byte.wrapping_add(carry));
                byte = 0xff;
                self.pending -= 1;
            }
            self.cache = (self.low >> 24) as u8;
        }
        self.pending += 1;
        self.low = (self.low & 0x00ff_ffff) << 8;
    }

    pub(super) fn finish(mut self) -> Vec<u8> {
        for _ in 0..5 {
            self.shift();
        }
        self.bytes
    }
}

/// Reads numbers back; the sorts must be asked for in the order in which they were written.
pub(super) struct Reader<'a> {
    code: u32,
    range: u32,
    rest: &'a [u8],
    /// Whether it was read past the end.
    pub(super) ran_out: bool,
}

impl<'a> Reader<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        let mut reader = Reader { code: 0, range: u32::MAX, rest: bytes, ran_out: false };
        for _ in 0..5 {
            reader.code = (reader.code << 8) | u32::from(reader.byte());
        }
        reader
    }

    fn byte(&mut self) -> u8 {
        match self.rest.split_first() {
            Some((first, rest)) => {
                self.rest = rest;
                *first
            }
            None => {
                self.ran_out = true;
                0
            }
        }
    }

    pub(super) fn number(&mut self, sort: &mut Sort, busy: usize) -> i8 {
        if !self.bit(&mut sort.zero[busy.min(BUSY_MAX)]) {
            return 0;
        }
        let negative = self.bit(&mut sort.sign);
        let mut magnitude = 1;
        while magnitude < MAGNITUDE_MAX && self.bit(&mut sort.more[magnitude as usize]) {
            magnitude += 1;
        }
        if negative { -(magnitude as i8) } else { magnitude as i8 }
    }

    pub(super) fn gap(&mut self, gaps: &mut Gaps) -> u32 {
        let mut bits = 0;
        while bits < GAP_BITS_MAX && self.bit(&mut gaps.0[bits]) {
            bits += 1;
        }
        let rest = (1..bits).fold(1, |gap, _| gap << 1 | u32::from(self.bit(&mut Chance::EVEN.clone())));
        if bits == 0 { 0 } else { rest }
    }

    fn bit(&mut self, chance: &mut Chance) -> bool {
        let bound = (self.range >> BITS) * u32::from(chance.0);
        let bit = self.code >= bound;
        if bit {
            self.code -= bound;
            self.range -= bound;
        } else {
            self.range = bound;
        }
        chance.learn(bit);
        while self.range < TOP {
            self.range <<= 8;
            self.code = (self.code << 8) | u32::from(self.byte());
        }
        bit
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chance::Draw;

    #[test]
    fn numbers_come_back_as_they_were_and_rare_ones_cost_more() {
        for number in 0..40 {
            let mut draw = Draw::from_number(number);
            let wide = draw.below(15) + 1;
            let numbers: Vec<i8> =
                (0..3000).map(|_| (draw.below(2 * wide + 1) as i8 - wide as i8) * draw.below(2) as i8).collect();
            let (mut writer, mut sort) = (Writer::new(), Sort::new());
            numbers.iter().enumerate().for_each(|(at, number)| writer.number(&mut sort, at % 6, *number));
            let bytes = writer.finish();
            let (mut reader, mut sort) = (Reader::new(&bytes), Sort::new());
            let back: Vec<i8> = (0..numbers.len()).map(|at| reader.number(&mut sort, at % 6)).collect();
            assert_eq!(back, numbers, "{number}");
            assert!(!reader.ran_out);
        }
        let (mut writer, mut sort) = (Writer::new(), Sort::new());
        (0..8000).for_each(|at| writer.number(&mut sort, 0, i8::from(at % 100 == 0)));
        assert!(writer.finish().len() < 120, "a thousand bytes of near nothing");
    }

    #[test]
    fn gaps_come_back_as_they_were() {
        let mut draw = Draw::from_number(3);
        let any = (0..32).map(|bits| 1_u32 << bits).chain([0, 1, 2, u32::MAX]);
        let small = (0..4000).map(|_| draw.below(600) as u32);
        let gaps: Vec<u32> = any.chain(small).collect();
        let (mut writer, mut sizes) = (Writer::new(), Gaps::new());
        gaps.iter().for_each(|gap| writer.gap(&mut sizes, *gap));
        let bytes = writer.finish();
        let (mut reader, mut sizes) = (Reader::new(&bytes), Gaps::new());
        assert_eq!(gaps.iter().map(|_| reader.gap(&mut sizes)).collect::<Vec<_>>(), gaps);
        assert!(bytes.len() < 4000 * 10 / 8 + 400, "{} bytes", bytes.len());
    }
}
