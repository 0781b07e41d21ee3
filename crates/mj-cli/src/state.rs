//! States from archives.

use crate::failure::Failure;
use crate::npz::{self, Array};
use mj_engine::{Data, Model};
use std::path::Path;

/// Sets the parts of the state that an archive holds.
pub fn read(path: &Path, m: &Model, d: &mut Data) -> Result<(), Failure> {
    for (name, array) in npz::read(path)? {
        set(m, d, &name, &array).map_err(|message| Failure::Input { path: path.into(), message })?;
    }
    Ok(())
}

/// Returns the number of axes of an array of the state.
pub fn rank(name: &str) -> usize {
    match name {
        "time" => 0,
        "xfrc_applied" | "mocap_pos" | "mocap_quat" => 2,
        _ => 1,
    }
}

/// Sets one part of the state; the message says what is wrong with the array.
pub fn set(m: &Model, d: &mut Data, name: &str, array: &Array) -> Result<(), String> {
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
        "plugin_state" => return vector(&mut s.plugin_state),
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
