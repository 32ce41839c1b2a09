"""The comparison with other libraries: its tables, the growth that it fits, and what it says of failures."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest

from benchmarks.__main__ import TARGETS, main
from benchmarks.compare import page, tables
from benchmarks.compare.cases import CASES, TOOLS
from benchmarks.compare.run import Row, expect
from tests.support.paths import ROOT

ROWS: list[Row] = [
    {"case": "strengths", "tool": "qontrast", "size": 100, "seconds": 0.002, "memory_mib": 1.0, "values": [0.25]},
    {"case": "strengths", "tool": "qontrast", "size": 1000, "seconds": 0.004, "memory_mib": 2.0, "values": [0.5]},
    {"case": "strengths", "tool": "limit", "size": 1000, "seconds": 0.001, "values": [9.0]},
    {"case": "strengths", "tool": "plain loop", "size": 100, "seconds": 0.001, "values": [0.25]},
    {"case": "strengths", "tool": "plain loop", "size": 1000, "seconds": 0.04, "values": [0.75]},
    {"case": "strengths", "tool": "shapiq", "reason": "it has no strengths"},
    {"case": "shapley", "tool": "shap", "size": 28, "reason": "would take about 90 s; the limit is 20 s"},
]


def make_data() -> dict[str, object]:
    rows = [dict(row) for row in ROWS]
    tables.compare_values(rows)
    targets = [{"line": "10 players, |φ|"}, {"line": "  3 times faster (target ≥ 2)", "met": True}]
    about = {"machine": "2 cores", "date": "2026-01-31", "python": "3.11", "version": "0", "finished": True}
    return {**about, "targets": targets, "rows": rows, "growth": tables.find_growth(rows)}


@pytest.mark.parametrize("exponent", [0.5, 1.0, 2.0])
def test_the_exponent_of_a_power_is_found(exponent: float) -> None:
    sizes = [100, 1000, 10_000]
    assert tables.fit_exponent(sizes, [3e-6 * n**exponent for n in sizes]) == pytest.approx(exponent)


def test_the_factor_of_an_exponential_is_found() -> None:
    assert tables.fit_factor([8, 12, 20], [5e-9 * 2.0**n for n in (8, 12, 20)]) == pytest.approx(2)


def test_growth_needs_two_sizes() -> None:
    assert math.isnan(tables.fit_exponent([10], [1.0]))
    assert [(each["case"], each["tool"]) for each in tables.find_growth(ROWS)] == [
        ("strengths", "qontrast"),
        ("strengths", "plain loop"),
    ]


@pytest.mark.parametrize(
    ("done", "size", "exponential", "seconds"),
    [
        ([], 10, False, 0.0),
        ([(10, 1.0)], 30, False, 3.0),
        ([(10, 1.0), (100, 100.0)], 1000, False, 1e4),
        ([(8, 1.0)], 10, True, 4.0),
        ([(8, 1.0), (10, 9.0)], 12, True, 81.0),
    ],
)
def test_the_seconds_of_the_next_size_are_extrapolated(done, size, exponential, seconds) -> None:
    assert expect(done, size, exponential=exponential) == pytest.approx(seconds)


def test_the_table_has_ratios_memory_the_distance_to_the_limit_and_reasons(tmp_path: Path) -> None:
    tables.save(make_data(), tmp_path)
    text = (tmp_path / "bench.md").read_text(encoding="utf-8")
    assert "| strengths, 100 arguments | 2 ms | 1 | – | 0.5 × |" in text
    assert "| strengths, 1,000 arguments | 4 ms | 2 | 4 × | 10 × |" in text
    assert "| strengths, exponent of arguments | 0.30 | – | 1.60 |" in text
    assert "| 10 players, \\|φ\\| |  |" in text
    assert "| 3 times faster (target ≥ 2) | yes |" in text
    assert "- strengths, shapiq: it has no strengths\n" in text
    assert "- shapley, shap (from 28 players on): would take about 90 s; the limit is 20 s\n" in text
    assert "- strengths, plain loop (1,000 arguments): its numbers differ from ours by up to 0.2\n" in text
    assert json.loads((tmp_path / "bench.json").read_text(encoding="utf-8"))["rows"][0]["seconds"] == 0.002


def test_a_failure_leaves_the_files_of_the_last_run(tmp_path: Path) -> None:
    tables.save(make_data(), tmp_path)
    before = (tmp_path / "bench.json").read_bytes()
    with pytest.raises(ValueError, match="nan"):
        tables.save({**make_data(), "growth": [{"case": "pairs", "tool": "qontrast", "exponent": math.nan}]}, tmp_path)
    assert (tmp_path / "bench.json").read_bytes() == before


def test_in_every_case_every_tool_has_a_job_or_a_reason() -> None:
    for name, case in CASES.items():
        if name != "sampled":
            assert set(case.jobs) - {"limit"} | set(case.absent) == set(TOOLS) - {"limit"}
            assert not set(case.jobs) & set(case.absent)


def test_every_module_of_targets_is_measured() -> None:
    modules = (
        path for path in (ROOT / "benchmarks").glob("*.py") if "def figures(" in path.read_text(encoding="utf-8")
    )
    assert {path.stem for path in modules} == {*TARGETS, "gpu"}  # which needs a GPU


def test_an_unknown_peer_is_refused_with_the_names_of_those_there_are(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--peer", "tweety=."])
    assert "'tweety=.': give uncertainpy=PATH or qbaf-py=PATH" in capsys.readouterr().err


def test_the_page_is_written_from_the_numbers_that_are_kept_beside_it() -> None:
    data = json.loads((ROOT / "docs" / "bench.json").read_text(encoding="utf-8"))
    assert data["finished"]
    assert (ROOT / "docs" / "bench.md").read_text(encoding="utf-8") == page.write_page(data)


def test_the_page_says_where_another_tool_is_faster_or_nearer() -> None:
    rows: list[Row] = [
        *ROWS,
        {"case": "sampled", "tool": "qontrast", "size": 250, "seconds": 0.01, "error": 0.001},
        {"case": "sampled", "tool": "shap", "size": 250, "seconds": 0.005, "error": 0.002},
        {"case": "sampled", "tool": "shapiq", "size": 250, "seconds": 0.02, "error": 0.0005},
    ]
    assert list(page.list_losses(rows)) == [
        "- *strengths*: plain loop, at 100 (0.5 ×) arguments",
        "- *sampled*: shap, at 250 (0.5 ×) evaluations; its error is 2 × ours at 250",
        "- *sampled*: the error of shapiq is smaller at 250 evaluations",
    ]
    assert list(page.list_losses([])) == ["Nowhere in this run."]


def test_the_cores_for_a_billion_graphs_follow_from_what_one_core_does() -> None:
    rows: list[Row] = [{"case": "batch", "tool": "qontrast", "size": 10_000, "seconds": 20.0}]
    text = "".join(page.count_a_billion(rows))
    assert "500 graphs a second and core" in text  # 10,000 / 20 s
    assert "11,574 / 500 → 24 cores, or 48 with half lost" in text  # 10⁹ / 86,400 s = 11,574 a second


@pytest.mark.heavy
def test_a_quick_run_writes_the_numbers_of_every_tool_that_is_there_and_reasons_for_the_others(tmp_path: Path) -> None:
    only = [word for case in ("strengths", "shapley", "audit") for word in ("--only", case)]
    assert main(["--quick", *only, "--output", str(tmp_path)]) == 0
    data = json.loads((tmp_path / "bench.json").read_text(encoding="utf-8"))
    assert data["finished"]
    for case in ("strengths", "shapley", "audit"):
        rows = {row["tool"]: row for row in data["rows"] if row["case"] == case}
        assert set(rows) == set(TOOLS)
        assert rows["qontrast"]["seconds"] > 0
        assert rows["plain loop"].get("difference", 0.0) < 1e-9
        assert rows["qbaf-py"]["reason"]
