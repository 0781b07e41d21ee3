//! Settings of the whole model: compiler, option, size, statistic, visual.

use crate::limits;
use crate::reader::Reader;
use crate::reader::table::{Attr, Child, Given, Shape, Slot, Table, attr};
use crate::syntax::number;
use crate::syntax::tree::Node;
use mj_model::spec::*;
use mj_model::{Options, VisualAttribute, disable, enable};

const ENABLE: Shape = Shape::Keyword(&["disable", "enable"]);

/// An attribute that is checked, and then of no effect here.
pub(crate) const fn checked<T>(name: &'static str, shape: Shape) -> Attr<T> {
    Attr::new(name, shape, |_, _| {})
}

pub(crate) const COMPILER: Table<Compiler> = Table {
    groups: &[&[
        attr!(Compiler: "autolimits" autolimits),
        attr!(Compiler: "boundmass" boundmass),
        attr!(Compiler: "boundinertia" boundinertia),
        attr!(Compiler: "settotalmass" settotalmass),
        attr!(Compiler: "balanceinertia" balanceinertia),
        attr!(Compiler: "strippath" strippath),
        checked("coordinate", Shape::Keyword(&["local", "global"])),
        Attr::new("angle", Shape::Keyword(&["radian", "degree"]), |c: &mut Compiler, v| c.degree = v.keyword() == 1)
            .give(|c| Given::word(if c.degree { "degree" } else { "radian" })),
        attr!(Compiler: "fitaabb" fitaabb),
        Attr::new("eulerseq", Shape::Text, |c: &mut Compiler, v| {
            if let Ok(order) = v.text().as_bytes().try_into() {
                c.eulerseq = order;
            }
        })
        .give(|c| Given::Text(c.eulerseq.iter().map(|&b| char::from(b)).collect())),
        Attr::new("assetdir", Shape::Text, |c, v| {
            // The more particular attributes win, in whatever order they are written.
            if c.meshdir.is_empty() {
                c.meshdir = v.text().into();
            }
            if c.texturedir.is_empty() {
                c.texturedir = v.text().into();
            }
        }),
        attr!(Compiler: "meshdir" meshdir),
        attr!(Compiler: "texturedir" texturedir),
        attr!(Compiler: "discardvisual" discardvisual),
        attr!(Compiler: "usethread" usethread),
        attr!(Compiler: "fusestatic" fusestatic),
        attr!(Compiler: "inertiafromgeom" inertiafromgeom),
        attr!(Compiler: "inertiagrouprange" inertiagrouprange),
        attr!(Compiler: "saveinertial" saveinertial),
        attr!(Compiler: "alignfree" alignfree),
        // What to do when attached models disagree.
        Attr::new("conflict", Shape::Keyword(&["warning", "merge", "error"]), |c: &mut Compiler, v| {
            c.conflict = [Conflict::Warning, Conflict::Merge, Conflict::Error][v.keyword()];
        })
        .give(|c| {
            Given::word(match c.conflict {
                Conflict::Warning => "warning",
                Conflict::Merge => "merge",
                Conflict::Error => "error",
            })
        }),
        // How other programs save.
        attr!(Compiler: "savecompiled" savecompiled),
        attr!(Compiler: "savecanonical" savecanonical),
        Attr::new("passthrough", Shape::Keyword(&["none", "textures"]), |c: &mut Compiler, v| {
            c.passthrough = [Passthrough::None, Passthrough::Textures][v.keyword()];
        })
        .give(|c| Given::word(if c.passthrough == Passthrough::None { "none" } else { "textures" })),
    ]],
    rules: &[],
};

pub(crate) const LENGTHRANGE: Table<LengthRange> = Table {
    groups: &[&[
        attr!(LengthRange: "mode" mode),
        attr!(LengthRange: "useexisting" useexisting),
        attr!(LengthRange: "uselimit" uselimit),
        attr!(LengthRange: "accel" accel),
        attr!(LengthRange: "maxforce" maxforce),
        attr!(LengthRange: "timeconst" timeconst),
        attr!(LengthRange: "timestep" timestep),
        attr!(LengthRange: "inttotal" inttotal),
        attr!(LengthRange: "interval" interval),
        attr!(LengthRange: "tolrange" tolrange),
    ]],
    rules: &[],
};

