//! DC motors: their parameters, and what they mean in general parameters.

use super::{ShortcutError, ShortcutProblem, refuse};
use crate::control::input::{NONE, VOLTAGE};
use crate::enums::*;
use crate::spec::Actuator;

/// A DC motor ([`Actuator::set_to_dcmotor`]); zeros stand for what is not given.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct DcMotor {
    /// Constants of torque (torque per current) and of back-EMF (voltage per angular velocity).
    pub motorconst: [f64; 2],
    /// Resistance of the winding.
    pub resistance: f64,
    /// Nominal voltage, stall torque, speed without load.
    pub nominal: [f64; 3],
    /// Greatest torque, current, rate of current.
    pub saturation: [f64; 3],
    /// Inductance, electrical time constant.
    pub inductance: [f64; 2],
    /// Cogging: amplitude, number of poles, phase.
    pub cogging: [f64; 3],
    /// Controller: kp, ki, kd, greatest rate of the setpoint, greatest integral, greatest voltage.
    pub controller: [f64; 6],
    /// Thermal resistance, capacitance, time constant, coefficient, reference and ambient temperature.
    pub thermal: [f64; 6],
    /// LuGre friction: stiffness and damping of the bristles, Coulomb and static friction, Stribeck velocity.
    pub lugre: [f64; 5],
    /// Bits of [`crate::control::input`]; 0: the voltage.
    pub ctrlspec: i32,
}

impl DcMotor {
    /// The motor's constant and resistance, from what of them is given, with linear damping of the shaft.
    fn constants(&self, damping: f64) -> (f64, f64) {
        let [torque_const, emf_const] = self.motorconst;
        let k = match (torque_const, self.emf_const_or_nominal(emf_const, damping)) {
            (t, e) if t > 0.0 && e > 0.0 => (t * e).sqrt(),
            (t, _) if t > 0.0 => t,
            (_, e) => e,
        };
        let [voltage, stall, _] = self.nominal;
        let follows = self.resistance == 0.0 && voltage > 0.0 && stall > 0.0 && k > 0.0;
        (k, if follows { k * voltage / stall } else { self.resistance })
    }

    /// The back-EMF constant: given, or from the nominal operating point, at whose speed without load
    /// the motor works against its linear damping B alone, ω = V K / (K² + R B).
    fn emf_const_or_nominal(&self, given: f64, damping: f64) -> f64 {
        let [voltage, stall, speed] = self.nominal;
        if given > 0.0 || voltage <= 0.0 || speed <= 0.0 {
            return given;
        }
        let undamped = voltage / speed;
        if damping > 0.0 && self.resistance > 0.0 {
            let discriminant = voltage * voltage - 4.0 * self.resistance * damping * speed * speed;
            if discriminant > 0.0 { (voltage + discriminant.sqrt()) / (2.0 * speed) } else { undamped }
        } else if damping > 0.0 && stall > 0.0 {
            // The resistance follows from the stall torque: R = K V / τ.
            let exact = undamped - voltage * damping / stall;
            if exact > 0.0 { exact } else { undamped }
        } else {
            undamped
        }
    }

    /// Thermal resistance and capacitance, if there is a thermal model.
    fn heat(&self) -> Option<(f64, f64)> {
        let [resistance, capacitance, time, ..] = self.thermal;
        if resistance <= 0.0 && capacitance <= 0.0 && time <= 0.0 {
            return None;
        }
        Some(match (resistance > 0.0, capacitance > 0.0) {
            (true, _) if time > 0.0 => (resistance, time / resistance),
            (_, true) if time > 0.0 => (time / capacitance, capacitance),
            _ => (resistance, capacitance),
        })
    }

    /// Tells what is wrong with the parameters, or missing.
    fn check(&self, (k, resistance): (f64, f64), heat: Option<(f64, f64)>) -> Result<(), ShortcutError> {
        let wrong = |wrong: bool, parameter, problem| wrong.then(|| ShortcutProblem::new(parameter, problem));
        refuse([
            wrong(
                self.motorconst.iter().any(|k| *k < 0.0),
                "motorconst",
                "the constants of a motor cannot be negative",
            ),
            wrong(
                self.inductance.iter().any(|x| *x < 0.0),
                "inductance",
                "the inductance of a motor cannot be negative",
            ),
            wrong(k <= 0.0 && self.ctrlspec != NONE, "", "the constant of a motor must be positive")
                .map(|p| p.help("give `motorconst`, or `nominal` with voltage, stall torque and speed without load")),
            wrong(resistance <= 0.0, "", "the resistance of a motor must be positive")
                .map(|p| p.help("give `resistance`, or `nominal` with voltage, stall torque and speed without load")),
            wrong(
                heat.is_some_and(|(r, c)| r <= 0.0 || c <= 0.0),
                "thermal",
                "a motor's thermal model needs two of its first three numbers",
            )
            .map(|p| p.help("they are thermal resistance, capacitance and time constant")),
        ])
    }
}

impl Actuator {
    /// Makes the actuator a DC motor. Its linear damping, where it has any, counts for what follows from
    /// the nominal speed, so that it is to be set before.
    ///
    /// # Errors
    /// If constants or inductance are negative, or there is too little to find constant, resistance or
    /// thermal model from.
    pub fn set_to_dcmotor(&mut self, motor: &DcMotor) -> Result<(), ShortcutError> {
        let (k, resistance) = motor.constants(self.damping[0]);
        let heat = motor.heat();
        motor.check((k, resistance), heat)?;

        self.start(GainType::DcMotor, if motor.ctrlspec == 0 { VOLTAGE } else { motor.ctrlspec });
        self.dyntype = DynType::DcMotor;
        self.biastype = BiasType::DcMotor;
        self.dynprm = [0.0; 10];
        (self.actlimited, self.actearly) = (Tri::False, true);
        let [kp, ki, kd, slewmax, imax, vmax] = motor.controller;
        (self.gainprm[0], self.gainprm[1]) = (resistance, k);
        self.gainprm[4..7].copy_from_slice(&[kp, ki, kd]);
        if vmax > 0.0 {
            self.gainprm[7] = vmax;
        }
        self.dynprm[7..9].copy_from_slice(&[slewmax, imax]);
        let [inductance, time] = motor.inductance;
        self.dynprm[0] = if inductance > 0.0 { inductance / resistance } else { time };
        let [torque, current, rate] = motor.saturation;
        if rate > 0.0 {
            self.dynprm[1] = rate;
        }
        if let Some((thermal_resistance, capacitance)) = heat {
            let [.., coefficient, reference, ambient] = motor.thermal;
            self.dynprm[2..5].copy_from_slice(&[thermal_resistance, capacitance, ambient]);
            self.gainprm[2..4].copy_from_slice(&[coefficient, reference]);
        }
        self.biasprm[..3].copy_from_slice(&motor.cogging);
        if motor.lugre[0] > 0.0 {
            self.dynprm[5..7].copy_from_slice(&motor.lugre[..2]);
            self.biasprm[3..6].copy_from_slice(&motor.lugre[2..]);
        }
        if torque > 0.0 || current > 0.0 {
            let most = if torque == 0.0 { k * current } else { torque };
            (self.forcelimited, self.forcerange) = (Tri::True, Some([-most, most]));
        }
        Ok(())
    }
}
