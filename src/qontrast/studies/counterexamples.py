"""The counterexamples of the paper's proofs: every fraction that they print, and the witnesses that our checks give."""

from __future__ import annotations

from ..axioms import AXIOMS, Witness
from ..engine.problem import strengths
from ..examples import load
from ..explain.contrast import Contrast, contrast
from ..graph.qbaf import Qbaf
from ..types import Progress
from .page import Claim, Number, Page

METHODS = ("removal", "gradient", "shapley")
PROPERTIES = ("counterfactuality", "local-faithfulness", "efficiency")  # each has an example of its name


def run(progress: Progress | None = None) -> Page:
    """The three graphs: numbers, and the property checked."""
    numbers = [*_counterfactuality(), *_local_faithfulness(), *_efficiency()]
    claims = []
    for name in PROPERTIES:
        for method in AXIOMS[name].refuted_for:
            outcome = AXIOMS[name](load(name), method)
            words = outcome.words if isinstance(outcome, Witness) else str(outcome)
            claims.append(Claim(f"{method} violates {AXIOMS[name].title}", isinstance(outcome, Witness), words))
    return Page(
        title="The counterexamples of the proofs",
        introduction=(
            "Three graphs of four arguments, DF-QuAD, every base score 1/2. All fractions are exact in the paper."
        ),
        numbers=numbers,
        claims=claims,
    )


def _contrasts(qbaf: Qbaf) -> dict[str, Contrast]:
    return {method: contrast(qbaf, "alpha", "beta", method=method) for method in METHODS}


def _gap(qbaf: Qbaf, place: str, alpha: str, beta: str, gap: str, where: str = "") -> list[Number]:
    sigma = strengths(qbaf)
    return [
        Number(f"σ(α){where}", alpha, sigma["alpha"], place),
        Number(f"σ(β){where}", beta, sigma["beta"], place),
        Number(f"gap{where}", gap, sigma["alpha"] - sigma["beta"], place),
    ]


def _counterfactuality() -> list[Number]:
    qbaf, place = load("counterfactuality"), "proof of counterfactuality"
    whys = _contrasts(qbaf)
    each = whys["shapley"].individual
    return [
        *_gap(qbaf, place, "17/32", "3/16", "11/32"),
        *_gap(qbaf.without("gamma"), place, "5/8", "1/4", "3/8", " without γ"),
        Number("Φ(γ), gradient", "1/8", whys["gradient"]["gamma"], place),
        Number("φ_α(γ), Shapley", "-1/32", each["alpha"]["gamma"], place),
        Number("φ_β(γ), Shapley", "-5/32", each["beta"]["gamma"], place),
        Number("Φ(γ), Shapley", "1/8", whys["shapley"]["gamma"], place),
        Number("Φ(γ), removal", "", whys["removal"]["gamma"], place, "not printed; 11/32 − 3/8 = −1/32"),
    ]


def _local_faithfulness() -> list[Number]:
    qbaf, place = load("local-faithfulness"), "proof of local faithfulness"
    whys = _contrasts(qbaf)
    each = whys["shapley"].individual
    return [
        *_gap(qbaf, place, "15/64", "1/16", "11/64"),
        *_gap(qbaf.without("gamma"), place, "3/8", "1/4", "1/8", " without γ"),
        Number("Φ(γ), removal", "3/64", whys["removal"]["gamma"], place),
        Number("Φ(γ), gradient", "-5/32", whys["gradient"]["gamma"], place),
        Number("φ_α(γ), Shapley", "-35/192", each["alpha"]["gamma"], place),
        Number("φ_β(γ), Shapley", "-7/32", each["beta"]["gamma"], place),
        Number("Φ(γ), Shapley", "7/192", whys["shapley"]["gamma"], place),
    ]


def _efficiency() -> list[Number]:
    qbaf, place = load("efficiency"), "proof of cross-topic-adjusted efficiency"
    numbers = _gap(qbaf, place, "7/8", "1/2", "3/8")
    printed = {"removal": ("1/8", "1/4"), "gradient": ("1/4", "1/2"), "shapley": ("", "3/8")}
    for method, why in _contrasts(qbaf).items():
        one, total = printed[method]
        for x in ("gamma", "eta"):
            numbers.append(Number(f"φ_α({qbaf.label(x)}), {method}", one, why.individual["alpha"][x], place))
        whole = sum(why.values()) + why.cross_topic.component
        note = "by the property, which is printed as the gap" if method == "shapley" else ""
        numbers.append(Number(f"Σ Φ + cross-topic, {method}", total, whole, place, note))
    return numbers
