//! Bodies that turn with the edges of an elastic rod, each by a hinge joint of its own.

use super::bodies::Maker;
use super::points::Points;
use crate::flex::rods::{open_chain, twist_joint};
use mj_math::DVec3;
use mj_model::spec::{Body, Inertial};
use mj_model::{FlexDof, JointType, Section};

/// Mass of such a body, which moves nowhere.
const MASS: f64 = 1e-9;

/// Makes the bodies of a flexcomp's edges: none unless it is an elastic rod of one open chain, and none for edges at its ends
/// whose points are pinned.
pub(super) fn bodies(maker: &Maker, points: &Points, pinned: &[bool]) -> Vec<Body> {
    let f = maker.f;
    let e = &f.elasticity;
    if points.dim != 1 || f.dof != FlexDof::Full || e.young <= 0.0 || pinned.iter().all(|p| *p) {
        return Vec::new();
    }
    let Some(chain) = open_chain(&points.element).filter(|c| c.len() > 2) else { return Vec::new() };
    let n = chain.len() - 1;
    let square = match e.section {
        Section::Circle => 0.5 * f.radius * f.radius,
        Section::Box => e.sectionsize.iter().map(|s| s * s).sum::<f64>() / 3.0,
    };
    let moment = f.mass / n as f64 * square;
    let clamped = |i: usize| pinned[chain[i]] && pinned[chain[i + 1]] && (i == 0 || i + 1 == n && n > 2);
    let body = |i: usize| {
        let mut joint = maker.joint(JointType::Hinge, DVec3::X);
        joint.name = twist_joint(&f.name, i, n);
        Body {
            name: joint.name.clone(),
            inertial: Some(Inertial { mass: MASS, diaginertia: Some([moment; 3]), loc: f.loc, ..Inertial::default() }),
            joints: vec![joint],
            loc: f.loc,
            ..Body::default()
        }
    };
    (0..n).filter(|&i| !clamped(i)).map(body).collect()
}
