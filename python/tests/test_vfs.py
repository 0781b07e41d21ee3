"""Tests of files in memory."""

import copy
import pickle
import weakref

import pytest

pytest.importorskip("mj._core", exc_type=ImportError)

from mj.vfs import MjVfs


def test_add_contains_delete():
    vfs = MjVfs()
    vfs["model.xml"] = b"<mujoco/>"
    vfs["meshes/box.obj"] = bytearray(b"v")
    vfs["empty"] = b""
    assert "model.xml" in vfs and "box.obj" not in vfs and "MODEL.XML" not in vfs
    assert vfs.files() == {
        "model.xml": b"<mujoco/>",
        "meshes/box.obj": b"v",
        "empty": b"",
    }
    assert all(type(data) is bytes for data in vfs.files().values())
    del vfs["empty"]
    assert "empty" not in vfs
    with pytest.raises(KeyError):
        del vfs["empty"]


def test_a_file_is_not_replaced():
    vfs = MjVfs()
    vfs["a/b"] = b"1"
    for name in ("a/b", "./a/b", "a//b", "c/../a/b"):
        assert name in vfs
        with pytest.raises(ValueError, match="there already"):
            vfs[name] = b"2"
    del vfs["a/b"]
    vfs["a/b"] = b"2"


def test_changes_of_the_returned_files_have_no_effect():
    vfs = MjVfs()
    vfs.files()["a"] = b""
    assert "a" not in vfs


def test_closed():
    with MjVfs() as vfs:
        vfs["a"] = b""
    vfs.close()
    for use in (
        lambda: vfs.__setitem__("b", b""),
        lambda: vfs.__delitem__("a"),
        lambda: "a" in vfs,
        vfs.files,
    ):
        with pytest.raises(RuntimeError, match="VFS is closed"):
            use()
    assert repr(vfs) == "<MjVfs, closed>"


def test_wrong_types():
    vfs = MjVfs()
    with pytest.raises(TypeError, match="encode"):
        vfs["a"] = "text"
    for use in (
        lambda: vfs.__setitem__(3, b""),
        lambda: vfs.__delitem__(3),
        lambda: 3 in vfs,
    ):
        with pytest.raises(TypeError, match="must be a str"):
            use()


def test_references_and_copies():
    vfs = MjVfs()
    vfs["a"] = b"1"
    assert weakref.ref(vfs)() is vfs
    for other in (copy.deepcopy(vfs), pickle.loads(pickle.dumps(vfs))):
        other["b"] = b"2"
        assert other.files() == {"a": b"1", "b": b"2"} and "b" not in vfs
