"""Check a property on a graph: go through every instance of its statement.

A property is one row of AXIOMS: its names and texts, the methods that it is claimed for, and a generator of instances:
for each choice of players whose premise is met, the two sides of the statement and whether it holds. Equal means equal
up to the tolerance; a strict premise (Φ > 0) is met from ten tolerances on, and a strict conclusion fails where it is
not met by more than one. An instance with a side that does not exist (a gradient at a kink) is not counted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from inspect import cleandoc
from itertools import permutations
from math import isnan
from typing import TYPE_CHECKING, Any

from ..engine.problem import make_problem
from ..errors import UndefinedStrength, quote_names
from ..graph.qbaf import Qbaf
from ..semantics import Semantics
from ..settings import check_list, check_number, check_progress
from ..types import Name, Progress
from .evaluation import Caf, Derived, Evaluation, NotCheckable, Phi, resolve_caf
from .outcomes import NotApplicable, Outcome, Witness

if TYPE_CHECKING:
    from concurrent.futures import Executor

STRICT_FACTOR = 10  # a strict premise, such as Φ > 0, counts as met from this many tolerances on
UNDECIDED = "the gap moves by less than can be told"
UNDEFINED = "a strength is undefined: {told}"
PAPER_METHODS = ("removal", "gradient", "shapley")


@dataclass(frozen=True, slots=True)
class Instance:
    """One instance of a statement whose premise is met: its sides, and whether it holds (None: cannot be told)."""

    holds: bool | None
    left: float
    right: float
    contributor: Any = None  # an argument, an edge (source, target), a group, a pair, or a set
    third: Name | None = None
    value: float = float("nan")
    sentence: int = 0  # which of the property's sentences describes it

    @property
    def excess(self) -> float:
        """By how much the two sides differ."""
        return abs(self.left - self.right)


@dataclass(frozen=True, slots=True)
class Case:
    """Two topics of a graph, and perhaps a third: what a property is asked about."""

    values: Evaluation
    fact: Name
    foil: Name
    topics: Sequence[Name]
    tolerance: float

    @property
    def strict_tolerance(self) -> float:
        """From here on a number counts as different from 0 in a strict premise."""
        return STRICT_FACTOR * self.tolerance

    @property
    def thirds(self) -> list[Name]:
        """The topics besides the two; all players where there are no more than two topics."""
        return self._list_others(self.topics if len(self.topics) > 2 else self.values.players)

    @property
    def contributors(self) -> list[Name]:
        """The players besides the two topics."""
        return self._list_others(self.values.players)

    def _list_others(self, names: Sequence[Name]) -> list[Name]:
        return [x for x in names if x != self.fact and x != self.foil]

    @property
    def gap(self) -> float:
        return self.values.strength(self.fact) - self.values.strength(self.foil)

    def compare(
        self,
        left: float,
        right: float,
        contributor: Any = None,
        third: Name | None = None,
        *,
        errors: int = 1,
        value: float = float("nan"),
        sentence: int = 0,
    ) -> Instance:
        """Make the instance of a statement left = right, where the errors of so many values add up."""
        holds = abs(left - right) <= errors * self.tolerance
        return Instance(holds, left, right, contributor, third, value, sentence)


@dataclass(frozen=True, slots=True)
class Tally:
    """How many instances there were, how many could not be told, and the one that fails by most."""

    applied: int = 0
    undecided: int = 0
    worst: Instance | None = None

    @classmethod
    def count(cls, instances: Iterable[Instance]) -> Tally:
        defined = [each for each in instances if not isnan(each.excess)]
        undecided = sum(each.holds is None for each in defined)
        failed = (each for each in defined if each.holds is not None and not each.holds)  # NumPy's False too
        return cls(len(defined), undecided, max(failed, key=lambda each: each.excess, default=None))


Instances = Callable[[Case], Iterator[Instance]]


@dataclass(frozen=True)
class Axiom:
    """A property of CAFs, or of an attribution function: call it on a graph.

    Attributes
    ----------
    name, title
        As in the table AXIOMS, and for people.
    statement
        The formula. α is the fact, β the foil, γ a contributor, η a third topic.
    help
        What the property asks for, in words.
    premise
        What is missing where the property does not apply.
    words
        The sentences that describe a violation.
    proved_for, refuted_for
        The methods for which it is shown that it holds, or that it does not: by the paper where arguments contribute.
    players
        Who contributes: "arguments" for the paper's properties, "edges", "groups", "pairs", "sets", "changes" or
        "radii" for the others.
    instances
        The generator of instances.
    """

    name: str
    title: str
    statement: str
    help: str
    premise: str
    words: tuple[str, ...]
    proved_for: tuple[str, ...]
    refuted_for: tuple[str, ...]
    instances: Instances = field(repr=False)
    players: str = "arguments"

    def __call__(
        self,
        qbaf: Qbaf,
        caf: str | Caf | Derived = "shapley",
        *,
        semantics: str | Semantics | None = None,
        topics: Sequence[Name] | None = None,
        phi: str | Phi | None = None,
        tolerance: float | None = None,
    ) -> Outcome:
        """Check the property for all pairs of topics, with the settings of `verdicts`."""
        values, topics = _evaluate(qbaf, caf, semantics, phi), list_topics(qbaf, topics)
        return check_topics(self, values, topics, tolerance)


AXIOMS: dict[str, Axiom] = {}


def axiom(
    name: str,
    title: str,
    statement: str,
    premise: str,
    *words: str,
    proved_for: Sequence[str] = PAPER_METHODS,
    refuted_for: Sequence[str] = (),
    players: str = "arguments",
) -> Callable[[Instances], Axiom]:
    """Put a generator of instances into the table AXIOMS; its docstring is the help."""

    def enter(instances: Instances) -> Axiom:
        text, claims = cleandoc(instances.__doc__ or ""), (tuple(proved_for), tuple(refuted_for))
        AXIOMS[name] = Axiom(name, title, statement, text, premise, words, *claims, instances, players)
        return AXIOMS[name]

    return enter


def list_topics(qbaf: Qbaf, topics: Sequence[Name] | None = None) -> list[Name]:
    """List the topics whose pairs are checked: those given, else the graph's own if it has two, else all arguments."""
    own = qbaf.topics if len(qbaf.topics) > 1 else qbaf.arguments
    listed: list[Name] = check_list(own if topics is None else topics, "topics")
    for topic in listed:
        qbaf.index(topic)
    return listed


