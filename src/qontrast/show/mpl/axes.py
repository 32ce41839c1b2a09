"""Axes to draw on, without touching the settings of matplotlib or of the user.

Who has imported pyplot gets a figure that pyplot shows; everybody else gets one that belongs to nobody. Labels are
written with `parse_math=False`: a dollar sign in them is a dollar sign.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from textwrap import wrap
from typing import TYPE_CHECKING, Any

from ...extras import require
from ..numbers import significant
from ..svg.elements import clean

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.axis import Axis


def make_axes(ax: Axes | None, width: float, height: float, *, bare: bool = False) -> Axes:
    """The given Axes, or those of a new figure of that size in inches."""
    if ax is not None:
        return ax
    settings: dict[str, Any] = {"figsize": (width, height)} | ({} if bare else {"layout": "constrained"})
    if "matplotlib.pyplot" in sys.modules:
        figure = sys.modules["matplotlib.pyplot"].figure(**settings)
    else:
        require("matplotlib", "a figure")
        from matplotlib.figure import Figure

        figure = Figure(**settings)
    if not bare:
        figure.get_layout_engine().set(w_pad=0.1, h_pad=0.1)
    made: Axes = figure.add_axes((0.0, 0.0, 1.0, 1.0)) if bare else figure.add_subplot()
    return made


def hide_frame(ax: Axes, keep: tuple[str, ...] = ("bottom",)) -> None:
    """Hide the sides of the frame but those that carry something."""
    for side, spine in ax.spines.items():
        spine.set_visible(side in keep)
        spine.set_color("#94a3b8")
    ax.tick_params(colors="#475569", labelsize=9, length=3)


def format_numbers(axis: Axis) -> None:
    """Write the numbers along an axis with few digits and a real minus sign."""
    axis.set_major_formatter(lambda value, _: significant(value))


def label_rows(ax: Axes, labels: list[str], ink: str, size: float) -> None:
    """Write the labels of rows on the left, the first on top, and numbers below."""
    ax.set_yticks(range(len(labels)), labels, parse_math=False)
    ax.set_ylim(len(labels) - 0.45, -0.6)
    hide_frame(ax)
    ax.tick_params(axis="y", length=0, labelcolor=ink, labelsize=size)
    format_numbers(ax.xaxis)


def wrap_ends(parts: Sequence[str], width: int = 30) -> str:
    """A label of one or two parts in two lines at most: a line for each of two parts that do not fit on one.

    >>> wrap_ends(["It has stripes", "→ It is a zebra"], 20)
    'It has stripes\\n→ It is a zebra'
    """
    whole = " ".join(parts)
    if len(parts) == 1 or len(whole) <= width:
        return wrap_label(whole, width)
    return "\n".join(wrap_label(part, width, 1) for part in parts)


def wrap_label(text: str, width: int = 30, limit: int = 2) -> str:
    """A label broken into lines of so many characters, the last of them cut where it must be."""
    return "\n".join(wrap(clean(text), width, max_lines=limit, placeholder="…")) or clean(text[:width])
