//! Planes of facets, distances from them, and centres in them.

use super::{Quickhull, Unsupported};
use mj_math::DVec3;

impl Quickhull<'_> {
    pub(super) fn at(&self, vertex: usize) -> DVec3 {
        self.points[self.vertices[vertex].point as usize]
    }

    /// How far a point is above a facet.
    pub(super) fn above(&self, point: DVec3, facet: usize) -> f64 {
        let f = &self.facets[facet];
        f.offset + point.x * f.normal.x + point.y * f.normal.y + point.z * f.normal.z
    }

    pub(super) fn point_above(&self, point: u32, facet: usize) -> f64 {
        self.above(self.points[point as usize], facet)
    }

    pub(super) fn vertex_above(&self, vertex: usize, facet: usize) -> f64 {
        self.point_above(self.vertices[vertex].point, facet)
    }

    /// Computes the plane of a triangle. It has the inside below it, or is wrong: then the answer is false.
    pub(super) fn set_plane(&mut self, facet: usize) -> Result<bool, Unsupported> {
        let f = &self.facets[facet];
        let rows = [0, 1, 2].map(|i| self.at(f.vertices[i]));
        let (a, b) = (rows[1] - rows[0], rows[2] - rows[0]);
        let mut normal = unit(b.cross(a), f.top)?;
        let mut offset = -(rows[0].x * normal.x + rows[0].y * normal.y + rows[0].z * normal.z);
        let off = |p: DVec3| offset + (p.x * normal.x + p.y * normal.y + p.z * normal.z);
        if rows[1..].iter().any(|&p| off(p).abs() > self.tolerance.round) {
            normal = self.eliminate(a, b, f.top)?;
            offset = -(rows[0].x * normal.x) - rows[0].y * normal.y - rows[0].z * normal.z;
        }
        let f = &mut self.facets[facet];
        (f.normal, f.offset, f.has_plane) = (normal, offset, true);
        Ok(self.above(self.inside, facet) < -self.tolerance.round)
    }

    /// The normal by elimination with pivots, for triangles where the cross product is too rough.
    fn eliminate(&self, a: DVec3, b: DVec3, top: bool) -> Result<DVec3, Unsupported> {
        let (mut p, mut q) = (a.to_array(), b.to_array());
        let mut negative = top;
        if q[0].abs() > p[0].abs() {
            std::mem::swap(&mut p, &mut q);
            negative = !negative;
        }
        let share = q[0] / p[0];
        let q = [q[0], q[1] - share * p[1], q[2] - share * p[2]];
        if p[0].abs() <= self.tolerance.pivot[0] || q[1].abs() <= self.tolerance.pivot[1] {
            return Err(Unsupported("a triangle without area"));
        }
        negative ^= (p[0] < 0.0) ^ (q[1] < 0.0);
        let z = if negative { -1.0 } else { 1.0 };
        let y = -(q[2] * z) / q[1];
        let x = (-(p[1] * y) - p[2] * z) / p[0];
        unit(DVec3::new(x, y, z), true)
    }

    /// The mean of a facet's vertices, brought into its plane.
    pub(super) fn centre(&mut self, facet: usize) -> DVec3 {
        if let Some(centre) = self.facets[facet].centre {
            return centre;
        }
        let f = &self.facets[facet];
        let sum: DVec3 = f.vertices.iter().fold(DVec3::ZERO, |sum, &v| sum + self.at(v));
        let mean = sum / f.vertices.len() as f64;
        let centre = mean - self.above(mean, facet) * f.normal;
        self.facets[facet].centre = Some(centre);
        centre
    }
}

fn unit(v: DVec3, keep: bool) -> Result<DVec3, Unsupported> {
    let length = (v.x * v.x + v.y * v.y + v.z * v.z).sqrt();
    if length < f64::MIN_POSITIVE * 1e3 {
        return Err(Unsupported("a triangle without area"));
    }
    Ok(v / if keep { length } else { -length })
}
