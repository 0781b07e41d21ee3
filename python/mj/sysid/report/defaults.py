"""The report of an identification."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from mj.sysid._src import model_modifier
from mj.sysid._src.optimize import calculate_intervals
from mj.sysid._src.parameter import ParameterDict
from mj.sysid._src.residual import BuildModelFn
from mj.sysid._src.trajectory import ModelSequences
from mj.sysid.report.builder import ReportBuilder
from mj.sysid.report.sections.covariance import Covariance
from mj.sysid.report.sections.group import GroupSection
from mj.sysid.report.sections.insights import AutomatedInsights
from mj.sysid.report.sections.optimization_trace import OptimizationTrace
from mj.sysid.report.sections.parameter_distribution import ParameterDistribution
from mj.sysid.report.sections.parameters import ParametersTable
from mj.sysid.report.sections.row import RowSection
from mj.sysid.report.sections.signals import SignalReport
from mj.sysid.report.sections.video import VideoPlayer, caption, generate_video_from_trajectories

# Films: name, title, and which of the initial and the identified model are drawn beside the nominal one.
_FILMS = (
    ("all", "All models", True, True),
    ("init", "Initial and nominal", True, False),
    ("opt", "Identified and nominal", False, True),
)


def default_report(
    models_sequences: Sequence[ModelSequences],
    initial_params: ParameterDict,
    opt_params: ParameterDict,
    residual_fn: Callable[..., Any],
    opt_result: Any,
    title: str = "SysID",
    save_path: str | os.PathLike[str] | None = None,
    build_model: BuildModelFn | None = model_modifier.apply_param_modifiers,
    generate_videos: bool = True,
) -> ReportBuilder:
    """Make a report of an identification: films, warnings, parameters, signals, confidence, and the course of it.

    Args:
        models_sequences: models with their measured sequences.
        initial_params: parameters before.
        opt_params: parameters after.
        residual_fn: the residual that was minimized.
        opt_result: result of the optimizer, with ``jac``.
        title: title of the page.
        save_path: folder for ``report.html`` and films; needed with films.
        build_model: compiles a specification with the values of parameters; needed with films.
        generate_videos: whether to make films.

    Returns:
        The report, to which more sections can be added.
    """
    folder = None if save_path is None else Path(save_path)
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
    report = ReportBuilder(title)
    if generate_videos:
        if folder is None or build_model is None:
            raise ValueError("generate_videos needs save_path and build_model")
        report.add_section(_films(models_sequences, initial_params, opt_params, build_model, folder))
    report.add_section(AutomatedInsights("Log", opt_params))
    report.add_section(ParametersTable("Parameters", opt_params, initial_params, anchor="parameters"))

    _, before, _ = residual_fn(initial_params.as_vector(), initial_params, return_pred_all=True)
    residuals, after, measured = residual_fn(opt_params.as_vector(), opt_params, return_pred_all=True)
    controls, signals = [], []
    index = 0
    for sequences in models_sequences:
        for name, control in zip(sequences.sequence_name, sequences.control, strict=True):
            curves = {"initial": before[index][0], "measured": measured[index][0], "identified": after[index][0]}
            heading = f"{sequences.name}: {name}"
            controls.append(SignalReport(heading, sequences.gt_model, ts_dict={"control": control}))
            signals.append(SignalReport(heading, sequences.gt_model, ts_dict=curves))
            index += 1
    report.add_section(GroupSection("Controls", controls, anchor="control_signals"))
    report.add_section(GroupSection("Observations", signals, anchor="observations"))

    covariance, intervals = calculate_intervals(residuals, opt_result.jac)
    report.add_section(
        ParameterDistribution(
            "Parameter distribution",
            opt_params,
            initial_params,
            intervals if len(intervals) else None,
            anchor="param_dist",
        )
    )
    report.add_section(Covariance("Covariance and correlation", covariance, opt_params, anchor="cov"))
    extras = opt_result.get("extras")
    if extras:
        report.add_section(
            OptimizationTrace(
                "Optimization",
                extras.get("objective"),
                extras.get("candidate"),
                bounds=opt_params.get_bounds(),
                param_names=opt_params.get_non_frozen_parameter_names(),
                anchor="opt",
            )
        )
    if folder is not None:
        report.save(folder / "report.html")
    return report


def _films(
    models_sequences: Sequence[ModelSequences],
    initial_params: ParameterDict,
    opt_params: ParameterDict,
    build_model: BuildModelFn,
    folder: Path,
) -> RowSection:
    """Write films of all sequences, and return the section that shows them."""
    sequences = [trajectory for each in models_sequences for trajectory in each.measured_rollout]
    players = []
    for name, title, initial, identified in _FILMS:
        path = generate_video_from_trajectories(
            initial_params,
            opt_params,
            build_model,
            sequences,
            models_sequences[0].spec,
            folder / f"video_{name}.mp4",
            render_initial=initial,
            render_opt=identified,
        )
        legend = caption(initial=initial, identified=identified)
        players.append(
            VideoPlayer(title, path, f"video_{name}", "100%", None, autoplay=True, muted=True, caption=legend)
        )
    return RowSection(
        "Films",
        players,
        anchor="visual_comparison",
        description="Simulations from the measured initial states, with the measured controls.",
    )
