//! Names, numbers and warnings as text.

use crate::text::{number_of_bytes, warning_text};
use mj_model::ObjType;
use pyo3::PyResult;

super::functions! {
    /// Returns the name of a type of object (`mjtObj`), None if there is none.
    fn mju_type2Str(r#type: i32) -> PyResult<Option<&'static str>> {
        Ok(names().find(|&(_, code)| code == r#type).map(|(name, _)| name))
    }

    /// Returns the type of object of a name (`mjtObj`), 0 if there is none.
    fn mju_str2Type(str: String) -> PyResult<i32> {
        Ok(names().find(|(name, _)| *name == str).map_or(0, |(_, code)| code))
    }

    /// Returns a number of bytes as text, with the largest of the suffixes K, M, G, T, P, E (powers of 1024) that
    /// leaves an integer.
    fn mju_writeNumBytes(nbytes: u64) -> PyResult<String> {
        Ok(number_of_bytes(nbytes))
    }

    /// Returns the text of a warning (`mjtWarning`); `info` is the number that it is about.
    fn mju_warningText(warning: i32, info: u64) -> PyResult<String> {
        Ok(warning_text(warning, info))
    }
}

/// The types of objects that have names.
fn names() -> impl Iterator<Item = (&'static str, i32)> {
    /// Frames exist in specifications alone.
    const FRAME: (&str, i32) = ("frame", 100);
    let types = ObjType::KEYWORDS.iter().filter(|(_, kind)| *kind != ObjType::Unknown);
    types.map(|&(name, kind)| (name, kind.code())).chain([FRAME])
}
