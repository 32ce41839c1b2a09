"""Every engine gives the answers of the definitions: the same hard graphs go through all of them."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import pytest

from qontrast import SEMANTICS
from qontrast.engine import backend
from tests.support.hard_graphs import KINDS
from tests.support.other_arrays import make_other_backend
from tests.support.profiles import number_of_cases
from tests.support.slow_answers import QUESTIONS, check_answer

Limits = dict[str, Any]  # module.CONSTANT → value

ARRAYS: Limits = {
    "graph.structure.MAX_LISTED": -1,
    "graph.structure.MAX_LISTED_DEEP": -1,
    "graph.structure.ARGUMENTS_PER_GROUP": 1e-9,
    "engine.discrete.MAX_LISTED_UPDATE": -1,
}
ENGINES: dict[str, tuple[Limits, list[str]]] = {  # what forces each, and the questions that it answers
    "as it is": ({}, list(QUESTIONS)),
    "lists": (
        {"graph.structure.MAX_LISTED": 1 << 60, "engine.discrete.MAX_LISTED_UPDATE": 1 << 60},
        ["strengths", "gradient", "removal", "intrinsic"],
    ),
    "arrays": (ARRAYS, ["strengths", "lanes", "gradient", "edge gradient", "intrinsic"]),
    "layers": (ARRAYS | {"graph.structure.MIN_LAYER_EDGES": 2}, ["strengths", "lanes", "gradient"]),
    "groups made on the way": (ARRAYS | {"graph.structure.MAX_GROUPS_KEPT": -1}, ["lanes", "gradient"]),
    "one sparse system": (
        ARRAYS | {"attribution.slopes.MAX_SWEPT_TOPICS": 0, "attribution.edge_slopes.MAX_SWEPT_TOPICS": 0},
        ["gradient", "edge gradient"],
    ),
    "factorised": (ARRAYS | {"attribution.slopes.MAX_SERIES_TERMS": 0}, ["gradient", "edge gradient"]),
    "one direction at a time": (ARRAYS | {"attribution.slopes.DIRECTIONS_PER_BLOCK": 1}, ["gradient", "edge gradient"]),
    "what changes alone": (
        {
            "attribution.downstream.MIN_NUMBERS": 0,
            "attribution.downstream.MAX_CHANGED": 1e9,
            "attribution.downstream.MIN_PARENTS_KEPT": 2,
        },
        ["removal"],
    ),
    "connected sets": (
        {
            "attribution.shapley.exact.MAX_PLAYERS_UNCOUNTED": -1,
            "attribution.shapley.exact.COST_PER_CONNECTED_SET": 1e-9,
        },
        ["shapley", "edge shapley", "direct", "interactions"],
    ),
    "a tree of small blocks": (
        {
            "attribution.shapley.hypercube.MAX_PLAYERS_PER_BLOCK": 1,
            "attribution.shapley.hypercube.AXES_PER_BLOCK": 1,
            "attribution.shapley.hypercube.AXES_PER_PIECE": 1,
        },
        ["shapley", "interactions"],
    ),
    "tables by axes": ({"explain.change_table.MIN_UNITS": 0, "explain.change_table.AXES_PER_BLOCK": 2}, ["change"]),
    "tables by lanes": ({"explain.change_table.MIN_UNITS": 1 << 60}, ["change"]),
}
ON_DEVICE: dict[str, Limits] = {
    "device": {},
    "device, one parent at a time": {"engine.device_lanes.MAX_FUSED_PARENTS": 1},
    "device, few series terms": {"attribution.device_slopes.MAX_SERIES_TERMS": 2},
    "device, connected sets": {
        "attribution.shapley.exact.MAX_PLAYERS_UNCOUNTED": -1,
        "attribution.shapley.exact.COST_PER_SET_ON_DEVICE": 1e-9,
        "attribution.shapley.exact.COST_PER_SET_AS_LANE": 1e-9,
    },
}
TELLING = {  # semantics under which a kind of graph is what it is called
    "kinks": ["df-quad", "df-quad-1-max", "df-quad-squared-product"],
    "ties": ["ebt"],
    "narrow cycle": ["df-quad"],
}
TOLD_BY_KINKS = ["gradient", "edge gradient", "strengths", "lanes"]  # light: other questions get one kind of kinks
SLOW_ON_DEVICE = ["change", "edge shapley", "interactions", "edge gradient", "removal"]  # light: every fourth kind
DEVICE_QUESTIONS = {
    "device": ["lanes", "removal", "gradient", "edge gradient", "shapley", "edge shapley", "interactions", "change"],
    "device, one parent at a time": ["lanes", "removal", "shapley"],
    "device, few series terms": ["gradient"],
    "device, connected sets": ["shapley"],
}


def set_limits(monkeypatch: pytest.MonkeyPatch, limits: Limits) -> None:
    for name, value in limits.items():
        module, _, constant = name.rpartition(".")
        monkeypatch.setattr(import_module(f"qontrast.{module}"), constant, value)


def check_kinds(question: str, device: str = "cpu") -> None:
    """All kinds of graphs under all semantics; in the light run each kind under one where it matters, by turns."""
    names, turn = list(SEMANTICS), list(QUESTIONS).index(question)
    for k, kind in enumerate(KINDS):
        if kind in QUESTIONS[question].kinds:
            if device != "cpu" and question in SLOW_ON_DEVICE and number_of_cases(0, (k + turn) % 4):
                continue
            if "kinks" in kind and kind != "kinks" and number_of_cases(0, question not in TOLD_BY_KINKS):
                continue
            light = TELLING.get(kind, ["df-quad"] if "kinks" in kind else [names[(k + turn) % len(names)]])
            for semantics in names if number_of_cases(2, 1) > 1 else light:
                for seed in range(number_of_cases(2, 1)):
                    check_answer(question, kind, seed, semantics, device)


@pytest.mark.parametrize(
    ("engine", "question"), [(engine, question) for engine, (_, some) in ENGINES.items() for question in some]
)
def test_each_engine_gives_the_answer_of_the_definition(
    engine: str, question: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    set_limits(monkeypatch, ENGINES[engine][0])
    check_kinds(question)


@pytest.mark.parametrize(
    ("engine", "question"), [(engine, question) for engine, some in DEVICE_QUESTIONS.items() for question in some]
)
def test_each_engine_on_a_device_gives_the_answer_of_the_definition(
    engine: str, question: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = make_other_backend(axes_per_block=3, axes_per_piece=1, numbers_per_block=60)
    monkeypatch.setitem(backend.DEVICES, "cuda", lambda: made)
    set_limits(monkeypatch, ON_DEVICE[engine])
    check_kinds(question, "cuda")
