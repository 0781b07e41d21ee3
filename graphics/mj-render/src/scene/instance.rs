//! Instances: what the shaders know of one drawn shape.

use mj_scene::SceneGeom;

/// Instance as bits of the shaders' memory.
pub type InstanceData = [u32; 44];

/// Source of texture coordinates.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum TextureMap {
    /// Those of the vertices, with scale and offset.
    Vertices([f32; 4]),
    /// Position along x and y in the shape, with scale and offset.
    Position([f32; 4]),
    /// Direction from the shape's centre, with a scale along each axis.
    Direction([f32; 3]),
}

/// Placement of a shape: rotation, scale along its axes, end offset.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Placement {
    /// Position, m.
    pub pos: [f32; 3],
    /// Orientation, row by row.
    pub mat: [f32; 9],
    /// Scale along the axes.
    pub scale: [f32; 3],
    /// Offset of ends along z, m.
    pub end: f32,
}

impl Placement {
    /// Returns the placement of a geom with a scale.
    pub fn of(geom: &SceneGeom, scale: [f32; 3]) -> Self {
        Self { pos: geom.pos, mat: geom.mat, scale, end: 0.0 }
    }

    /// Returns the placement of what is in the world already.
    pub fn world() -> Self {
        Self { pos: [0.0; 3], mat: [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0], scale: [1.0; 3], end: 0.0 }
    }
}

/// Encodes an instance; `None` if a number is not finite. `surface`: metallic, roughness, reflectance of dielectrics.
pub fn encode(
    geom: &SceneGeom,
    placement: &Placement,
    texture: TextureMap,
    line_width: f32,
    plane: bool,
    surface: [f32; 3],
) -> Option<InstanceData> {
    let Placement { pos, mat, scale, end } = placement;
    let mut floats = [0f32; 40];
    for row in 0..3 {
        for column in 0..3 {
            floats[4 * row + column] = mat[3 * row + column] * scale[column];
            // A flat shape keeps the normal along the axis without extent.
            let divisor = if scale[column] == 0.0 { f32::MIN_POSITIVE.sqrt() } else { scale[column] };
            floats[12 + 4 * row + column] = mat[3 * row + column] / divisor;
        }
        floats[4 * row + 3] = pos[row];
        floats[12 + 4 * row + 3] = mat[3 * row + 2] * end;
    }
    // Normals are normalized later: of their map only the directions count, but squares must not overflow.
    let greatest =
        (0..3).flat_map(|r| (0..3).map(move |c| 12 + 4 * r + c)).map(|k| floats[k].abs()).fold(0.0, f32::max);
    if greatest > 0.0 && greatest.is_finite() {
        for k in (0..3).flat_map(|r| (0..3).map(move |c| 12 + 4 * r + c)) {
            floats[k] /= greatest;
        }
    }
    floats[24..28].copy_from_slice(&geom.rgba);
    let shininess = 128.0 * geom.shininess.clamp(0.0, 1.0);
    floats[28..32].copy_from_slice(&[geom.emission, geom.specular.max(0.0), shininess, line_width]);
    let (kind, map) = match texture {
        TextureMap::Vertices(map) => (1, map),
        TextureMap::Position(map) => (2, map),
        TextureMap::Direction([x, y, z]) => (0, [x, y, z, 0.0]),
    };
    floats[32..36].copy_from_slice(&map);
    floats[36..39].copy_from_slice(&surface);
    if !floats.iter().all(|x| x.is_finite()) {
        return None;
    }
    let mut data = [0u32; 44];
    for (word, x) in data.iter_mut().zip(floats) {
        *word = x.to_bits();
    }
    data[40..].copy_from_slice(&[geom.objid as u32, geom.objtype.code() as u32, kind, u32::from(plane)]);
    Some(data)
}
