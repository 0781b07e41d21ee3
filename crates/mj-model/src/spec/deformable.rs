//! Flexes, and flexcomps that they are made from.

use super::FileBytes;
use super::orientation::Orientation;
use super::plugin::Plugin;
use super::values::{RGBA, SOLIMP, SOLREF};
use crate::diag::Loc;
use crate::enums::*;
use mj_math::DVec3;

/// A flex: vertices that move with bodies, joined by elements.
#[derive(Clone, Debug, PartialEq)]
pub struct Flex {
    /// Name.
    pub name: String,
    /// Group.
    pub group: i32,
    /// Dimension of the elements: 1 lines, 2 triangles, 3 tetrahedra.
    pub dim: i32,
    /// Radius around vertices, lines and faces.
    pub radius: f64,
    /// Materials of the elements; one stands for all.
    pub material: Vec<String>,
    /// Colour.
    pub rgba: [f32; 4],
    /// Whether it is drawn with flat shading.
    pub flatskin: bool,
    /// Bodies of the vertices; one stands for all.
    pub body: Vec<String>,
    /// Coordinates of the vertices in their bodies.
    pub vertex: Vec<f64>,
    /// Vertices of the elements.
    pub element: Vec<i32>,
    /// Texture coordinates.
    pub texcoord: Vec<f32>,
    /// Texture coordinates of the elements' vertices.
    pub elemtexcoord: Vec<i32>,
    /// Bodies of the nodes.
    pub node: Vec<String>,
    /// Coordinates of the nodes in their bodies.
    pub nodecoord: Vec<f64>,
    /// Cells of the grid of nodes.
    pub cellcount: [i32; 3],
    /// Degrees of freedom of the nodes' interpolation.
    pub dof: Option<FlexDof>,
    /// Contact.
    pub contact: FlexContact,
    /// Edges.
    pub edge: FlexEdge,
    /// Elasticity.
    pub elasticity: Elasticity,
    /// Place in the source.
    pub loc: Loc,
}

impl Default for Flex {
    fn default() -> Self {
        Self {
            name: String::new(),
            group: 0,
            dim: 2,
            radius: 0.005,
            material: Vec::new(),
            rgba: RGBA,
            flatskin: false,
            body: Vec::new(),
            vertex: Vec::new(),
            element: Vec::new(),
            texcoord: Vec::new(),
            elemtexcoord: Vec::new(),
            node: Vec::new(),
            nodecoord: Vec::new(),
            cellcount: [1; 3],
            dof: None,
            contact: FlexContact::default(),
            edge: FlexEdge::default(),
            elasticity: Elasticity::default(),
            loc: Loc::NONE,
        }
    }
}

/// How a flex takes part in contacts.
#[derive(Clone, Debug, PartialEq)]
pub struct FlexContact {
    /// Contact type.
    pub contype: i32,
    /// Contact affinity.
    pub conaffinity: i32,
    /// Contact dimensionality.
    pub condim: i32,
    /// Priority.
    pub priority: i32,
    /// Friction: slide, spin, roll.
    pub friction: [f64; 3],
    /// Mixing weight.
    pub solmix: f64,
    /// Contact solref.
    pub solref: [f64; 2],
    /// Contact solimp.
    pub solimp: [f64; 5],
    /// Geometric inflation.
    pub margin: f64,
    /// Additional detection distance.
    pub gap: f64,
    /// How elements of the flex are found that touch each other.
    pub selfcollide: FlexSelf,
    /// Layers of elements, from outside, that collide.
    pub activelayers: i32,
    /// Whether contacts act by springs and dampers instead of constraints.
    pub passive: bool,
}

impl Default for FlexContact {
    fn default() -> Self {
        Self {
            contype: 1,
            conaffinity: 1,
            condim: 3,
            priority: 0,
            friction: [1.0, 0.005, 0.0001],
            solmix: 1.0,
            solref: SOLREF,
            solimp: SOLIMP,
            margin: 0.0,
            gap: 0.0,
            selfcollide: FlexSelf::Auto,
            activelayers: 1,
            passive: false,
        }
    }
}

/// Edges of a flex. The equality constraint and its softness are those of a [`Flexcomp`].
#[derive(Clone, Debug, PartialEq)]
pub struct FlexEdge {
    /// Stiffness.
    pub stiffness: f64,
    /// Damping.
    pub damping: f64,
    /// Quantity that is held constant.
    pub equality: FlexEquality,
    /// The constraint's solref.
    pub solref: [f64; 2],
    /// The constraint's solimp.
    pub solimp: [f64; 5],
}

impl Default for FlexEdge {
    fn default() -> Self {
        Self { stiffness: 0.0, damping: 0.0, equality: FlexEquality::False, solref: SOLREF, solimp: SOLIMP }
    }
}

