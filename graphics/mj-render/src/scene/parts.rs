//! From geoms of a scene to parts: shapes with an instance each, in the order of the geoms.

use super::dynamic;
use super::instance::{InstanceData, Placement, TextureMap, encode};
use super::material::{Material, materials, surface};
use crate::geometry::{MeshRange, Shapes, Vertex};
use crate::gpu::{TextureKind, Textures};
use mj_model::Model;
use mj_scene::{Scene, SceneGeom, SceneShape, category};

/// Where the triangles of a part lie.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Triangles {
    /// Among those of the shapes and assets.
    Fixed(MeshRange),
    /// Among those that come with the scene: range of vertices.
    Moving(std::ops::Range<u32>),
}

/// Drawn shape.
#[derive(Clone, Debug)]
pub struct Part {
    /// Geom, by its place in the scene.
    pub geom: usize,
    /// Instance.
    pub instance: u32,
    /// Triangles.
    pub triangles: Triangles,
    /// Kind of texture.
    pub kind: TextureKind,
    /// Texture of the colour.
    pub texture: Option<usize>,
    /// Material.
    pub material: Option<usize>,
    /// Bits of the material's other textures, of physical shading.
    pub layers: u32,
    /// Whether back faces are never left out.
    pub two_sided: bool,
    /// Whether it is a line.
    pub line: bool,
    /// Whether it casts a shadow.
    pub casts: bool,
    /// Whether it is shown among ids.
    pub identified: bool,
}

/// Sizes and settings of the model that placing geoms needs.
pub struct Assets {
    /// Where the triangles of the shapes lie.
    pub shapes: Shapes,
    /// Materials.
    pub materials: Vec<Material>,
    /// Faces and texture coordinates of skins, by corner.
    pub skins: Vec<dynamic::SkinFaces>,
    /// Distance of the far plane, m.
    pub zfar: f32,
    /// Width of lines, pixels.
    pub line_width: f32,
}

/// Number of parts along an infinite plane: its half size is that of the reference's grid.
const GRID: f32 = 200.0;

impl Assets {
    /// Takes what placing needs from a model.
    pub fn new(m: &Model, shapes: Shapes, zfar: f32, line_width: f32, physical: bool) -> Self {
        Self { shapes, materials: materials(m, physical), skins: dynamic::skin_faces(m), zfar, line_width }
    }
}

/// Parts of a scene with their instances, and the triangles that come with it.
#[derive(Default)]
pub struct Parts {
    /// Parts, in the order of the geoms.
    pub list: Vec<Part>,
    /// Instances.
    pub instances: Vec<InstanceData>,
    /// Vertices of flexes and skins.
    pub vertices: Vec<Vertex>,
}

/// Texture that a geom shows, with its mapping before it knows the shape.
#[derive(Clone, Copy)]
struct Shown {
    kind: TextureKind,
    texture: Option<usize>,
    material: Option<usize>,
    layers: u32,
    repeat: [f32; 2],
    uniform: bool,
}

const BARE: Shown =
    Shown { kind: TextureKind::None, texture: None, material: None, layers: 0, repeat: [0.0; 2], uniform: false };

fn shown(geom: &SceneGeom, assets: &Assets, textures: &Textures) -> Shown {
    let Ok(material) = usize::try_from(geom.matid) else { return BARE };
    let (texture, repeat, uniform) = if geom.texid >= 0 {
        (geom.texid, geom.texrepeat, geom.texuniform)
    } else {
        assets.materials.get(material).map_or((-1, [0.0; 2], false), |m| (m.texture, m.repeat, m.uniform))
    };
    let kind = textures.kind(texture);
    // The layers are flat, and lie as a flat colour does.
    let layers = if kind == TextureKind::Cube { 0 } else { textures.layers(material) };
    Shown { kind, texture: usize::try_from(texture).ok(), material: Some(material), layers, repeat, uniform }
}

/// Returns a plane's half sizes: where one is 0, as far as the eye sees, in whole repetitions of the texture.
fn plane_size(geom: &SceneGeom, assets: &Assets) -> [f32; 2] {
    let material = usize::try_from(geom.matid).ok().and_then(|id| assets.materials.get(id));
    [0, 1].map(|k| {
        if geom.size[k] > 0.0 {
            return geom.size[k];
        }
        let repeat = material.map_or(0.0, |m| m.repeat[k]);
        let step = if repeat > 0.0 { 2.0 / repeat } else { 2.1 * assets.zfar / (GRID - 2.0) };
        1.05 * assets.zfar + step
    })
}

