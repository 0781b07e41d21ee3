use super::*;
use crate::VisualAttribute;
use crate::enums::*;
use crate::ids::*;
use mj_math::{DQuat, DVec3, TreePattern};
use proptest::prelude::*;

/// A world with a ball on a hinge, an actuator, a sensor, names and a keyframe.
fn model() -> Model {
    let mut m = Model { modelname: "ä".into(), nuserdata: 2, ..Default::default() };
    let world = BodyRow { quat: DQuat::IDENTITY, ..Default::default() };
    m.body.push(world);
    let b = BodyId::new(1);
    m.body.push(BodyRow {
        rootid: b,
        weldid: b,
        treeid: Some(TreeId::new(0)),
        jntnum: 1,
        jntadr: Some(JointId::new(0)),
        dofnum: 1,
        dofadr: Some(DofId::new(0)),
        geomnum: 1,
        geomadr: Some(GeomId::new(0)),
        mass: 1.0 / 3.0,
        inertia: DVec3::new(f64::MIN_POSITIVE, -0.0, 1e300),
        quat: DQuat::IDENTITY,
        ..Default::default()
    });
    m.jnt.push(JointRow { r#type: JointType::Hinge, bodyid: b, plasticadr: -1, ..Default::default() });
    m.dof.push(DofRow { bodyid: b, ..Default::default() });
    m.tree.push(TreeRow { bodyadr: b, bodynum: 1, dofnum: 1, ..Default::default() });
    m.geom.push(GeomRow { bodyid: b, condim: 3, dataid: -1, rgba: [0.1; 4], ..Default::default() });
    m.actuator.push(ActuatorRow {
        ctrlnum: 1,
        outnum: 1,
        actadr: -1,
        trnid: [0, -1],
        historyadr: -1,
        ..Default::default()
    });
    m.control.push(ControlRow::default());
    m.output.push(OutputRow::default());
    m.sensor.push(SensorRow {
        r#type: SensorType::JointPos,
        objtype: ObjType::Joint,
        needstage: Stage::Pos,
        refid: -1,
        dim: 1,
        historyadr: -1,
        ..Default::default()
    });
    m.nsensordata = 1;
    m.qpos0 = vec![0.25];
    m.qpos_spring = vec![0.5];
    m.m_pattern = TreePattern::new(&[None], &[false]).into();
    m.key.time.push(1.5);
    (m.key.qpos, m.key.qvel, m.key.ctrl) = (vec![1.0], vec![2.0], vec![3.0]);
    m.names.edit().set(ObjType::Body, vec!["world".into(), "ball \"1\"".into()]);
    m.vis.attributes.push(VisualAttribute { element: "map".into(), name: "znear".into(), value: vec![0.1] });
    m
}

/// Makes the header fit changed contents, so that reading gets past it.
fn seal(bytes: &mut [u8]) {
    let (header, contents) = bytes.split_at_mut(HEADER);
    header[20..28].copy_from_slice(&(contents.len() as u64).to_le_bytes());
    header[28..36].copy_from_slice(&checksum(contents).to_le_bytes());
}

#[test]
fn a_model_is_read_back_bit_for_bit() {
    let m = model();
    let bytes = m.to_bytes();
    let again = Model::from_bytes(&bytes).unwrap();
    assert_eq!(again, m);
    assert_eq!(again.to_bytes(), bytes);
}

#[test]
fn what_is_no_model_is_told_apart() {
    let good = model().to_bytes();
    let problem = |bytes: &[u8]| Model::from_bytes(bytes).unwrap_err();
    assert_eq!(problem(b""), BinaryError::Magic);
    assert_eq!(problem(b"<mujoco/>"), BinaryError::Magic);
    assert_eq!(problem(&54321i32.to_le_bytes()), BinaryError::Reference);
    let mut b = good.clone();
    b[8] = 99;
    assert_eq!(problem(&b), BinaryError::Version(99));
    let mut b = good.clone();
    b[12] ^= 1;
    assert_eq!(problem(&b), BinaryError::Layout);
    let mut b = good.clone();
    *b.last_mut().unwrap() ^= 1;
    assert_eq!(problem(&b), BinaryError::Checksum);
    let mut b = good.clone();
    b.push(0);
    assert_eq!(problem(&b), BinaryError::Trailing { offset: good.len(), extra: 1 });
    seal(&mut b);
    assert_eq!(problem(&b), BinaryError::Trailing { offset: good.len(), extra: 1 });
    assert!(matches!(problem(&good[..good.len() - 1]), BinaryError::Truncated { offset: HEADER, .. }));
}

#[test]
fn contradictions_are_named() {
    type Spoil = fn(&mut Model);
    let spoils: &[(&str, Spoil)] = &[
        ("body_parentid", |m| m.body.parentid.edit()[BodyId::new(1)] = BodyId::new(1)),
        ("body_rootid", |m| m.body.rootid.edit()[BodyId::new(1)] = BodyId::WORLD),
        ("body_jntadr", |m| m.body.jntnum.edit()[BodyId::new(1)] = 2),
        ("jnt_qposadr", |m| m.jnt.qposadr.edit()[JointId::new(0)] = 1),
        ("jnt_qposadr", |m| m.jnt.r#type.edit()[JointId::new(0)] = JointType::Ball),
        ("dof_parentid", |m| m.dof.parentid.edit()[DofId::new(0)] = Some(DofId::new(0))),
        ("geom_matid", |m| m.geom.matid[GeomId::new(0)] = Some(MaterialId::new(0))),
        ("geom_condim", |m| m.geom.condim[GeomId::new(0)] = 2),
        ("actuator_trnid", |m| m.actuator.trnid.edit()[ActuatorId::new(0)][0] = 1),
        ("actuator_ctrladr", |m| m.actuator.ctrladr.edit()[ActuatorId::new(0)] = 1),
        ("actuator_ctrlnum", |m| m.actuator.gaintype.edit()[ActuatorId::new(0)] = GainType::Pid),
        ("actuator_actnum", |m| m.actuator.dyntype.edit()[ActuatorId::new(0)] = DynType::Filter),
        ("actuator_dyntype", |m| m.actuator.dyntype.edit()[ActuatorId::new(0)] = DynType::DcMotor),
        ("actuator_biastype", |m| m.actuator.biastype.edit()[ActuatorId::new(0)] = BiasType::So3),
        ("actuator_historyadr", |m| m.actuator.history.edit()[ActuatorId::new(0)] = [3, 0]),
        ("nhistory", |m| m.nhistory = 5),
        ("sensor_needstage", |m| m.sensor.needstage.edit()[SensorId::new(0)] = Stage::Vel),
        ("sensor_objid", |m| m.sensor.objid.edit()[SensorId::new(0)] = -1),
        ("sensor_dim", |m| m.sensor.dim.edit()[SensorId::new(0)] = 2),
        ("nsensordata", |m| m.nsensordata = 1 << 40),
        ("nuserdata", |m| m.nuserdata = 1 << 40),
        ("body_user", |m| m.user.body.push(1.0)),
        ("geom_user", |m| m.nuser.geom = usize::MAX),
        ("na", |m| m.na = 1),
        ("key_qpos", |m| m.key.qpos.push(1.0)),
        ("m_pattern", |m| m.m_pattern.edit().colind[0] = 1),
        ("names of body", |m| m.names.edit().set(ObjType::Body, vec![String::new(); 3])),
        ("opt_timestep", |m| m.opt.timestep = 0.0),
        ("opt_timestep", |m| m.opt.timestep = f64::NAN),
        ("body_mass", |m| m.body.mass[BodyId::new(1)] = -1.0),
        ("body_inertia", |m| m.body.inertia[BodyId::new(1)].y = f64::INFINITY),
    ];
    assert_eq!(model().validate(), Ok(()));
    for (field, spoil) in spoils {
        let mut m = model();
        spoil(&mut m);
        assert_eq!(m.validate().unwrap_err().field, *field);
        assert!(matches!(Model::from_bytes(&m.to_bytes()), Err(BinaryError::Invalid(i)) if i.field == *field));
    }
}

proptest! {
    #[test]
    fn damaged_bytes_do_not_panic(
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..6),
        cut in prop::option::of(any::<prop::sample::Index>()),
        sealed in any::<bool>(),
    ) {
        let good = model().to_bytes();
        let mut bytes = good.clone();
        let from = if sealed { HEADER } else { 0 };
        for (at, x) in changes {
            let n = bytes.len() - from;
            bytes[from + at.index(n)] = x;
        }
        if let Some(cut) = cut {
            let n = bytes.len() - from;
            bytes.truncate(from + cut.index(n));
        }
        if sealed {
            seal(&mut bytes);
        }
        // What is read all the same says what the bytes say.
        if let Ok(m) = Model::from_bytes(&bytes) {
            prop_assert_eq!(m.validate(), Ok(()));
            prop_assert_eq!(m.to_bytes(), bytes);
        }
    }
}
