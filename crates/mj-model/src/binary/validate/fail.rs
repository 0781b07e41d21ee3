//! Conditions on fields, each with the complaint if it does not hold.

use crate::enums::ObjType;
use crate::storage::{Check, Invalid, Rows};

/// The most numbers that one array of the state may hold.
pub const MAX_NUMBERS: usize = 100_000_000;

pub fn wrong(field: impl Into<String>, row: usize, problem: impl Into<String>) -> Check {
    Err(Invalid { field: field.into(), row, problem: problem.into() })
}

/// Fails with a problem unless a condition holds.
pub fn want(holds: bool, field: &str, row: usize, problem: &str) -> Check {
    if holds { Ok(()) } else { wrong(field, row, problem) }
}

/// Fails unless entries `adr .. adr + num` are among `n`.
pub fn within(adr: usize, num: usize, n: usize, field: &str, row: usize) -> Check {
    if adr.checked_add(num).is_some_and(|end| end <= n) {
        return Ok(());
    }
    wrong(field, row, format!("{num} entries from {adr} on, where there are {n}"))
}

/// Fails unless a row that a number names is among `n`; −1 names none, if that is allowed.
pub fn names_row(id: i32, n: usize, optional: bool, field: &str, row: usize) -> Check {
    let good = usize::try_from(id).map_or(optional && id == -1, |i| i < n);
    if good { Ok(()) } else { wrong(field, row, format!("{id} is no row, where there are {n}")) }
}

/// Returns the number of rows of a kind of object.
pub fn rows_of(rows: &Rows, kind: ObjType) -> usize {
    match kind {
        ObjType::Body | ObjType::XBody => rows.body,
        ObjType::Joint => rows.jnt,
        ObjType::Dof => rows.dof,
        ObjType::Geom => rows.geom,
        ObjType::Site => rows.site,
        ObjType::Camera => rows.cam,
        ObjType::Light => rows.light,
        ObjType::Mesh => rows.mesh,
        ObjType::Hfield => rows.hfield,
        ObjType::Skin => rows.skin,
        ObjType::Flex => rows.flex,
        ObjType::Texture => rows.tex,
        ObjType::Material => rows.mat,
        ObjType::Pair => rows.pair,
        ObjType::Exclude => rows.exclude,
        ObjType::Equality => rows.eq,
        ObjType::Tendon => rows.tendon,
        ObjType::Actuator => rows.actuator,
        ObjType::Sensor => rows.sensor,
        ObjType::Numeric => rows.numeric,
        ObjType::Text => rows.text,
        ObjType::Tuple => rows.tuple,
        ObjType::Key => rows.key,
        ObjType::Plugin => rows.plugin,
        ObjType::Unknown => 0,
    }
}

/// Sums numbers that the state will hold.
pub fn total(numbers: impl Iterator<Item = usize>) -> usize {
    numbers.fold(0, usize::saturating_add)
}

/// Fails if a size of the state is not the sum of its parts, or is absurd.
pub fn is_total(size: usize, parts: impl Iterator<Item = usize>, field: &str) -> Check {
    let sum = total(parts);
    if size != sum {
        return wrong(field, 0, format!("it is {size}, but the parts add up to {sum}"));
    }
    is_bounded(size, field)
}

pub fn is_bounded(size: usize, field: &str) -> Check {
    want(size <= MAX_NUMBERS, field, 0, &format!("{size} is more than {MAX_NUMBERS}"))
}
