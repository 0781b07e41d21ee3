//! Triangles of a convex hull united to polygons.

use std::collections::HashMap;

/// Unites triangles with neighbours that belong to the same side, and goes around each union, from the first edge of
/// its triangles that lies on the border. The triangles are taken in an order; `same` tells whether another belongs to
/// the side that began with the first.
///
/// Gives for each side the triangle that it began with, and its corners counter-clockwise seen from outside.
///
/// Example: [`convex_hull`](crate::convex_hull).
pub fn unite(
    faces: &[[u32; 3]],
    order: impl IntoIterator<Item = usize>,
    same: impl Fn(usize, usize) -> bool,
) -> Vec<(usize, Vec<u32>)> {
    let edges = |face: usize| (0..3).map(move |k| (faces[face][k], faces[face][(k + 1) % 3]));
    let owner: HashMap<(u32, u32), usize> = (0..faces.len()).flat_map(|f| edges(f).map(move |e| (e, f))).collect();
    // Number of the union of each triangle, plus one.
    let mut number = vec![0; faces.len()];
    let mut sides = Vec::new();
    for (union, start) in order.into_iter().enumerate() {
        if number[start] > 0 {
            continue;
        }
        let mine = union + 1;
        number[start] = mine;
        let mut united = vec![start];
        let mut next = 0;
        while let Some(&face) = united.get(next) {
            next += 1;
            for (from, to) in edges(face) {
                let other = owner.get(&(to, from)).copied();
                if let Some(other) = other.filter(|&o| number[o] == 0 && same(start, o)) {
                    number[other] = mine;
                    united.push(other);
                }
            }
        }
        let on_border = |(from, to): &(u32, u32)| owner.get(&(*to, *from)).is_none_or(|o| number[*o] != mine);
        let border: HashMap<u32, u32> = united.iter().flat_map(|&f| edges(f)).filter(on_border).collect();
        united.sort_unstable();
        let first = united.iter().flat_map(|&f| edges(f)).find(|(from, to)| border.get(from) == Some(to));
        if let Some(side) = first.and_then(|(first, _)| around(&border, first)) {
            sides.push((start, side));
        }
    }
    sides
}

/// The corners along a border, from one of them on.
fn around(border: &HashMap<u32, u32>, first: u32) -> Option<Vec<u32>> {
    let mut around = vec![first];
    let mut at = first;
    while let Some(&to) = border.get(&at) {
        if to == first || around.len() > border.len() {
            break;
        }
        around.push(to);
        at = to;
    }
    (3..=border.len()).contains(&around.len()).then_some(around)
}
