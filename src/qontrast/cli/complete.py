"""What the shell offers after a tab: files, examples, and the names of the arguments in the file that was given."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterable
from pathlib import Path

import typer

from ..errors import QontrastError
from ..examples import EXAMPLES
from ..formats import FORMATS, read
from ..graph.labels import visible
from ..graph.qbaf import Qbaf
from ..types import Name


def starting(names: Iterable[str], incomplete: str) -> list[str]:
    """Those of the names that begin as typed."""
    return [name for name in names if name.startswith(incomplete)]


def examples(incomplete: str) -> list[tuple[str, str]]:
    """Examples by name, with what they are about."""
    return [(name, about) for name, about in EXAMPLES.items() if name.startswith(incomplete)]


def files(incomplete: str) -> list[str]:
    """Folders, files that some format may be, and examples."""
    folder, _, start = incomplete.rpartition("/")
    suffixes = {suffix for each in FORMATS.values() for suffix in each.suffixes}
    found = []
    try:
        for path in sorted(Path(f"{folder}/" if folder or incomplete.startswith("/") else ".").iterdir()):
            text = f"{folder}/{path.name}" if "/" in incomplete else path.name
            if path.name.startswith(start) and (start or not path.name.startswith(".")):
                if path.is_dir():
                    found.append(f"{text}/")
                elif path.suffix.lower() in suffixes:
                    found.append(text)
    except OSError:
        pass
    return found + starting((f"examples:{name}" for name in EXAMPLES), incomplete)


def arguments(ctx: typer.Context, incomplete: str) -> list[tuple[str, str]]:
    """The arguments of the file given before, with their labels."""
    qbaf = _given(ctx)
    if qbaf is None:
        return []
    return [(str(x), _described(qbaf, x)) for x in qbaf.arguments if str(x).startswith(incomplete)]


def _described(qbaf: Qbaf, name: Name) -> str:
    """The label of an argument, safe to show in a terminal; nothing where it has none."""
    return visible(qbaf.labels[name]) if name in qbaf.labels else ""


def settings(ctx: typer.Context, incomplete: str) -> list[tuple[str, str]]:
    """NAME=SCORE with the score that it has."""
    qbaf = _given(ctx)
    if qbaf is None:
        return []
    pairs = ((f"{x}={score:g}", _described(qbaf, x)) for x, score in qbaf.base_scores.items())
    return [each for each in pairs if each[0].startswith(incomplete)]


def _given(ctx: typer.Context) -> Qbaf | None:
    """The graph that FILE names, if it can be read: a completion never complains."""
    for file in (ctx.params.get("file"), *_words()):
        if file and file != "-":
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    return read(file, ctx.params.get("read_as"))
            except QontrastError:
                continue
    return None


def _words() -> list[str]:
    """The words typed so far: an option that still lacks its value keeps them from being parsed."""
    words = os.environ.get("COMP_WORDS") or os.environ.get("_TYPER_COMPLETE_ARGS") or ""
    return [word for word in words.split()[2:-1] if not word.startswith("-")]


def studies(incomplete: str) -> list[tuple[str, str]]:
    """Studies by name, with what they are about."""
    from ..studies import STUDIES

    table = {name: each.title for name, each in STUDIES.items()} | {
        "compas": "The paper's bias experiment over many seeds; takes minutes",
        "all": "every one of them",
    }
    return [(name, about) for name, about in table.items() if name.startswith(incomplete)]
