//! The kernels of a step, each alone, on states that a simulation came to.
//!
//!     cargo bench -p mj-engine
//!
//! They are measured here, above the crates that own them, because real states are what makes them cost what they cost:
//! a humanoid on the floor (one tree with branches), a chain (one tree without), a heap of boxes (many small trees), and
//! the humanoid again with elliptic cones. `cargo bench -p mj-engine -- rne` runs those whose name says so.

use criterion::{
    BatchSize, BenchmarkGroup, BenchmarkId, Criterion, criterion_group, criterion_main, measurement::WallTime,
};
use mj_dynamics::{Workspace, body_kinematics, com_pos, com_vel, crb, rne};
use mj_engine::{Data, Model, forward, load, problem, step};
use mj_model::Cone;
use mj_problem::{ConstraintSolver, ConstraintState, Recorded, Solution};
use mj_solver::{CostHessian, Newton};
use std::hint::black_box;
use std::time::Duration;

/// Steps until the bodies lie where they fell.
const STEPS: usize = 400;

/// A model in the state after some steps, evaluated.
struct Scene {
    name: &'static str,
    m: Model,
    d: Data,
}

impl Scene {
    fn new(name: &'static str, file: &str, cone: Cone) -> Self {
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models").join(file);
        let mut m = load(path).expect("a model of the repository");
        m.opt.cone = cone;
        let mut d = Data::new(&m).expect("a supported model");
        (0..STEPS).for_each(|_| step(&m, &mut d).unwrap());
        forward(&m, &mut d).unwrap();
        Self { name, m, d }
    }
}

fn scenes() -> Vec<Scene> {
    let pyramids = [("humanoid", "humanoid.xml"), ("chain", "pendulum_chain.xml"), ("heap", "box_heap.xml")];
    let mut scenes: Vec<Scene> = pyramids.map(|(name, file)| Scene::new(name, file, Cone::Pyramidal)).into();
    scenes.push(Scene::new("humanoid, elliptic", "humanoid.xml", Cone::Elliptic));
    scenes
}

/// A kernel on every scene that it says something about.
fn each<'a>(
    c: &mut Criterion,
    kernel: &str,
    scenes: impl IntoIterator<Item = &'a Scene>,
    mut run: impl FnMut(&mut BenchmarkGroup<WallTime>, BenchmarkId, &Scene),
) {
    let mut group = c.benchmark_group(kernel);
    for scene in scenes {
        run(&mut group, BenchmarkId::from_parameter(scene.name), scene);
    }
    group.finish();
}

/// Kernels over the tree: what mj-math and mj-dynamics own.
fn smooth(c: &mut Criterion) {
    let scenes = scenes();
    // What cones are has no part in it.
    let trees = || &scenes[..3];
    each(c, "poses", trees(), |group, id, Scene { m, d, .. }| {
        let mut poses = d.smooth.poses.clone();
        group.bench_function(id, |b| {
            b.iter(|| {
                body_kinematics(m, &d.state, &mut poses);
                com_pos(m, &d.state.awake, &mut poses);
            });
        });
    });
    each(c, "velocities", trees(), |group, id, Scene { m, d, .. }| {
        let mut velocities = d.smooth.velocities.clone();
        group.bench_function(id, |b| b.iter(|| com_vel(m, &d.state, &d.smooth.poses, &mut velocities)));
    });
    each(c, "crb", trees(), |group, id, Scene { m, d, .. }| {
        let mut inertia = d.smooth.inertia.clone();
        group.bench_function(id, |b| b.iter(|| crb(m, &d.state.awake, &d.smooth.poses, &mut inertia)));
    });
    each(c, "rne", trees(), |group, id, Scene { m, d, .. }| {
        let (mut work, mut qfrc) = (Workspace::new(m, &mj_dynamics::Plan::of(m)), vec![0.0; m.nv()]);
        group.bench_function(id, |b| {
            b.iter(|| rne(m, &d.state, &d.smooth.poses, &d.smooth.velocities, None, &mut work, &mut qfrc))
        });
    });
    // In the form that a step takes: rows of fixed length where they are faster.
    each(c, "factor M", trees(), |group, id, Scene { m, d, .. }| {
        let mut inertia = d.smooth.inertia.clone();
        group.bench_function(id, |b| b.iter(|| black_box(inertia.factor(m, &d.state.awake))));
    });
    each(c, "factor M, packed", trees(), |group, id, Scene { m, d, .. }| {
        let (mut ld, mut dinv) = (d.smooth.inertia.M.clone(), vec![0.0; m.nv()]);
        group.bench_function(id, |b| {
            b.iter(|| {
                ld.copy_from_slice(&d.smooth.inertia.M);
                black_box(m.m_pattern.factor(&mut ld, &mut dinv))
            });
        });
    });
    each(c, "solve M", trees(), |group, id, Scene { m, d, .. }| {
        let mut x = d.smooth.actuation.qfrc_smooth.clone();
        group.bench_function(id, |b| {
            b.iter(|| {
                x.copy_from_slice(&d.smooth.actuation.qfrc_smooth);
                d.smooth.inertia.solve_awake(m, &d.state.awake, &mut x);
            });
        });
    });
    each(c, "multiply by M", trees(), |group, id, Scene { m, d, .. }| {
        let mut y = vec![0.0; m.nv()];
        group.bench_function(id, |b| b.iter(|| d.smooth.inertia.mul(m, &d.qacc, &mut y)));
    });
}

