"""Many graphs as one page: a picture of all gaps, and a row for each, sorted by the size of the gap or by fragility."""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile
from math import nan
from statistics import median
from typing import Any

from ...errors import count
from ...graph.labels import visible
from ...results.base import TIE_TOLERANCE
from ...results.order import sort_by_size
from ..numbers import number
from ..palette import find_palette
from ..svg.elements import Drawing
from .parts import Raw, document, element, isolate, section

Row = Mapping[str, Any]
MAX_ERRORS = 1000  # that the page lists
MAX_COLUMNS = 400  # of the picture; more answers are drawn as evenly chosen ones
MAX_SOURCES = 3  # that the heading names
HEIGHT = 100.0  # of the picture above the line, which is stretched to the width of the page
SEPARATOR = re.compile(r"[/\\]")
RULES = """
.gaps svg{display:block;width:100%;height:9rem}
.gaps p{display:flex;justify-content:space-between;gap:2em;margin:.3em 0 0;font-size:.9rem}
.gaps p>:last-child{text-align:right}
.sorted table,.sorted thead{display:block;width:100%}
.sorted tbody{display:flex;flex-direction:column}
.sorted tr{display:grid;grid-template-columns:minmax(0,2fr) minmax(0,1.5fr) repeat(var(--numbers),5.5rem) minmax(0,3fr);
order:var(--gap);column-gap:1rem;border-bottom:1px solid #8886}
.sorted th,.sorted td{overflow-wrap:anywhere;padding-left:0;padding-right:0;border:0;max-width:none}
.sorted .text,.sorted .reasons{text-align:left;white-space:normal}
body:has(#by-fragility:checked) .sorted tr{order:var(--fragility)}
body:has(#by-name:checked) .sorted tr{order:var(--given)}
@media screen and (max-width:40rem){
.sorted thead{display:none}
.sorted tr{display:block;padding:.6rem 0}
.sorted td{display:block;padding:0;text-align:left}
.sorted td:first-child{font-weight:600}
.sorted td[data-name]::before{content:attr(data-name) " ";color:var(--muted)}}
@media print{
.sorting{display:none}
.sorted tr{grid-template-columns:minmax(0,2fr) minmax(0,2fr) repeat(var(--numbers),3.8rem) minmax(0,3fr)}
body:has(#by-gap:checked) .sorted table{display:table}
body:has(#by-gap:checked) .sorted thead{display:table-header-group}
body:has(#by-gap:checked) .sorted tbody{display:table-row-group}
body:has(#by-gap:checked) .sorted tr{display:table-row}
.sorted th,.sorted td{border-bottom:1px solid var(--line);padding-right:1rem}}
""".strip()


ROBUST = (
    "Certified: no change of base scores up to this size changes the order. Found: a change of this size does, "
    "and none is known that is smaller."
)


@dataclass(frozen=True)
class Counts:
    """How many answers and errors there are, and the sizes of all gaps."""

    answers: int
    errors: int
    gaps: Sequence[float]

    @classmethod
    def count(cls, rows: Iterable[Row]) -> Counts:
        """Count those of these rows."""
        answers = errors = 0
        gaps = array("d")
        for row in rows:
            if row["error"] is not None:
                errors += 1
                continue
            answers += 1
            if row["gap"] is not None:
                gaps.append(abs(row["gap"]))
        return cls(answers, errors, gaps)


def batch_html(
    rows: Sequence[Row],
    *,
    sources: Sequence[str],
    errors: Sequence[Row] = (),
    counts: Counts | None = None,
    links: Mapping[int, str],
) -> str:
    """Write the page on graphs from these sources; `links` are the addresses of reports, by the place of their rows.

    `counts` are those of all answers, where some of them are not among the rows, or some errors are not among those
    given. Without a script: the rows stand in the order of their gaps, and a choice above them changes the order by
    style.
    """
    counts = counts or Counts.count((*rows, *errors))
    whole = len(rows) == counts.answers
    robust = any(row["found"] is not None for row in rows)
    names = shorten_names({row["name"] for row in (*rows, *errors)})
    note = "A page on one graph: qontrast report GRAPH FACT FOIL -o why.html"
    parts = [
        element("style", Raw(RULES)),
        element("p", "Many graphs", class_="kind"),
        element("h1", _write_title(sources), title=visible(", ".join(sources))),
        element("p", _summarise(rows, counts, names), class_="answer"),
        _draw_gaps(rows, whole, names),
        section(
            "Every answer" if whole else f"{len(rows):,} of {counts.answers:,} answers",
            _write_choices(robust),
            _write_table(rows, robust, links, names),
            *([element("p", ROBUST, class_="note")] if robust else []),
            element("p", note, class_="note"),
        ),
        _write_errors(errors, counts.errors, names),
    ]
    page = document(_write_title(sources), *(part for part in parts if part))
    return isolate(page, {visible(text) for row in (*rows, *errors) for text in row.values() if isinstance(text, str)})


