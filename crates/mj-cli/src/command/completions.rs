//! `mj completions`: completion scripts for shells.

use crate::failure::Failure;
use std::io::Write as _;

/// Prints a script that completes commands and options in a shell.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  mj completions bash > ~/.local/share/bash-completion/completions/mj\n  \
    mj completions zsh > ~/.zfunc/_mj        (with ~/.zfunc in fpath)\n  \
    mj completions fish > ~/.config/fish/completions/mj.fish")]
pub struct Args {
    /// Shell.
    shell: clap_complete::Shell,
}

/// Runs the command.
pub fn run(args: &Args, mut command: clap::Command) -> Result<(), Failure> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut command, "mj", &mut script);
    std::io::stdout().write_all(&script)?;
    Ok(())
}
