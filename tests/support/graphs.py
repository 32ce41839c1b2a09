"""Small graphs that several tests use: the paper's examples, a graph with a kink, and a semantics of a user's own."""

from __future__ import annotations

import numpy as np

from qontrast import Aggregation, Influence, Qbaf, Semantics


def halves(*names: str) -> dict[str, float]:
    return dict.fromkeys(names, 0.5)


ZEBRA = Qbaf(
    halves("zebra", "horse", "tiger", "stripes", "herbivore"),
    attacks=[("stripes", "horse"), ("herbivore", "tiger")],
    supports=[("stripes", "zebra"), ("herbivore", "zebra"), ("herbivore", "horse"), ("stripes", "tiger")],
)

SYMPTOMS = {  # on viral pneumonia, bacterial pneumonia, asthma
    "pcr": "+--",
    "wbc": ".+-",
    "fever": "++-",
    "cough": "+++",
    "wheezing": "--+",
}
DIAGNOSES = ["viral", "bacterial", "asthma"]
TREATMENTS = ["antiviral", "antibiotic", "bronchodilator"]


def healthcare() -> Qbaf:
    signs = {(s, d): sign for s, row in SYMPTOMS.items() for d, sign in zip(DIAGNOSES, row, strict=True)}
    signs |= {(d, t): "+" if i == j else "-" for i, d in enumerate(DIAGNOSES) for j, t in enumerate(TREATMENTS)}
    signs |= {(t, u): "-" for t in TREATMENTS for u in TREATMENTS if t != u}
    return Qbaf(
        halves(*SYMPTOMS, *DIAGNOSES, *TREATMENTS),
        attacks=[pair for pair, sign in signs.items() if sign == "-"],
        supports=[pair for pair, sign in signs.items() if sign == "+"],
        semantics="qe",
    )


# attack and support of t are equal and its base score is not 1/2: no slope exists in att and sup
KINK = Qbaf({"t": 0.8, "att": 0.5, "sup": 0.5}, attacks=[("att", "t")], supports=[("sup", "t")])

SAID = Semantics(
    "said",
    Aggregation(lambda att, sup: sup.sum(0) - att.sum(0), lambda att, sup: (-np.ones_like(att), np.ones_like(sup))),
    Influence(lambda b, e: b * np.exp(-e * e), lambda b, e: np.exp(-e * e), lambda b, e: -2 * e * b * np.exp(-e * e)),
)