def shorten_names(names: Iterable[str]) -> dict[str, str]:
    """Write the names of graphs without the folders that all of them share.

    >>> shorten_names(["/a/b/x.json", "/a/c/y.jsonl#q/1"])
    {'/a/b/x.json': 'b/x.json', '/a/c/y.jsonl#q/1': 'c/y.jsonl#q/1'}
    """
    given = list(names)
    folders = [SEPARATOR.split(name.partition("#")[0])[:-1] for name in given]
    same = takewhile(lambda parts: len(set(parts)) == 1, zip(*folders, strict=False))
    shared = sum(len(parts[0]) + 1 for parts in same)
    return {name: visible(name[shared:]) for name in given}


def _write_title(sources: Sequence[str]) -> str:
    """Name the files and folders that were read, without the folders that they are in."""
    short = [visible(SEPARATOR.split(each.rstrip("/\\") or each)[-1]) for each in sources]
    more = len(short) - MAX_SOURCES
    return ", ".join(short) if more <= 0 else f"{', '.join(short[:MAX_SOURCES])} and {more:,} more"


def _summarise(rows: Sequence[Row], counts: Counts, names: Mapping[str, str]) -> str:
    order = _sort_by_gap(rows)
    text = count(counts.answers, "answer")
    if len(rows) < counts.answers:
        text += f", of which this page shows {len(rows):,}: {_say_which(len(order), len(rows))}"
    text += ", the closest first" if order else ""
    text += f"; {count(counts.errors, 'error')}." if counts.errors else "."
    if len(order) < 2:
        return text
    middle = number(median(counts.gaps))
    return f"The closest order is that of {_say_gap(order[0], names)}. Half of the gaps are at least {middle}. {text}"


def _say_which(with_gap: int, shown: int) -> str:
    """Say which answers a page shows that has not all of them."""
    if with_gap == shown:
        return "those with the smallest gaps"
    return "the first ones" if not with_gap else "all that have a foil and the first of the others"


def _sort_by_gap(rows: Sequence[Row]) -> list[Row]:
    """Sort the answers that have a gap, the closest first."""
    return [rows[place] for place in _order(rows, "gap") if rows[place]["gap"] is not None]


def _say_gap(row: Row, names: Mapping[str, str]) -> str:
    """Say who is ahead in a graph: `x.json: p is ahead of q by 0.120`."""
    fact, foil, gap = visible(row["fact"]), visible(row["foil"]), row["gap"]
    if abs(gap) <= TIE_TOLERANCE:
        return f"{names[row['name']]}: {fact} and {foil} are tied"
    order = f"{fact} is ahead of {foil}" if gap > 0 else f"{fact} is behind {foil}"
    return f"{names[row['name']]}: {order} by {number(abs(gap))}"


def _draw_gaps(rows: Sequence[Row], whole: bool, names: Mapping[str, str]) -> Raw | None:
    """Draw the gaps as columns, the closest on the left; those of foils that are ahead point down."""
    order = _sort_by_gap(rows)
    if len(order) < 2:
        return None
    last = len(order) - 1
    shown = order if last < MAX_COLUMNS else [order[round(k * last / (MAX_COLUMNS - 1))] for k in range(MAX_COLUMNS)]
    most = abs(order[-1]["gap"]) or 1.0
    width, below = 720.0 / len(shown), any(row["gap"] < -TIE_TOLERANCE for row in shown)
    drawing = Drawing(find_palette())
    for k, row in enumerate(shown):
        height, ahead = HEIGHT * abs(row["gap"]) / most, row["gap"] > 0
        place = (k + 0.1) * width, HEIGHT - height if ahead else HEIGHT, 0.8 * width, height
        column = Drawing(drawing.colours)
        column.bar(*place, "fact" if ahead else "foil")
        drawing.add("g", element("title", _say_gap(row, names)), *column.parts)
    drawing.bar(0, HEIGHT - 0.4, 720, 0.8, "muted")
    head = f"Gap of every answer{'' if whole else ' on this page'}"
    if len(shown) < len(order):
        head = f"Gaps of {len(shown):,} of the {len(order):,} answers{'' if whole else ' on this page'}, chosen evenly"
    head += ", the closest on the left"
    head += "; columns that point down: the foil is ahead" if below else ""
    view: Any = {"viewBox": f"0 0 720 {(1 + below) * HEIGHT:g}", "preserveAspectRatio": "none", "role": "img"}
    ends = [element("span", _say_gap(row, names), title=visible(row["name"])) for row in (order[0], order[-1])]
    picture = element("svg", *drawing.parts, aria_label=head, **view)
    return section(
        "The gaps", element("div", picture, element("p", *ends), class_="gaps"), element("p", f"{head}.", class_="note")
    )


