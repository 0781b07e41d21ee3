//! The compiled model.

use super::assets::*;
use super::deformable::*;
use super::elements::*;
use super::kinematic::*;
use super::plugins::*;
use super::structure::Structure;
use super::visual::*;
use crate::enums::{GainType, GeomType, JointType, ObjType, plastic};
use crate::ids::*;
use crate::names::Names;
use crate::options::{Options, Statistics};
use crate::storage::{Binary, Fixed, Shared};
use crate::visual::{TextureFiles, Visual};
use mj_math::TreePattern;

/// A compiled model (`mjModel`): structure and assets, which copies share, and tables of parameters. Copying one copies
/// the parameters alone.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Model {
    /// The model's name.
    pub modelname: String,
    /// Physics options.
    pub opt: Options,
    /// Visual options: kept, not used.
    pub vis: Visual,
    /// Statistics at `qpos0`.
    pub stat: Statistics,
    /// Names of all elements.
    pub names: Fixed<Names>,

    /// Number of activation states.
    pub na: usize,
    /// Number of mocap bodies.
    pub nmocap: usize,
    /// Number of user data.
    pub nuserdata: usize,
    /// Number of sensor data.
    pub nsensordata: usize,
    /// Size of the delay history.
    pub nhistory: usize,
    /// Size of the plastic state.
    pub nplastic: usize,
    /// Sizes of the user data of elements.
    pub nuser: UserSizes,
    /// User data of elements.
    pub user: UserData,

    /// Positions in the reference configuration, nq.
    pub qpos0: Vec<f64>,
    /// Positions at which springs rest, nq.
    pub qpos_spring: Vec<f64>,

    /// Bodies; row 0 is the world.
    pub body: BodyTable,
    /// Joints.
    pub jnt: JointTable,
    /// Degrees of freedom.
    pub dof: DofTable,
    /// Kinematic trees.
    pub tree: TreeTable,
    /// Geoms.
    pub geom: GeomTable,
    /// Sites.
    pub site: SiteTable,
    /// Cameras.
    pub cam: CameraTable,
    /// Lights.
    pub light: LightTable,
    /// Meshes.
    pub mesh: MeshTable,
    /// Vertices, faces and hulls of all meshes.
    pub mesh_data: Fixed<MeshData>,
    /// Height fields.
    pub hfield: HfieldTable,
    /// Elevations of all height fields, row by row, between 0 and 1.
    pub hfield_data: Shared<Vec<f32>>,
    /// Skins.
    pub skin: SkinTable,
    /// Bones of all skins (`skin_bone*`).
    pub bone: BoneTable,
    /// Vertices, faces and weights of all skins.
    pub skin_data: Shared<SkinData>,
    /// Flexes.
    pub flex: FlexTable,
    /// Edges of all flexes (`flexedge_*`).
    pub flexedge: FlexEdgeTable,
    /// Vertices, nodes, edges and elements of all flexes.
    pub flex_data: Fixed<FlexData>,
    /// Shapes and stiffnesses of all flexes.
    pub flex_shape: Shared<FlexShape>,
    /// Textures.
    pub tex: TextureTable,
    /// Materials.
    pub mat: MaterialTable,
    /// Explicit geom pairs.
    pub pair: PairTable,
    /// Excluded body pairs.
    pub exclude: ExcludeTable,
    /// Equality constraints.
    pub eq: EqualityTable,
    /// Tendons.
    pub tendon: TendonTable,
    /// Objects in tendon paths.
    pub wrap: WrapTable,
    /// Actuators.
    pub actuator: ActuatorTable,
    /// Control inputs of actuators (`actuator_ctrl*`).
    pub control: ControlTable,
    /// Force outputs of actuators (`actuator_gear`, …).
    pub output: OutputTable,
    /// Sensors.
    pub sensor: SensorTable,
    /// Custom numbers.
    pub numeric: NumericTable,
    /// Numbers of all custom numeric fields.
    pub numeric_data: Vec<f64>,
    /// Custom texts.
    pub text: TextTable,
    /// Characters of all custom texts, each 0-terminated.
    pub text_data: Vec<u8>,
    /// Custom tuples.
    pub tuple: TupleTable,
    /// Entries of all custom tuples.
    pub tuple_item: TupleItemTable,
    /// Instances of plugins.
    pub plugin: PluginTable,
    /// Types and settings of the instances of plugins.
    pub plugin_data: Fixed<PluginData>,
    /// Functions of the instances of plugins.
    pub plugin_functions: PluginFunctions,
    /// Keyframes.
    pub key: Keyframes,
    /// Pixels of all textures.
    pub tex_data: Shared<Vec<u8>>,
    /// File of each texture.
    pub tex_file: TextureFiles,

    /// Sparsity of the joint-space inertia.
    pub m_pattern: Fixed<TreePattern>,
    /// Signature of the structure, with what others derive from it.
    pub structure: Structure,
}

