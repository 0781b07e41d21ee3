//! Stiffness of elastic flexes: the slope of their forces by the positions of the dofs, negated, as far as it is positive
//! semidefinite.
//!
//! Elements and hinges make blocks between points in the world, which the points' Jacobians take to the dofs. Left out are
//! the change of the Jacobians, compression of edges, and bending of interpolated shells and of hinges that rest at an
//! angle (manual: Computation, "Numerical integration", `discrete`).

mod elements;
mod plan;
mod rods;

use crate::buffers::Flexes;
use crate::plan::FlexPlan;
use crate::rod::{RodStiffness, rod_stiffness};
use elements::Blocks;
use mj_dynamics::{BodyPoint, Chains, Poses};
use mj_math::{DMat3, DVec3, SparseSymmetric};
use mj_model::{Model, State, disable};
use plan::{StiffnessPlan, Target};
use rods::Twists;
use std::sync::Arc;

/// Memory for the blocks of the stiffness between points.
#[derive(Clone, Debug, Default)]
pub struct Stiffness {
    /// Found at the first step that needs it.
    plan: Option<Arc<StiffnessPlan>>,
    own: Vec<DMat3>,
    pair: Vec<DMat3>,
    /// Velocity of a point at unit velocity of each dof that moves it.
    motion: Vec<DVec3>,
    velocity: Vec<DVec3>,
    force: Vec<DVec3>,
    /// Stiffness of each vertex of a rod that bends.
    rods: Vec<RodStiffness>,
}

/// Additions to the effective inertia of a time step h by the stiffness K and the damping C of flexes.
pub struct StiffnessOutput<'a> {
    /// h²K + hC; is set.
    pub matrix: &'a mut SparseSymmetric,
    /// Values in the pattern of the inertia: the blocks of single points are added, as far as the pattern has them.
    pub blocks: &'a mut [f64],
    /// Stiffness of the twists of rods on the diagonal of the inertia is added, nv.
    pub added: &'a mut [f64],
    /// −hKv is added, nv.
    pub shift: &'a mut [f64],
}

impl Stiffness {
    /// Computes the stiffness of all flexes at a state.
    pub fn compute(
        &mut self,
        m: &Model,
        flex_plan: &FlexPlan,
        s: &State,
        (chains, poses): (&Chains, &Poses),
        flexes: &Flexes,
        out: StiffnessOutput<'_>,
    ) {
        let plan = self.plan.get_or_insert_with(|| StiffnessPlan::of(m)).clone();
        let plan = &*plan;
        if plan.parts.is_empty() {
            return;
        }
        let StiffnessOutput { matrix, blocks, added, shift } = out;
        if matrix.n() == plan.matrix.n() {
            matrix.clear()
        } else {
            matrix.clone_from(&plan.matrix)
        }
        self.own.clear();
        self.own.resize(plan.body.len(), DMat3::ZERO);
        self.pair.clear();
        self.pair.resize(plan.pairs.len(), DMat3::ZERO);
        self.find_motion(m, plan, (chains, poses), flexes);
        let h = m.opt.timestep;
        let springs = if m.opt.disabled(disable::SPRING) { 0.0 } else { h };
        let dampers = if m.opt.disabled(disable::DAMPER) { 0.0 } else { 1.0 };
        self.rods.clear();
        rod_stiffness(m, flex_plan, flexes, |r| self.rods.push(*r));
        rods::add_blocks(
            (&self.rods, flex_plan, plan),
            &mut Blocks { own: &mut self.own, pair: &mut self.pair },
            |row| row.stiffness,
        );
        for part in &plan.parts {
            let own = &mut self.own[part.points.start..];
            elements::add(m, s, flexes, part, &mut Blocks { own, pair: &mut self.pair });
            self.shift(plan, part, s, springs, shift);
            // The damping of rods is not that of their stiffness.
            let damping = if m.flex.dim[part.flex] == 1 { 0.0 } else { dampers * m.flex.damping[part.flex] };
            let scale = h * (springs + damping);
            self.own[part.points.clone()].iter_mut().for_each(|b| *b *= scale);
            self.pair[part.pairs.clone()].iter_mut().for_each(|b| *b *= scale);
        }
        rods::add_blocks(
            (&self.rods, flex_plan, plan),
            &mut Blocks { own: &mut self.own, pair: &mut self.pair },
            |row| h * (h * row.torsion + row.damping),
        );
        self.project(m, plan, matrix, blocks);
        Twists { matrix, inertia: blocks, added, shift }.add(m, s, &self.rods);
    }

