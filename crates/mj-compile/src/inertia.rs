//! Mass, centre of mass and principal axes of bodies.

use crate::frames::{EPS, Pose};
use mj_math::{DMat3, DQuat, DVec3, eig3, quat};
use mj_model::spec::MassRules;

/// A rigid mass: principal moments about its centre of mass, in the frame `pose`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mass {
    pub mass: f64,
    pub inertia: DVec3,
    pub pose: Pose,
}

/// Principal moments, largest first, and the orientation of their axes, if the rules allow these moments.
pub(crate) fn principal(full: DMat3, rules: &MassRules) -> Result<(DVec3, DQuat), String> {
    let (moments, axes) = eig3::symmetric(full);
    if rules.allow(moments.to_array()) {
        return Ok((moments, axes));
    }
    let DVec3 { x, y, z } = moments;
    Err(format!("the inertia must be positive definite, but its principal moments are {x:.3e} {y:.3e} {z:.3e}"))
}

/// Symmetric matrix of xx, yy, zz, xy, xz, yz.
pub(crate) fn matrix(f: [f64; 6]) -> DMat3 {
    DMat3::from_cols(DVec3::new(f[0], f[3], f[4]), DVec3::new(f[3], f[1], f[5]), DVec3::new(f[4], f[5], f[2]))
}

/// Several masses as one, all in one frame. None if there is no mass.
///
/// A single mass keeps its own axes; otherwise they are the principal axes of the sum, each part
/// moved to the common centre of mass by the parallel-axis theorem.
pub(crate) fn combine(parts: &[Mass], rules: &MassRules) -> Result<Option<Mass>, String> {
    if let [one] = parts {
        return Ok(Some(*one));
    }
    let mass: f64 = parts.iter().map(|p| p.mass).sum();
    if mass < EPS {
        return Ok(None);
    }
    let centre = parts.iter().map(|p| p.pose.pos * p.mass).sum::<DVec3>() / mass;
    let mut full = [0.0; 6];
    for p in parts {
        let (turned, shift) = (turned(p), shifted(p.mass, p.pose.pos - centre));
        for k in 0..6 {
            full[k] = full[k] + turned[k] + shift[k];
        }
    }
    let (inertia, quat) = principal(matrix(full), rules)?;
    Ok(Some(Mass { mass, inertia, pose: Pose { pos: centre, quat } }))
}

/// Inertia R I Rᵀ in the frame that the mass is posed in. Each product once: where moments are equal rounding chooses
/// the principal axes, and both halves of the matrix have to agree on it.
fn turned(p: &Mass) -> [f64; 6] {
    let axes = quat::to_mat_compiling(p.pose.quat);
    let entry = |i: usize, j: usize| {
        let term = |k: usize| axes.col(k)[i] * (axes.col(k)[j] * p.inertia[k]);
        term(0) + term(1) + term(2)
    };
    [entry(0, 0), entry(1, 1), entry(2, 2), entry(0, 1), entry(0, 2), entry(1, 2)]
}

/// Returns the inertia that a mass gains when it moves by `r`: m (|r|² − r rᵀ).
fn shifted(m: f64, r: DVec3) -> [f64; 6] {
    let s = r * r;
    [m * (s.y + s.z), m * (s.x + s.z), m * (s.x + s.y), -m * r.x * r.y, -m * r.x * r.z, -m * r.y * r.z]
}

/// Whether moments satisfy A + B ≥ C in every order, as those of any real body do.
pub(crate) fn is_physical(i: DVec3) -> bool {
    // Rounding of the principal moments of flat bodies is forgiven.
    i.element_sum() - 2.0 * i.max_element() >= -1e-13 * i.max_element()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::shape;
    use mj_model::GeomType;
    use mj_model::spec::Compiler;
    use proptest::prelude::*;

    fn rules(boundinertia: f64) -> MassRules {
        MassRules { boundinertia, ..Compiler::default().mass_rules() }
    }

    fn vec3(r: f64) -> impl Strategy<Value = DVec3> {
        (-r..r, -r..r, -r..r).prop_map(|(x, y, z)| DVec3::new(x, y, z))
    }

    #[test]
    fn two_half_boxes_make_a_box() {
        let half = |x: f64| Mass {
            mass: 1.0,
            inertia: shape::inertia(GeomType::Box, DVec3::new(0.5, 0.3, 0.2), false, 1.0),
            pose: Pose { pos: DVec3::new(x, 0.0, 0.0), quat: DQuat::IDENTITY },
        };
        let whole = combine(&[half(0.5), half(1.5)], &rules(0.0)).unwrap().unwrap();
        let want = shape::inertia(GeomType::Box, DVec3::new(1.0, 0.3, 0.2), false, 2.0);
        let mut want = want.to_array();
        want.sort_by(|a, b| b.total_cmp(a));
        assert!((whole.inertia - DVec3::from_array(want)).length() < 1e-12);
        assert_eq!((whole.mass, whole.pose.pos), (2.0, DVec3::X));
    }

    #[test]
    fn degenerate_bodies() {
        assert!(combine(&[], &rules(0.0)).unwrap().is_none());
        assert!(principal(DMat3::ZERO, &rules(0.0)).is_err());
        assert!(principal(DMat3::ZERO, &rules(0.1)).is_ok());
        assert!(principal(DMat3::from_diagonal(DVec3::new(1e3, 1e3, -1e-12)), &rules(0.1)).is_ok());
        assert!(principal(DMat3::from_diagonal(DVec3::new(1.0, 1.0, -1e-12)), &rules(0.1)).is_err());
        assert!(is_physical(DVec3::new(1.0, 1.0, 2.0)) && !is_physical(DVec3::new(1.0, 1.0, 2.0 + 1e-9)));
    }

    proptest! {
        /// Kinetic energy of a rigid motion does not depend on how the body is cut into parts.
        #[test]
        fn energy_is_the_sum_of_the_parts(
            parts in prop::collection::vec((0.1..5.0f64, vec3(1.0), vec3(2.0), vec3(3.0)), 2..6),
            w in vec3(2.0), v in vec3(2.0),
        ) {
            let parts: Vec<Mass> = parts.into_iter().map(|(mass, i, pos, turn)| Mass {
                mass,
                inertia: i.abs() + DVec3::splat(0.01),
                pose: Pose { pos, quat: quat::exp(turn) },
            }).collect();
            let energy = |p: &Mass| {
                let local = quat::rotate(p.pose.quat.conjugate(), w);
                p.mass * (v + w.cross(p.pose.pos)).length_squared() + (p.inertia * local * local).element_sum()
            };
            let whole = combine(&parts, &rules(0.0)).unwrap().unwrap();
            let sum: f64 = parts.iter().map(energy).sum();
            prop_assert!((energy(&whole) - sum).abs() < 1e-12 * sum.max(1.0));
        }
    }
}
