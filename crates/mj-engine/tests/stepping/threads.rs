//! Islands solved in parallel: the same bits, whatever the number of threads.

use mj_engine::{Data, load_str, step};

/// Heaps of three bodies each, apart from each other: one of them more than there are threads, and of different sizes.
fn heaps(solver: &str, cone: &str) -> String {
    let heaps: String = (0..11)
        .map(|i| {
            let body = |k: usize, geom: &str| {
                let (x, y, z) = (i as f64 + 0.02 * k as f64, 0.01 * (i * k) as f64, 0.12 + 0.21 * k as f64);
                format!("<body pos='{x} {y} {z}' euler='{} 0 {}'><freejoint/><geom {geom}/></body>", 3 * k, 7 * i)
            };
            let bodies = ["type='box' size='.1 .1 .1'", "type='capsule' size='.08 .05'", "type='sphere' size='.1'"];
            bodies[..1 + i % 3].iter().enumerate().map(|(k, g)| body(k, g)).collect::<String>()
        })
        .collect();
    format!(
        "<mujoco><option solver='{solver}' cone='{cone}'/><worldbody><geom type='plane' size='20 20 .1'/>{heaps}</worldbody></mujoco>"
    )
}

/// Everything that the solver decides, after some steps.
fn fall(model: &str, shares: usize) -> (Vec<u64>, usize) {
    let m = load_str(model).unwrap();
    let mut d = Data::new(&m).unwrap();
    d.solver_threads = shares;
    let mut islands = 0;
    let mut bits = Vec::new();
    for _ in 0..60 {
        step(&m, &mut d).unwrap();
        islands = islands.max(d.solution.islands.len());
        let stats = d.solution.islands.iter().map(|i| u64::from(i.niter) << 32 | u64::from(i.stat));
        let numbers = d.state.qpos.iter().chain(&d.state.qvel).chain(&d.solution.efc_force).map(|x| x.to_bits());
        bits.extend(numbers.chain(stats).chain(d.solution.stats.iter().map(|s| s.improvement.to_bits())));
    }
    (bits, islands)
}

#[test]
fn threads_change_no_bit() {
    for (solver, cone) in [("Newton", "pyramidal"), ("Newton", "elliptic"), ("CG", "pyramidal")] {
        let model = heaps(solver, cone);
        let (alone, islands) = fall(&model, 0);
        assert_eq!(islands, 11);
        for threads in [1, 2, 5] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let (shared, _) = pool.install(|| fall(&model, threads));
            assert!(alone == shared, "{solver}, {cone}: {threads} threads");
        }
    }
    // More shares than islands.
    let model = heaps("Newton", "pyramidal");
    assert!(fall(&model, 0) == fall(&model, 40));
}
