//! By how much what stands at a place of the tree is larger and heavier than it is written.

use mj_math::{DMat3, DQuat, DVec3, quat};
use mj_model::Scaling;
use mj_model::spec::Frame;

/// Sine of the angle within which directions count as one, about 2 degrees; and the share within which factors count as
/// equal.
const NEAR: f64 = 0.0349;

/// The linear map of points, in local coordinates.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum ScaleMap {
    /// One factor in all directions.
    Uniform(f64),
    /// Another matrix.
    Matrix(DMat3),
}

impl ScaleMap {
    pub fn matrix(self) -> DMat3 {
        match self {
            Self::Uniform(s) => DMat3::from_diagonal(DVec3::splat(s)),
            Self::Matrix(m) => m,
        }
    }

    /// Where a point or vector goes.
    pub fn apply(self, v: DVec3) -> DVec3 {
        match self {
            Self::Uniform(s) => s * v,
            Self::Matrix(m) => m * v,
        }
    }

    /// This map after another one, in the same coordinates.
    fn after(self, first: Self) -> Self {
        match (self, first) {
            (Self::Uniform(a), Self::Uniform(b)) => Self::Uniform(a * b),
            (Self::Uniform(a), Self::Matrix(b)) => Self::Matrix(a * b),
            (Self::Matrix(a), Self::Uniform(b)) => Self::Matrix(b * a),
            (Self::Matrix(a), Self::Matrix(b)) => Self::Matrix(a * b),
        }
    }

    /// Returns the map in rotated coordinates.
    pub fn turned(self, q: DQuat) -> Self {
        match self {
            Self::Matrix(m) if q != DQuat::IDENTITY => {
                let turn = quat::to_mat_compiling(q);
                Self::Matrix(turn.transpose() * m * turn)
            }
            same => same,
        }
    }

    /// The map back.
    fn inverse(self) -> Self {
        match self {
            Self::Uniform(s) => Self::Uniform(1.0 / s),
            Self::Matrix(m) => Self::Matrix(m.inverse()),
        }
    }

    /// Factor of lengths along a unit vector.
    pub fn along(self, axis: DVec3) -> f64 {
        match self {
            Self::Uniform(s) => s,
            Self::Matrix(m) => (m * axis).length(),
        }
    }

    /// Factors along the three axes.
    pub fn axes(self) -> DVec3 {
        DVec3::from_array(DVec3::AXES.map(|a| self.along(a)))
    }

    /// Whether a unit vector keeps its direction, nearly.
    pub fn keeps(self, axis: DVec3) -> bool {
        match self {
            Self::Uniform(_) => true,
            Self::Matrix(m) => {
                let v = m * axis;
                v.reject_from_normalized(axis).length() <= NEAR * v.length()
            }
        }
    }
}

/// Whether two factors are the same, nearly.
pub(super) fn alike(a: f64, b: f64) -> bool {
    (a - b).abs() <= NEAR * a.max(b)
}

/// By how much what stands at a place is larger and heavier than it is written. Lengths and masses change with every
/// frame around it; the units of forces, stiffnesses and gains with those that change all units alike.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Scales {
    /// Map of points and vectors, in local coordinates.
    pub map: ScaleMap,
    /// Factor of volumes.
    pub volume: f64,
    /// Factor of masses.
    pub mass: f64,
    /// Factor of densities: kept apart, so that they stay the same to the bit where masses grow with volumes.
    pub density: f64,
    /// Factor of the unit of length in forces and the like.
    unit_length: f64,
    /// Factor of the unit of mass in forces and the like.
    unit_mass: f64,
}

impl Scales {
    pub const ONE: Self =
        Self { map: ScaleMap::Uniform(1.0), volume: 1.0, mass: 1.0, density: 1.0, unit_length: 1.0, unit_mass: 1.0 };

