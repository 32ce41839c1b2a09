"""Results whose texts say everything that a text can say: every phrase is in one of them.

Some are made by `dataclasses.replace`, since no small graph has them; their texts are to agree with what they hold too.
"""

from __future__ import annotations

import dataclasses
from functools import cache
from typing import Any

import numpy as np

import qontrast as qx
from qontrast.types import Floats
from tests.support.graphs_to_show import kinked, treatment

METHODS = ("shapley", "removal", "gradient", "sampled", "intrinsic")


@cache
def graph(seed: int) -> qx.Qbaf:
    """Topics that may act on each other, cycles, weights other than 1, base scores of 0 and 1, names of one letter."""
    rng = np.random.default_rng(seed)
    names = ["T", "U", *"ABCD"]
    base = np.where(rng.random(6) < 0.25, rng.integers(0, 2, 6), rng.random(6))
    edges = {(x, y): float(rng.choice([1.0, 0.5])) for x in names for y in names if x != y and rng.random() < 0.3}
    edges |= {("A", "T"): 0.75, ("B", "U"): 1.0}
    attacks = {pair: weight for pair, weight in edges.items() if rng.random() < 0.5}
    supports = {pair: weight for pair, weight in edges.items() if pair not in attacks}
    return qx.Qbaf(dict(zip(names, base.tolist(), strict=True)), attacks, supports, topics=["T", "U"], semantics="qe")


@cache
def contrasts() -> list[qx.Contrast]:
    found = []
    for seed in range(8):
        for method in METHODS[: 5 if seed < 2 else 3]:
            settings = {"budget": 40} if method == "sampled" else {}
            found.append(qx.contrast(graph(seed), "T", "U", method=method, **settings))  # type: ignore[arg-type]
    tied = qx.Qbaf({"T": 0.5, "U": 0.5, "A": 0.3, "B": 0.3}, supports=[("A", "T"), ("B", "U")])
    close = qx.Qbaf({"T": 0.5, "U": 0.5 + 1e-8, "A": 0.3})
    found += [
        kinked(),
        treatment(),
        qx.contrast(tied, "T", "U"),
        qx.contrast(close, "T", "U"),
        qx.contrast(close, "U", "T"),
    ]
    found += [qx.contrast(graph(0), "T", "T"), qx.contrast(graph(0), "T", "U", combine=max)]
    return [*found, *rare_contrasts(), *contrasts_of_other_players()]


def contrasts_of_other_players() -> list[qx.Contrast]:
    """Edges and groups: values of all methods, no difference, nothing that a sample can tell from 0."""
    found = []
    nothing = qx.Qbaf({"T": 0.5, "U": 0.5, "A": 0.3, "B": 0.3}, supports=[("A", "B")])
    falling = qx.Qbaf({"T": 0.5, "U": 0.5, "A": 0.3}, attacks=[("A", "T")])
    moving = qx.Qbaf({"T": 0.5, "U": 0.5, "A": 0.3, "B": 0.6}, attacks=[("A", "T")], supports=[("B", "T")])
    for players in ("edges", "direct", {"G": ["A"]}):
        for method in (name for name, entry in qx.METHODS.items() if kind_of(players) in entry.players):
            settings: dict[str, Any] = {"budget": 40} if method == "sampled" else {}
            for each in (falling, moving):
                found.append(qx.contrast(each, "T", "U", method=method, players=players, **settings))
        found.append(qx.contrast(nothing, "T", "U", players=players))
        sampled = qx.contrast(moving, "T", "U", players=players, method="sampled", budget=40)
        found.append(dataclasses.replace(sampled, std_error=dict.fromkeys(sampled, 1.0)))
    return [*found, *contrasts_of_rare_edges(), *contrasts_of_groups()]


def contrasts_of_rare_edges() -> list[qx.Contrast]:
    """Edges with kinks, from an argument to itself, on one topic only; arguments that act on both topics."""
    scores = {"T": 0.3, "U": 0.6, "A": 0.5, "B": 0.5, "C": 0.4}
    kinked = qx.Qbaf(scores, attacks=[("A", "T")], supports=[("B", "T")])
    loops = qx.Qbaf(scores, attacks={("A", "A"): 0.5, ("A", "U"): 1.0}, supports={("B", "B"): 0.5, ("B", "T"): 1.0})
    far = qx.Qbaf(scores, attacks=[("A", "B")], supports=[("B", "U"), ("A", "T"), ("C", "A")])
    both = qx.Qbaf(scores, attacks=[("A", "T"), ("A", "U")])
    asked: dict[str, Any] = {"players": "edges", "method": "gradient"}
    return [
        qx.contrast(kinked, "T", "U", semantics="df-quad", **asked),
        *(qx.contrast(loops, "T", "U", players="edges", method=how) for how in ("gradient", "removal")),
        *(qx.contrast(far, "T", "U", players="edges", method=how) for how in ("shapley", "owen")),
        qx.contrast(both, "T", "U", players="edges", method="owen"),
    ]


