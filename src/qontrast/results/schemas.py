"""Document the schemas of JSON: `write_page` makes the page docs/json.md.

Most objects are results, which name their schemas themselves (SCHEMAS in `base`). The objects that only the command
line or the explorer's server give are listed here.
"""

from __future__ import annotations

from collections.abc import Iterable

from .base import SCHEMAS, Schema

COMMAND_LINE = (
    Schema(
        "qontrast/axioms/1",
        {
            "method": "name of the method",
            "semantics": "name of the semantics",
            "axioms": "for each property `name`, `statement`, `outcome` (`holds`, `violated`, `does not apply`, "
            "`undecided`), `words`; of a violation also `arguments`, `left`, `right` and `value` as in "
            "`qontrast/witness/1`",
        },
        source="`axioms`",
    ),
    Schema("qontrast/examples/1", {"examples": "name → what it is about"}, source="`examples`"),
    Schema("qontrast/reproduced/1", {"files": "the files that were written"}, source="`reproduce`"),
    Schema(
        "qontrast/written/1",
        {"path": "the file that was written"},
        optional={
            "bytes": "its size, from `draw` and `report`",
            "arguments": "how many it has, from `convert`",
            "partner": "the other file, where `convert` wrote two of CSV",
            "graphs": "how many it has, from `convert` into JSON lines and from `batch`",
            "answers": "how many rows it has, from `batch`",
            "failed": "graphs without an answer, from `batch`",
            "continued": "graphs that an earlier run had explained, and that are as they were, from `batch`",
            "changed": "graphs that an earlier run had explained, and that changed since, from `batch`",
        },
        source="`draw`, `report`, `convert`, `batch`",
    ),
)
EXPLORER = (
    Schema(
        "qontrast/convert/1",
        {"format": "the format", "text": "the file", "warnings": "what could not be kept"},
    ),
    Schema(
        "qontrast/explain/1",
        {
            "contrast": "a `qontrast/contrast/1`, or `null`",
            "undefined": "why there are no strengths, or `null`",
            "refused": "why there is no contrast, or `null`",
            "ways": "settings that would help then: a list of `setting`, `values`",
        },
        optional={
            "fact": "the topic that is explained",
            "foil": "the topic that it is compared with",
            "strengths": "a `qontrast/strengths/1`",
            "pairs": "gaps between all topics",
            "sentence": "the answer in one sentence",
            "pieces": "the same in pieces: a text, and `fact` or `foil` where it names that topic, else `null`",
            "paragraph": "the answer in full",
            "way": "how it was computed",
            "measures": "what the method measures",
            "promises": "what it guarantees",
            "kinks": "the arguments at a kink",
            "sides": "contributor → `below`, `above`",
            "svg": "pictures: `graph`, `bars`",
        },
    ),
    Schema(
        "qontrast/paths-to-topics/1",
        {
            "topics": "a `qontrast/paths/1` for each topic",
            "parts": "for each topic and path, its `words` in two parts: what it does, and its arguments",
        },
    ),
    Schema("qontrast/read/1", {"graphs": "name → native JSON", "warnings": "what had to be assumed"}),
    Schema(
        "qontrast/start/1",
        {"name": "of the graph that the server was started with", "example": "its name, or `null`", "graph": "it"},
    ),
    Schema(
        "qontrast/tables/1",
        {
            "methods": "name → `title`, `measures`, `promises`, `players` (those that it is defined for), `titles` and "
            "`measures_of` (them)",
            "players": "name → who contributes",
            "player_titles": "name → what they are called",
            "semantics": "name → `title`, `formula`, `source`",
            "solvers": "names",
            "solver_titles": "name → what it is called",
            "solver_texts": "name → how it solves cycles",
            "formats": "name → `suffixes`, `description`, `loses`",
            "figures": "names",
            "palettes": "names",
            "phrases": "key → beginning of a sentence, with `{fact}`, `{foil}` and numbers to fill in",
            "examples": "name → what it is about",
            "defaults": "`method`, `semantics`, `solver`",
            "limits": "of the server",
        },
    ),
)
HEAD = """\
# JSON

`--json` on every command, `to_dict()` and `to_json()` on every result, and the explorer's API give the same objects.
The first field of each object is `schema`, its name. Numbers are written with all their digits. **A number that does
not exist is `null`**, such as the gradient of a contributor at a kink. Keys are strings, also where arguments have
integers as names. Fields in *italics* are present only where they have a value.

This page is generated from the table of schemas by `python docs/schemas.py`.
"""


def write_page() -> str:
    """Write the page on all schemas, as Markdown."""
    results = [SCHEMAS[name].schema for name in sorted(SCHEMAS)]
    parts = [HEAD, "## Results\n", *_write_sections(results)]
    parts += ["## Objects of the command line\n", *_write_sections(COMMAND_LINE)]
    parts += ["## Objects of the explorer's API\n", "These come from [the explorer's server](api-server.md) only.\n"]
    return "\n".join([*parts, *_write_sections(EXPLORER)])


def _escape(text: str) -> str:
    return text.replace("|", r"\|")


def _write_sections(schemas: Iterable[Schema]) -> Iterable[str]:
    for schema in schemas:
        rows = [f"| `{name}` | {_escape(text)} |" for name, text in schema.fields.items()]
        rows += [f"| *`{name}`* | {_escape(text)} |" for name, text in schema.optional.items()]
        title = f"`{schema.name}`" + (f": {schema.source}" if schema.source else "")
        yield "\n".join([f"### {title}\n", "| field | |", "|---|---|", *rows, ""])
