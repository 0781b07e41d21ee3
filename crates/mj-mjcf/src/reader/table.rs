//! The language of the schema: what an attribute takes, where its value goes, which attributes go
//! together. The tables themselves stand beside the readers of their elements.
//!
//! A table is a list of groups of [`Attr`]; each names an attribute, says what it takes, puts the
//! value into a field of the element's target type, and gives it back as text. Reading, validation
//! and writing run on it.

use crate::syntax::number;
use mj_math::DVec3;
use mj_model::{
    BiasType, Builtin, CamLight, ColorSpace, Cone, DataType, DynType, Elastic2d, FlexDof, FlexEquality, FlexSelf,
    FlexcompType, GainType, GeomType, InertiaFromGeom, IntegratorType, Jacobian, JointType, LengthRangeMode, LightType,
    Mark, MeshInertia, Projection, Scaling, Section, SolverType, Stage, TextureType, Tri,
};

/// Values that an attribute takes.
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
    /// Returns the shape with `min` values at least.
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

/// Value of an attribute of an element, as written in text.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Given {
    /// Nothing: the attribute is left out.
    Nothing,
    /// Text, as it is.
    Text(String),
    /// Numbers or keywords.
    Words(Vec<String>),
}

impl Given {
    /// One keyword.
    pub fn word(word: &str) -> Self {
        Self::Words(vec![word.into()])
    }

    /// Numbers, each so that it is read back bit for bit.
    pub fn numbers(numbers: &[f64]) -> Self {
        Self::Words(numbers.iter().map(|&x| number::text(x)).collect())
    }

    /// Those keywords whose bits are set.
    pub fn bits(words: Shape, bits: i32) -> Self {
        match words {
            Shape::Keywords(words) => {
                let set = words.iter().enumerate().filter(|(i, _)| bits >> i & 1 == 1);
                Self::Words(set.map(|(_, w)| w.to_string()).collect())
            }
            _ => Self::Nothing,
        }
    }

    /// The keyword of a row, if there is one.
    pub fn keyword(words: Shape, row: i32) -> Self {
        match (words, usize::try_from(row)) {
            (Shape::Keyword(words), Ok(row)) => words.get(row).map_or(Self::Nothing, |w| Self::word(w)),
            _ => Self::Nothing,
        }
    }
}

/// A field that an attribute can fill.
pub(crate) trait Slot {
    /// Values that the attribute takes.
    const SHAPE: Shape;
    /// Fills the field; where fewer numbers are given than it holds, the rest stays.
    fn put(&mut self, value: Value);
    /// Returns the value that fills the field so.
    fn give(&self) -> Given;
}

impl Slot for f64 {
    const SHAPE: Shape = Shape::Numbers { min: 1, max: 1, single: false };
    fn put(&mut self, value: Value) {
        *self = value.number();
    }
    fn give(&self) -> Given {
        Given::numbers(&[*self])
    }
}

impl Slot for f32 {
    const SHAPE: Shape = Shape::Numbers { min: 1, max: 1, single: true };
    fn put(&mut self, value: Value) {
        *self = value.number() as f32;
    }
    fn give(&self) -> Given {
        Given::Words(vec![number::text_single(*self)])
    }
}

impl Slot for i32 {
    const SHAPE: Shape = Shape::Integers { min: 1, max: 1 };
    fn put(&mut self, value: Value) {
        *self = value.integer();
    }
    fn give(&self) -> Given {
        Given::word(&self.to_string())
    }
}

impl Slot for bool {
    const SHAPE: Shape = Shape::Keyword(&["false", "true"]);
    fn put(&mut self, value: Value) {
        *self = value.keyword() == 1;
    }
    fn give(&self) -> Given {
        Given::word(if *self { "true" } else { "false" })
    }
}

impl Slot for String {
    const SHAPE: Shape = Shape::Text;
    fn put(&mut self, value: Value) {
        value.text().clone_into(self);
    }
    fn give(&self) -> Given {
        Given::Text(self.clone())
    }
}

