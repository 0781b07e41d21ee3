//! Convex polyhedra: corners, the edges between them, and flat sides.

use mj_math::DVec3;
use mj_math::simd::{Kernel, Simd, dispatch};
use mj_model::{MeshId, Model};

/// Why there is no convex hull.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum HullError {
    /// Fewer than four points; so many.
    #[error("a convex hull needs four points that are not in one plane; there are {0}")]
    Few(usize),
    /// All points in one plane, within rounding.
    #[error("a convex hull needs four points that are not in one plane; all lie in one")]
    Flat,
    /// A point that is not finite: its number.
    #[error("point {0} is not finite")]
    NotFinite(usize),
    /// Sides of a polyhedron that can't be.
    #[error("{0}")]
    Sides(String),
    /// The algorithm gave up; its words.
    #[error("no convex hull: {0}")]
    Failed(String),
}

/// Corners of a triangular prism.
const PRISM_CORNERS: usize = 6;

/// Up to this many corners are all tried in a search for the farthest one; with more, the search climbs along edges.
const FEW: usize = 10;
/// Components of a direction below this count as zero for the choice of the corner to start from.
const ALONG: f64 = 0.4;

/// Four corners, and where they are, one coordinate beside the other: what a search tries at once.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Four {
    x: [f64; 4],
    y: [f64; 4],
    z: [f64; 4],
    corner: [u32; 4],
}

impl Four {
    /// Some corners by fours, the last repeated where there are fewer.
    fn some<'a>(vert: &'a [DVec3], corners: &'a [u32]) -> impl Iterator<Item = Self> + 'a {
        corners.chunks(4).map(|four| Self::new(vert, [0, 1, 2, 3].map(|k: usize| four[k.min(four.len() - 1)])))
    }

    /// All corners by fours.
    fn every(vert: &[DVec3]) -> impl Iterator<Item = Self> + '_ {
        let last = vert.len().saturating_sub(1) as u32;
        (0..vert.len() as u32).step_by(4).map(move |i| Self::new(vert, [0, 1, 2, 3].map(|k| last.min(i + k))))
    }

    fn new(vert: &[DVec3], corner: [u32; 4]) -> Self {
        let at = corner.map(|c| vert[c as usize]);
        Self { x: at.map(|p| p.x), y: at.map(|p| p.y), z: at.map(|p| p.z), corner }
    }

    /// How far they are along a direction.
    #[inline(always)]
    fn along(&self, d: DVec3) -> [f64; 4] {
        std::array::from_fn(|k| d.x * self.x[k] + d.y * self.y[k] + d.z * self.z[k])
    }
}

/// The first of the corners that are farthest along a direction, where one is farther than `most`; otherwise `best`.
#[inline(always)]
fn farther(reach: &[Four], direction: DVec3, mut best: u32, mut most: f64) -> (u32, f64) {
    let max = |a: f64, b: f64| if a > b { a } else { b };
    for four in reach {
        let along = four.along(direction);
        // Paired like this, two lanes at a time are enough.
        let here = max(max(along[0], along[2]), max(along[1], along[3]));
        if here > most {
            let first = (0..3).find(|&k| along[k] == here).unwrap_or(3);
            (best, most) = (four.corner[first], here);
        }
    }
    (best, most)
}

/// A convex polyhedron in its own frame. It has one corner at least.
#[derive(Clone, Debug, PartialEq)]
pub struct Hull {
    vert: Vec<DVec3>,
    /// Centre and half-sizes of the box around the corners.
    bounding_box: [DVec3; 2],
    /// Whether it is the half of a terrain's cell.
    prism: bool,
    /// First neighbour of each corner in `edge`, and one more entry: the end.
    edge_start: Vec<u32>,
    edge: Vec<u32>,
    /// First four of the neighbours of each corner in `reach`, and one more entry; where every corner is tried, all of
    /// them are the first's.
    reach_start: Vec<u32>,
    reach: Vec<Four>,
    /// The farthest corner along each of the 27 directions with components −1, 0, 1; x slowest.
    seed: Vec<u32>,
    /// Outward unit normals of the sides.
    normal: Vec<DVec3>,
    /// First corner of each side in `side`, and one more entry.
    side_start: Vec<u32>,
    /// Corners of the sides, counter-clockwise seen from outside.
    side: Vec<u32>,
    /// First side of each corner in `around`, and one more entry.
    around_start: Vec<u32>,
    around: Vec<u32>,
}

