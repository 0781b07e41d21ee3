//! Movements of the mouse: cameras and models that move, selection, perturbation.

use super::records::{action, camera, options, perturb, write_camera, write_perturb};
use super::{Any, D, M, SceneCore};
use crate::args::fixed;
use crate::data::{Access, DataCore};
use crate::error;
use mj_engine::Data;
use mj_math::DVec3;
use mj_scene::{CameraKind, EyeCamera, Scene};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// Position and directions of a camera: forward, up, right.
type Frame = [[f64; 3]; 4];

fn vectors(frame: mj_scene::CameraFrame) -> Frame {
    [frame.pos, frame.forward, frame.up, frame.right].map(|v| v.to_array())
}

/// Pose of the camera between both eyes, in the room or in the model.
#[pyfunction]
fn _scene_frame(scene: &SceneCore, in_room: bool) -> Frame {
    let scene = scene.look();
    vectors(if in_room { scene.camera_in_room() } else { scene.camera_in_model() })
}

/// Height that the camera sees at distance 1.
#[pyfunction]
fn _scene_height(scene: &SceneCore) -> f64 {
    scene.look().frustum_height()
}

/// Columns of the camera between both eyes.
#[pyfunction]
fn _scene_camera<'py>(scene: &SceneCore, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
    let columns = PyDict::new(py);
    let middle = scene.look().middle_camera();
    super::columns::put_cameras(&columns, &[middle])?;
    Ok(columns)
}

/// Moves the model before the camera.
#[pyfunction]
fn _move_model(scene: &SceneCore, m: M, code: i32, way: [f64; 2], up: Any) -> PyResult<()> {
    let (extent, up) = (m.get().current(m.py())?.stat.extent, fixed("roomup", up)?);
    let action = action(code)?;
    scene.look().move_model(extent, action, way, DVec3::from_array(up));
    Ok(())
}

/// Finds what is at a place of the picture: body, point, geom, flex, skin; -1 where there is none.
#[pyfunction]
fn _select(
    scene: &SceneCore,
    m: M,
    d: D,
    shown: Any,
    aspect: f64,
    place: [f64; 2],
) -> PyResult<(i32, [f64; 3], [i32; 3])> {
    let options = options(shown)?;
    if ![aspect, place[0], place[1]].iter().all(|x| x.is_finite()) {
        return Err(PyValueError::new_err("aspect ratio and place must be finite"));
    }
    let found =
        DataCore::call(d, m, Access::Read, |m, d| mj_scene::select(m, d, &options, aspect, place, &scene.look()))?;
    let Some(found) = found.map_err(error::value)? else { return Ok((-1, [0.0; 3], [-1; 3])) };
    let ids = [found.geom.map(|g| g.index()), found.flex.map(|f| f.index()), found.skin.map(|s| s.index())];
    Ok((found.body.index() as i32, found.point.to_array(), ids.map(|id| id.map_or(-1, |id| id as i32))))
}

/// Starts to perturb the selected body.
#[pyfunction]
fn _start_perturb(scene: &SceneCore, m: M, d: D, record: Any) -> PyResult<()> {
    let mut state = perturb(record)?;
    DataCore::call(d, m, Access::Read, |m, d| state.start(m, d, &scene.look()))?;
    write_perturb(record, &state)
}

/// Moves the reference of a perturbation.
#[pyfunction]
fn _move_perturb(scene: &SceneCore, m: M, d: D, code: i32, way: [f64; 2], record: Any) -> PyResult<()> {
    let (mut state, action) = (perturb(record)?, action(code)?);
    DataCore::call(d, m, Access::Read, |m, d| state.move_by(m, d, action, way, &scene.look()))?;
    write_perturb(record, &state)
}

