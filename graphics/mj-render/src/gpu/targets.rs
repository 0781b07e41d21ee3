//! Textures that are drawn into.

use super::adapter::Gpu;

/// Format of colours: bytes without gamma, as the reference writes them.
pub const COLOUR: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8Unorm;
/// Format of radiances, of physical shading.
pub const RADIANCE: wgpu::TextureFormat = wgpu::TextureFormat::Rgba16Float;
/// Format of depth buffers and shadow maps.
pub const DEPTH: wgpu::TextureFormat = wgpu::TextureFormat::Depth32Float;
/// Format of distances in metres.
pub const DISTANCE: wgpu::TextureFormat = wgpu::TextureFormat::R32Float;
/// Format of ids.
pub const IDS: wgpu::TextureFormat = wgpu::TextureFormat::Rg32Sint;

/// Targets of one size of pictures.
pub struct Targets {
    /// Width and height, pixels.
    pub size: (u32, u32),
    /// Colours.
    pub colour: wgpu::Texture,
    /// Radiances from which colours are made, of physical shading.
    pub radiance: Option<wgpu::Texture>,
    /// Colours or radiances before samples are averaged.
    pub samples: Option<wgpu::TextureView>,
    /// Depth buffer of the colours.
    pub colour_depth: wgpu::TextureView,
    /// Distances in metres.
    pub distance: wgpu::Texture,
    /// Ids.
    pub ids: wgpu::Texture,
    /// Depth buffer of distances and ids.
    pub ids_depth: wgpu::TextureView,
}

/// Makes a texture to draw into.
pub fn target(
    gpu: &Gpu,
    (width, height): (u32, u32),
    layers: u32,
    samples: u32,
    format: wgpu::TextureFormat,
    extra: wgpu::TextureUsages,
) -> wgpu::Texture {
    gpu.device.create_texture(&wgpu::TextureDescriptor {
        label: Some("target"),
        size: wgpu::Extent3d { width, height, depth_or_array_layers: layers },
        mip_level_count: 1,
        sample_count: samples,
        dimension: wgpu::TextureDimension::D2,
        format,
        usage: wgpu::TextureUsages::RENDER_ATTACHMENT | extra,
        view_formats: &[],
    })
}

/// Returns the view of a whole texture.
pub fn whole(texture: &wgpu::Texture) -> wgpu::TextureView {
    texture.create_view(&wgpu::TextureViewDescriptor::default())
}

impl Targets {
    /// Makes the targets of a size.
    pub fn new(gpu: &Gpu, size: (u32, u32), samples: u32, physical: bool) -> Self {
        let (none, copied) = (wgpu::TextureUsages::empty(), wgpu::TextureUsages::COPY_SRC);
        let read = wgpu::TextureUsages::TEXTURE_BINDING;
        let drawn = if physical { RADIANCE } else { COLOUR };
        Self {
            size,
            colour: target(gpu, size, 1, 1, COLOUR, copied),
            radiance: physical.then(|| target(gpu, size, 1, 1, RADIANCE, read)),
            samples: (samples > 1).then(|| whole(&target(gpu, size, 1, samples, drawn, none))),
            colour_depth: whole(&target(gpu, size, 1, samples, DEPTH, none)),
            distance: target(gpu, size, 1, 1, DISTANCE, copied),
            ids: target(gpu, size, 1, 1, IDS, copied),
            ids_depth: whole(&target(gpu, size, 1, 1, DEPTH, none)),
        }
    }
}
