//! Integer codes of the reference, as enums with their MJCF keywords.

use crate::storage::Cell;
use crate::storage::scalar_cell;
use crate::storage::{Result, Source, Stored};

macro_rules! codes {
    ($($(#[$meta:meta])* $name:ident { $($(#[$vmeta:meta])* $variant:ident = $code:literal $keyword:literal,)* })*) => {$(
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(i32)]
        pub enum $name {
            $($(#[$vmeta])* #[doc = concat!("`", $keyword, "`")] $variant = $code,)*
        }

        impl $name {
            /// All variants with their MJCF keywords.
            pub const KEYWORDS: &'static [(&'static str, Self)] = &[$(($keyword, Self::$variant),)*];

            /// The reference's integer code.
            #[inline]
            pub const fn code(self) -> i32 {
                self as i32
            }

            /// From the reference's integer code.
            pub const fn from_code(code: i32) -> Option<Self> {
                match code {
                    $($code => Some(Self::$variant),)*
                    _ => None,
                }
            }

            /// MJCF keyword.
            pub const fn keyword(self) -> &'static str {
                match self {
                    $(Self::$variant => $keyword,)*
                }
            }

            /// From the MJCF keyword.
            pub fn from_keyword(s: &str) -> Option<Self> {
                Self::KEYWORDS.iter().find(|(k, _)| *k == s).map(|&(_, v)| v)
            }
        }

        impl Default for $name {
            fn default() -> Self {
                Self::KEYWORDS[0].1
            }
        }

        impl Stored for $name {
            fn take(from: &mut Source) -> Result<Self> {
                from.code(stringify!($name), Self::from_code)
            }
        }

        scalar_cell!($name => i32, |x| x.code(), editable false, $name::from_code);
    )*};
}