/// Sizes of the user data of elements (`nuser_*`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct UserSizes {
    /// Bodies.
    pub body: usize,
    /// Joints.
    pub jnt: usize,
    /// Geoms.
    pub geom: usize,
    /// Sites.
    pub site: usize,
    /// Cameras.
    pub cam: usize,
    /// Tendons.
    pub tendon: usize,
    /// Actuators.
    pub actuator: usize,
    /// Sensors.
    pub sensor: usize,
}

/// User data of elements (`*_user`): for each element as many numbers as [`UserSizes`] says.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct UserData {
    /// Bodies.
    pub body: Vec<f64>,
    /// Joints.
    pub jnt: Vec<f64>,
    /// Geoms.
    pub geom: Vec<f64>,
    /// Sites.
    pub site: Vec<f64>,
    /// Cameras.
    pub cam: Vec<f64>,
    /// Tendons.
    pub tendon: Vec<f64>,
    /// Actuators.
    pub actuator: Vec<f64>,
    /// Sensors.
    pub sensor: Vec<f64>,
}

/// Does something with every table of a model but the keyframes, in order.
macro_rules! for_each_table {
    ($model:ident, |$t:ident| $do:expr) => {
        for_each_table!(@ $model $t $do, & body jnt dof tree geom site cam light mesh hfield skin bone flex flexedge tex mat pair
            exclude eq tendon wrap actuator control output sensor numeric text tuple tuple_item plugin)
    };
    (mut $model:ident, |$t:ident| $do:expr) => {
        for_each_table!(@mut $model $t $do, body jnt dof tree geom site cam light mesh hfield skin bone flex flexedge tex mat pair
            exclude eq tendon wrap actuator control output sensor numeric text tuple tuple_item plugin)
    };
    (@ $model:ident $t:ident $do:expr, & $($table:ident)*) => {
        $({ let $t = &$model.$table; $do; })*
    };
    (@mut $model:ident $t:ident $do:expr, $($table:ident)*) => {
        $({ let $t = &mut $model.$table; $do; })*
    };
}
pub(super) use for_each_table;

impl Model {
    /// Number of position coordinates.
    #[inline]
    pub fn nq(&self) -> usize {
        self.qpos0.len()
    }
    /// Number of degrees of freedom.
    #[inline]
    pub fn nv(&self) -> usize {
        self.dof.len()
    }
    /// Number of controls.
    #[inline]
    pub fn nu(&self) -> usize {
        self.control.len()
    }
    /// Number of numbers of the state of plugins.
    #[inline]
    pub fn npluginstate(&self) -> usize {
        self.plugin.statenum.iter().map(|&n| n as usize).sum()
    }
    /// Number of actuator force outputs.
    #[inline]
    pub fn nout(&self) -> usize {
        self.output.len()
    }

    /// Writes what makes up the structure of the model: sizes, and the columns that are read-only.
    pub(crate) fn write_structure(&self, out: &mut Vec<u8>) {
        let sizes = [self.nq(), self.na, self.nmocap, self.nuserdata, self.nsensordata, self.nhistory, self.nplastic];
        let assets = [self.mesh_data.vert.len(), self.mesh_data.polyvert.len(), self.hfield_data.len()];
        let plugins = [self.npluginstate(), self.mesh_data.oct_depth.len()];
        for size in sizes.into_iter().chain(assets).chain([self.key.len()]).chain(plugins) {
            out.extend((size as u64).to_le_bytes());
        }
        for_each_table!(self, |t| t.write_structure(out));
        Binary::write(&*self.flex_data, out);
        out.extend(self.plugin_data.names.as_bytes());
        out.extend(&self.plugin_data.attr);
    }

    /// Returns whether the elements or the hinges of a flex resist deformation by elasticity. The stiffness of a flex whose
    /// strain is constrained is that of its constraints.
    pub fn flex_is_elastic(&self, f: FlexId) -> bool {
        if self.flex.interp[f] != 0 && self.flex.edgeequality[f] == 3 {
            return false;
        }
        let first = usize::try_from(self.flex.stiffnessadr[f]).ok().and_then(|at| self.flex_shape.stiffness.get(at));
        self.flex.bendingadr[f] >= 0 || first.is_some_and(|k| self.flex.interp[f] != 0 || *k != 0.0)
    }

