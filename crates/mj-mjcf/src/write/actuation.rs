//! Actuators and sensors.

use super::element::Element;
use super::{Classes, deformable};
use crate::elements::actuator_form::Form;
use crate::elements::actuators::{ACTUATOR_PLUGIN, GENERAL};
use crate::elements::sensors::{self, SENSORS};
use mj_model::spec::{Actuator, Sensor};

pub(super) fn actuator(actuators: &[Actuator], classes: &Classes) -> Element {
    let mut section = Element::new("actuator");
    let form = |a: &Actuator| Form { a: a.clone(), ..Default::default() };
    for a in actuators {
        let class = classes.choose(&a.class, classes.root);
        let Some(plugin) = &a.plugin else {
            section.children.push(Element::of("general", &GENERAL, &form(a), &form(&class.actuator)));
            continue;
        };
        let whole = Form { plugin: plugin.clone(), ..form(a) };
        let mut e = Element::of("plugin", &ACTUATOR_PLUGIN, &whole, &form(&class.actuator));
        e.children.extend(deformable::config(&plugin.config));
        section.children.push(e);
    }
    section
}

pub(super) fn sensor(sensors: &[Sensor]) -> Element {
    let mut section = Element::new("sensor");
    for s in sensors {
        if let Some((kind, table)) = SENSORS.iter().find(|t| t.0 == s.r#type) {
            let mut e = Element::of(kind.keyword(), table, s, &sensors::prototype(*kind));
            e.children.extend(s.plugin.iter().flat_map(|p| deformable::config(&p.config)));
            section.children.push(e);
        }
    }
    section
}
