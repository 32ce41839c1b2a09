"""Compare many topics: all pairs from one Φ, and the paper's Algorithm 1.

Φ is filled once for all topics; each contrast is a subtraction of two of its rows. A CAF that is only given pair by
pair needs T − 1 calls if it is additive (Algorithm 1), not T (T − 1).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from typing import TYPE_CHECKING, Any, ClassVar, Unpack

from ..attribution.matrix import Phi
from ..attribution.methods import DEFAULT, MethodSettings, contributions
from ..attribution.players import Players, PlayersGiven
from ..engine.problem import MAX_STEPS
from ..errors import Hint, InvalidInput, unknown_name
from ..graph.qbaf import Qbaf, check_graph
from ..results.base import TIE_TOLERANCE, Plottable, Result, Schema, ShapConvertible
from ..semantics import Semantics
from ..settings import check_function, check_list, check_number, format_value, wrap_failures
from ..types import Floats, Method, Name, Progress
from .contrast import Contrast, subtract

if TYPE_CHECKING:
    from concurrent.futures import Executor

CAF = "(fact, foil) → a mapping from contributor to contribution"  # how a CAF is called, for messages

PAIRS_SCHEMA = Schema(
    "qontrast/pairs/1",
    {
        "topics": "the topics",
        "method": "name of the method",
        "semantics": "name of the semantics",
        "pairs": "a `qontrast/contrast/1` for each two topics, in the order of `topics`; the reverse of a pair has the "
        "opposite sign in every number",
    },
    source="`pairs`, `all_pairs`",
)


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Pairs(Result, Plottable, ShapConvertible, schema=PAIRS_SCHEMA):
    """Every contrast among the topics: `pairs[fact, foil]`.

    Attributes
    ----------
    phi
        The contributions Φ that they are subtracted from.
    """

    phi: Phi

    @property
    def qbaf(self) -> Qbaf:
        """The graph."""
        return self.phi.problem.qbaf

    @property
    def semantics(self) -> str:
        """The name of the semantics."""
        return self.phi.problem.semantics.name

    @property
    def method(self) -> str:
        """The name of the method."""
        return self.phi.method

    @property
    def topics(self) -> tuple[Name, ...]:
        """The topics, in the given order."""
        return self.phi.topics

    @property
    def players(self) -> Players:
        """Who contributes."""
        return self.phi.players

    @property
    def contributors(self) -> Sequence[Any]:
        """The names along the last axis of `tensor`: all arguments, edges or groups."""
        return self.players.names

    def __getitem__(self, pair: tuple[Name, Name]) -> Contrast:
        if not isinstance(pair, tuple) or len(pair) != 2:
            raise InvalidInput(f"ask for a pair, pairs[fact, foil], not {pair!r}")
        for topic in pair:
            if topic not in self.topics:
                raise unknown_name(topic, self.topics, "topic")
        return subtract(self.phi, *pair)

    @property
    def pairs(self) -> tuple[Contrast, ...]:
        """The contrast of each two topics, in the order of `topics`."""
        return tuple(self[pair] for pair in combinations(self.topics, 2))

    @property
    def gaps(self) -> Floats:
        """σ(row) − σ(column), (topics, topics)."""
        own = self.phi.strengths[[self.qbaf.index(topic) for topic in self.topics]]
        return own[:, None] - own

    @property
    def tensor(self) -> Floats:
        """Φ[fact, foil, contributor], antisymmetric in the first two; NaN where the contributor is one of them."""
        values = self.phi.values
        return values[:, None] - values

    def ahead(self) -> list[tuple[Name, Name]]:
        """List each two topics once, the stronger first; ties in the given order."""
        gaps, place = self.gaps, {topic: k for k, topic in enumerate(self.topics)}
        return [
            (a, b) if gaps[place[a], place[b]] >= -TIE_TOLERANCE else (b, a) for a, b in combinations(self.topics, 2)
        ]

    def _computed_fields(self) -> dict[str, Any]:
        return {"pairs": [each.to_dict() for each in self.pairs]}


def all_pairs(
    qbaf: Qbaf,
    topics: Sequence[Name] | None = None,
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
) -> Pairs:
    """Contrast every two topics, all from the same evaluations.

    Parameters
    ----------
    qbaf : Qbaf
        The graph.
    topics : sequence of names, optional
        The topics; the graph's own unless given.
    method, players, semantics, solver, max_steps, executor, device, progress, **settings
        As in `contributions`. With "direct" the edges into all the topics play; to a pair, those into its two topics
        contribute.

    Returns
    -------
    Pairs
        `pairs[fact, foil]` is a `Contrast`.

    Raises
    ------
    InvalidInput
        If there are fewer than two topics, or one is named twice.

    Examples
    --------
    >>> from qontrast import examples
    >>> pairs = all_pairs(examples.load("zebra"), ["zebra", "horse", "tiger"])
    >>> pairs["zebra", "horse"].gap
    0.375
    """
    phi = contributions(
        qbaf,
        _check_topics(qbaf, topics),
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
    return Pairs(phi=phi)


def _check_topics(qbaf: Qbaf, topics: Sequence[Name] | None) -> list[Name]:
    check_graph(qbaf)
    asked = check_list(qbaf.topics if topics is None else topics, "topics")
    for topic in asked:
        qbaf.index(topic)
    if len(asked) < 2:
        raise InvalidInput(f"a contrast needs at least two topics, not {asked}", hints=[Hint("topics")])
    return _check_distinct(asked)


def _check_distinct(topics: list[Name]) -> list[Name]:
    if len(set(topics)) < len(topics):
        raise InvalidInput(f"a topic is named twice in {topics}")
    return topics


CHAINED_SCHEMA = Schema(
    "qontrast/chained/1",
    {
        "topics": "the topics",
        "calls": "how often the function was called",
        "additions": "how often two contrasts were added",
        "pairs": "for each two topics `fact`, `foil`, `contributions`",
    },
    source="`chained_pairs`, the paper's Algorithm 1",
)


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Chained(Result, schema=CHAINED_SCHEMA):
    """What Algorithm 1 found: `chained[fact, foil]`, for reversed pairs by antisymmetry.

    Attributes
    ----------
    topics
        The topics.
    values
        (fact, foil) → contributor → Φ.
    calls
        How often the CAF was called: T − 1.
    additions
        How often two contrasts were added: (T − 1)(T − 2)/2.
    """

    topics: tuple[Name, ...]
    values: Mapping[tuple[Name, Name], Mapping[Name, float]]
    calls: int
    additions: int
    qbaf: ClassVar[None] = None  # the CAF alone knows the graph and the semantics
    semantics: ClassVar[None] = None
    method: ClassVar[None] = None

    def __getitem__(self, pair: tuple[Name, Name]) -> Mapping[Name, float]:
        if pair in self.values:
            return self.values[pair]
        if pair[::-1] in self.values:
            return {x: -value for x, value in self.values[pair[::-1]].items()}
        raise unknown_name(pair, self.values, "pair of topics")

    @property
    def pairs(self) -> list[dict[str, Any]]:
        """For each two topics `fact`, `foil` and `contributions`."""
        return [{"fact": fact, "foil": foil, "contributions": each} for (fact, foil), each in self.values.items()]


def chained_pairs(caf: Callable[[Name, Name], Mapping[Name, float]], topics: Sequence[Name]) -> Chained:
    """Run the paper's Algorithm 1: all pairs of an *additive* CAF that is given pair by pair, in T − 1 calls.

        M[i, i+1] = Φ_{tᵢ ⪰ tᵢ₊₁},    M[i, j] = M[i, j−1] + M[j−1, j]

    Parameters
    ----------
    caf : callable
        (fact, foil) → a mapping from contributor to contribution.
    topics : sequence of names
        The topics.

    Returns
    -------
    Chained
        Φ of every pair, and what it took. Contributors are those that every call reports, so no topic is among them.

    Raises
    ------
    InvalidInput
        If a topic is named twice, or the CAF gives something else than a mapping to numbers.

    Examples
    --------
    >>> from qontrast import contrast, examples
    >>> q = examples.load("zebra")
    >>> found = chained_pairs(lambda fact, foil: contrast(q, fact, foil), ["zebra", "horse", "tiger"])
    >>> found.calls, found["zebra", "tiger"]["stripes"] == contrast(q, "zebra", "tiger")["stripes"]
    (2, True)
    """
    names, values = check_list(topics, "topics"), {}
    for name in names:
        if not isinstance(name, str | int):
            raise InvalidInput(f"topics holds {format_value(name)}; give a list of names")
    _check_distinct(names)
    check_function(caf, "caf", CAF, 2)
    for a, b in pairwise(names):
        called = f"caf({a!r}, {b!r})"
        found = call_caf(caf, called, "give a mapping from name to contribution", a, b)
        for x, value in found.items():
            check_number(value, f"the contribution of {x!r} by {called}", missing=True)
        values[a, b] = {x: value for x, value in found.items() if x not in names}
    calls = len(values)
    for k, first in enumerate(names):
        for middle, last in pairwise(names[k + 1 :]):
            left, right = values[first, middle], values[middle, last]
            values[first, last] = {x: left[x] + right[x] for x in left if x in right}
    return Chained(topics=tuple(names), values=values, calls=calls, additions=len(values) - calls)


def call_caf(caf: Callable[..., Mapping[Name, float]], name: str, advice: str, *question: Any) -> Mapping[Name, float]:
    """Call a user's function and check that it gives a mapping; a failure names the function and the way out."""
    with wrap_failures(name, advice):
        found = caf(*question)
    if not isinstance(found, Mapping):
        raise InvalidInput(f"{name} gave {format_value(found)}; {advice}")
    return found
