//! Custom fields and keyframes.

use crate::limits;
use crate::reader::Reader;
use crate::reader::table::{Attr, Child, Shape, Slot, Table, attr};
use crate::suggest;
use crate::syntax::tree::Node;
use mj_model::ObjType;
use mj_model::spec::{Key, Numeric, Text, Tuple};

/// Size and numbers of a custom numeric field, as written.
#[derive(Default)]
pub(crate) struct NumericForm {
    pub name: String,
    pub size: Option<i32>,
    pub data: Vec<f64>,
}

pub(crate) const NUMERIC: Table<NumericForm> = Table {
    groups: &[&[
        attr!(NumericForm: "name" name).required(),
        Attr::new("size", i32::SHAPE, |n: &mut NumericForm, v| n.size = Some(v.integer())).positive(),
        attr!(NumericForm: "data" data),
    ]],
    rules: &[],
};

pub(crate) const TEXT: Table<Text> =
    Table { groups: &[&[attr!(Text: "name" name).required(), attr!(Text: "data" data)]], rules: &[] };

pub(crate) const TUPLE: Table<Tuple> = Table { groups: &[&[attr!(Tuple: "name" name).required()]], rules: &[] };

pub(crate) const TUPLE_ELEMENT: Table<(String, String, f64)> = Table {
    groups: &[&[
        Attr::new("objtype", Shape::Text, |e: &mut (String, String, f64), v| e.0 = v.text().into())
            .required()
            .give(|e| e.0.give()),
        Attr::new("objname", Shape::Text, |e: &mut (String, String, f64), v| e.1 = v.text().into())
            .required()
            .give(|e| e.1.give()),
        Attr::new("prm", f64::SHAPE, |e: &mut (String, String, f64), v| e.2 = v.number()).give(|e| e.2.give()),
    ]],
    rules: &[],
};

pub(crate) const KEY: Table<Key> = Table {
    groups: &[&[
        attr!(Key: "name" name),
        attr!(Key: "time" time),
        attr!(Key: "qpos" qpos),
        attr!(Key: "qvel" qvel),
        attr!(Key: "act" act),
        attr!(Key: "mpos" mpos),
        attr!(Key: "mquat" mquat),
        attr!(Key: "ctrl" ctrl),
        attr!(Key: "plastic" plastic),
    ]],
    rules: &[],
};

pub(crate) const CHILDREN: &[Child] = &[Child::many("numeric"), Child::many("text"), Child::many("tuple")];

impl Reader<'_> {
    pub(crate) fn custom(&mut self, section: &Node) {
        self.attributes(section, &Table::<()>::EMPTY, &mut ());
        for child in self.children(section, CHILDREN) {
            match child.name.as_str() {
                "numeric" => self.numeric(child),
                "text" => self.text(child),
                _ => self.tuple(child),
            }
        }
    }

    /// Reads a custom text, which is an attribute or a CDATA section.
    fn text(&mut self, node: &Node) {
        let mut text = Text { loc: node.loc, ..Default::default() };
        self.attributes(node, &TEXT, &mut text);
        self.no_children(node);
        self.declare_node("text", node);
        match (node.attribute("data"), &node.cdata[..]) {
            (Some(_), [section, ..]) => {
                self.error(*section, "a custom text is an attribute `data` or a CDATA section, not both");
            }
            (_, [_, second, ..]) => {
                self.error(*second, "a custom text has one CDATA section").help("join them into one");
            }
            (None, [section]) => {
                // Lines end with a single character, as XML wants it.
                text.data = self.report.sources.text(*section).replace("\r\n", "\n").replace('\r', "\n");
                if text.data.is_empty() {
                    self.error(node.loc, "a custom text cannot be empty");
                }
            }
            (Some(data), []) if data.value.is_empty() => {
                self.error(data.value_loc, "a custom text cannot be empty");
            }
            (None, []) => {
                self.error(node.loc, "`text` needs the attribute `data`, or a CDATA section");
            }
            (Some(_), []) => {}
        }
        self.spec.texts.push(text);
    }

    fn numeric(&mut self, node: &Node) {
        let mut form = NumericForm::default();
        self.attributes(node, &NUMERIC, &mut form);
        self.no_children(node);
        self.declare_node("numeric", node);
        let size = form.size.map_or(form.data.len(), |n| n.max(0) as usize);
        if form.data.len() > size {
            let message = format!("`data` holds {} numbers, but `size` is {size}", form.data.len());
            self.error(node.value_loc("data"), message);
        } else if size > limits::NUMERIC_SIZE {
            self.error(
                node.value_loc("size"),
                format!("a custom field may hold at most {} numbers", limits::NUMERIC_SIZE),
            );
        } else if size == 0 && node.attribute("size").is_none() && node.attribute("data").is_none() {
            self.error(node.loc, "`numeric` needs `data`, or a `size`");
        } else {
            form.data.resize(size, 0.0);
            self.spec.numerics.push(Numeric { name: form.name, data: form.data, loc: node.loc });
        }
    }

    fn tuple(&mut self, node: &Node) {
        let mut tuple = Tuple { loc: node.loc, ..Default::default() };
        self.attributes(node, &TUPLE, &mut tuple);
        self.declare_node("tuple", node);
        for child in self.children(node, &[Child::many("element")]) {
            let mut element = Default::default();
            self.attributes(child, &TUPLE_ELEMENT, &mut element);
            self.no_children(child);
            let (objtype, objname, prm) = element;
            match ObjType::from_keyword(&objtype) {
                Some(kind) if kind != ObjType::Unknown => tuple.items.push((kind, objname, prm)),
                _ if child.attribute("objtype").is_some() => {
                    let names = ObjType::KEYWORDS.iter().map(|k| k.0).filter(|k| *k != "unknown");
                    let help = suggest::help(&objtype, names, "it takes one of:");
                    self.error(child.value_loc("objtype"), format!("`{objtype}` is not a kind of object")).help = help;
                }
                _ => {}
            }
        }
        self.spec.tuples.push(tuple);
    }

    pub(crate) fn keyframe(&mut self, section: &Node) {
        self.attributes(section, &Table::<()>::EMPTY, &mut ());
        for child in self.children(section, &[Child::many("key")]) {
            let mut key = Key { loc: child.loc, ..Default::default() };
            self.attributes(child, &KEY, &mut key);
            self.no_children(child);
            self.declare_node("key", child);
            self.spec.keys.push(key);
        }
    }
}