pub(crate) const OPTION: Table<Options> = Table {
    groups: &[&[
        attr!(Options: "timestep" timestep),
        attr!(Options: "impratio" impratio),
        attr!(Options: "tolerance" tolerance),
        attr!(Options: "ls_tolerance" ls_tolerance),
        attr!(Options: "noslip_tolerance" noslip_tolerance),
        attr!(Options: "ccd_tolerance" ccd_tolerance),
        attr!(Options: "sleep_tolerance" sleep_tolerance),
        attr!(Options: "gravity" gravity),
        attr!(Options: "wind" wind),
        attr!(Options: "magnetic" magnetic),
        attr!(Options: "density" density),
        attr!(Options: "viscosity" viscosity),
        attr!(Options: "o_margin" o_margin),
        attr!(Options: "o_solref" o_solref).from(1),
        attr!(Options: "o_solimp" o_solimp).from(1),
        attr!(Options: "o_friction" o_friction).from(1),
        attr!(Options: "integrator" integrator),
        attr!(Options: "cone" cone),
        attr!(Options: "jacobian" jacobian),
        attr!(Options: "solver" solver),
        attr!(Options: "iterations" iterations),
        attr!(Options: "ls_iterations" ls_iterations),
        attr!(Options: "noslip_iterations" noslip_iterations),
        attr!(Options: "ccd_iterations" ccd_iterations),
        attr!(Options: "sdf_iterations" sdf_iterations),
        attr!(Options: "sdf_initpoints" sdf_initpoints),
        Attr::new("actuatorgroupdisable", Shape::Integers { min: 1, max: 31 }, |o: &mut Options, v| {
            for &group in v.numbers().iter().filter(|g| (0.0..=30.0).contains(*g)) {
                o.disableactuator |= 1 << group as u32;
            }
        })
        .give(|o| {
            let groups = (0..31).filter(|g| o.disableactuator >> g & 1 == 1);
            Given::Words(groups.map(|g: u32| g.to_string()).collect())
        })
        .whole(),
    ]],
    rules: &[],
};

macro_rules! flags {
    ($field:ident, $module:ident, $set_by:literal: $($name:literal $bit:ident)*) => {
        &[$(Attr::new($name, ENABLE, |o: &mut Options, v| {
            o.$field &= !$module::$bit;
            if v.keyword() == $set_by {
                o.$field |= $module::$bit;
            }
        })
        .give(|o| {
            let set = i32::from(o.$field & $module::$bit != 0);
            Given::keyword(ENABLE, if $set_by == 1 { set } else { 1 - set })
        }),)*]
    };
}

pub(crate) const FLAGS: Table<Options> = Table {
    groups: &[
        flags!(disableflags, disable, 0:
            "constraint" CONSTRAINT "equality" EQUALITY "frictionloss" FRICTIONLOSS "limit" LIMIT "contact" CONTACT
            "spring" SPRING "damper" DAMPER "gravity" GRAVITY "clampctrl" CLAMPCTRL "warmstart" WARMSTART
            "filterparent" FILTERPARENT "actuation" ACTUATION "refsafe" REFSAFE "sensor" SENSOR "midphase" MIDPHASE
            "eulerdamp" EULERDAMP "autoreset" AUTORESET "nativeccd" NATIVECCD "island" ISLAND "multiccd" MULTICCD
        ),
        flags!(enableflags, enable, 1:
            "override" OVERRIDE "energy" ENERGY "fwdinv" FWDINV "invdiscrete" INVDISCRETE "sleep" SLEEP
            "diagexact" DIAGEXACT "ipc" IPC "speculative" SPECULATIVE
        ),
    ],
    rules: &[],
};

/// A size where −1 leaves the choice to the compiler.
macro_rules! optional_size {
    ($name:literal $field:ident) => {
        Attr::new($name, i32::SHAPE, |s: &mut Sizes, v| s.$field = usize::try_from(v.integer()).ok())
            .min(-1.0)
            .give(|s| s.$field.map_or(Given::Nothing, |n| Given::word(&n.to_string())))
    };
}

pub(crate) const SIZE: Table<Sizes> = Table {
    groups: &[&[
        Attr::new("memory", Shape::Text, |s: &mut Sizes, v| s.memory = memory(v.text()).unwrap_or(None))
            .give(|s| s.memory.map_or(Given::Nothing, |bytes| Given::word(&(bytes as u64).to_string()))),
        // Sizes of the reference's own buffers.
        optional_size!("njmax" njmax),
        optional_size!("nconmax" nconmax),
        optional_size!("nstack" nstack),
        Attr::new("nuserdata", i32::SHAPE, |s: &mut Sizes, v| s.nuserdata = v.number().max(0.0) as usize)
            .min(0.0)
            .give(|s| Given::word(&s.nuserdata.to_string())),
        Attr::new("nkey", i32::SHAPE, |s: &mut Sizes, v| s.nkey = v.number().max(0.0) as usize)
            .give(|s| Given::word(&s.nkey.to_string())),
        optional_size!("nuser_body" nuser_body),
        optional_size!("nuser_jnt" nuser_jnt),
        optional_size!("nuser_geom" nuser_geom),
        optional_size!("nuser_site" nuser_site),
        optional_size!("nuser_cam" nuser_cam),
        optional_size!("nuser_tendon" nuser_tendon),
        optional_size!("nuser_actuator" nuser_actuator),
        optional_size!("nuser_sensor" nuser_sensor),
    ]],
    rules: &[
        crate::reader::table::Rule::AtMostOne(&[&["memory"], &["nstack"]]),
        crate::reader::table::Rule::AtMostOne(&[&["memory"], &["njmax"]]),
    ],
};