def contrasts_of_groups() -> list[qx.Contrast]:
    """Groups that do more, and groups that do less together than one by one."""
    scores = {"T": 0.5, "U": 0.5, "A": 0.5, "B": 0.5}
    alike = qx.Qbaf(scores, supports=[("A", "T"), ("B", "T")])
    return [
        qx.contrast(alike, *pair, players={"G": ["A", "B"]}, method="removal", semantics=semantics)
        for pair in (("T", "U"), ("U", "T"))
        for semantics in ("df-quad", "qe")
    ]


def kind_of(players: str | dict[str, list[str]]) -> str:
    return players if isinstance(players, str) else "groups"


def rare_contrasts() -> list[qx.Contrast]:
    """One or many kinks, a kink between the topics, a method of one's own, ties, one effect that cancels."""
    many = qx.Qbaf(
        {"T": 0.3, "U": 0.6} | dict.fromkeys("ABCDE", 0.5),
        attacks=[(x, "T") for x in "AB"],
        supports=[(x, "T") for x in "CD"],
    )
    across = qx.Qbaf({"T": 0.3, "U": 0.5, "A": 0.5, "B": 0.5}, attacks=[("U", "T")], supports=[("A", "T")])
    gradient = qx.contrast(many, "T", "U", method="gradient", semantics="df-quad")
    sampled = qx.contrast(graph(0), "T", "U", method="sampled", budget=40)
    balanced = qx.Qbaf(
        dict.fromkeys("TUABCD", 0.5), supports=[(x, "T") for x in "AB"] + [(x, "U") for x in "CD"], semantics="qe"
    )
    alike = qx.Qbaf({"T": 0.5, "U": 0.5, "A": 0.3}, supports=[("A", "T"), ("A", "U")])
    falling = qx.Qbaf({"T": 0.5, "U": 0.5, "A": 0.3}, attacks=[("A", "T")])
    own = {topic: dataclasses.replace(one, method="mine") for topic, one in sampled.individual.items()}
    return [
        gradient,
        *(dataclasses.replace(gradient, array=put_kinks(gradient, k)) for k in (1, 5)),
        qx.contrast(across, "T", "U", method="gradient", semantics="df-quad"),
        dataclasses.replace(sampled, individual=own),
        dataclasses.replace(sampled, std_error=dict.fromkeys(sampled, 1.0)),
        *(qx.contrast(each, "T", "U", method=how) for each in (balanced, alike, falling) for how in METHODS[:3]),
    ]


def put_kinks(why: qx.Contrast, kinks: int) -> Floats:
    """The contributions with so many kinks."""
    array: Floats = np.nan_to_num(why.array, nan=0.25)
    array[-kinks:] = np.nan
    return array


@cache
def flips() -> list[qx.Flip]:
    found = [qx.flip(graph(seed), *pair) for seed in range(5) for pair in (("T", "U"), ("U", "T"))]
    free = next(each for each in found if each.change)
    stuck = dataclasses.replace(
        free, change=None, change_proved=False, cost=None, removal=None, proved=False, examined=2
    )
    larger = qx.Qbaf(dict.fromkeys("TUABCDE", 0.5))
    return [
        *found,
        stuck,
        dataclasses.replace(stuck, change_proved=True),
        dataclasses.replace(stuck, examined=1),
        dataclasses.replace(stuck, removal=("A",)),
        dataclasses.replace(stuck, removal=("A", "B", "C"), examined=2),
        dataclasses.replace(free, change=dict.fromkeys("AB", (0.25, 0.5)), norm="l2", cost=0.125**0.5),
        dataclasses.replace(free, qbaf=larger, change=dict.fromkeys("TUABCDE", (0.5, 0.75)), cost=1.75),
        dataclasses.replace(stuck, examined=0, change_gap=0.0, removal_gap=0.0),
        dataclasses.replace(stuck, movable=0, removable=0),
        dataclasses.replace(stuck, change_stopped=True, removal_stopped=True, interrupted=True),
        dataclasses.replace(stuck, proved=True, removal_gap=0.25, change_stopped=True, time_limit=3.0),
        dataclasses.replace(stuck, proved=True, removal_gap=0.0, removal_stopped=True, time_limit=None),
        *(dataclasses.replace(free, removal=("A", "B"), proved=p, examined=k) for p, k in ((True, 1), (False, 1))),
        dataclasses.replace(free, removal=("A", "B"), proved=False, examined=0, norm="l2"),
        dataclasses.replace(free, change=dict.fromkeys("TUABCD", (0.5, 0.25)), cost=1.5),
    ]


