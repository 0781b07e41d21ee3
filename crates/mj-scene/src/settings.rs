//! Visual settings of a model with their defaults, as MJCF's element `visual` has them.

use mj_model::{Visual, VisualAttribute};

/// Kinds of numbers that settings have.
trait Setting {
    /// Takes over the numbers of an attribute; those that lack keep their values.
    fn take(&mut self, value: &[f64]);
}

impl Setting for f32 {
    fn take(&mut self, value: &[f64]) {
        if let [first, ..] = value {
            *self = *first as f32;
        }
    }
}

impl Setting for i32 {
    fn take(&mut self, value: &[f64]) {
        if let [first, ..] = value {
            *self = *first as i32;
        }
    }
}

impl Setting for bool {
    fn take(&mut self, value: &[f64]) {
        if let [first, ..] = value {
            *self = *first != 0.0;
        }
    }
}

impl<const N: usize> Setting for [f32; N] {
    fn take(&mut self, value: &[f64]) {
        for (mine, given) in self.iter_mut().zip(value) {
            *mine = *given as f32;
        }
    }
}

/// Declares a sub-element of `visual`: its fields with their defaults, and how an attribute reaches its field.
macro_rules! settings {
    ($(#[$meta:meta])* $name:ident { $($(#[$doc:meta])* $field:ident: $kind:ty = $default:expr,)* }) => {
        $(#[$meta])*
        #[derive(Clone, Debug, PartialEq)]
        pub struct $name {
            $($(#[$doc])* pub $field: $kind,)*
        }

        impl Default for $name {
            fn default() -> Self {
                Self { $($field: $default,)* }
            }
        }

        impl $name {
            fn take(&mut self, attribute: &VisualAttribute) {
                match attribute.name.as_str() {
                    $(stringify!($field) => self.$field.take(&attribute.value),)*
                    _ => {}
                }
            }
        }
    };
}

settings! {
    /// Cameras, size of pictures, and what is shown (`mjVisual.global`).
    Global {
        /// Camera of the first picture; −1: a free camera.
        cameraid: i32 = -1,
        /// Whether the free camera is orthographic.
        orthographic: bool = false,
        /// Vertical field of view of the free camera: degrees, or metres if it is orthographic.
        fovy: f32 = 45.0,
        /// Distance between the pupils of the free camera, m.
        ipd: f32 = 0.068,
        /// First azimuth of the free camera, degrees.
        azimuth: f32 = 90.0,
        /// First elevation of the free camera, degrees.
        elevation: f32 = -45.0,
        /// Width of lines, pixels.
        linewidth: f32 = 1.0,
        /// Emission that is added to what is selected.
        glow: f32 = 0.3,
        /// Simulated time for a second of real time.
        realtime: f32 = 1.0,
        /// Width of pictures, pixels.
        offwidth: i32 = 640,
        /// Height of pictures, pixels.
        offheight: i32 = 480,
        /// Whether inertias are shown as ellipsoids, not boxes.
        ellipsoidinertia: bool = false,
        /// Whether active bounding volumes have a colour of their own.
        bvactive: bool = false,
    }
}

settings! {
    /// Resolution of pictures, shadows and round shapes (`mjVisual.quality`).
    Quality {
        /// Width and height of shadow maps, texels.
        shadowsize: i32 = 4096,
        /// Samples a pixel.
        offsamples: i32 = 4,
        /// Parts of a round shape around its axis.
        numslices: i32 = 28,
        /// Parts of a round shape along its axis.
        numstacks: i32 = 16,
        /// Parts of a side of a box or plane.
        numquads: i32 = 4,
    }
}

settings! {
    /// Light at the camera (`mjVisual.headlight`).
    Headlight {
        /// Ambient colour.
        ambient: [f32; 3] = [0.1, 0.1, 0.1],
        /// Diffuse colour.
        diffuse: [f32; 3] = [0.4, 0.4, 0.4],
        /// Specular colour.
        specular: [f32; 3] = [0.5, 0.5, 0.5],
        /// 0: off; 1: on; 2: left to the renderer, on in scenes.
        active: i32 = 2,
    }
}

settings! {
    /// Factors from quantities to what is seen (`mjVisual.map`).
    Map {
        /// Factor from displacement to force at the selection, times mass, N/m/kg.
        stiffness: f32 = 100.0,
        /// Factor from rotation to torque at the selection, times inertia.
        stiffnessrot: f32 = 500.0,
        /// Length of an arrow for a force, times mean mass, m kg/N.
        force: f32 = 0.005,
        /// Length of an arrow for a torque, times mean mass, m kg/(N m).
        torque: f32 = 0.1,
        /// Factor of the opacity of moving geoms with the flag `transparent`.
        alpha: f32 = 0.3,
        /// Distance where fog begins, in extents.
        fogstart: f32 = 3.0,
        /// Distance where fog is dense, in extents.
        fogend: f32 = 10.0,
        /// Distance of the near plane, in extents.
        znear: f32 = 0.01,
        /// Distance of the far plane, in extents.
        zfar: f32 = 50.0,
        /// Share of a plane, from its horizon, that haze covers.
        haze: f32 = 0.3,
        /// Half size of the shadow volume of directional lights, in extents.
        shadowclip: f32 = 1.0,
        /// Cone of a spot light in which shadows fall, as a share of its cutoff.
        shadowscale: f32 = 0.6,
        /// Width of tendons with actuators, in widths of tendons.
        actuatortendon: f32 = 2.0,
    }
}

settings! {
    /// Sizes of decoration, in units of the mean size of bodies (`mjVisual.scale`).
    Scale {
        /// Width of arrows of forces.
        forcewidth: f32 = 0.1,
        /// Radius of contact points.
        contactwidth: f32 = 0.3,
        /// Half height of contact points.
        contactheight: f32 = 0.1,
        /// Width of lines from joints to centres of mass.
        connect: f32 = 0.2,
        /// Radius of centres of mass.
        com: f32 = 0.4,
        /// Size of cameras.
        camera: f32 = 0.3,
        /// Size of lights.
        light: f32 = 0.3,
        /// Radius of the selected point.
        selectpoint: f32 = 0.2,
        /// Length of joint axes.
        jointlength: f32 = 1.0,
        /// Width of joint axes.
        jointwidth: f32 = 0.1,
        /// Length of actuators.
        actuatorlength: f32 = 0.7,
        /// Width of actuators.
        actuatorwidth: f32 = 0.2,
        /// Length of axes of frames.
        framelength: f32 = 1.0,
        /// Width of axes of frames.
        framewidth: f32 = 0.1,
        /// Width of equality constraints.
        constraint: f32 = 0.1,
        /// Width of slider-cranks.
        slidercrank: f32 = 0.2,
        /// Distance of the frustum’s far plane.
        frustum: f32 = 10.0,
    }
}

settings! {
    /// Colours of decoration (`mjVisual.rgba`).
    Rgba {
        /// Colour of `fog`.
        fog: [f32; 4] = [0.0, 0.0, 0.0, 1.0],
        /// Colour of `haze`.
        haze: [f32; 4] = [1.0, 1.0, 1.0, 1.0],
        /// Colour of `force`.
        force: [f32; 4] = [1.0, 0.5, 0.5, 1.0],
        /// Colour of `inertia`.
        inertia: [f32; 4] = [0.8, 0.2, 0.2, 0.6],
        /// Colour of `joint`.
        joint: [f32; 4] = [0.2, 0.6, 0.8, 1.0],
        /// Colour of `actuator`.
        actuator: [f32; 4] = [0.2, 0.25, 0.2, 1.0],
        /// Colour of `actuatornegative`.
        actuatornegative: [f32; 4] = [0.2, 0.6, 0.9, 1.0],
        /// Colour of `actuatorpositive`.
        actuatorpositive: [f32; 4] = [0.9, 0.4, 0.2, 1.0],
        /// Colour of `com`.
        com: [f32; 4] = [0.9, 0.9, 0.9, 1.0],
        /// Colour of `camera`.
        camera: [f32; 4] = [0.6, 0.9, 0.6, 1.0],
        /// Colour of `light`.
        light: [f32; 4] = [0.6, 0.6, 0.9, 1.0],
        /// Colour of `selectpoint`.
        selectpoint: [f32; 4] = [0.9, 0.9, 0.1, 1.0],
        /// Colour of `connect`.
        connect: [f32; 4] = [0.2, 0.2, 0.8, 1.0],
        /// Colour of `contactpoint`.
        contactpoint: [f32; 4] = [0.9, 0.6, 0.2, 1.0],
        /// Colour of `contactforce`.
        contactforce: [f32; 4] = [0.7, 0.9, 0.9, 1.0],
        /// Colour of `contactfriction`.
        contactfriction: [f32; 4] = [0.9, 0.8, 0.4, 1.0],
        /// Colour of `contacttorque`.
        contacttorque: [f32; 4] = [0.9, 0.7, 0.9, 1.0],
        /// Colour of `contactgap`.
        contactgap: [f32; 4] = [0.5, 0.8, 0.9, 1.0],
        /// Colour of `rangefinder`.
        rangefinder: [f32; 4] = [1.0, 1.0, 0.1, 1.0],
        /// Colour of `constraint`.
        constraint: [f32; 4] = [0.9, 0.0, 0.0, 1.0],
        /// Colour of `slidercrank`.
        slidercrank: [f32; 4] = [0.5, 0.3, 0.8, 1.0],
        /// Colour of `crankbroken`.
        crankbroken: [f32; 4] = [0.9, 0.0, 0.0, 1.0],
        /// Colour of `frustum`.
        frustum: [f32; 4] = [1.0, 1.0, 0.0, 0.2],
        /// Colour of `bv`.
        bv: [f32; 4] = [0.0, 1.0, 0.0, 0.5],
        /// Colour of `bvactive`.
        bvactive: [f32; 4] = [1.0, 0.0, 0.0, 0.5],
    }
}

/// Visual settings of a model (`mjVisual`).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct VisualSettings {
    /// Cameras, size of pictures, and what is shown.
    pub global: Global,
    /// Resolution of pictures, shadows and round shapes.
    pub quality: Quality,
    /// Light at the camera.
    pub headlight: Headlight,
    /// Factors from quantities to what is seen.
    pub map: Map,
    /// Sizes of decoration.
    pub scale: Scale,
    /// Colours of decoration.
    pub rgba: Rgba,
}

impl VisualSettings {
    /// Returns the defaults with the attributes that the model's text gives.
    pub fn new(visual: &Visual) -> Self {
        let mut settings = Self::default();
        for attribute in &visual.attributes {
            match attribute.element.as_str() {
                "global" => settings.global.take(attribute),
                "quality" => settings.quality.take(attribute),
                "headlight" => settings.headlight.take(attribute),
                "map" => settings.map.take(attribute),
                "scale" => settings.scale.take(attribute),
                "rgba" => settings.rgba.take(attribute),
                _ => {}
            }
        }
        settings
    }
}
