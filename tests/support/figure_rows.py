"""Read the rows of a matplotlib figure back: label, number and bars of each, and the cells of a table."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from qontrast.show.numbers import UNDEFINED

RAISED = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹−", "-0123456789-")
NUMBER = re.compile(r"([+−-]?)(\d+(?:[.,]\d+)?)(?:·10([⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+))?( %)?")
NO_NUMBERS = {"·", "–", "", "kink", UNDEFINED, "no strengths", "removed"}


def read_number(text: str) -> float:
    """Read a number as people write it; a percentage is a share."""
    match = NUMBER.match(text)
    assert match is not None, text
    sign, digits, power, percent = match.groups()
    value = float(digits.replace(",", ".")) * 10.0 ** int((power or "0").translate(RAISED))
    return (-value if sign in ("−", "-") else value) / (100 if percent else 1)


def is_written(text: str, value: float, *, signed: bool = True) -> bool:
    """Whether a text is this number to its last digit, with its sign; a tie is called so, and 0 has no sign."""
    if text in ("tied", "≈ 0"):
        return abs(value) < (1e-10 if text == "tied" else 5e-4)
    match = NUMBER.match(text)
    if match is None:
        return False
    sign, digits, power, percent = match.groups()
    step = 10.0 ** (
        int((power or "0").translate(RAISED)) - len(re.split("[.,]", digits)[1:] and re.split("[.,]", digits)[1])
    )
    step /= 100 if percent else 1
    zero = not digits.strip("0.,")
    if signed and not zero and bool(sign == "+") != (value > 0):
        return False
    if zero and digits == "0" and not percent and value != 0:
        return False
    return abs(read_number(text) - value) <= 0.5000001 * step


@dataclass(frozen=True)
class FigureRow:
    """One row: its label, its number as text, and its bars as (beginning, length), from the top down."""

    label: str
    number: str
    bars: tuple[tuple[float, float], ...]
    colours: tuple[tuple[float, ...], ...]


def join_lines(text: str) -> str:
    """Join the lines of a label."""
    return " ".join(text.split())


def read_rows(ax: Any) -> list[FigureRow]:
    """Read the rows of Axes whose first row is on top."""
    from matplotlib.patches import Rectangle
    from matplotlib.text import Annotation

    labels = [join_lines(each.get_text()) for each in ax.get_yticklabels()]
    numbers = {round(each.xy[1]): each.get_text() for each in ax.texts if isinstance(each, Annotation)}
    bars: dict[int, list[Any]] = {}
    for each in ax.patches:
        if isinstance(each, Rectangle):
            bars.setdefault(round(each.get_y() + each.get_height() / 2), []).append(each)
    found = []
    for k, label in enumerate(labels):
        own = sorted(bars.get(k, []), key=lambda bar: float(bar.get_y()))
        spans = tuple((float(bar.get_x()), float(bar.get_width())) for bar in own)
        found.append(FigureRow(label, numbers.get(k, ""), spans, tuple(bar.get_facecolor() for bar in own)))
    return found


def read_cells(ax: Any) -> dict[tuple[str, str], str]:
    """Read a table of cells: (label of the row, label of the column) → text."""
    rows, columns = ([join_lines(each.get_text()) for each in axis.get_ticklabels()] for axis in (ax.yaxis, ax.xaxis))
    return {(rows[y], columns[x]): each.get_text() for each in ax.texts for x, y in [each.get_position()]}
