//! Elasticity of flexes whose vertices are points of bodies: quadratic forms of triangles, tetrahedra and hinges.
//!
//! The Green strain of a linear element is ε = −½ Σₑ (lₑ² − Lₑ²) sym(∇λᵢ ⊗ ∇λⱼ), where e joins vertices i and j, l and L are
//! lengths now and at qpos0, and λ are the barycentric coordinates. So the energy of Saint Venant and Kirchhoff,
//! V (μ tr ε² + ½ λ (tr ε)²), is ¼ sᵀ K s with s the elongations of squared lengths.

use super::topology::Edges;
use crate::context::Context;
use mj_math::{DMat3, DVec3};
use mj_model::spec::Elasticity;
use mj_model::{BodyId, Elastic2d, Elastic3d, IntegratorType, Model, ObjType, Section, plastic};

/// Numbers for a triangle: the upper triangle of K, then zeros.
const TRIANGLE: usize = 21;
/// Numbers for a tetrahedron: the upper triangle of K, then three parameters, which are zero but for neo-Hookean ones.
const TETRAHEDRON: usize = 24;
/// Place of the thickness behind the form of the first triangle, in shells that yield in bending.
const THICKNESS: usize = 6;
/// Numbers for a hinge: the matrix of the quadratic energy, by rows, and the factor for a curved reference.
const HINGE: usize = 17;

/// Elastic tables of one flex.
#[derive(Debug, Default)]
pub(super) struct Elastic {
    /// Quadratic forms of elements.
    pub stiffness: Vec<f64>,
    /// Quadratic forms of hinges, one for each edge; of a rod, its records with their number before them.
    pub bending: Vec<f64>,
    /// Yield strains of stretching and bending.
    pub yields: [f64; 2],
    /// Deformations that are plastic, bits of [`plastic`].
    pub plasticmode: i32,
}

/// Whether edges of a shell are hinges.
pub(super) fn bends(e: &Elasticity) -> bool {
    matches!(e.elastic2d, Elastic2d::Bend | Elastic2d::Both)
}

fn stretches(e: &Elasticity) -> bool {
    matches!(e.elastic2d, Elastic2d::Stretch | Elastic2d::Both)
}

/// Checks what the attributes of elasticity say, alone and together.
pub(super) fn check(e: &Elasticity, dim: usize, interpolated: bool, integrator: IntegratorType) -> Result<(), String> {
    if e.elastic3d == Elastic3d::NeoHookean {
        if dim != 3 || interpolated {
            return Err(
                "`elastic3d` is neo-Hookean, which needs dim=\"3\" and vertices that are not interpolated".into()
            );
        }
        if integrator != IntegratorType::Discrete {
            return Err("`elastic3d` is neo-Hookean, which needs integrator=\"discrete\"".into());
        }
    }
    if !(0.0..0.5).contains(&e.poisson) && (e.young > 0.0 || e.elastic2d != Elastic2d::None) {
        return Err(format!("`poisson` is {}, which is not from 0 to below 0.5", e.poisson));
    }
    if e.elastic2d != Elastic2d::None {
        if e.thickness <= 0.0 {
            return Err("`elastic2d` needs a positive `thickness`".into());
        }
        if dim != 2 && !interpolated {
            return Err("`elastic2d` is for dim=\"2\"".into());
        }
    }
    if e.shear < 0.0 || e.shear.is_nan() {
        return Err(format!("`shear` is {}, but a shear modulus is not negative", e.shear));
    }
    if dim == 1 && e.young > 0.0 && e.section == Section::Box && e.sectionsize.iter().any(|s| s.is_nan() || *s <= 0.0) {
        return Err("section=\"box\" needs two positive half sizes in `sectionsize`".into());
    }
    if let Some(y) = e.yields.iter().find(|y| **y < 0.0 || y.is_nan()) {
        return Err(format!("`yield` is {y}, but a yield strain is not negative"));
    }
    let [_, bending] = yields(e, dim, interpolated);
    if dim == 1 && e.yields.iter().any(|y| *y > 0.0) {
        return Err("`yield` is for flexes of dim=\"2\" or dim=\"3\"".into());
    }
    if bending > 0.0 && (dim != 2 || interpolated) {
        return Err(
            "`yield` has a second number above 0, for bending, but only shells whose vertices are not interpolated \
                    yield in bending: give it one number"
                .into(),
        );
    }
    Ok(())
}

/// Yield strains of stretching and bending: where one number is given, it stands for both in shells.
fn yields(e: &Elasticity, dim: usize, interpolated: bool) -> [f64; 2] {
    match e.yields[..] {
        [] => [0.0; 2],
        [one] if dim == 2 && !interpolated => [one; 2],
        [one] => [one, 0.0],
        [stretch, bend, ..] => [stretch, bend],
    }
}

