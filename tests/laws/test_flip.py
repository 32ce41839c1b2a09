"""What would have to change for the foil to win: verified, minimal, and honest about what was tried."""

from __future__ import annotations

import re
from contextlib import suppress
from functools import partial
from itertools import combinations, product
from math import comb

import numpy as np
import pytest

import qontrast
from qontrast import Flip, InvalidInput, Qbaf, UndefinedStrength, UnknownName, examples, solve_lanes, strengths
from qontrast.cli.main import main
from qontrast.engine.problem import make_problem
from qontrast.explain import flip_removals as removals
from qontrast.explain import flip_trials as trials
from qontrast.explain import search_clock
from qontrast.explain.reach_search import AIM, Descent, PointSearch
from qontrast.explain.reach_task import ReachTask
from qontrast.explain.reach_trials import PointTrials
from tests.support.profiles import number_of_cases

flip = partial(qontrast.flip, time_limit=None)  # a slow machine gives the same answers

STEPS = 11  # of the brute force, per argument


def small(seed: int, n: int = 4, cyclic: bool = False, semantics: str = "qe") -> Qbaf:
    """A random graph of a few arguments in which 'p' is ahead of 'q' under the semantics."""
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
        with suppress(UndefinedStrength):
            if gap(made, semantics) > 0.02:
                return made


def gap(qbaf: Qbaf, semantics: str = "qe") -> float:
    found = strengths(qbaf, semantics=semantics)
    return found["p"] - found["q"]


def brute_change(qbaf: Qbaf, semantics: str, order: int, move_topics: bool) -> float:
    """The cheapest flip on a grid."""
    grid = np.linspace(0, 1, STEPS)
    free = [move_topics or name not in ("p", "q") for name in qbaf]
    ranges = [grid if moves else [base] for moves, base in zip(free, qbaf.base_array.tolist(), strict=True)]
    lanes = np.array(list(product(*ranges)))
    found = solve_lanes(qbaf, base_scores=lanes, semantics=semantics)
    wins = found[:, qbaf.index("p")] - found[:, qbaf.index("q")] < -1e-6
    return float(np.linalg.norm(lanes[wins] - qbaf.base_array, order, axis=1).min()) if wins.any() else np.inf


@pytest.mark.parametrize("move_topics", [False, True])
@pytest.mark.parametrize("semantics", ["qe", "df-quad", "reb"])
@pytest.mark.parametrize("seed", range(number_of_cases(6, 3)))
def test_no_point_of_a_grid_is_a_cheaper_flip(seed, semantics, move_topics):
    qbaf = small(seed, semantics=semantics)
    found = flip(qbaf, "p", "q", semantics=semantics, move_topics=move_topics)
    best = brute_change(qbaf, semantics, 1, move_topics)
    assert found.move_topics == move_topics
    if found.change is None:
        assert best == np.inf
        return
    assert gap(found.changed(), semantics) <= -1e-6 + 1e-12  # solved again
    assert gap(found.changed(), semantics) == pytest.approx(found.change_gap, abs=1e-12)
    assert found.cost == pytest.approx(sum(abs(new - old) for old, new in found.change.values()))
    assert found.cost <= best + 1e-6
    assert move_topics or not {"p", "q"} & set(found.change)


@pytest.mark.parametrize("seed", range(number_of_cases(4, 2)))
def test_the_same_in_euclidean_length_and_on_cyclic_graphs(seed):
    qbaf = small(seed + 50, cyclic=True)
    found = flip(qbaf, "p", "q", semantics="qe", norm="l2", move_topics=True)
    best = brute_change(qbaf, "qe", 2, True)
    if found.change is None:
        assert best == np.inf
        return
    assert gap(found.changed()) <= -1e-6 + 1e-10
    assert found.cost <= best + 1e-6


