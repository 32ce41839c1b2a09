"""The command `reproduce`."""

from __future__ import annotations

from pathlib import Path

import click
from click.shell_completion import CompletionItem

from ...errors import InvalidInput, unknown_name
from ...progress import report_progress
from ..completion import complete_from
from ..options import JSON, Argument
from ..output import print_json, print_note, print_text

SLOW = ("axioms", "compas")


def _complete_study(context: click.Context, parameter: click.Parameter, start: str) -> list[CompletionItem]:
    from ...studies import STUDIES

    table = {name: each.title for name, each in STUDIES.items()}
    table |= {"compas": "The paper's bias experiment over many seeds; takes minutes", "all": "every one of them"}
    return complete_from(table)(context, parameter, start)


PARAMETERS = [
    Argument(
        "studies",
        "STUDY",
        "all, or some of: zebra, healthcare, counterexamples, complexity, axioms, compas. "
        "Default: all but the last two, which take minutes.",
        _complete_study,
        nargs=-1,
    ),
    click.Option(["--out", "-o"], metavar="FOLDER", default="reproduced", help="The folder to write the pages to."),
    click.Option(
        ["--data"],
        metavar="PATH",
        help="ProPublica's file for compas, or the word synthetic for made-up data in its place.",
    ),
    click.Option(
        ["--seeds"],
        metavar="N",
        type=int,
        default=40,
        help="How many networks compas trains, each from another seed.",
    ),
    JSON,
]


def run(*, studies: tuple[str, ...], out: str, data: str | None, seeds: int, json: bool) -> None:
    """Run studies and print the files that they wrote."""
    from ...studies import STUDIES, reproduce

    known = [*STUDIES, *(() if "compas" in STUDIES else ("compas",))]
    for name in studies:
        if name not in known and name != "all":
            raise unknown_name(name, [*known, "all"], "study")
    chosen = studies or [name for name in known if name not in SLOW]
    names = known if "all" in chosen else list(dict.fromkeys(chosen))
    if data is not None and "compas" not in names:
        raise InvalidInput("--data goes with the study compas; add compas, or leave it out")
    with report_progress(True, "reproduce") as progress:
        written = reproduce([name for name in names if name != "compas"], out, progress)
    if "compas" in names:
        from ...studies import compas

        before = set(Path(out).iterdir()) if Path(out).is_dir() else set()
        compas.run(data, seeds, out, progress=True)
        written += sorted(path for path in set(Path(out).iterdir()) - before if path.is_file())
    if json:
        return print_json({"schema": "qontrast/reproduced/1", "files": [str(path) for path in written]})
    print_text(*map(str, written))
    return print_note(f"{len(written)} files in {out}")
