//! `cargo xtask bench`: how fast this engine is, beside the reference where that is installed, into the measured parts
//! of docs/performance.md.

mod classes;
mod growth;
mod measure;
mod memory;
mod reference;
pub mod speed;

use crate::Result;
use crate::engine::Engine;
use crate::{machine, page};
use measure::{Case, Effort};
use reference::Reference;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// A measured part of the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Section {
    /// The models of `models/`, with the time of every stage.
    Models,
    /// Models of other people: those of a corpus that are rigid, need core features alone, and are stable.
    Corpus,
    /// Piles and heaps, warmed up; the reference with both of its solvers for them.
    Scenes,
    /// Chains, crowds and heaps of growing size, with exponents.
    Growth,
    /// Bytes of the data of a simulation.
    Memory,
}

impl Section {
    /// All, in the order of the page.
    pub const ALL: [Self; 5] = [Self::Models, Self::Corpus, Self::Scenes, Self::Growth, Self::Memory];

    /// Its name on the command line and in the page's markers.
    pub fn name(self) -> &'static str {
        match self {
            Self::Models => "models",
            Self::Corpus => "corpus",
            Self::Scenes => "scenes",
            Self::Growth => "growth",
            Self::Memory => "memory",
        }
    }

    /// The command that writes it, as the page's markers name it.
    fn command(self) -> String {
        format!("bench {}", self.name())
    }
}

/// How the part `corpus` puts models together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Grouping {
    /// By what they have: contacts of meshes, height fields, many rows, …; all models that are rigid and stable.
    Class,
}

/// Arguments of `cargo xtask bench`.
#[derive(clap::Args)]
pub struct Args {
    /// Parts to measure; all of them unless given.
    sections: Vec<Section>,
    /// A Python interpreter that can import the reference (`mujoco` 4.0.0) and `numpy`. Without it, only our figures.
    #[arg(long)]
    python: Option<PathBuf>,
    /// Times that each engine runs a model, in turn with the other.
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=1000))]
    rounds: u32,
    /// About how long a run takes, seconds.
    #[arg(long, default_value_t = 0.4)]
    seconds: f64,
    /// Puts the tables into docs/performance.md; wants the reference.
    #[arg(long, requires = "python")]
    write: bool,
    /// Measures these models in the place of `models/` (part `models`; not to be written).
    #[arg(long = "model", value_name = "FILE", conflicts_with = "write")]
    files: Vec<PathBuf>,
    /// Measures more models of the corpus, and prints means by group (part `corpus`; not to be written).
    #[arg(long, value_name = "GROUPING", conflicts_with = "write")]
    by: Option<Grouping>,
    /// Folder with models of other people and scenes.
    #[arg(long, default_value = "../shared/corpus")]
    corpus: PathBuf,
    /// A built `mj` to measure; by default it is built in the release profile.
    #[arg(long)]
    mj: Option<PathBuf>,
}

