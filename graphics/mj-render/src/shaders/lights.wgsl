// Lights with their shadow maps, textures, fog and mirrors: resources of all models of shading.

struct Light {
    // Position; w: 0 directional, 1 from a point.
    position: vec4<f32>,
    // Direction; w: cosine of the cutoff.
    direction: vec4<f32>,
    // Ambient colour; w: exponent of the cone.
    ambient: vec4<f32>,
    // Diffuse colour; w: layer of the shadow map, −1: none.
    diffuse: vec4<f32>,
    specular: vec4<f32>,
    attenuation: vec4<f32>,
    // Of physical shading: intensity, cd or lx; range, m; cosine of the cone that is fully lit.
    physical: vec4<f32>,
    // From the model's space to the shadow map.
    shadow: mat4x4<f32>,
}

@group(1) @binding(0) var<storage, read> lights: array<Light>;
@group(1) @binding(1) var shadow_maps: texture_depth_2d_array;
@group(1) @binding(2) var shadow_sampler: sampler_comparison;
@group(2) @binding(0) var flat_texture: texture_2d<f32>;
@group(2) @binding(1) var cube_texture: texture_cube<f32>;
@group(2) @binding(2) var repeating: sampler;

// 0: none; 1: flat; 2: cube.
override TEXTURE: u32 = 0u;
override SHADOWS: bool = false;
override MIRROR: bool = false;

fn texel(coordinates: vec3<f32>) -> vec4<f32> {
    if TEXTURE == 1u {
        return textureSample(flat_texture, repeating, coordinates.xy);
    }
    if TEXTURE == 2u {
        return vec4(textureSample(cube_texture, repeating, coordinates).rgb, 1.0);
    }
    return vec4(1.0);
}

fn lit_share(i: u32, position: vec3<f32>) -> f32 {
    let p = lights[i].shadow * vec4(position, 1.0);
    if p.w <= 0.0 {
        return 1.0;
    }
    let q = p.xyz / p.w;
    // Maps have a rim of one texel.
    let half = 0.5 - 1.0 / f32(textureDimensions(shadow_maps).x);
    let uv = vec2(0.5 + half * q.x, 0.5 - half * q.y);
    if any(uv < vec2(0.0)) || any(uv > vec2(1.0)) || q.z >= 1.0 {
        return 1.0;
    }
    return textureSampleCompareLevel(shadow_maps, shadow_sampler, uv, i32(lights[i].diffuse.w), max(q.z, 0.0));
}

fn fogged(rgb: vec3<f32>, position: vec3<f32>) -> vec3<f32> {
    return mix(view.fog.rgb, rgb, clarity(position));
}

// Leaves only what is seen in the mirror: above its plane, along a ray that meets the mirror within its sizes.
fn outside_mirror(position: vec3<f32>) -> bool {
    let height = dot(position - view.mirror.xyz, view.mirror_z.xyz);
    let depth = dot(view.eye.xyz - view.mirror.xyz, view.mirror_z.xyz);
    let meeting = mix(position, view.eye.xyz, height / max(height - depth, 1e-12)) - view.mirror.xyz;
    let x = dot(meeting, view.mirror_x.xyz);
    let y = dot(meeting, view.mirror_y.xyz);
    return height <= 0.0 || abs(x) > view.mirror_x.w || abs(y) > view.mirror_y.w;
}
