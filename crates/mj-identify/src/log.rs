//! Logged trajectories.

use crate::error::IdentifyError;
use mj_engine::Model;
use mj_engine::model::{JointId, ObjType};

/// Controls and measurements at regular times. Numbers that were not measured are NaN.
#[derive(Clone, Debug, PartialEq)]
pub struct Log {
    /// Samples.
    pub samples: usize,
    /// Time steps of the model between two samples.
    pub substeps: usize,
    /// Controls from each sample to the next, samples × nu.
    pub ctrl: Vec<f64>,
    /// Positions, samples × nq.
    pub qpos: Vec<f64>,
    /// Velocities, samples × nv.
    pub qvel: Vec<f64>,
    /// Sensors, samples × nsensordata.
    pub sensordata: Vec<f64>,
}

/// Arrays of a log; those that are left out were not measured.
#[derive(Clone, Debug, Default)]
pub struct LogBuilder {
    /// Times of the samples, s; without them the samples are a time step apart.
    pub time: Option<Vec<f64>>,
    /// Controls, samples × nu; zeros if left out.
    pub ctrl: Option<Vec<f64>>,
    /// Positions, samples × nq.
    pub qpos: Option<Vec<f64>>,
    /// Velocities, samples × nv.
    pub qvel: Option<Vec<f64>>,
    /// Sensors, samples × nsensordata.
    pub sensordata: Option<Vec<f64>>,
}

fn wrong(place: impl Into<String>, wrong: impl Into<String>) -> IdentifyError {
    IdentifyError::Log { place: place.into(), wrong: wrong.into() }
}

impl LogBuilder {
    /// Makes the log of a model.
    ///
    /// # Errors
    /// If arrays have different numbers of samples, none has any, or times are not regular multiples of the time step.
    pub fn build(self, m: &Model) -> Result<Log, IdentifyError> {
        let arrays = [
            ("time", &self.time, 1),
            ("ctrl", &self.ctrl, m.nu()),
            ("qpos", &self.qpos, m.nq()),
            ("qvel", &self.qvel, m.nv()),
            ("sensordata", &self.sensordata, m.nsensordata),
        ];
        let mut samples = None;
        for (name, array, width) in arrays {
            let Some(array) = array else { continue };
            if width == 0 || !array.len().is_multiple_of(width) {
                return Err(wrong(name, format!("{} numbers are no rows of the model's {width}", array.len())));
            }
            let n = array.len() / width;
            if samples.is_some_and(|s| s != n) {
                return Err(wrong(name, format!("{n} rows, but other arrays have {}", samples.unwrap_or(0))));
            }
            samples = Some(n);
        }
        let samples = samples.filter(|n| *n >= 2).ok_or_else(|| wrong("arrays", "at least two samples are needed"))?;
        let substeps = self.time.as_deref().map_or(Ok(1), |time| substeps(m, time))?;
        let of =
            |array: Option<Vec<f64>>, width: usize, fill: f64| array.unwrap_or_else(|| vec![fill; samples * width]);
        let mut ctrl = of(self.ctrl, m.nu(), 0.0);
        ctrl.iter_mut().filter(|u| !u.is_finite()).for_each(|u| *u = 0.0);
        Ok(Log {
            samples,
            substeps,
            ctrl,
            qpos: of(self.qpos, m.nq(), f64::NAN),
            qvel: of(self.qvel, m.nv(), f64::NAN),
            sensordata: of(self.sensordata, m.nsensordata, f64::NAN),
        })
    }
}

/// Time steps between two samples.
fn substeps(m: &Model, time: &[f64]) -> Result<usize, IdentifyError> {
    let h = m.opt.timestep;
    let gap = (time[time.len() - 1] - time[0]) / (time.len() - 1) as f64;
    let steps = (gap / h).round();
    let regular = time.windows(2).all(|t| ((t[1] - t[0]) / h - steps).abs() < 0.05 * steps);
    if !(1.0..1e6).contains(&steps) || !regular {
        let right = format!("samples must be a regular number of the model's time steps of {h} s apart");
        return Err(wrong("time", right));
    }
    Ok(steps as usize)
}

