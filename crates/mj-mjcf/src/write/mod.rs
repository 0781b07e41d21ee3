//! Writes a spec as MJCF text, by the tables that it is read by.
//!
//! An element says what it does not have from its default class, every number so that it is read
//! back bit for bit, angles and orientations in the unit and form in which they stand in the spec.

mod actuation;
mod defaults;
mod deformable;
mod element;
mod globals;
mod pack;
mod relations;
mod tree;

use element::Element;
use mj_model::spec::DefaultClass;
use mj_model::{Diagnostics, Spec};
pub use pack::pack;
use std::collections::HashMap;

/// A model as MJCF text: read again, it compiles to the same model.
///
/// Included files are part of the text; files of assets are named as they are in the spec, from the
/// directory of the model. Actuators are written as `general`, with the parameters that their
/// shortcuts stand for.
///
/// A spec built by a program can hold what MJCF has no words for: a value that the default class
/// has and the element lacks (give it the element's own class, or none), or a free joint with both
/// `align` and parameters of other joints.
///
/// ```
/// let text = "<mujoco><worldbody><geom size='0.1' pos='0 0 0.30000000000000004'/></worldbody></mujoco>";
/// let (spec, _) = mj_mjcf::read_str(text, &mj_mjcf::Memory::new());
/// let saved = mj_mjcf::write(&spec.unwrap());
/// assert!(saved.contains(r#"<geom size="0.1" pos="0 0 0.30000000000000004"/>"#));
/// ```
#[must_use]
pub fn write(spec: &Spec) -> String {
    // Names of classes that aren't there are written, and refused by whoever reads the text.
    let spec = &*spec.with_defaults(&mut Diagnostics::default());
    // Field by field, so that a new one cannot be forgotten.
    let Spec {
        modelname,
        sources: _,
        option_locs: _,
        compiler,
        option,
        visual,
        statistic,
        size,
        defaults,
        worldbody,
        textures: _,
        materials: _,
        meshes: _,
        hfields: _,
        skins,
        flexes,
        extensions,
        pairs,
        excludes,
        equalities,
        tendons,
        actuators,
        sensors,
        numerics,
        texts,
        tuples,
        keys,
    } = spec;
    let classes = Classes::new(defaults);
    let mut root = Element::new("mujoco");
    root.set("model", modelname.clone());
    let sections =
        [globals::compiler(compiler), globals::option(option), globals::size(size), globals::statistic(statistic)];
    root.children.extend(sections.into_iter().filter(|s| !s.is_bare()));
    root.children.extend(globals::visual(visual));
    root.children.extend(defaults::classes(defaults).into_iter().filter(|s| !s.is_bare()));
    let sections = [
        deformable::extension(extensions),
        globals::custom(numerics, texts, tuples),
        globals::assets(spec, &classes),
        tree::world(worldbody, &classes),
        deformable::deformable(flexes, skins),
        relations::contact(pairs, excludes, &classes),
        relations::equality(equalities, &classes),
        relations::tendon(tendons, &classes),
        actuation::actuator(actuators, &classes),
        actuation::sensor(sensors),
        globals::keyframe(keys),
    ];
    root.children.extend(sections.into_iter().filter(|s| !s.is_bare()));
    root.text()
}

/// Default classes by name.
struct Classes<'a> {
    by_name: HashMap<&'a str, &'a DefaultClass>,
    root: &'a DefaultClass,
}

impl<'a> Classes<'a> {
    fn new(list: &'a [DefaultClass]) -> Self {
        static NONE: std::sync::LazyLock<DefaultClass> = std::sync::LazyLock::new(DefaultClass::default);
        let by_name = list.iter().map(|c| (c.name.as_str(), c)).collect();
        Self { by_name, root: list.first().unwrap_or(&NONE) }
    }

    /// The class that a name chooses, or the one that applies where there is none.
    fn choose(&self, name: &Option<String>, otherwise: &'a DefaultClass) -> &'a DefaultClass {
        name.as_deref().and_then(|n| self.by_name.get(n).copied()).unwrap_or(otherwise)
    }
}
