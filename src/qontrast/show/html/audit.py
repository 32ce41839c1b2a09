"""An audit as one HTML page: every feature, individual beside contrastive; plots, seeds, and telling instances."""

from __future__ import annotations

from collections.abc import Callable
from math import isnan
from typing import TYPE_CHECKING

from ...auditing.result import LIMITS
from ...errors import count
from ...graph.labels import visible
from ...results.order import sort_by_size
from ..numbers import fixed, significant
from ..phrasing import choose
from ..svg.elements import Raw, element, text_width
from ..uncertainty_texts import write_percent
from .parts import document, isolate, page_table, section

if TYPE_CHECKING:
    from ...auditing.measures import Estimate
    from ...auditing.result import Audit
    from ...auditing.retraining import Runs

PLOT_SIZE, PLOT_MARGIN = 300, 42  # pixels
TYPE = 14  # size of type of a plot: 7 points on paper, where three plots stand beside each other
LABEL_HEIGHT = TYPE  # pixels between two labels of a plot
MAX_LABEL = 18  # characters
PROTECTED, OTHER = "#d97700", "#4477aa"  # colours of points
HEADS = ("feature", "rank, individual", "rank, contrastive", "|φ|, individual", "|φ|, contrastive")


def audit_html(audit: Audit) -> str:
    """Write the whole page."""
    title = visible(f"Why {audit.fact} rather than {audit.foil}: {audit.protected}")
    parts = [
        element("p", "Audit", class_="kind"),
        element("h1", title),
        _summary(audit),
        _plots(audit),
        _features(audit),
        _seeds(audit),
        _telling(audit),
        section(
            "What these figures do and do not show",
            element("ul", *(element("li", visible(each)) for each in LIMITS)),
        ),
    ]
    names = [*audit.network.inputs, *audit.network.classes]
    return isolate(document(title, *(part for part in parts if part)), map(visible, names))


def _summary(audit: Audit) -> Raw:
    changed = choose("en").write(write_percent(audit.changed))
    return element(
        "p",
        *("When ", element("b", visible(audit.protected)), " alone changes, ", element("b", audit.flips)),
        f" of {count(audit.candidates, 'instance')} {visible(audit.asked)} become {visible(audit.foil)} (flip rate ",
        *(element("b", fixed(audit.flip_rate, 2)), "), and "),
        f"{changed} of all {audit.rows} predictions change. Outputs are read as "
        f"{visible(audit.network.readout)}; the inputs are the players; explained is {visible(audit.explains)}.",
        class_="answer",
    )


def _features(audit: Audit) -> Raw:
    intervals = "with 95 % intervals over instances" if len(audit.instances) > 1 else "without intervals"
    means = (
        f"Means over {count(len(audit.instances), 'instance')} ({visible(audit.choice)}), {intervals}. "
        "Rank 1 is the largest absolute contribution; equal ones share the mean of their ranks. The first "
        "feature is the one with the best contrastive rank."
    )
    note = element("p", means if audit.table else "No instance was left to explain.")
    return section("Every feature, individual beside contrastive", note, *(_table(audit, x) for x in audit.table))


def _table(audit: Audit, method: str) -> Raw:
    rows = []
    features = sort_by_size(audit.table[method].items(), lambda item: -item[1].contrastive_rank.mean)
    for name, each in features:
        ranks = (_estimate(cell, 2) for cell in (each.individual_rank, each.contrastive_rank))
        sizes = (_estimate(cell, 4) for cell in (each.individual, each.contrastive))
        rows.append([visible(name), *ranks, *sizes])
    marked = [k for k, (name, _) in enumerate(features) if name == audit.protected]
    return page_table(HEADS, rows, caption=visible(method), marked=marked)


def _estimate(each: Estimate, digits: int) -> Raw:
    return _range(each.mean, each.low, each.high, digits)


def _range(mean: float, low: float, high: float, digits: int) -> Raw:
    """Write a mean, and smaller the interval around it, if there is one."""
    if isnan(low):
        return Raw(fixed(mean, digits))
    return Raw(f"{fixed(mean, digits)} {element('small', f'{fixed(low, digits)}–{fixed(high, digits)}')}")


def _plots(audit: Audit) -> Raw | None:
    if not audit.table:
        return None
    how = "Rank 1 is on top. Above the diagonal the contrast makes a feature more prominent, below it less."
    plots = element("figure", *(_plot(audit, method) for method in audit.table))
    return section("Individual against contrastive rank", element("p", how), plots)


