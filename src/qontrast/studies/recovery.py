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

from ..attribution.shapley.coalitions import list_coalitions, weigh_coalitions
from ..engine.problem import solve_lanes
from ..examples import load
from ..semantics import SEMANTICS
from ..types import Floats

DIAGNOSES = ("viral", "bacterial", "asthma")
TREATMENTS = ("antiviral", "antibiotic", "bronchodilator")
SYMPTOMS = ("pcr", "wbc", "fever", "cough", "wheezing")
BALANCE = (2, 1, -1)  # supporters − attackers of each diagnosis
PRINTED = (-0.0705, -0.0779)  # φ_antiviral(antibiotic), φ_antibiotic(antiviral)
ABSENT = 11  # a diagnosis's state: its energy in halves, −5 … 5, plus 5; or that it is absent

Row = tuple[int, int, int]

_COALITIONS = list_coalitions(10)  # five symptoms, three diagnoses, the treatment that plays, the third treatment
_PLAYER_WEIGHTS = weigh_coalitions(_COALITIONS)[:, 8]  # of the treatment that plays


@dataclass(frozen=True)
class Recovery:
    """All assignments with the right diagnosis strengths, and those that meet the printed cross-topic values."""

    tried: int
    fits: tuple[tuple[tuple[Row, ...], float, float], ...]  # rows, and the two cross-topic values


def recover() -> Recovery:
    """Every set of five rows with the right balance, against the two printed values."""
    table = _treatments()
    assignments = list(_assignments())
    fits = []
    for rows in assignments:
        first, second = _cross_topic(table, rows, 0, 1), _cross_topic(table, rows, 1, 0)
        if abs(first - PRINTED[0]) <= 5e-5 and abs(second - PRINTED[1]) <= 5e-5:
            fits.append((rows, first, second))
    return Recovery(len(assignments), tuple(fits))


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
    states = np.array(list(product(range(12), repeat=3)))
    bits = (np.arange(8)[:, None] >> np.arange(3)) & 1
    base = np.full((len(states), 8, len(qbaf)), 0.5)
    present = np.ones_like(base)
    for k, name in enumerate(DIAGNOSES):
        base[:, :, qbaf.index(name)] = own[states[:, k], None]
        present[:, :, qbaf.index(name)] = (states[:, k] != ABSENT)[:, None]
    for k, name in enumerate(TREATMENTS):
        present[:, :, qbaf.index(name)] = bits[:, k]
    flat = (-1, len(qbaf))
    found = solve_lanes(qbaf, present=present.reshape(flat), base_scores=base.reshape(flat), semantics="qe")
    places = [qbaf.index(name) for name in TREATMENTS]
    return np.asarray(found[:, places].reshape(12, 12, 12, 8, 3))


def _cross_topic(table: Floats, rows: tuple[Row, ...], topic: int, player: int) -> float:
    """Compute the Shapley value of one treatment in the game of another, from the 2¹⁰ coalitions of ten players."""
    symptoms, diagnoses, treatments = _COALITIONS[:, :5], _COALITIONS[:, 5:8], _COALITIONS[:, 8:]
    states = np.where(diagnoses, symptoms.astype(int) @ np.array(rows) + 5, ABSENT)
    third = 3 - topic - player
    there = 1 << topic | treatments[:, 0].astype(int) << player | treatments[:, 1].astype(int) << third
    values = table[*states.T, there, topic]
    return float(values @ _PLAYER_WEIGHTS)
