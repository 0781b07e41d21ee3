//! Attaching a part of one spec to another.

use crate::enums::ObjType;
use crate::spec::document::Spec;
use crate::spec::*;
use std::collections::HashSet;

/// Part of a spec to attach.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part<'a> {
    /// All that is in the world.
    World,
    /// A body with what is in it, by name.
    Body(&'a str),
    /// A frame with what is in it, by name.
    Frame(&'a str),
}

/// Why a part was not attached.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum AttachError {
    /// There is no body of this name to attach to.
    #[error("there is no body `{0}` to attach to")]
    NoHost(String),
    /// The spec to attach has no such body or frame.
    #[error("there is no body or frame `{0}` to attach")]
    NoPart(String),
    /// A name is taken already.
    #[error("the name `{name}` is taken: every {kind} needs its own; give a prefix")]
    Taken {
        /// Kind of element.
        kind: &'static str,
        /// Name, with prefix and suffix.
        name: String,
    },
}

impl Body {
    /// A part that is one frame of the body with what is in it; none if there is no such frame.
    #[must_use]
    pub fn frame_part(&self, frame: usize) -> Body {
        let mut rows: Vec<Option<usize>> = vec![None; self.frames.len()];
        let mut part = Body::default();
        for (i, f) in self.frames.iter().enumerate() {
            let parent = f.parent.and_then(|p| rows.get(p).copied().flatten());
            if i == frame || parent.is_some() {
                rows[i] = Some(part.frames.len());
                part.frames.push(Frame { parent, ..f.clone() });
            }
        }
        let row = |f: Option<usize>| f.and_then(|f| rows.get(f).copied().flatten());
        macro_rules! take {
            ($($list:ident)*) => {$(
                for e in &self.$list {
                    if let Some(f) = row(e.frame) {
                        let mut e = e.clone();
                        e.frame = Some(f);
                        part.$list.push(e);
                    }
                }
            )*};
        }
        take!(joints geoms sites cameras lights flexcomps bodies);
        part
    }

    /// A part that is one body, whatever frame it was in.
    #[must_use]
    pub fn whole_part(&self) -> Body {
        Body { bodies: vec![Body { frame: None, ..self.clone() }], ..Default::default() }
    }

    /// The body, below this one or itself, that has a frame of this name, and the frame.
    pub fn find_frame(&self, name: &str) -> Option<(&Body, usize)> {
        let here = self.frames.iter().position(|f| f.name == name);
        here.map(|f| (self, f)).or_else(|| self.bodies.iter().find_map(|b| b.find_frame(name)))
    }

    /// Takes in what is in a part, in one of its frames or directly.
    pub fn adopt(&mut self, mut part: Body, frame: Option<usize>) {
        let base = self.frames.len();
        let moved = |f: Option<usize>| f.map(|f| f + base).or(frame);
        part.frames.iter_mut().for_each(|x| x.parent = moved(x.parent));
        self.frames.append(&mut part.frames);
        macro_rules! append {
            ($($list:ident)*) => {$(
                part.$list.iter_mut().for_each(|x| x.frame = moved(x.frame));
                self.$list.append(&mut part.$list);
            )*};
        }
        let bodies = self.bodies.len();
        part.flexcomps.iter_mut().for_each(|f| f.after.bodies += bodies);
        append!(joints geoms sites cameras lights flexcomps bodies);
    }

    /// Calls `f` with the body and all below it.
    pub fn each_mut(&mut self, f: &mut dyn FnMut(&mut Body)) {
        f(self);
        self.bodies.iter_mut().for_each(|b| b.each_mut(f));
    }
}

