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

/// Files that textures are from, by row; one that is missing has an empty path.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TextureFiles {
    /// File of each texture.
    pub list: Vec<TextureFile>,
}

/// File that a texture is from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TextureFile {
    /// Path; empty: the texture is built in, or has a file for each side.
    pub path: String,
    /// Media type that was given; empty: the ending tells it.
    pub content_type: String,
}

binary!(TextureFile { path, content_type });

impl Binary for TextureFiles {
    fn write(&self, out: &mut Vec<u8>) {
        self.list.len().write(out);
        self.list.iter().for_each(|file| file.write(out));
    }
    fn read(from: &mut Source) -> Result<Self> {
        Ok(Self { list: from.list(TextureFile::read)? })
    }
    fn layout(out: &mut String) {
        TextureFile::layout(out);
    }
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
