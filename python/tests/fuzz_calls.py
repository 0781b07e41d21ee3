"""Call random functions with random arguments: every call must end with a result or an exception.

    python fuzz_calls.py CALLS [SEED]

A panic, a signal, a hang or memory beyond the limit ends the program. Prints the calls' results by type now and then.
"""

from __future__ import annotations

import collections
import copy
import faulthandler
import inspect
import os
import pickle
import sys
import tempfile
import threading
import warnings
from collections.abc import Callable
from typing import Any

import mj
import numpy as np
from mj import _later

ARM = """
<mujoco><option><flag energy="enable"/></option>
<asset><hfield name="h" nrow="3" ncol="3" size="1 1 .1 .1"/>
  <mesh name="tetra" vertex="0 0 0 .1 0 0 0 .1 0 0 0 .1"/></asset>
<worldbody>
  <geom name="floor" type="plane" size="1 1 1"/><geom type="hfield" hfield="h" pos="3 0 0"/>
  <light name="l" pos="0 0 3"/><camera name="c" pos="0 0 3"/>
  <body name="free" pos="0 0 .2"><freejoint/><geom size=".1"/><geom type="mesh" mesh="tetra" pos=".1 0 0"/></body>
  <body name="upper" pos="0 1 .3"><joint name="j" axis="0 1 0" limited="true" range="-60 60" damping="1"/>
    <geom name="g" type="capsule" size=".05 .1"/><site name="s"/>
    <body name="lower" pos="0 0 -.2"><joint name="k" type="ball"/><geom type="box" size=".1 .1 .1"/><site name="t"/></body>
  </body>
  <body name="moved" mocap="true"/>
</worldbody>
<tendon><spatial name="ten"><site site="s"/><site site="t"/></spatial></tendon>
<equality><weld name="w" body1="free" body2="upper" active="false"/></equality>
<actuator><motor name="a" joint="j"/><muscle name="b" tendon="ten" lengthrange="0 1"/></actuator>
<sensor><jointpos joint="j"/><accelerometer site="s"/><rangefinder site="s"/></sensor>
<keyframe><key name="home"/></keyframe>
</mujoco>"""
BALL = "<mujoco><worldbody><body name='x'><freejoint/><geom name='g' size='.1'/></body></worldbody></mujoco>"
TEXTS = (ARM, BALL, "<mujoco/>")

# They raise whatever is given, or only print it.
SKIPPED = {"mju_error", "mju_error_i", "mju_error_s", "mju_printMat", "mju_printMatSparse", *_later.FUNCTIONS}
LIFE = 1000  # Calls on one world: later ones would work on numbers that have gone bad.
MEMORY = 6 << 30
SECONDS = 120


class World:
    """Objects that calls get as arguments."""

    def __init__(self, rng: np.random.Generator) -> None:
        self.models = [mj.MjModel.from_xml_string(text) for text in TEXTS]
        self.data = [mj.MjData(m) for m in self.models]
        self.specs = [mj.MjSpec.from_string(text) for text in TEXTS]
        self.batches = [mj.Batch(m, 3) for m in self.models[:2]]
        self.scenes = [mj.MjvScene(m, 30) for m in self.models]
        self.contexts = [mj.MjrContext(m, 100) for m in self.models]
        self.drawn = {
            "cam": mj.MjvCamera(), "pert": mj.MjvPerturb(), "vopt": mj.MjvOption(), "fig": mj.MjvFigure(),
            "geom": mj.MjvGeom(), "cam1": mj.MjvGLCamera(), "cam2": mj.MjvGLCamera(), "info": mj.MjrRendererInfo(),
        }  # fmt: skip
        self.at = int(rng.choice(3, p=[0.7, 0.2, 0.1]))

    @property
    def model(self) -> mj.MjModel:
        """The model of this call."""
        return self.models[self.at]


JUNK: list[Callable[[np.random.Generator], Any]] = [
    lambda rng: None,
    lambda rng: bool(rng.integers(2)),
    lambda rng: int(rng.choice([-1, 0, 1, 7, 100, -(2**31), 2**31, 2**62, -(2**63)])),
    lambda rng: 2**64,
    lambda rng: float(rng.choice([0.0, -1.5, np.nan, np.inf, 1e300])),
    lambda rng: ["", "x", "free", "home", "\0", "é" * 50, "%s%n"][rng.integers(7)],
    lambda rng: [b"", b"x", b"\xff"][rng.integers(3)],
    lambda rng: [[], [1, 2, 3], [[1], [2, 3]], ["a"]][rng.integers(4)],
    lambda rng: {},
    lambda rng: object(),
    lambda rng: np.int32(3),
    lambda rng: np.float32(1),
    lambda rng: np.zeros((rng.integers(5), rng.integers(5)), order="F"),
    lambda rng: np.zeros(9)[::2],
    lambda rng: np.zeros(6, [np.float32, np.int32, np.uint8, bool, object][rng.integers(5)]),
    lambda rng: np.array(1.0),
    lambda rng: np.array(["a"]),
    lambda rng: np.broadcast_to(np.zeros(1), (7,)),
    lambda rng: mj.mjtObj.mjOBJ_BODY,
    lambda rng: mj.MjModel,
    lambda rng: lambda *arguments: 0,
]

