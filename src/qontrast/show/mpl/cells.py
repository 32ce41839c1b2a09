"""A table of coloured cells with a number in each, as a matplotlib figure: all pairs of topics, or of players."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .axes import Sheet

CELL_TYPE, LABEL_TYPE = 9.0, 9.0
SMALLEST = 6.0  # points, of a number that can be read in print
ROW_LABELS = 0.3  # share of the width
TURNED_LABEL = 1.3  # inches that a label may be long that stands upright
LEFT_OUT = "the numbers are left out, since the cells are too narrow; a wider figure has them"


def draw_cells(
    sheet: Sheet,
    values: NDArray[np.float64],
    texts: Sequence[Sequence[str]],
    columns: Sequence[str],
    rows: Sequence[str],
    *,
    top: bool,
) -> tuple[float, list[str]]:
    """Draw a cell for each value that is not NaN, with its text; return the height of the Axes and what to note.

    Texts and the labels of columns stand upright where the columns are too narrow for them.
    """
    ax = sheet.ax
    labels = [sheet.wrap(label, ROW_LABELS * sheet.width, LABEL_TYPE, 3 if sheet.slim else 2) for label in rows]
    used = max(sheet.measure(label, LABEL_TYPE) for label in labels)
    cell = (sheet.width - used - 0.25) / len(columns)
    height = sheet.row_height(labels, LABEL_TYPE, least=0.3 if sheet.slim else 0.42)
    height = max(height, _write_texts(sheet, texts, cell))
    _paint(sheet, values)
    _label_columns(sheet, columns, cell, top)
    font = {"fontsize": sheet.size(LABEL_TYPE)}
    ax.set_yticks(range(len(labels)), labels, parse_math=False, **font)  # type: ignore[arg-type]
    sheet.hide_frame(keep=())
    ax.grid(False)
    ax.set_xticks(np.arange(len(columns) + 1) - 0.5, minor=True)
    ax.set_yticks(np.arange(len(rows) + 1) - 0.5, minor=True)
    ax.grid(which="minor", color=sheet.colours.paper, linewidth=1.5 if sheet.slim else 2.5, linestyle="-")
    ax.tick_params(which="both", length=0, labelcolor=sheet.colours.ink)
    ax.tick_params(axis="y", labelsize=sheet.size(LABEL_TYPE))
    return height * len(rows), [] if ax.texts else [LEFT_OUT]


def _paint(sheet: Sheet, values: NDArray[np.float64]) -> None:
    from matplotlib.colors import LinearSegmentedColormap

    colours, largest = sheet.colours, float(np.nanmax(np.abs(values), initial=0.0)) or 1.0
    hues = [colours.foil, colours.foil_soft, colours.paper, colours.fact_soft, colours.fact]
    ramp = LinearSegmentedColormap.from_list("qx", hues)
    reach = 2.2 * largest  # the strongest cells are so pale that ink can be read on them
    sheet.ax.imshow(values, cmap=ramp, vmin=-reach, vmax=reach, aspect="auto")


def _write_texts(sheet: Sheet, texts: Sequence[Sequence[str]], cell: float) -> float:
    """Write the texts where they fit, and return how high a row has to be for them."""
    longest = max(sheet.measure(text, CELL_TYPE) for row in texts for text in row)
    size, turned = sheet.size(CELL_TYPE), False
    if longest > 0.92 * cell:
        turned = size * 0.92 * cell / longest < SMALLEST
        size = min(size, 72 * cell / 1.3) if turned else size * 0.92 * cell / longest
    if size < SMALLEST:
        return 0.0
    font: dict[str, Any] = {"ha": "center", "va": "center", "fontsize": size, "rotation": 90 if turned else 0}
    for i, row in enumerate(texts):
        for j, text in enumerate(row):
            sheet.ax.text(j, i, text, color=sheet.colours.ink, **font)
    return longest * size / sheet.size(CELL_TYPE) + 0.08 if turned else 0.0


def _label_columns(sheet: Sheet, columns: Sequence[str], cell: float, top: bool) -> None:
    """Write the labels of the columns above or below, upright where their words are wider than a cell."""
    words = [word for label in columns for word in label.split()]
    size, place = sheet.size(LABEL_TYPE), {"top": top, "labeltop": top, "bottom": not top, "labelbottom": not top}
    if max((sheet.measure(word, LABEL_TYPE) for word in words), default=0.0) <= 0.9 * cell:
        labels, turn = [sheet.wrap(label, 0.9 * cell, LABEL_TYPE, 3) for label in columns], 0
    else:
        limit = 2 if 0.9 * cell >= sheet.line_height(LABEL_TYPE, 2) else 1
        size = min(size, 72 * cell / (1.3 * limit))
        length = min(TURNED_LABEL, 0.3 * sheet.width) * sheet.size(LABEL_TYPE) / size
        labels, turn = [sheet.wrap(label, length, LABEL_TYPE, limit) for label in columns], 90
    sheet.ax.set_xticks(range(len(columns)), labels, parse_math=False, rotation=turn, fontsize=size)
    sheet.ax.tick_params(axis="x", **place)
