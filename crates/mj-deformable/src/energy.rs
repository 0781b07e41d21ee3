//! Elastic energy of elements and hinges.

use crate::bending;
use crate::buffers::Flexes;
use crate::edges;
use crate::elastic::{
    Elongation, elongations, flexes as elastic_flexes, hinge_vertices, hinges, plastic_ranges, record, stretching,
};
use crate::neo_hookean::Material;
use crate::stretch;
use mj_model::*;

/// Computes the elastic energy of the elements and hinges of flexes, J.
///
/// It belongs to the places of vertices and lengths of edges in `flexes`, and to the plastic state. Flexes of dimension 2
/// and 3 whose vertices are points of bodies have it: neither rods nor interpolated flexes. What the flag `spring` disables
/// is zero. It isn't part of the potential energy that the engine reports, as in the reference. Allocates nothing.
pub fn elastic_energy(m: &Model, s: &State, flexes: &Flexes) -> f64 {
    if m.opt.disabled(disable::SPRING) {
        return 0.0;
    }
    elastic_flexes(m).map(|f| of_elements(m, f, s, flexes) + of_hinges(m, f, s, flexes)).sum()
}

fn of_elements(m: &Model, f: FlexId, s: &State, flexes: &Flexes) -> f64 {
    match stretching(m, f) {
        Some(k) if m.flex.dim[f] == 2 => of_simplices::<3>(m, f, s, flexes, k),
        Some(k) if Material::of(k).is_some() => of_neo_hookean(m, f, s, flexes, k),
        Some(k) => of_simplices::<6>(m, f, s, flexes, k),
        None => 0.0,
    }
}

/// Energy of the elements with `E` edges each.
fn of_simplices<const E: usize>(m: &Model, f: FlexId, s: &State, flexes: &Flexes, k: &[f64]) -> f64 {
    let first = m.flex.edgeadr[f] as usize;
    let edges = m.flex_data.elemedge[m.flex.elemedgeadr[f] as usize..].as_chunks::<E>().0;
    let [plastic, _] = plastic_ranges(m, f);
    let plastic = s.plastic[plastic].as_chunks::<E>().0;
    let of = |(t, k): (usize, &[f64])| {
        let edge = edges[t].map(|e| FlexEdgeId::new(first + e as usize));
        stretch::energy(k, &elongations(m, flexes, &edge, plastic.get(t)))
    };
    k.chunks_exact(record(m, f)).enumerate().map(of).sum()
}

fn of_neo_hookean(m: &Model, f: FlexId, s: &State, flexes: &Flexes, k: &[f64]) -> f64 {
    let x = &flexes.vert_xpos[m.flex.vertadr[f] as usize..];
    let elements = m.flex_data.elem[m.flex.elemdataadr[f] as usize..].as_chunks::<4>().0;
    let of = |(t, record): (usize, &[f64])| {
        let x = elements[t].map(|v| x[v as usize]);
        Some(Material::of(record)?.energy(record, &Elongation::of(m, s, flexes, f, t).elastic, &x))
    };
    k.chunks_exact(record(m, f)).enumerate().filter_map(of).sum()
}

fn of_hinges(m: &Model, f: FlexId, s: &State, flexes: &Flexes) -> f64 {
    let Some(records) = hinges(m, f) else { return 0.0 };
    let x = &flexes.vert_xpos[m.flex.vertadr[f] as usize..];
    let [_, plastic] = plastic_ranges(m, f);
    let plastic = &s.plastic[plastic];
    let of = |(i, (e, record)): (usize, (usize, &[f64; bending::RECORD]))| {
        let vertex = hinge_vertices(m, e)?;
        Some(bending::energy(record, plastic.get(i).copied().unwrap_or(0.0), &vertex.map(|v| x[v])))
    };
    edges::range(m, f).zip(records).enumerate().filter_map(of).sum()
}
