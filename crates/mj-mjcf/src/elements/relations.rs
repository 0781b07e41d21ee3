//! Elements that tie others together: contact pairs and exclusions, equality constraints, tendons.

use crate::reader::Reader;
use crate::reader::table::{Attr, Child, Given, Rule, Shape, Slot, Table, attr};
use crate::syntax::tree::Node;
use mj_model::spec::*;
use mj_model::{EqType, ObjType, TendonType};

pub(crate) const PAIR: Table<Pair> = Table {
    groups: &[&[
        attr!(Pair: "name" name).own(),
        attr!(Pair: "class" class).own(),
        attr!(Pair: "geom1" geom1).own(),
        attr!(Pair: "geom2" geom2).own(),
        attr!(Pair: "condim" condim),
        // As many as are given replace the first ones of the default class.
        Attr::new("friction", <[f64; 5]>::SHAPE.at_least(1), |p: &mut Pair, v| {
            let given = v.numbers();
            if p.friction.len() < given.len() {
                p.friction.resize(given.len(), 0.0);
            }
            p.friction[..given.len()].copy_from_slice(given);
        })
        .give(|p| if p.friction.is_empty() { Given::Nothing } else { p.friction.give() })
        .whole(),
        Attr::new("solref", <[f64; 2]>::SHAPE.at_least(1), |p: &mut Pair, v| p.solref.get_or_insert(SOLREF).put(v))
            .give(|p| p.solref.give())
            .whole(),
        attr!(Pair: "solreffriction" solreffriction).from(1).whole(),
        Attr::new("solimp", <[f64; 5]>::SHAPE.at_least(1), |p: &mut Pair, v| p.solimp.get_or_insert(SOLIMP).put(v))
            .give(|p| p.solimp.give())
            .whole(),
        attr!(Pair: "gap" gap),
        attr!(Pair: "margin" margin),
        attr!(Pair: "adhesion" adhesion),
    ]],
    rules: &[],
};

pub(crate) const EXCLUDE: Table<Exclude> = Table {
    groups: &[&[
        attr!(Exclude: "name" name),
        attr!(Exclude: "body1" body1).required(),
        attr!(Exclude: "body2" body2).required(),
    ]],
    rules: &[],
};

/// Attributes that every equality constraint has.
const EQUALITY_BASE: &[Attr<Equality>] = &[
    attr!(Equality: "name" name).own(),
    attr!(Equality: "class" class).own(),
    attr!(Equality: "active" active),
    attr!(Equality: "solref" solref).from(1),
    attr!(Equality: "solimp" solimp).from(1),
];

pub(crate) const EQUALITY_COMMON: Table<Equality> = Table { groups: &[EQUALITY_BASE], rules: &[] };

/// Names of the two objects, of a kind.
macro_rules! objects {
    ($kind:ident $first:literal $second:literal $($required:ident)?) => {
        &[
            Attr::new($first, Shape::Text, |e: &mut Equality, v| {
                e.objtype = ObjType::$kind;
                e.name1 = v.text().into();
            })$(.$required())?
            .give(|e| if e.objtype == ObjType::$kind { e.name1.give() } else { Given::Nothing }),
            Attr::new($second, Shape::Text, |e: &mut Equality, v| e.name2 = v.text().into())
                .give(|e| if e.objtype == ObjType::$kind && !e.name2.is_empty() { e.name2.give() } else { Given::Nothing }),
        ]
    };
}

/// Numbers into a part of `data`, from an index on.
macro_rules! data {
    ($name:literal $n:literal at $start:literal) => {
        Attr::new($name, <[f64; $n]>::SHAPE, |e: &mut Equality, v| {
            for (x, &v) in e.data[$start..].iter_mut().zip(v.numbers()) {
                *x = v;
            }
        })
        .give(|e| Given::numbers(&e.data[$start..$start + $n]))
    };
}

/// Sites are anchors themselves.
fn give_anchor(e: &Equality) -> Given {
    if e.objtype == ObjType::Site { Given::Nothing } else { Given::numbers(&e.data[..3]) }
}

const CONNECT: Table<Equality> = Table {
    groups: &[
        EQUALITY_BASE,
        objects!(Body "body1" "body2"),
        objects!(Site "site1" "site2"),
        &[data!("anchor" 3 at 0).give(give_anchor).always()],
    ],
    rules: &[
        Rule::AtMostOne(&[&["site1", "site2"], &["body1", "body2", "anchor"]]),
        Rule::OneOf(&[&["site1", "site2"], &["body1", "anchor"]]),
        Rule::Together(&["site1", "site2"]),
    ],
};

