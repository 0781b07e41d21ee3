//! MSH files: four counts, then vertices, normals, texture coordinates and triangles.

use super::soup::{Bytes, Soup, corners};

/// Reads a file.
pub(crate) fn read(bytes: &[u8]) -> Result<Soup, String> {
    let mut data = Bytes(bytes);
    let counts = (|| Some([data.int()?, data.int()?, data.int()?, data.int()?]))();
    let counts = counts.ok_or("an MSH file starts with 16 bytes of counts")?;
    let [nvert, nnormal, ntexcoord, nface] = counts.map(i64::from);
    let optional = |n: i64| n == 0 || n == nvert;
    if nvert < 4 || nface < 0 || !optional(nnormal) || !optional(ntexcoord) {
        return Err(format!(
            "{nvert} vertices, {nnormal} normals, {ntexcoord} texture coordinates and {nface} faces do not go together: \
             it takes 4 vertices, and normals and texture coordinates for all or none"
        ));
    }
    let wanted = 16 + 12 * (nvert + nnormal + nface) + 8 * ntexcoord;
    if wanted != bytes.len() as i64 {
        return Err(format!("by its counts the MSH file has {wanted} bytes, but there are {}", bytes.len()));
    }
    let cut = "the file is cut off";
    let mut soup = Soup::default();
    for _ in 0..nvert {
        soup.vert.push(data.point().ok_or(cut)?);
    }
    for _ in 0..nnormal {
        soup.normal.push(data.point().ok_or(cut)?);
    }
    for _ in 0..ntexcoord {
        soup.texcoord.push([data.float().ok_or(cut)?, data.float().ok_or(cut)?]);
    }
    for i in 0..nface {
        let three = (|| Some([data.int()?, data.int()?, data.int()?]))().ok_or(cut)?;
        soup.face.push(corners(three, i as usize, soup.vert.len())?);
    }
    Ok(soup)
}