impl Log {
    /// Reads a log from CSV. The first line names the columns: `time`, `ctrl[motor]`, `qpos[hinge]`, `qvel[hinge]`,
    /// `sensor[name]`, with a number after a comma where the element has several (`qpos[ball,2]`); elements go by name or
    /// by number. Other columns are skipped; an empty field was not measured.
    ///
    /// # Errors
    /// If a column names no element, or a field is no number: the line.
    pub fn from_csv(m: &Model, text: &str) -> Result<Self, IdentifyError> {
        let mut lines = text.lines().enumerate().filter(|(_, l)| !l.trim().is_empty() && !l.starts_with('#'));
        let (_, head) = lines.next().ok_or_else(|| wrong("line 1", "the file is empty"))?;
        let columns: Vec<Option<(usize, usize)>> =
            head.split_columns().map(|c| place(m, &c)).collect::<Result<_, _>>()?;
        let widths = [1, m.nu(), m.nq(), m.nv(), m.nsensordata];
        let mut arrays = widths.map(|_| Vec::new());
        for (number, line) in lines {
            arrays.iter_mut().zip(widths).for_each(|(a, w)| a.resize(a.len() + w, f64::NAN));
            for (field, column) in line.split(',').zip(&columns) {
                let Some((array, at)) = *column else { continue };
                let field = field.trim();
                if field.is_empty() {
                    continue;
                }
                let x = field
                    .parse()
                    .map_err(|_| wrong(format!("line {}", number + 1), format!("`{field}` is no number")))?;
                let row = arrays[array].len() - widths[array];
                arrays[array][row + at] = x;
            }
        }
        let given = |i: usize| columns.iter().flatten().any(|c| c.0 == i);
        let has: [bool; 5] = std::array::from_fn(given);
        let mut arrays = arrays.into_iter().zip(has).map(|(a, has)| has.then_some(a));
        let mut next = || arrays.next().flatten();
        LogBuilder { time: next(), ctrl: next(), qpos: next(), qvel: next(), sensordata: next() }.build(m)
    }

    /// Whether anything was measured.
    pub(crate) fn has_measurements(&self) -> bool {
        [&self.qpos, &self.qvel, &self.sensordata].into_iter().flatten().any(|x| x.is_finite())
    }
}

/// Splits a head at commas outside brackets.
trait SplitColumns {
    fn split_columns(&self) -> impl Iterator<Item = String>;
}

impl SplitColumns for str {
    fn split_columns(&self) -> impl Iterator<Item = String> {
        let (mut depth, mut out) = (0, vec![String::new()]);
        for c in self.chars() {
            match c {
                '[' => depth += 1,
                ']' => depth -= 1,
                _ => {}
            }
            if c == ',' && depth == 0 {
                out.push(String::new());
            } else if let Some(last) = out.last_mut() {
                last.push(c);
            }
        }
        out.into_iter()
    }
}

/// Array and number in its row that a column is, or none for a column to skip.
fn place(m: &Model, column: &str) -> Result<Option<(usize, usize)>, IdentifyError> {
    let column = column.trim().trim_matches('"');
    if column == "time" {
        return Ok(Some((0, 0)));
    }
    let Some((array, rest)) = column.split_once('[') else { return Ok(None) };
    let (array, kind) = match array {
        "ctrl" => (1, ObjType::Actuator),
        "qpos" => (2, ObjType::Joint),
        "qvel" => (3, ObjType::Joint),
        "sensor" => (4, ObjType::Sensor),
        _ => return Ok(None),
    };
    let inside =
        rest.strip_suffix(']').ok_or_else(|| wrong(format!("column `{column}`"), "a bracket is not closed"))?;
    let (name, number) = inside.rsplit_once(',').map_or((inside, 0), |(n, k)| match k.trim().parse() {
        Ok(k) => (n, k),
        Err(_) => (inside, 0),
    });
    let name = name.trim();
    let count = [0, m.actuator.len(), m.jnt.len(), m.jnt.len(), m.sensor.len()][array];
    let row = m.names.find(kind, name).or_else(|| name.parse().ok()).filter(|r| *r < count);
    let row = row.ok_or_else(|| {
        wrong(format!("column `{column}`"), format!("the model has no {} `{name}` (it has {count})", kind.keyword()))
    })?;
    let joint = |starts: &dyn Fn(JointId) -> usize, end: usize| {
        let first = starts(JointId::new(row));
        (first, if row + 1 < m.jnt.len() { starts(JointId::new(row + 1)) } else { end } - first)
    };
    let (first, width) = match array {
        1 => {
            let a = mj_engine::model::ActuatorId::new(row);
            (m.actuator.ctrladr[a] as usize, m.actuator.ctrlnum[a] as usize)
        }
        2 => joint(&|j| m.jnt.qposadr[j] as usize, m.nq()),
        3 => joint(&|j| m.jnt.dofadr[j].index(), m.nv()),
        _ => {
            let s = mj_engine::model::SensorId::new(row);
            (m.sensor.adr[s] as usize, m.sensor.dim[s] as usize)
        }
    };
    if number >= width {
        return Err(wrong(format!("column `{column}`"), format!("it has {width} numbers, from 0")));
    }
    Ok(Some((array, first + number)))
}
