"""The colours of every picture, by what they mean.

Blue is the fact, orange the foil, in boxes and bars alike; green and red belong to edges alone, since an attacker of
the foil *helps* the fact. No meaning rests on hue alone: attacks are dashed, bars point to the topic that they favour.

>>> find_palette("colour-blind").attack
'#d55e00'
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from ..errors import unknown_name


@dataclass(frozen=True)
class Palette:
    """One colour for each meaning."""

    ink: str = "#0f172a"  # text
    muted: str = "#5b6676"  # secondary text
    line: str = "#cbd5e1"  # hairlines
    outline: str = "#64748b"  # of a box
    topic: str = "#1e293b"  # outline of a topic that is neither fact nor foil
    paper: str = "#ffffff"  # behind everything
    fill: str = "#7da2d6"  # of a box, the denser the stronger
    track: str = "#e2e8f0"  # of the gauge in a box
    fact: str = "#1d4ed8"
    foil: str = "#ea580c"
    fact_soft: str = "#93b4f7"  # the effect on the fact alone
    foil_soft: str = "#fdba74"
    fact_ink: str = "#1e40af"  # the same hue, dark enough to read
    foil_ink: str = "#b23c06"
    attack: str = "#c92a2a"
    support: str = "#2b8a3e"
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
    fact_soft="#31589e",
    foil_soft="#92501f",
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
# the hues of Okabe and Ito, which the common kinds of colour blindness keep apart
SAFE = {"fact": "#0072b2", "foil": "#e69f00", "attack": "#d55e00", "support": "#009e73"}
PALETTES: dict[str, tuple[Palette, Palette]] = {
    "default": (LIGHT, DARK),
    "colour-blind": (
        replace(
            LIGHT,
            **SAFE,
            fact_soft="#8cc4e4",
            foil_soft="#f5d58a",
            fact_ink="#005a8c",
            foil_ink="#8a5f00",
            fill="#9aa8ba",
        ),
        replace(
            DARK,
            fact="#56b4e9",
            foil="#e69f00",
            attack="#ff8c42",
            support="#3ddbae",
            fact_soft="#2b5f80",
            foil_soft="#7d5a10",
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


def write_style(colours: Palette, inside: str = "") -> str:
    """The same colours as style rules for the classes of our SVG: they win over the colours written into it.

    A page that has a dark mode draws once and puts `write_style(find_palette(dark=True))` under its media query.
    """
    names = ("ink", "muted", "paper", "fill", "track", "fact", "foil", "fact_soft", "foil_soft", "fact_ink", "foil_ink")
    rules = [f".qx-{each.replace('_', '-')}{{fill:{colours[each]}}}" for each in (*names, *GROUP_COLOURS)]
    kinds = {"attack": "attack", "support": "support", "fact-edge": "fact", "foil-edge": "foil", "muted-edge": "muted"}
    for kind, meaning in kinds.items():
        colour = colours[meaning]
        rules.append(f".qx-{kind} .qx-stroke{{stroke:{colour}}}")
        rules.append(f".qx-{kind} .qx-head,.qx-{kind} .qx-weight{{fill:{colour}}}")
    for kind in ("outline", "topic", "fact", "foil", "line", "ink"):
        rules.append(f".qx-{kind}-line{{stroke:{colours[kind]}}}")
    return "\n".join(f"{inside} {rule}".strip() for rule in rules)
