//! Default classes.

use super::element::Element;
use super::globals;
use crate::elements::actuator_form::Form;
use crate::elements::actuators::GENERAL;
use crate::elements::assets::TEXTURE;
use crate::elements::bodies::{CAMERA, GEOM, JOINT, LIGHT, SITE};
use crate::elements::relations::{EQUALITY_COMMON, PAIR, TENDON};
use crate::elements::shapes::MESH;
use crate::reader::table::Table;
use mj_model::spec::DefaultClass;

/// The tree of default classes: each says what it does not have from its parent.
///
/// A class has its parent's values as they are where it is defined. Classes that lack something of
/// the root, which got it later, therefore come in a section before the root's own values.
pub(super) fn classes(list: &[DefaultClass]) -> Vec<Element> {
    let mut children = vec![Vec::new(); list.len()];
    for (row, c) in list.iter().enumerate() {
        // A class comes after its parent, so that there are no circles.
        if let Some(parent) = c.parent.filter(|p| *p < row) {
            children[parent].push(row);
        }
    }
    let Some(root) = list.first() else { return Vec::new() };
    let lacks = |row: &usize| prototypes(&list[*row], root).iter().any(|p| p.lacks);
    let early = children[0].iter().rposition(lacks).map_or(0, |last| last + 1);
    let blank = DefaultClass::default();
    let mut first = Element::new("default");
    let rows: Vec<usize> = children[0].drain(..early).collect();
    first.children.extend(rows.into_iter().map(|row| class(list, &children, &list[row], &blank, row)));
    vec![first, class(list, &children, root, &blank, 0)]
}

fn class(
    list: &[DefaultClass],
    children: &[Vec<usize>],
    c: &DefaultClass,
    parent: &DefaultClass,
    row: usize,
) -> Element {
    let mut e = Element::new("default");
    if row > 0 {
        e.set("class", c.name.clone());
    }
    e.children.extend(prototypes(c, parent).into_iter().filter(|p| !p.is_bare()));
    e.children.extend(children[row].iter().map(|&child| class(list, children, &list[child], c, child)));
    e
}

fn prototypes(c: &DefaultClass, parent: &DefaultClass) -> Vec<Element> {
    let DefaultClass {
        name: _,
        parent: _,
        loc: _,
        joint,
        geom,
        site,
        camera,
        light,
        texture,
        material,
        pair,
        equality,
        tendon,
        actuator,
        mesh,
    } = c;
    fn prototype<T>(name: &'static str, table: &Table<T>, value: &T, parent: &T) -> Element {
        let mut e = Element::new(name);
        e.give(table, value, parent, true);
        e
    }
    let mut layered = Element::new("material");
    globals::material(&mut layered, material, &parent.material, true);
    let form = |a: &mj_model::spec::Actuator| Form { a: a.clone(), ..Default::default() };
    vec![
        prototype("texture", &TEXTURE, texture, &parent.texture),
        layered,
        prototype("mesh", &MESH, mesh, &parent.mesh),
        prototype("joint", &JOINT, joint, &parent.joint),
        prototype("geom", &GEOM, geom, &parent.geom),
        prototype("site", &SITE, site, &parent.site),
        prototype("camera", &CAMERA, camera, &parent.camera),
        prototype("light", &LIGHT, light, &parent.light),
        prototype("pair", &PAIR, pair, &parent.pair),
        prototype("equality", &EQUALITY_COMMON, equality, &parent.equality),
        prototype("tendon", &TENDON, tendon, &parent.tendon),
        prototype("general", &GENERAL, &form(actuator), &form(&parent.actuator)),
    ]
}
