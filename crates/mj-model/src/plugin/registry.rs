//! Types of plugins that models may name, the instances that models have, and the registry of both types and formats.

use super::config::{Config, ConfigError};
use super::formats::{Decoder, Encoder};
use super::functions::{ActuatorPlugin, PassivePlugin, SdfPlugin, SensorPlugin};
use crate::ids::PluginId;
use crate::model::{PluginData, PluginFunctions};
use crate::{Model, State};
use std::fmt;
use std::sync::Arc;

/// An instance of a plugin: what it computes. Copies share it.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Instance {
    /// Number of numbers of its state.
    pub nstate: usize,
    /// Signed distance of geoms and meshes.
    pub sdf: Option<Arc<dyn SdfPlugin>>,
    /// Forces of actuators.
    pub actuator: Option<Arc<dyn ActuatorPlugin>>,
    /// Readings of sensors.
    pub sensor: Option<Arc<dyn SensorPlugin>>,
    /// Passive forces.
    pub passive: Option<Arc<dyn PassivePlugin>>,
}

impl Instance {
    /// Makes an instance of a signed distance function.
    pub fn sdf(function: impl SdfPlugin + 'static) -> Self {
        Self { sdf: Some(Arc::new(function)), ..Self::default() }
    }

    /// Makes an instance that drives actuators.
    pub fn actuator(plugin: impl ActuatorPlugin + 'static) -> Self {
        Self { actuator: Some(Arc::new(plugin)), ..Self::default() }
    }

    /// Makes an instance that reads sensors.
    pub fn sensor(plugin: impl SensorPlugin + 'static) -> Self {
        Self { sensor: Some(Arc::new(plugin)), ..Self::default() }
    }

    /// Makes an instance of passive forces.
    pub fn passive(plugin: impl PassivePlugin + 'static) -> Self {
        Self { passive: Some(Arc::new(plugin)), ..Self::default() }
    }

    /// Gives it a state of so many numbers.
    #[must_use]
    pub fn with_state(self, nstate: usize) -> Self {
        Self { nstate, ..self }
    }

    fn reset(&self, state: &mut [f64]) {
        self.actuator.iter().for_each(|p| p.reset(state));
        self.sensor.iter().for_each(|p| p.reset(state));
        self.passive.iter().for_each(|p| p.reset(state));
    }

    fn advance(&self, m: &Model, s: &State, state: &mut [f64]) {
        self.actuator.iter().for_each(|p| p.advance(m, s, state));
        self.sensor.iter().for_each(|p| p.advance(m, s, state));
        self.passive.iter().for_each(|p| p.advance(m, s, state));
    }
}

type Make = dyn Fn(&Config) -> Result<Instance, ConfigError> + Send + Sync;

/// A type of plugin: its name, its attributes, and how an instance is made.
#[derive(Clone)]
pub struct PluginType {
    name: String,
    attributes: Vec<String>,
    make: Arc<Make>,
}

impl fmt::Debug for PluginType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PluginType").field("name", &self.name).field("attributes", &self.attributes).finish()
    }
}

impl PluginType {
    /// Makes a type of a name, which models give as `plugin="…"`, the attributes that they may set in `<config>`, and a
    /// function that makes an instance of their values.
    pub fn new(
        name: &str,
        attributes: &[&str],
        make: impl Fn(&Config) -> Result<Instance, ConfigError> + Send + Sync + 'static,
    ) -> Self {
        let attributes = attributes.iter().map(ToString::to_string).collect();
        Self { name: name.to_string(), attributes, make: Arc::new(make) }
    }

    /// Name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Attributes that `<config>` may set.
    pub fn attributes(&self) -> &[String] {
        &self.attributes
    }

    /// Makes an instance of the values of the attributes, in their order.
    ///
    /// # Errors
    /// If a value is wrong.
    pub fn instance(&self, values: &[String]) -> Result<Instance, ConfigError> {
        (self.make)(&Config::new(&self.attributes, values))
    }
}

/// Types of plugins by name, and file formats. Copies are cheap.
#[derive(Clone, Debug, Default)]
pub struct Registry {
    types: Vec<PluginType>,
    /// Later ones come before earlier ones.
    decoders: Vec<Arc<dyn Decoder>>,
    encoders: Vec<Arc<dyn Encoder>>,
}

impl Registry {
    /// Makes a registry without any type or format.
    pub fn empty() -> Self {
        Self::default()
    }

    /// Adds a type; one of the same name is replaced.
    pub fn add(&mut self, plugin: PluginType) -> &mut Self {
        match self.types.iter_mut().find(|t| t.name == plugin.name) {
            Some(known) => *known = plugin,
            None => self.types.push(plugin),
        }
        self
    }

    /// Returns a type by name, with its place in the order of registration.
    pub fn find(&self, name: &str) -> Option<(usize, &PluginType)> {
        self.types.iter().enumerate().find(|(_, t)| t.name == name)
    }

    /// Returns all types, in the order of registration.
    pub fn types(&self) -> &[PluginType] {
        &self.types
    }

    /// Adds a reader of files. It comes before all that were added earlier.
    pub fn add_decoder(&mut self, decoder: impl Decoder + 'static) -> &mut Self {
        self.decoders.push(Arc::new(decoder));
        self
    }

    /// Adds a writer of models. It comes before all that were added earlier.
    pub fn add_encoder(&mut self, encoder: impl Encoder + 'static) -> &mut Self {
        self.encoders.push(Arc::new(encoder));
        self
    }

