//! Rectangular sections of rods, whose edges collide as boxes.

use super::frames::RodEdge;
use super::plan::Chain;
use mj_math::DVec3;
use mj_model::*;

/// Half axes of the rectangular sections of rods, world frame: greater, then lesser; zero for what has no such section.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sections {
    /// Sections of elements, nflexelem; empty where no flex of the model has such a section.
    pub elem: Vec<[DVec3; 2]>,
    /// Sections of vertices, nflexvert; empty where no flex of the model has such a section. A vertex between two edges has the
    /// section of the one that follows.
    pub vert: Vec<[DVec3; 2]>,
}

/// Half sizes of the rectangular section of a rod: greater, then lesser. Stiffness of bending goes with the square of a size.
pub(crate) fn half_sizes(m: &Model, f: FlexId) -> Option<[f64; 2]> {
    let record = m.rod_records(f).first().filter(|r| r[3] < 0.0 && r[9] != 0.0)?;
    let lesser = record[9].abs();
    Some([lesser * (1.0 + record[5] / record[4]).max(1.0).sqrt(), lesser])
}

impl Sections {
    /// Makes room for the sections of a model.
    pub(crate) fn new(m: &Model) -> Self {
        if m.flex.ids().all(|f| half_sizes(m, f).is_none()) {
            return Self::default();
        }
        let zero = [DVec3::ZERO; 2];
        Self { elem: vec![zero; m.flex_data.elemlayer.len()], vert: vec![zero; m.flex_data.vertbodyid.len()] }
    }

    /// Places the sections of a rod, whose edges are placed.
    pub(crate) fn place(&mut self, m: &Model, f: FlexId, chain: &Chain, edges: &[RodEdge]) {
        let Some(half) = half_sizes(m, f) else { return };
        let of = |edge: usize| [edges[edge].axes[0] * half[0], edges[edge].axes[1] * half[1]];
        let (elem, vert) = (m.flex.elemadr[f] as usize, m.flex.vertadr[f] as usize);
        for (section, &edge) in self.elem[elem..].iter_mut().zip(&chain.of_element) {
            *section = of(edge);
        }
        for (section, &place) in self.vert[vert..].iter_mut().zip(&chain.place) {
            *section = of(place.min(edges.len() - 1));
        }
    }
}
