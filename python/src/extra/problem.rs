//! Recorded constraint problems, and solvers by name.

use crate::args;
use crate::data::{Access, DataCore};
use crate::error;
use crate::kind::array_of;
use crate::model::ModelCore;
use mj_model::Column;
use mj_problem::{ConstraintSolver, Quality, Recorded, Solution};
use mj_solver_complementarity::{contradictory, law_residual};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::time::Instant;

/// Returns the names of all solvers, each with one line about its method.
#[pyfunction]
pub fn _solvers() -> Vec<(&'static str, &'static str)> {
    mj_solvers::ALL.iter().map(|e| (e.name, e.about)).collect()
}

/// Makes the steps of data use a solver; that of the model's options without a name.
#[pyfunction]
#[pyo3(signature = (m, d, name = None))]
pub fn _use_solver(m: &Bound<'_, ModelCore>, d: &Bound<'_, DataCore>, name: Option<&str>) -> PyResult<()> {
    let solver = name.map(mj_solvers::by_name).transpose().map_err(error::value)?;
    crate::callbacks::call(d, m, Access::Read, |_, d| d.solver = solver)
}

/// A constraint problem with everything that solvers need, without its model.
#[pyclass(name = "Problem", module = "mj._core", frozen)]
pub struct ProblemCore {
    recorded: Recorded,
}

#[pymethods]
impl ProblemCore {
    /// Records the constraint problem of a state.
    #[staticmethod]
    fn _of(m: &Bound<'_, ModelCore>, d: &Bound<'_, DataCore>) -> PyResult<Self> {
        let recorded = crate::callbacks::call(d, m, Access::Compute, |m, d| {
            mj_engine::forward(m, d)?;
            Ok::<_, mj_engine::StepError>(Recorded::from(&mj_engine::problem(m, d)))
        })?;
        Ok(Self { recorded: recorded.map_err(error::value)? })
    }

    /// Makes a problem of the arrays that `_arrays` returns.
    #[staticmethod]
    fn _of_arrays(arrays: &Bound<'_, PyDict>) -> PyResult<Self> {
        let mut columns = std::collections::HashMap::new();
        for (name, value) in arrays {
            let name: String = name.extract()?;
            let (_, numbers) = args::numbers::<f64>(&name, &value)?;
            columns.insert(name, numbers);
        }
        let recorded = Recorded::from_arrays(|name| columns.get(name).cloned()).map_err(error::value)?;
        Ok(Self { recorded })
    }

    /// Returns all arrays by name.
    fn _arrays<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let mut list = Vec::new();
        self.recorded.visit(&mut |name, shape, numbers| list.push((name.to_string(), shape.to_vec(), numbers)));
        let out = PyDict::new(py);
        for (name, shape, numbers) in list {
            out.set_item(name, array_of(py, &Column::F64(numbers), &shape)?)?;
        }
        Ok(out)
    }

    /// Number of dofs.
    #[getter]
    fn nv(&self) -> usize {
        self.recorded.tree.len()
    }

    /// Number of rows.
    #[getter]
    fn nefc(&self) -> usize {
        self.recorded.d.len()
    }

    /// Number of equality rows.
    #[getter]
    fn ne(&self) -> usize {
        self.recorded.ne
    }

    /// Number of friction-loss rows.
    #[getter]
    fn nf(&self) -> usize {
        self.recorded.nf
    }

    /// Whether no forces can obey the exact laws of contact: normals contradict each other.
    #[getter]
    fn contradictory(&self) -> bool {
        contradictory(&self.recorded.problem())
    }

    /// Solves the problem by a named solver; returns arrays and measures by name.
    #[pyo3(signature = (name, iterations = None, tolerance = None, warm = false))]
    fn _solve<'py>(
        &self,
        py: Python<'py>,
        name: &str,
        iterations: Option<u32>,
        tolerance: Option<f64>,
        warm: bool,
    ) -> PyResult<Bound<'py, PyDict>> {
        let mut solver = mj_solvers::by_name(name).map_err(error::value)?;
        let mut problem = self.recorded.problem();
        let s = &mut problem.settings;
        (s.iterations, s.tolerance) = (iterations.unwrap_or(s.iterations), tolerance.unwrap_or(s.tolerance));
        s.warmstart = warm;
        let (solution, seconds, quality, laws) = py.detach(|| {
            let mut solution = Solution::default();
            let start = Instant::now();
            solver.solve(&problem, &mut solution);
            let seconds = start.elapsed().as_secs_f64();
            let quality = Quality::of(&problem, &solution);
            let laws = law_residual(&problem, &solution);
            (solution, seconds, quality, laws)
        });
        let out = PyDict::new(py);
        let niter = solution.niter();
        for (name, numbers) in
            [("qacc", solution.qacc), ("efc_force", solution.efc_force), ("qfrc_constraint", solution.qfrc_constraint)]
        {
            let shape = [numbers.len()];
            out.set_item(name, array_of(py, &Column::F64(numbers), &shape)?)?;
        }
        for (name, number) in [
            ("cost", quality.cost),
            ("stationarity", quality.stationarity),
            ("feasibility", quality.feasibility),
            ("complementarity", quality.complementarity),
            ("laws", laws),
            ("slip", quality.slip),
            ("penetration", quality.penetration),
            ("seconds", seconds),
        ] {
            out.set_item(name, number)?;
        }
        out.set_item("niter", niter)?;
        Ok(out)
    }
}
