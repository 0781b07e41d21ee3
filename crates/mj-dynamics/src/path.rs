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
    fn arc(&self, m: &Model, poses: &Poses) -> Option<(BodyId, Arc)> {
        let (g, kind, side) = self.around?;
        let [a, b] = [self.from, self.to].map(|i| poses.site_xpos[i]);
        let side = side.map(|i| poses.site_xpos[i]);
        Round::of(m, poses, g, kind).wrap(a, b, side).map(|arc| (m.geom.bodyid[g], arc))
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
    detours: Vec<Detour>,
    entries: Vec<Entry>,
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
    from: SiteId,
    to: SiteId,
    /// One over the divisor of its branch: what a unit of its length adds to the tendon's.
    share: f64,
    /// The segment as a straight line.
    straight: Piece,
    /// Place among the detours, if it has a geom to go around.
    detour: Option<u32>,
}

/// The way around a geom.
#[derive(Clone, Debug, PartialEq)]
struct Detour {
    geom: GeomId,
    kind: WrapType,
    side: Option<SiteId>,
    to_geom: Piece,
    from_geom: Piece,
}

/// A straight piece between two bodies: its first end, then its second. A dof that moves both alike cannot change
/// the length, so that most pieces, which lead from a body to an ancestor of it, have one end that counts.
#[derive(Clone, Debug, PartialEq)]
struct Piece([End; 2]);

/// An end of a piece: the root of its body's tree, and where the entries of the dofs lie that move it but not the
/// other end.
#[derive(Clone, Debug, PartialEq)]
struct End {
    root: BodyId,
    first: u32,
    last: u32,
}

/// A dof with its column in the tendon's row. One by one, since they are few: a run of dofs would make a loop that is
/// worth its preparation from some four on.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Entry {
    column: u32,
    dof: u32,
}

impl Paths {
    /// Paths of a model whose tendons' rows have the given columns.
    pub(crate) fn new<'a>(m: &Model, chains: &Chains, columns: impl Fn(TendonId) -> &'a [Run]) -> Self {
        let mut paths = Self::default();
        for t in m.tendon.ids() {
            let first = paths.segments.len();
            let (runs, mut rigid) = (columns(t), 0.0);
            for_each_segment(m, t, |segment| {
                if segment.is_rigid(m) {
                    rigid += m.site.pos[segment.from].distance(m.site.pos[segment.to]) / segment.divisor;
                    return;
                }
                let [a, b] = segment.bodies(m);
                let detour = segment.around.map(|(geom, kind, side)| {
                    let g = m.geom.bodyid[geom];
                    let [to_geom, from_geom] = [[a, g], [g, b]].map(|ends| paths.piece(m, chains, runs, ends));
                    paths.detours.push(Detour { geom, kind, side, to_geom, from_geom });
                    paths.detours.len() as u32 - 1
                });
                let straight = paths.piece(m, chains, runs, [a, b]);
                let Segment { from, to, divisor, .. } = segment;
                paths.segments.push(Moving { from, to, share: 1.0 / divisor, straight, detour });
            });
            paths.tendons.push(Path { rigid, segments: first..paths.segments.len() });
        }
        paths
    }

    fn piece(&mut self, m: &Model, chains: &Chains, columns: &[Run], [a, b]: [BodyId; 2]) -> Piece {
        let mut end = |this: BodyId, other: BodyId| {
            let first = self.entries.len();
            for dofs in chains::difference(chains.of(this), chains.of(other)) {
                for (column, dofs) in chains::columns_of(dofs, columns) {
                    self.entries.extend((0..dofs.len).map(|k| Entry { column: column + k, dof: dofs.start + k }));
                }
            }
            End { root: m.body.rootid[this], first: first as u32, last: self.entries.len() as u32 }
        };
        Piece([end(a, b), end(b, a)])
    }

    /// Length of tendon `t`, and its Jacobian into `row`.
    ///
    /// The gradient of a straight piece is the unit vector along it times the difference of its ends'
    /// Jacobians; the ends of an arc slide without changing the length.
    pub(crate) fn measure(&self, m: &Model, poses: &Poses, t: TendonId, row: &mut [f64]) -> f64 {
        row.fill(0.0);
        let path = &self.tendons[t];
        let mut length = path.rigid;
        for segment in &self.segments[path.segments.clone()] {
            let (a, b, share) = (poses.site_xpos[segment.from], poses.site_xpos[segment.to], segment.share);
            let around = segment.detour.and_then(|i| {
                let detour = &self.detours[i as usize];
                let side = detour.side.map(|i| poses.site_xpos[i]);
                let arc = Round::of(m, poses, detour.geom, detour.kind).wrap(a, b, side)?;
                Some((detour, arc))
            });
            length += match around {
                None => self.add_piece(poses, &segment.straight, a, b, share, row),
                Some((detour, arc)) => {
                    self.add_piece(poses, &detour.to_geom, a, arc.from, share, row)
                        + arc.length * share
                        + self.add_piece(poses, &detour.from_geom, arc.to, b, share, row)
                }
            };
        }
        length
    }

    /// Adds the gradient of a straight piece from `a` to `b` to `row`; returns its share of the length.
    #[inline]
    fn add_piece(&self, poses: &Poses, piece: &Piece, a: DVec3, b: DVec3, share: f64, row: &mut [f64]) -> f64 {
        let dif = b - a;
        let length = dif.length();
        let pull = if length < MINVAL { DVec3::X * share } else { dif * (share / length) };
        self.add_end(poses, &piece.0[0], a, -pull, row);
        self.add_end(poses, &piece.0[1], b, pull, row);
        length * share
    }

    /// Adds to `row` the velocity of a point along `pull` at unit velocities of the dofs that move this end alone.
    #[inline(always)]
    fn add_end(&self, poses: &Poses, end: &End, point: DVec3, pull: DVec3, row: &mut [f64]) {
        let entries = &self.entries[end.first as usize..end.last as usize];
        if entries.is_empty() {
            return;
        }
        let arm = point - poses.subtree_com[end.root];
        let wrench = Spatial::new(arm.cross(pull), pull);
        let cdof = poses.cdof.as_slice();
        for e in entries {
            row[e.column as usize] += cdof[e.dof as usize].dot(wrench);
        }
    }
}
