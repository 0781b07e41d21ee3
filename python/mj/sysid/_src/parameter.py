"""Parameters to identify, by name, and their elements as one vector."""

from __future__ import annotations

import copy
import os
from collections.abc import Iterator

import numpy as np

from mj.sysid._src import _tables
from mj.sysid._src._optional import require
from mj.sysid._src._parameter import InertiaType, ModifierFn, Parameter

__all__ = ["InertiaType", "ModifierFn", "Parameter", "ParameterDict"]


class ParameterDict:
    """Parameters by name, in order, and their elements as one vector.

    Vectors and bounds hold the parameters that are not frozen.

    Args:
        parameters: the parameters by name.
    """

    def __init__(self, parameters: dict[str, Parameter] | None = None):
        self.parameters = {} if parameters is None else parameters

    def __getitem__(self, key: str) -> Parameter:
        return self.parameters[key]

    def __setitem__(self, key: str, value: Parameter) -> None:
        self.parameters[key] = value

    def __contains__(self, key: object) -> bool:
        return key in self.parameters

    def __iter__(self) -> Iterator[str]:
        return iter(self.parameters)

    def __len__(self) -> int:
        return len(self.parameters)

    def copy(self) -> ParameterDict:
        """Return a deep copy; modifiers are shared."""
        return copy.deepcopy(self)

    def add(self, param: Parameter) -> None:
        """Add a parameter under its name, in place of one that has it already."""
        self.parameters[param.name] = param

    def update(self, pdict: ParameterDict) -> None:
        """Add the parameters of another dictionary.

        Raises:
            ValueError: if a name is there already; nothing is added then.
        """
        taken = [key for key in pdict.keys() if key in self.parameters]
        if taken:
            raise ValueError(f"parameters {taken} are in the dictionary already")
        self.parameters.update(pdict.parameters)

    def keys(self) -> list[str]:
        """Return the names."""
        return list(self.parameters)

    def values(self) -> list[Parameter]:
        """Return the parameters."""
        return list(self.parameters.values())

    def items(self) -> list[tuple[str, Parameter]]:
        """Return pairs of name and parameter."""
        return list(self.parameters.items())

    def _free(self, include_frozen: bool = False) -> list[Parameter]:
        return [p for p in self.parameters.values() if include_frozen or not p.frozen]

    @property
    def size(self) -> int:
        """Number of elements that are not frozen."""
        return sum(p.size for p in self._free())

    def as_vector(self, include_frozen: bool = False) -> np.ndarray:
        """Return the values as one vector."""
        return _joined([p.as_vector() for p in self._free(include_frozen)])

    def as_nominal_vector(self, include_frozen: bool = False) -> np.ndarray:
        """Return the nominal values as one vector."""
        return _joined([p.as_nominal_vector() for p in self._free(include_frozen)])

    def update_from_vector(self, vector: np.ndarray) -> None:
        """Set the values from one vector.

        Raises:
            ValueError: if the vector has another size.
        """
        flat = np.ravel(vector)
        if flat.size != self.size:
            raise ValueError(f"the parameters have {self.size} elements that are not frozen; got {flat.size}")
        start = 0
        for param in self._free():
            param.update_from_vector(flat[start : start + param.size])
            start += param.size

    def move_off_bounds(self, fraction: float = 0.05, at_bound_tol: float = 1e-3) -> ParameterDict:
        """Call :meth:`Parameter.move_off_bound` of all parameters that are not frozen, and return this dictionary."""
        for param in self._free():
            param.move_off_bound(fraction, at_bound_tol)
        return self

    def get_bounds(self) -> tuple[np.ndarray, np.ndarray]:
        """Return the lower and the upper bounds, each as one vector."""
        bounds = [p.get_bounds() for p in self._free()]
        return _joined([lower for lower, _ in bounds]), _joined([upper for _, upper in bounds])

    def reset(self) -> None:
        """Set all values to the nominal ones, those of frozen parameters too."""
        for param in self.parameters.values():
            param.reset()

    def sample(self, rng: np.random.Generator | None = None) -> np.ndarray:
        """Return a random vector, uniform between the bounds; the parameters keep their values."""
        return (rng or np.random.default_rng()).uniform(*self.get_bounds())

    def randomize(self, rng: np.random.Generator | None = None) -> None:
        """Set the values at random, uniform between the bounds."""
        rng = rng or np.random.default_rng()
        for param in self._free():
            param.update_from_vector(param.sample(rng))

    def save_to_disk(self, path: str | os.PathLike[str]) -> None:
        """Write the parameters, without modifiers, to a YAML file."""
        yaml = require("yaml", "pyyaml")
        with open(path, "w", encoding="utf-8") as file:
            states = {name: p.__getstate__() for name, p in self.items()}
            yaml.safe_dump(states, file, default_flow_style=False, sort_keys=False)

    @classmethod
    def load_from_disk(cls, path: str | os.PathLike[str]) -> ParameterDict:
        """Read the parameters of a file that ``save_to_disk`` wrote; they have no modifiers."""
        yaml = require("yaml", "pyyaml")
        with open(path, encoding="utf-8") as file:
            states = yaml.safe_load(file) or {}
        parameters = {}
        for name, state in states.items():
            parameters[name] = Parameter.__new__(Parameter)
            parameters[name].__setstate__(state)
        return cls(parameters)

    def get_non_frozen_parameter_names(self) -> list[str]:
        """Return the name of each element of ``as_vector``."""
        return [name for key, p in self.items() if not p.frozen for name in p.element_names(key)]

    def compare_parameters(
        self,
        init_params: np.ndarray,
        predicted_params: np.ndarray,
        measured_params: np.ndarray | None = None,
        sig_digits: int = 4,
    ) -> str:
        """Return a table of values before and after an identification.

        Args:
            init_params: vector before.
            predicted_params: vector after.
            measured_params: true or nominal vector, if it is known.
            sig_digits: digits after the point.

        Raises:
            ValueError: if a vector has another size than ``as_vector``.
        """
        return _tables.comparison(self, init_params, predicted_params, measured_params, sig_digits)

    def get_parameter_info(self) -> str:
        """Return a table of sizes, shapes, and whether parameters are frozen."""
        return _tables.overview(self)

    def __repr__(self) -> str:
        return _tables.all_values(self)


def _joined(vectors: list[np.ndarray]) -> np.ndarray:
    return np.concatenate(vectors) if vectors else np.array([])