impl Hull {
    /// A polyhedron from its corners and its sides, each a list of corners counter-clockwise seen from outside.
    ///
    /// The sides must be those of the convex hull, and every corner on one of them; of points alone,
    /// [`Hull::from_points`] finds them.
    ///
    /// # Errors
    /// If there are no corners, one is not finite, there are no sides, or one has fewer than three corners or a corner
    /// that is not there.
    pub fn new(corners: &[DVec3], sides: &[Vec<u32>]) -> Result<Self, HullError> {
        if corners.is_empty() {
            return Err(HullError::Few(0));
        }
        if let Some(i) = corners.iter().position(|p| !p.is_finite()) {
            return Err(HullError::NotFinite(i));
        }
        if sides.is_empty() {
            return Err(HullError::Sides("a polyhedron needs sides; `Hull::from_points` finds those of points".into()));
        }
        let good = |side: &Vec<u32>| side.len() >= 3 && side.iter().all(|&v| (v as usize) < corners.len());
        if let Some(i) = sides.iter().position(|side| !good(side)) {
            let message = format!("side {i} needs three corners or more, each among the {}", corners.len());
            return Err(HullError::Sides(message));
        }
        let mut neighbours: Vec<Vec<u32>> = vec![Vec::new(); corners.len()];
        for side in sides {
            for (k, &v) in side.iter().enumerate() {
                neighbours[v as usize].push(side[(k + 1) % side.len()]);
            }
        }
        let normal = sides.iter().map(|side| {
            let at = |k: usize| corners[side[k] as usize];
            let area: DVec3 = (1..side.len() - 1).map(|k| (at(k) - at(0)).cross(at(k + 1) - at(0))).sum();
            area.normalize_or_zero()
        });
        let normal = normal.collect();
        Ok(Self::from_parts(corners.to_vec(), &neighbours, sides, normal))
    }

    /// The hull of a mesh of a model; `None` where the mesh has none.
    pub fn of_mesh(m: &Model, mesh: MeshId) -> Option<Self> {
        let d = &m.mesh_data;
        let graph = d.graph.get(usize::try_from(m.mesh.graphadr[mesh]).ok()?..)?;
        let &[n @ 1..=i32::MAX, f, ..] = graph else { return None };
        let (n, f) = (n as usize, f as usize);
        let address = graph.get(2..2 + n)?;
        let global = graph.get(2 + n..2 + 2 * n)?;
        let edges = graph.get(2 + 2 * n..2 + 3 * n + 3 * f)?;
        let first = m.mesh.vertadr[mesh] as usize;
        let point = |&v: &i32| d.vert.get(first + v as usize).map(|p| DVec3::from_array(p.map(f64::from)));
        let vert: Vec<DVec3> = global.iter().map(point).collect::<Option<_>>()?;
        let neighbours: Vec<Vec<u32>> = address
            .iter()
            .map(|&a| edges[a as usize..].iter().take_while(|&&e| e >= 0).map(|&e| e as u32).collect())
            .collect();
        let mut local = vec![0; m.mesh.vertnum[mesh] as usize];
        global.iter().enumerate().for_each(|(i, &v)| local[v as usize] = i as u32);
        let polygon = |p: usize| {
            let start = d.polyvertadr[p] as usize;
            d.polyvert[start..start + d.polyvertnum[p] as usize].iter().map(|&v| local[v as usize]).collect()
        };
        let first = m.mesh.polyadr[mesh] as usize;
        let polygons = first..first + m.mesh.polynum[mesh] as usize;
        let sides: Vec<Vec<u32>> = polygons.clone().map(polygon).collect();
        Some(Self::from_parts(vert, &neighbours, &sides, d.polynormal.get(polygons)?.to_vec()))
    }

    /// Returns a hull whose fields are still to be filled in.
    fn blank() -> Self {
        Self {
            vert: Vec::new(),
            bounding_box: [DVec3::ZERO; 2],
            prism: false,
            edge_start: Vec::new(),
            edge: Vec::new(),
            reach_start: Vec::new(),
            reach: Vec::new(),
            seed: Vec::new(),
            normal: Vec::new(),
            side_start: Vec::new(),
            side: Vec::new(),
            around_start: Vec::new(),
            around: Vec::new(),
        }
    }

