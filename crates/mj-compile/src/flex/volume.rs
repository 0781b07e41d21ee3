//! Quadrature over the part of each cell that a mesh fills (the finite cell method: Parvizian, Düster, Rank 2007).
//!
//! Solids are the union of their tetrahedra. A closed surface is taken as the signed sum of prisms between its triangles and
//! a plane. Tetrahedra are cut at the planes between cells, and the integrals of polynomials over the pieces are exact.
//! Surfaces that are open, or not oriented alike everywhere, have the Gauss points of eight parts of each cell that they wind
//! around by more than a half. Each cell keeps weights of its own Gauss points that give the same integrals.

use super::cells::Cells;
use mj_math::{DVec3, real};
use rayon::prelude::*;
use std::collections::HashMap;

/// Share of the stiffness and mass of a full cell that the part outside of the mesh has.
pub(crate) const OUTSIDE: f64 = 1e-6;
/// Share of a cell's volume from which it is full.
const FULL: f64 = 1.0 - 1e-7;

/// Number of times that a surface winds around points inside: half of once, but for rounding.
const INSIDE: f64 = 0.5 - 1e-9;

/// Part of a cell that the mesh fills.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Fill {
    Empty,
    Full,
    /// Weights of the points of [`Points`], in volumes of the cell.
    Partial(Vec<f64>),
}

/// Gauss points of a cell: 2·order + 1 along each axis, so that products of the interpolation's derivatives are exact.
pub(crate) struct Points {
    at: Vec<f64>,
}

impl Points {
    pub fn of(order: usize) -> Self {
        Self { at: gauss_legendre(2 * order + 1).into_iter().map(|(x, _)| x).collect() }
    }

    /// Point number `i`, the last axis fastest.
    pub fn point(&self, i: usize) -> [f64; 3] {
        let n = self.at.len();
        [i / (n * n), i / n % n, i % n].map(|k| self.at[k])
    }

    /// Values of the polynomials that are 1 at one point of an axis and 0 at the others.
    fn lagrange(&self, x: f64, out: &mut [f64]) {
        for (i, value) in out.iter_mut().enumerate() {
            let others = self.at.iter().enumerate().filter(|(j, _)| *j != i);
            *value = others.map(|(_, y)| (x - y) / (self.at[i] - y)).product();
        }
    }
}

impl Points {
    /// Adds the weight of a point in the cell to those that give the same integrals.
    fn spread(&self, p: DVec3, weight: f64, out: &mut [f64]) {
        let n = self.at.len();
        let mut along = [[0.0; 5]; 3];
        (0..3).for_each(|k| self.lagrange(p[k], &mut along[k][..n]));
        for i in 0..n {
            for j in 0..n {
                let x = weight * along[0][i] * along[1][j];
                let row = &mut out[(i * n + j) * n..][..n];
                row.iter_mut().zip(&along[2]).for_each(|(w, z)| *w += x * z);
            }
        }
    }
}

/// Points of Gauss and Legendre from 0 to 1 with their weights.
fn gauss_legendre(n: usize) -> Vec<(f64, f64)> {
    let one = |i: usize| {
        let mut x = real::cos(std::f64::consts::PI * (i as f64 + 0.75) / (n as f64 + 0.5));
        let mut slope = 1.0;
        for _ in 0..100 {
            let (mut p, mut before) = (x, 1.0);
            for k in 2..=n {
                let k = k as f64;
                (p, before) = (((2.0 * k - 1.0) * x * p - (k - 1.0) * before) / k, p);
            }
            slope = n as f64 * (x * p - before) / (x * x - 1.0);
            let step = p / slope;
            x -= step;
            if step.abs() < 1e-16 {
                break;
            }
        }
        (0.5 * (1.0 - x), 1.0 / ((1.0 - x * x) * slope * slope))
    };
    (0..n).map(one).collect()
}

