"""Results of an identification on disk."""

from __future__ import annotations

import logging
import os
import pickle
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from mj.sysid._src.optimize import calculate_intervals
from mj.sysid._src.parameter import ParameterDict
from mj.sysid._src.trajectory import ModelSequences

_log = logging.getLogger("mj.sysid")


def save_results(
    experiment_results_folder: str | os.PathLike[str],
    models_sequences: Sequence[ModelSequences],
    initial_params: ParameterDict,
    opt_params: ParameterDict,
    opt_result: Any,
    residual_fn: Callable[..., Any],
) -> None:
    """Write the results of an identification to a folder.

    The files are ``params_x_0.yaml`` and ``params_x_hat.yaml`` with the parameters before and after, the pickles
    ``results.pkl`` with the result of the optimizer and ``confidence.pkl`` with the covariance (``cov``) and the confidence
    intervals (``intervals``), and for each model the identified one, ``NAME.xml``.

    Args:
        experiment_results_folder: the folder; it is made if it is not there.
        models_sequences: models with their measured sequences; their specifications get the identified values.
        initial_params: parameters before.
        opt_params: parameters after.
        opt_result: result of the optimizer, with ``x`` and ``jac``.
        residual_fn: the residual that was minimized.
    """
    folder = Path(experiment_results_folder)
    folder.mkdir(parents=True, exist_ok=True)
    _log.info("results are written to %s", folder)
    initial_params.save_to_disk(folder / "params_x_0.yaml")
    opt_params.save_to_disk(folder / "params_x_hat.yaml")
    # The specifications have the values of the last evaluation afterwards.
    residuals = residual_fn(opt_result.x, opt_params, return_pred_all=True)[0]
    covariance, intervals = calculate_intervals(residuals, opt_result.jac)
    for name, content in (("results", opt_result), ("confidence", {"cov": covariance, "intervals": intervals})):
        with open(folder / f"{name}.pkl", "wb") as file:
            pickle.dump(content, file, protocol=pickle.HIGHEST_PROTOCOL)
    for sequences in models_sequences:
        sequences.spec.to_file(str(folder / f"{sequences.name}.xml"))
