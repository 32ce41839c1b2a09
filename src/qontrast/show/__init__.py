"""Results as words, tables, SVG, figures and reports.

Nothing here loads matplotlib, pygraphviz, pandas, rich or shap before a function that needs it is called.
"""

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
