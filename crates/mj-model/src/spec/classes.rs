//! Default classes: the values that elements made by a program take from them.
//!
//! An element that was read has the values of its class already. One made by a program has not, which
//! [`Geom::class_applied`] and its like say: each field that still has its built-in value then takes
//! the class's, as an attribute does that MJCF leaves out.

use super::*;
use crate::diag::{Diagnostics, Loc};
use crate::spec::document::Spec;
use crate::suggest;
use std::borrow::Cow;
use std::collections::HashMap;

/// Name of the root class.
const ROOT: &str = "main";

/// A default class that was not added.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ClassError {
    /// There is no class of the parent's name.
    #[error("there is no default class `{name}`{}", .help.as_ref().map(|h| format!(": {h}")).unwrap_or_default())]
    Unknown {
        /// Name.
        name: String,
        /// Near names, and the names that there are.
        help: Option<String>,
    },
    /// The name is taken.
    #[error("the default class `{0}` is defined already")]
    Taken(String),
}

/// An element with a default class.
trait Inherits: Default {
    /// Its kind in messages.
    const KIND: &'static str;
    fn name(&self) -> &str;
    fn class(&self) -> Option<&str>;
    fn applied(&self) -> bool;
    fn loc(&self) -> Loc;
    fn prototype(class: &DefaultClass) -> &Self;
    /// Takes the prototype's value for each field that has the built-in one.
    fn inherit(&mut self, prototype: &Self);
}

/// Implements `Inherits`: fields that no class gives, fields that one may give, and what is left to do
/// for those that need more than a comparison. Every field stands in a list, so that none is forgotten.
macro_rules! inherits {
    ($($t:ident $kind:ident own($($own:ident)*) taken($($taken:ident)*) $(special($($special:ident)*))? |$e:ident, $p:ident| $rest:block)*) => {$(
        impl Inherits for $t {
            const KIND: &'static str = stringify!($kind);
            fn name(&self) -> &str {
                &self.name
            }
            fn class(&self) -> Option<&str> {
                self.class.as_deref()
            }
            fn applied(&self) -> bool {
                self.class_applied
            }
            fn loc(&self) -> Loc {
                self.loc
            }
            fn prototype(class: &DefaultClass) -> &Self {
                &class.$kind
            }
            fn inherit(&mut self, $p: &Self) {
                let blank = Self::default();
                let Self { name: _, class: _, class_applied, loc: _, $($own: _,)* $($($special: _,)*)? $($taken,)* } = self;
                *class_applied = true;
                $(if *$taken == blank.$taken {
                    $taken.clone_from(&$p.$taken);
                })*
                let $e = self;
                $rest
            }
        }
    )*};
}

