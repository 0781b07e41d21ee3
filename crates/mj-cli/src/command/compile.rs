//! `mj compile`: parses and compiles, with all diagnostics; saves as MJCF, binary or text.

use crate::bundled;
use crate::diagnostics;
use crate::failure::Failure;
use crate::output;
use mj_engine::{builtin_plugins, encode};
use mj_model::Spec;
use std::io::Write as _;
use std::path::{Path, PathBuf};

/// Parses and compiles a model; all diagnostics go to standard error.
#[derive(clap::Args)]
#[command(after_help = HELP)]
pub struct Args {
    /// Model file, or the bare name of a bundled model.
    model: String,
    /// File to write: .xml, MJCF that compiles to the same model; .mjz, MJCF and the files of its assets in
    /// one archive; .mjb, the compiled model in binary; .txt, every field of the compiled model as text.
    #[arg(short, long)]
    out: Option<PathBuf>,
    /// Saves angles, orientations and the like as .xml or .mjz in the notation in which they are written, whatever the
    /// settings `savecompiled` and `savecanonical` of the model say. It then compiles to the model bit for bit.
    #[arg(long, requires = "out")]
    as_written: bool,
    /// How to tell the diagnostics.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

/// Ways to tell diagnostics.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Format {
    /// For people: on standard error, each with the source line.
    Text,
    /// For editors: one JSON object on standard output.
    Json,
}

const HELP: &str = "\
Examples:
  mj compile robot.xml -o robot.mjb
  mj compile robot.xml -o robot.mjz
  mj compile robot.xml --format json

With --format json, standard output is one object:
  {\"errors\": 1, \"warnings\": 0, \"diagnostics\": [{
    \"severity\": \"error\" or \"warning\", \"message\": \"…\", \"help\": \"…\" or null,
    \"file\": \"robot.xml\", \"line\": 3, \"column\": 7, \"end_line\": 3, \"end_column\": 11,
    \"start_byte\": 52, \"end_byte\": 56,
    \"chain\": [{\"how\": \"included\" or \"attached\", \"file\": \"main.xml\", \"line\": 2, \"column\": 12}]}]}
Lines and columns count from 1, columns in characters; the end is one past the last character. A problem without a place
has null for file, line and the like. The exit code is 1 if there are errors, in both formats.";

/// Runs the command.
pub fn run(args: &Args) -> Result<(), Failure> {
    if let Some(path) = &args.out {
        if !matches!(path.extension().and_then(|e| e.to_str()), Some("xml" | "mjb" | "mjz" | "txt")) {
            let problem = "unknown format; expected .xml, .mjz, .mjb or .txt";
            return Err(Failure::Usage(format!("-o {}: {problem}", path.display())));
        }
        output::check(path)?;
    }
    let loaded = match args.format {
        Format::Text => bundled::open(&args.model)?,
        Format::Json => match bundled::load(&args.model) {
            Ok(loaded) => {
                writeln!(std::io::stdout(), "{}", diagnostics::json(&loaded.report))?;
                loaded
            }
            Err(Failure::Model(e)) => {
                writeln!(std::io::stdout(), "{}", diagnostics::json(&e.0))?;
                return Err(Failure::Told);
            }
            Err(other) => return Err(other),
        },
    };
    let Some(path) = &args.out else { return Ok(()) };
    let mut spec = loaded.spec;
    if let Some(spec) = &mut spec {
        if args.as_written {
            (spec.compiler.savecompiled, spec.compiler.savecanonical) = (false, false);
        }
        if path.extension().is_some_and(|e| e == "xml") {
            relocate(spec, Path::new(&args.model), path);
        }
    }
    let bytes = encode(path, spec.as_ref(), &loaded.model, &builtin_plugins())
        .map_err(|e| Failure::Usage(format!("-o {}: {e}", path.display())))?;
    std::fs::write(path, bytes).map_err(|source| Failure::Write { path: path.clone(), source })
}

/// Lets a model find its files from where it is saved.
fn relocate(spec: &mut Spec, model: &Path, out: &Path) {
    let folder = |path: &Path| {
        let parent = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
        parent.canonicalize().unwrap_or_else(|_| parent.to_path_buf())
    };
    let (from, to) = (folder(model), folder(out));
    if model.exists() && from != to && names_files(spec) {
        for dir in [&mut spec.compiler.meshdir, &mut spec.compiler.texturedir] {
            *dir = from.join(&*dir).to_string_lossy().into_owned();
        }
    }
}

/// Whether any asset is in a file of its own.
fn names_files(spec: &Spec) -> bool {
    spec.textures.iter().any(|t| !t.file.is_empty() || t.cubefiles.iter().any(|f| !f.is_empty()))
        || spec.meshes.iter().any(|m| !m.file.is_empty())
        || spec.hfields.iter().any(|h| !h.file.is_empty())
}
