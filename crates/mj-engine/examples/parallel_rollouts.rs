//! Holds arms of six masses level by one feedback controller, in parallel: how far each sags, against the statics.

use mj_engine::prelude::*;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let sim = Simulation::from_xml(
        r#"<mujoco><worldbody><body name="arm"><joint name="hinge" axis="0 1 0"/><geom size=".1" pos=".5 0 0" mass="1"/></body>
        </worldbody><actuator><motor joint="hinge"/></actuator>
        <sensor><jointpos name="angle" joint="hinge"/><jointvel name="speed" joint="hinge"/></sensor></mujoco>"#,
    )?;
    let arm: BodyId = sim.find("arm")?;
    let vary = |i: usize, m: &mut Model| {
        m.body.mass[arm] = 0.5 * (i + 1) as f64;
        set_const(m).expect("masses are positive");
    };
    let feedback = |_: usize, _: usize, _: &Model, d: &mut Data| {
        d.state.ctrl[0] = -50.0 * d.sensordata[0] - 8.0 * d.sensordata[1];
    };
    let plan = RolloutPlan::of(3000).vary(&vary).feedback(&feedback);
    for (i, trajectory) in sim.rollout(&vec![sim.save(); 6], plan)?.iter().enumerate() {
        let (mass, angle) = (0.5 * (i + 1) as f64, trajectory.qpos[2999]);
        println!("{mass:.1} kg: {angle:.6} rad, {:.6} rad by statics", mass * 9.81 * 0.5 * angle.cos() / 50.0);
    }
    Ok(())
}
