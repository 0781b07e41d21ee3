//! A vertex between two edges of an elastic rod, as rows of strains: energy Σ w r², where the derivatives of a strain r by the
//! edges and by their twist angles are its row.
//!
//! Bergou et al., "Discrete elastic rods", 2008, section 4.2.2: curvatures κb·m by the material axes m of both edges, and the
//! twist between the edges.

use mj_math::{DVec3, MINVAL, real};

/// Parallel transport of a vector along the shortest arc between unit vectors (Bergou et al. 2008, section 4.2.2).
#[inline]
pub fn transport(from: DVec3, to: DVec3, v: DVec3) -> DVec3 {
    let (axis, cos) = (from.cross(to), from.dot(to));
    let opposed = 1.0 + cos;
    if opposed < MINVAL {
        return v;
    }
    v * cos + axis.cross(v) + axis * (axis.dot(v) / opposed)
}

/// Signed angle about `axis` from `a` to `b`.
#[inline]
pub fn angle_about(axis: DVec3, a: DVec3, b: DVec3) -> f64 {
    real::atan2(a.cross(b).dot(axis), a.dot(b))
}

/// Strain with its derivatives.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Strain {
    /// Coefficient w of its energy w r².
    pub weight: f64,
    /// Strain beyond that at qpos0.
    pub residual: f64,
    /// Derivatives by the edges, in the order of the vertices.
    pub edge: [DVec3; 3],
    /// Derivatives by the twist angles of the first two edges.
    pub twist: [f64; 2],
}

/// Bend between two edges.
#[derive(Clone, Copy, Debug)]
pub struct Bend {
    tangent: [DVec3; 2],
    length: [f64; 2],
    /// 1/(1 + t₀·t₁).
    scale: f64,
    /// Curvature binormal κb = 2 t₀×t₁/(1 + t₀·t₁).
    pub curvature: DVec3,
}

impl Bend {
    /// The bend between edges e₀ and e₁; edges without length, or one that folds onto the other, don't bend.
    #[inline]
    pub fn new(edge: [DVec3; 2]) -> Self {
        let length = edge.map(DVec3::length);
        let tangent = [0, 1].map(|i| if length[i] < MINVAL { DVec3::ZERO } else { edge[i] / length[i] });
        let opposed = 1.0 + tangent[0].dot(tangent[1]);
        let scale = if opposed < MINVAL { 0.0 } else { 1.0 / opposed };
        let length = length.map(|l| if l < MINVAL { f64::INFINITY } else { l });
        Self { tangent, length, scale, curvature: tangent[0].cross(tangent[1]) * (2.0 * scale) }
    }

    /// Derivatives of κb·a by the edges, where `a` is carried along with the edges without twist.
    #[inline]
    pub fn slope(&self, a: DVec3) -> [DVec3; 2] {
        let [t, u] = self.tangent;
        let value = self.curvature.dot(a);
        let by_tangent = [(u.cross(a) * 2.0 - u * value) * self.scale, (a.cross(t) * 2.0 - t * value) * self.scale];
        [0, 1].map(|i| {
            let t = self.tangent[i];
            (by_tangent[i] - t * t.dot(by_tangent[i])) / self.length[i]
        })
    }

    /// Derivatives of the twist between frames that are carried along with the edges without twist of their own.
    #[inline]
    pub fn holonomy(&self) -> [DVec3; 2] {
        self.length.map(|l| self.curvature * (0.5 / l))
    }

    /// Direction of the curvature; none where the edges are in line.
    #[inline]
    pub fn direction(&self) -> Option<DVec3> {
        let size = self.curvature.length();
        (size >= MINVAL).then(|| self.curvature / size)
    }
}

/// Stiffnesses of a vertex between two edges.
#[derive(Clone, Copy, Debug)]
pub struct Stiffness {
    /// Weak and strong bending.
    pub bending: [f64; 2],
    /// Torsion.
    pub torsion: f64,
}

/// Axes of the section of both edges, in the world: weak, then strong.
pub type Axes = [[DVec3; 2]; 2];

/// Strains of a vertex whose edges have twist angles: of bending about both axes of either edge, then of torsion. `rest` are
/// the curvatures at qpos0 about the axes; `twist` is the angle between the material frames beyond that at rest.
#[inline]
pub fn framed(bend: &Bend, k: &Stiffness, axes: &Axes, rest: [f64; 2], twist: f64) -> [Strain; 5] {
    let mut out = [Strain::default(); 5];
    for (j, frame) in axes.iter().enumerate() {
        let value = frame.map(|a| bend.curvature.dot(a));
        // As an edge turns by its twist angle, the first axis moves towards the second, and the second away from the first.
        let by_angle = [value[1], -value[0]];
        for a in 0..2 {
            let [e, f] = bend.slope(frame[a]);
            let mut by_twist = [0.0; 2];
            by_twist[j] = by_angle[a];
            let (weight, residual) = (0.5 * k.bending[a], value[a] - rest[a]);
            out[2 * j + a] = Strain { weight, residual, edge: [e, f, DVec3::ZERO], twist: by_twist };
        }
    }
    let [e, f] = bend.holonomy();
    out[4] = Strain { weight: k.torsion, residual: twist, edge: [e, f, DVec3::ZERO], twist: [-1.0, 1.0] };
    out
}

