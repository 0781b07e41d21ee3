//! Lines, links and anchors of pages in Markdown.

/// Kinds of lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Prose, headings, lists.
    Text,
    /// A row of a table, or a picture.
    Figure,
    /// Code, fenced or indented.
    Code,
}

/// Returns the lines of a page with their kinds.
pub fn lines(page: &str) -> Vec<(Kind, &str)> {
    let mut fence: Option<&str> = None;
    let kind = |line: &str, fence: &mut Option<&'static str>| {
        let start = line.trim_start();
        let mark = ["```", "~~~"].into_iter().find(|m| start.starts_with(m));
        match (*fence, mark) {
            (None, Some(m)) => *fence = Some(m),
            (Some(open), Some(m)) if open == m && start.trim_end().bytes().all(|b| b == m.as_bytes()[0]) => {
                *fence = None
            }
            (None, None) if line.starts_with("    ") => {}
            (None, None) if start.starts_with('|') || start.starts_with("![") => return Kind::Figure,
            (None, None) => return Kind::Text,
            _ => {}
        }
        Kind::Code
    };
    page.lines().map(|line| (kind(line, &mut fence), line)).collect()
}

/// Returns the places of the targets of links and pictures in a line; what stands in spans of code is none.
pub fn links(line: &str) -> Vec<std::ops::Range<usize>> {
    let mut out = Vec::new();
    let mut code = false;
    for (at, c) in line.char_indices() {
        code ^= c == '`';
        if !code && line[at..].starts_with("](") {
            let start = at + 2;
            if let Some(len) = line[start..].find(')') {
                out.push(start..start + len);
            }
        }
    }
    out
}

/// Returns a page with its links replaced, where `replace` has something else for them.
pub fn relinked(page: &str, replace: &dyn Fn(&str) -> Option<String>) -> String {
    let mut out = String::with_capacity(page.len());
    for (kind, line) in lines(page) {
        let mut done = 0;
        for place in if kind == Kind::Code { Vec::new() } else { links(line) } {
            out += &line[done..place.start];
            out += &replace(&line[place.clone()]).unwrap_or_else(|| line[place.clone()].to_string());
            done = place.end;
        }
        out += &line[done..];
        out.push('\n');
    }
    out
}

/// Returns the anchors of a page's headings.
pub fn anchors(page: &str) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    for (kind, line) in lines(page) {
        let Some(heading) = (kind == Kind::Text).then(|| heading(line)).flatten() else { continue };
        let name = anchor(heading);
        let same = out.iter().filter(|a| **a == name).count();
        out.push(if same == 0 { name } else { format!("{name}-{same}") });
    }
    out
}

fn heading(line: &str) -> Option<&str> {
    let text = line.trim_start_matches('#');
    let level = line.len() - text.len();
    ((1..=6).contains(&level) && text.starts_with(' ')).then(|| text.trim())
}

/// Returns the anchor of a heading, as GitHub and mdBook form it.
fn anchor(heading: &str) -> String {
    let mut text = heading.to_string();
    for place in links(heading).into_iter().rev() {
        text.replace_range(place.start - 1..place.end + 1, "");
    }
    let form = |c: char| match c {
        c if c.is_whitespace() => Some('-'),
        c if c.is_alphanumeric() || c == '-' || c == '_' => Some(c),
        _ => None,
    };
    text.to_lowercase().chars().filter_map(form).collect()
}

/// Returns the path from the root that a link of a page leads to, and its anchor; nothing for addresses.
pub fn target<'a>(page: &str, link: &'a str) -> Option<(String, Option<&'a str>)> {
    if link.contains("://") || link.starts_with("mailto:") {
        return None;
    }
    let (path, anchor) = link.split_once('#').map_or((link, None), |(path, anchor)| (path, Some(anchor)));
    if path.is_empty() {
        return Some((page.to_string(), anchor));
    }
    let mut parts: Vec<&str> = page.split('/').collect();
    parts.pop();
    for part in path.split('/') {
        match part {
            "." | "" => {}
            ".." => _ = parts.pop(),
            name => parts.push(name),
        }
    }
    Some((parts.join("/"), anchor))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_tables_and_pictures_are_told_from_text() {
        let page = "a\n```rust\n| b\n```\n    code\n| t |\n![p](p.png)\n~~~\n```\n~~~\nb";
        use Kind::{Code, Figure, Text};
        let kinds: Vec<_> = lines(page).into_iter().map(|(kind, _)| kind).collect();
        assert_eq!(kinds, [Text, Code, Code, Code, Code, Figure, Figure, Code, Code, Code, Text]);
    }

    #[test]
    fn links_are_found_and_replaced_outside_of_code() {
        let line = "see [`a`](x.md#b), `[c](y)` and ![d](z.png)";
        let found: Vec<&str> = links(line).into_iter().map(|place| &line[place]).collect();
        assert_eq!(found, ["x.md#b", "z.png"]);
        let page = "[a](x)\n```\n[a](x)\n```\n";
        assert_eq!(relinked(page, &|_| Some("y".into())), "[a](y)\n```\n[a](x)\n```\n");
        assert_eq!(relinked(page, &|_| None), page);
    }

    #[test]
    fn anchors_are_those_of_the_web_site() {
        let page = "# The c frame\n## `A` and [b](c.md)!\n### The c frame\n```\n# no\n```\n#no\n## Step, two";
        assert_eq!(anchors(page), ["the-c-frame", "a-and-b", "the-c-frame-1", "step-two"]);
    }

    #[test]
    fn targets_are_paths_from_the_root() {
        let of = |link| target("docs/a/b.md", link).map(|(path, anchor)| (path, anchor.map(str::to_string)));
        assert_eq!(of("../c.md#d"), Some(("docs/c.md".into(), Some("d".into()))));
        assert_eq!(of("#d"), Some(("docs/a/b.md".into(), Some("d".into()))));
        assert_eq!(of("./x/y.png"), Some(("docs/a/x/y.png".into(), None)));
        assert_eq!(of("../../README.md"), Some(("README.md".into(), None)));
        assert_eq!(of("https://x.org/a.md"), None);
    }
}
