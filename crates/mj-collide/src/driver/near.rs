//! Which pairs of geoms may touch, four pairs at a time: of all pairs that can ever collide most are far apart.
//!
//! Two volumes hold a geom: the ball about its origin, and a capsule along the longest of its axes. The ball comes
//! first; what it leaves are mostly long things side by side.
//!
//! Let the capsules' segments be c₁ + s u₁ and c₂ + t u₂, |s|, |t| ≤ 1, and r the sum of their radii and the margin.
//! Along any vector w they are farther apart than r where
//!
//! w·(c₁ − c₂) − |w·u₁| − |w·u₂| > r |w|,
//!
//! which takes no root: both sides squared. For w there is the difference of two points that are nearly nearest, by
//! projection of the first segment's middle on the second, from there on the first, and back.

use std::array::from_fn;

use mj_math::simd::{F64x4, Kernel, Mask, Points, Simd, dispatch};
use mj_math::{DMat3, DVec3};
use mj_model::{GeomId, GeomType, IdVec, Model};

use super::candidates::Candidate;

/// With fewer pairs than this they are tested one by one.
const FEW: usize = 12;
/// Room for rounding, as a part of the sizes.
const SLACK: f64 = 1e-9;

/// A capsule that holds a geom: along which of its axes, half the length of the segment, radius.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Capsule {
    axis: usize,
    half: f64,
    radius: f64,
}

impl Capsule {
    /// Around a geom. A plane's is its normal.
    fn around(m: &Model, g: GeomId) -> Self {
        let size = m.geom.size[g];
        // Along the longest of three half-sizes, given what is left of it beyond the others.
        let along = |half: DVec3, segment: fn(f64, f64, f64) -> (f64, f64)| {
            let axis = (1..3).fold(0, |best, k| if half[k] > half[best] { k } else { best });
            let (half, radius) = segment(half[axis], half[(axis + 1) % 3], half[(axis + 2) % 3]);
            Self { axis, half, radius }
        };
        let cuboid = |a: f64, b: f64, c: f64| (a, mj_math::real::hypot(b, c));
        match m.geom.r#type[g] {
            GeomType::Plane => Self { axis: 2, half: 1.0, radius: 0.0 },
            GeomType::Capsule | GeomType::Cylinder => Self { axis: 2, half: size.y, radius: size.x },
            // With equal shorter axes b a ball of radius b about a − b touches it from outside at the end.
            GeomType::Ellipsoid => along(size, |a, b, c| (a - b.max(c), b.max(c))),
            GeomType::Box => along(size, cuboid),
            GeomType::Mesh => {
                let [x, y, z, hx, hy, hz] = m.geom.aabb[g];
                along(DVec3::new(x.abs() + hx, y.abs() + hy, z.abs() + hz), cuboid)
            }
            GeomType::Sphere | GeomType::Hfield | GeomType::Sdf => {
                Self { axis: 2, half: 0.0, radius: m.geom.rbound[g] }
            }
        }
    }

    /// One over the square of half its length; zero of a ball.
    fn inverse(&self) -> f64 {
        if self.half > 0.0 { 1.0 / (self.half * self.half) } else { 0.0 }
    }
}

/// F64x4 geoms, coordinate by coordinate.
#[derive(Clone, Debug)]
struct Block {
    geom: [GeomId; 4],
    capsule: [Capsule; 4],
    /// Their origins.
    at: [[f64; 4]; 3],
    /// From there to the end of the capsule's segment.
    to_end: [[f64; 4]; 3],
    /// One over the square of that.
    inverse: [f64; 4],
}

/// One geom against the four of a block.
#[derive(Clone, Debug)]
struct Row {
    one: u32,
    block: u32,
    /// Which candidates these are, or `NONE`.
    candidate: [u32; 4],
    /// Squared distance of the origins beyond which they are apart; of a plane the height. Less than any of them where
    /// there is no candidate.
    reach: [f64; 4],
    /// Squared limits of the distance of the segments.
    between: [f64; 4],
}

const NONE: u32 = u32::MAX;

/// The test, for all candidates of a model.
#[derive(Clone, Debug)]
pub(super) struct NearTest {
    blocks: Vec<Block>,
    planes: Vec<Row>,
    pairs: Vec<Row>,
    /// A bit for each candidate that is near.
    bits: Vec<u64>,
    /// Their numbers.
    near: Vec<u32>,
}

