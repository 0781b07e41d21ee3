//! Elastic rods: records of the vertices at which the lines of a flex bend and twist.
//!
//! Bergou et al., "Discrete elastic rods", 2008. With the lengths l₀ and l₁ of its edges, a vertex has the stiffnesses
//! k = E I/(l₀ + l₁) of bending and k_t = G J/(l₀ + l₁) of torsion; its curvature is κb = 2 t₀×t₁/(1 + t₀·t₁).

use super::topology::Edges;
use mj_math::{DVec3, MINVAL, real};
use mj_model::ROD_RECORD_SIZE as RECORD;
use mj_model::Section;
use mj_model::spec::Elasticity;
use std::f64::consts::PI;

/// Angle, rad, up to which a vertex counts as straight at qpos0.
const STRAIGHT: f64 = 1e-4;

/// Name of the joint by which edge `edge` of `count` twists.
pub(crate) fn twist_joint(flex: &str, edge: usize, count: usize) -> String {
    if edge + 1 == count { format!("{flex}_twist") } else { format!("{flex}_twist_{edge}") }
}

/// Vertices of a single open chain, end to end; none where the elements are another graph.
///
/// It begins with the first vertex of the first element where that is an end, otherwise with the end of lower number.
pub(crate) fn open_chain(element: &[i32]) -> Option<Vec<usize>> {
    let ends = Edges::of(1, element).ends;
    let n = element.iter().max().map_or(0, |v| *v as usize + 1);
    let around = neighbours(&ends, n);
    if around.iter().any(|a| a.len() > 2) {
        return None;
    }
    let mut tips = (0..n).filter(|&v| around[v].len() == 1);
    let tip = tips.next()?;
    let first = element[0] as usize;
    let mut chain = vec![if around[first].len() == 1 { first } else { tip }];
    let mut next = around[chain[0]].first().copied();
    while let Some(v) = next {
        let before = chain[chain.len() - 1];
        chain.push(v);
        next = around[v].iter().copied().find(|&w| w != before);
    }
    (chain.len() == ends.len() + 1).then_some(chain)
}

/// Vertices at the other ends of each vertex' edges, in the order of the edges.
fn neighbours(ends: &[[i32; 2]], n: usize) -> Vec<Vec<usize>> {
    let mut around = vec![Vec::new(); n];
    for &[a, b] in ends {
        around[a as usize].push(b as usize);
        around[b as usize].push(a as usize);
    }
    around
}

/// Joint in a record: one row of the table of joints.
pub(super) type FindJoint<'a> = &'a dyn Fn(&str) -> Result<Option<usize>, String>;

/// A flex of dimension 1 whose records are computed.
pub(super) struct Lines<'a> {
    pub name: &'a str,
    pub elasticity: &'a Elasticity,
    pub radius: f64,
    pub element: &'a [i32],
    pub edges: &'a Edges,
    /// Vertices at qpos0.
    pub at: &'a [DVec3],
    /// Whether two vertices are fixed to one another.
    pub fixed: &'a dyn Fn(usize, usize) -> bool,
    pub joint: FindJoint<'a>,
}

/// Stiffnesses times length: of weak and strong bending and of torsion, with the signed lesser half size of a box.
struct Rigidity {
    bending: [f64; 2],
    torsion: f64,
    minor: f64,
}

