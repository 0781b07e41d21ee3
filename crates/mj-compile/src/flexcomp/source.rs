//! Points and elements of a flexcomp, from the rule, the file or the lists that it names.

use super::points::Points;
use super::{file, grid, hull};
use crate::frames::Pose;
use mj_math::DVec3;
use mj_model::plugin::Registry;
use mj_model::spec::Flexcomp;
use mj_model::{FlexcompType, Spec};

/// The most points or elements of a flexcomp: more is taken for a slip.
const MOST: usize = 5_000_000;

/// Makes or reads what a flexcomp describes, in its parent body.
pub(super) fn points(f: &Flexcomp, spec: &Spec, registry: &Registry, pose: Pose) -> Result<Points, String> {
    check_numbers(f)?;
    let textured = f.texcoord.is_empty() && !f.material.is_empty();
    let mut out = match f.r#type {
        FlexcompType::Grid => grid::grid(f, textured)?,
        FlexcompType::Circle => grid::circle(f)?,
        FlexcompType::Square | FlexcompType::Disc => grid::square(f, textured)?,
        FlexcompType::Box | FlexcompType::Cylinder | FlexcompType::Ellipsoid => hull::hull(f, textured)?,
        FlexcompType::Mesh | FlexcompType::Gmsh => file::points(f, spec, registry)?,
        FlexcompType::Direct => direct(f)?,
    };
    if !f.texcoord.is_empty() {
        out.texcoord.clone_from(&f.texcoord);
    }
    let npoint = out.point.len();
    if out.element.is_empty() || npoint == 0 {
        return Err("it has no points or no elements".into());
    }
    if !out.element.len().is_multiple_of(out.corners()) {
        return Err(format!("{} points of elements are no multiple of {}", out.element.len(), out.corners()));
    }
    if let Some(e) = out.element.iter().find(|&&e| usize::try_from(e).map_or(true, |e| e >= npoint)) {
        return Err(format!("an element has point {e}, but there are {npoint}, counted from 0"));
    }
    if is_listed(f) {
        let scale = DVec3::from_array(f.scale);
        out.point.iter_mut().for_each(|p| *p *= scale);
    }
    out.point.iter_mut().for_each(|p| *p = pose.point(*p));
    if out.point.iter().any(|p| !p.is_finite()) {
        return Err("a point is not finite".into());
    }
    Ok(out)
}

/// Whether points are listed, not made by a rule.
pub(super) fn is_listed(f: &Flexcomp) -> bool {
    matches!(f.r#type, FlexcompType::Mesh | FlexcompType::Gmsh | FlexcompType::Direct)
}

fn check_numbers(f: &Flexcomp) -> Result<(), String> {
    if !(1..=3).contains(&f.dim) {
        return Err(format!("`dim` is {}, which is none of 1, 2, 3", f.dim));
    }
    if let Some(n) = f.count.iter().find(|&&n| n < 1) {
        return Err(format!("`count` has {n}, but along each axis is at least one point"));
    }
    let many = f.count.iter().try_fold(1usize, |n, &c| n.checked_mul(usize::try_from(c).ok()?));
    if !is_listed(f) && many.is_none_or(|n| n > MOST) {
        return Err(format!("{} x {} x {} points are too many", f.count[0], f.count[1], f.count[2]));
    }
    let least = 2.0 * f.radius + f.contact.margin;
    if !is_listed(f) && f.spacing.iter().any(|&s| !(s >= least && s.is_finite())) {
        return Err(format!("`spacing` must be at least twice the radius and the margin, {least}"));
    }
    let tiny = |x: &f64| x.is_nan() || *x < mj_math::MINVAL;
    if f.scale.iter().any(tiny) {
        return Err("`scale` must be positive".into());
    }
    if tiny(&f.mass) || tiny(&f.inertiabox) {
        return Err("`mass` and `inertiabox` must be positive".into());
    }
    Ok(())
}

fn direct(f: &Flexcomp) -> Result<Points, String> {
    if !f.point.len().is_multiple_of(3) {
        return Err(format!("`point` has {} numbers, which is no multiple of 3", f.point.len()));
    }
    let point = f.point.as_chunks().0.iter().map(|p| DVec3::from_array(*p)).collect();
    Ok(Points { dim: f.dim, point, element: f.element.clone(), ..Points::default() })
}
