//! Which models the lists of operations cover.

use mj_lab_batch::plan::{Coverage, Plan, Reason};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Arguments.
#[derive(clap::Args)]
pub struct Args {
    /// Folder of models; folders within it are searched too.
    dir: PathBuf,
    /// Prints a line for each model.
    #[arg(long)]
    each: bool,
}

/// Checks every model of a folder and counts reasons.
pub fn run(args: &Args) -> Result<(), Box<dyn std::error::Error>> {
    let mut files = Vec::new();
    find(&args.dir, &mut files)?;
    files.sort();
    let (mut models, mut smooth, mut both) = (0, 0, 0);
    let mut reasons: BTreeMap<Reason, [usize; 2]> = BTreeMap::new();
    for file in files {
        // Fragments that others include are no models.
        let Ok(m) = mj_engine::load(&file) else { continue };
        models += 1;
        let c = Coverage::of(&m);
        smooth += usize::from(c.smooth.is_empty());
        both += usize::from(c.smooth.is_empty() && c.solver.is_empty());
        for r in c.smooth.iter().chain(&c.solver) {
            let of = reasons.entry(*r).or_default();
            of[0] += 1;
            of[1] += usize::from(c.smooth.len() + c.solver.len() == 1);
        }
        if args.each {
            let name = file.strip_prefix(&args.dir).unwrap_or(&file).display();
            match Plan::new(&m) {
                Ok(p) => println!(
                    "{name}: {} bodies in {} levels, {} dofs, {} entries of M, at most {} rows without contacts, {} pairs; solver {}",
                    p.nbody,
                    p.levels.len(),
                    p.nv,
                    p.colind.len(),
                    p.most_rows(),
                    p.pairs,
                    list(&c.solver)
                ),
                Err(why) => println!("{name}: not covered: {}", list(&why)),
            }
        }
    }
    println!("{models} models; smooth stages cover {smooth}, smooth stages and solver {both}");
    println!("{:<40} {:>6} {:>6}", "reason", "models", "alone");
    for (r, [n, alone]) in reasons {
        println!("{:<40} {n:>6} {alone:>6}", r.to_string());
    }
    Ok(())
}

/// Lists reasons.
fn list(reasons: &[Reason]) -> String {
    if reasons.is_empty() {
        return "covered".into();
    }
    reasons.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

/// Finds all files that may hold a model.
fn find(dir: &Path, out: &mut Vec<PathBuf>) -> std::io::Result<()> {
    for entry in std::fs::read_dir(dir)? {
        let path = entry?.path();
        if path.is_dir() {
            find(&path, out)?;
        } else if path.extension().is_some_and(|e| e == "xml") {
            out.push(path);
        }
    }
    Ok(())
}
