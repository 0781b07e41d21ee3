"""Tests of the conversion of MSH files."""

import subprocess
import sys

import numpy as np
import pytest

pytest.importorskip("mj._core", exc_type=ImportError)

from mj import msh2obj

VERTICES = np.array(
    [[0, 0, 0], [1, 1 / 3, 0], [0, 1e-7, 0], [0, -2.5e6, 1]], np.float32
)
TEXCOORDS = np.array([[0, 0], [1, 0.3], [0, 1], [1, 1 / 3]], np.float32)
FACES = np.array([[0, 2, 1], [1, 2, 3]], np.int32)


def write(path, normals=VERTICES[:0], texcoords=TEXCOORDS[:0], faces=FACES, tail=b""):
    header = np.array([4, len(normals), len(texcoords), len(faces)], np.int32)
    arrays = (header, VERTICES, normals, texcoords, faces)
    path.write_bytes(b"".join(array.tobytes() for array in arrays) + tail)
    return path


def rows(text, keyword):
    return [
        line.split()[1:] for line in text.splitlines() if line.split()[0] == keyword
    ]


@pytest.mark.parametrize(
    "normals, texcoords, corner",
    [(0, 0, "{0}"), (4, 0, "{0}//{0}"), (0, 4, "{0}/{0}"), (4, 4, "{0}/{0}/{0}")],
)
def test_conversion(tmp_path, normals, texcoords, corner):
    path = write(tmp_path / "a.msh", VERTICES[:normals], TEXCOORDS[:texcoords])
    text = msh2obj.msh_to_obj(path)
    np.testing.assert_array_equal(np.array(rows(text, "v"), np.float32), VERTICES)
    assert len(rows(text, "vn")) == normals
    read = np.array(rows(text, "vt"), np.float64).reshape(-1, 2)
    read[:, 1] = 1 - read[:, 1]
    np.testing.assert_array_equal(read.astype(np.float32), TEXCOORDS[:texcoords])
    expected = [[corner.format(i + 1) for i in face] for face in FACES]
    assert rows(text, "f") == expected


def test_mesh_without_faces(tmp_path):
    path = write(tmp_path / "a.msh", faces=FACES[:0])
    assert rows(msh2obj.msh_to_obj(str(path)), "f") == []


def test_invalid_files(tmp_path):
    path = tmp_path / "a.msh"
    for kwargs in (
        {"tail": b"x"},
        {"normals": VERTICES[:2]},
        {"texcoords": TEXCOORDS[:1]},
        {"faces": FACES + 2},
        {"faces": FACES - 1},
    ):
        with pytest.raises(ValueError, match="a.msh"):
            msh2obj.msh_to_obj(write(path, **kwargs))
    path.write_bytes(b"abc")
    with pytest.raises(ValueError, match="too short"):
        msh2obj.msh_to_obj(path)
    with pytest.raises(FileNotFoundError):
        msh2obj.msh_to_obj(tmp_path / "missing.msh")


def test_command_line(tmp_path):
    path = write(tmp_path / "a.msh")
    output = tmp_path / "a.obj"
    command = [sys.executable, "-m", "mj.msh2obj", "-i", str(path), "-o", str(output)]
    subprocess.run(command, check=True)
    assert output.read_text() == msh2obj.msh_to_obj(path)