def _write_choices(robust: bool) -> Raw:
    choices = {"by-gap": "size of the gap", "by-name": "order of the files"}
    if robust:
        choices["by-fragility"] = "fragility: the smallest change of base scores that changes the order"
    parts = [element("label", _write_radio(key, key == "by-gap"), f" {text} ") for key, text in choices.items()]
    return element("p", "Sort by ", *parts, class_="sorting")


def _write_radio(key: str, checked: bool) -> Raw:
    return Raw(f'<input type="radio" name="sort" id="{key}"{" checked" if checked else ""}>')


def _write_table(rows: Sequence[Row], robust: bool, links: Mapping[int, str], names: Mapping[str, str]) -> Raw:
    heads = ["graph", "fact rather than foil", "gap", *(["certified", "found"] if robust else []), "main reasons"]
    by_gap = _order(rows, "gap")
    fragility = {place: k for k, place in enumerate(_order(rows, "found"))}
    body = []
    for k, place in enumerate(by_gap):
        order = f"--gap:{k};--fragility:{fragility[place]};--given:{place}"
        body.append(Raw(element("tr", *_write_cells(rows[place], names, robust, links.get(place)), style=order) + "\n"))
    texts = {heads[0], heads[1], heads[-1]}
    head = element("tr", *(element("th", each, class_="text" if each in texts else None) for each in heads))
    table = element("table", element("thead", head), element("tbody", *body))
    return element("div", table, class_="scroll sorted", style=f"--numbers:{len(heads) - 3}")


def _order(rows: Sequence[Row], column: str) -> list[int]:
    """Return the places of the rows, the smallest size of this column first; those without a number come last."""
    return sort_by_size(range(len(rows)), lambda k: nan if rows[k][column] is None else -abs(rows[k][column]))


def _write_cells(row: Row, names: Mapping[str, str], robust: bool, link: str | None) -> list[Raw]:
    short, full = names[row["name"]], visible(row["name"])
    asked = visible(row["fact"]) + (f" rather than {visible(row['foil'])}" if row["foil"] is not None else "")
    numbers = ["gap", *(["certified", "found"] if robust else [])]
    reasons = []
    place = 1
    while row.get(f"reason_{place}") is not None:
        reasons.append(f"{visible(row[f'reason_{place}'])} {number(row[f'contribution_{place}'], '+')}")
        place += 1
    return [
        element("td", element("a", short, href=link) if link else short, class_="text", title=full),
        element("td", asked, class_="text"),
        *(element("td", _write_number(row[name]), data_name=name) for name in numbers),
        element("td", ", ".join(reasons), class_="reasons"),
    ]


def _write_number(value: float | None) -> str:
    if value is None:
        return ""
    return "none" if abs(value) == float("inf") else number(value, digits=4)


def _write_errors(errors: Sequence[Row], number: int, names: Mapping[str, str]) -> Raw | None:
    """List the errors that are given, of this number."""
    if not errors:
        return None
    items = [_write_error(row["name"], row["error"], names[row["name"]]) for row in errors]
    more = number - len(errors)
    note = [element("p", f"{more:,} more {'is' if more == 1 else 'are'} not listed.")] if more else []
    return section("Errors", element("ul", *items), *note)


def _write_error(name: str, error: str, short: str) -> Raw:
    """Write a message after the short name of its graph, once."""
    file = name.partition("#")[0]
    text = f": {error}" if not error.startswith(file) else error.removeprefix(name if error.startswith(name) else file)
    return element("li", element("b", short), visible(text), title=visible(name))
