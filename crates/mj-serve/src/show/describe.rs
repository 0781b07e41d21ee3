//! Description of a model for the page: names and ranges of all that can be set or plotted.

use mj_engine::Model;
use mj_model::{CameraId, ObjType, Projection};
use mj_scene::{Camera, CameraKind, FrameKind, LabelKind, SceneOptions, VisFlag, VisualSettings};
use mj_session::inputs;
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

/// Returns the description in JSON.
pub fn describe(m: &Model) -> String {
    let vis = VisualSettings::new(&m.vis);
    let (first, free) = (Camera::initial(m), Camera::free(m));
    let name = |kind: ObjType, id: usize| m.names.display(kind, id);
    let names = |kind: ObjType, count: usize| (0..count.min(MOST)).map(|id| name(kind, id)).collect();
    let slider = |inputs::Slider { id, name, range }| Slider { id, name, range };
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
        controls: inputs::controls(m).into_iter().take(MOST).map(slider).collect(),
        joints: inputs::joints(m).take(MOST).map(slider).collect(),
        equalities: names(ObjType::Equality, m.eq.len()),
        keys: names(ObjType::Key, m.key.len()),
        readings: inputs::readings(m, READINGS),
        cameras: (0..m.cam.len().min(MOST)).map(lens).collect(),
        flags: VisFlag::ALL.iter().map(|flag| flag.name()).collect(),
        groups: SceneOptions::default().groups_mut().map(|(kind, _)| kind),
        labels: LabelKind::ALL.iter().map(|kind| kind.name()).collect(),
        frames: FrameKind::ALL.iter().map(|kind| kind.name()).collect(),
    };
    serde_json::to_string(&description).unwrap_or_else(|_| "{}".into())
}
