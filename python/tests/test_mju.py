"""Tests of the mathematical functions (``mju_*``).

Numbers are analytic, computed with NumPy, or recorded from MuJoCo 4.0.0.
"""

import numpy as np
import pytest

try:
    import mj

    mj.mju_add  # noqa: B018
except (ImportError, AttributeError):
    from mj import _core as mj

RNG = np.random.default_rng(7)
QA = np.array([0.5, -0.5, 0.5, 0.5])
QB = np.array([0.8, 0.6, 0, 0])
W = np.array([0.1, -0.7, 0.4])
V = np.array([1.0, -2, 0.5])
SYM = np.array([0.5, 0.1, -0.2, 0.1, 0.7, 0.3, -0.2, 0.3, 0.9])
TURN = np.array([0.0, -1, 0, 1, 0, 0, 0, 0, 1])


def result(function, shape, *args):
    """Return what a function writes into its first argument."""
    res = np.full(shape, np.nan)
    function(res, *args)
    return res


def near(a, b, tolerance=1e-13):
    np.testing.assert_allclose(a, b, rtol=tolerance, atol=tolerance)


def spd(n):
    a = RNG.normal(size=(n, n))
    return a @ a.T + n * np.eye(n)


# Arguments.


def test_arguments_are_accepted_in_any_numeric_form():
    ones = np.ones(3)
    for vec in (
        [1, 2, 3],
        (1.0, 2.0, 3.0),
        range(1, 4),
        np.array([1, 2, 3], np.int32),
        np.array([1, 2, 3], np.float32),
        np.array([1, 2, 3], ">f8"),
        np.array([[1], [2], [3]]),
        np.arange(1.0, 7)[::2] * 0.5 + 0.5,
        np.array([3.0, 2, 1])[::-1],
    ):
        near(result(mj.mju_add, 3, vec, ones), [2, 3, 4])
        near(result(mj.mju_add3, 3, vec, ones), [2, 3, 4])
    near(result(mj.mju_add, (3, 1), ones, ones), [[2], [2], [2]])
    mat = np.asfortranarray([[1.0, 2, 3], [4, 5, 6]])
    near(result(mj.mju_transpose, (3, 2), mat), mat.T)
    near(result(mj.mju_transpose, (1, 3), [1, 2, 3]), [[1, 2, 3]])
    assert mj.mju_clip(max=3, x=np.float32(5), min=np.int64(1)) == 3.0


def test_results_are_written_in_place():
    v = V.copy()
    mj.mju_scl3(res=v, vec=v, scl=2.0)
    near(v, 2 * V)
    q = QA.copy()
    mj.mju_mulQuat(q, q, QB)
    near(q, result(mj.mju_mulQuat, 4, QA, QB))
    m = np.arange(9.0).reshape(3, 3)
    mj.mju_transpose(m, m)
    near(m, np.arange(9.0).reshape(3, 3).T)
    wide = np.zeros((3, 4))
    mj.mju_copy(wide[:, 1], V)
    near(wide, np.outer(V, [0, 1, 0, 0]))


def test_arguments_of_no_use_are_refused():
    read_only = np.zeros(3)
    read_only.flags.writeable = False
    misaligned = np.zeros(25, np.uint8)[1:].view(float)
    one = np.zeros(1)
    several = np.lib.stride_tricks.as_strided(one, (3,), (0,))
    refused = [
        (mj.mju_zero, [[0, 0, 0]], "`res` must be a writable array of float64"),
        (mj.mju_zero, [np.zeros(3, np.float32)], "`res`.*float32, shape"),
        (mj.mju_zero, [read_only], "`res`.*read-only"),
        (mj.mju_zero, [misaligned], "`res`.*aligned"),
        (mj.mju_zero, [several], "`res`.*apart"),
        (mj.mju_zero, [np.zeros((1, 3))], r"`res`.*\(n,\) or \(n, 1\)"),
        (mj.mju_zero, [np.zeros((1,) * 40)], "`res`"),
        (mj.mju_add, [np.zeros(3), V, np.zeros(4)], "`res` has 3 .*`vec2` has 4"),
        (mj.mju_add3, [np.zeros(3), V, np.zeros(4)], "`vec2` must be .* 3 numbers"),
        (mj.mju_add3, [np.zeros(3), V, "abc"], "`vec2` must be an array"),
        (mj.mju_quat2Mat, [np.zeros((3, 3)), QA], "`res` must be .* 9 numbers"),
        (mj.mju_fill, [np.zeros(3), "1"], "`val` must be a number, not str"),
        (mj.mju_Halton, [2**40, 2], "`index` must be an integer"),
        (mj.mju_Halton, [3, 1], "`base` must be at least 2"),
        (mj.mju_type2Str, ["body"], "`type` must be an integer"),
        (mj.mju_eye, [np.zeros((2, 3))], "`mat` must be a square matrix"),
        (mj.mju_eye, [np.zeros((1, 1, 1))], "`mat` must be an array with two axes"),
        (mj.mju_mulMatVec, [np.zeros(2), np.eye(3), V], "`res` has 2 numbers"),
        (mj.mju_clip, [1.0, 2.0], "max"),
    ]
    for function, args, message in refused:
        with pytest.raises(TypeError, match=message):
            function(*args)


