//! Table 1 of 2012: evaluations a second of the smooth dynamics, one thread.

use crate::text::{Error, table, thousands};
use crate::timing::microseconds;
use mj_dynamics as dynamics;
use mj_engine::{Model, State, load_str};
use mj_math::block::Run;
use std::hint::black_box;

/// The models, with what the paper measured: without and with M\τ.
fn models() -> Result<Vec<(&'static str, Model, f64, f64)>, Error> {
    let free = "<body><freejoint/><geom size='0.1' contype='0' conaffinity='0'/></body>";
    // A wrist and five fingers of six joints.
    let hand = format!(
        "<body><joint axis='1 0 0'/><joint axis='0 1 0'/><geom size='0.05' contype='0' conaffinity='0'/>{}</body>",
        chain(6).repeat(5)
    );
    let world = |bodies: &str| load_str(&format!("<mujoco><worldbody>{bodies}</worldbody></mujoco>"));
    Ok(vec![
        ("isolated", world(&format!("{}{}", free.repeat(5), chain(1).repeat(4)))?, 151_000.0, 133_000.0),
        ("chain", world(&chain(31))?, 103_000.0, 41_000.0),
        ("hand", world(&hand)?, 101_000.0, 76_000.0),
        ("humanoid", load_str(&humanoid_with_a_neck()?)?, 123_000.0, 75_000.0),
    ])
}

/// A chain of `n` links that turn about alternating axes.
fn chain(n: usize) -> String {
    let axis = ["0 1 0", "1 0 0"][n % 2];
    let inner = if n > 1 { chain(n - 1) } else { String::new() };
    format!(
        "<body pos='0 0 0.1'><joint axis='{axis}'/>\
         <geom type='capsule' size='0.02' fromto='0 0 0 0 0 0.1' contype='0' conaffinity='0'/>{inner}</body>"
    )
}

/// Our humanoid has 27 degrees of freedom, the paper's has 29: two more joints, below the head.
fn humanoid_with_a_neck() -> Result<String, Error> {
    let text = include_str!("../../../models/humanoid.xml");
    let line = text.lines().find(|l| l.contains("<geom name=\"head\"")).ok_or("the humanoid has no head")?;
    let neck = "<body><joint axis='0 1 0' pos='0 0 .36'/><joint axis='0 0 1' pos='0 0 .36'/>";
    Ok(text.replace(line, &format!("{neck}{line}</body>")))
}

/// The table.
pub fn section() -> Result<String, Error> {
    let rows = models()?.into_iter().map(|(name, m, paper, paper_solve)| {
        let [plain, solved] = [false, true].map(|solve| 1e6 / microseconds(2e4, evaluation(&m, solve)));
        let round = |x: f64| thousands((x / 1000.0).round() * 1000.0);
        vec![
            name.into(),
            m.nv().to_string(),
            round(plain),
            thousands(paper),
            format!("{:.1}", plain / paper),
            round(solved),
            thousands(paper_solve),
            format!("{:.1}", solved / paper_solve),
        ]
    });
    let head = ["model", "dofs", "ours", "paper", "times", "ours with M\\τ", "paper", "times"];
    Ok(format!(
        "Evaluations a second of M, bias forces, kinematics and the Jacobians of all bodies, one thread; with M\\τ the \
         factorization of M and one solution are added. The paper's processors are Intel's of 2007 to 2010 at about \
         3 GHz, averaged. The four models are ours, of the paper's kinds and sizes.\n\n{}",
        table(&head, rows)
    ))
}

/// A closure that evaluates the smooth dynamics once.
fn evaluation(m: &Model, solve: bool) -> impl FnMut() + '_ {
    let dynamics::Dynamics { plan, smooth: mut d, mut work } = dynamics::Dynamics::new(m);
    let mut s = State::new(m);
    s.qvel.iter_mut().enumerate().for_each(|(i, v)| *v = 0.1 * i as f64);
    let mut qfrc = vec![0.0; m.nv()];
    let mut jac: Vec<Vec<f64>> = m.body.ids().map(|b| vec![0.0; 6 * columns(plan.chains.of(b))]).collect();
    move || {
        dynamics::kinematics(m, &s, &mut d.poses);
        dynamics::com_pos(m, &s.awake, &mut d.poses);
        for (b, jac) in m.body.ids().zip(&mut jac) {
            let runs = plan.chains.of(b);
            let (translation, rotation) = jac.split_at_mut(3 * columns(runs));
            translation.fill(0.0);
            rotation.fill(0.0);
            let point = dynamics::BodyPoint::new(m, &plan.chains, &d.poses, b, d.poses.xipos[b]);
            point.add_translation(runs, 1.0, translation);
            point.add_rotation(runs, 1.0, rotation);
        }
        black_box(&jac);
        dynamics::crb(m, &s.awake, &d.poses, &mut d.inertia);
        dynamics::com_vel(m, &s, &d.poses, &mut d.velocities);
        dynamics::rne(m, &s, &d.poses, &d.velocities, None, &mut work, &mut qfrc);
        if solve {
            d.inertia.factor(m, &s.awake);
            d.inertia.solve(m, &mut qfrc);
        }
        black_box(&qfrc);
    }
}

fn columns(runs: &[Run]) -> usize {
    runs.iter().map(|r| r.len as usize).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_models_have_the_papers_sizes() {
        let sizes: Vec<usize> = models().unwrap().iter().map(|m| m.1.nv()).collect();
        assert_eq!(sizes, [34, 31, 32, 29]);
    }
}
