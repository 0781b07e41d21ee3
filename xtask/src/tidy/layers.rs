//! Layers of the workspace: the dependencies that each crate may have. docs/architecture.md has the reasons.

use super::manifest::Manifest;

/// The crates of this workspace that each crate may depend on, for building, testing or examples alike: a crate that
/// needs a higher layer to be tested could not be used without it.
const LAYERS: &[(&str, &[&str])] = &[
    ("mj-math", &[]),
    ("mj-npz", &[]),
    // A solver sees a `Problem`, not a model: whoever writes another one needs no more than these two.
    ("mj-problem", &["mj-math"]),
    ("mj-solver", &["mj-math", "mj-problem"]),
    ("mj-model", &["mj-math"]),
    // Models and recorded numbers for the tests of the crates above.
    ("mj-testkit", &["mj-math", "mj-model"]),
    ("mj-mjcf", &["mj-math", "mj-model"]),
    ("mj-dynamics", &["mj-math", "mj-model", "mj-testkit"]),
    // Elements between bodies: it sees poses, and gives forces.
    ("mj-deformable", &["mj-math", "mj-model", "mj-testkit", "mj-dynamics"]),
    // The narrow phase knows shapes and poses only, its driver knows the model; neither knows dynamics.
    ("mj-collide", &["mj-math", "mj-model"]),
    // Plugins that come with it are written as anybody's: against the traits of the model alone.
    ("mj-plugins", &["mj-math", "mj-model"]),
    // Diagnostics reach the text through `Spec`'s places, never through XML.
    // Hulls of meshes are those that anybody can collide.
    ("mj-compile", &["mj-math", "mj-model", "mj-dynamics", "mj-deformable", "mj-collide", "mj-plugins"]),
    (
        "mj-constraint",
        &["mj-math", "mj-problem", "mj-model", "mj-testkit", "mj-dynamics", "mj-deformable", "mj-collide"],
    ),
    // The solvers of the papers: what they share, and one crate each. None knows the engine, nor the engine them. Newton's
    // method is for their examples and tests.
    ("mj-contact-space", &["mj-math", "mj-problem"]),
    ("mj-solver-complementarity", &["mj-math", "mj-problem", "mj-solver", "mj-contact-space"]),
    ("mj-solver-diagonal", &["mj-math", "mj-problem", "mj-solver", "mj-contact-space"]),
    // Time stepping sees states and accelerations, not contacts.
    ("mj-integrate", &["mj-math", "mj-model", "mj-testkit", "mj-dynamics"]),
    // A pipeline of its own, from the stages that the engine has too. Loading is for its tests.
    (
        "mj-impulse",
        &[
            "mj-math",
            "mj-model",
            "mj-testkit",
            "mj-mjcf",
            "mj-dynamics",
            "mj-deformable",
            "mj-compile",
            "mj-collide",
            "mj-problem",
            "mj-constraint",
            "mj-contact-space",
            "mj-integrate",
        ],
    ),
    (
        "mj-engine",
        &[
            "mj-math",
            "mj-model",
            "mj-testkit",
            "mj-mjcf",
            "mj-dynamics",
            "mj-deformable",
            "mj-compile",
            "mj-plugins",
            "mj-collide",
            "mj-problem",
            "mj-constraint",
            "mj-solver",
            "mj-integrate",
        ],
    ),
    // Optimization of trajectories and predictive control: users of the engine alone.
    ("mj-control", &["mj-math", "mj-engine"]),
    // Parameters from logs: a user of the engine alone.
    ("mj-identify", &["mj-math", "mj-engine"]),
    // Abstract scenes: what a renderer draws, with no GPU and no files.
    ("mj-scene", &["mj-math", "mj-model", "mj-dynamics", "mj-engine"]),
    // Recordings: frames of any renderer, states, and pages that play scenes. No renderer, no GPU.
    ("mj-record", &["mj-math", "mj-model", "mj-engine", "mj-scene"]),
    // A simulation and those who watch it: messages alone, no window and no network.
    ("mj-session", &["mj-model", "mj-engine", "mj-scene"]),
    // A session in browsers: the network is seen here alone.
    ("mj-serve", &["mj-model", "mj-engine", "mj-scene", "mj-session", "mj-record"]),
    // The GPU is seen by the renderer and the windows alone; its example writes a file.
    ("mj-render", &["mj-math", "mj-model", "mj-engine", "mj-scene", "mj-record"]),
    // The window: a viewer that draws with the renderer.
    ("mj-view", &["mj-model", "mj-engine", "mj-scene", "mj-session", "mj-record", "mj-render"]),
    // Where solvers have names: for the command and for Python.
    (
        "mj-solvers",
        &["mj-math", "mj-problem", "mj-solver", "mj-solver-complementarity", "mj-solver-diagonal", "mj-impulse"],
    ),
    // Python sees the engine, and the tables and results beneath it.
    (
        "mj-py",
        &[
            "mj-math",
            "mj-problem",
            "mj-model",
            "mj-mjcf",
            "mj-dynamics",
            "mj-deformable",
            "mj-compile",
            "mj-collide",
            "mj-constraint",
            "mj-engine",
            "mj-solver-complementarity",
            "mj-impulse",
            "mj-solvers",
            "mj-control",
            "mj-identify",
            "mj-scene",
            "mj-record",
            "mj-render",
            "mj-serve",
            "mj-session",
        ],
    ),
    (
        "mj-cli",
        &[
            "mj-math",
            "mj-model",
            "mj-mjcf",
            "mj-dynamics",
            "mj-compile",
            "mj-problem",
            "mj-solver-complementarity",
            "mj-impulse",
            "mj-solvers",
            "mj-engine",
            "mj-control",
            "mj-identify",
            "mj-scene",
            "mj-session",
            "mj-record",
            "mj-serve",
            "mj-view",
            "mj-render",
            "mj-npz",
        ],
    ),
    // Examples: crates that anybody can write.
    ("solver-variant", &["mj-math", "mj-problem", "mj-engine"]),
    ("plugin", &["mj-engine"]),
    (
        "papers",
        &[
            "mj-math",
            "mj-dynamics",
            "mj-contact-space",
            "mj-solver-complementarity",
            "mj-solver-diagonal",
            "mj-impulse",
            "mj-engine",
        ],
    ),
    // Code on the pages of the book: one crate at a time, and the engine.
    (
        "book",
        &[
            "mj-math",
            "mj-npz",
            "mj-problem",
            "mj-model",
            "mj-mjcf",
            "mj-dynamics",
            "mj-deformable",
            "mj-collide",
            "mj-plugins",
            "mj-compile",
            "mj-constraint",
            "mj-contact-space",
            "mj-impulse",
            "mj-solvers",
            "mj-engine",
            "mj-control",
            "mj-scene",
            "mj-session",
        ],
    ),
    // The scenes of a page of the book are those of the tests.
    (
        "xtask",
        &[
            "mj-model",
            "mj-testkit",
            "mj-mjcf",
            "mj-deformable",
            "mj-constraint",
            "mj-problem",
            "mj-solver",
            "mj-engine",
            "mj-control",
            "mj-identify",
            "mj-scene",
            "mj-npz",
        ],
    ),
];

