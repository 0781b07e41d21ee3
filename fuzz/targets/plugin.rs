//! Plugins and their configuration, on all elements that take one.
#![no_main]

use mj_fuzz::{Choices, load_and_step};
use mj_mjcf::Memory;

/// Plugins, with attributes of all of them.
const PLUGINS: &[&str] = &[
    "mujoco.pid",
    "mujoco.sensor.touch_grid",
    "mujoco.sdf.torus",
    "mujoco.sdf.bowl",
    "mujoco.sdf.bolt",
    "mujoco.sdf.nut",
    "mujoco.sdf.gear",
    "mujoco.none",
    "",
];
const KEYS: &[&str] = &[
    "kp",
    "ki",
    "kd",
    "imax",
    "slewmax",
    "nchannel",
    "size",
    "fov",
    "gamma",
    "radius",
    "radius1",
    "radius2",
    "height",
    "thickness",
    "alpha",
    "diameter",
    "teeth",
    "innerdiameter",
    "other",
    "",
];

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let mut c = Choices::new(bytes);
    let mut extension = String::new();
    for i in 0..c.byte() % 4 {
        let (plugin, config) = (c.of(PLUGINS), config(&mut c));
        extension += &format!("<plugin plugin='{plugin}'><instance name='i{i}'>{config}</instance></plugin>");
    }
    for plugin in PLUGINS.iter().take(7) {
        if c.byte() % 8 != 0 {
            extension += &format!("<plugin plugin='{plugin}'/>");
        }
    }
    let iterations = c.of(&["", "sdf_iterations='3' sdf_initpoints='4'", "sdf_iterations='0'", "sdf_initpoints='-1'"]);
    let integrator = c.of(&["Euler", "RK4", "implicit", "implicitfast", "discrete"]);
    let mesh = if c.byte() % 4 == 0 { user(&mut c) } else { String::new() };
    let mut geoms = String::new();
    for _ in 0..c.byte() % 4 {
        let kind = c.of(&["sdf", "sdf", "sdf", "mesh", "sphere"]);
        let (pos, plugin) = (c.numbers(3), user(&mut c));
        let joint = c.of(&["<freejoint/>", "<joint/>", ""]);
        let (size, mesh) = if kind == "sphere" { ("size='.2'", "") } else { ("", "mesh='m'") };
        geoms += &format!("<body pos='{pos}'>{joint}<geom type='{kind}' {mesh} {size}>{plugin}</geom></body>");
    }
    let body = if c.byte() % 4 == 0 { user(&mut c) } else { String::new() };
    let mut actuators = String::new();
    for _ in 0..c.byte() % 3 {
        let more = c.of(&[
            "",
            "actdim='1'",
            "actdim='2'",
            "dyntype='filter' actdim='2'",
            "ctrlrange='-1 1'",
            "delay='1' nsample='2'",
        ]);
        actuators += &user(&mut c).replacen("<plugin", &format!("<plugin joint='j' {more}"), 1);
    }
    let mut sensors = String::new();
    for _ in 0..c.byte() % 3 {
        let object = c.of(&["objtype='site' objname='s'", "objtype='body' objname='b'", "", "objtype='site'"]);
        let more = c.of(&["", "cutoff='1'", "delay='.1' nsample='2'", "interval='.1'"]);
        sensors += &user(&mut c).replacen("<plugin", &format!("<plugin {object} {more}"), 1);
    }
    let key = c.of(&["", "<key act='0 0'/>", "<key act='1 2 3'/>"]);
    let text = format!(
        "<mujoco><extension>{extension}</extension><option integrator='{integrator}' {iterations}/>
        <asset><mesh name='m' builtin='sphere' params='1' scale='.3 .3 .3'>{mesh}</mesh></asset>
        <worldbody><geom type='plane' size='2 2 .1'/>
        <body name='b' pos='0 0 .3'>{body}<joint name='j'/><geom size='.1'/><geom type='box' size='.1 .1 .1' pos='.3 0 0'/>
        <site name='s'/></body>{geoms}</worldbody><actuator>{actuators}</actuator><sensor>{sensors}</sensor>
        <keyframe>{key}</keyframe></mujoco>"
    );
    let mut files = Memory::new();
    files.insert("model.xml", text);
    load_and_step(&files, "model.xml");
});

/// A use of a plugin: by name or by instance, with a configuration or without.
fn user(c: &mut Choices<'_>) -> String {
    let (which, name, instance) = (c.byte(), c.of(PLUGINS), c.byte() % 4);
    let config = config(c);
    match which % 4 {
        0 => format!("<plugin plugin='{name}'/>"),
        1 => format!("<plugin plugin='{name}'>{config}</plugin>"),
        2 => format!("<plugin instance='i{instance}'/>"),
        _ => format!("<plugin plugin='{name}' instance='i{instance}'>{config}</plugin>"),
    }
}

/// Some settings.
fn config(c: &mut Choices<'_>) -> String {
    let mut text = String::new();
    for _ in 0..c.byte() % 5 {
        let (key, count) = (c.of(KEYS), usize::from(c.byte() % 4));
        text += &format!("<config key='{key}' value='{}'/>", c.numbers(count));
    }
    text
}