def test_of_equal_attackers_each_moves_alike_in_euclidean_length():
    """The gap is a function of their sum, so the least length is √8 times the move of each."""
    names = [f"x{i}" for i in range(8)]
    qbaf = Qbaf({"p": 0.9, "q": 0.5} | dict.fromkeys(names, 0.05), attacks={(x, "p"): 0.5 for x in names})
    found = flip(qbaf, "p", "q", semantics="qe", norm="l2")
    low, high = 0.05, 1.0
    for _ in range(60):
        each = (low + high) / 2
        low, high = (each, high) if gap(qbaf.with_base_scores(dict.fromkeys(names, each))) > -1e-6 else (low, each)
    assert found.cost == pytest.approx(np.sqrt(8) * (high - 0.05), rel=1e-4)
    assert [new for _, new in found.change.values()] == pytest.approx([high] * 8, rel=0.01)


def test_of_unequal_attackers_both_move_in_euclidean_length():
    qbaf = Qbaf({"p": 0.6, "q": 0.5, "a": 0.1, "b": 0.1}, attacks={("a", "p"): 1.0, ("b", "p"): 0.5})
    found = flip(qbaf, "p", "q", semantics="qe", norm="l2", margin=1e-5)
    grid = np.linspace(0.1, 1, 901)
    lanes = np.array([[0.6, 0.5, a, b] for a in grid for b in grid[::30]])
    strength = solve_lanes(qbaf, base_scores=lanes, semantics="qe")
    wins = lanes[strength[:, 0] - strength[:, 1] <= -1e-5]
    assert found.cost <= np.linalg.norm(wins - qbaf.base_array, axis=1).min() + 1e-6
    assert set(found.change) == {"a", "b"}


def test_what_is_proved_of_a_change_holds_on_a_grid_and_most_is_proved():
    proved = []
    for seed in range(number_of_cases(20, 6)):
        qbaf = small(seed + 200, semantics="qe")
        found = flip(qbaf, "p", "q", semantics="qe", move_topics=True)
        assert found.change_lower <= brute_change(qbaf, "qe", 1, True), seed
        assert found.change_proved == (found.cost - found.change_lower <= 1e-3 * (1 + 1e-9)), seed
        assert found.to_dict()["base_scores"]["lower"] == found.change_lower
        proved.append(found.change_proved)
    assert np.mean(proved) > 0.8  # the others need more boxes than flip takes


def test_a_flip_that_cannot_be_is_proved_impossible():
    qbaf = Qbaf({"p": 0.6, "q": 0.5, "x": 0.5}, supports=[("x", "p")])
    found = flip(qbaf, "p", "q", semantics="df-quad")
    assert (found.change, found.change_lower, found.change_proved) == (None, np.inf, True)
    assert found.to_dict()["base_scores"]["lower"] is None


def moves_that_can_be_put_back(qbaf: Qbaf, found: Flip) -> list[str]:
    """The moved arguments whose old base score would do as well, the others being changed."""
    new = {name: to for name, (_, to) in found.change.items()}
    return [x for x in new if gap(qbaf.with_base_scores({y: new[y] for y in new if y != x})) <= -1e-6]


@pytest.mark.parametrize(("seed", "n", "norm"), [(30, 12, "l1"), (20, 16, "l2"), (20, 9, "l1"), (21, 9, "l2")])
def test_no_move_could_be_left_out(seed, n, norm):
    qbaf = small(seed, n, cyclic=seed % 2 == 1)
    found = flip(qbaf, "p", "q", semantics="qe", norm=norm)
    if found.change is not None:
        assert moves_that_can_be_put_back(qbaf, found) == []


@pytest.mark.parametrize("seed", [0, 1, 2, 3, 5])
def test_moves_that_are_not_needed_are_put_back(seed):
    qbaf = small(seed + 60, n=10)
    search = search_of(qbaf)
    scattered = search._scatter()[0]
    assert search.trials.best is not None
    found = search._put_back(scattered[0])
    moved = np.flatnonzero(found != search.start)
    points = np.repeat(found[None], len(moved) + 1, axis=0)
    points[np.arange(len(moved)), moved] = search.start[moved]
    assert search.trials.holds(search.trials.solve(points)[0]).tolist() == [False] * len(moved) + [True]


