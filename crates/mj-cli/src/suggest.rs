//! Suggestions for mistyped names.

/// Returns "; did you mean `…`?" with the known name nearest to a mistyped one; empty if none is near.
pub fn hint<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    nearest(name, known).map(|k| format!("; did you mean `{k}`?")).unwrap_or_default()
}

/// Returns the known name that the fewest edits lead to, case aside, if they are fewer than half of the name.
fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let lower = name.to_lowercase();
    // Names from a command line are short; the distance takes time proportional to the product of the lengths.
    let most = if lower.len() > 100 { return None } else { (lower.chars().count() / 3).max(1) };
    let distance = |k: &str| strsim::damerau_levenshtein(&lower, &k.to_lowercase());
    known.into_iter().map(|k| (distance(k), k)).filter(|(d, _)| *d <= most).min_by_key(|(d, _)| *d).map(|(_, k)| k)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_names_are_suggested_and_far_ones_are_not() {
        let known = ["humanoid", "quadruped", "sled"];
        assert_eq!(nearest("humanod", known), Some("humanoid"));
        assert_eq!(nearest("Hunamoid", known), Some("humanoid"));
        assert_eq!(nearest("slde", known), Some("sled"));
        assert_eq!(nearest("robot", known), None);
        assert_eq!(hint("quadrupd", known), "; did you mean `quadruped`?");
        assert_eq!(hint(&"x".repeat(1 << 20), known), "");
    }
}
