use super::*;
use crate::reader::table::Value;
use std::collections::{HashMap, HashSet};

#[test]
fn every_child_is_an_element_and_every_element_a_child() {
    let elements = elements();
    let ids: HashSet<&str> = elements.iter().map(|e| e.id.as_str()).collect();
    assert_eq!(ids.len(), elements.len());
    let mut reached = HashSet::from(["mujoco"]);
    for c in elements.iter().flat_map(|e| &e.children) {
        if let Some(id) = &c.id {
            assert!(ids.contains(id.as_str()), "{id}");
            reached.insert(id.as_str());
        }
    }
    let lost: Vec<_> = ids.difference(&reached).collect();
    assert!(lost.is_empty(), "{lost:?}");
}

/// Why some attributes that are read are not written by their table.
fn excused(id: &str, name: &str) -> bool {
    match id {
        // Gone when a model has been read, because what they ask for has been done.
        "attach" | "model" | "replicate" => true,
        // A class's name and visual options are written by hand, since they have no field each.
        "default" => name == "class",
        // Of no effect, which a warning says.
        "frame" => ["mocap", "gravcomp", "sleep", "simple", "fuse", "user"].contains(&name),
        // Other forms of `meshdir` and `texturedir`, and of `type`; the only value allowed is the usual one.
        "compiler" => ["assetdir", "coordinate"].contains(&name),
        "light" | "default/light" => name == "directional",
        // Written as the numbers that it pads.
        "custom/numeric" => name == "size",
        _ => id.starts_with("visual/"),
    }
}

/// A value that no default is.
enum Sample {
    Text(&'static str),
    Numbers(Vec<f64>),
    Keyword(usize),
    Keywords(Vec<usize>),
}

fn sample(id: &str, form: &Form, turn: usize) -> Sample {
    match (form.shape, form.name) {
        (_, "eulerseq") => Sample::Text("zyx"),
        (_, "memory") => Sample::Text("2K"),
        (Shape::Text, "objtype" | "reftype") => Sample::Text("site"),
        (_, "cell") if id == "equality/flexstrain" => Sample::Numbers(vec![1.0, 2.0, 3.0]),
        (Shape::Text, _) => Sample::Text("x"),
        (Shape::Integers { max, .. } | Shape::Numbers { max, .. }, _) => {
            let n = if max == usize::MAX { 6 } else { max };
            Sample::Numbers((0..n).map(|i| (i + 7 + turn) as f64).collect())
        }
        (Shape::Keyword(words), _) => Sample::Keyword(turn.min(words.len() - 1)),
        (Shape::Keywords(words), _) => Sample::Keywords((0..words.len()).skip(turn).collect()),
    }
}

struct Check {
    told: Vec<String>,
    seen: HashMap<&'static str, usize>,
}

impl Visitor for Check {
    fn table<T: Default>(&mut self, id: &str, table: &'static Table<T>, in_default: bool, _: Vec<ChildElement>) {
        table.each(in_default, &mut |a| {
            let form = a.form;
            if excused(id, form.name) || form.name == "input" {
                return;
            }
            *self.seen.entry(form.name).or_default() += 1;
            let Some(give) = a.give else {
                self.told.push(format!("`{}` of {id} is read, but never written", form.name));
                return;
            };
            // Of two different values, one at least is not the default: it must be kept whole.
            let mut given = Vec::new();
            for turn in 0..2 {
                let mut target = T::default();
                let value = sample(id, &form, turn);
                match &value {
                    Sample::Text(text) => (a.put)(&mut target, Value::Text(text)),
                    Sample::Numbers(x) => (a.put)(&mut target, Value::Numbers(x)),
                    Sample::Keyword(row) => (a.put)(&mut target, Value::Keyword(*row)),
                    Sample::Keywords(rows) => (a.put)(&mut target, Value::Keywords(rows)),
                }
                given.push(give(&target));
                let whole = match (&value, given.last().unwrap()) {
                    (Sample::Text(text), Given::Text(t)) => t == text,
                    (Sample::Text(_), Given::Words(w)) => form.name == "memory" && w == &["2048"],
                    (Sample::Numbers(x), Given::Words(w)) => {
                        // A set, and a map of which the rows are turned over.
                        ["actuatorgroupdisable", "elevation"].contains(&form.name)
                            || w.iter().map(|w| w.parse::<f64>().unwrap()).eq(x.iter().copied())
                    }
                    (Sample::Keyword(row), Given::Words(w)) => {
                        matches!(form.shape, Shape::Keyword(words) if w.as_slice() == [words[*row]])
                    }
                    (Sample::Keywords(rows), Given::Words(w)) => {
                        matches!(form.shape, Shape::Keywords(words) if w.iter().eq(rows.iter().map(|&r| words[r])))
                    }
                    // The second name of a pair, where the first gives the kind.
                    (Sample::Text(_), Given::Nothing) => ["body2", "site2", "joint2", "tendon2"].contains(&form.name),
                    _ => false,
                };
                if !whole {
                    self.told.push(format!("`{}` of {id} comes back as {:?}", form.name, given.last()));
                }
            }
        });
    }
}

/// What is read into the spec is written back: no attribute of any element is dropped in silence.
#[test]
fn every_attribute_is_kept() {
    let mut check = Check { told: Vec::new(), seen: HashMap::new() };
    visit(&mut check);
    assert!(check.told.is_empty(), "{}", check.told.join("\n"));
    assert!(check.seen.len() > 300, "{}", check.seen.len());
}
