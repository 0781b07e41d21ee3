//! Checks on entry to the functions that step: sizes, and calls from inside a hook.

use crate::data::Data;
use crate::data::workspace::{Entry, Inside};
use crate::errors::step::StepError;
use crate::errors::support::unsupported_options;
use crate::sleep;
use mj_model::{FlexId, IntegratorType, Model, State};

/// Checks the lengths of all vectors of a state against a model.
///
/// Example: [`get_state`](crate::get_state).
///
/// # Errors
/// If a vector has another length than the model needs.
pub fn check_state(m: &Model, s: &State) -> Result<(), StepError> {
    let lengths = [
        ("qpos", s.qpos.len(), m.nq()),
        ("qvel", s.qvel.len(), m.nv()),
        ("act", s.act.len(), m.na),
        ("history", s.history.len(), m.nhistory),
        ("plastic", s.plastic.len(), m.nplastic),
        ("plugin_state", s.plugin_state.len(), m.npluginstate()),
        ("qacc_warmstart", s.qacc_warmstart.len(), m.nv()),
        ("ctrl", s.ctrl.len(), m.nu()),
        ("qfrc_applied", s.qfrc_applied.len(), m.nv()),
        ("xfrc_applied", s.xfrc_applied.len(), m.body.len()),
        ("eq_active", s.eq_active.len(), m.eq.len()),
        ("mocap_pos", s.mocap_pos.len(), m.nmocap),
        ("mocap_quat", s.mocap_quat.len(), m.nmocap),
        ("userdata", s.userdata.len(), m.nuserdata),
    ];
    check_lengths(&lengths)
}

