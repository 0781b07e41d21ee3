//! The smooth stages in lanes against the engine.

use mj_engine::prelude::*;
use mj_lab_batch::lane::Width;
use mj_lab_batch::plan::Plan;
use mj_lab_batch::smooth::{Batch, step_batch};

/// Loads a bundled model without constraints and with Euler's method.
fn load(name: &str) -> Model {
    let path = format!("{}/../../models/{name}.xml", env!("CARGO_MANIFEST_DIR"));
    let mut m = mj_engine::load(path).expect("bundled model");
    m.opt.disableflags |= disable::CONSTRAINT;
    m.opt.integrator = IntegratorType::Euler;
    m
}

/// States of different worlds: some steps from the start under controls that differ.
fn worlds(m: &Model, plan: &Plan, n: usize) -> (Batch, Vec<Simulation>) {
    let mut batch = Batch::new(plan, n);
    let mut sims = Vec::new();
    for w in 0..n {
        let mut sim = Simulation::new(m.clone()).unwrap();
        for (i, v) in sim.data_mut().state.qvel.iter_mut().enumerate() {
            *v = ((w * 31 + i * 17) as f64).sin();
        }
        for (i, u) in sim.data_mut().state.ctrl.iter_mut().enumerate() {
            *u = ((w * 7 + i * 3) as f64).cos();
        }
        sim.steps(3 * w).unwrap();
        let s = &sim.data().state;
        batch.qpos[w * plan.nq..][..plan.nq].copy_from_slice(&s.qpos);
        batch.qvel[w * plan.nv..][..plan.nv].copy_from_slice(&s.qvel);
        batch.ctrl[w * plan.nu..][..plan.nu].copy_from_slice(&s.ctrl);
        sims.push(sim);
    }
    (batch, sims)
}

/// Largest difference relative to the largest number.
fn difference(a: &[f64], b: &[f64]) -> f64 {
    let size = b.iter().fold(1e-300f64, |m, x| m.max(x.abs()));
    a.iter()
        .zip(b)
        .map(|(a, b)| (a - b).abs() / size)
        .fold(0.0, |m, d| if d.is_nan() { f64::INFINITY } else { d.max(m) })
}

const COVERED: [&str; 9] = [
    "humanoid",
    "quadruped",
    "drivetrain",
    "four_bar",
    "workcell",
    "arm_gripper",
    "box_heap",
    "rolling",
    "welded_pair",
];

#[test]
fn one_world_agrees_with_the_engine() {
    for name in COVERED {
        let m = load(name);
        let plan = Plan::new(&m).unwrap_or_else(|e| panic!("{name}: {e:?}"));
        let (mut batch, mut sims) = worlds(&m, &plan, 6);
        step_batch(&plan, Width::F64x1, 1, &mut batch).unwrap();
        for (w, sim) in sims.iter_mut().enumerate() {
            sim.step().unwrap();
            let d = sim.data();
            let (nq, nv) = (plan.nq, plan.nv);
            let smooth = difference(&batch.qacc_smooth[w * nv..][..nv], &d.smooth.actuation.qacc_smooth);
            assert!(smooth < 1e-12, "{name} world {w}: qacc_smooth {smooth:e}");
            let (q, v) = (
                difference(&batch.qpos[w * nq..][..nq], &d.state.qpos),
                difference(&batch.qvel[w * nv..][..nv], &d.state.qvel),
            );
            assert!(q < 1e-12 && v < 1e-12, "{name} world {w}: qpos {q:e}, qvel {v:e}");
        }
    }
}

#[test]
fn bits_depend_on_neither_width_nor_neighbours() {
    let m = load("humanoid");
    let plan = Plan::new(&m).unwrap();
    let (start, _) = worlds(&m, &plan, 11);
    let mut one = start.clone();
    step_batch(&plan, Width::F64x1, 5, &mut one).unwrap();
    for width in [Width::F64x4, Width::F64x8] {
        let mut many = start.clone();
        step_batch(&plan, width, 5, &mut many).unwrap();
        assert_eq!(one, many, "{}", width.name());
    }
    // The worlds in reverse order have other neighbours.
    let reverse = |b: &Batch| {
        let turn = |v: &[f64], n: usize| v.chunks(n).rev().flatten().copied().collect();
        Batch {
            qpos: turn(&b.qpos, plan.nq),
            qvel: turn(&b.qvel, plan.nv),
            ctrl: turn(&b.ctrl, plan.nu),
            qacc_smooth: turn(&b.qacc_smooth, plan.nv),
        }
    };
    let mut reversed = reverse(&start);
    step_batch(&plan, Width::F64x4, 5, &mut reversed).unwrap();
    assert_eq!(one, reverse(&reversed));
    // Narrow numbers: eight and sixteen lanes give the bits of one another.
    let (mut eight, mut sixteen) = (start.clone(), start.clone());
    step_batch(&plan, Width::F32x8, 5, &mut eight).unwrap();
    step_batch(&plan, Width::F32x16, 5, &mut sixteen).unwrap();
    assert_eq!(eight, sixteen);
    let narrow = difference(&eight.qpos, &one.qpos);
    assert!(narrow > 0.0 && narrow < 1e-5, "{narrow:e}");
}
