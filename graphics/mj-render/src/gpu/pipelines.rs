//! Pipelines, made when they are first needed.

use super::layouts::Layouts;
use super::picture::TextureKind;
use super::targets::{COLOUR, DEPTH, DISTANCE, IDS, RADIANCE};
use crate::geometry::Vertex;
use std::collections::HashMap;

/// Which sides of triangles are left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Cull {
    /// None.
    None,
    /// Those that face away.
    Back,
    /// Those that face the eye.
    Front,
}

/// Purpose of a pipeline.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Program {
    /// Lit surfaces, with shadows.
    Surface,
    /// Lit surfaces without shadows.
    Unshadowed,
    /// Lit surfaces in a mirror.
    Mirrored,
    /// Lines.
    Line,
    /// Lines in a mirror.
    MirroredLine,
    /// Sky.
    Sky,
    /// Haze at the horizon.
    Haze,
    /// Depth and ids.
    Ids,
    /// Depth and ids of lines.
    LineIds,
    /// Depth from a light.
    Shadow,
}

/// How colours are put on those that are there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Blend {
    /// They replace them.
    Replace,
    /// They are added.
    Sum,
    /// They cover them by their opacity.
    Cover,
    /// They are added by their opacity.
    Glow,
}

/// Settings that tell pipelines apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PipelineKey {
    /// Purpose.
    pub program: Program,
    /// Kind of texture.
    pub texture: TextureKind,
    /// Bits of the material's other textures, of physical shading.
    pub layers: u32,
    /// Sides that are left out.
    pub cull: Cull,
    /// How colours are put on those that are there.
    pub blend: Blend,
    /// Whether it hides what is drawn later behind it.
    pub writes_depth: bool,
    /// Whether edges are drawn alone.
    pub wireframe: bool,
    /// Samples a pixel.
    pub samples: u32,
}

/// All pipelines so far.
pub struct Pipelines {
    surface: wgpu::ShaderModule,
    ids: wgpu::ShaderModule,
    physical: bool,
    made: HashMap<PipelineKey, wgpu::RenderPipeline>,
}

