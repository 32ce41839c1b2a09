"""How every result is shown: the table PRESENTATIONS, one row for each class, and the functions that look it up.

Results ask for this module by `results.base.use_presenter`; it is loaded when a text, a table or a picture is first
asked for, and loads neither matplotlib nor pandas before one of them is needed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..attribution.matrix import Phi
from ..attribution.methods import Attribution
from ..auditing.result import Audit
from ..axioms import AxiomTable, NotApplicable, Tried, Witness
from ..axioms.outcomes import describe_graph
from ..engine.problem import Strengths, strengths
from ..errors import InvalidInput, QontrastError
from ..explain.check import Check
from ..explain.contrast import Contrast
from ..explain.flip import Flip
from ..explain.pairs import (
    Chained,
    Pairs,
)
from ..explain.paths import Path, Paths
from ..explain.ranking import (
    Ranking,
)
from ..explain.trajectory import Trajectory
from ..explain.whatif import WhatIf
from ..graph.labels import label_and_name
from ..graph.qbaf import Qbaf
from ..networks.result import NetworkContrast
from ..results.base import TIE_TOLERANCE
from . import frames, narrative
from .frames import to_shap
from .html.audit import audit_html
from .html.parts import Raw, element, table
from .mpl.bars import plot_attribution, plot_contrast
from .mpl.graph import draw_graph
from .mpl.topics import plot_pairs, plot_ranking, plot_trajectory
from .numbers import number
from .svg.bars import bars_svg
from .svg.graph import graph_svg

if TYPE_CHECKING:
    import pandas
    from matplotlib.axes import Axes

__all__ = ["PRESENTATIONS", "Presentation", "describe", "html", "page", "plot", "svg", "to_frame", "to_shap"]

MAX_DRAWN_ARGUMENTS = 20_000  # a larger graph shows itself in a notebook by its counts
MAX_ROWS = 40  # of a table in a notebook


@dataclass(frozen=True)
class Presentation:
    """How the results of one class are shown.

    Attributes
    ----------
    describe
        Writes the result as text; takes `language=` if `languages` is true.
    frame
        Makes a pandas DataFrame, or None where there is no table.
    plot
        Draws with matplotlib, or None where there is no picture.
    html
        Writes the HTML of a notebook, or None for the text in fixed-width type.
    page
        Writes a whole HTML page, or None where there is none.
    languages
        Whether the text exists in other languages than English.
    """

    describe: Callable[..., str]
    frame: Callable[[Any], Any] | None = None
    plot: Callable[..., Any] | None = None
    html: Callable[[Any], str] | None = None
    page: Callable[[Any], str] | None = None
    languages: bool = False


def _plot_graph(qbaf: Qbaf, **settings: Any) -> Axes:
    return draw_graph(qbaf, _solve(qbaf), **settings)


def _plot_strengths(found: Strengths, **settings: Any) -> Axes:
    return draw_graph(found.qbaf, found, **settings)


def _solve(qbaf: Qbaf) -> Strengths | None:
    """Solve under the graph's own semantics; a picture does without strengths where there are none."""
    try:
        return strengths(qbaf)
    except QontrastError:
        return None


def _contrast_html(why: Contrast) -> str:
    return element("div", element("p", narrative.sentence(why)), Raw(bars_svg(why)))


def _strengths_html(found: Strengths) -> str:
    small = len(found) <= MAX_DRAWN_ARGUMENTS
    return element("div", Raw(graph_svg(found.qbaf, found)) if small else narrative.describe_strengths(found))


def _attribution_html(one: Attribution) -> str:
    head = f"{label_and_name(one.qbaf, one.topic)}: strength {number(one.strength)}, by {one.method}"
    rows = [(label_and_name(one.qbaf, x), number(value, "+")) for x, value in one.ranked()[:MAX_ROWS]]
    return element("div", element("p", head), table(["argument", narrative.name_value(one.method, "strength")], rows))


def _pairs_html(pairs: Pairs) -> str:
    names = [label_and_name(pairs.qbaf, topic) for topic in pairs.topics]
    rows = [
        (names[i], *("·" if i == j else _write_gap(gap) for j, gap in enumerate(row)))
        for i, row in enumerate(pairs.gaps.tolist())
    ]
    return table(["row over column", *names], rows)


def _write_gap(gap: float) -> str:
    return "tied" if abs(gap) <= TIE_TOLERANCE else number(gap, "+")


