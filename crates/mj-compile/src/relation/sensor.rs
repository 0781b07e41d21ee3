//! Sensors: what they measure, and where their numbers lie.

use crate::asset::proximity;
use crate::context::Context;
use crate::messages::describe;
use crate::relation::actuator::check_samples;
use mj_model::Model;
use mj_model::history::Ring;
use mj_model::model::SensorRow;
use mj_model::sensing::FRAMED;
use mj_model::spec::Sensor;
use mj_model::*;

/// Writes sensors and makes their names known.
pub(crate) fn write(cx: &mut Context, m: &mut Model) {
    let spec = cx.spec;
    cx.register(ObjType::Sensor, spec.sensors.iter().map(|s| (s.name.as_str(), s.loc)));
    for s in &spec.sensors {
        let what = describe(&format!("{} sensor", s.r#type.keyword()), &s.name);
        let plugin = s.plugin.as_ref().filter(|_| s.r#type == SensorType::Plugin);
        let plugin = plugin.and_then(|p| cx.plugins.get(p)).map(|(id, i)| (id, i.sensor.clone()));
        let reader = plugin.as_ref().and_then(|(_, reader)| reader.as_ref());
        check_numbers(cx, s, &what);
        let measured = object(cx, s.objtype, &s.objname, s.loc, &what);
        let reference = object(cx, s.reftype, &s.refname, s.loc, &format!("reference of {what}"));
        check_object(cx, s, measured, &what, m);
        proximity::check(cx, s, [measured, reference], &what, m);

        let user = s.r#type == SensorType::User;
        let dim = match s.r#type {
            SensorType::User => u32::try_from(s.dim).unwrap_or(0),
            SensorType::Plugin => reader.map_or(0, |r| u32::try_from(r.dim()).unwrap_or(u32::MAX)),
            // A depth and two speeds a taxel; a mesh that could not be built is told of where it stands.
            SensorType::Tactile if measured >= 0 => {
                3 * m.mesh.vertnum.as_slice().get(measured as usize).copied().unwrap_or(0)
            }
            SensorType::Rangefinder | SensorType::Contact => proximity::dim(s, measured, m),
            // One an output.
            SensorType::ActuatorPos | SensorType::ActuatorVel | SensorType::ActuatorFrc if measured >= 0 => {
                m.actuator.outnum.as_slice().get(measured as usize).copied().unwrap_or(1)
            }
            other => other.outputs().unwrap_or(1),
        };
        let datatype = match s.r#type {
            SensorType::User => s.datatype,
            SensorType::Plugin => reader.map_or(DataType::Real, |r| r.datatype()),
            // Whether it is inside, or how far it juts out.
            SensorType::InsideSite if s.intprm[0] == 0 => DataType::Positive,
            other => other.data(),
        };
        if user
            && (s.dim < 0
                || !matches!(
                    (datatype, dim),
                    (DataType::Real | DataType::Positive, _) | (DataType::Axis, 3) | (DataType::Quaternion, 4)
                ))
        {
            cx.error(s.loc, format!("{what}: {} numbers don't make a `{}`", s.dim, datatype.keyword()));
        }
        // To geom sensors, the cutoff is how far to look.
        let axis = matches!(datatype, DataType::Axis | DataType::Quaternion) && s.r#type != SensorType::GeomNormal;
        if s.cutoff > 0.0 && axis {
            cx.error(s.loc, format!("{what}: an axis or a quaternion cannot be cut off"));
        }
        let nsample = usize::try_from(s.nsample).unwrap_or(0);
        m.sensor.push(SensorRow {
            r#type: s.r#type,
            datatype,
            plugin: plugin.as_ref().map(|(id, _)| *id),
            needstage: reader.map_or_else(|| s.r#type.stage(s.intprm).unwrap_or(s.needstage), |r| r.stage()),
            objtype: s.objtype,
            objid: measured,
            reftype: s.reftype,
            refid: reference,
            intprm: s.intprm,
            dim,
            adr: m.nsensordata as u32,
            cutoff: s.cutoff,
            noise: s.noise,
            history: [s.nsample, s.interp],
            historyadr: if nsample > 0 { m.nhistory as i32 } else { -1 },
            delay: s.delay,
            interval: s.interval,
        });
        if let Some(reader) = reader
            && let Err(wrong) = reader.check(m, SensorId::new(m.sensor.len() - 1))
        {
            cx.error(s.loc, format!("{what}: {wrong}"));
        }
        m.nsensordata = m.nsensordata.saturating_add(dim as usize);
        if nsample > 0 {
            m.nhistory += Ring::size(nsample, dim as usize);
        }
    }
}

fn check_numbers(cx: &mut Context, s: &Sensor, what: &str) {
    if s.noise < 0.0 || s.cutoff < 0.0 || s.interval[0] < 0.0 {
        cx.error(s.loc, format!("{what}: noise, cutoff and interval must not be negative"));
    }
    if s.nsample <= 0 && s.delay > 0.0 {
        cx.error(s.loc, format!("{what} has a `delay`, but no samples to delay")).help("give `nsample`");
    }
    let [period, phase] = s.interval;
    if phase > 0.0 || (period > 0.0 && phase <= -period) {
        cx.error(s.loc, format!("{what}: the phase of its `interval` must not be positive, nor a period back"));
    }
    check_samples(cx, s.loc, what, usize::try_from(s.nsample).unwrap_or(0));
}

/// Row of an object, or −1 where none is meant.
fn object(cx: &mut Context, kind: ObjType, name: &str, loc: Loc, role: &str) -> i32 {
    if kind == ObjType::Unknown {
        return -1;
    }
    cx.find(kind, name, loc, role).map_or(-1, |i| i as i32)
}

/// Checks that the object is of a kind that the sensor can measure.
fn check_object(cx: &mut Context, s: &Sensor, id: i32, what: &str, m: &Model) {
    use SensorType as S;
    let allowed = s.r#type.measures();
    if allowed.is_empty() {
        return;
    }
    if !allowed.contains(&s.objtype) {
        let kinds: Vec<&str> = allowed.iter().map(|k| k.keyword()).collect();
        cx.error(s.loc, format!("{what} cannot measure a {}", s.objtype.keyword()))
            .help(format!("it measures: {}", kinds.join(", ")));
        return;
    }
    if s.reftype != ObjType::Unknown && !FRAMED.contains(&s.reftype) {
        cx.error(s.loc, format!("{what}: a {} is no frame of reference", s.reftype.keyword()));
    }
    let Ok(i) = usize::try_from(id) else { return };
    let wrong = match s.r#type {
        S::JointPos | S::JointVel | S::JointActFrc => {
            (!matches!(m.jnt.r#type[JointId::new(i)], JointType::Slide | JointType::Hinge))
                .then_some("the joint must be a hinge or a slide")
        }
        S::BallQuat | S::BallAngVel => {
            (m.jnt.r#type[JointId::new(i)] != JointType::Ball).then_some("the joint must be a ball joint")
        }
        S::JointLimitPos | S::JointLimitVel | S::JointLimitFrc => {
            (!m.jnt.limited[JointId::new(i)]).then_some("the joint must have limits")
        }
        S::TendonLimitPos | S::TendonLimitVel | S::TendonLimitFrc => {
            (!m.tendon.limited[TendonId::new(i)]).then_some("the tendon must have limits")
        }
        _ => None,
    };
    if let Some(wrong) = wrong {
        cx.error(s.loc, format!("{what}: {wrong}"));
    }
}
