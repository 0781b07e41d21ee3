//! `cargo xtask papers`: the papers' tables and figures, and the solvers' laboratory over a corpus, into docs/papers.md.

use super::laboratory;
use crate::Result;
use crate::engine::Engine;
use crate::machine;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

/// Sections of the page: name and heading. The package `papers` makes all but the last.
const SECTIONS: &[(&str, &str)] = &[
    ("smooth", "Smooth dynamics (2012, Table 1)"),
    ("trajectory", "Trajectory derivatives (2012, Tables 2 and 3)"),
    ("balls", "Balls in a cube (2012, Figure 1)"),
    ("drop", "The ball drop (2012, Figure 2)"),
    ("mechanism", "Forward and inverse impulses (2014, Figure 2)"),
    ("speed", "Speed of the inverse (2014, Figure 3)"),
    ("projection", "The closed-form projection (2014, Algorithm 5)"),
    ("scenes", "How formulations differ"),
    (LABORATORY, "The laboratory over a corpus"),
];
const LABORATORY: &str = "laboratory";

const INTRODUCTION: &str = "# The papers' numbers, ours beside them

What the papers of 2012 (Todorov, Erez, Tassa: \"MuJoCo: A physics engine for model-based control\") and 2014 (Todorov:
\"Convex and analytically-invertible dynamics with contacts and constraints\") measured, with our code and models.
`cargo xtask papers` writes this page, `cargo xtask papers speed` one section of it.
";

/// Arguments.
#[derive(clap::Args)]
pub struct Args {
    /// Sections to write; all of them unless given.
    sections: Vec<String>,
    /// Folder with models for the laboratory.
    #[arg(long, default_value = "../shared/corpus")]
    corpus: PathBuf,
    /// Greatest number of models for the laboratory, spread over the folder.
    #[arg(long, default_value_t = usize::MAX)]
    models: usize,
    /// A built `mj` for the laboratory; by default it is built in the release profile.
    #[arg(long)]
    mj: Option<PathBuf>,
}

/// Runs the command.
pub fn run(root: &Path, args: &Args) -> Result<()> {
    if let Some(unknown) = args.sections.iter().find(|s| !SECTIONS.iter().any(|known| known.0 == *s)) {
        let names: Vec<&str> = SECTIONS.iter().map(|s| s.0).collect();
        return Err(format!("no section {unknown}; there are {}", names.join(", ")).into());
    }
    let page = root.join("docs/papers.md");
    let whole = args.sections.is_empty() && args.corpus.is_dir();
    let measured_on =
        format!("easured on {}, {}", time::OffsetDateTime::now_utc().date(), machine::conditions(machine::load()));
    let start = Instant::now();
    for (name, _) in SECTIONS {
        if !args.sections.is_empty() && !args.sections.iter().any(|s| s == name) {
            continue;
        }
        let text = if *name != LABORATORY {
            measure(root, name)?
        } else if args.corpus.is_dir() {
            let engine = args.mj.clone().map_or_else(|| Engine::build(root), |path| Ok(Engine::at(path)))?;
            laboratory::section(&engine, &args.corpus, args.models)?
        } else {
            eprintln!("{}: no such folder; the laboratory is left as it is", args.corpus.display());
            continue;
        };
        let text = if whole { text } else { format!("{}\n\nThis section was m{measured_on}.\n", text.trim()) };
        // A section that is done is kept, whatever comes of the next.
        let before = std::fs::read_to_string(&page).unwrap_or_default();
        std::fs::write(&page, replaced(&before, name, &text))?;
        eprintln!("{name}: written after {:.0} s", start.elapsed().as_secs_f64());
    }
    if whole {
        let minutes = start.elapsed().as_secs_f64() / 60.0;
        let conditions = format!("M{measured_on}. All sections in one run, of {minutes:.0} minutes.\n");
        let text = std::fs::read_to_string(&page)?;
        std::fs::write(&page, with_conditions(&text, &conditions))?;
    }
    Ok(())
}

/// Returns the text that the package `papers` prints for a section; it draws its figures itself.
fn measure(root: &Path, name: &str) -> Result<String> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.current_dir(root).args(["run", "--quiet", "--release", "--package", "papers", "--", "docs/figures", name]);
    let output = command.stderr(Stdio::inherit()).output()?;
    if !output.status.success() {
        return Err(format!("papers {name}: {}", output.status).into());
    }
    Ok(String::from_utf8(output.stdout)?)
}

/// The page's first paragraphs, up to the sections, with the conditions of a run of all of them.
fn with_conditions(page: &str, conditions: &str) -> String {
    let sections = page.find("\n## ").map_or("", |at| &page[at..]);
    format!("{INTRODUCTION}\n{conditions}{sections}")
}

/// The page with one section replaced, in the order of [`SECTIONS`].
fn replaced(page: &str, name: &str, text: &str) -> String {
    let head = page.find("\n## ").map_or(page, |at| &page[..at]);
    let conditions = head.rfind("\n\nMeasured on ").map_or("", |at| &head[at + 1..]);
    let mut out = format!("{INTRODUCTION}{conditions}");
    for (section, heading) in SECTIONS {
        let body = if *section == name { Some(text) } else { body(page, heading) };
        if let Some(body) = body {
            out += &format!("\n## {heading}\n\n{}\n", body.trim());
        }
    }
    out
}

/// Returns the text under a heading.
fn body<'a>(page: &'a str, heading: &str) -> Option<&'a str> {
    let start = page.find(&format!("\n## {heading}\n"))?;
    let rest = page[start + 1..].split_once('\n')?.1;
    Some(rest.find("\n## ").map_or(rest, |end| &rest[..end]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_section_is_replaced_and_the_others_stay() {
        let page = replaced("", "drop", "fell");
        let page = replaced(&page, "smooth", "fast\n");
        let page = replaced(&page, "drop", "fell again");
        assert!(page.starts_with(INTRODUCTION));
        let [smooth, drop] = ["smooth", "drop"].map(|n| SECTIONS.iter().find(|s| s.0 == n).unwrap().1);
        assert_eq!(body(&page, smooth).map(str::trim), Some("fast"));
        assert_eq!(body(&page, drop).map(str::trim), Some("fell again"));
        assert!(page.find(smooth) < page.find(drop));
        assert!(!page.contains("\n\n\n"));
        // The conditions of a whole run stay where sections change.
        let page = with_conditions(&page, "Measured on a day.\n");
        let again = replaced(&page, "smooth", "faster");
        assert!(again.starts_with(&format!("{INTRODUCTION}\nMeasured on a day.\n\n## {smooth}")), "{again}");
        assert!(!again.contains("\n\n\n"));
    }

    /// The page in the repository has every section, and every figure that it shows is there.
    #[test]
    fn the_page_is_complete() {
        let docs = crate::root().join("docs");
        let page = std::fs::read_to_string(docs.join("papers.md")).unwrap();
        for (name, heading) in SECTIONS {
            assert!(body(&page, heading).is_some_and(|b| b.contains("| --- |")), "{name} has no table");
        }
        for figure in page.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            assert!(docs.join(figure).exists(), "{figure}");
        }
    }
}
