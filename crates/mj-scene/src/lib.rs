//! Abstract scenes of models: geoms, lights, cameras and labels that a renderer draws, with no GPU and no files.
#![forbid(unsafe_code)]

mod camera;
mod codes;
mod options;
mod scene;
mod settings;

pub use camera::Camera;
pub use codes::{CameraKind, FrameKind, LabelKind, MouseAction, RndFlag, SceneShape, Stereo, VisFlag, category, pert};
pub use options::{NGROUP, SceneOptions};
pub use scene::{EyeCamera, FlexSurface, Scene, SceneGeom, SceneLight, Surface};
pub use settings::{Global, Headlight, Map, Quality, Rgba, Scale, VisualSettings};
