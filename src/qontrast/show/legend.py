"""The legend of a picture of a graph: what lines, numbers and colours mean, and how many arguments are not shown."""

from __future__ import annotations

from dataclasses import dataclass
from math import isnan

from .phrasing import Language
from .scene import Scene
from .svg.elements import text_width, wrap_text

SIZE = 11.5  # of type
SAMPLE, GAP = 40.0, 18.0  # the room of the sample of a line, and between two entries


@dataclass(frozen=True)
class Entry:
    """A text in a row of the legend, after the sample of a line of that kind."""

    x: float
    text: str
    kind: str = ""  # "support", "attack" or "": no sample
    valued: bool = False  # whether edges have the colour of the topic that they favour
    ink: str = "muted"

    @property
    def start(self) -> float:
        """Where the text begins."""
        return self.x + SAMPLE * bool(self.kind)


def find_legend(
    made: Scene, solved: bool, to: Language, *, room: float | None = None, size: float = SIZE
) -> tuple[list[list[Entry]], float]:
    """List the rows of the legend, which are no wider than the room, and say how wide they are."""
    valued = any(arrow.value is not None for arrow in made.arrows)
    kinds = [kind for kind in ("support", "attack") if any(arrow.kind == kind for arrow in made.arrows)]
    items = [(to.say(f"graph.{kind}"), kind, "muted") for kind in kinds]
    items.append((to.say("graph.legend" if solved else "graph.legend.base"), "", "muted"))
    notes = [(to.say("graph.legend.edges"), "muted")] if valued else []
    if any(node.strength is not None and isnan(node.strength) for node in made.nodes):
        notes.append((to.say("graph.legend.undefined"), "muted"))
    if any(band.value is not None for band in made.bands):
        notes.append((to.say("graph.legend.groups"), "muted"))
    if made.hidden:
        notes.append((to.count("graph.hidden", made.hidden), "ink"))
    rows: list[list[Entry]] = [[]]
    end = wide = 0.0
    for text, kind, ink in items:
        length = SAMPLE * bool(kind) + text_width(text, size)
        if room is not None and end and end + length > room:
            rows.append([])
            end = 0.0
        if room is not None and length > room:
            notes.insert(0, (text, ink))
            continue
        rows[-1].append(Entry(end, text, kind, valued, ink))
        wide, end = max(wide, end + length), end + length + GAP
    lines = [(line, ink) for text, ink in notes for line in (wrap_text(text, room, size) if room else (text,))]
    rows += [[Entry(0.0, line, ink=ink)] for line, ink in lines]
    return [row for row in rows if row], max([wide, *(text_width(line, size) for line, _ in lines)])
