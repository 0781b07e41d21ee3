//! `mj dump`: the compiled model or the results of one stage as NumPy arrays.

use crate::bundled;
use crate::failure::Failure;
use crate::npz::{self, Array, Writer};
use mj_engine::{Data, Model, complete, forward, inverse, step, visit_data};
use mj_model::Field;
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
    /// What to compute: model, forward, inverse, step:N.
    #[arg(long)]
    stage: Stage,
    /// Archive with the state to start from; what is missing keeps its reset value.
    #[arg(long)]
    state: Option<PathBuf>,
    /// Sets an option, e.g. opt.solver=2; may be repeated.
    #[arg(long, value_name = "K=V")]
    set: Vec<String>,
}

#[derive(Clone, Copy)]
enum Stage {
    Model,
    Forward,
    Inverse,
    Step(u64),
}

impl std::str::FromStr for Stage {
    type Err = String;
    fn from_str(s: &str) -> Result<Self, String> {
        match s {
            "model" => Ok(Self::Model),
            "forward" => Ok(Self::Forward),
            "inverse" => Ok(Self::Inverse),
            _ => s
                .strip_prefix("step:")
                .and_then(|n| n.parse().ok())
                .map(Self::Step)
                .ok_or_else(|| "expected model, forward, inverse or step:N".into()),
        }
    }
}

/// Runs the command.
pub fn run(args: &Args) -> Result<(), Failure> {
    let mut m = bundled::open(&args.model)?.model;
    bundled::set_options(&mut m, &args.set)?;
    if let Stage::Model = args.stage {
        return write(&args.out, "model.", |f| m.visit(f));
    }
    let mut d = bundled::data(&args.model, &m)?;
    if let Some(path) = &args.state {
        read_state(path, &m, &mut d)?;
    }
    match args.stage {
        Stage::Model | Stage::Forward => forward(&m, &mut d),
        Stage::Inverse => inverse(&m, &mut d).map_err(|e| Failure::Usage(e.to_string()))?,
        Stage::Step(n) => (0..n).for_each(|_| step(&m, &mut d)),
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
    result
}

/// Sets the parts of the state that an archive holds.
fn read_state(path: &Path, m: &Model, d: &mut Data) -> Result<(), Failure> {
    for (name, array) in npz::read(path)? {
        set_state(m, d, &name, &array).map_err(|message| Failure::Input { path: path.into(), message })?;
    }
    Ok(())
}

fn set_state(m: &Model, d: &mut Data, name: &str, array: &Array) -> Result<(), String> {
    let s = &mut d.state;
    let (nbody, nmocap) = (m.body.len(), m.nmocap);
    let expect = |shape: &[usize]| {
        // A flat array of the right length will do for a table.
        if array.shape != shape && array.shape != [shape.iter().product::<usize>()] {
            return Err(format!("array `{name}` has shape {:?}; this model needs {shape:?}", array.shape));
        }
        match array.data.iter().position(|x| !x.is_finite()) {
            Some(i) => Err(format!("array `{name}` holds {} at entry {i}; expected finite numbers", array.data[i])),
            None => Ok(()),
        }
    };
    let vector = |v: &mut Vec<f64>| {
        expect(&[v.len()])?;
        v.copy_from_slice(&array.data);
        Ok(())
    };
    match name {
        "time" => {
            expect(&[])?;
            s.time = array.data[0];
        }
        "qpos" => return vector(&mut s.qpos),
        "qvel" => return vector(&mut s.qvel),
        "act" => return vector(&mut s.act),
        "ctrl" => return vector(&mut s.ctrl),
        "qfrc_applied" => return vector(&mut s.qfrc_applied),
        "qacc" => return vector(&mut d.qacc),
        "qacc_warmstart" => return vector(&mut s.qacc_warmstart),
        "userdata" => return vector(&mut s.userdata),
        "plastic" => return vector(&mut s.plastic),
        "history" => return vector(&mut s.history),
        "xfrc_applied" => {
            expect(&[nbody, 6])?;
            for (x, row) in s.xfrc_applied.iter_mut().zip(array.data.chunks_exact(6)) {
                x.copy_from_slice(row);
            }
        }
        "mocap_pos" => {
            expect(&[nmocap, 3])?;
            for (x, row) in s.mocap_pos.iter_mut().zip(array.data.chunks_exact(3)) {
                *x = mj_math::DVec3::from_slice(row);
            }
        }
        "mocap_quat" => {
            expect(&[nmocap, 4])?;
            for (x, row) in s.mocap_quat.iter_mut().zip(array.data.chunks_exact(4)) {
                *x = mj_math::quat::read(row);
            }
        }
        "eq_active" => {
            expect(&[m.eq.len()])?;
            for (x, v) in s.eq_active.iter_mut().zip(&array.data) {
                *x = *v != 0.0;
            }
        }
        _ => {
            return Err(format!(
                "unknown array `{name}`; expected time, qpos, qvel, act, ctrl, qfrc_applied, xfrc_applied, mocap_pos, \
                 mocap_quat, eq_active, qacc, qacc_warmstart, userdata, plastic, history"
            ));
        }
    }
    Ok(())
}
