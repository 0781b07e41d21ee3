//! The renderer's picture in the window.

use crate::error::ViewError;
use eframe::egui::{ColorImage, Context, TextureHandle, TextureOptions};
use mj_model::Model;
use mj_render::{Image, RenderOptions, Renderer};
use mj_session::Replica;
use std::time::{Duration, Instant};

/// Renderer of one model, and its last picture.
pub(crate) struct Picture {
    renderer: Renderer,
    /// Options of the renderer.
    options: RenderOptions,
    /// Options of the next picture.
    pub wanted: RenderOptions,
    texture: Option<TextureHandle>,
    /// Size of the last picture, pixels.
    pub size: [u32; 2],
    /// Time that the last picture took.
    pub time: Duration,
}

impl Picture {
    pub fn new(m: &Model, options: &RenderOptions) -> Result<Self, ViewError> {
        let renderer = Renderer::new(m, options)?;
        let (options, wanted) = (options.clone(), options.clone());
        Ok(Self { renderer, options, wanted, texture: None, size: [0; 2], time: Duration::ZERO })
    }

    /// Returns the name of the adapter that draws.
    pub fn adapter(&self) -> &str {
        &self.renderer.adapter().name
    }

    /// Draws a replica's scene anew.
    pub fn draw(&mut self, context: &Context, replica: &mut Replica, size: [u32; 2]) -> Result<(), ViewError> {
        let start = Instant::now();
        let image = self.image(replica, size)?;
        let pixels = ColorImage::from_rgb(size.map(|side| side as usize), &image.rgb);
        match &mut self.texture {
            Some(texture) => texture.set(pixels, TextureOptions::LINEAR),
            None => self.texture = Some(context.load_texture("picture", pixels, TextureOptions::LINEAR)),
        }
        self.size = size;
        self.time = start.elapsed();
        Ok(())
    }

    /// Returns the picture of a replica's scene.
    pub fn image(&mut self, replica: &mut Replica, [width, height]: [u32; 2]) -> Result<Image, ViewError> {
        let exposure = self.wanted.exposure;
        let before = std::mem::replace(&mut self.options, self.wanted.clone());
        if before.exposure != exposure {
            self.renderer.set_exposure(exposure);
        }
        if (RenderOptions { exposure, ..before }) != self.wanted {
            self.renderer = Renderer::new(replica.model(), &self.wanted)?;
        }
        replica.update_scene()?;
        Ok(self.renderer.render(replica.scene(), width, height)?)
    }

    /// Returns the last picture.
    pub fn texture(&self) -> Option<&TextureHandle> {
        self.texture.as_ref()
    }
}
