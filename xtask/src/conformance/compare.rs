//! Compared fields, their tolerances, and equivalent results.
//!
//! Errors are relative to the scale of the reference's array (and absolute below 1). Choices that are conventions and
//! not physics are compared by what they mean: principal axes, which may flip or turn where moments are equal, as
//! inertia tensors; accelerations, which tiny inertias magnify, as forces through M. Contacts come in any order. What
//! follows from contacts is compared where the contacts agree; that they do is judged by itself.

use super::Verdict;
use crate::npz::{Array, Arrays};
use std::collections::BTreeMap;

/// Tolerance of the compiled model's fields.
pub const MODEL_TOLERANCE: f64 = 1e-6;
/// Tolerance of a contact's fields, absolute.
pub const CONTACT_TOLERANCE: f64 = 1e-5;
/// Tolerance of the depth at which two geoms touch, absolute.
pub const TOUCH_TOLERANCE: f64 = 1e-4;
/// Tolerance of positions after 20 steps; velocities get a hundred times as much.
pub const STEP_TOLERANCE: f64 = 1e-5;
/// Tolerance of inverse dynamics.
pub const INVERSE_TOLERANCE: f64 = 1e-5;

/// Tolerance of the Jacobians of a step.
pub const TRANSITION_TOLERANCE: f64 = 1e-5;

/// Fields that belong together.
pub struct Group {
    /// Name.
    pub name: &'static str,
    /// Greatest error.
    pub tolerance: f64,
    /// Whether they follow from contacts.
    pub after_contacts: bool,
    /// Names of the arrays.
    pub fields: &'static [&'static str],
}

/// Results of forward dynamics, stage by stage.
#[rustfmt::skip]
pub const GROUPS: &[Group] = &[
    Group { name: "kinematics", tolerance: 1e-7, after_contacts: false, fields: &[
        "xpos", "xquat", "xmat", "xipos", "xanchor", "xaxis", "geom_xpos", "geom_xmat", "site_xpos", "site_xmat",
        "cam_xpos", "cam_xmat", "subtree_com", "cdof", "cinert", "ten_length", "actuator_length", "ten_J_dense",
        "actuator_moment_dense",
    ] },
    Group { name: "inertia", tolerance: 1e-7, after_contacts: false, fields: &["M_dense", "crb"] },
    Group { name: "velocity", tolerance: 1e-6, after_contacts: false, fields: &[
        "cvel", "cdof_dot", "ten_velocity", "actuator_velocity", "qfrc_bias", "qfrc_spring", "qfrc_damper",
        "qfrc_gravcomp", "qfrc_fluid", "qfrc_passive", "subtree_linvel", "subtree_angmom",
    ] },
    Group { name: "actuation", tolerance: 1e-6, after_contacts: false, fields: &[
        "act_dot", "actuator_force", "qfrc_actuator", "qfrc_smooth", "qacc_smooth",
    ] },
    Group { name: "rows", tolerance: 1e-6, after_contacts: true, fields: &[
        "ne", "nf", "nl", "nefc", "efc_type", "efc_J_dense", "efc_pos", "efc_margin", "efc_frictionloss",
        "efc_diagA", "efc_KBIP", "efc_D", "efc_R", "efc_vel", "efc_aref",
    ] },
    Group { name: "solution", tolerance: 1e-5, after_contacts: true, fields: &["qacc", "qfrc_constraint", "efc_force"] },
    Group { name: "sensors", tolerance: 1e-5, after_contacts: true, fields: &["sensordata", "energy"] },
];

/// Fields of a contact, and how many leading entries of each are compared (of the frame, the normal).
const CONTACT: &[(&str, usize)] = &[
    ("dist", 1),
    ("pos", 3),
    ("frame", 3),
    ("includemargin", 1),
    ("friction", 5),
    ("solref", 2),
    ("solreffriction", 2),
    ("solimp", 5),
    ("dim", 1),
];

/// All groups, in the order of the report.
pub fn all_groups() -> Vec<&'static str> {
    let mut names = vec!["model", "contacts", "touch"];
    names.extend(GROUPS.iter().map(|g| g.name));
    names.extend(["inverse", "step", "transition", "scene"]);
    names
}

/// Groups that a forward dump is judged by.
pub fn forward_groups() -> impl Iterator<Item = &'static str> {
    ["contacts", "touch"].into_iter().chain(GROUPS.iter().map(|g| g.name))
}

/// Verdict on one group: whether all of it agrees, its worst error, and where that is.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// Whether every comparison was within tolerance.
    pub ok: bool,
    /// Worst error.
    pub worst: f64,
    /// Place of the difference.
    pub why: String,
}

impl Default for Outcome {
    fn default() -> Self {
        Self { ok: true, worst: 0.0, why: String::new() }
    }
}

