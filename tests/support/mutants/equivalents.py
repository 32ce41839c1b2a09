"""Defects that no test can notice, because the library does the same with them: reviewed, each with its reason.

A row names the module, the line as it is and the line with the defect. A defect of several lines is known by the first
of each that differs.
"""

from __future__ import annotations

from tests.support.mutants.places import Mutant

EQUIVALENTS: dict[tuple[str, str, str], str] = {
    (
        "formats/node_link.py",
        'return "attack" if math.copysign(1, value) < 0 else "support", abs(value)',
        'return "ATTACK" if math.copysign(1, value) < 0 else "support", abs(value)',
    ): "the builder of graphs takes the names of relations in capitals too",
    (
        "questions/question.py",
        "topics: Sequence[str] = ()",
        "topics: Sequence[str] = None",
    ): "whoever reads the topics asks first whether there are any",
}


def find_reason(mutant: Mutant) -> str | None:
    """Why no test can notice the defect, or None."""
    gone, there = mutant.compare()
    return EQUIVALENTS.get((mutant.module, next(iter(gone), ""), next(iter(there), "")))
