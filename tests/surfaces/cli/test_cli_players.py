"""Who contributes, on the command line: edges, direct edges, groups of a graph or of a file, and pairs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from qontrast import Qbaf, contrast, examples, interactions, write
from qontrast.attribution.shapley.interactions import INDICES
from qontrast.axioms import AXIOMS

THEMES = {"tests": ["pcr", "wbc"], "symptoms": ["fever", "cough"]}
PAIR = ("antiviral", "antibiotic")
GROUP_FILES = {
    "themes.json": json.dumps(THEMES),
    "labels.json": json.dumps(THEMES | {"tests": ["Positive PCR test", "wbc"]}),
    "themes.csv": "argument,group\npcr,tests\nwbc,tests\nfever,symptoms\nasthma,\ncough,symptoms\n",
    "more.csv": "Group,Argument\ntests,pcr\ntests,wbc\nsymptoms,fever\nsymptoms,cough\n",
    "quoted.csv": 'argument,group\r\n"pcr",tests\r\n"wbc",tests\r\n\r\nfever,symptoms\r\ncough,symptoms\r\n',
}


@pytest.mark.parametrize(("players", "method"), [("edges", "removal"), ("edges", "gradient"), ("direct", "shapley")])
def test_edges_contribute_as_in_the_library(qontrast, players, method):
    why = contrast(examples.load("healthcare"), *PAIR, players=players, method=method)
    data = qontrast(f"why examples:healthcare --players {players} --method {method} --json").data
    assert data["players"] == players
    found = {(row["source"], row["target"]): row["value"] for row in data["contributions"]}
    assert found == pytest.approx(dict(why), abs=1e-12)
    edge, value = why.ranked()[0]
    words = " ".join(qontrast(f"why examples:healthcare --players {players} --method {method}").out.split())
    assert f"[{' → '.join(edge)}]" in words
    assert f"{value:+.3f}".replace("-", "−") in words


@pytest.mark.parametrize(("graph", "method", "reason"), [
    ("healthcare", "owen", "10 arguments with at most 3 edges each can act on a topic, which is few enough"),
    ("debate", "gradient", "24 arguments with at most 3 edges each can act on a topic; Owen values are for up to 16"),
])  # fmt: skip
def test_edges_without_a_method_get_one_by_the_size_of_the_graph_and_are_told_why(qontrast, graph, method, reason):
    line = f"why examples:{graph} --players edges --json"
    ran = qontrast(line)
    assert ran.data == qontrast(f"{line} --method {method}").data
    assert ran.err.startswith(f"note: --method {method} is used: {reason}")
    assert ("--method sampled estimates shares" in ran.err) == (method == "gradient")
    assert qontrast(f"{line} --method {method}").err == ""


def test_an_unknown_member_of_a_group_is_reported_with_the_file(qontrast, tmp_path):
    (tmp_path / "themes.csv").write_text("argument,group\npcrr,tests\n")
    ran = qontrast(f"why examples:healthcare --groups {tmp_path}/themes.csv")
    assert ran.code == 2
    assert f"{tmp_path}/themes.csv: group 'tests': no argument 'pcrr' among the 11 here" in " ".join(ran.err.split())


def test_a_budget_for_edges_is_that_of_owen_values(qontrast):
    ran = qontrast("why examples:debate --players edges --budget 10")
    assert ran.code == 2
    assert "(limit 10); try --method sampled or shapley, or raise --budget" in ran.err


def test_exact_values_that_take_long_are_announced_before_they_are_computed(qontrast, monkeypatch):
    monkeypatch.setattr("qontrast.attribution.cost.WARN_ABOVE", 1000)
    removed = "".join(f" --remove {name}" for name in ("fever", "cough", "wheezing", "wbc"))
    ran = qontrast(f"why examples:healthcare --players edges --method shapley{removed}")
    assert ran.code == 0
    (note,) = ran.err.splitlines()
    assert note.startswith(f"note: method 'shapley' for {PAIR[0]!r}, {PAIR[1]!r} over ")
    assert " evaluations, about 6 seconds; try --method owen or sampled; " in note
    assert note.endswith("; Ctrl-C stops it")


@pytest.mark.parametrize("file", GROUP_FILES)
@pytest.mark.parametrize("option", ["--players {}", "--groups {}", "--groups {} --players groups"])
def test_groups_are_read_from_json_and_csv(qontrast, file, option):
    Path(file).write_text(GROUP_FILES[file], encoding="utf-8", newline="")
    why = contrast(examples.load("healthcare"), *PAIR, players=THEMES)
    data = qontrast(f"why examples:healthcare {option.format(file)} --json").data
    assert data["players"] == "groups"
    assert data["contributions"] == pytest.approx(dict(why), abs=1e-12)


def test_groups_that_the_graph_holds_play_where_they_are_asked_for(qontrast):
    graph = examples.load("healthcare")
    held = {"base_scores": graph.base_scores, "attacks": graph.attacks, "supports": graph.supports}
    write(Qbaf(**held, topics=graph.topics, semantics=graph.semantics, groups=THEMES), "held.json")
    why = contrast(graph, *PAIR, players=THEMES)
    data = qontrast("why held.json --players groups --json").data
    assert data["contributions"] == pytest.approx(dict(why), abs=1e-12)
    Path("one.csv").write_text("argument,group\nasthma,history\n")
    assert set(qontrast("why held.json --groups one.csv --json").data["contributions"]) & {"tests", "history"} == {
        "history"
    }


def test_groups_of_a_file_do_not_play_where_edges_are_asked_for(qontrast):
    Path("themes.json").write_text(json.dumps(THEMES))
    line = "why examples:healthcare --players direct --json"
    assert qontrast(f"{line} --groups themes.json").data == qontrast(line).data


def test_a_removed_member_leaves_its_group_and_the_others_stay(qontrast):
    Path("themes.json").write_text(json.dumps(THEMES))
    data = qontrast("why examples:healthcare --players themes.json --remove wbc --json").data
    left = examples.load("healthcare").without("wbc")
    why = contrast(left, *PAIR, players=THEMES | {"tests": ["pcr"]})
    assert data["contributions"] == pytest.approx(dict(why), abs=1e-12)


def test_owen_divides_a_group_among_its_members(qontrast):
    Path("themes.json").write_text(json.dumps(THEMES))
    groups, members = (
        qontrast(f"why examples:healthcare --players themes.json --method {method} --json").data["contributions"]
        for method in ("shapley", "owen")
    )
    assert members["pcr"] + members["wbc"] == pytest.approx(groups["tests"], abs=1e-12)


WRONG_GROUPS = {
    '{"t": ["pcrr"]}': (2, "group 't': no argument 'pcrr' among the 11 here; did you mean 'pcr'?"),
    '{"t": ["pcr"], "u": ["pcr"]}': (3, "is in the groups 't' and 'u'; an argument is in one group at most"),
    '{"t": ["pcr", "Positive PCR test"]}': (3, "argument 'pcr' is twice in group 't'"),
    '{"t": ["antiviral"]}': (2, "group 't' holds 'antiviral', whose strength is explained"),
    '{"pcr": ["wbc"]}': (3, "group 'pcr' has the name of an argument; give it another name"),
    '{"t": "pcr"}': (3, "themes:1: the members of group 't' are 'pcr'; expected a list"),
    "[]": (3, "themes:1: the whole"),
    '{"t": [': (3, "themes:1: not JSON"),
    "": (3, "themes: is empty; expected JSON"),
    "argument,theme\npcr,tests\n": (3, "themes:1: the columns are"),
    "argument,group\npcr,tests\n,tests\n": (3, "themes:3: the argument is empty; expected its name"),
}


@pytest.mark.parametrize("text", WRONG_GROUPS)
@pytest.mark.parametrize("line", ["why examples:healthcare", "interactions examples:healthcare antiviral"])
def test_a_file_of_groups_that_is_wrong_is_refused_with_the_way_out(qontrast, line, text):
    code, message = WRONG_GROUPS[text]
    Path("themes").write_text(text)
    ran = qontrast(f"{line} --players themes")
    assert (ran.code, ran.out, ran.err.count("\n")) == (code, "", 1)
    assert message in ran.err


WRONG_PLAYERS = {
    "why examples:zebra --players edgs": (2, "no kind of players 'edgs' among the 4 here; did you mean 'edges'?"),
    "why examples:zebra --players nowhere.json": (3, "nowhere.json: no such file"),
    "why examples:zebra --groups nowhere": (3, "nowhere: no such file"),
    "why examples:zebra --players groups": (2, "examples:zebra has no groups; try --groups FILE"),
    "interactions examples:zebra --players groups": (2, "examples:zebra has no groups; try --groups FILE"),
    "why examples:zebra --players a.json --groups b.json": (2, "--players a.json and --groups b.json both name a file"),
    "why examples:zebra --players edges --method intrinsic": (
        2,
        "the method 'intrinsic' is not defined for edges; give --method one of shapley, removal, gradient, sampled, "
        "owen, or try --players arguments or groups",
    ),
    "rank examples:zebra --method owen": (2, "the method 'owen' is not defined for arguments; give --method one of"),
    "interactions examples:zebra --index si": (2, "no index 'si' among the 3 here; did you mean 'sii'?"),
    "interactions examples:zebra zebra zebra": (2, "'zebra' cannot be compared with itself; name two topics"),
    "interactions examples:zebra --most 0": (2, "most is 0; give a whole number of at least 1"),
    "interactions examples:healthcare --budget 10": (2, "(limit 10); raise --budget"),
    "interactions examples:undefined": (4, "try --solver continuous"),
}


@pytest.mark.parametrize("line", WRONG_PLAYERS)
def test_wrong_players_are_one_line_with_the_way_out(qontrast, line):
    code, message = WRONG_PLAYERS[line]
    ran = qontrast(line)
    assert (ran.code, ran.out, ran.err.count("\n")) == (code, "", 1)
    assert message in ran.err


@pytest.mark.parametrize("topics", ["antiviral antibiotic", "antiviral", ""])
@pytest.mark.parametrize("index", INDICES)
def test_interactions_are_those_of_the_library(qontrast, index, topics):
    asked = topics.split() or list(PAIR)
    found = interactions(examples.load("healthcare"), *asked, index=index)
    line = f"interactions examples:healthcare {topics} --index {index}"
    data = qontrast(f"{line} --json").data
    assert (data["schema"], data["index"]) == ("qontrast/interactions/1", index)
    assert (data["fact"], data["foil"]) == (found.fact, found.foil)
    assert {tuple(row["pair"]): row["value"] for row in data["pairs"]} == pytest.approx(
        dict(found.strongest(len(found))), abs=1e-12
    )
    (a, b), value = found.strongest(1)[0]
    lines = iter(qontrast(line).out.splitlines())
    first = next(next(lines) for each in lines if each.startswith("Player"))
    assert first.startswith(found.qbaf.label(a))
    assert found.qbaf.label(b) in first
    assert f"{value:+.4f}".replace("-", "−") in first


def test_interactions_say_what_a_pair_does_in_the_sentence_and_in_the_table(qontrast):
    out = qontrast("interactions examples:zebra").out
    assert "−0.1250  work together for “It is a horse”" in out
    assert "work together for “It is a horse” (−0.125)" in " ".join(out.split())
    assert "−0,1250  wirken zusammen für" in qontrast("interactions examples:zebra --language de").out
    assert "−0.3594  overlap" in qontrast("interactions examples:counterfactuality").out
    write(Qbaf({"t": 0.5, "x": 0.5, "y": 1.0}, [("y", "x")], [("x", "t")], topics=["t"], semantics="df-quad"), "q.json")
    assert "−0.2500  work together against t" in qontrast("interactions q.json t").out


def test_weak_pairs_are_in_the_table_without_words(qontrast):
    rows = [line for line in qontrast("interactions examples:healthcare").out.splitlines() if "+0.0059" in line]
    assert rows == [row for row in rows if not row.split("+0.0059")[1].strip()] != []


def test_pairs_with_the_other_topic_follow_those_of_two_players(qontrast, monkeypatch):
    monkeypatch.setenv("COLUMNS", "120")
    found = interactions(examples.load("healthcare"), *PAIR)
    rows = [line for line in qontrast("interactions examples:healthcare").out.splitlines() if "the other topic" in line]
    strong = sorted(found.cross_topic.items(), key=lambda each: -abs(each[1]))
    strong = [each for each in strong if abs(each[1]) > 1e-9]
    assert len(rows) == len(strong)
    for row, (name, value) in zip(rows, strong, strict=True):
        assert row.startswith(found.qbaf.label(name))
        assert f"{value:+.4f}".replace("-", "−") in row or abs(value) < 1e-4


def test_interactions_of_groups_name_the_groups(qontrast):
    Path("themes.json").write_text(json.dumps(THEMES))
    found = interactions(examples.load("healthcare"), *PAIR, players=THEMES)
    line = "interactions examples:healthcare --players themes.json"
    assert {tuple(row["pair"]): row["value"] for row in qontrast(f"{line} --json").data["pairs"]} == pytest.approx(
        dict(found.strongest(len(found))), abs=1e-12
    )
    text = qontrast(line).out
    assert text.startswith("Which two groups or arguments work together for “Antiviral therapy” rather than")
    assert "tests " in text


@pytest.mark.parametrize(("most", "left"), [(1, "2 weaker pairs are"), (2, "1 weaker pair is"), (3, "")])
def test_pairs_that_are_left_out_are_counted(qontrast, most, left):
    base = {"t": 0.5, "x": 0.5, "y": 0.6, "z": 0.7}
    write(Qbaf(base, [], [("x", "t"), ("y", "t"), ("z", "t")], topics=["t"]), "q.json")
    out = qontrast(f"interactions q.json t --most {most}").out
    assert left in out
    assert ("not shown" in out) == bool(left)


@pytest.mark.parametrize("method", ["shapley", "removal", "gradient"])
def test_axioms_reports_every_property_of_players_as_it_is_claimed(qontrast, method):
    found = {
        row["name"]: row["outcome"] for row in qontrast(f"axioms examples:loan --method {method} --json").data["axioms"]
    }
    assert list(found) == list(AXIOMS)
    for name, axiom in AXIOMS.items():
        if axiom.players != "arguments":
            claimed = "holds" if method in axiom.proved_for else "violated"
            silent = method not in (*axiom.proved_for, *axiom.refuted_for)
            assert found[name] == ("does not apply" if silent else claimed), name


def test_without_interactions_this_is_said(qontrast):
    write(Qbaf({"t": 0.5, "x": 0.5, "y": 0.6}, [], [("x", "t")], topics=["t"]), "q.json")
    ran = qontrast("interactions q.json t")
    assert ran.code == 0
    assert "t has strength 0.600; no two players work together or overlap by much." in ran.out
    assert "Player" not in ran.out
