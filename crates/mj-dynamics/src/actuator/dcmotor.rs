//! DC motors: electrical dynamics, a controller of its own, heat, cogging and LuGre friction (the
//! manual's technical note on DC motors).
//!
//! | quantity | parameter |
//! | --- | --- |
//! | resistance R, motor constant K | gain 0, 1 |
//! | temperature coefficient of R, its reference temperature | gain 2, 3 |
//! | controller: kp, ki, kd, greatest voltage | gain 4 to 7 |
//! | electrical time constant, greatest rate of the current | dynamics 0, 1 |
//! | thermal resistance, capacitance, ambient temperature | dynamics 2, 3, 4 |
//! | bristles: stiffness σ₀, damping σ₁ | dynamics 5, 6 |
//! | greatest rate of the setpoint, greatest integral | dynamics 7, 8 |
//! | cogging: amplitude, poles, phase | bias 0, 1, 2 |
//! | friction: Coulomb, static, Stribeck velocity | bias 3, 4, 5 |

mod placed;

pub(crate) use placed::{PlacedMotor, add_mechanical_torques, torques};

use crate::actuator::servo::{self, Setpoints};
use mj_math::{MINVAL, real};
use mj_model::control::{MotorStates as States, input};
use mj_model::*;

/// A motor's parameters.
#[derive(Clone, Copy)]
pub(crate) struct Motor<'a> {
    gain: &'a [f64; 10],
    dynamics: &'a [f64; 10],
    bias: &'a [f64; 10],
    inputs: i32,
    pub states: States,
}

/// Coefficients of a motor's torque at a state.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Follows {
    /// Whether it follows what the controller wants, which the driver's limit ends.
    controller: bool,
    /// How much of a change of voltage the current takes up within the step.
    current: f64,
    /// Resistance, as warm as it is.
    resistance: f64,
}

impl<'a> Motor<'a> {
    // What a caller doesn't ask of the states isn't computed then.
    #[inline(always)]
    pub fn new(m: &'a Model, a: ActuatorId) -> Self {
        Self::with_states(m, a, States::of(&m.actuator.gainprm[a], &m.actuator.dynprm[a]))
    }

    /// One whose states are known.
    #[inline(always)]
    fn with_states(m: &'a Model, a: ActuatorId, states: States) -> Self {
        let t = &m.actuator;
        Self { gain: &t.gainprm[a], dynamics: &t.dynprm[a], bias: &t.biasprm[a], inputs: t.ctrlspec[a], states }
    }

    /// Resistance at the temperature that the activations hold.
    #[inline]
    fn resistance(self, act: &[f64]) -> f64 {
        let [r, _, coefficient, reference, ..] = *self.gain;
        match self.states.temperature {
            Some(i) => r * (1.0 + coefficient * (act[i as usize] + self.dynamics[4] - reference)),
            None => r,
        }
    }

    /// Terminal voltage: that of the controller, within the driver's limits, and the one commanded.
    ///
    /// The controller wants a torque, τ = kp (u − l) + kd (u̇ − v) + ki ∫ + τ_ff, and makes up for the
    /// back-EMF: V = R τ/K + K v.
    fn voltage(self, ctrl: &[f64], act: &[f64], length: f64, velocity: f64) -> f64 {
        let u = Setpoints::unpack(ctrl, self.inputs);
        if !self.has_controller() {
            return u.voltage;
        }
        let wanted = self.wanted_voltage(&u, act, length, velocity);
        let most = self.most_voltage();
        wanted.clamp(-most, most) + u.voltage
    }

    /// What the controller wants of it.
    fn wanted_voltage(self, u: &Setpoints, act: &[f64], length: f64, velocity: f64) -> f64 {
        let [r, k, _, _, kp, ki, kd, ..] = *self.gain;
        let integral = self.states.integral.map_or(0.0, |i| act[i as usize]);
        let torque = kp * (u.position - length) + kd * (u.velocity - velocity) + ki * integral + u.feedforward;
        r / k * torque + k * velocity
    }

