//! Half of M⁻¹: W = J L⁻¹ D⁻¹ᐟ², where M = LᵀDL, so that J M⁻¹ Jᵀ = W Wᵀ.
//!
//! Four rows of W lie side by side in the lanes of a vector, and only the dofs that they touch, ancestors
//! included, are visited.

use mj_math::simd::Simd;
use mj_problem::Problem;

/// Which dofs of a problem are looked at, and in which places.
#[derive(Clone, Debug, Default)]
pub struct Dofs {
    /// Place of each dof of the problem; of no meaning for those that are not looked at.
    at: Vec<u32>,
    /// Dof in each place. Those of a tree follow one another.
    of: Vec<u32>,
    /// D⁻¹ᐟ².
    root: Vec<f64>,
}

impl Dofs {
    /// Looks at none of the dofs.
    pub fn clear(&mut self, p: &Problem) {
        self.at.resize(p.nv(), 0);
        self.of.clear();
        self.root.clear();
    }

    /// Looks at consecutive dofs, too: whole trees, each of which starts at a multiple of `align` places.
    pub fn add(&mut self, p: &Problem, dofs: std::ops::Range<usize>, align: usize) {
        for d in dofs {
            let place = self.of.len();
            if d == 0 || p.tree[d] != p.tree[d - 1] {
                // Places in between belong to no dof.
                self.of.resize(place.next_multiple_of(align), 0);
                self.root.resize(self.of.len(), 0.0);
            }
            self.at[d] = self.of.len() as u32;
            self.of.push(d as u32);
            self.root.push(p.dinv[d].sqrt());
        }
    }

    /// Number of places.
    pub fn len(&self) -> usize {
        self.of.len()
    }

    /// Writes row `row` of J into lane `lane` of vectors in the dofs' places, and sets the places' bits.
    #[inline(always)]
    pub fn load(&self, p: &Problem, row: usize, lane: usize, w: &mut [[f64; 4]], bits: &mut [u64]) {
        let (runs, values) = p.rows.jac.row(row);
        let mut values = values.iter();
        for r in runs {
            for (&at, v) in self.at[r.start as usize..(r.start + r.len) as usize].iter().zip(&mut values) {
                w[at as usize][lane] = *v;
                bits[at as usize / 64] |= 1 << (at % 64);
            }
        }
    }

    /// Makes four rows of J rows of W: Lᵀ⁻¹ j, from the leaves to the roots, scaled. The bits of the places at which
    /// they can differ from zero are given for J, and set for W.
    #[inline(always)]
    pub fn solve<P: Simd>(&self, p: &Problem, w: &mut [[f64; 4]], bits: &mut [u64]) {
        for word in (0..bits.len()).rev() {
            let mut rest = bits[word];
            while rest != 0 {
                let bit = rest.ilog2() as usize;
                let i = 64 * word + bit;
                let x = w[i];
                let dof = self.of[i] as usize;
                let r = p.pattern.row(dof);
                let last = r.len() - 1;
                // Ancestors come before it.
                for (&c, &v) in p.pattern.colind[r.clone()][..last].iter().zip(&p.ld[r][..last]) {
                    let c = i - (dof - c as usize);
                    add::<P>(&mut w[c], -v, &x);
                    bits[c / 64] |= 1 << (c % 64);
                }
                rest = bits[word] & ((1 << bit) - 1);
                w[i] = x.map(|x| x * self.root[i]);
            }
        }
    }
}

/// y += s x.
#[inline(always)]
pub fn add<P: Simd>(y: &mut [f64; 4], s: f64, x: &[f64; 4]) {
    for k in 0..4 {
        y[k] = P::plus(y[k], s, x[k]);
    }
}

/// y += x z, lane by lane.
#[inline(always)]
pub fn add_lanes<P: Simd>(y: &mut [f64; 4], x: &[f64; 4], z: &[f64; 4]) {
    for k in 0..4 {
        y[k] = P::plus(y[k], x[k], z[k]);
    }
}

/// Sum of the lanes of two vectors.
#[inline(always)]
pub fn sum([x, y]: [[f64; 4]; 2]) -> f64 {
    (x[0] + y[0] + (x[2] + y[2])) + (x[1] + y[1] + (x[3] + y[3]))
}
