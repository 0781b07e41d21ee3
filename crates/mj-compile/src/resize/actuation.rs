//! Actuators and sensors: their numbers have the units of what they act on and measure.

use super::elements::scale_all;
use super::relations::Tendons;
use super::scales::{Measure, Scales, mean};
use super::survey::Survey;
use crate::messages::describe;
use mj_model::control::input::{FF, POS, PRESSURE, VEL};
use mj_model::spec::{Actuator, Sensor};
use mj_model::*;
use std::collections::HashMap;

/// Factors of an actuator's controls, forces and activations.
#[derive(Clone, Copy, Debug)]
pub(super) struct Drive {
    /// Scale of its length, with the force along it.
    pub length: Measure,
    pressure: f64,
    ctrlspec: i32,
    gaintype: GainType,
}

impl Drive {
    /// Factors of what the inputs of an actuator's one control are, in the control and in what is a unit of it.
    fn single(&self) -> (f64, f64) {
        match self.ctrlspec {
            POS | VEL => (self.length.coordinate, self.length.unit),
            PRESSURE => (self.pressure, self.pressure),
            _ => (1.0, 1.0),
        }
    }

    /// Factors of the controls, in their order.
    pub fn controls(&self) -> impl Iterator<Item = f64> + use<> {
        let Self { length, ctrlspec, gaintype, .. } = *self;
        let several = [(POS, length.coordinate), (VEL, length.coordinate), (FF, length.force)];
        let is_several = matches!(gaintype, GainType::Pid | GainType::DcMotor);
        let one = (!is_several).then(|| self.single().0);
        one.into_iter()
            .chain(several.into_iter().filter(move |(bit, _)| is_several && ctrlspec & bit != 0).map(|(_, f)| f))
    }

    /// Factor of the activations.
    pub fn activation(&self) -> f64 {
        match self.gaintype {
            GainType::Pid => self.length.coordinate,
            GainType::DcMotor => 1.0,
            _ => self.single().0,
        }
    }
}

/// Rescales an actuator.
pub(super) fn actuator(a: &mut Actuator, survey: &Survey, tendons: &Tendons, diag: &mut Diagnostics) -> Drive {
    let (scales, length) = transmission(a, survey, tendons);
    let ctrlspec = match (a.gaintype, a.ctrlspec) {
        (GainType::Pid, 0) => POS | VEL,
        // Exponential maps and quaternions are angles, and have none.
        (GainType::So3, _) => 0,
        (_, spec) => spec,
    };
    let drive = Drive { length, pressure: scales.pressure(), ctrlspec, gaintype: a.gaintype };
    let opaque = a.gaintype == GainType::DcMotor
        || a.plugin.is_some()
        || a.gaintype == GainType::User
        || a.biastype == BiasType::User
        || a.dyntype == DynType::User;
    if opaque && !scales.keeps_units() {
        let what = describe("actuator", &a.name);
        diag.error(a.loc, format!("{what}: its parameters have units of their own, which cannot be scaled"))
            .help("scaling=\"geometry\" of the frame leaves forces and gains as they are");
    }

    let (control, unit) = drive.single();
    parameters(a, length, unit);
    let several = matches!(a.gaintype, GainType::Pid | GainType::DcMotor);
    let of_range = match several {
        true if ctrlspec & POS != 0 => length.coordinate,
        true => 1.0,
        false => control,
    };
    scale_all(a.ctrlrange.iter_mut(), of_range);
    scale_all(a.actrange.iter_mut(), drive.activation());
    scale_all(a.forcerange.iter_mut(), length.force);
    scale_all([&mut a.velrange, &mut a.lengthrange].into_iter(), length.coordinate);
    scale_all([&mut a.ffrange].into_iter(), length.force);
    a.cranklength *= scales.length();
    a.armature *= length.force / length.unit;
    length.coefficients(&mut a.damping);
    drive
}

