"""The command `draw`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ...engine.problem import Strengths
from ...errors import FormatError, Hint, InvalidInput, UndefinedStrength, unknown_name
from ...questions import Question
from ...show.figures import FIGURES, FORMATS, draw_figure, find_figure
from ...show.layout import ENGINES
from ...show.mpl.axes import check_width
from ..completion import complete_argument
from ..main import describe_error
from ..options import (
    GRAPH,
    JSON,
    MEASURING_PLAYERS,
    PAIR,
    SOLVING,
    WORKING,
    make_choice,
    make_flag,
    make_option,
    make_question,
)
from ..output import cannot_have_suffix, print_note, write_output
from .uncertainty import parse_uncertain

SCORE_TEXT = "What a base score may be, as for the command `uncertainty` (--figure uncertainty). May be repeated."
PARAMETERS = [
    *GRAPH,
    *PAIR,
    *SOLVING,
    *WORKING,
    *MEASURING_PLAYERS,
    make_option("--out -o", "PATH", "The file to write: .svg, .pdf or .png; - prints SVG.", default="graph.svg"),
    make_choice("--figure", {name: each.help for name, each in FIGURES.items()}, "What to draw", default="graph"),
    make_option("--width", "INCHES", "How wide the figure is: 3.3 for a column of a paper, for example.", type=float),
    make_choice("--layout", ENGINES, "Who arranges the graph of --figure graph (Graphviz needs the extra graphviz)"),
    make_flag("--interactions", "Draw the strongest interactions of two as arcs beside the bars (--figure bars)."),
    make_option("--score scores", "NAME=SCORES", SCORE_TEXT, complete_argument, multiple=True),
    JSON,
]


def run(
    *,
    out: str,
    figure: str,
    width: float | None,
    layout: str | None,
    interactions: bool,
    scores: tuple[str, ...],
    json: bool,
    **options: Any,
) -> None:
    """Draw a figure."""
    find_figure(figure)  # before the graph is read
    if width is not None:
        check_width(width)
    if layout is not None and layout not in ENGINES:
        raise unknown_name(layout, ENGINES, "layout")
    if layout is not None and figure != "graph":
        hint = Hint("figure", ("graph",))
        raise InvalidInput(f"--layout has no meaning for --figure {figure}", hints=[hint])
    if interactions and figure != "bars":
        hint = Hint("figure", ("bars",))
        raise InvalidInput(f"--interactions has no meaning for --figure {figure}", hints=[hint])
    if scores and figure != "uncertainty":
        hint = Hint("figure", ("uncertainty",))
        raise InvalidInput(f"--score has no meaning for --figure {figure}", hints=[hint])
    given = [parse_uncertain(text) for text in scores]
    kind, question = choose_kind(out), make_question(**options)
    source = find_figure(figure, str(question.players)).source
    if source == "graph":
        drawn, settings = _prepare_graph(question)
    else:
        found = question.uncertainty(given) if given else question.compute(source)
        drawn, settings = (found,), {}
    if interactions:
        settings["interactions"] = question.interactions()
    if layout is not None:
        settings["engine"] = layout
    write_output(draw_figure(figure, *drawn, format=kind, width=width, **settings), out, json=json)


def _prepare_graph(question: Question) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """What a graph is drawn from: where edges or groups play, with their contributions to a contrast."""
    if question.players == "arguments":
        pair = dict(zip(("fact", "foil"), question.named_pair, strict=True))
        return (question.qbaf, _find_strengths(question)), pair
    why = question.contrast()
    return (why.qbaf, why.strengths), {"fact": why.fact, "foil": why.foil, "contributions": why}


def choose_kind(out: str) -> str:
    """Return the kind of picture that a path stands for; standard output, devices and pipes get SVG."""
    if cannot_have_suffix(out):
        return "svg"
    path = Path(out)
    if path.is_dir():
        raise FormatError("is a folder; give the name of a file in it", out)
    kind = path.suffix.lower().removeprefix(".")
    if kind not in FORMATS:
        has = f"has the suffix {path.suffix!r}" if path.suffix else "has no suffix"
        raise InvalidInput(f"{out} {has}; a picture has one of .{', .'.join(FORMATS)}")
    return kind


def _find_strengths(question: Question) -> Strengths | None:
    """Solve the graph; where strengths are undefined, say that it is drawn without them."""
    try:
        return question.strengths
    except UndefinedStrength as error:
        print_note(f"note: drawn without strengths: {describe_error(error, 'draw')}")
        return None
