//! From scenes, one a frame, to a page.

use super::column::{quantize, write_column};
use super::images::{Images, sky};
use super::json::{Object, list};
use super::look::Look;
use super::meshes::Meshes;
use super::page;
use super::pose::{Poses, TURN};
use super::shape::looking;
use super::surfaces::Surfaces;
use super::tracks::{Lights, SIZES, Tracks};
use crate::error::RecordError;
use mj_engine::Model;
use mj_math::{DQuat, DVec3};
use mj_model::{GeomId, ObjType, SiteId};
use mj_scene::{RndFlag, Scene, SceneShape};

/// Quantum of time, s.
const TICK: f64 = 1e-6;

/// Options of a page.
#[derive(Clone, Debug, PartialEq)]
pub struct HtmlOptions {
    /// Title of the page; empty: the name of the model.
    pub title: String,
    /// Steps of positions in the extent of the model: a humanoid of 2 m with 8,000 of them moves in steps of 0.25 mm.
    pub steps: f64,
    /// Most pixels along a side of a texture; larger ones are scaled down.
    pub texture_size: u32,
    /// Whether the page plays as soon as it is open.
    pub autoplay: bool,
}

impl Default for HtmlOptions {
    /// Returns 8,000 steps, textures of 256 pixels, and a page that plays at once.
    fn default() -> Self {
        Self { title: String::new(), steps: 8000.0, texture_size: 256, autoplay: true }
    }
}

/// Recorder of scenes into one HTML file that plays without a network: geometry once, then poses by frame, with all
/// decoration that the scenes had.
pub struct HtmlRecorder<'a> {
    m: &'a Model,
    options: HtmlOptions,
    quantum: f64,
    times: Vec<f64>,
    tracks: Tracks,
    lights: Lights,
    camera: Poses,
    frustum: Option<[f32; 4]>,
    surfaces: Surfaces,
    sky: bool,
}

impl std::fmt::Debug for HtmlRecorder<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("HtmlRecorder")
            .field("options", &self.options)
            .field("frames", &self.times.len())
            .finish_non_exhaustive()
    }
}

impl<'a> HtmlRecorder<'a> {
    /// Returns a recorder without frames.
    pub fn new(m: &'a Model, options: HtmlOptions) -> Self {
        let extent = if m.stat.extent > 0.0 && m.stat.extent.is_finite() { m.stat.extent } else { 1.0 };
        let steps = if options.steps >= 1.0 { options.steps.min(1e9) } else { HtmlOptions::default().steps };
        let quantum = extent / steps;
        Self {
            m,
            options,
            quantum,
            times: Vec::new(),
            tracks: Tracks::new(quantum),
            lights: Lights::new(quantum),
            camera: Poses::new(quantum),
            frustum: None,
            surfaces: Surfaces::new(quantum),
            sky: false,
        }
    }

    /// Returns the number of frames.
    pub fn frames(&self) -> usize {
        self.times.len()
    }

