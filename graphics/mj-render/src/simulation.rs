//! Pictures of simulations.

use crate::error::RenderError;
use crate::options::Outputs;
use crate::picture::{Frame, Image};
use crate::renderer::Renderer;
use mj_engine::Simulation;
use mj_scene::{Camera, Scene, SceneOptions, category, update_scene};

/// Pictures of a simulation, whose engine knows no GPU.
pub trait RenderSimulation {
    /// Draws the colours that the default free camera sees.
    ///
    /// # Errors
    /// Those of [`Renderer::render`], and if the simulation has another model than the renderer.
    fn render_simulation(&mut self, simulation: &Simulation, width: u32, height: u32) -> Result<Image, RenderError> {
        let mut camera = Camera::free(simulation.model());
        let options = SceneOptions::default();
        Ok(self.render_simulation_as(simulation, &mut camera, &options, width, height, Outputs::RGB)?.into_image())
    }

    /// Draws any of colours, depth and ids that a camera sees, with options of the scene.
    ///
    /// # Errors
    /// Those of [`Renderer::render`], and if the camera is not valid.
    fn render_simulation_as(
        &mut self,
        simulation: &Simulation,
        camera: &mut Camera,
        options: &SceneOptions,
        width: u32,
        height: u32,
        outputs: Outputs,
    ) -> Result<Frame, RenderError>;
}

impl RenderSimulation for Renderer {
    fn render_simulation_as(
        &mut self,
        simulation: &Simulation,
        camera: &mut Camera,
        options: &SceneOptions,
        width: u32,
        height: u32,
        outputs: Outputs,
    ) -> Result<Frame, RenderError> {
        let mut scene = Scene::default();
        let (m, d) = (simulation.model(), simulation.data());
        update_scene(m, d, options, None, camera, category::ALL, &mut scene)?;
        self.render_frame(&scene, width, height, outputs)
    }
}
