//! Textures from files: PNG images, and KTX files, which are kept as they are.

use super::{MAX_BYTES, Pixels, pattern};
use crate::asset::image::{self, Image};
use mj_model::spec::Texture;
use mj_model::{ColorSpace, TextureType};

/// Letters of a cube's sides in `gridlayout`, in the order in which they are stored.
const SIDES: &[u8] = b"RLUDFB";

/// Whether a file is an image; if not, it is a KTX file.
pub(super) fn is_png(t: &Texture, file: &str) -> Result<bool, String> {
    let ending = file.rsplit_once('.').map_or("", |(_, e)| e).to_ascii_lowercase();
    match (t.content_type.as_str(), ending.as_str()) {
        ("image/png", _) | ("", "png") => Ok(true),
        ("image/ktx", _) | ("", "ktx") => Ok(false),
        ("", _) => Err(format!("the ending of `{file}` is neither .png nor .ktx; `content_type` can tell what it is")),
        (other, _) => Err(format!("files of type `{other}` are no textures: image/png and image/ktx are")),
    }
}

/// A whole texture in one file: an image, or one that holds the sides of a cube in the cells of a grid.
pub(super) fn single(t: &Texture) -> Result<Pixels, String> {
    let cube = t.r#type != TextureType::TwoD;
    if !is_png(t, &t.file)? {
        if cube {
            return Err("only 2d textures can come from KTX files".into());
        }
        if t.hflip || t.vflip {
            return Err("a KTX file cannot be flipped".into());
        }
        let data = t.contents.to_vec();
        let colorspace = named(t, false);
        return Ok(Pixels { width: data.len(), height: 1, nchannel: 1, colorspace, data, ..Default::default() });
    }
    let image = load(t, &t.file, &t.contents)?;
    let colorspace = named(t, image.srgb);
    let nchannel = t.nchannel as usize;
    if !cube {
        return Ok(Pixels {
            width: image.width,
            height: image.height,
            nchannel,
            colorspace,
            data: image.data,
            ..Default::default()
        });
    }

    let [rows, columns] = t.gridsize.map(|n| usize::try_from(n).unwrap_or(0));
    if rows < 1 || columns < 1 || rows.saturating_mul(columns) > 12 {
        return Err(format!("`gridsize` is {rows} by {columns}, but a grid has from 1 to 12 cells"));
    }
    let width = image.width / columns;
    if width * columns != image.width || width * rows != image.height {
        return Err(format!(
            "`{}` has {} by {} pixels, of which a grid of {rows} rows and {columns} columns does not make squares",
            t.file, image.width, image.height
        ));
    }
    if (rows, columns) == (1, 1) {
        return Ok(Pixels { width, height: width, nchannel, colorspace, data: image.data, ..Default::default() });
    }
    let mut cube = Cube::new(t, width)?;
    for (cell, &letter) in t.gridlayout.as_bytes().iter().enumerate() {
        let Some(side) = SIDES.iter().position(|&s| s == letter) else {
            if letter == b'.' {
                continue;
            }
            return Err(format!("`{}` in `gridlayout` is none of . R L U D F B", letter.escape_ascii()));
        };
        let (row, column) = (cell / columns * width, cell % columns * width);
        let lines = image.data.chunks_exact(3 * image.width).skip(row);
        let lines = lines.map(|line| &line[3 * column..3 * (column + width)]);
        cube.side(side).chunks_exact_mut(3 * width).zip(lines).for_each(|(to, from)| to.copy_from_slice(from));
    }
    Ok(cube.pixels(colorspace))
}

/// A cube whose sides are files of their own.
pub(super) fn sides(t: &Texture) -> Result<Pixels, String> {
    if t.r#type == TextureType::TwoD {
        return Err("a 2d texture takes one `file`, not those of the sides of a cube".into());
    }
    let mut made: Option<(Cube, ColorSpace)> = None;
    for (side, (file, contents)) in t.cubefiles.iter().zip(&t.cubecontents).enumerate() {
        if file.is_empty() {
            continue;
        }
        if !is_png(t, file)? {
            return Err("only 2d textures can come from KTX files".into());
        }
        let image = load(t, file, contents)?;
        if image.width != image.height {
            return Err(format!("`{file}` is {} by {} pixels, but a side is square", image.width, image.height));
        }
        let (cube, _) = match &mut made {
            Some(known) => known,
            // The first file's colour space is taken for that of all.
            None => made.insert((Cube::new(t, image.width)?, named(t, image.srgb))),
        };
        if image.width != cube.width {
            let first = cube.width;
            return Err(format!("`{file}` is {} pixels wide, but the sides before it are {first}", image.width));
        }
        cube.side(side).copy_from_slice(&image.data);
    }
    let (cube, colorspace) = made.ok_or("no side of the cube has a file")?;
    Ok(cube.pixels(colorspace))
}

/// The colour space asked for, or that of the file.
fn named(t: &Texture, srgb: bool) -> ColorSpace {
    match t.colorspace {
        ColorSpace::Auto if srgb => ColorSpace::Srgb,
        ColorSpace::Auto => ColorSpace::Linear,
        given => given,
    }
}

