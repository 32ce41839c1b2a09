"""Fonts of matplotlib's figures: how wide a character is, and which installed font has it."""

from __future__ import annotations

import unicodedata
import warnings
from collections.abc import Iterable
from functools import lru_cache

from matplotlib import __version_info__, rcParams
from matplotlib.font_manager import FontProperties, findfont, fontManager, get_font
from matplotlib.ft2font import FT2Font
from matplotlib.text import Text

from ...errors import FontWarning
from ..svg.elements import text_width

ISOLATES = "\u2068\u2069"
IGNORED = f"\n\u200c\u200d\ufe0e\ufe0f{ISOLATES}"  # have no shape of their own
# scripts by the first word of the names of their characters; others: Noto Sans with the name of the script
FONT_OF = {
    **dict.fromkeys(
        ("CJK", "HIRAGANA", "KATAKANA", "HANGUL", "IDEOGRAPHIC", "FULLWIDTH", "HALFWIDTH"), "Noto Sans CJK"
    ),
    "emoji": "Noto Emoji",
}
MISSING = 1.15  # the width of the box that stands for a character without a font
PREFERRED = ("DejaVu Sans", "Noto Sans", "Noto", "Liberation Sans", "Arial", "Droid", "Source Han", "Symbola")


def draws_both_ways() -> bool:
    """Whether matplotlib arranges text from right to left, so that isolates mean something; before it draws boxes."""
    return __version_info__ >= (3, 11)


def find_advance(char: str, bold: bool = False) -> float:
    """How wide a character is in the font of the settings of matplotlib, as a share of the size of type."""
    return _find_advance(char, tuple(rcParams["font.family"]), tuple(rcParams["font.sans-serif"]), bold)


@lru_cache(4096)
def _find_advance(char: str, family: tuple[str, ...], sans: tuple[str, ...], bold: bool) -> float:
    if unicodedata.combining(char) or char in IGNORED:
        return 0.0
    font = _open_font(bold)
    if not font.get_char_index(ord(char)):
        covered = any(char in has for _, has in list_fonts(len(fontManager.ttflist)))
        return text_width(char, 1.0) if covered else MISSING  # of a font that is not known yet
    font.set_size(100, 72)
    return float(font.load_char(ord(char)).linearHoriAdvance) / 65536 / 100


def _open_font(bold: bool = False) -> FT2Font:
    return get_font(findfont(FontProperties(weight="bold" if bold else "normal")))


def set_fonts(texts: Iterable[Text]) -> None:
    """Give texts with characters that the usual font lacks other fonts that have them.

    Characters that no installed font has are named in one FontWarning.
    """
    usual = _open_font()
    missing = {text: {char for char in text.get_text() if not _is_known(char, usual)} for text in texts}
    chars = set().union(*missing.values())
    if chars:
        families = [*rcParams["font.family"], *_cover("".join(sorted(chars)), len(fontManager.ttflist))]
        for text in (text for text, lacks in missing.items() if lacks):
            text.set(fontfamily=families, fontweight="normal")  # few fonts of other scripts are bold


def _is_known(char: str, font: FT2Font) -> bool:
    return char in IGNORED or bool(font.get_char_index(ord(char)))


@lru_cache(256)  # also makes one note of many
def _cover(chars: str, fonts: int) -> tuple[str, ...]:
    """Families that have these characters; looks at all installed fonts, which takes a moment once."""
    left, found = set(chars), []
    while left:
        name, covered = max(
            ((name, left & has) for name, has in list_fonts(fonts)), key=lambda each: len(each[1]), default=("", set())
        )
        if not covered:
            warnings.warn(FontWarning(_write_note(left)), stacklevel=2)
            break
        found.append(name)
        left -= covered
    return tuple(found)


@lru_cache(1)
def list_fonts(fonts: int) -> list[tuple[str, frozenset[str]]]:
    """The characters of every installed family with upright shapes, the preferred families first."""
    upright = {each.name: each.fname for each in fontManager.ttflist if each.style == "normal"}
    upright = {name: file for name, file in upright.items() if not name.startswith("Last Resort")}  # has boxes only
    names = sorted(upright, key=lambda name: (_rank(name), name))
    found = []
    for name in names:
        try:
            found.append((name, frozenset(map(chr, get_font(upright[name]).get_charmap()))))
        except (OSError, RuntimeError):  # a file that is gone, or that FreeType cannot read
            continue
    return found


def _rank(name: str) -> int:
    return next((k for k, start in enumerate(PREFERRED) if name.startswith(start)), len(PREFERRED))


def _write_note(chars: Iterable[str]) -> str:
    """Write which scripts have no font, and what to install."""
    scripts = sorted({name_script(char) for char in chars})
    fonts = sorted({FONT_OF.get(script, f"Noto Sans {script.title()}") for script in scripts})
    shown = "".join(sorted(chars)[:8])
    return (
        f"no installed font has the characters {shown} ({', '.join(scripts)}); install {', '.join(fonts)} and delete "
        "the folder that matplotlib.get_cachedir() names, or write SVG, which the browser shows in its own fonts"
    )


def name_script(char: str) -> str:
    """Name the script of a character: "ARABIC", "CJK", "emoji".

    >>> [name_script(char) for char in "語ه🦓"]
    ['CJK', 'ARABIC', 'emoji']
    """
    if unicodedata.category(char) in ("So", "Sk", "Cn"):
        return "emoji"
    return unicodedata.name(char, "unknown").split()[0].split("-")[0]