PRESENTATIONS: dict[type, Presentation] = {
    Qbaf: Presentation(describe_graph, plot=_plot_graph),
    Strengths: Presentation(
        narrative.describe_strengths, frames.frame_strengths, plot=_plot_strengths, html=_strengths_html
    ),
    Attribution: Presentation(
        narrative.describe_attribution, frames.frame_attribution, plot=plot_attribution, html=_attribution_html
    ),
    Phi: Presentation(narrative.describe_contributions, frames.frame_contributions),
    Contrast: Presentation(
        narrative.sentence, frames.frame_contrast, plot=plot_contrast, html=_contrast_html, languages=True
    ),
    Pairs: Presentation(narrative.describe_pairs, frames.frame_pairs, plot=plot_pairs, html=_pairs_html),
    Chained: Presentation(narrative.describe_chained, frames.frame_chained),
    Ranking: Presentation(narrative.describe_ranking, frames.frame_ranking, plot=plot_ranking, languages=True),
    Trajectory: Presentation(narrative.describe_trajectory, frames.frame_trajectory, plot=plot_trajectory),
    WhatIf: Presentation(narrative.describe_whatif, frames.frame_whatif),
    Flip: Presentation(narrative.describe_flip, frames.frame_flip, languages=True),
    Path: Presentation(narrative.describe_path),
    Paths: Presentation(narrative.describe_paths, frames.frame_paths),
    Check: Presentation(narrative.describe_check, frames.frame_row),
    Witness: Presentation(narrative.describe_witness, frames.frame_row),
    NotApplicable: Presentation(narrative.describe_not_applicable, frames.frame_row),
    Tried: Presentation(narrative.describe_tried, frames.frame_row),
    AxiomTable: Presentation(narrative.describe_axioms, frames.frame_axioms),
    NetworkContrast: Presentation(narrative.describe_network_contrast, frames.frame_network_contrast),
    Audit: Presentation(narrative.describe_audit, frames.frame_audit, page=audit_html),
}


def _find(result: object, part: str, what: str) -> Any:
    """Look up one way of showing a result; classes that users derive are shown as their base."""
    row = next((PRESENTATIONS[each] for each in type(result).__mro__ if each in PRESENTATIONS), None)
    found = None if row is None else getattr(row, part)
    if found is None:
        raise InvalidInput(f"no {what} is known for a {type(result).__name__}")
    return found


def describe(result: object, *, language: str = "en") -> str:
    """Write a result as text; in English this is `str(result)`.

    Parameters
    ----------
    result : Result
        The result of a public function.
    language : str
        "en" for every result; "de" for contrasts, flips and rankings.

    Returns
    -------
    str
        A sentence, or a few lines.

    Raises
    ------
    InvalidInput
        If the result is not described in that language.

    Examples
    --------
    >>> from qontrast import examples, rank
    >>> print(describe(rank(examples.load("zebra")), language="de").splitlines()[0])
    1. It is a zebra [zebra] 0,8750
    """
    write = _find(result, "describe", "text")
    if language == "en":
        return str(write(result))
    if not _find(result, "languages", "text"):
        able = ", ".join(each.__name__ for each, row in PRESENTATIONS.items() if row.languages)
        raise InvalidInput(f"a {type(result).__name__} is described in English only; other languages have {able}")
    return str(write(result, language=language))


def to_frame(result: object) -> pandas.DataFrame:
    """Convert a result to a pandas DataFrame; needs `qontrast[frames]`.

    Parameters
    ----------
    result : Result
        The result of a public function.

    Returns
    -------
    pandas.DataFrame
        A row for each argument (for pairs: each pair; for a ranking: each topic), in the order of the graph. The name
        of the columns (`frame.columns.name`) says what contributions are, such as "share of the gap".

    Raises
    ------
    InvalidInput
        If there is no table for it.

    Examples
    --------
    >>> from qontrast import contrast, examples
    >>> to_frame(contrast(examples.load("zebra"), "zebra", "horse")).columns.tolist()
    ['label', 'contrast', 'fact', 'foil']
    """
    found: pandas.DataFrame = _find(result, "frame", "table")(result)
    return found


def plot(result: object, **settings: Any) -> Axes:
    """Draw a graph or a result with matplotlib; needs `qontrast[plot]`.

    Parameters
    ----------
    result : Result or Qbaf
        What to draw.
    **settings
        Those of the function that draws it: `draw_graph` (graphs, strengths), `plot_contrast`, `plot_attribution`,
        `plot_pairs`, `plot_ranking` or `plot_trajectory`. All take `palette` and `ax`.

    Returns
    -------
    matplotlib.axes.Axes
        The Axes that were given as `ax`, or those of a new figure.

    Raises
    ------
    InvalidInput
        If there is no picture of it.

    Examples
    --------
    >>> from qontrast import examples, rank
    >>> plot(rank(examples.load("zebra"))).get_xlabel()
    'strength (notch: base score)'
    """
    axes: Axes = _find(result, "plot", "picture")(result, **settings)
    return axes


def svg(graph: Qbaf) -> str | None:
    """Draw a graph as SVG, with strengths where they are defined; None where it is too large to draw."""
    return None if len(graph) > MAX_DRAWN_ARGUMENTS else graph_svg(graph, _solve(graph))


def html(result: object) -> str:
    """Write the HTML that a notebook shows: a contrast as bars and sentence, others as a table or text."""
    row = next((PRESENTATIONS[each] for each in type(result).__mro__ if each in PRESENTATIONS), None)
    return row.html(result) if row is not None and row.html is not None else element("pre", str(result))


def page(result: object) -> str:
    """Write a result as a whole HTML page."""
    return str(_find(result, "page", "page")(result))