/// Returns how a geom's texture lies on it.
fn texture_map(geom: &SceneGeom, shown: &Shown, size: [f32; 2]) -> TextureMap {
    use SceneShape::*;
    let has_coordinates = matches!(
        geom.r#type,
        Plane | Sphere | Ellipsoid | Box | Cylinder | Capsule | Arrow | Arrow1 | Arrow2 | Triangle
    );
    let uniform = |k: usize| if shown.uniform && geom.size[k] > 0.0 { geom.size[k] } else { 1.0 };
    let kind = if shown.layers != 0 { TextureKind::Flat } else { shown.kind };
    match kind {
        TextureKind::Flat if geom.texcoord || has_coordinates => {
            let scale = [0, 1].map(|k| uniform(k) * if shown.repeat[k] > 0.0 { shown.repeat[k] } else { 1.0 });
            let endless = geom.r#type == Plane && (geom.size[0] <= 0.0 || geom.size[1] <= 0.0);
            let shift = if endless { -0.5 } else { 0.0 };
            // Coordinates of an infinite plane count metres from its middle.
            let across = |k: usize| {
                if geom.r#type == Plane && geom.size[k] <= 0.0 {
                    (size[k] * scale[k], shift - 0.5 * size[k] * scale[k])
                } else {
                    (scale[k], shift)
                }
            };
            let ((u, du), (v, dv)) = (across(0), across(1));
            TextureMap::Vertices([u, v, du, dv])
        }
        TextureKind::Flat => {
            let scale = [0, 1].map(|k| {
                let placed = if geom.dataid >= 0 && geom.size[k] > 0.0 { 1.0 / geom.size[k] } else { 1.0 };
                shown.repeat[k] * placed * uniform(k)
            });
            TextureMap::Position([0.5 * scale[0], -0.5 * scale[1], -0.5, -0.5])
        }
        _ => TextureMap::Direction(if shown.uniform { geom.size } else { [1.0; 3] }),
    }
}

impl Parts {
    /// Makes the parts of a scene; geoms with numbers that are not finite, or whose asset isn't there, are left out.
    pub fn fill(&mut self, scene: &Scene, assets: &Assets, textures: &Textures) {
        self.list.clear();
        self.instances.clear();
        self.vertices.clear();
        for (number, geom) in scene.geoms.iter().enumerate() {
            let shown = shown(geom, assets, textures);
            match geom.r#type {
                SceneShape::Flex => self.flex(number, geom, scene, assets, shown),
                SceneShape::Skin => self.skin(number, geom, scene, assets, shown),
                _ => {
                    if let Some((mesh, placement)) = shape(geom, assets) {
                        let size = if geom.r#type == SceneShape::Plane { plane_size(geom, assets) } else { [1.0; 2] };
                        let map = texture_map(geom, &shown, size);
                        self.push(number, geom, Triangles::Fixed(mesh), &placement, shown, map, assets);
                    }
                }
            }
        }
    }

    #[allow(clippy::too_many_arguments)]
    fn push(
        &mut self,
        number: usize,
        geom: &SceneGeom,
        triangles: Triangles,
        placement: &Placement,
        shown: Shown,
        map: TextureMap,
        assets: &Assets,
    ) {
        let line = matches!(geom.r#type, SceneShape::Line | SceneShape::LineBox);
        let width = if geom.r#type == SceneShape::LineBox { 1.5 } else { geom.size[0] } * assets.line_width;
        let plane = geom.r#type == SceneShape::Plane;
        let material = usize::try_from(geom.matid).ok().and_then(|m| assets.materials.get(m));
        let surface = surface(geom, material, shown.layers);
        let Some(data) = encode(geom, placement, map, width, plane, surface) else { return };
        let Ok(instance) = u32::try_from(self.instances.len()) else { return };
        self.instances.push(data);
        self.list.push(Part {
            geom: number,
            instance,
            triangles,
            kind: shown.kind,
            texture: shown.texture.filter(|_| shown.kind != TextureKind::None),
            material: shown.material,
            layers: shown.layers,
            two_sided: plane || line || geom.r#type == SceneShape::Triangle,
            line,
            casts: geom.castshadow && !line && geom.category != category::DECOR,
            identified: geom.segid >= 0,
        });
    }

    fn flex(&mut self, number: usize, geom: &SceneGeom, scene: &Scene, assets: &Assets, shown: Shown) {
        let Some(flex) = usize::try_from(geom.objid).ok().and_then(|f| scene.flexes.get(f)) else { return };
        let faces = dynamic::flex_faces(flex, geom);
        let smooth = scene.flexskinopt && !flex.faces.positions.is_empty();
        let radius = geom.size[0];
        let direction = TextureMap::Direction([1.0; 3]);
        // A flex of several materials has its vertices and edges once.
        if radius > 0.0 && !smooth && geom.dataid <= 0 {
            if scene.flexvertopt {
                let mesh = assets.shapes.sphere.clone();
                for &pos in &flex.vertices {
                    let placement = Placement { pos, scale: [radius; 3], ..Placement::world() };
                    self.push(number, geom, Triangles::Fixed(mesh.clone()), &placement, BARE, direction, assets);
                }
            }
            if scene.flexedgeopt {
                let mesh = assets.shapes.tube.clone();
                for placement in dynamic::flex_edges(flex, radius) {
                    self.push(number, geom, Triangles::Fixed(mesh.clone()), &placement, BARE, direction, assets);
                }
            }
        }
        let first = self.vertices.len();
        dynamic::append_faces(&mut self.vertices, faces);
        self.push_moving(number, geom, first, assets, shown);
    }

    fn skin(&mut self, number: usize, geom: &SceneGeom, scene: &Scene, assets: &Assets, shown: Shown) {
        let Some(s) = usize::try_from(geom.objid).ok() else { return };
        let (Some(skin), Some(faces)) = (scene.skins.get(s), assets.skins.get(s)) else { return };
        let first = self.vertices.len();
        dynamic::append_skin(&mut self.vertices, skin, faces);
        self.push_moving(number, geom, first, assets, shown);
    }

    fn push_moving(&mut self, number: usize, geom: &SceneGeom, first: usize, assets: &Assets, shown: Shown) {
        let (Ok(first), Ok(end)) = (u32::try_from(first), u32::try_from(self.vertices.len())) else { return };
        if first < end {
            let map = texture_map(geom, &shown, [1.0; 2]);
            self.push(number, geom, Triangles::Moving(first..end), &Placement::world(), shown, map, assets);
        }
    }
}

