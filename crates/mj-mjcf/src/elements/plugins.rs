//! Elements of plugins: kept and saved, for programs that have the plugins.

use crate::reader::Reader;
use crate::reader::table::{Child, Table, attr};
use crate::syntax::tree::Node;
use mj_model::spec::*;

pub(crate) const EXTENSION: Table<Extension> =
    Table { groups: &[&[attr!(Extension: "plugin" plugin).required()]], rules: &[] };

pub(crate) const INSTANCE: Table<PluginInstance> =
    Table { groups: &[&[attr!(PluginInstance: "name" name).required()]], rules: &[] };

pub(crate) const CONFIG: Table<(String, String)> =
    Table { groups: &[&[attr!((String, String): "key" 0).required(), attr!((String, String): "value" 1)]], rules: &[] };

pub(crate) const PLUGIN: Table<Plugin> =
    Table { groups: &[&[attr!(Plugin: "plugin" plugin), attr!(Plugin: "instance" instance)]], rules: &[] };

/// A plugin as the only kind of child.
pub(crate) const PLUGIN_CHILD: &[Child] = &[Child::many("plugin")];

impl Reader<'_> {
    pub(crate) fn extension(&mut self, section: &Node) {
        self.attributes(section, &Table::<()>::EMPTY, &mut ());
        for child in self.children(section, PLUGIN_CHILD) {
            let mut extension = Extension { loc: child.loc, ..Default::default() };
            self.attributes(child, &EXTENSION, &mut extension);
            for node in self.children(child, &[Child::many("instance")]) {
                let mut instance = PluginInstance { loc: node.loc, ..Default::default() };
                self.attributes(node, &INSTANCE, &mut instance);
                self.declare_node("plugin", node);
                instance.config = self.config(node);
                extension.instances.push(instance);
            }
            self.spec.extensions.push(extension);
        }
    }

    /// Reads settings of an instance.
    pub(crate) fn config(&mut self, node: &Node) -> Vec<(String, String)> {
        let mut config = Vec::new();
        for child in self.children(node, &[Child::many("config")]) {
            let mut entry = Default::default();
            self.attributes(child, &CONFIG, &mut entry);
            self.no_children(child);
            config.push(entry);
        }
        config
    }

    /// Reads a `plugin` element in another one.
    pub(crate) fn plugin(&mut self, node: &Node) -> Plugin {
        let mut plugin = Plugin { loc: node.loc, ..Default::default() };
        self.attributes(node, &PLUGIN, &mut plugin);
        plugin.config = self.config(node);
        plugin
    }

    /// Reads the `plugin` that an element may have, and tells about other children; the last one counts.
    pub(crate) fn plugin_of(&mut self, node: &Node) -> Option<Plugin> {
        let found = self.children(node, PLUGIN_CHILD);
        found.into_iter().map(|child| self.plugin(child)).last()
    }
}
