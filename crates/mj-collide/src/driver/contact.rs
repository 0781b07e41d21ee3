//! Contacts with everything that constraint rows are made from.

use super::params::Params;
use crate::{Placed, PreContact, complete_frame};
use mj_math::DVec3;
use mj_model::{BodyId, Column, Field, FlexId, GeomId, Model};

/// A contact between two geoms, a geom and a flex, or two parts of flexes (`mjContact`).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Contact {
    /// Distance of the surfaces; negative when they overlap.
    pub dist: f64,
    /// Midpoint between the surfaces.
    pub pos: DVec3,
    /// Orthonormal frame: the normal, from the first side to the second, and two tangents.
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
    /// The geoms, of ascending type; none for a flex.
    pub geom: [Option<GeomId>; 2],
    /// The flexes; none for a geom.
    pub flex: [Option<FlexId>; 2],
    /// The flexes' elements; −1 for a geom or a vertex.
    pub elem: [i32; 2],
    /// The flexes' vertices; −1 for a geom or an element.
    pub vert: [i32; 2],
    /// Whether the surfaces are within the margin but not closer than `includemargin`: the contact makes no constraint.
    pub in_gap: bool,
}

impl Contact {
    /// Returns both geoms; none if a side is a flex.
    #[inline]
    pub fn geoms(&self) -> Option<[GeomId; 2]> {
        match self.geom {
            [Some(a), Some(b)] => Some([a, b]),
            _ => None,
        }
    }

    /// Returns the body of each side: of a flex that of the vertex, or of the element's first vertex or the flex's first
    /// node.
    #[inline]
    pub fn bodies(&self, m: &Model) -> [BodyId; 2] {
        [0, 1].map(|side| match self.geom[side] {
            Some(g) => m.geom.bodyid[g],
            None => self.flex_body(m, side),
        })
    }

    fn flex_body(&self, m: &Model, side: usize) -> BodyId {
        let Some(f) = self.flex[side] else { return BodyId::WORLD };
        let d = &m.flex_data;
        if m.flex.interp[f] != 0 {
            return d.nodebodyid[m.flex.nodeadr[f] as usize];
        }
        let vertex = usize::try_from(self.vert[side]).unwrap_or_else(|_| {
            let corners = m.flex.dim[f] as usize + 1;
            d.elem[m.flex.elemdataadr[f] as usize + self.elem[side].max(0) as usize * corners] as usize
        });
        d.vertbodyid[m.flex.vertadr[f] as usize + vertex].unwrap_or(BodyId::WORLD)
    }
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
        let none = |row: Option<usize>| row.map_or(-1, id);
        let geom = |c: &Contact| c.geom.map(|g| none(g.map(GeomId::index)));
        let flex = |c: &Contact| c.flex.map(|f| none(f.map(FlexId::index)));
        integers("geom", vec![n, 2], self.list.iter().flat_map(geom).collect());
        integers("flex", vec![n, 2], self.list.iter().flat_map(flex).collect());
        integers("elem", vec![n, 2], self.list.iter().flat_map(|c| c.elem).collect());
        integers("vert", vec![n, 2], self.list.iter().flat_map(|c| c.vert).collect());
    }
}

impl std::ops::Deref for Contacts {
    type Target = [Contact];

    #[inline]
    fn deref(&self) -> &[Contact] {
        &self.list
    }
}

/// Completes a contact of the narrow phase.
pub(super) fn contact(
    m: &Model,
    shapes: [&Placed; 2],
    geom: [GeomId; 2],
    found: &PreContact,
    params: &Params,
) -> Contact {
    let frame = complete_frame(found.normal, found.tangent);
    // In the gap there is no force, unless the contact sticks: then only along the normal.
    let in_gap = found.dist >= params.includemargin;
    let sticks = params.adhesion != 0.0;
    Contact {
        dist: found.dist,
        pos: found.pos,
        frame,
        includemargin: params.includemargin,
        friction: params.friction,
        solref: params.solref,
        solreffriction: params.solreffriction,
        solimp: params.solimp,
        adhesion: params.adhesion,
        surfacevel: surface_velocity(m, shapes, geom, found.pos, &frame),
        dim: if in_gap && sticks { 1 } else { params.dim },
        geom: geom.map(Some),
        flex: [None; 2],
        elem: [-1; 2],
        vert: [-1; 2],
        in_gap: in_gap && !sticks,
    }
}

/// Velocity of the second geom's surface relative to the first's at a point: along both tangents, and spin about
/// the normal. A geom's surface moves with v + ω × (x − p), both in its own frame.
fn surface_velocity(m: &Model, shapes: [&Placed; 2], geom: [GeomId; 2], pos: DVec3, frame: &[DVec3; 3]) -> [f64; 3] {
    let fields = geom.map(|g| m.geom.surfacevel[g]);
    if fields == [[0.0; 6]; 2] {
        return [0.0; 3];
    }
    let mut linear = DVec3::ZERO;
    let mut angular = DVec3::ZERO;
    for (i, sign) in [(0, -1.0), (1, 1.0)] {
        let [vx, vy, vz, wx, wy, wz] = fields[i];
        let pose = &shapes[i].pose;
        let spin = pose.mat * DVec3::new(wx, wy, wz);
        linear += sign * (pose.mat * DVec3::new(vx, vy, vz) + spin.cross(pos - pose.pos));
        angular += sign * spin;
    }
    [linear.dot(frame[1]), linear.dot(frame[2]), angular.dot(frame[0])]
}