/// Finds what part of each cell a mesh fills. Lines fill all that they touch.
pub(crate) fn fills(cells: &Cells, dim: usize, points: &[DVec3], element: &[i32]) -> Vec<Fill> {
    let size = cells.high - cells.low;
    let whole = || cells.empty.iter().map(|&e| if e { Fill::Empty } else { Fill::Full }).collect();
    if dim == 1 || size.min_element() <= 0.0 {
        return whole();
    }
    let scale = DVec3::from_array([0, 1, 2].map(|k| cells.n[k] as f64 / size[k]));
    let at: Vec<DVec3> = points.iter().map(|p| (*p - cells.low) * scale).collect();
    let mut sum = Sum::of(cells);
    if dim == 3 {
        for e in element.as_chunks::<4>().0 {
            sum.cut_along(e.map(|v| at[v as usize]), 1.0, 0, [0; 3]);
        }
    } else {
        let elements = element.as_chunks::<3>().0.iter();
        if is_closed(element) {
            elements.for_each(|e| sum.add_below(e.map(|v| at[v as usize])));
        } else {
            let triangles: Vec<_> = elements.map(|e| e.map(|v| points[v as usize])).collect();
            sum.sample(cells, scale, &triangles);
        }
    }
    // A surface may be turned inside out.
    let sign = if sum.volume.iter().sum::<f64>() < 0.0 { -1.0 } else { 1.0 };
    let n = sum.points.at.len().pow(3);
    let fill = |(c, weights): (usize, &[f64])| match sign * sum.volume[c] {
        _ if cells.empty[c] => Fill::Empty,
        v if v >= FULL => Fill::Full,
        _ => Fill::Partial(weights.iter().map(|w| sign * w).collect()),
    };
    sum.weight.chunks_exact(n).enumerate().map(fill).collect()
}

/// Whether each edge of a surface's triangles belongs to one more, which runs along it the other way.
fn is_closed(element: &[i32]) -> bool {
    let mut count: HashMap<[i32; 2], i32> = HashMap::new();
    for &[a, b, c] in element.as_chunks::<3>().0 {
        [[a, b], [b, c], [c, a]].into_iter().for_each(|e| *count.entry(e).or_default() += 1);
    }
    count.iter().all(|([a, b], n)| *n == 1 && count.get(&[*b, *a]) == Some(&1))
}

/// Number of times that a surface winds around a point (Jacobson, Kavan, Sorkine-Hornung 2013).
fn winding(triangles: &[[DVec3; 3]], p: DVec3) -> f64 {
    let angle = |t: &[DVec3; 3]| {
        let [a, b, c] = t.map(|v| v - p);
        let (la, lb, lc) = (a.length(), b.length(), c.length());
        let below = la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb;
        real::atan2(a.dot(b.cross(c)), below)
    };
    triangles.iter().map(angle).sum::<f64>() / (2.0 * std::f64::consts::PI)
}

type Tetrahedron = [DVec3; 4];

fn volume_of([a, b, c, d]: Tetrahedron) -> f64 {
    (b - a).cross(c - a).dot(d - a) / 6.0
}

/// Integrals over all cells, in cells' units.
struct Sum {
    n: [usize; 3],
    points: Points,
    /// Points of a rule for tetrahedra: barycentric coordinates of the last three corners, and weights.
    rule: Vec<([f64; 3], f64)>,
    volume: Vec<f64>,
    weight: Vec<f64>,
}

impl Sum {
    fn of(cells: &Cells) -> Self {
        let points = Points::of(cells.order);
        let count: usize = cells.n.iter().product();
        // Exact for the products of derivatives: degree 4, or 10, and two more of the map from a cube to a tetrahedron.
        let line = gauss_legendre(3 * cells.order + 1);
        let mut rule = Vec::with_capacity(line.len().pow(3));
        for &(a, wa) in &line {
            for &(b, wb) in &line {
                for &(c, wc) in &line {
                    let b = b * (1.0 - a);
                    let weight = 6.0 * wa * wb * wc * (1.0 - a) * (1.0 - a - b);
                    rule.push(([a, b, c * (1.0 - a - b)], weight));
                }
            }
        }
        let weight = vec![0.0; count * points.at.len().pow(3)];
        Self { n: cells.n, points, rule, volume: vec![0.0; count], weight }
    }

    /// Adds the prism between a triangle and the plane at the lower end of x, with its sign.
    fn add_below(&mut self, [a, b, c]: [DVec3; 3]) {
        let [p, q, r] = [a, b, c].map(|v| DVec3::new(0.0, v.y, v.z));
        // The normal towards x is positive.
        for t in [[p, q, r, c], [p, q, c, b], [p, b, c, a]] {
            self.cut_along(t, volume_of(t).signum(), 0, [0; 3]);
        }
    }

