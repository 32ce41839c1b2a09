"""The command `batch`: tables, pages, exit codes, and runs that were killed."""

from __future__ import annotations

import csv
import json
import os
import pickle
import re
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from html import unescape
from pathlib import Path
from statistics import median
from typing import Any

import pytest

import qontrast as qx
from qontrast import Qbaf, examples, write
from qontrast.cli.main import load_command
from qontrast.questions.batch import Batch, make_report
from qontrast.questions.many import make_asked
from qontrast.show.html.batch import batch_html

ASKED = make_asked(
    None,
    None,
    method="removal",
    players="arguments",
    semantics=None,
    solver="discrete",
    max_steps=100,
    pairs="all",
    reasons=2,
    robustness=False,
    time_limit=None,
)


class Killed(BaseException):
    """Stands for the end of the process: nothing that could be done afterwards is done."""


@pytest.fixture
def folder(qontrast, tmp_path: Path) -> Path:
    """Four files with six graphs, of which two are bad; one has several pairs."""
    Path("g").mkdir()
    write(examples.load("zebra"), "g/a.json")
    Path("g/b.json").write_text('{"arguments": {"a": 2}}')
    write(Qbaf({"p": 0.5, "q": 0.25, "x\n": 1.0}, supports={("x\n", "p"): 0.5}, topics=["p", "q"]), "g/d.json")
    line = '{"arguments": {"p": 0.5, "x": 0.5}, "attacks": [["x", "p"]], "topics": ["p"]}'
    Path("g/c.jsonl").write_text(f"{line}\n{{\n{line}\n")
    return tmp_path


def make(suffix: str, **more: Any) -> Batch:
    return Batch(paths=["g"], out=Path(f"t{suffix}"), asked=ASKED, **more)


@pytest.mark.parametrize("suffix", [".csv", ".jsonl", ".html"])
def test_a_run_that_is_killed_after_any_graph_continues_and_loses_and_doubles_nothing(folder, suffix) -> None:
    assert make(suffix).run().graphs == 6
    whole = Path(f"t{suffix}").read_bytes()
    assert not Path(f"t{suffix}.journal").exists()
    for k in range(1, 7):
        Path(f"t{suffix}").unlink()

        def kill(done: int, total: int, k: int = k) -> None:
            assert total >= done
            if done == k:
                raise Killed

        with pytest.raises(Killed):
            make(suffix).run(progress=kill)
        assert not Path(f"t{suffix}").exists()
        run = make(suffix).run()
        assert (run.graphs, run.continued, run.failed) == (6, k - 1, 2)
        assert Path(f"t{suffix}").read_bytes() == whole


def test_a_journal_that_ends_anywhere_is_continued(folder) -> None:
    with pytest.raises(Killed):
        make(".csv").run(progress=lambda done, _: (_ for _ in ()).throw(Killed) if done == 6 else None)
    journal = Path("t.csv.journal").read_bytes()
    make(".csv").run()
    whole = Path("t.csv").read_bytes()
    ends = [place + 1 for place, byte in enumerate(journal) if byte == ord("\n")]
    for cut in {0, 1, *ends, *(end - 1 for end in ends), *(end + 5 for end in ends[:-1])}:
        Path("t.csv.journal").write_bytes(journal[:cut])
        run = make(".csv").run()
        assert run.continued == max(0, sum(end <= cut for end in ends) - 1)
        assert Path("t.csv").read_bytes() == whole


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="this system has no SIGKILL")
def test_a_process_that_is_killed_leaves_a_run_that_continues(qontrast, folder) -> None:
    write(examples.load("loan"), "g/e.json")
    program = (
        "import os, signal, sys; from qontrast.questions import batch; from qontrast.cli.main import main\n"
        "def tell(self, found): os.kill(os.getpid(), signal.SIGKILL)\n"
        "from qontrast.cli.commands.batch import Failures; Failures.tell = tell\n"
        "main(sys.argv[1:])"
    )
    died = subprocess.run([sys.executable, "-c", program, "batch", "g", "-o", "t.csv"], check=False)
    assert died.returncode == -signal.SIGKILL
    assert len(Path("t.csv.journal").read_text().splitlines()) == 3  # the header, a.json, and b.json, which is bad
    again, fresh = qontrast("batch g -o t.csv"), qontrast("batch g -o fresh.csv")
    assert (again.code, fresh.code) == (5, 5)
    assert "t.csv: 5 answers for 7 graphs, 2 of them before; 2 without an answer" in again.err
    assert Path("t.csv").read_bytes() == Path("fresh.csv").read_bytes()


