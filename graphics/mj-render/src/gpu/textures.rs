//! Textures of models, with their mipmaps.

use super::adapter::Gpu;
use super::layouts::{LAYERS, Layouts};
use super::picture::{Pixels, TextureKind, pixels};
use mj_model::{ColorSpace, Model, TextureId, TextureType};
use std::collections::HashMap;

/// Textures that a draw binds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct TextureSet {
    /// Texture of the colour.
    pub colour: Option<usize>,
    /// Material whose other textures are shown, of physical shading.
    pub material: Option<usize>,
}

/// Texture on the GPU.
struct Uploaded {
    kind: TextureKind,
    /// View of colours.
    colour: wgpu::TextureView,
    /// View of numbers, without a curve of brightness.
    numbers: wgpu::TextureView,
}

/// All textures of a model.
pub struct Textures {
    list: Vec<Option<Uploaded>>,
    blank: [wgpu::TextureView; 2],
    sampler: wgpu::Sampler,
    layout: wgpu::BindGroupLayout,
    /// Textures of each material by layer; none with Phong's model.
    materials: Vec<[Option<usize>; LAYERS]>,
    physical: bool,
    groups: HashMap<TextureSet, wgpu::BindGroup>,
    skybox: Option<usize>,
}

/// Format of textures that hold no curve of brightness.
const LINEAR: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8Unorm;
/// Format of textures whose brightness has sRGB's curve.
const SRGB: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8UnormSrgb;

/// Roles of textures by layer: occlusion, roughness, metallic, normal, opacity, emissive.
const ROLES: [usize; LAYERS] = [2, 3, 4, 5, 6, 7];
/// Role of textures of occlusion, roughness and metallic in one.
const ORM: usize = 9;

/// Makes a texture of one layer or several with all mipmaps, each given by `levels`.
pub fn texture_of(gpu: &Gpu, layers: Vec<Vec<Pixels>>) -> wgpu::Texture {
    let levels = layers.iter().map(Vec::len).min().unwrap_or(0);
    let (width, height) = layers.first().and_then(|l| l.first()).map_or((1, 1), |p| (p.width, p.height));
    let texture = gpu.device.create_texture(&wgpu::TextureDescriptor {
        label: Some("texture"),
        size: wgpu::Extent3d { width, height, depth_or_array_layers: layers.len() as u32 },
        mip_level_count: levels as u32,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format: LINEAR,
        usage: wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST,
        view_formats: &[SRGB],
    });
    for (z, pictures) in (0..).zip(layers) {
        for (mip_level, pixels) in (0..).zip(&pictures[..levels]) {
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
        }
    }
    texture
}

/// Returns a view of a texture.
pub fn texture_view(texture: &wgpu::Texture, srgb: bool, cube: bool) -> wgpu::TextureView {
    texture.create_view(&wgpu::TextureViewDescriptor {
        format: Some(if srgb { SRGB } else { LINEAR }),
        dimension: cube.then_some(wgpu::TextureViewDimension::Cube),
        ..Default::default()
    })
}

