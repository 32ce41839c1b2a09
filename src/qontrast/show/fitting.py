"""Arrange a graph for a page of paper: whole if its type can be read there, else folded as far as it takes."""

from __future__ import annotations

from collections.abc import Callable

from .folding import View
from .scene import BOLD, LABEL, Scene

PAGE_HEIGHT = 9.0  # inches
POINTS = 72.0  # of an inch
COLUMN = 4.6  # inches: a figure below is for a column
SMALLEST_TYPE, SMALLEST_IN_COLUMN = 7.0, 6.0  # points
LIMITS = (12, 9, 7, 5, 4, 3)  # arguments to draw, to be tried where the folded picture of a page is too large
FRAME = (20.0, 80.0)  # margins beside the boxes; margins and the legend above and below


def find_scale(made: Scene, width: float) -> float:
    """How many points a unit of a scene is long on a page that is so many inches wide: 1 at most."""
    high = made.height + made.above + FRAME[1]
    return min(1.0, POINTS * width / (made.width + FRAME[0]), POINTS * PAGE_HEIGHT / high)


def find_smallest_type(scale: float, width: float) -> float:
    """The smallest type of a page, in points; 0 where boxes are too small for it. Such type is not bold."""
    least = SMALLEST_IN_COLUMN if width < COLUMN else SMALLEST_TYPE
    return least if scale * BOLD * LABEL >= least else 0.0


def fill_page(arrange: Callable[..., Scene], width: float) -> Scene:
    """Arrange a graph with the largest type that a page of that width allows; fold it where that is too small."""
    room = (POINTS * width, POINTS * PAGE_HEIGHT)
    tried = [arrange(view=View(folded=False, room=room))]
    if not _can_be_read(tried[0], width):
        tried = [arrange(view=View(room=room))]
    for limit in LIMITS:
        if _can_be_read(tried[-1], width):
            return tried[-1]
        names = tuple(node.name for node in arrange(limit=limit).nodes)
        tried.append(arrange(view=View(shown=names, room=room)))
    return max(tried, key=lambda each: find_scale(each, width))


def _can_be_read(made: Scene, width: float) -> bool:
    return find_smallest_type(find_scale(made, width), width) > 0