    fn find_motion(&mut self, m: &Model, plan: &StiffnessPlan, (chains, poses): (&Chains, &Poses), flexes: &Flexes) {
        self.motion.clear();
        for part in &plan.parts {
            let (positions, first) = match m.flex.interp[part.flex] {
                0 => (&flexes.vert_xpos, m.flex.vertadr[part.flex]),
                _ => (&flexes.node_xpos, m.flex.nodeadr[part.flex]),
            };
            for (i, at) in part.points.clone().zip(&positions[first as usize..]) {
                let point = BodyPoint::new(m, chains, poses, plan.body[i], *at);
                self.motion.extend(plan.dofs(i).iter().map(|&d| point.motion(d as usize).lin));
            }
        }
    }

    /// Adds −hKv to the shift, given the blocks of K.
    fn shift(&mut self, plan: &StiffnessPlan, part: &plan::Part, s: &State, h: f64, shift: &mut [f64]) {
        let chain = |i: usize| plan.chain[i] as usize..plan.chain[i + 1] as usize;
        self.velocity.resize(plan.body.len(), DVec3::ZERO);
        self.force.resize(plan.body.len(), DVec3::ZERO);
        for i in part.points.clone() {
            let moved = self.motion[chain(i)].iter().zip(plan.dofs(i));
            self.velocity[i] = moved.map(|(motion, &d)| *motion * s.qvel[d as usize]).sum();
            self.force[i] = self.own[i] * self.velocity[i];
        }
        for k in part.pairs.clone() {
            let [i, j] = plan.pairs[k].map(|i| i as usize);
            self.force[i] += self.pair[k] * self.velocity[j];
            self.force[j] += self.pair[k].transpose() * self.velocity[i];
        }
        for i in part.points.clone() {
            for (motion, &d) in self.motion[chain(i)].iter().zip(plan.dofs(i)) {
                shift[d as usize] -= h * motion.dot(self.force[i]);
            }
        }
    }

    /// Takes the blocks to the dofs.
    fn project(&self, m: &Model, plan: &StiffnessPlan, matrix: &mut SparseSymmetric, inertia: &mut [f64]) {
        let chain = |i: usize| plan.chain[i] as usize..plan.chain[i + 1] as usize;
        let mut targets = plan.targets.iter();
        for i in 0..plan.body.len() {
            let (motions, dofs) = (&self.motion[chain(i)], plan.dofs(i));
            for (k, (motion, &d)) in motions.iter().zip(dofs).enumerate() {
                let image = self.own[i] * *motion;
                let row = m.m_pattern.row(d as usize);
                for ((l, other), target) in motions[..=k].iter().enumerate().zip(&mut targets) {
                    let value = image.dot(*other);
                    match *target {
                        Target::Diagonal(d) => matrix.diagonal[d as usize] += value,
                        Target::Below(at) => matrix.values[at as usize] += value,
                    }
                    // The row of a dof in the inertia has those of its chain, or its own alone.
                    if l == k {
                        inertia[row.end - 1] += value;
                    } else if row.len() == k + 1 {
                        inertia[row.start + l] += value;
                    }
                }
            }
        }
        for (&[i, j], block) in plan.pairs.iter().zip(&self.pair) {
            let (rows, columns) = (&self.motion[chain(i as usize)], &self.motion[chain(j as usize)]);
            for motion in rows {
                let image = block.transpose() * *motion;
                for (other, target) in columns.iter().zip(&mut targets) {
                    let value = image.dot(*other);
                    match *target {
                        // The dof moves both points: its entry has the block and the transposed one.
                        Target::Diagonal(d) => matrix.diagonal[d as usize] += 2.0 * value,
                        Target::Below(at) => matrix.values[at as usize] += value,
                    }
                }
            }
        }
    }
}