def test_half_of_the_change_is_not_enough():
    qbaf = small(3)
    found = flip(qbaf, "p", "q", semantics="qe", move_topics=True)
    assert found.change is not None
    halves = {name: (old + new) / 2 for name, (old, new) in found.change.items()}
    assert gap(qbaf.with_base_scores(halves)) > 0


def working_sets(qbaf: Qbaf) -> list[set[str]]:
    """All sets of other arguments whose removal makes q win."""
    others = [name for name in qbaf if name not in ("p", "q")]
    sets = [gone for size in range(1, len(others) + 1) for gone in combinations(others, size)]
    return [set(gone) for gone in sets if gap(qbaf.without(*gone)) <= -1e-6]


def check_claims(qbaf: Qbaf, found: Flip, working: list[set[str]]) -> None:
    """Whatever the result says about itself is true."""
    if found.change is not None:
        assert gap(found.changed()) <= -1e-6 + 1e-10
    if found.removal is not None:
        assert set(found.removal) in working
        assert gap(found.removed()) == pytest.approx(found.removal_gap, abs=1e-10)
    assert all(len(each) > found.examined for each in working)
    smallest = min(map(len, working), default=None)
    if found.proved:
        assert smallest == (None if found.removal is None else len(found.removal))
    assert ("no smaller set does it" in str(found)) == bool(found.proved and found.removal and len(found.removal) > 1)
    assert ("stays at least" in str(found) or "level at best" in str(found)) == (
        found.proved and found.removal is None and found.removable > 0
    )
    assert ("time limit" in str(found)) == found.stopped


@pytest.mark.parametrize("seed", range(number_of_cases(6, 3)))
@pytest.mark.parametrize("cyclic", [False, True])
def test_no_smaller_set_does_it_when_the_removal_is_proved(seed, cyclic):
    qbaf = small(seed + 100, n=7, cyclic=cyclic)
    found = flip(qbaf, "p", "q", semantics="qe")
    assert found.proved
    assert not found.stopped
    check_claims(qbaf, found, working_sets(qbaf))


@pytest.mark.parametrize("limit", [0, 5, 10])
@pytest.mark.parametrize("seed", range(number_of_cases(6, 2)))
def test_what_is_said_of_removals_is_true_when_not_all_sets_are_examined(seed, limit, monkeypatch):
    monkeypatch.setattr(removals, "MAX_SETS", limit)
    qbaf = small(seed + 100, n=7, cyclic=seed % 2 == 1)
    found = flip(qbaf, "p", "q", semantics="qe")
    assert all(comb(found.removable, size) <= limit for size in range(1, found.examined + 1))
    check_claims(qbaf, found, working_sets(qbaf))


def hidden(*more: str) -> Qbaf:
    """Removing x, y and z makes q win, and removing less of them makes it weaker: one step at a time leads nowhere.

    Each of x, y and z alone keeps the guard g at 1, which attacks q; and each supports q a little, as 86 others do.
    """
    decoys, three = [f"d{i}" for i in range(86)], ["x", "y", "z"]
    base = {"p": 0.7, "q": 0.5, "g": 0.0} | dict.fromkeys([*three, *decoys], 1.0) | dict.fromkeys(more, 1.0)
    supports = {(x, "g"): 1.0 for x in three} | {(x, "q"): 0.05 for x in three} | {(d, "q"): 0.01 for d in decoys}
    return Qbaf(base, {("g", "q"): 0.3}, supports | {(u, "p"): 0.02 for u in more})


