"""The paper's case study: why antiviral rather than antibiotic therapy?"""

from __future__ import annotations

from ..engine.problem import strengths
from ..examples import load
from ..explain.contrast import Contrast, contrast
from ..graph.qbaf import Qbaf
from ..show.numbers import fixed
from ..types import Progress
from . import figures
from .page import Claim, Number, Page
from .recovery import DIAGNOSES, SYMPTOMS, Recovery, drawn_rows, recover

STRENGTHS = {
    **dict.fromkeys(SYMPTOMS, "0.5"),
    "viral": "0.75",
    "bacterial": "0.6",
    "asthma": "0.4",
    "antiviral": "0.3564",
    "antibiotic": "0.2368",
    "bronchodilator": "0.1479",
}
PLACE = "CAFs for Healthcare"
METHODS = ("shapley", "gradient", "removal")


def run(progress: Progress | None = None) -> Page:
    """Strengths, the sums of the property illustration, all contributions, and the graph's recovery."""
    qbaf = load("healthcare")
    whys = {method: contrast(qbaf, "antiviral", "antibiotic", method=method) for method in METHODS}
    found = recover()
    return Page(
        title="Why antiviral rather than antibiotic therapy",
        introduction=(
            "The paper's case study: QE, every base score 0.5, eleven arguments; the three treatments attack each "
            "other, so the graph is cyclic."
        ),
        numbers=[*_strengths(qbaf), *_sums(whys["shapley"])],
        claims=[*_statements(whys["shapley"]), *_recovered(found)],
        tables=[(f"Contributions: {method}", HEAD, _rows(why)) for method, why in whys.items()],
        notes=(_story(found),),
        draw_figures=figures.healthcare,
        data={"recovery": {"tried": found.tried, "fits": [list(rows) for rows, _, _ in found.fits]}},
    )


HEAD = ("argument", "on antiviral", "on antibiotic", "contrast")


def _rows(why: Contrast) -> list[tuple[object, ...]]:
    fact, foil = why.individual[why.fact], why.individual[why.foil]
    return [(why.qbaf.label(x), fact[x], foil[x], value) for x, value in why.items()]


def _strengths(qbaf: Qbaf) -> list[Number]:
    sigma = strengths(qbaf)
    return [Number(f"strength of {qbaf.label(x)}", paper, sigma[x], PLACE) for x, paper in STRENGTHS.items()]


def _sums(why: Contrast) -> list[Number]:
    """The numbers of the paragraph "Property Illustration"."""
    fact, foil = why.individual["antiviral"], why.individual["antibiotic"]
    cross, others = why.cross_topic, sum(why.values())
    both = "the paper subtracts rounded values; unrounded they give 0.007383, which rounds to the same"
    place = f"{PLACE}, property illustration"
    return [
        Number("gap", "0.1196", why.gap, place),
        Number("base score gap", "0", why.base_gap, place),
        Number("non-topic contributions add up to", "0.1123", others, place),
        Number("antibiotic's contribution to antiviral", "-0.0705", cross.fact_from_foil, place),
        Number("antiviral's contribution to antibiotic", "-0.0779", cross.foil_from_fact, place),
        Number("cross-topic component", "0.0074", cross.component, place, both),
        Number("adjusted sum", "0.1196", others + cross.component, place),
        Number("contributions to antiviral add up to", "-0.1436", sum(fact.values()), place),
        Number("contributions to antibiotic add up to", "-0.2632", sum(foil.values()), place),
        Number("0.5 and that sum, antiviral", "0.3564", fact.base_score + sum(fact.values()), place),
        Number("0.5 and that sum, antibiotic", "0.2368", foil.base_score + sum(foil.values()), place),
    ]


def _statements(why: Contrast) -> list[Claim]:
    fact, foil = why.individual["antiviral"], why.individual["antibiotic"]
    symptoms = {x: why[x] for x in SYMPTOMS}
    best, worst = max(symptoms, key=symptoms.__getitem__), min(symptoms, key=symptoms.__getitem__)
    top, low = max(why, key=why.__getitem__), min(why, key=why.__getitem__)
    asthma, wbc = (
        f"{_signed(fact[x])} on antiviral, {_signed(foil[x])} on antibiotic; contrast {_signed(why[x])}"
        for x in ("asthma", "wbc")
    )
    smallest = min(map(abs, why.values()))
    return [
        Claim("antiviral therapy has the highest strength among the treatments", why.gap > 0, _signed(why.gap)),
        Claim("among symptoms, PCR has the largest positive influence", best == "pcr", _signed(why[best])),
        Claim("viral pneumonia has the strongest positive influence", top == "viral", _signed(why[top])),
        Claim("bacterial pneumonia has the strongest negative influence", low == "bacterial", _signed(why[low])),
        Claim("asthma is negative on both treatments", fact["asthma"] < 0 and foil["asthma"] < 0, asthma),
        Claim("asthma's contrast is close to 0 (here: the smallest)", abs(why["asthma"]) == smallest, asthma),
        Claim("WBC has little influence on antiviral therapy", abs(fact["wbc"]) == min(map(abs, fact.values())), wbc),
        Claim("WBC has the largest negative contrast (read: among symptoms)", worst == "wbc", wbc),
    ]


def _signed(value: float) -> str:
    return fixed(value, 4, "+")


def _recovered(found: Recovery) -> list[Claim]:
    unique = [rows for rows, _, _ in found.fits if fits_the_text(rows)]
    says = "(not in the paper) one assignment of symptom edges meets both printed cross-topic values and the text"
    return [Claim(says, unique == [drawn_rows()], f"{found.tried} tried, {len(found.fits)} meet the two values")]


def fits_the_text(rows: tuple[tuple[int, int, int], ...]) -> bool:
    """PCR is +−−, another symptom, wheezing, supports asthma, and none is unconnected."""
    pcr = (1, -1, -1)
    return pcr in rows and any(row[2] == 1 for row in rows) and (0, 0, 0) not in rows


def _story(found: Recovery) -> str:
    closest = "; ".join(
        f"{' '.join(''.join('-·+'[sign + 1] for sign in row) for row in rows)} ({fixed(a, 6)}, {fixed(b, 6)})"
        for rows, a, b in found.fits
    )
    return STORY.format(tried=found.tried, fits=len(found.fits), closest=closest, names=", ".join(DIAGNOSES))


STORY = """## How the graph was recovered

The picture of the graph is missing from the paper's source. Its text gives the three layers, the edges between
diagnoses and treatments and the mutual attacks of the treatments. The printed diagnosis strengths 0.75, 0.6 and 0.4
mean that supporters minus attackers are 2, 1 and −1 (each symptom has strength 1/2, and QE turns energies 1, 1/2 and
−1/2 into these). {tried} sets of five symptom rows on ({names}) have this balance.

{fits} of them give the printed cross-topic values −0.0705 and −0.0779 to four digits: {closest}.

The text says that PCR supports viral pneumonia, attacks bacterial pneumonia and weakens asthma (+−−), and that wheezing
supports asthma; and no symptom is drawn without an edge. One set is left: +−−, ·+−, ++−, +++, −−+. The first is PCR.
WBC has little influence on antiviral therapy and the largest negative contrast of all symptoms: ·+−. Which of the
others is which the text does not settle (two support asthma); fever ++−, cough +++ and wheezing −−+ are the ordinary
course of these illnesses, and exchanging them would exchange their bars and nothing else.
"""
