//! Names of a model's elements, kind by kind.

use crate::enums::ObjType;
use crate::storage::{Binary, Result, Source};
use std::collections::HashMap;

/// Names by kind and row, both ways. Not used during simulation.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Names {
    by_row: HashMap<i32, Vec<String>>,
    by_name: HashMap<i32, HashMap<String, usize>>,
}

/// Kind by kind, in the order of their codes: the names of all rows; a kind without a list has none.
impl Binary for Names {
    fn write(&self, out: &mut Vec<u8>) {
        for &(_, kind) in ObjType::KEYWORDS {
            let list = self.by_row.get(&kind.code());
            list.is_some().write(out);
            if let Some(list) = list {
                list.len().write(out);
                list.iter().for_each(|name| name.write(out));
            }
        }
    }

    fn read(from: &mut Source) -> Result<Self> {
        let mut names = Self::default();
        for &(keyword, kind) in ObjType::KEYWORDS {
            from.at_field("names", keyword);
            if bool::read(from)? {
                names.set(kind, from.list(String::read)?);
            }
        }
        Ok(names)
    }

    fn layout(out: &mut String) {
        ObjType::KEYWORDS.iter().for_each(|k| out.push_str(k.0));
    }
}

impl Names {
    /// Sets the names of all elements of a kind, in row order; empty: unnamed.
    pub fn set(&mut self, kind: ObjType, names: Vec<String>) {
        let map = names.iter().enumerate().filter(|(_, n)| !n.is_empty()).map(|(i, n)| (n.clone(), i)).collect();
        self.by_name.insert(kind.code(), map);
        self.by_row.insert(kind.code(), names);
    }

    /// Name of a row; empty if it has none.
    pub fn get(&self, kind: ObjType, row: usize) -> &str {
        self.by_row.get(&kind.code()).and_then(|v| v.get(row)).map_or("", |s| s)
    }

    /// Row of a name.
    pub fn find(&self, kind: ObjType, name: &str) -> Option<usize> {
        self.by_name.get(&kind.code())?.get(name).copied()
    }

    /// All names of a kind, in row order.
    pub fn all(&self, kind: ObjType) -> &[String] {
        self.by_row.get(&kind.code()).map_or(&[], |v| v)
    }

    /// Name of a row, or its kind and number where it has none: for lists and labels.
    pub fn display(&self, kind: ObjType, row: usize) -> String {
        match self.get(kind, row) {
            "" => format!("{} {row}", kind.keyword()),
            name => name.to_string(),
        }
    }

    /// Name of a row in quotes, or its kind and number where it has none: for messages.
    pub fn describe(&self, kind: ObjType, row: usize) -> String {
        match self.get(kind, row) {
            "" => format!("{} {row}", kind.keyword()),
            name => format!("{} `{name}`", kind.keyword()),
        }
    }
}
