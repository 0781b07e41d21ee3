// Depth in metres and ids, and depth alone for shadow maps.

struct Identified {
    @builtin(position) clip: vec4<f32>,
    @location(0) depth: f32,
    @location(1) @interpolate(flat) ids: vec2<i32>,
}

struct DepthIds {
    @location(0) depth: f32,
    @location(1) ids: vec2<i32>,
}

@vertex
fn ids_vertex(v: Vertex, @builtin(instance_index) instance: u32) -> Identified {
    let position = place(instance, v.position);
    return Identified(view.clip * vec4(position, 1.0), view_depth(position), instances[instance].ids.xy);
}

@vertex
fn ids_line_vertex(v: Vertex, @builtin(instance_index) instance: u32) -> Identified {
    let position = place(instance, v.position);
    return Identified(line_corner(instance, v), view_depth(position), instances[instance].ids.xy);
}

@fragment
fn ids_fragment(in: Identified) -> DepthIds {
    return DepthIds(in.depth, in.ids);
}

@vertex
fn shadow_vertex(v: Vertex, @builtin(instance_index) instance: u32) -> @builtin(position) vec4<f32> {
    return view.clip * vec4(place(instance, v.position), 1.0);
}