/// Measures, prints, and writes if asked.
pub fn run(root: &Path, args: &Args) -> Result<()> {
    let engine = args.mj.clone().map_or_else(|| Engine::build(root), |path| Ok(Engine::at(path)))?;
    let mut reference = args.python.as_deref().map(Reference::start).transpose()?;
    let chosen = match args.sections.as_slice() {
        [] if args.by.is_some() => &[Section::Corpus],
        [] if args.files.is_empty() => &Section::ALL[..],
        [] => &[Section::Models],
        sections => sections,
    };
    let effort = Effort { rounds: args.rounds, seconds: args.seconds };
    for &section in chosen {
        let busy = machine::load();
        let text = match section {
            Section::Models if args.files.is_empty() => {
                speed_section(&engine, reference.as_mut(), &speed::folder(&root.join("models"))?, effort)
            }
            Section::Models => {
                let cases: Vec<Case> =
                    args.files.iter().map(|p| Case::new(p.display().to_string(), p.clone())).collect();
                speed_section(&engine, reference.as_mut(), &cases, effort)
            }
            Section::Corpus | Section::Scenes if !args.corpus.is_dir() => {
                eprintln!("{}: no such folder; {} left as they are", args.corpus.display(), section.name());
                continue;
            }
            Section::Corpus if args.by == Some(Grouping::Class) => {
                let classified = classes::Classified::read(&args.corpus)?;
                let results = speed::all(&engine, reference.as_mut(), &classified.cases, effort);
                let (table, slowest) = (classified.table(&results), classified.slowest(&results, 40));
                format!("{}\n{table}\n{slowest}", speed::summary(&results))
            }
            Section::Corpus => {
                let results = speed::all(&engine, reference.as_mut(), &speed::corpus(&args.corpus)?, effort);
                format!("{}\n{}", speed::summary(&results), speed::side_by_side(&results.measured, &[speed::OWN]))
            }
            Section::Scenes => {
                let results = speed::all(&engine, reference.as_mut(), &scenes(&args.corpus), effort);
                let table = speed::side_by_side(&results.measured, &PRIMAL);
                format!("{table}\n{}\n{}", speed::summary(&results), speed::stages(&results.measured))
            }
            Section::Growth => growth::section(&engine, reference.as_mut(), root, effort, args.write)?,
            Section::Memory => growth::with_crowd(root, 100, |crowd| {
                let humanoid = root.join("models/humanoid.xml");
                memory::section(
                    reference.as_mut(),
                    &[("humanoid".into(), humanoid), ("100 humanoids".into(), crowd.to_path_buf())],
                )
            })?,
        };
        let text = format!("{}\n{}", caption(section, args, reference.as_ref(), busy), text.trim());
        println!("{text}\n");
        if args.write {
            // A part that is done is kept, whatever comes of the next.
            let page = root.join("docs/performance.md");
            let before = std::fs::read_to_string(&page)?;
            std::fs::write(&page, page::replaced(&before, section.name(), &section.command(), &text)?)?;
        }
    }
    Ok(())
}

/// Two tables: side by side, and stages.
fn speed_section(engine: &Engine, reference: Option<&mut Reference>, cases: &[Case], effort: Effort) -> String {
    let results = speed::all(engine, reference, cases, effort);
    let (sides, stages) = (speed::side_by_side(&results.measured, &[speed::OWN]), speed::stages(&results.measured));
    format!("{sides}\n{}\nOur stages, mean microseconds a step:\n\n{stages}", speed::summary(&results))
}

/// The reference's solvers for primal problems: their numbers, and how the heads of columns name them.
const PRIMAL: [(Option<u8>, &str); 2] = [(Some(2), ", Newton"), (Some(1), ", CG")];

/// The corpus's scenes: name, steps of warm-up, steps, and from which of [`PRIMAL`] on the reference runs; a step of
/// spheres500 takes it half a second with Newton.
const SCENES: [(&str, u64, u64, usize); 7] = [
    ("grasp_elliptic", 500, 10_000, 0),
    ("stack10", 500, 10_000, 0),
    ("hfield30", 500, 1000, 0),
    ("meshpile40", 500, 1000, 0),
    ("boxes100", 1000, 400, 0),
    ("boxes100_messy", 1000, 400, 0),
    ("spheres500", 300, 200, 1),
];

fn scenes(corpus: &Path) -> Vec<Case> {
    let case = |&(name, warmup, steps, solver): &(&str, u64, u64, usize)| Case {
        warmup: Some(warmup),
        steps: Some(steps),
        solvers: PRIMAL[solver..].iter().map(|s| s.0).collect(),
        ..Case::new(name, corpus.join("scenes").join(name).with_extension("xml"))
    };
    SCENES.iter().map(case).collect()
}

/// When, where, what and how.
fn caption(section: Section, args: &Args, reference: Option<&Reference>, busy: Option<f64>) -> String {
    let mut text = String::new();
    if let Some(r) = reference {
        let _ = write!(text, "Measured on {}, MuJoCo {}, ", r.date, r.version);
    }
    text += &machine::conditions(busy);
    let _ = writeln!(
        text,
        ". {} rounds:\n\n    cargo xtask bench {}{} --python PYTHON --rounds {} --seconds {}{}",
        args.rounds,
        section.name(),
        if args.by.is_some() { " --by class" } else { "" },
        args.rounds,
        args.seconds,
        if args.write { " --write" } else { "" }
    );
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The page in the repository has every part, and a table in each.
    #[test]
    fn the_page_is_complete() {
        let page = std::fs::read_to_string(crate::root().join("docs/performance.md")).unwrap();
        for section in Section::ALL {
            let text = page::part(&page, section.name(), &section.command());
            assert!(text.is_some_and(|t| t.contains("| --- |")), "{}", section.name());
        }
    }
}
