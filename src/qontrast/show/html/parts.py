"""The parts of all HTML pages: the document with its style sheet, sections, tables and lists of facts.

A page is self-contained: no request, no font, and no script but the controls of a report. It is light or dark as the
reader's system is. Every text goes through `element`, which escapes it.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Mapping, Sequence
from itertools import pairwise
from math import ceil

from ...graph.labels import RIGHT_TO_LEFT
from ..palette import find_palette, write_style
from ..svg.elements import FONT, Raw, element, escape

__all__ = ["Raw", "document", "element", "facts", "isolate", "page_table", "section", "table"]

NO_SCRIPTS = "script-src 'none'"
POLICY = f"default-src 'none'; style-src 'unsafe-inline'; {NO_SCRIPTS}; base-uri 'none'; form-action 'none'"
HEAD = (
    '<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">'
    f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
)
MAX_COLUMNS = 7  # of numbers, beside the first column: the width of a printed page


def document(title: str, *body: object, palette: str = "default", language: str = "en") -> str:
    """Write a whole page, in which no script runs."""
    head = element("head", Raw(HEAD), element("title", title), _style(palette))
    content = element("main", *(Raw(f"{each}\n") for each in body))
    return f"<!DOCTYPE html>\n{element('html', head, element('body', content), lang=language)}\n"


def section(title: str, *content: object) -> Raw:
    """Write a heading and what belongs to it."""
    return element("section", element("h2", title), *content)


def table(
    heads: Iterable[object],
    rows: Iterable[Iterable[object]],
    *,
    caption: str = "",
    marked: Iterable[int] = (),
    texts: Container[int] = (),
) -> Raw:
    """Write a table, which scrolls where it is too wide; `marked` rows are highlighted, columns of `texts` wrap.

    The first column is one of texts, too.

    >>> table(["a"], [["<b>"]]).count("<td>&lt;b&gt;</td>")
    1
    """
    return _table(list(heads), rows, caption, marked, texts)


def page_table(
    heads: Iterable[object],
    rows: Iterable[Iterable[object]],
    *,
    caption: str = "",
    marked: Iterable[int] = (),
    texts: Container[int] = (),
) -> Raw:
    """Write a table of a page that is printed and read on phones.

    A table with more columns than a printed page has room for is divided: each part repeats the first column. On
    phones the cells of a row stand below each other, each behind the head of its column.

    >>> page_table("abcdefghijkl", []).count("<table>")
    2
    """
    first, *others = heads
    lines = [list(row) for row in rows]
    parts = ceil(len(others) / MAX_COLUMNS) or 1
    cuts = [round(k * len(others) / parts) for k in range(parts + 1)]
    out = []
    for low, high in pairwise(cuts):
        kept = [(line[0], *line[1 + low : 1 + high]) for line in lines]
        inner = {k for k in range(1, high - low + 1) if k + low in texts}
        out.append(_table([first, *others[low:high]], kept, caption, marked, inner, stacked=high - low > 1))
    return Raw("".join(out))


def _table(
    heads: Sequence[object],
    rows: Iterable[Iterable[object]],
    caption: str,
    marked: Iterable[int],
    texts: Container[int],
    stacked: bool = False,
) -> Raw:
    special = set(marked)
    head = element("thead", element("tr", *_cells("th", heads, texts)))
    lines = [
        Raw(element("tr", *_cells("td", row, texts), class_="protected" if k in special else None) + "\n")
        for k, row in enumerate(rows)
    ]
    title = [element("caption", caption)] if caption else []
    inside = element("table", *title, head, element("tbody", *lines))
    if not stacked:
        return element("div", inside, class_="scroll")
    return element("div", inside, class_="scroll stacked", style=_name_columns(heads))


def _cells(name: str, row: Iterable[object], texts: Container[int]) -> list[Raw]:
    """Write the cells of a row; those of the columns of texts after the first have a class."""
    return [element(name, each, class_="text" if k in texts else None) for k, each in enumerate(row)]


def _name_columns(heads: Sequence[object]) -> str:
    """Write heads as properties of a style, for the cells of a stacked row."""
    return ";".join(f"--h{k}:{write_css_string(str(head))}" for k, head in enumerate(heads[1:], 2))


def write_css_string(text: str) -> str:
    r"""Write a text as a string of CSS; whatever is no letter, digit or blank is written by its number.

    >>> write_css_string('a "b";')
    '"a \\22 b\\22 \\3b "'
    """
    return '"' + "".join(each if each.isalnum() or each == " " else f"\\{ord(each):x} " for each in text) + '"'


def facts(items: Mapping[str, object]) -> Raw:
    """Write names and values as a list; empty values are left out."""
    return element("dl", *(Raw(element("dt", key) + element("dd", value)) for key, value in items.items() if value))


def isolate(page: str, labels: Iterable[str]) -> str:
    """Put labels that are written from right to left into `bdi`, so that they do not rearrange what stands beside them.

    Pictures, the title and attributes stay as they are.

    >>> isolate('<title>\u05d0</title><p id="\u05d0">\u05d0 (1)</p>', ["\u05d0"])
    '<title>\u05d0</title><p id="\u05d0"><bdi>\u05d0</bdi> (1)</p>'
    """
    found = {escape(label) for label in labels if RIGHT_TO_LEFT.search(label)}
    if not found:
        return page
    names = "|".join(map(re.escape, sorted(found, key=lambda each: (-len(each), each))))
    marked = re.compile(rf"<(svg|title|style|script)\b.*?</\1>|<[^>]*>|({names})", re.DOTALL)
    return marked.sub(lambda each: f"<bdi>{each[2]}</bdi>" if each[2] else each[0], page)


def _style(palette: str) -> Raw:
    """Write the style sheet: colours for light and dark pages, then the rules of all parts."""
    columns = "\n".join(f".stacked td:nth-child({k})::before{{content:var(--h{k})}}" for k in range(2, MAX_COLUMNS + 2))
    parts = [_variables(":root", palette, False), RULES.replace("FONT", FONT).replace("COLUMNS", columns)]
    parts.append("@media screen and (prefers-color-scheme: dark){" + _variables(":root", palette, True))
    parts.append(write_style(find_palette(palette, dark=True)) + "}")
    return element("style", Raw("\n".join(parts)))


def _variables(where: str, palette: str, dark: bool) -> str:
    colours = find_palette(palette, dark)
    names = {"ink": "ink", "muted": "muted", "line": "line", "paper": "paper", "fact": "fact_ink", "foil": "foil_ink"}
    soft = "#1e293b" if dark else "#f1f5f9"
    marked = "#d9770033" if dark else "#d9770022"
    inner = "".join(f"--{key}:{getattr(colours, field)};" for key, field in names.items())
    return f"{where}{{color-scheme:{'dark' if dark else 'light'};{inner}--soft:{soft};--marked:{marked}}}"


RULES = """
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);font:16px/1.55 FONT;overflow-wrap:anywhere}
main{max-width:60rem;margin:0 auto;padding:2.5rem 1.5rem 4rem}
.kind{margin:0;color:var(--muted);font-size:.8rem;letter-spacing:.08em;text-transform:uppercase}
h1{margin:.1em 0 .6em;font-size:1.9rem;line-height:1.2;text-wrap:balance}
h2{margin:2.4em 0 .7em;font-size:1.15rem;border-bottom:1px solid var(--line);padding-bottom:.3em}
.answer{background:var(--soft);border-left:4px solid var(--fact);border-radius:4px;padding:.9em 1.1em;font-size:1.08rem;margin:0}
.words p{margin:.7em 0}
.picture svg{max-width:100%;height:auto;display:block;margin:0 auto}
.close,.rows{display:none}
.rows p{display:flex;justify-content:space-between;gap:1em;margin:.8em 0 .1em;line-height:1.3}
.rows b{flex-shrink:0;white-space:nowrap}
.rows p.ends b{flex-shrink:1;white-space:normal}
.rows svg{display:block;width:100%;height:1.4rem}
.scroll{overflow-x:auto}
.scroll+.scroll{margin-top:1.2em}
table{width:100%;border-collapse:collapse;font-size:.9rem;font-variant-numeric:tabular-nums}
th{font-weight:600;color:var(--muted);text-align:right;vertical-align:bottom;min-width:6.5rem;max-width:11rem}
th,td{padding:.38em .6em;border-bottom:1px solid var(--line)}
td{text-align:right;white-space:nowrap}
th:first-child,td:first-child{text-align:left;padding-left:0;white-space:normal;min-width:7rem}
th.text,td.text{text-align:left;white-space:normal}
.inner{padding-left:1.6em}
.for-fact{color:var(--fact)}
.for-foil{color:var(--foil)}
.asked{outline:2px solid var(--ink);outline-offset:3px;border-radius:2px;font-weight:700}
small{color:var(--muted)}
caption{text-align:left;font-weight:600;padding:.3em 0}
tr.protected{font-weight:700;background:var(--marked)}
figure{margin:1em 0;display:flex;flex-wrap:wrap;gap:1rem}
figure svg{flex:1 1 16rem;max-width:min(100%,24rem);height:auto}
.note{color:var(--muted);font-size:.9rem}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.35em 1.4em;background:var(--soft);border-radius:6px;padding:1.1em 1.3em;font-size:.9rem;margin:0}
dt{color:var(--muted)}
dd{margin:0}
@media screen and (min-width:66rem){
.picture:not(.broad){margin:0 calc((57rem - min(100vw - 5rem,88rem))/2)}
}
@media screen and (max-width:52rem){
.whole:has(+.close){display:none}
.close{display:block}
}
@media screen and (max-width:36rem){
main{padding:1.5rem 1rem 3rem}
h1{font-size:1.5rem}
dl{display:block}
dd{margin-bottom:.6em}
.picture{overflow-x:auto}
.picture svg{max-width:none}
.broad{display:none}
.rows{display:block}
.inner{display:block}
.stacked table,.stacked tbody,.stacked tr,.stacked caption{display:block}
.stacked thead{display:none}
.stacked tr{padding:.6em .3em .6em 0;border-bottom:1px solid var(--line)}
.stacked td{display:flex;justify-content:flex-end;align-items:flex-start;gap:.8em;padding:0;border:0}
.stacked td:first-child{display:block;font-weight:600}
.stacked td.text{display:block}
.stacked td:empty,.stacked td:has(.self){display:none}
.stacked td::before{margin-right:auto;white-space:normal;color:var(--muted);text-align:left;font-weight:400;unicode-bidi:isolate}
.stacked td.text::before{margin-right:.8em}
.stacked .asked{outline-offset:0;padding:0 .3em}
COLUMNS
}
@page{margin:18mm}
@media print{
*{print-color-adjust:exact;-webkit-print-color-adjust:exact}
body{font-size:11pt;orphans:3;widows:3}
main{max-width:none;padding:0}
h1{font-size:17pt}
h1,h2,h2+p:has(+.picture,+figure,+.scroll),caption{break-after:avoid}
h2{margin-top:1.8em}
tr,svg,p,li,.picture,.answer,figure{break-inside:avoid}
thead{display:table-header-group}
tbody tr:first-child,dd{break-before:avoid}
.opens tr:has(b){break-after:avoid}
.scroll+.note,.opens+.note{break-before:avoid}
dl{font-size:9pt;break-inside:avoid}
.scroll{overflow:visible}
table{font-size:8.5pt}
th{min-width:6.2em}
.stacked th:first-child{width:38%}
th,td{padding:.3em .5em}
.picture svg{max-height:205mm}
.whole:has(+.close){display:none}
.close{display:block}
figure svg{flex:none;width:31%}
}
""".strip()  # noqa: E501 # one rule a line
