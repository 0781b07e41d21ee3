//! Whole steps with contacts against the engine.

use mj_engine::{Model, Simulation};
use mj_lab_batch::lane::Width;
use mj_lab_batch::plan::Plan;
use mj_lab_batch::smooth::Batch;
use mj_lab_batch::solver::Settings;
use mj_lab_batch::step::{Solver, Worlds, step};
use mj_lab_batch::worlds::spread;
use std::sync::Arc;

/// Worlds in contact, and simulations in equal states.
fn start(name: &str, n: usize) -> (Arc<Model>, Plan, Worlds, Vec<Simulation>) {
    let path = format!("{}/../../models/{name}.xml", env!("CARGO_MANIFEST_DIR"));
    let m = Arc::new(mj_engine::load(path).unwrap());
    let plan = Plan::new(&m).unwrap();
    let mut worlds = Worlds { batch: Batch::new(&plan, n), warm: vec![0.0; n * plan.nv], capacity: 256 };
    let mut sims = Vec::new();
    for (w, s) in spread(&m, n, 400).unwrap().into_iter().enumerate() {
        worlds.batch.qpos[w * plan.nq..][..plan.nq].copy_from_slice(&s.qpos);
        worlds.batch.qvel[w * plan.nv..][..plan.nv].copy_from_slice(&s.qvel);
        worlds.batch.ctrl[w * plan.nu..][..plan.nu].copy_from_slice(&s.ctrl);
        worlds.warm[w * plan.nv..][..plan.nv].copy_from_slice(&s.qacc_warmstart);
        let mut sim = Simulation::new(m.clone()).unwrap();
        sim.data_mut().state = s;
        sims.push(sim);
    }
    (m, plan, worlds, sims)
}

#[test]
fn steps_agree_with_the_engine() {
    for name in ["humanoid", "quadruped"] {
        let (m, plan, mut worlds, mut sims) = start(name, 10);
        let settings = Settings { tolerance: 1e-16, ..Settings::default() };
        let mut other = worlds.clone();
        let report = step(&m, &plan, (Width::F64x4, Solver::Lanes), &settings, 5, &mut worlds).unwrap();
        step(&m, &plan, (Width::F64x4, Solver::Engine), &settings, 5, &mut other).unwrap();
        let apart = worlds.batch.qvel.iter().zip(&other.batch.qvel).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(apart < 1e-6, "{name}: the solvers differ by {apart:e}");
        assert!(report.rows > 100, "{name} has {} rows", report.rows);
        for (w, sim) in sims.iter_mut().enumerate() {
            sim.steps(5).unwrap();
            let (q, v) = (&worlds.batch.qpos[w * plan.nq..][..plan.nq], &worlds.batch.qvel[w * plan.nv..][..plan.nv]);
            let far = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            let s = &sim.data().state;
            assert!(
                far(q, &s.qpos) < 1e-8 && far(v, &s.qvel) < 1e-6,
                "{name} world {w}: {:e} {:e}",
                far(q, &s.qpos),
                far(v, &s.qvel)
            );
        }
    }
}

#[test]
fn bits_depend_on_neither_width_nor_capacity() {
    let (m, plan, worlds, _) = start("humanoid", 10);
    let run = |width, capacity| {
        let mut w = Worlds { capacity, ..worlds.clone() };
        let report = step(&m, &plan, (width, Solver::Lanes), &Settings::default(), 8, &mut w).unwrap();
        (w, report)
    };
    let (one, roomy) = run(Width::F64x1, 256);
    assert_eq!(roomy.replays, 0);
    for width in [Width::F64x4, Width::F64x8] {
        let (many, report) = run(width, 256);
        assert!(one.batch == many.batch && one.warm == many.warm, "{}", width.name());
        assert_eq!(report.rows, roomy.rows);
    }
    // Too little memory: steps are made again, and no row is lost.
    for width in [Width::F64x1, Width::F64x4] {
        let (tight, report) = run(width, 8);
        assert!(report.replays > 0 && tight.capacity > 8);
        assert_eq!(report.rows, roomy.rows);
        assert!(one.batch == tight.batch && one.warm == tight.warm);
    }
}
