"""What `import qontrast` promises, and what it does not drag in."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Callable
from importlib import import_module

import pytest

import qontrast

PUBLIC = [
    "FORMATS",
    "METHODS",
    "SEMANTICS",
    "Aggregation",
    "Attribution",
    "Audit",
    "Beta",
    "Chained",
    "Change",
    "Check",
    "Contrast",
    "CrossTopic",
    "DeltaMethod",
    "Distribution",
    "Explained",
    "Flip",
    "FontWarning",
    "FormatError",
    "FormatWarning",
    "Gradient",
    "History",
    "Influence",
    "Interactions",
    "Interval",
    "IntrinsicRemoval",
    "InvalidInput",
    "InvalidQbaf",
    "Method",
    "MethodEntry",
    "Network",
    "NetworkContrast",
    "Normal",
    "Owen",
    "Pairs",
    "Path",
    "Paths",
    "Phi",
    "Problem",
    "Qbaf",
    "QontrastError",
    "Ranking",
    "Reach",
    "Reasons",
    "Removal",
    "Robustness",
    "Sampled",
    "Samples",
    "Semantics",
    "SemanticsComparison",
    "Shapley",
    "SlowWarning",
    "Strengths",
    "TooLarge",
    "Trajectory",
    "Uncertainty",
    "UndefinedStrength",
    "UnknownName",
    "WhatIf",
    "__version__",
    "all_pairs",
    "attribute",
    "audit",
    "audit_files",
    "chained_pairs",
    "change",
    "check",
    "compare_semantics",
    "contrast",
    "contributions",
    "convert",
    "examples",
    "explain_many",
    "flip",
    "from_lists",
    "from_networkx",
    "history",
    "interactions",
    "networks",
    "paths",
    "rank",
    "reach",
    "read",
    "read_groups",
    "read_many",
    "read_text",
    "reasons",
    "robustness",
    "solve_lanes",
    "strengths",
    "to_networkx",
    "trajectory",
    "uncertainty",
    "whatif",
    "workers",
    "write",
    "write_many",
    "write_text",
]


def test_the_public_names_are_these_and_no_others() -> None:
    assert qontrast.__all__ == PUBLIC  # in the order that the linter asks for
    assert all(hasattr(qontrast, name) for name in PUBLIC)


def test_completion_offers_the_public_names_and_the_public_packages_and_nothing_else() -> None:
    assert dir(qontrast) == sorted([*PUBLIC, "axioms", "show", "studies", "web"])


@pytest.mark.parametrize("ask", [qontrast.contrast, qontrast.contributions])
def test_the_help_of_a_function_with_a_method_names_every_method(ask: Callable[..., object]) -> None:
    assert [name for name in qontrast.METHODS if f'"{name}"' not in (ask.__doc__ or "")] == []


def list_tables() -> list[tuple[str, str]]:
    """List package and name of every public table."""
    found = []
    for part in ("", ".axioms", ".examples", ".networks", ".show", ".studies"):
        module = import_module(f"qontrast{part}")
        names = [name for name in getattr(module, "__all__", vars(module)) if re.fullmatch("[A-Z][A-Z_]+", name)]
        found += [(module.__name__, name) for name in names if isinstance(getattr(module, name), dict)]
    return found


@pytest.mark.parametrize(("package", "name"), list_tables())
def test_a_public_table_prints_what_people_can_read_and_no_addresses(package: str, name: str) -> None:
    table = getattr(import_module(package), name)
    assert all(str(key) in repr(table) for key in table)
    assert not re.search(r"0x[0-9a-f]{6}", repr(table))


def test_a_row_of_the_semantics_or_methods_prints_its_title_and_what_it_is() -> None:
    for name, semantics in qontrast.SEMANTICS.items():
        printed = repr(semantics)
        assert all(repr(each) in printed for each in (name, semantics.title, semantics.source, semantics.formula))
    for method in qontrast.METHODS.values():
        assert all(repr(each) in repr(method) for each in (method.title, method.measures, method.promises))


def top_level_modules(imports: str) -> set[str]:
    code = f"import sys, {imports}; print(*{{m.partition('.')[0] for m in sys.modules}})"
    run = subprocess.run([sys.executable, "-I", "-c", code], capture_output=True, text=True, check=True)
    return {name for name in run.stdout.split() if not name.startswith("_")}  # such as _cython_3_1_2 of SciPy


def test_importing_qontrast_imports_nothing_beyond_numpy_and_scipy() -> None:
    theirs = top_level_modules("numpy, scipy.integrate, scipy.linalg, scipy.sparse.linalg, scipy.special")
    assert top_level_modules("qontrast") - theirs - set(sys.stdlib_module_names) <= {"qontrast"}


def test_parts_are_there_by_their_names_and_results_are_data() -> None:
    for part in qontrast.PARTS:
        if part != "web":  # it brings a server
            assert getattr(qontrast, part).__name__ == f"qontrast.{part}"
    with pytest.raises(AttributeError, match="no attribute 'shwo'"):
        qontrast.shwo  # noqa: B018
    q = qontrast.examples.load("zebra")
    chained = qontrast.chained_pairs(lambda a, b: qontrast.contrast(q, a, b), q.topics)
    results = [
        *(qontrast.flip(q, "zebra", "horse"), qontrast.check(q), qontrast.paths(q, "stripes", "zebra"), chained),
        *(qontrast.whatif(q, "zebra", "horse", base_scores={"stripes": 0.1}), qontrast.trajectory(q), qontrast.rank(q)),
        *(qontrast.strengths(q), qontrast.attribute(q, "zebra"), qontrast.contrast(q, "zebra", "horse")),
        qontrast.all_pairs(q),
    ]
    for each in results:
        assert json.loads(each.to_json())["schema"].startswith("qontrast/")


def test_what_is_no_graph_is_refused_by_every_question() -> None:
    for ask in (
        lambda: qontrast.contrast("examples:zebra", "zebra", "horse"),  # type: ignore[arg-type]
        lambda: qontrast.all_pairs("examples:zebra"),  # type: ignore[arg-type]
        lambda: qontrast.rank({}),  # type: ignore[arg-type]
        lambda: qontrast.whatif("examples:zebra"),  # type: ignore[arg-type]
        lambda: qontrast.strengths(None),  # type: ignore[arg-type]
    ):
        with pytest.raises(qontrast.InvalidInput, match="expected a Qbaf, not"):
            ask()
    q = qontrast.examples.load("zebra")
    with pytest.raises(qontrast.UnknownName, match="that is the label of 'stripes'"):
        qontrast.attribute(q, "It has stripes")
