// View, instances, and the vertex shader of all surfaces.

struct View {
    // From the model's space to clip space, depth reversed: 1 at the near plane, 0 at the far plane.
    clip: mat4x4<f32>,
    eye: vec4<f32>,
    forward: vec4<f32>,
    // Ambient light of scenes without lights; w: number of lights.
    ambient: vec4<f32>,
    // Colour of fog; w: 1 where there is fog.
    fog: vec4<f32>,
    // Start of fog, 1 / (end − start), width and height of the picture.
    range: vec4<f32>,
    // Mirror: centre, and its reflectance.
    mirror: vec4<f32>,
    // Axes of the mirror with its half sizes; its normal.
    mirror_x: vec4<f32>,
    mirror_y: vec4<f32>,
    mirror_z: vec4<f32>,
    // Strength of the environment's light, of physical shading.
    environment: vec4<f32>,
}

struct Instance {
    // Rows of the affine map from the shape to the model's space.
    map: mat3x4<f32>,
    // Rows of the map of normals; in the fourth column, the end offset.
    normal: mat3x4<f32>,
    rgba: vec4<f32>,
    // Emission, specularity, shininess in powers, width of lines.
    material: vec4<f32>,
    // Scale and offset of texture coordinates, or scale of cube coordinates.
    texture: vec4<f32>,
    // Of physical shading: metallic, roughness, reflectance of dielectrics at normal incidence.
    surface: vec4<f32>,
    // Element, its kind, source of texture coordinates, whether it is a plane.
    ids: vec4<i32>,
}

@group(0) @binding(0) var<uniform> view: View;
@group(0) @binding(1) var<storage, read> instances: array<Instance>;

struct Vertex {
    @location(0) position: vec4<f32>,
    @location(1) normal: vec3<f32>,
    @location(2) uv: vec2<f32>,
}

struct Fragment {
    @builtin(position) clip: vec4<f32>,
    @location(0) position: vec3<f32>,
    @location(1) normal: vec3<f32>,
    @location(2) texcoord: vec3<f32>,
    @location(3) @interpolate(flat) rgba: vec4<f32>,
    @location(4) @interpolate(flat) material: vec4<f32>,
}

fn place(instance: u32, v: vec4<f32>) -> vec3<f32> {
    let offset = vec3(instances[instance].normal[0].w, instances[instance].normal[1].w, instances[instance].normal[2].w);
    return vec4(v.xyz, 1.0) * instances[instance].map + v.w * offset;
}

fn turn(instance: u32, n: vec3<f32>) -> vec3<f32> {
    return vec4(n, 0.0) * instances[instance].normal;
}

fn texture_coordinates(instance: u32, v: Vertex) -> vec3<f32> {
    let t = instances[instance].texture;
    // Coordinates in the shape; caps of capsules lie beyond 1.
    let p = vec3(v.position.xy, v.position.z + v.position.w);
    switch instances[instance].ids.z {
        case 1: { return vec3(v.uv * t.xy + t.zw, 0.0); }
        case 2: { return vec3(p.xy * t.xy + t.zw, 0.0); }
        default: { return p * t.xyz; }
    }
}

// Colour as seen from the camera: planes are faint from behind.
fn colour(instance: u32) -> vec4<f32> {
    var rgba = instances[instance].rgba;
    if instances[instance].ids.w != 0 {
        let m = instances[instance].map;
        let n = instances[instance].normal;
        let axis = vec3(n[0].z, n[1].z, n[2].z);
        if dot(view.eye.xyz - vec3(m[0].w, m[1].w, m[2].w), axis) < 0.0 {
            rgba.a *= 0.3;
        }
    }
    return rgba;
}

@vertex
fn surface_vertex(v: Vertex, @builtin(instance_index) instance: u32) -> Fragment {
    var out: Fragment;
    out.position = place(instance, v.position);
    out.clip = view.clip * vec4(out.position, 1.0);
    out.normal = turn(instance, v.normal);
    out.texcoord = texture_coordinates(instance, v);
    out.rgba = colour(instance);
    out.material = instances[instance].material;
    return out;
}

// Widens a line to its width in pixels. The part before the near plane is cut off first.
fn line_corner(instance: u32, v: Vertex) -> vec4<f32> {
    var a = view.clip * vec4(place(instance, v.position), 1.0);
    var b = view.clip * vec4(place(instance, vec4(v.normal, 0.0)), 1.0);
    let da = a.w - a.z;
    let db = b.w - b.z;
    if da < 0.0 && db > 0.0 {
        a = mix(a, b, da / (da - db));
    }
    if db < 0.0 && da > 0.0 {
        b = mix(b, a, db / (db - da));
    }
    let size = view.range.zw;
    var along = (b.xy / b.w - a.xy / a.w) * size;
    let length = length(along);
    if length > 0.0 {
        along /= length;
    }
    let width = instances[instance].material.w;
    let offset = vec2(-along.y, along.x) * v.uv.x * width / size;
    return vec4(a.xy + offset * a.w, a.zw);
}

@vertex
fn line_vertex(v: Vertex, @builtin(instance_index) instance: u32) -> Fragment {
    var out: Fragment;
    out.position = place(instance, v.position);
    out.clip = line_corner(instance, v);
    out.normal = vec3(0.0, 0.0, 1.0);
    out.texcoord = vec3(0.0);
    out.rgba = instances[instance].rgba;
    out.material = instances[instance].material;
    return out;
}

fn view_depth(position: vec3<f32>) -> f32 {
    return dot(position - view.eye.xyz, view.forward.xyz);
}

// Share of a surface's colour that fog leaves.
fn clarity(position: vec3<f32>) -> f32 {
    if view.fog.w == 0.0 {
        return 1.0;
    }
    return clamp(1.0 - (view_depth(position) - view.range.x) * view.range.y, 0.0, 1.0);
}
