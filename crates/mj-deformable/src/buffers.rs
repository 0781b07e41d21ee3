//! Results: positions of vertices, lengths of edges.

use crate::lines::{Frames, Sections};
use crate::plan::FlexPlan;
use mj_math::DVec3;
use mj_math::block::BlockRows;
use mj_model::{Column, Field, FlexEdgeId, IdVec, Model};

/// Places of vertices and lengths of edges, for all flexes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Flexes {
    /// Positions of vertices, world frame, nflexvert.
    pub vert_xpos: Vec<DVec3>,
    /// Boxes of elements along the world's axes: centre and half sizes, nflexelem.
    pub elem_aabb: Vec<[f64; 6]>,
    /// Sections of rods that collide as boxes.
    pub sections: Sections,
    /// Lengths of edges.
    pub edge_length: IdVec<FlexEdgeId, f64>,
    /// Derivatives of the edges' lengths by the motion of dofs, nflexedge×nv.
    pub edge_J: BlockRows,
    /// Velocities of the edges' lengths.
    pub edge_velocity: IdVec<FlexEdgeId, f64>,
    /// Positions of the nodes of interpolated flexes, world frame, nflexnode.
    pub node_xpos: Vec<DVec3>,
    /// Velocities of nodes, and forces on them: of elasticity, and of the same stiffness on velocities; world frame, nflexnode.
    pub(crate) node_velocity: Vec<DVec3>,
    pub(crate) node_spring: Vec<DVec3>,
    pub(crate) node_rate: Vec<DVec3>,
    /// Forces of springs and dampers, nv.
    pub(crate) spring: Vec<f64>,
    pub(crate) damper: Vec<f64>,
    /// Forces of elements and hinges on the vertices, and their velocities, nflexvert.
    pub(crate) vert_spring: Vec<DVec3>,
    pub(crate) vert_damper: Vec<DVec3>,
    pub(crate) vert_velocity: Vec<DVec3>,
    /// Places of the vertices of plastic flexes at the start of a time step, and their motions at unit velocity of each dof
    /// that moves them.
    pub(crate) start_xpos: Vec<DVec3>,
    pub(crate) start_motion: Vec<DVec3>,
    /// Frames of the edges of rods.
    pub(crate) rods: Frames,
}

impl Flexes {
    /// Makes buffers for a model.
    pub fn new(m: &Model, plan: &FlexPlan) -> Self {
        let nedge = m.flexedge.len();
        let on_vertices = || vec![DVec3::ZERO; m.flex_data.vertbodyid.len()];
        let nodes = vec![DVec3::ZERO; m.flex_data.nodebodyid.len()];
        Self {
            vert_xpos: on_vertices(),
            elem_aabb: vec![[0.0; 6]; m.flex_data.elemlayer.len()],
            sections: Sections::new(m),
            edge_length: IdVec::filled(nedge, 0.0),
            edge_J: plan.edge_J.clone(),
            edge_velocity: IdVec::filled(nedge, 0.0),
            node_velocity: nodes.clone(),
            node_spring: nodes.clone(),
            node_rate: nodes.clone(),
            node_xpos: nodes,
            spring: vec![0.0; m.nv()],
            damper: vec![0.0; m.nv()],
            vert_spring: on_vertices(),
            vert_damper: on_vertices(),
            vert_velocity: on_vertices(),
            start_xpos: Vec::new(),
            start_motion: Vec::new(),
            rods: Frames::new(&plan.rods),
        }
    }

    /// Calls `f` with every field that the reference has, under its name.
    pub fn visit(&self, f: &mut dyn FnMut(Field)) {
        let mut reals = |name: &str, shape: Vec<usize>, data: Vec<f64>| {
            f(Field { name: name.to_string(), shape, data: Column::F64(data) });
        };
        let vertices = self.vert_xpos.iter().flat_map(|p| p.to_array()).collect();
        reals("flexvert_xpos", vec![self.vert_xpos.len(), 3], vertices);
        reals("flexelem_aabb", vec![self.elem_aabb.len(), 6], self.elem_aabb.as_flattened().to_vec());
        let n = self.edge_length.len();
        reals("flexedge_length", vec![n], self.edge_length.as_slice().to_vec());
        reals("flexedge_velocity", vec![n], self.edge_velocity.as_slice().to_vec());
        reals("flexedge_J", vec![self.edge_J.all_values().len()], self.edge_J.all_values().to_vec());
    }
}
