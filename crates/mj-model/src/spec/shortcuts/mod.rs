//! MJCF's shortcuts for actuators: their parameters, and what they mean in general parameters.
//!
//! The methods stand for the functions `mjs_setTo…` of the reference, and the reader of MJCF uses them
//! for the elements of these names. They replace dynamics, gain, bias and the meaning of the control,
//! whatever these were before, and leave the transmission, gear and ranges as they are.

mod dcmotor;

pub use dcmotor::DcMotor;

use super::Actuator;
use crate::control::input::{POS, PRESSURE, VEL};
use crate::enums::*;
use std::f64::consts::PI;
use std::fmt;

/// Parameters of a shortcut that can't be: every problem with them.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))]
pub struct ShortcutError(pub Vec<ShortcutProblem>);

/// A parameter of a shortcut that can't be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShortcutProblem {
    /// The parameter, by the name of its attribute; empty: several together.
    pub parameter: &'static str,
    /// Problem.
    pub problem: String,
    /// Help: what a right value would be.
    pub help: Option<&'static str>,
}

impl fmt::Display for ShortcutProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.problem)?;
        self.help.map_or(Ok(()), |help| write!(f, " ({help})"))
    }
}

impl ShortcutProblem {
    pub(super) fn new(parameter: &'static str, problem: impl Into<String>) -> Self {
        Self { parameter, problem: problem.into(), help: None }
    }

    pub(super) fn help(self, help: &'static str) -> Self {
        Self { help: Some(help), ..self }
    }
}

/// An error, if there are any problems.
pub(super) fn refuse<const N: usize>(problems: [Option<ShortcutProblem>; N]) -> Result<(), ShortcutError> {
    let found: Vec<ShortcutProblem> = problems.into_iter().flatten().collect();
    if found.is_empty() { Ok(()) } else { Err(ShortcutError(found)) }
}

/// Damping of a servo.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ServoDamping {
    /// Damping coefficient, force per velocity, at least 0.
    Kv(f64),
    /// Ratio to critical damping, at least 0: the compiler makes a coefficient of it, with the mass that
    /// the actuator moves in the reference configuration.
    Ratio(f64),
}

impl Default for ServoDamping {
    fn default() -> Self {
        Self::Kv(0.0)
    }
}

impl ServoDamping {
    /// Third parameter of the bias: the sign tells a ratio from a coefficient.
    fn bias(self) -> f64 {
        match self {
            // Zero has no sign then.
            Self::Kv(kv) => 0.0 - kv,
            Self::Ratio(ratio) => ratio,
        }
    }

    fn check(self, element: &str) -> Option<ShortcutProblem> {
        match self {
            Self::Kv(kv) => not_negative("kv", kv, element),
            Self::Ratio(ratio) => not_negative("dampratio", ratio, element),
        }
    }
}

/// A position servo ([`Actuator::set_to_position`]) or one whose control is the velocity of the
/// setpoint ([`Actuator::set_to_intvelocity`]).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PositionServo {
    /// Gain, force per length.
    pub kp: f64,
    /// Damping.
    pub damping: ServoDamping,
    /// Time constant of a filter of the control, seconds; 0 or none: no filter.
    pub timeconst: Option<f64>,
    /// Scale of the target's range that sets the setpoint's; 0: the setpoint has its own.
    pub inheritrange: f64,
}

impl Default for PositionServo {
    fn default() -> Self {
        Self { kp: 1.0, damping: ServoDamping::default(), timeconst: None, inheritrange: 0.0 }
    }
}

/// A servo with proportional, derivative and integral terms ([`Actuator::set_to_pid`]).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pid {
    /// Gain, force per length.
    pub kp: f64,
    /// Damping.
    pub damping: ServoDamping,
    /// Gain of the integral, force per length and second.
    pub ki: f64,
    /// Greatest force of the integral; 0: no limit. Without `ki` it means nothing.
    pub imax: f64,
    /// Greatest rate of the setpoint; 0: no limit.
    pub slewmax: f64,
    /// Scale of the target's range that sets the setpoint's; 0: the setpoint has its own.
    pub inheritrange: f64,
    /// Bits of [`crate::control::input`]; 0: position and velocity.
    pub ctrlspec: i32,
}