# Vectors.


@pytest.mark.parametrize("n", [0, 1, 3, 4, 11])
def test_vectors(n):
    a, b = RNG.normal(size=(2, n))
    near(result(mj.mju_zero, n), np.zeros(n))
    near(result(mj.mju_fill, n, 2.5), np.full(n, 2.5))
    near(result(mj.mju_copy, n, a), a)
    near(result(mj.mju_n2d, n, a), a)
    near(result(mj.mju_d2n, n, a), a)
    near(result(mj.mju_scl, n, a, 3.0), 3 * a)
    near(result(mj.mju_add, n, a, b), a + b)
    near(result(mj.mju_sub, n, a, b), a - b)
    near(result(mj.mju_addScl, n, a, b, -2.0), a - 2 * b)
    for function, wanted, scale in (
        (mj.mju_addTo, a + b, ()),
        (mj.mju_subFrom, a - b, ()),
        (mj.mju_addToScl, a + 0.5 * b, (0.5,)),
    ):
        res = a.copy()
        function(res, b, *scale)
        near(res, wanted)
    near(mj.mju_sum(a), a.sum())
    near(mj.mju_L1(a), np.abs(a).sum())
    near(mj.mju_dot(a, b), a @ b)
    near(mj.mju_norm(a), np.sqrt(a @ a))
    res = a.copy()
    near(mj.mju_normalize(res), np.sqrt(a @ a))
    near(res, a / np.sqrt(a @ a) if n else a)
    assert mj.mju_isZero(np.zeros(n)) == 1
    assert mj.mju_isZero(np.append(np.zeros(n), 1e-300)) == 0


def test_single_precision():
    single = np.zeros(2, np.float32)
    mj.mju_n2f(single, np.array([0.1, 1e300]))
    assert single.tolist() == [np.float32(0.1), np.inf]
    near(result(mj.mju_f2n, 1, single[:1]), [float(np.float32(0.1))], 0)


def test_short_vectors_become_the_first_axis():
    for normalize, n in (
        (mj.mju_normalize, 2),
        (mj.mju_normalize3, 3),
        (mj.mju_normalize4, 4),
    ):
        v = np.full(n, 1e-17)
        assert normalize(v) < 1e-15
        assert v.tolist() == [1.0] + [0.0] * (n - 1)


def test_sorting():
    values = RNG.normal(size=50)
    values[7] = values[20]
    expected = np.sort(values)
    mj.mju_insertionSort(values)
    assert values.tolist() == expected.tolist()
    values = np.array([3.0, 1, 2, np.nan, 5, 4])
    mj.mju_insertionSort(list=values)
    np.testing.assert_array_equal(values, [1, 2, 3, np.nan, 4, 5])
    values = RNG.integers(-9, 9, size=50, dtype=np.int32)
    expected = np.sort(values)
    mj.mju_insertionSortInt(values)
    assert values.tolist() == expected.tolist()


def test_three_and_four_numbers():
    for function, wanted in (
        (mj.mju_add3, V + W),
        (mj.mju_sub3, V - W),
        (mj.mju_cross, np.cross(V, W)),
    ):
        near(result(function, 3, V, W), wanted)
    near(result(mj.mju_addScl3, 3, V, W, 3.0), V + 3 * W)
    near(result(mj.mju_scl3, 3, V, -2.0), -2 * V)
    near(result(mj.mju_copy3, 3, V), V)
    near(result(mj.mju_zero3, 3), np.zeros(3))
    for function, wanted, scale in (
        (mj.mju_addTo3, V + W, ()),
        (mj.mju_subFrom3, V - W, ()),
        (mj.mju_addToScl3, V + 2 * W, (2,)),
    ):
        res = V.copy()
        function(res, W, *scale)
        near(res, wanted)
    near(mj.mju_dot3(V, W), V @ W)
    near(mj.mju_norm3(V), np.linalg.norm(V))
    near(mj.mju_dist3(V, W), np.linalg.norm(V - W))
    res = V.copy()
    near(mj.mju_normalize3(res), np.linalg.norm(V))
    near(res, V / np.linalg.norm(V))
    mat = RNG.normal(size=(3, 3))
    near(result(mj.mju_mulMatVec3, 3, mat.reshape(9), V), mat @ V)
    near(result(mj.mju_mulMatTVec3, 3, mat.reshape(9), V), mat.T @ V)
    near(result(mj.mju_zero4, 4), np.zeros(4))
    near(result(mj.mju_unit4, 4), [1, 0, 0, 0])
    near(result(mj.mju_copy4, 4, QA), QA)