    /// Returns the scales in a frame that stands where these hold and is rotated.
    pub fn inside(self, f: &Frame, turn: DQuat) -> Self {
        let s = f.scale;
        let uniform = s.x == s.y && s.y == s.z;
        let own = if uniform { ScaleMap::Uniform(s.x) } else { ScaleMap::Matrix(DMat3::from_diagonal(s)) };
        let volume = s.element_product();
        let mass = if f.massscale == 0.0 { volume } else { f.massscale };
        let similar = f.scaling == Scaling::Similar;
        Self {
            map: self.map.turned(turn).after(own),
            volume: self.volume * volume,
            mass: self.mass * mass,
            density: self.density * if f.massscale == 0.0 { 1.0 } else { mass / volume },
            unit_length: self.unit_length * if similar { s.x } else { 1.0 },
            unit_mass: self.unit_mass * if similar { mass } else { 1.0 },
        }
    }

    /// Returns the scales in rotated coordinates.
    pub fn turned(self, q: DQuat) -> Self {
        Self { map: self.map.turned(q), ..self }
    }

    /// The scales that undo these.
    pub fn inverse(self) -> Self {
        Self {
            map: self.map.inverse(),
            volume: 1.0 / self.volume,
            mass: 1.0 / self.mass,
            density: 1.0 / self.density,
            unit_length: 1.0 / self.unit_length,
            unit_mass: 1.0 / self.unit_mass,
        }
    }

    /// Factor of lengths without direction: the geometric mean of those along the axes.
    pub fn length(self) -> f64 {
        match self.map {
            ScaleMap::Uniform(s) => s,
            ScaleMap::Matrix(_) => self.volume.cbrt(),
        }
    }

    /// Factor of densities on surfaces, mass by area.
    pub fn surface_density(self) -> f64 {
        self.mass / (self.length() * self.length())
    }

    /// Factor of forces.
    pub fn force(self) -> f64 {
        self.unit_mass * self.unit_length
    }

    /// Factor of torques.
    pub fn torque(self) -> f64 {
        self.force() * self.unit_length
    }

    /// Factor of pressures.
    pub fn pressure(self) -> f64 {
        self.unit_mass / self.unit_length
    }

    /// Whether the units of forces and the like are the written ones.
    pub fn keeps_units(self) -> bool {
        self.unit_length == 1.0 && self.unit_mass == 1.0
    }

    /// How a coordinate that is an angle changes, with its force.
    pub fn angle(self) -> Measure {
        Measure { coordinate: 1.0, unit: 1.0, force: self.torque() }
    }

    /// How a coordinate that is a length changes, with its force; lengths grow by a factor.
    pub fn distance(self, factor: f64) -> Measure {
        Measure { coordinate: factor, unit: self.unit_length, force: self.force() }
    }

    /// Mass and inertia about the centre of mass (kg m²) of a body that is mapped with all its mass. A map F takes the
    /// second moment S = ½ tr(I) 1 − I to F S Fᵀ, and I follows as tr(S) 1 − S.
    pub fn inertia(self, inertia: DMat3) -> DMat3 {
        match self.map {
            ScaleMap::Uniform(s) => inertia * (self.mass * s * s),
            ScaleMap::Matrix(f) => {
                let trace = |m: DMat3| m.x_axis.x + m.y_axis.y + m.z_axis.z;
                let scaled = |x: f64| DMat3::from_diagonal(DVec3::splat(x));
                let second = self.mass * (f * (scaled(0.5 * trace(inertia)) - inertia) * f.transpose());
                scaled(trace(second)) - second
            }
        }
    }
}

/// Factors of a coordinate and what goes with it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Measure {
    /// Scale of the coordinate itself.
    pub coordinate: f64,
    /// Scale of its unit in stiffnesses and the like.
    pub unit: f64,
    /// Scale of the force along it.
    pub force: f64,
}

impl Measure {
    pub const ONE: Self = Self { coordinate: 1.0, unit: 1.0, force: 1.0 };

    /// Rescales coefficients of force by coordinate: linear, quadratic, cubic. Those by velocity change alike, since
    /// times stay.
    pub fn coefficients(self, c: &mut [f64; 3]) {
        for (c, power) in c.iter_mut().zip(1..) {
            *c *= self.force / self.unit.powi(power);
        }
    }
}

/// Geometric mean.
pub(super) fn mean(a: f64, b: f64) -> f64 {
    if a == b { a } else { (a * b).sqrt() }
}

/// A number of single precision, scaled.
pub(super) fn scaled(x: f32, factor: f64) -> f32 {
    (f64::from(x) * factor) as f32
}
