"""Add an item to one of the library's tables, as CONTRIBUTING.md says, and print where users meet it.

    python -m tests.support.additions method

Each addition is a module and a row. It runs in a process of its own, before the command line and the explorer are
imported, as it would if it were part of the library.
"""

from __future__ import annotations

import contextlib
import io
import json
import sys
import types
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import qontrast as qx


def run_command(*words: str) -> str:
    """What a command prints; it must succeed."""
    from qontrast.cli.main import main

    out = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
        code = main(words)
    out.seek(0)
    text = out.read()
    assert code == 0, text
    return text


def read_tables() -> dict[str, Any]:
    """What the explorer's menus offer."""
    from qontrast.web.tables import list_tables

    return list_tables()


def add_semantics() -> dict[str, bool]:
    """Strengths are the base scores, whatever attacks or supports."""
    given = qx.SEMANTICS["qe"]
    aloof = replace(given, name="aloof", influence=lambda base, energy: base + 0 * energy, source="nowhere, 2026")
    qx.SEMANTICS["aloof"] = aloof
    q = qx.examples.load("zebra")
    return {
        "python": dict(qx.strengths(q, semantics="aloof")) == dict(q.base_scores),
        "command": "0.5" in run_command("strengths", "examples:zebra", "--semantics", "aloof"),
        "help": "aloof" in run_command("why", "--help"),
        "explorer": "aloof" in read_tables()["semantics"],
    }


def add_method() -> dict[str, bool]:
    """Half of what removal gives."""
    from qontrast.attribution.cost import limit_minutes
    from qontrast.attribution.methods import METHODS, MethodEntry

    @dataclass(frozen=True)
    class Half:
        max_minutes: float | None = limit_minutes()

        def count(self, problem: qx.Problem, topics: Any, players: Any) -> Any:
            return qx.Removal().count(problem, topics, players)

        def __call__(self, problem: qx.Problem, topics: Any, progress: Any = None) -> qx.Phi:
            whole = qx.Removal()(problem, topics, progress)
            return replace(whole, values=whole.values / 2, method="half")

    METHODS["half"] = MethodEntry(
        make=Half,
        title="halves of removals",
        measures="half of what changes when an argument is removed",
        promises="nothing",
        value="half of the loss of {whole}",
        kind="loss",
        lead="The arguments with the largest halves",
    )
    q = qx.examples.load("zebra")
    why = qx.contrast(q, "zebra", "horse", method="half")
    whole = qx.contrast(q, "zebra", "horse", method="removal")
    from qontrast.show import paragraph

    text = paragraph(why)
    return {
        "python": all(why[name] == whole[name] / 2 for name in whole),
        "sentences": "The arguments with the largest halves" in text and "halves of removals" in text,
        "command": "half" in run_command("why", "examples:zebra", "--method", "half"),
        "help": "half" in run_command("why", "--help"),
        "explorer": "half" in read_tables()["methods"],
    }


def add_format() -> dict[str, bool]:
    """Base scores alone, one to a line."""
    from qontrast.formats import FORMATS, Format

    def parse(text: str) -> qx.Qbaf:
        return qx.Qbaf({name: float(score) for name, score in map(str.split, text.splitlines())})

    def render(qbaf: qx.Qbaf) -> str:
        return "".join(f"{name} {score}\n" for name, score in qbaf.base_scores.items())

    FORMATS["scores"] = Format("scores", (".scores",), "base scores alone", parse, render, lambda text: False)
    q = qx.Qbaf({"a": 0.5, "b": 0.25})
    path = Path("some.scores")
    qx.write(q, path)
    return {
        "python": qx.read(path) == q,
        "command": "0.25" in run_command("strengths", str(path)),
        "help": "scores" in run_command("convert", "--help"),
        "explorer": "scores" in read_tables()["formats"],
    }


def add_command() -> dict[str, bool]:
    """Count the arguments."""
    from qontrast.cli.main import COMMANDS, CommandEntry
    from qontrast.cli.options import GRAPH, make_question
    from qontrast.cli.output import print_text

    module: Any = types.ModuleType("qontrast.cli.commands.count")
    module.PARAMETERS = [*GRAPH]
    module.run = lambda **options: print_text(str(len(make_question(**options).qbaf)))
    sys.modules[module.__name__] = module
    COMMANDS["count"] = CommandEntry("Ask", "Count the arguments.")
    return {
        "command": run_command("count", "examples:zebra", "--remove", "tiger").strip() == "4",
        "help": "Count the arguments." in run_command("--help"),
        "its help": "--remove" in run_command("count", "--help"),
    }


def add_figure() -> dict[str, bool]:
    """One dot for each topic."""
    from qontrast.show.figures import FIGURES, Figure

    def plot_dots(ranking: qx.Ranking, **settings: Any) -> Any:
        from matplotlib.figure import Figure as Page

        ax = Page().add_subplot()
        ax.plot([ranking.strengths[topic] for topic in ranking.order], "o")
        return ax

    FIGURES["dots"] = Figure("Dots", "one dot for each topic", "ranking", plot_dots)
    run_command("draw", "examples:zebra", "--figure", "dots", "--out", "dots.png")
    return {
        "command": Path("dots.png").read_bytes().startswith(b"\x89PNG"),
        "help": "dots" in run_command("draw", "--help"),
        "explorer": "dots" in read_tables()["figures"],
    }


def add_study() -> dict[str, bool]:
    """One number of a paper beside ours."""
    from qontrast.studies import STUDIES, Number, Page, Study

    numbers = [Number(what="the answer", paper="42", ours=42.0, place="Section 1")]
    STUDIES["toy"] = Study("A toy", lambda progress: Page(title="A toy", introduction="", numbers=numbers))
    written = run_command("reproduce", "toy", "--out", "pages")
    return {
        "command": "toy.md" in written and "42" in Path("pages/toy.md").read_text(encoding="utf-8"),
        "help": "toy" in run_command("reproduce", "--help"),
    }


ADDITIONS: dict[str, Callable[[], dict[str, bool]]] = {
    "semantics": add_semantics,
    "method": add_method,
    "format": add_format,
    "command": add_command,
    "figure": add_figure,
    "study": add_study,
}

if __name__ == "__main__":
    found = ADDITIONS[sys.argv[1]]()
    print(json.dumps(found))
