//! PNG images.

/// Largest image, decoded: more is taken for a slip.
const MAX_BYTES: usize = 1 << 30;

/// Pixels row by row, the top row first, 8 bits a channel.
pub(crate) struct Image {
    pub width: usize,
    pub height: usize,
    /// Whether the file says that its colours are sRGB.
    pub srgb: bool,
    pub data: Vec<u8>,
}

/// Decodes an image to one channel (grey, or red), three (red, green, blue) or four (and opacity).
pub(crate) fn decode(bytes: &[u8], nchannel: usize) -> Result<Image, String> {
    let bad = |e: png::DecodingError| format!("not a good PNG image: {e}");
    let mut decoder = png::Decoder::new_with_limits(std::io::Cursor::new(bytes), png::Limits { bytes: MAX_BYTES });
    // Palettes, few bits and transparent colours to whole channels; of 16 bits the upper 8.
    decoder.set_transformations(png::Transformations::EXPAND | png::Transformations::STRIP_16);
    let mut reader = decoder.read_info().map_err(bad)?;
    let srgb = reader.info().srgb.is_some();
    let size = reader.output_buffer_size().filter(|&n| n <= MAX_BYTES).ok_or("the image is too large")?;
    let mut pixels = vec![0; size];
    let info = reader.next_frame(&mut pixels).map_err(bad)?;
    pixels.truncate(info.buffer_size());
    let given = info.color_type.samples();
    let (width, height) = (info.width as usize, info.height as usize);
    if (width * height).saturating_mul(nchannel) > MAX_BYTES {
        return Err("the image is too large".into());
    }
    let data = if given == nchannel { pixels } else { convert(&pixels, given, nchannel) };
    Ok(Image { width, height, srgb, data })
}

fn convert(pixels: &[u8], given: usize, wanted: usize) -> Vec<u8> {
    let mut out = Vec::with_capacity(pixels.len() / given * wanted);
    for p in pixels.chunks_exact(given) {
        let [r, g, b, a] = match *p {
            [y] => [y, y, y, 255],
            [y, a] => [y, y, y, a],
            [r, g, b] => [r, g, b, 255],
            [r, g, b, a, ..] => [r, g, b, a],
            [] => [0; 4],
        };
        match wanted {
            1 => out.push(r),
            3 => out.extend([r, g, b]),
            _ => out.extend([r, g, b, a]),
        }
    }
    out
}
