"""What the commands answer: the paper's numbers, in text and as JSON."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from qontrast import contrast, examples, read
from qontrast.cli.main import COMMANDS
from qontrast.graph.labels import quote_label
from qontrast.results.schemas import COMMAND_LINE

CHANGED = "--set pcr=0.25 --remove wbc"
WITH_A_GRAPH = {
    "strengths": "",
    "why": "",
    "pairs": "",
    "rank": "",
    "paths": "pcr antiviral",
    "interactions": "",
    "reasons": "",
    "semantics": "",
    "whatif": "",
    "flip": "",
    "uncertainty": "--score wheezing=0.2:0.8",
    "reach": "antibiotic>=antiviral --no-proof",
    "robustness": "",
    "axioms": "antiviral antibiotic --method removal",
    "check": "",
}


def test_why_gives_the_papers_numbers_in_full(qontrast):
    ran = qontrast("why examples:healthcare antiviral antibiotic --json")
    assert ran.code == 0
    assert ran.data["schema"] == "qontrast/contrast/1"
    assert ran.data == contrast(examples.load("healthcare"), "antiviral", "antibiotic").to_dict()
    assert ran.data["contributions"]["viral"] == pytest.approx(0.327842, abs=5e-7)
    assert ran.data["cross_topic"]["component"] == pytest.approx(0.0074, abs=5e-5)
    assert ran.data["gap"] == pytest.approx(0.1196, abs=5e-5)
    assert "std_error" not in ran.data


def test_why_without_topics_asks_for_the_strongest_against_the_second(qontrast):
    assert qontrast("why examples:healthcare --json").data["fact"] == "antiviral"
    assert qontrast("why examples:healthcare --json").data["foil"] == "antibiotic"
    raised = qontrast("why examples:healthcare --set bronchodilator=1 --json").data
    assert raised["fact"] == "bronchodilator"
    assert qontrast("why examples:healthcare antibiotic --json").data["foil"] == "antiviral"


def test_why_prints_the_question_words_bars_gap_and_promise(qontrast):
    out = qontrast("why examples:healthcare").out
    assert out.startswith("Why “Antiviral therapy” rather than “Antibiotic therapy”?\n")
    for part in ("a \ngap of 0.1196", "█", "+0.328", "Gap +0.11964 = base scores 0", "What the method", "promises:"):
        assert part in out
    assert max(map(len, out.splitlines())) <= 80


def test_a_sampled_answer_depends_on_its_seed_alone(qontrast):
    one, again, other = (
        qontrast(f"why examples:debate --method sampled --seed {seed} --budget 300 --json").data for seed in (1, 1, 2)
    )
    assert one == again
    assert one["contributions"] != other["contributions"]
    assert one["std_error"].keys() == one["contributions"].keys()


def test_a_gradient_on_a_kink_is_null_with_both_sides(qontrast):
    graph = '{"arguments": {"a": 0.5, "b": 0.5, "t": 0.7, "u": 0.2}, "attacks": [["a","t"]], "supports": [["b","t"]]}'
    data = qontrast("why - t u --method gradient --semantics df-quad --json", graph).data
    assert data["contributions"]["a"] is None
    assert "t" in data["kinks"]
    assert data["sides"]["a"]["below"] != data["sides"]["a"]["above"]


@pytest.mark.parametrize("command", WITH_A_GRAPH)
def test_set_and_remove_work_on_every_command(qontrast, command):
    ran = qontrast(f"{command} examples:healthcare {WITH_A_GRAPH[command]} {CHANGED} --json")
    assert ran.code == 0, ran.err
    assert ran.data["schema"].startswith("qontrast/")
    assert "Traceback" not in ran.err
    assert "wbc" not in ran.out or command == "whatif"
    if command not in ("axioms", "flip"):  # which take their time
        assert qontrast(f"{command} examples:healthcare {WITH_A_GRAPH[command]} {CHANGED}").out


def test_every_command_has_a_test_of_its_own():
    elsewhere = {"change", "draw", "report", "convert", "examples", "reproduce", "explore", "audit", "batch", "mcp"}
    assert set(COMMANDS) <= set(WITH_A_GRAPH) | elsewhere


def test_strengths_answers_with_the_numbers_of_the_paper(qontrast):
    data = qontrast("strengths examples:healthcare --json").data
    assert data["schema"] == "qontrast/strengths/1"
    assert (data["semantics"], data["solver"]) == ("qe", "discrete")
    assert data["strengths"]["antiviral"] == pytest.approx(0.35643314, abs=5e-9)
    assert "0.3564" in qontrast("strengths examples:healthcare").out


def test_pairs_and_rank_answer_with_the_order_of_the_topics(qontrast):
    pairs = qontrast("pairs examples:zebra --json").data
    assert [(each["fact"], each["foil"]) for each in pairs["pairs"]] == [
        ("zebra", "horse"),
        ("zebra", "tiger"),
        ("horse", "tiger"),
    ]
    ranking = qontrast("rank examples:zebra --json").data
    assert [(each["topic"], each["place"]) for each in ranking["order"]] == [("zebra", 1), ("horse", 2), ("tiger", 2)]
    assert "tied" in qontrast("pairs examples:zebra").out
    assert qontrast("pairs examples:zebra --topic zebra --topic horse --json").data["topics"] == ["zebra", "horse"]


def test_paths_in_words_and_as_data(qontrast):
    ran = qontrast("paths examples:zebra stripes horse")
    assert ran.out == (
        "lowers “It is a horse” by 0.500 per unit of base score: “It has stripes” \n—attacks→ “It is a horse”\n"
    )
    data = qontrast("paths examples:healthcare pcr antiviral --most 3 --json").data
    assert len(data["paths"]) == 3
    assert data["left_out"] == 12


def test_whatif_compares_before_and_after(qontrast):
    data = qontrast("whatif examples:zebra zebra horse --set stripes=0 --json").data
    assert data["before"]["contrast"]["gap"] == 0.375
    assert data["after"]["contrast"]["gap"] == 0.0
    assert data["after"]["strengths"]["strengths"]["horse"] == 0.75
    assert "now they are level" in " ".join(qontrast("whatif examples:zebra zebra horse --set stripes=0").out.split())


def test_reach_says_what_would_have_to_change_and_takes_edges_and_orders(qontrast):
    ran = qontrast("reach examples:loan refer>=0.6 --fix refer --fix income->affordable --price debt=2 --json")
    assert ran.code == 0
    assert ran.data["proved"]
    assert ran.data["fixed"] == {"arguments": ["refer"], "edges": [{"source": "income", "target": "affordable"}]}
    order = qontrast("reach examples:loan decline refer approve --change both --no-proof --json").data
    assert order["goal"] == ["decline >= refer", "refer >= approve"]
    assert order["possible"]
    assert "What would it take for" in qontrast("reach examples:loan refer>=0.6").out


def test_an_interrupted_reach_prints_the_best_so_far(qontrast, monkeypatch):
    def interrupt(search):
        search.trials.solve(search.high[None])
        raise KeyboardInterrupt

    monkeypatch.setattr("qontrast.explain.reach_search.PointSearch._refine", lambda search, best: interrupt(search))
    ran = qontrast("reach examples:loan refer>=0.6")
    assert ran.code == 0
    assert "is reached if" in ran.out
    assert "was stopped early; better answers may exist." in " ".join(ran.out.split())


def test_flip_says_what_would_have_to_change(qontrast):
    ran = qontrast("flip examples:zebra zebra horse --fix stripes --fix herbivore --fix tiger --json")
    assert ran.data["removal"]["arguments"] is None
    assert ran.data["base_scores"]["change"] is None
    moved = qontrast("flip examples:zebra zebra horse --fix stripes --move-topics --time-limit 0 --json").data
    assert set(moved["base_scores"]["change"]) <= {"zebra", "horse"}
    assert (moved["move_topics"], moved["time_limit"]) == (True, None)
    assert "What would make" in qontrast("flip examples:zebra zebra horse").out


@pytest.mark.parametrize(
    ("line", "topics"),
    [
        ("", ["zebra", "horse", "tiger"]),
        ("--topic zebra", ["zebra", "horse", "tiger", "stripes", "herbivore"]),
        ("zebra horse", ["zebra", "horse"]),
    ],
)
def test_axioms_names_the_topics_whose_pairs_were_tried(qontrast, line, topics):
    said = qontrast(f"axioms examples:zebra {line} --method removal").err
    labels = [quote_label(examples.load("zebra"), topic) for topic in topics]
    assert f"for every two of {', '.join(labels[:-1])} and {labels[-1]}\n" in said


def test_axioms_of_the_papers_counterexample(qontrast):
    data = qontrast("axioms examples:counterfactuality --method shapley --json").data
    outcomes = {each["name"]: each["outcome"] for each in data["axioms"]}
    assert outcomes["counterfactuality"] == "violated"
    assert outcomes["efficiency"] == "holds"


def test_check_tells_what_a_file_holds(qontrast):
    data = qontrast("check examples:healthcare --json").data
    assert (data["arguments"], data["cyclic"], data["defined"]) == (11, 3, True)
    assert data["topics"] == ["antiviral", "antibiotic", "bronchodilator"]
    assert qontrast("check examples:undefined --json").code == 4
    assert qontrast("check examples:undefined --solver continuous").code == 0


def test_a_file_comes_from_standard_input_in_any_format(qontrast):
    assert qontrast("strengths - --json", "arg(a, 0.5).\narg(b, 0.9).\natt(b, a).").data["strengths"]["b"] == 0.9
    assert qontrast("strengths - --read-as tgf --json", "a\nb\n#\nb a att\n").code == 0


def test_convert_names_both_csv_files_and_overwrites_one_that_nobody_named_only_by_force(qontrast):
    Path("relations.csv").write_text("name,mother\na,b\n")
    ran = qontrast("convert examples:loan arguments.csv")
    assert (ran.code, Path("relations.csv").read_text()) == (3, "name,mother\na,b\n")
    assert "relations.csv: exists, and would be overwritten together with arguments.csv; add --force to" in ran.err
    assert not Path("arguments.csv").exists()
    ran = qontrast("convert examples:loan arguments.csv --force")
    assert "arguments.csv and relations.csv: 14 arguments" in ran.err
    assert qontrast("convert examples:loan relations.csv --json").data["partner"] == "arguments.csv"


def test_convert_and_examples_write_what_they_are_asked_for(qontrast):
    assert qontrast("convert examples:loan loan.json").code == 0
    assert read("loan.json") == examples.load("loan")
    out = qontrast("convert loan.json - --write-as bag")
    assert "arg(income, 0.8)." in out.out
    assert "note: bag cannot hold weights" in out.err
    Path("zebra.json").write_text(qontrast("examples zebra").out, encoding="utf-8")
    assert read("zebra.json") == examples.load("zebra")
    assert "examples:healthcare" in qontrast("examples").out
    assert set(qontrast("examples --json").data["examples"]) == set(examples.EXAMPLES)


def test_ones_own_semantics_from_a_file(qontrast):
    Path("mine.py").write_text(
        "import numpy as np\nfrom qontrast import Semantics\n"
        "half = Semantics('half', lambda att, sup: sup.sum(0) - att.sum(0), lambda b, e: np.clip(b + e / 2, 0, 1))\n",
        encoding="utf-8",
    )
    data = qontrast("strengths examples:zebra --semantics mine.py:half --json").data
    assert (data["semantics"], data["strengths"]["zebra"]) == ("half", 1.0)
    assert "NoSuch" in qontrast("strengths examples:zebra --semantics mine.py:NoSuch").err


@pytest.mark.parametrize("figure", ["graph", "bars", "waterfall", "pairs", "ranking"])
def test_every_figure_is_drawn(qontrast, figure):
    pytest.importorskip("matplotlib")
    ran = qontrast(f"draw examples:zebra --figure {figure} -o {figure}.svg --json")
    assert ran.code == 0, ran.err
    assert "<svg" in Path(f"{figure}.svg").read_text(encoding="utf-8")
    assert ran.data["bytes"] == Path(f"{figure}.svg").stat().st_size


def test_a_graph_with_undefined_strengths_is_drawn_without_them(qontrast):
    ran = qontrast("draw examples:undefined -o -")
    assert ran.code == 0
    assert ran.out.startswith("<svg")
    assert "drawn without strengths" in ran.err


def test_pictures_as_pdf_and_png(qontrast):
    pytest.importorskip("matplotlib")
    assert qontrast("draw examples:zebra -o a.pdf").code == 0
    assert Path("a.pdf").read_bytes().startswith(b"%PDF")
    assert qontrast("draw examples:zebra -o a.png").code == 0
    assert Path("a.png").read_bytes().startswith(b"\x89PNG")


def test_a_report_is_one_page(qontrast):
    assert qontrast("report examples:zebra zebra horse -o why.html").code == 0
    page = Path("why.html").read_text(encoding="utf-8")
    assert page.startswith("<!DOCTYPE html>")
    assert "It is a zebra" in page


def test_reproduce_writes_a_page_for_each_study(qontrast):
    ran = qontrast("reproduce counterexamples -o pages --json")
    assert [Path(each).name for each in ran.data["files"]] == ["counterexamples.md", "counterexamples.json"]


def test_audit_tells_how_prominent_a_feature_is(qontrast):
    from qontrast.networks import from_arrays, save

    rng = np.random.default_rng(0)
    weights = [rng.normal(size=(3, 4)), rng.normal(size=(4, 2))]
    made = from_arrays(weights, [np.zeros(4), np.zeros(2)], inputs=["age", "race", "priors"], classes=["Low", "Medium"])
    save(made, "model.npz")
    rows = "\n".join(f"{a:.3f},{int(b > 0.5)},{c:.3f}" for a, b, c in rng.random((40, 3)))
    Path("data.csv").write_text(f"age,race,priors\n{rows}\n", encoding="utf-8")
    ran = qontrast("audit model.npz data.csv --protected race --fact Medium --foil Low --json -o audit.html")
    assert ran.code == 0, ran.err
    assert ran.data["schema"] == "qontrast/audit/1"
    assert "<html" in Path("audit.html").read_text(encoding="utf-8")
    wrong = qontrast("audit model.npz data.csv --protected race --fact Mediun --foil Low")
    assert (wrong.code, "did you mean 'Medium'" in wrong.err) == (2, True)


def test_a_report_is_never_written_under_another_name(qontrast, tmp_path):
    ran = qontrast(f"report examples:zebra -o {tmp_path / 'why.pdf'}")
    assert ran.code == 2
    assert "ends in .pdf; end it in .html" in ran.err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("kind", ["svg", "pdf", "png"])
def test_a_graph_is_drawn_with_its_strengths_its_fact_and_its_foil_in_every_format(qontrast, monkeypatch, kind):
    pytest.importorskip("matplotlib")
    import qontrast as qx
    from qontrast.show.figures import FIGURES

    seen, figure = [], FIGURES["graph"]

    def spy(draw):
        def drawn(*given, **named):
            seen.append((given, named))
            return draw(*given, **named)

        return drawn

    monkeypatch.setitem(FIGURES, "graph", replace(figure, plot=spy(figure.plot), svg=spy(figure.svg)))
    assert qontrast(f"draw examples:zebra zebra horse --set stripes=0.3 -o a.{kind}").code == 0
    ((graph, found), named), *_ = seen
    changed = qx.examples.load("zebra").with_base_scores({"stripes": 0.3})
    assert graph == changed
    assert dict(found) == dict(qx.strengths(changed))
    assert named == {"fact": "zebra", "foil": "horse"}


def test_objects_of_the_command_line_have_their_documented_fields(qontrast):
    lines = (
        "axioms examples:zebra zebra horse --method removal",
        "examples",
        "reproduce zebra --out studies",
        "convert examples:zebra zebra.tgf",
        "draw examples:zebra -o zebra.svg",
        "convert examples:zebra zebra-arguments.csv",
        "convert examples:zebra zebra.jsonl",
        "batch examples:zebra -o zebra.csv",
    )
    found = [qontrast(f"{line} --json").data for line in lines]
    assert {data["schema"] for data in found} == {schema.name for schema in COMMAND_LINE}
    for schema in COMMAND_LINE:
        keys = [set(data) - {"schema"} for data in found if data["schema"] == schema.name]
        assert all(set(schema.fields) <= each <= {*schema.fields, *schema.optional} for each in keys)
        assert set().union(*keys) == {*schema.fields, *schema.optional}


def test_check_and_robustness_say_how_far_base_scores_may_be_off(qontrast):
    said = " ".join(qontrast("robustness examples:loan approve refer").out.split())
    data = qontrast("robustness examples:loan approve refer --json").data
    assert data["certified"] <= data["found"] <= data["certified"] + 1e-4
    assert "The order holds as long as every base score is off by less than 0.104" in said
    assert 0.104 <= data["certified"] < 0.105
    assert "every base score is off by less than 0.104" in " ".join(qontrast("check examples:loan").out.split())
    bounds = qontrast("check examples:loan --json").data["robustness"]
    assert (bounds["schema"], bounds["fact"]) == (data["schema"], data["fact"])
    assert bounds["certified"] == pytest.approx(data["certified"], abs=1e-4)
    assert bounds["time_limit"] is None  # so that the answer does not depend on the speed of the machine
    assert "robustness" not in qontrast("check examples:healthcare --json").data
    assert "order" not in qontrast("check examples:loan --topic approve").out


def test_robustness_names_edges_and_prints_their_weights(qontrast):
    said = " ".join(
        qontrast("robustness examples:loan approve refer --movers unclear->refer --movers refer").out.split()
    )
    assert "the weight of “The file leaves questions open” → “Refer it to a loan officer” are each off by" in said
    assert "Edge Weight for example The file leaves questions open [unclear] → Refer it to a 1.000 1." in said
    assert "Refer it to a loan officer [refer] 0.500 0." in said
    data = qontrast("robustness examples:loan approve refer --change weights --norm l2 --json").data
    assert (data["movers"], data["example"]) == ([], {})
    assert 0 < data["certified"] <= data["found"]
    assert len(data["edges"]) == 18 >= len(data["example_weights"]) > 0


def test_a_report_says_how_far_base_scores_may_be_off_unless_nothing_is_searched(qontrast):
    assert "off by less than 0.104" in qontrast("report examples:loan -o -").out
    assert "off by less than" not in qontrast("report examples:loan --no-flip -o -").out
