//! Options, cameras and perturbations: from Python's records and back.

use crate::args::{fixed, vector};
use mj_math::{DQuat, DVec3, quat};
use mj_scene::{Camera, CameraKind, FrameKind, LabelKind, MouseAction, NGROUP, Perturb, SceneOptions};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// A record of Python's.
type Record<'a, 'py> = &'a Bound<'py, PyAny>;

/// Makes the error for a code that means nothing.
pub fn unknown(what: &str, code: i64, kind: &str) -> PyErr {
    PyValueError::new_err(format!("{what} is {code}, which is no member of {kind}"))
}

/// Reads a number of a record.
fn number<'py, T: for<'a> FromPyObject<'a, 'py>>(record: Record<'_, 'py>, name: &str) -> PyResult<T> {
    record.getattr(name)?.extract().map_err(Into::into)
}

/// Reads three numbers of a record.
fn point(record: Record, name: &str) -> PyResult<DVec3> {
    fixed(name, &record.getattr(name)?).map(DVec3::from_array)
}

/// Reads a row of truth values.
fn switches<const N: usize>(record: Record, name: &str) -> PyResult<[bool; N]> {
    let values = vector::<u8>(name, &record.getattr(name)?, N)?;
    let mut out = [false; N];
    out.iter_mut().zip(values).for_each(|(to, from)| *to = from != 0);
    Ok(out)
}

/// Reads options of a scene.
///
/// # Errors
/// If a code means nothing.
pub fn options(record: Record) -> PyResult<SceneOptions> {
    let (label, frame): (i32, i32) = (number(record, "label")?, number(record, "frame")?);
    Ok(SceneOptions {
        label: LabelKind::from_code(label).ok_or_else(|| unknown("`label`", label.into(), "mjtLabel"))?,
        frame: FrameKind::from_code(frame).ok_or_else(|| unknown("`frame`", frame.into(), "mjtFrame"))?,
        geomgroup: switches::<NGROUP>(record, "geomgroup")?,
        sitegroup: switches::<NGROUP>(record, "sitegroup")?,
        jointgroup: switches::<NGROUP>(record, "jointgroup")?,
        tendongroup: switches::<NGROUP>(record, "tendongroup")?,
        actuatorgroup: switches::<NGROUP>(record, "actuatorgroup")?,
        flexgroup: switches::<NGROUP>(record, "flexgroup")?,
        skingroup: switches::<NGROUP>(record, "skingroup")?,
        flags: switches(record, "flags")?,
        bvh_depth: number(record, "bvh_depth")?,
        flex_layer: number(record, "flex_layer")?,
    })
}

/// Reads a camera.
///
/// # Errors
/// If its kind is none.
pub fn camera(record: Record) -> PyResult<Camera> {
    let kind: i32 = number(record, "type")?;
    Ok(Camera {
        r#type: CameraKind::from_code(kind).ok_or_else(|| unknown("`type` of the camera", kind.into(), "mjtCamera"))?,
        fixedcamid: number(record, "fixedcamid")?,
        trackbodyid: number(record, "trackbodyid")?,
        lookat: point(record, "lookat")?,
        distance: number(record, "distance")?,
        azimuth: number(record, "azimuth")?,
        elevation: number(record, "elevation")?,
        orthographic: number::<i32>(record, "orthographic")? != 0,
    })
}

/// Writes what movements change of a camera.
///
/// # Errors
/// Those of the record.
pub fn write_camera(record: Record, camera: &Camera) -> PyResult<()> {
    record.setattr("lookat", camera.lookat.to_array())?;
    record.setattr("distance", camera.distance)?;
    record.setattr("azimuth", camera.azimuth)?;
    record.setattr("elevation", camera.elevation)
}

/// Reads a perturbation.
///
/// # Errors
/// If a field is of another shape.
pub fn perturb(record: Record) -> PyResult<Perturb> {
    Ok(Perturb {
        select: number(record, "select")?,
        flexselect: number(record, "flexselect")?,
        skinselect: number(record, "skinselect")?,
        active: number(record, "active")?,
        active2: number(record, "active2")?,
        refpos: point(record, "refpos")?,
        refquat: orientation(&record.getattr("refquat")?)?,
        refselpos: point(record, "refselpos")?,
        localpos: point(record, "localpos")?,
        localmass: number(record, "localmass")?,
        scale: number(record, "scale")?,
    })
}

/// Writes what movements change of a perturbation.
///
/// # Errors
/// Those of the record.
pub fn write_perturb(record: Record, perturb: &Perturb) -> PyResult<()> {
    record.setattr("refpos", perturb.refpos.to_array())?;
    record.setattr("refquat", quat::to_wxyz(perturb.refquat))?;
    record.setattr("refselpos", perturb.refselpos.to_array())?;
    record.setattr("localmass", perturb.localmass)?;
    record.setattr("scale", perturb.scale)
}

fn orientation(value: Record) -> PyResult<DQuat> {
    fixed("refquat", value).map(quat::from_wxyz)
}

/// Reads a movement of the mouse.
///
/// # Errors
/// If the code means nothing.
pub fn action(code: i32) -> PyResult<MouseAction> {
    MouseAction::from_code(code).ok_or_else(|| unknown("`action`", code.into(), "mjtMouse"))
}
