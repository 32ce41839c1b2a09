"""The paper's figures, drawn by `show`: the two graphs, and contrastive bars beside the individual ones."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import Any

from ..engine.problem import strengths
from ..examples import load
from ..explain.contrast import contrast
from ..show import draw_graph, plot_attribution, plot_contrast

Figures = list[tuple[str, str]]  # (file, caption)


def can_draw() -> bool:
    """Whether matplotlib is there; the pages are complete without it."""
    return find_spec("matplotlib") is not None


def zebra(folder: Path) -> Figures:
    return _graph("zebra", folder) + _bars("zebra", "zebra", "horse", "shapley", folder)


def healthcare(folder: Path) -> Figures:
    """The graph, and Shapley and gradient bars: (a) the contrast, (b) and (c) the two treatments."""
    pair = ("healthcare", "antiviral", "antibiotic")
    return _graph("healthcare", folder) + _bars(*pair, "shapley", folder) + _bars(*pair, "gradient", folder)


def _graph(name: str, folder: Path) -> Figures:
    if not can_draw():
        return []
    from matplotlib.figure import Figure

    qbaf = load(name)
    figure = Figure(figsize=(11, 6), layout="constrained")
    draw_graph(qbaf, strengths(qbaf), ax=figure.subplots())
    return _saved(figure, f"{name}-graph.png", f"The {name} graph with its strengths", folder)


def _bars(name: str, fact: str, foil: str, method: str, folder: Path) -> Figures:
    if not can_draw():
        return []
    from matplotlib.figure import Figure

    why = contrast(load(name), fact, foil, method=method)
    figure = Figure(figsize=(18, 6), layout="constrained")
    axes = figure.subplots(1, 3)
    plot_contrast(why, ax=axes[0])
    for ax, topic in zip(axes[1:], (fact, foil), strict=True):
        plot_attribution(why.individual[topic], ax=ax)
    labels = why.qbaf.label(fact), why.qbaf.label(foil)
    caption = f"{method}: {labels[0]} over {labels[1]}; {labels[0]} alone; {labels[1]} alone"
    return _saved(figure, f"{name}-{fact}-{foil}-{method}.png", caption, folder)


def _saved(figure: Any, file: str, caption: str, folder: Path) -> Figures:
    figure.savefig(folder / file, dpi=120)
    return [(file, caption)]
