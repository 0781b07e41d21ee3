//! Derivatives of inverse dynamics by position, and of the bias force's derivative by velocity once more.

use super::{by_position, results};
use mj_dynamics::*;
use mj_math::Spatial;
use mj_model::*;
use mj_testkit::any_model;
use proptest::prelude::*;

/// Force of a motion less that of wrenches fixed in the world, given about its origin.
fn needed(m: &Model, s: &State, qacc: Option<&[f64]>, wrenches: &[Spatial]) -> Vec<f64> {
    let mut d = Dynamics::new(m);
    d.forward(m, s);
    let mut tau = vec![0.0; m.nv()];
    mj_dynamics::rne(m, s, &d.smooth.poses, &d.smooth.velocities, qacc, &mut d.work, &mut tau);
    for b in m.body.ids().skip(1) {
        let w = wrenches[b.index()].force_at(d.smooth.poses.subtree_com[m.body.rootid[b]]);
        for dof in d.plan.chains.of(b).iter().flat_map(|r| r.start as usize..(r.start + r.len) as usize) {
            tau[dof] -= d.smooth.poses.cdof.as_slice()[dof].dot(w);
        }
    }
    tau
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Derivatives of all motions, and of M q̈ alone, with forces from outside on every body.
    #[test]
    fn inverse_dynamics_by_position(
        (m, s) in any_model(),
        a in prop::collection::vec(-3.0..3.0f64, 60),
        w in prop::collection::vec(-2.0..2.0f64, 6 * 20),
    ) {
        prop_assume!(m.nv() <= 60 && m.body.len() <= 20);
        let qacc = &a[..m.nv()];
        let wrenches: Vec<Spatial> = w.chunks_exact(6).map(Spatial::from_slice).collect();
        let none = vec![Spatial::ZERO; m.body.len()];
        let mut d = Dynamics::new(&m);
        d.forward(&m, &s);
        let outside: Vec<Spatial> = m.body.ids()
            .map(|b| wrenches[b.index()].force_at(d.smooth.poses.subtree_com[m.body.rootid[b]]))
            .collect();
        let mut got = PositionDerivative::new(&m);
        for moving in [true, false] {
            let want = if moving {
                got.compute(&m, &s, &d.smooth.poses, &d.smooth.inertia, Motion::Moving(&d.smooth.velocities), qacc, &outside);
                by_position(&m, &s, |s| needed(&m, s, Some(qacc), &wrenches))
            } else {
                got.compute(&m, &s, &d.smooth.poses, &d.smooth.inertia, Motion::FromRest, qacc, &none);
                let still = |s: &State| State { qvel: vec![0.0; m.nv()], ..s.clone() };
                by_position(&m, &s, |s| {
                    let s = still(s);
                    let bias = needed(&m, &s, None, &none);
                    needed(&m, &s, Some(qacc), &none).iter().zip(bias).map(|(a, b)| a - b).collect()
                })
            };
            let scale = want.iter().flatten().fold(1.0, |x: f64, y| x.max(y.abs()));
            let mut dense = vec![vec![0.0; m.nv()]; m.nv()];
            for i in 0..m.nv() {
                for at in got.pattern.row(i) {
                    let j = got.pattern.colind[at] as usize;
                    dense[i][j] = got.lower[at];
                    if j != i {
                        dense[j][i] = got.upper[at];
                    }
                }
            }
            for i in 0..m.nv() {
                for j in 0..m.nv() {
                    let (g, w) = (dense[i][j], want[j][i]);
                    prop_assert!((g - w).abs() < 1e-6 * scale, "moving {moving} ({i}, {j}): {g} against {w}");
                }
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// Derivative of the bias force's derivative along any velocity, against differences of that derivative.
    #[test]
    fn curvature_of_the_bias_force((m, s) in any_model(), x in prop::collection::vec(-3.0..3.0f64, 60)) {
        prop_assume!(m.nv() <= 60);
        let (nv, x) = (m.nv(), &x[..m.nv()]);
        let along = |s: &State| {
            let (mut d, mut v) = (Dynamics::new(&m), VelocityDerivative::new(&m));
            d.forward(&m, s);
            v.compute_without_transmissions(&m, &d.plan.chains, s, results(&d));
            let mut y = vec![0.0; nv];
            v.pattern.mul_unsymmetric(&v.lower, &v.upper, x, &mut y);
            y.iter().map(|y| -y).collect::<Vec<_>>()
        };
        let by_q = by_position(&m, &s, along);
        let by_v: Vec<Vec<f64>> = (0..nv).map(|k| {
            let at = |h: f64| {
                let mut s = s.clone();
                s.qvel[k] += h;
                along(&s)
            };
            at(1.0).iter().zip(at(-1.0)).map(|(a, b)| 0.5 * (a - b)).collect()
        }).collect();
        let mut d = Dynamics::new(&m);
        d.forward(&m, &s);
        let mut got = BiasCurvature::new(&m);
        got.compute(&m, &s, results(&d), x, BiasOf::All);
        let mut dense = vec![[0.0; 2]; nv * nv];
        got.for_each(0..nv, |moved, dof, by| dense[moved * nv + dof] = by);
        let scale = by_q.iter().chain(&by_v).flatten().fold(1.0, |a: f64, b| a.max(b.abs()));
        for k in 0..nv {
            for i in 0..nv {
                for (got, want) in dense[k * nv + i].into_iter().zip([by_q[k][i], by_v[k][i]]) {
                    prop_assert!((got - want).abs() < 1e-6 * scale, "({i} by {k}): {got} against {want}");
                }
            }
        }
    }

}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn diagonal_of_the_inertia_by_position((m, s) in any_model()) {
        let nv = m.nv();
        let diagonal = |s: &State| {
            let mut d = Dynamics::new(&m);
            d.forward(&m, s);
            (0..nv).map(|i| d.smooth.inertia.M[m.m_pattern.diag(i)]).collect::<Vec<_>>()
        };
        let want = by_position(&m, &s, diagonal);
        let scale = want.iter().flatten().fold(1.0, |a: f64, b| a.max(b.abs()));
        let mut d = Dynamics::new(&m);
        d.forward(&m, &s);
        let mut got = Vec::new();
        inertia_diagonal_derivative(&m, &d.smooth.poses, &d.smooth.inertia, &mut got);
        for k in 0..nv {
            for i in 0..nv {
                let (got, want) = (got[k * nv + i], want[k][i]);
                prop_assert!((got - want).abs() < 1e-6 * scale, "({i} by {k}): {got} against {want}");
            }
        }
    }
}
