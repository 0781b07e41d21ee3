//! Equality constraints, tendons, actuators and sensors: what they refer to, and where their numbers
//! lie in the state.

use super::{Check, Rows, is_bounded, is_total, names_row, want, within, wrong};
use crate::enums::*;
use crate::ids::*;
use crate::model::Model;

pub(super) fn check(m: &Model, rows: &Rows) -> Check {
    equalities(m, rows)?;
    tendons(m, rows)?;
    actuators(m, rows)?;
    sensors(m, rows)?;
    is_bounded(m.nuserdata, "nuserdata")?;
    is_bounded(m.nhistory, "nhistory")?;
    is_bounded(m.nplastic, "nplastic")
}

fn is_scalar(m: &Model, joint: usize) -> bool {
    matches!(m.jnt.r#type[JointId::new(joint)], JointType::Slide | JointType::Hinge)
}

fn equalities(m: &Model, rows: &Rows) -> Check {
    for e in m.eq.ids() {
        let i = e.index();
        let kind = match m.eq.r#type[e] {
            EqType::Connect | EqType::Weld => match m.eq.objtype[e] {
                kind @ (ObjType::Body | ObjType::Site) => kind,
                _ => return wrong("eq_objtype", i, "it ties bodies or sites"),
            },
            EqType::Joint => ObjType::Joint,
            EqType::Tendon => ObjType::Tendon,
            other => return wrong("eq_type", i, format!("{} constraints are not supported yet", other.keyword())),
        };
        let optional = matches!(kind, ObjType::Joint | ObjType::Tendon);
        let n = rows.of_kind(kind);
        names_row(m.eq.obj1id[e], n, false, "eq_obj1id", i)?;
        names_row(m.eq.obj2id[e], n, optional, "eq_obj2id", i)?;
        for id in [m.eq.obj1id[e], m.eq.obj2id[e]] {
            if let (ObjType::Joint, Ok(j)) = (kind, usize::try_from(id)) {
                want(is_scalar(m, j), "eq_obj1id", i, "the joint is neither a hinge nor a slide")?;
            }
        }
    }
    Ok(())
}

fn tendons(m: &Model, rows: &Rows) -> Check {
    for w in m.wrap.ids() {
        let i = w.index();
        let id = m.wrap.objid[w];
        match m.wrap.r#type[w] {
            WrapType::Joint => {
                names_row(id, rows.jnt, false, "wrap_objid", i)?;
                want(is_scalar(m, id as usize), "wrap_objid", i, "the joint is neither a hinge nor a slide")?;
            }
            WrapType::Site => names_row(id, rows.site, false, "wrap_objid", i)?,
            WrapType::Sphere | WrapType::Cylinder => {
                names_row(id, rows.geom, false, "wrap_objid", i)?;
                let side = m.wrap.prm[w].round();
                let good = side < 0.0 || side < rows.site as f64;
                want(good, "wrap_prm", i, "it is neither a site nor none")?;
            }
            WrapType::Pulley | WrapType::None => {}
        }
    }
    for t in m.tendon.ids() {
        let i = t.index();
        let num = m.tendon.num[t];
        want(num > 0, "tendon_num", i, "the path is empty")?;
        within(m.tendon.adr[t].index(), num as usize, rows.wrap, "tendon_adr", i)?;
        let mut joints = id_range(Some(m.tendon.adr[t]), num).map(|w| m.wrap.r#type[w] == WrapType::Joint);
        let fixed = m.tendon.r#type[t] == TendonType::Fixed;
        want(joints.all(|j| j == fixed), "tendon_type", i, "the path is of the other type")?;
        for id in m.tendon.treeid[t] {
            names_row(id, rows.tree, true, "tendon_treeid", i)?;
        }
        plastic(m, m.tendon.plasticadr[t], 2, "tendon_plasticadr", i)?;
    }
    for j in m.jnt.ids() {
        let n = if m.jnt.r#type[j] == JointType::Ball { 4 } else { 1 };
        plastic(m, m.jnt.plasticadr[j], n, "jnt_plasticadr", j.index())?;
    }
    Ok(())
}

