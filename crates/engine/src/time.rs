//! A moment that was passed in. There is no `now` here: the clock is outside.

use serde::{Deserialize, Serialize};
use std::fmt;

/// Milliseconds since 1970 in UTC.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize)]
pub struct Timestamp(pub i64);

impl Timestamp {
    /// This moment and `seconds` more.
    pub fn plus_s(self, seconds: u32) -> Self {
        Timestamp(self.0 + i64::from(seconds) * 1000)
    }
}

/// RFC 3339, always with three digits of milliseconds.
impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match jiff::Timestamp::from_millisecond(self.0) {
            Ok(moment) => write!(f, "{moment:.3}"),
            Err(_) => write!(f, "{}ms", self.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_moment_prints_as_rfc_3339() {
        assert_eq!(Timestamp(0).to_string(), "1970-01-01T00:00:00.000Z");
        assert_eq!(Timestamp(1_794_700_799_050).plus_s(1).to_string(), "2026-11-15T00:00:00.050Z");
    }
}
