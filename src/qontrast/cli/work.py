"""The commands that take their time: explore, audit, reproduce."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ..errors import InvalidInput, unknown
from ..formats._disk import store
from ..progress import shown
from . import complete, load
from .options import Graph, Json, ReadAs, Removes, Sets
from .screen import note, put, put_json

NOT_QUICK = ("axioms", "compas")
Studies = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="STUDY",
        help="all, or some of: zebra, healthcare, counterexamples, complexity, axioms, compas. "
        "Without it: all but the last two, which take minutes.",
        show_default=False,
        autocompletion=complete.studies,
    ),
]


def explore(
    file: Annotated[
        str | None,
        typer.Argument(
            metavar="FILE",
            help="As everywhere; without it the healthcare example.",
            show_default=False,
            autocompletion=complete.files,
        ),
    ] = None,
    sets: Sets = None,
    removes: Removes = None,
    read_as: ReadAs = None,
    host: Annotated[
        str, typer.Option("--host", help="Where to listen; anything but this machine wants a token.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option("--port", help="0 is any free one.")] = 0,
    token: Annotated[str | None, typer.Option("--token", help="For another host; made unless it is given.")] = None,
    browser: Annotated[bool, typer.Option("--browser/--no-browser", help="Open the page.")] = True,
) -> None:
    """Ask, drag, understand: a page on this machine, until Ctrl-C."""
    from ..web import serve

    asked = Graph(file or "examples:healthcare", sets, removes, read_as)
    name = Path(asked.file).name.removeprefix("examples:") if asked.file != "-" else "standard input"
    serve(load.graph(asked), host, port, browser, token, name)


def reproduce(
    study: Studies = None,
    out: Annotated[str, typer.Option("--out", "-o", metavar="FOLDER", help="Where pages go.")] = "reproduced",
    data: Annotated[
        str | None,
        typer.Option("--data", metavar="PATH", help="ProPublica's file, for compas; or synthetic, a stand-in."),
    ] = None,
    seeds: Annotated[int, typer.Option("--seeds", help="Of compas.")] = 40,
    json: Json = False,
) -> None:
    """Compute again what the paper prints: paper, ours, difference, for every number."""
    from ..studies import STUDIES
    from ..studies import reproduce as run

    known = [*STUDIES, *(() if "compas" in STUDIES else ("compas",))]
    asked = study or [name for name in known if name not in NOT_QUICK]
    for name in asked:
        if name not in known and name != "all":
            raise unknown(name, [*known, "all"], "study")
    names = known if "all" in asked else list(dict.fromkeys(asked))
    if data is not None and "compas" not in names:
        raise InvalidInput("--data goes with the study compas; add compas, or leave it out")
    with shown(True, "reproduce") as progress:
        written = run([name for name in names if name != "compas"], out, progress)
    if "compas" in names:
        from ..studies import compas

        before = set(Path(out).iterdir()) if Path(out).is_dir() else set()
        compas.run(data, seeds, out, progress=True)
        written += sorted(path for path in set(Path(out).iterdir()) - before if path.is_file())
    if json:
        return put_json({"schema": "qontrast/reproduced/1", "files": [str(path) for path in written]})
    for path in written:
        print(path)
    return note(f"{len(written)} files in {out}")


def audit(
    model: Annotated[str, typer.Argument(metavar="MODEL", help="A saved network: ONNX, or .npz of weights.")],
    table: Annotated[str, typer.Argument(metavar="DATA", help="A CSV file with a header.")],
    protected: Annotated[str, typer.Option("--protected", metavar="NAME", help="The protected feature.")],
    fact: Annotated[str, typer.Option("--fact", metavar="CLASS", help="Why this class ...")],
    foil: Annotated[str, typer.Option("--foil", metavar="CLASS", help="... rather than that one.")],
    classes: Annotated[
        list[str] | None, typer.Option("--class", metavar="NAME", help="The model's outputs in order; repeat it.")
    ] = None,
    label: Annotated[str | None, typer.Option("--label", metavar="NAME", help="The column of the true class.")] = None,
    method: Annotated[
        list[str] | None, typer.Option("--method", "-m", metavar="NAME", help="gradient, removal, shapley; repeat it.")
    ] = None,
    seed: Annotated[int, typer.Option("--seed", help="Of the intervals' random numbers.")] = 0,
    trusted: Annotated[bool, typer.Option("--trusted", help="The model may be unpickled: it can run code.")] = False,
    out: Annotated[str | None, typer.Option("--out", "-o", metavar="PATH", help="Write a page, too.")] = None,
    json: Json = False,
) -> None:
    """How prominent each feature is in explaining one class rather than another. No verdict."""
    from ..audit import audit_files
    from ..networks import METHODS

    if out is not None:
        load.is_page(out)
    with shown(True, "audit") as progress:
        found = audit_files(
            model,
            table,
            protected,
            fact,
            foil,
            methods=method or METHODS,
            classes=classes or None,
            label=label,
            trusted=trusted,
            seed=seed,
            progress=progress,
        )
    if out is not None:
        page = found.report_html().encode()
        store({Path(out): page})
        note(f"{out}: {len(page) / 1000:,.0f} kB")
    return put_json(found.to_dict()) if json else put(str(found))
