//! Elements of the model: flexes, skins, geoms, sites.

use super::painter::{Painter, geom_of, place, set_pose};
use crate::codes::{LabelKind, SceneShape, VisFlag, category};
use crate::options::shown;
use crate::vectors::single;
use mj_engine::Model;
use mj_math::{DMat3, DVec3, quat};
use mj_model::{BodyId, FlexId, GeomId, GeomType, MeshId, ObjType};

/// Most squares of a plane along one side.
const MAX_PLANE_GRID: f64 = 200.0;

/// Appends flexes.
pub(super) fn flexes(p: &mut Painter) {
    let any = [VisFlag::FlexVert, VisFlag::FlexEdge, VisFlag::FlexFace, VisFlag::FlexSkin].map(|f| p.flag(f));
    if p.mask & category::DYNAMIC == 0 || any == [false; 4] {
        return;
    }
    let (m, d) = (p.m, p.d);
    for f in m.flex.ids().filter(|&f| shown(&p.opt.flexgroup, m.flex.group[f])) {
        let slices = p.flexes.get(f.index()).map_or(&[][..], |surface| &surface.slices);
        let several = slices.len() > 1;
        for (k, &(material, first, count)) in slices.iter().enumerate() {
            let mut geom = geom_of(ObjType::Flex, f.index(), category::DYNAMIC);
            let pos = d.flexes.vert_xpos.get(m.flex.vertadr[f] as usize).copied().unwrap_or_default();
            place(&mut geom, SceneShape::Flex, DVec3::splat(0.1), pos, DMat3::IDENTITY);
            geom.size[0] = m.flex.radius[f] as f32;
            if several {
                geom.dataid = k as i32;
                geom.size[1..].copy_from_slice(&[first as f32, count as f32]);
            }
            p.set_material(&mut geom, material, m.flex.rgba[f]);
            if let Some(body) = moving_body(m, f) {
                p.islands.colour(m, d, &mut geom, body);
            }
            geom.texcoord = m.flex.texcoordadr[f] >= 0;
            if !geom.texcoord {
                geom.matid = -1;
            }
            if p.pert.flexselect == f.index() as i32 {
                geom.emission += p.vis.global.glow;
            }
            if geom.rgba[3] == 0.0 {
                continue;
            }
            if p.opt.label == LabelKind::Flex {
                geom.label = p.label(ObjType::Flex, f.index());
            }
            p.push(geom);
        }
    }
}

/// Returns the first body of a flex that moves.
fn moving_body(m: &Model, f: FlexId) -> Option<BodyId> {
    let moves = |b: &BodyId| m.body.treeid[*b].is_some();
    if m.flex.interp[f] == 0 {
        let first = m.flex.vertadr[f] as usize;
        let of = &m.flex_data.vertbodyid[first..first + m.flex.vertnum[f] as usize];
        of.iter().flatten().copied().find(moves)
    } else {
        let first = m.flex.nodeadr[f] as usize;
        m.flex_data.nodebodyid[first..first + m.flex.nodenum[f] as usize].iter().copied().find(moves)
    }
}

/// Appends skins.
pub(super) fn skins(p: &mut Painter) {
    if p.mask & category::DYNAMIC == 0 || !p.flag(VisFlag::Skin) {
        return;
    }
    let m = p.m;
    for s in m.skin.ids().filter(|&s| shown(&p.opt.skingroup, m.skin.group[s])) {
        let mut geom = geom_of(ObjType::Skin, s.index(), category::DYNAMIC);
        let bone = m.bone.bonebodyid.as_slice().get(m.skin.boneadr[s] as usize);
        let pos = bone.map_or(DVec3::ZERO, |&b| p.d.smooth.poses.xpos[b]);
        place(&mut geom, SceneShape::Skin, DVec3::splat(0.1), pos, DMat3::IDENTITY);
        p.set_material(&mut geom, m.skin.matid[s], m.skin.rgba[s]);
        if p.pert.skinselect == s.index() as i32 {
            geom.emission += p.vis.global.glow;
        }
        geom.texcoord = m.skin.texcoordadr[s] >= 0;
        if geom.rgba[3] == 0.0 {
            continue;
        }
        if p.opt.label == LabelKind::Skin {
            geom.label = p.label(ObjType::Skin, s.index());
        }
        p.push(geom);
    }
}

/// Returns the shape of a model's geom.
pub(super) fn shape_of(t: GeomType) -> SceneShape {
    SceneShape::from_code(t.code()).unwrap_or(SceneShape::None)
}

