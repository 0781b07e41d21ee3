//! Textures of models, with their mipmaps.

use super::adapter::Gpu;
use super::layouts::Layouts;
use mj_model::{ColorSpace, Model, TextureId, TextureType};

/// Kind of texture that a draw needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TextureKind {
    /// None.
    None,
    /// Flat, by two coordinates.
    Flat,
    /// Cube, by a direction.
    Cube,
}

/// All textures of a model, each ready to be bound.
pub struct Textures {
    kinds: Vec<TextureKind>,
    groups: Vec<wgpu::BindGroup>,
    blank: wgpu::BindGroup,
    skybox: Option<usize>,
}

/// Picture of four bytes a pixel.
struct Pixels {
    width: u32,
    height: u32,
    rgba: Vec<u8>,
}

impl Pixels {
    fn new(bytes: &[u8], width: u32, height: u32, channels: usize) -> Self {
        let rgba = bytes
            .chunks_exact(channels)
            .flat_map(|p| [p[0], p[1], p[2], if channels == 4 { p[3] } else { 255 }])
            .collect();
        Self { width, height, rgba }
    }

    /// Returns the picture at half the size, each pixel the mean of those that it covers.
    fn half(&self) -> Self {
        let (width, height) = ((self.width / 2).max(1), (self.height / 2).max(1));
        let mut rgba = Vec::with_capacity((width * height * 4) as usize);
        let at = |x: u32, y: u32, k: usize| {
            let (x, y) = (x.min(self.width - 1), y.min(self.height - 1));
            u32::from(self.rgba[((y * self.width + x) * 4) as usize + k])
        };
        for y in 0..height {
            for x in 0..width {
                for k in 0..4 {
                    let sum = at(2 * x, 2 * y, k)
                        + at(2 * x + 1, 2 * y, k)
                        + at(2 * x, 2 * y + 1, k)
                        + at(2 * x + 1, 2 * y + 1, k);
                    rgba.push(((sum + 2) / 4) as u8);
                }
            }
        }
        Self { width, height, rgba }
    }
}

/// Uploads one layer or several, with their mipmaps.
fn upload(gpu: &Gpu, layers: Vec<Pixels>, format: wgpu::TextureFormat, kind: TextureKind) -> wgpu::TextureView {
    let (width, height) = (layers[0].width, layers[0].height);
    let levels = width.max(height).ilog2() + 1;
    let texture = gpu.device.create_texture(&wgpu::TextureDescriptor {
        label: Some("texture"),
        size: wgpu::Extent3d { width, height, depth_or_array_layers: layers.len() as u32 },
        mip_level_count: levels,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format,
        usage: wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST,
        view_formats: &[],
    });
    for (z, mut pixels) in (0..).zip(layers) {
        for mip_level in 0..levels {
            let target = wgpu::TexelCopyTextureInfo {
                texture: &texture,
                mip_level,
                origin: wgpu::Origin3d { x: 0, y: 0, z },
                aspect: wgpu::TextureAspect::All,
            };
            let layout = wgpu::TexelCopyBufferLayout {
                offset: 0,
                bytes_per_row: Some(4 * pixels.width),
                rows_per_image: Some(pixels.height),
            };
            let size = wgpu::Extent3d { width: pixels.width, height: pixels.height, depth_or_array_layers: 1 };
            gpu.queue.write_texture(target, &pixels.rgba, layout, size);
            pixels = pixels.half();
        }
    }
    texture.create_view(&wgpu::TextureViewDescriptor {
        dimension: (kind == TextureKind::Cube).then_some(wgpu::TextureViewDimension::Cube),
        ..Default::default()
    })
}

