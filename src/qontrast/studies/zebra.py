"""The paper's introduction: why zebra rather than horse, why zebra rather than tiger?"""

from __future__ import annotations

from ..engine.problem import strengths
from ..examples import load
from ..explain.contrast import contrast
from ..show.numbers import fixed
from ..types import Progress
from . import figures
from .page import Claim, Number, Page

PRINTED = {"zebra": "0.875", "horse": "0.5", "tiger": "0.5"}
METHODS = ("removal", "gradient", "shapley")


def run(progress: Progress | None = None) -> Page:
    """Strengths, and both contrasts by all three methods."""
    qbaf = load("zebra")
    sigma = strengths(qbaf)
    numbers = [Number(f"strength of {name}", value, sigma[name], "introduction") for name, value in PRINTED.items()]
    numbers += [Number(f"base score of {name}", "0.5", qbaf.base_scores[name], "introduction") for name in qbaf]
    rows: list[tuple[object, ...]] = []
    claims = [Claim("zebra is predicted as it has the highest strength", max(sigma, key=sigma.__getitem__) == "zebra")]
    for foil, reason in (("horse", "stripes"), ("tiger", "herbivore")):
        for method in METHODS:
            why = contrast(qbaf, "zebra", foil, method=method)
            rows += [(f"zebra over {foil}", method, x, value) for x, value in why.items()]
            first, value = why.ranked()[0]
            says = f"the contrastive explanation for zebra over {foil} is {reason} ({method})"
            claims.append(Claim(says, first == reason and value > 0, f"{first} {fixed(value, 4, '+')}"))
    return Page(
        title="Zebra, horse or tiger",
        introduction=(
            "The paper's first example: DF-QuAD, every base score 0.5. The picture is missing from the paper's "
            "source; its text fixes all edges: stripes and herbivore support zebra, each supports one of the "
            "other classes and attacks the other."
        ),
        numbers=numbers,
        claims=claims,
        tables=[("Contributions (the paper prints none)", ("contrast", "method", "argument", "contribution"), rows)],
        draw_figures=figures.zebra,
    )
