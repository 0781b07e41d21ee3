//! Skins and their bones.

use crate::reader::Reader;
use crate::reader::table::{Child, Table, attr};
use crate::syntax::tree::Node;
use mj_model::spec::*;

pub(crate) const SKIN: Table<Skin> = Table {
    groups: &[&[
        attr!(Skin: "name" name),
        attr!(Skin: "file" file),
        attr!(Skin: "vertex" vertex),
        attr!(Skin: "texcoord" texcoord),
        attr!(Skin: "face" face),
        attr!(Skin: "inflate" inflate),
        attr!(Skin: "material" material),
        attr!(Skin: "rgba" rgba),
        attr!(Skin: "group" group),
    ]],
    rules: &[],
};

pub(crate) const BONE: Table<Bone> = Table {
    groups: &[&[
        attr!(Bone: "body" body).required(),
        attr!(Bone: "bindpos" bindpos).required().always(),
        attr!(Bone: "bindquat" bindquat).required().always(),
        attr!(Bone: "vertid" vertid).required(),
        attr!(Bone: "vertweight" vertweight).required(),
    ]],
    rules: &[],
};

impl Reader<'_> {
    pub(crate) fn skin(&mut self, node: &Node) {
        let mut skin = Skin { loc: node.loc, ..Default::default() };
        self.attributes(node, &SKIN, &mut skin);
        if !(0..=5).contains(&skin.group) {
            self.error(node.value_loc("group"), format!("`group` of a skin is from 0 to 5, not {}", skin.group));
        }
        for child in self.children(node, &[Child::many("bone")]) {
            let mut bone = Bone { loc: child.loc, ..Default::default() };
            self.attributes(child, &BONE, &mut bone);
            self.no_children(child);
            skin.bones.push(bone);
        }
        self.fetch(node, "file", &mut skin.file, &mut skin.contents);
        self.name_by_file(node, "skin", &mut skin.name, &skin.file);
        self.spec.skins.push(skin);
    }
}