    /// Returns whether contacts of a flex with other flexes, itself and what is fixed are penalty forces, not constraints.
    pub fn flex_is_passive(&self, f: FlexId) -> bool {
        self.flex.passive[f] != 0 && !self.flex.rigid[f] && self.flex.dim[f] >= 2
    }

    /// Returns how many numbers of the plastic state a flex has: for stretching three or six for each element, or for each
    /// cell or outer face of its grid, then for bending one for each edge.
    pub fn flex_plastic_count(&self, f: FlexId) -> usize {
        let t = &self.flex;
        if self.rod_twists(f) {
            // Tangent and normal of each edge, then the reference twist of each vertex between two.
            let vertices = self.rod_records(f).len();
            return 6 * (vertices + 1) + vertices;
        }
        let strain = if t.dim[f] == 2 || t.interp[f] < 0 { 3 } else { 6 };
        let [x, y, z] = t.cellnum[f].map(|n| usize::try_from(n).unwrap_or(0));
        let regions = match t.interp[f] {
            0 => t.elemnum[f] as usize,
            1.. => x * y * z,
            _ => 2 * (y * z + x * z + x * y),
        };
        let mut n = 0;
        if t.plasticmode[f] & plastic::STRETCHING != 0 {
            n += strain * regions;
        }
        if t.plasticmode[f] & plastic::BENDING != 0 {
            n += t.edgenum[f] as usize;
        }
        n
    }

    /// Writes the plastic state that springs start with: where the model lets them rest.
    pub fn initial_plastic(&self, plastic: &mut [f64]) {
        if self.nplastic == 0 {
            return;
        }
        for j in self.jnt.ids() {
            let Ok(at) = usize::try_from(self.jnt.plasticadr[j]) else { continue };
            let q = self.jnt.qposadr[j] as usize;
            let n = if self.jnt.r#type[j] == JointType::Ball { 4 } else { 1 };
            plastic[at..at + n].copy_from_slice(&self.qpos_spring[q..q + n]);
        }
        for t in self.tendon.ids() {
            if let Ok(at) = usize::try_from(self.tendon.plasticadr[t]) {
                plastic[at..at + 2].copy_from_slice(&self.tendon.lengthspring[t]);
            }
        }
    }

    /// Writes the controls that actuators start with: zero, but the identity for quaternions.
    pub fn initial_ctrl(&self, ctrl: &mut [f64]) {
        ctrl.fill(0.0);
        for a in self.actuator.ids() {
            if self.actuator.gaintype[a] == GainType::So3 && self.actuator.ctrlnum[a] == 4 {
                ctrl[self.actuator.ctrladr[a] as usize] = 1.0;
            }
        }
    }

    /// Id of a body by name.
    pub fn body_id(&self, name: &str) -> Option<BodyId> {
        self.names.find(ObjType::Body, name).map(BodyId::new)
    }
    /// Id of a joint by name.
    pub fn joint_id(&self, name: &str) -> Option<JointId> {
        self.names.find(ObjType::Joint, name).map(JointId::new)
    }
    /// Id of a geom by name.
    pub fn geom_id(&self, name: &str) -> Option<GeomId> {
        self.names.find(ObjType::Geom, name).map(GeomId::new)
    }
    /// Id of a keyframe by name.
    pub fn key_id(&self, name: &str) -> Option<KeyId> {
        self.names.find(ObjType::Key, name).map(KeyId::new)
    }
    /// Id of an actuator by name.
    pub fn actuator_id(&self, name: &str) -> Option<ActuatorId> {
        self.names.find(ObjType::Actuator, name).map(ActuatorId::new)
    }
    /// Id of a sensor by name.
    pub fn sensor_id(&self, name: &str) -> Option<SensorId> {
        self.names.find(ObjType::Sensor, name).map(SensorId::new)
    }

    /// Whether a body is `root` or one of its descendants.
    pub fn in_subtree(&self, mut body: BodyId, root: BodyId) -> bool {
        // Parents come before their children.
        while body > root {
            body = self.body.parentid[body];
        }
        body == root
    }

    /// Whether any geom is a plane, on whose account bounding spheres don't bound.
    pub fn has_plane(&self) -> bool {
        self.geom.r#type.iter().any(|&t| t == GeomType::Plane)
    }
}