/// Returns the mesh of a geom of shape mesh or sdf.
fn mesh_of(p: &Painter, g: GeomId) -> Option<MeshId> {
    let of_mesh = matches!(p.m.geom.r#type[g], GeomType::Mesh | GeomType::Sdf);
    let id = usize::try_from(p.m.geom.dataid[g]).ok().filter(|_| of_mesh)?;
    (id < p.m.mesh.len()).then(|| MeshId::new(id))
}

/// Appends geoms.
pub(super) fn geoms(p: &mut Painter) {
    let m = p.m;
    let mut planes = 0;
    for g in m.geom.ids() {
        let plane = m.geom.r#type[g] == GeomType::Plane;
        planes += i32::from(plane);
        let body = m.geom.bodyid[g];
        if !p.shows(body) || !shown(&p.opt.geomgroup, m.geom.group[g]) {
            continue;
        }
        let poses = &p.d.smooth.poses;
        let mut geom = geom_of(ObjType::Geom, g.index(), p.category(body));
        let (pos, mat) = (poses.geom_xpos[g], poses.geom_xmat[g]);
        place(&mut geom, shape_of(m.geom.r#type[g]), m.geom.size[g], pos, mat);
        geom.dataid = m.geom.dataid[g];
        geom.castshadow = m.geom.castshadow[g];
        geom.modelrbound = m.geom.rbound[g] as f32;
        p.set_material(&mut geom, m.geom.matid[g], m.geom.rgba[g]);
        p.islands.colour(m, p.d, &mut geom, body);
        if geom.rgba[3] == 0.0 {
            continue;
        }
        p.glow_if_selected(&mut geom, body);
        if p.opt.label == LabelKind::Geom {
            geom.label = p.label(ObjType::Geom, g.index());
        }
        if let Some(mesh) = mesh_of(p, g) {
            geom.texcoord = m.mesh.texcoordadr[mesh] >= 0;
            let collides = m.geom.contype[g] != 0 || m.geom.conaffinity[g] != 0;
            let hull = m.mesh.graphadr[mesh] >= 0 && p.flag(VisFlag::ConvexHull) && collides;
            geom.dataid = 2 * mesh.index() as i32 + i32::from(hull);
        } else if plane {
            geom.dataid = planes - 1;
            geom.pos = single(centre_of_plane(p, g, pos, mat));
        }
        p.push(geom);
    }
}

/// Returns the centre of a plane: an infinite one moves with the camera, by whole squares of its texture.
fn centre_of_plane(p: &Painter, g: GeomId, pos: DVec3, mat: DMat3) -> DVec3 {
    let size = p.m.geom.size[g];
    let mut centre = pos;
    for (k, axis) in [mat.x_axis, mat.y_axis].into_iter().enumerate().filter(|&(k, _)| size[k] <= 0.0) {
        let repeat = p.m.geom.matid[g].map_or(0.0, |id| f64::from(p.m.mat.texrepeat[id][k]));
        let far = f64::from(p.vis.map.zfar) * p.m.stat.extent;
        let square = if repeat > 0.0 { 2.0 / repeat } else { 2.1 * far / (MAX_PLANE_GRID - 2.0) };
        let ahead = (p.eye - pos).dot(axis);
        centre += axis * (2.0 * square * (0.5 * ahead / square).round());
    }
    centre
}

/// Appends sites.
pub(super) fn sites(p: &mut Painter) {
    let m = p.m;
    for s in m.site.ids() {
        let body: BodyId = m.site.bodyid[s];
        if !p.shows(body) || !shown(&p.opt.sitegroup, m.site.group[s]) {
            continue;
        }
        let poses = &p.d.smooth.poses;
        let mut geom = geom_of(ObjType::Site, s.index(), p.category(body));
        place(&mut geom, shape_of(m.site.r#type[s]), m.site.size[s], poses.site_xpos[s], poses.site_xmat[s]);
        if let Some(mesh) = m.site.dataid[s] {
            let hull = m.mesh.graphadr[mesh] >= 0 && p.flag(VisFlag::ConvexHull);
            geom.dataid = 2 * mesh.index() as i32 + i32::from(hull);
            geom.texcoord = m.mesh.texcoordadr[mesh] >= 0;
            // The site is at the origin of the mesh's source.
            let (pos, mat) = (poses.site_xpos[s], poses.site_xmat[s]);
            set_pose(&mut geom, pos + mat * m.mesh.pos[mesh], mat * quat::to_mat(m.mesh.quat[mesh]));
        }
        p.set_material(&mut geom, m.site.matid[s], m.site.rgba[s]);
        if geom.rgba[3] == 0.0 {
            continue;
        }
        p.glow_if_selected(&mut geom, body);
        if p.opt.label == LabelKind::Site {
            geom.label = p.label(ObjType::Site, s.index());
        }
        p.push(geom);
    }
}
