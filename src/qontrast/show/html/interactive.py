"""Controls of a report: sliders, removals, topics and quick methods, by a script and data inside the page."""

from __future__ import annotations

import base64
import hashlib
import json
from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np

from ..._version import __version__
from ...attribution.methods import METHODS
from ...explain.contrast import Contrast
from ...graph.labels import label_text, quote_label, visible
from ...semantics import SEMANTICS, Semantics
from ..narrative import MIN_REASON_SHARE
from ..phrasing import Language
from .parts import NO_SCRIPTS, Raw, element

MAX_ARGUMENTS = 500
MAX_BYTES = 400_000  # of a page with controls
QUICK_METHODS = ("removal", "gradient")
PHRASES = (
    *("and", "amount", "same", "tied", "ahead", "behind", "close.ahead", "close.behind", "reasons", "favour", "none"),
    *("no reason", "number.undefined", "live.heading", "live.start", "live.quick", "live.fact", "live.foil"),
    *("live.rather", "live.method", "live.removal", "live.gradient", "live.reset", "live.remove", "live.remove.name"),
    *("live.find", "live.undefined", "live.unknown", "live.gone", "live.picture", "live.picture.values"),
    *("graph.node", "graph.ghost", "graph.role.fact", "graph.role.foil", "graph.role.topic"),
)
RULES = """
.live{background:var(--soft);border-radius:8px;padding:.2em 1.3em 1.2em;margin-top:2em}
.live h2{margin-top:1em}
.live .rows{display:block}
.live .rows svg{height:.8rem}
.live .zero{fill:var(--muted)}
.live .fact{fill:var(--fact)}
.live .foil{fill:var(--foil)}
.live .answer{background:var(--paper);position:sticky;top:0;z-index:1}
.live [hidden]{display:none}
.live select,.live button,.live input[type=search]{font:inherit;font-size:.9rem;max-width:100%;padding:.25em .5em;color:inherit;background:var(--paper);border:1px solid var(--muted);border-radius:5px}
.ask{display:flex;flex-wrap:wrap;align-items:center;gap:.45em .6em}
.live button:disabled{color:var(--muted)}
.try{display:grid;grid-template-columns:minmax(0,1fr) minmax(0,1fr);gap:1rem 2.2rem;margin-top:.8em}
.sliders{max-height:30rem;overflow-y:auto;scrollbar-gutter:stable}
.slider{display:grid;grid-template-columns:minmax(0,1fr) auto;gap:0 1em;align-items:center;padding:.35em .2em;font-size:.9rem;font-variant-numeric:tabular-nums;border-bottom:1px solid var(--line)}
.slider input[type=range]{width:100%;accent-color:var(--fact)}
.slider .numbers{text-align:right}
.slider.moved{font-weight:600}
.slider.moved input[type=range]{accent-color:var(--foil)}
.qx-graph .gone{opacity:.2}
.qx-graph .removed text{fill:var(--muted)}
.qx-graph .edited text:not([font-weight]){font-weight:700}
.follows{display:none}
.moved .follows{display:block}
.exact{display:none;border-left:4px solid var(--fact);padding-left:1em}
.moved .exact{display:block}
@media screen and (max-width:36rem){.try{display:block}.sliders{max-height:24rem}.slider input[type=range]{height:2rem}.live{padding:.2em .8em 1em;margin-left:-.5rem;margin-right:-.5rem}}
@media print{.live,.moved .exact,.moved .follows{display:none}}
""".strip()  # noqa: E501 # one rule a line


def add_controls(page: str, why: Contrast, semantics: str | Semantics | None, solver: str, to: Language) -> str:
    """Add controls to the page of a contrast, or a note why it has none."""
    note = find_obstacle(why, semantics, to)
    if not note:
        inside = page.replace("</body>", f"{write_controls(why, solver, to)}</body>", 1)
        inside = inside.replace(NO_SCRIPTS, f"script-src {hash_script()}", 1)
        if len(inside.encode()) < MAX_BYTES:
            return inside
        note = to.say("live.size", limit=MAX_BYTES // 1000)
    return page.replace("</main>", f"{element('p', note, class_='note')}</main>", 1)


def find_obstacle(why: Contrast, semantics: str | Semantics | None, to: Language) -> str:
    """Say why a page has no controls; nothing where it can have them."""
    if len(why.qbaf) > MAX_ARGUMENTS:
        return to.count("live.large", len(why.qbaf), limit=MAX_ARGUMENTS)
    known = semantics is None or isinstance(semantics, str) or semantics in SEMANTICS.values()
    return "" if known and why.semantics in SEMANTICS else to.say("live.semantics", semantics=visible(why.semantics))


def write_controls(why: Contrast, solver: str, to: Language) -> str:
    """Write the style, the data and the script of the controls."""
    data = json.dumps(describe(why, solver, to), ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
    return (
        f'{element("style", Raw(RULES))}\n<script type="application/json" id="qx-data">{data}</script>\n'
        f'<script type="module">{read_script()}</script>\n'
    )


@cache
def read_script() -> str:
    """Read the engine of the explorer and the controls, which are one module in the page."""
    package = files("qontrast")
    parts = [package / "web" / "static" / "engine.js", package / "show" / "html" / "report.js"]
    return "\n".join(part.read_text(encoding="utf-8") for part in parts)


@cache
def hash_script() -> str:
    """Compute the source of the script for a Content-Security-Policy."""
    digest = hashlib.sha256(read_script().encode()).digest()
    return f"'sha256-{base64.b64encode(digest).decode()}'"


def describe(why: Contrast, solver: str, to: Language) -> dict[str, Any]:
    """Describe a question by numbers of arguments, with the phrases that the controls fill in."""
    qbaf = why.qbaf
    names = list(qbaf)
    edges: dict[str, list[list[float]]] = {"attacks": [], "supports": []}
    for source, target, weight in zip(qbaf.sources.tolist(), qbaf.targets.tolist(), qbaf.weights.tolist(), strict=True):
        kind = "attacks" if np.signbit(weight) else "supports"
        edges[kind].append([source, target] if abs(weight) == 1 else [source, target, abs(weight)])
    topics = list(dict.fromkeys([why.fact, why.foil, *qbaf.topics]))
    ranked = [name for name, _ in why.ranked()] if why.players.kind == "arguments" else []
    texts = {key: to.phrases[key] for key in PHRASES}
    for method in QUICK_METHODS:
        texts[f"lead.{method}"] = to.text(METHODS[method].lead)
    entry = METHODS.get(why.method)
    made = to.text(entry.title) if entry else why.method
    return {
        "labels": [label_text(qbaf, name) for name in names],
        "names": [to.name(quote_label(qbaf, name)) for name in names],
        "base": [float(qbaf.base_scores[name]) for name in names],
        **edges,
        "topics": [qbaf.index(name) for name in topics],
        "alphabet": sorted(range(len(names)), key=lambda k: str(names[k])),
        "order": [qbaf.index(name) for name in ranked],
        "fact": qbaf.index(why.fact),
        "foil": qbaf.index(why.foil),
        "semantics": why.semantics,
        "solver": solver,
        "decimal": to.decimal,
        "share": MIN_REASON_SHARE,
        "texts": texts | {"live.exact": to.say("live.exact", method=made, version=__version__)},
    }
