//! Cantilevers of flexes: solids, shells and rods along x that are fixed at x = 0, with what beam theory says of them.

use mj_math::DVec3;
use std::f64::consts::PI;

/// Young's modulus of all cantilevers, Pa.
pub const YOUNG: f64 = 1e6;
/// Length, m.
pub const LENGTH: f64 = 1.0;
/// Sides of a solid's square section, m.
pub const SIDE: f64 = 0.1;
/// Width and thickness of a shell, m.
pub const STRIP: [f64; 2] = [0.2, 0.01];
/// Radius of a rod, m.
pub const RADIUS: f64 = 0.005;
/// Mass of each cantilever, kg.
pub const MASS: f64 = 1.0;

/// Degrees of freedom with which the vertices of a solid move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dofs {
    /// Bodies of their own: linear tetrahedra.
    Full,
    /// Cells with nodes at the corners.
    Trilinear,
    /// Cells with nodes at the middles of edges, of faces and of themselves, too.
    Quadratic,
}

/// A model, a load on its end, and the theory.
#[derive(Clone, Debug)]
pub struct Cantilever {
    /// The model, without gravity.
    pub xml: String,
    /// Dofs along z at the free end, and the share of a load that each carries.
    pub end: Vec<(usize, f64)>,
    /// How many places apart dofs may be that act on each other.
    pub band: usize,
    /// Deflection of the end by a unit force there, of bending: L³/(3 E I).
    pub bending: f64,
    /// The part of shear: L/(κ G A).
    pub shear: f64,
}

impl Cantilever {
    /// Returns the force on each of `nv` dofs that a force on the end means.
    #[must_use]
    pub fn load(&self, nv: usize, force: f64) -> Vec<f64> {
        let mut out = vec![0.0; nv];
        self.end.iter().for_each(|(dof, share)| out[*dof] += force * share);
        out
    }

    /// Returns the displacement of the end, on which a load does its work.
    #[must_use]
    pub fn deflection(&self, displacement: &[f64]) -> f64 {
        self.end.iter().map(|(dof, share)| displacement[*dof] * share).sum()
    }
}