# Matrices.


def test_products():
    a, b, c = (RNG.normal(size=s) for s in ((5, 7), (7, 3), (4, 7)))
    x, y = RNG.normal(size=7), RNG.normal(size=5)
    near(result(mj.mju_mulMatVec, 5, a, x), a @ x)
    near(result(mj.mju_mulMatTVec, 7, a, y), a.T @ y)
    near(result(mj.mju_mulMatMat, (5, 3), a, b), a @ b)
    near(result(mj.mju_mulMatMatT, (5, 4), a, c), a @ c.T)
    near(result(mj.mju_mulMatTMat, (7, 7), a, a), a.T @ a)
    near(result(mj.mju_sqrMatTD, (7, 7), a, y), a.T @ np.diag(y) @ a)
    near(result(mj.mju_sqrMatTD, (7, 7), a, None), a.T @ a)
    square = spd(5)
    near(mj.mju_mulVecMatVec(y, square, y), y @ square @ y)
    near(result(mj.mju_transpose, (7, 5), a), a.T)
    near(result(mj.mju_symmetrize, (5, 5), a[:, :5]), (a[:, :5] + a[:, :5].T) / 2)
    near(result(mj.mju_eye, (4, 4)), np.eye(4))


def test_shapes_of_products():
    a, b = np.ones((2, 3)), np.ones((3, 2))
    mj.mju_mulMatMat(np.zeros((2, 2)), a, b)
    for function, res, args in (
        (mj.mju_mulMatMat, (2, 3), (a, b)),
        (mj.mju_mulMatMat, (2, 3), (a, a)),
        (mj.mju_mulMatMatT, (2, 2), (a, b)),
        (mj.mju_mulMatTMat, (3, 2), (a, b)),
        (mj.mju_sqrMatTD, (2, 2), (a, None)),
        (mj.mju_sqrMatTD, (3, 3), (a, np.ones(3))),
        (mj.mju_transpose, (2, 3), (a,)),
        (mj.mju_symmetrize, (2, 3), (a,)),
    ):
        with pytest.raises(TypeError):
            function(np.zeros(res), *args)


def test_cholesky():
    a = spd(6)
    mat = a + np.triu(np.ones((6, 6)), 1)
    assert mj.mju_cholFactor(mat, 0.0) == 6
    near(np.tril(mat), np.linalg.cholesky(a))
    near(np.triu(mat, 1), np.triu(a, 1) + np.triu(np.ones((6, 6)), 1))
    b = RNG.normal(size=6)
    near(result(mj.mju_cholSolve, 6, mat, b), np.linalg.solve(a, b))
    x = RNG.normal(size=6)
    up = mat.copy()
    assert mj.mju_cholUpdate(up, x.copy(), 1) == 6
    near(np.tril(up), np.linalg.cholesky(a + np.outer(x, x)))
    assert mj.mju_cholUpdate(up, x.copy(), 0) == 6
    near(np.tril(up), np.tril(mat), 1e-11)
    # A deficient pivot is replaced, and its column emptied.
    mat = np.array([[4.0, 9, 9], [2, 1, 9], [6, 5, 13]])
    assert mj.mju_cholFactor(mat, 0.25) == 2
    near(mat, [[2, 9, 9], [1, 0.5, 9], [3, 0, 2]])


def test_eigenvalues():
    value, vector, quat = np.zeros(3), np.zeros(9), np.zeros(4)
    assert mj.mju_eig3(value, vector, quat, SYM) == 9
    near(value, [1.1349667854784415, 0.6777163041045845, 0.2873169104169738], 1e-15)
    near(
        quat,
        [0.39999442309819844, 0.5012844572533404]
        + [-0.07952104214902506, 0.7631479268543526],
    )
    axes = vector.reshape(3, 3)
    near(axes @ np.diag(value) @ axes.T, SYM.reshape(3, 3))


# Matrices with a band and dense rows.


