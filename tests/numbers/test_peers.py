"""Strengths that other libraries give, where they are right: the cases of tests/numbers/peers.json."""

from __future__ import annotations

import pytest

from qontrast import InvalidQbaf, UndefinedStrength, strengths
from tests.support.peers import SEMANTICS, graph_of, read_cases, scale_of, truth_of


def test_every_strength_that_the_peers_give_is_met() -> None:
    cases = read_cases("strength")
    assert len(cases) > 150
    # three graphs have base scores of 2 and 10 under QE, which the peer lets pass
    outside = [c for c in cases if c["semantics"] != "basic" and max(c["arguments"].values()) > 1]
    assert len(outside) == 3
    for case in outside:
        with pytest.raises(InvalidQbaf, match="base scores lie between 0 and 1"):
            graph_of(case)
    for case in (c for c in cases if c not in outside):
        q, semantics, size = graph_of(case), SEMANTICS[case["semantics"]], scale_of(case)
        # some peers iterate and some follow the flow: a cyclic case is met by the flow, and by the update if it settles
        for solver in ("continuous", "discrete") if case["cyclic"] else ("discrete",):
            try:
                found = strengths(q, semantics=semantics, solver=solver)
            except UndefinedStrength:
                assert (solver, case["cyclic"]) == ("discrete", True), case["id"]
                continue
            for name, value in truth_of(case).items():
                assert size * found[name] == pytest.approx(value, rel=0, abs=case["tolerance"]), case["id"]