impl Default for Pid {
    fn default() -> Self {
        Self {
            kp: 1.0,
            damping: ServoDamping::default(),
            ki: 0.0,
            imax: 0.0,
            slewmax: 0.0,
            inheritrange: 0.0,
            ctrlspec: 0,
        }
    }
}

/// A servo of an orientation ([`Actuator::set_to_orientation`]).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OrientationServo {
    /// Gain, torque per angle.
    pub kp: f64,
    /// Damping.
    pub damping: ServoDamping,
    /// 1: the control is an exponential map, 2: a quaternion, 0: an exponential map.
    pub ctrlspec: i32,
}

impl Default for OrientationServo {
    fn default() -> Self {
        Self { kp: 1.0, damping: ServoDamping::default(), ctrlspec: 0 }
    }
}

/// A pneumatic or hydraulic cylinder ([`Actuator::set_to_cylinder`]).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cylinder {
    /// Time constant of the pressure, seconds.
    pub timeconst: f64,
    /// Area of the piston.
    pub area: f64,
    /// Diameter of the piston, in place of its area.
    pub diameter: Option<f64>,
    /// Force without pressure: constant, per length, per velocity.
    pub bias: [f64; 3],
}

impl Default for Cylinder {
    fn default() -> Self {
        Self { timeconst: 1.0, area: 1.0, diameter: None, bias: [0.0; 3] }
    }
}

/// A muscle ([`Actuator::set_to_muscle`]); see the manual's "Muscles".
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Muscle {
    /// Time constants of activation and deactivation, seconds.
    pub timeconst: [f64; 2],
    /// Width of the smooth switch between them; 0: a sharp one.
    pub tausmooth: f64,
    /// Operating range, in units of the optimal length.
    pub range: [f64; 2],
    /// Peak active force at rest; negative: from `scale`.
    pub force: f64,
    /// Peak force is this by the acceleration that unit force gives, where `force` is negative.
    pub scale: f64,
    /// Least length at which there is active force, in units of the optimal length.
    pub lmin: f64,
    /// Greatest length at which there is active force, in units of the optimal length.
    pub lmax: f64,
    /// Velocity of shortening at which active force is zero, in optimal lengths a second.
    pub vmax: f64,
    /// Passive force at `lmax`, in units of peak force.
    pub fpmax: f64,
    /// Active force at the greatest velocity of lengthening, in units of peak force.
    pub fvmax: f64,
}

impl Default for Muscle {
    fn default() -> Self {
        Self {
            timeconst: [0.01, 0.04],
            tausmooth: 0.0,
            range: [0.75, 1.05],
            force: -1.0,
            scale: 200.0,
            lmin: 0.5,
            lmax: 1.6,
            vmax: 1.5,
            fpmax: 1.3,
            fvmax: 1.2,
        }
    }
}

fn not_negative(parameter: &'static str, value: f64, element: &str) -> Option<ShortcutProblem> {
    (value < 0.0).then(|| ShortcutProblem::new(parameter, format!("`{parameter}` of `{element}` cannot be negative")))
}

impl Actuator {
    /// Makes the actuator a motor: the force is the control.
    pub fn set_to_motor(&mut self) {
        self.start(GainType::Fixed, 0);
        self.gainprm[0] = 1.0;
    }

    /// Makes the actuator a position servo: force kp·(control − length) − kv·velocity, the control
    /// filtered where there is a time constant.
    ///
    /// # Errors
    /// If damping or time constant are negative, or the control has a range beside an inherited one.
    pub fn set_to_position(&mut self, servo: &PositionServo) -> Result<(), ShortcutError> {
        refuse([
            servo.damping.check("position"),
            not_negative("timeconst", servo.timeconst.unwrap_or(0.0), "position"),
            one_range("ctrlrange", servo.inheritrange, self.ctrlrange),
        ])?;
        self.start(GainType::Fixed, POS);
        self.servo(servo);
        if let Some(t) = servo.timeconst {
            self.dynprm[0] = t;
            self.dyntype = if t == 0.0 { DynType::None } else { DynType::FilterExact };
        }
        Ok(())
    }

