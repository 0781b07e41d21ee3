//! Built-in patterns, and the marks on them.

use super::{MAX_BYTES, Pixels};
use mj_model::spec::Texture;
use mj_model::{Builtin, Mark, TextureType};
use rand_mt::Mt64;
use std::f64::consts::{FRAC_1_SQRT_2, FRAC_PI_2};

/// Seed of random dots, so that they are the same each time.
const SEED: u64 = 42;

/// Which way a face looks.
#[derive(Clone, Copy, PartialEq)]
enum Face {
    /// Image of a 2d texture.
    Flat,
    Right,
    Left,
    Up,
    Down,
    Front,
    Back,
}

const CUBE: [Face; 6] = [Face::Right, Face::Left, Face::Up, Face::Down, Face::Front, Face::Back];

pub(super) fn make(t: &Texture) -> Result<Pixels, String> {
    if t.nchannel != 3 {
        return Err(format!("a built-in pattern has 3 channels, but `nchannel` is {}", t.nchannel));
    }
    let faces: &[Face] = if t.r#type == TextureType::TwoD { &[Face::Flat] } else { &CUBE };
    let width = usize::try_from(t.width).unwrap_or(0);
    let side = if faces.len() == 1 { usize::try_from(t.height).unwrap_or(0) } else { width };
    if width < 1 || side < 1 {
        let needed = if faces.len() == 1 { "`width` and `height` must be" } else { "`width` must be" };
        return Err(format!("{needed} at least 1 for a built-in pattern"));
    }
    let height = side * faces.len();
    let bytes = width.saturating_mul(height).saturating_mul(3);
    if bytes > MAX_BYTES {
        return Err(format!("{width} by {height} pixels are too many: a texture may have 1 GiB"));
    }
    let mut data = vec![0; bytes];
    for (face, out) in faces.iter().zip(data.chunks_exact_mut(3 * width * side)) {
        paint(t, *face, width, side, out);
    }
    if t.mark == Mark::Random {
        sprinkle(t, &mut data);
    }
    Ok(Pixels { width, height, nchannel: 3, colorspace: t.colorspace, data, ..Pixels::default() })
}

/// A colour as bytes, fractions dropped.
pub(super) fn bytes(rgb: [f64; 3]) -> [u8; 3] {
    rgb.map(|c| (255.0 * c) as u8)
}

/// Paints the pattern on a face, with the mark if it is a line.
fn paint(t: &Texture, face: Face, w: usize, h: usize, out: &mut [u8]) {
    let (rgb1, rgb2, mark) = (bytes(t.rgb1), bytes(t.rgb2), bytes(t.markrgb));
    let unit = |i: usize, n: usize| 2.0 * i as f64 / (n as f64 - 1.0);
    for (i, pixel) in out.chunks_exact_mut(3).enumerate() {
        let (r, c) = (i / w, i % w);
        let colour = match t.builtin {
            Builtin::None => [0; 3],
            Builtin::Flat => {
                if face == Face::Down {
                    rgb2
                } else {
                    rgb1
                }
            }
            Builtin::Checker => {
                // Front and back are the other way round, so that colours alternate across edges.
                let first = (r < h / 2) == (c < w / 2);
                if first != matches!(face, Face::Front | Face::Back) { rgb1 } else { rgb2 }
            }
            Builtin::Gradient => gradient(t, face, unit(c, w) - 1.0, 1.0 - unit(r, h)),
        };
        let marked = match t.mark {
            Mark::None | Mark::Random => false,
            Mark::Edge => r == 0 || c == 0 || r + 1 == h || c + 1 == w,
            Mark::Cross => r == h / 2 || c == w / 2,
        };
        pixel.copy_from_slice(if marked { &mark } else { &colour });
    }
}

/// The colour at (x, y), from −1 to 1: by the distance from the middle of a 2d texture; on a cube by the elevation of
/// the pixel seen from the centre.
fn gradient(t: &Texture, face: Face, x: f64, y: f64) -> [u8; 3] {
    let across = x * x + y * y;
    let far = (1.0 + across).sqrt();
    let up = 1.0 - (1.0 / far).acos() / FRAC_PI_2;
    match face {
        Face::Flat => blend(t.rgb2, t.rgb1, 2.0 * across.sqrt() - 1.0),
        Face::Up => blend(t.rgb1, t.rgb2, up),
        Face::Down => blend(t.rgb1, t.rgb2, -up),
        _ => blend(t.rgb1, t.rgb2, (y / far).asin() / FRAC_PI_2),
    }
}

