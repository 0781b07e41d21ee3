//! Geoms and sites: shapes placed in a body.

use crate::context::{Context, describe};
use crate::frames::{self, EPS, Pose};
use crate::{fluid, shape};
use mj_math::DVec3;
use mj_model::model::{GeomRow, SiteRow};
use mj_model::spec::{Geom, Orientation, Site};
use mj_model::{GeomType, Loc, MaterialId, ObjType};

/// A geom on its way into the model.
pub(crate) struct GeomBuild<'a> {
    pub src: &'a Geom,
    pub row: GeomRow,
    /// Mass that the geom lends its body.
    pub mass: f64,
    /// Its principal moments in the geom's frame.
    pub inertia: DVec3,
}

/// A site on its way into the model.
pub(crate) struct SiteBuild<'a> {
    pub src: &'a Site,
    pub row: SiteRow,
}

/// What a geom needs to know of its body.
pub(crate) struct Host<'f> {
    /// Poses of the body's frames.
    pub frames: &'f [Pose],
    /// Whether the body takes its inertia from geoms.
    pub infers_inertia: bool,
    /// Whether the body moves only as a mocap body does, or not at all.
    pub fixed: bool,
}

/// Compiles a geom in its body.
pub(crate) fn compile<'a>(cx: &mut Context<'a>, g: &'a Geom, host: &Host) -> GeomBuild<'a> {
    let what = describe("geom", &g.name);
    let c = cx.compiler;
    if !matches!(g.condim, 1 | 3 | 4 | 6) {
        cx.error(g.loc, format!("{what}: `condim` is {}", g.condim)).help("it must be 1, 3, 4 or 6");
    }
    let foreign = match g.r#type {
        GeomType::Mesh | GeomType::Sdf => Some("mesh geoms"),
        GeomType::Hfield => Some("height-field geoms"),
        _ if !g.mesh.is_empty() => Some("geoms fitted to meshes"),
        _ if !g.hfield.is_empty() => Some("height fields"),
        _ => None,
    };
    if let Some(feature) = foreign {
        cx.unsupported(g.loc, feature);
    }
    if g.r#type == GeomType::Plane && !host.fixed {
        cx.error(g.loc, format!("{what}: a plane must not move"))
            .help("planes belong in the world or in bodies without joints");
    }

    let size = g.size.map(|s| if s.is_nan() { 0.0 } else { s });
    let placed = Placed { pos: g.pos, orientation: &g.orientation, fromto: g.fromto.as_ref(), size };
    let (pose, size) = place(cx, g.loc, &what, g.r#type, placed);
    let loads = g.group >= c.inertiagrouprange[0] && g.group <= c.inertiagrouprange[1];
    let (mass, inertia) = match foreign {
        None if host.infers_inertia && loads => mass(cx, g, &what, size),
        _ => (0.0, DVec3::ZERO),
    };
    let pose = in_frame(cx, g.loc, host.frames, g.frame, pose);

    let row = GeomRow {
        r#type: g.r#type,
        contype: g.contype,
        conaffinity: g.conaffinity,
        condim: g.condim,
        dataid: -1,
        matid: material(cx, &g.material, g.loc, &what),
        group: g.group,
        priority: g.priority,
        castshadow: g.castshadow,
        solmix: g.solmix,
        solref: g.solref,
        solimp: g.solimp,
        size,
        aabb: shape::bounding_box(g.r#type, size),
        rbound: shape::radius(g.r#type, size),
        pos: pose.pos,
        quat: pose.quat,
        friction: g.friction,
        margin: g.margin,
        gap: g.gap,
        surfacevel: g.surfacevel,
        adhesion: g.adhesion,
        fluid: if g.fluid_ellipsoid { fluid::interaction(g.r#type, size, g.fluidcoef) } else { [0.0; 12] },
        rgba: g.rgba,
        ..Default::default()
    };
    GeomBuild { src: g, row, mass, inertia }
}

/// Mass and inertia of a geom, from its mass or its density.
fn mass(cx: &mut Context, g: &Geom, what: &str, size: DVec3) -> (f64, DVec3) {
    let volume = shape::volume(g.r#type, size, g.shellinertia);
    let mass = match g.mass {
        Some(m) if volume > EPS || m < 0.0 => m,
        Some(_) => 0.0,
        None => g.density * volume,
    };
    if mass < 0.0 || g.density < 0.0 {
        cx.error(g.loc, format!("{what}: mass and density must not be negative"));
        return (0.0, DVec3::ZERO);
    }
    if mass == 0.0 {
        return (0.0, DVec3::ZERO);
    }
    (mass, shape::inertia(g.r#type, size, g.shellinertia, mass))
}

/// Compiles a site in its body.
pub(crate) fn compile_site<'a>(cx: &mut Context<'a>, s: &'a Site, frames: &[Pose]) -> SiteBuild<'a> {
    let what = describe("site", &s.name);
    if matches!(s.r#type, GeomType::Mesh | GeomType::Sdf) || !s.mesh.is_empty() {
        cx.unsupported(s.loc, "mesh sites");
    } else if matches!(s.r#type, GeomType::Plane | GeomType::Hfield) {
        cx.error(s.loc, format!("{what}: a site cannot be a {}", s.r#type.keyword()));
    }
    let placed = Placed { pos: s.pos, orientation: &s.orientation, fromto: s.fromto.as_ref(), size: s.size };
    let (pose, size) = place(cx, s.loc, &what, s.r#type, placed);
    let pose = in_frame(cx, s.loc, frames, s.frame, pose);
    let row = SiteRow {
        r#type: s.r#type,
        matid: material(cx, &s.material, s.loc, &what),
        group: s.group,
        size,
        pos: pose.pos,
        quat: pose.quat,
        rgba: s.rgba,
        ..Default::default()
    };
    SiteBuild { src: s, row }
}

/// Where and how large a shape was written to be.
struct Placed<'s> {
    pos: DVec3,
    orientation: &'s Orientation,
    fromto: Option<&'s [f64; 6]>,
    size: [f64; 3],
}

/// Pose and size of a shape, which `fromto` may give instead of position, orientation and length.
fn place(cx: &mut Context, loc: Loc, what: &str, kind: GeomType, p: Placed) -> (Pose, DVec3) {
    let mut size = p.size;
    let mut pose = Pose { pos: p.pos, ..Pose::IDENTITY };
    match p.fromto {
        None => pose.quat = orientation(cx, p.orientation, loc, what),
        Some(ft) => {
            let long = matches!(kind, GeomType::Capsule | GeomType::Cylinder);
            if !long && !matches!(kind, GeomType::Ellipsoid | GeomType::Box) {
                cx.error(loc, format!("{what}: a {} has no `fromto`", kind.keyword()))
                    .help("capsules, cylinders, boxes and ellipsoids have");
            }
            if p.pos != DVec3::ZERO {
                cx.error(loc, format!("{what}: `fromto` gives the position, so `pos` must not"));
            }
            match frames::from_to(ft) {
                None => {
                    cx.error(loc, format!("{what}: the points of `fromto` coincide"));
                    return (pose, DVec3::ONE);
                }
                Some((between, half)) if long => (pose, size[1]) = (between, half),
                Some((between, half)) => (pose, size[1], size[2]) = (between, size[0], half),
            }
        }
    }
    let needed = shape::size_count(kind);
    // A plane may be infinite across, but must have a grid spacing.
    let check = if kind == GeomType::Plane { 2..3 } else { 0..needed };
    if let Some(i) = check.into_iter().find(|&i| size[i].is_nan() || size[i] <= 0.0) {
        cx.error(loc, format!("{what}: size {} of a {} must be positive", i + 1, kind.keyword()))
            .help(format!("a {} has {needed} sizes", kind.keyword()));
        size = [1.0; 3];
    }
    (pose, DVec3::from_array(size))
}

/// An orientation, or the identity and an error.
pub(crate) fn orientation(cx: &mut Context, o: &Orientation, loc: Loc, what: &str) -> mj_math::DQuat {
    frames::orientation(o, cx.compiler).unwrap_or_else(|e| {
        cx.error(loc, format!("{what}: {e}"));
        mj_math::DQuat::IDENTITY
    })
}

/// Pose in the body of what has `pose` in one of the body's frames.
pub(crate) fn in_frame(cx: &mut Context, loc: Loc, frames: &[Pose], frame: Option<usize>, pose: Pose) -> Pose {
    match frame.map(|f| frames.get(f)) {
        None => pose,
        Some(Some(f)) => f.then(pose),
        Some(None) => {
            cx.error(loc, "the frame of this element is not one of its body");
            pose
        }
    }
}

/// Row of a material by name, if one is named.
pub(crate) fn material(cx: &mut Context, name: &str, loc: Loc, what: &str) -> Option<MaterialId> {
    if name.is_empty() || cx.compiler.discardvisual {
        return None;
    }
    cx.find(ObjType::Material, name, loc, &format!("material of {what}")).map(MaterialId::new)
}
