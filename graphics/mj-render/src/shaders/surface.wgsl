// Colours: Phong's model with the lights, shadow maps, textures and fog.

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

// Light that reaches a point of the surface from light `i`, reflected towards the eye.
fn reflected(i: u32, position: vec3<f32>, normal: vec3<f32>, eye: vec3<f32>, rgb: vec3<f32>, material: vec4<f32>) -> vec3<f32> {
    var to_light = -lights[i].direction.xyz;
    var strength = 1.0;
    if lights[i].position.w != 0.0 {
        let difference = lights[i].position.xyz - position;
        let distance = max(length(difference), 1e-12);
        to_light = difference / distance;
        let k = lights[i].attenuation.xyz;
        strength = 1.0 / max(k.x + distance * (k.y + distance * k.z), 1e-12);
        let cutoff = lights[i].direction.w;
        if cutoff > -1.0 {
            let along = -dot(to_light, lights[i].direction.xyz);
            if along < cutoff {
                return vec3(0.0);
            }
            let exponent = lights[i].ambient.w;
            if exponent > 0.0 {
                strength *= pow(max(along, 1e-12), exponent);
            }
        }
    }
    var sum = lights[i].ambient.rgb * rgb;
    let facing = dot(normal, to_light);
    if facing > 0.0 {
        sum += facing * lights[i].diffuse.rgb * rgb;
        if material.y > 0.0 {
            let half_way = max(dot(normal, normalize(to_light + eye)), 1e-6);
            sum += pow(half_way, material.z) * material.y * lights[i].specular.rgb;
        }
    }
    return strength * sum;
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

@fragment
fn surface_fragment(in: Fragment) -> @location(0) vec4<f32> {
    let paint = texel(in.texcoord);
    var rgb = in.rgba.rgb;
    if MIRROR {
        if outside_mirror(in.position) {
            discard;
        }
        rgb *= view.mirror.w;
    }
    let alpha = in.rgba.a * paint.a;
    let normal = normalize(in.normal);
    let eye = normalize(view.eye.xyz - in.position);
    var steady = rgb * (in.material.x + view.ambient.rgb);
    var shadowed = vec3(0.0);
    for (var i = 0u; i < u32(view.ambient.w); i++) {
        let light = reflected(i, in.position, normal, eye, rgb, in.material);
        if SHADOWS && lights[i].diffuse.w >= 0.0 {
            if alpha >= 0.99 && any(light > vec3(0.0)) {
                shadowed += min(light, vec3(1.0)) * lit_share(i, in.position);
            }
        } else {
            steady += light;
        }
    }
    let sum = (min(steady, vec3(1.0)) + shadowed) * paint.rgb;
    return vec4(fogged(min(sum, vec3(1.0)), in.position), alpha);
}

@fragment
fn flat_fragment(in: Fragment) -> @location(0) vec4<f32> {
    var rgb = in.rgba.rgb;
    if MIRROR {
        if outside_mirror(in.position) {
            discard;
        }
        rgb *= view.mirror.w;
    }
    return vec4(fogged(rgb, in.position), in.rgba.a);
}

// The sky is a cylinder around the eye; its texture is turned so that y is up.
@fragment
fn sky_fragment(in: Fragment) -> @location(0) vec4<f32> {
    let p = in.texcoord;
    let rgb = textureSample(cube_texture, repeating, vec3(p.x, p.z, -p.y)).rgb;
    return vec4(fogged(rgb, in.position), 1.0);
}

@fragment
fn haze_fragment(in: Fragment) -> @location(0) vec4<f32> {
    return vec4(fogged(in.rgba.rgb, in.position), in.texcoord.x);
}
