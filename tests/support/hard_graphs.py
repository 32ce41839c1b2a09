"""Graphs on which fast ways go wrong: kinks behind kinks, ties, self-loops, tiny and huge weights, many parents.

`make_hard_graph(kind, seed)` makes one of KINDS. Its scores and weights are short binary fractions wherever a kink or
a tie depends on them, so that it is exact on paper and in floats.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import numpy as np

from qontrast import SEMANTICS, Qbaf

Scores = dict[str, float]
Signed = dict[tuple[str, str], float]  # attacks have negative weights
Made = tuple[Scores, Signed, list[str]]  # with the topics


def _draw(rng: np.random.Generator, names: list[str], *fixed: float) -> Scores:
    """Sixteenths, some of them 0 and 1."""
    drawn = np.where(rng.random(len(names)) < 0.2, rng.choice([0.0, 16.0], len(names)), rng.integers(1, 16, len(names)))
    return dict(zip(names, (drawn / 16).tolist(), strict=True)) | dict(zip(names, fixed, strict=False))


def _weigh(rng: np.random.Generator, pairs: list[tuple[str, str]]) -> Signed:
    sizes = rng.choice([0.25, 0.5, 0.75, 1.0, 1.0], len(pairs)) * rng.choice([-1, 1], len(pairs))
    return dict(zip(pairs, sizes.tolist(), strict=True))


def _plain(rng: np.random.Generator) -> Made:
    names = [*"pqrabcd"]
    pairs = [(y, x) for i, x in enumerate(names) for y in names[i + 1 :] if rng.random() < 0.45]
    return _draw(rng, names), _weigh(rng, pairs) | {("r", "p"): -0.5, ("d", "r"): 1.0, ("c", "q"): 0.5}, [*"pqr"]


def _kinks(rng: np.random.Generator) -> Made:
    """Attack and support of k are equal; k acts on both topics, and a on one past k."""
    scores = _draw(rng, [*"pqkabc"]) | {"a": 0.375, "b": 0.375, "k": float(rng.choice([0.125, 0.8125, 1.0]))}
    return scores, {("a", "k"): -0.25, ("b", "k"): 0.25, ("k", "p"): 1.0, ("c", "k"): 0.0, ("k", "q"): -0.25,
                    ("a", "q"): 0.5, ("c", "p"): -0.5}, ["p", "q", "k"]  # fmt: skip


def _kinks_behind_kinks(rng: np.random.Generator) -> Made:
    """Each of k, l and m is in balance; l hears k and m hears l, whose strengths are their base scores."""
    scores = {"p": 0.25, "q": 0.5, "a": 0.5, "b": 0.5, "k": 0.125, "c": 0.125, "l": 0.875, "d": 0.875, "m": 0.75}
    signs = rng.choice([-1.0, 1.0], 3)
    weights = {("a", "k"): signs[0], ("b", "k"): -signs[0], ("k", "l"): signs[1], ("c", "l"): -signs[1],
               ("l", "m"): signs[2] * 0.5, ("d", "m"): -signs[2] * 0.5, ("m", "p"): 0.5, ("l", "q"): -0.5}  # fmt: skip
    return scores, {edge: float(weight) for edge, weight in weights.items()}, ["p", "q"]


def _kinks_at_the_ends(rng: np.random.Generator) -> Made:
    """k and l are in balance at 1 (or 0), where one side is flat: from above nothing that moves k is seen behind l."""
    end = float(rng.integers(0, 2))
    scores = {"p": 0.25, "q": 0.5, "k": end, "l": end, "a": 0.5, "b": 0.5, "c": end}
    return scores, {("a", "k"): 0.5, ("b", "k"): -0.5, ("k", "l"): 0.5, ("c", "l"): -0.5, ("l", "p"): 0.5,
                    ("l", "q"): -0.25, ("c", "q"): 0.25}, ["p", "q"]  # fmt: skip


def _rounded_kinks(rng: np.random.Generator) -> Made:
    """On paper 0.9 · 0.8 = 0.72, so that k is in balance; in floats it is not quite."""
    scores = {"p": 0.25, "q": 0.5, "k": 0.875, "a": 0.1, "b": 0.2, "c": 0.28}
    sign = float(rng.choice([-1, 1]))
    return (
        scores,
        {("a", "k"): sign, ("b", "k"): sign, ("c", "k"): -sign, ("k", "p"): 0.5, ("k", "q"): -1.0},
        ["p", "q"],
    )


def _narrow_cycle(rng: np.random.Generator) -> Made:
    """Under df-quad a goes from 1 to just below it and back for ever; p hears of it, q does not."""
    scores = {"p": 0.25, "q": 0.5, "a": 1.0, "s": 1 - float(rng.choice([2.0**-11, 2.0**-14]))}
    return scores, {("a", "a"): -1.0, ("s", "a"): 1.0, ("a", "p"): 0.5, ("s", "q"): 0.5}, ["p", "q"]


def _hidden_kinks(rng: np.random.Generator) -> Made:
    """What k gives to the topic by way of m, from above, is what it takes by way of n; from below it is not."""
    scores = {"p": 0.5, "m": 0.75, "n": 0.5, "k": 0.25, "e": 0.25, "a": 0.25, "b": 0.25, "q": 0.5}
    sign = float(rng.choice([-1, 1]))
    weights = {("k", "m"): 1.0, ("e", "m"): -1.0, ("k", "n"): 0.5, ("m", "p"): 0.5, ("n", "p"): -0.5,
               ("a", "k"): sign / 2, ("b", "k"): -sign / 2, ("k", "q"): 1.0}  # fmt: skip
    return scores, weights, ["p", "q"]


def _small_kinks(rng: np.random.Generator) -> Made:
    """The sides of k differ by a millionth; l is moved by thousandths, and moves its topic by hundredths."""
    tiny = float(rng.choice([2.0**-20, 2.0**-12]))
    scores = {"p": 0.25, "q": 0.5, "k": 0.5 + tiny, "l": 0.25, "a": 0.5, "b": 0.5}
    return scores, {("a", "k"): 1.0, ("b", "k"): -1.0, ("k", "p"): 1.0, ("a", "l"): 2.0**-12, ("b", "l"): -(2.0**-12),
                    ("l", "q"): float(rng.choice([2.0**-6, 2.0**-10]))}, ["p", "q"]  # fmt: skip


def _cancelling_kinks(rng: np.random.Generator) -> Made:
    """k is in balance, and moves the two topics by equal and opposite rates."""
    base = float(rng.choice([0.5, 0.25]))
    scores = {"p": base, "q": 1 - base, "k": 0.125, "a": 0.5, "b": 0.5, "r": 0.75}
    return scores, {("a", "k"): 1.0, ("b", "k"): -1.0, ("k", "p"): 0.5, ("k", "q"): -0.5,
                    ("k", "r"): 0.5, ("a", "r"): -0.25}, ["p", "q"]  # fmt: skip


def _ties(rng: np.random.Generator) -> Made:
    """Two attackers of p are the strongest together; those of q differ by a millionth; supporters of r have 0."""
    scores = _draw(rng, [*"pqrabcde"], 0.5, 0.375, 0.25) | {"a": 0.5, "b": 0.5, "c": 0.5 + 1e-6, "d": 0.0, "e": 0.0}
    return scores, {("a", "p"): -0.5, ("b", "p"): -0.5, ("a", "q"): -1.0, ("c", "q"): -1.0, ("d", "r"): 1.0,
                    ("e", "r"): 0.5, ("c", "r"): -1.0, ("e", "p"): 0.25}, [*"pqr"]  # fmt: skip


def _self_loops(rng: np.random.Generator) -> Made:
    scores = _draw(rng, [*"pqabc"]) | {"p": 0.25, "q": 0.375, "a": 0.75}
    return scores, {("p", "p"): 0.25, ("a", "a"): -0.5, ("a", "p"): 0.75, ("b", "p"): -0.5, ("c", "a"): 0.5,
                    ("p", "q"): -0.5, ("q", "q"): -0.25, ("b", "q"): 1.0}, ["p", "q"]  # fmt: skip


def _cycles(rng: np.random.Generator) -> Made:
    names = [*"pqabcd"]
    pairs = [(x, y) for x in names for y in names if rng.random() < 0.3]
    made = {edge: weight / 2 for edge, weight in _weigh(rng, pairs).items()}
    return _draw(rng, names), made | {("p", "a"): 0.25, ("a", "p"): -0.25}, ["p", "q"]


def _no_limit(rng: np.random.Generator) -> Made:
    """Two certain arguments attack each other, which has no limit under some semantics; r does not depend on them."""
    scores = {"p": 0.25, "q": 0.5, "r": 0.5, "a": 1.0, "b": 1.0, "c": float(rng.choice([0.5, 1.0]))}
    return scores, {("a", "b"): -1.0, ("b", "a"): -1.0, ("a", "p"): 0.5, ("c", "q"): 1.0, ("b", "q"): -0.5,
                    ("c", "r"): 0.5}, ["p", "q"]  # fmt: skip


def _weights_of_all_sizes(rng: np.random.Generator) -> Made:
    names = [*"pqabcde"]
    pairs = [(y, x) for i, x in enumerate(names) for y in names[i + 1 :] if rng.random() < 0.5]
    pairs += [edge for edge in (("e", "p"), ("d", "q"), ("e", "d")) if edge not in pairs]
    sizes = rng.choice([1e-12, 1e-6, 1e-3, 0.3, 1.0, 10.0, 1e3], len(pairs)) * rng.choice([-1, 1], len(pairs))
    scores = rng.choice([0.1, 0.4, 0.7, 1e-6, 0.0, 1.0], len(names)).tolist()
    return dict(zip(names, scores, strict=True)), dict(zip(pairs, sizes.tolist(), strict=True)), ["p", "q"]


def _make_many_parents(count: int) -> Callable[[np.random.Generator], Made]:
    def make(rng: np.random.Generator) -> Made:
        """p has so many parents, of different weights; q all of its attackers in the last places, and p."""
        names = [f"x{k}" for k in range(count)]
        scores = {"p": 0.5, "q": 0.75} | dict(zip(names, (rng.integers(0, 17, count) / 16).tolist(), strict=True))
        sizes = rng.integers(1, 17, count) / (4 * count)
        signs = rng.permutation(np.where(np.arange(count) < count // 3, -1.0, 1.0))
        into_p = {(x, "p"): float(w * s) for x, w, s in zip(names, sizes, signs, strict=True)}
        into_q = {(x, "q"): -0.25 if k > count - 3 else 1 / 64 for k, x in enumerate(names)}
        return scores, into_p | into_q | {("p", "q"): 0.5, ("x0", "x1"): -1.0}, ["p", "q"]

    return make


KINDS: dict[str, Callable[[np.random.Generator], Made]] = {
    "plain": _plain,
    "kinks": _kinks,
    "kinks behind kinks": _kinks_behind_kinks,
    "hidden kinks": _hidden_kinks,
    "small kinks": _small_kinks,
    "cancelling kinks": _cancelling_kinks,
    "ties": _ties,
    "self-loops": _self_loops,
    "cycles": _cycles,
    "no limit": _no_limit,
    "weights of all sizes": _weights_of_all_sizes,
    "9 parents": _make_many_parents(9),
    "33 parents": _make_many_parents(33),
    "kinks at the ends": _kinks_at_the_ends,
    "rounded kinks": _rounded_kinks,
    "narrow cycle": _narrow_cycle,
}
SMALL = [kind for kind in KINDS if "parents" not in kind]  # whose coalitions can be listed


@cache
def draw_hard_graph(kind: str, seed: int, max_weight: float) -> Made:
    scores, weights, topics = KINDS[kind](np.random.default_rng([seed, list(KINDS).index(kind)]))
    return scores, {edge: float(np.clip(weight, -max_weight, max_weight)) for edge, weight in weights.items()}, topics


def make_hard_graph(kind: str, seed: int, semantics: str) -> Qbaf:
    """A graph of a kind, made anew with every call, so that nothing is remembered of it."""
    scores, weights, topics = draw_hard_graph(kind, seed, SEMANTICS[semantics].aggregation.max_weight)
    attacks = {edge: -weight for edge, weight in weights.items() if weight < 0}
    supports = {edge: weight for edge, weight in weights.items() if weight >= 0}
    return Qbaf(scores, attacks, supports, topics=topics)
