"""A batch that was stopped and asked again: nothing of its table is of another graph or of another question."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest

import qontrast as qx
from qontrast import Qbaf
from qontrast.cli.main import load_command, main
from qontrast.formats import qbaf_json
from qontrast.questions.batch import Batch
from qontrast.questions.many import Asked, make_asked
from tests.support.commands import Ran

Run = Callable[..., Ran]

ASKED = make_asked(
    None,
    None,
    method="removal",
    players="arguments",
    semantics=None,
    solver="discrete",
    max_steps=100,
    pairs="strongest",
    reasons=2,
    robustness=False,
    time_limit=None,
)
BAD = '{"arguments": {"p": 2}}'


def make_graph(k: int) -> Qbaf:
    """A graph with three topics and a group; every k has strengths of its own."""
    return Qbaf(
        {"p": 0.5, "q": 0.25, "r": 0.3, "x": 0.8, "y": 0.4 + k / 100},
        attacks={("x", "q"): 0.75},
        supports={("y", "p"): 1.0, ("x", "r"): 0.5},
        topics=["p", "q", "r"],
        semantics="df-quad",
        groups={"themes": ["x", "y"]},
    )


def write_line(k: int) -> str:
    return json.dumps(qbaf_json.to_data(make_graph(k)))


@pytest.fixture
def stop(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Run a command that Ctrl-C stops when the first graph without an answer is done."""

    def run(line: str) -> None:
        def interrupt(*_: Any) -> None:
            raise KeyboardInterrupt

        with monkeypatch.context() as patch:
            patch.setattr("qontrast.cli.commands.batch.Failures.tell", interrupt)
            assert main(shlex.split(line)) == 130

    return run


def run_anew(qontrast: Run, line: str) -> bytes:
    """The table of a run that continues none."""
    qontrast(f"{line.replace('t.csv', 'anew.csv')}")
    return Path("anew.csv").read_bytes()


# -- settings ------------------------------------------------------------------------------------------------

SETTINGS = {  # every option that the answers depend on: two ways to give it, and how the refusal names it
    "--fact": ("--fact p", "--fact q", "fact 'p' instead of 'q'"),
    "--foil": ("", "--foil r", "foil None instead of 'r'"),
    "--pairs": ("", "--pairs all", "pairs 'strongest' instead of 'all'"),
    "--reasons": ("", "--reasons 1", "reasons 3 instead of 1"),
    "--robustness": ("", "--robustness", "robustness False instead of True"),
    "--time-limit": ("--robustness", "--robustness --time-limit 9", "time_limit 60.0 instead of 9.0"),
    "--semantics": ("--semantics df-quad", "--semantics ebt", "semantics 'df-quad' instead of 'ebt'"),
    "--solver": ("", "--solver continuous", "solver 'discrete' instead of 'continuous'"),
    "--max-steps": ("", "--max-steps 500", "max_steps 10000 instead of 500"),
    "--method": ("", "--method removal", "method 'shapley' instead of 'removal'"),
    "--budget": ("--method sampled --budget 300", "--method sampled --budget 301", "budget 300 instead of 301"),
    "--seed": ("--method sampled --seed 3", "--method sampled --seed 4", "seed 3 instead of 4"),
    "--sampler": (
        "--method sampled --budget 300",
        "--method sampled --budget 300 --sampler permutations",
        "sampler 'auto' instead of 'permutations'",
    ),
    "--target": ("--method sampled", "--method sampled --target 0.5", "target None instead of 0.5"),
    "--max-budget": (
        "--method sampled --target 0.5 --max-budget 9000",
        "--method sampled --target 0.5 --max-budget 9001",
        "max_budget 9000 instead of 9001",
    ),
    "--max-minutes": ("", "--max-minutes 9", "max_minutes 5.0 instead of 9.0"),
    "--players": ("", "--players groups", "players 'arguments' instead of 'groups'"),
    "--groups": ("--groups one.csv", "--groups two.csv", "other players"),
}
ELSEWHERE = {  # options that change no answer, and that a run may be continued with: one that is given
    "--workers": "--workers 1",
    "--scheduler": None,  # an executor like the one of --workers, on other machines
    "--json": "--json",
    "--reports": None,  # of pages alone: tested below
    "--out": None,  # another table, with a journal of its own
    "--restart": None,  # tested below
    "--help": None,
}


