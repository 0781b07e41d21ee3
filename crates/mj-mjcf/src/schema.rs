//! The language of the schema: what an attribute takes, where its value goes, which attributes go
//! together. The tables themselves stand beside the readers of their elements.
//!
//! A table is a list of groups of [`Attr`]; each names an attribute, says what it takes, and puts
//! the value into a field of the element's target type. Reading and validation both run on it.

use mj_math::DVec3;
use mj_model::enums::*;

/// What an attribute takes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Shape {
    /// Any text.
    Text,
    /// Integers, from `min` to `max` of them.
    Integers { min: usize, max: usize },
    /// Numbers, from `min` to `max` of them; `single`: kept in single precision.
    Numbers { min: usize, max: usize, single: bool },
    /// One of some words.
    Keyword(&'static [&'static str]),
    /// Any of some words, separated by spaces, none twice.
    Keywords(&'static [&'static str]),
}

impl Shape {
    /// The same, but already `min` values are enough.
    pub const fn at_least(self, min: usize) -> Self {
        match self {
            Self::Integers { max, .. } => Self::Integers { min, max },
            Self::Numbers { max, single, .. } => Self::Numbers { min, max, single },
            other => other,
        }
    }
}

/// A value that fits its attribute's shape.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Value<'a> {
    Text(&'a str),
    /// Numbers, integers too.
    Numbers(&'a [f64]),
    /// Row of the keyword.
    Keyword(usize),
    /// Rows of the keywords, in the order given.
    Keywords(&'a [usize]),
}

impl<'a> Value<'a> {
    /// Numbers; none for other shapes.
    pub fn numbers(self) -> &'a [f64] {
        match self {
            Self::Numbers(x) => x,
            _ => &[],
        }
    }

    /// First number; 0 for other shapes.
    pub fn number(self) -> f64 {
        self.numbers().first().copied().unwrap_or(0.0)
    }

    /// First number as an integer.
    pub fn integer(self) -> i32 {
        self.number() as i32
    }

    /// Text; empty for other shapes.
    pub fn text(self) -> &'a str {
        match self {
            Self::Text(s) => s,
            _ => "",
        }
    }

    /// Row of the keyword; 0 for other shapes.
    pub fn keyword(self) -> usize {
        match self {
            Self::Keyword(i) => i,
            _ => 0,
        }
    }

    /// Rows of keywords as bits.
    pub fn bits(self) -> i32 {
        match self {
            Self::Keywords(rows) => rows.iter().fold(0, |bits, &i| bits | 1 << i),
            _ => 0,
        }
    }
}

/// A field that an attribute can fill.
pub(crate) trait Slot {
    /// What the attribute takes.
    const SHAPE: Shape;
    /// Fills the field; where fewer numbers are given than it holds, the rest stays.
    fn put(&mut self, value: Value);
}

impl Slot for f64 {
    const SHAPE: Shape = Shape::Numbers { min: 1, max: 1, single: false };
    fn put(&mut self, value: Value) {
        *self = value.number();
    }
}

impl Slot for f32 {
    const SHAPE: Shape = Shape::Numbers { min: 1, max: 1, single: true };
    fn put(&mut self, value: Value) {
        *self = value.number() as f32;
    }
}

impl Slot for i32 {
    const SHAPE: Shape = Shape::Integers { min: 1, max: 1 };
    fn put(&mut self, value: Value) {
        *self = value.integer();
    }
}

impl Slot for bool {
    const SHAPE: Shape = Shape::Keyword(&["false", "true"]);
    fn put(&mut self, value: Value) {
        *self = value.keyword() == 1;
    }
}

impl Slot for String {
    const SHAPE: Shape = Shape::Text;
    fn put(&mut self, value: Value) {
        value.text().clone_into(self);
    }
}

impl Slot for DVec3 {
    const SHAPE: Shape = <[f64; 3]>::SHAPE;
    fn put(&mut self, value: Value) {
        let mut a = self.to_array();
        a.put(value);
        *self = Self::from_array(a);
    }
}

impl<const N: usize> Slot for [f64; N] {
    const SHAPE: Shape = Shape::Numbers { min: N, max: N, single: false };
    fn put(&mut self, value: Value) {
        for (x, &v) in self.iter_mut().zip(value.numbers()) {
            *x = v;
        }
    }
}

impl<const N: usize> Slot for [f32; N] {
    const SHAPE: Shape = Shape::Numbers { min: N, max: N, single: true };
    fn put(&mut self, value: Value) {
        for (x, &v) in self.iter_mut().zip(value.numbers()) {
            *x = v as f32;
        }
    }
}

impl<const N: usize> Slot for [i32; N] {
    const SHAPE: Shape = Shape::Integers { min: N, max: N };
    fn put(&mut self, value: Value) {
        for (x, &v) in self.iter_mut().zip(value.numbers()) {
            *x = v as i32;
        }
    }
}

