//! Flexes, of flexcomps and written by hand, under all integrators and solvers.
#![no_main]

use mj_fuzz::Value::{Integers, Numbers, Words};
use mj_fuzz::{Choices, load_and_step};
use mj_mjcf::Memory;

const BOOL: &[&str] = &["true", "false"];
const KINDS: &[&str] =
    &["grid", "box", "cylinder", "ellipsoid", "square", "disc", "circle", "mesh", "direct", "grid", "grid"];
const DOFS: &[&str] = &["full", "radial", "trilinear", "quadratic", "2d", "full"];

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let mut c = Choices::new(bytes);
    let option = c.element(
        "option",
        &[
            ("integrator", Words(&["Euler", "RK4", "implicit", "implicitfast", "discrete"])),
            ("solver", Words(&["PGS", "CG", "Newton"])),
            ("cone", Words(&["pyramidal", "elliptic"])),
            ("timestep", Numbers(1)),
        ],
        "",
    );
    let flag = c.of(&["", "", "<option><flag ipc='enable'/></option>", "<option><flag island='disable'/></option>"]);
    let flag = flag.to_owned() + c.of(&["", "", "<option><flag sleep='enable'/></option>"]);
    let (mut bodies, mut flexes, mut equalities) = (String::new(), String::new(), String::new());
    for i in 0..2 {
        if !c.left() {
            break;
        }
        if c.byte() % 4 == 0 {
            let (text, points) = flex(&mut c, i);
            bodies += &points;
            flexes += &text;
        } else {
            bodies += &flexcomp(&mut c, i);
        }
        let equality = c.of(&["flex", "flexstrain"]);
        equalities += &c.element(equality, &[("cell", Integers(3, 3)), ("flex", Words(&["f0", "f1"]))], "");
    }
    let equalities = if c.byte() % 4 == 0 { equalities } else { String::new() };
    let sensor = c.of(&["", "<rangefinder site='eye'/>", "<e_potential/><e_kinetic/>"]);
    let text = format!(
        "<mujoco>{option}{flag}<asset><mesh name='m' builtin='sphere' params='1' scale='.2 .2 .2'/></asset><worldbody>
        <geom type='plane' size='2 2 .1'/><site name='eye' pos='0 0 2' zaxis='0 0 -1'/>
        <body pos='.1 0 .2'><freejoint/><geom type='box' size='.1 .1 .1'/></body>
        {bodies}</worldbody><deformable>{flexes}</deformable><equality>{equalities}</equality><sensor>{sensor}</sensor></mujoco>"
    );
    let mut files = Memory::new();
    files.insert("model.xml", text);
    load_and_step(&files, "model.xml");
});

/// A flexcomp.
fn flexcomp(c: &mut Choices<'_>, i: usize) -> String {
    let parts = parts(c);
    let edge = c.element(
        "edge",
        &[
            ("equality", Words(&["true", "false", "strain"])),
            ("solref", Numbers(2)),
            ("stiffness", Numbers(1)),
            ("damping", Numbers(1)),
        ],
        "",
    );
    let pin = c.element(
        "pin",
        &[("id", Integers(2, 9)), ("range", Integers(2, 9)), ("grid", Integers(3, 3)), ("gridrange", Integers(6, 3))],
        "",
    );
    c.element(
        "flexcomp",
        &[
            ("type", Words(KINDS)),
            ("dim", Integers(1, 3)),
            ("dim", Words(&["2"])),
            ("dof", Words(DOFS)),
            ("count", Integers(3, 5)),
            ("cellcount", Integers(3, 3)),
            ("spacing", Numbers(3)),
            ("radius", Words(&["0.01", "0.05", "-1", "0"])),
            ("rigid", Words(BOOL)),
            ("mass", Numbers(1)),
            ("inertiabox", Numbers(1)),
            ("scale", Numbers(3)),
            ("mesh", Words(&["m"])),
            ("point", Numbers(12)),
            ("element", Integers(8, 3)),
            ("texcoord", Numbers(8)),
            ("flatskin", Words(BOOL)),
            ("pos", Numbers(3)),
            ("origin", Numbers(3)),
            ("quat", Numbers(4)),
        ],
        &format!("{parts}{edge}{pin}"),
    )
    .replacen("<flexcomp", &format!("<flexcomp name='f{i}'"), 1)
}

/// Contact and elasticity of a flex.
fn parts(c: &mut Choices<'_>) -> String {
    let contact = c.element(
        "contact",
        &[
            ("condim", Words(&["1", "3", "4", "6", "2"])),
            ("solref", Numbers(2)),
            ("solimp", Numbers(5)),
            ("margin", Numbers(1)),
            ("gap", Numbers(1)),
            ("selfcollide", Words(&["none", "narrow", "bvh", "sap", "auto"])),
            ("activelayers", Integers(1, 4)),
            ("passive", Words(BOOL)),
        ],
        "",
    );
    let elasticity = c.element(
        "elasticity",
        &[
            ("young", Words(&["1e3", "1e6", "-1", "1e300", "5e4"])),
            ("poisson", Words(&["0", "0.3", "0.5", "-1", "0.49"])),
            ("shear", Words(&["1e3", "-1", "1e-300"])),
            ("damping", Numbers(1)),
            ("thickness", Words(&["0.01", "0", "-1", "1e9"])),
            ("yield", Numbers(2)),
            ("elastic2d", Words(&["none", "bend", "stretch", "both"])),
            ("section", Words(&["circle", "box"])),
            ("sectionsize", Words(&["0.01 0.02", "0 0", "-1 1", "0.01 1e300"])),
        ],
        "",
    );
    contact + &elasticity
}

/// A flex written by hand, and its bodies.
fn flex(c: &mut Choices<'_>, i: usize) -> (String, String) {
    let parts = parts(c);
    let count = usize::from(c.byte() % 6);
    let mut bodies = String::new();
    for k in 0..count {
        let pos = c.numbers(3);
        let joint = c.of(&["<freejoint/>", "", "<joint type='slide'/>", "<joint/>", "<joint type='ball'/>"]);
        bodies += &format!(
            "<body name='b{i}_{k}' pos='{pos}'>{joint}<inertial pos='0 0 0' mass='.1' diaginertia='1e-3 1e-3 1e-3'/></body>"
        );
    }
    let names: Vec<String> = (0..count).map(|k| format!("b{i}_{k}")).collect();
    let names = c.of(&[names.join(" ").as_str(), "world", ""]).to_owned();
    let node = if c.byte() % 4 == 0 { format!(" node='{names}'") } else { String::new() };
    let (elements, vertices) = (usize::from(c.byte() % 9), usize::from(c.byte() % 16));
    let text = c.element(
        "flex",
        &[
            ("dim", Integers(1, 3)),
            ("radius", Words(&["0.01", "0.05", "-1", "0"])),
            ("element", Integers(elements, 5)),
            ("vertex", Numbers(vertices)),
            ("texcoord", Numbers(6)),
            ("elemtexcoord", Integers(3, 5)),
            ("nodecoord", Numbers(24)),
            ("cellcount", Integers(3, 3)),
            ("dof", Words(DOFS)),
            ("flatskin", Words(BOOL)),
        ],
        &parts,
    );
    (text.replacen("<flex", &format!("<flex name='f{i}' body='{names}'{node}"), 1), bodies)
}