/// Elasticity of a flex's elements.
#[derive(Clone, Debug, PartialEq)]
pub struct Elasticity {
    /// Young's modulus.
    pub young: f64,
    /// Poisson's ratio.
    pub poisson: f64,
    /// Shear modulus.
    pub shear: f64,
    /// Damping.
    pub damping: f64,
    /// Thickness of a shell; −1: twice the radius.
    pub thickness: f64,
    /// Yield thresholds; one stands for both.
    pub yields: Vec<f64>,
    /// Elastic deformations of a shell.
    pub elastic2d: Elastic2d,
    /// Material of tetrahedra. MJCF has no attribute for it, so a spec with another material than the first can't be saved
    /// as text.
    pub elastic3d: Elastic3d,
    /// Cross section of lines.
    pub section: Section,
    /// Sizes of the cross section.
    pub sectionsize: [f64; 2],
}

impl Default for Elasticity {
    fn default() -> Self {
        Self {
            young: 0.0,
            poisson: 0.0,
            shear: 0.0,
            damping: 0.0,
            thickness: -1.0,
            yields: Vec::new(),
            elastic2d: Elastic2d::None,
            elastic3d: Elastic3d::SaintVenantKirchhoff,
            section: Section::Circle,
            sectionsize: [0.0; 2],
        }
    }
}

/// Elements that stand in the text before a flexcomp, so that what it is made into comes after them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct After {
    /// Bodies of its parent.
    pub bodies: usize,
    /// Flexes.
    pub flexes: usize,
    /// Equality constraints.
    pub equalities: usize,
}

/// A flex that is made, with its bodies, from a few numbers or a file.
#[derive(Clone, Debug, PartialEq)]
pub struct Flexcomp {
    /// Name.
    pub name: String,
    /// Frame that it is in.
    pub frame: Option<usize>,
    /// Shape or source that it is made from.
    pub r#type: FlexcompType,
    /// Group.
    pub group: i32,
    /// Dimension of the elements.
    pub dim: i32,
    /// Degrees of freedom.
    pub dof: FlexDof,
    /// Points along each axis.
    pub count: [i32; 3],
    /// Cells of the grid of nodes.
    pub cellcount: [i32; 3],
    /// Distance of the points along each axis.
    pub spacing: [f64; 3],
    /// Radius.
    pub radius: f64,
    /// Whether all points belong to the parent body.
    pub rigid: bool,
    /// Mass of all points together.
    pub mass: f64,
    /// Half the size of the boxes whose inertia the points' bodies have.
    pub inertiabox: f64,
    /// Scale of the points.
    pub scale: [f64; 3],
    /// File of points.
    pub file: String,
    /// The file's contents.
    pub contents: FileBytes,
    /// Mesh of points.
    pub mesh: String,
    /// Points given here.
    pub point: Vec<f64>,
    /// Points of the elements.
    pub element: Vec<i32>,
    /// Texture coordinates.
    pub texcoord: Vec<f32>,
    /// Materials of the elements; one stands for all.
    pub material: Vec<String>,
    /// Colour.
    pub rgba: [f32; 4],
    /// Whether it is drawn with flat shading.
    pub flatskin: bool,
    /// Position of the points.
    pub pos: DVec3,
    /// Orientation of the points.
    pub orientation: Orientation,
    /// Origin of the tetrahedra that a surface is filled with.
    pub origin: [f64; 3],
    /// Edges.
    pub edge: FlexEdge,
    /// Elasticity.
    pub elasticity: Elasticity,
    /// Contact.
    pub contact: FlexContact,
    /// Points that are fixed to the parent.
    pub pins: Vec<Pin>,
    /// Plugin.
    pub plugin: Option<Plugin>,
    /// Elements before it.
    pub after: After,
    /// Place in the source.
    pub loc: Loc,
}

impl Default for Flexcomp {
    fn default() -> Self {
        Self {
            name: String::new(),
            frame: None,
            r#type: FlexcompType::Grid,
            group: 0,
            dim: 2,
            dof: FlexDof::Full,
            count: [10; 3],
            cellcount: [1; 3],
            spacing: [0.02; 3],
            radius: 0.005,
            rigid: false,
            mass: 1.0,
            inertiabox: 0.005,
            scale: [1.0; 3],
            file: String::new(),
            contents: FileBytes::default(),
            mesh: String::new(),
            point: Vec::new(),
            element: Vec::new(),
            texcoord: Vec::new(),
            material: Vec::new(),
            rgba: RGBA,
            flatskin: false,
            pos: DVec3::ZERO,
            orientation: Orientation::Identity,
            origin: [0.0; 3],
            edge: FlexEdge::default(),
            elasticity: Elasticity::default(),
            contact: FlexContact::default(),
            pins: Vec::new(),
            plugin: None,
            after: After::default(),
            loc: Loc::NONE,
        }
    }
}

/// Points of a flexcomp that are fixed to the parent, by number or place in the grid.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Pin {
    /// Points.
    pub id: Vec<i32>,
    /// First and last points of ranges.
    pub range: Vec<i32>,
    /// Places in the grid.
    pub grid: Vec<i32>,
    /// Opposite corners of parts of the grid.
    pub gridrange: Vec<i32>,
}
