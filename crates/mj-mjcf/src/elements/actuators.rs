//! Actuators: the general one and its shortcuts, which are turned into general parameters as the
//! manual's table for each describes.
//!
//! A default class has one prototype, written with `general` or a shortcut. Every actuator takes its
//! transmission, ranges and the like; a shortcut takes gain, bias and dynamics only from a prototype
//! written with the same shortcut, or with `general` and the same type of gain, and looks for one
//! from its class upwards.

use crate::elements::actuator_form::{Form, Parameters};
use crate::elements::{servos, shortcuts};
use crate::reader::Reader;
use crate::reader::table::{Attr, Child, Given, Shape, Slot, Table, attr};
use crate::syntax::tree::Node;
use mj_model::spec::{Actuator, Plugin};
use mj_model::{GainType, Tri, TrnType};

const INTERPOLATION: Shape = Shape::Keyword(&["zoh", "linear", "cubic"]);

const BASE: &[Attr<Form>] = &[
    attr!(Form: "name" a.name).own(),
    attr!(Form: "class" a.class).own(),
    attr!(Form: "group" a.group),
    attr!(Form: "nsample" a.nsample),
    Attr::new("interp", INTERPOLATION, |f: &mut Form, v| f.a.interp = v.keyword() as i32)
        .give(|f| Given::keyword(INTERPOLATION, f.a.interp)),
    attr!(Form: "delay" a.delay),
    attr!(Form: "ctrlrange" a.ctrlrange),
    attr!(Form: "user" a.user),
];
const CTRL_LIMITED: &[Attr<Form>] = &[attr!(Form: "ctrllimited" a.ctrllimited)];
const FORCE: &[Attr<Form>] = &[attr!(Form: "forcelimited" a.forcelimited), attr!(Form: "forcerange" a.forcerange)];
const ACT: &[Attr<Form>] = &[attr!(Form: "actlimited" a.actlimited), attr!(Form: "actrange" a.actrange)];
const DYNAMICS: &[Attr<Form>] = &[
    attr!(Form: "lengthrange" a.lengthrange).own(),
    attr!(Form: "gear" a.gear).from(1),
    attr!(Form: "damping" a.damping).from(1),
    attr!(Form: "armature" a.armature),
    attr!(Form: "cranklength" a.cranklength),
];

/// An attribute that names the target, of a transmission.
macro_rules! target {
    ($name:literal $kind:ident) => {
        Attr::new($name, Shape::Text, |f: &mut Form, v| {
            // Where several are given, the reference takes the last of this order.
            let rank = |t: TrnType| {
                let order = [
                    TrnType::Joint,
                    TrnType::JointInParent,
                    TrnType::Tendon,
                    TrnType::SliderCrank,
                    TrnType::Site,
                    TrnType::Body,
                ];
                order.iter().position(|o| *o == t)
            };
            if rank(TrnType::$kind) >= rank(f.a.trntype) {
                f.a.trntype = TrnType::$kind;
                f.a.target = v.text().into();
            }
        })
        .own()
        .give(|f| if f.a.trntype == TrnType::$kind { f.a.target.give() } else { Given::Nothing })
    };
}
const BODYLESS: &[Attr<Form>] = &[
    target!("joint" Joint),
    target!("jointinparent" JointInParent),
    target!("tendon" Tendon),
    target!("cranksite" SliderCrank),
    attr!(Form: "slidersite" a.slidersite).own(),
];
const SITE: &[Attr<Form>] = &[target!("site" Site), attr!(Form: "refsite" a.refsite).own()];
const BODY: &[Attr<Form>] = &[target!("body" Body)];
const INHERIT: &[Attr<Form>] = &[attr!(Form: "inheritrange" a.inheritrange)];
const SERVO_INHERIT: &[Attr<Form>] = &[attr!(Form: "inheritrange" inheritrange)];
const KP: &[Attr<Form>] = &[attr!(Form: "kp" kp)];
const KV: &[Attr<Form>] = &[attr!(Form: "kv" kv)];
const DAMPRATIO: &[Attr<Form>] = &[attr!(Form: "dampratio" dampratio)];
// Read with the element, since its words have an order.
const INPUT: &[Attr<Form>] =
    &[Attr::new("input", Shape::Text, |_: &mut Form, _| {}).give(|f| Given::Text(servos::input_text(&f.a))).always()];