    /// Returns the reader of a file: by its media type, or if that is empty by the file's ending.
    pub fn decoder(&self, content_type: &str, file: &str) -> Option<&dyn Decoder> {
        self.decoders.iter().rev().find(|d| d.format().fits(content_type, file)).map(AsRef::as_ref)
    }

    /// Returns the writer of a file: by its media type, or if that is empty by the file's ending.
    pub fn encoder(&self, content_type: &str, file: &str) -> Option<&dyn Encoder> {
        self.encoders.iter().rev().find(|e| e.format().fits(content_type, file)).map(AsRef::as_ref)
    }
}

/// A binary model whose plugins could not be made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BindError {
    /// No such type is registered.
    #[error("plugin `{name}` is not registered; there are: {known}")]
    Unknown {
        /// Name of the type.
        name: String,
        /// Names of the types that are registered.
        known: String,
    },
    /// The instance's settings are not those of the type.
    #[error("plugin `{name}`: {problem}")]
    Config {
        /// Name of the type.
        name: String,
        /// Problem of the settings.
        problem: String,
    },
}

impl Model {
    /// Makes the instances of the model's plugins anew, for one that was read from bytes.
    ///
    /// # Errors
    /// If a plugin is not registered, or its settings are not those that the registered one takes.
    pub fn bind_plugins(&mut self, registry: &Registry) -> Result<(), BindError> {
        let mut made = Vec::with_capacity(self.plugin.len());
        for p in self.plugin.ids() {
            let name = self.plugin_data.name(p.index());
            let Some((_, of)) = registry.find(name) else {
                let known: Vec<&str> = registry.types.iter().map(|t| t.name.as_str()).collect();
                return Err(BindError::Unknown { name: name.to_string(), known: known.join(", ") });
            };
            let values = self.plugin_data.values(self.plugin.attradr[p] as usize, of.attributes.len());
            let wrong = |problem: String| BindError::Config { name: name.to_string(), problem };
            let values = values.ok_or_else(|| wrong("it has other attributes".into()))?;
            let instance = of.instance(&values).map_err(|e| wrong(e.to_string()))?;
            if instance.nstate != self.plugin.statenum[p] as usize {
                return Err(wrong("its state has another size".into()));
            }
            self.check_users(p, &instance).map_err(wrong)?;
            made.push(instance);
        }
        self.set_plugin_instances(made);
        Ok(())
    }

    /// Checks that what uses an instance has the sizes that the instance gives it.
    fn check_users(&self, p: PluginId, instance: &Instance) -> Result<(), String> {
        for a in self.actuator.ids().filter(|&a| self.actuator.plugin[a] == Some(p)) {
            let driver = instance.actuator.as_ref().ok_or("it drives no actuators")?;
            let (wanted, found) = (driver.activations(self.actuator.dyntype[a]), self.actuator.actnum[a] as usize);
            if wanted.is_some_and(|n| n != found) {
                return Err("its actuators have another number of activations".into());
            }
        }
        for s in self.sensor.ids().filter(|&s| self.sensor.plugin[s] == Some(p)) {
            let reader = instance.sensor.as_ref().ok_or("it reads no sensors")?;
            if reader.dim() != self.sensor.dim[s] as usize {
                return Err("its sensors have another number of readings".into());
            }
            reader.check(self, s)?;
        }
        Ok(())
    }

    /// Sets the instances of the model's plugins, one a row.
    pub fn set_plugin_instances(&mut self, instances: Vec<Instance>) {
        self.plugin_functions = PluginFunctions::new(instances);
    }

    /// Returns the instances of the model's plugins, by row; none for a model that was read from bytes and not bound.
    #[inline]
    pub fn plugin_instances(&self) -> &[Instance] {
        self.plugin_functions.get::<Vec<Instance>>().map_or(&[], Vec::as_slice)
    }

    /// Returns the instance of a plugin; none for a model that was read from bytes and not bound.
    #[inline]
    pub fn plugin_instance(&self, p: PluginId) -> Option<&Instance> {
        self.plugin_instances().get(p.index())
    }

    /// Returns the signed distance function of a geom that has a plugin.
    pub fn geom_sdf(&self, g: crate::GeomId) -> Option<&Arc<dyn SdfPlugin>> {
        self.plugin_instance(self.geom.plugin[g]?)?.sdf.as_ref()
    }

    /// Writes the state of plugins after a reset (npluginstate).
    pub fn initial_plugin_state(&self, state: &mut [f64]) {
        state.fill(0.0);
        for (p, instance) in self.plugin.ids().zip(self.plugin_instances()) {
            instance.reset(&mut state[self.plugin.state_range(p)]);
        }
    }
}

impl State {
    /// Takes the state of the model's plugins one time step on.
    #[inline]
    pub fn advance_plugins(&mut self, m: &Model) {
        if m.plugin.is_empty() {
            return;
        }
        let mut all = std::mem::take(&mut self.plugin_state);
        for (p, instance) in m.plugin.ids().zip(m.plugin_instances()) {
            instance.advance(m, self, &mut all[m.plugin.state_range(p)]);
        }
        self.plugin_state = all;
    }
}

impl PluginData {
    /// Name of the type of an instance.
    pub fn name(&self, row: usize) -> &str {
        self.names.split('\0').nth(row).unwrap_or_default()
    }

    /// Values of the attributes of an instance, of which there are `n`, from the first byte on.
    pub fn values(&self, from: usize, n: usize) -> Option<Vec<String>> {
        let mut values = self.attr.get(from..)?.split(|&b| b == 0).map(|v| String::from_utf8_lossy(v).into_owned());
        let found: Vec<String> = values.by_ref().take(n).collect();
        (found.len() == n).then_some(found)
    }
}
