//! Equality constraints, tendons, actuators and sensors: what they refer to, and where their numbers
//! lie in the state.

use super::fail::{is_bounded, is_total, names_row, rows_of, want, within, wrong};
use crate::Model;
use crate::control::{Sizes, input};
use crate::enums::*;
use crate::ids::*;
use crate::sensing::{CONTACT_FIELDS, FRAMED, RAY_FIELDS, width};
use crate::storage::{Check, Rows};

pub(super) fn check(m: &Model, rows: &Rows) -> Check {
    equalities(m, rows)?;
    tendons(m, rows)?;
    actuators(m, rows)?;
    sensors(m, rows)?;
    histories(m)?;
    for (name, rows, width, numbers) in m.user_data() {
        let expected = rows as u128 * width as u128;
        want(numbers.len() as u128 == expected, name, 0, "it has another length than `nuser` says")?;
    }
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
            EqType::Flex | EqType::FlexStrain => ObjType::Flex,
            other => return wrong("eq_type", i, format!("there are no constraints of type {}", other.keyword())),
        };
        let optional = matches!(kind, ObjType::Joint | ObjType::Tendon | ObjType::Flex);
        let n = rows_of(rows, kind);
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
    let (mut nu, mut nout, mut na) = (0, 0, 0);
    for id in a.ids() {
        let i = id.index();
        acts_on(m, rows, id)?;
        driven(m, id)?;
        let is_next = |adr: usize, next: usize, field: &str| want(adr == next, field, i, &format!("it is not {next}"));
        is_next(a.ctrladr[id] as usize, nu, "actuator_ctrladr")?;
        is_next(a.outadr[id] as usize, nout, "actuator_outadr")?;
        match usize::try_from(a.actadr[id]) {
            Ok(adr) => is_next(adr, na, "actuator_actadr")?,
            Err(_) => want(a.actadr[id] == -1 && a.actnum[id] == 0, "actuator_actadr", i, "it is not an address")?,
        }
        nu += a.ctrlnum[id] as usize;
        nout += a.outnum[id] as usize;
        na += a.actnum[id] as usize;
        let recorded = a.historyadr[id] >= 0;
        want(!recorded || a.ctrlnum[id] > 0, "actuator_historyadr", i, "there is no control to delay")?;
    }
    is_total(m.na, a.actnum.iter().map(|&n| n as usize), "na")?;
    is_total(m.nu(), a.ctrlnum.iter().map(|&n| n as usize), "nu")?;
    is_total(m.nout(), a.outnum.iter().map(|&n| n as usize), "nout")
}

/// Checks that the target of an actuator's force exists.
fn acts_on(m: &Model, rows: &Rows, id: ActuatorId) -> Check {
    let (i, kind, [target, other]) = (id.index(), m.actuator.trntype[id], m.actuator.trnid[id]);
    let (n, n_other) = match kind {
        TrnType::Joint | TrnType::JointInParent => (rows.jnt, 0),
        TrnType::Tendon => (rows.tendon, 0),
        TrnType::So3 if other < 0 => (rows.jnt, 0),
        TrnType::Site | TrnType::SliderCrank | TrnType::So3 => (rows.site, rows.site),
        TrnType::Body => (rows.body, 0),
        TrnType::Undefined => return wrong("actuator_trntype", i, "the actuator acts on nothing"),
    };
    names_row(target, n, false, "actuator_trnid", i)?;
    names_row(other, n_other, kind != TrnType::SliderCrank, "actuator_trnid", i)?;
    let on_joint = kind == TrnType::So3 && other < 0;
    let ball = || m.jnt.r#type[JointId::new(target as usize)] == JointType::Ball;
    want(!on_joint || ball(), "actuator_trnid", i, "the joint is no ball joint")
}

/// An actuator's types go together, and it has as many controls, outputs and activations as they need.
fn driven(m: &Model, id: ActuatorId) -> Check {
    let (a, i) = (&m.actuator, id.index());
    let (gain, bias, dynamics) = (a.gaintype[id], a.biastype[id], a.dyntype[id]);
    let same = |x: bool, y: bool, field: &str| want(x == y, field, i, "it does not go with the gain");
    same(bias == BiasType::So3, gain == GainType::So3, "actuator_biastype")?;
    same(a.trntype[id] == TrnType::So3, gain == GainType::So3, "actuator_trntype")?;
    same(bias == BiasType::DcMotor, gain == GainType::DcMotor, "actuator_biastype")?;
    same(dynamics == DynType::DcMotor, gain == GainType::DcMotor, "actuator_dyntype")?;
    let good = match dynamics {
        DynType::Pid => gain == GainType::Pid,
        _ if gain == GainType::Pid => dynamics == DynType::None,
        DynType::Integrator => gain != GainType::So3 || a.ctrlspec[id] != input::QUAT,
        _ => gain != GainType::So3 || dynamics == DynType::None,
    };
    want(good, "actuator_dyntype", i, "it does not go with the gain")?;

    let n = Sizes::of(gain, dynamics, a.ctrlspec[id], &a.gainprm[id], &a.dynprm[id]);
    let is = |found: u32, n: usize, field: &str| want(found as usize == n, field, i, &format!("it is not {n}"));
    if a.plugin[id].is_some() {
        // How many activations it needs, the plugin knows when it is bound.
        is(a.ctrlnum[id], 1, "actuator_ctrlnum")?;
        is(a.outnum[id], 1, "actuator_outnum")?;
        return want(
            dynamics == DynType::None || a.actnum[id] > 0,
            "actuator_actnum",
            i,
            "it has dynamics, but no activation",
        );
    }
    is(a.ctrlnum[id], n.controls, "actuator_ctrlnum")?;
    is(a.outnum[id], n.outputs, "actuator_outnum")?;
    is(a.actnum[id], n.activations.unwrap_or((a.actnum[id] as usize).max(1)), "actuator_actnum")
}

