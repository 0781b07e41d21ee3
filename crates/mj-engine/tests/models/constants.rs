//! Constants of a model computed again after an edit.

use mj_engine::model::{ActuatorId, BodyId, GeomId, JointId, SleepPolicy, TendonId, TreeId};
use mj_engine::{Model, SetConstError, load, load_str, set_const};
use std::path::Path;

const PAIR: &str = "<mujoco><worldbody>
    <body name='a'><joint name='ja'/><geom size='.1' pos='.3 0 0' fluidshape='ellipsoid'/></body>
    <body name='b' pos='1 0 0'><joint name='jb'/><geom type='box' size='.1 .2 .3' pos='0 .3 0'/></body>
    <body name='ball' pos='2 0 0'><freejoint/><geom size='.1'/></body>
  </worldbody>
  <tendon><fixed name='tie'><joint joint='ja' coef='1'/><joint joint='jb' coef='-1'/></fixed></tendon>
  <actuator><motor name='push' joint='ja' gear='2'/></actuator>
</mujoco>";

fn model() -> Model {
    load_str(PAIR).unwrap()
}

#[test]
fn constants_of_a_compiled_model_stay() {
    let models = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models");
    let files = std::fs::read_dir(models).unwrap().map(|f| f.unwrap().path());
    let mut n = 0;
    for path in files.filter(|p| p.extension().is_some_and(|e| e == "xml")) {
        let m = load(&path).unwrap();
        let mut copy = m.clone();
        set_const(&mut copy).unwrap();
        assert!(copy == m, "{}", path.display());
        n += 1;
    }
    assert!(n > 10);
}

/// A pendulum's inertia, bounds and added mass, worked out by hand.
#[test]
fn constants_follow_masses_and_sizes() {
    let mut m = model();
    let (body, geom) = (m.body_id("a").unwrap(), GeomId::new(0));
    m.body.mass[body] = 2.0;
    m.body.inertia[body] = mj_math::DVec3::splat(0.5);
    m.geom.size[geom].x = 0.2;
    m.geom.margin[geom] = 0.01;
    m.geom.gap[geom] = 0.02;
    m.geom.contype[geom] = 6;
    m.actuator.armature[ActuatorId::new(0)] = 0.25;
    set_const(&mut m).unwrap();
    // Its inertia, and the motor's armature times its gear squared.
    let inertia = 0.5 + 2.0 * 0.3 * 0.3 + 0.25 * 4.0;
    let d = m.jnt.dofadr[JointId::new(0)];
    assert!((m.dof.M0[d] - inertia).abs() < 1e-12 && (m.dof.invweight0[d] - 1.0 / inertia).abs() < 1e-12);
    assert_eq!(m.body.subtreemass[body], 2.0);
    assert_eq!((m.geom.rbound[geom], m.geom.aabb[geom]), (0.2, [0.0, 0.0, 0.0, 0.2, 0.2, 0.2]));
    assert_eq!((m.body.margin[body], m.body.contype[body]), (0.03, 6));
    let half = 2.0 / 3.0 * std::f64::consts::PI * 0.2f64.powi(3);
    assert!((m.geom.fluid[geom][6] - half).abs() < 1e-6 * half);
}

#[test]
fn trees_that_a_spring_couples_stay_awake() {
    let mut m = model();
    let [a, b, ball] = [0, 1, 2].map(TreeId::new);
    assert_eq!(
        m.tree.sleep_policy.as_slice(),
        [SleepPolicy::AutoNever, SleepPolicy::AutoAllowed, SleepPolicy::AutoAllowed]
    );
    let tie = TendonId::new(0);
    m.tendon.stiffness[tie] = 1.0;
    set_const(&mut m).unwrap();
    assert_eq!(m.tree.sleep_policy[b], SleepPolicy::AutoNever);
    m.tendon.stiffness[tie] = 0.0;
    m.tree.sleep_policy[b] = SleepPolicy::Allowed;
    set_const(&mut m).unwrap();
    assert_eq!(m.tree.sleep_policy[b], SleepPolicy::Allowed);
    m.tendon.damping[tie] = 1.0;
    m.body.mass[BodyId::new(1)] = 7.0;
    let before = m.clone();
    let error = set_const(&mut m).unwrap_err();
    assert_eq!(error.to_string(), "body `b` may not sleep, because tendon `tie` couples its tree with others");
    assert!(m == before && m.tree.sleep_policy[a] == SleepPolicy::AutoNever);
    assert_eq!(m.tree.sleep_policy[ball], SleepPolicy::AutoAllowed);
}

#[test]
fn inertias_compiled_as_diagonal_stay_centred() {
    let mut m = model();
    let ball = m.body_id("ball").unwrap();
    m.body.ipos[ball].x = 0.1;
    let before = m.clone();
    let error = set_const(&mut m).unwrap_err();
    assert!(
        matches!(&error, SetConstError::OffCentre { body, .. } if *body == ball)
            && error.to_string().contains("`ball`")
    );
    assert_eq!(m, before);
}