@pytest.fixture
def graphs(qontrast: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("qontrast.questions.many.MAX_BOXES", 5)  # of the proof of robustness
    Path("g").mkdir()
    for name, text in {"a": write_line(0), "b": BAD, "c": write_line(1)}.items():
        Path(f"g/{name}.json").write_text(text)
    Path("one.csv").write_text("argument,group\nx,themes\ny,themes\n")
    Path("two.csv").write_text("argument,group\nx,one\ny,two\n")


def test_every_option_of_batch_is_a_setting_of_the_journal_or_changes_no_answer() -> None:
    options = {each.opts[0] for each in load_command("batch").params if each.opts[0].startswith("--")}
    assert options == SETTINGS.keys() | ELSEWHERE.keys()


def test_a_run_is_continued_with_none_of_its_settings_changed(qontrast: Run, graphs: None, stop: Any) -> None:
    """In both directions: with the setting added, and with it left out."""
    for option, (one, other, said) in SETTINGS.items():
        for before, now, message in ((other, one, ""), (one, other, said)):
            stop(f"batch g -o t.csv {before} --restart")
            journal = Path("t.csv.journal").read_bytes()
            refused = qontrast(f"batch g -o t.csv {now}")
            assert (refused.code, refused.out) == (2, ""), (option, refused.err)
            assert f"t.csv.journal is of a run with {message}" in refused.err, (option, refused.err)
            assert refused.err.rstrip().endswith("add --restart to begin again"), (option, refused.err)
            assert Path("t.csv.journal").read_bytes() == journal, option
            assert not Path("t.csv").exists(), option
        continued = qontrast(f"batch g -o t.csv {one} --json")
        assert (continued.data["continued"], continued.data["changed"]) == (2, 0), option
        Path("t.csv").unlink()


def test_every_field_of_what_is_asked_is_in_the_journal() -> None:
    others: dict[str, Any] = {
        "fact": "p",
        "foil": "q",
        "pairs": "all",
        "reasons": 1,
        "robustness": True,
        "time_limit": 5.0,
        "solving": {**ASKED.solving, "solver": "continuous"},
        "measuring": {**ASKED.measuring, "players": "edges"},
    }
    assert others.keys() == {each.name for each in fields(Asked)}
    before = Batch(paths=["g"], out=Path("t.csv"), asked=ASKED)
    for name, value in others.items():
        now = Batch(paths=["g"], out=Path("t.csv"), asked=replace(ASKED, **{name: value}))
        assert now.describe() != before.describe(), name
    assert replace(before, out=Path("t.jsonl")).describe() != before.describe()


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("", "--method shapley --players arguments --pairs strongest --solver discrete"),
        ("--method sampled", "--method sampled --seed 0 --sampler auto"),
        ("--time-limit 60 --robustness", "--robustness"),
        ("--groups one.csv", "--players one.csv"),
        ("--groups one.csv", "--groups one.csv --players groups"),
        ("--groups one.csv", "--groups one.json"),
        ("--reasons 3 --max-steps 10000", ""),
    ],
)
def test_settings_that_mean_the_same_are_the_same(qontrast: Run, graphs: None, stop: Any, one: str, other: str) -> None:
    Path("one.json").write_text('{"themes": ["x", "y"]}')
    stop(f"batch g -o t.csv {one}")
    ran = qontrast(f"batch g -o t.csv {other} --json")
    assert (ran.code, ran.data["continued"]) == (5, 2), ran.err
    assert Path("t.csv").read_bytes() == run_anew(qontrast, f"batch g -o t.csv {one}")


