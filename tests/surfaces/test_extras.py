"""Optional packages: what is not installed is named with the extra that brings it, from Python too."""

from __future__ import annotations

import ast
import json
import pickle
import re
import sys
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import qontrast as qx
from qontrast import networks, show
from qontrast.cli.main import main
from qontrast.extras import EXTRAS, describe_missing, require
from qontrast.questions.batch import Batch
from qontrast.show.layout import layout
from qontrast.web.answers import answer
from tests.support.paths import ROOT

OURS = {"qontrast", "numpy", "scipy"}
PROVIDED = {"google": "onnx", "cupyx": "cupy"}  # protobuf, which onnx brings, and a part of CuPy
PROJECTS = {"sklearn": "scikit-learn", "joblib": "scikit-learn", "cupy": "cupy-cuda12x"}


def imported(path: Path) -> Iterator[str]:
    """The top-level packages that a module names in an import, or asks for by `import_module` or `require`."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (each.name.partition(".")[0] for each in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            yield (node.module or "").partition(".")[0]
        elif isinstance(node, ast.Call) and node.args and isinstance(node.args[0], ast.Constant):
            name = getattr(node.func, "id", getattr(node.func, "attr", ""))
            if name in ("import_module", "require") and not str(node.args[0].value).startswith("."):
                yield str(node.args[0].value).partition(".")[0]


def optional_packages() -> set[str]:
    sources = (ROOT / "src" / "qontrast").rglob("*.py")
    return {name for path in sources for name in imported(path)} - set(sys.stdlib_module_names) - OURS


def test_every_optional_package_of_the_source_belongs_to_an_extra_that_installs_it() -> None:
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    assert {PROVIDED.get(name, name) for name in optional_packages()} | {"sklearn", "torch", "joblib"} == set(EXTRAS)
    for package, extra in EXTRAS.items():
        projects = {re.split(r"[<>=\[ ]", each)[0] for each in extras[extra]}
        assert PROJECTS.get(package, package) in projects, f"{package} is not in qontrast[{extra}]"


def zebra() -> qx.Qbaf:
    return qx.examples.load("zebra")


def why() -> qx.Contrast:
    return qx.contrast(zebra(), "zebra", "horse")


def loaded(folder: Path, name: str, content: bytes) -> networks.Network:
    (folder / name).write_bytes(content)
    return networks.load(folder / name, trusted=True)


def of_sklearn() -> bytes:
    """A pickle that names a class of scikit-learn."""
    return b"\x80\x04csklearn.neural_network\nMLPClassifier\n."


ASKED: Any = None  # nothing is asked before the package is found to be missing

# by package: everything public that needs it
NEEDED: dict[str, list[Callable[[Path], Any]]] = {
    "pandas": [lambda _: why().to_frame(), lambda _: qx.check(zebra()).to_frame(), lambda _: show.to_frame(why())],
    "cupy": [
        lambda _: qx.contrast(zebra(), "zebra", "horse", device="cuda"),
        lambda _: qx.solve_lanes(zebra(), device="cuda"),
    ],
    "shap": [lambda _: why().to_shap()],
    "distributed": [lambda _: qx.workers("tcp://127.0.0.1:1").__enter__()],
    "pyarrow": [lambda folder: Batch(paths=["."], out=folder / "a.parquet", asked=ASKED).check()],
    "shapiq": [
        lambda _: qx.interactions(zebra(), "zebra").to_shapiq(),
        lambda _: qx.interactions(zebra(), "zebra", "horse", players="edges").to_shapiq(),
    ],
    "networkx": [lambda _: qx.to_networkx(zebra())],
    "matplotlib": [
        lambda _: zebra().plot(),
        lambda _: qx.strengths(zebra()).plot(),
        lambda _: why().plot(),
        lambda _: why().individual["zebra"].plot(),
        lambda _: qx.all_pairs(zebra()).plot(),
        lambda _: qx.rank(zebra()).plot(),
        lambda _: qx.trajectory(zebra()).plot(),
        lambda _: show.plot_waterfall(why()),
    ],
    "pygraphviz": [lambda _: layout([(10.0, 10.0), (10.0, 10.0)], [(0, 1)], engine="graphviz")],
    "rich": [
        lambda _: show.strengths_table(zebra(), qx.strengths(zebra())),
        lambda _: show.pairs_table(qx.all_pairs(zebra())),
        lambda _: show.ranking_table(qx.rank(zebra())),
    ],
    "onnx": [lambda folder: loaded(folder, "model.onnx", b"")],
    "torch": [lambda folder: loaded(folder, "model.pt", b"")],
    "joblib": [lambda folder: loaded(folder, "model.joblib", b"")],
    "sklearn": [lambda folder: loaded(folder, "model.pkl", of_sklearn())],
    "starlette": [lambda _: qx.web.app, lambda _: qx.web.serve],
    "pydantic": [lambda _: qx.web.app, lambda _: qx.web.serve],
    "uvicorn": [lambda _: qx.web.app, lambda _: qx.web.serve],
}
BY_THE_COMMAND = {"click", "mcp"}  # nothing in Python needs them; the command line says so itself


def test_every_optional_package_has_a_case_here() -> None:
    assert set(NEEDED) | BY_THE_COMMAND == set(EXTRAS)


@pytest.mark.parametrize(
    ("package", "use"),
    [pytest.param(name, use, id=f"{name}-{k}") for name in NEEDED for k, use in enumerate(NEEDED[name])],
)
def test_what_is_not_installed_is_named_with_its_extra(
    package: str, use: Callable[[Path], Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in [each for each in sys.modules if each == package or each.startswith(f"{package}.")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, package, None)
    expected = f"needs {package}; in your checkout of qontrast, run: pip install '.[{EXTRAS[package]}]'"
    with pytest.raises(ImportError, match=re.escape(expected)) as said:
        use(tmp_path)
    assert said.value.name == package


def test_no_text_of_the_library_names_a_package_that_an_index_would_need_to_have() -> None:
    for path in (ROOT / "src" / "qontrast").rglob("*.py"):
        assert "qontrast[" not in path.read_text(encoding="utf-8"), path.name


def test_the_command_names_the_extra_as_well(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    monkeypatch.delitem(sys.modules, "matplotlib.pyplot", raising=False)
    monkeypatch.delitem(sys.modules, "matplotlib.figure", raising=False)
    assert main(["draw", "examples:zebra", "--figure", "bars", "-o", "never.png"]) == 1
    assert "run: pip install '.[plot]'" in capsys.readouterr().err


def test_the_explorer_without_matplotlib_refuses_a_figure_and_says_how_to_install_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    asked = {"graph": zebra().to_dict(), "fact": "zebra", "foil": "horse"}
    status, _, body = answer("figure", json.dumps(asked).encode())
    assert (status, json.loads(body)["error"]) == (422, describe_missing("matplotlib", "a figure"))


def test_a_package_that_is_installed_and_broken_is_not_called_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "shap.py").write_text("import a_package_that_is_not_there\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "shap", raising=False)
    with pytest.raises(ImportError, match="a_package_that_is_not_there"):
        require("shap", "to_shap")


def test_a_pickle_of_an_unknown_library_says_so(tmp_path: Path) -> None:
    assert pickle.loads(b"\x80\x04cbuiltins\nlen\n.") is len  # the shape of the pickle is right
    with pytest.raises(
        qx.FormatError, match=r"model\.pkl: cannot be unpickled: .*install what the model was made with"
    ):
        loaded(tmp_path, "model.pkl", b"\x80\x04ca_package_that_is_not_there\nModel\n.")
    with pytest.raises(qx.FormatError, match="cannot be unpickled"):
        loaded(tmp_path, "model.pkl", b"hello")