inherits! {
    Joint joint own(frame align tag) taken(
        r#type pos axis r#ref stiffness springref springyield springdamper limited range margin solref_limit solimp_limit
        actfrclimited actfrcrange armature damping frictionloss solref_friction solimp_friction group actgravcomp user
    ) |_e, _p| {}
    Geom geom own(frame plugin) taken(
        r#type pos fromto contype conaffinity condim priority friction solmix solref solimp margin gap surfacevel adhesion
        mass density shellinertia fluid_ellipsoid fluidcoef material rgba group castshadow hfield mesh fitscale user
    ) special(orientation size) |e, p| {
        inherit_orientation(&mut e.orientation, &p.orientation);
        for (size, inherited) in e.size.iter_mut().zip(p.size).filter(|(size, _)| size.is_nan()) {
            *size = inherited;
        }
    }
    Site site own(frame) taken(r#type pos fromto size material rgba group mesh user) special(orientation) |e, p| {
        inherit_orientation(&mut e.orientation, &p.orientation);
    }
    Camera camera own(frame target) taken(
        pos mode projection fovy ipd resolution output sensorsize focal focalpixel principal principalpixel user
    ) special(orientation) |e, p| { inherit_orientation(&mut e.orientation, &p.orientation); }
    Light light own(frame target texture) taken(
        pos dir mode r#type active castshadow bulbradius intensity range attenuation cutoff softness exponent ambient
        diffuse specular
    ) |_e, _p| {}
    Mesh mesh own(
        file content_type contents vertex normal texcoord facetexcoord face refpos refquat smoothnormal builtin params material
    ) taken(scale inertia maxhullvert plugin needsdf octree_maxdepth) |_e, _p| {}
    Texture texture own(content_type file contents cubefiles cubecontents) taken(
        r#type colorspace builtin mark rgb1 rgb2 markrgb random height width nchannel embed gridsize gridlayout hflip vflip
    ) |_e, _p| {}
    Material material own() taken(
        texuniform texrepeat emission specular shininess reflectance metallic roughness rgba
    ) special(textures) |e, p| {
        // Each role by itself, as layers are read.
        for (texture, inherited) in e.textures.iter_mut().zip(&p.textures).filter(|(texture, _)| texture.is_empty()) {
            texture.clone_from(inherited);
        }
    }
    Pair pair own(geom1 geom2) taken(condim solref solreffriction solimp margin gap adhesion) special(friction) |e, p| {
        // The first ones may be given, and the others inherited.
        let given = e.friction.len();
        e.friction.extend(p.friction.iter().skip(given));
    }
    Equality equality own(r#type objtype name1 name2 data) taken(active solref solimp) |_e, _p| {}
    Tendon tendon own(r#type path) taken(
        stiffness springlength springyield damping frictionloss solref_friction solimp_friction armature limited range
        actfrclimited actfrcrange margin solref_limit solimp_limit material width rgba group user
    ) |_e, _p| {}
    Actuator actuator own(trntype target refsite slidersite lengthrange plugin tag) taken(
        cranklength gear damping armature ctrllimited ctrlrange velrange ffrange forcelimited forcerange actrange group
        nsample interp delay user
    ) special(
        shortcut dyntype dynprm gaintype gainprm biastype biasprm ctrlspec actdim actearly actlimited inheritrange
    ) |e, p| {
        if !e.shortcut {
            inherit_law(e, p);
        }
    }
}

/// A quaternion doesn't replace another form that the class gives, nor does it where both are read.
fn inherit_orientation(own: &mut Orientation, inherited: &Orientation) {
    let other_form = !matches!(inherited, Orientation::Identity | Orientation::Quat(_));
    if *own == Orientation::Identity || (other_form && matches!(own, Orientation::Quat(_))) {
        *own = *inherited;
    }
}

/// Inherits dynamics, gain and bias.
fn inherit_law(a: &mut Actuator, prototype: &Actuator) {
    let blank = Actuator::default();
    // The meaning of a control goes with the type of gain.
    let same_gain = a.gaintype == blank.gaintype || a.gaintype == prototype.gaintype;
    macro_rules! take {
        ($($field:ident)*) => {$(
            if a.$field == blank.$field {
                a.$field = prototype.$field;
            }
        )*};
    }
    if same_gain {
        take!(ctrlspec);
    }
    take!(dyntype dynprm gaintype gainprm biastype biasprm actdim actearly actlimited inheritrange);
}

/// Calls a macro with each kind of element of a class.
macro_rules! each_kind {
    ($call:ident!($($arg:tt)*)) => {
        $call!($($arg)*; joint geom site camera light mesh texture material pair equality tendon actuator)
    };
}

/// Calls a macro with each list of elements outside the tree.
macro_rules! each_list {
    ($call:ident!($($arg:tt)*)) => {
        $call!($($arg)*; meshes textures materials pairs equalities tendons actuators)
    };
}

/// Calls a macro with each list of elements in a body.
macro_rules! each_body_list {
    ($call:ident!($($arg:tt)*)) => {
        $call!($($arg)*; joints geoms sites cameras lights)
    };
}

impl DefaultClass {
    /// Returns the root class with MJCF's built-in values.
    pub fn root() -> Self {
        let mut root = Self { name: ROOT.into(), ..Self::default() };
        macro_rules! mark {
            (; $($kind:ident)*) => {$(root.$kind.class_applied = true;)*};
        }
        each_kind!(mark!());
        root
    }
}

impl Spec {
    /// Adds a default class with the values of its parent, `main` being the root, and returns it.
    ///
    /// # Errors
    /// If there is no such parent, or the name is taken.
    pub fn add_default(&mut self, name: &str, parent: &str) -> Result<&mut DefaultClass, ClassError> {
        let mut at = self.defaults.iter().position(|c| c.name == parent);
        if self.defaults.is_empty() && parent == ROOT {
            at = Some(0);
        }
        let Some(at) = at else {
            return Err(ClassError::Unknown { name: parent.into(), help: self.class_help(parent) });
        };
        if name == ROOT || self.defaults.iter().any(|c| c.name == name) {
            return Err(ClassError::Taken(name.into()));
        }
        if self.defaults.is_empty() {
            self.defaults.push(DefaultClass::root());
        }
        self.apply_to_classes();
        let class = DefaultClass { name: name.into(), parent: Some(at), loc: Loc::NONE, ..self.defaults[at].clone() };
        self.defaults.push(class);
        let last = self.defaults.len() - 1;
        Ok(&mut self.defaults[last])
    }

    /// Gives the elements that a program has made the values of their default classes: the one that they
    /// name, or that of the innermost frame or body around them, or the root. Compiling, saving and
    /// attaching do it with a copy, so that a class may change until then.
    pub fn apply_defaults(&mut self) {
        if self.defaults.is_empty() {
            return;
        }
        self.apply_to_classes();
        let list = std::mem::take(&mut self.defaults);
        let classes = Classes::of(&list);
        classes.fill_body(&mut self.worldbody, 0);
        macro_rules! fill {
            (; $($list:ident)*) => {$(self.$list.iter_mut().for_each(|e| classes.fill(e, 0));)*};
        }
        each_list!(fill!());
        self.defaults = list;
    }

    /// The spec with the values of default classes in all elements: itself, where they are. Adds an error
    /// for each class that isn't there.
    pub fn with_defaults(&self, diag: &mut Diagnostics) -> Cow<'_, Spec> {
        let mut check = Check { classes: Classes::of(&self.defaults), spec: self, pending: false, diag };
        check.default_classes();
        check.body(&self.worldbody);
        macro_rules! each {
            ($check:ident; $($list:ident)*) => {$(self.$list.iter().for_each(|e| $check.element(e, ""));)*};
        }
        each_list!(each!(check));
        if !check.pending || self.defaults.is_empty() {
            return Cow::Borrowed(self);
        }
        let mut filled = self.clone();
        filled.apply_defaults();
        Cow::Owned(filled)
    }

    /// Gives classes that a program has made the values of their parents.
    fn apply_to_classes(&mut self) {
        for row in 0..self.defaults.len() {
            let (before, rest) = self.defaults.split_at_mut(row);
            let class = &mut rest[0];
            if row > 0 {
                class.parent = Some(class.parent.filter(|p| *p < row).unwrap_or(0));
            }
            let root;
            let parent = match class.parent.and_then(|p| before.get(p)) {
                Some(parent) => parent,
                None => {
                    root = DefaultClass::root();
                    &root
                }
            };
            macro_rules! fill {
                (; $($kind:ident)*) => {$(
                    if !class.$kind.class_applied {
                        class.$kind.inherit(&parent.$kind);
                    }
                )*};
            }
            each_kind!(fill!());
        }
    }

    /// Help for the name of a class that isn't there.
    fn class_help(&self, name: &str) -> Option<String> {
        let root = if self.defaults.is_empty() { Some(ROOT) } else { None };
        suggest::help(name, root.into_iter().chain(self.defaults.iter().map(|c| c.name.as_str())), "the classes are:")
    }
}

