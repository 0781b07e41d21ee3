//! PID control of actuators.

use mj_math::{MINVAL, real};
use mj_model::plugin::{ActuatorPlugin, ActuatorView, Config, ConfigError, Instance, PluginType};
use mj_model::{ActuatorId, DynType};

/// Gains and limits of a controller. Its activations are the integral of the error, if it has such a gain, and the last
/// setpoint, if that is limited.
#[derive(Debug)]
struct Pid {
    kp: f64,
    ki: f64,
    kd: f64,
    /// Greatest integral of the error.
    most: Option<f64>,
    /// Greatest rate of the setpoint.
    slew: Option<f64>,
}

pub(crate) fn plugin() -> PluginType {
    PluginType::new("mujoco.pid", &["kp", "ki", "kd", "imax", "slewmax"], |config: &Config| {
        let gain = |key| config.number(key).map(|x| x.unwrap_or(0.0));
        let (kp, ki, kd) = (gain("kp")?, gain("ki")?, gain("kd")?);
        // The limit is one of force.
        let most = config.number("imax")?.filter(|_| ki != 0.0).map(|force| force / ki);
        if most.is_some_and(|most| most < 0.0) {
            return Err(ConfigError::new("imax", "it must have the sign of `ki`"));
        }
        let slew = config.number("slewmax")?;
        if slew.is_some_and(|slew| slew < 0.0) {
            return Err(ConfigError::new("slewmax", "it must not be negative"));
        }
        Ok(Instance::actuator(Pid { kp, ki, kd, most, slew }))
    })
}

impl Pid {
    fn own_activations(&self) -> usize {
        usize::from(self.ki != 0.0) + usize::from(self.slew.is_some())
    }

    /// Setpoint: the control, or the last activation of the actuator's own dynamics, now or after the step.
    fn setpoint(&self, view: &ActuatorView, a: ActuatorId, next: Option<&[f64]>) -> f64 {
        let (m, s) = (view.model, view.state);
        let mut setpoint = if m.actuator.dyntype[a] == DynType::None {
            let c = mj_model::ControlId::new(m.actuator.ctrladr[a] as usize);
            clip(s.ctrl[c.index()], m.control.ctrllimited[c], m.control.ctrlrange[c])
        } else {
            let i = (m.actuator.actadr[a] + m.actuator.actnum[a] as i32 - 1) as usize;
            next.map_or(s.act[i], |act_dot| next_activation(view, a, s.act[i], act_dot[i]))
        };
        if let Some(slew) = self.slew
            && s.time > 0.0
        {
            let before = s.act[m.actuator.actadr[a] as usize + usize::from(self.ki != 0.0)];
            let step = slew * m.opt.timestep;
            setpoint = clip(setpoint, true, [before - step, before + step]);
        }
        setpoint
    }

    /// Integral of the error after a time step at this error.
    fn integral(&self, view: &ActuatorView, a: ActuatorId, error: f64) -> f64 {
        let before = view.state.act[view.model.actuator.actadr[a] as usize];
        let integral = before + error * view.model.opt.timestep;
        self.most.map_or(integral, |most| clip(integral, true, [-most, most]))
    }
}

fn clip(x: f64, limited: bool, [low, high]: [f64; 2]) -> f64 {
    if !limited {
        x
    } else if x < low {
        low
    } else if x > high {
        high
    } else {
        x
    }
}

/// Activation of an actuator's own dynamics after a time step.
fn next_activation(view: &ActuatorView, a: ActuatorId, act: f64, act_dot: f64) -> f64 {
    let (t, h) = (&view.model.actuator, view.model.opt.timestep);
    let time = match t.dyntype[a] {
        DynType::FilterExact => {
            let tau = t.dynprm[a][0].max(MINVAL);
            tau * (1.0 - real::exp(-h / tau))
        }
        _ => h,
    };
    clip(act + act_dot * time, t.actlimited[a], t.actrange[a])
}

impl ActuatorPlugin for Pid {
    fn activations(&self, dyntype: DynType) -> Option<usize> {
        let filtered = matches!(dyntype, DynType::Filter | DynType::FilterExact | DynType::Integrator);
        Some(self.own_activations() + usize::from(filtered))
    }

    fn rates(&self, view: &ActuatorView, act_dot: &mut [f64]) {
        if self.own_activations() == 0 {
            return;
        }
        let (m, act) = (view.model, &view.state.act);
        for &a in view.actuators {
            let setpoint = self.setpoint(view, a, None);
            let error = setpoint - view.length[m.actuator.outadr[a] as usize];
            let mut i = m.actuator.actadr[a] as usize;
            if self.ki != 0.0 {
                act_dot[i] = (self.integral(view, a, error) - act[i]) / m.opt.timestep;
                i += 1;
            }
            if self.slew.is_some() {
                act_dot[i] = (setpoint - act[i]) / m.opt.timestep;
            }
        }
    }

    fn forces(&self, view: &ActuatorView, act_dot: &[f64], force: &mut [f64]) {
        let t = &view.model.actuator;
        for &a in view.actuators {
            let out = t.outadr[a] as usize;
            let setpoint = self.setpoint(view, a, t.actearly[a].then_some(act_dot));
            let error = setpoint - view.length[out];
            let rate = match t.dyntype[a] {
                DynType::None => 0.0,
                _ => act_dot[(t.actadr[a] + t.actnum[a] as i32 - 1) as usize],
            };
            let integral = if self.ki != 0.0 { self.integral(view, a, error) } else { 0.0 };
            force[out] = self.kp * error + self.kd * (rate - view.velocity[out]) + self.ki * integral;
        }
    }
}
