//! From a file to a model.

use crate::data::Data;
use crate::errors::step::DataError;
use crate::errors::support::unsupported_options;
use crate::formats::{Decoding, OWN_ENDINGS};
use crate::query::lengthrange::set_length_ranges;
use crate::reset::reluctant;
use mj_compile::Timings;
use mj_mjcf::{FileResolver, FileSystem, Memory, Report, limits};
use mj_model::plugin::Registry;
use mj_model::spec::Body;
use mj_model::{Diagnostics, Loc, Model, ObjType, Severity, SleepPolicy, Spec, binary, enable};
use std::fmt;
use std::path::Path;

/// A model did not load.
///
/// Both `Display` and `Debug` show every problem found, each with its place in the text and what would
/// be right. A program whose `main` returns the error, or that unwraps it, therefore prints a report.
#[derive(Clone, PartialEq, thiserror::Error)]
#[error("{0}")]
pub struct LoadError(pub Report);

impl fmt::Debug for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl LoadError {
    /// Number of errors, warnings left out.
    pub fn error_count(&self) -> usize {
        self.0.diagnostics.list.iter().filter(|d| d.severity == Severity::Error).count()
    }
}

/// A loaded model with what it came from.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// The compiled model.
    pub model: Model,
    /// Spec that was read; a binary model has none.
    pub spec: Option<Spec>,
    /// Warnings.
    pub report: Report,
}

/// Loads an MJCF or URDF file, an archive with a model (`.mjz`, `.zip`), or a binary model.
///
/// Example: [`load_str`].
///
/// # Errors
/// If the file can't be read or has errors; all of them are in the result.
pub fn load(path: impl AsRef<Path>) -> Result<Model, LoadError> {
    load_with(path.as_ref(), &FileSystem::default()).map(|l| l.model)
}

/// Loads MJCF text that includes no files.
///
/// ```
/// use mj_engine::model::plugin::Registry;
/// use mj_engine::*;
///
/// let xml = r#"<mujoco><worldbody><body name="ball"><freejoint/><geom size=".1"/></body></worldbody></mujoco>"#;
/// let model = load_str(xml)?;
/// let path = std::env::temp_dir().join(format!("mj-engine-ball-{}.xml", std::process::id()));
/// std::fs::write(&path, xml)?;
/// assert_eq!(load(&path)?.nv(), model.nv());
/// # std::fs::remove_file(&path)?;
///
/// // From files in memory, with the warnings and the source.
/// let mut files = Memory::new();
/// files.insert("ball.xml", xml);
/// let plugins: Registry = builtin_plugins();
/// let loaded = load_with("ball.xml".as_ref(), &files)?;
/// assert_eq!(loaded.spec.unwrap().worldbody.bodies[0].name, "ball");
/// assert_eq!(load_with_plugins("ball.xml".as_ref(), &files, &plugins)?.model.nv(), 6);
///
/// // A ball of twice the radius has eight times the mass.
/// let mut spec = read_spec(xml)?;
/// spec.worldbody.bodies[0].geoms[0].size[0] = 0.2;
/// let larger = compile(&spec)?;
/// let ball: model::BodyId = find(&larger, "ball")?;
/// assert!((larger.body.mass[ball] / model.body.mass[ball] - 8.0).abs() < 1e-12);
/// let mut timings = Timings::default();
/// let (same, _) = compile_timed(&spec, &mut timings)?;
/// let (again, _) = compile_with_plugins(&spec, &plugins, &mut timings)?;
/// assert_eq!(same.body.mass[ball], again.body.mass[ball]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If the text has errors; all of them are in the result.
pub fn load_str(xml: &str) -> Result<Model, LoadError> {
    let mut files = Memory::new();
    files.insert("model.xml", xml);
    load_with(Path::new("model.xml"), &files).map(|l| l.model)
}

/// Loads MJCF or a binary model through a file resolver, and keeps the spec and the warnings. Which it
/// is, its ending says, or its first bytes.
///
/// Example: [`load_str`].
///
/// # Errors
/// If a file can't be read or has errors; all of them are in the result.
pub fn load_with(path: &Path, files: &dyn FileResolver) -> Result<Loaded, LoadError> {
    load_with_plugins(path, files, &mj_plugins::builtin())
}

/// Loads a model as [`load_with`] does, with the plugins and decoders of a registry:
/// [`builtin_plugins`](crate::builtin_plugins), to which a program may add its own.
///
/// Example: [`load_str`].
///
/// # Errors
/// If a file can't be read or has errors, plugins that are not registered among them; all of them are in the result.
pub fn load_with_plugins(path: &Path, files: &dyn FileResolver, plugins: &Registry) -> Result<Loaded, LoadError> {
    if is_binary(path, files) {
        return load_binary(path, files, plugins);
    }
    let (partial, mut report) = mj_mjcf::read_partial(path, &Decoding { files, plugins });
    let Some(partial) = partial else { return Err(LoadError(report)) };
    let (model, mut compiled) = mj_compile::compile_with(&partial.spec, plugins, &mut Timings::default());
    compiled.list.iter_mut().take(limits::DIAGNOSTICS).for_each(|d| mj_mjcf::pinpoint(&report.sources, d));
    if report.has_errors() {
        // What is wrong with what could be read, too: all problems come in one go.
        compiled.list.retain(|d| !partial.explains(&report, d));
        compiled.list.truncate(limits::DIAGNOSTICS);
        report.diagnostics.list.extend(compiled.list);
        report.sort();
        return Err(LoadError(report));
    }
    let spec = partial.spec;
    let (model, report) = finish(model, &spec, compiled, report)?;
    Ok(Loaded { model, spec: Some(spec), report })
}

