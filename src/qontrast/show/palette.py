"""The colours of every picture, by what they mean.

Blue is the fact, orange the foil, in boxes and bars alike; green and red belong to edges alone, since an attacker of
the foil *helps* the fact. No meaning rests on hue alone: attacks are dashed, bars point to the topic that they favour.

>>> find_palette("colour-blind").attack
'#bf5200'
"""

from __future__ import annotations

from colorsys import hls_to_rgb, rgb_to_hls
from dataclasses import dataclass, replace

from ..errors import unknown_name

TEXT_CONTRAST, SHAPE_CONTRAST = 4.5, 3.0  # WCAG 2.2, criteria 1.4.3 and 1.4.11


@dataclass(frozen=True)
class Palette:
    """One colour for each meaning."""

    ink: str = "#0f172a"  # text
    muted: str = "#5b6676"  # secondary text
    line: str = "#cbd5e1"  # hairlines
    outline: str = "#64748b"  # of a box
    topic: str = "#1e293b"  # outline of a topic that is neither fact nor foil
    paper: str = "#ffffff"  # behind everything
    fill: str = "#6a91cd"  # of a box, the denser the stronger
    track: str = "#e2e8f0"  # of the gauge in a box
    fact: str = "#1d4ed8"
    foil: str = "#c2410c"
    fact_soft: str = "#6b8ef0"  # the effect on the fact alone
    foil_soft: str = "#d97a2b"
    fact_ink: str = "#1e40af"  # the same hue, dark enough to read
    foil_ink: str = "#b23c06"
    attack: str = "#c92a2a"
    support: str = "#27803a"
    group_1: str = "#e9dcf7"  # bands behind groups: purple, yellow, teal, pink, brown, grey
    group_2: str = "#f8f2cc"
    group_3: str = "#cdebe6"
    group_4: str = "#fadbe7"
    group_5: str = "#eaddcf"
    group_6: str = "#dde3ea"

    def __getitem__(self, meaning: str) -> str:
        colour: str = getattr(self, meaning)
        return colour


LIGHT = Palette()
DARK = Palette(
    ink="#f1f5f9",
    muted="#a3b0c2",
    line="#475569",
    outline="#7c8aa0",
    topic="#e2e8f0",
    paper="#0f172a",
    fill="#3f78c4",
    track="#334155",
    fact="#60a5fa",
    foil="#fb923c",
    fact_soft="#3a66b4",
    foil_soft="#9c5621",
    fact_ink="#93c5fd",
    foil_ink="#fdba74",
    attack="#ff8787",
    support="#69db7c",
    group_1="#3a2a55",
    group_2="#3d3817",
    group_3="#12433d",
    group_4="#512338",
    group_5="#432f1e",
    group_6="#2b3648",
)
GROUP_COLOURS = tuple(f"group_{k}" for k in range(1, 7))  # further groups begin again with the first
# the hues of Okabe and Ito, which the common kinds of colour blindness keep apart; darker, to stand out from white
SAFE = {"fact": "#0072b2", "foil": "#a86f00", "attack": "#bf5200", "support": "#00805e"}
PALETTES: dict[str, tuple[Palette, Palette]] = {
    "default": (LIGHT, DARK),
    "colour-blind": (
        replace(
            LIGHT,
            **SAFE,
            fact_soft="#4a9bc9",
            foil_soft="#c08a20",
            fact_ink="#005a8c",
            foil_ink="#8a5f00",
            fill="#8191a6",
        ),
        replace(
            DARK,
            fact="#56b4e9",
            foil="#e69f00",
            attack="#ff8c42",
            support="#3ddbae",
            fact_soft="#2f6a90",
            foil_soft="#86620f",
            fact_ink="#8fd0f5",
            foil_ink="#f0c04a",
            fill="#64748b",
        ),
    ),
}


def find_palette(palette: str = "default", dark: bool = False) -> Palette:
    """The colours of that name, for a light or a dark page."""
    if palette not in PALETTES:
        raise unknown_name(palette, PALETTES, "palette")
    return PALETTES[palette][dark]


def name_ink(colour: str) -> str:
    """Name the colour of a text about something of that colour."""
    return f"{colour}_ink" if colour in ("fact", "foil") else colour


def find_luminance(colour: str) -> float:
    """The relative luminance of a colour `#rrggbb` as WCAG defines it: 0 is black, 1 is white."""
    parts = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in _split(colour)]
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]


def find_contrast(colour: str, other: str) -> float:
    """The contrast of two colours as WCAG defines it, from 1 to 21.

    >>> find_contrast("#ffffff", "#000000")
    21.0
    """
    dark, light = sorted((find_luminance(colour), find_luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def stand_out(colour: str, papers: tuple[str, ...], contrast: float) -> str:
    """The colour, made darker or lighter until it has that contrast to each paper.

    >>> stand_out("#1d4ed8", ("#ffffff",), 4.5), stand_out("#fdba74", ("#ffffff",), 3.0)
    ('#1d4ed8', '#e47603')
    """
    hue, light, full = rgb_to_hls(*_split(colour))
    step = 0.01 if max(map(find_luminance, papers)) < 0.18 else -0.01
    while min(find_contrast(colour, paper) for paper in papers) < contrast and 0 < light < 1:
        light = min(1.0, max(0.0, light + step))
        colour = "#" + "".join(f"{round(255 * part):02x}" for part in hls_to_rgb(hue, light, full))
    return colour


def _split(colour: str) -> tuple[float, float, float]:
    red, green, blue = (int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5))
    return red, green, blue


def write_style(colours: Palette, inside: str = "") -> str:
    """The same colours as style rules for the classes of our SVG: they win over the colours written into it.

    A page that has a dark mode draws once and puts `write_style(find_palette(dark=True))` under its media query.
    """
    names = ("ink", "muted", "paper", "fill", "track", "fact", "foil", "fact_soft", "foil_soft", "fact_ink", "foil_ink")
    rules = [f".qx-{each.replace('_', '-')}{{fill:{colours[each]}}}" for each in (*names, *GROUP_COLOURS)]
    kinds = {"attack": "attack", "support": "support", "fact-edge": "fact", "foil-edge": "foil", "muted-edge": "muted"}
    for kind, meaning in kinds.items():
        rules.append(f".qx-{kind} .qx-stroke{{stroke:{colours[meaning]}}}")
        rules.append(f".qx-{kind} .qx-head{{fill:{colours[meaning]}}}")
        rules.append(f".qx-{kind} .qx-weight{{fill:{colours[name_ink(meaning)]}}}")
    for kind in ("outline", "topic", "fact", "foil", "line", "ink"):
        rules.append(f".qx-{kind}-line{{stroke:{colours[kind]}}}")
    return "\n".join(f"{inside} {rule}".strip() for rule in rules)
