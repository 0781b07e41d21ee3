//! Edits of compiled models in the middle of a simulation, against what the reference makes of them.

use crate::Result;
use crate::npz::{self, Array};
use mj_engine::{Data, Model, load, set_const, step};
use mj_model::KeyId;
use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const SCRIPT: &str = include_str!("edits.py");

/// Steps before an edit and after it, and the derived fields, all as in the script.
const BEFORE: usize = 30;
const STEPS: usize = 5;
const DERIVED: [&str; 29] = [
    "body_subtreemass",
    "body_invweight0",
    "body_sameframe",
    "body_margin",
    "body_contype",
    "body_conaffinity",
    "jnt_actuatorid",
    "dof_M0",
    "dof_invweight0",
    "dof_length",
    "tree_sleep_policy",
    "geom_size",
    "geom_rbound",
    "geom_aabb",
    "geom_fluid",
    "geom_sameframe",
    "site_sameframe",
    "cam_pos0",
    "cam_poscom0",
    "cam_mat0",
    "light_pos0",
    "light_poscom0",
    "light_dir0",
    "eq_data",
    "tendon_actuatorid",
    "tendon_length0",
    "tendon_invweight0",
    "actuator_length0",
    "actuator_acc0",
];

/// How far numbers may be from the reference's, relative to 1 and to the number.
const TOLERANCE: f64 = 1e-7;

/// Arguments of `cargo xtask edits`.
#[derive(clap::Args)]
pub struct Args {
    /// A Python interpreter that can import `mujoco` 4.0.0 and `numpy`: records the reference's results first.
    #[arg(long)]
    python: Option<PathBuf>,
}

/// Records, if asked to, then compares every edit.
pub fn run(root: &Path, args: &Args) -> Result<()> {
    let (models, edits, golden) = (root.join("models"), root.join("tests/edits.txt"), root.join("tests/edits.npz"));
    if let Some(python) = &args.python {
        let mut child = Command::new(python)
            .arg("-")
            .args([&models, &edits, &golden])
            .stdin(Stdio::piped())
            .spawn()
            .map_err(|e| format!("{}: {e}", python.display()))?;
        if let Some(mut stdin) = child.stdin.take() {
            stdin.write_all(SCRIPT.as_bytes())?;
        }
        let status = child.wait()?;
        if !status.success() {
            return Err(format!("the recording script ended with {status}").into());
        }
    }
    let (compared, wrong) = compare(&models, &std::fs::read_to_string(edits)?, &golden)?;
    wrong.iter().for_each(|line| println!("{line}"));
    println!("{compared} edits compared, {} differ from the reference", wrong.len());
    if wrong.is_empty() { Ok(()) } else { Err("edits differ from the reference".into()) }
}

/// An edit, as a line of the list says.
struct Edit<'a> {
    line: &'a str,
    model: &'a str,
    field: &'a str,
    row: Option<usize>,
    column: Option<usize>,
    change: &'a str,
    constants: bool,
}

impl<'a> Edit<'a> {
    /// Reads a line; none for those that are empty or a comment.
    fn read(line: &'a str) -> Option<Result<Self>> {
        let words: Vec<&str> = line.split('#').next()?.split_whitespace().collect();
        let [model, field, row, column, change, ref rest @ ..] = words[..] else {
            return (!words.is_empty()).then(|| Err(format!("`{line}` is no edit").into()));
        };
        let selected = |word: &str| (word != "*").then(|| word.parse::<usize>()).transpose();
        Some(
            selected(row)
                .and_then(|row| Ok((row, selected(column)?)))
                .map_err(|e| format!("`{line}`: {e}").into())
                .map(|(row, column)| Self { line, model, field, row, column, change, constants: rest == ["set"] }),
        )
    }

    fn changed(&self, x: f64) -> Result<f64> {
        let (what, value) = self.change.split_at(1);
        let value: f64 = value.parse()?;
        match what {
            "=" => Ok(value),
            "+" => Ok(x + value),
            "*" => Ok(x * value),
            _ => Err(format!("`{}`: a change is =, + or *", self.line).into()),
        }
    }

    /// Edits a model.
    fn apply(&self, m: &mut Model) -> Result<()> {
        self.changed(0.0)?;
        let is_meant = |i: usize, width: usize| {
            self.row.is_none_or(|r| r == i / width) && self.column.is_none_or(|c| c == i % width)
        };
        let edit = |width: usize, numbers: &mut [f64]| {
            for (_, x) in numbers.iter_mut().enumerate().filter(|(i, _)| is_meant(*i, width)) {
                *x = self.changed(*x).unwrap_or(*x);
            }
        };
        if let Some(option) = self.field.strip_prefix("opt.") {
            let mut numbers = Vec::new();
            m.opt.visit(&mut |name, _, column| {
                if name == option {
                    numbers = column.to_f64()
                }
            });
            edit(numbers.len().max(1), &mut numbers);
            let text: Vec<String> = numbers.iter().map(f64::to_string).collect();
            m.opt.set(option, &text.join(" "))?;
        } else {
            let mut known = false;
            m.edit(&mut |p| {
                if p.name == self.field {
                    known = true;
                    edit(p.width, p.numbers);
                }
            });
            if !known {
                return Err(format!("`{}`: no field of this name can be edited", self.line).into());
            }
        }
        if self.constants {
            set_const(m)?;
        }
        Ok(())
    }
}