codes! {
    /// Type of joint (`mjtJoint`).
    JointType { Free = 0 "free", Ball = 1 "ball", Slide = 2 "slide", Hinge = 3 "hinge", }
    /// Type of geometric shape (`mjtGeom`).
    GeomType {
        Plane = 0 "plane", Hfield = 1 "hfield", Sphere = 2 "sphere", Capsule = 3 "capsule", Ellipsoid = 4 "ellipsoid",
        Cylinder = 5 "cylinder", Box = 6 "box", Mesh = 7 "mesh", Sdf = 8 "sdf",
    }
    /// Source of a mesh's volume and inertia (`mjtMeshInertia`).
    MeshInertia { Convex = 0 "convex", Exact = 1 "exact", Legacy = 2 "legacy", Shell = 3 "shell", }
    /// Camera projection (`mjtProjection`).
    Projection { Perspective = 0 "perspective", Orthographic = 1 "orthographic", }
    /// Tracking mode of cameras and lights (`mjtCamLight`).
    CamLight {
        Fixed = 0 "fixed", Track = 1 "track", TrackCom = 2 "trackcom", TargetBody = 3 "targetbody",
        TargetBodyCom = 4 "targetbodycom",
    }
    /// Type of light (`mjtLightType`).
    LightType { Spot = 0 "spot", Directional = 1 "directional", Point = 2 "point", Image = 3 "image", }
    /// Type of texture (`mjtTexture`).
    TextureType { TwoD = 0 "2d", Cube = 1 "cube", Skybox = 2 "skybox", }
    /// Colour space (`mjtColorSpace`).
    ColorSpace { Auto = 0 "auto", Linear = 1 "linear", Srgb = 2 "sRGB", }
    /// Built-in texture pattern (`mjtBuiltin`).
    Builtin { None = 0 "none", Gradient = 1 "gradient", Checker = 2 "checker", Flat = 3 "flat", }
    /// Random mark of a built-in texture (`mjtMark`).
    Mark { None = 0 "none", Edge = 1 "edge", Cross = 2 "cross", Random = 3 "random", }
    /// Integrator (`mjtIntegrator`).
    IntegratorType {
        Euler = 0 "Euler", Rk4 = 1 "RK4", Implicit = 2 "implicit", ImplicitFast = 3 "implicitfast", Discrete = 4 "discrete",
    }
    /// Type of friction cone (`mjtCone`).
    Cone { Pyramidal = 0 "pyramidal", Elliptic = 1 "elliptic", }
    /// Type of constraint Jacobian (`mjtJacobian`). Results don't depend on it.
    Jacobian { Dense = 0 "dense", Sparse = 1 "sparse", Auto = 2 "auto", }
    /// Constraint solver (`mjtSolver`).
    SolverType { Pgs = 0 "PGS", Cg = 1 "CG", Newton = 2 "Newton", }
    /// Type of equality constraint (`mjtEq`).
    EqType {
        Connect = 0 "connect", Weld = 1 "weld", Joint = 2 "joint", Tendon = 3 "tendon", Flex = 4 "flex", FlexVert = 5 "flexvert",
        FlexStrain = 6 "flexstrain", Distance = 7 "distance",
    }
    /// Type of tendon (`mjtTendon`).
    TendonType { Fixed = 0 "fixed", Spatial = 1 "spatial", }
    /// Object in a tendon's path (`mjtWrap`).
    WrapType { None = 0 "none", Joint = 1 "joint", Pulley = 2 "pulley", Site = 3 "site", Sphere = 4 "sphere", Cylinder = 5 "cylinder", }
    /// Actuator transmission (`mjtTrn`).
    TrnType {
        Joint = 0 "joint", JointInParent = 1 "jointinparent", SliderCrank = 2 "slidercrank", Tendon = 3 "tendon", Site = 4 "site",
        Body = 5 "body", So3 = 6 "so3", Undefined = 1000 "undefined",
    }
    /// Actuator dynamics (`mjtDyn`).
    DynType {
        None = 0 "none", Integrator = 1 "integrator", Filter = 2 "filter", FilterExact = 3 "filterexact", Muscle = 4 "muscle",
        DcMotor = 5 "dcmotor", Pid = 6 "pid", User = 7 "user",
    }
    /// Actuator gain (`mjtGain`).
    GainType {
        Fixed = 0 "fixed", Affine = 1 "affine", Muscle = 2 "muscle", DcMotor = 3 "dcmotor", So3 = 4 "so3", Pid = 5 "pid", User = 6 "user",
    }
    /// Actuator bias (`mjtBias`).
    BiasType { None = 0 "none", Affine = 1 "affine", Muscle = 2 "muscle", DcMotor = 3 "dcmotor", So3 = 4 "so3", User = 5 "user", }
    /// Kind of object (`mjtObj`).
    ObjType {
        Unknown = 0 "unknown", Body = 1 "body", XBody = 2 "xbody", Joint = 3 "joint", Dof = 4 "dof", Geom = 5 "geom", Site = 6 "site",
        Camera = 7 "camera", Light = 8 "light", Flex = 9 "flex", Mesh = 10 "mesh", Skin = 11 "skin", Hfield = 12 "hfield",
        Texture = 13 "texture", Material = 14 "material", Pair = 15 "pair", Exclude = 16 "exclude", Equality = 17 "equality",
        Tendon = 18 "tendon", Actuator = 19 "actuator", Sensor = 20 "sensor", Numeric = 21 "numeric", Text = 22 "text",
        Tuple = 23 "tuple", Key = 24 "key", Plugin = 25 "plugin",
    }
    /// Type of sensor (`mjtSensor`); the keyword is the MJCF element's name.
    SensorType {
        Touch = 0 "touch", Accelerometer = 1 "accelerometer", Velocimeter = 2 "velocimeter", Gyro = 3 "gyro", Force = 4 "force",
        Torque = 5 "torque", Magnetometer = 6 "magnetometer", Rangefinder = 7 "rangefinder", CamProjection = 8 "camprojection",
        JointPos = 9 "jointpos", JointVel = 10 "jointvel", TendonPos = 11 "tendonpos", TendonVel = 12 "tendonvel",
        ActuatorPos = 13 "actuatorpos", ActuatorVel = 14 "actuatorvel", ActuatorFrc = 15 "actuatorfrc",
        JointActFrc = 16 "jointactuatorfrc", TendonActFrc = 17 "tendonactuatorfrc", BallQuat = 18 "ballquat",
        BallAngVel = 19 "ballangvel", JointLimitPos = 20 "jointlimitpos", JointLimitVel = 21 "jointlimitvel",
        JointLimitFrc = 22 "jointlimitfrc", TendonLimitPos = 23 "tendonlimitpos", TendonLimitVel = 24 "tendonlimitvel",
        TendonLimitFrc = 25 "tendonlimitfrc", FramePos = 26 "framepos", FrameQuat = 27 "framequat", FrameXAxis = 28 "framexaxis",
        FrameYAxis = 29 "frameyaxis", FrameZAxis = 30 "framezaxis", FrameLinVel = 31 "framelinvel", FrameAngVel = 32 "frameangvel",
        FrameLinAcc = 33 "framelinacc", FrameAngAcc = 34 "frameangacc", SubtreeCom = 35 "subtreecom",
        SubtreeLinVel = 36 "subtreelinvel", SubtreeAngMom = 37 "subtreeangmom", InsideSite = 38 "insidesite",
        GeomDist = 39 "distance", GeomNormal = 40 "normal", GeomFromTo = 41 "fromto", Contact = 42 "contact",
        EPotential = 43 "e_potential", EKinetic = 44 "e_kinetic", Clock = 45 "clock", Tactile = 46 "tactile",
        Plugin = 47 "plugin", User = 48 "user",
    }
    /// Computation stage (`mjtStage`).
    Stage { None = 0 "none", Pos = 1 "pos", Vel = 2 "vel", Acc = 3 "acc", }
    /// Type of sensor data (`mjtDataType`).
    DataType { Real = 0 "real", Positive = 1 "positive", Axis = 2 "axis", Quaternion = 3 "quaternion", }
    /// Which frame a body's child shares (`mjtSameFrame`).
    SameFrame { None = 0 "none", Body = 1 "body", Inertia = 2 "inertia", BodyRot = 3 "bodyrot", InertiaRot = 4 "inertiarot", }
    /// Sleep policy of a tree (`mjtSleepPolicy`).
    SleepPolicy {
        Auto = 0 "auto", AutoNever = 1 "auto_never", AutoAllowed = 2 "auto_allowed", Never = 3 "never", Allowed = 4 "allowed",
        Init = 5 "init",
    }
    /// Sleep state of an object (`mjtSleepState`).
    SleepState { Static = -1 "static", Asleep = 0 "asleep", Awake = 1 "awake", }
    /// Whether bodies take their inertia from geoms (`mjtInertiaFromGeom`).
    InertiaFromGeom { False = 0 "false", True = 1 "true", Auto = 2 "auto", }
    /// Quantities that a frame's scale changes (`mjtScaling`).
    Scaling { Similar = 0 "similar", Geometry = 1 "geometry", }
    /// Which actuators have their length range computed (`mjtLRMode`).
    LengthRangeMode { None = 0 "none", Muscle = 1 "muscle", MuscleUser = 2 "muscleuser", All = 3 "all", }
    /// A truth value that the compiler may decide.
    Tri { Auto = 2 "auto", False = 0 "false", True = 1 "true", }
    /// Shape or source of a flexcomp.
    FlexcompType {
        Grid = 0 "grid", Box = 1 "box", Cylinder = 2 "cylinder", Ellipsoid = 3 "ellipsoid", Square = 4 "square", Disc = 5 "disc",
        Circle = 6 "circle", Mesh = 7 "mesh", Gmsh = 8 "gmsh", Direct = 9 "direct",
    }
    /// Degrees of freedom of a flex.
    FlexDof { Full = 0 "full", Radial = 1 "radial", Trilinear = 2 "trilinear", Quadratic = 3 "quadratic", Planar = 4 "2d", }
    /// Quantity that equality constraints of a flexcomp hold constant.
    FlexEquality { False = 0 "false", True = 1 "true", Strain = 2 "strain", }
    /// How a flex finds the elements of its own that touch (`mjtFlexSelf`).
    FlexSelf { None = 0 "none", Narrow = 1 "narrow", Bvh = 2 "bvh", Sap = 3 "sap", Auto = 4 "auto", }
    /// Elastic deformations of a shell.
    Elastic2d { None = 0 "none", Bend = 1 "bend", Stretch = 2 "stretch", Both = 3 "both", }
    /// Material of elastic tetrahedra. MJCF has no attribute for it.
    Elastic3d { SaintVenantKirchhoff = 0 "stvk", NeoHookean = 1 "neohookean", }
    /// Cross section of a flex's lines.
    Section { Circle = 0 "circle", Box = 1 "box", }
    /// Type of constraint row (`mjtConstraint`).
    ConstraintType {
        Equality = 0 "equality", FrictionDof = 1 "friction_dof", FrictionTendon = 2 "friction_tendon", LimitJoint = 3 "limit_joint",
        LimitTendon = 4 "limit_tendon", ContactFrictionless = 5 "contact_frictionless", ContactPyramidal = 6 "contact_pyramidal",
        ContactElliptic = 7 "contact_elliptic",
    }
    /// Kind of warning (`mjtWarning`; the last two are not among the reference's).
    Warning {
        Inertia = 0 "inertia", ContactFull = 1 "contactfull", CnstrFull = 2 "cnstrfull", BadQpos = 3 "badqpos", BadQvel = 4 "badqvel",
        BadQacc = 5 "badqacc", BadCtrl = 6 "badctrl", BadTimestep = 7 "badtimestep",
        Incomplete = 8 "incomplete",
    }
}

