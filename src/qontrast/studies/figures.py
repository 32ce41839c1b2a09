"""The paper's figures, drawn by `show`: the two graphs, and contrastive bars beside the individual ones."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from ..contrast import Contrast, contrast
from ..examples import load
from ..solve import strengths

Figures = list[tuple[str, str]]  # (file, caption)


NEEDED = ("draw_graph", "plot_contrast", "plot_attribution")
PLACES = ("qontrast.show", "qontrast.show.figures", "qontrast.show.figure_graph", "qontrast.show.figure_bars")


def drawing() -> dict[str, Callable[..., Any]]:
    """The functions of `show` that draw, by name; none where matplotlib is not installed."""
    if find_spec("matplotlib") is None or find_spec("qontrast.show") is None:
        return {}
    modules = [import_module(place) for place in PLACES if find_spec(place) is not None]
    found = {name: getattr(module, name) for module in modules for name in NEEDED if hasattr(module, name)}
    return found if set(NEEDED) <= set(found) else {}


def zebra(folder: Path) -> Figures:
    return _graph("zebra", folder) + _bars("zebra", "zebra", "horse", "shapley", folder)


def healthcare(folder: Path) -> Figures:
    """The graph, and Shapley and gradient bars: (a) the contrast, (b) and (c) the two treatments."""
    pair = ("healthcare", "antiviral", "antibiotic")
    return _graph("healthcare", folder) + _bars(*pair, "shapley", folder) + _bars(*pair, "gradient", folder)


def _graph(name: str, folder: Path) -> Figures:
    show = drawing()
    if not show:
        return []
    qbaf = load(name)
    ax = show["draw_graph"](qbaf, strengths(qbaf))
    return _saved(ax.figure, f"{name}-graph.png", f"The {name} graph with its strengths", folder)


def _bars(name: str, fact: str, foil: str, method: str, folder: Path) -> Figures:
    show = drawing()
    if not show:
        return []
    from matplotlib.figure import Figure

    why: Contrast = contrast(load(name), fact, foil, method)
    figure = Figure(figsize=(18, 6), layout="constrained")
    axes = figure.subplots(1, 3)
    show["plot_contrast"](why, ax=axes[0])
    for ax, topic in zip(axes[1:], (fact, foil), strict=True):
        show["plot_attribution"](why.individual[topic], ax=ax)
    labels = why.qbaf.label(fact), why.qbaf.label(foil)
    caption = f"{method}: {labels[0]} over {labels[1]}; {labels[0]} alone; {labels[1]} alone"
    return _saved(figure, f"{name}-{fact}-{foil}-{method}.png", caption, folder)


def _saved(figure: Any, file: str, caption: str, folder: Path) -> Figures:
    figure.savefig(folder / file, dpi=120)
    return [(file, caption)]
