//! Finding elements by name, whatever their kind.

use crate::spec::document::Spec;
use crate::spec::*;

/// A kind of element that can be found in a spec by its name.
pub trait SpecElement: Sized {
    /// The element of this name.
    fn find<'a>(spec: &'a Spec, name: &str) -> Option<&'a Self>;
    /// The element of this name, to change it.
    fn find_mut<'a>(spec: &'a mut Spec, name: &str) -> Option<&'a mut Self>;
}

impl Spec {
    /// An element by kind and name: `spec.find::<Geom>("foot")`.
    pub fn find<E: SpecElement>(&self, name: &str) -> Option<&E> {
        E::find(self, name)
    }

    /// An element by kind and name, to change it: `spec.find_mut::<Joint>("knee")`.
    pub fn find_mut<E: SpecElement>(&mut self, name: &str) -> Option<&mut E> {
        E::find_mut(self, name)
    }
}

impl Body {
    /// The body of this name in this one and what is below it, or itself.
    pub fn find(&self, name: &str) -> Option<&Body> {
        if self.name == name { Some(self) } else { self.bodies.iter().find_map(|b| b.find(name)) }
    }

    fn find_mut(&mut self, name: &str) -> Option<&mut Body> {
        if self.name == name { Some(self) } else { self.bodies.iter_mut().find_map(|b| b.find_mut(name)) }
    }
}

impl SpecElement for Body {
    /// The world is found by the name `world`, which it has even where it was not given.
    fn find<'a>(spec: &'a Spec, name: &str) -> Option<&'a Self> {
        let world = &spec.worldbody;
        if name == "world" { Some(world) } else { world.bodies.iter().find_map(|b| b.find(name)) }
    }

    fn find_mut<'a>(spec: &'a mut Spec, name: &str) -> Option<&'a mut Self> {
        let world = &mut spec.worldbody;
        if name == "world" { Some(world) } else { world.bodies.iter_mut().find_map(|b| b.find_mut(name)) }
    }
}

macro_rules! in_bodies {
    ($($t:ident $list:ident)*) => {$(
        impl SpecElement for $t {
            fn find<'a>(spec: &'a Spec, name: &str) -> Option<&'a Self> {
                fn within<'a>(b: &'a Body, name: &str) -> Option<&'a $t> {
                    let here = b.$list.iter().find(|e| e.name == name);
                    here.or_else(|| b.bodies.iter().find_map(|b| within(b, name)))
                }
                within(&spec.worldbody, name)
            }

            fn find_mut<'a>(spec: &'a mut Spec, name: &str) -> Option<&'a mut Self> {
                fn within<'a>(b: &'a mut Body, name: &str) -> Option<&'a mut $t> {
                    let here = b.$list.iter_mut().find(|e| e.name == name);
                    here.or_else(|| b.bodies.iter_mut().find_map(|b| within(b, name)))
                }
                within(&mut spec.worldbody, name)
            }
        }
    )*};
}
in_bodies! { Frame frames Joint joints Geom geoms Site sites Camera cameras Light lights Flexcomp flexcomps }

macro_rules! in_lists {
    ($($t:ident $list:ident)*) => {$(
        impl SpecElement for $t {
            fn find<'a>(spec: &'a Spec, name: &str) -> Option<&'a Self> {
                spec.$list.iter().find(|e| e.name == name)
            }

            fn find_mut<'a>(spec: &'a mut Spec, name: &str) -> Option<&'a mut Self> {
                spec.$list.iter_mut().find(|e| e.name == name)
            }
        }
    )*};
}
in_lists! {
    DefaultClass defaults Mesh meshes Hfield hfields Texture textures Material materials Flex flexes Pair pairs
    Exclude excludes Equality equalities Tendon tendons Actuator actuators Sensor sensors Numeric numerics Text texts
    Tuple tuples Key keys
}
