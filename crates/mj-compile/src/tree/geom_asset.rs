//! The form of a geom: a primitive by itself, a mesh, a primitive fitted to a mesh, a height field.

use crate::context::Context;
use crate::frames::Pose;
use crate::tree::place::{Placed, orientation, place};
use crate::tree::shape;
use mj_math::{DVec3, quat};
use mj_model::spec::Geom;
use mj_model::{GeomType, HfieldId, ObjType};

/// Where a geom is in its frame, how large, and what is known of it.
pub(crate) struct Form {
    pub pose: Pose,
    pub size: DVec3,
    /// Bounding box of a mesh: centre, half sizes.
    pub aabb: [f64; 6],
    /// Radius of a mesh's bounding sphere.
    pub rbound: f64,
    /// Row of the mesh or height field; −1: none.
    pub dataid: i32,
    /// Volume, and principal moments of a unit of mass, if they are not the primitive's.
    pub solid: Option<(f64, DVec3)>,
    /// Material in place of the geom's.
    pub material: Option<String>,
    pub surfacevel: [f64; 6],
}

/// Works out what a geom is made of.
pub(crate) fn form(cx: &mut Context, g: &Geom, what: &str) -> Form {
    let is_field = g.r#type == GeomType::Hfield;
    if g.plugin.is_some() && g.r#type != GeomType::Sdf {
        cx.error(g.loc, format!("{what}: only a geom of type `sdf` has a plugin"));
    }
    if matches!(g.r#type, GeomType::Mesh | GeomType::Sdf) || !g.mesh.is_empty() {
        return of_mesh(cx, g, what);
    } else if is_field == g.hfield.is_empty() {
        let need = if is_field { "needs `hfield`" } else { "cannot have a height field" };
        cx.error(g.loc, format!("{what}: a {} {need}", g.r#type.keyword()));
    } else if is_field {
        return of_field(cx, g, what);
    }
    let size = g.size.map(|s| if s.is_nan() { 0.0 } else { s });
    let placed = Placed { pos: g.pos, orientation: &g.orientation, fromto: g.fromto.as_ref(), size };
    let (pose, size) = place(cx, g.loc, what, g.r#type, placed);
    primitive(g, pose, size)
}

fn primitive(g: &Geom, pose: Pose, size: DVec3) -> Form {
    Form { pose, size, aabb: [0.0; 6], rbound: 0.0, dataid: -1, solid: None, material: None, surfacevel: g.surfacevel }
}

/// A mesh, or a primitive that takes its size and place from one.
fn of_mesh(cx: &mut Context, g: &Geom, what: &str) -> Form {
    let place = Pose { pos: g.pos, quat: orientation(cx, &g.orientation, g.loc, what) };
    let nothing = primitive(g, place, DVec3::ONE);
    if g.fromto.is_some() {
        cx.error(g.loc, format!("{what}: a geom with a mesh has no `fromto`"));
    }
    let row = cx.find(ObjType::Mesh, &g.mesh, g.loc, &format!("mesh of {what}"));
    // A mesh that is wrong has its own error.
    let Some((row, mesh)) = row.and_then(|i| Some((i, cx.meshes[i].as_ref()?))) else { return nothing };

    if matches!(g.r#type, GeomType::Mesh | GeomType::Sdf) {
        let pose = place.then(mesh.pose);
        let size = mesh.reach();
        let form = Form {
            pose,
            size,
            aabb: shape::centred(mesh.low, mesh.high),
            rbound: size.length(),
            dataid: row as i32,
            solid: Some((mesh.volume, mesh.inertia)),
            material: (g.material.is_empty() && !mesh.material.is_empty()).then(|| mesh.material.clone()),
            surfacevel: carried(g.surfacevel, mesh.pose),
        };
        if g.shellinertia {
            cx.error(g.loc, format!("{what}: the inertia of a mesh is set on the mesh, not on its geoms"))
                .help("set inertia=\"shell\" on the mesh");
        }
        return form;
    }
    let Some((size, centre)) = mesh.fit(g.r#type, cx.compiler.fitaabb) else {
        cx.error(g.loc, format!("{what}: a {} cannot be fitted to a mesh", g.r#type.keyword()))
            .help("spheres, capsules, ellipsoids, cylinders and boxes can");
        return nothing;
    };
    let local = Pose { pos: mesh.pose.point(centre), quat: mesh.pose.quat };
    let size = size * g.fitscale;
    let form = Form { surfacevel: carried(g.surfacevel, local), ..primitive(g, place.then(local), size) };
    let sizes = &size.to_array()[..shape::size_count(g.r#type)];
    if !size.is_finite() || sizes.iter().any(|&x| x <= 0.0) {
        let help = match g.r#type {
            GeomType::Capsule => {
                "the mesh is not longer along its z axis than it is wide; a sphere or a cylinder may fit"
            }
            _ => "the mesh is flat or its fitted size is not finite",
        };
        let shown = sizes.iter().map(|&x| (x as f32).to_string()).collect::<Vec<_>>().join(" ");
        cx.error(g.loc, format!("{what}: no {} fits the mesh: its size would be {shown}", g.r#type.keyword()))
            .help(help);
    }
    form
}

/// A velocity field v + ω × x, expressed in a frame that has this pose.
fn carried([vx, vy, vz, wx, wy, wz]: [f64; 6], frame: Pose) -> [f64; 6] {
    let (v, w) = (DVec3::new(vx, vy, vz), DVec3::new(wx, wy, wz));
    let back = frame.quat.conjugate();
    let (v, w) = (quat::rotate(back, v + w.cross(frame.pos)), quat::rotate(back, w));
    [v.x, v.y, v.z, w.x, w.y, w.z]
}

fn of_field(cx: &mut Context, g: &Geom, what: &str) -> Form {
    let pose = Pose { pos: g.pos, quat: orientation(cx, &g.orientation, g.loc, what) };
    if g.fromto.is_some() {
        cx.error(g.loc, format!("{what}: a height field has no `fromto`"));
    }
    let row = cx.find(ObjType::Hfield, &g.hfield, g.loc, &format!("height field of {what}")).map(HfieldId::new);
    let Some(row) = row else { return primitive(g, pose, DVec3::ONE) };
    let size = shape::of_field(cx.spec.hfields[row.index()].size);
    Form { dataid: row.index() as i32, ..primitive(g, pose, size) }
}
