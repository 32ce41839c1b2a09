"""The paper's figures, drawn by `show`: the two graphs, and contrastive bars beside the individual ones."""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from ..engine.problem import strengths
from ..examples import load
from ..explain.contrast import contrast
from ..show import draw_graph, plot_attribution, plot_contrast
from .page import Figures


def can_draw() -> bool:
    """Whether matplotlib is there; the pages are complete without it."""
    return find_spec("matplotlib") is not None


def draw(
    path: Path, caption: str, paint: Callable[[Any], object], *, columns: int = 1, size: tuple[float, float]
) -> Figures:
    """Let `paint` draw on the axes of a figure and save it; nothing where matplotlib is not installed."""
    if not can_draw():
        return []
    from matplotlib.figure import Figure

    figure = Figure(figsize=size, layout="constrained")
    paint(figure.subplots(1, columns, squeeze=False)[0])
    figure.savefig(path, dpi=120)
    return [(path.name, caption)]


def zebra(folder: Path) -> Figures:
    return [*_graph("zebra", folder), *_bars("zebra", "zebra", "horse", "shapley", folder)]


def healthcare(folder: Path) -> Figures:
    """The graph, and Shapley and gradient bars: (a) the contrast, (b) and (c) the two treatments."""
    pair = ("healthcare", "antiviral", "antibiotic")
    return [*_graph("healthcare", folder), *_bars(*pair, "shapley", folder), *_bars(*pair, "gradient", folder)]


def _graph(name: str, folder: Path) -> Figures:
    qbaf = load(name)
    caption = f"The {name} graph with its strengths"
    return draw(
        folder / f"{name}-graph.png", caption, lambda axes: draw_graph(qbaf, strengths(qbaf), ax=axes[0]), size=(11, 6)
    )


def _bars(name: str, fact: str, foil: str, method: str, folder: Path) -> Figures:
    why = contrast(load(name), fact, foil, method=method)
    labels = why.qbaf.label(fact), why.qbaf.label(foil)
    caption = f"{method}: {labels[0]} over {labels[1]}; {labels[0]} alone; {labels[1]} alone"

    def paint(axes: Any) -> None:
        plot_contrast(why, ax=axes[0])
        for ax, topic in zip(axes[1:], (fact, foil), strict=True):
            plot_attribution(why.individual[topic], ax=ax)

    return draw(folder / f"{name}-{fact}-{foil}-{method}.png", caption, paint, columns=3, size=(18, 6))