/// Strains whose rates bending damps, as they are at a state: curvature along its present direction, so that neither rigid
/// motion nor a turn of the plane of bending is damped. About the weak axis the geometric mean of both stiffnesses counts, so
/// that both axes are damped alike in proportion.
#[inline]
pub fn damped_bending(bend: &Bend, k: &Stiffness, axes: &Axes) -> [Strain; 4] {
    let [weak, strong] = k.bending;
    let damped = [(weak * strong).sqrt(), strong];
    let mut out = [Strain::default(); 4];
    let row = |weight, a| {
        let [e, f] = bend.slope(a);
        Strain { weight, edge: [e, f, DVec3::ZERO], ..Strain::default() }
    };
    let all = || axes.iter().flat_map(|frame| frame.iter().zip(damped));
    match bend.direction() {
        Some(n) => out[0] = row(all().map(|(a, k)| 0.5 * k * n.dot(*a).powi(2)).sum(), n),
        None => out.iter_mut().zip(all()).for_each(|(out, (a, k))| *out = row(0.5 * k, *a)),
    }
    out
}

/// Second derivatives of the energy of bending by the twist angles of both edges, where they are positive.
#[inline]
pub fn twist_stiffness(bend: &Bend, k: &Stiffness, axes: &Axes, rest: [f64; 2]) -> [f64; 2] {
    axes.map(|frame| {
        let [p, q] = frame.map(|a| bend.curvature.dot(a));
        let second = k.bending[0] * (q * q - (p - rest[0]) * p) + k.bending[1] * (p * p - (q - rest[1]) * q);
        second.max(0.0)
    })
}

/// Strains of a vertex whose edges have no twist angles: the size of its curvature beyond `rest`. Without a curvature there is
/// no direction in which it could grow, and no force; all of its components are damped then.
#[inline]
pub fn size_of_curvature(bend: &Bend, weight: f64, rest: f64) -> [Strain; 3] {
    let row = |residual, a| {
        let [e, f] = bend.slope(a);
        Strain { weight, residual, edge: [e, f, DVec3::ZERO], twist: [0.0; 2] }
    };
    match bend.direction() {
        Some(n) => [row(bend.curvature.length() - rest, n), Strain::default(), Strain::default()],
        None => [row(0.0, DVec3::X), row(0.0, DVec3::Y), row(0.0, DVec3::Z)],
    }
}

