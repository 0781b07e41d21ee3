//! Stiffness of rods, positive semidefinite.

use super::forces::{edges_of, pair_of, stiffness_of};
use super::hinge::{Bend, Strain, damped_bending, framed, size_of_curvature, size_stiffness, twist_stiffness};
use super::pair;
use crate::buffers::Flexes;
use crate::lines::{Hinge, Twist};
use crate::plan::FlexPlan;
use mj_math::DVec3;
use mj_model::*;

/// Most rows of a vertex or of a pair: those of stiffness and those of damping.
const ROWS: usize = 15;

/// A direction of motion of up to four vertices that is resisted: the matrices of stiffness and damping are sums of
/// coefficient · row rowᵀ.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RodRow {
    /// Stiffness against bending.
    pub stiffness: f64,
    /// Stiffness against torsion. Over a step it resists acceleration alone: its force is that of the step's start.
    pub torsion: f64,
    /// Damping.
    pub damping: f64,
    /// Derivatives by the positions of the vertices, world frame.
    pub vertex: [DVec3; 4],
}

/// Stiffness of one vertex of a rod, or of a pair of them, world frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RodStiffness {
    /// The flex.
    pub flex: FlexId,
    /// Vertices among those of all flexes.
    pub vertex: [usize; 4],
    rows: [RodRow; ROWS],
    count: usize,
    /// Dofs by which the edges before and after the vertex twist; none where an edge has none.
    pub twist: [Option<usize>; 2],
    /// Stiffness κ and damping of torsion: over both dofs it is κ [[1, −1], [−1, 1]].
    pub torsion: [f64; 2],
    /// Stiffness of bending against the twist of either edge, on the diagonal.
    pub diagonal: [f64; 2],
}

impl RodStiffness {
    /// Returns the rows.
    pub fn rows(&self) -> &[RodRow] {
        &self.rows[..self.count]
    }

    /// Appends strains as rows, with the factors of their weights in stiffness and damping.
    fn add(&mut self, h: &Hinge, strains: &[Strain], stiffness: f64, damping: f64) {
        for s in strains.iter().filter(|s| s.weight != 0.0) {
            let (stiffness, damping) = (2.0 * s.weight * stiffness, 2.0 * s.weight * damping);
            self.rows[self.count] = RodRow { stiffness, torsion: 0.0, damping, vertex: by_vertices(h, s) };
            self.count += 1;
        }
    }

    /// Appends strains of torsion.
    fn add_torsion(&mut self, h: &Hinge, strains: &[Strain], stiffness: f64, damping: f64) {
        let first = self.count;
        self.add(h, strains, stiffness, damping);
        for row in &mut self.rows[first..self.count] {
            row.torsion = std::mem::take(&mut row.stiffness);
        }
    }
}

fn by_vertices(h: &Hinge, s: &Strain) -> [DVec3; 4] {
    let mut vertex = [DVec3::ZERO; 4];
    for (i, e) in s.edge.iter().enumerate().take(if h.pair { 3 } else { 2 }) {
        vertex[i] -= *e;
        vertex[i + 1] += *e;
    }
    vertex
}

/// Calls `take` with the stiffness of each vertex that bends, of all rods, at the state for which their frames were placed.
///
/// It is what the integrator `discrete` adds to the inertia. The sums over the rows act on the positions of vertices, and leave
/// out that bodies turn to which edges are fixed; the matrix of the twist dofs is apart from them. All are positive
/// semidefinite. What a flag disables is zero. Allocates nothing.
pub fn rod_stiffness(m: &Model, plan: &FlexPlan, flexes: &Flexes, mut take: impl FnMut(&RodStiffness)) {
    let springs = if m.opt.disabled(disable::SPRING) { 0.0 } else { 1.0 };
    let dampers = if m.opt.disabled(disable::DAMPER) { 0.0 } else { 1.0 };
    let (mut edge, mut inner) = (0, 0);
    for (f, rod) in plan.rods.iter().enumerate() {
        let Some(rod) = rod else { continue };
        let f = FlexId::new(f);
        let first = m.flex.vertadr[f] as usize;
        let x = &flexes.vert_xpos[first..];
        let damping = dampers * m.flex.damping[f];
        for (i, (h, r)) in rod.hinges.iter().zip(m.rod_records(f)).enumerate() {
            let e = edges_of(h, x);
            let mut out = RodStiffness {
                flex: f,
                vertex: h.vertex.map(|v| first + v),
                rows: [RodRow::default(); ROWS],
                count: 0,
                twist: [None; 2],
                torsion: [0.0; 2],
                diagonal: [0.0; 2],
            };
            let bend = Bend::new([e[0], e[1]]);
            match &rod.chain {
                _ if h.pair => {
                    out.add(h, &pair::stiffness(&e, &pair_of(r)), springs, 0.0);
                    out.add(h, &pair::strains(&e, &pair_of(r)), 0.0, damping);
                }
                None => {
                    out.add(h, &size_stiffness(&bend, r[4], r[6]), springs, 0.0);
                    out.add(h, &size_of_curvature(&bend, r[4], r[6]), 0.0, damping);
                }
                Some(chain) => {
                    let axes = [0, 1].map(|j| flexes.rods.edges[edge + i + j].axes);
                    let (state, k) = (flexes.rods.between[inner + i], stiffness_of(r));
                    let strains = framed(&bend, &k, &axes, state.rest, state.twist);
                    out.add(h, &strains[..4], springs, 0.0);
                    out.add_torsion(h, &strains[4..], springs, damping);
                    out.add(h, &damped_bending(&bend, &k, &axes), 0.0, damping);
                    out.twist = [0, 1].map(|j| match chain.twist[i + j] {
                        Twist::Joint { dof, .. } => Some(dof),
                        Twist::Fixed(_) => None,
                    });
                    out.torsion = [2.0 * k.torsion * springs, 2.0 * k.torsion * damping];
                    out.diagonal = twist_stiffness(&bend, &k, &axes, state.rest).map(|k| k * springs);
                }
            }
            take(&out);
        }
        if let Some(chain) = &rod.chain {
            edge += chain.twist.len();
            inner += chain.twist.len() - 1;
        }
    }
}
