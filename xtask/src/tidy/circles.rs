//! Circles between the modules of a crate: modules that import each other, directly or by way of others.
//!
//! At the root of a crate and in each folder, the modules at one level are compared, each with all modules inside it. The
//! code that `mod.rs`, `lib.rs` or `main.rs` holds itself counts as one more of them. So a parent whose code calls a
//! module inside is in a circle with it if that module calls a function of the parent's code. A parent that only
//! declares modules and re-exports their items has no code. The types that a parent declares are open to the modules
//! inside: Rust shows private fields to them, which is how the methods of one type spread over several files.
//!
//! Not seen: calls of methods, and macros used without a path.

use super::modules::{ModulePath, Modules};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Crates whose modules still have circles.
const EXEMPT: &[&str] = &[];

type Graph = BTreeMap<String, BTreeMap<String, (ModulePath, ModulePath)>>;

/// Complaints about circles between the modules of a crate.
pub fn check(name: &str, dir: &Path) -> Vec<String> {
    if EXEMPT.contains(&name) {
        return Vec::new();
    }
    let roots = ["lib.rs", "main.rs"].map(|f| dir.join("src").join(f));
    let modules = roots.iter().filter(|f| f.exists()).map(|f| Modules::read(f));
    modules.flat_map(|modules| circles(&modules)).map(|c| format!("{name}: {c}")).collect()
}

/// The circles, each in a sentence with the imports that close it.
fn circles(modules: &Modules) -> Vec<String> {
    let mut levels: BTreeMap<ModulePath, Graph> = BTreeMap::new();
    for (from, to) in modules.references() {
        let shared = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
        let (Some(a), Some(b)) = (from.get(shared), to.get(shared)) else { continue };
        let graph = levels.entry(from[..shared].to_vec()).or_default();
        graph.entry(a.clone()).or_default().entry(b.clone()).or_insert((from.clone(), to.clone()));
    }
    let mut out = Vec::new();
    for (level, graph) in &levels {
        let place = if level.is_empty() { "the root".to_string() } else { format!("`{}`", level.join("::")) };
        for circle in groups(graph) {
            let edges = graph.iter().filter(|(a, _)| circle.contains(*a)).flat_map(|(_, to)| to.iter());
            let edges = edges.filter(|(b, _)| circle.contains(*b));
            let edges: Vec<_> = edges.map(|(_, (a, b))| format!("{} → {}", a.join("::"), b.join("::"))).collect();
            let names: Vec<_> = circle.into_iter().collect();
            out.push(format!("in {place}, {} import each other: {}", names.join(", "), edges.join("; ")));
        }
    }
    out
}

/// The groups of modules that reach each other.
fn groups(graph: &Graph) -> BTreeSet<BTreeSet<String>> {
    let reach: BTreeMap<&str, BTreeSet<&str>> = graph.keys().map(|m| (m.as_str(), reachable(graph, m))).collect();
    let back = |m: &str, o: &str| reach.get(o).is_some_and(|r| r.contains(m));
    let circle =
        |m: &str, from: &BTreeSet<&str>| from.iter().filter(|o| back(m, o)).map(|o| (*o).to_string()).collect();
    reach.iter().map(|(m, from)| circle(m, from)).filter(|c: &BTreeSet<String>| !c.is_empty()).collect()
}