const WELD: Table<Equality> = Table {
    groups: &[
        EQUALITY_BASE,
        objects!(Body "body1" "body2"),
        objects!(Site "site1" "site2"),
        &[
            data!("relpose" 7 at 3).give(|e| match e.objtype {
                ObjType::Site => Given::Nothing,
                _ => Given::numbers(&e.data[3..10]),
            }),
            data!("anchor" 3 at 0).give(give_anchor),
            data!("torquescale" 1 at 10),
        ],
    ],
    rules: &[
        Rule::AtMostOne(&[&["site1", "site2"], &["body1", "body2", "anchor", "relpose"]]),
        Rule::OneOf(&[&["site1", "site2"], &["body1"]]),
        Rule::Together(&["site1", "site2"]),
    ],
};

const JOINTS: Table<Equality> = Table {
    groups: &[EQUALITY_BASE, objects!(Joint "joint1" "joint2" required), &[data!("polycoef" 5 at 0).from(1)]],
    rules: &[],
};

const TENDONS: Table<Equality> = Table {
    groups: &[EQUALITY_BASE, objects!(Tendon "tendon1" "tendon2" required), &[data!("polycoef" 5 at 0).from(1)]],
    rules: &[],
};

/// The flex of a constraint.
const FLEX: Attr<Equality> = Attr::new("flex", Shape::Text, |e: &mut Equality, v| {
    e.objtype = ObjType::Flex;
    e.name1 = v.text().into();
})
.required()
.give(|e| if e.objtype == ObjType::Flex { e.name1.give() } else { Given::Nothing });

const FLEXES: Table<Equality> = Table { groups: &[EQUALITY_BASE, &[FLEX]], rules: &[] };

/// The grid cell of a strain constraint; a first number of -1 stands for the whole flex.
const STRAINS: Table<Equality> = Table {
    groups: &[
        EQUALITY_BASE,
        &[
            FLEX,
            Attr::new("cell", <[i32; 3]>::SHAPE, |e: &mut Equality, v| {
                e.data[..3].copy_from_slice(v.numbers());
            })
            .give(|e| {
                if e.data[0] < 0.0 {
                    Given::Nothing
                } else {
                    e.data[..3].iter().map(|&x| x as i32).collect::<Vec<_>>().give()
                }
            })
            .whole(),
        ],
    ],
    rules: &[],
};

/// The attributes of a type of equality constraint.
pub(crate) fn equality_table(kind: EqType) -> &'static Table<Equality> {
    match kind {
        EqType::Connect => &CONNECT,
        EqType::Weld => &WELD,
        EqType::Joint => &JOINTS,
        EqType::Flex | EqType::FlexVert => &FLEXES,
        EqType::FlexStrain => &STRAINS,
        _ => &TENDONS,
    }
}

/// Attributes of both types of tendon.
const TENDON_BASE: &[Attr<Tendon>] = &[
    attr!(Tendon: "name" name).own(),
    attr!(Tendon: "class" class).own(),
    attr!(Tendon: "group" group),
    attr!(Tendon: "limited" limited),
    attr!(Tendon: "actuatorfrclimited" actfrclimited),
    attr!(Tendon: "range" range),
    attr!(Tendon: "actuatorfrcrange" actfrcrange),
    attr!(Tendon: "solreflimit" solref_limit).from(1),
    attr!(Tendon: "solimplimit" solimp_limit).from(1),
    attr!(Tendon: "solreffriction" solref_friction).from(1),
    attr!(Tendon: "solimpfriction" solimp_friction).from(1),
    attr!(Tendon: "frictionloss" frictionloss),
    // One value stands for both.
    Attr::new("springlength", <[f64; 2]>::SHAPE.at_least(1), |t: &mut Tendon, v| {
        t.springlength = [v.number(); 2];
        t.springlength.put(v);
    })
    .give(|t| t.springlength.give())
    .whole(),
    attr!(Tendon: "springyield" springyield),
    attr!(Tendon: "margin" margin),
    attr!(Tendon: "stiffness" stiffness).from(1),
    attr!(Tendon: "damping" damping).from(1),
    attr!(Tendon: "armature" armature),
    attr!(Tendon: "user" user),
];

pub(crate) const FIXED: Table<Tendon> = Table { groups: &[TENDON_BASE], rules: &[] };

/// Spatial tendons, and default tendons.
pub(crate) const TENDON: Table<Tendon> = Table {
    groups: &[
        TENDON_BASE,
        &[attr!(Tendon: "width" width), attr!(Tendon: "material" material), attr!(Tendon: "rgba" rgba)],
    ],
    rules: &[],
};

/// Attributes of the objects of a path: names and a number.
#[derive(Default)]
pub(crate) struct PathForm {
    pub name: String,
    pub side: String,
    pub number: f64,
}

