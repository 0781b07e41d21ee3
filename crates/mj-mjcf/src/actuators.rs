//! Actuators: the general one and its shortcuts, which are turned into general parameters as the
//! manual's table for each describes.

use crate::reader::Reader;
use crate::schema::{Attr, Child, Shape, Table, attr};
use crate::servos::{self, DcMotor};
use crate::tree::Node;
use mj_model::enums::*;
use mj_model::spec::Actuator;
use std::f64::consts::PI;

/// An actuator with what its shortcut's own attributes say.
#[derive(Default)]
pub(crate) struct Form {
    pub a: Actuator,
    pub kp: Option<f64>,
    pub kv: Option<f64>,
    pub dampratio: Option<f64>,
    pub ki: Option<f64>,
    pub imax: Option<f64>,
    pub slewmax: Option<f64>,
    pub posrange: Option<[f64; 2]>,
    pub dc: DcMotor,
    timeconst: Option<f64>,
    area: Option<f64>,
    diameter: Option<f64>,
    bias: Option<[f64; 3]>,
    gain: Option<f64>,
    muscle: Muscle,
}

/// A muscle's own attributes.
#[derive(Default)]
struct Muscle {
    timeconst: Option<[f64; 2]>,
    tausmooth: Option<f64>,
    range: Option<[f64; 2]>,
    force: Option<f64>,
    scale: Option<f64>,
    lmin: Option<f64>,
    lmax: Option<f64>,
    vmax: Option<f64>,
    fpmax: Option<f64>,
    fvmax: Option<f64>,
}