    /// Cuts a tetrahedron at the planes between cells along an axis, then along those after it.
    fn cut_along(&mut self, t: Tetrahedron, sign: f64, axis: usize, mut at: [usize; 3]) {
        if axis == 3 {
            return self.add(t, sign, at);
        }
        let coordinate = t.map(|p| p[axis]);
        let cell = |x: f64| (x.max(0.0) as usize).min(self.n[axis] - 1);
        let first = cell(coordinate.iter().copied().fold(f64::INFINITY, f64::min));
        let last = cell(coordinate.iter().copied().fold(f64::NEG_INFINITY, f64::max));
        let mut rest = vec![t];
        for i in first..=last {
            let (mut here, mut above) = (Vec::new(), Vec::new());
            if i == last {
                here = std::mem::take(&mut rest);
            } else {
                rest.drain(..).for_each(|t| cut(t, axis, (i + 1) as f64, &mut here, &mut above));
            }
            at[axis] = i;
            here.into_iter().for_each(|t| self.cut_along(t, sign, axis + 1, at));
            rest = above;
        }
    }

    /// Adds the points of all cells that a surface winds around.
    fn sample(&mut self, cells: &Cells, scale: DVec3, triangles: &[[DVec3; 3]]) {
        let half = gauss_legendre(cells.order + 1);
        let line: Vec<(f64, f64)> =
            [0.0, 0.5].iter().flat_map(|from| half.iter().map(move |(x, w)| (from + 0.5 * x, 0.5 * w))).collect();
        let n = self.points.at.len();
        let (points, [_, ny, nz]) = (&self.points, self.n);
        let of_cell = |(c, (volume, weight)): (usize, (&mut f64, &mut [f64]))| {
            if cells.empty[c] {
                return;
            }
            let origin = DVec3::new((c / (ny * nz)) as f64, (c / nz % ny) as f64, (c % nz) as f64);
            for i in 0..line.len().pow(3) {
                let [x, y, z] = [i / line.len().pow(2), i / line.len() % line.len(), i % line.len()].map(|k| line[k]);
                let local = DVec3::new(x.0, y.0, z.0);
                if winding(triangles, cells.low + (origin + local) / scale).abs() > INSIDE {
                    *volume += x.1 * y.1 * z.1;
                    points.spread(local, x.1 * y.1 * z.1, weight);
                }
            }
        };
        let all = self.volume.par_iter_mut().zip(self.weight.par_chunks_exact_mut(n * n * n));
        all.enumerate().for_each(of_cell);
    }

    fn add(&mut self, t: Tetrahedron, sign: f64, at: [usize; 3]) {
        let cell = (at[0] * self.n[1] + at[1]) * self.n[2] + at[2];
        let volume = sign * volume_of(t).abs();
        if volume == 0.0 {
            return;
        }
        self.volume[cell] += volume;
        let n = self.points.at.len();
        let weight = &mut self.weight[cell * n * n * n..][..n * n * n];
        let origin = DVec3::new(at[0] as f64, at[1] as f64, at[2] as f64);
        let [first, a, b, c] = t.map(|p| p - origin);
        for ([u, v, w], share) in &self.rule {
            let p = first + (a - first) * *u + (b - first) * *v + (c - first) * *w;
            self.points.spread(p, volume * share, weight);
        }
    }
}

/// Cuts a tetrahedron at a plane across an axis into tetrahedra below and above.
fn cut(t: Tetrahedron, axis: usize, at: f64, below: &mut Vec<Tetrahedron>, above: &mut Vec<Tetrahedron>) {
    let mut corners = t;
    corners.sort_by(|a, b| a[axis].total_cmp(&b[axis]));
    let [a, b, c, d] = corners;
    let on = |p: DVec3, q: DVec3| {
        let mut x = p + (q - p) * ((at - p[axis]) / (q[axis] - p[axis]));
        x[axis] = at;
        x
    };
    match corners.iter().filter(|p| p[axis] <= at).count() {
        4 => below.push(t),
        0 => above.push(t),
        1 => {
            let cut = [on(a, b), on(a, c), on(a, d)];
            below.push([a, cut[0], cut[1], cut[2]]);
            above.extend(prism(cut, [b, c, d]));
        }
        3 => {
            let cut = [on(a, d), on(b, d), on(c, d)];
            above.push([d, cut[0], cut[1], cut[2]]);
            below.extend(prism(cut, [a, b, c]));
        }
        _ => {
            let [ac, ad, bc, bd] = [on(a, c), on(a, d), on(b, c), on(b, d)];
            below.extend(prism([a, ac, ad], [b, bc, bd]));
            above.extend(prism([c, ac, bc], [d, ad, bd]));
        }
    }
}

