"""Many topics: every pair from one Φ, the paper's Algorithm 1, and rankings.

Φ is filled once for all topics; each contrast is a subtraction of two of its rows. A CAF that is only given pair by
pair needs T − 1 calls if it is additive (Algorithm 1), not T (T − 1).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field
from itertools import combinations, islice, pairwise
from typing import Any

from ..attribution.matrix import Phi
from ..attribution.methods import DEFAULT, contributions, ranked
from ..engine.problem import MAX_STEPS
from ..errors import Hint, InvalidInput, unknown
from ..explain.wording import TIE, label_and_name, number, visible
from ..graph.qbaf import Qbaf, is_graph
from ..results.base import Plottable, Result, ShapConvertible
from ..results.serialize import to_plain
from ..semantics import Semantics
from ..settings import calling, function, listed, real, shown
from ..types import Floats, Method, Name, Progress
from .contrast import Contrast, difference

SHOWN = 20  # pairs in the text of all of them


@dataclass(frozen=True, eq=False, repr=False)
class Pairs(Result, Plottable, ShapConvertible):
    """Every contrast among the topics, from one Φ: `pairs[fact, foil]`."""

    phi: Phi = field(repr=False)

    @property
    def topics(self) -> tuple[Name, ...]:
        return self.phi.topics

    @property
    def contributors(self) -> Sequence[Name]:
        """The names along the last axis of `tensor`: all arguments."""
        return self.phi.problem.qbaf.arguments

    def __getitem__(self, pair: tuple[Name, Name]) -> Contrast:
        if not isinstance(pair, tuple) or len(pair) != 2:
            raise InvalidInput(f"ask for a pair, pairs[fact, foil], not {pair!r}")
        for topic in pair:
            if topic not in self.topics:
                raise unknown(topic, self.topics, "topic")
        return difference(self.phi, *pair)

    @property
    def gaps(self) -> Floats:
        """σ(row) − σ(column), (topics, topics)."""
        qbaf = self.phi.problem.qbaf
        own = self.phi.strengths[[qbaf.index(topic) for topic in self.topics]]
        return own[:, None] - own

    @property
    def tensor(self) -> Floats:
        """Φ[fact, foil, contributor], antisymmetric in the first two; NaN where the contributor is one of them."""
        values = self.phi.values
        return values[:, None] - values

    def ahead(self) -> list[tuple[Name, Name]]:
        """Each two topics once, the stronger first; ties in the given order."""
        gaps, place = self.gaps, {topic: k for k, topic in enumerate(self.topics)}
        return [(a, b) if gaps[place[a], place[b]] >= -TIE else (b, a) for a, b in combinations(self.topics, 2)]

    def to_dict(self) -> dict[str, Any]:
        """All of it as plain data, `qontrast/pairs/1`: each two topics once, since the reverse has the other sign."""
        return {
            "schema": "qontrast/pairs/1",
            "topics": list(self.topics),
            "method": self.phi.method,
            "semantics": self.phi.problem.semantics.name,
            "pairs": [self[pair].to_dict() for pair in combinations(self.topics, 2)],
        }

    def __str__(self) -> str:
        head = f"{len(self.topics)} topics, {self.phi.method} under {self.phi.problem.semantics.name}"
        gaps, labels = self.gaps, [label_and_name(self.phi.problem.qbaf, topic) for topic in self.topics]
        ends = islice(combinations(range(len(self.topics)), 2), SHOWN)
        lines = [f"{labels[i]} over {labels[j]} {number(gaps[i, j], '+')}" for i, j in ends]
        left_out = len(self.topics) * (len(self.topics) - 1) // 2 - len(lines)
        return "\n".join([head, *lines, *([f"… ({left_out:,} more pairs)"] if left_out else [])])


def all_pairs(
    qbaf: Qbaf,
    topics: Sequence[Name] | None = None,
    *,
    method: str | Method = DEFAULT,
    semantics: str | Semantics | None = None,
    solver: str = "discrete",
    max_steps: int = MAX_STEPS,
    executor: Executor | None = None,
    progress: Progress | bool | None = None,
    **settings: Any,
) -> Pairs:
    """Every pair of topics, at the price of one Φ; the graph's own topics unless others are given."""
    asked = _topics(qbaf, topics)
    phi = contributions(
        qbaf,
        asked,
        method=method,
        semantics=semantics,
        solver=solver,
        max_steps=max_steps,
        executor=executor,
        progress=progress,
        **settings,
    )
    return Pairs(phi)


def _topics(qbaf: Qbaf, topics: Sequence[Name] | None) -> list[Name]:
    is_graph(qbaf)
    asked = listed(qbaf.topics if topics is None else topics, "topics")
    for topic in asked:
        qbaf.index(topic)
    if len(asked) < 2:
        raise InvalidInput(f"a contrast needs at least two topics, not {asked}", hints=[Hint("topics")])
    if len(set(asked)) < len(asked):
        raise InvalidInput(f"a topic is named twice in {asked}")
    return asked


