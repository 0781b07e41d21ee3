//! Flexes, skins and plugins.

use super::element::Element;
use crate::elements::deformable::{ELASTICITY, FLEX, FLEX_CONTACT, FLEX_EDGE, FLEXCOMP, FLEXCOMP_EDGE, PIN};
use crate::elements::plugins::{CONFIG, EXTENSION, INSTANCE, PLUGIN};
use crate::elements::skins::{BONE, SKIN};
use mj_model::spec::*;

pub(super) fn deformable(flexes: &[Flex], skins: &[Skin]) -> Element {
    let mut section = Element::new("deformable");
    for f in flexes {
        let mut e = Element::of("flex", &FLEX, f, &Flex::default());
        let edge = Element::of("edge", &FLEX_EDGE, &f.edge, &FlexEdge::default());
        e.children.extend(parts(&f.contact, edge, &f.elasticity));
        section.children.push(e);
    }
    for s in skins {
        let mut e = Element::of("skin", &SKIN, s, &Skin::default());
        e.children.extend(s.bones.iter().map(|b| Element::of("bone", &BONE, b, &Bone::default())));
        section.children.push(e);
    }
    section
}

pub(super) fn flexcomp(f: &Flexcomp) -> Element {
    let mut e = Element::of("flexcomp", &FLEXCOMP, f, &Flexcomp::default());
    let edge = Element::of("edge", &FLEXCOMP_EDGE, &f.edge, &FlexEdge::default());
    e.children.extend(parts(&f.contact, edge, &f.elasticity));
    e.children.extend(f.pins.iter().map(|p| Element::of("pin", &PIN, p, &Pin::default())));
    e.children.extend(f.plugin.iter().map(plugin));
    e
}

/// Elements inside flexes of both kinds, without those that hold defaults alone.
fn parts(contact: &FlexContact, edge: Element, elasticity: &Elasticity) -> impl Iterator<Item = Element> {
    let contact = Element::of("contact", &FLEX_CONTACT, contact, &FlexContact::default());
    let elasticity = Element::of("elasticity", &ELASTICITY, elasticity, &Elasticity::default());
    [contact, edge, elasticity].into_iter().filter(|e| !e.is_bare())
}

pub(super) fn extension(extensions: &[Extension]) -> Element {
    let mut section = Element::new("extension");
    for x in extensions {
        let mut e = Element::of("plugin", &EXTENSION, x, &Extension::default());
        for i in &x.instances {
            let mut instance = Element::of("instance", &INSTANCE, i, &PluginInstance::default());
            instance.children.extend(config(&i.config));
            e.children.push(instance);
        }
        section.children.push(e);
    }
    section
}

pub(super) fn plugin(p: &Plugin) -> Element {
    let mut e = Element::of("plugin", &PLUGIN, p, &Plugin::default());
    e.children.extend(config(&p.config));
    e
}

/// Settings of an instance.
pub(super) fn config(entries: &[(String, String)]) -> impl Iterator<Item = Element> {
    entries.iter().map(|entry| Element::of("config", &CONFIG, entry, &Default::default()))
}
