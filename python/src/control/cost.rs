//! Costs: terms and constraints, made one after the other.

use super::function;
use super::shared::{Raised, check_room, locked};
use crate::args::{vector, wrong};
use crate::data::{Access, DataCore};
use crate::error;
use crate::model::ModelCore;
use mj_control::{Constraint, Cost, Norm, Residual, Term};
use mj_engine::model::{BodyId, GeomId, SiteId, Stage};
use mj_engine::{Model, find};
use mj_math::DVec3;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::sync::Mutex;

/// Vector of a cost.
#[pyclass(name = "Residual", module = "mj._core", frozen)]
pub struct ResidualCore(Residual);

/// Cost of trajectories of a model.
#[pyclass(name = "Cost", module = "mj._core", frozen)]
pub struct CostCore {
    cost: Mutex<Cost>,
    raised: Raised,
    model: Py<ModelCore>,
}

/// Most entries of the residual of a function.
const MOST_ENTRIES: usize = 1 << 16;

/// Finds an item by name.
///
/// # Errors
/// If there is none: all names.
pub fn by_name<T: Copy>(what: &str, name: &str, known: &[(&str, T)]) -> PyResult<T> {
    let found = known.iter().find(|(n, _)| *n == name).map(|(_, item)| *item);
    found.ok_or_else(|| {
        let names: Vec<&str> = known.iter().map(|(n, _)| *n).collect();
        PyValueError::new_err(format!("`{what}` is {name:?}; expected one of {}", names.join(", ")))
    })
}

fn norm(name: &str, width: f64) -> PyResult<Norm> {
    let known = [
        ("quadratic", Norm::Quadratic),
        ("l2", Norm::L2(width)),
        ("cosh", Norm::Cosh(width)),
        ("smooth_abs", Norm::SmoothAbs(width)),
        ("huber", Norm::Huber(width)),
        ("softplus", Norm::Softplus(width)),
    ];
    by_name("norm", name, &known)
}

/// Numbers of a target; zeros without one.
fn target(value: Option<&Bound<'_, PyAny>>, n: usize) -> PyResult<Vec<f64>> {
    let numbers = value.map_or_else(|| Ok(vec![0.0; n]), |value| vector::<f64>("target", value, n))?;
    match numbers.iter().find(|x| !x.is_finite()) {
        Some(x) => Err(PyValueError::new_err(format!("`target` has the number {x}; expected finite numbers"))),
        None => Ok(numbers),
    }
}

/// Position of the origin of a body, geom or site, less a target.
fn point(m: &Model, kind: &str, name: &str, target: Vec<f64>) -> PyResult<Residual> {
    let target = DVec3::from_slice(&target);
    let write = move |x: DVec3, r: &mut [f64]| r.copy_from_slice(&(x - target).to_array());
    match kind {
        "body" => {
            let id: BodyId = find(m, name).map_err(error::value)?;
            Ok(Residual::function(3, Stage::Pos, move |_, d, r| write(d.smooth.poses.xpos[id], r)))
        }
        "geom" => {
            let id: GeomId = find(m, name).map_err(error::value)?;
            Ok(Residual::function(3, Stage::Pos, move |_, d, r| write(d.smooth.poses.geom_xpos[id], r)))
        }
        "site" => {
            let id: SiteId = find(m, name).map_err(error::value)?;
            Ok(Residual::function(3, Stage::Pos, move |_, d, r| write(d.smooth.poses.site_xpos[id], r)))
        }
        _ => by_name("kind", kind, &[("body", ()), ("geom", ()), ("site", ())]).map(|()| Residual::velocity(m)),
    }
}

impl CostCore {
    /// Returns the cost as it is.
    pub fn cost(&self) -> Cost {
        locked(&self.cost).clone()
    }

    /// Returns the model.
    pub fn model(&self, py: Python) -> Py<ModelCore> {
        self.model.clone_ref(py)
    }

    /// Returns where functions put what they raise.
    pub fn raised(&self) -> Raised {
        self.raised.clone()
    }

    fn put(&self, py: Python, edit: impl FnOnce(&mut Cost)) -> PyResult<()> {
        let m = self.model.get().current(py)?;
        let mut cost = self.cost();
        edit(&mut cost);
        cost.check(&m).map_err(error::value)?;
        check_room(cost.dim(), 2 * m.nv() + m.na + m.nu(), "entries of residuals with Jacobians")?;
        *locked(&self.cost) = cost;
        Ok(())
    }
}

#[pymethods]
impl CostCore {
    /// Makes a cost without terms.
    #[new]
    fn new(model: &Bound<'_, ModelCore>) -> Self {
        Self { cost: Mutex::default(), raised: Raised::default(), model: model.clone().unbind() }
    }

