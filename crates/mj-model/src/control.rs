//! How many controls, outputs and activations an actuator has: the compiler goes by it, and so does the check of
//! binary models.

use crate::enums::{DynType, GainType};

/// Bits of `actuator_ctrlspec`: what the controls of an actuator are, in this order.
pub mod input {
    /// A setpoint of position.
    pub const POS: i32 = 1;
    /// A setpoint of velocity.
    pub const VEL: i32 = 2;
    /// A force that is added.
    pub const FF: i32 = 4;
    /// A voltage.
    pub const VOLTAGE: i32 = 8;
    /// No control at all.
    pub const NONE: i32 = 16;
    /// A pressure.
    pub const PRESSURE: i32 = 32;
    /// Those of a controller.
    pub const CONTROLLER: i32 = POS | VEL | FF;
    /// Exponential map, of an orientation servo.
    pub const EXPMAP: i32 = 1;
    /// Quaternion, of an orientation servo.
    pub const QUAT: i32 = 2;
}

/// Returns the name of control `k` of an actuator (`mj_actuatorInputName`); none where its kind or its inputs give it none.
///
/// ```
/// use mj_model::GainType;
/// use mj_model::control::{input, input_name};
///
/// assert_eq!(input_name(GainType::Pid, input::POS | input::FF, 1), Some("ff"));
/// assert_eq!(input_name(GainType::So3, input::QUAT, 0), Some("qw"));
/// assert_eq!(input_name(GainType::Fixed, 0, 0), None);
/// ```
pub fn input_name(gaintype: GainType, ctrlspec: i32, k: usize) -> Option<&'static str> {
    const CONTROLLER: [(i32, &str); 4] =
        [(input::POS, "pos"), (input::VEL, "vel"), (input::FF, "ff"), (input::VOLTAGE, "voltage")];
    const DECLARED: [(i32, &str); 3] = [(input::POS, "pos"), (input::VEL, "vel"), (input::PRESSURE, "pressure")];
    let given = |list: &[(i32, &'static str)]| list.iter().filter(|(bit, _)| ctrlspec & bit != 0).nth(k).map(|x| x.1);
    match gaintype {
        GainType::So3 if ctrlspec == input::QUAT => ["qw", "qx", "qy", "qz"].get(k).copied(),
        GainType::So3 => ["rx", "ry", "rz"].get(k).copied(),
        GainType::Pid | GainType::DcMotor => given(&CONTROLLER),
        GainType::Fixed | GainType::Affine => given(&DECLARED),
        _ => None,
    }
}

/// Which activations a DC motor has, each by its place after the motor's first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MotorStates {
    /// Setpoint whose rate is limited.
    pub slew: Option<u8>,
    /// Integral of the position's error.
    pub integral: Option<u8>,
    /// Temperature above the ambient one.
    pub temperature: Option<u8>,
    /// Deflection of the bristles.
    pub bristle: Option<u8>,
    /// Current.
    pub current: Option<u8>,
    /// How many there are.
    pub count: u8,
}

impl MotorStates {
    /// States that a motor's parameters ask for.
    #[inline(always)]
    pub fn of(gainprm: &[f64; 10], dynprm: &[f64; 10]) -> Self {
        let mut count = 0;
        let mut next = |present: bool| {
            count += u8::from(present);
            present.then(|| count - 1)
        };
        Self {
            slew: next(dynprm[7] > 0.0),
            integral: next(gainprm[5] > 0.0),
            temperature: next(dynprm[2] > 0.0),
            bristle: next(dynprm[5] > 0.0),
            current: next(dynprm[0] > 0.0),
            count,
        }
    }
}

/// How many controls, outputs and activations an actuator has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sizes {
    /// Controls.
    pub controls: usize,
    /// Force outputs.
    pub outputs: usize,
    /// Activations; none: as many as the author says, at least one.
    pub activations: Option<usize>,
}

impl Sizes {
    /// Sizes that follow from an actuator's types, inputs and parameters.
    pub fn of(gaintype: GainType, dyntype: DynType, ctrlspec: i32, gainprm: &[f64; 10], dynprm: &[f64; 10]) -> Self {
        let inputs = (ctrlspec & (input::CONTROLLER | input::VOLTAGE)).count_ones() as usize;
        let (controls, outputs, activations) = match (gaintype, dyntype) {
            (GainType::So3, dynamics) => {
                let controls = if ctrlspec == input::QUAT { 4 } else { 3 };
                (controls, 3, Some(if dynamics == DynType::Integrator { 3 } else { 0 }))
            }
            (GainType::Pid, DynType::Pid) => {
                let states = usize::from(dynprm[1] > 0.0) + usize::from(gainprm[0] > 0.0);
                (inputs, 1, Some(states))
            }
            (GainType::Pid, _) => (inputs, 1, Some(0)),
            (GainType::DcMotor, _) => (inputs, 1, Some(usize::from(MotorStates::of(gainprm, dynprm).count))),
            (_, DynType::User) => (1, 1, None),
            (_, dynamics) => (1, 1, Some(usize::from(dynamics != DynType::None))),
        };
        Self { controls, outputs, activations }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sizes(gain: GainType, dynamics: DynType, inputs: i32) -> [usize; 3] {
        let mut on = [0.0; 10];
        (on[0], on[1], on[7]) = (1.0, 1.0, 1.0);
        let n = Sizes::of(gain, dynamics, inputs, &on, &on);
        [n.controls, n.outputs, n.activations.unwrap_or(99)]
    }

    #[test]
    fn sizes_follow_from_types_and_inputs() {
        use DynType as D;
        use GainType as G;
        use input::*;
        assert_eq!(sizes(G::Fixed, D::None, 0), [1, 1, 0]);
        assert_eq!(sizes(G::Affine, D::Filter, POS), [1, 1, 1]);
        assert_eq!(sizes(G::User, D::User, 0), [1, 1, 99]);
        assert_eq!(sizes(G::Pid, D::None, POS | FF), [2, 1, 0]);
        // A limited rate and an integral.
        assert_eq!(sizes(G::Pid, D::Pid, CONTROLLER), [3, 1, 2]);
        assert_eq!(sizes(G::So3, D::Integrator, EXPMAP), [3, 3, 3]);
        assert_eq!(sizes(G::So3, D::None, QUAT), [4, 3, 0]);
        // A limited rate and a current.
        assert_eq!(sizes(G::DcMotor, D::DcMotor, NONE), [0, 1, 2]);
        assert_eq!(sizes(G::DcMotor, D::DcMotor, VEL | VOLTAGE), [2, 1, 2]);
    }
}