/// Returns the layers of a texture of the model; `None` if it has no pixels that can be shown.
fn layers(m: &Model, id: TextureId, limit: u32) -> Option<(Vec<Pixels>, TextureKind)> {
    let t = &m.tex;
    let side = |n: i32| u32::try_from(n).ok().filter(|n| (1..=limit).contains(n));
    let (width, height) = (side(t.width[id])?, u32::try_from(t.height[id]).ok()?);
    let channels = usize::try_from(t.nchannel[id]).ok().filter(|n| [3, 4].contains(n))?;
    let first = usize::try_from(t.adr[id]).ok()?;
    let bytes = m.tex_data.get(first..)?;
    let layer = |number: usize, height: u32| {
        let size = (width as usize).checked_mul(height as usize)?.checked_mul(channels)?;
        let start = number.checked_mul(size)?;
        Some(Pixels::new(bytes.get(start..start.checked_add(size)?)?, width, height, channels))
    };
    if t.r#type[id] == TextureType::TwoD {
        return Some((vec![layer(0, side(t.height[id])?)?], TextureKind::Flat));
    }
    // A square shows on all sides; six of them, one on each.
    let apart = height != width;
    let sides = (0..6).map(|k| layer(if apart { k } else { 0 }, width)).collect::<Option<Vec<_>>>()?;
    Some((sides, TextureKind::Cube))
}

impl Textures {
    /// Uploads all textures of a model.
    pub fn new(gpu: &Gpu, layouts: &Layouts, m: &Model) -> Self {
        let sampler = gpu.device.create_sampler(&wgpu::SamplerDescriptor {
            label: Some("texture"),
            address_mode_u: wgpu::AddressMode::Repeat,
            address_mode_v: wgpu::AddressMode::Repeat,
            address_mode_w: wgpu::AddressMode::Repeat,
            mag_filter: wgpu::FilterMode::Linear,
            min_filter: wgpu::FilterMode::Linear,
            mipmap_filter: wgpu::MipmapFilterMode::Linear,
            ..Default::default()
        });
        let linear = wgpu::TextureFormat::Rgba8Unorm;
        let white = || Pixels { width: 1, height: 1, rgba: vec![255; 4] };
        let blank_flat = upload(gpu, vec![white()], linear, TextureKind::Flat);
        let blank_cube = upload(gpu, (0..6).map(|_| white()).collect(), linear, TextureKind::Cube);
        let bind = |flat: &wgpu::TextureView, cube: &wgpu::TextureView| {
            let resources = [
                wgpu::BindingResource::TextureView(flat),
                wgpu::BindingResource::TextureView(cube),
                wgpu::BindingResource::Sampler(&sampler),
            ];
            let entries: Vec<_> =
                (0..).zip(resources).map(|(binding, resource)| wgpu::BindGroupEntry { binding, resource }).collect();
            let layout = &layouts.textures;
            gpu.device.create_bind_group(&wgpu::BindGroupDescriptor { label: None, layout, entries: &entries })
        };
        let blank = bind(&blank_flat, &blank_cube);
        let limit = gpu.adapter.max_size.min(gpu.device.limits().max_texture_dimension_2d);
        let (mut kinds, mut groups, mut skybox) = (Vec::new(), Vec::new(), None);
        for (number, id) in m.tex.ids().enumerate() {
            let Some((layers, kind)) = layers(m, id, limit) else {
                kinds.push(TextureKind::None);
                groups.push(blank.clone());
                continue;
            };
            let srgb = m.tex.colorspace[id] == ColorSpace::Srgb && kind == TextureKind::Flat;
            let view = upload(gpu, layers, if srgb { wgpu::TextureFormat::Rgba8UnormSrgb } else { linear }, kind);
            groups.push(if kind == TextureKind::Flat { bind(&view, &blank_cube) } else { bind(&blank_flat, &view) });
            kinds.push(kind);
            if skybox.is_none() && m.tex.r#type[id] == TextureType::Skybox {
                skybox = Some(number);
            }
        }
        Self { kinds, groups, blank, skybox }
    }

    /// Returns the kind of a texture; none if it isn't there.
    pub fn kind(&self, texture: i32) -> TextureKind {
        usize::try_from(texture).ok().and_then(|t| self.kinds.get(t)).copied().unwrap_or(TextureKind::None)
    }

    /// Returns what binds a texture, or a blank one.
    pub fn group(&self, texture: Option<usize>) -> &wgpu::BindGroup {
        texture.and_then(|t| self.groups.get(t)).unwrap_or(&self.blank)
    }

    /// Returns the first texture of a sky.
    pub fn skybox(&self) -> Option<usize> {
        self.skybox
    }
}
