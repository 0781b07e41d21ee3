//! Problems that own their numbers: to be kept, saved, and solved again without a model.

use crate::problem::{Problem, Settings};
use crate::rows::{ConeRows, RowView};
use mj_math::block::Run;
use mj_math::{BlockRows, SparseSymmetric, TreePattern};

/// A problem with everything that it borrows.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Recorded {
    /// Sparsity of M.
    pub pattern: TreePattern,
    /// Values of M in that pattern.
    pub m: Vec<f64>,
    /// The part of M beside that, between dofs of any trees.
    pub stiffness: Option<SparseSymmetric>,
    /// Factor of M, or of an approximation.
    pub ld: Vec<f64>,
    /// 1/D of the factor, nv.
    pub dinv: Vec<f64>,
    /// Kinematic tree of each dof, nv.
    pub tree: Vec<u32>,
    /// Force without constraints, nv.
    pub qfrc_smooth: Vec<f64>,
    /// Acceleration without constraints, nv.
    pub qacc_smooth: Vec<f64>,
    /// Acceleration to start from, nv.
    pub qacc_warmstart: Vec<f64>,
    /// Jacobian, nefc×nv.
    pub jac: BlockRows,
    /// Number of equality rows.
    pub ne: usize,
    /// Number of friction-loss rows.
    pub nf: usize,
    /// 1/R of the rows, nefc.
    pub d: Vec<f64>,
    /// R of the rows, nefc.
    pub r: Vec<f64>,
    /// Reference acceleration, nefc.
    pub aref: Vec<f64>,
    /// Greatest force of friction-loss rows, nefc.
    pub frictionloss: Vec<f64>,
    /// Elliptic cones.
    pub cones: Vec<ConeRows>,
    /// Settings.
    pub settings: Settings,
}

impl From<&Problem<'_>> for Recorded {
    fn from(p: &Problem<'_>) -> Self {
        Self {
            pattern: p.pattern.clone(),
            m: p.m.to_vec(),
            stiffness: p.stiffness.cloned(),
            ld: p.ld.to_vec(),
            dinv: p.dinv.to_vec(),
            tree: p.tree.to_vec(),
            qfrc_smooth: p.qfrc_smooth.to_vec(),
            qacc_smooth: p.qacc_smooth.to_vec(),
            qacc_warmstart: p.qacc_warmstart.to_vec(),
            jac: p.rows.jac.clone(),
            ne: p.rows.ne,
            nf: p.rows.nf,
            d: p.rows.d.to_vec(),
            r: p.rows.r.to_vec(),
            aref: p.rows.aref.to_vec(),
            frictionloss: p.rows.frictionloss.to_vec(),
            cones: p.rows.cones.to_vec(),
            settings: p.settings,
        }
    }
}

