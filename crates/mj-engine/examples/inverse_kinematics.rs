//! Brings the tip of an arm to a point by damped least squares: dq = Jᵀ (J Jᵀ + λ² 1)⁻¹ e.

use mj_engine::prelude::*;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut sim = Simulation::from_xml(
        r#"<mujoco><worldbody><body><joint axis="0 0 1"/><joint axis="0 1 0"/><geom size=".05"/>
          <body pos=".4 0 0"><joint axis="0 1 0"/><geom size=".05"/><body pos=".4 0 0"><joint axis="0 1 0"/>
          <geom size=".05"/><site name="tip" pos=".2 0 0"/></body></body></body></worldbody></mujoco>"#,
    )?;
    let goal = DVec3::new(0.4, 0.3, 0.5);
    for i in 0..=40 {
        sim.forward()?;
        let error = goal - sim.site("tip")?.xpos();
        if i % 8 == 0 {
            println!("{i:2}: {:.2e} m from the goal, joints {:+.4?}", error.length(), sim.qpos());
        }
        let jac = sim.jac_site("tip")?;
        let columns: Vec<DVec3> = (0..jac.nv()).filter_map(|k| jac.translation(k)).collect();
        let jjt = columns.iter().fold(DMat3::IDENTITY * 0.02, |a, &c| a + DMat3::from_cols(c * c.x, c * c.y, c * c.z));
        let y = jjt.inverse() * error.clamp_length_max(0.1);
        sim.qpos_mut().iter_mut().zip(&columns).for_each(|(q, c)| *q += c.dot(y));
    }
    Ok(())
}
