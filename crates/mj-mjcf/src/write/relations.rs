//! Elements that tie others together: contact pairs and exclusions, equality constraints, tendons.

use super::Classes;
use super::element::Element;
use crate::elements::relations::{
    EXCLUDE, FIXED, PAIR, PATH_GEOM, PATH_JOINT, PATH_PULLEY, PATH_SITE, PathForm, TENDON, equality_table,
};
use mj_model::spec::*;
use mj_model::{EqType, ObjType, TendonType};

pub(super) fn contact(pairs: &[Pair], excludes: &[Exclude], classes: &Classes) -> Element {
    let mut section = Element::new("contact");
    for p in pairs {
        let class = classes.choose(&p.class, classes.root);
        section.children.push(Element::of("pair", &PAIR, p, &class.pair));
    }
    for x in excludes {
        section.children.push(Element::of("exclude", &EXCLUDE, x, &Exclude::default()));
    }
    section
}

pub(super) fn equality(equalities: &[Equality], classes: &Classes) -> Element {
    let mut section = Element::new("equality");
    for q in equalities {
        let mut prototype = classes.choose(&q.class, classes.root).equality.clone();
        prototype.r#type = q.r#type;
        if q.r#type == EqType::FlexStrain {
            prototype.data[..3].fill(-1.0);
        }
        if q.r#type == EqType::Weld && q.objtype != ObjType::Site {
            prototype.data[..3].fill(0.0);
        }
        section.children.push(Element::of(q.r#type.keyword(), equality_table(q.r#type), q, &prototype));
    }
    section
}

pub(super) fn tendon(tendons: &[Tendon], classes: &Classes) -> Element {
    let mut section = Element::new("tendon");
    for t in tendons {
        let class = classes.choose(&t.class, classes.root);
        let table = match t.r#type {
            TendonType::Fixed => &FIXED,
            TendonType::Spatial => &TENDON,
        };
        let mut e = Element::of(t.r#type.keyword(), table, t, &class.tendon);
        e.children.extend(t.path.iter().map(|w| object(&w.object)));
        section.children.push(e);
    }
    section
}

fn object(o: &WrapObject) -> Element {
    let (element, table, form) = match o.clone() {
        WrapObject::Joint { joint, coef } => {
            ("joint", &PATH_JOINT, PathForm { name: joint, number: coef, ..Default::default() })
        }
        WrapObject::Site { site } => ("site", &PATH_SITE, PathForm { name: site, ..Default::default() }),
        WrapObject::Geom { geom, sidesite } => {
            ("geom", &PATH_GEOM, PathForm { name: geom, side: sidesite, ..Default::default() })
        }
        WrapObject::Pulley { divisor } => ("pulley", &PATH_PULLEY, PathForm { number: divisor, ..Default::default() }),
    };
    Element::of(element, table, &form, &PathForm::default())
}
