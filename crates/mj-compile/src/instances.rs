//! Instances of plugins that a compilation has made.

use mj_model::PluginId;
use mj_model::plugin::Instance;
use mj_model::spec::Plugin;
use std::collections::HashMap;

/// Instances found so far, and which one each element has.
#[derive(Debug, Default)]
pub(crate) struct Plugins {
    pub rows: Vec<Row>,
    /// Rows of the plugins of elements, by where these are in memory.
    pub of: HashMap<usize, PluginId>,
}

/// An instance on its way into the model.
#[derive(Debug)]
pub(crate) struct Row {
    pub kind: String,
    pub slot: usize,
    pub name: String,
    pub values: Vec<String>,
    pub instance: Instance,
}

impl Plugins {
    /// Returns the instance of an element's plugin; none where that is wrong, which was told.
    pub fn get(&self, plugin: &Plugin) -> Option<(PluginId, &Instance)> {
        let id = *self.of.get(&std::ptr::from_ref(plugin).addr())?;
        Some((id, &self.rows[id.index()].instance))
    }
}
