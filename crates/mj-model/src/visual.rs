//! Visual options of a model.

use crate::storage::{Binary, Result, Source};

/// Visual options (MJCF `visual`), kept as written: (sub-element, attribute, numbers).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Visual {
    /// Every attribute given.
    pub attributes: Vec<VisualAttribute>,
}

/// One attribute of a sub-element of `visual`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct VisualAttribute {
    /// Sub-element: `global`, `quality`, `headlight`, `map`, `scale`, `rgba`.
    pub element: String,
    /// Attribute.
    pub name: String,
    /// Numbers.
    pub value: Vec<f64>,
}

binary!(VisualAttribute { element, name, value });

impl Binary for Visual {
    fn write(&self, out: &mut Vec<u8>) {
        let Self { attributes } = self;
        attributes.len().write(out);
        attributes.iter().for_each(|a| a.write(out));
    }
    fn read(from: &mut Source) -> Result<Self> {
        Ok(Self { attributes: from.list(VisualAttribute::read)? })
    }
    fn layout(out: &mut String) {
        VisualAttribute::layout(out);
    }
}
