//! One step with each integrator.

use crate::options::Integrator;
use crate::pipeline::Pipeline;
use mj_dynamics::{Transmissions, integrate_pos};
use mj_integrate::{Rates, Rk4Workspace, System, advance, rk4};
use mj_model::{Model, State};

impl Pipeline {
    /// Takes the state one time step on.
    pub fn step(&mut self, m: &Model, s: &mut State) {
        match self.options.integrator {
            Integrator::Rk4 => {
                let mut whole = Whole { m, s, p: self };
                whole.forward();
                rk4(m, &mut whole, &mut Rk4Workspace::default());
            }
            Integrator::Interleaved => self.interleaved(m, s),
            _ => {
                self.forward(m, s);
                self.euler(m, s);
            }
        }
    }

    /// The variants of Euler's method, once the velocity at the end of the step is known.
    fn euler(&mut self, m: &Model, s: &mut State) {
        let h = m.opt.timestep;
        let next = &self.solution.qacc;
        self.acc.clear();
        self.acc.extend(next.iter().zip(&s.qvel).map(|(a, b)| (a - b) / h));
        self.work.clear();
        let share = match self.options.integrator {
            Integrator::Explicit => 0.0,
            Integrator::Midpoint => 0.5,
            _ => 1.0,
        };
        self.work.extend(s.qvel.iter().zip(next).map(|(v, w)| (1.0 - share) * v + share * w));
        let rates = Rates { act_dot: &self.dynamics.smooth.actuation.act_dot, qacc: &self.acc, qvel: Some(&self.work) };
        advance(m, s, &self.dynamics.smooth.transmissions, rates);
    }

    /// Runge-Kutta's method on the smooth dynamics; the impulses of the step's start act on its end.
    fn interleaved(&mut self, m: &Model, s: &mut State) {
        let h = m.opt.timestep;
        self.prepare(m, s);
        let mut smooth = SmoothOnly { m, s, p: self };
        smooth.forward();
        rk4(m, &mut smooth, &mut Rk4Workspace::default());
        self.impulses_from(m, &s.qvel);
        // Positions have gone on with the smooth velocity; the impulses move them semi-implicitly.
        self.work.clear();
        self.work.extend(self.solution.qacc.iter().zip(&s.qvel).map(|(a, b)| a - b));
        integrate_pos(m, &mut s.qpos, &self.work, h);
        s.qvel.copy_from_slice(&self.solution.qacc);
    }
}

/// The whole pipeline as Runge-Kutta sees it, with (v' − v)/h for the acceleration.
struct Whole<'a> {
    m: &'a Model,
    s: &'a mut State,
    p: &'a mut Pipeline,
}

impl System for Whole<'_> {
    fn state(&mut self) -> &mut State {
        self.s
    }
    fn rates(&self) -> (&[f64], &[f64]) {
        (&self.p.acc, &self.p.dynamics.smooth.actuation.act_dot)
    }
    fn parts(&mut self) -> (&mut State, &Transmissions) {
        (self.s, &self.p.dynamics.smooth.transmissions)
    }
    fn forward(&mut self) {
        self.p.forward(self.m, self.s);
        let h = self.m.opt.timestep;
        let p = &mut *self.p;
        p.acc.clear();
        p.acc.extend(p.solution.qacc.iter().zip(&self.s.qvel).map(|(a, b)| (a - b) / h));
    }
}

/// The smooth dynamics as Runge-Kutta sees it. Its first stage is that of the state before the step.
struct SmoothOnly<'a> {
    m: &'a Model,
    s: &'a mut State,
    p: &'a mut Pipeline,
}

impl System for SmoothOnly<'_> {
    fn state(&mut self) -> &mut State {
        self.s
    }
    fn rates(&self) -> (&[f64], &[f64]) {
        (&self.p.dynamics.smooth.actuation.qacc_smooth, &self.p.dynamics.smooth.actuation.act_dot)
    }
    fn parts(&mut self) -> (&mut State, &Transmissions) {
        (self.s, &self.p.dynamics.smooth.transmissions)
    }
    fn forward(&mut self) {
        // A bad control counts as none.
        let _ = self.p.dynamics.forward(self.m, self.s);
    }
}
