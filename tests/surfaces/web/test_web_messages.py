"""What the page says is in its own words: no message names a setting as Python writes it."""

from __future__ import annotations

import ast
import re
from functools import cache

import pytest

from qontrast.errors import Hint, InvalidInput
from qontrast.web import schemas
from qontrast.web.answers import ANSWERS, answer
from tests.support.paths import ROOT

SOURCE = ROOT / "src" / "qontrast"
ELSEWHERE = ("auditing", "batch", "cli", "networks", "studies", "integrations")  # nothing of these answers the page
RAISERS = ("InvalidInput", "InvalidQbaf", "FormatError", "TooLarge", "UndefinedStrength", "Unavailable", "refuse")
PYTHON = re.compile(r"\b[a-z_]+=(?!=)['\"\[{\dA-Z]|\bqx\.|\bqontrast\.[a-z]|\b(True|False|None)\b|\b[a-z_]+\(\)")
ONLY_IN_PYTHON = (  # a message begins so, and no question of the page leads to it: the call, or the object, is Python's
    " is about edges; here",
    "the edge  enters no topic",
    "excess is about groups",
    "move_topics is ",
    "prove is ",
    "quick is ",
    "k-sii is of pairs here",
    "expected a Qbaf",
    "topics is the string",
    "interactions is ",
    "shap needs values",
    "flip is ",
    "robustness is ",
    " is ; give a Qbaf",
    "semantics  gives argument",  # one of a user
)


@cache
def list_calls() -> list[tuple[str, str, str]]:
    """List all calls by a plain name: file, name, and the constant parts of their arguments as one text."""
    found = []
    for path in sorted(SOURCE.rglob("*.py")):
        if path.relative_to(SOURCE).parts[0] in ELSEWHERE:
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in (*RAISERS, "Hint"):
                parts = [part.value for each in node.args for part in ast.walk(each) if isinstance(part, ast.Constant)]
                text = "".join(part for part in parts[: 1 if node.func.id == "Hint" else None] if isinstance(part, str))
                found.append((path.name, node.func.id, text))
    return found


def test_no_error_that_the_page_shows_is_spelled_as_python() -> None:
    found = [call for call in list_calls() if PYTHON.search(call[2]) and not call[2].startswith(ONLY_IN_PYTHON)]
    assert found == []


def test_no_script_of_the_page_speaks_python() -> None:
    for path in (SOURCE / "web" / "static").glob("*.js"):
        text = path.read_text(encoding="utf-8")
        assert not re.search(r"\b(method|players|semantics|solver|budget)=['\"]|\bqx\.", text), path.name


def test_every_hint_is_a_choice_on_the_page_or_left_out() -> None:
    settings = {text for _, name, text in list_calls() if name == "Hint" and text}
    assert {"method", "players", "solver", "max_evaluations"} <= settings
    for setting in settings:
        for hint in (Hint(setting, ("one", "two")), Hint(setting, raised=True), Hint(setting)):
            said = InvalidInput("it failed", hints=[hint])
            assert not PYTHON.search(said.phrase(schemas.write_hint))
            assert bool(schemas.list_ways(said)) == (schemas.write_hint(hint) is not None)


@pytest.mark.parametrize("question", list(ANSWERS))
def test_wrong_questions_are_refused_in_plain_words(question: str) -> None:
    for body in (b"{}", b'{"graph": {"arguments": {"a": 2}}}', b'{"graph": 1, "method": "x", "fact": 3}', b"nonsense"):
        status, _, content = answer(question, body)
        assert status == 422
        assert not re.search(r"\b[a-z_]+=['\"\[{]|\bqx\.|Traceback|pydantic", content.decode())
