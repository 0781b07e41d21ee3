//! Geoms, lights and cameras of a scene: from columns of Python's, an array for each field, and back.

use super::records::unknown;
use crate::args::numbers;
use crate::kind::array_of;
use mj_model::{Column, LightType, ObjType};
use mj_scene::{EyeCamera, SceneGeom, SceneLight, SceneShape};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

/// Columns by the names of their fields.
pub type Columns<'a, 'py> = &'a Bound<'py, PyDict>;

/// A field that a column has a row of numbers for.
trait Cell<T>: Sized {
    /// Numbers in a row; 0: a single number.
    const WIDTH: usize;
    fn put(&self, row: &mut Vec<T>);
    fn take(row: &[T]) -> Self;
}

macro_rules! plain {
    ($($t:ty),*) => {$(
        impl Cell<$t> for $t {
            const WIDTH: usize = 0;
            fn put(&self, row: &mut Vec<$t>) {
                row.push(*self);
            }
            fn take(row: &[$t]) -> Self {
                row[0]
            }
        }
    )*};
}
plain!(i32, f32);

impl Cell<i32> for bool {
    const WIDTH: usize = 0;
    fn put(&self, row: &mut Vec<i32>) {
        row.push((*self).into());
    }
    fn take(row: &[i32]) -> Self {
        row[0] != 0
    }
}

impl<const N: usize> Cell<f32> for [f32; N] {
    const WIDTH: usize = N;
    fn put(&self, row: &mut Vec<f32>) {
        row.extend_from_slice(self);
    }
    fn take(row: &[f32]) -> Self {
        let mut out = [0.0; N];
        out.copy_from_slice(row);
        out
    }
}

/// Reads the column of a field into some items.
fn read<T, I, C: Cell<T>>(
    columns: Columns,
    name: &str,
    items: &mut [I],
    place: impl Fn(&mut I) -> &mut C,
) -> PyResult<()>
where
    T: crate::memory::Shareable + crate::kind::HasKind + for<'a, 'py> FromPyObject<'a, 'py>,
{
    let Some(column) = columns.get_item(name)? else {
        return Err(PyValueError::new_err(format!("the scene has no column `{name}`")));
    };
    let (_, values) = numbers::<T>(name, &column)?;
    let width = C::WIDTH.max(1);
    if values.len() != items.len() * width {
        let wanted = items.len() * width;
        return Err(PyValueError::new_err(format!("`{name}` has {} numbers, not {wanted}", values.len())));
    }
    items.iter_mut().zip(values.chunks_exact(width)).for_each(|(item, row)| *place(item) = C::take(row));
    Ok(())
}

/// Writes a field of some items as a column.
fn write<'py, T: Send, I, C: Cell<T>>(
    columns: Columns<'_, 'py>,
    name: &str,
    items: &[I],
    place: impl Fn(&I) -> &C,
    column: fn(Vec<T>) -> Column,
) -> PyResult<()> {
    let mut values = Vec::with_capacity(items.len() * C::WIDTH.max(1));
    items.iter().for_each(|item| place(item).put(&mut values));
    let shape = if C::WIDTH == 0 { vec![items.len()] } else { vec![items.len(), C::WIDTH] };
    columns.set_item(name, array_of(columns.py(), &column(values), &shape)?)
}

/// Declares how the fields of a kind of item are read and written; names of fields are those of the columns.
macro_rules! table {
    ($read:ident, $write:ident, $item:ty, ints: [$($i:ident)*], floats: [$($f:ident)*]) => {
        fn $read(columns: Columns, items: &mut [$item]) -> PyResult<()> {
            $(read::<i32, _, _>(columns, stringify!($i), items, |x| &mut x.$i)?;)*
            $(read::<f32, _, _>(columns, stringify!($f), items, |x| &mut x.$f)?;)*
            Ok(())
        }
        fn $write(columns: Columns, items: &[$item]) -> PyResult<()> {
            $(write(columns, stringify!($i), items, |x| &x.$i, Column::I32)?;)*
            $(write(columns, stringify!($f), items, |x| &x.$f, Column::F32)?;)*
            Ok(())
        }
    };
}

