"""Every option of every command: it changes what it should, and messages offer no other."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

from qontrast import Qbaf, write
from qontrast.cli.main import COMMANDS, describe_hint, load_command
from qontrast.errors import Hint
from tests.support.commands import list_options

GRAPH = Qbaf(
    {"p": 0.5, "q": 0.45, "r": 0.3, "x": 0.8, "y": 0.6, "z": 0.35},
    attacks={("x", "q"): 0.75, ("y", "p"): 1.0, ("z", "y"): 0.5, ("p", "q"): 0.25},
    supports={("x", "p"): 0.5, ("y", "r"): 1.0, ("z", "r"): 0.9, ("q", "z"): 0.3, ("r", "p"): 0.4},
    labels={"p": "Plan A", "q": "Plan B", "x": "The experts agree", "z": "Twin", "y": "Twin"},
    topics=["p", "q"],
)
TREE = Qbaf(
    dict(GRAPH.base_scores),
    GRAPH.attacks,
    {e: w for e, w in GRAPH.supports.items() if e != ("q", "z")},
    topics=["p", "q"],
)
SLOW = Qbaf({"a": 0.9, "b": 0.8}, attacks={("a", "b"): 0.9, ("b", "a"): 0.9}, topics=["a", "b"])
OTHER = Qbaf(GRAPH.base_scores | {"x": 0.2, "y": 0.9}, GRAPH.attacks | {("z", "y"): 1.0}, topics=["p", "q"])
NAMES = [f"x{k}" for k in range(21)]
MANY, MORE = (
    Qbaf({"p": 0.5, "q": 0.6} | dict.fromkeys(NAMES, score), supports=[(x, "p") for x in NAMES], topics=["p", "q"])
    for score in (0.1, 0.3)
)
HELD = {"--help", "-h", "--workers", "--scheduler", "--device"}  # the last three change no answer: see below


class Case(NamedTuple):
    """An option that is added to a command line, and what it changes."""

    given: str
    extra: str = ""  # what both command lines have besides
    file: str = "graph.json"
    line: str = ""  # instead of the command's own
    codes: tuple[int, int] = (0, 0)  # without the option and with it
    says: str = ""  # what the answer then holds, and does not hold without the option


SAMPLED = "--method sampled --budget 40"
COMMON = {
    "--set": Case("--set x=0.1"),
    "--remove": Case("--remove x"),
    "--topic": Case("--topic q --topic r"),
    "--semantics": Case("--semantics ebt"),
    "--solver": Case("--solver continuous", file="examples:undefined", codes=(4, 0)),
    "--max-steps": Case("--max-steps 2", file="slow.json", codes=(0, 4), says="raise --max-steps"),
    "--read-as": Case("--read-as json", file="wrong.tgf", codes=(3, 0)),
    "--json": Case("--json", says='"schema"'),
    "--method": Case("--method removal"),
    "--seed": Case("--seed 3", extra=SAMPLED),
    "--budget": Case("--budget 60", extra="--method sampled"),
    "--players": Case("--players direct"),
    "--groups": Case("--groups groups.csv"),
    "--language": Case("--language de"),
    "--orders": Case("--orders 12", extra="--method owen --groups groups.csv"),
    "--sampler": Case("--sampler permutations", extra="--method sampled --budget 300"),
    "--target": Case("--target 1e-300", extra=f"{SAMPLED} --max-budget 40", codes=(0, 2), says="after 40 evaluations"),
    "--max-minutes": Case("--max-minutes 1e-9", codes=(0, 2), says="raise --max-minutes"),
    "--max-budget": Case(
        "--max-budget 50", extra=f"{SAMPLED} --target 1e-300 --max-budget 40", codes=(2, 2), says="after 50 evaluations"
    ),
}
NO_TIME = Case("--time-limit 0.000000001", extra="--time-limit 0", says="stopped by the time limit")
LINES = {
    "why": "why graph.json",
    "strengths": "strengths graph.json",
    "pairs": "pairs graph.json",
    "rank": "rank graph.json",
    "paths": "paths tree.json y p",
    "interactions": "interactions graph.json",
    "reasons": "reasons graph.json",
    "semantics": "semantics graph.json",
    "whatif": "whatif graph.json --set y=0.9",
    "uncertainty": "uncertainty graph.json --score z=0.1:0.9 --score p=0.2:0.8",
    "change": "change graph.json other.json",
    "flip": "flip graph.json",
    "robustness": "robustness graph.json",
    "reach": "reach graph.json q>=p",
    "axioms": "axioms graph.json",
    "draw": "draw graph.json --figure bars -o out.svg",
    "report": "report graph.json --no-flip -o out.html",
    "check": "check graph.json",
    "convert": "convert graph.json out.json",
}
FILES = {"draw": "out.svg", "report": "out.html", "convert": "out.json"}
OWN = {
    "paths": {"--most": Case("--most 1"), "--remove": Case("--remove r")},
    "interactions": {
        "--index": Case("--index stii"),
        "--budget": Case("--budget 2", codes=(0, 2), says="raise --budget"),
        "--most": Case("--most 1", says="weaker pairs are not shown"),
    },
    "reasons": {
        "--max-sets": Case("--max-sets 1", line="reasons examples:debate"),
        "--time-limit": NO_TIME._replace(line="reasons examples:debate"),
        "--most": Case("--most 1", line="reasons examples:loan", says="… (6 more sets)"),
    },
    "change": {
        "--solver": COMMON["--solver"]._replace(line="change examples:undefined examples:undefined open closed"),
        "--max-steps": COMMON["--max-steps"]._replace(line="change slow.json slow.json"),
        "--units": Case("--units arguments"),
        "--out": Case("-o change.svg", says="change.svg"),
        "--budget": Case("--budget 3000", line="change many.json more.json"),
        "--seed": Case("--seed 3", line="change many.json more.json --budget 2000"),
    },
    "axioms": {  # the paper's counterexample, where γ violates counterfactuality
        option: Case(given, line="axioms examples:counterfactuality", says=says)
        for option, given, says in (
            ("--set", "--set gamma=0", ""),
            ("--remove", "--remove eta", ""),
            ("--topic", "--topic alpha --topic eta", ""),
            ("--method", "--method removal", ""),
        )
    },
    "check": {"--set": Case("--set closed=0", file="examples:undefined", codes=(4, 0))},
    "flip": {
        "--fix": Case("--fix x"),
        "--norm": Case("--norm l2"),
        "--move-topics": Case("--move-topics"),
        "--time-limit": NO_TIME,
        "--solver": COMMON["--solver"]._replace(extra="--time-limit 0.000000001"),
    },
    "uncertainty": {
        "--score": Case("--score q=beta:2:5"),
        "--samples": Case("--samples 500"),
        "--seed": Case("--seed 1"),
        "--quick": Case("--quick", says="without draws"),
        "--solver": Case(
            "--solver continuous",
            line="uncertainty examples:undefined --score bridge=0.1:0.9 --samples 500",
            codes=(4, 0),
        ),
        "--max-steps": COMMON["--max-steps"]._replace(line="uncertainty slow.json --score a=0.8:0.9 --samples 500"),
    },
    "reach": {
        "--change": Case("--change both"),
        "--cost": Case("--cost l2"),
        "--fix": Case("--fix x"),
        "--bound": Case("--bound p=0.45:0.9"),
        "--price": Case("--price p=9"),
        "--margin": Case("--margin 0.1"),
        "--tolerance": Case("--tolerance 0.00001", line="reach tree.json q>=p"),
        "--no-proof": Case("--no-proof", line="reach tree.json q>=p"),
        "--solver": COMMON["--solver"]._replace(extra="--time-limit 0.000000001"),
        "--time-limit": NO_TIME._replace(says="stopped early"),
    },
    "robustness": {
        "--norm": Case("--norm l2"),
        "--movers": Case("--movers x"),
        "--change": Case("--change weights"),
        "--time-limit": Case("--time-limit 0.000000001", extra="--time-limit 0"),
    },
    "draw": {
        "--interactions": Case("--interactions"),
        "--figure": Case("--figure graph"),
        "--width": Case("--width 3.3", line="draw graph.json -o out.svg"),
        "--layout": Case("--layout own", codes=(0, 2), says="--layout has no meaning for --figure bars"),
        "--out": Case("-o other.svg", says="other.svg"),
        "--score": Case("--score x=0.1:0.9", line="draw graph.json --figure uncertainty -o graph.svg", codes=(2, 0)),
    },
    "report": {
        "--out": Case("-o other.html", says="other.html"),
        "--no-flip": Case("--no-flip", line="report graph.json -o out.html"),
        "--interactive": Case("--static"),
        "--layout": Case("--layout rings", codes=(0, 2), says="no layout 'rings'"),
        "--time-limit": NO_TIME._replace(line="report graph.json -o out.html"),
    },
    "convert": {
        "--write-as": Case("--write-as apx"),
        "--out": Case("-o other.json", codes=(0, 2), says="writes one file"),
        "--force": Case("--force", line="convert graph.json groups-arguments.csv", codes=(3, 0)),
    },
}
ELSEWHERE = {"explore", "audit", "reproduce", "examples", "batch", "mcp"}  # in files of their own


def long_options(command: str) -> list[str]:
    """The options of a command by their long names."""
    found = [each.opts[0] for each in load_command(command).params if each.opts[0].startswith("--")]
    return [each for each in found if each not in HELD]


CASES = [(command, option) for command in LINES for option in long_options(command)]


def test_every_command_is_tried():
    without = set(COMMANDS) - set(LINES) - ELSEWHERE
    assert not without, f"give LINES a line of the command {', '.join(sorted(without))}, or test it elsewhere"
    assert set(LINES) | ELSEWHERE == set(COMMANDS)


@pytest.fixture
def graphs(qontrast) -> None:
    """The graphs of the cases, in the folder where commands are run; wrong.tgf holds JSON."""
    graphs = {"graph": GRAPH, "slow": SLOW, "tree": TREE, "other": OTHER, "many": MANY, "more": MORE}
    for name, graph in graphs.items():
        write(graph, f"{name}.json")
    Path("groups-relations.csv").write_text("a,b\n1,2\n")  # a table of something else
    Path("groups.csv").write_text("argument,group\ny,themes\nz,themes\n")
    Path("wrong.tgf").write_bytes(Path("tree.json").read_bytes())


def line_of(command: str, case: Case) -> str:
    """The command line of a case without its option, with the arguments that its file has."""
    line = case.line or LINES[command]
    if case.file != "graph.json":
        line = re.sub(r"(graph|tree)\.json", case.file, line)
    names = {"slow.json": ("a", "b"), "examples:undefined": ("open", "closed")}.get(case.file)
    if names is not None:
        line = line.replace(" y p", f" {names[0]} {names[1]}").replace("y=0.9", f"{names[0]}=0.85")
        line = line.replace("q>=p", f"{names[1]}>={names[0]}")
    return f"{line} {case.extra}"


WITHOUT: dict[str, tuple[int, str]] = {}  # the answers without an option: many options have the same


@pytest.mark.parametrize(("command", "option"), CASES)
def test_every_option_changes_what_it_should(qontrast, graphs, command, option):
    case = OWN.get(command, {}).get(option) or COMMON.get(option)
    assert case is not None, f"{command} {option} has no case"
    line = line_of(command, case)
    if line not in WITHOUT:
        WITHOUT[line] = answer(qontrast, line, command)
    (code, before), (code_with, after) = WITHOUT[line], answer(qontrast, f"{line} {case.given}", command)
    assert (code, code_with) == case.codes, before + after
    assert after != before
    if case.says:
        assert case.says in " ".join(after.split())
        assert case.says not in " ".join(before.split())


@pytest.mark.parametrize("command", [command for command in LINES if "--read-as" in long_options(command)])
def test_a_file_read_in_a_stated_format_gives_the_same_answer_as_under_its_own_name(qontrast, graphs, command):
    stated, own = (
        answer(qontrast, line_of(command, Case("", file=file)) + given, command)
        for file, given in (("wrong.tgf", " --read-as json"), ("tree.json", ""))
    )
    assert stated[0] == own[0] == 0
    assert stated[1].replace("wrong.tgf", "tree.json") == own[1]


MEASURED = [command for command in LINES if {"--seed", "--method"} <= {*long_options(command)}]


@pytest.mark.parametrize("command", MEASURED)
def test_settings_of_a_method_are_refused_where_it_has_none_and_limit_it_where_it_has(qontrast, graphs, command):
    for given, said in (
        ("--seed 3", "--seed has no meaning for --method shapley"),
        ("--budget 1", "(limit 1)"),
        ("--method removal --budget 9", "--budget has no meaning for --method removal"),
        (f"{SAMPLED} --seed -1", "--seed is -1"),
        ("--method sampled --budget 0", "--budget is 0"),
    ):
        ran = qontrast(f"{LINES[command]} {given}")
        assert (ran.code, said in " ".join(ran.err.split())) == (2, True), ran.err


@pytest.mark.parametrize("command", MEASURED)
def test_the_same_seed_gives_the_same_answer(qontrast, graphs, command):
    line = f"{LINES[command]} {SAMPLED} --seed 3"
    assert answer(qontrast, line, command) == answer(qontrast, line, command)


@pytest.mark.parametrize("command", ["flip", "report", "reasons"])
def test_a_negative_time_limit_is_refused(qontrast, graphs, command):
    ran = qontrast(f"{LINES[command]} --time-limit -1")
    assert (ran.code, "--time-limit" in ran.err) == (2, True)


@pytest.mark.parametrize("command", [command for command in LINES if "--solver" in long_options(command)])
def test_a_solver_that_is_unknown_is_refused(qontrast, graphs, command):
    ran = qontrast(f"{LINES[command]} --solver nonsense")
    assert (ran.code, "no solver 'nonsense'" in ran.err) == (2, True)


def answer(qontrast, line: str, command: str) -> tuple[int, str]:
    """The exit code of a command, and what it leaves: its text, what it says, and its file."""
    ran = qontrast(line)
    file = Path(FILES.get(command, "nowhere"))
    text = file.read_text(encoding="utf-8") if file.exists() else ""
    file.unlink(missing_ok=True)
    return ran.code, ran.out + ran.err + text


TOPICAL = [command for command in LINES if command not in ("paths", "reach")] + ["explore"]  # these name their topics


@pytest.mark.parametrize("command", TOPICAL)
def test_every_command_about_a_graph_takes_topics(command):
    assert "--topic" in list_options(command)


@pytest.mark.parametrize(
    "line",
    ["why bare.json", "pairs bare.json", "rank bare.json", "flip bare.json", "report bare.json"]
    + [f"draw bare.json --figure {figure} -o a.svg" for figure in ("bars", "waterfall", "pairs", "ranking")],
)
def test_a_question_without_topics_lists_the_candidates_and_takes_them(qontrast, line):
    write(Qbaf({"a": 0.5, "b": 0.4, "end": 0.3}, attacks=[("a", "b"), ("b", "end")], labels={"b": "Bees"}), "bare.json")
    ran = qontrast(line)
    assert ran.code == 2
    assert "bare.json has no topics" in ran.err
    assert "Candidates (those that act on no other come first): 'end', 'a', 'b' (“Bees”)" in ran.err
    assert qontrast(f"{line} --topic end --topic Bees").code == 0


def test_topics_order_the_strengths_and_stand_in_what_is_written(qontrast):
    write(GRAPH, "graph.json")
    assert qontrast("strengths graph.json --topic z").out.splitlines()[1].startswith("Twin [z]")
    assert qontrast("check graph.json --topic z --json").data["topics"] == ["z"]
    qontrast("convert graph.json out.json --topic z --topic x")
    assert json.loads(Path("out.json").read_text())["topics"] == ["z", "x"]


NAMED = [
    "why graph.json {p} {q}",
    "why graph.json --topic {p} --topic {q}",
    "whatif graph.json {p} {q} --set {x}=0.25",
    "why graph.json --remove {x}",
    "interactions graph.json {p} {q}",
    "interactions graph.json {p} --set {x}=0.25",
    "change graph.json graph.json {p} {q}",
    "change graph.json graph.json {p} --topic {q}",
    "reasons graph.json {p} {q} --remove {x}",
    "semantics graph.json {p} {q} --remove {x}",
    "flip graph.json {p} {q} --fix {x}",
    "uncertainty graph.json {p} {q} --score {x}=0.1:0.9",
    "paths graph.json {x} {p}",
    "axioms graph.json {p} {q} --method removal",
]


@pytest.mark.parametrize("line", NAMED)
def test_a_label_that_is_unique_is_accepted_where_a_name_is(qontrast, line):
    write(GRAPH, "graph.json")
    names = qontrast(line.format(p="p", q="q", x="x") + " --json")
    labels = qontrast(line.format(p="'Plan A'", q="'Plan B'", x="'The experts agree'") + " --json")
    assert names.code == 0, names.err
    assert labels == names


def test_a_label_that_several_arguments_have_is_refused_with_their_names(qontrast):
    write(GRAPH, "graph.json")
    ran = qontrast("why graph.json p Twin")
    assert (ran.code, ran.err) == (2, "qontrast: 'Twin' is the label of 'y', 'z'; give the name of one of them\n")


def test_a_name_wins_over_the_label_of_another():
    q = Qbaf({"a": 0.5, "b": 0.5}, labels={"a": "b"})
    assert (q.resolve("b"), q.resolve("a")) == ("b", "a")


def test_whatif_takes_the_pair_before_the_change(qontrast):
    write(GRAPH, "graph.json")
    before = qontrast("why graph.json --topic p --topic q --topic r --json").data
    changed = qontrast(f"whatif graph.json --topic p --topic q --topic r --set {before['fact']}=0 --json").data
    assert [changed["before"]["contrast"][each] for each in ("fact", "foil")] == [before["fact"], before["foil"]]


# -- messages ------------------------------------------------------------------------------------------------

PYTHON = re.compile(r"\b[a-z_]+=(\[|'|\"|True|None)|\bmax_[a-z]+")
WRONG = [
    "why big.json",
    "why one.json a b --players groups",
    "why one.json a b --players direct --method intrinsic",
    "interactions big.json --players edges --budget 1000",
    *(f"{command} examples:zebra --method owen" for command in ("why", "pairs", "rank", "axioms", "report")),
    "whatif examples:zebra --method owen --set stripes=0.2",
    "interactions one.json",
    "pairs one.json",
    "draw one.json --figure pairs -o a.svg",
    "draw examples:zebra --figure waterfall --method gradient -o a.svg",
    "strengths poem.txt",
    "check poem.txt",
    "convert examples:zebra a.xyz",
    "convert examples:zebra -",
    "strengths slow.json --max-steps 2",
    "check slow.json --max-steps 2",
    *(line.replace("graph.json", "examples:undefined") for line in LINES.values()),
    "audit model.npz data.csv --protected age --fact Low --foil Medium",
    "audit model.npz data.csv --protected race --fact Nobody --foil Medium",
    "audit unnamed.npz data.csv --protected race --fact 'class 0' --foil 'class 1'",
    "audit model.pkl data.csv --protected race --fact Low --foil Medium",
    "audit nowhere.npz data.csv --protected race --fact Low --foil Medium",
    "audit model.npz nowhere.csv --protected race --fact Low --foil Medium",
    "audit broken.npz data.csv --protected race --fact Low --foil Medium",
    "audit model.npz broken.csv --protected race --fact Low --foil Medium",
]


@pytest.fixture
def files(qontrast) -> None:
    """Files that are wrong in one way each, in the folder where commands are run."""
    from qontrast.networks import from_arrays, save

    rng = np.random.default_rng(0)
    weights, biases = [rng.normal(size=(3, 4)), rng.normal(size=(4, 2))], [np.zeros(4), np.zeros(2)]
    names = {"inputs": ["age", "race", "priors"], "classes": ["Low", "Medium"]}
    save(from_arrays(weights, biases, **names), "model.npz")
    save(from_arrays([each[:2] if k == 0 else each for k, each in enumerate(weights)], biases), "unnamed.npz")
    rows = "\n".join(f"{a:.3f},{int(b > 0.5)},{c:.3f}" for a, b, c in rng.random((40, 3)))
    Path("data.csv").write_text(f"age,race,priors\n{rows}\n")
    Path("broken.csv").write_text("age,race,priors\n1,2\n")
    Path("broken.npz").write_text("nothing")
    Path("model.pkl").write_bytes(b"")
    Path("poem.txt").write_text("roses are red\n")
    write(SLOW, "slow.json")
    write(Qbaf({"a": 0.5, "b": 0.4}, topics=["a"]), "one.json")
    crowd = {f"x{k}": 0.5 for k in range(60)}
    edges = [(f"x{k}", f"x{(7 * k + j) % 60}") for k in range(60) for j in (1, 2, 3)]
    write(Qbaf(crowd, supports=sorted({e for e in edges if e[0] != e[1]}), topics=["x0", "x1"]), "big.json")


@pytest.mark.parametrize("line", WRONG)
def test_a_message_offers_only_options_of_its_own_command(qontrast, files, line):
    ran = qontrast(line)
    said = ran.err
    command = line.split()[0]
    named = set(re.findall(r"(?<![\w-])--[a-z][\w-]*", said))
    assert named <= list_options(command) | {"--help"}, said
    assert not PYTHON.search(said), said
    if command == "audit":
        file = any(each in line for each in ("nowhere", "broken"))
        assert ran.code == (3 if file else 2), said
    elif command != "draw":
        assert ran.code in (0, 2, 3, 4)


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize(
    "setting",
    [
        "topics",
        "classes",
        "inputs",
        "values",
        "fixed",
        "max_evaluations",
        "max_budget",
        "foil",
        "method",
        "players",
        "groups",
        "solver",
        "max_steps",
        "read_as",
        "write_as",
        "trusted",
        "nothing",
    ],
)
def test_a_hint_is_an_option_of_the_command_or_left_out(command, setting):
    for hint in (Hint(setting, ("a", "b")), Hint(setting), Hint(setting, (True,)), Hint(setting, raised=True)):
        said = describe_hint(hint, command)
        assert said is None or set(re.findall(r"--[a-z-]+", said)) <= list_options(command)


@pytest.mark.parametrize("columns", [40, 80, 200])
@pytest.mark.parametrize("command", [*(each for each in LINES if each not in FILES), "examples", "audit"])
def test_no_line_is_longer_than_the_terminal(qontrast, files, monkeypatch, command, columns):
    from rich.cells import cell_len

    long = "A sentence of many words that goes on and on, with aVeryLongWordWithoutAnyBlankThatFillsALineAndMore, 斑馬"
    write(Qbaf(dict(GRAPH.base_scores), GRAPH.attacks, GRAPH.supports, labels={x: f"{long} {x}" for x in GRAPH},
               topics=["p", "q"]), "graph.json")  # fmt: skip
    lines = LINES | {
        "examples": "examples",
        "audit": "audit model.npz data.csv --protected race --fact Low --foil Medium",
        "axioms": "axioms graph.json --method removal",
    }
    Path("tree.json").write_bytes(Path("graph.json").read_bytes())
    write(OTHER._with(labels={x: f"{long} {x}" for x in OTHER}), "other.json")
    monkeypatch.setenv("COLUMNS", str(columns))
    ran = qontrast(lines[command])
    assert ran.code == 0, ran.err
    assert max(map(cell_len, ran.out.splitlines())) <= columns


WITH_WORKERS = [command for command in LINES if any(each.name == "workers" for each in load_command(command).params)]


def test_every_command_that_measures_or_searches_takes_workers() -> None:
    measuring = {
        command
        for command in LINES
        if {"solver", "method"} <= {each.name for each in load_command(command).params}
        or command in ("interactions", "reasons", "change", "uncertainty", "axioms", "flip", "reach", "robustness")
    }
    assert set(WITH_WORKERS) == measuring


@pytest.mark.usefixtures("graphs")
@pytest.mark.parametrize("command", WITH_WORKERS)
def test_workers_and_a_scheduler_are_given_the_work(qontrast, monkeypatch, command) -> None:
    """The first task ends the command; that the numbers are the same is tested in laws/test_executors."""
    asked: list[object] = []

    class Refusing(ThreadPoolExecutor):
        def submit(self, *given, **named):  # type: ignore[no-untyped-def]
            raise RuntimeError("a task came")

    @contextmanager
    def start(where: object) -> Iterator[Refusing]:
        asked.append(where)
        try:
            with Refusing(1) as pool:
                yield pool
        finally:
            asked.append("closed")

    monkeypatch.setattr("qontrast.cli.options.start_workers", start)
    monkeypatch.setattr("qontrast.engine.problem.MAX_LANES_PER_TASK", 2)
    assert "a task came" in qontrast(f"{LINES[command]} --workers 2").err
    assert asked == [2, "closed"]
    assert "keep one" in qontrast(f"{LINES[command]} --workers 2 --scheduler tcp://10.0.0.1:8786").err
    if command == "why":
        assert "a task came" in qontrast(f"{LINES[command]} --scheduler tcp://10.0.0.1:8786").err
        assert asked[2:] == ["tcp://10.0.0.1:8786", "closed"]
