//! Elements of bodies, resized by the frames around them.

use super::assets::Instances;
use super::scales::{ScaleMap, Scales, alike, mean, scaled};
use super::survey::{measure, turn};
use crate::frames;
use crate::inertia;
use crate::messages::describe;
use mj_math::{DMat3, DQuat, DVec3, quat};
use mj_model::spec::{Camera, Compiler, Geom, Inertial, Joint, Light, Orientation, Site};
use mj_model::{Diagnostics, GeomType, JointType};

const ALIGN: &str = "turn it to within 2 degrees of an axis, or give the frame one factor for all axes";

/// A mass with its explicit inertia. False if there is no body with the outcome.
pub(super) fn inertial(i: &mut Inertial, scales: Scales, c: &Compiler) -> bool {
    i.pos = scales.map.apply(i.pos);
    i.mass *= scales.mass;
    match scales.map {
        ScaleMap::Uniform(s) => {
            let factor = scales.mass * s * s;
            i.diaginertia.iter_mut().for_each(|d| d.iter_mut().for_each(|x| *x *= factor));
            i.fullinertia.iter_mut().for_each(|f| f.iter_mut().for_each(|x| *x *= factor));
        }
        ScaleMap::Matrix(_) => {
            let own = match (i.fullinertia, i.diaginertia) {
                (Some(full), None) => inertia::matrix(full),
                (None, Some(moments)) if moments != [0.0; 3] => {
                    let axes = quat::to_mat_compiling(turn(&i.orientation, c));
                    axes * DMat3::from_diagonal(DVec3::from_array(moments)) * axes.transpose()
                }
                // No inertia stays none; both forms at once are an error of their own.
                _ => return true,
            };
            let m = scales.inertia(own);
            i.fullinertia = Some([m.x_axis.x, m.y_axis.y, m.z_axis.z, m.x_axis.y, m.x_axis.z, m.y_axis.z]);
            i.diaginertia = None;
            i.orientation = Orientation::Identity;
            let rules = c.mass_rules();
            return inertia::principal(m, &rules).is_ok() || inertia::principal(own, &rules).is_err();
        }
    }
    true
}

/// A joint: of a slide, all that is a length along it; of both kinds of axes, all that is a force.
pub(super) fn joint(j: &mut Joint, scales: Scales, diag: &mut Diagnostics) {
    j.pos = scales.map.apply(j.pos);
    if j.r#type == JointType::Free {
        return;
    }
    let m = measure(j, scales);
    let turns = matches!(j.r#type, JointType::Hinge | JointType::Slide);
    if turns && frames::unit(j.axis).is_some_and(|axis| !scales.map.keeps(axis)) {
        diag.error(
            j.loc,
            format!("{}: its axis is askew to the axes along which it is scaled", describe("joint", &j.name)),
        )
        .help(ALIGN);
    }
    if j.r#type == JointType::Slide {
        for x in [&mut j.r#ref, &mut j.springref, &mut j.springyield, &mut j.margin] {
            *x *= m.coordinate;
        }
        scale_all(j.range.iter_mut(), m.coordinate);
        j.solimp_limit[2] *= m.coordinate;
        j.solimp_friction[2] *= m.coordinate;
    }
    scale_all(j.actfrcrange.iter_mut(), m.force);
    j.frictionloss *= m.force;
    j.armature *= m.force / m.unit;
    m.coefficients(&mut j.stiffness);
    m.coefficients(&mut j.damping);
}

/// Scales the numbers of ranges.
pub(super) fn scale_all<'a>(ranges: impl Iterator<Item = &'a mut [f64; 2]>, factor: f64) {
    ranges.flatten().for_each(|x| *x *= factor);
}

/// How a shape is stretched in its own coordinates, and where its axis lies if two points give it.
fn own_map(scales: Scales, orientation: &Orientation, fromto: Option<&[f64; 6]>, c: &Compiler) -> ScaleMap {
    let axes: DQuat = match fromto {
        Some(points) => frames::from_to(points).map_or(DQuat::IDENTITY, |(pose, _)| pose.quat),
        None => turn(orientation, c),
    };
    scales.map.turned(axes)
}

/// Takes both points to where they go.
fn move_points(fromto: &mut Option<[f64; 6]>, scales: Scales) {
    for point in fromto.iter_mut().flat_map(|p| p.chunks_exact_mut(3)) {
        scales.map.apply(DVec3::from_slice(point)).write_to_slice(point);
    }
}

