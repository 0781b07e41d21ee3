//! Matrices on the standard output, and the log file.

use super::sparse::Sparse;
use crate::args::typed::Matrix;
use pyo3::prelude::*;
use std::fmt::Write as _;
use std::fs::OpenOptions;
use std::io::Write as _;

super::functions! {
    /// Prints a matrix, one line a row.
    fn mju_printMat(mat: Matrix) -> PyResult<()> {
        let mut text = String::new();
        for i in 0..mat.rows {
            for &x in mat.row(i) {
                text += &number(x, 8, 0);
                text.push(' ');
            }
            text.push('\n');
        }
        print(&text)
    }

    /// Prints a matrix given by compressed rows, one line a row, each entry with its row and column.
    fn mju_printMatSparse(mat: Vec<f64>, rownnz: Vec<i32>, rowadr: Vec<i32>, colind: Vec<i32>) -> PyResult<()> {
        let rows = rownnz.len();
        let mat = Sparse::new(rows, mat, rownnz, rowadr, colind)?;
        let mut text = String::new();
        for i in 0..rows {
            for (column, x) in mat.row(i)? {
                let _ = write!(text, "({i} {column}): {}  ", number(x, 6, 9));
            }
            text.push('\n');
        }
        print(&text)
    }

    /// Appends a message to the file MUJOCO_LOG.TXT in the current directory: the time, then type and message.
    fn mju_writeLog(r#type: String, msg: String) -> PyResult<()> {
        let time = Python::attach(|py| py.import("time")?.call_method0("ctime")?.extract::<String>())?;
        let mut log = OpenOptions::new().create(true).append(true).open("MUJOCO_LOG.TXT")?;
        write!(log, "{time}\n{type}: {msg}\n\n")?;
        Ok(())
    }
}

/// A number with so many decimals, at least so wide.
fn number(x: f64, decimals: usize, width: usize) -> String {
    if x.is_nan() { format!("{:>width$}", "nan") } else { format!("{x:width$.decimals$}") }
}

/// Prints text and an empty line as Python does.
fn print(text: &str) -> PyResult<()> {
    Python::attach(|py| py.import("builtins")?.call_method1("print", (text,)).map(drop))
}
