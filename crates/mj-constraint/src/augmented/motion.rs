//! How the vertices of flexes move with dofs over a time step.

use crate::builder::RowWorkspace;
use crate::contact::fill;
use crate::flex;
use crate::passive::point_mass;
use mj_collide::continuous::resolves_flexes;
use mj_dynamics::{Chains, Smooth, Wrenches};
use mj_math::{BlockRows, DVec3};
use mj_model::*;

/// Masses of vertices, and the derivatives of their places by the dofs.
///
/// Joints that slide are all that moves such vertices: places are linear in the velocities over a step.
#[derive(Clone, Debug, Default)]
pub struct VertexMotion {
    /// Mass that a contact of the vertex moves; zero where it cannot move. nflexvert.
    pub mass: Vec<f64>,
    /// Whether contacts of the vertex's flex are resolved. nflexvert.
    pub resolved: Vec<bool>,
    /// Whether the vertex can move, and they are. nflexvert.
    pub moves: Vec<bool>,
    /// Whether each tree carries one that can.
    pub tree: IdVec<TreeId, bool>,
    /// Three rows for each vertex that can move.
    jac: BlockRows,
    /// Number of vertices on each body.
    carried: IdVec<BodyId, u32>,
}

/// Along the world's axes.
const AXES: Wrenches<3> = [[0.0; 3], [0.0; 3], [0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];

impl VertexMotion {
    /// Computes the motion at the present poses, with vertices at `places`.
    pub fn compute(&mut self, m: &Model, chains: &Chains, smooth: &Smooth, places: &[DVec3], ws: &mut RowWorkspace) {
        let of_vertex = &m.flex_data.vertbodyid;
        self.carried.resize(m.body.len(), 0);
        self.carried.as_mut_slice().fill(0);
        for b in of_vertex.iter().flatten() {
            self.carried[*b] += 1;
        }
        self.tree.resize(m.tree.len(), false);
        self.tree.as_mut_slice().fill(false);
        self.jac.clear(m.nv());
        self.mass.clear();
        self.moves.clear();
        self.resolved.clear();
        let resolved = m.flex.ids().flat_map(|f| {
            let is = resolves_flexes(m, [f, f]);
            (m.flex.vertadr[f]..m.flex.vertadr[f] + m.flex.vertnum[f]).map(move |v| (v as usize, is))
        });
        for (v, is) in resolved {
            self.resolved.push(is);
            let body = of_vertex[v].filter(|&b| is && !chains.of(b).is_empty());
            self.moves.push(body.is_some());
            self.mass.push(body.map_or(0.0, |b| self.mass_on(m, smooth, b, v)));
            let Some(b) = body else { continue };
            if let Some(tree) = m.body.treeid[b] {
                self.tree[tree] = true;
            }
            flex::merge(chains, &[(b, 1.0)], ws);
            let out = self.jac.push(3, &ws.runs);
            fill(m, chains, &smooth.poses, &[(b, 1.0)], places[v], &ws.runs, &AXES, out);
        }
    }

    /// The mass of a vertex that has its body to itself; otherwise its share of all that moves with the body.
    fn mass_on(&self, m: &Model, smooth: &Smooth, b: BodyId, v: usize) -> f64 {
        match point_mass(m, &smooth.inertia.M, b) {
            mass if mass > 0.0 && self.carried[b] == 1 && m.flex_shape.vert[v] == DVec3::ZERO => mass,
            _ => m.body.subtreemass[b] / f64::from(self.carried[b]),
        }
    }

    /// Computes the places of all vertices after a step h with the velocity `qvel` from `start`.
    pub fn places(&self, start: &[DVec3], qvel: &[f64], h: f64, out: &mut Vec<DVec3>) {
        out.clear();
        out.extend_from_slice(start);
        let moving = out.iter_mut().zip(&self.moves).filter(|(_, moves)| **moves);
        for ((p, _), i) in moving.zip(0..) {
            *p += DVec3::from_array([0, 1, 2].map(|k| self.jac.row_dot(3 * i + k, qvel))) * h;
        }
    }
}
