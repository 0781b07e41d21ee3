//! Contacts of thin flexes by the augmented Lagrangian: frictionless, and without overlap.
//!
//! Each pair of features is kept at its standoff δ by a multiplier λ ≥ 0 and a stiffness k. With g the distance, linear about
//! places that are known to be free of overlap, a step minimizes besides its own cost
//!
//! ½ k min(g − δ − λ/k, 0)²,
//!
//! which is the cost of a one-sided constraint row in the acceleration over the step. After it, λ becomes λ − k (g − δ), or zero
//! where the pair doesn't push. Multipliers last from step to step by vertex, so that what rests on each other does so without
//! error.
//!
//! Li et al., arXiv:2512.12151 (2025), algorithm 1; the manual, "XML
//! reference: option/flag, ipc".

mod motion;

pub use motion::VertexMotion;

use crate::builder::RowWorkspace;
use crate::contact::fill;
use crate::flex;
use crate::rows::penalty::PASSIVE_CONTACT_FREQUENCY_SQUARED;
use mj_collide::continuous::{Gap, Obstacles, Pair, gap};
use mj_dynamics::{Chains, Poses};
use mj_math::{BlockRows, DVec3};
use mj_model::*;

/// A pair that never pushed is dropped when it is older.
const OLDEST_IDLE: i32 = 25;
/// A pair that pushed is dropped when it has not done so for longer.
const OLDEST_USED: i32 = 44;
/// A pair that pushed becomes softer when it has not done so for longer.
const FIRM: i32 = 6;
/// What is left of a pair's stiffness by each update in which it doesn't push.
const DECAY: f64 = 0.9;

/// Multipliers and ages of contacts by vertex, kept from one step to the next; no part of the state. nflexvert each.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ContactMemory {
    /// Greatest multiplier of the pairs that a vertex belongs to, N (`flexvert_lambda`).
    pub lambda: Vec<f64>,
    /// Number of updates since the vertex was last pushed; negative, if it was before (`flexvert_conage`).
    pub age: Vec<i32>,
}

impl ContactMemory {
    /// Makes the memory of vertices that were never in contact.
    pub fn new(m: &Model) -> Self {
        let n = m.flex_data.vertbodyid.len();
        Self { lambda: vec![0.0; n], age: vec![0; n] }
    }

    /// Forgets all contacts.
    pub fn clear(&mut self) {
        self.lambda.fill(0.0);
        self.age.fill(0);
    }

    /// Calls `f` with both under their names.
    pub fn visit(&self, f: &mut dyn FnMut(Field)) {
        let shape = || vec![self.lambda.len()];
        f(Field { name: "flexvert_lambda".into(), shape: shape(), data: Column::F64(self.lambda.clone()) });
        f(Field { name: "flexvert_conage".into(), shape: shape(), data: Column::I32(self.age.clone()) });
    }
}

/// A pair with its multiplier.
#[derive(Clone, Copy, Debug)]
struct Contact {
    pair: Pair,
    multiplier: f64,
    age: i32,
    /// Stiffness of the newest contact, N/m.
    stiffness: f64,
    /// Distance at rest.
    standoff: f64,
    gap: Gap,
}

impl Contact {
    /// The distance beyond the standoff, with the vertices at `at`, linear about `about`.
    fn clearance(&self, at: &[DVec3], about: &[DVec3]) -> f64 {
        let mut clearance = self.gap.distance - self.standoff;
        let mut weight = self.gap.weight.iter();
        self.pair.for_each_vertex(|v| {
            clearance += weight.next().unwrap_or(&0.0) * self.gap.normal.dot(at[v] - about[v]);
        });
        clearance
    }

    /// The stiffness that is left.
    fn softened(&self) -> f64 {
        self.stiffness * DECAY.powi(if self.age >= 0 { self.age } else { (-FIRM).saturating_sub(self.age).max(0) })
    }
}

/// The age after an update: of what was pushed, or not.
fn grown(age: i32, pushed: bool) -> i32 {
    match (pushed, age) {
        (true, 0) | (true, FIRM..) => 0,
        (true, _) => -1,
        (false, 0..) => age.saturating_add(1),
        (false, _) => age.saturating_sub(1),
    }
}

/// The pairs that a step resolves, and their rows.
#[derive(Clone, Debug, Default)]
pub struct AugmentedContacts {
    /// In the order of the pairs.
    contact: Vec<Contact>,
    /// Jacobian of the rows, in the acceleration over a step.
    pub jac: BlockRows,
    /// Their inverse regularization.
    pub d: Vec<f64>,
    /// Their reference acceleration.
    pub aref: Vec<f64>,
}

/// Places of vertices, world frame, nflexvert.
#[derive(Clone, Copy, Debug)]
pub struct Places<'a> {
    /// Free of overlap: distances are linear about them.
    pub free: &'a [DVec3],
    /// Where the step ends without acceleration.
    pub coasting: &'a [DVec3],
}

