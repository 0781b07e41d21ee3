//! Plugins as a model names them.

use crate::diag::Loc;

/// A plugin that the model needs, with instances that elements share.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Extension {
    /// The plugin's identifier.
    pub plugin: String,
    /// Instances.
    pub instances: Vec<PluginInstance>,
    /// Place in the source.
    pub loc: Loc,
}

/// An instance of a plugin.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PluginInstance {
    /// Name.
    pub name: String,
    /// Settings: keys and values.
    pub config: Vec<(String, String)>,
    /// Place in the source.
    pub loc: Loc,
}

/// Plugin of an element: an instance by name, or one of its own.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Plugin {
    /// The plugin's identifier.
    pub plugin: String,
    /// Name of an instance; empty: the element's own.
    pub instance: String,
    /// Settings of the element's own instance: keys and values.
    pub config: Vec<(String, String)>,
    /// Place in the source.
    pub loc: Loc,
}
