//! Instances of plugins.

use crate::ids::*;
use crate::storage::{Binary, Result, Source};
use std::any::Any;
use std::ops::Range;
use std::sync::Arc;

table! {
    /// Instances of plugins.
    PluginTable / PluginRow [PluginId] "plugin" {
        /// First number in plugin_state.
        @structure stateadr: u32,
        /// Count of numbers in plugin_state.
        @structure statenum: u32,
        /// First byte in plugin_attr.
        @structure attradr: u32,
    }
}

/// Types and settings of the instances of plugins.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PluginData {
    /// Names of the types, one an instance, each 0-terminated.
    pub names: String,
    /// Places of the types among those that were registered when the model was compiled, nplugin.
    pub slot: Vec<i32>,
    /// Values of the attributes of the instances, in the order of the type's attributes, each 0-terminated.
    pub attr: Vec<u8>,
}

impl PluginTable {
    /// Addresses of the state of an instance.
    #[inline]
    pub fn state_range(&self, p: PluginId) -> Range<usize> {
        let first = self.stateadr[p] as usize;
        first..first + self.statenum[p] as usize
    }
}

/// Functions of the instances of plugins, as the module `plugin` knows them. They follow from the other fields: comparisons
/// and files leave them out, and copies share them.
#[derive(Clone, Debug, Default)]
pub struct PluginFunctions(Option<Arc<dyn Any + Send + Sync>>);

impl PluginFunctions {
    /// Wraps functions of one type.
    pub(crate) fn new<T: Any + Send + Sync>(functions: T) -> Self {
        Self(Some(Arc::new(functions)))
    }

    /// Returns functions of that type.
    #[inline]
    pub(crate) fn get<T: Any>(&self) -> Option<&T> {
        self.0.as_ref()?.downcast_ref()
    }
}

impl PartialEq for PluginFunctions {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

/// Not in files: [`Model::bind_plugins`](crate::Model::bind_plugins) makes them.
impl Binary for PluginFunctions {
    fn write(&self, _: &mut Vec<u8>) {}
    fn read(_: &mut Source) -> Result<Self> {
        Ok(Self::default())
    }
    fn layout(_: &mut String) {}
}
