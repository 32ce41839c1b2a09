"""An audit shows the same numbers in its text, its page, its table, its data and on the command line."""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from qontrast.auditing.audit import Audit, audit, audit_files
from qontrast.networks import INPUT_METHODS, Network, from_arrays, save

NAMES = {"inputs": ["age", "race", "priors", "sex"], "classes": ["Low", "Medium", "High"]}
FIELDS = ("individual_rank", "contrastive_rank", "individual", "contrastive")


def network(seed: int) -> Network:
    rng = np.random.default_rng(seed)
    weights = [rng.normal(0, 3, (4, 5)), rng.normal(0, 3, (5, 3))]
    return from_arrays(weights, [rng.normal(0, 1, 5), rng.normal(0, 0.3, 3)], **NAMES)


def data() -> np.ndarray:
    rng = np.random.default_rng(5)
    x = rng.random((120, 4))
    x[:, 1] = rng.integers(0, 2, 120)
    return x.round(3)


def labels(x: np.ndarray) -> list[str]:
    """The network's own prediction, except in every fifth row."""
    own = network(9).predict(x)
    return [NAMES["classes"][(k + (row % 5 == 0)) % 3] for row, k in enumerate(own)]


@pytest.fixture(scope="module")
def found() -> Audit:
    made = audit(
        network(9),
        data(),
        "Medium",
        "Low",
        protected="race",
        y=labels(data()),
        trainer=lambda x, y, seed: network(seed),
        seeds=[9, 22, 0, 16],
    )
    assert 0 < made.flip_rate < 1
    assert made.changed != pytest.approx(made.flip_rate, abs=0.02)
    return made


def cells(page: str, after: str) -> list[list[str]]:
    """The rows of the first table behind a text, without markup."""
    body = page.split(after, 1)[1].split("<tbody>", 1)[1].split("</tbody>", 1)[0]
    return [
        [re.sub("<[^>]*>", "", cell) for cell in re.findall(r"<td>(.*?)</td>", row)]
        for row in re.findall(r"<tr[^>]*>(.*?)</tr>", body)
    ]


def numbers(text: str) -> list[float]:
    return [float(each) for each in re.findall(r"\d+(?:\.\d+)?", text)]


def test_every_row_of_the_page_has_ranks_and_sizes_with_their_intervals_in_their_columns(found: Audit) -> None:
    page = found.report_html()
    heads = re.findall(r"<th>(.*?)</th>", page)[:5]
    assert heads == ["feature", "rank, individual", "rank, contrastive", "|φ|, individual", "|φ|, contrastive"]
    for method in INPUT_METHODS:
        rows = cells(page, f"<caption>{method}</caption>")
        assert sorted(row[0] for row in rows) == sorted(NAMES["inputs"])
        ranks = [found.table[method][row[0]].contrastive_rank.mean for row in rows]
        assert ranks == sorted(ranks)
        for name, *shown in rows:
            for field, text in zip(FIELDS, shown, strict=True):
                each = getattr(found.table[method][name], field)
                near = 0.0051 if "rank" in field else 5.1e-5
                assert numbers(text) == pytest.approx([each.mean, each.low, each.high], abs=near)
    assert len(re.findall(r'<tr class="protected"><td>race</td>', page)) == len(INPUT_METHODS)
    assert page.count('class="protected"') == len(INPUT_METHODS)


def test_the_summary_says_flips_candidates_the_rate_and_the_share_of_changed_predictions(found: Audit) -> None:
    page, text = found.report_html(), str(found)
    flips, candidates, rate = re.findall(r"<b>(\d+)</b> of (\d+) instances .*? \(flip rate <b>(\S+)</b>\)", page)[0]
    assert (int(flips), int(candidates)) == (found.flips, found.candidates)
    assert float(rate) == pytest.approx(found.flip_rate, abs=0.0051)
    assert re.findall(r"(\d+) % of all 120 predictions change", page) == [f"{100 * found.changed:.0f}"]
    assert re.findall(r"(\d+) % of all predictions change", text) == [f"{100 * found.changed:.0f}"]
    assert "rightly predicted Medium become Low" in page


def test_points_of_the_plot_stand_at_the_individual_rank_across_and_the_contrastive_rank_downwards(
    found: Audit,
) -> None:
    page = found.report_html()
    for method in INPUT_METHODS:
        picture = re.findall(rf"<svg(?:(?!</svg>).)*?<title>{method}: .*?</svg>", page, re.DOTALL)[0]
        points = re.findall(r'<circle cx="(\S+)" cy="(\S+)" r="4" fill="(\S+)"><title>(\w+)</title>', picture)
        ticks = re.findall(r'<text x="(\S+)" y="284" text-anchor="middle">(\d)</text>', picture)
        at = {int(rank): float(x) for x, rank in ticks}
        left, unit = at[1], (at[4] - at[1]) / 3
        measured = found.table[method]
        for x, y, colour, name in points:
            assert (float(x) - left) / unit + 1 == pytest.approx(measured[name].individual_rank.mean, abs=0.01)
            downward = (float(y) - left) / unit + 1
            assert downward == pytest.approx(measured[name].contrastive_rank.mean, abs=0.01)
            assert (colour == "#d97700") == (name == "race")
        assert len(points) == 4


