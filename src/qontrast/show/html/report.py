"""A contrast as one page: question, answer, graph, bars, tables, all pairs, flip, and how it was made."""

from __future__ import annotations

from dataclasses import dataclass
from math import isnan
from typing import Any

from ..._version import __version__
from ...attribution.methods import DEFAULT, METHODS, MethodEntry
from ...attribution.players import Edges, Groups, PlayersGiven
from ...engine.problem import MAX_STEPS, Strengths, strengths
from ...errors import InvalidInput, TooLarge
from ...explain.contrast import Contrast, contrast
from ...explain.flip import Flip
from ...explain.interactions import Interactions, interactions
from ...explain.robustness import Robustness
from ...explain.uncertainty import Uncertainty, uncertainty
from ...graph.labels import label_and_name, label_text, name_suffix, quote_label, shorten, visible
from ...graph.qbaf import Qbaf
from ...results.base import TIE_TOLERANCE
from ...semantics import Semantics
from ...types import Edge, Method, Name
from ..bar_rows import Row, find_parts, find_rows, join_by_source, write_gap
from ..descriptions import describe_flip
from ..hashing import fingerprint
from ..narrative import find_answer, find_context, write_question
from ..numbers import SHOWN_AS_ZERO, number, significant, write_move
from ..phrasing import Language, are_shares, choose, choose_phrase, name_value, write_size
from ..robustness_texts import describe_robustness
from ..svg.bars import bars_svg
from ..uncertainty_texts import describe_sampling, describe_uncertainty, list_shares
from .interactive import add_controls
from .order import MAX_MINUTES, write_order_sections
from .parts import Raw, document, element, facts, isolate, page_table, section, table
from .pictures import draw_graph, draw_stacked_bars

MAX_BYTES = 195_000  # of a page
MAX_ROWS = 200  # of the table of contributions
MAX_MEMBERS = 12  # of a group that are named in the table
MAX_OPENED = 12  # arguments that open into their edges
MAX_DRAWN_LANES = 1 << 17  # of base scores, to say how sure the order is
MAX_EVALUATIONS = 1 << 17  # of graphs, for interactions and for edges of arguments: about a second each
MAX_LINKED_PLAYERS = 1_000  # whose interactions, one for each two of them, are looked for
DRAWN_ARGUMENTS = (80, 60, 40, 25, 12)  # the picture shows fewer until the page is small enough


def report_html(
    qbaf: Qbaf,
    fact: Name,
    foil: Name,
    *,
    method: str | Method = DEFAULT,
    players: PlayersGiven = "arguments",
    semantics: str | Semantics | None = None,
    solver: str = "discrete",
    max_steps: int = MAX_STEPS,
    flip: Flip | None = None,
    robustness: Robustness | None = None,
    palette: str = "default",
    date: str | None = None,
    language: str = "en",
    interactive: bool = False,
    engine: str | None = None,
    **settings: Any,
) -> str:
    """Write a contrast as one page to print or to send.

    The page has the question, the answer, the graph, bars, a table, all pairs, how sure the order is if base scores
    are uncertain, a flip, and how it was made. Shapley values of arguments open into the edges through which they act
    (Owen values), and the strongest interactions are arcs beside their bars, unless the graph is too large for that.
    Where that is quick to find, the page says which players the order rests on, and whether it depends on the
    semantics.
    The page is self-contained, light or dark as the reader's system is, and stays under 200 kB (400 kB with controls):
    the picture of a graph that is too large for that shows fewer arguments and says so. Two runs on the same input give
    the same page, byte for byte.

    Parameters
    ----------
    qbaf, fact, foil, method, players, semantics, solver, max_steps, **settings
        The question, as in `contrast`.
    flip : Flip or None
        What would make the foil win, if the page shall say so.
    robustness : Robustness or None
        How far base scores may be off before the order changes, if the page shall say so.
    palette : str
        A name from PALETTES.
    date : str, optional
        A date to print at the end.
    language : str
        "en" or "de": the language of sentences, headings and tables. Names and labels stay as they are.
    interactive : bool
        Whether the page has controls, which work without a server: base scores, removals, topics, and quick methods.
        They appear where scripts run, and not on paper; the rest of the page stays as it was computed. Graphs of more
        than 500 arguments and your own semantics have none, and the page says so.
    engine : str, optional
        Who arranges the picture of the graph: "own", which is the default, or "graphviz" (needs pygraphviz).

    Returns
    -------
    str
        The page as HTML.

    Raises
    ------
    UnknownName
        If there is no such palette, language, method, engine or semantics.
    InvalidInput
        If `flip` is not a Flip, or `robustness` not a Robustness.

    Examples
    --------
    >>> from qontrast import examples
    >>> page = report_html(examples.load("zebra"), "zebra", "horse", language="de")
    >>> "<h1>Warum „It is a zebra“ und nicht „It is a horse“?</h1>" in page
    True
    """
    if flip is not None and not isinstance(flip, Flip):
        raise InvalidInput(f"flip is {flip!r}; give a Flip, such as flip(qbaf, fact, foil), or None")
    if robustness is not None and not isinstance(robustness, Robustness):
        raise InvalidInput(
            f"robustness is {robustness!r}; give a Robustness, such as robustness(qbaf, fact, foil), or None"
        )
    solving: Any = {"semantics": semantics, "solver": solver, "max_steps": max_steps}
    why = contrast(qbaf, fact, foil, method=method, players=players, **solving, **settings)
    return write_report(
        why,
        players,
        solving,
        flip=flip,
        robustness=robustness,
        palette=palette,
        date=date,
        language=language,
        engine=engine,
        interactive=interactive,
    )


