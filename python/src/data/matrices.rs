//! Matrices of the integrator and paths of tendons, in the form of the reference's arrays.

use crate::model::derived::derivative_rows;
use mj_dynamics::{PathObject, PathPoint, tendon_path};
use mj_engine::{Data, Model, PathMatrix, integrator_factor, velocity_derivative, velocity_factor};
use mj_math::TreePattern;

/// Returns the factor of the inertia with implicit forces, zeros if there is none.
pub fn factor(m: &Model, d: &Data) -> Vec<f64> {
    integrator_factor(m, d).map_or_else(|| vec![0.0; m.m_pattern.nnz()], |f| f.ld)
}

/// Returns the inverse diagonal of the factor of the inertia with implicit forces, zeros if there is none.
pub fn factor_diagonal(m: &Model, d: &Data) -> Vec<f64> {
    integrator_factor(m, d).map_or_else(|| vec![0.0; m.nv()], |f| f.dinv)
}

/// Place of the entry (i, j) in a pattern, with j an ancestor of i, or i itself.
fn place(pattern: &TreePattern, i: usize, j: usize) -> Option<usize> {
    pattern.row(i).find(|&k| pattern.colind[k] as usize == j)
}

/// Returns the entries of a matrix row by row: of each dof its ancestors, itself and its descendants. `scale` is what an
/// entry below the diagonal is multiplied with, by row.
fn entries(m: &Model, matrix: Option<PathMatrix>, scale: impl Fn(&PathMatrix, usize) -> f64) -> Vec<f64> {
    let rows = derivative_rows(m);
    let Some(a) = matrix else { return vec![0.0; rows.iter().map(Vec::len).sum()] };
    let entry = |i: usize, j: usize| {
        if j < i {
            place(a.pattern, i, j).map(|k| a.lower[k] * scale(&a, i))
        } else if i == j {
            place(a.pattern, i, i).map(|k| a.lower[k])
        } else {
            place(a.pattern, j, i).map(|k| a.upper[k])
        }
    };
    rows.iter()
        .enumerate()
        .flat_map(|(i, row)| row.iter().map(move |&j| (i, j)))
        .map(|(i, j)| entry(i, j).unwrap_or(0.0))
        .collect()
}

/// Returns the derivative of the smooth forces by velocity, zeros if there is none.
pub fn derivative(m: &Model, d: &Data) -> Vec<f64> {
    entries(m, velocity_derivative(m, d), |_, _| 1.0)
}

/// Returns the factors of M − h ∂f/∂v as one matrix: U above the diagonal, with ones on its own, and L.
pub fn derivative_factor(m: &Model, d: &Data) -> Vec<f64> {
    // The engine's factors have ones on both diagonals, and a diagonal matrix between them.
    entries(m, velocity_factor(m, d), |a, i| a.lower[a.pattern.diag(i)])
}

/// Paths of all tendons: how many points each has, and the points.
pub struct Paths {
    pub number: Vec<i32>,
    pub points: Vec<PathPoint>,
}

impl Paths {
    /// Finds the paths in the present poses.
    pub fn of(m: &Model, d: &Data) -> Self {
        let mut paths = Self { number: Vec::new(), points: Vec::new() };
        for t in m.tendon.ids() {
            let before = paths.points.len();
            tendon_path(m, &d.smooth.poses, t, &mut paths.points);
            paths.number.push((paths.points.len() - before) as i32);
        }
        paths
    }

    /// Address of each tendon's first point; zero for tendons without points.
    pub fn addresses(&self) -> Vec<i32> {
        let starts = crate::sparse::starts(&self.number);
        starts.into_iter().zip(&self.number).map(|(adr, &n)| if n == 0 { 0 } else { adr }).collect()
    }

    /// Objects of the points, two an entry of the model's paths: a geom, -1 for a site, -2 for a pulley.
    pub fn objects(&self, m: &Model) -> Vec<[i32; 2]> {
        let code = |p: &PathPoint| match p.on {
            PathObject::Site => -1,
            PathObject::Pulley => -2,
            PathObject::Geom(g) => g.index() as i32,
        };
        let mut out = vec![[0; 2]; m.wrap.len()];
        out.as_flattened_mut().iter_mut().zip(&self.points).for_each(|(to, p)| *to = code(p));
        out
    }

    /// Positions of the points, two an entry of the model's paths.
    pub fn positions(&self, m: &Model) -> Vec<[f64; 6]> {
        let mut out = vec![[0.0; 6]; m.wrap.len()];
        let (rows, _) = out.as_flattened_mut().as_chunks_mut::<3>();
        rows.iter_mut().zip(&self.points).for_each(|(to, p)| *to = p.pos.to_array());
        out
    }
}
