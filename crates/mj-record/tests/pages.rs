//! Pages that play recordings: their size, and what is in them.

use mj_engine::Simulation;
use mj_record::{HtmlOptions, HtmlRecorder, RecordError};
use mj_scene::{Camera, Scene, SceneOptions, VisFlag, category, update_scene};

type Outcome = Result<(), Box<dyn std::error::Error>>;

/// Records a simulation at 60 Hz; `control` returns the controls of a step.
fn record(
    simulation: &mut Simulation,
    seconds: u32,
    flags: &[VisFlag],
    mut control: impl FnMut(usize, usize) -> f64,
) -> Result<String, Box<dyn std::error::Error>> {
    let model = simulation.shared_model().clone();
    let mut options = SceneOptions::default();
    flags.iter().for_each(|f| options.set_flag(*f, true));
    let (mut camera, mut scene) = (Camera::free(&model), Scene::default());
    let mut recorder = HtmlRecorder::new(&model, HtmlOptions::default());
    let mut step = 0;
    for frame in 0..60 * seconds {
        while simulation.time() < f64::from(frame) / 60.0 {
            simulation.ctrl_mut().iter_mut().enumerate().for_each(|(i, u)| *u = control(step, i));
            simulation.step()?;
            step += 1;
        }
        simulation.forward()?;
        update_scene(&model, simulation.data(), &options, None, &mut camera, category::ALL, &mut scene)?;
        recorder.frame(&scene, simulation.time())?;
    }
    Ok(recorder.finish()?)
}

fn humanoid() -> Result<Simulation, Box<dyn std::error::Error>> {
    Ok(Simulation::load(concat!(env!("CARGO_MANIFEST_DIR"), "/../../models/humanoid.xml"))?)
}

/// Ten seconds of a humanoid that never rests are less than 150 kB, with contacts and their forces too.
#[test]
fn ten_seconds_of_a_humanoid_are_small() -> Outcome {
    // Motors that swing at frequencies of their own.
    let swing = |step: usize, i: usize| 0.6 * (step as f64 * 0.005 * (5.0 + 0.7 * i as f64)).sin();
    for (name, flags) in [("bodies", &[][..]), ("contacts", &[VisFlag::ContactPoint, VisFlag::ContactForce])] {
        let mut simulation = humanoid()?;
        let page = record(&mut simulation, 10, flags, swing)?;
        println!("humanoid, 10 s at 60 Hz, {name}: {} bytes", page.len());
        assert!(page.len() < 150_000, "{name}: {} bytes", page.len());
    }
    Ok(())
}

/// Names and labels are in the compressed block alone, the title is escaped.
#[test]
fn names_do_not_end_the_script() -> Outcome {
    let xml = "<mujoco model='&lt;/script>&lt;b>'><worldbody><body name='&lt;/script>&lt;img>'><freejoint/>\
               <geom size='.1'/></body></worldbody></mujoco>";
    let page = record(&mut Simulation::from_xml(xml)?, 1, &[], |_, _| 0.0)?;
    assert!(page.contains("<title>&lt;/script&gt;&lt;b&gt;</title>"));
    assert_eq!(page.matches("</script>").count(), page.matches("<script").count());
    assert!(!page.contains("<img"));
    Ok(())
}

#[test]
fn times_do_not_run_back() -> Outcome {
    let simulation = humanoid()?;
    let mut recorder = HtmlRecorder::new(simulation.model(), HtmlOptions::default());
    recorder.frame(&Scene::default(), 1.0)?;
    for time in [0.5, f64::NAN, f64::INFINITY] {
        let error = recorder.frame(&Scene::default(), time).unwrap_err();
        assert!(matches!(error, RecordError::Time { frame: 1, .. }), "{error}");
    }
    assert_eq!(recorder.frames(), 1);
    let nothing = HtmlRecorder::new(simulation.model(), HtmlOptions::default());
    assert!(matches!(nothing.finish(), Err(RecordError::Empty)));
    Ok(())
}

/// Scenes whose numbers are no numbers, and whose ids name nothing, are recorded without a panic.
#[test]
fn hostile_scenes_do_no_harm() -> Outcome {
    use mj_scene::{SceneGeom, SceneLight, SceneShape};
    let simulation = humanoid()?;
    let mut recorder = HtmlRecorder::new(simulation.model(), HtmlOptions { steps: f64::NAN, ..HtmlOptions::default() });
    let shapes = SceneShape::ALL.iter().flat_map(|&shape| {
        [(0.0, 0), (f32::NAN, i32::MAX), (f32::INFINITY, i32::MIN)].map(|(x, id)| SceneGeom {
            r#type: shape,
            dataid: id,
            objid: id,
            matid: id,
            texid: id,
            size: [x; 3],
            pos: [x; 3],
            mat: [x; 9],
            rgba: [x; 4],
            objtype: mj_engine::model::ObjType::Geom,
            ..SceneGeom::default()
        })
    });
    let light = SceneLight { pos: [f32::NAN; 3], dir: [f32::INFINITY; 3], ..SceneLight::default() };
    let mut scene = Scene::default();
    scene.geoms.extend(shapes);
    scene.lights.push(light);
    recorder.frame(&scene, 0.0)?;
    recorder.frame(&scene, 0.0)?;
    assert!(!recorder.finish()?.is_empty());
    Ok(())
}
