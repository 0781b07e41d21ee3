//! Shadow maps: one layer for each light.

use crate::gpu::{DEPTH, Gpu, target};

/// Layers of depth, seen from the lights.
pub struct ShadowMaps {
    /// Width and height, texels.
    pub size: u32,
    /// All layers, for the shaders.
    pub array: wgpu::TextureView,
    /// Each layer, to draw into.
    pub layers: Vec<wgpu::TextureView>,
    /// Sampler that compares depths.
    pub sampler: wgpu::Sampler,
}

/// Greatest memory of shadow maps, bytes: where lights are many, their maps are small.
const MEMORY: u64 = 1 << 29;

impl ShadowMaps {
    /// Makes maps of about `size` texels a side for `count` lights.
    pub fn new(gpu: &Gpu, size: u32, count: u32) -> Self {
        let mut size = size.clamp(1, gpu.adapter.max_size);
        while u64::from(size) * u64::from(size) * 4 * u64::from(count) > MEMORY {
            size /= 2;
        }
        let texture = target(gpu, (size, size), count.max(1), 1, DEPTH, wgpu::TextureUsages::TEXTURE_BINDING);
        let view = |dimension, first, count| {
            texture.create_view(&wgpu::TextureViewDescriptor {
                dimension: Some(dimension),
                base_array_layer: first,
                array_layer_count: count,
                ..Default::default()
            })
        };
        let sampler = gpu.device.create_sampler(&wgpu::SamplerDescriptor {
            label: Some("shadows"),
            mag_filter: wgpu::FilterMode::Linear,
            min_filter: wgpu::FilterMode::Linear,
            // Lit where the surface is at least as near as what the light sees.
            compare: Some(wgpu::CompareFunction::GreaterEqual),
            ..Default::default()
        });
        Self {
            size,
            array: view(wgpu::TextureViewDimension::D2Array, 0, None),
            layers: (0..count).map(|k| view(wgpu::TextureViewDimension::D2, k, Some(1))).collect(),
            sampler,
        }
    }
}
