"""Multi-joint dynamics with soft contacts: MuJoCo's models, results and interface, on an engine of its own.

>>> import mj
>>> model = mj.MjModel.from_xml_string("<mujoco><worldbody><body><freejoint/><geom size='.1'/></body></worldbody></mujoco>")
>>> data = mj.MjData(model)
>>> mj.mj_step(model, data, nstep=100)
>>> round(data.time, 3)
0.2
"""

from . import _functions, _specs, rollout, solvers
from ._constants import *  # noqa: F403
from ._enums import *  # noqa: F403
from ._decompose import Surface, decompose
from ._drawing.context import MjrContext
from ._drawing.mjr import MjrRendererInfo
from ._drawing.recording import Recording, show
from ._drawing.renderer import Renderer
from ._derivative import InverseDerivative, StepDerivative, inverse_derivative, step_derivative
from ._errors import Diagnostic, FatalError, LoadError, UnexpectedError
from ._explain import explain
from ._impulse import ImpulsePipeline
from ._log import MjLogConfig
from ._many.worlds import Batch
from ._scene import MjrRect, MjvCamera, MjvFigure, MjvGeom, MjvGLCamera, MjvLight, MjvOption, MjvPerturb, MjvScene
from ._specs import *  # noqa: F403
from ._structs import *  # noqa: F403
from ._structs import MjData, MjModel
from ._version import __version__
from ._viewing import view
from .alias import as_mujoco
from .gl_context import GLContext
from .vfs import MjVfs

globals().update({name: value for name, value in vars(_functions).items() if name.startswith(_functions.PREFIXES)})

MjModel.bind = MjData.bind = _specs.bind
