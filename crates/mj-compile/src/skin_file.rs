//! The data of skins, from the spec or from files.

use crate::mesh::Bytes;
use mj_model::spec::{Bone, Skin};
use std::borrow::Cow;

/// Bytes of a body's name in a file.
const NAME: usize = 40;

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
