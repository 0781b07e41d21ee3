//! Assets with geometry: meshes and height fields, and the files that they come from.

use crate::elements::assets::stem;
use crate::limits;
use crate::reader::Reader;
use crate::reader::table::{Attr, Given, Rule, Slot, Table, attr};
use crate::syntax::resolver::normal;
use crate::syntax::tree::{self, Node};
use mj_math::{DQuat, quat};
use mj_model::spec::*;
use std::path::Path;

pub(crate) const MESH: Table<Mesh> = Table {
    groups: &[&[
        attr!(Mesh: "name" name).own(),
        attr!(Mesh: "class" class).own(),
        attr!(Mesh: "content_type" content_type).own(),
        attr!(Mesh: "file" file).own(),
        attr!(Mesh: "vertex" vertex).own(),
        attr!(Mesh: "normal" normal).own(),
        attr!(Mesh: "texcoord" texcoord).own(),
        attr!(Mesh: "face" face).own(),
        attr!(Mesh: "refpos" refpos).own(),
        Attr::new("refquat", <[f64; 4]>::SHAPE, |m: &mut Mesh, v| {
            if let &[w, x, y, z] = v.numbers() {
                m.refquat = DQuat::from_xyzw(x, y, z, w);
            }
        })
        .own()
        .give(|m| Given::numbers(&quat::to_wxyz(m.refquat))),
        attr!(Mesh: "scale" scale),
        attr!(Mesh: "inertia" inertia),
        attr!(Mesh: "smoothnormal" smoothnormal).own(),
        attr!(Mesh: "maxhullvert" maxhullvert),
        attr!(Mesh: "builtin" builtin).own(),
        attr!(Mesh: "params" params).own(),
        attr!(Mesh: "material" material).own(),
    ]],
    rules: &[Rule::AtMostOne(&[&["file"], &["vertex"], &["builtin"]])],
};

pub(crate) const HFIELD: Table<Hfield> = Table {
    groups: &[&[
        attr!(Hfield: "name" name),
        attr!(Hfield: "content_type" content_type),
        attr!(Hfield: "file" file),
        attr!(Hfield: "nrow" nrow),
        attr!(Hfield: "ncol" ncol),
        attr!(Hfield: "size" size).required(),
        Attr::new("elevation", Vec::<f32>::SHAPE, |h: &mut Hfield, v| h.elevation.put(v))
            .give(|h| as_map(&h.elevation, h.ncol).give()),
    ]],
    rules: &[],
};

/// Rows in the opposite order: elevations are written like a map, the first row at the greatest y, and kept the other
/// way round.
fn as_map(elevation: &[f32], ncol: i32) -> Vec<f32> {
    let columns = usize::try_from(ncol).unwrap_or(0).max(1);
    elevation.rchunks(columns).flatten().copied().collect()
}