@dataclass(frozen=True, repr=False)
class Chained(Result):
    """What Algorithm 1 returns: Φ for every pair, and what it took. Reversed pairs follow by antisymmetry."""

    topics: tuple[Name, ...]
    values: Mapping[tuple[Name, Name], Mapping[Name, float]] = field(repr=False)
    calls: int  # of the CAF: T − 1
    additions: int  # of two contrasts: (T − 1)(T − 2)/2

    def __getitem__(self, pair: tuple[Name, Name]) -> Mapping[Name, float]:
        if pair in self.values:
            return self.values[pair]
        if pair[::-1] in self.values:
            return {x: -value for x, value in self.values[pair[::-1]].items()}
        raise unknown(pair, self.values, "pair of topics")

    def __str__(self) -> str:
        lines = [f"{len(self.topics)} topics, {self.calls} calls of the CAF, {self.additions} additions"]
        for (fact, foil), each in islice(self.values.items(), SHOWN):
            said = ", ".join(f"{x} {number(value, '+')}" for x, value in ranked(each)[:3])
            lines.append(f"{fact} over {foil}: {said or 'no contributors'}{', …' if len(each) > 3 else ''}")
        left_out = len(self.values) - SHOWN
        return "\n".join([*lines, *([f"… ({left_out:,} more pairs)"] if left_out > 0 else [])])

    def to_dict(self) -> dict[str, Any]:
        """All of it as plain data, `qontrast/chained/1`."""
        return {
            "schema": "qontrast/chained/1",
            "topics": list(self.topics),
            "calls": self.calls,
            "additions": self.additions,
            "pairs": [
                {"fact": fact, "foil": foil, "contributions": to_plain(each)}
                for (fact, foil), each in self.values.items()
            ],
        }


def chained_pairs(caf: Callable[[Name, Name], Mapping[Name, float]], topics: Sequence[Name]) -> Chained:
    """The paper's Algorithm 1: all pairs of any *additive* CAF that is given pair by pair, in T − 1 calls.

        M[i, i+1] = Φ_{tᵢ ⪰ tᵢ₊₁},    M[i, j] = M[i, j−1] + M[j−1, j]

    Contributors are those that every call reports, so no topic is among them.
    """
    names, values = listed(topics, "topics"), {}
    for name in names:
        if not isinstance(name, str | int):
            raise InvalidInput(f"topics holds {shown(name)}; give a list of names")
    if len(set(names)) < len(names):
        raise InvalidInput(f"a topic is named twice in {names}")
    function(caf, "caf", "(fact, foil) → a mapping from contributor to contribution", 2)
    for a, b in pairwise(names):
        with calling(f"caf({a!r}, {b!r})", "give a function (fact, foil) → a mapping from contributor to contribution"):
            found = caf(a, b)
        if not isinstance(found, Mapping):
            raise InvalidInput(f"caf({a!r}, {b!r}) gave {shown(found)}; give a mapping from name to contribution")
        for x, value in found.items():
            real(value, f"the contribution of {x!r} by caf({a!r}, {b!r})", missing=True)
        values[a, b] = {x: value for x, value in found.items() if x not in names}
    additions = 0
    for i in range(len(names) - 2):
        for j in range(i + 2, len(names)):
            left, right = values[names[i], names[j - 1]], values[names[j - 1], names[j]]
            values[names[i], names[j]] = {x: left[x] + right[x] for x in left if x in right}
            additions += 1
    return Chained(tuple(names), values, max(0, len(names) - 1), additions)


@dataclass(frozen=True, eq=False, repr=False)
class Ranking(Result, Plottable):
    """Topics from the strongest down; `steps[k]` explains why `order[k]` stands before `order[k + 1]`."""

    order: tuple[Name, ...]
    places: tuple[int, ...]  # 1, 2, 2, 4: tied topics share a place
    strengths: Mapping[Name, float]
    steps: tuple[Contrast, ...] = field(repr=False)

    @property
    def tied(self) -> tuple[bool, ...]:
        """Whether each step is a tie."""
        return tuple(abs(step.gap) <= TIE for step in self.steps)

    def to_dict(self) -> dict[str, Any]:
        """All of it as plain data, `qontrast/ranking/1`."""
        places = zip(self.order, self.places, strict=True)
        return {
            "schema": "qontrast/ranking/1",
            "method": self.steps[0].method,
            "semantics": self.steps[0].semantics,
            "order": [{"topic": x, "place": place, "strength": self.strengths[x]} for x, place in places],
            "steps": [step.to_dict() for step in self.steps],
        }

    def __str__(self) -> str:
        lines = []
        for k, topic in enumerate(self.order):
            label = label_and_name(self.steps[0].qbaf, topic) if self.steps else visible(topic)
            lines.append(f"{self.places[k]}. {label} {self.strengths[topic]:.4f}")
            if k < len(self.steps):
                lines.append(f"   {self.steps[k]}")
        return "\n".join(lines)


def rank(
    qbaf: Qbaf,
    topics: Sequence[Name] | None = None,
    *,
    method: str | Method = DEFAULT,
    semantics: str | Semantics | None = None,
    solver: str = "discrete",
    max_steps: int = MAX_STEPS,
    executor: Executor | None = None,
    progress: Progress | bool | None = None,
    **settings: Any,
) -> Ranking:
    """The topics in order of strength, each step between neighbours explained; ties are ties, in the given order."""
    pairs = all_pairs(
        qbaf,
        topics,
        method=method,
        semantics=semantics,
        solver=solver,
        max_steps=max_steps,
        executor=executor,
        progress=progress,
        **settings,
    )
    strength = {topic: float(pairs.phi.strengths[qbaf.index(topic)]) for topic in pairs.topics}
    rough = sorted(pairs.topics, key=lambda topic: -strength[topic])
    places: list[int] = []
    for k, topic in enumerate(rough):
        same = k > 0 and strength[rough[k - 1]] - strength[topic] <= TIE
        places.append(places[-1] if same else k + 1)
    given = {topic: k for k, topic in enumerate(pairs.topics)}
    order = [topic for _, topic in sorted(zip(places, rough, strict=True), key=lambda each: (each[0], given[each[1]]))]
    steps = tuple(pairs[a, b] for a, b in pairwise(order))
    return Ranking(tuple(order), tuple(places), {topic: strength[topic] for topic in order}, steps)