INTEGERS = set(
    "id body geomid objid objtype type geom1 geom2 geom siteid site texid sig state key index interp seq flg_static "
    "bodyexclude geomtype k nray nface nvert cache i srcsig dstsig ntotal nband ndense flg_sym flg_local flg_acc phase "
    "skipstage skipsensor nstep nthread nvec N action catmask framebuffer index width height left bottom font gridpos".split()
)
DATA = {"d", "src", "dst", "dest", "data"}
NAMES = ("", "floor", "free", "upper", "j", "g", "s", "ten", "a", "home", "x", "nobody")


def array(rng: np.random.Generator, model: mj.MjModel, size: int | None) -> np.ndarray:
    """Return numbers, as many as given or as a model has of something."""
    n = [1, 2, 3, 4, 6, 9, 10, model.nq, model.nv, model.na, model.nu, model.nbody, model.nsensordata, model.nM]
    shape: Any = int(rng.choice(n)) if size is None else size
    kind = rng.integers(8)
    if kind == 0:
        shape = (3, model.nv)
    elif kind == 1:
        shape = (model.nv, model.nv)
    elif kind == 2:
        shape = (int(rng.integers(4)), shape)
    numbers = rng.standard_normal(shape)
    bad = rng.integers(12)
    if bad == 0:
        numbers[...] = [0.0, np.nan, np.inf, 1e300, -1e-300][rng.integers(5)]
    return numbers.astype(np.int32) if bad == 1 else numbers


def argument(name: str, rng: np.random.Generator, world: World, size: int | None) -> Any:
    """Return a value for a parameter of that name: most often one that fits."""
    if rng.random() < 0.12:
        return JUNK[rng.integers(len(JUNK))](rng)
    at = world.at if rng.random() < 0.95 else int(rng.integers(3))
    if name == "m":
        return world.models[at]
    if name in ("src", "dst", "viewport", "rect") and rng.random() < 0.5:
        return mj.MjrRect(*rng.integers(-5, 70, 4).tolist())
    if name in DATA:
        return world.data[at]
    if name == "scn":
        return world.scenes[at]
    if name == "con":
        return world.contexts[at]
    if name in world.drawn:
        return world.drawn[name]
    if name in ("rgb", "depth"):
        return rng.integers(0, 256, 9000).astype([np.uint8, np.float32][name == "depth"])
    if name in INTEGERS:
        return int(rng.integers(-1, 8))
    if name in ("name", "str", "msg", "info"):
        return NAMES[rng.integers(len(NAMES))]
    if name in ("filename", "float_format"):
        return ["out.txt", "out.mjb", "out.xml", "no/where", "%9.3g"][rng.integers(5)]
    if name == "callback":
        return [None, lambda *arguments: 0, lambda *arguments: 1 / 0][rng.integers(3)]
    if name in ("opt", "vis"):
        return getattr(world.model, name)
    if name == "scl" or rng.random() < 0.1:
        return float(rng.standard_normal())
    return array(rng, world.model, size)


def functions() -> list[tuple[Callable[..., Any], list[str]]]:
    """Return the functions of the package with the names of their parameters."""
    prefixes = ("mj_", "mju_", "mjd_", "mjv_", "mjr_", "set_mj", "get_mj", "_realloc")
    found = [getattr(mj, n) for n in dir(mj) if n.startswith(prefixes) and n not in SKIPPED]
    return [(f, [p for p in inspect.signature(f).parameters if p not in ("args", "kwargs", "older")]) for f in found]


def call(rng: np.random.Generator, world: World, known: list[tuple[Callable[..., Any], list[str]]]) -> Any:
    """Call a function."""
    function, parameters = known[rng.integers(len(known))]
    if "nstep" in parameters and rng.random() < 0.5:
        parameters = parameters[:-1]
    size = int(rng.choice([3, 4, 9, world.model.nv])) if rng.random() < 0.6 else None
    arguments = [argument(name, rng, world, size) for name in parameters]
    if "nstep" in parameters and isinstance(arguments[-1], int):
        arguments[-1] = min(arguments[-1], 9)
    if rng.random() < 0.05:
        arguments = arguments[: rng.integers(len(arguments) + 1)]
    return function(*arguments)