/// Disable flags (`mjtDisableBit`), as bits of `opt.disableflags`.
pub mod disable {
    /// Flag names of MJCF `option/flag` (enabled by default), bit by bit.
    pub const NAMES: [&str; 20] = [
        "constraint",
        "equality",
        "frictionloss",
        "limit",
        "contact",
        "spring",
        "damper",
        "gravity",
        "clampctrl",
        "warmstart",
        "filterparent",
        "actuation",
        "refsafe",
        "sensor",
        "midphase",
        "eulerdamp",
        "autoreset",
        "nativeccd",
        "island",
        "multiccd",
    ];
    /// Entire constraint solver.
    pub const CONSTRAINT: u32 = 1 << 0;
    /// Equality constraints.
    pub const EQUALITY: u32 = 1 << 1;
    /// Joint and tendon friction loss.
    pub const FRICTIONLOSS: u32 = 1 << 2;
    /// Joint and tendon limits.
    pub const LIMIT: u32 = 1 << 3;
    /// Contacts.
    pub const CONTACT: u32 = 1 << 4;
    /// Passive springs.
    pub const SPRING: u32 = 1 << 5;
    /// Passive dampers.
    pub const DAMPER: u32 = 1 << 6;
    /// Gravity.
    pub const GRAVITY: u32 = 1 << 7;
    /// Clamping of controls.
    pub const CLAMPCTRL: u32 = 1 << 8;
    /// Warm start of the constraint solver.
    pub const WARMSTART: u32 = 1 << 9;
    /// Filter of collisions between parent and child.
    pub const FILTERPARENT: u32 = 1 << 10;
    /// Actuator forces.
    pub const ACTUATION: u32 = 1 << 11;
    /// Safety of solref's time constant.
    pub const REFSAFE: u32 = 1 << 12;
    /// Sensors.
    pub const SENSOR: u32 = 1 << 13;
    /// Middle-phase collision filter.
    pub const MIDPHASE: u32 = 1 << 14;
    /// Implicit damping in the Euler integrator.
    pub const EULERDAMP: u32 = 1 << 15;
    /// Automatic reset.
    pub const AUTORESET: u32 = 1 << 16;
    /// Native convex collision.
    pub const NATIVECCD: u32 = 1 << 17;
    /// Constraint islands.
    pub const ISLAND: u32 = 1 << 18;
    /// Several contacts from convex collision.
    pub const MULTICCD: u32 = 1 << 19;
}

