"""Small structs: options, statistics, contacts, counters, settings. Each is a set of named arrays and numbers."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from typing import Any, ClassVar

import numpy as np

from ._live import refuse

# Name of each field, with the type of its numbers and its shape; () is a single number.
Fields = dict[str, tuple[str, tuple[int, ...]]]


class _Field:
    """A field of a record: a number, or an array that stays."""


    def __init__(self, name: str, dtype: str, shape: tuple[int, ...]):
        self.name = name
        self.integer = dtype == "i4"
        self.scalar = shape == ()
        self.__doc__ = "A number." if self.scalar else f"An array of shape {shape}."

    def __get__(self, record: Any, kind: type | None = None) -> Any:
        if record is None:
            return self
        array = record._array(self.name)
        return array.item() if self.scalar else array

    def __set__(self, record: Any, value: Any) -> None:
        if self.integer and self.scalar:
            try:
                value = operator.index(value)
            except TypeError:
                raise TypeError(f"`{self.name}` is an integer, not {value!r}") from None
        try:
            record._array(self.name)[...] = value
        except (TypeError, ValueError, OverflowError) as error:
            raise type(error)(f"`{self.name}` of {type(record).__name__}: {error}") from None


class Record:
    """A struct of named numbers and arrays, alone or as a part of a model or data."""

    FIELDS: ClassVar[Fields] = {}
    DEFAULTS: ClassVar[dict[str, Any]] = {}

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        for name, (dtype, shape) in cls.__dict__.get("FIELDS", {}).items():
            if name not in cls.__dict__:
                setattr(cls, name, _Field(name, dtype, shape))

    def __init__(self) -> None:
        object.__setattr__(self, "_arrays", {})
        object.__setattr__(self, "_take", None)
        for name, (dtype, shape) in self.FIELDS.items():
            self._arrays[name] = np.full(shape, self.DEFAULTS.get(name, 0), dtype)  # type: ignore[call-overload]

    @classmethod
    def _of(cls, take: Callable[[str], np.ndarray]) -> Any:
        """Makes a record of which `take` gives the arrays, when they are needed."""
        record = cls.__new__(cls)
        object.__setattr__(record, "_arrays", {})
        object.__setattr__(record, "_take", take)
        return record

    def _array(self, name: str) -> np.ndarray:
        array = self._arrays.get(name)
        if array is None:
            array = self._arrays[name] = self._take(name)
        return array

    def __setattr__(self, name: str, value: Any) -> None:
        if not hasattr(type(self), name):
            if type(self).__module__.partition(".")[0] == __name__.partition(".")[0]:
                raise refuse(self, name)
        object.__setattr__(self, name, value)

    def _assign(self, other: Record) -> None:
        """Copies all numbers of another record."""
        for name in self.FIELDS:
            self._array(name)[...] = other._array(name)

    def __copy__(self) -> Any:
        copy = type(self).__new__(type(self))
        Record.__init__(copy)
        copy._assign(self)
        return copy

    def __deepcopy__(self, memo: dict) -> Any:
        return self.__copy__()

    def __getstate__(self) -> dict[str, np.ndarray]:
        return {name: np.array(self._array(name)) for name in self.FIELDS}

    def __setstate__(self, state: dict[str, np.ndarray]) -> None:
        Record.__init__(self)
        for name in self.FIELDS.keys() & state.keys():
            self._array(name)[...] = state[name]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Record) or other.FIELDS is not self.FIELDS:
            return NotImplemented
        return all(np.array_equal(self._array(n), other._array(n)) for n in self.FIELDS)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        lines = (f"  {name}: {getattr(self, name)!r}\n" for name in sorted(self.FIELDS))
        return f"<{type(self).__name__}\n{''.join(lines)}>"


def fields(dtype: str, names: str, shape: tuple[int, ...] = ()) -> Fields:
    """Makes fields of one type and shape."""
    return {name: (dtype, shape) for name in names.split()}


class MjOption(Record):
    """Options of the physics."""

    FIELDS = {
        **fields("f8", "timestep impratio tolerance ls_tolerance noslip_tolerance ccd_tolerance sleep_tolerance"),
        **fields("f8", "gravity wind magnetic", (3,)),
        **fields("f8", "density viscosity o_margin"),
        **fields("f8", "o_solref", (2,)),
        **fields("f8", "o_solimp o_friction", (5,)),
        **fields("i4", "integrator cone jacobian solver iterations ls_iterations noslip_iterations ccd_iterations"),
        **fields("i4", "disableflags enableflags disableactuator sdf_initpoints sdf_iterations"),
    }

    def __init__(self) -> None:
        super().__init__()
        from . import _core

        defaults = _core._empty_model()
        for name in self.FIELDS:
            self._array(name)[...] = defaults._take(f"opt.{name}")


class MjStatistic(Record):
    """Sizes and masses of a model, as rendering and solvers use them."""

    FIELDS = {**fields("f8", "meaninertia meanmass meansize extent"), **fields("f8", "center", (3,))}


class MjWarningStat(Record):
    """How often a warning was raised, and what about last."""

    FIELDS = fields("i4", "lastinfo number")


class MjTimerStat(Record):
    """Time spent, and number of calls."""

    FIELDS = {**fields("f8", "duration"), **fields("i4", "number")}


class MjSolverStat(Record):
    """Statistics of one iteration of the solver."""

    FIELDS = {**fields("f8", "improvement gradient lineslope"), **fields("i4", "nactive nchange neval nupdate")}


class MjLROpt(Record):
    """Settings for finding the ranges of lengths of actuators."""

    FIELDS = {
        **fields("i4", "mode useexisting uselimit"),
        **fields("f8", "accel maxforce timeconst timestep inttotal interval tolrange"),
    }


class MjContact(Record):
    """A contact between two geoms."""

    FIELDS = {
        **fields("f8", "dist"),
        **fields("f8", "pos", (3,)),
        **fields("f8", "frame", (9,)),
        **fields("f8", "includemargin"),
        **fields("f8", "friction", (5,)),
        **fields("f8", "solref solreffriction", (2,)),
        **fields("f8", "solimp", (5,)),
        **fields("f8", "adhesion"),
        **fields("f8", "surfacevel", (3,)),
        **fields("f8", "mu"),
        **fields("f8", "H", (36,)),
        **fields("i4", "dim"),
        **fields("i4", "geom flex elem vert", (2,)),
        **fields("i4", "exclude efc_address"),
    }

    @property
    def geom1(self) -> int:
        """The first geom."""
        return int(self._array("geom")[0])

    @geom1.setter
    def geom1(self, value: int) -> None:
        self._array("geom")[0] = operator.index(value)

    @property
    def geom2(self) -> int:
        """The second geom."""
        return int(self._array("geom")[1])

    @geom2.setter
    def geom2(self, value: int) -> None:
        self._array("geom")[1] = operator.index(value)


class RecordList:
    """Records side by side: each has its number, and each field is an array with a row for each record."""

    def __init__(self, kind: type[Record], columns: Callable[[], dict[str, np.ndarray]]):
        """Makes a list whose `columns` are asked for at each access."""
        object.__setattr__(self, "_kind", kind)
        object.__setattr__(self, "_columns", columns)
        object.__setattr__(self, "_items", ({}, {}))

    def __len__(self) -> int:
        return len(next(iter(self._columns().values())))

    def _item(self, i: int) -> Record:
        columns = self._columns()
        of, items = self._items
        if of is not columns:
            items = {}
            object.__setattr__(self, "_items", (columns, items))
        item = items.get(i)
        if item is None:
            item = items[i] = self._kind._of(lambda name: columns[name][i : i + 1].reshape(columns[name].shape[1:]))
        return item

    def __getitem__(self, i: Any) -> Any:
        n = len(self)
        if isinstance(i, slice):
            part = {name: column[i] for name, column in self._columns().items()}
            return RecordList(self._kind, lambda: part)
        k = operator.index(i)
        if not -n <= k < n:
            raise IndexError(f"there is no number {k}: there are {n}")
        return self._item(k % n)

    def __setitem__(self, i: Any, value: Record) -> None:
        self[i]._assign(value)

    def __iter__(self) -> Iterator[Any]:
        return (self._item(i) for i in range(len(self)))

    def __getattr__(self, name: str) -> np.ndarray:
        if name.startswith("_"):
            # Looked for on copies in the making too.
            raise AttributeError(f"a list of records has no attribute {name!r}")
        columns = self._columns()
        if name in columns:
            return columns[name]
        if name in ("geom1", "geom2") and "geom" in columns:
            return columns["geom"][:, int(name[-1]) - 1]
        raise AttributeError(f"a list of {self._kind.__name__} has no field {name!r}")

    def __setattr__(self, name: str, value: Any) -> None:
        getattr(self, name)[...] = value

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self._kind.FIELDS]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, RecordList) or other._kind is not self._kind:
            return NotImplemented
        mine, theirs = self._columns(), other._columns()
        return all(np.array_equal(mine[n], theirs[n]) for n in self._kind.FIELDS)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"<list of {len(self)} {self._kind.__name__}>"


class Growing(RecordList):
    """Records in columns of their own, which grow when they are filled."""

    def __init__(self, kind: type[Record], room: int):
        """Makes so many records, all with default values."""
        columns = {name: _column(kind, name, room) for name in kind.FIELDS}
        super().__init__(kind, lambda: self.__dict__["_held"])
        object.__setattr__(self, "_held", columns)

    def first(self, n: int) -> dict[str, np.ndarray]:
        """Returns the columns of the first records."""
        return {name: column[:n] for name, column in self._held.items()}

    def fill(self, columns: dict[str, Any]) -> int:
        """Writes columns to the first records, after making room for them, and returns how many they are."""
        n = len(next(iter(columns.values())))
        room = len(self)
        if n > room:
            more = {name: _column(self._kind, name, n + n // 4 - room) for name in self._held}
            object.__setattr__(self, "_held", {k: np.concatenate([v, more[k]]) for k, v in self._held.items()})
        for name, column in self._held.items():
            if name in columns:
                column[:n] = np.reshape(columns[name], column[:n].shape)
            elif column.dtype == object:
                column[:n] = self._kind.DEFAULTS.get(name, "")
        return n


def _column(kind: type[Record], name: str, rows: int) -> np.ndarray:
    dtype, shape = kind.FIELDS[name]
    return np.full((rows, *shape), kind.DEFAULTS.get(name, 0), dtype)  # type: ignore[call-overload]
