//! convex
use crate::{CcdWorkspace, Placed, PreContacts, Query};
/// TODO
pub(crate) fn convex(_a: &Placed, _b: &Placed, _q: &Query, _: &mut CcdWorkspace, _out: &mut PreContacts) {}
