//! Tracks: what geoms, lights and the camera do over the frames.

use super::column::{quantize, write_column};
use super::json::{Object, list, quoted};
use super::look::Look;
use super::pose::Poses;
use super::shape::{Placed, along, placed};
use mj_math::{DQuat, DVec3};
use mj_scene::{SceneGeom, SceneLight};
use std::collections::HashMap;

/// Frames in which something is there, as runs: first frame, number.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Runs(Vec<(usize, usize)>);

impl Runs {
    /// Adds a frame.
    pub fn push(&mut self, frame: usize) {
        match self.0.last_mut() {
            Some((first, count)) if *first + *count == frame => *count += 1,
            _ => self.0.push((frame, 1)),
        }
    }

    /// Returns the runs in JSON.
    pub fn describe(&self) -> String {
        list(self.0.iter().map(|(first, count)| format!("{first},{count}")))
    }
}

/// One geom over the frames.
pub struct Track {
    pub look: Look,
    pub runs: Runs,
    poses: Poses,
    first: (DVec3, DQuat),
    sizes: [Vec<i64>; 3],
    colours: [Vec<i64>; 4],
    labels: Vec<i64>,
}

/// All geoms over the frames.
pub struct Tracks {
    quantum: f64,
    pub all: Vec<Track>,
    places: HashMap<Look, usize>,
    labels: Vec<String>,
    label_places: HashMap<String, usize>,
}

/// Quanta of sizes in one of positions: sizes seldom change, and small things have them too.
pub const SIZES: f64 = 8.0;

impl Tracks {
    /// Returns no tracks, with a quantum of positions, m.
    pub fn new(quantum: f64) -> Self {
        let (all, places) = (Vec::new(), HashMap::new());
        Self { quantum, all, places, labels: vec![String::new()], label_places: HashMap::from([(String::new(), 0)]) }
    }

    /// Adds the geoms of a frame.
    pub fn push<'a>(&mut self, frame: usize, geoms: impl Iterator<Item = &'a SceneGeom>) {
        let mut seen: HashMap<Look, u32> = HashMap::new();
        for geom in geoms {
            let mut look = Look::new(geom);
            let count = seen.entry(look.clone()).or_insert(0);
            look.occurrence = *count;
            *count += 1;
            let placed = placed(geom);
            let (quantum, all) = (self.quantum, &mut self.all);
            let k = *self.places.entry(look).or_insert_with_key(|look| {
                all.push(Track::new(look.clone(), quantum, &placed));
                all.len() - 1
            });
            let label = self.label(&geom.label);
            self.all[k].push(frame, &placed, geom.rgba, label, quantum / SIZES);
        }
    }

    fn label(&mut self, text: &str) -> i64 {
        if let Some(&k) = self.label_places.get(text) {
            return k as i64;
        }
        self.label_places.insert(text.into(), self.labels.len());
        self.labels.push(text.into());
        self.labels.len() as i64 - 1
    }

    /// Returns the texts of labels in JSON.
    pub fn describe_labels(&self) -> String {
        list(self.labels.iter().map(|l| quoted(l)))
    }

    /// Returns for each track the one that leads it: both are parts of one rigid body, as `body` tells, and are there in
    /// the same frames. Also the pose in the leader's frame.
    pub fn leaders(&self, body: impl Fn(&Look) -> Option<usize>) -> Vec<Option<(usize, DVec3, DQuat)>> {
        let mut first_of: HashMap<usize, (usize, Vec<(DVec3, DQuat)>)> = HashMap::new();
        let lead = |(k, track): (usize, &Track)| {
            let body = body(&track.look)?;
            let Some((leader, poses)) = first_of.get(&body) else {
                first_of.insert(body, (k, track.poses.decoded()));
                return None;
            };
            let (pos, quat) = self.all[*leader].first;
            let offset = quat.conjugate() * (track.first.0 - pos);
            let turn = quat.conjugate() * track.first.1;
            // Both are rounded: so near as roundings allow.
            let near = |(led, of): (&(DVec3, DQuat), &(DVec3, DQuat))| {
                let reach = 3.0 * self.quantum + 2.0 * super::pose::TURN * offset.length();
                let apart = (of.0 + of.1 * offset - led.0).length();
                let twist = (of.1 * turn).dot(led.1).abs();
                apart <= reach && twist >= 1.0 - super::pose::TURN * super::pose::TURN
            };
            let rigid = self.all[*leader].runs == track.runs && track.poses.decoded().iter().zip(poses).all(near);
            rigid.then_some((*leader, offset, turn))
        };
        self.all.iter().enumerate().map(lead).collect()
    }
}

impl Track {
    fn new(look: Look, quantum: f64, placed: &Placed) -> Self {
        Self {
            look,
            runs: Runs::default(),
            poses: Poses::new(quantum),
            first: (placed.pos, placed.quat),
            sizes: Default::default(),
            colours: Default::default(),
            labels: Vec::new(),
        }
    }

    fn push(&mut self, frame: usize, placed: &Placed, rgba: [f32; 4], label: i64, quantum: f64) {
        self.runs.push(frame);
        self.poses.push(placed.pos, placed.quat);
        for (column, x) in self.sizes.iter_mut().zip(placed.size) {
            column.push(quantize(x, quantum));
        }
        for (column, x) in self.colours.iter_mut().zip(rgba) {
            column.push(quantize(f64::from(x).clamp(0.0, 1.0), 1.0 / 255.0));
        }
        self.labels.push(label);
    }

    /// Appends columns to a block; poses unless another track leads.
    pub fn write(&self, out: &mut Vec<u8>, led: bool) {
        if !led {
            self.poses.write(out);
        }
        self.sizes.iter().chain(&self.colours).chain([&self.labels]).for_each(|column| write_column(out, column));
    }
}

/// Lights over the frames, by their number in the scene's list.
pub struct Lights {
    quantum: f64,
    all: Vec<(SceneLight, Runs, Poses)>,
}

impl Lights {
    /// Returns no lights, with a quantum of positions, m.
    pub fn new(quantum: f64) -> Self {
        Self { quantum, all: Vec::new() }
    }

    /// Adds the lights of a frame.
    pub fn push(&mut self, frame: usize, lights: &[SceneLight]) {
        for light in lights {
            let known = self.all.iter().position(|(l, ..)| l.id == light.id && l.headlight == light.headlight);
            let k = known.unwrap_or_else(|| {
                self.all.push((light.clone(), Runs::default(), Poses::new(self.quantum)));
                self.all.len() - 1
            });
            let (_, runs, poses) = &mut self.all[k];
            runs.push(frame);
            poses.push(DVec3::from(light.pos.map(f64::from)), along(light.dir));
        }
    }

    /// Returns the lights in JSON.
    pub fn describe(&self) -> String {
        list(self.all.iter().map(|(light, runs, _)| describe_light(light).raw("runs", &runs.describe()).finish()))
    }

    /// Appends columns to a block.
    pub fn write(&self, out: &mut Vec<u8>) {
        self.all.iter().for_each(|(.., poses)| poses.write(out));
    }
}

/// Returns all of a light but its pose.
pub fn describe_light(l: &SceneLight) -> Object {
    Object::default()
        .flag("headlight", l.headlight)
        .int("type", l.r#type.code())
        .reals("attenuation", &l.attenuation)
        .reals("spot", &[l.cutoff, l.exponent])
        .reals("ambient", &l.ambient)
        .reals("diffuse", &l.diffuse)
        .reals("specular", &l.specular)
        .flag("castshadow", l.castshadow)
}
