//! Plugins as a model names them.

use crate::diag::Loc;
use crate::spec::document::Spec;

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

impl Spec {
    /// Declares the plugins of another spec, with those of their instances that this one doesn't have yet.
    pub fn declare_plugins(&mut self, of: impl IntoIterator<Item = Extension>) {
        for mut x in of {
            let known = |name: &str| self.extensions.iter().flat_map(|x| &x.instances).any(|i| i.name == name);
            x.instances.retain(|i| !known(&i.name));
            match self.extensions.iter_mut().find(|known| known.plugin == x.plugin) {
                Some(own) => own.instances.append(&mut x.instances),
                None => self.extensions.push(x),
            }
        }
    }
}
