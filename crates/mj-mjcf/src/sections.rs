//! The root element and the order in which its sections are read.

use crate::limits;
use crate::reader::Reader;
use crate::reader::expansion::Budget;
use crate::reader::gaps::{Gaps, Partial};
use crate::reader::table::{Child, Table, attr};
use crate::syntax::report::Report;
use crate::syntax::report::errors;
use crate::syntax::resolver::{FileResolver, normal};
use crate::syntax::tree::{self, Node};
use mj_model::{Loc, Spec};
use std::collections::HashSet;
use std::path::Path;

pub(crate) const ROOT: Table<Spec> = Table { groups: &[&[attr!(Spec: "model" modelname)]], rules: &[] };

/// Reads one kind of section.
type ReadSection = fn(&mut Reader, &Node);

/// The sections, in the order in which they are read, whatever their order in the file: settings and
/// default classes before what depends on them. A section may stand in the file any number of times.
const SECTIONS: &[(&str, ReadSection)] = &[
    ("compiler", |r, n| r.compiler(n)),
    ("option", |r, n| r.option(n)),
    ("size", |r, n| r.size(n)),
    ("visual", |r, n| r.visual(n)),
    ("statistic", |r, n| r.statistic(n)),
    ("default", |r, n| r.top_default(n)),
    ("extension", |r, n| r.extension(n)),
    ("custom", |r, n| r.custom(n)),
    ("asset", |r, n| r.asset(n)),
    ("contact", |r, n| r.contact(n)),
    ("deformable", |r, n| r.deformable(n)),
    ("equality", |r, n| r.equality(n)),
    ("tendon", |r, n| r.tendon(n)),
    ("actuator", |r, n| r.actuator(n)),
    ("sensor", |r, n| r.sensor(n)),
    ("keyframe", |r, n| r.keyframe(n)),
    ("worldbody", |r, n| r.world(n)),
    ("body", |r, n| r.stray(n)),
    ("frame", |r, n| r.stray(n)),
    ("replicate", |r, n| r.stray(n)),
];

pub(crate) const CHILDREN: &[Child] = &{
    let mut children = [Child::many(""); SECTIONS.len()];
    let mut i = 0;
    while i < children.len() {
        children[i] = Child::many(SECTIONS[i].0);
        i += 1;
    }
    children
};

/// Reads a document from the main file's text.
pub(crate) fn read(path: &Path, text: Vec<u8>, files: &dyn FileResolver, report: &mut Report) -> Option<Partial> {
    let mut budget = Budget::default();
    budget.open.push(normal(path));
    let read = read_model(path, "", text, Loc::NONE, files, report, &mut budget);
    report.sort();
    let mut partial = read?.0;
    partial.spec.sources = report.sources.clone();
    Some(partial)
}

/// Reads a model, be it the main one or one to attach, which stands at `from`; with the attributes of
/// `option` that it gives. None if it cannot be read at all.
pub(crate) fn read_model(
    path: &Path,
    content_type: &str,
    text: Vec<u8>,
    from: Loc,
    files: &dyn FileResolver,
    report: &mut Report,
    budget: &mut Budget,
) -> Option<(Partial, HashSet<String>)> {
    if text.len() as u64 > limits::FILE_BYTES {
        report.diagnostics.error(from, format!("the text is larger than {} bytes", limits::FILE_BYTES));
        return None;
    }
    if let Some(decoded) = files.decode(path, content_type, &text) {
        return match decoded {
            Ok(spec) => Some((Partial { spec, gaps: Gaps::default() }, HashSet::new())),
            Err(problem) => {
                report.diagnostics.error(from, format!("`{}`: {problem}", path.display()));
                None
            }
        };
    }
    let document = tree::load(path, text, from, files, report)?;
    let root = &document.root;
    let base = path.parent().unwrap_or(Path::new("")).to_path_buf();
    let mut reader = Reader::new(report, files, base, document.dirs);
    std::mem::swap(&mut reader.budget, budget);
    if document.incomplete {
        (reader.gaps.elements, reader.gaps.settings) = (true, true);
    }
    match root.name.as_str() {
        "mujoco" => reader.root(root),
        "robot" => reader.robot(root),
        other => {
            let message = format!("the root element is `{other}`");
            reader.error(root.loc, message).help("a model is a `<mujoco>` element, or a `<robot>` in URDF");
        }
    }
    reader.finish();
    std::mem::swap(&mut reader.budget, budget);
    Some((Partial { spec: reader.spec, gaps: reader.gaps }, reader.authored))
}

impl Reader<'_> {
    fn root(&mut self, root: &Node) {
        // Name space declarations and prefixed attributes on the root are for editors.
        let foreign = |name: &str| name.starts_with("xmlns") || name.contains(':');
        let own = Node {
            name: root.name.clone(),
            loc: root.loc,
            attributes: Vec::new(),
            children: Vec::new(),
            cdata: Vec::new(),
            dir: root.dir,
        };
        let mut spec = std::mem::take(&mut self.spec);
        spec.modelname = "MuJoCo Model".into();
        for a in root.attributes.iter().filter(|a| !foreign(&a.name)) {
            self.one_attribute(&own, a, &ROOT, &mut spec);
        }
        self.spec = spec;
        self.root_class();
        let sections = self.children(root, CHILDREN);
        for (name, read) in SECTIONS {
            let before = errors(self.report);
            for section in sections.iter().filter(|s| s.name == *name) {
                read(self, section);
            }
            // The meaning of everything else depends on these.
            if matches!(*name, "compiler" | "size" | "default") && errors(self.report) > before {
                self.gaps.settings = true;
            }
        }
    }

    /// Puts together what is whole only when everything has been read.
    fn finish(&mut self) {
        self.spec.worldbody = std::mem::take(&mut self.body);
        self.settle_keys();
    }

    /// Bodies and frames directly in the root mean nothing, but are allowed.
    fn stray(&mut self, node: &Node) {
        self.warning(node.loc, format!("`{}` outside `worldbody` is ignored", node.name))
            .help("move it into `worldbody`");
    }
}
