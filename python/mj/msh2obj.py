"""Convert meshes from MuJoCo's old MSH format to Wavefront OBJ.

    python -m mj.msh2obj -i MESH.msh -o MESH.obj

An MSH file holds, in little-endian binary: four 32-bit integers, the numbers of
positions, normals, texture coordinates and faces; then the positions (3 floats
each), normals (3), texture coordinates (2), and the faces (3 integers each, from
0). Normals and texture coordinates belong to the positions in order, and there
are as many of them as positions, or none.
"""

import argparse
import dataclasses
import os
import pathlib

import numpy as np


@dataclasses.dataclass(frozen=True)
class Msh:
    """The content of an MSH file.

    Attributes:
        vertex_positions: positions of vertices (nvertex x 3).
        vertex_normals: normals of vertices (nvertex or 0 x 3).
        vertex_texcoords: texture coordinates of vertices (nvertex or 0 x 2).
        face_vertex_indices: the vertices of each triangle, from 0 (nface x 3).
    """

    vertex_positions: np.ndarray
    vertex_normals: np.ndarray
    vertex_texcoords: np.ndarray
    face_vertex_indices: np.ndarray

    @classmethod
    def create(cls, file: str | os.PathLike[str]) -> "Msh":
        """Read a file; ``ValueError`` if it is no MSH file."""
        data = pathlib.Path(file).read_bytes()
        if len(data) < 16:
            raise ValueError(f"{file}: too short for an MSH file ({len(data)} bytes).")
        nvertex, nnormal, ntexcoord, nface = np.frombuffer(data, "<i4", 4).tolist()
        expected = 16 + 12 * (nvertex + nnormal + nface) + 8 * ntexcoord
        if min(nvertex, nnormal, ntexcoord, nface) < 0 or len(data) != expected:
            raise ValueError(
                f"{file}: not an MSH file: its header means {expected} bytes, but it"
                f" has {len(data)}."
            )
        if nnormal not in (0, nvertex) or ntexcoord not in (0, nvertex):
            raise ValueError(
                f"{file}: {nvertex} positions, but {nnormal} normals and {ntexcoord}"
                " texture coordinates; each must be the same number or 0."
            )
        arrays = []
        offset = 16
        for rows, columns, kind in (
            (nvertex, 3, "<f4"),
            (nnormal, 3, "<f4"),
            (ntexcoord, 2, "<f4"),
            (nface, 3, "<i4"),
        ):
            values = np.frombuffer(data, kind, rows * columns, offset)
            arrays.append(values.reshape(rows, columns))
            offset += values.nbytes
        faces = arrays[-1]
        if faces.size and not (0 <= faces.min() and faces.max() < nvertex):
            raise ValueError(f"{file}: a face names a vertex that is not there.")
        return cls(*arrays)


def msh_to_obj(msh_file: str | os.PathLike[str]) -> str:
    """Return the text of an OBJ file with the mesh of an MSH file.

    Args:
        msh_file: path of the MSH file.
    """
    msh = Msh.create(msh_file)
    has_normals = len(msh.vertex_normals) > 0
    has_texcoords = len(msh.vertex_texcoords) > 0
    lines: list[str] = []

    def write(keyword: str, rows: np.ndarray) -> None:
        # str() of a 32-bit float gives the fewest digits that give it back.
        lines.extend(f"{keyword} {' '.join(map(str, row))}" for row in rows)

    write("v", msh.vertex_positions)
    write("vn", msh.vertex_normals)
    # OBJ counts the second texture coordinate from the other end.
    texcoords = msh.vertex_texcoords.astype(np.float64)
    texcoords[:, 1] = 1.0 - texcoords[:, 1]
    write("vt", texcoords)
    for face in (msh.face_vertex_indices + 1).tolist():
        if has_texcoords and has_normals:
            corners = (f"{i}/{i}/{i}" for i in face)
        elif has_texcoords:
            corners = (f"{i}/{i}" for i in face)
        elif has_normals:
            corners = (f"{i}//{i}" for i in face)
        else:
            corners = (f"{i}" for i in face)
        lines.append(f"f {' '.join(corners)}")
    return "\n".join(lines) + "\n"


def main(arguments: list[str] | None = None) -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m mj.msh2obj",
        description="Convert a mesh from the old MSH format to OBJ.",
    )
    parser.add_argument(
        "-i", "--input", required=True, metavar="MSH", help="file to read"
    )
    parser.add_argument(
        "-o", "--output", required=True, metavar="OBJ", help="file to write"
    )
    options = parser.parse_args(arguments)
    pathlib.Path(options.output).write_text(msh_to_obj(options.input))


if __name__ == "__main__":
    main()
