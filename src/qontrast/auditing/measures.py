"""Measure one network: which instances flip, and how prominent each feature is in their explanations.

An instance *flips* if its prediction is the fact, and the foil once the protected attribute alone has another of its
values. The flip rate is the share of flips among those predicted (and, where labels are given, rightly predicted) as
the fact. Rank 1 is the largest |contribution|; equal ones share the mean of their ranks.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..engine.backend import run_tasks
from ..errors import Hint, InvalidInput
from ..networks import INPUT_METHODS, Network
from ..settings import check_choice, check_list, check_number
from ..standard_errors import IMAGINED_DRAWS, find_errors, find_reach, widen
from ..types import Floats

if TYPE_CHECKING:
    from concurrent.futures import Executor

ROWS_PER_TASK = 1 << 14  # instances that are explained at a time, here or in an executor
MAX_PROTECTED_VALUES = 32  # that are tried one by one
EQUAL_DIGITS = 12  # contributions that agree to so many digits of the largest are equal


@dataclass(frozen=True)
class AuditQuestion:
    """What is asked of every network alike."""

    fact: str
    foil: str
    protected: str
    methods: Sequence[str]
    value: float | None  # only instances whose protected attribute has this value
    values: Sequence[float] | None = None  # that the attribute may take

    def check(self, network: Network) -> AuditQuestion:
        """Refuse what the network does not have or what makes no sense; lists become tuples."""
        for name in (self.fact, self.foil):
            network.index(name)
        if self.fact == self.foil:
            raise InvalidInput(f"fact and foil are both {self.fact!r}; a contrast needs two classes")
        check_choice(self.protected, network.inputs, "feature")
        methods = [self.methods] if isinstance(self.methods, str) else check_list(self.methods, "methods")
        for method in methods:
            check_choice(method, INPUT_METHODS, "method")
        if not methods:
            raise InvalidInput(f"no method was given; choose from {', '.join(INPUT_METHODS)}")
        if self.value is not None:
            check_number(self.value, "value")
        if self.values is None:
            return replace(self, methods=tuple(methods))
        values = tuple(check_number(each, "one of values") for each in check_list(self.values, "values", "numbers"))
        return replace(self, methods=tuple(methods), values=values)


@dataclass(frozen=True, eq=False)
class Flips:
    """The rows that flip, out of how many candidates, and the share of predictions that change at all."""

    rows: NDArray[np.intp]
    candidates: int
    changed: float


@dataclass(frozen=True)
class Estimate:
    """A mean over instances with its 95 % interval, whose ends are NaN where there is one instance only."""

    mean: float
    low: float
    high: float


@dataclass(frozen=True)
class Measure:
    """One feature under one method: rank and |contribution|, in explaining the fact alone and in the contrast."""

    individual_rank: Estimate
    contrastive_rank: Estimate
    individual: Estimate
    contrastive: Estimate


@dataclass(frozen=True)
class Telling:
    """An instance in which the contrast lifts the protected attribute most; features only."""

    row: int
    features: dict[str, float]
    strengths: dict[str, float]
    individual: dict[str, float]
    contrastive: dict[str, float]
    individual_rank: float
    contrastive_rank: float


def find_labels(network: Network, y: Any) -> NDArray[np.intp]:
    """Return labels as places in `network.classes`; they may be given by name or by place."""
    given = np.array(check_list(y, "y", "labels"), object)
    if given.ndim != 1:
        raise InvalidInput(f"labels have shape {given.shape}; give one per row")
    places = {name: k for k, name in enumerate(network.classes)}
    texts = [str(each) for each in given.tolist()]
    if all(each in places for each in texts):
        return np.array([places[each] for each in texts], np.intp)
    if all(isinstance(each, int | np.integer) for each in given) and 0 <= min(given) <= max(given) < len(places):
        return given.astype(np.intp)
    bad = next(each for each in texts if each not in places)
    raise InvalidInput(f"label {bad!r} is not a class of the network, which has {', '.join(network.classes)}")


def select_rows(instances: ArrayLike, rows: int) -> NDArray[np.intp]:
    """Return row numbers, from a mask or from row numbers."""
    try:
        given = np.asarray(instances)
    except ValueError:  # lists of different lengths
        given = np.empty((0, 0))
    if given.dtype == bool and given.shape == (rows,):
        return np.flatnonzero(given)
    if given.ndim == 1 and (np.issubdtype(given.dtype, np.integer) or not given.size):
        places = given.astype(np.intp)
        if not places.size or (places.min() >= 0 and places.max() < rows):
            return places
    raise InvalidInput(f"instances are row numbers from 0 to {rows - 1}, or a mask of {rows} booleans")


def find_flips(network: Network, x: Floats, labels: NDArray[np.intp] | None, question: AuditQuestion) -> Flips:
    """Find who changes from the fact to the foil when the protected attribute alone changes."""
    place = network.inputs.index(question.protected)
    fact, foil = network.index(question.fact), network.index(question.foil)
    now = network.predict(x)
    candidates = now == fact
    if labels is not None:
        candidates &= labels == fact
    if question.value is not None:
        candidates &= x[:, place] == question.value
    values = list_values(x[:, place], question)
    others = np.repeat(x[None], len(values), axis=0)
    others[:, :, place] = np.array(values)[:, None]
    then = network.predict(others.reshape(-1, x.shape[1])).reshape(len(values), len(x))
    flipped = candidates & (then == foil).any(axis=0)
    changed = (then != now).any(axis=0)
    return Flips(np.flatnonzero(flipped), int(candidates.sum()), float(changed.mean()) if len(x) else 0.0)


def list_values(column: Floats, question: AuditQuestion) -> Sequence[float]:
    if question.values is not None:
        return question.values
    found = np.unique(column)
    if len(found) > MAX_PROTECTED_VALUES:
        raise InvalidInput(
            f"{question.protected!r} has {len(found)} different values; say which ones to try",
            hints=[Hint("values")],
        )
    return found.tolist()


Explanations = dict[str, tuple[Floats, Floats]]  # method → contributions to the fact and to the contrast


def explain(network: Network, x: Floats, question: AuditQuestion, executor: Executor | None = None) -> Explanations:
    """Compute the contributions (instances, features) by every method; empty where there are no instances."""
    places = network.index(question.fact), network.index(question.foil)
    methods = question.methods if len(x) else ()
    cuts = [x[first : first + ROWS_PER_TASK] for first in range(0, len(x), ROWS_PER_TASK)]
    tasks = [(network, rows, method, *places) for method in methods for rows in cuts]
    parts = list(run_tasks(executor if len(cuts) > 1 else None, _explain_rows, tasks))
    found = {}
    for k, method in enumerate(methods):
        alone, contrasted = zip(*parts[k * len(cuts) : (k + 1) * len(cuts)], strict=True)
        found[method] = np.concatenate(alone), np.concatenate(contrasted)
    return found


def _explain_rows(network: Network, x: Floats, method: str, fact: int, foil: int) -> tuple[Floats, Floats]:
    """Compute the contributions of some instances to the fact, and to the contrast."""
    phi = network.contributions(x, method=method)
    return phi[:, fact], phi[:, fact] - phi[:, foil]


def measure_features(network: Network, explanations: Explanations) -> dict[str, dict[str, Measure]]:
    """Measure every feature under every method: method → feature → measure."""
    found = {}
    for method, (individual, contrastive) in explanations.items():
        columns = (rank(individual), rank(contrastive), np.abs(individual), np.abs(contrastive))
        found[method] = name_measures(network, [_sum_up(each) for each in columns], len(individual))
    return found


def _sum_up(values: Floats) -> tuple[Floats, Floats]:
    """The mean of each column of (instances, features), and the sum of the squares around it."""
    mean = values.mean(axis=0)
    return mean, np.square(values - mean).sum(axis=0)


def name_measures(network: Network, sums: Sequence[tuple[Floats, Floats]], instances: int) -> dict[str, Measure]:
    """Make the measures of all features from the means and sums of squares of both ranks and both |contributions|."""
    ranks, sizes = (1.0, float(len(network.inputs)), 1.0), (0.0, np.inf, 0.0)
    estimates = [
        estimate(*each, instances, *kind) for each, kind in zip(sums, (ranks, ranks, sizes, sizes), strict=True)
    ]
    return dict(zip(network.inputs, (Measure(*each) for each in zip(*estimates, strict=True)), strict=True))


def rank(contributions: Floats) -> Floats:
    """Rank each |contribution| in its row, 1 for the largest; equal ones share the mean of their ranks.

    >>> rank(np.array([[0.5, -2.0, 0.5, 0.0]])).tolist()
    [[2.5, 1.0, 2.5, 4.0]]
    """
    from scipy.stats import rankdata  # here: it takes long to import

    size = np.abs(contributions)
    largest = size.max(axis=1, keepdims=True, initial=0.0)
    return np.asarray(rankdata(-np.round(size / np.where(largest > 0, largest, 1.0), EQUAL_DIGITS), axis=1))


def estimate(mean: Floats, squares: Floats, instances: int, low: float, high: float, step: float) -> list[Estimate]:
    """Estimate the means of features over instances, with intervals that stay within the range of the values.

    `squares` are the sums of the squares around the means. What does not vary among few instances may vary among
    others (`standard_errors`): as the features do on average, and by at least a `step`, which ranks come in.
    """
    reach = np.full(len(mean), np.nan)
    if instances > 1:
        squares = squares + 2 * IMAGINED_DRAWS * step**2  # a step up and a step down
        variances = squares * (widen(instances) ** 2 / (instances * (instances - 1)))
        reach = find_reach() * find_errors(variances, instances)
    ends = np.clip(mean - reach, low, high), np.clip(mean + reach, low, high)
    return [Estimate(*map(float, each)) for each in zip(mean, *ends, strict=True)]


def find_telling(
    network: Network,
    x: Floats,
    rows: NDArray[np.intp],
    explanations: Explanations,
    question: AuditQuestion,
    limit: int,
) -> tuple[Telling, ...]:
    """Find the instances in which the protected attribute gains most ranks by the contrast, under the first method."""
    if not explanations or limit < 1:
        return ()
    place = network.inputs.index(question.protected)
    individual, contrastive = explanations[question.methods[0]]
    before, after = rank(individual)[:, place], rank(contrastive)[:, place]
    best = np.lexsort((np.arange(len(x)), -np.abs(contrastive[:, place]), after - before))[:limit]
    strengths = network.strengths(x[best])

    def name(values: Floats) -> dict[str, float]:
        return dict(zip(network.inputs, values.tolist(), strict=True))

    return tuple(
        Telling(
            row=int(rows[i]),
            features=name(x[i]),
            strengths=dict(zip(network.classes, strengths[k].tolist(), strict=True)),
            individual=name(individual[i]),
            contrastive=name(contrastive[i]),
            individual_rank=float(before[i]),
            contrastive_rank=float(after[i]),
        )
        for k, i in enumerate(best.tolist())
    )
