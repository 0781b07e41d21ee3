//! Sensors.

use crate::reader::Reader;
use crate::reader::table::{Attr, Child, Given, Rule, Shape, Slot, Table, attr};
use crate::syntax::tree::Node;
use mj_model::spec::{Plugin, Sensor};
use mj_model::{ObjType, SensorType, Stage};

const INTERPOLATION: Shape = Shape::Keyword(&["zoh", "linear", "cubic"]);

const NAME: Attr<Sensor> = attr!(Sensor: "name" name);
const NSAMPLE: Attr<Sensor> = attr!(Sensor: "nsample" nsample);
const INTERP: Attr<Sensor> = Attr::new("interp", INTERPOLATION, |s: &mut Sensor, v| s.interp = v.keyword() as i32)
    .give(|s| Given::keyword(INTERPOLATION, s.interp));
const DELAY: Attr<Sensor> = attr!(Sensor: "delay" delay);
const INTERVAL: Attr<Sensor> = attr!(Sensor: "interval" interval).from(1);
const CUTOFF: Attr<Sensor> = attr!(Sensor: "cutoff" cutoff);
const NOISE: Attr<Sensor> = attr!(Sensor: "noise" noise);
const USER: Attr<Sensor> = attr!(Sensor: "user" user);

/// Attributes of nearly every sensor.
const BASE: &[Attr<Sensor>] = &[NAME, NSAMPLE, INTERP, DELAY, INTERVAL, CUTOFF, NOISE, USER];

/// An attribute that names the object, of a kind.
macro_rules! object {
    ($name:literal $kind:ident) => {
        Attr::new($name, Shape::Text, |s: &mut Sensor, v| {
            s.objtype = ObjType::$kind;
            s.objname = v.text().into();
        })
        .give(|s| if s.objtype == ObjType::$kind { s.objname.give() } else { Given::Nothing })
    };
}

/// An attribute that names the reference, of a kind.
macro_rules! reference {
    ($name:literal $kind:ident) => {
        Attr::new($name, Shape::Text, |s: &mut Sensor, v| {
            s.reftype = ObjType::$kind;
            s.refname = v.text().into();
        })
        .give(|s| if s.reftype == ObjType::$kind { s.refname.give() } else { Given::Nothing })
    };
}

/// Kinds of objects with a frame of their own.
const FRAMED: [ObjType; 5] = [ObjType::Body, ObjType::XBody, ObjType::Geom, ObjType::Site, ObjType::Camera];
const FRAMED_WORDS: Shape = Shape::Keyword(&["body", "xbody", "geom", "site", "camera"]);

fn give_kind(kind: ObjType) -> Given {
    if FRAMED.contains(&kind) { Given::word(kind.keyword()) } else { Given::Nothing }
}

const FRAME_OBJECT: &[Attr<Sensor>] = &[
    Attr::new("objtype", FRAMED_WORDS, |s: &mut Sensor, v| s.objtype = FRAMED[v.keyword()])
        .required()
        .give(|s| give_kind(s.objtype)),
    attr!(Sensor: "objname" objname).required(),
];
const FRAME_REFERENCE: &[Attr<Sensor>] = &[
    Attr::new("reftype", FRAMED_WORDS, |s: &mut Sensor, v| s.reftype = FRAMED[v.keyword()])
        .give(|s| give_kind(s.reftype)),
    attr!(Sensor: "refname" refname),
];

/// Fields of contact and ray sensors' `data`; the bits of their first parameter in this order.
const CONTACT_DATA: Shape =
    Shape::Keywords(&["found", "force", "torque", "dist", "pos", "normal", "tangent", "linvel", "angvel"]);
const REDUCTIONS: Shape = Shape::Keyword(&["none", "mindist", "maxforce", "netforce"]);
const RAY_DATA: Shape = Shape::Keywords(&["dist", "dir", "origin", "point", "normal", "depth"]);

/// Any kind of object.
const OBJECT_KIND: Attr<Sensor> = Attr::new("objtype", Shape::Text, |s: &mut Sensor, v| {
    s.objtype = ObjType::from_keyword(v.text()).unwrap_or(ObjType::Unknown);
})
.give(|s| match s.objtype {
    ObjType::Unknown => Given::Nothing,
    kind => Given::Text(kind.keyword().into()),
});

fn own_plugin(s: &mut Sensor) -> &mut Plugin {
    s.plugin.get_or_insert_default()
}

macro_rules! sensors {
    ($($name:ident = [$($group:expr),*] $(, rules $rules:expr)?;)*) => {
        $(const $name: Table<Sensor> = Table { groups: &[$($group),*], rules: sensors!(@rules $($rules)?) };)*
    };
    (@rules) => { &[] };
    (@rules $rules:expr) => { $rules };
}