def write_report(
    why: Contrast,
    players: PlayersGiven,
    solving: dict[str, Any],
    flip: Flip | None = None,
    robustness: Robustness | None = None,
    palette: str = "default",
    date: str | None = None,
    language: str = "en",
    engine: str | None = None,
    interactive: bool = False,
) -> str:
    """Write the page of a contrast that is computed already; `players` and `solving` are what it was asked with."""
    to = choose(language)
    solved = strengths(why.qbaf, **solving)
    opened, sure = _open_into_edges(why, solving), _find_uncertainty(why, solving)
    linked = _find_interactions(why, players, solving)
    order = write_order_sections(why, players, solving, to)
    report = _Report(why, opened, linked, sure, order, solved, flip, robustness, palette, date, to, engine)
    for limit in DRAWN_ARGUMENTS:
        page = report.write(limit)
        if len(page.encode()) <= MAX_BYTES:
            break
    return add_controls(page, why, solving["semantics"], solving["solver"], to) if interactive else page


def _find_uncertainty(why: Contrast, solving: dict[str, Any]) -> Uncertainty | None:
    """Find how sure the order is where base scores are uncertain; by the delta method if draws take too long."""
    if not why.qbaf.uncertain or why.fact == why.foil:
        return None
    try:
        return uncertainty(why.qbaf, why.fact, why.foil, max_evaluations=MAX_DRAWN_LANES, **solving)
    except TooLarge:
        return uncertainty(why.qbaf, why.fact, why.foil, quick=True, **solving)


def _open_into_edges(why: Contrast, solving: dict[str, Any]) -> Contrast | None:
    """Divide Shapley values of arguments among their edges; None for other values, or where it takes too long."""
    if why.players.kind == "edges" and why.method == "owen":
        return why
    if why.players.kind != "arguments" or why.method != "shapley" or why.fact == why.foil:
        return None
    settings: Any = {**solving, "players": "edges", "method": "owen", "max_evaluations": MAX_EVALUATIONS}
    settings["max_minutes"] = MAX_MINUTES
    try:
        return contrast(why.qbaf, why.fact, why.foil, **settings)
    except TooLarge:
        return None


def _find_interactions(why: Contrast, players: PlayersGiven, solving: dict[str, Any]) -> Interactions | None:
    """Find which players work together, where contributions are Shapley values; None where it takes too long."""
    if why.method != "shapley" or why.fact == why.foil or len(why.players) > MAX_LINKED_PLAYERS:
        return None
    try:
        settings: Any = {**solving, "players": players, "max_evaluations": MAX_EVALUATIONS}
        return interactions(why.qbaf, why.fact, why.foil, **settings)
    except TooLarge:
        return None