def test_options_that_change_no_answer_may_change(qontrast: Run, graphs: None, stop: Any) -> None:
    expected = run_anew(qontrast, "batch g -o t.csv")
    for option, given in ELSEWHERE.items():
        if given is not None:
            stop(f"batch g -o t.csv {given}")
            assert ", 2 of them before;" in qontrast("batch g -o t.csv").err, option
            assert Path("t.csv").read_bytes() == expected, option
            stop("batch g -o t.csv")
            assert qontrast(f"batch g -o t.csv {given} --json").data["continued"] == 2, option
            assert Path("t.csv").read_bytes() == expected, option
    stop("batch g -o t.csv")
    assert qontrast("batch g -o t.csv --restart --json").data["continued"] == 0
    assert Path("t.csv").read_bytes() == expected


def test_reports_may_be_asked_for_later_and_left_out_later(qontrast: Run, graphs: None, stop: Any) -> None:
    for before, now in (("", "--reports"), ("--reports", "")):
        stop(f"batch g -o t.html {before}")
        assert qontrast(f"batch g -o t.html {now} --json").data["continued"] == 2
        assert Path("t.html").read_text(encoding="utf-8").count("t-reports/") == (2 if now else 0)


OWN = """
import numpy as np
from qontrast import Semantics
def make(share):
    energy = lambda attacks, supports: supports.sum(0) - attacks.sum(0)
    return Semantics("own", energy, lambda b, e: b + share * (np.clip(b + e, 0, 1) - b))
weak, strong = make(0.5), make(1.0)
"""


def test_a_semantics_of_the_users_own_is_known_by_its_code(qontrast: Run, graphs: None, stop: Any) -> None:
    Path("own.py").write_text(OWN)
    stop("batch g -o t.csv --semantics own.py:weak")
    for name, text in (("strong", OWN), ("weak", OWN.replace("0.5", "0.25")), ("weak", OWN.replace("b + e", "b - e"))):
        Path("own.py").write_text(text)
        refused = qontrast(f"batch g -o t.csv --semantics own.py:{name}")
        assert (refused.code, "is of a run with other semantics" in refused.err) == (2, True), refused.err
    Path("own.py").write_text(OWN)
    assert qontrast("batch g -o t.csv --semantics own.py:weak --json").data["continued"] == 2


def test_a_file_of_groups_that_changed_is_another_setting(qontrast: Run, graphs: None, stop: Any) -> None:
    stop("batch g -o t.csv --groups one.csv")
    Path("two.csv").rename("one.csv")
    assert "t.csv.journal is of a run with other players" in qontrast("batch g -o t.csv --groups one.csv").err


def test_a_refusal_names_the_option_that_would_continue(qontrast: Run, graphs: None, stop: Any) -> None:
    for before, now, way in (
        ("--budget 700", "--budget 800", "try --budget 700, or add --restart to begin again"),
        ("--robustness", "", "add --robustness, or add --restart to begin again"),
        ("", "--fact q", "ask the same to continue it; add --restart to begin again"),
    ):
        stop(f"batch g -o t.csv {before} --restart")
        assert qontrast(f"batch g -o t.csv {now}").err.rstrip().endswith(way)


# -- graphs --------------------------------------------------------------------------------------------------


def change(lines: list[str]) -> list[str]:
    return [lines[0], write_line(7), *lines[2:]]


EDITS: dict[str, tuple[Callable[[list[str]], list[str]], int, int]] = {  # graphs taken over, and computed again
    "nothing": (lambda lines: lines, 4, 0),
    "a graph that was done": (change, 3, 1),
    "a graph that was not done": (lambda lines: [*lines[:5], write_line(7)], 4, 0),
    "the order of graphs that were done": (lambda lines: [lines[1], lines[0], *lines[2:]], 2, 2),
    "a graph comes first": (lambda lines: [write_line(7), *lines], 0, 4),
    "a graph comes last": (lambda lines: [*lines, write_line(7)], 4, 0),
    "the first graph goes": (lambda lines: lines[1:], 0, 4),
    "a graph that was done goes, and its line is blank": (lambda lines: [*lines[:1], "", *lines[2:]], 3, 0),
    "the last graph goes": (lambda lines: lines[:5], 4, 0),
    "all but one that was done go": (lambda lines: lines[:1], 1, 0),
    "a wrong graph is repaired": (lambda lines: [*lines[:3], write_line(7), *lines[4:]], 3, 1),
    "a graph becomes wrong": (lambda lines: ["{", *lines[1:]], 3, 1),
    "spaces within a graph": (lambda lines: [lines[0].replace(": ", ":"), *lines[1:]], 3, 1),
    "every graph": (lambda lines: [write_line(k + 10) for k in range(6)], 0, 4),
    "blank lines": (lambda lines: [line for each in lines for line in (each, "")], 1, 1),
    "ends of lines, as another system writes them": (lambda lines: [f"{line}\r" for line in lines], 4, 0),
}