impl NearTest {
    /// For these candidates, whose contacts are found to `tolerance`; `None` where they are few.
    pub fn new(m: &Model, candidates: &[Candidate], tolerance: f64) -> Option<Self> {
        if candidates.len() < FEW {
            return None;
        }
        let mut geoms: Vec<GeomId> = candidates.iter().flat_map(|c| c.geom).collect();
        geoms.sort_unstable();
        geoms.dedup();
        let block = |some: &[GeomId]| {
            let geom = from_fn(|l| some[l.min(some.len() - 1)]);
            let capsule = geom.map(|g| Capsule::around(m, g));
            let inverse = capsule.map(|c| c.inverse());
            Block { geom, capsule, at: [[0.0; 4]; 3], to_end: [[0.0; 4]; 3], inverse }
        };
        let blocks: Vec<Block> = geoms.chunks(4).map(block).collect();

        // Where the geoms of each candidate are, and its number.
        let place = |g: GeomId| geoms.binary_search(&g).unwrap_or(0);
        let numbered = candidates.iter().enumerate();
        let mut cells: Vec<_> = numbered.map(|(i, c)| (c.geom.map(place), i)).collect();
        cells.sort_unstable();
        let (mut planes, mut pairs) = (Vec::new(), Vec::new());
        for ([one, other], i) in cells {
            let candidate = &candidates[i];
            let rows: &mut Vec<Row> = if candidate.plane { &mut planes } else { &mut pairs };
            let (row, block, l) = (one as u32, other as u32 / 4, other % 4);
            if rows.last().is_none_or(|last| last.one != row || last.block != block || last.candidate[l] != NONE) {
                let nothing = [f64::NEG_INFINITY; 4];
                rows.push(Row { one: row, block, candidate: [NONE; 4], reach: nothing, between: nothing });
            }
            if let Some(last) = rows.last_mut() {
                last.candidate[l] = i as u32;
                let capsules = [one, other].map(|place| blocks[place / 4].capsule[place % 4]);
                (last.reach[l], last.between[l]) = limits(candidate, capsules, tolerance);
            }
        }
        let bits = vec![0; candidates.len().div_ceil(64)];
        Some(Self { blocks, planes, pairs, bits, near: Vec::with_capacity(candidates.len()) })
    }

    /// The numbers of those candidates that may touch at these poses, ascending.
    pub fn find(&mut self, xpos: &IdVec<GeomId, DVec3>, xmat: &IdVec<GeomId, DMat3>) -> &[u32] {
        self.bits.fill(0);
        dispatch(Test { test: self, xpos, xmat });
        self.near.clear();
        for (k, &bits) in self.bits.iter().enumerate() {
            let mut bits = bits;
            while bits != 0 {
                self.near.push(64 * k as u32 + bits.trailing_zeros());
                bits &= bits - 1;
            }
        }
        &self.near
    }
}

/// Returns the limits of a candidate's balls and of its capsules.
fn limits(candidate: &Candidate, [a, b]: [Capsule; 2], tolerance: f64) -> (f64, f64) {
    let radii = a.radius + b.radius;
    let within = radii + candidate.margin + tolerance + SLACK * (radii + a.half + b.half);
    if candidate.plane {
        return (candidate.reach, within);
    }
    // With less than no margin segments that are apart tell nothing.
    let between = if candidate.margin < 0.0 { f64::INFINITY } else { within * within };
    (candidate.reach * candidate.reach, between)
}

/// A run of the test.
struct Test<'a> {
    test: &'a mut NearTest,
    xpos: &'a IdVec<GeomId, DVec3>,
    xmat: &'a IdVec<GeomId, DMat3>,
}

impl Kernel for Test<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let NearTest { blocks, planes, pairs, bits: near, .. } = self.test;
        for b in blocks.iter_mut() {
            let at = b.geom.map(|g| self.xpos[g]);
            let axis = from_fn(|l| {
                let axes = &self.xmat[b.geom[l]];
                let axis = [&axes.x_axis, &axes.y_axis, &axes.z_axis][b.capsule[l].axis];
                *axis * b.capsule[l].half
            });
            (b.at, b.to_end) = (columns(Points::new(s, at)), columns(Points::new(s, axis)));
        }
        for row in planes.iter() {
            let (plane, normal) = one(s, blocks, row.one);
            let b = &blocks[row.block as usize];
            let height = (points(s, &b.at) - plane).dot(normal);
            let lower = height - points(s, &b.to_end).dot(normal).abs();
            mark(height.le(F64x4::new(s, &row.reach)) & lower.le(F64x4::new(s, &row.between)), row, near);
        }
        for row in pairs.iter() {
            let (c1, u1) = one(s, blocks, row.one);
            let b = &blocks[row.block as usize];
            let c = c1 - points(s, &b.at);
            let within = c.length_squared().le(F64x4::new(s, &row.reach));
            if !within.any() {
                continue;
            }
            let inverse = F64x4::splat(s, blocks[row.one as usize / 4].inverse[row.one as usize % 4]);
            let segments = [(u1, inverse), (points(s, &b.to_end), F64x4::new(s, &b.inverse))];
            mark(within & !apart(c, segments, F64x4::new(s, &row.between)), row, near);
        }
    }
}