    /// A polyhedron whose edges and sides are known: the neighbours of each corner in the order in which they are
    /// tried, the corners of each side counter-clockwise seen from outside, and its outward unit normal.
    pub(crate) fn from_parts(
        vert: Vec<DVec3>,
        neighbours: &[Vec<u32>],
        sides: &[Vec<u32>],
        normal: Vec<DVec3>,
    ) -> Self {
        let (low, high) =
            vert.iter().fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(low, high), &p| (low.min(p), high.max(p)));
        let bounding_box = [0.5 * (low + high), 0.5 * (high - low)];
        let mut hull = Self { vert, bounding_box, normal, ..Self::blank() };
        (hull.edge_start, hull.edge) = flatten(neighbours);
        if hull.vert.len() < FEW || hull.edge.is_empty() {
            hull.reach.extend(Four::every(&hull.vert));
        } else {
            hull.reach_start.push(0);
            for corners in neighbours {
                hull.reach.extend(Four::some(&hull.vert, corners));
                hull.reach_start.push(hull.reach.len() as u32);
            }
        }
        for i in 0..27 {
            let along = DVec3::new((i / 9) as f64, (i / 3 % 3) as f64, (i % 3) as f64) - DVec3::ONE;
            hull.seed.push(farthest(&hull.vert, along));
        }
        let mut around: Vec<Vec<u32>> = vec![Vec::new(); hull.vert.len()];
        for (i, side) in sides.iter().enumerate() {
            side.iter().for_each(|&v| around[v as usize].push(i as u32));
        }
        (hull.side_start, hull.side) = flatten(sides);
        (hull.around_start, hull.around) = flatten(&around);
        hull
    }

    /// A triangular prism whose corners are to be set again and again, those of the floor first; without sides.
    pub(crate) fn prism() -> Self {
        let vert = vec![DVec3::ZERO; PRISM_CORNERS];
        Self { prism: true, reach: Four::every(&vert).collect(), vert, ..Self::blank() }
    }

    /// Sets all corners of a prism.
    pub(crate) fn set_corners(&mut self, corners: [DVec3; PRISM_CORNERS]) {
        self.vert.iter_mut().zip(corners).for_each(|(vert, corner)| *vert = corner);
        for (i, four) in self.reach.iter_mut().enumerate() {
            *four = Four::new(&corners, [0, 1, 2, 3].map(|k| (4 * i as u32 + k).min(PRISM_CORNERS as u32 - 1)));
        }
    }

    /// The corners.
    pub fn corners(&self) -> &[DVec3] {
        &self.vert
    }

    /// Centre and half-sizes of the box around the corners, along the axes of the hull's frame; a prism has none.
    pub(crate) fn bounding_box(&self) -> [DVec3; 2] {
        self.bounding_box
    }

    /// Whether this is such a prism.
    pub(crate) fn is_prism(&self) -> bool {
        self.prism
    }

    /// The first of a prism's corners that are farthest along a direction: of the top, if it doesn't point down.
    pub(crate) fn farthest_of_prism(&self, direction: DVec3) -> u32 {
        let first = if direction.z < 0.0 { 0 } else { PRISM_CORNERS / 2 };
        let along = |corner: usize| direction.dot(self.vert[corner]);
        let mut best = (first, along(first));
        for corner in first + 1..first + PRISM_CORNERS / 2 {
            let here = along(corner);
            if here > best.1 {
                best = (corner, here);
            }
        }
        best.0 as u32
    }

    /// Number of sides.
    pub fn side_count(&self) -> usize {
        self.normal.len()
    }

    /// Corners of a side, counter-clockwise seen from outside.
    pub fn side(&self, side: usize) -> &[u32] {
        range(&self.side_start, &self.side, side)
    }

    /// Outward unit normal of a side.
    pub fn normal(&self, side: usize) -> DVec3 {
        self.normal[side]
    }

    /// How far a point is above the planes of all sides, at most: zero or less inside.
    pub(crate) fn height(&self, p: DVec3) -> f64 {
        let above = |side: usize| {
            let corner = self.side(side).first().map_or(DVec3::ZERO, |&c| self.vert[c as usize]);
            self.normal[side].dot(p - corner)
        };
        (0..self.side_count()).map(above).fold(f64::NEG_INFINITY, f64::max)
    }

    /// The sides around a corner.
    pub fn around(&self, corner: u32) -> &[u32] {
        range(&self.around_start, &self.around, corner as usize)
    }

    /// The corners that have an edge to a corner.
    pub fn neighbours(&self, corner: u32) -> &[u32] {
        range(&self.edge_start, &self.edge, corner as usize)
    }

    /// The farthest corner along a direction; of several, any.
    pub fn farthest(&self, direction: DVec3) -> u32 {
        self.farthest_from(None, direction)
    }

    /// Returns the support point, where it is likely to be near a corner. Of several as far, `near` wins where it is one of
    /// them and corners are few.
    pub fn farthest_from(&self, near: Option<u32>, direction: DVec3) -> u32 {
        let along = |corner: u32| self.vert.get(corner as usize).map_or(f64::NEG_INFINITY, |p| direction.dot(*p));
        if self.reach_start.is_empty() {
            let (best, most) = near.map_or((0, f64::NEG_INFINITY), |corner| (corner, along(corner)));
            return farther(&self.reach, direction, best, most).0;
        }
        let cell = |x: f64| usize::from(x > ALONG) + usize::from(x >= -ALONG);
        let mut best = self.seed[9 * cell(direction.x) + 3 * cell(direction.y) + cell(direction.z)];
        let mut most = along(best);
        if let Some(corner) = near {
            let here = along(corner);
            if here >= most {
                (best, most) = (corner, here);
            }
        }
        // Wide vectors take their operands from memory: which these loops wait for.
        dispatch(Climb { hull: self, direction, best, most })
    }
}

