"""How every result is shown: the table PRESENTATIONS, one row for each class, and the functions that look it up.

Results ask for this module by `results.base.use_presenter`; it is loaded when a text, a table or a picture is first
asked for, and loads neither matplotlib nor pandas before one of them is needed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..engine.problem import Strengths, strengths
from ..errors import InvalidInput, QontrastError, with_article
from ..graph.labels import label_and_name
from ..graph.qbaf import Qbaf
from . import (
    audit_texts,
    axiom_texts,
    batch_texts,
    change_texts,
    descriptions,
    frames,
    interaction_texts,
    narrative,
    reach_texts,
    reason_texts,
    semantics_texts,
)
from .axiom_texts import write_graph, write_violation
from .bar_rows import write_gaps
from .frames import to_shap
from .numbers import number
from .phrasing import choose, name_value
from .robustness_texts import describe_robustness
from .uncertainty_texts import describe_uncertainty, list_shares

if TYPE_CHECKING:
    import pandas
    from matplotlib.axes import Axes

    from ..attribution.methods import Attribution
    from ..auditing.result import Audit
    from ..explain.contrast import Contrast
    from ..explain.interactions import Interactions
    from ..explain.pairs import Pairs
    from ..explain.uncertainty import Uncertainty

__all__ = [
    "PRESENTATIONS",
    "Presentation",
    "describe",
    "html",
    "page",
    "plot",
    "svg",
    "to_frame",
    "to_shap",
    "write_graph",
    "write_violation",
]

MAX_DRAWN_ARGUMENTS = 20_000  # a larger graph shows itself in a notebook by its counts
MAX_ROWS = 40  # of a table in a notebook


@dataclass(frozen=True)
class Presentation:
    """How the results of one class are shown.

    Attributes
    ----------
    describe
        Writes the result as text; takes `language=`.
    frame
        Makes a pandas DataFrame, or None where there is no table.
    plot
        The function of `show` that draws it with matplotlib, or "" where there is no picture.
    html
        Writes the HTML of a notebook, or None for the text in fixed-width type.
    """

    describe: Callable[..., str]
    frame: Callable[[Any], Any] | None = None
    plot: str = ""
    html: Callable[[Any], str] | None = None


def _solve(qbaf: Qbaf) -> Strengths | None:
    """Solve under the graph's own semantics; a picture does without strengths where there are none."""
    try:
        return strengths(qbaf)
    except QontrastError:
        return None


def _contrast_html(why: Contrast) -> str:
    from .html.parts import Raw, element
    from .svg.bars import bars_svg

    return element("div", element("p", narrative.sentence(why)), Raw(bars_svg(why)))


def _strengths_html(found: Strengths) -> str:
    from .html.parts import Raw, element
    from .svg.graph import graph_svg

    small = len(found) <= MAX_DRAWN_ARGUMENTS
    return element("div", Raw(graph_svg(found.qbaf, found)) if small else descriptions.describe_strengths(found))


def _attribution_html(one: Attribution) -> str:
    from .html.parts import element, table

    head = f"{label_and_name(one.qbaf, one.topic)}: strength {number(one.strength)}, by {one.method}"
    rows = [(label_and_name(one.qbaf, x), number(value, "+")) for x, value in one.ranked()[:MAX_ROWS]]
    return element(
        "div",
        element("p", head),
        table([one.players.noun, name_value(one.method, "strength", players=one.players.kind)], rows),
    )


def _pairs_html(pairs: Pairs) -> str:
    from .html.parts import table

    names = [label_and_name(pairs.qbaf, topic) for topic in pairs.topics]
    rows = zip(names, write_gaps(pairs, choose("en")), strict=True)
    return table(["row over column", *names], [(name, *cells) for name, cells in rows])


def _interactions_html(found: Interactions) -> str:
    from .html.parts import element, table

    rows = [
        (*(label_and_name(found.qbaf, x) for x in pair), number(value, "+"))
        for pair, value in found.strongest(MAX_ROWS)
    ]
    said = element("p", interaction_texts.describe_interactions(found))
    return element("div", said, table([found.players.noun, "and", "interaction"], rows))


def _uncertainty_html(found: Uncertainty) -> str:
    from .html.parts import element, table

    to = choose("en")
    rows = [(label_and_name(found.qbaf, x), *cells) for x, cells in list_shares(found, to)[:MAX_ROWS]]
    heads = to.say("sure.table").split("|")
    return element("div", element("p", describe_uncertainty(found)), table(heads, rows, texts={1}))


