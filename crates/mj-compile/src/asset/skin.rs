//! Skins: surfaces that bodies carry along. Kept for viewers, of no effect on physics.

use crate::asset::mesh::Bytes;
use crate::context::{Context, describe};
use crate::tree::geom::material;
use mj_math::MINVAL;
use mj_model::model::{BoneRow, Model, SkinRow};
use mj_model::spec::{Bone, Skin};
use mj_model::{BodyId, ObjType};
use std::borrow::Cow;

/// Bytes of a body's name in a file.
const NAME: usize = 40;

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

/// The skin with the data of its file, if it has one, and everything there that a skin needs.
pub(crate) fn complete(s: &Skin) -> Result<Cow<'_, Skin>, String> {
    let s = if s.file.is_empty() {
        Cow::Borrowed(s)
    } else {
        if [s.vertex.len(), s.texcoord.len(), s.face.len(), s.bones.len()] != [0; 4] {
            return Err("it has a file, so it must not have vertices, faces or bones as well".into());
        }
        if !s.file.to_ascii_lowercase().ends_with(".skn") {
            return Err(format!("`{}` does not end in .skn, which files of skins do", s.file));
        }
        Cow::Owned(read(s).map_err(|e| format!("`{}`: {e}", s.file))?)
    };
    for (what, n) in [("`vertex`", s.vertex.len()), ("`face`", s.face.len()), ("a `bone`", s.bones.len())] {
        if n == 0 {
            return Err(format!("{what} is missing"));
        }
    }
    for (what, n) in [("vertex", s.vertex.len()), ("face", s.face.len())] {
        if !n.is_multiple_of(3) {
            return Err(format!("`{what}` has {n} numbers, which is no multiple of 3"));
        }
    }
    let nvert = s.vertex.len() / 3;
    if !s.texcoord.is_empty() && s.texcoord.len() != 2 * nvert {
        let (n, wanted) = (s.texcoord.len(), 2 * nvert);
        return Err(format!("`texcoord` has {n} numbers, but two for each of {nvert} vertices are {wanted}"));
    }
    if let Some(v) = s.face.iter().find(|&&v| usize::try_from(v).map_or(true, |v| v >= nvert)) {
        return Err(format!("a face has vertex {v}, but there are only {nvert}, counted from 0"));
    }
    Ok(s)
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

/// Reads a file: four counts, vertices, texture coordinates, triangles; for each bone the name of its body, its pose
/// when it was bound, and its vertices and their weights.
fn read(s: &Skin) -> Result<Skin, String> {
    let mut data = Bytes(&s.contents);
    let counts = (|| Some([data.int()?, data.int()?, data.int()?, data.int()?]))();
    let counts = counts.ok_or("a file of a skin starts with 16 bytes of counts")?;
    let [nvert, ntexcoord, nface, nbone] = counts.map(i64::from);
    let least = 16 + 12 * (nvert + nface) + 8 * ntexcoord + 72 * nbone;
    if counts.iter().any(|&n| n < 0) || least > s.contents.len() as i64 {
        return Err(format!(
            "{nvert} vertices, {ntexcoord} texture coordinates, {nface} faces and {nbone} bones take {least} bytes at \
             least, but there are {}",
            s.contents.len()
        ));
    }
    let cut = "the file is cut off";
    let mut out = s.clone();
    out.vertex = data.floats(3 * nvert as usize).ok_or(cut)?;
    out.texcoord = data.floats(2 * ntexcoord as usize).ok_or(cut)?;
    out.face = data.ints(3 * nface as usize).ok_or(cut)?;
    for _ in 0..nbone {
        out.bones.push(bone(&mut data, s).ok_or(cut)?);
    }
    match data.0.len() {
        0 => Ok(out),
        n => Err(format!("{n} bytes are left after the last bone")),
    }
}

fn bone(data: &mut Bytes, s: &Skin) -> Option<Bone> {
    let name = data.0.get(..NAME)?;
    data.skip(NAME)?;
    let name = name.split(|&c| c == 0).next().unwrap_or_default();
    let bindpos = data.point()?;
    let bindquat = [data.float()?, data.float()?, data.float()?, data.float()?];
    let count = usize::try_from(data.int()?).ok()?;
    Some(Bone {
        body: String::from_utf8_lossy(name).into_owned(),
        bindpos,
        bindquat,
        vertid: data.ints(count)?,
        vertweight: data.floats(count)?,
        loc: s.loc,
    })
}
