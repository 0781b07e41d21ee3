//! Pairs of geoms that may be near each other, for models with many: sweep and prune.
//!
//! The boxes around the geoms are swept along the axis on which they are spread the widest. Where they are spread in
//! more directions, boxes far apart overlap on that axis too; so the other axes are cut into strips, and each column
//! where two strips cross is swept by itself. A strip is a few boxes wide, so that the cost grows with the number of
//! geoms, not with its square. A pair that shares several columns is reported in the first.
//!
//! Where many geoms are fixed to one body (stairs to the world), only those take part that reach into the part of their
//! common box that boxes of other bodies overlap.

use std::ops::Range;

use mj_math::{DMat3, DVec3};
use mj_model::{Awake, BodyId, GeomId, IdVec, Model, enable};

use super::speculative::Sweep;

/// Width of a strip, in mean widths of the boxes.
const STRIP: f64 = 4.0;
/// Boxes to a column, on average, at least.
const COLUMN: usize = 16;
/// Geoms fixed to one body from which on those far from all others are passed over.
const MANY: usize = 32;

/// A geom's box in the world's axes, with its margin.
#[derive(Clone, Copy, Debug)]
struct Bounds {
    geom: GeomId,
    body: BodyId,
    /// The topmost of the bodies that the body is fixed to: two geoms of one don't collide.
    weld: BodyId,
    min: DVec3,
    max: DVec3,
    /// Whether it may overlap one that is fixed to another body.
    near: bool,
}

/// The broad phase; keeps its memory from one state to the next.
#[derive(Clone, Debug, Default)]
pub(super) struct BroadPhase {
    /// All geoms, by the body that they are fixed to.
    geoms: Vec<(BodyId, GeomId)>,
    /// Which of these are fixed to one body, of bodies with many.
    groups: Vec<Range<usize>>,
    /// Boxes of those that take part.
    boxes: Vec<Bounds>,
    /// Numbers of boxes, column by column; in a column by where they begin on the axis.
    entries: Vec<u32>,
    /// First entry of every column, and one more: the end.
    starts: Vec<u32>,
}

/// An axis cut into intervals of the same width, the first and the last without end.
struct Strips {
    axis: usize,
    low: f64,
    width: f64,
    count: usize,
}

impl Strips {
    /// Strips of at least this width across an axis, at most so many.
    fn new(boxes: &[Bounds], axis: usize, width: f64, most: usize) -> Self {
        let low = boxes.iter().fold(f64::INFINITY, |low, b| low.min(b.min[axis]));
        let high = boxes.iter().fold(f64::NEG_INFINITY, |high, b| high.max(b.min[axis]));
        let count = (((high - low) / width) as usize).clamp(1, most.max(1));
        Self { axis, low, width: ((high - low) / count as f64).max(width), count }
    }

    fn of(&self, point: DVec3) -> usize {
        // The cast takes what is below zero, or no number, to zero.
        (((point[self.axis] - self.low) / self.width) as usize).min(self.count - 1)
    }
}

/// The columns where the strips of two axes cross.
struct Columns([Strips; 2]);

impl Columns {
    fn count(&self) -> usize {
        self.0[0].count * self.0[1].count
    }

    fn of(&self, point: DVec3) -> usize {
        self.0[0].of(point) * self.0[1].count + self.0[1].of(point)
    }

    /// The columns that a box reaches into.
    fn around(&self, b: &Bounds) -> impl Iterator<Item = usize> {
        let [first, second] = [0, 1].map(|k| self.0[k].of(b.min)..=self.0[k].of(b.max));
        let across = self.0[1].count;
        first.flat_map(move |i| second.clone().map(move |j| i * across + j))
    }
}

impl BroadPhase {
    /// For these geoms, which are bounded.
    pub fn new(m: &Model, geoms: &[GeomId]) -> Self {
        let mut geoms: Vec<_> = geoms.iter().map(|&geom| (m.body.weldid[m.geom.bodyid[geom]], geom)).collect();
        geoms.sort_unstable();
        let mut groups = Vec::new();
        let mut first = 0;
        for fixed in geoms.chunk_by(|a, b| a.0 == b.0) {
            if fixed.len() >= MANY {
                groups.push(first..first + fixed.len());
            }
            first += fixed.len();
        }
        let boxes = Vec::with_capacity(geoms.len());
        Self { geoms, groups, boxes, ..Self::default() }
    }

