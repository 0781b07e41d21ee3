// Colours of metallic-roughness materials as linear radiances: GGX microfacets, lit by lights and by an environment.

@group(2) @binding(3) var occlusion_texture: texture_2d<f32>;
@group(2) @binding(4) var roughness_texture: texture_2d<f32>;
@group(2) @binding(5) var metallic_texture: texture_2d<f32>;
@group(2) @binding(6) var normal_texture: texture_2d<f32>;
@group(2) @binding(7) var opacity_texture: texture_2d<f32>;
@group(2) @binding(8) var emissive_texture: texture_2d<f32>;

// Number of steps of the table along each axis.
const STEPS: u32 = 32u;

struct Environment {
    // Coefficients of spherical harmonics of what a white diffuse surface reflects, by its normal.
    diffuse: array<vec4<f32>, 9>,
    // Share of light that microfacets reflect in all directions, as scale and offset of the reflectance at normal
    // incidence: by the cosine to the normal, row by row of roughness.
    reflected: array<vec2<f32>, 1024>,
}

@group(3) @binding(0) var<storage, read> environment: Environment;
// Mipmaps are blurred by the lobe of growing roughness.
@group(3) @binding(1) var environment_map: texture_cube<f32>;
@group(3) @binding(2) var environment_sampler: sampler;

// Bits of textures beside the colour: occlusion, roughness, metallic, normal, opacity, emissive.
override LAYERS: u32 = 0u;

const PI: f32 = 3.14159265;
// Largest radiance that a target holds, with room for sums.
const MAX_RADIANCE: f32 = 16000.0;

struct Shaded {
    @builtin(position) clip: vec4<f32>,
    @location(0) position: vec3<f32>,
    @location(1) normal: vec3<f32>,
    @location(2) texcoord: vec3<f32>,
    @location(3) @interpolate(flat) rgba: vec4<f32>,
    @location(4) @interpolate(flat) instance: u32,
}

@vertex
fn physical_vertex(v: Vertex, @builtin(instance_index) instance: u32) -> Shaded {
    let position = place(instance, v.position);
    let clip = view.clip * vec4(position, 1.0);
    let texcoord = texture_coordinates(instance, v);
    return Shaded(clip, position, turn(instance, v.normal), texcoord, colour(instance), instance);
}

fn linear(rgb: vec3<f32>) -> vec3<f32> {
    let c = max(rgb, vec3(0.0));
    return select(pow((c + 0.055) / 1.055, vec3(2.4)), c / 12.92, c <= vec3(0.04045));
}

fn hazy(rgb: vec3<f32>, position: vec3<f32>) -> vec3<f32> {
    return mix(linear(view.fog.rgb), min(rgb, vec3(MAX_RADIANCE)), clarity(position));
}

// Normal with the relief of a texture, whose green points up in the picture.
fn relief(in: Shaded, normal: vec3<f32>) -> vec3<f32> {
    if (LAYERS & 8u) == 0u {
        return normal;
    }
    let uv = in.texcoord.xy;
    let map = 2.0 * textureSample(normal_texture, repeating, uv).xyz - 1.0;
    let px = dpdx(in.position);
    let py = dpdy(in.position);
    let ux = dpdx(uv);
    let uy = dpdy(uv);
    // Gradients of the texture coordinates along the surface, up to a positive factor.
    let side = select(-1.0, 1.0, dot(normal, cross(px, py)) > 0.0);
    let u = side * (cross(py, normal) * ux.x + cross(normal, px) * uy.x);
    let v = side * (cross(py, normal) * ux.y + cross(normal, px) * uy.y);
    let greatest = max(dot(u, u), dot(v, v));
    if greatest <= 0.0 {
        return normal;
    }
    let scale = inverseSqrt(greatest);
    return normalize(scale * (u * map.x - v * map.y) + normal * max(map.z, 0.05));
}

struct Surface {
    normal: vec3<f32>,
    eye: vec3<f32>,
    // Cosine of the angle to the eye.
    facing: f32,
    // Squared roughness: width of the lobe.
    width: f32,
    diffuse: vec3<f32>,
    // Reflectance at normal incidence.
    f0: vec3<f32>,
    // Share of light that microfacets reflect once, and after several reflections.
    single: vec3<f32>,
    several: vec3<f32>,
    // Factor that makes up for the reflections that one lobe leaves out.
    gain: vec3<f32>,
}

