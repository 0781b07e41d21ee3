//! Points and directions that are fixed in bodies.

use crate::buffers::Poses;
use mj_math::DVec3;
use mj_math::lanes::{Four, Lanes, Points};
use mj_model::*;
use std::ops::Range;

/// Points and directions of bodies, sorted by body, in groups of four: to be carried along together.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Attached {
    bodies: Vec<OfBody>,
    /// Coordinates in the body, those of a kind side by side.
    groups: Vec<[[f64; 4]; 3]>,
}

/// Groups of one body.
#[derive(Clone, Debug, PartialEq)]
struct OfBody {
    body: BodyId,
    /// Whether they are directions, which turn but don't move.
    directions: bool,
    groups: Range<usize>,
}

/// A point or direction to be carried along.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Local {
    pub(super) body: BodyId,
    pub(super) direction: bool,
    pub(super) at: DVec3,
}

impl Attached {
    /// From a list, and the place of each entry of the list among the results.
    pub(super) fn new(list: &[Local]) -> (Self, Vec<u32>) {
        let mut order: Vec<usize> = (0..list.len()).collect();
        order.sort_by_key(|&i| (list[i].body, list[i].direction));
        let (mut attached, mut places) = (Self::default(), vec![0; list.len()]);
        for of_body in order.chunk_by(|&i, &j| (list[i].body, list[i].direction) == (list[j].body, list[j].direction)) {
            let first = attached.groups.len();
            for four in of_body.chunks(4) {
                let mut group = [[0.0; 4]; 3];
                for (l, &i) in four.iter().enumerate() {
                    places[i] = (4 * attached.groups.len() + l) as u32;
                    (0..3).for_each(|k| group[k][l] = list[i].at[k]);
                }
                attached.groups.push(group);
            }
            let Local { body, direction: directions, .. } = list[of_body[0]];
            attached.bodies.push(OfBody { body, directions, groups: first..attached.groups.len() });
        }
        (attached, places)
    }

    /// Number of results.
    pub(super) fn len(&self) -> usize {
        4 * self.groups.len()
    }

    /// Where they are in the world.
    #[inline(always)]
    pub(super) fn place<S: Lanes>(&self, s: S, poses: &Poses, out: &mut [DVec3]) {
        let out = &mut out.as_chunks_mut::<4>().0[..self.groups.len()];
        for of_body in &self.bodies {
            let axes = poses.xmat[of_body.body];
            let x = Points::splat(s, axes.x_axis);
            let y = Points::splat(s, axes.y_axis);
            let z = Points::splat(s, axes.z_axis);
            let origin = Points::splat(s, if of_body.directions { DVec3::ZERO } else { poses.xpos[of_body.body] });
            let groups = of_body.groups.clone();
            for (out, [a, b, c]) in out[groups.clone()].iter_mut().zip(&self.groups[groups]) {
                *out = (x * Four::new(s, a) + y * Four::new(s, b) + z * Four::new(s, c) + origin).get();
            }
        }
    }
}
