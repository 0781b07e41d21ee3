//! Attributes of an actuator, before its shortcut turns them into general parameters.

use mj_model::DynType;
use mj_model::spec::{Actuator, DcMotor, Plugin};

/// An actuator with what its shortcut's own attributes say.
#[derive(Default)]
pub(crate) struct Form {
    pub a: Actuator,
    pub kp: Option<f64>,
    pub kv: Option<f64>,
    pub dampratio: Option<f64>,
    pub ki: Option<f64>,
    pub imax: Option<f64>,
    pub slewmax: Option<f64>,
    pub posrange: Option<[f64; 2]>,
    pub dc: DcMotor,
    pub timeconst: Option<f64>,
    pub area: Option<f64>,
    pub diameter: Option<f64>,
    pub bias: Option<[f64; 3]>,
    pub gain: Option<f64>,
    pub inheritrange: Option<f64>,
    pub muscle: Muscle,
    pub plugin: Plugin,
}

/// A muscle's own attributes.
#[derive(Default)]
pub(crate) struct Muscle {
    pub timeconst: Option<[f64; 2]>,
    pub tausmooth: Option<f64>,
    pub range: Option<[f64; 2]>,
    pub force: Option<f64>,
    pub scale: Option<f64>,
    pub lmin: Option<f64>,
    pub lmax: Option<f64>,
    pub vmax: Option<f64>,
    pub fpmax: Option<f64>,
    pub fvmax: Option<f64>,
}

/// Parameters that a shortcut takes from a prototype; by default, from the general one.
pub(crate) struct Parameters {
    pub dyntype: DynType,
    pub dynprm: [f64; 10],
    pub gainprm: [f64; 10],
    pub biasprm: [f64; 10],
    pub inheritrange: f64,
}

impl Parameters {
    pub fn of(a: &Actuator) -> Self {
        Self {
            dyntype: a.dyntype,
            dynprm: a.dynprm,
            gainprm: a.gainprm,
            biasprm: a.biasprm,
            inheritrange: a.inheritrange,
        }
    }
}

impl Default for Parameters {
    fn default() -> Self {
        Self::of(&Actuator::default())
    }
}
