//! Abstract scenes of simulations: geoms, lights, cameras and labels that a renderer draws, with no GPU and no files.
//!
//! ```
//! use mj_engine::prelude::*;
//! use mj_scene::{Camera, Scene, SceneOptions, category, update_scene};
//!
//! let mut sim = Simulation::from_xml(r#"<mujoco><worldbody><geom size=".1"/></worldbody></mujoco>"#)?;
//! sim.forward()?;
//! let mut camera = Camera::free(sim.model());
//! let mut scene = Scene::default();
//! let options = SceneOptions::default();
//! update_scene(sim.model(), sim.data(), &options, None, &mut camera, category::ALL, &mut scene)?;
//! assert_eq!(scene.geoms.len(), 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! It knows no pixels, no windows and no GPU.
#![forbid(unsafe_code)]

mod camera;
mod codes;
mod dump;
mod error;
mod interact;
mod label;
mod options;
mod scene;
mod settings;
mod surface;
mod update;
mod vectors;
mod view;
mod volumes;

pub use camera::Camera;
pub use codes::{CameraKind, FrameKind, LabelKind, MouseAction, RndFlag, SceneShape, Stereo, VisFlag, category, pert};
pub use error::SceneError;
pub use interact::{Perturb, Selection, apply_perturb_force, apply_perturb_pose, select};
pub use options::{NGROUP, SceneOptions};
pub use scene::{EyeCamera, FlexSurface, Scene, SceneGeom, SceneLight, SkinSurface, Surface};
pub use settings::{Global, Headlight, Map, Quality, Rgba, Scale, VisualSettings};
pub use update::{add_geoms, make_lights, update_camera, update_scene, update_skins};
pub use view::CameraFrame;
pub use volumes::{BoundingVolumes, Trees};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
