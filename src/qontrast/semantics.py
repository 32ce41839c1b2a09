"""Gradual semantics: what a strength is, as two formulas.

An argument gathers *energy* from its parents, and the energy moves its base score:

    σ(a) = ι(τ(a), α(attackers of a, supporters of a))        α: aggregation,  ι: influence

(modular semantics: Mossakowski and Neuhaus, 2018). A semantics is a choice of α and ι; nothing here knows
how the equation is solved. Each formula stands beside its derivative, so that gradients are exact. Formulas convert no
array to NumPy's: on a GPU the same formulas compute with CuPy's arrays.

α is given x = w·σ, strength times edge weight, of all attackers and of all supporters, as two arrays of
shape (parents, …), and reduces the first axis; an x of 0 must be without effect. ι maps (base score, energy)
to a strength, elementwise. A semantics of your own is two plain NumPy functions:

>>> import numpy as np
>>> mean = Semantics("mean", lambda att, sup: sup.sum(0) - att.sum(0), lambda b, e: (b + np.clip(b + e, 0, 1)) / 2)
>>> mean.numeric
True
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .errors import InvalidInput, unknown_name
from .finite_differences import numeric_by_base, numeric_by_energy, numeric_slopes
from .scalar_formulas import (
    ADD,
    EULER,
    LINEAR,
    LOGISTIC,
    MULTIPLY,
    MULTIPLY_SQUARES,
    ONE_MAX,
    TOP,
    TWO_MAX,
    ScalarAggregation,
    ScalarInfluence,
)
from .settings import wrap_failures
from .types import Floats

Formula = Callable[[Floats, Floats], Floats]
Slopes = Callable[[Floats, Floats], tuple[Floats, Floats]]
Tangent = Callable[[Floats, Floats, Floats, Floats], Floats]

MIN_PARENTS_AT_ONCE = 32  # parents from which one call serves them better than one call each
TIE_TOLERANCE = (
    1e-11  # strengths that are equal on paper differ by rounding, on cyclic graphs by what the iteration leaves
)


@dataclass(frozen=True)
class Fold:
    """An aggregation that takes its parents one at a time: y = combine(y, lift(x)), then finish(y_att, y_sup)."""

    lift: Callable[[Floats], Floats]
    combine: np.ufunc
    finish: Formula


@dataclass(frozen=True)
class Aggregation:
    """α(attacks, supports): the energy received; `slopes` are ∂α/∂attacks and ∂α/∂supports, shaped like them.

    Where α has kinks, `tangent(attacks, supports, d_attacks, d_supports)` is its one-sided derivative in a
    direction, and `kinked(attacks, supports)` says where. Without `slopes` they are derived numerically. Weights
    above `max_weight` are refused. `linear` promises that α is Σ supports − Σ attacks, so that a matrix product
    may stand for it; `fold` that parents may be taken one at a time. `scalar` is the same α for plain lists.
    """

    energy: Formula
    slopes: Slopes | None = None
    tangent: Tangent | None = None
    kinked: Callable[[Floats, Floats], NDArray[np.bool_]] | None = None
    max_weight: float = np.inf
    linear: bool = False
    fold: Fold | None = None
    scalar: ScalarAggregation | None = None


@dataclass(frozen=True)
class Influence:
    """ι(b, e): the strength of base score b under energy e, with ∂ι/∂b and ∂ι/∂e.

    Where ι has a kink, `by_energy` is the derivative from above and `by_energy_left` the one from below.
    `neutral` promises ι(b, 0) = b: an argument without parents keeps its base score to the last bit. `scalar` is the
    same ι for plain floats.
    """

    strength: Formula
    by_base: Formula | None = None
    by_energy: Formula | None = None
    by_energy_left: Formula | None = None
    neutral: bool = False
    scalar: ScalarInfluence | None = None


@dataclass(frozen=True)
class Semantics:
    """A named pair (α, ι), with the paper that introduced it.

    Plain functions are accepted for both. `bounded=False` lets strengths leave [0, 1]. `title` is what menus call it,
    by default its name.
    """

    name: str
    aggregation: Aggregation = field(repr=False)  # functions, of which only addresses would be printed
    influence: Influence = field(repr=False)
    source: str = "user-defined"
    formula: str = ""
    bounded: bool = True
    title: str = ""

    def __init__(
        self,
        name: str,
        aggregation: Aggregation | Formula,
        influence: Influence | Formula,
        source: str = "user-defined",
        formula: str = "",
        bounded: bool = True,
        title: str = "",
    ) -> None:
        if not isinstance(name, str) or not name:
            raise InvalidInput(f"a semantics is named by a non-empty string, not {name!r}")
        if not isinstance(title, str):
            raise InvalidInput(f"the title of semantics {name!r} is {title!r}; give a string")
        for part, given, kind in (("aggregation", aggregation, Aggregation), ("influence", influence, Influence)):
            if not callable(given) and not isinstance(given, kind):
                raise InvalidInput(f"the {part} of semantics {name!r} is {given!r}; give a function of two arrays")
        values = {
            "name": name,
            "aggregation": aggregation if isinstance(aggregation, Aggregation) else Aggregation(aggregation),
            "influence": influence if isinstance(influence, Influence) else Influence(influence),
            "source": source,
            "formula": formula,
            "bounded": bounded,
            "title": title or name,
        }
        for attribute, value in values.items():
            object.__setattr__(self, attribute, value)
        formulas = (self.aggregation.energy, self.influence.strength)
        if any(getattr(formula, "__module__", None) != __name__ for formula in formulas):  # ours would import SciPy
            attacks, supports, base = np.full((2, 3), 0.25), np.full((1, 3), 0.5), np.full(3, 0.5)
            energy = _try_formula(f"the aggregation of semantics {name!r}", formulas[0], attacks, supports)
            _try_formula(f"the influence of semantics {name!r}", formulas[1], base, energy)

    def __reduce__(self) -> tuple[Any, ...]:
        """A built-in semantics travels to other processes by its name, since its formulas cannot."""
        if SEMANTICS.get(self.name) is self:
            return find_semantics, (self.name,)
        parts = (self.name, self.aggregation, self.influence, self.source, self.formula, self.bounded, self.title)
        return Semantics, parts

    @property
    def scalar(self) -> tuple[ScalarAggregation, ScalarInfluence] | None:
        """Both formulas in plain floats, for one argument at a time; None where one is not given."""
        alpha, iota = self.aggregation.scalar, self.influence.scalar
        return None if alpha is None or iota is None or not self.influence.neutral else (alpha, iota)

    @property
    def numeric(self) -> bool:
        """Whether some derivative was not given, so that gradients are numerical (good to about 1e-9)."""
        return None in (self.aggregation.slopes, self.influence.by_base, self.influence.by_energy)

    def slopes(self, attacks: Floats, supports: Floats) -> tuple[Floats, Floats]:
        """Compute ∂α/∂attacks and ∂α/∂supports, the slopes of the aggregation.

        Parameters
        ----------
        attacks, supports : array
            Weight × strength of each attacker and each supporter, one row for each of them.

        Returns
        -------
        tuple of arrays
            In the shapes of `attacks` and `supports`.
        """
        given = self.aggregation.slopes
        return given(attacks, supports) if given else numeric_slopes(self.aggregation.energy, attacks, supports)

    def by_base(self, base: Floats, energy: Floats) -> Floats:
        """Compute ∂ι/∂b, the slope of the influence in the base score.

        Parameters
        ----------
        base, energy : array
            Where the slope is taken.

        Returns
        -------
        array
        """
        given = self.influence.by_base
        return given(base, energy) if given else numeric_by_base(self.influence.strength, base, energy)

    def by_energy(self, base: Floats, energy: Floats) -> tuple[Floats, Floats]:
        """Compute ∂ι/∂e, the slope of the influence in the energy; from below and from above differ at a kink only.

        Parameters
        ----------
        base, energy : array
            Where the slope is taken.

        Returns
        -------
        tuple of arrays
            From below, from above.
        """
        above, below = self.influence.by_energy, self.influence.by_energy_left
        if above is None:
            return numeric_by_energy(self.influence.strength, base, energy)
        right = above(base, energy)
        return (below(base, energy) if below else right), right


def _try_formula(name: str, formula: Formula, first: Floats, second: Floats) -> Floats:
    """What a formula gives for two arrays of three columns: one number for each column, or it is refused."""
    way = "give a function of two arrays that gives an array, as `help(qontrast.Semantics)` shows"
    with wrap_failures(name, way), warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        found = np.asarray(formula(first, second), np.float64)
    if found.shape != (3,):
        shapes = f"{first.shape} and {second.shape}"
        raise InvalidInput(f"{name} gives shape {found.shape} for arrays of shape {shapes}, not (3,); {way}")
    return found


# -- aggregations ---------------------------------------------------------------------------------------------


def _sum_slopes(attacks: Floats, supports: Floats) -> tuple[Floats, Floats]:
    return -np.ones_like(attacks), np.ones_like(supports)


def _multiply_others(factors: Floats) -> Floats:
    """For each row the product of all other rows, from both sides, so that a factor of 0 divides nothing."""
    before, after = np.ones_like(factors), np.ones_like(factors)
    if len(factors) > MIN_PARENTS_AT_ONCE:
        before[1:] = np.cumprod(factors[:-1], axis=0)
        after[-2::-1] = np.cumprod(factors[:0:-1], axis=0)
    else:  # row by row, each a whole array: quicker than accumulating short columns
        for k in range(1, len(factors)):
            np.multiply(before[k - 1], factors[k - 1], out=before[k])
            np.multiply(after[-k], factors[-k], out=after[-k - 1])
    others: Floats = before * after
    return others


def _product_slopes(attacks: Floats, supports: Floats) -> tuple[Floats, Floats]:
    return -_multiply_others(1 - attacks), _multiply_others(1 - supports)


def _squared_product_slopes(attacks: Floats, supports: Floats) -> tuple[Floats, Floats]:
    return -2 * (1 - attacks) * _multiply_others((1 - attacks) ** 2), 2 * (1 - supports) * _multiply_others(
        (1 - supports) ** 2
    )


def _top(x: Floats) -> Floats:
    out: Floats = np.max(x, axis=0, initial=0.0)
    return out


def _top_slope(x: Floats) -> Floats:
    """1 at the first largest entry, 0 elsewhere; ties are the business of `_top_tangent`."""
    out = np.zeros_like(x)
    if len(x):
        np.put_along_axis(out, x.argmax(axis=0)[None], 1.0, axis=0)
    return out


def _push_top(x: Floats, dx: Floats) -> Floats:
    """The largest rate among the entries that share the maximum; max(0, ·) counts as one more entry."""
    top = _top(x)
    tied = np.abs(x - top) <= TIE_TOLERANCE
    rates = np.max(np.where(tied, dx, -np.inf), axis=0, initial=-np.inf)
    return np.asarray(np.where(top <= 0, np.maximum(rates, 0.0), rates))


def _find_ties(x: Floats) -> NDArray[np.bool_]:
    """Whether more than one entry shares the maximum, so that it has a kink."""
    return np.asarray((np.abs(x - _top(x)) <= TIE_TOLERANCE).sum(axis=0) > 1)


def _make_fold(
    lift: Callable[[Floats], Floats], combine: np.ufunc, finish: Formula, initial: float
) -> tuple[Formula, Fold]:
    """An energy from its fold: reduce what is lifted, then finish."""

    def reduce(x: Floats) -> Floats:
        if combine is np.add and x.size == len(x) > 0:
            # a single column would be added in pairs, and end in other last digits than among others
            return np.asarray(np.add.accumulate(x)[-1])
        return np.asarray(combine.reduce(x, initial=initial))

    def energy(attacks: Floats, supports: Floats) -> Floats:
        return finish(reduce(lift(attacks)), reduce(lift(supports)))

    return energy, Fold(lift, combine, finish)


_sum, _sum_fold = _make_fold(lambda x: x, np.add, lambda att, sup: sup - att, 0.0)
_product, _product_fold = _make_fold(lambda x: 1 - x, np.multiply, lambda att, sup: att - sup, 1.0)
_squared, _squared_fold = _make_fold(lambda x: np.square(1 - x), np.multiply, lambda att, sup: att - sup, 1.0)
_most, _most_fold = _make_fold(lambda x: x, np.maximum, lambda att, sup: sup - att, 0.0)

summed = Aggregation(_sum, _sum_slopes, linear=True, fold=_sum_fold, scalar=ADD)
product = Aggregation(_product, _product_slopes, max_weight=1.0, fold=_product_fold, scalar=MULTIPLY)
squared_product = Aggregation(
    _squared, _squared_product_slopes, max_weight=1.0, fold=_squared_fold, scalar=MULTIPLY_SQUARES
)
top = Aggregation(
    _most,
    lambda att, sup: (-_top_slope(att), _top_slope(sup)),
    lambda att, sup, d_att, d_sup: _push_top(sup, d_sup) - _push_top(att, d_att),
    lambda att, sup: _find_ties(att) | _find_ties(sup),
    fold=_most_fold,
    scalar=TOP,
)

# -- influences -------------------------------------------------------------------------------------------------


def _make_towards(
    share: Callable[[Floats], Floats], slope: Callable[[Floats], Floats], kink: bool, same: ScalarInfluence
) -> Influence:
    """Move b towards 1 by the share h(e) if e > 0, towards 0 by h(|e|) else; h(0) = 0, h grows."""
    return Influence(
        strength=lambda b, e: b + share(np.abs(e)) * ((e > 0) - b),
        by_base=lambda b, e: 1 - share(np.abs(e)),
        by_energy=lambda b, e: slope(np.abs(e)) * np.where(e >= 0, 1 - b, b),
        by_energy_left=(lambda b, e: slope(np.abs(e)) * np.where(e > 0, 1 - b, b)) if kink else None,
        neutral=True,
        scalar=same,
    )


linear = _make_towards(lambda x: x, np.ones_like, kink=True, same=LINEAR)
one_max = _make_towards(lambda x: x / (1 + x), lambda x: 1 / np.square(1 + x), kink=True, same=ONE_MAX)


def _clip_energy(e: Floats, most: float) -> Floats:
    """Energies whose powers are numbers still."""
    clipped: Floats = np.maximum(np.minimum(e, most), -most)
    return clipped


def _two_max(b: Floats, e: Floats) -> Floats:
    """b + (1 − b) h(e) if e > 0, else b − b h(e), with h(x) = x²/(1 + x²); one fraction never leaves [0, 1]."""
    e = _clip_energy(e, 1e150)
    strength: Floats = (b + np.square(np.maximum(e, 0.0))) / (1 + np.square(e))
    return strength


def _two_max_slope(b: Floats, e: Floats) -> Floats:
    """2|e| / (1 + e²)², times 1 − b if e > 0, b else: together max(e, 0) − b e."""
    e = _clip_energy(e, 1e75)
    slope: Floats = (np.maximum(e, 0.0) - b * e) * 2 / np.square(1 + np.square(e))
    return slope


two_max = Influence(
    strength=_two_max,
    by_base=lambda b, e: 1 / (1 + np.square(_clip_energy(e, 1e150))),
    by_energy=_two_max_slope,
    neutral=True,
    scalar=TWO_MAX,
)


def expit(x: Floats) -> Floats:
    """1 / (1 + e⁻ˣ). SciPy is imported here, since it takes longer than NumPy, and most semantics do without."""
    from scipy.special import expit

    found: Floats = expit(x)
    return found


def logit(b: Floats) -> Floats:
    """ln b − ln(1 − b), ∓∞ at 0 and 1."""
    from scipy.special import logit

    found: Floats = logit(b)
    return found


def _exp(x: Floats) -> Floats:
    with np.errstate(over="ignore"):  # a slope beyond 1e308 is infinite
        found: Floats = np.exp(x)
    return found


def _log(b: Floats) -> Floats:
    with np.errstate(divide="ignore"):
        found: Floats = np.log(b)
    return found


def _bell(x: Floats) -> Floats:
    """The slope of the logistic function; from both sides, so that no 1 − σ loses its digits."""
    found: Floats = expit(x) * expit(-x)
    return found


# 1 / (1 + b eᴱ) = expit(−(ln b + E)): nothing overflows, and b = 0 needs no special case.
euler = Influence(
    strength=lambda b, e: 1 - (1 - b * b) * expit(-(_log(b) + e)),
    by_base=lambda b, e: 2 * b * expit(-(_log(b) + e)) + (1 - b * b) * _exp(e - 2 * np.logaddexp(0.0, _log(b) + e)),
    by_energy=lambda b, e: (1 - b * b) * expit(_log(b) + e) * expit(-(_log(b) + e)),
    neutral=True,
    scalar=EULER,
)
# logit is ∓∞ at b = 0 and b = 1, so these two stay put under any energy.
logistic = Influence(
    strength=lambda b, e: expit(logit(b) + e),
    by_base=lambda b, e: _exp(e - 2 * np.logaddexp(_log(1 - b), _log(b) + e)),
    by_energy=lambda b, e: _bell(logit(b) + e),
    neutral=True,
    scalar=LOGISTIC,
)

SEMANTICS: dict[str, Semantics] = {
    each.name: each
    for each in (
        Semantics(
            "df-quad",
            product,
            linear,
            "Rago, Toni, Aurisicchio, Baroni: Discontinuity-free decision support …, KR 2016",
            "E = ∏(1 − wσ) over attackers − ∏(1 − wσ) over supporters; σ = τ + E(1 − τ) if E > 0, else τ + Eτ",
            title="DF-QuAD",
        ),
        Semantics(
            "qe",
            summed,
            two_max,
            "Potyka: Continuous dynamical systems for weighted bipolar argumentation, KR 2018",
            "E = Σ wσ over supporters − Σ wσ over attackers; h(x) = x²/(1 + x²); "
            "σ = τ + (1 − τ) h(E) if E > 0, else τ − τ h(−E)",
            title="quadratic energy",
        ),
        Semantics(
            "reb",
            summed,
            euler,
            "Amgoud, Ben-Naim: Evaluation of arguments in weighted bipolar graphs, IJAR 99, 2018",
            "E = Σ wσ over supporters − Σ wσ over attackers; σ = 1 − (1 − τ²)/(1 + τ eᴱ)",
            title="Euler-based, all parents",
        ),
        Semantics(
            "ebt",
            top,
            euler,
            "the Euler-based influence with the strongest parents only: Mossakowski, Neuhaus 2018 (top aggregation)",
            "E = max wσ over supporters − max wσ over attackers (0 if none); σ = 1 − (1 − τ²)/(1 + τ eᴱ)",
            title="Euler-based, strongest parents",
        ),
        Semantics(
            "mlp",
            summed,
            logistic,
            "Potyka: Interpreting neural networks as quantitative argumentation frameworks, AAAI 2021",
            "E = Σ wσ over supporters − Σ wσ over attackers; σ = logistic(logit τ + E)",
            title="like a neural network",
        ),
        Semantics(
            "df-quad-squared-product",
            squared_product,
            linear,
            "called “squared DF-QuAD” in Uncertainpy",
            "E = ∏(1 − wσ)² over attackers − ∏(1 − wσ)² over supporters; σ as in df-quad",
            title="DF-QuAD, squared products",
        ),
        Semantics(
            "df-quad-1-max",
            product,
            one_max,
            "called “squared DF-QuAD” in QBAF-Py and in the attribution papers' code",
            "E as in df-quad; h(x) = x/(1 + x); σ = τ + (1 − τ) h(E) if E > 0, else τ − τ h(−E)",
            title="DF-QuAD, saturating",
        ),
    )
}
DEFAULT = "qe"


def find_semantics(semantics: str | Semantics | None, table: Mapping[str, Semantics] = SEMANTICS) -> Semantics:
    """The semantics of that name; a `Semantics` is itself, and None is the default, `qe`.

    >>> find_semantics("df-quad").source
    'Rago, Toni, Aurisicchio, Baroni: Discontinuity-free decision support …, KR 2016'
    """
    if isinstance(semantics, Semantics):
        return semantics
    name = DEFAULT if semantics is None else semantics
    if not isinstance(name, str) or name not in table:
        raise unknown_name(name, table, "semantics")
    return table[name]
