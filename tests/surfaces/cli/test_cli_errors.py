"""How the command line behaves when something is wrong, and what it leaves alone."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from pathlib import Path
from urllib.request import urlopen

import pytest

from qontrast import __version__
from qontrast.attribution.methods import METHODS
from qontrast.cli import entry
from qontrast.cli.main import COMMANDS
from tests.support.wait import LONG_DEADLINE

MISTAKES = {
    "why examples:zebra zebra hrse": (2, "no argument 'hrse' among the 5 here; did you mean 'horse'?"),
    "why examples:zebr": (2, "no example 'zebr' among the 10 here; did you mean 'zebra'?"),
    "why examples:zebra --method shaply": (
        2,
        f"no method 'shaply' among the {len(METHODS)} here; did you mean 'shapley'?",
    ),
    "why examples:zebra --semantics dfquad": (2, "no semantics 'dfquad' among the 7 here; did you mean 'df-quad'?"),
    "why examples:zebra --solver cont": (2, "no solver 'cont' among the 2 here; did you mean 'continuous'?"),
    "why examples:zebra --methd removal": (2, "qontrast why has no option --methd; did you mean --method?"),
    "why examples:zebra zebra zebra": (2, "'zebra' cannot be compared with itself; name two topics"),
    "why examples:zebra zebra horse --remove horse": (2, "'horse' is the foil and is removed; keep it, or set it to 0"),
    "why examples:zebra --seed 3": (2, "--seed has no meaning for --method shapley; leave it out"),
    "why examples:debate --budget 0 --method sampled": (2, "--budget is 0; give a number from 1 up"),
    "why examples:zebra --set stripes=2": (2, "--set 'stripes=2': a base score lies between 0 and 1"),
    "why examples:zebra --set stripes": (2, "write --set NAME=SCORE, as in --set stripes=0.7"),
    "why examples:zebra --set stripes=x": (2, "'x' is not a number; give one between 0 and 1"),
    "why examples:zebra --set strips=1": (2, "did you mean 'stripes'?"),
    "why examples:zebra --remove tiger --set tiger=1": (2, "'tiger' is both set and removed; do one of the two"),
    "why examples:zebra --semantics nowhere:mine": (2, "the semantics 'nowhere:mine' cannot be loaded"),
    "why": (2, "missing argument 'FILE'"),
    "wy": (2, f"no command 'wy' among the {len(COMMANDS)} here; did you mean 'why'?"),
    "whatif examples:zebra": (2, "qontrast: whatif needs a change: --set NAME=SCORE or --remove NAME"),
    "flip examples:zebra --norm l3": (2, "norm is one of l1, l2"),
    "reach examples:zebra zebra": (2, "an order takes at least two topics, or write it as"),
    "reach examples:zebra zebr>=0.5": (2, "no argument 'zebr' among the 5 here; did you mean 'zebra'?"),
    "reach examples:zebra zebra>=0.9 --fix zebr": (2, "no argument 'zebr' among"),
    "reach examples:zebra zebra>=0.9 --bound zebra=0.5": (2, "write --bound zebra=0.2:0.6"),
    "reach examples:zebra zebra>=0.9 --bound zebra": (
        2,
        "--bound 'zebra' lacks its value; write --bound zebra=0.2:0.6",
    ),
    "reach examples:zebra zebra>=0.9 --price zebra=much": (2, "cannot read 'much'; write --price zebra=3"),
    "reach examples:zebra zebra>=0.9 --price zebra=-1": (
        2,
        "the price of 'zebra' is -1.0; give a number of at least 0",
    ),
    "reach examples:zebra zebra>=0.9 zebra<=0.1": (2, "contradict each other"),
    "reach examples:zebra zebra>=0.9 --cost l3": (2, "no cost 'l3'"),
    "paths examples:zebra stripes zebra --most 0": (2, "most is 0; give a whole number of at least 1"),
    "draw examples:zebra -o .": (3, ".: is a folder; give the name of a file in it"),
    "draw examples:zebra -o zebra": (2, "zebra has no suffix; a picture has one of .svg, .pdf, .png"),
    "why examples:zebra -o why.html": (
        2,
        "has no option -o; it prints to standard output: add > PATH, or write",
    ),
    "convert examples:zebra": (2, "convert writes one file: name it after the one to read, or with -o"),
    "convert examples:zebra a.bag -o b.bag": (2, "convert writes one file: name it after the one to read, or with -o"),
    "convert examples:zebra zebra.bag --as kpa": (3, "the debates of a folder go to a file that ends in .jsonl or"),
    "explore examples:zebra -o zebra.html": (2, "has no option -o; write a page with qontrast report -o PATH"),
    "-o zebra.svg draw examples:zebra": (2, "qontrast has no option -o; put it after the command"),
    "reproduce compas --data nowhere.csv": (2, "no file 'nowhere.csv'; without a path the file is downloaded"),
    "why examples:zebra --set stripes=1 --set 'It has stripes=0'": (2, "'stripes' is given two base scores; keep one"),
    "draw examples:zebra -o zebra.gif": (2, "a picture has one of .svg, .pdf, .png"),
    "draw examples:zebra --figure grap": (2, "did you mean 'graph'?"),
    "convert examples:zebra -": (
        3,
        "standard output: has no suffix that tells the format; give --write-as one of json,",
    ),
    "convert examples:zebra zebra.xyz": (3, "no format has the suffix '.xyz'; give --write-as one of"),
    "reproduce zebr": (2, "no study 'zebr' among the 7 here; did you mean 'zebra'?"),
    "strengths nowhere.json": (3, "nowhere.json: no such file"),
    "strengths .": (3, "is a folder; give a file"),
    "strengths -": (3, "standard input: is empty"),
    "strengths examples:undefined": (4, "try --solver continuous"),
    "why examples:undefined": (4, "strengths are undefined here"),
}


@pytest.mark.parametrize("line", MISTAKES)
def test_a_mistake_is_one_line_on_standard_error_with_the_way_out(qontrast, line):
    code, message = MISTAKES[line]
    ran = qontrast(line)
    assert ran.code == code, ran.err
    assert ran.out == ""
    assert message in ran.err
    assert ran.err.startswith("qontrast: ")
    assert ran.err.count("\n") == 1


def test_a_bad_file_is_named_with_its_line(qontrast):
    Path("hotel.bag").write_text("arg(a, 0.5).\narg(b, 0.5.\n", encoding="utf-8")
    ran = qontrast("strengths hotel.bag")
    assert ran.code == 3
    assert "hotel.bag:2:" in ran.err


def test_a_file_with_many_graphs_leads_to_one_of_them_and_to_the_command_for_all(qontrast):
    Path("graphs.jsonl").write_text('\n{"arguments": {"a": 1}}\n{"arguments": {"b": 1}}\n', encoding="utf-8")
    ran = qontrast("strengths graphs.jsonl")
    way = "'#2' after the path picks one of them; qontrast batch explains them all"
    assert (ran.code, ran.err) == (3, f"qontrast: graphs.jsonl: many graphs, not one; {way}\n")
    assert qontrast("strengths graphs.jsonl#2").code == 0
    assert "no graph on line '1'; the file has 2 graphs, the first on line 2" in qontrast("why graphs.jsonl#1").err


def test_a_failed_write_is_a_bad_file_and_leaves_nothing(qontrast):
    ran = qontrast("report examples:zebra zebra horse -o nowhere/why.html")
    assert ran.code == 3
    assert "nowhere/why.html: cannot be written" in ran.err


def test_what_is_unexpected_is_one_line_and_asks_for_debug(qontrast, monkeypatch):
    def broken(*_: object, **__: object) -> None:
        raise RuntimeError("the roof is on fire")

    monkeypatch.setattr("qontrast.questions.question.strengths", broken)
    ran = qontrast("strengths examples:zebra")
    assert (ran.code, ran.err.count("\n")) == (1, 1)
    assert "unexpected RuntimeError: the roof is on fire" in ran.err
    monkeypatch.setenv("QONTRAST_DEBUG", "1")
    assert "Traceback" in qontrast("strengths examples:zebra").err


@pytest.mark.parametrize(("package", "extra"), [("click", "cli"), ("matplotlib", "plot")])
def test_a_missing_extra_is_named_with_the_way_to_install_it(package, extra, tmp_path):
    (tmp_path / package).mkdir()
    (tmp_path / package / "__init__.py").write_text(f"raise ImportError('gone', name={package!r})")
    ran = process(
        ["draw", "examples:zebra", "-o", "a.png"],
        cwd=tmp_path,
        PYTHONPATH=os.pathsep.join([str(tmp_path), *sys.path[1:]]),
    )
    assert ran.returncode == 1
    assert (
        ran.stderr == f"qontrast: this needs {package}; in your checkout of qontrast, run: pip install '.[{extra}]'\n"
    )


def process(arguments: list[str], cwd: Path | None = None, **env: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "qontrast", *arguments],
        capture_output=True,
        text=True,
        cwd=cwd,
        env=os.environ | env,
        timeout=LONG_DEADLINE,
        check=False,
    )


def test_version_and_help_are_printed_and_are_no_errors(qontrast):
    assert qontrast("--version").out == f"qontrast {__version__}\n"
    assert "healthcare" in qontrast("--help").out
    assert {qontrast(line).code for line in ("--version", "--help", "why --help", "why -h")} == {0}
    ran = qontrast("")
    assert ran.code == 2
    assert "Usage" in ran.out


@pytest.mark.parametrize("variable", ["NO_COLOR", ""])
def test_no_colour_means_no_escape_sequences_for_colour(variable, qontrast, monkeypatch):
    for name, value in {"FORCE_COLOR": "1", "TERM": "xterm-256color", variable: "1"}.items():
        if name:
            monkeypatch.setenv(name, value)
    out = qontrast("why examples:zebra").out
    assert ("\x1b[1;34m" in out or "\x1b[1;38;5;208m" in out) == (not variable)


def test_notes_never_reach_standard_output(qontrast):
    ran = qontrast("convert examples:loan - --write-as apx")
    assert "note:" in ran.err
    assert "note:" not in ran.out
    ran = qontrast("strengths - --json", "arg(a). arg(b). att(a,b).")
    assert ran.data["strengths"]
    assert "2 arguments without a base score: 0.5 is used" in ran.err


@pytest.mark.skipif(sys.platform == "win32", reason="a shell is used")
def test_a_reader_that_stops_reading_is_no_error(tmp_path):
    line = f"{sys.executable} -m qontrast strengths examples:debate --json | head -1"
    ran = subprocess.run(
        ["bash", "-o", "pipefail", "-c", line], capture_output=True, text=True, timeout=LONG_DEADLINE, check=False
    )
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, "{\n", "")


@pytest.mark.skipif(sys.platform == "win32", reason="a signal is sent")
def test_an_interrupt_ends_with_130_and_one_line(tmp_path):
    (tmp_path / "slow.py").write_text(
        "import threading\nfrom qontrast import Semantics\n"
        "def wait(att, sup):\n    print('begun', flush=True)\n    threading.Event().wait()\n"  # for ever
        "slow = Semantics('slow', wait, lambda b, e: b)\n"
    )
    run = subprocess.Popen(
        [sys.executable, "-m", "qontrast", "strengths", "examples:zebra", "--semantics", "slow.py:slow"],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # jobs in the background are born deaf to it
    )
    assert run.stdout is not None
    assert run.stdout.readline() == "begun\n"
    run.send_signal(signal.SIGINT)
    _, err = run.communicate(timeout=LONG_DEADLINE)
    assert (run.returncode, err) == (130, "qontrast: interrupted\n")


def test_completion_offers_commands_files_examples_and_names(tmp_path, monkeypatch, capsys):
    def offered(words: str) -> list[str]:
        """What bash would offer for the last of these words."""
        monkeypatch.setenv("COMP_WORDS", words)
        monkeypatch.setenv("COMP_CWORD", str(len(words.split(" ")) - 1))
        with pytest.raises(SystemExit):
            entry()
        return [line.partition(",")[2] for line in capsys.readouterr().out.split("\n")]  # after the kind of word

    monkeypatch.setattr(sys, "argv", ["qontrast"])
    monkeypatch.setenv("_QONTRAST_COMPLETE", "bash_complete")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "hotel.bag").write_text("arg(Reception, 0.5).\narg(room, 0.5).")
    (tmp_path / "notes.doc").write_text("")
    assert {"why", "whatif"} <= set(offered("qontrast wh"))
    assert {"hotel.bag"} <= set(offered("qontrast why h"))
    assert "Reception" in offered("qontrast why hotel.bag R")
    assert "stripes" in offered("qontrast why examples:zebra zebra horse --remove s")
    assert "gradient" in offered("qontrast why examples:zebra --method g")
    assert "notes.doc" not in offered("qontrast why n")


@pytest.mark.skipif(sys.platform == "win32", reason="a signal is sent")
def test_explore_serves_the_changed_graph_until_it_is_interrupted(tmp_path):
    run = subprocess.Popen(
        [sys.executable, "-m", "qontrast", "explore", "examples:zebra", "--remove", "tiger", "--no-browser"],
        stderr=subprocess.PIPE,
        text=True,
    )
    assert run.stderr is not None
    said = run.stderr.readline()
    address = re.search(r"http://[\w.:]+", said)
    assert address, said
    page = urlopen(address[0], timeout=LONG_DEADLINE).read()  # it listens since before it said so
    run.send_signal(signal.SIGINT)
    assert run.wait(timeout=LONG_DEADLINE) in (0, 130)
    run.stderr.close()
    assert page


PARTS = {
    "Ask": [
        "why",
        "strengths",
        "pairs",
        "rank",
        "paths",
        "interactions",
        "reasons",
        "semantics",
        "whatif",
        "change",
        "flip",
        "uncertainty",
        "reach",
        "robustness",
        "axioms",
    ],
    "Files and pictures": ["draw", "report", "check", "convert", "examples"],
    "Longer work": ["explore", "mcp", "batch", "audit", "reproduce"],
}


def test_the_help_lists_every_command_under_its_heading(qontrast):
    said = [re.sub(r"[╭╮╰╯│─]+", " ", line).strip() for line in qontrast("--help").out.split("\n")]
    found, heading = {}, None
    for line in said:
        if line in PARTS:
            heading = line
            found[heading] = []
        elif not line:
            heading = None
        elif heading and line.split()[0] in COMMANDS:
            found[heading].append(line.split()[0])
    assert found == PARTS
    assert sorted(COMMANDS) == sorted(name for names in PARTS.values() for name in names)
