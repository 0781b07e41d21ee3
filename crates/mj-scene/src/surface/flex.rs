//! Vertices, edges and faces of flexes.

use crate::codes::VisFlag;
use crate::options::SceneOptions;
use crate::scene::{FlexSurface, Scene, Surface};
use crate::vectors::{single, unit};
use mj_engine::{Data, Model};
use mj_math::DVec3;
use mj_model::{FlexId, MaterialId};

/// Brings flexes up to date (`mjv_updateActiveFlex`).
pub(crate) fn update_flexes(m: &Model, d: &Data, options: &SceneOptions, scene: &mut Scene) {
    scene.flexvertopt = options.flag(VisFlag::FlexVert);
    scene.flexedgeopt = options.flag(VisFlag::FlexEdge);
    scene.flexfaceopt = options.flag(VisFlag::FlexFace);
    scene.flexskinopt = options.flag(VisFlag::FlexSkin);
    scene.flexes.resize_with(m.flex.len(), FlexSurface::default);
    for (f, surface) in m.flex.ids().zip(&mut scene.flexes) {
        let flex = Flex::new(m, d, f);
        surface.vertices.clear();
        surface.vertices.extend(flex.vertices.iter().map(|v| v.to_array().map(|x| x as f32)));
        surface.edges.clear();
        let first = m.flex.edgeadr[f] as usize;
        surface.edges.extend_from_slice(&m.flex_data.edge[first..first + m.flex.edgenum[f] as usize]);
        let faces = &mut surface.faces;
        faces.positions.clear();
        faces.normals.clear();
        faces.texcoords.clear();
        surface.slices.clear();
        let normals = if flex.dim > 1 && scene.flexskinopt { flex.normals() } else { Vec::new() };
        for (material, parts) in flex.slices(&materials_of(m, f)) {
            let start = faces.positions.len() / 3;
            match flex.dim {
                1 if scene.flexskinopt || scene.flexfaceopt => flex.boxes(&parts.elements, faces),
                2 | 3 if scene.flexskinopt => flex.smooth(&parts, &normals, faces),
                2 | 3 if scene.flexfaceopt => flex.flat(&parts.elements, options.flex_layer, faces),
                _ => {}
            }
            surface.slices.push((material, start, faces.positions.len() / 3 - start));
        }
    }
}

/// Returns the materials of a flex's elements.
fn materials_of(m: &Model, f: FlexId) -> Vec<Option<MaterialId>> {
    let all = m.flex_data.matid.get(m.flex.elemadr[f] as usize..).unwrap_or_default();
    all[..all.len().min(m.flex.elemnum[f] as usize)].to_vec()
}

/// Elements and pieces of the outside that have one material.
#[derive(Default)]
struct Parts {
    elements: Vec<usize>,
    shell: Vec<usize>,
}

/// One flex, with its parts of the model's arrays.
struct Flex<'a> {
    dim: usize,
    radius: f64,
    flat_shading: bool,
    vertices: &'a [DVec3],
    /// Vertices of elements, and their texture coordinates.
    elements: &'a [i32],
    element_texcoords: &'a [i32],
    layers: &'a [i32],
    /// Vertices of the outer faces, or of the border of a sheet.
    shell: &'a [i32],
    texcoords: Option<&'a [[f32; 2]]>,
    /// Half axes of the rectangular sections of a rod's elements.
    sections: Vec<[DVec3; 2]>,
}

impl<'a> Flex<'a> {
    fn new(m: &'a Model, d: &'a Data, f: FlexId) -> Self {
        let (data, dim) = (&*m.flex_data, m.flex.dim[f] as usize);
        let elements = m.flex.elemdataadr[f] as usize..;
        let count = m.flex.elemnum[f] as usize;
        let texcoords = usize::try_from(m.flex.texcoordadr[f]).ok();
        let shell = usize::try_from(m.flex.shelldataadr[f]).ok();
        Self {
            dim,
            radius: m.flex.radius[f],
            flat_shading: m.flex.flatskin[f],
            vertices: &d.flexes.vert_xpos[m.flex.vertadr[f] as usize..][..m.flex.vertnum[f] as usize],
            elements: &data.elem[elements.clone()][..count * (dim + 1)],
            element_texcoords: data.elemtexcoord.get(elements).map_or(&[], |t| &t[..t.len().min(count * (dim + 1))]),
            layers: data.elemlayer.get(m.flex.elemadr[f] as usize..).map_or(&[], |l| &l[..l.len().min(count)]),
            shell: shell.map_or(&[], |adr| &data.shell[adr..][..m.flex.shellnum[f] as usize * dim]),
            texcoords: texcoords.map(|adr| &data.texcoord[adr..]),
            sections: sections(m, d, f),
        }
    }

