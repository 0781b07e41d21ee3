//! Reads lists of a flex, and checks them.

use super::elastic;
use crate::context::Context;
use crate::messages::describe;
use mj_math::DVec3;
use mj_model::spec::Flex;
use mj_model::{BodyId, IntegratorType, MaterialId, ObjType};

/// Checks the numbers of a flex, and returns its dimension.
pub(super) fn check(f: &Flex, interpolated: bool, integrator: IntegratorType) -> Result<usize, String> {
    let dim = usize::try_from(f.dim).ok().filter(|d| (1..=3).contains(d));
    let Some(dim) = dim else { return Err(format!("`dim` is {}, which is none of 1, 2, 3", f.dim)) };
    if f.body.is_empty() {
        return Err("`body` names no body".into());
    }
    if f.edge.stiffness > 0.0 && dim > 1 {
        return Err("stiffness of edges is for dim=\"1\": use `elasticity`".into());
    }
    if interpolated && f.dof.is_none() {
        return Err("it has nodes, but `dof` does not say how they are interpolated".into());
    }
    elastic::check(&f.elasticity, dim, interpolated, integrator)?;
    Ok(dim)
}

/// Finds bodies by their names: one for all, or `n`.
pub(super) fn bodies(
    cx: &mut Context,
    names: &[String],
    n: usize,
    what: &str,
    f: &Flex,
) -> Result<Vec<BodyId>, String> {
    let role = format!("`{what}` of {}", describe("flex", &f.name));
    let mut ids = Vec::with_capacity(n);
    for name in names {
        let id = cx.find(ObjType::Body, name, f.loc, &role).ok_or_else(|| format!("`{what}` is wrong"))?;
        ids.push(BodyId::new(id));
    }
    match ids[..] {
        [one] => Ok(vec![one; n.max(1)]),
        _ if ids.len() == n => Ok(ids),
        _ => Err(format!("`{what}` names {} bodies, where one or {n} are expected", ids.len())),
    }
}

/// Reads `n` positions; all zero where none are given.
pub(super) fn coordinates(numbers: &[f64], n: usize, what: &str) -> Result<Vec<DVec3>, String> {
    if numbers.is_empty() {
        return Ok(vec![DVec3::ZERO; n]);
    }
    if numbers.len() != 3 * n {
        return Err(format!("`{what}` has {} numbers, but three for each of {n} are {}", numbers.len(), 3 * n));
    }
    if numbers.iter().any(|x| !x.is_finite()) {
        return Err(format!("`{what}` has a number that is not finite"));
    }
    Ok(numbers.as_chunks().0.iter().map(|p| DVec3::from_array(*p)).collect())
}

/// Checks the vertices of elements.
pub(super) fn check_elements(element: &[i32], dim: usize, nvert: usize) -> Result<(), String> {
    if element.is_empty() || !element.len().is_multiple_of(dim + 1) {
        return Err(format!("`element` has {} vertices, which is no multiple of {}", element.len(), dim + 1));
    }
    for (i, e) in element.chunks_exact(dim + 1).enumerate() {
        if let Some(v) = e.iter().find(|&&v| usize::try_from(v).map_or(true, |v| v >= nvert)) {
            return Err(format!("element {i} has vertex {v}, but there are {nvert}, counted from 0"));
        }
        if (1..e.len()).any(|k| e[k..].contains(&e[k - 1])) {
            return Err(format!("element {i} has a vertex twice"));
        }
    }
    Ok(())
}

/// Returns the texture coordinates of the elements' corners.
pub(super) fn texcoord(f: &Flex, element: &[i32], nvert: usize) -> Result<Vec<i32>, String> {
    if f.texcoord.is_empty() {
        // The vertices', though there is nothing to name.
        return Ok(element.to_vec());
    }
    if !f.texcoord.len().is_multiple_of(2) {
        return Err(format!("`texcoord` has {} numbers, which is odd", f.texcoord.len()));
    }
    let n = f.texcoord.len() / 2;
    if f.elemtexcoord.is_empty() {
        return if n == nvert {
            Ok(element.to_vec())
        } else {
            Err(format!("`texcoord` has {n} pairs, where each of {nvert} vertices has one"))
        };
    }
    if f.elemtexcoord.len() != element.len() {
        let (got, expected) = (f.elemtexcoord.len(), element.len());
        return Err(format!("`elemtexcoord` has {got} entries, where elements have {expected} vertices"));
    }
    match f.elemtexcoord.iter().find(|&&t| usize::try_from(t).map_or(true, |t| t >= n)) {
        Some(t) => Err(format!("`elemtexcoord` names {t}, but there are {n}, counted from 0")),
        None => Ok(f.elemtexcoord.clone()),
    }
}

/// Finds materials by their names: one for all elements, or one each.
pub(super) fn materials(cx: &mut Context, f: &Flex, nelem: usize) -> Result<Vec<Option<MaterialId>>, String> {
    let what = describe("flex", &f.name);
    let ids: Vec<_> = f.material.iter().map(|name| crate::context::material(cx, name, f.loc, &what)).collect();
    match ids[..] {
        [] => Ok(vec![None; nelem]),
        [one] => Ok(vec![one; nelem]),
        _ if ids.len() == nelem => Ok(ids),
        _ => Err(format!("`material` has {} names, where one or {nelem} are expected", ids.len())),
    }
}
