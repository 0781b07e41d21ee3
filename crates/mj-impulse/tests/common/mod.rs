//! What the tests share.

use mj_model::Model;

/// A model from text.
pub fn load(xml: &str) -> Model {
    let mut files = mj_mjcf::Memory::new();
    files.insert("model.xml", xml);
    let (spec, report) = mj_mjcf::read(std::path::Path::new("model.xml"), &files);
    let (model, diagnostics) = mj_compile::compile(&spec.unwrap_or_else(|| panic!("{report}")));
    model.unwrap_or_else(|| panic!("{:?}", diagnostics.list))
}
