//! Rust code on the pages of the book, as documentation tests: `cargo test -p book --doc`.
#![forbid(unsafe_code)]

/// Declares an item for each page, whose documentation is the page.
macro_rules! pages {
    ($($name:ident $path:literal),* $(,)?) => {
        $(
            #[cfg(doctest)]
            #[doc = include_str!(concat!("../../../docs/", $path))]
            struct $name;
        )*
    };
}

pages! {
    Start "start/rust.md",
    ComingFromMujoco "coming-from-mujoco/README.md",
    Crates "crates.md",
    Modelling "modelling/README.md",
    Diagnostics "modelling/diagnostics.md",
    Extend "extend/README.md",
    Solver "extend/solver.md",
    Shapes "extend/shapes.md",
}
