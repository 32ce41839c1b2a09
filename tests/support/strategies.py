"""QBAFs for hypothesis, and by seed for the thousands: weights other than 1, topics that have parents, base scores
of exactly 0 and 1, self-loops and cycles where asked for."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

from qontrast import Qbaf

scores = st.one_of(st.sampled_from([0.0, 1.0, 0.5]), st.floats(0.0, 1.0, allow_subnormal=False))
eighths = st.integers(0, 8).map(lambda k: k / 8)  # exact in binary, and small as fractions


@st.composite
def qbafs(
    draw: st.DrawFn,
    *,
    cyclic: bool = False,
    max_size: int = 7,
    max_weight: float = 1.0,
    base: st.SearchStrategy[float] = scores,
    weight: st.SearchStrategy[float] | None = None,
) -> Qbaf:
    """A graph whose last argument, the topic, has a parent as soon as there are two arguments."""
    n = draw(st.integers(1, max_size))
    names = [f"a{i}" for i in range(n)]
    pairs = [(names[i], names[j]) for i in range(n) for j in range(n) if cyclic or i < j]
    chosen = draw(st.lists(st.sampled_from(pairs), unique=True, max_size=3 * n)) if pairs else []
    if n > 1 and not any(target == names[-1] for _, target in chosen):
        chosen.append((names[0], names[-1]))
    usual = st.one_of(st.just(1.0), st.floats(0.0, max_weight, allow_subnormal=False))
    weights = usual if weight is None else weight
    attacks, supports = {}, {}
    for pair in chosen:
        (attacks if draw(st.booleans()) else supports)[pair] = draw(weights)
    order = draw(st.permutations(names))  # names in no order of evaluation
    return Qbaf({name: draw(base) for name in order}, attacks, supports, topics=[names[-1]])


def random_qbaf(seed: int, *, cyclic: bool, max_weight: float = 1.0, max_size: int = 9) -> Qbaf:
    """A graph by its seed."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, max_size + 1))
    base = rng.choice([0.0, 1.0, 0.5, np.nan], n, p=[0.1, 0.1, 0.1, 0.7])
    base = np.where(np.isnan(base), rng.random(n), base)
    i, j = np.nonzero(rng.random((n, n)) < rng.choice([0.15, 0.3, 0.6]))
    if not cyclic:
        label = rng.permutation(n)
        i, j = label[i[i < j]], label[j[i < j]]
    weights = np.where(rng.random(len(i)) < 0.3, 1.0, max_weight * rng.random(len(i)))
    return Qbaf.from_arrays(base, i, j, weights * rng.choice([-1, 1], len(i)))
