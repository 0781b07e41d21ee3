//! The types of values that stand in tables: numbers, ids, vectors, arrays.

use super::binary::{Rows, Stored};
use super::cell::{Cell, scalar_cell};
use super::source::{Result, Source};
use crate::ids::*;
use mj_math::{DMat3, DQuat, DVec3, Inertia, Spatial, quat};

macro_rules! stored_scalar {
    ($($t:ty => $number:ty, $conv:expr, $take:expr, $set:expr);* $(;)?) => {$(
        impl Stored for $t {
            fn take(from: &mut Source) -> Result<Self> {
                let take: fn(&mut Source) -> Result<$t> = $take;
                take(from)
            }
        }
        scalar_cell!($t => $number, $conv, editable true, $set);
    )*};
}

stored_scalar! {
    f64 => f64, |x| *x, |s| s.bytes().map(f64::from_le_bytes), Some;
    f32 => f32, |x| *x, |s| s.bytes().map(f32::from_le_bytes), Some;
    i32 => i32, |x| *x, |s| s.bytes().map(i32::from_le_bytes), Some;
    u32 => i32, |x| i32::try_from(*x).unwrap_or(i32::MAX), |s| s.number(), |x| u32::try_from(x).ok();
    u8 => u8, |x| *x, |s| s.bytes().map(|[x]| x), Some;
    bool => bool, |x| *x, |s| s.truth(), Some;
}

macro_rules! id_cell {
    ($($t:ident $rows:ident),* $(,)?) => {$(
        scalar_cell!(
            $t => i32, |x| i32::try_from(x.index()).unwrap_or(i32::MAX),
            editable false, |i| usize::try_from(i).ok().map($t::new)
        );
        scalar_cell!(
            Option<$t> => i32, |x| x.map_or(-1, |x| i32::try_from(x.index()).unwrap_or(i32::MAX)),
            editable false, |i| if i == -1 { Some(None) } else { usize::try_from(i).ok().map(|i| Some($t::new(i))) }
        );

        impl Stored for $t {
            fn take(from: &mut Source) -> Result<Self> {
                from.number().map(|i| Self::new(i as usize))
            }
            fn limit(rows: &Rows) -> usize {
                rows.$rows
            }
            fn reach(&self) -> usize {
                self.index() + 1
            }
        }

        impl Stored for Option<$t> {
            fn take(from: &mut Source) -> Result<Self> {
                from.optional().map(|i| i.map($t::new))
            }
            fn limit(rows: &Rows) -> usize {
                rows.$rows
            }
            fn reach(&self) -> usize {
                self.map_or(0, |i| i.index() + 1)
            }
        }
    )*};
}

id_cell!(
    BodyId body,
    JointId jnt,
    DofId dof,
    TreeId tree,
    GeomId geom,
    SiteId site,
    CameraId cam,
    LightId light,
    MeshId mesh,
    HfieldId hfield,
    SkinId skin,
    BoneId bone,
    FlexId flex,
    FlexEdgeId flexedge,
    TextureId tex,
    MaterialId mat,
    PairId pair,
    ExcludeId exclude,
    EqualityId eq,
    TendonId tendon,
    WrapId wrap,
    ActuatorId actuator,
    ControlId control,
    OutputId output,
    SensorId sensor,
    NumericId numeric,
    TextId text,
    TupleId tuple,
    TupleItemId tuple_item,
    KeyId key,
    MocapId mocap,
    PluginId plugin
);

macro_rules! vector_cell {
    ($($t:ty, $n:literal, $conv:expr $(, $set:expr)?);* $(;)?) => {$(
        impl Cell for $t {
            type Number = f64;
            const SHAPE: &'static [usize] = &[$n];
            const WIDTH: usize = $n;
            $(const EDITABLE: bool = { let _: fn(&[f64; $n]) -> $t = $set; true };)?
            #[inline]
            fn write(&self, out: &mut [f64]) {
                let convert: fn(&$t) -> [f64; $n] = $conv;
                out.copy_from_slice(&convert(self));
            }
            $(
                #[inline]
                fn set(&mut self, numbers: &[f64]) -> bool {
                    let convert: fn(&[f64; $n]) -> $t = $set;
                    numbers.first_chunk().map(|x| *self = convert(x)).is_some()
                }
            )?
        }
    )*};
}

vector_cell! {
    DVec3, 3, |x| x.to_array(), |x| DVec3::from_array(*x);
    DQuat, 4, |x| quat::to_wxyz(*x), |x| quat::from_wxyz(*x);
    DMat3, 9, |x| x.transpose().to_cols_array(), |x| DMat3::from_cols_array(x).transpose();
    Spatial, 6, |x| x.to_array(), |x| Spatial::from_slice(x);
    Inertia, 10, |x| x.to_array();
}

/// Shape of an array cell of `N` entries.
struct ArrayShape<const N: usize>;
impl<const N: usize> ArrayShape<N> {
    const SHAPE: &'static [usize] = &[N];
}

impl Stored for DVec3 {
    fn take(from: &mut Source) -> Result<Self> {
        <[f64; 3]>::take(from).map(Self::from_array)
    }
}

impl Stored for DQuat {
    fn take(from: &mut Source) -> Result<Self> {
        <[f64; 4]>::take(from).map(quat::from_wxyz)
    }
}

impl Stored for DMat3 {
    fn take(from: &mut Source) -> Result<Self> {
        <[f64; 9]>::take(from).map(|a| Self::from_cols_array(&a).transpose())
    }
}

impl<T: Stored, const N: usize> Stored for [T; N]
where
    [T; N]: Default,
{
    fn take(from: &mut Source) -> Result<Self> {
        let mut out = Self::default();
        for x in &mut out {
            *x = T::take(from)?;
        }
        Ok(out)
    }
    fn limit(rows: &Rows) -> usize {
        T::limit(rows)
    }
    fn reach(&self) -> usize {
        self.iter().map(T::reach).max().unwrap_or(0)
    }
}

impl<T: Cell, const N: usize> Cell for [T; N]
where
    [T; N]: Default,
{
    type Number = T::Number;
    const SHAPE: &'static [usize] = ArrayShape::<N>::SHAPE;
    const WIDTH: usize = N * T::WIDTH;
    const EDITABLE: bool = T::EDITABLE;
    #[inline]
    fn write(&self, out: &mut [T::Number]) {
        for (x, out) in self.iter().zip(out.chunks_exact_mut(T::WIDTH)) {
            x.write(out);
        }
    }
    #[inline]
    fn set(&mut self, numbers: &[T::Number]) -> bool {
        self.iter_mut().zip(numbers.chunks_exact(T::WIDTH)).all(|(x, numbers)| x.set(numbers))
    }
}