/// Enable flags (`mjtEnableBit`), as bits of `opt.enableflags`.
pub mod enable {
    /// Flag names of MJCF `option/flag` (disabled by default), bit by bit.
    pub const NAMES: [&str; 8] =
        ["override", "energy", "fwdinv", "invdiscrete", "sleep", "diagexact", "ipc", "speculative"];
    /// Override of contact parameters.
    pub const OVERRIDE: u32 = 1 << 0;
    /// Energy.
    pub const ENERGY: u32 = 1 << 1;
    /// Comparison of forward and inverse dynamics.
    pub const FWDINV: u32 = 1 << 2;
    /// Discrete-time inverse dynamics.
    pub const INVDISCRETE: u32 = 1 << 3;
    /// Sleeping trees.
    pub const SLEEP: u32 = 1 << 4;
    /// Exact diagonal of the constraint inertia.
    pub const DIAGEXACT: u32 = 1 << 5;
    /// IPC contact mode of flexes.
    pub const IPC: u32 = 1 << 6;
    /// Speculative contacts.
    pub const SPECULATIVE: u32 = 1 << 7;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_and_keywords_agree() {
        for &(k, v) in SensorType::KEYWORDS {
            assert_eq!(SensorType::from_keyword(k), Some(v));
            assert_eq!(SensorType::from_code(v.code()), Some(v));
            assert_eq!(v.keyword(), k);
        }
    }
}

/// Deformations of a flex that are plastic, as bits of `flex_plasticmode`.
pub mod plastic {
    /// Bending of hinges.
    pub const BENDING: i32 = 1 << 0;
    /// Stretching of elements.
    pub const STRETCHING: i32 = 1 << 1;
}
