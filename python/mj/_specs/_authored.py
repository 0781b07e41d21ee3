"""Which settings the text of a model gave."""

from __future__ import annotations

from typing import Any

from .. import _enums
from .._records import MjOption
from .._visual import MjVisual

_PARTS = ("global", "quality", "headlight", "map", "scale", "rgba")


class MjsAuthored:
    """Which options, flags and options of rendering were given, as bits."""

    __module__ = "mj"
    __slots__ = (
        "__weakref__", "disableactuator", "disableflags", "enableflags", "option",
        *(f"visual_{part}" for part in _PARTS),
    )  # fmt: skip

    def __init__(self) -> None:
        for name in self.__slots__[1:]:
            setattr(self, name, 0)

    def _read(self, options: list[str], visual: list[tuple[str, str, list[float]]]) -> None:
        """Notes what a text gave, by the names of attributes."""
        for name in options:
            for kind, enum, prefix in (
                ("disableflags", _enums.mjtDisableBit, "mjDSBL_"),
                ("enableflags", _enums.mjtEnableBit, "mjENBL_"),
            ):
                bit = getattr(enum, prefix + name.upper(), None)
                if bit is not None:
                    setattr(self, kind, getattr(self, kind) | int(bit))
            if name in MjOption.FIELDS:
                self.option |= 1 << list(MjOption.FIELDS).index(name)
            if name == "actuatorgroupdisable":
                self.disableactuator = -1
        for element, name, _ in visual:
            part = "visual_" + element
            fields = list(getattr(MjVisual(), "global_" if element == "global" else element).FIELDS)
            if hasattr(self, part) and name in fields:
                setattr(self, part, getattr(self, part) | 1 << fields.index(name))

    def _assign(self, other: Any) -> None:
        for name in self.__slots__[1:]:
            setattr(self, name, getattr(other, name))
