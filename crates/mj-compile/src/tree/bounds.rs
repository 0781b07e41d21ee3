//! Bounds of geoms, from their sizes, and of bodies, from their geoms.

use crate::tree::{fluid, shape};
use mj_math::DVec3;
use mj_model::*;

/// Fills in sizes of height fields' geoms, bounds of all geoms but meshes, which bring their own, and the mass of fluid
/// that geoms move along.
pub(crate) fn set(m: &mut Model) {
    for g in m.geom.ids() {
        let shape = m.geom.r#type[g];
        match shape {
            GeomType::Mesh | GeomType::Sdf => {}
            GeomType::Hfield => set_field(m, g),
            _ => {
                let size = m.geom.size[g];
                m.geom.aabb[g] = shape::bounding_box(shape, size);
                m.geom.rbound[g] = shape::radius(shape, size);
            }
        }
        let size = m.geom.size[g];
        if m.geom.fluid[g][0] > 0.0 {
            m.geom.fluid[g][6..].copy_from_slice(&fluid::added(shape, size));
        }
    }
    unite(m);
}

/// Size and bounds of a height field.
fn set_field(m: &mut Model, g: GeomId) {
    let Ok(field) = usize::try_from(m.geom.dataid[g]) else { return };
    let [x, y, top, base] = m.hfield.size[HfieldId::new(field)];
    m.geom.size[g] = shape::of_field(m.hfield.size[HfieldId::new(field)]);
    m.geom.aabb[g] = shape::centred(DVec3::new(-x, -y, -base), DVec3::new(x, y, top));
    m.geom.rbound[g] = DVec3::new(x, y, top.max(base)).length();
}

/// Contact filters and margins of bodies: the unions of their geoms'.
fn unite(m: &mut Model) {
    m.body.contype.as_mut_slice().fill(0);
    m.body.conaffinity.as_mut_slice().fill(0);
    m.body.margin.as_mut_slice().fill(0.0);
    for g in m.geom.ids() {
        let b = m.geom.bodyid[g];
        m.body.contype[b] |= m.geom.contype[g];
        m.body.conaffinity[b] |= m.geom.conaffinity[g];
        m.body.margin[b] = m.body.margin[b].max(m.geom.margin[g] + m.geom.gap[g]);
    }
}