#[inline(always)]
fn check_lengths(lengths: &[(&'static str, usize, usize)]) -> Result<(), StepError> {
    // Without a branch for each: nearly always all are right.
    if lengths.iter().fold(0, |wrong, (_, got, expected)| wrong | (got ^ expected)) == 0 {
        return Ok(());
    }
    wrong_length(lengths)
}

#[cold]
fn wrong_length(lengths: &[(&'static str, usize, usize)]) -> Result<(), StepError> {
    match lengths.iter().find(|(_, got, expected)| got != expected) {
        None => Ok(()),
        Some(&(vector, got, expected)) => Err(StepError::Length { vector, expected, got }),
    }
}

/// Checks that data was made for a model of this structure, and that no vector of its state was resized.
///
/// Example: [`get_state`](crate::get_state).
///
/// # Errors
/// If the data was made for a model of another structure, or a vector has another length than the model needs.
pub fn check_data(m: &Model, d: &Data) -> Result<(), StepError> {
    if m.structure.signature() != d.signature {
        return Err(another_structure(m, d));
    }
    check_state(m, &d.state)?;
    check_lengths(&[("qacc", d.qacc.len(), m.nv()), ("sensordata", d.sensordata.len(), m.nsensordata)])
}

/// The first table of which data and model have different numbers of elements.
#[cold]
fn another_structure(m: &Model, d: &Data) -> StepError {
    let p = &d.smooth.poses;
    let counts = [
        ("bodies", p.xpos.len(), m.body.len()),
        ("joints", p.xanchor.len(), m.jnt.len()),
        ("dofs", p.cdof.len(), m.nv()),
        ("geoms", p.geom_xpos.len(), m.geom.len()),
        ("sites", p.site_xpos.len(), m.site.len()),
        ("cameras", p.cam_xpos.len(), m.cam.len()),
        ("lights", p.light_xpos.len(), m.light.len()),
        ("tendons", d.smooth.transmissions.ten_length.len(), m.tendon.len()),
        ("actuator outputs", d.smooth.transmissions.actuator_length.len(), m.nout()),
        ("trees", d.sleep.tree_asleep.len(), m.tree.len()),
    ];
    match counts.iter().find(|(_, got, expected)| got != expected) {
        Some(&(table, got, expected)) => StepError::Structure { table, expected, got },
        None => StepError::Signature,
    }
}

/// Checks that a function that calls hooks may go on.
pub(crate) fn admit(m: &Model, d: &mut Data, function: &'static str) -> Result<(), StepError> {
    match d.ws.entry.inside {
        Inside::Hook => {
            // The error is for both: the hook, and whoever called the step that called it.
            let e = StepError::InsideHook { function };
            d.ws.entry.refused.get_or_insert(e);
            return Err(e);
        }
        Inside::CopyOfHook if d.hooks.is_some() => return Err(StepError::InsideHook { function }),
        _ => check_data(m, d)?,
    }
    if let Some(&option) = unsupported_options(m).first() {
        return Err(StepError::Unsupported(option));
    }
    if d.solver.as_ref().is_some_and(|solver| !solver.takes_stiffness()) && has_stiffness(m) {
        return Err(StepError::SolverWithoutStiffness);
    }
    d.ws.entry = Entry::default();
    if !d.state.awake.fits(m) {
        // The state came from elsewhere, without ranges of its own.
        sleep::publish(m, d);
    }
    Ok(())
}

/// Whether the inertia of a step has the stiffness of flexes.
fn has_stiffness(m: &Model) -> bool {
    let elastic = |f: FlexId| !m.flex.rigid[f] && m.flex_is_elastic(f);
    m.opt.integrator == IntegratorType::Discrete && m.flex.ids().any(elastic)
}

/// Lets data that was copied inside a hook call hooks of its own. The caller sees to it that hooks don't step copies without
/// end.
///
/// ```
/// use mj_engine::*;
/// use std::sync::Arc;
///
/// /// Pushes a joint.
/// #[derive(Debug)]
/// struct Push;
///
/// impl Hooks for Push {
///     fn control(&self, _: &Model, d: &mut Data) {
///         d.state.qfrc_applied[0] = 1.0;
///     }
/// }
///
/// /// Pulls as hard as the push would make the joint go in one step.
/// #[derive(Debug)]
/// struct Counter;
///
/// impl Hooks for Counter {
///     fn control(&self, m: &Model, d: &mut Data) {
///         let mut copy = d.clone();
///         copy.hooks = Some(Arc::new(Push));
///         allow_hooks(&mut copy);
///         step(m, &mut copy).unwrap();
///         d.state.qfrc_applied[0] = -copy.state.qvel[0];
///     }
/// }
///
/// let m = load_str(
///     r#"<mujoco><option timestep=".01"/><worldbody><body><joint type="slide" axis="1 0 0"/><geom size=".1" mass="1"/>
///     </body></worldbody></mujoco>"#,
/// )?;
/// let mut d = Data::new(&m)?;
/// d.hooks = Some(Arc::new(Counter));
/// forward(&m, &mut d)?;
/// assert!((d.qacc[0] + 0.01).abs() < 1e-12);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn allow_hooks(d: &mut Data) {
    d.ws.entry = Entry::default();
}

/// Takes the error of a hook of the present call.
pub(crate) fn take_error(d: &mut Data) -> Result<(), StepError> {
    d.ws.entry.refused.take().map_or(Ok(()), Err)
}

/// Runs a hook that may change the data. Vectors of the state that it resized get back their length, and the step that
/// called it ends with an error.
pub(crate) fn inside_hook(m: &Model, d: &mut Data, hook: impl FnOnce(&mut Data)) {
    d.ws.entry.inside = Inside::Hook;
    hook(d);
    d.ws.entry.inside = Inside::Nothing;
    if let Err(e) = check_data(m, d) {
        d.ws.entry.refused.get_or_insert(e);
        if matches!(e, StepError::Length { .. }) {
            restore_lengths(m, d);
        }
    }
}

/// Gives the vectors that the user may set their lengths, with zeros where they were too short.
fn restore_lengths(m: &Model, d: &mut Data) {
    let reset = State::new(m);
    let s = &mut d.state;
    let vectors = [
        (&mut s.qpos, &reset.qpos),
        (&mut s.qvel, &reset.qvel),
        (&mut s.act, &reset.act),
        (&mut s.history, &reset.history),
        (&mut s.plastic, &reset.plastic),
        (&mut s.plugin_state, &reset.plugin_state),
        (&mut s.qacc_warmstart, &reset.qacc_warmstart),
        (&mut s.ctrl, &reset.ctrl),
        (&mut s.qfrc_applied, &reset.qfrc_applied),
        (&mut s.userdata, &reset.userdata),
    ];
    for (vector, of_reset) in vectors {
        if vector.len() != of_reset.len() {
            vector.clone_from(of_reset);
        }
    }
    s.xfrc_applied.resize(m.body.len(), [0.0; 6]);
    s.eq_active.resize(m.eq.len(), false);
    s.mocap_pos.resize(m.nmocap, Default::default());
    s.mocap_quat.resize(m.nmocap, Default::default());
    d.qacc.resize(m.nv(), 0.0);
    d.sensordata.resize(m.nsensordata, 0.0);
}
