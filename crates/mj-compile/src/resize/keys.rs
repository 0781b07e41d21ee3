//! Keyframes: states are written in the units of their elements, and places in the world move with their frames.

use super::Resized;
use super::actuation::Drive;
use super::survey::{Affine, Survey, measure};
use mj_math::DVec3;
use mj_model::Model;
use mj_model::spec::{Body, Key};
use mj_model::{JointType, Spec};

/// How the numbers of states change.
#[derive(Debug, Default)]
pub(super) struct States {
    /// Of joints, in the order of the model.
    joints: Vec<Coordinates>,
    /// Of mocap bodies, in the order of the model.
    mocaps: Vec<Affine>,
    /// Scales of actuators.
    pub drives: Vec<Drive>,
    /// Scales of the lengths of tendons.
    pub tendons: Vec<f64>,
}

/// How a joint's coordinates change.
#[derive(Debug)]
enum Coordinates {
    /// Angles: not at all.
    Angles,
    /// By a factor.
    Length(f64),
    /// Scaled as points of the world.
    Point(Affine),
}

impl States {
    /// Finds the changes of the joints and mocap bodies of a spec.
    pub fn of(spec: &Spec, survey: &Survey) -> Self {
        let mut states = Self::default();
        let mut todo: Vec<(&Body, Option<usize>)> = vec![(&spec.worldbody, None)];
        let mut id = 0;
        while let Some((b, parent)) = todo.pop() {
            // What has a place of its own in the world is a child of the world.
            let place = survey.affine(b.frame.filter(|_| parent == Some(0)));
            if b.mocap {
                states.mocaps.push(place);
            }
            states.joints.extend(b.joints.iter().map(|j| match j.r#type {
                JointType::Free => Coordinates::Point(place),
                JointType::Slide => Coordinates::Length(measure(j, survey.scales(id, j.frame)).coordinate),
                JointType::Hinge | JointType::Ball => Coordinates::Angles,
            }));
            todo.extend(b.bodies.iter().rev().map(|child| (child, Some(id))));
            id += 1;
        }
        states
    }
}

impl Resized {
    /// A keyframe in the sizes of the model. What it leaves out (NaN, or at the end) stays so.
    pub fn key(&self, k: &Key, m: &Model) -> Key {
        let mut k = k.clone();
        let states = &self.states;
        for (j, coordinates) in m.jnt.ids().zip(&states.joints) {
            let (q, v) = (m.jnt.qposadr[j] as usize, m.jnt.dofadr[j].index());
            match coordinates {
                Coordinates::Angles => {}
                Coordinates::Length(factor) => {
                    scale(&mut k.qpos, q, 1, *factor);
                    scale(&mut k.qvel, v, 1, *factor);
                    if let Ok(at) = usize::try_from(m.jnt.plasticadr[j]) {
                        scale(&mut k.plastic, at, 1, *factor);
                    }
                }
                Coordinates::Point(place) => {
                    place_at(&mut k.qpos, q, |p| place.point(p));
                    place_at(&mut k.qvel, v, |p| place.turn * p);
                }
            }
        }
        for (i, place) in states.mocaps.iter().enumerate() {
            place_at(&mut k.mpos, 3 * i, |p| place.point(p));
        }
        for (t, factor) in m.tendon.ids().zip(&states.tendons) {
            if let Ok(at) = usize::try_from(m.tendon.plasticadr[t]) {
                scale(&mut k.plastic, at, 2, *factor);
            }
        }
        for (a, drive) in m.actuator.ids().zip(&states.drives) {
            let at = m.actuator.ctrladr[a] as usize;
            let count = m.actuator.ctrlnum[a] as usize;
            drive.controls().take(count).enumerate().for_each(|(i, f)| scale(&mut k.ctrl, at + i, 1, f));
            if let Ok(at) = usize::try_from(m.actuator.actadr[a]) {
                scale(&mut k.act, at, m.actuator.actnum[a] as usize, drive.activation());
            }
        }
        k
    }
}

/// Scales numbers from a place on, as far as they are given.
fn scale(x: &mut [f64], from: usize, count: usize, factor: f64) {
    x.iter_mut().skip(from).take(count).for_each(|x| *x *= factor);
}

/// Moves a point, if it is given.
fn place_at(x: &mut [f64], from: usize, to: impl Fn(DVec3) -> DVec3) {
    if let Some(p) = x.get_mut(from..from + 3) {
        to(DVec3::from_slice(p)).write_to_slice(p);
    }
}
