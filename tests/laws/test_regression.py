"""The regression behind sampled Shapley values, on samples that hold every coalition as often as it is expected."""

from __future__ import annotations

from math import comb, lcm

import numpy as np
import pytest

from qontrast.attribution.shapley.regression import Basis, fit


def expected_sample(players: int) -> np.ndarray:
    """Coalitions in pairs with their complements, each as often as draws of uniform size would have it."""
    times = lcm(*(comb(players, size) for size in range(1, players)))
    rows = []
    for bits in range(1, 1 << (players - 1)):
        one = (bits >> np.arange(players)) & 1 == 1
        rows += [one, ~one] * (times // comb(players, int(one.sum())))
    return np.array(rows)


def shapley(players: int, worth: np.ndarray) -> list[float]:
    found = []
    for i in range(players):
        without = [s for s in range(1 << players) if not s >> i & 1]
        found.append(
            sum((worth[s | 1 << i] - worth[s]) / (players * comb(players - 1, s.bit_count())) for s in without)
        )
    return found


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_the_weights_are_such_that_a_fit_by_single_players_gives_the_shapley_values_of_any_game(players: int) -> None:
    """Charnes et al. 1988: least squares with the Shapley kernel, v(∅) and v(N) met exactly."""
    rng = np.random.default_rng(players)
    rows = expected_sample(players)
    worth = rng.normal(size=1 << players)
    values = worth[rows @ (1 << np.arange(players))]
    singles = Basis(np.eye(players, dtype=bool))
    found, _ = fit(singles, rows, values, worth[0], worth[-1], 2)
    assert found == pytest.approx(shapley(players, worth), abs=1e-9)  # the ridge on single players is 1e-12


@pytest.mark.parametrize("players", [3, 4])
def test_larger_sets_in_the_basis_do_not_bias_the_values(players: int) -> None:
    rng = np.random.default_rng(players)
    rows = expected_sample(players)
    worth = rng.normal(size=1 << players)
    values = worth[rows @ (1 << np.arange(players))]
    single = np.eye(players, dtype=bool)
    sets = np.array([*single, single[0] | single[1], single[1] | single[2]])
    found, _ = fit(Basis(sets), rows, values, worth[0], worth[-1], 2)
    assert found == pytest.approx(shapley(players, worth), abs=1e-9)
