//! Names, numbers and warnings as text.

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

/// Returns a number of bytes as text, as `mju_writeNumBytes` does.
pub fn number_of_bytes(nbytes: u64) -> String {
    let power = if nbytes == 0 { 0 } else { (nbytes.trailing_zeros() / 10) as usize };
    format!("{}{}", nbytes >> (10 * power), ["", "K", "M", "G", "T", "P", "E"][power])
}

/// Returns the text of a warning about a number: an element, a count or a size. Programs look for `QPOS` and its like.
pub fn warning_text(warning: i32, info: u64) -> String {
    let (what, of) = match warning {
        0 => {
            return format!(
                "The inertia matrix is nearly singular, or a solution with it didn't converge, at degree of freedom \
                 {info}; check the model."
            );
        }
        1 => return format!("There is no memory for more contacts than {info}; give the model more memory."),
        2 => return format!("There is no memory for all constraints; give the model more than {info} bytes."),
        3 => ("QPOS", "DOF"),
        4 => ("QVEL", "DOF"),
        5 => ("QACC", "DOF"),
        6 => ("CTRL", "ACTUATOR"),
        _ => return format!("There is no warning {warning}."),
    };
    format!("NaN, infinite or huge value in {what} at {of} {info}: the simulation is unstable.")
}

/// The types of objects that have names.
fn names() -> impl Iterator<Item = (&'static str, i32)> {
    /// Frames exist in specifications alone.
    const FRAME: (&str, i32) = ("frame", 100);
    let types = ObjType::KEYWORDS.iter().filter(|(_, kind)| *kind != ObjType::Unknown);
    types.map(|&(name, kind)| (name, kind.code())).chain([FRAME])
}
