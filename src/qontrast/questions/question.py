"""One question: read what the user named, resolve it, then compute the answer."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field, replace
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeVar

from ..attribution.methods import DEFAULT, METHODS
from ..attribution.players import KINDS, PlayersGiven
from ..engine.discrete import SOLVERS
from ..engine.problem import MAX_STEPS, Strengths, strengths
from ..errors import Hint, InvalidInput, QontrastError, TooLarge, UnknownName, unknown_name
from ..explain.contrast import Contrast, contrast
from ..explain.pairs import Pairs, all_pairs
from ..explain.ranking import Ranking, rank
from ..explain.whatif import WhatIf, apply_changes, whatif
from ..graph.qbaf import Qbaf
from ..semantics import Semantics
from ..types import Name, Progress
from .topics import default_pair, find_element, order_by_strength, require_topics, suggest_topics

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from ..axioms import Outcome
    from ..explain.change import Change
    from ..explain.check import Check
    from ..explain.compare_semantics import SemanticsComparison
    from ..explain.flip import Flip
    from ..explain.history import History
    from ..explain.interactions import Interactions
    from ..explain.paths import Paths
    from ..explain.reach import Reach
    from ..explain.reasons import Reasons
    from ..explain.robustness import Robustness
    from ..explain.uncertainty import Uncertainty
    from ..graph.distributions import Distribution
    from ..results.base import Result

Answer = TypeVar("Answer")
Score = TypeVar("Score")
PLAYERS = (*KINDS, "groups")  # values of `players`
MAX_FOLLOWED_STEPS = 20  # of a trajectory
MAX_BOUNDED_ARGUMENTS, MAX_BOUNDED_EDGES = 200, 1000  # of a graph whose check and report bound the order
MAX_BOXES_OF_ORDER = 1000  # of that proof: a number of boxes and no time, so that all machines say the same


def _show_no_progress(title: str) -> AbstractContextManager[None]:
    return nullcontext()


@dataclass(frozen=True, kw_only=True)
class Question:
    """A question about a graph as a user put it. Names and labels are resolved when they are first needed.

    Parameters
    ----------
    graph : Qbaf
        The graph before any change.
    source : str
        What messages call the graph, such as its file name.
    topics : sequence of str
        Names or unique labels of topics that replace those of the graph.
    base_scores : iterable of (str, float)
        Arguments, by name or unique label, and the base scores that they get.
    scores : sequence of (str, Distribution or None)
        Arguments, by name or unique label, and what their base scores may be; None means that one is certain.
    remove : sequence of str
        Arguments, by name or unique label, that are left out.
    fact, foil : str, optional
        The two topics to compare, by name or unique label. What is not named follows from `default_pair`.
    method : str
        A name in the table METHODS.
    players : str or mapping
        Who contributes to a contrast, as in `qontrast.contrast`; members of groups by name or unique label.
    groups : mapping, optional
        Name of a group → arguments, by name or unique label; replaces the groups of the graph.
    groups_source : str, optional
        The file that the groups come from, for messages.
    settings : mapping
        Settings of the method. One that the method does not have is refused.
    defaults : mapping
        Settings that apply only if the method has them and `settings` does not give them, such as a server's limits.
    semantics, solver, max_steps
        As in `qontrast.strengths`.
    device : str
        Where contributions are computed, as in `qontrast.contributions`.
    strict : bool
        Refuse a question that the user probably did not mean: fewer than two topics to choose from, a topic that is
        compared with itself, an argument that is both set and removed. Without it every state of the explorer's menus
        has an answer: topics are suggested, and removing wins over setting.
    executor : concurrent.futures.Executor, optional
        Where large pieces of work are done.
    show_progress : callable
        Title of the work → a context manager that gives a function (done, total), or None. Default: none is shown.
    """

    graph: Qbaf
    source: str = "the graph"
    topics: Sequence[str] = ()
    base_scores: Iterable[tuple[str, float]] = ()
    scores: Sequence[tuple[str, Distribution | None]] = ()
    remove: Sequence[str] = ()
    fact: str | None = None
    foil: str | None = None
    method: str = DEFAULT
    players: PlayersGiven = "arguments"
    groups: Mapping[str, Sequence[str]] | None = None
    groups_source: str | None = None
    settings: Mapping[str, Any] = field(default_factory=dict)
    defaults: Mapping[str, Any] = field(default_factory=dict)
    semantics: str | Semantics | None = None
    solver: str = "discrete"
    max_steps: int = MAX_STEPS
    device: str = "cpu"
    strict: bool = False
    executor: Executor | None = None
    show_progress: Callable[[str], AbstractContextManager[Progress | None]] = _show_no_progress

    # -- the graph ---------------------------------------------------------------------------------------------

    @cached_property
    def original(self) -> Qbaf:
        """The graph before the changes, with the topics and groups asked for."""
        graph = self._set_groups(self.graph)
        if not self.topics:
            return graph
        names = self.resolve(self.topics)
        for name in self.removed:
            if name in names:
                raise InvalidInput(f"{name!r} is both a topic and removed; do one of the two")
        return graph.with_topics(names)

    def _set_groups(self, graph: Qbaf) -> Qbaf:
        if self.groups is None:
            return graph
        try:
            found = {
                group: [_resolve_member(graph, group, name) for name in names] for group, names in self.groups.items()
            }
            return graph.with_groups(found)
        except QontrastError as error:
            if self.groups_source is not None:
                error.args = (f"{self.groups_source}: {error.args[0]}",)
            raise

    @cached_property
    def qbaf(self) -> Qbaf:
        """The graph after the changes."""
        changed = self.original
        if self.changes or self.removed:
            changed = apply_changes(changed, self.changes, self.removed)
        if not self.scores:
            return changed
        found = {**changed.uncertain, **self._resolve_scores(self.scores)}
        kept = {name: each for name in changed.arguments if (each := found.get(name)) is not None}
        return changed._with(uncertain=MappingProxyType(kept))

    def _resolve_scores(self, scores: Iterable[tuple[str, Score]]) -> dict[Name, Score]:
        """What base scores may be, by name."""
        found: dict[Name, Score] = {}
        for name_or_label, each in scores:
            name = self.graph.resolve(name_or_label)
            if name in found:
                raise InvalidInput(f"{name!r} is given two uncertain base scores; keep one")
            found[name] = each
        return found

    @cached_property
    def removed(self) -> tuple[Name, ...]:
        """The arguments that are removed, each once."""
        return self.resolve(self.remove)

    @cached_property
    def changes(self) -> dict[Name, float]:
        """The base scores that are set, by name."""
        found: dict[Name, float] = {}
        for name_or_label, score in self.base_scores:
            name = self.graph.resolve(name_or_label)
            if name in found:
                raise InvalidInput(f"{name!r} is given two base scores; keep one")
            found[name] = score
        return found if self.strict else {name: score for name, score in found.items() if name not in self.removed}

    def resolve(self, names: Iterable[str]) -> tuple[Name, ...]:
        """Return the arguments that these names or unique labels stand for, each once."""
        return tuple(dict.fromkeys(self.graph.resolve(name) for name in names))

    # -- the topics --------------------------------------------------------------------------------------------

    @cached_property
    def pair(self) -> tuple[Name, Name]:
        """Fact and foil."""
        return self._choose_pair(self.qbaf)

    @cached_property
    def named_pair(self) -> tuple[Name | None, Name | None]:
        """Fact and foil as far as they are named."""
        fact, foil = (None if name is None else self.graph.resolve(name) for name in (self.fact, self.foil))
        for name, role in ((fact, "fact"), (foil, "foil")):
            if name is not None and name in self.removed:
                raise InvalidInput(f"{name!r} is the {role} and is removed; keep it, or set it to 0")
        return fact, foil

    def _choose_pair(self, qbaf: Qbaf) -> tuple[Name, Name]:
        fact, foil = self.named_pair
        if fact is not None and foil is not None:
            if self.strict and fact == foil:
                raise InvalidInput(f"{fact!r} cannot be compared with itself; name two topics")
            return fact, foil
        missing = (fact, foil).count(None)
        if self.strict and len(set(qbaf.topics) - {fact, foil}) < missing:
            require_topics(qbaf, self.source, Hint("foil"))
        return default_pair(qbaf, strengths(qbaf, **self.solving), fact, foil)

    # -- the settings ------------------------------------------------------------------------------------------

    @cached_property
    def solving(self) -> dict[str, Any]:
        """Semantics, solver and limit of steps, as keywords of the library's functions."""
        if self.solver not in SOLVERS:
            raise unknown_name(self.solver, SOLVERS, "solver")
        return {"semantics": self.semantics, "solver": self.solver, "max_steps": self.max_steps}

    @property
    def spreading(self) -> dict[str, Any]:
        """Where the work is done, as keywords of the functions that take an executor or a device."""
        executor = {} if self.executor is None else {"executor": self.executor}
        return executor if self.device == "cpu" else {**executor, "device": self.device}

    @cached_property
    def measuring(self) -> dict[str, Any]:
        """The method and its settings, as keywords of the library's functions."""
        known = method_settings(self.method)
        for name in self.settings:
            if name not in known:
                raise InvalidInput(f"{name} has no meaning for the method {self.method!r}; leave it out")
        others = tuple(name for name, entry in METHODS.items() if self.players in entry.players)
        if self.players in PLAYERS and self.method not in others:
            kinds = METHODS[self.method].players
            what = "direct edges" if self.players == "direct" else self.players
            raise InvalidInput(
                f"the method {self.method!r} is not defined for {what}",
                hints=[Hint("method", others), Hint("players", kinds)],
            )
        return {
            "method": self.method,
            **{name: x for name, x in self.defaults.items() if name in known},
            **self.settings,
        }

    @cached_property
    def resolved_players(self) -> PlayersGiven:
        """The players, with the members of groups by name; those that are removed are in no group."""
        if isinstance(self.players, str):
            if self.players == "groups" and not self.qbaf.groups:
                raise InvalidInput(f"{self.source} has no groups", hints=[Hint("groups", ("FILE",))])
            return self.players
        groups = {name: [self.graph.resolve(member) for member in members] for name, members in self.players.items()}
        kept = {name: [each for each in members if each not in self.removed] for name, members in groups.items()}
        return {name: members for name, members in kept.items() if members or not groups[name]}

    # -- the answers -------------------------------------------------------------------------------------------

    @cached_property
    def strengths(self) -> Strengths:
        """The strengths after the changes."""
        return strengths(self.qbaf, **self.solving)

    def contrast(self) -> Contrast:
        """Explain the gap between fact and foil."""
        return self._measure(contrast, *self.pair, players=self.resolved_players)

    def all_pairs(self, topics: Sequence[Name] | None = None) -> Pairs:
        """Explain the gap between every two of the topics."""
        return self._measure(all_pairs, self._list_topics(topics), players=self.resolved_players)

    def rank(self, topics: Sequence[Name] | None = None) -> Ranking:
        """Order the topics by strength and explain each step."""
        return self._measure(rank, self._list_topics(topics))

    def _measure(self, compute: Callable[..., Answer], *about: Any, **settings: Any) -> Answer:
        return self._ask(self.method, compute, *about, **settings, **self.measuring, **self.spreading)

    def _ask(self, title: str, compute: Callable[..., Answer], *about: Any, **settings: Any) -> Answer:
        """Compute an answer about the graph with the settings of the solver, and show progress under a title."""
        with self.show_progress(title) as progress:
            return compute(self.qbaf, *about, progress=progress, **self.solving | settings)

    def _list_topics(self, topics: Sequence[Name] | None) -> list[Name]:
        if self.strict and topics is None:
            require_topics(self.qbaf, self.source)
        return list(suggest_topics(self.qbaf) if topics is None else topics)

    def flip(self, pair: tuple[Name, Name] | None = None, *, fixed: Iterable[str] = (), **settings: Any) -> Flip:
        """Search for the smallest change that makes the foil win; settings as in `qontrast.flip`."""
        from ..explain.flip import flip

        return self._ask("flip", flip, *(pair or self.pair), fixed=self.resolve(fixed), **settings, **self.spreading)

    def reach(self, goal: Sequence[str], **settings: Any) -> Reach:
        """Search for the cheapest change that reaches goals, or an order of topics; settings as in `qontrast.reach`."""
        from ..explain.goals import SIGNS
        from ..explain.reach import reach

        order = all(each in self.qbaf or not SIGNS.search(each) for each in goal)
        given = self.resolve(goal) if order and len(goal) > 1 else goal
        with self.show_progress("reach") as progress:
            return reach(self.qbaf, given, progress=progress, **settings, **self.solving, **self.spreading)

    def robustness(self, *, movers: Iterable[str] = (), **settings: Any) -> Robustness:
        """Bound how far base scores and weights may be off before the order of fact and foil changes.

        `movers` names arguments, and edges as SOURCE->TARGET; none means all.
        """
        from ..explain.robustness import robustness

        settings |= {"movers": [find_element(self.qbaf, name) for name in movers] or None}
        settings |= self.solving | self.spreading
        with self.show_progress("robustness") as progress:
            return robustness(self.qbaf, *self.pair, progress=progress, **settings)

    def bound_order(self) -> Robustness | None:
        """Bound how far base scores may be off, where this takes a second or two: small graphs without cycles."""
        qbaf = self.qbaf
        if len(qbaf) > MAX_BOUNDED_ARGUMENTS or len(qbaf.weights) > MAX_BOUNDED_EDGES:
            return None
        return self.robustness(max_boxes=MAX_BOXES_OF_ORDER, time_limit=None) if qbaf.structure.arrays.acyclic else None

    def reasons(self, **settings: Any) -> Reasons:
        """Find the sets of players that keep the order of fact and foil; settings as in `qontrast.reasons`."""
        from ..explain.reasons import reasons

        settings |= self.spreading
        return self._ask("reasons", reasons, *self.pair, players=self.resolved_players, **settings)

    def compare_semantics(self, compared: Sequence[str | Semantics] = ()) -> SemanticsComparison:
        """Compare the order of fact and foil under these semantics, or under all."""
        from ..explain.compare_semantics import compare_semantics

        settings = self.measuring | self.spreading | {"semantics": list(compared) or None}
        return self._ask("semantics", compare_semantics, *self.pair, players=self.resolved_players, **settings)

    def change(self, later: Sequence[Qbaf], names: Sequence[str], **settings: Any) -> Change | History:
        """Explain the difference between this version and later ones; settings as in `qontrast.change`.

        A fact that is named without a foil is explained by itself. Topics that are not named are chosen among those of
        all versions.
        """
        from ..explain.change import change
        from ..explain.history import history

        fact, foil = self.named_pair
        if fact is None:
            if self.strict:
                require_topics(self.qbaf, self.source, Hint("foil"), later=later)
            lasting = [name for name in self.qbaf.topics if all(name in version for version in later)]
            fact, foil = self._choose_pair(self.qbaf.with_topics(lasting))
        versions = [self.qbaf, *(version.with_topics([]) if self.topics else version for version in later)]
        settings |= self.solving | self.spreading
        with self.show_progress("change") as progress:
            if len(versions) > 2:
                return history(versions, fact, foil, names=names, progress=progress, **settings)
            return change(versions[0], versions[1], fact, foil, progress=progress, **settings)

    def interactions(self, *, alone: bool = False, **settings: Any) -> Interactions:
        """Find which two players work together for fact or foil; settings as in `qontrast.interactions`.

        With `alone`, a fact that is named without a foil is explained by itself.
        """
        from ..explain.interactions import interactions

        fact, foil = self.named_pair
        if not alone or fact is None or foil is not None:
            fact, foil = self.pair
        settings = self._find_limits("max_evaluations") | settings | self.spreading
        return self._ask("interactions", interactions, fact, foil, players=self.resolved_players, **settings)

    def uncertainty(self, scores: Iterable[tuple[str, Distribution]] = (), **settings: Any) -> Uncertainty:
        """Say how sure the order of fact and foil is; settings as in `qontrast.uncertainty`.

        `scores` are arguments, by name or unique label, and what their base scores may be.
        """
        from ..explain.uncertainty import uncertainty

        found = self._resolve_scores(scores)
        if not found and not self.qbaf.uncertain:
            raise InvalidInput(
                f"{self.source} has no uncertain base scores; say in the file what they may be",
                hints=[Hint("scores", ("NAME=0.6:0.9",))],
            )
        return self._ask("uncertainty", uncertainty, *self.pair, scores=found, **settings, **self.spreading)

    def _open_into_edges(self) -> Contrast:
        """Divide the Shapley contribution of each argument among its edges, by Owen values."""
        try:
            limits = self._find_limits("max_evaluations", "max_minutes") | self.spreading
            return self._ask("owen", contrast, *self.pair, players="edges", method="owen", **limits)
        except TooLarge as error:  # another method has no such figure
            error.hints = (Hint("figure", ("bars",)),)
            raise

    def _find_limits(self, *names: str) -> dict[str, Any]:
        """These limits, where they are set."""
        return {name: x for name, x in {**self.defaults, **self.settings}.items() if name in names}

    def report(self, *, search: bool = True, time_limit: float | None, **settings: Any) -> str:
        """Write one page of HTML with the whole answer; settings as in `qontrast.show.report_html`.

        The page says what would make the weaker of fact and foil win and, for a small graph without cycles, how far
        base scores may be off, unless `search` is False.
        """
        from ..show.html.report import write_report

        fact, foil = self.pair
        why = self.contrast()  # first: where it is refused, nothing else is worth its time
        ordered = order_by_strength(self.pair, self.strengths)
        if search and fact != foil:
            settings["flip"] = self.flip((ordered[0], ordered[1]), time_limit=time_limit)
            settings["robustness"] = self.bound_order()
        return write_report(why, self.resolved_players, self.solving, **settings)

    def paths(self, contributor: str, topic: str, **settings: Any) -> Paths:
        """List the paths from one argument to another; settings as in `qontrast.paths`."""
        from ..explain.paths import paths

        start, end = self.qbaf.resolve(contributor), self.qbaf.resolve(topic)
        return paths(self.qbaf, start, end, **settings, **self.solving)

    def compute(self, source: str, topics: Sequence[Name] | None = None) -> Result:
        """Compute what a figure is drawn from: a "contrast", "edges", "interactions", "uncertainty", a
        "change", "pairs", a "ranking", "semantics" or a "trajectory"."""
        match source:
            case "contrast":
                return self.contrast()
            case "edges":
                return self._open_into_edges()
            case "semantics":
                return self.compare_semantics()
            case "interactions":
                return self.interactions()
            case "uncertainty":
                return self.uncertainty()
            case "change":
                from ..explain.change import change

                fact, foil = self.pair
                return change(self.original, self.qbaf, fact, foil, **self.solving, **self.spreading)
            case "pairs":
                return self.all_pairs(topics)
            case "ranking":
                return self.rank(topics)
        from ..explain.trajectory import trajectory

        until = min(self.solving["max_steps"], MAX_FOLLOWED_STEPS)
        return trajectory(self.qbaf, semantics=self.semantics, solver=self.solver, until=until)

    def check(self) -> Check:
        """Describe the graph, and bound its order where it has two topics and `bound_order` can."""
        from ..explain.check import check

        found = check(self.qbaf, **self.solving)
        order = self.bound_order() if found.undefined is None and len(self.qbaf.topics) > 1 else None
        return replace(found, robustness=order)

    def verdicts(self) -> dict[str, Outcome]:
        """Check the properties of AXIOMS, for fact and foil where one of them is named, else for all topics."""
        from ..axioms import verdicts

        _ = self.strengths  # so that undefined strengths are one error, not one for each property
        topics, method = self.compared_topics, self.measuring["method"]
        with self.show_progress("axioms") as progress:
            settings = {"semantics": self.semantics, "topics": topics, **self.spreading}
            return verdicts(self.qbaf, method, progress=progress, **settings)

    @property
    def compared_topics(self) -> list[Name]:
        """The topics whose pairs `verdicts` checks: fact and foil, else all topics, else all arguments."""
        from ..axioms.axiom import list_topics

        return list_topics(self.qbaf, None if self.named_pair == (None, None) else list(self.pair))

    def whatif(self) -> WhatIf:
        """Compare the graph before and after the changes.

        Fact and foil are chosen before the change, among topics that stay. A graph without two such topics has no pair,
        but strengths to compare.
        """
        stays = self.original.with_topics(name for name in self.original.topics if name not in self.removed)
        pair = (None, None) if self.named_pair[0] is None and len(stays.topics) < 2 else self._choose_pair(stays)
        changes: dict[str, Any] = {"base_scores": self.changes, "remove": self.removed}
        return whatif(self.original, pair[0], pair[1], **changes, **self.measuring, **self.solving, **self.spreading)


def method_settings(method: str) -> tuple[str, ...]:
    """Return the names of a method's settings.

    >>> method_settings("shapley")
    ('max_evaluations', 'max_minutes')
    """
    if method not in METHODS:
        raise unknown_name(method, METHODS, "method")
    return tuple(getattr(METHODS[method].make, "__dataclass_fields__", ()))


def _resolve_member(graph: Qbaf, group: str, name: str) -> Name:
    """Return the argument that a group names; an error names the group."""
    try:
        return graph.resolve(name)
    except (UnknownName, InvalidInput) as error:
        raise type(error)(f"group {group!r}: {error.args[0]}") from None
