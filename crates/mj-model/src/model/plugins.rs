//! Instances of plugins.

use crate::Model;
use crate::ids::*;
use std::ops::Range;

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

impl Model {
    /// Number of numbers of the state of plugins.
    #[inline]
    pub fn npluginstate(&self) -> usize {
        self.plugin.statenum.iter().map(|&n| n as usize).sum()
    }
}
