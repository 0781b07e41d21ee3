"""One parameter to identify: its value, bounds, and how it changes a specification."""

from __future__ import annotations

import copy
from collections.abc import Callable
from enum import Enum
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from mj import MjSpec
from mj.sysid._src import _tables

ModifierFn: TypeAlias = Callable[[MjSpec, "Parameter"], object]


class InertiaType(Enum):
    """Which inertial quantities of a body a parameter holds."""

    Mass = 0
    MassIpos = 1
    Pseudo = 2


class Parameter:
    """A number or an array of numbers to identify, between bounds.

    Args:
        name: the key of the parameter in a :class:`ParameterDict`.
        nominal: the value to start from and to compare with.
        min_value: lower bound: a number, or an array of the shape of ``nominal``.
        max_value: upper bound, alike.
        frozen: whether the value is kept: it is then neither optimized nor applied.
        modifier: writes the value to a specification; called with it and this parameter.

    Raises:
        ValueError: if a bound has another shape, or a lower bound is above the upper one.
    """

    # Set by `body_inertia_param` only.
    inertia_type: InertiaType
    scale_rot_inertia: bool

    def __init__(
        self,
        name: str,
        nominal: ArrayLike,
        min_value: ArrayLike,
        max_value: ArrayLike,
        frozen: bool = False,
        modifier: ModifierFn | None = None,
    ):
        self.name = name
        self.nominal = np.atleast_1d(np.array(nominal, dtype=np.float64))
        self.min_value = self._bound("min_value", min_value)
        self.max_value = self._bound("max_value", max_value)
        if np.any(self.min_value > self.max_value):
            raise ValueError(
                f"parameter `{name}`: min_value {self.min_value} is above max_value {self.max_value}"
            )
        self.value = self.nominal.copy()
        self.frozen = frozen
        self.modifier = modifier

    def _bound(self, which: str, value: ArrayLike) -> np.ndarray:
        bound = np.atleast_1d(np.asarray(value, dtype=np.float64))
        if bound.size != 1 and bound.shape != self.shape:
            raise ValueError(
                f"parameter `{self.name}`: {which} has shape {bound.shape}; expected {self.shape} as `nominal`, or a number"
            )
        return bound.copy() if bound.shape == self.shape else np.full(self.shape, bound.item())

    @property
    def size(self) -> int:
        """Number of elements."""
        return self.nominal.size

    @property
    def shape(self) -> tuple[int, ...]:
        """Shape of the value; (1,) for a number."""
        return self.nominal.shape

    def element_names(self, name: str | None = None) -> list[str]:
        """Return the name of each element: that of the parameter, or another, with an index if there are several."""
        name = self.name if name is None else name
        if self.size == 1:
            return [name]
        return [f"{name}[{','.join(map(str, index))}]" for index in np.ndindex(self.shape)]

    def apply_modifier(self, spec: MjSpec) -> None:
        """Write the value to a specification, if there is a modifier."""
        if self.modifier is not None:
            self.modifier(spec, self)

    def as_vector(self) -> np.ndarray:
        """Return a flat copy of the value."""
        return self.value.flatten()

    def as_nominal_vector(self) -> np.ndarray:
        """Return a flat copy of the nominal value."""
        return self.nominal.flatten()

    def update_from_vector(self, vector: np.ndarray) -> None:
        """Set the value from a flat array.

        Raises:
            ValueError: if the array has another size.
        """
        flat = np.atleast_1d(vector)
        if flat.size != self.size:
            raise ValueError(f"parameter `{self.name}` has {self.size} elements; got {flat.size}")
        self.value = np.array(flat, dtype=np.float64).reshape(self.shape)

    def get_bounds(self) -> tuple[np.ndarray, np.ndarray]:
        """Return flat copies of the lower and of the upper bound."""
        return self.min_value.flatten(), self.max_value.flatten()

    def reset(self) -> None:
        """Set the value to the nominal one."""
        self.value = self.nominal.copy()

    def sample(self, rng: np.random.Generator | None = None) -> np.ndarray:
        """Return a flat random value, uniform between the bounds; the parameter keeps its own."""
        return (rng or np.random.default_rng()).uniform(*self.get_bounds())

    def move_off_bound(self, fraction: float = 0.05, at_bound_tol: float = 1e-3) -> None:
        """Move elements away from bounds that they lie at.

        Args:
            fraction: where elements go, as a fraction of the range from the bound.
            at_bound_tol: distance from a bound, as a fraction of the range, up to which an element is moved.
        """
        lower, upper = self.get_bounds()
        extent, value = upper - lower, self.as_vector()
        near = at_bound_tol * np.where(extent > 0, extent, 1.0)
        at_lower, at_upper = value - lower <= near, upper - value <= near
        moved = np.where(at_lower, lower + fraction * extent, value)
        self.update_from_vector(np.where(at_upper, upper - fraction * extent, moved))

    def __repr__(self) -> str:
        return _tables.parameter_line(self)

    def __getstate__(self) -> dict[str, Any]:
        # Plain data: modifiers are functions, which files don't hold.
        arrays = {key: getattr(self, key).tolist() for key in ("nominal", "min_value", "max_value", "value")}
        return {"name": self.name, **arrays, "frozen": self.frozen}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__init__(  # type: ignore[misc]
            state["name"], state["nominal"], state["min_value"], state["max_value"], state["frozen"]
        )
        self.value = np.array(state["value"], dtype=np.float64)

    def __deepcopy__(self, memo: dict[int, Any]) -> Parameter:
        result = type(self).__new__(type(self))
        memo[id(self)] = result
        for key, value in vars(self).items():
            setattr(result, key, value if key == "modifier" else copy.deepcopy(value, memo))
        return result
