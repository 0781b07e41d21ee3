"""Tests of the enumerations and constants."""

import copy
import pickle

import numpy as np
import pytest

pytest.importorskip("mj._core", exc_type=ImportError)

import mj
from mj import _constants, _enums


def every_enum():
    return [getattr(_enums, name) for name in _enums.__all__]


def test_all_are_exported_by_the_package():
    for name in _enums.__all__:
        assert getattr(mj, name) is getattr(_enums, name)
    for name in _constants.__all__:
        assert getattr(mj, name) is getattr(_constants, name)


def test_count_of_enums_and_members():
    assert len(_enums.__all__) == 83
    assert sum(len(e.__members__) for e in every_enum()) == 600


@pytest.mark.parametrize("scalar", [int, np.int32, np.int64, np.uint8, np.int16])
def test_comparison_with_integers(scalar):
    hinge = mj.mjtJoint.mjJNT_HINGE
    assert hinge == scalar(3) and scalar(3) == hinge
    assert hinge != scalar(2) and scalar(2) != hinge
    assert scalar(3) in (hinge,) and hinge in (scalar(3),)
    assert scalar(3) in {hinge: None}
    assert mj.mjtJoint(scalar(3)) is hinge


def test_comparison_with_arrays():
    types = np.array([0, 3, 3], dtype=np.int32)
    expected = [False, True, True]
    assert (types == mj.mjtJoint.mjJNT_HINGE).tolist() == expected
    assert (mj.mjtJoint.mjJNT_HINGE == types).tolist() == expected
    assert np.array([mj.mjtJoint.mjJNT_HINGE]).dtype == np.int64


def test_index_and_arithmetic():
    world = mj.mjtFrame.mjFRAME_WORLD
    assert "abcdefgh"[world] == "h"
    assert np.arange(10)[world] == 7
    for value, expected in (
        (world + 1, 8), (1 + world, 8), (world - 2, 5), (-world, -7), (world // 2, 3),
        (world % 4, 3), (world | 8, 15), (8 | world, 15), (world & 3, 3),
        (world ^ 1, 6), (world << 1, 14), (world >> 1, 3),
    ):  # fmt: skip
        assert value == expected
        assert type(value) is int
    assert world / 2 == 3.5
    with pytest.raises(ZeroDivisionError):
        1 // mj.mjtFrame.mjFRAME_NONE


def test_text():
    box = mj.mjtGeom.mjGEOM_BOX
    assert str(box) == f"{box}" == "%s" % box == "mjtGeom.mjGEOM_BOX"
    assert repr(box) == "<mjtGeom.mjGEOM_BOX: 6>"
    assert f"{box:d}" == "%d" % box == "6"
    assert box.name == "mjGEOM_BOX" and box.value == 6


def test_construction():
    assert mj.mjtGeom(value=100) is mj.mjtGeom.mjGEOM_ARROW
    assert mj.mjtGeom["mjGEOM_ARROW"] is mj.mjtGeom.mjGEOM_ARROW
    for value in (1000, -1):
        with pytest.raises(ValueError):
            mj.mjtJoint(value)


def test_hash_pickle_and_copy():
    for enum in every_enum():
        assert enum.__module__ == "mj._enums"
        for member in enum.__members__.values():
            assert hash(member) == hash(int(member))
            assert copy.deepcopy(member) is member
            for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
                assert pickle.loads(pickle.dumps(member, protocol)) is member


def test_aliases():
    assert (
        mj.mjtEnableBit.__members__["mjNENABLE"] is mj.mjtEnableBit.mjENBL_INVDISCRETE
    )
    assert mj.mjtLogTopic.__members__["mjNTOPIC"] is mj.mjtLogTopic.mjTOPIC_SLEEP


def test_string_tables_have_an_entry_per_member():
    assert len(mj.mjDISABLESTRING) == mj.mjtDisableBit.mjNDISABLE
    assert len(mj.mjENABLESTRING) == mj.mjtEnableBit.mjNENABLE
    assert len(mj.mjTIMERSTRING) == mj.mjtTimer.mjNTIMER
    assert len(mj.mjLABELSTRING) == mj.mjtLabel.mjNLABEL
    assert len(mj.mjFRAMESTRING) == mj.mjtFrame.mjNFRAME
    assert len(mj.mjVISSTRING) == mj.mjtVisFlag.mjNVISFLAG
    assert len(mj.mjRNDSTRING) == mj.mjtRndFlag.mjNRNDFLAG
    assert mj.mjVISSTRING[mj.mjtVisFlag.mjVIS_INERTIA] == ("Inertia", "0", "I")


def test_errors():
    for error in (mj.FatalError, mj.UnexpectedError):
        assert error.__bases__ == (Exception,)
        assert isinstance(pickle.loads(pickle.dumps(error("text"))), error)