fn table(facing: f32, roughness: f32) -> vec2<f32> {
    let last = f32(STEPS - 1u);
    let p = clamp(vec2(facing, roughness), vec2(0.0), vec2(1.0)) * last;
    let a = vec2<u32>(min(floor(p), vec2(last - 1.0)));
    let t = p - vec2<f32>(a);
    let k = a.y * STEPS + a.x;
    let low = mix(environment.reflected[k], environment.reflected[k + 1u], t.x);
    let high = mix(environment.reflected[k + STEPS], environment.reflected[k + STEPS + 1u], t.x);
    return mix(low, high, t.y);
}

// Light that reaches a point from light `i`: its direction, and the radiance of a white diffuse surface that faces it.
fn incoming(i: u32, position: vec3<f32>) -> vec4<f32> {
    let intensity = lights[i].physical.x;
    var to_light = -lights[i].direction.xyz;
    if lights[i].position.w == 0.0 {
        return vec4(to_light, select(1.0, intensity / PI, intensity > 0.0));
    }
    let difference = lights[i].position.xyz - position;
    let distance = max(length(difference), 1e-6);
    to_light = difference / distance;
    let k = lights[i].attenuation.xyz;
    var strength = 1.0 / max(k.x + distance * (k.y + distance * k.z), 1e-12);
    let range = lights[i].physical.y;
    if intensity > 0.0 {
        strength = intensity / (PI * distance * distance);
        if range > 0.0 {
            let window = clamp(1.0 - pow(distance / range, 4.0), 0.0, 1.0);
            strength *= window * window;
        }
    }
    let cutoff = lights[i].direction.w;
    if cutoff > -1.0 {
        let along = -dot(to_light, lights[i].direction.xyz);
        let inner = lights[i].physical.z;
        let share = clamp((along - cutoff) / max(inner - cutoff, 1e-6), 0.0, 1.0);
        strength *= share * share * (3.0 - 2.0 * share);
    }
    return vec4(to_light, strength);
}

// Share of a light's radiance that reaches the eye.
fn reflected(s: Surface, to_light: vec3<f32>) -> vec3<f32> {
    let lit = dot(s.normal, to_light);
    if lit <= 0.0 {
        return vec3(0.0);
    }
    let half_way = normalize(to_light + s.eye);
    let n = clamp(dot(s.normal, half_way), 0.0, 1.0);
    let a = s.width * s.width;
    let d = n * n * (a - 1.0) + 1.0;
    // π times the density of normals, and Smith's visibility of both directions together.
    let density = a / max(d * d, 1e-12);
    let visible = 0.5 / max(
        lit * sqrt(s.facing * s.facing * (1.0 - a) + a) + s.facing * sqrt(lit * lit * (1.0 - a) + a), 1e-6);
    let fresnel = s.f0 + (1.0 - s.f0) * pow(1.0 - clamp(dot(s.eye, half_way), 0.0, 1.0), 5.0);
    return lit * ((1.0 - fresnel) * s.diffuse + density * visible * fresnel * s.gain);
}

// From the model's space to the environment's, whose y is up.
fn upright(d: vec3<f32>) -> vec3<f32> {
    return vec3(d.x, d.z, -d.y);
}

fn surroundings(s: Surface, roughness: f32) -> vec3<f32> {
    let n = upright(s.normal);
    let c = &environment.diffuse;
    let diffuse = (*c)[0].rgb + n.y * (*c)[1].rgb + n.z * (*c)[2].rgb + n.x * (*c)[3].rgb
        + n.x * n.y * (*c)[4].rgb + n.y * n.z * (*c)[5].rgb + (3.0 * n.z * n.z - 1.0) * (*c)[6].rgb
        + n.x * n.z * (*c)[7].rgb + (n.x * n.x - n.y * n.y) * (*c)[8].rgb;
    let level = roughness * f32(textureNumLevels(environment_map) - 1u);
    let direction = upright(reflect(-s.eye, s.normal));
    let mirrored = textureSampleLevel(environment_map, environment_sampler, direction, level).rgb;
    let scattered = s.several + s.diffuse * (1.0 - s.single - s.several);
    return view.environment.rgb * (s.single * mirrored + scattered * max(diffuse, vec3(0.0)));
}

