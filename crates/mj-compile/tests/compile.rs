//! Compiled models against what can be worked out by hand.

use mj_math::{DMat3, DQuat, DVec3, quat};
use mj_model::spec::*;
use mj_model::*;

fn one_body(body: Body) -> Spec {
    let mut spec = Spec::default();
    spec.worldbody.bodies.push(body);
    spec
}

fn compiled(spec: &Spec) -> Model {
    let (model, problems) = mj_compile::compile(spec);
    model.unwrap_or_else(|| panic!("{:?}", problems.list))
}

fn errors(spec: &Spec) -> Vec<String> {
    let (model, problems) = mj_compile::compile(spec);
    assert_eq!(model.is_none(), problems.has_errors());
    problems.list.iter().map(|d| format!("{} | {}", d.message, d.help.as_deref().unwrap_or(""))).collect()
}

fn sphere(radius: f64) -> Geom {
    Geom { size: [radius, f64::NAN, f64::NAN], ..Default::default() }
}

fn inertial(mass: f64, pos: DVec3, diag: [f64; 3]) -> Option<Inertial> {
    Some(Inertial { mass, pos, diaginertia: Some(diag), ..Default::default() })
}

/// A pendulum about y, of which everything is known.
fn pendulum() -> Spec {
    one_body(Body {
        name: "bob".into(),
        joints: vec![Joint { name: "pivot".into(), axis: DVec3::Y, ..Default::default() }],
        inertial: inertial(2.0, DVec3::new(0.0, 0.0, -0.5), [0.1, 0.2, 0.15]),
        ..Default::default()
    })
}

#[test]
fn inverse_weights_of_a_pendulum() {
    let m = compiled(&pendulum());
    let about_pivot = 0.2 + 2.0 * 0.25;
    let d = DofId::new(0);
    assert!((m.dof.M0[d] - about_pivot).abs() < 1e-12);
    assert!((m.dof.invweight0[d] - 1.0 / about_pivot).abs() < 1e-12);
    // The centre of mass moves along one axis only, half a metre a radian; it turns about one.
    let want = [0.25 / about_pivot / 3.0, 1.0 / about_pivot / 3.0];
    let got = m.body.invweight0[BodyId::new(1)];
    assert!(got.iter().zip(want).all(|(a, b)| (a - b).abs() < 1e-12), "{got:?}");
    assert!((m.stat.meaninertia - about_pivot).abs() < 1e-12 && m.stat.meanmass == 2.0);
    assert_eq!(m.dof.length[d], 0.5);
    assert_eq!(m.stat.center, DVec3::new(0.0, 0.0, -0.25));
}

#[test]
fn springdamper_makes_the_oscillator_that_it_says() {
    let mut spec = pendulum();
    spec.worldbody.bodies[0].joints[0].springdamper = [0.5, 0.8];
    let m = compiled(&spec);
    let i = 0.7;
    // Time constant 1/(ζω) and damping ratio ζ of k = Iω², c = 2ζωI.
    let (k, c) = (m.jnt.stiffness[JointId::new(0)], m.dof.damping[DofId::new(0)]);
    let omega = (k / i).sqrt();
    let zeta = c / (2.0 * omega * i);
    assert!((zeta - 0.8).abs() < 1e-12 && (1.0 / (zeta * omega) - 0.5).abs() < 1e-12);
}

