//! A recorded problem is the problem.

use mj_math::block::Run;
use mj_math::{BlockRows, SparseSymmetric, TreePattern};
use mj_problem::*;
use std::collections::BTreeMap;

fn sample() -> Recorded {
    let pattern = TreePattern::new(&[None, Some(0), Some(1), None], &[false; 4]);
    let m = vec![2.0, 0.5, 2.0, 0.1, 0.3, 1.0, 4.0];
    let (mut ld, mut dinv) = (m.clone(), vec![0.0; 4]);
    assert_eq!(pattern.factor(&mut ld, &mut dinv), None);
    let qacc_smooth = vec![-1.0, 2.0, 0.5, -9.0];
    let mut qfrc_smooth = vec![0.0; 4];
    pattern.mul(&m, &qacc_smooth, &mut qfrc_smooth);
    let mut jac = BlockRows::default();
    jac.clear(4);
    jac.push(1, &[Run { start: 0, len: 1 }]).copy_from_slice(&[1.0]);
    jac.push(3, &[Run { start: 1, len: 1 }, Run { start: 3, len: 1 }])
        .copy_from_slice(&[0.5, 1.0, 1.0, 0.0, 0.2, -1.0]);
    // Friction is regularized as its coefficients say.
    let d = vec![10.0, 100.0, 100.0 * (0.8f64 / 0.7).powi(2), 100.0 * (0.6f64 / 0.7).powi(2)];
    Recorded {
        pattern,
        ld,
        dinv,
        stiffness: None,
        m,
        tree: vec![0, 0, 0, 1],
        qfrc_smooth,
        qacc_smooth,
        qacc_warmstart: vec![0.0; 4],
        jac,
        ne: 1,
        nf: 0,
        r: d.iter().map(|d| 1.0 / d).collect(),
        d,
        aref: vec![0.1, 0.2, 0.0, 0.0],
        frictionloss: vec![0.0; 4],
        cones: vec![ConeRows { row: 1, dim: 3, contact: 0, mu: 0.7, friction: [0.8, 0.6, 0.1, 0.1, 0.1] }],
        settings: Settings::default(),
    }
}

fn arrays(r: &Recorded) -> BTreeMap<String, Vec<f64>> {
    let mut out = BTreeMap::new();
    r.visit(&mut |name, shape, v| {
        assert_eq!(shape.iter().product::<usize>(), v.len());
        out.insert(name.to_string(), v);
    });
    out
}

#[test]
fn saved_and_read_it_is_the_same() {
    let r = sample();
    let saved = arrays(&r);
    assert_eq!(Recorded::from_arrays(|n| saved.get(n).cloned()).as_ref(), Ok(&r));
    assert_eq!(Recorded::from(&r.problem()), r);
}

#[test]
fn stiffness_is_saved_too() {
    let mut r = sample();
    let mut k = SparseSymmetric::zeros(4, &[(2, 0), (3, 0), (3, 1)]);
    (k.diagonal, k.values) = (vec![1.0, 2.0, 3.0, 4.0], vec![0.5, 0.25, 0.125]);
    r.stiffness = Some(k);
    let saved = arrays(&r);
    assert_eq!(Recorded::from_arrays(|n| saved.get(n).cloned()).as_ref(), Ok(&r));
    for (name, bad) in [("K_row", 0.0), ("K_col", 3.0), ("K", f64::NAN)] {
        let mut damaged = saved.clone();
        damaged.get_mut(name).unwrap()[0] = bad;
        assert!(Recorded::from_arrays(|n| damaged.get(n).cloned()).is_err(), "{name}");
    }
}

/// Every array missing, cut short, grown, or with a bad number: an error, never a panic.
#[test]
fn damaged_arrays_are_told() {
    let saved = arrays(&sample());
    for name in saved.keys() {
        let read = |change: &dyn Fn(&mut Vec<f64>) -> bool| {
            let mut v = saved.clone();
            let keep = change(v.get_mut(name).unwrap());
            if !keep {
                v.remove(name);
            }
            Recorded::from_arrays(|n| v.get(n).cloned())
        };
        assert_eq!(read(&|_| false), Err(format!("array `{name}` is missing")));
        assert!(read(&|v| v.pop().is_some()).is_err(), "{name} cut short");
        for bad in [f64::NAN, f64::INFINITY, -3.0, 1e300, 0.5] {
            for i in 0..saved[name].len() {
                let _ = read(&|v| {
                    v[i] = bad;
                    true
                });
            }
        }
    }
}

/// A problem whose optimum is `qacc`: its smooth force is what the acceleration and the force of the rows leave over.
fn with_optimum(mut r: Recorded, qacc: &[f64]) -> (Recorded, Solution) {
    let mut s = Solution::default();
    s.reset(&r.problem());
    s.qacc.copy_from_slice(qacc);
    let (mut x, mut work) = (vec![0.0; r.d.len()], vec![0.0; qacc.len()]);
    r.jac.mul(qacc, &mut x, &mut work);
    x.iter_mut().zip(&r.aref).for_each(|(x, a)| *x -= a);
    r.problem().rows.evaluate(&x, &mut s.efc_force, &mut s.efc_state);
    r.jac.mul_transposed_add(&s.efc_force, &mut s.qfrc_constraint, &mut work);
    r.pattern.mul(&r.m, qacc, &mut r.qfrc_smooth);
    r.qfrc_smooth.iter_mut().zip(&s.qfrc_constraint).for_each(|(q, f)| *q -= f);
    r.qacc_smooth.copy_from_slice(&r.qfrc_smooth);
    r.pattern.solve(&r.ld, &r.dinv, &mut r.qacc_smooth);
    (r, s)
}

#[test]
fn quality_tells_good_from_bad() {
    // The cone is pressed and slides: its force is on the cone's surface.
    let (r, mut s) = with_optimum(sample(), &[-1.0, -0.4, 0.5, -0.3]);
    assert_eq!(s.efc_state[1..], [ConstraintState::Cone; 3]);
    let p = r.problem();
    let good = Quality::of(&p, &s);
    assert!(good.stationarity < 1e-14 && good.complementarity < 1e-14 && good.feasibility < 1e-14, "{good:?}");
    assert!(good.slip > 0.0 && good.penetration > 0.0, "{good:?}");
    s.efc_force[1] += 1.0;
    s.efc_force[2] += 900.0;
    let bad = Quality::of(&p, &s);
    assert!(bad.stationarity > 1e-3 && bad.complementarity > 1e-3 && bad.feasibility > 1e-3, "{bad:?}");
    assert_eq!(bad.cost, good.cost);
}