def test_ctrl_c_says_that_the_same_command_continues(qontrast, folder, monkeypatch) -> None:
    def interrupt(*_: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("qontrast.cli.commands.batch.Failures.tell", interrupt)
    ran = qontrast("batch g -o t.csv")
    assert ran.code == 130
    assert "the same command continues where this run stopped; it keeps t.csv.journal" in ran.err
    assert Path("t.csv.journal").exists()


def test_a_table_has_a_row_for_each_answer_and_bad_graphs_are_listed_with_their_reasons(qontrast, folder) -> None:
    ran = qontrast("batch g -o t.csv --pairs all --reasons 1 --workers 1")
    assert ran.code == 5
    assert "g/b.json:1: the base score of 'a' is 2" in ran.err
    assert "g/c.jsonl:2: not JSON" in ran.err
    assert "t.csv: 6 answers for 6 graphs; 2 without an answer, see the column error" in ran.err
    with open("t.csv", newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    told = list(qx.explain_many("g", pairs="all", reasons=1))
    assert len(rows) == len(told) == 8
    for row, each in zip(rows, told, strict=True):
        assert row == {name: "" if value is None else str(value) for name, value in each.to_row(1).items()}
    assert qontrast("batch g -o t.jsonl --pairs all --reasons 1").code == 5
    lines = [json.loads(line) for line in Path("t.jsonl").read_text(encoding="utf-8").splitlines()]
    assert lines == [each.to_dict() for each in told]
    assert qontrast("batch g -o - --pairs all --reasons 1").out == Path("t.jsonl").read_text(encoding="utf-8")


def test_good_graphs_end_with_exit_code_0_and_wrong_tables_are_refused_before_the_work(qontrast, folder) -> None:
    ran = qontrast("batch g/a.json g/d.json -o t.jsonl --json")
    assert (ran.code, ran.data["graphs"], ran.data["failed"]) == (0, 2, 0)
    for line, code, said in (
        ("batch g -o t.xlsx", 2, "end it in .jsonl, .csv, .parquet, .html"),
        ("batch g -o t.csv --reports", 2, "reports are linked from a page"),
        ("batch g -o nowhere/t.csv", 3, "the folder 'nowhere' does not exist"),
        ("batch g -o t.csv --workers 2 --scheduler tcp://localhost:1", 2, "keep one"),
        ("batch g -o t.csv --method nonsense", 2, "no method 'nonsense'"),
        ("batch g -o t.csv --time-limit -1", 2, "--time-limit is -1"),
        ("batch empty/*.json -o t.csv", 3, "no file has such a name"),
        ("batch nothing.json -o t.csv", 3, "nothing.json: no such file"),
        ("batch g nothing.jsonl -o t.csv", 3, "nothing.jsonl: no such file"),
        ("batch g/a.json nothing.jsonl -o -", 3, "nothing.jsonl: no such file"),
        ("batch g/a.json examples:zebr -o t.csv", 2, "no example 'zebr'"),
    ):
        ran = qontrast(line)
        assert (ran.code, ran.out, said in ran.err) == (code, "", True), ran.err
        assert not list(Path().glob("t.csv*")), line


def test_the_page_sorts_by_gap_or_fragility() -> None:
    radii = {"wide": (0.5, 0.1), "narrow": (-0.01, 0.3), "tied": (0.0, 0.0), "safe": (0.2, float("inf"))}
    rows = [
        qx.Explained(
            name=f"<{name}>",
            method="shapley",
            fact="p",
            foil="q",
            gap=gap,
            reasons={("x", "p"): gap},
            robustness=(0.0, far),
        ).to_row(1)
        for name, (gap, far) in radii.items()
    ]
    alone = qx.Explained(name="alone", method="shapley", fact="p", strengths={"p": 0.5}).to_row(1)
    page = batch_html([*rows, alone], sources=["t"], links={1: "r/2.html"})
    orders = re.findall(r"--gap:(\d+);--fragility:(\d+);--given:(\d+).*?&lt;(\w+)", page)
    assert orders == [
        ("0", "0", "2", "tied"),
        ("1", "2", "1", "narrow"),
        ("2", "3", "3", "safe"),
        ("3", "1", "0", "wide"),
    ]
    assert '<a href="r/2.html">&lt;narrow&gt;</a>' in page
    assert "The closest order is that of &lt;tied&gt;: p and q are tied. Half of the gaps are at least" in page
    drawn = page.split('<div class="gaps">')[1].split("</div>")[0]
    assert re.findall(r"<title>&lt;(\w+)&gt;: ", drawn) == ["tied", "narrow", "safe", "wide"]
    assert "x → p +0.500" in page
    assert "5 answers, the closest first." in page
    assert "<script" not in page
    assert "by-fragility" in page
    assert 'id="by-fragility"' not in batch_html([alone], sources=["t"], links={})


def write_graphs(gaps: list[float | None]) -> None:
    """A graph with this gap on every line; None is a graph with one topic, and a gap above 1 makes a bad graph."""
    lines = []
    for gap in gaps:
        topics = ["p"] if gap is None else ["p", "q"]
        lines.append(json.dumps({"arguments": {"p": gap or 0.0} | dict.fromkeys(topics[1:], 0.0), "topics": topics}))
    Path("graphs.jsonl").write_text("".join(f"{line}\n" for line in lines))


def read_page(qontrast: Any, gaps: list[float | None]) -> tuple[str, set[float], list[str]]:
    """The sentence at the head of a page, the gaps in its table, and its other headings and notes."""
    write_graphs(gaps)
    assert qontrast("batch graphs.jsonl -o t.html").code == (5 if any((each or 0) > 1 for each in gaps) else 0)
    page = unescape(Path("t.html").read_text(encoding="utf-8"))
    (answer,) = re.findall(r'<p class="answer">(.*?)</p>', page)
    shown = {float(each) for each in re.findall(r'<td data-name="gap">([^<]+)</td>', page)}
    return answer, shown, re.findall(r"<h2.*?>(.*?)</h2>|<p class=\"note\">(.*?)</p>|<p>(\S+ more .*?)</p>", page)


LIMIT = 10


@pytest.mark.parametrize("number", [LIMIT - 1, LIMIT, LIMIT + 1, 3 * LIMIT])
def test_a_page_with_more_answers_than_it_shows_says_which_it_shows(qontrast, monkeypatch, number) -> None:
    monkeypatch.setattr("qontrast.questions.batch.MAX_PAGE_ROWS", LIMIT)
    gaps: list[float | None] = [(7 * k % number + 1) / 100 for k in range(number)]  # each once, in no order
    answer, shown, texts = read_page(qontrast, gaps)
    assert shown == set(sorted(gaps)[:LIMIT])
    said = " ".join(text for each in texts for text in each)
    assert f"Half of the gaps are at least {median(gaps):.3f}. {number} answers" in answer
    if number <= LIMIT:
        assert answer.endswith(f"{number} answers, the closest first.")
        assert "Every answer" in said
        assert "Gap of every answer, the closest on the left." in said
    else:
        which = f"of which this page shows {LIMIT}: those with the smallest gaps, the closest first."
        assert answer.endswith(f"{number} answers, {which}")
        assert f"{LIMIT} of {number} answers" in said
        assert "Gap of every answer on this page, the closest on the left." in said
        assert "Every answer" not in said


@pytest.mark.parametrize(
    ("with_gap", "alone", "which"),
    [
        (0, LIMIT, ""),
        (0, LIMIT + 1, "the first ones"),
        (LIMIT - 2, 3, "all that have a foil and the first of the others, the closest first"),
        (LIMIT, 3, "those with the smallest gaps, the closest first"),
        (LIMIT + 1, 3, "those with the smallest gaps, the closest first"),
    ],
)
def test_answers_without_a_foil_come_last_on_a_page(qontrast, monkeypatch, with_gap, alone, which) -> None:
    monkeypatch.setattr("qontrast.questions.batch.MAX_PAGE_ROWS", LIMIT)
    gaps = [None] * (alone - 1) + [(k + 1) / 100 for k in range(with_gap)] + [None]
    answer, shown, _ = read_page(qontrast, gaps)
    assert shown == {(k + 1) / 100 for k in range(min(with_gap, LIMIT))}
    assert answer.endswith(f", of which this page shows {LIMIT}: {which}." if which else f"{alone} answers.")


@pytest.mark.parametrize("number", [LIMIT - 1, LIMIT, LIMIT + 1])
def test_a_page_counts_all_errors_and_says_how_many_it_does_not_list(qontrast, monkeypatch, number) -> None:
    monkeypatch.setattr("qontrast.questions.batch.MAX_PAGE_ROWS", LIMIT - 5)
    monkeypatch.setattr("qontrast.show.html.batch.MAX_ERRORS", LIMIT)
    answer, _, texts = read_page(qontrast, [0.5, *([2.0] * number)])
    assert answer == f"1 answer, the closest first; {number} errors."
    listed = re.findall(r"<li title=", Path("t.html").read_text(encoding="utf-8"))
    assert len(listed) == min(number, LIMIT)
    assert [each[2] for each in texts if each[2]] == (["1 more is not listed."] if number > LIMIT else [])


@pytest.mark.parametrize("number", [LIMIT - 1, LIMIT, LIMIT + 1])
def test_a_picture_of_more_gaps_than_it_has_columns_says_so(qontrast, monkeypatch, number) -> None:
    monkeypatch.setattr("qontrast.show.html.batch.MAX_COLUMNS", LIMIT)
    _, _, texts = read_page(qontrast, [(k + 1) / 100 for k in range(number)])
    said = " ".join(text for each in texts for text in each)
    every = "Gap of every answer, the closest on the left."
    some = f"Gaps of {LIMIT} of the {number} answers, chosen evenly, the closest on the left."
    assert (every in said, some in said) == (number <= LIMIT, number > LIMIT)


def test_the_page_names_graphs_without_the_folders_that_they_share_and_draws_as_many_columns_as_fit() -> None:
    rows = [
        qx.Explained(name=f"/a/b/{k}.jsonl#x/y", method="shapley", fact="p", foil="q", gap=k / 5000 - 0.1).to_row(1)
        for k in range(1000)
    ]
    page = batch_html(rows, sources=["/a/b/", "c", "d", "/e/f.json"], links={})
    assert '<h1 title="/a/b/, c, d, /e/f.json">b, c, d and 1 more</h1>' in page
    assert '<td class="text" title="/a/b/7.jsonl#x/y">7.jsonl#x/y</td>' in page
    assert page.count("<title>") == 401
    assert "columns that point down: the foil is ahead" in page


def test_the_page_links_reports_and_lists_bad_graphs(qontrast, folder) -> None:
    Path("t.html").write_text("old")
    ran = qontrast("batch g/b.json g/d.json -o t.html --reports")
    assert ran.code == 5, ran.err
    page = Path("t.html").read_text(encoding="utf-8")
    (report,) = Path("t-reports").iterdir()
    assert f'href="t-reports/{report.name}"' in page
    assert "<!DOCTYPE html>" in report.read_text(encoding="utf-8")
    assert '<li title="g/b.json"><b>b.json</b>:1: the base score' in page


def test_a_run_that_continues_keeps_the_reports_that_it_has_written(qontrast, folder, monkeypatch) -> None:
    """The first run is stopped at its third report, the second writes that one and those after it, the third all."""
    graph = json.loads(Path("g/d.json").read_text(encoding="utf-8"))
    lines = "".join(json.dumps(graph) + "\n" for _ in range(4))
    Path("many.jsonl").write_text(lines, encoding="utf-8")
    written: list[Any] = []

    def stop(*given: Any) -> Any:
        if len(written) == 2:
            raise RuntimeError("stopped")
        written.append(given)
        return make_report(*given)

    line = "batch many.jsonl -o t.html --reports"
    monkeypatch.setattr("qontrast.questions.batch.make_report", stop)
    assert "stopped" in qontrast(line).err
    kept = {each: each.stat().st_ino for each in Path("t-reports").iterdir()}
    assert len(kept) == 2
    written[:] = [None] * 10
    assert qontrast(line).code == 0
    assert len(written) == 12
    assert len(list(Path("t-reports").iterdir())) == 4
    page = Path("t.html").read_text(encoding="utf-8")
    assert all(f'href="t-reports/{each.name}"' in page for each in Path("t-reports").iterdir())
    assert {each: each.stat().st_ino for each in kept} == kept
    written[:] = [None] * 10
    assert qontrast(line).code == 0
    assert len(written) == 14


IN_PYTHON = re.compile(r"\b[a-z_]+=|\bread_many\b|\bwith_groups\b")
FAILURES = {  # what fails, and the way out that the command line has
    "examples:undefined": "; try --solver continuous",
    "examples:undefined --max-steps 2": "; raise --max-steps",
    "examples:loan --budget 4": "; try --method sampled, or raise --budget",
    "examples:loan --method sampled --budget 40 --max-budget 40 --target 1e-300": "; raise --max-budget, or raise",
    "examples:loan --method sampled --budget 9 --sampler permutations": "; try --sampler regression (it needs fewer)",
    "examples:loan --method intrinsic --players edges": "; give --method one of",
    "examples:loan --players groups": "; try --groups FILE",
    "graph.unknown": ": its format is not recognised",  # no option of batch reads it as another
}


def test_the_errors_of_a_table_and_of_its_page_name_options_and_nothing_of_python(qontrast) -> None:
    Path("graph.unknown").write_text("% nothing but a comment")
    for line, way in FAILURES.items():
        ran = qontrast(f"batch {line} -o t.csv")
        assert ran.code == 5, (line, ran.err)
        with open("t.csv", newline="", encoding="utf-8") as file:
            (row,) = csv.DictReader(file)
        assert way in row["error"], (line, row["error"])
        assert not IN_PYTHON.search(row["error"]), row["error"]
        assert row["error"] in ran.err.replace("\n", " "), ran.err
        assert json.loads(qontrast(f"batch {line} -o -").out)["error"] == row["error"]
        assert qontrast(f"batch {line} -o t.html --workers 1").code == 5
        assert (
            unescape(Path("t.html").read_text(encoding="utf-8")).count(row["error"].removeprefix("graph.unknown")) == 1
        )
    (found,) = qx.explain_many({"u": examples.load("undefined")})
    assert found.error.endswith("; ask for solver='continuous'")


def test_workers_need_nothing_of_the_command_line(qontrast, monkeypatch) -> None:
    """A machine of a cluster may lack the extra `cli`."""
    sent = []

    class Here(ThreadPoolExecutor):
        def submit(self, *task: Any, **more: Any) -> Any:
            sent.append(pickle.dumps(task))
            return super().submit(*task, **more)

    monkeypatch.setattr("qontrast.cli.commands.batch.open_workers", lambda *_: Here(1))
    assert "try --solver continuous" in qontrast("batch examples:undefined examples:zebra -o -").out
    assert qontrast("batch examples:undefined examples:zebra -o t.html --reports").code == 5
    assert len(sent) == 5  # two graphs twice, and a report
    assert not any(b"qontrast.cli" in task for task in sent)


def test_a_results_file_of_any_suffix_is_explained_graph_by_graph(qontrast) -> None:
    graph = json.dumps({"arguments": {"p": 0.5, "x": 0.5}, "attacks": [["x", "p"]], "topics": ["p"]})
    for name in ("results.txt", "results"):
        Path(name).write_text(f'{{"data": [{graph}, {{"base": {{"bag": {graph}}}}}]}}')
        assert qontrast(f"batch {name} -o t.csv").code == 0
        assert re.findall(r"^results.*?(?=,)", Path("t.csv").read_text(), re.M) == [f"{name}#0", f"{name}#1/base"]


CASES = {  # every option changes the table
    "--fact": "--fact q",
    "--foil": "--foil x",
    "--pairs": "--pairs all",
    "--reasons": "--reasons 1",
    "--robustness": "--robustness",
    "--time-limit": "--robustness --time-limit 0.000000001",
    "--semantics": "--semantics ebt",
    "--solver": "--solver continuous",
    "--max-steps": "--max-steps 2",
    "--method": "--method removal",
    "--budget": "--method sampled --budget 40",
    "--seed": "--method sampled --budget 40 --seed 3",
    "--sampler": "--method sampled --budget 400 --sampler permutations",
    "--target": "--method sampled --budget 40 --max-budget 40 --target 1e-300",
    "--max-budget": "--method sampled --budget 40 --target 1e-300 --max-budget 50",
    "--max-minutes": "--max-minutes 1e-9",
    "--players": "--players direct",
    "--groups": "--groups groups.csv",
}
ELSEWHERE = {"--out", "--workers", "--scheduler", "--reports", "--restart", "--json", "--help"}


def test_every_option_of_batch_changes_its_table(qontrast) -> None:
    options = {each.opts[0] for each in load_command("batch").params if each.opts[0].startswith("--")}
    assert options == set(CASES) | ELSEWHERE
    graph = Qbaf(
        {"p": 0.5, "q": 0.45, "r": 0.3, "x": 0.8, "y": 0.6, "z": 0.35},
        attacks={("x", "q"): 0.75, ("y", "p"): 1.0, ("z", "y"): 0.5, ("p", "q"): 0.25},
        supports={("x", "p"): 0.5, ("y", "r"): 1.0, ("z", "r"): 0.9, ("q", "z"): 0.3, ("r", "p"): 0.4},
        topics=["p", "q", "r"],
    )
    write(graph, "graph.json")
    Path("groups.csv").write_text("argument,group\ny,themes\nz,themes\n")
    seen = {}
    for option, given in [("", ""), *CASES.items()]:
        files = "examples:undefined" if option == "--solver" else "graph.json"
        ran = qontrast(f"batch {files} -o - {given}")
        refused = option in ("--max-steps", "--target", "--max-budget", "--max-minutes")
        assert ran.code == (5 if refused else 0), ran.err
        assert ran.out not in seen, f"{option} gives the same table as {seen.get(ran.out)}"
        seen[ran.out] = option


@pytest.mark.heavy
def test_a_parquet_table_has_the_rows_of_a_csv_table(qontrast, folder, monkeypatch) -> None:
    monkeypatch.setattr("qontrast.questions.batch.ROWS_PER_GROUP", 3)
    parquet = pytest.importorskip("pyarrow.parquet", reason="pyarrow is installed by make test-heavy")
    assert qontrast("batch g -o t.parquet --pairs all").code == 5
    rows = parquet.read_table("t.parquet").to_pylist()
    assert rows == [each.to_row(3) for each in qx.explain_many("g", pairs="all")]
    assert set(os.listdir()) == {"g", "t.parquet"}
