"""Every number that a command prints is the number of its JSON, with its sign, beside its argument."""

from __future__ import annotations

import re
from itertools import product, takewhile

import numpy as np
import pytest

from qontrast import Qbaf, write

NAMES = ("alpha", "beta", "gamma", "delta", "epsilon", "zeta")
SEEDS = range(3)


def graph(seed: int) -> Qbaf:
    """A seeded graph with weights, a cycle, base scores of 0 and 1, and topics that act on others."""
    rng = np.random.default_rng(seed)
    scores = dict(zip(NAMES, rng.uniform(0.2, 0.9, len(NAMES)).round(3).tolist(), strict=True)) | {"epsilon": 1.0}
    edges = {
        pair: float(rng.uniform(0.2, 1)) for pair in product(NAMES, NAMES) if pair[0] != pair[1] and rng.random() < 0.4
    }
    edges |= {("delta", "alpha"): 0.7, ("epsilon", "beta"): 0.6, ("alpha", "delta"): 0.3}
    chosen = {pair: rng.random() < 0.5 for pair in edges}
    attacks = {pair: weight for pair, weight in edges.items() if chosen[pair]}
    supports = {pair: weight for pair, weight in edges.items() if not chosen[pair]}
    return Qbaf(scores, attacks, supports, topics=NAMES[:3])


WRITTEN = re.compile(r"[+−]?\d[\d.]*(·10[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)?|tied|·|removed")
RAISED = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹−", "-0123456789-")


def rows(text: str) -> dict[str, list[str]]:
    """The numbers behind each name that begins a line, as they are written, up to the first word of a sentence."""
    found: dict[str, list[str]] = {}
    for line in text.splitlines():
        words = line.replace("│", " ").split()
        if words and words[0].rstrip(".").isdigit():  # the place in a ranking
            words = words[1:]
        if words and words[0] in NAMES:
            cells = takewhile(lambda word: WRITTEN.fullmatch(word) or not word[0].isalpha(), words[1:])
            found.setdefault(words[0], []).extend(word for word in cells if WRITTEN.fullmatch(word))
    return found


def same(written: str, value: float, units: float = 0.5001) -> bool:
    """Whether a written number is the value, within so many units of its last digit; a written sign is compared."""
    if written in ("tied", "·"):
        return abs(value) < 1e-9
    mantissa, _, power = written.replace("·10", "e").translate(RAISED).partition("e")
    last = int(power or 0) - len(mantissa.partition(".")[2])  # the power of ten of the last digit
    return abs(float(mantissa) * 10.0 ** int(power or 0) - value) <= units * 10.0**last


@pytest.fixture(params=SEEDS)
def both(qontrast, request, monkeypatch):
    """A command on a seeded graph, as text and as JSON."""
    write(graph(request.param), "graph.json")

    def run(line: str):
        ran = qontrast(f"{line} --json")
        assert ran.code == 0, ran.err
        monkeypatch.setenv("COLUMNS", "160")
        return rows(qontrast(line).out), ran.data

    return run


def test_strengths_prints_the_numbers_of_its_json(both):
    text, data = both("strengths graph.json")
    assert set(text) == set(NAMES)
    for name, (base, strength) in text.items():
        assert same(strength, data["strengths"][name])
        assert same(base, data["base_scores"][name]) if "base_scores" in data else base


@pytest.mark.parametrize("method", ["shapley", "removal", "gradient"])
def test_why_prints_the_numbers_of_its_json(both, method):
    text, data = both(f"why graph.json --method {method}")
    assert set(data["contributions"]) <= set(text)
    for name, value in data["contributions"].items():
        assert same(text[name][0], value), name
        fact, foil = (data["individual"][data[role]][name] for role in ("fact", "foil"))
        assert same(text[name][1], fact), name
        assert same(text[name][2], foil), name


def test_pairs_prints_the_numbers_of_its_json(both):
    text, data = both("pairs graph.json")
    gaps = {(each["fact"], each["foil"]): each["gap"] for each in data["pairs"]}
    for i, row in enumerate(data["topics"]):
        for j, column in enumerate(data["topics"]):
            value = 0.0 if i == j else gaps.get((row, column), -gaps.get((column, row), 0.0))
            assert same(text[row][j], value), (row, column)


