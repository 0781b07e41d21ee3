//! STL files: binary, and text.

use super::soup::{Bytes, Soup};

/// Header of a binary file, with the number of triangles at its end.
const HEADER: usize = 84;
/// A triangle of a binary file: normal, corners, two bytes of attributes.
const TRIANGLE: usize = 50;

/// Reads a file; vertices that coincide are united.
pub(crate) fn read(bytes: &[u8]) -> Result<Soup, String> {
    let binary = binary(bytes);
    let mut soup = match binary {
        Err(_) if is_text(bytes) => text(bytes)?,
        other => other?,
    };
    soup.weld();
    Ok(soup)
}

fn binary(bytes: &[u8]) -> Result<Soup, String> {
    let mut data = Bytes(bytes);
    let count = data.skip(HEADER - 4).and_then(|()| data.int());
    let Some(count) = count else {
        return Err(format!("an STL file starts with {HEADER} bytes, but there are only {}", bytes.len()));
    };
    let count = count as u32 as usize;
    let wanted = count.saturating_mul(TRIANGLE).saturating_add(HEADER);
    if count == 0 || wanted != bytes.len() {
        return Err(format!(
            "an STL file of {count} triangles has {wanted} bytes, but this one has {}: it is cut off, or not binary",
            bytes.len()
        ));
    }
    let mut soup = Soup::default();
    for _ in 0..count {
        let corners = (|| {
            data.skip(12)?;
            let corners = [data.point()?, data.point()?, data.point()?];
            data.skip(2)?;
            Some(corners)
        })();
        push(&mut soup, corners.ok_or("the file is cut off")?);
    }
    Ok(soup)
}

fn push(soup: &mut Soup, corners: [[f32; 3]; 3]) {
    let first = soup.vert.len() as u32;
    soup.vert.extend(corners);
    soup.face.push([first, first + 1, first + 2]);
}

/// Whether a file looks like text: a binary header may start with `solid` too.
fn is_text(bytes: &[u8]) -> bool {
    let start = bytes.trim_ascii_start();
    start.starts_with(b"solid") && start.iter().take(1000).all(u8::is_ascii) && contains(start, b"facet")
}

fn contains(text: &[u8], word: &[u8]) -> bool {
    text.windows(word.len()).take(100_000).any(|w| w == word)
}

fn text(bytes: &[u8]) -> Result<Soup, String> {
    let text = String::from_utf8_lossy(bytes);
    let mut words = text.split_ascii_whitespace();
    let mut soup = Soup::default();
    let mut corners = Vec::new();
    while let Some(word) = words.next() {
        match word {
            "vertex" => {
                let mut point = [0.0; 3];
                for x in &mut point {
                    let word = words.next().ok_or("the file is cut off")?;
                    *x = word.parse().map_err(|_| format!("`{word}` is not a coordinate"))?;
                }
                corners.push(point);
            }
            "endloop" => {
                let &[a, b, c] = &corners[..] else {
                    return Err(format!("a facet has {} corners instead of 3", corners.len()));
                };
                push(&mut soup, [a, b, c]);
                corners.clear();
            }
            _ => {}
        }
    }
    if soup.face.is_empty() || !corners.is_empty() {
        return Err("the STL text has no complete facet".into());
    }
    Ok(soup)
}
