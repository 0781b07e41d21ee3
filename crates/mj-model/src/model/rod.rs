//! Records of elastic rods: flexes of dimension 1 that bend.

use crate::ids::FlexId;
use crate::model::compiled::Model;

/// Numbers of a record in `flex_bending` of a flex of dimension 1.
pub const ROD_RECORD_SIZE: usize = 10;

impl Model {
    /// Returns the records of a flex of dimension 1, one for each vertex at which it bends or pair of such vertices: none where
    /// it is not elastic.
    ///
    /// The record of a vertex is `[v0, v1, v2, -1, k1, k2 - k1, |κb|, joint, k, b]`: its neighbours and itself, its weak and
    /// strong stiffness of bending, its curvature at qpos0, the joint of the twist of the edge that follows or −1, the
    /// stiffness of torsion, and the lesser half size of a box, negative where it is that along the first axis. That of a
    /// pair is `[v0, v1, v2, v3, w1, w2, |κb1|, |κb2|, k cos φ, k sin φ]`, φ being the angle between their planes at qpos0.
    pub fn rod_records(&self, f: FlexId) -> &[[f64; ROD_RECORD_SIZE]] {
        let first = usize::try_from(self.flex.bendingadr[f]).ok().filter(|_| self.flex.dim[f] == 1);
        let Some(list) = first.and_then(|at| self.flex_shape.bending.get(at..)) else { return &[] };
        let Some((&count, list)) = list.split_first() else { return &[] };
        let list = list.as_chunks().0;
        &list[..(count.max(0.0) as usize).min(list.len())]
    }

    /// Returns whether the edges of a flex twist by joints of their own.
    pub fn rod_twists(&self, f: FlexId) -> bool {
        self.rod_records(f).first().is_some_and(|r| r[3] < 0.0 && r[7] >= 0.0)
    }
}
