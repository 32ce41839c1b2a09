"""The table METHODS of attribution methods, and the public functions that run them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Literal, TypedDict, Unpack

import numpy as np

from ..engine.problem import MAX_STEPS, Problem, make_problem
from ..errors import Hint, InvalidInput, unknown_name
from ..graph.qbaf import Qbaf
from ..results.base import Plottable, Result, Schema, ShapConvertible
from ..results.order import rank_contributions
from ..semantics import Semantics
from ..settings import check_function, check_list, check_progress, format_value, wrap_failures
from ..types import Floats, Method, Name, Progress
from . import inputs
from .cost import check_cost
from .gradient import Gradient
from .matrix import Phi, Sides, View, make_phi
from .players import Arguments, EdgeQuestions, Players, PlayersGiven, PlayerValues, make_players
from .removal import IntrinsicRemoval, Removal
from .shapley.exact import Shapley
from .shapley.owen import Owen
from .shapley.sampling import Sampled

if TYPE_CHECKING:
    from concurrent.futures import Executor


@dataclass(frozen=True)
class MethodEntry:
    """Everything about a method: how it is made from settings, and the texts that describe it.

    Parameters
    ----------
    make : type
        The class of the method; its fields are the settings.
    title : str
        The method in a sentence: "Measured by …".
    measures : str
        What its numbers measure, in one line.
    promises : str
        What is guaranteed about them.
    value : str
        What one of its numbers is, of {whole}: the gap, or the strength of one topic.
    kind : {"share", "loss", "slope"}
        Shares add up to the whole, together with the base scores and the effect of the topics on each other. A loss is
        what the whole loses without the argument. A slope is per unit of base score.
    lead : str
        The words that introduce its strongest reasons.
    note : str
        What a sentence adds about numbers that are no shares, where the effect of the topics on each other is told.
    condition : str
        What a sentence adds about the changes that the numbers stand for.
    definition : str
        Where the paper defines it; empty if it does not.
    input_method : callable, optional
        How it explains a function of many rows with the inputs as the only players (see `attribution.inputs`); a
        network has the methods that can.
    players : tuple of str
        The kinds of players it is defined for.
    texts : mapping
        Kind of player → the texts, by field, that differ from those about arguments; "direct" starts from "edges".

    Examples
    --------
    >>> METHODS["sampled"].adds_up, list(METHODS["sampled"].settings)
    (True, ['budget', 'seed', 'sampler', 'target', 'max_budget', 'max_minutes'])
    """

    make: type[Method]
    title: str
    measures: str
    promises: str
    value: str = field(repr=False)  # the pieces of sentences would make the table hard to read
    kind: Literal["share", "loss", "slope"]
    lead: str = field(repr=False)
    note: str = field(default="", repr=False)
    condition: str = field(default="", repr=False)
    definition: str = ""
    input_method: inputs.InputMethod | None = field(default=None, repr=False)
    players: tuple[str, ...] = ("arguments",)
    texts: Mapping[str, Mapping[str, str]] = field(default_factory=dict, repr=False)

    def for_players(self, kind: str) -> MethodEntry:
        """Return the entry with the texts about players of this kind.

        Parameters
        ----------
        kind : str
            "arguments", "edges", "direct" or "groups".

        Returns
        -------
        MethodEntry
            The same method, described for these players.

        Examples
        --------
        >>> METHODS["removal"].for_players("edges").value
        'loss of {whole} when the edge is removed'
        """
        edges = self.texts.get("edges", {}) if kind == "direct" else {}
        return replace(self, **{**edges, **self.texts.get(kind, {})})  # type: ignore[arg-type]

    @property
    def adds_up(self) -> bool:
        """Whether base scores, contributions and the effect of the topics on each other add up to the whole."""
        return self.kind == "share"

    @property
    def explains_inputs(self) -> bool:
        """Whether it can explain a network with its inputs as the only players."""
        return self.input_method is not None

    @property
    def settings(self) -> dict[str, str]:
        """The settings of the method, each with a line of help."""
        return {each.name: str(each.metadata["help"]) for each in fields(self.make)}  # type: ignore[arg-type]


EVERY_KIND = ("arguments", "edges", "direct", "groups")

METHODS: dict[str, MethodEntry] = {
    "shapley": MethodEntry(
        make=Shapley,
        title="Shapley values",
        measures="the average of what an argument adds, over all coalitions of the others; exact",
        promises="base scores, contributions and the effect of the topics on each other add up to the gap "
        "(cross-topic-adjusted efficiency)",
        value="share of {whole}",
        kind="share",
        lead="The strongest reasons",
        definition="Definition 6",
        input_method=inputs.shapley,
        players=EVERY_KIND,
        texts={
            "edges": {
                "measures": "the average of what an edge adds, over all coalitions of the others; exact",
                "promises": "base scores and the contributions of the edges add up to the gap (efficiency)",
            },
            "groups": {
                "measures": "the average of what a group adds as one player, over all coalitions of the others; exact"
            },
        },
    ),
    "removal": MethodEntry(
        make=Removal,
        title="removing each argument in turn",
        measures="what changes when an argument is removed",
        promises="removing an argument moves the gap against the sign of its contribution (counterfactuality)",
        value="loss of {whole} when the argument is removed",
        kind="loss",
        lead="The arguments whose removal would change the gap most, with the part of it that would be lost",
        note="measured by removal",
        definition="Definition 4",
        input_method=inputs.removal,
        players=EVERY_KIND,
        texts={
            "edges": {
                "title": "removing each edge in turn",
                "measures": "what changes when an edge is removed",
                "promises": "removing an edge moves the gap against the sign of its contribution (counterfactuality)",
                "value": "loss of {whole} when the edge is removed",
                "lead": "The edges whose removal would change the gap most, with the part of it that would be lost",
            },
            "direct": {
                "promises": "removing an edge moves the gap against the sign of its contribution, as long as all else "
                "stays as it is"
            },
            "groups": {
                "title": "removing each group in turn",
                "measures": "what changes when a group is removed as a whole",
                "promises": "removing a group moves the gap against the sign of its contribution (counterfactuality)",
                "value": "loss of {whole} when the group is removed",
                "lead": "The groups whose removal would change the gap most, with the part of it that would be lost",
            },
        },
    ),
    "gradient": MethodEntry(
        make=Gradient,
        title="slopes (gradients)",
        measures="the slope of strength in an argument's base score; exact",
        promises="a small change of the base score moves the gap with the sign of the contribution "
        "(local faithfulness)",
        value="slope of {whole} per unit of base score",
        kind="slope",
        lead="The arguments to whose base scores the gap is most sensitive, with its slope per unit of base score",
        note="per unit of base score",
        condition="in slopes per unit of base score",
        definition="Definition 5",
        input_method=inputs.gradient,
        players=EVERY_KIND,
        texts={
            "edges": {
                "measures": "the slope of strength in an edge's weight; exact",
                "promises": "a small change of the weight moves the gap with the sign of the contribution "
                "(local faithfulness)",
                "value": "slope of {whole} per unit of weight",
                "lead": "The edges to whose weights the gap is most sensitive, with its slope per unit of weight",
                "note": "per unit of weight",
                "condition": "in slopes per unit of weight",
            },
            "direct": {
                "promises": "a small change of the weight moves the gap with the sign of the contribution, as long as "
                "all else stays as it is"
            },
            "groups": {
                "measures": "the slope of strength when the base scores of a group move together; exact",
                "promises": "a small common change of the base scores of a group moves the gap with the sign of its "
                "contribution (local faithfulness)",
                "value": "slope of {whole} when the base scores of the group move together",
                "lead": "The groups to whose base scores the gap is most sensitive, with its slope when they move "
                "together",
                "condition": "in slopes per unit by which the base scores of a group move together",
            },
        },
    ),
    "sampled": MethodEntry(
        make=Sampled,
        title="sampled Shapley values",
        measures="the Shapley value, estimated from random coalitions, with standard errors",
        promises="base scores, contributions and the effect of the topics on each other add up to the gap; each "
        "contribution is good to its standard error",
        value="share of {whole}, estimated",
        kind="share",
        lead="The strongest reasons",
        players=EVERY_KIND,
        texts={
            "edges": {
                "promises": "base scores and the contributions of the edges add up to the gap; each contribution is "
                "good to its standard error"
            }
        },
    ),
    "owen": MethodEntry(
        make=Owen,
        title="Owen values",
        measures="the Shapley value of each union, divided among its members: the edges of one source, or a group",
        promises="base scores, contributions and the effect of the topics on each other add up to the gap; members of "
        "a union add up to what the union contributes as one player",
        value="share of {whole}",
        kind="share",
        lead="The strongest reasons",
        players=("edges", "groups"),
        texts={
            "edges": {
                "measures": "the Shapley value of each argument, divided among the edges out of it",
                "promises": "base scores and the contributions of the edges add up to the gap; the edges of an "
                "argument add up to what the argument contributes",
            },
            "arguments": {  # inside groups
                "measures": "the Shapley value of each group, divided among its members",
                "promises": "base scores, contributions and the effect of the topics on each other add up to the gap; "
                "the members of a group add up to what the group contributes as one player",
            },
        },
    ),
    "intrinsic": MethodEntry(
        make=IntrinsicRemoval,
        title="removing each argument in turn, after cutting it off from its parents",
        measures="what changes when an argument is removed whose own parents were cut off first",
        promises="nothing about the gap: it tells what an argument gives of its own",
        value="loss of {whole} when the argument, cut off from its parents, is removed",
        kind="loss",
        lead="The arguments whose removal would change the gap most after their own parents are cut off, with the "
        "part of it that would be lost",
        condition="each first cut off from its own parents",
        players=("arguments", "groups"),
        texts={
            "groups": {
                "title": "removing each group in turn, after cutting it off from its parents",
                "measures": "what changes when a group is removed whose parents outside were cut off first",
                "promises": "nothing about the gap: it tells what a group gives of its own",
                "value": "loss of {whole} when the group, cut off from its parents, is removed",
                "lead": "The groups whose removal would change the gap most after their parents outside are cut off, "
                "with the part of it that would be lost",
                "condition": "each first cut off from its parents outside",
            }
        },
    ),
}
DEFAULT = "shapley"


class MethodSettings(TypedDict, total=False):
    """The settings of all methods, as keywords beside the name of one: `method="sampled", budget=2000`."""

    max_evaluations: int
    orders: int | None
    budget: int | None
    seed: int
    sampler: str
    target: float | None
    max_budget: int
    max_minutes: float | None


SCHEMA = Schema(
    "qontrast/attribution/1",
    {
        "topic": "the topic that is explained",
        "players": "who contributes: `arguments`, `edges`, `direct` (edges into the topic) or `groups`",
        "method": "name of the method",
        "semantics": "name of the semantics",
        "strength": "σ(topic)",
        "base_score": "τ(topic)",
        "contributions": "contributor → φ; `null` at a kink",
    },
    optional={
        "std_error": "contributor → standard error, if values were sampled",
        "kinks": "the arguments at a kink, if there are any",
        "sides": "contributor → `below`, `above` (the one-sided slopes), if there are kinks",
    },
    source="`attribute`",
)


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Attribution(PlayerValues, EdgeQuestions, Result, Plottable, ShapConvertible, schema=SCHEMA):
    """A mapping from contributor to contribution φ_topic, with its context.

    Attributes
    ----------
    qbaf, topic
        The question.
    players
        Who contributes: the keys, in the order of `array`.
    array
        The contributions; the topic's own entry, where it has one, is NaN.
    method, semantics
        Names.
    strength, base_score
        σ(topic) and τ(topic).
    strengths
        The strengths of all arguments.
    std_error
        A mapping like this one where values were sampled, else None.
    sides, kinks
        Both one-sided derivatives where a gradient does not exist (its value is then NaN), and the arguments that cause
        it.
    how, evaluations
        How it was computed, in words, and how many sub-graphs were evaluated.

    Examples
    --------
    >>> found = attribute(Qbaf({"a": 0.5, "t": 0.5}, supports=[("a", "t")]), "t", semantics="df-quad")
    >>> dict(found), found.strength
    ({'a': 0.25}, 0.75)
    """

    problem: Problem
    topic: Name
    players: Players
    array: Floats
    method: str
    strength: float
    base_score: float
    strengths: Mapping[Name, float]
    std_error: Mapping[Any, float] | None
    sides: Mapping[Any, Sides]
    kinks: tuple[Name, ...]
    how: str
    evaluations: int
    member: ClassVar[str] = "contributor"

    @property
    def qbaf(self) -> Qbaf:
        """The graph."""
        return self.problem.qbaf

    @property
    def semantics(self) -> str:
        """The name of the semantics."""
        return self.problem.semantics.name

    @property
    def topics(self) -> tuple[Name, ...]:
        """The topic."""
        return (self.topic,)

    @property
    def contributions(self) -> Mapping[Any, float]:
        """Contributor → φ: this result itself."""
        return self

    @cached_property
    def left_out(self) -> tuple[Name, ...]:
        """The topic itself, where it is among the players."""
        return tuple(self.players.find_topics([self.topic]))

    def ranked(self) -> list[tuple[Any, float]]:
        """Contributors, the largest contribution first; ties by name, what is undefined last."""
        return rank_contributions(self)

    def _computed_fields(self) -> dict[str, Any]:
        sides = {x: {"below": each.below, "above": each.above} for x, each in self.sides.items()}
        return {"players": self.players.kind, "sides": sides if self.kinks else None}


def contributions(
    qbaf: Qbaf,
    topics: Sequence[Name],
    *,
    method: str | Method = DEFAULT,
    players: PlayersGiven = "arguments",
    semantics: str | Semantics | None = None,
    solver: str = "discrete",
    max_steps: int = MAX_STEPS,
    executor: Executor | None = None,
    device: str = "cpu",
    progress: Progress | None = None,
    **settings: Unpack[MethodSettings],
) -> Phi:
    """Compute what every argument contributes to each of several topics: the matrix Φ[topic, contributor].

    `attribute`, `contrast`, `all_pairs` and `rank` are made from it, and take the same settings.

    Parameters
    ----------
    qbaf : Qbaf
        The graph.
    topics : sequence of names
        The arguments whose strengths are explained; all from the same evaluations.
    method : str or Method
        A name from METHODS ("shapley", "removal", "intrinsic", "gradient", "owen" or "sampled"), a method with its
        settings (`Sampled(budget=500)`), or a function of your own, (problem, topics, progress) → an array with a row
        for each topic and a column for each argument.
    players : {"arguments", "edges", "direct"} or mapping
        Who contributes: arguments; edges, (source, target); "direct", the edges into a topic, all else staying as
        it is; or groups, a mapping from name to arguments, each as one player, besides all who are in no group.
        The default method is the same for all of them. Exact Shapley values of edges take many minutes on a cyclic
        graph of 29 edges, and are refused: `method="owen"` is exact too and takes a second there, "gradient" is quick
        on any graph, "sampled" estimates.
    semantics : str or Semantics, optional
        The graph's own unless given, else "qe".
    solver : {"discrete", "continuous"}
        How strengths on cyclic graphs are found.
    max_steps : int
        The updates after which a cyclic graph that has not settled is undefined.
    executor : concurrent.futures.Executor, optional
        Where large pieces of work are done: processes, or machines of a Dask client; the numbers are the same.
        What takes some hundredths of a second is done here: up to 4,096 sub-graphs at a time (fewer where a
        graph has more than 64 edges), exact Shapley values over up to 19 players of an acyclic graph, intrinsic
        removal of up to 64 arguments, and gradients.
    device : {"cpu", "cuda"}
        Where many sub-graphs are computed: "cuda" is a GPU, which needs the extra `gpu`; the numbers agree to about
        1e-12. The graph itself, and gradients, are computed on the CPU.
    progress : callable, optional
        Called as progress(done, total) now and then.
    **settings
        Settings of the method named: `max_evaluations` of shapley; `max_evaluations`, `orders`, `seed` of owen;
        `budget`, `seed`, `target`, `sampler`, `max_budget` of sampled; `max_minutes` of each, 5 by default: a method
        counts what it has to compute before it begins, and refuses what takes longer (None: nothing).

    Returns
    -------
    Phi
        The contributions, (topics, arguments), with strengths and, where sampled, standard errors.

    Raises
    ------
    UnknownName
        If a topic, the method or the semantics does not exist.
    InvalidInput
        If a setting makes no sense.
    UndefinedStrength
        If a sub-graph that is needed has no strengths.
    TooLarge
        If the method would take more than `max_minutes`, by its own count, or more than `max_evaluations`.

    Warns
    -----
    SlowWarning
        If it takes more than 10 seconds, by that count.

    Examples
    --------
    >>> def halves(problem, topics, progress):  # what changes when a base score is halved
    ...     scores, places = problem.qbaf.base_array, [problem.qbaf.index(topic) for topic in topics]
    ...     lanes = np.where(np.eye(len(scores)), scores / 2, scores)
    ...     found = problem.strengths()[0] - problem.strengths(base_scores=lanes)  # (lanes, arguments)
    ...     return found[:, places].T
    >>> q = Qbaf({"t": 0.5, "x": 1.0, "y": 0.5}, supports=[("x", "t")], attacks=[("y", "t")])
    >>> dict(attribute(q, "t", method=halves, semantics="df-quad"))
    {'x': 0.25, 'y': -0.125}
    """
    names: tuple[Name, ...] = tuple(check_list(topics, "topics"))
    asked = make_problem(qbaf, semantics, solver, max_steps, executor, device)
    for topic in names:
        qbaf.index(topic)
    run = make_method(method, settings)
    report = check_progress(progress)
    playing = make_players(qbaf, names, players)
    if isinstance(run, _own_classes()):
        _check_players(run, playing)
        check_cost(run, METHODS, asked, names, playing)
        if playing.kind == "arguments":
            return run(asked, names, report)
        return run(asked, names, report, playing)  # type: ignore[call-arg]
    if playing.kind != "arguments":
        raise InvalidInput(
            f"method {_name_method(method)} is your own, and gives contributions of arguments; leave players out"
        )
    with wrap_failures(f"method {_name_method(method)}", METHOD_CALL):
        found = run(asked, names, report)
    return _check_phi(found, asked, names, _name_method(method))


def _check_players(run: Method, players: Players) -> None:
    """A method that is not defined for these players is refused."""
    name = next(name for name, entry in METHODS.items() if isinstance(run, entry.make))
    if players.kind not in METHODS[name].players:
        others = tuple(other for other, entry in METHODS.items() if players.kind in entry.players)
        what = "direct edges" if players.kind == "direct" else players.kind
        raise InvalidInput(f"method {name!r} is not defined for {what}", hints=[Hint("method", others)])


METHOD_CALL = "a method is called as method(problem, topics, progress) and gives an array (topics, arguments)"


def _own_classes() -> tuple[type[Method], ...]:
    return tuple(entry.make for entry in METHODS.values())


def _name_method(method: str | Method) -> str:
    """A method's name for messages and results."""
    return method if isinstance(method, str) else str(getattr(method, "__name__", type(method).__name__))


