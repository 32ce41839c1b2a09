"""The command `reach`."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from ...errors import InvalidInput
from ...explain.reach_task import COSTS
from ...explain.reach_variables import CHANGES as WHAT_MAY_CHANGE
from ...graph.qbaf import Qbaf
from ...questions.topics import find_element
from ...types import Edge, Name
from ..completion import complete_argument, complete_score
from ..options import (
    CHANGES,
    FILE,
    JSON,
    LANGUAGE,
    SOLVING,
    TIME_LIMIT,
    WORKING,
    Argument,
    make_choice,
    make_flag,
    make_option,
    make_question,
)
from ..output import make_heading, print_json, print_note, print_text

GOAL_TEXT = "'t >= 0.5', 't <= 0.5', 't == 0.5' or 'b > a'; several hold together; or topics, the strongest first."
FIX_TEXT = "Keep the base score of an argument, or the weight of an edge SOURCE->TARGET. May be repeated."
PRICE_TEXT = "What a move of 1 costs, for an argument or an edge SOURCE->TARGET. Default: 1. May be repeated."
BOUND_TEXT = "Keep a base score, or the weight of an edge SOURCE->TARGET, between LOW and HIGH. May be repeated."
PARAMETERS = [
    FILE,
    Argument("goal", "GOAL...", GOAL_TEXT, complete_argument, nargs=-1, required=True),
    *CHANGES,
    *SOLVING,
    *WORKING,
    make_choice("--change", WHAT_MAY_CHANGE, "What may change", default="base_scores"),
    make_choice("--cost", COSTS, "How a change is measured", default="l1"),
    make_option("--fix fixed", "NAME", FIX_TEXT, complete_argument, multiple=True),
    make_option("--bound bounds", "NAME=LOW:HIGH", BOUND_TEXT, complete_score, multiple=True),
    make_option("--price prices", "NAME=NUMBER", PRICE_TEXT, complete_score, multiple=True),
    make_option("--margin", "NUMBER", "By how much the goals shall hold; 0 allows a tie.", type=float, default=0.0),
    make_option("--tolerance", "NUMBER", "Prove the cost to this precision.", type=float, default=1e-3),
    make_flag("--no-proof", "Do not look for a proof that no cheaper change exists."),
    TIME_LIMIT,
    LANGUAGE,
    JSON,
]
Value = TypeVar("Value")


def run(
    *,
    goal: tuple[str, ...],
    time_limit: float,
    language: str,
    json: bool,
    no_proof: bool,
    fixed: Iterable[str],
    bounds: Iterable[str],
    prices: Iterable[str],
    **options: Any,
) -> None:
    """Print the cheapest change that reaches the goal."""
    settings = {name: options.pop(name) for name in ("change", "cost", "margin", "tolerance")}
    question = make_question(**options)
    qbaf = question.qbaf
    settings |= {
        "fixed": [find_element(qbaf, name) for name in fixed],
        "bounds": read_values(qbaf, bounds, "--bound", "0.2:0.6", read_range),
        "prices": read_values(qbaf, prices, "--price", "3", float),
        "prove": not no_proof,
    }
    found = question.reach(goal, time_limit=time_limit or None, **settings)
    if json:
        return print_json(found.to_dict())
    from ...show.phrasing import choose
    from ...show.reach_texts import describe_reach, name_goals

    heading = make_heading(choose(language).say("reach.question", goals=name_goals(found)["goals"]))
    print_text(heading, "", describe_reach(found, language=language))
    return print_note(choose(language).count("size.solved", found.evaluations))


def read_values(
    qbaf: Qbaf, texts: Iterable[str], option: str, example: str, read: Callable[[str], Value]
) -> dict[Name | Edge, Value]:
    """Read NAME=VALUE of each text."""
    found: dict[Name | Edge, Value] = {}
    for text in texts:
        name, _, value = text.rpartition("=")
        if not name:
            raise InvalidInput(f"{option} {text!r} lacks its value; write {option} {text or 'a'}={example}")
        try:
            found[find_element(qbaf, name)] = read(value)
        except ValueError:
            raise InvalidInput(f"{option} {text!r}: cannot read {value!r}; write {option} {name}={example}") from None
    return found


def read_range(text: str) -> tuple[float, float]:
    """Read LOW:HIGH.

    >>> read_range("0.2:0.6")
    (0.2, 0.6)
    """
    low, high = text.split(":")
    return float(low), float(high)
