//! Cost of finding the contacts of many spread-out bodies.
//!
//! Scenes of 100, 1,000 and 10,000 free boxes, spheres and capsules, equally dense whatever their number, in a layer or
//! in space. They drift and turn without gravity, so that every step sees other pairs.

use crate::Result;

use crate::engine::{Engine, Run, Scratch};
use crate::random::Random;
use std::fmt::Write;
use std::path::{Path, PathBuf};

const COUNTS: [usize; 3] = [100, 1000, 10_000];
/// Space for each body along an axis, m.
const SPACING: f64 = 0.5;
/// Steps that are timed.
const STEPS: u64 = 40;

/// Arguments of `cargo xtask broadphase`.
#[derive(clap::Args)]
pub struct Args {
    /// A built `mj` to measure; by default it is built in the release profile.
    #[arg(long)]
    mj: Option<PathBuf>,
}

/// Prints the table of docs/performance.md.
pub fn run(root: &Path, args: &Args) -> Result<()> {
    let engine = match &args.mj {
        Some(path) => Engine::at(path.clone()),
        None => Engine::build(root)?,
    };
    println!("| bodies | spread in | contacts | collision, µs a step | ns a body |\n| --- | --- | --- | --- | --- |");
    for (place, dimensions) in [("a layer", 2), ("space", 3)] {
        for count in COUNTS {
            let scratch = Scratch::new(place)?;
            let model = scratch.file("scene.xml");
            std::fs::write(&model, scene(count, dimensions))?;
            let found = engine.bench(&scratch, &model, Run { steps: STEPS, warmup: Some(5), seed: 1 })?;
            let number = |value: &serde_json::Value| value.as_f64().unwrap_or(f64::NAN);
            let (contacts, micros) = (number(&found["ncon_mean"]), number(&found["stage_us"]["collision"]));
            println!("| {count} | {place} | {contacts:.0} | {micros:.0} | {:.0} |", 1000.0 * micros / count as f64);
        }
    }
    Ok(())
}

/// Free bodies at random places: the same for the same number.
fn scene(count: usize, dimensions: i32) -> String {
    let mut random = Random::default();
    let side = SPACING * (count as f64).powf(1.0 / f64::from(dimensions));
    let height = if dimensions == 2 { 0.3 } else { side };
    let kinds = [r#"type="box" size=".1 .12 .08""#, r#"type="sphere" size=".1""#, r#"type="capsule" size=".06 .1""#];
    let mut text = String::from("<mujoco>\n  <option gravity=\"0 0 0\"/>\n  <worldbody>\n");
    for i in 0..count {
        let [x, y, z] = [side, side, height].map(|length| length * random.uniform());
        let turn = 360.0 * random.uniform();
        let _ = writeln!(
            text,
            r#"    <body pos="{x:.4} {y:.4} {z:.4}" euler="{turn:.1} {turn:.1} 0"><freejoint/><geom {}/></body>"#,
            kinds[i % kinds.len()]
        );
    }
    text.push_str("  </worldbody>\n</mujoco>\n");
    text
}