sensors! {
    OF_NOTHING = [BASE];
    OF_SITE = [BASE, &[object!("site" Site).required()]];
    OF_JOINT = [BASE, &[object!("joint" Joint).required()]];
    OF_TENDON = [BASE, &[object!("tendon" Tendon).required()]];
    OF_ACTUATOR = [BASE, &[object!("actuator" Actuator).required()]];
    OF_BODY = [BASE, &[object!("body" Body).required()]];
    OF_FRAME = [BASE, FRAME_OBJECT];
    OF_FRAMES = [BASE, FRAME_OBJECT, FRAME_REFERENCE], rules &[Rule::Together(&["reftype", "refname"])];
    CAM_PROJECTION = [BASE, &[object!("site" Site).required(), reference!("camera" Camera).required()]];
    RANGEFINDER = [
        BASE,
        &[
            object!("site" Site),
            object!("camera" Camera),
            Attr::new("data", RAY_DATA, |s: &mut Sensor, v| s.intprm[0] = v.bits())
                .give(|s| Given::bits(RAY_DATA, s.intprm[0]))
        ]
    ], rules &[Rule::AtMostOne(&[&["site"], &["camera"]]), Rule::OneOf(&[&["site"], &["camera"]])];
    TACTILE = [BASE, &[reference!("geom" Geom).required(), object!("mesh" Mesh).required()]];
    INSIDE_SITE = [
        BASE,
        FRAME_OBJECT,
        &[
            reference!("site" Site).required(),
            Attr::new("enclosed", bool::SHAPE, |s: &mut Sensor, v| s.intprm[0] = v.keyword() as i32)
                .give(|s| Given::keyword(bool::SHAPE, s.intprm[0]))
        ]
    ];
    OF_TWO = [
        BASE,
        &[
            object!("geom1" Geom),
            reference!("geom2" Geom),
            object!("body1" Body),
            reference!("body2" Body)
        ]
    ], rules &[
        Rule::AtMostOne(&[&["geom1"], &["body1"]]),
        Rule::OneOf(&[&["geom1"], &["body1"]]),
        Rule::AtMostOne(&[&["geom2"], &["body2"]]),
        Rule::OneOf(&[&["geom2"], &["body2"]])
    ];
    CONTACT = [
        BASE,
        &[
            object!("geom1" Geom),
            reference!("geom2" Geom),
            object!("body1" Body),
            reference!("body2" Body),
            object!("subtree1" XBody),
            reference!("subtree2" XBody),
            object!("site" Site),
            Attr::new("num", i32::SHAPE, |s: &mut Sensor, v| s.intprm[2] = v.integer())
                .positive()
                .give(|s| s.intprm[2].give()),
            Attr::new("data", CONTACT_DATA, |s: &mut Sensor, v| s.intprm[0] = v.bits())
                .give(|s| Given::bits(CONTACT_DATA, s.intprm[0])),
            Attr::new("reduce", REDUCTIONS, |s: &mut Sensor, v| s.intprm[1] = v.keyword() as i32)
                .give(|s| Given::keyword(REDUCTIONS, s.intprm[1]))
        ]
    ], rules &[
        Rule::AtMostOne(&[&["geom1"], &["body1"], &["subtree1"], &["site"]]),
        Rule::AtMostOne(&[&["geom2"], &["body2"], &["subtree2"]])
    ];
    OF_PLUGIN = [
        &[
            NAME,
            Attr::new("plugin", Shape::Text, |s: &mut Sensor, v| own_plugin(s).plugin.put(v))
                .give(|s| s.plugin.as_ref().map_or(Given::Nothing, |p| p.plugin.give())),
            Attr::new("instance", Shape::Text, |s: &mut Sensor, v| own_plugin(s).instance.put(v))
                .give(|s| s.plugin.as_ref().map_or(Given::Nothing, |p| p.instance.give())),
            NSAMPLE,
            INTERP,
            DELAY,
            INTERVAL,
            CUTOFF,
            OBJECT_KIND,
            attr!(Sensor: "objname" objname),
            Attr::new("reftype", Shape::Text, |s: &mut Sensor, v| {
                s.reftype = ObjType::from_keyword(v.text()).unwrap_or(ObjType::Unknown);
            })
            .give(|s| match s.reftype {
                ObjType::Unknown => Given::Nothing,
                kind => Given::Text(kind.keyword().into()),
            }),
            attr!(Sensor: "refname" refname),
            USER
        ]
    ], rules &[Rule::Together(&["objtype", "objname"]), Rule::Together(&["reftype", "refname"])];
    OF_USER = [
        &[
            NAME,
            CUTOFF,
            NOISE,
            USER,
            OBJECT_KIND,
            attr!(Sensor: "objname" objname),
            attr!(Sensor: "datatype" datatype),
            attr!(Sensor: "needstage" needstage),
            attr!(Sensor: "dim" dim).required()
        ]
    ], rules &[Rule::Together(&["objtype", "objname"])];
}

