//! Poses, and frames one in another.

use mj_math::{DQuat, DVec3, quat};
use mj_model::spec::{Compiler, Frame, Orientation};
pub(crate) use mj_model::spec::{unit, unit_quat};

/// Lengths and norms below this count as zero while compiling.
pub(crate) const EPS: f64 = 1e-14;

/// Position and orientation of a child in its parent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Pose {
    pub pos: DVec3,
    pub quat: DQuat,
}

impl Pose {
    pub const IDENTITY: Self = Self { pos: DVec3::ZERO, quat: DQuat::IDENTITY };

    /// Pose of a child of this frame in this frame's parent.
    pub fn then(self, child: Self) -> Self {
        let quat = self.quat * child.quat;
        Self { pos: self.point(child.pos), quat: unit_quat(quat).unwrap_or(quat) }
    }

    /// Where a point of this frame lies in the parent.
    pub fn point(self, p: DVec3) -> DVec3 {
        self.pos + quat::to_mat_compiling(self.quat) * p
    }

    /// Pose of the parent in this frame.
    pub fn inverse(self) -> Self {
        let quat = self.quat.conjugate();
        Self { pos: -(quat::to_mat_compiling(quat) * self.pos), quat }
    }
}

/// An orientation as a unit quaternion.
pub(crate) fn orientation(o: &Orientation, c: &Compiler) -> Result<DQuat, &'static str> {
    o.resolve(c.degree, c.eulerseq)
}

/// Poses of all frames of a body, each in the body. A frame may only be in one that comes before
/// it. Frames that are wrong are reported by number and stand at the identity.
pub(crate) fn accumulate(frames: &[Frame], c: &Compiler, mut wrong: impl FnMut(usize, &'static str)) -> Vec<Pose> {
    let mut out: Vec<Pose> = Vec::with_capacity(frames.len());
    for (i, f) in frames.iter().enumerate() {
        let quat = orientation(&f.orientation, c).unwrap_or_else(|e| {
            wrong(i, e);
            DQuat::IDENTITY
        });
        let mut pose = Pose { pos: f.pos, quat };
        match f.parent {
            None => {}
            Some(p) if p < i => pose = out[p].then(pose),
            Some(_) => wrong(i, "the frame that it is in must come before it"),
        }
        pose.quat = unit_quat(pose.quat).unwrap_or(DQuat::IDENTITY);
        out.push(pose);
    }
    out
}

/// Centre, orientation and half length of what lies between two points, its z axis pointing from
/// the second to the first; none if they coincide.
pub(crate) fn from_to(ft: &[f64; 6]) -> Option<(Pose, f64)> {
    let (a, b) = (DVec3::from_slice(&ft[..3]), DVec3::from_slice(&ft[3..]));
    let half = (a - b).length() / 2.0;
    let z = unit(a - b)?;
    (half >= EPS).then(|| (Pose { pos: (a + b) / 2.0, quat: quat::z_to_compiling(z) }, half))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn degrees() -> Compiler {
        Compiler::default()
    }

    fn close(a: DQuat, b: DQuat) -> bool {
        (a - b).length() < 1e-12 || (a + b).length() < 1e-12
    }

    #[test]
    fn forms_of_one_orientation_agree() {
        // A quarter turn about z.
        let want = DQuat::from_xyzw(0.0, 0.0, 0.5f64.sqrt(), 0.5f64.sqrt());
        for o in [
            Orientation::Quat(want * 3.0),
            Orientation::AxisAngle([0.0, 0.0, 2.0, 90.0]),
            Orientation::XyAxes([0.0, 3.0, 0.0, -1.0, 1.0, 0.0]),
            Orientation::Euler([0.0, 0.0, 90.0]),
        ] {
            assert!(close(orientation(&o, &degrees()).unwrap(), want), "{o:?}");
        }
        let z = orientation(&Orientation::ZAxis([1.0, 0.0, 0.0]), &degrees()).unwrap();
        assert!((quat::rotate(z, DVec3::Z) - DVec3::X).length() < 1e-12);
    }

    #[test]
    fn fixed_axes_are_the_moving_ones_in_reverse() {
        let moving = orientation(&Orientation::Euler([10.0, 20.0, 30.0]), &degrees()).unwrap();
        let fixed = Compiler { eulerseq: *b"ZYX", ..degrees() };
        assert!(close(moving, orientation(&Orientation::Euler([30.0, 20.0, 10.0]), &fixed).unwrap()));
        let radians = Compiler { degree: false, ..degrees() };
        let e = [10f64, 20.0, 30.0].map(f64::to_radians);
        assert!(close(moving, orientation(&Orientation::Euler(e), &radians).unwrap()));
    }

    #[test]
    fn degenerate_orientations_are_errors() {
        for o in [
            Orientation::Quat(DQuat::from_xyzw(0.0, 0.0, 0.0, 0.0)),
            Orientation::AxisAngle([0.0, 0.0, 0.0, 1.0]),
            Orientation::XyAxes([1.0, 0.0, 0.0, 2.0, 0.0, 0.0]),
            Orientation::ZAxis([0.0; 3]),
            Orientation::Quat(DQuat::from_xyzw(f64::NAN, 0.0, 0.0, 0.0)),
        ] {
            assert!(orientation(&o, &degrees()).is_err(), "{o:?}");
        }
    }

    #[test]
    fn nested_frames_accumulate() {
        let turn = Orientation::AxisAngle([0.0, 0.0, 1.0, 90.0]);
        let frames = [
            Frame { pos: DVec3::X, orientation: turn, ..Default::default() },
            Frame { parent: Some(0), pos: DVec3::X, ..Default::default() },
        ];
        let poses = accumulate(&frames, &degrees(), |_, e| panic!("{e}"));
        assert!(poses[1].pos.distance(DVec3::new(1.0, 1.0, 0.0)) < 1e-12);
        let back = poses[1].inverse().then(poses[1]);
        assert!(back.pos.length() < 1e-12 && back.quat.dot(DQuat::IDENTITY).abs() > 1.0 - 1e-12);
    }

    #[test]
    fn the_z_axis_points_to_the_first_point() {
        let (pose, half) = from_to(&[0.0, 0.0, 0.0, 0.0, 0.0, 2.0]).unwrap();
        assert_eq!((pose.pos, half), (DVec3::Z, 1.0));
        assert!((quat::rotate(pose.quat, DVec3::Z) + DVec3::Z).length() < 1e-12);
        assert!(from_to(&[1.0; 6]).is_none());
    }
}
