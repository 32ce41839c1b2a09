"""Axes to draw on, without touching the settings of matplotlib or of the user.

Who has imported pyplot gets a figure that pyplot shows; everybody else gets one that belongs to nobody. Labels are
written with `parse_math=False`: a dollar sign in them is a dollar sign.
"""

from __future__ import annotations

import sys
from textwrap import wrap
from typing import TYPE_CHECKING, Any

from ...extras import require
from ..numbers import significant
from ..svg.elements import clean

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def axes(ax: Axes | None, width: float, height: float, *, bare: bool = False) -> Axes:
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


def quiet(ax: Axes, keep: tuple[str, ...] = ("bottom",)) -> None:
    """No frame but the sides that carry something."""
    for side, spine in ax.spines.items():
        spine.set_visible(side in keep)
        spine.set_color("#94a3b8")
    ax.tick_params(colors="#475569", labelsize=9, length=3)


def minus(ax: Axes, axis: str = "x") -> None:
    """Numbers along an axis with few digits and a real minus sign."""
    from matplotlib.ticker import FuncFormatter

    formatted = ax.xaxis if axis == "x" else ax.yaxis
    formatted.set_major_formatter(FuncFormatter(lambda value, _: significant(value)))


def lines(text: str, width: int = 30, limit: int = 2) -> str:
    """A label broken into lines of so many characters, the last of them cut where it must be."""
    return "\n".join(wrap(clean(text), width, max_lines=limit, placeholder="…")) or clean(text[:width])
