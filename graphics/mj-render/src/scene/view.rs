//! Views: what the shaders know of a camera.

use super::camera::Eye;
use super::order::Mirror;
use crate::gpu::VIEW_BYTES;
use glam::{DMat4, DVec3};

/// View as the shaders need it.
pub type ViewData = [f32; VIEW_BYTES as usize / 4];

/// Fog: colour, distances where it begins and is dense.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fog {
    /// Colour.
    pub rgb: [f32; 3],
    /// Distance where it begins, m.
    pub start: f32,
    /// Distance where it is dense, m.
    pub end: f32,
}

/// Encodes a view.
pub fn encode(
    eye: &Eye,
    (width, height): (u32, u32),
    lights: usize,
    ambient: f32,
    fog: Option<Fog>,
    mirror: Option<&Mirror>,
    environment: [f32; 3],
) -> ViewData {
    let mut data = [0.0; VIEW_BYTES as usize / 4];
    data[..16].copy_from_slice(&eye.clip.to_cols_array().map(|x| x as f32));
    let vec = |v: DVec3, w: f64| v.extend(w).to_array().map(|x| x as f32);
    let fog = fog.filter(|f| f.end > f.start);
    let Fog { rgb, start, end } = fog.unwrap_or(Fog { rgb: [0.0; 3], start: 0.0, end: 1.0 });
    let none = [0.0; 4];
    let mut rows = [
        vec(eye.position, 0.0),
        vec(eye.forward, 0.0),
        [ambient, ambient, ambient, lights as f32],
        [rgb[0], rgb[1], rgb[2], if fog.is_some() { 1.0 } else { 0.0 }],
        [start, 1.0 / (end - start), width as f32, height as f32],
        none,
        none,
        none,
        none,
        [environment[0], environment[1], environment[2], 0.0],
    ];
    if let Some(m) = mirror {
        rows[5] = vec(m.centre, m.reflectance.into());
        rows[6] = vec(m.axes[0], m.size[0]);
        rows[7] = vec(m.axes[1], m.size[1]);
        rows[8] = vec(m.axes[2], 0.0);
    }
    data[16..56].copy_from_slice(rows.as_flattened());
    data
}

/// Encodes the view of a shadow map.
pub fn encode_shadow(clip: &DMat4) -> ViewData {
    let mut data = [0.0; VIEW_BYTES as usize / 4];
    data[..16].copy_from_slice(&clip.to_cols_array().map(|x| x as f32));
    data
}
