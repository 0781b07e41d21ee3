//! A model as flat lists of operations that every world does alike.

mod build;
mod coverage;
mod rows;

pub use coverage::{Coverage, Reason};
pub use rows::{RowKind, RowTemplate};

/// An operation on poses. Each depends on the operations before it alone.
#[derive(Clone, Debug)]
pub enum PoseOp {
    /// Puts body `body` at a fixed place in its parent.
    Offset {
        /// Body.
        body: usize,
        /// Its parent.
        parent: usize,
        /// Position in the parent.
        pos: [f64; 3],
        /// Orientation in the parent, w first.
        quat: [f64; 4],
    },
    /// Puts a body where a free joint says.
    Free {
        /// Body.
        body: usize,
        /// First coordinate.
        q: usize,
        /// Joint.
        joint: usize,
    },
    /// Moves a body along an axis.
    Slide {
        /// Body.
        body: usize,
        /// Coordinate.
        q: usize,
        /// Its value at zero displacement.
        q0: f64,
        /// Joint.
        joint: usize,
        /// Axis in the body.
        axis: [f64; 3],
        /// Anchor in the body.
        pos: [f64; 3],
    },
    /// Turns a body about an axis.
    Hinge {
        /// Body.
        body: usize,
        /// Coordinate.
        q: usize,
        /// Its value at zero displacement.
        q0: f64,
        /// Joint.
        joint: usize,
        /// Axis in the body.
        axis: [f64; 3],
        /// Anchor in the body.
        pos: [f64; 3],
    },
    /// Turns a body by a quaternion.
    Ball {
        /// Body.
        body: usize,
        /// First coordinate.
        q: usize,
        /// Joint.
        joint: usize,
        /// Anchor in the body.
        pos: [f64; 3],
    },
    /// Makes the matrix of a body.
    Finish {
        /// Body.
        body: usize,
        /// Centre of mass in the body.
        ipos: [f64; 3],
    },
}

/// Parameters of one body with a mass.
#[derive(Clone, Debug)]
pub struct Body {
    /// Number of the body.
    pub id: usize,
    /// Its parent.
    pub parent: usize,
    /// Place of its root among [`Plan::roots`].
    pub root: usize,
    /// Mass.
    pub mass: f64,
    /// Rotational inertia about the centre of mass in the body's axes: xx, yy, zz, xy, xz, yz.
    pub inertia: [f64; 6],
    /// First dof and number of dofs.
    pub dofs: (usize, usize),
}

/// Kind of a joint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Motion {
    /// Three translations and three rotations.
    Free,
    /// Three rotations.
    Ball,
    /// One translation.
    Slide,
    /// One rotation.
    Hinge,
}

/// A joint.
#[derive(Clone, Copy, Debug)]
pub struct Joint {
    /// Kind.
    pub motion: Motion,
    /// Body.
    pub body: usize,
    /// Place of its root.
    pub root: usize,
    /// First coordinate.
    pub q: usize,
    /// First dof.
    pub dof: usize,
    /// Stiffness of its spring.
    pub stiffness: f64,
    /// Coordinate at which the spring rests.
    pub rest: f64,
}

/// An actuator on a hinge or slider: force = (gain · (1, length, velocity)) · control + bias · (1, length, velocity).
#[derive(Clone, Copy, Debug)]
pub struct Actuator {
    /// Control.
    pub ctrl: usize,
    /// Coordinate.
    pub q: usize,
    /// Dof.
    pub dof: usize,
    /// Scale of length and force.
    pub gear: f64,
    /// Gain by 1, length and velocity.
    pub gain: [f64; 3],
    /// Bias by 1, length and velocity.
    pub bias: [f64; 3],
    /// Limits of the control; infinite where there are none.
    pub ctrlrange: [f64; 2],
    /// Limits of the force.
    pub forcerange: [f64; 2],
}

/// A tendon that is a sum of coordinates, with a spring and a damper.
#[derive(Clone, Debug)]
pub struct Tendon {
    /// Coordinate, dof and coefficient of each joint.
    pub joints: Vec<(usize, usize, f64)>,
    /// Stiffness.
    pub stiffness: f64,
    /// Damping.
    pub damping: f64,
    /// Lengths between which the spring rests.
    pub rest: [f64; 2],
}

/// One elimination of the factorization: row `row` with pivot `row` is taken out of the rows of its ancestors.
#[derive(Clone, Copy, Debug)]
pub struct Elimination {
    /// Row.
    pub row: usize,
    /// First entry and number of entries off the diagonal.
    pub entries: (usize, usize),
}

/// Lists of operations of one model. It holds parameters too: a spike needs no edits.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Number of coordinates.
    pub nq: usize,
    /// Number of dofs.
    pub nv: usize,
    /// Number of controls.
    pub nu: usize,
    /// Number of bodies.
    pub nbody: usize,
    /// Number of joints.
    pub njnt: usize,
    /// Time step.
    pub timestep: f64,
    /// Acceleration of the world's frame against gravity.
    pub upward: [f64; 3],
    /// Operations on poses.
    pub poses: Vec<PoseOp>,
    /// Bodies but the world, parents first.
    pub bodies: Vec<Body>,
    /// Bodies of each level of the trees, places in `bodies`; no body of a level depends on another.
    pub levels: Vec<Vec<usize>>,
    /// Inverse mass of each subtree under the world.
    pub roots: Vec<f64>,
    /// Joints.
    pub joints: Vec<Joint>,
    /// Body, armature and damping of each dof.
    pub dofs: Vec<(usize, f64, f64)>,
    /// First entry of each row of M, nv + 1: ancestors in ascending order, then the diagonal.
    pub rowadr: Vec<usize>,
    /// Column of each entry of M.
    pub colind: Vec<usize>,
    /// Eliminations of the factorization, from the leaves.
    pub eliminations: Vec<Elimination>,
    /// For each entry off the diagonal of M, in order: the first entry of its ancestor's row, and the number of entries to update.
    pub targets: Vec<(usize, usize)>,
    /// Actuators.
    pub actuators: Vec<Actuator>,
    /// Tendons with forces.
    pub tendons: Vec<Tendon>,
    /// Whether velocity takes damping at the end of the step.
    pub implicit_damping: bool,
    /// Rows that a state may have, but for those of contacts.
    pub rows: Vec<RowTemplate>,
    /// Number of pairs of geoms that may touch, an upper bound.
    pub pairs: usize,
}