const BASE: &[Attr<Form>] = &[
    attr!(Form: "name" a.name).own(),
    attr!(Form: "class" a.class).own(),
    attr!(Form: "group" a.group),
    attr!(Form: "nsample" a.nsample),
    Attr::new("interp", Shape::Keyword(&["zoh", "linear", "cubic"]), |f, v| f.a.interp = v.keyword() as i32),
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
const KP: &[Attr<Form>] = &[attr!(Form: "kp" kp)];
const KV: &[Attr<Form>] = &[attr!(Form: "kv" kv)];
const DAMPRATIO: &[Attr<Form>] = &[attr!(Form: "dampratio" dampratio)];
// Read with the element, since its words have an order.
const INPUT: &[Attr<Form>] = &[Attr::new("input", Shape::Text, |_, _| {})];
const SETPOINT_RANGES: &[Attr<Form>] = &[attr!(Form: "velrange" a.velrange), attr!(Form: "ffrange" a.ffrange)];
const TIMECONST: &[Attr<Form>] = &[attr!(Form: "timeconst" timeconst)];

const GENERAL: Table<Form> = Table {
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
    groups: &[BASE, CTRL_LIMITED, FORCE, DYNAMICS, BODYLESS, SITE, INHERIT, KP, KV, DAMPRATIO, TIMECONST],
    rules: &[],
};
const VELOCITY: Table<Form> = Table { groups: &[BASE, CTRL_LIMITED, FORCE, DYNAMICS, BODYLESS, SITE, KV], rules: &[] };
const INTVELOCITY: Table<Form> = Table {
    groups: &[BASE, CTRL_LIMITED, FORCE, ACT, DYNAMICS, BODYLESS, SITE, INHERIT, KP, KV, DAMPRATIO],
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
        INHERIT,
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

const CHILDREN: &[Child] = &{
    let mut children = [Child::later("plugin"); TAGS.len() + 1];
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
            let mut actuator = Actuator { loc: child.loc, ..self.spec.defaults[class].actuator.clone() };
            self.actuator_into(child, &mut actuator);
            self.no_children(child);
            self.declare_node("actuator", child);
            self.spec.actuators.push(actuator);
        }
    }

    /// Reads an actuator's attributes, starting from its default class, and turns its shortcut into
    /// general parameters.
    pub(crate) fn actuator_into(&mut self, node: &Node, actuator: &mut Actuator) {
        let mut form = Form { a: std::mem::take(actuator), ..Default::default() };
        servos::forget_other_kinds(&node.name, &mut form.a);
        form.dc = DcMotor::of(&form.a);
        let table = match node.name.as_str() {
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
        };
        self.attributes(node, table, &mut form);
        self.check_transmission(node, &form.a);
        match node.name.as_str() {
            "general" => self.input(node, &mut form.a),
            "motor" => motor(&mut form.a),
            "position" => self.servo(node, &mut form, false),
            "intvelocity" => self.servo(node, &mut form, true),
            "velocity" => velocity(&mut form),
            "damper" => self.damper(node, &mut form),
            "cylinder" => cylinder(&mut form),
            "muscle" => self.muscle(node, &mut form),
            "orientation" => self.orientation(node, &mut form),
            "pid" => self.pid(node, &mut form),
            "dcmotor" => self.dcmotor(node, &mut form),
            _ => self.adhesion(node, &mut form),
        }
        form.a.ctrlspec = match node.name.as_str() {
            "general" | "orientation" | "pid" | "dcmotor" => form.a.ctrlspec,
            "position" => 1,
            "velocity" | "intvelocity" => 2,
            "cylinder" => 32,
            _ => 0,
        };
        *actuator = form.a;
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

    /// Tells if a given value is negative; true if it is.
    pub(crate) fn negative(&mut self, node: &Node, name: &str, value: Option<f64>) -> bool {
        let wrong = value.is_some_and(|x| x < 0.0);
        if wrong {
            self.error(node.value_loc(name), format!("`{name}` of `{}` cannot be negative", node.name));
        }
        wrong
    }

    /// Position servo: force kp·(ctrl − length) − kv·velocity, the control filtered where there is a
    /// time constant; with `integrated`, the control is the velocity of the set point.
    fn servo(&mut self, node: &Node, form: &mut Form, integrated: bool) {
        let a = &mut form.a;
        let kp = form.kp.unwrap_or(a.gainprm[0]);
        a.gainprm[0] = kp;
        a.biasprm[1] = -kp;
        if let Some(t) = form.timeconst {
            a.dynprm[0] = t;
            a.dyntype = if t == 0.0 { DynType::None } else { DynType::FilterExact };
        }
        if integrated {
            a.dyntype = DynType::Integrator;
        }
        a.gaintype = GainType::Fixed;
        a.biastype = BiasType::Affine;

        self.damping(node, form);
        self.negative(node, "timeconst", form.timeconst);
        let (range, name) = if integrated { (form.a.actrange, "actrange") } else { (form.a.ctrlrange, "ctrlrange") };
        if form.a.inheritrange > 0.0 && range.is_some_and(|r| r != [0.0; 2]) {
            self.error(node.value_loc("inheritrange"), format!("`inheritrange` and `{name}` cannot both be given"));
        }
    }

    /// Damper: force −kv·velocity·ctrl, the control limited to positive values.
    fn damper(&mut self, node: &Node, form: &mut Form) {
        let a = &mut form.a;
        let inherited = if a.gaintype == GainType::Affine { -a.gainprm[2] } else { 0.0 };
        let kv = form.kv.unwrap_or(inherited);
        a.gainprm = [0.0; 10];
        a.gainprm[2] = -kv;
        a.ctrllimited = Tri::True;
        a.dyntype = DynType::None;
        a.gaintype = GainType::Affine;
        a.biastype = BiasType::None;
        self.negative(node, "kv", Some(kv));
        self.positive_control(node, form);
    }

    /// Adhesion: force gain·ctrl on a body's contacts, the control limited to positive values.
    fn adhesion(&mut self, node: &Node, form: &mut Form) {
        let a = &mut form.a;
        a.gainprm[0] = form.gain.unwrap_or(a.gainprm[0]);
        a.ctrllimited = Tri::True;
        a.gaintype = GainType::Fixed;
        a.biastype = BiasType::None;
        let gain = a.gainprm[0];
        self.negative(node, "gain", Some(gain));
        self.positive_control(node, form);
    }

    fn positive_control(&mut self, node: &Node, form: &Form) {
        if form.a.ctrlrange.is_some_and(|r| r[0] < 0.0 || r[1] < 0.0) {
            self.error(node.value_loc("ctrlrange"), format!("the control of `{}` cannot be negative", node.name));
        }
    }

    /// Muscle: see the manual's "Muscles". What a default class has set stays unless given again;
    /// values below 0 stand for "not given".
    fn muscle(&mut self, node: &Node, form: &mut Form) {
        /// Gain parameters of a muscle: operating range, peak force and its scale, length range,
        /// shortening velocity, passive and eccentric force.
        const GAIN: [f64; 9] = [0.75, 1.05, -1.0, 200.0, 0.5, 1.6, 1.5, 1.3, 1.2];
        /// Time constants of activation and deactivation.
        const TIME: [f64; 2] = [0.01, 0.04];
        let Form { a, muscle: m, .. } = form;
        let general = Actuator::default();

        // General defaults give way to a muscle's.
        for (i, default) in GAIN.into_iter().enumerate() {
            if a.gainprm[i] == general.gainprm[i] {
                a.gainprm[i] = default;
            }
        }
        for (i, default) in TIME.into_iter().enumerate() {
            if a.dynprm[i] == general.dynprm[i] {
                a.dynprm[i] = default;
            }
        }

        let given = |x: Option<f64>, into: &mut f64| {
            if let Some(x) = x.filter(|x| *x >= 0.0) {
                *into = x;
            }
        };
        let scalars = [m.force, m.scale, m.lmin, m.lmax, m.vmax, m.fpmax, m.fvmax];
        for (i, x) in scalars.into_iter().enumerate() {
            given(x, &mut a.gainprm[2 + i]);
        }
        for i in 0..2 {
            given(m.range.map(|r| r[i]), &mut a.gainprm[i]);
            given(m.timeconst.map(|t| t[i]), &mut a.dynprm[i]);
        }
        if let Some(smooth) = m.tausmooth {
            a.dynprm[2] = smooth;
        }
        a.biasprm[..GAIN.len()].copy_from_slice(&a.gainprm[..GAIN.len()]);
        a.dyntype = DynType::Muscle;
        a.gaintype = GainType::Muscle;
        a.biastype = BiasType::Muscle;
        let smooth = a.dynprm[2];
        self.negative(node, "tausmooth", Some(smooth));
    }
}

/// Motor: the force is the control.
fn motor(a: &mut Actuator) {
    a.gainprm[0] = 1.0;
    a.dyntype = DynType::None;
    a.gaintype = GainType::Fixed;
    a.biastype = BiasType::None;
}

/// Velocity servo: force kv·(ctrl − velocity).
fn velocity(form: &mut Form) {
    let a = &mut form.a;
    let kv = form.kv.unwrap_or(a.gainprm[0]);
    a.gainprm[0] = kv;
    a.biasprm = [0.0; 10];
    a.biasprm[2] = -kv;
    a.dyntype = DynType::None;
    a.gaintype = GainType::Fixed;
    a.biastype = BiasType::Affine;
}

/// Pneumatic or hydraulic cylinder: force area·pressure + bias, the pressure filtering the control.
fn cylinder(form: &mut Form) {
    let a = &mut form.a;
    a.dynprm[0] = form.timeconst.unwrap_or(a.dynprm[0]);
    a.gainprm[0] = form.area.unwrap_or(a.gainprm[0]);
    if let Some(d) = form.diameter.filter(|d| *d >= 0.0) {
        a.gainprm[0] = PI / 4.0 * d * d;
    }
    if let Some(bias) = form.bias {
        a.biasprm[..3].copy_from_slice(&bias);
    }
    a.dyntype = DynType::Filter;
    a.gaintype = GainType::Fixed;
    a.biastype = BiasType::Affine;
}
