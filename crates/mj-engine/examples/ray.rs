//! Scans a scene from above with rays: a picture of heights, and the name of what the middle ray meets.

use mj_engine::prelude::*;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut sim = Simulation::from_xml(
        r#"<mujoco><worldbody><geom name="floor" type="plane" size="2 2 .1"/>
          <geom name="ball" size=".5" pos="0 0 .5"/><geom name="brick" type="box" size=".3 .2 .2" pos="1 .3 .2"/>
        </worldbody></mujoco>"#,
    )?;
    sim.forward()?;
    let height = |x: f64, y: f64| -> Result<f64, QueryError> {
        let hit = sim.ray(DVec3::new(x, y, 3.0), DVec3::NEG_Z, &RayFilter::default())?;
        Ok(hit.map_or(0.0, |hit| 3.0 - hit.dist))
    };
    for y in (-6..=6).rev() {
        let shade = |x| Ok([' ', '.', ':', 'o', '@'][(height(x as f64 * 0.1, y as f64 * 0.1)? * 4.5) as usize]);
        let row: Result<String, QueryError> = (-10..=14).map(shade).collect();
        println!("{}", row?);
    }
    let hit = sim.ray(DVec3::Z * 3.0, DVec3::NEG_Z, &RayFilter::default())?.ok_or("nothing there")?;
    println!("{} after {} m, normal {}", sim.geom(hit.geom)?.name(), hit.dist, hit.normal);
    Ok(())
}
