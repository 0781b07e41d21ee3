//! Measured parts of a page of the book, between markers; what stands around them is written by hand.

use crate::Result;

/// The marker at the head of a part, which names the command that writes it.
fn opening(name: &str, command: &str) -> String {
    format!("<!-- measured: {name}; by `cargo xtask {command}`, don't edit -->\n")
}

const CLOSING: &str = "<!-- end -->";

/// Returns the text between the markers of a part.
pub fn part<'a>(page: &'a str, name: &str, command: &str) -> Option<&'a str> {
    let (_, rest) = page.split_once(&opening(name, command))?;
    Some(rest.split_once(CLOSING)?.0)
}

/// The page with one part replaced.
///
/// # Errors
/// If the page has no such part.
pub fn replaced(page: &str, name: &str, command: &str, text: &str) -> Result<String> {
    let opening = opening(name, command);
    let old =
        part(page, name, command).ok_or_else(|| format!("the page lacks the markers {}…{CLOSING}", opening.trim()))?;
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
        let page = format!("a\n{}old\n{CLOSING}\nb\n{}c\n{CLOSING}\n", opening("x", "c"), opening("y", "c"));
        let new = replaced(&page, "x", "c", "\nnew\n").unwrap();
        assert_eq!(part(&new, "x", "c"), Some("\nnew\n\n"));
        assert_eq!(part(&new, "y", "c"), Some("c\n"));
        assert!(new.starts_with("a\n<!--") && new.contains("-->\nb\n<!--"), "{new}");
        assert_eq!(replaced(&new, "x", "c", "new").unwrap(), new);
        assert!(replaced(&new, "z", "c", "new").is_err() && replaced(&new, "x", "d", "new").is_err());
    }

    #[test]
    fn tables_have_a_rule_below_their_head() {
        let words = |w: &[&str]| w.iter().map(|s| s.to_string()).collect::<Vec<_>>();
        assert_eq!(table(&words(&["a", "b"]), &[words(&["1", "2"])]), "| a | b |\n| --- | --- |\n| 1 | 2 |\n");
    }
}
