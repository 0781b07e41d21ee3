//! Flexcomps on the surface of a box, cylinder or ellipsoid: as a surface that is open at the top, or filled with
//! tetrahedra from the centre.

use super::grid::counts;
use super::points::Points;
use mj_math::DVec3;
use mj_model::FlexcompType;
use mj_model::spec::Flexcomp;

/// Makes the points and elements of a surface.
pub(super) fn hull(f: &Flexcomp, textured: bool) -> Result<Points, String> {
    let n = counts(f);
    if n.iter().any(|&n| n < 2) {
        return Err("`count` must be at least 2 along each axis".into());
    }
    let mut grid =
        Grid { f, n, open: f.dim == 2, first: 0, id: vec![-1; n[0] * n[1] * n[2]], out: Points::of_dim(f.dim) };
    if f.dim == 3 {
        grid.out.point.push(DVec3::ZERO);
        grid.first = 1;
        if textured {
            grid.out.texcoord.extend([0.0, 0.0]);
        }
    }
    grid.points(textured);
    grid.elements();
    Ok(grid.out)
}

struct Grid<'a> {
    f: &'a Flexcomp,
    n: [usize; 3],
    /// Whether the top is left out.
    open: bool,
    /// Points before those of the surface.
    first: i32,
    /// Points of the surface by their place in the grid; −1: none.
    id: Vec<i32>,
    out: Points,
}

impl Grid<'_> {
    fn at(&self, p: [usize; 3]) -> usize {
        (p[0] * self.n[1] + p[1]) * self.n[2] + p[2]
    }

    fn ends(&self, axis: usize) -> [usize; 2] {
        [0, self.n[axis] - 1]
    }

    /// Adds a point, unless it is there.
    fn point(&mut self, p: [usize; 3], along: [usize; 2], textured: bool) {
        let at = self.at(p);
        if self.id[at] >= 0 {
            return;
        }
        self.id[at] = self.out.point.len() as i32;
        self.out.point.push(self.project(p));
        if textured {
            let share = |axis: usize| p[axis] as f32 / (self.n[axis] - 1).max(1) as f32;
            self.out.texcoord.extend(along.map(share));
        }
    }

    /// Adds the points of the bottom and top, then of the sides along y, then along x.
    fn points(&mut self, textured: bool) {
        let [nx, ny, nz] = self.n;
        for iz in self.ends(2) {
            if self.open && iz > 0 {
                continue;
            }
            for ix in 0..nx {
                (0..ny).for_each(|iy| self.point([ix, iy, iz], [0, 1], textured));
            }
        }
        for iy in self.ends(1) {
            for ix in 0..nx {
                (0..nz).for_each(|iz| self.point([ix, iy, iz], [0, 2], textured));
            }
        }
        for ix in self.ends(0) {
            for iy in 0..ny {
                (0..nz).for_each(|iz| self.point([ix, iy, iz], [1, 2], textured));
            }
        }
    }

    /// Where a place of the grid lies on the surface.
    fn project(&self, p: [usize; 3]) -> DVec3 {
        let unit = |k: usize| 2.0 * p[k] as f64 / (self.n[k] as f64 - 1.0) - 1.0;
        let half = |k: usize| 0.5 * self.f.spacing[k] * (self.n[k] as f64 - 1.0);
        let (at, half) = (DVec3::from_array([0, 1, 2].map(unit)), DVec3::from_array([0, 1, 2].map(half)));
        match self.f.r#type {
            FlexcompType::Cylinder => {
                let reach = at.x.abs().max(at.y.abs());
                let flat = at.truncate().try_normalize().unwrap_or(mj_math::DVec2::X) * reach;
                flat.extend(at.z) * half
            }
            FlexcompType::Ellipsoid => at.try_normalize().unwrap_or(DVec3::X) * half,
            _ => at * half,
        }
    }

    /// Adds the elements over one face of a cell, whose corners go around it; the diagonal is from the first.
    fn face(&mut self, corners: [[usize; 3]; 4], inward: bool) {
        let [a, b, c, d] = corners.map(|p| self.id[self.at(p)]);
        match (self.first, inward) {
            (1, _) => self.out.element.extend([0, a, b, c, 0, a, d, c]),
            (_, true) => self.out.element.extend([a, c, b, a, d, c]),
            (_, false) => self.out.element.extend([a, b, c, a, c, d]),
        }
    }

    fn elements(&mut self) {
        let [nx, ny, nz] = self.n.map(|n| n - 1);
        // Triangles are counter-clockwise seen from outside.
        let solid = self.first == 1;
        let ends = |i: usize, forward: bool| if forward || solid { (i, i + 1) } else { (i + 1, i) };
        for iz in self.ends(2) {
            if self.open && iz > 0 {
                continue;
            }
            for ix in 0..nx {
                for iy in 0..ny {
                    let corners = [[ix, iy, iz], [ix + 1, iy, iz], [ix + 1, iy + 1, iz], [ix, iy + 1, iz]];
                    self.face(corners, true);
                }
            }
        }
        for iy in self.ends(1) {
            for ix in 0..nx {
                let (p, q) = ends(ix, iy == 0);
                (0..nz).for_each(|z| self.face([[p, iy, z], [q, iy, z], [q, iy, z + 1], [p, iy, z + 1]], false));
            }
        }
        for ix in self.ends(0) {
            for iy in 0..ny {
                let (p, q) = ends(iy, ix > 0);
                (0..nz).for_each(|z| self.face([[ix, p, z], [ix, q, z], [ix, q, z + 1], [ix, p, z + 1]], false));
            }
        }
    }
}
