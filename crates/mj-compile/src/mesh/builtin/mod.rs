//! Shapes that the compiler makes by itself.

mod lattice;
mod round;
mod sheet;

use super::soup::Soup;

/// Largest number of vertices of a shape: more is taken for a slip.
const MOST: usize = 1 << 22;

/// A shape, and whether it is a surface by its nature, so that its inertia is a shell's.
pub(crate) struct Made {
    pub soup: Soup,
    pub surface: bool,
}

/// Makes a shape from its name and parameters.
pub(crate) fn make(name: &str, params: &[f64]) -> Result<Made, String> {
    let p = Params { name, values: params };
    let (soup, surface) = match name {
        "sphere" => (round::sphere(p.exactly(1)?.whole(0, 0, 4)?), false),
        "hemisphere" => (round::hemisphere(p.exactly(1)?.whole(0, 0, 10)?), false),
        "cone" => (round::cone(p.exactly(2)?.whole(0, 3, 10_000)?, p.within(1, 0.0, 1.0)?), false),
        "supersphere" => {
            let (east, north) = (p.exactly(3)?.within(1, 0.0, f64::MAX)?, p.within(2, 0.0, f64::MAX)?);
            (round::supersphere(p.whole(0, 3, 1000)?, east, north), false)
        }
        "supertorus" => {
            let (minor, major) = (p.exactly(4)?.above(2, 0.0, f64::MAX)?, p.above(3, 0.0, f64::MAX)?);
            (round::supertorus(p.whole(0, 3, 1000)?, p.above(1, 0.0, 1.0)?, minor, major), false)
        }
        "wedge" => {
            let count = p.exactly(5)?.grid(0)?;
            let view = [p.above(2, 0.0, 180.0)?, p.above(3, 0.0, 90.0)?];
            (sheet::wedge(count, view, p.within(4, 0.0, 1.0)?), false)
        }
        "plate" => (sheet::plate(p.exactly(2)?.grid(0)?), true),
        "grid" | "box" | "cylinder" | "ellipsoid" | "square" | "disc" => lattice::make(&p)?,
        _ => {
            return Err(format!(
                "there is no built-in shape `{name}`: there are sphere, hemisphere, cone, supersphere, supertorus, \
                 wedge, plate, grid, box, cylinder, ellipsoid, square and disc"
            ));
        }
    };
    Ok(Made { soup, surface })
}

/// Parameters of a shape.
struct Params<'a> {
    name: &'a str,
    values: &'a [f64],
}

impl Params<'_> {
    fn exactly(&self, count: usize) -> Result<&Self, String> {
        if self.values.len() == count {
            return Ok(self);
        }
        Err(format!("a {} has {count} parameters, but {} are given", self.name, self.values.len()))
    }

    fn at(&self, i: usize) -> Result<f64, String> {
        let missing = || format!("parameter {} of a {} is missing", i + 1, self.name);
        self.values.get(i).copied().ok_or_else(missing)
    }

    /// A number from `low` to `high`.
    fn within(&self, i: usize, low: f64, high: f64) -> Result<f64, String> {
        let x = self.at(i)?;
        if (low..=high).contains(&x) && x.is_finite() {
            return Ok(x);
        }
        let range = if high == f64::MAX { format!("at least {low}") } else { format!("from {low} to {high}") };
        Err(format!("parameter {} of a {} is {x}, but it must be {range}", i + 1, self.name))
    }

    /// A number up to `high` that is greater than `low`.
    fn above(&self, i: usize, low: f64, high: f64) -> Result<f64, String> {
        let x = self.within(i, low, high)?;
        if x > low {
            return Ok(x);
        }
        Err(format!("parameter {} of a {} is {x}, but it must be greater than {low}", i + 1, self.name))
    }

    fn whole(&self, i: usize, low: u32, high: u32) -> Result<usize, String> {
        let x = self.within(i, low.into(), high.into())?;
        if x.fract() == 0.0 {
            return Ok(x as usize);
        }
        Err(format!("parameter {} of a {} is {x}, but it must be a whole number", i + 1, self.name))
    }

    /// Two numbers of points.
    fn grid(&self, i: usize) -> Result<[usize; 2], String> {
        let count = [self.whole(i, 1, MOST as u32)?, self.whole(i + 1, 1, MOST as u32)?];
        if count[0].saturating_mul(count[1]) > MOST {
            return Err(format!("{} by {} points of a {} are too many", count[0], count[1], self.name));
        }
        Ok(count)
    }
}