@pytest.mark.parametrize("where", ["here", "in threads"])
@pytest.mark.parametrize("suffix", [".csv", ".jsonl", ".html"])
def test_graphs_that_changed_since_a_run_was_stopped_are_computed_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, suffix: str, where: str
) -> None:
    monkeypatch.chdir(tmp_path)
    lines = [write_line(0), write_line(1), write_line(2), BAD, write_line(3), write_line(4)]
    for what, (edit, continued, changed) in EDITS.items():
        Path("g.jsonl").write_text("".join(f"{line}\n" for line in lines))
        stopped = make("t" + suffix, tell_error=interrupt)
        with pytest.raises(Stopped):
            stopped.run()
        Path("g.jsonl").write_text("".join(f"{line}\n" for line in edit(lines)))
        with ThreadPoolExecutor(2) as executor:
            run = make("t" + suffix).run(executor if where == "in threads" else None)
        anew = make("anew" + suffix).run()
        assert Path("t" + suffix).read_bytes() == Path("anew" + suffix).read_bytes(), what
        assert (run.continued, run.changed) == (continued, changed), what
        assert replace(run, continued=0, changed=0) == anew, what


class Stopped(BaseException):
    """Stands for the end of the process."""


def interrupt(_: qx.Explained) -> None:
    raise Stopped


def make(out: str, *paths: str, **more: Any) -> Batch:
    return Batch(paths=paths or ["g.jsonl"], out=Path(out), asked=ASKED, **more)


def test_the_summary_says_how_many_graphs_were_computed_again(qontrast: Run, stop: Any) -> None:
    lines = [write_line(0), write_line(1), BAD, write_line(2)]
    Path("g.jsonl").write_text("\n".join(lines))
    stop("batch g.jsonl -o t.csv")
    Path("g.jsonl").write_text("\n".join(change(lines)))
    ran = qontrast("batch g.jsonl -o t.csv")
    assert ran.code == 5
    assert "t.csv: 3 answers for 4 graphs, 2 of them before, 1 again since it changed; 1 without" in ran.err


FACTS = "arg(p, 0.5).\narg(q, 0.25).\narg(x, 0.5).\n"
ARGUMENTS = "id,base_score,topic\np,0.5,1\nq,0.25,2\nx,0.5,\n"
FILES = {  # before and after
    "g/graph.bag": (f"{FACTS}att(x, p).", f"{FACTS}att(x, q)."),
    "g/second-relations.csv": ("source,target,relation\nx,p,attack\n", "source,target,relation\nx,q,attack\n"),
    "g/results.json": (
        f'[{write_line(0)}, {{"bag": {write_line(1)}}}]',
        f'[{write_line(0)}, {{"bag": {write_line(2)}}}]',
    ),
    "g/lines.json": (f"{write_line(0)}\n{write_line(1)}\n", f"{write_line(0)}\n{write_line(2)}\n"),
}


@pytest.mark.parametrize("file", list(FILES))
def test_every_kind_of_file_is_known_by_its_content(qontrast: Run, stop: Any, file: str) -> None:
    Path("g").mkdir()
    Path("g/z.json").write_text(BAD)
    Path("g/second-arguments.csv").write_text(ARGUMENTS)
    before, after = FILES[file]
    Path(file).write_text(before)
    stop("batch g -o t.csv")
    Path(file).write_text(after)
    ran = qontrast("batch g -o t.csv --json")
    assert (ran.data["changed"], ran.data["continued"]) == (1, ran.data["graphs"] - 1)
    assert Path("t.csv").read_bytes() == run_anew(qontrast, "batch g -o t.csv")