/// Mixture of two colours along a sigmoid: all of the second at −1, all of the first at 1.
fn blend(a: [f64; 3], b: [f64; 3], x: f64) -> [u8; 3] {
    let alpha = (0.5 * (1.0 + x / (1.0 + x * x).sqrt() / FRAC_1_SQRT_2)).clamp(0.0, 1.0);
    bytes([0, 1, 2].map(|i| alpha * a[i] + (1.0 - alpha) * b[i]))
}

/// Dots here and there, each pixel with the same probability.
fn sprinkle(t: &Texture, data: &mut [u8]) {
    let mark = bytes(t.markrgb);
    let mut random = Mt64::new(SEED);
    for pixel in data.chunks_exact_mut(3) {
        // In [0, 1): the number as a fraction of 2⁶⁴.
        let x = random.next_u64() as f64 * 0.5f64.powi(64);
        if x < t.random {
            pixel.copy_from_slice(&mark);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texture(r#type: TextureType, builtin: Builtin, mark: Mark) -> Texture {
        let (rgb1, rgb2, markrgb) = ([0.0; 3], [0.5; 3], [1.0; 3]);
        Texture { r#type, builtin, mark, rgb1, rgb2, markrgb, random: 0.2, width: 8, height: 4, ..Default::default() }
    }

    /// Numbers of the pixels whose red is this.
    fn pixels(t: &Texture, red: u8) -> Vec<usize> {
        let made = make(t).unwrap();
        assert_eq!(made.data.len(), 3 * made.width * made.height);
        made.data.chunks_exact(3).enumerate().filter(|(_, p)| p[0] == red).map(|(i, _)| i).collect()
    }

    #[test]
    fn dots_stand_where_the_reference_puts_them() {
        let t = texture(TextureType::TwoD, Builtin::Flat, Mark::Random);
        assert_eq!(pixels(&t, 255), [3, 5, 10, 18, 19, 21, 23, 24, 25, 29]);
    }

    #[test]
    fn lines_run_along_the_edge_or_through_the_middle() {
        let edge = texture(TextureType::TwoD, Builtin::Flat, Mark::Edge);
        assert_eq!(pixels(&edge, 0), [9, 10, 11, 12, 13, 14, 17, 18, 19, 20, 21, 22]);
        let cross = texture(TextureType::TwoD, Builtin::Flat, Mark::Cross);
        assert_eq!(pixels(&cross, 255).len(), 8 + 4 - 1);
    }

    #[test]
    fn a_cube_has_another_bottom_and_colours_alternate_across_its_edges() {
        let flat = texture(TextureType::Cube, Builtin::Flat, Mark::None);
        assert_eq!(pixels(&flat, 127), (3 * 64..4 * 64).collect::<Vec<_>>());
        let checker = texture(TextureType::Cube, Builtin::Checker, Mark::None);
        let data = make(&checker).unwrap().data;
        assert!((0..6).all(|side| (data[3 * 64 * side] == 0) == (side < 4)));
    }

    #[test]
    fn a_gradient_runs_from_one_colour_to_the_other() {
        let t = texture(TextureType::Skybox, Builtin::Gradient, Mark::None);
        let data = make(&Texture { width: 101, ..t }).unwrap().data;
        // Straight up it is the first colour, straight down the second, and half of each at the horizon.
        let middle = |side: usize| data[3 * (side * 101 * 101 + 50 * 101 + 50)];
        assert_eq!((middle(2), middle(3), middle(0)), (0, 127, 63));
    }

    #[test]
    fn impossible_sizes_are_told() {
        let t = texture(TextureType::TwoD, Builtin::Flat, Mark::None);
        for t in [
            Texture { width: 0, ..t.clone() },
            Texture { height: -1, ..t.clone() },
            Texture { nchannel: 4, ..t.clone() },
            Texture { width: i32::MAX, height: i32::MAX, ..t },
        ] {
            assert!(make(&t).is_err());
        }
    }
}
