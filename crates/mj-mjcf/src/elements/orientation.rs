//! The five ways to write an orientation, as attributes.

use crate::reader::table::{Given, Rule, Slot, Value};
use mj_math::DQuat;
use mj_model::spec::Orientation;

/// At most one way to give an orientation.
pub(crate) const ONE_ORIENTATION: Rule =
    Rule::AtMostOne(&[&["quat"], &["axisangle"], &["xyaxes"], &["zaxis"], &["euler"]]);

/// Puts a quaternion. One of the other forms that a default class gave stays: the reference resolves
/// it last, whatever the element says.
pub(crate) fn put_quat(o: &mut Orientation, v: Value) {
    if let (Orientation::Identity | Orientation::Quat(_), &[w, x, y, z]) = (*o, v.numbers()) {
        *o = Orientation::Quat(DQuat::from_xyzw(x, y, z, w));
    }
}

pub(crate) fn give_quat(o: &Orientation) -> Given {
    match o {
        Orientation::Quat(q) => Given::numbers(&[q.w, q.x, q.y, q.z]),
        _ => Given::Nothing,
    }
}

/// The numbers of one of the other forms of an orientation, if it is given in it.
macro_rules! form {
    ($form:ident) => {
        |t| match &t.orientation {
            mj_model::spec::Orientation::$form(a) => $crate::reader::table::Given::numbers(a),
            _ => $crate::reader::table::Given::Nothing,
        }
    };
}
pub(crate) use form;

pub(crate) fn array<const N: usize>(v: Value) -> [f64; N] {
    let mut a = [0.0; N];
    a.put(v);
    a
}

/// The attributes that give the orientation of a type with the field `orientation`.
macro_rules! orientation {
    ($t:ty) => {
        &[
            $crate::reader::table::Attr::<$t>::new("quat", <[f64; 4] as $crate::reader::table::Slot>::SHAPE, |t, v| {
                $crate::elements::orientation::put_quat(&mut t.orientation, v)
            })
            .give(|t| $crate::elements::orientation::give_quat(&t.orientation)),
            $crate::reader::table::Attr::<$t>::new(
                "axisangle",
                <[f64; 4] as $crate::reader::table::Slot>::SHAPE,
                |t, v| t.orientation = mj_model::spec::Orientation::AxisAngle($crate::elements::orientation::array(v)),
            )
            .give($crate::elements::orientation::form!(AxisAngle)),
            $crate::reader::table::Attr::<$t>::new(
                "xyaxes",
                <[f64; 6] as $crate::reader::table::Slot>::SHAPE,
                |t, v| t.orientation = mj_model::spec::Orientation::XyAxes($crate::elements::orientation::array(v)),
            )
            .give($crate::elements::orientation::form!(XyAxes)),
            $crate::reader::table::Attr::<$t>::new(
                "zaxis",
                <[f64; 3] as $crate::reader::table::Slot>::SHAPE,
                |t, v| t.orientation = mj_model::spec::Orientation::ZAxis($crate::elements::orientation::array(v)),
            )
            .give($crate::elements::orientation::form!(ZAxis)),
            $crate::reader::table::Attr::<$t>::new(
                "euler",
                <[f64; 3] as $crate::reader::table::Slot>::SHAPE,
                |t, v| t.orientation = mj_model::spec::Orientation::Euler($crate::elements::orientation::array(v)),
            )
            .give($crate::elements::orientation::form!(Euler)),
        ]
    };
}

pub(crate) use orientation;
