"""How the names and labels of arguments are written: in tables, in pictures and in sentences.

Every text that a user sees goes through `visible`, so that a label can neither control the terminal nor hide in it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

from ..types import Name

if TYPE_CHECKING:
    from .qbaf import Qbaf

MAX_CHARACTERS = 40  # of a label in a sentence
CUTS = (MAX_CHARACTERS, 22, 30, 44)  # to how many characters labels are shortened in texts
# control characters, surrogates, characters of no width, marks of direction, fillers: what prints as nothing
HIDDEN = re.compile(
    "[\x00-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f"
    "\u2800\u3164\ud800-\udfff\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\ufffe\uffff\U000e0000-\U000e0fff]"
)
JOINERS = "\u200c\u200d\ufe0f"  # belong to Arabic and Indian scripts and to emoji, and are seen there
JOINED = re.compile("[\u0600-\u0dff\u1000-\u109f\u2190-\u2bff\ufe0f\U0001f000-\U0001faff]")
RIGHT_TO_LEFT = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff]")
ENDS = re.compile("^([◂→] )?(.*?)( ▸)?$", re.DOTALL)  # a label between the marks of a picture
WORD = re.compile(r"[^\W\d][\w-]*")  # what needs no quotation marks


def visible(text: object) -> str:
    r"""Write a text so that all of it can be seen.

    Control characters, line breaks, characters of no width and marks of writing direction become the escapes that
    Python uses (`\n`, `\x1b`, `\u202e`); a backslash stays a backslash. A blank text stands in quotation marks.

    >>> print(visible("red\x1b[31m"), visible("two\nlines"), visible("evil\u202etxt"), visible("  "), visible("naïve"))
    red\x1b[31m two\nlines evil\u202etxt “  ” naïve
    """
    shown = HIDDEN.sub(_escape, str(text))
    return shown if shown.strip() else f"“{shown}”"


def _escape(found: re.Match[str]) -> str:
    char, before, after = found[0], found.string[: found.start()][-1:], found.string[found.end() :][:1]
    if char in JOINERS and JOINED.match(before) and (char == "\ufe0f" or JOINED.match(after)):
        return char
    return char.encode("unicode_escape").decode()


def isolate_text(text: str) -> str:
    r"""Isolate a text that has letters from right to left from what stands beside it; marks of a picture stay outside.

    >>> isolate_text("abc"), isolate_text("\u25c2 \u05d0\u2026") == "\u25c2 \u2068\u05d0\u2026\u2069"
    ('abc', True)
    """
    return ENDS.sub("\\1\u2068\\2\u2069\\3", text, count=1) if RIGHT_TO_LEFT.search(text) else text


def find_right_to_left(qbaf: Qbaf) -> re.Pattern[str] | None:
    """Match the labels of a graph that have letters from right to left, whole or shortened; None if there are none."""
    labels = {visible(qbaf.label(name)) for name in (*qbaf.arguments, *qbaf.groups)}
    turned = [label for label in labels if RIGHT_TO_LEFT.search(label)]
    found = {text for label in turned for text in (label, *(shorten(label, width) for width in CUTS))}
    longest_first = sorted(found, key=lambda text: (-len(text), text))
    return re.compile("|".join(map(re.escape, longest_first))) if found else None


def isolate_labels(text: str, turned: re.Pattern[str] | None) -> str:
    r"""Isolate in a text the labels that `find_right_to_left` matches; without one of them, all of the text.

    >>> isolate_labels("1. \u05d0 0.5", re.compile("\u05d0")) == "1. \u2068\u05d0\u2069 0.5"
    True
    """
    if not RIGHT_TO_LEFT.search(text):
        return text
    marked = turned.sub("\u2068\\g<0>\u2069", text) if turned is not None else text
    return isolate_text(text) if marked == text else marked


def label_text(qbaf: Qbaf, name: Name) -> str:
    """Write the label of an argument, for pictures; its name where it has no label."""
    return visible(qbaf.label(name))


def write_contributor(name: object) -> str:
    """Write a contributor by its name: an argument, a group, or an edge, `pcr → flu`."""
    return " → ".join(map(str, name)) if isinstance(name, tuple) else str(name)


def label_and_name(qbaf: Qbaf, name: Name) -> str:
    """Write the label of an argument and the name that one types, for tables: `Positive PCR test [pcr]`."""
    return label_text(qbaf, name) + name_suffix(qbaf, name)


def label_texts(qbaf: Qbaf, names: Iterable[Name]) -> list[tuple[str, str]]:
    """Write the label of each argument, and the name in brackets where that is another text."""
    return [(label_text(qbaf, name), name_suffix(qbaf, name)) for name in names]


def name_suffix(qbaf: Qbaf, name: Name) -> str:
    """Write ` [pcr]`; nothing where the label is the name."""
    if isinstance(name, tuple):
        shown = " → ".join(map(str, name))
        return "" if qbaf.label(name) == shown else f" [{visible(shown)}]"
    return "" if qbaf.label(name) == str(name) else f" [{visible(name)}]"


def quote_label(qbaf: Qbaf, name: Name) -> str:
    """Write an argument as it is called in a sentence.

    A label that is not one word stands in quotation marks. A long one is cut after about 40 characters; where another
    argument would be called the same, the name follows.

    >>> from qontrast import Qbaf
    >>> q = Qbaf({"a": 0.5, "b": 0.5, "1.2": 0.5}, labels={"b": "It has stripes"})
    >>> [quote_label(q, name) for name in q]
    ['a', '“It has stripes”', '“1.2”']
    """
    label = label_text(qbaf, name)
    short = shorten(label)
    if (qbaf.labels or short != label) and qbaf.label_counts[short] > 1:
        suffix = name_suffix(qbaf, name)
        return quote(short) + suffix if suffix else quote(label)
    return quote(short)


def quote(text: str) -> str:
    """Put a text in quotation marks unless it is one word that does not begin with a digit."""
    return text if WORD.fullmatch(text) or (text[:1], text[-1:]) == ("“", "”") else f"“{text}”"


def shorten(text: str, width: int = MAX_CHARACTERS) -> str:
    """Cut a text to so many characters, after a word where there is one.

    >>> shorten("All speech should be free, whoever it may offend.")
    'All speech should be free, whoever it…'
    """
    if len(text) <= width:
        return text
    cut = text.rfind(" ", width // 2, width)
    return text[: cut if cut > 0 else width - 1].rstrip(" ,;:.") + "…"
