//! A box is pushed across the floor by a force that grows; the inverse recovers the push from the motion alone.
//!
//! ```text
//! cargo run -p mj-impulse --example pushed
//! ```

use mj_impulse::{Options, Pipeline};
use mj_model::State;
use std::path::Path;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut files = mj_mjcf::Memory::new();
    files.insert(
        "box.xml",
        r#"<mujoco><option timestep="0.01" cone="elliptic"/><worldbody><geom type="plane" size="9 9 1"/>
        <body pos="0 0 0.1"><freejoint/><geom type="box" size="0.2 0.2 0.1" mass="2" friction="0.5 0 0"/></body>
        </worldbody></mujoco>"#,
    );
    let (spec, report) = mj_mjcf::read(Path::new("box.xml"), &files);
    let model = mj_compile::compile(&spec.ok_or_else(|| report.to_string())?).0.ok_or("the model does not compile")?;
    let options = Options { iterations: 1000, ..Options::default() };
    let (mut state, mut pipeline) = (State::new(&model), Pipeline::new(&model, options)?);
    println!("   push, N   speed, m/s   recovered, N");
    for k in 0..200 {
        state.qfrc_applied[0] = 0.1 * f64::from(k);
        let before = state.clone();
        pipeline.step(&model, &mut state);
        if k % 20 == 0 {
            pipeline.inverse(&model, &before, &state.qvel)?;
            println!("{:10.3} {:12.5} {:14.9}", before.qfrc_applied[0], state.qvel[0], pipeline.qfrc_inverse[0]);
        }
    }
    Ok(())
}
