//! How a point of a rod's surface moves with the vertices and the twist of its edge.

use crate::buffers::Flexes;
use crate::lines::Twist;
use mj_math::closest::on_segment;
use mj_math::{DVec3, MINVAL, Spatial};
use mj_model::*;

/// A point of the surface of an edge that twists by a joint: it moves with the point of the axis, and turns about it at the
/// velocity t×ṫ + θ̇ t.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RodLever {
    /// Vertices of the edge among those of all flexes.
    pub vertex: [usize; 2],
    /// Dof by which the edge twists.
    pub dof: usize,
    /// Shares that the vertices have in the point of the axis.
    share: [f64; 2],
    tangent: DVec3,
    length: f64,
    /// From the axis to the surface.
    arm: DVec3,
    /// Turn of the edge's reference frame about it by the tangent.
    spin: DVec3,
}

impl RodLever {
    /// Returns the forces on both vertices and the moment about the edge that do the work of a wrench (moment, force) on the
    /// point.
    #[inline]
    pub fn transmit(&self, wrench: Spatial) -> ([DVec3; 2], f64) {
        let moment = wrench.rot + self.arm.cross(wrench.lin);
        let twist = moment.dot(self.tangent);
        let turn = (moment.cross(self.tangent) + self.spin * twist) / self.length;
        ([wrench.lin * self.share[0] - turn, wrench.lin * self.share[1] + turn], twist)
    }
}

/// Returns the lever of a contact's point on an element or, where `vertex` is not negative, of the point of the flex's own
/// surface beside a vertex. None where the edge doesn't twist by a joint.
pub fn rod_lever(
    m: &Model,
    flexes: &Flexes,
    f: FlexId,
    [element, vertex]: [i32; 2],
    [point, surface]: [DVec3; 2],
) -> Option<RodLever> {
    let chain = flexes.rods.structure.get(f.index())?.as_ref()?.chain.as_ref()?;
    let on_vertex = usize::try_from(vertex).ok();
    let edge = match on_vertex {
        Some(v) => (*chain.place.get(v)?).min(chain.twist.len() - 1),
        None => *chain.of_element.get(usize::try_from(element).ok()?)?,
    };
    let Twist::Joint { dof, .. } = chain.twist[edge] else { return None };
    let local = [chain.vertices[edge], chain.vertices[edge + 1]];
    let ends = local.map(|v| m.flex.vertadr[f] as usize + v);
    let x = ends.map(|v| flexes.vert_xpos[v]);
    let length = (x[1] - x[0]).length();
    if length < MINVAL {
        return None;
    }
    let (share, arm) = match on_vertex {
        Some(v) => {
            (local.map(|w| if w == v { 1.0 } else { 0.0 }), surface - flexes.vert_xpos[m.flex.vertadr[f] as usize + v])
        }
        None => {
            let share = on_segment(point, x);
            (share, point - x[0] * share[0] - x[1] * share[1])
        }
    };
    let spin = flexes.rods.edges[flexes.rods.first_edge(f) + edge].spin;
    Some(RodLever { vertex: ends, dof, share, tangent: (x[1] - x[0]) / length, length, arm, spin })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn vector() -> impl Strategy<Value = DVec3> {
        prop::array::uniform3(-1.0..1.0).prop_map(DVec3::from_array)
    }

    proptest! {
        /// Work of a wrench is that of the forces which the lever transmits it to, for a rigid motion of the edge.
        #[test]
        fn a_lever_does_the_work_of_the_wrench(
            tangent in vector(), length in 0.1..2.0, arm in vector(), part in 0.0..1.0,
            v in vector(), w in vector(), moment in vector(), force in vector(),
        ) {
            prop_assume!(tangent.length() > 0.1);
            let tangent = tangent.normalize();
            let lever =
                RodLever { vertex: [0, 1], dof: 0, share: [1.0 - part, part], tangent, length, arm, spin: DVec3::ZERO };
            let (forces, twist) = lever.transmit(Spatial::new(moment, force));
            // Vertices about the point of the axis.
            let ends = [tangent * (-part * length), tangent * ((1.0 - part) * length)];
            let work: f64 = (0..2).map(|i| forces[i].dot(v + w.cross(ends[i]))).sum::<f64>() + twist * w.dot(tangent);
            let expected = moment.dot(w) + force.dot(v + w.cross(arm));
            prop_assert!((work - expected).abs() < 1e-9);
        }
    }
}