pub(crate) const PATH_JOINT: Table<PathForm> = Table {
    groups: &[&[attr!(PathForm: "joint" name).required(), attr!(PathForm: "coef" number).required()]],
    rules: &[],
};
pub(crate) const PATH_SITE: Table<PathForm> =
    Table { groups: &[&[attr!(PathForm: "site" name).required()]], rules: &[] };
pub(crate) const PATH_GEOM: Table<PathForm> =
    Table { groups: &[&[attr!(PathForm: "geom" name).required(), attr!(PathForm: "sidesite" side)]], rules: &[] };
pub(crate) const PATH_PULLEY: Table<PathForm> =
    Table { groups: &[&[attr!(PathForm: "divisor" number).required()]], rules: &[] };

pub(crate) const CONTACT_CHILDREN: &[Child] = &[Child::many("pair"), Child::many("exclude")];
pub(crate) const EQUALITY_CHILDREN: &[Child] = &[
    Child::many("connect"),
    Child::many("weld"),
    Child::many("joint"),
    Child::many("tendon"),
    Child::many("flex"),
    Child::many("flexstrain"),
];
pub(crate) const TENDON_CHILDREN: &[Child] = &[Child::many("spatial"), Child::many("fixed")];
pub(crate) const FIXED_CHILDREN: &[Child] = &[Child::many("joint")];
pub(crate) const SPATIAL_CHILDREN: &[Child] = &[Child::many("site"), Child::many("geom"), Child::many("pulley")];

impl Reader<'_> {
    pub(crate) fn contact(&mut self, section: &Node) {
        self.attributes(section, &Table::<()>::EMPTY, &mut ());
        for child in self.children(section, CONTACT_CHILDREN) {
            if child.name == "pair" {
                let class = self.class(child, "class", 0);
                let mut pair = Pair { loc: child.loc, ..self.spec.defaults[class].pair.clone() };
                self.attributes(child, &PAIR, &mut pair);
                self.declare_node("pair", child);
                self.spec.pairs.push(pair);
            } else {
                let mut exclude = Exclude { loc: child.loc, ..Default::default() };
                self.attributes(child, &EXCLUDE, &mut exclude);
                self.declare_node("exclude", child);
                self.spec.excludes.push(exclude);
            }
            self.no_children(child);
        }
    }

    pub(crate) fn equality(&mut self, section: &Node) {
        self.attributes(section, &Table::<()>::EMPTY, &mut ());
        for child in self.children(section, EQUALITY_CHILDREN) {
            let class = self.class(child, "class", 0);
            let mut equality = Equality { loc: child.loc, ..self.spec.defaults[class].equality.clone() };
            equality.r#type = EqType::from_keyword(&child.name).unwrap_or_default();
            let kind = equality.r#type;
            let table = equality_table(kind);
            if kind == EqType::Weld && child.attribute("site1").is_none() {
                // The anchor is at the second body's origin unless given; between sites it has no meaning.
                equality.data[..3].fill(0.0);
            }
            if kind == EqType::FlexStrain {
                equality.data[..3].fill(-1.0);
            }
            self.attributes(child, table, &mut equality);
            self.no_children(child);
            self.declare_node("equality", child);
            self.spec.equalities.push(equality);
        }
    }

    pub(crate) fn tendon(&mut self, section: &Node) {
        self.attributes(section, &Table::<()>::EMPTY, &mut ());
        for child in self.children(section, TENDON_CHILDREN) {
            let class = self.class(child, "class", 0);
            let mut tendon = Tendon { loc: child.loc, ..self.spec.defaults[class].tendon.clone() };
            let (kind, table, path): (_, _, &[Child]) = if child.name == "fixed" {
                (TendonType::Fixed, &FIXED, FIXED_CHILDREN)
            } else {
                (TendonType::Spatial, &TENDON, SPATIAL_CHILDREN)
            };
            tendon.r#type = kind;
            self.attributes(child, table, &mut tendon);
            self.declare_node("tendon", child);
            for object in self.children(child, path) {
                let wrap = self.wrap(object);
                tendon.path.push(wrap);
            }
            self.spec.tendons.push(tendon);
        }
    }

    fn wrap(&mut self, node: &Node) -> Wrap {
        let table = match node.name.as_str() {
            "joint" => &PATH_JOINT,
            "site" => &PATH_SITE,
            "geom" => &PATH_GEOM,
            _ => &PATH_PULLEY,
        };
        let mut form = PathForm::default();
        self.attributes(node, table, &mut form);
        self.no_children(node);
        let PathForm { name, side, number } = form;
        let object = match node.name.as_str() {
            "joint" => WrapObject::Joint { joint: name, coef: number },
            "site" => WrapObject::Site { site: name },
            "geom" => WrapObject::Geom { geom: name, sidesite: side },
            _ => WrapObject::Pulley { divisor: number },
        };
        Wrap { object, loc: node.loc }
    }
}
