//! Textures that geoms of a recording show, as PNG, and the sky as a few colours.

use super::json::{Object, list};
use crate::error::RecordError;
use mj_engine::Model;
use mj_model::{TextureId, TextureType};

/// Colours of the sky between the lowest and the highest point.
const SKY: usize = 17;

/// Textures that are shown, in the order of the page's numbers.
pub struct Images {
    side: usize,
    all: Vec<TextureId>,
}

/// Pixels with one to four channels.
struct Pixels<'a> {
    width: usize,
    height: usize,
    channels: usize,
    data: &'a [u8],
}

impl<'a> Pixels<'a> {
    /// Returns the pixels of a texture; none for one whose pixels are not in the model.
    fn new(m: &'a Model, id: TextureId) -> Option<Self> {
        let t = &m.tex;
        let number = |n: i32| usize::try_from(n).ok().filter(|n| *n > 0);
        let (width, height) = (number(t.width[id])?, number(t.height[id])?);
        let (channels, first) = (number(t.nchannel[id]).filter(|n| *n <= 4)?, usize::try_from(t.adr[id]).ok()?);
        let bytes = width.checked_mul(height)?.checked_mul(channels)?;
        let data = m.tex_data.get(first..first.checked_add(bytes)?)?;
        Some(Self { width, height, channels, data })
    }

    /// Returns the mean colour of a part of the picture.
    fn mean(&self, columns: std::ops::Range<usize>, rows: std::ops::Range<usize>) -> [u8; 3] {
        let (mut sum, mut count) = ([0_u64; 3], 0);
        for y in rows {
            for x in columns.clone() {
                let at = (y * self.width + x) * self.channels;
                for (k, s) in sum.iter_mut().enumerate() {
                    // Grey pictures have one channel for all colours.
                    *s += u64::from(self.data[at + if self.channels < 3 { 0 } else { k }]);
                }
                count += 1;
            }
        }
        sum.map(|s| (s / count.max(1)) as u8)
    }

    /// Returns the picture with at most `side` pixels a side, of a cube with `faces` of them one below the other.
    fn scaled(&self, side: usize, faces: usize) -> (usize, usize, Vec<u8>) {
        let (width, face) = (self.width.min(side), (self.height / faces).clamp(1, side));
        let height = face * faces;
        let part = |i: usize, n: usize, of: usize| i * of / n..((i + 1) * of / n).max(i * of / n + 1);
        let mut out = Vec::with_capacity(3 * width * height);
        for y in 0..height {
            for x in 0..width {
                out.extend(self.mean(part(x, width, self.width), part(y, height, self.height)));
            }
        }
        (width, height, out)
    }
}

impl Images {
    /// Returns no textures.
    pub fn new(side: u32) -> Self {
        Self { side: (side as usize).clamp(1, 4096), all: Vec::new() }
    }

    /// Returns the number of textures.
    pub fn len(&self) -> usize {
        self.all.len()
    }

    /// Returns the page's number of a texture; −1: there is none.
    pub fn number(&mut self, m: &Model, texid: i32) -> i64 {
        let id = usize::try_from(texid).ok().filter(|id| *id < m.tex.len()).map(TextureId::new);
        let Some(id) = id.filter(|id| Pixels::new(m, *id).is_some()) else { return -1 };
        let known = self.all.iter().position(|i| *i == id);
        known.unwrap_or_else(|| {
            self.all.push(id);
            self.all.len() - 1
        }) as i64
    }

    /// Returns the textures from one on in JSON, and their pictures one after the other.
    pub fn describe(&self, m: &Model, first: usize) -> Result<(String, Vec<u8>), RecordError> {
        let mut pictures = Vec::new();
        let mut entries = Vec::new();
        for &id in self.all.iter().skip(first) {
            let Some(pixels) = Pixels::new(m, id) else { continue };
            let cube = m.tex.r#type[id] != TextureType::TwoD;
            let faces = if cube && pixels.height >= 6 * pixels.width { 6 } else { 1 };
            let (width, height, rgb) = pixels.scaled(self.side, faces);
            let start = pictures.len();
            let mut encoder = png::Encoder::new(&mut pictures, width as u32, height as u32);
            encoder.set_color(png::ColorType::Rgb);
            encoder.set_compression(png::Compression::High);
            let written = encoder.write_header().and_then(|mut writer| writer.write_image_data(&rgb));
            written.map_err(|source| RecordError::Png {
                path: m.names.get(mj_model::ObjType::Texture, id.index()).into(),
                source,
            })?;
            let bytes = (pictures.len() - start) as i64;
            entries.push(Object::default().int("bytes", bytes).flag("cube", cube).int("faces", faces as i64).finish());
        }
        Ok((list(entries.into_iter()), pictures))
    }
}

/// Returns colours of the first skybox in JSON, from below to above; each is the mean around the vertical.
pub fn sky(m: &Model) -> String {
    let skybox = m.tex.ids().find(|&id| m.tex.r#type[id] == TextureType::Skybox);
    let Some(pixels) = skybox.and_then(|id| Pixels::new(m, id)) else { return "[]".into() };
    let side = pixels.width;
    let faces = (pixels.height / side).max(1);
    let at = |face: usize, u: f64, v: f64| {
        let pixel = |x: f64| (((x + 1.0) * 0.5 * side as f64) as usize).min(side - 1);
        let row = ((face % faces) * side + pixel(v)).min(pixels.height - 1);
        pixels.mean(pixel(u)..pixel(u) + 1, row..row + 1)
    };
    let colour = |k: usize| {
        let elevation = (k as f64 / (SKY - 1) as f64 - 0.5) * std::f64::consts::PI;
        let (up, level) = mj_math::real::sin_cos(elevation);
        let mut sum = [0_u32; 3];
        const AROUND: u32 = 32;
        for i in 0..AROUND {
            let (s, c) = mj_math::real::sin_cos(f64::from(i) / f64::from(AROUND) * std::f64::consts::TAU);
            let (x, z) = (level * c, level * s);
            // Faces are right, left, up, down, front, back; rows of the sides go down.
            let [ax, ay, az] = [x, up, z].map(f64::abs);
            let rgb = if ay >= ax && ay >= az {
                at(if up > 0.0 { 2 } else { 3 }, x / ay, z / ay)
            } else if ax >= az {
                at(if x > 0.0 { 0 } else { 1 }, z / ax, -up / ax)
            } else {
                at(if z > 0.0 { 4 } else { 5 }, x / az, -up / az)
            };
            sum.iter_mut().zip(rgb).for_each(|(s, c)| *s += u32::from(c));
        }
        list(sum.into_iter().map(|s| format!("{:.3}", f64::from(s) / f64::from(AROUND * 255))))
    };
    list((0..SKY).map(colour))
}
