"""What would have to change for the foil to win: verified, minimal, honest about what is impossible."""

from __future__ import annotations

from itertools import combinations, product

import numpy as np
import pytest

from qontrast import InvalidInput, Qbaf, UnknownName, examples, flip, strengths

STEPS = 11  # of the brute force, per argument


def small(seed: int, n: int = 4, cyclic: bool = False) -> Qbaf:
    """A random graph of a few arguments in which 'p' is ahead of 'q'."""
    rng = np.random.default_rng(seed)
    names = ["p", "q", *(f"x{i}" for i in range(n - 2))]
    while True:
        edges = [(a, b) for a in names for b in names if a != b and (cyclic or a > b or (b in "pq" and a not in "pq"))]
        chosen = [edges[i] for i in rng.permutation(len(edges))[: 2 * n - 3]]
        signs = rng.random(len(chosen)) < 0.5
        made = Qbaf(
            dict(zip(names, rng.random(n).round(2).tolist(), strict=True)),
            attacks=[each for each, sign in zip(chosen, signs, strict=True) if sign],
            supports={each: 0.7 for each, sign in zip(chosen, signs, strict=True) if not sign},
        )
        if gap(made) > 0.02:
            return made


def gap(qbaf: Qbaf, semantics: str = "qe") -> float:
    found = strengths(qbaf, semantics)
    return found["p"] - found["q"]


def brute_change(qbaf: Qbaf, semantics: str, order: int) -> float:
    """The cheapest flip on a grid."""
    grid = np.linspace(0, 1, STEPS)
    best = np.inf
    from qontrast import solve_lanes

    lanes = np.array(list(product(grid, repeat=len(qbaf))))
    found = solve_lanes(qbaf, base_scores=lanes, semantics=semantics)
    wins = found[:, qbaf.index("p")] - found[:, qbaf.index("q")] < 0
    if wins.any():
        best = float(np.linalg.norm(lanes[wins] - qbaf.base_array, order, axis=1).min())
    return best


@pytest.mark.parametrize("semantics", ["qe", "df-quad", "reb"])
@pytest.mark.parametrize("seed", range(6))
def test_no_point_of_a_grid_is_a_cheaper_flip(seed, semantics):
    qbaf = small(seed)
    if gap(qbaf, semantics) <= 1e-3:
        pytest.skip("p is not ahead under this semantics")
    found = flip(qbaf, "p", "q", semantics)
    best = brute_change(qbaf, semantics, 1)
    if found.change is None:
        assert best == np.inf
        return
    assert gap(found.changed(), semantics) <= -1e-6 + 1e-12  # solved again
    assert found.cost == pytest.approx(sum(abs(new - old) for old, new in found.change.values()))
    assert found.cost <= best + 1e-6


@pytest.mark.parametrize("seed", range(4))
def test_the_same_in_euclidean_length_and_on_cyclic_graphs(seed):
    qbaf = small(seed + 50, cyclic=True)
    found = flip(qbaf, "p", "q", "qe", norm="l2")
    best = brute_change(qbaf, "qe", 2)
    if found.change is None:
        assert best == np.inf
        return
    assert gap(found.changed()) <= -1e-6 + 1e-10
    assert found.cost <= best + 1e-6


def test_half_of_the_change_is_not_enough():
    qbaf = small(3)
    found = flip(qbaf, "p", "q", "qe")
    assert found.change is not None
    halves = {name: (old + new) / 2 for name, (old, new) in found.change.items()}
    assert gap(qbaf.with_base_scores(halves)) > 0


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("cyclic", [False, True])
def test_no_smaller_set_does_when_the_removal_is_proved(seed, cyclic):
    qbaf = small(seed + 100, n=7, cyclic=cyclic)
    found = flip(qbaf, "p", "q", "qe")
    others = [name for name in qbaf if name not in ("p", "q")]
    working = [
        set(gone) for size in range(1, len(others) + 1) for gone in combinations(others, size) if _wins(qbaf, gone)
    ]
    assert found.proved
    if found.removal is None:
        assert not working
    else:
        assert gap(found.removed()) < 0
        assert len(found.removal) == min(map(len, working))


