//! The `mj` command: run, info, compile, dump, roll out, bench and prepare multi-joint models.
#![forbid(unsafe_code)]

mod bundled;
mod command;
mod control;
mod diagnostics;
mod failure;
mod impulse;
mod interrupt;
mod keyframe;
mod memory;
mod noise;
mod npz;
mod options;
mod output;
mod recording;
mod solvers;
mod state;
mod stepper;
mod suggest;
mod summary;
mod view;

use clap::{CommandFactory, Parser, Subcommand};
use failure::Failure;
use std::process::ExitCode;

/// Multi-joint dynamics with contact: simulate, inspect and measure MuJoCo models.
#[derive(Parser)]
#[command(name = "mj", version, about, after_help = "Example:\n  mj run humanoid --seconds 5")]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Run(command::run::Args),
    Info(command::info::Args),
    Compile(command::compile::Args),
    Dump(command::dump::Args),
    Decompose(command::decompose::Args),
    Rollout(command::rollout::Args),
    Render(Box<command::render::Args>),
    View(command::view::Args),
    Bench(command::bench::Args),
    Problem(command::problem::Args),
    Solve(command::solve::Args),
    Plan(command::control::PlanArgs),
    Control(command::control::ControlArgs),
    Identify(command::identify::Args),
    Completions(command::completions::Args),
}

fn main() -> ExitCode {
    let result = match Cli::parse().command {
        Command::Run(args) => command::run::run(&args),
        Command::Info(args) => command::info::run(&args),
        Command::Compile(args) => command::compile::run(&args),
        Command::Dump(args) => command::dump::run(&args),
        Command::Decompose(args) => command::decompose::run(&args),
        Command::Rollout(args) => command::rollout::run(&args),
        Command::Render(args) => command::render::run(&args),
        Command::View(args) => command::view::run(&args),
        Command::Bench(args) => command::bench::run(&args),
        Command::Problem(args) => command::problem::run(&args),
        Command::Solve(args) => command::solve::run(&args),
        Command::Plan(args) => command::control::plan(&args),
        Command::Control(args) => command::control::control(&args),
        Command::Identify(args) => command::identify::run(&args),
        Command::Completions(args) => command::completions::run(&args, Cli::command()),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        // A reader that went away (`mj info … | head`) is no fault of ours.
        Err(Failure::Output(e)) if e.kind() == std::io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(e @ (Failure::Told | Failure::Interrupted)) => e.exit_code(),
        Err(e @ Failure::Model(_)) => {
            eprintln!("{}\n\n{}", e.to_string().trim_end(), diagnostics::count(&e));
            e.exit_code()
        }
        Err(e) => {
            eprintln!("{}", e.to_string().trim_end());
            e.exit_code()
        }
    }
}
