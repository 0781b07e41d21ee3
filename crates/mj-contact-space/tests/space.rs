//! The contact space of a random problem against the formulas of 2012 (equations 2 and 3) in dense matrices.

use mj_contact_space::{ContactSpace, Equality};
use mj_math::dense::{cholesky, cholesky_solve, dot};
use mj_math::{TreePattern, block::Run};
use mj_problem::{Recorded, Solution};
use proptest::prelude::*;

/// Degrees of freedom, equalities, rows that push.
const NV: usize = 6;
const NE: usize = 2;
const K: usize = 3;

/// A chain with a random inertia, equality rows and rows that push.
fn problem(x: &[f64]) -> Recorded {
    let mut x = x.iter().copied();
    let mut next = move || x.next().unwrap_or(0.3);
    let parent: Vec<Option<usize>> = (0..NV).map(|i| i.checked_sub(1)).collect();
    let pattern = TreePattern::new(&parent, &[false; NV]);
    let b: Vec<f64> = (0..NV * NV).map(|_| next()).collect();
    let row = |i: usize| &b[i * NV..(i + 1) * NV];
    let mut m = vec![0.0; pattern.nnz()];
    for i in 0..NV {
        for at in pattern.row(i) {
            let j = pattern.colind[at] as usize;
            m[at] = dot(row(i), row(j)) + if i == j { 0.5 } else { 0.0 };
        }
    }
    let (mut ld, mut dinv) = (m.clone(), vec![0.0; NV]);
    pattern.factor(&mut ld, &mut dinv);
    let qacc_smooth: Vec<f64> = (0..NV).map(|_| next()).collect();
    let mut qfrc_smooth = vec![0.0; NV];
    pattern.mul(&m, &qacc_smooth, &mut qfrc_smooth);
    let mut p = Recorded {
        m,
        ld,
        dinv,
        tree: vec![0; NV],
        qacc_warmstart: qacc_smooth.clone(),
        qacc_smooth,
        qfrc_smooth,
        ne: NE,
        ..Recorded::default()
    };
    p.pattern = pattern;
    p.jac.clear(NV);
    for _ in 0..NE + K {
        let values: Vec<f64> = (0..NV).map(|_| next()).collect();
        p.jac.push(1, &[Run { start: 0, len: NV as u32 }]).copy_from_slice(&values);
        p.aref.push(next());
        p.r.push(0.1 + next().abs());
        p.d.push(1.0 / p.r[p.r.len() - 1]);
        p.frictionloss.push(0.0);
    }
    p
}

/// J, dense.
fn jacobian(p: &Recorded) -> Vec<Vec<f64>> {
    let dense = |i: usize| {
        let mut row = vec![0.0; NV];
        p.jac.for_each_in_row(i, |c, v| row[c] = v);
        row
    };
    (0..NE + K).map(dense).collect()
}

/// M⁻¹ b, by the factor.
fn inverse(p: &Recorded, b: &[f64]) -> Vec<f64> {
    let mut x = b.to_vec();
    p.pattern.solve(&p.ld, &p.dinv, &mut x);
    x
}

/// P b = M⁻¹ b − M⁻¹ J_Eᵀ (J_E M⁻¹ J_Eᵀ + ρ)⁻¹ (J_E M⁻¹ b − `target`).
fn projected(p: &Recorded, jac: &[Vec<f64>], soft: bool, b: &[f64], target: &[f64]) -> Vec<f64> {
    let y: Vec<Vec<f64>> = jac[..NE].iter().map(|j| inverse(p, j)).collect();
    let mut s = vec![0.0; NE * NE];
    for i in 0..NE {
        (0..NE).for_each(|j| s[i * NE + j] = dot(&jac[i], &y[j]));
        s[i * NE + i] += if soft { p.r[i] } else { 0.0 };
    }
    let free = inverse(p, b);
    let mut f: Vec<f64> = (0..NE).map(|i| target[i] - dot(&jac[i], &free)).collect();
    cholesky(&mut s, NE);
    cholesky_solve(&s, NE, &mut f);
    (0..NV).map(|i| free[i] + (0..NE).map(|e| y[e][i] * f[e]).sum::<f64>()).collect()
}

proptest! {
    #[test]
    fn contact_space_is_its_formula(x in prop::collection::vec(-1.0..1.0f64, 120), f in prop::collection::vec(0.0..2.0f64, K), soft: bool) {
        let p = problem(&x);
        let jac = jacobian(&p);
        let mut s = ContactSpace::default();
        s.build(&p.problem(), if soft { Equality::Soft } else { Equality::Hard });
        let r = projected(&p, &jac, soft, &p.qfrc_smooth, &p.aref[..NE]);
        for i in 0..K {
            let want = dot(&jac[NE + i], &r) - p.aref[NE + i];
            prop_assert!((s.b[i] - want).abs() < 1e-7 * (1.0 + want.abs()), "b {} {want}", s.b[i]);
            for j in 0..K {
                let want = dot(&jac[NE + i], &projected(&p, &jac, soft, &jac[NE + j], &[0.0; NE]));
                prop_assert!((s.row(i)[j] - want).abs() < 1e-7 * (1.0 + want.abs()), "A {} {want}", s.row(i)[j]);
            }
        }
        // Taken back to joint space: M q̈ = τ + Jᵀ f of all rows, and hard equalities hold.
        let mut out = Solution::default();
        s.report(&p.problem(), &f, &mut out);
        let mut momentum = vec![0.0; NV];
        p.pattern.mul(&p.m, &out.qacc, &mut momentum);
        for i in 0..NV {
            let force = p.qfrc_smooth[i] + (0..NE + K).map(|k| jac[k][i] * out.efc_force[k]).sum::<f64>();
            prop_assert!((momentum[i] - force).abs() < 1e-7 * (1.0 + force.abs()), "{} {force}", momentum[i]);
        }
        for e in 0..NE {
            let slack = dot(&jac[e], &out.qacc) - p.aref[e] + if soft { p.r[e] * out.efc_force[e] } else { 0.0 };
            prop_assert!(slack.abs() < 1e-7 * (1.0 + p.aref[e].abs()), "equality {e}: {slack}");
        }
        prop_assert_eq!(&out.efc_force[NE..], &f[..]);
    }

    /// A row that an equality holds in place moves under no force, whatever rounding leaves of its inverse inertia.
    #[test]
    fn what_equalities_hold_does_not_move(x in prop::collection::vec(-1.0..1.0f64, 120)) {
        let mut p = problem(&x);
        let jac = jacobian(&p);
        p.jac.clear(NV);
        for i in 0..NE + K {
            // The last row repeats an equality.
            let row = if i == NE + K - 1 { &jac[1] } else { &jac[i] };
            p.jac.push(1, &[Run { start: 0, len: NV as u32 }]).copy_from_slice(row);
        }
        let mut s = ContactSpace::default();
        s.build(&p.problem(), Equality::Hard);
        prop_assert!(s.row(K - 1).iter().all(|&a| a == 0.0), "{:?}", s.row(K - 1));
        prop_assert!((0..K).all(|i| s.row(i)[K - 1] == 0.0));
        prop_assert!(s.diagonal[..K - 1].iter().all(|&a| a > 0.0));
    }
}
