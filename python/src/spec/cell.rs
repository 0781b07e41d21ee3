//! Fields of spec elements as values: what each type of field gives, and takes.

use super::value::{Shape, Value};
use mj_math::{DQuat, DVec3};
use mj_model::spec::{Conflict, Passthrough};
use mj_model::*;

/// A type of field.
pub trait Cell {
    /// Shape of the value.
    const SHAPE: Shape;
    /// Returns the value.
    fn get(&self) -> Value;
    /// Takes a value of the shape.
    ///
    /// # Errors
    /// If it is a code that the field doesn't know.
    fn put(&mut self, value: Value) -> Result<(), String>;
}

/// Implements cells whose values are of one kind.
macro_rules! cells {
    ($($t:ty: $shape:expr, $kind:ident, |$x:ident| $get:expr, |$v:ident| $put:expr;)*) => {$(
        impl Cell for $t {
            const SHAPE: Shape = $shape;
            fn get(&self) -> Value {
                let $x = self;
                Value::$kind($get)
            }
            fn put(&mut self, value: Value) -> Result<(), String> {
                if let Value::$kind($v) = value {
                    *self = $put;
                }
                Ok(())
            }
        }
    )*};
}

/// The first `N` numbers of a list, the rest zero.
fn array<T: Copy + Default, const N: usize>(from: &[T]) -> [T; N] {
    let mut out = [T::default(); N];
    out.iter_mut().zip(from).for_each(|(to, from)| *to = *from);
    out
}

/// Not given, in an array: the first number is NaN.
fn nothing<const N: usize>() -> [f64; N] {
    let mut out = [0.0; N];
    out[0] = f64::NAN;
    out
}

cells! {
    f64: Shape::Number, Number, |x| *x, |v| v;
    f32: Shape::Number, Number, |x| f64::from(*x), |v| v as f32;
    i32: Shape::Integer, Integer, |x| i64::from(*x), |v| v as i32;
    usize: Shape::Integer, Integer, |x| *x as i64, |v| v.max(0) as usize;
    bool: Shape::Flag, Flag, |x| *x, |v| v;
    String: Shape::Text, Text, |x| x.clone(), |v| v;
    Vec<f64>: Shape::Numbers(0), Numbers, |x| x.clone(), |v| v;
    Vec<f32>: Shape::Singles(0), Singles, |x| x.clone(), |v| v;
    Vec<i32>: Shape::Integers(0), Integers, |x| x.clone(), |v| v;
    Vec<String>: Shape::Texts(0), Texts, |x| x.clone(), |v| v;
    Vec<u8>: Shape::Bytes, Bytes, |x| x.clone(), |v| v;
    Vec<Vec<i32>>: Shape::IntegerLists, IntegerLists, |x| x.clone(), |v| v;
    Vec<Vec<f32>>: Shape::SingleLists, SingleLists, |x| x.clone(), |v| v;
    Vec<(String, String)>: Shape::Config, Config, |x| x.clone(), |v| v;
    DVec3: Shape::Numbers(3), Numbers, |x| x.to_array().to_vec(), |v| Self::from_array(array(&v));
    DQuat: Shape::Numbers(4), Numbers, |q| vec![q.w, q.x, q.y, q.z], |v| {
        let [w, x, y, z] = array(&v);
        Self::from_xyzw(x, y, z, w)
    };
    [u8; 3]: Shape::Chars(3), Text, |x| x.iter().map(|b| char::from(*b)).collect(), |v| array(v.as_bytes());
    Option<usize>: Shape::Integer, Integer, |x| x.map_or(-1, |x| x as i64), |v| usize::try_from(v).ok();
    // Not given is NaN.
    Option<f64>: Shape::Number, Number, |x| x.unwrap_or(f64::NAN), |v| Some(v).filter(|v| !v.is_nan());
    Option<DVec3>: Shape::Numbers(3), Numbers, |x| x.map_or(nothing::<3>().to_vec(), |x| x.to_array().to_vec()), |v| {
        Some(Self::Some(DVec3::from_array(array(&v)))).flatten().filter(|x| !x.x.is_nan())
    };
    Option<[f64; 6]>: Shape::Numbers(6), Numbers, |x| x.unwrap_or_else(nothing).to_vec(), |v| {
        Some(array(&v)).filter(|x: &[f64; 6]| !x[0].is_nan())
    };
    // Not given is an empty range.
    Option<[f64; 2]>: Shape::Numbers(2), Numbers, |x| x.unwrap_or_default().to_vec(), |v| {
        Some(array(&v)).filter(|x| *x != [0.0; 2])
    };
    Option<[f32; 2]>: Shape::Singles(2), Singles, |x| x.unwrap_or_default().to_vec(), |v| {
        Some(array(&v)).filter(|x| *x != [0.0; 2])
    };
}

