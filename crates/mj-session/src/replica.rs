//! A viewer's own model and data, from which it computes what it shows.

use crate::event::Event;
use crate::snapshot::{Look, Snapshot};
use mj_engine::{Data, DataError, Model, QueryError, Signature, complete, forward, set_state};
use mj_scene::{
    Camera, MouseAction, Perturb, RndFlag, Scene, SceneError, SceneGeom, SceneOptions, Selection, category, pert,
    select, update_scene,
};
use std::sync::Arc;

/// Viewer's copy of a simulation, with its camera, options and selection.
#[derive(Debug)]
pub struct Replica {
    model: Arc<Model>,
    data: Data,
    generation: u64,
    /// Camera that looks.
    pub camera: Camera,
    /// Flags, groups, frames and labels.
    pub options: SceneOptions,
    /// Selection and perturbation.
    pub perturb: Perturb,
    scene: Scene,
    geoms: Vec<SceneGeom>,
    look: Option<Arc<Look>>,
}

impl Replica {
    /// Begins with a snapshot's model.
    ///
    /// # Errors
    /// If the model is larger than memory.
    pub fn new(snapshot: &Snapshot) -> Result<Self, DataError> {
        Ok(Self {
            data: Data::new(&snapshot.model)?,
            camera: Camera::initial(&snapshot.model),
            model: snapshot.model.clone(),
            generation: snapshot.generation,
            options: SceneOptions::default(),
            perturb: Perturb::default(),
            scene: Scene::default(),
            geoms: Vec::new(),
            look: None,
        })
    }

    /// Returns the model.
    pub fn model(&self) -> &Arc<Model> {
        &self.model
    }

    /// Returns the results of the last snapshot.
    pub fn data(&self) -> &Data {
        &self.data
    }

    /// Returns the scene of the last picture.
    pub fn scene(&self) -> &Scene {
        &self.scene
    }

    /// Returns whether a snapshot has another model.
    pub fn is_outdated(&self, snapshot: &Snapshot) -> bool {
        self.generation != snapshot.generation
    }

    /// Takes a snapshot's state, edited parameters and the view that its program asks for, and computes all that follows from it, the energies too.
    ///
    /// # Errors
    /// If the snapshot has another model, or the engine refuses the state.
    pub fn take(&mut self, snapshot: &Snapshot) -> Result<(), QueryError> {
        self.geoms.clone_from(&snapshot.geoms);
        if !Arc::ptr_eq(&self.model, &snapshot.model) && !self.is_outdated(snapshot) {
            // Its parameters were edited.
            self.model = snapshot.model.clone();
        }
        if let Some(look) = snapshot.look.as_ref().filter(|&look| self.look.as_ref() != Some(look)) {
            self.camera = look.camera.clone().unwrap_or_else(|| self.camera.clone());
            self.options = look.options.clone().unwrap_or_else(|| self.options.clone());
            self.look = Some(look.clone());
        }
        if !snapshot.state.is_empty() {
            set_state(&self.model, &mut self.data, Signature::INTEGRATION, &snapshot.state)?;
            forward(&self.model, &mut self.data)?;
            complete(&self.model, &mut self.data);
        }
        Ok(())
    }

    /// Computes the scene of all that is shown.
    ///
    /// # Errors
    /// If the camera is not valid.
    pub fn update_scene(&mut self) -> Result<(), SceneError> {
        let (m, d) = (&self.model, &self.data);
        update_scene(m, d, &self.options, Some(&self.perturb), &mut self.camera, category::ALL, &mut self.scene)?;
        for geom in &self.geoms {
            let segid = self.scene.geoms.len() as i32;
            self.scene.geoms.push(SceneGeom { segid, ..geom.clone() });
        }
        Ok(())
    }

    /// Turns an effect of the renderer on or off.
    pub fn set_effect(&mut self, effect: RndFlag, on: bool) {
        self.scene.set_flag(effect, on);
    }

    /// Selects the body at a place of the picture, x to the right and y up from its lower left corner, 0 to 1; nothing where there is
    /// none. Returns what was found.
    ///
    /// # Errors
    /// If there was no picture yet.
    pub fn select(&mut self, aspect: f64, place: [f64; 2]) -> Result<Option<Selection>, QueryError> {
        let found = select(&self.model, &self.data, &self.options, aspect, place, &self.scene)?;
        self.perturb = match found {
            None => Perturb::default(),
            Some(at) => {
                let poses = &self.data.smooth.poses;
                Perturb {
                    select: at.body.index() as i32,
                    flexselect: at.flex.map_or(-1, |flex| flex.index() as i32),
                    skinselect: at.skin.map_or(-1, |skin| skin.index() as i32),
                    localpos: poses.xmat[at.body].transpose() * (at.point - poses.xpos[at.body]),
                    ..Perturb::default()
                }
            }
        };
        Ok(found)
    }

    /// Starts to pull (`pert::TRANSLATE`) or turn (`pert::ROTATE`) the selected body; the world can't be.
    pub fn start_pulling(&mut self, active: i32) {
        if self.perturb.select > 0 && active & (pert::TRANSLATE | pert::ROTATE) != 0 {
            self.perturb.start(&self.model, &self.data, &self.scene);
            self.perturb.active = active;
        }
    }

    /// Pulls on by a way of the mouse, to the right and down in heights of the picture. Returns the event for the simulation.
    pub fn pull(&mut self, action: MouseAction, way: [f64; 2]) -> Event {
        self.perturb.move_by(&self.model, &self.data, action, way, &self.scene);
        Event::Perturb(Box::new(self.perturb.clone()))
    }

    /// Ends the pull. Returns the event for the simulation.
    pub fn stop_pulling(&mut self) -> Event {
        self.perturb.active = 0;
        Event::Perturb(Box::new(self.perturb.clone()))
    }

    /// Moves the camera by a way of the mouse, to the right and down in heights of the picture.
    pub fn move_camera(&mut self, action: MouseAction, way: [f64; 2]) {
        self.camera.move_by(&self.model, action, way);
    }
}
