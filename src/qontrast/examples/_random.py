"""Make random graphs; the same seed gives the same graph on every machine.

- dag: every edge goes from a later argument to an earlier one
- tree: every argument but the first has one edge, to an earlier one
- layered: about √n layers of equal size, edges from each layer to the one before
- cyclic: edges between any two different arguments
"""

from __future__ import annotations

import numpy as np

from ..errors import InvalidInput, unknown_name
from ..graph.qbaf import Qbaf
from ..types import Floats, Integers

KINDS = ("dag", "tree", "layered", "cyclic")


def random(
    n: int,
    kind: str = "dag",
    *,
    in_degree: float = 2.0,
    attacks: float = 0.5,
    weights: bool = False,
    topics: int = 2,
    semantics: str | None = None,
    seed: int = 0,
) -> Qbaf:
    """Make a random graph of n arguments 'a0', 'a1', …, the first of which are the topics.

    Parameters
    ----------
    n : int
        How many arguments.
    kind : {"dag", "tree", "layered", "cyclic"}
        Its shape.
    in_degree : float
        The mean number of edges into an argument; less where chance draws one twice. A tree has its own.
    attacks : float
        The share of attacks among the edges.
    weights : bool
        Whether edges get weights between 0 and 1; all have 1 otherwise.
    topics : int
        How many topics.
    semantics : str, optional
        The graph's own semantics.
    seed : int
        The same seed gives the same graph on every machine.

    Returns
    -------
    Qbaf

    Raises
    ------
    InvalidInput, UnknownName
        If a setting is out of range, or the kind is not known.

    Examples
    --------
    >>> random(6, "tree", seed=1)
    <Qbaf: 6 arguments, 3 attacks, 2 supports, topics 'a0', 'a1'>
    """
    _check_settings(n, kind, in_degree, attacks)
    rng = np.random.default_rng(seed)
    base_scores = rng.random(n)
    sources, targets = _draw_edges(rng, n, kind, round(n * in_degree))
    signs = np.where(rng.random(len(sources)) < attacks, -1.0, 1.0)
    signed: Floats = signs * rng.random(len(sources)) if weights else signs
    names = [f"a{i}" for i in range(n)]
    return Qbaf.from_arrays(
        base_scores, sources, targets, signed, names=names, topics=names[: max(topics, 0)], semantics=semantics
    )


def _check_settings(n: int, kind: str, in_degree: float, attacks: float) -> None:
    if kind not in KINDS:
        raise unknown_name(kind, KINDS, kind="kind of graph")
    if n < 1:
        raise InvalidInput(f"a random graph of {n} arguments; ask for at least 1")
    if not in_degree >= 0:
        raise InvalidInput(f"in_degree is {in_degree}; give a number ≥ 0")
    if not 0 <= attacks <= 1:
        raise InvalidInput(f"attacks is {attacks}; give a share between 0 and 1")


def _draw_edges(rng: np.random.Generator, n: int, kind: str, size: int) -> tuple[Integers, Integers]:
    if kind == "tree":
        children = np.arange(1, n)
        return children, np.floor(rng.random(n - 1) * children).astype(np.intp)
    one, other = rng.integers(n, size=(2, size))
    if kind == "layered":
        width = max(1, round(n**0.5))
        one = np.minimum(other // width * width + width + rng.integers(width, size=size), n - 1)
        kept = one // width == other // width + 1
    else:
        kept = one != other
        if kind == "dag":
            one, other = np.maximum(one, other), np.minimum(one, other)
    key = np.unique(one[kept].astype(np.int64) * n + other[kept])
    return (key // n).astype(np.intp), (key % n).astype(np.intp)