/// Kernels over the rows: what mj-constraint and mj-solver own.
fn constrained(c: &mut Criterion) {
    let scenes = scenes();
    let rows = || scenes.iter().filter(|s| s.d.rows.nefc() > 0);
    each(c, "J x", rows(), |group, id, Scene { m, d, .. }| {
        let (mut y, mut work) = (vec![0.0; d.rows.nefc()], vec![0.0; m.nv()]);
        group.bench_function(id, |b| b.iter(|| d.rows.view().jac.mul(&d.qacc, &mut y, &mut work)));
    });
    each(c, "Jᵀ f", rows(), |group, id, Scene { m, d, .. }| {
        let (mut y, mut work) = (vec![0.0; m.nv()], vec![0.0; m.nv()]);
        let f = &d.solution.efc_force;
        group.bench_function(id, |b| b.iter(|| d.rows.view().jac.mul_transposed_add(f, &mut y, &mut work)));
    });
    each(c, "cost and forces", rows(), |group, id, Scene { m, d, .. }| {
        let n = d.rows.nefc();
        let (mut jar, mut work) = (vec![0.0; n], vec![0.0; m.nv()]);
        d.rows.view().jac.mul(&d.qacc, &mut jar, &mut work);
        jar.iter_mut().zip(d.rows.view().aref).for_each(|(x, a)| *x -= a);
        let (mut force, mut state) = (vec![0.0; n], vec![ConstraintState::Satisfied; n]);
        group.bench_function(id, |b| b.iter(|| black_box(d.rows.view().evaluate(&jar, &mut force, &mut state))));
    });
    each(c, "Hessian: assemble and factor", rows(), |group, id, Scene { m, d, .. }| {
        let (p, mut h) = (problem(m, d), CostHessian::default());
        group.bench_function(id, |b| b.iter(|| h.factor(&p, &d.qacc, &d.solution.efc_state)));
    });
    each(c, "Hessian: solve", rows(), |group, id, Scene { m, d, .. }| {
        let (p, mut h) = (problem(m, d), CostHessian::default());
        h.factor(&p, &d.qacc, &d.solution.efc_state);
        group.bench_function(id, |b| {
            b.iter_batched_ref(|| d.smooth.actuation.qfrc_smooth.clone(), |x| h.solve(x), BatchSize::SmallInput);
        });
    });
    // From the acceleration without constraints, so that there is something to solve.
    each(c, "Newton, cold", rows(), |group, id, Scene { m, d, .. }| {
        let mut recorded = Recorded::from(&problem(m, d));
        recorded.settings.warmstart = false;
        let (mut newton, mut solution) = (Newton::default(), Solution::default());
        group.bench_function(id, |b| b.iter(|| newton.solve(&recorded.problem(), &mut solution)));
    });
}

criterion_group! {
    name = kernels;
    config = Criterion::default().sample_size(20).warm_up_time(Duration::from_millis(200))
        .measurement_time(Duration::from_millis(600));
    targets = smooth, constrained
}
criterion_main!(kernels);
