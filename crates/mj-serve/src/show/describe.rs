//! Description of a model for the page: names and ranges of all that can be set or plotted.

use mj_engine::Model;
use mj_model::{CameraId, ControlId, JointId, JointType, KeyId, ObjType, Projection, SensorId};
use mj_scene::{Camera, CameraKind, FrameKind, LabelKind, VisFlag, VisualSettings};
use serde::Serialize;

/// Most controls, joints, equality constraints, keyframes and cameras that a page has.
pub const MOST: usize = 300;
/// Most numbers of sensors that a page plots.
pub const READINGS: usize = 64;

/// Model as the page sees it.
#[derive(Serialize)]
struct Description<'a> {
    name: &'a str,
    extent: f64,
    center: [f64; 3],
    near: f64,
    far: f64,
    /// Height that a free camera sees: degrees, or m if it is orthographic.
    fovy: f32,
    orthographic: bool,
    start: Start,
    controls: Vec<Slider>,
    joints: Vec<Slider>,
    equalities: Vec<String>,
    keys: Vec<String>,
    readings: Vec<String>,
    cameras: Vec<Lens>,
    flags: Vec<&'static str>,
    groups: [&'static str; 7],
    labels: Vec<&'static str>,
    frames: Vec<&'static str>,
}

/// Camera with which a page begins.
#[derive(Serialize)]
struct Start {
    camera: Option<usize>,
    lookat: [f64; 3],
    distance: f64,
    azimuth: f64,
    elevation: f64,
}

#[derive(Serialize)]
struct Slider {
    /// Number of the control or joint.
    id: usize,
    name: String,
    range: [f64; 2],
}

#[derive(Serialize)]
struct Lens {
    name: String,
    fovy: f64,
    orthographic: bool,
}

/// Kinds of elements that are shown by groups.
pub const GROUPS: [&str; 7] = ["geom", "site", "joint", "tendon", "actuator", "flex", "skin"];

/// Returns the joints that have one coordinate.
pub fn scalar_joints(m: &Model) -> impl Iterator<Item = JointId> + '_ {
    m.jnt.ids().filter(|&j| matches!(m.jnt.r#type[j], JointType::Hinge | JointType::Slide)).take(MOST)
}

/// Returns the description in JSON.
pub fn describe(m: &Model) -> String {
    let vis = VisualSettings::new(&m.vis);
    let (first, free) = (Camera::initial(m), Camera::free(m));
    let name = |kind: ObjType, id: usize| match m.names.get(kind, id) {
        "" => format!("{} {id}", kind.keyword()),
        name => name.to_string(),
    };
    let names = |kind: ObjType, count: usize| (0..count.min(MOST)).map(|id| name(kind, id)).collect();
    let control = |id: usize| {
        let c = ControlId::new(id);
        let range = if m.control.ctrllimited[c] { m.control.ctrlrange[c] } else { [-1.0, 1.0] };
        Slider { id, name: control_name(m, id).unwrap_or_else(|| format!("control {id}")), range }
    };
    let joint = |j: JointId| {
        let reach = if m.jnt.r#type[j] == JointType::Hinge { std::f64::consts::PI } else { m.stat.extent };
        let range = if m.jnt.limited[j] { m.jnt.range[j] } else { [-reach, reach] };
        Slider { id: j.index(), name: name(ObjType::Joint, j.index()), range }
    };
    let lens = |id: usize| {
        let c = CameraId::new(id);
        let orthographic = m.cam.projection[c] == Projection::Orthographic;
        Lens { name: name(ObjType::Camera, id), fovy: m.cam.fovy[c], orthographic }
    };
    let description = Description {
        name: &m.modelname,
        extent: m.stat.extent,
        center: m.stat.center.to_array(),
        near: f64::from(vis.map.znear) * m.stat.extent,
        far: f64::from(vis.map.zfar) * m.stat.extent,
        fovy: vis.global.fovy,
        orthographic: vis.global.orthographic,
        start: Start {
            camera: usize::try_from(first.fixedcamid).ok().filter(|_| first.r#type == CameraKind::Fixed),
            lookat: free.lookat.to_array(),
            distance: free.distance,
            azimuth: free.azimuth,
            elevation: free.elevation,
        },
        controls: (0..m.nu().min(MOST)).map(control).collect(),
        joints: scalar_joints(m).map(joint).collect(),
        equalities: names(ObjType::Equality, m.eq.len()),
        keys: (0..m.key.len().min(MOST)).map(|id| name(ObjType::Key, KeyId::new(id).index())).collect(),
        readings: readings(m, name),
        cameras: (0..m.cam.len().min(MOST)).map(lens).collect(),
        flags: VisFlag::ALL.iter().map(|flag| flag.name()).collect(),
        groups: GROUPS,
        labels: LabelKind::ALL.iter().map(|kind| kind.name()).collect(),
        frames: FrameKind::ALL.iter().map(|kind| kind.name()).collect(),
    };
    serde_json::to_string(&description).unwrap_or_else(|_| "{}".into())
}

/// Returns the name of a control: that of its actuator, with a number where it has several.
fn control_name(m: &Model, id: usize) -> Option<String> {
    let first = |a| m.actuator.ctrladr[a] as usize;
    let count = |a| m.actuator.ctrlnum[a] as usize;
    let a = m.actuator.ids().find(|&a| (first(a)..first(a) + count(a)).contains(&id))?;
    let name = m.names.get(ObjType::Actuator, a.index());
    match (name, count(a)) {
        ("", _) => None,
        (name, 1) => Some(name.into()),
        (name, _) => Some(format!("{name} {}", id - first(a))),
    }
}

/// Returns the names of the numbers of sensors.
fn readings(m: &Model, name: impl Fn(ObjType, usize) -> String) -> Vec<String> {
    let numbers = |s: SensorId| {
        let (name, dim) = (name(ObjType::Sensor, s.index()), m.sensor.dim[s] as usize);
        let all: Vec<String> = (0..dim.min(READINGS)).map(|k| format!("{name} {k}")).collect();
        if dim == 1 { vec![name] } else { all }
    };
    m.sensor.ids().flat_map(numbers).take(READINGS).collect()
}