    /// Makes the actuator a position servo whose control is the velocity of the setpoint, which is
    /// its activation. A time constant means nothing.
    ///
    /// # Errors
    /// If damping is negative, or the activation has a range beside an inherited one.
    pub fn set_to_intvelocity(&mut self, servo: &PositionServo) -> Result<(), ShortcutError> {
        refuse([servo.damping.check("intvelocity"), one_range("actrange", servo.inheritrange, self.actrange)])?;
        self.start(GainType::Fixed, VEL);
        self.servo(servo);
        self.dyntype = DynType::Integrator;
        Ok(())
    }

    fn servo(&mut self, servo: &PositionServo) {
        self.gainprm[0] = servo.kp;
        self.biastype = BiasType::Affine;
        self.biasprm[1] = -servo.kp;
        self.biasprm[2] = servo.damping.bias();
        self.inheritrange = servo.inheritrange;
    }

    /// Makes the actuator a velocity servo: force kv·(control − velocity).
    pub fn set_to_velocity(&mut self, kv: f64) {
        self.start(GainType::Fixed, VEL);
        self.gainprm[0] = kv;
        self.biastype = BiasType::Affine;
        self.biasprm[2] = -kv;
    }

    /// Makes the actuator a servo of an orientation: torque kp·log(q⁻¹ target) − kv·ω, on a ball joint
    /// or a site with a reference site.
    ///
    /// # Errors
    /// If damping is negative.
    pub fn set_to_orientation(&mut self, servo: &OrientationServo) -> Result<(), ShortcutError> {
        refuse([servo.damping.check("orientation")])?;
        self.start(GainType::So3, servo.ctrlspec);
        self.gainprm[0] = servo.kp;
        self.biastype = BiasType::So3;
        self.biasprm[1] = -servo.kp;
        self.biasprm[2] = servo.damping.bias();
        Ok(())
    }

    /// Makes the actuator a PID servo: force kp·(position − length) + kv·(velocity − its rate) + the
    /// integral's force + a force that is added, as far as these are among its controls.
    ///
    /// # Errors
    /// If damping or the setpoint's rate are negative, or the control has a range beside an inherited one.
    pub fn set_to_pid(&mut self, pid: &Pid) -> Result<(), ShortcutError> {
        refuse([
            pid.damping.check("pid"),
            not_negative("slewmax", pid.slewmax, "pid"),
            one_range("ctrlrange", pid.inheritrange, self.ctrlrange),
        ])?;
        self.start(GainType::Pid, pid.ctrlspec);
        self.biastype = BiasType::Affine;
        self.biasprm[1] = -pid.kp;
        self.biasprm[2] = pid.damping.bias();
        self.gainprm[0] = pid.ki;
        self.dynprm = [0.0; 10];
        self.dynprm[1] = pid.slewmax;
        if pid.ki != 0.0 {
            self.dynprm[0] = pid.imax;
        }
        let states = pid.ki != 0.0 || pid.slewmax != 0.0;
        self.dyntype = if states { DynType::Pid } else { DynType::None };
        self.inheritrange = pid.inheritrange;
        Ok(())
    }

    /// Makes the actuator a damper: force −kv·velocity·control, the control limited, which needs a range
    /// of values that aren't negative (`ctrlrange`).
    ///
    /// # Errors
    /// If the coefficient or an end of the control's range is negative.
    pub fn set_to_damper(&mut self, kv: f64) -> Result<(), ShortcutError> {
        refuse([not_negative("kv", kv, "damper"), self.negative_control("damper")])?;
        self.start(GainType::Affine, 0);
        self.gainprm[2] = -kv;
        self.ctrllimited = Tri::True;
        Ok(())
    }

