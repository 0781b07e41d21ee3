//! The canonical notation: radians, quaternions, positions and sizes in the place of end points, principal moments.

use crate::frames::from_to;
use crate::inertia::{matrix, principal};
use mj_math::DVec3;
use mj_model::spec::{Compiler, DefaultClass, Geom, Inertial, MassRules, Orientation, Site};
use mj_model::{GeomType, JointType, Spec};
use std::f64::consts::PI;

/// Turns a spec, whose default classes have been applied, into the canonical notation.
pub(super) fn make(spec: &mut Spec) {
    let old = spec.compiler.clone();
    let new = Compiler { degree: false, eulerseq: *b"xyz", ..old.clone() };
    spec.worldbody.each_mut(&mut |b| {
        let all = [&mut b.orientation].into_iter().chain(b.inertial.iter_mut().map(|i| &mut i.orientation));
        let all = all.chain(b.frames.iter_mut().map(|x| &mut x.orientation));
        let all = all.chain(b.geoms.iter_mut().map(|x| &mut x.orientation));
        let all = all.chain(b.sites.iter_mut().map(|x| &mut x.orientation));
        all.chain(b.cameras.iter_mut().map(|x| &mut x.orientation)).for_each(|o| resolve(o, &old));
    });
    spec.adapt_to(&new);
    for class in &mut spec.defaults {
        adapt_class(class, &old);
    }
    spec.compiler = new;
    let rules = spec.compiler.mass_rules();
    let mut resizes = false;
    spec.worldbody.each_mut(&mut |b| resizes |= b.frames.iter().any(|f| f.scale != DVec3::ONE));
    spec.worldbody.each_mut(&mut |b| {
        // Frames that resize tell ends from sizes.
        if !resizes {
            b.geoms.iter_mut().for_each(free_geom);
            b.sites.iter_mut().for_each(free_site);
        }
        let rules = b.mass_rules.unwrap_or(rules);
        b.inertial.iter_mut().for_each(|i| free_of_full(i, &rules));
    });
    if !resizes {
        for class in &mut spec.defaults {
            free_geom(&mut class.geom);
            free_site(&mut class.site);
            // Elements have what they took from the class, and MJCF can't take it back from them.
            (class.geom.fromto, class.site.fromto) = (None, None);
        }
    }
}

/// Turns the angles and orientations of a class into radians and quaternions.
fn adapt_class(class: &mut DefaultClass, old: &Compiler) {
    let j = &mut class.joint;
    if old.degree && matches!(j.r#type, JointType::Hinge | JointType::Ball) {
        let unit = PI / 180.0;
        j.range = j.range.map(|r| r.map(|x| x * unit));
        j.r#ref *= unit;
        j.springref *= unit;
    }
    for o in [&mut class.geom.orientation, &mut class.site.orientation, &mut class.camera.orientation] {
        resolve(o, old);
    }
}

/// Turns an orientation that is not a quaternion into one. One that is wrong stays, for the compiler to tell.
fn resolve(o: &mut Orientation, old: &Compiler) {
    if !matches!(o, Orientation::Identity | Orientation::Quat(_))
        && let Ok(q) = o.resolve(old.degree, old.eulerseq)
    {
        *o = Orientation::Quat(q);
    }
}

fn free_geom(g: &mut Geom) {
    place(g.r#type, &mut g.fromto, (&mut g.pos, &mut g.orientation), &mut g.size);
}

fn free_site(s: &mut Site) {
    place(s.r#type, &mut s.fromto, (&mut s.pos, &mut s.orientation), &mut s.size);
}

/// Writes pose and size of what lies between two points.
fn place(
    kind: GeomType,
    ends: &mut Option<[f64; 6]>,
    (pos, orientation): (&mut DVec3, &mut Orientation),
    size: &mut [f64; 3],
) {
    // What is wrong stays, for the compiler to tell.
    let Some((pose, half)) = ends.as_ref().and_then(from_to).filter(|_| *pos == DVec3::ZERO) else { return };
    match kind {
        GeomType::Capsule | GeomType::Cylinder => size[1] = half,
        GeomType::Ellipsoid | GeomType::Box => (size[1], size[2]) = (size[0], half),
        _ => return,
    }
    (*ends, *pos) = (None, pose.pos);
    *orientation = Orientation::Quat(pose.quat);
}

/// Writes principal moments in the place of a matrix.
fn free_of_full(i: &mut Inertial, rules: &MassRules) {
    let plain = i.diaginertia.is_none_or(|d| d == [0.0; 3])
        && matches!(i.orientation, Orientation::Identity | Orientation::Quat(_));
    let Some(full) = i.fullinertia.filter(|_| plain) else { return };
    if let Ok((moments, axes)) = principal(matrix(full), rules) {
        i.fullinertia = None;
        i.diaginertia = Some(moments.to_array());
        i.orientation = Orientation::Quat(axes);
    }
}