fn reachable<'a>(graph: &'a Graph, from: &str) -> BTreeSet<&'a str> {
    let mut seen = BTreeSet::new();
    let mut open: Vec<&str> = graph.get(from).into_iter().flat_map(|to| to.keys()).map(String::as_str).collect();
    while let Some(m) = open.pop() {
        if seen.insert(m) {
            open.extend(graph.get(m).into_iter().flat_map(|to| to.keys()).map(String::as_str));
        }
    }
    seen
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The circles in a crate of modules with these paths and texts, each by its place and members.
    fn found(files: &[(&str, &str)]) -> Vec<String> {
        let modules = Modules::from_texts(&|path| {
            let name = path.join("/");
            files.iter().find(|(n, _)| *n == name).map(|(_, text)| text.to_string())
        });
        circles(&modules).iter().map(|c| c.split(" import").next().unwrap().to_string()).collect()
    }

    const NONE: [&str; 0] = [];

    #[test]
    fn circles_are_found_through_groups_and_re_exports() {
        let lib = ("", "mod a; mod b; mod c; mod d; pub use a::Thing; pub use c::*;");
        let thing = ("d", "pub struct D;");
        let b = ("b", "fn f() { crate::c::g() }");
        assert_eq!(found(&[lib, ("a", "use crate::{b::{x, y}, c};"), b, ("c", ""), thing]), NONE);
        assert_eq!(
            found(&[lib, ("a", "use crate::b::f; struct Thing;"), ("b", "use crate::Thing; fn f() {}")]),
            ["in the root, a, b"]
        );
        let c = ("c", "pub struct Other; use crate::d;  fn f() -> d::D {}");
        let d = ("d", "pub struct D; use super::b::B;");
        assert_eq!(found(&[lib, ("b", "use crate::Other; pub struct B;"), c, d]), ["in the root, b, c, d"]);
        let star = ("b", "use crate::*; pub struct B(Other);");
        assert_eq!(found(&[lib, star, c, d]), ["in the root, b, c, d"]);
    }

    #[test]
    fn circles_are_found_in_folders_and_between_them() {
        let lib = ("", "mod a; mod b;");
        let (a, b) = (("a", "mod x; mod y; pub use x::f;"), ("b", "mod z; pub fn h() {}"));
        let free = [lib, a, b, ("a/x", "pub fn f() {}"), ("a/y", "use super::f;"), ("b/z", "fn g() { crate::a::f() }")];
        assert_eq!(found(&free), NONE);
        let inner = [lib, a, b, ("a/x", "use super::y; pub fn f() { y::g() }"), ("a/y", "use super::f; pub fn g() {}")];
        assert_eq!(found(&inner), ["in `a`, x, y"]);
        let outer = [lib, a, b, ("a/x", "pub fn f() { crate::b::h() }"), ("a/y", ""), ("b/z", "use crate::a::f;")];
        assert_eq!(found(&outer), ["in the root, a, b"]);
    }

    #[test]
    fn a_parents_types_are_open_to_the_modules_inside_and_its_functions_are_not() {
        let parent = "mod child; pub struct T; fn f() { child::g() } fn h() {}";
        let with = |child| found(&[("", "mod a;"), ("a", parent), ("a/child", child)]);
        assert_eq!(with("use super::T; impl T { fn x() {} } pub fn g() {}"), NONE);
        assert_eq!(with("pub fn g() { super::h() }"), ["in `a`, (own code), child"]);
        assert_eq!(with("use super::*; pub fn g() { h() }"), ["in `a`, (own code), child"]);
        // A re-export is no code, unless the code uses it.
        let with = |parent, child| found(&[("", "mod a;"), ("a", parent), ("a/child", child)]);
        let child = "pub fn g() { super::h() }";
        assert_eq!(with("mod child; pub use child::g; fn h() {}", child), NONE);
        assert_eq!(with("mod child; pub use child::g; fn h() { g() }", child), ["in `a`, (own code), child"]);
    }

    #[test]
    fn tests_comments_and_other_crates_import_nothing() {
        let a = ("a", "// crate::b\n#[cfg(test)]\nmod tests { use crate::b; }");
        let b = ("b", "use crate::a::f; fn g() { a::h(); \"crate::a\" }");
        assert_eq!(found(&[("", "mod a; mod b;"), a, b]), NONE);
        let inner = ("a", "mod tests { use super::f; } pub fn f() {}");
        assert_eq!(found(&[("", "mod a; mod b; fn f() { a::f() }"), inner, b]), NONE);
    }

    #[test]
    fn names_that_a_macro_declares_are_known() {
        let ids = ("ids", "macro_rules! ids { () => {} } ids! { BodyId, } use crate::b::X;");
        assert_eq!(
            found(&[("", "mod ids; mod b; pub use ids::*;"), ids, ("b", "use crate::BodyId; pub struct X;")]),
            ["in the root, b, ids"]
        );
    }
}
