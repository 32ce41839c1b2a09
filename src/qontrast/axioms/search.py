"""Search for counterexamples among small random graphs, and make those that are found as small as possible."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar

from ..engine.backend import run_tasks
from ..engine.workers import check_executor
from ..errors import UndefinedStrength
from ..graph.qbaf import Qbaf
from ..results.base import Result, Schema, presenter
from ..semantics import Semantics, find_semantics
from ..settings import check_choice, check_list, check_progress
from ..types import Edge, Name, Progress
from .axiom import AXIOMS, PAPER_METHODS, Axiom, Case, Tally, check_case
from .evaluation import Caf, CafUnderTest, Derived, Evaluation, NotCheckable, Phi, resolve_caf
from .outcomes import Found, Tried, Witness
from .random_graphs import Batch, GraphSampler, RandomGraphs

if TYPE_CHECKING:
    from concurrent.futures import Executor

MAX_STEPS = 500  # of a cyclic graph; one that has not settled by then is left out, as undefined
MAX_WEIGHT = 2.0  # where the semantics allows any
ROUND_SCORES = (0.5, 0.0, 1.0, 0.25, 0.75)  # base scores that a small counterexample should have


def find_counterexample(
    axiom: str | Axiom,
    caf: str | Caf | Derived = "shapley",
    *,
    semantics: str | Semantics | None = None,
    executor: Executor | None = None,
    progress: Progress | None = None,
    seed: int = 0,
    phi: str | Phi | None = None,
    graphs: int = 5000,
    cyclic: bool = False,
    loops: bool = True,
    arguments: tuple[int, int] = (3, 6),
) -> Found:
    """Search random graphs for a violation of a property, and make it small.

    Graphs grow as the search goes on; those of the first batch with a violation are compared, the smallest is shrunk.

    Parameters
    ----------
    axiom : str or Axiom
        The property, or its name in AXIOMS.
    caf : str, Derived or callable
        What is tested, as in `verdicts`.
    semantics, executor, progress
        As in `contributions`; batches of graphs are sent.
    seed : int
        Of the random graphs.
    phi : str or callable, optional
        The attribution function that a CAF of your own is measured against, as in `verdicts`.
    graphs : int
        How many graphs are checked at most.
    cyclic : bool
        Whether graphs may have cycles.
    loops : bool
        Whether cyclic graphs may have self-attacks and self-supports.
    arguments : (int, int)
        The numbers of arguments of the smallest and of the largest graphs.

    Returns
    -------
    Witness or Tried
        The smallest violation found, or how many graphs were tried.

    Examples
    --------
    >>> print(find_counterexample("efficiency", "gradient", semantics="df-quad").words)
    contributions to a over b and their cross-topic component add up to 0.5, not to 0.25
    >>> find_counterexample("efficiency", "shapley", semantics="df-quad", graphs=200)
    <Tried: none in 200 graphs>
    """
    name = axiom.name if isinstance(axiom, Axiom) else axiom
    sampler = GraphSampler(seed, graphs, cyclic, loops, arguments)
    return search([name], caf, sampler, semantics=semantics, executor=executor, phi=phi, progress=progress)[name]


def search(
    names: Sequence[str],
    caf: str | Caf | Derived,
    sampler: GraphSampler,
    *,
    semantics: str | Semantics | None = None,
    executor: Executor | None = None,
    progress: Progress | None = None,
    phi: str | Phi | None = None,
) -> dict[str, Found]:
    """Search for violations of several properties at once, on the same graphs."""
    for name in names:
        check_choice(name, AXIOMS, "property")
    semantics, under_test = find_semantics(semantics), resolve_caf(caf, phi)
    check_executor(executor)
    found: dict[str, Found] = {name: Tried(semantics=semantics.name, caf=under_test.name) for name in names}
    done = 0
    report = check_progress(progress)
    batches = sampler.batches(min(MAX_WEIGHT, semantics.aggregation.max_weight))
    tasks = ((_list_open(found), batch, semantics, caf, phi, sampler.cyclic) for batch in batches)
    for size, new in run_tasks(executor, _check_batch, tasks):
        found |= {name: _join(found[name], each) for name, each in new.items()}
        done += size
        if report:
            report(done, sampler.graphs)
        if not _list_open(found):
            break
    return found


def _list_open(found: Mapping[str, Found]) -> tuple[str, ...]:
    """Return the properties without a violation so far."""
    return tuple(name for name, each in found.items() if not isinstance(each, Witness))


def _join(before: Found, new: Found) -> Found:
    """Join what two batches gave: a violation of the first of them that has one, else the sums of their counts."""
    if isinstance(before, Witness) or isinstance(new, Witness):
        return before if isinstance(before, Witness) else new
    sums = {field: getattr(before, field) + getattr(new, field) for field in ("graphs", "applied", "undecided")}
    return replace(before, **sums)


def _check_batch(
    names: Sequence[str],
    batch: RandomGraphs,
    semantics: Semantics,
    tested: str | Caf | Derived,
    phi: str | Phi | None,
    cyclic: bool,
) -> tuple[int, dict[str, Found]]:
    """Count the graphs of a batch, or give the smallest violation of a property in the place of its count."""
    caf = resolve_caf(tested, phi)  # here: what it makes of a name cannot be sent to another process
    suspects: dict[str, list[Qbaf]] = {name: [] for name in names}
    counts = {name: Tried(semantics=semantics.name, caf=caf.name) for name in names}
    for values in _evaluate(batch, semantics, caf, cyclic):
        case = _make_case(values)
        for name, each in counts.items():
            tally = _count(AXIOMS[name], case)
            counts[name] = replace(
                each,
                graphs=each.graphs + 1,
                applied=each.applied + (tally.applied > 0),
                undecided=each.undecided + (tally.undecided > 0),
            )
            if tally.worst is not None:
                suspects[name].append(values.qbaf)
    found: dict[str, Found] = dict(counts)
    for name, graphs in suspects.items():
        check = partial(_check_alone, AXIOMS[name], semantics, caf)
        witness = next(filter(None, map(check, sorted(graphs, key=measure_size))), None)
        if witness is not None:
            found[name] = shrink(witness, check, witness.qbaf.arguments[: 3 if "third" in witness.arguments else 2])
    return len(batch.base), found


def _evaluate(batch: RandomGraphs, semantics: Semantics, caf: CafUnderTest, cyclic: bool) -> Iterator[Evaluation]:
    """Evaluate the graphs of a batch, side by side where that is possible."""
    count, n = batch.base.shape
    if cyclic or caf.method is None:
        return (Evaluation(batch.qbaf(k), semantics, caf, MAX_STEPS) for k in range(count))
    together = Batch(batch, semantics, caf, tuple(range(min(3, n))))
    return (together[k] for k in range(count))


def _make_case(values: Evaluation) -> Case:
    """Ask about the first two arguments, with the next as a third topic."""
    fact, foil, *_ = topics = values.players[:3]
    return Case(values, fact, foil, topics, values.tolerance)


def _count(axiom: Axiom, case: Case) -> Tally:
    try:
        return Tally.count(axiom.instances(case))
    except (UndefinedStrength, NotCheckable):
        return Tally()


def _check_alone(axiom: Axiom, semantics: Semantics, caf: CafUnderTest, graph: Qbaf) -> Witness | None:
    """Check one graph by itself, which is the check that counts."""
    outcome = check_case(axiom, _make_case(Evaluation(graph, semantics, caf, MAX_STEPS)))
    return outcome if isinstance(outcome, Witness) else None


# -- smaller counterexamples ------------------------------------------------------------------------------------------


def measure_size(qbaf: Qbaf) -> tuple[int, int, int, int]:
    """Count arguments, edges, weights other than 1, and digits of base scores other than 1/2."""
    odd = sum(weight != 1 for relation in (qbaf.attacks, qbaf.supports) for weight in relation.values())
    digits = sum(len(f"{score:.17g}") for score in qbaf.base_scores.values() if score != 0.5)
    return len(qbaf), len(qbaf.weights), odd, digits


def shrink(witness: Witness, check: Callable[[Qbaf], Witness | None], keep: Collection[Name]) -> Witness:
    """Simplify the graph of a witness step by step, as long as it still violates the property.

    `check` gives the witness of a graph, or None if it does not violate the property; arguments in `keep` stay.
    """
    changed = True
    while changed:
        changed = False
        for step in _list_steps(witness.qbaf, keep):
            smaller = step(witness.qbaf)
            if measure_size(smaller) < measure_size(witness.qbaf):
                found = check(smaller)
                if found is not None:
                    witness, changed = found, True
    return witness


def _list_steps(graph: Qbaf, keep: Collection[Name]) -> Iterator[Callable[[Qbaf], Qbaf]]:
    """Remove arguments, then edges, then make all weights and base scores simple at once, then one at a time."""
    edges = [*graph.attacks, *graph.supports]
    yield from (partial(_simplify, without=str(name)) for name in graph.arguments if name not in keep)
    yield from (partial(_simplify, without=edge) for edge in edges)
    yield partial(_simplify, scores=dict.fromkeys(graph.arguments, 0.5), unweighted=edges)
    yield partial(_simplify, unweighted=edges)
    yield from (partial(_simplify, unweighted=[edge]) for edge in edges)
    for name, score in graph.base_scores.items():
        for rounded in (*ROUND_SCORES, round(score, 1), round(score, 2)):
            yield partial(_simplify, scores={name: rounded})


def _simplify(
    graph: Qbaf,
    without: str | Edge | None = None,
    scores: Mapping[Name, float] = MappingProxyType({}),
    unweighted: Collection[Edge] = (),
) -> Qbaf:
    """Return the graph without an argument or edge, with other base scores, with the weight 1 on some edges."""
    if isinstance(without, str):
        return graph.without(without) if without in graph else graph
    relations = (
        {edge: 1.0 if edge in unweighted else weight for edge, weight in relation.items() if edge != without}
        for relation in (graph.attacks, graph.supports)
    )
    return Qbaf({str(name): scores.get(name, score) for name, score in graph.base_scores.items()}, *relations)


# -- the table of properties ------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class AxiomTable(
    Result,
    schema=Schema(
        "qontrast/axiom-table/1",
        {
            "semantics": "name of the semantics",
            "cells": "property → method or function → a violation (`arguments`, `left`, `right`, `words`, `graph`), or "
            "the counts of the search (`graphs`, `applied`, `undecided`)",
        },
        source="`axiom_table`",
    ),
):
    """Every property against every method: `table[property, method]` is a `Witness` or a `Tried`.

    `str` is a Markdown table, with the witnesses below it.

    Attributes
    ----------
    semantics
        The name of the semantics.
    axioms, cafs
        The names of the properties, and of the methods or functions that were tested.
    cells
        (property, method) → `Witness` or `Tried`.
    """

    semantics: str
    axioms: tuple[str, ...]
    cafs: tuple[str, ...]
    cells: Mapping[tuple[str, str], Found]
    qbaf: ClassVar[None] = None  # many random graphs were checked
    method: ClassVar[None] = None  # see `cafs`

    def __getitem__(self, cell: tuple[str, str]) -> Found:
        return self.cells[cell]

    def _computed_fields(self) -> dict[str, Any]:
        return {"cells": {axiom: {caf: _to_data(self[axiom, caf]) for caf in self.cafs} for axiom in self.axioms}}


def axiom_table(
    cafs: Sequence[str | Caf | Derived] = PAPER_METHODS,
    axioms: Sequence[str] | None = None,
    *,
    semantics: str | Semantics | None = None,
    executor: Executor | None = None,
    progress: Progress | None = None,
    seed: int = 0,
    graphs: int = 5000,
    cyclic: bool = False,
    loops: bool = True,
    arguments: tuple[int, int] = (3, 6),
) -> AxiomTable:
    """Search for counterexamples to several properties for several methods.

    Parameters
    ----------
    cafs : sequence of str, Derived or callable
        What is tested, as in `verdicts`.
    axioms : sequence of str, optional
        Names of properties; the paper's, which are about arguments, unless given.
    semantics, executor, progress, seed, graphs, cyclic, loops, arguments
        As in `find_counterexample`.

    Returns
    -------
    AxiomTable
        In each cell the smallest violation found, or how many graphs were tried.

    Examples
    --------
    >>> table = axiom_table(["removal"], ["antisymmetry", "efficiency"], semantics="qe", graphs=40)
    >>> print(str(table).splitlines()[2])
    | Antisymmetry | none in 40 graphs |
    """
    paper = [name for name, each in AXIOMS.items() if each.players == "arguments"]
    names = tuple(check_list(paper if axioms is None else axioms, "axioms", "properties"))
    cafs = check_list(cafs, "cafs", "methods and functions")
    sampler, report = GraphSampler(seed, graphs, cyclic, loops, arguments), check_progress(progress)
    cells: dict[tuple[str, str], Found] = {}
    for k, caf in enumerate(cafs):
        shifted = None if report is None else partial(_report_part, report, k * graphs, len(cafs) * graphs)
        found = search(names, caf, sampler, semantics=semantics, executor=executor, progress=shifted)
        cells |= {(name, resolve_caf(caf).name): each for name, each in found.items()}
    tested = tuple(resolve_caf(caf).name for caf in cafs)
    return AxiomTable(semantics=find_semantics(semantics).name, axioms=names, cafs=tested, cells=cells)


def _report_part(progress: Progress, before: int, total: int, done: int, _: int) -> None:
    progress(before + done, total)


def _to_data(found: Found) -> dict[str, Any]:
    if isinstance(found, Tried):
        return {name: getattr(found, name) for name in ("graphs", "applied", "undecided")}
    data = {name: getattr(found, name) for name in ("arguments", "left", "right", "words")}
    return data | {"graph": presenter().write_graph(found.qbaf)}
