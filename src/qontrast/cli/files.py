"""The commands about files: convert, examples."""

from __future__ import annotations

from typing import Annotated

import typer

from ..examples import EXAMPLES
from ..examples import load as example
from ..formats import FORMATS, write, write_text
from . import complete, load
from .options import Graph, Json, table_of
from .screen import heading, note, put, put_json, table
from .streams import put_file


def convert(
    graph: Graph,
    target: Annotated[str, typer.Argument(metavar="TARGET", help="The file to write, or - for standard output.")],
    write_as: Annotated[
        str | None,
        typer.Option(
            "--write-as", **table_of(FORMATS, "Write this format instead of the one that the suffix stands for")
        ),
    ] = None,
    json: Json = False,
) -> None:
    """Write a graph in another format."""
    qbaf = load.graph(graph)
    chosen = load.stated_format(target, write_as)
    if load.to_stdout(target):
        return put_file(write_text(qbaf, chosen or "json"))
    write(qbaf, target, chosen)
    if json:
        return put_json({"schema": "qontrast/written/1", "path": target, "arguments": len(qbaf)})
    return note(f"{target}: {len(qbaf):,} arguments, {len(qbaf.weights):,} edges")


def examples(
    name: Annotated[
        str | None,
        typer.Argument(metavar="NAME", help="Print this example as a file.", autocompletion=complete.examples),
    ] = None,
    json: Json = False,
) -> None:
    """List the examples, or print one; every command reads them as examples:NAME."""
    if name is not None:
        return put_file(write_text(example(name.removeprefix("examples:"))))
    if json:
        return put_json({"schema": "qontrast/examples/1", "examples": EXAMPLES})
    return put(table([("", "bar"), ("", "text")], [(heading(f"examples:{x}"), about) for x, about in EXAMPLES.items()]))
