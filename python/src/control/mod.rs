//! Control and identification: regulators, costs, planners, tasks, parameters from logs.
//!
//! The computation runs on threads of its own with the interpreter released; the calling thread handles signals.

mod async_agent;
mod cost;
mod direct;
mod function;
mod gradient;
mod identify;
mod linear;
mod planned;
mod planner;
mod sampler;
mod shared;
mod states;
mod task;
mod threads;

use pyo3::prelude::*;

/// Adds the classes and functions of this folder to the module.
pub fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<cost::CostCore>()?;
    module.add_class::<cost::ResidualCore>()?;
    module.add_class::<linear::RegulatorCore>()?;
    module.add_class::<planner::IlqrCore>()?;
    module.add_class::<direct::DirectCore>()?;
    module.add_class::<sampler::SamplerCore>()?;
    module.add_class::<planner::AgentCore>()?;
    module.add_class::<async_agent::AsyncAgentCore>()?;
    module.add_class::<identify::LogCore>()?;
    module.add_function(wrap_pyfunction!(linear::_lqr, module)?)?;
    module.add_function(wrap_pyfunction!(gradient::_simulate, module)?)?;
    module.add_function(wrap_pyfunction!(gradient::_simulation_gradient, module)?)?;
    module.add_function(wrap_pyfunction!(task::_tasks, module)?)?;
    module.add_function(wrap_pyfunction!(task::_task_model, module)?)?;
    module.add_function(wrap_pyfunction!(task::_task_plan, module)?)?;
    module.add_function(wrap_pyfunction!(task::_task_run, module)?)?;
    module.add_function(wrap_pyfunction!(identify::_fit, module)?)
}
