//! `attach` and the models that it attaches: a part of another model, or of this one, under new names.

use crate::elements::bodies::Inside;
use crate::limits;
use crate::macros::expand::{Copying, each_list, height, weight};
use crate::macros::replicate::forget_tags;
use crate::reader::Reader;
use crate::reader::expansion::ModelAsset;
use crate::reader::gaps::Partial;
use crate::reader::table::{Rule, Table, attr};
use crate::sections;
use crate::suggest;
use crate::syntax::report::errors;
use crate::syntax::resolver::normal;
use crate::syntax::tree::{self, Node};
use mj_model::ObjType;
use mj_model::spec::*;
use mj_model::{Loc, Spec};
use std::collections::HashSet;
use std::path::{Component, Path, PathBuf};
use std::rc::Rc;

#[derive(Default)]
pub(crate) struct ModelForm {
    name: String,
    file: String,
    content_type: String,
}

pub(crate) const MODEL: Table<ModelForm> = Table {
    groups: &[&[
        attr!(ModelForm: "name" name),
        attr!(ModelForm: "file" file).required(),
        attr!(ModelForm: "content_type" content_type),
    ]],
    rules: &[],
};

#[derive(Default)]
pub(crate) struct AttachForm {
    model: Option<String>,
    body: Option<String>,
    frame: Option<String>,
    prefix: String,
}

pub(crate) const ATTACH: Table<AttachForm> = Table {
    groups: &[&[
        attr!(AttachForm: "model" model),
        attr!(AttachForm: "body" body),
        attr!(AttachForm: "frame" frame),
        attr!(AttachForm: "prefix" prefix).required(),
    ]],
    rules: &[Rule::AtMostOne(&[&["body"], &["frame"]])],
};

