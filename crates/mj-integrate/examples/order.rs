//! How the error of a tumbling body's orientation falls with the time step, with Runge-Kutta.

use mj_dynamics::Transmissions;
use mj_integrate::{Rk4Workspace, System, rk4};
use mj_math::{DVec3, quat};
use mj_model::Model;
use mj_model::model::{BodyRow, DofRow, JointRow};
use mj_model::{BodyId, DofId, JointId, JointType, State};

/// Principal moments of the body.
const MOMENTS: DVec3 = DVec3::new(3.0, 2.0, 1.0);

/// A body on a ball joint through its centre of mass, without torque: Euler's equations.
struct Tumbling {
    state: State,
    transmissions: Transmissions,
    qacc: [f64; 3],
}

impl System for Tumbling {
    fn state(&mut self) -> &mut State {
        &mut self.state
    }
    fn rates(&self) -> (&[f64], &[f64]) {
        (&self.qacc, &[])
    }
    fn parts(&mut self) -> (&mut State, &Transmissions) {
        (&mut self.state, &self.transmissions)
    }
    fn forward(&mut self) {
        let w = DVec3::from_slice(&self.state.qvel);
        self.qacc = ((MOMENTS * w).cross(w) / MOMENTS).to_array();
    }
}

fn model() -> Model {
    let mut m = Model::default();
    m.body.push(BodyRow::default());
    let joint = Some(JointId::new(0));
    m.body.push(BodyRow { jntnum: 1, jntadr: joint, dofnum: 3, dofadr: Some(DofId::new(0)), ..Default::default() });
    m.jnt.push(JointRow { r#type: JointType::Ball, bodyid: BodyId::new(1), ..Default::default() });
    for i in 0..3 {
        m.dof.push(DofRow {
            bodyid: BodyId::new(1),
            parentid: (i > 0).then(|| DofId::new(i - 1)),
            ..Default::default()
        });
    }
    m.qpos0 = vec![1.0, 0.0, 0.0, 0.0];
    m
}

/// Orientation after two seconds in so many steps.
fn simulate(steps: usize) -> mj_math::DQuat {
    let mut m = model();
    m.opt.timestep = 2.0 / steps as f64;
    let mut state = State::new(&m);
    state.qvel.copy_from_slice(&[0.3, 2.0, 0.1]);
    let mut system = Tumbling { state, transmissions: Transmissions::default(), qacc: [0.0; 3] };
    let mut ws = Rk4Workspace::default();
    for _ in 0..steps {
        system.forward();
        rk4(&m, &mut system, &mut ws);
    }
    quat::read(&system.state.qpos)
}

fn main() {
    let exact = simulate(20_000);
    let mut before = None;
    println!("steps   error, rad   order");
    for steps in [50, 100, 200, 400, 800] {
        let error = quat::sub(simulate(steps), exact).length();
        let order = before.map_or(String::new(), |b: f64| format!("{:.2}", (b / error).log2()));
        println!("{steps:5}   {error:.3e}    {order}");
        before = Some(error);
    }
}
