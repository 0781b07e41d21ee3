//! Options of a narrow-phase call.

/// An algorithm for the pairs without a closed form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum CcdAlgorithm {
    /// GJK where the shapes are apart, the expanding polytope where they overlap; several contacts from clipping.
    #[default]
    GjkEpa,
    /// Portal refinement, the method of MuJoCo's earlier releases: less accurate for deep contacts; several contacts
    /// from turning the shapes.
    Portal,
}

/// How the general convex routine iterates.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CcdOptions {
    /// Precision, in metres.
    pub tolerance: f64,
    /// Largest number of steps; of the search for a depth, where a distance is asked for, four times as many.
    pub iterations: usize,
    /// Whether faces and edges that lie against each other give several contacts.
    pub multi_contact: bool,
    /// Algorithm that finds contacts; distances are GJK's in any case.
    pub algorithm: CcdAlgorithm,
}

impl Default for CcdOptions {
    fn default() -> Self {
        Self { tolerance: 1e-6, iterations: 35, multi_contact: true, algorithm: CcdAlgorithm::GjkEpa }
    }
}

/// How collisions of signed distance fields search for contacts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SdfOptions {
    /// Most steps of gradient descent from one starting point.
    pub iterations: usize,
    /// Number of starting points.
    pub initpoints: usize,
}

impl Default for SdfOptions {
    fn default() -> Self {
        Self { iterations: 10, initpoints: 40 }
    }
}

/// The parameters of a narrow-phase call.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Query {
    /// Contacts are wanted where the surfaces are nearer than this; may be negative.
    pub margin: f64,
    /// For the pairs without a closed form.
    pub ccd: CcdOptions,
    /// For signed distance fields.
    pub sdf: SdfOptions,
}

impl Query {
    /// A query with this margin and the usual precision.
    pub fn with_margin(margin: f64) -> Self {
        Self { margin, ..Self::default() }
    }
}
