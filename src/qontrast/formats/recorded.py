"""Compare the strengths that a file records with ours; `formats` asks when it reads such a file.

ArgLLM's files hold the strength of every argument as another program computed it, without the name of its
semantics. Where they are not those of the semantics that would be used here, the reader is told which argument
differs, and which semantics gives what the file says.
"""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal

from ..engine.problem import strengths
from ..errors import InvalidQbaf, UndefinedStrength, quote_names
from ..graph.qbaf import Qbaf
from ..semantics import DEFAULT, SEMANTICS
from ..types import Name

MAX_EDGES = 100_000  # of a graph that is compared
MAX_STEPS = 200  # of the iteration, where the graph has cycles
ROUNDING = 1e-6  # by which two programs may differ that compute the same
MAX_DIGITS = 7


def compare_strengths(qbaf: Qbaf, recorded: Mapping[str, float]) -> str | None:
    """Say where recorded strengths differ from ours, and under which semantics they agree.

    Strengths that all repeat the base scores were never computed and are not compared; neither are those of a graph
    with more than `MAX_EDGES` edges.

    Parameters
    ----------
    qbaf : Qbaf
        The graph, whose own semantics or else the default is the one compared with.
    recorded : Mapping
        Argument → strength, for some or all arguments.

    Returns
    -------
    str or None
        A sentence, or None where nothing differs.

    Examples
    --------
    >>> q = Qbaf({"claim": 0.5, "doubt": 0.8}, attacks=[("doubt", "claim")])
    >>> print(compare_strengths(q, {"claim": 0.1, "doubt": 0.8}))
    the recorded strengths are not those of qe: 'claim' has 0.1 in the file and 0.305 here; they are those of df-quad
    """
    if len(qbaf.weights) > MAX_EDGES or all(qbaf.base_scores[name] == value for name, value in recorded.items()):
        return None
    own = qbaf.semantics or DEFAULT
    if own not in SEMANTICS:
        return None
    tolerance = max(ROUNDING, 0.5 * 10.0 ** -_digits(recorded))
    differing = _differing(qbaf, own, recorded, tolerance)
    if differing is None or not differing:
        return None
    name, ours = max(differing.items(), key=lambda item: abs(item[1] - recorded[str(item[0])]))
    others = [each for each in SEMANTICS if each != own and _differing(qbaf, each, recorded, tolerance) == {}]
    known = f"they are those of {' and '.join(others)}" if others else "no built-in semantics gives them"
    more = f", and {len(differing) - 1} more differ" if len(differing) > 1 else ""
    there = f"{quote_names([name])} has {recorded[str(name)]:.3g} in the file and {ours:.3g} here"
    return f"the recorded strengths are not those of {own}: {there}{more}; {known}"


def _differing(qbaf: Qbaf, semantics: str, recorded: Mapping[str, float], tolerance: float) -> dict[Name, float] | None:
    """Our strengths of the arguments that differ; None where ours are undefined."""
    try:
        ours = strengths(qbaf, semantics=semantics, max_steps=MAX_STEPS)
    except (UndefinedStrength, InvalidQbaf):
        return None
    return {name: ours[name] for name, value in recorded.items() if not abs(ours[name] - value) <= tolerance}


def _digits(recorded: Mapping[str, float]) -> int:
    """Digits after the point of the most precise strength: rounded ones agree with all that rounds to them."""
    exponents = (Decimal(repr(float(value))).as_tuple().exponent for value in recorded.values())
    return min(MAX_DIGITS, max((-each for each in exponents if isinstance(each, int)), default=MAX_DIGITS))
