//! Where a hull starts: how exact its coordinates are, and a large simplex among the points.

use super::Unsupported;
use mj_math::DVec3;

/// Distances that count as none, from the size of the coordinates.
#[derive(Clone, Debug)]
pub(super) struct Tolerance {
    /// Rounding error of a point's distance from a plane.
    pub round: f64,
    /// A centre that is nearer than this to a neighbour's plane is in it. Facets that a point is farther above than
    /// this are visible from it; those that it is less far above or below are in one plane with it.
    pub flat: f64,
    /// Points are outside if they are this far above.
    pub outside: f64,
    /// Centres stay where they are from merges wider than this on.
    pub wide: f64,
    /// How far a vertex may be from its facet after one merge.
    pub merge: f64,
    /// Points that are not farther below than this are kept in mind.
    pub inside: f64,
    /// Pivots of an elimination, by column, that may be nothing but rounding.
    pub pivot: [f64; 3],
}

impl Tolerance {
    /// How far above its facet a point may be that is dropped, if one was `outmost` above.
    pub fn widest(&self, outmost: f64) -> f64 {
        outmost.max(self.merge + self.round).max(self.outside)
    }
}

/// The points' extent.
pub(super) struct Extent {
    pub tolerance: Tolerance,
    /// The largest of the three widths.
    width: f64,
    /// The points with the least and the greatest x, y and z.
    extremes: [u32; 6],
}

impl Extent {
    pub fn of(points: &[DVec3]) -> Self {
        let (mut largest, mut width, mut sum) = (0.0f64, f64::NEG_INFINITY, 0.0);
        let mut pivot = [0.0; 3];
        let mut extremes = [0; 6];
        for k in 0..3 {
            let (mut least, mut most) = (0, 0);
            for (i, p) in points.iter().enumerate() {
                if points[most][k] < p[k] {
                    most = i;
                } else if points[least][k] > p[k] {
                    least = i;
                }
            }
            let (low, high) = (points[least][k], points[most][k]);
            let size = high.max(-low);
            width = width.max(high - low);
            largest = largest.max(size);
            sum += size;
            pivot[k] = 80.0 * sum * f64::EPSILON;
            extremes[2 * k] = least as u32;
            extremes[2 * k + 1] = most as u32;
        }
        // The error of a scalar product (Golub and van Loan, "Matrix computations", sec. 2.4), and of the offset.
        let reach = (3.0f64.sqrt() * largest).min(sum);
        let round = f64::EPSILON * (3.0 * reach * 1.01 + largest);
        let flat = 2.0 * round;
        let merge = 3.0 * flat + round;
        let tolerance =
            Tolerance { round, flat, outside: 2.0 * flat, wide: 6.0 * flat, merge, inside: 5.0 * merge, pivot };
        Self { tolerance, width, extremes }
    }

    /// Four points far from each other: the ends in x, and twice the point that gives the greatest area (seen along z)
    /// and volume, from the extremes or, if those are thin, from all.
    pub fn simplex(&self, points: &[DVec3]) -> Result<Vec<u32>, Unsupported> {
        let by_x = |better: fn(f64, f64) -> bool| {
            (self.extremes.iter().copied())
                .reduce(|a, b| if better(points[b as usize].x, points[a as usize].x) { b } else { a })
                .unwrap_or(0)
        };
        let (least, most) = (by_x(|b, a| b < a), by_x(|b, a| b > a));
        if least == most {
            return Err(Unsupported("all points have one x"));
        }
        let mut simplex = vec![least, most];
        let mut size = points[most as usize].x - points[least as usize].x;
        while simplex.len() < 4 {
            let aim = size * self.width;
            let small = 10.0 * THIN * aim;
            let nothing = 10.0 * self.tolerance.pivot[simplex.len() - 1];
            let mut best: Option<u32> = None;
            size = -1.0;
            for &p in &self.extremes {
                let found = content(points, p, &simplex).abs();
                if !simplex.contains(&p) && found > size {
                    (best, size) = (Some(p), found);
                }
            }
            if best.is_none() || size < nothing || size > 0.0 && size / aim < THIN {
                for p in 0..points.len() as u32 {
                    if self.extremes.contains(&p) || simplex.contains(&p) {
                        continue;
                    }
                    let found = content(points, p, &simplex).abs();
                    if found > size {
                        (best, size) = (Some(p), found);
                        if found >= nothing && found > small {
                            break;
                        }
                    }
                }
            }
            simplex.push(best.ok_or(Unsupported("no simplex"))?);
        }
        Ok(simplex)
    }
}

/// Simplices smaller than this share of what the width promises are thin.
const THIN: f64 = 1e-3;

/// Twice the area of a triangle, seen along z, or six times the volume of a tetrahedron.
fn content(points: &[DVec3], apex: u32, others: &[u32]) -> f64 {
    let apex = points[apex as usize];
    let row = |i: usize| points[others[i] as usize] - apex;
    let det2 = |a: f64, b: f64, c: f64, d: f64| a * d - b * c;
    let (a, b) = (row(0), row(1));
    if others.len() == 2 {
        return det2(a.x, a.y, b.x, b.y);
    }
    let c = row(2);
    a.x * det2(b.y, b.z, c.y, c.z) - b.x * det2(a.y, a.z, c.y, c.z) + c.x * det2(a.y, a.z, b.y, b.z)
}
