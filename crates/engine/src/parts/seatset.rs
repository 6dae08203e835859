//! A small set of seats.

use crate::id::Seat;
use serde::{Deserialize, Serialize};

/// Seats 0 to 63, one bit each; no kind seats more.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct SeatSet(u64);

impl SeatSet {
    pub const EMPTY: SeatSet = SeatSet(0);

    /// Sets hold seats below this number.
    pub const SEATS_MAX: usize = 64;

    pub fn has(self, seat: Seat) -> bool {
        seat.index() < Self::SEATS_MAX && self.0 & (1 << seat.0) != 0
    }

    /// Panics on a seat that is out of range.
    pub fn add(&mut self, seat: Seat) {
        assert!(seat.index() < Self::SEATS_MAX, "no kind seats more than 64");
        self.0 |= 1 << seat.0;
    }

    pub fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The seats, lowest first.
    pub fn iter(self) -> impl Iterator<Item = Seat> {
        (0..Self::SEATS_MAX).map(Seat::at).filter(move |seat| self.has(*seat))
    }
}

impl FromIterator<Seat> for SeatSet {
    fn from_iter<I: IntoIterator<Item = Seat>>(seats: I) -> Self {
        let mut set = SeatSet::default();
        seats.into_iter().for_each(|seat| set.add(seat));
        set
    }
}
