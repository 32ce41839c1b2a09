"""What the shell offers after a tab: files, examples, and the names of the arguments in the file that was given."""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from pathlib import Path

import typer

from ..errors import QontrastError
from ..examples import EXAMPLES
from ..formats import FORMATS, read
from ..qbaf import Qbaf


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
    return [(str(x), qbaf.labels.get(x, "")) for x in qbaf.arguments if str(x).startswith(incomplete)]


def settings(ctx: typer.Context, incomplete: str) -> list[tuple[str, str]]:
    """NAME=SCORE with the score that it has."""
    qbaf = _given(ctx)
    if qbaf is None:
        return []
    pairs = ((f"{x}={score:g}", qbaf.labels.get(x, "")) for x, score in qbaf.base_scores.items())
    return [each for each in pairs if each[0].startswith(incomplete)]


def _given(ctx: typer.Context) -> Qbaf | None:
    """The graph that FILE names, if it can be read: a completion never complains."""
    file = ctx.params.get("file")
    if not file or file == "-":
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return read(file, ctx.params.get("read_as"))
    except QontrastError:
        return None


def studies(incomplete: str) -> list[tuple[str, str]]:
    """Studies by name, with what they are about."""
    from ..studies import STUDIES

    table = {"all": "every one of them", **{name: each.title for name, each in STUDIES.items()}}
    return [(name, about) for name, about in table.items() if name.startswith(incomplete)]
