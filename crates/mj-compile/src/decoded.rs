//! Meshes in formats that a registry's decoders read.

use mj_model::plugin::Registry;
use mj_model::spec::{FileBytes, Mesh};
use std::borrow::Cow;

/// Returns a mesh with vertices and faces in the place of its file, if a decoder reads that, or else the mesh as it is.
pub(crate) fn decoded<'a>(m: &'a Mesh, registry: &Registry) -> Result<Cow<'a, Mesh>, String> {
    let Some(decoder) = registry.decoder(&m.content_type, &m.file).filter(|_| !m.file.is_empty()) else {
        return Ok(Cow::Borrowed(m));
    };
    let spec = decoder.decode(&m.file, &m.contents).map_err(|e| format!("`{}`: {e}", m.file))?;
    let found = spec.meshes.into_iter().next().ok_or_else(|| format!("`{}`: there is no mesh in it", m.file))?;
    let mut out = Mesh { file: String::new(), contents: FileBytes::default(), ..m.clone() };
    macro_rules! take {
        ($($list:ident)*) => {$(
            if !found.$list.is_empty() {
                if !out.$list.is_empty() {
                    return Err(format!("`{}`: `{}` is given in it and beside it", m.file, stringify!($list)));
                }
                out.$list = found.$list;
            }
        )*};
    }
    take!(vertex normal texcoord face facetexcoord);
    Ok(Cow::Owned(out))
}