def arrow(ntotal, nband, ndense):
    """Return a positive definite matrix and its entries in rows."""
    a = RNG.normal(size=(ntotal, ntotal))
    a = a + a.T + 4 * ntotal * np.eye(ntotal)
    sparse = ntotal - ndense
    i, j = np.indices(a.shape)
    a[(np.abs(i - j) >= nband) & (np.maximum(i, j) < sparse)] = 0
    rows = [
        np.concatenate([np.zeros(max(nband - 1 - r, 0)), a[r, : r + 1][-nband:]])
        for r in range(sparse)
    ]
    rows += [np.append(a[r, : r + 1], np.zeros(ntotal - 1 - r)) for r in range(sparse, ntotal)]
    return a, np.concatenate(rows)


@pytest.mark.parametrize("sizes", [(8, 3, 2), (5, 1, 0), (6, 6, 0), (4, 0, 4), (1, 1, 0)])
def test_band(sizes):
    n = sizes[0]
    a, band = arrow(*sizes)
    near(result(mj.mju_band2Dense, (n, n), band, *sizes, True), a, 0)
    near(result(mj.mju_band2Dense, (n, n), band, *sizes, False), np.tril(a), 0)
    back = np.zeros(band.size)
    mj.mju_dense2Band(back, a, *sizes)
    near(back, band, 0)
    diagonal = [mj.mju_bandDiag(i, *sizes) for i in range(n)]
    near(band[diagonal], np.diag(a), 0)
    x = RNG.normal(size=(n, 2))
    near(result(mj.mju_bandMulMatVec, n, band, x[:, 0], *sizes, 1, True), a @ x[:, 0])
    lower = np.tril(a)
    near(result(mj.mju_bandMulMatVec, n, band, x[:, :1], *sizes, 1, False), lower @ x[:, 0])
    near(result(mj.mju_bandMulMatVec, (n, 2), band, x, *sizes, 2, True), a @ x)
    factor = band.copy()
    least = mj.mju_cholFactorBand(factor, *sizes, 0.5, 0.25)
    wanted = a + np.diag(0.5 + 0.25 * np.diag(a))
    near(least, np.diag(np.linalg.cholesky(wanted)).min())
    dense = result(mj.mju_band2Dense, (n, n), factor, *sizes, False)
    near(dense, np.linalg.cholesky(wanted))
    b = RNG.normal(size=n)
    near(result(mj.mju_cholSolveBand, n, factor, b, *sizes), np.linalg.solve(wanted, b))


def test_bands_of_no_use():
    assert mj.mju_cholFactorBand(np.array([9.0, 4, 2, 1]), 2, 2, 0, 0, 0) == 0
    for sizes in ((2, 0, 0), (2, 2, 3), (-1, 1, 0), (2, -1, 0), (2, 2, -1)):
        with pytest.raises(TypeError, match="band-dense"):
            mj.mju_cholFactorBand(np.ones(4), *sizes, 0, 0)
    for sizes in ((3, 2, 0), (2**31 - 1, 2**31 - 1, 2**31 - 1)):
        with pytest.raises(TypeError, match="`mat` has 4 numbers"):
            mj.mju_cholFactorBand(np.ones(4), *sizes, 0, 0)
    with pytest.raises(TypeError, match="32 bits"):
        mj.mju_bandDiag(2**31 - 1, 2**31 - 1, 2**31 - 1, -(2**31))


# Sparse matrices.


def test_sparse():
    a = np.array([[1.0, 0, 2], [0, 0, 3], [4, 0, 0]])
    values, columns = np.zeros(5), np.full(5, -1, np.int32)
    counts, addresses = np.zeros(3, np.int32), np.zeros(3, np.int32)
    assert mj.mju_dense2sparse(values, a, counts, addresses, columns) == 0
    assert values.tolist() == [1, 2, 3, 4, 0]
    assert counts.tolist() == [2, 1, 1] and addresses.tolist() == [0, 2, 3]
    assert columns.tolist() == [0, 2, 2, 0, -1]
    back = result(mj.mju_sparse2dense, (3, 3), values, counts, addresses, columns)
    near(back, a, 0)
    lower = result(mj.mju_sym2dense, (3, 3), values, counts, addresses, columns)
    near(lower, [[1, 0, 4], [0, 0, 0], [4, 0, 0]], 0)
    small = np.zeros(3), a, counts, addresses, np.zeros(3, np.int32)
    assert mj.mju_dense2sparse(*small) == 1


