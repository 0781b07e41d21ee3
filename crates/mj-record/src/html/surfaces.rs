//! Surfaces of flexes and skins over the frames: corners at one place are one vertex, whose places are recorded.

use super::column::{quantize, write_column};
use super::json::list;
use super::topology::{Topology, visit};
use super::tracks::Runs;
use mj_engine::Model;
use mj_scene::Scene;

struct Surface {
    topology: Topology,
    runs: Runs,
    /// Places of all vertices, frame by frame.
    places: Vec<i64>,
}

/// All surfaces over the frames.
pub struct Surfaces {
    quantum: f64,
    all: Vec<Surface>,
}

impl Surfaces {
    /// Returns no surfaces, with a quantum of positions, m.
    pub fn new(quantum: f64) -> Self {
        Self { quantum, all: Vec::new() }
    }

    /// Adds the surfaces of a frame.
    pub fn push(&mut self, m: &Model, frame: usize, scene: &Scene) {
        visit(m, scene, &mut |geom, kind, corners, texcoords| {
            let at = self.all.iter().rposition(|s| s.topology.fits(geom, kind, corners)).unwrap_or_else(|| {
                let topology = Topology::new(geom, kind, corners, texcoords);
                self.all.push(Surface { topology, runs: Runs::default(), places: Vec::new() });
                self.all.len() - 1
            });
            let Surface { topology, runs, places } = &mut self.all[at];
            runs.push(frame);
            places.extend(topology.places(corners).flatten().map(|x| quantize(x.into(), self.quantum)));
        });
    }

    /// Appends columns to a block, and returns the surfaces in JSON; `texture` gives the page's number of a texture.
    pub fn describe(&self, out: &mut Vec<u8>, mut texture: impl FnMut(i32) -> i64) -> String {
        list(self.all.iter().map(|s| {
            s.topology.write(out);
            let numbers = 3 * s.topology.vertices();
            for k in 0..numbers {
                let column: Vec<i64> = s.places.iter().skip(k).step_by(numbers).copied().collect();
                write_column(out, &column);
            }
            s.topology.describe(texture(s.topology.look.texid)).raw("runs", &s.runs.describe()).finish()
        }))
    }
}
