//! Fields of what the kinematic tree holds.

use super::{Form, kinds};
use crate::spec::value::Shape;
use mj_math::{DQuat, DVec3};
use mj_model::spec::*;
use mj_model::{Loc, Tri};

/// Other forms of an orientation, and which of them holds.
#[derive(Clone, Debug, Default)]
pub struct Alternative {
    /// 0: the quaternion; 1 axis and angle, 2 two axes, 3 the z axis, 4 Euler angles.
    pub r#type: i32,
    /// Axis and angle.
    pub axisangle: [f64; 4],
    /// X and y axes.
    pub xyaxes: [f64; 6],
    /// Z axis.
    pub zaxis: [f64; 3],
    /// Euler angles.
    pub euler: [f64; 3],
}

/// An orientation in all its forms.
#[derive(Clone, Debug)]
pub struct Pose {
    /// The quaternion, w first.
    pub quat: [f64; 4],
    /// The other forms.
    pub alt: Alternative,
}

impl Default for Pose {
    fn default() -> Self {
        Self { quat: [1.0, 0.0, 0.0, 0.0], alt: Alternative::default() }
    }
}

impl Pose {
    /// Makes all forms of the one that is given.
    pub fn of(o: &Orientation) -> Self {
        let mut pose = Self::default();
        let alt = &mut pose.alt;
        match *o {
            Orientation::Identity => {}
            Orientation::Quat(q) => pose.quat = [q.w, q.x, q.y, q.z],
            Orientation::AxisAngle(a) => (alt.r#type, alt.axisangle) = (1, a),
            Orientation::XyAxes(a) => (alt.r#type, alt.xyaxes) = (2, a),
            Orientation::ZAxis(a) => (alt.r#type, alt.zaxis) = (3, a),
            Orientation::Euler(a) => (alt.r#type, alt.euler) = (4, a),
        }
        pose
    }

    /// Returns the form that holds.
    pub fn orientation(&self) -> Orientation {
        match self.alt.r#type {
            1 => Orientation::AxisAngle(self.alt.axisangle),
            2 => Orientation::XyAxes(self.alt.xyaxes),
            3 => Orientation::ZAxis(self.alt.zaxis),
            4 => Orientation::Euler(self.alt.euler),
            _ if self.quat == [1.0, 0.0, 0.0, 0.0] => Orientation::Identity,
            _ => {
                let [w, x, y, z] = self.quat;
                Orientation::Quat(DQuat::from_xyzw(x, y, z, w))
            }
        }
    }
}

/// Parts of a body that the engine's spec has no place for: the orientations of both frames, and its inertia, given or not.
#[derive(Clone, Debug)]
pub struct BodyMore {
    /// Orientation of the body.
    pub pose: Pose,
    /// Orientation of the inertial frame.
    pub ipose: Pose,
    /// Mass.
    pub mass: f64,
    /// Centre of mass; none: inertia comes from geoms.
    pub ipos: Option<DVec3>,
    /// Principal moments.
    pub inertia: [f64; 3],
    /// Full matrix.
    pub fullinertia: Option<[f64; 6]>,
    /// Whether the inertia is the body's own.
    pub explicitinertial: bool,
    /// 0: not simple; 1: as the compiler finds.
    pub simple: i32,
    /// 0: not fused; 1: as the compiler says.
    pub fuse: i32,
    /// Default class of what is in it; empty: none.
    pub childclass: String,
    /// Use of a plugin.
    pub plugin: PluginMore,
}

/// Use of a plugin.
#[derive(Clone, Debug, Default)]
pub struct PluginMore {
    /// Name of the instance.
    pub name: String,
    /// The plugin's identifier.
    pub plugin_name: String,
    /// Whether it is used.
    pub active: bool,
    /// Text that is added to messages.
    pub info: String,
    /// Settings: keys and values.
    pub config: Vec<(String, String)>,
}

impl PluginMore {
    /// Use of a plugin as the engine's spec has it.
    pub fn of(plugin: &Option<Plugin>) -> Self {
        plugin.as_ref().map_or_else(Self::default, |p| Self {
            name: p.instance.clone(),
            plugin_name: p.plugin.clone(),
            active: true,
            info: String::new(),
            config: p.config.clone(),
        })
    }

    /// The use in the engine's spec, if there is one.
    pub fn plugin(&self) -> Option<Plugin> {
        self.active.then(|| Plugin {
            plugin: self.plugin_name.clone(),
            instance: self.name.clone(),
            // An instance by name has its own settings.
            config: if self.name.is_empty() { self.config.clone() } else { Vec::new() },
            loc: Loc::NONE,
        })
    }
}

/// Parts of an element with an orientation that the engine's spec has no place for.
#[derive(Clone, Debug, Default)]
pub struct Posed {
    /// Orientation.
    pub pose: Pose,
    /// Use of a plugin.
    pub plugin: PluginMore,
    /// Intrinsic parameters of a camera: focal lengths and principal point.
    pub intrinsic: [f32; 4],
    /// Type of inertia of a geom: 0 of the volume, 1 of the surface.
    pub typeinertia: i32,
    /// Whether the ellipsoid fluid model acts on a geom, as a number.
    pub fluid_ellipsoid: f64,
    /// Default class of what is in a frame; empty: none.
    pub childclass: String,
}

/// A body.
pub type BodyForm = Form<Body, BodyMore>;
/// A frame.
pub type FrameForm = Form<Frame, Posed>;
/// A joint.
pub type JointForm = Form<Joint>;
/// A geom.
pub type GeomForm = Form<Geom, Posed>;
/// A site.
pub type SiteForm = Form<Site, Posed>;
/// A camera.
pub type CameraForm = Form<Camera, Posed>;
/// A light.
pub type LightForm = Form<Light>;

impl Default for BodyMore {
    fn default() -> Self {
        Self {
            pose: Pose::default(),
            ipose: Pose::default(),
            mass: 0.0,
            ipos: None,
            inertia: [0.0; 3],
            fullinertia: None,
            explicitinertial: false,
            simple: 1,
            fuse: 1,
            childclass: String::new(),
            plugin: PluginMore::default(),
        }
    }
}

impl BodyForm {
    /// Makes a form of a body without what is in it.
    pub fn of(mut e: Body) -> Self {
        let mut more = BodyMore { pose: Pose::of(&e.orientation), ..BodyMore::default() };
        if let Some(i) = e.inertial.take() {
            more.ipose = Pose::of(&i.orientation);
            (more.mass, more.ipos, more.explicitinertial) = (i.mass, Some(i.pos), true);
            more.inertia = i.diaginertia.unwrap_or_default();
            more.fullinertia = i.fullinertia;
        }
        more.simple = i32::from(e.simple != Tri::False);
        more.fuse = i32::from(e.fuse != Tri::False);
        more.childclass = e.childclass.clone().unwrap_or_default();
        more.plugin = PluginMore::of(&e.plugin);
        Self { e, more, info: String::new() }
    }

    /// Returns the body without what is in it.
    pub fn build(&self) -> Body {
        let more = &self.more;
        let given = more.ipos.is_some() || more.explicitinertial;
        let automatic = |x| if x == 0 { Tri::False } else { Tri::Auto };
        let inertial = Inertial {
            pos: more.ipos.unwrap_or_default(),
            orientation: more.ipose.orientation(),
            mass: more.mass,
            diaginertia: Some(more.inertia).filter(|_| more.fullinertia.is_none()),
            fullinertia: more.fullinertia,
            loc: self.e.loc,
        };
        Body {
            orientation: more.pose.orientation(),
            inertial: given.then_some(inertial),
            simple: automatic(more.simple),
            fuse: automatic(more.fuse),
            childclass: Some(more.childclass.clone()).filter(|c| !c.is_empty()),
            plugin: more.plugin.plugin(),
            ..self.e.clone()
        }
    }
}

impl FrameForm {
    /// Makes a form of a frame.
    pub fn of(e: Frame) -> Self {
        let childclass = e.childclass.clone().unwrap_or_default();
        let more = Posed { pose: Pose::of(&e.orientation), childclass, ..Posed::default() };
        Self { e, more, info: String::new() }
    }

    /// Returns the frame.
    pub fn build(&self) -> Frame {
        let childclass = Some(self.more.childclass.clone()).filter(|c| !c.is_empty());
        Frame { orientation: self.more.pose.orientation(), childclass, ..self.e.clone() }
    }
}

/// Sizes as they are given: zeros at the end are none.
pub fn trimmed(mut size: [f64; 3]) -> [f64; 3] {
    for x in size.iter_mut().rev() {
        if *x != 0.0 {
            break;
        }
        *x = f64::NAN;
    }
    size
}

impl GeomForm {
    /// Makes a form of a geom.
    pub fn of(mut e: Geom) -> Self {
        e.size = e.size.map(|x| if x.is_nan() { 0.0 } else { x });
        let more = Posed {
            pose: Pose::of(&e.orientation),
            plugin: PluginMore::of(&e.plugin),
            typeinertia: i32::from(e.shellinertia),
            fluid_ellipsoid: f64::from(u8::from(e.fluid_ellipsoid)),
            ..Posed::default()
        };
        Self { e, more, info: String::new() }
    }

    /// Returns the geom.
    pub fn build(&self) -> Geom {
        Geom {
            orientation: self.more.pose.orientation(),
            size: trimmed(self.e.size),
            shellinertia: self.more.typeinertia == 1,
            fluid_ellipsoid: self.more.fluid_ellipsoid > 0.0,
            plugin: self.more.plugin.plugin(),
            ..self.e.clone()
        }
    }
}

impl SiteForm {
    /// Makes a form of a site.
    pub fn of(e: Site) -> Self {
        let more = Posed { pose: Pose::of(&e.orientation), ..Posed::default() };
        Self { e, more, info: String::new() }
    }

    /// Returns the site.
    pub fn build(&self) -> Site {
        Site { orientation: self.more.pose.orientation(), ..self.e.clone() }
    }
}

impl CameraForm {
    /// Makes a form of a camera.
    pub fn of(e: Camera) -> Self {
        let more = Posed { pose: Pose::of(&e.orientation), ..Posed::default() };
        Self { e, more, info: String::new() }
    }

    /// Returns the camera.
    pub fn build(&self) -> Camera {
        Camera { orientation: self.more.pose.orientation(), ..self.e.clone() }
    }
}

kinds! {
    BodyForm with pose plugin {
        "name" e.name;
        "childclass" more.childclass;
        "pos" e.pos;
        "mass" more.mass;
        "ipos" more.ipos;
        "iquat" more.ipose.quat;
        "ialt.type" more.ipose.alt.r#type as Shape::Enum("mjtOrientation");
        "ialt.axisangle" more.ipose.alt.axisangle;
        "ialt.xyaxes" more.ipose.alt.xyaxes;
        "ialt.zaxis" more.ipose.alt.zaxis;
        "ialt.euler" more.ipose.alt.euler;
        "inertia" more.inertia;
        "fullinertia" more.fullinertia;
        "mocap" e.mocap;
        "gravcomp" e.gravcomp;
        "sleep" e.sleep;
        "simple" more.simple;
        "fuse" more.fuse;
        "userdata" e.user;
        "explicitinertial" more.explicitinertial;
        "info" info;
    }
    FrameForm with pose {
        "name" e.name;
        "childclass" more.childclass;
        "pos" e.pos;
        "scale" e.scale;
        "scaling" e.scaling;
        "massscale" e.massscale;
        "info" info;
    }
    JointForm {
        "name" e.name;
        "type" e.r#type;
        "pos" e.pos;
        "axis" e.axis;
        "ref" e.r#ref;
        "align" e.align as Shape::Enum("mjtAlignFree");
        "stiffness" e.stiffness;
        "springref" e.springref;
        "springyield" e.springyield;
        "springdamper" e.springdamper;
        "limited" e.limited;
        "range" e.range;
        "margin" e.margin;
        "solref_limit" e.solref_limit;
        "solimp_limit" e.solimp_limit;
        "actfrclimited" e.actfrclimited;
        "actfrcrange" e.actfrcrange;
        "armature" e.armature;
        "damping" e.damping;
        "frictionloss" e.frictionloss;
        "solref_friction" e.solref_friction;
        "solimp_friction" e.solimp_friction;
        "group" e.group;
        "actgravcomp" e.actgravcomp;
        "userdata" e.user;
        "info" info;
    }
    GeomForm with pose plugin {
        "name" e.name;
        "type" e.r#type;
        "pos" e.pos;
        "fromto" e.fromto;
        "size" e.size;
        "contype" e.contype;
        "conaffinity" e.conaffinity;
        "condim" e.condim;
        "priority" e.priority;
        "friction" e.friction;
        "solmix" e.solmix;
        "solref" e.solref;
        "solimp" e.solimp;
        "margin" e.margin;
        "gap" e.gap;
        "surfacevel" e.surfacevel;
        "adhesion" e.adhesion;
        "mass" e.mass;
        "density" e.density;
        "typeinertia" more.typeinertia as Shape::Enum("mjtGeomInertia");
        "fluid_ellipsoid" more.fluid_ellipsoid;
        "fluid_coefs" e.fluidcoef;
        "material" e.material;
        "rgba" e.rgba;
        "group" e.group;
        "castshadow" e.castshadow;
        "hfieldname" e.hfield;
        "meshname" e.mesh;
        "fitscale" e.fitscale;
        "userdata" e.user;
        "info" info;
    }
    SiteForm with pose {
        "name" e.name;
        "pos" e.pos;
        "fromto" e.fromto;
        "size" e.size;
        "type" e.r#type;
        "material" e.material;
        "group" e.group;
        "rgba" e.rgba;
        "meshname" e.mesh;
        "userdata" e.user;
        "info" info;
    }
    CameraForm with pose {
        "name" e.name;
        "pos" e.pos;
        "mode" e.mode;
        "targetbody" e.target;
        "proj" e.projection;
        "resolution" e.resolution;
        "output" e.output;
        "fovy" e.fovy;
        "ipd" e.ipd;
        "intrinsic" more.intrinsic;
        "sensor_size" e.sensorsize;
        "focal_length" e.focal;
        "focal_pixel" e.focalpixel;
        "principal_length" e.principal;
        "principal_pixel" e.principalpixel;
        "userdata" e.user;
        "info" info;
    }
    LightForm {
        "name" e.name;
        "pos" e.pos;
        "dir" e.dir;
        "mode" e.mode;
        "targetbody" e.target;
        "active" e.active;
        "type" e.r#type;
        "texture" e.texture;
        "castshadow" e.castshadow;
        "bulbradius" e.bulbradius;
        "intensity" e.intensity;
        "range" e.range;
        "attenuation" e.attenuation;
        "cutoff" e.cutoff;
        "softness" e.softness;
        "exponent" e.exponent;
        "ambient" e.ambient;
        "diffuse" e.diffuse;
        "specular" e.specular;
        "info" info;
    }
}