    /// Difference of the position from a target, of all dofs or some.
    fn _position(
        &self,
        py: Python,
        goal: Option<&Bound<'_, PyAny>>,
        dofs: Option<Vec<usize>>,
    ) -> PyResult<ResidualCore> {
        let m = self.model.get().current(py)?;
        let target = match goal {
            None => m.qpos0.to_vec(),
            some => target(some, m.nq())?,
        };
        Ok(ResidualCore(Residual::Position { target, dofs: dofs.unwrap_or_else(|| (0..m.nv()).collect()) }))
    }

    /// Velocity of all dofs or some.
    fn _velocity(&self, py: Python, dofs: Option<Vec<usize>>) -> PyResult<ResidualCore> {
        let m = self.model.get().current(py)?;
        Ok(ResidualCore(Residual::Velocity { dofs: dofs.unwrap_or_else(|| (0..m.nv()).collect()) }))
    }

    /// Difference of the controls from a target.
    fn _control(&self, py: Python, goal: Option<&Bound<'_, PyAny>>) -> PyResult<ResidualCore> {
        let m = self.model.get().current(py)?;
        Ok(ResidualCore(Residual::Control { target: target(goal, m.nu())? }))
    }

    /// Difference of a sensor's reading from a target.
    fn _sensor(&self, py: Python, sensor: &str, goal: Option<&Bound<'_, PyAny>>) -> PyResult<ResidualCore> {
        let m = self.model.get().current(py)?;
        let id = find(&m, sensor).map_err(error::value)?;
        let goal = target(goal, m.sensor.dim[id] as usize)?;
        Residual::sensor(&m, sensor, &goal).map(ResidualCore).map_err(error::value)
    }

    /// Position of a body, geom or site, less a target.
    fn _point(&self, py: Python, kind: &str, name: &str, goal: Option<&Bound<'_, PyAny>>) -> PyResult<ResidualCore> {
        let m = self.model.get().current(py)?;
        point(&m, kind, name, target(goal, 3)?).map(ResidualCore)
    }

    /// A function of model and data.
    fn _function(&self, py: Python, f: &Bound<'_, PyAny>, dim: usize, stage: &str) -> PyResult<ResidualCore> {
        let stage = by_name("stage", stage, &[("pos", Stage::Pos), ("vel", Stage::Vel), ("acc", Stage::Acc)])?;
        if !f.is_callable() {
            return Err(wrong("residual", "a function of model and data", f));
        }
        if !(1..=MOST_ENTRIES).contains(&dim) {
            return Err(PyValueError::new_err(format!("`dim` is {dim}; expected 1 to {MOST_ENTRIES}")));
        }
        Ok(ResidualCore(function::residual(py, &self.model, f.clone().unbind(), (dim, stage), self.raised())))
    }

    /// Adds a term.
    fn _add(
        &self,
        py: Python,
        name: String,
        residual: &ResidualCore,
        shape: (String, f64),
        weights: [f64; 2],
    ) -> PyResult<()> {
        let ((kind, width), [weight, last]) = (shape, weights);
        let norm = norm(&kind, width)?;
        self.put(py, |cost| cost.terms.push(Term { name, residual: residual.0.clone(), norm, weight, last }))
    }

    /// Adds a constraint.
    fn _within(
        &self,
        py: Python,
        name: String,
        residual: &ResidualCore,
        limits: [f64; 2],
        last_only: bool,
    ) -> PyResult<()> {
        let [lower, upper] = limits;
        let residual = residual.0.clone();
        self.put(py, |cost| cost.constraints.push(Constraint { name, residual, lower, upper, last_only }))
    }

    /// Returns the residual of each term and constraint at the state of data.
    fn _residuals(&self, py: Python, d: &Bound<'_, DataCore>) -> PyResult<Vec<(String, Vec<f64>)>> {
        crate::callbacks::refuse("Cost.residuals")?;
        let cost = self.cost();
        locked(&self.raised).take();
        let found = DataCore::call(d, self.model.bind(py), Access::Read, |m, d| {
            let mut d = d.clone();
            mj_engine::forward(m, &mut d)?;
            let mut out = vec![0.0; cost.dim()];
            cost.residuals_of(m, &d, &mut vec![0.0; m.nv()], &mut out);
            Ok::<_, mj_engine::StepError>(out)
        })?;
        if let Some(e) = locked(&self.raised).take() {
            return Err(e);
        }
        let numbers = found.map_err(error::value)?;
        let parts = cost.terms.iter().map(|t| (&t.name, &t.residual));
        let parts = parts.chain(cost.constraints.iter().map(|c| (&c.name, &c.residual)));
        let mut at = 0;
        let mut take = |(name, residual): (&String, &Residual)| {
            at += residual.dim();
            (name.clone(), numbers[at - residual.dim()..at].to_vec())
        };
        Ok(parts.map(&mut take).collect())
    }
}
