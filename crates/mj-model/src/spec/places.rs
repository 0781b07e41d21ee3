//! Where elements have their numbers in the state, and so in keyframes: what keeps keyframes right
//! when the tree changes.

use super::{Body, Key};
use crate::enums::{DynType, JointType};
use crate::spec::document::Spec;

/// Where an element's numbers stand in the state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// First number and count in `qpos`.
    pub qpos: (usize, usize),
    /// First number and count in `qvel`.
    pub qvel: (usize, usize),
    /// First number and count in `act`.
    pub act: (usize, usize),
    /// First number and count in `ctrl`.
    pub ctrl: (usize, usize),
    /// Row among mocap bodies.
    pub mocap: Option<usize>,
}

/// The sizes of a state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StateSizes {
    /// Numbers in `qpos`.
    pub qpos: usize,
    /// Numbers in `qvel`.
    pub qvel: usize,
    /// Numbers in `act`.
    pub act: usize,
    /// Numbers in `ctrl`.
    pub ctrl: usize,
    /// Mocap bodies.
    pub mocap: usize,
}

impl JointType {
    /// Numbers in `qpos` and in `qvel`.
    pub const fn sizes(self) -> (usize, usize) {
        match self {
            Self::Free => (7, 6),
            Self::Ball => (4, 3),
            Self::Slide | Self::Hinge => (1, 1),
        }
    }
}

/// Calls `f` with every element that has a state: its tag, and its place. The sizes of the state.
///
/// ```
/// use mj_model::Spec;
/// use mj_model::spec::{Body, Joint, each_place};
///
/// let mut spec = Spec::default();
/// let joints = vec![Joint::default(), Joint::default()];
/// spec.worldbody.bodies.push(Body { joints, ..Default::default() });
/// // Gives each element a number of its own, and tells where its positions begin.
/// let (mut count, mut begins) = (0, Vec::new());
/// let sizes = each_place(&mut spec, |tag, place| {
///     count += 1;
///     *tag = count;
///     begins.push(place.qpos.0);
/// });
/// assert_eq!((sizes.qpos, begins), (2, vec![0, 1]));
/// assert_eq!(spec.worldbody.bodies[0].joints[1].tag, 2);
/// ```
pub fn each_place(spec: &mut Spec, mut f: impl FnMut(&mut u32, Place)) -> StateSizes {
    fn body(b: &mut Body, at: &mut StateSizes, f: &mut dyn FnMut(&mut u32, Place)) {
        if b.mocap {
            f(&mut b.tag, Place { mocap: Some(at.mocap), ..Default::default() });
            at.mocap += 1;
        }
        for j in &mut b.joints {
            let (nq, nv) = j.r#type.sizes();
            f(&mut j.tag, Place { qpos: (at.qpos, nq), qvel: (at.qvel, nv), ..Default::default() });
            at.qpos += nq;
            at.qvel += nv;
        }
        for child in &mut b.bodies {
            body(child, at, f);
        }
    }
    let mut at = StateSizes::default();
    body(&mut spec.worldbody, &mut at, &mut f);
    for a in &mut spec.actuators {
        let by_type = usize::from(a.dyntype != DynType::None);
        let na = usize::try_from(a.actdim).ok().filter(|n| *n > 0).unwrap_or(by_type);
        f(&mut a.tag, Place { act: (at.act, na), ctrl: (at.ctrl, 1), ..Default::default() });
        at.act = at.act.saturating_add(na);
        at.ctrl += 1;
    }
    at
}

impl StateSizes {
    /// The parts of a keyframe with the numbers that each needs.
    pub fn parts(self, key: &mut Key) -> [(&'static str, &mut Vec<f64>, usize); 6] {
        [
            ("qpos", &mut key.qpos, self.qpos),
            ("qvel", &mut key.qvel, self.qvel),
            ("act", &mut key.act, self.act),
            ("ctrl", &mut key.ctrl, self.ctrl),
            ("mpos", &mut key.mpos, 3 * self.mocap),
            ("mquat", &mut key.mquat, 4 * self.mocap),
        ]
    }

    /// A keyframe of a model of these sizes: each element that the pairs of places tell has the
    /// numbers that it has in another one, and the others are the reset state's (NaN).
    pub fn remap(self, source: &Key, name: String, moves: impl Iterator<Item = (Place, Place)>) -> Key {
        let mut source = source.clone();
        let mut key = Key { name, time: source.time, loc: source.loc, ..Default::default() };
        for ((_, given, _), (_, out, n)) in self.parts(&mut source).into_iter().zip(self.parts(&mut key)) {
            if !given.is_empty() {
                out.resize(n, f64::NAN);
            }
        }
        for (from, to) in moves {
            copy(&source.qpos, &mut key.qpos, from.qpos.0, to.qpos.0, to.qpos.1);
            copy(&source.qvel, &mut key.qvel, from.qvel.0, to.qvel.0, to.qvel.1);
            copy(&source.act, &mut key.act, from.act.0, to.act.0, to.act.1);
            copy(&source.ctrl, &mut key.ctrl, from.ctrl.0, to.ctrl.0, to.ctrl.1);
            if let (Some(from), Some(to)) = (from.mocap, to.mocap) {
                copy(&source.mpos, &mut key.mpos, 3 * from, 3 * to, 3);
                copy(&source.mquat, &mut key.mquat, 4 * from, 4 * to, 4);
            }
        }
        key
    }
}

fn copy(source: &[f64], out: &mut [f64], from: usize, to: usize, n: usize) {
    if let (Some(source), Some(out)) = (source.get(from..from + n), out.get_mut(to..to + n)) {
        out.copy_from_slice(source);
    }
}
