//! Removing elements, with everything that cannot do without them.

use crate::enums::ObjType;
use crate::spec::document::Spec;
use crate::spec::*;
use std::collections::HashSet;

/// Names that are gone, by kind.
type Gone = HashSet<(ObjType, String)>;

impl Spec {
    /// Removes an element by kind and name: a body with everything in it, and pairs, exclusions,
    /// tendons, equalities, actuators, sensors and tuples that refer to what is gone, or to one of
    /// these. Keyframes keep the numbers of what remains. False if there is no such element.
    ///
    /// What refers to an asset or a default class, and cameras and lights that follow a body, are left
    /// as they are: the compiler tells about them.
    pub fn remove(&mut self, kind: ObjType, name: &str) -> bool {
        self.edit(|spec| {
            let mut gone = Gone::new();
            let found = match kind {
                _ if name.is_empty() => false,
                ObjType::Body | ObjType::XBody | ObjType::Joint | ObjType::Geom => {
                    spec.worldbody.drop(kind, name, &mut gone)
                }
                ObjType::Site | ObjType::Camera | ObjType::Light => spec.worldbody.drop(kind, name, &mut gone),
                _ => spec.drop_listed(kind, name),
            };
            if found {
                let kind = if kind == ObjType::XBody { ObjType::Body } else { kind };
                gone.insert((kind, name.to_string()));
                spec.drop_referring(&mut gone);
            }
            found
        })
    }

    /// Removes an element of a list; false if there is none.
    fn drop_listed(&mut self, kind: ObjType, name: &str) -> bool {
        macro_rules! drop {
            ($($kind:ident $list:ident)*) => {
                match kind {
                    $(ObjType::$kind => {
                        let before = self.$list.len();
                        self.$list.retain(|e| e.name != name);
                        self.$list.len() < before
                    })*
                    _ => false,
                }
            };
        }
        drop! {
            Mesh meshes Hfield hfields Texture textures Material materials Flex flexes Pair pairs Exclude excludes
            Equality equalities Tendon tendons Actuator actuators Sensor sensors Numeric numerics Text texts Tuple tuples
            Key keys
        }
    }

    /// Drops what refers to something that is gone, until nothing does.
    fn drop_referring(&mut self, gone: &mut Gone) {
        loop {
            let before = gone.len();
            macro_rules! drop {
                ($($list:ident)*) => {$(self.$list.retain_mut(|e| keeps(e, gone));)*};
            }
            drop!(pairs excludes tendons equalities actuators sensors tuples);
            if gone.len() == before {
                return;
            }
        }
    }
}

/// Whether an element refers to nothing that is gone; if not, it is gone too.
fn keeps<E: Referring>(e: &mut E, gone: &mut Gone) -> bool {
    let mut lost = false;
    e.references(&mut |kind, name| {
        let kind = if kind == ObjType::XBody { ObjType::Body } else { kind };
        lost |= !name.is_empty() && gone.contains(&(kind, name.clone()));
    });
    let name = e.name_mut();
    if lost && !name.is_empty() {
        gone.insert((E::KIND, name.clone()));
    }
    !lost
}

impl Body {
    /// Removes the element of a kind and name below this body; false if there is none.
    fn drop(&mut self, kind: ObjType, name: &str, gone: &mut Gone) -> bool {
        macro_rules! drop {
            ($list:ident) => {{
                let before = self.$list.len();
                self.$list.retain(|e| e.name != name);
                self.$list.len() < before
            }};
        }
        let here = match kind {
            ObjType::Joint => drop!(joints),
            ObjType::Geom => drop!(geoms),
            ObjType::Site => drop!(sites),
            ObjType::Camera => drop!(cameras),
            ObjType::Light => drop!(lights),
            _ => match self.bodies.iter().position(|b| b.name == name) {
                Some(i) => {
                    self.bodies.remove(i).list_names(gone);
                    true
                }
                None => false,
            },
        };
        here || self.bodies.iter_mut().any(|b| b.drop(kind, name, gone))
    }

    /// Notes the names of everything in the body.
    pub(super) fn list_names(&self, out: &mut Gone) {
        let mut add = |kind, name: &String| {
            if !name.is_empty() {
                out.insert((kind, name.clone()));
            }
        };
        add(ObjType::Body, &self.name);
        self.joints.iter().for_each(|x| add(ObjType::Joint, &x.name));
        self.geoms.iter().for_each(|x| add(ObjType::Geom, &x.name));
        self.sites.iter().for_each(|x| add(ObjType::Site, &x.name));
        self.cameras.iter().for_each(|x| add(ObjType::Camera, &x.name));
        self.lights.iter().for_each(|x| add(ObjType::Light, &x.name));
        self.flexcomps.iter().for_each(|x| add(ObjType::Flex, &x.name));
        self.bodies.iter().for_each(|b| b.list_names(out));
    }
}