@dataclass(frozen=True)
class _Report:
    why: Contrast
    opened: Contrast | None  # into edges
    interactions: Interactions | None
    sure: Uncertainty | None
    order: list[Raw]
    solved: Strengths
    flip: Flip | None
    robustness: Robustness | None
    palette: str
    date: str | None
    to: Language
    engine: str | None

    def write(self, limit: int) -> str:
        """Write the page with a picture of at most so many arguments."""
        why, to = self.why, self.to
        question = write_question(why, language=to.code)
        shown: Any = {"palette": self.palette, "language": to.code}
        bars = bars_svg(why, interactions=self.interactions, width=720, **shown)
        difference = to.say("report.difference" if are_shares(why) else "report.dependence")
        body = [
            element("p", to.say("report.kind"), class_="kind"),
            element("h1", question),
            element("p", " ".join(map(to.write, find_answer(why))), class_="answer"),
            element("div", "", *(element("p", each) for each in map(to.write, find_context(why))), class_="words"),
            section(to.say("report.graph"), draw_graph(why, limit, engine=self.engine, **shown)),
            section(
                difference, element("div", Raw(bars), class_="picture broad"), draw_stacked_bars(why, self.palette, to)
            ),
            section(to.say("report.numbers"), *self._numbers()),
        ]
        if self.opened is not None and any(self.opened.values()):
            body.append(section(to.say("report.opened"), *self._opened(self.opened)))
        body.append(section(to.say("report.pairs"), self._pairs()))
        if self.sure is not None:
            body.append(section(to.say("sure.heading"), *self._sure(self.sure)))
        body += self.order
        if self.flip is not None:
            loser = to.name(quote_label(why.qbaf, self.flip.foil))
            body.append(section(to.say("flip.heading", foil=loser), *self._flip(self.flip)))
        if self.robustness is not None:
            safe = describe_robustness(self.robustness, language=to.code)
            body.append(section(to.say("robustness.heading"), element("p", safe)))
        body.append(section(to.say("report.method"), facts(self._facts())))
        page = document(question, *body, palette=self.palette, language=to.code)
        names = [*why.qbaf, *why.qbaf.groups, *(why.players.groups if isinstance(why.players, Groups) else ())]
        labels = {label_text(why.qbaf, name) for name in names} | {visible(name) for name in names}
        return isolate(page, labels | set(map(shorten, labels)))

    def _sure(self, found: Uncertainty) -> list[Raw]:
        """Write how sure the order is, the shares of the uncertain arguments as a table, and how they were found."""
        to = self.to
        rows = [(label_and_name(found.qbaf, x), *cells) for x, cells in list_shares(found, to)[:MAX_ROWS]]
        made = element("p", describe_sampling(found, language=to.code), class_="note")
        said = element("p", describe_uncertainty(found, language=to.code))
        return [said, page_table(to.say("sure.table").split("|"), rows, texts={1}), made]

    def _numbers(self) -> list[Raw]:
        """Write contrast and individual values of the players that do anything, the strongest first."""
        why, to = self.why, self.to
        found, rest = find_rows(why, MAX_ROWS, to)
        value = name_value(why.method, players=why.players.kind, combined=why.combined, language=to.code)
        on = [to.say("report.on", topic=to.name(quote_label(why.qbaf, topic))) for topic in (why.fact, why.foil)]
        described = to.say(choose_phrase("report.table", why)).split("|")
        heads = [*described, value[:1].upper() + value[1:], *on]
        body: list[list[object]] = []
        for row in [*found, *find_parts(why, to)]:
            first = [row.label_and_name, *[""] * (len(described) - 1)] if row.name is None else self._describe(row)
            body.append([*first, element("b", row.text, class_=_side(row.value)), *row.effects])
        note = to.count(choose_phrase("report.rest", why), len(rest)) if rest else ""
        texts = {"arguments": (), "groups": (1,)}.get(why.players.kind, (1, 2))
        return [page_table(heads, body, texts=texts), *([element("p", note, class_="note")] if note else [])]

    def _describe(self, row: Row) -> list[str]:
        """Write what the table says of a player: an argument's scores, an edge's ends, a group's members."""
        why, to = self.why, self.to
        if isinstance(why.players, Edges):
            source, target = (label_and_name(why.qbaf, end) for end in row.name)
            return [source, self._relate(row.name, "report.relation"), target]
        if isinstance(why.players, Groups):
            members = why.players.members(row.name) if row.name in why.players.groups else ()
            shown = ", ".join(label_text(why.qbaf, member) for member in members[:MAX_MEMBERS])
            more = len(members) - MAX_MEMBERS
            return [row.label_and_name, f"{shown}, {to.count('more', more)}" if more > 0 else shown]
        scores = (why.qbaf.base_scores[row.name], why.strengths[row.name])
        return [row.label_and_name, *(to.number(number(score)) for score in scores)]

    def _relate(self, edge: Edge, key: str) -> str:
        """Write what an edge is, and its weight where it is not 1: `attack on Antiviral therapy, weight 0.5`."""
        qbaf, to = self.why.qbaf, self.to
        kind = "attack" if edge in qbaf.attacks else "support"
        weight = (qbaf.attacks if kind == "attack" else qbaf.supports)[edge]
        relation = to.say(f"{key}.{kind}", target=label_and_name(qbaf, edge[1]))
        if weight == 1:
            return relation
        return to.say("report.through.weight", relation=relation, weight=to.number(significant(weight)))

    def _opened(self, opened: Contrast) -> list[Raw]:
        """Write the share of each argument, and below it those of the edges through which it acts."""
        to, sources, body, small = self.to, join_by_source(opened), [], 0
        for source, edges in sources[:MAX_OPENED]:
            total = sum(value for _, value in edges)
            body.append([element("b", label_and_name(opened.qbaf, source)), self._amount(total, "b")])
            shown = [(target, value) for target, value in edges if abs(value) >= SHOWN_AS_ZERO]
            small += len(edges) - len(shown)
            for target, value in shown:
                text = self._relate((source, target), "report.through")
                body.append([element("span", text, class_="inner"), self._amount(value)])
        note = [to.say("report.opened.note")]
        note += [to.count("report.opened.small", small, least=number(SHOWN_AS_ZERO))] if small else []
        more = len(sources) - MAX_OPENED
        note += [to.count("report.rest", more)] if more > 0 else []
        title = name_value("owen", players="edges", language=to.code)
        heads = [to.say("report.opened.table"), title[:1].upper() + title[1:]]
        return [element("div", table(heads, body), class_="opens"), element("p", " ".join(note), class_="note")]

    def _amount(self, value: float, name: str = "span") -> Raw:
        return element(name, self.to.number(number(value, "+")), class_=_side(value))

    def _pairs(self) -> Raw:
        """Write the gap between every two topics."""
        qbaf, found, asked = self.why.qbaf, self.why.strengths, (self.why.fact, self.why.foil)
        topics = list(dict.fromkeys([*qbaf.topics, *asked]))
        names = [label_and_name(qbaf, topic) for topic in topics]
        body: list[list[object]] = [[element("b", name)] for name in names]
        for row, topic in zip(body, topics, strict=True):
            for other in topics:
                gap = found[topic] - found[other]
                text = "·" if topic == other else write_gap(gap, self.to)
                marks = (
                    ("self",)
                    if topic == other
                    else (_side(gap) if abs(gap) > TIE_TOLERANCE else "", "asked" if (topic, other) == asked else "")
                )
                row.append(element("span", text, class_=" ".join(filter(None, marks))))
        heads = [shorten(label_text(qbaf, topic)) + name_suffix(qbaf, topic) for topic in topics]
        return page_table([self.to.say("report.corner"), *heads], body)

    def _flip(self, flip: Flip) -> list[Raw]:
        """Write what a flip says, and its changes of base scores as a table."""
        to = self.to
        rows = [
            [label_and_name(self.why.qbaf, x), *map(to.number, write_move(*scores))]
            for x, scores in (flip.change or {}).items()
        ]
        changes = [table(to.say("flip.table").split("|"), rows)] if rows else []
        return [element("p", describe_flip(flip, language=to.code)), *changes]

    def _facts(self) -> dict[str, str]:
        why, to, entry, errors = self.why, self.to, _find_method(self.why), self.why.std_error
        residual = to.say("made.rounding")
        if abs(why.residual) > TIE_TOLERANCE:
            residual = to.number(number(why.residual, "+"))
        largest = to.number(number(max(errors.values(), default=0.0))) if errors is not None else ""
        solved = to.number(number(self.solved.residual))
        found = {
            "method": to.text(entry.title) if entry else why.method,
            "players": "" if why.players.kind == "arguments" else to.say(f"made.players.{why.players.kind}"),
            "measures": to.text(entry.measures) if entry else "",
            "promises": to.text(entry.promises) if entry else "",
            "way": to.count("made.evaluations", why.evaluations, way=why.how),
            "semantics": why.semantics,
            "strengths": to.count(
                "made.solver", self.solved.steps, solver=to.text(self.solved.solver), residual=solved
            ),
            "left": to.say("made.residual", residual=residual),
            "error": to.say("made.at most", error=largest) if largest else "",
            "graph": write_size(why.qbaf, to),
            "hash": fingerprint(why.qbaf),
            "with": f"qontrast {__version__}",
            "date": self.date or "",
        }
        return {to.say(f"made.{key}"): value for key, value in found.items()}


def _find_method(why: Contrast) -> MethodEntry | None:
    entry = METHODS.get(why.method)
    return entry and entry.for_players(why.players.kind)


def _side(value: float) -> str:
    return "" if isnan(value) or value == 0 else "for-fact" if value > 0 else "for-foil"
