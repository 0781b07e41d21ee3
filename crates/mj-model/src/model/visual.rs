//! Tables of what is seen: sites, cameras, lights, skins, textures, materials.

use crate::enums::*;
use crate::ids::*;
use mj_math::{DMat3, DQuat, DVec3};

table! {
    /// Sites.
    SiteTable / SiteRow [SiteId] "site" {
        /// Shape.
        @structure r#type: GeomType,
        /// Body.
        @structure bodyid: BodyId,
        /// Mesh.
        @structure dataid: Option<MeshId>,
        /// Material.
        matid: Option<MaterialId>,
        /// Visibility group.
        group: i32,
        /// Which frame of the body it shares.
        @derived sameframe: SameFrame,
        /// Size.
        size: DVec3,
        /// Position in the body.
        @constant pos: DVec3,
        /// Orientation in the body.
        @constant quat: DQuat,
        /// Colour where there is no material.
        rgba: [f32; 4],
    }
}

table! {
    /// Cameras.
    CameraTable / CameraRow [CameraId] "cam" {
        /// Tracking mode.
        @structure mode: CamLight,
        /// Body.
        @structure bodyid: BodyId,
        /// Targeted body.
        @structure targetbodyid: Option<BodyId>,
        /// Position in the body.
        @constant pos: DVec3,
        /// Orientation in the body.
        @constant quat: DQuat,
        /// World position relative to the subtree's centre of mass at qpos0.
        @derived poscom0: DVec3,
        /// World position relative to the body at qpos0.
        @derived pos0: DVec3,
        /// World orientation at qpos0.
        @derived mat0: DMat3,
        /// Projection.
        @structure projection: Projection,
        /// Vertical field of view: degrees, or length if orthographic.
        fovy: f64,
        /// Distance between the pupils.
        ipd: f64,
        /// Pixels: width, height.
        resolution: [i32; 2],
        /// Output types, bits.
        output: i32,
        /// Sensor size: width, height.
        sensorsize: [f32; 2],
        /// Focal lengths and principal point.
        intrinsic: [f32; 4],
    }
}

table! {
    /// Lights.
    LightTable / LightRow [LightId] "light" {
        /// Tracking mode.
        @structure mode: CamLight,
        /// Body.
        @structure bodyid: BodyId,
        /// Targeted body.
        @structure targetbodyid: Option<BodyId>,
        /// Type.
        @structure r#type: LightType,
        /// Texture of image lights.
        texid: Option<TextureId>,
        /// Whether it casts shadows.
        castshadow: bool,
        /// Radius of the bulb.
        bulbradius: f32,
        /// Intensity, candela.
        intensity: f32,
        /// Range.
        range: f32,
        /// Whether it is on.
        active: bool,
        /// Position in the body.
        @constant pos: DVec3,
        /// Direction in the body.
        @constant dir: DVec3,
        /// World position relative to the subtree's centre of mass at qpos0.
        @derived poscom0: DVec3,
        /// World position relative to the body at qpos0.
        @derived pos0: DVec3,
        /// World direction at qpos0.
        @derived dir0: DVec3,
        /// Attenuation: constant, linear, quadratic.
        attenuation: [f32; 3],
        /// Cutoff, degrees.
        cutoff: f32,
        /// Softness of a spot's edge.
        softness: f32,
        /// Exponent.
        exponent: f32,
        /// Ambient colour.
        ambient: [f32; 3],
        /// Diffuse colour.
        diffuse: [f32; 3],
        /// Specular colour.
        specular: [f32; 3],
    }
}

table! {
    /// Skins: surfaces that bodies carry along.
    SkinTable / SkinRow [SkinId] "skin" {
        /// Material.
        matid: Option<MaterialId>,
        /// Visibility group.
        group: i32,
        /// Colour where there is no material.
        rgba: [f32; 4],
        /// How far vertices are moved along their normals.
        inflate: f32,
        /// First vertex.
        @structure vertadr: u32,
        /// Number of vertices.
        @structure vertnum: u32,
        /// First texture coordinates; −1: none.
        @structure texcoordadr: i32,
        /// First face.
        @structure faceadr: u32,
        /// Number of faces.
        @structure facenum: u32,
        /// First bone.
        @structure boneadr: u32,
        /// Number of bones.
        @structure bonenum: u32,
    }
}

table! {
    /// Bones: bodies that move vertices of skins.
    BoneTable / BoneRow [BoneId] "skin" {
        /// First vertex in bonevertid.
        @structure bonevertadr: u32,
        /// Number of vertices.
        @structure bonevertnum: u32,
        /// Position of the body when it was bound.
        bonebindpos: [f32; 3],
        /// Orientation of the body when it was bound, w-first.
        bonebindquat: [f32; 4],
        /// Body.
        @structure bonebodyid: BodyId,
    }
}

/// Vertices, faces and weights of all skins.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SkinData {
    /// Vertices in the world, in the pose in which bones were bound, nskinvert.
    pub vert: Vec<[f32; 3]>,
    /// Texture coordinates, nskintexvert.
    pub texcoord: Vec<[f32; 2]>,
    /// Triangles: vertices of their skin, nskinface.
    pub face: Vec<[i32; 3]>,
    /// Vertices of bones, by number in their skin, nskinbonevert.
    pub bonevertid: Vec<i32>,
    /// Weights of these vertices: those of one vertex add up to 1, nskinbonevert.
    pub bonevertweight: Vec<f32>,
}

table! {
    /// Textures.
    TextureTable / TextureRow [TextureId] "tex" {
        /// Type.
        @structure r#type: TextureType,
        /// Colour space.
        colorspace: ColorSpace,
        /// Rows.
        @structure height: i32,
        /// Columns.
        @structure width: i32,
        /// Channels.
        @structure nchannel: i32,
        /// First byte in tex_data; −1: the texture is by reference, and its file holds the pixels.
        @structure adr: i32,
    }
}

table! {
    /// Materials.
    MaterialTable / MaterialRow [MaterialId] "mat" {
        /// Textures by role.
        texid: [Option<TextureId>; 10],
        /// Whether cube textures are uniform.
        texuniform: bool,
        /// Repetition of 2d textures.
        texrepeat: [f32; 2],
        /// Emission.
        emission: f32,
        /// Specularity.
        specular: f32,
        /// Shininess.
        shininess: f32,
        /// Reflectance.
        reflectance: f32,
        /// Metallicness.
        metallic: f32,
        /// Roughness.
        roughness: f32,
        /// Colour.
        rgba: [f32; 4],
    }
}
