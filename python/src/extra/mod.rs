//! Functions of the package beyond MuJoCo's interface: closed-form derivatives, states in words, solvers by name, recorded
//! constraint problems, velocity stepping, convex parts of meshes.

mod decompose;
mod derivative;
mod explain;
mod impulse;
mod problem;

use pyo3::prelude::*;

/// Adds all of it to the module.
pub fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<problem::ProblemCore>()?;
    module.add_class::<impulse::ImpulseCore>()?;
    module.add_function(wrap_pyfunction!(derivative::_step_derivative, module)?)?;
    module.add_function(wrap_pyfunction!(derivative::_inverse_derivative, module)?)?;
    module.add_function(wrap_pyfunction!(explain::_explain, module)?)?;
    module.add_function(wrap_pyfunction!(problem::_solvers, module)?)?;
    module.add_function(wrap_pyfunction!(problem::_use_solver, module)?)?;
    module.add_function(wrap_pyfunction!(decompose::_decompose, module)?)?;
    module.add_function(wrap_pyfunction!(decompose::_read_mesh, module)?)
}
