//! Positions on their manifold, frames, and what a model says of itself.

use super::{Any, D, M, read, register, row};
use crate::args::{Out, fixed, vector};
use crate::model::derived::is_sparse;
use mj_engine as engine;
use mj_math::quat;
use mj_model::control::input_name;
use mj_model::{ActuatorId, BodyId, Cone, ObjType, SolverType};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;

/// Moves positions along velocities for a time.
#[pyfunction]
#[pyo3(name = "mj_integratePos")]
fn mj_integrate_pos(m: M, qpos: Any, qvel: Any, dt: f64) -> PyResult<()> {
    let model = m.get().current(m.py())?;
    let out = Out::<f64>::sized("qpos", qpos, model.nq())?;
    let qvel = vector::<f64>("qvel", qvel, model.nv())?;
    let mut q = out.to_vec();
    engine::integrate_pos(&model, &mut q, &qvel, dt);
    out.write(q)
}

/// Computes the velocity that leads from one position to another in a time.
#[pyfunction]
#[pyo3(name = "mj_differentiatePos")]
fn mj_differentiate_pos(m: M, qvel: Any, dt: f64, qpos1: Any, qpos2: Any) -> PyResult<()> {
    let model = m.get().current(m.py())?;
    let out = Out::<f64>::sized("qvel", qvel, model.nv())?;
    let [a, b] = [vector::<f64>("qpos1", qpos1, model.nq())?, vector::<f64>("qpos2", qpos2, model.nq())?];
    let mut v = vec![0.0; model.nv()];
    engine::differentiate_pos(&model, &mut v, dt, &a, &b);
    out.write(v)
}

/// Scales all quaternions of a position to unit length.
#[pyfunction]
#[pyo3(name = "mj_normalizeQuat")]
fn mj_normalize_quat(m: M, qpos: Any) -> PyResult<()> {
    let model = m.get().current(m.py())?;
    let out = Out::<f64>::sized("qpos", qpos, model.nq())?;
    let mut q = out.to_vec();
    engine::normalize_quaternions(&model, &mut q);
    out.write(q)
}

/// Maps a pose in a body's frame to the world: position and rotation matrix. `sameframe` is a member of mjtSameFrame.
#[pyfunction]
#[pyo3(name = "mj_local2Global")]
fn mj_local_to_global(d: D, xpos: Any, xmat: Any, pos: Any, quat: Any, body: i64, sameframe: i32) -> PyResult<()> {
    let (out_pos, out_mat) = (Out::<f64>::sized("xpos", xpos, 3)?, Out::<f64>::sized("xmat", xmat, 9)?);
    let pos = engine::DVec3::from_array(fixed("pos", pos)?);
    let turn = quat::from_wxyz(fixed("quat", quat)?);
    let (p, mat) = d.get().with(d.py(), |m, d| {
        let b = BodyId::new(row("body", body, m.body.len())?);
        let poses = &d.smooth.poses;
        // 1, 3: the body's frame; 2, 4: the inertial frame; 3 and 4 share orientation alone.
        let p = match sameframe {
            1 => poses.xpos[b],
            2 => poses.xipos[b],
            _ => poses.xpos[b] + poses.xmat[b] * pos,
        };
        let mat = match sameframe {
            1 | 3 => poses.xmat[b],
            2 | 4 => poses.ximat[b],
            _ => quat::to_mat(poses.xquat[b] * turn),
        };
        PyResult::Ok((p, mat))
    })??;
    out_pos.write(p.to_array())?;
    out_mat.write(mat.transpose().to_cols_array())
}

/// Computes the velocity of an object about its centre: rotation, then translation; in its own frame if `flg_local`.
#[pyfunction]
#[pyo3(name = "mj_objectVelocity")]
fn mj_object_velocity(m: M, d: D, objtype: i32, objid: i64, res: Any, flg_local: i32) -> PyResult<()> {
    let (kind, id) = object(objtype, objid)?;
    let out = Out::<f64>::sized("res", res, 6)?;
    let v = read(m, d, |m, d| engine::object_velocity(m, d, kind, id, flg_local != 0))?;
    out.write(v.to_array())
}

/// Computes the acceleration of an object about its centre: rotation, then translation; in its own frame if `flg_local`.
#[pyfunction]
#[pyo3(name = "mj_objectAcceleration")]
fn mj_object_acceleration(m: M, d: D, objtype: i32, objid: i64, res: Any, flg_local: i32) -> PyResult<()> {
    let (kind, id) = object(objtype, objid)?;
    let out = Out::<f64>::sized("res", res, 6)?;
    let a = read(m, d, |m, d| engine::object_acceleration(m, d, kind, id, flg_local != 0))?;
    out.write(a.to_array())
}

/// Kind and row of an object.
fn object(objtype: i32, objid: i64) -> PyResult<(ObjType, usize)> {
    let kind = ObjType::from_code(objtype);
    let kind = kind.ok_or_else(|| PyValueError::new_err(format!("`objtype` is a member of mjtObj, not {objtype}")))?;
    Ok((kind, row(kind.keyword(), objid, usize::MAX)?))
}

/// Adds the joint-space force of a force and a torque on a body, applied at a point, to `qfrc_target` (nv).
#[pyfunction]
#[pyo3(name = "mj_applyFT")]
fn mj_apply_ft(m: M, d: D, force: Any, torque: Any, point: Any, body: i64, qfrc_target: Any) -> PyResult<()> {
    let model = m.get().current(m.py())?;
    let [f, t, p] =
        [fixed("force", force)?, fixed("torque", torque)?, fixed("point", point)?].map(engine::DVec3::from_array);
    let body = row("body", body, model.body.len())?;
    let out = Out::<f64>::sized("qfrc_target", qfrc_target, model.nv())?;
    let mut sum = out.to_vec();
    read(m, d, |m, d| engine::apply_ft(m, d, f, t, p, body, &mut sum))?;
    out.write(sum)
}

