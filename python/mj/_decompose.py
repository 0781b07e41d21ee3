"""Meshes as convex parts."""

from __future__ import annotations

import os
from typing import Any, NamedTuple

import numpy as np

from . import _core

__all__ = ["Surface", "decompose"]


class Surface(NamedTuple):
    """A triangulated surface.

    Attributes:
        vertices: corners, (n, 3), in the units of the file.
        faces: numbers of corners, (m, 3), counter-clockwise seen from outside.
    """

    vertices: np.ndarray
    faces: np.ndarray

    def volume(self) -> float:
        """Returns the volume that the surface encloses."""
        a, b, c = (self.vertices[self.faces[:, k]] for k in range(3))
        return float(np.einsum("ij,ij->", a, np.cross(b, c)) / 6)


def decompose(
    mesh: Any, *, concavity: float = 0.01, voxels: int = 64, most: int = 32
) -> list[Surface]:
    """Splits a mesh into convex parts, the largest first.

    A mesh collides as its convex hull: a cup is solid, a ring has no hole. Convex parts collide as they are. Add each
    to a spec by ``add_mesh(uservert=part.vertices.ravel(), userface=part.faces.ravel())`` and a geom of that mesh.

    Args:
        mesh: the path of an STL, OBJ or MSH file; or vertices (n, 3) and faces (m, 3), as a :class:`Surface`.
        concavity: how far parts may be from convex, as a fraction of the hull's volume, 0 to 1: less gives more parts.
        voxels: voxels along the longest side, 8 to 256: more follow the mesh more closely, and take longer.
        most: the largest number of parts, 1 to 1024.

    Returns:
        The parts, in the frame and units of the mesh.

    Raises:
        ValueError: if the mesh has no volume, or a setting is out of range.
        OSError: if the file can't be read.

    The method is V-HACD (Mamou and Ghorbel 2009).
    """
    if isinstance(mesh, (str, os.PathLike)):
        path = os.fspath(mesh)
        with open(path, "rb") as file:
            mesh = _core._read_mesh(os.path.basename(path), file.read())
    try:
        vertices, faces = mesh
    except (TypeError, ValueError):
        raise TypeError(f"`mesh` must be a path, or vertices and faces, not {type(mesh).__name__}") from None
    return [Surface(*part) for part in _core._decompose(vertices, faces, concavity, voxels, most)]
