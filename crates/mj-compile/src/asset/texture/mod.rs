//! Textures: built-in patterns, images and compressed files, to bytes. Kept for viewers, of no effect on physics.

mod file;
mod pattern;

use crate::context::Context;
use crate::messages::describe;
use mj_model::model::TextureRow;
use mj_model::spec::{Passthrough, Texture};
use mj_model::{Builtin, ColorSpace, ObjType, TextureType, Tri};
use mj_model::{Model, Spec, TextureFile};
use rayon::prelude::*;
use std::path::Path;

/// Largest texture, bytes: more is taken for a slip.
const MAX_BYTES: usize = 1 << 30;

/// Pixels row by row; cubes have their six sides below each other, or one for all.
#[derive(Default)]
struct Pixels {
    width: usize,
    height: usize,
    nchannel: usize,
    colorspace: ColorSpace,
    data: Vec<u8>,
    /// Whether they are in a file, which has not been read.
    is_elsewhere: bool,
}

/// Writes textures and makes their names known.
pub(crate) fn write(cx: &mut Context, m: &mut Model) {
    let spec = cx.spec;
    cx.register(ObjType::Texture, spec.textures.iter().map(|t| (t.name.as_str(), t.loc)));
    let policy = spec.compiler.passthrough;
    // Each texture is made by itself, so their order does not matter.
    let made: Vec<Result<Pixels, String>> = if spec.compiler.usethread && spec.textures.len() > 1 {
        spec.textures.par_iter().map(|t| make(t, policy)).collect()
    } else {
        spec.textures.iter().map(|t| make(t, policy)).collect()
    };
    for (t, made) in spec.textures.iter().zip(made) {
        if t.name.is_empty() && t.r#type != TextureType::Skybox {
            cx.error(t.loc, "a texture needs a name").help("only a skybox may do without");
        }
        let pixels = made.unwrap_or_else(|e| {
            cx.error(t.loc, format!("{}: {e}", describe("texture", &t.name)));
            Pixels::default()
        });
        m.tex.push(TextureRow {
            r#type: t.r#type,
            colorspace: pixels.colorspace,
            height: i32::try_from(pixels.height).unwrap_or(i32::MAX),
            width: i32::try_from(pixels.width).unwrap_or(i32::MAX),
            nchannel: pixels.nchannel as i32,
            adr: if pixels.is_elsewhere { -1 } else { i32::try_from(m.tex_data.len()).unwrap_or(i32::MAX) },
        });
        m.tex_file.list.push(TextureFile { path: path(spec, t), content_type: t.content_type.clone() });
        m.tex_data.extend_from_slice(&pixels.data);
        if m.tex_data.len() > i32::MAX as usize {
            cx.error(t.loc, "the textures have more than 2 GiB of pixels");
            return;
        }
    }
}

/// Path of a texture's file, from where the model's own path starts.
fn path(spec: &Spec, t: &Texture) -> String {
    if t.file.is_empty() || t.builtin != Builtin::None {
        return String::new();
    }
    let model = spec.sources.files.first().and_then(|f| f.path.parent()).unwrap_or(Path::new(""));
    model.join(&spec.compiler.texturedir).join(&t.file).to_string_lossy().into_owned()
}

/// A pattern comes before a file, and a file before six of them.
fn make(t: &Texture, policy: Passthrough) -> Result<Pixels, String> {
    let wanted = t.by_reference(policy).map_err(|hindrance| format!("it cannot be by reference: {hindrance}"))?;
    // Files that are in memory are part of the model, unless that was ruled out.
    let in_memory = !t.contents.as_slice().is_empty();
    if wanted && in_memory && t.embed == Tri::False {
        return Err("it cannot be by reference: its file is in memory alone".into());
    }
    if wanted && !in_memory {
        let nchannel = if file::is_png(t, &t.file).unwrap_or(true) { t.nchannel as usize } else { 1 };
        return Ok(Pixels { nchannel, colorspace: t.colorspace, is_elsewhere: true, ..Pixels::default() });
    }
    if t.builtin != Builtin::None {
        pattern::make(t)
    } else if !t.file.is_empty() {
        file::single(t)
    } else if t.cubefiles.iter().all(String::is_empty) {
        Err("it has neither `builtin` nor `file`, nor files of the sides of a cube".into())
    } else {
        file::sides(t)
    }
}
