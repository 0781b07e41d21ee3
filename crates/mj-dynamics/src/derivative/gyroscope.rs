//! Derivative of the bias force of a free body that carries no joints, which is that of a gyroscope.
//!
//! With w the angular velocity in the body's axes R, J the inertia about the body's origin and h the first moment of its
//! mass, both in those axes, the bias force is R (w × (w × h)) on the translations and w × J w on the rotations. Neither
//! depends on the translations' velocities, and J and h don't change with the state.

use super::entries::Entries;
use crate::buffers::Poses;
use mj_math::spatial_map::cross;
use mj_math::{DQuat, DVec3, Inertia, quat};
use mj_model::*;
use std::array::from_fn;

/// A free body that carries no joints, with all that is fixed to it.
#[derive(Clone, Debug, PartialEq)]
struct Gyroscope {
    body: BodyId,
    first: DofId,
    /// Itself, and the bodies fixed to it, parents first.
    bodies: Vec<BodyId>,
}

/// Place of the entry of row `i` and column `j ≤ i` in rows that hold all columns up to their own.
const fn place(i: usize, j: usize) -> usize {
    i * (i + 1) / 2 + j
}

impl Gyroscope {
    /// The body of a free joint, by its first dof.
    fn new(m: &Model, first: DofId) -> Self {
        let body = m.dof.bodyid[first];
        Self { body, first, bodies: m.body.ids().filter(|&b| m.body.rootid[b] == body).collect() }
    }

    /// Returns the inertia of the body, and of all that is fixed to it, about its origin and in its axes. `places` has room
    /// for a pose a body.
    fn inertia(&self, m: &Model, places: &mut [(DVec3, DQuat)]) -> Inertia {
        let t = &m.body;
        let mut sum = Inertia::ZERO;
        for &b in &self.bodies {
            places[b.index()] = if b == self.body {
                (DVec3::ZERO, DQuat::IDENTITY)
            } else {
                let (pos, rot) = places[t.parentid[b].index()];
                (pos + quat::rotate(rot, t.pos[b]), rot * t.quat[b])
            };
            let (pos, rot) = places[b.index()];
            let axes = quat::to_mat(rot * t.iquat[b]);
            sum += Inertia::new(t.inertia[b], axes, pos + quat::rotate(rot, t.ipos[b]), t.mass[b]);
        }
        sum
    }

    /// Subtracts the derivative from that of all forces.
    fn subtract(&self, m: &Model, s: &State, poses: &Poses, places: &mut [(DVec3, DQuat)], out: &mut Entries<'_>) {
        let whole = self.inertia(m, places);
        let (inertia, moment) = (whole.matrix(), whole.h);
        let first = self.first.index();
        let w = DVec3::from_slice(&s.qvel[first + 3..]);
        let turning = cross(w) * inertia - cross(inertia * w);
        let turning: [[f64; 3]; 3] = from_fn(|j| turning.col(j).to_array());
        // The rows of its dofs hold each other's columns and no more.
        let rows = out.pattern.row(first).start..;
        let (lower, upper) = (&mut out.lower[rows.clone()][..place(6, 0)], &mut out.upper[rows][..place(6, 0)]);
        for j in 0..3 {
            for i in 0..3 {
                if i >= j {
                    lower[place(3 + i, 3 + j)] -= turning[j][i];
                }
                if i <= j {
                    upper[place(3 + j, 3 + i)] -= turning[j][i];
                }
            }
        }
        if moment == DVec3::ZERO {
            return;
        }
        let pulling = poses.xmat[self.body] * (cross(w) * cross(moment) + cross(w.cross(moment)));
        for j in 0..3 {
            for (i, x) in pulling.col(j).to_array().into_iter().enumerate() {
                upper[place(3 + j, i)] += x;
            }
        }
    }
}

/// All free bodies that carry no joints, with scratch memory.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Gyroscopes {
    free: Vec<Gyroscope>,
    /// A pose a body.
    places: Vec<(DVec3, DQuat)>,
}

impl Gyroscopes {
    /// Those with these first dofs.
    pub fn new(m: &Model, first: &[DofId]) -> Self {
        Self {
            free: first.iter().map(|&first| Gyroscope::new(m, first)).collect(),
            places: vec![(DVec3::ZERO, DQuat::IDENTITY); m.body.len()],
        }
    }

    /// Subtracts the derivative of their bias forces.
    pub fn subtract(&mut self, m: &Model, s: &State, poses: &Poses, out: &mut Entries<'_>) {
        for g in self.free.iter().filter(|g| s.awake.moves(g.body)) {
            g.subtract(m, s, poses, &mut self.places, out);
        }
    }
}
