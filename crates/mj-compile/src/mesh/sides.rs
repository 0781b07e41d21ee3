//! The flat sides of a convex hull, and their order.

use mj_math::{DVec3, MINVAL};
use std::collections::HashMap;

/// Triangles whose normals' longitude and latitude round to the same multiple of this angle are taken for flat.
const FLAT: f64 = 0.01;

/// The direction of a triangle's normal: longitude and latitude, rounded; none if it has no area.
fn direction([a, b, c]: [DVec3; 3]) -> Option<[i32; 2]> {
    let normal = (b - a).cross(c - a);
    let length = normal.length();
    if length < MINVAL {
        return None;
    }
    // One zero of both: their longitudes differ by half a turn.
    let n = normal / length + DVec3::ZERO;
    let steps = |angle: f64| (angle / FLAT).round() as i32;
    if n.z.abs() > 1.0 - 1e-7 {
        return Some([0, if n.z < 0.0 { steps(std::f64::consts::PI) } else { 0 }]);
    }
    Some([steps(mj_math::real::atan2(n.y, n.x)), steps(mj_math::real::acos(n.z))])
}

/// Unites neighbouring triangles of the same direction, and goes around each union, from the first edge of its
/// triangles that lies on the border.
pub(super) fn sides(points: &[DVec3], faces: &[[u32; 3]]) -> Vec<Vec<u32>> {
    let kind: Vec<Option<[i32; 2]>> = faces.iter().map(|f| direction(f.map(|i| points[i as usize]))).collect();
    let united = mj_collide::unite(faces, 0..faces.len(), |start, other| kind[start] == kind[other]);
    let known = |(start, side): (usize, Vec<u32>)| kind[start].map(|direction| (direction, side));
    let mut sides: Vec<([i32; 2], Vec<u32>)> = united.into_iter().filter_map(known).collect();
    let rank = ranks(&kind);
    sides.sort_by_key(|(direction, _)| rank[direction]);
    sides.into_iter().map(|(_, side)| side).collect()
}

/// Places of directions, met in this order, in a chained hash table.
///
/// Of sides that suit a contact equally well, the first counts. The reference has them in the order of such a table
/// (that of LLVM's C++ library), which is what is found out here: the chain of all entries, where an entry of a bucket
/// that is empty comes first of all, another comes first in its bucket, and the buckets are multiplied as the table
/// fills.
fn ranks(kind: &[Option<[i32; 2]>]) -> HashMap<[i32; 2], usize> {
    let mut table = Table::default();
    for &direction in kind.iter().flatten() {
        if !table.number.contains_key(&direction) {
            table.insert(direction);
        }
    }
    let mut rank = vec![0; table.hash.len()];
    let mut entry = table.next[Table::HEAD];
    for place in 0.. {
        if entry == Table::HEAD {
            break;
        }
        rank[entry] = place;
        entry = table.next[entry];
    }
    table.number.into_iter().map(|(direction, entry)| (direction, rank[entry])).collect()
}

/// A hash table whose entries are one chain, bucket by bucket.
struct Table {
    number: HashMap<[i32; 2], usize>,
    hash: Vec<u64>,
    /// Successor of each entry in the chain, which ends where it began, at the head.
    next: Vec<usize>,
    /// For each bucket that is not empty, what comes before its first entry.
    before: Vec<Option<usize>>,
}

impl Default for Table {
    fn default() -> Self {
        Self { number: HashMap::new(), hash: vec![0], next: vec![Self::HEAD], before: Vec::new() }
    }
}

impl Table {
    const HEAD: usize = 0;

    fn insert(&mut self, direction: [i32; 2]) {
        // Of a number, the bits of its floating-point form; of two numbers, a mix.
        let [a, b] = direction.map(|x| if x == 0 { 0 } else { f64::from(x).to_bits() });
        let hash = a ^ b.wrapping_add(0x9e37_79b9).wrapping_add(a << 6).wrapping_add(a >> 2);
        let entry = self.hash.len();
        self.number.insert(direction, entry);
        self.hash.push(hash);
        if entry > self.before.len() {
            self.grow();
        }
        let bucket = self.bucket(entry);
        self.next.push(Self::HEAD);
        match self.before[bucket] {
            Some(before) => {
                self.next[entry] = self.next[before];
                self.next[before] = entry;
            }
            None => {
                let second = std::mem::replace(&mut self.next[Self::HEAD], entry);
                self.next[entry] = second;
                self.before[bucket] = Some(Self::HEAD);
                if second != Self::HEAD {
                    let bucket = self.bucket(second);
                    self.before[bucket] = Some(entry);
                }
            }
        }
    }

    fn bucket(&self, entry: usize) -> usize {
        (self.hash[entry] % self.before.len() as u64) as usize
    }

    /// Two buckets, then always the next prime from twice as many and one; entries stay in the chain's order, but for
    /// those that go to the front of a bucket that has some already.
    fn grow(&mut self) {
        let is_prime = |n: &usize| (2..).take_while(|d| d * d <= *n).all(|d| !n.is_multiple_of(d));
        let wanted = (2 * self.before.len() + 1).max(2);
        let buckets = (wanted..).find(is_prime).unwrap_or(wanted);
        self.before = vec![None; buckets];
        let (mut last, mut last_bucket) = (Self::HEAD, None);
        while self.next[last] != Self::HEAD {
            let entry = self.next[last];
            let bucket = self.bucket(entry);
            match self.before[bucket] {
                Some(before) if last_bucket != Some(bucket) => {
                    self.next[last] = self.next[entry];
                    self.next[entry] = self.next[before];
                    self.next[before] = entry;
                }
                has => {
                    if has.is_none() {
                        self.before[bucket] = Some(last);
                    }
                    (last, last_bucket) = (entry, Some(bucket));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A pyramid over a square, with triangles as the reference has them, and its order of sides.
    #[test]
    fn sides_come_in_the_references_order() {
        let met = [[-157, 111], [0, 111], [314, 111], [157, 111], [0, 314]];
        let rank = ranks(&met.map(Some));
        let mut order = met;
        order.sort_by_key(|d| rank[d]);
        assert_eq!(order, [[157, 111], [314, 111], [0, 111], [0, 314], [-157, 111]]);
    }

    #[test]
    fn every_direction_has_a_place() {
        let met: Vec<_> = (0..500).map(|i| Some([i * 37 % 628 - 314, i * 11 % 314])).collect();
        let mut places: Vec<usize> = ranks(&met).into_values().collect();
        let count = places.len();
        places.sort_unstable();
        assert_eq!(places, (0..count).collect::<Vec<_>>());
    }
}
