//! Deflection of cantilevers.

use super::recorded::Recorded;
use super::statics::{Held, balanced};
use crate::plot::{self, Axis, Labels, Series};
use crate::{Result, page};
use mj_testkit::cantilevers::{self, Cantilever, Dofs, LENGTH, MASS, Section};
use plotters::prelude::SeriesLabelPosition;
use std::path::Path;

/// Deflection by theory, small enough for linear theory, m.
const DEFLECTION: f64 = 1e-3 * LENGTH;

/// A mesh of a family.
pub struct Case {
    /// Cells, squares or edges.
    mesh: String,
    /// How fine it is: cells along the beam.
    along: usize,
    /// Deflection by that of theory.
    deflection: f64,
    pub held: Held,
}

/// Ever finer meshes of one kind.
pub struct Family {
    name: &'static str,
    /// Whether the deflection converges to that of theory, so that an order can be told.
    converges: bool,
    pub cases: Vec<Case>,
}

fn case(family: &str, mesh: String, along: usize, c: &Cantilever) -> Result<Case> {
    let force = DEFLECTION / c.bending;
    let name = format!("{family},{mesh}").replace(' ', "_");
    let held = balanced(name, c.xml.clone(), c.band, |m| c.load(m.nv(), force))?;
    // Flexcomps have slides: positions at rest are zero.
    let deflection = c.deflection(&held.qpos) / (force * (c.bending + c.shear));
    Ok(Case { mesh, along, deflection, held })
}

fn family(
    name: &'static str,
    converges: bool,
    meshes: &[(usize, usize)],
    of: impl Fn(usize, usize) -> Cantilever,
) -> Result<Family> {
    let mesh =
        |along: usize, across: usize| if across == 0 { along.to_string() } else { format!("{along} × {across}") };
    let cases = meshes.iter().map(|&(x, y)| case(name, mesh(x, y), x, &of(x, y)));
    Ok(Family { name, converges, cases: cases.collect::<Result<_>>()? })
}

/// A rod that sinks under its own weight: the force on each vertex is that on its body.
fn heavy(edges: usize) -> Cantilever {
    let mut rod = cantilevers::rod(edges, Section::Circle(cantilevers::RADIUS), "");
    let spacing = LENGTH / (edges as f64 + 0.5);
    // Weight for each length when the whole weight of the points is one; the load on the free ones.
    let weight = 1.0 / (spacing * (edges + 1) as f64);
    let share = MASS / (edges + 2) as f64;
    rod.bending *= 3.0 / 8.0 * weight * LENGTH;
    rod.end = (0..edges).map(|i| (3 * i + 2, share)).collect();
    rod
}

/// A rod under its own weight, measured at its end.
fn weight_case(edges: usize) -> Result<Case> {
    let c = heavy(edges);
    let force = DEFLECTION / c.bending;
    let name = format!("heavy_rod,{edges}");
    let held = balanced(name, c.xml.clone(), c.band, |m| c.load(m.nv(), force))?;
    let deflection = held.qpos[3 * (edges - 1) + 2] / (force * c.bending);
    Ok(Case { mesh: edges.to_string(), along: edges, deflection, held })
}

/// All families.
pub fn families() -> Result<Vec<Family>> {
    let solid = |dofs, poisson| move |x, y| cantilevers::solid(x, y, dofs, poisson);
    let shell = |poisson| move |x, y| cantilevers::shell(x, y, poisson);
    let narrow = |x, y| cantilevers::strip(x, y, LENGTH / x as f64, 0.0);
    let rod = |x, _| cantilevers::rod(x, Section::Circle(cantilevers::RADIUS), "");
    let cubes = [(10, 1), (20, 2), (30, 3), (40, 4), (60, 6)];
    let squares = [(5, 1), (10, 2), (20, 4), (40, 8)];
    let edges = [2, 4, 8, 16, 32, 64];
    Ok(vec![
        family("tetrahedra", true, &cubes, solid(Dofs::Full, 0.0))?,
        family("tetrahedra, ν = 0.3", false, &cubes[..4], solid(Dofs::Full, 0.3))?,
        family("trilinear cells", true, &[(5, 1), (10, 1), (20, 1), (40, 1), (80, 1)], solid(Dofs::Trilinear, 0.0))?,
        family("quadratic cells", false, &[(2, 1), (5, 1), (10, 1), (20, 1)], solid(Dofs::Quadratic, 0.0))?,
        family("shell", false, &squares, shell(0.0))?,
        family("shell, ν = 0.3", false, &squares[..3], shell(0.3))?,
        family("narrow shell", false, &[(10, 1), (20, 1), (40, 1), (80, 1)], narrow)?,
        family("rod", true, &edges.map(|n| (n, 0)), rod)?,
        Family {
            name: "rod under its own weight",
            converges: true,
            cases: edges.iter().map(|&n| weight_case(n)).collect::<Result<_>>()?,
        },
    ])
}

/// The table.
pub fn table(families: &[Family], recorded: &Recorded) -> Result<String> {
    let head = ["", "mesh", "dofs", "deflection / theory", "order", "left of the load in the reference"];
    let mut rows = Vec::new();
    for f in families {
        for (i, c) in f.cases.iter().enumerate() {
            let order = i.checked_sub(1).filter(|_| f.converges).map(|before| {
                let (a, b) = (&f.cases[before], c);
                let excess = |c: &Case| (1.0 / c.deflection - 1.0).abs();
                (excess(a) / excess(b)).ln() / (b.along as f64 / a.along as f64).ln()
            });
            rows.push(vec![
                if i == 0 { f.name.to_string() } else { String::new() },
                c.mesh.clone(),
                c.held.load.len().to_string(),
                format!("{:.5}", c.deflection),
                order.map_or(String::new(), |o| format!("{o:.2}")),
                format!("{:.0e}", recorded.left(&c.held)?),
            ]);
        }
    }
    Ok(page::table(&head.map(String::from), &rows))
}

/// Draws how far each family is from theory.
pub fn draw(families: &[Family], folder: &Path) -> Result<()> {
    let shown = |f: &&Family| !f.name.contains("ν");
    let mut series = Vec::new();
    for (color, f) in families.iter().filter(shown).enumerate() {
        let error = |c: &Case| (c.along as f64, (1.0 / c.deflection - 1.0).abs().clamp(1e-6, 10.0));
        let points: Vec<(f64, f64)> = f.cases.iter().map(error).collect();
        series.push(Series { name: f.name.into(), points: points.clone(), color, line: true });
        series.push(Series { name: String::new(), points, color, line: false });
    }
    let labels = Labels {
        title: "Cantilevers: how much stiffness is too much or too little",
        axes: ["cells or edges along the beam", "|stiffness / theory − 1|"],
        legend: SeriesLabelPosition::LowerLeft,
    };
    let axes = [(2.0..128.0, 2.0), (1e-6..10.0, 10.0)].map(|(range, base)| Axis { range, base: Some(base) });
    plot::draw(&folder.join("deformables-cantilevers.svg"), &labels, axes, &series)
}
