"""The command `audit`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ...formats.disk import write_files
from ...networks.layers import READOUTS
from ...networks.network import INPUT_METHODS
from ...show.numbers import fixed, with_interval
from ..completion import complete_from
from ..options import JSON, Argument, make_choice
from ..output import check_page_name, make_table, print_json, print_note, print_text, show_progress

if TYPE_CHECKING:
    from ...auditing.result import Audit

PARAMETERS = [
    Argument("model", "MODEL", "A saved network: .onnx, or .npz as qontrast saves it."),
    Argument("table", "DATA", "A CSV file with a header and a row for each instance."),
    click.Option(["--protected"], metavar="NAME", required=True, help="The protected feature."),
    click.Option(["--fact"], metavar="CLASS", required=True, help="The class to explain."),
    click.Option(["--foil"], metavar="CLASS", required=True, help="The class to compare it with."),
    click.Option(
        ["--class", "classes"],
        metavar="NAME",
        multiple=True,
        help="A class of the model, in the order of its outputs. Repeat it.",
    ),
    click.Option(
        ["--input", "inputs"],
        metavar="NAME",
        multiple=True,
        help="A column that the model takes, in the model's order. Repeat it.",
    ),
    click.Option(
        ["--value", "values"],
        metavar="NUMBER",
        type=float,
        multiple=True,
        help="A value to try for the protected feature. May be repeated. Default: all of its values in DATA.",
    ),
    make_choice(["--readout"], READOUTS, "How outputs become strengths"),
    click.Option(["--as-function"], is_flag=True, help="Explain the network's own function instead of its QBAF."),
    click.Option(["--label"], metavar="NAME", help="The column that holds the true class."),
    click.Option(
        ["--method", "-m", "methods"],
        metavar="NAME",
        multiple=True,
        help=f"How contributions are measured: {', '.join(INPUT_METHODS)}. May be repeated. Default: all.",
        shell_complete=complete_from(INPUT_METHODS),
    ),
    click.Option(["--seed"], metavar="N", type=int, default=0, help="The seed of the intervals' random numbers."),
    click.Option(["--trusted"], is_flag=True, help="Allow MODEL to be a pickle, which can run any code."),
    click.Option(["--out", "-o"], metavar="PATH", help="Also write a page of HTML to this file."),
    JSON,
]


def run(
    *,
    model: str,
    table: str,
    protected: str,
    fact: str,
    foil: str,
    classes: tuple[str, ...],
    inputs: tuple[str, ...],
    values: tuple[float, ...],
    methods: tuple[str, ...],
    out: str | None,
    json: bool,
    **settings: Any,
) -> None:
    """Print an audit, and write its page."""
    from ...auditing.audit import audit_files

    if out is not None:
        check_page_name(out)
    settings |= {"methods": methods or INPUT_METHODS, "classes": classes or None}
    settings |= {"inputs": inputs or None, "values": values or None}
    with show_progress("audit") as progress:
        found = audit_files(model, table, fact, foil, protected=protected, progress=progress, **settings)
    if out is not None:
        page = found.report_html().encode()
        write_files({Path(out): page})
        print_note(f"{out}: {len(page) / 1000:,.0f} kB")
    return print_json(found.to_dict()) if json else _print_audit(found)


def _print_audit(found: Audit) -> None:
    """Print the question, and a table for each method; the protected feature has a star."""
    print_text(str(found).partition("\n\n")[0])
    heads = ("rank alone", "rank in contrast", "|φ| alone", "|φ| in contrast")
    for method, features in found.table.items():
        rows = []
        for name, each in features.items():
            ranks = (each.individual_rank, each.contrastive_rank)
            sizes = (each.individual, each.contrastive)
            rows.append(
                (
                    f"{name} *" if name == found.protected else name,
                    *(with_interval(at.mean, at.low, at.high, 2) for at in ranks),
                    *(fixed(at.mean, 4) for at in sizes),
                )
            )
        print_text("", make_table([(method, "text"), *((head, "number") for head in heads)], rows))
