"""The few elements of SVG that our pictures need, and text that fits where it is put.

Everything that comes from a label goes through `escape`. Nothing here writes a style attribute or a style element:
colours are presentation attributes beside a class, so a page may restyle a picture, and a strict
Content-Security-Policy lets it through.

>>> element("text", "a < b", x=1.25, class_="qx-ink")
'<text x="1.25" class="qx-ink">a &lt; b</text>'
>>> wrap_text("Sixty arguments on three answers", 70, 13)
('Sixty', 'arguments', 'on three', 'answers')
"""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Callable, Sequence
from functools import lru_cache

from ...graph.labels import isolate_text
from ..palette import Palette

FONT = "system-ui, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, 'DejaVu Sans', sans-serif"
FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")  # not allowed in XML
SPECIAL = re.compile(f"[&<>\"']|{FORBIDDEN.pattern}")
NARROW, WIDE = set("iljtfrI.,:;'|!()[]/ "), set("mwMW@%—")


class Raw(str):
    """Text that is markup already, made by this module."""


def escape(text: object) -> str:
    """Write any text as content or attribute of XML; characters that XML forbids become �."""
    written = str(text)
    return html.escape(clean(written)) if SPECIAL.search(written) else written  # most texts have nothing to replace


def clean(text: str) -> str:
    """The text without the characters that neither XML nor a font knows."""
    return FORBIDDEN.sub("\ufffd", text)


def element(name: str, *content: object, **attributes: object) -> Raw:
    """One element. An underscore in an attribute becomes a hyphen, at its end it is dropped; None is left out."""
    written = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{_value(value)}"'
        for key, value in attributes.items()
        if value is not None and value != ""
    )
    inside = "".join(each if isinstance(each, Raw) else escape(each) for each in content)
    return Raw(f"<{name}{written}>{inside}</{name}>" if content else f"<{name}{written}/>")


def _value(value: object) -> str:
    return compact(value) if isinstance(value, float) else escape(value)


def compact(number: float) -> str:
    """Two decimals at most, none that are zero: what a pixel needs. Last bits do not choose between 0.12 and 0.13.

    >>> compact(12.0), compact(0.126), compact(-0.001)
    ('12', '0.13', '0')
    """
    text = f"{round(number, 9):.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def picture(width: float, height: float, title: str, *content: object, class_: str, id: str, role: str = "img") -> str:
    """The whole document: it scales down to the place that it is given, and reads itself out by its title."""
    inside = [element("title", title, id=f"{id}-title"), *content]
    return element(
        "svg",
        *(Raw(f"{each}\n") for each in inside),
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {compact(width)} {compact(height)}",
        width=width,
        height=height,
        class_=class_,
        id=id,
        role=role,
        aria_labelledby=f"{id}-title",
        font_family=FONT,
    )


class Drawing:
    """A growing list of elements in the colours of a palette, given by their names.

    Its class is that of its colour (`qx-fact-ink`, and `qx-fact-line` for a line), so that a page may repaint it.
    """

    def __init__(self, colours: Palette, *parts: Raw) -> None:
        self.colours, self.parts = colours, list(parts)

    def add(self, name: str, *content: object, **attributes: object) -> None:
        """Add an element."""
        self.parts.append(element(name, *content, **attributes))

    def text(
        self,
        x: float,
        y: float,
        text: str,
        colour: str,
        size: float,
        anchor: str = "start",
        weight: int | None = None,
        class_: str = "",
    ) -> None:
        """Write a text on the baseline `y`."""
        font = {"text_anchor": anchor, "font_size": size, "font_weight": weight}
        self.add(
            "text",
            isolate_text(text),
            x=x,
            y=y,
            **font,
            class_=class_ or _name_class(colour),
            fill=self.colours[colour],
        )

    def bar(
        self,
        x: float,
        y: float,
        width: float,
        height: float,
        colour: str | None,
        radius: float = 0.0,
        line: str | None = None,
        class_: str = "",
        **attributes: object,
    ) -> None:
        """Draw a rectangle; without a colour it is hollow."""
        frame = {"x": x, "y": y, "width": width, "height": height, "rx": radius or None}
        classes = [_name_class(colour) if colour else "", f"{_name_class(line)}-line" if line else "", class_]
        paint = {"fill": self.colours[colour] if colour else "none", "stroke": self.colours[line] if line else None}
        self.add("rect", **frame, class_=" ".join(filter(None, classes)), **paint, **attributes)

    def line(self, d: str, colour: str, width: float = 1, class_: str = "", **attributes: object) -> None:
        """Draw a path."""
        classes = f"{_name_class(colour)}-line {class_}".strip()
        self.add("path", d=d, class_=classes, stroke=self.colours[colour], stroke_width=width, **attributes)


def _name_class(colour: str) -> str:
    return f"qx-{colour.replace('_', '-')}"


def text_width(text: str, size: float) -> float:
    """About how wide a text is in a sans-serif font of that size; rather too wide than too narrow.

    >>> text_width("illicit", 10) < text_width("MAMMOTH", 10) < text_width("ゼブラゼブラゼ", 10)
    True
    """
    return sum(map(_advance, text)) * size


@lru_cache(1024)  # asked for each character of each label, which are few different ones
def _advance(char: str) -> float:
    if unicodedata.combining(char):
        return 0.0
    if unicodedata.east_asian_width(char) in "WF":
        return 1.08
    if char in NARROW:
        return 0.36
    if char in WIDE:
        return 0.95
    return 0.69 if char.isupper() else 0.59


def wrap_text(
    text: str, width: float, size: float, limit: int = 4, advance: Callable[[str], float] = _advance
) -> tuple[str, ...]:
    """The text in lines of that width, at most so many; what is left out is an ellipsis.

    `advance` gives the width of a character as a share of the size.
    """
    lines: list[str] = []
    rest = " ".join(text.split())
    while rest and len(lines) < limit - 1:
        cut = _fitting(rest, width, size, advance)
        if cut < len(rest):  # else all of it fits
            blank = rest.rfind(" ", 0, cut + 1)
            part = 1 + max(rest.rfind(sign, 0, cut) for sign in "-_/")  # of a word that is wider than the line
            cut = blank if blank > 0 else part if part > 1 else cut
        lines.append(rest[:cut])
        rest = rest[cut:].lstrip()
    return (*lines, shorten_text(rest, width, size, advance)) if rest or not lines else tuple(lines)


def wrap_label(parts: Sequence[str], width: float, size: float) -> tuple[str, ...]:
    """A label of one or two parts in two lines at most: a line for each of two parts that do not fit on one.

    >>> wrap_label(("It has stripes", "→ It is a zebra"), 100, 13)
    ('It has stripes', '→ It is a zebra')
    """
    whole = " ".join(parts)
    if len(parts) == 1 or text_width(whole, size) <= width:
        return wrap_text(whole, width, size, limit=2)
    return tuple(shorten_text(part, width, size) for part in parts)


def shorten_text(text: str, width: float, size: float, advance: Callable[[str], float] = _advance) -> str:
    """The text on one line, cut with an ellipsis where it is wider."""
    text = " ".join(text.split())
    if _fitting(text, width, size, advance) == len(text):
        return text
    return text[: _fitting(text, width - advance("…") * size, size, advance)].rstrip() + "…"


def _fitting(text: str, width: float, size: float, advance: Callable[[str], float]) -> int:
    """How many characters fit, at least one if there are any; looks no further than that."""
    wide = 0.0
    for cut, char in enumerate(text):
        wide += advance(char)
        if wide * size > width:
            return max(1, cut)
    return len(text)
