//! Wavefront OBJ files: their vertices and faces. Faces of more than three corners are cut into triangles.

use super::soup::Soup;

/// Reads a file.
pub(crate) fn read(bytes: &[u8]) -> Result<Soup, String> {
    let text = String::from_utf8_lossy(bytes);
    let mut soup = Soup::default();
    let mut corners: Vec<u32> = Vec::new();
    // A backslash at the end joins a line to the next.
    let joined = text.contains("\\\n").then(|| text.replace("\\\n", " "));
    for (i, line) in joined.as_deref().unwrap_or(&text).lines().enumerate() {
        let mut words = line.split_ascii_whitespace();
        let wrong = |what: &str, word: &str| format!("line {}: `{word}` is not {what}", i + 1);
        match words.next() {
            Some("v") => {
                let mut point = [0.0; 3];
                for x in &mut point {
                    let word = words.next().unwrap_or_default();
                    *x = word.parse::<f64>().map_err(|_| wrong("a coordinate", word))? as f32;
                }
                soup.vert.push(point);
            }
            Some("f") => {
                corners.clear();
                for word in words.take_while(|w| !w.starts_with('#')) {
                    let number = word.split('/').next().unwrap_or_default();
                    let index: i64 = number.parse().map_err(|_| wrong("a vertex of a face", word))?;
                    // Counted from 1, or from the last vertex so far backwards.
                    let count = soup.vert.len() as i64;
                    let vertex = if index > 0 { index - 1 } else { count + index };
                    if index == 0 || vertex < 0 || vertex >= i64::from(u32::MAX) {
                        return Err(wrong("a vertex of a face", word));
                    }
                    corners.push(vertex as u32);
                }
                triangulate(&mut soup, &corners);
            }
            _ => {}
        }
    }
    let count = soup.vert.len();
    match soup.face.iter().flatten().find(|&&v| v as usize >= count) {
        Some(v) => Err(format!("a face has vertex {}, but there are only {count}", v + 1)),
        None => Ok(soup),
    }
}

/// Cuts a polygon: a quad along its shorter diagonal, more corners as a fan.
fn triangulate(soup: &mut Soup, corners: &[u32]) {
    if let &[a, b, c, d] = corners {
        let between = |i: u32, j: u32| {
            let at = |i: u32| soup.vert.get(i as usize).copied().unwrap_or_default();
            let (p, q) = (at(i), at(j));
            (0..3).map(|k| (p[k] - q[k]) * (p[k] - q[k])).sum::<f32>()
        };
        if between(a, c) <= between(b, d) {
            soup.face.extend([[a, b, c], [a, c, d]]);
        } else {
            soup.face.extend([[a, b, d], [b, c, d]]);
        }
        return;
    }
    for pair in corners.windows(2).skip(1) {
        soup.face.push([corners[0], pair[0], pair[1]]);
    }
}
