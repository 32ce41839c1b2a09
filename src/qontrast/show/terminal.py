"""Results in a terminal, as rich renderables: they fit the width that they are given, and need no colour to be read.

Labels are put in as plain text: square brackets in them are no markup.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import isnan
from typing import TYPE_CHECKING

from ..attribution.methods import value_title
from ..explain.contrast import Contrast
from ..explain.pairs import Pairs, Ranking
from ..explain.wording import TIE, number, sentence
from ..extras import require
from ..graph.labels import label_and_name, label_text, name_suffix, visible
from ..graph.qbaf import Qbaf
from ..types import Name
from .bar_rows import Row, beside, rows

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions, RenderResult
    from rich.table import Table

FACT, FOIL = "bold blue", "bold dark_orange"
EIGHTHS = " ▏▎▍▌▋▊▉"
SHORTEST_BAR, WIDEST_LABEL = 5, 48  # columns
WIDE = 78  # columns from which on the effects on each topic alone are shown too


@dataclass(frozen=True)
class ContrastBars:
    """Bars of a contrast, foil to the left and fact to the right, as wide as the terminal."""

    why: Contrast
    most: int = 20
    words: bool = True  # the sentence below them

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        from rich.cells import cell_len, set_cell_size
        from rich.text import Text

        why, qbaf = self.why, self.why.qbaf
        first, rest = rows(why, self.most)
        drawn = [*first, *beside(why)]
        width, plain = options.max_width, options.ascii_only
        values = max((len(row.written) for row in drawn), default=6)
        alone = 22 if width >= WIDE else 0
        longest = max((cell_len(row.label_and_name) for row in drawn), default=8)
        label = min(longest, max(10, width - values - alone - 4 - 2 * SHORTEST_BAR), WIDEST_LABEL)
        half = max(3, (width - label - values - alone - 4) // 2)
        reach = max(
            (abs(value) for row in drawn for value in (row.value, *(row.sides or ())) if not isnan(value)), default=0
        )
        left, right = ("<", ">") if plain else ("◂", "▸")
        room = label + half - 1, half + values - 1  # a head may stand over the labels and the numbers too
        sides = zip((why.foil, why.fact), room, strict=True)
        foil, fact = (_fit(label_text(qbaf, x), name_suffix(qbaf, x), cells).strip() for x, cells in sides)
        head = Text(" " * (label + 1 + half - cell_len(foil) - 2) + f"{left} {foil}", FOIL)
        head.append(" ")
        head.append(set_cell_size(f"{fact} {right}", half + values + 1), FACT)
        if alone:
            head.append(f"{'on fact':>11}{'on foil':>11}", "dim")
        yield Text(value_title(why.method, combined=why.combined).capitalize(), "dim")
        yield head
        for row in drawn:
            text = Text(_fit(row.label, row.suffix, label, whole=row.name is None) + " ")
            _bar(text, row, half, reach or 1.0, plain)
            text.append(
                f" {row.written.rjust(values)}",
                "" if isnan(row.value) or not row.value else FACT if row.value > 0 else FOIL,
            )
            if alone:
                one, two = row.effects
                text.append(f"{one:>11}{two:>11}", "dim")
            text.no_wrap = True
            yield text
        if rest:
            least = max((abs(row.value) for row in rest if not isnan(row.value)), default=0.0)
            yield Text(f"{len(rest)} more, each at most {number(least)}", "dim")
        if self.words:
            yield Text("")
            yield Text(sentence(why))


def _fit(label: str, suffix: str, width: int, *, whole: bool = False) -> str:
    """Label and name in exactly so many cells, cut or padded: the label is cut first, then the middle of the name."""
    from rich.cells import cell_len, set_cell_size

    room = width - cell_len(suffix) - 1
    if cell_len(label + suffix) <= width:
        text = label + suffix
    elif suffix and room >= 3:
        text = set_cell_size(label, room).rstrip() + "…" + suffix
    else:
        text = suffix.strip() or label
        if cell_len(text) > width:
            tail = "" if whole or width < 6 else text[-(width // 3) :]
            text = set_cell_size(text, width - 1 - cell_len(tail)) + "…" + tail
    return set_cell_size(text, width)


def _bar(text: object, row: Row, half: int, reach: float, plain: bool) -> None:
    """`     ████│          `: one side filled, whichever the value favours."""
    from rich.text import Text

    assert isinstance(text, Text)
    lows = [value for value in (row.value, *(row.sides or ())) if not isnan(value) and value < 0]
    highs = [value for value in (row.value, *(row.sides or ())) if not isnan(value) and value > 0]
    shade = "░" if isnan(row.value) else "█"
    long = abs(min(lows, default=0.0)) / reach * half
    cells = int(long + 0.5)
    mark = "#" if plain else shade
    text.append((mark * cells).rjust(half), FOIL)
    text.append("|" if plain else "│")
    long = max(highs, default=0.0) / reach * half
    whole, part = int(long), int((long - int(long)) * 8)
    tail = "" if plain or isnan(row.value) else EIGHTHS[part].strip()
    text.append((mark * whole + tail).ljust(half)[:half], FACT)


def strengths_table(qbaf: Qbaf, strengths: Mapping[Name, float], *, base: bool = True) -> Table:
    """Every argument with base score → strength, topics first and marked."""
    require("rich", "strengths_table")
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False, header_style="dim")
    table.add_column("argument", overflow="fold")
    for head in ("base score", "strength") if base else ("strength",):
        table.add_column(head, justify="right", no_wrap=True)
    order = [*qbaf.topics, *(name for name in qbaf if name not in set(qbaf.topics))]
    for name in order:
        style = "bold" if name in qbaf.topics else ""
        value = strengths[name]
        cells = [number(qbaf.base_scores[name], digits=4)] if base else []
        cells.append("undefined" if isnan(value) else number(value, digits=4))
        table.add_row(Text(label_and_name(qbaf, name), style), *cells)
    return table


def pairs_table(pairs: Pairs) -> Table:
    """The gap of row over column for every pair of topics; a tie is called so."""
    require("rich", "pairs_table")
    from rich.table import Table
    from rich.text import Text

    qbaf = pairs.phi.problem.qbaf
    table = Table(box=None, pad_edge=False, header_style="dim")
    table.add_column("row over column", overflow="fold")
    for topic in pairs.topics:
        table.add_column(Text(label_and_name(qbaf, topic)), justify="right", overflow="fold")
    gaps = pairs.gaps.tolist()
    for i, topic in enumerate(pairs.topics):
        cells = []
        for j, gap in enumerate(gaps[i]):
            tied = abs(gap) <= TIE
            cells.append(
                Text("·" if i == j else "tied" if tied else number(gap, "+"), "" if tied else FACT if gap > 0 else FOIL)
            )
        table.add_row(Text(label_and_name(qbaf, topic)), *cells)
    return table


def ranking_table(ranking: Ranking) -> Table:
    """Places, topics, strengths, and why each stands before the next."""
    require("rich", "ranking_table")
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False, header_style="dim")
    table.add_column("", justify="right")
    table.add_column("topic", overflow="fold", ratio=1)
    table.add_column("strength", justify="right", no_wrap=True)
    table.add_column("why before the next", overflow="fold", ratio=3)
    for k, topic in enumerate(ranking.order):
        label = label_and_name(ranking.steps[0].qbaf, topic) if ranking.steps else visible(topic)
        reason = sentence(ranking.steps[k]) if k < len(ranking.steps) else ""
        strength = number(ranking.strengths[topic], digits=4)
        table.add_row(f"{ranking.places[k]}.", Text(label, "bold"), strength, Text(reason))
    return table


def contrast_bars(why: Contrast, *, most: int = 20, words: bool = True) -> ContrastBars:
    """The bars of a contrast and its sentence, ready for `rich.print`."""
    return ContrastBars(why, most, words)