/// Returns the triangles and the placement of a geom.
fn shape(geom: &SceneGeom, assets: &Assets) -> Option<(MeshRange, Placement)> {
    let shapes = &assets.shapes;
    let [x, y, z] = geom.size;
    let scaled = |scale: [f32; 3]| Placement::of(geom, scale);
    let asset = |list: &[MeshRange]| usize::try_from(geom.dataid).ok().and_then(|id| list.get(id)).cloned();
    let (mesh, placement) = match geom.r#type {
        SceneShape::Plane => {
            let size = plane_size(geom, assets);
            let mesh = if size == [x, y] { &shapes.plane } else { &shapes.wide_plane };
            (mesh.clone(), scaled([size[0], size[1], 1.0]))
        }
        SceneShape::Hfield => (asset(&shapes.hfields)?, scaled([1.0; 3])),
        SceneShape::Mesh | SceneShape::Sdf => (asset(&shapes.meshes)?, scaled([1.0; 3])),
        SceneShape::Sphere | SceneShape::Ellipsoid => (shapes.sphere.clone(), scaled([x, y, z])),
        SceneShape::Capsule => (shapes.capsule.clone(), Placement { end: z, ..scaled([x, y, 0.5 * (x + y)]) }),
        SceneShape::Cylinder => (shapes.cylinder.clone(), scaled([x, y, z])),
        SceneShape::Box => (shapes.cuboid.clone(), scaled([x, y, z])),
        SceneShape::Arrow => (shapes.arrow.clone(), scaled([x, y, z / 6.0])),
        SceneShape::Arrow1 => (shapes.narrow_arrow.clone(), scaled([x, y, z / 6.0])),
        SceneShape::Arrow2 => (shapes.double_arrow.clone(), scaled([x, y, z / 3.0])),
        SceneShape::Line => (shapes.line.clone(), scaled([1.0, 1.0, z])),
        SceneShape::LineBox => (shapes.line_box.clone(), scaled([x, y, z])),
        SceneShape::Triangle => (shapes.triangle.clone(), scaled([x, y, 1.0])),
        SceneShape::Flex | SceneShape::Skin | SceneShape::Label | SceneShape::None => return None,
    };
    (!mesh.indices.is_empty()).then_some((mesh, placement))
}
