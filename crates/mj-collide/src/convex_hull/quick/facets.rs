//! The polytope under construction: facets, their vertices and ridges, and the order in which facets are worked on.

use mj_math::DVec3;

/// The end of the facets' order, a facet that is none.
pub(super) const TAIL: usize = 0;
const NONE: usize = usize::MAX;

/// A side of the polytope: a triangle, or several united.
#[derive(Clone, Debug, Default)]
pub(super) struct Facet {
    /// Numbers of vertices, the newest first.
    pub vertices: Vec<usize>,
    /// Facets across; of a simplicial facet, the `i`-th is across from the `i`-th vertex.
    pub neighbors: Vec<usize>,
    /// Edges, where a facet of several triangles is on one side at least.
    pub ridges: Vec<usize>,
    /// Has it, or had it, such edges?
    pub has_ridges: bool,
    /// Outward unit normal and offset: points `p` of the plane have `normal · p + offset = 0`.
    pub normal: DVec3,
    pub offset: f64,
    pub has_plane: bool,
    /// Mean of the vertices, brought into the plane; computed when it is wanted.
    pub centre: Option<DVec3>,
    /// Does the centre stay as it is, however the facet grows?
    pub keeps_centre: bool,
    /// Points above, the farthest last, and how far that one is.
    pub outside: Vec<u32>,
    pub farthest: f64,
    /// Points near the plane, or just under it.
    pub coplanar: Vec<u32>,
    /// The sense of the vertices: reversed, if this holds, seen from outside.
    pub top: bool,
    pub simplicial: bool,
    pub new: bool,
    /// Below the point that is being added: about to go.
    pub visible: bool,
    /// Facet that replaced it.
    pub replacement: Option<usize>,
    /// On the horizon, and in one plane with the point that is being added.
    pub flat_horizon: bool,
    /// Was it made across from such a facet?
    pub joins_horizon: bool,
    /// Have its ridges been tested for convexity?
    pub tested: bool,
    pub merged: bool,
    pub seen: bool,
    pub visit: u64,
    next: usize,
    previous: usize,
}

/// A corner of the polytope.
#[derive(Clone, Debug, Default)]
pub(super) struct Vertex {
    /// The number of the point.
    pub point: u32,
    /// Facets around; kept from the first merge on.
    pub neighbors: Vec<usize>,
    pub new: bool,
    pub deleted: bool,
    /// Has a ridge of it been deleted?
    pub lost_ridge: bool,
}

/// An edge between two facets.
#[derive(Clone, Debug)]
pub(super) struct Ridge {
    /// The newest first.
    pub vertices: Vec<usize>,
    pub top: usize,
    pub bottom: usize,
    pub simplicial_top: bool,
    pub simplicial_bottom: bool,
    pub tested: bool,
    pub nonconvex: bool,
}

impl Ridge {
    /// The facet on the other side.
    pub fn across(&self, facet: usize) -> usize {
        if self.top == facet { self.bottom } else { self.top }
    }
}

/// All facets, and their order: done, to be done, visible, new.
#[derive(Clone, Debug)]
pub(super) struct Facets {
    all: Vec<Facet>,
    first: usize,
    /// The next to be worked on.
    pub next: usize,
    /// The first of the visible facets, which stand before the new ones.
    pub visible: Option<usize>,
    pub new: Option<usize>,
    /// Facets in the order, visible ones among them.
    pub count: usize,
}

impl std::ops::Index<usize> for Facets {
    type Output = Facet;
    fn index(&self, facet: usize) -> &Facet {
        &self.all[facet]
    }
}

impl std::ops::IndexMut<usize> for Facets {
    fn index_mut(&mut self, facet: usize) -> &mut Facet {
        &mut self.all[facet]
    }
}

impl Facets {
    pub fn new() -> Self {
        let tail = Facet { next: NONE, previous: NONE, ..Facet::default() };
        Self { all: vec![tail], first: TAIL, next: TAIL, visible: None, new: None, count: 0 }
    }

