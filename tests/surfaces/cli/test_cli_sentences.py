"""Every number and every name that a command prints is found in its JSON or in the graph, in every language."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import qontrast as qx
from qontrast import networks
from qontrast.cli.main import COMMANDS
from qontrast.explain.flip import NORMS
from qontrast.results.base import TIE_TOLERANCE
from qontrast.show.numbers import write_move
from qontrast.show.phrasing import LANGUAGES
from tests.support.all_results import BARE, KINDS, make_graph
from tests.support.commands import list_options
from tests.support.profiles import number_of_cases
from tests.support.sentences import Facts, collect, find_problems, find_slips, read_page

LINES = {  # about graph.json and a later version moved.json; no search is stopped by the time
    "why": [
        "why graph.json",
        "why graph.json q p --method gradient",
        "why graph.json q p --method sampled --budget 60",
        "why graph.json p q --players edges --method owen",
        "why graph.json p r --players groups --method removal",
    ],
    "strengths": ["strengths graph.json"],
    "pairs": ["pairs graph.json", "pairs graph.json --players direct"],
    "rank": ["rank graph.json --method removal"],
    "paths": ["paths graph.json x0 p --most 2", "paths graph.json x6 q --most 2", "paths graph.json p x6"],
    "interactions": ["interactions graph.json --most 3", "interactions graph.json p --index stii --most 3"],
    "reasons": ["reasons graph.json --most 3", "reasons graph.json p r --players groups"],
    "semantics": ["semantics graph.json --max-steps 500", "semantics graph.json q p --method removal --max-steps 500"],
    "whatif": ["whatif graph.json --set x0=0.1 --remove x2", "whatif graph.json q r --set p=0.4"],
    "change": ["change graph.json moved.json", "change graph.json moved.json q --units arguments",
               "change graph.json moved.json graph.json"],
    "flip": ["flip graph.json --time-limit 0", "flip graph.json q p --norm l2 --fix x0 --time-limit 0"],
    "uncertainty": ["uncertainty graph.json --samples 500", "uncertainty graph.json q r --quick"],
    "reach": ["reach graph.json r>=p --no-proof --time-limit 0",
              "reach graph.json p>=0.9 --fix p --fix x0 --cost fewest --time-limit 0"],
    "robustness": ["robustness graph.json --movers x0 --movers x2", "robustness graph.json p r --movers x1 --norm l1"],
    "axioms": ["axioms small.json --method gradient", "axioms small.json --method removal"],
    "check": ["check graph.json", "check small.json --semantics df-quad"],
    "convert": ["convert graph.json out.json"],
    "draw": ["draw graph.json -o out.svg"],
    "report": ["report graph.json --no-flip -o out.html"],
    "batch": ["batch graph.json moved.json -o out.csv --restart"],
    "examples": ["examples"],
}  # fmt: skip
ELSEWHERE = {"audit", "explore", "mcp", "reproduce"}  # audit: below; the others print no result
WITHOUT_SENTENCES = {"batch", "convert", "draw", "examples", "explore", "mcp", "reproduce"}


def test_every_command_is_tried() -> None:
    assert set(LINES) | ELSEWHERE == set(COMMANDS)


def test_every_command_that_prints_sentences_has_the_option_language() -> None:
    assert {name for name in COMMANDS if "--language" not in list_options(name)} == WITHOUT_SENTENCES


def write_graphs(kind: str, seed: int = 0) -> list[qx.Qbaf]:
    graph = make_graph(kind, seed)
    moved = graph.with_base_scores({"x0": 0.35, "x2": 0.9}).without("x4")
    small = graph.restrict(["p", "q", "x0", "x1"])
    graphs = {"graph.json": graph, "moved.json": moved, "small.json": small}
    for name, each in graphs.items():
        qx.write(each, name)
    return list(graphs.values())


def collect_facts(data: Any, graphs: list[qx.Qbaf]) -> Facts:
    """What a command gives as JSON, the graphs that it reads, and what follows by one sum, difference or count."""
    facts = collect(data, *graphs)
    if "bytes" in data:
        facts.add(round(data["bytes"] / 1000))
    if data["schema"] == "qontrast/contrast/1":
        found = data["contributions"]
        rows = found if isinstance(found, list) else [{"source": x, "value": value} for x, value in found.items()]
        known = [each for each in rows if each["value"] is not None]
        facts.add(sum(each["value"] for each in known))
        for source in {each["source"] for each in known}:  # all edges of an argument
            facts.add(sum(each["value"] for each in known if each["source"] == source))
    if data.get("players") == "groups" and data.get("method") == "removal":
        why = qx.contrast(graphs[0], data["fact"], data["foil"], players="groups", method="removal")
        for group in graphs[0].groups:
            facts.add(why.excess(group))
    if data["schema"] == "qontrast/whatif/1":
        before, after = (data[when]["strengths"]["strengths"] for when in ("before", "after"))
        for name, value in after.items():
            facts.add(value - before[name], name)
    for one, other in pairwise(data["gaps"]) if data["schema"] == "qontrast/history/1" else ():
        facts.add(other - one)
    if data["schema"] == "qontrast/pairs/1":  # the reverse of a pair has the opposite sign in every number
        facts.numbers += [(-value, about) for value, about in facts.numbers]
    if data["schema"] == "qontrast/flip/1":  # the cost is that of the base scores as they are printed
        moves = [write_move(each["from"], each["to"]) for each in (data["base_scores"]["change"] or {}).values()]
        norm = NORMS[data["base_scores"]["norm"]]
        facts.add(np.linalg.norm([float(new) - float(old) for old, new in moves], norm) if moves else 0.0)
    if data["schema"] == "qontrast/uncertainty/1":  # the risk that is left
        for name, each in data["expected_drop"].items():
            facts.add(data["wrong_order"] - each["drop"], name)
        facts.add(1 - data["delta"]["probability"] if data["delta"] else 0.0)
    if data["schema"] == "qontrast/interactions/1":
        zero = [abs(each) > TIE_TOLERANCE for each in data["cross_topic"].values()]
        facts.counts.add(len(data["pairs"]) + sum(zero))
    return facts


@pytest.mark.parametrize("kind", KINDS)
def test_every_number_and_name_that_a_command_prints_is_in_its_json_or_in_the_graph(
    qontrast: Any, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    graphs = write_graphs(kind)
    every = 1 if kind == "plain" else number_of_cases(1, 3)  # in a light run other kinds take turns
    for line in [line for lines in LINES.values() for line in lines][list(KINDS).index(kind) % every :: every]:
        check_texts(qontrast, monkeypatch, line, graphs)


def check_texts(qontrast: Any, monkeypatch: pytest.MonkeyPatch, line: str, graphs: list[qx.Qbaf]) -> None:
    """Compare what a command prints in each language with its JSON; a refusal would hold nothing to compare."""
    monkeypatch.setenv("COLUMNS", "2000")
    for code in LANGUAGES:
        asked = line + (f" --language {code}" if "--language" in list_options(line.split()[0]) else "")
        found, ran = qontrast(f"{asked} --json"), qontrast(asked)
        assert (found.code, ran.code) == (0, 0), ran.err
        facts, text = collect_facts(found.data, graphs), "\n".join(each for each in (ran.out, ran.err) if each)
        problems = find_problems(text, facts, code, bare=BARE)
        problems += [slip for each in text.splitlines() for slip in find_slips(each, facts, code)]
        assert problems == [], text


def test_a_property_that_is_violated_says_by_whom_and_by_how_much(
    qontrast: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both sides of a sum that does not hold, which graphs of other seeds rarely have."""
    check_texts(qontrast, monkeypatch, "axioms small.json --method gradient", write_graphs("plain", 1))
    rows = {each["name"]: each for each in qontrast("axioms small.json --method gradient --json").data["axioms"]}
    sides = rows["efficiency"]["left"], rows["efficiency"]["right"]
    assert rows["efficiency"]["words"].endswith(f"add up to {sides[0]:.6g}, not to {sides[1]:.6g}")
    assert "left" not in rows["antisymmetry"]