    /// Makes the actuator a cylinder: force area·pressure + bias, the pressure being the control filtered.
    pub fn set_to_cylinder(&mut self, cylinder: &Cylinder) {
        self.start(GainType::Fixed, PRESSURE);
        self.dyntype = DynType::Filter;
        self.dynprm[0] = cylinder.timeconst;
        self.gainprm[0] = match cylinder.diameter {
            Some(d) if d >= 0.0 => PI / 4.0 * d * d,
            _ => cylinder.area,
        };
        self.biastype = BiasType::Affine;
        self.biasprm[..3].copy_from_slice(&cylinder.bias);
    }

    /// Makes the actuator a muscle.
    ///
    /// # Errors
    /// If `tausmooth` is negative.
    pub fn set_to_muscle(&mut self, muscle: &Muscle) -> Result<(), ShortcutError> {
        refuse([not_negative("tausmooth", muscle.tausmooth, "muscle")])?;
        let &Muscle { timeconst, tausmooth, range, force, scale, lmin, lmax, vmax, fpmax, fvmax } = muscle;
        self.start(GainType::Muscle, 0);
        self.gainprm[..9].copy_from_slice(&[range[0], range[1], force, scale, lmin, lmax, vmax, fpmax, fvmax]);
        self.biasprm = self.gainprm;
        self.dynprm[..3].copy_from_slice(&[timeconst[0], timeconst[1], tausmooth]);
        self.dyntype = DynType::Muscle;
        self.biastype = BiasType::Muscle;
        Ok(())
    }

    /// Makes the actuator an adhesive one: force gain·control on a body's contacts, the control limited,
    /// which needs a range of values that aren't negative (`ctrlrange`).
    ///
    /// # Errors
    /// If the gain or an end of the control's range is negative.
    pub fn set_to_adhesion(&mut self, gain: f64) -> Result<(), ShortcutError> {
        refuse([not_negative("gain", gain, "adhesion"), self.negative_control("adhesion")])?;
        self.start(GainType::Fixed, 0);
        self.gainprm[0] = gain;
        self.ctrllimited = Tri::True;
        Ok(())
    }

    /// Forgets the law of force that there was.
    pub(super) fn start(&mut self, gain: GainType, ctrlspec: i32) {
        let general = Actuator::default();
        self.shortcut = true;
        self.dyntype = general.dyntype;
        self.dynprm = general.dynprm;
        self.gaintype = gain;
        self.gainprm = [0.0; 10];
        self.biastype = BiasType::None;
        self.biasprm = [0.0; 10];
        self.ctrlspec = ctrlspec;
        self.actdim = general.actdim;
        self.actearly = general.actearly;
        // The reference forgets this even where it is given.
        self.actlimited = general.actlimited;
    }

    fn negative_control(&self, element: &str) -> Option<ShortcutProblem> {
        let negative = self.ctrlrange.is_some_and(|r| r[0] < 0.0 || r[1] < 0.0);
        negative.then(|| ShortcutProblem::new("ctrlrange", format!("the control of `{element}` cannot be negative")))
    }
}

