"""Results as words, tables, SVG, figures and reports.

Nothing here loads matplotlib, pygraphviz, pandas, rich or shap before a function that needs it is called; a module
of this package is loaded when one of its names is first used.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .bars import bars_svg
    from .figure_bars import plot_attribution, plot_contrast, plot_waterfall
    from .figure_graph import draw_graph
    from .figure_topics import plot_pairs, plot_ranking, plot_trajectory
    from .graph import graph_svg
    from .palette import PALETTES
    from .report import fingerprint, report_html
    from .tables import to_frame, to_shap
    from .terminal import contrast_bars, pairs_table, ranking_table, strengths_table
    from .words import paragraph, sentences

_HOME = {
    "PALETTES": "palette",
    "bars_svg": "bars",
    "contrast_bars": "terminal",
    "draw_graph": "figure_graph",
    "fingerprint": "report",
    "graph_svg": "graph",
    "pairs_table": "terminal",
    "paragraph": "words",
    "plot_attribution": "figure_bars",
    "plot_contrast": "figure_bars",
    "plot_pairs": "figure_topics",
    "plot_ranking": "figure_topics",
    "plot_trajectory": "figure_topics",
    "plot_waterfall": "figure_bars",
    "ranking_table": "terminal",
    "report_html": "report",
    "sentences": "words",
    "strengths_table": "terminal",
    "to_frame": "tables",
    "to_shap": "tables",
}

__all__ = [
    "PALETTES",
    "bars_svg",
    "contrast_bars",
    "draw_graph",
    "fingerprint",
    "graph_svg",
    "pairs_table",
    "paragraph",
    "plot_attribution",
    "plot_contrast",
    "plot_pairs",
    "plot_ranking",
    "plot_trajectory",
    "plot_waterfall",
    "ranking_table",
    "report_html",
    "sentences",
    "strengths_table",
    "to_frame",
    "to_shap",
]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f".{_HOME[name]}", __name__), name)


def __dir__() -> list[str]:
    return sorted(_HOME)
