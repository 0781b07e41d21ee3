//! The constraint rows of one state, in the order equality, friction loss, limits, contacts.

pub(crate) mod penalty;

use mj_math::BlockRows;
use mj_model::{Buffer, ConstraintType, Field};
use mj_problem::{ConeRows, RowView};
use penalty::PassiveContacts;

/// The place of a contact among the constraint rows.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ContactRows {
    /// First row; none where the contact makes no constraint.
    pub efc_address: Option<u32>,
    /// Friction of the regularized cone; 0 where it has none.
    pub mu: f64,
    /// Reason why the contact makes no constraint: 0 it makes one, 1 it lies in its gap, 3 it moves no dof, 4 it is passive.
    pub exclude: u8,
}

/// [`ContactRows::exclude`] of a contact in its gap.
pub(crate) const IN_GAP: u8 = 1;
/// That of one that moves no dof.
pub(crate) const MOVES_NO_DOF: u8 = 3;
/// That of a passive one.
pub(crate) const PASSIVE: u8 = 4;

/// Constraint rows (`efc_*` of the reference), nefc of each.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Rows {
    /// Jacobian, nefc×nv.
    pub jac: BlockRows,
    /// Number of equality rows.
    pub ne: usize,
    /// Number of friction-loss rows.
    pub nf: usize,
    /// Number of limit rows.
    pub nl: usize,
    /// Type.
    pub r#type: Vec<ConstraintType>,
    /// Equality, dof, tendon, joint or contact that the row belongs to.
    pub id: Vec<u32>,
    /// Violation: residual or distance.
    pub pos: Vec<f64>,
    /// Distance at which the row comes in.
    pub margin: Vec<f64>,
    /// Greatest force of friction-loss rows.
    pub frictionloss: Vec<f64>,
    /// Diagonal of J M⁻¹ Jᵀ as the weights of bodies, dofs and tendons give it.
    pub(crate) approx: Vec<f64>,
    /// Reference acceleration before the time step is folded in, adhesion left out.
    pub(crate) continuous_aref: Vec<f64>,
    /// Diagonal of J M⁻¹ Jᵀ, approximate or exact, as the regularization stands to it.
    pub diag_a: Vec<f64>,
    /// Stiffness, damping, impedance and its derivative.
    pub kbip: Vec<[f64; 4]>,
    /// Inverse regularization 1/R.
    pub d: Vec<f64>,
    /// Regularization.
    pub r: Vec<f64>,
    /// Velocity J v.
    pub vel: Vec<f64>,
    /// Reference acceleration.
    pub aref: Vec<f64>,
    /// Elliptic cones, in row order.
    pub cones: Vec<ConeRows>,
    /// Rows of each contact, in the order of the contacts that the rows were made from.
    pub contacts: Vec<ContactRows>,
    /// Passive contacts, which have no rows.
    pub passive: PassiveContacts,
}

impl Rows {
    /// Borrows the rows as a solver reads them.
    #[inline]
    pub fn view(&self) -> RowView<'_> {
        RowView {
            jac: &self.jac,
            ne: self.ne,
            nf: self.nf,
            d: &self.d,
            r: &self.r,
            aref: &self.aref,
            frictionloss: &self.frictionloss,
            cones: &self.cones,
        }
    }

    /// Returns the first row of contact `id`, if it has rows.
    #[inline]
    pub fn first_of_contact(&self, id: usize) -> Option<usize> {
        self.contacts.get(id).and_then(|c| c.efc_address).map(|row| row as usize)
    }

    /// Number of rows.
    #[inline]
    pub fn nefc(&self) -> usize {
        self.r#type.len()
    }

    /// Calls `f` with every field under the reference's name (the Jacobian dense, as
    /// `efc_J_dense`; the contacts' as `contact.<field>`).
    pub fn visit(&self, f: &mut dyn FnMut(Field)) {
        let mut array = |name: &str, b: &dyn Buffer| {
            let (shape, data) = b.array();
            f(Field { name: name.to_string(), shape, data });
        };
        array("ne", &(self.ne as u32));
        array("nf", &(self.nf as u32));
        array("nl", &(self.nl as u32));
        array("nefc", &(self.nefc() as u32));
        array("efc_type", &self.r#type);
        array("efc_id", &self.id);
        array("efc_pos", &self.pos);
        array("efc_margin", &self.margin);
        array("efc_frictionloss", &self.frictionloss);
        array("efc_diagA", &self.diag_a);
        array("efc_KBIP", &self.kbip);
        array("efc_D", &self.d);
        array("efc_R", &self.r);
        array("efc_vel", &self.vel);
        array("efc_aref", &self.aref);
        let contacts = self.contacts.iter();
        array("contact.mu", &contacts.clone().map(|c| c.mu).collect::<Vec<_>>());
        array("contact.exclude", &contacts.clone().map(|c| i32::from(c.exclude)).collect::<Vec<_>>());
        let address = |c: &ContactRows| c.efc_address.map_or(-1, |a| i32::try_from(a).unwrap_or(i32::MAX));
        array("contact.efc_address", &contacts.map(address).collect::<Vec<_>>());
        let (n, nv) = (self.jac.nrows(), self.jac.ncols());
        let mut dense = vec![0.0; n * nv];
        self.jac.to_dense(&mut dense);
        f(Field { name: "efc_J_dense".into(), shape: vec![n, nv], data: mj_model::Column::F64(dense) });
    }
}