    /// What the driver lets the controller have.
    fn most_voltage(self) -> f64 {
        let limit = self.gain[7];
        if limit > 0.0 { limit } else { f64::INFINITY }
    }

    /// Returns the coefficients of the torque at given controls, activations and rates of these, over a step h.
    pub fn follows(self, h: f64, ctrl: &[f64], act: &[f64], rate: &[f64], length: f64, velocity: f64) -> Follows {
        let limit = self.dynamics[1];
        let at_limit = |i: u8| limit > 0.0 && rate[i as usize].abs() >= limit;
        let wanted = || self.wanted_voltage(&Setpoints::unpack(ctrl, self.inputs), act, length, velocity).abs();
        Follows {
            controller: self.has_controller() && wanted() < self.most_voltage(),
            current: if self.states.current.is_some_and(at_limit) { 0.0 } else { self.current_share(h) },
            resistance: self.resistance(act).max(MINVAL),
        }
    }

    /// Returns the coefficients of the torque where they are constant: no heat, no controller that may come to the driver's limit, no limited rate of current.
    pub fn always_follows(self, h: f64) -> Option<Follows> {
        let clipped = self.has_controller() && self.gain[7] > 0.0;
        let limited = self.states.current.is_some() && self.dynamics[1] > 0.0;
        (self.states.temperature.is_none() && !clipped && !limited).then(|| Follows {
            controller: self.has_controller(),
            current: self.current_share(h),
            resistance: self.gain[0].max(MINVAL),
        })
    }

    /// Rates of the activations; the first control becomes the one of limited rate.
    pub fn rates(self, h: f64, ctrl: &mut [f64], act: &[f64], length: f64, velocity: f64, rate: &mut [f64]) {
        let [time, current_rate, thermal_resistance, capacitance, ..] = *self.dynamics;
        let k = self.gain[1];
        let place = |state: Option<u8>| state.map(usize::from);
        if let (Some(i), Some(u)) = (place(self.states.slew), ctrl.first_mut()) {
            let limited = servo::limit_rate(*u, act[i], self.dynamics[7] * h);
            rate[i] = (limited - act[i]) / h;
            *u = limited;
        }
        if let (Some(i), Some(u)) = (place(self.states.integral), ctrl.first()) {
            rate[i] = servo::integral_rate(u - length, act[i], self.dynamics[8]);
        }
        let voltage = self.voltage(ctrl, act, length, velocity);
        let r = self.resistance(act);
        if let Some(i) = place(self.states.temperature) {
            let current = place(self.states.current).map_or((voltage - k * velocity) / r, |c| act[c]);
            rate[i] = (r * current * current - act[i] / thermal_resistance) / capacitance;
        }
        if let Some(i) = place(self.states.bristle) {
            rate[i] = velocity - self.bristle_decay(velocity) * act[i];
        }
        if let Some(i) = place(self.states.current) {
            rate[i] = ((voltage - k * velocity) / r - act[i]) / time;
            if current_rate > 0.0 {
                rate[i] = rate[i].clamp(-current_rate, current_rate);
            }
        }
    }

    /// σ₀|v|/g(v), the rate at which bristles give way; g goes from static to Coulomb friction.
    fn bristle_decay(self, velocity: f64) -> f64 {
        let [_, _, _, coulomb, stiction, stribeck, ..] = *self.bias;
        let ratio = velocity / stribeck.max(MINVAL);
        let g = coulomb + (stiction - coulomb) * real::exp(-ratio * ratio);
        self.dynamics[5] * velocity.abs() / g.max(MINVAL)
    }

    /// Activation number `i` a time step on: current and bristles exactly for constant input, the
    /// integral within its limits.
    pub fn next_activation(self, i: usize, act: f64, rate: f64, h: f64, velocity: f64) -> f64 {
        let is = |state: Option<u8>| state.is_some_and(|s| usize::from(s) == i);
        if is(self.states.current) {
            let time = self.dynamics[0].max(MINVAL);
            return act + rate * time * (1.0 - real::exp(-h / time));
        }
        if is(self.states.bristle) {
            let decay = self.bristle_decay(velocity);
            let left = real::exp(-decay * h);
            let gained = if decay > MINVAL { (1.0 - left) / decay } else { h };
            return left * act + gained * velocity;
        }
        let next = act + rate * h;
        let most = self.dynamics[8];
        if is(self.states.integral) && most > 0.0 { next.clamp(-most, most) } else { next }
    }