impl Outcome {
    /// Takes in one comparison.
    pub fn note(&mut self, ok: bool, worst: f64, why: String) {
        // A failure is never hidden behind a greater error that was allowed.
        if (self.ok && !ok) || (self.ok == ok && worst >= self.worst) {
            (self.worst, self.why) = (worst, why);
        }
        self.ok &= ok;
    }
}

/// Greatest difference relative to the greatest entry of `want` (at least 1); infinite if sizes differ, or if other
/// entries are finite.
fn error(got: &[f64], want: &[f64]) -> f64 {
    if got.len() != want.len() || got.iter().zip(want).any(|(g, w)| g.is_finite() != w.is_finite()) {
        return f64::INFINITY;
    }
    let finite = || got.iter().zip(want).filter(|(_, w)| w.is_finite());
    let scale = finite().fold(1.0, |s: f64, (_, w)| s.max(w.abs()));
    finite().fold(0.0, |e: f64, (g, w)| e.max((g - w).abs())) / scale
}

fn entries<'a>(arrays: &'a Arrays, name: &str) -> &'a [f64] {
    arrays.get(name).map_or(&[], |a| &a.data)
}

/// Compares compiled models.
pub fn model(want: &Arrays, got: &Arrays, v: &mut Verdict) {
    let absent: Vec<&str> =
        want.iter().filter(|(n, a)| !a.data.is_empty() && !got.contains_key(*n)).map(|(n, _)| n.as_str()).collect();
    if !absent.is_empty() {
        v.put("model", false, f64::INFINITY, format!("{} fields absent: {}", absent.len(), absent.join(", ")));
    }
    for (name, w) in want {
        let Some(g) = got.get(name) else { continue };
        let e = match name.as_str() {
            "body_iquat" => error(&inertia_tensors(got), &inertia_tensors(want)),
            "body_inertia" => continue, // part of the tensor
            _ => error(&g.data, &w.data),
        };
        v.put("model", e < MODEL_TOLERANCE, e, name);
    }
}

/// Inertia tensors of all bodies in their own frames, R diag(I) Rᵀ.
fn inertia_tensors(m: &Arrays) -> Vec<f64> {
    let (quats, moments) = (entries(m, "body_iquat"), entries(m, "body_inertia"));
    let mut out = Vec::new();
    for (q, d) in quats.chunks_exact(4).zip(moments.chunks_exact(3)) {
        let r = rotation(q);
        for i in 0..3 {
            for j in 0..3 {
                out.push((0..3).map(|k| r[i][k] * d[k] * r[j][k]).sum());
            }
        }
    }
    out
}

/// Rotation matrix of a quaternion stored w first, normalized.
fn rotation(q: &[f64]) -> [[f64; 3]; 3] {
    let n = q.iter().map(|x| x * x).sum::<f64>().sqrt().max(f64::MIN_POSITIVE);
    let [w, x, y, z] = [q[0] / n, q[1] / n, q[2] / n, q[3] / n];
    [
        [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - w * z), 2.0 * (x * z + w * y)],
        [2.0 * (x * y + w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - w * x)],
        [2.0 * (x * z - w * y), 2.0 * (y * z + w * x), 1.0 - 2.0 * (x * x + y * y)],
    ]
}

/// Compares results of forward dynamics in one state.
pub fn forward(model: &Arrays, want: &Arrays, got: &Arrays, v: &mut Verdict) {
    let (matched, e, why) = match_contacts(want, got);
    let same_contacts = matched && e < CONTACT_TOLERANCE;
    v.put("contacts", same_contacts, e, why);
    let (e, why) = touching(want, got);
    v.put("touch", e < TOUCH_TOLERANCE, e, why);
    let rows = entries(want, "nefc").first().map_or(0, |&n| n as usize);
    v.compared[0] += 1;
    v.compared[1] += entries(want, "contact.dist").len();
    v.compared[2] += rows;

    let same_rows = error(entries(got, "efc_type"), entries(want, "efc_type")) == 0.0;
    let nv = entries(model, "nv").first().map_or(0, |&n| n as usize);
    for group in GROUPS.iter().filter(|g| same_contacts || !g.after_contacts) {
        for &name in group.fields {
            // Rows of different kinds have nothing to compare; that they differ fails `efc_type`.
            if !same_rows && name.starts_with("efc_") && name != "efc_type" {
                continue;
            }
            let w = entries(want, name);
            let e = match got.get(name) {
                None if w.is_empty() => continue,
                None => {
                    v.put(group.name, false, f64::INFINITY, format!("{name} absent"));
                    continue;
                }
                Some(g) if matches!(name, "qacc" | "qacc_smooth") && g.data.len() == nv && w.len() == nv => {
                    let m = entries(want, "M_dense");
                    error(&product(m, &g.data), &product(m, w))
                }
                Some(g) => error(&g.data, w),
            };
            v.put(group.name, e < group.tolerance, e, name);
        }
    }
}

/// A square matrix times a vector.
fn product(m: &[f64], x: &[f64]) -> Vec<f64> {
    m.chunks_exact(x.len().max(1)).map(|row| row.iter().zip(x).map(|(a, b)| a * b).sum()).collect()
}

