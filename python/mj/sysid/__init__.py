"""System identification: parameters of a model that make its simulation match measurements.

>>> from mj import sysid
>>> params = sysid.ParameterDict()
>>> params.add(sysid.Parameter("mass", 2.0, 0.3, 3.0, modifier=lambda spec, p: setattr(spec.body("ball"), "mass", p.value[0])))
>>> sequences = sysid.ModelSequences("ball", spec, "push", initial_state, controls, sensors)     # doctest: +SKIP
>>> residual_fn = sysid.build_residual_fn(models_sequences=[sequences])                          # doctest: +SKIP
>>> identified, result = sysid.optimize(params, residual_fn)                                     # doctest: +SKIP
>>> sysid.default_report([sequences], params, identified, residual_fn, result, save_path="out")  # doctest: +SKIP

The names and arguments are those of ``mujoco.sysid``. Packages of the extra ``sysid`` are imported when they are needed:
scipy by :func:`optimize`, pyyaml for files of parameters, jinja2, plotly and imageio for reports.
"""

from mj.sysid._src import model_modifier, parameter, signal_modifier
from mj.sysid._src.io import save_results
from mj.sysid._src.model_modifier import (
    apply_body_inertia,
    apply_dgain,
    apply_param_modifiers,
    apply_param_modifiers_spec,
    apply_pdgain,
    apply_pgain,
    body_inertia_param,
    remove_visuals,
)
from mj.sysid._src.optimize import calculate_intervals, optimize
from mj.sysid._src.parameter import InertiaType, Parameter, ParameterDict
from mj.sysid._src.plotting import render_rollout
from mj.sysid._src.residual import (
    BuildModelFn,
    CustomRolloutFn,
    ModifyResidualFn,
    build_residual_fn,
    construct_ts_from_defaults,
    model_residual,
    residual,
)
from mj.sysid._src.signal_modifier import (
    apply_bias,
    apply_delay,
    apply_delayed_ts_window,
    apply_gain,
    apply_resample_and_delay,
    get_sensor_indices,
    normalize_residual,
    weighted_diff,
)
from mj.sysid._src.signal_transform import SignalTransform
from mj.sysid._src.timeseries import SignalType, TimeSeries
from mj.sysid._src.trajectory import ModelSequences, SystemTrajectory, create_initial_state, sysid_rollout
from mj.sysid.report.defaults import default_report

__all__ = [
    "BuildModelFn",
    "CustomRolloutFn",
    "InertiaType",
    "ModelSequences",
    "ModifyResidualFn",
    "Parameter",
    "ParameterDict",
    "SignalTransform",
    "SignalType",
    "SystemTrajectory",
    "TimeSeries",
    "apply_bias",
    "apply_body_inertia",
    "apply_delay",
    "apply_delayed_ts_window",
    "apply_dgain",
    "apply_gain",
    "apply_param_modifiers",
    "apply_param_modifiers_spec",
    "apply_pdgain",
    "apply_pgain",
    "apply_resample_and_delay",
    "body_inertia_param",
    "build_residual_fn",
    "calculate_intervals",
    "construct_ts_from_defaults",
    "create_initial_state",
    "default_report",
    "get_sensor_indices",
    "model_modifier",
    "model_residual",
    "normalize_residual",
    "optimize",
    "parameter",
    "remove_visuals",
    "render_rollout",
    "residual",
    "save_results",
    "signal_modifier",
    "sysid_rollout",
    "weighted_diff",
]

for _name in __all__:
    # Pickles and messages name the public path.
    if getattr(globals()[_name], "__module__", "").startswith(f"{__name__}."):
        globals()[_name].__module__ = __name__
del _name
