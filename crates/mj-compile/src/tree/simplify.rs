//! The two simplifications that the compiler offers: merging static bodies into their parents, and
//! dropping geoms that are only seen.

use crate::context::Context;
use crate::inertia::{self, Mass};
use crate::messages::describe;
use crate::tree::body::{BodyBuild, carry, mass_rules};
use crate::tree::geom::GeomBuild;
use mj_math::{DVec3, MINVAL};
use mj_model::spec::WrapObject;
use mj_model::{GeomType, InertiaFromGeom, MeshId, ObjType, SensorType, SleepPolicy, Spec, Tri, TrnType};
use std::collections::HashSet;

/// Rows of the bodies into which bodies are merged: of those that can move relative to their parents, or that something
/// refers to by name, their own.
pub(crate) fn homes(cx: &Context<'_>, bodies: &[BodyBuild<'_>]) -> Vec<usize> {
    let spec = cx.spec;
    let referenced = referenced_bodies(spec);
    let sensed_sites: HashSet<&str> = (spec.sensors.iter())
        .filter(|s| matches!(s.r#type, SensorType::Force | SensorType::Torque))
        .map(|s| s.objname.as_str())
        .collect();
    let compiler = cx.compiler;
    let by_geoms = |b: &BodyBuild| mass_rules(compiler, b.src).inertiafromgeom == InertiaFromGeom::True;
    let in_fluid = spec.option.density > 0.0 || spec.option.viscosity > 0.0;
    let stays = |b: &BodyBuild, parent: &BodyBuild| {
        let named = !b.src.name.is_empty() && referenced.contains(b.src.name.as_str());
        let sensed = b.sites.iter().any(|s| sensed_sites.contains(s.src.name.as_str()));
        let asked_for = b.is_weld_root() || b.src.fuse == Tri::False || b.src.sleep != SleepPolicy::Auto;
        // Forces that would change: gravity compensation and drag act on each body's mass.
        let lifted = b.row.mass > 0.0 && b.row.gravcomp != parent.row.gravcomp;
        let dragged = in_fluid && (b.row.mass > 0.0 || b.geoms.iter().any(|g| g.src.fluid_ellipsoid));
        // Geoms of both in one body would have another inertia.
        let adjusted = b.adjusted && by_geoms(b) || parent.adjusted && by_geoms(parent);
        named || sensed || asked_for || b.src.plugin.is_some() || lifted || dragged || adjusted
    };
    let mut home: Vec<usize> = Vec::with_capacity(bodies.len());
    for (row, b) in bodies.iter().enumerate() {
        let parent = if row > 0 { home[b.parent] } else { 0 };
        home.push(if row == 0 || stays(b, &bodies[parent]) { row } else { parent });
    }
    home
}

/// Merges every body that cannot move relative to its parent into the parent, unless something
/// refers to it by name.
pub(crate) fn fuse_static<'a>(cx: &mut Context<'a>, bodies: Vec<BodyBuild<'a>>) -> Vec<BodyBuild<'a>> {
    let homes = homes(cx, &bodies);
    // Parents come before children, so a body's parent is final when its turn comes: `home` says
    // where the elements of each old body live now.
    let mut kept: Vec<BodyBuild> = Vec::new();
    let mut home: Vec<usize> = Vec::new();
    let mut pose_in_home = Vec::new();
    for (old, mut b) in bodies.into_iter().enumerate() {
        if old > 0 {
            let t: crate::frames::Pose = pose_in_home[b.parent];
            b.parent = home[b.parent];
            let pose = t.then(b.pose());
            (b.row.pos, b.row.quat) = (pose.pos, pose.quat);
        }
        if homes[old] == old {
            home.push(kept.len());
            pose_in_home.push(crate::frames::Pose::IDENTITY);
            kept.push(b);
            continue;
        }

        let t = b.pose();
        home.push(b.parent);
        pose_in_home.push(t);
        let parent = b.parent;
        let host = &mut kept[parent];
        carry(t, &mut b.geoms, &mut b.sites, &mut b.cameras, &mut b.lights);
        host.geoms.append(&mut b.geoms);
        host.sites.append(&mut b.sites);
        host.cameras.append(&mut b.cameras);
        host.lights.append(&mut b.lights);
        if parent > 0 && b.row.mass >= MINVAL {
            add_mass(cx, host, &b, t);
        }
    }
    kept
}

/// Adds the mass of `b`, whose pose in the host is `t`.
fn add_mass(cx: &mut Context, host: &mut BodyBuild, b: &BodyBuild, t: crate::frames::Pose) {
    let inertial = |x: &BodyBuild| crate::frames::Pose { pos: x.row.ipos, quat: x.row.iquat };
    let parts = [
        Mass { mass: host.row.mass, inertia: host.row.inertia, pose: inertial(host) },
        Mass { mass: b.row.mass, inertia: b.row.inertia, pose: t.then(inertial(b)) },
    ];
    match inertia::combine(&parts, &mass_rules(cx.compiler, host.src)) {
        Ok(Some(sum)) => {
            (host.row.mass, host.row.inertia) = (sum.mass, sum.inertia);
            (host.row.ipos, host.row.iquat) = (sum.pose.pos, sum.pose.quat);
        }
        Ok(None) => (host.row.mass, host.row.inertia) = (0.0, DVec3::ZERO),
        Err(e) => {
            cx.error(b.src.loc, format!("{}: merging it into its parent: {e}", describe("body", &b.src.name)));
        }
    }
}

/// Names of bodies that anything outside the tree refers to.
fn referenced_bodies(spec: &Spec) -> HashSet<&str> {
    let mut names = HashSet::new();
    let is_body = |t: ObjType| matches!(t, ObjType::Body | ObjType::XBody);
    let mut todo = vec![&spec.worldbody];
    while let Some(b) = todo.pop() {
        names.extend(b.cameras.iter().map(|c| c.target.as_str()));
        names.extend(b.lights.iter().map(|l| l.target.as_str()));
        todo.extend(&b.bodies);
    }
    for e in &spec.excludes {
        names.extend([e.body1.as_str(), e.body2.as_str()]);
    }
    for e in spec.equalities.iter().filter(|e| is_body(e.objtype)) {
        names.extend([e.name1.as_str(), e.name2.as_str()]);
    }
    names.extend(spec.actuators.iter().filter(|a| a.trntype == TrnType::Body).map(|a| a.target.as_str()));
    for s in &spec.sensors {
        names.extend(is_body(s.objtype).then_some(s.objname.as_str()));
        names.extend(is_body(s.reftype).then_some(s.refname.as_str()));
    }
    names.extend(spec.tuples.iter().flat_map(|t| &t.items).filter(|i| is_body(i.0)).map(|i| i.1.as_str()));
    names.extend(spec.flexes.iter().flat_map(|f| f.body.iter().chain(&f.node)).map(String::as_str));
    names.extend(spec.skins.iter().flat_map(|s| &s.bones).map(|b| b.body.as_str()));
    names
}

/// Names of geoms that anything outside the tree refers to.
pub(crate) fn used_geoms(spec: &Spec) -> HashSet<&str> {
    let mut used: HashSet<&str> = HashSet::new();
    used.extend(spec.pairs.iter().flat_map(|p| [p.geom1.as_str(), p.geom2.as_str()]));
    for s in &spec.sensors {
        used.extend((s.objtype == ObjType::Geom).then_some(s.objname.as_str()));
        used.extend((s.reftype == ObjType::Geom).then_some(s.refname.as_str()));
    }
    for w in spec.tendons.iter().flat_map(|t| &t.path) {
        if let WrapObject::Geom { geom, .. } = &w.object {
            used.insert(geom);
        }
    }
    used.extend(spec.tuples.iter().flat_map(|t| &t.items).filter(|i| i.0 == ObjType::Geom).map(|i| i.1.as_str()));
    used
}

/// Whether a geom collides, is referred to, or drags in a fluid.
pub(crate) fn stays(g: &GeomBuild<'_>, used: &HashSet<&str>) -> bool {
    g.row.contype != 0
        || g.row.conaffinity != 0
        || g.src.fluid_ellipsoid
        || !g.src.name.is_empty() && used.contains(g.src.name.as_str())
}

/// Drops geoms that neither collide nor are referred to, nor drag in a fluid. Their mass stays.
pub(crate) fn discard_visual(cx: &mut Context, bodies: &mut [BodyBuild]) {
    let used = used_geoms(cx.spec);
    for b in bodies {
        let by_geoms = mass_rules(cx.compiler, b.src).inertiafromgeom == InertiaFromGeom::True;
        b.geoms.retain(|g| {
            let stays = stays(g, &used);
            if !stays && by_geoms && g.mass > 0.0 {
                let what = describe("geom", &g.src.name);
                cx.error(g.src.loc, format!("{what}: it cannot be discarded, because it gives its body mass"))
                    .help("use inertiafromgeom=\"auto\", or give the geom no mass");
            }
            stays
        });
    }
}

/// Drops meshes that no geom or site has any more, and nothing else names.
pub(crate) fn discard_meshes(cx: &mut Context, bodies: &mut [BodyBuild]) {
    let mut used = vec![false; cx.meshes.len()];
    let geoms = bodies.iter().flat_map(|b| &b.geoms).filter(|g| g.row.r#type == GeomType::Mesh);
    geoms.filter_map(|g| usize::try_from(g.row.dataid).ok()).for_each(|i| used[i] = true);
    bodies.iter().flat_map(|b| &b.sites).filter_map(|s| s.row.dataid).for_each(|i| used[i.index()] = true);

    let spec = cx.spec;
    let sensors = spec.sensors.iter().filter(|s| s.objtype == ObjType::Mesh).map(|s| s.objname.as_str());
    let tuples = spec.tuples.iter().flat_map(|t| &t.items).filter(|i| i.0 == ObjType::Mesh).map(|i| i.1.as_str());
    sensors.chain(tuples).filter_map(|name| cx.names.find(ObjType::Mesh, name)).for_each(|i| used[i] = true);

    // Rows of what stays.
    let mut row = Vec::with_capacity(used.len());
    let mut count = 0;
    for &stays in &used {
        row.push(count);
        count += usize::from(stays);
    }
    for b in bodies {
        for g in b.geoms.iter_mut().filter(|g| g.row.r#type == GeomType::Mesh) {
            if let Ok(i) = usize::try_from(g.row.dataid) {
                g.row.dataid = row[i] as i32;
            }
        }
        for s in &mut b.sites {
            s.row.dataid = s.row.dataid.map(|i| MeshId::new(row[i.index()]));
        }
    }
    let names: Vec<String> = cx.names.all(ObjType::Mesh).to_vec();
    let keep = |i: &usize| used[*i];
    cx.meshes = (0..used.len()).filter(keep).map(|i| cx.meshes[i].take()).collect();
    cx.names.set(ObjType::Mesh, (0..used.len()).filter(keep).map(|i| names[i].clone()).collect());
}
