//! Rust text cut into words and signs, without comments, literals, and code for tests.

/// A word or a sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token<'a> {
    /// Its text; `::` is one sign, every other sign one character.
    pub text: &'a str,
}

impl Token<'_> {
    /// Whether it is a name or a keyword.
    pub fn is_word(&self) -> bool {
        self.text.starts_with(|c: char| c == '_' || c.is_alphabetic())
    }

    /// Whether a path of names may start with it.
    pub fn is_path_start(&self) -> bool {
        self.is_word() && !KEYWORDS.contains(&self.text)
    }
}

/// Keywords that aren't the first name of a path.
const KEYWORDS: &[&str] = &[
    "as", "async", "await", "break", "const", "continue", "dyn", "else", "enum", "extern", "fn", "for", "if", "impl",
    "in", "let", "loop", "match", "mod", "move", "mut", "pub", "ref", "return", "static", "struct", "trait", "type",
    "unsafe", "use", "where", "while",
];

/// The words and signs of a text.
pub fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut out = Vec::new();
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        let rest = &text[at..];
        let length = skipped(rest, c).unwrap_or_else(|| {
            let length = if c == '_' || c.is_alphanumeric() {
                rest.find(|c: char| c != '_' && !c.is_alphanumeric()).unwrap_or(rest.len())
            } else if rest.starts_with("::") {
                2
            } else {
                c.len_utf8()
            };
            out.push(Token { text: &rest[..length] });
            length
        });
        at += length;
    }
    without_tests(&out)
}

/// Bytes of the space, comment, string or character that a text starts with.
fn skipped(rest: &str, c: char) -> Option<usize> {
    let until = |from: usize, end: &str| rest[from..].find(end).map_or(rest.len(), |i| from + i + end.len());
    if c.is_whitespace() {
        return Some(c.len_utf8());
    }
    if rest.starts_with("//") {
        return Some(until(2, "\n"));
    }
    if rest.starts_with("/*") {
        return Some(until(2, "*/"));
    }
    let raw = rest.strip_prefix("br").or_else(|| rest.strip_prefix('r'));
    if let Some(raw) = raw
        && raw.trim_start_matches('#').starts_with('"')
    {
        let hashes = raw.len() - raw.trim_start_matches('#').len();
        let start = rest.len() - raw.len() + hashes + 1;
        return Some(until(start, &format!("\"{}", "#".repeat(hashes))));
    }
    let start = usize::from(c == 'b');
    match rest[start..].chars().next()? {
        '"' => Some(quoted(rest, start, '"')),
        '\'' => {
            // A character, not a lifetime: it ends after one character, or starts with a backslash.
            let mut next = rest[start + 1..].chars();
            let escaped = next.next()? == '\\';
            (escaped || next.next() == Some('\'')).then(|| quoted(rest, start, '\''))
        }
        _ => None,
    }
}

/// Bytes up to the end of a literal in quotes that open at byte `start`.
fn quoted(rest: &str, start: usize, quote: char) -> usize {
    let mut escaped = false;
    for (i, c) in rest.char_indices().skip_while(|(i, _)| *i <= start) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            _ if c == quote => return i + 1,
            _ => {}
        }
    }
    rest.len()
}

/// Leaves out the items under `#[cfg(test)]` and `#[cfg(all(test, …))]`.
fn without_tests<'a>(tokens: &[Token<'a>]) -> Vec<Token<'a>> {
    let mut out = Vec::new();
    let mut i = 0;
    while i < tokens.len() {
        let is = |from: usize, signs: &[&str]| {
            tokens.get(from..from + signs.len()).is_some_and(|t| t.iter().map(|t| t.text).eq(signs.iter().copied()))
        };
        let tests =
            is(i, &["#", "[", "cfg", "(", "test", ")", "]"]) || is(i, &["#", "[", "cfg", "(", "all", "(", "test"]);
        if !tests {
            out.push(tokens[i]);
            i += 1;
            continue;
        }
        i = attribute_end(tokens, i);
        while is(i, &["#", "["]) {
            i = attribute_end(tokens, i);
        }
        let mut depth = 0_usize;
        while let Some(token) = tokens.get(i) {
            match token.text {
                "{" | "(" | "[" => depth += 1,
                // The end of what holds the item: a field's, or an argument's.
                "}" | ")" | "]" if depth == 0 => break,
                "}" | ")" | "]" => depth -= 1,
                _ => {}
            }
            i += 1;
            if depth == 0 && matches!(token.text, "}" | ";" | ",") {
                break;
            }
        }
    }
    out
}

fn attribute_end(tokens: &[Token], start: usize) -> usize {
    let mut depth = 0;
    for (i, token) in tokens.iter().enumerate().skip(start + 1) {
        match token.text {
            "[" => depth += 1,
            "]" => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return i + 1;
        }
    }
    tokens.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(source: &str) -> String {
        tokens(source).iter().map(|t| t.text).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn comments_and_literals_are_left_out() {
        assert_eq!(text("a::b /* c */ + \"d \\\" e\" // f\n 'g' '\\'' b'x' r#\"h \" i\"# br\"j\""), "a :: b +");
        assert_eq!(text("fn f<'a>(x: &'a str, r: b) {}"), "fn f < ' a > ( x : & ' a str , r : b ) { }");
    }

    #[test]
    fn code_for_tests_is_left_out() {
        assert_eq!(
            text("#[cfg(test)]\nmod a;\nmod b;\n#[cfg(test)] #[x] fn f() -> [u8; 2] { g() }\nfn h() {}"),
            "mod b ; fn h ( ) { }"
        );
        assert_eq!(text("struct S { #[cfg(test)] a: [u8; 3], b: u8, #[cfg(test)] c: u8 }"), "struct S { b : u8 , }");
        assert_eq!(text("#[cfg(not(test))] mod a;"), "# [ cfg ( not ( test ) ) ] mod a ;");
    }
}