/// A geom.
pub(super) fn geom(g: &mut Geom, scales: Scales, c: &Compiler, assets: &mut Instances, diag: &mut Diagnostics) {
    let own = own_map(scales, &g.orientation, g.fromto.as_ref(), c);
    let length = scales.length();
    g.pos = scales.map.apply(g.pos);
    let [_, spin, roll] = &mut g.friction;
    for x in [&mut g.margin, &mut g.gap, spin, roll, &mut g.solimp[2]] {
        *x *= length;
    }
    g.adhesion *= scales.force();
    own.apply(DVec3::from_slice(&g.surfacevel)).write_to_slice(&mut g.surfacevel);
    g.mass = g.mass.map(|m| m * scales.mass);
    // A primitive fitted to a shell is solid.
    let is_shell = g.shellinertia || g.r#type == GeomType::Mesh && assets.is_shell(&g.mesh);
    g.density *= if is_shell { scales.surface_density() } else { scales.density };

    if !g.mesh.is_empty() {
        g.mesh = assets.mesh(&g.mesh, own);
        return;
    }
    if let Some((problem, help)) = askew(g.r#type, own, g.fromto.is_some()) {
        diag.error(g.loc, format!("{}: {problem}", describe("geom", &g.name))).help(help);
    }
    let f = own.axes();
    if g.r#type == GeomType::Hfield {
        g.hfield = assets.hfield(&g.hfield, f);
        return;
    }
    resize(g.r#type, &mut g.size, f, length, g.fromto.is_some());
    move_points(&mut g.fromto, scales);
}

/// Why a shape cannot be stretched like that into one of the same kind, and what could be done.
fn askew(kind: GeomType, own: ScaleMap, is_long: bool) -> Option<(String, &'static str)> {
    let ScaleMap::Matrix(_) = own else { return None };
    let f = own.axes();
    let aligned = DVec3::AXES.iter().all(|&a| own.keeps(a));
    let kind = kind.keyword();
    match (kind, is_long) {
        ("sphere", _) if !(alike(f.x, f.y) && alike(f.x, f.z) && alike(f.y, f.z)) => Some((
            format!("a {kind} scaled by {:.3}, {:.3} and {:.3} along its axes is none any more", f.x, f.y, f.z),
            "use an ellipsoid, or give the frame one factor for all axes",
        )),
        ("capsule" | "cylinder", _) | ("box" | "ellipsoid", true) => {
            if !own.keeps(DVec3::Z) {
                Some((format!("the axis of this {kind} is askew to the axes along which it is scaled"), ALIGN))
            } else if !alike(f.x, f.y) {
                Some((
                    format!("this {kind} is scaled by {:.3} and {:.3} across its axis, but it has one width", f.x, f.y),
                    "factors across its axis must be equal; a mesh can be stretched in any way",
                ))
            } else {
                None
            }
        }
        ("box" | "ellipsoid" | "plane" | "hfield", _) if !aligned => {
            Some((format!("this {kind} is askew to the axes along which it is scaled"), ALIGN))
        }
        _ => None,
    }
}

/// Sizes of a primitive with these factors along its axes.
fn resize(kind: GeomType, size: &mut [f64; 3], f: DVec3, length: f64, is_long: bool) {
    let by = match kind {
        GeomType::Plane => [f.x, f.y, length],
        GeomType::Sphere => [length, 1.0, 1.0],
        GeomType::Capsule | GeomType::Cylinder => [mean(f.x, f.y), f.z, 1.0],
        GeomType::Ellipsoid | GeomType::Box if is_long => [mean(f.x, f.y), 1.0, 1.0],
        GeomType::Ellipsoid | GeomType::Box => f.to_array(),
        _ => [1.0; 3],
    };
    size.iter_mut().zip(by).for_each(|(x, by)| *x *= by);
}

/// A site. What cannot be stretched exactly is stretched nearly: sites are only seen, or roughly bounded.
pub(super) fn site(s: &mut Site, scales: Scales, c: &Compiler, assets: &mut Instances) {
    let own = own_map(scales, &s.orientation, s.fromto.as_ref(), c);
    s.pos = scales.map.apply(s.pos);
    if !s.mesh.is_empty() {
        s.mesh = assets.mesh(&s.mesh, own);
    }
    resize(s.r#type, &mut s.size, own.axes(), scales.length(), s.fromto.is_some());
    move_points(&mut s.fromto, scales);
}

/// A camera: where it is, and its lengths.
pub(super) fn camera(x: &mut Camera, scales: Scales) {
    x.pos = scales.map.apply(x.pos);
    x.ipd *= scales.length();
    let pairs = [Some(&mut x.sensorsize), x.focal.as_mut(), x.principal.as_mut()];
    pairs.into_iter().flatten().flatten().for_each(|x| *x = scaled(*x, scales.length()));
}

/// A light: where it is, its lengths, and attenuation by distance.
pub(super) fn light(l: &mut Light, scales: Scales) {
    let length = scales.length();
    l.pos = scales.map.apply(l.pos);
    l.bulbradius = scaled(l.bulbradius, length);
    l.range = scaled(l.range, length);
    l.attenuation[1] = scaled(l.attenuation[1], 1.0 / length);
    l.attenuation[2] = scaled(l.attenuation[2], 1.0 / (length * length));
}
