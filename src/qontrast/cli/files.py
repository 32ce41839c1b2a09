"""The commands about files: check, convert, examples."""

from __future__ import annotations

import sys
from typing import Annotated, Any

import typer

from ..check import check as look
from ..errors import quoted
from ..examples import EXAMPLES
from ..examples import load as example
from ..formats import FORMATS, render_text, write
from . import UNDEFINED, complete, load, spoken
from .options import Graph, Json, Under, table_of
from .screen import heading, note, put, put_json, table


def check(graph: Graph, under: Under, json: Json = False) -> int:
    """What the file holds, and whether its strengths are defined."""
    qbaf = load.graph(graph)
    found = look(qbaf, **under.chosen())
    code = 0 if found.undefined is None else UNDEFINED
    if json:
        put_json(found.to_dict())
        return code
    cycles = "none" if not found.cycles else f"{found.cyclic:,} arguments on cycles, in {found.cycles:,} group(s)"
    rows: list[tuple[Any, Any]] = [
        ("arguments", f"{found.arguments:,}"),
        ("attacks", f"{found.attacks:,}"),
        ("supports", f"{found.supports:,}"),
        ("weights", f"{found.weighted:,} other than 1" if found.weighted else "all 1"),
        ("topics", quoted(qbaf.topics) if qbaf.topics else "none named"),
        ("labels", f"{len(qbaf.labels):,}"),
        ("cycles", cycles),
        ("unconnected", quoted(found.isolated, most=6) if found.isolated else "none"),
        ("semantics", found.semantics + ("" if qbaf.semantics else " (the file names none)")),
        ("strengths", "defined" if found.undefined is None else "undefined"),
    ]
    put(table([("", "dim"), ("", "text")], rows))
    if found.undefined is not None:
        note(f"qontrast: {spoken(found.undefined)}")
    return code


def convert(
    graph: Graph,
    target: Annotated[str, typer.Argument(metavar="TARGET", help="The file to write, or - for standard output.")],
    write_as: Annotated[
        str | None, typer.Option("--write-as", **table_of(FORMATS, "The format, instead of its suffix's"))
    ] = None,
    json: Json = False,
) -> None:
    """Read one format, write another."""
    qbaf = load.graph(graph)
    chosen = load.stated_format(target, write_as)
    if target == "-":
        return print(render_text(qbaf, chosen or "json"), end="")
    write(qbaf, target, chosen)
    if json:
        return put_json({"schema": "qontrast/written/1", "path": target, "arguments": len(qbaf)})
    return note(f"{target}: {len(qbaf):,} arguments, {len(qbaf.weights):,} edges")


def examples(
    name: Annotated[
        str | None, typer.Argument(metavar="NAME", help="Print this one as a file.", autocompletion=complete.examples)
    ] = None,
    json: Json = False,
) -> None:
    """The graphs that come along; use them as examples:NAME."""
    if name is not None:
        sys.stdout.write(render_text(example(name.removeprefix("examples:"))))
        return None
    if json:
        return put_json({"schema": "qontrast/examples/1", "examples": EXAMPLES})
    return put(table([("", "bar"), ("", "text")], [(heading(f"examples:{x}"), about) for x, about in EXAMPLES.items()]))
