"""Read goals such as "approve >= 0.7" and "b > a", and turn them into constraints on strengths.

Each goal becomes one constraint, or two for an equality: a sum of ±σ(topic) and a constant that is to be ≥ 0.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise
from math import isfinite

import numpy as np

from ..errors import InvalidInput
from ..graph.qbaf import Qbaf
from ..settings import format_value
from ..types import Floats, Name

EQUALITY = 1e-8  # how far a strength may be from the one that it shall equal; more than rounding, and far below 1e-6
RELATIONS = {">=": ">=", "≥": ">=", ">": ">=", "<=": "<=", "≤": "<=", "<": "<=", "==": "==", "=": "=="}
SIGNS = re.compile(">=|<=|==|≥|≤|>|<|=")
PARTS = re.compile(rf"\s*(\"[^\"]*\"|'[^']*'|[^<>=≥≤]+)\s*({SIGNS.pattern}|$)")
FORMS = "write it as 't >= 0.5', 't <= 0.5', 't == 0.5' or 'b > a', or give a list of topics, the strongest first"


@dataclass(frozen=True)
class Goal:
    """A topic compared with another one, or with a number."""

    topic: Name
    relation: str  # ">=", "<=" or "=="
    other: Name | float  # a number is a float, and a name never is

    def __str__(self) -> str:
        return f"{_write_side(self.topic)} {self.relation} {_write_side(self.other)}"


def _write_side(side: Name | float) -> str:
    """Write a side so that `read_goals` reads it again."""
    return f'"{side}"' if isinstance(side, str) and SIGNS.search(side) else str(side)


def read_goals(qbaf: Qbaf, given: object) -> tuple[Goal, ...]:
    """Read a goal, a list of topics from the strongest down, or a list of goals that shall all hold."""
    if isinstance(given, str):
        return _read_text(qbaf, given)
    if not isinstance(given, Iterable) or isinstance(given, bytes):
        raise InvalidInput(f"goal is {format_value(given)}; {FORMS}")
    each = list(given)
    if not each:
        raise InvalidInput(f"goal is empty; {FORMS}")
    if any(isinstance(one, str) and one not in qbaf and SIGNS.search(one) for one in each):
        return tuple(goal for one in each for goal in _read_text(qbaf, one))
    topics = [qbaf.arguments[qbaf.index(one)] for one in each]
    if len(topics) < 2:
        raise InvalidInput(f"goal is {format_value(each)}; an order takes at least two topics, or {FORMS}")
    twice = [topic for k, topic in enumerate(topics) if topic in topics[:k]]
    if twice:
        raise InvalidInput(f"goal names {twice[0]!r} twice; an order has each topic once")
    return tuple(Goal(upper, ">=", lower) for upper, lower in pairwise(topics))


def _read_text(qbaf: Qbaf, text: object) -> tuple[Goal, ...]:
    """Read a text with one sign, or with several as in "c > b > a"."""
    if not isinstance(text, str):
        raise InvalidInput(f"goal is {format_value(text)}; {FORMS}")
    sides: list[Name | float] = []
    signs: list[str] = []
    place = 0
    while place <= len(text):
        found = PARTS.match(text, place)
        if not found:
            break
        sides.append(_read_side(qbaf, found[1].strip()))
        place = found.end()
        if not found[2]:
            break
        signs.append(RELATIONS[found[2]])
    if place < len(text) or len(sides) < 2 or len(sides) != len(signs) + 1:
        raise InvalidInput(f"cannot read the goal {text!r}; {FORMS}")
    steps = zip(sides, signs, sides[1:], strict=False)
    return tuple(_make_goal(text, left, sign, right) for left, sign, right in steps)


def _read_side(qbaf: Qbaf, text: str) -> Name | float:
    """Read a name, or else a number, or else a label; in quotes it is a name or a label."""
    if len(text) > 1 and text[0] in ('"', "'") and text[-1] == text[0]:
        return qbaf.resolve(text[1:-1])
    if text in qbaf:
        return text
    if text.isdecimal() and int(text) in qbaf:
        return int(text)
    try:
        number = float(text)
    except ValueError:
        return qbaf.resolve(text)
    if not isfinite(number):
        raise InvalidInput(f"a goal cannot be {text}; give a number")
    return number


def _make_goal(text: str, left: Name | float, relation: str, right: Name | float) -> Goal:
    if isinstance(left, float):
        if isinstance(right, float):
            raise InvalidInput(f"the goal {text!r} names no argument; {FORMS}")
        return Goal(right, {">=": "<=", "<=": ">=", "==": "=="}[relation], left)
    if left == right:
        raise InvalidInput(f"the goal {text!r} compares {left!r} with itself; name two topics, or a topic and a number")
    return Goal(left, relation, right)


def make_constraints(qbaf: Qbaf, goals: tuple[Goal, ...], margin: float = 0.0) -> tuple[Floats, Floats]:
    """Make C (constraints, arguments) and d (constraints,): the goals hold where C σ + d ≥ 0.

    Inequalities hold by the margin, and equalities up to `EQUALITY`.
    """
    rows, constants = [], []
    for goal in goals:
        row, number = np.zeros(len(qbaf)), 0.0
        row[qbaf.index(goal.topic)] = 1.0
        if isinstance(goal.other, float):
            number = goal.other
        else:
            row[qbaf.index(goal.other)] = -1.0
        slack = EQUALITY if goal.relation == "==" else -margin
        for relation, sign in ((">=", 1.0), ("<=", -1.0)):
            if goal.relation in (relation, "=="):
                rows.append(sign * row)
                constants.append(-sign * number + slack)
    return np.array(rows), np.array(constants)


def check_goals(goals: tuple[Goal, ...], coefficients: Floats, constants: Floats, bounded: bool, margin: float) -> None:
    """Refuse goals that no strengths at all can meet, whatever the graph."""
    by = f" by {margin:g}" if margin else ""
    if bounded:
        for goal in goals:
            if isinstance(goal.other, float) and not 0 <= goal.other <= 1:
                raise InvalidInput(f"the goal '{goal}' is outside [0, 1], where strengths are; give such a number")
            if margin and goal.relation != "==" and isinstance(goal.other, float):
                edge = goal.other + margin if goal.relation == ">=" else goal.other - margin
                if not 0 <= edge <= 1:
                    raise InvalidInput(f"no strength can meet '{goal}'{by}; lower the margin")
    if len(constants) > 1 and not _can_all_hold(coefficients, constants, bounded):
        raise InvalidInput(f"the goals {', '.join(f'{str(goal)!r}' for goal in goals)} contradict each other{by}")


def _can_all_hold(coefficients: Floats, constants: Floats, bounded: bool) -> bool:
    from scipy.optimize import linprog  # here: SciPy takes longer to import than NumPy

    named = np.flatnonzero(coefficients.any(axis=0))
    rows = coefficients[:, named]
    limits = (0, 1) if bounded else (None, None)
    found = linprog(np.zeros(len(named)), A_ub=-rows, b_ub=constants + 1e-9, bounds=[limits] * len(named))
    return bool(found.status != 2)
