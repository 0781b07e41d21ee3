//! Skins: surfaces that bodies carry along. Kept for viewers, of no effect on physics.

use crate::context::Context;
use crate::context::material;
use crate::messages::describe;
use crate::skin_file::complete;
use mj_math::MINVAL;
use mj_model::Model;
use mj_model::model::{BoneRow, SkinRow};
use mj_model::spec::Skin;
use mj_model::{BodyId, ObjType};

/// Writes skins and makes their names known; those of bodies and materials are known already.
pub(crate) fn write(cx: &mut Context, m: &mut Model) {
    let spec = cx.spec;
    cx.register(ObjType::Skin, spec.skins.iter().map(|s| (s.name.as_str(), s.loc)));
    for s in &spec.skins {
        let what = describe("skin", &s.name);
        match complete(s).and_then(|s| weights(&s).map(|w| (s, w))) {
            Ok((s, weights)) => push(cx, m, &s, weights, &what),
            Err(e) => {
                cx.error(s.loc, format!("{what}: {e}"));
            }
        }
    }
}

/// The bones' weights, bone after bone, those of each vertex scaled to add up to 1.
fn weights(s: &Skin) -> Result<Vec<f32>, String> {
    let mut total = vec![0.0; s.vertex.len() / 3];
    for b in &s.bones {
        let what = describe("bone", &b.body);
        if b.vertid.len() != b.vertweight.len() || b.vertid.is_empty() {
            let (ids, weights) = (b.vertid.len(), b.vertweight.len());
            return Err(format!("{what} has {ids} vertices and {weights} weights, but it takes as many of both"));
        }
        for (&v, weight) in b.vertid.iter().zip(&b.vertweight) {
            let sum = usize::try_from(v).ok().and_then(|v| total.get_mut(v));
            *sum.ok_or_else(|| format!("{what} moves vertex {v}, which is not there"))? += weight;
        }
    }
    if let Some(v) = total.iter().position(|&w: &f32| w.is_nan() || f64::from(w) <= MINVAL) {
        return Err(format!("the weights of vertex {v} add up to {}, but the sum must be positive", total[v]));
    }
    let all = s.bones.iter().flat_map(|b| b.vertid.iter().zip(&b.vertweight));
    Ok(all.map(|(&v, weight)| weight / total[v as usize]).collect())
}

fn push(cx: &mut Context, m: &mut Model, s: &Skin, weights: Vec<f32>, what: &str) {
    let count = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
    let d = &mut *m.skin_data;
    m.skin.push(SkinRow {
        matid: material(cx, &s.material, s.loc, what),
        group: s.group,
        rgba: s.rgba,
        inflate: s.inflate,
        vertadr: count(d.vert.len()),
        vertnum: count(s.vertex.len() / 3),
        texcoordadr: if s.texcoord.is_empty() { -1 } else { i32::try_from(d.texcoord.len()).unwrap_or(-1) },
        faceadr: count(d.face.len()),
        facenum: count(s.face.len() / 3),
        boneadr: count(m.bone.len()),
        bonenum: count(s.bones.len()),
    });
    d.vert.extend_from_slice(s.vertex.as_chunks().0);
    d.texcoord.extend_from_slice(s.texcoord.as_chunks().0);
    d.face.extend_from_slice(s.face.as_chunks().0);
    for b in &s.bones {
        let body = cx.find(ObjType::Body, &b.body, b.loc, &format!("bone of {what}"));
        m.bone.push(BoneRow {
            bonevertadr: count(d.bonevertid.len()),
            bonevertnum: count(b.vertid.len()),
            bonebindpos: b.bindpos,
            bonebindquat: unit(b.bindquat),
            bonebodyid: body.map(BodyId::new).unwrap_or_default(),
        });
        d.bonevertid.extend_from_slice(&b.vertid);
    }
    d.bonevertweight.extend(weights);
}

/// A quaternion of length 1; the identity if it has no length.
fn unit(q: [f32; 4]) -> [f32; 4] {
    let length = q.iter().map(|&x| f64::from(x) * f64::from(x)).sum::<f64>().sqrt();
    if length < MINVAL { [1.0, 0.0, 0.0, 0.0] } else { q.map(|x| (f64::from(x) / length) as f32) }
}
