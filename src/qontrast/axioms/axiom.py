"""Check a property on a graph: go through every instance of its statement.

A property is a generator of instances: for each choice of arguments whose premise is met, the two sides of the
statement and whether it holds. Equal means equal up to the tolerance; a strict premise (Φ > 0) is met from ten
tolerances on, and a strict conclusion fails where it is not met by more than one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from inspect import cleandoc
from itertools import permutations
from math import isnan

from ..engine.problem import make_problem
from ..errors import UndefinedStrength, quote_names
from ..graph.labels import quote_label, visible
from ..graph.qbaf import Qbaf
from ..semantics import Semantics
from ..settings import check_list, check_number, check_progress
from ..types import Name, Progress
from .evaluation import Caf, Derived, Evaluation, GraphEvaluation, Phi, resolve_caf, slope_tolerance
from .outcomes import NotApplicable, Outcome, Witness

STRICT_FACTOR = 10  # a strict premise, such as Φ > 0, counts as met from this many tolerances on


@dataclass(frozen=True, slots=True)
class Case:
    """Two topics of a graph, and perhaps a third: what a property is asked about."""

    values: Evaluation
    fact: Name
    foil: Name
    thirds: Sequence[Name]
    tolerance: float
    slope_tolerance: float

    @property
    def strict_tolerance(self) -> float:
        """From here on a number counts as different from 0 in a strict premise."""
        return STRICT_FACTOR * self.tolerance

    def contributors(self, *others: Name) -> list[Name]:
        return [x for x in self.values.names if x != self.fact and x != self.foil and x not in others]

    @property
    def gap(self) -> float:
        return self.values.strength(self.fact) - self.values.strength(self.foil)


@dataclass(frozen=True, slots=True)
class Instance:
    """One instance of a statement whose premise is met: its sides, and whether it holds (None: cannot be told)."""

    holds: bool | None
    left: float
    right: float
    contributor: Name | None = None
    third: Name | None = None
    value: float = float("nan")
    case: int = 0  # which of the property's sentences describes it

    @property
    def excess(self) -> float:
        """By how much the two sides differ."""
        return abs(self.left - self.right)


@dataclass(frozen=True, slots=True)
class Tally:
    """How many instances there were, how many could not be told, and the one that fails by most."""

    applied: int = 0
    undecided: int = 0
    worst: Instance | None = None

    @classmethod
    def count(cls, instances: Iterable[Instance]) -> Tally:
        applied = undecided = 0
        worst: Instance | None = None
        for each in instances:
            applied += 1
            undecided += each.holds is None
            if each.holds is False and (worst is None or each.excess > worst.excess):
                worst = each
        return cls(applied, undecided, worst)


Instances = Callable[[Case], Iterator[Instance]]


@dataclass(frozen=True)
class Axiom:
    """A property of CAFs, or of an attribution function: call it on a graph.

    Attributes
    ----------
    name, title
        As in the table AXIOMS, and for people.
    statement
        The paper's formula. α is the fact, β the foil, γ a contributor, η a third topic.
    help
        What the property asks for, in words.
    premise
        What is missing where the property does not apply.
    words
        The sentences that describe a violation.
    refuted_for
        The methods for which the paper shows that it does not hold.
    instances
        The generator of instances.
    """

    name: str
    title: str
    statement: str
    help: str
    premise: str
    words: tuple[str, ...]
    refuted_for: tuple[str, ...]
    instances: Instances

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
        return check_graph(self, GraphUnderTest.make(qbaf, caf, semantics, topics, phi, tolerance))


AXIOMS: dict[str, Axiom] = {}


def axiom(
    name: str, title: str, statement: str, premise: str, *words: str, refuted_for: Sequence[str] = ()
) -> Callable[[Instances], Axiom]:
    """Put a generator of instances into the table AXIOMS; its docstring is the help."""

    def enter(instances: Instances) -> Axiom:
        text = cleandoc(instances.__doc__ or "")
        AXIOMS[name] = Axiom(name, title, statement, text, premise, words, tuple(refuted_for), instances)
        return AXIOMS[name]

    return enter


@dataclass(frozen=True, eq=False)
class GraphUnderTest:
    """A graph, the CAF under test on it, and the topics; what was computed for one property serves the next."""

    values: GraphEvaluation
    topics: Sequence[Name]
    tolerance: float

    @classmethod
    def make(
        cls,
        qbaf: Qbaf,
        caf: str | Caf | Derived,
        semantics: str | Semantics | None,
        topics: Sequence[Name] | None,
        phi: str | Phi | None,
        tolerance: float | None,
    ) -> GraphUnderTest:
        chosen, under_test = make_problem(qbaf, semantics).semantics, resolve_caf(caf, phi)
        if tolerance is None:
            tolerance = under_test.tolerance(qbaf, chosen)
        own = list_topics(qbaf, topics)
        return cls(GraphEvaluation(qbaf, chosen, under_test), own, check_number(tolerance, "tolerance"))

    def cases(self) -> Iterator[Case]:
        """Go through every ordered pair of topics."""
        qbaf = self.values.qbaf
        steep = slope_tolerance(qbaf, self.values.semantics)
        for fact, foil in permutations(self.topics, 2):
            others = self.topics if len(self.topics) > 2 else qbaf.arguments
            thirds = [t for t in others if t not in (fact, foil)]
            yield Case(self.values, fact, foil, thirds, self.tolerance, steep)


def list_topics(qbaf: Qbaf, topics: Sequence[Name] | None = None) -> list[Name]:
    """List the topics whose pairs are checked: those given, else the graph's own if it has two, else all arguments."""
    own = qbaf.topics if len(qbaf.topics) > 1 else qbaf.arguments
    chosen: list[Name] = check_list(own if topics is None else topics, "topics")
    for topic in chosen:
        qbaf.index(topic)
    return chosen


