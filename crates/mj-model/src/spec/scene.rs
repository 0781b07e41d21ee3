//! Cameras and lights.

use super::orientation::Orientation;
use crate::diag::Loc;
use crate::enums::{CamLight, LightType, Projection};
use mj_math::DVec3;

/// A camera.
#[derive(Clone, Debug, PartialEq)]
pub struct Camera {
    /// Name.
    pub name: String,
    /// Default class.
    pub class: Option<String>,
    /// Whether the fields have the values of the default class already, as those of an element that was read do.
    /// If not, each field with its built-in value takes the class's when the spec is compiled or saved.
    pub class_applied: bool,
    /// Frame that it is in.
    pub frame: Option<usize>,
    /// Position.
    pub pos: DVec3,
    /// Orientation.
    pub orientation: Orientation,
    /// Tracking mode.
    pub mode: CamLight,
    /// Targeted body.
    pub target: String,
    /// Projection.
    pub projection: Projection,
    /// Vertical field of view.
    pub fovy: f64,
    /// Distance between the pupils.
    pub ipd: f64,
    /// Pixels.
    pub resolution: [i32; 2],
    /// Output types, bits.
    pub output: i32,
    /// Sensor size, length.
    pub sensorsize: [f32; 2],
    /// Focal length, length units.
    pub focal: Option<[f32; 2]>,
    /// Focal length, pixels.
    pub focalpixel: Option<[f32; 2]>,
    /// Principal point, length units.
    pub principal: Option<[f32; 2]>,
    /// Principal point, pixels.
    pub principalpixel: Option<[f32; 2]>,
    /// User data.
    pub user: Vec<f64>,
    /// Place in the source.
    pub loc: Loc,
}

impl Default for Camera {
    fn default() -> Self {
        Self {
            name: String::new(),
            class: None,
            class_applied: false,
            frame: None,
            pos: DVec3::ZERO,
            orientation: Orientation::Identity,
            mode: CamLight::Fixed,
            target: String::new(),
            projection: Projection::Perspective,
            fovy: 45.0,
            ipd: 0.068,
            resolution: [1, 1],
            output: 1,
            sensorsize: [0.0; 2],
            focal: None,
            focalpixel: None,
            principal: None,
            principalpixel: None,
            user: Vec::new(),
            loc: Loc::NONE,
        }
    }
}

/// A light.
#[derive(Clone, Debug, PartialEq)]
pub struct Light {
    /// Name.
    pub name: String,
    /// Default class.
    pub class: Option<String>,
    /// Whether the fields have the values of the default class already, as those of an element that was read do.
    /// If not, each field with its built-in value takes the class's when the spec is compiled or saved.
    pub class_applied: bool,
    /// Frame that it is in.
    pub frame: Option<usize>,
    /// Position.
    pub pos: DVec3,
    /// Direction.
    pub dir: DVec3,
    /// Tracking mode.
    pub mode: CamLight,
    /// Targeted body.
    pub target: String,
    /// Type.
    pub r#type: LightType,
    /// Texture of image lights.
    pub texture: String,
    /// Whether it is on.
    pub active: bool,
    /// Whether it casts shadows.
    pub castshadow: bool,
    /// Radius of the bulb.
    pub bulbradius: f32,
    /// Intensity.
    pub intensity: f32,
    /// Range.
    pub range: f32,
    /// Attenuation.
    pub attenuation: [f32; 3],
    /// Cutoff.
    pub cutoff: f32,
    /// Softness of a spot's edge.
    pub softness: f32,
    /// Exponent.
    pub exponent: f32,
    /// Ambient colour.
    pub ambient: [f32; 3],
    /// Diffuse colour.
    pub diffuse: [f32; 3],
    /// Specular colour.
    pub specular: [f32; 3],
    /// Place in the source.
    pub loc: Loc,
}

impl Default for Light {
    fn default() -> Self {
        Self {
            name: String::new(),
            class: None,
            class_applied: false,
            frame: None,
            pos: DVec3::ZERO,
            dir: DVec3::NEG_Z,
            mode: CamLight::Fixed,
            target: String::new(),
            r#type: LightType::Spot,
            texture: String::new(),
            active: true,
            castshadow: true,
            bulbradius: 0.02,
            intensity: 0.0,
            range: 10.0,
            attenuation: [1.0, 0.0, 0.0],
            cutoff: 45.0,
            softness: 0.2,
            exponent: 10.0,
            ambient: [0.0; 3],
            diffuse: [0.7; 3],
            specular: [0.3; 3],
            loc: Loc::NONE,
        }
    }
}