/// Moves a free or tracking camera with the mouse: the way to the right and down, in heights of the picture.
#[pyfunction]
#[pyo3(name = "mjv_moveCamera", signature = (m, action, reldx, reldy, cam))]
fn mjv_move_camera(m: M, action: i32, reldx: f64, reldy: f64, cam: Any) -> PyResult<()> {
    let mut moved = camera(cam)?;
    let model = m.get().current(m.py())?;
    moved.move_by(&model, self::action(action)?, [reldx, reldy]);
    write_camera(cam, &moved)
}

/// Sets the pose of the perturbed body, if it is a mocap body, or if the simulation is paused and it is free.
#[pyfunction]
#[pyo3(name = "mjv_applyPerturbPose", signature = (m, d, pert, flg_paused))]
fn mjv_apply_perturb_pose(m: M, d: D, pert: Any, flg_paused: Any) -> PyResult<()> {
    let (state, paused) = (perturb(pert)?, flg_paused.is_truthy()?);
    DataCore::call(d, m, Access::Change, |m, d| mj_scene::apply_perturb_pose(m, d, &state, paused))
}

/// Writes the force and torque of a perturbation to `d.xfrc_applied`.
#[pyfunction]
#[pyo3(name = "mjv_applyPerturbForce", signature = (m, d, pert))]
fn mjv_apply_perturb_force(m: M, d: D, pert: Any) -> PyResult<()> {
    let state = perturb(pert)?;
    DataCore::call(d, m, Access::Change, |m, d| mj_scene::apply_perturb_force(m, d, &state))
}

/// Returns the pose of a camera: position, forward, up, right.
#[pyfunction]
fn _camera_frame(d: D, cam: Any) -> PyResult<Frame> {
    let mut seen = camera(cam)?;
    let model = d.get().model(d.py());
    let frame = DataCore::call(d, model.bind(d.py()), Access::Read, |m, d| seen.frame(m, d))?;
    frame.map_err(error::value)?.map(vectors).ok_or_else(without_pose)
}

/// Returns what a camera sees on the near plane: down, up, left, right; and the distances of the near and far planes.
#[pyfunction]
fn _camera_frustum(m: M, cam: Any) -> PyResult<[[f32; 2]; 3]> {
    let mut seen = camera(cam)?;
    if seen.r#type == CameraKind::User {
        return Err(without_pose());
    }
    let model = m.get().current(m.py())?;
    let mut scene = Scene::default();
    let filled = m.py().detach(|| {
        let d = Data::new(&model).map_err(|e| e.to_string())?;
        seen.trackbodyid = 0;
        mj_scene::update_camera(&model, &d, &mut seen, &mut scene).map_err(|e| e.to_string())
    });
    filled.map_err(PyValueError::new_err)?;
    let EyeCamera { frustum_center: c, frustum_width: w, frustum_bottom, frustum_top, .. } = scene.camera[0];
    let clip = [scene.camera[0].frustum_near, scene.camera[0].frustum_far];
    Ok([[-frustum_bottom, frustum_top], [w - c, w + c], clip])
}

fn without_pose() -> PyErr {
    PyValueError::new_err("a camera of type mjCAMERA_USER has no pose of its own")
}

/// Adds the functions of this file.
pub fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(_scene_frame, module)?)?;
    module.add_function(wrap_pyfunction!(_scene_height, module)?)?;
    module.add_function(wrap_pyfunction!(_scene_camera, module)?)?;
    module.add_function(wrap_pyfunction!(_move_model, module)?)?;
    module.add_function(wrap_pyfunction!(_select, module)?)?;
    module.add_function(wrap_pyfunction!(_start_perturb, module)?)?;
    module.add_function(wrap_pyfunction!(_move_perturb, module)?)?;
    module.add_function(wrap_pyfunction!(mjv_move_camera, module)?)?;
    module.add_function(wrap_pyfunction!(mjv_apply_perturb_pose, module)?)?;
    module.add_function(wrap_pyfunction!(mjv_apply_perturb_force, module)?)?;
    module.add_function(wrap_pyfunction!(_camera_frame, module)?)?;
    module.add_function(wrap_pyfunction!(_camera_frustum, module)?)
}