def _check_phi(found: Any, asked: Problem, topics: tuple[Name, ...], name: str) -> Phi:
    """What a user's own method gave, as Φ; an array of contributions is enough."""
    size = (len(topics), len(asked.qbaf))
    if not isinstance(found, Phi):
        try:
            values = np.array(found, np.float64)
        except (TypeError, ValueError):
            raise InvalidInput(f"method {name} gave {format_value(found)}; {METHOD_CALL}") from None
        if values.shape != size:
            raise InvalidInput(f"method {name} gave an array of shape {values.shape}, not {size}; {METHOD_CALL}")
        return make_phi(asked, topics, values, asked.strengths()[0], name, "by a method of your own", 0)
    arrays: dict[str, tuple[Any, tuple[int, ...]]] = {
        "values": (found.values, size),
        "strengths": (found.strengths, size[1:]),
    }
    if found.replicates is not None:
        arrays["replicates"] = (found.replicates, (len(found.replicates), *size))
    if found.playing is not None:
        arrays["playing"] = (found.playing, size)
    for what, (array, shape) in arrays.items():
        if np.shape(array) != shape:
            raise InvalidInput(f"method {name} gave {what} of shape {np.shape(array)}, not {shape}; {METHOD_CALL}")
    if tuple(found.topics) != topics or found.problem.qbaf != asked.qbaf:
        raise InvalidInput(
            f"method {name} answers for {format_value(found.topics)}, not for {format_value(topics)}; {METHOD_CALL}"
        )
    return found


