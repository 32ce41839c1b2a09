"""Attributions that other libraries give, where they are right: the cases of shared/cases/peers.json."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from qontrast import Qbaf, UndefinedStrength, attribute
from test_peers import BASIC, SAME, relation

METHOD = {"removal": "removal", "gradient": "gradient", "shapley": "shapley", "intrinsic_removal": "intrinsic"}


@pytest.mark.parametrize(
    ("kind", "least"), [("removal", 50), ("gradient", 60), ("shapley", 40), ("intrinsic_removal", 50)]
)
def test_every_attribution_that_the_peers_give_is_met(shared: Path, kind: str, least: int) -> None:
    cases = [c for c in json.loads((shared / "cases" / "peers.json").read_text()) if c["kind"] == kind]
    assert len(cases) >= least
    for case in cases:
        basic = case["semantics"] == "basic"
        # basic is linear and unbounded: solved with base scores scaled into [0, 1], then scaled back
        size = max(1.0, *case["arguments"].values()) if basic else 1.0
        scores = {name: value / size for name, value in case["arguments"].items()}
        q = Qbaf(scores, relation(case, "attacks"), relation(case, "supports"))
        semantics = BASIC if basic else SAME[case["semantics"]]
        truth = case.get("reference_exact", case["expected"])
        # some peers follow the flow on cyclic graphs; where the update settles it ends in the same place
        try:
            found = attribute(q, case["topic"], METHOD[kind], semantics)
        except UndefinedStrength:
            assert case["cyclic"], case["id"]
            found = attribute(q, case["topic"], METHOD[kind], semantics, solver="continuous")
        for name, value in truth.items():
            if name == case["topic"]:
                continue
            bent = name in case.get("not_differentiable", ()) or (found[name] != found[name])
            if bent:  # the peer's single number can only be one of the two sides
                assert found.kinks
                sides = (found.sides[name].below, found.sides[name].above)
                assert min(abs(value - side) for side in sides) <= 1e-5, case["id"]
            else:
                assert size * found[name] == pytest.approx(value, rel=0, abs=case["tolerance"]), case["id"]
