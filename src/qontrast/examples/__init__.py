"""Example graphs: the QBAFs of papers and some of our own as files, and random ones.

>>> load("zebra")
<Qbaf: 5 arguments, 2 attacks, 4 supports, topics 'zebra', 'horse', 'tiger', df-quad>
>>> from qontrast import read
>>> read("examples:zebra") == load("zebra")
True
"""

from __future__ import annotations

from pathlib import Path

from ..errors import unknown_name
from ..formats import SOURCES, read_text
from ..graph.qbaf import Qbaf
from ._random import KINDS, random

__all__ = ["EXAMPLES", "KINDS", "load", "random"]

EXAMPLES = {  # name → what it is about; the graph is the file of that name
    "zebra": "Is the animal a zebra, a horse or a tiger? The paper's first example.",
    "healthcare": "Which treatment: antiviral, antibiotic or bronchodilator? The paper's case study; cyclic.",
    "counterfactuality": "Gradient and Shapley violate counterfactuality here. From the paper's proofs.",
    "local-faithfulness": "Removal and Shapley violate local faithfulness here. From the paper's proofs.",
    "efficiency": "Removal and gradient violate cross-topic-adjusted efficiency here. From the paper's proofs.",
    "loan": "Approve, refer or decline a loan? Edges have weights.",
    "claim": "Is a claim about vitamin C true or false? In the shape that the ArgLLM tools write.",
    "products": "Which of four headphones? Reviews speak for and against their aspects.",
    "undefined": "Two certain arguments attack each other: their strengths are undefined.",
    "debate": "How should a city pay for its buses? Sixty arguments on three answers.",
}


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
    if name not in EXAMPLES:
        raise unknown_name(name, EXAMPLES, kind="example")
    text = Path(__file__).with_name(f"{name}.json").read_text(encoding="utf-8")
    return read_text(text, "json", name=f"examples:{name}")


SOURCES["examples"] = load
