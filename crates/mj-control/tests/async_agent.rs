//! A planner on a thread of its own.

use mj_control::{AsyncAgent, ControlError, Cost, Ilqr, IlqrOptions, Norm, Planner, Residual};
use mj_engine::prelude::*;
use std::sync::Arc;
use std::time::Duration;

fn problem() -> (Arc<Model>, Cost, Planner) {
    let m = load_str(
        "<mujoco><option timestep='0.01'/><worldbody><body><joint name='x' type='slide' axis='1 0 0'/><geom size='.1'/></body>
         </worldbody><actuator><motor joint='x' ctrlrange='-50 50' ctrllimited='true'/></actuator></mujoco>",
    )
    .unwrap();
    let cost = Cost::new()
        .with("control", Residual::control(&m), Norm::Quadratic, 1e-4, 0.0)
        .with("goal", Residual::position(&m, &[1.0]).unwrap(), Norm::Quadratic, 1.0, 10.0)
        .with("rest", Residual::velocity(&m), Norm::Quadratic, 0.1, 1.0);
    let planner = Ilqr::new(&m, &cost, IlqrOptions { steps: 40, ..IlqrOptions::default() }).unwrap();
    (Arc::new(m), cost, Planner::Ilqr(Box::new(planner)))
}

#[test]
fn a_simulation_goes_on_while_plans_are_made() {
    let (m, cost, planner) = problem();
    let mut agent = AsyncAgent::start(m.clone(), cost, planner, 2).unwrap();
    let mut d = Data::new(&m).unwrap();
    let mut ctrl = [0.0];
    for _ in 0..300 {
        agent.control(&d.state, &mut ctrl).unwrap();
        d.state.ctrl.copy_from_slice(&ctrl);
        step(&m, &mut d).unwrap();
        std::thread::sleep(Duration::from_millis(1));
    }
    assert!((d.state.qpos[0] - 1.0).abs() < 0.05, "{:?}, plans of {} steps ago", d.state.qpos, agent.age());
    assert!(agent.rate().plans > 1 && agent.rate().seconds > 0.0);
}

#[test]
fn what_fails_there_is_told_here() {
    let (m, cost, planner) = problem();
    let mut agent = AsyncAgent::start(m.clone(), cost, planner, 1).unwrap();
    let mut state = State::new(&m);
    let mut ctrl = [0.0];
    assert!(matches!(agent.control(&state, &mut []), Err(ControlError::Length { .. })));
    state.qvel[0] = 1e200;
    assert!(matches!(agent.control(&state, &mut ctrl), Err(ControlError::Diverged)));
    state.qvel[0] = 0.0;
    assert!(matches!(agent.control(&state, &mut ctrl), Err(ControlError::PlannerEnded)));
    state.qvel[0] = f64::NAN;
    assert!(agent.control(&state, &mut ctrl).is_err());
}
