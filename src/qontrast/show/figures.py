"""What a graph or a result does when it is asked for its picture, its table, or its place in a notebook."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from ..attribution.methods import Attribution, value_title
from ..engine.problem import Strengths, strengths
from ..errors import InvalidInput, QontrastError
from ..explain.contrast import Contrast
from ..explain.pairs import Pairs, Ranking
from ..explain.trajectory import Trajectory
from ..explain.wording import TIE, number, sentence
from ..graph.labels import label_and_name
from ..graph.qbaf import Qbaf
from .frames import to_frame, to_shap
from .mpl import bars as figure_bars
from .mpl import graph as figure_graph
from .mpl import topics as figure_topics
from .svg.bars import bars_svg
from .svg.elements import Raw, element
from .svg.graph import graph_svg

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["describe", "html", "plot", "svg", "to_frame", "to_shap"]

LARGEST = 20_000  # arguments; a larger graph shows itself in a notebook by its counts


def describe(result: object) -> str:
    """Write a result as text."""
    raise InvalidInput(f"no text is known for a {type(result).__name__}")


def plot(result: object, **settings: Any) -> Axes:
    """The picture of a graph or a result as matplotlib Axes."""
    match result:
        case Qbaf():
            return figure_graph.draw_graph(result, _strengths(result), **settings)
        case Strengths():
            return figure_graph.draw_graph(result.qbaf, result, **settings)
        case Contrast():
            return figure_bars.plot_contrast(result, **settings)
        case Attribution():
            return figure_bars.plot_attribution(result, **settings)
        case Pairs():
            return figure_topics.plot_pairs(result, **settings)
        case Ranking():
            return figure_topics.plot_ranking(result, **settings)
        case Trajectory():
            return figure_topics.plot_trajectory(result, **settings)
    raise InvalidInput(f"no picture is known for a {type(result).__name__}")


def svg(qbaf: Qbaf) -> str | None:
    """A graph as its picture, with strengths where they are defined; None where it is too large to draw."""
    return None if len(qbaf) > LARGEST else graph_svg(qbaf, _strengths(qbaf))


def _strengths(qbaf: Qbaf) -> Strengths | None:
    """Strengths under the graph's own semantics; a picture does without them where there are none."""
    try:
        return strengths(qbaf)
    except QontrastError:
        return None


def html(result: object) -> str:
    """A result for a notebook: a contrast as bars and sentence, the others as a table."""
    match result:
        case Contrast():
            return element("div", element("p", sentence(result)), Raw(bars_svg(result)))
        case Strengths():
            return element("div", Raw(graph_svg(result.qbaf, result)) if len(result) <= LARGEST else str(result))
        case Attribution():
            head = (
                f"{label_and_name(result.qbaf, result.topic)}: strength {number(result.strength)}, by {result.method}"
            )
            found = [(label_and_name(result.qbaf, x), number(value, "+")) for x, value in result.ranked()[:40]]
            return element(
                "div", element("p", head), _table(["argument", value_title(result.method, "the strength")], found)
            )
        case Pairs():
            qbaf = result.phi.problem.qbaf
            names = [label_and_name(qbaf, topic) for topic in result.topics]
            rows = [
                (
                    names[i],
                    *("·" if i == j else "tied" if abs(gap) <= TIE else number(gap, "+") for j, gap in enumerate(row)),
                )
                for i, row in enumerate(result.gaps.tolist())
            ]
            return _table(["row over column", *names], rows)
    return element("pre", str(result))


def _table(heads: Iterable[str], rows: Iterable[tuple[str, ...]]) -> Raw:
    head = element("tr", *(element("th", each) for each in heads))
    body = [element("tr", *(element("td", each) for each in row)) for row in rows]
    return element("table", element("thead", head), element("tbody", *body))
