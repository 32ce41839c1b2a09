"""Whatever is given for a setting of a public function, it works or is refused by an error of ours that names it."""

from __future__ import annotations

import inspect
import re
import warnings
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import wraps
from typing import Any

import numpy as np
import pytest

import qontrast as qx
from qontrast import axioms, networks
from qontrast.attribution.matrix import Phi
from qontrast.attribution.methods import Shapley
from qontrast.axioms import Derived
from qontrast.settings import format_value

G = qx.Qbaf(
    {"p": 0.6, "q": 0.5, "x": 0.8, "y": 0.3},
    attacks={("x", "q"): 0.5},
    supports={("x", "p"): 1.0, ("y", "x"): 0.5},
    topics=["p", "q"],
)
NETWORK = networks.from_arrays(
    [[[-8.0, 8.0], [0.0, 1.0]]], [[4.0, -4.0]], inputs=["race", "age"], classes=["Low", "Medium"]
)
X = np.array([[0.0, 0.5], [1.0, 0.5], [1.0, 0.2]])
Y = ["Low", "Medium", "Medium"]

WRONG = {
    "object": object(),
    "empty list": [],
    "empty mapping": {},
    "unknown name": "nonsense",
    "empty string": "",
    "negative": -1,
    "zero": 0,
    "fraction": 2.5,
    "nan": float("nan"),
    "none": None,
    "true": True,
    "numbers": [1, 2],
    "one name": ["p"],
    "two names": ("p", "q"),
    "mapping": {"p": 1},
    "mapping to text": {"p": "a"},
    "function of nothing": lambda: 0,
    "function that gives nothing": lambda *_: None,
    "function that gives text": lambda *_: "x",
    "array": np.zeros(3),
    "nested": [[1]],
    "bytes": b"bytes",
    "set": {1, 2},
    "unhashable name": ["p", []],
}


@wraps(qx.explain_many)
def explain_all(**given: Any) -> list[str]:
    """The errors of all answers are raised."""
    for each in qx.explain_many(**given):
        if each.error is not None:
            raise qx.InvalidInput(each.error)
    return []


@wraps(qx.workers)
def enter_workers(**given: Any) -> None:
    with qx.workers(**given):
        pass


FUNCTIONS: dict[str, tuple[Callable[..., Any], dict[str, Any]]] = {
    "strengths": (qx.strengths, {"qbaf": G}),
    "solve_lanes": (qx.solve_lanes, {"qbaf": G}),
    "trajectory": (qx.trajectory, {"qbaf": G}),
    "contrast": (qx.contrast, {"qbaf": G, "fact": "p", "foil": "q"}),
    "attribute": (qx.attribute, {"qbaf": G, "topic": "p"}),
    "interactions": (qx.interactions, {"qbaf": G, "fact": "p"}),
    "compare_semantics": (qx.compare_semantics, {"qbaf": G, "fact": "p", "foil": "q"}),
    "reasons": (qx.reasons, {"qbaf": G, "fact": "p", "foil": "q"}),
    "contributions": (qx.contributions, {"qbaf": G, "topics": ["p"]}),
    "all_pairs": (qx.all_pairs, {"qbaf": G}),
    "rank": (qx.rank, {"qbaf": G}),
    "paths": (qx.paths, {"qbaf": G, "contributor": "x", "topic": "p"}),
    "whatif": (qx.whatif, {"qbaf": G, "fact": "p", "foil": "q"}),
    "uncertainty": (qx.uncertainty, {"qbaf": G, "fact": "p", "foil": "q", "scores": {"x": (0.1, 0.9)}, "samples": 500}),
    "change": (qx.change, {"before": G, "after": G.with_base_scores({"x": 0.25}), "fact": "p", "foil": "q"}),
    "history": (qx.history, {"versions": [G, G.with_base_scores({"x": 0.25})], "fact": "p", "foil": "q"}),
    "flip": (qx.flip, {"qbaf": G, "fact": "p", "foil": "q"}),
    "reach": (qx.reach, {"qbaf": G, "goal": "q >= p"}),
    "robustness": (qx.robustness, {"qbaf": G, "fact": "p", "foil": "q"}),
    "check": (qx.check, {"qbaf": G}),
    "explain_many": (explain_all, {"graphs": [G]}),
    "workers": (enter_workers, {}),
    "chained_pairs": (qx.chained_pairs, {"caf": lambda a, b: qx.contrast(G, a, b), "topics": ["p", "q"]}),
    "audit": (qx.audit, {"model": NETWORK, "X": X, "fact": "Medium", "foil": "Low", "protected": "race", "y": Y}),
    "Semantics": (qx.Semantics, {"name": "m", "aggregation": lambda a, s: s.sum(0), "influence": lambda b, e: b}),
    "verdicts": (axioms.verdicts, {"qbaf": G}),
    "find_counterexample": (axioms.find_counterexample, {"axiom": "efficiency", "caf": "removal", "graphs": 2}),
    "axiom_table": (axioms.axiom_table, {"graphs": 2, "cafs": ["removal"], "axioms": ["efficiency"]}),
    "Network.contrast": (NETWORK.contrast, {"x": X[1], "fact": "Medium", "foil": "Low"}),
    "Network.contributions": (NETWORK.contributions, {"x": X}),
    "Network.qbaf": (NETWORK.qbaf, {"x": X[1]}),
    "from_arrays": (networks.from_arrays, {"weights": [[[1.0]]], "biases": [[0.0]]}),
}
OTHERS = {  # what is tested elsewhere: files, formats, and what makes a graph
    "from_lists",
    "from_networkx",
    "to_networkx",
    "read",
    "read_groups",
    "read_many",
    "read_text",
    "write",
    "write_many",
    "convert",
    "write_text",
    "audit_files",
}
SWITCHES = {
    "cyclic",
    "loops",
    "as_function",
    "move_topics",
    "robustness",
}  # true or false: anything has a truth value, but an array
NOUNS: dict[str, tuple[str, ...]] = {  # what messages call these things
    **dict.fromkeys(["topics", "fixed", "movers", "remove", "set", "base_scores", "scores"], ("argument",)),
    **dict.fromkeys(["model", "trainer"], ("MLPClassifier", "file")),
    **dict.fromkeys(["X", "x"], ("instances", "feature")),
    "methods": ("method",),
    "goal": ("argument",),
    "graphs": ("file",),
    "prices": ("price", "argument"),
    "y": ("label",),
    "values": ("feature",),
    "cafs": ("caf", "method"),
    "axioms": ("property",),
}
CASES = [
    pytest.param(name, parameter, id=f"{name}-{parameter}")
    for name, (function, _) in FUNCTIONS.items()
    for parameter, each in inspect.signature(function).parameters.items()
    if each.kind not in (each.VAR_KEYWORD, each.VAR_POSITIONAL)
]


