//! Tables of the fields of spec elements, by the names of the reference.

mod actuation;
mod assets;
mod flex;
mod globals;
mod relations;
mod tree;

pub use actuation::*;
pub use assets::*;
pub use flex::*;
pub use globals::*;
pub use relations::*;
pub use tree::*;

use super::value::{Shape, Value};

/// An element, and its parts that the engine's spec has no place for.
#[derive(Clone, Debug, Default)]
pub struct Form<E, M = ()> {
    /// The element.
    pub e: E,
    /// Parts that the engine's spec has no place for.
    pub more: M,
    /// Text that is added to messages about it.
    pub info: String,
}

/// A field of an element.
pub struct Field<F: 'static> {
    /// The reference's name.
    pub name: &'static str,
    /// Shape of its value.
    pub shape: Shape,
    /// Returns its value.
    pub get: fn(&F) -> Value,
    /// Takes a value of its shape.
    pub put: fn(&mut F, Value) -> Result<(), String>,
}

/// Shape of the field that a function gives.
pub const fn shape_of<F, T: super::cell::Cell>(_: fn(&F) -> &T) -> Shape {
    T::SHAPE
}

/// The fields of a form: the reference's name, and where the value is; `as` names another enumeration or shape.
///
/// `with pose` adds those of an orientation, `with plugin` those of the use of a plugin.
macro_rules! fields {
    ($form:ident with pose $($group:ident)* { $($rows:tt)* }) => {
        $crate::spec::tables::fields!($form with $($group)* {
            $($rows)*
            "quat" more.pose.quat;
            "alt.type" more.pose.alt.r#type as $crate::spec::value::Shape::Enum("mjtOrientation");
            "alt.axisangle" more.pose.alt.axisangle;
            "alt.xyaxes" more.pose.alt.xyaxes;
            "alt.zaxis" more.pose.alt.zaxis;
            "alt.euler" more.pose.alt.euler;
        })
    };
    ($form:ident with plugin $($group:ident)* { $($rows:tt)* }) => {
        $crate::spec::tables::fields!($form with $($group)* {
            $($rows)*
            "plugin.name" more.plugin.name;
            "plugin.plugin_name" more.plugin.plugin_name;
            "plugin.active" more.plugin.active;
            "plugin.info" more.plugin.info;
            "plugin.config" more.plugin.config;
        })
    };
    ($form:ident with { $($rows:tt)* }) => { $crate::spec::tables::fields!($form { $($rows)* }) };
    ($form:ident { $($name:literal $($path:ident).+ $(as $shape:expr)?;)* }) => {
        &[$($crate::spec::tables::Field {
            name: $name,
            shape: $crate::spec::tables::fields!(@shape $form, ($($path).+) $($shape)?),
            get: |form: &$form| $crate::spec::cell::Cell::get(&form.$($path).+),
            put: |form: &mut $form, value| $crate::spec::cell::Cell::put(&mut form.$($path).+, value),
        }),*]
    };
    (@shape $form:ident, ($($path:ident).+)) => { $crate::spec::tables::shape_of(|form: &$form| &form.$($path).+) };
    (@shape $form:ident, ($($path:ident).+) $shape:expr) => { $shape };
}
pub(crate) use fields;

/// A kind of element: its fields and its name.
pub trait Kind: Clone + Default + Send + 'static {
    /// Its fields.
    const FIELDS: &'static [Field<Self>];
    /// Its name, where it has one.
    fn name(&mut self) -> Option<&mut String>;
}

/// Implements kinds by their fields; each has a name.
macro_rules! kinds {
    ($($form:ident $(with $($group:ident)+)? { $($rows:tt)* })*) => {$(
        impl $crate::spec::tables::Kind for $form {
            const FIELDS: &'static [$crate::spec::tables::Field<Self>] =
                $crate::spec::tables::fields!($form with $($($group)+)? { $($rows)* });
            fn name(&mut self) -> Option<&mut String> {
                Some(&mut self.e.name)
            }
        }
    )*};
}
pub(crate) use kinds;
