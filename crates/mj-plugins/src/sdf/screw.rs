//! Bolt and nut: hexagons of width 1 with threads of 12 turns a metre.

use super::form::{by_columns, positive, shape, triangle_wave};
use mj_math::{DVec3, real};
use mj_model::plugin::{PluginType, SdfPlugin};
use std::f64::consts::{FRAC_1_SQRT_2, FRAC_PI_2, PI};

/// Turns of the thread, 1/m.
const TURNS: f64 = 12.0;
/// Sides of the head in a radian.
const SIDES: f64 = 6.0 / PI / 2.0;

/// Radius of the thread of a bolt.
#[derive(Debug)]
struct Bolt(f64);

/// Radius of the thread of a nut.
#[derive(Debug)]
struct Nut(f64);

pub(super) fn bolt() -> PluginType {
    shape("mujoco.sdf.bolt", [("radius", 0.26)], |[radius]| positive("radius", radius).map(Bolt))
}

pub(super) fn nut() -> PluginType {
    shape("mujoco.sdf.nut", [("radius", 0.26)], |[radius]| positive("radius", radius).map(Nut))
}

/// A line along z.
struct Column {
    /// Distance from a cylinder about the axis.
    out: f64,
    /// Part of a turn about the axis.
    turn: f64,
    /// Distance from the nearest side of a hexagon.
    side: f64,
}

impl Column {
    fn new(x: f64, y: f64, radius: f64) -> Self {
        let azimuth = real::atan2(y, x);
        // Turned so that the nearest side of the hexagon is ahead.
        let angle = -(azimuth * SIDES + 0.5).floor() / SIDES;
        let ahead = real::sin(angle + FRAC_PI_2) * x - real::sin(angle) * y;
        Self { out: (x * x + y * y).sqrt() - radius, turn: azimuth / PI / 2.0, side: ahead - 0.5 }
    }

    /// Thread: a triangle wave that goes up with the azimuth.
    fn thread(&self, z: f64) -> f64 {
        (self.out - triangle_wave(z * TURNS - self.turn) / TURNS) * FRAC_1_SQRT_2
    }

    /// Cone about the axis with a right angle.
    fn cone(&self, z: f64) -> f64 {
        (z - self.out) * FRAC_1_SQRT_2
    }

    /// Hexagonal head, half a metre high, rounded by a cone.
    fn head(&self, z: f64) -> f64 {
        self.side.max((z + 0.25).abs() - 0.25).max((z + self.out - 0.22) * FRAC_1_SQRT_2)
    }

    fn bolt(&self, z: f64) -> f64 {
        let clipped = self.thread(z).max(-(0.5 - (z + 0.5).abs())).max(-(self.cone(z) + 1.0 * FRAC_1_SQRT_2));
        clipped.min(self.head(z))
    }

    fn nut(&self, z: f64) -> f64 {
        let hole = self.thread(z).max(-(self.cone(z) + 0.5 * FRAC_1_SQRT_2));
        let hole = hole.min(-self.cone(z) - 0.05 * FRAC_1_SQRT_2);
        self.head(z).max(-hole)
    }
}

impl SdfPlugin for Bolt {
    fn distance(&self, p: DVec3) -> f64 {
        Column::new(p.x, p.y, self.0).bolt(p.z)
    }

    fn bounds(&self) -> DVec3 {
        DVec3::new(0.6, 0.6, 1.0)
    }

    fn distance_gradient(&self, p: DVec3) -> (f64, DVec3) {
        by_columns(p, |x, y| Column::new(x, y, self.0), Column::bolt)
    }
}

impl SdfPlugin for Nut {
    fn distance(&self, p: DVec3) -> f64 {
        Column::new(p.x, p.y, self.0).nut(p.z)
    }

    fn bounds(&self) -> DVec3 {
        DVec3::new(0.6, 0.6, 1.0)
    }

    fn distance_gradient(&self, p: DVec3) -> (f64, DVec3) {
        by_columns(p, |x, y| Column::new(x, y, self.0), Column::nut)
    }
}
