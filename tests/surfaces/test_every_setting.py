"""Every setting of every public function matters: two calls that differ in it differ in their answer.

The functions that compute are in ASKED of test_settings; here are the searches, what is drawn and what reads networks.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from io import StringIO
from typing import Any

import numpy as np
import pytest

import qontrast as qx
from qontrast import QontrastError, axioms, networks, show, studies, web
from tests.laws.test_settings import ASKED, ELSEWHERE, SLOW
from tests.support.results_to_show import GRAPH, LATER, MANY, NETWORK, ROWS, UNDEFINED, make_result

Ask = Callable[..., Any]
Pairs = dict[str, tuple[Any, Any]]
ROUND: Any = {"semantics": "df-quad", "fact": "t", "foil": "u"}  # UNDEFINED has no strengths so
TRUTH = ["Low"] * 10 + ["Medium"] * 9 + ["High"]


def choose(settings: dict[str, Any], **defaults: Any) -> dict[str, Any]:
    """Give a solver a graph on which solvers differ, and a limit of steps one that needs many."""
    graph: dict[str, Any] = {}
    if "solver" in settings:
        graph = {"qbaf": UNDEFINED, **ROUND}
    if "max_steps" in settings:
        graph = {"qbaf": SLOW, "fact": "t", "foil": "u"}
    return {**defaults, **graph, **settings}


def ask_history(**s: Any) -> Any:
    given = choose(s, versions=list(MANY), fact="p", foil="q", budget=1000)
    graph = given.pop("qbaf", None)
    versions = given["versions"] if graph is None else [graph, graph.with_base_scores({"c": 0.9})]
    return qx.history(**{**given, "versions": versions})


def ask_audit(**s: Any) -> Any:
    given = {"model": NETWORK, "X": ROWS, "fact": "Medium", "foil": "Low", "protected": "race", "methods": ["removal"]}
    return qx.audit(**{**given, **s})


def train_shifted(x: Any, y: Any, seed: int) -> networks.Network:
    """A trainer whose networks depend on the instances and on the seed."""
    turned = 8.0 if np.mean(x[:, 0]) < 0.6 else 0.0
    weights = np.array([[-turned, turned, seed], [1, 2, 3], [0, 1, 0]])
    names: Any = {"inputs": ["race", "age", "priors"], "classes": ["Low", "Medium", "High"]}
    return networks.from_arrays([weights], [[4, -4, -8]], **names)


TRAINED: Any = {"trainer": train_shifted, "y": TRUTH, "seeds": 2}
SEARCHES: dict[str, tuple[Ask, Pairs]] = {
    "history": (
        ask_history,
        {
            "versions": ([GRAPH, LATER], [LATER, GRAPH]),
            "fact": ("p", "x3"),
            "foil": ("q", None),
            "semantics": ("qe", "ebt"),
            "solver": ("discrete", "continuous"),
            "max_steps": (40, 5000),
            "seed": (0, 1),
            "units": ("elements", "arguments"),
            "budget": (1000, 2000),
            "names": (None, ["May", "June"]),
        },
    ),
    "flip": (
        lambda **s: qx.flip(**choose(s, qbaf=GRAPH, fact="q", foil="r", time_limit=1e-9 if "solver" in s else 30.0)),
        {
            "fact": ("q", "p"),
            "foil": ("r", "e"),
            "semantics": ("qe", "ebt"),
            "solver": ("discrete", "continuous"),
            "max_steps": (40, 5000),
            "fixed": ((), ["c"]),
            "move_topics": (False, True),
            "norm": ("l1", "l2"),
            "margin": (1e-6, 0.01),
            "time_limit": (1e-9, 30.0),
        },
    ),
    "interactions": (
        lambda **s: qx.interactions(**choose(s, qbaf=GRAPH, fact="p", foil="q")),
        {
            "fact": ("p", "r"),
            "foil": ("q", None),
            "index": ("sii", "stii"),
            "players": ("arguments", "groups"),
            "semantics": ("qe", "ebt"),
            "solver": ("discrete", "continuous"),
            "max_steps": (40, 5000),
            "max_evaluations": (1, 1000),
        },
    ),
    "chained_pairs": (
        lambda **s: qx.chained_pairs(**{"caf": lambda a, b: qx.contrast(GRAPH, a, b), "topics": ["p", "q"], **s}),
        {"caf": (lambda a, b: {"a": 0.5}, lambda a, b: {"a": 0.25}), "topics": (["p", "q"], ["q", "p"])},
    ),
    "audit": (
        ask_audit,
        {
            "X": (ROWS, ROWS[5:]),
            "fact": ("Medium", "High"),
            "foil": ("Low", "High"),
            "protected": ("race", "age"),
            "methods": (["removal"], ["gradient"]),
            "y": (None, TRUTH),
            "instances": (None, [3, 12]),
            "value": (None, 0.0),
            "values": (None, [1.0]),
            "limit": (5, 1),
            "seeds": (2, 3),
            "train": (None, (ROWS[5:], TRUTH[5:])),
            "trainer": (None, train_shifted),
        },
    ),
    "Network.contrast": (
        lambda **s: NETWORK.contrast(**{"x": ROWS[12], "fact": "Medium", "foil": "Low", **s}),
        {
            "x": (ROWS[12], ROWS[3]),
            "fact": ("Medium", "High"),
            "foil": ("Low", "High"),
            "method": ("shapley", "removal"),
            "players": ("inputs", "all"),
        },
    ),
    "Network.contributions": (
        lambda **s: repr(NETWORK.contributions(**{"x": ROWS[:3], **s})),
        {"x": (ROWS[:3], ROWS[3:6]), "method": ("shapley", "removal"), "max_inputs": (1, 3)},
    ),
    "from_arrays": (
        lambda **s: _describe_network(**{"weights": [np.eye(2), [[1.0, 2], [3, 4]]], "biases": [[1, 0], [0, 1]], **s}),
        {
            "weights": ([np.eye(2), np.eye(2)], [np.eye(2), 2 * np.eye(2)]),
            "biases": ([[1, 0], [0, 1]], [[1, 0], [0, 2]]),
            "activation": ("logistic", "tanh"),
            "inputs": (None, ["a", "b"]),
            "classes": (None, ["yes", "no"]),
            "readout": ("logistic", "softmax"),
            "as_function": (False, True),
        },
    ),
    "read_text": (
        lambda **s: qx.read_text(**{"text": "arg(a, 2)." if "name" in s else "arg(a, 0.5).", **s}),
        {"text": ("arg(a, 0.5).", "arg(a, 0.7)."), "format": ("json", "bag"), "name": ("one.bag", "other.bag")},
    ),
    "write_text": (lambda **s: qx.write_text(**{"qbaf": LATER.restrict(["a"]), **s}), {"format": ("json", "graphml")}),
}


def _describe_network(**settings: Any) -> str:
    network = networks.from_arrays(**settings)
    found = network.strengths([[0.2, 0.7]]).tolist()
    return repr((found, network.inputs, network.classes, network.readout, network.explains))


# -- what is drawn and written ----------------------------------------------------------------------------------------


def look_at(ax: Any) -> str:
    """Everything that is drawn on Axes: texts, shapes and lines, with places and colours."""
    page = ax.get_figure()
    texts = [(each.get_text(), each.get_color()) for each in page.findobj(lambda x: hasattr(x, "get_fontsize"))]
    shapes = [(repr(each.get_path().vertices.tolist()[:3]), each.get_facecolor()) for each in ax.patches]
    lines = [(each.get_xydata().tolist()[:3], each.get_color()) for each in ax.lines]
    images = [each.get_cmap()(0.1) for each in ax.images]
    return repr((page.get_size_inches().tolist(), len(shapes), texts, shapes, lines, images))


def print_rich(thing: Any) -> str:
    from rich.console import Console

    out = StringIO()
    Console(file=out, width=120, color_system=None).print(thing)
    return out.getvalue()


def draw(name: str, kind: str, case: int = 0) -> Ask:
    """Draw a result with settings."""

    def ask(**settings: Any) -> str:
        result: Any = make_result(kind, case)
        drawn = (result.qbaf, result) if name in ("draw_graph", "graph_svg", "strengths_table") else (result,)
        found = getattr(show, name)(*drawn, **settings)
        if isinstance(found, str | list):
            return repr(found)
        return look_at(found) if hasattr(found, "get_figure") else print_rich(found)

    return ask


COLOURS, WIDTHS, LANGUAGE = ("default", "colour-blind"), (None, 3.3), ("en", "de")
FIGURE: Pairs = {"palette": COLOURS, "width": WIDTHS}
PICTURE: Pairs = {
    "fact": (None, "p"),
    "foil": (None, "q"),
    "highlight": (None, "a"),
    "contributions": (None, make_result("Contrast", 3)),
    "groups": (None, {"others": ["a", "b"]}),
    "limit": (60, 4),
    "palette": COLOURS,
    "legend": (True, False),
    "sideways": (False, True),
}
DRAWN: dict[str, tuple[Ask, Pairs]] = {
    "plot_attribution": (draw("plot_attribution", "Attribution"), FIGURE | {"limit": (20, 2)}),
    "plot_change": (draw("plot_change", "Change"), FIGURE | {"limit": (14, 2)}),
    "plot_contrast": (
        draw("plot_contrast", "Contrast"),
        FIGURE | {"limit": (20, 2), "interactions": (None, make_result("Interactions"))},
    ),
    "plot_edges": (draw("plot_edges", "Contrast", 3), FIGURE | {"limit": (10, 1)}),
    "plot_history": (draw("plot_history", "History"), FIGURE),
    "plot_interactions": (draw("plot_interactions", "Interactions"), FIGURE | {"limit": (12, 2)}),
    "plot_pairs": (draw("plot_pairs", "Pairs"), FIGURE | {"of": (None, "a")}),
    "plot_ranking": (draw("plot_ranking", "Ranking"), FIGURE),
    "plot_semantics": (draw("plot_semantics", "SemanticsComparison"), FIGURE),
    "plot_trajectory": (draw("plot_trajectory", "Trajectory"), FIGURE | {"arguments": (None, ["a"])}),
    "plot_uncertainty": (draw("plot_uncertainty", "Uncertainty"), FIGURE | {"limit": (8, 1)}),
    "plot_waterfall": (draw("plot_waterfall", "Contrast"), FIGURE | {"limit": (14, 2)}),
    "draw_graph": (draw("draw_graph", "Strengths"), PICTURE | {"width": WIDTHS}),
}
WRITTEN: dict[str, tuple[Ask, Pairs]] = {
    "graph_svg": (
        draw("graph_svg", "Strengths"),
        PICTURE
        | {"dark": (False, True), "title": (None, "T"), "id": ("a", "b"), "language": LANGUAGE}
        | {"width": (None, 300.0), "broadest": (1000.0, 100.0)},
    ),
    "bars_svg": (
        draw("bars_svg", "Contrast"),
        {
            "limit": (20, 2),
            "width": (640.0, 400.0),
            "palette": COLOURS,
            "dark": (False, True),
            "id": ("a", "b"),
            "language": LANGUAGE,
            "interactions": (None, make_result("Interactions")),
        },
    ),
    "account": (draw("account", "Contrast"), {"language": LANGUAGE}),
    "sentence": (draw("sentence", "Contrast"), {"language": LANGUAGE}),
    "sentences": (
        draw("sentences", "Contrast"),
        {"language": LANGUAGE, "limit": (1, 3), "measured": (True, False)},
    ),
    "paragraph": (
        draw("paragraph", "Contrast"),
        {"language": LANGUAGE, "limit": (1, 3), "measured": (True, False)},
    ),
    "describe": (draw("describe", "Change"), {"language": LANGUAGE}),
    "contrast_bars": (
        draw("contrast_bars", "Contrast"),
        {"limit": (20, 2), "words": (True, False), "language": LANGUAGE},
    ),
    "pairs_table": (draw("pairs_table", "Pairs"), {"language": LANGUAGE}),
    "ranking_table": (draw("ranking_table", "Ranking"), {"language": LANGUAGE}),
    "interactions_table": (draw("interactions_table", "Interactions"), {"limit": (20, 2), "language": LANGUAGE}),
    "strengths_table": (draw("strengths_table", "Strengths"), {"base": (True, False), "language": LANGUAGE}),
    "report_html": (
        lambda **s: show.report_html(**choose(s, qbaf=GRAPH, fact="p", foil="q", method="removal")),
        {
            "fact": ("p", "r"),
            "foil": ("q", "r"),
            "method": ("removal", "gradient"),
            "players": ("arguments", "groups"),
            "semantics": ("qe", "ebt"),
            "solver": ("discrete", "continuous"),
            "max_steps": (40, 5000),
            "flip": (None, make_result("Flip")),
            "robustness": (None, make_result("Robustness")),
            "palette": COLOURS,
            "date": (None, "2024-02-29"),
            "language": LANGUAGE,
            "interactive": (False, True),
        },
    ),
}
ALL = SEARCHES | DRAWN | WRITTEN
SAME = {  # settings that change no answer, whatever the function
    "progress": "says how far the work is: test_settings, test_cli_progress",
    "executor": "says where the work is done, with the same bits: test_executors",
    "device": "says where the work is done: test_devices",
    "ax": "says where to draw: test_results",
}
REASONS = {  # what is tested elsewhere, and where
    "audit_files": "every option of the command reaches it: test_audit_page",
    "convert": "reads and writes files: test_format_files",
    "read": "reads files: test_format_files",
    "read_groups": "reads files: test_groups",
    "read_many": "reads files: test_json_lines",
    "write": "writes files: test_format_files",
    "write_many": "writes files: test_json_lines",
    "from_lists": "nothing but the parts of a graph: test_format_laws",
    "from_networkx": "a graph alone",
    "to_networkx": "a graph alone",
    "workers": "says where the work is done: test_executors",
    "from_model": "another package's networks: test_network_sources",
    "from_onnx": "another package's networks: test_network_torch_and_onnx",
    "from_sklearn": "another package's networks: test_network_sources",
    "from_torch": "another package's networks: test_network_torch_and_onnx",
    "load": "reads files: test_network_sources",
    "save": "writes files: test_network",
    "draw_figure": "files of figures: test_show_figures, test_show_styles",
    "plot": "the settings of other functions",
    "fingerprint": "a graph alone",
    "to_frame": "a result alone",
    "to_shap": "a result alone",
    "reproduce": "studies: test_cli_settings, test_study_pages",
    "app": "a server: test_web_api",
    "serve": "a server: test_web_api",
    ("graph_svg", "strengths"): "the numbers of boxes: test_show_html_numbers",
    ("draw_graph", "strengths"): "the numbers of boxes: test_show_figure_numbers",
    ("strengths_table", "strengths"): "the numbers of the table: test_cli_tables",
    ("graph_svg", "engine"): "another package arranges: test_show_layout",
    ("draw_graph", "engine"): "another package arranges: test_show_layout",
    ("report_html", "engine"): "another package arranges: test_show_layout",
}
METHODS_OF_NETWORKS = ("contrast", "contributions")


def list_settings() -> dict[str, set[str]]:
    """Every public function with its settings; the first parameter, what it is about, is none."""
    found: dict[str, Any] = {}
    for module in (qx, axioms, networks, show, studies, web):
        for name in module.__all__:
            function = getattr(module, name)
            if inspect.isfunction(function):
                found[name] = function
    found |= {f"Network.{name}": getattr(NETWORK, name) for name in METHODS_OF_NETWORKS}
    kinds = (inspect.Parameter.VAR_KEYWORD, inspect.Parameter.VAR_POSITIONAL)
    parameters = {name: list(inspect.signature(each).parameters.values())[1:] for name, each in found.items()}
    return {name: {each.name for each in own if each.kind not in kinds} for name, own in parameters.items()}


def test_every_setting_of_every_public_function_has_a_pair_of_calls_or_a_reason() -> None:
    missing = []
    for name, settings in list_settings().items():
        known = {*ALL.get(name, (None, {}))[1], *ASKED.get(name, (None, {}))[1], *SAME}
        known |= {setting for function, setting in ELSEWHERE if function == name and name in ASKED}
        if name not in REASONS:
            missing += [(name, each) for each in settings - known if (name, each) not in REASONS]
    assert missing == [], "give ALL two values of each of these that lead to two answers, or REASONS a reason"


def test_no_row_is_about_a_function_that_does_not_exist() -> None:
    rows = {name if isinstance(name, str) else name[0] for name in (*ALL, *REASONS)}
    assert rows <= list_settings().keys()


def write_answer(ask: Ask, **settings: Any) -> str:
    try:
        found = ask(**settings)
    except QontrastError as error:
        return f"{type(error).__name__}: {error}"
    plain = found.to_dict() | {"network": ""} if hasattr(found, "to_dict") else found
    return repr(plain)


def assert_matters(name: str, setting: str) -> None:
    ask, pairs = ALL[name]
    needed = TRAINED if name == "audit" and setting in ("seeds", "train") else {}
    needed = {"y": TRUTH} if name == "audit" and setting == "trainer" else needed
    one, other = (write_answer(ask, **{**needed, setting: value}) for value in pairs[setting])
    assert one != other
    assert not other.startswith(("UnknownName", "InvalidInput")) or setting == "name"


HEAVY = {("interactions", "solver"), *((name, each) for name in (*DRAWN, "report_html") for each in ALL[name][1])}
CASES = [
    pytest.param(name, each, marks=[pytest.mark.heavy] if (name, each) in HEAVY else [], id=f"{name}-{each}")
    for name, (_, pairs) in ALL.items()
    for each in pairs
]


@pytest.mark.parametrize(("name", "setting"), CASES)
def test_two_values_of_a_setting_lead_to_two_answers(name: str, setting: str) -> None:
    if name in DRAWN:
        pytest.importorskip("matplotlib")
    assert_matters(name, setting)
