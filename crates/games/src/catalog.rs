//! The closed set of kinds.

use crate::trolley::Trolley;
use engine::erased::{Kind, kind};

/// Every kind there is.
pub const KINDS: [Kind; 1] = [kind::<Trolley>()];

/// The kind of that name.
pub fn by_name(name: &str) -> Option<Kind> {
    KINDS.into_iter().find(|kind| kind.name == name)
}
