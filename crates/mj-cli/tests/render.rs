//! Pictures, pages, depth and ids of `mj render`, and the URL of `mj view`; without the feature `view`, how to get them.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn mj(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_mj")).args(args).output().expect("the command starts")
}

fn stderr(o: &Output) -> String {
    String::from_utf8_lossy(&o.stderr).into_owned()
}

fn scratch(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(name)
}

#[cfg(not(feature = "view"))]
#[test]
fn builds_without_pictures_say_how_to_get_them() {
    let path = scratch("none.png");
    let o = mj(&["render", "humanoid", "-o", path.to_str().expect("utf-8")]);
    assert_eq!(o.status.code(), Some(2));
    assert!(stderr(&o).contains("--features view"), "{}", stderr(&o));
    assert!(!path.exists());
}

#[cfg(not(feature = "view"))]
#[test]
fn builds_without_the_viewer_say_how_to_get_it() {
    let o = mj(&["view", "humanoid", "--web"]);
    assert_eq!(o.status.code(), Some(2));
    assert!(stderr(&o).contains("--features view"), "{}", stderr(&o));
}

#[cfg(feature = "view")]
mod drawn {
    use super::*;

    #[test]
    fn the_viewer_prints_a_url_that_serves_the_page() {
        use std::io::{BufRead, BufReader, Read, Write};
        let mut command = Command::new(env!("CARGO_BIN_EXE_mj"));
        command.args(["view", "humanoid", "--web", "--key", "squat"]).stdout(std::process::Stdio::piped());
        let mut child = command.spawn().expect("the command starts");
        let mut url = String::new();
        BufReader::new(child.stdout.take().expect("is piped")).read_line(&mut url).expect("a line");
        let (host, path) = url.trim().strip_prefix("http://").and_then(|u| u.split_once('/')).expect("a URL");
        let mut stream = std::net::TcpStream::connect(host).expect("is served");
        write!(stream, "GET /{path} HTTP/1.1\r\nHost: {host}\r\n\r\n").expect("is asked");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("answers");
        child.kill().expect("runs");
        child.wait().expect("ends");
        assert!(answer.starts_with("HTTP/1.1 200 OK"), "{answer}");
        for args in [&["view", "humanoid", "--web", "--key", "none"][..], &["view", "none", "--web"]] {
            assert!(!mj(args).status.success());
        }
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn without_a_display_the_browser_is_named() {
        let mut command = Command::new(env!("CARGO_BIN_EXE_mj"));
        command.args(["view", "humanoid"]).env_remove("DISPLAY").env_remove("WAYLAND_DISPLAY");
        let output = command.env_remove("WAYLAND_SOCKET").output().expect("runs");
        assert!(!output.status.success());
        assert!(stderr(&output).contains("--web"), "{}", stderr(&output));
    }

    const BALL: &str = r#"<mujoco><statistic extent="2"/><visual><headlight ambient="1 1 1" diffuse="0 0 0" specular="0 0 0"/></visual>
      <worldbody><camera name="side" pos="0 -2 0" xyaxes="1 0 0 0 0 1" fovy="45"/>
      <body><freejoint/><geom name="ball" size=".25" rgba="1 0 0 1"/></body></worldbody></mujoco>"#;

    fn model(name: &str) -> String {
        let path = scratch(name);
        std::fs::write(&path, BALL).expect("is written");
        path.to_str().expect("utf-8").to_string()
    }

    #[test]
    fn depth_and_ids_are_those_of_a_ball() {
        let (model, depth, ids) = (model("depth.xml"), scratch("depth.npz"), scratch("ids.npz"));
        let picture = scratch("ball.png");
        let [depth_, ids_, picture_] = [&depth, &ids, &picture].map(|p| p.to_str().expect("utf-8"));
        let o = mj(&[
            "render", &model, "-o", picture_, "--size", "64x48", "--camera", "side", "--depth", depth_, "--ids", ids_,
        ]);
        assert!(o.status.success(), "{}", stderr(&o));
        assert!(std::fs::read(&picture).expect("is there").starts_with(b"\x89PNG"));
        let arrays = mj_npz::read(&depth).expect("is read");
        assert_eq!(arrays["depth"].shape(), [48, 64]);
        let depth = arrays["depth"].to_f64();
        let middle = 24 * 64 + 32;
        // A ball of radius 1/4, 2 m away.
        assert!((depth[middle] - 1.75).abs() < 5e-3, "{}", depth[middle]);
        let arrays = mj_npz::read(&ids).expect("is read");
        assert_eq!(arrays["ids"].shape(), [48, 64, 2]);
        let ids = arrays["ids"].to_f64();
        assert_eq!(ids[2 * middle..2 * middle + 2], [0.0, 5.0]);
        assert_eq!(ids[..2], [-1.0, -1.0]);
        // The ball's outline is a circle of radius 0.25/√(4 − 0.25²) · 24/tan 22.5° pixels.
        let seen = ids.chunks_exact(2).filter(|id| id[0] == 0.0).count() as f64;
        let radius = 0.25 / (4.0_f64 - 0.0625).sqrt() * 24.0 / 22.5_f64.to_radians().tan();
        let area = std::f64::consts::PI * radius * radius;
        assert!((seen / area - 1.0).abs() < 0.05, "{seen} pixels, {area:.1} wanted");
    }

    #[test]
    fn labels_are_written_and_shading_is_chosen() {
        let model = model("shaded.xml");
        let draw = |more: &[&str]| {
            let o = mj(&[&["render", &model, "-o", "-", "--size", "64x48", "--camera", "side"], more].concat());
            assert!(o.status.success(), "{}", stderr(&o));
            o.stdout
        };
        let plain = draw(&[]);
        assert_eq!(draw(&["--shading", "phong"]), plain);
        let white = |rgb: &[u8]| rgb.chunks_exact(3).filter(|p| p.iter().all(|&c| c > 240)).count();
        assert!(white(&plain) == 0 && white(&draw(&["--label", "geom"])) > 10);
        // The middle of the ball is red in both; a stop more is brighter.
        let middle = 3 * (24 * 64 + 32);
        let shaded = draw(&["--shading", "physical", "--tone-map", "clip", "--exposure", "-3"]);
        let brighter = draw(&["--shading", "physical", "--tone-map", "clip", "--exposure", "-2"]);
        assert!(
            shaded[middle] > 2 * shaded[middle + 1] && brighter[middle] > shaded[middle] + 10,
            "{}",
            shaded[middle]
        );
    }

    #[test]
    fn frames_fall_with_the_ball() {
        let model = model("frames.xml");
        let args = ["--size", "32x24", "--camera", "side", "--duration", "0.3", "--fps", "10"];
        let o = mj(&[&["render", &model, "-o", "-"], &args[..]].concat());
        assert!(o.status.success(), "{}", stderr(&o));
        assert_eq!(o.stdout.len(), 3 * 32 * 24 * 3);
        let red_row = |frame: &[u8]| {
            let red: Vec<usize> = (0..32 * 24).filter(|&i| frame[3 * i] > 128).map(|i| i / 32).collect();
            red.iter().sum::<usize>() as f64 / red.len() as f64
        };
        let rows: Vec<f64> = o.stdout.chunks_exact(32 * 24 * 3).map(red_row).collect();
        assert!(rows[0] < rows[1] && rows[1] < rows[2], "{rows:?}");
    }

    #[test]
    fn pages_need_no_adapter() {
        let (model, page) = (model("page.xml"), scratch("page.html"));
        let path = page.to_str().expect("utf-8");
        let o = mj(&["render", &model, "-o", path, "--duration", "0.5", "--adapter", "none of this name"]);
        assert!(o.status.success(), "{}", stderr(&o));
        assert!(std::fs::read_to_string(&page).expect("is there").contains("<canvas"));
    }

    #[test]
    fn mistakes_are_told_before_anything_is_drawn() {
        let model = model("mistakes.xml");
        let wrong = [
            (&["-o", "x.gif"][..], "expected .png, .apng, .mp4, .html"),
            (&["-o", "x.png", "--duration", "2"], "holds one picture"),
            (&["--camera", "sied"], "did you mean `side`?"),
            (&["--size", "640"], "expected WxH"),
            (&["--duration", "-1"], "expected more than 0"),
            (&["--fps", "0"], "expected more than 0"),
            (&["--vis", "contactforces=1"], "did you mean `contactforce`?"),
            (&["--vis", "contactforce"], "expected FLAG=0 or FLAG=1"),
            (&["-o", "-", "--adapter", "none of this name"], "none of this name"),
            (&["-o", "x.png", "--exposure", "1"], "belong to --shading physical"),
            (&["-o", "x.png", "--shading", "physical", "--exposure", "99"], "expected between -30 and 30 stops"),
            (&["-o", "x.png", "--shading", "phisical"], "[possible values: phong, physical]"),
            (&["-o", "x.html", "--shading", "physical"], "expected a picture"),
        ];
        for (args, message) in wrong {
            let o = mj(&[&["render", &model], args].concat());
            assert_eq!(o.status.code(), Some(2), "{args:?}: {}", stderr(&o));
            assert!(stderr(&o).contains(message), "{args:?}: {}", stderr(&o));
        }
    }

    #[test]
    fn free_cameras_turn_and_come_nearer() {
        let [path, depth, picture] = ["brick.xml", "brick.npz", "brick.png"].map(scratch);
        let brick = r#"<mujoco><statistic center="0 0 0" extent="2"/>
          <worldbody><geom type="box" size=".1 .2 .3"/></worldbody></mujoco>"#;
        std::fs::write(&path, brick).expect("is written");
        let [path, depth_, picture] = [&path, &depth, &picture].map(|p| p.to_str().expect("utf-8"));
        // Along x, along y, and down: each view sees another half size of the brick.
        for (azimuth, elevation, distance, expected) in
            [("0", "0", "4", 3.9), ("90", "0", "4", 3.8), ("0", "-90", "2", 1.7)]
        {
            let turn = ["--azimuth", azimuth, "--elevation", elevation, "--distance", distance];
            let o = mj(&[&["render", path, "-o", picture, "--size", "64x48", "--depth", depth_], &turn[..]].concat());
            assert!(o.status.success(), "{}", stderr(&o));
            let seen = mj_npz::read(&depth).expect("is read")["depth"].to_f64()[24 * 64 + 32];
            assert!((seen - expected).abs() < 1e-3, "{turn:?}: {seen}");
        }
    }

    #[test]
    fn cameras_that_cannot_be_turned_are_refused() {
        let (model, picture) = (model("turned.xml"), scratch("turned.png"));
        let picture = picture.to_str().expect("utf-8");
        for (arguments, said) in [
            (&["--camera", "side", "--azimuth", "3"][..], "--azimuth: expected a free camera"),
            (&["--distance", "-1"], "--distance -1: expected more than 0 m"),
            (&["--elevation", "nan"], "--elevation NaN: expected a finite number"),
        ] {
            let o = mj(&[&["render", &model, "-o", picture], arguments].concat());
            assert_eq!(o.status.code(), Some(2), "{}", stderr(&o));
            assert!(stderr(&o).contains(said), "{}", stderr(&o));
        }
    }
}
