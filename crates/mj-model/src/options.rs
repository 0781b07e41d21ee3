//! Physics options and model statistics, with the reference's names and defaults.

use crate::enums::*;
use crate::storage::{Buffer, Column, FieldError, Rows, set_column};
use mj_math::DVec3;

/// A value did not fit an option.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum OptionError {
    /// No option has this name.
    #[error("unknown option `{0}`; the options are {1}")]
    Unknown(String, String),
    /// The value is not one number, or not a code of the enum.
    #[error("option `{name}` takes {expected}, not `{value}`")]
    Value {
        /// Option.
        name: String,
        /// Values that it takes.
        expected: &'static str,
        /// Value that was given.
        value: String,
    },
}

/// How an option is read from text: numbers separated by spaces or commas, enums by their code.
trait OptionValue: Sized {
    const EXPECTED: &'static str;
    fn read(s: &str) -> Option<Self>;
    /// From numbers: as many as the value has, a code for an enum.
    fn of(numbers: &[f64]) -> Option<Self>;
}

impl OptionValue for f64 {
    const EXPECTED: &'static str = "a finite number";
    fn read(s: &str) -> Option<Self> {
        s.trim().parse().ok().filter(|x: &f64| x.is_finite())
    }
    fn of(numbers: &[f64]) -> Option<Self> {
        <[f64; 1]>::try_from(numbers).ok().map(|[x]| x)
    }
}

macro_rules! integer_option {
    ($($t:ty),*) => {$(
        impl OptionValue for $t {
            const EXPECTED: &'static str = "an integer";
            fn read(s: &str) -> Option<Self> {
                // Tools print integers as floats too.
                s.trim().parse().ok().or_else(|| {
                    f64::read(s).filter(|x| x.fract() == 0.0 && *x >= <$t>::MIN.into() && *x <= <$t>::MAX.into()).map(|x| x as $t)
                })
            }
            fn of(numbers: &[f64]) -> Option<Self> {
                let x = f64::of(numbers)?;
                (x >= <$t>::MIN.into() && x <= <$t>::MAX.into()).then_some(x as $t)
            }
        }
    )*};
}
integer_option!(i32, u32);

macro_rules! enum_option {
    ($($t:ty),*) => {$(
        impl OptionValue for $t {
            const EXPECTED: &'static str = concat!("a code or keyword of ", stringify!($t));
            fn read(s: &str) -> Option<Self> {
                <$t>::from_keyword(s.trim()).or_else(|| i32::read(s).and_then(<$t>::from_code))
            }
            fn of(numbers: &[f64]) -> Option<Self> {
                i32::of(numbers).and_then(<$t>::from_code)
            }
        }
    )*};
}
enum_option!(IntegratorType, Cone, Jacobian, SolverType);

impl<const N: usize> OptionValue for [f64; N] {
    const EXPECTED: &'static str = "as many finite numbers as the option has, separated by spaces or commas";
    fn read(s: &str) -> Option<Self> {
        let v: Option<Vec<f64>> = s.split([' ', ',']).filter(|w| !w.is_empty()).map(f64::read).collect();
        v?.try_into().ok()
    }
    fn of(numbers: &[f64]) -> Option<Self> {
        numbers.try_into().ok()
    }
}

impl OptionValue for DVec3 {
    const EXPECTED: &'static str = "three finite numbers separated by spaces or commas";
    fn read(s: &str) -> Option<Self> {
        <[f64; 3]>::read(s).map(Self::from_array)
    }
    fn of(numbers: &[f64]) -> Option<Self> {
        <[f64; 3]>::of(numbers).map(Self::from_array)
    }
}