/// Checks that the bodies of vertices or nodes move by joints, so that they have velocities.
pub(super) fn check_mocap(cx: &Context, m: &Model, mut bodies: impl Iterator<Item = BodyId>) -> Result<(), String> {
    let is_mocap = |b: &BodyId| m.body.mocapid[m.body.weldid[*b]].is_some();
    match bodies.find(is_mocap) {
        None => Ok(()),
        Some(b) => {
            let name = cx.names.describe(ObjType::Body, m.body.weldid[b].index());
            Err(format!("it is elastic and hangs on {name}, a mocap body, whose velocity is not known"))
        }
    }
}

impl Elastic {
    /// Computes the tables of a flex from the positions of its vertices at qpos0.
    pub fn of(
        e: &Elasticity,
        dim: usize,
        rigid: bool,
        element: &[i32],
        edges: &Edges,
        at: &[DVec3],
    ) -> Result<Self, String> {
        let mut out = Self { yields: yields(e, dim, false), ..Self::default() };
        if e.young <= 0.0 || dim == 1 {
            return Ok(out);
        }
        let lame = Lame::of(e, dim);
        match dim {
            2 => {
                out.stiffness = vec![0.0; TRIANGLE * element.len() / 3];
                if stretches(e) {
                    for (k, t) in out.stiffness.chunks_exact_mut(TRIANGLE).zip(element.as_chunks::<3>().0) {
                        triangle(t.map(|v| at[v as usize]), &lame, k);
                    }
                }
                if bends(e) {
                    out.bending = vec![0.0; HINGE * edges.ends.len()];
                    let rigidity = e.young * e.thickness.powi(3) / (12.0 * (1.0 - e.poisson * e.poisson));
                    for (i, k) in out.bending.as_chunks_mut::<HINGE>().0.iter_mut().enumerate() {
                        let ([a, b], [c, d]) = (edges.ends[i], edges.flaps[i]);
                        if d >= 0 {
                            hinge([a, b, c, d].map(|v| at[v as usize]), rigidity, k);
                        }
                    }
                }
            }
            _ => {
                out.stiffness = vec![0.0; TETRAHEDRON * element.len() / 4];
                for (k, t) in out.stiffness.chunks_exact_mut(TETRAHEDRON).zip(element.as_chunks::<4>().0) {
                    let at = t.map(|v| at[v as usize]);
                    match e.elastic3d {
                        Elastic3d::SaintVenantKirchhoff => _ = tetrahedron(at, &lame, k),
                        Elastic3d::NeoHookean => neo_hookean(at, &lame, k),
                    }
                }
            }
        }
        let flat = out.stiffness.iter().position(|k| !k.is_finite());
        if let Some(i) = flat {
            let i = i / if dim == 2 { TRIANGLE } else { TETRAHEDRON };
            return Err(format!("element {i} is elastic, but has no {}", if dim == 2 { "area" } else { "volume" }));
        }
        if let Some(i) = out.bending.iter().position(|k| !k.is_finite()) {
            return Err(format!("edge {} bends, but a triangle at it has no area", i / HINGE));
        }
        if out.yields[1] > 0.0 && !out.bending.is_empty() {
            // What the plasticity of hinges needs to know of the shell.
            out.stiffness[THICKNESS] = e.thickness;
        }
        if !rigid {
            let stretching = out.yields[0] > 0.0 && (dim == 3 || stretches(e));
            let bending = out.yields[1] > 0.0 && !out.bending.is_empty();
            out.plasticmode =
                if stretching { plastic::STRETCHING } else { 0 } | if bending { plastic::BENDING } else { 0 };
        }
        Ok(out)
    }
}

impl Elastic {
    /// Plasticity of an interpolated flex: its cells or faces may yield, but their hinges don't.
    pub fn of_cells(e: &Elasticity, rigid: bool, strain: bool) -> Self {
        let yields = yields(e, 3, true);
        let stretching = e.elastic2d == Elastic2d::None || stretches(e);
        let plastic = yields[0] > 0.0 && e.young > 0.0 && stretching && !rigid && !strain;
        Self { yields, plasticmode: if plastic { plastic::STRETCHING } else { 0 }, ..Self::default() }
    }
}

/// Gives the flexes that yield their place in the plastic state, behind the joints and tendons.
pub(crate) fn place_plastic(m: &mut Model) {
    for f in m.flex.ids() {
        let n = m.flex_plastic_count(f);
        if n > 0 {
            m.flex.plasticadr.edit()[f] = m.nplastic as i32;
            m.nplastic += n;
        }
    }
}