    /// Drops boxes, of bodies with many, that overlap none of another body.
    fn drop_distant(&mut self) {
        for group in &self.groups {
            let weld = self.boxes[group.start].weld;
            let nothing = [DVec3::INFINITY, DVec3::NEG_INFINITY];
            let [min, max] =
                self.boxes[group.clone()].iter().fold(nothing, |[min, max], b| [min.min(b.min), max.max(b.max)]);
            let [min, max] = self.boxes.iter().filter(|b| b.weld != weld).fold(nothing, |common, b| {
                let (low, high) = (min.max(b.min), max.min(b.max));
                let overlap = low.cmple(high).all();
                if overlap { [common[0].min(low), common[1].max(high)] } else { common }
            });
            for b in &mut self.boxes[group.clone()] {
                b.near = b.min.cmple(max).all() && min.cmple(b.max).all();
            }
        }
        if !self.groups.is_empty() {
            self.boxes.retain(|b| b.near);
        }
    }

    /// Calls `report` with every pair of geoms that are fixed to different bodies, whose boxes overlap, and of which one
    /// moves, in no order; the boxes hold all of the geoms' motions where `sweeps` has any.
    pub fn sweep(
        &mut self,
        m: &Model,
        awake: &Awake,
        xpos: &IdVec<GeomId, DVec3>,
        xmat: &IdVec<GeomId, DMat3>,
        sweeps: &[Sweep],
        mut report: impl FnMut(GeomId, GeomId),
    ) {
        let Self { geoms, boxes, .. } = self;
        boxes.clear();
        boxes.extend(geoms.iter().map(|&(weld, geom)| {
            let (min, max) = bounding_box(m, geom, xpos, xmat, sweeps.get(geom.index()));
            Bounds { geom, body: m.geom.bodyid[geom], weld, min, max, near: true }
        }));
        self.drop_distant();
        let (mut sum, mut sum2, mut width) = (DVec3::ZERO, DVec3::ZERO, DVec3::ZERO);
        for b in &self.boxes {
            let center = 0.5 * (b.min + b.max);
            sum += center;
            sum2 += center * center;
            width += b.max - b.min;
        }
        let n = self.boxes.len().max(1) as f64;
        let spread = sum2 / n - (sum / n) * (sum / n);
        let mut axes = [0, 1, 2];
        axes.sort_by(|&i, &j| spread[j].total_cmp(&spread[i]));
        let columns = self.fill(axes, width * (STRIP / n));
        let axis = axes[0];

        for (column, range) in self.starts.windows(2).enumerate() {
            let entries = &self.entries[range[0] as usize..range[1] as usize];
            for (i, &a) in entries.iter().enumerate() {
                let a = &self.boxes[a as usize];
                for &b in &entries[i + 1..] {
                    let b = &self.boxes[b as usize];
                    if b.min[axis] > a.max[axis] {
                        break;
                    }
                    let overlap = a.weld != b.weld && a.min.cmple(b.max).all() && b.min.cmple(a.max).all();
                    let moves = || awake.moves(a.body) || awake.moves(b.body);
                    if overlap && moves() && columns.of(a.min.max(b.min)) == column {
                        report(a.geom, b.geom);
                    }
                }
            }
        }
    }

    /// Sorts the boxes into columns along the first of the axes, at least this wide across the others.
    fn fill(&mut self, [axis, wide, narrow]: [usize; 3], width: DVec3) -> Columns {
        // Few boxes to a column aren't worth it, and nor is a box in many columns.
        let most = self.boxes.len() / COLUMN;
        let first = Strips::new(&self.boxes, wide, width[wide], most);
        let second = Strips::new(&self.boxes, narrow, width[narrow], most / first.count);
        let columns = Columns([first, second]);

        // Counting sort by column, then each by where its boxes begin.
        self.starts.clear();
        self.starts.resize(columns.count() + 1, 0);
        for b in &self.boxes {
            columns.around(b).for_each(|column| self.starts[column] += 1);
        }
        let mut end = 0;
        for start in &mut self.starts {
            end += *start;
            *start = end;
        }
        self.entries.clear();
        self.entries.resize(end as usize, 0);
        for (i, b) in self.boxes.iter().enumerate() {
            for column in columns.around(b) {
                self.starts[column] -= 1;
                self.entries[self.starts[column] as usize] = i as u32;
            }
        }
        let boxes = &self.boxes;
        for range in self.starts.windows(2) {
            self.entries[range[0] as usize..range[1] as usize]
                .sort_unstable_by(|&a, &b| boxes[a as usize].min[axis].total_cmp(&boxes[b as usize].min[axis]));
        }
        columns
    }
}

