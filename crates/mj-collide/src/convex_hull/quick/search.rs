//! The facet that a point is farthest above.

use super::Quickhull;
use super::facets::TAIL;

/// Where a point is: the facet that it is farthest above (or least below), how far, and whether it counts as outside.
#[derive(Clone, Copy, Debug)]
pub(super) struct Found {
    pub facet: usize,
    pub above: f64,
    pub outside: bool,
}

impl Quickhull<'_> {
    fn found(&self, facet: usize, above: f64) -> Found {
        Found { facet, above, outside: above >= self.tolerance.outside }
    }

    /// Twice as careful, once many facets have been united.
    fn care(&self) -> f64 {
        if self.merges > 50 { 2.0 } else { 1.0 }
    }

    /// So far above, a point is outside beyond doubt.
    pub(super) fn clearly_outside(&self) -> f64 {
        self.care() * (2.0 * self.tolerance.outside).max(self.outmost)
    }

    /// Walks from facet to facet, uphill. With `exact`, to the best; without, to the first that the point is outside
    /// of. With `new_only`, over new facets.
    pub(super) fn walk(&mut self, point: u32, start: usize, exact: bool, new_only: bool) -> Found {
        self.visit += 1;
        let mut best = self.found(start, self.point_above(point, start));
        if !exact && best.outside {
            return best;
        }
        self.facets[start].visit = self.visit;
        let mut at = Some(start);
        while let Some(facet) = at.take() {
            for i in 0..self.facets[facet].neighbors.len() {
                let neighbor = self.facets[facet].neighbors[i];
                let n = &mut self.facets[neighbor];
                if new_only && !n.new || n.visit == self.visit {
                    continue;
                }
                n.visit = self.visit;
                let above = self.point_above(point, neighbor);
                if above > best.above {
                    best = self.found(neighbor, above);
                    if !exact && best.outside {
                        return best;
                    }
                    at = Some(neighbor);
                    break;
                }
            }
        }
        if new_only && !self.blunt && best.above < -self.tolerance.round {
            if self.is_sharp() {
                self.search_all = true;
                return self.scan(point, best.facet, exact);
            }
            self.blunt = true;
        }
        self.spread(point, best)
    }

    /// Looks at the facets from one on, and at all new ones. Without `exact`, a facet that the point is clearly outside
    /// of will do.
    pub(super) fn scan(&mut self, point: u32, start: usize, exact: bool) -> Found {
        self.visit += 1;
        let enough = if exact { f64::INFINITY } else { self.clearly_outside() };
        let mut best = self.found(start, f64::NEG_INFINITY);
        for (round, first) in [start, self.facets.new.unwrap_or(TAIL)].into_iter().enumerate() {
            let mut facet = first;
            while facet != TAIL && !(round == 1 && facet == start) {
                self.facets[facet].visit = self.visit;
                let above = self.point_above(point, facet);
                if above > best.above {
                    best = self.found(facet, above);
                    if above >= enough {
                        return best;
                    }
                }
                facet = self.facets.after(facet);
            }
        }
        self.spread(point, best)
    }

    /// Looks around the best facet found, across facets that are about as good.
    fn spread(&mut self, point: u32, mut best: Found) -> Found {
        self.visit += 1;
        let slack = self.care() * (self.outmost + 2.0 * self.tolerance.round + self.tolerance.flat);
        let mut least = best.above - slack;
        let mut as_good = std::mem::take(&mut self.as_good);
        as_good.clear();
        self.facets[best.facet].visit = self.visit;
        let mut at = best.facet;
        loop {
            let mut next = None;
            for i in 0..self.facets[at].neighbors.len() {
                let neighbor = self.facets[at].neighbors[i];
                if self.facets[neighbor].visit == self.visit {
                    continue;
                }
                self.facets[neighbor].visit = self.visit;
                let above = self.point_above(point, neighbor);
                if above > best.above {
                    least = above - slack;
                    if above > best.above + slack {
                        as_good.clear();
                    }
                    best = self.found(neighbor, above);
                } else if above < least {
                    continue;
                }
                as_good.extend(next);
                next = Some(neighbor);
            }
            match next.or_else(|| as_good.pop()) {
                Some(facet) => at = facet,
                None => break,
            }
        }
        self.as_good = as_good;
        best
    }

    /// Do the new facets' normals lie in several octants?
    fn is_sharp(&self) -> bool {
        let octant = |f: usize| self.facets[f].normal.cmpgt(mj_math::DVec3::ZERO);
        let mut octants = self.facets.new_ones().map(octant);
        let first = octants.next();
        octants.any(|o| Some(o) != first)
    }
}
