// Colours by Phong's model.

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
