//! The measured parts of docs/performance.md, between markers; what stands around them is written by hand.

use crate::Result;

fn opening(name: &str) -> String {
    format!("<!-- measured: {name}; by `cargo xtask bench {name}`, don't edit -->\n")
}

const CLOSING: &str = "<!-- end -->";

/// Returns the text between the markers of a part.
pub fn part<'a>(page: &'a str, name: &str) -> Option<&'a str> {
    let (_, rest) = page.split_once(&opening(name))?;
    Some(rest.split_once(CLOSING)?.0)
}

/// The page with one part replaced.
///
/// # Errors
/// If the page has no such part.
pub fn replaced(page: &str, name: &str, text: &str) -> Result<String> {
    let opening = opening(name);
    let old = part(page, name).ok_or_else(|| format!("the page lacks the markers {}…{CLOSING}", opening.trim()))?;
    Ok(page.replacen(&format!("{opening}{old}"), &format!("{opening}\n{}\n\n", text.trim()), 1))
}

/// A table in Markdown.
pub fn table<R: AsRef<[String]>>(head: &[String], rows: &[R]) -> String {
    let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
    let mut text = line(head) + &line(&vec!["---".to_string(); head.len()]);
    rows.iter().for_each(|row| text += &line(row.as_ref()));
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_part_is_replaced_and_prose_stays() {
        let page = format!("a\n{}old\n{CLOSING}\nb\n{}c\n{CLOSING}\n", opening("x"), opening("y"));
        let new = replaced(&page, "x", "\nnew\n").unwrap();
        assert_eq!(part(&new, "x"), Some("\nnew\n\n"));
        assert_eq!(part(&new, "y"), Some("c\n"));
        assert!(new.starts_with("a\n<!--") && new.contains("-->\nb\n<!--"), "{new}");
        assert_eq!(replaced(&new, "x", "new").unwrap(), new);
        assert!(replaced(&new, "z", "new").is_err());
    }

    #[test]
    fn tables_have_a_rule_below_their_head() {
        let words = |w: &[&str]| w.iter().map(|s| s.to_string()).collect::<Vec<_>>();
        assert_eq!(table(&words(&["a", "b"]), &[words(&["1", "2"])]), "| a | b |\n| --- | --- |\n| 1 | 2 |\n");
    }

    /// The page in the repository has every part, and a table in each.
    #[test]
    fn the_page_is_complete() {
        let page = std::fs::read_to_string(crate::root().join("docs/performance.md")).unwrap();
        for section in super::super::Section::ALL {
            let name = section.name();
            assert!(part(&page, name).is_some_and(|t| t.contains("| --- |")), "{name}");
        }
    }
}
