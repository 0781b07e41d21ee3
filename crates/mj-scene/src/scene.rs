//! Scenes: geoms, lights, cameras, surfaces of flexes and skins.

use crate::codes::{RndFlag, SceneShape, Stereo};
use crate::volumes::VolumeCache;
use mj_model::ObjType;

/// Geom of a scene (`mjvGeom`).
#[derive(Clone, Debug, PartialEq)]
pub struct SceneGeom {
    /// Shape.
    pub r#type: SceneShape,
    /// Mesh (twice its number, plus one for its convex hull), height field, or number of the plane; −1: none.
    pub dataid: i32,
    /// Kind of the model's element; unknown for decoration.
    pub objtype: ObjType,
    /// Number of the element.
    pub objid: i32,
    /// Category, a bit of [`category`](crate::category).
    pub category: i32,
    /// Material whose textures are shown; −1: none.
    pub matid: i32,
    /// Colour texture; −1: none.
    pub texid: i32,
    /// Whether a cube texture covers the geom at its true size.
    pub texuniform: bool,
    /// Whether the mesh, flex or skin has texture coordinates.
    pub texcoord: bool,
    /// Number for pictures of ids: the place in the list; −1: not shown there.
    pub segid: i32,
    /// Sizes along the axes: radius, radius, half length for round shapes; m.
    pub size: [f32; 3],
    /// Position, m.
    pub pos: [f32; 3],
    /// Orientation, row by row.
    pub mat: [f32; 9],
    /// Colour and opacity.
    pub rgba: [f32; 4],
    /// Emission.
    pub emission: f32,
    /// Specularity.
    pub specular: f32,
    /// Shininess.
    pub shininess: f32,
    /// Reflectance.
    pub reflectance: f32,
    /// Repetition of 2d textures.
    pub texrepeat: [f32; 2],
    /// Whether it casts shadows.
    pub castshadow: bool,
    /// Text beside it; empty: none.
    pub label: String,
    /// Distance to the camera, m, by which transparent geoms are sorted.
    pub camdist: f32,
    /// Radius of the model's geom's bounding sphere, m; 0: no geom of the model.
    pub modelrbound: f32,
    /// Whether it is drawn among the transparent ones.
    pub transparent: bool,
}

impl Default for SceneGeom {
    /// Returns a grey geom without a shape at the origin (`mjv_initGeom` without values).
    fn default() -> Self {
        Self {
            r#type: SceneShape::None,
            dataid: -1,
            objtype: ObjType::Unknown,
            objid: -1,
            category: crate::category::DECOR,
            matid: -1,
            texid: -1,
            texuniform: false,
            texcoord: false,
            segid: -1,
            size: [0.1; 3],
            pos: [0.0; 3],
            mat: [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0],
            rgba: [0.5, 0.5, 0.5, 1.0],
            emission: 0.0,
            specular: 0.5,
            shininess: 0.5,
            reflectance: 0.0,
            texrepeat: [0.0; 2],
            castshadow: true,
            label: String::new(),
            camdist: 0.0,
            modelrbound: 0.0,
            transparent: false,
        }
    }
}

/// Light of a scene (`mjvLight`), in the world.
#[derive(Clone, Debug, PartialEq)]
pub struct SceneLight {
    /// Light of the model; −1: the headlight.
    pub id: i32,
    /// Position, m.
    pub pos: [f32; 3],
    /// Direction.
    pub dir: [f32; 3],
    /// Kind: spot, directional, point, image.
    pub r#type: mj_model::LightType,
    /// Texture of an image light; −1: none.
    pub texid: i32,
    /// Attenuation: constant, linear, quadratic.
    pub attenuation: [f32; 3],
    /// Half angle of a spot's cone, degrees.
    pub cutoff: f32,
    /// Exponent of a spot's decay from its axis.
    pub exponent: f32,
    /// Ambient colour.
    pub ambient: [f32; 3],
    /// Diffuse colour.
    pub diffuse: [f32; 3],
    /// Specular colour.
    pub specular: [f32; 3],
    /// Whether it is the light at the camera.
    pub headlight: bool,
    /// Whether it casts shadows.
    pub castshadow: bool,
    /// Radius of the bulb, m.
    pub bulbradius: f32,
    /// Intensity, candela.
    pub intensity: f32,
    /// Range, m.
    pub range: f32,
    /// Softness of a spot's edge.
    pub softness: f32,
}

impl Default for SceneLight {
    /// Returns a directional light without colour that belongs to no light of the model.
    fn default() -> Self {
        Self {
            id: -1,
            pos: [0.0; 3],
            dir: [0.0; 3],
            r#type: mj_model::LightType::Directional,
            texid: -1,
            attenuation: [0.0; 3],
            cutoff: 0.0,
            exponent: 0.0,
            ambient: [0.0; 3],
            diffuse: [0.0; 3],
            specular: [0.0; 3],
            headlight: false,
            castshadow: false,
            bulbradius: 0.0,
            intensity: 0.0,
            range: 0.0,
            softness: 0.0,
        }
    }
}

