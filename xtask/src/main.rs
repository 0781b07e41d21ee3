//! Project chores: `cargo xtask tidy | book | api | codegen | oracle | conformance | edits | roundtrip | kkt | fuzz | first-build |
//! budget | minutes | bench | broadphase | papers | deformables | figures | control | identify | python | browser | pictures | window`.
#![forbid(unsafe_code)]

mod api;
mod bench;
mod book;
mod builds;
mod codegen;
mod conformance;
mod deformables;
mod edits;
mod engine;
mod fuzz;
mod interpreter;
mod machine;
mod npz;
mod oracle;
mod outside;
mod page;
mod plot;
mod random;
mod roundtrip;
mod studies;
mod tidy;

use builds::{budget, first_build, minutes};
use clap::{Parser, Subcommand};
use outside::{browser, pictures, python, window};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use studies::{broadphase, control, figures, identify, kkt, papers};

/// Any failure, as a sentence for the terminal.
type Result<T, E = Box<dyn std::error::Error + Send + Sync>> = std::result::Result<T, E>;

/// Project chores.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
struct Cli {
    #[command(subcommand)]
    chore: Chore,
}

#[derive(Subcommand)]
enum Chore {
    /// Checks what the compiler doesn't: layering, invariants, licences, lengths, wording, links, generated pages.
    Tidy,
    /// Builds the book from the pages of docs/ to target/book; installs mdBook beside the build output where it is missing.
    ///
    /// Example: cargo xtask book
    Book,
    /// Documents all crates without warnings, and compares the public names of all libraries with those on record in tests/api;
    /// `--write` records them.
    ///
    /// Example: cargo xtask api
    Api(api::Args),
    /// Writes the pages that are made from tables in the code.
    Codegen(codegen::Args),
    /// Records golden results of the reference engine; needs a Python with `mujoco` 4.0.0 and `numpy`.
    ///
    /// Example: cargo xtask oracle --python venv/bin/python
    Oracle(oracle::Args),
    /// Compares the engine with golden results and writes docs/conformance.md.
    ///
    /// Example: cargo xtask conformance --check
    Conformance(conformance::Args),
    /// Edits compiled models in the middle of simulations and compares what comes of it with the reference's results in
    /// tests/edits.npz; records these first where a Python with `mujoco` 4.0.0 and `numpy` is named.
    ///
    /// Example: cargo xtask edits
    Edits(edits::Args),
    /// Saves every model of a folder as MJCF and in binary, loads it again, and compares.
    ///
    /// Example: cargo xtask roundtrip models
    Roundtrip(roundtrip::Args),
    /// Runs every solver on the states of every model of a folder and prints how optimal they are.
    ///
    /// Example: cargo xtask kkt models
    Kkt(kkt::Args),
    /// Runs a fuzz target of fuzz/ with the stable compiler.
    ///
    /// Example: cargo xtask fuzz obj --seconds 300
    Fuzz(fuzz::Args),
    /// Builds the command as the README says, simulates, and checks that what the build leaves out names its feature.
    ///
    /// Example: cargo xtask first-build
    FirstBuild,
    /// Compares how long the steps of .ci/run took with the record; `--write` records.
    ///
    /// Example: cargo xtask minutes target/minutes.txt
    Minutes(minutes::Args),
    /// Counts the instructions of a step of some models with valgrind and compares them with tests/budget.toml.
    ///
    /// Example: cargo xtask budget
    Budget(budget::Args),
    /// Measures speed, growth and memory, beside the reference where a Python with it is named; writes the measured
    /// parts of docs/performance.md.
    ///
    /// Example: cargo xtask bench models --python venv/bin/python --write
    Bench(bench::Args),
    /// Builds the Python package, installs it into a fresh virtual environment, and runs its tests; needs Python 3.11 or
    /// later, and the package index.
    ///
    /// Example: cargo xtask python
    Python(python::Args),
    /// Opens recorded pages in headless Chromium and uses them as people do; needs Debian's packages and npm where
    /// Chromium or playwright-core is missing.
    ///
    /// Example: cargo xtask browser
    Browser(browser::Args),
    /// Uses the window of `mj view` on a virtual display: pauses, steps, turns the camera, pulls a body, moves a slider.
    ///
    /// Example: cargo xtask window
    Window,
    /// Tests all that draws, with Mesa's software driver from Debian's packages where there is none; `--write` draws the pictures
    /// of the documents anew. `--beside` compares pictures with the reference's, and makes a page with both.
    ///
    /// Example: cargo xtask pictures
    Pictures(pictures::Args),
    /// Measures what the papers measured, runs every solver on problems of a corpus, and writes docs/papers.md.
    ///
    /// Example: cargo xtask papers speed mechanism
    Papers(papers::Args),
    /// Compares deformable bodies with the theory of beams and shafts and with the reference's results in
    /// tests/golden/deformables.txt, and writes docs/deformables.md; records these results first where a Python with
    /// `mujoco` 4.0.0 and `numpy` is named.
    ///
    /// Example: cargo xtask deformables
    Deformables(deformables::Args),
    /// Draws the plots of the book that follow from the code alone: costs, impedance, energy drift, convergence.
    ///
    /// Example: cargo xtask figures
    Figures,
    /// Controls every task of mj-control for many seeds and writes the table of docs/control.md; takes minutes.
    ///
    /// Example: cargo xtask control --seeds 20
    Control(control::Args),
    /// Finds parameters of random models of a corpus from logs with noise and writes the table of docs/control.md.
    Identify(identify::Args),
    /// Measures what finding the contacts of 100, 1,000 and 10,000 spread-out bodies costs.
    ///
    /// Example: cargo xtask broadphase
    Broadphase(broadphase::Args),
}

/// The workspace's root folder.
fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().unwrap_or(here).to_path_buf()
}

fn main() -> ExitCode {
    let outcome = match Cli::parse().chore {
        Chore::Tidy => tidy::run(&root()),
        Chore::Book => book::run(&root()),
        Chore::Api(args) => api::run(&root(), &args),
        Chore::Codegen(args) => codegen::run(&root(), &args),
        Chore::Oracle(args) => oracle::run(&root(), &args),
        Chore::Conformance(args) => conformance::run(&root(), &args),
        Chore::Edits(args) => edits::run(&root(), &args),
        Chore::Roundtrip(args) => roundtrip::run(&root(), &args),
        Chore::Kkt(args) => kkt::run(&root(), &args),
        Chore::Fuzz(args) => fuzz::run(&root(), &args),
        Chore::FirstBuild => first_build::run(&root()),
        Chore::Minutes(args) => minutes::run(&root(), &args),
        Chore::Budget(args) => budget::run(&root(), &args),
        Chore::Bench(args) => bench::run(&root(), &args),
        Chore::Python(args) => python::run(&root(), &args),
        Chore::Window => window::run(&root()),
        Chore::Browser(args) => browser::run(&root(), &args),
        Chore::Pictures(args) => pictures::run(&root(), &args),
        Chore::Papers(args) => papers::run(&root(), &args),
        Chore::Deformables(args) => deformables::run(&root(), &args),
        Chore::Figures => figures::run(&root()),
        Chore::Control(_) | Chore::Identify(_) if cfg!(debug_assertions) => studies::in_release(&root()),
        Chore::Control(args) => control::run(&root(), &args),
        Chore::Identify(args) => identify::run(&root(), &args),
        Chore::Broadphase(args) => broadphase::run(&root(), &args),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(e) => {
            eprintln!("error: {e}");
            ExitCode::FAILURE
        }
    }
}
