//! PLY, the Polygon File Format, text or binary (G. Turk, "The PLY polygon file format", 1994).

use super::{CORNERS, Triangles};
use mj_model::Spec;
use mj_model::plugin::{Decoder, Format};
use ply_rs_bw::parser::{Parser, Reader};
use ply_rs_bw::ply::{DefaultElement, ElementDef, Header, Property, PropertyAccess, PropertyAccessResult};

/// Reads vertices (`x`, `y`, `z`; normals `nx`, `ny`, `nz`; texture coordinates `s`, `t` or `u`, `v`) and faces
/// (`vertex_indices` or `vertex_index`), polygons as fans of triangles.
#[derive(Debug)]
pub(crate) struct Ply;

/// Names of a vertex's properties: position, normal, texture coordinates.
const NAMES: [&[&str]; 8] =
    [&["x"], &["y"], &["z"], &["nx"], &["ny"], &["nz"], &["s", "u", "texture_u"], &["t", "v", "texture_v"]];

/// A vertex: numbers in the order of their names.
#[derive(Default)]
struct Vertex([Option<f32>; NAMES.len()]);

impl PropertyAccess for Vertex {
    fn new() -> Self {
        Self::default()
    }

    fn set_property(&mut self, name: &str, value: Property) -> PropertyAccessResult {
        let Some(i) = NAMES.iter().position(|names| names.contains(&name)) else {
            return PropertyAccessResult::Ignored;
        };
        match value.to_f32_lossy() {
            Some(x) => self.0[i] = Some(x),
            None => return PropertyAccessResult::UnsupportedType,
        }
        PropertyAccessResult::Set
    }
}

/// A polygon: numbers of its vertices.
#[derive(Default)]
struct Polygon(Vec<u32>);

impl PropertyAccess for Polygon {
    fn new() -> Self {
        Self::default()
    }

    fn set_property(&mut self, name: &str, value: Property) -> PropertyAccessResult {
        if !matches!(name, "vertex_indices" | "vertex_index") {
            return PropertyAccessResult::Ignored;
        }
        match value.to_u32_list() {
            Some(list) => self.0 = list,
            None => return PropertyAccessResult::UnsupportedType,
        }
        PropertyAccessResult::Set
    }
}

impl Decoder for Ply {
    fn format(&self) -> Format<'_> {
        crate::PLY
    }

    fn decode(&self, _file: &str, contents: &[u8]) -> Result<Spec, String> {
        let mut reader = Reader::new(contents);
        let header = Parser::<DefaultElement>::new().read_header(&mut reader).map_err(|e| e.to_string())?;
        let (mut vertices, mut polygons) = (Vec::new(), Vec::new());
        for (name, element) in &header.elements {
            if name == "vertex" {
                vertices = read(&mut reader, element, &header)?;
            } else {
                let read = read(&mut reader, element, &header)?;
                polygons = if name == "face" { read } else { polygons };
            }
        }
        triangles(&vertices, &polygons).map(Triangles::spec)
    }
}

/// Reads all elements of a kind.
fn read<E: PropertyAccess>(
    reader: &mut Reader<&[u8]>,
    element: &ElementDef,
    header: &Header,
) -> Result<Vec<E>, String> {
    Parser::<E>::new().read_payload_for_element(reader, element, header).map_err(|e| e.to_string())
}

/// Makes triangles of polygons.
fn triangles(vertices: &[Vertex], polygons: &[Polygon]) -> Result<Triangles, String> {
    let mut out = Triangles::default();
    let all = |range: std::ops::Range<usize>| vertices.iter().all(|v| v.0[range.clone()].iter().all(Option::is_some));
    let column = |range: std::ops::Range<usize>| {
        vertices.iter().flat_map(|v| v.0[range.clone()].iter().map(|x| x.unwrap_or(0.0))).collect()
    };
    if !all(0..3) {
        return Err("its vertices lack `x`, `y` or `z`".into());
    }
    out.vertex = column(0..3);
    if all(3..6) {
        out.normal = column(3..6);
    }
    if all(6..8) {
        out.texcoord = column(6..8);
        // Images count rows from above here.
        out.texcoord.iter_mut().skip(1).step_by(2).for_each(|t| *t = 1.0 - *t);
    }
    for (i, Polygon(corners)) in polygons.iter().enumerate() {
        if let Some(&v) = corners.iter().find(|&&v| v as usize >= vertices.len()) {
            return Err(format!("face {i} has vertex {v}, but there are {}", vertices.len()));
        }
        let [first, rest @ ..] = &corners[..] else { continue };
        for pair in rest.windows(2) {
            out.face.extend([*first, pair[0], pair[1]].map(|v| v as i32));
        }
        if out.face.len() > CORNERS {
            return Err(format!("it has more than {CORNERS} corners of triangles"));
        }
    }
    Ok(out)
}
