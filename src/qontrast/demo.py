"""What `make demo` shows: the paper's question, why antiviral rather than antibiotic, with its answer."""

from __future__ import annotations

from .contrast import contrast
from .paths import paths
from .qbaf import Qbaf

LABELS = {
    "pcr": "Positive PCR test",
    "wbc": "Elevated WBC count",
    "fever": "High fever",
    "cough": "Cough",
    "wheezing": "Wheezing",
    "viral": "Viral pneumonia",
    "bacterial": "Bacterial pneumonia",
    "asthma": "Asthma",
    "antiviral": "Antiviral therapy",
    "antibiotic": "Antibiotic therapy",
    "bronchodilator": "Bronchodilator therapy",
}
DIAGNOSES, TREATMENTS = ("viral", "bacterial", "asthma"), ("antiviral", "antibiotic", "bronchodilator")
SYMPTOMS = {"pcr": "+--", "wbc": " +-", "fever": "++-", "cough": "+++", "wheezing": "--+"}  # on the diagnoses


def healthcare() -> Qbaf:
    """The paper's treatment choice: symptoms, diagnoses, and treatments that exclude each other."""
    edges = {(symptom, d): sign for symptom, row in SYMPTOMS.items() for d, sign in zip(DIAGNOSES, row, strict=True)}
    edges |= {(d, t): "+" if d == own else "-" for d in DIAGNOSES for own, t in zip(DIAGNOSES, TREATMENTS, strict=True)}
    edges |= {(a, b): "-" for a in TREATMENTS for b in TREATMENTS if a != b}
    return Qbaf(
        dict.fromkeys(LABELS, 0.5),
        attacks=[pair for pair, sign in edges.items() if sign == "-"],
        supports=[pair for pair, sign in edges.items() if sign == "+"],
        labels=LABELS,
        topics=TREATMENTS,
        semantics="qe",
    )


def main() -> None:
    qbaf = healthcare()
    why = contrast(qbaf, "antiviral", "antibiotic", method="shapley")
    print(f"Why {qbaf.label(why.fact)} rather than {qbaf.label(why.foil)}?\n\n{why}\n")
    for name, value in why.ranked():
        bar = "█" * round(60 * abs(value))
        print(f"  {qbaf.label(name):24} {value:+.4f}  {bar}")
    print(f"  {'(on each other)':24} {why.cross_topic.component:+.4f}")
    print(f"\n  they add up to the gap: {sum(why.values()):.4f} + {why.cross_topic.component:.4f} = {why.gap:.4f}")
    print(f"\nHow {qbaf.label('pcr')} acts:\n{paths(qbaf, 'pcr', 'antiviral', most=4)}")


if __name__ == "__main__":
    main()
