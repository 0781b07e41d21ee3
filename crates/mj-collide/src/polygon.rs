//! Convex polygons cut by half-planes (Sutherland and Hodgman 1974).

use mj_math::DVec3;

/// A rectangle about the origin of the x-y plane.
pub(crate) struct Rectangle {
    pub half_x: f64,
    pub half_y: f64,
}

/// A convex polygon of at most `N` corners.
#[derive(Clone)]
pub(crate) struct Polygon<const N: usize> {
    len: usize,
    points: [DVec3; N],
}

impl<const N: usize> Polygon<N> {
    /// The polygon with these corners, in order around it.
    pub(crate) fn from_points<const M: usize>(corners: [DVec3; M]) -> Self {
        let mut polygon = Self { len: 0, points: [DVec3::ZERO; N] };
        for corner in corners {
            polygon.push(corner);
        }
        polygon
    }

    /// The corners.
    pub(crate) fn points(&self) -> &[DVec3] {
        &self.points[..self.len]
    }

    /// Keeps what lies over a rectangle of the x-y plane; z rides along.
    pub(crate) fn clip(&mut self, window: &Rectangle) {
        self.keep_below(|p| p.x - window.half_x);
        self.keep_below(|p| -p.x - window.half_x);
        self.keep_below(|p| p.y - window.half_y);
        self.keep_below(|p| -p.y - window.half_y);
    }

    /// Appends a corner; beyond the capacity it is dropped.
    fn push(&mut self, point: DVec3) {
        if let Some(slot) = self.points.get_mut(self.len) {
            *slot = point;
            self.len += 1;
        }
    }

    /// Keeps the part where the affine function `height` is not positive.
    fn keep_below(&mut self, height: impl Fn(DVec3) -> f64) {
        if self.points().iter().all(|&p| height(p) <= 0.0) {
            return;
        }
        let before = std::mem::take(self);
        let corners = before.points();
        for (k, &p) in corners.iter().enumerate() {
            let q = corners[(k + 1) % corners.len()];
            let (hp, hq) = (height(p), height(q));
            if hp <= 0.0 {
                self.push(p);
            }
            if (hp < 0.0 && hq > 0.0) || (hp > 0.0 && hq < 0.0) {
                self.push(p + (q - p) * (hp / (hp - hq)));
            }
        }
    }
}

impl<const N: usize> Default for Polygon<N> {
    fn default() -> Self {
        Self::from_points([])
    }
}