/// Names, separated by white space.
impl Slot for Vec<String> {
    const SHAPE: Shape = Shape::Text;
    fn put(&mut self, value: Value) {
        *self = value.text().split_whitespace().map(String::from).collect();
    }
    fn give(&self) -> Given {
        Given::Text(self.join(" "))
    }
}

impl Slot for DVec3 {
    const SHAPE: Shape = <[f64; 3]>::SHAPE;
    fn put(&mut self, value: Value) {
        let mut a = self.to_array();
        a.put(value);
        *self = Self::from_array(a);
    }
    fn give(&self) -> Given {
        self.to_array().give()
    }
}

impl<const N: usize> Slot for [f64; N] {
    const SHAPE: Shape = Shape::Numbers { min: N, max: N, single: false };
    fn put(&mut self, value: Value) {
        for (x, &v) in self.iter_mut().zip(value.numbers()) {
            *x = v;
        }
    }
    fn give(&self) -> Given {
        Given::numbers(self)
    }
}

impl<const N: usize> Slot for [f32; N] {
    const SHAPE: Shape = Shape::Numbers { min: N, max: N, single: true };
    fn put(&mut self, value: Value) {
        for (x, &v) in self.iter_mut().zip(value.numbers()) {
            *x = v as f32;
        }
    }
    fn give(&self) -> Given {
        Given::Words(self.iter().map(|&x| number::text_single(x)).collect())
    }
}

impl<const N: usize> Slot for [i32; N] {
    const SHAPE: Shape = Shape::Integers { min: N, max: N };
    fn put(&mut self, value: Value) {
        for (x, &v) in self.iter_mut().zip(value.numbers()) {
            *x = v as i32;
        }
    }
    fn give(&self) -> Given {
        Given::Words(self.iter().map(i32::to_string).collect())
    }
}

impl Slot for Vec<f64> {
    const SHAPE: Shape = Shape::Numbers { min: 1, max: usize::MAX, single: false };
    fn put(&mut self, value: Value) {
        value.numbers().clone_into(self);
    }
    fn give(&self) -> Given {
        Given::numbers(self)
    }
}

impl Slot for Vec<f32> {
    const SHAPE: Shape = Shape::Numbers { min: 1, max: usize::MAX, single: true };
    fn put(&mut self, value: Value) {
        *self = value.numbers().iter().map(|&x| x as f32).collect();
    }
    fn give(&self) -> Given {
        Given::Words(self.iter().map(|&x| number::text_single(x)).collect())
    }
}

impl Slot for Vec<i32> {
    const SHAPE: Shape = Shape::Integers { min: 1, max: usize::MAX };
    fn put(&mut self, value: Value) {
        *self = value.numbers().iter().map(|&x| x as i32).collect();
    }
    fn give(&self) -> Given {
        Given::Words(self.iter().map(i32::to_string).collect())
    }
}

impl<S: Slot + Default> Slot for Option<S> {
    const SHAPE: Shape = S::SHAPE;
    fn put(&mut self, value: Value) {
        self.get_or_insert_default().put(value);
    }
    fn give(&self) -> Given {
        self.as_ref().map_or(Given::Nothing, S::give)
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
            fn give(&self) -> Given {
                Given::word(self.keyword())
            }
        }
    )*};
}
keyword_slots! {
    JointType GeomType Projection CamLight LightType TextureType ColorSpace Builtin Mark IntegratorType Cone Jacobian
    SolverType DynType GainType BiasType Stage DataType InertiaFromGeom Tri MeshInertia LengthRangeMode
    FlexcompType FlexDof FlexEquality FlexSelf Elastic2d Section Scaling
}

/// Name of an attribute, and what it takes: the same for all kinds of elements, so that code is compiled once for all.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Form {
    pub name: &'static str,
    pub shape: Shape,
    pub required: bool,
    /// Not in default classes.
    pub own: bool,
    /// Bound on the number, and whether the bound itself is refused.
    pub low: Option<(f64, bool)>,
    /// How much of it is written.
    pub write: Write,
}

