//! The list of geoms that grows, with what the functions that add to it need.

use super::islands::Islands;
use crate::codes::{SceneShape, VisFlag, category};
use crate::interact::Perturb;
use crate::options::SceneOptions;
use crate::scene::{FlexSurface, SceneGeom};
use crate::settings::VisualSettings;
use crate::vectors::{single, unit};
use mj_engine::{Data, Model};
use mj_math::{DMat3, DVec3, quat};
use mj_model::{BodyId, MaterialId, ObjType};

/// Longest text of a label, bytes.
const LABEL_SIZE: usize = 99;

/// Grey of elements without a colour of their own.
const DEFAULT_RGBA: [f32; 4] = [0.5, 0.5, 0.5, 1.0];

/// Model, data and options, and the list of geoms.
pub(super) struct Painter<'a> {
    pub m: &'a Model,
    pub d: &'a Data,
    pub vis: &'a VisualSettings,
    pub opt: &'a SceneOptions,
    pub pert: &'a Perturb,
    /// Categories that are shown.
    pub mask: i32,
    /// Position of the scene's camera before the update.
    pub eye: DVec3,
    pub islands: Islands,
    /// Surfaces of flexes, up to date.
    pub flexes: &'a [FlexSurface],
    pub geoms: &'a mut Vec<SceneGeom>,
}

impl Painter<'_> {
    /// Returns a length that is given in units of the mean size of bodies.
    pub fn scaled(&self, factor: f32) -> f64 {
        f64::from(factor) * self.m.stat.meansize
    }

    /// Returns whether a flag is on.
    pub fn flag(&self, flag: VisFlag) -> bool {
        self.opt.flag(flag)
    }

    /// Returns whether elements of a body are shown.
    pub fn shows(&self, body: BodyId) -> bool {
        self.category(body) & self.mask != 0
    }

    /// Returns the category of a body's elements.
    pub fn category(&self, body: BodyId) -> i32 {
        if self.m.body.weldid[body] == BodyId::WORLD { category::STATIC } else { category::DYNAMIC }
    }

    /// Appends a geom.
    pub fn push(&mut self, mut geom: SceneGeom) {
        geom.segid = i32::try_from(self.geoms.len()).unwrap_or(-1);
        self.geoms.push(geom);
    }

    /// Appends decoration between two points.
    pub fn connect(&mut self, shape: SceneShape, width: f64, ends: [DVec3; 2], rgba: [f32; 4], of: (ObjType, usize)) {
        let mut geom = decoration(of);
        geom.rgba = rgba;
        connector(&mut geom, shape, width, ends);
        self.push(geom);
    }

    /// Appends a triangle: its sides are those of its frame, not at right angles.
    pub fn triangle(&mut self, corners: [DVec3; 3], rgba: [f32; 4], of: (ObjType, usize)) {
        let [first, second] = [corners[1] - corners[0], corners[2] - corners[0]];
        let normal = first.cross(second);
        let size = DVec3::new(first.length(), second.length(), normal.length());
        let frame = DMat3::from_cols(unit(first), unit(second), unit(normal));
        let mut geom = decoration(of);
        place(&mut geom, SceneShape::Triangle, size, corners[0], frame);
        geom.rgba = rgba;
        self.push(geom);
    }

    /// Appends the three axes of a frame.
    pub fn frame(&mut self, id: usize, pos: DVec3, mat: DMat3, length: f64, width: f64) {
        for (i, axis) in [mat.x_axis, mat.y_axis, mat.z_axis].into_iter().enumerate() {
            let mut rgba = [0.0, 0.0, 0.0, 1.0];
            rgba[i] = 0.9;
            let ends = [pos, pos + axis * length];
            self.connect(SceneShape::Cylinder, width, ends, rgba, (ObjType::Unknown, id));
        }
    }

    /// Gives a geom its material, or the colour that replaces the material's.
    pub fn set_material(&self, geom: &mut SceneGeom, material: Option<MaterialId>, rgba: [f32; 4]) {
        let mat = &self.m.mat;
        if let Some(id) = material {
            geom.rgba = mat.rgba[id];
            geom.emission = mat.emission[id];
            geom.specular = mat.specular[id];
            geom.shininess = mat.shininess[id];
            geom.reflectance = mat.reflectance[id];
        }
        if material.is_none() || rgba != DEFAULT_RGBA {
            geom.rgba = rgba;
        }
        if let Some(id) = material.filter(|_| self.flag(VisFlag::Texture)) {
            /// Role of a texture that is the colour of a surface (`mjTEXROLE_RGB`).
            const ROLE_RGB: usize = 1;
            geom.matid = id.index() as i32;
            geom.texid = mat.texid[id][ROLE_RGB].map_or(-1, |t| t.index() as i32);
            geom.texuniform = mat.texuniform[id];
            geom.texrepeat = mat.texrepeat[id];
        }
        if self.flag(VisFlag::Transparent) && geom.category == category::DYNAMIC {
            geom.rgba[3] *= self.vis.map.alpha;
        }
    }

    /// Makes a geom glow if its body is selected.
    pub fn glow_if_selected(&self, geom: &mut SceneGeom, body: BodyId) {
        if self.pert.select > 0 && self.pert.select as usize == body.index() {
            geom.emission += self.vis.global.glow;
        }
    }

    /// Returns the name of an element, or its kind and number.
    pub fn label(&self, kind: ObjType, id: usize) -> String {
        clipped(self.m.names.display(kind, id))
    }
}

