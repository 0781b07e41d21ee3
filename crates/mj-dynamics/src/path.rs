//! Paths of spatial tendons: what of them the model alone decides, and their shape in a state.

use crate::buffers::Poses;
use crate::chains::{self, Chains};
use crate::wrap::{Arc, Round};
use mj_math::block::Run;
use mj_math::{DVec3, MINVAL, Spatial};
use mj_model::*;
use std::ops::Range;

/// Part of a spatial tendon's path: from a site to the next, perhaps around a geom.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Segment {
    pub(crate) from: SiteId,
    pub(crate) to: SiteId,
    /// The geom to wrap around with its type, and the site that tells on which side.
    pub(crate) around: Option<(GeomId, WrapType, Option<SiteId>)>,
    /// Divisor of the pulley branch.
    pub(crate) divisor: f64,
}

impl Segment {
    /// The bodies of both ends.
    fn bodies(&self, m: &Model) -> [BodyId; 2] {
        [self.from, self.to].map(|i| m.site.bodyid[i])
    }

    /// Whether it is a line fixed in one body, which never changes.
    pub(crate) fn is_rigid(&self, m: &Model) -> bool {
        let [a, b] = self.bodies(m);
        a == b && self.around.is_none()
    }

    /// Where it lies on its geom, if it does.
    #[inline]
    fn arc(&self, m: &Model, poses: &Poses) -> Option<(BodyId, Arc)> {
        let (g, kind, side) = self.around?;
        let round = Round::new(kind, poses.geom_xpos[g], poses.geom_xmat[g], m.geom.size[g].x);
        let ends = [self.from, self.to].map(|i| poses.site_xpos[i]);
        round.wrap(ends[0], ends[1], side.map(|i| poses.site_xpos[i])).map(|arc| (m.geom.bodyid[g], arc))
    }
}

/// Calls `f` with each segment of the path of spatial tendon `t`.
pub(crate) fn for_each_segment(m: &Model, t: TendonId, mut f: impl FnMut(Segment)) {
    let path = id_range(Some(m.tendon.adr[t]), m.tendon.num[t]);
    let site = |w: WrapId| SiteId::new(m.wrap.objid[w] as usize);
    let (mut from, mut around, mut divisor) = (None, None, 1.0);
    for w in path {
        match m.wrap.r#type[w] {
            WrapType::Pulley => (from, divisor) = (None, m.wrap.prm[w]),
            kind @ (WrapType::Sphere | WrapType::Cylinder) => {
                let side = m.wrap.prm[w].round();
                let side = (side >= 0.0).then(|| SiteId::new(side as usize));
                around = Some((GeomId::new(m.wrap.objid[w] as usize), kind, side));
            }
            WrapType::Site => {
                if let Some(from) = from {
                    f(Segment { from, to: site(w), around: around.take(), divisor });
                }
                from = Some(site(w));
            }
            WrapType::Joint | WrapType::None => {}
        }
    }
}

/// A corner of a path and the body that carries it.
pub(crate) type Corner = (BodyId, DVec3);

/// Calls `f` with the ends of each straight piece of spatial tendon `t` and the divisor of its branch.
pub(crate) fn for_each_piece(m: &Model, poses: &Poses, t: TendonId, mut f: impl FnMut(Corner, Corner, f64)) {
    for_each_segment(m, t, |seg| {
        let a = (m.site.bodyid[seg.from], poses.site_xpos[seg.from]);
        let b = (m.site.bodyid[seg.to], poses.site_xpos[seg.to]);
        match seg.arc(m, poses) {
            None => f(a, b, seg.divisor),
            Some((g, arc)) => {
                f(a, (g, arc.from), seg.divisor);
                f((g, arc.to), b, seg.divisor);
            }
        }
    });
}

/// Direction from one end of a piece to the other, and its length.
#[inline]
pub(crate) fn direction(a: DVec3, b: DVec3) -> (DVec3, f64) {
    let dif = b - a;
    let n = dif.length();
    (if n < MINVAL { DVec3::X } else { dif / n }, n)
}

/// The spatial tendons of a model, as far as the model alone decides their paths: the parts that can
/// change their length, and the dofs that do.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Paths {
    tendons: IdVec<TendonId, Path>,
    segments: Vec<Moving>,
    spans: Vec<Span>,
}

/// The path of a tendon; none of a fixed one.
#[derive(Clone, Debug, Default, PartialEq)]
struct Path {
    /// Length of the parts that are fixed in a body.
    rigid: f64,
    segments: Range<usize>,
}

