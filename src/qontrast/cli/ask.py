"""The commands that ask: why, pairs, rank, paths, whatif, flip."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from ..attribution.methods import value_title
from ..errors import InvalidInput
from ..explain.contrast import contrast
from ..explain.pairs import all_pairs
from ..explain.pairs import rank as ranking
from ..explain.paths import paths as signed_paths
from ..explain.whatif import whatif as compare
from ..explain.wording import TIE, called, label_and_name, write_change
from ..graph.qbaf import Qbaf
from ..settings import whole
from . import complete, load
from .options import TIME_LIMIT, By, Fact, Foil, Graph, Json, Source, TimeLimit, Under
from .screen import heading, note, put, put_json, signed, table

Contributor = Annotated[
    str,
    typer.Argument(metavar="ARGUMENT", help="The argument where the paths begin.", autocompletion=complete.arguments),
]
Topic = Annotated[
    str, typer.Argument(metavar="TOPIC", help="The argument where they end.", autocompletion=complete.arguments)
]


def why(graph: Graph, under: Under, by: By, fact: Fact = None, foil: Foil = None, json: Json = False) -> None:
    """Explain why one topic is rated as it is rather than as another is."""
    qbaf, one, other = load.pair(graph, fact, foil, under)
    found = contrast(qbaf, one, other, progress=True, **by.chosen(), **under.chosen())
    if json:
        return put_json(found.to_dict())
    from ..show.narrative import account, sentences
    from ..show.terminal import contrast_bars

    told, all_told = sentences(found, measured=False), sentences(found)
    put(heading(f"Why {called(qbaf, one)} rather than {called(qbaf, other)}?"), "", " ".join(told), "")
    put(contrast_bars(found, words=False), "", account(found), " ".join(all_told[len(told) :]))
    return None


def pairs(graph: Graph, under: Under, by: By, json: Json = False) -> None:
    """Compare every topic with every other: the gap between them, and the strongest reasons."""
    qbaf = load.graph(graph)
    load.check_topics(qbaf, graph)
    found = all_pairs(qbaf, progress=True, **by.chosen(), **under.chosen())
    if json:
        return put_json(found.to_dict())
    from ..show.terminal import pairs_table

    put(pairs_table(found), "")
    for step in (found[pair] for pair in found.ahead()):
        put(str(step))
    return None


def rank(graph: Graph, under: Under, by: By, json: Json = False) -> None:
    """List the topics from the strongest to the weakest, and explain each step."""
    qbaf = load.graph(graph)
    load.check_topics(qbaf, graph)
    found = ranking(qbaf, progress=True, **by.chosen(), **under.chosen())
    if json:
        return put_json(found.to_dict())
    from ..show.terminal import ranking_table

    return put(ranking_table(found))


def paths(
    source: Source,
    under: Under,
    contributor: Contributor,
    topic: Topic,
    most: Annotated[int, typer.Option("--most", metavar="N", help="Print at most N paths.")] = 20,
    json: Json = False,
) -> None:
    """List the paths through which one argument acts on another."""
    qbaf = load.graph(source)
    start, end = load.resolved(qbaf, [contributor])[0], load.resolved(qbaf, [topic])[0]
    found = signed_paths(qbaf, start, end, limit=whole(most, "most", 1), **under.chosen())
    if json:
        return put_json(found.to_dict())
    put(str(found) if found else f"no path leads from {called(qbaf, start)} to {called(qbaf, end)}")
    if any(path.share is None for path in found):
        note("no numbers: with cycles or kinks a path has no share of the slope")
    return None


def whatif(graph: Graph, under: Under, by: By, fact: Fact = None, foil: Foil = None, json: Json = False) -> None:
    """Compare strengths and reasons before and after the changes of --set and --remove."""
    qbaf = load.unchanged(graph)
    scores, gone = load.scores(qbaf, graph), load.removed(qbaf, graph)
    if not scores and not gone:
        raise InvalidInput("whatif needs a change: --set NAME=SCORE or --remove NAME")
    one, other = _pair_before(qbaf, fact, foil, under, graph)
    found = compare(qbaf, one, other, base_scores=scores, remove=gone, **by.chosen(), **under.chosen())
    if json:
        return put_json(found.to_dict())
    put(heading(str(found)), "")
    rows = []
    for x in qbaf.arguments:
        after = found.after.get(x)
        if after is None or abs(after - found.before[x]) > TIE:
            shown = (f"{found.before[x]:.4f}", "removed", "") if after is None else write_change(found.before[x], after)
            rows.append((label_and_name(qbaf, x), *shown))
    put(table([("argument", "text"), ("before", "number"), ("after", "number"), ("change", "number")], rows))
    if found.why_before is not None and found.why_after is not None:
        old, new = found.why_before, found.why_after
        lines = [
            (label_and_name(qbaf, x), signed(old[x]), signed(new[x]) if x in new else "removed")
            for x, _ in old.ranked()
        ]
        title = (
            f"{value_title(old.method)}, {called(qbaf, old.fact)} rather than {called(qbaf, old.foil)} ({old.method})"
        )
        put("", table([(title, "text"), ("before", "number"), ("after", "number")], lines))
    return None


def _pair_before(qbaf: Qbaf, fact: Fact, foil: Foil, under: Under, asked: Graph) -> tuple[Any, Any]:
    """The pair before the change, among topics that stay; a file without two topics still has strengths to compare."""
    gone = load.removed(qbaf, asked)
    one, other = (None if name is None else qbaf.resolve(name) for name in (fact, foil))
    stays = qbaf.with_topics(topic for topic in qbaf.topics if topic not in gone)
    if one is None and len(stays.topics) < 2:
        return None, None
    return load.strongest(stays, one, other, under, asked)


def flip(
    graph: Graph,
    under: Under,
    fact: Fact = None,
    foil: Foil = None,
    fix: Annotated[
        list[str] | None,
        typer.Option(
            "--fix",
            metavar="NAME",
            help="Keep this argument and its base score as they are. May be repeated.",
            autocompletion=complete.arguments,
        ),
    ] = None,
    move_topics: Annotated[
        bool, typer.Option("--move-topics", help="Let the base scores of the two topics change too.")
    ] = False,
    norm: Annotated[
        str,
        typer.Option(
            "--norm",
            metavar="l1|l2",
            help="How a change is measured: l1, the sum of its parts, or l2, the root of the sum of their squares.",
        ),
    ] = "l1",
    time_limit: TimeLimit = TIME_LIMIT,
    json: Json = False,
) -> None:
    """Find the smallest change that would make the foil win."""
    from ..explain.flip import flip as search

    qbaf, one, other = load.pair(graph, fact, foil, under)
    held = load.resolved(qbaf, fix or ())
    chosen: dict[str, Any] = {"fixed": held, "move_topics": move_topics, "norm": norm, **under.chosen()}
    found = search(qbaf, one, other, time_limit=time_limit or None, progress=True, **chosen)
    if json:
        return put_json(found.to_dict())
    return put(heading(f"What would make {called(qbaf, other)} win over {called(qbaf, one)}?"), "", str(found))
