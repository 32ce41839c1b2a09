"""What one writes first, without any library: loops over dictionaries, from the same lists that the libraries get."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterable

from ..engine import parents_and_order, plain_loop
from .inputs import Audited, Lists

Numbers = dict[str, float]
Parents = dict[str, list[str]]


def strengths(lists: Lists) -> Numbers:
    """Compute strengths of an acyclic graph under df-quad."""
    scores, attackers, supporters = parents_and_order(lists.scores, lists.attacks, lists.supports)
    strength: Numbers = {}
    for name, b in scores.items():
        strength[name] = update_df_quad(b, strength, attackers[name], supporters[name])
    return strength


def update_df_quad(b: float, strength: Numbers, attackers: Iterable[str], supporters: Iterable[str]) -> float:
    against = toward = 1.0
    for x in attackers:
        against *= 1 - strength[x]
    for x in supporters:
        toward *= 1 - strength[x]
    energy = against - toward
    return b + (1 - b) * energy if energy > 0 else b + b * energy


def cyclic_strengths(lists: Lists, tolerance: float = 1e-12) -> Numbers:
    """Update all arguments together until none moves, under df-quad."""
    attackers, supporters = find_parents(lists)
    strength = lists.scores
    while True:
        new = {x: update_df_quad(b, strength, attackers[x], supporters[x]) for x, b in lists.scores.items()}
        if max(abs(new[x] - strength[x]) for x in new) <= tolerance:
            return new
        strength = new


def find_parents(lists: Lists) -> tuple[Parents, Parents]:
    attackers: Parents = {name: [] for name in lists.scores}
    supporters: Parents = {name: [] for name in lists.scores}
    for source, target in lists.attacks:
        attackers[target].append(source)
    for source, target in lists.supports:
        supporters[target].append(source)
    return attackers, supporters


def gradients(lists: Lists, topics: list[str]) -> list[Numbers]:
    """Differentiate the strength of each topic by all base scores, under qe: one sweep down and one up for each."""
    scores, attackers, supporters = parents_and_order(lists.scores, lists.attacks, lists.supports)
    strength: Numbers = {}
    by_base: Numbers = {}
    by_energy: Numbers = {}
    for name, b in scores.items():
        energy = sum(strength[x] for x in supporters[name]) - sum(strength[x] for x in attackers[name])
        share = energy * energy / (1 + energy * energy)
        room = 1 - b if energy > 0 else -b
        strength[name] = b + room * share
        by_base[name] = 1 - share
        by_energy[name] = room * 2 * energy / (1 + energy * energy) ** 2
    return [sweep_up(topic, list(scores), attackers, supporters, by_base, by_energy) for topic in topics]


def sweep_up(
    topic: str, order: list[str], attackers: Parents, supporters: Parents, by_base: Numbers, by_energy: Numbers
) -> Numbers:
    slope, found = {topic: 1.0}, dict.fromkeys(order, 0.0)
    for name in reversed(order):
        if name in slope:
            found[name] = slope[name] * by_base[name]
            passed = slope[name] * by_energy[name]
            for x in supporters[name]:
                slope[x] = slope.get(x, 0.0) + passed
            for x in attackers[name]:
                slope[x] = slope.get(x, 0.0) - passed
    return found


def removals(lists: Lists) -> Numbers:
    """Solve the graph again without each argument, under qe."""
    order, attackers, supporters = parents_and_order(lists.scores, lists.attacks, lists.supports)
    whole = value(lists.topic, order, attackers, supporters, order.keys())
    return {
        gone: whole - value(lists.topic, order, attackers, supporters, order.keys() - {gone}) for gone in lists.others
    }


def value(topic: str, order: Numbers, attackers: Parents, supporters: Parents, kept: Iterable[str]) -> float:
    """Compute the strength of the topic under qe among the arguments that are kept."""
    strength: Numbers = {}
    for name, b in order.items():
        if name in kept:
            energy = sum(strength[x] for x in supporters[name] if x in kept)
            energy -= sum(strength[x] for x in attackers[name] if x in kept)
            share = energy * energy / (1 + energy * energy)
            strength[name] = b + (1 - b) * share if energy > 0 else b - b * share
    return strength[topic]


def shapley(lists: Lists, topic: str) -> Numbers:
    """Solve every coalition, then apply the definition."""
    prepared = parents_and_order(lists.scores, lists.attacks, lists.supports)
    return enumerate_coalitions(lists, topic, lambda kept: value(topic, *prepared, kept))


def enumerate_coalitions(lists: Lists, topic: str, value_of: Callable[[set[str]], float]) -> Numbers:
    """Compute Shapley values from the strength of the topic among each set of arguments that has it."""
    players = [x for x in lists.scores if x != topic]
    n = len(players)
    worth = [value_of({x for k, x in enumerate(players) if mask >> k & 1} | {topic}) for mask in range(1 << n)]
    weight = [1 / (n * math.comb(n - 1, size)) for size in range(n)]
    found = dict.fromkeys(players, 0.0)
    for mask, v in enumerate(worth):
        for k, x in enumerate(players):
            if not mask >> k & 1:
                found[x] += weight[mask.bit_count()] * (worth[mask | 1 << k] - v)
    return found


def contrast(lists: Lists, fact: str, foil: str) -> Numbers:
    """Subtract the Shapley values of the foil from those of the fact; a topic is no player of its own game."""
    one, other = shapley(lists, fact), shapley(lists, foil)
    return {x: one.get(x, 0.0) - other.get(x, 0.0) for x in lists.scores}


def sample_permutations(lists: Lists, budget: int, seed: int) -> Numbers:
    """Let players join in random orders, and average what each adds."""
    prepared = parents_and_order(lists.scores, lists.attacks, lists.supports)
    draw, orders = random.Random(seed), max(1, (budget - 1) // len(lists.others))
    found, players = dict.fromkeys(lists.others, 0.0), list(lists.others)
    for _ in range(orders):
        draw.shuffle(players)
        kept = {lists.topic}
        before = lists.scores[lists.topic]
        for x in players:
            kept.add(x)
            after = value(lists.topic, *prepared, kept)
            found[x] += (after - before) / orders
            before = after
    return found


def lanes(lists: Lists, rows: list[list[float]]) -> list[float]:
    """Solve the graph for many rows of base scores, under qe."""
    order, attackers, supporters = parents_and_order(lists.scores, lists.attacks, lists.supports)
    names = [x for x in order if x != lists.topic] + [lists.topic]  # nobody's parent
    scores = (dict(zip(lists.scores, row, strict=True)) for row in rows)
    return [plain_loop({x: score[x] for x in names}, attackers, supporters) for score in scores]


def audit(given: Audited) -> list[float]:
    """Find who flips, and the mean |slope| and the mean rank of every feature among them."""
    layers = [(w.T.tolist(), b.tolist()) for w, b in zip(given.weights, given.biases, strict=True)]
    totals, ranks, flips = [0.0] * 8, [0.0] * 8, 0
    for x in given.x.tolist():
        if predict(layers, x)[1] == 0 and predict(layers, [1 - x[0], *x[1:]])[1] == 1:
            flips += 1
            slopes = [abs(each) for each in contrast_slopes(layers, x)]
            for k, slope in enumerate(slopes):
                totals[k] += slope
                ranks[k] += 1 + sum(other > slope for other in slopes)
    return [float(flips), *(each / flips for each in totals), *(each / flips for each in ranks)]


Layers = list[tuple[list[list[float]], list[float]]]


def predict(layers: Layers, x: list[float]) -> tuple[list[list[float]], int]:
    """Return the outputs of all layers and the strongest class."""
    outputs = []
    for weights, biases in layers:
        x = [1 / (1 + math.exp(-b - sum(map(float.__mul__, w, x)))) for w, b in zip(weights, biases, strict=True)]
        outputs.append(x)
    return outputs, max(range(len(x)), key=x.__getitem__)


def contrast_slopes(layers: Layers, x: list[float]) -> list[float]:
    """Differentiate output 0 − output 1 by the inputs."""
    (hidden, out), _ = predict(layers, x)
    (first, _), (second, _) = layers
    ends = [sign * out[k] * (1 - out[k]) for k, sign in ((0, 1.0), (1, -1.0))]
    inner = [h * (1 - h) * (second[0][j] * ends[0] + second[1][j] * ends[1]) for j, h in enumerate(hidden)]
    return [sum(first[j][i] * each for j, each in enumerate(inner)) for i in range(len(x))]
