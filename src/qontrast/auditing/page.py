"""An audit as one HTML page: no scripts, nothing fetched from elsewhere, every label escaped."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from ..graph.labels import visible
from .result import LIMITS
from .statistics import Estimate

if TYPE_CHECKING:
    from .result import Audit
    from .seeds import Runs

STYLE = """
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 62rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; margin: 1rem 0; font-variant-numeric: tabular-nums; }
th, td { padding: .25rem .7rem; text-align: right; border-bottom: 1px solid #8884; }
th:first-child, td:first-child { text-align: left; }
tr.protected { font-weight: bold; background: #d9770022; }
small { color: #777; }
caption { text-align: left; font-weight: bold; padding: .3rem 0; }
.scroll { overflow-x: auto; }
figure { margin: 1rem 0; display: flex; flex-wrap: wrap; gap: 1rem; }
svg text { font: 12px system-ui, sans-serif; fill: currentColor; }
"""
SIZE, EDGE = 300, 42  # of a plot, and of its margins


def _safe(text: object) -> str:
    """Escape a text for HTML, with its hidden characters made visible."""
    return escape(visible(text))


def page(audit: Audit) -> str:
    """The whole page."""
    title = f"Why {audit.fact} rather than {audit.foil}: {audit.protected}"
    parts = [
        f"<h1>{_safe(title)}</h1>",
        _summary(audit),
        "<h2>Every feature, individual beside contrastive</h2>",
        f"<p>Means over {len(audit.instances)} instances ({_safe(audit.choice)}), with 95 % intervals over instances. "
        "Rank 1 is the largest absolute contribution; equal ones share the mean of their ranks.</p>"
        if audit.table
        else "<p>No instance was left to explain.</p>",
        *(_table(audit, method) for method in audit.table),
        _plots(audit),
        _seeds(audit),
        _telling(audit),
        "<h2>What these figures do and do not show</h2>",
        "<ul>" + "".join(f"<li>{_safe(each)}</li>" for each in LIMITS) + "</ul>",
    ]
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{_safe(title)}</title><style>{STYLE}</style></head>\n<body>\n"
        + "\n".join(part for part in parts if part)
        + "\n</body></html>\n"
    )


def _summary(audit: Audit) -> str:
    protected, foil = _safe(audit.protected), _safe(audit.foil)
    return (
        f"<p>When <b>{protected}</b> alone changes, <b>{audit.flips}</b> of {audit.candidates} instances "
        f"{_safe(audit.asked)} become {foil} (flip rate <b>{audit.flip_rate:.2f}</b>), and {audit.changed:.0%} of all "
        f"{audit.rows} predictions change. Outputs are read as {_safe(audit.network.readout)}; the inputs are the "
        f"players; explained is {_safe(audit.explains)}.</p>"
    )


def _table(audit: Audit, method: str) -> str:
    rows = []
    for name, each in audit.table[method].items():
        cells = (each.individual_rank, each.contrastive_rank, each.individual, each.contrastive)
        texts = "".join(f"<td>{_estimate(cell, 2 if k < 2 else 4)}</td>" for k, cell in enumerate(cells))
        kind = ' class="protected"' if name == audit.protected else ""
        rows.append(f"<tr{kind}><td>{_safe(name)}</td>{texts}</tr>")
    head = "".join(
        f"<th>{each}</th>"
        for each in ("feature", "rank, individual", "rank, contrastive", "|φ|, individual", "|φ|, contrastive")
    )
    return (
        f'<div class="scroll"><table><caption>{_safe(method)}</caption><thead><tr>{head}</tr></thead>'
        f"<tbody>{''.join(rows)}</tbody></table></div>"
    )


def _estimate(each: Estimate, digits: int) -> str:
    return f"{each.mean:.{digits}f} <small>{each.low:.{digits}f}–{each.high:.{digits}f}</small>"


def _plots(audit: Audit) -> str:
    if not audit.table:
        return ""
    drawn = "".join(_plot(audit, method) for method in audit.table)
    return (
        "<h2>Individual against contrastive rank</h2><p>Below the diagonal the contrast makes a feature more "
        f"prominent, above it less.</p><figure>{drawn}</figure>"
    )


def _plot(audit: Audit, method: str) -> str:
    most = len(audit.network.inputs)

    def at(rank: float) -> float:
        return EDGE + (rank - 1) / max(1, most - 1) * (SIZE - 2 * EDGE)

    points = sorted(
        (SIZE - at(each.contrastive_rank.mean), at(each.individual_rank.mean), name)
        for name, each in audit.table[method].items()
    )
    marks: list[str] = []
    taken: list[tuple[float, bool]] = []
    for y, x, name in points:
        left = x > SIZE * 0.6  # the label goes to the side with more room
        text_y = y + 4
        while any(abs(text_y - other) < 12 and side == left for other, side in taken):
            text_y += 6
        taken.append((text_y, left))
        colour, weight = ("#d97700", "bold") if name == audit.protected else ("#4477aa", "normal")
        shown = name if len(name) <= 18 else name[:17] + "…"
        marks.append(
            f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" fill="{colour}"><title>{_safe(name)}</title></circle>'
            f'<text x="{x + (-8 if left else 8):.1f}" y="{text_y:.1f}" text-anchor="{"end" if left else "start"}" '
            f'font-weight="{weight}">{_safe(shown)}</text>'
        )
    low, high = at(1), at(most)
    ticks = "".join(
        f'<text x="{at(k):.1f}" y="{SIZE - EDGE + 26}" text-anchor="middle">{k}</text>'
        f'<text x="{EDGE - 14}" y="{SIZE - at(k) + 4:.1f}" text-anchor="end">{k}</text>'
        for k in sorted({1, (1 + most) // 2, most})
    )
    inner, half = SIZE - 2 * EDGE + 16, SIZE // 2
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" width="{SIZE}" height="{SIZE}" '
        f'viewBox="0 0 {SIZE} {SIZE}"><title>{_safe(method)}: individual against contrastive rank</title>'
        f'<line x1="{low:.1f}" y1="{SIZE - low:.1f}" x2="{high:.1f}" y2="{SIZE - high:.1f}" stroke="#8888" '
        f'stroke-dasharray="4 4"/><rect x="{EDGE - 8}" y="{EDGE - 8}" width="{inner}" height="{inner}" fill="none" '
        f'stroke="#8886"/>{ticks}<text x="{half}" y="{SIZE - 2}" text-anchor="middle">individual rank</text>'
        f'<text x="12" y="{half}" text-anchor="middle" transform="rotate(-90 12 {half})">contrastive rank</text>'
        f'<text x="{half}" y="18" text-anchor="middle" font-weight="bold">{_safe(method)}</text>'
        f"{''.join(marks)}</svg>"
    )


def _seeds(audit: Audit) -> str:
    rows = "".join(
        _seed_rows(audit, title, runs)
        for title, runs in (("as trained", audit.runs), (f"null: {audit.protected} shuffled", audit.null))
        if runs is not None
    )
    if not rows:
        return ""
    head = "<th>trained again</th><th>flip rate</th><th>without a flip</th><th>method</th>"
    return (
        f"<h2>Over seeds, and the null</h2><p>Ranks of {_safe(audit.protected)}: mean and range over the networks in "
        "which somebody flips. A rank that the null reaches as well tells nothing.</p>"
        f'<div class="scroll"><table><thead><tr>{head}<th>individual</th><th>contrastive</th></tr></thead>'
        f"<tbody>{rows}</tbody></table></div>"
    )


def _seed_rows(audit: Audit, title: str, runs: Runs) -> str:
    first = f"<td>{_safe(title)}</td><td>{runs.rate:.2f}</td><td>{runs.without_flips} of {len(runs.runs)}</td>"
    rows = []
    for method in audit.methods:
        found = runs.rank(method)
        cells = ["–", "–"] if found is None else [f"{m:.2f} <small>{a:.2f}–{b:.2f}</small>" for m, a, b in found]
        rows.append(f"<tr>{first}<td>{_safe(method)}</td><td>{cells[0]}</td><td>{cells[1]}</td></tr>")
    return "".join(rows)


def _telling(audit: Audit) -> str:
    if not audit.telling:
        return ""
    names = audit.network.inputs
    head = "".join(f"<th>{_safe(name)}</th>" for name in ("row", *names, audit.fact, audit.foil, "rank"))
    rows = "".join(
        f"<tr><td>{each.row}</td>"
        + "".join(f"<td>{each.features[name]:.3g}</td>" for name in names)
        + f"<td>{each.strengths[audit.fact]:.3f}</td><td>{each.strengths[audit.foil]:.3f}</td>"
        + f"<td>{each.individual_rank:g} → {each.contrastive_rank:g}</td></tr>"
        for each in audit.telling
    )
    return (
        f"<h2>The most telling instances</h2><p>Those in which the contrast lifts {_safe(audit.protected)} most, by "
        f"{_safe(audit.methods[0])}: the features as the network sees them, both strengths, the rank before and after."
        f'</p><div class="scroll"><table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></div>'
    )