def make_method(method: str | Method, settings: Mapping[str, Any]) -> Method:
    """The method of that name with these settings."""
    if not isinstance(method, str):
        if isinstance(method, type):
            raise InvalidInput(f"method is the class {method.__name__}; give an object, {method.__name__}()")
        names = f", or one of {', '.join(METHODS)}"
        check_function(
            method, "method", "(problem, topics, progress)", None if isinstance(method, _own_classes()) else 3, names
        )
        if settings:
            raise InvalidInput(f"settings {', '.join(settings)} go with a method's name; this one is made already")
        return method
    if method not in METHODS:
        raise unknown_name(method, METHODS, "method")
    make = METHODS[method].make
    known = getattr(make, "__dataclass_fields__", {})
    for name in settings:
        if name not in known:
            raise InvalidInput(
                f"method {method!r} has no setting {name!r}" + (f"; it has {', '.join(known)}" if known else "")
            )
    return make(**settings)


def attribute(
    qbaf: Qbaf,
    topic: Name,
    *,
    method: str | Method = DEFAULT,
    players: PlayersGiven = "arguments",
    semantics: str | Semantics | None = None,
    solver: str = "discrete",
    max_steps: int = MAX_STEPS,
    executor: Executor | None = None,
    device: str = "cpu",
    progress: Progress | None = None,
    **settings: Unpack[MethodSettings],
) -> Attribution:
    """Compute what every other argument contributes to the strength of one topic.

    Parameters
    ----------
    qbaf : Qbaf
        The graph.
    topic : str or int
        The argument whose strength is explained.
    method, players, semantics, solver, max_steps, executor, device, progress, **settings
        As in `contributions`.

    Returns
    -------
    Attribution
        A mapping from contributor to contribution.

    Raises
    ------
    QontrastError
        As in `contributions`.

    Examples
    --------
    >>> q = Qbaf({"t": 0.5, "x": 1.0, "y": 1.0}, supports=[("x", "t"), ("y", "t")], semantics="df-quad")
    >>> dict(attribute(q, "t", method="shapley"))
    {'x': 0.25, 'y': 0.25}
    >>> dict(attribute(q, "t", method=Removal()))
    {'x': 0.0, 'y': 0.0}
    """
    phi = contributions(
        qbaf,
        [topic],
        method=method,
        players=players,
        semantics=semantics,
        solver=solver,
        max_steps=max_steps,
        executor=executor,
        device=device,
        progress=progress,
        **settings,
    )
    return extract_row(phi, topic)


def extract_row(phi: Phi, topic: Name) -> Attribution:
    """One topic's row of Φ, with its context."""
    qbaf = phi.problem.qbaf
    errors = phi.std_error(topic)
    place = qbaf.index(topic)
    return Attribution(
        problem=phi.problem,
        topic=topic,
        players=phi.players,
        array=phi.row(topic),
        method=phi.method,
        strength=float(phi.strengths[place]),
        base_score=float(qbaf.base_array[place]),
        strengths=View(Arguments(qbaf), phi.strengths),
        std_error=None if errors is None else phi.view(errors, topic),
        sides={x: both for (t, x), both in phi.sides.items() if t == topic},
        kinks=_find_kinks(phi, topic),
        how=phi.how,
        evaluations=phi.evaluations,
    )


def _find_kinks(phi: Phi, topic: Name) -> tuple[Name, ...]:
    """The kinks upstream of a topic that has undefined slopes."""
    if all(t != topic for t, _ in phi.sides):
        return ()
    qbaf = phi.problem.qbaf
    upstream = qbaf.structure.ancestors([qbaf.index(topic)])
    return tuple(name for name in phi.kinks if upstream[qbaf.index(name)])
