//! Greatest numbers of contacts of two geoms.

use crate::MAX_CONTACTS;
use mj_model::{GeomId, GeomType, Model, disable};

/// Returns the greatest number of contacts that two geoms can have (`mj_maxContact`).
///
/// ```
/// use mj_collide::max_contacts;
/// use mj_model::{GeomId, GeomType, Model, model::GeomRow};
///
/// let mut m = Model::default();
/// for kind in [GeomType::Plane, GeomType::Capsule, GeomType::Mesh] {
///     m.geom.push(GeomRow { r#type: kind, ..GeomRow::default() });
/// }
/// let of = |a, b| max_contacts(&m, [GeomId::new(a), GeomId::new(b)]);
/// assert_eq!([of(0, 1), of(2, 1), of(0, 0)], [2, 2, 0]);
/// ```
pub fn max_contacts(m: &Model, geoms: [GeomId; 2]) -> usize {
    use GeomType::*;
    let [mut a, mut b] = geoms.map(|g| m.geom.r#type[g]);
    if a > b {
        (a, b) = (b, a);
    }
    // By the general method: one, several around it, or those of the sides that lie against each other.
    let general = |sides: usize| {
        if m.opt.disabled(disable::MULTICCD) {
            1
        } else if m.opt.disabled(disable::NATIVECCD) {
            5
        } else {
            sides
        }
    };
    match (a, b) {
        (Plane | Hfield, Plane | Hfield) => 0,
        (Plane, Sphere | Ellipsoid) => 1,
        (Plane, Capsule) => 2,
        (Plane, _) => 4,
        (Hfield, _) | (_, Sdf) => MAX_CONTACTS,
        (Sphere | Ellipsoid, _) | (_, Ellipsoid) => 1,
        (Capsule, Capsule) => 2,
        (Capsule, Box) => 4,
        (Capsule, _) => general(2),
        (Box, Box) => 8,
        _ => general(4),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mj_model::model::GeomRow;

    /// Recorded from the reference.
    const WANTED: [[usize; 8]; 8] = [
        [0, 0, 1, 2, 1, 4, 4, 4],
        [0, 0, 50, 50, 50, 50, 50, 50],
        [1, 50, 1, 1, 1, 1, 1, 1],
        [2, 50, 1, 2, 1, 2, 4, 2],
        [1, 50, 1, 1, 1, 1, 1, 1],
        [4, 50, 1, 2, 1, 4, 4, 4],
        [4, 50, 1, 4, 1, 4, 8, 4],
        [4, 50, 1, 2, 1, 4, 4, 4],
    ];

    #[test]
    fn numbers_are_those_of_the_reference() {
        let mut m = Model::default();
        for code in 0..8 {
            m.geom.push(GeomRow { r#type: GeomType::from_code(code).unwrap(), ..GeomRow::default() });
        }
        let all = |m: &Model| -> [[usize; 8]; 8] {
            std::array::from_fn(|a| std::array::from_fn(|b| max_contacts(m, [GeomId::new(a), GeomId::new(b)])))
        };
        assert_eq!(all(&m), WANTED);
        let (cylinder, mesh, capsule) = (5, 7, 3);
        m.opt.disableflags = disable::NATIVECCD;
        assert_eq!((all(&m)[cylinder][mesh], all(&m)[capsule][cylinder], all(&m)[6][6]), (5, 5, 8));
        m.opt.disableflags |= disable::MULTICCD;
        assert_eq!((all(&m)[cylinder][mesh], all(&m)[capsule][6]), (1, 4));
    }
}
