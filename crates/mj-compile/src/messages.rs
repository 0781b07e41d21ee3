//! How messages name elements.

/// Names an element: its kind, and its name if it has one.
pub(crate) fn describe(kind: &str, name: &str) -> String {
    if name.is_empty() { kind.to_string() } else { format!("{kind} `{name}`") }
}
