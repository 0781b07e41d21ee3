//! Fields of pairs, exclusions, equalities, tendons, keyframes and custom elements.

use super::{Form, kinds};
use crate::spec::value::Shape;
use mj_model::spec::*;
use mj_model::{EqType, ObjType};

/// Parameters of a pair, given or not.
#[derive(Clone, Debug)]
pub struct PairMore {
    /// Contact dimensionality.
    pub condim: i32,
    /// Normal solref.
    pub solref: [f64; 2],
    /// Friction solref.
    pub solreffriction: [f64; 2],
    /// Solimp.
    pub solimp: [f64; 5],
    /// Geometric inflation.
    pub margin: f64,
    /// Additional detection distance.
    pub gap: f64,
    /// Adhesive force.
    pub adhesion: f64,
    /// Friction.
    pub friction: [f64; 5],
}

impl Default for PairMore {
    fn default() -> Self {
        Self {
            condim: 3,
            solref: SOLREF,
            solreffriction: [0.0; 2],
            solimp: SOLIMP,
            margin: 0.0,
            gap: 0.0,
            adhesion: 0.0,
            friction: [1.0, 1.0, 0.005, 0.0001, 0.0001],
        }
    }
}

/// Parts of a numeric field that the engine's spec has no place for.
#[derive(Clone, Debug, Default)]
pub struct NumericMore {
    /// How many numbers there are, if more than are given.
    pub size: i32,
}

/// Objects of a tuple, each property by itself.
#[derive(Clone, Debug, Default)]
pub struct TupleMore {
    /// Kinds.
    pub objtype: Vec<i32>,
    /// Names.
    pub objname: Vec<String>,
    /// Parameters.
    pub objprm: Vec<f64>,
}

/// Parts of an equality constraint that the engine's spec has no place for.
#[derive(Clone, Debug, Default)]
pub struct EqualityMore {
    /// Kind of both objects; 0: not said.
    pub objtype: i32,
}

/// A keyframe.
pub type KeyForm = Form<Key>;
/// A pair.
pub type PairForm = Form<Pair, PairMore>;
/// An exclusion.
pub type ExcludeForm = Form<Exclude>;
/// An equality constraint.
pub type EqualityForm = Form<Equality, EqualityMore>;
/// A tendon.
pub type TendonForm = Form<Tendon>;
/// A numeric field.
pub type NumericForm = Form<Numeric, NumericMore>;
/// A text.
pub type TextForm = Form<Text>;
/// A tuple.
pub type TupleForm = Form<Tuple, TupleMore>;

impl PairForm {
    /// Makes a form of a pair.
    pub fn of(e: Pair) -> Self {
        let usual = PairMore::default();
        let mut friction = usual.friction;
        friction.iter_mut().zip(&e.friction).for_each(|(to, from)| *to = *from);
        let more = PairMore {
            condim: e.condim.unwrap_or(usual.condim),
            solref: e.solref.unwrap_or(usual.solref),
            solreffriction: e.solreffriction.unwrap_or(usual.solreffriction),
            solimp: e.solimp.unwrap_or(usual.solimp),
            margin: e.margin.unwrap_or(0.0),
            gap: e.gap.unwrap_or(0.0),
            adhesion: e.adhesion.unwrap_or(0.0),
            friction,
        };
        Self { e, more, info: String::new() }
    }

    /// Returns the pair; what is usual counts as not given.
    pub fn build(&self) -> Pair {
        let (m, usual) = (&self.more, PairMore::default());
        macro_rules! given {
            ($field:ident) => {
                Some(m.$field).filter(|x| *x != usual.$field || self.e.$field.is_some())
            };
        }
        let given = !self.e.friction.is_empty() || m.friction != usual.friction;
        Pair {
            condim: given!(condim),
            solref: given!(solref),
            solreffriction: given!(solreffriction),
            solimp: given!(solimp),
            margin: given!(margin),
            gap: given!(gap),
            adhesion: given!(adhesion),
            friction: if given { m.friction.to_vec() } else { Vec::new() },
            ..self.e.clone()
        }
    }
}

impl EqualityForm {
    /// Makes a form of an equality constraint.
    pub fn of(e: Equality) -> Self {
        // Couplings of joints and tendons say it by their type.
        let by_type =
            matches!(e.r#type, EqType::Joint | EqType::Tendon | EqType::Flex | EqType::FlexVert | EqType::FlexStrain);
        let objtype = if by_type { 0 } else { e.objtype.code() };
        Self { e, more: EqualityMore { objtype }, info: String::new() }
    }

    /// Returns the constraint.
    pub fn build(&self) -> Equality {
        let objtype = ObjType::from_code(self.more.objtype).filter(|t| *t != ObjType::Unknown);
        let usual = match self.e.r#type {
            EqType::Joint => ObjType::Joint,
            EqType::Tendon => ObjType::Tendon,
            EqType::Flex | EqType::FlexVert | EqType::FlexStrain => ObjType::Flex,
            _ => ObjType::Body,
        };
        Equality { objtype: objtype.unwrap_or(usual), ..self.e.clone() }
    }
}

