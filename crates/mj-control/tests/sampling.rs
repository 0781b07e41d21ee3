//! Sampling planners and agents.

use mj_control::*;
use mj_engine::prelude::*;

fn cart_pole() -> (Model, Cost) {
    let m = load_str(
        "<mujoco><option timestep='.02' integrator='implicitfast'/><worldbody><body><joint name='x' type='slide' axis='1 0 0' damping='.1'/>
         <geom size='.1' mass='1' contype='0'/><body><joint name='pole' axis='0 1 0'/><geom size='.03' pos='0 0 .6' mass='.1' contype='0'/>
         </body></body></worldbody><actuator><motor joint='x' gear='10' ctrlrange='-1 1' ctrllimited='true'/></actuator></mujoco>",
    )
    .unwrap();
    let cost = Cost::new()
        .with("control", Residual::control(&m), Norm::Quadratic, 0.01, 0.0)
        .with("position", Residual::position(&m, &[0.0, 0.0]).unwrap(), Norm::Quadratic, 1.0, 20.0)
        .with("rest", Residual::velocity(&m), Norm::Quadratic, 0.05, 1.0);
    (m, cost)
}

fn improved(m: &Model, cost: &Cost, method: Method, threads: usize) -> (Vec<f64>, Vec<f64>) {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    let options = SamplerOptions { method, steps: 40, samples: 24, noise: 0.4, ..SamplerOptions::default() };
    let mut sampler = Sampler::new(m, cost, options).unwrap();
    let mut state = State::new(m);
    state.qpos[1] = 0.2;
    let costs = pool.install(|| (0..12).map(|_| sampler.improve(m, cost, &state).unwrap()).collect());
    (costs, sampler.knots)
}

#[test]
fn every_method_improves_and_threads_do_not_matter() {
    let (m, cost) = cart_pole();
    for method in [Method::Predictive, Method::Cem { elites: 5 }, Method::Mppi { temperature: 1.0 }] {
        let (costs, knots) = improved(&m, &cost, method, 1);
        assert!(costs[11] < 0.8 * costs[0], "{method:?}: {costs:?}");
        if method == Method::Predictive {
            assert!(costs.windows(2).all(|c| c[1] <= c[0]), "{costs:?}");
        }
        assert_eq!((costs, knots), improved(&m, &cost, method, 4), "{method:?}");
    }
}

#[test]
fn agents_balance_a_pole() {
    let (m, cost) = cart_pole();
    let sampler = SamplerOptions { steps: 50, samples: 32, noise: 0.3, ..SamplerOptions::default() };
    let ilqr = IlqrOptions { steps: 50, ..IlqrOptions::default() };
    let planners = [
        Planner::Sampler(Box::new(Sampler::new(&m, &cost, sampler).unwrap())),
        Planner::Ilqr(Box::new(Ilqr::new(&m, &cost, ilqr).unwrap())),
    ];
    for planner in planners {
        let mut agent = Agent::new(planner, 2, 2);
        let mut d = Data::new(&m).unwrap();
        d.state.qpos[1] = 0.2;
        for _ in 0..250 {
            let mut u = [0.0];
            agent.control(&m, &cost, &d.state, &mut u).unwrap();
            d.state.ctrl.copy_from_slice(&u);
            step(&m, &mut d).unwrap();
        }
        assert!(d.state.qpos[1].abs() < 0.1, "{:?}", d.state.qpos);
        assert_eq!(agent.rate().plans, 125);
        assert!(agent.rate().hertz() > 0.0);
    }
}

#[test]
fn faults_are_told() {
    let (m, cost) = cart_pole();
    let new = |options| Sampler::new(&m, &cost, options);
    assert!(new(SamplerOptions { samples: 0, ..SamplerOptions::default() }).is_err());
    assert!(new(SamplerOptions { knots: 1000, ..SamplerOptions::default() }).is_err());
    assert!(new(SamplerOptions { method: Method::Cem { elites: 99 }, ..SamplerOptions::default() }).is_err());
    assert!(
        new(SamplerOptions { method: Method::Mppi { temperature: f64::NAN }, ..SamplerOptions::default() }).is_err()
    );
}
