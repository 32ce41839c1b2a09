"""The parts of all HTML pages: the document with its style sheet, sections, tables and lists of facts.

A page is self-contained: no script, no request, no font. It is light or dark as the reader's system is. Every text goes
through `element`, which escapes it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ..palette import find_palette, write_style
from ..svg.elements import FONT, Raw, element

__all__ = ["Raw", "document", "element", "facts", "section", "table"]

HEAD = '<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">'


def document(title: str, *body: object, palette: str = "default", language: str = "en") -> str:
    """Write a whole page."""
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
    texts: int = 1,
) -> Raw:
    """Write a table, which scrolls where it is too wide; `marked` rows are highlighted, the first columns hold `texts`.

    >>> table(["a"], [["<b>"]]).count("<td>&lt;b&gt;</td>")
    1
    """
    special = set(marked)
    head = element("thead", element("tr", *_cells("th", heads, texts)))
    lines = [
        Raw(element("tr", *_cells("td", row, texts), class_="protected" if k in special else None) + "\n")
        for k, row in enumerate(rows)
    ]
    title = [element("caption", caption)] if caption else []
    return element("div", element("table", *title, head, element("tbody", *lines)), class_="scroll")


def _cells(name: str, row: Iterable[object], texts: int) -> list[Raw]:
    """Write the cells of a row; those of the columns of texts after the first have a class."""
    return [element(name, each, class_="text" if 0 < k < texts else None) for k, each in enumerate(row)]


def facts(items: Mapping[str, object]) -> Raw:
    """Write names and values as a list; empty values are left out."""
    return element("dl", *(Raw(element("dt", key) + element("dd", value)) for key, value in items.items() if value))


def _style(palette: str) -> Raw:
    """Write the style sheet: colours for light and dark pages, then the rules of all parts."""
    parts = [_variables(":root", palette, False), RULES.replace("FONT", FONT)]
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
body{margin:0;background:var(--paper);color:var(--ink);font:16px/1.55 FONT}
main{max-width:60rem;margin:0 auto;padding:2.5rem 1.5rem 4rem}
.kind{margin:0;color:var(--muted);font-size:.8rem;letter-spacing:.08em;text-transform:uppercase}
h1{margin:.1em 0 .6em;font-size:1.9rem;line-height:1.2;text-wrap:balance}
h2{margin:2.4em 0 .7em;font-size:1.15rem;border-bottom:1px solid var(--line);padding-bottom:.3em}
.answer{background:var(--soft);border-left:4px solid var(--fact);border-radius:4px;padding:.9em 1.1em;font-size:1.08rem;margin:0}
.words p{margin:.7em 0}
.picture svg{max-width:100%;height:auto;display:block;margin:0 auto}
.scroll{overflow-x:auto}
table{width:100%;border-collapse:collapse;font-size:.9rem;font-variant-numeric:tabular-nums}
th{font-weight:600;color:var(--muted);text-align:right;vertical-align:bottom;min-width:5.2rem;max-width:11rem}
th,td{padding:.38em .8em;border-bottom:1px solid var(--line)}
td{text-align:right;white-space:nowrap}
th:first-child,td:first-child{text-align:left;padding-left:0;white-space:normal}
th.text,td.text{text-align:left;white-space:normal}
.inner{padding-left:1.6em}
.for-fact{color:var(--fact)}
.for-foil{color:var(--foil)}
.asked{outline:2px solid var(--ink);outline-offset:3px;border-radius:2px;font-weight:700}
small{color:var(--muted)}
caption{text-align:left;font-weight:600;padding:.3em 0}
tr.protected{font-weight:700;background:var(--marked)}
figure{margin:1em 0;display:flex;flex-wrap:wrap;gap:1rem}
.note{color:var(--muted);font-size:.9rem}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.35em 1.4em;background:var(--soft);border-radius:6px;padding:1.1em 1.3em;font-size:.9rem;margin:0}
dt{color:var(--muted)}
dd{margin:0;overflow-wrap:anywhere}
@media (max-width:36rem){dl{display:block}dd{margin-bottom:.6em}}
@media print{main{max-width:none;padding:0}section,tr,svg{break-inside:avoid}h2{break-after:avoid}body{font-size:11pt}*{print-color-adjust:exact;-webkit-print-color-adjust:exact}}
@media print{.scroll{overflow:visible}table{font-size:8.5pt}th{min-width:0}th,td{padding:.3em .5em}.picture svg{max-height:215mm}}
@page{margin:18mm}
""".strip()  # noqa: E501 # one rule a line
