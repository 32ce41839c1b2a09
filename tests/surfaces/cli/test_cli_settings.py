"""What is given to a command reaches the computation, and what it says of files and codes is true."""

from __future__ import annotations

import json
import re
from datetime import date
from importlib import import_module
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

import qontrast as qx
from qontrast import Qbaf, write

GRAPH = Qbaf(
    {"p": 0.5, "q": 0.45, "r": 0.3, "x": 0.8, "y": 0.6},
    attacks={("x", "q"): 0.75, ("y", "p"): 0.4},
    supports={("x", "p"): 0.5, ("y", "r"): 1.0},
    topics=["r", "q", "p"],
    semantics="df-quad",
)


@pytest.fixture(autouse=True)
def _graph(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write(GRAPH, "graph.json")


def spied(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Any, ...]]:
    """The calls of the search for a flip: fact, foil and settings."""
    real, seen = qx.flip, []

    def spy(qbaf: Qbaf, fact: str, foil: str, *given: Any, **settings: Any) -> Any:
        seen.append((fact, foil, settings))
        return real(qbaf, fact, foil, *given, **settings)

    monkeypatch.setattr(import_module(real.__module__), "flip", spy)
    return seen


@pytest.mark.parametrize("command", ["flip graph.json", "report graph.json -o a.html"])
@pytest.mark.parametrize(
    ("option", "limit"), [("", 30.0), ("--time-limit 7.5", 7.5), ("--time-limit 0", None), ("--time-limit 600", 600.0)]
)
def test_the_time_limit_reaches_the_search(
    qontrast: Any, monkeypatch: pytest.MonkeyPatch, command: str, option: str, limit: float | None
) -> None:
    seen = spied(monkeypatch)
    assert qontrast(f"{command} {option}").code == 0
    assert [settings["time_limit"] for _, _, settings in seen] == [limit]


@pytest.mark.parametrize("command", ["flip", "report"])
def test_the_help_says_the_time_limit_that_holds(qontrast: Any, command: str) -> None:
    assert re.search(r"--time-limit.*?\[default: 30(\.0)?\]", qontrast(f"{command} --help").out, re.DOTALL)


