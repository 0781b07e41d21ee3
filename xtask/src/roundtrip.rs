//! Saves every model of a folder as MJCF and in binary, loads what was saved, and compares.

use crate::Result;
use crate::engine::{Engine, Scratch};
use rayon::prelude::*;
use std::path::{Path, PathBuf};

/// Arguments of `cargo xtask roundtrip`.
#[derive(clap::Args)]
pub struct Args {
    /// Folder of models; it is searched to its depths [default: models].
    folder: Option<PathBuf>,
    /// A built `mj` [default: builds one in the release profile].
    #[arg(long)]
    mj: Option<PathBuf>,
    /// Prints every model that is refused, too.
    #[arg(long)]
    verbose: bool,
}

/// Outcome for one model.
enum Verdict {
    /// Both ways give the same model.
    Same,
    /// It does not load in the first place.
    Refused(String),
    /// Saved as MJCF, it is another model or none.
    Mjcf(String),
    /// Saved in binary, it is another model or none.
    Binary(String),
}

/// Saves, loads and compares every model, and prints a table.
pub fn run(root: &Path, args: &Args) -> Result<()> {
    let folder = args.folder.clone().unwrap_or_else(|| root.join("models"));
    let mut models = Vec::new();
    collect(&folder, &mut models)?;
    models.sort();
    if models.is_empty() {
        return Err(format!("no models in {}", folder.display()).into());
    }
    let engine = match &args.mj {
        Some(path) => Engine::at(path.clone()),
        None => Engine::build(root)?,
    };
    let verdicts: Vec<Verdict> = models.par_iter().map(|m| judge(&engine, m)).collect::<Result<_>>()?;

    let mut counts = [0; 4];
    for (model, verdict) in models.iter().zip(&verdicts) {
        let name = model.strip_prefix(&folder).unwrap_or(model).display();
        let (column, told) = match verdict {
            Verdict::Same => (0, None),
            Verdict::Refused(why) => (1, args.verbose.then(|| format!("refused  {name}: {why}"))),
            Verdict::Mjcf(why) => (2, Some(format!("MJCF     {name}: {why}"))),
            Verdict::Binary(why) => (3, Some(format!("binary   {name}: {why}"))),
        };
        counts[column] += 1;
        if let Some(line) = told {
            println!("{line}");
        }
    }
    let [same, refused, mjcf, binary] = counts;
    println!("| models | the same | refused | differ as MJCF | differ in binary |\n| --- | --- | --- | --- | --- |");
    println!("| {} | {same} | {refused} | {mjcf} | {binary} |", models.len());
    if mjcf + binary == 0 { Ok(()) } else { Err(format!("{} models are not saved whole", mjcf + binary).into()) }
}

/// All files of a folder that are models by their names.
fn collect(folder: &Path, out: &mut Vec<PathBuf>) -> Result<()> {
    for entry in std::fs::read_dir(folder).map_err(|e| format!("{}: {e}", folder.display()))? {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, out)?;
        } else if path.extension().is_some_and(|e| e == "xml" || e == "urdf") {
            out.push(path);
        }
    }
    Ok(())
}

fn judge(engine: &Engine, model: &Path) -> Result<Verdict> {
    let scratch = Scratch::new(&model.display().to_string())?;
    let [binary, mjcf, of_binary, of_mjcf] = ["a.mjb", "b.xml", "c.mjb", "d.mjb"].map(|f| scratch.file(f));
    if let Err(why) = engine.compile(&scratch, model, &binary) {
        return Ok(Verdict::Refused(why.to_string()));
    }
    let same = |saved: &Path, again: &Path| -> Result<()> {
        engine.compile(&scratch, saved, again)?;
        if std::fs::read(&binary)? == std::fs::read(again)? {
            return Ok(());
        }
        Err(difference(engine, &scratch, &binary, again)?.into())
    };
    if let Err(why) = same(&binary, &of_binary) {
        return Ok(Verdict::Binary(why.to_string()));
    }
    let outcome = engine.save_as_written(&scratch, model, &mjcf).and_then(|()| same(&mjcf, &of_mjcf));
    Ok(outcome.map_or_else(|why| Verdict::Mjcf(why.to_string()), |()| Verdict::Same))
}

/// The first field in which two binary models differ.
fn difference(engine: &Engine, scratch: &Scratch, a: &Path, b: &Path) -> Result<String> {
    let mut texts = Vec::new();
    for (model, name) in [(a, "a.txt"), (b, "b.txt")] {
        let out = scratch.file(name);
        engine.compile(scratch, model, &out)?;
        texts.push(std::fs::read_to_string(&out)?);
    }
    let field = |line: &str| line.split(' ').next().unwrap_or("").to_string();
    let other = texts[0].lines().zip(texts[1].lines()).find(|(x, y)| x != y);
    Ok(other.map_or("names or visual options differ".into(), |(x, _)| format!("{} differs", field(x))))
}
