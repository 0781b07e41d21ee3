"""Identification: parameters of a model from logged trajectories, with their uncertainty.

>>> from mj import identify
>>> log = identify.Log.from_csv(model, "log.csv")                                         # doctest: +SKIP
>>> fit = identify.fit(model, log, ["body_mass[arm]", "dof_damping[hinge]"])              # doctest: +SKIP
>>> print(fit)                                                                            # doctest: +SKIP
"""

from __future__ import annotations

import math
import os
import zipfile
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from . import _core
from ._structs import MjModel
from .control import _arguments as arguments

__all__ = ["Combination", "Estimate", "Fit", "Iteration", "Log", "fit"]


class Log:
    """Controls and measurements at regular times. What is left out, and NaN, was not measured."""

    def __init__(
        self, model: Any, *, time: Any = None, ctrl: Any = None, qpos: Any = None, qvel: Any = None, sensors: Any = None
    ):
        """Makes a log of arrays with a row a sample.

        Args:
            model: the model.
            time: (n,), s; without it samples are a time step apart.
            ctrl: controls from each sample to the next, (n, nu); zeros unless given.
            qpos: (n, nq).
            qvel: (n, nv).
            sensors: (n, nsensordata).

        Raises:
            ValueError: if shapes don't fit, or times are not regular multiples of the time step.
        """
        self._native = _core.Log(arguments.model(model), time, ctrl, qpos, qvel, sensors)

    @classmethod
    def _of(cls, native: Any) -> Log:
        log = cls.__new__(cls)
        log._native = native
        return log

    @classmethod
    def from_csv(cls, model: Any, path: str | os.PathLike) -> Log:
        """Reads a CSV file. Its first line names the columns: ``time``, ``ctrl[motor]``, ``qpos[hinge]``, ``qvel[hinge]``,
        ``sensor[name]``, with a number after a comma where the element has several. An empty field was not measured.

        Raises:
            ValueError: if a column names no element, or a field is no number; the message says which.
        """
        with open(os.fspath(path), encoding="utf-8-sig") as file:
            return cls._of(_core.Log._of_csv(arguments.model(model), file.read()))

    @classmethod
    def from_npz(cls, model: Any, path: str | os.PathLike) -> Log:
        """Reads an archive with arrays ``time``, ``ctrl``, ``qpos``, ``qvel``, ``sensordata``, those that there are."""
        try:
            with np.load(os.fspath(path), allow_pickle=False) as archive:
                names = {"time": "time", "ctrl": "ctrl", "qpos": "qpos", "qvel": "qvel", "sensordata": "sensors"}
                arrays = {to: archive[name] for name, to in names.items() if name in archive.files}
        except (AttributeError, EOFError, TypeError, zipfile.BadZipFile) as error:
            raise ValueError(f"{os.fspath(path)} is no archive of arrays: {error}") from None
        return cls(model, **arrays)

    def arrays(self) -> dict[str, np.ndarray]:
        """Returns copies of the arrays by name; numbers that were not measured are NaN."""
        return self._native._arrays()

    def __len__(self) -> int:
        return self._native._size()[0]

    def __repr__(self) -> str:
        samples, gap = self._native._size()
        return f"<Log of {samples} samples, {gap:.6g} s apart>"


class Estimate(NamedTuple):
    """Estimate of a parameter.

    ``std`` is its standard deviation, infinite where the log says nothing; ``start`` the value that the fit began with.
    """

    name: str
    start: float
    value: float
    std: float
    bounds: tuple[float, float]


class Combination(NamedTuple):
    """Direction in which parameters can change together, relative to their sizes, without a change that the log would show."""

    std: float
    parts: dict[str, float]


class Iteration(NamedTuple):
    """A Gauss-Newton step: half the sum of squares after it, and the greatest relative change of a parameter."""

    cost: float
    change: float


@dataclass(frozen=True)
class Fit:
    """Outcome of a fit.

    Attributes:
        estimates: by parameter, as it was named; of a row that was named without a number, each number.
        inertias: mass, centre of mass and inertia matrix of bodies whose ``body_logcholesky`` was to be found.
        correlation: correlation of the estimates, (n, n).
        combinations: directions that the log can't tell.
        iterations: Gauss-Newton steps.
        noise: estimated noise of each channel: positions, velocities, sensors; NaN where nothing was measured.
        model: model with the estimates.
        windows: first sample of each window.
        fits: whether each window counts; one that fits worse than the others doesn't.
    """

    estimates: dict[str, Estimate]
    inertias: dict[str, Estimate]
    correlation: np.ndarray
    combinations: list[Combination]
    iterations: list[Iteration]
    noise: np.ndarray
    model: MjModel
    windows: list[int]
    fits: list[bool]
    _page: str

    def report(self) -> str:
        """Returns the estimates and what the log can't tell, as text."""
        estimates = [*self.estimates.values(), *self.inertias.values()]
        lines = [f"{e.name}: {e.value:.6g} ± {e.std:.2g} (began at {e.start:.6g})" for e in estimates]
        for c in self.combinations:
            parts = " ".join(f"{x:+.2f} {name}" for name, x in c.parts.items())
            lines.append(f"not told by the log: {parts}")
        return "\n".join(lines)

    def to_html(self, path: str | os.PathLike) -> None:
        """Writes a page with estimates, correlations and plots, which needs nothing else."""
        with open(os.fspath(path), "w", encoding="utf-8") as file:
            file.write(self._page)

    def _repr_html_(self) -> str:
        return self._page

    def __str__(self) -> str:
        return self.report()

    def __repr__(self) -> str:
        return f"<Fit of {', '.join(self.estimates)} in {len(self.iterations)} steps>"