@cache
def reached() -> list[qx.Reach]:
    """Goals that hold, are reached in every way, are missed, and are impossible; proved or not, and stopped early."""
    goals = ["U >= T", ["U", "T", "A"], ["T >= 0", "U >= 0"], "T >= 0", "T == 0.3"]
    found = [qx.reach(graph(seed), goal, cost=cost) for seed in (0, 1) for goal in goals for cost in ("l1", "fewest")]
    free = next(each for each in found if each.change and each.norm == "l1")
    free = dataclasses.replace(free, goal=("U >= T",))
    many = dataclasses.replace(free, goal=("T >= U", "U >= A"))
    moves = {("A", "T"): (0.5, 0.75), ("B", "T"): (0.5, 0.25)}
    larger = qx.Qbaf(dict.fromkeys("TUABCDEF", 0.5), supports=[("A", "T"), ("B", "T")])
    stuck, stuck_twice = (dataclasses.replace(each, change=None, cost=None, possible=None) for each in (free, many))
    impossible = [dataclasses.replace(each, possible=False, proved=True) for each in (stuck, stuck_twice)]
    up, down = dict.fromkeys("TUABCDEF", (0.5, 0.75)), dict.fromkeys("TUABCD", (0.5, 0.25))
    return [
        *found,
        *(free, many, stuck, stuck_twice, *impossible, *(dataclasses.replace(each, movable=0) for each in impossible)),
        *(dataclasses.replace(stuck, may_change=each, stopped=True) for each in ("weights", "both")),
        dataclasses.replace(stuck, may_change="weights", max_weight=100.0),
        dataclasses.replace(free, strengths={"T": (0.5, 0.5), "U": (0.25, 0.5)}),
        *(dataclasses.replace(free, qbaf=larger, change=moves, norm=each, cost=0.5) for each in ("l2", "linf")),
        *(dataclasses.replace(free, qbaf=larger, change=each, cost=2.0, proved=True) for each in (up, down)),
        dataclasses.replace(free, norm="fewest", cost=1.0, proved=True, fixed=("T",)),
        dataclasses.replace(free, margin=0.25, lower=0.25, goal=("T >= U", "T <= 0.5"), fixed=("T", "U")),
        *(dataclasses.replace(free, qbaf=larger, fixed=each) for each in (tuple("TUABCD"), tuple("TUABCDEF"))),
    ]


@cache
def robustnesses() -> list[qx.Robustness]:
    q = qx.Qbaf({"T": 0.7, "U": 0.5, **dict.fromkeys("ABCDEFG", 0.5)}, supports=[(x, "U") for x in "ABCDEFG"])
    sure, unsure = qx.robustness(q, "T", "U"), {"certified": 0.0, "exact": False}
    edges = tuple((x, "U") for x in "ABCDEFG")
    some: list[tuple[Any, ...]] = [("A",), ("A", "B"), tuple("ABCDEF"), tuple("ABCDEFG"), edges[:1], edges[:6]]
    some += [edges, ("A", edges[0]), sure.movers + edges]
    return [
        *(dataclasses.replace(sure, norm=norm) for norm in ("linf", "l1", "l2")),
        *(dataclasses.replace(sure, norm=norm, movers=each) for norm in ("linf", "l1", "l2") for each in some),
        *(dataclasses.replace(sure, certified=np.inf, found=np.inf, movers=each) for each in (sure.movers, *some)),
        dataclasses.replace(sure, found=0.4, exact=False, stopped=True),
        dataclasses.replace(sure, found=np.inf, exact=False, ahead="U"),
        dataclasses.replace(sure, found=np.inf, exact=False, max_weight=100.0, movers=edges),
        dataclasses.replace(sure, **unsure, obstacles=("cycle",), found=np.inf, max_weight=100.0),  # type: ignore[arg-type]
        dataclasses.replace(sure, ahead=None),
        dataclasses.replace(sure, **unsure, obstacles=("cycle",)),  # type: ignore[arg-type]
        dataclasses.replace(sure, **unsure, obstacles=("cycle", "semantics"), found=np.inf),  # type: ignore[arg-type]
    ]