def test_telling_instances_show_their_features_both_strengths_and_both_ranks(found: Audit) -> None:
    rows = cells(found.report_html(), "The most telling instances")
    x, strengths = data(), network(9).strengths(data())
    assert len(rows) == len(found.telling) > 0
    for each, (row, *shown) in zip(found.telling, rows, strict=True):
        assert int(row) == each.row
        assert [float(text) for text in shown[:4]] == pytest.approx(x[each.row].tolist(), rel=6e-3)
        fact, foil = float(shown[4]), float(shown[5])
        assert (fact, foil) == pytest.approx((strengths[each.row, 1], strengths[each.row, 0]), abs=5.1e-4)
        assert [float(text) for text in shown[6].split(" → ")] == [each.individual_rank, each.contrastive_rank]
        phi = network(9).contributions(x[[each.row]], method=INPUT_METHODS[0])[0]
        assert list(each.individual.values()) == pytest.approx(phi[1].tolist())
        assert list(each.contrastive.values()) == pytest.approx((phi[1] - phi[0]).tolist())


def test_seeds_and_the_null_show_their_own_rates_and_ranks(found: Audit) -> None:
    rows = cells(found.report_html(), "Over seeds, and the null")
    assert found.runs is not None
    assert found.null is not None
    shown = {(row[0], row[3]): row for row in rows}
    for title, runs in (("as trained", found.runs), ("null: race shuffled", found.null)):
        rates = [run.flips / run.candidates if run.candidates else 0.0 for run in runs.runs]
        for method in INPUT_METHODS:
            row = shown[title, method]
            assert float(row[1]) == pytest.approx(np.mean(rates), abs=0.0051)
            assert row[2] == f"{sum(not run.flips for run in runs.runs)} of 4"
            ranks = np.array([run.ranks[method] for run in runs.runs if run.flips])
            for k in (0, 1):
                expected = [ranks[:, k].mean(), ranks[:, k].min(), ranks[:, k].max()]
                assert numbers(row[4 + k]) == pytest.approx(expected, abs=0.0051)
    assert [run.seed for run in found.runs.runs] == [run.seed for run in found.null.runs] == [9, 22, 0, 16]


def test_table_and_data_hold_the_very_numbers(found: Audit) -> None:
    frame, plain = found.to_frame(), found.to_dict()
    assert (plain["flip_rate"], plain["changed"]) == (found.flips / found.candidates, found.changed)
    for method in INPUT_METHODS:
        for name in NAMES["inputs"]:
            for field in FIELDS:
                each = getattr(found.table[method][name], field)
                assert plain["methods"][method][name][field] == {"mean": each.mean, "low": each.low, "high": each.high}
                columns = [field, f"{field}_low", f"{field}_high"]
                assert frame.loc[(method, name), columns].tolist() == [each.mean, each.low, each.high]


