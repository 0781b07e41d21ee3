//! Renaming: a prefix and a suffix for every name of a part of a model, and for what refers to it.

use super::*;
use crate::diag::Loc;
use crate::enums::{EqType, ObjType, TrnType};

/// Prefix and suffix of the names of a part of a model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Namespace<'a> {
    /// Put before.
    pub prefix: &'a str,
    /// Put after.
    pub suffix: &'a str,
    /// Whether the part comes from another model, whose assets and default classes come with it:
    /// references to these are renamed too.
    pub foreign: bool,
}

impl Namespace<'_> {
    /// A name in the namespace; the empty name stays empty.
    pub fn name(&self, name: &mut String) {
        if !name.is_empty() {
            name.insert_str(0, self.prefix);
            name.push_str(self.suffix);
        }
    }

    fn asset(&self, name: &mut String) {
        if self.foreign {
            self.name(name);
        }
    }

    fn class(&self, class: &mut Option<String>) {
        if let Some(class) = class {
            self.asset(class);
        }
    }

    /// Renames a body with everything in it.
    pub fn body(&self, b: &mut Body) {
        self.name(&mut b.name);
        self.class(&mut b.childclass);
        self.plugin(&mut b.plugin);
        b.frames.iter_mut().for_each(|x| self.frame(x));
        b.joints.iter_mut().for_each(|x| self.joint(x));
        b.geoms.iter_mut().for_each(|x| self.geom(x));
        b.sites.iter_mut().for_each(|x| self.site(x));
        b.cameras.iter_mut().for_each(|x| self.camera(x));
        b.lights.iter_mut().for_each(|x| self.light(x));
        for f in &mut b.flexcomps {
            self.name(&mut f.name);
            f.material.iter_mut().chain([&mut f.mesh]).for_each(|x| self.asset(x));
        }
        b.bodies.iter_mut().for_each(|x| self.body(x));
    }

    fn frame(&self, f: &mut Frame) {
        self.name(&mut f.name);
        self.class(&mut f.childclass);
    }

    fn joint(&self, j: &mut Joint) {
        self.name(&mut j.name);
        self.class(&mut j.class);
    }

    fn geom(&self, g: &mut Geom) {
        self.name(&mut g.name);
        self.class(&mut g.class);
        [&mut g.material, &mut g.mesh, &mut g.hfield].into_iter().for_each(|x| self.asset(x));
        self.plugin(&mut g.plugin);
    }

    /// Renames the instance of a plugin.
    fn plugin(&self, p: &mut Option<Plugin>) {
        p.iter_mut().for_each(|p| self.asset(&mut p.instance));
    }

    /// Renames the instances of a plugin.
    pub fn extension(&self, x: &mut Extension) {
        x.instances.iter_mut().for_each(|i| self.name(&mut i.name));
    }

    fn site(&self, s: &mut Site) {
        self.name(&mut s.name);
        self.class(&mut s.class);
        [&mut s.material, &mut s.mesh].into_iter().for_each(|x| self.asset(x));
    }

    fn camera(&self, c: &mut Camera) {
        self.name(&mut c.name);
        self.class(&mut c.class);
        self.name(&mut c.target);
    }

    fn light(&self, l: &mut Light) {
        self.name(&mut l.name);
        self.class(&mut l.class);
        self.name(&mut l.target);
        self.asset(&mut l.texture);
    }

    /// Renames a mesh.
    pub fn mesh(&self, m: &mut Mesh) {
        self.name(&mut m.name);
        self.class(&mut m.class);
        self.asset(&mut m.material);
        self.plugin(&mut m.plugin);
    }

    /// Renames a texture.
    pub fn texture(&self, t: &mut Texture) {
        self.name(&mut t.name);
        self.class(&mut t.class);
    }

    /// Renames a material.
    pub fn material(&self, m: &mut Material) {
        self.name(&mut m.name);
        self.class(&mut m.class);
        m.textures.iter_mut().for_each(|x| self.asset(x));
    }

    /// Renames what a default class's prototypes refer to, and the class.
    pub fn default_class(&self, c: &mut DefaultClass) {
        self.name(&mut c.name);
        self.geom(&mut c.geom);
        self.site(&mut c.site);
        self.asset(&mut c.tendon.material);
        self.asset(&mut c.mesh.material);
        c.material.textures.iter_mut().for_each(|x| self.asset(x));
    }
}

