//! `mj dump`: the compiled model or the results of one stage as NumPy arrays.

use crate::bundled;
use crate::failure::Failure;
use crate::npz::Writer;
use crate::state;
use crate::view::Appearance;
use crate::{options, output};
use mj_engine::{complete, forward, inverse, step, visit_data};
use mj_model::Field;
use mj_scene::{Camera, Scene, category, update_scene};
use std::path::{Path, PathBuf};

/// Writes the compiled model or the results of one stage as NumPy arrays.
#[derive(clap::Args)]
#[command(after_help = "Example:\n  mj dump humanoid --out humanoid.npz --stage step:100 --set opt.timestep=0.001")]
pub struct Args {
    /// Model file, or the bare name of a bundled model.
    model: String,
    /// Archive to write.
    #[arg(long)]
    out: PathBuf,
    /// Stage to compute: model, forward, inverse, scene or step:N.
    #[arg(long)]
    stage: Stage,
    /// Archive with the state to start from; what is missing keeps its reset value.
    #[arg(long)]
    state: Option<PathBuf>,
    /// Sets an option, e.g. opt.solver=2; may be repeated.
    #[arg(long, value_name = "K=V")]
    set: Vec<String>,
    #[command(flatten)]
    appearance: Appearance,
}

#[derive(Clone, Copy)]
enum Stage {
    Model,
    Forward,
    Inverse,
    Scene,
    Step(u64),
}

impl std::str::FromStr for Stage {
    type Err = String;
    fn from_str(s: &str) -> Result<Self, String> {
        match s {
            "model" => Ok(Self::Model),
            "forward" => Ok(Self::Forward),
            "inverse" => Ok(Self::Inverse),
            "scene" => Ok(Self::Scene),
            _ => s
                .strip_prefix("step:")
                .and_then(|n| n.parse().ok())
                .map(Self::Step)
                .ok_or_else(|| "expected model, forward, inverse, scene or step:N".into()),
        }
    }
}

/// Runs the command.
pub fn run(args: &Args) -> Result<(), Failure> {
    output::check(&args.out)?;
    let mut m = bundled::open(&args.model)?.model;
    options::set(&mut m, &args.set)?;
    if let Stage::Model = args.stage {
        return write(&args.out, "model.", |f| m.visit(f));
    }
    let mut d = bundled::data(&args.model, &m)?;
    if let Some(path) = &args.state {
        state::read(path, &m, &mut d)?;
    }
    match args.stage {
        Stage::Model | Stage::Scene | Stage::Forward => forward(&m, &mut d)?,
        Stage::Inverse => inverse(&m, &mut d).map_err(|e| Failure::Usage(e.to_string()))?,
        Stage::Step(n) => (0..n).try_for_each(|_| step(&m, &mut d))?,
    }
    if let Stage::Scene = args.stage {
        let mut scene = Scene::default();
        let options = args.appearance.apply(&mut scene)?;
        let mut camera = Camera::free(&m);
        update_scene(&m, &d, &options, None, &mut camera, category::ALL, &mut scene)
            .map_err(|e| Failure::Usage(e.to_string()))?;
        return write(&args.out, "scene.", |f| scene.visit(f));
    }
    complete(&m, &mut d);
    write(&args.out, "data.", |f| visit_data(&m, &d, f))
}

/// Writes every field that `visit` gives.
fn write(path: &Path, prefix: &str, visit: impl FnOnce(&mut dyn FnMut(Field))) -> Result<(), Failure> {
    let mut w = Writer::create(path)?;
    let mut result = Ok(());
    visit(&mut |field| {
        if result.is_ok() {
            result = w.put(&format!("{prefix}{}", field.name), &field);
        }
    });
    result?;
    w.finish()
}
