//! Paths of spatial tendons, part by part. What a step needs of all of them is in `route`.

use crate::buffers::Poses;
use crate::tendon::wrap::{Arc, Round};
use mj_math::{DVec3, MINVAL};
use mj_model::*;

/// Part of a spatial tendon's path: from a site to the next, perhaps around a geom.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Segment {
    pub(crate) from: SiteId,
    pub(crate) to: SiteId,
    /// The geom to wrap around with its type, and the site that tells on which side.
    pub(crate) around: Option<(GeomId, WrapType, Option<SiteId>)>,
    /// The entry of the path that names the geom.
    pub(crate) detour: Option<WrapId>,
    /// The pulley of the branch, and its divisor.
    pub(crate) pulley: Option<WrapId>,
    pub(crate) divisor: f64,
}

impl Segment {
    /// The bodies of both ends.
    pub(crate) fn bodies(&self, m: &Model) -> [BodyId; 2] {
        [self.from, self.to].map(|i| m.site.bodyid[i])
    }

    /// Whether it is a line fixed in one body, which never changes.
    pub(crate) fn is_rigid(&self, m: &Model) -> bool {
        let [a, b] = self.bodies(m);
        a == b && self.around.is_none()
    }

    /// Where it lies on its geom, if it does.
    pub(crate) fn arc(&self, m: &Model, poses: &Poses) -> Option<(BodyId, Arc)> {
        let (g, kind, side) = self.around?;
        let [a, b] = [self.from, self.to].map(|i| poses.site_xpos[i]);
        let side = side.map(|i| poses.site_xpos[i]);
        Round::of(m, poses, g, kind).wrap(a, b, side).map(|arc| (m.geom.bodyid[g], arc))
    }
}

/// Returns the site that tells on which side of its geom a path goes, if one does.
#[inline]
pub(crate) fn side_site(m: &Model, w: WrapId) -> Option<SiteId> {
    let side = m.wrap.prm[w].round();
    (0.0..m.site.len() as f64).contains(&side).then(|| SiteId::new(side as usize))
}

/// Calls `f` with each segment of the path of spatial tendon `t`.
pub(crate) fn for_each_segment(m: &Model, t: TendonId, mut f: impl FnMut(Segment)) {
    let path = id_range(Some(m.tendon.adr[t]), m.tendon.num[t]);
    let site = |w: WrapId| SiteId::new(m.wrap.objid[w] as usize);
    let (mut from, mut around, mut detour, mut pulley, mut divisor) = (None, None, None, None, 1.0);
    for w in path {
        match m.wrap.r#type[w] {
            WrapType::Pulley => (from, pulley, divisor) = (None, Some(w), m.wrap.prm[w]),
            kind @ (WrapType::Sphere | WrapType::Cylinder) => {
                around = Some((GeomId::new(m.wrap.objid[w] as usize), kind, side_site(m, w)));
                detour = Some(w);
            }
            WrapType::Site => {
                if let Some(from) = from {
                    f(Segment { from, to: site(w), around: around.take(), detour: detour.take(), pulley, divisor });
                }
                from = Some(site(w));
            }
            WrapType::Joint | WrapType::None => {}
        }
    }
}

/// Whether a tendon's length is a sum of joint coordinates.
#[inline]
pub(crate) fn is_fixed(m: &Model, t: TendonId) -> bool {
    m.tendon.num[t] > 0 && m.wrap.r#type[m.tendon.adr[t]] == WrapType::Joint
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

/// A point of a tendon's path.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PathPoint {
    /// Object that the point lies on.
    pub on: PathObject,
    /// Position in the world; zero for a pulley.
    pub pos: DVec3,
}

/// Object that a point of a tendon's path lies on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PathObject {
    /// A site.
    Site,
    /// The surface of a geom.
    Geom(GeomId),
    /// Nothing: a pulley stands between two branches.
    Pulley,
}

/// Appends the points of spatial tendon `t` to `out`: sites, the points where its path meets geoms and leaves them, and a
/// pulley before each of its branches. Fixed tendons have none.
pub fn tendon_path(m: &Model, poses: &Poses, t: TendonId, out: &mut Vec<PathPoint>) {
    if is_fixed(m, t) {
        return;
    }
    let mut branch = None;
    for_each_segment(m, t, |seg| {
        if branch != Some(seg.pulley) {
            branch = Some(seg.pulley);
            out.extend(seg.pulley.map(|_| PathPoint { on: PathObject::Pulley, pos: DVec3::ZERO }));
            out.push(PathPoint { on: PathObject::Site, pos: poses.site_xpos[seg.from] });
        }
        if let (Some((geom, ..)), Some((_, arc))) = (seg.around, seg.arc(m, poses)) {
            out.extend([arc.from, arc.to].map(|pos| PathPoint { on: PathObject::Geom(geom), pos }));
        }
        out.push(PathPoint { on: PathObject::Site, pos: poses.site_xpos[seg.to] });
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::*;
    use mj_testkit::any_model;
    use proptest::prelude::*;

    proptest! {
        /// Between points of a path are its straight pieces, but for arcs and pulleys; on a geom, they are on its surface.
        #[test]
        fn points_are_the_ends_of_pieces((m, s) in any_model()) {
            let mut d = Dynamics::new(&m);
            d.forward(&m, &s);
            let poses = &d.smooth.poses;
            for t in m.tendon.ids().filter(|&t| !is_fixed(&m, t)) {
                let (mut points, mut pieces) = (Vec::new(), Vec::new());
                tendon_path(&m, poses, t, &mut points);
                for_each_piece(&m, poses, t, |a, b, _| pieces.push((a.1, b.1)));
                let straight = points.windows(2).filter(|p| {
                    let on = [p[0].on, p[1].on];
                    !on.contains(&PathObject::Pulley) && !on.iter().all(|on| matches!(on, PathObject::Geom(_)))
                });
                prop_assert_eq!(straight.map(|p| (p[0].pos, p[1].pos)).collect::<Vec<_>>(), pieces);
                for p in &points {
                    if let PathObject::Geom(g) = p.on {
                        let local = poses.geom_xmat[g].transpose() * (p.pos - poses.geom_xpos[g]);
                        // A sphere's, or a cylinder's about its axis.
                        let distances = [local.length(), local.with_z(0.0).length()];
                        let near = |d: &f64| (d - m.geom.size[g].x).abs() < 1e-9;
                        prop_assert!(distances.iter().any(near), "{distances:?} {}", m.geom.size[g].x);
                    }
                }
            }
        }
    }
}