const SETPOINT_RANGES: &[Attr<Form>] = &[attr!(Form: "velrange" a.velrange), attr!(Form: "ffrange" a.ffrange)];
const TIMECONST: &[Attr<Form>] = &[attr!(Form: "timeconst" timeconst)];

pub(crate) const GENERAL: Table<Form> = Table {
    groups: &[
        BASE,
        CTRL_LIMITED,
        FORCE,
        ACT,
        DYNAMICS,
        BODYLESS,
        SITE,
        BODY,
        INHERIT,
        &[
            attr!(Form: "actdim" a.actdim),
            attr!(Form: "dyntype" a.dyntype),
            attr!(Form: "gaintype" a.gaintype),
            attr!(Form: "biastype" a.biastype),
            attr!(Form: "dynprm" a.dynprm).from(1),
            attr!(Form: "gainprm" a.gainprm).from(1),
            attr!(Form: "biasprm" a.biasprm).from(1),
            attr!(Form: "actearly" a.actearly),
        ],
        INPUT,
        SETPOINT_RANGES,
    ],
    rules: &[],
};
const MOTOR: Table<Form> = Table { groups: &[BASE, CTRL_LIMITED, FORCE, DYNAMICS, BODYLESS, SITE], rules: &[] };
const POSITION: Table<Form> = Table {
    groups: &[BASE, CTRL_LIMITED, FORCE, DYNAMICS, BODYLESS, SITE, SERVO_INHERIT, KP, KV, DAMPRATIO, TIMECONST],
    rules: &[],
};
const VELOCITY: Table<Form> = Table { groups: &[BASE, CTRL_LIMITED, FORCE, DYNAMICS, BODYLESS, SITE, KV], rules: &[] };
const INTVELOCITY: Table<Form> = Table {
    groups: &[BASE, CTRL_LIMITED, FORCE, ACT, DYNAMICS, BODYLESS, SITE, SERVO_INHERIT, KP, KV, DAMPRATIO],
    rules: &[],
};
const DAMPER: Table<Form> = Table { groups: &[BASE, FORCE, DYNAMICS, BODYLESS, SITE, KV], rules: &[] };
const CYLINDER: Table<Form> = Table {
    groups: &[
        BASE,
        CTRL_LIMITED,
        FORCE,
        DYNAMICS,
        BODYLESS,
        SITE,
        TIMECONST,
        &[attr!(Form: "area" area), attr!(Form: "diameter" diameter), attr!(Form: "bias" bias)],
    ],
    rules: &[],
};
const MUSCLE: Table<Form> = Table {
    groups: &[
        BASE,
        CTRL_LIMITED,
        FORCE,
        DYNAMICS,
        BODYLESS,
        &[
            attr!(Form: "timeconst" muscle.timeconst),
            attr!(Form: "tausmooth" muscle.tausmooth).own(),
            attr!(Form: "range" muscle.range),
            attr!(Form: "force" muscle.force),
            attr!(Form: "scale" muscle.scale),
            attr!(Form: "lmin" muscle.lmin),
            attr!(Form: "lmax" muscle.lmax),
            attr!(Form: "vmax" muscle.vmax),
            attr!(Form: "fpmax" muscle.fpmax),
            attr!(Form: "fvmax" muscle.fvmax),
        ],
    ],
    rules: &[],
};
const ORIENTATION: Table<Form> =
    Table { groups: &[BASE, FORCE, &[target!("joint" Joint)], SITE, KP, KV, DAMPRATIO, INPUT], rules: &[] };