/// Third-party crates that only some crates may use, and why.
const USERS: &[(&str, &[&str], &str)] = &[
    ("roxmltree", &["mj-mjcf"], "only mj-mjcf sees XML"),
    ("parry3d-f64", &["mj-compile", "mj-collide"], "they make meshes and hulls; tests of mj-collide compare with it"),
    ("qhull", &["mj-collide"], "convex hulls go through one function"),
    ("pulp", &["mj-math"], "wider vectors go through one module"),
    (
        "faer",
        &["mj-math", "mj-control", "mj-identify"],
        "dense factorizations are for optimization; tests of mj-math compare with them",
    ),
    ("libm", &["mj-math"], "elementary functions go through one module"),
    (
        "serde",
        &["mj-model", "mj-serve"],
        "only states are for other formats, behind a feature; messages of browsers are JSON",
    ),
    ("tungstenite", &["mj-serve"], "the network is seen in one place"),
    ("getrandom", &["mj-serve"], "only tokens are random"),
    ("ply-rs-bw", &["mj-plugins"], "file formats beyond the core's are behind features"),
    ("gltf-json", &["mj-plugins"], "file formats beyond the core's are behind features"),
    (
        "base64",
        &["mj-plugins", "mj-record"],
        "file formats beyond the core's are behind features; pages hold data as text",
    ),
    ("flate2", &["mj-record"], "recordings are compressed in one place"),
    ("wgpu", &["mj-render"], "only the renderer sees the GPU"),
    ("noto-sans-mono-bitmap", &["mj-render"], "letters are drawn where pictures are"),
    ("eframe", &["mj-view"], "windows are one crate's business"),
    ("egui_plot", &["mj-view"], "windows are one crate's business"),
    (
        "png",
        &["mj-compile", "mj-record", "mj-view"],
        "textures are read in one place, pictures written in one, and compared in a test",
    ),
    ("clap", &["mj-cli", "xtask"], "libraries have no command line"),
    ("clap_complete", &["mj-cli"], "libraries have no command line"),
    ("ctrlc", &["mj-cli"], "signals are handled by the command"),
    ("indicatif", &["mj-cli"], "libraries don't draw"),
    ("mj-npz", &["mj-cli", "book", "xtask"], "arrays in files are the command's business"),
    ("zip", &["mj-mjcf", "mj-npz"], "archives of models and of arrays are theirs"),
    (
        "rayon",
        &["mj-solver", "mj-engine", "mj-compile", "mj-control", "mj-identify", "mj-cli", "mj-py", "xtask"],
        "results of a stage don't depend on threads",
    ),
];

