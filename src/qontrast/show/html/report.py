"""A contrast as one page to print or send: question, answer, graph, bars, table, all pairs, flip, and how it was made.

The page is self-contained: no script, no request, no font. It is light or dark as the reader's system is, and stays
under 200 kB: where a graph is too large for that, its picture shows fewer arguments and says so. Two runs on the same
input give the same page, byte for byte, unless a date is asked for.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from math import copysign, isnan
from typing import Any

from ..._version import __version__
from ...attribution.methods import DEFAULT, METHODS, contributions, value_title
from ...engine.problem import MAX_STEPS, Strengths, strengths
from ...explain.contrast import Contrast, subtract
from ...explain.pairs import Pairs
from ...explain.wording import TIE, number, shares
from ...graph.labels import called, label_and_name
from ...graph.qbaf import Qbaf
from ...semantics import Semantics
from ...types import Method, Name
from ..bar_rows import beside, rows
from ..narrative import answer, context
from ..palette import named, style
from ..svg.bars import bars_svg
from ..svg.elements import FONT, Raw, element
from ..svg.graph import graph_svg

LARGEST = 195_000  # bytes
ROWS = 200  # of the table


def report_html(
    qbaf: Qbaf,
    fact: Name,
    foil: Name,
    method: str | Method = DEFAULT,
    semantics: str | Semantics | None = None,
    *,
    solver: str = "discrete",
    max_steps: int = MAX_STEPS,
    flip: object | None = None,
    palette: str = "default",
    date: str | None = None,
    **settings: Any,
) -> str:
    """The whole page. The caller gives `flip`, what would make the foil win, and the date, if they are wanted."""
    topics = list(dict.fromkeys([*qbaf.topics, fact, foil]))
    phi = contributions(
        qbaf, topics, method=method, semantics=semantics, solver=solver, max_steps=max_steps, **settings
    )
    why, pairs = subtract(phi, fact, foil), Pairs(phi=phi)
    solved = strengths(qbaf, semantics=phi.problem.semantics, solver=solver, max_steps=max_steps)
    for most in (80, 60, 40, 25, 12):
        page = _page(why, pairs, solved, flip, palette, date, most)
        if len(page.encode()) <= LARGEST:
            break
    return page


def _page(
    why: Contrast, pairs: Pairs, solved: Strengths, flip: object | None, palette: str, date: str | None, most: int
) -> str:
    qbaf = why.qbaf
    fact, foil = called(qbaf, why.fact), called(qbaf, why.foil)
    question = f"Why is {fact} rated below {foil}?" if why.gap < -TIE else f"Why {fact} rather than {foil}?"
    picture = graph_svg(
        qbaf, why.strengths, fact=why.fact, foil=why.foil, contributions=why, most=most, palette=palette
    )
    difference = "What made the difference" if shares(why) else "What the gap depends on"
    body = [
        element("p", "Contrastive explanation", class_="kind"),
        element("h1", question),
        element("p", " ".join(answer(why)), class_="answer"),
        element("div", *(element("p", each) for each in context(why)), class_="words"),
        _section("The graph", element("div", Raw(picture), class_="picture")),
        _section(difference, element("div", Raw(bars_svg(why, width=720, palette=palette)), class_="picture")),
        _section("In numbers", _numbers(why)),
        _section("All pairs", _all_pairs(pairs, why)),
    ]
    if flip is not None:
        loser = called(qbaf, getattr(flip, "foil", why.foil))
        body.append(_section(f"What would make {loser} win?", *_flip(flip, qbaf)))
    body.append(_section("How this was made", _method(why, solved, date)))
    head = element("head", Raw('<meta charset="utf-8">'), Raw(VIEWPORT), element("title", question), _style(palette))
    page = element("html", head, element("body", element("main", *(Raw(f"{each}\n") for each in body))), lang="en")
    return f"<!DOCTYPE html>\n{page}\n"


VIEWPORT = '<meta name="viewport" content="width=device-width, initial-scale=1">'


def _section(title: str, *content: object) -> Raw:
    return element("section", element("h2", title), *content)


def _numbers(why: Contrast) -> Raw:
    """Contrast and individual values of the arguments that do anything, the strongest first."""
    found, rest = rows(why, ROWS)
    fact, foil = called(why.qbaf, why.fact), called(why.qbaf, why.foil)
    heads = [
        "Argument",
        "Base score",
        "Strength",
        value_title(why.method, combined=why.combined).capitalize(),
        f"on {fact}",
        f"on {foil}",
    ]
    body: list[Iterable[object]] = []
    for row in [*found, *beside(why)]:
        base = "" if row.name is None else number(why.qbaf.base_scores[row.name])
        own = "" if row.name is None else number(why.strengths[row.name])
        body.append([row.label_and_name, base, own, element("b", row.written, class_=_side(row.value)), *row.effects])
    note = f"{len(rest)} more arguments contribute less." if rest else ""
    return element("div", _table(heads, body), *([element("p", note, class_="note")] if note else []))


def _side(value: float) -> str:
    return "" if isnan(value) or value == 0 else "for-fact" if value > 0 else "for-foil"


def _all_pairs(pairs: Pairs, why: Contrast) -> Raw:
    names = [label_and_name(pairs.phi.problem.qbaf, topic) for topic in pairs.topics]
    gaps = pairs.gaps.tolist()
    body: list[Iterable[object]] = []
    for i, topic in enumerate(pairs.topics):
        cells: list[object] = [element("b", names[i])]
        for j, other in enumerate(pairs.topics):
            text = "·" if i == j else "tied" if abs(gaps[i][j]) <= TIE else number(gaps[i][j], "+")
            asked = " asked" if (topic, other) == (why.fact, why.foil) else ""
            side = "" if i == j or text == "tied" else _side(gaps[i][j])
            cells.append(element("span", text, class_=f"{side}{asked}".strip()))
        body.append(cells)
    heads = ["Gap of row over column", *names]
    return _table(heads, body)


def _flip(flip: object, qbaf: Qbaf) -> list[Raw]:
    """What a flip says of itself; its changes of base scores as a table, where it has any."""
    parts = [element("p", str(flip))]
    change = getattr(flip, "change", None)
    if isinstance(change, Mapping) and change:
        body: list[Iterable[object]] = [
            [label_and_name(qbaf, x), number(old), number(new)] for x, (old, new) in change.items()
        ]
        parts.append(_table(["Argument", "Base score", "would have to be"], body))
    return parts


def _method(why: Contrast, solved: Strengths, date: str | None) -> Raw:
    entry = METHODS.get(why.method)
    steps = f"{solved.steps:,} update{'' if solved.steps == 1 else 's'}"
    facts = {
        "Method": entry.title if entry else why.method,
        "Measures": entry.measures if entry else "",
        "Promises": entry.promises if entry else "",
        "Computed by": f"{why.way}; {why.evaluations:,} evaluations" if why.evaluations > 1 else why.way,
        "Semantics": why.semantics,
        "Strengths": f"{solved.solver}, {steps}, residual {number(solved.residual)}",
        "Left of the gap": f"{_rounded(why.residual)} (gap − base gap − contributions − cross-topic component)",
        "Sampling error": ""
        if why.std_error is None
        else f"at most {number(max(why.std_error.values(), default=0.0))}",
        "Graph": f"{len(why.qbaf)} arguments, {len(why.qbaf.attacks)} attacks, {len(why.qbaf.supports)} supports",
        "SHA-256 of the graph": fingerprint(why.qbaf),
        "Made with": f"qontrast {__version__}",
        "Date": date or "",
    }
    return element("dl", *(Raw(element("dt", key) + element("dd", value)) for key, value in facts.items() if value))


def _rounded(residual: float) -> str:
    return "0, up to rounding" if abs(residual) <= TIE else number(residual, "+")


def fingerprint(qbaf: Qbaf) -> str:
    """The SHA-256 of the graph: equal graphs have equal ones, in whatever order they were given.

    >>> q = Qbaf({"a": 0.5, "b": 0.25}, attacks=[("a", "b")])
    >>> fingerprint(q) == fingerprint(Qbaf({"b": 0.25, "a": 0.5}, attacks=[("a", "b")]))
    True
    """
    ends = zip(qbaf.sources.tolist(), qbaf.targets.tolist(), qbaf.weights.tolist(), strict=True)
    names = qbaf.arguments
    edges = [(str(names[i]), str(names[j]), "attack" if copysign(1, w) < 0 else "support", abs(w)) for i, j, w in ends]
    data = {
        "arguments": sorted((str(name), float(score)) for name, score in qbaf.base_scores.items()),
        "edges": sorted(edges),
        "labels": sorted((str(name), label) for name, label in qbaf.labels.items()),
        "topics": [str(topic) for topic in qbaf.topics],
        "semantics": qbaf.semantics,
    }
    return hashlib.sha256(json.dumps(data, sort_keys=True).encode()).hexdigest()


def _table(heads: Iterable[str], body: Iterable[Iterable[object]]) -> Raw:
    head = element("tr", *(element("th", each) for each in heads))
    lines = [Raw(element("tr", *(element("td", each) for each in row)) + "\n") for row in body]
    return element("div", element("table", element("thead", head), element("tbody", *lines)), class_="scroll")


def _style(palette: str) -> Raw:
    parts = [_variables(":root", palette, False), RULES.replace("FONT", FONT)]
    parts.append("@media screen and (prefers-color-scheme: dark){" + _variables(":root", palette, True))
    parts.append(style(named(palette, dark=True)) + "}")
    return element("style", Raw("\n".join(parts)))


def _variables(where: str, palette: str, dark: bool) -> str:
    colours = named(palette, dark)
    names = {"ink": "ink", "muted": "muted", "line": "line", "paper": "paper", "fact": "fact_ink", "foil": "foil_ink"}
    soft = "#1e293b" if dark else "#f1f5f9"
    inner = "".join(f"--{key}:{getattr(colours, field)};" for key, field in names.items())
    return f"{where}{{color-scheme:{'dark' if dark else 'light'};{inner}--soft:{soft}}}"


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
th{font-weight:600;color:var(--muted);text-align:right;vertical-align:bottom;max-width:11rem}
th,td{padding:.38em .8em;border-bottom:1px solid var(--line)}
td{text-align:right;white-space:nowrap}
th:first-child,td:first-child{text-align:left;padding-left:0;white-space:normal}
.for-fact{color:var(--fact)}
.for-foil{color:var(--foil)}
.asked{outline:2px solid var(--ink);outline-offset:3px;border-radius:2px;font-weight:700}
.note{color:var(--muted);font-size:.9rem}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.35em 1.4em;background:var(--soft);border-radius:6px;padding:1.1em 1.3em;font-size:.9rem;margin:0}
dt{color:var(--muted)}
dd{margin:0;overflow-wrap:anywhere}
@media (max-width:36rem){dl{display:block}dd{margin-bottom:.6em}}
@media print{main{max-width:none;padding:0}section{break-inside:avoid}body{font-size:11pt}*{print-color-adjust:exact;-webkit-print-color-adjust:exact}}
@page{margin:18mm}
""".strip()  # noqa: E501 # one rule a line