def test_sets_that_were_not_examined_are_not_called_useless():
    qbaf = hidden()
    assert gap(qbaf.without("x", "y", "z"), "df-quad") < -0.05
    found = flip(qbaf, "p", "q", semantics="df-quad", fixed=["g"])
    assert (found.removal, found.examined, found.removable, found.proved) == (None, 2, 89, False)
    assert (
        "No set of up to 2 arguments does it by being removed; larger sets were searched step by step, "
        "without success; the smallest gap found is"
    ) in str(found)
    assert found.to_dict()["removal"] == {
        "arguments": None,
        "gap": pytest.approx(gap(qbaf, "df-quad")),
        "removable": 89,
        "examined": 2,
        "proved_smallest": False,
        "stopped": False,
    }
    with pytest.raises(InvalidInput, match="no removal was found that makes 'q' win; none can be applied"):
        found.removed()


def test_a_set_found_step_by_step_is_not_called_smallest():
    more = [f"u{i}" for i in range(12)]
    qbaf = hidden(*more)  # without them p has 0.7, else a little more; all 12 together are not enough
    qbaf = qbaf.with_base_scores({"p": 0.63})
    found = flip(qbaf, "p", "q", semantics="df-quad", fixed=["g"])
    assert gap(qbaf.without("x", "y", "z"), "df-quad") < 0
    assert len(found.removal) > 3
    assert gap(found.removed(), "df-quad") < 0
    assert (found.examined, found.proved) == (2, False)
    assert "; no set of up to 2 arguments does it, and larger sets were not all examined." in str(found)


