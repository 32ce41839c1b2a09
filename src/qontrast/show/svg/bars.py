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
from ...graph.labels import isolate_text, label_text
from ..arcs import END, MAX_ARCS, Arc, find_arcs, find_room
from ..bar_rows import Row, find_notes, find_parts, find_rows, name_favoured
from ..palette import Palette, find_palette
from ..phrasing import choose, name_value
from .elements import Drawing, Raw, compact, element, picture, shorten_text, text_width, wrap_label, wrap_text

ROW, TYPE, SMALL = 42.0, 13.0, 11.5
MARGIN = 16.0
SLIM, SLIM_ARCS = 440.0, 0.2  # pixels of a narrow picture, and the share of its width that arcs may take there


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
    arcs, shrink = find_arcs(interactions, why, drawn, to, limit=MAX_ARCS if width > SLIM else 3), 1.0
    if arcs and width <= SLIM:
        shrink = min(1.0, SLIM_ARCS * width / find_room(arcs))
        arcs = find_arcs(interactions, why, drawn, to, limit=3, shrink=shrink, row=ROW)
    whole, width = width, width - (shrink * find_room(arcs) + (1 - shrink) * END)
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
    drawing.parts += _arcs(arcs, width - MARGIN + 6, colours, shrink)
    for text, ink in find_notes(why, rest, drawn, to, index=interactions.index if arcs and interactions else ""):
        top += 4
        for line in wrap_text(text, whole - 2 * MARGIN, SMALL, limit=3):
            top += 14.5
            drawing.text(MARGIN, top, line, ink, SMALL)
    what = name_value(why.method, players=why.players.kind, combined=why.combined, language=language)
    title = to.say("bars.title", fact=isolate_text(fact), foil=isolate_text(foil), what=what, method=why.method)
    return picture(whole, top + 12, title, *drawing.parts, class_="qx-bars", id=id, role="group")


def _bar(
    row: Row, top: float, scale: Callable[[float], float], colours: Palette, label_width: float, width: float
) -> Raw:
    drawing = Drawing(colours, element("title", row.words))
    middle = top + ROW / 2 + 3
    lines = wrap_label(row.lines, label_width - 12, TYPE)
    for k, line in enumerate(lines):
        drawing.text(MARGIN, middle + 15 * (k - (len(lines) - 1) / 2), line, "ink", TYPE)
    dashed = {"class_": "qx-hollow", "stroke_width": 1.4, "stroke_dasharray": "3 2"}
    for bar in row.bars:
        start, end = sorted((scale(0), scale(bar.value)))
        style: dict[str, Any] = {"line": bar.colour, **dashed} if bar.hollow else {}
        place = start, top + ROW * bar.top, max(end - start, 0.75 if bar.value else 0.0), ROW * bar.height
        drawing.bar(*place, None if bar.hollow else bar.colour, 1.5, **style)
    if row.whiskers:
        low, high = (compact(scale(end)) for end in row.whiskers)
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


def _arcs(arcs: Sequence[Arc], start: float, colours: Palette, shrink: float) -> list[Raw]:
    """Draw the lines of all arcs, then their numbers."""
    lines, texts = [], Drawing(colours)
    for arc in arcs:
        far, row = arc.number_place
        far *= shrink
        upper, lower, middle = (34.0 + ROW * (place + 0.5) + 3 for place in (arc.upper, arc.lower, row))
        drawing, handle = Drawing(colours, element("title", arc.words)), compact(start + shrink * arc.reach * 4 / 3)
        d = f"M{compact(start)} {compact(upper)}C{handle} {compact(upper)} {handle} {compact(lower)} {compact(start)} "
        drawing.line(d + compact(lower), arc.colour, arc.width, fill="none")
        value: Any = {"data_value": repr(arc.value), "role": "img", "aria_label": arc.words}
        lines.append(element("g", *drawing.parts, class_="qx-arc", **value))
        room = text_width(arc.text, SMALL) + 4
        texts.bar(start + far - room / 2, middle - 8, room, 16, "paper", 3)
        texts.text(start + far, middle + 4, arc.text, f"{arc.colour}_ink", SMALL, "middle", 600)
    return [*lines, *texts.parts]