/// Uploads one layer or several, with their mipmaps.
fn upload(gpu: &Gpu, layers: Vec<Pixels>, srgb: bool, kind: TextureKind) -> Uploaded {
    let chain = |first: Pixels| {
        let levels = first.width.max(first.height).ilog2();
        let mut pictures = vec![first];
        for level in 0..levels as usize {
            pictures.push(pictures[level].half());
        }
        pictures
    };
    let texture = texture_of(gpu, layers.into_iter().map(chain).collect());
    let cube = kind == TextureKind::Cube;
    Uploaded { kind, colour: texture_view(&texture, srgb, cube), numbers: texture_view(&texture, false, cube) }
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
        let physical = layouts.environment.is_some();
        let white = || Pixels::one([255; 4]);
        let blank = [
            upload(gpu, vec![white()], false, TextureKind::Flat).numbers,
            upload(gpu, (0..6).map(|_| white()).collect(), false, TextureKind::Cube).numbers,
        ];
        let limit = gpu.adapter.max_size.min(gpu.device.limits().max_texture_dimension_2d);
        // Phong's model shows colours as they are written, but for pictures that say that they are sRGB.
        let known: &[usize] = if physical { &[1, 3, 4] } else { &[3, 4] };
        let of = |id: TextureId| {
            let (layers, kind) = pixels(m, id, limit, known)?;
            let srgb = physical || m.tex.colorspace[id] == ColorSpace::Srgb && kind == TextureKind::Flat;
            Some(upload(gpu, layers, srgb, kind))
        };
        let list: Vec<_> = m.tex.ids().map(of).collect();
        let sky =
            |(id, shown): (TextureId, &Option<Uploaded>)| shown.is_some() && m.tex.r#type[id] == TextureType::Skybox;
        let skybox = m.tex.ids().zip(&list).position(sky);
        let mut textures = Self {
            list,
            blank,
            sampler,
            layout: layouts.textures.clone(),
            materials: Vec::new(),
            physical,
            groups: HashMap::new(),
            skybox,
        };
        if physical {
            let flat = |t: Option<TextureId>| {
                t.map(TextureId::index).filter(|&t| textures.kind(t as i32) == TextureKind::Flat)
            };
            let layers = |id| {
                let roles = &m.mat.texid[id];
                let shared = flat(roles[ORM]);
                ROLES.map(|role| flat(roles[role]).or(shared.filter(|_| role <= 4)))
            };
            textures.materials = m.mat.ids().map(layers).collect();
        }
        textures.prepare(gpu, TextureSet::default());
        textures
    }

    /// Makes the group that binds a set, unless it is there.
    pub fn prepare(&mut self, gpu: &Gpu, set: TextureSet) {
        if self.groups.contains_key(&set) {
            return;
        }
        let [mut flat, mut cube] = [&self.blank[0], &self.blank[1]];
        match set.colour.and_then(|t| self.list.get(t)?.as_ref()) {
            Some(texture) if texture.kind == TextureKind::Cube => cube = &texture.colour,
            Some(texture) => flat = &texture.colour,
            None => {}
        }
        let mut resources = vec![
            wgpu::BindingResource::TextureView(flat),
            wgpu::BindingResource::TextureView(cube),
            wgpu::BindingResource::Sampler(&self.sampler),
        ];
        if self.physical {
            let layers = set.material.and_then(|m| self.materials.get(m)).copied().unwrap_or_default();
            for (role, texture) in ROLES.into_iter().zip(layers) {
                let shown = texture.and_then(|t| self.list.get(t)?.as_ref());
                let view = shown.map_or(&self.blank[0], |t| if role == 7 { &t.colour } else { &t.numbers });
                resources.push(wgpu::BindingResource::TextureView(view));
            }
        }
        let entries: Vec<_> =
            (0..).zip(resources).map(|(binding, resource)| wgpu::BindGroupEntry { binding, resource }).collect();
        let layout = &self.layout;
        let group = gpu.device.create_bind_group(&wgpu::BindGroupDescriptor { label: None, layout, entries: &entries });
        self.groups.insert(set, group);
    }

    /// Returns the kind of a texture; none if it isn't there.
    pub fn kind(&self, texture: i32) -> TextureKind {
        let texture = usize::try_from(texture).ok().and_then(|t| self.list.get(t)?.as_ref());
        texture.map_or(TextureKind::None, |t| t.kind)
    }

    /// Returns bits of the textures that a material has beside its colour; 0 with Phong's model.
    pub fn layers(&self, material: usize) -> u32 {
        let layers = self.materials.get(material).copied().unwrap_or_default();
        (0..).zip(layers).map(|(bit, texture)| u32::from(texture.is_some()) << bit).sum()
    }

    /// Returns the group that binds a set which was prepared; a blank one for others.
    pub fn group(&self, set: TextureSet) -> Option<&wgpu::BindGroup> {
        self.groups.get(&set).or_else(|| self.groups.get(&TextureSet::default()))
    }

    /// Returns the first texture of a sky.
    pub fn skybox(&self) -> Option<usize> {
        self.skybox
    }
}
