//! Fields of models that have a value for each simulation.

use super::output::array;
use crate::kind::{Kind, with_kind};
use crate::memory::{Block, Shareable};
use crate::model::volumes;
use mj_engine::Model;
use mj_model::{Class, Column, Field};
use pyo3::prelude::*;
use std::sync::Arc;

/// A field of a model with a row for each simulation.
pub struct Expanded {
    /// Name.
    pub name: String,
    kind: Kind,
    /// Numbers of a row.
    width: usize,
    block: Arc<Block>,
    /// The array over it.
    pub array: Py<PyAny>,
    /// Numbers that all simulations must have, where the field is structure.
    fixed: Option<Column>,
}

/// Bounding volumes: those of bodies alone may differ, and follow from other fields.
const VOLUMES: &str = "bvh_aabb";

/// Beginnings of the names of assets, which all simulations share.
const ASSETS: [&str; 5] = ["mesh_", "skin_", "hfield_", "tex_", "bvh_"];

/// Finds the field of a model that may have a value for each simulation.
pub fn find(m: &Model, name: &str) -> Option<Field> {
    if name == VOLUMES {
        return Some(volumes::of_bodies(m));
    }
    if name.starts_with("stat.") || name == "text_data" || ASSETS.iter().any(|asset| name.starts_with(asset)) {
        return None;
    }
    m.field(name)
}

impl Expanded {
    /// Makes rows of a field, each with the model's numbers.
    ///
    /// # Errors
    /// If there is no memory.
    pub fn new(py: Python, m: &Model, field: Field, nsim: usize) -> PyResult<Self> {
        let kind = Kind::of(&field.data);
        let width = field.data.len();
        let (block, array) = array(py, kind, &[&[nsim], &field.shape[..]].concat())?;
        let fixed = (m.class(&field.name) == Some(Class::Structure)).then(|| field.data.clone());
        let new = Self { name: field.name, kind, width, block, array: array.unbind(), fixed };
        (0..nsim).for_each(|sim| new.write(sim, &field.data));
        Ok(new)
    }

    /// Returns the numbers of a simulation.
    fn row(&self, sim: usize) -> Column {
        fn of<T: Shareable>(block: &Block, first: usize, n: usize) -> Column {
            T::column(block.range::<T>(first, n))
        }
        with_kind!(self.kind, T => of::<T>(&self.block, sim * self.width, self.width))
    }

    /// Sets the numbers of a simulation.
    pub fn write(&self, sim: usize, column: &Column) {
        let first = sim * self.width;
        match column {
            Column::F64(v) => self.block.write_at(first, v),
            Column::F32(v) => self.block.write_at(first, v),
            Column::I32(v) => self.block.write_at(first, v),
            Column::U8(v) => self.block.write_at(first, v),
            Column::Bool(v) => self.block.write_at(first, v),
        }
    }

    /// Sets the field of a model to the numbers of a simulation; `seen` are the numbers that the model has.
    ///
    /// # Errors
    /// If it can't have them.
    pub fn apply(&self, m: &mut Model, sim: usize, seen: &mut Option<Column>) -> Result<(), String> {
        if self.name == VOLUMES {
            // Computed when it is read, and by `set_const`.
            return Ok(());
        }
        let column = self.row(sim);
        if seen.as_ref() == Some(&column) {
            return Ok(());
        }
        if let Some(fixed) = &self.fixed {
            if *fixed != column {
                return Err(format!("{} is structure: it can't differ between simulations", self.name));
            }
            return Ok(());
        }
        *seen = None;
        m.set_field(&self.name, &column).map_err(|e| format!("{}: {e}", self.name))?;
        *seen = Some(column);
        Ok(())
    }
}

/// Names of the fields that `set_const` may compute.
pub fn derived(m: &Model) -> Vec<String> {
    let mut names = Vec::new();
    m.visit(&mut |f| {
        let known = m.class(&f.name) == Some(Class::Derived);
        if known || ALSO_SET.contains(&f.name.as_str()) {
            names.push(f.name);
        }
    });
    names.push(VOLUMES.into());
    names.retain(|name| find(m, name).is_some_and(|f| !f.data.is_empty()));
    names
}

/// Fields that users set and `set_const` computes in some models.
const ALSO_SET: [&str; 2] = ["eq_data", "geom_size"];
