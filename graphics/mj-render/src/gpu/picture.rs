//! Pixels of textures of models.

use mj_model::{Model, TextureId, TextureType};

/// Kind of texture that a draw needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TextureKind {
    /// None.
    None,
    /// Flat, by two coordinates.
    Flat,
    /// Cube, by a direction.
    Cube,
}

/// Picture of four bytes a pixel.
pub struct Pixels {
    /// Width, pixels.
    pub width: u32,
    /// Height, pixels.
    pub height: u32,
    /// Red, green, blue and opacity of each pixel, row by row.
    pub rgba: Vec<u8>,
}

impl Pixels {
    /// Takes a picture of 1, 3 or 4 channels.
    fn new(bytes: &[u8], width: u32, height: u32, channels: usize) -> Self {
        let rgba = bytes
            .chunks_exact(channels)
            .flat_map(|p| match *p {
                [r, g, b, a] => [r, g, b, a],
                [r, g, b] => [r, g, b, 255],
                _ => [p[0], p[0], p[0], 255],
            })
            .collect();
        Self { width, height, rgba }
    }

    /// Returns a picture of one pixel.
    pub fn one(rgba: [u8; 4]) -> Self {
        Self { width: 1, height: 1, rgba: rgba.to_vec() }
    }

    /// Returns the picture at half the size, each pixel the mean of those that it covers.
    pub fn half(&self) -> Self {
        let (width, height) = ((self.width / 2).max(1), (self.height / 2).max(1));
        let mut rgba = Vec::with_capacity((width * height * 4) as usize);
        let at = |x: u32, y: u32, k: usize| {
            let (x, y) = (x.min(self.width - 1), y.min(self.height - 1));
            u32::from(self.rgba[((y * self.width + x) * 4) as usize + k])
        };
        for y in 0..height {
            for x in 0..width {
                for k in 0..4 {
                    let sum = at(2 * x, 2 * y, k)
                        + at(2 * x + 1, 2 * y, k)
                        + at(2 * x, 2 * y + 1, k)
                        + at(2 * x + 1, 2 * y + 1, k);
                    rgba.push(((sum + 2) / 4) as u8);
                }
            }
        }
        Self { width, height, rgba }
    }
}

/// Returns the layers of a texture of the model; `None` if it has no pixels, other channels, or sides beyond the limit.
pub fn pixels(m: &Model, id: TextureId, limit: u32, known: &[usize]) -> Option<(Vec<Pixels>, TextureKind)> {
    let t = &m.tex;
    let side = |n: i32| u32::try_from(n).ok().filter(|n| (1..=limit).contains(n));
    let (width, height) = (side(t.width[id])?, u32::try_from(t.height[id]).ok()?);
    let channels = usize::try_from(t.nchannel[id]).ok().filter(|n| known.contains(n))?;
    let first = usize::try_from(t.adr[id]).ok()?;
    let bytes = m.tex_data.get(first..)?;
    let layer = |number: usize, height: u32| {
        let size = (width as usize).checked_mul(height as usize)?.checked_mul(channels)?;
        let start = number.checked_mul(size)?;
        Some(Pixels::new(bytes.get(start..start.checked_add(size)?)?, width, height, channels))
    };
    if t.r#type[id] == TextureType::TwoD {
        return Some((vec![layer(0, side(t.height[id])?)?], TextureKind::Flat));
    }
    // A square shows on all sides; six of them, one on each.
    let apart = height != width;
    let sides = (0..6).map(|k| layer(if apart { k } else { 0 }, width)).collect::<Option<Vec<_>>>()?;
    Some((sides, TextureKind::Cube))
}
