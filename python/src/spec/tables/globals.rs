//! Settings of the whole model.

use super::{Form, Kind, fields};
use mj_model::spec::{Compiler, Sizes};

/// Compiler settings with what the engine's spec has no place for.
pub type CompilerForm = Form<Compiler, CompilerMore>;

/// Settings of the compiler that the engine's spec has no place for.
#[derive(Clone, Debug, Default)]
pub struct CompilerMore {
    /// Bits of the settings that a text gave.
    pub authored: i32,
}

/// Sizes and texts of a model.
pub type GlobalsForm = Form<Sizes, Globals>;

/// Texts of a model, and sizes that have no effect.
#[derive(Clone, Debug)]
pub struct Globals {
    /// The model's name.
    pub modelname: String,
    /// Comment at the top of the text.
    pub comment: String,
    /// Directory of the model's file.
    pub modelfiledir: String,
    /// Whether a sensor or actuator of a plugin was read.
    pub implicit_plugin: bool,
    /// Most equality constraints.
    pub nemax: i32,
    /// Bytes of memory; −1: by the compiler.
    pub memory: i32,
    /// Whether directories are stripped from names of files.
    pub strippath: bool,
}

impl Default for Globals {
    fn default() -> Self {
        Self {
            modelname: "MuJoCo Model".into(),
            comment: String::new(),
            modelfiledir: String::new(),
            implicit_plugin: false,
            nemax: 0,
            memory: -1,
            strippath: false,
        }
    }
}

macro_rules! nameless {
    ($($form:ident { $($rest:tt)* })*) => {$(
        impl Kind for $form {
            const FIELDS: &'static [super::Field<Self>] = fields!($form { $($rest)* });
            fn name(&mut self) -> Option<&mut String> {
                None
            }
        }
    )*};
}

nameless! {
    CompilerForm {
        "autolimits" e.autolimits;
        "boundmass" e.boundmass;
        "boundinertia" e.boundinertia;
        "settotalmass" e.settotalmass;
        "balanceinertia" e.balanceinertia;
        "fitaabb" e.fitaabb;
        "degree" e.degree;
        "eulerseq" e.eulerseq;
        "discardvisual" e.discardvisual;
        "usethread" e.usethread;
        "fusestatic" e.fusestatic;
        "inertiafromgeom" e.inertiafromgeom;
        "inertiagrouprange" e.inertiagrouprange;
        "saveinertial" e.saveinertial;
        "savecompiled" e.savecompiled;
        "savecanonical" e.savecanonical;
        "alignfree" e.alignfree;
        "conflict" e.conflict;
        "passthrough" e.passthrough;
        "meshdir" e.meshdir;
        "texturedir" e.texturedir;
        "authored" more.authored;
        "LRopt.mode" e.lengthrange.mode;
        "LRopt.useexisting" e.lengthrange.useexisting;
        "LRopt.uselimit" e.lengthrange.uselimit;
        "LRopt.accel" e.lengthrange.accel;
        "LRopt.maxforce" e.lengthrange.maxforce;
        "LRopt.timeconst" e.lengthrange.timeconst;
        "LRopt.timestep" e.lengthrange.timestep;
        "LRopt.inttotal" e.lengthrange.inttotal;
        "LRopt.interval" e.lengthrange.interval;
        "LRopt.tolrange" e.lengthrange.tolrange;
    }
    GlobalsForm {
        "modelname" more.modelname;
        "strippath" more.strippath;
        "memory" more.memory;
        "nemax" more.nemax;
        "nuserdata" e.nuserdata;
        "nuser_body" e.nuser_body;
        "nuser_jnt" e.nuser_jnt;
        "nuser_geom" e.nuser_geom;
        "nuser_site" e.nuser_site;
        "nuser_cam" e.nuser_cam;
        "nuser_tendon" e.nuser_tendon;
        "nuser_actuator" e.nuser_actuator;
        "nuser_sensor" e.nuser_sensor;
        "nkey" e.nkey;
        "njmax" e.njmax;
        "nconmax" e.nconmax;
        "nstack" e.nstack;
        "comment" more.comment;
        "modelfiledir" more.modelfiledir;
        "hasImplicitPluginElem" more.implicit_plugin;
    }
}