def test_what_holds_arguments_back_reaches_the_search(qontrast: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    seen = spied(monkeypatch)
    for option in ("", "--fix x --fix y --fix x", "--move-topics", "--norm l2", "--semantics qe", "--max-steps 77"):
        assert qontrast(f"flip graph.json p q {option}").code == 0
    plain, fixed, moving, l2, qe, steps = [settings for _, _, settings in seen]
    assert (plain["fixed"], plain["move_topics"], plain["norm"]) == ((), False, "l1")
    assert (fixed["fixed"], moving["move_topics"], l2["norm"]) == (("x", "y"), True, "l2")
    assert (plain["semantics"], qe["semantics"], steps["max_steps"]) == (None, "qe", 77)


@pytest.mark.parametrize(("fact", "foil"), [("p", "q"), ("q", "p")])
def test_a_report_searches_what_would_make_the_weaker_topic_win(
    qontrast: Any, monkeypatch: pytest.MonkeyPatch, fact: str, foil: str
) -> None:
    sigma = qx.strengths(GRAPH)
    ahead, behind = sorted((fact, foil), key=lambda topic: -sigma[topic])
    seen = spied(monkeypatch)
    assert qontrast(f"report graph.json {fact} {foil} -o a.html").code == 0
    assert [call[:2] for call in seen] == [(ahead, behind)]
    page = Path("a.html").read_text(encoding="utf-8")
    assert f"What would make {behind} win?" in page
    assert f"<dt>Date</dt><dd>{date.today().isoformat()}</dd>" in page
    assert qontrast(f"report graph.json {fact} {foil} -o a.html --no-flip").code == 0
    assert len(seen) == 1
    assert "win?" not in Path("a.html").read_text(encoding="utf-8")


def test_the_strongest_topics_are_asked_about_where_none_are_named(qontrast: Any) -> None:
    sigma = qx.strengths(GRAPH)
    first, second, third = sorted(GRAPH.topics, key=lambda topic: -sigma[topic])
    assert len({round(sigma[topic], 6) for topic in GRAPH.topics}) == 3
    for line, pair in {
        "why graph.json": (first, second),
        f"why graph.json {third}": (third, first),
        f"why graph.json {first}": (first, second),
        "flip graph.json": (first, second),
        "whatif graph.json --set x=0.7": (first, second),
    }.items():
        data = qontrast(f"{line} --json").data
        data = data["before"]["contrast"] if "whatif" in line else data
        assert (data["fact"], data["foil"]) == pair, line
    tie = Qbaf({"b": 0.5, "a": 0.5, "c": 0.2}, topics=["c", "b", "a"])
    write(tie, "tie.json")
    data = qontrast("why tie.json --json").data
    assert (data["fact"], data["foil"]) == ("b", "a")  # in the order of the file


@pytest.mark.parametrize(("fact", "foil"), [("p", "q"), ("q", "p")])
def test_a_drawing_marks_fact_and_foil(qontrast: Any, fact: str, foil: str) -> None:
    assert qontrast(f"draw graph.json {fact} {foil} -o a.svg").code == 0
    nodes = [each for each in ElementTree.parse("a.svg").iter() if "qx-node" in (each.get("class") or "")]
    roles = {each.get("data-name"): (each.get("class") or "").split()[1:] for each in nodes}
    assert (roles[fact], roles[foil]) == (["qx-fact-node"], ["qx-foil-node"])


@pytest.mark.parametrize("line", ["draw graph.json -o a.svg", "draw graph.json --figure bars -o a.pdf",
                                  "report graph.json -o a.html --no-flip"])  # fmt: skip
def test_a_file_that_was_written_has_as_many_bytes_as_is_said(qontrast: Any, line: str) -> None:
    ran = qontrast(f"{line} --json")
    assert ran.data["bytes"] == Path(ran.data["path"]).stat().st_size
    kilobytes = re.findall(r": ([\d,]+) kB", qontrast(line).err)
    assert int(kilobytes[0].replace(",", "")) == pytest.approx(Path(ran.data["path"]).stat().st_size / 1000, abs=1)


def test_a_conversion_says_how_many_arguments_and_edges_it_wrote(qontrast: Any) -> None:
    assert qontrast("convert graph.json a.json --json").data["arguments"] == len(GRAPH) == 5
    assert "5 arguments, 4 edges" in qontrast("convert graph.json a.json").err
    assert "4 arguments, 3 edges" in qontrast("convert graph.json a.json --remove r").err


@pytest.mark.parametrize("count", [12, 13, 40])
def test_at_most_twelve_candidates_are_listed_and_the_others_counted(qontrast: Any, count: int) -> None:
    write(Qbaf({f"n{k}": 0.5 for k in range(count)}), "bare.json")
    said = qontrast("why bare.json").err
    assert len(re.findall(r"'n\d+'", said)) == 12
    assert re.findall(r" and ([\d,]+) more", said) == ([] if count == 12 else [str(count - 12)])


@pytest.mark.parametrize("line", ["check", "why", "strengths", "rank", "pairs", "flip", "axioms", "report"])
@pytest.mark.parametrize("more", ["", " --json"])
def test_undefined_strengths_have_an_exit_code_of_their_own(qontrast: Any, line: str, more: str) -> None:
    assert qontrast(f"{line} examples:undefined{more}").code == 4
    assert qontrast(f"{line} graph.json{more}").code == 0


def test_the_method_and_the_semantics_reach_the_properties(qontrast: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    import qontrast.axioms as properties

    real, seen = properties.verdicts, []

    def spy(qbaf: Qbaf, method: str, semantics: object = None, **given: Any) -> Any:
        seen.append((method, semantics, given.get("topics")))
        return real(qbaf, method, semantics=semantics, **given)

    monkeypatch.setattr(properties, "verdicts", spy)
    qontrast("axioms graph.json --method removal")
    qontrast("axioms graph.json p r --method gradient --semantics ebt")
    assert seen == [("removal", None, list(GRAPH.topics)), ("gradient", "ebt", ["p", "r"])]


def test_every_outcome_of_a_property_has_its_own_word() -> None:
    from qontrast.axioms import NotApplicable, find_counterexample
    from qontrast.cli.commands.axioms import describe_outcome

    witness = find_counterexample("efficiency", "gradient", semantics="df-quad", graphs=50)
    assert describe_outcome(None) == ("holds", "")
    assert describe_outcome(witness) == ("violated", witness.words)  # type: ignore[union-attr, arg-type]
    assert describe_outcome(NotApplicable(axiom="efficiency", reason="why", undecided=True)) == ("undecided", "why")
    assert describe_outcome(NotApplicable(axiom="efficiency", reason="why")) == ("does not apply", "why")


@pytest.mark.parametrize(
    ("options", "expected"),
    [("", (None, 40, "reproduced")), ("--seeds 3 --data synthetic -o there", ("synthetic", 3, "there"))],
)
def test_the_options_of_reproduce_reach_the_study(
    qontrast: Any, monkeypatch: pytest.MonkeyPatch, options: str, expected: tuple[Any, ...]
) -> None:
    from qontrast.studies import Page, compas

    seen: list[tuple[Any, ...]] = []

    def spy(*, data: str | None, seeds: int, out: Path, **_: Any) -> Page:
        seen.append((data, seeds, str(out)))
        return Page(title="a page", introduction="", draw_figures=lambda folder: [("compas.png", "bars")])

    monkeypatch.setattr(compas, "run", spy)
    ran = qontrast(f"reproduce compas {options} --json")
    assert ran.code == 0, ran.err
    assert seen == [expected]
    assert ran.data["files"] == [str(Path(expected[2]) / f"compas.{ending}") for ending in ("md", "json", "png")]


def test_paths_prints_as_many_as_asked_the_strongest_first(qontrast: Any) -> None:
    names = {"a": 0.5, "t": 0.5, **{f"m{k}": 0.1 * k for k in range(1, 6)}}
    middle = [f"m{k}" for k in range(1, 6)]
    write(
        Qbaf(
            names, supports={**{("a", m): 0.1 * k for k, m in enumerate(middle, 1)}, **{(m, "t"): 1.0 for m in middle}}
        ),
        "many.json",
    )
    everything = json.loads(qontrast("paths many.json a t --json").out)["paths"]
    assert len(everything) == 5
    shares = [abs(each["share"]) for each in everything]
    assert shares == sorted(shares, reverse=True)
    for most in (1, 3):
        ran = qontrast(f"paths many.json a t --most {most}")
        assert len(re.findall("^raises", ran.out, re.MULTILINE)) == most
        assert f"({5 - most} weaker paths left out)" in ran.out
