//! How far vertices may go before a pair of features gets too near.

use super::candidates::Motion;
use super::{Obstacles, Pair, gap};
use mj_math::DVec3;
use mj_model::FlexId;

/// Share of its distance that a pair keeps.
const KEPT: f64 = 0.2;

/// Computes the greatest part of a motion on which every pair keeps a fifth of its distance, so that no two features pass
/// through each other. `gaps` are the distances at the start, `flex` tells the flex of each vertex. Puts the part that each pair alone allows into `times`; none
/// where the whole way cannot bring it so near.
///
/// Conservative advancement: features whose distance is g can approach by (1 − share kept) g on the part g / l of the way
/// at least, with l a bound on the approach over all of it.
///
/// ```
/// use mj_collide::continuous::{Motion, Obstacles, Pair, advance, gap};
/// use mj_math::DVec3;
/// use mj_model::FlexId;
///
/// // A vertex of one flex falls by two metres onto a triangle of another, which is one metre below.
/// let from = [DVec3::new(0.2, 0.2, 1.0), DVec3::ZERO, DVec3::X, DVec3::Y];
/// let mut to = from;
/// to[0].z = -1.0;
/// let flex = [FlexId::new(0), FlexId::new(1), FlexId::new(1), FlexId::new(1)];
/// let (pair, obstacles) = (Pair::VertexTriangle(0, [1, 2, 3]), Obstacles::default());
/// let apart = gap(&pair, &obstacles, |v| from[v as usize]).distance;
/// assert!((apart - 1.0).abs() < 1e-12);
/// // It keeps a fifth of its distance: four tenths of the way.
/// let mut times = Vec::new();
/// let part = advance(&flex, &obstacles, Motion { from: &from, to: &to }, (&[pair], &[apart]), &mut times);
/// assert!((part - 0.4).abs() < 1e-6);
/// ```
pub fn advance(
    flex: &[FlexId],
    obstacles: &Obstacles,
    motion: Motion<'_>,
    (pairs, gaps): (&[Pair], &[f64]),
    times: &mut Vec<Option<f64>>,
) -> f64 {
    times.clear();
    times.extend(pairs.iter().zip(gaps).map(|(pair, &start)| {
        let approach = approach(flex, pair, motion);
        let closes = approach >= 1e-12 && start > 0.0 && approach > (1.0 - KEPT) * start;
        closes.then(|| time(pair, obstacles, motion, start, approach))
    }));
    times.iter().flatten().fold(1.0, |least, &t| least.min(t))
}

fn time(pair: &Pair, obstacles: &Obstacles, motion: Motion<'_>, start: f64, approach: f64) -> f64 {
    const ITERATIONS: usize = 32;
    let mut time = 0.0;
    for _ in 0..ITERATIONS {
        let room = gap(pair, obstacles, |v| motion.at(v, time)).distance - KEPT * start;
        if room <= 1e-9 * start {
            break;
        }
        time += room / approach;
        if time >= 1.0 {
            return 1.0;
        }
    }
    time
}

/// Bound on how much nearer the features of a pair come: the sum of their farthest ways. What all vertices of one flex do
/// together brings none of its features nearer to each other.
fn approach(flex: &[FlexId], pair: &Pair, motion: Motion<'_>) -> f64 {
    let (vertex, [first, second]) = pair.vertices();
    let n = first + second;
    let mut way = [DVec3::ZERO; 4];
    for (way, &v) in way.iter_mut().zip(&vertex[..n]) {
        *way = motion.way(v);
    }
    let flex_of = |i: usize| flex[vertex[i] as usize];
    if second > 0 && flex_of(0) == flex_of(first) {
        let mean = way.iter().sum::<DVec3>() / n as f64;
        way.iter_mut().for_each(|w| *w -= mean);
    }
    let farthest = |ways: &[DVec3]| ways.iter().map(|w| w.length()).fold(0.0, f64::max);
    farthest(&way[..first]) + farthest(&way[first..n])
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn four_points() -> impl Strategy<Value = [DVec3; 4]> {
        prop::array::uniform4(prop::array::uniform3(-1.0..1.0f64).prop_map(DVec3::from_array))
    }

    proptest! {
        /// On the part of the way that is found the distance never falls below a fifth; a pair that is told to be free of
        /// that keeps it to the end. Vertices of one flex may move together besides.
        #[test]
        fn features_keep_a_fifth_of_their_distance(from in four_points(), to in four_points(), one in any::<bool>()) {
            let flex = if one { vec![0; 4] } else { vec![0, 0, 1, 1] };
            let flex: Vec<_> = flex.into_iter().map(FlexId::new).collect();
            let motion = Motion { from: &from, to: &to };
            let pairs = [Pair::VertexTriangle(0, [1, 2, 3]), Pair::EdgeEdge([0, 1], [2, 3])];
            let none = Obstacles::default();
            let distance = |pair: &Pair, t: f64| gap(pair, &none, |v| motion.at(v, t)).distance;
            for pair in pairs {
                let start = distance(&pair, 0.0);
                prop_assume!(start > 1e-3);
                let mut times = Vec::new();
                let part = advance(&flex, &none, motion, (&[pair], &[start]), &mut times);
                prop_assert_eq!(times[0].unwrap_or(1.0), part);
                for i in 0..=100 {
                    prop_assert!(distance(&pair, part * f64::from(i) / 100.0) > (KEPT - 1e-6) * start);
                }
                prop_assert!(part > 0.0);
            }
        }
    }
}
