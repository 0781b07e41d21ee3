//! Shapes made of the points of a lattice, and of what a lattice becomes when it is pressed into a round form.

use super::{MOST, Params};
use crate::mesh::soup::{Soup, single};
use mj_math::DVec3;

/// Points along each axis, and how far apart they are.
struct Lattice {
    count: [usize; 3],
    spacing: DVec3,
}

/// Makes a shape: a volume without faces of its own, or a surface.
pub(super) fn make(p: &Params) -> Result<(Soup, bool), String> {
    let flat = matches!(p.name, "square" | "disc");
    if p.values.len() != 6 && (flat || p.values.len() != 7) {
        let last = if flat { "" } else { " and optionally the dimension" };
        return Err(format!(
            "a {} has three counts, three spacings{last}, but {} parameters are given",
            p.name,
            p.values.len()
        ));
    }
    let surface = flat || p.values.len() == 7 && p.whole(6, 2, 3)? == 2;
    let shell = matches!(p.name, "box" | "cylinder" | "ellipsoid");
    let mut count = [1; 3];
    for (k, n) in count.iter_mut().enumerate() {
        let thin = surface && !shell && k == 2;
        *n = p.whole(k, if thin { 1 } else { 2 }, if thin { 1 } else { MOST as u32 })?;
    }
    if count.iter().fold(1, |n: usize, &m| n.saturating_mul(m)) > MOST {
        return Err(format!("{} by {} by {} points of a {} are too many", count[0], count[1], count[2], p.name));
    }
    let [x, y, z] = [3, 4, 5].map(|i| p.within(i, f64::MIN, f64::MAX));
    let lattice = Lattice { count, spacing: DVec3::new(x?, y?, z?) };
    let soup = match (shell, surface) {
        (true, false) => lattice.solid(p.name),
        (true, true) => lattice.open(p.name),
        (false, true) => lattice.sheet(p.name == "disc"),
        (false, false) => lattice.block(),
    };
    Ok((soup, surface))
}

impl Lattice {
    /// Where a point of the lattice is, about its middle.
    fn place(&self, at: [usize; 3]) -> DVec3 {
        let [x, y, z] = [0, 1, 2].map(|k| at[k] as f64 - 0.5 * (self.count[k] as f64 - 1.0));
        self.spacing * DVec3::new(x, y, z)
    }

    /// Half the extent along each axis.
    fn half(&self) -> DVec3 {
        self.place(self.count.map(|n| n - 1))
    }

    /// All points.
    fn block(&self) -> Soup {
        let [nx, ny, nz] = self.count;
        let points = (0..nx).flat_map(|x| (0..ny).flat_map(move |y| (0..nz).map(move |z| [x, y, z])));
        Soup { vert: points.map(|at| single(self.place(at))).collect(), ..Default::default() }
    }

    /// A flat sheet; for a disc, squares become circles about the middle.
    fn sheet(&self, disc: bool) -> Soup {
        let [nx, ny, _] = self.count;
        let half = self.half();
        let at = |x: usize, y: usize| (x * ny + y) as u32;
        let mut soup = Soup::default();
        for x in 0..nx {
            for y in 0..ny {
                let p = self.place([x, y, 0]);
                let round = DVec3::new(p.x, p.y, 0.0).normalize_or(DVec3::X) * half * p.x.abs().max(p.y.abs());
                soup.vert.push(single(if disc { round } else { p }));
                if x + 1 == nx || y + 1 == ny {
                    continue;
                }
                let [a, b, c, d] = [at(x, y), at(x + 1, y), at(x + 1, y + 1), at(x, y + 1)];
                // On a disc the diagonals go out from the middle.
                let (left, below) = (p.x < -mj_math::MINVAL, p.y < -mj_math::MINVAL);
                if disc && left != below {
                    soup.face.extend([[a, b, d], [b, c, d]]);
                } else {
                    soup.face.extend([[a, b, c], [a, c, d]]);
                }
            }
        }
        soup
    }

    /// Where a point on the surface goes when the lattice takes another form.
    fn pressed(&self, form: &str, at: [usize; 3]) -> DVec3 {
        let half = self.half();
        let [x, y, z] = [0, 1, 2].map(|k| 2.0 * at[k] as f64 / (self.count[k] as f64 - 1.0) - 1.0);
        half * match form {
            "cylinder" => {
                let around = DVec3::new(x, y, 0.0).normalize_or(DVec3::X) * x.abs().max(y.abs());
                around + DVec3::Z * z
            }
            "ellipsoid" => DVec3::new(x, y, z).normalize_or(DVec3::X),
            _ => DVec3::new(x, y, z),
        }
    }

    /// The points on the surface: bottom and top, front and back, left and right; each once. Without a top, its
    /// points come with the sides.
    fn surface(&self, open: bool) -> Vec<[usize; 3]> {
        let [nx, ny, nz] = self.count;
        let ends = |n: usize| [0, n - 1];
        let top = if open { nz } else { nz - 1 };
        let mut points = Vec::new();
        for z in ends(nz).into_iter().take(if open { 1 } else { 2 }) {
            points.extend((0..nx).flat_map(|x| (0..ny).map(move |y| [x, y, z])));
        }
        for y in ends(ny) {
            points.extend((0..nx).flat_map(|x| (1..top).map(move |z| [x, y, z])));
        }
        for x in ends(nx) {
            points.extend((1..ny - 1).flat_map(|y| (1..top).map(move |z| [x, y, z])));
        }
        points
    }

    /// The middle and the surface; the hull gives the faces.
    fn solid(&self, form: &str) -> Soup {
        let mut vert = vec![[0.0; 3]];
        vert.extend(self.surface(false).into_iter().map(|at| single(self.pressed(form, at))));
        Soup { vert, ..Default::default() }
    }

    /// The surface without its top.
    fn open(&self, form: &str) -> Soup {
        let [nx, ny, nz] = self.count;
        let points = self.surface(true);
        let row = |[x, y, z]: [usize; 3]| (x * ny + y) * nz + z;
        let mut number = vec![0u32; nx * ny * nz];
        for (i, at) in points.iter().enumerate() {
            number[row(*at)] = i as u32;
        }
        let mut face = Vec::new();
        for x in 0..nx - 1 {
            for y in 0..ny - 1 {
                let corners = [[x, y, 0], [x, y + 1, 0], [x + 1, y + 1, 0], [x + 1, y, 0]];
                let [a, b, c, d] = corners.map(|at| number[row(at)]);
                face.extend([[a, c, d], [a, b, c]]);
            }
        }
        let mut quad = |corners: [[usize; 3]; 4]| {
            let [a, b, c, d] = corners.map(|at| number[row(at)]);
            face.extend([[a, b, c], [a, c, d]]);
        };
        for (y, [from, to]) in [(0, [0, 1]), (ny - 1, [1, 0])] {
            for x in 0..nx - 1 {
                for z in 0..nz - 1 {
                    quad([[x + from, y, z], [x + to, y, z], [x + to, y, z + 1], [x + from, y, z + 1]]);
                }
            }
        }
        for (x, [from, to]) in [(0, [1, 0]), (nx - 1, [0, 1])] {
            for y in 0..ny - 1 {
                for z in 0..nz - 1 {
                    quad([[x, y + from, z], [x, y + to, z], [x, y + to, z + 1], [x, y + from, z + 1]]);
                }
            }
        }
        let vert = points.into_iter().map(|at| single(self.pressed(form, at))).collect();
        Soup { vert, face, ..Default::default() }
    }
}