/// The box around a geom, its margin and its motion, in the world's axes.
fn bounding_box(
    m: &Model,
    g: GeomId,
    xpos: &IdVec<GeomId, DVec3>,
    xmat: &IdVec<GeomId, DMat3>,
    sweep: Option<&Sweep>,
) -> (DVec3, DVec3) {
    let [cx, cy, cz, hx, hy, hz] = m.geom.aabb[g];
    let mat = &xmat[g];
    let center = xpos[g] + *mat * DVec3::new(cx, cy, cz);
    let half = mat.x_axis.abs() * hx + mat.y_axis.abs() * hy + mat.z_axis.abs() * hz;
    let margin = if m.opt.enabled(enable::OVERRIDE) { 0.5 * m.opt.o_margin } else { m.geom.margin[g] };
    let half = half + DVec3::splat((margin + m.geom.gap[g]).max(0.0));
    let (mut min, mut max) = (center - half, center + half);
    if let Some(sweep) = sweep {
        let turning = DVec3::splat(sweep.turning());
        min = min.min(min + sweep.shift - turning) - turning;
        max = max.max(max + sweep.shift + turning) + turning;
    }
    (min, max)
}

#[cfg(test)]
mod tests {
    use super::*;
    use mj_math::{DMat3, DVec3};

    /// Boxes of different sizes, in turn on so many bodies: every pair of two bodies that overlaps is reported once.
    fn check(n: u32, bodies: usize, extent: DVec3, largest: f64) {
        let mut seed = 7u64;
        let mut random = move || {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (seed >> 11) as f64 / (1u64 << 53) as f64
        };
        let mut m = Model::default();
        let mut xpos = IdVec::new();
        let mut xmat = IdVec::new();
        m.body.weldid = (0..bodies).map(BodyId::new).collect::<IdVec<BodyId, BodyId>>().into();
        for i in 0..n {
            let size = if i % 50 == 0 { largest } else { 0.05 + 0.1 * random() };
            m.geom.bodyid.edit().push(BodyId::new(i as usize % bodies));
            m.geom.aabb.push([0.0, 0.0, 0.0, size, size, size]);
            m.geom.margin.push(0.01);
            m.geom.gap.push(0.0);
            let body = DVec3::new((i as usize % bodies) as f64, 0.0, 0.0);
            xpos.push(DVec3::new(random(), random(), random()) * extent + if bodies < 10 { body } else { DVec3::ZERO });
            xmat.push(DMat3::IDENTITY);
        }
        let geoms: Vec<GeomId> = (0..n as usize).map(GeomId::new).collect();
        let mut broad = BroadPhase::new(&m, &geoms);
        let mut found = Vec::new();
        broad.sweep(&m, &Awake::new(&m), &xpos, &xmat, &[], |a, b| found.push((a.min(b), a.max(b))));
        found.sort_unstable();
        let mut expected = Vec::new();
        for (i, &a) in geoms.iter().enumerate() {
            for &b in geoms[i + 1..].iter().filter(|&&b| m.geom.bodyid[b] != m.geom.bodyid[a]) {
                let reach = m.geom.aabb[a][3] + m.geom.aabb[b][3] + 0.02;
                if (xpos[a] - xpos[b]).abs().max_element() <= reach {
                    expected.push((a, b));
                }
            }
        }
        assert!(!expected.is_empty());
        assert_eq!(found, expected);
        assert_eq!(broad.boxes.len() < n as usize, bodies < 10);
    }

    #[test]
    fn every_overlapping_pair_is_found_once() {
        check(400, 400, DVec3::new(8.0, 6.0, 0.3), 2.0);
        check(300, 300, DVec3::new(0.1, 0.1, 20.0), 0.5);
        check(2000, 2000, DVec3::new(5.0, 5.0, 5.0), 1.0);
        check(100, 100, DVec3::splat(1.0), 0.1);
        check(20, 20, DVec3::splat(0.1), 0.1);
    }

    /// Three bodies side by side: the geoms that are far from the other bodies take no part.
    #[test]
    fn distant_geoms_of_a_group_take_no_part() {
        check(300, 3, DVec3::new(1.0, 6.0, 6.0), 0.2);
    }
}
