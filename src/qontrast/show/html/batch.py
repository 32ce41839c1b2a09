"""Many graphs as one page: a row for each, sorted by the size of the gap or by fragility."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ...errors import count
from ...graph.labels import visible
from ..numbers import number
from .parts import Raw, document, element, isolate, section

Row = Mapping[str, Any]
MAX_ERRORS = 1000  # that the page lists
RULES = """
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


def batch_html(
    rows: Sequence[Row], *, title: str, errors: Sequence[Row] = (), left_out: int = 0, links: Mapping[int, str]
) -> str:
    """Write the page; `links` are the addresses of reports, by the place of their rows.

    Without a script: the rows stand in the order of their gaps, and a choice above them changes the order by style.
    """
    robust = any(row["found"] is not None for row in rows)
    parts = [
        element("style", Raw(RULES)),
        element("p", "Many graphs", class_="kind"),
        element("h1", title),
        element("p", _summarise(rows, errors, left_out), class_="answer"),
        _write_choices(robust),
        _write_table(rows, robust, links),
        element("p", "A page on one graph: qontrast report GRAPH FACT FOIL -o why.html", class_="note"),
        _write_errors(errors),
    ]
    page = document(title, *(part for part in parts if part))
    return isolate(page, {visible(text) for row in (*rows, *errors) for text in row.values() if isinstance(text, str)})


def _summarise(rows: Sequence[Row], errors: Sequence[Row], left_out: int) -> str:
    text = f"{count(len(rows), 'answer')}, the closest first"
    if left_out:
        text += f"; {left_out:,} with larger gaps are not shown"
    return f"{text}; {count(len(errors), 'graph')} without an answer." if errors else f"{text}."


def _write_choices(robust: bool) -> Raw:
    choices = {"by-gap": "size of the gap", "by-name": "order of the files"}
    if robust:
        choices["by-fragility"] = "fragility: the smallest change of base scores that changes the order"
    parts = [element("label", _write_radio(key, key == "by-gap"), f" {text} ") for key, text in choices.items()]
    return element("p", "Sort by ", *parts, class_="sorting")


def _write_radio(key: str, checked: bool) -> Raw:
    return Raw(f'<input type="radio" name="sort" id="{key}"{" checked" if checked else ""}>')


def _write_table(rows: Sequence[Row], robust: bool, links: Mapping[int, str]) -> Raw:
    heads = ["graph", "fact rather than foil", "gap", *(["certified", "found"] if robust else []), "main reasons"]
    by_gap = _order(rows, "gap")
    fragility = {place: k for k, place in enumerate(_order(rows, "found"))}
    body = []
    for k, place in enumerate(by_gap):
        order = f"--gap:{k};--fragility:{fragility[place]};--given:{place}"
        body.append(Raw(element("tr", *_write_cells(rows[place], robust, links.get(place)), style=order) + "\n"))
    texts = {heads[0], heads[1], heads[-1]}
    head = element("tr", *(element("th", each, class_="text" if each in texts else None) for each in heads))
    table = element("table", element("thead", head), element("tbody", *body))
    return element("div", table, class_="scroll sorted", style=f"--numbers:{len(heads) - 3}")


def _order(rows: Sequence[Row], column: str) -> list[int]:
    """Return the places of the rows, the smallest size of this column first; those without a number come last."""

    def key(place: int) -> tuple[bool, float]:
        value = rows[place][column]
        return value is None, abs(value or 0.0)

    return sorted(range(len(rows)), key=key)


def _write_cells(row: Row, robust: bool, link: str | None) -> list[Raw]:
    name = visible(row["name"])
    asked = visible(row["fact"]) + (f" rather than {visible(row['foil'])}" if row["foil"] is not None else "")
    numbers = ["gap", *(["certified", "found"] if robust else [])]
    reasons = []
    place = 1
    while row.get(f"reason_{place}") is not None:
        reasons.append(f"{visible(row[f'reason_{place}'])} {number(row[f'contribution_{place}'], '+')}")
        place += 1
    return [
        element("td", element("a", name, href=link) if link else name, class_="text"),
        element("td", asked, class_="text"),
        *(element("td", _write_number(row[name]), data_name=name) for name in numbers),
        element("td", ", ".join(reasons), class_="reasons"),
    ]


def _write_number(value: float | None) -> str:
    if value is None:
        return ""
    return "none" if abs(value) == float("inf") else number(value, digits=4)


def _write_errors(errors: Sequence[Row]) -> Raw | None:
    if not errors:
        return None
    items = [element("li", f"{visible(row['name'])}: {visible(row['error'])}") for row in errors[:MAX_ERRORS]]
    more = [element("p", f"{len(errors) - MAX_ERRORS:,} more are not listed.")] if len(errors) > MAX_ERRORS else []
    return section("Without an answer", element("ul", *items), *more)