/// Lamé's parameters; for shells those of plane stress, times the thickness.
struct Lame {
    mu: f64,
    lambda: f64,
}

impl Lame {
    fn of(e: &Elasticity, dim: usize) -> Self {
        let (young, nu) = (e.young, e.poisson);
        let mu = young / (2.0 * (1.0 + nu));
        if dim == 2 {
            Self { mu: e.thickness * mu, lambda: e.thickness * young * nu / (1.0 - nu * nu) }
        } else {
            Self { mu, lambda: young * nu / ((1.0 + nu) * (1.0 - 2.0 * nu)) }
        }
    }
}

/// Writes the upper triangle of K for an element of measure `size`, by the gradients of its barycentric coordinates.
fn metric(gradient: &[DVec3], ends: &[[usize; 2]], size: f64, lame: &Lame, out: &mut [f64]) {
    let outer = |a: DVec3, b: DVec3| DMat3::from_cols(a * b.x, a * b.y, a * b.z);
    let mut basis = [DMat3::ZERO; 6];
    for (b, &[i, j]) in basis.iter_mut().zip(ends) {
        *b = 0.5 * (outer(gradient[i], gradient[j]) + outer(gradient[j], gradient[i]));
    }
    let trace = |a: &DMat3| a.x_axis.x + a.y_axis.y + a.z_axis.z;
    let basis = &basis[..ends.len()];
    let mut out = out.iter_mut();
    for (i, a) in basis.iter().enumerate() {
        for (b, k) in basis[i..].iter().zip(&mut out) {
            let product = a.x_axis.dot(b.x_axis) + a.y_axis.dot(b.y_axis) + a.z_axis.dot(b.z_axis);
            *k = size * (lame.mu * product + 0.5 * lame.lambda * trace(a) * trace(b));
        }
    }
}

fn triangle([a, b, c]: [DVec3; 3], lame: &Lame, out: &mut [f64]) {
    let normal = (b - a).cross(c - a);
    let square = normal.length_squared();
    let gradient = [normal.cross(c - b) / square, normal.cross(a - c) / square, normal.cross(b - a) / square];
    metric(&gradient, super::topology::EDGES[1], 0.5 * square.sqrt(), lame, out);
}

/// Writes the upper triangle of K of a tetrahedron, and returns six times its signed volume.
fn tetrahedron([a, b, c, d]: [DVec3; 4], lame: &Lame, out: &mut [f64]) -> f64 {
    let six = (b - a).cross(c - a).dot(d - a);
    let (gb, gc, gd) = ((c - a).cross(d - a) / six, (d - a).cross(b - a) / six, (b - a).cross(c - a) / six);
    metric(&[-(gb + gc + gd), gb, gc, gd], super::topology::EDGES[2], six.abs() / 6.0, lame, out);
    six
}

/// Writes the record of a tetrahedron with the energy V (½ μ (tr FᵀF − 3) − μ (J − 1) + ½ (λ + μ) (J − 1)²), J = det F (Smith,
/// de Goes, Kim, "Stable neo-Hookean flesh simulation", 2018, without the term that is singular at a point).
///
/// The trace is linear in s, but is written by the invariants of the strain, so that terms that cancel at rest don't stand
/// in it: μ tr ε = −2 μ I₂ − 4 μ I₃ + ½ μ (J² − 1). So the energy is ¼ sᵀ K s + c det S + p (J − 1)² with S the matrix of
/// products of edges from the first vertex that s makes; c, p, and the factor by which J follows from six times the
/// signed volume stand behind K.
fn neo_hookean(at: [DVec3; 4], lame: &Lame, out: &mut [f64]) {
    let six = tetrahedron(at, &Lame { mu: lame.mu, lambda: -2.0 * lame.mu }, out);
    let volume = six.abs() / 6.0;
    out[TETRAHEDRON - 3] = -0.5 * lame.mu * volume / (six * six);
    out[TETRAHEDRON - 2] = volume * (0.5 * lame.lambda + lame.mu);
    out[TETRAHEDRON - 1] = 1.0 / six;
}

/// Cotangent of the angle at `a` of a triangle.
fn cotangent(a: DVec3, b: DVec3, c: DVec3) -> f64 {
    (b - a).dot(c - a) / (b - a).cross(c - a).length()
}