impl Reader<'_> {
    /// Reads a `model` asset and the model.
    pub(crate) fn model_asset(&mut self, node: &Node) {
        let mut form = ModelForm::default();
        self.attributes(node, &MODEL, &mut form);
        self.no_children(node);
        if node.attribute("file").is_none() {
            return;
        }
        let at = node.value_loc("file");
        let read = self.read_model(node, &form, at);
        let failed = read.is_none();
        self.gaps.elements |= failed;
        let mut asset = ModelAsset { model: None, state: Rc::default(), authored: Rc::default(), settled: false };
        if let Some((mut model, authored)) = read {
            if form.name.is_empty() {
                form.name.clone_from(&model.modelname);
            }
            asset.state = Rc::new(self.take_state(&mut model));
            asset.authored = Rc::new(authored);
            asset.model = Some(Rc::new(model));
        }
        if failed && form.name.is_empty() {
            form.name = Path::new(&form.file).file_stem().map(|s| s.to_string_lossy().into_owned()).unwrap_or_default();
        }
        if self.models.contains_key(&form.name) {
            self.warning(
                node.value_loc("name"),
                format!("another model is named `{}`; this one is not used", form.name),
            );
            return;
        }
        self.models.insert(form.name, asset);
    }

    /// Reads another model, and puts it into this one's conventions.
    fn read_model(&mut self, node: &Node, form: &ModelForm, at: Loc) -> Option<(Spec, HashSet<String>)> {
        let file = &form.file;
        // A relative path starts from the main file's directory; failing that, from the directory of
        // the file that it stands in.
        let from_main = normal(&self.base.join(file));
        let from_here = normal(&self.base.join(&self.dirs[node.dir]).join(file));
        let path = if self.files.exists(&from_main) { from_main } else { from_here };
        if self.budget.open.contains(&path) {
            self.error(at, format!("model `{file}` would be a part of itself"))
                .help("a model cannot attach itself, or a model that attaches it");
            return None;
        }
        if self.budget.open.len() > limits::MODEL_DEPTH {
            self.error(at, format!("models are attached one in another more than {} deep", limits::MODEL_DEPTH));
            return None;
        }
        if self.budget.models == 0 {
            self.error(at, format!("more than {} models are attached", limits::MODELS));
            return None;
        }
        self.budget.models -= 1;
        let text = match self.files.read(&path, limits::FILE_BYTES) {
            Ok(text) => text,
            Err(e) => {
                self.error(at, format!("cannot read `{}`: {}", path.display(), tree::describe(&e)));
                return None;
            }
        };
        if !self.spend(text.len(), 0, at) {
            return None;
        }
        self.budget.open.push(path.clone());
        let before = errors(self.report);
        let read = sections::read_model(&path, &form.content_type, text, at, self.files, self.report, &mut self.budget);
        self.budget.open.pop();
        let (Partial { mut spec, .. }, authored) = read?;
        if errors(self.report) > before {
            return None;
        }
        let contents: usize = spec.meshes.iter().map(|m| m.contents.as_ref().len()).sum();
        self.asset_bytes = self.asset_bytes.saturating_add(contents as u64);
        self.adapt(&mut spec, &path);
        Some((spec, authored))
    }

    /// Reads an `attach`.
    #[inline(never)]
    pub(crate) fn attach(&mut self, node: &Node, inside: Inside) {
        let mut form = AttachForm::default();
        self.attributes(node, &ATTACH, &mut form);
        self.no_children(node);
        if node.attribute("prefix").is_none() || (form.body.is_some() && form.frame.is_some()) {
            return;
        }
        match form.model.take() {
            Some(model) => self.attach_model(node, &model, &form, inside.frame),
            None => self.attach_self(node, &form, inside.frame),
        }
    }

    fn attach_model(&mut self, node: &Node, name: &str, form: &AttachForm, frame: Option<usize>) {
        let Some(asset) = self.models.get_mut(name) else {
            let known: Vec<String> = self.models.keys().cloned().collect();
            let at = node.value_loc("model");
            let help = suggest::help(name, known.iter().map(String::as_str), "the models are:");
            let help = help.unwrap_or_else(|| "name it as a `model` in `asset`".to_string());
            self.error(at, format!("there is no model `{name}`")).help(help);
            return;
        };
        let asset = ModelAsset { settled: std::mem::replace(&mut asset.settled, true), ..asset.clone() };
        let Some(model) = asset.model else { return };
        if !asset.settled {
            self.settle_options(&model, &asset.authored, name, node.loc);
        }
        let part = match (&form.body, &form.frame) {
            (Some(body), _) => model.worldbody.find(body).map(Body::whole_part),
            (_, Some(frame)) => model.worldbody.find_frame(frame).map(|(b, f)| b.frame_part(f)),
            _ => Some(model.worldbody.clone()),
        };
        let Some(mut part) = part else {
            let (kind, wanted) = if let Some(b) = &form.body {
                ("body", b)
            } else {
                ("frame", form.frame.as_ref().unwrap_or(&form.prefix))
            };
            let mut known = Vec::new();
            collect(&model.worldbody, kind == "body", &mut known);
            let help = suggest::help(wanted, known.iter().copied(), "it has:");
            self.error(node.value_loc(kind), format!("model `{name}` has no {kind} `{wanted}`")).help = help;
            return;
        };
        if !self.fits(&part, node.loc) {
            return;
        }
        let first = self.await_keys(&asset.state, &form.prefix, node.loc);
        shift_tags(&mut part, first);
        let space = Namespace { prefix: &form.prefix, suffix: "", foreign: true };
        space.body(&mut part);
        self.attach_classes(&model, &space, node.loc);
        self.attach_assets(&model, &space, node.loc);
        self.adopt(part, frame);
        let actuators = self.spec.actuators.len();
        macro_rules! copy {
            ($list:ident, $model:ident) => {{
                let mut new = Vec::new();
                for e in &$model.$list {
                    new.extend(self.related(&mut e.clone(), &space, node.loc).map(|(copy, _)| copy));
                }
                self.take_over(&mut new);
                self.spec.$list.append(&mut new);
            }};
        }
        each_list!(copy!(model));
        for a in self.spec.actuators[actuators..].iter_mut().filter(|a| a.tag > 0) {
            a.tag += first;
        }
    }

    /// Adds a model's default classes.
    fn attach_classes(&mut self, model: &Spec, space: &Namespace, loc: Loc) {
        let mut rows: Vec<usize> = Vec::with_capacity(model.defaults.len());
        for class in &model.defaults {
            let mut class = class.clone();
            space.default_class(&mut class);
            if let Some(&row) = self.classes.get(&class.name) {
                rows.push(row);
                continue;
            }
            class.parent = Some(class.parent.and_then(|p| rows.get(p).copied()).unwrap_or(0));
            let row = self.spec.defaults.len();
            rows.push(row);
            let bytes = crate::elements::defaults::bytes(&class);
            if !self.spend(size_of::<DefaultClass>() + bytes, 0, loc) {
                return;
            }
            self.class_bytes.push(bytes);
            self.classes.insert(class.name.clone(), row);
            self.spec.defaults.push(class);
        }
    }

    /// Adds a model's assets and custom fields.
    fn attach_assets(&mut self, model: &Spec, space: &Namespace, loc: Loc) {
        let mut extensions = model.extensions.clone();
        for x in &mut extensions {
            if !self.spend(size_of::<Extension>() + size_of::<PluginInstance>() * x.instances.len(), 0, loc) {
                return;
            }
            space.extension(x);
        }
        self.spec.declare_plugins(extensions);
        for m in &model.meshes {
            let numbers = m.vertex.len() + m.normal.len() + m.texcoord.len() + m.face.len();
            if !self.spend(size_of::<Mesh>() + 4 * numbers, 0, loc) {
                return;
            }
            let mut m = m.clone();
            space.mesh(&mut m);
            self.declare("mesh", &m.name, m.loc);
            self.spec.meshes.push(m);
        }
        for h in &model.hfields {
            if !self.spend(size_of::<Hfield>() + 4 * h.elevation.len(), 0, loc) {
                return;
            }
            let mut h = h.clone();
            space.name(&mut h.name);
            self.declare("hfield", &h.name, h.loc);
            self.spec.hfields.push(h);
        }
        for t in &model.textures {
            let mut t = t.clone();
            space.texture(&mut t);
            self.declare("texture", &t.name, t.loc);
            self.spec.textures.push(t);
        }
        for m in &model.materials {
            let mut m = m.clone();
            space.material(&mut m);
            self.declare("material", &m.name, m.loc);
            self.spec.materials.push(m);
        }
        for n in &model.numerics {
            let mut n = n.clone();
            space.name(&mut n.name);
            self.declare("numeric", &n.name, n.loc);
            self.spec.numerics.push(n);
        }
        for t in &model.texts {
            let mut t = t.clone();
            space.name(&mut t.name);
            self.declare("text", &t.name, t.loc);
            self.spec.texts.push(t);
        }
    }

    fn attach_self(&mut self, node: &Node, form: &AttachForm, frame: Option<usize>) {
        let (kind, wanted) = match (&form.body, &form.frame) {
            (Some(body), _) => (ObjType::Body, body),
            (_, Some(frame)) => (ObjType::Unknown, frame),
            _ => {
                self.error(node.loc, "`attach` needs a `model`, or a `body` or `frame` of this one");
                return;
            }
        };
        let body = kind == ObjType::Body;
        // The bodies that are not whole yet come after those that are in them already.
        let open: Vec<&Body> = self.around.iter().chain([&self.body]).collect();
        let found = open.iter().enumerate().find_map(|(level, b)| {
            let here = if body { b.name == *wanted } else { b.frames.iter().any(|f| f.name == *wanted) };
            if here {
                return Some(as_it_is(&open[level..]));
            }
            b.bodies
                .iter()
                .find_map(|b| if body { b.find(wanted).cloned() } else { b.find_frame(wanted).map(|(b, _)| b.clone()) })
        });
        let Some(found) = found else {
            let what = if body { "body" } else { "frame" };
            let at = node.value_loc(what);
            let known = self.names.sorted(kind);
            let near = suggest::closest(wanted, known).map(|n| format!("did you mean `{n}`?"));
            self.error(at, format!("there is no {what} `{wanted}` above")).help =
                near.or_else(|| Some("it must stand before what attaches it".into()));
            return;
        };
        let mut part = match found.frames.iter().position(|f| f.name == *wanted) {
            Some(f) if !body => found.frame_part(f),
            _ => found.whole_part(),
        };
        if !self.fits(&part, node.loc) {
            return;
        }
        forget_tags(&mut part);
        let space = Namespace { prefix: &form.prefix, suffix: "", foreign: false };
        space.body(&mut part);
        self.adopt(part, frame);
        let actuators = self.spec.actuators.len();
        self.copy_related(&space, &mut Copying::default(), node.loc);
        self.spec.actuators[actuators..].iter_mut().for_each(|a| a.tag = 0);
    }

    /// Whether there is room for a part in the tree.
    fn fits(&mut self, part: &Body, loc: Loc) -> bool {
        let depth = self.around.len() + height(part);
        if depth > limits::DEPTH {
            self.error(loc, format!("bodies are nested more than {} deep", limits::DEPTH));
            return false;
        }
        self.spend(weight(part), 0, loc)
    }

    /// Puts a model into this one's conventions: units, Euler order, automatic limits, directories.
    fn adapt(&mut self, spec: &mut Spec, path: &Path) {
        let (theirs, ours) = (spec.compiler.clone(), self.spec.compiler.clone());
        spec.adapt_to(&ours);

        let base = path.parent().unwrap_or(Path::new(""));
        let way = |ours: &str, theirs: &str| relative(&normal(&self.base.join(ours)), &normal(&base.join(theirs)));
        let moved = |way: &Path, file: &mut String| {
            if !file.is_empty() {
                *file = way.join(&*file).to_string_lossy().into_owned();
            }
        };
        let meshes = way(&ours.meshdir, &theirs.meshdir);
        spec.meshes.iter_mut().for_each(|m| moved(&meshes, &mut m.file));
        spec.hfields.iter_mut().for_each(|h| moved(&meshes, &mut h.file));
        spec.skins.iter_mut().for_each(|s| moved(&meshes, &mut s.file));
        let textures = way(&ours.texturedir, &theirs.texturedir);
        for t in &mut spec.textures {
            moved(&textures, &mut t.file);
            t.cubefiles.iter_mut().for_each(|f| moved(&textures, f));
        }
    }
}

