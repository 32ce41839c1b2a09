"""Every way out that an error names leads out: the call with the setting changed as it says succeeds."""

from __future__ import annotations

import pickle
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import qontrast as qx
from qontrast.auditing.audit import audit_files
from qontrast.errors import KEYWORDS, Hint, QontrastError
from qontrast.formats import FORMATS
from qontrast.formats.building import READ_ALL
from qontrast.networks import from_arrays, load, save
from qontrast.show import plot_waterfall
from qontrast.studies.compas.data import find
from tests.support import games
from tests.support.paths import ROOT

DAG = games.random_dag(14, seed=3)
SLOW = qx.Qbaf({"a": 0.001, "t": 0.5}, supports={("a", "a"): 0.9, ("a", "t"): 1.0})
PAIR = qx.Qbaf({"a": 1.0, "b": 1.0}, attacks=[("a", "b"), ("b", "a")])
RING = qx.Qbaf({"a": 0.0, "t": 0.5}, supports=[("a", "a"), ("a", "t")])  # df-quad: a = a, a singular equation


def network(**settings: Any) -> Any:
    rng = np.random.default_rng(0)
    made = {"activation": "logistic", "readout": "logistic"} | settings
    weights = [rng.normal(size=(3, 2)), rng.normal(size=(2, 2))]
    return from_arrays(weights, [np.zeros(2), np.zeros(2)], **made)


def pickled(folder: Path, **settings: Any) -> Any:
    (folder / "model.pkl").write_bytes(pickle.dumps(network()))
    return load(folder / "model.pkl", **settings)


def contrast_of_network(**settings: Any) -> Any:
    return network().contrast([0.5, 0.2, 0.1], "class 0", "class 1", **settings)


def audit_of(folder: Path, header: str = "a,b,c", **settings: Any) -> Any:
    save(network(), folder / "model.npz")
    rows = [f"{k / 100},{(k % 3) / 2},{(k % 7) / 6}" + ",0.5" * (header.count(",") - 2) for k in range(60)]
    (folder / "rows.csv").write_text("\n".join([header, *rows]), encoding="utf-8")
    given = {"fact": "class 0", "foil": "class 1", "protected": "b", "methods": ["removal"]} | settings
    return audit_files(folder / "model.npz", folder / "rows.csv", **given)


def attribute_in_small_memory(**settings: Any) -> Any:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("qontrast.attribution.derived_graphs.MAX_LINE_EDGES", 10)
        return qx.attribute(DAG, 14, semantics="qe", **settings)


def read_unknown(folder: Path, **settings: Any) -> Any:
    (folder / "graph.unknown").write_text("% nothing but a comment", encoding="utf-8")
    return qx.read(folder / "graph.unknown", **settings)


def write_unknown(folder: Path, **settings: Any) -> Any:
    qx.write(qx.Qbaf({"a": 0.5}), folder / "graph.unknown", **settings)
    return True


def write_two_files(folder: Path, **settings: Any) -> Any:
    (folder / "relations.csv").write_text("name,mother", encoding="utf-8")
    qx.write(qx.Qbaf({"a": 0.5}), folder / "arguments.csv", **settings)
    return True


def read_two_graphs(folder: Path) -> qx.Qbaf:
    path = folder / "graphs.jsonl"
    path.write_text('{"arguments": {"a": 1}}\n' * 2, encoding="utf-8")
    return qx.read(path)


@dataclass(frozen=True)
class Case:
    """A call that fails, its hints, and values for those settings of which the hint names none."""

    call: Callable[..., Any]
    settings: Mapping[str, Any]
    hints: tuple[Hint, ...]
    values: Mapping[str, Any] = field(default_factory=dict)
    in_folder: bool = False

    def __call__(self, folder: Path, **changed: Any) -> Any:
        return self.call(*([folder] if self.in_folder else []), **{**self.settings, **changed})


