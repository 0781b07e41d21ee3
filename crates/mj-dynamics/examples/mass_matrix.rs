//! Joint-space inertia and bias force of a double pendulum, built without a compiler.
//!
//! `cargo run -p mj-dynamics --example mass_matrix`

use mj_dynamics::Dynamics;
use mj_math::DVec3;
use mj_model::build::{BuildError, JointDef, ModelBuilder};
use mj_model::model::BodyRow;
use mj_model::{BodyId, State};

fn main() -> Result<(), BuildError> {
    // Two rods of 1 kg and 1 m, each hinged about y at its upper end.
    let rod = BodyRow {
        ipos: DVec3::NEG_Z * 0.5,
        mass: 1.0,
        inertia: DVec3::new(1.0 / 12.0, 1.0 / 12.0, 0.0),
        ..Default::default()
    };
    let mut builder = ModelBuilder::new();
    let upper = builder.add_body(BodyId::WORLD, rod.clone(), &[JointDef::hinge(DVec3::Y)])?;
    builder.add_body(upper, BodyRow { pos: DVec3::NEG_Z, ..rod }, &[JointDef::hinge(DVec3::Y)])?;
    let m = builder.finish()?;

    let mut s = State::new(&m);
    s.qpos.copy_from_slice(&[0.3, 0.8]);
    s.qvel.copy_from_slice(&[1.0, -0.5]);

    let mut d = Dynamics::new(&m);
    d.forward(&m, &s);

    let mut dense = [0.0; 4];
    m.m_pattern.to_dense(&d.smooth.inertia.M, &mut dense);
    println!("M    = {:.4?}\n       {:.4?}", &dense[..2], &dense[2..]);
    println!("bias = {:.4?}", d.smooth.velocities.qfrc_bias);
    println!("qacc = {:.4?}", d.smooth.actuation.qacc_smooth);
    Ok(())
}
