//! Joint-space inertia and bias force of a double pendulum, built straight from tables.
//!
//! `cargo run -p mj-dynamics --example mass_matrix`

use mj_dynamics::Dynamics;
use mj_math::{DQuat, DVec3, TreePattern};
use mj_model::model::{BodyRow, DofRow, JointRow};
use mj_model::{BodyId, DofId, JointId, JointType, Model, State};

fn main() {
    // Two rods of 1 kg and 1 m, each hinged about y at its upper end.
    let mut m = Model::default();
    m.body.push(BodyRow { subtreemass: 2.0, ..Default::default() });
    for i in 0..2 {
        let body = m.body.push(BodyRow {
            parentid: BodyId::new(i),
            rootid: BodyId::new(1),
            weldid: BodyId::new(i + 1),
            jntnum: 1,
            jntadr: Some(JointId::new(i)),
            dofnum: 1,
            dofadr: Some(DofId::new(i)),
            pos: DVec3::NEG_Z * i as f64,
            ipos: DVec3::NEG_Z * 0.5,
            quat: DQuat::IDENTITY,
            iquat: DQuat::IDENTITY,
            mass: 1.0,
            subtreemass: 2.0 - i as f64,
            inertia: DVec3::new(1.0 / 12.0, 1.0 / 12.0, 0.0),
            ..Default::default()
        });
        let joint = m.jnt.push(JointRow {
            r#type: JointType::Hinge,
            axis: DVec3::Y,
            bodyid: body,
            qposadr: i as u32,
            dofadr: DofId::new(i),
            ..Default::default()
        });
        m.dof.push(DofRow {
            bodyid: body,
            jntid: joint,
            parentid: (i > 0).then(|| DofId::new(i - 1)),
            ..Default::default()
        });
        m.qpos0.push(0.0);
    }
    m.qpos_spring.clone_from(&m.qpos0);
    m.m_pattern = TreePattern::new(&[None, Some(0)], &[false; 2]).into();

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
}
