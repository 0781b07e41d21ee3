//! Which scales hold where in the tree, and at what is named in it.

use super::scales::{Measure, Scales};
use crate::frames::{self, Pose};
use mj_math::{DMat3, DQuat, DVec3, quat};
use mj_model::spec::{Body, Compiler, Joint, Orientation};
use mj_model::{Diagnostics, JointType, ObjType, Scaling, Spec};
use std::collections::HashMap;

/// A body or a frame: what holds for all that is directly in it.
pub(super) struct Container {
    /// Container around it; none for the world.
    outer: Option<usize>,
    depth: usize,
    /// In its own coordinates.
    pub scales: Scales,
}

/// The map of points of the world.
#[derive(Clone, Copy, Debug)]
pub(super) struct Affine {
    pub turn: DMat3,
    pub shift: DVec3,
}

impl Affine {
    const IDENTITY: Self = Self { turn: DMat3::IDENTITY, shift: DVec3::ZERO };

    pub fn point(self, p: DVec3) -> DVec3 {
        self.turn * p + self.shift
    }
}

/// A joint with a name.
#[derive(Clone, Copy)]
pub(super) struct NamedJoint {
    pub container: usize,
    pub r#type: JointType,
    pub measure: Measure,
}

/// The scales of a spec. Bodies are numbered depth-first.
pub(super) struct Survey<'a> {
    pub containers: Vec<Container>,
    /// Container of each body's contents.
    pub bodies: Vec<usize>,
    /// Containers of each body's frames.
    pub frames: Vec<Vec<usize>>,
    /// Container of what holds each body.
    pub holders: Vec<usize>,
    /// Maps of the world in which its children stand, by its frames.
    pub world: Vec<Affine>,
    named: HashMap<(ObjType, &'a str), usize>,
    joints: HashMap<&'a str, NamedJoint>,
}

/// A quaternion; the identity where it is wrong, of which the compiler tells.
pub(super) fn turn(o: &Orientation, c: &Compiler) -> DQuat {
    frames::orientation(o, c).unwrap_or(DQuat::IDENTITY)
}

impl<'a> Survey<'a> {
    /// Goes through the tree. None if everything has the size in which it is written.
    pub fn of(spec: &'a Spec, diag: &mut Diagnostics) -> Option<Self> {
        let mut todo = vec![&spec.worldbody];
        let mut resizes = false;
        while let Some(b) = todo.pop() {
            resizes |= b.frames.iter().any(|f| !f.keeps_size());
            todo.extend(&b.bodies);
        }
        if !resizes {
            return None;
        }
        let mut survey = Self {
            containers: Vec::new(),
            bodies: Vec::new(),
            frames: Vec::new(),
            holders: Vec::new(),
            world: Vec::new(),
            named: HashMap::new(),
            joints: HashMap::new(),
        };
        let mut todo: Vec<(&Body, Option<usize>)> = vec![(&spec.worldbody, None)];
        while let Some((b, parent)) = todo.pop() {
            survey.body(b, parent, &spec.compiler, diag);
            let id = survey.bodies.len() - 1;
            todo.extend(b.bodies.iter().rev().map(|child| (child, Some(id))));
        }
        survey.world = world_maps(&spec.worldbody, &survey, &spec.compiler);
        Some(survey)
    }

    fn add(&mut self, outer: Option<usize>, scales: Scales) -> usize {
        let depth = outer.map_or(0, |o| self.containers[o].depth + 1);
        self.containers.push(Container { outer, depth, scales });
        self.containers.len() - 1
    }

