//! A simulated scene under one formulation of contact.

use mj_engine::{Data, Model, State, step};
use mj_impulse::{Options, Pipeline};
use mj_solver_complementarity::Complementarity;
use mj_solver_diagonal::Diagonal;

/// The formulations, by the name under which they are drawn.
pub const NAMES: [&str; 4] = ["convex", "complementarity", "diagonal", "velocity stepping"];

/// A state that goes on.
pub enum Simulation {
    /// The engine, with any solver.
    Forces(Box<Data>),
    /// Velocity stepping.
    Impulses(Box<Pipeline>, Box<State>),
}

impl Simulation {
    /// Begins in the model's reset state.
    pub fn new(m: &Model, name: &str) -> Result<Self, Box<dyn std::error::Error>> {
        if name == "velocity stepping" {
            let options = Options { iterations: 500, ..Options::default() };
            return Ok(Self::Impulses(Box::new(Pipeline::new(m, options)?), Box::new(State::new(m))));
        }
        let mut d = Box::new(Data::new(m)?);
        d.solver = match name {
            "complementarity" => Some(Box::new(Complementarity::default())),
            "diagonal" => Some(Box::new(Diagonal::default())),
            _ => None,
        };
        Ok(Self::Forces(d))
    }

    /// The state, to look at or change.
    pub fn state(&mut self) -> &mut State {
        match self {
            Self::Forces(d) => &mut d.state,
            Self::Impulses(_, s) => s,
        }
    }

    /// One time step.
    pub fn step(&mut self, m: &Model) {
        match self {
            Self::Forces(d) => step(m, d).expect("data of this model"),
            Self::Impulses(p, s) => p.step(m, s),
        }
    }
}
