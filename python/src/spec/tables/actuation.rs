//! Fields of actuators and sensors.

use super::{Form, PluginMore, kinds};
use crate::spec::value::Shape;
use mj_model::spec::*;
use mj_model::{SensorType, Stage};

/// Parts of an actuator or a sensor that the engine's spec has no place for.
#[derive(Clone, Debug, Default)]
pub struct Actuated {
    /// Element that an actuator is written with (`mjtActuator`).
    pub r#type: i32,
    /// Use of a plugin.
    pub plugin: PluginMore,
}

/// An actuator.
pub type ActuatorForm = Form<Actuator, Actuated>;
/// A sensor.
pub type SensorForm = Form<Sensor, Actuated>;

impl ActuatorForm {
    /// Makes a form of an actuator.
    pub fn of(e: Actuator) -> Self {
        let more = Actuated { r#type: 0, plugin: PluginMore::of(&e.plugin) };
        Self { e, more, info: String::new() }
    }

    /// Returns the actuator.
    pub fn build(&self) -> Actuator {
        Actuator { plugin: self.more.plugin.plugin(), ..self.e.clone() }
    }
}

impl SensorForm {
    /// Makes a form of a sensor.
    pub fn of(mut e: Sensor) -> Self {
        if e.r#type != SensorType::User {
            e.needstage = Stage::Acc;
        }
        let more = Actuated { r#type: 0, plugin: PluginMore::of(&e.plugin) };
        Self { e, more, info: String::new() }
    }

    /// Returns the sensor.
    pub fn build(&self) -> Sensor {
        Sensor { plugin: self.more.plugin.plugin(), ..self.e.clone() }
    }
}

kinds! {
    ActuatorForm with plugin {
        "name" e.name;
        "type" more.r#type as Shape::Enum("mjtActuator");
        "gaintype" e.gaintype;
        "gainprm" e.gainprm;
        "biastype" e.biastype;
        "biasprm" e.biasprm;
        "dyntype" e.dyntype;
        "dynprm" e.dynprm;
        "actdim" e.actdim;
        "ctrlspec" e.ctrlspec;
        "velrange" e.velrange;
        "ffrange" e.ffrange;
        "actearly" e.actearly;
        "trntype" e.trntype;
        "gear" e.gear;
        "target" e.target;
        "refsite" e.refsite;
        "slidersite" e.slidersite;
        "cranklength" e.cranklength;
        "lengthrange" e.lengthrange;
        "inheritrange" e.inheritrange;
        "damping" e.damping;
        "armature" e.armature;
        "ctrllimited" e.ctrllimited;
        "ctrlrange" e.ctrlrange;
        "forcelimited" e.forcelimited;
        "forcerange" e.forcerange;
        "actlimited" e.actlimited;
        "actrange" e.actrange;
        "group" e.group;
        "nsample" e.nsample;
        "interp" e.interp;
        "delay" e.delay;
        "userdata" e.user;
        "info" info;
    }
    SensorForm with plugin {
        "name" e.name;
        "type" e.r#type;
        "objtype" e.objtype;
        "objname" e.objname;
        "reftype" e.reftype;
        "refname" e.refname;
        "intprm" e.intprm;
        "datatype" e.datatype;
        "needstage" e.needstage;
        "dim" e.dim;
        "cutoff" e.cutoff;
        "noise" e.noise;
        "nsample" e.nsample;
        "interp" e.interp;
        "delay" e.delay;
        "interval" e.interval;
        "userdata" e.user;
        "info" info;
    }
}
