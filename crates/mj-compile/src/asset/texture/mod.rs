//! Textures: built-in patterns, images and compressed files, to bytes. Kept for viewers, of no effect on physics.

mod file;
mod pattern;

use crate::context::Context;
use crate::messages::describe;
use mj_model::Model;
use mj_model::model::TextureRow;
use mj_model::spec::Texture;
use mj_model::{Builtin, ColorSpace, ObjType, TextureType};
use rayon::prelude::*;

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
}

/// Writes textures and makes their names known.
pub(crate) fn write(cx: &mut Context, m: &mut Model) {
    let spec = cx.spec;
    cx.register(ObjType::Texture, spec.textures.iter().map(|t| (t.name.as_str(), t.loc)));
    // Each texture is made by itself, so their order does not matter.
    let made: Vec<Result<Pixels, String>> = if spec.compiler.usethread && spec.textures.len() > 1 {
        spec.textures.par_iter().map(make).collect()
    } else {
        spec.textures.iter().map(make).collect()
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
            adr: u32::try_from(m.tex_data.len()).unwrap_or(u32::MAX),
        });
        m.tex_data.extend_from_slice(&pixels.data);
        if m.tex_data.len() > i32::MAX as usize {
            cx.error(t.loc, "the textures have more than 2 GiB of pixels");
            return;
        }
    }
}

/// A pattern comes before a file, and a file before six of them.
fn make(t: &Texture) -> Result<Pixels, String> {
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
