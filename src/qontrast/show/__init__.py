"""Results as words, tables, SVG, figures and reports.

Nothing here loads matplotlib, pygraphviz, pandas, rich or shap before a function that needs it is called; a module
of this package is loaded when one of its names is first used.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .figures import FIGURES, draw_figure
    from .frames import to_shap
    from .hashing import fingerprint
    from .html.report import report_html
    from .mpl.bars import plot_attribution, plot_contrast, plot_waterfall
    from .mpl.changes import plot_change, plot_history
    from .mpl.edges import plot_edges
    from .mpl.graph import draw_graph
    from .mpl.interactions import plot_interactions
    from .mpl.semantics import plot_semantics
    from .mpl.topics import plot_pairs, plot_ranking, plot_trajectory
    from .mpl.uncertainty import plot_uncertainty
    from .narrative import account, paragraph, sentence, sentences
    from .palette import PALETTES
    from .presentation import describe, plot, to_frame
    from .svg.bars import bars_svg
    from .svg.graph import graph_svg
    from .terminal import contrast_bars, interactions_table, pairs_table, ranking_table, strengths_table

_NAMES = {
    "figures": ("FIGURES", "draw_figure"),
    "frames": ("to_shap",),
    "hashing": ("fingerprint",),
    "html.report": ("report_html",),
    "mpl.bars": ("plot_attribution", "plot_contrast", "plot_waterfall"),
    "mpl.changes": ("plot_change", "plot_history"),
    "mpl.edges": ("plot_edges",),
    "mpl.graph": ("draw_graph",),
    "mpl.interactions": ("plot_interactions",),
    "mpl.semantics": ("plot_semantics",),
    "mpl.uncertainty": ("plot_uncertainty",),
    "mpl.topics": ("plot_pairs", "plot_ranking", "plot_trajectory"),
    "narrative": ("account", "paragraph", "sentence", "sentences"),
    "palette": ("PALETTES",),
    "presentation": ("describe", "plot", "to_frame"),
    "svg.bars": ("bars_svg",),
    "svg.graph": ("graph_svg",),
    "terminal": ("contrast_bars", "interactions_table", "pairs_table", "ranking_table", "strengths_table"),
}
_HOME = {name: module for module, names in _NAMES.items() for name in names}

__all__ = [
    "FIGURES",
    "PALETTES",
    "account",
    "bars_svg",
    "contrast_bars",
    "describe",
    "draw_figure",
    "draw_graph",
    "fingerprint",
    "graph_svg",
    "interactions_table",
    "pairs_table",
    "paragraph",
    "plot",
    "plot_attribution",
    "plot_change",
    "plot_contrast",
    "plot_edges",
    "plot_history",
    "plot_interactions",
    "plot_pairs",
    "plot_ranking",
    "plot_semantics",
    "plot_trajectory",
    "plot_uncertainty",
    "plot_waterfall",
    "ranking_table",
    "report_html",
    "sentence",
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
