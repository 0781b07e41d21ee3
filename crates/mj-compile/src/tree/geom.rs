//! Geoms and sites: shapes placed in a body.

use crate::context::{Context, material};
use crate::frames::{EPS, Pose};
use crate::messages::describe;
use crate::tree::geom_asset::{self as asset, Form};
use crate::tree::place::{Placed, in_frame, place};
use crate::tree::{fluid, shape};
use mj_math::DVec3;
use mj_model::model::{GeomRow, SiteRow};
use mj_model::spec::{Geom, Site};
use mj_model::{GeomType, MeshId, ObjType};

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

/// The body of a geom, as far as the geom depends on it.
pub(crate) struct Host<'f> {
    /// Poses of the body's frames.
    pub frames: &'f [Pose],
    /// Groups of geoms, from first to last, from which the body takes its inertia, if it does.
    pub lenders: Option<[i32; 2]>,
    /// Whether the body moves only as a mocap body does, or not at all.
    pub fixed: bool,
}

/// Compiles a geom in its body.
pub(crate) fn compile<'a>(cx: &mut Context<'a>, g: &'a Geom, host: &Host) -> GeomBuild<'a> {
    let what = describe("geom", &g.name);
    if !matches!(g.condim, 1 | 3 | 4 | 6) {
        cx.error(g.loc, format!("{what}: `condim` is {}", g.condim)).help("it must be 1, 3, 4 or 6");
    }
    if g.r#type == GeomType::Plane && !host.fixed {
        cx.error(g.loc, format!("{what}: a plane must not move"))
            .help("planes belong in the world or in bodies without joints");
    }

    let form = asset::form(cx, g, &what);
    let loads = host.lenders.is_some_and(|[first, last]| (first..=last).contains(&g.group));
    let lent = if loads { mass(cx, g, &what, &form) } else { (0.0, DVec3::ZERO) };
    let (pose, size) = (form.pose, form.size);
    let pose = in_frame(cx, g.loc, host.frames, g.frame, pose);

    let row = GeomRow {
        r#type: g.r#type,
        contype: g.contype,
        conaffinity: g.conaffinity,
        condim: g.condim,
        dataid: form.dataid,
        plugin: g.plugin.as_ref().and_then(|p| cx.plugins.get(p)).map(|(id, _)| id),
        matid: material(cx, form.material.as_deref().unwrap_or(&g.material), g.loc, &what),
        group: g.group,
        priority: g.priority,
        castshadow: g.castshadow,
        solmix: g.solmix,
        solref: g.solref,
        solimp: g.solimp,
        size,
        aabb: form.aabb,
        rbound: form.rbound,
        pos: pose.pos,
        quat: pose.quat,
        friction: g.friction,
        margin: g.margin,
        gap: g.gap,
        surfacevel: form.surfacevel,
        adhesion: g.adhesion,
        fluid: if g.fluid_ellipsoid { fluid::interaction(g.fluidcoef) } else { [0.0; 12] },
        rgba: g.rgba,
        ..Default::default()
    };
    GeomBuild { src: g, row, mass: lent.0, inertia: lent.1 }
}

/// Mass and inertia of a geom, from its mass or its density.
fn mass(cx: &mut Context, g: &Geom, what: &str, form: &Form) -> (f64, DVec3) {
    let volume = match form.solid {
        Some((volume, _)) => volume,
        None => shape::volume(g.r#type, form.size, g.shellinertia),
    };
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
    match form.solid {
        Some((_, inertia)) => (mass, mass * inertia),
        None => (mass, shape::inertia(g.r#type, form.size, g.shellinertia, mass)),
    }
}

/// Compiles a site in its body.
pub(crate) fn compile_site<'a>(cx: &mut Context<'a>, s: &'a Site, frames: &[Pose]) -> SiteBuild<'a> {
    let what = describe("site", &s.name);
    let mut dataid = None;
    let mut reach = None;
    if s.r#type == GeomType::Mesh {
        dataid = cx.find(ObjType::Mesh, &s.mesh, s.loc, &format!("mesh of {what}")).map(MeshId::new);
        reach = dataid.and_then(|i| cx.meshes[i.index()].as_ref()).map(|m| m.reach());
    } else if !s.mesh.is_empty() {
        cx.error(s.loc, format!("{what}: only a site of type `mesh` has a mesh"));
    } else if matches!(s.r#type, GeomType::Plane | GeomType::Hfield) {
        cx.error(s.loc, format!("{what}: a site cannot be a {}", s.r#type.keyword()));
    }
    let placed = Placed { pos: s.pos, orientation: &s.orientation, fromto: s.fromto.as_ref(), size: s.size };
    let (pose, size) = place(cx, s.loc, &what, s.r#type, placed);
    let pose = in_frame(cx, s.loc, frames, s.frame, pose);
    let row = SiteRow {
        r#type: s.r#type,
        dataid,
        matid: material(cx, &s.material, s.loc, &what),
        group: s.group,
        size: reach.unwrap_or(size),
        pos: pose.pos,
        quat: pose.quat,
        rgba: s.rgba,
        ..Default::default()
    };
    SiteBuild { src: s, row }
}
