"""Example graphs: the QBAFs of papers and some of our own as files, and random ones.

>>> load("zebra")
<Qbaf: 5 arguments, 2 attacks, 4 supports, topics 'zebra', 'horse', 'tiger', df-quad>
>>> from qontrast import read
>>> read("examples:zebra") == load("zebra")
True
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ..errors import InvalidInput, unknown_name
from ..formats import EXAMPLE_FILES, read
from ..graph.qbaf import Qbaf
from ..types import Floats, Integers

__all__ = ["EXAMPLES", "KINDS", "Example", "load", "random"]

KINDS = ("dag", "tree", "layered", "cyclic")  # of random graphs


@dataclass(frozen=True)
class Example:
    """One row of the table: everything about an example.

    Parameters
    ----------
    name : str
        What `load` takes; its graph is the file of that name.
    description : str
        One line of help: what it is about, and where it comes from.
    """

    name: str
    description: str

    def load(self) -> Qbaf:
        """Read the graph."""
        return load(self.name)


EXAMPLES: dict[str, Example] = {
    each.name: each
    for each in (
        Example("zebra", "Is the animal a zebra, a horse or a tiger? The paper's first example."),
        Example(
            "healthcare", "Which treatment: antiviral, antibiotic or bronchodilator? The paper's case study; cyclic."
        ),
        Example("counterfactuality", "Gradient and Shapley violate counterfactuality here. From the paper's proofs."),
        Example("local-faithfulness", "Removal and Shapley violate local faithfulness here. From the paper's proofs."),
        Example(
            "efficiency", "Removal and gradient violate cross-topic-adjusted efficiency here. From the paper's proofs."
        ),
        Example("loan", "Approve, refer or decline a loan? Edges have weights."),
        Example("claim", "Is a claim about vitamin C true or false? In the shape that the ArgLLM tools write."),
        Example("products", "Which of four headphones? Reviews speak for and against their aspects."),
        Example("undefined", "Two certain arguments attack each other: their strengths are undefined."),
        Example("debate", "How should a city pay for its buses? Sixty arguments on three answers."),
    )
}
EXAMPLE_FILES.update({name: Path(__file__).with_name(f"{name}.json") for name in EXAMPLES})


def load(name: str) -> Qbaf:
    """Load an example that comes with the library.

    Parameters
    ----------
    name : str
        One of `EXAMPLES`.

    Returns
    -------
    Qbaf

    Raises
    ------
    UnknownName
        If there is no example of this name.

    Examples
    --------
    >>> load("zebra").topics
    ('zebra', 'horse', 'tiger')
    """
    return read(f"examples:{name}")


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

    - dag: every edge goes from a later argument to an earlier one
    - tree: every argument but the first has one edge, to an earlier one
    - layered: about √n layers of equal size, edges from each layer to the one before
    - cyclic: edges between any two different arguments

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
