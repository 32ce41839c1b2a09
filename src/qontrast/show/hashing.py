"""The fingerprint of a graph, by which a report can be matched with its file."""

from __future__ import annotations

import hashlib
import json
from math import copysign

from ..graph.qbaf import Qbaf


def fingerprint(qbaf: Qbaf) -> str:
    """Compute the SHA-256 of a graph, with its labels, topics, semantics, groups and uncertain base scores.

    Parameters
    ----------
    qbaf : Qbaf
        The graph.

    Returns
    -------
    str
        64 hexadecimal digits. Equal graphs have equal ones, in whatever order they were given.

    Examples
    --------
    >>> from qontrast import Qbaf
    >>> q = Qbaf({"a": 0.5, "b": 0.25}, attacks=[("a", "b")])
    >>> fingerprint(q) == fingerprint(Qbaf({"b": 0.25, "a": 0.5}, attacks=[("a", "b")]))
    True
    """
    ends = zip(qbaf.sources.tolist(), qbaf.targets.tolist(), qbaf.weights.tolist(), strict=True)
    names = qbaf.arguments
    edges = [(str(names[i]), str(names[j]), "attack" if copysign(1, w) < 0 else "support", abs(w)) for i, j, w in ends]
    data = (
        {
            "arguments": sorted((str(name), float(score)) for name, score in qbaf.base_scores.items()),
            "edges": sorted(edges),
            "labels": sorted((str(name), label) for name, label in qbaf.labels.items()),
            "topics": [str(topic) for topic in qbaf.topics],
            "semantics": qbaf.semantics,
        }
        | (
            {"groups": sorted((name, sorted(map(str, each))) for name, each in qbaf.groups.items())}
            if qbaf.groups
            else {}
        )
        | (
            {"uncertain": {str(name): each.to_dict() for name, each in qbaf.uncertain.items()}}
            if qbaf.uncertain
            else {}
        )
    )
    return hashlib.sha256(json.dumps(data, sort_keys=True).encode()).hexdigest()
