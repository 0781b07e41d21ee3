"""Lists in fields of elements: of numbers, of texts, of characters."""

from __future__ import annotations

import operator
from collections.abc import Iterator
from typing import Any

import numpy as np


def _row(index: Any, count: int) -> int:
    """Checks an index; negative ones are none."""
    row = operator.index(index)
    if not 0 <= row < count:
        raise IndexError("Index out of range.")
    return row


class _Numbers:
    """A list of numbers of one type; assigning to the field may change its length."""

    __slots__ = ("__weakref__", "_numbers")
    DTYPE = np.float64

    def __init__(self, numbers: Any):
        self._assign(numbers)

    def _assign(self, numbers: Any) -> None:
        self._numbers = np.array(numbers, self.DTYPE).reshape(-1)

    def __len__(self) -> int:
        return len(self._numbers)

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return self._numbers[index]
        return self._numbers[_row(index, len(self))].item()

    def __setitem__(self, index: Any, value: Any) -> None:
        if isinstance(index, slice):
            self._numbers[index] = value
        else:
            self._numbers[_row(index, len(self))] = value

    def __iter__(self) -> Iterator[Any]:
        return iter(self._numbers.tolist())

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        return np.array(self._numbers, dtype or self._numbers.dtype)

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and np.array_equal(self._numbers, other._numbers)

    __hash__ = object.__hash__

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._numbers.tolist()})"


class MjDoubleVec(_Numbers):
    """A list of doubles."""

    __slots__ = ()


class MjFloatVec(_Numbers):
    """A list of floats."""

    __slots__ = ()
    DTYPE = np.float32


class MjIntVec(_Numbers):
    """A list of integers."""

    __slots__ = ()
    DTYPE = np.int32


class MjByteVec(_Numbers):
    """A list of bytes."""

    __slots__ = ()
    DTYPE = np.uint8


class MjStringVec:
    """A list of texts, whose length stays unless the field is assigned to."""

    __slots__ = ("__weakref__", "_items")

    def __init__(self, items: Any):
        self._assign(items)

    def _assign(self, items: Any) -> None:
        self._items = list(items)

    def _check(self, value: Any) -> str:
        if not isinstance(value, str):
            raise TypeError(f"an item must be a string, not {type(value).__name__}")
        return value

    def __len__(self) -> int:
        return len(self._items)

    def __getitem__(self, index: Any) -> Any:
        return self._items[index] if isinstance(index, slice) else self._items[_row(index, len(self))]

    def __setitem__(self, index: Any, value: str) -> None:
        self._items[_row(index, len(self))] = self._check(value)

    def __iter__(self) -> Iterator[str]:
        return iter(list(self._items))

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and self._items == other._items

    __hash__ = object.__hash__

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._items})"


class MjCharVec(MjStringVec):
    """A list of characters of fixed length, zeros where there are none."""

    __slots__ = ("_count",)

    def __init__(self, items: Any, count: int):
        self._count = count
        super().__init__(items)

    def _assign(self, items: Any) -> None:
        self._items = list(items)[: self._count]
        self._items += ["\0"] * (self._count - len(self._items))

    def _check(self, value: Any) -> str:
        if len(super()._check(value)) != 1:
            raise ValueError(f"an item must be a single character, not {value!r}")
        return value