/// Writes the energy of the hinge between triangles `p q a` and `q p b`: ½ cos θ D/A |Σ cᵢ xᵢ|², where c are sums of
/// cotangents and θ is the angle of the hinge at qpos0 (Wardetzky et al., "Discrete quadratic curvature energies", 2007),
/// and the factor of the gradient of the hinge's volume, by which that vanishes at a curved reference (Garg et al., "Cubic
/// shells", 2007).
fn hinge([p, q, a, b]: [DVec3; 4], rigidity: f64, out: &mut [f64; HINGE]) {
    let at_p = [cotangent(p, q, a), cotangent(p, q, b)];
    let at_q = [cotangent(q, p, a), cotangent(q, p, b)];
    let sum = [at_p[0] + at_q[0], at_p[1] + at_q[1]];
    let c = [at_q[0] + at_q[1], at_p[0] + at_p[1], -sum[0], -sum[1]];
    let area = 0.5 * ((q - p).cross(a - p).length() + (q - p).cross(b - p).length());
    let stiffness = rigidity / area;
    // The edge, turned by a right angle in each triangle.
    let turned = [(p - a) * at_q[0] + (q - a) * at_p[0], (p - b) * at_q[1] + (q - b) * at_p[1]];
    let square = (q - p).length_squared();
    let cos = -turned[0].dot(turned[1]) / square;
    for (i, k) in out[..16].iter_mut().enumerate() {
        *k = c[i / 4] * c[i % 4] * cos * stiffness;
    }
    let volume = (q - p).cross(a - p).dot(b - p);
    out[16] = -stiffness * volume * (sum[0] * sum[1] / square).powi(2);
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn point() -> impl Strategy<Value = DVec3> {
        [-1.0..1.0, -1.0..1.0, -1.0..1.0].prop_map(DVec3::from_array)
    }

    fn form(k: &[f64], s: &[f64]) -> f64 {
        let (mut at, mut sum) = (0, 0.0);
        for i in 0..s.len() {
            for j in i..s.len() {
                sum += if i == j { 1.0 } else { 2.0 } * k[at] * s[i] * s[j];
                at += 1;
            }
        }
        0.25 * sum
    }

    proptest! {
        /// A linear deformation of a tetrahedron has the energy of the continuum.
        #[test]
        fn a_tetrahedron_has_the_energy_of_its_strain(x in [point(), point(), point(), point()], f in [point(), point(), point()]) {
            let volume = (x[1] - x[0]).cross(x[2] - x[0]).dot(x[3] - x[0]) / 6.0;
            prop_assume!(volume.abs() > 0.02);
            let f = DMat3::from_cols(f[0], f[1], f[2]);
            let strain = 0.5 * (f.transpose() * f - DMat3::IDENTITY);
            let e = Elasticity { young: 2.0, poisson: 0.3, ..Elasticity::default() };
            let lame = Lame::of(&e, 3);
            let mut k = [0.0; 21];
            tetrahedron(x, &lame, &mut k);
            let s: Vec<f64> = super::super::topology::EDGES[2].iter().map(|&[i, j]| {
                let d = x[i] - x[j];
                (f * d).length_squared() - d.length_squared()
            }).collect();
            let trace = |a: DMat3| a.x_axis.x + a.y_axis.y + a.z_axis.z;
            let expected = volume.abs() * (lame.mu * trace(strain * strain) + 0.5 * lame.lambda * trace(strain).powi(2));
            prop_assert!((form(&k, &s) - expected).abs() < 1e-8 * (1.0 + expected.abs()));
        }

        /// A neo-Hookean tetrahedron has the energy of its material at any deformation.
        #[test]
        fn a_neo_hookean_tetrahedron_has_the_energy_of_its_material(
            x in [point(), point(), point(), point()], f in [point(), point(), point()], poisson in 0.0..0.45,
        ) {
            let six = (x[1] - x[0]).cross(x[2] - x[0]).dot(x[3] - x[0]);
            prop_assume!(six.abs() > 0.1);
            let f = DMat3::from_cols(f[0], f[1], f[2]);
            let e = Elasticity { young: 2.0, poisson, ..Elasticity::default() };
            let Lame { mu, lambda } = Lame::of(&e, 3);
            let mut k = [0.0; TETRAHEDRON];
            neo_hookean(x, &Lame { mu, lambda }, &mut k);
            let edges = super::super::topology::EDGES[2];
            let s: Vec<f64> = edges.iter().map(|&[i, j]| (f * (x[i] - x[j])).length_squared() - (x[i] - x[j]).length_squared()).collect();
            let d = [1, 2, 3].map(|i| x[i] - x[0]);
            let products = |a: DMat3| a.transpose() * a;
            let rest = DMat3::from_cols(d[0], d[1], d[2]);
            let cubic = (products(f * rest) - products(rest)).determinant();
            let j = f.determinant();
            let found = form(&k[..21], &s) + k[21] * cubic + k[22] * (k[23] * (f * rest).determinant() - 1.0).powi(2);
            let square: f64 = f.to_cols_array().iter().map(|x| x * x).sum();
            let volume = six.abs() / 6.0;
            let expected = volume * (0.5 * mu * (square - 3.0) - mu * (j - 1.0) + 0.5 * (lambda + mu) * (j - 1.0).powi(2));
            prop_assert!((found - expected).abs() < 1e-8 * (1.0 + expected.abs()), "{found} {expected}");
        }

        /// A triangle stretched in its plane has the energy of plane stress.
        #[test]
        fn a_triangle_has_the_energy_of_plane_stress(x in [point(), point(), point()], f in [point(), point(), point()]) {
            let x = x.map(|p| DVec3::new(p.x, p.y, 0.0));
            let area = 0.5 * (x[1] - x[0]).cross(x[2] - x[0]).length();
            prop_assume!(area > 0.05);
            let f = DMat3::from_cols(f[0], f[1], DVec3::ZERO);
            let mut strain = 0.5 * (f.transpose() * f - DMat3::IDENTITY);
            strain.z_axis.z = 0.0;
            let e = Elasticity { young: 2.0, poisson: 0.3, thickness: 0.1, ..Elasticity::default() };
            let lame = Lame::of(&e, 2);
            let mut k = [0.0; 6];
            triangle(x, &lame, &mut k);
            let s: Vec<f64> = super::super::topology::EDGES[1].iter().map(|&[i, j]| {
                let d = x[i] - x[j];
                (f * d).length_squared() - d.length_squared()
            }).collect();
            let trace = |a: DMat3| a.x_axis.x + a.y_axis.y + a.z_axis.z;
            let expected = area * (lame.mu * trace(strain * strain) + 0.5 * lame.lambda * trace(strain).powi(2));
            prop_assert!((form(&k, &s) - expected).abs() < 1e-8 * (1.0 + expected.abs()));
        }

        /// Neither translations nor rotations of a flat hinge cost energy.
        #[test]
        fn a_flat_hinge_resists_bending_alone(x in [point(), point(), point(), point()], shift in point(), g in point()) {
            let above = |p: DVec3, side: f64| DVec3::new(p.x, side * (0.1 + p.y.abs()), 0.0);
            let x = [DVec3::ZERO, DVec3::X * (0.1 + x[1].x.abs()), above(x[2], 1.0), above(x[3], -1.0)];
            let mut k = [0.0; HINGE];
            hinge(x, 1.0, &mut k);
            // Linear displacements: any motion of the plane as a whole.
            let u = x.map(|p| shift.x + g.x * p.x + g.y * p.y);
            let scale = k[..16].iter().fold(0.0f64, |a, b| a.max(b.abs()));
            for i in 0..4 {
                let force: f64 = (0..4).map(|j| k[4 * i + j] * u[j]).sum();
                prop_assert!(force.abs() < 1e-10 * scale);
            }
            prop_assert!(k[16].abs() < 1e-12 * scale && k[0] >= 0.0);
        }
    }

    /// A strip rolled onto a cylinder of curvature κ stores D κ²/2 for each unit of area, as its mesh gets finer.
    #[test]
    fn a_strip_on_a_cylinder_has_the_energy_of_a_plate() {
        let (n, h, curvature, rigidity) = (40, 0.01, 0.7, 3.0);
        // Squares of h, each cut by a diagonal; the strip is one square wide and endless across: mean of both kinds of edges.
        let place = |i: usize, j: f64| DVec3::new(i as f64 * h, j * h, 0.0);
        let rolled = |p: DVec3| {
            let angle = p.x * curvature;
            DVec3::new(angle.sin() / curvature, p.y, (1.0 - angle.cos()) / curvature)
        };
        let energy = |x: [DVec3; 4]| {
            let mut k = [0.0; HINGE];
            hinge(x, rigidity, &mut k);
            let y = x.map(rolled);
            (0..16).map(|i| 0.5 * k[i] * y[i / 4].dot(y[i % 4])).sum::<f64>()
        };
        let mut sum = 0.0;
        for i in 1..n {
            let across = [place(i, 0.0), place(i, 1.0), place(i - 1, 0.0), place(i + 1, 1.0)];
            let diagonal = [place(i, 0.0), place(i + 1, 1.0), place(i, 1.0), place(i + 1, 0.0)];
            sum += energy(across) + energy(diagonal);
        }
        let expected = 0.5 * rigidity * curvature * curvature * (n - 1) as f64 * h * h;
        assert!((sum / expected - 1.0).abs() < 1e-3, "{}", sum / expected);
    }
}
