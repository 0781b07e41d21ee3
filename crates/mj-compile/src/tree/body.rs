//! Bodies with all that is in them, in depth-first order.

use crate::context::Context;
use crate::frames::{self, EPS, Pose};
use crate::inertia::{self, Mass};
use crate::messages::describe;
use crate::tree::geom::{self, GeomBuild, Host, SiteBuild};
use crate::tree::joint::{self, JointBuild};
use crate::tree::place::{in_frame, orientation};
use crate::tree::view::{self, CameraBuild, LightBuild};
use mj_math::{DVec3, MINVAL, quat};
use mj_model::model::BodyRow;
use mj_model::spec::{Body, Compiler, Inertial, MassRules};
use mj_model::{InertiaFromGeom, JointType, ObjType, Tri};

/// A body on its way into the model.
pub(crate) struct BodyBuild<'a> {
    pub src: &'a Body,
    /// Position of the parent in the list of bodies.
    pub parent: usize,
    pub row: BodyRow,
    /// Its mass, in the frame that is written.
    pub own: Mass,
    /// Whether its mass or inertia was lifted to a bound or balanced.
    pub adjusted: bool,
    /// Poses of the body's frames.
    pub frames: Vec<Pose>,
    pub joints: Vec<JointBuild<'a>>,
    pub geoms: Vec<GeomBuild<'a>>,
    pub sites: Vec<SiteBuild<'a>>,
    pub cameras: Vec<CameraBuild<'a>>,
    pub lights: Vec<LightBuild<'a>>,
}

impl BodyBuild<'_> {
    /// Whether it moves relative to its parent, or may be moved from outside.
    pub fn is_weld_root(&self) -> bool {
        !self.joints.is_empty() || self.src.mocap
    }

    pub fn pose(&self) -> Pose {
        Pose { pos: self.row.pos, quat: self.row.quat }
    }
}

/// Compiles every body, parents first: the order of their rows in the model.
pub(crate) fn compile_all<'a>(cx: &mut Context<'a>) -> Vec<BodyBuild<'a>> {
    let world = &cx.spec.worldbody;
    if let Some(j) = world.joints.first() {
        cx.error(j.loc, "the world cannot have joints");
    }
    let mut list: Vec<BodyBuild> = Vec::new();
    // Whether each body is fixed in the world, or moves as a mocap body does.
    let mut fixed: Vec<bool> = Vec::new();
    let mut todo = vec![(world, 0)];
    while let Some((body, parent)) = todo.pop() {
        let id = list.len();
        let is_fixed = body.joints.is_empty() && (id == 0 || body.mocap || fixed[parent]);
        let built = compile(cx, body, parent, id, is_fixed, &list);
        list.push(built);
        fixed.push(is_fixed);
        todo.extend(body.bodies.iter().rev().map(|b| (b, id)));
    }
    if list.len() >= 65534 {
        cx.error(world.loc, format!("{} bodies are too many", list.len())).help("a model has at most 65533");
    }
    list
}

fn compile<'a>(
    cx: &mut Context<'a>,
    b: &'a Body,
    parent: usize,
    id: usize,
    fixed: bool,
    list: &[BodyBuild<'a>],
) -> BodyBuild<'a> {
    let what = if id == 0 { "world".to_string() } else { describe("body", &b.name) };
    let c = cx.compiler;
    let mut wrong = Vec::new();
    let frames = frames::accumulate(&b.frames, c, |i, e| wrong.push((i, e)));
    for (i, e) in wrong {
        cx.error(b.frames[i].loc, format!("{}: {e}", describe("frame", &b.frames[i].name)));
    }

    let local = Pose { pos: b.pos, quat: orientation(cx, &b.orientation, b.loc, &what) };
    let rules = mass_rules(cx.compiler, b);
    let infers_inertia = id > 0 && (b.inertial.is_none() || rules.inertiafromgeom == InertiaFromGeom::True);
    let host = Host { frames: &frames, lenders: infers_inertia.then_some(rules.inertiagrouprange), fixed };
    let mut geoms: Vec<GeomBuild> = b.geoms.iter().map(|g| geom::compile(cx, g, &host)).collect();
    let (mass, adjusted) = if id > 0 { own_mass(cx, b, &what, local, &geoms) } else { (NO_MASS, false) };
    let mut inertial = mass.pose;

    // A child body may stand in a frame of its parent.
    let mut pose = match list.get(parent) {
        Some(p) if id > 0 => in_frame(cx, b.loc, &p.frames, b.frame, local),
        _ => local,
    };

    // A lone free body may have its frame moved to its centre of mass and principal axes, which
    // makes its inertia diagonal.
    let aligned = matches!(&b.joints[..], [j] if j.r#type == JointType::Free
        && b.bodies.is_empty()
        && (j.align == Tri::True || j.align == Tri::Auto && c.alignfree));
    let moved = aligned.then(|| inertial.inverse());
    if moved.is_some() {
        pose = pose.then(inertial);
        inertial = Pose::IDENTITY;
    }

    let joints: Vec<JointBuild> = b.joints.iter().map(|j| joint::compile(cx, j, &frames)).collect();
    check_joints(cx, b, parent, &what, &joints);
    let mut sites: Vec<SiteBuild> = b.sites.iter().map(|s| geom::compile_site(cx, s, &frames)).collect();
    let mut cameras: Vec<CameraBuild> = b.cameras.iter().map(|x| view::camera(cx, x, &frames)).collect();
    let mut lights: Vec<LightBuild> = b.lights.iter().map(|x| view::light(cx, x, &frames)).collect();
    if let Some(t) = moved {
        carry(t, &mut geoms, &mut sites, &mut cameras, &mut lights);
    }

    let row = BodyRow {
        pos: pose.pos,
        quat: pose.quat,
        ipos: inertial.pos,
        iquat: inertial.quat,
        mass: mass.mass,
        inertia: mass.inertia,
        gravcomp: b.gravcomp,
        ..Default::default()
    };
    BodyBuild { src: b, parent, row, own: mass, adjusted, frames, joints, geoms, sites, cameras, lights }
}

