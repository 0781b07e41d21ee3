//! The kinematic tree: bodies and frames with their joints, geoms, sites, cameras and lights.

use crate::elements::frames::FRAME;
use crate::elements::orientation::{ONE_ORIENTATION, orientation};
use crate::reader::Reader;
use crate::reader::table::{Attr, Child, Given, Rule, Shape, Slot, Table, attr};
use crate::syntax::report::errors;
use crate::syntax::tree::Node;
use mj_model::Loc;
use mj_model::spec::*;
use mj_model::{LightType, SleepPolicy, Tri};

pub(crate) const BODY: Table<Body> = Table {
    groups: &[
        &[
            attr!(Body: "name" name),
            attr!(Body: "childclass" childclass),
            attr!(Body: "pos" pos),
            attr!(Body: "mocap" mocap),
            attr!(Body: "gravcomp" gravcomp),
            Attr::new("sleep", Shape::Keyword(&["auto", "never", "allowed", "init"]), |b: &mut Body, v| {
                b.sleep = SLEEP[v.keyword()];
            })
            .give(|b| if SLEEP.contains(&b.sleep) { Given::word(b.sleep.keyword()) } else { Given::Nothing }),
            Attr::new("simple", FALSE_AUTO, |b: &mut Body, v| b.simple = [Tri::False, Tri::Auto][v.keyword()])
                .give(|b| give_false(b.simple)),
            Attr::new("fuse", FALSE_AUTO, |b: &mut Body, v| b.fuse = [Tri::False, Tri::Auto][v.keyword()])
                .give(|b| give_false(b.fuse)),
            attr!(Body: "user" user),
        ],
        orientation!(Body),
    ],
    rules: &[ONE_ORIENTATION],
};

const FALSE_AUTO: Shape = Shape::Keyword(&["false", "auto"]);

fn give_false(x: Tri) -> Given {
    Given::word(if x == Tri::False { "false" } else { "auto" })
}

/// The sleep policies that can be asked for.
const SLEEP: [SleepPolicy; 4] = [SleepPolicy::Auto, SleepPolicy::Never, SleepPolicy::Allowed, SleepPolicy::Init];

pub(crate) const INERTIAL: Table<Inertial> = Table {
    groups: &[
        &[
            attr!(Inertial: "pos" pos).required(),
            attr!(Inertial: "mass" mass).required(),
            attr!(Inertial: "diaginertia" diaginertia),
            attr!(Inertial: "fullinertia" fullinertia),
        ],
        orientation!(Inertial),
    ],
    rules: &[ONE_ORIENTATION, Rule::AtMostOne(&[&["fullinertia"], &["quat", "axisangle", "xyaxes", "zaxis", "euler"]])],
};