/// Scales where an actuator acts, and change of its length. Gears for rotation, next to those for translation,
/// are lengths.
fn transmission(a: &mut Actuator, survey: &Survey, tendons: &Tendons) -> (Scales, Measure) {
    let mut mixed = |scales: Scales| {
        if a.gaintype == GainType::So3 || a.gear[..3] == [0.0; 3] {
            return scales.angle();
        }
        a.gear[3..].iter_mut().for_each(|g| *g *= scales.length());
        scales.distance(scales.length())
    };
    match a.trntype {
        TrnType::Joint | TrnType::JointInParent => match survey.joint(&a.target) {
            None => (Scales::ONE, Measure::ONE),
            Some(j) => {
                let scales = survey.containers[j.container].scales;
                (scales, if j.r#type == JointType::Free { mixed(scales) } else { j.measure })
            }
        },
        TrnType::Tendon => tendons.get(&a.target).copied().unwrap_or((Scales::ONE, Measure::ONE)),
        TrnType::Site | TrnType::So3 => {
            let scales = survey.at(ObjType::Site, &a.target);
            (scales, mixed(scales))
        }
        TrnType::SliderCrank => {
            let scales = survey.at(ObjType::Site, &a.target);
            (scales, scales.distance(scales.length()))
        }
        TrnType::Body => {
            let scales = survey.at(ObjType::Body, &a.target);
            (scales, scales.distance(scales.length()))
        }
        TrnType::Undefined => (Scales::ONE, Measure::ONE),
    }
}

/// Gain, bias and dynamics. `unit`: the factor of the unit of control.
fn parameters(a: &mut Actuator, length: Measure, unit: f64) {
    let per_length = length.force / length.unit;
    match a.gaintype {
        GainType::Fixed => a.gainprm[0] *= length.force / unit,
        GainType::Affine => {
            a.gainprm[0] *= length.force / unit;
            a.gainprm[1] *= per_length / unit;
            a.gainprm[2] *= per_length / unit;
        }
        GainType::Pid | GainType::So3 => a.gainprm[0] *= per_length,
        GainType::Muscle => {
            // A peak force below 0 follows from the muscle itself.
            let peak = |prm: &mut [f64; 10]| prm[2] *= if prm[2] > 0.0 { length.force } else { 1.0 };
            peak(&mut a.gainprm);
            if a.biastype == BiasType::Muscle {
                peak(&mut a.biasprm);
            }
            return;
        }
        GainType::DcMotor => {
            // Poles by length; speed at which friction has fallen; limits of the setpoint's rate and its integral.
            a.biasprm[1] /= length.coordinate;
            a.biasprm[5] *= length.coordinate;
            a.dynprm[7] *= length.coordinate;
            a.dynprm[8] *= length.coordinate;
            return;
        }
        GainType::User => {}
    }
    if a.dyntype == DynType::Pid {
        a.dynprm[0] *= length.coordinate;
        a.dynprm[1] *= length.coordinate;
    }
    if matches!(a.biastype, BiasType::Affine | BiasType::So3) {
        a.biasprm[0] *= length.force;
        a.biasprm[1] *= per_length;
        // A positive one is a damping ratio.
        if a.biasprm[2] < 0.0 {
            a.biasprm[2] *= per_length;
        }
    }
}

/// Rescales a sensor's cutoff and noise.
pub(super) fn sensor(
    s: &mut Sensor,
    survey: &Survey,
    tendons: &Tendons,
    drives: &HashMap<String, Drive>,
    diag: &mut Diagnostics,
) {
    use SensorType as T;
    let at = survey.at(s.objtype, &s.objname);
    let joint = survey.joint(&s.objname).map_or(Measure::ONE, |j| j.measure);
    let tendon = tendons.get(&s.objname).map_or(Measure::ONE, |t| t.1);
    let actuator = drives.get(&s.objname).map_or(Measure::ONE, |d| d.length);
    let between = mean(at.length(), survey.at(s.reftype, &s.refname).length());
    if s.r#type == T::Tactile && at != Scales::ONE {
        let what = describe("tactile sensor", &s.name);
        diag.error(s.loc, format!("{what}: what it feels with is scaled, but it measures by units of its own"))
            .help("take its geom out of frames with a scale");
    }
    let (cutoff, noise) = match s.r#type {
        // How far to look, which noise has no part in.
        T::GeomNormal => (between, 1.0),
        other => {
            let both = match other {
                T::Touch | T::Force => at.force(),
                T::Torque => at.torque(),
                T::SubtreeAngMom => at.torque(),
                T::Accelerometer | T::Velocimeter | T::Rangefinder => at.length(),
                T::FramePos | T::FrameLinVel | T::FrameLinAcc => at.length(),
                T::SubtreeCom | T::SubtreeLinVel => at.length(),
                T::JointPos | T::JointVel | T::JointLimitPos | T::JointLimitVel => joint.coordinate,
                T::JointActFrc | T::JointLimitFrc => joint.force,
                T::TendonPos | T::TendonVel | T::TendonLimitPos | T::TendonLimitVel => tendon.coordinate,
                T::TendonActFrc | T::TendonLimitFrc => tendon.force,
                T::ActuatorPos | T::ActuatorVel => actuator.coordinate,
                T::ActuatorFrc => actuator.force,
                T::GeomDist | T::GeomFromTo => between,
                // Angles, directions, times, and what mixes units.
                T::Gyro | T::Magnetometer | T::CamProjection | T::BallQuat | T::BallAngVel => 1.0,
                T::FrameQuat | T::FrameXAxis | T::FrameYAxis | T::FrameZAxis | T::FrameAngVel | T::FrameAngAcc => 1.0,
                T::InsideSite | T::Contact | T::GeomNormal | T::Clock | T::Tactile => 1.0,
                T::EPotential | T::EKinetic | T::Plugin | T::User => 1.0,
            };
            (both, both)
        }
    };
    s.cutoff *= cutoff;
    s.noise *= noise;
}
