//! `mj compile`: parses and compiles, with all diagnostics; saves as text.

use crate::bundled;
use crate::failure::Failure;
use mj_engine::Model;
use std::fmt::Write;
use std::path::PathBuf;

/// Parses and compiles a model; all diagnostics go to standard error.
#[derive(clap::Args)]
#[command(after_help = "Example:\n  mj compile robot.xml -o robot.txt")]
pub struct Args {
    /// Model file, or the bare name of a bundled model.
    model: String,
    /// File to write: .txt, every field of the compiled model.
    #[arg(short, long)]
    out: Option<PathBuf>,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<(), Failure> {
    let m = bundled::open(&args.model)?.model;
    let Some(path) = &args.out else { return Ok(()) };
    let text = match path.extension().and_then(|e| e.to_str()) {
        Some("txt") => text(&m),
        Some("xml" | "mjb") => {
            return Err(Failure::Usage(format!("-o {}: not supported yet; supported: .txt", path.display())));
        }
        _ => return Err(Failure::Usage(format!("-o {}: unknown format; expected .xml, .mjb or .txt", path.display()))),
    };
    std::fs::write(path, text).map_err(|source| Failure::Write { path: path.clone(), source })
}

/// Every field of the model: name, shape, numbers.
fn text(m: &Model) -> String {
    let mut s = String::new();
    m.visit(&mut |f| {
        let numbers: Vec<_> = f.data.to_f64().iter().map(f64::to_string).collect();
        let _ = writeln!(s, "{} {:?} {}", f.name, f.shape, numbers.join(" "));
    });
    s
}