/// The way from a corner along edges to the one that is farthest along a direction.
struct Climb<'a> {
    hull: &'a Hull,
    direction: DVec3,
    best: u32,
    most: f64,
}

impl Kernel for Climb<'_> {
    type Output = u32;

    #[inline(always)]
    fn run<P: Simd>(self, _: P) -> u32 {
        let Self { hull, direction, mut best, mut most } = self;
        loop {
            let here = best;
            (best, most) = farther(range(&hull.reach_start, &hull.reach, here as usize), direction, best, most);
            if best == here {
                return best;
            }
        }
    }
}

/// The farthest of some points; of several the first.
fn farthest(points: &[DVec3], direction: DVec3) -> u32 {
    let (mut best, mut most) = (0, f64::NEG_INFINITY);
    for (i, p) in points.iter().enumerate() {
        let along = direction.dot(*p);
        if along > most {
            (best, most) = (i as u32, along);
        }
    }
    best
}

fn flatten(lists: &[Vec<u32>]) -> (Vec<u32>, Vec<u32>) {
    let mut start = vec![0];
    let mut all = Vec::new();
    for list in lists {
        all.extend_from_slice(list);
        start.push(all.len() as u32);
    }
    (start, all)
}

#[inline(always)]
fn range<'a, T>(start: &[u32], all: &'a [T], i: usize) -> &'a [T] {
    match start.get(i..i + 2) {
        Some(&[from, to]) => &all[from as usize..to as usize],
        _ => &[],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// A prism over a regular polygon, with radius and half height 1.
    pub(crate) fn prism(n: u32) -> Hull {
        let corner = |i: u32, z: f64| {
            let (s, c) = (std::f64::consts::TAU * f64::from(i) / f64::from(n)).sin_cos();
            DVec3::new(c, s, z)
        };
        let corners: Vec<DVec3> = (0..n).map(|i| corner(i, -1.0)).chain((0..n).map(|i| corner(i, 1.0))).collect();
        let mut sides: Vec<Vec<u32>> = vec![(0..n).rev().collect(), (n..2 * n).collect()];
        sides.extend((0..n).map(|i| vec![i, (i + 1) % n, n + (i + 1) % n, n + i]));
        Hull::new(&corners, &sides).unwrap()
    }

    proptest! {
        #[test]
        fn climbing_finds_the_farthest_corner(n in 3..40u32, x in -1.0..1.0f64, y in -1.0..1.0f64, z in -1.0..1.0f64) {
            let hull = prism(n);
            let d = DVec3::new(x, y, z);
            let far = |i: u32| d.dot(hull.corners()[i as usize]);
            prop_assert!((far(hull.farthest(d)) - far(farthest(hull.corners(), d))).abs() < 1e-12);
        }
    }

    #[test]
    fn sides_know_their_corners_and_back() {
        let hull = prism(12);
        for corner in 0..24 {
            assert_eq!(hull.around(corner).len(), 3);
            assert!(hull.around(corner).iter().all(|&s| hull.side(s as usize).contains(&corner)));
        }
        assert!((hull.normal(1) - DVec3::Z).length() < 1e-12 && (hull.normal(0) + DVec3::Z).length() < 1e-12);
        assert_eq!(hull.side_count(), 14);
    }
}