/// Decodes an image and flips it as the texture says.
fn load(t: &Texture, file: &str, contents: &[u8]) -> Result<Image, String> {
    if t.r#type != TextureType::TwoD && t.nchannel != 3 {
        return Err(format!("a cube from files has 3 channels, but `nchannel` is {}", t.nchannel));
    }
    let nchannel = match t.nchannel {
        1 => 1,
        3 => 3,
        4 => 4,
        n => return Err(format!("`nchannel` is {n}, but an image has 1, 3 or 4")),
    };
    let mut image = image::decode(contents, nchannel).map_err(|e| format!("`{file}`: {e}"))?;
    let line = nchannel * image.width;
    if t.hflip {
        for row in image.data.chunks_exact_mut(line) {
            row.reverse();
            // That has turned the channels round as well.
            row.chunks_exact_mut(nchannel).for_each(<[u8]>::reverse);
        }
    }
    if t.vflip {
        for r in 0..image.height / 2 {
            let (upper, lower) = image.data.split_at_mut((image.height - 1 - r) * line);
            upper[r * line..(r + 1) * line].swap_with_slice(&mut lower[..line]);
        }
    }
    Ok(image)
}

/// The six sides of a cube; those that nothing is put on have the first colour.
struct Cube {
    width: usize,
    data: Vec<u8>,
}

impl Cube {
    fn new(t: &Texture, width: usize) -> Result<Self, String> {
        let pixels = width.saturating_mul(width).saturating_mul(SIDES.len());
        if pixels == 0 || pixels.saturating_mul(3) > MAX_BYTES {
            return Err(format!("six sides of {width} by {width} pixels are too large: a texture may have 1 GiB"));
        }
        Ok(Self { width, data: pattern::bytes(t.rgb1).repeat(pixels) })
    }

    fn side(&mut self, i: usize) -> &mut [u8] {
        let size = 3 * self.width * self.width;
        &mut self.data[i * size..(i + 1) * size]
    }

    fn pixels(self, colorspace: ColorSpace) -> Pixels {
        Pixels {
            width: self.width,
            height: SIDES.len() * self.width,
            nchannel: 3,
            colorspace,
            data: self.data,
            ..Pixels::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mj_model::spec::FileBytes;

    /// An image whose pixels count up from 0.
    fn png(width: u32, height: u32, colour: png::ColorType) -> FileBytes {
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, width, height);
        encoder.set_color(colour);
        let data: Vec<u8> = (0..(width * height) as usize * colour.samples()).map(|i| i as u8).collect();
        encoder.write_header().unwrap().write_image_data(&data).unwrap();
        FileBytes::new(bytes)
    }

    fn texture(r#type: TextureType, contents: FileBytes) -> Texture {
        Texture { r#type, file: "a.png".into(), contents, ..Default::default() }
    }

    #[test]
    fn channels_are_as_many_as_asked_for() {
        let t = texture(TextureType::TwoD, png(2, 1, png::ColorType::Rgb));
        let data = |nchannel| single(&Texture { nchannel, ..t.clone() }).map(|p| p.data);
        assert_eq!(data(3).unwrap(), [0, 1, 2, 3, 4, 5]);
        assert_eq!(data(1).unwrap(), [0, 3]);
        assert_eq!(data(4).unwrap(), [0, 1, 2, 255, 3, 4, 5, 255]);
        assert!(data(2).is_err());
        let grey = texture(TextureType::TwoD, png(2, 1, png::ColorType::Grayscale));
        assert_eq!(single(&grey).unwrap().data, [0, 0, 0, 1, 1, 1]);
    }

    #[test]
    fn flips_keep_pixels_whole() {
        let t = texture(TextureType::TwoD, png(2, 2, png::ColorType::Rgb));
        let flipped = |hflip, vflip| single(&Texture { hflip, vflip, ..t.clone() }).unwrap().data;
        assert_eq!(flipped(true, false), [3, 4, 5, 0, 1, 2, 9, 10, 11, 6, 7, 8]);
        assert_eq!(flipped(false, true), [6, 7, 8, 9, 10, 11, 0, 1, 2, 3, 4, 5]);
    }

    #[test]
    fn a_cube_comes_from_a_grid_and_lacks_what_it_does_not_show() {
        let mut t = texture(TextureType::Cube, png(2, 2, png::ColorType::Rgb));
        t.gridsize = [2, 2];
        t.gridlayout = "D.RB".into();
        t.rgb1 = [1.0; 3];
        let made = single(&t).unwrap();
        assert_eq!((made.width, made.height), (1, 6));
        let sides: Vec<u8> = made.data.chunks_exact(3).map(|p| p[0]).collect();
        assert_eq!(sides, [6, 255, 255, 0, 255, 9]);
        t.gridlayout = "D.RX".into();
        assert!(single(&t).is_err());
    }

    #[test]
    fn sides_are_squares_of_one_size() {
        let mut t = Texture { rgb1: [1.0; 3], ..Default::default() };
        t.cubefiles[4] = "front.png".into();
        t.cubecontents[4] = png(1, 1, png::ColorType::Rgb);
        let data = sides(&t).unwrap().data;
        assert_eq!((data[12], data[0], data.len()), (0, 255, 18));
        t.cubefiles[5] = "back.png".into();
        t.cubecontents[5] = png(2, 2, png::ColorType::Rgb);
        assert!(sides(&t).is_err());
        t.cubecontents[5] = png(1, 2, png::ColorType::Rgb);
        assert!(sides(&t).is_err());
    }

    #[test]
    fn ktx_files_are_kept_as_they_are() {
        let mut t = texture(TextureType::TwoD, FileBytes::new(b"pixels".to_vec()));
        assert!(single(&t).is_err());
        t.content_type = "image/ktx".into();
        let made = single(&t).unwrap();
        assert_eq!((made.data.as_slice(), made.width, made.height, made.nchannel), (&b"pixels"[..], 6, 1, 1));
        assert!(single(&Texture { hflip: true, ..t.clone() }).is_err());
        assert!(single(&Texture { r#type: TextureType::Cube, ..t }).is_err());
    }
}
