"""A contrast as bars: what each argument does to the gap, and beside it what it does to each topic alone.

A thick bar takes the colour of the topic that it favours and points to it; green and red are for edges, since an
attacker of the foil helps the fact. Sampled values carry whiskers of two standard errors. Where a slope does not
exist, both one-sided values are drawn hollow and the word *kink* stands for the number.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import isnan

from ...explain.contrast import Contrast
from ...graph.labels import label_text
from ..bar_rows import Row, find_parts, find_rows
from ..narrative import name_value
from ..numbers import number
from ..palette import Palette, find_palette
from ..phrasing import Language, choose
from ..statements import are_shares, find_order
from .elements import Raw, compact, element, picture, shorten_text, text_width, wrap_text, write_text

ROW, TYPE, SMALL = 42.0, 13.0, 11.5
MARGIN = 16.0


def bars_svg(
    why: Contrast,
    *,
    limit: int = 20,
    width: float = 640.0,
    palette: str = "default",
    dark: bool = False,
    id: str = "qx-bars",
    language: str = "en",
) -> str:
    """Draw a contrast as an SVG picture of bars, the strongest first.

    A thick bar is the contribution to the contrast, in the colour of the topic that it favours; thin bars below it are
    the effects on each topic alone. Sampled values carry whiskers of two standard errors.

    Parameters
    ----------
    why : Contrast
        The contrast.
    limit : int
        Bars to draw; the picture says how many are left out.
    width : float
        Pixels; the height follows.
    palette : str
        A name from PALETTES.
    dark : bool
        Whether the colours are for a dark page.
    id : str
        The `id` of the `svg` element, which must be unique in a page.
    language : str
        "en" or "de".

    Returns
    -------
    str
        The picture as SVG text.

    Raises
    ------
    UnknownName
        If there is no such palette or language.

    Examples
    --------
    >>> from qontrast import contrast, examples
    >>> bars_svg(contrast(examples.load("zebra"), "zebra", "horse"))[:40]
    '<svg xmlns="http://www.w3.org/2000/svg" '
    """
    colours, to = find_palette(palette, dark), choose(language)
    first, rest = find_rows(why, limit, to)
    others = find_parts(why, to)
    drawn = [*first, *others]
    label_width = min(0.36 * width, max([60.0, *(text_width(row.label, TYPE) for row in drawn)]) + 14)
    value_width = max([50.0, *(1.15 * text_width(row.text, TYPE) for row in drawn)]) + 10
    left, right = MARGIN + label_width, width - MARGIN - value_width
    values = [value for row in drawn for value in row.values]
    low, high = min([0.0, *values]), max([0.0, *values])
    room = 0.12 * (high - low) or 1.0  # for the head of a side that has no bar
    low, high = min(low, -room), max(high, room)
    scale = _Scale(left, right, low, high)
    parts: list[object] = list(_heading(why, scale, colours, width))
    top = 34.0
    for row in drawn:
        if others and row is others[0]:
            parts.append(_rule(MARGIN, width - MARGIN, top, colours))
        parts.append(_bar(row, top, scale, colours, label_width, width))
        top += ROW
    parts.append(
        element(
            "path",
            d=f"M{compact(scale(0))} 28V{compact(top)}",
            class_="qx-ink-line",
            stroke=colours.ink,
            stroke_width=1,
        )
    )
    for text, ink in _notes(why, rest, drawn, to):
        top += 4
        for line in wrap_text(text, width - 2 * MARGIN, SMALL, limit=3):
            top += 14.5
            parts.append(write_text(MARGIN, top, line, ink, colours, SMALL))
    fact, foil = label_text(why.qbaf, why.fact), label_text(why.qbaf, why.foil)
    what = name_value(why.method, combined=why.combined, language=language)
    title = to.say("bars.title", fact=fact, foil=foil, what=what, method=why.method)
    return picture(width, top + 12, title, *parts, class_="qx-bars", id=id, role="group")


@dataclass(frozen=True)
class _Scale:
    left: float
    right: float
    low: float
    high: float

    def __call__(self, value: float) -> float:
        return self.left + (value - self.low) / (self.high - self.low) * (self.right - self.left)


def _heading(why: Contrast, scale: _Scale, colours: Palette, width: float) -> list[Raw]:
    """Which side is whose."""
    zero = scale(0)
    fact, foil = label_text(why.qbaf, why.fact), label_text(why.qbaf, why.foil)
    return [
        write_text(
            zero - 8,
            18,
            "◂ " + shorten_text(foil, (zero - 8 - MARGIN) / 1.1 - 16, SMALL),
            "foil_ink",
            colours,
            SMALL,
            "end",
            700,
        ),
        write_text(
            zero + 8,
            18,
            shorten_text(fact, (width - MARGIN - zero - 8) / 1.1 - 16, SMALL) + " ▸",
            "fact_ink",
            colours,
            SMALL,
            "start",
            700,
        ),
    ]


def _bar(row: Row, top: float, scale: _Scale, colours: Palette, label_width: float, width: float) -> Raw:
    parts = [element("title", row.words)]
    middle = top + ROW / 2
    lines = wrap_text(row.label, label_width - 12, TYPE, limit=2)
    for k, line in enumerate(lines):
        parts.append(write_text(MARGIN, middle + 3 + 15 * (k - (len(lines) - 1) / 2), line, "ink", colours, TYPE))
    if isnan(row.value):
        for k, side in enumerate(row.sides or ()):
            parts.append(_piece(scale, side, top + 6 + 8 * k, 7, "fact" if side > 0 else "foil", colours, hollow=True))
    else:
        parts.append(_piece(scale, row.value, top + 6, 15, "fact" if row.value > 0 else "foil", colours))
    for k, (value, role) in enumerate(((row.fact, "fact_soft"), (row.foil, "foil_soft"))):
        if not isnan(value):
            parts.append(_piece(scale, value, top + 23 + 6.5 * k, 5.5, role, colours))
    if row.error is not None and not isnan(row.value):
        low, high = scale(row.value - 2 * row.error), scale(row.value + 2 * row.error)
        y = top + 13.5
        d = f"M{compact(low)} {compact(y)}H{compact(high)}M{compact(low)} {compact(y - 4)}V{compact(y + 4)}"
        d += f"M{compact(high)} {compact(y - 4)}V{compact(y + 4)}"
        parts.append(element("path", d=d, class_="qx-ink-line qx-error", stroke=colours.ink, stroke_width=1.3))
    ink = "ink" if isnan(row.value) or row.value == 0 else "fact_ink" if row.value > 0 else "foil_ink"
    parts.append(write_text(width - MARGIN, middle + 3, row.text, ink, colours, TYPE, "end", 600))
    return element(
        "g",
        *parts,
        class_=f"qx-bar{' qx-cross' if row.name is None else ''}",
        data_name=row.name,
        data_value=None if isnan(row.value) else repr(row.value),
        role="img",
        aria_label=row.words,
    )


def _piece(
    scale: _Scale, value: float, y: float, height: float, role: str, colours: Palette, *, hollow: bool = False
) -> Raw:
    low, high = sorted((scale(0), scale(value)))
    frame = {"x": low, "y": y, "width": max(high - low, 0.0 if value == 0 else 0.75), "height": height, "rx": 1.5}
    if hollow:
        line = {"stroke": getattr(colours, role), "stroke_width": 1.4, "stroke_dasharray": "3 2"}
        return element("rect", **frame, class_=f"qx-{role}-line qx-hollow", fill="none", **line)
    return element("rect", **frame, class_=f"qx-{role.replace('_', '-')}", fill=getattr(colours, role))


def _rule(left: float, right: float, y: float, colours: Palette) -> Raw:
    d = f"M{compact(left)} {compact(y)}H{compact(right)}"
    return element("path", d=d, class_="qx-line-line", stroke=colours.line, stroke_width=1, stroke_dasharray="2 3")


def _notes(why: Contrast, rest: list[Row], drawn: list[Row], to: Language) -> list[tuple[str, str]]:
    """Write what stands under the bars: what is left out, what they add up to, how to read them."""
    notes = []
    if rest:
        most = max((abs(row.value) for row in rest if not isnan(row.value)), default=0.0)
        key = "bars.rest" if most else "bars.rest.nothing"
        notes.append((to.count(key, len(rest), most=to.number(number(most))) + ".", "muted"))
    if not drawn:
        notes.append((to.say("bars.none"), "muted"))
    if are_shares(why) and why.fact != why.foil:
        gap = find_order(why).gap  # with the digits of the sentence
        notes.append((to.say("bars.sum", gap=to.number(f"−{gap}" if why.gap < 0 and gap != "0" else gap)), "ink"))
    what = name_value(why.method, combined=why.combined, language=to.code)
    notes.append((to.say("bars.legend", what=what), "muted"))
    if why.std_error is not None:
        notes.append((to.say("bars.sampled"), "muted"))
    if any(isnan(row.value) for row in drawn):
        notes.append((to.say("bars.hollow"), "muted"))
    return notes
