//! The compiled model: tables that the engine runs on. Immutable once compiled.

mod assets;
mod elements;
mod kinematic;
mod visual;

pub use assets::*;
pub use elements::*;
pub use kinematic::*;
pub use visual::*;

use crate::enums::{GainType, GeomType, JointType, ObjType};
use crate::ids::*;
use crate::names::Names;
use crate::options::{Options, Statistics};
use crate::shared::{Fixed, Shared};
use crate::structure::Structure;
use crate::table::{Buffer, Class, Column, Field, Parameter, edit_column};
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
    pub vis: crate::spec::Visual,
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
    /// Keyframes.
    pub key: Keyframes,
    /// Pixels of all textures.
    pub tex_data: Shared<Vec<u8>>,

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

/// Calls a method of every table of a model but the keyframes, in order.
macro_rules! for_each_table {
    ($model:ident, $call:ident($($arg:ident)?)) => {
        for_each_table!(@ $model $call($($arg)?) body jnt dof tree geom site cam light mesh hfield skin bone tex mat pair
            exclude eq tendon wrap actuator control output sensor numeric text tuple tuple_item)
    };
    (@ $model:ident $call:ident $args:tt $($table:ident)*) => {
        $($model.$table.$call $args;)*
    };
}

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
    /// Number of actuator force outputs.
    #[inline]
    pub fn nout(&self) -> usize {
        self.output.len()
    }

    /// Writes what makes up the structure of the model: sizes, and the columns that are read-only.
    pub(crate) fn write_structure(&self, out: &mut Vec<u8>) {
        let sizes = [self.nq(), self.na, self.nmocap, self.nuserdata, self.nsensordata, self.nhistory, self.nplastic];
        let assets = [self.mesh_data.vert.len(), self.mesh_data.polyvert.len(), self.hfield_data.len()];
        for size in sizes.into_iter().chain(assets).chain([self.key.len()]) {
            out.extend((size as u64).to_le_bytes());
        }
        for_each_table!(self, write_structure(out));
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

    /// Every size of the reference, by name.
    pub fn sizes(&self) -> Vec<(&'static str, usize)> {
        let ngravcomp = self.body.gravcomp.iter().filter(|&&g| g > 0.0).count();
        let mut v = vec![
            ("nq", self.nq()),
            ("nv", self.nv()),
            ("nu", self.nu()),
            ("nactuator", self.actuator.len()),
            ("nout", self.nout()),
            ("na", self.na),
            ("nbody", self.body.len()),
            ("njnt", self.jnt.len()),
            ("ntree", self.tree.len()),
            ("ngeom", self.geom.len()),
            ("nsite", self.site.len()),
            ("ncam", self.cam.len()),
            ("nlight", self.light.len()),
            ("nmesh", self.mesh.len()),
            ("nmeshvert", self.mesh_data.vert.len()),
            ("nmeshnormal", self.mesh_data.normal.len()),
            ("nmeshtexcoord", self.mesh_data.texcoord.len()),
            ("nmeshface", self.mesh_data.face.len()),
            ("nmeshgraph", self.mesh_data.graph.len()),
            ("nmeshpoly", self.mesh_data.polynormal.len()),
            ("nmeshpolyvert", self.mesh_data.polyvert.len()),
            ("nmeshpolymap", self.mesh_data.polymap.len()),
            ("npolygonmax", self.mesh_data.polyvertnum.iter().max().map_or(0, |&n| n as usize)),
            ("nmeshdegmax", self.most_neighbours()),
            ("nhfield", self.hfield.len()),
            ("nhfielddata", self.hfield_data.len()),
            ("nskin", self.skin.len()),
            ("nskinvert", self.skin_data.vert.len()),
            ("nskintexvert", self.skin_data.texcoord.len()),
            ("nskinface", self.skin_data.face.len()),
            ("nskinbone", self.bone.len()),
            ("nskinbonevert", self.skin_data.bonevertid.len()),
            ("ntex", self.tex.len()),
            ("ntexdata", self.tex_data.len()),
            ("nmat", self.mat.len()),
            ("npair", self.pair.len()),
            ("nexclude", self.exclude.len()),
            ("neq", self.eq.len()),
            ("ntendon", self.tendon.len()),
            ("nwrap", self.wrap.len()),
            ("nsensor", self.sensor.len()),
            ("nnumeric", self.numeric.len()),
            ("nnumericdata", self.numeric_data.len()),
            ("ntext", self.text.len()),
            ("ntextdata", self.text_data.len()),
            ("ntuple", self.tuple.len()),
            ("ntupledata", self.tuple_item.len()),
            ("nkey", self.key.time.len()),
            ("nmocap", self.nmocap),
            ("nuser_body", self.nuser.body),
            ("nuser_jnt", self.nuser.jnt),
            ("nuser_geom", self.nuser.geom),
            ("nuser_site", self.nuser.site),
            ("nuser_cam", self.nuser.cam),
            ("nuser_tendon", self.nuser.tendon),
            ("nuser_actuator", self.nuser.actuator),
            ("nuser_sensor", self.nuser.sensor),
            ("nplastic", self.nplastic),
            ("ngravcomp", ngravcomp),
            ("nuserdata", self.nuserdata),
            ("nsensordata", self.nsensordata),
            ("nhistory", self.nhistory),
        ];
        // Kinds that the compiler refuses so far.
        v.extend(UNSUPPORTED_SIZES.iter().map(|&n| (n, 0)));
        v
    }

    /// The most neighbours of a vertex in the graph of a mesh's hull.
    fn most_neighbours(&self) -> usize {
        let graphs =
            self.mesh.graphadr.iter().filter_map(|&adr| self.mesh_data.graph.get(usize::try_from(adr).ok()?..));
        let of_graph = |graph: &[i32]| {
            let [n, f] = [graph[0] as usize, graph[1] as usize];
            let edges = &graph[2 + 2 * n..2 + 3 * n + 3 * f];
            edges.split(|&e| e < 0).map(<[i32]>::len).max().unwrap_or(0)
        };
        graphs.map(of_graph).max().unwrap_or(0)
    }

    /// Calls `f` with the numbers of every field that may be edited, and takes on what it leaves: all but structure,
    /// assets other than elevations, keyframes and options.
    pub fn edit(&mut self, f: &mut dyn FnMut(Parameter)) {
        edit_column("qpos0", Class::Constant, &mut self.qpos0, f);
        edit_column("qpos_spring", Class::Constant, &mut self.qpos_spring, f);
        edit_column("numeric_data", Class::Live, &mut self.numeric_data, f);
        // Copies of the model go on sharing elevations that stay as they are.
        let mut heights = self.hfield_data.to_vec();
        edit_column("hfield_data", Class::Live, &mut heights, f);
        if heights != **self.hfield_data {
            *self.hfield_data = heights;
        }
        for_each_table!(self, edit(f));
    }

    /// Calls `f` with every field of the compiled model, as `mj dump --stage model` writes them.
    pub fn visit(&self, f: &mut dyn FnMut(Field)) {
        let scalar = |name: &str, n: usize| Field {
            name: name.to_string(),
            shape: vec![],
            data: Column::I32(vec![i32::try_from(n).unwrap_or(i32::MAX)]),
        };
        for (name, n) in self.sizes() {
            f(scalar(name, n));
        }
        f(scalar("flg_gravcomp", self.body.gravcomp.iter().any(|&g| g > 0.0).into()));
        f(scalar("flg_surfacevel", self.geom.surfacevel.iter().any(|v| *v != [0.0; 6]).into()));
        let adhesion = self.geom.adhesion.iter().chain(self.pair.adhesion.iter()).any(|&a| a != 0.0);
        f(scalar("flg_adhesion", adhesion.into()));
        let mut array = |name: &str, b: &dyn Buffer| {
            let (shape, data) = b.array();
            f(Field { name: name.to_string(), shape, data });
        };
        array("qpos0", &self.qpos0);
        array("qpos_spring", &self.qpos_spring);
        array("numeric_data", &self.numeric_data);
        array("text_data", &self.text_data);
        array("tex_data", &*self.tex_data);
        array("mesh_vert", &self.mesh_data.vert);
        array("mesh_face", &self.mesh_data.face);
        array("mesh_normal", &self.mesh_data.normal);
        array("mesh_texcoord", &self.mesh_data.texcoord);
        array("mesh_facenormal", &self.mesh_data.facenormal);
        array("mesh_facetexcoord", &self.mesh_data.facetexcoord);
        array("mesh_graph", &self.mesh_data.graph);
        array("mesh_polynormal", &self.mesh_data.polynormal);
        array("mesh_polyvertadr", &self.mesh_data.polyvertadr);
        array("mesh_polyvertnum", &self.mesh_data.polyvertnum);
        array("mesh_polyvert", &self.mesh_data.polyvert);
        array("mesh_polymapadr", &self.mesh_data.polymapadr);
        array("mesh_polymapnum", &self.mesh_data.polymapnum);
        array("mesh_polymap", &self.mesh_data.polymap);
        array("hfield_data", &*self.hfield_data);
        array("skin_vert", &self.skin_data.vert);
        array("skin_texcoord", &self.skin_data.texcoord);
        array("skin_face", &self.skin_data.face);
        array("skin_bonevertid", &self.skin_data.bonevertid);
        array("skin_bonevertweight", &self.skin_data.bonevertweight);
        for_each_table!(self, visit(f));
        self.key.visit(self, f);
        self.opt.visit(&mut |name, shape, data| f(Field { name: format!("opt.{name}"), shape, data }));
        self.stat.visit(&mut |name, shape, data| f(Field { name: format!("stat.{name}"), shape, data }));
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

/// Sizes of kinds that the compiler refuses so far, so that they are always 0.
const UNSUPPORTED_SIZES: &[&str] = &[
    "nflex",
    "nflexnode",
    "nflexvert",
    "nflexedge",
    "nflexelem",
    "nflexelemdata",
    "nflexstiffness",
    "nflexbending",
    "nflexelemedge",
    "nflexshelldata",
    "nflextexcoord",
    "nplugin",
    "npluginattr",
    "npluginstate",
];
