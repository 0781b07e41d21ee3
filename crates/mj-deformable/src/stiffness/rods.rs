//! Stiffness of rods: blocks between their vertices, and what acts between the twists of their edges.

use super::elements::Blocks;
use super::plan::StiffnessPlan;
use crate::plan::FlexPlan;
use crate::rod::{RodRow, RodStiffness};
use mj_math::{DMat3, DVec3, SparseSymmetric};
use mj_model::{Model, State};

/// Adds the blocks of all rods to those of all points and pairs, by a coefficient of each row.
pub(super) fn add_blocks(
    (rods, plan, stiff): (&[RodStiffness], &FlexPlan, &StiffnessPlan),
    blocks: &mut Blocks<'_>,
    coefficient: impl Fn(&RodRow) -> f64,
) {
    let mut parts = stiff.parts.iter().peekable();
    // Sets of three and of four vertices, in the order of the hinges of each flex.
    let mut sets = [0, 0];
    let mut flex = None;
    for r in rods {
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
        for row in r.rows() {
            let by = coefficient(row);
            if by == 0.0 {
                continue;
            }
            for a in 0..set.0.len() {
                for b in 0..=a {
                    points.add(set, a, b, outer(row.vertex[a] * by, row.vertex[b]));
                }
            }
        }
    }
}

fn outer(a: DVec3, b: DVec3) -> DMat3 {
    DMat3::from_cols(a * b.x, a * b.y, a * b.z)
}

/// Where the twists of rods add what resists them.
pub(super) struct Twists<'a> {
    pub matrix: &'a mut SparseSymmetric,
    /// Values in the pattern of the inertia.
    pub inertia: &'a mut [f64],
    /// Sum of what is added to its diagonal.
    pub added: &'a mut [f64],
    pub shift: &'a mut [f64],
}

impl Twists<'_> {
    /// Adds what the twists of all rods add over a step h: h²K + hC, and −hKv.
    pub fn add(&mut self, m: &Model, s: &State, rods: &[RodStiffness]) {
        let h = m.opt.timestep;
        for r in rods {
            let [stiffness, damping] = r.torsion;
            let torsion = h * (h * stiffness + damping);
            for i in 0..2 {
                let Some(dof) = r.twist[i] else { continue };
                let own = torsion + h * h * r.diagonal[i];
                self.matrix.diagonal[dof] += own;
                self.inertia[m.m_pattern.diag(dof)] += own;
                self.added[dof] += own;
                self.shift[dof] -= h * (stiffness + r.diagonal[i]) * s.qvel[dof];
            }
            let [Some(a), Some(b)] = r.twist else { continue };
            if let Some(at) = self.matrix.address(a.max(b), a.min(b) as u32) {
                self.matrix.values[at] -= torsion;
            }
            self.shift[a] += h * stiffness * s.qvel[b];
            self.shift[b] += h * stiffness * s.qvel[a];
        }
    }
}