/// An attribute of an element that is read into a `T`.
pub(crate) struct Attr<T> {
    pub form: Form,
    pub put: fn(&mut T, Value),
    /// Returns its value in an element; none: it is read, but not written.
    pub give: Option<fn(&T) -> Given>,
}

/// How much of an attribute is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Write {
    /// Numbers up to the last one that differs from the default class.
    Difference,
    /// All its numbers, if any differs.
    Whole,
    /// All of it, even if nothing differs.
    Always,
}

impl<T> Attr<T> {
    pub const fn new(name: &'static str, shape: Shape, put: fn(&mut T, Value)) -> Self {
        let form = Form { name, shape, required: false, own: false, low: None, write: Write::Difference };
        Self { form, put, give: None }
    }

    /// Is written like this.
    pub const fn give(mut self, give: fn(&T) -> Given) -> Self {
        self.give = Some(give);
        self
    }

    /// Is written with all its numbers, or not at all.
    pub const fn whole(mut self) -> Self {
        self.form.write = Write::Whole;
        self
    }

    /// Is written even where the default class says the same.
    pub const fn always(mut self) -> Self {
        self.form.write = Write::Always;
        self
    }

    /// Must be given.
    pub const fn required(mut self) -> Self {
        self.form.required = true;
        self
    }

    /// Cannot be given in a default class.
    pub const fn own(mut self) -> Self {
        self.form.own = true;
        self
    }

    /// Already `min` values are enough; the others stay as they are.
    pub const fn from(mut self, min: usize) -> Self {
        self.form.shape = self.form.shape.at_least(min);
        self
    }

    /// Every number must be above 0.
    pub const fn positive(mut self) -> Self {
        self.form.low = Some((0.0, true));
        self
    }

    /// Every number must be at least this.
    pub const fn min(mut self, low: f64) -> Self {
        self.form.low = Some((low, false));
        self
    }
}

/// Shape of the field that an accessor reaches.
pub(crate) const fn shape_of<T, S: Slot>(_: fn(&mut T) -> &mut S) -> Shape {
    S::SHAPE
}

/// `attr!(Geom: "solmix" solmix)`: the attribute `solmix` fills the field `solmix` of a `Geom`.
macro_rules! attr {
    ($t:ty: $name:literal $($field:tt).+) => {
        $crate::reader::table::Attr::<$t>::new(
            $name,
            $crate::reader::table::shape_of(|t: &mut $t| &mut t.$($field).+),
            |t, v| $crate::reader::table::Slot::put(&mut t.$($field).+, v),
        )
        .give(|t| $crate::reader::table::Slot::give(&t.$($field).+))
    };
}
pub(crate) use attr;

/// Condition on the attributes of an element. A bundle is several that belong together.
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
        let mut found = None;
        self.each(in_default, &mut |attr| found = found.or((attr.form.name == name).then_some(attr)));
        found
    }

    /// Shows all attributes allowed on the element itself or in a default class.
    pub fn each(&self, in_default: bool, show: &mut dyn FnMut(&'static Attr<T>)) {
        for group in self.groups {
            for attr in *group {
                if !(in_default && attr.form.own) {
                    show(attr);
                }
            }
        }
    }

    /// Returns the forms of all attributes allowed on the element itself or in a default class.
    pub fn forms(&self, in_default: bool) -> Vec<&'static Form> {
        let mut forms = Vec::new();
        self.each(in_default, &mut |attr| forms.push(&attr.form));
        forms
    }
}

/// A child that an element may have.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Child {
    pub name: &'static str,
    /// At most one.
    pub single: bool,
}

impl Child {
    /// Any number.
    pub const fn many(name: &'static str) -> Self {
        Self { name, single: false }
    }

    /// At most one.
    pub const fn single(name: &'static str) -> Self {
        Self { name, single: true }
    }
}