PLOTS = {"waterfall": plot_waterfall, "bars": qx.Contrast.plot}
SYNTHETIC = "(seeded numbers with COMPAS-like marginals, no real people, and no evidence about COMPAS)"
SOLVER, STEPS = Hint("solver", ("continuous",)), Hint("max_steps", raised=True)
CASES = {
    "a file with many graphs": Case(lambda folder, **s: read_two_graphs(folder), {}, (READ_ALL,), in_folder=True),
    "a second file that nobody named": Case(
        write_two_files, {}, (Hint("force", (True,), "to overwrite it"),), in_folder=True
    ),
    "a standard error above its target": Case(
        lambda **s: qx.attribute(DAG, 14, method="sampled", semantics="qe", budget=100, **s),
        {"target": 1e-3, "max_budget": 200},
        (Hint("max_budget", raised=True), Hint("target", raised=True)),
        {"max_budget": 200_000, "target": 1.0},
    ),
    "too few evaluations for orders": Case(
        lambda **s: qx.attribute(DAG, 14, method="sampled", semantics="qe", budget=100, **s),
        {"sampler": "permutations"},
        (Hint("sampler", ("regression",), "(it needs fewer)"),),
    ),
    "a study whose data are not here": Case(
        lambda folder, **s: find(cache=folder, download=False, **s),
        {},
        (Hint("data", ("PATH",)), Hint("data", ("synthetic",), SYNTHETIC)),
        {"data": __file__},
        True,
    ),
    "the gradient of a singular equation": Case(
        lambda **s: qx.attribute(RING, "t", semantics="df-quad", **s),
        {"method": "gradient"},
        (Hint("method", ("removal", "shapley")),),
    ),
    "too many coalitions": Case(
        lambda max_evaluations=10, method=None: qx.attribute(
            DAG, 14, semantics="qe", **({"method": method} if method else {"max_evaluations": max_evaluations})
        ),
        {},
        (Hint("method", ("sampled",)), Hint("max_evaluations", raised=True)),
        {"max_evaluations": 1 << 14},
    ),
    "too many members of a group": Case(
        lambda max_evaluations=10, method="owen", orders=None: qx.attribute(
            DAG,
            14,
            players={"all": list(range(14))},
            semantics="qe",
            method=method,
            **({"max_evaluations": max_evaluations, "orders": orders} if method == "owen" else {}),
        ),
        {},
        (Hint("method", ("shapley", "sampled")), Hint("max_evaluations", raised=True), Hint("orders", (100,))),
        {"max_evaluations": 1 << 14},
    ),
    "more minutes than are allowed": Case(
        lambda **s: qx.attribute(DAG, 14, method="removal", semantics="qe", **s),
        {"max_minutes": 1e-9},
        (Hint("max_minutes", raised=True),),
        {"max_minutes": 5.0},
    ),
    "too many edges that act on each other": Case(
        attribute_in_small_memory,
        {"players": "edges", "method": "removal"},
        (Hint("method", ("gradient",)), Hint("players", ("arguments",))),
    ),
    "a graph without groups": Case(
        lambda groups="groups": qx.attribute(DAG, 14, players=groups, semantics="qe"),
        {},
        (Hint("groups", ("FILE",), in_python="set them by with_groups, or give players={name: [argument, ...]}"),),
        {"groups": {"all": list(range(14))}},
    ),
    "too many inputs": Case(
        contrast_of_network,
        {"max_inputs": 2},
        (Hint("method", ("removal", "gradient")), Hint("max_inputs", raised=True)),
        {"max_inputs": 3},
    ),
    "too many draws": Case(
        lambda **s: qx.uncertainty(PAIR, "a", "b", scores={"a": (0.1, 0.4)}, semantics="qe", samples=500, **s),
        {"max_evaluations": 1000},
        (Hint("quick", (True,)), Hint("max_evaluations", raised=True)),
        {"max_evaluations": 1500},
    ),
    "an update without a limit": Case(lambda **s: qx.strengths(PAIR, semantics="df-quad", **s), {}, (SOLVER,)),
    "an update that was stopped early": Case(
        lambda **s: qx.strengths(SLOW, semantics="df-quad", **s),
        {"max_steps": 3},
        (STEPS,),
        {"max_steps": 10_000},
    ),
    "an update that converges slowly": Case(
        lambda **s: qx.strengths(SLOW, semantics="df-quad", **s), {"max_steps": 150}, (STEPS,), {"max_steps": 10_000}
    ),
    "versions of different semantics": Case(
        lambda **s: qx.change(*(qx.Qbaf({"a": 0.5}, semantics=each) for each in ("qe", "df-quad")), "a", **s),
        {},
        (Hint("semantics", ("qe", "df-quad")),),
    ),
    "one topic": Case(lambda **s: qx.all_pairs(DAG, **s), {"topics": [14]}, (Hint("topics"),), {"topics": [14, 13]}),
    "a waterfall of slopes": Case(
        lambda figure="waterfall", **s: PLOTS[figure](qx.contrast(DAG, 14, 13, **s)),
        {"method": "gradient"},
        (Hint("method", ("shapley",)), Hint("figure", ("bars",))),
    ),
    "a file in no format": Case(read_unknown, {}, (Hint("read_as", tuple(FORMATS)),), {"read_as": "apx"}, True),
    "a suffix of no format": Case(write_unknown, {}, (Hint("write_as", tuple(FORMATS)),), {"write_as": "tgf"}, True),
    "neurons that are no arguments": Case(
        network, {"activation": "relu"}, (Hint("as_function", (True,), "to explain the network's own function"),)
    ),
    "outputs that are no strengths": Case(
        network, {"readout": "identity"}, (Hint("readout", ("logistic", "softmax")), Hint("as_function", (True,)))
    ),
    "logits without a readout": Case(network, {"readout": None}, (Hint("readout", ("logistic", "softmax")),)),
    "a pickle": Case(pickled, {}, (Hint("trusted", (True,), "if you made the file yourself"),), {}, True),
    "classes without names": Case(
        lambda folder, **s: audit_of(folder, fact="yes", foil="no", **s),
        {},
        (Hint("classes", more="in the order of the model's outputs"),),
        {"classes": ["yes", "no"]},
        True,
    ),
    "more columns than inputs": Case(
        lambda folder, **s: audit_of(folder, header="a,b,c,d", **s),
        {},
        (Hint("inputs", more="in the model's order"),),
        {"inputs": ["a", "b", "c"]},
        True,
    ),
    "a protected feature of many values": Case(
        lambda folder, **s: audit_of(folder, protected="a", **s), {}, (Hint("values"),), {"values": [0.0, 0.5]}, True
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_an_error_names_the_settings_that_lead_out_of_it(name: str, tmp_path: Path) -> None:
    case = CASES[name]
    with pytest.raises(QontrastError) as error:
        case(tmp_path)
    assert error.value.hints == case.hints
    for hint in case.hints:
        for value in [case.values[hint.setting]] if hint.setting in case.values else hint.values:
            keyword = KEYWORDS.get(hint.setting) or hint.setting
            assert case(tmp_path, **{keyword: value}) is not None
            assert KEYWORDS.get(hint.setting, "") is None or keyword in str(error.value)


NOT_PYTHON = ("cli", "web", "questions")  # whose hints name options and fields of a page


def test_every_hint_of_the_library_has_a_case() -> None:
    files = [path for path in (ROOT / "src" / "qontrast").rglob("*.py") if path.parent.name not in NOT_PYTHON]
    written = {name for path in files for name in re.findall(r"Hint\(\"(\w+)\"", path.read_text(encoding="utf-8"))}
    assert written == {hint.setting for case in CASES.values() for hint in case.hints}


def test_a_flow_without_an_equilibrium_names_no_way_out() -> None:
    growing = qx.Semantics("growing", lambda att, sup: sup.sum(0) - att.sum(0), lambda b, e: b + 2 * e, bounded=False)
    q = qx.Qbaf({"a": 0.5, "b": 0.5}, supports=[("a", "a"), ("a", "b")])
    with pytest.raises(qx.UndefinedStrength) as error:
        qx.strengths(q, semantics=growing, solver="continuous")
    assert error.value.hints == ()
    assert str(error.value).endswith("steps; the continuous semantics has no equilibrium here either")
