"""Results as words, tables, SVG, figures and reports."""

from .bars import bars_svg
from .graph import graph_svg

__all__ = ["bars_svg", "graph_svg"]