fn shift_tags(b: &mut Body, by: u32) {
    b.each_mut(&mut |b| {
        for tag in [&mut b.tag].into_iter().chain(b.joints.iter_mut().map(|j| &mut j.tag)).filter(|t| **t > 0) {
            *tag += by;
        }
    });
}

/// Names of all bodies or frames.
fn collect<'a>(b: &'a Body, bodies: bool, out: &mut Vec<&'a str>) {
    let own = if bodies { vec![b.name.as_str()] } else { b.frames.iter().map(|f| f.name.as_str()).collect() };
    out.extend(own.into_iter().filter(|n| !n.is_empty()));
    b.bodies.iter().for_each(|b| collect(b, bodies, out));
}

/// A body that is still being read, with what has been read of it: each body of the list is in the
/// one before.
fn as_it_is(open: &[&Body]) -> Body {
    let mut out: Option<Body> = None;
    for b in open.iter().rev() {
        let mut b = (*b).clone();
        b.bodies.extend(out);
        out = Some(b);
    }
    out.unwrap_or_default()
}

/// The way from one directory to another. A directory that has none from there stands for itself.
fn relative(from: &Path, to: &Path) -> PathBuf {
    let common = from.components().zip(to.components()).take_while(|(a, b)| a == b).count();
    let up: Vec<Component> = from.components().skip(common).collect();
    if from.is_absolute() != to.is_absolute() || !up.iter().all(|c| matches!(c, Component::Normal(_))) {
        return to.to_path_buf();
    }
    let mut out = PathBuf::new();
    up.iter().for_each(|_| out.push(".."));
    to.components().skip(common).for_each(|c| out.push(c));
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ways_between_directories() {
        for (from, to, way) in [
            ("", "", ""),
            ("a", "a/b", "b"),
            ("a/b", "a/c", "../c"),
            ("a", "", ".."),
            ("/a", "b", "b"),
            ("..", "a", "a"),
        ] {
            assert_eq!(relative(Path::new(from), Path::new(to)), Path::new(way), "{from} {to}");
        }
    }
}
