"""State the paper's properties: what must hold of which arguments.

α is the fact, β the foil, γ a contributor, η a third topic. To add a property, write one function here: the decorator
holds its name, title, formula, premise, the sentences about a violation, and the methods that it is claimed for; the
docstring is its help; the body yields its instances. A value that is NaN (a gradient at a kink, where the limit of its
definition does not exist) meets no premise.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import isfinite

from ..types import Name
from .axiom import STRICT_FACTOR, Case, Instance, axiom


@axiom(
    "antisymmetry",
    "Antisymmetry",
    "Φ_{α⪰β}(γ) = −Φ_{β⪰α}(γ)",
    "there is no third argument with a defined contribution",
    "Φ of {contributor} is {left} for {fact} over {foil}, but minus its Φ for {foil} over {fact} is {right}",
)
def antisymmetry(case: Case) -> Iterator[Instance]:
    """A contribution changes its sign, and nothing else, when fact and foil are exchanged."""
    there, back = case.values.contrast(case.fact, case.foil), case.values.contrast(case.foil, case.fact)
    for x in case.contributors:
        yield case.compare(there[x], -back[x], x)


@axiom(
    "calibration",
    "φ-Calibration",
    "if φ_α(γ) = a and φ_β(γ) = 0, then Φ_{α⪰β}(γ) = a",
    "no argument contributes 0 to the foil",
    "{contributor} contributes {right} to {fact} and 0 to {foil}, but its Φ is {left}",
)
def calibration(case: Case) -> Iterator[Instance]:
    """An argument that contributes nothing to the foil contributes to the contrast what it does to the fact."""
    for x, a, b, value in _contributions(case):
        if abs(b) <= case.tolerance:
            yield case.compare(value, a, x, errors=2, value=value)


@axiom(
    "inverse-calibration",
    "Inverse φ-Calibration",
    "if φ_α(γ) = 0 and φ_β(γ) = b, then Φ_{α⪰β}(γ) = −b",
    "no argument contributes 0 to the fact",
    "{contributor} contributes 0 to {fact} and minus {right} to {foil}, but its Φ is {left}",
)
def inverse_calibration(case: Case) -> Iterator[Instance]:
    """An argument that contributes nothing to the fact contributes minus what it does to the foil."""
    for x, a, b, value in _contributions(case):
        if abs(a) <= case.tolerance:
            yield case.compare(value, -b, x, errors=2, value=value)


@axiom(
    "neutrality",
    "φ-Neutrality",
    "if φ_α(γ) = φ_β(γ), then Φ_{α⪰β}(γ) = 0",
    "no argument contributes the same to both topics",
    "{contributor} contributes the same to {fact} and {foil}, but its Φ is {left}, not {right}",
)
def neutrality(case: Case) -> Iterator[Instance]:
    """An argument that contributes the same to both topics contributes nothing to the contrast."""
    for x, a, b, value in _contributions(case):
        if abs(a - b) <= case.tolerance:
            yield case.compare(value, 0.0, x, errors=2, value=value)


@axiom(
    "monotonicity",
    "φ-Monotonicity",
    "if φ_α(γ) > φ_β(γ), then Φ_{α⪰β}(γ) > 0",
    "no argument contributes more to the fact than to the foil",
    "{contributor} contributes more to {fact} than to {foil}, but its Φ is {left}, which is not above {right}",
)
def monotonicity(case: Case) -> Iterator[Instance]:
    """An argument that contributes more to the fact than to the foil speaks for the fact."""
    for x, a, b, value in _contributions(case):
        if a - b > case.strict_tolerance:
            yield Instance(value > case.tolerance, value, 0.0, x, value=value)


@axiom(
    "additivity",
    "Additivity",
    "Φ_{α⪰β}(γ) = Φ_{α⪰η}(γ) + Φ_{η⪰β}(γ)",
    "there is no fourth argument with defined contributions",
    "Φ of {contributor} is {left} for {fact} over {foil}, but by way of {third} it adds up to {right}",
)
def additivity(case: Case) -> Iterator[Instance]:
    """The contrast of two topics is the sum of their contrasts with any third one."""
    direct, others = case.values.contrast(case.fact, case.foil), case.contributors
    for third in case.thirds if len(others) > 1 else ():
        first, second = case.values.contrast(case.fact, third), case.values.contrast(third, case.foil)
        for x in others:
            if x != third:
                yield case.compare(direct[x], first[x] + second[x], x, third, errors=3)


@axiom(
    "plausibility",
    "Plausibility of φ",
    "an isolated argument η more leaves φ_α(γ) as it was, and φ_α(η) = 0 = φ_η(α)",
    "no contribution is defined",
    "φ of {contributor} on {fact} is {left}, and {right} once an isolated argument is added",
    "an isolated argument, {contributor}, contributes {left} to {fact}, not {right}",
    "{contributor} contributes {left} to an isolated argument, not {right}",
)
def plausibility(case: Case) -> Iterator[Instance]:
    """An isolated argument contributes nothing, receives nothing and changes no other contribution."""
    grown = case.values.with_isolated
    new = grown.players[-1]
    again = dict(zip(case.values.players, grown.players, strict=False))
    for topic in (case.fact, case.foil):
        before, after = case.values.phi(topic), grown.phi(again[topic])
        for x in case.values.players:
            if x != topic:
                yield case.compare(before[x], after[again[x]], x, errors=2)
        yield case.compare(after[new], 0.0, new, sentence=1)
    for x, value in grown.phi(new).items():
        yield case.compare(value, 0.0, x, sentence=2)


@axiom(
    "counterfactuality",
    "Counterfactuality",
    "if Φ_{α⪰β}(γ) < 0, the gap σ(α) − σ(β) is smaller than it is without γ; if Φ_{α⪰β}(γ) > 0, it is larger",
    "no contribution differs from 0",
    "Φ of {contributor} is {value}, but the gap of {fact} over {foil} is {left} with it and {right} without",
    proved_for=("removal",),
    refuted_for=("gradient", "shapley"),
)
def counterfactuality(case: Case) -> Iterator[Instance]:
    """Removing an argument moves the gap against the sign of its contribution."""
    for x, value in _nonzero(case):
        without = case.values.strength_without(x, case.fact) - case.values.strength_without(x, case.foil)
        lost = (case.gap - without) * (1 if value > 0 else -1)
        yield Instance(lost > case.tolerance, case.gap, without, x, value=value)


@axiom(
    "local-faithfulness",
    "Local faithfulness",
    "for all e near τ(γ): if Φ_{α⪰β}(γ) > 0, the gap σ(α) − σ(β) is not larger at e < τ(γ) and not smaller at "
    "e > τ(γ); if Φ_{α⪰β}(γ) < 0, the reverse",
    "no contribution differs from 0",
    "Φ of {contributor} is {value}, but with more of {contributor} the gap of {fact} over {foil} has slope {left}",
    "Φ of {contributor} is {value}, but with less of {contributor} the gap of {fact} over {foil} has slope {left}",
    "Φ of {contributor} is {value}, but with more of {contributor} the gap of {fact} over {foil}, whose slope is 0, "
    "moves the other way",
    "Φ of {contributor} is {value}, but with less of {contributor} the gap of {fact} over {foil}, whose slope is 0, "
    "moves the other way",
    proved_for=("gradient",),
    refuted_for=("removal", "shapley"),
)
def local_faithfulness(case: Case) -> Iterator[Instance]:
    """A small change of a base score moves the gap with the sign of the contribution."""
    # by the sign of the one-sided derivatives; where one is 0, by how the gap moves for ever smaller steps
    for x, value in _nonzero(case):
        tau, sign = case.values.base_score(x), 1 if value > 0 else -1
        for which, side in enumerate((1, -1)):
            if tau == (1 if side > 0 else 0):
                continue  # there is no base score on that side
            slope = case.values.slope(x, case.fact, side) - case.values.slope(x, case.foil, side)
            if abs(slope) > STRICT_FACTOR * case.values.slope_tolerance:
                yield Instance(slope * sign > 0, slope, 0.0, x, value=value, sentence=which)
            else:
                yield Instance(_moves_with(case, x, side, sign), 0.0, 0.0, x, value=value, sentence=which + 2)


@axiom(
    "efficiency",
    "Cross-topic-adjusted efficiency",
    "Σ_γ Φ_{α⪰β}(γ) + φ_α(β) − φ_β(α) = (σ(α) − σ(β)) − (τ(α) − τ(β))",
    "some contribution is undefined",
    "contributions to {fact} over {foil} and their cross-topic component add up to {left}, not to {right}",
    proved_for=("shapley",),
    refuted_for=("removal", "gradient"),
)
def efficiency(case: Case) -> Iterator[Instance]:
    """Contributions, base scores and the effect of the topics on each other add up to the gap."""
    values = case.values
    every = values.contrast(case.fact, case.foil)
    cross = values.phi(case.fact)[case.foil] - values.phi(case.foil)[case.fact]
    left = sum(every[x] for x in case.contributors) + cross
    right = case.gap - (values.base_score(case.fact) - values.base_score(case.foil))
    if isfinite(left):
        yield case.compare(left, right, errors=len(values.players))


def _contributions(case: Case) -> Iterator[tuple[Name, float, float, float]]:
    """List (γ, φ_α(γ), φ_β(γ), Φ(γ)) of all contributors."""
    fact, foil = case.values.phi(case.fact), case.values.phi(case.foil)
    every = case.values.contrast(case.fact, case.foil)
    return ((x, fact[x], foil[x], every[x]) for x in case.contributors)


def _nonzero(case: Case) -> Iterator[tuple[Name, float]]:
    """List the contributors whose Φ is clearly not 0."""
    every = case.values.contrast(case.fact, case.foil)
    return ((x, every[x]) for x in case.contributors if abs(every[x]) > case.strict_tolerance)


def _moves_with(case: Case, x: Name, side: int, sign: int) -> bool | None:
    """Say whether the gap moves as it should for ever smaller steps to a side; None if it does for some only."""
    moves = side * sign * case.values.gap_changes(x, side, case.fact, case.foil)
    against = moves < -case.tolerance
    return None if against.any() and not against.all() else not against.any()