/// Tetrahedra of a prism between two triangles.
fn prism([a, b, c]: [DVec3; 3], [p, q, r]: [DVec3; 3]) -> [Tetrahedron; 3] {
    [[a, b, c, r], [a, b, r, q], [a, q, r, p]]
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const SURFACE: [i32; 12] = [0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3];

    fn total(cells: &Cells, fills: &[Fill], f: impl Fn(DVec3) -> f64) -> f64 {
        let points = Points::of(cells.order);
        let size = (cells.high - cells.low) / DVec3::from_array(cells.n.map(|n| n as f64));
        let [_, ny, nz] = cells.n;
        let mut sum = 0.0;
        for (c, fill) in fills.iter().enumerate() {
            let Fill::Partial(weights) = fill else { continue };
            let origin = DVec3::new((c / (ny * nz)) as f64, (c / nz % ny) as f64, (c % nz) as f64);
            for (i, w) in weights.iter().enumerate() {
                sum += w * size.element_product() * f(cells.low + (origin + DVec3::from_array(points.point(i))) * size);
            }
        }
        sum
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(16))]
        /// Integrals over the cells' parts of a tetrahedron are those over the whole, and its surface has the same.
        #[test]
        fn parts_have_the_integrals_of_the_whole(
            noise in prop::array::uniform12(-0.3..0.3f64), n in prop::array::uniform3(1..4i32), order in 1..3usize,
        ) {
            let mut corner = [DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z];
            corner.iter_mut().zip(noise.as_chunks::<3>().0).for_each(|(p, n)| *p += DVec3::from_array(*n));
            prop_assume!(volume_of(corner) > 0.02);
            let solid = Cells::of(n, order, 3, &corner, &[0, 1, 2, 3]).unwrap();
            let surface = Cells::of(n, order, 2, &corner, &SURFACE).unwrap();
            let all = [
                (solid.clone(), fills(&solid, 3, &corner, &[0, 1, 2, 3])),
                (surface.clone(), fills(&surface, 2, &corner, &SURFACE)),
            ];
            let volume = volume_of(corner);
            let mean = corner.iter().map(|p| p.x).sum::<f64>() / 4.0;
            let square = corner.iter().flat_map(|p| corner.iter().map(move |q| p.x * q.x)).sum::<f64>()
                + corner.iter().map(|p| p.x * p.x).sum::<f64>();
            for (cells, fills) in &all {
                prop_assume!(!fills.contains(&Fill::Full));
                prop_assert!((total(cells, fills, |_| 1.0) - volume).abs() < 1e-12);
                prop_assert!((total(cells, fills, |p| p.x) - mean * volume).abs() < 1e-12);
                prop_assert!((total(cells, fills, |p| p.x * p.x) - square * volume / 20.0).abs() < 1e-12);
            }
        }
    }

    #[test]
    fn a_surface_turned_inside_out_fills_the_same() {
        let corner = [DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z];
        let cells = Cells::of([2, 1, 1], 1, 2, &corner, &SURFACE).unwrap();
        let mut turned = SURFACE;
        turned.as_chunks_mut::<3>().0.iter_mut().for_each(|e| e.swap(0, 1));
        let sum = |s: &[i32]| total(&cells, &fills(&cells, 2, &corner, s), |_| 1.0);
        assert!((sum(&SURFACE) - 1.0 / 6.0).abs() < 1e-14);
        assert!((sum(&turned) - 1.0 / 6.0).abs() < 1e-14);
    }

    #[test]
    fn an_open_surface_fills_what_it_winds_around() {
        let corner = [DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z];
        let cells = Cells::of([1; 3], 2, 2, &corner, &SURFACE).unwrap();
        let filled = fills(&cells, 2, &corner, &SURFACE[..9]);
        let volume = total(&cells, &filled, |_| 1.0);
        assert!(volume > 0.02 && volume < 0.3, "{volume}");
    }
}

#[cfg(test)]
pub(super) mod tests_support {
    use super::*;

    /// Weights of the lower and of the upper half of a cell along x.
    pub fn halves(order: usize) -> [Vec<f64>; 2] {
        let points = Points::of(order);
        let mut out = [vec![0.0; points.at.len().pow(3)], vec![0.0; points.at.len().pow(3)]];
        for (half, out) in out.iter_mut().enumerate() {
            let line = gauss_legendre(2 * order + 1);
            for &(x, wx) in &line {
                for &(y, wy) in &line {
                    for &(z, wz) in &line {
                        points.spread(DVec3::new(0.5 * (x + half as f64), y, z), 0.5 * wx * wy * wz, out);
                    }
                }
            }
        }
        out
    }
}