const PID: Table<Form> = Table {
    groups: &[
        BASE,
        CTRL_LIMITED,
        FORCE,
        DYNAMICS,
        BODYLESS,
        SITE,
        SERVO_INHERIT,
        KP,
        KV,
        DAMPRATIO,
        INPUT,
        SETPOINT_RANGES,
        &[
            attr!(Form: "ki" ki),
            attr!(Form: "imax" imax),
            attr!(Form: "slewmax" slewmax),
            attr!(Form: "posrange" posrange),
        ],
    ],
    rules: &[],
};
const DCMOTOR: Table<Form> = Table {
    groups: &[
        BASE,
        CTRL_LIMITED,
        DYNAMICS,
        BODYLESS,
        SITE,
        INPUT,
        &[
            attr!(Form: "motorconst" dc.motorconst).from(1),
            attr!(Form: "resistance" dc.resistance),
            attr!(Form: "nominal" dc.nominal).from(1),
            attr!(Form: "saturation" dc.saturation).from(1),
            attr!(Form: "inductance" dc.inductance).from(1),
            attr!(Form: "cogging" dc.cogging).from(1),
            attr!(Form: "controller" dc.controller).from(1),
            attr!(Form: "thermal" dc.thermal).from(1),
            attr!(Form: "lugre" dc.lugre).from(1),
        ],
    ],
    rules: &[],
};
const ADHESION: Table<Form> = Table { groups: &[BASE, FORCE, BODY, &[attr!(Form: "gain" gain)]], rules: &[] };

/// The elements of actuators that default classes may hold too.
pub(crate) const TAGS: [&str; 12] = [
    "general",
    "motor",
    "position",
    "velocity",
    "intvelocity",
    "damper",
    "cylinder",
    "muscle",
    "adhesion",
    "orientation",
    "pid",
    "dcmotor",
];

/// The attributes of an actuator that a plugin computes.
pub(crate) const ACTUATOR_PLUGIN: Table<Form> = Table {
    groups: &[
        BASE,
        &[
            attr!(Form: "plugin" plugin.plugin).own(),
            attr!(Form: "instance" plugin.instance).own(),
            attr!(Form: "actdim" a.actdim),
            attr!(Form: "dyntype" a.dyntype),
            attr!(Form: "dynprm" a.dynprm).from(1),
            attr!(Form: "actearly" a.actearly),
        ],
        CTRL_LIMITED,
        FORCE,
        ACT,
        DYNAMICS,
        BODYLESS,
        SITE,
    ],
    rules: &[],
};

/// The attributes of an actuator's element.
pub(crate) fn table(element: &str) -> &'static Table<Form> {
    match element {
        "general" => &GENERAL,
        "motor" => &MOTOR,
        "position" => &POSITION,
        "velocity" => &VELOCITY,
        "intvelocity" => &INTVELOCITY,
        "damper" => &DAMPER,
        "cylinder" => &CYLINDER,
        "muscle" => &MUSCLE,
        "orientation" => &ORIENTATION,
        "pid" => &PID,
        "dcmotor" => &DCMOTOR,
        _ => &ADHESION,
    }
}

pub(crate) const CHILDREN: &[Child] = &{
    let mut children = [Child::many("plugin"); TAGS.len() + 1];
    let mut i = 0;
    while i < TAGS.len() {
        children[i] = Child::many(TAGS[i]);
        i += 1;
    }
    children
};

