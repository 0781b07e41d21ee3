//! Pictures of all directions, on the sides of a cube, in linear radiances.

use super::curve::{byte_of, radiance_of};
use crate::gpu::Pixels;
use glam::Vec3;

/// Radiances on the six sides of a cube: +x, −x, +y, −y, +z, −z, row by row.
#[derive(Clone)]
pub struct Cube {
    /// Width of a side, pixels.
    pub side: usize,
    pixels: Vec<Vec3>,
}

/// Returns the direction to a point on a side; `s` and `t` lie between −1 and 1, and `t` grows downwards.
fn direction(face: usize, s: f32, t: f32) -> Vec3 {
    match face {
        0 => Vec3::new(1.0, -t, -s),
        1 => Vec3::new(-1.0, -t, s),
        2 => Vec3::new(s, 1.0, t),
        3 => Vec3::new(s, -1.0, -t),
        4 => Vec3::new(s, -t, 1.0),
        _ => Vec3::new(-s, -t, -1.0),
    }
}

/// Returns the side that a direction meets, and the place there.
fn place(d: Vec3) -> (usize, f32, f32) {
    let a = d.abs();
    let (face, s, t, depth) = if a.x >= a.y && a.x >= a.z {
        if d.x > 0.0 { (0, -d.z, -d.y, a.x) } else { (1, d.z, -d.y, a.x) }
    } else if a.y >= a.z {
        if d.y > 0.0 { (2, d.x, d.z, a.y) } else { (3, d.x, -d.z, a.y) }
    } else if d.z > 0.0 {
        (4, d.x, -d.y, a.z)
    } else {
        (5, -d.x, -d.y, a.z)
    };
    let depth = depth.max(f32::MIN_POSITIVE);
    (face, s / depth, t / depth)
}

impl Cube {
    /// Makes a cube of the radiance of each direction.
    pub fn of(side: usize, radiance: impl Fn(Vec3) -> Vec3) -> Self {
        let mut pixels = Vec::with_capacity(6 * side * side);
        let centre = |k: usize| (2.0 * k as f32 + 1.0) / side as f32 - 1.0;
        for face in 0..6 {
            for row in 0..side {
                pixels
                    .extend((0..side).map(|column| radiance(direction(face, centre(column), centre(row)).normalize())));
            }
        }
        Self { side, pixels }
    }

    /// Makes a cube of six square pictures of equal size.
    pub fn from_sides(sides: &[Pixels]) -> Option<Self> {
        let side = sides.first()?.width as usize;
        let square = |p: &Pixels| p.rgba.len() == 4 * side * side;
        if sides.len() != 6 || !sides.iter().all(square) {
            return None;
        }
        let colour = |p: &[u8; 4]| Vec3::new(radiance_of(p[0]), radiance_of(p[1]), radiance_of(p[2]));
        Some(Self { side, pixels: sides.iter().flat_map(|p| p.rgba.as_chunks::<4>().0).map(colour).collect() })
    }

    /// Makes a cube of one picture of all directions, by longitude and latitude; its top row is at +y.
    pub fn from_panorama(picture: &Pixels, side: usize) -> Self {
        let (width, height) = (picture.width as usize, picture.height as usize);
        Self::of(side, |d| {
            let u = 0.5 + d.x.atan2(-d.z) / std::f32::consts::TAU;
            let v = d.y.clamp(-1.0, 1.0).acos() / std::f32::consts::PI;
            let index = |share: f32, size: usize| ((share * size as f32) as usize).min(size - 1);
            let k = 4 * (index(v, height) * width + index(u, width));
            Vec3::from_array([0, 1, 2].map(|c| radiance_of(picture.rgba[k + c])))
        })
    }

    /// Returns the cube at half the size, each pixel the mean of those that it covers.
    pub fn half(&self) -> Self {
        let (from, side) = (self.side, (self.side / 2).max(1));
        let mut pixels = Vec::with_capacity(6 * side * side);
        for face in self.pixels.chunks_exact(from * from) {
            let at = |x: usize, y: usize| face[y.min(from - 1) * from + x.min(from - 1)];
            for y in 0..side {
                let mean = |x: usize| {
                    at(2 * x, 2 * y) + at(2 * x + 1, 2 * y) + at(2 * x, 2 * y + 1) + at(2 * x + 1, 2 * y + 1)
                };
                pixels.extend((0..side).map(|x| 0.25 * mean(x)));
            }
        }
        Self { side, pixels }
    }

    /// Returns the radiance from a direction, interpolated on its side.
    pub fn sample(&self, d: Vec3) -> Vec3 {
        let (face, s, t) = place(d);
        let (side, last) = (self.side as f32, self.side - 1);
        let at = |x: f32| (0.5 * (x + 1.0) * side - 0.5).clamp(0.0, last as f32);
        let (x, y) = (at(s), at(t));
        let (x0, y0) = (x as usize, y as usize);
        let (x1, y1) = ((x0 + 1).min(last), (y0 + 1).min(last));
        let pixel = |x: usize, y: usize| self.pixels[(face * self.side + y) * self.side + x];
        let row = |y: usize| pixel(x0, y).lerp(pixel(x1, y), x - x0 as f32);
        row(y0).lerp(row(y1), y - y0 as f32)
    }

    /// Calls `take` with the direction, the solid angle, and the radiance of each pixel.
    pub fn each(&self, mut take: impl FnMut(Vec3, f32, Vec3)) {
        let step = 2.0 / self.side as f32;
        for (k, &radiance) in self.pixels.iter().enumerate() {
            let (face, row, column) = (k / (self.side * self.side), k / self.side % self.side, k % self.side);
            let centre = |k: usize| (k as f32 + 0.5) * step - 1.0;
            let d = direction(face, centre(column), centre(row));
            take(d.normalize(), step * step / d.length().powi(3), radiance);
        }
    }

    /// Returns the sides as pictures of bytes with sRGB's curve.
    pub fn pictures(&self) -> impl Iterator<Item = Pixels> {
        let side = self.side as u32;
        self.pixels.chunks_exact(self.side * self.side).map(move |face| Pixels {
            width: side,
            height: side,
            rgba: face.iter().flat_map(|p| [byte_of(p.x), byte_of(p.y), byte_of(p.z), 255]).collect(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_those_of_directions() {
        let cube = Cube::of(64, |d| 0.5 + 0.5 * d);
        for face in 0..6 {
            for (s, t) in [(0.0, 0.0), (0.4, -0.7), (-0.9, 0.2)] {
                let d = direction(face, s, t);
                let found = place(3.0 * d);
                assert!(found.0 == face && (found.1 - s).abs() < 1e-6 && (found.2 - t).abs() < 1e-6);
                let d = d.normalize();
                assert!((cube.sample(d) - (0.5 + 0.5 * d)).abs().max_element() < 2e-3);
            }
        }
    }

    #[test]
    fn solid_angles_fill_the_sphere() {
        let mut sum = 0.0;
        Cube::of(32, |_| Vec3::ONE).each(|_, angle, _| sum += angle);
        assert!((sum / (4.0 * std::f32::consts::PI) - 1.0).abs() < 1e-3, "{sum}");
    }
}