pub(crate) const JOINT: Table<Joint> = Table {
    groups: &[&[
        attr!(Joint: "name" name).own(),
        attr!(Joint: "class" class).own(),
        attr!(Joint: "type" r#type),
        attr!(Joint: "group" group),
        attr!(Joint: "pos" pos),
        attr!(Joint: "axis" axis),
        attr!(Joint: "springdamper" springdamper),
        attr!(Joint: "limited" limited),
        attr!(Joint: "actuatorfrclimited" actfrclimited),
        attr!(Joint: "solreflimit" solref_limit).from(1),
        attr!(Joint: "solimplimit" solimp_limit).from(1),
        attr!(Joint: "solreffriction" solref_friction).from(1),
        attr!(Joint: "solimpfriction" solimp_friction).from(1),
        attr!(Joint: "stiffness" stiffness).from(1),
        attr!(Joint: "range" range),
        attr!(Joint: "actuatorfrcrange" actfrcrange),
        attr!(Joint: "actuatorgravcomp" actgravcomp),
        attr!(Joint: "margin" margin),
        attr!(Joint: "ref" r#ref),
        attr!(Joint: "springref" springref),
        attr!(Joint: "springyield" springyield),
        attr!(Joint: "armature" armature),
        attr!(Joint: "damping" damping).from(1),
        attr!(Joint: "frictionloss" frictionloss),
        attr!(Joint: "user" user),
    ]],
    rules: &[],
};

pub(crate) const FREEJOINT: Table<Joint> = Table {
    groups: &[&[attr!(Joint: "name" name), attr!(Joint: "group" group), attr!(Joint: "align" align)]],
    rules: &[],
};

pub(crate) const GEOM: Table<Geom> = Table {
    groups: &[
        &[
            attr!(Geom: "name" name).own(),
            attr!(Geom: "class" class).own(),
            attr!(Geom: "type" r#type),
            attr!(Geom: "contype" contype),
            attr!(Geom: "conaffinity" conaffinity),
            attr!(Geom: "condim" condim),
            attr!(Geom: "group" group),
            attr!(Geom: "priority" priority),
            // All that are given, as the reference writes them; those that are not are NaN, and come last.
            attr!(Geom: "size" size).from(1).whole().give(|g| {
                let given = g.size.iter().position(|x| x.is_nan()).unwrap_or(g.size.len());
                Given::numbers(&g.size[..given])
            }),
            attr!(Geom: "material" material),
            attr!(Geom: "friction" friction).from(1),
            attr!(Geom: "mass" mass),
            attr!(Geom: "density" density),
            attr!(Geom: "shellinertia" shellinertia),
            attr!(Geom: "solmix" solmix),
            attr!(Geom: "solref" solref).from(1),
            attr!(Geom: "solimp" solimp).from(1),
            attr!(Geom: "margin" margin),
            attr!(Geom: "gap" gap),
            attr!(Geom: "surfacevel" surfacevel).from(1),
            attr!(Geom: "adhesion" adhesion),
            attr!(Geom: "fromto" fromto),
            attr!(Geom: "pos" pos),
            attr!(Geom: "hfield" hfield),
            attr!(Geom: "mesh" mesh),
            attr!(Geom: "fitscale" fitscale),
            attr!(Geom: "rgba" rgba),
            attr!(Geom: "castshadow" castshadow),
            Attr::new("fluidshape", Shape::Keyword(&["none", "ellipsoid"]), |g: &mut Geom, v| {
                g.fluid_ellipsoid = v.keyword() == 1
            })
            .give(|g| Given::word(if g.fluid_ellipsoid { "ellipsoid" } else { "none" })),
            attr!(Geom: "fluidcoef" fluidcoef).from(1),
            attr!(Geom: "user" user),
        ],
        orientation!(Geom),
    ],
    rules: &[ONE_ORIENTATION],
};

pub(crate) const SITE: Table<Site> = Table {
    groups: &[
        &[
            attr!(Site: "name" name).own(),
            attr!(Site: "class" class).own(),
            attr!(Site: "type" r#type),
            attr!(Site: "group" group),
            attr!(Site: "pos" pos),
            attr!(Site: "material" material),
            attr!(Site: "size" size).from(1),
            attr!(Site: "fromto" fromto),
            attr!(Site: "mesh" mesh),
            attr!(Site: "rgba" rgba),
            attr!(Site: "user" user),
        ],
        orientation!(Site),
    ],
    rules: &[ONE_ORIENTATION],
};

/// Outputs of a camera; the bits of `output` in this order.
const OUTPUTS: Shape = Shape::Keywords(&["rgb", "depth", "distance", "normal", "segmentation"]);

pub(crate) const CAMERA: Table<Camera> = Table {
    groups: &[
        &[
            attr!(Camera: "name" name).own(),
            attr!(Camera: "class" class).own(),
            attr!(Camera: "projection" projection),
            attr!(Camera: "fovy" fovy),
            attr!(Camera: "ipd" ipd),
            attr!(Camera: "resolution" resolution),
            Attr::new("output", OUTPUTS, |c: &mut Camera, v| c.output = v.bits())
                .give(|c| Given::bits(OUTPUTS, c.output)),
            attr!(Camera: "pos" pos),
            attr!(Camera: "mode" mode),
            attr!(Camera: "target" target).own(),
            attr!(Camera: "focal" focal),
            attr!(Camera: "focalpixel" focalpixel),
            attr!(Camera: "principal" principal),
            attr!(Camera: "principalpixel" principalpixel),
            attr!(Camera: "sensorsize" sensorsize),
            attr!(Camera: "user" user),
        ],
        orientation!(Camera),
    ],
    rules: &[ONE_ORIENTATION, Rule::AtMostOne(&[&["fovy"], &["sensorsize"]])],
};

pub(crate) const LIGHT: Table<Light> = Table {
    groups: &[&[
        attr!(Light: "name" name).own(),
        attr!(Light: "class" class).own(),
        // The older form of `type`.
        Attr::new("directional", bool::SHAPE, |l, v| {
            l.r#type = [LightType::Spot, LightType::Directional][v.keyword()];
        }),
        attr!(Light: "type" r#type),
        attr!(Light: "castshadow" castshadow),
        attr!(Light: "active" active),
        attr!(Light: "pos" pos),
        attr!(Light: "dir" dir),
        attr!(Light: "bulbradius" bulbradius),
        attr!(Light: "intensity" intensity),
        attr!(Light: "range" range),
        attr!(Light: "attenuation" attenuation),
        attr!(Light: "cutoff" cutoff),
        attr!(Light: "softness" softness),
        attr!(Light: "exponent" exponent),
        attr!(Light: "ambient" ambient),
        attr!(Light: "diffuse" diffuse),
        attr!(Light: "specular" specular),
        attr!(Light: "mode" mode),
        attr!(Light: "target" target).own(),
        attr!(Light: "texture" texture).own(),
    ]],
    rules: &[Rule::AtMostOne(&[&["directional"], &["type"]])],
};

/// Elements in a body or a frame.
pub(crate) const CONTENTS: &[Child] = &[
    Child::many("body"),
    Child::many("frame"),
    Child::single("inertial"),
    Child::many("joint"),
    Child::many("freejoint"),
    Child::many("geom"),
    Child::many("site"),
    Child::many("camera"),
    Child::many("light"),
    Child::many("replicate"),
    Child::many("attach"),
    Child::many("plugin"),
    Child::many("flexcomp"),
];

/// Parent of the elements that are read.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Host {
    World,
    Body,
    /// A part that is going to be copied into the world or a body.
    Replicate,
}

/// Where in the tree the reader is.
#[derive(Clone, Copy)]
pub(crate) struct Inside {
    /// Enclosing frame of the body.
    pub frame: Option<usize>,
    /// Row of the default class that applies.
    pub class: usize,
    pub host: Host,
}

impl Reader<'_> {
    /// Reads a `worldbody` section; several add up.
    pub(crate) fn world(&mut self, section: &Node) {
        if let Some(a) = section.attributes.first() {
            self.error(a.name_loc, "`worldbody` takes no attributes");
        }
        if self.body.loc == Loc::NONE {
            self.body.loc = section.loc;
        }
        self.contents(section, Inside { frame: None, class: 0, host: Host::World });
    }

    /// Goes into a new body: what is read from here on is in it.
    pub(crate) fn enter(&mut self, body: Body) {
        self.around.push(std::mem::replace(&mut self.body, body));
    }

    /// Comes back from a body, which is whole now.
    pub(crate) fn leave(&mut self) -> Body {
        let parent = self.around.pop().unwrap_or_default();
        std::mem::replace(&mut self.body, parent)
    }

    /// Reads what is in a body or frame. Recursive: its own stack frame is kept small.
    pub(crate) fn contents(&mut self, node: &Node, inside: Inside) {
        for child in self.children(node, CONTENTS) {
            match child.name.as_str() {
                "body" => {
                    let class = self.start_body(child, inside);
                    self.contents(child, Inside { frame: None, class, host: Host::Body });
                    let body = self.leave();
                    self.body.bodies.push(body);
                }
                "frame" => {
                    self.unchecked += 1;
                    let (frame, class) = self.start_frame(child, inside);
                    self.contents(child, Inside { frame: Some(frame), class, ..inside });
                    self.unchecked -= 1;
                }
                "replicate" => {
                    let (form, class) = self.start_replicate(child, inside);
                    self.unchecked += 1;
                    self.replicates += 1;
                    self.contents(child, Inside { frame: Some(0), class, host: Host::Replicate });
                    self.unchecked -= 1;
                    self.replicates -= 1;
                    let part = self.leave();
                    self.replicate(child, &form, &part, inside.frame);
                }
                "attach" => {
                    let before = errors(self.report);
                    self.attach(child, inside);
                    self.gaps.elements |= errors(self.report) > before;
                }
                _ => self.element(child, inside),
            }
        }
    }

    #[inline(never)]
    fn element(&mut self, node: &Node, inside: Inside) {
        match node.name.as_str() {
            "inertial" => self.inertial(node, inside),
            "joint" => self.joint(node, inside),
            "freejoint" => self.freejoint(node, inside),
            "geom" => self.geom(node, inside),
            "site" => self.site(node, inside),
            "camera" => self.camera(node, inside),
            "flexcomp" => self.flexcomp(node, inside),
            "plugin" => self.body.plugin = Some(self.plugin(node)),
            _ => self.light(node, inside),
        }
    }

    /// Goes into a body; the row of the default class for its contents.
    #[inline(never)]
    fn start_body(&mut self, node: &Node, inside: Inside) -> usize {
        let class = self.class(node, "childclass", inside.class);
        let mut body =
            Body { frame: inside.frame, simple: Tri::Auto, fuse: Tri::Auto, loc: node.loc, ..Default::default() };
        self.attributes(node, &BODY, &mut body);
        self.check_quat(node);
        self.declare_node("body", node);
        self.enter(body);
        class
    }

    /// Adds a frame; its row, and the row of the default class for its contents.
    #[inline(never)]
    fn start_frame(&mut self, node: &Node, inside: Inside) -> (usize, usize) {
        let class = self.class(node, "childclass", inside.class);
        let mut frame = Frame { parent: inside.frame, loc: node.loc, ..Default::default() };
        self.attributes(node, &FRAME, &mut frame);
        self.check_quat(node);
        self.declare_node("frame", node);
        self.check_frame(node, &mut frame);
        self.body.frames.push(frame);
        (self.body.frames.len() - 1, class)
    }

    pub(crate) fn check_quat(&mut self, node: &Node) {
        if let Some(a) = node.attribute("quat")
            && crate::syntax::number::words(&a.value).count() == 4
            && crate::syntax::number::words(&a.value).all(|w| crate::syntax::number::real(w) == Ok(0.0))
        {
            self.error(a.value_loc, "a quaternion of zero length is no orientation");
        }
    }

    /// Joints and inertias describe a body: neither the world nor a part that is copied into one.
    fn needs_body(&mut self, node: &Node, inside: Inside) {
        match inside.host {
            Host::Body => {}
            Host::World => {
                self.error(node.loc, format!("the world cannot have `{}`", node.name)).help("put it into a body");
            }
            Host::Replicate => {
                self.error(node.loc, format!("`replicate` cannot hold `{}` directly", node.name))
                    .help("put it into a body inside `replicate`");
            }
        }
    }

    fn inertial(&mut self, node: &Node, inside: Inside) {
        if inside.host == Host::Replicate {
            self.warning(node.loc, "`inertial` directly in `replicate` has no effect")
                .help("put it into the body that it describes");
        } else {
            self.needs_body(node, inside);
        }
        // A frame's inertial describes the body like the body's own.
        let mut inertial = self.body.inertial.take().unwrap_or_default();
        inertial.loc = node.loc;
        self.attributes(node, &INERTIAL, &mut inertial);
        self.no_children(node);
        self.check_quat(node);
        self.body.inertial = Some(inertial);
    }

    fn joint(&mut self, node: &Node, inside: Inside) {
        self.needs_body(node, inside);
        let class = self.class(node, "class", inside.class);
        let mut joint = Joint { frame: inside.frame, loc: node.loc, ..self.spec.defaults[class].joint.clone() };
        self.attributes(node, &JOINT, &mut joint);
        self.no_children(node);
        self.declare_node("joint", node);
        self.body.joints.push(joint);
    }

    fn freejoint(&mut self, node: &Node, inside: Inside) {
        self.needs_body(node, inside);
        let mut joint = Joint { frame: inside.frame, loc: node.loc, ..Joint::free() };
        self.attributes(node, &FREEJOINT, &mut joint);
        self.no_children(node);
        self.declare_node("joint", node);
        self.body.joints.push(joint);
    }

    fn geom(&mut self, node: &Node, inside: Inside) {
        let class = self.class(node, "class", inside.class);
        let mut geom = Geom { frame: inside.frame, loc: node.loc, ..self.spec.defaults[class].geom.clone() };
        self.attributes(node, &GEOM, &mut geom);
        geom.plugin = self.plugin_of(node).or(geom.plugin);
        self.check_quat(node);
        self.declare_node("geom", node);
        self.body.geoms.push(geom);
    }

    fn site(&mut self, node: &Node, inside: Inside) {
        let class = self.class(node, "class", inside.class);
        let mut site = Site { frame: inside.frame, loc: node.loc, ..self.spec.defaults[class].site.clone() };
        self.attributes(node, &SITE, &mut site);
        self.no_children(node);
        self.check_quat(node);
        self.declare_node("site", node);
        self.body.sites.push(site);
    }

    fn camera(&mut self, node: &Node, inside: Inside) {
        let class = self.class(node, "class", inside.class);
        let mut camera = Camera { frame: inside.frame, loc: node.loc, ..self.spec.defaults[class].camera.clone() };
        self.attributes(node, &CAMERA, &mut camera);
        self.no_children(node);
        self.check_quat(node);
        self.declare_node("camera", node);
        self.body.cameras.push(camera);
    }

    fn light(&mut self, node: &Node, inside: Inside) {
        let class = self.class(node, "class", inside.class);
        let mut light = Light { frame: inside.frame, loc: node.loc, ..self.spec.defaults[class].light.clone() };
        self.attributes(node, &LIGHT, &mut light);
        self.no_children(node);
        self.declare_node("light", node);
        self.body.lights.push(light);
    }
}
