"""The table of properties by method: in each cell the smallest violation found, or how many graphs were tried."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..progress import shown as bar
from ..results.base import Result
from ..results.serialize import to_plain
from ..semantics import Semantics, named
from ..settings import listed, whole
from ..types import Progress
from .caf import Caf, Derived, as_caf
from .checking import AXIOMS
from .outcome import describe_graph
from .search import Found, Tried, search

METHODS = ("removal", "gradient", "shapley")

# What the paper proves ("yes") and refutes ("no"): all other properties hold for the three methods.
REFUTED = {
    ("counterfactuality", "gradient"),
    ("counterfactuality", "shapley"),
    ("local-faithfulness", "removal"),
    ("local-faithfulness", "shapley"),
    ("efficiency", "removal"),
    ("efficiency", "gradient"),
}


@dataclass(frozen=True, repr=False)
class AxiomTable(Result):
    """`table[property, caf]` is a Witness or a Tried; `str` is a Markdown table, with the witnesses below it."""

    semantics: str
    axioms: tuple[str, ...]
    cafs: tuple[str, ...]
    cells: Mapping[tuple[str, str], Found] = field(repr=False)

    def __getitem__(self, cell: tuple[str, str]) -> Found:
        return self.cells[cell]

    def to_dict(self) -> dict[str, Any]:
        """All of it as plain data, `qontrast/axiom-table/1`."""
        rows = {axiom: {caf: _data(self[axiom, caf]) for caf in self.cafs} for axiom in self.axioms}
        return to_plain({"schema": "qontrast/axiom-table/1", "semantics": self.semantics, "cells": rows})


def axiom_table(
    cafs: Sequence[str | Caf | Derived] = METHODS,
    axioms: Sequence[str] | None = None,
    *,
    semantics: str | Semantics | None = None,
    progress: Progress | bool | None = None,
    seed: int = 0,
    graphs: int = 5000,
    cyclic: bool = False,
    loops: bool = True,
    arguments: tuple[int, int] = (3, 6),
) -> AxiomTable:
    """Every property against every CAF, each cell searched through as many graphs.

    >>> table = axiom_table(["removal"], ["antisymmetry", "efficiency"], semantics="qe", graphs=40)
    >>> print(str(table).splitlines()[2])
    | Antisymmetry | none in 40 graphs |
    """
    names = tuple(listed(AXIOMS if axioms is None else axioms, "axioms", "properties"))
    cells: dict[tuple[str, str], Found] = {}
    cafs = listed(cafs, "cafs", "methods and functions")
    whole(graphs, "graphs", 1)
    with bar(progress, "axioms") as report:
        for k, caf in enumerate(cafs):
            shifted = _shifted(report, k * graphs, len(cafs) * graphs)
            found = search(names, caf, semantics, None, seed, graphs, cyclic, loops, arguments, shifted)
            cells |= {(name, as_caf(caf).name): each for name, each in found.items()}
    return AxiomTable(named(semantics).name, names, tuple(as_caf(caf).name for caf in cafs), cells)


def _shifted(progress: Progress | None, before: int, total: int) -> Progress | None:
    return None if progress is None else lambda done, _: progress(before + done, total)


def _data(found: Found) -> dict[str, Any]:
    if isinstance(found, Tried):
        return {"graphs": found.graphs, "applied": found.applied, "undecided": found.undecided}
    return {
        "arguments": found.arguments,
        "left": found.left,
        "right": found.right,
        "words": found.words,
        "graph": describe_graph(found.graph),
    }
