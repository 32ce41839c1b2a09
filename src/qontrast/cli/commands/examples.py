"""The command `examples`."""

from __future__ import annotations

from ...examples import EXAMPLES, load
from ...formats import write_text
from ..completion import complete_from
from ..options import JSON, Argument
from ..output import make_heading, make_table, print_file, print_json, print_text

DESCRIPTIONS = {name: each.description for name, each in EXAMPLES.items()}
PARAMETERS = [
    Argument("name", "NAME", "Print this example as a file.", complete_from(DESCRIPTIONS), required=False),
    JSON,
]


def run(*, name: str | None, json: bool) -> None:
    """Print the list of examples, or one of them."""
    if name is not None:
        return print_file(write_text(load(name.removeprefix("examples:"))))
    if json:
        return print_json({"schema": "qontrast/examples/1", "examples": DESCRIPTIONS})
    rows = [(make_heading(f"examples:{name}"), description) for name, description in DESCRIPTIONS.items()]
    return print_text(make_table([("", "bar"), ("", "text")], rows))
