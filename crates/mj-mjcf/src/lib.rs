//! Reads MJCF text into a [`Spec`], and tells everything that is wrong with it in one go: what,
//! where, and what would be right. Writes a [`Spec`] as MJCF text ([`write()`]).
//!
//! ```
//! let mut files = mj_mjcf::Memory::new();
//! files.insert("ball.xml", r#"<mujoco>
//!   <worldbody>
//!     <body name="ball" pos="0 0 1"><freejoint/><geom size="0.1"/></body>
//!   </worldbody>
//! </mujoco>"#);
//! let (spec, report) = mj_mjcf::read("ball.xml", &files);
//! let spec = spec.unwrap_or_else(|| panic!("{report}"));
//! assert_eq!(spec.worldbody.bodies[0].name, "ball");
//! ```
//!
//! Text goes through four layers: [`limits`] bound its size; a tolerant pass makes strict
//! XML of what people write; a tree joins the included files, each name and value with its place;
//! and one reader per group of elements runs on tables that say what each attribute takes and which
//! field it fills. Files of meshes and
//! height fields are fetched, but not looked into: that, and the model, is the compiler's.
//!
//! It knows no compiled model.
#![forbid(unsafe_code)]

mod elements;
pub mod language;
pub mod limits;
mod macros;
mod reader;
mod sections;
mod syntax;
mod urdf;
mod write;

pub use reader::gaps::Partial;
pub use syntax::archive::{Archive, ArchiveError, is_archive};
pub use syntax::pinpoint::pinpoint;
pub use syntax::report::Report;
pub use syntax::resolver::{FileResolver, FileSystem, Memory, normal};
pub use write::{pack, write};

use mj_model::Spec;
use mj_model::suggest;
use mj_model::{Loc, SourceFile};
use std::path::Path;

/// Reads a model file, or the model in an archive (`.mjz`, `.zip`), and everything that it includes.
///
/// The spec is there if and only if the report holds no error; its `sources` are the report's.
///
/// ```
/// use mj_mjcf::{Memory, is_archive, normal, pack, read, read_partial, read_str};
///
/// let ball = "<mujoco><worldbody><body name='ball'><freejoint/><geom size='.1'/></body></worldbody></mujoco>";
/// let mut files = Memory::new();
/// files.insert("ball.xml", ball);
/// files.insert("models/scene.xml", "<mujoco><include file='../ball.xml'/></mujoco>");
/// files.insert("typo.xml", ball.replace("size", "sice"));
/// assert_eq!(normal("models/../ball.xml".as_ref()), std::path::Path::new("ball.xml"));
/// for model in ["ball.xml", "models/scene.xml"] {
///     let (spec, _) = read(model, &files);
///     assert_eq!(spec.unwrap().worldbody.bodies[0].name, "ball");
/// }
///
/// // With an error there is no spec, but what could be read.
/// let (spec, report) = read("typo.xml", &files);
/// assert!(spec.is_none() && report.to_string().contains("size"));
/// let (partial, _) = read_partial("typo.xml", &files);
/// assert_eq!(partial.unwrap().spec.worldbody.bodies[0].name, "ball");
///
/// // From text, into an archive, and back.
/// let (spec, _) = read_str(ball, &files);
/// files.insert("ball.mjz", pack(&spec.unwrap())?);
/// assert!(is_archive("ball.mjz".as_ref()));
/// assert_eq!(read("ball.mjz", &files).0.unwrap().worldbody.bodies[0].name, "ball");
/// # Ok::<(), mj_mjcf::ArchiveError>(())
/// ```
#[must_use]
pub fn read(path: impl AsRef<Path>, files: &dyn FileResolver) -> (Option<Spec>, Report) {
    let (partial, report) = read_partial(path, files);
    (partial.filter(|_| !report.has_errors()).map(|p| p.spec), report)
}

/// Reads a model file as far as it goes, so that a compiler can look for further problems in what
/// could be read.
///
/// There is nothing if the file cannot be read at all: it isn't there, or is no XML.
///
/// Example: [`read`].
#[must_use]
pub fn read_partial(path: impl AsRef<Path>, files: &dyn FileResolver) -> (Option<Partial>, Report) {
    let path = path.as_ref();
    let mut report = Report::default();
    let partial = if is_archive(path) {
        open_archive(path, files).and_then(|archive| read_text(archive.model(), &archive, &mut report))
    } else {
        read_text(path, files, &mut report)
    };
    let partial = partial.unwrap_or_else(|problem| {
        let file =
            SourceFile { path: path.to_path_buf(), text: String::new(), included_from: Loc::NONE, attached: false };
        report.sources.files.push(file);
        report.diagnostics.error(Loc::NONE, format!("cannot read `{}`: {problem}", path.display()));
        None
    });
    (partial, report)
}

fn read_text(path: &Path, files: &dyn FileResolver, report: &mut Report) -> Result<Option<Partial>, String> {
    let text = files.read(path, limits::FILE_BYTES).map_err(|e| syntax::tree::describe(&e))?;
    Ok(sections::read(path, text, files, report))
}

fn open_archive(path: &Path, files: &dyn FileResolver) -> Result<Archive, String> {
    let contents = files.read(path, limits::ARCHIVE_BYTES).map_err(|e| syntax::tree::describe(&e))?;
    Archive::new(path, contents).map_err(|e| e.to_string())
}

/// Reads a model from text; files that it includes come from the resolver.
///
/// The spec is there if and only if the report holds no error; its `sources` are the report's, where
/// the text goes by the name `model.xml`.
///
/// Example: [`read`].
#[must_use]
pub fn read_str(text: &str, files: &dyn FileResolver) -> (Option<Spec>, Report) {
    let mut report = Report::default();
    let partial = sections::read(Path::new("model.xml"), text.as_bytes().to_vec(), files, &mut report);
    (partial.filter(|_| !report.has_errors()).map(|p| p.spec), report)
}