@pytest.mark.parametrize(
    "pattern",
    [
        ([3, 0], [0, 0], [0, 1]),
        ([1, 1], [0, 5], [0, 1]),
        ([-1, 0], [0, 0], [0, 1]),
        ([1, 0], [-1, 0], [0, 1]),
        ([2, 0], [0, 0], [0, 2]),
        ([2, 0], [0, 0], [0, -1]),
        ([2**31 - 1, 0], [2**31 - 1, 0], [0, 1]),
    ],
)
def test_patterns_of_no_use(pattern):
    for function in (mj.mju_sparse2dense, mj.mju_sym2dense):
        with pytest.raises(ValueError, match="row 0|row 1"):
            function(np.zeros((2, 2)), np.ones(2), *pattern)


# Quadratic programs.


def test_box_qp():
    h = np.array([[3, 1, 0.5], [1, 2, -0.3], [0.5, -0.3, 1.5]])
    g, half = np.array([-4.0, 1, 2]), np.full(3, 0.5)
    x, r, index = np.zeros(3), np.zeros((3, 10)), np.full(3, -1, np.int32)
    assert mj.mju_boxQP(x, r, index, h, g, -half, half) == 0
    near(x, [0.5, -0.5, -0.5])
    assert mj.mju_boxQP(x, r, index, h, g, None, half) == 2
    near(x, [0.5, -1.005154639175258, -1.7010309278350517])
    assert index[:2].tolist() == [1, 2]
    near(r.reshape(-1)[[0, 2, 3]], np.linalg.cholesky(h[1:, 1:])[[0, 1, 1], [0, 0, 1]])
    assert mj.mju_boxQP(x, r, None, h, g, None, None) == 3
    near(x, np.linalg.solve(h, -g))
    assert mj.mju_boxQP(x, r, None, -h, g, None, None) == -1


@pytest.mark.parametrize("n", [1, 2, 5, 9])
def test_box_qp_is_optimal(n):
    for _ in range(20):
        h, g = spd(n), RNG.normal(size=n) * 3 * n
        low, high = -RNG.random(n), RNG.random(n)
        x, r = RNG.normal(size=n), np.zeros((n, n + 7))
        index = np.zeros(n, np.int32)
        free = mj.mju_boxQP(x, r, index, h, g, low, high)
        slope = h @ x + g
        held = np.setdiff1d(np.arange(n), index[:free])
        assert np.abs(slope[index[:free]]).max(initial=0) < 1e-7
        assert ((x[held] == low[held]) | (x[held] == high[held])).all()
        assert ((slope[held] > 0) == (x[held] == low[held])).all()
        assert (x >= low).all() and (x <= high).all()


# Quaternions and poses.


def test_quaternions_recorded():
    for function, n, args, wanted in (
        (
            mj.mju_euler2Quat,
            4,
            ([0.1, 0.2, 0.3], "xyZ"),
            [0.9818561728660808, 0.034270798550482096]
            + [0.10602051106179562, 0.15343930202422257],
        ),
        (
            mj.mju_subQuat,
            3,
            (QA, QB),
            [-2.0692527273246846, 2.0692527273246846, 0.295607532474955],
        ),
        (mj.mju_quat2Vel, 3, (QB, 0.1), [12.870022175865687, 0.0, 0.0]),
        (
            mj.mju_quatZ2Vec,
            4,
            (V,),
            [0.7804543196869348, 0.5592073353467415, 0.27960366767337075, -0.0],
        ),
        (mj.mju_derivQuat, 4, (QB, W), [-0.03, 0.04, -0.16, 0.37]),
        (mj.mju_mulQuatAxis, 4, (QB, W), [-0.06, 0.08, -0.8, -0.1]),
        (mj.mju_rotVecQuat, 3, (V, QB), [1.0, -1.04, -1.78]),
        (mj.mju_quat2Mat, 9, (QA,), [0, -1, 0, 0, 0, 1, -1, 0, 0]),
        (mj.mju_mat2Quat, 4, ([0, -1, 0, 0, 0, 1, -1, 0, 0],), QA),
        (mj.mju_negQuat, 4, (QA,), [0.5, 0.5, -0.5, -0.5]),
        (
            mj.mju_axisAngle2Quat,
            4,
            ([0, 1, 0], np.pi / 2),
            [np.sqrt(0.5), 0, np.sqrt(0.5), 0],
        ),
    ):
        near(result(function, n, *args), wanted, 1e-15)
    q = QB.copy()
    mj.mju_quatIntegrate(q, W, 0.3)
    wanted = [0.7850896055790025, 0.6075208323787121]
    near(q, wanted + [-0.11970322044454562, -0.014962902555568182], 1e-15)


def test_integrating_the_difference_arrives():
    for _ in range(100):
        a, b = (v / np.linalg.norm(v) for v in RNG.normal(size=(2, 4)))
        c = b.copy()
        mj.mju_quatIntegrate(c, result(mj.mju_subQuat, 3, a, b), 1.0)
        near(abs(c @ a), 1)