impl Recorded {
    /// The problem.
    pub fn problem(&self) -> Problem<'_> {
        Problem {
            pattern: &self.pattern,
            m: &self.m,
            stiffness: self.stiffness.as_ref(),
            ld: &self.ld,
            dinv: &self.dinv,
            tree: &self.tree,
            qfrc_smooth: &self.qfrc_smooth,
            qacc_smooth: &self.qacc_smooth,
            qacc_warmstart: &self.qacc_warmstart,
            rows: RowView {
                jac: &self.jac,
                ne: self.ne,
                nf: self.nf,
                d: &self.d,
                r: &self.r,
                aref: &self.aref,
                frictionloss: &self.frictionloss,
                cones: &self.cones,
            },
            settings: self.settings,
        }
    }

    /// Calls `f` with every array's name, shape and numbers. What follows from others (the factor of M, R)
    /// is not among them.
    pub fn visit(&self, f: &mut impl FnMut(&str, &[usize], Vec<f64>)) {
        let (nv, n) = (self.tree.len(), self.d.len());
        let mut vector = |name: &str, v: Vec<f64>| f(name, &[v.len()], v);
        let whole = |v: &[u32]| v.iter().map(|&x| f64::from(x)).collect::<Vec<f64>>();
        vector("M_rownnz", whole(&self.pattern.rownnz));
        vector("M_colind", whole(&self.pattern.colind));
        vector("M", self.m.clone());
        if let Some(k) = &self.stiffness {
            let rows = (0..k.n() as u32).flat_map(|i| std::iter::repeat_n(i, k.row(i as usize).len()));
            vector("K_diagonal", k.diagonal.clone());
            vector("K_row", rows.map(f64::from).collect());
            vector("K_col", whole(&k.colind));
            vector("K", k.values.clone());
        }
        vector("dof_treeid", whole(&self.tree));
        vector("qfrc_smooth", self.qfrc_smooth.clone());
        vector("qacc_smooth", self.qacc_smooth.clone());
        vector("qacc_warmstart", self.qacc_warmstart.clone());
        vector("ne_nf", vec![self.ne as f64, self.nf as f64]);
        vector("efc_D", self.d.clone());
        vector("efc_aref", self.aref.clone());
        vector("efc_frictionloss", self.frictionloss.clone());
        // The Jacobian dense, with the blocks of rows and their runs of columns.
        let blocks = self.jac.blocks();
        vector("efc_block_nrow", blocks.iter().map(|b| f64::from(b.nrow)).collect());
        vector("efc_block_nrun", blocks.iter().map(|b| f64::from(b.nrun)).collect());
        let runs = || blocks.iter().flat_map(|b| self.jac.runs(b));
        vector("efc_run_start", runs().map(|r| f64::from(r.start)).collect());
        vector("efc_run_len", runs().map(|r| f64::from(r.len)).collect());
        let mut dense = vec![0.0; n * nv];
        self.jac.to_dense(&mut dense);
        f("efc_J", &[n, nv], dense);
        let mut cones = Vec::new();
        for c in &self.cones {
            cones.extend([f64::from(c.row), f64::from(c.dim), f64::from(c.contact), c.mu]);
            cones.extend(c.friction);
        }
        f("cones", &[self.cones.len(), 9], cones);
        let s = &self.settings;
        let counts = [f64::from(s.iterations), f64::from(s.ls_iterations)];
        let flags = [f64::from(u8::from(s.warmstart)), f64::from(u8::from(s.islands))];
        f("settings", &[6], vec![counts[0], s.tolerance, counts[1], s.ls_tolerance, flags[0], flags[1]]);
    }

    /// A problem from the arrays that [`Self::visit`] gives, by name.
    ///
    /// # Errors
    /// If an array is missing or doesn't fit the others: what, and what would be right.
    pub fn from_arrays(get: impl Fn(&str) -> Option<Vec<f64>>) -> Result<Self, String> {
        let array = |name: &str| get(name).ok_or_else(|| format!("array `{name}` is missing"));
        let whole = |name: &str| -> Result<Vec<u32>, String> {
            let fits = |x: &f64| x.fract() == 0.0 && (0.0..=f64::from(u32::MAX)).contains(x);
            let v = array(name)?;
            if v.iter().all(fits) {
                Ok(v.iter().map(|&x| x as u32).collect())
            } else {
                Err(format!("array `{name}` must hold whole numbers"))
            }
        };
        let sized = |name: &str, n: usize| -> Result<Vec<f64>, String> {
            let v = array(name)?;
            if v.len() != n {
                return Err(format!("array `{name}` has {} numbers; expected {n}", v.len()));
            }
            if v.iter().all(|x| x.is_finite()) {
                Ok(v)
            } else {
                Err(format!("array `{name}` holds a number that is none"))
            }
        };
        let pattern = pattern(whole("M_rownnz")?, whole("M_colind")?)?;
        let nv = pattern.n();
        let m = sized("M", pattern.nnz())?;
        let (mut ld, mut dinv) = (m.clone(), vec![0.0; nv]);
        if pattern.factor(&mut ld, &mut dinv).is_some() {
            return Err("array `M` is not positive definite".into());
        }
        let stiffness = match get("K_diagonal") {
            Some(_) => {
                let entries: Vec<_> = whole("K_row")?.into_iter().zip(whole("K_col")?).collect();
                let below = entries.iter().all(|&(row, column)| column < row && (row as usize) < nv);
                if !below || entries.windows(2).any(|w| w[0] >= w[1]) {
                    return Err("arrays `K_row` and `K_col` must hold ascending places below the diagonal".into());
                }
                let mut k = SparseSymmetric::zeros(nv, &entries);
                k.diagonal = sized("K_diagonal", nv)?;
                k.values = sized("K", entries.len())?;
                Some(k)
            }
            None => None,
        };
        let tree = whole("dof_treeid")?;
        if tree.len() != nv || tree.windows(2).any(|w| w[0] > w[1]) {
            return Err(format!("array `dof_treeid` must hold {nv} ascending numbers"));
        }
        let d = array("efc_D")?;
        let n = d.len();
        let d = sized("efc_D", n)?;
        if d.iter().any(|&d| d <= 0.0) {
            return Err("array `efc_D` must be positive".into());
        }
        let counts = sized("ne_nf", 2)?;
        let (ne, nf) = (counts[0] as usize, counts[1] as usize);
        if ne.checked_add(nf).is_none_or(|k| k > n) {
            return Err(format!("array `ne_nf` asks for more than the {n} rows"));
        }
        let jac = jacobian(
            nv,
            n,
            [whole("efc_block_nrow")?, whole("efc_block_nrun")?, whole("efc_run_start")?, whole("efc_run_len")?],
            &sized("efc_J", n.saturating_mul(nv))?,
        )?;
        let cones = array("cones")?;
        let cones = cones_of(&cones, ne + nf, n, &jac)?;
        let s = sized("settings", 6)?;
        Ok(Self {
            m,
            stiffness,
            ld,
            dinv,
            tree,
            qfrc_smooth: sized("qfrc_smooth", nv)?,
            qacc_smooth: sized("qacc_smooth", nv)?,
            qacc_warmstart: sized("qacc_warmstart", nv)?,
            jac,
            ne,
            nf,
            r: d.iter().map(|d| 1.0 / d).collect(),
            d,
            aref: sized("efc_aref", n)?,
            frictionloss: sized("efc_frictionloss", n)?,
            cones,
            settings: Settings {
                iterations: s[0] as u32,
                tolerance: s[1],
                ls_iterations: s[2] as u32,
                ls_tolerance: s[3],
                warmstart: s[4] != 0.0,
                islands: s[5] != 0.0,
            },
            pattern,
        })
    }
}

