//! Joint-space inertia, its factor, and solutions with it.

use super::Scratch;
use crate::lane::Lane;
use crate::lane::spatial::*;
use crate::plan::Plan;

impl<L: Lane> Scratch<L> {
    /// Computes composite inertias and the joint-space inertia.
    #[inline(always)]
    pub fn inertia(&mut self, plan: &Plan, isa: L::Isa) {
        self.crb.copy_from_slice(&self.cinert);
        for b in plan.bodies.iter().rev().filter(|b| b.parent > 0) {
            self.crb[b.parent] = add(self.crb[b.parent], self.crb[b.id]);
        }
        for (i, &(body, armature, _)) in plan.dofs.iter().enumerate() {
            let force = momentum(self.crb[body], self.cdof[i]);
            let (start, end) = (plan.rowadr[i], plan.rowadr[i + 1]);
            for k in start..end {
                self.m[k] = dot(self.cdof[plan.colind[k]], force);
            }
            self.m[end - 1] = self.m[end - 1] + L::splat(isa, armature);
        }
    }

    /// Factors the inertia: M = LᵀDL.
    #[inline(always)]
    pub fn factor(&mut self, plan: &Plan, isa: L::Isa) {
        self.ld.copy_from_slice(&self.m);
        factor(plan, isa, &mut self.ld, &mut self.dinv);
    }

    /// Solves for the acceleration without constraints.
    #[inline(always)]
    pub fn accelerate(&mut self, plan: &Plan) {
        self.qacc_smooth.copy_from_slice(&self.qfrc_smooth);
        solve(plan, &self.ld, &self.dinv, &mut self.qacc_smooth);
    }

    /// Computes the acceleration with which the step ends: (M + hD)⁻¹ of all forces.
    #[inline(always)]
    pub fn end_acceleration(&mut self, plan: &Plan, isa: L::Isa, constraint: Option<&[L]>) {
        self.qacc.copy_from_slice(&self.qfrc_smooth);
        if let Some(f) = constraint {
            self.qacc.iter_mut().zip(f).for_each(|(a, f)| *a = *a + *f);
        }
        if plan.implicit_damping {
            self.ld.copy_from_slice(&self.m);
            for (i, dof) in plan.dofs.iter().enumerate() {
                let diagonal = &mut self.ld[plan.rowadr[i + 1] - 1];
                *diagonal = *diagonal + L::splat(isa, plan.timestep * dof.2);
            }
            factor(plan, isa, &mut self.ld, &mut self.dinv);
        }
        solve(plan, &self.ld, &self.dinv, &mut self.qacc);
    }
}

/// Factors a matrix in the pattern of the inertia in place.
#[inline(always)]
pub fn factor<L: Lane>(plan: &Plan, isa: L::Isa, ld: &mut [L], dinv: &mut [L]) {
    let one = L::splat(isa, 1.0);
    for e in &plan.eliminations {
        let (start, n) = e.entries;
        let (above, row) = ld.split_at_mut(start);
        let inverse = one / row[n];
        dinv[e.row] = inverse;
        for k in (0..n).rev() {
            let l = row[k] * inverse;
            let (target, length) = plan.targets[start + k];
            let from = k + 1 - length;
            for (t, s) in above[target..target + length].iter_mut().zip(&row[from..=k]) {
                *t = t.minus(l, *s);
            }
            row[k] = l;
        }
    }
}

/// Solves with the factor in place.
#[inline(always)]
pub fn solve<L: Lane>(plan: &Plan, ld: &[L], dinv: &[L], x: &mut [L]) {
    for e in &plan.eliminations {
        let (start, n) = e.entries;
        let xi = x[e.row];
        for (c, l) in plan.colind[start..start + n].iter().zip(&ld[start..start + n]) {
            x[*c] = x[*c].minus(*l, xi);
        }
    }
    for (x, d) in x.iter_mut().zip(dinv) {
        *x = *x * *d;
    }
    for e in plan.eliminations.iter().rev() {
        let (start, n) = e.entries;
        let mut xi = x[e.row];
        for (c, l) in plan.colind[start..start + n].iter().zip(&ld[start..start + n]) {
            xi = xi.minus(*l, x[*c]);
        }
        x[e.row] = xi;
    }
}
