//! Texts and images over the picture, for the page.

use mj_session::{Overlay, OverlayImage};
use serde::Serialize;

/// Description of an overlay; the pixels of its images follow it.
#[derive(Serialize)]
struct Description<'a> {
    texts: Vec<Text<'a>>,
    images: Vec<Image>,
}

#[derive(Serialize)]
struct Text<'a> {
    big: bool,
    place: i32,
    left: &'a str,
    right: &'a str,
}

#[derive(Serialize)]
struct Image {
    rect: [f32; 4],
    size: [u32; 2],
}

/// Code of the big font.
const BIG: i32 = 2;

/// Returns the description in JSON after its length, and the pixels. Images whose numbers don't fit together are left out.
pub fn encode(overlay: &Overlay) -> Vec<u8> {
    let fits = |image: &&OverlayImage| {
        let pixels = u64::from(image.width) * u64::from(image.height);
        image.rgb.len() as u64 == 3 * pixels && pixels > 0 && image.rect.iter().all(|x| x.is_finite())
    };
    let images: Vec<&OverlayImage> = overlay.images.iter().filter(fits).collect();
    let texts = overlay.texts.iter().map(|t| Text {
        big: t.font == BIG,
        place: t.gridpos.clamp(0, 7),
        left: &t.left,
        right: &t.right,
    });
    let description = Description {
        texts: texts.collect(),
        images: images.iter().map(|i| Image { rect: i.rect, size: [i.width, i.height] }).collect(),
    };
    let head = serde_json::to_vec(&description).unwrap_or_else(|_| b"{}".to_vec());
    let mut bytes = (head.len() as u32).to_le_bytes().to_vec();
    bytes.extend(head);
    images.iter().for_each(|image| bytes.extend_from_slice(&image.rgb));
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn images_without_their_pixels_are_left_out() {
        let image = OverlayImage { rect: [0.0, 0.0, 0.5, 0.5], width: 1, height: 2, rgb: (1..7).collect() };
        let broken = OverlayImage { height: 3, ..image.clone() };
        let bytes = encode(&Overlay { images: vec![broken, image], ..Overlay::default() });
        let length = u32::from_le_bytes(bytes[..4].try_into().unwrap()) as usize;
        let head: serde_json::Value = serde_json::from_slice(&bytes[4..4 + length]).unwrap();
        assert_eq!(head["images"].as_array().unwrap().len(), 1);
        assert_eq!(bytes[4 + length..], [1, 2, 3, 4, 5, 6]);
    }
}
