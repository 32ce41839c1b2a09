"""Distributions of uncertain base scores: an interval, a normal, a beta, or samples; all within [0, 1].

    (0.6, 0.9)                  anything from 0.6 to 0.9, equally likely: Interval(0.6, 0.9)
    Normal(0.7, 0.1)            a bell curve, cut off at 0 and 1 and scaled up again
    Beta(8, 2)                  as after 8 − 1 votes for and 2 − 1 against
    [0.7, 0.8, 0.8]             each of them equally likely: Samples([0.7, 0.8, 0.8])

Each has `expectation` and `variance`, and `quantile`, which makes draws of uniform random numbers.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import exp, pi, sqrt
from numbers import Real
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from ..errors import InvalidInput, InvalidQbaf, UnknownName, count, unknown_name, with_article
from ..settings import format_value
from ..types import Floats, Name

EXPECTED = "give (low, high), Normal(mean, sd), Beta(a, b), or a list of samples"
MAX_BETA = 1e6  # a standard deviation of at most 0.0004: nothing uncertain is left


class Distribution(ABC):
    """What an uncertain base score may be. `kind` is its key in files."""

    kind: ClassVar[str]

    @property
    @abstractmethod
    def expectation(self) -> float:
        """The mean of what it may be."""

    @property
    @abstractmethod
    def variance(self) -> float:
        """The variance."""

    def quantile(self, levels: ArrayLike) -> Floats:
        """Return the value below which lies this part of the probability.

        Parameters
        ----------
        levels : array of float
            Between 0 and 1.

        Returns
        -------
        array of float
        """
        return self._find_quantiles(np.asarray(levels, np.float64))

    @abstractmethod
    def _find_quantiles(self, levels: Floats) -> Floats: ...

    @property
    @abstractmethod
    def parameters(self) -> tuple[float, ...]:
        """The numbers that a file holds."""

    def to_dict(self) -> dict[str, list[float]]:
        """Convert to plain data: `{"interval": [0.6, 0.9]}`."""
        return {self.kind: list(self.parameters)}


@dataclass(frozen=True)
class Interval(Distribution):
    """A base score that lies anywhere from `low` to `high`, equally likely.

    Parameters
    ----------
    low, high : float
        Between 0 and 1.

    Examples
    --------
    >>> Interval(0.6, 0.9).expectation, round(Interval(0.6, 0.9).variance, 4)
    (0.75, 0.0075)
    """

    low: float
    high: float
    kind: ClassVar[str] = "interval"

    def __post_init__(self) -> None:
        low, high = _set_numbers(self, low=self.low, high=self.high)
        if not (0 <= low <= 1 and 0 <= high <= 1):
            raise InvalidInput(f"the interval from {low:g} to {high:g} leaves [0, 1]; base scores lie between 0 and 1")
        if low > high:
            raise InvalidInput(f"the interval from {low:g} to {high:g} is reversed; give ({high:g}, {low:g})")

    @property
    def expectation(self) -> float:
        """(low + high) / 2."""
        return (self.low + self.high) / 2

    @property
    def variance(self) -> float:
        """(high − low)² / 12."""
        return (self.high - self.low) ** 2 / 12

    def _find_quantiles(self, levels: Floats) -> Floats:
        return self.low + (self.high - self.low) * levels

    @property
    def parameters(self) -> tuple[float, ...]:
        """`low` and `high`."""
        return self.low, self.high


@dataclass(frozen=True)
class Normal(Distribution):
    """A base score with a normal distribution that is truncated to [0, 1].

    The density is that of a normal distribution between 0 and 1 and 0 outside, scaled so that it integrates to 1. So no
    single value has a probability of its own, and `expectation` and `variance` are those after the truncation.

    Parameters
    ----------
    mean : float
        The mean before the truncation, between 0 and 1.
    sd : float
        The standard deviation before the truncation, above 0 and at most 1.

    Examples
    --------
    >>> Normal(0.5, 0.1).expectation, round(Normal(1.0, 0.1).expectation, 3)
    (0.5, 0.92)
    """

    mean: float
    sd: float
    kind: ClassVar[str] = "normal"

    def __post_init__(self) -> None:
        mean, sd = _set_numbers(self, mean=self.mean, sd=self.sd)
        if not 0 <= mean <= 1:
            raise InvalidInput(f"the mean of a normal base score is {mean:g}; base scores lie between 0 and 1")
        if not 0 < sd <= 1:
            raise InvalidInput(
                f"the standard deviation of a normal base score is {sd:g}; give a number above 0 and at most 1"
            )

    @cached_property
    def _ends(self) -> tuple[float, float, float, float, float]:
        """Both ends in standard deviations, the density there, and the probability between them."""
        from scipy.special import ndtr  # here: SciPy takes longer to import than NumPy

        a, b = -self.mean / self.sd, (1 - self.mean) / self.sd
        densities = [exp(-min(z * z, 1400.0) / 2) / sqrt(2 * pi) for z in (a, b)]
        return a, b, densities[0], densities[1], float(ndtr(b) - ndtr(a))

    @property
    def expectation(self) -> float:
        """The mean after the truncation."""
        _, _, at_low, at_high, inside = self._ends
        return self.mean + self.sd * (at_low - at_high) / inside

    @property
    def variance(self) -> float:
        """The variance after the truncation."""
        a, b, at_low, at_high, inside = self._ends
        shift = (at_low - at_high) / inside
        return max(0.0, self.sd**2 * (1 + (a * at_low - b * at_high) / inside - shift**2))

    def _find_quantiles(self, levels: Floats) -> Floats:
        from scipy.special import ndtr, ndtri  # here: SciPy takes longer to import than NumPy

        a, _, _, _, inside = self._ends
        values = self.mean + self.sd * ndtri(ndtr(a) + inside * levels)
        return np.asarray(np.clip(values, 0.0, 1.0))  # of rounding, at levels of 0 and 1

    @property
    def parameters(self) -> tuple[float, ...]:
        """`mean` and `sd`."""
        return self.mean, self.sd


@dataclass(frozen=True)
class Beta(Distribution):
    """A base score with a beta distribution.

    Parameters
    ----------
    a, b : float
        Above 0 and at most a million. The mean is a / (a + b); the larger the sum, the surer.

    Examples
    --------
    >>> Beta(8, 2).expectation
    0.8
    """

    a: float
    b: float
    kind: ClassVar[str] = "beta"

    def __post_init__(self) -> None:
        a, b = _set_numbers(self, a=self.a, b=self.b)
        for letter, value in (("a", a), ("b", b)):
            if not 0 < value <= MAX_BETA:
                raise InvalidInput(
                    f"the parameter {letter} of a beta base score is {value:g}; "
                    f"give a number above 0 and at most {MAX_BETA:,.0f}"
                )

    @property
    def expectation(self) -> float:
        """a / (a + b)."""
        return self.a / (self.a + self.b)

    @property
    def variance(self) -> float:
        """ab / ((a + b)² (a + b + 1))."""
        return self.expectation * (1 - self.expectation) / (self.a + self.b + 1)

    def _find_quantiles(self, levels: Floats) -> Floats:
        from scipy.special import betaincinv  # here: SciPy takes longer to import than NumPy

        return np.asarray(betaincinv(self.a, self.b, levels))

    @property
    def parameters(self) -> tuple[float, ...]:
        """`a` and `b`."""
        return self.a, self.b


@dataclass(frozen=True)
class Samples(Distribution):
    """A base score of which samples are known, such as repeated answers; each is equally likely.

    Parameters
    ----------
    values : sequence of float
        At least one, each between 0 and 1; they are kept in ascending order.

    Examples
    --------
    >>> Samples([0.5, 1.0, 1.0, 0.5]).expectation
    0.75
    """

    values: Sequence[float]
    kind: ClassVar[str] = "samples"

    def __post_init__(self) -> None:
        if isinstance(self.values, str) or not isinstance(self.values, Iterable):
            raise InvalidInput(f"the samples are {format_value(self.values)}; give a list of numbers")
        values = tuple(sorted(_to_number(each, "a sample") for each in self.values))
        if not values:
            raise InvalidInput("the list of samples is empty; give at least one base score")
        for value in (values[0], values[-1]):
            if not 0 <= value <= 1:
                raise InvalidInput(f"a sample is {value:g}; base scores lie between 0 and 1")
        object.__setattr__(self, "values", values)

    @property
    def expectation(self) -> float:
        """The mean of the samples."""
        return float(np.mean(self.values))

    @property
    def variance(self) -> float:
        """The mean squared distance from the mean."""
        return float(np.var(self.values))

    def _find_quantiles(self, levels: Floats) -> Floats:
        places = (levels * len(self.values)).astype(np.intp)
        return np.array(self.values)[np.minimum(places, len(self.values) - 1)]

    @property
    def parameters(self) -> tuple[float, ...]:
        """The samples."""
        return tuple(self.values)


KINDS: dict[str, type[Distribution]] = {each.kind: each for each in (Interval, Normal, Beta, Samples)}


def _to_number(value: object, what: str) -> float:
    if isinstance(value, bool) or not isinstance(value, Real):
        raise InvalidInput(f"{what} is {format_value(value)}; give a number")
    try:
        found = float(value)
    except OverflowError:
        found = np.inf
    if not np.isfinite(found):
        raise InvalidInput(f"{what} is {format_value(value)}; give a finite number")
    return found


def _set_numbers(made: Distribution, **given: object) -> list[float]:
    """Check the numbers of a distribution and keep them as floats."""
    found = [_to_number(value, f"{name} of the distribution {made.kind!r}") for name, value in given.items()]
    for name, value in zip(given, found, strict=True):
        object.__setattr__(made, name, value)
    return found


def read_distribution(value: object) -> Distribution:
    """Make a distribution of what a user gave: a pair, a list, a distribution, or `{"interval": [0.6, 0.9]}`.

    >>> read_distribution((0.6, 0.9)), read_distribution({"beta": [2, 5]})
    (Interval(low=0.6, high=0.9), Beta(a=2.0, b=5.0))
    """
    if isinstance(value, Distribution):
        return value
    if isinstance(value, tuple):
        if len(value) != 2:
            raise InvalidInput(f"{format_value(value)} is no interval; {EXPECTED}")
        return Interval(*value)
    if isinstance(value, Mapping):
        return _read_mapping(value)
    if isinstance(value, list | np.ndarray):
        values = list(value)
        if len(values) == 2:
            pair = ", ".join(map(str, values))
            raise InvalidInput(
                f"[{pair}] may be an interval or two samples; give the tuple ({pair}), or Samples([{pair}])"
            )
        return Samples(values)
    raise InvalidInput(f"{format_value(value)} is no uncertain base score; {EXPECTED}")


def _read_mapping(value: Mapping[Any, Any]) -> Distribution:
    if len(value) != 1:
        keys = ", ".join(map(str, value)) or "none"
        raise InvalidInput(f"an uncertain base score has one of the keys {', '.join(KINDS)}, not {keys}")
    ((kind, numbers),) = value.items()
    if kind not in KINDS:
        raise unknown_name(kind, KINDS, "distribution")
    if not isinstance(numbers, list | tuple):
        raise InvalidInput(f"{kind!r} is {format_value(numbers)}; give a list of numbers")
    if KINDS[kind] is Samples:
        return Samples(numbers)
    if len(numbers) != 2:
        raise InvalidInput(f"{kind!r} has {count(len(numbers), 'number')}; give two")
    make: Any = KINDS[kind]
    found: Distribution = make(*numbers)
    return found


def check_uncertain(
    uncertain: object,
    names: Sequence[Name],
    index: Mapping[Any, int],
    setting: str = "uncertain",
    kind: type[InvalidQbaf | InvalidInput] = InvalidQbaf,
) -> dict[Name, Distribution]:
    """Check a mapping from arguments to uncertain base scores, in the order of the arguments.

    `setting` is what errors call the mapping, and `kind` the class of errors.
    """
    if not isinstance(uncertain, Mapping):
        given = with_article(type(uncertain).__name__)
        raise kind(f"{setting} is {given}; give a mapping from argument to (low, high) or a distribution")
    found: dict[Name, Distribution] = {}
    for name, value in uncertain.items():
        if not _is_known(name, index):
            raise unknown_name(name, names)
        try:
            found[names[index[name]]] = read_distribution(value)
        except (InvalidInput, UnknownName) as error:
            raise kind(f"the uncertain base score of argument {name!r}: {error.args[0]}") from None
    return {name: found[name] for name in sorted(found, key=index.__getitem__)}


def _is_known(name: object, index: Mapping[Any, int]) -> bool:
    try:
        return name in index
    except TypeError:
        return False
