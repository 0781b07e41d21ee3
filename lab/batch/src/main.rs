//! Command of the spike: measures many worlds at once.
#![forbid(unsafe_code)]

mod command;

use clap::{Parser, Subcommand};

/// Measures many worlds of one model at once.
#[derive(Parser)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Steps worlds on threads with the control noise of MuJoCo Warp's benchmark.
    Protocol(command::protocol::Args),
    /// Says which models of a folder the lists of operations cover.
    Coverage(command::coverage::Args),
    /// Times the smooth stages in lanes against the engine's.
    Smooth(command::smooth::Args),
    /// Times Newton's method in lanes against the engine's.
    Solver(command::solver::Args),
    /// Times whole steps in lanes against the engine's.
    Step(command::step::Args),
    /// Times the fused kernel on a GPU (features `cuda`, `wgpu`).
    #[cfg(any(feature = "cuda", feature = "wgpu"))]
    Gpu(command::gpu::Args),
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    match Cli::parse().command {
        Command::Protocol(args) => command::protocol::run(&args),
        Command::Coverage(args) => command::coverage::run(&args),
        Command::Smooth(args) => command::smooth::run(&args),
        Command::Solver(args) => command::solver::run(&args),
        Command::Step(args) => command::step::run(&args),
        #[cfg(any(feature = "cuda", feature = "wgpu"))]
        Command::Gpu(args) => command::gpu::run(&args),
    }
}
