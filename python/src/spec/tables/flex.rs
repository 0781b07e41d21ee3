//! Fields of flexes and plugins.

use super::{Form, Kind, PluginMore, fields, kinds};
use mj_model::spec::*;
use mj_model::{Elastic2d, Elastic3d, FlexDof};

/// Parts of a flex that the engine's spec has no place for, and lists that the engine's spec keeps as text.
#[derive(Clone, Debug, Default)]
pub struct FlexMore {
    /// Half sizes of the box around the vertices.
    pub size: [f64; 3],
    /// Whether contacts act by springs and dampers.
    pub passive: i32,
    /// Yield thresholds.
    pub stressyield: [f64; 2],
    /// Elasticity of a shell: bending, stretching or both.
    pub elastic2d: i32,
    /// Material of solids.
    pub elastic3d: i32,
    /// Order of interpolation.
    pub order: i32,
}

/// A flex.
pub type FlexForm = Form<Flex, FlexMore>;
/// A plugin's instance.
pub type PluginForm = Form<PluginMore>;

impl FlexForm {
    /// Makes a form of a flex.
    pub fn of(e: Flex) -> Self {
        let yields = &e.elasticity.yields;
        let first = yields.first().copied().unwrap_or_default();
        let more = FlexMore {
            passive: i32::from(e.contact.passive),
            stressyield: [first, yields.get(1).copied().unwrap_or(first)],
            elastic2d: e.elasticity.elastic2d.code(),
            elastic3d: e.elasticity.elastic3d.code(),
            order: match e.dof {
                Some(FlexDof::Trilinear) => 1,
                Some(FlexDof::Quadratic) => 2,
                _ => 0,
            },
            ..FlexMore::default()
        };
        Self { e, more, info: String::new() }
    }

    /// Checks the parts that the engine's spec has no place for.
    ///
    /// # Errors
    /// If one of them is no value of its field.
    pub fn check(&self) -> Result<(), String> {
        let wrong = |problem: String| Err(format!("flex `{}`: {problem}", self.e.name));
        match &self.more {
            m if Elastic3d::from_code(m.elastic3d).is_none() => wrong(format!(
                "`elastic3d` is {}, which is none of 0 (Saint-Venant and Kirchhoff), 1 (neo-Hookean)",
                m.elastic3d
            )),
            m if !(0..=2).contains(&m.order) => wrong(format!("`order` is {}, which is none of 0, 1, 2", m.order)),
            m if Elastic2d::from_code(m.elastic2d).is_none() => {
                wrong(format!("`elastic2d` is {}, which is none of 0, 1, 2, 3", m.elastic2d))
            }
            _ => Ok(()),
        }
    }

    /// Returns the flex.
    pub fn build(&self) -> Flex {
        let (more, mut e) = (&self.more, self.e.clone());
        e.contact.passive = more.passive != 0;
        e.elasticity.yields = if more.stressyield == [0.0; 2] { Vec::new() } else { more.stressyield.to_vec() };
        e.dof = match more.order {
            1 => Some(FlexDof::Trilinear),
            2 => Some(FlexDof::Quadratic),
            _ => e.dof.filter(|d| !matches!(d, FlexDof::Trilinear | FlexDof::Quadratic)),
        };
        e.elasticity.elastic2d = Elastic2d::from_code(more.elastic2d).unwrap_or_default();
        if let Some(material) = Elastic3d::from_code(more.elastic3d) {
            e.elasticity.elastic3d = material;
        }
        e
    }
}

impl Kind for PluginForm {
    const FIELDS: &'static [super::Field<Self>] = fields!(PluginForm {
        "name" e.name;
        "plugin_name" e.plugin_name;
        "active" e.active;
        "info" e.info;
        "config" e.config;
    });
    fn name(&mut self) -> Option<&mut String> {
        Some(&mut self.e.name)
    }
}

kinds! {
    FlexForm {
        "name" e.name;
        "contype" e.contact.contype;
        "conaffinity" e.contact.conaffinity;
        "condim" e.contact.condim;
        "priority" e.contact.priority;
        "friction" e.contact.friction;
        "solmix" e.contact.solmix;
        "solref" e.contact.solref;
        "solimp" e.contact.solimp;
        "margin" e.contact.margin;
        "gap" e.contact.gap;
        "dim" e.dim;
        "radius" e.radius;
        "size" more.size;
        "flatskin" e.flatskin;
        "selfcollide" e.contact.selfcollide;
        "passive" more.passive;
        "activelayers" e.contact.activelayers;
        "group" e.group;
        "edgestiffness" e.edge.stiffness;
        "edgedamping" e.edge.damping;
        "rgba" e.rgba;
        "material" e.material;
        "young" e.elasticity.young;
        "poisson" e.elasticity.poisson;
        "shear" e.elasticity.shear;
        "damping" e.elasticity.damping;
        "thickness" e.elasticity.thickness;
        "stressyield" more.stressyield;
        "elastic2d" more.elastic2d;
        "elastic3d" more.elastic3d;
        "section" e.elasticity.section;
        "sectionsize" e.elasticity.sectionsize;
        "cellcount" e.cellcount;
        "order" more.order;
        "nodebody" e.node;
        "vertbody" e.body;
        "node" e.nodecoord;
        "vert" e.vertex;
        "elem" e.element;
        "texcoord" e.texcoord;
        "elemtexcoord" e.elemtexcoord;
        "info" info;
    }
}