/// Bytes of a size with an optional binary unit; none for −1; an error if it is neither.
fn memory(text: &str) -> Result<Option<f64>, ()> {
    let mut words = number::words(text);
    let (Some(word), None) = (words.next(), words.next()) else {
        return Err(());
    };
    if word == "-1" {
        return Ok(None);
    }
    let units = ['k', 'm', 'g', 't', 'p', 'e'];
    let unit = word.chars().last().and_then(|c| units.iter().position(|u| *u == c.to_ascii_lowercase()));
    let (digits, shift) = unit.map_or((word, 0), |i| (&word[..word.len() - 1], 10 * (i + 1)));
    let bytes: u128 = digits.parse::<u64>().map_err(|_| ())?.into();
    u64::try_from(bytes << shift).map(|b| Some(b as f64)).map_err(|_| ())
}

pub(crate) const STATISTIC: Table<StatisticOverride> = Table {
    groups: &[&[
        attr!(StatisticOverride: "meaninertia" meaninertia),
        attr!(StatisticOverride: "meanmass" meanmass),
        attr!(StatisticOverride: "meansize" meansize),
        attr!(StatisticOverride: "extent" extent).positive(),
        attr!(StatisticOverride: "center" center),
    ]],
    rules: &[],
};

/// Whether the headlight is on; `auto` leaves it to the renderer. Numbers stand for the three words, in their order.
const HEADLIGHT: Shape = Shape::Keyword(&["false", "true", "auto", "0", "1", "2"]);

/// `visual!("global": f "fovy" "ipd", i "offwidth")`: attributes of a sub-element of `visual`, by kind
/// of number.
macro_rules! visual {
    (@shape f) => { f32::SHAPE };
    (@shape i) => { i32::SHAPE };
    (@shape b) => { bool::SHAPE };
    (@shape active) => { HEADLIGHT };
    (@shape rgb) => { <[f32; 3]>::SHAPE };
    (@shape rgba) => { <[f32; 4]>::SHAPE };
    // Number of values that the words of a kind stand for.
    (@values active) => { 3 };
    (@values $kind:ident) => { usize::MAX };
    ($element:literal: $($kind:ident $($name:literal)*),*) => {
        Table {
            groups: &[$(&[$(Attr::new($name, visual!(@shape $kind), |out: &mut Vec<VisualAttribute>, v| {
                let value = if v.numbers().is_empty() { vec![(v.keyword() % visual!(@values $kind)) as f64] } else { v.numbers().to_vec() };
                out.push(VisualAttribute { element: $element.into(), name: $name.into(), value });
            }),)*],)*],
            rules: &[],
        }
    };
}

/// Sub-elements of `visual` with their attributes.
pub(crate) const VISUAL: &[(&str, Table<Vec<VisualAttribute>>)] = &[
    (
        "global",
        visual!("global":
            i "cameraid" "offwidth" "offheight",
            b "orthographic" "ellipsoidinertia" "bvactive",
            f "fovy" "ipd" "azimuth" "elevation" "linewidth" "glow" "realtime"),
    ),
    ("quality", visual!("quality": i "shadowsize" "offsamples" "numslices" "numstacks" "numquads")),
    ("headlight", visual!("headlight": rgb "ambient" "diffuse" "specular", active "active")),
    (
        "map",
        visual!("map":
            f "stiffness" "stiffnessrot" "force" "torque" "alpha" "fogstart" "fogend" "znear" "zfar" "haze"
              "shadowclip" "shadowscale" "actuatortendon"),
    ),
    (
        "scale",
        visual!("scale":
            f "forcewidth" "contactwidth" "contactheight" "connect" "com" "camera" "light" "selectpoint"
              "jointlength" "jointwidth" "actuatorlength" "actuatorwidth" "framelength" "framewidth" "constraint"
              "slidercrank" "frustum"),
    ),
    (
        "rgba",
        visual!("rgba":
            rgba "fog" "haze" "force" "inertia" "joint" "actuator" "actuatornegative" "actuatorpositive" "com"
                 "camera" "light" "selectpoint" "connect" "contactpoint" "contactforce" "contactfriction"
                 "contacttorque" "contactgap" "rangefinder" "constraint" "slidercrank" "crankbroken" "frustum" "bv"
                 "bvactive"),
    ),
];

pub(crate) const VISUAL_CHILDREN: &[Child] = &{
    let mut children = [Child::single(""); VISUAL.len()];
    let mut i = 0;
    while i < children.len() {
        children[i] = Child::single(VISUAL[i].0);
        i += 1;
    }
    children
};