/// Whether two segments are farther apart than the root of `limit`, four at a time: `c` from the middle of the second to
/// that of the first; halves of both, and one over their squares.
#[inline(always)]
fn apart<S: Simd>(c: Points<S>, [(u1, i1), (u2, i2)]: [(Points<S>, F64x4<S>); 2], limit: F64x4<S>) -> Mask<S> {
    let one = limit.like(1.0);
    let on_segment = |x: F64x4<S>| x.max(-one).min(one);
    let cross = u1.dot(u2);
    let (c1, c2) = (c.dot(u1), c.dot(u2));
    let t = on_segment(c2 * i2);
    let s = on_segment((t * cross - c1) * i1);
    let t = on_segment((c2 + s * cross) * i2);
    let w = c + u1 * s - u2 * t;
    let gap = c.dot(w) - u1.dot(w).abs() - u2.dot(w).abs();
    gap.like(0.0).lt(gap) & (limit * w.length_squared()).lt(gap * gap)
}

/// Notes the candidates of a row for which a mask holds.
#[inline(always)]
fn mark<S: Simd>(mask: Mask<S>, row: &Row, near: &mut [u64]) {
    if !mask.any() {
        return;
    }
    for (holds, i) in mask.get().into_iter().zip(row.candidate) {
        if holds && let Some(word) = near.get_mut(i as usize / 64) {
            *word |= 1 << (i % 64);
        }
    }
}

/// Where a geom is, and from there to the end of its segment, in all lanes.
#[inline(always)]
fn one<S: Simd>(s: S, blocks: &[Block], place: u32) -> (Points<S>, Points<S>) {
    let (b, l) = (&blocks[place as usize / 4], place as usize % 4);
    let splat = |x: &[[f64; 4]; 3]| Points::splat(s, DVec3::new(x[0][l], x[1][l], x[2][l]));
    (splat(&b.at), splat(&b.to_end))
}

#[inline(always)]
fn points<S: Simd>(s: S, x: &[[f64; 4]; 3]) -> Points<S> {
    Points { x: F64x4::new(s, &x[0]), y: F64x4::new(s, &x[1]), z: F64x4::new(s, &x[2]) }
}

#[inline(always)]
fn columns<S: Simd>(p: Points<S>) -> [[f64; 4]; 3] {
    [p.x.get(), p.y.get(), p.z.get()]
}

#[cfg(test)]
mod tests {
    use super::super::candidates::Rules;
    use super::*;
    use crate::{CcdWorkspace, Colliders, Placed, Pose, PreContacts, Query, Shape, ShapeKind};
    use mj_math::DQuat;
    use mj_model::BodyId;
    use proptest::prelude::*;

    const KINDS: [(GeomType, ShapeKind); 6] = [
        (GeomType::Plane, ShapeKind::Plane),
        (GeomType::Sphere, ShapeKind::Sphere),
        (GeomType::Capsule, ShapeKind::Capsule),
        (GeomType::Ellipsoid, ShapeKind::Ellipsoid),
        (GeomType::Cylinder, ShapeKind::Cylinder),
        (GeomType::Box, ShapeKind::Box),
    ];

    /// A model of free bodies with a geom each: kind, size, margin.
    fn model(geoms: &[(usize, DVec3, f64)]) -> Model {
        let mut m = Model::default();
        for (i, &(kind, size, margin)) in geoms.iter().enumerate() {
            let body = BodyId::new(i);
            m.body.weldid.edit().push(body);
            m.body.parentid.edit().push(BodyId::WORLD);
            m.body.dofnum.edit().push(6);
            m.body.contype.push(1);
            m.body.conaffinity.push(1);
            m.geom.bodyid.edit().push(body);
            m.geom.r#type.edit().push(KINDS[kind].0);
            m.geom.contype.push(1);
            m.geom.conaffinity.push(1);
            m.geom.size.push(size);
            m.geom.rbound.push(Shape::primitive(KINDS[kind].1, size).bounding_radius());
            m.geom.margin.push(margin);
            m.geom.gap.push(0.0);
        }
        m
    }