/// Reads MJCF text that includes no files, for editing before it is compiled.
///
/// Example: [`load_str`].
///
/// # Errors
/// If the text has errors; all of them are in the result.
pub fn read_spec(xml: &str) -> Result<Spec, LoadError> {
    let (spec, report) = mj_mjcf::read_str(xml, &Memory::new());
    spec.ok_or(LoadError(report))
}

/// Compiles a model that was made or edited by program, feasible lengths of actuators included.
///
/// Example: [`load_str`].
///
/// # Errors
/// If the model has errors; all of them are in the result.
pub fn compile(spec: &Spec) -> Result<Model, LoadError> {
    compile_timed(spec, &mut Timings::default()).map(|(model, _)| model)
}

/// Compiles a model as [`compile`] does, keeps the warnings, and tells how long parts of it took.
///
/// Example: [`load_str`].
///
/// # Errors
/// If the model has errors; all of them are in the result.
pub fn compile_timed(spec: &Spec, timings: &mut Timings) -> Result<(Model, Report), LoadError> {
    compile_with_plugins(spec, &mj_plugins::builtin(), timings)
}

/// Compiles a model as [`compile_timed`] does, with the plugins of a registry.
///
/// Example: [`load_str`].
///
/// # Errors
/// If the model has errors; all of them are in the result.
pub fn compile_with_plugins(
    spec: &Spec,
    plugins: &Registry,
    timings: &mut Timings,
) -> Result<(Model, Report), LoadError> {
    let (model, compiled) = mj_compile::compile_with(spec, plugins, timings);
    let report = Report { sources: spec.sources.clone(), ..Report::default() };
    finish(model, spec, compiled, report)
}

/// An option that isn't supported, as an error of loading.
pub(crate) fn unsupported(problem: DataError) -> LoadError {
    let mut report = Report::default();
    report.diagnostics.error(Loc::NONE, problem.to_string());
    LoadError(report)
}

/// What comes after compiling: options that aren't supported, lengths of actuators, bodies that can't begin asleep.
fn finish(
    mut model: Option<Model>,
    spec: &Spec,
    compiled: Diagnostics,
    mut report: Report,
) -> Result<(Model, Report), LoadError> {
    report.diagnostics.list.extend(compiled.list);
    report.sort();
    if let Some(model) = &model {
        for problem in unsupported_options(model) {
            let place = spec.option_locs.iter().rev().find(|(name, _)| name == problem.option);
            report.diagnostics.error(place.map_or(Loc::NONE, |(_, loc)| *loc), problem.to_string());
        }
    }
    if let Some(model) = &mut model {
        set_length_ranges(model, spec, &mut report.diagnostics);
    }
    if let Some(model) = &model {
        report_reluctant(model, spec, &mut report.diagnostics);
    }
    match model {
        Some(model) if !report.has_errors() => Ok((model, report)),
        _ => Err(LoadError(report)),
    }
}

/// Warns of the bodies that are to begin asleep and can't.
fn report_reluctant(m: &Model, spec: &Spec, diag: &mut Diagnostics) {
    let wanted = m.opt.enabled(enable::SLEEP) && m.tree.sleep_policy.iter().any(|&p| p == SleepPolicy::Init);
    let Some(d) = wanted.then(|| Data::new(m).ok()).flatten() else { return };
    for body in reluctant(m, &d).map(|t| m.tree.bodyadr[t]) {
        let name = m.names.get(ObjType::Body, body.index());
        let loc = if name.is_empty() { None } else { place_of_body(&spec.worldbody, name) };
        let what = m.names.describe(ObjType::Body, body.index());
        diag.warning(loc.unwrap_or(Loc::NONE), format!("{what} can't begin asleep, and begins awake"))
            .help("it touches, or is tied to, a body that is awake: give that sleep=\"init\" too, or move them apart");
    }
}

/// Where the body with a name stands.
fn place_of_body(b: &Body, name: &str) -> Option<Loc> {
    if b.name == name { Some(b.loc) } else { b.bodies.iter().find_map(|b| place_of_body(b, name)) }
}

/// The greatest size of a binary model, bytes.
const BINARY_BYTES: u64 = 4 << 30;

/// Whether a file is a binary model: by its ending, or by its first bytes where that leaves it open.
fn is_binary(path: &Path, files: &dyn FileResolver) -> bool {
    let ending = path.extension().map(|e| e.to_string_lossy().to_ascii_lowercase()).unwrap_or_default();
    match ending.as_str() {
        "mjb" => true,
        own if OWN_ENDINGS.contains(&own) => false,
        _ => files.read(path, BINARY_BYTES).is_ok_and(|bytes| binary::is_binary(&bytes)),
    }
}

fn load_binary(path: &Path, files: &dyn FileResolver, plugins: &Registry) -> Result<Loaded, LoadError> {
    let mut report = Report::default();
    let model = match files.read(path, BINARY_BYTES) {
        Ok(bytes) => Model::from_bytes(&bytes).map_err(|e| e.to_string()).and_then(|mut model| {
            model.bind_plugins(plugins).map_err(|e| e.to_string())?;
            Ok(model)
        }),
        Err(e) => Err(format!("cannot be read: {e}")),
    };
    match model {
        Ok(model) => {
            for problem in unsupported_options(&model) {
                report.diagnostics.error(Loc::NONE, format!("{}: {problem}", path.display()));
            }
            if report.has_errors() { Err(LoadError(report)) } else { Ok(Loaded { model, spec: None, report }) }
        }
        Err(problem) => {
            report.diagnostics.error(Loc::NONE, format!("{}: {problem}", path.display()));
            Err(LoadError(report))
        }
    }
}
