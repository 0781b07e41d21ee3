//! `cargo xtask deformables`: flexes beside the theory of beams, plates and shafts, and beside recorded results of the
//! reference, into the measured parts of docs/deformables.md and its figures.

mod beams;
mod energy;
mod recorded;
mod sheets;
mod statics;
mod twist;

use crate::{Result, page};
use recorded::Recorded;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Parts of the page.
#[cfg(test)]
const PARTS: [&str; 5] = ["energy", "starts", "cantilevers", "sheets", "twist"];
/// The command, as the page's markers name it.
const COMMAND: &str = "deformables";

/// Arguments of `cargo xtask deformables`.
#[derive(clap::Args)]
pub struct Args {
    /// A Python interpreter that can import `mujoco` 4.0.0 and `numpy`: records the reference's results first.
    #[arg(long)]
    python: Option<PathBuf>,
}

/// Simulates and solves, records if asked to, and writes the page.
pub fn run(root: &Path, args: &Args) -> Result<()> {
    let start = Instant::now();
    let done = |what: &str| eprintln!("{what}: after {:.0} s", start.elapsed().as_secs_f64());
    let families = beams::families()?;
    done("cantilevers");
    let (bent, twisted) = (sheets::all()?, twist::all()?);
    done("sheets and twisted rods");
    let golden = root.join("tests/golden/deformables.txt");
    if let Some(python) = &args.python {
        let cantilevers = families.iter().flat_map(|f| &f.cases).map(|c| &c.held);
        let others = bent.iter().map(|s| &s.held).chain(twisted.iter().map(|t| &t.held));
        recorded::record(python, &golden, &cantilevers.chain(others).collect::<Vec<_>>())?;
        done("the reference");
    }
    let recorded = Recorded::read(&golden)?;
    let (swings, starts) = (energy::all(&recorded)?, energy::starts(&recorded)?);
    done("energies");
    let figures = root.join("docs/figures");
    energy::draw(&swings, &figures)?;
    beams::draw(&families, &figures)?;
    twist::draw(&twisted, &figures)?;
    let path = root.join("docs/deformables.md");
    let mut text = std::fs::read_to_string(&path)?;
    for (part, table) in [
        ("energy", energy::table(&swings)),
        ("starts", energy::starts_table(&starts)),
        ("cantilevers", beams::table(&families, &recorded)?),
        ("sheets", sheets::table(&bent, &recorded)?),
        ("twist", twist::table(&twisted, &recorded)?),
    ] {
        text = page::replaced(&text, part, COMMAND, &table)?;
    }
    std::fs::write(&path, text)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The page in the repository has every part, and every figure that it shows is there.
    #[test]
    fn the_page_is_complete() {
        let docs = crate::root().join("docs");
        let text = std::fs::read_to_string(docs.join("deformables.md")).unwrap();
        for part in PARTS {
            assert!(page::part(&text, part, COMMAND).is_some_and(|t| t.contains("| --- |")), "{part}");
        }
        let figures: Vec<&str> = text.split("](figures/").skip(1).filter_map(|rest| rest.split(')').next()).collect();
        assert_eq!(figures.len(), 4);
        figures.iter().for_each(|f| assert!(docs.join("figures").join(f).exists(), "{f}"));
    }

    /// The tables of what is quick to solve are those of the page.
    #[test]
    fn the_page_has_the_numbers_of_now() {
        let root = crate::root();
        let text = std::fs::read_to_string(root.join("docs/deformables.md")).unwrap();
        let recorded = Recorded::read(&root.join("tests/golden/deformables.txt")).unwrap();
        let twisted = twist::table(&twist::all().unwrap(), &recorded).unwrap();
        assert_eq!(page::part(&text, "twist", COMMAND).unwrap().trim(), twisted.trim());
        let bent = sheets::table(&sheets::all().unwrap(), &recorded).unwrap();
        assert_eq!(page::part(&text, "sheets", COMMAND).unwrap().trim(), bent.trim());
    }
}