impl Pipelines {
    /// Compiles the shaders.
    pub fn new(device: &wgpu::Device, physical: bool) -> Self {
        let module = |label, source: &'static str| {
            device.create_shader_module(wgpu::ShaderModuleDescriptor {
                label: Some(label),
                source: wgpu::ShaderSource::Wgsl(source.into()),
            })
        };
        macro_rules! joined {
            ($($file:literal)+) => { concat!($(include_str!(concat!("../shaders/", $file))),+) };
        }
        Self {
            surface: if physical {
                module("physical", joined!("common.wgsl" "lights.wgsl" "physical.wgsl"))
            } else {
                module("surface", joined!("common.wgsl" "lights.wgsl" "surface.wgsl"))
            },
            ids: module("ids", joined!("common.wgsl" "ids.wgsl")),
            physical,
            made: HashMap::new(),
        }
    }

    /// Makes a pipeline, unless it is there.
    pub fn prepare(&mut self, device: &wgpu::Device, layouts: &Layouts, key: PipelineKey) {
        if !self.made.contains_key(&key) {
            let pipeline = self.make(device, layouts, key);
            self.made.insert(key, pipeline);
        }
    }

    /// Returns a pipeline that was prepared.
    pub fn get(&self, key: PipelineKey) -> Option<&wgpu::RenderPipeline> {
        self.made.get(&key)
    }

    fn make(&self, device: &wgpu::Device, layouts: &Layouts, key: PipelineKey) -> wgpu::RenderPipeline {
        use Program::*;
        let (module, vertex, fragment) = match key.program {
            Surface | Unshadowed | Mirrored if self.physical => {
                (&self.surface, "physical_vertex", Some("physical_fragment"))
            }
            Line | MirroredLine if self.physical => (&self.surface, "line_vertex", Some("physical_flat_fragment")),
            Sky if self.physical => (&self.surface, "surface_vertex", Some("physical_sky_fragment")),
            Haze if self.physical => (&self.surface, "surface_vertex", Some("physical_haze_fragment")),
            Surface | Unshadowed | Mirrored => (&self.surface, "surface_vertex", Some("surface_fragment")),
            Line | MirroredLine => (&self.surface, "line_vertex", Some("flat_fragment")),
            Sky => (&self.surface, "surface_vertex", Some("sky_fragment")),
            Haze => (&self.surface, "surface_vertex", Some("haze_fragment")),
            Ids => (&self.ids, "ids_vertex", Some("ids_fragment")),
            LineIds => (&self.ids, "ids_line_vertex", Some("ids_fragment")),
            Shadow => (&self.ids, "shadow_vertex", None),
        };
        let is_plain = matches!(key.program, Ids | LineIds | Shadow);
        let texture = match key.texture {
            TextureKind::None => 0.0,
            TextureKind::Flat => 1.0,
            TextureKind::Cube => 2.0,
        };
        let flag = |on: bool| if on { 1.0 } else { 0.0 };
        let mirrored = matches!(key.program, Mirrored | MirroredLine);
        let mut constants =
            vec![("TEXTURE", texture), ("SHADOWS", flag(key.program == Surface)), ("MIRROR", flag(mirrored))];
        if self.physical {
            constants.push(("LAYERS", key.layers.into()));
        }
        let colour = |format, blend| Some(wgpu::ColorTargetState { format, blend, write_mask: wgpu::ColorWrites::ALL });
        let targets = match key.program {
            Ids | LineIds => vec![colour(DISTANCE, None), colour(IDS, None)],
            _ => vec![colour(if self.physical { RADIANCE } else { COLOUR }, blend_state(key.blend))],
        };
        let attributes = wgpu::vertex_attr_array![0 => Float32x4, 1 => Float32x3, 2 => Float32x2];
        let buffers = [Some(wgpu::VertexBufferLayout {
            array_stride: size_of::<Vertex>() as u64,
            step_mode: wgpu::VertexStepMode::Vertex,
            attributes: &attributes,
        })];
        // Depth is reversed, so casters are moved away from the light by negative offsets. The slope's share covers the
        // two texels between which shadows are interpolated.
        let bias = if key.program == Shadow {
            wgpu::DepthBiasState { constant: -8, slope_scale: -2.0, clamp: 0.0 }
        } else {
            wgpu::DepthBiasState::default()
        };
        device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
            label: Some("mj-render"),
            layout: Some(if is_plain { &layouts.plain } else { &layouts.shaded }),
            vertex: wgpu::VertexState {
                module,
                entry_point: Some(vertex),
                compilation_options: wgpu::PipelineCompilationOptions::default(),
                buffers: &buffers,
            },
            primitive: wgpu::PrimitiveState {
                cull_mode: match key.cull {
                    Cull::None => None,
                    Cull::Back => Some(wgpu::Face::Back),
                    Cull::Front => Some(wgpu::Face::Front),
                },
                polygon_mode: if key.wireframe { wgpu::PolygonMode::Line } else { wgpu::PolygonMode::Fill },
                ..Default::default()
            },
            depth_stencil: Some(wgpu::DepthStencilState {
                format: DEPTH,
                depth_write_enabled: Some(key.writes_depth),
                depth_compare: Some(wgpu::CompareFunction::GreaterEqual),
                stencil: wgpu::StencilState::default(),
                bias,
            }),
            multisample: wgpu::MultisampleState { count: key.samples, ..Default::default() },
            fragment: fragment.map(|entry_point| wgpu::FragmentState {
                module,
                entry_point: Some(entry_point),
                compilation_options: wgpu::PipelineCompilationOptions {
                    constants: if is_plain { &[] } else { &constants },
                    ..Default::default()
                },
                targets: &targets,
            }),
            multiview_mask: None,
            cache: None,
        })
    }
}

fn blend_state(blend: Blend) -> Option<wgpu::BlendState> {
    use wgpu::BlendFactor::{One, OneMinusSrcAlpha, SrcAlpha};
    let (src_factor, dst_factor) = match blend {
        Blend::Replace => return None,
        Blend::Sum => (One, One),
        Blend::Cover => (SrcAlpha, OneMinusSrcAlpha),
        Blend::Glow => (SrcAlpha, One),
    };
    let component = wgpu::BlendComponent { src_factor, dst_factor, operation: wgpu::BlendOperation::Add };
    Some(wgpu::BlendState { color: component, alpha: component })
}
