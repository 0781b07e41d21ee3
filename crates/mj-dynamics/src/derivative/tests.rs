//! Against central differences of the forces.

use super::*;
use crate::testmodel::any_model;
use crate::{Dynamics, integrate_pos, tendon_passive_force};
use mj_math::DVec3;
use mj_model::model::*;
use proptest::prelude::*;

fn results(d: &Dynamics) -> &Smooth {
    &d.smooth
}

/// Column `k` of ∂force/∂velocity by central differences.
fn difference(m: &Model, s: &State, k: usize, force: impl Fn(&Dynamics) -> Vec<f64>) -> Vec<f64> {
    let mut d = Dynamics::new(m);
    let mut at = |h: f64| {
        let mut s = s.clone();
        s.qvel[k] += h;
        d.forward(m, &s);
        force(&d)
    };
    let h = 1e-5;
    at(h).into_iter().zip(at(-h)).map(|(a, b)| (a - b) / (2.0 * h)).collect()
}

/// Checks every entry that the pattern holds; returns the greatest magnitude among them.
fn check(m: &Model, s: &State, bias: BiasOf, force: impl Fn(&Dynamics) -> Vec<f64>) -> f64 {
    let mut d = Dynamics::new(m);
    d.forward(m, s);
    let mut got = VelocityDerivative::new(m);
    got.compute(m, &d.plan.chains, s, results(&d), bias);
    let want: Vec<Vec<f64>> = (0..m.nv()).map(|k| difference(m, s, k, &force)).collect();
    let scale = want.iter().flatten().fold(1.0, |a: f64, b| a.max(b.abs()));
    for i in 0..m.nv() {
        for at in got.pattern.row(i) {
            let j = got.pattern.colind[at] as usize;
            assert!(
                (got.lower[at] - want[j][i]).abs() < 1e-6 * scale,
                "({i}, {j}): {} against {}",
                got.lower[at],
                want[j][i]
            );
            if j != i {
                assert!(
                    (got.upper[at] - want[i][j]).abs() < 1e-6 * scale,
                    "({j}, {i}): {} against {}",
                    got.upper[at],
                    want[i][j]
                );
            }
        }
    }
    scale
}

/// Passive and actuator forces.
fn applied(d: &Dynamics) -> Vec<f64> {
    d.smooth.velocities.qfrc_passive.iter().zip(&d.smooth.actuation.qfrc_actuator).map(|(p, a)| p + a).collect()
}

/// Everything: without external forces that is what accelerates.
fn smooth(d: &Dynamics) -> Vec<f64> {
    d.smooth.actuation.qfrc_smooth.clone()
}