/// Camera of one eye (`mjvGLCamera`): pose, and what it sees on the near plane.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EyeCamera {
    /// Position, m.
    pub pos: [f32; 3],
    /// Direction in which it looks.
    pub forward: [f32; 3],
    /// Direction that is up in the picture.
    pub up: [f32; 3],
    /// Horizontal centre on the near plane, m; left and right follow from the picture's shape.
    pub frustum_center: f32,
    /// Half width on the near plane, m; 0: follows from the picture's shape.
    pub frustum_width: f32,
    /// Lower end on the near plane, m.
    pub frustum_bottom: f32,
    /// Upper end on the near plane, m.
    pub frustum_top: f32,
    /// Distance of the near plane, m.
    pub frustum_near: f32,
    /// Distance of the far plane, m.
    pub frustum_far: f32,
    /// Whether it is orthographic.
    pub orthographic: bool,
}

impl Default for EyeCamera {
    fn default() -> Self {
        Self {
            pos: [0.0; 3],
            forward: [0.0; 3],
            up: [0.0; 3],
            frustum_center: 0.0,
            frustum_width: 0.0,
            frustum_bottom: 0.0,
            frustum_top: 0.0,
            frustum_near: 0.0,
            frustum_far: 0.0,
            orthographic: false,
        }
    }
}

/// Surface of triangles in the world.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Surface {
    /// Corners of the triangles, three each, m.
    pub positions: Vec<[f32; 3]>,
    /// Unit normals at the corners.
    pub normals: Vec<[f32; 3]>,
    /// Texture coordinates at the corners; empty: none.
    pub texcoords: Vec<[f32; 2]>,
}

/// Vertices, edges and faces of one flex in the world.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FlexSurface {
    /// Vertices, m.
    pub vertices: Vec<[f32; 3]>,
    /// Edges, by the numbers of their vertices.
    pub edges: Vec<[i32; 2]>,
    /// Faces that are shown: smooth, or those of the elements.
    pub faces: Surface,
    /// Materials in the order of their first elements, each with its first face and its number of faces.
    pub slices: Vec<(Option<mj_model::MaterialId>, usize, usize)>,
}

/// Vertices of one skin in the world; the model has its faces.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SkinSurface {
    /// Vertices, m.
    pub vertices: Vec<[f32; 3]>,
    /// Unit normals at the vertices.
    pub normals: Vec<[f32; 3]>,
}

/// All that a renderer draws (`mjvScene`).
#[derive(Clone, Debug, PartialEq)]
pub struct Scene {
    /// Geoms.
    pub geoms: Vec<SceneGeom>,
    /// Lights.
    pub lights: Vec<SceneLight>,
    /// Cameras of the left and the right eye; their middle sees pictures that are not stereoscopic.
    pub camera: [EyeCamera; 2],
    /// Flexes, by their number; a geom of shape `flex` shows one.
    pub flexes: Vec<FlexSurface>,
    /// Whether vertices of flexes are drawn.
    pub flexvertopt: bool,
    /// Whether edges of flexes are drawn.
    pub flexedgeopt: bool,
    /// Whether faces of flexes are drawn.
    pub flexfaceopt: bool,
    /// Whether flexes are drawn with a smooth surface, without vertices and edges.
    pub flexskinopt: bool,
    /// Skins, by their number; a geom of shape `skin` shows one.
    pub skins: Vec<SkinSurface>,
    /// Effects, by the code of [`RndFlag`].
    pub flags: [bool; RndFlag::ALL.len()],
    /// Stereoscopic pictures.
    pub stereo: Stereo,
    /// Whether `translate`, `rotate` and `scale` move the model before it is drawn.
    pub enabletransform: bool,
    /// Translation of the model, m.
    pub translate: [f32; 3],
    /// Rotation of the model, quaternion w-first.
    pub rotate: [f32; 4],
    /// Scale of the model.
    pub scale: f32,
    /// Width of the frame around the picture, pixels; 0: none.
    pub framewidth: i32,
    /// Colour of the frame.
    pub framergb: [f32; 3],
    /// Boxes of bodies and meshes, made when they are first shown.
    pub(crate) volumes: VolumeCache,
}

impl Default for Scene {
    /// Returns an empty scene with the reference's default effects: shadows, reflections, skybox, haze, no back faces.
    fn default() -> Self {
        let mut flags = [false; RndFlag::ALL.len()];
        for flag in [
            RndFlag::Shadow,
            RndFlag::Reflection,
            RndFlag::Skybox,
            RndFlag::Haze,
            RndFlag::CullFace,
            RndFlag::PostProcessing,
        ] {
            flags[flag as usize] = true;
        }
        Self {
            geoms: Vec::new(),
            lights: Vec::new(),
            camera: [EyeCamera::default(); 2],
            flexes: Vec::new(),
            flexvertopt: false,
            flexedgeopt: false,
            flexfaceopt: false,
            flexskinopt: false,
            skins: Vec::new(),
            flags,
            stereo: Stereo::None,
            enabletransform: false,
            translate: [0.0; 3],
            rotate: [1.0, 0.0, 0.0, 0.0],
            scale: 1.0,
            framewidth: 0,
            framergb: [0.0; 3],
            volumes: VolumeCache::default(),
        }
    }
}

impl Scene {
    /// Returns whether an effect is on.
    pub fn flag(&self, flag: RndFlag) -> bool {
        self.flags[flag as usize]
    }

    /// Turns an effect on or off.
    pub fn set_flag(&mut self, flag: RndFlag, on: bool) {
        self.flags[flag as usize] = on;
    }
}