@cache
def interactions() -> list[qx.Interactions]:
    """Pairs that work together for either topic or against one, that overlap, and that do nothing."""
    found = [qx.interactions(graph(seed), "T", foil) for seed in range(5) for foil in ("U", None)]
    alone = qx.Qbaf({"T": 0.5, "U": 0.4, "A": 0.3}, supports=[("A", "T")])
    return [*found, qx.interactions(alone, "T", "U"), qx.interactions(alone, "T", "T")]


@cache
def uncertainties() -> list[qx.Uncertainty]:
    """Orders that are sure or not, with one, two or no main sources of doubt, ties and undefined lanes."""
    scores = {"A": (0.1, 0.9), "B": (0.3, 0.7)}
    found = qx.uncertainty(graph(0), "T", "U", scores=scores, samples=500)
    quick = qx.uncertainty(graph(0), "U", "T", scores=scores, quick=True)
    sure = dataclasses.replace(found, probability=1.0, behind=0.0, wrong_order=0.0, expected_drop={})
    risk = {"A": 0.1, "B": 0.0}, {"A": 0.01, "B": 0.0}
    parts = [(0.5, 1 / 3), (2 / 3, 0.25), (0.75, 0.2), (0.98, 0.3), (0.02, 0.03)]
    return [
        found,
        quick,
        *(dataclasses.replace(found, probability=p, behind=1 - p) for p in (0.0, 0.001, 0.3, 0.9, 0.999, 1.0)),
        dataclasses.replace(found, probability=0.5, behind=0.2, tie=0.2, undefined=0.1),
        *(
            dataclasses.replace(each, first_order=dict(zip("AB", p, strict=True)))
            for each in (found, sure)
            for p in parts
        ),
        dataclasses.replace(found, wrong_order=0.3, expected_drop=risk[0], expected_drop_error=risk[1], check_next="A"),
        dataclasses.replace(
            found, wrong_order=0.105, expected_drop=risk[0], expected_drop_error=risk[1], check_next="A"
        ),
        dataclasses.replace(found, check_next=None),
    ]


@cache
def comparisons() -> list[qx.SemanticsComparison]:
    """Semantics that agree or not, one or several strongest reasons, semantics without an answer or without reasons."""
    pairs = [(seed, *pair) for seed in range(6) for pair in (("T", "U"), ("U", "T"))]
    found = [qx.compare_semantics(graph(seed), fact, foil, max_steps=500) for seed, fact, foil in pairs]
    ahead = qx.Qbaf({"T": 0.5, "U": 0.4, "A": 0.3, "B": 0.6}, supports={("A", "T"): 2.0, ("B", "U"): 0.25})
    rounds = qx.Qbaf({"T": 1.0, "U": 1.0}, attacks=[("T", "U"), ("U", "T")])
    one = qx.compare_semantics(ahead, "T", "U", semantics=["qe"])
    split = qx.Qbaf(dict.fromkeys("TUAB", 0.5) | {"C": 0.6}, supports=[("A", "T"), ("B", "T"), ("C", "U")])
    apart = qx.compare_semantics(split, "T", "U", semantics=["qe", "reb", "mlp"])
    return [
        *found,
        one,
        qx.compare_semantics(ahead, "T", "U"),
        qx.compare_semantics(ahead, "U", "T"),
        qx.compare_semantics(rounds, "T", "U"),
        qx.compare_semantics(rounds, "T", "U", semantics=["df-quad"]),
        qx.compare_semantics(split, "T", "U"),
        dataclasses.replace(one, contrasts={}, refused={"qe": "no value"}),
        dataclasses.replace(apart, gaps={"qe": 0.25, "reb": 0.0, "mlp": -0.25}),
    ]


