//! The closed set of kinds.

use crate::mercury::Mercury;
use crate::trial::Trial;
use crate::trolley::Trolley;
use engine::erased::{Kind, kind};

/// Every kind there is.
pub const KINDS: [Kind; 3] = [kind::<Trolley>(), kind::<Trial>(), kind::<Mercury>()];

/// The kind of that name.
pub fn by_name(name: &str) -> Option<Kind> {
    KINDS.into_iter().find(|kind| kind.name == name)
}