def test_every_public_function_is_here() -> None:
    public = {name for name in qx.__all__ if inspect.isfunction(getattr(qx, name))}
    assert public <= set(FUNCTIONS) | OTHERS


@pytest.mark.parametrize(("name", "parameter"), CASES)
def test_a_wrong_value_is_refused_by_an_error_of_ours(name: str, parameter: str) -> None:
    function, given = FUNCTIONS[name]
    refusals: dict[str, str] = {}
    for what, value in WRONG.items():
        if parameter in SWITCHES and what == "array":
            continue
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                function(**given | {parameter: value})
            except qx.QontrastError as error:
                refusals[what] = str(error)
            except Exception as error:
                raise AssertionError(f"{name}({parameter}={what}) raises {type(error).__name__}: {error}") from error
    for what, message in refusals.items():
        named = (parameter, repr(WRONG[what]), *NOUNS.get(parameter, ()))
        assert any(word.lower() in message.lower() for word in named), f"{name}({parameter}={what}): {message}"


@pytest.mark.parametrize("setting", ["max_evaluations", "budget", "seed", "target", "sampler"])
def test_a_wrong_setting_of_a_method_is_refused_by_an_error_of_ours(setting: str) -> None:
    method = "shapley" if setting == "max_evaluations" else "sampled"
    refusals: list[str] = []
    for what, value in WRONG.items():
        try:
            qx.contrast(G, "p", "q", method=method, **{setting: value})
        except qx.QontrastError as error:
            refusals.append(str(error))
        except Exception as error:
            raise AssertionError(f"{setting}={what} raises {type(error).__name__}: {error}") from error
    assert len(refusals) > 10
    assert all(setting in message for message in refusals)


# -- a method of one's own


def phi(problem: Any, topics: Any, progress: Any) -> Phi:
    return qx.contributions(problem.qbaf, topics, method="removal", semantics=problem.semantics)


def half(problem: Any, topics: Any, progress: Any) -> Any:
    return [[0.5] * len(problem.qbaf) for _ in topics]