class Ticking:
    """A clock that goes on by one second whenever it is read."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        self.now += 1.0
        return self.now


@pytest.fixture
def ticking(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search_clock, "monotonic", Ticking())


@pytest.mark.parametrize("cyclic", [False, True])
def test_a_time_limit_stops_the_search_and_what_is_said_then_is_true(cyclic, ticking):
    qbaf = small(104, n=7, cyclic=cyclic)
    working = working_sets(qbaf)
    seen = [
        flip(qbaf, "p", "q", semantics="qe", time_limit=limit)
        for limit in (0.5, 1, 4, 8, 16, 32, 64, 128, 256, 512, 1e6)
    ]
    for found in seen:
        check_claims(qbaf, found, working)
    assert [each.evaluations for each in seen] == sorted(each.evaluations for each in seen)
    assert (seen[0].change, seen[0].removal, seen[0].examined, seen[0].evaluations) == (None, None, 0, 0)
    assert (seen[0].change_stopped, seen[0].removal_stopped) == (True, True)
    assert str(seen[0]).endswith(
        "The search for changes and removals was stopped by the time limit of 0.5 s; better answers may exist."
    )
    assert not seen[-1].stopped
    costs = [each.cost for each in seen if each.cost is not None]
    assert costs == sorted(costs, reverse=True)
    data = seen[0].to_dict()
    assert (data["time_limit"], data["base_scores"]["stopped"], data["removal"]["stopped"]) == (0.5, True, True)


def test_without_a_time_limit_the_clock_does_not_matter(ticking):
    qbaf = small(104, n=7)
    found = flip(qbaf, "p", "q", semantics="qe", time_limit=None)
    assert not found.stopped
    assert found.to_dict()["time_limit"] is None


def test_the_removals_get_half_of_the_time(ticking):
    found = flip(small(104, n=7), "p", "q", semantics="qe", time_limit=40)
    assert (found.change_stopped, found.removal_stopped) == (True, False)
    assert "The search for changes was stopped by the time limit of 40 s;" in str(found)


@pytest.mark.parametrize("calls", [1, 2, 30, 50, 70])
def test_an_interrupt_gives_the_best_so_far_and_goes_through_where_nothing_was_found(calls):
    told = []

    def interrupt(done, of):
        told.append(done)
        if len(told) == calls:
            raise KeyboardInterrupt

    if calls <= 2:
        with pytest.raises(KeyboardInterrupt):
            flip(examples.load("debate"), "levy", "charge", progress=interrupt)
        return
    found = flip(examples.load("debate"), "levy", "charge", progress=interrupt)
    assert len(told) == calls
    assert found.stopped
    assert found.change
    after = strengths(found.changed())
    assert after["charge"] > after["levy"]
    assert found.interrupted
    assert "interrupted; better answers may exist." in str(found)


def test_many_arguments_that_must_all_move_are_not_tried_one_at_a_time():
    """100 supporters: one round of one-at-a-time trials is 500 graphs, and a corner is 100 rounds away."""
    names = [f"x{i}" for i in range(100)]
    qbaf = Qbaf({"p": 0.5, "q": 0.9} | dict.fromkeys(names, 0.5), supports={(x, "p"): 0.5 for x in names})
    found = flip(qbaf, "p", "q", semantics="qe")
    assert len(found.change) > 50
    assert found.evaluations < 30_000  # 3,300 of them on a grid of single moves, 5,050 of removals


def test_undefined_graphs_are_refused():
    qbaf = examples.load("undefined")
    with pytest.raises(UndefinedStrength, match="still move by"):
        flip(qbaf, "bridge", "detour")
    assert main(["flip", "examples:undefined", "bridge", "detour"]) == 4


def test_what_is_fixed_keeps_its_base_score_and_stays():
    qbaf = examples.load("healthcare")
    free = flip(qbaf, "antiviral", "antibiotic")
    assert list(free.change) == ["bacterial"]
    held = flip(qbaf, "antiviral", "antibiotic", fixed=["bacterial", "viral"])
    assert held.change is not None
    assert not set(held.change) & {"antiviral", "antibiotic", "viral", "bacterial"}
    assert "viral" not in (held.removal or ())
    assert held.cost > free.cost


def test_topics_move_only_if_asked_to():
    qbaf = examples.load("healthcare")
    moved = flip(qbaf, "antiviral", "antibiotic", move_topics=True)
    assert str(moved) == (
        "“Antibiotic therapy” would win if the base score of “Antiviral therapy” fell from 0.500 to 0.373. "
        "It would also win without “Viral pneumonia”."
    )
    assert str(flip(qbaf, "antiviral", "antibiotic")) == (
        "“Antibiotic therapy” would win if the base score of “Bacterial pneumonia” rose from 0.500 to 0.688. "
        "It would also win without “Viral pneumonia”."
    )
    apart = Qbaf({"p": 0.6, "q": 0.5})
    assert str(flip(apart, "p", "q")) == (
        "Every argument that matters to p and q keeps its base score, so there is none to change. "
        "There is no argument that could be removed."
    )
    assert flip(apart, "p", "q", move_topics=True).cost == pytest.approx(0.1, abs=1e-5)


def test_several_moves_are_one_sentence():
    found = flip(examples.load("loan"), "approve", "refer")
    assert len(found.change) == 2
    assert " and that of " in str(found)
    assert "from 0.300 to 1.000" in str(found)
    assert "from 0.500 to 0.488 (0.712 in all)" in str(found)  # 0.4887 rounded away from 0.5; 0.700 + 0.012


def test_what_was_not_found_is_said_with_the_best_reached():
    qbaf = Qbaf({"p": 0.6, "q": 0.5, "x": 0.5}, supports=[("x", "p")])
    found = flip(qbaf, "p", "q", semantics="df-quad")
    assert found.change is None
    assert found.cost is None
    assert found.change_gap == pytest.approx(0.1)  # x at 0 leaves 0.6 against 0.5
    assert str(found) == (
        "It is proved that no change of base scores makes q win over p; the smallest gap found is 0.100. "
        "Removing arguments does not do it; the gap stays at least 0.100."
    )
    with pytest.raises(InvalidInput, match="none can be applied"):
        found.changed()
    data = found.to_dict()
    assert data["base_scores"]["change"] is None
    assert data["removal"]["arguments"] is None


def test_two_that_can_only_be_brought_level_are_not_flipped():
    qbaf = Qbaf({"p": 0.5, "q": 0.5, "x": 0.5}, supports=[("x", "p")])
    found = flip(qbaf, "p", "q", semantics="df-quad", fixed=["p", "q"])
    assert found.change is None
    assert found.removal is None
    assert "the best that was found is a tie. Removing arguments brings the two level at best." in str(found)


def test_who_is_behind_already_needs_nothing():
    found = flip(examples.load("zebra"), "horse", "zebra")
    assert (found.change, found.removal, found.cost) == ({}, (), 0.0)
    assert "already" in str(found)


def test_a_start_on_a_kink_is_left_behind():
    # attack and support of p are equal: DF-QuAD bends there, and its gradient does not exist
    qbaf = Qbaf({"p": 0.7, "q": 0.6, "a": 0.5, "b": 0.5}, attacks=[("a", "p")], supports=[("b", "p")])
    found = flip(qbaf, "p", "q", semantics="df-quad", fixed=["p", "q"])
    assert found.change is not None
    assert found.cost == pytest.approx(0.1 / 0.7, abs=1e-4)  # p falls by 0.7 for each unit of a − b
    assert strengths(found.changed(), semantics="df-quad")["p"] < 0.6


def test_a_tie_is_broken_by_the_smallest_step():
    found = flip(examples.load("zebra"), "horse", "tiger")
    assert found.gap == 0
    assert found.change is not None
    assert found.cost == pytest.approx(1e-6, rel=2)


def test_bad_questions_are_refused():
    qbaf = examples.load("zebra")
    for settings, message in (
        ({"norm": "l3"}, "norm is one of l1, l2"),
        ({"margin": 0.0}, "margin is 0.0; give a number between 0 and 1"),
        ({"fixed": "zebra"}, "give a list of names"),
        ({"move_topics": "zebra"}, "move_topics is 'zebra'; give True or False"),
        ({"time_limit": 0}, "time_limit is 0; give seconds above 0, or None for no limit"),
    ):
        with pytest.raises(InvalidInput, match=message):
            flip(qbaf, "zebra", "horse", **settings)
    with pytest.raises(InvalidInput, match="cannot win over itself"):
        flip(qbaf, "zebra", "zebra")
    with pytest.raises(UnknownName, match="did you mean 'zebra'"):
        flip(qbaf, "zebr", "horse")


def test_progress_grows_to_the_whole_in_every_phase():
    told = []
    flip(small(100, n=9), "p", "q", progress=lambda done, of: told.append((done, of)))
    assert told == sorted(told)
    assert told[-1] == (100, 100)
    for begin, end in ((0, 5), (5, 25), (25, 50), (50, 70), (70, 101)):
        assert any(begin <= done < end for done, _ in told), (begin, end)
    assert len(set(told)) > 10


def test_progress_moves_while_sets_are_examined(monkeypatch):
    monkeypatch.setattr(trials, "STRENGTHS_PER_PIECE", 4000)
    told = []
    flip(hidden(), "p", "q", semantics="df-quad", fixed=["g"], progress=lambda done, of: told.append(done))
    assert len({done for done in told if 80 <= done < 100}) >= 10


def read_moves(text: str) -> list[tuple[str, float, float]]:
    """The changes that a sentence names: argument, printed old score, printed new score."""
    found = re.findall(r"of (\S+) (?:rose|fell) from ([\d.]+) to ([\d.]+)", text)
    return [(name, float(old), float(new.rstrip("."))) for name, old, new in found]


@pytest.mark.parametrize("norm", ["l1", "l2"])
@pytest.mark.parametrize("semantics", ["qe", "df-quad", "reb"])
@pytest.mark.parametrize("cyclic", [False, True])
@pytest.mark.parametrize("seed", range(number_of_cases(4, 2)))
def test_the_base_scores_that_a_sentence_names_make_the_foil_win(seed, cyclic, semantics, norm):
    qbaf = small(seed, 5, cyclic, semantics)
    found = flip(qbaf, "p", "q", semantics=semantics, norm=norm)
    if found.change is None:
        return
    moves = read_moves(str(found))
    assert [name for name, _, _ in moves] == list(found.change)
    assert gap(qbaf.with_base_scores({name: new for name, _, new in moves}), semantics) < 0
    assert all(0 <= new <= 1 for _, _, new in moves)
    if len(moves) > 1:
        printed = float(re.search(r"\((\S+) in ", str(found))[1])
        assert printed == pytest.approx(
            np.linalg.norm([new - old for _, old, new in moves], 1 if norm == "l1" else 2), abs=5.1e-4
        )


@pytest.mark.parametrize("lead", [-0.2, -2e-6, -5e-7, 0.0, 5e-7, 2e-6])
def test_the_foil_is_called_ahead_only_where_it_is_ahead_by_the_margin(lead):
    q = Qbaf({"p": 0.5 + lead, "q": 0.5, "x": 0.1}, attacks=[("x", "p")])
    found = flip(q.with_base_scores({"x": 0.0}), "p", "q")
    assert ("nothing has to change" in str(found)) == (lead <= -1e-6)
    assert (found.change == {} and found.removal == ()) == (lead <= -1e-6)
    if lead == -0.2:
        assert str(found) == "q is ahead of p already, by 0.200; nothing has to change."


@pytest.mark.parametrize("needed", [1, 2, 3])
def test_a_proved_removal_of_several_is_called_smallest(needed):
    """With m supporters of weight 0.1 and strength 1, p has 1 − 0.5 · 0.9ᵐ; q lies between two of these."""
    names = [f"x{k}" for k in range(3)]
    left = 3.5 - needed
    base = {"p": 0.5, "q": 1 - 0.5 * 0.9**left} | dict.fromkeys(names, 1.0)
    q = Qbaf(base, supports={(x, "p"): 0.1 for x in names})
    found = flip(q, "p", "q", semantics="df-quad")
    assert (len(found.removal), found.proved) == (needed, True)
    assert ("no smaller set does it" in str(found)) == (needed > 1)


def search_of(qbaf: Qbaf, norm: str = "l1", semantics: str = "qe") -> PointSearch:
    """The search for base scores of all arguments but p and q that put q ahead of p by 1e-6."""
    movers = np.array([qbaf.index(x) for x in qbaf if x not in "pq"])
    row = np.zeros((1, len(qbaf)))
    row[0, [qbaf.index("p"), qbaf.index("q")]] = -1.0, 1.0
    size = len(movers)
    task = ReachTask(
        make_problem(qbaf, semantics),
        movers,
        np.empty(0, np.intp),
        qbaf.base_array[movers],
        np.zeros(size),
        np.ones(size),
        np.ones(size),
        norm,
        row,
        np.array([-1e-6]),
    )
    return PointSearch(PointTrials(task, search_clock.Clock()))


def test_the_region_of_a_descent_doubles_with_success_up_to_the_whole_range_and_shrinks_to_a_quarter_else():
    search = search_of(small(3))
    base = search.start
    far = np.clip(base + 0.2, 0, 1)
    walk = Descent(base, search.low, search.high, radius=0.25, penalty=10.0)
    radii = []
    values = [-0.3, -0.2, -0.1, -0.5, -0.6, 0.0]
    for k, (trial, value) in enumerate(zip([base, base, base, far, far, base], values, strict=True)):
        accepted = search._accept(walk, trial, np.array([value]))
        radii.append(walk.radius)
        assert accepted == (k not in (3, 4))
        assert walk.values[0] == [-0.3, -0.2, -0.1, -0.1, -0.1, 0.0][k]
    assert radii == [0.25, 0.5, 1.0, 0.25, 0.0625, 0.125]


@pytest.mark.parametrize(
    "slope", [[0.5, -2.0, 0.0, 0.1, -0.3], [0.0, 0.0, 0.2, 0.0, 0.0], [-1.0, -3.0, -2.0, -4.0, -5.0]]
)
def test_the_slopes_lead_the_steepest_variables_to_the_ends_that_help(slope):
    search, slope = search_of(small(2, n=7)), np.array(slope)
    here = search.start
    end = np.where(slope > 0, 1.0, np.where(slope < 0, 0.0, here))
    gains = np.abs(slope * (end - here))
    points = search._move_steepest_to_ends(here, slope)
    whole, parts = points[:-3], points[-3:]
    assert len(whole) == 4  # the first 1, 2, 4 and all 5 of them
    for count, point in zip((1, 2, 4, 5), whole, strict=True):
        first = np.argsort(-gains, kind="stable")[:count]
        expected = here.copy()
        expected[first] = end[first]
        assert point.tolist() == expected.tolist()
    for part, point in zip((0.1, 0.3, 0.6), parts, strict=True):
        assert point == pytest.approx(here + part * (end - here), abs=1e-15)


def test_single_moves_are_tried_for_every_variable_and_every_point_of_the_grid():
    search, grid = search_of(small(2, n=6)), np.array([0.0, 0.25, 1.0])
    points = search._vary_each(search.start, grid)
    expected = [(x, value) for x in range(len(search.start)) for value in grid.tolist()]
    for point, (x, value) in zip(points, expected, strict=True):
        changed = search.start.copy()
        changed[x] = value
        assert point.tolist() == changed.tolist()
    found = search._scan(search.start)
    tried = search.trials.miss(search.trials.solve(search._vary_each(search.start, np.linspace(0, 1, 5)))[0])
    assert found[0] <= tried.min() + 1e-12  # the best single move, or several together that are better
    assert search.trials.miss(search.trials.solve(found[1][None])[0])[0] == pytest.approx(found[0], abs=1e-12)


@pytest.mark.parametrize("norm", ["l1", "l2"])
def test_the_linear_step_aims_a_little_beyond_the_constraint(norm):
    search = search_of(small(2, n=6), norm)
    slopes = np.array([[-0.3, 0.5, -0.2, -0.1]])
    for value in (-0.05, -1e-3, -1e-6):
        walk = Descent(search.start, search.low, search.high, radius=1.0, now=search.start)
        walk.values, walk.slopes = np.array([value]), slopes
        search._aim(walk)
        assert slopes[0] @ (walk.trial - search.start) == pytest.approx(AIM - value, abs=1e-12)


def test_what_does_not_flip_is_not_shortened_into_a_flip():
    """Rounding may take the last bit that a flip needs; then nothing is kept."""
    search = search_of(Qbaf({"p": 0.9, "q": 0.1, "x": 0.5, "y": 0.2}, supports=[("x", "p")], attacks=[("y", "q")]))
    for point in ([0.5, 0.2], [0.4, 0.3], [0.0, 0.2]):
        search._shorten(np.array(point))
        assert search.trials.best is None


@pytest.mark.parametrize("seed", range(3))
def test_a_flip_that_goes_too_far_is_shortened_to_where_it_begins(seed):
    search = search_of(small(seed + 60, n=10))
    good = search._scatter()[0][0]
    assert search.trials.best is not None
    search._shorten(good)
    best = search.trials.best
    assert search._rank(best) <= search._rank(good)
    back = search.start + (1 - 1e-5) * (best - search.start)
    assert not search.trials.holds(search.trials.solve(back[None])[0])[0]


@pytest.mark.heavy
def test_near_a_ridge_of_the_continuous_solver_a_small_change_is_found_by_few_flows():
    # open and closed attack each other with base score 1: whichever falls a little loses, after a long time
    qbaf = examples.load("undefined")
    found = flip(qbaf, "bridge", "detour", solver="continuous", time_limit=None)
    assert found.cost < 0.01
    assert found.evaluations < 500
    after = strengths(found.changed(), solver="continuous")
    assert after["detour"] > after["bridge"]
