//! The closed set of kinds.

use crate::listening::Subject;
use crate::mercury::Mercury;
use crate::trial::Trial;
use crate::tribunal::Tribunal;
use crate::trolley::Trolley;
use engine::erased::{Kind, kind};

/// Every kind that ships with Moot.
pub const KINDS: &[Kind] = &[kind::<Trolley>(), kind::<Trial>(), kind::<Mercury>(), kind::<Tribunal>()];

/// The kinds that a house offers.
pub const CATALOG: Catalog = Catalog(KINDS);

/// Some kinds, in the order in which they are shown.
#[derive(Clone, Copy)]
pub struct Catalog(pub &'static [Kind]);

impl Catalog {
    pub fn by_name(&self, name: &str) -> Option<Kind> {
        self.0.iter().copied().find(|kind| kind.meta.name == name)
    }

    pub fn iter(&self) -> impl Iterator<Item = Kind> + use<> {
        self.0.iter().copied()
    }
}

impl std::fmt::Debug for Catalog {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.0.iter().map(|kind| kind.meta.name)).finish()
    }
}

/// The kind of that name, among those that ship with Moot.
pub fn by_name(name: &str) -> Option<Kind> {
    CATALOG.by_name(name)
}

/// Every subject that an ear is trained for.
pub fn subjects() -> Vec<Subject> {
    let mut subjects = crate::trial::docket::docket().subjects();
    subjects.push(crate::trolley::subject());
    subjects.extend(crate::mercury::subjects());
    subjects.extend(crate::tribunal::docket::docket().subjects());
    subjects
}
