//! Encoding of passes.

use super::draws::Draw;
use super::shadows::ShadowMaps;
use crate::gpu::{Pipelines, Targets, Textures, VIEW_BYTES, whole};
use crate::scene::Triangles;

/// Resources that all passes read.
pub struct Bound<'a> {
    /// Pipelines, all of them prepared.
    pub pipelines: &'a Pipelines,
    /// Textures.
    pub textures: &'a Textures,
    /// View and instances.
    pub scene: &'a wgpu::BindGroup,
    /// Lights and shadow maps.
    pub lights: &'a wgpu::BindGroup,
    /// Environment, of physical shading.
    pub environment: Option<&'a wgpu::BindGroup>,
    /// Vertices and indices of shapes and assets.
    pub fixed: (&'a wgpu::Buffer, &'a wgpu::Buffer),
    /// Vertices of flexes and skins.
    pub moving: &'a wgpu::Buffer,
}

/// Pass under way.
pub struct Passes<'a, 'b> {
    bound: &'a Bound<'a>,
    pass: wgpu::RenderPass<'b>,
}

impl Passes<'_, '_> {
    fn draw(&mut self, draws: &[Draw], lights: Option<u32>) {
        let Self { bound, pass } = self;
        let (mut pipeline, mut textures, mut view, mut moving) = (None, None, None, None);
        if let Some(offset) = lights {
            pass.set_bind_group(1, bound.lights, &[offset]);
            if let Some(environment) = bound.environment {
                pass.set_bind_group(3, environment, &[]);
            }
        }
        for draw in draws {
            let Some(next) = bound.pipelines.get(draw.key) else { continue };
            if pipeline != Some(draw.key) {
                pass.set_pipeline(next);
                pipeline = Some(draw.key);
            }
            if view != Some(draw.view) {
                pass.set_bind_group(0, bound.scene, &[draw.view * VIEW_BYTES as u32]);
                view = Some(draw.view);
            }
            if lights.is_some() && textures != Some(draw.textures) {
                pass.set_bind_group(2, bound.textures.group(draw.textures), &[]);
                textures = Some(draw.textures);
            }
            match &draw.triangles {
                Triangles::Fixed(mesh) => {
                    if moving != Some(false) {
                        pass.set_vertex_buffer(0, bound.fixed.0.slice(..));
                        pass.set_index_buffer(bound.fixed.1.slice(..), wgpu::IndexFormat::Uint32);
                        moving = Some(false);
                    }
                    pass.draw_indexed(mesh.indices.clone(), mesh.base, draw.instances.clone());
                }
                Triangles::Moving(vertices) => {
                    if moving != Some(true) {
                        pass.set_vertex_buffer(0, bound.moving.slice(..));
                        moving = Some(true);
                    }
                    pass.draw(vertices.clone(), draw.instances.clone());
                }
            }
        }
    }
}

fn depth(view: &wgpu::TextureView, store: wgpu::StoreOp) -> Option<wgpu::RenderPassDepthStencilAttachment<'_>> {
    Some(wgpu::RenderPassDepthStencilAttachment {
        view,
        // Depth is reversed: 0 is the far plane.
        depth_ops: Some(wgpu::Operations { load: wgpu::LoadOp::Clear(0.0), store }),
        stencil_ops: None,
    })
}

fn begin<'a, 'b>(
    bound: &'a Bound<'a>,
    encoder: &'b mut wgpu::CommandEncoder,
    colours: &[Option<wgpu::RenderPassColorAttachment>],
    depth: Option<wgpu::RenderPassDepthStencilAttachment>,
) -> Passes<'a, 'b> {
    let pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
        label: None,
        color_attachments: colours,
        depth_stencil_attachment: depth,
        timestamp_writes: None,
        occlusion_query_set: None,
        multiview_mask: None,
    });
    Passes { bound, pass }
}

/// Encodes the pass of one shadow map.
pub fn encode_shadows(
    bound: &Bound,
    encoder: &mut wgpu::CommandEncoder,
    maps: &ShadowMaps,
    layer: usize,
    draws: &[Draw],
) {
    let Some(view) = maps.layers.get(layer) else { return };
    let mut passes = begin(bound, encoder, &[], depth(view, wgpu::StoreOp::Store));
    if maps.size > 2 {
        // A rim without casters, so that shadows at the edge don't go on beyond it.
        let side = (maps.size - 2) as f32;
        passes.pass.set_viewport(1.0, 1.0, side, side, 0.0, 1.0);
    }
    passes.draw(draws, None);
}

/// Encodes the pass of the colours.
pub fn encode_colour(
    bound: &Bound,
    encoder: &mut wgpu::CommandEncoder,
    targets: &Targets,
    lights: u32,
    draws: &[Draw],
) {
    let result = whole(targets.radiance.as_ref().unwrap_or(&targets.colour));
    let (view, resolve_target, store) = match &targets.samples {
        Some(samples) => (samples, Some(&result), wgpu::StoreOp::Discard),
        None => (&result, None, wgpu::StoreOp::Store),
    };
    let ops = wgpu::Operations { load: wgpu::LoadOp::Clear(wgpu::Color::TRANSPARENT), store };
    let colour = wgpu::RenderPassColorAttachment { view, depth_slice: None, resolve_target, ops };
    let depth = depth(&targets.colour_depth, wgpu::StoreOp::Discard);
    begin(bound, encoder, &[Some(colour)], depth).draw(draws, Some(lights));
}

/// Encodes the pass of depth and ids.
pub fn encode_ids(bound: &Bound, encoder: &mut wgpu::CommandEncoder, targets: &Targets, far: f64, draws: &[Draw]) {
    let (distance, ids) = (whole(&targets.distance), whole(&targets.ids));
    let colour = |view, r| {
        let load = wgpu::LoadOp::Clear(wgpu::Color { r, g: -1.0, b: 0.0, a: 0.0 });
        let ops = wgpu::Operations { load, store: wgpu::StoreOp::Store };
        Some(wgpu::RenderPassColorAttachment { view, depth_slice: None, resolve_target: None, ops })
    };
    let colours = [colour(&distance, far), colour(&ids, -1.0)];
    begin(bound, encoder, &colours, depth(&targets.ids_depth, wgpu::StoreOp::Discard)).draw(draws, None);
}
