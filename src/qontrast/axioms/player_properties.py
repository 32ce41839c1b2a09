"""State the properties of contributions of edges and groups, and of interactions of pairs.

α is the fact, β the foil, η a third topic; r is an edge with weight w(r), G a group, {x, y} a pair. A function of your
own is checked where it takes `players=` ("edges", "direct", or a mapping of groups) or, for pairs, `index=`, and then
returns what `interactions` returns. Groups are those of the graph, without the topics; a graph without any has its
contributors grouped two by two. A property is not checked where exact values need too many evaluations.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from math import isfinite
from typing import Any

from ..attribution.methods import METHODS
from ..types import Name
from . import properties  # noqa: F401 -- whose rows of AXIOMS come first
from .axiom import Case, Instance, axiom
from .evaluation import NotCheckable

CONTRIBUTIONS = ("removal", "gradient", "shapley")
EXCHANGED = "Φ of {contributor} is {left} for {fact} over {foil}, but minus its Φ for {foil} over {fact} is {right}"
BY_WAY = "Φ of {contributor} is {left} for {fact} over {foil}, but by way of {third} it adds up to {right}"


@axiom(
    "edge-efficiency",
    "Efficiency of edges",
    "Σ_r Φ_{α⪰β}(r) = (σ(α) − σ(β)) − (τ(α) − τ(β))",
    "there is no edge, or some contribution is undefined",
    "contributions of edges to {fact} over {foil} add up to {left}, not to {right}",
    proved_for=("shapley",),
    refuted_for=("removal", "gradient"),
    players="edges",
)
def edge_efficiency(case: Case) -> Iterator[Instance]:
    """Contributions of all edges and base scores add up to the gap, without a cross-topic component."""
    every = case.values.contrast_edges(case.fact, case.foil)
    total = sum(every.values())
    if len(every) and isfinite(total):
        yield case.compare(total, _find_gain(case), errors=len(every) + 1)


@axiom(
    "edge-split",
    "Edges share their argument's contribution",
    "Σ_{r from γ} Φ_{α⪰β}(r) = Φ_{α⪰β}(γ), with Owen values of the edges where Φ is Shapley's",
    "no contributor acts on another argument, or some contribution is undefined",
    "contributions of the edges out of {contributor} to {fact} over {foil} add up to {left}, but its own is {right}",
    proved_for=("shapley",),
    refuted_for=("removal", "gradient"),
    players="edges",
)
def edge_split(case: Case) -> Iterator[Instance]:
    """The edges out of an argument share exactly what the argument contributes."""
    own_edges = _list_out_edges(case)
    if not own_edges:
        return
    edges = case.values.contrast_edges(case.fact, case.foil, owen=True)
    every = case.values.contrast(case.fact, case.foil)
    for x, own in own_edges.items():
        yield case.compare(sum(edges[r] for r in own), every[x], x, errors=len(edges) + 1)


@axiom(
    "direct-efficiency",
    "Efficiency of direct edges",
    "Σ_{r into α or β} Φ_{α⪰β}(r) = (σ(α) − σ(β)) − (τ(α) − τ(β)), all other edges staying as they are",
    "there is no edge into a topic, or some contribution is undefined",
    "contributions of the edges into {fact} and {foil} add up to {left}, not to {right}",
    proved_for=("shapley",),
    refuted_for=("removal", "gradient"),
    players="edges",
)
def direct_efficiency(case: Case) -> Iterator[Instance]:
    """Contributions of the edges into the two topics and base scores add up to the gap."""
    every = case.values.contrast_direct(case.fact, case.foil)
    total = sum(every.values())
    if len(every) and isfinite(total):
        yield case.compare(total, _find_gain(case), errors=len(every) + 1)


@axiom(
    "slope-identity",
    "Slope identity",
    "ι_τ(γ) · Σ_{r from γ} w(r) · Φ_{α⪰β}(r) = σ(γ) · Φ_{α⪰β}(γ), with ι_τ the slope of σ(γ) in its base score alone",
    "no contributor acts on another argument, or some slope does not exist",
    "weights times contributions of the edges out of {contributor} to {fact} over {foil} give {left}, but its own "
    "contribution gives {right}",
    proved_for=("gradient",),
    players="edges",
)
def slope_identity(case: Case) -> Iterator[Instance]:
    """Scaling all weights out of an argument moves the gap as scaling its strength does."""
    method = case.values.caf.method
    if method is not None and METHODS[method].kind != "slope":
        raise NotCheckable("it is about slopes, which {method} does not compute", method=method)
    values, weights = case.values, {**case.values.qbaf.attacks, **case.values.qbaf.supports}
    edges, every = values.contrast_edges(case.fact, case.foil), values.contrast(case.fact, case.foil)
    for x, own in _list_out_edges(case).items():
        left = values.base_slope(x) * sum(weights[r] * edges[r] for r in own)
        yield case.compare(left, values.strength(x) * every[x], x, errors=len(edges) + 1)


@axiom(
    "edge-antisymmetry",
    "Antisymmetry of edges",
    "Φ_{α⪰β}(r) = −Φ_{β⪰α}(r)",
    "there is no edge with a defined contribution",
    EXCHANGED,
    proved_for=CONTRIBUTIONS,
    players="edges",
)
def edge_antisymmetry(case: Case) -> Iterator[Instance]:
    """The contribution of an edge changes its sign, and nothing else, when fact and foil are exchanged."""
    return _exchange(case, case.values.contrast_edges)


@axiom(
    "edge-additivity",
    "Additivity of edges",
    "Φ_{α⪰β}(r) = Φ_{α⪰η}(r) + Φ_{η⪰β}(r)",
    "there is no third argument, or no edge with defined contributions",
    BY_WAY,
    proved_for=CONTRIBUTIONS,
    players="edges",
)
def edge_additivity(case: Case) -> Iterator[Instance]:
    """An edge contributes to the contrast of two topics the sum of what it does to their contrasts with a third."""
    for third in case.thirds:
        yield from _go_by_way_of(case, third, case.values.contrast_edges)


@axiom(
    "group-efficiency",
    "Efficiency of groups",
    "Σ_G Φ_{α⪰β}(G) + φ_α(β) − φ_β(α) = (σ(α) − σ(β)) − (τ(α) − τ(β))",
    "some contribution is undefined",
    "contributions of groups to {fact} over {foil} and their cross-topic component add up to {left}, not to {right}",
    proved_for=("shapley",),
    refuted_for=("removal", "gradient"),
    players="groups",
)
def group_efficiency(case: Case) -> Iterator[Instance]:
    """Contributions of groups, base scores and the effect of the topics on each other add up to the gap."""
    every = case.values.contrast_groups(case.fact, case.foil, make_groups(case))
    cross = getattr(every, "cross_topic", None)
    total = sum(every.values()) + (0.0 if cross is None else cross.component)
    if isfinite(total):
        yield case.compare(total, _find_gain(case), errors=len(every) + 2)


@axiom(
    "group-split",
    "Members share their group's contribution",
    "Σ_{γ ∈ G} Φ_{α⪰β}(γ) = Φ_{α⪰β}(G), with Owen values of the members where Φ is Shapley's",
    "there is no third argument with a defined contribution",
    "contributions of the members of {contributor} to {fact} over {foil} add up to {left}, but its own is {right}",
    proved_for=("gradient", "shapley"),
    refuted_for=("removal",),
    players="groups",
)
def group_split(case: Case) -> Iterator[Instance]:
    """The members of a group share exactly what the group contributes as one player."""
    groups = make_groups(case)
    if not groups:
        return
    whole = case.values.contrast_groups(case.fact, case.foil, groups)
    members = case.values.contrast_members(case.fact, case.foil, groups)
    for name, some in groups.items():
        yield case.compare(sum(members[x] for x in some), whole[name], name, errors=len(some) + 1)


@axiom(
    "group-antisymmetry",
    "Antisymmetry of groups",
    "Φ_{α⪰β}(G) = −Φ_{β⪰α}(G)",
    "there is no third argument with a defined contribution",
    EXCHANGED,
    proved_for=CONTRIBUTIONS,
    players="groups",
)
def group_antisymmetry(case: Case) -> Iterator[Instance]:
    """The contribution of a group changes its sign, and nothing else, when fact and foil are exchanged."""
    return _exchange(case, partial(case.values.contrast_groups, groups=make_groups(case)))


@axiom(
    "group-additivity",
    "Additivity of groups",
    "Φ_{α⪰β}(G) = Φ_{α⪰η}(G) + Φ_{η⪰β}(G)",
    "there is no fourth argument with defined contributions",
    BY_WAY,
    proved_for=CONTRIBUTIONS,
    players="groups",
)
def group_additivity(case: Case) -> Iterator[Instance]:
    """A group contributes to the contrast of two topics the sum of what it does to their contrasts with a third."""
    for third in case.thirds:
        groups = make_groups(case, third)
        yield from _go_by_way_of(case, third, partial(case.values.contrast_groups, groups=groups))


@axiom(
    "stii-efficiency",
    "Efficiency of Shapley–Taylor interactions",
    "Σ_x I_{α⪰β}(x) + Σ_{x,y} I_{α⪰β}(x, y) = (σ(α) − σ(β)) − (τ(α) − τ(β)), with the pairs of the other topic",
    "some interaction is undefined",
    "singles and Shapley–Taylor interactions for {fact} over {foil} add up to {left}, not to {right}",
    proved_for=("shapley",),
    players="pairs",
)
def stii_efficiency(case: Case) -> Iterator[Instance]:
    """What players do alone and what every two do together (Shapley–Taylor) add up to the gap."""
    return _add_up_pairs(case, "stii")


@axiom(
    "k-sii-efficiency",
    "Efficiency of k-SII",
    "Σ_x I_{α⪰β}(x) + Σ_{x,y} I_{α⪰β}(x, y) = (σ(α) − σ(β)) − (τ(α) − τ(β)), with the pairs of the other topic",
    "some interaction is undefined",
    "singles and k-SII interactions for {fact} over {foil} add up to {left}, not to {right}",
    proved_for=("shapley",),
    players="pairs",
)
def k_sii_efficiency(case: Case) -> Iterator[Instance]:
    """What players do alone and what every two do together (k-SII) add up to the gap."""
    return _add_up_pairs(case, "k-sii")


@axiom(
    "pair-antisymmetry",
    "Antisymmetry of interactions",
    "I_{α⪰β}(x, y) = −I_{β⪰α}(x, y)",
    "there are no two contributors",
    EXCHANGED,
    proved_for=("shapley",),
    players="pairs",
)
def pair_antisymmetry(case: Case) -> Iterator[Instance]:
    """An interaction changes its sign, and nothing else, when fact and foil are exchanged."""
    return _exchange(case, partial(case.values.contrast_pairs, index="sii"))


@axiom(
    "pair-additivity",
    "Additivity of interactions",
    "I_{α⪰β}(x, y) = I_{α⪰η}(x, y) + I_{η⪰β}(x, y)",
    "there are no two contributors besides a third topic",
    BY_WAY,
    proved_for=("shapley",),
    players="pairs",
)
def pair_additivity(case: Case) -> Iterator[Instance]:
    """The interaction for two topics is the sum of those for each of them and a third."""
    for third in case.thirds:
        yield from _go_by_way_of(case, third, partial(case.values.contrast_pairs, index="sii"))


def make_groups(case: Case, *topics: Name) -> dict[str, tuple[Name, ...]]:
    """The graph's groups without fact, foil and these topics; contributors two by two where it has none."""
    out = {case.fact, case.foil, *topics}
    qbaf = case.values.qbaf
    stored = {name: tuple(x for x in members if x not in out) for name, members in qbaf.groups.items()}
    if any(stored.values()):
        return {name: members for name, members in stored.items() if members}
    others = [x for x in qbaf.arguments if x not in out]
    pairs = [tuple(others[k : k + 2]) for k in range(0, len(others), 2)]
    return {f"{{{', '.join(map(str, some))}}}": some for some in pairs}