/// Compares inverse dynamics, where the contacts agree.
pub fn inverse(want: &Arrays, got: &Arrays, v: &mut Verdict) {
    let (matched, e, _) = match_contacts(want, got);
    if matched && e < CONTACT_TOLERANCE {
        let e = error(entries(got, "qfrc_inverse"), entries(want, "qfrc_inverse"));
        v.put("inverse", e < INVERSE_TOLERANCE, e, "qfrc_inverse");
    }
}

/// Compares where twenty steps lead.
pub fn step(want: &Arrays, got: &Arrays, v: &mut Verdict) {
    for (name, weight) in [("qpos", 1.0), ("qvel", 1e-2)] {
        let e = weight * error(entries(got, name), entries(want, name));
        v.put("step", e < STEP_TOLERANCE, e, format!("{name} after 20 steps"));
    }
}

/// Compares one of the Jacobians of a step.
pub fn transition(name: &str, want: &Arrays, got: &[f64], why: &str, v: &mut Verdict) {
    let e = error(got, entries(want, name));
    v.put("transition", e < TRANSITION_TOLERANCE, e, why);
}

type GeomPair = (i64, i64);

/// The geoms of every contact, the lesser id first.
fn geom_pairs(arrays: &Arrays) -> Vec<GeomPair> {
    let pair = |g: &[f64]| {
        let (a, b) = (g[0] as i64, g[1] as i64);
        (a.min(b), a.max(b))
    };
    entries(arrays, "contact.geom").chunks_exact(2).map(pair).collect()
}

/// Pairs each contact with the nearest one between the same geoms: whether all find one, and the worst error.
fn match_contacts(want: &Arrays, got: &Arrays) -> (bool, f64, String) {
    let fail = |why: String| (false, f64::INFINITY, why);
    let (w_geoms, g_geoms) = (geom_pairs(want), geom_pairs(got));
    let n = w_geoms.len();
    if n != g_geoms.len() {
        return fail(format!("{} contacts instead of {n}", g_geoms.len()));
    }
    if n > 0 && !got.contains_key("contact.pos") {
        return fail("contact.pos absent".into());
    }
    let empty = Array::default();
    let field = |arrays: &Arrays, name: &str| arrays.get(&format!("contact.{name}")).cloned().unwrap_or(empty.clone());
    let fields: Vec<(&str, usize, Array, Array)> =
        CONTACT.iter().map(|&(name, width)| (name, width, field(want, name), field(got, name))).collect();
    let distance = |i: usize, j: usize| {
        let (_, _, w, g) = &fields[1];
        w.row(i, n).iter().zip(g.row(j, n)).fold(0.0, |d: f64, (a, b)| d.max((a - b).abs()))
    };
    let mut left: Vec<usize> = (0..n).collect();
    let (mut worst, mut why) = (0.0, String::new());
    for i in 0..n {
        let candidates = left.iter().copied().filter(|&j| g_geoms[j] == w_geoms[i]);
        let Some(j) = candidates.min_by(|&a, &b| distance(i, a).total_cmp(&distance(i, b))) else {
            return fail(format!("no contact of geoms {:?}", w_geoms[i]));
        };
        left.retain(|&k| k != j);
        for (name, width, w, g) in &fields {
            let (w, g) = (w.row(i, n), g.row(j, n));
            if w.len() != g.len() {
                return fail(format!("contact.{name} has another width"));
            }
            let e = w.iter().zip(g).take(*width).fold(0.0, |e: f64, (a, b)| e.max((a - b).abs()));
            if e > worst || e.is_nan() {
                (worst, why) = (e, format!("{name} of geoms {:?}", w_geoms[i]));
            }
        }
    }
    (true, worst, why)
}

/// Worst difference in how deep two geoms touch; contacts that only graze may come and go.
fn touching(want: &Arrays, got: &Arrays) -> (f64, String) {
    let deepest = |arrays: &Arrays| {
        let mut out: BTreeMap<GeomPair, f64> = BTreeMap::new();
        for (pair, &dist) in geom_pairs(arrays).into_iter().zip(entries(arrays, "contact.dist")) {
            let d = out.entry(pair).or_insert(dist);
            *d = d.min(dist);
        }
        out
    };
    let (w, g) = (deepest(want), deepest(got));
    let (mut worst, mut why) = (0.0, String::new());
    for pair in w.keys().chain(g.keys()) {
        let e = match (w.get(pair), g.get(pair)) {
            (Some(a), Some(b)) => (a - b).abs(),
            (Some(d), None) | (None, Some(d)) => (d.abs() - TOUCH_TOLERANCE).max(0.0),
            (None, None) => 0.0,
        };
        if e > worst {
            (worst, why) = (e, format!("geoms {pair:?}"));
        }
    }
    (worst, why)
}

#[cfg(test)]
mod tests;
