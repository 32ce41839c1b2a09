"""How the healthcare graph was found again: every assignment of the symptom edges, tried.

The paper's picture is missing from its source. The text gives the layers, the edges above the symptoms, base scores
(0.5) and diagnosis strengths: 0.75, 0.6 and 0.4 mean energies 1, 1/2 and −1/2, so that of the symptoms, of strength 1/2
each, 2, 1 and −1 more support a diagnosis than attack it. What is left are the rows of five symptoms, each −, · or + on
three diagnoses. The two printed cross-topic values do not depend on which symptom is which, so assignments are counted
as sets of rows.

Coalitions reach the treatments only through the strengths of the diagnoses, which take 12 values each (absent, or one
of 11 energies): so 12³ · 2³ solutions of the treatments alone serve all games of all assignments.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations_with_replacement, product

import numpy as np

from ..attribution.shapley.coalitions import sum_coalitions
from ..engine.problem import solve_lanes
from ..examples import load
from ..semantics import SEMANTICS
from ..types import Bools, Floats, Integers

DIAGNOSES = ("viral", "bacterial", "asthma")
TREATMENTS = ("antiviral", "antibiotic", "bronchodilator")
SYMPTOMS = ("pcr", "wbc", "fever", "cough", "wheezing")
BALANCE = (2, 1, -1)  # supporters − attackers of each diagnosis
PRINTED = (-0.0705, -0.0779)  # φ_antiviral(antibiotic), φ_antibiotic(antiviral)
ABSENT = 11  # a diagnosis's state: its energy in halves, −5 … 5, plus 5; or that it is absent

Row = tuple[int, int, int]


@dataclass(frozen=True)
class Recovery:
    """All assignments with the right diagnosis strengths, and those that meet the printed cross-topic values."""

    tried: int
    fits: tuple[tuple[tuple[Row, ...], float, float], ...]  # rows, and the two cross-topic values


def recover() -> Recovery:
    """Every set of five rows with the right balance, against the two printed values."""
    table, assignments = _treatments(), list(_assignments())
    rows = np.array(assignments)
    values = np.stack([_cross_topic(table, rows, 0, 1), _cross_topic(table, rows, 1, 0)], axis=1)
    near = np.flatnonzero((np.abs(values - PRINTED) <= 5e-5).all(axis=1)).tolist()
    return Recovery(len(assignments), tuple((assignments[k], *values[k].tolist()) for k in near))


def drawn_rows() -> tuple[Row, ...]:
    """The rows of the graph in `examples`, as sets of rows are written here."""
    qbaf = load("healthcare")
    sign = {**dict.fromkeys(qbaf.attacks, -1), **dict.fromkeys(qbaf.supports, 1)}
    rows = [tuple(sign.get((s, d), 0) for d in DIAGNOSES) for s in SYMPTOMS]
    return tuple(sorted(rows))  # type: ignore[arg-type]


def _assignments() -> Iterator[tuple[Row, ...]]:
    every: list[Row] = [(a, b, c) for a, b, c in product((-1, 0, 1), repeat=3)]
    for rows in combinations_with_replacement(every, len(SYMPTOMS)):
        if tuple(map(sum, zip(*rows, strict=True))) == BALANCE:
            yield rows


def _treatments() -> Floats:
    """σ[state of each diagnosis, present treatments as bits, treatment], of the upper two layers alone."""
    qbaf = load("healthcare").restrict((*DIAGNOSES, *TREATMENTS))
    energy = np.arange(-5, 6) / 2
    iota = SEMANTICS["qe"].influence.strength
    own = np.append(iota(np.full(11, 0.5), energy), 0.0)
    *states, treatments = np.indices((12, 12, 12, 8)).reshape(4, -1)
    base = np.full((len(treatments), len(qbaf)), 0.5)
    present = np.ones_like(base)
    for name, state in zip(DIAGNOSES, states, strict=True):
        base[:, qbaf.index(name)] = own[state]
        present[:, qbaf.index(name)] = state != ABSENT
    for k, name in enumerate(TREATMENTS):
        present[:, qbaf.index(name)] = treatments >> k & 1
    found = solve_lanes(qbaf, present=present, base_scores=base, semantics="qe")
    return found[:, [qbaf.index(name) for name in TREATMENTS]].reshape(12, 12, 12, 8, 3)


def _cross_topic(table: Floats, rows: Integers, topic: int, player: int) -> Floats:
    """Compute the Shapley value of one treatment in the game of another, under each assignment.

    Ten play: the five symptoms, the three diagnoses, this treatment and the third one.
    """

    def values(coalitions: Bools) -> Floats:
        states = np.where(coalitions[:, 5:8], coalitions[:, :5] @ rows + 5, ABSENT)  # (assignments, coalitions, 3)
        there = coalitions[:, 8:] @ [1 << player, 1 << (3 - topic - player)] + (1 << topic)
        return table[*np.moveaxis(states, -1, 0), there, topic]

    return sum_coalitions(values, 10)[:, 8]
