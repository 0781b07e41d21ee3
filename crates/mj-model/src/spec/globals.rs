//! Settings of the whole model.

use crate::enums::*;
use mj_math::DVec3;

/// Compiler settings (MJCF `compiler`).
#[derive(Clone, Debug, PartialEq)]
pub struct Compiler {
    /// Whether a range given implies limits.
    pub autolimits: bool,
    /// Least body mass.
    pub boundmass: f64,
    /// Least diagonal inertia.
    pub boundinertia: f64,
    /// Total mass to scale to; not positive: don't.
    pub settotalmass: f64,
    /// Whether to impose A + B ≥ C on principal moments.
    pub balanceinertia: bool,
    /// Whether angles are in degrees.
    pub degree: bool,
    /// Order of Euler rotations: lower case turns with the frame, upper case about fixed axes.
    pub eulerseq: [u8; 3],
    /// Whether to drop visual geoms.
    pub discardvisual: bool,
    /// Whether the compiler may use several threads.
    pub usethread: bool,
    /// Whether to merge static bodies into their parents.
    pub fusestatic: bool,
    /// Whether inertia comes from geoms.
    pub inertiafromgeom: InertiaFromGeom,
    /// Groups of geoms that count for inertia.
    pub inertiagrouprange: [i32; 2],
    /// Whether primitives are fitted to a mesh's bounding box instead of its inertia.
    pub fitaabb: bool,
    /// Whether to write inertial elements when saving.
    pub saveinertial: bool,
    /// Whether to align free joints with the inertial frame.
    pub alignfree: bool,
    /// Whether to strip directories from asset files.
    pub strippath: bool,
    /// Directory of meshes and height fields.
    pub meshdir: String,
    /// Directory of textures.
    pub texturedir: String,
    /// How length ranges of actuators are found.
    pub lengthrange: LengthRange,
    /// Policy where an attached model's global settings differ.
    pub conflict: Conflict,
    /// Whether the compiled model is saved instead of the written one.
    pub savecompiled: bool,
    /// Whether a model is saved in canonical notation: radians, quaternions.
    pub savecanonical: bool,
    /// Assets that another program leaves as they are when it saves.
    pub passthrough: Passthrough,
}

/// How a body comes to its mass and inertia: part of a [`Compiler`]'s settings.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MassRules {
    /// Whether inertia comes from geoms.
    pub inertiafromgeom: InertiaFromGeom,
    /// Groups of geoms that count for inertia.
    pub inertiagrouprange: [i32; 2],
    /// Least body mass.
    pub boundmass: f64,
    /// Least diagonal inertia.
    pub boundinertia: f64,
    /// Whether to impose A + B ≥ C on principal moments.
    pub balanceinertia: bool,
}

impl MassRules {
    /// Whether principal moments of an inertia matrix can be used: all are positive, or so near to 0 that rounding explains
    /// it and `boundinertia` lifts them.
    pub fn allow(&self, moments: [f64; 3]) -> bool {
        const EPS: f64 = 1e-14;
        let greatest = moments.into_iter().fold(1.0, f64::max);
        let least = if self.boundinertia > 0.0 { -EPS * greatest } else { EPS };
        moments.into_iter().all(|moment| moment >= least)
    }
}

impl Compiler {
    /// How bodies come to their mass and inertia.
    pub fn mass_rules(&self) -> MassRules {
        let Self { inertiafromgeom, inertiagrouprange, boundmass, boundinertia, balanceinertia, .. } = *self;
        MassRules { inertiafromgeom, inertiagrouprange, boundmass, boundinertia, balanceinertia }
    }

    /// Sets how bodies come to their mass and inertia.
    pub fn set_mass_rules(&mut self, rules: MassRules) {
        let MassRules { inertiafromgeom, inertiagrouprange, boundmass, boundinertia, balanceinertia } = rules;
        (self.inertiafromgeom, self.inertiagrouprange) = (inertiafromgeom, inertiagrouprange);
        (self.boundmass, self.boundinertia, self.balanceinertia) = (boundmass, boundinertia, balanceinertia);
    }
}

/// Assets that compiled models hold by reference, as paths of their files (MJCF `compiler/passthrough`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Passthrough {
    /// Nothing.
    #[default]
    None,
    /// Textures.
    Textures,
}