fn plastic(m: &Model, adr: i32, n: usize, field: &str, row: usize) -> Check {
    match usize::try_from(adr) {
        Ok(adr) => within(adr, n, m.nplastic, field, row),
        Err(_) => want(adr == -1, field, row, "it is neither an address nor −1"),
    }
}

fn actuators(m: &Model, rows: &Rows) -> Check {
    let a = &m.actuator;
    for id in a.ids() {
        let i = id.index();
        let [target, other] = a.trnid[id];
        let (n, n_other) = match a.trntype[id] {
            TrnType::Joint | TrnType::JointInParent => (rows.jnt, 0),
            TrnType::Tendon => (rows.tendon, 0),
            TrnType::Site | TrnType::SliderCrank => (rows.site, rows.site),
            TrnType::So3 => (rows.jnt.max(rows.site), rows.site),
            TrnType::Body => (rows.body, 0),
            TrnType::Undefined => return wrong("actuator_trntype", i, "the actuator acts on nothing"),
        };
        names_row(target, n, false, "actuator_trnid", i)?;
        names_row(other, n_other, a.trntype[id] != TrnType::SliderCrank, "actuator_trnid", i)?;
        within(a.ctrladr[id] as usize, a.ctrlnum[id] as usize, rows.control, "actuator_ctrladr", i)?;
        within(a.outadr[id] as usize, a.outnum[id] as usize, rows.output, "actuator_outadr", i)?;
        want(a.outnum[id] > 0, "actuator_outnum", i, "the actuator has no output")?;
        match usize::try_from(a.actadr[id]) {
            Ok(adr) => within(adr, a.actnum[id] as usize, m.na, "actuator_actadr", i)?,
            Err(_) => want(a.actadr[id] == -1 && a.actnum[id] == 0, "actuator_actadr", i, "it is not an address")?,
        }
        history(m, a.history[id], a.historyadr[id], "actuator_historyadr", i)?;
    }
    is_total(m.na, a.actnum.iter().map(|&n| n as usize), "na")?;
    is_total(m.nu(), a.ctrlnum.iter().map(|&n| n as usize), "nu")?;
    is_total(m.nout(), a.outnum.iter().map(|&n| n as usize), "nout")
}

fn history(m: &Model, [samples, _]: [i32; 2], adr: i32, field: &str, row: usize) -> Check {
    match (usize::try_from(adr), usize::try_from(samples)) {
        (Ok(adr), Ok(samples)) => within(adr, samples, m.nhistory, field, row),
        (Err(_), _) => want(adr == -1, field, row, "it is neither an address nor −1"),
        _ => wrong(field, row, "the number of samples is negative"),
    }
}

/// Kinds of objects that a sensor measures; none: it has no object, or may have any.
fn measured(t: SensorType) -> &'static [ObjType] {
    use SensorType as S;
    match t {
        S::Touch | S::Accelerometer | S::Velocimeter | S::Gyro | S::Force | S::Torque | S::Magnetometer => {
            &[ObjType::Site]
        }
        S::CamProjection => &[ObjType::Site],
        S::Rangefinder => &[ObjType::Site, ObjType::Camera],
        S::JointPos | S::JointVel | S::JointActFrc | S::BallQuat | S::BallAngVel => &[ObjType::Joint],
        S::JointLimitPos | S::JointLimitVel | S::JointLimitFrc => &[ObjType::Joint],
        S::TendonPos | S::TendonVel | S::TendonActFrc => &[ObjType::Tendon],
        S::TendonLimitPos | S::TendonLimitVel | S::TendonLimitFrc => &[ObjType::Tendon],
        S::ActuatorPos | S::ActuatorVel | S::ActuatorFrc => &[ObjType::Actuator],
        S::SubtreeCom | S::SubtreeLinVel | S::SubtreeAngMom => &[ObjType::Body],
        S::GeomDist | S::GeomNormal | S::GeomFromTo => &[ObjType::Geom, ObjType::Body],
        S::Tactile => &[ObjType::Mesh],
        S::EPotential | S::EKinetic | S::Clock | S::User | S::Contact | S::Plugin => &[],
        _ => &FRAMED,
    }
}

