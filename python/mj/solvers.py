"""Constraint solvers by name, and recorded constraint problems.

>>> import mj
>>> model = mj.MjModel.from_xml_string('''<mujoco><worldbody><geom type="plane" size="1 1 1"/>
...   <body pos="0 0 .09"><freejoint/><geom size=".1"/></body></worldbody></mujoco>''')
>>> data = mj.MjData(model)
>>> mj.solvers.use(data, "complementarity")    # the steps of data use it from now on
>>> mj.mj_step(model, data)
>>> problem = mj.solvers.record(data)
>>> problem.solve("newton").efc_force.shape == (problem.nefc,)
True

The convex solvers (``newton``, ``cg``, ``pgs``, ``cone-gs``) find one and the same force; the others have other laws of
contact, which docs/formulations.md compares.
"""

from __future__ import annotations

import os
import zipfile
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from . import _core
from ._arguments import model_of

__all__ = ["ABOUT", "Problem", "Solution", "load", "record", "use"]

#: The method of each solver, by name.
ABOUT: dict[str, str] = dict(_core._solvers())


def use(data: Any, name: str | None) -> None:
    """Makes the calls on data use a solver, whatever ``model.opt.solver`` says; None gives that one back.

    Copies of the data have the solver too, and a reset keeps it; a pickle does not hold it.

    Raises:
        ValueError: if there is no solver of that name; the message lists all.
    """
    _core._use_solver(model_of(data), data, name)


@dataclass(frozen=True)
class Solution:
    """What a solver makes of a problem, and how good it is.

    Attributes:
        solver: name of the solver.
        qacc: acceleration, (nv,).
        efc_force: force of each row, (nefc,).
        qfrc_constraint: constraint force in joint space, (nv,).
        niter: iterations, the most over the islands.
        seconds: time that it took.
        cost: primal cost 1/2 (qacc - qacc_smooth)' M (qacc - qacc_smooth) + s(J qacc - aref).
        stationarity: whether forces and acceleration agree: the greatest residual, relative to the forces.
        feasibility: how far a force is outside of its bound or cone, relative to the greatest force.
        complementarity: distance from the forces of the convex model; not small for solvers of other models.
        laws: distance from the exact laws of contact; not small for the convex solvers.
        slip: greatest slip acceleration of a contact that bears a force.
        penetration: greatest acceleration into a limit or contact.
    """

    solver: str
    qacc: np.ndarray
    efc_force: np.ndarray
    qfrc_constraint: np.ndarray
    niter: int
    seconds: float
    cost: float
    stationarity: float
    feasibility: float
    complementarity: float
    laws: float
    slip: float
    penetration: float

    def __repr__(self) -> str:
        return (
            f"<Solution by {self.solver}: cost {self.cost:.6g}, {self.niter} iterations in {self.seconds * 1e6:.0f} µs, "
            f"stationarity {self.stationarity:.1e}, laws {self.laws:.1e}>"
        )


class Problem:
    """The constraint problem of a state, with all that solvers need: inertia, Jacobian, bounds, cones.

    :func:`record` makes one of data, :func:`load` reads one from a file that :meth:`save` or ``mj problem`` wrote.
    """

    def __init__(self, native: Any):
        """Wraps a problem of the native module."""
        if not isinstance(native, _core.Problem):
            raise TypeError("make a problem by mj.solvers.record(data) or mj.solvers.load(path)")
        self._native = native

    @property
    def nv(self) -> int:
        """Number of dofs."""
        return self._native.nv

    @property
    def nefc(self) -> int:
        """Number of constraint rows."""
        return self._native.nefc

    @property
    def ne(self) -> int:
        """Number of equality rows, which are the first."""
        return self._native.ne

    @property
    def nf(self) -> int:
        """Number of friction-loss rows, which follow."""
        return self._native.nf

    @property
    def contradictory(self) -> bool:
        """Whether no forces can obey the exact laws of contact, since normals contradict each other."""
        return self._native.contradictory

    def arrays(self) -> dict[str, np.ndarray]:
        """Returns copies of all arrays by name: ``M``, ``efc_J``, ``efc_D``, ``efc_aref``, ``cones``, ..."""
        return self._native._arrays()

    def save(self, path: str | os.PathLike) -> None:
        """Writes the problem to an ``.npz`` archive, as ``mj problem`` does."""
        with open(os.fspath(path), "wb") as file:
            np.savez(file, **self.arrays())  # type: ignore[arg-type]

    def solve(
        self, solver: str = "newton", *, iterations: int | None = None, tolerance: float | None = None, warm: bool = False
    ) -> Solution:
        """Solves the problem.

        Args:
            solver: name of a solver, a key of ``mj.solvers.ABOUT``.
            iterations: greatest number of iterations; that of the recorded model unless given.
            tolerance: tolerance; that of the recorded model unless given.
            warm: whether to start from the recorded warm start.

        Raises:
            ValueError: if there is no solver of that name; the message lists all.
        """
        return Solution(solver=solver, **self._native._solve(solver, iterations, tolerance, bool(warm)))

    def compare(self, names: Iterable[str] | None = None, **settings: Any) -> list[Solution]:
        """Solves the problem by several solvers, all unless named, with settings as :meth:`solve` takes."""
        return [self.solve(name, **settings) for name in (ABOUT if names is None else names)]

    def __repr__(self) -> str:
        return f"<Problem of {self.nefc} rows ({self.ne} of equalities, {self.nf} of friction loss) over {self.nv} dofs>"

    def __reduce__(self) -> tuple:
        return _problem_of_arrays, (self.arrays(),)


def _problem_of_arrays(arrays: dict[str, np.ndarray]) -> Problem:
    return Problem(_core.Problem._of_arrays(arrays))


def record(data: Any) -> Problem:
    """Computes ``mj_forward`` of data, and records its constraint problem.

    The warm start of the problem is ``data.qacc_warmstart``.
    """
    return Problem(_core.Problem._of(model_of(data), data))


def load(path: str | os.PathLike) -> Problem:
    """Reads a problem from an ``.npz`` archive.

    Raises:
        ValueError: if arrays are missing or contradict each other; the message says which.
        OSError: if the file can't be read.
    """
    try:
        with np.load(os.fspath(path), allow_pickle=False) as archive:
            arrays = {name: archive[name] for name in archive.files}
    except (AttributeError, EOFError, TypeError, zipfile.BadZipFile) as error:
        raise ValueError(f"{os.fspath(path)} is no archive of arrays: {error}") from None
    return _problem_of_arrays(arrays)
