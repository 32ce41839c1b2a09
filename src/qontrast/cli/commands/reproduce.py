"""The command `reproduce`."""

from __future__ import annotations

from ...errors import InvalidInput, count
from ...studies import STUDIES, reproduce
from ..completion import complete_from
from ..options import JSON, Argument, make_option
from ..output import print_json, print_note, print_text, show_progress

TITLES = {name: study.title for name, study in STUDIES.items()} | {"all": "every one of them"}
QUICK = [name for name, study in STUDIES.items() if not study.slow]
SLOW = [name for name, study in STUDIES.items() if study.slow]
STUDIES_TEXT = (
    f"all, or some of: {', '.join([*QUICK, *SLOW])}. Default: all but {' and '.join(SLOW)}, which take minutes."
)
PARAMETERS = [
    Argument("studies", "STUDY", STUDIES_TEXT, complete_from(TITLES), nargs=-1),
    make_option("--out -o", "FOLDER", "The folder to write the pages to.", default="reproduced"),
    make_option("--data", "PATH", "ProPublica's file for compas, or the word synthetic for made-up data in its place."),
    make_option("--seeds", "N", "How many networks compas trains, each from another seed.", type=int, default=40),
    JSON,
]


def run(*, studies: tuple[str, ...], out: str, data: str | None, seeds: int, json: bool) -> None:
    """Run studies and print the files that they wrote."""
    names = list(dict.fromkeys(studies or QUICK))
    takers = [name for name, study in STUDIES.items() if "data" in study.settings]
    if data is not None and not {"all", *takers} & set(names):
        raise InvalidInput(f"--data goes with the study {takers[0]}; add {takers[0]}, or leave it out")
    with show_progress("reproduce") as progress:
        written = reproduce(names, out, progress, data=data, seeds=seeds)
    if json:
        return print_json({"schema": "qontrast/reproduced/1", "files": [str(path) for path in written]})
    print_text(*map(str, written))
    return print_note(f"{count(len(written), 'file')} in {out}")