/// A servo's range is given or taken from its target's, not both.
fn one_range(name: &'static str, inheritrange: f64, range: Option<[f64; 2]>) -> Option<ShortcutProblem> {
    let both = inheritrange > 0.0 && range.is_some_and(|r| r != [0.0; 2]);
    both.then(|| ShortcutProblem::new("inheritrange", format!("`inheritrange` and `{name}` cannot both be given")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spec::DcMotor;

    fn check(a: &Actuator, dynprm: &[f64], gainprm: &[f64], biasprm: &[f64]) {
        for (ours, theirs) in [(&a.dynprm, dynprm), (&a.gainprm, gainprm), (&a.biasprm, biasprm)] {
            let mut expected = [0.0; 10];
            expected[..theirs.len()].copy_from_slice(theirs);
            let close = ours.iter().zip(expected).all(|(x, y)| (x - y).abs() <= 1e-15 * y.abs());
            assert!(close, "{ours:?} is to be {expected:?}");
        }
    }

    /// As the reference's functions (4.0.0) set dynamics, gain and bias for the same arguments.
    #[test]
    fn general_parameters_are_the_references() {
        let mut a = Actuator::default();
        let filtered =
            PositionServo { kp: 3.0, damping: ServoDamping::Kv(0.5), timeconst: Some(0.1), ..Default::default() };
        a.set_to_position(&filtered).unwrap();
        check(&a, &[0.1], &[3.0], &[0.0, -3.0, -0.5]);
        assert_eq!((a.dyntype, a.gaintype, a.biastype), (DynType::FilterExact, GainType::Fixed, BiasType::Affine));

        let ratio = PositionServo { kp: 3.0, damping: ServoDamping::Ratio(0.5), ..Default::default() };
        a.set_to_position(&ratio).unwrap();
        check(&a, &[1.0], &[3.0], &[0.0, -3.0, 0.5]);
        assert_eq!(a.dyntype, DynType::None);

        a.set_to_intvelocity(&PositionServo { damping: ServoDamping::Kv(2.0), ..ratio }).unwrap();
        check(&a, &[1.0], &[3.0], &[0.0, -3.0, -2.0]);
        assert_eq!((a.dyntype, a.ctrlspec), (DynType::Integrator, 2));

        a.set_to_damper(3.0).unwrap();
        check(&a, &[1.0], &[0.0, 0.0, -3.0], &[]);
        assert_eq!((a.gaintype, a.biastype, a.ctrllimited), (GainType::Affine, BiasType::None, Tri::True));

        a.set_to_cylinder(&Cylinder { timeconst: 0.2, area: 2.0, diameter: Some(0.5), bias: [0.3, 0.0, 0.0] });
        check(&a, &[0.2], &[0.19634954084936207], &[0.3]);
        assert_eq!((a.dyntype, a.ctrlspec), (DynType::Filter, 32));

        a.set_to_muscle(&Muscle::default()).unwrap();
        let gain = [0.75, 1.05, -1.0, 200.0, 0.5, 1.6, 1.5, 1.3, 1.2];
        check(&a, &[0.01, 0.04], &gain, &gain);

        let integral = Pid {
            kp: 4.0,
            damping: ServoDamping::Kv(1.0),
            ki: 2.0,
            imax: 3.0,
            slewmax: 0.5,
            inheritrange: 0.5,
            ctrlspec: 3,
        };
        a.set_to_pid(&integral).unwrap();
        check(&a, &[3.0, 0.5], &[2.0], &[0.0, -4.0, -1.0]);
        assert_eq!((a.dyntype, a.gaintype, a.inheritrange), (DynType::Pid, GainType::Pid, 0.5));

        a.set_to_dcmotor(&DcMotor {
            motorconst: [0.1, 0.2],
            resistance: 2.0,
            saturation: [1.0, 0.0, 5.0],
            inductance: [0.01, 0.0],
            cogging: [0.1, 6.0, 0.2],
            controller: [1.0, 2.0, 3.0, 4.0, 5.0, 6.0],
            thermal: [1.0, 2.0, 0.0, 0.004, 25.0, 20.0],
            lugre: [1.0, 2.0, 3.0, 4.0, 5.0],
            ctrlspec: 9,
            ..Default::default()
        })
        .unwrap();
        check(
            &a,
            &[0.005, 5.0, 1.0, 2.0, 20.0, 1.0, 2.0, 4.0, 5.0],
            &[2.0, 0.14142135623730953, 0.004, 25.0, 1.0, 2.0, 3.0, 6.0],
            &[0.1, 6.0, 0.2, 3.0, 4.0, 5.0],
        );
        assert_eq!((a.forcelimited, a.forcerange), (Tri::True, Some([-1.0, 1.0])));

        a.set_to_dcmotor(&DcMotor { nominal: [12.0, 1.5, 300.0], ..Default::default() }).unwrap();
        check(&a, &[], &[0.32, 0.04], &[]);
    }
}