/// Every sensor's element with its type and attributes.
pub(crate) const SENSORS: &[(SensorType, &Table<Sensor>)] = &[
    (SensorType::Touch, &OF_SITE),
    (SensorType::Accelerometer, &OF_SITE),
    (SensorType::Velocimeter, &OF_SITE),
    (SensorType::Gyro, &OF_SITE),
    (SensorType::Force, &OF_SITE),
    (SensorType::Torque, &OF_SITE),
    (SensorType::Magnetometer, &OF_SITE),
    (SensorType::CamProjection, &CAM_PROJECTION),
    (SensorType::Rangefinder, &RANGEFINDER),
    (SensorType::JointPos, &OF_JOINT),
    (SensorType::JointVel, &OF_JOINT),
    (SensorType::TendonPos, &OF_TENDON),
    (SensorType::TendonVel, &OF_TENDON),
    (SensorType::ActuatorPos, &OF_ACTUATOR),
    (SensorType::ActuatorVel, &OF_ACTUATOR),
    (SensorType::ActuatorFrc, &OF_ACTUATOR),
    (SensorType::JointActFrc, &OF_JOINT),
    (SensorType::TendonActFrc, &OF_TENDON),
    (SensorType::BallQuat, &OF_JOINT),
    (SensorType::BallAngVel, &OF_JOINT),
    (SensorType::JointLimitPos, &OF_JOINT),
    (SensorType::JointLimitVel, &OF_JOINT),
    (SensorType::JointLimitFrc, &OF_JOINT),
    (SensorType::TendonLimitPos, &OF_TENDON),
    (SensorType::TendonLimitVel, &OF_TENDON),
    (SensorType::TendonLimitFrc, &OF_TENDON),
    (SensorType::FramePos, &OF_FRAMES),
    (SensorType::FrameQuat, &OF_FRAMES),
    (SensorType::FrameXAxis, &OF_FRAMES),
    (SensorType::FrameYAxis, &OF_FRAMES),
    (SensorType::FrameZAxis, &OF_FRAMES),
    (SensorType::FrameLinVel, &OF_FRAMES),
    (SensorType::FrameAngVel, &OF_FRAMES),
    (SensorType::FrameLinAcc, &OF_FRAME),
    (SensorType::FrameAngAcc, &OF_FRAME),
    (SensorType::SubtreeCom, &OF_BODY),
    (SensorType::SubtreeLinVel, &OF_BODY),
    (SensorType::SubtreeAngMom, &OF_BODY),
    (SensorType::InsideSite, &INSIDE_SITE),
    (SensorType::GeomDist, &OF_TWO),
    (SensorType::GeomNormal, &OF_TWO),
    (SensorType::GeomFromTo, &OF_TWO),
    (SensorType::Contact, &CONTACT),
    (SensorType::EPotential, &OF_NOTHING),
    (SensorType::EKinetic, &OF_NOTHING),
    (SensorType::Clock, &OF_NOTHING),
    (SensorType::Tactile, &TACTILE),
    (SensorType::User, &OF_USER),
    (SensorType::Plugin, &OF_PLUGIN),
];

pub(crate) const CHILDREN: &[Child] = &{
    let mut children = [Child::many(""); SENSORS.len()];
    let mut i = 0;
    while i < children.len() {
        children[i] = Child::many(SENSORS[i].0.keyword());
        i += 1;
    }
    children
};

/// A sensor of which nothing is given but its type.
pub(crate) fn prototype(kind: SensorType) -> Sensor {
    let mut sensor = Sensor { r#type: kind, ..Default::default() };
    match kind {
        // Distance; whether there is a contact, of one.
        SensorType::Rangefinder => sensor.intprm = [1, 0, 0],
        SensorType::Contact => sensor.intprm = [1, 0, 1],
        SensorType::User => sensor.needstage = Stage::Acc,
        _ => {}
    }
    sensor
}

impl Reader<'_> {
    pub(crate) fn sensor(&mut self, section: &Node) {
        self.attributes(section, &Table::<()>::EMPTY, &mut ());
        for child in self.children(section, CHILDREN) {
            let Some(&(kind, table)) = SENSORS.iter().find(|(kind, _)| kind.keyword() == child.name) else {
                continue;
            };
            let mut sensor = Sensor { loc: child.loc, ..prototype(kind) };
            self.attributes(child, table, &mut sensor);
            if kind == SensorType::Plugin {
                let config = self.config(child);
                let plugin = sensor.plugin.get_or_insert_default();
                (plugin.config, plugin.loc) = (config, child.loc);
            } else {
                self.no_children(child);
            }
            self.declare_node("sensor", child);
            self.check_data_order(child, kind);
            self.spec.sensors.push(sensor);
        }
    }

    /// The fields of a sensor's output come in a fixed order, and must be asked for in it.
    fn check_data_order(&mut self, node: &Node, kind: SensorType) {
        let words = match (kind, CONTACT_DATA, RAY_DATA) {
            (SensorType::Contact, Shape::Keywords(words), _) | (SensorType::Rangefinder, _, Shape::Keywords(words)) => {
                words
            }
            _ => return,
        };
        let rows = crate::syntax::number::words(node.get("data").unwrap_or(""))
            .filter_map(|word| words.iter().position(|w| *w == word));
        if !rows.is_sorted() {
            self.error(node.value_loc("data"), "the fields of `data` are out of order")
                .help(format!("the order is: {}", words.join(", ")));
        }
    }
}
