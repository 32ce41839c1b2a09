"""CSV: a table of arguments and a table of relations.

    id,label,base_score,topic            source,target,relation,weight
    rooms,The rooms are quiet,0.7,       rooms,book,support,1.0
    book,Book this hotel,0.5,1           price,book,attack,0.4

Columns stand in any order; `id`, `source`, `target`, `relation` are needed, the others may be missing or
empty. Columns of other names are left aside with a warning. A relation is attack, att, -, -1, con or support, sup,
+, 1, pro. `topic` is empty or no, yes, or the place of the argument among the topics: 1, 2, 3 …; spreadsheets also
write TRUE or FALSE there, in their language (WAHR, VRAI). A further column
`group` of the first table names the group of an argument; it is written where the graph has groups. The columns `low`
and `high` are the ends of the interval of an uncertain base score; they are written where the graph has any.

Three ways to bring the tables:
- two files, `arguments.csv` and `relations.csv` (also `hotel-arguments.csv` and `hotel-relations.csv`):
  reading or writing either reads or writes both;
- one file with both tables, a blank line between them: what `render` gives;
- relations alone: their ends are the arguments, each with base score 0.5, and a warning says so.

The first line decides between comma, semicolon and tab, and whether blanks after them are skipped; a line `sep=;`
above it, as spreadsheets write it, says so itself. Numbers may have a decimal comma. Where commas separate the cells,
"2,500" in quotes is refused, since it may also be a thousand.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterable, Iterator
from itertools import groupby
from pathlib import Path

from ..errors import count, quote_names
from ..graph.distributions import Interval
from ..graph.qbaf import Qbaf
from .building import (
    RELATION_WORDS,
    GraphBuilder,
    excerpt,
    fail,
    file_context,
    list_edges,
    list_nodes,
    parse_number,
    prepare,
    warn,
    warn_ignored,
)

LOSES = ("empty labels", "semantics", "empty groups", "distributions")
ARGUMENTS = ("id", "label", "base_score", "topic", "group", "low", "high")
RELATIONS = ("source", "target", "relation", "weight")
NEEDED = {"id", "source", "target", "relation"}
NUMBERS = {"base_score", "low", "high", "weight"}
MAX_CELL_CHARACTERS = 131_072  # what Python's csv reader takes

_SEPARATOR_LINE = re.compile(r'\s*"?sep=([,;|\t])"?[,;|\t ]*(\r\n|\r|\n|\Z)', re.IGNORECASE)
_WITH_COMMA = re.compile(r"\s*[+-]?[0-9]*,[0-9]+(?:[eE][+-]?[0-9]+)?\s*")
_MAYBE_THOUSANDS = re.compile(r"\s*[+-]?[1-9][0-9]{0,2},[0-9]{3}\s*")

Row = tuple[int, list[str]]  # line and cells


def recognise(text: str) -> bool:
    head = set(re.split(r'[,;|\t\s"]+', _split_separator(text)[1].lstrip().partition("\n")[0].lower()))
    return "id" in head or {"source", "target", "relation"} <= head


def find_partner(path: Path) -> Path | None:
    """Return the other of two files: 'hotel-arguments.csv' ↔ 'hotel-relations.csv'."""
    for one, other in (("arguments", "relations"), ("relations", "arguments")):
        if path.stem.endswith(one) and path.suffix.lower() == ".csv":
            return path.with_stem(path.stem.removesuffix(one) + other)
    return None


def parse(text: str) -> Qbaf:
    return parse_files([(None, text)])


def parse_files(files: Iterable[tuple[str | None, str]]) -> Qbaf:
    """Read the graph of one file with both tables, or of two files with one each, given as (name, text)."""
    builder = GraphBuilder()
    seen: list[tuple[str, ...]] = []
    for name, text in files:
        with file_context(name):
            thousands = _split_separator(text)[0] == ","
            seen += [_read_table(builder, rows, thousands) for rows in _split_tables(text)]
    if not seen:
        raise fail(f"has no table; expected the columns {','.join(ARGUMENTS)} or {','.join(RELATIONS)}")
    if len(set(seen)) < len(seen):
        raise fail("two tables have the same columns; expected one of arguments and one of relations")
    if ARGUMENTS not in seen:
        for name in dict.fromkeys(end for pair in builder.edges for end in pair):
            builder.add_argument(name)
    if not builder.base_scores:
        warn("no rows below the header: the graph has no arguments")
    return builder.build()


def _split_tables(text: str) -> Iterator[list[Row]]:
    """Yield the rows of every table; a blank line stands between two."""
    for blank, rows in groupby(read_rows(text), key=lambda row: not row[1]):
        if not blank:
            yield list(rows)


def _split_separator(text: str) -> tuple[str, str, int]:
    """Return what separates the cells, the text below a line `sep=;`, and how many lines stand above that text."""
    stated = _SEPARATOR_LINE.match(text)
    if stated:
        above = stated[0]
        return stated[1], text[len(above) :], above.count("\n") or above.count("\r")
    head = text.lstrip().partition("\n")[0]
    return max(",;\t", key=head.count), text, 0


def read_rows(text: str) -> Iterator[Row]:
    """Yield line and cells of every row; a blank row has no cells."""
    import csv

    delimiter, text, above = _split_separator(text)
    spaced = delimiter + " " in text.lstrip().partition("\n")[0]
    source = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True, skipinitialspace=spaced)
    line = above + 1
    try:
        for cells in source:
            yield line, [] if not any(map(str.strip, cells)) else cells
            line = above + source.line_num + 1
    except csv.Error as error:
        raise fail(f"not CSV: {error}", line) from None


def _use_point(cell: str, thousands: bool) -> str:
    """Write a decimal comma as a point; with `thousands`, 2,500 stays what it is."""
    if _WITH_COMMA.fullmatch(cell) and not (thousands and _MAYBE_THOUSANDS.fullmatch(cell)):
        return cell.replace(",", ".")
    return cell


def _read_table(builder: GraphBuilder, rows: list[Row], thousands: bool) -> tuple[str, ...]:
    """Add the arguments or relations of a table; return the columns of its kind."""
    line, head = rows[0]
    columns = [cell.strip().lower() for cell in head]
    kind = ARGUMENTS if "id" in columns and not {"source", "target"} <= {*columns} else RELATIONS
    missing = [cell for cell in kind if cell in NEEDED and cell not in columns]
    if missing or len(set(columns)) < len(columns):
        stands = quote_names(head, limit=6)
        raise fail(f"the columns are {stands}; expected {','.join(ARGUMENTS)} or {','.join(RELATIONS)}", line)
    warn_ignored((cell for cell in columns if cell not in kind), "columns ")
    read_row = _read_argument if kind is ARGUMENTS else _read_relation
    for line, cells in rows[1:]:
        if len(cells) != len(columns):
            raise fail(
                f"{count(len(cells), 'cell')} for {count(len(columns), 'column')}: {excerpt(','.join(cells))}", line
            )
        row = dict(zip(columns, cells, strict=True))
        read_row(builder, row | {each: _use_point(row[each], thousands) for each in NUMBERS & row.keys()}, line)
    return kind


def _read_argument(builder: GraphBuilder, row: dict[str, str], line: int) -> None:
    score = row.get("base_score", "")
    builder.add_argument(
        row["id"],
        parse_number(score, f"the base score of {excerpt(row['id'])}", line) if score.strip() else None,
        label=row.get("label") or None,
        topic=row.get("topic", ""),
        group=row.get("group", ""),
        line=line,
    )
    ends = [row.get(end, "").strip() for end in ("low", "high")]
    if any(ends):
        if not all(ends):
            raise fail(f"{excerpt(row['id'])} has only one of low and high; give both, or none", line)
        low, high = (parse_number(each, f"an end of the interval of {excerpt(row['id'])}", line) for each in ends)
        builder.add_uncertain(row["id"], (low, high), line=line)


def _read_relation(builder: GraphBuilder, row: dict[str, str], line: int) -> None:
    for end in ("source", "target"):
        if not row[end]:
            raise fail(f"the {end} is empty; expected the id of an argument", line)
    if not row["relation"].strip():
        raise fail(f"the relation is empty; expected {RELATION_WORDS}", line)
    weight = row.get("weight", "")
    value = parse_number(weight, "the weight", line) if weight.strip() else 1.0
    builder.add_edge(row["relation"], row["source"], row["target"], value, line=line)


def render(qbaf: Qbaf) -> str:
    """Write both tables, with a blank line between them."""
    return "\r\n".join(render_tables(qbaf))


def render_tables(qbaf: Qbaf) -> tuple[str, str]:
    """Write the table of arguments and the table of relations."""
    qbaf = prepare(qbaf, "csv", LOSES)
    ends = {name: each.parameters for name, each in qbaf.uncertain.items() if isinstance(each, Interval)}
    left_out = {*(() if qbaf.groups else ("group",)), *(() if ends else ("low", "high"))}  # most graphs have neither
    columns = tuple(column for column in ARGUMENTS if column not in left_out)
    nodes = {
        name: attributes | dict(zip(("low", "high"), ends.get(name, ()), strict=False))
        for name, attributes in list_nodes(qbaf).items()
    }
    arguments = ((name, *(each.get(column, "") for column in columns[1:])) for name, each in nodes.items())
    relations = ((source, target, kind, repr(weight)) for kind, source, target, weight in list_edges(qbaf))
    return _render_table(columns, arguments), _render_table(RELATIONS, relations)


def _render_table(columns: tuple[str, ...], rows: Iterable[tuple[object, ...]]) -> str:
    import csv

    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\r\n")  # both ends of a line are quoted inside cells only with this
    writer.writerow(columns)
    for row in rows:
        if max(len(str(cell)) for cell in row) > MAX_CELL_CHARACTERS:
            name, limit = excerpt(row[0]), f"{MAX_CELL_CHARACTERS:,} characters"
            raise fail(f"a cell of {name} is over {limit} long; csv readers refuse that")
        writer.writerow(row)
    return out.getvalue()