/// Returns a text of at most the bytes that labels have.
pub(super) fn clipped(mut text: String) -> String {
    if text.len() > LABEL_SIZE {
        let end = (0..=LABEL_SIZE).rev().find(|&i| text.is_char_boundary(i)).unwrap_or(0);
        text.truncate(end);
    }
    text
}

/// Returns a geom of an element without a shape.
pub(super) fn geom_of(kind: ObjType, id: usize, category: i32) -> SceneGeom {
    SceneGeom { objtype: kind, objid: id as i32, category, ..SceneGeom::default() }
}

/// Returns a geom of decoration without a shape.
pub(super) fn decoration((kind, id): (ObjType, usize)) -> SceneGeom {
    geom_of(kind, id, category::DECOR)
}

/// Gives a geom shape, sizes and pose; the sizes are those of a geom in a model.
pub(super) fn place(geom: &mut SceneGeom, shape: SceneShape, size: DVec3, pos: DVec3, mat: DMat3) {
    geom.r#type = shape;
    geom.size = match shape {
        SceneShape::Sphere => [size.x; 3],
        SceneShape::Capsule | SceneShape::Cylinder => [size.x, size.x, size.y],
        _ => size.to_array(),
    }
    .map(|x| x as f32);
    set_pose(geom, pos, mat);
}

/// Gives a geom its pose.
pub(super) fn set_pose(geom: &mut SceneGeom, pos: DVec3, mat: DMat3) {
    geom.pos = single(pos);
    geom.mat = mat.transpose().to_cols_array().map(|x| x as f32);
}

/// Gives a geom a shape with equal half sizes, or scaled ones, at a pose.
pub(super) fn solid(geom: &mut SceneGeom, shape: SceneShape, size: [f64; 3], pos: DVec3, mat: DMat3) {
    geom.r#type = shape;
    geom.size = size.map(|x| x as f32);
    set_pose(geom, pos, mat);
}

/// Stretches a geom between two points (`mjv_connector`): capsules and cylinders are centred, arrows and lines start at the
/// first.
pub(super) fn connector(geom: &mut SceneGeom, shape: SceneShape, width: f64, [from, to]: [DVec3; 2]) {
    let way = to - from;
    let centred = matches!(shape, SceneShape::Capsule | SceneShape::Cylinder);
    let (pos, length) = if centred { (0.5 * (from + to), 0.5 * way.length()) } else { (from, way.length()) };
    geom.r#type = shape;
    geom.size = [width as f32, width as f32, length as f32];
    set_pose(geom, pos, quat::to_mat(quat::z_to(way)));
}