def test_z_axis_to_its_opposite():
    assert result(mj.mju_quatZ2Vec, 4, [0, 0, -2]).tolist() == [0, 1, 0, 0]
    assert result(mj.mju_quatZ2Vec, 4, [0, 0, 2]).tolist() == [1, 0, 0, 0]
    assert result(mj.mju_quatZ2Vec, 4, [0, 0, 0]).tolist() == [1, 0, 0, 0]


def test_nearest_rotation():
    for _ in range(50):
        mat = RNG.normal(size=(3, 3))
        u, _, vt = np.linalg.svd(mat)
        nearest = u @ np.diag([1, 1, np.linalg.det(u @ vt)]) @ vt
        q = RNG.normal(size=4)
        if mj.mju_mat2Rot(q, mat.reshape(9)) < 500:
            near(result(mj.mju_quat2Mat, 9, q).reshape(3, 3), nearest, 1e-6)
    q = np.array([1.0, 0, 0, 0])
    assert mj.mju_mat2Rot(q, np.diag([-1.0, -1, 1]).reshape(9)) == 1
    near(q, [0, 0, 0, 1])
    assert mj.mju_mat2Rot(q, np.full(9, np.nan)) == 500


def test_poses():
    posres, quatres = np.zeros(3), np.zeros(4)
    mj.mju_mulPose(posres, quatres, V, QA, W, QB)
    near(posres, V + result(mj.mju_rotVecQuat, 3, W, QA))
    near(quatres, result(mj.mju_mulQuat, 4, QA, QB))
    near(result(mj.mju_trnVecPose, 3, V, QA, W), posres)
    inverse, turn = np.zeros(3), np.zeros(4)
    mj.mju_negPose(inverse, turn, posres, quatres)
    mj.mju_mulPose(posres, quatres, posres, quatres, inverse, turn)
    near(posres, np.zeros(3))
    near(quatres, [1, 0, 0, 0])
    six = np.arange(6.0)
    moved = result(mj.mju_transformSpatial, 6, six, 0, V, W, TURN)
    near(moved, [1.0, 0.0, 2.0, 5.8, -5.7, 4.1])
    moved = result(mj.mju_transformSpatial, 6, six, 1, V, W, TURN)
    near(moved, [5.2, -6.9, -5.5, 4.0, -3.0, 5.0])


def test_derivatives_of_differences():
    h = 1e-6

    def turned(q, k):
        q = q.copy()
        mj.mju_quatIntegrate(q, np.eye(3)[k], h)
        return q

    da, db = np.zeros((3, 3)), np.zeros(9)
    mj.mjd_subQuat(QA, QB, da, db)
    at = result(mj.mju_subQuat, 3, QA, QB)
    for k in range(3):
        near(da[:, k], (result(mj.mju_subQuat, 3, turned(QA, k), QB) - at) / h, 1e-5)
        by_b = (result(mj.mju_subQuat, 3, QA, turned(QB, k)) - at) / h
        near(db.reshape(3, 3)[:, k], by_b, 1e-5)
    only = np.zeros((3, 3))
    mj.mjd_subQuat(QA, QB, None, only)
    near(only, db.reshape(3, 3), 0)
    for args in ((QA[:3], QB, da, db), (QA, QB, np.zeros((2, 3)), db)):
        with pytest.raises(TypeError):
            mj.mjd_subQuat(*args)


@pytest.mark.parametrize("scale", [0.3, 1e-4, 4.0])
def test_derivatives_of_steps(scale):
    dq, dv, dh = np.zeros(9), np.zeros(9), np.zeros(3)
    mj.mjd_quatIntegrate(W, scale, dq, dv, dh)
    near(dh, W)

    def end(start, rotation):
        q = start.copy()
        mj.mju_quatIntegrate(q, rotation, 1.0)
        return q

    h, at = 1e-6, end(QA, scale * W)
    for k in range(3):
        step = h * np.eye(3)[k]
        by_vel = result(mj.mju_subQuat, 3, end(QA, scale * W + step), at) / h
        near(dv.reshape(3, 3)[:, k], by_vel, 1e-5)
        by_quat = result(mj.mju_subQuat, 3, end(end(QA, step), scale * W), at) / h
        near(dq.reshape(3, 3)[:, k], by_quat, 1e-5)


# Forces.


