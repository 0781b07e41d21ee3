//! Names of all elements in one run of bytes, as `MjModel.names` has them.

use mj_engine::Model;
use mj_model::ObjType;

/// Kinds of elements in the order of their names, with the field of their addresses.
const KINDS: &[(&str, ObjType)] = &[
    ("name_bodyadr", ObjType::Body),
    ("name_jntadr", ObjType::Joint),
    ("name_geomadr", ObjType::Geom),
    ("name_siteadr", ObjType::Site),
    ("name_camadr", ObjType::Camera),
    ("name_lightadr", ObjType::Light),
    ("name_flexadr", ObjType::Flex),
    ("name_meshadr", ObjType::Mesh),
    ("name_skinadr", ObjType::Skin),
    ("name_hfieldadr", ObjType::Hfield),
    ("name_texadr", ObjType::Texture),
    ("name_matadr", ObjType::Material),
    ("name_pairadr", ObjType::Pair),
    ("name_excludeadr", ObjType::Exclude),
    ("name_eqadr", ObjType::Equality),
    ("name_tendonadr", ObjType::Tendon),
    ("name_actuatoradr", ObjType::Actuator),
    ("name_sensoradr", ObjType::Sensor),
    ("name_numericadr", ObjType::Numeric),
    ("name_textadr", ObjType::Text),
    ("name_tupleadr", ObjType::Tuple),
    ("name_keyadr", ObjType::Key),
    ("name_pluginadr", ObjType::Plugin),
];

/// The bytes, and where the names of each kind begin.
pub struct Bytes {
    /// The model's name, then all names, each ended by a zero.
    pub names: Vec<u8>,
    /// Addresses of the names of each kind.
    pub addresses: Vec<(&'static str, Vec<i32>)>,
}

impl Bytes {
    /// Writes the names of a model.
    pub fn of(m: &Model) -> Self {
        let mut names = Vec::new();
        let mut push = |name: &str| {
            let at = names.len();
            names.extend(name.as_bytes());
            names.push(0);
            at as i32
        };
        push(&m.modelname);
        let addresses = KINDS
            .iter()
            .map(|&(field, kind)| (field, m.names.all(kind).iter().map(|name| push(name)).collect()))
            .collect();
        Self { names, addresses }
    }
}
