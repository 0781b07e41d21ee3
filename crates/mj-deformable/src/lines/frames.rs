//! Results: frames of the edges of rods.

use super::plan::Rod;
use mj_math::DVec3;
use mj_model::FlexId;
use std::sync::Arc;

/// An edge of a rod whose edges have twist angles, world frame.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RodEdge {
    /// Tangent.
    pub tangent: DVec3,
    /// First axis of the reference frame.
    pub normal: DVec3,
    /// Axes of the section: about the first one it bends easiest.
    pub axes: [DVec3; 2],
    /// Derivative of the reference frame's turn about the tangent by the edge.
    pub(crate) spin: DVec3,
}

/// A vertex between two such edges.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Between {
    /// Angle between the reference frames of its edges.
    pub reference_twist: f64,
    /// Twist: the angle between the material frames.
    pub twist: f64,
    /// Curvatures at qpos0 about the axes of the section.
    pub rest: [f64; 2],
}

/// Frames of all rods whose edges have twist angles, one rod after the other.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Frames {
    /// Their structure, of all flexes.
    pub structure: Arc<[Option<Rod>]>,
    pub edges: Vec<RodEdge>,
    pub between: Vec<Between>,
    /// Vertices at qpos0.
    pub rest_xpos: Vec<DVec3>,
    /// Tangent, normal and reference twist at the start of a time step, in the layout of the plastic state.
    pub start: Vec<f64>,
    /// Moments about the edges.
    pub spring: Vec<f64>,
    pub damper: Vec<f64>,
}

impl Frames {
    pub fn new(structure: &Arc<[Option<Rod>]>) -> Self {
        let chains = || structure.iter().flatten().filter_map(|r| r.chain.as_ref());
        let edges: usize = chains().map(|c| c.twist.len()).sum();
        let between: usize = chains().map(|c| c.twist.len() - 1).sum();
        let longest = chains().map(|c| c.vertices.len()).max().unwrap_or(0);
        Self {
            structure: structure.clone(),
            edges: vec![RodEdge::default(); edges],
            between: vec![Between::default(); between],
            rest_xpos: vec![DVec3::ZERO; longest],
            start: vec![0.0; 6 * edges + between],
            spring: vec![0.0; edges],
            damper: vec![0.0; edges],
        }
    }

    /// First edge of a flex among those of all rods.
    pub fn first_edge(&self, f: FlexId) -> usize {
        self.structure.iter().take(f.index()).flatten().filter_map(|r| r.chain.as_ref()).map(|c| c.twist.len()).sum()
    }
}
