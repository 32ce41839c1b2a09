"""Place Axes in a figure so that all of their texts are in it: a layout engine of matplotlib.

Matplotlib's own layouts keep no room for a long label below or above Axes; this one shifts it into the figure.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.layout_engine import LayoutEngine
from matplotlib.transforms import Bbox

if TYPE_CHECKING:
    from matplotlib.axes._base import _AxesBase
    from matplotlib.backend_bases import RendererBase

PAD = 0.07  # inches around everything
NARROWEST = 0.4  # inches, of Axes


class Fit(LayoutEngine):
    """Give the only Axes of a figure all the room that their texts leave."""

    _adjust_compatible = False
    _colorbar_gridspec = True

    def execute(self, fig: Figure) -> None:
        """Place the Axes; matplotlib calls this before it draws."""
        if len(fig.axes) == 1:
            ax = fig.axes[0]
            _set_position(fig, ax, _measure_margins(fig, ax))


def fit_height(ax: Axes, inner: float) -> None:
    """Make the figure as high as Axes of `inner` inches and the texts around them need."""
    figure = ax.figure
    assert isinstance(figure, Figure)
    width = figure.get_figwidth()
    ax.set_position((0.4, 0.1, 0.5, inner / figure.get_figheight()))
    with without_glyph_warnings():
        margins = _measure_margins(figure, ax)
        figure.set_size_inches(width, inner + margins[2] + margins[3] + 2 * PAD)
        _set_position(figure, ax, margins)


@contextmanager
def without_glyph_warnings() -> Iterator[None]:
    """Silence matplotlib about characters without a font: a FontWarning has named all of them."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph .* missing from")
        yield


def _set_position(figure: Figure, ax: Axes, margins: tuple[float, float, float, float]) -> None:
    """Give the Axes the room that their texts leave, and shift long labels into the figure."""
    width, height = figure.get_size_inches()
    left, right, below, above = margins
    wide, high = width - left - right - 2 * PAD, height - below - above - 2 * PAD
    wide, high = max(NARROWEST, wide), max(NARROWEST, high)
    ax.set_position(((left + PAD) / width, (below + PAD) / height, wide / width, high / height))
    for each in (ax, *ax.child_axes):
        _shift_label(each, width)


def _measure_margins(figure: Figure, ax: Axes) -> tuple[float, float, float, float]:
    """How far texts reach beyond the Axes, in inches: left, right, below, above."""
    ax.apply_aspect()
    renderer = figure._get_renderer()  # type: ignore[attr-defined] # a text keeps the first, and its resolution
    own, boxes = ax.get_window_extent(), list(_find_boxes(ax, renderer))
    for child in ax.child_axes:
        _place_child(child)
        boxes += _find_boxes(child, renderer)
    around = Bbox.union([own, *boxes])
    reach = (own.x0 - around.x0, around.x1 - own.x1, own.y0 - around.y0, around.y1 - own.y1)
    left, right, below, above = (max(0.0, each) / figure.dpi for each in reach)
    return left, right, below, above


def _place_child(child: _AxesBase) -> None:
    """Put Axes that are inside others where these want them."""
    locator = child.get_axes_locator()
    if locator is not None:
        child.apply_aspect(locator(child, None))  # type: ignore[arg-type]


def _find_boxes(ax: _AxesBase, renderer: RendererBase) -> list[Bbox]:
    """The boxes of texts; labels and titles that may be shifted count for their height alone."""
    boxes = [axis.get_tightbbox(renderer, for_layout_only=True) for axis in (ax.xaxis, ax.yaxis)]
    boxes += [text.get_window_extent(renderer) for text in ax.texts if text.get_in_layout() and text.get_text()]
    middle = ax.get_window_extent()
    for title in (ax.title, ax._left_title, ax._right_title):  # type: ignore[attr-defined]
        if title.get_text():
            box = title.get_window_extent(renderer)
            boxes.append(Bbox([[middle.x0, box.y0], [middle.x1, box.y1]]))
    return [box for box in boxes if box is not None]


def _shift_label(ax: _AxesBase, width: float) -> None:
    """Move the label of the horizontal axis so far that it is in the figure."""
    label = ax.xaxis.label
    _place_child(ax)
    if not label.get_text():
        return
    page: Any = ax.get_figure(root=True)
    dots, renderer = page.dpi, page._get_renderer()
    own, half = ax.get_window_extent(), label.get_window_extent(renderer).width / 2
    low, high = PAD * dots + half, (width - PAD) * dots - half
    centre = min(max((own.x0 + own.x1) / 2, low), max(low, high))
    label.set_x((centre - own.x0) / own.width)