def test_rank_prints_the_numbers_of_its_json(both):
    text, data = both("rank graph.json")
    for each in data["order"]:
        assert same(text[each["topic"]][0], each["strength"])
    strengths = [each["strength"] for each in data["order"]]
    assert strengths == sorted(strengths, reverse=True)


@pytest.mark.parametrize("change", ["--set delta=0.05", "--remove zeta", "--set zeta=0 --remove delta"])
def test_whatif_prints_the_numbers_of_its_json(both, change):
    text, data = both(f"whatif graph.json {change}")
    before, after = data["before"], data["after"]
    for name, value in before["strengths"]["strengths"].items():
        now = after["strengths"]["strengths"].get(name)
        if now is None:
            assert text[name][1] == "removed"
        elif abs(now - value) > 1e-9:
            old, new, moved = text[name][:3]
            assert same(old, value)
            assert same(new, now)
            assert same(moved, now - value, 1.5001), name  # it is the difference of the two as written
    for name, value in before["contrast"]["contributions"].items():
        old, new = text[name][-2:]
        now = after["contrast"]["contributions"].get(name)
        assert same(old, value), name
        assert new == "removed" if now is None else same(new, now), name


def words_of(text: str) -> str:
    """The text as one line."""
    return " ".join(text.split())


@pytest.mark.parametrize(
    ("seed", "given"), [(0, "--norm l2"), (1, ""), (2, "--move-topics"), (0, "--fix zeta")]
)  # few, since each is a search
def test_flip_prints_the_numbers_of_its_json(qontrast, seed, given):
    write(graph(seed), "graph.json")
    data = qontrast(f"flip graph.json {given} --json").data
    said = words_of(qontrast(f"flip graph.json {given}").out)
    moves = re.findall(r"(?:base score|that) of (\w+) (fell|rose) from (\d\.\d+) to (\d\.\d+)", said)
    change = data["base_scores"]["change"] or {}
    assert {move[0] for move in moves} == set(change), said
    for name, way, old, new in moves:
        assert same(old, change[name]["from"])
        assert same(new, change[name]["to"])
        assert way == ("fell" if change[name]["to"] < change[name]["from"] else "rose")
    for cost in re.findall(r"\((\d\.\d+) in ", said):
        assert same(cost, data["base_scores"]["cost"])
    for name in data["removal"]["arguments"] or ():
        assert name in said.partition("without")[2]


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("start", ["delta", "epsilon", "zeta"])
def test_paths_prints_the_numbers_of_its_json(qontrast, monkeypatch, seed, start):
    whole = graph(seed)
    keep = {name: place for place, name in enumerate(NAMES)}  # edges towards the front: no cycle, so paths have shares
    attacks, supports = (
        {edge: weight for edge, weight in edges.items() if keep[edge[0]] > keep[edge[1]]}
        for edges in (whole.attacks, whole.supports)
    )
    write(Qbaf(dict(whole.base_scores), attacks, supports, topics=NAMES[:3]), "graph.json")
    monkeypatch.setenv("COLUMNS", "400")
    data = qontrast(f"paths graph.json {start} alpha --json").data
    lines = [line for line in qontrast(f"paths graph.json {start} alpha").out.splitlines() if "→" in line]
    assert len(lines) == len(data["paths"])
    for line, path in zip(lines, data["paths"], strict=True):
        said = re.match(r"(raises|lowers) alpha by (\S+) per unit of base score: ", line)
        assert said, line
        assert said[1] == ("raises" if path["sign"] > 0 else "lowers")
        assert path["share"] * path["sign"] >= 0
        assert same(said[2], abs(path["share"])), line
        assert [word for word in line[said.end() :].split() if word in NAMES] == path["arguments"]
    if data["gradient"] is not None and not data["left_out"]:
        assert sum(path["share"] for path in data["paths"]) == pytest.approx(data["gradient"], abs=1e-12)


