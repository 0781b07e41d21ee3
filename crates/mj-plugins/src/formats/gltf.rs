//! glTF 2.0, as text or binary (Khronos, "glTF 2.0 Specification").

use super::{CORNERS, Triangles};
use base64::Engine as _;
use gltf_json::accessor::{ComponentType, Type};
use gltf_json::mesh::{Mode, Primitive, Semantic};
use gltf_json::validation::Checked;
use gltf_json::{Accessor, Index, Node, Root, mesh};
use mj_math::{DMat3, DMat4, DQuat, DVec3};
use mj_model::Spec;
use mj_model::plugin::{Decoder, Format};

/// Reads the triangles of a scene as one mesh, in the file's own axes: positions, normals, and the first texture coordinates.
#[derive(Debug)]
pub(crate) enum Gltf {
    /// JSON, with buffers as data.
    Text,
    /// JSON and one buffer in a binary container.
    Binary,
}

impl Decoder for Gltf {
    fn format(&self) -> Format<'_> {
        match self {
            Self::Text => crate::GLTF,
            Self::Binary => crate::GLB,
        }
    }

    fn decode(&self, _file: &str, contents: &[u8]) -> Result<Spec, String> {
        let (json, binary) = match self {
            Self::Text => (contents, None),
            Self::Binary => chunks(contents)?,
        };
        let root: Root = gltf_json::deserialize::from_slice(json).map_err(|e| format!("its JSON is wrong: {e}"))?;
        let harmless =
            |name: &str| name == "KHR_mesh_quantization" || name.contains("material") || name.contains("texture");
        if let Some(name) = root.extensions_required.iter().find(|name| !harmless(name)) {
            return Err(format!("it needs the extension {name}, which is not read"));
        }
        let buffers = (0..root.buffers.len()).map(|i| buffer(&root, i, binary)).collect::<Result<_, _>>()?;
        Scene { root: &root, buffers, out: Triangles::default(), has_normals: true, has_texcoords: true }.read()
    }
}

/// Parts of a binary file: its JSON and its buffer.
fn chunks(bytes: &[u8]) -> Result<(&[u8], Option<&[u8]>), String> {
    let word = |at: usize| bytes.get(at..at + 4).and_then(|b| b.try_into().ok()).map(u32::from_le_bytes);
    if bytes.get(..4) != Some(b"glTF") || word(4) != Some(2) {
        return Err("it does not start as binary glTF of version 2 does".into());
    }
    let (mut at, mut json, mut binary) = (12, None, None);
    while let (Some(length), Some(kind)) = (word(at), word(at + 4)) {
        let chunk = bytes.get(at + 8..).and_then(|rest| rest.get(..length as usize)).ok_or("it ends too early")?;
        match &kind.to_le_bytes() {
            b"JSON" if json.is_none() => json = Some(chunk),
            b"BIN\0" if binary.is_none() => binary = Some(chunk),
            _ => {}
        }
        at += 8 + length as usize;
    }
    Ok((json.ok_or("it has no JSON")?, binary))
}

/// Contents of a buffer.
fn buffer(root: &Root, index: usize, binary: Option<&[u8]>) -> Result<Vec<u8>, String> {
    let Some(uri) = &root.buffers[index].uri else {
        return binary.filter(|_| index == 0).map(<[u8]>::to_vec).ok_or_else(|| format!("buffer {index} has no data"));
    };
    let Some((_, data)) = uri.strip_prefix("data:").and_then(|rest| rest.split_once(";base64,")) else {
        return Err(format!("buffer {index} is another file, `{uri}`: pack both into one .glb file"));
    };
    base64::engine::general_purpose::STANDARD.decode(data).map_err(|e| format!("buffer {index}: {e}"))
}

/// A scene that is read.
struct Scene<'a> {
    root: &'a Root,
    buffers: Vec<Vec<u8>>,
    out: Triangles,
    /// Whether all primitives so far have normals.
    has_normals: bool,
    /// Whether all primitives so far have texture coordinates.
    has_texcoords: bool,
}

/// Entry of a list that an index names.
fn entry<'a, T>(list: &'a [T], index: Index<T>, what: &str) -> Result<&'a T, String> {
    list.get(index.value()).ok_or_else(|| format!("there is no {what} {}", index.value()))
}

