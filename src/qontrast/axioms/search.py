"""Looking for counterexamples: small random graphs, seeded and growing, and what is found made as small as it gets.

>>> print(find_counterexample("efficiency", "gradient", semantics="df-quad").words)
contributions to a over b and their cross-topic component add up to 0.5, not to 0.25
>>> find_counterexample("efficiency", "shapley", semantics="df-quad", graphs=200)
Tried(graphs=200, applied=200, undecided=0)
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..errors import InvalidInput, UndefinedStrength
from ..graph.qbaf import Qbaf
from ..progress import shown as bar
from ..results.base import Result
from ..semantics import Semantics, named
from ..settings import listed, one_of, shown, whole
from ..types import Name, Progress
from .caf import Caf, Derived, Phi, Tested, as_caf, slope_tolerance
from .checking import AXIOMS, Axiom, Case, Seen
from .evaluation import Direct, Evaluation
from .outcome import Witness, size
from .random_graphs import FACT, FOIL, LETTERS, THIRD, Batch, Drawn, draw
from .shrink import shrink

BATCH = 50  # graphs side by side: removal has a lane per argument, so time grows with the square of this
PATIENCE = 500  # steps of a cyclic graph; what has not settled by then is left out, as undefined
HEAVIEST = 2.0  # weight, where the semantics allows any


@dataclass(frozen=True)
class Tried(Result):
    """No violation: the number of graphs looked at, of those to which the property applies, of those not decided."""

    graphs: int = 0
    applied: int = 0
    undecided: int = 0

    def __bool__(self) -> bool:
        return False

    def one_more(self, seen: Seen) -> Tried:
        """The count after another graph without a sure violation."""
        return Tried(self.graphs + 1, self.applied + (seen.applied > 0), self.undecided + (seen.undecided > 0))

    def to_dict(self) -> dict[str, Any]:
        """All of it as plain data, `qontrast/tried/1`."""
        return {
            "schema": "qontrast/tried/1",
            "graphs": self.graphs,
            "applied": self.applied,
            "undecided": self.undecided,
        }


Found = Witness | Tried


def find_counterexample(
    axiom: str | Axiom,
    caf: str | Caf | Derived = "shapley",
    *,
    semantics: str | Semantics | None = None,
    progress: Progress | bool | None = None,
    seed: int = 0,
    phi: str | Phi | None = None,
    graphs: int = 5000,
    cyclic: bool = False,
    loops: bool = True,
    arguments: tuple[int, int] = (3, 6),
) -> Found:
    """The smallest violation found among random graphs of `arguments` from … to arguments, or how many were tried.

    Graphs grow as the search goes on; those of the first batch with a violation are compared, the smallest is shrunk.
    Cyclic graphs have self-attacks and self-supports among them unless `loops` is false.
    """
    name = axiom.name if isinstance(axiom, Axiom) else one_of(axiom, AXIOMS, "property")
    return search([name], caf, semantics, phi, seed, graphs, cyclic, loops, arguments, progress)[name]


def search(
    names: Sequence[str],
    caf: str | Caf | Derived,
    semantics: str | Semantics | None = None,
    phi: str | Phi | None = None,
    seed: int = 0,
    graphs: int = 5000,
    cyclic: bool = False,
    loops: bool = True,
    arguments: tuple[int, int] = (3, 6),
    progress: Progress | bool | None = None,
) -> dict[str, Found]:
    """The same for several properties at once, on the same graphs."""
    for name in names:
        one_of(name, AXIOMS, "property")
    whole(seed, "seed")
    whole(graphs, "graphs", 1)
    sizes = [each for each in listed(arguments, "arguments", "two numbers") if isinstance(each, int)]
    if len(sizes) != 2 or not 2 <= sizes[0] <= sizes[1] <= len(LETTERS):
        raise InvalidInput(f"arguments is {shown(arguments)}; give (from, to) between 2 and {len(LETTERS)}")
    chosen, under_test = named(semantics), as_caf(caf, phi)
    found: dict[str, Found] = {name: Tried() for name in names}
    done = 0
    heaviest = min(HEAVIEST, chosen.aggregation.max_weight)
    with bar(progress, "axioms") as report:
        for drawn in _batches(seed, graphs, cyclic, loops, (sizes[0], sizes[1]), heaviest):
            _look(found, drawn, chosen, under_test, cyclic)
            done += len(drawn.base)
            if report:
                report(done, graphs)
            if all(isinstance(each, Witness) for each in found.values()):
                break
    return found


def _batches(
    seed: int, graphs: int, cyclic: bool, loops: bool, arguments: tuple[int, int], most: float
) -> Iterator[Drawn]:
    """Batches of graphs of one size, sizes growing in equal shares."""
    sizes = range(arguments[0], arguments[1] + 1)
    rng = np.random.default_rng(seed)
    for k, n in enumerate(sizes):
        share = graphs * (k + 1) // len(sizes) - graphs * k // len(sizes)
        for first in range(0, share, BATCH):
            yield draw(rng, min(BATCH, share - first), n, most, cyclic, loops)


def _look(found: dict[str, Found], drawn: Drawn, semantics: Semantics, under_test: Tested, cyclic: bool) -> None:
    """One batch: count, or put the smallest violation of a property in the place of its count."""
    suspects: dict[str, list[Qbaf]] = {name: [] for name in found}
    for k, case in enumerate(_cases(drawn, semantics, under_test, cyclic)):
        for name, tally in found.items():
            if isinstance(tally, Witness):
                continue
            seen = _seen(AXIOMS[name], case)
            found[name] = tally.one_more(seen)
            if seen.worst is not None:
                suspects[name].append(drawn.qbaf(k))
    for name, graphs in suspects.items():
        for graph in sorted(graphs, key=size):
            witness = _again(AXIOMS[name], graph, semantics, under_test)
            if witness is not None:
                found[name] = _smallest(AXIOMS[name], witness, semantics, under_test)
                break


def _cases(drawn: Drawn, semantics: Semantics, under_test: Tested, cyclic: bool) -> Iterator[Case]:
    """The graphs of a batch, computed side by side where that is possible."""
    if cyclic or under_test.method is None:
        yield from (_alone(drawn.qbaf(k), semantics, under_test) for k in range(len(drawn.base)))
        return
    batch = Batch(drawn, semantics, under_test, tuple(range(min(3, drawn.base.shape[1]))))
    near = _near(batch.problem.qbaf, semantics, under_test)
    yield from (_case(batch[k], near) for k in range(len(drawn.base)))


def _near(graph: Qbaf, semantics: Semantics, under_test: Tested) -> tuple[float, float]:
    return under_test.tolerance(graph, semantics), slope_tolerance(graph, semantics)


def _case(values: Evaluation, tolerances: tuple[float, float]) -> Case:
    return Case(values, FACT, FOIL, [THIRD] if THIRD in values.names else [], *tolerances)


def _alone(graph: Qbaf, semantics: Semantics, under_test: Tested) -> Case:
    return _case(Direct(graph, semantics, under_test, PATIENCE), _near(graph, semantics, under_test))


def _seen(axiom: Axiom, case: Case) -> Seen:
    try:
        return Seen.of(axiom.instances(case))
    except UndefinedStrength:
        return Seen(0, 0, None)


def _again(axiom: Axiom, graph: Qbaf, semantics: Semantics, under_test: Tested) -> Witness | None:
    """The verdict on one graph by itself, which is the one that counts."""
    outcome = axiom.judge(_alone(graph, semantics, under_test), graph, semantics, under_test)
    return outcome if isinstance(outcome, Witness) else None


def _smallest(axiom: Axiom, witness: Witness, semantics: Semantics, under_test: Tested) -> Witness:
    keep: list[Name] = [FACT, FOIL, *([THIRD] if "third" in witness.arguments else [])]
    return shrink(witness, lambda graph: _again(axiom, graph, semantics, under_test), keep)
