//! Viewers of simulations that a program steps itself.

use crate::channel::{Client, Publisher, ends};
use crate::edits::{Pull, edit};
use crate::event::Event;
use crate::host::write_state;
use crate::overlay::Overlay;
use crate::snapshot::{Look, Pace, Snapshot, Statistics};
use mj_engine::{Data, Model};
use mj_scene::{Camera, SceneGeom, SceneOptions};
use std::sync::Arc;
use std::sync::mpsc::TryRecvError;

/// Most events in one call.
const EVENTS: usize = 1000;

/// The end of a program that steps a simulation itself and shows it to viewers.
#[derive(Debug)]
pub struct Passive {
    publisher: Publisher,
    model: Option<Arc<Model>>,
    generation: u64,
    pull: Pull,
    watched: bool,
    look: Option<Arc<Look>>,
    /// Geoms that are shown beside those of the model.
    pub geoms: Vec<SceneGeom>,
    /// Texts and images over the picture: another pointer for other ones.
    pub overlay: Arc<Overlay>,
    /// Pace that viewers show, where the program does what events ask of it; None: they show none.
    pub pace: Option<Pace>,
}

impl Passive {
    /// Makes both ends.
    pub fn new() -> (Self, Client) {
        let (publisher, client) = ends();
        let (pull, geoms) = (Pull::default(), Vec::new());
        let (model, look, pace) = (None, None, None);
        let overlay = Arc::default();
        (Self { publisher, model, generation: 0, pull, watched: true, look, geoms, overlay, pace }, client)
    }

    /// Returns whether a viewer was there at the last [`sync`](Self::sync).
    pub fn is_watched(&self) -> bool {
        self.watched
    }

    /// Asks viewers to look through a camera, or with options, from the next [`sync`](Self::sync) on.
    pub fn look(&mut self, camera: Option<Camera>, options: Option<SceneOptions>) {
        let number = self.look.as_ref().map_or(0, |look| look.number) + 1;
        self.look = Some(Arc::new(Look { number, camera, options }));
    }

    /// Makes viewers read the model's meshes, height fields and textures anew at the next [`sync`](Self::sync).
    pub fn renew(&mut self) {
        self.model = None;
    }

    /// Shows the present state, sets what users have changed, and writes the forces with which they pull for the next step.
    /// Returns the events that are left to the program: those of pace, resets, files and keys.
    ///
    /// Viewers share the model: a program that edits it gives a new pointer. Edited parameters are shown; for edited assets
    /// there is [`renew`](Self::renew).
    pub fn sync(&mut self, m: &Arc<Model>, d: &mut Data) -> Vec<Event> {
        let signature = m.structure.signature();
        if self.model.as_ref().is_none_or(|known| known.structure.signature() != signature) {
            self.generation += 1;
            self.pull = Pull::default();
        }
        self.model = Some(m.clone());
        let mut left = Vec::new();
        for _ in 0..EVENTS {
            match self.publisher.events.try_recv() {
                Err(TryRecvError::Empty) => break,
                Err(TryRecvError::Disconnected) => {
                    self.watched = false;
                    break;
                }
                Ok(event) => self.handle(m, d, event, &mut left),
            }
        }
        self.pull.apply(m, d);
        let mut state = Vec::new();
        write_state(m, d, &mut state);
        self.publisher.publish(Snapshot {
            model: m.clone(),
            generation: self.generation,
            state,
            time: d.state.time,
            pace: self.pace,
            statistics: Statistics::new(m, d, 1),
            message: None,
            geoms: self.geoms.clone(),
            look: self.look.clone(),
            overlay: self.overlay.clone(),
        });
        left
    }
    fn handle(&mut self, m: &Model, d: &mut Data, event: Event, left: &mut Vec<Event>) {
        match event {
            Event::Perturb(perturb) => self.pull.replace(m, d, *perturb),
            Event::Control(..) | Event::Position(..) | Event::Equality(..) => _ = edit(d, &event),
            event => left.push(event),
        }
    }
}
