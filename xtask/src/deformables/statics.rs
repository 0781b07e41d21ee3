//! Models that are held in balance by a load.

use crate::Result;
use mj_engine::{Data, Model, forward, load_str};

/// A model at positions where its elastic forces balance a load on its dofs; without a load they don't balance.
pub struct Held {
    /// Name, without spaces.
    pub name: String,
    /// The model.
    pub xml: String,
    /// Positions, nq.
    pub qpos: Vec<f64>,
    /// Load, nv.
    pub load: Vec<f64>,
}

/// Loads a model.
pub fn loaded(xml: &str) -> Result<(Model, Data)> {
    let m = load_str(xml)?;
    let d = Data::new(&m)?;
    Ok((m, d))
}

/// Finds where elastic forces balance a load, from qpos0; what acts on each other is at most `band` dofs apart.
pub fn balanced(name: String, xml: String, band: usize, load: impl FnOnce(&Model) -> Vec<f64>) -> Result<Held> {
    let (m, mut d) = loaded(&xml)?;
    let load = load(&m);
    let mut qpos = d.state.qpos.clone();
    let forces = |q: &[f64]| {
        d.state.qpos.copy_from_slice(q);
        // What has no forces has no balance, and is told so.
        match forward(&m, &mut d) {
            Ok(()) => d.smooth.velocities.qfrc_spring.clone(),
            Err(_) => vec![f64::NAN; m.nv()],
        }
    };
    mj_testkit::settle(&mut qpos, band, &load, forces).map_err(|e| format!("{name}: {e}"))?;
    Ok(Held { name, xml, qpos, load })
}