def verdicts(
    qbaf: Qbaf,
    caf: str | Caf | Derived = "shapley",
    *,
    semantics: str | Semantics | None = None,
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
    semantics, progress
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
    ['efficiency']
    """
    asked = GraphUnderTest.make(qbaf, caf, semantics, topics, phi, tolerance)
    found: dict[str, Outcome] = {}
    report = check_progress(progress)
    for done, (name, each) in enumerate(AXIOMS.items()):
        if report:
            report(done, len(AXIOMS))
        found[name] = check_graph(each, asked)
    return found


def check_graph(each: Axiom, asked: GraphUnderTest) -> Outcome:
    """Check a property for all pairs of topics: None if it holds, else the first witness, or that it does not apply."""
    silent: NotApplicable | None = None
    applied = False
    for case in asked.cases():
        outcome = check_case(each, case, asked.values)
        if isinstance(outcome, Witness):
            return outcome
        applied = applied or outcome is None
        if outcome is not None and (silent is None or outcome.undecided):
            silent = outcome
    return silent if silent is not None and (silent.undecided or not applied) else None


def check_case(each: Axiom, case: Case, graph: GraphEvaluation) -> Outcome:
    """Check a property for one pair of topics."""
    reason, undecided = None, False
    try:
        tally = Tally.count(each.instances(case))
        if tally.worst is not None:
            return _make_witness(each, tally.worst, case, graph)
        if tally.undecided:
            reason, undecided = "the gap moves by less than can be told", True
        elif not tally.applied:
            reason = each.premise + _describe_kinks(case)
    except UndefinedStrength as error:
        reason = f"a strength is undefined: {error}"
    if reason is None:
        return None
    return NotApplicable(
        axiom=each.title,
        reason=reason,
        undecided=undecided,
        qbaf=graph.qbaf,
        semantics=graph.semantics.name,
        caf=graph.caf.name,
    )


def _make_witness(each: Axiom, found: Instance, case: Case, graph: GraphEvaluation) -> Witness:
    qbaf = graph.qbaf
    roles = {"fact": case.fact, "foil": case.foil, "contributor": found.contributor, "third": found.third}
    names = {role: name for role, name in roles.items() if name is not None}
    texts = {role: quote_label(qbaf, name) if name in qbaf else visible(name) for role, name in names.items()}
    numbers = {side: f"{getattr(found, side):.6g}".replace("-", "−") for side in ("left", "right", "value")}
    return Witness(
        axiom=each.title,
        qbaf=qbaf,
        semantics=graph.semantics.name,
        caf=graph.caf.name,
        arguments=names,
        left=found.left,
        right=found.right,
        words=each.words[found.case].format(**texts, **numbers),
        value=found.value,
    )


def _describe_kinks(case: Case) -> str:
    """Say that some Φ do not exist, where that is why nothing applies."""
    every = case.values.contrast(case.fact, case.foil)
    names = [x for x in case.contributors() if isnan(every[x])]
    return f"; Φ does not exist for {quote_names(names)} (a kink)" if names else ""
