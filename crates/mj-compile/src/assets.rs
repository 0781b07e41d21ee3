//! Textures and materials: kept for viewers, of no effect on physics.

use crate::context::{Context, describe};
use mj_model::model::{MaterialRow, Model, TextureRow};
use mj_model::spec::Texture;
use mj_model::{Builtin, ColorSpace, Mark, ObjType, TextureId, TextureType};

/// Largest texture, bytes: more is taken for a slip.
const MAX_BYTES: i64 = 1 << 30;

/// Writes textures and materials and makes their names known.
pub(crate) fn write(cx: &mut Context, m: &mut Model) {
    let spec = cx.spec;
    cx.register(ObjType::Texture, spec.textures.iter().map(|t| (t.name.as_str(), t.loc)));
    cx.register(ObjType::Material, spec.materials.iter().map(|t| (t.name.as_str(), t.loc)));
    for t in &spec.textures {
        if t.name.is_empty() && t.r#type != TextureType::Skybox {
            cx.error(t.loc, "a texture needs a name").help("only a skybox may do without");
        }
        let pixels = pixels(cx, t);
        m.tex.push(TextureRow {
            r#type: t.r#type,
            colorspace: pixels.colorspace,
            height: pixels.height as i32,
            width: pixels.width as i32,
            nchannel: pixels.nchannel as i32,
            adr: u32::try_from(m.tex_data.len()).unwrap_or(u32::MAX),
        });
        m.tex_data.extend_from_slice(&pixels.data);
    }
    if m.tex_data.len() > i32::MAX as usize {
        cx.error(mj_model::Loc::NONE, "the textures have more than 2 GiB of pixels");
    }
    for x in &spec.materials {
        if x.name.is_empty() {
            cx.error(x.loc, "a material needs a name");
        }
        let mut texid = [None; 10];
        for (id, name) in texid.iter_mut().zip(&x.textures).filter(|(_, name)| !name.is_empty()) {
            let role = format!("texture of {}", describe("material", &x.name));
            *id = cx.find(ObjType::Texture, name, x.loc, &role).map(TextureId::new);
        }
        m.mat.push(MaterialRow {
            texid,
            texuniform: x.texuniform,
            texrepeat: x.texrepeat,
            emission: x.emission,
            specular: x.specular,
            shininess: x.shininess,
            reflectance: x.reflectance,
            metallic: x.metallic,
            roughness: x.roughness,
            rgba: x.rgba,
        });
    }
}

/// Pixels row by row; cubes have their six sides below each other.
#[derive(Default)]
struct Pixels {
    width: usize,
    height: usize,
    nchannel: usize,
    colorspace: ColorSpace,
    data: Vec<u8>,
}

fn pixels(cx: &mut Context, t: &Texture) -> Pixels {
    let what = describe("texture", &t.name);
    if t.builtin == Builtin::None {
        if !t.file.is_empty() || t.cubefiles.iter().any(|f| !f.is_empty()) {
            cx.unsupported(t.loc, format!("{what}: textures from files"));
        } else {
            cx.error(t.loc, format!("{what} has neither a file nor a built-in pattern"));
        }
        return Pixels::default();
    }
    let flat = t.r#type == TextureType::TwoD;
    let (w, n) = (i64::from(t.width), i64::from(t.nchannel));
    let h = if flat { i64::from(t.height) } else { 6 * w };
    let bytes = w.saturating_mul(h).saturating_mul(n);
    if w < 1 || h < 1 || n < 1 {
        cx.error(t.loc, format!("{what}: width, height and channels of a pattern must be positive"));
        return Pixels::default();
    }
    if bytes > MAX_BYTES || n < 3 {
        cx.error(t.loc, format!("{what}: {w} by {h} pixels of {n} channels are not possible"))
            .help("a pattern has three channels and at most 1 GiB");
        return Pixels::default();
    }
    let (width, height, nchannel) = (w as usize, h as usize, n as usize);
    let mut data = vec![0; bytes as usize];
    let face = if flat { height } else { width };
    for side in 0..height / face {
        // The pattern has three channels, whatever the texture has room for.
        let at = 3 * side * width * face;
        paint(t, if flat { 6 } else { side }, width, face, &mut data[at..at + 3 * width * face]);
    }
    Pixels { width, height, nchannel, colorspace: t.colorspace, data }
}

/// Paints a pattern with its mark. `side`: right, left, up, down, front, back of a cube; 6: flat.
fn paint(t: &Texture, side: usize, w: usize, h: usize, out: &mut [u8]) {
    let byte = |c: f64| (255.0 * c) as u8;
    let (rgb1, rgb2, mark) = (t.rgb1.map(byte), t.rgb2.map(byte), t.markrgb.map(byte));
    let unit = |i: usize, n: usize| 2.0 * i as f64 / (n as f64 - 1.0) - 1.0;
    for (i, pixel) in out.chunks_exact_mut(3).enumerate() {
        let (r, c) = (i / w, i % w);
        let colour = match t.builtin {
            Builtin::None => [0; 3],
            Builtin::Flat => {
                if side == 3 {
                    rgb2
                } else {
                    rgb1
                }
            }
            Builtin::Checker => {
                // Front and back are the other way round, so that colours alternate across edges.
                let first = (r < h / 2) == (c < w / 2);
                if first != matches!(side, 4 | 5) { rgb1 } else { rgb2 }
            }
            Builtin::Gradient => {
                let (x, y) = (unit(c, w), -unit(r, h));
                // Elevation of the pixel seen from the centre, 1 at the zenith.
                let far = (1.0 + x * x + y * y).sqrt();
                let quarter = std::f64::consts::FRAC_PI_2;
                match side {
                    2 => blend(t.rgb1, t.rgb2, 1.0 - (1.0 / far).acos() / quarter),
                    3 => blend(t.rgb1, t.rgb2, (1.0 / far).acos() / quarter - 1.0),
                    6 => blend(t.rgb2, t.rgb1, 2.0 * x.hypot(y) - 1.0),
                    _ => blend(t.rgb1, t.rgb2, (y / far).asin() / quarter),
                }
            }
        };
        let marked = match t.mark {
            Mark::None => false,
            Mark::Edge => r == 0 || c == 0 || r + 1 == h || c + 1 == w,
            Mark::Cross => r == h / 2 || c == w / 2,
            Mark::Random => noise((side * h * w + i) as u64) < t.random,
        };
        pixel.copy_from_slice(if marked { &mark } else { &colour });
    }
}

/// Mixture of two colours along a sigmoid: all of the second at −1, all of the first at 1.
fn blend(a: [f64; 3], b: [f64; 3], x: f64) -> [u8; 3] {
    let alpha = (0.5 * (1.0 + x / (0.5 + 0.5 * x * x).sqrt())).clamp(0.0, 1.0);
    [0, 1, 2].map(|i| (255.0 * (alpha * a[i] + (1.0 - alpha) * b[i])) as u8)
}

/// Number in [0, 1) that depends on `i` alone (SplitMix64), so that dots stand still.
fn noise(i: u64) -> f64 {
    let mut z = i.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64
}
