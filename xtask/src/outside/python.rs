//! Builds the Python package, installs it into a fresh virtual environment, and tests it there: with its own tests, and
//! with those of other people's packages.

use super::driver;
use super::steps::Steps;
use crate::Result;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;

const STEPS: Steps = Steps("python");

/// Arguments of `cargo xtask python`.
#[derive(clap::Args)]
pub struct Args {
    /// Interpreter, 3.11 or later, of which the environment is made.
    #[arg(long, default_value = "python3")]
    python: PathBuf,
    /// Cargo profile of the native module: `dev` builds faster, and runs slower.
    #[arg(long, default_value = "release")]
    profile: String,
    /// A native module that is built already, `libmj_core.so`: installs it with the package's files, and builds no wheel.
    #[arg(long, conflicts_with = "profile")]
    module: Option<PathBuf>,
    /// Wheel for this interpreter alone, as free-threaded ones need: they have no stable interface.
    #[arg(long)]
    no_abi3: bool,
    /// Run tests and examples of other people's packages too, and write `docs/python-packages.md`: takes hours.
    #[arg(long)]
    outside: bool,
    /// Writes the stubs of the package anew, and tests nothing.
    #[arg(long)]
    stubs: bool,
    /// Arguments for pytest, as `-k contact`.
    #[arg(last = true)]
    pytest: Vec<String>,
}

/// Python packages for building and testing.
const TOOLS: &[&str] = &[
    "maturin>=1.9,<2",
    "pytest>=8",
    "gymnasium>=1.0",
    "mypy>=2,<3",
    "nbclient>=0.10,<1",
    "ipykernel>=7,<8",
    // Of the extra `sysid`.
    "scipy>=1.11",
    "pyyaml>=6",
    "jinja2>=3.1",
    "plotly>=5.18",
    "imageio[ffmpeg]>=2.31",
];

/// Packages of the extras that don't exist for every interpreter: tests that need them are skipped without.
const EXTRAS: &[&str] = &["ray>=2.40", "jax>=0.4.34"];

/// Builds a wheel, installs it, checks that stubs are current, and runs the package's tests and notebooks.
pub fn run(root: &Path, args: &Args) -> Result<()> {
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from);
    let work = target.join("python");
    let (venv, wheels) = (work.join("venv"), work.join("wheels"));
    for old in [&venv, &wheels] {
        if old.exists() {
            std::fs::remove_dir_all(old)?;
        }
    }
    STEPS.run("environment", Command::new(&args.python).args(["-m", "venv"]).arg(&venv))?;
    let python = venv.join(if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" });
    let run = |name: &str, arguments: &[&OsStr]| {
        // Tests run outside of the sources, so that they see what was installed.
        let cwd = if name == "wheel" { root } else { &work };
        STEPS.run(name, Command::new(&python).current_dir(cwd).args(arguments))
    };
    let words = |words: &[&'static str]| words.iter().map(|w| OsStr::new(*w)).collect::<Vec<_>>();
    let quiet = words(&["-m", "pip", "install", "--quiet", "--disable-pip-version-check"]);
    run("tools", &[quiet.clone(), words(TOOLS)].concat())?;
    for extra in EXTRAS {
        if let Err(e) = run(extra, &[quiet.clone(), words(&[extra])].concat()) {
            println!("python: {e}; tests of {extra} are skipped");
        }
    }

    let package = match &args.module {
        Some(module) => install_module(&python, root, module)?,
        None => {
            let manifest = root.join("python/Cargo.toml");
            let mut build = words(&["-m", "maturin", "build", "--locked", "--manifest-path"]);
            build.extend([manifest.as_os_str(), OsStr::new("--out"), wheels.as_os_str()]);
            build.extend([OsStr::new("--profile"), OsStr::new(&args.profile)]);
            if args.no_abi3 {
                build.push(OsStr::new("--no-default-features"));
            }
            run("wheel", &build)?;
            let built = std::fs::read_dir(&wheels)?.filter_map(|e| Some(e.ok()?.path()));
            let wheel = built.filter(|p| p.extension() == Some(OsStr::new("whl"))).max().ok_or("no wheel was built")?;
            run("install", &[quiet, vec![wheel.as_os_str()]].concat())?;
            wheel
        }
    };

    let stubs = root.join("python/stubs");
    if args.stubs {
        return run("stubs", &[stubs.as_os_str()]);
    }
    run("stubs", &[stubs.as_os_str(), OsStr::new("--check")])?;

    driver::install(&STEPS)?;
    let tests = root.join("python/tests");
    let mut test = words(&["-m", "pytest", "-q", "-p", "no:cacheprovider"]);
    test.push(tests.as_os_str());
    test.extend(args.pytest.iter().map(OsStr::new));
    run("tests", &test)?;

    let mut notebooks: Vec<PathBuf> = std::fs::read_dir(root.join("examples/python"))?
        .filter_map(|e| Some(e.ok()?.path()))
        .filter(|p| p.extension() == Some(OsStr::new("ipynb")))
        .collect();
    notebooks.sort();
    let mut execute = words(&["-c", "from nbclient.cli import main; main()"]);
    execute.extend(notebooks.iter().map(|p| p.as_os_str()));
    run("notebooks", &execute)?;
    if !args.outside {
        return Ok(());
    }
    let (script, page) = (root.join("python/outside/run.py"), root.join("docs/python-packages.md"));
    run("outside", &[script.as_os_str(), package.as_os_str(), work.join("outside").as_os_str(), page.as_os_str()])
}

/// Puts a native module and the package's files where the environment looks for packages; returns their folder.
///
/// It is what a wheel would install, without its list of files.
fn install_module(python: &Path, root: &Path, module: &Path) -> Result<PathBuf> {
    let ask = "import sysconfig; print(sysconfig.get_path('platlib'))";
    let said = Command::new(python).args(["-c", ask]).output()?.stdout;
    let packages = PathBuf::from(String::from_utf8(said)?.trim());
    let package = packages.join("mj");
    copy_folder(&root.join("python/mj"), &package)?;
    let suffix = if cfg!(windows) { "pyd" } else { "abi3.so" };
    std::fs::copy(module, package.join(format!("_core.{suffix}"))).map_err(|e| format!("{}: {e}", module.display()))?;
    let version = env!("CARGO_PKG_VERSION");
    let about = packages.join(format!("mj_physics-{version}.dist-info"));
    std::fs::create_dir_all(&about)?;
    std::fs::write(about.join("METADATA"), format!("Metadata-Version: 2.1\nName: mj-physics\nVersion: {version}\n"))?;
    Ok(package)
}

/// Copies a folder with all that is in it, but what an earlier build or run left.
fn copy_folder(from: &Path, to: &Path) -> Result<()> {
    std::fs::create_dir_all(to)?;
    for entry in std::fs::read_dir(from)? {
        let path = entry?.path();
        let left = path.extension().is_some_and(|e| e == "so" || e == "pyd") || path.ends_with("__pycache__");
        match path.file_name() {
            Some(name) if path.is_dir() && !left => copy_folder(&path, &to.join(name))?,
            Some(name) if !left => _ = std::fs::copy(&path, to.join(name))?,
            _ => {}
        }
    }
    Ok(())
}
