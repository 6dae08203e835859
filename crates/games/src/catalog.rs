//! The closed set of kinds.

use crate::mercury::Mercury;
use crate::trial::Trial;
use crate::tribunal::Tribunal;
use crate::trolley::Trolley;
use engine::erased::{Kind, kind};

/// Every kind there is.
pub const KINDS: [Kind; 4] = [kind::<Trolley>(), kind::<Trial>(), kind::<Mercury>(), kind::<Tribunal>()];

/// The kind of that name.
pub fn by_name(name: &str) -> Option<Kind> {
    KINDS.into_iter().find(|kind| kind.name == name)
}