@pytest.mark.parametrize("example", ["counterfactuality", "local-faithfulness", "efficiency"])
@pytest.mark.parametrize("method", ["shapley", "removal", "gradient"])
def test_axioms_prints_the_numbers_of_its_json(qontrast, monkeypatch, example, method):
    monkeypatch.setenv("COLUMNS", "400")
    line = f"axioms examples:{example} --method {method}"
    data, text = qontrast(f"{line} --json").data, qontrast(line).out
    rows = [re.split(r"\s{2,}", row.strip()) for row in text.splitlines()[1:]]
    assert len(rows) == len(data["axioms"])
    for row, each in zip(rows, data["axioms"], strict=True):
        assert row[1:] == [each["outcome"], *([each["words"]] if each["words"] else [])]
    values = qontrast(f"why examples:{example} alpha beta --method {method} --json").data["contributions"]
    labels = {"α": "alpha", "β": "beta", "γ": "gamma", "η": "eta"}
    for each in data["axioms"]:
        for label, number in re.findall(r"^Φ of (\w) is (-?[\d.]+)", each["words"]):
            if "of α over β" in each["words"]:
                assert same(number, values[labels[label]]), each["words"]


def test_audit_prints_the_numbers_of_its_json(qontrast, monkeypatch):
    from tests.surfaces.cli.test_cli_audit_and_studies import AUDIT, write_network

    write_network()
    monkeypatch.setenv("COLUMNS", "200")
    data, text = qontrast(AUDIT).data, qontrast(AUDIT.removesuffix(" --json")).out
    said = words_of(text)
    assert f"{len(data['instances'])} instances of {data['rows']} " in said
    rate = re.search(r"flip rate ([\d.]+) \((\d+) of (\d+) .*?\); (\d+) % of all", said)
    assert rate, said
    assert same(rate[1], data["flip_rate"])
    assert [int(rate[2]), int(rate[3])] == [data["flips"], data["candidates"]]
    assert same(rate[4], 100 * data["changed"])
    tables = dict(zip(data["methods"], text.split("\n\n")[1:], strict=True))
    for method, features in data["methods"].items():
        head, *lines = tables[method].strip().splitlines()
        assert head.split()[0] == method
        assert [line.split()[0] for line in lines] == list(features)
        for line, (name, each) in zip(lines, features.items(), strict=True):
            assert ("*" in line) == (name == data["protected"])
            numbers = re.findall(r"-?\d+\.\d+", line)
            ranks = [
                each[kind][at] for kind in ("individual_rank", "contrastive_rank") for at in ("mean", "low", "high")
            ]
            sizes = [each[kind]["mean"] for kind in ("individual", "contrastive")]
            assert len(numbers) == len(ranks + sizes), line
            assert all(same(*pair) for pair in zip(numbers, ranks + sizes, strict=True)), line


def test_check_prints_the_numbers_of_its_json(both, qontrast):
    _, data = both("check graph.json")
    words = dict(line.split(None, 1) for line in qontrast("check graph.json").out.splitlines())
    for what in ("arguments", "attacks", "supports"):
        assert int(words[what]) == data[what]
    assert words["weights"].split()[0] == str(data["weighted"])
    assert words["cycles"].split()[0] == str(data["cyclic"])


def test_a_waterfall_is_not_the_bars(qontrast):
    pytest.importorskip("matplotlib")
    write(graph(0), "graph.json")
    from pathlib import Path

    for figure in ("bars", "waterfall"):
        assert qontrast(f"draw graph.json --figure {figure} -o {figure}.pdf").code == 0
        assert qontrast(f"draw graph.json --figure {figure} -o {figure}.svg").code == 0
    assert Path("waterfall.svg").read_text().count("<path") != Path("bars.svg").read_text().count("<path")
    ran = qontrast("draw graph.json --figure waterfall --method gradient -o no.svg")
    assert (ran.code, "a waterfall needs bars that add up to the gap" in ran.err) == (2, True)
    assert qontrast("draw graph.json --figure bars --method gradient -o yes.pdf").code == 0
