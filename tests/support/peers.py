"""Read the results of other libraries in tests/numbers/peers.json.

Each case has a graph, a semantics and what another library computes: `expected`, within `tolerance`. Where that
library uses finite differences or stops early, `reference_exact` has the exact numbers, and they count.
"""

from __future__ import annotations

import json
from typing import Any

from qontrast import Qbaf, Semantics
from tests.support.paths import PEERS

# their name of a semantics: ours. "basic" is not ours: it is linear and unbounded, so it is made here
SEMANTICS: dict[str, str | Semantics] = {
    "DF-QuAD": "df-quad",
    "QE": "qe",
    "EB": "reb",
    "EBT": "ebt",
    "SquaredDFQuAD": "df-quad-1-max",
    "MLP": "mlp",
    "basic": Semantics("basic", lambda att, sup: sup.sum(0) - att.sum(0), lambda b, e: b + e, bounded=False),
}


def read_cases(kind: str) -> list[dict[str, Any]]:
    """All cases of one kind: strength, removal, gradient, shapley or intrinsic_removal."""
    cases = json.loads(PEERS.read_text(encoding="utf-8"))
    return [case for case in cases if case["kind"] == kind]


def scale_of(case: dict[str, Any]) -> float:
    """What base scores are divided by: "basic" is linear, so its graphs are solved in [0, 1] and scaled back."""
    return max(1.0, *case["arguments"].values()) if case["semantics"] == "basic" else 1.0


def graph_of(case: dict[str, Any]) -> Qbaf:
    """The graph of a case, its base scores divided by `scale_of(case)`."""
    size = scale_of(case)
    scores = {name: value / size for name, value in case["arguments"].items()}
    return Qbaf(scores, _edges(case, "attacks"), _edges(case, "supports"))


def truth_of(case: dict[str, Any]) -> dict[str, float]:
    """The numbers to meet, the exact ones where there are any."""
    return case.get("reference_exact", case["expected"])


def _edges(case: dict[str, Any], kind: str) -> dict[tuple[str, str], float] | list[tuple[str, str]]:
    pairs = [(source, target) for source, target in case[kind]]
    weights = case.get("edge_weights")
    if not weights:
        return pairs
    given = {tuple(key.split("->")) if isinstance(key, str) else tuple(key): w for key, w in dict(weights).items()}
    return {pair: given.get(pair, 1.0) for pair in pairs}
