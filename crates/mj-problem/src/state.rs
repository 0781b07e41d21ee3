//! Zones of the cost of constraint rows.

/// Zone of a constraint row's cost (`mjtConstraintState`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(i32)]
pub enum ConstraintState {
    /// No force: the row is satisfied.
    #[default]
    Satisfied = 0,
    /// Quadratic cost: the force is proportional to the violation.
    Quadratic = 1,
    /// Linear cost of friction loss, with the greatest positive force.
    LinearNeg = 2,
    /// Linear cost of friction loss, with the greatest negative force.
    LinearPos = 3,
    /// The force lies on the surface of an elliptic friction cone.
    Cone = 4,
}

impl ConstraintState {
    /// Returns the reference's integer code.
    #[inline]
    pub const fn code(self) -> i32 {
        self as i32
    }

    /// Returns the share of D in the curvature of a row: 1 in the quadratic zone, else 0, as a number, since branches that
    /// can't be predicted cost more.
    #[inline(always)]
    pub fn quadratic_share(self) -> f64 {
        f64::from(u8::from(self == Self::Quadratic))
    }

    /// Returns the name of the zone, in lower case.
    pub const fn keyword(self) -> &'static str {
        match self {
            Self::Satisfied => "satisfied",
            Self::Quadratic => "quadratic",
            Self::LinearNeg => "linear_negative",
            Self::LinearPos => "linear_positive",
            Self::Cone => "cone",
        }
    }
}
