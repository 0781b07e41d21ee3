//! Many simulations: rollouts from given states, and batches that persist.

mod batch;
mod rollout;
mod threadpool;
mod threads;

use pyo3::prelude::*;

/// Adds the classes of this folder to the module.
pub fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<batch::BatchCore>()?;
    module.add_class::<rollout::RolloutCore>()?;
    threadpool::add(module)
}