impl NumericForm {
    /// Makes a form of a numeric field.
    pub fn of(e: Numeric) -> Self {
        let size = i32::try_from(e.data.len()).unwrap_or(i32::MAX);
        Self { e, more: NumericMore { size }, info: String::new() }
    }

    /// Returns the field, padded with zeros.
    ///
    /// # Errors
    /// If it has more numbers than its size says, or too many.
    pub fn build(&self) -> Result<Numeric, String> {
        let mut e = self.e.clone();
        let size = usize::try_from(self.more.size).unwrap_or(0);
        if size != 0 && size < e.data.len() {
            return Err(format!("numeric `{}` has {} numbers, but a size of {size}", e.name, e.data.len()));
        }
        if size > 10_000_000 {
            return Err(format!("numeric `{}`: a size of {size} is too large", e.name));
        }
        e.data.resize(size.max(e.data.len()), 0.0);
        Ok(e)
    }
}

impl TupleForm {
    /// Makes a form of a tuple.
    pub fn of(mut e: Tuple) -> Self {
        let mut more = TupleMore::default();
        for (kind, name, parameter) in std::mem::take(&mut e.items) {
            more.objtype.push(kind.code());
            more.objname.push(name);
            more.objprm.push(parameter);
        }
        Self { e, more, info: String::new() }
    }

    /// Returns the tuple.
    ///
    /// # Errors
    /// If there are other numbers of kinds than of names and parameters, or a kind is none.
    pub fn build(&self) -> Result<Tuple, String> {
        let TupleMore { objtype, objname, objprm } = &self.more;
        if objtype.len() != objname.len() || objprm.len() != objname.len() {
            return Err(format!(
                "tuple `{}` has {} kinds, {} names and {} parameters",
                self.e.name,
                objtype.len(),
                objname.len(),
                objprm.len()
            ));
        }
        let mut items = Vec::new();
        for ((kind, name), parameter) in objtype.iter().zip(objname).zip(objprm) {
            let kind = ObjType::from_code(*kind)
                .ok_or_else(|| format!("tuple `{}`: {kind} is no kind of object", self.e.name))?;
            items.push((kind, name.clone(), *parameter));
        }
        Ok(Tuple { items, ..self.e.clone() })
    }
}

kinds! {
    PairForm {
        "name" e.name;
        "geomname1" e.geom1;
        "geomname2" e.geom2;
        "condim" more.condim;
        "solref" more.solref;
        "solreffriction" more.solreffriction;
        "solimp" more.solimp;
        "margin" more.margin;
        "gap" more.gap;
        "adhesion" more.adhesion;
        "friction" more.friction;
        "info" info;
    }
    ExcludeForm {
        "name" e.name;
        "bodyname1" e.body1;
        "bodyname2" e.body2;
        "info" info;
    }
    EqualityForm {
        "name" e.name;
        "type" e.r#type;
        "data" e.data;
        "active" e.active;
        "name1" e.name1;
        "name2" e.name2;
        "objtype" more.objtype as Shape::Enum("mjtObj");
        "solref" e.solref;
        "solimp" e.solimp;
        "info" info;
    }
    TendonForm {
        "name" e.name;
        "stiffness" e.stiffness;
        "springlength" e.springlength;
        "springyield" e.springyield;
        "damping" e.damping;
        "frictionloss" e.frictionloss;
        "solref_friction" e.solref_friction;
        "solimp_friction" e.solimp_friction;
        "armature" e.armature;
        "limited" e.limited;
        "actfrclimited" e.actfrclimited;
        "range" e.range;
        "actfrcrange" e.actfrcrange;
        "margin" e.margin;
        "solref_limit" e.solref_limit;
        "solimp_limit" e.solimp_limit;
        "material" e.material;
        "width" e.width;
        "rgba" e.rgba;
        "group" e.group;
        "userdata" e.user;
        "info" info;
    }
    NumericForm {
        "name" e.name;
        "data" e.data;
        "size" more.size;
        "info" info;
    }
    TextForm {
        "name" e.name;
        "data" e.data;
        "info" info;
    }
    TupleForm {
        "name" e.name;
        "objtype" more.objtype;
        "objname" more.objname;
        "objprm" more.objprm;
        "info" info;
    }
    KeyForm {
        "name" e.name;
        "time" e.time;
        "qpos" e.qpos;
        "qvel" e.qvel;
        "act" e.act;
        "mpos" e.mpos;
        "mquat" e.mquat;
        "ctrl" e.ctrl;
        "plastic" e.plastic;
        "info" info;
    }
}