    /// Appends a frame: a scene of the model, and its time, s.
    ///
    /// # Errors
    /// If the time is not finite, or before that of the last frame.
    pub fn frame(&mut self, scene: &Scene, time: f64) -> Result<(), RecordError> {
        let frame = self.times.len();
        let last = self.times.last().copied().unwrap_or(f64::NEG_INFINITY);
        if !time.is_finite() || time < last {
            return Err(RecordError::Time { frame, time, last });
        }
        self.times.push(time);
        let solid =
            |g: &&mj_scene::SceneGeom| !matches!(g.r#type, SceneShape::Flex | SceneShape::Skin | SceneShape::None);
        self.tracks.push(frame, scene.geoms.iter().filter(solid));
        self.surfaces.push(self.m, frame, scene);
        self.lights.push(frame, &scene.lights);
        let [left, right] = &scene.camera;
        let pos = (DVec3::from(left.pos.map(f64::from)) + DVec3::from(right.pos.map(f64::from))) * 0.5;
        self.camera.push(pos, looking(left.forward, left.up));
        let height = left.frustum_top - left.frustum_bottom;
        let orthographic = f32::from(u8::from(left.orthographic));
        self.frustum.get_or_insert([height, left.frustum_near, left.frustum_far, orthographic]);
        self.sky |= scene.flag(RndFlag::Skybox);
        Ok(())
    }

    /// Returns the page.
    ///
    /// # Errors
    /// If no frame was recorded, or a texture can't be encoded.
    pub fn finish(self) -> Result<String, RecordError> {
        if self.times.is_empty() {
            return Err(RecordError::Empty);
        }
        let m = self.m;
        let mut columns = Vec::new();
        let times: Vec<i64> = self.times.iter().map(|t| quantize(*t - self.times[0], TICK)).collect();
        write_column(&mut columns, &times);
        self.camera.write(&mut columns);
        self.lights.write(&mut columns);

        let (mut meshes, mut images) = (Meshes::default(), Images::new(self.options.texture_size));
        let leaders = self.tracks.leaders(|look| body_of(m, look));
        let tracks = self.tracks.all.iter().zip(&leaders).map(|(track, leader)| {
            track.write(&mut columns, leader.is_some());
            let mesh = meshes.number(m, &track.look);
            let texture = images.number(m, track.look.texid);
            let mut out = track.look.describe(mesh, texture).raw("runs", &track.runs.describe());
            if let Some((k, pos, quat)) = leader {
                out = out.int("leader", *k as i64).raw("offset", &pose(*pos, *quat));
            }
            out.finish()
        });
        let tracks = list(tracks);
        let surfaces = self.surfaces.describe(&mut columns, |texid| images.number(m, texid));
        let meshes = meshes.describe(m, 0, &mut columns);
        let (images, pictures) = images.describe(m, 0)?;

        let center = m.stat.center.to_array().map(|x| x as f32);
        let name = if self.options.title.is_empty() { &m.modelname } else { &self.options.title };
        let head = Object::default()
            .text("name", name)
            .int("frames", self.times.len() as i64)
            .real("start", self.times[0])
            .real("tick", TICK)
            .real("quantum", self.quantum)
            .real("sizes", SIZES)
            .real("turn", TURN)
            .real("extent", m.stat.extent)
            .reals("center", &center)
            .reals("frustum", &self.frustum.unwrap_or_default())
            .flag("autoplay", self.options.autoplay)
            .raw("sky", &if self.sky { sky(m) } else { "[]".into() })
            .raw("labels", &self.tracks.describe_labels())
            .raw("lights", &self.lights.describe())
            .raw("tracks", &tracks)
            .raw("surfaces", &surfaces)
            .raw("meshes", &meshes)
            .raw("images", &images)
            .finish();
        let mut block = (head.len() as u32).to_le_bytes().to_vec();
        block.extend_from_slice(head.as_bytes());
        block.extend_from_slice(&columns);
        block.extend_from_slice(&pictures);
        page::page(name, &block)
    }
}

/// Returns the body whose part an element of the model is.
fn body_of(m: &Model, look: &Look) -> Option<usize> {
    let id = usize::try_from(look.objid).ok()?;
    // Infinite planes follow the camera.
    if look.shape == SceneShape::Plane.code() || look.occurrence > 0 {
        return None;
    }
    match ObjType::from_code(look.objtype)? {
        ObjType::Geom if id < m.geom.len() => Some(m.geom.bodyid[GeomId::new(id)].index()),
        ObjType::Site if id < m.site.len() => Some(m.site.bodyid[SiteId::new(id)].index()),
        _ => None,
    }
}

/// Returns a pose in JSON: position, then x, y, z, w.
fn pose(pos: DVec3, quat: DQuat) -> String {
    let numbers = pos.to_array().into_iter().chain(quat.to_array());
    list(numbers.map(|x| if x.is_finite() { format!("{x:.6}") } else { "0".into() }))
}