def verdicts(
    qbaf: Qbaf,
    caf: str | Caf | Derived = "shapley",
    *,
    semantics: str | Semantics | None = None,
    executor: Executor | None = None,
    progress: Progress | None = None,
    topics: Sequence[Name] | None = None,
    phi: str | Phi | None = None,
    tolerance: float | None = None,
) -> dict[str, Outcome]:
    """Check every property in AXIOMS on one graph, for all ordered pairs of topics.

    Parameters
    ----------
    qbaf : Qbaf
        The graph.
    caf : str, Derived or callable
        What is tested: a method's name, or a function (qbaf, fact, foil, semantics) → a mapping from contributor to
        contribution.
    semantics, executor, progress
        As in `contributions`.
    topics : sequence of names, optional
        The topics; the graph's own unless given, and all arguments where it has fewer than two.
    phi : str or callable, optional
        The attribution function that some properties measure a CAF of your own against: a method's name, or a function
        (qbaf, topic, semantics) → a mapping.
    tolerance : float, optional
        How far equal numbers may lie apart; from the accuracy of the solver unless given.

    Returns
    -------
    dict
        Name → a `Witness` against the property, a `NotApplicable`, or None where it holds.

    Examples
    --------
    >>> from qontrast import examples
    >>> [name for name, outcome in verdicts(examples.load("efficiency"), "removal").items() if outcome]
    ['efficiency', 'edge-efficiency', 'direct-efficiency', 'group-split']
    """
    values, topics = _evaluate(qbaf, caf, semantics, phi, executor), list_topics(qbaf, topics)
    found: dict[str, Outcome] = {}
    report, pairs = check_progress(progress), len(topics) * (len(topics) - 1)
    for number, (name, each) in enumerate(AXIOMS.items()):
        tell = partial(_report, report, number * pairs, len(AXIOMS) * pairs) if report else None
        found[name] = check_topics(each, values, topics, tolerance, tell)
    if report:
        report(len(AXIOMS) * pairs, len(AXIOMS) * pairs)
    return found


