"""Follow the gap of two topics over several versions of a graph, and explain each step from one to the next."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

from ..engine.problem import MAX_STEPS
from ..errors import Hint, InvalidInput, quote_names, unknown_name
from ..graph.qbaf import Qbaf
from ..results.base import Plottable, Result, Schema
from ..results.order import rank_contributions
from ..semantics import Semantics
from ..settings import check_list, check_progress
from ..types import Name, Progress
from .change import BUDGET, Change, change, name_unit

PARTS_PER_STEP = 1000  # of progress

SCHEMA = Schema(
    "qontrast/history/1",
    {
        "fact": "the topic that is explained",
        "foil": "the topic that it is compared with; `null` if there is none",
        "units": "what changes are divided into: `elements` or `arguments`",
        "semantics": "name of the semantics",
        "versions": "the names of the versions",
        "gaps": "σ(fact) − σ(foil) in each version; σ(fact) if there is no foil",
        "totals": "list of the changed units, as in `qontrast/change/1`, each with its `share` over all steps",
        "steps": "the `qontrast/change/1` of each version and the next",
    },
    source="`change` with several files",
)


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class History(Mapping[Any, float], Result, Plottable, schema=SCHEMA):
    """A mapping from changed unit to the sum of its shares over all steps, with the steps.

    Attributes
    ----------
    names
        The names of the versions.
    steps
        `steps[k]` is the change from version k to version k + 1.

    Examples
    --------
    >>> q = Qbaf({"t": 0.5, "x": 0.0}, supports=[("x", "t")], semantics="df-quad")
    >>> found = history([q, q.with_base_scores({"x": 1.0}), q.with_base_scores({"x": 0.5})], "t")
    >>> dict(found), found.gaps
    ({('base', 'x'): 0.25}, (0.5, 1.0, 0.75))
    """

    names: tuple[str, ...]
    steps: tuple[Change, ...]

    @property
    def qbaf(self) -> Qbaf:
        """The first version."""
        return self.steps[0].before

    @property
    def fact(self) -> Name:
        """The topic that is explained."""
        return self.steps[0].fact

    @property
    def foil(self) -> Name | None:
        """The topic that it is compared with."""
        return self.steps[0].foil

    @property
    def units(self) -> str:
        """What changes are divided into."""
        return self.steps[0].units

    @property
    def semantics(self) -> str:
        """The name of the semantics."""
        return self.steps[0].semantics

    @property
    def method(self) -> str:
        """How shares are computed: "sampled" if those of one step are."""
        return "sampled" if any(step.sampled for step in self.steps) else "shapley"

    @property
    def gaps(self) -> tuple[float, ...]:
        """σ(fact) − σ(foil) in each version; σ(fact) if there is no foil."""
        return (self.steps[0].gap_before, *(step.gap_after for step in self.steps))

    @cached_property
    def _totals(self) -> dict[Any, float]:
        units = dict.fromkeys(unit for step in self.steps for unit in step)
        return {unit: sum(step[unit] for step in self.steps if unit in step.alone) for unit in units}

    def __getitem__(self, unit: Any) -> float:
        known = {each for step in self.steps for each in step}
        if not isinstance(unit, str | int | tuple) or unit not in known:
            raise unknown_name(unit, sorted(known, key=str), "change")
        return self._totals[unit]

    def __iter__(self) -> Iterator[Any]:
        return iter(dict.fromkeys(unit for step in self.steps for unit in step))

    def __len__(self) -> int:
        return len(set(self))

    def ranked(self) -> list[tuple[Any, float]]:
        """List units and their shares over all steps, the largest first; ties by name.

        Returns
        -------
        list of (unit, float)
        """
        return rank_contributions(self)

    @property
    def versions(self) -> tuple[str, ...]:
        """The names of the versions."""
        return self.names

    @property
    def totals(self) -> list[dict[str, Any]]:
        """For each changed unit its `kind` and names, and its `share` over all steps; None where a step has none."""
        refused = any(step.shares is None for step in self.steps)
        return [name_unit(unit) | {"share": None if refused else self[unit]} for unit in self]

    def _computed_fields(self) -> dict[str, Any]:
        return {"steps": [step.to_dict() for step in self.steps]}


def history(
    versions: Iterable[Qbaf],
    fact: Name,
    foil: Name | None = None,
    *,
    semantics: str | Semantics | None = None,
    solver: str = "discrete",
    max_steps: int = MAX_STEPS,
    executor: Executor | None = None,
    device: str = "cpu",
    progress: Progress | None = None,
    seed: int = 0,
    units: str = "elements",
    budget: int = BUDGET,
    names: Sequence[str] | None = None,
) -> History:
    """Explain how the gap of two topics changed over several versions of a graph, one step after the other.

        share(e) = Σ_k share of e in the change from version k to version k + 1

    so that the shares of all steps add up to the gap of the last version minus that of the first.

    Parameters
    ----------
    versions : iterable of Qbaf
        Two or more versions, the oldest first.
    fact, foil, semantics, solver, max_steps, executor, device, progress, seed, units, budget
        As in `change`.
    names : sequence of str, optional
        What the versions are called, such as dates; "1", "2", … if not given.

    Returns
    -------
    History
        A mapping from changed unit to its share, with one `Change` for each step.

    Raises
    ------
    InvalidInput
        If there are fewer than two versions, or as many names as there are not versions.
    UnknownName
        If a version has no such topic.
    UndefinedStrength
        If one of the versions has no strengths.

    Examples
    --------
    >>> q = Qbaf({"p": 0.5, "q": 0.625, "x": 0.5}, supports=[("x", "p")], semantics="df-quad")
    >>> found = history([q, q.with_base_scores({"x": 0.0}), q.with_base_scores({"x": 0.0, "q": 0.25})], "p", "q")
    >>> found.gaps, [dict(step) for step in found.steps]
    ((0.125, -0.125, 0.25), [{('base', 'x'): -0.25}, {('base', 'q'): 0.375}])
    """
    graphs = [versions] if isinstance(versions, Qbaf) else check_list(versions, "versions", "graphs")
    if len(graphs) < 2 or not all(isinstance(each, Qbaf) for each in graphs):
        what = "one graph" if len(graphs) == 1 else "no graph" if not graphs else "not all graphs"
        raise InvalidInput(f"versions: {what}; give two or more of Qbaf, the oldest first")
    named = [str(k) for k in range(1, len(graphs) + 1)] if names is None else check_list(names, "names")
    if len(named) != len(graphs):
        raise InvalidInput(f"names: {len(named)} for {len(graphs)} versions; give one for each")
    report = check_progress(progress)
    found = []
    for k, pair in enumerate(pairwise(graphs)):
        found.append(
            change(
                *pair,
                fact,
                foil,
                semantics=choose_semantics(graphs) if semantics is None else semantics,
                solver=solver,
                max_steps=max_steps,
                executor=executor,
                device=device,
                progress=None if report is None else _report_step(report, k, len(graphs) - 1),
                seed=seed,
                units=units,
                budget=budget,
            )
        )
    return History(names=tuple(map(str, named)), steps=tuple(found))


def choose_semantics(versions: Iterable[Qbaf]) -> str | None:
    """Return the semantics that all versions name, as far as they name one."""
    named = list(dict.fromkeys(each.semantics for each in versions if each.semantics is not None))
    if len(named) > 1:
        raise InvalidInput(
            f"the versions have different semantics, {quote_names(named)}", hints=[Hint("semantics", tuple(named))]
        )
    return named[0] if named else None


def _report_step(report: Progress, step: int, steps: int) -> Progress:
    """Report the progress of one step as that of all."""

    def report_all(done: int, total: int) -> None:
        report(PARTS_PER_STEP * step + PARTS_PER_STEP * done // total, PARTS_PER_STEP * steps)

    return report_all
