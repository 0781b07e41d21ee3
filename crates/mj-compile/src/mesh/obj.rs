//! Wavefront OBJ files: vertices, normals, texture coordinates, and the faces of the first object that has any. Faces of
//! more than three corners are cut into triangles.

use super::soup::Soup;

/// References of a corner of a face: its vertex, and its texture coordinates and normal if it has them.
type Corner = [Option<u32>; 3];

/// Reads a file.
pub(crate) fn read(bytes: &[u8]) -> Result<Soup, String> {
    let text = String::from_utf8_lossy(bytes);
    let mut soup = Soup::default();
    let mut corners: Vec<Corner> = Vec::new();
    let mut closed = false;
    // A backslash at the end joins a line to the next.
    let joined = text.contains("\\\n").then(|| text.replace("\\\n", " "));
    for (i, line) in joined.as_deref().unwrap_or(&text).lines().enumerate() {
        let mut words = line.split_ascii_whitespace();
        let told = |e: String| format!("line {}: {e}", i + 1);
        match words.next() {
            Some("v") => soup.vert.push(numbers(&mut words).map_err(told)?),
            Some("vn") => soup.normal.push(numbers(&mut words).map_err(told)?),
            // The other way up: images have their first row at the top.
            Some("vt") => soup.texcoord.push(numbers(&mut words).map(|[u, v]| [u, 1.0 - v]).map_err(told)?),
            Some("o" | "g") => closed = !soup.face.is_empty(),
            Some("f") if !closed => {
                corners.clear();
                let counts = [soup.vert.len(), soup.texcoord.len(), soup.normal.len()];
                for word in words.take_while(|w| !w.starts_with('#')) {
                    corners.push(corner(word, counts).map_err(told)?);
                }
                triangulate(&mut soup, &corners);
            }
            Some("l") if !closed => {
                let counts = [soup.vert.len(), soup.texcoord.len(), soup.normal.len()];
                let ends: Result<Vec<Corner>, String> = words.map(|w| corner(w, counts)).collect();
                let ends = ends.map_err(told)?;
                soup.line.extend(ends.windows(2).filter_map(|p| Some([p[0][0]?, p[1][0]?])));
            }
            _ => {}
        }
    }
    check(soup)
}

fn numbers<'a, const N: usize>(words: &mut impl Iterator<Item = &'a str>) -> Result<[f32; N], String> {
    let mut out = [0.0; N];
    for x in &mut out {
        let word = words.next().unwrap_or_default();
        *x = word.parse::<f64>().map_err(|_| format!("`{word}` is not a coordinate"))? as f32;
    }
    Ok(out)
}

/// Reads `v`, `v/t`, `v//n` or `v/t/n`. Numbers count from 1, or from the last so far backwards.
fn corner(word: &str, counts: [usize; 3]) -> Result<Corner, String> {
    let mut out = [None; 3];
    let mut parts = word.split('/');
    for (k, (to, part)) in out.iter_mut().zip(&mut parts).enumerate() {
        if part.is_empty() && k > 0 {
            continue;
        }
        let number: i64 = part.parse().unwrap_or(0);
        let index = if number > 0 { number - 1 } else { counts[k] as i64 + number };
        let index = u32::try_from(index).ok().filter(|&i| number != 0 && i < u32::MAX);
        *to = Some(index.ok_or_else(|| format!("`{word}` is not a vertex of a face"))?);
    }
    if parts.next().is_some() { Err(format!("`{word}` is not a vertex of a face")) } else { Ok(out) }
}

/// Value of an index that was not given: no list is so long.
const ABSENT: u32 = u32::MAX;

fn push(soup: &mut Soup, triangle: [Corner; 3]) {
    let part = |k: usize| triangle.map(|c: Corner| c[k].unwrap_or(ABSENT));
    soup.face.push(part(0));
    soup.facetexcoord.push(part(1));
    soup.facenormal.push(part(2));
}

/// Cuts a polygon: a quad along its shorter diagonal, more corners as a fan.
fn triangulate(soup: &mut Soup, corners: &[Corner]) {
    if let &[a, b, c, d] = corners {
        let between = |i: Corner, j: Corner| {
            let at = |i: Corner| i[0].and_then(|i| soup.vert.get(i as usize)).copied().unwrap_or_default();
            let (p, q) = (at(i), at(j));
            (0..3).map(|k| (p[k] - q[k]) * (p[k] - q[k])).sum::<f32>()
        };
        let cut = if between(a, c) <= between(b, d) { [[a, b, c], [a, c, d]] } else { [[a, b, d], [b, c, d]] };
        cut.into_iter().for_each(|t| push(soup, t));
        return;
    }
    for pair in corners.windows(2).skip(1) {
        push(soup, [corners[0], pair[0], pair[1]]);
    }
}

/// Everything that faces refer to must be there; texture coordinates that only some have are of no use.
fn check(mut soup: Soup) -> Result<Soup, String> {
    let beyond = |list: &[[u32; 3]], count: usize| list.iter().flatten().copied().find(|&v| v as usize >= count);
    if let Some(v) = beyond(&soup.face, soup.vert.len()) {
        return Err(format!("a face has vertex {}, but there are only {}", u64::from(v) + 1, soup.vert.len()));
    }
    if beyond(&soup.facetexcoord, soup.texcoord.len()).is_some() {
        soup.texcoord.clear();
    }
    if soup.texcoord.is_empty() {
        soup.facetexcoord.clear();
    }
    if soup.normal.is_empty() {
        soup.facenormal.clear();
    }
    if let Some(v) = soup.line.as_flattened().iter().find(|&&v| v as usize >= soup.vert.len()) {
        return Err(format!("a line has vertex {}, but there are only {}", u64::from(*v) + 1, soup.vert.len()));
    }
    match beyond(&soup.facenormal, soup.normal.len()) {
        None => Ok(soup),
        Some(ABSENT) => Err("it has normals, but not every face says which".into()),
        Some(n) => Err(format!("a face has normal {}, but there are only {}", u64::from(n) + 1, soup.normal.len())),
    }
}
