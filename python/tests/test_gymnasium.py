"""Vector environments: equal to Gymnasium's own on the same engine, and accepted by its checker."""

import mj
import numpy as np
import pytest

gymnasium = pytest.importorskip("gymnasium")
pytest.importorskip("mj.gymnasium")
import mj.gymnasium as tasks  # noqa: E402
from gymnasium.utils.env_checker import check_env, data_equivalence  # noqa: E402
from gymnasium.vector import AutoresetMode, SyncVectorEnv  # noqa: E402

NAMES = ["HalfCheetah", "Hopper", "Walker2d", "Ant", "Humanoid", "Pusher", "Reacher"]


@pytest.fixture(scope="module", autouse=True)
def alias():
    mj.as_mujoco(children=False)


def theirs(name, n, mode, limit):
    make = lambda: gymnasium.make(f"{name}-v5", max_episode_steps=limit, disable_env_checker=True)  # noqa: E731
    return SyncVectorEnv([make] * n, autoreset_mode=mode)


@pytest.mark.parametrize("mode", [AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP])
@pytest.mark.parametrize("name", NAMES)
def test_equal_to_gymnasium(name, mode):
    pytest.importorskip("glfw")  # Gymnasium's environments import it
    n, limit = 3, 40
    ours = getattr(tasks, name)(n, max_episode_steps=limit, autoreset_mode=mode, threads=2)
    other = theirs(name, n, mode, limit)
    assert ours.single_observation_space == other.single_observation_space
    assert ours.single_action_space == other.single_action_space
    a, b = ours.reset(seed=5), other.reset(seed=5)
    rng = np.random.default_rng(0)
    for k in range(100):
        assert np.allclose(a[0], b[0], rtol=1e-12, atol=1e-12), k
        for x, y in zip(a[1:-1], b[1:-1], strict=True):
            assert np.allclose(x, y, rtol=1e-10, atol=1e-10), k
        compare(a[-1], b[-1], k)
        actions = rng.uniform(ours.action_space.low, ours.action_space.high).astype(np.float32)
        a, b = ours.step(actions), other.step(actions)
    ours.close()


def compare(ours, theirs, k):
    assert ours.keys() == theirs.keys(), k
    for key, value in theirs.items():
        if isinstance(value, dict):
            compare(ours[key], value, k)
        elif value.dtype == object:
            for x, y in zip(ours[key], value, strict=True):
                assert (x is None) == (y is None) and (x is None or np.allclose(x, y, rtol=1e-12, atol=1e-12)), (k, key)
        else:
            assert np.allclose(ours[key], value, rtol=1e-6 if value.dtype == np.float32 else 1e-10, atol=1e-10), (k, key)


@pytest.mark.parametrize("name", NAMES)
def test_checker_accepts_single_environments(name):
    check_env(gymnasium.make(f"mj/{name}-v5").unwrapped, skip_render_check=True)


@pytest.mark.parametrize("name", NAMES)
def test_same_seeds_give_same_episodes(name):
    def episode(threads):
        envs = gymnasium.make_vec(f"mj/{name}-v5", num_envs=5, vectorization_mode="vector_entry_point", threads=threads)
        envs.action_space.seed(1)
        out = [envs.reset(seed=2)]
        return out + [envs.step(envs.action_space.sample()) for _ in range(20)]

    assert data_equivalence(episode(1), episode(3), exact=True)


def test_reset_mask_and_misuse():
    envs = tasks.Hopper(4, autoreset_mode="Disabled")
    before, _ = envs.reset(seed=0)
    after, infos = envs.reset(options={"reset_mask": np.array([True, False, False, True])})
    assert (after[1:3] == before[1:3]).all() and not (after[0] == before[0]).all()
    assert (infos["_x_position"] == [True, False, False, True]).all()
    for call in (
        lambda: envs.step(np.zeros((4, 7))),
        lambda: envs.reset(seed=[1]),
        lambda: envs.reset(options={"reset_mask": np.zeros(4, bool)}),
        lambda: tasks.Hopper(4, render_mode="human"),
        lambda: tasks.Hopper(0),
    ):
        with pytest.raises(ValueError):
            call()