def test_files_may_come_and_go_and_sources_may_be_named_in_another_order(qontrast: Run, stop: Any) -> None:
    for name, k in {"a": 0, "b": 1, "c": 2, "d": 3}.items():
        Path(f"{name}.json").write_text(write_line(k))
    Path("bad.json").write_text(BAD)
    stop("batch a.json b.json bad.json c.json -o t.csv")
    ran = qontrast("batch d.json c.json b.json bad.json -o t.csv --json")
    assert (ran.data["graphs"], ran.data["continued"], ran.data["changed"]) == (4, 2, 0)
    assert Path("t.csv").read_bytes() == run_anew(qontrast, "batch d.json c.json b.json bad.json -o t.csv")


def test_a_run_on_other_graphs_is_not_thrown_away(qontrast: Run, stop: Any) -> None:
    Path("a.jsonl").write_text(f"{BAD}\n{write_line(1)}\n")
    Path("b.jsonl").write_text(f"{write_line(2)}\n")
    stop("batch a.jsonl -o t.csv")
    refused = qontrast("batch b.jsonl -o t.csv")
    assert refused.code == 2
    assert "t.csv.journal is of a run on other graphs: a.jsonl; add --restart to begin again" in refused.err
    assert qontrast("batch a.jsonl -o t.csv --json").data["continued"] == 1


def test_graphs_of_the_same_name_have_a_row_each(qontrast: Run, stop: Any) -> None:
    Path("g").mkdir()
    Path("g/a.json").write_text(write_line(0))
    Path("g/b.json").write_text(BAD)
    line = "batch g g/a.json g/b.json g/a.json -o t.csv"
    stop(line)
    ran = qontrast(f"{line} --json")
    assert (ran.data["graphs"], ran.data["answers"], ran.data["continued"]) == (5, 3, 5)
    assert Path("t.csv").read_bytes() == run_anew(qontrast, line)


