"""Pictures, figures and reports as files, drawn by `show`."""

from __future__ import annotations

from dataclasses import dataclass

from ..show import bars_svg, graph_svg
from ..solve import strengths
from . import limits, schemas
from .explain import why
from .graphs import graph_of


@dataclass(frozen=True)
class Picture:
    """A file that is sent as it is."""

    content: bytes
    media: str


MEDIA = {"svg": "image/svg+xml", "pdf": "application/pdf", "png": "image/png"}
FIGURES: dict[str, str] = {}


def draw(asked: schemas.Draw) -> Picture:
    """The graph, or the bars of a contrast, as SVG."""
    qbaf = graph_of(asked)
    if asked.picture == "bars":
        svg = bars_svg(why(qbaf, asked), palette=asked.palette, dark=asked.dark)
    else:
        found = strengths(qbaf, asked.semantics, solver=asked.solver)
        svg = graph_svg(
            qbaf, found, fact=asked.fact, foil=asked.foil, palette=asked.palette, dark=asked.dark, most=limits.DRAWN
        )
    return Picture(svg.encode(), MEDIA["svg"])


def figure(asked: schemas.Figure) -> Picture:
    raise NotImplementedError


def report(asked: schemas.Contrast) -> Picture:
    raise NotImplementedError
