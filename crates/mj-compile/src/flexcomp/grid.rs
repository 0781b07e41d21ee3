//! Flexcomps on regular grids: lines, circles, sheets, discs and blocks.

use super::points::Points;
use mj_math::{DVec2, DVec3, real};
use mj_model::FlexcompType;
use mj_model::spec::Flexcomp;
use std::f64::consts::PI;

/// Six tetrahedra that fill a cube, by its corners: counter-clockwise at the bottom, then at the top.
const TETRAHEDRA: [[usize; 4]; 6] =
    [[0, 3, 1, 7], [0, 1, 4, 7], [1, 3, 2, 7], [1, 2, 6, 7], [1, 5, 4, 7], [1, 6, 5, 7]];

/// Points along the axes, at least one each.
pub(super) fn counts(f: &Flexcomp) -> [usize; 3] {
    f.count.map(|n| usize::try_from(n).unwrap_or(0).max(1))
}

/// Place of point `i` of `n`, centred.
fn place(f: &Flexcomp, axis: usize, i: usize, n: usize) -> f64 {
    f.spacing[axis] * (i as f64 - 0.5 * (n as f64 - 1.0))
}

/// How far point `i` of `n` is along its axis, from 0 to 1.
fn share(i: usize, n: usize) -> f32 {
    i as f32 / (n - 1).max(1) as f32
}

/// Makes a line, sheet or block.
pub(super) fn grid(f: &Flexcomp, textured: bool) -> Result<Points, String> {
    let [nx, ny, nz] = counts(f);
    let mut out = Points::of_dim(f.dim);
    match f.dim {
        1 => {
            out.point.extend((0..nx).map(|i| DVec3::X * place(f, 0, i, nx)));
            out.element.extend((1..nx).flat_map(|i| [i as i32 - 1, i as i32]));
        }
        2 if nz > 1 => return Err("`count` has more than one layer along z, but a sheet has one".into()),
        2 => sheet(f, textured, &mut out),
        _ => block(f, textured, &mut out),
    }
    if out.element.is_empty() { Err(format!("a grid of {nx} x {ny} x {nz} points has no elements")) } else { Ok(out) }
}

/// Makes a ring. The last of `count` points is the first.
pub(super) fn circle(f: &Flexcomp) -> Result<Points, String> {
    let n = counts(f)[0] - 1;
    if f.dim != 1 {
        return Err("a circle is made of lines: `dim` must be 1".into());
    }
    if n < 3 {
        return Err("a circle needs a `count` of 4 or more".into());
    }
    let mut out = Points::of_dim(1);
    let angle = 2.0 * PI / n as f64;
    let radius = f.spacing[0] / real::sin(angle / 2.0) / 2.0;
    for i in 0..n {
        let (sin, cos) = real::sin_cos(angle * i as f64);
        out.point.push(DVec3::new(radius * cos, radius * sin, 0.0));
        out.element.extend([i as i32, ((i + 1) % n) as i32]);
    }
    Ok(out)
}

/// Makes a square, or a disc by projecting one.
pub(super) fn square(f: &Flexcomp, textured: bool) -> Result<Points, String> {
    let mut out = grid(&Flexcomp { dim: 2, ..f.clone() }, textured)?;
    if f.r#type == FlexcompType::Disc {
        let [nx, ny, _] = counts(f);
        let half = [0.5 * f.spacing[0] * (nx as f64 - 1.0), 0.5 * f.spacing[1] * (ny as f64 - 1.0)];
        for p in &mut out.point {
            let reach = p.x.abs().max(p.y.abs());
            let unit = p.truncate().try_normalize().unwrap_or(DVec2::X);
            (p.x, p.y) = (unit.x * half[0] * reach, unit.y * half[1] * reach);
        }
    }
    Ok(out)
}

fn sheet(f: &Flexcomp, textured: bool, out: &mut Points) {
    let [nx, ny, _] = counts(f);
    for ix in 0..nx {
        for iy in 0..ny {
            let (x, y) = (place(f, 0, ix, nx), place(f, 1, iy, ny));
            out.point.push(DVec3::new(x, y, 0.0));
            if textured {
                out.texcoord.extend([share(ix, nx), share(iy, ny)]);
            }
            if ix + 1 == nx || iy + 1 == ny {
                continue;
            }
            let corner = |dx: usize, dy: usize| ((ix + dx) * ny + iy + dy) as i32;
            let [a, b, c, d] = [corner(0, 0), corner(1, 0), corner(1, 1), corner(0, 1)];
            // In two quadrants of a disc the diagonal goes the other way, so that it points at the centre.
            const EPS: f64 = 1e-14;
            let opposite = x < -EPS && y > -EPS || x > -EPS && y < -EPS;
            let triangles =
                if opposite && f.r#type == FlexcompType::Disc { [a, b, d, b, c, d] } else { [a, b, c, a, c, d] };
            out.element.extend(triangles);
        }
    }
}

fn block(f: &Flexcomp, textured: bool, out: &mut Points) {
    let [nx, ny, nz] = counts(f);
    for ix in 0..nx {
        for iy in 0..ny {
            for iz in 0..nz {
                out.point.push(DVec3::new(place(f, 0, ix, nx), place(f, 1, iy, ny), place(f, 2, iz, nz)));
                if textured {
                    out.texcoord.extend([share(ix, nx), share(iy, ny)]);
                }
                if ix + 1 == nx || iy + 1 == ny || iz + 1 == nz {
                    continue;
                }
                let corner = |dx: usize, dy: usize, dz: usize| (((ix + dx) * ny + iy + dy) * nz + iz + dz) as i32;
                let corners = [0, 1].map(|z| [corner(0, 0, z), corner(1, 0, z), corner(1, 1, z), corner(0, 1, z)]);
                let corners = corners.as_flattened();
                out.element.extend(TETRAHEDRA.as_flattened().iter().map(|&c| corners[c]));
            }
        }
    }
}
