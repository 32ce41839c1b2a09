"""The commands that take their time: reproduce."""

from __future__ import annotations

from typing import Annotated

import typer

from ..progress import shown
from . import complete
from .options import Json
from .screen import note, put_json

Studies = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="STUDY",
        help="all, or some of: zebra, healthcare, counterexamples, axioms, complexity. Without it: all but axioms.",
        show_default=False,
        autocompletion=complete.studies,
    ),
]


def reproduce(
    study: Studies = None,
    out: Annotated[str, typer.Option("--out", "-o", metavar="FOLDER", help="Where pages go.")] = "reproduced",
    json: Json = False,
) -> None:
    """Compute again what the paper prints: paper, ours, difference, for every number."""
    from ..studies import STUDIES
    from ..studies import reproduce as run

    names = study or [name for name in STUDIES if name != "axioms"]
    with shown(True, "reproduce") as progress:
        written = run(names, out, progress)
    if json:
        return put_json({"schema": "qontrast/reproduced/1", "files": [str(path) for path in written]})
    for path in written:
        print(path)
    return note(f"{len(written)} files in {out}")