def _find_gain(case: Case) -> float:
    """The gap minus the gap of the base scores."""
    return case.gap - (case.values.base_score(case.fact) - case.values.base_score(case.foil))


def _list_out_edges(case: Case) -> dict[Name, list[tuple[Name, Name]]]:
    """The edges out of every contributor that has any."""
    found: dict[Name, list[tuple[Name, Name]]] = {}
    for source, target in (*case.values.qbaf.attacks, *case.values.qbaf.supports):
        if source not in (case.fact, case.foil):
            found.setdefault(source, []).append((source, target))
    return found


def _exchange(case: Case, contrast: Callable[[Name, Name], Mapping[Any, float]]) -> Iterator[Instance]:
    there, back = contrast(case.fact, case.foil), contrast(case.foil, case.fact)
    for player, value in there.items():
        yield case.compare(value, -back[player], player)


def _go_by_way_of(case: Case, third: Name, contrast: Callable[[Name, Name], Mapping[Any, float]]) -> Iterator[Instance]:
    direct, first, second = contrast(case.fact, case.foil), contrast(case.fact, third), contrast(third, case.foil)
    for player, value in direct.items():
        if player in first and player in second:
            yield case.compare(value, first[player] + second[player], player, third, errors=3)


def _add_up_pairs(case: Case, index: str) -> Iterator[Instance]:
    found = case.values.contrast_pairs(case.fact, case.foil, index)
    within = sum(found.singles.values()) + sum(found.values())
    total = within + sum(found.cross_topic.values()) + found.cross_topic_single
    if isfinite(total):
        yield case.compare(total, _find_gain(case), errors=len(found) + len(found.singles) + 2)