def _pairs(name: str, given: Mapping[str, Iterable[float]] | None) -> dict[str, list[float]]:
    out = {}
    for parameter, pair in (given or {}).items():
        numbers = [arguments.number(f"{name}[{parameter}]", x, infinite=True) for x in pair]
        if len(numbers) != 2:
            raise ValueError(f"`{name}` of `{parameter}` has {len(numbers)} numbers; expected 2")
        out[str(parameter)] = numbers
    return out


def fit(
    model: Any,
    log: Log,
    parameters: Iterable[str],
    window: int = 0,
    bounds: Mapping[str, tuple[float, float]] | None = None,
    priors: Mapping[str, tuple[float, float]] | None = None,
    *,
    start: Any = None,
    iterations: int = 50,
    tolerance: float = 1e-7,
    noise: float = 0.01,
    noise_rounds: int = 2,
    unknown: float = 1.0,
    threads: int = 0,
    progress: Callable[[Iteration], bool | None] | None = None,
) -> Fit:
    """Finds parameters for which the simulation matches a log, by Gauss-Newton with closed-form derivatives.

    Args:
        model: the model, with the values to begin with; it stays as it is.
        log: the log.
        parameters: parameters to be found, as ``"body_mass[arm]"`` or ``"dof_damping[hinge]"``; all numbers of a row where
            none is given, as ``"body_ipos[arm]"``; ``"body_logcholesky[arm]"`` for an inertia that a body can have.
        window: samples of a window, each with an initial state of its own; 0: the whole log.
        bounds: least and greatest value, by parameter. Masses, damping and their like are not negative.
        priors: mean and standard deviation of what is known beforehand, by parameter.
        start: data with the state at the first sample, for what the log doesn't measure of it.
        iterations: most steps for each estimate of the noise.
        tolerance: relative change of the parameters at which the fit ends.
        noise: first guess of the noise, relative to each channel's spread.
        noise_rounds: times that the noise is estimated from the residuals.
        unknown: relative standard deviation at which a direction counts as one that the log can't tell.
        threads: threads; 0 for as many as there are cores.
        progress: function of each iteration, which ends the fit by returning False.

    Raises:
        ValueError: if a text names no parameter, the log measures nothing, bounds leave no room, or the simulation diverges.
    """
    if not isinstance(log, Log):
        raise TypeError(f"`log` must be a Log, not {type(log).__name__}")
    if isinstance(parameters, str):
        raise TypeError(f"`parameters` must be a list of names, not one string: write [{parameters!r}]")
    names = [str(name) for name in parameters]
    counts = [
        arguments.count("window", window, 0, 1 << 31),
        arguments.count("iterations", iterations, 1, arguments.ITERATIONS),
        arguments.count("noise_rounds", noise_rounds, 0, 1000),
        arguments.count("threads", threads, 0, arguments.THREADS),
    ]
    reals = [arguments.number(n, x) for n, x in (("tolerance", tolerance), ("noise", noise))]
    reals.append(arguments.number("unknown", unknown, infinite=True))
    watch = None if progress is None else lambda row: progress(Iteration(*row))
    first = None if start is None else arguments.data(start)
    found = _core._fit(
        arguments.model(model), log._native, names, _pairs("bounds", bounds), _pairs("priors", priors), counts, reals, first, watch
    )
    names = found["names"]
    estimates, inertias = (
        [Estimate(name, s, x, math.inf if std != std else std, tuple(b)) for name, s, x, std, b in found[kind]]
        for kind in ("estimates", "inertias")
    )
    return Fit(
        estimates=dict(zip(names, estimates)),
        inertias={e.name: e for e in inertias},
        correlation=found["correlation"],
        combinations=[Combination(std, {names[i]: x for i, x in parts}) for std, parts in found["combinations"]],
        iterations=[Iteration(*row) for row in found["iterations"]],
        noise=found["noise"],
        model=MjModel(found["model"]),
        windows=found["windows"],
        fits=found["fits"],
        _page=found["page"],
    )
