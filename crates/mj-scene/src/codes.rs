//! Flags, frames, labels and shapes of scenes, with the reference's integer codes and names.

/// Declares enums whose codes count from 0 (or are given), with their names.
macro_rules! codes {
    ($($(#[$meta:meta])* $name:ident { $($variant:ident = $code:literal $word:literal,)* })*) => {$(
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[repr(i32)]
        pub enum $name {
            $(#[doc = concat!("`", $word, "`")] $variant = $code,)*
        }

        impl $name {
            /// All variants, in the order of their codes.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// Returns the reference's integer code.
            pub const fn code(self) -> i32 {
                self as i32
            }

            /// Returns the variant of an integer code.
            pub const fn from_code(code: i32) -> Option<Self> {
                match code {
                    $($code => Some(Self::$variant),)*
                    _ => None,
                }
            }

            /// Returns the reference's name without its prefix, in lower case.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $word,)*
                }
            }

            /// Finds a variant by its name, in any case, or by its integer code.
            pub fn find(word: &str) -> Option<Self> {
                Self::ALL
                    .iter()
                    .copied()
                    .find(|v| v.name().eq_ignore_ascii_case(word))
                    .or_else(|| word.parse().ok().and_then(Self::from_code))
            }
        }
    )*};
}

codes! {
    /// Elements that may be shown (`mjtVisFlag`).
    VisFlag {
        ConvexHull = 0 "convexhull", Texture = 1 "texture", Joint = 2 "joint", Camera = 3 "camera",
        Actuator = 4 "actuator", Activation = 5 "activation", Light = 6 "light", Tendon = 7 "tendon",
        Rangefinder = 8 "rangefinder", Constraint = 9 "constraint", Inertia = 10 "inertia",
        ScaleInertia = 11 "sclinertia", PertForce = 12 "pertforce", PertObj = 13 "pertobj",
        ContactPoint = 14 "contactpoint", Island = 15 "island", ContactForce = 16 "contactforce",
        ContactSplit = 17 "contactsplit", Transparent = 18 "transparent", AutoConnect = 19 "autoconnect",
        Com = 20 "com", Select = 21 "select", Static = 22 "static", Skin = 23 "skin", FlexVert = 24 "flexvert",
        FlexEdge = 25 "flexedge", FlexFace = 26 "flexface", FlexSkin = 27 "flexskin", BodyBvh = 28 "bodybvh",
        MeshBvh = 29 "meshbvh", SdfIter = 30 "sdfiter",
    }
    /// Effects of the renderer (`mjtRndFlag`).
    RndFlag {
        Shadow = 0 "shadow", Wireframe = 1 "wireframe", Reflection = 2 "reflection", Additive = 3 "additive",
        Skybox = 4 "skybox", Fog = 5 "fog", Haze = 6 "haze", Depth = 7 "depth", Segment = 8 "segment",
        IdColor = 9 "idcolor", CullFace = 10 "cull_face", PostProcessing = 11 "post_processing",
    }
    /// Elements whose frames are shown (`mjtFrame`).
    FrameKind {
        None = 0 "none", Body = 1 "body", Geom = 2 "geom", Site = 3 "site", Camera = 4 "camera", Light = 5 "light",
        Contact = 6 "contact", World = 7 "world",
    }
    /// Elements that are labelled (`mjtLabel`).
    LabelKind {
        None = 0 "none", Body = 1 "body", Joint = 2 "joint", Geom = 3 "geom", Site = 4 "site", Camera = 5 "camera",
        Light = 6 "light", Tendon = 7 "tendon", Actuator = 8 "actuator", Constraint = 9 "constraint", Flex = 10 "flex",
        Skin = 11 "skin", Selection = 12 "selection", SelPnt = 13 "selpnt", ContactPoint = 14 "contactpoint",
        ContactForce = 15 "contactforce", Island = 16 "island",
    }
    /// Shapes of geoms of a scene (`mjtGeom`): those of models, and those for decoration alone.
    SceneShape {
        Plane = 0 "plane", Hfield = 1 "hfield", Sphere = 2 "sphere", Capsule = 3 "capsule", Ellipsoid = 4 "ellipsoid",
        Cylinder = 5 "cylinder", Box = 6 "box", Mesh = 7 "mesh", Sdf = 8 "sdf", Arrow = 100 "arrow", Arrow1 = 101 "arrow1",
        Arrow2 = 102 "arrow2", Line = 103 "line", LineBox = 104 "linebox", Flex = 105 "flex", Skin = 106 "skin",
        Label = 107 "label", Triangle = 108 "triangle", None = 1001 "none",
    }
    /// Kinds of abstract cameras (`mjtCamera`).
    CameraKind { Free = 0 "free", Tracking = 1 "tracking", Fixed = 2 "fixed", User = 3 "user", }
    /// Movements of the mouse (`mjtMouse`).
    MouseAction {
        None = 0 "none", RotateV = 1 "rotate_v", RotateH = 2 "rotate_h", MoveV = 3 "move_v", MoveH = 4 "move_h",
        Zoom = 5 "zoom", MoveVRel = 6 "move_v_rel", MoveHRel = 7 "move_h_rel", TurnV = 8 "turn_v", TurnH = 9 "turn_h",
    }
    /// Stereoscopic pictures (`mjtStereo`).
    Stereo { None = 0 "none", QuadBuffered = 1 "quadbuffered", SideBySide = 2 "sidebyside", }
}

/// Bits of the categories of a scene's geoms (`mjtCatBit`).
pub mod category {
    /// Elements of bodies that are welded to the world.
    pub const STATIC: i32 = 1;
    /// Elements of all other bodies.
    pub const DYNAMIC: i32 = 2;
    /// Decoration.
    pub const DECOR: i32 = 4;
    /// All categories.
    pub const ALL: i32 = 7;
}

/// Bits of the perturbations by mouse (`mjtPertBit`).
pub mod pert {
    /// Translation.
    pub const TRANSLATE: i32 = 1;
    /// Rotation.
    pub const ROTATE: i32 = 2;
}
