"""A property as data, and the verdict on it: every instance of its statement on a graph, looked at.

A property is a generator of instances: for each choice of arguments whose premise is met, the two sides of the
statement and whether it holds. Equal means equal up to the tolerance; a strict premise (Φ > 0) is met from ten
tolerances on, and a strict conclusion fails where it is not met by more than one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import permutations
from math import isnan

from ..engine.problem import problem
from ..errors import UndefinedStrength, quoted
from ..graph.labels import called, visible
from ..graph.qbaf import Qbaf
from ..progress import shown
from ..semantics import Semantics
from ..settings import listed, real
from ..types import Name, Progress
from .caf import CLEARLY, Caf, Derived, Phi, Tested, as_caf, slope_tolerance
from .evaluation import Direct, Evaluation
from .outcome import NotApplicable, Outcome, Witness


@dataclass(frozen=True, slots=True)
class Case:
    """Two topics of a graph, and perhaps a third; what a property is asked about."""

    values: Evaluation
    fact: Name
    foil: Name
    thirds: Sequence[Name]
    tolerance: float
    slope_tolerance: float

    @property
    def clear(self) -> float:
        """From here on a number counts as different from 0 in a strict premise."""
        return CLEARLY * self.tolerance

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
    case: int = 0  # which of the property's sentences tells of it


@dataclass(frozen=True, eq=False)
class Question:
    """A graph, the CAF under test on it, and the topics; what was computed for one property serves the next."""

    qbaf: Qbaf
    semantics: Semantics
    under_test: Tested
    topics: Sequence[Name]
    tolerance: float
    values: Direct

    @classmethod
    def of(
        cls,
        qbaf: Qbaf,
        caf: str | Caf | Derived,
        semantics: str | Semantics | None,
        topics: Sequence[Name] | None,
        phi: str | Phi | None,
        tolerance: float | None,
    ) -> Question:
        chosen, under_test = problem(qbaf, semantics).semantics, as_caf(caf, phi)
        near = under_test.tolerance(qbaf, chosen) if tolerance is None else real(tolerance, "tolerance")
        return cls(qbaf, chosen, under_test, _topics(qbaf, topics), near, Direct(qbaf, chosen, under_test))

    def cases(self) -> Iterator[Case]:
        """Every ordered pair of topics."""
        steep = slope_tolerance(self.qbaf, self.semantics)
        for fact, foil in permutations(self.topics, 2):
            others = self.topics if len(self.topics) > 2 else self.qbaf.arguments
            thirds = [t for t in others if t not in (fact, foil)]
            yield Case(self.values, fact, foil, thirds, self.tolerance, steep)


@dataclass(frozen=True)
class Axiom:
    """A property of CAFs, or of an attribution function. Call it on a graph.

    `statement` is the paper's, `premise` says what is missing where it does not apply, `words` are the sentences that
    tell of a violation.
    """

    name: str
    title: str
    statement: str
    premise: str
    words: tuple[str, ...]
    instances: Callable[[Case], Iterable[Instance]]

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
        """None if it holds for all pairs of topics, else the first witness, or `NotApplicable`.

        Topics are those given, else the graph's own, else all arguments.
        """
        return self.verdict(Question.of(qbaf, caf, semantics, topics, phi, tolerance))

    def verdict(self, asked: Question) -> Outcome:
        """The same for a question that other properties may share."""
        silent: NotApplicable | None = None
        applied = False
        for case in asked.cases():
            outcome = self.judge(case, asked.qbaf, asked.semantics, asked.under_test)
            if isinstance(outcome, Witness):
                return outcome
            applied = applied or outcome is None
            if outcome is not None and (silent is None or outcome.undecided):
                silent = outcome
        return silent if silent is not None and (silent.undecided or not applied) else None

    @property
    def function(self) -> Axiom:
        """The property as something to call, for tables."""
        return self

    def judge(self, case: Case, qbaf: Qbaf, semantics: Semantics, under_test: Tested) -> Outcome:
        """The verdict on one pair of topics, in full."""
        try:
            seen = Seen.of(self.instances(case))
        except UndefinedStrength as error:
            return NotApplicable(self.title, f"a strength is undefined: {error}")
        if seen.worst is not None:
            return self._witness(seen.worst, case, qbaf, semantics, under_test)
        if seen.undecided:
            return NotApplicable(self.title, "the gap moves by less than can be told", undecided=True)
        return None if seen.applied else NotApplicable(self.title, self.premise + _missing(case))

    def _witness(self, found: Instance, case: Case, qbaf: Qbaf, semantics: Semantics, under_test: Tested) -> Witness:
        roles = {"fact": case.fact, "foil": case.foil, "contributor": found.contributor, "third": found.third}
        names = {role: name for role, name in roles.items() if name is not None}
        shown = {role: called(qbaf, name) if name in qbaf else visible(name) for role, name in names.items()}
        numbers = {"left": _number(found.left), "right": _number(found.right), "value": _number(found.value)}
        words = self.words[found.case].format(**shown, **numbers)
        return Witness(
            self.title, qbaf, semantics.name, under_test.name, names, found.left, found.right, words, found.value
        )


@dataclass(frozen=True, slots=True)
class Seen:
    """What going through the instances gave: how many there were, and the one that fails by most."""

    applied: int
    undecided: int
    worst: Instance | None

    @classmethod
    def of(cls, instances: Iterable[Instance]) -> Seen:
        applied = undecided = 0
        worst: Instance | None = None
        for each in instances:
            applied += 1
            undecided += each.holds is None
            if each.holds is False and (worst is None or _by(each) > _by(worst)):
                worst = each
        return cls(applied, undecided, worst)


AXIOMS: dict[str, Axiom] = {}
Instances = Callable[[Case], Iterator[Instance]]


def axiom(name: str, title: str, statement: str, premise: str, *words: str) -> Callable[[Instances], Axiom]:
    """Put a generator of instances into the table AXIOMS, as a property to call."""

    def enter(instances: Instances) -> Axiom:
        AXIOMS[name] = Axiom(name, title, statement, premise, words, instances)
        return AXIOMS[name]

    return enter


def verdicts(
    qbaf: Qbaf,
    caf: str | Caf | Derived = "shapley",
    *,
    semantics: str | Semantics | None = None,
    progress: Progress | bool | None = None,
    topics: Sequence[Name] | None = None,
    phi: str | Phi | None = None,
    tolerance: float | None = None,
) -> dict[str, Outcome]:
    """What every property in AXIOMS says of one graph, by name; what they need of it is computed once.

    >>> from qontrast import examples
    >>> [name for name, outcome in verdicts(examples.load("efficiency"), "removal").items() if outcome]
    ['efficiency']
    """
    asked = Question.of(qbaf, caf, semantics, topics, phi, tolerance)
    found: dict[str, Outcome] = {}
    with shown(progress, "axioms") as report:
        for done, (name, each) in enumerate(AXIOMS.items()):
            if report:
                report(done, len(AXIOMS))
            found[name] = each.verdict(asked)
    return found


def _topics(qbaf: Qbaf, topics: Sequence[Name] | None) -> Sequence[Name]:
    own = qbaf.topics if len(qbaf.topics) > 1 else qbaf.arguments
    chosen: list[Name] = listed(own if topics is None else topics, "topics")
    for topic in chosen:
        qbaf.index(topic)
    return chosen


def _missing(case: Case) -> str:
    """That some Φ do not exist, where that is why nothing applies."""
    every = case.values.contrast(case.fact, case.foil)
    names = [x for x in case.contributors() if isnan(every[x])]
    return f"; Φ does not exist for {quoted(names)} (a kink)" if names else ""


def _by(found: Instance) -> float:
    return abs(found.left - found.right)


def _number(value: float) -> str:
    return f"{value:.6g}"
