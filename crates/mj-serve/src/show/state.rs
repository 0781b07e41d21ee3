//! State of a simulation for the page's controls and plots.

use super::describe::{MOST, READINGS};
use mj_engine::{Data, Model};
use mj_model::{BodyId, CameraId, EqualityId, ObjType};
use mj_scene::{Camera, CameraKind, SceneOptions};
use mj_session::inputs::coordinate;
use mj_session::{Replica, Snapshot};
use serde::Serialize;

/// State, as the page gets it with each frame.
#[derive(Serialize)]
struct State<'a> {
    time: f64,
    /// Whether its program steps it, and the page can't.
    passive: bool,
    paused: bool,
    speed: f64,
    reached: f64,
    history: usize,
    back: usize,
    niter: u32,
    ncon: usize,
    nefc: usize,
    warnings: &'a [String],
    energy: [f32; 2],
    message: Option<&'a str>,
    selected: Option<Selected>,
    ctrl: Vec<f32>,
    joints: Vec<f32>,
    equalities: Vec<bool>,
    readings: &'a [f64],
    /// Position and orientation of the model's cameras, seven numbers each.
    cameras: Vec<f32>,
    /// Bits of flags, and of the groups of each kind.
    flags: u32,
    groups: [u8; 7],
    label: i32,
    frame: i32,
    /// View that the program asks for.
    look: Option<Look>,
}

/// Camera that the program asks for, with the number of its request.
#[derive(Serialize)]
struct Look {
    number: u64,
    lookat: [f64; 3],
    distance: f64,
    azimuth: f64,
    elevation: f64,
    /// Camera of the model; none: a free one.
    camera: Option<i32>,
}

impl Look {
    fn of(snapshot: &Snapshot) -> Option<Self> {
        let look = snapshot.look.as_ref()?;
        let camera = look.camera.as_ref()?;
        let fixed = (camera.r#type == CameraKind::Fixed).then_some(camera.fixedcamid);
        let &Camera { distance, azimuth, elevation, lookat, .. } = camera;
        Some(Self { number: look.number, lookat: lookat.to_array(), distance, azimuth, elevation, camera: fixed })
    }
}

/// Body that is selected.
#[derive(Serialize)]
struct Selected {
    body: usize,
    name: String,
    pos: [f32; 3],
    pulled: bool,
}

/// Returns the state in JSON.
pub fn state(snapshot: &Snapshot, viewer: &Replica, fault: Option<&str>) -> Vec<u8> {
    let (m, d) = (&**viewer.model(), viewer.data());
    let pace = snapshot.pace.unwrap_or_default();
    let statistics = &snapshot.statistics;
    let (flags, groups) = bits(&viewer.options);
    let state = State {
        time: snapshot.time,
        passive: snapshot.pace.is_none(),
        paused: pace.paused,
        speed: pace.speed,
        reached: pace.reached,
        history: pace.history,
        back: pace.back,
        niter: statistics.niter,
        ncon: statistics.ncon,
        nefc: statistics.nefc,
        warnings: &statistics.warnings,
        energy: d.energy.map(|e| e as f32),
        message: fault.or(snapshot.message.as_deref()),
        selected: selected(m, d, viewer),
        ctrl: d.state.ctrl.iter().take(MOST).map(|x| *x as f32).collect(),
        joints: joints(m, d),
        equalities: (0..m.eq.len().min(MOST)).map(|e| d.state.eq_active[EqualityId::new(e)]).collect(),
        readings: &d.sensordata[..d.sensordata.len().min(READINGS)],
        cameras: (0..m.cam.len().min(MOST)).flat_map(|c| camera(d, CameraId::new(c))).collect(),
        flags,
        groups,
        label: viewer.options.label.code(),
        frame: viewer.options.frame.code(),
        look: Look::of(snapshot),
    };
    serde_json::to_vec(&state).unwrap_or_else(|_| b"{}".to_vec())
}

fn selected(m: &Model, d: &Data, viewer: &Replica) -> Option<Selected> {
    let body = usize::try_from(viewer.perturb.select).ok().filter(|&id| id > 0 && id < m.body.len())?;
    let pos = d.smooth.poses.xpos[BodyId::new(body)].to_array().map(|x| x as f32);
    Some(Selected { body, name: m.names.get(ObjType::Body, body).into(), pos, pulled: viewer.perturb.active != 0 })
}

fn joints(m: &Model, d: &Data) -> Vec<f32> {
    let places = m.jnt.ids().filter_map(|j| coordinate(m, j)).take(MOST);
    places.map(|place| d.state.qpos.get(place).copied().unwrap_or_default() as f32).collect()
}

fn camera(d: &Data, c: CameraId) -> impl Iterator<Item = f32> + use<> {
    let quat = mj_engine::DQuat::from_mat3(&d.smooth.poses.cam_xmat[c]);
    let pos = d.smooth.poses.cam_xpos[c].to_array();
    pos.into_iter().chain(quat.to_array()).map(|x| x as f32)
}

/// Returns the bits of flags and groups.
fn bits(options: &SceneOptions) -> (u32, [u8; 7]) {
    let gather = |on: &[bool]| on.iter().enumerate().fold(0, |sum, (k, on)| sum | (u32::from(*on) << k));
    (gather(&options.flags), options.clone().groups_mut().map(|(_, groups)| gather(groups) as u8))
}
