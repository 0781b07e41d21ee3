//! Tables of flexes: vertices that move with bodies, joined by elements.

use crate::enums::FlexSelf;
use crate::ids::*;
use mj_math::DVec3;

table! {
    /// Flexes. Ids of vertices, edges and elements in [`FlexData`] count from the first of their flex, unless they say otherwise.
    FlexTable / FlexRow [FlexId] "flex" {
        /// Contact type.
        contype: i32,
        /// Contact affinity.
        conaffinity: i32,
        /// Contact dimensionality.
        condim: i32,
        /// Contact priority.
        priority: i32,
        /// Weight in mixing contact parameters.
        solmix: f64,
        /// Contact solref.
        solref: [f64; 2],
        /// Contact solimp.
        solimp: [f64; 5],
        /// Friction: slide, spin, roll.
        friction: [f64; 3],
        /// Geometric inflation for contact.
        margin: f64,
        /// Additional detection distance.
        gap: f64,
        /// How elements are found that touch each other.
        selfcollide: FlexSelf,
        /// Layers of tetrahedra, from outside, that collide.
        activelayers: i32,
        /// Whether contacts act as passive forces.
        @structure passive: i32,
        /// Dimension of the elements: 1 lines, 2 triangles, 3 tetrahedra.
        @structure dim: u32,
        /// Visibility group.
        group: i32,
        /// Order of interpolation; 0: vertices are bodies' points; negative: nodes of the grid's outer faces alone.
        @structure interp: i32,
        /// Cells of the grid of nodes along each axis.
        @structure cellnum: [i32; 3],
        /// First node.
        @structure nodeadr: u32,
        /// Number of nodes.
        @structure nodenum: u32,
        /// First vertex.
        @structure vertadr: u32,
        /// Number of vertices.
        @structure vertnum: u32,
        /// First edge.
        @structure edgeadr: u32,
        /// Number of edges.
        @structure edgenum: u32,
        /// First element.
        @structure elemadr: u32,
        /// Number of elements.
        @structure elemnum: u32,
        /// First entry in `elem`.
        @structure elemdataadr: u32,
        /// First entry in `stiffness`; −1: none.
        @structure stiffnessadr: i32,
        /// First entry in `elemedge`.
        @structure elemedgeadr: u32,
        /// First entry in `bending`; −1: none.
        @structure bendingadr: i32,
        /// First number of the plastic state; −1: none.
        @structure plasticadr: i32,
        /// Deformations that are plastic, bits: 1 bending, 2 stretching.
        @structure plasticmode: i32,
        /// Number of shell fragments.
        @structure shellnum: u32,
        /// First entry in `shell`; −1: none.
        @structure shelldataadr: i32,
        /// First texture coordinates; −1: none.
        @structure texcoordadr: i32,
        /// First node of the tree of boxes over its elements.
        @structure bvhadr: u32,
        /// Number of nodes.
        @structure bvhnum: u32,
        /// Radius around elements.
        radius: f64,
        /// Half sizes of the vertices' bounding box at qpos0.
        @derived size: DVec3,
        /// Rayleigh damping coefficient, time.
        damping: f64,
        /// Yield strains: stretching, bending; 0: elastic.
        r#yield: [f64; 2],
        /// Stiffness of edges.
        edgestiffness: f64,
        /// Damping of edges.
        edgedamping: f64,
        /// Quantity that equality constraints hold: 0 none, 1 lengths of edges, 3 strain.
        @structure edgeequality: i32,
        /// Whether all vertices are points of one body.
        @structure rigid: bool,
        /// Whether all vertices, or nodes, are at the origins of their bodies.
        @structure centered: bool,
        /// Whether its surface is drawn with flat shading.
        flatskin: bool,
        /// Colour where there is no material.
        rgba: [f32; 4],
    }
}

table! {
    /// Edges of all flexes.
    FlexEdgeTable / FlexEdgeRow [FlexEdgeId] "flexedge" {
        /// Length at qpos0.
        @derived length0: f64,
        /// Inverse weight at qpos0.
        @derived invweight0: f64,
        /// Whether both ends are points of one body.
        @structure rigid: bool,
    }
}

/// Vertices, nodes, edges and elements of all flexes: what is structure, or derived from the reference configuration.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FlexData {
    /// Bodies of nodes, nflexnode.
    pub nodebodyid: Vec<BodyId>,
    /// Bodies of vertices; none in interpolated flexes, nflexvert.
    pub vertbodyid: Vec<Option<BodyId>>,
    /// Cells of the grid that vertices are in; −1: none, nflexvert.
    pub vertcell: Vec<i32>,
    /// Ends of edges, nflexedge.
    pub edge: Vec<[i32; 2]>,
    /// Vertices across an edge in its triangles; −1: none, nflexedge.
    pub edgeflap: Vec<[i32; 2]>,
    /// Vertices of elements, dim + 1 each.
    pub elem: Vec<i32>,
    /// Texture coordinates of elements' vertices, dim + 1 each.
    pub elemtexcoord: Vec<i32>,
    /// Edges of elements.
    pub elemedge: Vec<i32>,
    /// Layers of elements, from outside, nflexelem.
    pub elemlayer: Vec<i32>,
    /// Materials of elements, nflexelem.
    pub matid: Vec<Option<MaterialId>>,
    /// Vertices of shell fragments, dim each.
    pub shell: Vec<i32>,
    /// Vertices at qpos0 in the flex's bounding box, which is 0 to 1 along each axis, nflexvert.
    pub vert0: Vec<DVec3>,
    /// Nodes at qpos0 along the axes of the grid, nflexnode.
    pub node0: Vec<DVec3>,
    /// Nodes of trees of boxes over the elements, the root of each flex first: children, −1 in a leaf.
    pub bvh_child: Vec<[i32; 2]>,
    /// Elements of the trees' leaves; −1 in other nodes.
    pub bvh_nodeid: Vec<i32>,
    /// Texture coordinates, nflextexcoord.
    pub texcoord: Vec<[f32; 2]>,
    /// Numbers of nonzeros in the rows of the edges' Jacobian, nflexedge.
    pub j_rownnz: Vec<u32>,
    /// First nonzeros of the rows, nflexedge.
    pub j_rowadr: Vec<u32>,
    /// Columns of nonzeros.
    pub j_colind: Vec<u32>,
}

/// Shapes and stiffnesses of all flexes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FlexShape {
    /// Vertices in their bodies, nflexvert.
    pub vert: Vec<DVec3>,
    /// Nodes in their bodies, nflexnode.
    pub node: Vec<DVec3>,
    /// Stiffnesses of elements.
    pub stiffness: Vec<f64>,
    /// Bending stiffnesses.
    pub bending: Vec<f64>,
}
