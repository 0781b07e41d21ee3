//! Layouts of what shaders read.

use wgpu::{BindGroupLayoutEntry as Entry, BindingType, ShaderStages};

/// Size of a view in the shaders' memory, bytes.
pub const VIEW_BYTES: u64 = 256;
/// Size of a light in the shaders' memory, bytes.
pub const LIGHT_BYTES: usize = 176;
/// Greatest number of lights; the reference has as many.
pub const MAX_LIGHTS: usize = 100;

/// Number of textures of a material beside the colour, of physical shading.
pub const LAYERS: usize = 6;

/// Layouts of the groups of resources: scene, lights, textures, and the environment of physical shading.
pub struct Layouts {
    /// View and instances.
    pub scene: wgpu::BindGroupLayout,
    /// Lights and shadow maps.
    pub lights: wgpu::BindGroupLayout,
    /// Textures of a draw.
    pub textures: wgpu::BindGroupLayout,
    /// Environment; none with Phong's model.
    pub environment: Option<wgpu::BindGroupLayout>,
    /// Layout of pipelines that see the scene alone.
    pub plain: wgpu::PipelineLayout,
    /// Layout of pipelines with lights and textures.
    pub shaded: wgpu::PipelineLayout,
}

fn buffer(ty: wgpu::BufferBindingType, size: Option<u64>) -> BindingType {
    BindingType::Buffer {
        ty,
        has_dynamic_offset: size.is_some(),
        min_binding_size: size.and_then(std::num::NonZeroU64::new),
    }
}

fn texture(sample_type: wgpu::TextureSampleType, view_dimension: wgpu::TextureViewDimension) -> BindingType {
    BindingType::Texture { sample_type, view_dimension, multisampled: false }
}

impl Layouts {
    /// Makes the layouts.
    pub fn new(device: &wgpu::Device, physical: bool) -> Self {
        let group = |label, kinds: &[(ShaderStages, BindingType)]| {
            let entries: Vec<Entry> = (0..)
                .zip(kinds)
                .map(|(binding, &(visibility, ty))| Entry { binding, visibility, ty, count: None })
                .collect();
            device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor { label: Some(label), entries: &entries })
        };
        let storage = wgpu::BufferBindingType::Storage { read_only: true };
        let float = wgpu::TextureSampleType::Float { filterable: true };
        let both = ShaderStages::VERTEX_FRAGMENT;
        let seen = ShaderStages::FRAGMENT;
        let scene = group(
            "scene",
            &[(both, buffer(wgpu::BufferBindingType::Uniform, Some(VIEW_BYTES))), (both, buffer(storage, None))],
        );
        let lights = group(
            "lights",
            &[
                (seen, buffer(storage, Some((LIGHT_BYTES * MAX_LIGHTS) as u64))),
                (seen, texture(wgpu::TextureSampleType::Depth, wgpu::TextureViewDimension::D2Array)),
                (seen, BindingType::Sampler(wgpu::SamplerBindingType::Comparison)),
            ],
        );
        let flat = (seen, texture(float, wgpu::TextureViewDimension::D2));
        let cube = (seen, texture(float, wgpu::TextureViewDimension::Cube));
        let sampler = (seen, BindingType::Sampler(wgpu::SamplerBindingType::Filtering));
        let mut kinds = vec![flat, cube, sampler];
        if physical {
            kinds.resize(3 + LAYERS, flat);
        }
        let textures = group("textures", &kinds);
        let environment = physical.then(|| group("environment", &[(seen, buffer(storage, None)), cube, sampler]));
        let pipeline = |label, groups: &[Option<&wgpu::BindGroupLayout>]| {
            device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
                label: Some(label),
                bind_group_layouts: groups,
                immediate_size: 0,
            })
        };
        let plain = pipeline("plain", &[Some(&scene)]);
        let groups: Vec<_> = [&scene, &lights, &textures].into_iter().chain(&environment).map(Some).collect();
        let shaded = pipeline("shaded", &groups);
        Self { scene, lights, textures, environment, plain, shaded }
    }
}
