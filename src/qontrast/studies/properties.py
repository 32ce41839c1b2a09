"""Which CAF satisfies what: every cell of the paper's claims, searched for a counterexample."""

from __future__ import annotations

from functools import partial

from ..axioms import AXIOMS, AxiomTable, Witness, axiom_table
from ..types import Progress
from .page import Claim, Page

SEMANTICS = ("df-quad", "qe", "reb")
GRAPHS = 5000


def run(progress: Progress | None = None, graphs: int = GRAPHS) -> Page:
    """The table for df-quad, qe and reb."""
    tables = []
    for k, semantics in enumerate(SEMANTICS):
        report = None if progress is None else partial(_shifted, progress, k)
        tables.append(axiom_table(semantics=semantics, graphs=graphs, progress=report))
    return Page(
        title="Which CAF satisfies what",
        introduction=(
            f"Every property against every CAF, in {graphs:,} random acyclic graphs of three to six arguments "
            "each, with weights and base scores of 0, 1/2, 1 and between. A “yes” of the paper is a proof, so "
            "that a search can only fail to contradict it; a “no” is a counterexample, and ours are the smallest "
            "that the search found."
        ),
        claims=[claim for table in tables for claim in _claims(table)],
        notes=[f"## {table.semantics}\n\n{table}" for table in tables],
        data={"graphs": graphs, "tables": [table.to_dict() for table in tables]},
    )


def _shifted(progress: Progress, k: int, done: int, total: int) -> None:
    progress(k * total + done, len(SEMANTICS) * total)


def _claims(table: AxiomTable) -> list[Claim]:
    claims = []
    for axiom in table.axioms:
        for caf in table.cafs:
            refuted, found = caf in AXIOMS[axiom].refuted_for, table[axiom, caf]
            verb = "can violate" if refuted else "satisfies"
            words = found.words if isinstance(found, Witness) else str(found)
            says = f"{caf} {verb} {AXIOMS[axiom].title} ({table.semantics})"
            claims.append(Claim(says, isinstance(found, Witness) == refuted, words))
    return claims
