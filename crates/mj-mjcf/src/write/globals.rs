//! Settings of the whole model, assets, custom fields and keyframes.

use super::element::Element;
use super::{Classes, deformable};
use crate::elements::assets::{LAYER, MATERIAL, ROLES, TEXTURE};
use crate::elements::custom::{KEY, NUMERIC, NumericForm, TEXT, TUPLE, TUPLE_ELEMENT};
use crate::elements::globals::{COMPILER, FLAGS, LENGTHRANGE, OPTION, SIZE, STATISTIC, VISUAL};
use crate::elements::shapes::{HFIELD, MESH};
use crate::reader::table::Shape;
use crate::syntax::number;
use mj_model::spec::*;
use mj_model::{Options, Spec, Visual};

pub(super) fn compiler(c: &Compiler) -> Element {
    let usual = Compiler::default();
    let mut e = Element::of("compiler", &COMPILER, c, &usual);
    let ranges = Element::of("lengthrange", &LENGTHRANGE, &c.lengthrange, &usual.lengthrange);
    e.children.extend((!ranges.is_bare()).then_some(ranges));
    e
}

pub(super) fn option(o: &Options) -> Element {
    let usual = Options::default();
    let mut e = Element::of("option", &OPTION, o, &usual);
    let flags = Element::of("flag", &FLAGS, o, &usual);
    e.children.extend((!flags.is_bare()).then_some(flags));
    e
}

pub(super) fn size(s: &Sizes) -> Element {
    Element::of("size", &SIZE, s, &Sizes::default())
}

pub(super) fn statistic(s: &StatisticOverride) -> Element {
    Element::of("statistic", &STATISTIC, s, &StatisticOverride::default())
}

/// Visual options in the order given. A section can hold each sub-element once, and that each
/// attribute once: what comes again starts a new section.
pub(super) fn visual(v: &Visual) -> Vec<Element> {
    let mut sections = Vec::new();
    let mut section = Element::new("visual");
    // Elements of this section, and attributes of the last one.
    let (mut elements, mut attributes): (Vec<&str>, Vec<&str>) = (Vec::new(), Vec::new());
    for a in &v.attributes {
        let Some((name, table)) = VISUAL.iter().find(|t| t.0 == a.element) else { continue };
        let Some(attr) = table.find(&a.name, false) else { continue };
        let continues = elements.last() == Some(name) && !attributes.contains(&attr.form.name);
        if !continues {
            if elements.contains(name) {
                sections.push(std::mem::replace(&mut section, Element::new("visual")));
                elements.clear();
            }
            section.children.push(Element::new(name));
            elements.push(name);
            attributes.clear();
        }
        attributes.push(attr.form.name);
        let value = match attr.form.shape {
            Shape::Keyword(words) => {
                a.value.first().and_then(|&row| words.get(row as usize)).unwrap_or(&words[0]).to_string()
            }
            _ => a.value.iter().map(|&x| number::text(x)).collect::<Vec<_>>().join(" "),
        };
        if let Some(e) = section.children.last_mut() {
            e.set(attr.form.name, value);
        }
    }
    sections.extend((!section.is_bare()).then_some(section));
    sections
}

pub(super) fn custom(numerics: &[Numeric], texts: &[Text], tuples: &[Tuple]) -> Element {
    let mut section = Element::new("custom");
    for n in numerics {
        let form = NumericForm { name: n.name.clone(), data: n.data.clone(), ..Default::default() };
        section.children.push(Element::of("numeric", &NUMERIC, &form, &NumericForm::default()));
    }
    for t in texts {
        let mut e = Element::of("text", &TEXT, t, &Text::default());
        e.set_apart("data");
        section.children.push(e);
    }
    for t in tuples {
        let mut e = Element::of("tuple", &TUPLE, t, &Tuple::default());
        for (kind, name, parameter) in &t.items {
            let item = (kind.keyword().to_string(), name.clone(), *parameter);
            e.children.push(Element::of("element", &TUPLE_ELEMENT, &item, &Default::default()));
        }
        section.children.push(e);
    }
    section
}

pub(super) fn assets(spec: &Spec, classes: &Classes) -> Element {
    let Spec { textures, materials, meshes, hfields, .. } = spec;
    let mut section = Element::new("asset");
    for m in meshes {
        let class = classes.choose(&m.class, classes.root);
        let mut e = Element::of("mesh", &MESH, m, &class.mesh);
        e.children.extend(m.plugin.iter().map(deformable::plugin));
        section.children.push(e);
    }
    section.children.extend(hfields.iter().map(|h| Element::of("hfield", &HFIELD, h, &Hfield::default())));
    for t in textures {
        let class = classes.choose(&t.class, classes.root);
        section.children.push(Element::of("texture", &TEXTURE, t, &class.texture));
    }
    for m in materials {
        let class = classes.choose(&m.class, classes.root);
        let mut e = Element::new("material");
        material(&mut e, m, &class.material, false);
        section.children.push(e);
    }
    section
}

/// A material with its textures: one in the usual role is an attribute, those in others are layers.
pub(super) fn material(e: &mut Element, m: &Material, prototype: &Material, in_default: bool) {
    e.give(&MATERIAL, m, prototype, in_default);
    let differs = |role: usize| m.textures[role] != prototype.textures[role];
    if ROLES.iter().any(|&(_, role)| role != 1 && differs(role)) {
        e.unset("texture");
        for &(name, role) in ROLES.iter().filter(|r| differs(r.1)) {
            let layer = (m.textures[role].clone(), name.to_string());
            e.children.push(Element::of("layer", &LAYER, &layer, &Default::default()));
        }
    }
}

pub(super) fn keyframe(keys: &[Key]) -> Element {
    let mut section = Element::new("keyframe");
    section.children.extend(keys.iter().map(|k| Element::of("key", &KEY, k, &Key::default())));
    section
}
