"""The base class of all enumerations."""

import enum


class MjEnum(enum.IntEnum):
    """An integer enumeration that prints its members by name."""

    def __str__(self) -> str:
        return f"{type(self).__name__}.{self.name}"

    def __format__(self, format_spec: str) -> str:
        """Format the name, or the number where a format is given (``f"{x:d}"``)."""
        if format_spec:
            return int.__format__(self, format_spec)
        return str(self)