def _report(progress: Progress, before: int, total: int, pairs: int) -> None:
    """Report the pairs of topics that were checked for all properties so far."""
    progress(before + pairs, total)


def _evaluate(
    qbaf: Qbaf,
    caf: str | Caf | Derived,
    semantics: str | Semantics | None,
    phi: str | Phi | None,
    executor: Executor | None = None,
) -> Evaluation:
    found = make_problem(qbaf, semantics, executor=executor).semantics
    return Evaluation(qbaf, found, resolve_caf(caf, phi), executor=executor)


def check_topics(
    axiom: Axiom,
    values: Evaluation,
    topics: Sequence[Name],
    tolerance: float | None,
    report: Callable[[int], None] | None = None,
) -> Outcome:
    """Check a property for all pairs of topics: None if it holds, else the first witness, or that it does not apply."""
    tolerance = values.tolerance if tolerance is None else check_number(tolerance, "tolerance")
    silent: NotApplicable | None = None
    applied = False
    for done, (fact, foil) in enumerate(permutations(topics, 2)):
        if report:
            report(done)
        outcome = check_case(axiom, Case(values, fact, foil, topics, tolerance))
        if isinstance(outcome, Witness):
            return outcome
        applied = applied or outcome is None
        if outcome is not None and (silent is None or outcome.undecided):
            silent = outcome
    return silent if silent is not None and (silent.undecided or not applied) else None


def check_case(axiom: Axiom, case: Case) -> Outcome:
    """Check a property for one pair of topics."""
    tested: dict[str, Any] = {
        "qbaf": case.values.qbaf,
        "semantics": case.values.semantics.name,
        "caf": case.values.caf.name,
    }
    try:
        tally = Tally.count(axiom.instances(case))
        if tally.worst is not None:
            return _make_witness(axiom, tally.worst, case, tested)
        if tally.applied and not tally.undecided:
            return None
        if tally.undecided:
            return NotApplicable(axiom=axiom.title, reason=UNDECIDED, undecided=True, template=UNDECIDED, **tested)
        kinks = _list_kinks(axiom, case)
        bent = f"; Φ does not exist for {quote_names(kinks)} (a kink)" if kinks else ""
        tested |= {"reason": axiom.premise + bent, "template": axiom.premise, "kinks": kinks}
    except UndefinedStrength as error:
        told = error.phrase(lambda hint: None)
        tested |= {"reason": UNDEFINED.format(told=told), "template": UNDEFINED, "details": {"told": told}}
    except NotCheckable as error:
        tested |= {"reason": str(error), "template": error.template, "details": error.details}
    return NotApplicable(axiom=axiom.title, **tested)


def _make_witness(axiom: Axiom, found: Instance, case: Case, tested: dict[str, Any]) -> Witness:
    roles = {"fact": case.fact, "foil": case.foil, "contributor": found.contributor, "third": found.third}
    names = {role: name for role, name in roles.items() if name is not None}
    sides: dict[str, Any] = {"left": found.left, "right": found.right, "value": found.value}
    template = axiom.words[found.sentence]
    return Witness(axiom=axiom.title, arguments=names, template=template, players=axiom.players, **sides, **tested)


def _list_kinks(axiom: Axiom, case: Case) -> tuple[Name, ...]:
    """List the contributors whose Φ does not exist, where that is why nothing applies."""
    if axiom.players != "arguments":
        return ()
    every = case.values.contrast(case.fact, case.foil)
    return tuple(x for x in case.contributors if isnan(every[x]))
