//! Settings of the pipeline.

use mj_contact_space::Equality;

/// Rule by which positions follow from velocities (2013, section 2.3).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Integrator {
    /// q' = q ⊕ h v.
    Explicit,
    /// q' = q ⊕ h (v + v')/2.
    Midpoint,
    /// q' = q ⊕ h v'.
    #[default]
    SemiImplicit,
    /// Runge-Kutta's method on everything, with (v' − v)/h as acceleration.
    Rk4,
    /// Runge-Kutta's method on the smooth dynamics; impulses once, at the end of the step.
    Interleaved,
}

impl Integrator {
    /// All of them, by the names that the command and the Python package have for them.
    pub const BY_NAME: [(&'static str, Self); 5] = [
        ("explicit", Self::Explicit),
        ("midpoint", Self::Midpoint),
        ("semi-implicit", Self::SemiImplicit),
        ("rk4", Self::Rk4),
        ("interleaved", Self::Interleaved),
    ];
}

/// Rule by which the desired velocity at the end of the step follows from a violation e and its rate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Stabilization {
    /// The exact solution of ë + 2ω ė + ω² e = 0 after one step, with 1/ω given (2013, section 2.5.1);
    /// 0: all of the error within the step.
    Critical {
        /// 1/ω of equality constraints, s.
        equality: f64,
        /// 1/ω of limits and contacts, s.
        inequality: f64,
    },
    /// ė − h B ė − h K e with B = 2 (1 + ε)/κ and K = (1 + ε)/κ² (2014, equations 24 and 28).
    ProportionalDerivative,
    /// ė − h B ė − h K e with the matrices that make all rows together critically damped, where the diagonal ones do so for each
    /// row alone: A R⁻¹ B = 2/κ (I + A R⁻¹) and A R⁻¹ K = 1/κ² (I + A R⁻¹) (2014, end of section V). Along what A cannot move
    /// they are zero.
    Coupled,
}

/// Impulses that don't know the control forces, which act on a heavier inertia afterwards (2012,
/// section II.G): M + w_E J_EᵀJ_E + w_C JᵀJ.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PostHoc {
    /// w_E, of the equality rows.
    pub equality: f64,
    /// w_C, of all other rows.
    pub contact: f64,
}

/// All settings; the timestep, gravity and the like are the model's.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// Rule by which positions follow from velocities.
    pub integrator: Integrator,
    /// Whether equality constraints hold exactly, or with the regularization of their rows.
    pub equality: Equality,
    /// λ of 2013, the weight of soft equality constraints; none: R_E from ε (2014).
    pub lambda: Option<f64>,
    /// Rule by which violations decay.
    pub stabilization: Stabilization,
    /// ε: regularization of each row, relative to its inverse inertia (2014, equation 27).
    pub epsilon: f64,
    /// κ: time constant of the decay, s.
    pub kappa: f64,
    /// Least regularization.
    pub r_min: f64,
    /// Greatest number of Gauss-Seidel sweeps.
    pub iterations: u32,
    /// Sweeps stop when no force changes by more than this share of the greatest.
    pub tolerance: f64,
    /// Control forces act after the impulses.
    pub post_hoc: Option<PostHoc>,
    /// w of the penetration cost q(v) = w/2 Σ min(0, v_N)² of velocities below the recommended ones along the normals
    /// (2012, equation 6), kg; 0: none.
    pub penetration: f64,
}

impl Default for Options {
    /// The settings of 2014 with stiff contacts: ε = 0.01, κ = 20 ms, 50 sweeps.
    fn default() -> Self {
        Self {
            integrator: Integrator::SemiImplicit,
            equality: Equality::Soft,
            lambda: None,
            stabilization: Stabilization::ProportionalDerivative,
            epsilon: 0.01,
            kappa: 0.02,
            r_min: 1e-10,
            iterations: 50,
            tolerance: 1e-9,
            post_hoc: None,
            penetration: 0.0,
        }
    }
}
