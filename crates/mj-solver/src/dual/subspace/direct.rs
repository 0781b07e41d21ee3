//! The minimum over a face by a Cholesky factor of its Hessian Tᵀ(A + R)T, with the curvature of cones; T unfolds the
//! coordinates of the face.

use super::face::{Face, Motion};
use crate::dual::delassus::Delassus;
use crate::dual::unit::DualUnit;
use crate::dual::whitened::add;
use mj_math::dense;
use mj_math::simd::Simd;
use mj_problem::Bound;

/// A coordinate of the face: the row of a force that moves, and with it `slope` times the normal force of its cone.
#[derive(Clone, Copy, Debug)]
struct Coordinate {
    row: u32,
    normal: u32,
    slope: f64,
}

/// The Hessian of a face, then its factor.
#[derive(Clone, Debug, Default)]
pub struct FaceFactor {
    coordinates: Vec<Coordinate>,
    hessian: Vec<f64>,
    row: Vec<[f64; 4]>,
    x: Vec<f64>,
}

impl FaceFactor {
    /// Finds the step to the minimum over the face; returns whether there is one.
    #[inline(always)]
    pub fn solve<P: Simd>(&mut self, face: &mut Face, a: &Delassus, r: &[f64], units: &[DualUnit]) -> bool {
        self.number(face, units);
        let n = self.coordinates.len();
        self.hessian.resize(n * n, 0.0);
        self.x.clear();
        for (i, c) in self.coordinates.iter().enumerate() {
            let (at, normal) = (c.row as usize, c.normal as usize);
            self.row.clear();
            self.row.extend_from_slice(a.row(at));
            self.row.as_flattened_mut()[at] += r[at];
            if c.slope != 0.0 {
                self.row.iter_mut().zip(a.row(normal)).for_each(|(y, a)| add::<P>(y, c.slope, a));
                self.row.as_flattened_mut()[normal] += c.slope * r[normal];
            }
            let row = self.row.as_flattened();
            let hessian = &mut self.hessian[i * n..i * n + i + 1];
            for (h, c) in hessian.iter_mut().zip(&self.coordinates) {
                *h = row[c.row as usize] + c.slope * row[c.normal as usize];
            }
            self.x.push(-(face.gradient[at] + c.slope * face.gradient[normal]));
        }
        self.bend(face, units);
        if n == 0 || dense::cholesky(&mut self.hessian, n) > 0 {
            return false;
        }
        dense::cholesky_solve(&self.hessian, n, &mut self.x);
        for (c, x) in self.coordinates.iter().zip(&self.x) {
            face.x[c.row as usize] = *x;
        }
        true
    }

    /// Numbers the coordinates.
    fn number(&mut self, face: &Face, units: &[DualUnit]) {
        self.coordinates.clear();
        for (u, motion) in units.iter().zip(&face.motion) {
            let rows = u.row..u.row + u.nrow;
            match motion {
                Motion::Held => {}
                Motion::Free => {
                    self.coordinates.extend(rows.map(|row| Coordinate { row, normal: row, slope: 0.0 }));
                }
                Motion::Boundary(_) => {
                    let along = |row| Coordinate { row, normal: u.row, slope: face.tangent[row as usize] };
                    self.coordinates.extend(rows.skip(1).map(along));
                }
            }
        }
    }

    /// Adds the curvature of cones, λ (I − t̂t̂ᵀ)/‖t‖ in t = q/μ.
    fn bend(&mut self, face: &Face, units: &[DualUnit]) {
        let n = self.coordinates.len();
        let mut first = 0;
        for (u, motion) in units.iter().zip(&face.motion) {
            match (motion, &u.bound) {
                (Motion::Boundary(curvature), Bound::Cone { friction, .. }) => {
                    let count = u.dim() - 1;
                    for i in 0..count {
                        let w = self.coordinates[first + i].slope;
                        let row = &mut self.hessian[(first + i) * n + first..][..i + 1];
                        for (h, c) in row.iter_mut().zip(&self.coordinates[first..]) {
                            *h -= curvature * w * c.slope;
                        }
                        row[i] += curvature / (friction[i] * friction[i]);
                    }
                    first += count;
                }
                (Motion::Held, _) => {}
                _ => first += u.dim(),
            }
        }
    }
}
