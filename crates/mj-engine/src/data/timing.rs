//! Time spent stage by stage, measured only when asked for.

use std::time::{Duration, Instant};

/// A stage of the pipeline, as `mj bench` reports them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(usize)]
pub enum StageTimer {
    /// Kinematics, centre-of-mass frames, tendons, transmission.
    Kinematics,
    /// Joint-space inertia and its factor.
    Inertia,
    /// Contacts.
    Collision,
    /// Constraint rows and their reference.
    Constraint,
    /// Velocities, bias and passive forces.
    Velocity,
    /// Actuation and the unconstrained acceleration.
    Actuation,
    /// Constraint solver.
    Solver,
    /// Sensors.
    Sensor,
    /// Integrator.
    Integrate,
    /// Everything else.
    Other,
}

impl StageTimer {
    /// Names, in order.
    pub const NAMES: [&'static str; 10] = [
        "kinematics",
        "inertia",
        "collision",
        "constraint",
        "velocity",
        "actuation",
        "solver",
        "sensor",
        "integrate",
        "other",
    ];
}

/// Time spent in each stage since timing was switched on.
#[derive(Clone, Debug, Default)]
pub struct Timing {
    /// Total of each stage, in the order of [`StageTimer::NAMES`].
    pub total: [Duration; 10],
    /// Count of measurements of each.
    pub count: [u64; 10],
    last: Option<Instant>,
}

impl Timing {
    /// Switches timing on and forgets what was measured.
    pub fn start(&mut self) {
        *self = Self { last: Some(Instant::now()), ..Self::default() };
    }

    /// Leaves out the time since the last stage, where timing is on.
    pub fn resume(&mut self) {
        self.last = self.last.map(|_| Instant::now());
    }

    /// Switches timing off.
    pub fn stop(&mut self) {
        self.last = None;
    }

    /// Adds the time since the last lap to a stage.
    #[inline]
    pub(crate) fn lap(&mut self, stage: StageTimer) {
        if let Some(last) = self.last {
            let now = Instant::now();
            self.total[stage as usize] += now - last;
            self.count[stage as usize] += 1;
            self.last = Some(now);
        }
    }
}
