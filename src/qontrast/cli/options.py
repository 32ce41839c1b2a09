"""The arguments and options that commands share, and the question that they make."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import click

from ..attribution.methods import DEFAULT, METHODS
from ..engine.discrete import SOLVERS
from ..engine.problem import MAX_STEPS
from ..errors import InvalidInput
from ..formats import FORMATS
from ..questions.question import Question, method_settings
from ..questions.sources import load_semantics, name_source, read_graph
from ..semantics import SEMANTICS
from .completion import Completer, complete_argument, complete_file, complete_from, complete_score

TIME_LIMIT_SECONDS = 30.0  # of a search for what would make the foil win


class Argument(click.Argument):
    """An argument with a help text, which click has only since its version 8.5."""

    def __init__(self, name: str, metavar: str, text: str, complete: Completer | None = None, **more: Any):
        super().__init__([name], metavar=metavar, shell_complete=complete, **more)
        self.help = text


def make_choice(names: list[str], table: Iterable[str], text: str, **more: Any) -> click.Option:
    """Make an option that takes a name of a table; its help and its completion list the names."""
    text = f"{text}: {', '.join(table)}."
    return click.Option(names, metavar="NAME", help=text, shell_complete=complete_from(table), **more)


FILE = Argument("file", "FILE", "A graph in any format, - for standard input, or examples:NAME.", complete_file)
FACT = Argument(
    "fact", "FACT", "The topic to explain. Default: the strongest topic.", complete_argument, required=False
)
FOIL = Argument(
    "foil",
    "FOIL",
    "The topic to compare it with. Default: the strongest of the other topics.",
    complete_argument,
    required=False,
)
SET = click.Option(
    ["--set", "sets"],
    metavar="NAME=SCORE",
    multiple=True,
    help="Give an argument this base score before anything is computed. May be repeated.",
    shell_complete=complete_score,
)
REMOVE = click.Option(
    ["--remove"],
    metavar="NAME",
    multiple=True,
    help="Remove an argument before anything is computed. May be repeated.",
    shell_complete=complete_argument,
)
READ_AS = make_choice(["--read-as"], FORMATS, "Read the file in this format instead of the one it seems to have")
TOPIC = click.Option(
    ["--topic", "topics"],
    metavar="NAME",
    multiple=True,
    help="Use this topic instead of those that the file names. May be repeated.",
    shell_complete=complete_argument,
)
SEMANTICS_NAME = click.Option(
    ["--semantics", "-s"],
    metavar="NAME",
    help=f"The semantics: {', '.join(SEMANTICS)}, or your own as module:object or path.py:object. "
    "Default: the one that the file names, else qe.",
    shell_complete=complete_from(SEMANTICS),
)
SOLVER = make_choice(["--solver"], SOLVERS, "How cycles are solved", default="discrete")
STEPS = click.Option(
    ["--max-steps"],
    metavar="N",
    type=int,
    default=MAX_STEPS,
    help="Call strengths undefined that have not settled after N steps.",
)
METHOD = make_choice(["--method", "-m"], METHODS, "How contributions are measured", default=DEFAULT)
SEED = click.Option(["--seed"], metavar="N", type=int, help="The seed of the random numbers of --method sampled.")
BUDGET = click.Option(
    ["--budget"], metavar="N", type=int, help="Use at most N evaluations (--method shapley and sampled)."
)
TIME_LIMIT = click.Option(
    ["--time-limit"],
    metavar="SECONDS",
    type=click.FloatRange(min=0),
    default=TIME_LIMIT_SECONDS,
    help="Stop the search after this time; 0 sets no limit.",
)
JSON = click.Option(["--json"], is_flag=True, help="Print JSON with unrounded numbers instead of text.")

CHANGES = [SET, REMOVE, READ_AS]
GRAPH = [FILE, *CHANGES, TOPIC]
PAIR = [FACT, FOIL]
SOLVING = [SEMANTICS_NAME, SOLVER, STEPS]
MEASURING = [METHOD, SEED, BUDGET]


def make_question(
    file: str,
    *,
    sets: Iterable[str] = (),
    read_as: str | None = None,
    semantics: str | None = None,
    method: str = DEFAULT,
    seed: int | None = None,
    budget: int | None = None,
    max_steps: int = MAX_STEPS,
    **options: Any,
) -> Question:
    """Read the graph and make the question that the shared options ask."""
    if max_steps < 1:
        raise InvalidInput(f"--max-steps is {max_steps}; give a number from 1 up")
    return Question(
        graph=read_graph(file, read_as),
        source=name_source(file),
        base_scores=[parse_score(text) for text in sets],
        semantics=load_semantics(semantics),
        method=method,
        settings=choose_settings(method, seed=seed, budget=budget),
        max_steps=max_steps,
        strict=True,
        progress=True,
        **options,
    )


def parse_score(text: str) -> tuple[str, float]:
    """Split `NAME=SCORE` of --set.

    >>> parse_score("a=b=0.5")
    ('a=b', 0.5)
    """
    name, _, number = text.rpartition("=")
    if not name:
        raise InvalidInput(f"--set {text!r} lacks its score; write --set NAME=SCORE, as in --set {text or 'a'}=0.7")
    try:
        score = float(number)
    except ValueError:
        raise InvalidInput(f"--set {text!r}: {number!r} is not a number; give one between 0 and 1") from None
    if not 0 <= score <= 1:
        raise InvalidInput(f"--set {text!r}: a base score lies between 0 and 1")
    return name, score


def choose_settings(method: str, *, seed: int | None, budget: int | None) -> dict[str, int]:
    """Turn the options --seed and --budget into settings that the method has."""
    known = method_settings(method)
    limit = next((name for name in ("budget", "max_evaluations") if name in known), "budget")
    found: dict[str, int] = {}
    for option, setting, value, least in (("--seed", "seed", seed, 0), ("--budget", limit, budget, 1)):
        if value is not None:
            if setting not in known:
                raise InvalidInput(f"{option} has no meaning for --method {method}; leave it out")
            if value < least:
                raise InvalidInput(f"{option} is {value}; give a number from {least} up")
            found[setting] = value
    return found