impl AugmentedContacts {
    /// Begins a step with pairs.
    pub fn begin(&mut self, pairs: &[Pair], motion: &VertexMotion, radius: &[f64], memory: &ContactMemory) {
        self.contact.clear();
        self.add(pairs.iter().copied(), motion, radius, memory);
    }

    /// Adds the pairs that are not present, with the greatest multiplier and the least age of their vertices.
    fn add(
        &mut self,
        pairs: impl Iterator<Item = Pair>,
        motion: &VertexMotion,
        radius: &[f64],
        memory: &ContactMemory,
    ) {
        let present = self.contact.len();
        for pair in pairs {
            if self.contact[..present].binary_search_by(|c| c.pair.cmp(&pair)).is_err() {
                self.contact.push(start(pair, motion, radius, memory));
            }
        }
        self.contact.sort_unstable_by_key(|c| c.pair);
        self.contact.dedup_by_key(|c| c.pair);
    }

    /// Takes all distances, and their derivatives, at places that are free of overlap.
    pub fn linearize(&mut self, obstacles: &Obstacles, free: &[DVec3]) {
        for c in &mut self.contact {
            c.gap = gap(&c.pair, obstacles, |v| free[v as usize]);
        }
    }

    /// Makes a row for each pair.
    pub fn make_rows(&mut self, m: &Model, chains: &Chains, poses: &Poses, places: Places<'_>, ws: &mut RowWorkspace) {
        let square = m.opt.timestep * m.opt.timestep;
        self.jac.clear(m.nv());
        self.d.clear();
        self.aref.clear();
        let mut carriers = std::mem::take(&mut ws.carriers);
        for c in &self.contact {
            carriers.clear();
            let mut weight = c.gap.weight.iter();
            c.pair.for_each_vertex(|v| {
                let body = m.flex_data.vertbodyid[v].unwrap_or(BodyId::WORLD);
                carriers.push((body, *weight.next().unwrap_or(&0.0)));
            });
            flex::merge(chains, &carriers, ws);
            if ws.runs.is_empty() {
                continue;
            }
            let [x, y, z] = (c.gap.normal * square).to_array();
            let out = self.jac.push(1, &ws.runs);
            let wrench = [[0.0], [0.0], [0.0], [x], [y], [z]];
            fill(m, chains, poses, &carriers, DVec3::ZERO, &ws.runs, &wrench, out);
            self.d.push(c.softened() / square);
            self.aref.push(c.multiplier / c.stiffness - c.clearance(places.coasting, places.free));
        }
        ws.carriers = carriers;
    }

    /// Updates multipliers and ages, with the vertices where the rows' solution put them.
    pub fn update(&mut self, at: &[DVec3], free: &[DVec3], motion: &VertexMotion, memory: &mut ContactMemory) {
        memory.lambda.fill(0.0);
        for c in &mut self.contact {
            let clearance = c.clearance(at, free);
            let pushes = clearance <= c.multiplier / c.stiffness;
            c.multiplier = if pushes { c.multiplier - clearance * c.stiffness } else { 0.0 };
            c.age = grown(c.age, pushes);
            c.pair.for_each_vertex(|v| memory.lambda[v] = memory.lambda[v].max(c.multiplier));
        }
        for ((age, &lambda), _) in memory.age.iter_mut().zip(&memory.lambda).zip(&motion.resolved).filter(|(_, r)| **r)
        {
            *age = grown(*age, lambda > 0.0);
        }
    }

    /// Drops pairs that have not pushed for long, and adds others.
    pub fn renew(
        &mut self,
        pairs: impl Iterator<Item = Pair>,
        motion: &VertexMotion,
        radius: &[f64],
        memory: &ContactMemory,
    ) {
        let idle = |c: &Contact| c.age > OLDEST_IDLE || c.multiplier <= 0.0 && c.age < -OLDEST_USED;
        self.contact.retain(|c| !idle(c));
        self.add(pairs, motion, radius, memory);
    }
}

/// A pair at the start of its contact.
fn start(pair: Pair, motion: &VertexMotion, radius: &[f64], memory: &ContactMemory) -> Contact {
    let (mut multiplier, mut age, mut least) = (0.0f64, i32::MAX, f64::INFINITY);
    pair.for_each_vertex(|v| {
        multiplier = multiplier.max(memory.lambda[v]);
        age = age.min(memory.age[v]);
        if motion.mass[v] > 0.0 {
            least = least.min(motion.mass[v]);
        }
    });
    // Where nothing can move, any stiffness will do.
    let stiffness = PASSIVE_CONTACT_FREQUENCY_SQUARED * if least.is_finite() { least } else { 1e-9 };
    Contact { pair, multiplier, age, stiffness, standoff: pair.standoff(radius), gap: Gap::default() }
}
