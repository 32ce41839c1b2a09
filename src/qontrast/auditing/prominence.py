"""One network under the lens: who flips, and how prominent each feature is in the explanations of those.

An instance *flips* if its prediction is the fact, and the foil once the protected attribute alone has another of
its values. The flip rate is the share of flips among those predicted (and, where labels are given, rightly
predicted) as the fact.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import Hint, InvalidInput
from ..networks import Network
from ..settings import check_list
from ..types import Floats
from .statistics import Measure, measures, ranks

VALUES = 32  # of a protected attribute that are tried one by one


@dataclass(frozen=True)
class Question:
    """What is asked of every network alike."""

    fact: str
    foil: str
    protected: str
    methods: tuple[str, ...]
    value: float | None = None  # only instances whose protected attribute has this value
    values: tuple[float, ...] | None = None  # that the attribute may take
    draws: int = 1000
    seed: int = 0

    def asked(self, labels: bool) -> str:
        """Who may flip, in words."""
        having = "" if self.value is None else f" with {self.protected} = {self.value:g}"
        return f"{'rightly ' if labels else ''}predicted {self.fact}{having}"


@dataclass(frozen=True, eq=False)
class Flips:
    """Who flips among the rows, out of which, and how many predictions change at all."""

    rows: NDArray[np.intp]
    candidates: int
    changed: float

    @property
    def rate(self) -> float:
        return len(self.rows) / self.candidates if self.candidates else 0.0


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


def column(network: Network, protected: str) -> int:
    """The place of the protected attribute."""
    if protected not in network.inputs:
        raise InvalidInput(f"no feature {protected!r} to protect; the network has {', '.join(network.inputs)}")
    return network.inputs.index(protected)


def labelled(network: Network, y: Any) -> NDArray[np.intp]:
    """Labels as places in `network.classes`; they may be given by name or by place."""
    given = np.array(check_list(y, "y", "labels"), object)
    if given.ndim != 1:
        raise InvalidInput(f"labels have shape {given.shape}; give one per row")
    if given.size and all(isinstance(each, int | np.integer) for each in given):
        given = given.astype(np.intp)
    names = {name: k for k, name in enumerate(network.classes)}
    texts = [str(each) for each in given.tolist()]
    if all(each in names for each in texts):
        return np.array([names[each] for each in texts], np.intp)
    if np.issubdtype(given.dtype, np.integer) and given.min() >= 0 and given.max() < len(names):
        return given.astype(np.intp)
    bad = next(each for each in texts if each not in names)
    raise InvalidInput(f"label {bad!r} is not a class of the network, which has {', '.join(network.classes)}")


def flips(network: Network, x: Floats, labels: NDArray[np.intp] | None, question: Question) -> Flips:
    """Who changes from the fact to the foil when the protected attribute alone changes."""
    place = column(network, question.protected)
    fact, foil = network.index(question.fact), network.index(question.foil)
    now = network.predict(x)
    asked = now == fact
    if labels is not None:
        asked &= labels == fact
    if question.value is not None:
        asked &= x[:, place] == question.value
    turned, changed = np.zeros(len(x), bool), np.zeros(len(x), bool)
    for value in _values(x[:, place], question):
        other = x.copy()
        other[:, place] = value
        then = network.predict(other)
        turned |= asked & (then == foil)
        changed |= then != now
    return Flips(np.flatnonzero(turned), int(asked.sum()), float(changed.mean()) if len(x) else 0.0)


def _values(column: Floats, question: Question) -> Sequence[float]:
    if question.values is not None:
        return question.values
    found = np.unique(column)
    if len(found) > VALUES:
        raise InvalidInput(
            f"{question.protected!r} has {len(found)} different values; say which ones to try",
            hints=[Hint("values")],
        )
    return found.tolist()


def table(network: Network, x: Floats, question: Question) -> dict[str, dict[str, Measure]]:
    """Every feature under every method, over these instances; empty where there are none."""
    if not len(x):
        return {}
    fact, foil = network.index(question.fact), network.index(question.foil)
    found = {}
    for method in question.methods:
        phi = network.contributions(x, method=method)
        rng = np.random.default_rng(question.seed)
        each = measures(phi[:, fact], phi[:, fact] - phi[:, foil], question.draws, rng)
        found[method] = dict(zip(network.inputs, each, strict=True))
    return found


def telling(network: Network, x: Floats, rows: NDArray[np.intp], question: Question, most: int) -> tuple[Telling, ...]:
    """The instances in which the protected attribute gains most ranks by the contrast, under the first method."""
    if not len(x) or most < 1:
        return ()
    fact, foil, place = network.index(question.fact), network.index(question.foil), column(network, question.protected)
    phi = network.contributions(x, method=question.methods[0])
    one, two = phi[:, fact], phi[:, fact] - phi[:, foil]
    before, after = ranks(one)[:, place], ranks(two)[:, place]
    best = np.lexsort((np.arange(len(x)), -np.abs(two[:, place]), after - before))[:most]
    strength = network.strengths(x[best])

    def named(values: Floats) -> dict[str, float]:
        return dict(zip(network.inputs, values.tolist(), strict=True))

    return tuple(
        Telling(
            int(rows[i]),
            named(x[i]),
            dict(zip(network.classes, strength[k].tolist(), strict=True)),
            named(one[i]),
            named(two[i]),
            float(before[i]),
            float(after[i]),
        )
        for k, i in enumerate(best.tolist())
    )


def chosen(instances: ArrayLike, rows: int) -> NDArray[np.intp]:
    """Instances as row numbers, from a mask or from row numbers."""
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
