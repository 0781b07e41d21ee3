//! The grid of nodes of an interpolated flexcomp: a body for each node that is not pinned.

use super::bodies::Maker;
use super::pin::Pinned;
use super::points::Points;
use crate::flex::masses;
use crate::flex::volume::fills;
use mj_math::DVec3;
use mj_model::spec::{Body, Flex};
use mj_model::{Elastic2d, FlexDof};

pub(super) use crate::flex::cells::Cells;

/// Makes the nodes of a flexcomp and their bodies. Vertices stay in the parent, whose coordinates they follow from.
pub(super) fn expand(
    maker: &Maker,
    points: &Points,
    parent: &str,
    flex: &mut Flex,
    bodies: &mut Vec<Body>,
) -> Result<Cells, String> {
    let f = maker.f;
    let order = if f.dof == FlexDof::Trilinear { 1 } else { 2 };
    let cells = Cells::of(f.cellcount, order, points.dim, &points.point, &points.element)?;
    let n = cells.nodes();
    let number = n.iter().product();
    let mut pinned = vec![false; number];
    Pinned { number, dim: points.dim as usize, grid: Some(n) }.mark(&f.pins, &mut pinned)?;
    let shell = f.elasticity.elastic2d != Elastic2d::None;
    for (i, pinned) in pinned.iter_mut().enumerate() {
        *pinned |= if shell { !cells.is_outer(i) } else { cells.is_in_empty_cells(i) };
    }
    let filled = if shell { Vec::new() } else { fills(&cells, points.dim as usize, &points.point, &points.element) };
    let shares = masses::shares(&cells, shell, &filled, &pinned);

    flex.dof = Some(f.dof);
    flex.cellcount = f.cellcount;
    flex.body = vec![parent.into(); points.point.len()];
    flex.vertex = points.coordinates();
    let centred = !pinned.contains(&true);
    for (i, &pinned) in pinned.iter().enumerate() {
        let at = cells.node(i);
        if pinned {
            flex.node.push(parent.into());
            flex.nodecoord.extend(at.to_array());
            continue;
        }
        let [x, y, z] = cells.place(i);
        let body = maker.body(format!("{}_{x}_{y}_{z}", f.name), at, f.mass * shares[i]);
        flex.node.push(body.name.clone());
        if !centred {
            flex.nodecoord.extend(DVec3::ZERO.to_array());
        }
        bodies.push(body);
    }
    Ok(cells)
}