table!(
    read_geoms, write_geoms, SceneGeom,
    ints: [dataid objid category matid texid texuniform texcoord segid castshadow transparent],
    floats: [size pos mat rgba emission specular shininess reflectance texrepeat camdist modelrbound]
);
table!(
    read_lights, write_lights, SceneLight,
    ints: [id texid headlight castshadow],
    floats: [
        pos dir attenuation ambient diffuse specular cutoff exponent bulbradius intensity range softness
    ]
);
table!(
    read_cameras, write_cameras, EyeCamera,
    ints: [orthographic],
    floats: [
        pos forward up frustum_center frustum_width frustum_bottom frustum_top frustum_near frustum_far
    ]
);

/// Reads a column of codes.
fn codes(columns: Columns, name: &str) -> PyResult<Vec<i32>> {
    columns.get_item(name)?.map_or(Ok(Vec::new()), |column| Ok(numbers(name, &column)?.1))
}

fn codes_of(columns: Columns, name: &str, codes: Vec<i32>) -> PyResult<()> {
    let shape = [codes.len()];
    columns.set_item(name, array_of(columns.py(), &Column::I32(codes), &shape)?)
}

/// Reads geoms. Element kinds that are unknown count as none.
///
/// # Errors
/// If a column lacks, or a shape is none.
pub fn geoms(columns: Columns) -> PyResult<Vec<SceneGeom>> {
    let (shapes, kinds) = (codes(columns, "type")?, codes(columns, "objtype")?);
    let mut items = vec![SceneGeom::default(); shapes.len()];
    read_geoms(columns, &mut items)?;
    for (i, (geom, code)) in items.iter_mut().zip(shapes).enumerate() {
        let what = || unknown(&format!("`type` of geom {i} of the scene"), code.into(), "mjtGeom");
        geom.r#type = SceneShape::from_code(code).ok_or_else(what)?;
        geom.objtype = kinds.get(i).and_then(|&kind| ObjType::from_code(kind)).unwrap_or(ObjType::Unknown);
    }
    if let Some(labels) = columns.get_item("label")? {
        for (geom, label) in items.iter_mut().zip(labels.try_iter()?) {
            geom.label = crate::args::text("label", &label?)?;
        }
    }
    Ok(items)
}

/// Writes geoms. There is a column of labels if any geom has one.
///
/// # Errors
/// If there is no memory.
pub fn put_geoms(columns: Columns, items: &[SceneGeom]) -> PyResult<()> {
    write_geoms(columns, items)?;
    codes_of(columns, "type", items.iter().map(|g| g.r#type.code()).collect())?;
    codes_of(columns, "objtype", items.iter().map(|g| g.objtype.code()).collect())?;
    if items.iter().any(|g| !g.label.is_empty()) {
        columns.set_item("label", PyList::new(columns.py(), items.iter().map(|g| &g.label))?)?;
    }
    Ok(())
}

/// Reads lights.
///
/// # Errors
/// If a column lacks, or a kind is none.
pub fn lights(columns: Columns) -> PyResult<Vec<SceneLight>> {
    let kinds = codes(columns, "type")?;
    let mut items = vec![SceneLight::default(); kinds.len()];
    read_lights(columns, &mut items)?;
    for (i, (light, code)) in items.iter_mut().zip(kinds).enumerate() {
        let what = || unknown(&format!("`type` of light {i} of the scene"), code.into(), "mjtLightType");
        light.r#type = LightType::from_code(code).ok_or_else(what)?;
    }
    Ok(items)
}

/// Writes lights.
///
/// # Errors
/// If there is no memory.
pub fn put_lights(columns: Columns, items: &[SceneLight]) -> PyResult<()> {
    write_lights(columns, items)?;
    codes_of(columns, "type", items.iter().map(|l| l.r#type.code()).collect())
}

/// Reads the cameras of both eyes.
///
/// # Errors
/// If a column lacks.
pub fn cameras(columns: Columns) -> PyResult<[EyeCamera; 2]> {
    let mut items = [EyeCamera::default(); 2];
    read_cameras(columns, &mut items)?;
    Ok(items)
}

/// Writes the cameras of both eyes.
///
/// # Errors
/// If there is no memory.
pub fn put_cameras(columns: Columns, items: &[EyeCamera]) -> PyResult<()> {
    write_cameras(columns, items)
}