/// Strains whose squares, each with its weight, approximate the energy of [`size_of_curvature`] to second order: along the
/// curvature, and in all directions as far as the curvature is beyond that at rest.
#[inline]
pub fn size_stiffness(bend: &Bend, weight: f64, rest: f64) -> [Strain; 4] {
    let row = |weight, a| {
        let [e, f] = bend.slope(a);
        Strain { weight, edge: [e, f, DVec3::ZERO], ..Strain::default() }
    };
    let beyond = match bend.direction() {
        Some(_) => (1.0 - rest / bend.curvature.length()).max(0.0),
        None => 1.0,
    };
    let along = bend.direction().map_or(Strain::default(), |n| row(weight * (1.0 - beyond), n));
    [along, row(weight * beyond, DVec3::X), row(weight * beyond, DVec3::Y), row(weight * beyond, DVec3::Z)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rod::pair::{self, Pair};
    use proptest::prelude::*;

    const SMALL: f64 = 1e-6;

    fn vector(size: f64) -> impl Strategy<Value = DVec3> {
        prop::array::uniform3(-size..size).prop_map(DVec3::from_array)
    }

    /// Edges of a bent line, none folded back onto the one before.
    fn line() -> impl Strategy<Value = [DVec3; 3]> {
        [vector(0.5), vector(0.5), vector(0.5)].prop_map(|e| e.map(|v| DVec3::X + v))
    }

    /// Reference frames that are carried straight from the tangents `old` with normals `normal`.
    fn carried(edge: &[DVec3], old: &[DVec3], normal: &[DVec3]) -> Vec<(DVec3, DVec3)> {
        let at = |i: usize| (edge[i].normalize(), transport(old[i], edge[i].normalize(), normal[i]));
        (0..2).map(at).collect()
    }

    fn axes_of(frames: &[(DVec3, DVec3)], angle: [f64; 2]) -> Axes {
        [0, 1].map(|i| {
            let (t, u) = frames[i];
            let (sin, cos) = angle[i].sin_cos();
            [u * cos + t.cross(u) * sin, t.cross(u) * cos - u * sin]
        })
    }

    fn twist_of(frames: &[(DVec3, DVec3)], angle: [f64; 2]) -> f64 {
        let [(t, u), (s, w)] = [frames[0], frames[1]];
        angle[1] - angle[0] + angle_about(s, transport(t, s, u), w)
    }

    fn energy(strains: &[Strain]) -> f64 {
        strains.iter().map(|s| s.weight * s.residual * s.residual).sum()
    }

    fn gradient(strains: &[Strain]) -> ([DVec3; 3], [f64; 2]) {
        let (mut edge, mut twist) = ([DVec3::ZERO; 3], [0.0; 2]);
        for s in strains {
            let by = 2.0 * s.weight * s.residual;
            (0..3).for_each(|i| edge[i] += s.edge[i] * by);
            (0..2).for_each(|i| twist[i] += s.twist[i] * by);
        }
        (edge, twist)
    }

    /// Compares the derivatives by the edges with differences of an energy.
    fn check_edges(edge: &[DVec3; 3], gradient: &[DVec3; 3], of: impl Fn(&[DVec3; 3]) -> f64) {
        for i in 0..3 {
            for axis in 0..3 {
                let at = |d: f64| {
                    let mut e = *edge;
                    e[i][axis] += d;
                    of(&e)
                };
                let expected = (at(SMALL) - at(-SMALL)) / (2.0 * SMALL);
                assert!((gradient[i][axis] - expected).abs() < 1e-6 * (1.0 + expected.abs()), "{i} {axis}");
            }
        }
    }

    proptest! {
        /// Derivatives of bending and torsion are those of the energy, also by the turn of the reference frames, which are
        /// carried from where they were before.
        #[test]
        fn the_gradient_of_a_framed_vertex_is_that_of_its_energy(
            e in line(),
            from in [vector(0.3), vector(0.3)],
            angle in prop::array::uniform2(-2.0..2.0),
            k in prop::array::uniform3(0.1..2.0),
            rest in prop::array::uniform2(-1.0..1.0),
        ) {
            let k = Stiffness { bending: [k[0], k[1]], torsion: k[2] };
            let old = [0, 1].map(|i| (e[i] + from[i]).normalize());
            let normal = old.map(|t| t.any_orthonormal_vector());
            let strains = |e: &[DVec3; 3], angle: [f64; 2]| {
                let frames = carried(e, &old, &normal);
                framed(&Bend::new([e[0], e[1]]), &k, &axes_of(&frames, angle), rest, twist_of(&frames, angle))
            };
            let (mut by_edge, by_twist) = gradient(&strains(&e, angle));
            for i in 0..2 {
                let t = e[i].normalize();
                by_edge[i] += crate::rod::frames::spin_of(old[i], t) * (by_twist[i] / e[i].length());
            }
            check_edges(&e, &by_edge, |e| energy(&strains(e, angle)));
            for i in 0..2 {
                let at = |d: f64| {
                    let mut turned = angle;
                    turned[i] += d;
                    energy(&strains(&e, turned))
                };
                let expected = (at(SMALL) - at(-SMALL)) / (2.0 * SMALL);
                prop_assert!((by_twist[i] - expected).abs() < 1e-6);
            }
        }

        /// A line that moves as a rigid body, its frames with it, keeps its strains.
        #[test]
        fn rigid_motion_costs_no_energy(e in line(), turn in vector(3.0), angle in prop::array::uniform2(-2.0..2.0)) {
            let turn = mj_math::DQuat::from_scaled_axis(turn);
            let k = Stiffness { bending: [1.0, 3.0], torsion: 2.0 };
            let frames = [0, 1].map(|i| (e[i].normalize(), e[i].normalize().any_orthonormal_vector()));
            let moved = frames.map(|(t, u)| (turn * t, turn * u));
            let at = |e: [DVec3; 3], f: &[(DVec3, DVec3)]| {
                framed(&Bend::new([e[0], e[1]]), &k, &axes_of(f, angle), [0.2, -0.1], twist_of(f, angle))
            };
            let (before, after) = (energy(&at(e, &frames)), energy(&at(e.map(|v| turn * v), &moved)));
            prop_assert!((before - after).abs() < 1e-10 * (1.0 + before));
        }

        /// Bending is damped neither by rigid motion nor where the plane of bending turns.
        #[test]
        fn damping_is_of_the_size_of_the_curvature(e in line(), turn in vector(1.0)) {
            let k = Stiffness { bending: [1.0, 4.0], torsion: 0.0 };
            let axes = [0, 1].map(|i| { let u = e[i].normalize().any_orthonormal_vector(); [u, e[i].normalize().cross(u)] });
            for s in damped_bending(&Bend::new([e[0], e[1]]), &k, &axes) {
                let rate: f64 = (0..2).map(|i| s.edge[i].dot(turn.cross(e[i]))).sum();
                prop_assert!(rate.abs() < 1e-10);
            }
        }

        #[test]
        fn the_gradient_of_a_pair_is_that_of_its_energy(
            e in line(),
            k in prop::array::uniform3(0.1..2.0),
            rest in prop::array::uniform2(0.0..1.0),
            angle in -3.0f64..3.0,
        ) {
            let p = Pair { bending: [k[0], k[1]], rest, torsion: [k[2] * angle.cos(), k[2] * angle.sin()] };
            let size = |e: &[DVec3; 3]| pair::bends(e).map(|b| b.curvature.length());
            prop_assume!(size(&e).iter().all(|s| *s > 0.05));
            let of = |e: &[DVec3; 3]| {
                let [a, b] = size(e);
                let (m, n) = (e[0].cross(e[1]), e[1].cross(e[2]));
                let phi = angle_about(e[1].normalize(), m, n);
                k[0] * (a - rest[0]).powi(2) + k[1] * (b - rest[1]).powi(2) + 2.0 * k[2] * (1.0 - (phi - angle).cos())
            };
            check_edges(&e, &gradient(&pair::strains(&e, &p)).0, of);
        }

        /// At rest the stiffness of a pair is the second derivative of its energy: nothing is left out there.
        #[test]
        fn the_stiffness_of_a_pair_at_rest_is_exact(e in line(), k in prop::array::uniform3(0.1..2.0), v in [vector(1.0), vector(1.0), vector(1.0)]) {
            let bends = pair::bends(&e);
            let rest = bends.map(|b| b.curvature.length());
            prop_assume!(rest.iter().all(|s| *s > 0.1));
            let phi = angle_about(e[1].normalize(), e[0].cross(e[1]), e[1].cross(e[2]));
            let p = Pair { bending: [k[0], k[1]], rest, torsion: [k[2] * phi.cos(), k[2] * phi.sin()] };
            let along = |s: &Strain| (0..3).map(|i| s.edge[i].dot(v[i])).sum::<f64>();
            let exact: f64 = pair::strains(&e, &p).iter().map(|s| s.weight * along(s).powi(2)).sum();
            let found: f64 = pair::stiffness(&e, &p).iter().map(|s| s.weight * along(s).powi(2)).sum();
            prop_assert!((exact - found).abs() < 1e-9 * (1.0 + exact));
        }

        /// Beyond its curvature at rest, the stiffness of a vertex without twist is the second derivative of its energy by κb.
        #[test]
        fn the_stiffness_of_a_curvature_is_its_second_derivative(e in line(), part in 0.0..1.0, v in vector(1.0)) {
            let bend = Bend::new([e[0], e[1]]);
            let size = bend.curvature.length();
            prop_assume!(size > 0.05);
            let rest = part * size;
            let of = |x: DVec3| -> f64 { let d: f64 = x.length() - rest; d * d };
            let h = 1e-4 * size;
            let b = bend.curvature;
            let second = (of(b + v * h) - 2.0 * of(b) + of(b - v * h)) / (h * h);
            // The rows as functions of κb: a·κb for the direction and the three axes.
            let n = b / size;
            let weights = size_stiffness(&bend, 1.0, rest).map(|s| s.weight);
            let along = [n, DVec3::X, DVec3::Y, DVec3::Z].map(|a| a.dot(v).powi(2));
            let found: f64 = 2.0 * weights.iter().zip(along).map(|(w, a)| w * a).sum::<f64>();
            prop_assert!((second - found).abs() < 1e-4 * (1.0 + second.abs()), "{second} {found}");
        }

        /// The stiffness against twist is the second derivative of the energy of bending, or zero where that is negative.
        #[test]
        fn twist_stiffness_is_a_second_derivative(e in line(), angle in prop::array::uniform2(-2.0..2.0), rest in prop::array::uniform2(-1.0..1.0)) {
            let k = Stiffness { bending: [0.7, 2.0], torsion: 0.0 };
            let bend = Bend::new([e[0], e[1]]);
            let frames = [0, 1].map(|i| (e[i].normalize(), e[i].normalize().any_orthonormal_vector()));
            let found = twist_stiffness(&bend, &k, &axes_of(&frames, angle), rest);
            for i in 0..2 {
                let at = |d: f64| {
                    let mut turned = angle;
                    turned[i] += d;
                    energy(&framed(&bend, &k, &axes_of(&frames, turned), rest, 0.0))
                };
                let h = 1e-4;
                let second = (at(h) - 2.0 * at(0.0) + at(-h)) / (h * h);
                prop_assert!((found[i] - second.max(0.0)).abs() < 1e-5, "{} {second}", found[i]);
            }
        }
    }
}
