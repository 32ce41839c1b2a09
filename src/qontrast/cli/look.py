"""The commands for a first look: strengths, check."""

from __future__ import annotations

from typing import Any

from ..engine.problem import strengths as solved
from ..errors import quoted
from ..explain.check import check as look
from . import UNDEFINED, load
from .hints import phrased
from .options import Graph, Json, Under
from .screen import note, put, put_json, table


def strengths(graph: Graph, under: Under, json: Json = False) -> None:
    """Print the strength of every argument."""
    from ..show.terminal import strengths_table

    qbaf = load.graph(graph)
    found = solved(qbaf, **under.chosen())
    if json:
        return put_json(found.to_dict())
    put(strengths_table(qbaf, found))
    steps = "one pass" if found.solver == "one pass" else f"{found.solver}, {found.steps} steps"
    return note(f"semantics {found.semantics}, {steps}" + ("; topics first" if qbaf.topics else ""))


def check(graph: Graph, under: Under, json: Json = False) -> int:
    """Describe what a file holds, and say whether its strengths are defined."""
    qbaf = load.graph(graph)
    found = look(qbaf, **under.chosen())
    code = 0 if found.undefined is None else UNDEFINED
    why_not = None if found.reason is None else phrased(found.reason, "check")
    if json:
        put_json(found.to_dict() | {"undefined": why_not})
        return code
    cycles = "none" if not found.cycles else f"{found.cyclic:,} arguments on cycles, in {found.cycles:,} group(s)"
    rows: list[tuple[Any, Any]] = [
        ("arguments", f"{found.arguments:,}"),
        ("attacks", f"{found.attacks:,}"),
        ("supports", f"{found.supports:,}"),
        ("weights", f"{found.weighted:,} other than 1" if found.weighted else "all 1"),
        ("topics", quoted(qbaf.topics) if qbaf.topics else "none named"),
        ("labels", f"{len(qbaf.labels):,}"),
        ("cycles", cycles),
        ("unconnected", quoted(found.isolated, most=6) if found.isolated else "none"),
        ("semantics", found.semantics + ("" if qbaf.semantics else " (the file names none)")),
        ("strengths", "defined" if found.undefined is None else "undefined"),
    ]
    put(table([("", "dim"), ("", "text")], rows))
    if why_not is not None:
        note(f"qontrast: {why_not}")
    return code
