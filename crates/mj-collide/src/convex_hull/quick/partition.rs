//! Points among facets: each that is outside belongs to one facet that it is above.

use super::facets::TAIL;
use super::{Quickhull, Unsupported};

impl Quickhull<'_> {
    /// Gives all points that are no vertices to the first simplex's facets.
    pub(super) fn partition_all(&mut self) {
        let mut is_vertex = vec![false; self.points.len()];
        self.vertices.iter().for_each(|v| is_vertex[v.point as usize] = true);
        let mut left: Vec<u32> = (0..self.points.len() as u32).filter(|&p| !is_vertex[p as usize]).collect();
        let enough = self.clearly_outside();
        for facet in self.facets.from(self.facets.first()).collect::<Vec<_>>() {
            let mut outside = Vec::new();
            let mut farthest: Option<(u32, f64)> = None;
            left.retain(|&point| {
                let above = self.point_above(point, facet);
                if above < enough {
                    return true;
                }
                match farthest {
                    None => farthest = Some((point, above)),
                    Some((last, best)) if above > best => {
                        outside.push(last);
                        farthest = Some((point, above));
                    }
                    Some(_) => outside.push(point),
                }
                false
            });
            if let Some((point, above)) = farthest {
                outside.push(point);
                self.facets[facet].farthest = above;
            }
            self.facets[facet].outside = outside;
        }
        self.search_all = true;
        for point in left {
            self.partition(point, self.facets.first());
        }
        self.search_all = false;
    }

    /// Gives the points of the visible facets, and the vertices that went with them, to the new facets.
    pub(super) fn partition_visible(&mut self) -> Result<(), Unsupported> {
        let first = self.facets.new.filter(|&f| f != TAIL).ok_or(Unsupported("no new facet is left"))?;
        for visible in self.facets.visible_ones().collect::<Vec<_>>() {
            let outside = std::mem::take(&mut self.facets[visible].outside);
            let coplanar = std::mem::take(&mut self.facets[visible].coplanar);
            let start = self.facets.replacement(visible).unwrap_or(first);
            for point in outside {
                self.partition(point, start);
            }
            for point in coplanar {
                self.keep_coplanar(point, start, None, self.search_all);
            }
        }
        for vertex in std::mem::take(&mut self.deleted) {
            self.gone += 1;
            let first = self.facets.new.unwrap_or(first);
            self.keep_coplanar(self.vertices[vertex].point, first, None, true);
        }
        Ok(())
    }

    /// Gives a point to the facet that it is farthest above, or drops it if it is inside.
    fn partition(&mut self, point: u32, start: usize) {
        let best = if self.search_all { self.scan(point, start, false) } else { self.walk(point, start, false, true) };
        if !best.outside {
            if best.above >= -self.tolerance.inside {
                self.keep_coplanar(point, best.facet, Some(best.above), self.search_all);
            }
            return;
        }
        let facet = &mut self.facets[best.facet];
        let was_empty = facet.outside.is_empty();
        if was_empty || facet.farthest < best.above {
            facet.outside.push(point);
            facet.farthest = best.above;
        } else {
            facet.outside.insert(facet.outside.len() - 1, point);
        }
        // It must come after the next facet to be worked on.
        if was_empty && self.facets.next != best.facet {
            if self.facets[best.facet].new {
                if let Some(new) = self.facets.new.filter(|_| self.facets[self.facets.next].new) {
                    self.facets.next = new;
                }
            } else {
                self.facets.remove(best.facet);
                self.facets.append(best.facet);
                self.facets[best.facet].new = self.facets.new.is_some();
            }
        }
    }

    /// Keeps a point in mind that is in the plane of a facet, or not far below; with `above`, of that facet, else of
    /// the best. It may turn out to be outside after all.
    fn keep_coplanar(&mut self, point: u32, start: usize, above: Option<f64>, all: bool) {
        let (facet, height) = match above {
            Some(above) => (start, above),
            None => {
                let best = if all { self.scan(point, start, true) } else { self.walk(point, start, true, false) };
                if best.above < -self.tolerance.inside {
                    return;
                }
                (best.facet, best.above)
            }
        };
        if height > self.outmost {
            let is_around_corner =
                above.is_none() && facet != start && self.facets[start].normal.dot(self.facets[facet].normal) < 0.0;
            if is_around_corner || height > 30.0 * self.widest {
                let search_all = std::mem::replace(&mut self.search_all, false);
                self.partition(point, facet);
                self.search_all = search_all;
                return;
            }
            self.outmost = height;
        }
        let last = self.facets[facet].coplanar.last().map(|&p| self.point_above(p, facet));
        let coplanar = &mut self.facets[facet].coplanar;
        match last {
            Some(last) if last >= height => coplanar.insert(coplanar.len() - 1, point),
            _ => coplanar.push(point),
        }
    }
}