#[test]
fn degrees_and_radians() {
    let mut spec = pendulum();
    let joint = &mut spec.worldbody.bodies[0].joints[0];
    (joint.range, joint.r#ref, joint.springref) = (Some([-90.0, 180.0]), 45.0, -30.0);
    let m = compiled(&spec);
    let pi = std::f64::consts::PI;
    let j = JointId::new(0);
    assert!(m.jnt.limited[j] && (m.jnt.range[j][0] + pi / 2.0).abs() < 1e-15 && (m.jnt.range[j][1] - pi).abs() < 1e-15);
    assert!((m.qpos0[0] - pi / 4.0).abs() < 1e-15 && (m.qpos_spring[0] + pi / 6.0).abs() < 1e-15);

    spec.compiler.degree = false;
    spec.worldbody.bodies[0].joints[0].limited = Tri::False;
    let m = compiled(&spec);
    assert!(!m.jnt.limited[j] && m.jnt.range[j] == [-90.0, 180.0] && m.qpos0[0] == 45.0);
}

#[test]
fn a_free_ball_is_simple_and_static_children_add_their_mass() {
    let mut ball = Body { geoms: vec![sphere(0.1)], ..Default::default() };
    ball.joints.push(Joint { r#type: JointType::Free, ..Default::default() });
    let m = compiled(&one_body(ball.clone()));
    let b = BodyId::new(1);
    let mass = 1000.0 * 4.0 / 3.0 * std::f64::consts::PI * 1e-3;
    assert!((m.body.mass[b] - mass).abs() < 1e-12);
    assert_eq!((m.body.simple[b], m.m_pattern.nnz()), (1, 6));
    assert!((m.body.invweight0[b][0] - 1.0 / mass).abs() < 1e-12);
    assert!((m.body.invweight0[b][1] - 1.0 / (0.4 * mass * 0.01)).abs() < 1e-9);
    assert_eq!(m.tree.sleep_policy[TreeId::new(0)], SleepPolicy::AutoAllowed);

    ball.bodies.push(Body { pos: DVec3::X, geoms: vec![sphere(0.1)], ..Default::default() });
    let mut spec = one_body(ball);
    let apart = compiled(&spec);
    assert_eq!((apart.body.simple[b], apart.m_pattern.nnz()), (0, 21));
    spec.compiler.fusestatic = true;
    let fused = compiled(&spec);
    assert_eq!((fused.body.len(), fused.geom.len()), (2, 2));
    assert!((fused.body.ipos[b] - DVec3::X / 2.0).length() < 1e-12);
    for d in fused.dof.ids() {
        assert!((fused.dof.M0[d] - apart.dof.M0[d]).abs() < 1e-9, "{d:?}");
    }
}

#[test]
fn aligning_a_free_body_moves_its_frame_and_nothing_else() {
    let mut body = Body { pos: DVec3::new(1.0, 2.0, 3.0), ..Default::default() };
    body.geoms.push(Geom {
        r#type: GeomType::Box,
        size: [0.1, 0.2, 0.3],
        pos: DVec3::new(0.5, 0.0, 0.0),
        orientation: Orientation::Euler([30.0, 40.0, 50.0]),
        ..Default::default()
    });
    body.sites.push(Site { pos: DVec3::Y, ..Default::default() });
    body.joints.push(Joint { r#type: JointType::Free, align: Tri::True, ..Default::default() });
    let aligned = compiled(&one_body(body.clone()));
    body.joints[0].align = Tri::False;
    let plain = compiled(&one_body(body));
    let b = BodyId::new(1);
    assert_eq!((aligned.body.simple[b], plain.body.simple[b]), (1, 0));
    let world = |m: &Model, p: DVec3| m.body.pos[b] + quat::rotate(m.body.quat[b], p);
    let (g, s) = (GeomId::new(0), SiteId::new(0));
    assert!((world(&aligned, aligned.geom.pos[g]) - world(&plain, plain.geom.pos[g])).length() < 1e-12);
    assert!((world(&aligned, aligned.site.pos[s]) - world(&plain, plain.site.pos[s])).length() < 1e-12);
    assert_eq!(&aligned.qpos0[..3], aligned.body.pos[b].to_array());
    let tensor = |m: &Model| {
        let axes = quat::to_mat(m.body.quat[b] * m.body.iquat[b]);
        axes * DMat3::from_diagonal(m.body.inertia[b]) * axes.transpose()
    };
    assert!((tensor(&aligned) - tensor(&plain)).to_cols_array().iter().all(|x| x.abs() < 1e-6));
}

#[test]
fn fromto_replaces_position_orientation_and_length() {
    let mut spec = one_body(Body::default());
    spec.worldbody.bodies[0].geoms.push(Geom {
        r#type: GeomType::Cylinder,
        fromto: Some([0.0, 0.0, 0.0, 0.0, 0.6, 0.0]),
        size: [0.05, f64::NAN, f64::NAN],
        ..Default::default()
    });
    let m = compiled(&spec);
    let g = GeomId::new(0);
    assert!((m.geom.pos[g] - DVec3::new(0.0, 0.3, 0.0)).length() < 1e-15);
    assert!((m.geom.size[g] - DVec3::new(0.05, 0.3, 0.0)).length() < 1e-15);
    assert!((quat::rotate(m.geom.quat[g], DVec3::Z) + DVec3::Y).length() < 1e-12);
    // Its inertia: m r²/2 about its axis, m (3r² + l²)/12 across.
    let (b, mass) = (BodyId::new(1), m.body.mass[BodyId::new(1)]);
    let across = mass * (3.0 * 0.05f64.powi(2) + 0.6f64.powi(2)) / 12.0;
    assert!((m.body.inertia[b] - DVec3::new(across, across, mass * 0.05f64.powi(2) / 2.0)).length() < 1e-12);
}

/// Where rounding chooses between equal moments, axes are the reference's only if the last digits are.
#[test]
fn principal_axes_are_the_reference_s_to_the_last_digit() {
    let part = |size, pos: [f64; 3], turn| Geom {
        r#type: GeomType::Box,
        size,
        pos: DVec3::from_array(pos),
        orientation: Orientation::Quat(quat::from_wxyz(turn)),
        ..Default::default()
    };
    let mut spec = one_body(Body::default());
    spec.worldbody.bodies[0].geoms = vec![
        part([0.1, 0.2, 0.3], [0.1, 0.2, 0.05], [1.0, 0.2, 0.3, 0.4]),
        part([0.3, 0.1, 0.2], [-0.1, 0.25, 0.3], [0.5, -0.7, 0.1, 0.3]),
    ];
    let m = compiled(&spec);
    let axes = [0.7933462676863976, -0.23277856119241988, -0.24880888629146988, 0.5044898206105346];
    assert_eq!(quat::to_wxyz(m.body.iquat[BodyId::new(1)]), axes);
    let moments = DVec3::new(6.109793753304115, 5.228083222975619, 2.6621230237202633);
    assert_eq!(m.body.inertia[BodyId::new(1)], moments);
}

#[test]
fn total_mass_and_bounds() {
    let mut spec = pendulum();
    spec.compiler.settotalmass = 5.0;
    let m = compiled(&spec);
    assert!((m.body.subtreemass[BodyId::WORLD] - 5.0).abs() < 1e-12);
    assert!((m.body.inertia[BodyId::new(1)] - DVec3::new(0.25, 0.5, 0.375)).length() < 1e-12);
    spec.compiler.boundinertia = 0.18;
    spec.compiler.settotalmass = 0.0;
    assert_eq!(compiled(&spec).body.inertia[BodyId::new(1)], DVec3::new(0.18, 0.2, 0.18));
}

#[test]
fn constraints_take_their_poses_from_the_reference() {
    let mut spec = pendulum();
    spec.worldbody.bodies[0].pos = DVec3::new(1.0, 0.0, 0.0);
    let mut data = [0.0; 12];
    data[..3].copy_from_slice(&[0.0, 0.0, -1.0]);
    spec.equalities = vec![
        Equality { r#type: EqType::Connect, name1: "bob".into(), data, ..Default::default() },
        Equality { r#type: EqType::Weld, name1: "bob".into(), data: [0.0; 12], ..Default::default() },
    ];
    let m = compiled(&spec);
    assert_eq!(m.eq.data[EqualityId::new(0)][3..6], [1.0, 0.0, -1.0]);
    let weld = m.eq.data[EqualityId::new(1)];
    assert_eq!((&weld[3..6], quat::read(&weld[6..10])), (&[-1.0, 0.0, 0.0][..], DQuat::IDENTITY));
}

#[test]
fn keyframes_are_completed() {
    let mut spec = pendulum();
    spec.worldbody.bodies[0].joints[0].r#type = JointType::Ball;
    spec.worldbody.bodies.push(Body { mocap: true, pos: DVec3::Z, ..Default::default() });
    spec.keys.push(Key { name: "turned".into(), qpos: vec![0.0, 2.0, 0.0, 0.0], ..Default::default() });
    spec.size.nkey = 2;
    let m = compiled(&spec);
    assert_eq!(m.key.qpos, [0.0, 1.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0]);
    assert_eq!((m.key.mpos.as_slice(), m.key_id("turned")), ([DVec3::Z; 2].as_slice(), Some(KeyId::new(0))));
}

#[test]
fn problems_are_all_reported_with_help() {
    let mut spec = pendulum();
    let bob = &mut spec.worldbody.bodies[0];
    bob.geoms.push(Geom { condim: 2, ..sphere(0.1) });
    bob.geoms.push(sphere(-1.0));
    bob.joints[0].axis = DVec3::ZERO;
    bob.bodies.push(Body {
        name: "light".into(),
        joints: vec![Joint { r#type: JointType::Free, ..Default::default() }],
        ..Default::default()
    });
    bob.bodies.push(Body { name: "bob".into(), ..Default::default() });
    spec.excludes.push(Exclude { body1: "bbo".into(), body2: "light".into(), ..Default::default() });
    spec.keys.push(Key { qpos: vec![1.0; 9], ..Default::default() });
    let all = errors(&spec).join("\n");
    for part in [
        "geom: `condim` is 2 | it must be 1, 3, 4 or 6",
        "number 1 of `size` must be positive",
        "joint `pivot`: the axis has no length",
        "body `light`: a free joint is only for children of the world",
        "body `light`: it moves, but has no mass",
        "another body is named `bob` already",
        "there is no body named `bbo` | did you mean `bob`?",
        "keyframe: `qpos` has 9 numbers, but the model has 8",
    ] {
        assert!(all.contains(part), "{part}\nis not in\n{all}");
    }
}

#[test]
fn impossible_inertia_is_refused_or_balanced() {
    let mut spec = pendulum();
    spec.worldbody.bodies[0].inertial = inertial(1.0, DVec3::ZERO, [1.0, 1.0, 4.0]);
    assert!(errors(&spec)[0].contains("no body has the principal moments 1 1 4"));
    spec.compiler.balanceinertia = true;
    assert_eq!(compiled(&spec).body.inertia[BodyId::new(1)], DVec3::splat(2.0));
}

/// A spec with an extension for `mujoco.sdf.torus` and a geom of one.
fn ring() -> Spec {
    let mut spec = pendulum();
    spec.extensions.push(Extension { plugin: "mujoco.sdf.torus".into(), ..Default::default() });
    let plugin = Plugin {
        plugin: "mujoco.sdf.torus".into(),
        config: vec![("radius1".into(), ".2".into()), ("radius2".into(), "0.05".into())],
        ..Default::default()
    };
    let inertia = MeshInertia::Exact;
    spec.meshes.push(Mesh { name: "ring".into(), inertia, plugin: Some(plugin.clone()), ..Default::default() });
    let geom = Geom { r#type: GeomType::Sdf, mesh: "ring".into(), plugin: Some(plugin), ..Default::default() };
    spec.worldbody.bodies[0].geoms = vec![geom];
    spec.worldbody.bodies[0].inertial = None;
    spec
}

#[test]
fn a_function_makes_a_mesh_with_its_volume() {
    use std::f64::consts::PI;
    let m = compiled(&ring());
    assert_eq!((m.plugin.len(), m.geom.plugin[GeomId::new(0)]), (2, Some(PluginId::new(1))));
    assert_eq!(m.plugin_data.attr, b".2\x000.05\0.2\x000.05\0");
    // 2 π² R r², at the density of water.
    let volume = 2.0 * PI * PI * 0.2 * 0.05f64.powi(2);
    let mass = m.body.mass[BodyId::new(1)];
    assert!((mass / (1000.0 * volume) - 1.0).abs() < 2e-3, "{mass}");
    let [x, y, z] = m.geom.size[GeomId::new(0)].to_array();
    assert!((x - 0.25).abs() < 1e-3 && x == y && (z - 0.05).abs() < 1e-3);
    // What a function gives has no octree; a mesh of a signed-distance geom has one.
    assert_eq!(m.mesh.octadr.as_slice(), [-1]);
    let mut spec = ring();
    spec.worldbody.bodies[0].geoms[0].plugin = None;
    let cube = [-1, 1].into_iter().flat_map(|z| [-1, 1].into_iter().flat_map(move |y| [-1, 1].map(|x| [x, y, z])));
    let vertex = cube.flatten().map(|x| 0.1 * x as f32).collect();
    spec.meshes[0] = Mesh { name: "ring".into(), vertex, octree_maxdepth: 3, ..Default::default() };
    let m = compiled(&spec);
    assert_eq!((m.mesh.octadr.as_slice(), m.mesh_data.oct_depth[0]), (&[0][..], 0));
    assert_eq!(m.mesh_data.oct_depth.iter().max(), Some(&3));
}

#[test]
fn plugins_that_are_wrong_are_told() {
    let wrong = |edit: &dyn Fn(&mut Spec)| {
        let mut spec = ring();
        edit(&mut spec);
        errors(&spec).remove(0)
    };
    let of_geom = |spec: &mut Spec, edit: &dyn Fn(&mut Plugin)| {
        edit(spec.worldbody.bodies[0].geoms[0].plugin.as_mut().unwrap());
    };
    assert!(
        wrong(&|s| s.extensions[0].plugin = "mujoco.sdf.torsu".into()).contains("`mujoco.sdf.torsu` is not registered")
    );
    assert!(wrong(&|s| s.extensions.clear()).contains("`mujoco.sdf.torus` is not declared"));
    assert!(wrong(&|s| of_geom(s, &|p| p.config[0].0 = "radius3".into())).contains("has no attribute `radius3`"));
    assert!(wrong(&|s| of_geom(s, &|p| p.config[0].1 = "wide".into())).contains("`radius1`: `wide` is not a number"));
    assert!(wrong(&|s| of_geom(s, &|p| p.config[0].1 = "-1".into())).contains("-1 is not positive"));
    assert!(
        wrong(&|s| of_geom(s, &|p| p.instance = "none".into())).contains("no instance of a plugin is named `none`")
    );
    assert!(wrong(&|s| s.worldbody.bodies[0].geoms[0].r#type = GeomType::Mesh).contains("only a geom of type `sdf`"));
    let as_body = |s: &mut Spec| s.worldbody.bodies[0].plugin = s.meshes[0].plugin.clone();
    assert!(wrong(&as_body).contains("plugin `mujoco.sdf.torus` computes no passive forces"));
}

#[test]
fn built_in_textures_have_their_pixels() {
    let mut spec = Spec::default();
    spec.textures.push(Texture {
        name: "grid".into(),
        r#type: TextureType::TwoD,
        builtin: Builtin::Checker,
        mark: Mark::Edge,
        rgb1: [1.0; 3],
        rgb2: [0.0; 3],
        markrgb: [1.0, 0.0, 0.0],
        width: 8,
        height: 8,
        ..Default::default()
    });
    spec.textures.push(Texture { name: "sky".into(), builtin: Builtin::Gradient, width: 4, ..Default::default() });
    let m = compiled(&spec);
    assert_eq!(m.tex_data.len(), 3 * 64 + 3 * 6 * 16);
    let pixel = |r: usize, c: usize| &m.tex_data[3 * (8 * r + c)..][..3];
    assert_eq!((pixel(0, 3), pixel(1, 1), pixel(1, 6)), (&[255, 0, 0][..], &[255; 3][..], &[0; 3][..]));
}