impl Scene<'_> {
    /// Reads the default scene, or without scenes all meshes as they are.
    fn read(mut self) -> Result<Spec, String> {
        let root = self.root;
        let scene = match root.scene {
            Some(index) => Some(entry(&root.scenes, index, "scene")?),
            None => root.scenes.first(),
        };
        let Some(scene) = scene else {
            for mesh in &root.meshes {
                self.mesh(mesh, DMat4::IDENTITY)?;
            }
            return Ok(self.finish());
        };
        let mut todo: Vec<_> = scene.nodes.iter().rev().map(|&n| (n, DMat4::IDENTITY)).collect();
        let mut seen = vec![false; root.nodes.len()];
        while let Some((index, outer)) = todo.pop() {
            let node = entry(&root.nodes, index, "node")?;
            if std::mem::replace(&mut seen[index.value()], true) {
                return Err(format!("node {} has two parents", index.value()));
            }
            let pose = outer * transform(node);
            if let Some(mesh) = node.mesh {
                self.mesh(entry(&root.meshes, mesh, "mesh")?, pose)?;
            }
            todo.extend(node.children.iter().flatten().rev().map(|&n| (n, pose)));
        }
        Ok(self.finish())
    }

    fn finish(mut self) -> Spec {
        if !self.has_normals {
            self.out.normal.clear();
        }
        if !self.has_texcoords {
            self.out.texcoord.clear();
        }
        self.out.spec()
    }

    fn mesh(&mut self, mesh: &mesh::Mesh, pose: DMat4) -> Result<(), String> {
        mesh.primitives.iter().try_for_each(|p| self.primitive(p, pose))
    }

    /// Reads triangles, strips and fans; points and lines are none.
    fn primitive(&mut self, p: &Primitive, pose: DMat4) -> Result<(), String> {
        let Checked::Valid(mode @ (Mode::Triangles | Mode::TriangleStrip | Mode::TriangleFan)) = p.mode else {
            return Ok(());
        };
        let Some(positions) = self.attribute(p, &Semantic::Positions, Type::Vec3)? else { return Ok(()) };
        let (first, count) = (self.out.vertex.len() / 3, positions.len() / 3);
        self.out.vertex.extend(turned(&positions, |v| pose.transform_point3(v)));
        let linear = DMat3::from_mat4(pose);
        let is_mirror = linear.determinant() < 0.0;
        match self.attribute(p, &Semantic::Normals, Type::Vec3)? {
            Some(normals) if normals.len() == positions.len() && linear.determinant() != 0.0 => {
                let of_normals = linear.inverse().transpose();
                self.out.normal.extend(turned(&normals, |n| (of_normals * n).normalize_or(DVec3::Z)));
            }
            _ => self.has_normals = false,
        }
        match self.attribute(p, &Semantic::TexCoords(0), Type::Vec2)? {
            Some(texcoords) if texcoords.len() == 2 * count => {
                self.out.texcoord.extend(texcoords.iter().map(|&x| x as f32))
            }
            _ => self.has_texcoords = false,
        }
        let corners: Vec<usize> = match p.indices {
            Some(index) => self.numbers(index, Type::Scalar)?.iter().map(|&x| x as usize).collect(),
            None => (0..count).collect(),
        };
        if let Some(v) = corners.iter().find(|&&v| v >= count) {
            return Err(format!("a triangle has vertex {v}, but there are {count}"));
        }
        let faces: Vec<[usize; 3]> = match mode {
            Mode::TriangleStrip => {
                let turn = |(i, w): (usize, &[usize])| if i % 2 == 0 { [w[0], w[1], w[2]] } else { [w[1], w[0], w[2]] };
                corners.windows(3).enumerate().map(turn).collect()
            }
            Mode::TriangleFan => match &corners[..] {
                [hub, rim @ ..] => rim.windows(2).map(|w| [*hub, w[0], w[1]]).collect(),
                [] => Vec::new(),
            },
            _ => corners.as_chunks().0.to_vec(),
        };
        for [a, b, c] in faces {
            let face = if is_mirror { [a, c, b] } else { [a, b, c] };
            self.out.face.extend(face.map(|v| (first + v) as i32));
        }
        if self.out.vertex.len().max(self.out.face.len()) > CORNERS {
            return Err(format!("it has more than {CORNERS} corners of triangles"));
        }
        Ok(())
    }

    /// Numbers of an attribute, if the primitive has it.
    fn attribute(&self, p: &Primitive, semantic: &Semantic, of: Type) -> Result<Option<Vec<f64>>, String> {
        let accessor = p.attributes.get(&Checked::Valid(semantic.clone()));
        accessor.map(|&index| self.numbers(index, of)).transpose()
    }

    /// Numbers that an accessor names, one entry after the other.
    fn numbers(&self, index: Index<Accessor>, of: Type) -> Result<Vec<f64>, String> {
        let accessor = entry(&self.root.accessors, index, "accessor")?;
        let fault = |problem: &str| format!("accessor {}: {problem}", index.value());
        if accessor.type_ != Checked::Valid(of) {
            return Err(fault("it has another type than its use asks for"));
        }
        let Checked::Valid(component) = accessor.component_type else {
            return Err(fault("its numbers are of no known type"));
        };
        if accessor.sparse.is_some() {
            return Err(fault("sparse ones are not read"));
        }
        let view = accessor.buffer_view.ok_or_else(|| fault("it has no data"))?;
        let view = entry(&self.root.buffer_views, view, "buffer view")?;
        let data = self.buffers.get(view.buffer.value()).ok_or_else(|| fault("its buffer does not exist"))?;
        let at = |offset: Option<gltf_json::validation::USize64>| offset.map_or(0, |x| x.0 as usize);
        let short = || fault("it reaches beyond its buffer");
        let data =
            data.get(at(view.byte_offset)..).and_then(|d| d.get(..view.byte_length.0 as usize)).ok_or_else(short)?;
        let data = data.get(at(accessor.byte_offset)..).ok_or_else(short)?;
        let (width, size) = (of.multiplicity(), component.0.size());
        let stride = view.byte_stride.map_or(width * size, |s| s.0);
        let count = accessor.count.0 as usize;
        if stride < width * size {
            return Err(fault("its entries overlap"));
        }
        let wanted = count.checked_sub(1).map_or(Some(0), |n| n.checked_mul(stride)?.checked_add(width * size));
        if wanted.is_none_or(|wanted| wanted > data.len()) {
            return Err(short());
        }
        let numbers = (0..count).flat_map(|i| data[i * stride..][..width * size].chunks_exact(size));
        Ok(numbers.map(|bytes| number(bytes, component.0, accessor.normalized)).collect())
    }
}

