//! Abstract scenes of models: geoms, lights, cameras and labels that a renderer draws, with no GPU and no files.
#![forbid(unsafe_code)]

mod camera;
mod codes;
mod dump;
mod error;
mod label;
mod options;
mod perturb;
mod scene;
mod settings;
mod surface;
mod update;
mod view;
mod volumes;

pub use camera::Camera;
pub use codes::{CameraKind, FrameKind, LabelKind, MouseAction, RndFlag, SceneShape, Stereo, VisFlag, category, pert};
pub use error::SceneError;
pub use options::{NGROUP, SceneOptions};
pub use perturb::Perturb;
pub use scene::{EyeCamera, FlexSurface, Scene, SceneGeom, SceneLight, SkinSurface, Surface};
pub use settings::{Global, Headlight, Map, Quality, Rgba, Scale, VisualSettings};
pub use update::{add_geoms, make_lights, update_camera, update_scene};
pub use view::CameraFrame;
pub use volumes::{BoundingVolumes, Trees};