impl Reader<'_> {
    pub(crate) fn compiler(&mut self, section: &Node) {
        let mut compiler = std::mem::take(&mut self.spec.compiler);
        if section.attribute("assetdir").is_some() {
            // A later section's directory replaces an earlier one's.
            compiler.meshdir.clear();
            compiler.texturedir.clear();
        }
        self.attributes(section, &COMPILER, &mut compiler);
        if self.budget.open.len() <= 1 {
            self.budget.passthrough = compiler.passthrough;
        }
        self.spec.compiler = compiler;
        if section.get("coordinate") == Some("global") {
            self.error(section.value_loc("coordinate"), "global coordinates were removed from the language")
                .help("MuJoCo 2.3.3 and older can load such a model and save it in local coordinates");
        }
        if let Some(order) = section.get("eulerseq")
            && !(order.len() == 3 && order.bytes().all(|b| b"xyzXYZ".contains(&b)))
        {
            self.error(section.value_loc("eulerseq"), format!("`{order}` is not an order of Euler rotations"))
                .help("give three of x, y, z (about the turning axes) or X, Y, Z (about the fixed axes)");
        }
        for child in self.children(section, &[Child::single("lengthrange")]) {
            let mut lengthrange = std::mem::take(&mut self.spec.compiler.lengthrange);
            self.attributes(child, &LENGTHRANGE, &mut lengthrange);
            self.no_children(child);
            self.spec.compiler.lengthrange = lengthrange;
        }
    }

    pub(crate) fn option(&mut self, section: &Node) {
        let mut option = std::mem::take(&mut self.spec.option);
        self.attributes(section, &OPTION, &mut option);
        self.authored.extend(section.attributes.iter().map(|a| a.name.clone()));
        if let Some(groups) = section.get("actuatorgroupdisable")
            && let Some(wrong) =
                number::words(groups).find(|w| number::integer(w).is_ok_and(|g| !(0..=30).contains(&g)))
        {
            let message = format!("actuator group `{wrong}` cannot be disabled");
            self.error(section.value_loc("actuatorgroupdisable"), message).help("groups 0 to 30 can");
        }
        let flags = self.children(section, &[Child::single("flag")]);
        for flag in &flags {
            self.attributes(flag, &FLAGS, &mut option);
            self.authored.extend(flag.attributes.iter().map(|a| a.name.clone()));
            self.no_children(flag);
        }
        for a in [section].into_iter().chain(flags).flat_map(|node| &node.attributes) {
            self.spec.option_locs.push((a.name.clone(), a.value_loc));
        }
        self.spec.option = option;
    }

    pub(crate) fn size(&mut self, section: &Node) {
        let mut size = std::mem::take(&mut self.spec.size);
        self.attributes(section, &SIZE, &mut size);
        self.no_children(section);
        self.spec.size = size;
        if let Some(text) = section.get("memory") {
            let loc = section.value_loc("memory");
            match memory(text) {
                Err(()) => {
                    self.error(loc, format!("`{text}` is not a size of memory"))
                        .help("give a whole number of bytes, or one with a unit: K, M, G, T, P, E");
                }
                Ok(Some(bytes)) if !limits::MEMORY.contains(&bytes) => {
                    self.error(loc, format!("no model can be run in `{text}` bytes of memory"))
                        .help("leave `memory` out: buffers here grow as they need");
                }
                Ok(_) => {}
            }
        }
        for a in section.attributes.iter().filter(|a| a.name.starts_with('n')) {
            if number::integer(a.value.trim()).is_ok_and(|n| i64::from(n) > limits::COUNT) {
                self.error(a.value_loc, format!("`{}` may be at most {}", a.name, limits::COUNT));
            }
        }
    }

    pub(crate) fn statistic(&mut self, section: &Node) {
        let mut statistic = std::mem::take(&mut self.spec.statistic);
        self.attributes(section, &STATISTIC, &mut statistic);
        self.no_children(section);
        self.spec.statistic = statistic;
    }

    pub(crate) fn visual(&mut self, section: &Node) {
        self.attributes(section, &Table::<()>::EMPTY, &mut ());
        for child in self.children(section, VISUAL_CHILDREN) {
            let mut attributes = std::mem::take(&mut self.spec.visual.attributes);
            if let Some((_, table)) = VISUAL.iter().find(|(name, _)| *name == child.name) {
                self.attributes(child, table, &mut attributes);
            }
            self.no_children(child);
            self.spec.visual.attributes = attributes;
            for (element, name) in [("map", "znear"), ("global", "realtime")] {
                if child.name == element
                    && let Some(Ok(x)) = child.get(name).map(|t| number::real(t.trim()))
                    && x <= 0.0
                {
                    self.error(child.value_loc(name), format!("`{name}` must be greater than 0"));
                }
            }
        }
    }
}
