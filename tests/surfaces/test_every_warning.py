"""Every place of the library that warns has a test that makes it warn, and the command line prints every warning.

The places of the formats are in test_format_warnings.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import qontrast as qx
from qontrast.errors import FontWarning, FormatWarning, SlowWarning
from tests.support.paths import ROOT
from tests.support.results_to_show import UNDEFINED

SOURCE = ROOT / "src" / "qontrast"
LABELLED = qx.Qbaf({"t": 0.5, "u": 0.4, "x": 0.5}, supports=[("x", "t")], labels={"x": "खांसी"}, topics=["t", "u"])


@pytest.fixture
def _everything_is_slow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("qontrast.attribution.cost.WARN_ABOVE", 100)


@pytest.fixture
def _no_other_fonts(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    pytest.importorskip("matplotlib")
    from qontrast.show.mpl import fonts

    monkeypatch.setattr(fonts, "list_fonts", lambda _: [])
    fonts._cover.cache_clear()
    yield
    fonts._cover.cache_clear()


def ask_slowly() -> Any:
    return qx.attribute(UNDEFINED, "t")


def draw_label() -> Any:
    return qx.contrast(LABELLED, "t", "u").plot()


def read_key() -> Any:
    return qx.read_text('{"arguments": {"a": 0.5}, "colour": "red"}', "json")


# module and kind of warning → what makes it warn, and what is said
PLACES: dict[tuple[str, str], tuple[Callable[[], Any], type[Warning], str]] = {
    ("attribution/cost.py", "SlowWarning"): (
        ask_slowly,
        SlowWarning,
        "method 'shapley' for 't' over 5 arguments needs [0-9]+ evaluations, about 1 second",
    ),
    ("show/mpl/fonts.py", "FontWarning"): (draw_label, FontWarning, "install Noto Sans Devanagari and delete"),
    ("formats/building.py", "FormatWarning"): (read_key, FormatWarning, "'colour'"),
}


def list_places() -> set[tuple[str, str]]:
    """Every call of `warnings.warn` in the library: the module, and the kind of warning that it names."""
    found = set()
    texts = {path: path.read_text(encoding="utf-8") for path in SOURCE.rglob("*.py")}
    for path, text in texts.items():
        for call in ast.walk(ast.parse(text)) if "warnings.warn" in text else ():
            if isinstance(call, ast.Call) and ast.unparse(call.func) in ("warnings.warn", "warnings.warn_explicit"):
                names = {node.id for node in ast.walk(call) if isinstance(node, ast.Name)}
                kinds = {name for name in names if name.endswith("Warning")}
                assert len(kinds) == 1, f"{path.name}: a warning of one kind of ours"
                found.add((path.relative_to(SOURCE).as_posix(), kinds.pop()))
    return found


def test_every_place_that_warns_has_a_case() -> None:
    assert list_places() == PLACES.keys(), "give PLACES a case for each new place"


@pytest.mark.usefixtures("_everything_is_slow", "_no_other_fonts")
@pytest.mark.parametrize("place", PLACES)
def test_a_place_that_warns_is_reached(place: tuple[str, str]) -> None:
    do, kind, said = PLACES[place]
    with pytest.warns(kind, match=said):
        do()


COMMANDS = {
    "SlowWarning": ("why undefined.json", "needs", "; Ctrl-C stops it"),
    "FontWarning": ("draw labelled.json --figure bars -o bars.png", "install Noto Sans Devanagari", ""),
    "FormatWarning": ("strengths key.json", "key.json: not understood and ignored in the file: 'colour'", ""),
}


@pytest.mark.usefixtures("_everything_is_slow", "_no_other_fonts")
@pytest.mark.parametrize("kind", COMMANDS)
def test_the_command_line_prints_every_kind_of_warning_as_a_note(qontrast: Any, kind: str) -> None:
    qx.write(UNDEFINED, "undefined.json")
    qx.write(LABELLED, "labelled.json")
    Path("key.json").write_text('{"arguments": {"a": 0.5}, "colour": "red"}', encoding="utf-8")
    line, said, end = COMMANDS[kind]
    ran = qontrast(line)
    assert ran.code == 0, ran.err
    notes = [note for note in ran.err.splitlines() if note.startswith("note: ") and said in note]
    assert notes, ran.err
    assert notes[0].endswith(end)


def test_every_kind_of_warning_is_printed_by_the_command_line() -> None:
    assert {kind for _, kind in PLACES} == COMMANDS.keys()
