"""Arrays in forms of version 3, for programs that were written for it."""

from __future__ import annotations

from typing import Any

import numpy as np

# Numbers of an equality constraint before version 4, which has one more.
_NEQDATA = 11


class InertiaByAncestors(np.ndarray):
    """Entries of a joint-space inertia: each dof with its ancestors, itself first. ``mj_fullM`` tells them from ``M``."""

    by_ancestors = True


class EqualityData(np.ndarray):
    """Numbers of equality constraints, to which rows of 11 may be assigned: the twelfth number then stays."""

    def __setitem__(self, key: Any, value: Any) -> None:
        plain, width = self.view(np.ndarray), np.shape(value)[-1:]
        rows = self.ndim == 2 and not isinstance(key, tuple)
        row = self.ndim == 1 and key in (Ellipsis, slice(None))
        if width != (_NEQDATA,) or self.shape[-1] == _NEQDATA or not (rows or row):
            plain[key] = value
        elif rows:
            plain[key, :_NEQDATA] = value
        else:
            plain[:_NEQDATA] = value
