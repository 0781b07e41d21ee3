//! Objects that sensors refer to.

use crate::data::Data;
use mj_model::*;

/// Row of the object of a sensor.
pub(super) fn object(m: &Model, s: SensorId) -> usize {
    usize::try_from(m.sensor.objid[s]).unwrap_or(0)
}

/// Row of the reference of a sensor.
pub(super) fn reference(m: &Model, s: SensorId) -> usize {
    usize::try_from(m.sensor.refid[s]).unwrap_or(0)
}

/// First limit row of the joint or tendon that a limit sensor reads.
pub(super) fn limit_row(m: &Model, d: &Data, s: SensorId, kind: ConstraintType) -> Option<usize> {
    let id = object(m, s) as u32;
    let first = d.rows.ne + d.rows.nf;
    (first..first + d.rows.nl).find(|&i| d.rows.r#type[i] == kind && d.rows.id[i] == id)
}
