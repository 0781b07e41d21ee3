//! Lengths and gradients of all spatial tendons at once, four of a kind at a time.
//!
//! The structure of the model decides the course of every path: the points that it passes, the geoms that it may go around,
//! the dofs that move each of its ends. What changes with the state is computed in two passes over vectors of four that
//! know no tendons: ways around geoms; straight pieces, with what they pull at.
//! A path that clears a geom has its two straight pieces all the same: they meet on the line between its ends, at a
//! point carried by the geom's body, so that what the geom's dofs do to one they undo with the other.

use crate::workspace::RouteWork;
use mj_math::DVec3;
use mj_model::*;
use std::ops::Range;

/// The spatial tendons of a model, as far as its structure decides their paths.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Routes {
    /// Points that bodies carry along, then points where paths meet geoms and leave them.
    pub(super) carried: Vec<Carried>,
    /// Pulleys, whose divisors branches share; the branch 0 has none.
    pub(super) pulleys: Vec<WrapId>,
    pub(super) detours: Vec<Detours>,
    pub(super) pulls: Vec<Pulls>,
    pub(super) reaches: Vec<Reach>,
    /// The dofs at four consecutive columns of some row.
    pub(super) windows: Vec<[u32; 4]>,
    pub(super) tendons: Vec<Route>,
    /// The entry in `tendons` of each that is spatial.
    pub(super) entry: IdVec<TendonId, u32>,
    /// Number of fours of all gradients.
    pub(super) fours: usize,
}

/// A point or a direction that a body carries along.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Carried {
    Site(SiteId),
    Centre(GeomId),
    Axis(GeomId),
}

/// Where a tendon's numbers are.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Route {
    pub(super) tendon: TendonId,
    /// Parts that are fixed in a body: both sites and the branch.
    pub(super) rigid: Vec<(SiteId, SiteId, u32)>,
    pub(super) pulls: Range<usize>,
    pub(super) arcs: Range<usize>,
    /// First of the fours of its gradient.
    pub(super) gradient: usize,
}

/// Four ways around geoms of one kind.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Detours {
    pub(super) cylinders: bool,
    /// The points: both ends, the centre, the axis.
    pub(super) ends: [[u32; 4]; 2],
    pub(super) centre: [u32; 4],
    pub(super) axis: [u32; 4],
    /// The entries of paths whose parameter names the site on the side, if one is given.
    pub(super) wrap: [WrapId; 4],
    pub(super) geom: [GeomId; 4],
    /// The branch of the pulley, which tells what a unit of length adds to the tendon's.
    pub(super) branch: [u32; 4],
    /// Where the arcs' lengths go.
    pub(super) arc: [u32; 4],
    pub(super) tendon: [TendonId; 4],
}

/// Four ends of straight pieces that pull at dofs.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Pulls {
    /// The points that each piece connects.
    pub(super) ends: [[u32; 4]; 2],
    /// The branch of the pulley, which tells what a unit of length adds to the tendon's.
    pub(super) branch: [u32; 4],
    /// −1 at the first end of a piece, 1 at the second.
    pub(super) sign: [f64; 4],
    /// 1 once for each piece, 0 at its other end.
    pub(super) counted: [f64; 4],
    /// The root of the tree of the end's body.
    pub(super) root: [BodyId; 4],
    /// Reaches of each of the four.
    pub(super) reaches: [u32; 5],
    pub(super) tendon: [TendonId; 4],
}

/// Dofs that move an end, among those of a window.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Reach {
    pub(super) window: u32,
    /// The four numbers of the gradient that they change.
    pub(super) gradient: u32,
    /// 1 at those that move this end but not the other, 0 at the others.
    pub(super) moves: [f64; 4],
}

impl Routes {
    /// Makes scratch memory for these routes.
    pub(crate) fn workspace(&self) -> RouteWork {
        RouteWork {
            shares: vec![1.0; 1 + self.pulleys.len()],
            points: vec![DVec3::ZERO; self.carried.len() + 8 * self.detours.len()],
            pieces: vec![[0.0; 4]; self.pulls.len()],
            arcs: vec![0.0; self.tendons.iter().map(|t| t.arcs.end).max().unwrap_or(0)],
            motions: vec![[[0.0; 4]; 6]; self.windows.len()],
            gradient: vec![[0.0; 4]; self.fours],
        }
    }

    /// The spatial tendons.
    pub(crate) fn tendons(&self) -> impl Iterator<Item = TendonId> {
        self.tendons.iter().map(|r| r.tendon)
    }

    /// Length of tendon `t`, and its gradient into `row`.
    pub(crate) fn read(&self, m: &Model, work: &RouteWork, t: TendonId, row: &mut [f64]) -> f64 {
        let route = &self.tendons[self.entry[t] as usize];
        let gradient = work.gradient[route.gradient..].as_flattened();
        for (r, g) in row.iter_mut().zip(gradient) {
            *r = *g;
        }
        let pieces: f64 = work.pieces.as_flattened()[route.pulls.clone()].iter().sum();
        let arcs: f64 = work.arcs[route.arcs.clone()].iter().sum();
        let length = |&(a, b, branch): &(SiteId, SiteId, u32)| {
            m.site.pos[a].distance(m.site.pos[b]) * work.shares[branch as usize]
        };
        route.rigid.iter().map(length).sum::<f64>() + pieces + arcs
    }
}
