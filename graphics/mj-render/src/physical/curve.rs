//! Curve of brightness of sRGB, between bytes and radiances.

/// Returns the radiance of a byte with sRGB's curve.
pub fn radiance_of(byte: u8) -> f32 {
    let c = f32::from(byte) / 255.0;
    if c <= 0.04045 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) }
}

/// Returns the byte of a radiance with sRGB's curve.
pub fn byte_of(radiance: f32) -> u8 {
    let c = radiance.clamp(0.0, 1.0);
    let encoded = if c <= 0.003_130_8 { 12.92 * c } else { 1.055 * c.powf(1.0 / 2.4) - 0.055 };
    (255.0 * encoded).round() as u8
}

#[cfg(test)]
mod tests {
    use super::{byte_of, radiance_of};

    #[test]
    fn bytes_come_back() {
        assert!((0..=255).all(|byte| byte_of(radiance_of(byte)) == byte));
        assert!((radiance_of(188) - 0.5).abs() < 0.005, "half the light is byte 188");
    }
}