impl Spec {
    /// Attaches a part of another spec to a body (`world` for the world), in one of the body's frames
    /// or directly, all names with a prefix and a suffix.
    ///
    /// With the part come the other spec's default classes, assets and keyframes, and what refers to
    /// nothing but the part: pairs, tendons, equalities, actuators, sensors, tuples. Angles, Euler
    /// angles and automatic limits are turned into this spec's conventions; options stay this spec's.
    ///
    /// # Errors
    /// If host or part are missing, or a name is taken; then nothing has changed.
    pub fn attach(
        &mut self,
        host: &str,
        frame: Option<usize>,
        other: &Spec,
        part: Part,
        prefix: &str,
        suffix: &str,
    ) -> Result<(), AttachError> {
        if self.find::<Body>(host).is_none() {
            return Err(AttachError::NoHost(host.into()));
        }
        let mut other = other.clone();
        other.apply_defaults();
        other.adapt_to(&self.compiler);
        // Tags tell where the numbers of each element are in the keyframes.
        let mut places = Vec::new();
        let _ = each_place(&mut other, |tag, place| {
            places.push(place);
            *tag = places.len() as u32;
        });
        let world = &other.worldbody;
        let mut part = match part {
            Part::World => world.clone(),
            Part::Body(name) => match world.bodies.iter().find_map(|b| b.find(name)) {
                Some(b) => b.whole_part(),
                None => return Err(AttachError::NoPart(name.into())),
            },
            Part::Frame(name) => match world.find_frame(name) {
                Some((b, f)) => b.frame_part(f),
                None => return Err(AttachError::NoPart(name.into())),
            },
        };
        part.name.clear();
        // Saved, they would else differ from the class of the body around, which may have more to say than can be
        // taken back.
        if let Some(root) = other.defaults.first() {
            part.bodies.iter_mut().for_each(|b| b.childclass = b.childclass.take().or(Some(root.name.clone())));
        }
        let space = Namespace { prefix, suffix, foreign: true };
        space.body(&mut part);

        let mut theirs = HashSet::new();
        part.list_names(&mut theirs);
        let mut new = Spec::default();
        macro_rules! gather {
            ($($list:ident)*) => {$(
                for e in &mut other.$list {
                    if let Some(e) = renamed(e, &space, &mut theirs) {
                        new.$list.push(e);
                    }
                }
            )*};
        }
        gather!(pairs excludes tendons equalities actuators sensors tuples);
        macro_rules! bring {
            ($($kind:ident $list:ident $rename:expr;)*) => {$(
                for e in &other.$list {
                    let mut e = e.clone();
                    $rename(&space, &mut e);
                    theirs.insert((ObjType::$kind, e.name.clone()));
                    new.$list.push(e);
                }
            )*};
        }
        bring! {
            Mesh meshes |s: &Namespace, e: &mut Mesh| s.mesh(e);
            Hfield hfields |s: &Namespace, e: &mut Hfield| s.name(&mut e.name);
            Texture textures |s: &Namespace, e: &mut Texture| s.texture(e);
            Material materials |s: &Namespace, e: &mut Material| s.material(e);
            Numeric numerics |s: &Namespace, e: &mut Numeric| s.name(&mut e.name);
            Text texts |s: &Namespace, e: &mut Text| s.name(&mut e.name);
            Key keys |s: &Namespace, e: &mut Key| s.name(&mut e.name);
        }
        let mut extensions = other.extensions.clone();
        extensions.iter_mut().for_each(|x| space.extension(x));
        theirs.retain(|(_, name)| !name.is_empty());
        if let Some((kind, name)) = self.all_names().intersection(&theirs).min() {
            return Err(AttachError::Taken { kind: kind.keyword(), name: name.clone() });
        }

        self.take_classes(&other, &space);
        self.edit(|spec| {
            // The part's tags come after the host's.
            let mut last = 0;
            let _ = each_place(spec, |tag, _| last = last.max(*tag));
            let shift = |tag: &mut u32| *tag += if *tag > 0 { last } else { 0 };
            part.each_mut(&mut |b| {
                shift(&mut b.tag);
                b.joints.iter_mut().for_each(|j| shift(&mut j.tag));
            });
            new.actuators.iter_mut().for_each(|a| shift(&mut a.tag));
            if let Some(body) = spec.find_mut::<Body>(host) {
                body.adopt(part, frame);
            }
            macro_rules! append {
                ($($list:ident)*) => {$(spec.$list.append(&mut new.$list);)*};
            }
            append!(pairs excludes tendons equalities actuators sensors tuples);
            append!(meshes hfields textures materials numerics texts);
            spec.declare_plugins(extensions);
            let mut moves = Vec::new();
            let sizes = each_place(spec, |tag, place| {
                if let Some(from) = tag.checked_sub(last + 1).and_then(|i| places.get(i as usize)) {
                    moves.push((*from, place));
                }
            });
            let keys = new.keys.iter().map(|key| sizes.remap(key, key.name.clone(), moves.iter().copied()));
            spec.keys.extend(keys);
        });
        Ok(())
    }

    /// Declares the plugins of another spec, with those of their instances that this one doesn't have yet.
    pub fn declare_plugins(&mut self, of: impl IntoIterator<Item = Extension>) {
        for mut x in of {
            let known = |name: &str| self.extensions.iter().flat_map(|x| &x.instances).any(|i| i.name == name);
            x.instances.retain(|i| !known(&i.name));
            match self.extensions.iter_mut().find(|known| known.plugin == x.plugin) {
                Some(own) => own.instances.append(&mut x.instances),
                None => self.extensions.push(x),
            }
        }
    }

    /// Adds another spec's default classes under new names; its root is a child of this one's.
    fn take_classes(&mut self, other: &Spec, space: &Namespace) {
        if self.defaults.is_empty() {
            self.defaults.push(DefaultClass::root());
        }
        let mut rows: Vec<usize> = Vec::with_capacity(other.defaults.len());
        for class in &other.defaults {
            let mut class = class.clone();
            space.default_class(&mut class);
            if let Some(row) = self.defaults.iter().position(|c| c.name == class.name) {
                rows.push(row);
                continue;
            }
            class.parent = Some(class.parent.and_then(|p| rows.get(p).copied()).unwrap_or(0));
            rows.push(self.defaults.len());
            self.defaults.push(class);
        }
    }

    /// Kinds and names of everything that has a name.
    fn all_names(&self) -> HashSet<(ObjType, String)> {
        let mut names = HashSet::from([(ObjType::Body, "world".to_string())]);
        self.worldbody.list_names(&mut names);
        macro_rules! list {
            ($($kind:ident $list:ident)*) => {$(
                names.extend(self.$list.iter().map(|e| (ObjType::$kind, e.name.clone())));
            )*};
        }
        list! {
            Pair pairs Exclude excludes Tendon tendons Equality equalities Actuator actuators Sensor sensors Tuple tuples
            Mesh meshes Hfield hfields Texture textures Material materials Numeric numerics Text texts Key keys
        }
        names
    }
}

/// A copy of an element under its new name, if all that it refers to is in the namespace.
fn renamed<E: Referring>(e: &mut E, space: &Namespace, inside: &mut HashSet<(ObjType, String)>) -> Option<E> {
    let mut copy = e.clone();
    space.name(copy.name_mut());
    copy.owned_mut(&mut |name| space.name(name));
    let mut whole = true;
    copy.references(&mut |kind, name| {
        space.name(name);
        let kind = if kind == ObjType::XBody { ObjType::Body } else { kind };
        whole &= name.is_empty() || inside.contains(&(kind, name.clone()));
    });
    if whole {
        inside.insert((E::KIND, copy.name_mut().clone()));
    }
    whole.then_some(copy)
}
