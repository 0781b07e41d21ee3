//! Derivatives of moment arms and of springs, by position.

use super::{by_position, by_position_over};
use mj_dynamics::*;
use mj_model::model::*;
use mj_model::*;
use mj_testkit::any_model;
use proptest::prelude::*;

/// Joint-space moment arms of row `row` of tendons or of actuators.
fn arms(d: &Dynamics, nv: usize, tendons: bool) -> Vec<f64> {
    let rows = if tendons { &d.smooth.transmissions.ten_J } else { &d.smooth.transmissions.actuator_moment };
    let mut dense = vec![0.0; rows.nrows() * nv];
    rows.to_dense(&mut dense);
    dense
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Derivatives of tendons that are straight, wrapped, over pulleys, and of wrenches on sites, slider-cranks and joints.
    #[test]
    fn moment_arms_by_position((mut m, s) in any_model()) {
        let gear = [1.5, -0.4, 0.7, 0.2, 0.3, -0.6];
        let last = m.site.len() as i32 - 1;
        let mut kinds = vec![
            (TrnType::Tendon, [0, -1]),
            (TrnType::SliderCrank, [0, last]),
            (TrnType::Site, [last, -1]),
            (TrnType::Site, [0, last]),
        ];
        for j in m.jnt.ids() {
            kinds.extend([TrnType::Joint, TrnType::JointInParent].map(|t| (t, [j.index() as i32, -1])));
        }
        for (k, &(trntype, trnid)) in kinds.iter().enumerate() {
            m.actuator.push(ActuatorRow {
                trntype,
                trnid,
                cranklength: 5.0,
                actadr: -1,
                ctrladr: k as u32,
                ctrlnum: 1,
                outadr: k as u32,
                outnum: 1,
                ..Default::default()
            });
            m.control.push(ControlRow::default());
            m.output.push(OutputRow { gear, ..Default::default() });
        }
        let nv = m.nv();
        let mut s = s;
        s.ctrl.resize(m.nu(), 0.0);
        let mut d = Dynamics::new(&m);
        d.forward(&m, &s);
        let mut got = ArmDerivative::new(&m);
        for tendons in [true, false] {
            let differences = |h: f64| {
                by_position_over(h, &m, &s, |s| {
                    let mut d = Dynamics::new(&m);
                    d.forward(&m, s);
                    arms(&d, nv, tendons)
                })
            };
            let (want, finer) = (differences(1e-5), differences(5e-6));
            let rows = if tendons { m.tendon.len() } else { m.actuator.len() };
            for row in 0..rows {
                let smooth = if tendons {
                    got.of_tendon(&m, &d.plan.chains, &d.smooth.poses, &d.smooth.transmissions, TendonId::new(row))
                } else {
                    got.of_actuator(&m, &d.plan.chains, &d.smooth.poses, &d.smooth.transmissions, ActuatorId::new(row))
                };
                prop_assert!(smooth);
                let matrix = if tendons { &d.smooth.transmissions.ten_J } else { &d.smooth.transmissions.actuator_moment };
                let dofs: Vec<usize> = matrix.row(row).0.iter()
                    .flat_map(|r| r.start as usize..(r.start + r.len) as usize).collect();
                for j in 0..nv {
                    let own = dofs.iter().position(|&x| x == j);
                    for k in 0..nv {
                        let (want, finer) = (want[j][row * nv + k], finer[j][row * nv + k]);
                        // Paths that jump to another side of a geom, or nearly touch it with an end.
                        if want.abs() > 1e3 {
                            continue;
                        }
                        // The error of the finer differences is a third of this.
                        let unsure = (want - finer).abs();
                        let at = dofs.iter().position(|&x| x == k);
                        let got = own.zip(at).map_or(0.0, |(j, k)| got.values[j * dofs.len() + k]);
                        prop_assert!((got - finer).abs() < 1e-5 * (1.0 + want.abs()) + unsure, "{tendons} {row} ({j}, {k}): {got} {finer}");
                    }
                }
            }
        }
    }

    /// Springs of all joints, against differences of their forces.
    #[test]
    fn joint_springs_by_position((mut m, s) in any_model(), k in 0.1..3.0f64, p in 0.0..1.0f64) {
        for j in m.jnt.ids() {
            (m.jnt.stiffness[j], m.jnt.stiffnesspoly[j]) = (k, [0.5 * p, p]);
        }
        let nv = m.nv();
        let want = by_position(&m, &s, |s| {
            let mut d = Dynamics::new(&m);
            d.forward(&m, s);
            let mut f = d.smooth.velocities.qfrc_spring.clone();
            let mut tendon = vec![0.0; nv];
            for t in m.tendon.ids() {
                let force = tendon_passive_force(&m, s, &d.smooth.transmissions, &d.smooth.velocities, t);
                d.smooth.transmissions.ten_J.for_each_in_row(t.index(), |i, x| tendon[i] += force * x);
            }
            f.iter_mut().zip(&tendon).for_each(|(f, t)| *f -= t);
            f
        });
        let mut got = vec![0.0; nv * nv];
        for j in m.jnt.ids() {
            mj_dynamics::joint_spring_derivative(&m, &s, j, |a, b, x| got[a * nv + b] = x);
        }
        for a in 0..nv {
            for b in 0..nv {
                let (got, want) = (got[a * nv + b], -want[a][b]);
                prop_assert!((got - want).abs() < 1e-6 * (1.0 + want.abs()), "({a}, {b}): {got} {want}");
            }
        }
    }
}
