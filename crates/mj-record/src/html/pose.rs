//! Poses by frame: positions in quanta, orientations as turns from the frame before.

use super::column::{quantize, write_column, write_number};
use mj_math::{DQuat, DVec3};

/// Quantum of turns, rad.
pub const TURN: f64 = 1.0 / 2048.0;

/// Poses of a geom, light or camera in the frames in which it is there.
///
/// A turn is taken from the orientation that a reader has by then, so that roundings don't add up.
#[derive(Clone, Debug)]
pub struct Poses {
    quantum: f64,
    orientation: DQuat,
    start: [i64; 3],
    positions: [Vec<i64>; 3],
    turns: [Vec<i64>; 3],
}

impl Poses {
    /// Returns no poses, with a quantum of positions, m.
    pub fn new(quantum: f64) -> Self {
        Self {
            quantum,
            orientation: DQuat::IDENTITY,
            start: [0; 3],
            positions: Default::default(),
            turns: Default::default(),
        }
    }

    /// Appends a pose.
    pub fn push(&mut self, pos: DVec3, orientation: DQuat) {
        for (column, x) in self.positions.iter_mut().zip(pos.to_array()) {
            column.push(quantize(x, self.quantum));
        }
        let orientation = if orientation.is_finite() { orientation.normalize() } else { self.orientation };
        let turn = (self.orientation.conjugate() * orientation).to_scaled_axis_short();
        let turn = turn.to_array().map(|x| quantize(x, TURN));
        self.orientation = turned(self.orientation, turn);
        if self.positions[0].len() == 1 {
            self.start = turn;
        } else {
            for (column, x) in self.turns.iter_mut().zip(turn) {
                column.push(x);
            }
        }
    }

    /// Appends all poses to a block.
    pub fn write(&self, out: &mut Vec<u8>) {
        self.start.iter().for_each(|&n| write_number(out, n));
        self.positions.iter().chain(&self.turns).for_each(|column| write_column(out, column));
    }

    /// Returns the poses that a reader gets.
    pub fn decoded(&self) -> Vec<(DVec3, DQuat)> {
        let mut orientation = turned(DQuat::IDENTITY, self.start);
        let pose = |k: usize| {
            if k > 0 {
                orientation = turned(orientation, self.turns.each_ref().map(|column| column[k - 1]));
            }
            let pos = self.positions.each_ref().map(|column| column[k] as f64 * self.quantum);
            (DVec3::from(pos), orientation)
        };
        (0..self.positions[0].len()).map(pose).collect()
    }
}

/// Turns an orientation about axes of its own.
fn turned(orientation: DQuat, turn: [i64; 3]) -> DQuat {
    (orientation * DQuat::from_scaled_axis(DVec3::from(turn.map(|n| n as f64 * TURN)))).normalize()
}

/// Rotation vectors of at most half a turn.
trait ShortAxis {
    fn to_scaled_axis_short(self) -> DVec3;
}

impl ShortAxis for DQuat {
    fn to_scaled_axis_short(self) -> DVec3 {
        if self.w < 0.0 { (-self).to_scaled_axis() } else { self.to_scaled_axis() }
    }
}

#[cfg(test)]
mod tests {
    use super::super::column::Reader;
    use super::*;
    use proptest::prelude::*;

    fn pose() -> impl Strategy<Value = (DVec3, DQuat)> {
        let quat = prop::array::uniform4(-1.0..1.0_f64).prop_filter("a direction", |q| q.iter().any(|x| x.abs() > 0.1));
        (prop::array::uniform3(-100.0..100.0_f64), quat)
            .prop_map(|(p, [x, y, z, w])| (p.into(), DQuat::from_xyzw(x, y, z, w).normalize()))
    }

    proptest! {
        #[test]
        fn any_poses_come_back_within_a_quantum(poses in prop::collection::vec(pose(), 1..40), quantum in 1e-4..0.1) {
            let mut coder = Poses::new(quantum);
            poses.iter().for_each(|&(pos, quat)| coder.push(pos, quat));
            for ((pos, quat), (given, wanted)) in coder.decoded().into_iter().zip(&poses) {
                prop_assert!((pos - *given).abs().max_element() <= 0.5001 * quantum);
                prop_assert!((quat.conjugate() * *wanted).to_scaled_axis_short().length() <= TURN, "{quat} {wanted}");
            }
            let mut out = Vec::new();
            coder.write(&mut out);
            let mut reader = Reader(&out);
            prop_assert_eq!([reader.number(), reader.number(), reader.number()], coder.start);
            for column in &coder.positions {
                prop_assert_eq!(&reader.column(poses.len()), column);
            }
            for column in coder.turns.iter() {
                prop_assert_eq!(&reader.column(poses.len() - 1), column);
            }
            prop_assert!(reader.0.is_empty());
        }
    }

    #[test]
    fn poses_that_are_no_numbers_do_no_harm() {
        let mut coder = Poses::new(0.01);
        coder.push(DVec3::NAN, DQuat::from_xyzw(0.0, 0.0, 0.0, 0.0));
        coder.push(DVec3::splat(f64::INFINITY), DQuat::from_xyzw(f64::NAN, 0.0, 0.0, 1.0));
        coder.push(DVec3::ZERO, DQuat::from_rotation_z(1.0));
        let last = coder.decoded()[2].1;
        assert!(
            last.is_finite() && (last.conjugate() * DQuat::from_rotation_z(1.0)).to_scaled_axis_short().length() < TURN
        );
    }
}
