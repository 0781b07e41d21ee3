//! Stiffness of rods, positive semidefinite.

use super::forces::{edges_of, pair_of, stiffness_of};
use super::hinge::{Bend, Strain, framed, size_stiffness, twist_stiffness};
use super::pair;
use super::plan::{Hinge, Twist};
use crate::buffers::Flexes;
use crate::plan::FlexPlan;
use mj_math::DVec3;
use mj_model::*;

/// A direction of motion of up to four vertices that is resisted.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RodRow {
    /// Stiffness: the matrix of the row is `weight` times its outer product with itself.
    pub weight: f64,
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
    /// Rows; those of weight 0 say nothing.
    pub rows: [RodRow; 8],
    /// Dofs by which the edges before and after the vertex twist; none where an edge has none.
    pub twist: [Option<usize>; 2],
    /// Stiffness of torsion κ: over both dofs it is κ [[1, −1], [−1, 1]].
    pub torsion: f64,
    /// Stiffness of bending against the twist of either edge, on the diagonal.
    pub diagonal: [f64; 2],
}

fn row(h: &Hinge, s: &Strain) -> RodRow {
    let mut vertex = [DVec3::ZERO; 4];
    for (i, e) in s.edge.iter().enumerate().take(if h.pair { 3 } else { 2 }) {
        vertex[i] -= *e;
        vertex[i + 1] += *e;
    }
    RodRow { weight: 2.0 * s.weight, vertex }
}

/// Calls `take` with the stiffness of each vertex that bends, of all rods, at the state for which their frames were placed.
///
/// The stiffness is that of the reference's integrator `discrete`: Σ `weight` row rowᵀ over the positions of vertices, without
/// the turning of bodies that edges are fixed to, and the matrix of the twist dofs; positions and twist are not coupled.
/// Allocates nothing.
pub fn rod_stiffness(m: &Model, plan: &FlexPlan, flexes: &Flexes, mut take: impl FnMut(&RodStiffness)) {
    let (mut edge, mut inner) = (0, 0);
    for (f, rod) in plan.rods.iter().enumerate() {
        let Some(rod) = rod else { continue };
        let f = FlexId::new(f);
        let first = m.flex.vertadr[f] as usize;
        let x = &flexes.vert_xpos[first..];
        for (i, (h, r)) in rod.hinges.iter().zip(m.rod_records(f)).enumerate() {
            let e = edges_of(h, x);
            let mut out = RodStiffness {
                flex: f,
                vertex: h.vertex.map(|v| first + v),
                rows: [RodRow::default(); 8],
                twist: [None; 2],
                torsion: 0.0,
                diagonal: [0.0; 2],
            };
            let mut fill = |strains: &[Strain]| out.rows.iter_mut().zip(strains).for_each(|(o, s)| *o = row(h, s));
            match &rod.chain {
                _ if h.pair => fill(&pair::stiffness(&e, &pair_of(r))),
                None => fill(&size_stiffness(&Bend::new([e[0], e[1]]), r[4], r[6])),
                Some(chain) => {
                    let bend = Bend::new([e[0], e[1]]);
                    let axes = [0, 1].map(|j| flexes.rods.edges[edge + i + j].axes);
                    let (state, k) = (flexes.rods.between[inner + i], stiffness_of(r));
                    fill(&framed(&bend, &k, &axes, state.rest, state.twist));
                    out.twist = [0, 1].map(|j| match chain.twist[i + j] {
                        Twist::Joint { dof, .. } => Some(dof),
                        Twist::Fixed(_) => None,
                    });
                    out.torsion = 2.0 * k.torsion;
                    out.diagonal = twist_stiffness(&bend, &k, &axes, state.rest);
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