/// Returns the row of a named element; -1 if there is none. `type` is a member of mjtObj.
#[pyfunction]
#[pyo3(signature = (m, r#type, name))]
fn mj_name2id(m: M, r#type: i32, name: Any) -> PyResult<i64> {
    let name = crate::args::text("name", name)?;
    let model = m.get().current(m.py())?;
    let found = ObjType::from_code(r#type).and_then(|kind| model.names.find(kind, &name));
    Ok(found.map_or(-1, |i| i as i64))
}

/// Returns the name of an element; None if it has none. `type` is a member of mjtObj.
#[pyfunction]
#[pyo3(signature = (m, r#type, id))]
fn mj_id2name(m: M, r#type: i32, id: i64) -> PyResult<Option<String>> {
    let model = m.get().current(m.py())?;
    let name =
        ObjType::from_code(r#type).zip(usize::try_from(id).ok()).map(|(kind, i)| model.names.get(kind, i).to_string());
    Ok(name.filter(|n| !n.is_empty()))
}

/// Returns the name of an actuator's control, as "pos" or "qw"; None if its kind gives it none.
#[pyfunction]
#[pyo3(name = "mj_actuatorInputName")]
fn mj_actuator_input_name(m: M, id: i64, input: i64) -> PyResult<Option<&'static str>> {
    let model = m.get().current(m.py())?;
    let found = usize::try_from(id).ok().filter(|i| *i < model.actuator.len()).zip(usize::try_from(input).ok());
    Ok(found.and_then(|(i, k)| {
        let a = ActuatorId::new(i);
        input_name(model.actuator.gaintype[a], model.actuator.ctrlspec[a], k)
    }))
}

/// Returns the total mass of a model.
#[pyfunction]
#[pyo3(name = "mj_getTotalmass")]
fn mj_get_total_mass(m: M) -> PyResult<f64> {
    Ok(m.get().current(m.py())?.body.mass.iter().sum())
}

/// Scales masses and inertias so that the total mass is `newmass`.
#[pyfunction]
#[pyo3(name = "mj_setTotalmass")]
fn mj_set_total_mass(m: M, newmass: f64) -> PyResult<()> {
    if !(newmass.is_finite() && newmass > 0.0) {
        return Err(PyValueError::new_err(format!("`newmass` is positive and finite, not {newmass}")));
    }
    m.get().change(|m| {
        let scale = newmass / m.body.mass.iter().sum::<f64>().max(mj_math::MINVAL);
        m.body.mass.as_mut_slice().iter_mut().for_each(|x| *x *= scale);
        m.body.inertia.as_mut_slice().iter_mut().for_each(|x| *x *= scale);
        engine::set_const(m).map_err(crate::error::value)
    })
}

/// Returns 1 if friction cones are pyramidal, else 0.
#[pyfunction]
#[pyo3(name = "mj_isPyramidal")]
fn mj_is_pyramidal(m: M) -> PyResult<i32> {
    Ok((m.get().current(m.py())?.opt.cone == Cone::Pyramidal).into())
}

/// Returns 1 if Jacobians of constraints are shown as sparse matrices, else 0.
#[pyfunction]
#[pyo3(name = "mj_isSparse")]
fn mj_is_sparse(m: M) -> PyResult<i32> {
    Ok(is_sparse(&*m.get().current(m.py())?).into())
}

/// Returns 1 if the solver works on the dual problem, else 0.
#[pyfunction]
#[pyo3(name = "mj_isDual")]
fn mj_is_dual(m: M) -> PyResult<i32> {
    let model = m.get().current(m.py())?;
    Ok((model.opt.solver == SolverType::Pgs || model.opt.noslip_iterations > 0).into())
}

/// Returns the number of bytes of a model in its binary form.
#[pyfunction]
#[pyo3(name = "mj_sizeModel")]
fn mj_size_model(m: M) -> PyResult<usize> {
    Ok(m.get().current(m.py())?.to_bytes().len())
}

/// Writes a model in its binary form, to a file or into an array of bytes.
#[pyfunction]
#[pyo3(name = "mj_saveModel", signature = (m, filename = None, buffer = None))]
fn mj_save_model(m: M, filename: Option<std::path::PathBuf>, buffer: Option<Any>) -> PyResult<()> {
    let bytes = m.get().current(m.py())?.to_bytes();
    if let Some(buffer) = buffer {
        let out = Out::<u8>::of("buffer", buffer)?;
        if out.len() < bytes.len() {
            return Err(crate::args::wrong("buffer", &format!("an array of at least {} bytes", bytes.len()), buffer));
        }
        return out.write(bytes);
    }
    match filename {
        Some(path) => Ok(std::fs::write(path, bytes)?),
        None => Err(PyTypeError::new_err("mj_saveModel: give a `filename` or a `buffer`")),
    }
}

register! {
    mj_integrate_pos mj_differentiate_pos mj_normalize_quat mj_local_to_global mj_object_velocity mj_object_acceleration
    mj_apply_ft mj_name2id mj_id2name mj_actuator_input_name mj_get_total_mass mj_set_total_mass mj_is_pyramidal
    mj_is_sparse mj_is_dual mj_size_model mj_save_model
}
