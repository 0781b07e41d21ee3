//! Flat shapes of unit size: boxes, planes, triangles, lines.

use super::builder::{Builder, Vertex, vertex};

/// Adds a square of half size 1 in `quads` × `quads` parts, with corners and normal given by `place`.
fn square(b: &mut Builder, quads: u32, mirrored: bool, place: impl Fn(f32, f32) -> ([f32; 3], [f32; 3])) {
    let n = quads as f32;
    for x in 0..quads {
        for y in 0..quads {
            let at = |x: u32, y: u32| {
                let (p, normal) = place(2.0 * x as f32 / n - 1.0, 2.0 * y as f32 / n - 1.0);
                vertex(p, normal, [x as f32 / n, 1.0 - y as f32 / n])
            };
            let corners = [at(x, y), at(x + 1, y), at(x + 1, y + 1), at(x, y + 1)];
            let [a, bb, c, d] = corners;
            b.quad(if mirrored { [d, c, bb, a] } else { corners });
        }
    }
}

/// Adds a plane of half size 1 that faces z.
pub fn plane(b: &mut Builder, quads: u32) {
    square(b, quads, false, |x, y| ([x, y, 0.0], [0.0, 0.0, 1.0]));
}

/// Adds a plane of half size 1 for infinite ones, with parts that are small in the middle: the numbers of large triangles
/// are not exact enough near the eye.
pub fn wide_plane(b: &mut Builder) {
    let first = b.vertices.len();
    plane(b, 32);
    for v in &mut b.vertices[first..] {
        for k in [0, 1] {
            v[k] *= v[k].abs();
        }
        (v[7], v[8]) = (0.5 + 0.5 * v[0], 0.5 - 0.5 * v[1]);
    }
}

/// Adds a box of half size 1.
pub fn cuboid(b: &mut Builder, quads: u32) {
    square(b, quads, false, |x, y| ([x, y, 1.0], [0.0, 0.0, 1.0]));
    square(b, quads, true, |x, y| ([x, y, -1.0], [0.0, 0.0, -1.0]));
    square(b, quads, false, |x, y| ([1.0, x, y], [1.0, 0.0, 0.0]));
    square(b, quads, true, |x, y| ([-1.0, x, y], [-1.0, 0.0, 0.0]));
    square(b, quads, false, |x, y| ([x, -1.0, y], [0.0, -1.0, 0.0]));
    square(b, quads, true, |x, y| ([x, 1.0, y], [0.0, 1.0, 0.0]));
}

/// Adds a triangle with legs 1 along x and y.
pub fn triangle(b: &mut Builder) {
    let n = [0.0, 0.0, 1.0];
    b.triangle([
        vertex([0.0, 0.0, 0.0], n, [0.0, 1.0]),
        vertex([1.0, 0.0, 0.0], n, [1.0, 1.0]),
        vertex([0.0, 1.0, 0.0], n, [0.0, 0.0]),
    ]);
}

/// Adds a line as a strip that the shader widens.
fn strip(b: &mut Builder, from: [f32; 3], to: [f32; 3]) {
    // The direction from one end to the other turns round at the other end, and the side with it.
    let at = |p: [f32; 3], q: [f32; 3], side: f32| -> Vertex { vertex(p, q, [side, 0.0]) };
    b.quad([at(from, to, -1.0), at(to, from, 1.0), at(to, from, -1.0), at(from, to, 1.0)]);
}

/// Adds a line from the origin to z = 1.
pub fn line(b: &mut Builder) {
    strip(b, [0.0; 3], [0.0, 0.0, 1.0]);
}

/// Adds the edges of a box of half size 1.
pub fn line_box(b: &mut Builder) {
    for axis in 0..3 {
        for (u, v) in [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)] {
            let mut ends = [[0.0; 3]; 2];
            for (end, side) in ends.iter_mut().zip([-1.0, 1.0]) {
                end[axis] = side;
                end[(axis + 1) % 3] = u;
                end[(axis + 2) % 3] = v;
            }
            strip(b, ends[0], ends[1]);
        }
    }
}
