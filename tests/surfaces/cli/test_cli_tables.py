"""Every table that a command prints has the numbers of the library's own answer, in their rows and columns."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

import qontrast as qx
from qontrast.cli.main import COMMANDS
from tests.support.figure_rows import is_written, read_number
from tests.support.results_to_show import GRAPH, LAST, LATER, MANY, TIED, UNDEFINED

Row = dict[str, str]
NAMED = re.compile(r".*\[(\w+)\]$")


def find_name(text: str) -> str:
    """Read the name of an argument from `Label [name]`."""
    named = NAMED.match(text)
    return named[1] if named else text


def read_tables(tables: list[Any]) -> list[list[Row]]:
    """Read tables of rich as lists of rows: head → text."""
    found = []
    for table in tables:
        heads = [str(column.header) for column in table.columns]
        heads = heads if len(set(heads)) == len(heads) else [str(k) for k in range(len(heads))]  # none has a head
        cells = [[str(cell) for cell in column.cells] for column in table.columns]
        found.append([dict(zip(heads, row, strict=True)) for row in zip(*cells, strict=True)])
    return found


@pytest.fixture
def ask(qontrast: Any, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], list[list[Row]]]:
    """Run a command and read the tables that it prints."""
    from rich.table import Table

    graphs = {"graph": GRAPH, "later": LATER, "last": LAST, "tied": TIED, "undefined": UNDEFINED}
    for name, graph in {**graphs, "many": MANY[0], "more": MANY[1]}.items():
        qx.write(graph, f"{name}.json")
    printed: dict[int, Any] = {}
    real = Table.__rich_console__

    def record(self: Any, *given: Any) -> Any:
        printed[id(self)] = self
        return real(self, *given)

    monkeypatch.setattr(Table, "__rich_console__", record)

    def run(line: str) -> list[list[Row]]:
        printed.clear()
        ran = qontrast(line)
        assert ran.code == 0, ran.err
        return read_tables(list(printed.values()))

    return run


def assert_moved(row: Row, old: float, new: float, *heads: str) -> None:
    """The new number is rounded away from the old one, by less than its last digit."""
    assert is_written(row[heads[0]], old, signed=False), row
    assert read_number(row[heads[1]]) == pytest.approx(new, abs=1.001e-3), row
    assert abs(read_number(row[heads[1]]) - old) >= abs(new - old) - 1e-9, row


def check_strengths(ask: Any) -> None:
    ((*rows,),) = ask("strengths graph.json --semantics ebt")
    found = qx.strengths(GRAPH, semantics="ebt")
    assert [find_name(row["argument"]) for row in rows] == ["p", "q", "r", "a", "b", "c", "d", "e"]
    for row in rows:
        name = find_name(row["argument"])
        assert is_written(row["base score"], GRAPH.base_scores[name], signed=False)
        assert is_written(row["strength"], found[name], signed=False)


def check_pairs(ask: Any) -> None:
    for file, graph in {"graph": GRAPH, "tied": TIED}.items():
        ((*rows,),) = ask(f"pairs {file}.json --method removal")
        own = qx.strengths(graph)
        for row in rows:
            (_, first), *cells = row.items()
            for head, text in cells:
                one, other = find_name(first), find_name(head)
                assert text == "·" if one == other else is_written(text, own[one] - own[other]), row


def check_rank(ask: Any) -> None:
    for file, graph in {"graph": GRAPH, "tied": TIED}.items():
        ((*rows,),) = ask(f"rank {file}.json --method removal")
        found = qx.rank(graph, method="removal")
        for row, topic, place in zip(rows, found.order, found.places, strict=True):
            assert (row[""], find_name(row["topic"])) == (f"{place}.", topic)
            assert is_written(row["strength"], found.strengths[topic], signed=False)
        for row, step in zip(rows, found.steps, strict=False):
            assert row["why before the next"] == str(step)


def check_interactions(ask: Any) -> None:
    for options, settings in {"p q": {"foil": "q"}, "p --index stii": {"index": "stii"}}.items():
        ((*rows,),) = ask(f"interactions graph.json {options}")
        found = qx.interactions(GRAPH, "p", **settings)  # type: ignore[arg-type]
        names = {GRAPH.label(x): x for x in GRAPH}
        seen: dict[Any, float] = {}
        told: set[str] = set()
        for row in rows:
            one, other = names[row["Player"]], names.get(row["and"])
            value = found.cross_topic[one] if other is None else found[one, other]
            seen[one, other] = value
            assert is_written(row["Interaction"], value), row
            if "work together for" in row[""]:
                favoured = "p" if value > 0 or found.foil is None else "q"
                assert row[""].endswith(f"“{GRAPH.label(favoured)}”"), row
                told.add(favoured)
        assert told or found.foil is None
        pairs = {pair: value for pair, value in found.items() if abs(value) > 1e-10}
        crossed = {(x, None): value for x, value in found.cross_topic.items() if abs(value) > 1e-10}
        assert {frozenset(map(str, x)) for x in seen} == {frozenset(map(str, x)) for x in pairs | crossed}


def check_reasons(ask: Any) -> None:
    for pair in ("q r", "t u"):
        file, graph = ("undefined", UNDEFINED) if pair == "t u" else ("graph", GRAPH)
        semantics = "df-quad" if graph is GRAPH else "ebt"
        ((*rows,),) = ask(f"reasons {file}.json {pair} --semantics {semantics}")
        found = qx.reasons(graph, *pair.split(), semantics=semantics)
        expected = []
        for kind in ("prime", "breaking", "sufficient", "unproved"):
            for k, some in enumerate(getattr(found, kind)):
                names = ", ".join(_quote(graph, x) for x in graph if x in some) or "∅"
                expected.append((names, found.breaking_gaps[k] if kind == "breaking" else None))
        assert [row["players"] for row in rows] == [names for names, _ in expected]
        for row, (_, gap) in zip(rows, expected, strict=True):
            written = row["gap without them"]
            assert written == "" if gap is None else is_written(written, gap), row


def _quote(graph: qx.Qbaf, name: Any) -> str:
    return f"“{graph.labels[name]}”" if name in graph.labels else name


def check_semantics(ask: Any) -> None:
    for file, graph, pair in (("graph", GRAPH, ("q", "p")), ("undefined", UNDEFINED, ("u", "t"))):
        ((*rows,),) = ask(f"semantics {file}.json {' '.join(pair)} --method removal --max-steps 300")
        found = qx.compare_semantics(graph, *pair, method="removal", max_steps=300)
        assert [row["semantics"] for row in rows] == list(dict.fromkeys([*found.gaps, *found.refused]))
        for row in rows:
            name = row["semantics"]
            assert is_written(row["gap"], found.gaps[name]) if name in found.gaps else row["gap"] == "", row
            assert name not in found.refused or row["strongest reasons"] == found.refused[name]
            for label, number in re.findall(r"(\w[\w ]*)”? \(([+−][\d.]+)\)", row["strongest reasons"]):
                known = {graph.label(x): value for x, value in found.contrasts[name].items()}
                assert is_written(number, known[label.removeprefix("against it ")]), row


def check_whatif(ask: Any) -> None:
    strengths, reasons = ask("whatif graph.json p q --set a=0.1 --set e=0.8 --remove b --semantics df-quad")
    found = qx.whatif(GRAPH, "p", "q", base_scores={"a": 0.1, "e": 0.8}, remove=["b"], semantics="df-quad")
    assert found.why_before is not None
    assert found.why_after is not None
    before, after = found.before, found.after
    for row in strengths:
        name = find_name(row["argument"])
        assert is_written(row["before"], before[name], signed=False), row
        if name not in after:
            assert (row["after"], row["change"]) == ("removed", "")
            continue
        assert is_written(row["after"], after[name], signed=False), row
        assert read_number(row["change"]) == pytest.approx(after[name] - before[name], abs=1.5e-4), row
    moved = {x for x in before if x not in after or abs(after[x] - before[x]) > 1e-10}
    assert {find_name(row["argument"]) for row in strengths} == moved
    title = next(iter(reasons[0]))
    assert title.index("Plan A") < title.index(" rather than ") < title.index("Plan B")
    assert [find_name(row[title]) for row in reasons] == [x for x, _ in found.why_before.ranked()]
    for row in reasons:
        name = find_name(row[title])
        assert is_written(row["before"], found.why_before[name]), row
        assert row["after"] == "removed" if name == "b" else is_written(row["after"], found.why_after[name]), row


def assert_versions(found: qx.Change, unit: Any, said: str) -> None:
    """A changed base score or weight is told as it was before → as it is after."""
    versions = found.before, found.after
    values = [{**each.base_scores, **each.attacks, **each.supports}.get(unit[1:] if len(unit) > 2 else unit[1])
              for each in versions]  # fmt: skip
    if None in values or unit[0] not in ("base", "edge"):
        return
    old, new = re.findall(r"\(([\d.]+) → ([\d.]+)\)", said)[0]
    assert_moved({"old": old, "new": new}, values[0], values[1], "old", "new")


def check_change(ask: Any) -> None:
    for files, graphs, pair in (("graph later", (GRAPH, LATER), ("p", "q")), ("many more", MANY, ("p", "q"))):
        ((*rows,),) = ask(
            f"change {' '.join(f'{x}.json' for x in files.split())} {' '.join(pair)} --budget 1500 --seed 5"
        )
        found = qx.change(*graphs, *pair, budget=1500, seed=5)
        for row, (unit, share) in zip(rows, found.ranked(), strict=True):
            ends = unit[1:]
            assert all(found.version_of(x).label(x) in row["change"] for x in ends), row
            assert_versions(found, unit, row["change"])
            written, _, error = row["share"].partition(" ± ")
            assert read_number(written) == pytest.approx(share, abs=5.1e-5), row
            assert bool(error) == (found.std_error is not None)
            assert found.std_error is None or is_written(error, found.std_error[unit], signed=False), row
            assert is_written(row["alone"], found.alone[unit]), row
            assert is_written(row["undone"], found.undone[unit]), row


def check_history(ask: Any) -> None:
    ((*rows,),) = ask("change graph.json later.json last.json p q")
    found = qx.history([GRAPH, LATER, LAST], "p", "q")
    assert [row["version"] for row in rows] == ["graph.json", "later.json", "last.json"]
    for k, row in enumerate(rows):
        assert is_written(row["gap"], found.gaps[k], signed=False), row
        if k == 0:
            assert (row["change"], row["largest share"]) == ("", "")
            continue
        assert is_written(row["change"], found.gaps[k] - found.gaps[k - 1]), row
        unit, share = found.steps[k - 1].ranked()[0]
        assert LATER.label(unit[1]) in row["largest share"]
        assert is_written(row["largest share"].split(" ")[-1], share), row


def check_uncertainty(ask: Any) -> None:
    ((*rows,),) = ask("uncertainty graph.json p q --samples 600 --seed 2")
    found = qx.uncertainty(GRAPH, "p", "q", samples=600, seed=2)
    written = {"a": "0.2 to 0.95", "b": "0.4 ± 0.2", "c": "Beta(3, 1.5)", "p": "0.3, 0.55 or 0.8"}
    names = {GRAPH.label(x): x for x in GRAPH}
    assert [names[row["Argument"]] for row in rows] == [x for x, _ in found.ranked()]
    columns = {"Share of the doubt": "first_order", "Total share": "total", "Less risk if known": "expected_drop"}
    for row in rows:
        name = names[row["Argument"]]
        assert re.findall(r"[\d.]+", row["Base score"]) == re.findall(r"[\d.]+", written[name]), row
        for head, column in columns.items():
            assert read_number(row[head]) == pytest.approx(getattr(found, column)[name], abs=5.1e-4), row


def check_robustness(ask: Any) -> None:
    tables = ask("robustness graph.json q r --movers a --movers c --movers c->q --norm l2")
    found = qx.robustness(GRAPH, "q", "r", movers=["a", "c", ("c", "q")], norm="l2")
    assert found.example is not None
    now: dict[Any, float] = {**GRAPH.base_scores, **GRAPH.attacks, **GRAPH.supports}
    rows = {name: row for table in tables for row in table for name in [next(iter(row.values()))]}
    assert len(rows) == len(found.example) > 1
    for each, new in found.example.items():
        ends = each if isinstance(each, tuple) else (each,)
        row = rows[" → ".join(f"{GRAPH.label(x)} [{x}]" if x in GRAPH.labels else x for x in ends)]
        assert_moved(row, now[each], new, *list(row)[1:])


def check_check(ask: Any) -> None:
    for file, graph in {"graph": GRAPH, "undefined": UNDEFINED}.items():
        ((*rows,),) = ask(f"check {file}.json --semantics qe")
        cells, found = {row["0"]: row["1"] for row in rows}, qx.check(graph)
        numbers = {"arguments": 8, "attacks": 4, "supports": 5, "labels": 5, "weights": 9}
        if graph is UNDEFINED:
            numbers = {"arguments": 5, "attacks": 3, "supports": 3, "labels": 0, "weights": 2}
        assert {head: int(cells[head].split()[0]) for head in numbers} == numbers
        for head, names in {"topics": found.topics, "uncertain": found.uncertain}.items():
            assert [find_name(each) for each in cells.get(head, "").split(", ") if each] == list(names), head
        assert cells["cycles"].startswith("2 arguments" if graph is UNDEFINED else "none"), cells
        assert ("order" in cells) == (graph is GRAPH)


CHECKS: dict[str, Callable[[Any], None]] = {
    "strengths": check_strengths,
    "pairs": check_pairs,
    "rank": check_rank,
    "interactions": check_interactions,
    "reasons": check_reasons,
    "semantics": check_semantics,
    "whatif": check_whatif,
    "change": check_change,
    "uncertainty": check_uncertainty,
    "robustness": check_robustness,
    "check": check_check,
}
ELSEWHERE = {
    "why": "bars: test_show_numbers",
    "paths": "sentences: test_cli_numbers",
    "flip": "sentences: test_cli_numbers",
    "reach": "sentences: test_cli_sentences",
    "axioms": "words: test_cli_numbers",
    "audit": "test_audit_page",
    "draw": "a picture",
    "report": "a page: test_show_report_numbers",
    "convert": "a file",
    "examples": "names",
    "explore": "a server",
    "mcp": "a server",
    "batch": "a file: test_cli_batch",
    "reproduce": "pages: test_study_pages",
}


def test_every_command_has_a_reader_of_its_table_or_a_reason_why_not() -> None:
    assert CHECKS.keys() | ELSEWHERE.keys() == set(COMMANDS)
    assert not CHECKS.keys() & ELSEWHERE.keys()


@pytest.mark.parametrize("command", CHECKS)
def test_every_cell_of_a_printed_table_is_that_of_the_answer(command: str, ask: Any) -> None:
    CHECKS[command](ask)


def test_the_table_of_a_history_has_a_row_for_each_version_with_the_step_that_led_to_it(ask: Any) -> None:
    check_history(ask)


LINES = {
    "strengths": "strengths graph.json",
    "pairs": "pairs graph.json",
    "rank": "rank graph.json",
    "interactions": "interactions graph.json p q",
    "reasons": "reasons graph.json q r --semantics df-quad",
    "semantics": "semantics graph.json q p",
    "whatif": "whatif graph.json p q --set a=0.1",
    "change": "change graph.json later.json p q",
    "uncertainty": "uncertainty graph.json p q --samples 500",
    "robustness": "robustness graph.json p q --movers p --movers a",
    "check": "check graph.json",
}


@pytest.mark.parametrize("command", CHECKS)
def test_a_table_in_german_has_the_numbers_of_the_english_one_with_commas(command: str, ask: Any) -> None:
    english, german = (ask(f"{LINES[command]} --language {code}") for code in ("en", "de"))
    cells = [[text for table in tables for row in table for text in row.values()] for tables in (english, german)]
    numbers = [(one, other) for one, other in zip(*cells, strict=True) if re.fullmatch(r"[+−]?\d+(\.\d+)?", one)]
    assert numbers
    assert all(other == one.replace(".", ",") for one, other in numbers), numbers
