//! Round shapes of unit size: spheres, capsules, cylinders, cones, arrows.

use super::builder::{Builder, Vertex, vertex};
use std::f32::consts::{FRAC_1_SQRT_2, FRAC_PI_2, TAU};

/// Numbers of parts of round shapes: around the axis and along it.
#[derive(Clone, Copy)]
pub struct Parts {
    /// Parts around the axis.
    pub slices: u32,
    /// Parts along the axis.
    pub stacks: u32,
}

impl Parts {
    fn half(self) -> u32 {
        (self.stacks / 2).max(1)
    }
}

/// Affine change along z and of the radius: where a part of an arrow lies.
#[derive(Clone, Copy)]
struct Place {
    radius: f32,
    z: f32,
    height: f32,
}

const UNIT: Place = Place { radius: 1.0, z: 0.0, height: 1.0 };

impl Place {
    fn put(self, p: [f32; 3], n: [f32; 3], t: [f32; 2]) -> Vertex {
        let n = [n[0] / self.radius, n[1] / self.radius, n[2] / self.height];
        let length = (n[0] * n[0] + n[1] * n[1] + n[2] * n[2]).sqrt();
        let p = [p[0] * self.radius, p[1] * self.radius, self.z + p[2] * self.height];
        vertex(p, n.map(|x| x / length), t)
    }
}

fn on_circle(part: u32, slices: u32) -> (f32, f32, f32) {
    let share = part as f32 / slices as f32;
    // The last angle is the first one, so that the seam is closed to the last bit.
    let (s, c) = if part == slices { (0.0, 1.0) } else { (TAU * share).sin_cos() };
    (c, s, share)
}

/// Adds a surface of revolution: `point` gives radius, height, normal (radial, axial), v of the ring at each level.
fn revolve(b: &mut Builder, slices: u32, levels: u32, place: Place, point: impl Fn(u32) -> ([f32; 4], f32)) {
    for level in 0..levels {
        let rings = [point(level), point(level + 1)];
        for slice in 0..slices {
            let at = |part: u32, ring: usize| {
                let (c, s, u) = on_circle(part, slices);
                let ([r, z, nr, nz], v) = rings[ring];
                place.put([c * r, s * r, z], [c * nr, s * nr, nz], [u, v])
            };
            let [a, d] = [at(slice, 0), at(slice, 1)];
            let [bb, c] = [at(slice + 1, 0), at(slice + 1, 1)];
            match (rings[0].0[0] == 0.0, rings[1].0[0] == 0.0) {
                (_, true) => b.triangle([a, bb, d]),
                (true, _) => b.triangle([a, c, d]),
                _ => b.quad([a, bb, c, d]),
            }
        }
    }
}

/// Adds a disk of radius 1 at height `z` that faces up or down.
fn disk(b: &mut Builder, parts: Parts, z: f32, up: bool, place: Place) {
    let n = [0.0, 0.0, if up { 1.0 } else { -1.0 }];
    for ring in 0..parts.half() {
        let radii = [ring, ring + 1].map(|r| r as f32 / parts.half() as f32);
        for slice in 0..parts.slices {
            let at = |part: u32, r: f32| {
                let (c, s, _) = on_circle(part, parts.slices);
                place.put([c * r, s * r, z], n, [0.5 + 0.5 * c * r, 0.5 + 0.5 * s * r])
            };
            let mut corners =
                [at(slice, radii[1]), at(slice + 1, radii[1]), at(slice + 1, radii[0]), at(slice, radii[0])];
            if !up {
                corners.reverse();
            }
            match (ring, up) {
                (0, true) => b.triangle([corners[0], corners[1], corners[2]]),
                (0, false) => b.triangle([corners[1], corners[2], corners[3]]),
                _ => b.quad(corners),
            }
        }
    }
}

fn tube(b: &mut Builder, parts: Parts, place: Place) {
    let stacks = parts.stacks;
    revolve(b, parts.slices, stacks, place, |i| {
        let h = 2.0 * i as f32 / stacks as f32 - 1.0;
        ([1.0, h, 1.0, 0.0], 0.5 - 0.5 * h)
    });
}

