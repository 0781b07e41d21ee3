//! Drops a box on a floor: height, contacts, and the force of the floor against the box's weight.

use mj_engine::{Data, load_str, step};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let model = load_str(
        r#"<mujoco>
          <worldbody>
            <geom type="plane" size="5 5 .1"/>
            <body pos="0 0 .5">
              <freejoint/>
              <geom type="box" size=".1 .1 .1" mass="2"/>
            </body>
          </worldbody>
        </mujoco>"#,
    )?;
    let mut data = Data::new(&model)?;
    println!("  time   height  contacts  force up, N (weight {:.2})", 2.0 * 9.81);
    for i in 0..=500 {
        if i % 50 == 0 {
            let up = data.solution.qfrc_constraint.get(2).copied().unwrap_or(0.0);
            println!("{:6.2}  {:7.4}  {:8}  {up:8.3}", data.state.time, data.state.qpos[2], data.contacts.len());
        }
        step(&model, &mut data);
    }
    Ok(())
}