    fn body(&mut self, b: &'a Body, parent: Option<usize>, c: &Compiler, diag: &mut Diagnostics) {
        let outer = parent.map(|p| self.container(p, b.frame));
        let scales = outer.map_or(Scales::ONE, |o| self.containers[o].scales.turned(turn(&b.orientation, c)));
        let own = self.add(outer, scales);
        let id = self.bodies.len();
        self.bodies.push(own);
        self.holders.push(outer.unwrap_or(own));
        self.frames.push(Vec::with_capacity(b.frames.len()));
        for (i, f) in b.frames.iter().enumerate() {
            let s = f.scale;
            let even = s.x == s.y && s.y == s.z;
            let positive = s.is_finite() && s.min_element() > 0.0;
            let mass = f.massscale.is_finite() && f.massscale >= 0.0;
            if !positive || !mass || (!even && f.scaling == Scaling::Similar) {
                let what = crate::messages::describe("frame", &f.name);
                diag.error(f.loc, format!("{what}: it cannot have such a scale")).help(
                    "factors are positive and finite, and those along the axes differ only under `geometry` scaling",
                );
            }
            let outer = f.parent.filter(|p| *p < i).map_or(own, |p| self.frames[id][p]);
            let scales = self.containers[outer].scales.inside(f, turn(&f.orientation, c));
            let frame = self.add(Some(outer), scales);
            self.frames[id].push(frame);
        }

        let mut name = |kind: ObjType, name: &'a str, place: usize| {
            if !name.is_empty() {
                self.named.insert((kind, name), place);
            }
        };
        let at = |frame: Option<usize>| frame.and_then(|f| self.frames[id].get(f).copied()).unwrap_or(own);
        name(ObjType::Body, &b.name, own);
        b.geoms.iter().for_each(|g| name(ObjType::Geom, &g.name, at(g.frame)));
        b.sites.iter().for_each(|s| name(ObjType::Site, &s.name, at(s.frame)));
        b.cameras.iter().for_each(|c| name(ObjType::Camera, &c.name, at(c.frame)));
        for j in b.joints.iter().filter(|j| !j.name.is_empty()) {
            let container = at(j.frame);
            let measure = measure(j, self.containers[container].scales);
            self.joints.insert(&j.name, NamedJoint { container, r#type: j.r#type, measure });
        }
    }

    /// Container of what is in a frame of a body, or directly in the body.
    pub fn container(&self, body: usize, frame: Option<usize>) -> usize {
        frame.and_then(|f| self.frames[body].get(f).copied()).unwrap_or(self.bodies[body])
    }

    /// Returns the scales in a frame of a body, or directly in the body.
    pub fn scales(&self, body: usize, frame: Option<usize>) -> Scales {
        self.containers[self.container(body, frame)].scales
    }

    /// The map of the world for what is in one of its frames.
    pub fn affine(&self, frame: Option<usize>) -> Affine {
        frame.and_then(|f| self.world.get(f).copied()).unwrap_or(Affine::IDENTITY)
    }

    /// Container of a body, geom, site or camera; the world's where there is no such name, of which the compiler tells.
    pub fn place(&self, kind: ObjType, name: &str) -> usize {
        let kind = if kind == ObjType::XBody { ObjType::Body } else { kind };
        self.named.get(&(kind, name)).copied().unwrap_or(0)
    }

    /// Returns the scales at a body (for its contents), geom, site or camera.
    pub fn at(&self, kind: ObjType, name: &str) -> Scales {
        self.containers[self.place(kind, name)].scales
    }

    /// A joint by name.
    pub fn joint(&self, name: &str) -> Option<NamedJoint> {
        self.joints.get(name).copied()
    }

    /// The innermost container that holds all of some.
    pub fn common(&self, places: impl Iterator<Item = usize>) -> usize {
        places
            .reduce(|mut a, mut b| {
                while a != b {
                    let (deeper, other) =
                        if self.containers[a].depth >= self.containers[b].depth { (a, b) } else { (b, a) };
                    (a, b) = (self.containers[deeper].outer.unwrap_or(0), other);
                }
                a
            })
            .unwrap_or(0)
    }
}

/// How a joint's coordinate changes. Free joints have none of their own.
pub(super) fn measure(j: &Joint, scales: Scales) -> Measure {
    match j.r#type {
        JointType::Slide => scales.distance(scales.map.along(frames::unit(j.axis).unwrap_or(DVec3::Z))),
        JointType::Hinge | JointType::Ball => scales.angle(),
        JointType::Free => Measure::ONE,
    }
}

/// For each frame of the world, where it takes the points of the world: with what is in it, they are stretched about
/// where it is, and it is moved itself by what is around it.
fn world_maps(world: &Body, survey: &Survey, c: &Compiler) -> Vec<Affine> {
    let written = frames::accumulate(&world.frames, c, |_, _| {});
    let mut moved: Vec<Pose> = Vec::with_capacity(written.len());
    for (i, f) in world.frames.iter().enumerate() {
        let parent = f.parent.filter(|p| *p < i);
        let pos = survey.scales(0, parent).map.apply(f.pos);
        let pose = Pose { pos, quat: turn(&f.orientation, c) };
        moved.push(parent.map_or(pose, |p| moved[p].then(pose)));
    }
    let map = |i: usize| {
        let axes = quat::to_mat_compiling(written[i].quat);
        let turn = match survey.scales(0, Some(i)).map {
            super::scales::ScaleMap::Uniform(s) => DMat3::from_diagonal(DVec3::splat(s)),
            super::scales::ScaleMap::Matrix(m) => axes * m * axes.transpose(),
        };
        Affine { turn, shift: moved[i].pos - turn * written[i].pos }
    };
    (0..written.len()).map(map).collect()
}