@cache
def reasons() -> list[qx.Reasons]:
    """One set or many, of one player or many; ties, what never changes, what is not proved, searches that stopped."""
    found = [
        qx.reasons(graph(seed), "T", "U", players=players) for seed in range(6) for players in ("arguments", "direct")
    ]
    tied = qx.Qbaf({"T": 0.5, "U": 0.5, "A": 0.3, "B": 0.3}, supports=[("A", "T"), ("B", "U")])
    level = qx.reasons(tied, "T", "U")
    one = dataclasses.replace(level, prime=[frozenset("A")], breaking=[frozenset("A")], breaking_gaps=[0.25])
    apart = dataclasses.replace(one, gap=0.25, breaking_gaps=[float("nan")])
    sets = [frozenset(each) for each in ("A", "B", "AB", "T", "U")]
    many = dataclasses.replace(level, qbaf=graph(0), gap=-0.25, prime=sets, breaking=sets, breaking_gaps=[0.25] * 5)
    names = [f"x{k}" for k in range(9)]
    large = qx.Qbaf({"T": 0.9, "U": 0.9, **dict.fromkeys(names, 0.1)}, attacks=[(x, "U") for x in names])
    stopped = {"complete": False, "stopped": True, "time_limit": 2.5}
    return [
        *found,
        level,
        one,
        apart,
        dataclasses.replace(many, undefined=1),
        dataclasses.replace(many, undefined=3, prime=sets[:3], breaking=sets[:4], breaking_gaps=[0.0] * 4),
        qx.reasons(qx.Qbaf({"T": 0.5, "U": 0.5}), "T", "U"),
        qx.reasons(qx.Qbaf({"T": 0.5, "U": 0.4}), "T", "U"),
        qx.reasons(large, "T", "U", players="edges"),
        dataclasses.replace(qx.reasons(large, "T", "U"), prime=[frozenset(names)]),
        dataclasses.replace(many, unproved=sets[:1], examined=1, **stopped),
        dataclasses.replace(many, unproved=sets[:2], examined=2, **stopped),
        dataclasses.replace(many, prime=[], unproved=sets[:1], examined=0, **stopped),
        dataclasses.replace(many, prime=[], unproved=sets[:2], examined=0, complete=False),
    ]


@cache
def changes() -> list[qx.Change]:
    """Every order before and after, every kind of change, changes that do alone, together or nothing, no strengths."""
    found = []
    still = qx.Qbaf({"T": 0.5, "U": 0.5, "A": 0.5, "B": 0.25}, supports=[("B", "A")])
    for before, after in ((x, y) for x in (0.25, 0.5, 0.75) for y in (0.375, 0.5, 0.625)):
        found.append(qx.change(still.with_base_scores({"T": before}), still.with_base_scores({"T": after}), "T", "U"))
    moved = still.with_base_scores({"B": 0.75})
    found += [qx.change(still, still, "T", "U"), qx.change(still, moved, "T", "U"), qx.change(still, moved, "T")]
    found += [qx.change(still, still.with_base_scores({"T": 0.75}), "T"), qx.change(still, still.without("A"), "T")]
    edges = [
        ({}, {("A", "T"): 0.5}, {("C", "T"): 0.5}, {("D", "T"): 0.5}),
        ({("A", "T"): 0.5}, {}, {("D", "T"): 1.0}, {("C", "T"): 1.0}),
        ({("B", "T"): 0.5}, {}, {}, {}),
        ({("B", "T"): 0.25}, {}, {("A", "T"): 1.0}, {("B", "U"): 0.5}),
    ]
    scores = {"T": 0.5, "U": 0.5} | dict.fromkeys("ABCD", 0.4)
    graphs = [qx.Qbaf(scores, {**a, **c}, {**b, **d}) for a, b, c, d in edges]
    graphs.append(qx.Qbaf(scores | {"E": 0.7}, [("E", "T")], {("B", "U"): 1.0}))
    for one, other in ((one, other) for one in graphs for other in graphs):
        found += [qx.change(one, other, "T", "U", units=units) for units in ("elements", "arguments")]
    several = qx.Qbaf(scores, supports=[(x, "T") for x in "ABCD"], attacks=[("U", "U")])
    for low, high in ((0.1, 0.9), (0.1, 0.4), (0.4, 0.9)):
        one, other = (several.with_base_scores(dict.fromkeys("ABCD", each) | {"U": 0.8}) for each in (low, high))
        found += [qx.change(*pair, "T", "U", semantics="reb") for pair in ((one, other), (other, one))]
    free = next(each for each in found if each.sufficient and each.sufficient[0] and "D" in each.after)
    sets = [frozenset(each) for each in ("A", "B", "C", "D", "T")]
    return [
        *found,
        *(dataclasses.replace(free, shares=None, undefined_count=count) for count in (1, 2)),
        *(dataclasses.replace(free, largest_set=count) for count in (1, 3)),
        *(dataclasses.replace(free, sufficient=sets[:k], counterfactual=sets[:k]) for k in (1, 2, 5)),
        dataclasses.replace(free, std_error=dict.fromkeys(free, 0.125)),
    ]