/// An element outside the tree that refers to others by name.
pub trait Referring: Clone {
    /// Its kind.
    const KIND: ObjType;
    /// Whether it may join what is in a namespace with what is not.
    const JOINS: bool;
    /// Its name.
    fn name_mut(&mut self) -> &mut String;
    /// Its default class, and what else it takes from the model that it was written in.
    fn owned_mut(&mut self, f: &mut dyn FnMut(&mut String));
    /// Its place in the source.
    fn loc(&self) -> Loc;
    /// Every name that it refers to, with the kind of object; some may be empty.
    fn references(&mut self, f: &mut dyn FnMut(ObjType, &mut String));
}

macro_rules! referring {
    ($($t:ident $kind:ident $joins:literal |$e:ident, $f:ident| owned $owned:block refers $refers:block)*) => {$(
        impl Referring for $t {
            const KIND: ObjType = ObjType::$kind;
            const JOINS: bool = $joins;
            fn name_mut(&mut self) -> &mut String {
                &mut self.name
            }
            fn loc(&self) -> Loc {
                self.loc
            }
            #[allow(unused_variables)]
            fn owned_mut(&mut self, $f: &mut dyn FnMut(&mut String)) {
                let $e = self;
                $owned
            }
            fn references(&mut self, $f: &mut dyn FnMut(ObjType, &mut String)) {
                let $e = self;
                $refers
            }
        }
    )*};
}

referring! {
    Pair Pair true |e, f| owned { e.class.iter_mut().for_each(f) } refers {
        f(ObjType::Geom, &mut e.geom1);
        f(ObjType::Geom, &mut e.geom2);
    }
    Exclude Exclude true |e, f| owned {} refers {
        f(ObjType::Body, &mut e.body1);
        f(ObjType::Body, &mut e.body2);
    }
    Tendon Tendon true |e, f| owned {
        e.class.iter_mut().for_each(&mut *f);
        f(&mut e.material);
    } refers {
        for wrap in &mut e.path {
            match &mut wrap.object {
                WrapObject::Joint { joint, .. } => f(ObjType::Joint, joint),
                WrapObject::Site { site } => f(ObjType::Site, site),
                WrapObject::Geom { geom, sidesite } => {
                    f(ObjType::Geom, geom);
                    f(ObjType::Site, sidesite);
                }
                WrapObject::Pulley { .. } => {}
            }
        }
    }
    Equality Equality false |e, f| owned { e.class.iter_mut().for_each(f) } refers {
        let kind = match e.r#type {
            EqType::Joint => ObjType::Joint,
            EqType::Tendon => ObjType::Tendon,
            _ => e.objtype,
        };
        f(kind, &mut e.name1);
        f(kind, &mut e.name2);
    }
    Actuator Actuator false |e, f| owned {
        e.class.iter_mut().for_each(&mut *f);
        e.plugin.iter_mut().for_each(|p| f(&mut p.instance));
    } refers {
        let kind = match e.trntype {
            TrnType::Joint | TrnType::JointInParent | TrnType::So3 => ObjType::Joint,
            TrnType::SliderCrank | TrnType::Site => ObjType::Site,
            TrnType::Tendon => ObjType::Tendon,
            TrnType::Body => ObjType::Body,
            TrnType::Undefined => return,
        };
        f(kind, &mut e.target);
        f(ObjType::Site, &mut e.refsite);
        f(ObjType::Site, &mut e.slidersite);
    }
    Sensor Sensor true |e, f| owned { e.plugin.iter_mut().for_each(|p| f(&mut p.instance)) } refers {
        if e.objtype != ObjType::Unknown {
            f(e.objtype, &mut e.objname);
        }
        if e.reftype != ObjType::Unknown {
            f(e.reftype, &mut e.refname);
        }
    }
    Skin Skin false |e, f| owned { f(&mut e.material) } refers {
        e.bones.iter_mut().for_each(|b| f(ObjType::Body, &mut b.body));
    }
    Tuple Tuple false |e, f| owned {} refers {
        for (kind, name, _) in &mut e.items {
            f(*kind, name);
        }
    }
}
