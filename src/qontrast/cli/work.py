"""The commands that take their time: explore, audit, reproduce."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ..errors import InvalidInput, unknown
from ..formats.disk import write_files
from ..progress import shown
from . import complete, load
from .options import Graph, Json, ReadAs, Removes, Sets, Topics
from .screen import note, put, put_json
from .screen import table as table_of

if TYPE_CHECKING:
    from ..auditing.audit import Audit

NOT_QUICK = ("axioms", "compas")
Studies = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="STUDY",
        help="all, or some of: zebra, healthcare, counterexamples, complexity, axioms, compas. "
        "Default: all but the last two, which take minutes.",
        show_default=False,
        autocompletion=complete.studies,
    ),
]


def explore(
    file: Annotated[
        str | None,
        typer.Argument(
            metavar="FILE",
            help="A graph in any format, - for standard input, or examples:NAME. Default: examples:healthcare.",
            show_default=False,
            autocompletion=complete.files,
        ),
    ] = None,
    sets: Sets = None,
    removes: Removes = None,
    read_as: ReadAs = None,
    topics: Topics = None,
    host: Annotated[
        str,
        typer.Option("--host", help="The address to listen on. For any but this machine's own a token is required."),
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option("--port", metavar="N", help="The port to listen on; 0 takes any free one.")] = 0,
    token: Annotated[
        str | None,
        typer.Option("--token", help="The token that other machines must send. Default: a random one, which is shown."),
    ] = None,
    browser: Annotated[bool, typer.Option("--browser/--no-browser", help="Open the page in a browser.")] = True,
) -> None:
    """Serve a page on this machine where the graph can be explored, until Ctrl-C."""
    from ..web import serve

    asked = Graph(file or "examples:healthcare", sets, removes, read_as, topics)
    name = Path(asked.file).name.removeprefix("examples:") if asked.file != "-" else "standard input"
    serve(load.graph(asked), host, port, browser, token, name)


def reproduce(
    study: Studies = None,
    out: Annotated[
        str, typer.Option("--out", "-o", metavar="FOLDER", help="The folder to write the pages to.")
    ] = "reproduced",
    data: Annotated[
        str | None,
        typer.Option(
            "--data",
            metavar="PATH",
            help="ProPublica's file for compas, or the word synthetic for made-up data in its place.",
        ),
    ] = None,
    seeds: Annotated[
        int, typer.Option("--seeds", metavar="N", help="How many networks compas trains, each from another seed.")
    ] = 40,
    json: Json = False,
) -> None:
    """Recompute the numbers of the paper and write them beside the printed ones."""
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
        put(str(path))
    return note(f"{len(written)} files in {out}")


def audit(
    model: Annotated[
        str, typer.Argument(metavar="MODEL", help="A saved network: .onnx, or .npz as qontrast saves it.")
    ],
    table: Annotated[str, typer.Argument(metavar="DATA", help="A CSV file with a header and a row for each instance.")],
    protected: Annotated[str, typer.Option("--protected", metavar="NAME", help="The protected feature.")],
    fact: Annotated[str, typer.Option("--fact", metavar="CLASS", help="The class to explain.")],
    foil: Annotated[str, typer.Option("--foil", metavar="CLASS", help="The class to compare it with.")],
    classes: Annotated[
        list[str] | None,
        typer.Option("--class", metavar="NAME", help="A class of the model, in the order of its outputs. Repeat it."),
    ] = None,
    inputs: Annotated[
        list[str] | None,
        typer.Option("--input", metavar="NAME", help="A column that the model takes, in the model's order. Repeat it."),
    ] = None,
    values: Annotated[
        list[float] | None,
        typer.Option(
            "--value",
            metavar="NUMBER",
            help="A value to try for the protected feature. May be repeated. Default: all of its values in DATA.",
        ),
    ] = None,
    readout: Annotated[
        str | None,
        typer.Option("--readout", metavar="NAME", help="How outputs become strengths: logistic, softmax or identity."),
    ] = None,
    as_function: Annotated[
        bool, typer.Option("--as-function", help="Explain the network's own function instead of its QBAF.")
    ] = False,
    label: Annotated[
        str | None, typer.Option("--label", metavar="NAME", help="The column that holds the true class.")
    ] = None,
    method: Annotated[
        list[str] | None,
        typer.Option(
            "--method", "-m", metavar="NAME", help="gradient, removal or shapley. May be repeated. Default: all."
        ),
    ] = None,
    seed: Annotated[int, typer.Option("--seed", metavar="N", help="The seed of the intervals' random numbers.")] = 0,
    trusted: Annotated[
        bool, typer.Option("--trusted", help="Allow MODEL to be a pickle, which can run any code.")
    ] = False,
    out: Annotated[
        str | None, typer.Option("--out", "-o", metavar="PATH", help="Also write a page of HTML to this file.")
    ] = None,
    json: Json = False,
) -> None:
    """Measure how prominent each feature is in explaining one class rather than another."""
    from ..auditing.audit import audit_files
    from ..networks import METHODS

    if out is not None:
        load.check_page_name(out)
    with shown(True, "audit") as progress:
        found = audit_files(
            model,
            table,
            protected,
            fact,
            foil,
            methods=method or METHODS,
            classes=classes or None,
            inputs=inputs or None,
            values=values or None,
            readout=readout,
            as_function=as_function,
            label=label,
            trusted=trusted,
            seed=seed,
            progress=progress,
        )
    if out is not None:
        page = found.report_html().encode()
        write_files({Path(out): page})
        note(f"{out}: {len(page) / 1000:,.0f} kB")
    return put_json(found.to_dict()) if json else _show_audit(found)


def _show_audit(found: Audit) -> None:
    """What was asked, and a table for each method; the protected feature has a star."""
    put(str(found).partition("\n\n")[0])
    for method, features in found.table.items():
        heads = ("rank alone", "rank in contrast", "|φ| alone", "|φ| in contrast")
        rows = [
            (
                f"{name} *" if name == found.protected else name,
                *(
                    f"{at.mean:.2f} [{at.low:.2f}, {at.high:.2f}]"
                    for at in (each.individual_rank, each.contrastive_rank)
                ),
                *(f"{at.mean:.4f}" for at in (each.individual, each.contrastive)),
            )
            for name, each in features.items()
        ]
        put("", table_of([(method, "text"), *((head, "number") for head in heads)], rows))
