"""What has to be the same on every machine: values, orders, sentences and pictures of the examples.

`python -m tests.support.same_everywhere` writes the record anew, where a sentence or a picture was changed on purpose.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from typing import Any

import qontrast as qx
from qontrast.show import bars_svg, graph_svg
from tests.support.paths import ROOT

RECORD = ROOT / "tests" / "numbers" / "same_everywhere.json"
PAIRS = {
    "zebra": ("zebra", "tiger"),
    "healthcare": ("antiviral", "antibiotic"),
    "loan": ("approve", "refer"),
    "products": ("aurora", "pulse"),
}
DRAWN = ("claim", "debate")
METHODS: dict[str, dict[str, Any]] = {
    "shapley": {},
    "removal": {},
    "gradient": {},
    "sampled": {"budget": 200, "sampler": "regression"},
    "owen": {"players": "edges", "orders": 12},
}


def compute() -> dict[str, Any]:
    """Answer the same questions about some examples; values are written in full, pictures as a digest."""
    found: dict[str, Any] = {}
    for name in DRAWN:
        found[f"{name} picture"] = {"picture": _digest(graph_svg(qx.examples.load(name)))}
    for name, (fact, foil) in PAIRS.items():
        qbaf = qx.examples.load(name)
        found[f"{name} strengths"] = {"values": _name(qx.strengths(qbaf)), "picture": _digest(graph_svg(qbaf))}
        found[f"{name} rank"] = {"order": list(qx.rank(qbaf, method="gradient").order)}
        for method, settings in METHODS.items():
            why = qx.contrast(qbaf, fact, foil, method=method, **settings)
            found[f"{name} {method}"] = {
                "values": _name(why),
                "order": [str(player) for player, _ in why.ranked()],
                "text": str(why),
                "picture": _digest(bars_svg(why)),
            }
        pairs = qx.interactions(qbaf, fact, foil).strongest(8) if name != "products" else []
        found[f"{name} interactions"] = {"values": _name(dict(pairs)), "order": [str(pair) for pair, _ in pairs]}
    return found


def _name(values: Mapping[Any, float]) -> dict[str, float]:
    return {str(key): float(value) for key, value in values.items()}


def _digest(svg: str) -> str:
    """Digest a picture as it is drawn; the values in its attributes have all their bits."""
    drawn = re.sub(r"-?\d+\.\d+(?:e-\d+)?", lambda number: f"{round(float(number[0]), 9):.9f}", svg)
    return hashlib.sha256(drawn.encode()).hexdigest()[:16]


if __name__ == "__main__":
    RECORD.write_text(json.dumps(compute(), indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
