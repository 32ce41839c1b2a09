"""What figures are drawn on: Axes, how wide they may be, the colours and the sizes of type there.

Nothing here touches the settings of matplotlib; its style gives the colours of paper and text. Where pyplot was
imported, and in IPython and notebooks, pyplot makes the figure and shows it; elsewhere it belongs to nobody. Labels are
written with `parse_math=False`: a dollar sign in them is a dollar sign.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from ...errors import InvalidInput
from ...extras import require
from ...graph.labels import find_right_to_left, isolate_labels
from ...graph.qbaf import Qbaf
from ..numbers import significant
from ..palette import (
    SHAPE_CONTRAST,
    TEXT_CONTRAST,
    Palette,
    find_contrast,
    find_luminance,
    find_palette,
    stand_out,
)
from ..svg.elements import clean, wrap_text

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.axis import Axis
    from matplotlib.figure import Figure
    from matplotlib.text import Text

WIDTH = 7.0  # inches of a new figure: the text block of a page
SLIM, SLIM_TYPE = 4.6, 0.84  # a figure below so many inches has smaller type
LABELS = 0.36  # share of the width that the labels of rows may take, if nothing else is said
MANY_ROWS = 10  # a figure with more has shorter labels, so that it fits a page
LINE = 1.36  # of the size of type: from one line to the next
SLACK = 1.03  # hinting makes texts a little wider than their font says
TEXTS = ("ink", "muted", "fact_ink", "foil_ink")
SHAPES = ("outline", "topic", "fill", "fact", "foil", "fact_soft", "foil_soft", "attack", "support")


@dataclass(frozen=True)
class Sheet:
    """Axes with what one needs to write on them; lengths are in inches, sizes of type in points."""

    ax: Axes
    width: float  # of the figure, or of the place that the Axes have in it
    colours: Palette
    own: bool  # whether the figure is new, so that its height and its margins are ours
    labels: float = LABELS  # share of the width that the labels of rows may take
    turned: re.Pattern[str] | None = None  # the labels that are written from right to left

    @property
    def slim(self) -> bool:
        """Whether it is as narrow as a column of a page."""
        return self.width < SLIM

    @property
    def label_width(self) -> float:
        """How wide the labels of rows may be."""
        return self.labels * self.width

    @property
    def left(self) -> float:
        """Where texts begin that stand at the left of the figure, as a share of its width."""
        left, right = _find_slot(self.ax)
        return left + 0.1 / self.width * (right - left)

    def size(self, points: float) -> float:
        """The size of type for one that is so large in a wide figure."""
        return points * SLIM_TYPE if self.slim else points

    def line_height(self, points: float, lines: int = 1) -> float:
        """How high so many lines are."""
        return LINE * self.size(points) / 72 * lines

    def wrap(self, text: str, inches: float, points: float, limit: int = 2, bold: bool = False) -> str:
        """Break a text into lines of that width, the last of them cut where it must be."""
        from .fonts import draws_both_ways, find_advance

        width = max(inches * 72 / SLACK, 2.5 * self.size(points))
        advance = partial(find_advance, bold=bold)
        if draws_both_ways():
            text = isolate_labels(text, self.turned)
        return "\n".join(_close_isolates(wrap_text(clean(text), width, self.size(points), limit, advance)))

    def wrap_parts(self, parts: Sequence[str], points: float = 9.5, *, rows: int = 1) -> str:
        """Break the label of one of so many rows: on few lines, one for each of two parts that do not fit on one."""
        whole, lines = " ".join(parts), 3 if self.slim and rows <= MANY_ROWS else 2
        if len(parts) == 1 or "\n" not in self.wrap(whole, self.label_width, points):
            return self.wrap(whole, self.label_width, points, lines)
        return "\n".join(self.wrap(part, self.label_width, points, 1) for part in parts)

    def measure(self, text: str, points: float, bold: bool = False) -> float:
        """How wide the widest line of a text is."""
        from .fonts import find_advance

        lines = text.split("\n")
        wide = max(sum(find_advance(char, bold) for char in line) for line in lines)
        return SLACK * wide * self.size(points) / 72

    def write_caption(self, *lines: str, axis: Axis | None = None) -> None:
        """Write what is shown below the Axes."""
        axis = axis or self.ax.xaxis
        width = self.width - 0.2 if self.own else 0.66 * self.width  # under Axes that are not ours it stays where it is
        text = "\n".join(self.wrap(line, width, 8.5, 6) for line in lines)
        axis.set_label_text(text, fontsize=self.size(8.5), color=self.colours.muted, parse_math=False)

    def write_title(self, text: str) -> None:
        """Write a title, whose lines are broken already, in the middle of the figure."""
        from matplotlib.transforms import blended_transform_factory

        title = self.ax.set_title(text, fontsize=self.size(10), color=self.colours.ink, parse_math=False)
        if self.own:
            title.set_transform(blended_transform_factory(self.ax.figure.transSubfigure, title.get_transform()))

    def write_heads(self, foil: str, fact: str) -> None:
        """Write over the two ends which side is whose."""
        from matplotlib.transforms import blended_transform_factory

        font: dict[str, Any] = {"fontsize": self.size(9), "fontweight": "bold", "parse_math": False}
        room = (self.width - 0.35) / 2
        ax, (left, right) = self.ax, _find_slot(self.ax)
        share, titles = 0.1 / self.width * (right - left), []
        for side, text, colour, x in (
            ("left", foil, self.colours.foil_ink, left + share),
            ("right", fact, self.colours.fact_ink, right - share),
        ):
            said = self.wrap(text, room, 9, 3, bold=True)
            title = ax.set_title(said, loc=side, color=colour, **font)  # type: ignore[arg-type]
            title.set_x(x)
            titles.append(title)
        for title in titles:  # set_title gives every title its own transformation back
            title.set_transform(blended_transform_factory(ax.figure.transSubfigure, title.get_transform()))

    def write_numbers(self, texts: Sequence[str], points: float = 9.5, ax: Axes | None = None) -> float:
        """Write a number at the right of every row, and say how much room they take."""
        room = max((self.measure(text, points) for text in texts), default=0.0)
        place: dict[str, Any] = {"xycoords": ("axes fraction", "data"), "textcoords": "offset points"}
        for k, text in enumerate(texts):
            font: dict[str, Any] = {"fontsize": self.size(points), "color": self.colours.ink, "va": "center"}
            (ax or self.ax).annotate(text, (1, k), (6 + 72 * room, 0), ha="right", **font, **place)
        return room

    def label_rows(self, labels: Sequence[str], points: float = 9.5, ax: Axes | None = None) -> None:
        """Write the labels of rows on the left, the first on top, and numbers below."""
        ax = ax or self.ax
        ax.set_yticks(range(len(labels)), labels, parse_math=False)
        ax.set_ylim(len(labels) - 0.45, -0.6)
        self.hide_frame(ax)
        ax.grid(False, axis="y")
        ax.tick_params(axis="y", length=0, labelcolor=self.colours.ink, labelsize=self.size(points))
        format_numbers(ax.xaxis)
        ax.locator_params(axis="x", nbins=3 if self.slim else 7)

    def hide_frame(self, ax: Axes | None = None, keep: tuple[str, ...] = ("bottom",)) -> None:
        """Hide the sides of the frame but those that carry something."""
        ax = ax or self.ax
        for side, spine in ax.spines.items():
            spine.set_visible(side in keep)
            spine.set_color(self.colours.outline)
        ax.tick_params(color=self.colours.outline, labelcolor=self.colours.muted, labelsize=self.size(9), length=3)

    def row_height(self, labels: Sequence[str], points: float = 9.5, least: float = 0.0) -> float:
        """How high a row is that has room for each of the labels."""
        lines = max((label.count("\n") + 1 for label in labels), default=1)
        return max(least, self.line_height(points, lines) + 0.06)

    def finish_texts(self) -> Axes:
        """Find fonts for all texts."""
        from .fonts import set_fonts

        set_fonts(_find_texts(self.ax))
        return self.ax

    def finish(self, inner: float) -> Axes:
        """Find fonts; a new figure gets Axes of that height and room for everything around them."""
        self.finish_texts()
        if self.own:
            from .fit import fit_height

            fit_height(self.ax, inner)
        return self.ax


def check_width(width: float) -> float:
    """Refuse what is no width of a figure in inches."""
    if isinstance(width, bool) or not isinstance(width, int | float) or not 1 <= width <= 100:
        raise InvalidInput(f"width is {width!r}; give the width of the figure in inches, from 1 to 100")
    return float(width)


def start_sheet(
    ax: Axes | None,
    palette: str,
    width: float | None = None,
    *,
    qbaf: Qbaf | None = None,
    natural: float = WIDTH,
    bare: bool = False,
    labels: float | None = None,
) -> Sheet:
    """Take the given Axes, or those of a new figure so many inches wide."""
    require("matplotlib", "a figure")
    find_palette(palette)  # an unknown one is refused before a figure is made
    texts: Any = {"labels": labels or LABELS, "turned": None if qbaf is None else find_right_to_left(qbaf)}
    if ax is not None:
        left, right = _find_slot(ax)
        page = ax.get_figure(root=True)
        assert page is not None
        return Sheet(ax, (right - left) * page.get_figwidth(), _find_colours(ax, palette, bare), own=False, **texts)
    wide = natural if width is None else check_width(width)
    settings: dict[str, Any] = {"figsize": (wide, 4.0)}
    if not bare:
        from .fit import Fit

        settings["layout"] = Fit()
    figure = _make_figure(**settings)
    made: Axes = figure.add_axes((0.0, 0.0, 1.0, 1.0)) if bare else figure.add_subplot()
    return Sheet(made, wide, _find_colours(made, palette, bare), own=True, **texts)


def _make_figure(**settings: Any) -> Figure:
    """Make a figure by pyplot where somebody may wait for pyplot to show it."""
    ipython = sys.modules.get("IPython")  # a notebook shows the figures of pyplot, and no others, below a cell
    if "matplotlib.pyplot" in sys.modules or (ipython is not None and ipython.get_ipython() is not None):
        from matplotlib import pyplot

        return pyplot.figure(**settings)
    from matplotlib.figure import Figure

    return Figure(**settings)


def _find_slot(ax: Axes) -> tuple[float, float]:
    """Where the place of Axes in their figure begins and ends, as shares of its width."""
    spec = ax.get_subplotspec()
    if spec is None:
        box = ax.get_position(original=True)
        return float(box.x0), float(box.x1)
    columns = spec.get_gridspec().ncols
    return spec.colspan.start / columns, spec.colspan.stop / columns


def _find_colours(ax: Axes, palette: str, bare: bool) -> Palette:
    """The palette on the paper of the style: dark or light, and strong enough to be seen on it.

    Bare Axes do not paint their own paper: that of the figure is seen.
    """
    from matplotlib import rcParams
    from matplotlib.colors import to_hex, to_rgba

    def paint(colour: Any, under: str) -> str:
        *above, alpha = to_rgba(colour)
        red, green, blue = (alpha * a + (1 - alpha) * b for a, b in zip(above, to_rgba(under), strict=False))
        return to_hex((red, green, blue))

    page = paint(ax.figure.get_facecolor(), "#ffffff")
    paper = page if bare else paint(ax.get_facecolor(), page)
    colours = find_palette(palette, find_luminance(paper) < 0.18)
    text = to_hex(rcParams["text.color"])
    if text != "#000000" and min(find_contrast(text, each) for each in (page, paper)) >= TEXT_CONTRAST:
        colours = replace(colours, ink=text)
    if {page, paper} == {colours.paper}:
        return colours
    changed = {name: stand_out(colours[name], (page, paper), TEXT_CONTRAST) for name in TEXTS}
    changed |= {name: stand_out(colours[name], (paper,), SHAPE_CONTRAST) for name in SHAPES}
    assert changed.keys() <= {each.name for each in fields(Palette)}
    return replace(colours, paper=paper, **changed)


def _find_texts(ax: Axes) -> list[Text]:
    """All texts of Axes and of those inside them."""
    found: list[Text] = []
    for each in (ax, *ax.child_axes):
        found += [*each.texts, *each.get_xticklabels(), *each.get_yticklabels(), each.xaxis.label, each.yaxis.label]
        found += [each.title, each._left_title, each._right_title]  # type: ignore[attr-defined]
    return [text for text in found if text.get_text()]


def _close_isolates(lines: Iterable[str]) -> list[str]:
    """Close an isolate that goes on in the next line, and open it again there: matplotlib draws each line alone."""
    found, inside = [], ""
    for line in lines:
        whole = inside + line
        inside = "\u2068" * (whole.count("\u2068") - whole.count("\u2069"))
        found.append(whole + "\u2069" * len(inside))
    return found


def format_numbers(axis: Axis) -> None:
    """Write the numbers along an axis with few digits and a real minus sign."""
    axis.set_major_formatter(lambda value, _: significant(value))
