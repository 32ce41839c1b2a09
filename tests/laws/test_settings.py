"""Every setting of every function reaches the work: there is a case in which it changes the answer."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

import qontrast as qx
from qontrast import METHODS, Qbaf, QontrastError, Semantics, UndefinedStrength, axioms, networks
from qontrast.attribution.methods import MethodSettings
from qontrast.cli.main import COMMANDS, load_command
from qontrast.engine.problem import MAX_LANES_PER_TASK, make_problem
from tests.support import games
from tests.support.graphs import KINK, ZEBRA

# discrete: a and b go round for ever, with or without c; continuous: they meet
ROUND = Qbaf(
    {"a": 1.0, "b": 1.0, "c": 0.4, "t": 0.5, "u": 0.3},
    attacks=[("a", "b"), ("b", "a"), ("a", "t")],
    supports={("c", "t"): 0.5, ("b", "u"): 1.0, ("c", "u"): 1.0},
    topics=["t", "u"],
    semantics="df-quad",
)
HEAVY = Qbaf(ROUND.base_scores | {"c": 0.9}, ROUND.attacks, ROUND.supports | {("c", "t"): 1.0}, semantics="df-quad")
LINE = Qbaf(  # no cycle: a proof is quick
    ROUND.base_scores, [("a", "b"), ("a", "t")], ROUND.supports, topics=["t", "u"], semantics="df-quad"
)
DAG = games.random_dag(16, seed=0)
GOAL = Qbaf(
    {"t": 0.5, "a": 0.6, "c": 0.4},
    attacks={("a", "t"): 0.5},
    supports={("c", "t"): 0.8},
    topics=["t"],
    semantics="df-quad",
)
HALF = Semantics("half", lambda att, sup: sup.sum(0) - att.sum(0), lambda b, e: np.clip((b + e) / 2, 0, 1))


class Counting(ThreadPoolExecutor):
    """Counts what is sent to it."""

    sent = 0

    def submit(self, *given: Any, **named: Any) -> Future[Any]:
        self.sent += 1
        return super().submit(*given, **named)


def told(ask: Callable[..., Any], **more: Any) -> list[Any]:
    """What a function tells of its progress."""
    seen: list[Any] = []
    ask(progress=lambda *at: seen.append(at), **more)
    return seen


def sent(ask: Callable[..., Any]) -> int:
    with Counting(2) as executor:
        ask(executor=executor)
    return executor.sent


def answer(found: Any) -> str:
    return repr(found.to_dict() if hasattr(found, "to_dict") else dict(found) if isinstance(found, dict) else found)


# For each function: how it is called, and for each setting two values that must lead to two answers.
ASKED: dict[str, tuple[Callable[..., Any], dict[str, tuple[Any, Any]]]] = {
    "strengths": (
        lambda **s: qx.strengths(**{"qbaf": ROUND, "solver": "continuous", **s}),
        {"semantics": ("df-quad", HALF), "solver": ("discrete", "continuous")},
    ),
    "solve_lanes": (
        lambda **s: qx.solve_lanes(**{"qbaf": ROUND, "solver": "continuous", **s}).tolist(),
        {
            "present": (None, [0, 1, 1, 1, 1]),
            "base_scores": (None, [0.5, 1, 1, 1, 1]),
            "weights": (None, [1, 1, 1, 0.5, 0, 1]),
            "semantics": ("df-quad", "qe"),
            "solver": ("discrete", "continuous"),
        },
    ),
    "trajectory": (
        lambda **s: qx.trajectory(**{"qbaf": ROUND, "until": 3, "points": 4, **s}),
        {
            "semantics": ("df-quad", "qe"),
            "solver": ("discrete", "continuous"),
            "until": (2, 3),
            "points": (3, 4),
        },
    ),
    "explain_many": (
        lambda **s: [each.to_dict() for each in qx.explain_many(**{"graphs": [ROUND], "solver": "continuous", **s})],
        {
            "graphs": ([ROUND], [LINE]),
            "fact": ("t", "c"),
            "foil": ("u", "c"),
            "players": ("direct", "arguments"),
            "method": ("removal", "shapley"),
            "semantics": ("df-quad", "mlp"),
            "solver": ("discrete", "continuous"),
            "pairs": ("strongest", lambda graph, strengths: ("c", "t")),
            "reasons": (0, 2),
            "robustness": (False, True),
            "max_evaluations": (1, 1000),
        },
    ),
    "check": (
        lambda **s: qx.check(**{"qbaf": ROUND, **s}),
        {"semantics": ("df-quad", "qe"), "solver": ("discrete", "continuous")},
    ),
    "paths": (
        lambda **s: qx.paths(**{"qbaf": ROUND, "contributor": "c", "topic": "t", "solver": "continuous", **s}),
        {"solver": ("discrete", "continuous")},
    ),
    "attribute": (
        lambda **s: qx.attribute(**{"qbaf": ROUND, "topic": "t", "solver": "continuous", **s}),
        {
            "topic": ("t", "u"),
            "method": ("removal", "shapley"),
            "players": ("direct", "arguments"),
            "semantics": ("df-quad", "mlp"),
            "solver": ("discrete", "continuous"),
            "max_evaluations": (1, 1000),
        },
    ),
    "contributions": (
        lambda **s: qx.contributions(**{"qbaf": ROUND, "topics": ["t"], "solver": "continuous", **s}).values.tolist(),
        {
            "topics": (["t"], ["u"]),
            "players": ("direct", "arguments"),
            "method": ("removal", "shapley"),
            "semantics": ("df-quad", "mlp"),
            "solver": ("discrete", "continuous"),
            "max_evaluations": (1, 1000),
        },
    ),
    "contrast": (
        lambda **s: qx.contrast(**{"qbaf": ROUND, "fact": "t", "foil": "u", "solver": "continuous", **s}),
        {
            "fact": ("t", "c"),
            "foil": ("u", "c"),
            "players": ("direct", "arguments"),
            "method": ("removal", "shapley"),
            "semantics": ("df-quad", "mlp"),
            "solver": ("discrete", "continuous"),
            "combine": (None, max),
            "max_evaluations": (1, 1000),
        },
    ),
    "all_pairs": (
        lambda **s: qx.all_pairs(**{"qbaf": ROUND, "solver": "continuous", **s}),
        {
            "topics": (None, ["t", "c"]),
            "method": ("removal", "shapley"),
            "players": ("direct", "arguments"),
            "semantics": ("df-quad", "mlp"),
            "solver": ("discrete", "continuous"),
            "max_evaluations": (1, 1000),
        },
    ),
    "rank": (
        lambda **s: qx.rank(**{"qbaf": ROUND, "solver": "continuous", **s}),
        {
            "topics": (None, ["t", "c"]),
            "method": ("removal", "shapley"),
            "semantics": ("df-quad", "mlp"),
            "solver": ("discrete", "continuous"),
            "max_evaluations": (1, 1000),
        },
    ),
    "whatif": (
        lambda **s: qx.whatif(**{"qbaf": ROUND, "fact": "t", "foil": "u", "solver": "continuous", **s}),
        {
            "fact": ("t", "a"),
            "foil": ("u", "a"),
            "base_scores": (None, {"c": 1.0}),
            "remove": ((), ["c"]),
            "method": ("removal", "shapley"),
            "semantics": ("df-quad", "mlp"),
            "solver": ("discrete", "continuous"),
            "max_evaluations": (1, 1000),
        },
    ),
    "uncertainty": (
        lambda **s: qx.uncertainty(
            **{"qbaf": ROUND, "fact": "t", "foil": "u", "solver": "continuous", "samples": 500}
            | {"scores": {"c": (0.2, 0.7), "t": qx.Beta(2, 2)}, **s}
        ),
        {
            "fact": ("t", "c"),
            "foil": ("u", "c"),
            "semantics": ("df-quad", "mlp"),
            "solver": ("discrete", "continuous"),
            "seed": (0, 1),
            "scores": (None, {"c": (0.1, 0.9)}),
            "samples": (500, 600),
            "quick": (False, True),
            "max_evaluations": (10, 1000),
        },
    ),
    "compare_semantics": (
        lambda **s: qx.compare_semantics(**{"qbaf": ROUND, "fact": "t", "foil": "u", "solver": "continuous", **s}),
        {
            "fact": ("t", "c"),
            "foil": ("u", "c"),
            "players": ("direct", "arguments"),
            "method": ("removal", "shapley"),
            "semantics": (["df-quad"], None),
            "solver": ("discrete", "continuous"),
            "max_evaluations": (1, 1000),
        },
    ),
    "robustness": (
        lambda **s: qx.robustness(**{"qbaf": ROUND if "solver" in s else LINE, "fact": "t", "foil": "u", **s}),
        {
            "fact": ("t", "c"),
            "foil": ("u", "c"),
            "semantics": ("df-quad", "mlp"),
            "solver": ("discrete", "continuous"),
            "norm": ("l1", "linf"),
            "movers": (None, ["c"]),
            "change": ("base_scores", "weights"),
            "max_boxes": (1, 10_000),
            "time_limit": (1e-9, 30.0),
        },
    ),
    "reasons": (
        lambda **s: qx.reasons(**{"qbaf": ROUND, "fact": "t", "foil": "u", "solver": "continuous", **s}),
        {
            "fact": ("t", "c"),
            "foil": ("u", "c"),
            "players": ("direct", "arguments"),
            "semantics": ("df-quad", "mlp"),
            "solver": ("discrete", "continuous"),
        },
    ),
    "change": (
        lambda **s: qx.change(
            **{"before": ROUND, "after": HEAVY, "fact": "t", "foil": "u", "solver": "continuous", **s}
        ),
        {
            "before": (ROUND, HEAVY),
            "after": (HEAVY, ROUND),
            "fact": ("t", "a"),
            "foil": ("u", "a"),
            "semantics": ("df-quad", "mlp"),
            "solver": ("discrete", "continuous"),
            "units": ("elements", "arguments"),
        },
    ),
    "reach": (
        lambda **s: qx.reach(**{"qbaf": GOAL, "goal": "t >= 0.6", "fixed": ["t"], **s}),
        {
            "goal": ("t >= 0.6", "t >= 0.7"),
            "semantics": ("df-quad", "mlp"),
            "change": ("base_scores", "weights"),
            "cost": ("l1", "l2"),
            "fixed": (["t"], ["t", "c"]),
            "bounds": (None, {"c": (0.4, 0.5)}),
            "prices": (None, {"c": 2}),
            "margin": (0.0, 0.01),
            "prove": (True, False),
            "tolerance": (1e-3, 1e-4),
            "time_limit": (1e-9, None),
        },
    ),
    "find_counterexample": (
        lambda **s: str(
            axioms.find_counterexample(
                **{"axiom": "efficiency", "caf": "removal", "semantics": "qe", "graphs": 30, "seed": 1, **s}
            )
        ),
        {
            "axiom": ("efficiency", "antisymmetry"),
            "caf": ("removal", "gradient"),
            "semantics": ("qe", "df-quad"),
            "seed": (0, 1),
        },
    ),
    "axiom_table": (
        lambda **s: str(axioms.axiom_table(**{"semantics": "qe", "axioms": ["efficiency"], "graphs": 30, **s})),
        {
            "semantics": ("qe", "df-quad"),
            "cafs": (["removal"], ["gradient"]),
            "axioms": (["efficiency"], ["antisymmetry"]),
            "seed": (0, 1),
        },
    ),
    "verdicts": (
        lambda **s: str(axioms.verdicts(**{"qbaf": ZEBRA, "caf": "removal", "topics": ["zebra", "horse"], **s})),
        {
            "caf": ("removal", "gradient"),
            "semantics": ("qe", "df-quad"),
            "topics": (["zebra", "horse"], ["horse", "tiger"]),
            "tolerance": (None, 10.0),
        },
    ),
}
# Settings that have a test of their own below.
ELSEWHERE = {
    *((name, "max_steps") for name in ASKED),
    ("solve_lanes", "executor"),
    *((name, "device") for name in ASKED),  # in test_devices
    *((name, "executor") for name in ("contributions", "contrast", "all_pairs", "rank", "whatif", "compare_semantics")),
    ("attribute", "executor"),
    *((name, "executor") for name in ("audit", "find_counterexample", "axiom_table", "verdicts")),  # in test_executors
    *(("explain_many", each) for each in ("executor", "time_limit")),  # in test_executors and test_many
    *((name, "executor") for name in ("uncertainty", "reach", "robustness")),  # in test_executors
    *(("reasons", each) for each in ("executor", "max_sets", "time_limit")),  # in test_reasons
    ("paths", "contributor"),
    ("paths", "topic"),
    ("paths", "semantics"),
    ("paths", "limit"),
    ("verdicts", "phi"),
    ("find_counterexample", "phi"),
    *((name, "progress") for name in ASKED),
    *(("change", each) for each in ("executor", "seed", "budget")),
    ("reach", "solver"),
    *(
        (name, each)
        for name in ("find_counterexample", "axiom_table")
        for each in ("graphs", "cyclic", "loops", "arguments")
    ),
}


def outcome(ask: Callable[..., Any], **settings: Any) -> str:
    try:
        return answer(ask(**settings))
    except QontrastError as error:
        return f"{type(error).__name__}: {error}"


class Called(Exception):
    """Raised in place of a call: what the function would have been given."""


OUTCOMES: dict[str, str] = {}


def outcome_once(name: str, ask: Callable[..., Any], **settings: Any) -> str:
    """The outcome of a call; a value that is the default anyway asks the same question as another default does."""
    module = qx if hasattr(qx, name) else axioms
    signature = inspect.signature(getattr(module, name))

    def refuse(*given: Any, **named: Any) -> None:
        bound = signature.bind(*given, **named)
        bound.apply_defaults()
        raise Called(f"{name} {bound.arguments}")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, name, refuse)
        with pytest.raises(Called) as called:
            ask(**settings)
    question = str(called.value)
    if question not in OUTCOMES:
        OUTCOMES[question] = outcome(ask, **settings)
    return OUTCOMES[question]


@pytest.mark.parametrize(("name", "setting"), [(name, each) for name, (_, found) in ASKED.items() for each in found])
def test_two_values_of_a_setting_lead_to_two_answers(name: str, setting: str) -> None:
    ask, values = ASKED[name]
    one, other = (outcome_once(name, ask, **{setting: value}) for value in values[setting])
    assert one != other
    assert not one.startswith("UnknownName")
    assert not other.startswith(("UnknownName", "InvalidInput"))


@pytest.mark.parametrize("name", ASKED)
def test_no_setting_is_without_a_case(name: str) -> None:
    function = getattr(qx, name, None) or getattr(axioms, name)
    known = {each.name for each in inspect.signature(function).parameters.values() if each.kind != each.VAR_KEYWORD}
    without = known - set(ASKED[name][1]) - {"qbaf"} - {setting for function, setting in ELSEWHERE if function == name}
    assert not without, f"give {name} a case for {without} in ASKED, or a test of its own"


@pytest.mark.parametrize("method", ["removal", "intrinsic", "shapley", "sampled"])
def test_every_method_solves_with_the_semantics_and_the_solver_that_it_is_given(method: str) -> None:
    """Against the definitions, on restrictions that only the continuous solver can solve."""

    def v(q: Qbaf) -> float:
        return qx.strengths(q, solver="continuous")["t"]

    with pytest.raises(UndefinedStrength):
        qx.attribute(ROUND, "t", method=method)
    found = qx.attribute(
        ROUND, "t", method=method, solver="continuous", **({"budget": 100} if method == "sampled" else {})
    )
    for x in "abcu":
        into = [{edge: w for edge, w in r.items() if edge[1] != x} for r in (ROUND.attacks, ROUND.supports)]
        cut = Qbaf(ROUND.base_scores, *into, semantics="df-quad")
        if method == "removal":
            truth = v(ROUND) - v(ROUND.without(x))
        elif method == "intrinsic":
            truth = v(cut) - v(ROUND.without(x))
        else:
            truth = (
                sum(
                    (v(ROUND.restrict({*s, "t", x})) - v(ROUND.restrict({*s, "t"}))) / (3 * comb)
                    for s, comb in _subsets([y for y in "abc" if y != x])
                )
                if x != "u"
                else 0.0
            )  # u is no ancestor of t
        near = 0.02 if method == "sampled" else 1e-9
        assert found[x] == pytest.approx(truth, abs=near), x


def test_the_gradient_solves_with_the_solver_that_it_is_given() -> None:
    b, c = [f"b{i}" for i in range(10)], [f"c{i}" for i in range(10)]
    q = Qbaf(
        {"A": 0.9, **dict.fromkeys(b + c, 0.0)},
        attacks=[(x, "A") for x in c],
        supports=[("A", x) for x in b] + [(x, y) for x in b for y in c],
    )
    with pytest.raises(UndefinedStrength):
        qx.attribute(q, "b0", method="gradient", semantics="qe")
    found, h = qx.attribute(q, "b0", method="gradient", semantics="qe", solver="continuous")["A"], 1e-5
    low, high = (
        qx.strengths(q.with_base_scores({"A": 0.9 + d}), semantics="qe", solver="continuous")["b0"] for d in (-h, h)
    )
    assert found == pytest.approx((high - low) / (2 * h), abs=1e-6)


def _subsets(others: list[str]) -> list[tuple[list[str], int]]:
    """All subsets of two players, with the number of subsets of that size."""
    a, b = others
    return [([], 1), ([a], 2), ([b], 2), ([a, b], 1)]


# a and its self-support settle within some 500 steps; c, at 1, holds a down, and the whole settles within ten
HELD = Qbaf(
    {"a": 0.001, "c": 1.0, "t": 0.5},
    attacks=[("c", "a")],
    supports={("a", "a"): 0.95, ("a", "t"): 1.0},
    semantics="df-quad",
)


@pytest.mark.parametrize("method", ["removal", "intrinsic", "shapley", "sampled"])
def test_every_method_keeps_to_the_number_of_steps_in_its_sub_graphs(method: str) -> None:
    run = METHODS[method].make()
    assert make_problem(HELD, max_steps=40).solve().moving[0] == 0
    with pytest.raises(UndefinedStrength, match="40 steps"):
        run(make_problem(HELD, max_steps=40), ("t",))
    assert np.isfinite(run(make_problem(HELD), ("t",)).values[0, :2]).all()
    with pytest.raises(UndefinedStrength, match="40 steps"):
        run(
            make_problem(
                Qbaf({**HELD.base_scores, "alone": 0.5}, HELD.attacks, HELD.supports), "df-quad", "discrete", 40
            ),
            ("t",),
        )


def test_intrinsic_removal_keeps_to_the_number_of_steps_where_only_a_graph_with_edges_cut_is_slow() -> None:
    twice = Qbaf(
        {**HELD.base_scores, "d": 1.0}, [("c", "a"), ("d", "a")], HELD.supports, semantics="df-quad"
    )  # either of c and d holds a down; both edges are cut where a is looked at
    assert np.isfinite(METHODS["removal"].make()(make_problem(twice, max_steps=40), ("t",)).values[0, :2]).all()
    with pytest.raises(UndefinedStrength, match="40 steps"):
        METHODS["intrinsic"].make()(make_problem(twice, max_steps=40), ("t",))


SLOW = Qbaf(  # a settles within some 500 steps
    {"a": 0.001, "c": 0.3, "t": 0.5, "u": 0.4},
    supports={("a", "a"): 0.95, ("a", "t"): 1.0, ("c", "u"): 1.0},
    topics=["t", "u"],
    semantics="df-quad",
)
STEPS: dict[str, Callable[..., Any]] = {
    "strengths": lambda **s: qx.strengths(SLOW, **s),
    "solve_lanes": lambda **s: qx.solve_lanes(SLOW, present=[[1, 0, 1, 1], [1, 1, 1, 1]], **s),
    "check": lambda **s: qx.check(SLOW, **s),
    "paths": lambda **s: qx.paths(SLOW, "a", "t", **s),
    "attribute": lambda **s: qx.attribute(SLOW, "t", **s),
    "contributions": lambda **s: qx.contributions(SLOW, ["t"], method="removal", **s).values,
    "contrast": lambda **s: qx.contrast(SLOW, "t", "u", method="removal", **s),
    "all_pairs": lambda **s: qx.all_pairs(SLOW, method="removal", **s),
    "rank": lambda **s: qx.rank(SLOW, method="removal", **s),
    "uncertainty": lambda **s: qx.uncertainty(SLOW, "t", "u", scores={"a": (0.001, 0.002)}, samples=500, **s),
    "whatif": lambda **s: qx.whatif(SLOW, "t", "u", base_scores={"c": 1.0}, **s),
    "compare_semantics": lambda **s: qx.compare_semantics(SLOW, "t", "u", method="removal", **s),
    "reasons": lambda **s: qx.reasons(SLOW, "t", "u", **s),
    "explain_many": lambda **s: [each.to_dict() for each in qx.explain_many([SLOW], **s)],
    "change": lambda **s: qx.change(SLOW, SLOW.with_base_scores({"c": 1.0}), "t", "u", **s),
}


@pytest.mark.parametrize("name", STEPS)
def test_the_limit_of_steps_reaches_the_solver(name: str) -> None:
    few, many = outcome(STEPS[name], max_steps=40), outcome(STEPS[name], max_steps=5000)
    assert "after 40 steps" in few
    assert "steps;" not in many
    assert many == outcome(STEPS[name])


def test_the_settings_of_sampling_change_what_is_drawn_and_how_much() -> None:
    def ask(**settings: Any) -> qx.Attribution:
        return qx.attribute(DAG, 16, method="sampled", semantics="qe", **{"budget": 150, **settings})

    one = ask()
    assert ask(seed=0).array.tolist()[:16] == one.array.tolist()[:16]
    assert ask(seed=1).array.tolist()[:16] != one.array.tolist()[:16]
    assert one.evaluations <= 150 < ask(budget=300).evaluations <= 300
    assert ask(sampler="permutations", budget=400).how.startswith("permutations")
    worst = max(one.std_error.values())
    better = ask(target=worst / 2)
    assert max(better.std_error.values()) <= worst / 2
    assert better.evaluations > one.evaluations
    with pytest.raises(qx.TooLarge, match="after 200 evaluations"):
        ask(target=1e-9, max_budget=200)
    assert set(METHODS["sampled"].make.__dataclass_fields__) == {
        *("budget", "seed", "sampler", "target", "max_budget", "max_minutes")
    }
    assert set(METHODS["shapley"].make.__dataclass_fields__) == {"max_evaluations", "max_minutes"}
    for method in ("removal", "gradient", "intrinsic"):
        assert set(METHODS[method].make.__dataclass_fields__) == {"max_minutes"}


def test_every_setting_of_every_method_has_help_and_a_type_as_a_keyword() -> None:
    for name, entry in METHODS.items():
        assert set(entry.settings) == set(entry.make.__dataclass_fields__), name
        assert all(text.endswith(".") for text in entry.settings.values())
    typed, used = set(MethodSettings.__annotations__), {each for entry in METHODS.values() for each in entry.settings}
    assert typed == used, f"change MethodSettings in attribution/methods.py: {typed ^ used}"


def test_a_method_may_be_given_with_its_settings_or_by_name_beside_them() -> None:
    by_name = qx.attribute(ZEBRA, "zebra", method="sampled", budget=40, seed=3)
    made = qx.attribute(ZEBRA, "zebra", method=qx.Sampled(budget=40, seed=3))
    assert (dict(made), made.method) == (dict(by_name), "sampled")


def test_an_executor_is_given_work() -> None:
    present = np.random.default_rng(0).random((MAX_LANES_PER_TASK + 1, 5)) < 0.5
    assert sent(lambda **s: qx.solve_lanes(KINK, present=present[:, :3], semantics="df-quad", **s)) == 2
    ring = games.branches(3, 16)  # 17³ connected sets
    ring = Qbaf.from_arrays(ring.base_array, [*ring.sources, 0], [*ring.targets, 0], [*(0.3 * ring.weights), 0.1])
    assert sent(lambda **s: qx.contributions(ring, [0], method="shapley", semantics="qe", **s)) >= 2
    assert sent(lambda **s: qx.contrast(ring, 0, 1, method="shapley", semantics="qe", **s)) >= 2
    moved = ring.with_base_scores(dict.fromkeys(range(1, 14), 0.125))
    assert sent(lambda **s: qx.change(ring, moved, 0, semantics="qe", **s)) >= 2


@pytest.mark.parametrize("name", ["attribute", "contributions", "contrast", "all_pairs", "rank"])
def test_progress_is_told_by_every_function_that_takes_it(name: str) -> None:
    ask = ASKED[name][0]
    for method in ("removal", "shapley", "intrinsic"):
        seen = told(ask, method=method)
        assert seen
        assert seen[-1][0] == seen[-1][1] > 0


@pytest.mark.parametrize("size", [5, 22])
def test_a_change_tells_its_progress_whether_it_is_summed_or_sampled(size: int) -> None:
    names = [f"x{k}" for k in range(size)]
    before = Qbaf({"t": 0.5, "u": 0.4} | dict.fromkeys(names, 0.1), [(x, "t") for x in names])
    seen = told(lambda **s: qx.change(before, before.with_base_scores(dict.fromkeys(names, 0.9)), "t", "u", **s))
    assert seen[-1][0] == seen[-1][1] > 0
    assert all(done <= total for done, total in seen)


def test_the_properties_tell_their_progress_and_take_their_settings() -> None:
    for ask, most in (
        (lambda **s: axioms.find_counterexample("antisymmetry", "removal", semantics="qe", **{"graphs": 60, **s}), 60),
        (lambda **s: axioms.axiom_table(["removal"], ["antisymmetry"], semantics="qe", **{"graphs": 60, **s}), 60),
    ):
        assert told(ask)[-1] == (most, most)
        assert told(ask, graphs=20)[-1] == (20, 20)
    assert told(lambda **s: axioms.verdicts(ZEBRA, "shapley", semantics="qe", topics=["zebra", "horse"], **s))
    tried = axioms.find_counterexample("efficiency", "shapley", semantics="qe", graphs=20, arguments=(3, 3))
    assert tried.graphs == 20
    looped = axioms.find_counterexample(
        "efficiency", "shapley", semantics="qe", graphs=40, cyclic=True, arguments=(2, 3)
    )
    assert (
        looped.qbaf.sources == looped.qbaf.targets
    ).any()  # a loop is what breaks it, and only cyclic graphs have one
    calm = axioms.find_counterexample(
        "efficiency", "shapley", semantics="qe", graphs=20, cyclic=True, loops=False, arguments=(2, 3)
    )
    assert isinstance(calm, axioms.Tried)
    sizes = {
        len(
            axioms.find_counterexample(
                "efficiency", "gradient", semantics="qe", graphs=10, seed=k, arguments=(2, 2)
            ).qbaf
        )
        for k in range(3)
    }
    assert sizes == {2}


def test_a_property_can_measure_a_caf_against_another_phi() -> None:
    def plain(qbaf: Qbaf, fact: str, foil: str, semantics: Any) -> dict[str, float]:
        return dict(qx.contrast(qbaf, fact, foil, method="removal", semantics=semantics))

    same, other = (
        axioms.find_counterexample("calibration", plain, semantics="qe", phi=phi, graphs=20, arguments=(3, 4))
        for phi in ("removal", "shapley")
    )
    assert isinstance(same, axioms.Tried)
    assert isinstance(other, axioms.Witness)
    one, two = (
        axioms.verdicts(other.qbaf, plain, semantics="qe", topics=["a", "b"], phi=phi)["calibration"]
        for phi in ("removal", "shapley")
    )
    assert not isinstance(one, axioms.Witness)
    assert isinstance(two, axioms.Witness)


def test_paths_take_their_ends_and_their_semantics() -> None:
    q = Qbaf(dict.fromkeys("xyt", 0.5), supports={("x", "y"): 0.5, ("y", "t"): 1.0})
    assert [p.arguments for p in qx.paths(q, "x", "t")] == [("x", "y", "t")]
    assert [p.arguments for p in qx.paths(q, "x", "y")] == [("x", "y")]
    assert [p.arguments for p in qx.paths(q, "y", "t")] == [("y", "t")]
    shares = {name: qx.paths(q, "x", "t", semantics=name)[0].share for name in ("qe", "df-quad", "reb", "mlp")}
    assert len(set(shares.values())) == 4


def test_without_a_semantics_every_function_takes_that_of_the_graph() -> None:
    acyclic = Qbaf(dict.fromkeys("abtu", 0.4), {("a", "t"): 0.5}, {("b", "t"): 1.0, ("a", "u"): 1.0}, topics=["t", "u"])
    for name in qx.SEMANTICS:
        own = Qbaf(acyclic.base_scores, acyclic.attacks, acyclic.supports, topics=["t", "u"], semantics=name)
        for ask in (
            lambda q, **s: qx.strengths(q, **s),
            lambda q, **s: qx.solve_lanes(q, **s).tolist(),
            lambda q, **s: qx.trajectory(q, until=2, points=3, **s),
            lambda q, **s: qx.check(q, **s),
            lambda q, **s: qx.paths(q, "a", "t", **s),
            lambda q, **s: qx.attribute(q, "t", **s),
            lambda q, **s: qx.contrast(q, "t", "u", method="gradient", **s),
            lambda q, **s: qx.all_pairs(q, **s),
            lambda q, **s: qx.rank(q, **s),
            lambda q, **s: qx.whatif(q, "t", "u", base_scores={"a": 1.0}, **s),
            lambda q, **s: qx.change(q, q.with_base_scores({"a": 1.0}), "t", "u", **s),
        ):
            assert outcome(ask, q=own) == outcome(ask, q=acyclic, semantics=name)
        assert qx.strengths(own).semantics == name


# -- defaults

DEFAULTS: dict[str, Any] = {
    "players": "arguments",
    "index": "sii",
    "units": "elements",
    "method": "shapley",
    "caf": "shapley",
    "cafs": ("removal", "gradient", "shapley"),
    "methods": ("gradient", "removal", "shapley"),
    "solver": "discrete",
    "device": "cpu",
    "max_steps": 10_000,
    "max_evaluations": 1 << 28,
    "max_minutes": 5.0,
    "budget": 2000,
    "max_budget": 200_000,
    "interactive": True,
    "sampler": "auto",
    "seed": 0,
    "norm": "l1",
    "cost": "l1",
    "change": "base_scores",
    "prove": True,
    "tolerance": 1e-3,
    "language": "en",
    "margin": 1e-6,
    "time_limit": 30.0,
    "max_sets": 1000,
    "pairs": "strongest",
    "reasons": 3,
    "limit": 20,
    "most": 20,  # of the command line: --most
    "until": 20.0,
    "points": 201,
    "graphs": 5000,
    "arguments": (3, 6),
    "loops": True,
    "samples": 4096,
    "max_boxes": 20_000,
    "seeds": 5,
    "readout": "logistic",
    "activation": "logistic",
    "format": "json",
    "name": "<text>",
    "out": None,  # of the command line: each command has its own
    "figure": "graph",
    "host": "127.0.0.1",
    "port": 0,
    "browser": True,
}
EXCEPTIONS = {
    ("owen", "max_evaluations"): 1 << 22,  # each is a graph to solve
    ("uncertainty", "max_evaluations"): 1 << 20,  # so is each of these
    ("trajectory", "solver"): "continuous",  # a curve; the discrete one is a row of jumps
    ("change", "budget"): 20_000,  # lanes of one graph
    ("reach", "margin"): 0.0,  # a tie is allowed
    ("history", "budget"): 20_000,
    ("explain_many", "time_limit"): 60.0,  # of one pair among many
    ("batch", "time_limit"): 60.0,
    ("robustness", "norm"): "linf",  # how far all may be off at once
    ("audit", "limit"): 5,
    ("reproduce", "seeds"): 40,
    ("draw", "out"): "graph.svg",
    ("report", "out"): "why.html",
    ("reproduce", "out"): "reproduced",
}


def stated_defaults() -> Iterator[tuple[str, str, Any]]:
    """Each default of a public function, of a method and of a command; those that are empty or off are left out."""
    functions = [(name, getattr(module, name)) for module in (qx, axioms, networks) for name in module.__all__]
    functions += [(name, entry.make) for name, entry in METHODS.items()]
    for name, function in functions:
        if inspect.isfunction(function) or name in METHODS:
            for setting, each in inspect.signature(function).parameters.items():
                if each.default is not each.empty:
                    yield name, setting, each.default
    for name in COMMANDS:
        for parameter in load_command(name).params:
            default = parameter.default if isinstance(parameter.default, str | int | float) else None
            yield name, str(parameter.name), default


def test_a_setting_has_the_same_default_everywhere() -> None:
    seen = set()
    for name, setting, default in stated_defaults():
        if default is not None and default is not False and default != ():
            assert default == EXCEPTIONS.get((name, setting), DEFAULTS[setting]), (name, setting)
            seen.add((name, setting))
        else:
            assert (name, setting) not in EXCEPTIONS
    assert {setting for _, setting in seen} == set(DEFAULTS)
    assert set(EXCEPTIONS) <= seen