    /// Appends boxes around the elements of a rod that has a rectangular section.
    fn boxes(&self, elements: &[usize], out: &mut Surface) {
        for &e in elements {
            let Some(&[a, b]) = self.sections.get(e).filter(|s| **s != [DVec3::ZERO; 2]) else { continue };
            let ends = [self.elements[2 * e], self.elements[2 * e + 1]].map(|i| self.vertex(i));
            // Corners of both ends, around the section.
            let [near, far] = ends.map(|v| [v + a - b, v + a + b, v - a + b, v - a - b]);
            let mut add = |corners: [DVec3; 3]| {
                let normal = unit((corners[1] - corners[0]).cross(corners[2] - corners[0]));
                out.positions.extend(corners.map(single));
                out.normals.extend([single(normal); 3]);
            };
            for k in 0..4 {
                let next = (k + 1) % 4;
                add([near[k], near[next], far[next]]);
                add([near[k], far[next], far[k]]);
            }
            add([near[0], near[3], near[2]]);
            add([near[0], near[2], near[1]]);
            add([far[0], far[1], far[2]]);
            add([far[0], far[2], far[3]]);
        }
    }

    /// Returns the materials in the order of their first elements, each with its elements and pieces of the outside.
    fn slices(&self, materials: &[Option<MaterialId>]) -> Vec<(Option<MaterialId>, Parts)> {
        let mut slices: Vec<(Option<MaterialId>, Parts)> = Vec::new();
        let count = self.elements.len() / (self.dim + 1);
        let pieces = self.shell.len() / self.dim;
        for e in 0..count {
            let material = materials.get(e).copied().flatten();
            match slices.iter_mut().find(|(of, _)| *of == material) {
                Some((_, parts)) => parts.elements.push(e),
                None => slices.push((material, Parts { elements: vec![e], shell: Vec::new() })),
            }
        }
        if let [(_, parts)] = &mut slices[..] {
            parts.shell = (0..pieces).collect();
            return slices;
        }
        // A piece belongs to the element that has all its vertices.
        let mut around = vec![Vec::new(); self.vertices.len()];
        for (e, element) in self.elements.chunks_exact(self.dim + 1).enumerate() {
            element.iter().for_each(|&v| around[v as usize].push(e));
        }
        for (k, piece) in self.shell.chunks_exact(self.dim).enumerate() {
            let holds = |e: &&usize| piece.iter().all(|&v| around[v as usize].contains(e));
            let owner = around[piece[0] as usize].iter().find(holds).copied();
            let slice = slices.iter_mut().find(|(_, parts)| owner.is_some_and(|e| parts.elements.contains(&e)));
            if let Some((_, parts)) = slice {
                parts.shell.push(k);
            }
        }
        slices
    }

    fn vertex(&self, i: i32) -> DVec3 {
        self.vertices[i as usize]
    }

    /// Returns the area vector's direction of a triangle.
    fn normal(&self, [a, b, c]: [i32; 3]) -> DVec3 {
        let origin = self.vertex(a);
        unit((self.vertex(b) - origin).cross(self.vertex(c) - origin))
    }

    /// Appends texture coordinates of a face.
    fn texture(&self, corners: [i32; 3], out: &mut Surface) {
        if let Some(coordinates) = self.texcoords {
            out.texcoords.extend(corners.map(|i| coordinates.get(i as usize).copied().unwrap_or_default()));
        }
    }

