//! Numbers and warnings as text.

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