/// Histories of actuators, then of sensors, follow each other.
fn histories(m: &Model) -> Check {
    let mut next = 0;
    let mut check = |[samples, _]: [i32; 2], adr: i32, dim: usize, field: &str, row: usize| {
        let Ok(samples) = usize::try_from(samples.max(0)) else { return Ok(()) };
        if samples == 0 {
            return want(adr == -1, field, row, "there are no samples");
        }
        want(usize::try_from(adr) == Ok(next), field, row, &format!("it is not {next}"))?;
        let size = dim.checked_add(1).and_then(|n| n.checked_mul(samples)).and_then(|n| n.checked_add(next + 2));
        next = size.filter(|&n| n <= m.nhistory).unwrap_or(usize::MAX);
        want(
            next != usize::MAX,
            field,
            row,
            &format!("its samples need more than the {} numbers there are", m.nhistory),
        )
    };
    for a in m.actuator.ids() {
        let dim = m.actuator.ctrlnum[a] as usize;
        check(m.actuator.history[a], m.actuator.historyadr[a], dim, "actuator_historyadr", a.index())?;
    }
    for s in m.sensor.ids() {
        check(m.sensor.history[s], m.sensor.historyadr[s], m.sensor.dim[s] as usize, "sensor_historyadr", s.index())?;
    }
    want(next == m.nhistory, "nhistory", 0, &format!("it is {}, but the parts add up to {next}", m.nhistory))
}

fn sensors(m: &Model, rows: &Rows) -> Check {
    let s = &m.sensor;
    for id in s.ids() {
        let i = id.index();
        let kind = s.r#type[id];
        let allowed = kind.measures();
        want(allowed.is_empty() || allowed.contains(&s.objtype[id]), "sensor_objtype", i, "it cannot be measured so")?;
        let optional = allowed.is_empty() || s.objtype[id] == ObjType::Unknown;
        names_row(s.objid[id], rows_of(rows, s.objtype[id]), optional, "sensor_objid", i)?;
        let apart = matches!(kind, SensorType::GeomDist | SensorType::GeomNormal | SensorType::GeomFromTo);
        let needed = apart || matches!(kind, SensorType::CamProjection | SensorType::InsideSite | SensorType::Tactile);
        names_row(s.refid[id], rows_of(rows, s.reftype[id]), !needed, "sensor_refid", i)?;
        let frame = s.refid[id] < 0 || allowed != FRAMED || FRAMED.contains(&s.reftype[id]);
        want(frame, "sensor_reftype", i, "it is no frame of reference")?;
        want(!apart || allowed.contains(&s.reftype[id]), "sensor_reftype", i, "it has no extent")?;
        let stage = kind.stage(s.intprm[id]);
        want(stage.is_none_or(|n| s.needstage[id] == n), "sensor_needstage", i, "it is not the sensor's")?;
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
            SensorType::Tactile => m.mesh.vertnum[MeshId::new(s.objid[id] as usize)].checked_mul(3),
            SensorType::Contact => slots(s.intprm[id][2]).checked_mul(width(&CONTACT_FIELDS, s.intprm[id][0])),
            SensorType::Rangefinder => rays(m, id).and_then(|n| n.checked_mul(width(&RAY_FIELDS, s.intprm[id][0]))),
            _ => kind.outputs().or(Some(s.dim[id])),
        };
        want(dim == Some(s.dim[id]), "sensor_dim", i, "it is not what the sensor gives")?;
        within(s.adr[id] as usize, s.dim[id] as usize, m.nsensordata, "sensor_adr", i)?;
        let ball = matches!(kind, SensorType::BallQuat | SensorType::BallAngVel);
        let joint = JointId::new(usize::try_from(s.objid[id]).unwrap_or(0));
        want(!ball || m.jnt.r#type[joint] == JointType::Ball, "sensor_objid", i, "the joint is no ball joint")?;
        want(!s.cutoff[id].is_nan(), "sensor_cutoff", i, "it is not a number")?;
    }
    is_total(m.nsensordata, s.dim.iter().map(|&n| n as usize), "nsensordata")
}

/// Contacts that a sensor reports.
fn slots(n: i32) -> u32 {
    u32::try_from(n).unwrap_or(0)
}

/// Rays of a rangefinder: one, or one a pixel.
fn rays(m: &Model, id: SensorId) -> Option<u32> {
    if m.sensor.objtype[id] != ObjType::Camera {
        return Some(1);
    }
    let [w, h] = m.cam.resolution[CameraId::new(m.sensor.objid[id] as usize)].map(slots);
    w.checked_mul(h)
}