# by the name of the class, so that no result's module is imported before there is such a result
PRESENTATIONS: dict[str, Presentation] = {
    "Strengths": Presentation(
        descriptions.describe_strengths, frames.frame_strengths, plot="draw_graph", html=_strengths_html
    ),
    "Attribution": Presentation(
        descriptions.describe_attribution, frames.frame_attribution, plot="plot_attribution", html=_attribution_html
    ),
    "Phi": Presentation(descriptions.describe_contributions, frames.frame_contributions),
    "Contrast": Presentation(narrative.sentence, frames.frame_contrast, plot="plot_contrast", html=_contrast_html),
    "Pairs": Presentation(descriptions.describe_pairs, frames.frame_pairs, plot="plot_pairs", html=_pairs_html),
    "Chained": Presentation(descriptions.describe_chained, frames.frame_chained),
    "Ranking": Presentation(descriptions.describe_ranking, frames.frame_ranking, plot="plot_ranking"),
    "Trajectory": Presentation(descriptions.describe_trajectory, frames.frame_trajectory, plot="plot_trajectory"),
    "WhatIf": Presentation(descriptions.describe_whatif, frames.frame_whatif),
    "Interactions": Presentation(
        interaction_texts.describe_interactions,
        frames.frame_interactions,
        plot="plot_interactions",
        html=_interactions_html,
    ),
    "Uncertainty": Presentation(
        describe_uncertainty,
        frames.frame_uncertainty,
        plot="plot_uncertainty",
        html=_uncertainty_html,
    ),
    "SemanticsComparison": Presentation(
        semantics_texts.describe_comparison, frames.frame_comparison, plot="plot_semantics"
    ),
    "Reasons": Presentation(reason_texts.describe_reasons, frames.frame_reasons),
    "Change": Presentation(change_texts.describe_change, frames.frame_change, plot="plot_change"),
    "History": Presentation(change_texts.describe_history, frames.frame_history, plot="plot_history"),
    "Flip": Presentation(descriptions.describe_flip, frames.frame_flip),
    "Reach": Presentation(reach_texts.describe_reach, frames.frame_reach),
    "Robustness": Presentation(describe_robustness, frames.frame_robustness),
    "Explained": Presentation(batch_texts.describe_explained, frames.frame_explained),
    "Paths": Presentation(descriptions.describe_paths, frames.frame_paths),
    "Check": Presentation(descriptions.describe_check, frames.frame_row),
    "Witness": Presentation(axiom_texts.describe_witness, frames.frame_row),
    "NotApplicable": Presentation(axiom_texts.describe_not_applicable, frames.frame_row),
    "Tried": Presentation(axiom_texts.describe_tried, frames.frame_row),
    "AxiomTable": Presentation(axiom_texts.describe_axioms, frames.frame_axioms),
    "NetworkContrast": Presentation(audit_texts.describe_network_contrast, frames.frame_network_contrast),
    "Audit": Presentation(audit_texts.describe_audit, frames.frame_audit),
    "Path": Presentation(descriptions.describe_path),
    "Qbaf": Presentation(descriptions.describe_graph, plot="draw_graph"),
}


def _find_row(result: object) -> Presentation | None:
    """Look up the row of a result's class; classes that users derive are shown as their base."""
    found = (PRESENTATIONS.get(each.__name__) for each in type(result).__mro__)
    return next((row for row in found if row is not None), None)


def _find(result: object, part: str, what: str) -> Any:
    """Look up one way of showing a result."""
    found = getattr(_find_row(result), part, None)
    if not found:
        raise InvalidInput(f"no {what} is known for {with_article(type(result).__name__)}")
    return found


def describe(result: object, *, language: str = "en") -> str:
    """Write a result as text; in English this is `str(result)`.

    Parameters
    ----------
    result : Result
        The result of a public function.
    language : str
        "en" or "de".

    Returns
    -------
    str
        A sentence, or a few lines.

    Raises
    ------
    UnknownName
        If there is no such language.
    InvalidInput
        If there is no text of it.

    Examples
    --------
    >>> from qontrast import examples, rank
    >>> print(describe(rank(examples.load("zebra")), language="de").splitlines()[0])
    1. It is a zebra [zebra] 0,8750
    """
    return str(_find(result, "describe", "text")(result, language=language))


def to_frame(result: object) -> pandas.DataFrame:
    """Convert a result to a pandas DataFrame; needs the extra `frames`.

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
    """Draw a graph or a result with matplotlib; needs the extra `plot`.

    Parameters
    ----------
    result : Result or Qbaf
        What to draw.
    **settings
        Those of the function that draws it: `draw_graph` (graphs, strengths), `plot_contrast`, `plot_attribution`,
        `plot_interactions`, `plot_change`, `plot_history`, `plot_uncertainty`, `plot_pairs`, `plot_ranking` or
        `plot_trajectory`. All take `palette` and `ax`.

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
    from .. import show

    drawn: tuple[object, ...] = (result,)
    if isinstance(result, Qbaf | Strengths):
        drawn = (result, _solve(result)) if isinstance(result, Qbaf) else (result.qbaf, result)
    axes: Axes = getattr(show, _find(result, "plot", "picture"))(*drawn, **settings)
    return axes


def svg(graph: Qbaf) -> str | None:
    """Draw a graph as SVG, with strengths where they are defined; None where it is too large to draw."""
    from .svg.graph import graph_svg

    return None if len(graph) > MAX_DRAWN_ARGUMENTS else graph_svg(graph, _solve(graph))


def html(result: object) -> str:
    """Write the HTML that a notebook shows: a contrast as bars and sentence, others as a table or text.

    The style of a text keeps words whole; that of converted notebooks would break lines inside them.
    """
    from .html.parts import element

    row = _find_row(result)
    if row is not None and row.html is not None:
        return row.html(result)
    return element("pre", str(result), style="white-space:pre-wrap;word-break:normal;overflow-wrap:anywhere")


def page(audit: Audit) -> str:
    """Write an audit as a whole HTML page."""
    from .html.audit import audit_html

    return audit_html(audit)
