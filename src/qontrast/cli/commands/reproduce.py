"""The command `reproduce`."""

from __future__ import annotations

from pathlib import Path

import click

from ...errors import InvalidInput, unknown_name
from ...studies import STUDIES, reproduce
from ..completion import complete_from
from ..options import JSON, Argument
from ..output import print_json, print_note, print_text, show_progress

COMPAS = "compas"  # takes data and seeds, so it is not one of STUDIES
TITLES = {name: study.title for name, study in STUDIES.items()} | {
    COMPAS: "The paper's bias experiment over many seeds; takes minutes",
    "all": "every one of them",
}
QUICK = [name for name, study in STUDIES.items() if not study.slow]
SLOW = [name for name in (*STUDIES, COMPAS) if name not in QUICK]
PARAMETERS = [
    Argument(
        "studies",
        "STUDY",
        f"all, or some of: {', '.join([*QUICK, *SLOW])}. Default: all but {' and '.join(SLOW)}, which take minutes.",
        complete_from(TITLES),
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
    for name in studies:
        if name not in TITLES:
            raise unknown_name(name, TITLES, "study")
    names = [*STUDIES, COMPAS] if "all" in studies else list(dict.fromkeys(studies or QUICK))
    if data is not None and COMPAS not in names:
        raise InvalidInput("--data goes with the study compas; add compas, or leave it out")
    with show_progress("reproduce") as progress:
        written = reproduce([name for name in names if name != COMPAS], out, progress)
    if COMPAS in names:
        from ...studies import compas

        before = set(Path(out).iterdir()) if Path(out).is_dir() else set()
        with show_progress("compas") as progress:
            compas.run(data, seeds, out, progress=progress)
        written += sorted(path for path in set(Path(out).iterdir()) - before if path.is_file())
    if json:
        return print_json({"schema": "qontrast/reproduced/1", "files": [str(path) for path in written]})
    print_text(*map(str, written))
    return print_note(f"{len(written)} files in {out}")