def _wins(qbaf: Qbaf, gone: tuple[str, ...]) -> bool:
    return gap(qbaf.without(*gone)) <= -1e-6


def test_what_is_fixed_keeps_its_base_score_and_stays():
    qbaf = examples.load("healthcare")
    free = flip(qbaf, "antiviral", "antibiotic")
    assert list(free.change) == ["antiviral"]
    held = flip(qbaf, "antiviral", "antibiotic", fixed=["antiviral", "antibiotic", "viral"])
    assert held.change is not None
    assert not set(held.change) & {"antiviral", "antibiotic", "viral"}
    assert "viral" not in (held.removal or ())
    assert held.cost > free.cost


def test_the_impossible_is_said_with_the_best_reached():
    qbaf = Qbaf({"p": 0.6, "q": 0.5, "x": 0.5}, supports=[("x", "p")])
    found = flip(qbaf, "p", "q", "df-quad", fixed=["p", "q"])
    assert found.change is None
    assert found.cost is None
    assert found.change_gap == pytest.approx(0.1)  # x at 0 leaves 0.6 against 0.5
    assert "No change of base scores makes q win over p; the gap stays at least 0.100." in str(found)
    with pytest.raises(InvalidInput, match="nothing to apply"):
        found.changed()
    data = found.to_dict()
    assert data["base_scores"]["change"] is None
    assert data["removal"]["arguments"] is None


def test_two_that_can_only_be_brought_level_are_not_flipped():
    qbaf = Qbaf({"p": 0.5, "q": 0.5, "x": 0.5}, supports=[("x", "p")])
    found = flip(qbaf, "p", "q", "df-quad", fixed=["p", "q"])
    assert found.change is None
    assert found.removal is None
    assert "level, no more" in str(found)


def test_who_is_behind_already_needs_nothing():
    found = flip(examples.load("zebra"), "horse", "zebra")
    assert (found.change, found.removal, found.cost) == ({}, (), 0.0)
    assert "already" in str(found)


def test_a_start_on_a_kink_is_left_behind():
    # attack and support of p are equal: DF-QuAD bends there, and its gradient does not exist
    qbaf = Qbaf({"p": 0.7, "q": 0.6, "a": 0.5, "b": 0.5}, attacks=[("a", "p")], supports=[("b", "p")])
    found = flip(qbaf, "p", "q", "df-quad", fixed=["p", "q"])
    assert found.change is not None
    assert found.cost == pytest.approx(0.1 / 0.7, abs=1e-4)  # p falls by 0.7 for each unit of a − b
    assert strengths(found.changed(), "df-quad")["p"] < 0.6


def test_a_tie_is_broken_by_the_smallest_step():
    found = flip(examples.load("zebra"), "horse", "tiger")
    assert found.gap == 0
    assert found.cost == pytest.approx(1e-6, rel=2)


def test_bad_questions_are_refused():
    qbaf = examples.load("zebra")
    for settings, message in (
        ({"norm": "l3"}, "norm is one of l1, l2"),
        ({"margin": 0.0}, "margin is 0.0; give a number between 0 and 1"),
        ({"fixed": "zebra"}, "give a list of names"),
    ):
        with pytest.raises(InvalidInput, match=message):
            flip(qbaf, "zebra", "horse", **settings)
    with pytest.raises(InvalidInput, match="cannot win over itself"):
        flip(qbaf, "zebra", "zebra")
    with pytest.raises(UnknownName, match="did you mean 'zebra'"):
        flip(qbaf, "zebr", "horse")


def test_progress_grows_to_the_whole():
    told = []
    flip(examples.load("debate"), "levy", "charge", progress=lambda done, of: told.append((done, of)))
    assert told == sorted(told)
    assert told[-1] == (100, 100)
    assert len(told) > 10