/// Kinds of objects with a frame of their own.
const FRAMED: [ObjType; 5] = [ObjType::Body, ObjType::XBody, ObjType::Geom, ObjType::Site, ObjType::Camera];

/// Number of outputs of a sensor; none: it depends on its parameters.
fn outputs(t: SensorType) -> Option<u32> {
    use SensorType as S;
    match t {
        S::BallQuat | S::FrameQuat => Some(4),
        S::Accelerometer | S::Velocimeter | S::Gyro | S::Force | S::Torque | S::Magnetometer => Some(3),
        S::BallAngVel | S::FramePos | S::FrameXAxis | S::FrameYAxis | S::FrameZAxis => Some(3),
        S::FrameLinVel | S::FrameAngVel | S::FrameLinAcc | S::FrameAngAcc | S::GeomNormal => Some(3),
        S::SubtreeCom | S::SubtreeLinVel | S::SubtreeAngMom => Some(3),
        S::CamProjection => Some(2),
        S::GeomFromTo => Some(6),
        S::ActuatorPos | S::ActuatorVel | S::ActuatorFrc => None,
        S::Rangefinder | S::Contact | S::Tactile | S::Plugin | S::User => None,
        _ => Some(1),
    }
}

fn sensors(m: &Model, rows: &Rows) -> Check {
    let s = &m.sensor;
    for id in s.ids() {
        let i = id.index();
        let kind = s.r#type[id];
        let allowed = measured(kind);
        want(allowed.is_empty() || allowed.contains(&s.objtype[id]), "sensor_objtype", i, "it cannot be measured so")?;
        names_row(s.objid[id], rows.of_kind(s.objtype[id]), allowed.is_empty(), "sensor_objid", i)?;
        let needed = matches!(kind, SensorType::CamProjection | SensorType::InsideSite | SensorType::Tactile);
        names_row(s.refid[id], rows.of_kind(s.reftype[id]), !needed, "sensor_refid", i)?;
        let frame = s.refid[id] < 0 || allowed != FRAMED || FRAMED.contains(&s.reftype[id]);
        want(frame, "sensor_reftype", i, "it is no frame of reference")?;
        let reference = match kind {
            SensorType::CamProjection => ObjType::Camera,
            SensorType::InsideSite => ObjType::Site,
            SensorType::Tactile => ObjType::Geom,
            _ => s.reftype[id],
        };
        want(reference == s.reftype[id], "sensor_reftype", i, "it is no reference of this sensor")?;

        let dim = match kind {
            SensorType::ActuatorPos | SensorType::ActuatorVel | SensorType::ActuatorFrc => {
                Some(m.actuator.outnum[ActuatorId::new(s.objid[id] as usize)])
            }
            SensorType::Tactile => Some(3 * m.mesh.vertnum[MeshId::new(s.objid[id] as usize)]),
            _ => outputs(kind),
        };
        want(dim.is_none_or(|n| s.dim[id] == n), "sensor_dim", i, "it is not what the sensor gives")?;
        within(s.adr[id] as usize, s.dim[id] as usize, m.nsensordata, "sensor_adr", i)?;
        let ball = matches!(kind, SensorType::BallQuat | SensorType::BallAngVel);
        let joint = JointId::new(usize::try_from(s.objid[id]).unwrap_or(0));
        want(!ball || m.jnt.r#type[joint] == JointType::Ball, "sensor_objid", i, "the joint is no ball joint")?;
        want(!s.cutoff[id].is_nan(), "sensor_cutoff", i, "it is not a number")?;
        history(m, s.history[id], s.historyadr[id], "sensor_historyadr", i)?;
    }
    is_total(m.nsensordata, s.dim.iter().map(|&n| n as usize), "nsensordata")
}
