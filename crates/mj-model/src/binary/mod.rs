//! The binary form of a model.
//!
//! A header, then every field in the order of its declaration, numbers little-endian, whatever the
//! machine:
//!
//! | bytes | what |
//! | --- | --- |
//! | 8 | [`MAGIC`] |
//! | 4 | version of the format |
//! | 8 | fingerprint of the fields with their types: a program with other fields does not read the file |
//! | 8 | length of the contents |
//! | 8 | FNV-1a checksum of the contents |
//! | … | the contents |
//!
//! A list is its length (8 bytes) and its entries; a text is a list of UTF-8 bytes; a table is its
//! number of rows and its columns. Integers, ids (−1: none) and enum codes take 4 bytes, truth values
//! one.
//!
//! Files come from anywhere: reading never allocates more than a small multiple of the file's size,
//! and what was read is [validated](Model::validate) before anyone gets it.

mod validate;

use crate::Model;
use crate::model::*;
use crate::storage::{Binary, BinaryError, Result, Source, VERSION, checksum};

/// How a binary model starts.
pub const MAGIC: [u8; 8] = *b"\x89mj\r\n\x1a\n\0";
/// Bytes before the contents.
const HEADER: usize = 36;

binary!(UserSizes { body, jnt, geom, site, cam, tendon, actuator, sensor });
binary!(UserData { body, jnt, geom, site, cam, tendon, actuator, sensor });
binary!(Keyframes { time, qpos, qvel, act, mpos, mquat, ctrl, plastic });

binary!(MeshData {
    vert,
    face,
    normal,
    texcoord,
    facenormal,
    facetexcoord,
    graph,
    polynormal,
    polyvertadr,
    polyvertnum,
    polyvert,
    polymapadr,
    polymapnum,
    polymap,
    oct_depth,
    oct_child,
    oct_aabb,
    oct_coeff,
});

binary!(PluginData { names, slot, attr });

binary!(SkinData { vert, texcoord, face, bonevertid, bonevertweight });

binary!(FlexData {
    nodebodyid,
    vertbodyid,
    vertcell,
    edge,
    edgeflap,
    elem,
    elemtexcoord,
    elemedge,
    elemlayer,
    matid,
    shell,
    vert0,
    node0,
    bvh_child,
    bvh_nodeid,
    texcoord,
    j_rownnz,
    j_rowadr,
    j_colind,
});

binary!(FlexShape { vert, node, stiffness, bending });

binary!(Model {
    modelname,
    opt,
    vis,
    stat,
    names,
    na,
    nmocap,
    nuserdata,
    nsensordata,
    nhistory,
    nplastic,
    nuser,
    user,
    qpos0,
    qpos_spring,
    body,
    jnt,
    dof,
    tree,
    geom,
    site,
    cam,
    light,
    mesh,
    mesh_data,
    hfield,
    hfield_data,
    skin,
    bone,
    skin_data,
    flex,
    flexedge,
    flex_data,
    flex_shape,
    tex,
    mat,
    pair,
    exclude,
    eq,
    tendon,
    wrap,
    actuator,
    control,
    output,
    sensor,
    numeric,
    numeric_data,
    text,
    text_data,
    tuple,
    tuple_item,
    plugin,
    plugin_data,
    plugin_functions,
    key,
    tex_data,
    tex_file,
    m_pattern,
    structure,
});

fn fingerprint() -> u64 {
    let mut text = String::new();
    Model::layout(&mut text);
    checksum(text.as_bytes())
}

/// Whether bytes start like a binary model.
pub fn is_binary(bytes: &[u8]) -> bool {
    bytes.starts_with(&MAGIC)
}

impl Model {
    /// The model as bytes, for [`Model::from_bytes`].
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Vec::new();
        out.extend(MAGIC);
        out.extend(VERSION.to_le_bytes());
        out.extend(fingerprint().to_le_bytes());
        out.resize(HEADER, 0);
        self.write(&mut out);
        let (header, contents) = out.split_at_mut(HEADER);
        header[20..28].copy_from_slice(&(contents.len() as u64).to_le_bytes());
        header[28..36].copy_from_slice(&checksum(contents).to_le_bytes());
        out
    }

    /// The model that [`Model::to_bytes`] wrote, bit for bit.
    ///
    /// # Errors
    /// If the bytes are anything else: with the place, and what would be right. What is read is
    /// [valid](Model::validate).
    pub fn from_bytes(bytes: &[u8]) -> Result<Self> {
        if !is_binary(bytes) {
            // The reference's files start with this number.
            let reference = bytes.starts_with(&54321i32.to_le_bytes());
            return Err(if reference { BinaryError::Reference } else { BinaryError::Magic });
        }
        let mut from = Source::new(bytes);
        from.at_field("header", "");
        from.bytes::<8>()?;
        let version = from.bytes().map(u32::from_le_bytes)?;
        if version != VERSION {
            return Err(BinaryError::Version(version));
        }
        if from.bytes().map(u64::from_le_bytes)? != fingerprint() {
            return Err(BinaryError::Layout);
        }
        let length = from.bytes().map(u64::from_le_bytes)?;
        let sum = from.bytes().map(u64::from_le_bytes)?;
        from.needs(length.into())?;
        let extra = (bytes.len() - HEADER) as u64 - length;
        if extra > 0 {
            return Err(BinaryError::Trailing { offset: bytes.len() - extra as usize, extra });
        }
        if checksum(&bytes[HEADER..]) != sum {
            return Err(BinaryError::Checksum);
        }
        let mut model = Self::read(&mut from)?;
        from.end()?;
        model.validate()?;
        model.seal();
        Ok(model)
    }
}

#[cfg(test)]
mod tests;