def test_a_method_of_ones_own_gives_phi_or_an_array() -> None:
    assert dict(qx.contrast(G, "p", "q", method=phi)) == dict(qx.contrast(G, "p", "q", method="removal"))
    mine = qx.attribute(G, "p", method=half)
    assert dict(mine) == {"q": 0.5, "x": 0.5, "y": 0.5}
    assert (mine.method, mine.how) == ("half", "by a method of your own")
    assert mine.strength == qx.strengths(G)["p"]
    assert qx.all_pairs(G, method=half)["p", "q"].gap == qx.contrast(G, "p", "q").gap
    assert qx.attribute(G, "p", method=Shapley()).method == "shapley"


def broken(problem: Any, topics: Any, progress: Any) -> Any:
    raise ZeroDivisionError("one over none")


def changed(**fields: Any) -> Callable[..., Phi]:
    def method(problem: Any, topics: Any, progress: Any) -> Phi:
        return replace(phi(problem, topics, progress), **fields)

    return method


@pytest.mark.parametrize(
    ("method", "said"),
    [
        (3, "method is 3; give a function (problem, topics, progress), or one of shapley, removal"),
        (None, "method is None; give a function"),
        (Shapley, "method is the class Shapley; give an object, Shapley()"),
        (lambda problem: 0, "which cannot be called with (problem, topics, progress)"),
        (broken, "method broken failed with ZeroDivisionError: one over none; a method is called as"),
        (lambda *_: None, "gave an array of shape (), not (2, 4)"),
        (lambda *_: "text", "gave 'text'; a method is called as method(problem, topics, progress)"),
        (lambda *_: np.zeros((4, 2)), "gave an array of shape (4, 2), not (2, 4)"),
        (changed(values=np.zeros((2, 3))), "gave values of shape (2, 3), not (2, 4)"),
        (changed(strengths=np.zeros(3)), "gave strengths of shape (3,), not (4,)"),
        (changed(replicates=np.zeros((5, 2, 3))), "gave replicates of shape (5, 2, 3), not (5, 2, 4)"),
        (changed(playing=np.ones((2, 3), bool)), "gave playing of shape (2, 3), not (2, 4)"),
        (changed(topics=("q", "p")), "answers for ('q', 'p'), not for ('p', 'q')"),
    ],
)
def test_a_wrong_method_is_named_with_the_way_out(method: Any, said: str) -> None:
    for ask in (
        lambda: qx.contrast(G, "p", "q", method=method),
        lambda: qx.all_pairs(G, method=method),
        lambda: qx.rank(G, method=method),
        lambda: qx.whatif(G, "p", "q", method=method),
        lambda: qx.contributions(G, ["p", "q"], method=method),
    ):
        with pytest.raises(qx.InvalidInput, match=re.escape(said)):
            ask()


def test_the_cause_of_a_failure_is_kept() -> None:
    with pytest.raises(qx.InvalidInput) as said:
        qx.contrast(G, "p", "q", method=broken)
    assert isinstance(said.value.__cause__, ZeroDivisionError)


@pytest.mark.parametrize(
    ("combine", "said"),
    [
        (3, "combine is 3; give a function (φ_fact(x), φ_foil(x)) → a number"),
        (abs, "cannot be called with (φ_fact(x), φ_foil(x))"),
        (lambda a, b: None, "is None; give a function"),
        (lambda a, b: [a, b], "give a function (φ_fact(x), φ_foil(x))"),
        (lambda a, b: float("inf"), "is inf; give a function"),
        (lambda a, b: a / 0, "failed with ZeroDivisionError"),
    ],
)
def test_a_wrong_combination_is_named_with_the_way_out(combine: Any, said: str) -> None:
    with pytest.raises(qx.InvalidInput, match=re.escape(said)):
        qx.contrast(G, "p", "q", method="removal", combine=combine)
    with pytest.raises(qx.InvalidInput, match=re.escape(said)):
        axioms.verdicts(G, Derived("removal", combine))
    with pytest.raises(qx.InvalidInput, match=re.escape(said)):
        axioms.find_counterexample("efficiency", Derived("removal", combine), graphs=3)


@pytest.mark.parametrize("executor", [3, "threads", ThreadPoolExecutor, object()])
def test_a_wrong_executor_is_named_with_the_way_out(executor: Any) -> None:
    for ask in (
        lambda: qx.solve_lanes(G, executor=executor),
        lambda: qx.contrast(G, "p", "q", executor=executor),
        lambda: qx.rank(G, executor=executor),
    ):
        with pytest.raises(
            qx.InvalidInput, match=f"executor is {re.escape(format_value(executor))}; give an executor of"
        ):
            ask()


