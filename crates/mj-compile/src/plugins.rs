//! Instances of plugins: those that the model declares, and those of single elements.

use crate::context::Context;
use crate::instances::Row;
use crate::messages::describe;
use mj_model::model::{PluginData, PluginRow};
use mj_model::spec::{Body, Plugin};
use mj_model::{Fixed, Loc, Model, PluginId, suggest};

/// Purpose for which an element has its plugin.
#[derive(Clone, Copy)]
enum Role {
    Sdf,
    Actuator,
    Sensor,
    Passive,
}

/// Makes all instances: those of the section `extension`, then those of meshes, actuators, sensors, bodies and geoms.
pub(crate) fn make_all(cx: &mut Context) {
    let spec = cx.spec;
    for x in &spec.extensions {
        if known(cx, &x.plugin, x.loc).is_none() {
            continue;
        }
        for i in &x.instances {
            if cx.plugins.rows.iter().any(|row| !i.name.is_empty() && row.name == i.name) {
                cx.error(i.loc, format!("another instance of a plugin is named `{}` already", i.name));
            }
            make(cx, &x.plugin, &i.name, &i.config, i.loc);
        }
    }
    for m in &spec.meshes {
        resolve(cx, m.plugin.as_ref(), Role::Sdf, || describe("mesh", &m.name));
    }
    for a in &spec.actuators {
        resolve(cx, a.plugin.as_ref(), Role::Actuator, || describe("actuator", &a.name));
    }
    for s in &spec.sensors {
        resolve(cx, s.plugin.as_ref(), Role::Sensor, || describe("sensor", &s.name));
    }
    let mut todo: Vec<&Body> = vec![&spec.worldbody];
    while let Some(b) = todo.pop() {
        resolve(cx, b.plugin.as_ref(), Role::Passive, || describe("body", &b.name));
        for g in &b.geoms {
            resolve(cx, g.plugin.as_ref(), Role::Sdf, || describe("geom", &g.name));
        }
        todo.extend(b.bodies.iter().rev());
    }
}

/// Checks that a type is registered.
fn known(cx: &mut Context, kind: &str, loc: Loc) -> Option<usize> {
    let found = cx.registry.find(kind).map(|(slot, _)| slot);
    if found.is_none() {
        let names = cx.registry.types().iter().map(|t| t.name());
        let help = match suggest::closest(kind, names.clone()) {
            Some(near) => format!("did you mean `{near}`?"),
            None if cx.registry.types().is_empty() => "no plugin is registered".to_string(),
            None => format!("there are: {}", names.map(|n| format!("`{n}`")).collect::<Vec<_>>().join(", ")),
        };
        cx.error(loc, format!("plugin `{kind}` is not registered")).help(help);
    }
    found
}

/// Makes an instance of a type and its settings; returns its row.
fn make(cx: &mut Context, kind: &str, name: &str, config: &[(String, String)], loc: Loc) -> Option<PluginId> {
    let (slot, of) = cx.registry.find(kind)?;
    let mut values = vec![String::new(); of.attributes().len()];
    for (key, value) in config {
        match of.attributes().iter().position(|a| a == key) {
            Some(i) => values[i].clone_from(value),
            None => {
                let help = match suggest::closest(key, of.attributes().iter().map(String::as_str)) {
                    Some(near) => format!("did you mean `{near}`?"),
                    None => format!("it takes: {}", of.attributes().join(", ")),
                };
                cx.error(loc, format!("plugin `{kind}` has no attribute `{key}`")).help(help);
            }
        }
    }
    if values.iter().any(|v| v.contains('\0')) {
        cx.error(loc, format!("plugin `{kind}`: a value contains the character 0"));
        return None;
    }
    match of.instance(&values) {
        Ok(instance) => {
            let row = PluginId::new(cx.plugins.rows.len());
            cx.plugins.rows.push(Row { kind: kind.to_string(), slot, name: name.to_string(), values, instance });
            Some(row)
        }
        Err(e) => {
            cx.error(loc, format!("plugin `{kind}`: {e}"));
            None
        }
    }
}