/// A segment that can change its length.
#[derive(Clone, Debug, PartialEq)]
struct Moving {
    segment: Segment,
    /// The segment as a straight line, to the geom and from it.
    straight: Piece,
    to_geom: Piece,
    from_geom: Piece,
}

/// A straight piece between two bodies.
#[derive(Clone, Debug, PartialEq)]
struct Piece {
    /// Roots of the trees of both bodies.
    roots: [BodyId; 2],
    /// Dofs that move one end but not the other: a dof that moves both alike cannot change the length.
    ends: [Range<usize>; 2],
}

/// Consecutive dofs with their columns in the tendon's row.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Span {
    column: u32,
    dofs: Run,
}

impl Paths {
    /// Paths of a model whose tendons' rows have the given columns.
    pub(crate) fn new<'a>(m: &Model, chains: &Chains, columns: impl Fn(TendonId) -> &'a [Run]) -> Self {
        let mut paths = Self::default();
        for t in m.tendon.ids() {
            let first = paths.segments.len();
            let (runs, mut rigid) = (columns(t), 0.0);
            for_each_segment(m, t, |segment| {
                let [a, b] = segment.bodies(m);
                if segment.is_rigid(m) {
                    rigid += m.site.pos[segment.from].distance(m.site.pos[segment.to]) / segment.divisor;
                    return;
                }
                let g = segment.around.map_or(a, |(g, ..)| m.geom.bodyid[g]);
                let moving = Moving {
                    segment,
                    straight: paths.piece(m, chains, runs, [a, b]),
                    to_geom: paths.piece(m, chains, runs, [a, g]),
                    from_geom: paths.piece(m, chains, runs, [g, b]),
                };
                paths.segments.push(moving);
            });
            paths.tendons.push(Path { rigid, segments: first..paths.segments.len() });
        }
        paths
    }

    fn piece(&mut self, m: &Model, chains: &Chains, columns: &[Run], bodies: [BodyId; 2]) -> Piece {
        let mut end = |this: BodyId, other: BodyId| {
            let first = self.spans.len();
            for dofs in chains::difference(chains.of(this), chains.of(other)) {
                self.spans.extend(chains::columns_of(dofs, columns).map(|(column, dofs)| Span { column, dofs }));
            }
            first..self.spans.len()
        };
        let ends = [end(bodies[0], bodies[1]), end(bodies[1], bodies[0])];
        Piece { roots: bodies.map(|b| m.body.rootid[b]), ends }
    }

    /// Length of tendon `t`, and its Jacobian into `row`.
    ///
    /// The gradient of a straight piece is the unit vector along it times the difference of its ends'
    /// Jacobians; the ends of an arc slide without changing the length.
    pub(crate) fn measure(&self, m: &Model, poses: &Poses, t: TendonId, row: &mut [f64]) -> f64 {
        row.fill(0.0);
        let path = &self.tendons[t];
        let mut length = path.rigid;
        for moving in &self.segments[path.segments.clone()] {
            let seg = &moving.segment;
            let [a, b] = [seg.from, seg.to].map(|i| poses.site_xpos[i]);
            length += match seg.arc(m, poses) {
                None => self.add_piece(poses, &moving.straight, [a, b], seg.divisor, row),
                Some((_, arc)) => {
                    self.add_piece(poses, &moving.to_geom, [a, arc.from], seg.divisor, row)
                        + arc.length / seg.divisor
                        + self.add_piece(poses, &moving.from_geom, [arc.to, b], seg.divisor, row)
                }
            };
        }
        length
    }

    /// Adds the gradient of a straight piece to `row`; returns its length over the divisor.
    #[inline]
    fn add_piece(&self, poses: &Poses, piece: &Piece, points: [DVec3; 2], divisor: f64, row: &mut [f64]) -> f64 {
        let (along, length) = direction(points[0], points[1]);
        let cdof = poses.cdof.as_slice();
        for (k, pull) in [-along / divisor, along / divisor].into_iter().enumerate() {
            let spans = &self.spans[piece.ends[k].clone()];
            if spans.is_empty() {
                continue;
            }
            let arm = points[k] - poses.subtree_com[piece.roots[k]];
            let wrench = Spatial::new(arm.cross(pull), pull);
            for span in spans {
                let (start, len) = (span.dofs.start as usize, span.dofs.len as usize);
                let row = &mut row[span.column as usize..][..len];
                for (x, c) in row.iter_mut().zip(&cdof[start..start + len]) {
                    *x += c.dot(wrench);
                }
            }
        }
        length / divisor
    }
}