    /// Appends the faces of elements, each with its own normal, shifted outwards by the radius.
    fn flat(&self, elements: &[usize], layer: i32, out: &mut Surface) {
        const OF_TRIANGLE: &[[usize; 3]] = &[[0, 1, 2], [0, 2, 1]];
        const OF_TETRAHEDRON: &[[usize; 3]] = &[[0, 1, 2], [0, 2, 3], [0, 3, 1], [1, 3, 2]];
        let faces = if self.dim == 2 { OF_TRIANGLE } else { OF_TETRAHEDRON };
        for &e in elements {
            let element = &self.elements[e * (self.dim + 1)..];
            if self.dim == 3 && self.layers.get(e) != Some(&layer) {
                continue;
            }
            let texcoords = self.element_texcoords.get(e * (self.dim + 1)..);
            for &face in faces {
                let corners = face.map(|k| element[k]);
                let normal = self.normal(corners);
                out.positions.extend(corners.map(|i| single(self.vertex(i) + normal * self.radius)));
                out.normals.extend([single(normal); 3]);
                self.texture(face.map(|k| texcoords.and_then(|t| t.get(k)).copied().unwrap_or(0)), out);
            }
        }
    }

    /// Returns the triangles of the smooth surface, and their texture coordinates: elements of a sheet, outer faces of a solid.
    fn triangles(&self) -> (&'a [[i32; 3]], &'a [[i32; 3]]) {
        let (triangles, texcoords) =
            if self.dim == 2 { (self.elements, self.element_texcoords) } else { (self.shell, self.shell) };
        (triangles.as_chunks().0, texcoords.as_chunks().0)
    }

    /// Returns unit normals at the vertices: means over the triangles around.
    fn normals(&self) -> Vec<DVec3> {
        let mut normals = vec![DVec3::ZERO; self.vertices.len()];
        for &face in self.triangles().0 {
            let normal = self.normal(face);
            face.into_iter().for_each(|i| normals[i as usize] += normal);
        }
        normals.iter_mut().for_each(|n| *n = unit(*n));
        normals
    }

    /// Appends a smooth surface: outer faces of a solid, both sides and the border of a sheet, with normals at vertices.
    fn smooth(&self, parts: &Parts, normals: &[DVec3], out: &mut Surface) {
        let (triangles, texcoords) = self.triangles();
        let sides: &[f64] = if self.dim == 2 { &[1.0, -1.0] } else { &[1.0] };
        for &k in if self.dim == 2 { &parts.elements } else { &parts.shell } {
            let [a, b, c] = triangles[k];
            let [ta, tb, tc] = texcoords.get(k).copied().unwrap_or_default();
            for &side in sides {
                let front = side > 0.0;
                let face = if front { [a, b, c] } else { [a, c, b] };
                let own = self.normal(face);
                for i in face {
                    let normal = normals[i as usize];
                    out.positions.push(single(self.vertex(i) + normal * (side * self.radius)));
                    out.normals.push(single(if self.flat_shading { own } else { normal * side }));
                }
                self.texture(if front { [ta, tb, tc] } else { [ta, tc, tb] }, out);
            }
        }
        if self.dim == 2 {
            let (border, _) = self.shell.as_chunks::<2>();
            for [a, b] in parts.shell.iter().map(|&k| border[k]) {
                self.side([a, b], self.radius, normals, out);
                self.side([b, a], -self.radius, normals, out);
            }
        }
    }

    /// Appends half of the strip that closes a sheet along an edge of its border.
    fn side(&self, [a, b]: [i32; 2], radius: f64, normals: &[DVec3], out: &mut Surface) {
        let across = (self.vertex(b) - self.vertex(a)).cross(normals[b as usize]);
        let normal = unit(if radius < 0.0 { -across } else { across });
        for (i, sign) in [(a, 1.0), (b, -1.0), (b, 1.0)] {
            out.positions.push(single(self.vertex(i) + normals[i as usize] * (sign * radius)));
        }
        out.normals.extend([single(normal); 3]);
        self.texture([a, b, b], out);
    }
}

/// Returns the half axes of the rectangular sections of a rod's elements, first and second; none for other flexes.
fn sections(m: &Model, d: &Data, f: FlexId) -> Vec<[DVec3; 2]> {
    let first = m.flex.elemadr[f] as usize;
    let of_flex = d.flexes.sections.elem.get(first..first + m.flex.elemnum[f] as usize).unwrap_or_default();
    // The data have the greater half axis first.
    let turned = m.rod_records(f).first().is_some_and(|r| r[9] < 0.0);
    of_flex.iter().map(|&[a, b]| if turned { [b, a] } else { [a, b] }).collect()
}