def test_a_report_is_of_the_graph_as_it_is_now(qontrast: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first run is stopped when all reports are written, and the page is not."""

    def stop_before_the_page(*_: Any, **__: Any) -> None:
        raise KeyboardInterrupt

    Path("g.jsonl").write_text(f"{write_line(0)}\n{write_line(1)}\n")
    with monkeypatch.context() as patch:
        patch.setattr("qontrast.show.html.batch.batch_html", stop_before_the_page)
        assert qontrast("batch g.jsonl -o t.html --reports").code == 130
    before = {path.name for path in Path("t-reports").iterdir()}
    Path("g.jsonl").write_text(f"{write_line(0)}\n{write_line(5)}\n")
    assert qontrast("batch g.jsonl -o t.html --reports --json").data["changed"] == 1
    linked = set(re.findall(r't-reports/(\w+\.html)"', Path("t.html").read_text(encoding="utf-8")))
    assert (len(before), len(linked), len(linked & before)) == (2, 2, 1)


def test_a_file_that_cannot_be_read_is_known_by_the_reason(qontrast: Run, stop: Any) -> None:
    Path("a.bag").write_bytes(b"arg(p, 1).\n\xff")
    stop("batch a.bag -o t.csv")
    Path("a.bag").write_bytes(b"arg(p, 1).\n\n\xfe")
    assert qontrast("batch a.bag -o t.csv --json").data["changed"] == 1
    assert "a.bag:3: is not UTF-8 text: this line has the byte 0xfe" in Path("t.csv").read_text()


def test_a_path_that_is_not_there_costs_no_journal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("t.csv.journal").write_text("kept")
    with pytest.raises(qx.FormatError, match="no such file"):
        make("t.csv", "nothing.jsonl", restart=True).run()
    assert Path("t.csv.journal").read_text() == "kept"


def test_a_graph_that_changes_while_the_others_are_explained_has_no_report(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("g.jsonl").write_text(f"{write_line(0)}\n{write_line(1)}\n{BAD}\n")
    changed = f"{write_line(5)}\n{write_line(1)}\n{BAD}\n"
    make("t.html", reports=True, tell_error=lambda _: Path("g.jsonl").write_text(changed)).run()
    assert Path("t.html").read_text(encoding="utf-8").count("t-reports/") == 1
    assert len(list(Path("t-reports").iterdir())) == 1


# -- the journal itself --------------------------------------------------------------------------------------


def list_cuts(journal: bytes) -> Iterator[int]:
    """The beginning of every line, with some bytes around it, and places within."""
    for end in [0, *(place + 1 for place, byte in enumerate(journal) if byte == ord("\n"))]:
        yield from (cut for cut in (end - 2, end - 1, end, end + 1, end + 15, end + 200) if 0 <= cut <= len(journal))


def test_a_process_that_is_killed_while_it_writes_a_line_loses_that_line_alone_and_again(qontrast: Run) -> None:
    """After the second kill, too: of the graphs that the first run left, some were done by the second."""
    Path("g.jsonl").write_text("".join(f"{write_line(k)}\n" for k in range(5)))
    expected = run_anew(qontrast, "batch g.jsonl -o t.csv --method removal --reasons 2 --max-steps 100 --time-limit 0")
    with pytest.raises(Stopped):
        make("t.csv").run(progress=lambda done, _: stop_at(done, 5))
    journal = Path("t.csv.journal").read_bytes()
    for cut in list_cuts(journal):
        done_before = max(0, journal[:cut].count(b"\n") - 1)
        Path("t.csv.journal").write_bytes(journal[:cut])
        assert_continues(done_before, expected, cut)
        Path("t.csv.journal").write_bytes(journal[:cut])
        with pytest.raises(Stopped):
            make("t.csv").run(progress=lambda done, _: stop_at(done, 5))
        assert_continues(4, expected, cut)


def assert_continues(done_before: int, expected: bytes, cut: int) -> None:
    run = make("t.csv").run()
    assert (run.graphs, run.continued, run.changed) == (5, done_before, 0), cut
    assert Path("t.csv").read_bytes() == expected, cut


def stop_at(done: int, last: int) -> None:
    if done == last:
        raise Stopped


def test_lines_that_a_disk_spoiled_are_computed_again(qontrast: Run, graphs: None, stop: Any) -> None:
    stop("batch g -o t.csv")
    header, first, second = Path("t.csv.journal").read_bytes().splitlines(keepends=True)
    expected = run_anew(qontrast, "batch g -o t.csv")
    for spoiled in (b"\0" * 60 + b"\n", b"[]\n", b"{}\n", b'{"name": "g/a.json"}\n', first[:-9] + b"\n", b"\xff\n"):
        Path("t.csv.journal").write_bytes(header + spoiled + second)
        assert qontrast("batch g -o t.csv --json").data["continued"] == 1
        assert Path("t.csv").read_bytes() == expected


def test_a_journal_of_another_version_is_not_continued(qontrast: Run, graphs: None, stop: Any) -> None:
    stop("batch g -o t.csv")
    lines = Path("t.csv.journal").read_bytes().splitlines(keepends=True)
    header = json.loads(lines[0])
    older = {"version": "0.1.0", "format": ".csv", "graphs": ["g"], "robustness": False}  # without contents of graphs
    for data, said in (
        (header | {"version": "0.0.9"}, "is of another version of qontrast (0.0.9)"),
        (header | {"journal": 1}, "is of another version of qontrast"),
        (older, "is of another version of qontrast (0.1.0)"),
        ([], "is of another version of qontrast (unknown)"),
    ):
        Path("t.csv.journal").write_bytes(b"".join([json.dumps(data).encode() + b"\n", *lines[1:]]))
        refused = qontrast("batch g -o t.csv")
        assert (refused.code, f"t.csv.journal {said}" in refused.err) == (2, True), refused.err
        assert "add --restart to begin again" in refused.err
        assert not Path("t.csv").exists()
    assert qontrast("batch g -o t.csv --restart").code == 5


def test_a_file_that_is_no_journal_is_left_alone(qontrast: Run, graphs: None) -> None:
    Path("t.csv.journal").write_text("dear diary")
    refused = qontrast("batch g -o t.csv")
    assert (refused.code, "t.csv.journal is no journal of qontrast" in refused.err) == (2, True)
    assert Path("t.csv.journal").read_text() == "dear diary"