/// Compares every edit; returns how many there are, and a line for each that differs.
fn compare(models: &Path, edits: &str, golden: &Path) -> Result<(usize, Vec<String>)> {
    let golden = npz::read(golden)?;
    let (mut compared, mut wrong) = (BTreeMap::<&str, usize>::new(), Vec::new());
    for edit in edits.lines().filter_map(Edit::read) {
        let edit = edit?;
        let want = golden.get(edit.model).ok_or_else(|| format!("nothing recorded of {}", edit.model))?;
        let row = compared.entry(edit.model).or_default();
        let want = row_of(want, *row).ok_or_else(|| format!("nothing recorded of `{}`", edit.line))?;
        *row += 1;
        let got = simulated(&models.join(format!("{}.xml", edit.model)), &edit)?;
        if let Some(why) = difference(&got, want) {
            wrong.push(format!("{}: {why}", edit.line));
        }
    }
    Ok((compared.values().sum(), wrong))
}

fn row_of(a: &Array, i: usize) -> Option<&[f64]> {
    let n = *a.shape.first()?;
    (i < n).then(|| a.row(i, n))
}

/// Results of a simulation that goes on after an edit: named pieces, in the order of the script.
fn simulated(path: &Path, edit: &Edit) -> Result<Vec<(&'static str, Vec<f64>)>> {
    let mut m = load(path)?;
    (m.opt.iterations, m.opt.tolerance) = (500, 1e-15);
    (m.opt.ls_iterations, m.opt.ls_tolerance) = (100, 1e-6);
    let before = derived(&m);
    let mut d = Data::new(&m)?;
    if !m.key.is_empty() {
        d.state.set_key(&m, KeyId::new(0));
    }
    d.state.ctrl.iter_mut().for_each(|u| *u += 0.3);
    (0..BEFORE).for_each(|_| step(&m, &mut d).unwrap());
    edit.apply(&mut m)?;
    (0..STEPS).for_each(|_| step(&m, &mut d).unwrap());
    let mut out = vec![("qpos", d.state.qpos), ("qvel", d.state.qvel)];
    for (name, (new, old)) in DERIVED.iter().zip(derived(&m).into_iter().zip(before)) {
        out.push((name, new.iter().zip(old).map(|(new, old)| new - old).collect()));
    }
    Ok(out)
}

fn derived(m: &Model) -> Vec<Vec<f64>> {
    let mut out = vec![Vec::new(); DERIVED.len()];
    m.visit(&mut |field| {
        if let Some(i) = DERIVED.iter().position(|name| *name == field.name) {
            out[i] = field.data.to_f64();
        }
    });
    out
}

/// Says which number is farthest off, if any is too far.
fn difference(got: &[(&'static str, Vec<f64>)], mut want: &[f64]) -> Option<String> {
    let mut worst: Option<(f64, String)> = None;
    for (name, got) in got {
        let Some((piece, rest)) = want.split_at_checked(got.len()) else {
            return Some("fewer numbers recorded".into());
        };
        want = rest;
        for (i, (x, y)) in got.iter().zip(piece).enumerate() {
            let off = (x - y).abs() / (1.0 + y.abs());
            // What is not a number is farther off than any.
            let off = if off.is_nan() { f64::INFINITY } else { off };
            if off > worst.as_ref().map_or(TOLERANCE, |(w, _)| *w) {
                worst = Some((off, format!("{name}[{i}] is {x}, the reference has {y}")));
            }
        }
    }
    if want.is_empty() { worst.map(|(_, why)| why) } else { Some("more numbers recorded".into()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edits_do_what_they_do_in_the_reference() {
        let root = crate::root();
        let edits = std::fs::read_to_string(root.join("tests/edits.txt")).unwrap();
        let (n, wrong) = compare(&root.join("models"), &edits, &root.join("tests/edits.npz")).unwrap();
        assert!(wrong.is_empty(), "{wrong:#?}");
        let fields: std::collections::BTreeSet<&str> =
            edits.lines().filter(|l| !l.starts_with('#')).filter_map(|l| l.split_whitespace().nth(1)).collect();
        assert!(fields.len() >= 60 && n >= fields.len(), "{n} edits of {} fields", fields.len());
    }
}
