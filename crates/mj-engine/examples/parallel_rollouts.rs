//! Stops carts of eight masses by one feedback controller, in parallel: where they are after three seconds.

use mj_engine::prelude::*;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let sim = Simulation::from_xml(
        r#"<mujoco><worldbody><body name="cart"><joint name="x" type="slide" axis="1 0 0"/><geom size=".1" mass="1"/></body>
        </worldbody><actuator><motor joint="x"/></actuator>
        <sensor><jointpos name="x" joint="x"/><jointvel name="v" joint="x"/></sensor></mujoco>"#,
    )?;
    let cart: BodyId = sim.find("cart")?;
    let vary = |i: usize, m: &mut Model| m.body.mass[cart] = 0.5 * (i + 1) as f64;
    let feedback = |_: usize, _: usize, _: &Model, d: &mut Data| {
        d.state.ctrl[0] = 4.0 * (1.0 - d.sensordata[0]) - 3.0 * d.sensordata[1];
    };
    let plan = RolloutPlan::of(1500).vary(&vary).feedback(&feedback);
    for (i, trajectory) in sim.rollout(&vec![sim.save(); 8], plan)?.iter().enumerate() {
        let farthest = trajectory.qpos.iter().fold(0.0, |a: f64, x| a.max(*x));
        println!("{:.1} kg: {:.4} m, {:.4} m at most", 0.5 * (i + 1) as f64, trajectory.qpos[1499], farthest);
    }
    Ok(())
}