    pub fn first(&self) -> usize {
        self.first
    }

    pub fn after(&self, facet: usize) -> usize {
        self.all[facet].next
    }

    /// Facets from one on, in order.
    pub fn from(&self, facet: usize) -> impl Iterator<Item = usize> + '_ {
        let mut at = facet;
        std::iter::from_fn(move || {
            (at != TAIL).then(|| {
                let this = at;
                at = self.all[this].next;
                this
            })
        })
    }

    /// The new facets, in order.
    pub fn new_ones(&self) -> impl Iterator<Item = usize> + '_ {
        self.from(self.new.unwrap_or(TAIL))
    }

    /// The visible facets, in order.
    pub fn visible_ones(&self) -> impl Iterator<Item = usize> + '_ {
        self.from(self.visible.unwrap_or(TAIL)).take_while(|&f| self.all[f].visible)
    }

    /// A new simplicial facet at the end of the order.
    pub fn make(&mut self, vertices: Vec<usize>, top: bool) -> usize {
        self.all.push(Facet { vertices, top, simplicial: true, new: true, ..Facet::default() });
        let facet = self.all.len() - 1;
        self.append(facet);
        facet
    }

    /// Puts a facet at the end of the order.
    pub fn append(&mut self, facet: usize) {
        if self.new == Some(TAIL) {
            self.new = Some(facet);
            if self.visible == Some(TAIL) {
                self.visible = Some(facet);
            }
        }
        self.insert(facet, TAIL);
    }

    /// Puts a facet before the visible ones, as one of them.
    pub fn prepend_visible(&mut self, facet: usize) {
        self.insert(facet, self.visible.unwrap_or(TAIL));
        self.visible = Some(facet);
    }

    /// Puts a facet before the next one to be worked on, to be that.
    pub fn prepend_next(&mut self, facet: usize) {
        self.insert(facet, self.next);
    }

    fn insert(&mut self, facet: usize, before: usize) {
        if self.next == before {
            self.next = facet;
        }
        let previous = self.all[before].previous;
        self.all[facet].previous = previous;
        self.all[facet].next = before;
        self.all[before].previous = facet;
        match self.all.get_mut(previous) {
            Some(p) => p.next = facet,
            None => self.first = facet,
        }
        self.count += 1;
    }

    /// Takes a facet out of the order.
    pub fn remove(&mut self, facet: usize) {
        let Facet { next, previous, .. } = self.all[facet];
        for list in [&mut self.new, &mut self.visible] {
            if *list == Some(facet) {
                *list = Some(next);
            }
        }
        if self.next == facet {
            self.next = next;
        }
        self.all[next].previous = previous;
        match self.all.get_mut(previous) {
            Some(p) => p.next = next,
            None => self.first = next,
        }
        self.count -= 1;
    }

    /// The facet that stands for this one now, if there is one.
    pub fn replacement(&self, facet: usize) -> Option<usize> {
        let mut at = Some(facet);
        while let Some(f) = at.filter(|&f| self.all[f].visible) {
            at = self.all[f].replacement;
        }
        at
    }
}

/// Removes a value from an unordered list: the last one takes its place.
pub(super) fn swap_out(list: &mut Vec<usize>, value: usize) {
    if let Some(i) = list.iter().position(|&x| x == value) {
        list.swap_remove(i);
    }
}

/// Puts a value in the place of another.
pub(super) fn replace(list: &mut [usize], old: usize, new: usize) {
    if let Some(x) = list.iter_mut().find(|x| **x == old) {
        *x = new;
    }
}

/// Puts a vertex where it belongs among others, the newest first; false if it is there.
pub(super) fn insert_vertex(list: &mut Vec<usize>, vertex: usize) -> bool {
    let at = list.partition_point(|&v| v > vertex);
    let is_new = list.get(at) != Some(&vertex);
    if is_new {
        list.insert(at, vertex);
    }
    is_new
}
