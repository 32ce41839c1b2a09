"""Explain many graphs, one after the other or in an executor; a graph that cannot be explained stops no other."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Sized
from dataclasses import dataclass, field, replace
from itertools import combinations, islice
from typing import TYPE_CHECKING, Any, ClassVar, Unpack

from ..attribution.methods import DEFAULT, Attribution, MethodSettings, attribute, make_method
from ..attribution.players import PlayersGiven
from ..engine.backend import run_tasks
from ..engine.discrete import SOLVERS
from ..engine.problem import MAX_STEPS, Strengths, strengths
from ..engine.workers import check_executor
from ..errors import Hint, InvalidInput, QontrastError, phrase_in_python
from ..explain.contrast import Contrast, contrast
from ..explain.robustness import Robustness
from ..explain.robustness import robustness as bound_radius
from ..formats.building import collect_warnings
from ..formats.many import GraphFiles, GraphText, count_files, iterate_texts
from ..graph.labels import write_contributor
from ..graph.qbaf import Qbaf
from ..results.base import Result, Schema
from ..semantics import Semantics, find_semantics
from ..settings import (
    check_choice,
    check_function,
    check_integer,
    check_list,
    check_number,
    check_progress,
    format_value,
    wrap_failures,
)
from ..types import Method, Name, Progress
from .topics import default_pair, order_by_strength, suggest_topics

if TYPE_CHECKING:
    from concurrent.futures import Executor

RULES = {  # which topics of a graph are compared; `qontrast batch --help` prints it
    "strongest": "the two strongest topics; a single topic is explained by itself",
    "all": "every two topics, the stronger one first",
}
REASONS = 3
TIME_LIMIT = 60.0  # seconds for the robustness of one pair: few graphs take as long
MAX_BOXES = 1000  # of its proof: a number of boxes and no time, so that all machines say the same
SECONDS_PER_TASK = 0.2  # of work that is sent to an executor at a time
MAX_GRAPHS_PER_TASK = 256

Topics = tuple[Name, Name | None]
Rule = Callable[[Qbaf, Mapping[Name, float]], Any]

SCHEMA = Schema(
    "qontrast/explained/1",
    {
        "name": "the graph: its file, with an address where the file has several, or its place",
        "fact": "the topic that is explained; `null` where the graph cannot be read",
        "foil": "the topic that it is compared with; `null` where the fact is explained by itself",
        "method": "name of the method",
        "semantics": "name of the semantics; `null` after an error",
        "arguments": "how many arguments the graph has; `null` where it cannot be read",
        "strengths": "topic → strength",
        "gap": "σ(fact) − σ(foil); `null` without a foil",
        "base_gap": "the same for base scores",
        "cross_topic": "the effect of the two topics on each other",
        "reasons": "contributor → contribution, of the strongest, the largest first",
    },
    optional={
        "certified": "base scores that are off by less change no order: proved (see `qontrast/robustness/1`)",
        "found": "a change of base scores of this size changes the order",
        "notes": "what the reader of the file had to assume",
        "error": "why there is no answer",
    },
    source="`batch`, `explain_many`",
)


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Explained(Result, schema=SCHEMA):
    """The short answer for one graph and one pair of topics, or the reason why there is none.

    Attributes
    ----------
    name
        The graph: its file, with an address where the file has several, or its name or place among those given.
    fact, foil
        The topics; the foil is None where the fact is explained by itself.
    arguments
        How many arguments the graph has.
    strengths
        Topic → strength.
    gap, base_gap, cross_topic
        As in `Contrast`; None without a foil.
    reasons
        Contributor → contribution, of the strongest, the largest first.
    robustness
        `(certified, found)` as in `Robustness`, where it was asked for.
    notes
        What the reader of the file had to assume.
    error
        Why there is no answer; None where there is one.

    Examples
    --------
    >>> q = Qbaf({"p": 0.5, "q": 0.5, "x": 0.5}, supports=[("x", "p")], topics=["p", "q"], semantics="df-quad")
    >>> next(explain_many([q])).reasons
    {'x': 0.25}
    """

    name: str
    method: str
    semantics: str | None = None
    fact: Name | None = None
    foil: Name | None = None
    arguments: int | None = None
    strengths: Mapping[Name, float] = field(default_factory=dict)
    gap: float | None = None
    base_gap: float | None = None
    cross_topic: float | None = None
    reasons: Mapping[Any, float] = field(default_factory=dict)
    robustness: tuple[float, float] | None = None
    notes: tuple[str, ...] = ()
    error: str | None = None
    qbaf: ClassVar[None] = None

    @property
    def certified(self) -> float | None:
        """As in `Robustness`; None where it was not asked for."""
        return None if self.robustness is None else self.robustness[0]

    @property
    def found(self) -> float | None:
        """As in `Robustness`; None where it was not asked for."""
        return None if self.robustness is None else self.robustness[1]

    def _identify(self) -> tuple[Any, ...]:
        return self.name, self.fact, self.foil

    def to_line(self) -> str:
        """Convert to one line of JSON, with the content of `to_dict`, that ends in a line break."""
        return json.dumps(self.to_dict(), ensure_ascii=False, allow_nan=False) + "\n"

    def to_row(self, reasons: int | None = None) -> dict[str, str | float | int | None]:
        """Make one flat row of a table.

        Parameters
        ----------
        reasons : int, optional
            How many columns `reason_1`, `contribution_1`, … there are; as many as there are reasons unless given.

        Returns
        -------
        dict
            Column → text, number or None.
        """
        ranked = [(write_contributor(x), value) for x, value in self.reasons.items()]
        row: dict[str, str | float | int | None] = {
            "name": self.name,
            "fact": None if self.fact is None else str(self.fact),
            "foil": None if self.foil is None else str(self.foil),
            "gap": self.gap,
            "fact_strength": self.strengths.get(self.fact) if self.fact is not None else None,
            "foil_strength": self.strengths.get(self.foil) if self.foil is not None else None,
            "base_gap": self.base_gap,
            "cross_topic": self.cross_topic,
        }
        for place in range(len(ranked) if reasons is None else reasons):
            player, value = ranked[place] if place < len(ranked) else (None, None)
            row |= {f"reason_{place + 1}": player, f"contribution_{place + 1}": value}
        return row | {
            "certified": self.certified,
            "found": self.found,
            "arguments": self.arguments,
            "method": self.method,
            "semantics": self.semantics,
            "notes": "; ".join(self.notes) or None,
            "error": self.error,
        }


@dataclass(frozen=True, kw_only=True)
class Asked:
    """What is asked of every graph; it travels to workers."""

    fact: Name | None
    foil: Name | None
    pairs: str | Rule
    reasons: int
    robustness: bool
    time_limit: float | None
    solving: Mapping[str, Any]
    measuring: Mapping[str, Any]

    @property
    def method(self) -> str:
        """The name of the method."""
        method = self.measuring["method"]
        return method if isinstance(method, str) else str(getattr(method, "__name__", type(method).__name__))

    def choose_pairs(self, qbaf: Qbaf, solved: Strengths) -> list[Topics]:
        """Return the pairs of topics of a graph."""
        fact, foil = (None if name is None else qbaf.resolve(name) for name in (self.fact, self.foil))
        if callable(self.pairs):
            return self._ask_rule(self.pairs, qbaf, solved)
        about = qbaf.topics or qbaf.sinks()
        if foil is None and len(about) == 1 and fact in (None, about[0]):
            return [(about[0], None)]
        if self.pairs == "all" and fact is None and foil is None:
            return list(combinations(order_by_strength(suggest_topics(qbaf), solved), 2))
        return [default_pair(qbaf, solved, fact, foil)]

    def _ask_rule(self, rule: Rule, qbaf: Qbaf, solved: Strengths) -> list[Topics]:
        advice = "give a function (graph, strengths) → a pair of topics, or a list of pairs"
        with wrap_failures("pairs", advice):
            given = rule(qbaf, solved)
        found = check_list(given, "what pairs gives", "pairs of topics")
        rows = [tuple(found)] if len(found) == 2 and all(isinstance(each, str | int) for each in found) else found
        for row in rows:
            if not isinstance(row, list | tuple) or len(row) != 2:
                raise InvalidInput(f"pairs gives {format_value(row)}; {advice}")
        return [(qbaf.resolve(fact), None if foil is None else qbaf.resolve(foil)) for fact, foil in rows]

    def explain(self, name: str, qbaf: Qbaf, fact: Name, foil: Name | None, notes: tuple[str, ...]) -> Explained:
        """Explain one pair."""
        if foil is None:
            alone = attribute(qbaf, fact, **self.measuring, **self.solving)
            return Explained(
                strengths={fact: alone.strength},
                reasons=self._rank(alone),
                **self._frame(name, alone, fact, None, notes),
            )
        why = contrast(qbaf, fact, foil, **self.measuring, **self.solving)
        return Explained(
            strengths={topic: why.strengths[topic] for topic in (fact, foil)},
            gap=why.gap,
            base_gap=why.base_gap,
            cross_topic=why.cross_topic.component,
            reasons=self._rank(why),
            robustness=self._bound(qbaf, fact, foil) if self.robustness else None,
            **self._frame(name, why, fact, foil, notes),
        )

    def _frame(
        self, name: str, found: Contrast | Attribution, fact: Name, foil: Name | None, notes: tuple[str, ...]
    ) -> dict[str, Any]:
        return {
            "name": name,
            "fact": fact,
            "foil": foil,
            "method": found.method,
            "semantics": found.semantics,
            "arguments": len(found.qbaf),
            "notes": notes,
        }

    def _rank(self, found: Contrast | Attribution) -> dict[Any, float]:
        return dict(islice(((x, value) for x, value in found.ranked() if value), self.reasons))

    def _bound(self, qbaf: Qbaf, fact: Name, foil: Name) -> tuple[float, float]:
        limits: dict[str, Any] = {"max_boxes": MAX_BOXES, "time_limit": self.time_limit}
        found: Robustness = bound_radius(qbaf, fact, foil, **limits, **self.solving)
        return found.certified, found.found


Given = tuple[str, Qbaf | GraphText | QontrastError]


def explain_graph(
    asked: Asked, name: str, given: Qbaf | GraphText | QontrastError
) -> tuple[list[Explained], QontrastError | None]:
    """Explain every pair of one graph; an error of ours ends it and is given back, to be phrased in the last answer."""
    collected: list[str] = []
    qbaf = fact = foil = None
    found: list[Explained] = []
    failure: QontrastError | None = None
    try:
        if isinstance(given, QontrastError):
            raise given
        with collect_warnings(collected):
            qbaf = given.read() if isinstance(given, GraphText) else given
        notes = tuple(collected)
        for fact, foil in asked.choose_pairs(qbaf, strengths(qbaf, **asked.solving)):
            found.append(asked.explain(name, qbaf, fact, foil, notes))
    except QontrastError as error:
        failure = error
        size, notes = None if qbaf is None else len(qbaf), tuple(collected)
        found.append(Explained(name=name, method=asked.method, fact=fact, foil=foil, arguments=size, notes=notes))
    return found, failure


Answers = tuple[str, list[Explained]]


def explain_task(
    asked: Asked, task: Sequence[Given]
) -> tuple[float, list[tuple[str, list[Explained], QontrastError | None]]]:
    """Explain some graphs; give the seconds that it took, too."""
    began = time.perf_counter()
    found = [(name, *explain_graph(asked, name, given)) for name, given in task]
    return time.perf_counter() - began, found


class TaskSizes:
    """Cut graphs into tasks that take about `SECONDS_PER_TASK` each, as far as the tasks before them tell."""

    def __init__(self) -> None:
        self.size = 1

    def cut(self, graphs: Iterator[Given], asked: Asked) -> Iterator[tuple[Asked, list[Given]]]:
        """Yield the tasks."""
        while task := list(islice(graphs, self.size)):
            yield asked, task

    def learn(self, seconds: float, graphs: int) -> None:
        """Take note of a task that is done."""
        self.size = max(1, min(MAX_GRAPHS_PER_TASK, int(SECONDS_PER_TASK * graphs / max(seconds, 1e-6))))


def explain_each(
    asked: Asked,
    graphs: Iterator[Given],
    executor: Executor | None = None,
    progress: Progress | None = None,
    total: int | None = None,
    say: Callable[[Hint], str | None] = phrase_in_python,
) -> Iterator[Answers]:
    """Yield name and answers of each graph, in the order of the graphs; `say` phrases the ways out of errors."""
    sizes, done = TaskSizes(), 0
    tasks = sizes.cut(graphs, asked) if executor is not None else ((asked, [each]) for each in graphs)
    for seconds, answers in run_tasks(executor, explain_task, tasks):
        sizes.learn(seconds, len(answers))
        for name, found, failure in answers:
            done += 1
            if failure is not None:  # here, since a worker may lack what the command line needs
                found[-1] = replace(found[-1], error=failure.phrase(say))
            if progress is not None:
                progress(done, max(done, total or 0))
            yield name, found


def name_graphs(graphs: Any) -> tuple[Iterator[Given], int | None]:
    """Return the graphs with their names, and how many there are if that is known."""
    if isinstance(graphs, str | os.PathLike):
        return name_files(graphs), count_files(graphs)
    if isinstance(graphs, GraphFiles):
        return ((text.name, text) for text in graphs.texts()), count_files(graphs.path)
    if isinstance(graphs, Qbaf) or not isinstance(graphs, Iterable):
        raise InvalidInput(f"graphs is {format_value(graphs)}; give graphs in a list, a path, or what read_many gives")
    given = graphs.items() if isinstance(graphs, Mapping) else graphs
    total = len(graphs) if isinstance(graphs, Sized) else None
    return (_name_graph(place, each) for place, each in enumerate(given)), total


def name_files(*paths: str | os.PathLike[str]) -> Iterator[Given]:
    """Return the graphs of files, folders and patterns with their names."""
    return ((text.name, text) for text in iterate_texts(*paths))


def _name_graph(place: int, given: Any) -> Given:
    name, graph = given if isinstance(given, tuple) and len(given) == 2 else (place, given)
    if not isinstance(graph, Qbaf):
        kind = type(graph).__name__
        return str(name), InvalidInput(f"graphs has {format_value(given)}, a {kind}; expected a Qbaf, or (name, Qbaf)")
    return str(name), graph


def make_asked(
    fact: Name | None,
    foil: Name | None,
    *,
    method: str | Method,
    players: PlayersGiven,
    semantics: str | Semantics | None,
    solver: str,
    max_steps: int,
    pairs: str | Rule,
    reasons: int,
    robustness: bool,
    time_limit: float | None,
    **settings: Any,
) -> Asked:
    """Check the settings that do not depend on a graph."""
    make_method(method, settings)
    if semantics is not None:
        find_semantics(semantics)
    check_choice(solver, SOLVERS, "solver")
    if not callable(pairs):
        check_choice(pairs, RULES, "rule of pairs")
    else:
        check_function(pairs, "pairs", "(graph, strengths)", 2)
        if fact is not None or foil is not None:
            raise InvalidInput("pairs is a function, and fact or foil is named; give one of them")
    if time_limit is not None:
        check_number(time_limit, "time_limit", "give seconds above 0, or None for no limit", above=0)
    for name, role in ((fact, "fact"), (foil, "foil")):
        if name is not None and not isinstance(name, str | int):
            raise InvalidInput(f"{role} is {format_value(name)}; give the name of an argument")
    return Asked(
        fact=fact,
        foil=foil,
        pairs=pairs,
        reasons=check_integer(reasons, "reasons"),
        robustness=bool(robustness),
        time_limit=time_limit,
        solving={
            "semantics": semantics,
            "solver": solver,
            "max_steps": check_integer(max_steps, "max_steps", 1),
        },
        measuring={"method": method, "players": players, **settings},
    )


def explain_many(
    graphs: Any,
    fact: Name | None = None,
    foil: Name | None = None,
    *,
    method: str | Method = DEFAULT,
    players: PlayersGiven = "arguments",
    semantics: str | Semantics | None = None,
    solver: str = "discrete",
    max_steps: int = MAX_STEPS,
    executor: Executor | None = None,
    progress: Progress | None = None,
    pairs: str | Rule = "strongest",
    reasons: int = REASONS,
    robustness: bool = False,
    time_limit: float | None = TIME_LIMIT,
    **settings: Unpack[MethodSettings],
) -> Iterator[Explained]:
    """Explain many graphs, one after the other: for each the gap between two topics and the strongest reasons for it.

    A graph that cannot be read or explained gives an answer with `error`, and the others follow. Answers come in the
    order of the graphs as soon as they are there; memory does not grow with their number.

    Parameters
    ----------
    graphs : iterable, mapping, str or os.PathLike
        Graphs; pairs of name and graph; what `read_many` gives; or a path as `read_many` takes it. Files are read
        where they are explained, in the executor.
    fact, foil : str or int, optional
        The topics of every graph, by name or unique label. What is not named follows from `pairs`.
    method, players, semantics, solver, max_steps, progress, **settings
        As in `contributions`; progress counts graphs.
    executor : concurrent.futures.Executor, optional
        Where graphs are explained, several at a time; the answers are the same.
    pairs : {"strongest", "all"} or callable
        Which topics are compared: the two strongest, where a single topic is explained by itself; every two; or a
        function (graph, strengths) that gives a pair (fact, foil), or a list of pairs. A foil may be None.
    reasons : int
        How many of the strongest contributors each answer names.
    robustness : bool
        Whether each answer says how far base scores may be off before the order changes (see `robustness`).
    time_limit : float, optional
        Seconds for the robustness of one pair; None means no limit.

    Returns
    -------
    iterator of Explained
        One or more answers for each graph.

    Raises
    ------
    QontrastError
        If a setting makes no sense for any graph, or a path leads to no file.

    Examples
    --------
    >>> from qontrast import examples
    >>> for each in explain_many({"zoo": examples.load("zebra"), "clinic": examples.load("healthcare")}, reasons=2):
    ...     print(each.name, each.fact, each.foil, round(each.gap, 3), list(each.reasons))
    zoo zebra horse 0.375 ['stripes', 'herbivore']
    clinic antiviral antibiotic 0.12 ['viral', 'bacterial']
    """
    asked = make_asked(
        fact,
        foil,
        method=method,
        players=players,
        semantics=semantics,
        solver=solver,
        max_steps=max_steps,
        pairs=pairs,
        reasons=reasons,
        robustness=robustness,
        time_limit=time_limit,
        **settings,
    )
    check_executor(executor)
    named, total = name_graphs(graphs)
    answers = explain_each(asked, named, executor, check_progress(progress), total)
    return (each for _, found in answers for each in found)
