"""Derivatives by differences, for a user's own semantics that comes without them.

One-sided differences of second order, f'(x) ≈ (−3 f(x) + 4 f(x + h) − f(x + 2h)) / 2h, on either side. With
h = 1e-5 (times |x| where that is above 1) truncation and rounding are both about 1e-10. Two sides that differ by
more than a smooth function could make them differ are a kink.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from .types import Floats

STEP = 1e-5
KINK = 1e-4  # a smooth f makes the sides differ by about h² f‴ ~ 1e-10; a visible kink by its jump in slope


def one_sided(f: Callable[[Floats], Floats], x: Floats, h: Floats | float) -> Floats:
    """The derivative of f at x towards the sign of h.

    >>> float(one_sided(np.abs, np.zeros(1), -1e-5)[0])
    -1.0
    """
    return np.asarray((-3 * f(x) + 4 * f(x + h) - f(x + 2 * h)) / (2 * h))


def numeric_by_energy(
    strength: Callable[[Floats, Floats], Floats], base: Floats, energy: Floats
) -> tuple[Floats, Floats]:
    """∂ι/∂e from below and from above; where they agree, their mean stands for both."""
    step = STEP * np.maximum(1.0, np.abs(energy))
    below = one_sided(lambda e: strength(base, e), energy, -step)
    above = one_sided(lambda e: strength(base, e), energy, step)
    mean = (below + above) / 2
    kink = np.abs(above - below) > KINK
    return np.where(kink, below, mean), np.where(kink, above, mean)


def numeric_by_base(strength: Callable[[Floats, Floats], Floats], base: Floats, energy: Floats) -> Floats:
    """∂ι/∂b; near 0 and 1 from the inside, since a formula need not hold outside."""
    inward = np.where(base < 0.5, STEP, -STEP)
    near, far = strength(base + inward, energy), strength(base + 2 * inward, energy)
    return np.asarray((-3 * strength(base, energy) + 4 * near - far) / (2 * inward))


def numeric_slopes(
    energy: Callable[[Floats, Floats], Floats], attacks: Floats, supports: Floats
) -> tuple[Floats, Floats]:
    """∂α/∂attacks and ∂α/∂supports, one parent at a time; from the inside of [0, 1]."""
    return (
        _rows(lambda x: energy(x, supports), attacks),
        _rows(lambda x: energy(attacks, x), supports),
    )


def _rows(f: Callable[[Floats], Floats], x: Floats) -> Floats:
    out = np.empty_like(x)
    for k in range(len(x)):
        inward = np.where(x[k] < 0.5, STEP, -STEP)
        once, again = x.copy(), x.copy()
        once[k] += inward
        again[k] += 2 * inward
        out[k] = (-3 * f(x) + 4 * f(once) - f(again)) / (2 * inward)
    return out
