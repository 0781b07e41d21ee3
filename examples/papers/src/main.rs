//! The tables and figures of the papers with our code and models, and four scenes under four formulations of contact.
//!
//! ```text
//! cargo run --release -p papers -- docs/figures [SECTION...]
//! ```
//!
//! prints each section as Markdown and draws its figures; `cargo xtask papers` puts them into docs/papers.md.
#![forbid(unsafe_code)]

mod balls;
mod drop;
mod formulation;
mod mechanism;
mod plot;
mod projection;
mod random;
mod scenes;
mod smooth;
mod speed;
mod text;
mod timing;
mod trajectory;

use std::path::Path;
use text::Error;

/// Sections of the page by name: each draws its figures into a folder and gives its text.
type Section = (&'static str, fn(&Path) -> Result<String, Error>);

const SECTIONS: &[Section] = &[
    ("smooth", |_| smooth::section()),
    ("trajectory", |_| trajectory::section()),
    ("balls", |_| balls::section()),
    ("drop", drop::section),
    ("mechanism", mechanism::section),
    ("speed", speed::section),
    ("projection", |_| projection::section()),
    ("scenes", scenes::section),
];

fn main() -> Result<(), Error> {
    let mut arguments = std::env::args().skip(1);
    let folder = arguments.next().unwrap_or_else(|| ".".into());
    let chosen: Vec<String> = arguments.collect();
    let known = |name: &String| SECTIONS.iter().any(|s| s.0 == name);
    if let Some(unknown) = chosen.iter().find(|name| !known(name)) {
        let names: Vec<&str> = SECTIONS.iter().map(|s| s.0).collect();
        return Err(format!("no section {unknown}; there are {}", names.join(", ")).into());
    }
    for (name, section) in SECTIONS {
        if chosen.is_empty() || chosen.iter().any(|c| c == name) {
            println!("{}", section(Path::new(&folder))?);
        }
    }
    Ok(())
}