def thing(rng: np.random.Generator, world: World) -> Any:
    """Return an object with attributes."""
    spec = world.specs[world.at]
    model, data = world.model, world.data[world.at]
    choices = [model, data, model.opt, model.stat, model.vis, data.contact, data.warning, spec, spec.worldbody, spec.option]
    choices += [*spec.bodies, *spec.geoms, *spec.joints, *spec.actuators, *world.batches]
    choices += [data.body(0), model.body(0), data.solver, data.timer]
    choices += [world.scenes[world.at], world.contexts[world.at], *world.drawn.values()]
    return choices[rng.integers(len(choices))]


def attribute(rng: np.random.Generator, world: World) -> Any:
    """Read an attribute, write it, write into its array, or call it."""
    target = thing(rng, world)
    names = [n for n in dir(target) if not n.startswith("_")]
    name = names[rng.integers(len(names))]
    value = getattr(target, name)
    kind = rng.integers(4)
    if kind == 0:
        return setattr(target, name, argument(name, rng, world, None))
    if isinstance(value, np.ndarray):
        if kind == 1:
            value[...] = argument(name, rng, world, value.size)
        return value.sum() if value.dtype.kind in "fi" else value.tolist()
    if callable(value) and name not in ("from_file", "to_file", "to_zip", "from_zip"):
        arguments = [argument(["m", "name", "id", "vec"][rng.integers(4)], rng, world, None) for _ in range(rng.integers(3))]
        return value(*arguments)
    return repr(value)


def copies(rng: np.random.Generator, world: World) -> Any:
    """Copy or pickle an object."""
    target = thing(rng, world)
    kind = rng.integers(4)
    if kind == 0:
        return copy.copy(target)
    if kind == 1:
        return copy.deepcopy(target)
    if kind == 2:
        return pickle.loads(pickle.dumps(target))
    return repr(target)


def compiled(rng: np.random.Generator, world: World) -> Any:
    """Compile a spec, or attach it to another."""
    spec = world.specs[world.at]
    if rng.integers(3) == 0:
        other = world.specs[rng.integers(3)]
        spec.attach(other, prefix=NAMES[rng.integers(len(NAMES))], frame=spec.worldbody.add_frame())
    return spec.compile() if rng.integers(2) else spec.to_xml()


def threads(rng: np.random.Generator, world: World, known: list[tuple[Callable[..., Any], list[str]]]) -> None:
    """Make calls in several threads at once on the objects of one world."""
    seeds = rng.integers(1 << 32, size=3)

    def work(seed: int) -> None:
        of_thread = np.random.default_rng(seed)
        for _ in range(10):
            attempt(lambda: act(of_thread, world, known, alone=False))

    running = [threading.Thread(target=work, args=(seed,)) for seed in seeds]
    for thread in running:
        thread.start()
    for thread in running:
        thread.join()


COUNTS: collections.Counter[str] = collections.Counter()


def attempt(action: Callable[[], Any]) -> None:
    """Run a call, and count how it ended. A panic of the native module is no ``Exception`` and ends the program."""
    try:
        action()
        COUNTS["result"] += 1
    except Exception as e:  # noqa: BLE001
        COUNTS[type(e).__name__] += 1
    except BaseException as e:
        print(f"{type(e).__name__}: {e}", file=sys.stderr, flush=True)
        os._exit(3)


def act(rng: np.random.Generator, world: World, known: list[tuple[Callable[..., Any], list[str]]], alone: bool) -> Any:
    """Do one random thing."""
    draw = rng.random()
    if draw < 0.65:
        return call(rng, world, known)
    if draw < 0.95:
        return attribute(rng, world)
    if draw < 0.97:
        return copies(rng, world)
    if draw < 0.98:
        return compiled(rng, world)
    if alone and draw < 0.99:
        return threads(rng, world, known)
    return mj.mj_step(world.model, world.data[world.at])


def reset_callbacks() -> None:
    """Take all callbacks back."""
    for name in dir(mj):
        if name.startswith("set_mj"):
            getattr(mj, name)(None)


def main() -> None:
    """Make the calls."""
    calls, seed = int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 0
    try:
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    except ImportError:
        pass
    faulthandler.enable()
    np.seterr(all="ignore")
    warnings.simplefilter("ignore")
    os.chdir(tempfile.mkdtemp())
    known = functions()
    for start in range(0, calls, LIFE):
        faulthandler.dump_traceback_later(SECONDS, exit=True)
        rng = np.random.default_rng((seed, start))
        reset_callbacks()
        world = World(rng)
        for _ in range(LIFE):
            if rng.random() < 0.01:
                world.at = int(rng.choice(3, p=[0.7, 0.2, 0.1]))
            attempt(lambda: act(rng, world, known, alone=True))
        if start // LIFE % 20 == 0:
            print(start, dict(COUNTS.most_common(8)), flush=True)
    reset_callbacks()
    print(sum(COUNTS.values()), "calls:", dict(COUNTS.most_common()))


if __name__ == "__main__":
    main()
