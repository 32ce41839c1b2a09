"""The command `strengths`."""

from __future__ import annotations

from typing import Any

from ...errors import count
from ..options import GRAPH, JSON, SOLVING, make_question
from ..output import print_json, print_note, print_text

PARAMETERS = [*GRAPH, *SOLVING, JSON]


def run(*, json: bool, **options: Any) -> None:
    """Print strengths."""
    found = make_question(**options).strengths
    if json:
        return print_json(found.to_dict())
    from ...show.terminal import strengths_table

    print_text(strengths_table(found.qbaf, found))
    steps = "one pass" if found.solver == "one pass" else f"{found.solver}, {count(found.steps, 'step')}"
    return print_note(f"semantics {found.semantics}, {steps}" + ("; topics first" if found.qbaf.topics else ""))
