//! Vertices and normals of skins, from the poses of their bones.

use crate::options::{SceneOptions, shown};
use crate::scene::{Scene, SkinSurface};
use mj_engine::{Data, Model};
use mj_math::{DMat3, DVec3, quat};
use mj_model::{BoneId, SkinId};

/// Brings the skins of shown groups up to date (`mjv_updateActiveSkin`); others have their vertices at the origin.
pub(crate) fn update_skins(m: &Model, d: &Data, options: &SceneOptions, scene: &mut Scene) {
    scene.skins.resize_with(m.skin.len(), SkinSurface::default);
    for (s, surface) in m.skin.ids().zip(&mut scene.skins) {
        let count = m.skin.vertnum[s] as usize;
        for list in [&mut surface.vertices, &mut surface.normals] {
            list.clear();
            list.resize(count, [0.0; 3]);
        }
        if shown(&options.skingroup, m.skin.group[s]) {
            carry(m, d, s, &mut surface.vertices);
            find_normals(m, s, surface);
            inflate(m.skin.inflate[s], surface);
        }
    }
}

/// Adds up where the bones take the vertices, by weight.
fn carry(m: &Model, d: &Data, s: SkinId, vertices: &mut [[f32; 3]]) {
    let data = &m.skin_data;
    let bound = &data.vert[m.skin.vertadr[s] as usize..][..vertices.len()];
    let first = m.skin.boneadr[s] as usize;
    for bone in (first..first + m.skin.bonenum[s] as usize).map(BoneId::new) {
        let body = m.bone.bonebodyid[bone];
        let bind = quat::from_wxyz(m.bone.bonebindquat[bone].map(f64::from));
        let turn: DMat3 = quat::to_mat(d.smooth.poses.xquat[body] * bind.conjugate());
        let shift = d.smooth.poses.xpos[body] - turn * DVec3::from(m.bone.bonebindpos[bone].map(f64::from));
        let own = m.bone.bonevertadr[bone] as usize..(m.bone.bonevertadr[bone] + m.bone.bonevertnum[bone]) as usize;
        for (&v, &weight) in data.bonevertid[own.clone()].iter().zip(&data.bonevertweight[own]) {
            let there = turn * DVec3::from(bound[v as usize].map(f64::from)) + shift;
            for (sum, x) in vertices[v as usize].iter_mut().zip(there.to_array()) {
                *sum += weight * x as f32;
            }
        }
    }
}

/// Finds unit normals at the vertices: means over the faces around, weighted by area.
fn find_normals(m: &Model, s: SkinId, surface: &mut SkinSurface) {
    let faces = &m.skin_data.face[m.skin.faceadr[s] as usize..][..m.skin.facenum[s] as usize];
    let mut sums = vec![DVec3::ZERO; surface.vertices.len()];
    for face in faces.iter().map(|f| f.map(|i| i as usize)) {
        let [a, b, c] = face.map(|i| DVec3::from(surface.vertices[i].map(f64::from)));
        let normal = (b - a).cross(c - a);
        face.into_iter().for_each(|i| sums[i] += normal);
    }
    for (out, sum) in surface.normals.iter_mut().zip(sums) {
        *out = (sum / sum.length().max(mj_math::MINVAL)).to_array().map(|x| x as f32);
    }
}

/// Moves vertices along their normals.
fn inflate(by: f32, surface: &mut SkinSurface) {
    if by != 0.0 {
        for (v, n) in surface.vertices.iter_mut().zip(&surface.normals) {
            v.iter_mut().zip(n).for_each(|(v, n)| *v += by * n);
        }
    }
}
