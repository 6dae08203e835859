//! The closed set of kinds.

use crate::listening::Subject;
use crate::mercury::Mercury;
use crate::trial::Trial;
use crate::tribunal::Tribunal;
use crate::trolley::Trolley;
use engine::erased::{Kind, kind};

/// Every kind there is.
pub const KINDS: [Kind; 4] = [kind::<Trolley>(), kind::<Trial>(), kind::<Mercury>(), kind::<Tribunal>()];

/// The kind of that name.
pub fn by_name(name: &str) -> Option<Kind> {
    KINDS.into_iter().find(|kind| kind.meta.name == name)
}

/// Everything that speeches are heard in.
pub fn subjects() -> Vec<Subject> {
    let mut subjects = crate::trial::docket::docket().subjects();
    subjects.push(crate::trolley::subject());
    subjects.extend(crate::mercury::subjects());
    subjects.extend(crate::tribunal::docket::docket().subjects());
    subjects
}