/// A pattern from its rows: ancestors in ascending order, then the diagonal; the row of an ancestor is a
/// prefix of its descendant's, or its diagonal alone.
fn pattern(rownnz: Vec<u32>, colind: Vec<u32>) -> Result<TreePattern, String> {
    let fault = |i: usize| format!("row {i} of M is not that of a tree");
    let mut p = TreePattern { rowadr: Vec::new(), rownnz, colind };
    let mut at = 0u32;
    for i in 0..p.rownnz.len() {
        p.rowadr.push(at);
        at = at.checked_add(p.rownnz[i]).filter(|&a| a as usize <= p.colind.len()).ok_or_else(|| fault(i))?;
        let row = &p.colind[p.rowadr[i] as usize..at as usize];
        if row.last() != Some(&(i as u32)) || row.windows(2).any(|w| w[0] >= w[1]) {
            return Err(fault(i));
        }
        for (k, &c) in row[..row.len() - 1].iter().enumerate() {
            let above = &p.colind[p.row(c as usize)];
            if above.len() != 1 && above != &row[..=k] {
                return Err(fault(i));
            }
        }
    }
    if at as usize == p.colind.len() { Ok(p) } else { Err(fault(p.rownnz.len())) }
}

/// The Jacobian from its blocks and its dense form.
fn jacobian(nv: usize, n: usize, [nrow, nrun, start, len]: [Vec<u32>; 4], dense: &[f64]) -> Result<BlockRows, String> {
    let rows: u64 = nrow.iter().map(|&n| u64::from(n)).sum();
    let runs: u64 = nrun.iter().map(|&n| u64::from(n)).sum();
    if nrow.len() != nrun.len() || start.len() != len.len() || runs != start.len() as u64 || rows != n as u64 {
        return Err(format!("the blocks of `efc_J` must cover its {n} rows"));
    }
    let mut jac = BlockRows::default();
    jac.clear(nv);
    let (mut row, mut run) = (0, 0);
    for (&rows, &count) in nrow.iter().zip(&nrun) {
        let mine: Vec<Run> = (run..run + count as usize).map(|k| Run { start: start[k], len: len[k] }).collect();
        run += count as usize;
        let end = |r: &Run| u64::from(r.start) + u64::from(r.len);
        let ordered = mine.windows(2).all(|w| end(&w[0]) <= u64::from(w[1].start));
        if !ordered || mine.last().is_some_and(|r| end(r) > nv as u64) {
            return Err(format!("the columns of row {row} of `efc_J` must ascend, and end before {nv}"));
        }
        let values = jac.push(rows as usize, &mine);
        let mut at = 0;
        for i in row..row + rows as usize {
            for r in &mine {
                let from = i * nv + r.start as usize;
                values[at..at + r.len as usize].copy_from_slice(&dense[from..from + r.len as usize]);
                at += r.len as usize;
            }
        }
        row += rows as usize;
    }
    Ok(jac)
}

fn cones_of(v: &[f64], first: usize, n: usize, jac: &BlockRows) -> Result<Vec<ConeRows>, String> {
    let mut cones = Vec::new();
    let mut free = first;
    for c in v.chunks(9) {
        let fits = c.len() == 9 && c[0] >= free as f64 && c[0] < n as f64 && [3.0, 4.0, 6.0].contains(&c[1]);
        let (row, dim) = (c[0] as usize, c.get(1).map_or(0.0, |d| *d) as usize);
        if !fits || row + dim > n || jac.block_of(row) != jac.block_of(row + dim - 1) {
            return Err("array `cones` must hold row, dim (3, 4 or 6), contact, mu and five friction coefficients of cones in row order".into());
        }
        if c[3..3 + dim].iter().any(|m| !(m.is_finite() && *m > 0.0)) {
            return Err(format!("friction of the cone at row {row} must be positive"));
        }
        cones.push(ConeRows {
            row: row as u32,
            dim: dim as u32,
            contact: c[2] as u32,
            mu: c[3],
            friction: [c[4], c[5], c[6], c[7], c[8]],
        });
        free = row + dim;
    }
    Ok(cones)
}
