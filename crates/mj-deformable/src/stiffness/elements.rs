//! Blocks of the stiffness between the points of a flex, from its elements and hinges.

use super::plan::{Part, Stencils};
use crate::buffers::Flexes;
use crate::cells::corotational::{self, Nodes};
use crate::cells::grid::Grid;
use crate::elastic::{self, Elongation};
use crate::neo_hookean::Material;
use crate::stretch;
use mj_math::DMat3;
use mj_model::{FlexEdgeId, Model, State};

/// Blocks of single points, counted from the first of the flex, and of pairs.
pub(super) struct Blocks<'a> {
    pub own: &'a mut [DMat3],
    pub pair: &'a mut [DMat3],
}

impl Blocks<'_> {
    /// Adds the block of the points `a` and `b` ≤ `a` of a set.
    #[inline]
    pub fn add(&mut self, (points, pairs): (&[u32], &[u32]), a: usize, b: usize, block: DMat3) {
        if a == b {
            self.own[points[a] as usize] += block;
            return;
        }
        let pair = pairs[a * (a - 1) / 2 + b];
        self.pair[pair as usize / 2] += if pair % 2 == 0 { block } else { block.transpose() };
    }
}

/// Adds the blocks of all elements and hinges of a flex.
pub(super) fn add(m: &Model, s: &State, flexes: &Flexes, part: &Part, blocks: &mut Blocks<'_>) {
    let f = part.flex;
    if m.flex.dim[f] < 2 {
        return;
    }
    if let Some(grid) = Grid::of(m, f) {
        let nodes = m.flex.nodeadr[f] as usize..(m.flex.nodeadr[f] + m.flex.nodenum[f]) as usize;
        let nodes =
            Nodes { position: &flexes.node_xpos[nodes.clone()], velocity: &[], reference: &m.flex_data.node0[nodes] };
        return corotational::stiffness(m, f, grid, nodes, |i, a, b, block| {
            blocks.add(part.elements.of(i), a, b, block)
        });
    }
    if let Some(k) = elastic::stretching(m, f) {
        match part.elements.size {
            3 => add_simplices(m, s, flexes, part, (&stretch::TRIANGLE, k), blocks),
            _ if Material::of(k).is_some() => add_neo_hookean(m, s, flexes, part, k, blocks),
            _ => add_simplices(m, s, flexes, part, (&stretch::TETRAHEDRON, k), blocks),
        }
    }
    if let Some(records) = elastic::hinges(m, f) {
        for (i, &edge) in part.hinge_edge.iter().enumerate() {
            let record = &records[edge as usize];
            for (a, b) in (0..4).flat_map(|a| (0..=a).map(move |b| (a, b))) {
                blocks.add(part.hinges.of(i), a, b, DMat3::from_diagonal(mj_math::DVec3::splat(record[4 * a + b])));
            }
        }
    }
}

fn add_neo_hookean(m: &Model, s: &State, flexes: &Flexes, part: &Part, k: &[f64], blocks: &mut Blocks<'_>) {
    let f = part.flex;
    let x = &flexes.vert_xpos[m.flex.vertadr[f] as usize..];
    let elements = part.elements.points.as_chunks::<4>().0;
    for (t, (vertex, record)) in elements.iter().zip(k.chunks_exact(elastic::record(m, f))).enumerate() {
        let Some(material) = Material::of(record) else { continue };
        let Elongation { rest, plastic, .. } = Elongation::of(m, s, flexes, f, t);
        let at = part.elements.of(t);
        material.stiffness(&vertex.map(|v| x[v as usize]), &rest, plastic, |a, b, block| blocks.add(at, a, b, block));
    }
}

#[inline(always)]
fn add_simplices<const E: usize, const V: usize>(
    m: &Model,
    s: &State,
    flexes: &Flexes,
    part: &Part,
    (ends, k): (&[[usize; 2]; E], &[f64]),
    blocks: &mut Blocks<'_>,
) where
    [[usize; 2]; E]: elastic::Simplex<V>,
{
    let f = part.flex;
    let Stencils { points, .. } = &part.elements;
    let x = &flexes.vert_xpos[m.flex.vertadr[f] as usize..];
    let edges_of = m.flex_data.elemedge[m.flex.elemedgeadr[f] as usize..].as_chunks::<E>().0;
    let first = m.flex.edgeadr[f] as usize;
    let [plastic, _] = elastic::plastic_ranges(m, f);
    let plastic = s.plastic[plastic].as_chunks::<E>().0;
    for (t, (vertex, k)) in points.as_chunks::<V>().0.iter().zip(k.chunks_exact(elastic::record(m, f))).enumerate() {
        let edge = edges_of[t].map(|e| FlexEdgeId::new(first + e as usize));
        let elongation = elastic::elongations(m, flexes, &edge, plastic.get(t));
        let at = part.elements.of(t);
        stretch::stiffness(ends, &vertex.map(|v| x[v as usize]), k, &elongation, |a, b, block| {
            blocks.add(at, a, b, block)
        });
    }
}
