//! A formed and A as W Wᵀ, against J M⁻¹ Jᵀ.

use super::*;
use crate::dual::unit::find_units;
use mj_math::TreePattern;
use mj_math::block::Run;
use mj_math::simd::{Fused, Separate};
use mj_problem::{ConeRows, Recorded};
use proptest::prelude::*;

/// Trees of these numbers of dofs, branched in their middle, and blocks of rows that touch one or two of them: one-sided
/// rows, and cones in every third block.
pub(crate) fn forest(sizes: &[usize], pairs: &[(usize, usize)], seed: &[f64]) -> Recorded {
    let mut k = 0;
    let mut next = || {
        k += 1;
        seed[k % seed.len()] + 0.01 * (k as f64).sin()
    };
    let (mut parent, mut tree, mut first) = (Vec::new(), Vec::new(), Vec::new());
    for (t, &size) in sizes.iter().enumerate() {
        first.push(parent.len());
        for i in 0..size {
            let up = if 2 * i > size { size / 2 } else { i };
            parent.push((i > 0).then(|| first[t] + up - usize::from(up == i)));
            tree.push(t as u32);
        }
    }
    let n = parent.len();
    let pattern = TreePattern::new(&parent, &vec![false; n]);
    let m: Vec<f64> = (0..n).flat_map(|i| pattern.row(i)).map(|_| 0.1 * next()).collect::<Vec<_>>();
    let mut own = Recorded { m, tree, ..Recorded::default() };
    for i in 0..n {
        own.m[pattern.diag(i)] = 3.0 + next();
    }
    (own.ld, own.dinv) = (own.m.clone(), vec![0.0; n]);
    assert_eq!(pattern.factor(&mut own.ld, &mut own.dinv), None);
    own.pattern = pattern;
    own.qacc_smooth = (0..n).map(|_| next()).collect();
    own.qfrc_smooth = vec![0.0; n];
    own.pattern.mul(&own.m, &own.qacc_smooth, &mut own.qfrc_smooth);
    own.qacc_warmstart = vec![0.0; n];
    own.jac.clear(n);
    for (k, &(a, b)) in pairs.iter().enumerate() {
        let (a, b) = ((a % sizes.len()).min(b % sizes.len()), (a % sizes.len()).max(b % sizes.len()));
        let run = |t: usize, skip: usize| {
            let skip = skip % sizes[t];
            Run { start: (first[t] + skip) as u32, len: (sizes[t] - skip) as u32 }
        };
        let runs = if a == b { vec![run(a, k)] } else { vec![run(a, k), run(b, 2 * k)] };
        let nrow = if k % 3 == 2 { [3, 4, 6][k % 2] } else { 1 + k % 6 };
        let row = own.d.len() as u32;
        own.jac.push(nrow, &runs).iter_mut().for_each(|v| *v = next());
        if k % 3 == 2 {
            own.cones.push(ConeRows { row, dim: nrow as u32, contact: 0, mu: 0.8, friction: [0.8; 5] });
        }
        own.d.resize(own.d.len() + nrow, 10.0);
    }
    own.r = vec![0.1; own.d.len()];
    own.aref = own.d.iter().map(|_| next()).collect();
    own.frictionloss = vec![0.0; own.d.len()];
    own
}

/// J M⁻¹ Jᵀ.
fn dense(p: &Problem) -> Vec<Vec<f64>> {
    let (n, nv) = (p.nefc(), p.nv());
    let mut j = vec![0.0; n * nv];
    p.rows.jac.to_dense(&mut j);
    let row = |i: usize| &j[i * nv..(i + 1) * nv];
    let column = |i: usize| {
        let mut x = row(i).to_vec();
        p.pattern.solve(p.ld, p.dinv, &mut x);
        (0..n).map(|k| mj_math::dense::dot(row(k), &x)).collect()
    };
    (0..n).map(column).collect()
}

/// Checks one island with A formed or not, and returns its forces after some sweeps over single rows.
fn check<P: Simd>(p: &Problem, islands: &Islands, island: usize, small: bool, start: &[f64]) -> Vec<f64> {
    let all = dense(p);
    let (mut units, mut dual, mut grad, mut work) = (Vec::new(), DualState::default(), Vec::new(), Vec::new());
    let mut out = Solution::default();
    out.reset(p);
    out.efc_force.copy_from_slice(start);
    respond(p, &mut work, &mut out);
    gradient(p, &out.qacc, &mut work, &mut grad);
    find_units(p, islands, island, &mut units);
    dual.load::<P>(p, (islands, island), &mut units, start, &grad);
    dual.form::<P>(p, (islands, island), &units, small);
    let n = dual.force.len();
    for i in 0..n {
        let (mut x, mut y) = (vec![0.0; n], vec![0.0; n]);
        x[i] = 1.0;
        dual.multiply::<P>(&x, &mut y);
        for (k, y) in y.iter().enumerate() {
            let want = all[dual.rows[i] as usize][dual.rows[k] as usize];
            assert!((y - want).abs() < 1e-12 * (1.0 + want.abs()), "{y} {want}");
        }
    }
    for u in &units {
        for i in 0..u.dim() {
            for j in 0..u.dim() {
                let (row, want) = (u.first as usize, all[u.first as usize + i][u.first as usize + j]);
                assert!((dual.a(u, i, j) - want).abs() < 1e-12 * (1.0 + want.abs()), "row {row}: {i} {j}");
            }
        }
    }
    // Sweeps, with momentum in one of them; the gradient follows.
    let mut before = dual.force.clone();
    for sweep in 0..5 {
        if sweep == 3 {
            dual.extrapolate::<P>(0.5, &mut before);
        } else {
            dual.remember();
            before.clone_from(&dual.force);
        }
        for i in 0..n {
            let a = all[dual.rows[i] as usize][dual.rows[i] as usize] + dual.r[i];
            let f = dual.force[i] - (dual.residual::<P>(i) + dual.r[i] * dual.force[i]) / a;
            dual.set::<P>(i, f.max(0.0));
        }
    }
    dual.put_back(&mut out.efc_force);
    respond(p, &mut work, &mut out);
    gradient(p, &out.qacc, &mut work, &mut grad);
    for (i, &row) in dual.rows.iter().enumerate() {
        let (is, want) = (dual.residual::<P>(i), grad[row as usize]);
        assert!((is - want).abs() < 1e-11 * (1.0 + want.abs()), "{is} {want}");
    }
    dual.force
}

proptest! {
    #[test]
    fn of_islands(sizes in prop::collection::vec(1usize..12, 1..8), pairs in prop::collection::vec((0usize..8, 0usize..8), 1..14), seed in prop::collection::vec(-1.0..1.0f64, 97)) {
        let own = forest(&sizes, &pairs, &seed);
        let p = own.problem();
        let mut islands = Islands::default();
        islands.find(&p);
        let start: Vec<f64> = (0..p.nefc()).map(|i| seed[i % 97].abs()).collect();
        for i in 0..islands.count() {
            let formed = check::<Fused>(&p, &islands, i, true, &start);
            let apart = check::<Separate>(&p, &islands, i, true, &start);
            let by_root = check::<Fused>(&p, &islands, i, false, &start);
            for (a, (b, c)) in formed.iter().zip(apart.iter().zip(&by_root)) {
                prop_assert!((a - b).abs() < 1e-11 * (1.0 + a.abs()) && (a - c).abs() < 1e-11 * (1.0 + a.abs()));
            }
        }
    }
}