/// The default classes by name.
struct Classes<'a> {
    list: &'a [DefaultClass],
    rows: HashMap<&'a str, usize>,
}

impl<'a> Classes<'a> {
    fn of(list: &'a [DefaultClass]) -> Self {
        // The first of a name counts.
        let rows = list.iter().enumerate().rev().map(|(row, c)| (c.name.as_str(), row)).collect();
        Self { list, rows }
    }

    fn knows(&self, name: &str) -> bool {
        self.rows.contains_key(name) || (self.list.is_empty() && name == ROOT)
    }

    /// Row of the class that a name chooses, or of the one around.
    fn row(&self, name: Option<&str>, outer: usize) -> usize {
        name.and_then(|n| self.rows.get(n).copied()).unwrap_or(outer)
    }

    fn fill<E: Inherits>(&self, e: &mut E, outer: usize) {
        let row = self.row(e.class(), outer);
        if let (false, Some(class)) = (e.applied(), self.list.get(row)) {
            e.inherit(E::prototype(class));
        }
    }

    fn fill_body(&self, b: &mut Body, outer: usize) {
        let own = self.row(b.childclass.as_deref(), outer);
        let mut in_frames: Vec<usize> = Vec::with_capacity(b.frames.len());
        for f in &b.frames {
            let around = f.parent.and_then(|p| in_frames.get(p).copied()).unwrap_or(own);
            in_frames.push(self.row(f.childclass.as_deref(), around));
        }
        let at = |frame: Option<usize>| frame.and_then(|f| in_frames.get(f).copied()).unwrap_or(own);
        macro_rules! fill {
            (; $($list:ident)*) => {$(b.$list.iter_mut().for_each(|e| self.fill(e, at(e.frame)));)*};
        }
        each_body_list!(fill!());
        b.bodies.iter_mut().for_each(|child| self.fill_body(child, at(child.frame)));
    }
}

