"""The commands about files: convert, examples."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from ..examples import EXAMPLES
from ..examples import load as example
from ..formats import FORMATS, render_text, write
from . import complete, load
from .options import Graph, Json, table_of
from .screen import heading, note, put, put_json, table


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