fn model(flexcomp: &str) -> String {
    format!(r#"<mujoco><option gravity="0 0 0"/><worldbody>{flexcomp}</worldbody></mujoco>"#)
}

const ALONE: &str = r#"<contact selfcollide="none" contype="0" conaffinity="0"/>"#;

/// Weights of the points of a side on which a load is uniform: those of the trapezoidal rule, or of Simpson's.
fn shares(points: usize, simpson: bool) -> Vec<f64> {
    let weight = |i: usize| match (i == 0 || i == points - 1, simpson) {
        (true, false) => 0.5,
        (true, true) => 1.0,
        (false, true) if i % 2 == 1 => 4.0,
        (false, true) => 2.0,
        (false, false) => 1.0,
    };
    let all: Vec<f64> = (0..points).map(weight).collect();
    let sum: f64 = all.iter().sum();
    all.iter().map(|w| w / sum).collect()
}

/// A solid beam of `along` × `across` × `across` cells, of tetrahedra or interpolated, with a load spread over its end.
#[must_use]
pub fn solid(along: usize, across: usize, dofs: Dofs, poisson: f64) -> Cantilever {
    let (order, dof) = match dofs {
        Dofs::Full => (1, "full"),
        Dofs::Trilinear => (1, "trilinear"),
        Dofs::Quadratic => (2, "quadratic"),
    };
    let (nx, ny) = (order * along + 1, order * across + 1);
    let (dx, dy) = (LENGTH / (nx - 1) as f64, SIDE / (ny - 1) as f64);
    let cells = if dofs == Dofs::Full { String::new() } else { format!(r#"cellcount="{along} {across} {across}""#) };
    let xml = model(&format!(
        r#"<flexcomp name="beam" type="grid" dim="3" count="{nx} {ny} {ny}" spacing="{dx} {dy} {dy}" radius="0.001"
          mass="{MASS}" dof="{dof}" {cells}>{ALONE}<elasticity young="{YOUNG}" poisson="{poisson}"/>
          <pin gridrange="0 0 0 0 {last} {last}"/></flexcomp>"#,
        last = ny - 1
    ));
    let share = shares(ny, order == 2);
    // Free points, whose first layer is pinned, have three dofs each.
    let point = |y: usize, z: usize| (nx - 2) * ny * ny + y * ny + z;
    let all = (0..ny).flat_map(|y| (0..ny).map(move |z| (y, z)));
    let end = all.map(|(y, z)| (3 * point(y, z) + 2, share[y] * share[z])).collect();
    let shear_modulus = YOUNG / (2.0 * (1.0 + poisson));
    // Cowper 1966, rectangles.
    let kappa = 10.0 * (1.0 + poisson) / (12.0 + 11.0 * poisson);
    Cantilever {
        xml,
        end,
        band: 3 * order * (ny * ny + ny + 1) + 2,
        bending: LENGTH.powi(3) / (3.0 * YOUNG * SIDE.powi(4) / 12.0),
        shear: LENGTH / (kappa * shear_modulus * SIDE * SIDE),
    }
}

/// A shell of `along` × `across` squares cut in two, whose first column of squares is fixed.
///
/// Curvature at a line of vertices stands for half a square on either side, so that the strip begins in the middle of the
/// fixed squares.
#[must_use]
pub fn shell(along: usize, across: usize, poisson: f64) -> Cantilever {
    strip(along, across, STRIP[0], poisson)
}

/// Returns a [`shell`] of another width.
#[must_use]
pub fn strip(along: usize, across: usize, width: f64, poisson: f64) -> Cantilever {
    let thickness = STRIP[1];
    let (nx, ny) = (along + 2, across + 1);
    let (dx, dy) = (LENGTH / (along as f64 + 0.5), width / across as f64);
    let xml = model(&format!(
        r#"<flexcomp name="strip" type="grid" dim="2" count="{nx} {ny} 1" spacing="{dx} {dy} 1" radius="0.001"
          mass="{MASS}">{ALONE}
          <elasticity young="{YOUNG}" poisson="{poisson}" thickness="{thickness}" elastic2d="both"/>
          <pin gridrange="0 0 1 {across}"/></flexcomp>"#
    ));
    let end = shares(ny, false).iter().enumerate().map(|(y, w)| (3 * ((along - 1) * ny + y) + 2, *w)).collect();
    let bending = LENGTH.powi(3) / (3.0 * YOUNG * width * thickness.powi(3) / 12.0);
    Cantilever { xml, end, band: 3 * (2 * ny + 2) + 2, bending, shear: 0.0 }
}

/// Squares along each side of a [`sheet`].
pub const SHEET: usize = 39;
const SHEET_THICKNESS: f64 = 1e-3;

/// A free square sheet of length 1 m that bends, of squares cut in two.
#[must_use]
pub fn sheet(poisson: f64) -> String {
    let (count, spacing) = (SHEET + 1, LENGTH / SHEET as f64);
    model(&format!(
        r#"<flexcomp name="sheet" type="grid" dim="2" count="{count} {count} 1" spacing="{spacing} {spacing} 1" mass="{MASS}"
          radius="1e-4">{ALONE}
          <elasticity young="{YOUNG}" poisson="{poisson}" thickness="{SHEET_THICKNESS}" elastic2d="bend"/></flexcomp>"#
    ))
}

/// Writes the displacements by which a sheet whose vertices are at `rest` becomes a part of a cylinder: it is curved along
/// `direction` and straight across.
pub fn roll(rest: &[DVec3], direction: [f64; 2], curvature: f64, displacement: &mut [f64]) {
    for (x, u) in rest.iter().zip(displacement.as_chunks_mut::<3>().0) {
        let along = x.x * direction[0] + x.y * direction[1];
        let (sin, cos) = (along * curvature).sin_cos();
        let shift = sin / curvature - along;
        *u = [shift * direction[0], shift * direction[1], (1.0 - cos) / curvature];
    }
}

/// Returns the bending energy of the sheet as a plate that is part of a cylinder, J.
#[must_use]
pub fn plate_energy(poisson: f64, curvature: f64) -> f64 {
    let rigidity = YOUNG * SHEET_THICKNESS.powi(3) / (12.0 * (1.0 - poisson * poisson));
    0.5 * rigidity * (curvature * LENGTH).powi(2)
}

/// Section of a rod.
#[derive(Clone, Copy, Debug)]
pub enum Section {
    /// Circle of a radius.
    Circle(f64),
    /// Box of two half sizes.
    Box(f64, f64),
}

/// A rod of `edges` free edges after one that is fixed, which stretches by springs along its edges.
///
/// Curvature at a point stands for half an edge on either side, so that the rod begins in the middle of the fixed edge.
/// The last `edges` dofs are the twist of the edges.
#[must_use]
pub fn rod(edges: usize, section: Section, elasticity: &str) -> Cantilever {
    let spacing = LENGTH / (edges as f64 + 0.5);
    let (shape, area, second_moment) = match section {
        Section::Circle(r) => (String::new(), PI * r * r, PI * r.powi(4) / 4.0),
        // Bending along z, the box's second axis.
        Section::Box(a, b) => {
            (format!(r#"section="box" sectionsize="{a} {b}""#), 4.0 * a * b, 4.0 * a * b.powi(3) / 3.0)
        }
    };
    let radius = match section {
        Section::Circle(r) => r,
        Section::Box(a, b) => a.min(b),
    };
    let stretching = YOUNG * area / spacing;
    let xml = model(&format!(
        r#"<flexcomp name="rod" type="grid" dim="1" count="{count} 1 1" spacing="{spacing} 1 1" mass="{MASS}"
          radius="{radius}">{ALONE}<edge stiffness="{stretching}"/>
          <elasticity young="{YOUNG}" {elasticity} {shape}/><pin id="0 1"/></flexcomp>"#,
        count = edges + 2
    ));
    let bending = LENGTH.powi(3) / (3.0 * YOUNG * second_moment);
    Cantilever { xml, end: vec![(3 * (edges - 1) + 2, 1.0)], band: usize::MAX, bending, shear: 0.0 }
}

/// Torsional constant J of a rectangle with half sizes `a` and `b` (Saint-Venant's series; Timoshenko and Goodier,
/// "Theory of elasticity", section 109).
#[must_use]
pub fn torsional_constant(a: f64, b: f64) -> f64 {
    let (long, short) = (a.max(b), a.min(b));
    let series: f64 =
        (0..50).map(|k| f64::from(2 * k + 1)).map(|n| (n * PI * long / (2.0 * short)).tanh() / n.powi(5)).sum();
    16.0 / 3.0 * long * short.powi(3) * (1.0 - 192.0 / PI.powi(5) * short / long * series)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Values of the table in Timoshenko and Goodier, for sides in the proportions 1, 2 and 10.
    #[test]
    fn torsional_constants_are_those_of_the_table() {
        for (ratio, expected) in [(1.0, 0.1406), (2.0, 0.229), (10.0, 0.312)] {
            let found = torsional_constant(0.5, 0.5 * ratio) / ratio;
            assert!((found - expected).abs() < 5e-4, "{ratio}: {found}");
        }
    }

    #[test]
    fn shares_sum_to_one() {
        for (n, simpson) in [(2, false), (5, false), (3, true), (7, true)] {
            assert!((shares(n, simpson).iter().sum::<f64>() - 1.0).abs() < 1e-14);
        }
    }
}
