//! Objects in JSON.

use std::fmt::Write;

/// Object in JSON that grows.
#[derive(Clone, Debug, Default)]
pub struct Object(String);

impl Object {
    /// Appends an entry whose value is JSON.
    pub fn raw(mut self, key: &str, value: &str) -> Self {
        let comma = if self.0.is_empty() { "" } else { "," };
        // Writing into a text doesn't fail.
        let _ = write!(self.0, "{comma}\"{key}\":{value}");
        self
    }

    /// Appends a whole number.
    pub fn int(self, key: &str, value: impl Into<i64>) -> Self {
        self.raw(key, &value.into().to_string())
    }

    /// Appends a number.
    pub fn real(self, key: &str, value: impl Into<f64>) -> Self {
        self.raw(key, &number(value.into()))
    }

    /// Appends numbers.
    pub fn reals(self, key: &str, values: &[f32]) -> Self {
        self.raw(key, &list(values.iter().map(|x| number_single(*x))))
    }

    /// Appends a truth value.
    pub fn flag(self, key: &str, value: bool) -> Self {
        self.int(key, value)
    }

    /// Appends a text.
    pub fn text(self, key: &str, value: &str) -> Self {
        self.raw(key, &quoted(value))
    }

    /// Returns the text.
    pub fn finish(self) -> String {
        format!("{{{}}}", self.0)
    }
}

/// Returns a list of values that are JSON.
pub fn list(values: impl Iterator<Item = String>) -> String {
    format!("[{}]", values.collect::<Vec<_>>().join(","))
}

/// Returns a text in JSON, with no character that means something in HTML.
pub fn quoted(text: &str) -> String {
    let mut out = String::from('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            '<' | '>' | '&' | '\u{2028}' | '\u{2029}' => out.push_str(&format!("\\u{:04x}", c as u32)),
            c if c.is_control() => out.push_str(&format!("\\u{:04x}", c as u32)),
            c => out.push(c),
        }
    }
    out + "\""
}

/// Returns a number; JSON has none that is not finite.
fn number(x: f64) -> String {
    if x.is_finite() { x.to_string() } else { "0".into() }
}

fn number_single(x: f32) -> String {
    if x.is_finite() { x.to_string() } else { "0".into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_end_no_script() {
        assert_eq!(quoted("a</script>\"\\\n"), r#""a\u003c/script\u003e\"\\\u000a""#);
        assert_eq!(Object::default().int("a", 1).real("b", f64::NAN).finish(), r#"{"a":1,"b":0}"#);
    }
}