fn cone(b: &mut Builder, parts: Parts, place: Place) {
    let stacks = parts.stacks;
    revolve(b, parts.slices, stacks, place, |i| {
        let r = 1.0 - i as f32 / stacks as f32;
        ([r, 1.0 - r, FRAC_1_SQRT_2, FRAC_1_SQRT_2], r)
    });
    disk(b, parts, 0.0, false, place);
}

/// Adds a sphere of radius 1.
pub fn sphere(b: &mut Builder, parts: Parts) {
    let levels = 2 * parts.half();
    revolve(b, parts.slices, levels, UNIT, |i| {
        let share = i as f32 / levels as f32;
        (ring_of_sphere(i, levels), 1.0 - share)
    });
}

fn ring_of_sphere(level: u32, levels: u32) -> [f32; 4] {
    if level == 0 || level == levels {
        let z = if level == 0 { -1.0 } else { 1.0 };
        return [0.0, z, 0.0, z];
    }
    let (s, c) = (FRAC_PI_2 * (2.0 * level as f32 / levels as f32 - 1.0)).sin_cos();
    [c, s, c, s]
}

/// Adds a capsule of radius 1, whose half length is the end offset.
pub fn capsule(b: &mut Builder, parts: Parts) {
    let levels = 2 * parts.half();
    let first = b.vertices.len();
    tube(b, parts, UNIT);
    // Heights of the tube are shares of the end offset.
    for v in &mut b.vertices[first..] {
        (v[2], v[3]) = (0.0, v[2]);
    }
    for (start, end) in [(0, levels / 2), (levels / 2, levels)] {
        let first = b.vertices.len();
        let upper = start > 0;
        b.forget();
        revolve(b, parts.slices, end - start, UNIT, |i| {
            let share = i as f32 / (end - start) as f32;
            (ring_of_sphere(start + i, levels), 1.0 - share)
        });
        b.vertices[first..].iter_mut().for_each(|v| v[3] = if upper { 1.0 } else { -1.0 });
    }
}

/// Adds a cylinder of radius and half length 1, with or without its ends.
pub fn cylinder(b: &mut Builder, parts: Parts, closed: bool) {
    tube(b, parts, UNIT);
    if closed {
        disk(b, parts, -1.0, false, UNIT);
        disk(b, parts, 1.0, true, UNIT);
    }
}

/// Adds an arrow along z: shaft to 2, head to 3; the head is wider with `wedges`.
pub fn arrow(b: &mut Builder, parts: Parts, wedges: bool) {
    let shaft = Place { radius: 1.0, z: 1.0, height: 1.0 };
    tube(b, parts, shaft);
    disk(b, parts, -1.0, false, shaft);
    disk(b, parts, 1.0, true, shaft);
    cone(b, parts, Place { radius: if wedges { 1.75 } else { 1.0 }, z: 2.0, height: 1.0 });
}

/// Adds an arrow in both directions of z: shaft to ±1, heads to ±1.5.
pub fn double_arrow(b: &mut Builder, parts: Parts) {
    tube(b, parts, UNIT);
    cone(b, parts, Place { radius: 1.75, z: 1.0, height: 0.5 });
    b.forget();
    let first = b.vertices.len();
    cone(b, parts, Place { radius: 1.75, z: 1.0, height: 0.5 });
    for v in &mut b.vertices[first..] {
        v[1] = -v[1];
        v[2] = -v[2];
        v[5] = -v[5];
        v[6] = -v[6];
    }
}

/// Adds the cone of haze between a plane and its horizon: heights 0 to 1, radius 1 − `share` to 1; u is the opacity.
pub fn haze(b: &mut Builder, slices: u32, share: f32) {
    let alpha = 1f32.atan2(share);
    let beta = 0.75 * std::f32::consts::PI - alpha;
    let h = (0.5f32.sqrt() * share * alpha.sin() / beta.sin()).clamp(0.0, 1.0);
    let levels = [(0.0, 0.0), (h, 1.0), (1.0, 0.0)];
    for pair in levels.windows(2) {
        for slice in 0..slices {
            let at = |part: u32, (z, opacity): (f32, f32)| {
                let (c, s, _) = on_circle(part, slices);
                let r = 1.0 - share * (1.0 - z);
                vertex([c * r, s * r, z], [0.0, 0.0, 1.0], [opacity, 0.0])
            };
            b.quad([at(slice, pair[0]), at(slice + 1, pair[0]), at(slice + 1, pair[1]), at(slice, pair[1])]);
        }
    }
}
