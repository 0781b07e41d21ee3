//! Pass from radiances to colours.

use crate::error::RenderError;
use crate::gpu::{COLOUR, Gpu, Targets, whole};
use crate::options::ToneMap;

/// Pipeline of the pass, with its exposure.
pub struct ToneStage {
    pipeline: wgpu::RenderPipeline,
    exposure: wgpu::Buffer,
}

impl ToneStage {
    /// Makes the pipeline; exposure is in stops.
    pub fn new(gpu: &Gpu, map: ToneMap, exposure: f32) -> Result<Self, RenderError> {
        let module = gpu.device.create_shader_module(wgpu::ShaderModuleDescriptor {
            label: Some("tone"),
            source: wgpu::ShaderSource::Wgsl(include_str!("../shaders/tone.wgsl").into()),
        });
        let map = match map {
            ToneMap::Neutral => 0.0,
            ToneMap::Aces => 1.0,
            ToneMap::Clip => 2.0,
        };
        let target = wgpu::ColorTargetState { format: COLOUR, blend: None, write_mask: wgpu::ColorWrites::ALL };
        let pipeline = gpu.device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
            label: Some("tone"),
            layout: None,
            vertex: wgpu::VertexState {
                module: &module,
                entry_point: Some("tone_vertex"),
                compilation_options: wgpu::PipelineCompilationOptions::default(),
                buffers: &[],
            },
            primitive: wgpu::PrimitiveState::default(),
            depth_stencil: None,
            multisample: wgpu::MultisampleState::default(),
            fragment: Some(wgpu::FragmentState {
                module: &module,
                entry_point: Some("tone_fragment"),
                compilation_options: wgpu::PipelineCompilationOptions {
                    constants: &[("TONE_MAP", map)],
                    ..Default::default()
                },
                targets: &[Some(target)],
            }),
            multiview_mask: None,
            cache: None,
        });
        let usage = wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST;
        let buffer = gpu.buffer("exposure", 16, usage)?;
        let stage = Self { pipeline, exposure: buffer };
        stage.set_exposure(gpu, exposure);
        Ok(stage)
    }

    /// Sets the exposure, stops; beyond 30 all is black or white.
    pub fn set_exposure(&self, gpu: &Gpu, stops: f32) {
        let factor = if stops.is_finite() { stops.clamp(-30.0, 30.0).exp2() } else { 1.0 };
        gpu.queue.write_buffer(&self.exposure, 0, bytemuck::cast_slice(&[factor, 0.0, 0.0, 0.0]));
    }

    /// Encodes the pass.
    pub fn encode(&self, gpu: &Gpu, encoder: &mut wgpu::CommandEncoder, targets: &Targets) {
        let Some(radiance) = &targets.radiance else { return };
        let group = gpu.device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: None,
            layout: &self.pipeline.get_bind_group_layout(0),
            entries: &[
                wgpu::BindGroupEntry { binding: 0, resource: wgpu::BindingResource::TextureView(&whole(radiance)) },
                wgpu::BindGroupEntry { binding: 1, resource: self.exposure.as_entire_binding() },
            ],
        });
        let view = whole(&targets.colour);
        let ops = wgpu::Operations { load: wgpu::LoadOp::Clear(wgpu::Color::BLACK), store: wgpu::StoreOp::Store };
        let colour = wgpu::RenderPassColorAttachment { view: &view, depth_slice: None, resolve_target: None, ops };
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: None,
            color_attachments: &[Some(colour)],
            ..Default::default()
        });
        pass.set_pipeline(&self.pipeline);
        pass.set_bind_group(0, &group, &[]);
        pass.draw(0..3, 0..1);
    }
}