/// A search for classes that aren't there, and for elements that lack their class's values.
struct Check<'a, 'd> {
    classes: Classes<'a>,
    spec: &'a Spec,
    pending: bool,
    diag: &'d mut Diagnostics,
}

impl Check<'_, '_> {
    fn default_classes(&mut self) {
        for (row, class) in self.spec.defaults.iter().enumerate() {
            if self.classes.rows.get(class.name.as_str()).is_some_and(|first| *first < row) {
                self.diag.error(class.loc, format!("the default class `{}` is defined already", class.name));
            }
            if class.parent.is_some_and(|p| p >= row) {
                self.diag.error(
                    class.loc,
                    format!("the parent of the default class `{}` does not come before it", class.name),
                );
            }
            macro_rules! look {
                (; $($kind:ident)*) => {$(self.pending |= !class.$kind.class_applied;)*};
            }
            each_kind!(look!());
        }
    }

    fn body(&mut self, b: &Body) {
        let what = if b.name.is_empty() { "body".into() } else { format!("body `{}`", b.name) };
        self.class(b.childclass.as_deref(), b.loc, &what);
        for f in &b.frames {
            self.class(f.childclass.as_deref(), f.loc, &format!("a frame of {what}"));
        }
        macro_rules! each {
            (; $($list:ident)*) => {$(b.$list.iter().for_each(|e| self.element(e, &what));)*};
        }
        each_body_list!(each!());
        b.bodies.iter().for_each(|child| self.body(child));
    }

    fn element<E: Inherits>(&mut self, e: &E, of: &str) {
        self.pending |= !e.applied();
        if e.class().is_none_or(|c| self.classes.knows(c)) {
            return;
        }
        let what = match (e.name(), of) {
            ("", "") => format!("a {}", E::KIND),
            ("", of) => format!("a {} of {of}", E::KIND),
            (name, _) => format!("{} `{name}`", E::KIND),
        };
        self.class(e.class(), e.loc(), &what);
    }

    /// Tells of a class that isn't there.
    fn class(&mut self, name: Option<&str>, loc: Loc, what: &str) {
        if let Some(name) = name.filter(|n| !self.classes.knows(n)) {
            // Guessing takes time: a spec full of wrong names gets by with a few guesses.
            let help = if self.diag.list.len() < 50 { self.spec.class_help(name) } else { None };
            self.diag.error(loc, format!("{what}: there is no default class `{name}`")).missing(name).help = help;
        }
    }
}
