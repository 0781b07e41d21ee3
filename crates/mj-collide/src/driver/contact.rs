//! Contacts with everything that constraint rows are made from.

use mj_math::DVec3;
use mj_model::{Column, Field, GeomId};

/// A contact between two geoms (`mjContact`).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Contact {
    /// Distance of the surfaces; negative when they overlap.
    pub dist: f64,
    /// Midpoint between the surfaces.
    pub pos: DVec3,
    /// Orthonormal frame: the normal, from the first geom to the second, and two tangents.
    pub frame: [DVec3; 3],
    /// Distance below which there is force.
    pub includemargin: f64,
    /// Friction coefficients: two tangents, spin, two rolls.
    pub friction: [f64; 5],
    /// Reference of the constraint along the normal.
    pub solref: [f64; 2],
    /// Reference of the friction dimensions; zeros: as along the normal.
    pub solreffriction: [f64; 2],
    /// Impedance.
    pub solimp: [f64; 5],
    /// Adhesive force.
    pub adhesion: f64,
    /// Velocity of the second surface relative to the first: two tangents, spin.
    pub surfacevel: [f64; 3],
    /// Dimensionality: 1, 3, 4 or 6.
    pub dim: u32,
    /// The geoms, of ascending type.
    pub geom: [GeomId; 2],
    /// Whether the surfaces are within the margin but not closer than `includemargin`: the contact makes no constraint.
    pub in_gap: bool,
}

/// All contacts of a state, in the order of the pairs of bodies, then of geoms.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Contacts {
    /// The contacts.
    pub list: Vec<Contact>,
}

impl Contacts {
    /// Calls `f` with every field of the reference that a contact has, one row a contact, named `contact.<field>`.
    pub fn visit(&self, f: &mut dyn FnMut(Field)) {
        let n = self.list.len();
        let mut reals = |name: &str, width: usize, row: &dyn Fn(&Contact, &mut Vec<f64>)| {
            let mut data = Vec::with_capacity(n * width);
            self.list.iter().for_each(|c| row(c, &mut data));
            let shape = if width == 1 { vec![n] } else { vec![n, width] };
            f(Field { name: format!("contact.{name}"), shape, data: Column::F64(data) });
        };
        reals("dist", 1, &|c, v| v.push(c.dist));
        reals("pos", 3, &|c, v| v.extend(c.pos.to_array()));
        reals("frame", 9, &|c, v| c.frame.iter().for_each(|axis| v.extend(axis.to_array())));
        reals("includemargin", 1, &|c, v| v.push(c.includemargin));
        reals("friction", 5, &|c, v| v.extend(c.friction));
        reals("solref", 2, &|c, v| v.extend(c.solref));
        reals("solreffriction", 2, &|c, v| v.extend(c.solreffriction));
        reals("solimp", 5, &|c, v| v.extend(c.solimp));
        reals("adhesion", 1, &|c, v| v.push(c.adhesion));
        reals("surfacevel", 3, &|c, v| v.extend(c.surfacevel));

        let mut integers = |name: &str, shape: Vec<usize>, data: Vec<i32>| {
            f(Field { name: format!("contact.{name}"), shape, data: Column::I32(data) });
        };
        let id = |i: usize| i32::try_from(i).unwrap_or(i32::MAX);
        integers("dim", vec![n], self.list.iter().map(|c| c.dim as i32).collect());
        integers("geom", vec![n, 2], self.list.iter().flat_map(|c| c.geom.map(|g| id(g.index()))).collect());
    }
}

impl std::ops::Deref for Contacts {
    type Target = [Contact];

    fn deref(&self) -> &[Contact] {
        &self.list
    }
}