    /// Electrical torque: K times the current. A motor without electrical dynamics has the current
    /// (V − K v)/R at once.
    #[inline]
    pub fn torque(self, ctrl: &[f64], act: &[f64], next_current: f64, length: f64, velocity: f64) -> f64 {
        let k = self.gain[1];
        if self.states.current.is_some() {
            return k * next_current;
        }
        let gain = k / self.resistance(act).max(MINVAL);
        gain * self.voltage(ctrl, act, length, velocity) - gain * k * velocity
    }

    /// Derivative of the torque by the velocity, leaving out how the bristles' decay depends on it.
    pub fn slope(self, f: Follows) -> f64 {
        let [r, k, _, _, _, _, kd, ..] = *self.gain;
        // The controller makes up for the back-EMF, and damps; what it knows is the nominal resistance.
        let voltage = if f.controller { k - kd * r.max(MINVAL) / k } else { 0.0 };
        k * (voltage - k) * f.current / f.resistance + self.mechanical_slope()
    }

    /// Derivative of the torque by the length: the controller's, and that of cogging.
    pub fn stretch(self, f: Follows, length: f64) -> f64 {
        let [r, _, _, _, kp, ..] = *self.gain;
        let controller = if f.controller { -kp * r.max(MINVAL) * f.current / f.resistance } else { 0.0 };
        controller + self.mechanical_stretch(length)
    }

    /// Derivative by the velocity of what no limit of the motor's force touches: friction.
    pub fn mechanical_slope(self) -> f64 {
        -self.dynamics[6].max(0.0)
    }

    /// Returns the derivative of the mechanical torque by the length: cogging.
    pub fn mechanical_stretch(self, length: f64) -> f64 {
        let [amplitude, poles, phase, ..] = *self.bias;
        if amplitude == 0.0 { 0.0 } else { amplitude * poles * real::cos(poles * length + phase) }
    }

    /// Whether voltage comes from a controller of position, velocity or torque.
    fn has_controller(self) -> bool {
        self.inputs & (input::POS | input::VEL | input::FF) != 0
    }

    /// How much of a change of voltage the current follows within a step.
    fn current_share(self, h: f64) -> f64 {
        if self.states.current.is_some() { 1.0 - real::exp(-h / self.dynamics[0]) } else { 1.0 }
    }