/// How a body comes to its mass and inertia.
pub(crate) fn mass_rules(c: &Compiler, b: &Body) -> MassRules {
    b.mass_rules.unwrap_or_else(|| c.mass_rules())
}

const NO_MASS: Mass = Mass { mass: 0.0, inertia: DVec3::ZERO, pose: Pose::IDENTITY };

/// A body's mass: as written, or from its geoms; bounded, and checked. Whether that changed it.
fn own_mass(cx: &mut Context, b: &Body, what: &str, local: Pose, geoms: &[GeomBuild]) -> (Mass, bool) {
    let c = mass_rules(cx.compiler, b);
    let written = b.inertial.as_ref().map(|i| explicit(cx, i, what, &c));
    let from_geoms = match c.inertiafromgeom {
        InertiaFromGeom::True => true,
        InertiaFromGeom::Auto => written.is_none(),
        InertiaFromGeom::False => false,
    };
    let mut mass = None;
    if from_geoms {
        let range = c.inertiagrouprange;
        let parts: Vec<Mass> = geoms
            .iter()
            .filter(|g| (range[0]..=range[1]).contains(&g.row.group) && g.mass > EPS)
            .map(|g| Mass { mass: g.mass, inertia: g.inertia, pose: Pose { pos: g.row.pos, quat: g.row.quat } })
            .collect();
        mass = inertia::combine(&parts, &c).unwrap_or_else(|e| {
            cx.error(b.loc, format!("{what}: inertia from geoms: {e}"));
            None
        });
    }
    // A body that has neither keeps the reference's convention: its inertial frame is a copy of the
    // body's pose in the parent.
    let mut mass = mass.or(written).unwrap_or(Mass { pose: local, ..NO_MASS });

    if !(mass.mass.is_finite() && mass.inertia.is_finite()) {
        let loc = b.inertial.as_ref().map_or(b.loc, |i| i.loc);
        cx.error(loc, format!("{what}: mass and inertia must be finite"));
        return (mass, false);
    }
    let before = (mass.mass, mass.inertia);
    mass.mass = mass.mass.max(c.boundmass);
    mass.inertia = mass.inertia.max(DVec3::splat(c.boundinertia));
    if mass.mass < 0.0 || mass.inertia.min_element() < 0.0 {
        cx.error(b.loc, format!("{what}: mass and inertia must not be negative"));
    } else if !inertia::is_physical(mass.inertia) {
        if c.balanceinertia {
            mass.inertia = DVec3::splat(mass.inertia.element_sum() / 3.0);
        } else {
            let i = mass.inertia;
            let loc = b.inertial.as_ref().map_or(b.loc, |i| i.loc);
            cx.error(loc, format!("{what}: no body has the principal moments {} {} {}", i.x, i.y, i.z))
                .help("the sum of any two must not be less than the third; balanceinertia=\"true\" in `compiler` averages them");
        }
    }
    (mass, before != (mass.mass, mass.inertia))
}

