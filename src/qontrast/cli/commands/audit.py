"""The command `audit`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...networks.layers import READOUTS
from ...networks.network import INPUT_METHODS
from ...show.numbers import fixed, with_interval
from ..completion import complete_from
from ..options import DEVICE, JSON, LANGUAGE, WORKING, Argument, make_choice, make_flag, make_option, open_workers
from ..output import check_page_name, make_table, print_json, print_text, show_progress, write_file

if TYPE_CHECKING:
    from ...auditing.result import Audit

VALUE_TEXT = "A value to try for the protected feature. May be repeated. Default: all of its values in DATA."
METHOD_TEXT = f"How contributions are measured: {', '.join(INPUT_METHODS)}. May be repeated. Default: all."
PARAMETERS = [
    Argument("model", "MODEL", "A saved network: .onnx, or .npz as qontrast saves it."),
    Argument("table", "DATA", "A CSV file with a header and a row for each instance."),
    make_option("--protected", "NAME", "The protected feature.", required=True),
    make_option("--fact", "CLASS", "The class to explain.", required=True),
    make_option("--foil", "CLASS", "The class to compare it with.", required=True),
    make_option(
        "--class classes", "NAME", "A class of the model, in the order of its outputs. Repeat it.", multiple=True
    ),
    make_option(
        "--input inputs", "NAME", "A column that the model takes, in the model's order. Repeat it.", multiple=True
    ),
    make_option("--value values", "NUMBER", VALUE_TEXT, type=float, multiple=True),
    make_choice("--readout", READOUTS, "How outputs become strengths"),
    make_flag("--as-function", "Explain the network's own function instead of its QBAF."),
    make_option("--label", "NAME", "The column that holds the true class."),
    make_option("--method -m methods", "NAME", METHOD_TEXT, complete_from(INPUT_METHODS), multiple=True),
    *WORKING,
    DEVICE,
    make_flag("--trusted", "Allow MODEL to be a pickle, which can run any code."),
    make_option("--out -o", "PATH", "Also write a page of HTML to this file, in English."),
    LANGUAGE,
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
    workers: int | None,
    scheduler: str | None,
    out: str | None,
    language: str,
    json: bool,
    **settings: Any,
) -> None:
    """Print an audit, and write its page."""
    from ...auditing.audit import audit_files

    if out is not None:
        check_page_name(out)
    settings |= {"methods": methods or INPUT_METHODS, "classes": classes or None}
    settings |= {"inputs": inputs or None, "values": values or None}
    with open_workers(workers, scheduler) as executor, show_progress("audit") as progress:
        settings |= {"executor": executor, "progress": progress}
        found = audit_files(model, table, fact, foil, protected=protected, **settings)
    if out is not None:
        write_file(found.report_html().encode(), out)
    return print_json(found.to_dict()) if json else _print_audit(found, language)


def _print_audit(found: Audit, language: str) -> None:
    """Print the question, and a table for each method; the protected feature has a star."""
    from ...show.audit_texts import write_summary
    from ...show.phrasing import choose

    to = choose(language)
    print_text(*write_summary(found, language=language))
    heads = to.say("audit.table").split(";")
    for method, features in found.table.items():
        rows = []
        for name, each in features.items():
            ranks = (
                with_interval(at.mean, at.low, at.high, 2, "[–]")
                for at in (each.individual_rank, each.contrastive_rank)
            )
            sizes = (fixed(at.mean, 4) for at in (each.individual, each.contrastive))
            rows.append((f"{name} *" if name == found.protected else name, *map(to.number, (*ranks, *sizes))))
        print_text("", make_table([(method, "text"), *((head, "number") for head in heads)], rows))
