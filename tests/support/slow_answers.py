"""Questions with two answers: that of the library, and the slow one of the definitions.

An answer is a dictionary from whatever the question asks about to a number, or None where strengths are undefined.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from math import isclose, isnan, nan
from typing import Any

import numpy as np

import qontrast as qx
from qontrast import Qbaf, UndefinedStrength
from qontrast.engine.problem import make_problem
from tests.support import players as slow
from tests.support.hard_graphs import KINDS, SMALL, make_hard_graph
from tests.support.reference import Loop, find_rates

Answer = dict[Hashable, float] | None
FEW_EDGES = ["kinks", "kinks behind kinks", "cancelling kinks", "ties", "self-loops", "no limit"]


@dataclass(frozen=True)
class Question:
    """What is asked of a graph: of the library on a device, and of the definitions; and of which kinds of graphs."""

    ask: Callable[[Qbaf, str, str], Answer]
    define: Callable[[Qbaf, str], Answer]
    kinds: list[str]


class NoLimit(Exception):
    """Some sub-graph has no strengths."""


class Worth:
    """σ of sub-graphs, each solved once."""

    def __init__(self, qbaf: Qbaf, semantics: str) -> None:
        self.qbaf, self.semantics = qbaf, semantics
        self.known: dict[frozenset[Any], dict[Any, float] | None] = {}

    def __call__(self, kept: frozenset[Any], topic: Any) -> float:
        if kept not in self.known:
            self.known[kept] = Loop(self.qbaf, self.semantics, keep=kept).limit()
        found = self.known[kept]
        if found is None:
            raise NoLimit
        return found[topic]


def _defined(define: Callable[[Qbaf, str], Answer]) -> Callable[[Qbaf, str], Answer]:
    def answer(q: Qbaf, semantics: str) -> Answer:
        try:
            return define(q, semantics)
        except NoLimit:
            return None

    return answer


def _asked(ask: Callable[..., Answer]) -> Callable[[Qbaf, str, str], Answer]:
    def answer(q: Qbaf, semantics: str, device: str = "cpu") -> Answer:
        try:
            return ask(q, semantics=semantics, device=device)
        except UndefinedStrength:
            return None

    return answer


def list_values(phi: qx.Phi) -> Answer:
    """The contributions to all topics, their own entries left out."""
    return {(t, x): value for t, row in phi.contributions.items() for x, value in row.items()}


# -- strengths


def ask_strengths(q: Qbaf, semantics: str, device: str, solver: str = "discrete") -> Answer:
    found = make_problem(q, semantics, solver, device=device).solve().strengths[0]
    return None if np.isnan(found).any() else dict(zip(q, found.tolist(), strict=True))


def ask_flow(q: Qbaf, semantics: str, device: str) -> Answer:
    return ask_strengths(q, semantics, "cpu", "continuous")


def make_lanes(q: Qbaf) -> dict[str, Any]:
    """Lanes without each argument, and without every two, with other base scores and weights in every second lane."""
    names = list(q)
    gone = [(), *combinations(names, 1), *list(combinations(names, 2))[:20]]
    present = np.array([[name not in each for name in names] for each in gone], float)
    base, weights = np.tile(q.base_array, (len(gone), 1)), np.tile(np.abs(q.weights), (len(gone), 1))
    base[1::2], weights[1::3] = 1 - base[1::2], weights[1::3] / 2
    return {"present": present, "base_scores": base, "weights": weights}


def ask_lanes(q: Qbaf, semantics: str, device: str) -> Answer:
    found = make_problem(q, semantics, device=device).solve(**make_lanes(q)).strengths
    return {(k, x): float(found[k, i]) for k in range(len(found)) for i, x in enumerate(q)}


def define_lanes(q: Qbaf, semantics: str) -> Answer:
    lanes, names, answer = make_lanes(q), list(q), {}
    for k, (there, base, weights) in enumerate(zip(*lanes.values(), strict=True)):
        signed = np.where(np.signbit(q.weights), -weights, weights)
        own = Qbaf.from_arrays(base, q.sources, q.targets, signed, names=names)
        kept = [name for name, here in zip(names, there, strict=True) if here]
        found = Loop(own, semantics, keep=kept).limit()
        answer |= {(k, x): nan if found is None else found.get(x, 0.0) for x in names}
    return answer


# -- contributions of arguments


def define_removal(q: Qbaf, semantics: str) -> Answer:
    worth, everyone = Worth(q, semantics), frozenset(q)
    return {
        (t, x): worth(everyone, t) - worth(everyone - {x}, t) if x in find_ancestors(q, t) else 0.0
        for t in q.topics
        for x in q
        if x != t
    }


def define_intrinsic(q: Qbaf, semantics: str) -> Answer:
    answer = {}
    for x in q:
        cut = slow.keep_edges(q, [edge for edge in slow.edges_of(q) if edge[1] != x or edge[0] == x])
        own, worth = Worth(cut, semantics), Worth(q, semantics)
        for t in q.topics:
            if x != t:
                acts = x in find_ancestors(q, t)
                answer[t, x] = own(frozenset(q), t) - worth(frozenset(q) - {x}, t) if acts else 0.0
    return answer


def define_shapley(q: Qbaf, semantics: str) -> Answer:
    worth = Worth(q, semantics)
    answer = {}
    for t in q.topics:
        others = [x for x in q if x != t and x in find_ancestors(q, t)]  # nobody else has an influence
        found = slow.shapley(others, lambda some, t=t: worth(some | {t}, t))
        answer |= {(t, x): found.get(x, 0.0) for x in q if x != t}
    return answer


def find_ancestors(q: Qbaf, topic: Any) -> set[Any]:
    """The topic, and whoever has a path to it."""
    found = {topic}
    for _ in q:
        found |= {x for x, y in slow.edges_of(q) if y in found}
    return found


def list_sides(phi: qx.Phi, ends: Callable[[Any], tuple[bool, bool]]) -> Answer:
    """Both one-sided slopes; `ends` says whether one can go down from here, and up."""
    answer: dict[Hashable, float] = {}
    for (t, x), value in (list_values(phi) or {}).items():
        sides = phi.sides.get((t, x))
        assert isnan(value) == (sides is not None)
        below, above = (value, value) if sides is None else (sides.below, sides.above)
        down, up = ends(x)
        answer |= {(t, x, "below"): below} if down else {}
        answer |= {(t, x, "above"): above} if up else {}
    assert bool(phi.kinks) == bool(phi.sides)
    for t, x in phi.sides:  # some kink that is named lies between the two
        start, between = x[1] if isinstance(x, tuple) else x, find_ancestors(phi.qbaf, t)
        assert any(kink in between and start in find_ancestors(phi.qbaf, kink) for kink in phi.kinks), (t, x)
    return answer


def ask_gradient(q: Qbaf, **how: Any) -> Answer:
    phi = qx.contributions(q, q.topics, method="gradient", **how)
    return list_sides(phi, lambda x: (q.base_scores[x] > 0, q.base_scores[x] < 1))


def define_gradient(q: Qbaf, semantics: str) -> Answer:
    return _define_slopes(q, semantics, list(q), lambda x: (q.base_scores[x] > 0, q.base_scores[x] < 1))


def ask_edge_gradient(q: Qbaf, **how: Any) -> Answer:
    sizes = {**q.attacks, **q.supports}
    phi = qx.contributions(q, q.topics, method="gradient", players="edges", **how)
    return list_sides(phi, lambda edge: (sizes[edge] > 0, True))


def define_edge_gradient(q: Qbaf, semantics: str) -> Answer:
    sizes = {**q.attacks, **q.supports}
    return _define_slopes(q, semantics, list(sizes), lambda edge: (sizes[edge] > 0, True))


def _define_slopes(q: Qbaf, semantics: str, moved: list[Any], ends: Callable[[Any], tuple[bool, bool]]) -> Answer:
    answer = {}
    for x in moved:
        for side, name, possible in zip((-1, 1), ("below", "above"), ends(x), strict=True):
            rates = find_rates(q, semantics, x, side) if possible else {}
            if rates is None:
                raise NoLimit
            answer |= {(t, x, name): rates[t] for t in q.topics if possible and x != t}
    return answer


# -- edges, interactions


def define_edges(q: Qbaf, semantics: str, find: Callable[[Any, list[Any], slow.Worth], dict[Any, float]]) -> Answer:
    answer = {}
    for t in q.topics[:2]:
        edges = [edge for edge in slow.edges_of(q) if edge[1] in find_ancestors(q, t)]

        def worth(some: frozenset[Any], t: Any = t) -> float:
            found = Loop(slow.keep_edges(q, some), semantics, keep=find_ancestors(q, t)).limit()
            if found is None:
                raise NoLimit
            return found[t]

        found = find(t, edges, slow.remember(worth))
        answer |= {(t, edge): found.get(edge, 0.0) for edge in slow.edges_of(q)}
    return answer


def find_all(topic: Any, edges: list[Any], worth: slow.Worth) -> dict[Any, float]:
    return slow.shapley(edges, worth)


def find_owen(topic: Any, edges: list[Any], worth: slow.Worth) -> dict[Any, float]:
    """The edges of each argument are a union; those of the topic are always there."""
    unions: dict[Any, list[Any]] = {}
    for edge in edges:
        unions.setdefault(edge[0], []).append(edge)
    fixed = frozenset(unions.pop(topic, ()))
    return slow.owen(unions, lambda some: worth(some | fixed))


def find_direct(topic: Any, edges: list[Any], worth: slow.Worth) -> dict[Any, float]:
    """The edges into the topic play; all others are always there."""
    fixed = frozenset(edge for edge in edges if edge[1] != topic)
    return slow.shapley([edge for edge in edges if edge[1] == topic], lambda some: worth(some | fixed))


def ask_direct(q: Qbaf, **how: Any) -> Answer:
    answer: dict[Hashable, float] = {}
    for t in q.topics[:2]:
        found = qx.attribute(q, t, method="shapley", players="direct", **how)
        answer |= {(t, edge): found.get(edge, 0.0) for edge in slow.edges_of(q)}
    return answer


def ask_edges(method: str) -> Callable[..., Answer]:
    return lambda q, **how: list_values(qx.contributions(q, q.topics[:2], method=method, players="edges", **how))


def ask_interactions(q: Qbaf, semantics: str, device: str) -> Answer:
    """Of every two players, by both indices, and of three that act on the topic."""
    topic, answer = q.topics[0], {}
    others = [x for x in q if x != topic]
    three = [x for x in others if x in find_ancestors(q, topic)][:3]
    for index in ("sii", "stii"):
        found = qx.interactions(q, topic, index=index, semantics=semantics, device=device)
        answer |= {(index, *pair): found[pair] for pair in combinations(others, 2)}
        answer[index, *three] = found.among(*three)
    return answer


def define_interactions(q: Qbaf, semantics: str) -> Answer:
    worth, topic, answer = Worth(q, semantics), q.topics[0], {}
    others = [x for x in q if x != topic]
    near = [x for x in others if x in find_ancestors(q, topic)]
    for index in ("sii", "stii"):
        for some in [*combinations(others, 2), tuple(near[:3])]:
            acting = set(some) <= set(near)
            own = lambda kept: worth(kept | {topic}, topic)  # noqa: E731
            answer[index, *some] = slow.interaction(near, own, some, index == "stii") if acting else 0.0
    return answer


# -- change


def change_graph(q: Qbaf) -> Qbaf:
    """Three base scores and three weights are others."""
    scores = dict(q.base_scores) | {x: 1 - q.base_scores[x] / 2 for x in list(q)[-3:]}
    halved = set(slow.edges_of(q)[:3])
    attacks, supports = ({e: w / 2 if e in halved else w for e, w in own.items()} for own in (q.attacks, q.supports))
    return Qbaf(scores, attacks, supports, topics=q.topics)


def ask_change(q: Qbaf, semantics: str, device: str) -> Answer:
    found = qx.change(q, change_graph(q), *q.topics[:2], semantics=semantics, device=device)
    parts = {"share": found, "alone": found.alone, "undone": found.undone}
    return {(part, tuple(unit)): value for part, values in parts.items() for unit, value in values.items()}


def define_change(q: Qbaf, semantics: str) -> Answer:
    after, near = change_graph(q), find_ancestors(q, q.topics[0]) | find_ancestors(q, q.topics[1])
    old, new = ({**each.attacks, **each.supports} for each in (q, after))
    units = [("base", x) for x in q if q.base_scores[x] != after.base_scores[x]]
    units += [("edge", *edge) for edge in old if old[edge] != new[edge]]

    def worth(some: frozenset[Any]) -> float:
        scores = {x: (after if ("base", x) in some else q).base_scores[x] for x in q}
        edges = ({e: (new if ("edge", *e) in some else old)[e] for e in own} for own in (q.attacks, q.supports))
        found = Loop(Qbaf(scores, *edges), semantics, keep=near).limit()
        if found is None:
            raise NoLimit
        return found[q.topics[0]] - found[q.topics[1]]

    known, whole = slow.remember(worth), frozenset(units)
    acting = [unit for unit in units if unit[-1] in near]
    answer = {("share", unit): value for unit, value in slow.shapley(acting, known).items()}
    answer |= {("share", unit): 0.0 for unit in units if unit not in acting}
    answer |= {("alone", unit): known(frozenset([unit])) - known(frozenset()) for unit in units}
    return answer | {("undone", unit): known(whole) - known(whole - {unit}) for unit in units}


def ask_method(method: str) -> Callable[[Qbaf, str, str], Answer]:
    return _asked(lambda q, **how: list_values(qx.contributions(q, q.topics, method=method, **how)))


QUESTIONS: dict[str, Question] = {
    "strengths": Question(ask_strengths, lambda q, semantics: Loop(q, semantics).limit(), list(KINDS)),
    "flow": Question(ask_flow, lambda q, semantics: Loop(q, semantics).flow(), ["self-loops", "cycles", "plain"]),
    "lanes": Question(ask_lanes, define_lanes, list(KINDS)),
    "removal": Question(ask_method("removal"), _defined(define_removal), list(KINDS)),
    "intrinsic": Question(ask_method("intrinsic"), _defined(define_intrinsic), list(KINDS)),
    "gradient": Question(_asked(ask_gradient), _defined(define_gradient), list(KINDS)),
    "edge gradient": Question(_asked(ask_edge_gradient), _defined(define_edge_gradient), list(KINDS)),
    "shapley": Question(ask_method("shapley"), _defined(define_shapley), [*SMALL, "9 parents"]),
    "edge shapley": Question(
        _asked(ask_edges("shapley")), _defined(lambda q, s: define_edges(q, s, find_all)), FEW_EDGES
    ),
    "owen": Question(_asked(ask_edges("owen")), _defined(lambda q, s: define_edges(q, s, find_owen)), FEW_EDGES),
    "direct": Question(_asked(ask_direct), _defined(lambda q, s: define_edges(q, s, find_direct)), SMALL),
    "interactions": Question(_asked(ask_interactions), _defined(define_interactions), SMALL),
    "change": Question(_asked(ask_change), _defined(define_change), SMALL),
}


@cache
def define_answer(question: str, kind: str, seed: int, semantics: str) -> Answer:
    """The slow answer, computed once."""
    return QUESTIONS[question].define(make_hard_graph(kind, seed, semantics), semantics)


def check_answer(question: str, kind: str, seed: int, semantics: str, device: str = "cpu") -> None:
    """Compare the library's answer with the slow one."""
    expected = define_answer(question, kind, seed, semantics)
    found = QUESTIONS[question].ask(make_hard_graph(kind, seed, semantics), semantics, device)
    where = f"{question} of make_hard_graph({kind!r}, {seed}, {semantics!r})"
    assert (found is None) == (expected is None), where
    if found is not None and expected is not None:
        assert set(found) == set(expected), where
        for key, value in expected.items():
            assert is_close(found[key], value), (where, key, found[key], value)


def is_close(found: float, expected: float) -> bool:
    """Equal up to what cycles and rounding leave, or both not a number; pytest's own comparison takes far longer."""
    return isclose(found, expected, rel_tol=2e-9, abs_tol=2e-10) or (isnan(found) and isnan(expected))
