// Brightness of pixels from linear radiances: exposure, tone map, and the curve of sRGB.

@group(0) @binding(0) var radiance: texture_2d<f32>;
@group(0) @binding(1) var<uniform> exposure: vec4<f32>;

// 0: Khronos PBR Neutral; 1: fit of ACES; 2: cut off.
override TONE_MAP: u32 = 0u;

// The whole target as one triangle.
@vertex
fn tone_vertex(@builtin(vertex_index) index: u32) -> @builtin(position) vec4<f32> {
    return vec4(select(-1.0, 3.0, index == 1u), select(-1.0, 3.0, index == 2u), 0.0, 1.0);
}

fn neutral(given: vec3<f32>) -> vec3<f32> {
    let start = 0.8 - 0.04;
    let least = min(given.r, min(given.g, given.b));
    let offset = select(0.04, least - 6.25 * least * least, least < 0.08);
    let rgb = given - offset;
    let peak = max(rgb.r, max(rgb.g, rgb.b));
    if peak < start {
        return rgb;
    }
    let room = 1.0 - start;
    let lower = 1.0 - room * room / (peak + room - start);
    let pale = 1.0 - 1.0 / (0.15 * (peak - lower) + 1.0);
    return mix(rgb * lower / peak, vec3(lower), pale);
}

fn aces(x: vec3<f32>) -> vec3<f32> {
    return x * (2.51 * x + 0.03) / (x * (2.43 * x + 0.59) + 0.14);
}

@fragment
fn tone_fragment(@builtin(position) position: vec4<f32>) -> @location(0) vec4<f32> {
    let rgb = max(textureLoad(radiance, vec2<i32>(position.xy), 0).rgb, vec3(0.0)) * exposure.x;
    var mapped = rgb;
    switch TONE_MAP {
        case 0u: { mapped = neutral(rgb); }
        case 1u: { mapped = aces(rgb); }
        default: {}
    }
    let c = clamp(mapped, vec3(0.0), vec3(1.0));
    let encoded = select(1.055 * pow(c, vec3(1.0 / 2.4)) - 0.055, 12.92 * c, c <= vec3(0.0031308));
    return vec4(encoded, 1.0);
}