impl Slot for Vec<f64> {
    const SHAPE: Shape = Shape::Numbers { min: 1, max: usize::MAX, single: false };
    fn put(&mut self, value: Value) {
        value.numbers().clone_into(self);
    }
}

impl<S: Slot + Default> Slot for Option<S> {
    const SHAPE: Shape = S::SHAPE;
    fn put(&mut self, value: Value) {
        self.get_or_insert_default().put(value);
    }
}

/// Enums of the model take their keywords.
macro_rules! keyword_slots {
    ($($t:ident)*) => {$(
        impl Slot for $t {
            const SHAPE: Shape = Shape::Keyword(&{
                let mut words = [""; $t::KEYWORDS.len()];
                let mut i = 0;
                while i < words.len() {
                    words[i] = $t::KEYWORDS[i].0;
                    i += 1;
                }
                words
            });
            fn put(&mut self, value: Value) {
                *self = $t::KEYWORDS[value.keyword()].1;
            }
        }
    )*};
}
keyword_slots! {
    JointType GeomType Projection CamLight LightType TextureType ColorSpace Builtin Mark IntegratorType Cone Jacobian
    SolverType DynType GainType BiasType Stage DataType InertiaFromGeom Tri LengthRangeMode
}

/// An attribute of an element that is read into a `T`.
pub(crate) struct Attr<T> {
    pub name: &'static str,
    pub shape: Shape,
    pub required: bool,
    /// Not in default classes.
    pub own: bool,
    /// Bound on the number, and whether the bound itself is refused.
    pub low: Option<(f64, bool)>,
    pub put: fn(&mut T, Value),
}

impl<T> Attr<T> {
    pub const fn new(name: &'static str, shape: Shape, put: fn(&mut T, Value)) -> Self {
        Self { name, shape, required: false, own: false, low: None, put }
    }

    /// Must be given.
    pub const fn required(mut self) -> Self {
        self.required = true;
        self
    }

    /// Cannot be given in a default class.
    pub const fn own(mut self) -> Self {
        self.own = true;
        self
    }

    /// Already `min` values are enough; the others stay as they are.
    pub const fn from(mut self, min: usize) -> Self {
        self.shape = self.shape.at_least(min);
        self
    }

    /// Every number must be above 0.
    pub const fn positive(mut self) -> Self {
        self.low = Some((0.0, true));
        self
    }

    /// Every number must be at least this.
    pub const fn min(mut self, low: f64) -> Self {
        self.low = Some((low, false));
        self
    }
}

/// Shape of the field that an accessor reaches.
pub(crate) const fn shape_of<T, S: Slot>(_: fn(&mut T) -> &mut S) -> Shape {
    S::SHAPE
}

/// `attr!(Geom: "solmix" solmix)`: the attribute `solmix` fills the field `solmix` of a `Geom`.
macro_rules! attr {
    ($t:ty: $name:literal $($field:ident).+) => {
        $crate::schema::Attr::<$t>::new(
            $name,
            $crate::schema::shape_of(|t: &mut $t| &mut t.$($field).+),
            |t, v| $crate::schema::Slot::put(&mut t.$($field).+, v),
        )
    };
}
pub(crate) use attr;

/// What must hold among the attributes of an element. A bundle is several that belong together.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Rule {
    /// Attributes of at most one bundle.
    AtMostOne(&'static [&'static [&'static str]]),
    /// At least one bundle in full.
    OneOf(&'static [&'static [&'static str]]),
    /// All or none.
    Together(&'static [&'static str]),
}

/// The attributes of an element.
pub(crate) struct Table<T: 'static> {
    pub groups: &'static [&'static [Attr<T>]],
    pub rules: &'static [Rule],
}

impl<T> Table<T> {
    /// No attributes.
    pub const EMPTY: Self = Self { groups: &[], rules: &[] };

    /// An attribute by name, as allowed on the element itself or in a default class.
    pub fn find(&self, name: &str, in_default: bool) -> Option<&'static Attr<T>> {
        self.attributes(in_default).find(|a| a.name == name)
    }

    /// All attributes allowed on the element itself or in a default class.
    pub fn attributes(&self, in_default: bool) -> impl Iterator<Item = &'static Attr<T>> {
        self.groups.iter().flat_map(|g| g.iter()).filter(move |a| !(in_default && a.own))
    }
}

/// A child that an element may have.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Child {
    pub name: &'static str,
    /// At most one.
    pub single: bool,
    /// Read; otherwise part of the language, but not supported yet.
    pub read: bool,
}

impl Child {
    /// Any number.
    pub const fn many(name: &'static str) -> Self {
        Self { name, single: false, read: true }
    }

    /// At most one.
    pub const fn single(name: &'static str) -> Self {
        Self { name, single: true, read: true }
    }

    /// Not supported yet.
    pub const fn later(name: &'static str) -> Self {
        Self { name, single: false, read: false }
    }
}