# -- files and the command ------------------------------------------------------------------------------------------


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A model and its table, with blanks around the labels."""
    monkeypatch.chdir(tmp_path)
    save(network(9), "model.npz")
    x = data()
    rows = [f"{','.join(f'{each:g}' for each in row)}, {label} " for row, label in zip(x, labels(x), strict=True)]
    Path("data.csv").write_text("\n".join(["age,race,priors,sex,truth", *rows]) + "\n", encoding="utf-8")
    return tmp_path


def test_blanks_around_the_labels_of_a_table_do_not_count(files: Path) -> None:
    given = audit_files("model.npz", "data.csv", "Medium", "Low", protected="race", label="truth")
    direct = audit(network(9), data(), "Medium", "Low", protected="race", y=labels(data()))
    assert given.to_dict() == direct.to_dict()


def test_a_scale_maps_the_least_value_to_zero_and_the_largest_to_one(files: Path) -> None:
    text = Path("data.csv").read_text(encoding="utf-8").splitlines()
    years = [f"{20 + 40 * float(row.split(',')[0])!r},{row.split(',', 1)[1]}" for row in text[1:]]
    Path("years.csv").write_text("\n".join([text[0], *years]) + "\n", encoding="utf-8")
    settings: dict[str, Any] = {"label": "truth"}
    scaled = audit_files(
        "model.npz", "years.csv", "Medium", "Low", protected="race", scale={"age": (20, 60)}, **settings
    )
    plain = audit_files("model.npz", "data.csv", "Medium", "Low", protected="race", **settings)
    assert scaled.instances == plain.instances
    assert [each.features["age"] for each in scaled.telling] == pytest.approx(
        [each.features["age"] for each in plain.telling]
    )


COMMAND = "audit model.npz data.csv --protected race --fact Medium --foil Low"
OPTIONS: dict[str, tuple[str, str, Any]] = {  # option → what is given, the setting that it becomes, its value there
    "--method": ("--method removal --method gradient", "methods", ["removal", "gradient"]),
    "--class": ("--class Low --class Medium --class High", "classes", ["Low", "Medium", "High"]),
    "--input": ("--input age --input race --input priors --input sex", "inputs", NAMES["inputs"]),
    "--value": ("--value 0.25 --value 1", "values", [0.25, 1.0]),
    "--readout": ("--readout softmax", "readout", "softmax"),
    "--as-function": ("--as-function", "as_function", True),
    "--label": ("--label truth", "label", "truth"),
    "--trusted": ("--trusted", "trusted", True),
}
OTHERS = {
    "--protected",
    "--fact",
    "--foil",
    "--out",
    "--json",
    "--help",
    "--workers",
    "--scheduler",
    "--device",
    "--language",
}


@pytest.mark.parametrize("option", OPTIONS)
def test_every_option_of_the_command_reaches_the_audit(
    qontrast: Any, monkeypatch: pytest.MonkeyPatch, option: str
) -> None:
    given, setting, value = OPTIONS[option]
    seen: list[dict[str, Any]] = []

    def spy(*names: Any, **settings: Any) -> Any:
        seen.append({"names": names, **settings})
        return SimpleNamespace(to_dict=dict)

    monkeypatch.setattr(import_module(audit_files.__module__), "audit_files", spy)
    assert qontrast(f"{COMMAND} --json").code == 0
    assert qontrast(f"{COMMAND} {given} --json").code == 0
    without, having = seen
    given_value = having.pop(setting)
    assert (list(given_value) if isinstance(value, list) else given_value) == value != without.pop(setting)
    having.pop("progress")
    without.pop("progress")
    assert having == without
    assert having["names"] == ("model.npz", "data.csv", "Medium", "Low")


def test_the_options_of_the_command_are_all_tried() -> None:
    from tests.support.commands import list_options

    assert {each for each in list_options("audit") if each.startswith("--")} - OTHERS == {*OPTIONS}


def test_the_command_prints_the_ranks_and_sizes_of_its_data(
    qontrast: Any, files: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "160")
    for name in ("model.npz", "data.csv"):
        Path(name).write_bytes((files / name).read_bytes())
    text, plain = qontrast(COMMAND).out, qontrast(f"{COMMAND} --json").data
    for method in INPUT_METHODS:
        block = text.split(f"\n{method} ")[1].split("\n\n")[0].splitlines()
        assert re.split(r"\s{2,}", block[0].strip()) == [
            "rank alone",
            "rank in contrast",
            "|φ| alone",
            "|φ| in contrast",
        ]
        for line in block[1:5]:
            name = line.split()[0]
            assert ("*" in line) == (name == "race")
            each = plain["methods"][method][name]
            one, two = each["individual_rank"], each["contrastive_rank"]
            expected = [rank[part] for rank in (one, two) for part in ("mean", "low", "high")]
            shown = numbers(line)
            assert shown[:6] == pytest.approx(expected, abs=0.0051)
            assert shown[6:] == pytest.approx([each["individual"]["mean"], each["contrastive"]["mean"]], abs=5.1e-5)


def test_hidden_characters_in_names_are_visible_on_the_page_and_in_the_text() -> None:
    hostile = {"inputs": ["age\x1b[31m", "ra\u202ece", "priors\n", "sex<b>"], "classes": ["Low\x07", "Medium", "High"]}
    rng = np.random.default_rng(9)
    weights = [rng.normal(0, 3, (4, 5)), rng.normal(0, 3, (5, 3))]
    net = from_arrays(weights, [rng.normal(0, 1, 5), rng.normal(0, 0.3, 3)], **hostile)
    made = audit(net, data(), "Medium", "Low\x07", protected="ra\u202ece")
    for shown in (made.report_html(), str(made)):
        assert not re.search("[\x00-\x09\x0b-\x1f\u202e]", shown)
        assert "age\\x1b[31m" in shown
        assert "ra\\u202ece" in shown
        assert "Low\\x07" in shown
    assert "sex&lt;b&gt;" in made.report_html()


def test_the_frame_of_the_plot_goes_from_the_first_rank_to_the_last_with_the_same_margin_on_all_sides(
    found: Audit,
) -> None:
    page = found.report_html()
    for method in INPUT_METHODS:
        picture = re.findall(rf"<svg(?:(?!</svg>).)*?<title>{method}: .*?</svg>", page, re.DOTALL)[0]
        side = {
            name: float(value) for name, value in re.findall(r'(\w+)="([\d.]+)"', re.findall("<rect.*?>", picture)[0])
        }
        across = [float(x) for x, _ in re.findall(r'<text x="(\S+)" y="284" text-anchor="middle">(\d)</text>', picture)]
        assert across[0] - side["x"] == side["x"] + side["width"] - across[-1] > 0
        assert across[0] - side["y"] == side["y"] + side["height"] - across[-1] > 0
        line = {
            name: float(value) for name, value in re.findall(r'(\w\d)="([\d.]+)"', re.findall("<line.*?>", picture)[0])
        }
        assert (line["x1"], line["y1"], line["x2"], line["y2"]) == (across[0], across[0], across[-1], across[-1])
