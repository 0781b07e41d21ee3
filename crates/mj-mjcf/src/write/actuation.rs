//! Actuators and sensors.

use super::Classes;
use super::element::Element;
use crate::actuators::{Form, GENERAL};
use crate::sensors::{self, SENSORS};
use mj_model::spec::{Actuator, Sensor};

pub(super) fn actuator(actuators: &[Actuator], classes: &Classes) -> Element {
    let mut section = Element::new("actuator");
    let form = |a: &Actuator| Form { a: a.clone(), ..Default::default() };
    for a in actuators {
        let class = classes.choose(&a.class, classes.root);
        section.children.push(Element::of("general", &GENERAL, &form(a), &form(&class.actuator)));
    }
    section
}

pub(super) fn sensor(sensors: &[Sensor]) -> Element {
    let mut section = Element::new("sensor");
    for s in sensors {
        if let Some((kind, table)) = SENSORS.iter().find(|t| t.0 == s.r#type) {
            section.children.push(Element::of(kind.keyword(), table, s, &sensors::prototype(*kind)));
        }
    }
    section
}