/// The mass that an `inertial` element gives.
fn explicit(cx: &mut Context, i: &Inertial, what: &str, rules: &MassRules) -> Mass {
    let mut pose = Pose { pos: i.pos, quat: orientation(cx, &i.orientation, i.loc, what) };
    let mut moments = DVec3::from_array(i.diaginertia.unwrap_or_default());
    if let Some(full) = i.fullinertia {
        if i.diaginertia.is_some_and(|d| d != [0.0; 3]) {
            cx.error(i.loc, format!("{what}: give `fullinertia` or `diaginertia`, not both"));
        }
        if !matches!(i.orientation, mj_model::spec::Orientation::Identity | mj_model::spec::Orientation::Quat(_)) {
            cx.error(i.loc, format!("{what}: `fullinertia` sets the orientation, so nothing else may"));
        }
        match inertia::principal(inertia::matrix(full), rules) {
            Ok((m, q)) => (moments, pose.quat) = (m, q),
            Err(e) => {
                // A moment that can be used, so that nothing else is told about it.
                moments = DVec3::ONE;
                cx.error(i.loc, format!("{what}: {e}"));
            }
        }
    }
    Mass { mass: i.mass, inertia: moments, pose }
}

/// Checks that free bodies are children of the world, once static bodies are gone.
pub(crate) fn check_free(cx: &mut Context, bodies: &[BodyBuild]) {
    for b in bodies.iter().filter(|b| b.parent != 0) {
        if b.joints.iter().any(|j| j.row.r#type == JointType::Free) {
            let what = describe("body", &b.src.name);
            cx.error(b.src.loc, format!("{what}: a free joint is only for children of the world"))
                .help("move the body up to the world, or use other joints");
        }
    }
}

/// Checks that a body's joints go together.
fn check_joints(cx: &mut Context, b: &Body, parent: usize, what: &str, joints: &[JointBuild]) {
    let free = joints.iter().filter(|j| j.row.r#type == JointType::Free).count();
    if free > 0 && joints.len() > 1 {
        cx.error(b.loc, format!("{what}: a free joint must be its body's only joint"));
    }
    let dofs: usize = joints.iter().map(|j| j.row.r#type.sizes().1).sum();
    if dofs > 6 {
        cx.error(b.loc, format!("{what} has {dofs} degrees of freedom")).help("a body has at most 6");
    }
    let ball = joints.iter().position(|j| j.row.r#type == JointType::Ball);
    let rotates = |j: &JointBuild| matches!(j.row.r#type, JointType::Ball | JointType::Hinge);
    if let Some(after) = ball.and_then(|i| joints[i + 1..].iter().find(|j| rotates(j))) {
        cx.error(after.src.loc, format!("{what}: a rotation cannot follow a ball joint"));
    }
    if b.mocap && (dofs > 0 || parent != 0) {
        cx.error(b.loc, format!("{what}: a mocap body must be a child of the world without joints"));
    }
}

/// Moves everything that is placed in a body into another frame, in which the body's has pose `t`.
pub(crate) fn carry(
    t: Pose,
    geoms: &mut [GeomBuild],
    sites: &mut [SiteBuild],
    cameras: &mut [CameraBuild],
    lights: &mut [LightBuild],
) {
    let apply = |pos: &mut DVec3, q: &mut mj_math::DQuat| {
        let moved = t.then(Pose { pos: *pos, quat: *q });
        (*pos, *q) = (moved.pos, moved.quat);
    };
    geoms.iter_mut().for_each(|g| apply(&mut g.row.pos, &mut g.row.quat));
    sites.iter_mut().for_each(|s| apply(&mut s.row.pos, &mut s.row.quat));
    cameras.iter_mut().for_each(|c| apply(&mut c.row.pos, &mut c.row.quat));
    for l in lights {
        l.row.pos = t.point(l.row.pos);
        l.row.dir = quat::rotate(t.quat, l.row.dir);
    }
}

/// Checks that everything that moves has mass: a body's own, or that of something fixed to it.
pub(crate) fn check_moving_masses(cx: &mut Context, bodies: &[BodyBuild]) {
    // A mesh that is wrong has its own error.
    let is_unknown = |mesh: &str| cx.names.find(ObjType::Mesh, mesh).is_some_and(|i| cx.meshes[i].is_none());
    let heavy = |b: &BodyBuild| {
        b.row.mass >= MINVAL && b.row.inertia.min_element() >= MINVAL
            || b.src.geoms.iter().any(|g| !g.mesh.is_empty() && is_unknown(&g.mesh))
    };
    let mut carries: Vec<bool> = bodies.iter().map(heavy).collect();
    for i in (1..bodies.len()).rev() {
        if carries[i] && bodies[i].joints.is_empty() {
            carries[bodies[i].parent] = true;
        }
    }
    for (b, &carries) in bodies.iter().zip(&carries).skip(1) {
        if !b.joints.is_empty() && !carries {
            cx.error(b.src.loc, format!("{}: it moves, but has no mass or no inertia", describe("body", &b.src.name)))
                .help("add geoms with mass, or an `inertial` element with `mass` and `diaginertia`");
        }
    }
}