/// Complaints about forbidden dependencies, and about crates that the table doesn't know.
pub fn check(manifests: &[Manifest]) -> Vec<String> {
    let mut faults = Vec::new();
    for m in manifests {
        let Some((_, allowed)) = LAYERS.iter().find(|(name, _)| *name == m.name) else {
            faults.push(format!("{}: missing in the layering table", m.name));
            continue;
        };
        for d in &m.dependencies {
            let ours = LAYERS.iter().any(|(name, _)| name == d);
            if ours && !allowed.contains(&d.as_str()) {
                faults.push(format!("{} may not depend on {d} (it may on: {})", m.name, allowed.join(", ")));
            }
            if let Some((_, users, why)) = USERS.iter().find(|(name, ..)| name == d)
                && !users.contains(&m.name.as_str())
            {
                faults.push(format!("{} may not depend on {d}: {why}", m.name));
            }
        }
    }
    faults
}

#[cfg(test)]
mod tests {
    use super::super::manifest;
    use super::*;
    use std::path::Path;

    fn parsed(text: &str) -> Manifest {
        Manifest::parse(text, Path::new("crates/x")).unwrap()
    }

    #[test]
    fn this_workspace_keeps_to_its_layers() {
        assert_eq!(check(&manifest::workspace(&crate::root()).unwrap()), Vec::<String>::new());
    }

    /// Every forbidden edge, added to the real manifest's text as a person would add it, is found.
    #[test]
    fn a_forbidden_dependency_is_a_fault() {
        let names: Vec<&str> = LAYERS.iter().map(|(n, _)| *n).collect();
        for m in manifest::workspace(&crate::root()).unwrap() {
            let text = std::fs::read_to_string(m.dir.join("Cargo.toml")).unwrap();
            let (_, allowed) = LAYERS.iter().find(|(n, _)| *n == m.name).unwrap();
            for other in names.iter().filter(|n| **n != m.name && !allowed.contains(n)) {
                for kind in ["dependencies", "dev-dependencies"] {
                    let section = format!("[{kind}]");
                    let line = format!("{section}\n{other} = {{ workspace = true }}\n");
                    let changed =
                        if text.contains(&section) { text.replace(&section, &line) } else { format!("{text}\n{line}") };
                    let faults = check(&[parsed(&changed)]);
                    assert!(
                        faults.iter().any(|f| f.starts_with(&format!("{} may not depend on {other} ", m.name))),
                        "{}: {kind}: {other}: {faults:?}",
                        m.name
                    );
                }
            }
        }
    }

    #[test]
    fn a_renamed_dependency_does_not_slip_through() {
        let m =
            parsed("[package]\nname = 'mj-solver'\n[dependencies]\nm = { package = 'mj-model', path = '../mj-model' }");
        assert_eq!(check(&[m]).len(), 1);
    }

    #[test]
    fn xml_stays_in_its_room() {
        let m = parsed("[package]\nname = 'mj-engine'\n[dependencies]\nroxmltree = '0.21'");
        assert_eq!(check(&[m]), ["mj-engine may not depend on roxmltree: only mj-mjcf sees XML"]);
    }

    #[test]
    fn an_unknown_crate_is_a_fault() {
        assert_eq!(check(&[parsed("[package]\nname = 'mj-new'")]).len(), 1);
    }

    /// The solvers of the papers plug into the engine from outside: nothing below, down to a test, depends on
    /// them, and no source of the engine or below names them. Only the crate where solvers are registered by name, the
    /// command, the Python package and the book's examples do.
    #[test]
    fn the_house_does_not_know_the_papers_solvers() {
        const PAPERS: [&str; 4] = ["mj-contact-space", "mj-solver-complementarity", "mj-solver-diagonal", "mj-impulse"];
        const REGISTERED: [&str; 5] = ["mj-solvers", "mj-cli", "mj-py", "papers", "book"];
        for m in manifest::workspace(&crate::root()).unwrap() {
            if PAPERS.contains(&m.name.as_str()) || REGISTERED.contains(&m.name.as_str()) {
                continue;
            }
            for p in PAPERS {
                assert!(!m.dependencies.iter().any(|d| d == p), "{} depends on {p}", m.name);
                let module = p.replace('-', "_");
                let mut folders = vec![m.dir.join("src")];
                while let Some(folder) = folders.pop() {
                    for entry in std::fs::read_dir(&folder).unwrap().map(|e| e.unwrap().path()) {
                        if entry.is_dir() {
                            folders.push(entry);
                        } else if m.name != "xtask" {
                            let text = std::fs::read_to_string(&entry).unwrap_or_default();
                            assert!(!text.contains(&module), "{} names {p}", entry.display());
                        }
                    }
                }
            }
        }
        for p in PAPERS {
            let (_, allowed) = LAYERS.iter().find(|(name, _)| *name == p).unwrap();
            assert!(!allowed.contains(&"mj-engine"), "{p} may depend on the engine");
        }
    }

    /// The table itself has no arrow up: a crate depends only on crates that stand above it in the list.
    #[test]
    fn the_table_is_acyclic() {
        for (i, (name, allowed)) in LAYERS.iter().enumerate() {
            for a in *allowed {
                let j = LAYERS.iter().position(|(n, _)| n == a).unwrap();
                assert!(j < i, "{name} → {a}");
            }
        }
    }
}