    /// Mechanical torque, which no limit of the motor's force touches: cogging and friction.
    #[inline]
    pub fn mechanical_torque(self, act: &[f64], rate: &[f64], length: f64) -> f64 {
        let [amplitude, poles, phase, ..] = *self.bias;
        let cogging = if amplitude == 0.0 { 0.0 } else { amplitude * real::sin(poles * length + phase) };
        let friction = match self.states.bristle {
            Some(i) => self.dynamics[5] * act[i as usize] + self.dynamics[6] * rate[i as usize],
            None => 0.0,
        };
        cogging - friction
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BLANK: [f64; 10] = [0.0; 10];

    fn motor<'a>(gain: &'a [f64; 10], dynamics: &'a [f64; 10], bias: &'a [f64; 10], inputs: i32) -> Motor<'a> {
        Motor { gain, dynamics, bias, inputs, states: States::of(gain, dynamics) }
    }

    #[test]
    fn a_plain_motor_follows_ohms_law() {
        let gain = [2.0, 0.5, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0];
        let m = motor(&gain, &BLANK, &BLANK, input::VOLTAGE);
        assert_eq!(m.states.count, 0);
        // Stall torque K V/R, and none at the speed without load V/K.
        assert!((m.torque(&[12.0], &[], 0.0, 0.3, 0.0) - 3.0).abs() < 1e-12);
        assert!(m.torque(&[12.0], &[], 0.0, 0.3, 24.0).abs() < 1e-12);
    }

    #[test]
    fn a_controller_delivers_the_torque_that_it_wants() {
        let gain = [2.0, 0.5, 0.0, 0.0, 3.0, 0.0, 0.2, 0.0, 0.0, 0.0];
        let m = motor(&gain, &BLANK, &BLANK, input::POS | input::FF);
        let want = 3.0 * (1.0 - 0.4) + 0.2 * (0.0 - 0.7) + 0.1;
        assert!((m.torque(&[1.0, 0.1], &[], 0.0, 0.4, 0.7) - want).abs() < 1e-12);
    }

    /// Warm, within the driver's limit and beyond it.
    #[test]
    fn slopes_are_derivatives_of_the_torque() {
        let gain = [2.0, 0.06, 0.004, 25.0, 5.0, 0.0, 0.2, 24.0, 0.0, 0.0];
        let dynamics = [0.0, 0.0, 5.0, 20.0, 25.0, 0.0, 0.0, 0.0, 0.0, 0.0];
        let bias = [0.02, 6.0, 0.3, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0];
        let m = motor(&gain, &dynamics, &bias, input::POS);
        let act = [30.0];
        let torque = |u: f64, l: f64, v: f64| m.torque(&[u], &act, 0.0, l, v) + m.mechanical_torque(&act, &[0.0], l);
        for (u, controlled) in [(0.15, true), (2.0, false)] {
            let (l, v, d) = (0.1, 0.3, 1e-6);
            let f = m.follows(0.002, &[u], &act, &[0.0], l, v);
            assert_eq!(f.controller, controlled);
            let by_length = (torque(u, l + d, v) - torque(u, l - d, v)) / (2.0 * d);
            let by_velocity = (torque(u, l, v + d) - torque(u, l, v - d)) / (2.0 * d);
            assert!((m.stretch(f, l) - by_length).abs() < 1e-7, "{} against {by_length}", m.stretch(f, l));
            assert!((m.slope(f) - by_velocity).abs() < 1e-7, "{} against {by_velocity}", m.slope(f));
        }
        assert_eq!(m.always_follows(0.002), None);
    }

    /// In the steady state of sliding, bristles carry the Stribeck friction.
    #[test]
    fn friction_of_steady_sliding() {
        let (mut dynamics, mut bias) = (BLANK, BLANK);
        dynamics[5..7].copy_from_slice(&[20.0, 0.1]);
        bias[3..6].copy_from_slice(&[0.02, 0.03, 0.1]);
        let m = motor(&BLANK, &dynamics, &bias, input::VOLTAGE);
        let v = 0.05;
        let g = 0.02 + 0.01 * (-0.25f64).exp();
        let mut z = 0.0;
        for _ in 0..20_000 {
            z = m.next_activation(0, z, 0.0, 1e-3, v);
        }
        let mut rate = [0.0];
        m.rates(1e-3, &mut [], &[z], 0.0, v, &mut rate);
        assert!(rate[0].abs() < 1e-12);
        assert!((m.mechanical_torque(&[z], &rate, 0.0) + g).abs() < 1e-9);
    }

    #[test]
    fn an_exact_current_is_the_limit_of_small_steps() {
        let mut dynamics = BLANK;
        dynamics[0] = 0.01;
        let gain = [2.0, 0.5, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0];
        let m = motor(&gain, &dynamics, &BLANK, input::VOLTAGE);
        let rate = |act: f64| {
            let mut rate = [0.0];
            m.rates(0.005, &mut [12.0], &[act], 0.0, 1.0, &mut rate);
            rate[0]
        };
        let exact = m.next_activation(0, 0.3, rate(0.3), 0.005, 1.0);
        let mut act = 0.3;
        for _ in 0..100_000 {
            act += rate(act) * 0.005 / 1e5;
        }
        assert!((exact - act).abs() < 1e-4);
    }
}