impl Reader<'_> {
    pub(crate) fn mesh(&mut self, node: &Node, class: usize) {
        let mut mesh = Mesh { loc: node.loc, ..self.spec.defaults[class].mesh.clone() };
        self.mesh_into(node, &mut mesh);
        self.fetch(node, "file", &mut mesh.file, &mut mesh.contents);
        self.name_by_file(node, "mesh", &mut mesh.name, &mesh.file);
        self.spec.meshes.push(mesh);
    }

    /// Reads a mesh's attributes.
    pub(crate) fn mesh_into(&mut self, node: &Node, mesh: &mut Mesh) {
        self.attributes(node, &MESH, mesh);
        mesh.plugin = self.plugin_of(node).or(mesh.plugin.take());
        if node.attribute("maxhullvert").is_some() && mesh.maxhullvert != -1 && mesh.maxhullvert < 4 {
            self.error(node.value_loc("maxhullvert"), "`maxhullvert` must be at least 4")
                .help("-1 is without a limit; a solid has four vertices or more");
        }
        if node.attribute("params").is_some() && mesh.builtin.is_empty() {
            self.error(node.value_loc("params"), "`params` are those of a `builtin` shape, which is missing");
        }
    }

    pub(crate) fn hfield(&mut self, node: &Node) {
        let mut field = Hfield { loc: node.loc, ..Default::default() };
        self.attributes(node, &HFIELD, &mut field);
        self.no_children(node);
        self.fetch(node, "file", &mut field.file, &mut field.contents);
        self.name_by_file(node, "hfield", &mut field.name, &field.file);

        let cells = i64::from(field.nrow).saturating_mul(i64::from(field.ncol));
        if field.nrow < 0 || field.ncol < 0 || cells > limits::COUNT {
            let message = format!("{} by {} elevations are not possible", field.nrow, field.ncol);
            self.error(node.loc, message).help(format!("a height field has at most {}", limits::COUNT));
        } else if !field.elevation.is_empty() && field.elevation.len() as i64 != cells {
            let message = format!(
                "`elevation` has {} numbers, but {} rows of {} columns are {cells}",
                field.elevation.len(),
                field.nrow,
                field.ncol
            );
            self.error(node.value_loc("elevation"), message);
        } else if field.ncol > 0 {
            field.elevation = as_map(&field.elevation, field.ncol);
        }
        self.spec.hfields.push(field);
    }

    /// Names an element without a name by its file, whose directory and ending do not count.
    pub(crate) fn name_by_file(&mut self, node: &Node, kind: &'static str, name: &mut String, file: &str) {
        let by_file = name.is_empty() && !file.is_empty();
        if by_file {
            *name = stem(file);
        }
        self.declare(kind, name, node.value_loc(if by_file { "file" } else { "name" }));
    }

    /// Gets the file that an attribute of an element names, from `texturedir` for textures and `meshdir` for all else, or
    /// from beside the file that the element stands in.
    pub(crate) fn fetch(&mut self, node: &Node, attribute: &str, file: &mut String, contents: &mut FileBytes) {
        self.fetch_unless(false, node, attribute, file, contents);
    }

    /// Reads a file of an asset, unless it is to be by reference and others can read it, too.
    pub(crate) fn fetch_unless(
        &mut self,
        by_reference: bool,
        node: &Node,
        attribute: &str,
        file: &mut String,
        contents: &mut FileBytes,
    ) {
        if file.is_empty() {
            return;
        }
        let loc = node.value_loc(attribute);
        let c = &self.spec.compiler;
        if c.strippath {
            *file = file.rsplit(['/', '\\']).next().unwrap_or_default().to_string();
        }
        let is_texture = node.name == "texture";
        if is_texture && c.discardvisual {
            return;
        }
        let (place, directory) = if is_texture { ("texturedir", &c.texturedir) } else { ("meshdir", &c.meshdir) };
        let directory = self.base.join(directory);
        let mut path = normal(&directory.join(Path::new(file)));
        let beside = &self.dirs[node.dir];
        if !beside.as_os_str().is_empty() && !self.files.exists(&path) {
            *file = beside.join(&*file).to_string_lossy().into_owned();
            path = normal(&directory.join(Path::new(file)));
        }
        if let Some(known) = self.asset_files.get(&path) {
            contents.clone_from(known);
            return;
        }
        if by_reference && self.files.is_on_disk(&path) {
            return;
        }
        let limit = limits::FILE_BYTES.min(limits::ASSET_BYTES.saturating_sub(self.asset_bytes));
        match self.files.read(&path, limit) {
            Ok(bytes) if bytes.is_empty() => {
                self.error(loc, format!("file `{}` is empty", path.display()));
            }
            Ok(bytes) => {
                self.asset_bytes += bytes.len() as u64;
                *contents = FileBytes::new(bytes);
                self.asset_files.insert(path, contents.clone());
            }
            Err(e) => {
                let message = format!("cannot read `{}`: {}", path.display(), tree::describe(&e));
                let d = self.error(loc, message);
                if e.kind() == std::io::ErrorKind::NotFound {
                    d.help(format!(
                        "files like this are looked for in `{place}` of `compiler`, from the main file's directory"
                    ));
                }
            }
        }
    }
}
