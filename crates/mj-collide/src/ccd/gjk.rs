//! Distance of two convex sets: Gilbert, Johnson and Keerthi's algorithm on their Minkowski difference
//! A − B = {a − b}. The sets are apart by the distance of A − B from the origin, and overlap where it holds
//! the origin.

use mj_math::DVec3;

use super::simplex;
use super::support::SupportMap;
use crate::CcdOptions;
use crate::frame::TINY;

/// A point of the Minkowski difference and the points of both sets that it comes from.
#[derive(Clone, Copy, Debug)]
pub(super) struct Vertex {
    /// `a − b`.
    pub w: DVec3,
    pub a: DVec3,
    pub b: DVec3,
    /// Numbers of the corners that these are.
    pub corner: [u32; 2],
}

impl Vertex {
    pub const ZERO: Self = Self { w: DVec3::ZERO, a: DVec3::ZERO, b: DVec3::ZERO, corner: [0; 2] };
}

/// Two sets.
pub(super) struct Difference<'a, A, B> {
    pub a: &'a A,
    pub b: &'a B,
    pub inflate: f64,
}

impl<A: SupportMap, B: SupportMap> Difference<'_, A, B> {
    /// The farthest point of A − B along a unit vector.
    #[inline(always)]
    pub fn support(&self, direction: DVec3) -> Vertex {
        let (a, i) = self.a.corner(direction);
        let (b, j) = self.b.corner(-direction);
        let (a, b) = (a + direction * self.inflate, b - direction * self.inflate);
        Vertex { w: a - b, a, b, corner: [i, j] }
    }

    /// A vertex to start from.
    fn center(&self) -> Vertex {
        let (a, b) = (self.a.center(), self.b.center());
        Vertex { w: a - b, a, b, corner: [0; 2] }
    }
}

/// Question that a run answers.
#[derive(Clone, Copy)]
pub(super) struct Goal {
    pub tolerance: f64,
    pub iterations: usize,
    /// Distances up to this are wanted; at zero only whether there is contact.
    pub cutoff: f64,
    /// Both sets are polyhedra: the search is over a finite number of corners, and ends exactly.
    pub exact: bool,
    /// An answer is owed: rounding must neither lead astray nor end the search too soon.
    pub careful: bool,
}

/// Duality gaps below this part of the largest term are rounding.
const ROUNDING: f64 = 1e-14;
/// How far beyond the plane rounding may put the nearest point, in parts of its size.
const FLAT: f64 = 1e-12;
/// The largest number of steps, whatever is asked for.
pub(super) const MAX_STEPS: usize = 1000;

impl Goal {
    pub fn new(options: &CcdOptions, exact: bool) -> Self {
        let iterations = options.iterations.min(MAX_STEPS);
        Self { tolerance: options.tolerance, iterations, cutoff: 0.0, exact, careful: false }
    }
}

/// The outcome.
pub(super) struct Nearest {
    /// Distance of the sets, zero where they overlap, infinite where it isn't wanted.
    pub dist: f64,
    /// Nearest points of both sets.
    pub points: [DVec3; 2],
    /// A plane between the sets was found.
    pub separated: bool,
    /// The last simplex: the one that holds the point of A − B nearest to the origin.
    pub simplex: [Vertex; 4],
    /// How many of its vertices count.
    pub n: usize,
}

/// Runs the algorithm.
pub(super) fn gjk<A: SupportMap, B: SupportMap>(set: &Difference<A, B>, goal: Goal) -> Nearest {
    let gap_tolerance = if goal.exact { 0.0 } else { 0.5 * goal.tolerance * goal.tolerance };
    let least = if goal.exact { TINY } else { goal.tolerance };
    let start = set.center();
    let mut state =
        Nearest { dist: f64::INFINITY, points: [start.a, start.b], separated: false, simplex: [Vertex::ZERO; 4], n: 0 };
    // The simplex' own points.
    let mut corners = [DVec3::ZERO; 4];
    let mut weights = [0.0; 4];
    let mut x = start.w;
    let mut distance = x.length();
    if distance < least {
        // Centres that coincide give no direction to start along.
        (x, distance) = (DVec3::X, 1.0);
    }
    // That of the step before, once both are points of A − B.
    let mut previous = f64::INFINITY;
    let mut step = 0;

    while step < goal.iterations {
        if distance < least || (previous - distance).abs() < TINY {
            break;
        }
        let vertex = set.support(-(x * (1.0 / distance)));
        (state.simplex[state.n], corners[state.n]) = (vertex, vertex.w);

        // The duality gap of the Frank-Wolfe algorithm bounds the squared error of x, once x is in A − B: the centres
        // from which the search starts need not be in their sets.
        let gap = if state.n > 0 { x.dot(x - vertex.w) } else { x.distance_squared(vertex.w) };
        let rounding = if goal.careful { ROUNDING * distance * (distance + vertex.w.length()) } else { 0.0 };
        if gap < gap_tolerance || gap < rounding {
            break;
        }

        // The plane through the support point orthogonal to x keeps A − B this far from the origin.
        let lower = x.dot(vertex.w);
        if lower > 0.0 && lower >= goal.cutoff * distance {
            state.separated = true;
            state.n = 0;
            return state;
        }

        // The nearest point of the simplex; the vertices that it needs are the next simplex.
        let grown = state.n + 1;
        let mut foot = simplex::nearest(grown, &corners);
        // Of a sliver rounding makes anything, such as a point beyond the plane; an edge to the new vertex holds the nearest.
        let mut length = foot.length2.sqrt();
        if goal.careful && grown > 1 && length < lower / distance - FLAT * vertex.w.length() {
            foot = simplex::on_new_edges(grown, &corners);
            length = foot.length2.sqrt();
            if length >= distance {
                break;
            }
        }
        state.n = 0;
        for i in 0..grown {
            if foot.weights[i] != 0.0 {
                if i != state.n {
                    (state.simplex[state.n], corners[state.n]) = (state.simplex[i], corners[i]);
                }
                weights[state.n] = foot.weights[i];
                state.n += 1;
            }
        }
        x = foot.point;
        if step > 0 {
            previous = distance;
        }
        distance = length;
        if state.n == 4 {
            break;
        }
        step += 1;
    }

    if state.n > 0 {
        let simplex = &state.simplex[..state.n];
        state.points = [combine(simplex, &weights, |v| v.a), combine(simplex, &weights, |v| v.b)];
    }
    // In doubt only: a simplex of less than four that ends this far off is apart.
    let apart = state.n < 4 && distance > goal.tolerance;
    state.separated = apart || distance > 0.0 && x.dot(set.support(-x / distance).w) > 0.0;
    state.dist = if state.n == 4 && !state.separated { 0.0 } else { distance };
    state
}

/// The weighted sum of a part of the vertices.
pub(super) fn combine(vertices: &[Vertex], weights: &[f64], part: fn(&Vertex) -> DVec3) -> DVec3 {
    vertices.iter().zip(weights).map(|(v, &weight)| part(v) * weight).sum()
}
