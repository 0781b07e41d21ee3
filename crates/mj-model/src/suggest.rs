//! "Did you mean …?": help for names that are not there.

/// Number of single-character insertions, deletions, replacements and swaps of neighbours that turn
/// one word into another (optimal string alignment).
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut before = vec![0; b.len() + 1];
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = vec![i; b.len() + 1];
        for j in 1..=b.len() {
            let differs = usize::from(a[i - 1] != b[j - 1]);
            row[j] = (last[j] + 1).min(row[j - 1] + 1).min(last[j - 1] + differs);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                row[j] = row[j].min(before[j - 2] + 1);
            }
        }
        before = std::mem::replace(&mut last, row);
    }
    last[b.len()]
}

/// The name most like a wrong one, if any is like it: within a third of its length, case aside.
pub fn closest<'a>(wrong: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    // Nobody means a short name by a very long one.
    if wrong.len() > 64 {
        return None;
    }
    let lower = wrong.to_lowercase();
    names
        .into_iter()
        .filter(|n| n.len() <= 64)
        .map(|n| (distance(&lower, &n.to_lowercase()), n))
        .filter(|&(d, n)| d <= (wrong.chars().count().max(n.len()) / 3).max(1) && d < n.len())
        .min_by_key(|&(d, _)| d)
        .map(|(_, n)| n)
}

/// Help for a wrong name: the likely one, and all of them where they are few enough to read.
pub fn help<'a>(wrong: &str, names: impl IntoIterator<Item = &'a str>, lead: &str) -> Option<String> {
    let names: Vec<&str> = names.into_iter().collect();
    let mean = closest(wrong, names.iter().copied()).map(|n| format!("did you mean `{n}`?"));
    let mut list = String::new();
    if !names.is_empty() && names.len() <= 80 {
        list = format!("{lead} {}", names.join(", "));
    }
    match (mean, list.is_empty()) {
        (Some(mean), true) => Some(mean),
        (Some(mean), false) => Some(format!("{mean} {list}")),
        (None, true) => None,
        (None, false) => Some(list),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances() {
        for (a, b, d) in
            [("", "abc", 3), ("geom", "goem", 1), ("damping", "dampin", 1), ("kitten", "sitting", 3), ("a", "a", 0)]
        {
            assert_eq!(distance(a, b), d, "{a} {b}");
            assert_eq!(distance(b, a), d, "{b} {a}");
        }
    }

    #[test]
    fn closest_is_close() {
        let names = ["body", "geom", "joint", "site"];
        assert_eq!(closest("bdy", names), Some("body"));
        assert_eq!(closest("Site", names), Some("site"));
        assert_eq!(closest("actuator", names), None);
        assert_eq!(closest("x", names), None);
    }
}
