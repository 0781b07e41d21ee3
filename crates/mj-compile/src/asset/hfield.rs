//! Height fields: from images, binary files or lists of elevations to numbers between 0 and 1.

use crate::asset::image;
use crate::context::Context;
use crate::mesh::Bytes;
use crate::messages::describe;
use mj_model::Model;
use mj_model::ObjType;
use mj_model::model::HfieldRow;
use mj_model::spec::Hfield;

/// The most elevations of a height field: more is taken for a slip.
const MOST: usize = 1 << 26;

/// Writes height fields and makes their names known.
pub(crate) fn write(cx: &mut Context, m: &mut Model) {
    let spec = cx.spec;
    cx.register(ObjType::Hfield, spec.hfields.iter().map(|h| (h.name.as_str(), h.loc)));
    for h in &spec.hfields {
        let what = describe("hfield", &h.name);
        if h.name.is_empty() {
            cx.error(h.loc, "a height field needs a name").help("a file would give it its own");
        }
        if h.size.iter().any(|s| s.is_nan() || *s <= 0.0 || s.is_infinite()) {
            cx.error(h.loc, format!("{what}: all four sizes must be positive"))
                .help("they are the half sizes along x and y, the greatest height, and the depth of the base");
        }
        let grid = grid(h).unwrap_or_else(|e| {
            cx.error(h.loc, format!("{what}: {e}"));
            Grid::default()
        });
        let adr = u32::try_from(m.hfield_data.len()).unwrap_or(u32::MAX);
        m.hfield.push(HfieldRow { size: h.size, nrow: grid.nrow as u32, ncol: grid.ncol as u32, adr });
        m.hfield_data.extend(normalized(grid.data));
    }
}

/// Elevations row by row, the first row at the least y.
#[derive(Default)]
struct Grid {
    nrow: usize,
    ncol: usize,
    data: Vec<f32>,
}

fn grid(h: &Hfield) -> Result<Grid, String> {
    let grid = if h.file.is_empty() {
        let (nrow, ncol) = (usize::try_from(h.nrow).unwrap_or(0), usize::try_from(h.ncol).unwrap_or(0));
        let cells = nrow.saturating_mul(ncol);
        if cells > MOST {
            return Err(format!("{nrow} by {ncol} elevations are too many"));
        }
        let data = if h.elevation.is_empty() { vec![0.0; cells] } else { h.elevation.clone() };
        Grid { nrow, ncol, data }
    } else {
        if h.nrow != 0 || h.ncol != 0 || !h.elevation.is_empty() {
            return Err("it has a file, so it must not have `nrow`, `ncol` or `elevation`".into());
        }
        let is_png = match h.content_type.as_str() {
            "" => h.file.to_ascii_lowercase().ends_with(".png"),
            "image/png" => true,
            "image/vnd.mujoco.hfield" => false,
            other => return Err(format!("files of type `{other}` have no elevations")),
        };
        if is_png { png(&h.contents) } else { binary(&h.contents) }.map_err(|e| format!("`{}`: {e}", h.file))?
    };
    if grid.nrow < 2 || grid.ncol < 2 {
        return Err(format!(
            "it takes two rows and two columns at least, but there are {} and {}",
            grid.nrow, grid.ncol
        ));
    }
    if grid.data.len() != grid.nrow * grid.ncol {
        return Err(format!("{} elevations are not {} rows of {}", grid.data.len(), grid.nrow, grid.ncol));
    }
    if grid.data.iter().any(|z| !z.is_finite()) {
        return Err("an elevation is not finite".into());
    }
    Ok(grid)
}

/// Number of rows, number of columns, elevations.
fn binary(bytes: &[u8]) -> Result<Grid, String> {
    let mut data = Bytes(bytes);
    let (Some(nrow), Some(ncol)) = (data.int(), data.int()) else {
        return Err("the file starts with 8 bytes of sizes".into());
    };
    if nrow < 1 || ncol < 1 {
        return Err(format!("{nrow} rows and {ncol} columns are not possible"));
    }
    let (nrow, ncol) = (nrow as usize, ncol as usize);
    let wanted = nrow.saturating_mul(ncol).saturating_mul(4).saturating_add(8);
    if wanted != bytes.len() {
        return Err(format!("{nrow} rows of {ncol} elevations take {wanted} bytes, but there are {}", bytes.len()));
    }
    Ok(Grid { nrow, ncol, data: std::iter::from_fn(|| data.float()).collect() })
}

/// An image, the brighter (of a coloured one: the redder) the higher; its first row is at the greatest y.
fn png(bytes: &[u8]) -> Result<Grid, String> {
    let image = image::decode(bytes, 1)?;
    if image.data.len() > MOST {
        return Err("the image is too large".into());
    }
    let data = image.data.rchunks_exact(image.width.max(1)).flatten().map(|&y| f32::from(y)).collect();
    Ok(Grid { nrow: image.height, ncol: image.width, data })
}

/// Shifted and scaled to start at 0 and end at 1; flat ground is at 0.
fn normalized(mut data: Vec<f32>) -> Vec<f32> {
    let low = data.iter().copied().fold(f32::INFINITY, f32::min);
    let high = data.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    for z in &mut data {
        *z -= low;
        if f64::from(high - low) > crate::frames::EPS {
            *z /= high - low;
        }
    }
    data
}