@fragment
fn physical_fragment(in: Shaded) -> @location(0) vec4<f32> {
    let uv = in.texcoord.xy;
    let paint = texel(in.texcoord);
    let material = instances[in.instance].material;
    let surface = instances[in.instance].surface;
    var s: Surface;
    s.normal = relief(in, normalize(in.normal));
    var occlusion = 1.0;
    var roughness = surface.y;
    var metallic = surface.x;
    var alpha = in.rgba.a * paint.a;
    let base = linear(in.rgba.rgb) * paint.rgb;
    var glow = material.x * base;
    if (LAYERS & 1u) != 0u {
        occlusion = textureSample(occlusion_texture, repeating, uv).r;
    }
    if (LAYERS & 2u) != 0u {
        roughness *= textureSample(roughness_texture, repeating, uv).g;
    }
    if (LAYERS & 4u) != 0u {
        metallic *= textureSample(metallic_texture, repeating, uv).b;
    }
    if (LAYERS & 16u) != 0u {
        alpha *= textureSample(opacity_texture, repeating, uv).r;
    }
    if (LAYERS & 32u) != 0u {
        glow = textureSample(emissive_texture, repeating, uv).rgb * select(1.0, material.x, material.x > 0.0);
    }
    if MIRROR {
        if outside_mirror(in.position) {
            discard;
        }
    }
    // A smoother lobe would miss most lights between two pixels.
    roughness = clamp(roughness, 0.045, 1.0);
    s.width = roughness * roughness;
    s.eye = normalize(view.eye.xyz - in.position);
    s.facing = clamp(abs(dot(s.normal, s.eye)), 1e-4, 1.0);
    s.diffuse = base * (1.0 - metallic);
    s.f0 = mix(vec3(surface.z), base, metallic);
    let ab = table(s.facing, roughness);
    let once = ab.x + ab.y;
    let mean = s.f0 + (1.0 - s.f0) / 21.0;
    s.single = s.f0 * ab.x + ab.y;
    s.several = (1.0 - once) * s.single * mean / (1.0 - mean * (1.0 - once));
    s.gain = 1.0 + s.f0 * (1.0 / max(once, 1e-3) - 1.0);

    var sum = glow + occlusion * surroundings(s, roughness);
    let everywhere = s.single + s.several + s.diffuse * (1.0 - s.single - s.several);
    for (var i = 0u; i < u32(view.ambient.w); i++) {
        let light = incoming(i, in.position);
        if light.w <= 0.0 {
            continue;
        }
        sum += light.w * occlusion * lights[i].ambient.rgb * everywhere;
        var direct = reflected(s, light.xyz) * lights[i].diffuse.rgb;
        if SHADOWS && lights[i].diffuse.w >= 0.0 && any(direct > vec3(0.0)) {
            direct *= lit_share(i, in.position);
        }
        sum += light.w * direct;
    }
    if MIRROR {
        sum *= view.mirror.w;
    }
    return vec4(hazy(sum, in.position), alpha);
}

@fragment
fn physical_flat_fragment(in: Fragment) -> @location(0) vec4<f32> {
    var rgb = linear(in.rgba.rgb);
    if MIRROR {
        if outside_mirror(in.position) {
            discard;
        }
        rgb *= view.mirror.w;
    }
    return vec4(hazy(rgb, in.position), in.rgba.a);
}

@fragment
fn physical_sky_fragment(in: Fragment) -> @location(0) vec4<f32> {
    let rgb = textureSample(cube_texture, repeating, upright(in.texcoord)).rgb;
    return vec4(hazy(rgb, in.position), 1.0);
}

@fragment
fn physical_haze_fragment(in: Fragment) -> @location(0) vec4<f32> {
    return vec4(hazy(linear(in.rgba.rgb), in.position), in.texcoord.x);
}