def test_muscle():
    prm = [0.75, 1.05, -1, 200, 0.5, 1.6, 1.5, 1.3, 1.2]
    points = [(0.6, 0.0), (0.8, -0.3), (0.9, 0.4), (2, 0)]
    gain = [mj.mju_muscleGain(l, v, [0.4, 1.1], 2.0, prm) for l, v in points]
    recorded = [-78.40816326530613, -79.46342357351104]
    near(gain, recorded + [-115.13952519783423, -14.994331065759608], 1e-12)
    bias = [mj.mju_muscleBias(l, [0.4, 1.1], 2.0, prm) for l in (0.5, 1.3, 2.0)]
    near(bias, [0.0, -13.302154195011326, -123.8095238095239], 1e-12)
    points = [(1.0, 0.2), (0.1, 0.8), (0.5, 0.5)]
    rate = [mj.mju_muscleDynamics(*p, [0.01, 0.04, w]) for p in points for w in (0, 0.3)]
    near(rate, [100.0, 100.0, -29.75, -29.75, 0.0, 0.0])


def test_pyramid():
    # The number of coefficients is the number of dimensions.
    pyramid, mu = np.full(6, 7.0), [0.5, 2.0, 1.0]
    mj.mju_encodePyramid(pyramid, [8.0, 1.0, 2.0, 9.0], mu)
    near(pyramid, [3, 1, 2.5, 1.5, 7, 7])
    force = np.full(4, 7.0)
    mj.mju_decodePyramid(force, pyramid, mu)
    near(force, [8, 1, 2, 7])
    for n in (0, 1):
        mj.mju_encodePyramid(np.zeros(2 * n), np.ones(n + 1), np.ones(n))
        mj.mju_decodePyramid(np.zeros(n + 1), np.ones(2 * n), np.ones(n))
    with pytest.raises(TypeError, match="`pyramid` has 5"):
        mj.mju_encodePyramid(np.zeros(5), np.ones(4), mu)
    with pytest.raises(TypeError, match="`force` has 3"):
        mj.mju_encodePyramid(np.zeros(6), np.ones(3), mu)


def test_spring_damper():
    recorded = [1.26974643717512, 1.103638323514327, 1.0592545369658974]
    for kv, wanted in zip((1, 4, 6), recorded):
        near(mj.mju_springDamper(1, 2, 4, kv, 0.5), wanted)
        assert mj.mju_springDamper(1e-9, 2, 4, kv, 0.0) == 1e-9
    near(mj.mju_springDamper(1, 2, 0, 0, 0.5), 2)
    near(mj.mju_springDamper(1, 2, 4, 4, 0.5), mj.mju_springDamper(1, 2, 4, 4 + 1e-9, 0.5), 1e-9)
    near(mj.mju_springDamper(1, 0, 1, 1e6, 1e6), np.exp(-1), 1e-9)


# Rays.


@pytest.mark.parametrize(
    "kind, size, wanted",
    [
        (0, [1, 1, 1], 2.7),
        (2, [0.5, 0, 0], 2.2507739948980077),
        (3, [0.3, 0.5, 0], 1.9839400375734375),
        (4, [0.3, 0.5, 0.7], 2.075511181796198),
        (5, [0.3, 0.5, 0], 2.2),
        (6, [0.3, 0.5, 0.7], 2.0),
    ],
)
def test_ray_and_geom(kind, size, wanted):
    pose, ray = ([0.1, 0.2, 0.3], TURN), ([0.2, 0.3, 3], [0.05, -0.02, -1])
    normal = np.full(3, np.nan)
    near(mj.mju_rayGeom(*pose, size, *ray, kind, normal), wanted)
    near(np.linalg.norm(normal), 1)
    assert normal @ ray[1] < 0
    near(mj.mju_rayGeom(*pose, size, *ray, geomtype=kind), wanted)
    away = mj.mju_rayGeom(*pose, size, ray[0], [0, 0, 1], kind, normal)
    assert away == -1 and normal.tolist() == [0, 0, 0]


def test_ray_and_skin():
    vert = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, -1], [3, 0, -1], [0, 3, -1]])
    face, vertex = np.array([[3, 4, 5], [0, 1, 2]]), np.zeros(1, np.int32)
    for start, wanted, nearest in (
        ([0.2, 0.1, 1], 1.0, 0),
        ([0.7, 0.1, 1], 1.0, 1),
        ([0.2, 0.7, 1], 1.0, 2),
        ([0.2, 0.1, -0.5], 0.5, 3),
        ([2, 2, 1], -1.0, -1),
    ):
        assert mj.mju_raySkin(2, 6, face, vert, start, [0, 0, -1], vertex) == wanted
        assert vertex[0] == nearest
    assert mj.mju_raySkin(2, 6, face, vert, [0.2, 0.1, 1], [0, 0, -2], None) == 0.5
    with pytest.raises(ValueError, match="vertex 6"):
        mj.mju_raySkin(1, 6, [[0, 1, 6]], vert, V, W, None)
    with pytest.raises(TypeError, match="`face` has 6"):
        mj.mju_raySkin(3, 6, face, vert, V, W, None)


