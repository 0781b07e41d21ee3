//! Energy of sheets that are bent to cylinders.

use super::recorded::Recorded;
use super::statics::{Held, loaded};
use crate::{Result, page};
use mj_deformable::elastic_energy;
use mj_engine::forward;
use mj_testkit::cantilevers::{plate_energy, roll, sheet};

/// A bent sheet.
pub struct Bent {
    direction: &'static str,
    theory: f64,
    energy: f64,
    pub held: Held,
}

const POISSON: f64 = 0.3;
const CURVATURE: f64 = 0.2;

/// Bends a sheet in every direction.
pub fn all() -> Result<Vec<Bent>> {
    let half = std::f64::consts::FRAC_1_SQRT_2;
    let directions = [
        ("along a side", "side", [1.0, 0.0]),
        ("along the other side", "other", [0.0, 1.0]),
        ("along the cuts", "along", [half, half]),
        ("across the cuts", "across", [half, -half]),
    ];
    let bend = |(direction, name, axis): (&'static str, &str, [f64; 2])| -> Result<Bent> {
        let xml = sheet(POISSON);
        let (m, mut d) = loaded(&xml)?;
        forward(&m, &mut d)?;
        let rest = d.flexes.vert_xpos.clone();
        roll(&rest, axis, CURVATURE, &mut d.state.qpos);
        forward(&m, &mut d)?;
        let energy = elastic_energy(&m, &d.state, &d.flexes);
        let held = Held { name: format!("sheet,{name}"), xml, qpos: d.state.qpos, load: vec![0.0; m.nv()] };
        Ok(Bent { direction, theory: plate_energy(POISSON, CURVATURE), energy, held })
    };
    directions.into_iter().map(bend).collect()
}

/// The table.
pub fn table(all: &[Bent], recorded: &Recorded) -> Result<String> {
    let head = ["curved", "energy / D κ²/2 for each area", "reference"];
    let row = |b: &Bent| -> Result<Vec<String>> {
        let theirs = recorded.one(&format!("energy:{}", b.held.name))?;
        Ok(vec![b.direction.into(), format!("{:.5}", b.energy / b.theory), format!("{:.5}", theirs / b.theory)])
    };
    Ok(page::table(&head.map(String::from), &all.iter().map(row).collect::<Result<Vec<_>>>()?))
}
