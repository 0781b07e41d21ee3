"""Parameters as text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from mj.sysid._src._parameter import Parameter
    from mj.sysid._src.parameter import ParameterDict

# Colours of terminals.
_RED, _GREEN, _YELLOW, _BLUE, _MAGENTA, _CYAN = (f"\033[{code}m" for code in range(31, 37))
_RESET = "\033[0m"

# Relative differences up to which a value is green, and up to which it is yellow.
_SMALL, _MEDIUM = 0.02, 0.1
# Relative differences above are not told: the value compared with is next to zero.
_SENSELESS = 20.0


def _coloured(text: str, colour: str) -> str:
    return f"{colour}{text}{_RESET}" if text else ""


def at_bound(value: float, lower: float, upper: float) -> bool:
    """Return whether a value lies at a bound, up to a thousandth of the bound."""
    return any(abs(value - bound) < 1e-8 + 1e-3 * abs(bound) for bound in (lower, upper))


def _value(value: float, lower: float, upper: float) -> str:
    return f"{_coloured(f'{value:.3g}', _GREEN)} ∈ [{_coloured(f'{lower:.3g}, {upper:.3g}', _YELLOW)}]"


def parameter_line(param: Parameter) -> str:
    """Return a parameter in a line."""
    name = _coloured(param.name, _CYAN)
    if param.size == 1:
        return f"{name}: {_value(param.value.item(), param.min_value.item(), param.max_value.item())}"
    bounds = _coloured(f"min={param.min_value.min():.3g}, max={param.max_value.max():.3g}", _YELLOW)
    return f"{name}: {_coloured(f'array(shape={param.shape})', _GREEN)} ∈ [{bounds}]"


def all_values(params: ParameterDict) -> str:
    """Return parameters in lines, with all elements."""
    if not len(params):
        return f"{_coloured('ParameterDict', _CYAN)}(empty)"
    lines = []
    for name, param in params.items():
        if param.size == 1:
            lines.append(f"  {parameter_line(param)}")
            continue
        lines.append(f"  {_coloured(name, _CYAN)}:")
        elements = zip(param.element_names(""), param.as_vector(), *param.get_bounds(), strict=True)
        lines += [f"    {index}: {_value(*numbers)}" for index, *numbers in elements]
    return "\n".join([f"{_coloured('ParameterDict', _CYAN)}(", *lines, ")"])


def overview(params: ParameterDict) -> str:
    """Return a table of sizes, shapes, and whether parameters are frozen."""
    if not len(params):
        return "No parameters in dictionary."
    rows = [[name, str(p.size), str(p.shape), "yes" if p.frozen else "no"] for name, p in params.items()]
    return _table(["Name", "Size", "Shape", "Frozen"], rows, [_CYAN, "", "", ""])


def _table(headers: Sequence[str], rows: Sequence[Sequence[str]], colours: Sequence[str]) -> str:
    """Return a table whose cells have the colour of their column, or one of their own."""
    widths = [max(map(len, column)) for column in zip(headers, *(_plain(row) for row in rows), strict=True)]
    rule = "+".join(["", *("-" * (width + 2) for width in widths), ""])

    def line(row: Sequence[str]) -> str:
        cells = []
        for text, plain, width, colour in zip(row, _plain(row), widths, colours, strict=True):
            padding = " " * (width - len(plain))
            cells.append(f" {_coloured(text, colour) if colour and text == plain else text}{padding} ")
        return "|".join(["", *cells, ""])

    return "\n".join([rule, line(headers), rule, *map(line, rows), rule])


def _plain(row: Sequence[str]) -> list[str]:
    out = []
    for text in row:
        if text.endswith(_RESET):
            text = text.removesuffix(_RESET).partition("m")[2]
        out.append(text)
    return out


def relative(difference: np.ndarray, base: np.ndarray) -> np.ndarray:
    """Return differences relative to a base; NaN where it is next to zero."""
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = np.abs(difference) / np.abs(base)
    return np.where((base == 0) | ~(ratio <= _SENSELESS), np.nan, ratio)


def comparison(
    params: ParameterDict,
    initial: np.ndarray,
    identified: np.ndarray,
    nominal: np.ndarray | None,
    digits: int,
) -> str:
    """Return a table of vectors before and after an identification, with errors from a nominal one."""
    names = params.get_non_frozen_parameter_names()
    if not names:
        return "No non-frozen parameters to compare."
    initial, identified = _vector("init_params", initial, names), _vector("predicted_params", identified, names)
    known = nominal is not None
    true = _vector("measured_params", nominal, names) if known else np.full(len(names), np.nan)
    change, error = identified - initial, identified - true
    relative_change, relative_error = relative(change, initial), relative(error, true)
    judged = relative_error if known else relative_change
    absolute = np.abs(error if known else change)

    def number(value: float, colour: str) -> str:
        if np.isnan(value):
            return ""
        return _coloured(f"{value: .{digits}{'e' if abs(value) < 0.01 else 'f'}}", colour)

    def percent(value: float, colour: str) -> str:
        return "" if np.isnan(value) else _coloured(f"{100 * value:.1f}%", colour)

    rows = []
    for i, (lower, upper) in enumerate(zip(*params.get_bounds(), strict=True)):
        off = absolute[i] if np.isnan(judged[i]) else judged[i]
        colour = _GREEN if off < _SMALL else _YELLOW if off < _MEDIUM else _RED
        if at_bound(identified[i], lower, upper):
            colour = _MAGENTA
        row = [_coloured(names[i], _CYAN), number(initial[i], _BLUE), number(true[i], _BLUE)]
        row += [number(identified[i], colour), number(lower, _BLUE), number(upper, _BLUE)]
        row += [number(abs(error[i]), colour), number(abs(change[i]), colour)]
        row += [percent(relative_error[i], colour), percent(relative_change[i], colour)]
        rows.append(row)
    headers = ["Parameter", "Initial", "Nominal", "Identified", "Lower", "Upper"]
    headers += ["Abs Err", "Abs Del", "Rel Err", "Rel Del"]
    rmse = f"{np.sqrt(np.mean(error**2)):.4g}" if known else ""
    table = _table(headers, rows, [""] * len(headers))
    return f"{table}\nRMSE: {rmse}\nRMS Delta: {np.sqrt(np.mean(change**2)):.4g}"


def _vector(which: str, values: np.ndarray | None, names: list[str]) -> np.ndarray:
    vector = np.ravel(np.asarray(values, dtype=np.float64))
    if vector.size != len(names):
        raise ValueError(f"{which} has {vector.size} elements; expected {len(names)}, one for each of {names}")
    return vector