macro_rules! arrays {
    ($($t:ty, $shape:ident;)*) => {$(
        impl<const N: usize> Cell for [$t; N] {
            const SHAPE: Shape = Shape::$shape(N);
            fn get(&self) -> Value {
                Value::$shape(self.to_vec())
            }
            fn put(&mut self, value: Value) -> Result<(), String> {
                if let Value::$shape(v) = value {
                    *self = array(&v);
                }
                Ok(())
            }
        }
    )*};
}
arrays! { f64, Numbers; f32, Singles; i32, Integers; }

impl<const N: usize> Cell for [String; N] {
    const SHAPE: Shape = Shape::Texts(N);
    fn get(&self) -> Value {
        Value::Texts(self.to_vec())
    }
    fn put(&mut self, value: Value) -> Result<(), String> {
        if let Value::Texts(v) = value {
            self.iter_mut().zip(v).for_each(|(to, from)| *to = from);
        }
        Ok(())
    }
}

macro_rules! enums {
    ($($t:ty: $name:literal;)*) => {$(
        impl Cell for $t {
            const SHAPE: Shape = Shape::Enum($name);
            fn get(&self) -> Value {
                Value::Integer(self.code().into())
            }
            fn put(&mut self, value: Value) -> Result<(), String> {
                if let Value::Integer(v) = value {
                    let known = i32::try_from(v).ok().and_then(Self::from_code);
                    *self = known.ok_or_else(|| format!("{v} is no value of {} that a model can have", $name))?;
                }
                Ok(())
            }
        }
    )*};
}
enums! {
    JointType: "mjtJoint"; GeomType: "mjtGeom"; MeshInertia: "mjtMeshInertia"; Projection: "mjtProjection";
    CamLight: "mjtCamLight"; LightType: "mjtLightType"; TextureType: "mjtTexture"; ColorSpace: "mjtColorSpace";
    Builtin: "mjtBuiltin"; Mark: "mjtMark"; EqType: "mjtEq"; TrnType: "mjtTrn"; DynType: "mjtDyn";
    GainType: "mjtGain"; BiasType: "mjtBias"; ObjType: "mjtObj"; SensorType: "mjtSensor"; Stage: "mjtStage";
    DataType: "mjtDataType"; SleepPolicy: "mjtSleepPolicy"; InertiaFromGeom: "mjtInertiaFromGeom";
    Scaling: "mjtScaling"; LengthRangeMode: "mjtLRMode"; Tri: "mjtLimited"; FlexSelf: "mjtFlexSelf";
    Section: "mjtFlexSection";
}

impl Cell for Conflict {
    const SHAPE: Shape = Shape::Enum("mjtConflict");
    fn get(&self) -> Value {
        Value::Integer(match self {
            Self::Warning => 0,
            Self::Merge => 1,
            Self::Error => 2,
        })
    }
    fn put(&mut self, value: Value) -> Result<(), String> {
        *self = match value {
            Value::Integer(0) => Self::Warning,
            Value::Integer(1) => Self::Merge,
            Value::Integer(2) => Self::Error,
            _ => return Err("conflict is a value of mjtConflict".into()),
        };
        Ok(())
    }
}

impl Cell for Passthrough {
    const SHAPE: Shape = Shape::Enum("mjtPassthrough");
    fn get(&self) -> Value {
        Value::Integer(i64::from(*self == Self::Textures))
    }
    fn put(&mut self, value: Value) -> Result<(), String> {
        *self = if value == Value::Integer(0) { Self::None } else { Self::Textures };
        Ok(())
    }
}
