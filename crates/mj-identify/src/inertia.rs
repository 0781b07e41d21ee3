//! Estimates of the inertia of bodies from those of its log-Cholesky coordinates.

use crate::error::IdentifyError;
use crate::fit::Unknown;
use crate::statistics::Estimate;
use mj_engine::Model;
use mj_engine::model::BodyId;
use mj_engine::model::ObjType;
use mj_engine::model::model::RigidInertia;

/// Fields that log-Cholesky coordinates stand for.
const FIELDS: [&str; 4] = ["body_mass", "body_ipos", "body_iquat", "body_inertia"];

/// Checks that no body has both log-Cholesky coordinates and numbers of its inertia among the unknowns.
pub(crate) fn check(m: &Model, unknowns: &[Unknown]) -> Result<(), IdentifyError> {
    for u in unknowns.iter().filter(|u| u.parameter.is_log_cholesky()) {
        let other = |o: &&Unknown| FIELDS.contains(&o.parameter.field.as_str()) && o.parameter.row == u.parameter.row;
        if let Some(o) = unknowns.iter().find(other) {
            return Err(IdentifyError::Twice { name: u.parameter.describe(m), other: o.parameter.describe(m) });
        }
    }
    Ok(())
}

/// Estimates mass, centre of mass and inertia matrix of each body that has log-Cholesky coordinates among the unknowns, from
/// the standard deviations and correlations of all unknowns, to first order.
pub(crate) fn estimates(
    [start, m]: [&Model; 2],
    unknowns: &[Unknown],
    std: &[f64],
    correlation: &[f64],
) -> Vec<Estimate> {
    let mut out = Vec::new();
    for b in m.body.ids() {
        let own = |u: &Unknown| u.parameter.is_log_cholesky() && u.parameter.row == b.index();
        let own: Vec<usize> = (0..unknowns.len()).filter(|i| own(&unknowns[*i])).collect();
        if own.is_empty() {
            continue;
        }
        let slope = |i: &usize| unknowns[*i].parameter.inertia_slope(m).map_or([0.0; 10], |(_, s)| numbers(&s));
        let slopes: Vec<_> = own.iter().map(slope).collect();
        let (began, ended) = (numbers(&RigidInertia::of(start, b)), numbers(&RigidInertia::of(m, b)));
        for (k, name) in names(m, b).into_iter().enumerate() {
            // Coordinates that it depends on, with their parts of its deviation.
            let depends = own.iter().zip(&slopes).filter(|(_, s)| s[k] != 0.0);
            let parts: Vec<(usize, f64)> = depends.map(|(&i, s)| (i, s[k] * std[i])).collect();
            let covariance = |(i, x): &(usize, f64)| -> f64 {
                parts.iter().map(|(j, y)| x * y * correlation[i * unknowns.len() + j]).sum()
            };
            let lost = parts.iter().any(|(_, x)| x.is_infinite());
            let square: f64 = parts.iter().map(covariance).sum();
            out.push(Estimate {
                name,
                start: began[k],
                value: ended[k],
                std: if lost { f64::INFINITY } else { square.max(0.0).sqrt() },
                bounds: [if k == 0 { 0.0 } else { f64::NEG_INFINITY }, f64::INFINITY],
            });
        }
    }
    out
}

/// Mass, centre of mass, and the inertia matrix in the order of MJCF's `fullinertia`.
fn numbers(i: &RigidInertia) -> [f64; 10] {
    let (c, [x, y, z]) = (i.center, [i.inertia.x_axis, i.inertia.y_axis, i.inertia.z_axis]);
    [i.mass, c.x, c.y, c.z, x.x, y.y, z.z, x.y, x.z, y.z]
}

fn names(m: &Model, b: BodyId) -> [String; 10] {
    let name = match m.names.get(ObjType::Body, b.index()) {
        "" => b.index().to_string(),
        name => name.to_string(),
    };
    std::array::from_fn(|k| match k {
        0 => format!("body_mass[{name}]"),
        1..4 => format!("body_ipos[{name},{}]", k - 1),
        _ => format!("fullinertia[{name},{}]", ["xx", "yy", "zz", "xy", "xz", "yz"][k - 4]),
    })
}