    fn candidates(m: &Model) -> Vec<Candidate> {
        let rules = Rules::new(m);
        let pairs = m.geom.ids().flat_map(|a| m.geom.ids().filter(move |&b| b > a).map(move |b| (a, b)));
        pairs.filter_map(|(a, b)| rules.candidate(m, a, b)).collect()
    }

    fn geom() -> impl Strategy<Value = (usize, DVec3, f64)> {
        let size = prop::array::uniform3(0.01..0.3f64).prop_map(DVec3::from);
        (0..KINDS.len(), size, prop_oneof![Just(0.0), -0.02..0.05f64])
    }

    fn pose() -> impl Strategy<Value = (DVec3, DMat3)> {
        let turn = prop::array::uniform4(-1.0..1.0f64).prop_filter("no axis", |q| q.iter().any(|x| x.abs() > 0.1));
        let turn = turn.prop_map(|q| DMat3::from_quat(DQuat::from_array(q).normalize()));
        (prop::array::uniform3(-0.5..0.5f64).prop_map(DVec3::from), turn)
    }

    proptest! {
        /// What touches is near if the balls are (with a margin below zero they needn't be), and nothing else is.
        #[test]
        fn nothing_that_touches_is_passed_over(
            geoms in prop::collection::vec((geom(), pose()), 7..12)
        ) {
            let m = model(&geoms.iter().map(|g| g.0).collect::<Vec<_>>());
            let (xpos, xmat) = geoms.iter().map(|g| g.1).unzip::<_, _, Vec<_>, Vec<_>>();
            let (xpos, xmat) = (IdVec::from_iter(xpos), IdVec::from_iter(xmat));
            let list = candidates(&m);
            prop_assume!(list.len() >= FEW);
            let mut test = NearTest::new(&m, &list, 1e-6).unwrap();
            let near = test.find(&xpos, &xmat).to_vec();
            prop_assert!(near.is_sorted());
            let placed = |g: GeomId| {
                let (kind, size, _) = geoms[g.index()].0;
                Placed::new(Shape::primitive(KINDS[kind].1, size), Pose { pos: xpos[g], mat: xmat[g] })
            };
            let (table, mut ws, mut found) = (Colliders::new(), CcdWorkspace::default(), PreContacts::new());
            for (i, c) in list.iter().enumerate() {
                let [a, b] = c.geom.map(placed);
                let query = Query { margin: c.margin, ..Query::default() };
                table.collide(&a, &b, &query, &mut ws, &mut found);
                let (is_near, balls_are) = (near.contains(&(i as u32)), c.is_near(&xpos, &xmat));
                prop_assert!(is_near || !balls_are || found.is_empty(), "{:?} {:?}", a, b);
                prop_assert!(balls_are || !is_near);
            }
        }
    }

    /// Twelve rods on end, as many again across them above: balls around them all meet, the rods do not.
    #[test]
    fn rods_side_by_side_are_not_near() {
        let rod = (2, DVec3::new(0.01, 0.2, 0.0), 0.001);
        let m = model(&[rod; 24]);
        let place =
            |i: usize| if i < 12 { DVec3::X * (0.03 * i as f64) } else { DVec3::new(0.0, 0.05, 0.03 * i as f64 - 0.5) };
        let xpos = IdVec::from_iter((0..24).map(place));
        let across = DMat3::from_rotation_y(std::f64::consts::FRAC_PI_2);
        let xmat = IdVec::from_iter((0..24).map(|i| if i < 12 { DMat3::IDENTITY } else { across }));
        let list = candidates(&m);
        assert_eq!(list.len(), 24 * 23 / 2);
        assert!(list.iter().filter(|c| c.is_near(&xpos, &xmat)).count() > 200);
        let mut test = NearTest::new(&m, &list, 1e-6).unwrap();
        assert_eq!(test.find(&xpos, &xmat), []);
        // Moved onto each other they are.
        let near = test.find(&IdVec::from_iter([DVec3::ZERO; 24]), &xmat);
        assert_eq!(near.len(), list.len());
    }
}
