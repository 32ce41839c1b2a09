"""Results in a terminal, as rich renderables: they fit the width that they are given, and need no colour to be read.

Labels are put in as plain text: square brackets in them are no markup.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import isnan
from typing import TYPE_CHECKING

from ..explain.contrast import Contrast
from ..explain.interactions import Interactions
from ..explain.pairs import Pairs
from ..explain.ranking import Ranking
from ..extras import require
from ..graph.labels import label_and_name, label_text, name_suffix
from ..graph.qbaf import Qbaf
from ..results.base import TIE_TOLERANCE
from ..types import Name
from . import interaction_texts
from .bar_rows import Row, find_parts, find_rows, write_gaps, write_rest
from .narrative import sentence
from .numbers import number
from .phrasing import choose, name_value

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions, RenderResult
    from rich.table import Table
    from rich.text import Text

FACT, FOIL = "bold blue", "bold dark_orange"
EIGHTHS = " ▏▎▍▌▋▊▉"
SHORTEST_BAR, WIDEST_LABEL = 5, 48  # columns
WIDE = 78  # columns from which on the effects on each topic alone are shown too


@dataclass(frozen=True)
class ContrastBars:
    """Bars of a contrast, foil to the left and fact to the right, as wide as the terminal."""

    why: Contrast
    limit: int = 20
    words: bool = True  # the sentence below them
    language: str = "en"

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        from rich.cells import cell_len, set_cell_size
        from rich.text import Text

        why, qbaf, to = self.why, self.why.qbaf, choose(self.language)
        first, rest = find_rows(why, self.limit, to)
        drawn = [*first, *find_parts(why, to)]
        width, plain = options.max_width, options.ascii_only
        values = max((len(row.text) for row in drawn), default=6)
        alone = 22 if width >= WIDE else 0
        longest = max((cell_len(row.label_and_name) for row in drawn), default=8)
        label = min(longest, max(10, width - values - alone - 4 - 2 * SHORTEST_BAR), WIDEST_LABEL)
        half = max(3, (width - label - values - alone - 4) // 2)
        reach = max((abs(value) for row in drawn for value in _list_ends(row)), default=0) or 1.0
        left, right = ("<", ">") if plain else ("◂", "▸")
        room = label + half - 1, half + values - 1  # a head may stand over the labels and the numbers too
        sides = zip((why.foil, why.fact), room, strict=True)
        foil, fact = (_fit(label_text(qbaf, x), name_suffix(qbaf, x), cells).strip() for x, cells in sides)
        head = Text(" " * (label + 1 + half - cell_len(foil) - 2) + f"{left} {foil}", FOIL)
        head.append(" ")
        head.append(set_cell_size(f"{fact} {right}", half + values + 1), FACT)
        if alone:
            head.append(f"{to.say('bars.on fact'):>11}{to.say('bars.on foil'):>11}", "dim")
        what = name_value(why.method, players=why.players.kind, combined=why.combined, language=self.language)
        yield Text(what[:1].upper() + what[1:], "dim")
        yield head
        for row in drawn:
            text = Text(_fit(row.label, row.suffix, label, whole=row.name is None) + " ")
            _bar(text, row, half, reach, plain)
            text.append(f" {row.text.rjust(values)}", _colour(row.value))
            if alone:
                one, two = row.effects
                text.append(f"{one:>11}{two:>11}", "dim")
            text.no_wrap = True
            yield text
        if rest:
            yield Text(write_rest(rest, to), "dim")
        if self.words:
            yield Text("")
            yield Text(sentence(why, language=self.language))


def _colour(value: float) -> str:
    return FACT if value > 0 else FOIL if value < 0 else ""


def _start_table(function: str) -> Table:
    require("rich", function)
    from rich.table import Table

    return Table(box=None, pad_edge=False, header_style="dim")


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


def _bar(text: Text, row: Row, half: int, reach: float, plain: bool) -> None:
    """`     ████│          `: one side filled, whichever the value favours."""
    ends = [0.0, *_list_ends(row)]
    mark = "#" if plain else "░" if isnan(row.value) else "█"
    text.append((mark * int(-min(ends) / reach * half + 0.5)).rjust(half), FOIL)
    text.append("|" if plain else "│")
    whole, part = divmod(max(ends) / reach * half, 1)
    tail = "" if plain or isnan(row.value) else EIGHTHS[int(part * 8)].strip()
    text.append((mark * int(whole) + tail).ljust(half)[:half], FACT)


def _list_ends(row: Row) -> list[float]:
    return [value for value in (row.value, *(row.sides or ())) if not isnan(value)]


def strengths_table(qbaf: Qbaf, strengths: Mapping[Name, float], *, base: bool = True, language: str = "en") -> Table:
    """List every argument with base score and strength, topics first and in bold.

    Parameters
    ----------
    qbaf : Qbaf
        The graph.
    strengths : Mapping
        Argument → strength.
    base : bool
        Whether there is a column of base scores.
    language : str
        "en" or "de".

    Returns
    -------
    rich.table.Table
        The table, for `rich.print`.

    Raises
    ------
    ImportError
        If rich is not installed.

    Examples
    --------
    >>> from qontrast import examples, strengths
    >>> q = examples.load("zebra")
    >>> strengths_table(q, strengths(q)).row_count
    5
    """
    table = _start_table("strengths_table")
    from rich.text import Text

    to = choose(language)
    argument, score, strength = to.say("strengths.table").split("|")
    table.add_column(argument, overflow="fold")
    for head in (score, strength) if base else (strength,):
        table.add_column(head, justify="right", no_wrap=True)
    order = [*qbaf.topics, *(name for name in qbaf if name not in set(qbaf.topics))]
    for name in order:
        style = "bold" if name in qbaf.topics else ""
        values = (qbaf.base_scores[name], strengths[name]) if base else (strengths[name],)
        table.add_row(
            Text(label_and_name(qbaf, name), style), *(to.number(number(value, digits=4)) for value in values)
        )
    return table


def pairs_table(pairs: Pairs, *, language: str = "en") -> Table:
    """List the gap of row over column for every pair of topics; a tie is called so.

    Parameters
    ----------
    pairs : Pairs
        What `all_pairs` gives.
    language : str
        "en" or "de".

    Returns
    -------
    rich.table.Table
        The table, for `rich.print`.

    Examples
    --------
    >>> from qontrast import all_pairs, examples
    >>> pairs_table(all_pairs(examples.load("zebra"))).row_count
    3
    """
    table = _start_table("pairs_table")
    from rich.text import Text

    qbaf, to = pairs.qbaf, choose(language)
    table.add_column(to.say("report.corner"), overflow="fold")
    for topic in pairs.topics:
        table.add_column(Text(label_and_name(qbaf, topic)), justify="right", overflow="fold")
    rows = zip(pairs.topics, pairs.gaps.tolist(), write_gaps(pairs, to), strict=True)
    for topic, gaps, texts in rows:
        colours = (_colour(gap) if abs(gap) > TIE_TOLERANCE else "" for gap in gaps)
        table.add_row(Text(label_and_name(qbaf, topic)), *map(Text, texts, colours))
    return table


def ranking_table(ranking: Ranking, *, language: str = "en") -> Table:
    """List places, topics, strengths, and why each stands before the next.

    Parameters
    ----------
    ranking : Ranking
        What `rank` gives.
    language : str
        "en" or "de".

    Returns
    -------
    rich.table.Table
        The table, for `rich.print`.

    Examples
    --------
    >>> from qontrast import examples, rank
    >>> [column.header for column in ranking_table(rank(examples.load("zebra")), language="de").columns]
    ['', 'Thema', 'Stärke', 'warum vor dem nächsten']
    """
    to = choose(language)
    place, topic_head, strength_head, why = to.say("rank.table").split("|")
    table = _start_table("ranking_table")
    from rich.text import Text

    table.add_column(place, justify="right")
    table.add_column(topic_head, overflow="fold", ratio=1)
    table.add_column(strength_head, justify="right", no_wrap=True)
    table.add_column(why, overflow="fold", ratio=3)
    for k, topic in enumerate(ranking.order):
        reason = sentence(ranking.steps[k], language=language) if k < len(ranking.steps) else ""
        strength = to.number(number(ranking.strengths[topic], digits=4))
        table.add_row(
            f"{ranking.places[k]}.", Text(label_and_name(ranking.qbaf, topic), "bold"), strength, Text(reason)
        )
    return table


def interactions_table(found: Interactions, *, limit: int = 20, language: str = "en") -> Table:
    """List the strongest pairs with their interactions, and below them those with the other topic.

    What a pair does is said where its interaction is at least a twentieth of the gap: the two work together for a
    topic, or they overlap.

    Parameters
    ----------
    found : Interactions
        What `interactions` gives.
    limit : int
        Pairs to list; as many with the other topic.
    language : str
        "en" or "de".

    Returns
    -------
    rich.table.Table
        The table, for `rich.print`.

    Raises
    ------
    ImportError
        If rich is not installed.

    Examples
    --------
    >>> from qontrast import examples, interactions
    >>> table = interactions_table(interactions(examples.load("zebra"), "zebra", "horse"))
    >>> [list(column.cells)[0].plain for column in table.columns[2:]]
    ['−0.1250', 'work together for “It is a horse”']
    """
    to = choose(language)
    table = _start_table("interactions_table")
    from rich.text import Text

    for head, justify in zip(to.say("pairs.table").split("|"), ("left", "left", "right", "left"), strict=True):
        table.add_column(head, justify=justify, overflow="fold", no_wrap=justify == "right")  # type: ignore[arg-type]
    for row in interaction_texts.find_rows(found, limit, to)[0]:
        table.add_row(*map(Text, row))
    return table


def contrast_bars(why: Contrast, *, limit: int = 20, words: bool = True, language: str = "en") -> ContrastBars:
    """Draw the bars of a contrast in a terminal, foil to the left and fact to the right.

    Parameters
    ----------
    why : Contrast
        The contrast.
    limit : int
        Bars to draw.
    words : bool
        Whether the sentence stands below them.
    language : str
        "en" or "de".

    Returns
    -------
    ContrastBars
        A renderable for `rich.print`; it takes the width that it is given.

    Examples
    --------
    >>> import io
    >>> from rich.console import Console
    >>> from qontrast import contrast, examples
    >>> out = Console(file=io.StringIO(), width=60)
    >>> out.print(contrast_bars(contrast(examples.load("zebra"), "zebra", "horse"), words=False))
    >>> print(out.file.getvalue().splitlines()[0])
    Share of the gap
    """
    return ContrastBars(why, limit, words, language)
