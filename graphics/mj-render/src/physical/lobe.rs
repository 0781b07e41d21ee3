//! Lobe of microfacets (GGX, Walter et al. 2007): its directions, what it reflects, and pictures blurred by it.

use super::cube::Cube;
use glam::{Vec2, Vec3};
use std::f32::consts::{PI, TAU};

/// Number of steps of the table of what is reflected, along each axis.
pub const STEPS: usize = 32;
/// Directions of an entry of the table.
const TABLE_SAMPLES: u32 = 256;
/// Directions of a pixel of a blurred picture.
const BLUR_SAMPLES: u32 = 64;

/// Returns element `k` of `n` of the points of Hammersley.
fn point(k: u32, n: u32) -> Vec2 {
    Vec2::new((k as f32 + 0.5) / n as f32, k.reverse_bits() as f32 / 4_294_967_296.0)
}

/// Returns a normal of microfacets about z, and the density of normals there without the cosine.
fn normal(at: Vec2, a: f32) -> (Vec3, f32) {
    let a2 = (a * a).max(1e-8);
    let cos2 = (1.0 - at.y) / (1.0 + (a2 - 1.0) * at.y);
    let (sin, cos) = ((1.0 - cos2).max(0.0).sqrt(), cos2.sqrt());
    let (y, x) = (TAU * at.x).sin_cos();
    let d = cos2 * (a2 - 1.0) + 1.0;
    (Vec3::new(sin * x, sin * y, cos), a2 / (PI * d * d))
}

/// Returns scale and offset of the reflectance at normal incidence, which give the share of light that a lobe reflects in
/// all directions (Karis 2013), by the cosine to the normal and roughness.
fn reflected(facing: f32, roughness: f32) -> Vec2 {
    let a = roughness * roughness;
    let a2 = a * a;
    let eye = Vec3::new((1.0 - facing * facing).max(0.0).sqrt(), 0.0, facing);
    let mut sum = Vec2::ZERO;
    for k in 0..TABLE_SAMPLES {
        let (h, _) = normal(point(k, TABLE_SAMPLES), a);
        let across = eye.dot(h);
        let lit = 2.0 * across * h.z - eye.z;
        if lit <= 0.0 || across <= 0.0 {
            continue;
        }
        let shadowed = lit * (facing * facing * (1.0 - a2) + a2).sqrt() + facing * (lit * lit * (1.0 - a2) + a2).sqrt();
        let share = 2.0 * lit * across / (shadowed * h.z).max(1e-9);
        let fresnel = (1.0 - across).powi(5);
        sum += share * Vec2::new(1.0 - fresnel, fresnel);
    }
    sum / TABLE_SAMPLES as f32
}

/// Returns the table of [`reflected`], row by row of roughness.
pub fn table() -> Vec<[f32; 2]> {
    let at = |k: usize| k as f32 / (STEPS - 1) as f32;
    let row = |y: usize| (0..STEPS).map(move |x| reflected(at(x).max(1e-3), at(y).max(0.045)).to_array());
    (0..STEPS).flat_map(row).collect()
}

/// Returns a picture and its copies at half the size each, down to a side of 4, blurred by the lobe of a roughness that grows
/// from 0 to 1, seen along the normal.
pub fn blurred(cube: &Cube) -> Vec<Cube> {
    let mut sizes = vec![cube.clone()];
    while let Some(last) = sizes.last().filter(|c| c.side > 1) {
        sizes.push(last.half());
    }
    let levels = sizes.iter().filter(|c| c.side >= 4).count().max(1);
    let blur = |level: usize| {
        let roughness = level as f32 / (levels - 1).max(1) as f32;
        let a = roughness * roughness;
        let samples: Vec<(Vec3, &Cube)> = (0..BLUR_SAMPLES)
            .filter_map(|k| {
                let (h, density) = normal(point(k, BLUR_SAMPLES), a);
                // Reflects z.
                let d = Vec3::new(2.0 * h.z * h.x, 2.0 * h.z * h.y, 2.0 * h.z * h.z - 1.0);
                // A direction stands for a solid angle; pixels of about that size leave out nothing.
                let angle = 4.0 / (BLUR_SAMPLES as f32 * density);
                let pixel = 4.0 * PI / (6.0 * (cube.side * cube.side) as f32);
                let size = (0.5 * (angle / pixel).log2() + 0.5).clamp(0.0, (sizes.len() - 1) as f32) as usize;
                (d.z > 0.0).then_some((d, &sizes[size]))
            })
            .collect();
        let weights: f32 = samples.iter().map(|(d, _)| d.z).sum();
        Cube::of(sizes[level].side, |axis| {
            let (x, y) = axis.any_orthonormal_pair();
            let from = |(d, cube): &(Vec3, &Cube)| d.z * cube.sample(d.x * x + d.y * y + d.z * axis);
            samples.iter().map(from).sum::<Vec3>() / weights
        })
    };
    (0..levels).map(|level| if level == 0 { cube.clone() } else { blur(level) }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn smooth_lobes_reflect_by_fresnel() {
        // Schlick: F0 (1 − (1 − c)⁵) + (1 − c)⁵.
        for c in [0.3f32, 0.6, 1.0] {
            let fresnel = (1.0 - c).powi(5);
            assert!((reflected(c, 0.05) - Vec2::new(1.0 - fresnel, fresnel)).abs().max_element() < 5e-3, "{c}");
        }
    }

    #[test]
    fn no_lobe_reflects_more_than_there_is() {
        assert!(table().iter().all(|[a, b]| *a >= 0.0 && *b >= 0.0 && a + b < 1.01));
        // At full roughness, along the normal: ∫ c / (1 + c) dc from 0 to 1.
        let sum = reflected(1.0, 1.0).element_sum();
        assert!((sum - (1.0 - std::f32::consts::LN_2)).abs() < 5e-3, "{sum}");
    }

    #[test]
    fn blurring_keeps_what_is_uniform_and_spreads_what_is_not() {
        let grey = blurred(&Cube::of(32, |_| Vec3::splat(0.4)));
        assert_eq!(grey.iter().map(|c| c.side).collect::<Vec<_>>(), [32, 16, 8, 4]);
        assert!(grey.iter().all(|c| (c.sample(Vec3::ONE) - 0.4).abs().max_element() < 1e-4));
        let half = blurred(&Cube::of(32, |d| Vec3::splat(if d.y > 0.0 { 1.0 } else { 0.0 })));
        let up: Vec<f32> = half.iter().map(|c| c.sample(Vec3::new(0.3, 0.25, 0.2)).x).collect();
        assert!(up.windows(2).all(|w| w[1] <= w[0] + 0.02) && up[3] < 0.95 && up[3] > 0.6, "{up:?}");
    }
}