/// Actuators on the tendon of the model: a damper, one with an affine gain, a muscle.
fn add_actuators(m: &mut Model) {
    let kinds = [
        (GainType::Fixed, BiasType::Affine, [1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]),
        (GainType::Affine, BiasType::None, [1.0, 0.3, -0.8, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]),
        (GainType::Muscle, BiasType::Muscle, [0.75, 1.05, 3.0, 200.0, 0.5, 1.6, 8.0, 1.3, 1.2, 0.0]),
    ];
    for (k, (gaintype, biastype, gainprm)) in kinds.into_iter().enumerate() {
        let mut biasprm = gainprm;
        if biastype == BiasType::Affine {
            biasprm[..3].copy_from_slice(&[0.1, -2.0, -0.7]);
        }
        m.actuator.push(ActuatorRow {
            gaintype,
            biastype,
            gainprm,
            biasprm,
            trntype: TrnType::Tendon,
            trnid: [0, -1],
            ctrlnum: 1,
            outnum: 1,
            ctrladr: k as u32,
            outadr: k as u32,
            actadr: -1,
            ..Default::default()
        });
        m.control.push(ControlRow::default());
        m.output.push(OutputRow {
            gear: [1.5, 0.0, 0.0, 0.0, 0.0, 0.0],
            lengthrange: [0.5, 4.0],
            ..Default::default()
        });
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn bias_force((m, s) in any_model()) {
        check(&m, &s, BiasOf::All, smooth);
    }

    #[test]
    fn dampers((mut m, s) in any_model(), b in 0.1..2.0f64) {
        for d in m.dof.ids() {
            (m.dof.damping[d], m.dof.dampingpoly[d]) = (b, [0.5, 0.2 * b]);
        }
        let t = TendonId::new(0);
        (m.tendon.damping[t], m.tendon.dampingpoly[t]) = (2.0 * b, [0.3, 0.1]);
        check(&m, &s, BiasOf::None, applied);
        m.opt.disableflags = disable::DAMPER;
        check(&m, &s, BiasOf::None, applied);
    }

    #[test]
    fn actuators((mut m, mut s) in any_model(), u in 0.1..1.0f64) {
        add_actuators(&mut m);
        s.ctrl = vec![u; 3];
        check(&m, &s, BiasOf::None, applied);
        m.opt.disableactuator = 1;
        prop_assert_eq!(check(&m, &s, BiasOf::None, applied), 1.0);
    }

    /// Fluid of both kinds, everything else besides.
    #[test]
    fn fluid((mut m, mut s) in any_model(), p in prop::collection::vec(0.1..1.0f64, 11)) {
        for b in m.body.ids().skip(1) {
            if b.index() % 2 == 0 {
                let mut fluid = [1.0; 12];
                fluid[1..].copy_from_slice(&p);
                let g = m.geom.push(GeomRow {
                    r#type: GeomType::Ellipsoid,
                    bodyid: b,
                    size: DVec3::new(0.1, 0.2, 0.15),
                    pos: DVec3::new(0.1, 0.0, -0.2),
                    quat: mj_math::quat::exp(DVec3::new(p[0], p[1], p[2])),
                    fluid,
                    ..Default::default()
                });
                (m.body.geomadr.edit()[b], m.body.geomnum.edit()[b]) = (Some(g), 1);
            }
        }
        (m.opt.density, m.opt.viscosity, m.opt.wind) = (1.2, 0.3, DVec3::new(0.5, 0.1, -0.2));
        add_actuators(&mut m);
        s.ctrl = vec![0.4; 3];
        check(&m, &s, BiasOf::All, smooth);
    }

    /// For free bodies that carry nothing, the part is the whole.
    #[test]
    fn free_bodies((m, s) in any_model()) {
        let mut d = Dynamics::new(&m);
        d.forward(&m, &s);
        let (mut all, mut free) = (VelocityDerivative::new(&m), VelocityDerivative::new(&m));
        all.compute(&m, &d.plan.chains, &s, results(&d), BiasOf::All);
        free.compute(&m, &d.plan.chains, &s, results(&d), BiasOf::FreeBodies);
        for i in 0..m.nv() {
            let is_free = free.free.iter().any(|f| (f.index()..f.index() + 6).contains(&i));
            for at in all.pattern.row(i) {
                let want = if is_free { [all.lower[at], all.upper[at]] } else { [0.0; 2] };
                prop_assert!((free.lower[at] - want[0]).abs() < 1e-12 && (free.upper[at] - want[1]).abs() < 1e-12);
            }
        }
    }
}

/// Force of a motion less that of wrenches fixed in the world, given about its origin.
fn needed(m: &Model, s: &State, qacc: Option<&[f64]>, wrenches: &[Spatial]) -> Vec<f64> {
    let mut d = Dynamics::new(m);
    d.forward(m, s);
    let mut tau = vec![0.0; m.nv()];
    crate::rne(m, s, &d.smooth.poses, &d.smooth.velocities, qacc, &mut d.work, &mut tau);
    for b in m.body.ids().skip(1) {
        let w = wrenches[b.index()].force_at(d.smooth.poses.subtree_com[m.body.rootid[b]]);
        for dof in d.plan.chains.of(b).iter().flat_map(|r| r.start as usize..(r.start + r.len) as usize) {
            tau[dof] -= d.smooth.poses.cdof.as_slice()[dof].dot(w);
        }
    }
    tau
}

/// Dense ∂τ/∂q by central differences.
fn by_position(m: &Model, s: &State, tau: impl Fn(&State) -> Vec<f64>) -> Vec<Vec<f64>> {
    by_position_over(1e-5, m, s, tau)
}

fn by_position_over(h: f64, m: &Model, s: &State, tau: impl Fn(&State) -> Vec<f64>) -> Vec<Vec<f64>> {
    let at = |k: usize, h: f64| {
        let (mut s, mut direction) = (s.clone(), vec![0.0; m.nv()]);
        direction[k] = 1.0;
        integrate_pos(m, &mut s.qpos, &direction, h);
        tau(&s)
    };
    (0..m.nv()).map(|k| at(k, h).iter().zip(at(k, -h)).map(|(a, b)| (a - b) / (2.0 * h)).collect()).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Of all motions, and of M q̈ alone, with forces from outside on every body.
    #[test]
    fn inverse_dynamics_by_position(
        (m, s) in any_model(),
        a in prop::collection::vec(-3.0..3.0f64, 60),
        w in prop::collection::vec(-2.0..2.0f64, 6 * 20),
    ) {
        prop_assume!(m.nv() <= 60 && m.body.len() <= 20);
        let qacc = &a[..m.nv()];
        let wrenches: Vec<Spatial> = w.chunks_exact(6).map(Spatial::from_slice).collect();
        let none = vec![Spatial::ZERO; m.body.len()];
        let mut d = Dynamics::new(&m);
        d.forward(&m, &s);
        let outside: Vec<Spatial> = m.body.ids()
            .map(|b| wrenches[b.index()].force_at(d.smooth.poses.subtree_com[m.body.rootid[b]]))
            .collect();
        let mut got = PositionDerivative::new(&m);
        for moving in [true, false] {
            let want = if moving {
                got.compute(&m, &s, &d.smooth.poses, &d.smooth.inertia, Motion::Moving(&d.smooth.velocities), qacc, &outside);
                by_position(&m, &s, |s| needed(&m, s, Some(qacc), &wrenches))
            } else {
                got.compute(&m, &s, &d.smooth.poses, &d.smooth.inertia, Motion::FromRest, qacc, &none);
                let still = |s: &State| State { qvel: vec![0.0; m.nv()], ..s.clone() };
                by_position(&m, &s, |s| {
                    let s = still(s);
                    let bias = needed(&m, &s, None, &none);
                    needed(&m, &s, Some(qacc), &none).iter().zip(bias).map(|(a, b)| a - b).collect()
                })
            };
            let scale = want.iter().flatten().fold(1.0, |x: f64, y| x.max(y.abs()));
            let mut dense = vec![vec![0.0; m.nv()]; m.nv()];
            for i in 0..m.nv() {
                for at in got.pattern.row(i) {
                    let j = got.pattern.colind[at] as usize;
                    dense[i][j] = got.lower[at];
                    if j != i {
                        dense[j][i] = got.upper[at];
                    }
                }
            }
            for i in 0..m.nv() {
                for j in 0..m.nv() {
                    let (g, w) = (dense[i][j], want[j][i]);
                    prop_assert!((g - w).abs() < 1e-6 * scale, "moving {moving} ({i}, {j}): {g} against {w}");
                }
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// Of the bias force's derivative along any velocity, against differences of that derivative.
    #[test]
    fn curvature_of_the_bias_force((m, s) in any_model(), x in prop::collection::vec(-3.0..3.0f64, 60)) {
        prop_assume!(m.nv() <= 60);
        let (nv, x) = (m.nv(), &x[..m.nv()]);
        let along = |s: &State| {
            let (mut d, mut v) = (Dynamics::new(&m), VelocityDerivative::new(&m));
            d.forward(&m, s);
            v.compute_without_transmissions(&m, &d.plan.chains, s, results(&d));
            let mut y = vec![0.0; nv];
            v.pattern.mul_unsymmetric(&v.lower, &v.upper, x, &mut y);
            y.iter().map(|y| -y).collect::<Vec<_>>()
        };
        let by_q = by_position(&m, &s, along);
        let by_v: Vec<Vec<f64>> = (0..nv).map(|k| {
            let at = |h: f64| {
                let mut s = s.clone();
                s.qvel[k] += h;
                along(&s)
            };
            at(1.0).iter().zip(at(-1.0)).map(|(a, b)| 0.5 * (a - b)).collect()
        }).collect();
        let mut d = Dynamics::new(&m);
        d.forward(&m, &s);
        let mut got = BiasCurvature::new(&m);
        got.compute(&m, &s, results(&d), x, BiasOf::All);
        let mut dense = vec![[0.0; 2]; nv * nv];
        got.for_each(0..nv, |moved, dof, by| dense[moved * nv + dof] = by);
        let scale = by_q.iter().chain(&by_v).flatten().fold(1.0, |a: f64, b| a.max(b.abs()));
        for k in 0..nv {
            for i in 0..nv {
                for (got, want) in dense[k * nv + i].into_iter().zip([by_q[k][i], by_v[k][i]]) {
                    prop_assert!((got - want).abs() < 1e-6 * scale, "({i} by {k}): {got} against {want}");
                }
            }
        }
    }

}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    /// The fluid's forces by position, and the parts of their slope along any velocity by position and by velocity.
    #[test]
    fn fluid_forces_and_slopes((mut m, mut s) in any_model(), x in prop::collection::vec(-3.0..3.0f64, 60)) {
        prop_assume!(m.nv() <= 60);
        (m.opt.density, m.opt.viscosity, m.opt.wind) = (1.2, 0.3, DVec3::new(0.5, 0.1, -0.2));
        for b in m.body.ids().skip(1).filter(|b| b.index() % 2 == 0) {
            let fluid = [1.0, 0.5, 0.25, 1.5, 1.0, 1.0, 0.3, 0.4, 0.5, 0.1, 0.2, 0.3];
            let row = GeomRow { r#type: GeomType::Ellipsoid, bodyid: b, size: DVec3::new(0.1, 0.2, 0.15), fluid, ..Default::default() };
            let g = m.geom.push(row);
            (m.body.geomadr.edit()[b], m.body.geomnum.edit()[b]) = (Some(g), 1);
        }
        s.awake.wake_all(&m);
        let (nv, x) = (m.nv(), &x[..m.nv()]);
        let at = |s: &State| {
            let mut d = Dynamics::new(&m);
            d.forward(&m, s);
            d
        };
        let d = at(&s);
        let mut got = FluidDerivative::new(&m);
        let same = |got: &[f64], want: &[Vec<f64>], what: &str| -> Result<(), TestCaseError> {
            let scale = want.iter().flatten().fold(1.0, |a: f64, b| a.max(b.abs()));
            for (k, want) in want.iter().enumerate() {
                for (i, want) in want.iter().enumerate() {
                    let got = got[k * nv + i];
                    prop_assert!((got - want).abs() < 1e-5 * scale, "{what} ({i} by {k}): {got} against {want}");
                }
            }
            Ok(())
        };
        let mut dense = vec![0.0; nv * nv];
        got.by_position(&m, &d.plan.chains, &s, results(&d), |k, i, x| dense[k * nv + i] += x);
        same(&dense, &by_position(&m, &s, |s| at(s).smooth.velocities.qfrc_fluid.clone()), "force")?;

        for part in [FluidPart::All, FluidPart::Drag] {
            let slope = |s: &State| {
                let (d, mut v) = (at(s), VelocityDerivative::new(&m));
                match part {
                    FluidPart::Drag => v.compute_drag(&m, &d.plan.chains, s, results(&d)),
                    _ => fluids::add(&m, &d.plan.chains, &s.awake, results(&d), part, &mut v),
                }
                v
            };
            let times_x = |s: &State| {
                let v = slope(s);
                let mut y = vec![0.0; nv];
                v.pattern.mul_unsymmetric(&v.lower, &v.upper, x, &mut y);
                y
            };
            let diagonal = |s: &State| {
                let v = slope(s);
                (0..nv).map(|i| v.lower[v.pattern.diag(i)]).collect::<Vec<_>>()
            };
            let by_velocity = |f: &dyn Fn(&State) -> Vec<f64>| -> Vec<Vec<f64>> {
                (0..nv).map(|k| {
                    let at = |h: f64| {
                        let mut s = s.clone();
                        s.qvel[k] += h;
                        f(&s)
                    };
                    at(1e-5).iter().zip(at(-1e-5)).map(|(a, b)| (a - b) / 2e-5).collect()
                }).collect()
            };
            let mut dense = [vec![0.0; nv * nv], vec![0.0; nv * nv]];
            got.of_slope(&m, &d.plan.chains, &s, results(&d), x, part, |k, i, by| {
                dense.iter_mut().zip(by).for_each(|(out, x)| out[k * nv + i] += x);
            });
            let full = slope(&s).pattern;
            if (0..nv).all(|i| m.m_pattern.row(i).len() == full.row(i).len()) {
                same(&dense[0], &by_position(&m, &s, times_x), "slope by position")?;
                same(&dense[1], &by_velocity(&times_x), "slope by velocity")?;
            }
            dense.iter_mut().for_each(|x| x.fill(0.0));
            got.of_diagonal(&m, &d.plan.chains, &s, results(&d), part, |k, i, by| {
                dense.iter_mut().zip(by).for_each(|(out, x)| out[k * nv + i] += x);
            });
            same(&dense[0], &by_position(&m, &s, diagonal), "diagonal by position")?;
            same(&dense[1], &by_velocity(&diagonal), "diagonal by velocity")?;
        }
    }

    #[test]
    fn diagonal_of_the_inertia_by_position((m, s) in any_model()) {
        let nv = m.nv();
        let diagonal = |s: &State| {
            let mut d = Dynamics::new(&m);
            d.forward(&m, s);
            (0..nv).map(|i| d.smooth.inertia.M[m.m_pattern.diag(i)]).collect::<Vec<_>>()
        };
        let want = by_position(&m, &s, diagonal);
        let scale = want.iter().flatten().fold(1.0, |a: f64, b| a.max(b.abs()));
        let mut d = Dynamics::new(&m);
        d.forward(&m, &s);
        let mut got = Vec::new();
        inertia_diagonal_derivative(&m, &d.smooth.poses, &d.smooth.inertia, &mut got);
        for k in 0..nv {
            for i in 0..nv {
                let (got, want) = (got[k * nv + i], want[k][i]);
                prop_assert!((got - want).abs() < 1e-6 * scale, "({i} by {k}): {got} against {want}");
            }
        }
    }
}

/// A servo at its force limit no longer damps, nor one at its joint's.
#[test]
fn saturated_actuators_do_not_damp() {
    let mut m = crate::testmodel::pendulum(1.0, 1.0);
    let mut biasprm = [0.0; 10];
    biasprm[2] = -2.0;
    m.actuator.push(ActuatorRow {
        biastype: BiasType::Affine,
        biasprm,
        trntype: TrnType::Joint,
        trnid: [0, -1],
        ctrlnum: 1,
        outnum: 1,
        actadr: -1,
        ..Default::default()
    });
    m.control.push(ControlRow::default());
    m.output.push(OutputRow { gear: [3.0, 0.0, 0.0, 0.0, 0.0, 0.0], ..Default::default() });
    let slope = |m: &Model| {
        let mut s = State::new(m);
        integrate_pos(m, &mut s.qpos, &[1.0], 0.1);
        s.qvel[0] = 0.5;
        let (mut d, mut v) = (Dynamics::new(m), VelocityDerivative::new(m));
        d.forward(m, &s);
        v.compute(m, &d.plan.chains, &s, results(&d), BiasOf::None);
        v.lower[0]
    };
    assert_eq!(slope(&m), -18.0);
    let (a, j) = (ActuatorId::new(0), JointId::new(0));
    (m.actuator.forcelimited[a], m.actuator.forcerange[a]) = (true, [-2.9, 2.9]);
    assert_eq!(slope(&m), 0.0);
    m.actuator.forcelimited[a] = false;
    (m.jnt.actfrclimited[j], m.jnt.actfrcrange[j]) = (true, [-8.9, 8.9]);
    assert_eq!(slope(&m), 0.0);
}

/// Joint-space moment arms of row `row` of tendons or of actuators.
fn arms(d: &Dynamics, nv: usize, tendons: bool) -> Vec<f64> {
    let rows = if tendons { &d.smooth.transmissions.ten_J } else { &d.smooth.transmissions.actuator_moment };
    let mut dense = vec![0.0; rows.nrows() * nv];
    rows.to_dense(&mut dense);
    dense
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Of tendons that are straight, wrapped, over pulleys, and of wrenches on sites, slider-cranks and joints.
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
            crate::joint_spring_derivative(&m, &s, j, |a, b, x| got[a * nv + b] = x);
        }
        for a in 0..nv {
            for b in 0..nv {
                let (got, want) = (got[a * nv + b], -want[a][b]);
                prop_assert!((got - want).abs() < 1e-6 * (1.0 + want.abs()), "({a}, {b}): {got} {want}");
            }
        }
    }
}