@pytest.mark.parametrize("progress", [3, "bar", True, False, lambda done: None])
def test_a_wrong_progress_is_named_with_the_way_out(progress: Any) -> None:
    trained = {"y": Y, "trainer": lambda x, y, seed: NETWORK, "seeds": 1}
    for ask in (
        lambda: qx.contrast(G, "p", "q", progress=progress),
        lambda: qx.flip(G, "p", "q", progress=progress),
        lambda: qx.reach(G, "q >= p", progress=progress),
        lambda: qx.robustness(G, "p", "q", progress=progress),
        lambda: axioms.verdicts(G, progress=progress),
        lambda: axioms.find_counterexample("efficiency", graphs=2, progress=progress),
        lambda: axioms.axiom_table(graphs=2, progress=progress),
        lambda: NETWORK.contributions(X, progress=progress),
        lambda: qx.audit(NETWORK, X, "Medium", "Low", protected="race", progress=progress, **trained),
    ):
        with pytest.raises(qx.InvalidInput, match=r"progress is .*\(done, total\).*, such as print$"):
            ask()


@pytest.mark.parametrize(
    ("aggregation", "influence", "said"),
    [
        (3, max, "the aggregation of semantics 'mine' is 3; give a function"),
        (max, 3, "the influence of semantics 'mine' is 3; give a function"),
        (lambda a: a.sum(0), lambda b, e: b, "the aggregation of semantics 'mine' failed with TypeError"),
        (lambda a, s: s - a, lambda b, e: b, "gives shape (2, 3) for arrays of shape (2, 3) and (1, 3), not (3,)"),
        (lambda a, s: s.sum(), lambda b, e: b, "gives shape () for arrays"),
        (lambda a, s: "text", lambda b, e: b, "the aggregation of semantics 'mine' failed with ValueError"),
        (lambda a, s: s.sum(0), lambda b, e: None, "the influence of semantics 'mine' gives shape ()"),
        (lambda a, s: s.sum(0), lambda b, e: b.nothing, "failed with AttributeError"),
    ],
)
def test_a_wrong_semantics_is_named_when_it_is_made(aggregation: Any, influence: Any, said: str) -> None:
    with pytest.raises(qx.InvalidInput, match=re.escape(said)):
        qx.Semantics("mine", aggregation, influence)


@pytest.mark.parametrize("semantics", [3, "quad", object(), qx.SEMANTICS, lambda b, e: b])
def test_what_is_no_semantics_is_refused(semantics: Any) -> None:
    with pytest.raises(qx.UnknownName, match="no semantics"):
        qx.strengths(G, semantics=semantics)


@pytest.mark.parametrize(
    ("caf", "said"),
    [
        (3, "caf is 3; give a function"),
        (lambda a: {}, "which cannot be called"),
        (lambda *_: 1, "gave 1; give a mapping"),
        (lambda *_: {"x": "much", "y": 0.0}, "is 'much'"),
        (lambda *_: 1 / 0, "failed with ZeroDivisionError"),
    ],
)
def test_a_wrong_caf_is_named_with_the_way_out(caf: Any, said: str) -> None:
    with pytest.raises(qx.InvalidInput, match=re.escape(said)):
        qx.chained_pairs(caf, ["p", "q"])
    with pytest.raises(qx.InvalidInput, match=re.escape(said)):
        axioms.verdicts(G, caf)


def test_a_caf_or_phi_that_leaves_a_contributor_out_is_told_which() -> None:
    def lacking(*_: object) -> dict[str, float]:
        return {"x": 0.5}

    with pytest.raises(qx.InvalidInput, match=r"caf lacking gave no contribution of 'y' to \['p', 'q'\]"):
        axioms.verdicts(G, lacking)
    with pytest.raises(qx.InvalidInput, match=r"phi <lambda> gave no contribution of"):
        axioms.verdicts(G, "removal", phi=lambda q, t, s: {"x": 0.5})


@pytest.mark.parametrize(
    ("trainer", "said"),
    [
        (3, "trainer is 3; give a function (X, y, seed)"),
        (lambda x: NETWORK, "which cannot be called with (X, y, seed)"),
        (lambda x, y, seed: None, "NoneType is not a fitted MLPClassifier"),
        (lambda x, y, seed: 1 / 0, "trainer(X, y, 0) failed with ZeroDivisionError"),
    ],
)
def test_a_wrong_trainer_is_named_with_the_way_out(trainer: Any, said: str) -> None:
    with pytest.raises(qx.InvalidInput, match=re.escape(said)):
        qx.audit(NETWORK, X, "Medium", "Low", protected="race", y=Y, trainer=trainer)
