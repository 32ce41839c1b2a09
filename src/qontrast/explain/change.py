"""Explain the difference between two versions of a graph: which changes moved the gap of two topics.

With N the changed units and v(S) the gap of the version before with the changes S applied,

    share(e)  = Σ_S |S|! (|N|−|S|−1)! / |N|!  (v(S∪e) − v(S))       its Shapley value: they add up to v(N) − v(∅)
    alone(e)  = v({e}) − v(∅)
    undone(e) = v(N) − v(N∖e)
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from typing import Any

from ..engine.problem import MAX_STEPS, Problem, make_problem
from ..errors import Hint, InvalidInput, UndefinedStrength, UnknownName, unknown_name, with_article
from ..graph.qbaf import Qbaf
from ..results.base import Plottable, Result, Schema
from ..results.order import rank_contributions
from ..semantics import Semantics
from ..settings import check_choice, check_integer, check_progress
from ..types import Name, Progress
from .change_elements import join_versions, mix_arguments, mix_elements
from .change_sets import OrderSets, Sets, find_order_sets, list_undefined
from .change_shares import find_shares

UNITS = ("elements", "arguments")
BUDGET = 20_000  # mixtures that are sampled where there are too many units for a table
SCHEMA = Schema(
    "qontrast/change/1",
    {
        "fact": "the topic that is explained",
        "foil": "the topic that it is compared with; `null` if there is none",
        "units": "what changes are divided into: `elements` or `arguments`",
        "method": "`shapley`, or `sampled` where there are more than 20 units",
        "semantics": "name of the semantics",
        "gap_before": "σ(fact) − σ(foil) in the version before; σ(fact) if there is no foil",
        "gap_after": "the same in the version after",
        "changes": "list of the changed units: `kind` (`base`, `add`, `drop`, `edge` or `argument`), `argument`, or "
        "`source` and `target` of an edge; `share` in the change of the gap, `alone` (applied alone), `undone` (what "
        "is lost if it alone is not applied), and `std_error` where shares are sampled",
        "sufficient": "the minimal sets of changed arguments that change the order of the topics",
        "counterfactual": "of those that also restore the order when they alone are undone, the minimal sets",
        "necessary": "of those without which no other changes the order, the minimal sets",
        "element_sets": "the same three for sets of changed elements, each with its `kind` and names; empty where "
        "`units` is `arguments`, shares are sampled or there is no foil",
        "pockets": "the maximal sets of added arguments all of whose subsets keep the order",
        "largest_set": "up to which size sets were searched; `null` if all were",
        "undefined": "sets of changed units that, applied alone, give a graph without strengths, the smallest first",
        "undefined_count": "how many such sets there are",
    },
    source="`change`",
)


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Change(Mapping[Any, float], Result, Plottable, schema=SCHEMA):
    """A mapping from changed unit to its share in the change of the gap, with what else follows from the mixtures.

    A unit is an element, `("base", x)`, `("add", x)`, `("drop", x)` or `("edge", x, y)`, or with `units="arguments"`
    the name of an argument.

    Attributes
    ----------
    before, after
        The two versions.
    fact, foil
        The topics; `foil` is None for one topic.
    semantics
        The name of the semantics.
    units
        "elements" or "arguments".
    gap_before, gap_after
        σ(fact) − σ(foil) of the versions; σ(fact) if there is no foil.
    shares
        The Shapley shares in the order of the units; None where one of the mixtures has no strengths.
    alone
        Unit → what it does to the version before, applied alone; NaN where that mixture has no strengths.
    undone
        Unit → what the version after loses if it alone is not applied.
    std_error
        Unit → standard error of its share, where shares are sampled; None where they are exact.
    sufficient, counterfactual, necessary
        Lists of minimal sets of changed arguments; empty for one topic, [∅] where the order did not change.
    element_sets
        "sufficient", "counterfactual" and "necessary" → minimal sets of changed elements, finer than arguments; empty
        where `units` is "arguments", shares are sampled or there is no foil.
    pockets
        The maximal sets of added arguments all of whose subsets keep the order of the version before.
    largest_set
        The size up to which sets were searched; None if all were. Necessary sets need all.
    undefined, undefined_count
        Sets of changed units that, applied alone, give a graph without strengths: the smallest, and how many.
    refusal
        The error that asking for a share raises, if `shares` is None.

    Examples
    --------
    >>> before = Qbaf({"p": 0.5, "q": 0.625, "x": 0.5}, supports=[("x", "p")], semantics="df-quad")
    >>> found = change(before, before.with_base_scores({"x": 0.0}), "p", "q")
    >>> dict(found), found.gap_before, found.gap_after, found.sufficient
    ({('base', 'x'): -0.25}, 0.125, -0.125, [frozenset({'x'})])
    """

    before: Qbaf
    after: Qbaf
    fact: Name
    foil: Name | None
    semantics: str
    units: str
    gap_before: float
    gap_after: float
    shares: Mapping[Any, float] | None
    alone: Mapping[Any, float]
    undone: Mapping[Any, float]
    std_error: Mapping[Any, float] | None
    sufficient: Sets
    counterfactual: Sets
    necessary: Sets
    element_sets: Mapping[str, Sets]
    pockets: Sets
    largest_set: int | None
    undefined: Sets
    undefined_count: int
    refusal: UndefinedStrength | None

    @property
    def qbaf(self) -> Qbaf:
        """The version before."""
        return self.before

    @property
    def sampled(self) -> bool:
        """Whether shares are estimates."""
        return self.std_error is not None

    @property
    def method(self) -> str:
        """How shares are computed."""
        return "sampled" if self.sampled else "shapley"

    def __getitem__(self, unit: Any) -> float:
        try:
            known = unit in self.alone
        except TypeError:
            known = False
        if not known:
            raise unknown_name(unit, list(self.alone), "change")
        if self.shares is None:
            assert self.refusal is not None
            raise self.refusal
        return self.shares[unit]

    def __iter__(self) -> Iterator[Any]:
        return iter(self.alone)

    def __len__(self) -> int:
        return len(self.alone)

    def ranked(self) -> list[tuple[Any, float]]:
        """List units and shares, the largest first; ties by name.

        Returns
        -------
        list of (unit, float)
        """
        return rank_contributions(self)

    def version_of(self, name: Name) -> Qbaf:
        """Return the version that has an argument: the one after, unless it was dropped.

        Parameters
        ----------
        name : str or int
            An argument of one of the versions.

        Returns
        -------
        Qbaf
        """
        return self.after if name in self.after else self.before

    @property
    def changes(self) -> list[dict[str, Any]]:
        """For each changed unit its `kind` and names, its `share` (None where it has none), `alone` and `undone`."""
        rows = []
        for unit, alone in self.alone.items():
            row = name_unit(unit) | {"share": None if self.shares is None else self.shares[unit]}
            row |= {} if self.std_error is None else {"std_error": self.std_error[unit]}
            rows.append(row | {"alone": alone, "undone": self.undone[unit]})
        return rows

    def _computed_fields(self) -> dict[str, Any]:
        kinds = ("sufficient", "counterfactual", "necessary", "pockets")
        sets = {kind: self._order(getattr(self, kind)) for kind in kinds}
        undefined = [[name_unit(unit) for unit in sorted(each, key=str)] for each in self.undefined]
        finer = {
            kind: [[name_unit(unit) for unit in sorted(each, key=str)] for each in found]
            for kind, found in self.element_sets.items()
        }
        return {**sets, "element_sets": finer, "undefined": undefined}

    def _order(self, sets: Sets) -> list[list[str]]:
        """The members of sets as texts, in the order of the versions."""
        place = {name: k for k, name in enumerate((*self.before, *(x for x in self.after if x not in self.before)))}
        return [[str(name) for name in sorted(each, key=place.__getitem__)] for each in sets]


def name_unit(unit: Any) -> dict[str, Any]:
    """Write a unit as plain data."""
    if not isinstance(unit, tuple):
        return {"kind": "argument", "argument": str(unit)}
    if unit[0] == "edge":
        return {"kind": "edge", "source": str(unit[1]), "target": str(unit[2])}
    return {"kind": unit[0], "argument": str(unit[1])}


def change(
    before: Qbaf,
    after: Qbaf,
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
) -> Change:
    """Explain how the gap of two topics changed between two versions of a graph.

        share(e) = Σ_S |S|! (|N|−|S|−1)! / |N|!  (v(S∪e) − v(S))

    with N the changed units and v(S) the gap of the version before with the changes S applied. Shares add up to the
    change of the gap. Up to 20 units all mixtures are solved; beyond, shares are sampled, and only sets of up to three
    arguments are searched. Arguments without a path to a topic are left out, and their changes have the share 0.

    Parameters
    ----------
    before, after : Qbaf
        The two versions.
    fact : str or int
        The topic that is explained, in both versions.
    foil : str or int, optional
        The topic that it is compared with; without it the change of the strength of the fact is explained.
    semantics, solver, max_steps, executor, device, progress
        As in `contributions`. Versions that name different semantics need `semantics`.
    seed : int
        The seed of the random numbers, where shares are sampled.
    units : {"elements", "arguments"}
        Whose shares: of elements, such as one base score or one edge, or of arguments, each with its base score and
        its outgoing edges. The sets of changes are of arguments in both cases.
    budget : int
        Mixtures that are solved for sampled shares.

    Returns
    -------
    Change
        A mapping from unit to share.

    Raises
    ------
    UnknownName
        If a version has no such topic.
    InvalidInput
        If the versions name different semantics, or only one of them names an asked argument as a topic.
    UndefinedStrength
        If one of the versions has no strengths.

    Examples
    --------
    >>> before = Qbaf({"p": 0.5, "q": 0.75, "x": 0.0, "y": 0.5}, supports=[("x", "p")], semantics="df-quad")
    >>> scores = {"p": 0.5, "q": 0.75, "x": 0.5, "y": 0.5}
    >>> after = Qbaf(scores, attacks=[("y", "q")], supports=[("x", "p")], semantics="df-quad")
    >>> found = change(before, after, "p", "q")
    >>> dict(found), found.sufficient
    ({('base', 'x'): 0.25, ('edge', 'y', 'q'): 0.375}, [frozenset({'x'}), frozenset({'y'})])
    """
    topics = [fact] if foil is None else [fact, foil]
    chosen = check_versions(before, after, topics, semantics)
    check_choice(units, UNITS, "units")
    report = check_progress(progress)
    check_integer(seed, "seed")
    check_integer(budget, "budget", 1)

    def make(graph: Qbaf) -> Problem:
        return make_problem(graph, chosen, solver, max_steps, executor, device)

    versions = join_versions(before, after)
    places = [versions.arguments.index(topic) for topic in topics]
    named, mixtures = (mix_elements if units == "elements" else mix_arguments)(versions, places, make)
    found = find_shares(mixtures, named, budget, seed, report)
    order, finer = OrderSets(), {}
    if foil is not None:
        if units == "elements" and found.table is not None:
            finer = find_order_sets(mixtures, (), found.table, None).minimal
        by_argument = mixtures if units == "arguments" else mix_arguments(versions, places, make)[1]
        known = found.table if by_argument.same_as(mixtures) else None
        added = [name for name in after if name not in before]
        order = find_order_sets(by_argument, added, known, report)
    listed, number = ([], 0) if found.table is None else list_undefined(mixtures.units, found.table)
    if units == "elements" or found.table is None:  # else both are the same mixtures
        listed, number = listed + order.undefined, number + order.undefined_count
    return Change(
        before=before,
        after=after,
        fact=fact,
        foil=foil,
        semantics=mixtures.problem.semantics.name,
        units=units,
        gap_before=found.ends[0],
        gap_after=found.ends[1],
        shares=found.shares,
        alone=found.alone,
        undone=found.undone,
        std_error=found.std_error,
        sufficient=sort_sets(order.sufficient, versions.arguments),
        counterfactual=sort_sets(order.counterfactual, versions.arguments),
        necessary=sort_sets(order.necessary, versions.arguments),
        element_sets=finer,
        pockets=sort_sets(order.pockets, versions.arguments),
        largest_set=order.largest,
        undefined=listed,
        undefined_count=number,
        refusal=found.refusal,
    )


def sort_sets(sets: Sets, arguments: Sequence[Name]) -> Sets:
    """Sort sets by size, then by the places of their members."""
    place = {name: k for k, name in enumerate(arguments)}
    return sorted(sets, key=lambda each: (len(each), sorted(place[name] for name in each)))


def check_versions(
    before: Qbaf, after: Qbaf, topics: Sequence[Name], semantics: str | Semantics | None
) -> str | Semantics | None:
    """Check that two versions can be compared, and return the semantics: the given one, or that of the versions."""
    for name, version in (("before", before), ("after", after)):
        if not isinstance(version, Qbaf):
            kind = with_article(type(version).__name__)
            raise InvalidInput(f"{name} is {kind}; give a Qbaf, which qontrast.read(...) makes from a file")
    for topic in topics:
        if topic not in before and topic not in after:
            before.index(topic)  # says so
        for version, name, other in ((before, "before", "after"), (after, "after", "before")):
            if topic not in version:
                raise UnknownName(
                    f"no argument {topic!r} in the version {name}, but in the one {other}; ask for topics of both"
                )
            others = before if version is after else after
            if version.topics and topic in others.topics and topic not in version.topics:
                raise InvalidInput(
                    f"{topic!r} is a topic of the version {other} and not of the one {name}; give both the same topics"
                )
    if semantics is not None or before.semantics == after.semantics:
        return before.semantics if semantics is None else semantics
    if before.semantics is None or after.semantics is None:
        return before.semantics or after.semantics
    raise InvalidInput(
        f"the versions have different semantics, {before.semantics!r} before and {after.semantics!r} after",
        hints=[Hint("semantics", (before.semantics, after.semantics))],
    )