# Scalars.


def test_scalars():
    nan, inf = float("nan"), float("inf")
    assert mj.mju_min(1, 2) == 1 and mj.mju_max(1, 2) == 2
    assert mj.mju_min(nan, 1) == 1 and mj.mju_max(nan, 1) == 1
    clipped = [mj.mju_clip(x, 0, 2) for x in (-1, 1, 3)]
    assert clipped == [0, 1, 2]
    assert [mj.mju_sign(x) for x in (-3, 0.0, 2, nan)] == [-1, 0, 1, 0]
    rounded = [mj.mju_round(x) for x in (0.5, -0.5, 2.4, 1e300, -inf, nan)]
    assert rounded == [1, -1, 2, 2**31 - 1, -(2**31), -(2**31)]
    assert [mj.mju_isBad(x) for x in (0, 1e10, -1.1e10, inf, nan)] == [0, 0, 1, 1, 1]
    assert [mj.mju_sigmoid(x) for x in (-1, 0, 0.5, 1, 2)] == [0, 0, 0.5, 1, 1]
    near(mj.mju_sigmoid(0.3), 0.16308)
    halton = [mj.mju_Halton(i, 2) for i in (-1, 0, 1, 2, 3, 6)]
    assert halton == [0, 0, 0.5, 0.25, 0.75, 0.375]
    near(mj.mju_Halton(11, 3), 0.7037037037037037)


def test_standard_normal():
    x = np.array([mj.mju_standardNormal(None) for _ in range(20000)])
    assert abs(x.mean()) < 0.03 and abs(x.std() - 1) < 0.03
    assert abs((np.abs(x) < 1).mean() - 0.6827) < 0.02
    assert abs((x[1:] * x[:-1]).mean()) < 0.03
    assert isinstance(mj.mju_standardNormal(num2=1.0), float)
    with pytest.raises(TypeError):
        mj.mju_standardNormal()


# Text.


def test_types():
    assert mj.mju_type2Str(1) == "body" and mj.mju_str2Type("body") == 1
    assert mj.mju_type2Str(25) == "plugin" and mj.mju_str2Type("frame") == 100
    for code in (-1, 0, 26, 101):
        assert mj.mju_type2Str(type=code) is None
    assert mj.mju_str2Type("nothing") == mj.mju_str2Type("") == 0


def test_bytes():
    sizes = {0: "0", 1023: "1023", 1024: "1K", 1536: "1536", 3 << 20: "3M"}
    sizes |= {10**12: "976562500K", 1 << 63: "8E", 2**64 - 1: "18446744073709551615"}
    for size, text in sizes.items():
        assert mj.mju_writeNumBytes(size) == text
    with pytest.raises(TypeError):
        mj.mju_writeNumBytes(-1)


def test_warnings():
    texts = {mj.mju_warningText(k, 7) for k in range(7)}
    assert len(texts) == 7 and all("7" in text for text in texts)
    assert "99" in mj.mju_warningText(99, 0)


def test_print(capsys):
    mj.mju_printMat([[1, 2.5], [-3, np.nan]])
    printed = capsys.readouterr().out
    assert printed == "1.00000000 2.50000000 \n-3.00000000 nan \n\n"
    mj.mju_printMatSparse([1, -2], [1, 1], [0, 1], [2, 0])
    printed = capsys.readouterr().out
    assert printed == "(0 2):  1.000000  \n(1 0): -2.000000  \n\n"


def test_log(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    mj.mju_writeLog("note", "first")
    mj.mju_writeLog(type="note", msg="second")
    lines = (tmp_path / "MUJOCO_LOG.TXT").read_text().splitlines()
    assert lines[1] == "note: first" and lines[4] == "note: second"


def test_fatal():
    fatal = pytest.importorskip("mj._errors").FatalError
    for seq in ("xy", "xyzx", "abc", ""):
        with pytest.raises(fatal, match="seq"):
            mj.mju_euler2Quat(np.zeros(4), V, seq)
    for kind in (-1, 1, 7, 100):
        with pytest.raises(fatal, match="`geomtype`"):
            mj.mju_rayGeom(V, TURN, V, V, W, kind)
    empty = np.zeros(0)
    with pytest.raises(fatal, match="`res` is empty"):
        mj.mju_boxQP(empty, empty, None, np.zeros((0, 0)), empty, None, None)
