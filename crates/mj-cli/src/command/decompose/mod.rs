//! `mj decompose`: splits a mesh into convex parts.

#[cfg(feature = "decompose")]
mod parts;

#[cfg(not(feature = "decompose"))]
use crate::failure::Failure;
use mj_compile::decompose::Splitting;
use std::path::PathBuf;

/// Splits a mesh into convex parts and writes them, with a model of all parts together.
#[derive(clap::Args)]
#[command(after_help = HELP)]
pub struct Args {
    /// Mesh file: .stl, .obj or .msh.
    pub mesh: PathBuf,
    /// Folder to write into; made if it isn't there.
    #[arg(short, long)]
    pub out: PathBuf,
    /// How far parts may be from convex, as a fraction of the hull's volume: less gives more parts.
    #[arg(long, default_value_t = Splitting::default().concavity)]
    pub concavity: f64,
    /// Voxels along the longest side, 8 to 256: more follow the mesh more closely and take longer.
    #[arg(long, default_value_t = Splitting::default().voxels)]
    pub voxels: u32,
    /// The largest number of parts.
    #[arg(long, default_value_t = Splitting::default().most)]
    pub most: u32,
}

const HELP: &str = "\
A mesh collides as its convex hull: a cup is solid, a ring has no hole. Convex parts collide as what they are.

Example:
  mj decompose cup.stl -o cup_parts
writes cup_parts/cup_0.obj, cup_1.obj, …, and cup_parts/cup.xml, a model of one body with a geom for each part, which can
be run as it is, attached to another model, or copied from. The parts lie where the mesh has them, so a geom of the mesh
itself beside them (contype=\"0\" conaffinity=\"0\") shows what they stand for.";

#[cfg(feature = "decompose")]
pub use parts::run;

/// Says how to get a build that splits meshes.
#[cfg(not(feature = "decompose"))]
pub fn run(_: &Args) -> Result<(), Failure> {
    Err(Failure::Missing { what: "decomposition", feature: "decompose" })
}