macro_rules! options {
    ($($(#[$doc:meta])* $name:ident : $ty:ty = $default:expr;)*) => {
        /// Physics options (`mjOption`).
        #[derive(Clone, Debug, PartialEq)]
        pub struct Options {
            $($(#[$doc])* pub $name: $ty,)*
        }

        impl Default for Options {
            fn default() -> Self {
                Self { $($name: $default,)* }
            }
        }

        binary!(Options { $($name),* });

        impl Options {
            /// Names of all options.
            pub const NAMES: &'static [&'static str] = &[$(stringify!($name),)*];

            /// Sets an option by name from text; enums take their code or keyword.
            ///
            /// # Errors
            /// If no option has the name, or the value does not fit it.
            pub fn set(&mut self, name: &str, value: &str) -> Result<(), OptionError> {
                match name {
                    $(stringify!($name) => {
                        self.$name = <$ty as OptionValue>::read(value).ok_or_else(|| OptionError::Value {
                            name: name.into(),
                            expected: <$ty as OptionValue>::EXPECTED,
                            value: value.into(),
                        })?;
                    })*
                    _ => return Err(OptionError::Unknown(name.into(), Self::NAMES.join(", "))),
                }
                Ok(())
            }

            /// Sets an option by name from numbers; enums take their code.
            pub(crate) fn set_numbers(&mut self, name: &str, numbers: &[f64]) -> Result<(), FieldError> {
                match name {
                    $(stringify!($name) => {
                        self.$name = <$ty as OptionValue>::of(numbers).ok_or(FieldError::Value)?;
                    })*
                    _ => return Err(FieldError::Unknown),
                }
                Ok(())
            }

            /// Returns an option by name.
            pub(crate) fn buffer(&self, name: &str) -> Option<&dyn Buffer> {
                match name {
                    $(stringify!($name) => Some(&self.$name),)*
                    _ => None,
                }
            }

            /// Calls `f` with every option as (name, shape, numbers).
            pub fn visit(&self, f: &mut dyn FnMut(&'static str, Vec<usize>, Column)) {
                $({
                    let (shape, data) = Buffer::array(&self.$name);
                    f(stringify!($name), shape, data);
                })*
            }
        }
    };
}

options! {
    /// Simulation time step, seconds.
    timestep: f64 = 0.002;
    /// Ratio of frictional-to-normal constraint impedance for elliptic cones.
    impratio: f64 = 1.0;
    /// Solver termination tolerance.
    tolerance: f64 = 1e-8;
    /// Line-search termination tolerance.
    ls_tolerance: f64 = 0.01;
    /// Noslip solver termination tolerance.
    noslip_tolerance: f64 = 1e-6;
    /// Convex collision termination tolerance, length.
    ccd_tolerance: f64 = 1e-6;
    /// Velocity below which a tree may sleep.
    sleep_tolerance: f64 = 1e-3;
    /// Gravitational acceleration, world frame.
    gravity: DVec3 = DVec3::new(0.0, 0.0, -9.81);
    /// Velocity of the medium, world frame.
    wind: DVec3 = DVec3::ZERO;
    /// Magnetic flux, world frame.
    magnetic: DVec3 = DVec3::new(0.0, -0.5, 0.0);
    /// Density of the medium.
    density: f64 = 0.0;
    /// Viscosity of the medium.
    viscosity: f64 = 0.0;
    /// Contact margin when overriding.
    o_margin: f64 = 0.0;
    /// Contact solref when overriding.
    o_solref: [f64; 2] = [0.02, 1.0];
    /// Contact solimp when overriding.
    o_solimp: [f64; 5] = [0.9, 0.95, 0.001, 0.5, 2.0];
    /// Contact friction when overriding.
    o_friction: [f64; 5] = [1.0, 1.0, 0.005, 0.0001, 0.0001];
    /// Integrator.
    integrator: IntegratorType = IntegratorType::Euler;
    /// Friction cone.
    cone: Cone = Cone::Pyramidal;
    /// Constraint Jacobian's storage in the reference; no effect on results here.
    jacobian: Jacobian = Jacobian::Auto;
    /// Constraint solver.
    solver: SolverType = SolverType::Newton;
    /// Greatest number of solver iterations.
    iterations: i32 = 100;
    /// Greatest number of line-search iterations.
    ls_iterations: i32 = 50;
    /// Greatest number of noslip iterations; 0: none.
    noslip_iterations: i32 = 0;
    /// Greatest number of convex collision iterations.
    ccd_iterations: i32 = 35;
    /// Disable flags: bits of [`disable`].
    disableflags: u32 = 0;
    /// Enable flags: bits of [`enable`].
    enableflags: u32 = 0;
    /// Disabled actuator groups: bit i disables group i.
    disableactuator: u32 = 0;
    /// Starting points of signed-distance collision.
    sdf_initpoints: i32 = 40;
    /// Iterations of signed-distance collision.
    sdf_iterations: i32 = 10;
}

impl Options {
    /// Whether a feature of [`disable`] is disabled.
    #[inline]
    pub fn disabled(&self, bit: u32) -> bool {
        self.disableflags & bit != 0
    }

    /// Whether a feature of [`enable`] is enabled.
    #[inline]
    pub fn enabled(&self, bit: u32) -> bool {
        self.enableflags & bit != 0
    }
}

/// Statistics of the model in its reference configuration (`mjStatistic`).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Statistics {
    /// Mean diagonal inertia.
    pub meaninertia: f64,
    /// Mean body mass.
    pub meanmass: f64,
    /// Mean body size.
    pub meansize: f64,
    /// Spatial extent.
    pub extent: f64,
    /// Centre of the model.
    pub center: DVec3,
}

binary!(Statistics { meaninertia, meanmass, meansize, extent, center });

impl Statistics {
    /// Calls `f` with every statistic as (name, shape, numbers).
    pub fn visit(&self, f: &mut dyn FnMut(&'static str, Vec<usize>, Column)) {
        for name in ["meaninertia", "meanmass", "meansize", "extent", "center"] {
            if let Some(value) = self.buffer(name) {
                let (shape, data) = value.array();
                f(name, shape, data);
            }
        }
    }

    /// Returns a statistic by name.
    pub(crate) fn buffer(&self, name: &str) -> Option<&dyn Buffer> {
        match name {
            "meaninertia" => Some(&self.meaninertia),
            "meanmass" => Some(&self.meanmass),
            "meansize" => Some(&self.meansize),
            "extent" => Some(&self.extent),
            "center" => Some(&self.center),
            _ => None,
        }
    }

    /// Sets a statistic by name from numbers.
    pub(crate) fn set_numbers(&mut self, name: &str, column: &Column, rows: &Rows) -> Result<(), FieldError> {
        let one = match name {
            "meaninertia" => &mut self.meaninertia,
            "meanmass" => &mut self.meanmass,
            "meansize" => &mut self.meansize,
            "extent" => &mut self.extent,
            "center" => return set_column(std::slice::from_mut(&mut self.center), column, rows),
            _ => return Err(FieldError::Unknown),
        };
        set_column(std::slice::from_mut(one), column, rows)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_set_by_name() {
        let mut o = Options::default();
        o.set("timestep", "0.001").unwrap();
        o.set("solver", "0").unwrap();
        o.set("iterations", "500.0").unwrap();
        o.set("gravity", "0 0,-1").unwrap();
        assert_eq!((o.timestep, o.solver, o.iterations, o.gravity.z), (0.001, SolverType::Pgs, 500, -1.0));
        assert!(matches!(o.set("timestep", "nan"), Err(OptionError::Value { .. })));
        assert!(matches!(o.set("timestp", "1"), Err(OptionError::Unknown(..))));
    }
}
