//! Meshes in formats that a registry's decoders read.

use crate::messages::describe;
use mj_model::plugin::Registry;
use mj_model::spec::{FileBytes, Mesh};
use mj_model::{Diagnostics, Spec};

/// Returns a spec whose meshes have vertices and faces in the place of files that a decoder reads. `None`: no file is one.
pub(crate) fn decoded(spec: &Spec, registry: &Registry, diag: &mut Diagnostics) -> Option<Spec> {
    let is_read = |m: &Mesh| !m.file.is_empty() && registry.decoder(&m.content_type, &m.file).is_some();
    if !spec.meshes.iter().any(is_read) {
        return None;
    }
    let mut spec = spec.clone();
    for m in spec.meshes.iter_mut().filter(|m| is_read(m)) {
        if let Err(problem) = decode(m, registry) {
            diag.error(m.loc, format!("{}: `{}`: {problem}", describe("mesh", &m.name), m.file));
            // No model comes of this, and nothing else should complain of the mesh.
            (m.vertex, m.face) = (vec![0., 0., 0., 1., 0., 0., 0., 1., 0., 0., 0., 1.], Vec::new());
            (m.normal, m.texcoord) = (Vec::new(), Vec::new());
        }
        (m.file, m.contents) = (String::new(), FileBytes::default());
    }
    Some(spec)
}

/// Gives a mesh what is in its file.
fn decode(m: &mut Mesh, registry: &Registry) -> Result<(), String> {
    let decoder = registry.decoder(&m.content_type, &m.file).ok_or("no decoder reads it")?;
    let mut spec = decoder.decode(&m.file, &m.contents)?;
    if spec.meshes.is_empty() {
        return Err("there is no mesh in it".into());
    }
    let found = spec.meshes.swap_remove(0);
    macro_rules! take {
        ($($list:ident)*) => {$(
            if !found.$list.is_empty() {
                if !m.$list.is_empty() {
                    return Err(format!("`{}` is given in the file and beside it", stringify!($list)));
                }
                m.$list = found.$list;
            }
        )*};
    }
    take!(vertex normal texcoord face facetexcoord);
    Ok(())
}