def _plot(audit: Audit, method: str) -> Raw:
    size, edge, most = PLOT_SIZE, PLOT_MARGIN, len(audit.network.inputs)

    def at(rank: float) -> float:
        return edge + (rank - 1) / max(1, most - 1) * (size - 2 * edge)

    low, high, inner = at(1), at(most), size - 2 * edge + 16
    ticks = []
    for k in sorted({1, (1 + most) // 2, most}):
        ticks.append(_text(k, at(k), size - edge + 26, "middle"))
        ticks.append(_text(k, edge - 14, at(k) + 4, "end"))
    line = {"x1": low, "y1": low, "x2": high, "y2": high, "stroke": "#8888", "stroke_dasharray": "4 4"}
    frame = {"x": edge - 8, "y": edge - 8, "width": inner, "height": inner, "fill": "none", "stroke": "#8886"}
    turned = f"rotate(-90 12 {size // 2})"
    return element(
        "svg",
        element("title", f"{visible(method)}: individual against contrastive rank"),
        element("line", **line),
        element("rect", **frame),
        *ticks,
        _text("individual rank", size // 2, size - 2, "middle"),
        _text("contrastive rank", 12, size // 2, "middle", transform=turned),
        _text(visible(method), size // 2, 18, "middle", font_weight="bold"),
        *_points(audit, method, at),
        xmlns="http://www.w3.org/2000/svg",
        role="img",
        width=size,
        height=size,
        viewBox=f"0 0 {size} {size}",
        font_size=TYPE,
        fill="currentColor",
    )


def _text(text: object, x: float, y: float, anchor: str, **more: object) -> Raw:
    return element("text", text, x=x, y=y, text_anchor=anchor, **more)


def _points(audit: Audit, method: str, at: Callable[[float], float]) -> list[Raw]:
    """Draw a point for each feature, and its label where no other label stands."""
    points = sorted(
        (at(each.contrastive_rank.mean), at(each.individual_rank.mean), name)
        for name, each in audit.table[method].items()
    )
    drawn: list[Raw] = []
    taken = [(x - 5, x + 5, y + 4) for y, x, _ in points]  # no label covers a point
    for y, x, name in points:
        protected = name == audit.protected
        label = visible(name if len(name) <= MAX_LABEL else name[: MAX_LABEL - 1] + "…")
        colour, weight = (PROTECTED, "bold") if protected else (OTHER, "normal")
        drawn.append(element("circle", element("title", visible(name)), cx=x, cy=y, r=4, fill=colour))
        place = _find_place(x, y + 4, text_width(label, TYPE) * (1.1 if protected else 1.0), taken)
        if place is not None:  # else the title of the circle names it
            start, left, below = place
            drawn.append(_text(label, start, below, "end" if left else "start", font_weight=weight))
    return drawn


def _find_place(
    x: float, y: float, width: float, taken: list[tuple[float, float, float]]
) -> tuple[float, bool, float] | None:
    """Find where a label hides no other: on the side with more room, as near to its point as it can be, or nowhere."""
    shifts = [sign * k * LABEL_HEIGHT / 2 for k in range(9) for sign in (1, -1)[: 1 + bool(k)]]
    for below in (y + shift for shift in shifts):
        for left in (x > 0.6 * PLOT_SIZE, x <= 0.6 * PLOT_SIZE):
            low, high = (x - 8 - width, x - 8) if left else (x + 8, x + 8 + width)
            inside = low >= PLOT_MARGIN - 12 and high <= PLOT_SIZE and 30 <= below <= PLOT_SIZE - PLOT_MARGIN + 12
            if inside and not any(
                abs(below - other) < LABEL_HEIGHT + 1 and low < end and start < high for start, end, other in taken
            ):
                taken.append((low, high, below))
                return (x - 8 if left else x + 8), left, below
    return None


def _seeds(audit: Audit) -> Raw | None:
    found = (("as trained", audit.runs), (f"null: {visible(audit.protected)} shuffled", audit.null))
    rows = [row for title, runs in found if runs is not None for row in _seed_rows(audit, title, runs)]
    if not rows:
        return None
    how = (
        f"Ranks of {visible(audit.protected)}: mean and range over the networks in which somebody flips. A rank that "
        "the null reaches as well tells nothing."
    )
    heads = ("trained again", "flip rate", "without a flip", "method", "individual", "contrastive")
    return section("Over seeds, and the null", element("p", how), page_table(heads, rows))


def _seed_rows(audit: Audit, title: str, runs: Runs) -> list[list[object]]:
    first = [title, fixed(runs.rate, 2), f"{runs.without_flips} of {len(runs.runs)}"]
    rows: list[list[object]] = []
    for method in audit.methods:
        found = runs.rank(method)
        ranks = ["–", "–"] if found is None else [_range(*each, 2) for each in found]
        rows.append([*first, visible(method), *ranks])
    return rows


def _telling(audit: Audit) -> Raw | None:
    if not audit.telling:
        return None
    names = audit.network.inputs
    rows = [
        [
            each.row,
            *(significant(each.features[name]) for name in names),
            fixed(each.strengths[audit.fact], 3),
            fixed(each.strengths[audit.foil], 3),
            f"{each.individual_rank:g} → {each.contrastive_rank:g}",
        ]
        for each in audit.telling
    ]
    how = (
        f"Those in which the contrast lifts {visible(audit.protected)} most, by {visible(audit.methods[0])}: the "
        "features as the network sees them, both strengths, the rank before and after."
    )
    heads = [visible(each) for each in ("row", *names, audit.fact, audit.foil, "rank")]
    return section("The most telling instances", element("p", how), page_table(heads, rows))
