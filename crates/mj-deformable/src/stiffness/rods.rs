//! Stiffness of rods: blocks between their vertices, and what acts between the twists of their edges.

use super::elements::Blocks;
use super::plan::StiffnessPlan;
use crate::buffers::Flexes;
use crate::plan::FlexPlan;
use crate::rod::{RodStiffness, rod_stiffness};
use mj_math::{DMat3, DVec3, SparseSymmetric};
use mj_model::{FlexId, Model, State};

/// Adds the blocks of all rods to those of all points and pairs.
pub(super) fn add_blocks(m: &Model, plan: &FlexPlan, stiff: &StiffnessPlan, flexes: &Flexes, blocks: &mut Blocks<'_>) {
    let mut parts = stiff.parts.iter().peekable();
    // Sets of three and of four vertices, in the order of the hinges of each flex.
    let mut sets = [0, 0];
    let mut flex = None;
    rod_stiffness(m, plan, flexes, |r| {
        if flex != Some(r.flex) {
            (flex, sets) = (Some(r.flex), [0, 0]);
        }
        while parts.next_if(|p| p.flex != r.flex).is_some() {}
        let Some(part) = parts.peek() else { return };
        let hinge = sets[0] + sets[1];
        let four = plan.rods[r.flex.index()].as_ref().is_some_and(|rod| rod.hinges[hinge].pair);
        let set = if four { part.hinges.of(sets[1]) } else { part.elements.of(sets[0]) };
        sets[usize::from(four)] += 1;
        let points = &mut Blocks { own: &mut blocks.own[part.points.start..], pair: &mut *blocks.pair };
        for row in r.rows.iter().filter(|row| row.weight != 0.0) {
            for a in 0..set.0.len() {
                for b in 0..=a {
                    points.add(set, a, b, outer(row.vertex[a] * row.weight, row.vertex[b]));
                }
            }
        }
    });
}

fn outer(a: DVec3, b: DVec3) -> DMat3 {
    DMat3::from_cols(a * b.x, a * b.y, a * b.z)
}

/// The matrix over the twists of the edges before and after a vertex: its diagonal, and what is beside it.
fn twist(r: &RodStiffness) -> ([f64; 2], f64) {
    ([0, 1].map(|i| r.torsion + r.diagonal[i]), -r.torsion)
}

/// What the twists of all rods add over a step: `matrix` and the values in the pattern of the inertia, by `scale` of each
/// flex, and −hKv, by `spring`.
pub(super) struct Twists<'a> {
    pub matrix: &'a mut SparseSymmetric,
    pub inertia: &'a mut [f64],
    pub shift: &'a mut [f64],
}

impl Twists<'_> {
    /// Adds the stiffness of all rods against twist.
    pub fn add(
        &mut self,
        m: &Model,
        plan: &FlexPlan,
        s: &State,
        flexes: &Flexes,
        spring: f64,
        scale: impl Fn(FlexId) -> f64,
    ) {
        rod_stiffness(m, plan, flexes, |r| {
            let (diagonal, beside) = twist(r);
            let scale = scale(r.flex);
            for i in 0..2 {
                let Some(dof) = r.twist[i] else { continue };
                self.matrix.diagonal[dof] += scale * diagonal[i];
                self.inertia[m.m_pattern.diag(dof)] += scale * diagonal[i];
                self.shift[dof] -= spring * diagonal[i] * s.qvel[dof];
            }
            let [Some(a), Some(b)] = r.twist else { return };
            if let Some(at) = self.matrix.address(a.max(b), a.min(b) as u32) {
                self.matrix.values[at] += scale * beside;
            }
            self.shift[a] -= spring * beside * s.qvel[b];
            self.shift[b] -= spring * beside * s.qvel[a];
        });
    }
}