/// Policy where the global settings of an attached model and of its parent differ (MJCF
/// `compiler/conflict`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Conflict {
    /// The parent's stay; a warning tells.
    #[default]
    Warning,
    /// The stricter stays where there is one; otherwise it is an error.
    Merge,
    /// It is an error.
    Error,
}

impl Default for Compiler {
    fn default() -> Self {
        Self {
            autolimits: true,
            boundmass: 0.0,
            boundinertia: 0.0,
            settotalmass: -1.0,
            balanceinertia: false,
            degree: true,
            eulerseq: *b"xyz",
            discardvisual: false,
            usethread: true,
            fusestatic: false,
            inertiafromgeom: InertiaFromGeom::Auto,
            inertiagrouprange: [0, 5],
            fitaabb: false,
            saveinertial: false,
            alignfree: false,
            strippath: false,
            meshdir: String::new(),
            texturedir: String::new(),
            lengthrange: LengthRange::default(),
            conflict: Conflict::Warning,
            savecompiled: true,
            savecanonical: true,
            passthrough: Passthrough::None,
        }
    }
}

/// How the feasible lengths of actuators are found (MJCF `compiler/lengthrange`): each actuator
/// pulls and pushes in a simulation without other forces until its length settles.
#[derive(Clone, Debug, PartialEq)]
pub struct LengthRange {
    /// Which actuators.
    pub mode: LengthRangeMode,
    /// Whether a range that is given stays.
    pub useexisting: bool,
    /// Whether limits of joints and tendons are taken for the range.
    pub uselimit: bool,
    /// Norm of the acceleration that the actuator's force is to cause.
    pub accel: f64,
    /// Greatest norm of the force; 0: none.
    pub maxforce: f64,
    /// Time constant with which velocities are damped, seconds.
    pub timeconst: f64,
    /// Time step, seconds; 0: the model's.
    pub timestep: f64,
    /// Length of the simulation, seconds.
    pub inttotal: f64,
    /// Length of its end over which the length is watched, seconds.
    pub interval: f64,
    /// Greatest change of the length over that end, relative to the range.
    pub tolrange: f64,
}

impl Default for LengthRange {
    fn default() -> Self {
        Self {
            mode: LengthRangeMode::Muscle,
            useexisting: true,
            uselimit: false,
            accel: 20.0,
            maxforce: 0.0,
            timeconst: 1.0,
            timestep: 0.01,
            inttotal: 10.0,
            interval: 2.0,
            tolrange: 0.05,
        }
    }
}

/// Sizes (MJCF `size`); −1 or none: decided by the compiler.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sizes {
    /// Memory of the reference's arena, bytes; accepted, of no effect here.
    pub memory: Option<f64>,
    /// Greatest number of constraint rows in the reference's older versions; of no effect here.
    pub njmax: Option<usize>,
    /// Greatest number of contacts there.
    pub nconmax: Option<usize>,
    /// Numbers on the stack there.
    pub nstack: Option<usize>,
    /// Number of user data.
    pub nuserdata: usize,
    /// Least number of keyframes.
    pub nkey: usize,
    /// User data of bodies.
    pub nuser_body: Option<usize>,
    /// User data of joints.
    pub nuser_jnt: Option<usize>,
    /// User data of geoms.
    pub nuser_geom: Option<usize>,
    /// User data of sites.
    pub nuser_site: Option<usize>,
    /// User data of cameras.
    pub nuser_cam: Option<usize>,
    /// User data of tendons.
    pub nuser_tendon: Option<usize>,
    /// User data of actuators.
    pub nuser_actuator: Option<usize>,
    /// User data of sensors.
    pub nuser_sensor: Option<usize>,
}

/// Statistics given by the author (MJCF `statistic`); none: computed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StatisticOverride {
    /// Mean diagonal inertia.
    pub meaninertia: Option<f64>,
    /// Mean body mass.
    pub meanmass: Option<f64>,
    /// Mean body size.
    pub meansize: Option<f64>,
    /// Extent.
    pub extent: Option<f64>,
    /// Centre.
    pub center: Option<DVec3>,
}