/// Finds the instance that an element names, or makes its own.
fn resolve(cx: &mut Context, plugin: Option<&Plugin>, role: Role, what: impl Fn() -> String) -> Option<()> {
    let p = plugin?;
    let row = if p.instance.is_empty() { own(cx, p, &what)? } else { named(cx, p, &what)? };
    let Row { kind, instance, .. } = &cx.plugins.rows[row.index()];
    let (fits, does) = match role {
        Role::Sdf => (instance.sdf.is_some(), "computes no signed distance"),
        Role::Actuator => (instance.actuator.is_some(), "drives no actuators"),
        Role::Sensor => (instance.sensor.is_some(), "reads no sensors"),
        Role::Passive => (instance.passive.is_some(), "computes no passive forces"),
    };
    if !fits {
        let message = format!("{}: plugin `{kind}` {does}", what());
        cx.error(p.loc, message);
        return None;
    }
    cx.plugins.of.insert(std::ptr::from_ref(p).addr(), row);
    Some(())
}

/// An instance of an element's own.
fn own(cx: &mut Context, p: &Plugin, what: &impl Fn() -> String) -> Option<PluginId> {
    if p.plugin.is_empty() {
        cx.error(p.loc, format!("{}: its plugin has neither `plugin` nor `instance`", what()));
        return None;
    }
    if !cx.spec.extensions.iter().any(|x| x.plugin == p.plugin) {
        known(cx, &p.plugin, p.loc)?;
        cx.error(p.loc, format!("{}: plugin `{}` is not declared", what(), p.plugin))
            .help(format!("add <plugin plugin=\"{}\"/> to the section `extension`", p.plugin));
        return None;
    }
    make(cx, &p.plugin, "", &p.config, p.loc)
}

/// An instance by name.
fn named(cx: &mut Context, p: &Plugin, what: &impl Fn() -> String) -> Option<PluginId> {
    let found = cx.plugins.rows.iter().position(|row| row.name == p.instance);
    let Some(i) = found else {
        // One that is declared, but wrong, has its own error.
        let declared = cx.spec.extensions.iter().flat_map(|x| &x.instances);
        if !declared.clone().any(|i| i.name == p.instance) {
            let near = suggest::closest(&p.instance, declared.map(|i| i.name.as_str())).map(str::to_string);
            let error = cx.error(p.loc, format!("{}: no instance of a plugin is named `{}`", what(), p.instance));
            if let Some(near) = near {
                error.help(format!("did you mean `{near}`?"));
            }
        }
        return None;
    };
    let kind = &cx.plugins.rows[i].kind;
    if !p.plugin.is_empty() && p.plugin != *kind {
        let message = format!("{}: instance `{}` is one of plugin `{kind}`, not of `{}`", what(), p.instance, p.plugin);
        cx.error(p.loc, message);
        return None;
    }
    if !p.config.is_empty() {
        cx.error(
            p.loc,
            format!("{}: `config` belongs to the instance `{}`, where that is declared", what(), p.instance),
        );
    }
    Some(PluginId::new(i))
}

/// Writes the instances into the model.
pub(crate) fn write(cx: &mut Context, m: &mut Model) {
    let (mut data, mut instances, mut stateadr) = (PluginData::default(), Vec::new(), 0);
    let names: Vec<(String, Loc)> = cx.plugins.rows.iter().map(|r| (r.name.clone(), Loc::NONE)).collect();
    for row in &cx.plugins.rows {
        let nstate = u32::try_from(row.instance.nstate).unwrap_or(u32::MAX);
        m.plugin.push(PluginRow { stateadr, statenum: nstate, attradr: data.attr.len() as u32 });
        stateadr = stateadr.saturating_add(nstate);
        data.names.push_str(&row.kind);
        data.names.push('\0');
        data.slot.push(row.slot as i32);
        for value in &row.values {
            data.attr.extend(value.as_bytes());
            data.attr.push(0);
        }
        instances.push(row.instance.clone());
    }
    cx.register(mj_model::ObjType::Plugin, names.iter().map(|(n, l)| (n.as_str(), *l)));
    m.plugin_data = Fixed::from(data);
    m.set_plugin_instances(instances);
}