/// A number of a type; normalized integers are fractions of the greatest.
fn number(bytes: &[u8], of: ComponentType, normalized: bool) -> f64 {
    let wide = |n: usize| std::array::from_fn::<u8, 4, _>(|i| if i < n { bytes[i] } else { 0 });
    let (value, greatest) = match of {
        ComponentType::I8 => (f64::from(bytes[0] as i8), 127.0),
        ComponentType::U8 => (f64::from(bytes[0]), 255.0),
        ComponentType::I16 => (f64::from(i16::from_le_bytes([bytes[0], bytes[1]])), 32767.0),
        ComponentType::U16 => (f64::from(u16::from_le_bytes([bytes[0], bytes[1]])), 65535.0),
        ComponentType::U32 => (f64::from(u32::from_le_bytes(wide(4))), f64::from(u32::MAX)),
        ComponentType::F32 => return f64::from(f32::from_le_bytes(wide(4))),
    };
    if normalized { (value / greatest).max(-1.0) } else { value }
}

/// Pose of a node in its parent.
fn transform(node: &Node) -> DMat4 {
    if let Some(matrix) = node.matrix {
        return DMat4::from_cols_array(&matrix.map(f64::from));
    }
    let vector = |v: Option<[f32; 3]>, or: DVec3| v.map_or(or, |v| DVec3::from_array(v.map(f64::from)));
    let turn = node.rotation.map_or(DQuat::IDENTITY, |q| DQuat::from_array(q.0.map(f64::from)));
    let (pos, scale) = (vector(node.translation, DVec3::ZERO), vector(node.scale, DVec3::ONE));
    DMat4::from_scale_rotation_translation(scale, turn, pos)
}

/// Vectors after a map, in single precision.
fn turned(numbers: &[f64], map: impl Fn(DVec3) -> DVec3) -> impl Iterator<Item = f32> {
    numbers.as_chunks::<3>().0.iter().flat_map(move |&v| map(DVec3::from_array(v)).to_array().map(|x| x as f32))
}