impl Reader<'_> {
    pub(crate) fn actuator(&mut self, section: &Node) {
        self.attributes(section, &Table::<()>::EMPTY, &mut ());
        for child in self.children(section, CHILDREN) {
            let class = self.class(child, "class", 0);
            let prototype = self.spec.defaults[class].actuator.clone();
            let prototype = Actuator { loc: child.loc, ..prototype };
            let actuator = if child.name == "plugin" {
                self.actuator_plugin(child, prototype)
            } else {
                let actuator = self.actuator_from(child, class, prototype);
                self.no_children(child);
                actuator
            };
            self.declare_node("actuator", child);
            self.spec.actuators.push(actuator);
        }
    }

    /// Reads an actuator that a plugin computes.
    fn actuator_plugin(&mut self, node: &Node, prototype: Actuator) -> Actuator {
        let plugin = Plugin { loc: node.loc, ..Default::default() };
        let mut form = Form { a: prototype, plugin, ..Default::default() };
        self.attributes(node, &ACTUATOR_PLUGIN, &mut form);
        self.check_transmission(node, &form.a);
        form.plugin.config = self.config(node);
        form.a.plugin = Some(form.plugin);
        form.a
    }

    /// Reads an actuator's attributes, starting from its class's prototype, and turns its shortcut
    /// into general parameters.
    pub(crate) fn actuator_from(&mut self, node: &Node, class: usize, prototype: Actuator) -> Actuator {
        // The type of gain of a general prototype that a shortcut takes parameters from.
        let table = table(&node.name);
        let shortcut = match node.name.as_str() {
            "general" => None,
            "damper" => Some(GainType::Affine),
            "muscle" => Some(GainType::Muscle),
            "orientation" => Some(GainType::So3),
            "pid" => Some(GainType::Pid),
            "dcmotor" => Some(GainType::DcMotor),
            _ => Some(GainType::Fixed),
        };
        let inherited = prototype.gaintype;
        let source = shortcut.and_then(|gain| self.shortcut_source(class, &node.name, gain)).cloned();
        let mut form = Form { a: prototype, dc: servos::motor_of(source.as_ref()), ..Default::default() };
        self.attributes(node, table, &mut form);
        self.check_transmission(node, &form.a);
        if shortcut.is_none() {
            if form.a.gaintype != inherited && node.attribute("input").is_none() {
                // What a control means goes with the type of gain.
                form.a.ctrlspec = 0;
            }
            self.input(node, &mut form.a);
            return form.a;
        }

        form.a.ctrlspec = source.as_ref().map_or(0, |s| s.ctrlspec);
        if ["orientation", "pid", "dcmotor"].contains(&node.name.as_str()) {
            self.input(node, &mut form.a);
        }
        let source = source.as_ref().map(Parameters::of);
        let problem = match node.name.as_str() {
            "motor" => {
                form.a.set_to_motor();
                Ok(())
            }
            "position" => {
                let servo = self.servo(node, &mut form, source, false);
                form.a.set_to_position(&servo)
            }
            "intvelocity" => {
                let servo = self.servo(node, &mut form, source, true);
                form.a.set_to_intvelocity(&servo)
            }
            "velocity" => {
                form.a.set_to_velocity(form.kv.unwrap_or(source.unwrap_or_default().gainprm[0]));
                Ok(())
            }
            "damper" => form.a.set_to_damper(form.kv.or(source.map(|s| -s.gainprm[2])).unwrap_or(0.0)),
            "cylinder" => {
                form.a.set_to_cylinder(&shortcuts::cylinder(&form, source));
                Ok(())
            }
            "muscle" => form.a.set_to_muscle(&shortcuts::muscle(&form, source)),
            "orientation" => {
                let servo = self.orientation(node, &form, source);
                form.a.set_to_orientation(&servo)
            }
            "pid" => {
                let pid = self.pid(node, &mut form, source);
                form.a.set_to_pid(&pid)
            }
            "dcmotor" => {
                if node.attribute("saturation").is_some() {
                    (form.a.forcelimited, form.a.forcerange) = (Tri::Auto, None);
                }
                form.dc.ctrlspec = form.a.ctrlspec;
                form.a.set_to_dcmotor(&form.dc)
            }
            _ => form.a.set_to_adhesion(form.gain.unwrap_or(source.unwrap_or_default().gainprm[0])),
        };
        // Of elements that are read, default classes have been seen to.
        form.a.shortcut = false;
        self.tell_shortcut(node, problem);
        form.a
    }

    /// The nearest prototype, from a class upwards, whose parameters a shortcut takes.
    fn shortcut_source(&self, class: usize, shortcut: &str, gain: GainType) -> Option<&Actuator> {
        let mut row = Some(class);
        while let Some(r) = row {
            let prototype = &self.spec.defaults[r].actuator;
            let written = self.class_actuators[r];
            if written == shortcut || (written == "general" && prototype.gaintype == gain) {
                return Some(prototype);
            }
            row = self.spec.defaults[r].parent;
        }
        None
    }

    fn check_transmission(&mut self, node: &Node, a: &Actuator) {
        for name in ["cranklength", "slidersite"] {
            if node.attribute(name).is_some() && !matches!(a.trntype, TrnType::SliderCrank | TrnType::Undefined) {
                self.error(node.value_loc(name), format!("`{name}` is for slider-crank transmissions only"))
                    .help("give `cranksite` as the target, or leave it out");
            }
        }
        if node.attribute("refsite").is_some() && !matches!(a.trntype, TrnType::Site | TrnType::Undefined) {
            self.error(node.value_loc("refsite"), "`refsite` is for site transmissions only")
                .help("give `site` as the target, or leave it out");
        }
    }
}
