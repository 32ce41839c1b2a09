"""A contrast as bars: what each argument does to the gap, and beside it what it does to each topic alone.

A thick bar takes the colour of the topic that it favours and points to it; green and red are for edges, since an
attacker of the foil helps the fact. Sampled values carry whiskers of two standard errors. Where a slope does not
exist, both one-sided values are drawn hollow and the word *kink* stands for the number.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import isnan
from typing import Any

from ...explain.contrast import Contrast
from ...explain.interactions import Interactions
from ...graph.labels import label_text
from ..arcs import Arc, find_arcs, find_room
from ..bar_rows import Row, find_parts, find_rows, name_favoured
from ..narrative import are_shares, choose_phrase, find_order
from ..numbers import number
from ..palette import Palette, find_palette
from ..phrasing import Language, choose, name_value
from .elements import Drawing, Raw, compact, element, picture, shorten_text, text_width, wrap_label, wrap_text

ROW, TYPE, SMALL = 42.0, 13.0, 11.5
MARGIN = 16.0


def bars_svg(
    why: Contrast,
    *,
    interactions: Interactions | None = None,
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
    interactions : Interactions, optional
        Those of the same question, `interactions(qbaf, fact, foil)`: the strongest between drawn players are arcs
        beside the bars.
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
    InvalidInput
        If `interactions` are about another question.

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
    arcs = find_arcs(interactions, why, drawn, to)
    whole, width = width, width - find_room(arcs)
    label_width = min(0.36 * width, max([60.0, *(text_width(row.label, TYPE) for row in drawn)]) + 14)
    value_width = max([50.0, *(1.15 * text_width(row.text, TYPE) for row in drawn)]) + 10
    left, right = MARGIN + label_width, width - MARGIN - value_width
    values = [0.0, *(value for row in drawn for value in row.values)]
    room = 0.12 * (max(values) - min(values)) or 1.0  # for the head of a side that has no bar
    low, high = min(*values, -room), max(*values, room)

    def scale(value: float) -> float:
        return left + (value - low) / (high - low) * (right - left)

    drawing = Drawing(colours)
    fact, foil = label_text(why.qbaf, why.fact), label_text(why.qbaf, why.foil)
    before, after = scale(0) - 8, scale(0) + 8  # where the names of the two sides begin
    head = "◂ " + shorten_text(foil, (before - MARGIN) / 1.1 - 16, SMALL)
    drawing.text(before, 18, head, "foil_ink", SMALL, "end", 700)
    head = shorten_text(fact, (width - MARGIN - after) / 1.1 - 16, SMALL) + " ▸"
    drawing.text(after, 18, head, "fact_ink", SMALL, "start", 700)
    top = 34.0
    for row in drawn:
        if others and row is others[0]:
            drawing.line(f"M{compact(MARGIN)} {compact(top)}H{compact(width - MARGIN)}", "line", stroke_dasharray="2 3")
        drawing.parts.append(_bar(row, top, scale, colours, label_width, width))
        top += ROW
    # a page that draws more rows needs the scale
    measures: dict[str, Any] = {"data_unit": f"{scale(1) - scale(0):.9g}", "data_left": left, "data_right": right}
    drawing.line(f"M{compact(scale(0))} 28V{compact(top)}", "ink", class_="qx-axis", **measures)
    drawing.parts += _arcs(arcs, width - MARGIN + 6, colours)
    notes = _notes(why, rest, drawn, to)
    if arcs and interactions is not None:
        notes.append((to.say("bars.arcs", index=interactions.index), "muted"))
    for text, ink in notes:
        top += 4
        for line in wrap_text(text, whole - 2 * MARGIN, SMALL, limit=3):
            top += 14.5
            drawing.text(MARGIN, top, line, ink, SMALL)
    what = name_value(why.method, players=why.players.kind, combined=why.combined, language=language)
    title = to.say("bars.title", fact=fact, foil=foil, what=what, method=why.method)
    return picture(whole, top + 12, title, *drawing.parts, class_="qx-bars", id=id, role="group")


def _bar(
    row: Row, top: float, scale: Callable[[float], float], colours: Palette, label_width: float, width: float
) -> Raw:
    drawing = Drawing(colours, element("title", row.words))
    middle = top + ROW / 2 + 3

    def piece(value: float, y: float, height: float, colour: str | None, **outline: Any) -> None:
        start, end = sorted((scale(0), scale(value)))
        drawing.bar(start, y, max(end - start, 0.75 if value else 0.0), height, colour, 1.5, **outline)

    lines = wrap_label(row.lines, label_width - 12, TYPE)
    for k, line in enumerate(lines):
        drawing.text(MARGIN, middle + 15 * (k - (len(lines) - 1) / 2), line, "ink", TYPE)
    if isnan(row.value):
        for k, side in enumerate(row.sides or ()):
            dashed = {"class_": "qx-hollow", "stroke_width": 1.4, "stroke_dasharray": "3 2"}
            piece(side, top + 6 + 8 * k, 7, None, line=name_favoured(side), **dashed)
    else:
        piece(row.value, top + 6, 15, name_favoured(row.value))
    for k, (value, colour) in enumerate(((row.fact, "fact_soft"), (row.foil, "foil_soft"))):
        if not isnan(value):
            piece(value, top + 23 + 6.5 * k, 5.5, colour)
    if row.error is not None and not isnan(row.value):
        low, high = (compact(scale(row.value + sign * 2 * row.error)) for sign in (-1, 1))
        y, upper, lower = (compact(top + 13.5 + shift) for shift in (0, -4, 4))
        d = f"M{low} {y}H{high}M{low} {upper}V{lower}M{high} {upper}V{lower}"
        drawing.line(d, "ink", 1.3, class_="qx-error")
    ink = f"{name_favoured(row.value)}_ink" if row.value and not isnan(row.value) else "ink"
    drawing.text(width - MARGIN, middle, row.text, ink, TYPE, "end", 600)
    edge = isinstance(row.name, tuple)
    return element(
        "g",
        *drawing.parts,
        class_=f"qx-bar{' qx-cross' if row.name is None else ''}",
        data_name=None if edge else row.name,
        data_source=row.name[0] if edge else None,
        data_target=row.name[1] if edge else None,
        data_value=None if isnan(row.value) else repr(row.value),
        role="img",
        aria_label=row.words,
    )


def _arcs(arcs: Sequence[Arc], start: float, colours: Palette) -> list[Raw]:
    """Draw the lines of all arcs, then their numbers."""
    lines, texts = [], Drawing(colours)
    for arc in arcs:
        far, row = arc.number_place
        upper, lower, middle = (34.0 + ROW * (place + 0.5) + 3 for place in (arc.upper, arc.lower, row))
        drawing, handle = Drawing(colours, element("title", arc.words)), compact(start + arc.reach * 4 / 3)
        d = f"M{compact(start)} {compact(upper)}C{handle} {compact(upper)} {handle} {compact(lower)} {compact(start)} "
        drawing.line(d + compact(lower), arc.colour, arc.width, fill="none")
        value: Any = {"data_value": repr(arc.value), "role": "img", "aria_label": arc.words}
        lines.append(element("g", *drawing.parts, class_="qx-arc", **value))
        room = text_width(arc.text, SMALL) + 4
        texts.bar(start + far - room / 2, middle - 8, room, 16, "paper", 3)
        texts.text(start + far, middle + 4, arc.text, f"{arc.colour}_ink", SMALL, "middle", 600)
    return [*lines, *texts.parts]


def _notes(why: Contrast, rest: list[Row], drawn: list[Row], to: Language) -> list[tuple[str, str]]:
    """Write what stands under the bars: what is left out, what they add up to, how to read them."""
    notes = []
    if rest:
        most = max((abs(row.value) for row in rest if not isnan(row.value)), default=0.0)
        key = "bars.rest" if most else "bars.rest.nothing"
        notes.append((to.count(key, len(rest), most=number(most)) + ".", "muted"))
    if not drawn:
        notes.append((to.say(choose_phrase("bars.none", why)), "muted"))
    if are_shares(why) and why.fact != why.foil:
        gap = find_order(why).fields["gap"]  # with the digits of the sentence
        notes.append((to.say("bars.sum", gap=to.number(f"−{gap}" if why.gap < 0 and gap != "0" else gap)), "ink"))
    what = name_value(why.method, players=why.players.kind, combined=why.combined, language=to.code)
    notes.append((to.say("bars.legend", what=what), "muted"))
    if why.std_error is not None:
        notes.append((to.say("bars.sampled"), "muted"))
    if any(isnan(row.value) for row in drawn):
        notes.append((to.say("bars.hollow"), "muted"))
    return notes
