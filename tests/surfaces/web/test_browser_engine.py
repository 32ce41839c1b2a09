"""What the page computes by itself, in a real Chromium, against Python's numbers."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

import qontrast as qx
from qontrast import Qbaf
from qontrast.formats import read_text
from tests.support.browser import Open
from tests.support.strategies import random_qbaf

pytestmark = pytest.mark.heavy

SERVER_ONLY: tuple[str, ...] = ()  # built-in semantics that static/engine.js leaves to the server
SEEDS = range(30, 38)  # of random graphs of each kind, for each semantics

COMPUTE = """async (cases) => {
    const engine = await import("/static/engine.js");
    return cases.map(({ graph, semantics, solver, fact, foil }) => {
        const g = engine.compile(graph, { semantics, solver });
        if (g === null) return null;
        const ask = (method) => engine.contrast(g, g.base, g.index.get(fact), g.index.get(foil), { method });
        const named = (list) => Object.fromEntries(g.names.map((name, x) => [name, list[x]]));
        const { strengths, moving, unknown } = engine.solve(g);
        if (!strengths) return { moving: moving?.map((x) => g.names[x]), unknown };
        const why = (method) => {
            const { contributions, gap, cross } = ask(method);
            return { contributions: named(contributions), gap, cross };
        };
        return { strengths: named(strengths), removal: why("removal"), gradient: why("gradient") };
    });
}"""


def make_graphs(semantics: str) -> list[Qbaf]:
    """Graphs with and without cycles, with weights other than 1, kinks, and strengths that are undefined."""
    limit = min(qx.SEMANTICS[semantics].aggregation.max_weight, 2.5)
    seeds = [(seed, cyclic) for seed in SEEDS for cyclic in (False, True)]
    made = [random_qbaf(seed, cyclic=cyclic, max_weight=limit) for seed, cyclic in seeds]
    made += [random_qbaf(seed, cyclic=cyclic, max_weight=limit, max_size=40) for seed, cyclic in seeds[:2]]
    kinked = Qbaf(
        {"x": 0.5, "y": 0.5, "u": 0.3, "v": 0.6, "z": 0.0},
        attacks={("x", "u"): 0.75, ("x", "v"): 1.0, ("z", "v"): 1.0},
        supports={("y", "u"): 0.75, ("u", "v"): 0.5},
    )
    pair = [("a", "b"), ("b", "a")]
    made += [
        kinked,
        Qbaf({"a": 1.0, "b": 1.0, "c": 0.4}, attacks=[*pair, ("a", "c")]),
        Qbaf({"a": 0.0, "b": 1.0}, dict.fromkeys(pair, 0.9)),
    ]
    if limit > 1:
        made.append(Qbaf({"a": 0.5, "b": 0.5, "c": 0.3}, attacks={**dict.fromkeys(pair, 12.0), ("b", "c"): 1.5}))
    return [read_text(json.dumps(each.to_dict()), "json") for each in made if len(each) > 1]  # names as strings


def make_cases(semantics: str) -> list[tuple[Qbaf, dict[str, str]]]:
    """All graphs, and some of those with cycles by the continuous solver, for which one method has to do."""
    graphs = make_graphs(semantics)
    cyclic = [each for each in graphs if not each.structure.acyclic][-3:]
    return [(each, {"semantics": semantics}) for each in graphs] + [
        (each, {"semantics": semantics, "solver": "continuous"}) for each in cyclic
    ]


def compute(graph: Qbaf, solving: dict[str, str]) -> dict[str, Any]:
    """The same in Python: strengths or who moves; contributions, or None where there are none."""
    fact, foil = graph.arguments[:2]
    try:
        found: dict[str, Any] = {"strengths": dict(qx.strengths(graph, **solving))}
    except qx.UndefinedStrength as error:
        return {"moving": list(error.arguments)}
    for method in ("gradient",) if "solver" in solving else ("removal", "gradient"):
        try:
            why = qx.contrast(graph, fact, foil, method=method, **solving)
        except qx.UndefinedStrength:
            found[method] = None
        else:
            values = dict(zip(why.players, why.array.tolist(), strict=True))
            found[method] = {"contributions": values, "gap": why.gap, "cross": float(why.cross_topic)}
    return found


def compare(found: dict[str, Any], expected: dict[str, Any], what: str) -> None:
    """Numbers are equal to 1e-12; contributions that Python refuses, since they are undefined, are not numbers."""
    if "moving" in expected:
        assert sorted(found["moving"]) == sorted(expected["moving"]), what
        return
    pairs = [(found["strengths"], expected["strengths"])]
    for method in expected.keys() - {"strengths"}:
        own, other = found[method], expected[method]
        if other is None:
            assert np.isnan([*own["contributions"].values(), own["cross"]]).sum() > 2, what
            continue
        pairs += [(own.pop("contributions"), other.pop("contributions")), (own, other)]
    for mine, theirs in pairs:
        here, there = (np.array([float(each[name]) for name in theirs]) for each in (mine, theirs))
        large = np.maximum(1.0, np.abs(there))
        np.testing.assert_allclose(here / large, there / large, rtol=0, atol=1e-12, err_msg=what)


def test_the_page_computes_pythons_numbers_for_every_semantics(page: Open) -> None:
    here, kinds = page(), set()
    for semantics in qx.SEMANTICS:
        cases = make_cases(semantics)
        asked = [
            {"graph": graph.to_dict(), "fact": graph.arguments[0], "foil": graph.arguments[1], **solving}
            for graph, solving in cases
        ]
        found = here.evaluate(COMPUTE, asked)
        if semantics in SERVER_ONLY:
            assert found == [None] * len(cases)
            continue
        assert None not in found, f"write the formula of {semantics!r} in static/engine.js, or name it in SERVER_ONLY"
        for k, (own, (graph, solving)) in enumerate(zip(found, cases, strict=True)):
            expected = compute(graph, solving)
            compare(own, expected, f"{semantics}, graph {k}: {graph!r}")
            kinds.add((graph.structure.acyclic, "moving" in expected))
    assert kinds == {(True, False), (False, False), (False, True)}