def test_every_number_and_name_on_the_page_of_a_batch_is_in_its_rows(qontrast: Any) -> None:
    graphs = [make_graph(kind) for kind in KINDS]
    for kind, graph in zip(KINDS, graphs, strict=True):
        qx.write(graph, f"{kind}.json")
    files = " ".join(f"{kind}.json" for kind in KINDS)
    assert qontrast(f"batch {files} -o page.html").code == qontrast(f"batch {files} -o rows.jsonl").code == 0
    rows = [json.loads(line) for line in Path("rows.jsonl").read_text(encoding="utf-8").splitlines()]
    facts = collect(rows, *graphs)
    facts.add(float(np.median([abs(row["gap"]) for row in rows])))
    text = read_page(Path("page.html").read_text(encoding="utf-8"))
    assert find_problems(text, facts, bare=BARE) == []
    assert find_slips(text, facts) == []


def test_every_number_and_name_that_an_audit_prints_is_in_its_json(
    qontrast: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = np.random.default_rng(3)
    weights, biases = [rng.normal(0, 3, (3, 4)), rng.normal(0, 3, (4, 3))], [rng.normal(size=4), np.zeros(3)]
    names = {"inputs": ["age", "race", "priors"], "classes": ["Low", "Medium", "High"]}
    networks.save(networks.from_arrays(weights, biases, **names), "model.npz")
    rows = [f"{int(a > 0.5)},{int(b > 0.5)},{c:.3f}" for a, b, c in rng.random((80, 3))]
    Path("data.csv").write_text("\n".join(["age,race,priors", *rows, ""]), encoding="utf-8")
    for fact, foil in (("Low", "Medium"), ("Medium", "Low"), ("Low", "High")):
        line = f"audit model.npz data.csv --protected race --fact {fact} --foil {foil}"
        check_texts(qontrast, monkeypatch, line, [])