impl Rigidity {
    fn of(e: &Elasticity, radius: f64) -> Result<Self, String> {
        let shear = if e.shear > 0.0 { e.shear } else { e.young / (2.0 * (1.0 + e.poisson)) };
        if e.section == Section::Circle {
            if radius <= 0.0 {
                return Err("it is an elastic rod of circular section, so its `radius` must be positive".into());
            }
            let fourth = PI * radius.powi(4);
            return Ok(Self { bending: [e.young * fourth / 4.0; 2], torsion: shear * fourth / 2.0, minor: 0.0 });
        }
        let [y, z] = e.sectionsize;
        let (minor, major) = (y.min(z), y.max(z));
        let moment = |across: f64, along: f64| 4.0 / 3.0 * along * across.powi(3);
        // Saint-Venant's torsion of a rectangle (Roark, "Formulas for stress and strain").
        let part = minor / major;
        let torsion = major * minor.powi(3) * (16.0 / 3.0 - 3.36 * part * (1.0 - part.powi(4) / 12.0));
        Ok(Self {
            bending: [e.young * moment(minor, major), e.young * moment(major, minor)],
            torsion: shear * torsion,
            minor: if y < z { -minor } else { minor },
        })
    }
}

impl Lines<'_> {
    /// Computes the records, with their number before them; none where nothing bends.
    pub fn records(&self) -> Result<Vec<f64>, String> {
        let e = self.elasticity;
        if e.young <= 0.0 {
            return Ok(Vec::new());
        }
        let rigidity = Rigidity::of(e, self.radius)?;
        let chain = open_chain(self.element).filter(|c| c.len() > 2);
        if chain.is_none() && e.section == Section::Box {
            return Err("a rod of section=\"box\" must be one open chain of at least two elements".into());
        }
        let twists = match &chain {
            Some(chain) => self.twists(chain)?,
            None => None,
        };
        if twists.is_none() && e.section == Section::Box {
            let name = self.name;
            return Err(format!(
                "a rod of section=\"box\" needs hinge joints for the twist of its edges, `{name}_twist_0` to \
                 `{name}_twist`: a flexcomp with dof=\"full\" makes them"
            ));
        }
        let mut out = vec![0.0];
        match (&chain, twists) {
            (Some(chain), Some(twists)) => {
                for (v, twist) in chain.windows(3).zip(&twists[1..]) {
                    out.extend(self.single([v[0], v[1], v[2]], &rigidity, twist.map_or(-1.0, |j| j as f64))?);
                }
            }
            _ => self.without_twist(&rigidity, &mut out)?,
        }
        out[0] = (out.len() / RECORD) as f64;
        Ok(if out.len() > 1 { out } else { Vec::new() })
    }

    /// Joints of the edges' twist, none for edges that are fixed to a body; none of all where the model has no such joint.
    fn twists(&self, chain: &[usize]) -> Result<Option<Vec<Option<usize>>>, String> {
        let n = chain.len() - 1;
        let names: Vec<String> = (0..n).map(|i| twist_joint(self.name, i, n)).collect();
        let mut found = Vec::with_capacity(n);
        for name in &names {
            found.push((self.joint)(name)?);
        }
        if found.iter().all(Option::is_none) {
            return Ok(None);
        }
        for i in 0..n {
            let end = i == 0 || i + 1 == n && n > 2;
            if end && (self.fixed)(chain[i], chain[i + 1]) {
                found[i] = None;
            } else if found[i].is_none() {
                return Err(format!(
                    "its other edges have joints for their twist, but there is no joint `{}`",
                    names[i]
                ));
            }
        }
        if let (Some(first), Some(second)) = (found[0], found[1])
            && first + 1 != second
        {
            return Err(format!("the joint `{}` must come right before `{}`", names[0], names[1]));
        }
        Ok(Some(found))
    }

    /// Sum of the lengths of the edges at a vertex, and its curvature.
    fn bend(&self, [a, v, b]: [usize; 3]) -> Result<(f64, f64), String> {
        let (e, f) = (self.at[v] - self.at[a], self.at[b] - self.at[v]);
        let (l, k) = (e.length(), f.length());
        let opposed = l * k + e.dot(f);
        if l.min(k) < MINVAL || opposed < 1e-10 * l * k {
            return Err(format!("its edges at vertex {v} have no length, or one lies on the other"));
        }
        let curvature = 2.0 * e.cross(f).length() / opposed;
        let straight = 2.0 * real::atan2(0.5 * curvature, 1.0) <= STRAIGHT;
        Ok((l + k, if straight { 0.0 } else { curvature }))
    }

    fn single(&self, v: [usize; 3], rigidity: &Rigidity, twist: f64) -> Result<[f64; RECORD], String> {
        let (length, curvature) = self.bend(v)?;
        let [weak, strong] = rigidity.bending.map(|k| k / length);
        let [a, v, b] = v.map(|v| v as f64);
        Ok([a, v, b, -1.0, weak, strong - weak, curvature, twist, rigidity.torsion / length, rigidity.minor])
    }

    /// Pairs of vertices that are curved at qpos0, joined by an edge, then the other vertices with two edges.
    fn without_twist(&self, rigidity: &Rigidity, out: &mut Vec<f64>) -> Result<(), String> {
        let ends = &self.edges.ends;
        let around = neighbours(ends, self.at.len());
        let hinge = |v: usize| match around[v][..] {
            [a, b] => Some([a, v, b]),
            _ => None,
        };
        let mut bends = vec![None; self.at.len()];
        for v in 0..self.at.len() {
            if let Some(h) = hinge(v) {
                bends[v] = Some(self.bend(h)?);
            }
        }
        let curved = |v: usize| bends[v].filter(|(_, curvature)| *curvature > 0.0);
        let pairs = || ends.iter().map(|e| e.map(|v| v as usize)).filter(|e| e.iter().all(|&v| curved(v).is_some()));
        let mut count = vec![0; self.at.len()];
        pairs().flatten().for_each(|v| count[v] += 1);
        for [p, q] in pairs() {
            let beyond = |v: usize, other: usize| around[v].iter().copied().find(|&w| w != other).unwrap_or(other);
            let (a, b) = (beyond(p, q), beyond(q, p));
            let share =
                |v: usize| curved(v).map_or((0.0, 0.0), |(l, c)| (rigidity.bending[0] / l / count[v] as f64, c));
            let ((wp, cp), (wq, cq)) = (share(p), share(q));
            let [x, y, z] = [[a, p], [p, q], [q, b]].map(|[i, j]| self.at[j] - self.at[i]);
            let (m, n) = (x.cross(y), y.cross(z));
            let angle = real::atan2(m.cross(n).dot(y) / y.length(), m.dot(n));
            let torsion = rigidity.torsion / (2.0 * y.length());
            let (sin, cos) = real::sin_cos(angle);
            let vertices = [a, p, q, b].map(|v| v as f64);
            out.extend(vertices);
            out.extend([wp, wq, cp, cq, torsion * cos, torsion * sin]);
        }
        for v in (0..self.at.len()).filter(|&v| count[v] == 0) {
            if let Some(h) = hinge(v) {
                out.extend(self.single(h, rigidity, -1.0)?);
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chain_begins_with_its_first_element() {
        let chain = open_chain;
        assert_eq!(chain(&[3, 2, 0, 1, 1, 2]), Some(vec![3, 2, 1, 0]));
        assert_eq!(chain(&[2, 3, 1, 0, 1, 2]), Some(vec![0, 1, 2, 3]));
        assert_eq!(chain(&[0, 1, 1, 2, 2, 0]), None);
        assert_eq!(chain(&[0, 1, 1, 2, 1, 3]), None);
        assert_eq!(chain(&[0, 1, 2, 3]), None);
    }

    /// A square's torsional constant is 0.1406 of the fourth power of its side.
    #[test]
    fn a_square_has_saint_venants_constant() {
        let e = Elasticity {
            young: 1.0,
            shear: 1.0,
            section: Section::Box,
            sectionsize: [0.5; 2],
            ..Elasticity::default()
        };
        let r = Rigidity::of(&e, 0.5).unwrap();
        assert!((r.torsion - 0.1406).abs() < 5e-4, "{}", r.torsion);
        assert!((r.bending[0] - 1.0 / 12.0).abs() < 1e-15);
    }
}
