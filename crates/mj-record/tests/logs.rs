//! Logs of states: simulations go on from them as they did, and damaged ones are refused.

use mj_engine::Simulation;
use mj_record::{RecordError, StateLog};
use proptest::prelude::*;

type Outcome = Result<(), Box<dyn std::error::Error>>;

const MODEL: &str = "<mujoco model='pair'><worldbody>
    <body name='a' pos='0 0 1'><freejoint/><geom size='.1'/></body>
    <body mocap='true' pos='0 0 0'><geom type='box' size='1 1 .1'/></body>
    <body pos='3 0 1'><joint name='h'/><geom type='capsule' size='.05' fromto='0 0 0 .3 0 0'/></body>
    </worldbody><actuator><motor joint='h'/></actuator></mujoco>";

fn recorded() -> Result<(Simulation, StateLog), Box<dyn std::error::Error>> {
    let mut simulation = Simulation::from_xml(MODEL)?;
    let mut log = StateLog::new(simulation.model())?;
    for k in 0..20 {
        simulation.ctrl_mut()[0] = f64::from(k) * 0.1;
        log.push(simulation.model(), simulation.data())?;
        simulation.steps(20)?;
    }
    Ok((simulation, log))
}

#[test]
fn a_simulation_goes_on_from_a_file_as_it_did() -> Outcome {
    let (mut first, log) = recorded()?;
    let path = std::env::temp_dir().join(format!("mj-record-{}.mjstate", std::process::id()));
    log.save(&path)?;
    let loaded = StateLog::load(&path)?;
    std::fs::remove_file(path)?;
    assert_eq!(loaded, log);
    assert_eq!((loaded.len(), loaded.name()), (20, "pair"));

    let model = first.shared_model().clone();
    let mut second = Simulation::new(model.clone())?;
    loaded.restore(7, &model, second.data_mut())?;
    assert_eq!(Some(second.time()), loaded.time(7));
    second.steps(20)?;
    loaded.restore(8, &model, first.data_mut())?;
    assert_eq!(first.qpos(), second.qpos());
    assert_eq!(first.qvel(), second.qvel());
    assert!(matches!(
        loaded.restore(20, &model, second.data_mut()),
        Err(RecordError::NoFrame { frame: 20, count: 20 })
    ));
    assert_eq!((loaded.frame(usize::MAX), loaded.time(20)), (None, None));
    Ok(())
}

#[test]
fn another_model_is_refused() -> Outcome {
    let (_, mut log) = recorded()?;
    let mut other = Simulation::from_xml(
        "<mujoco model='b'><worldbody><body><freejoint/><geom size='1'/></body></worldbody></mujoco>",
    )?;
    let model = other.shared_model().clone();
    let error = log.restore(0, &model, other.data_mut()).unwrap_err();
    assert!(error.to_string().contains("with the model `pair`"), "{error}");
    assert!(matches!(log.push(&model, other.data()), Err(RecordError::OtherModel { .. })));
    assert_eq!(log.len(), 20);
    Ok(())
}

proptest! {
    #[test]
    fn damaged_logs_are_read_or_refused(at in 0..44_usize, value in any::<u8>(), cut in 0..400_usize) {
        let (_, log) = recorded().unwrap();
        let mut bytes = log.to_bytes();
        bytes[at] = value;
        let _ = StateLog::from_bytes(&bytes);
        bytes.truncate(cut);
        prop_assert!(StateLog::from_bytes(&bytes).is_err());
    }

    #[test]
    fn any_bytes_are_refused(bytes in prop::collection::vec(any::<u8>(), 0..100)) {
        prop_assert!(StateLog::from_bytes(&bytes).is_err());
    }

    /// A head that claims much is refused before memory is taken for it.
    #[test]
    fn claims_are_checked(width in any::<u32>(), count in any::<u64>()) {
        let mut bytes = recorded().unwrap().1.to_bytes();
        bytes[20..24].copy_from_slice(&width.to_le_bytes());
        bytes[24..32].copy_from_slice(&count.to_le_bytes());
        prop_assert!(StateLog::from_bytes(&bytes).is_err());
    }
}
